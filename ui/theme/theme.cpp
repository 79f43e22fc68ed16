// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.hpp"

#include <QApplication>
#include <QEvent>
#include <QPointer>
#include <QStyle>
#include <QTimer>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/theme/focus_ring.hpp"
#include "ui/theme/scaling.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/style_sheet.hpp"

namespace scalescope::ui {
namespace {

const Theme* theme_in_force = nullptr;

QColor rgb(unsigned value) { return QColor::fromRgb(0xFF000000U | value); }

Theme make_light() {
    Theme t;
    t.dark = false;
    t.window = rgb(0xF3F4F6), t.card = rgb(0xFFFFFF), t.control = rgb(0xFFFFFF), t.segment_on = rgb(0xFFFFFF);
    t.hover = rgb(0xEDEFF2), t.pressed = rgb(0xE1E4E9), t.card_border = rgb(0xE2E5EA), t.control_border = rgb(0xC9CED6);
    t.text = rgb(0x1A1F27), t.secondary = rgb(0x59626F), t.disabled = rgb(0x8A929D), t.accent = rgb(0x3450D2);
    t.selection = rgb(0xE9EDFC), t.on_accent = rgb(0xFFFFFF);
    t.accent_hover = rgb(0x2A43B8), t.accent_pressed = rgb(0x22379B), t.accent_off = rgb(0x95A2D4);
    t.forward = rgb(0x0B5C9E), t.backward = rgb(0x4499D6), t.update = rgb(0x868F9C), t.communication = rgb(0xD2550B);
    t.weights = rgb(0x241A5C), t.gradients = rgb(0x6655A6), t.optimizer = rgb(0x9A63E6), t.activations = rgb(0x0F4A35);
    t.logits = rgb(0x2C9C72);
    t.curves = {rgb(0x00825F), rgb(0xB2568F), rgb(0xA87000), rgb(0xA464F9), rgb(0x5D180A), rgb(0x3A0093)};
    t.pin = rgb(0x3A424E), t.ideal = rgb(0x868F9C), t.axis = rgb(0xB9C0CA), t.grid = rgb(0xECEEF1);
    t.error = rgb(0xB3261E), t.error_fill = rgb(0xFCEBEA), t.error_border = rgb(0xE9B3AE);
    t.warning = rgb(0x8A5A00), t.warning_fill = rgb(0xFFF4D9);
    t.unknown_text = rgb(0x6B4E00), t.unknown_fill = rgb(0xFFF1C7), t.unknown_border = rgb(0xC99700);
    t.better = rgb(0x00735A), t.worse = rgb(0xA84300);
    t.tooltip = rgb(0x1F2530), t.tooltip_text = rgb(0xF4F6F9), t.tooltip_label = rgb(0xAEB7C4);
    t.ramp = {rgb(0xEAF1F8), rgb(0xB2D0EB), rgb(0x63A0D4), rgb(0x1C67AA), rgb(0x083E73)};
    t.ranks = {rgb(0x62A996), rgb(0x35809A), rgb(0x2A4F86), rgb(0x221F4F)};
    return t;
}

Theme make_dark() {
    Theme t;
    t.dark = true;
    t.window = rgb(0x14171C), t.card = rgb(0x1C2027), t.control = rgb(0x232830), t.segment_on = rgb(0x454E5C);
    t.hover = rgb(0x272D36), t.pressed = rgb(0x303743), t.card_border = rgb(0x2C323C), t.control_border = rgb(0x414957);
    t.text = rgb(0xE7EAEF), t.secondary = rgb(0xA4ADBA), t.disabled = rgb(0x6F7987), t.accent = rgb(0x93A8FF);
    t.selection = rgb(0x262F4F), t.on_accent = rgb(0x10131A);
    t.accent_hover = rgb(0xA9BAFF), t.accent_pressed = rgb(0x7C93F2), t.accent_off = rgb(0x4E5A8C);
    t.forward = rgb(0x2F80C2), t.backward = rgb(0x93CDF3), t.update = rgb(0x858E9B), t.communication = rgb(0xF07A3A);
    t.weights = rgb(0x6F56C9), t.gradients = rgb(0xA890F0), t.optimizer = rgb(0xDCD2FB), t.activations = rgb(0x2A9079);
    t.logits = rgb(0x8FEBCF);
    t.curves = {rgb(0x35BE93), rgb(0xDB8FBE), rgb(0xDDAA3E), rgb(0x6A62DA), rgb(0xBC5038), rgb(0xEAE492)};
    t.pin = rgb(0xC4CBD6), t.ideal = rgb(0x6F7987), t.axis = rgb(0x4C5563), t.grid = rgb(0x282D36);
    t.error = rgb(0xFF8A80), t.error_fill = rgb(0x3A2224), t.error_border = rgb(0x6E3B3B);
    t.warning = rgb(0xF2C14E), t.warning_fill = rgb(0x352C17);
    t.unknown_text = rgb(0xF5D57A), t.unknown_fill = rgb(0x3A3119), t.unknown_border = rgb(0xB58E1F);
    t.better = rgb(0x4CC9A0), t.worse = rgb(0xF5935A);
    t.tooltip = rgb(0xE9ECF1), t.tooltip_text = rgb(0x161A20), t.tooltip_label = rgb(0x59626F);
    t.ramp = {rgb(0x232B37), rgb(0x25456A), rgb(0x2C6CA8), rgb(0x63A9E2), rgb(0xBFE0FA)};
    t.ranks = {rgb(0xB5E3D3), rgb(0x6FC0BE), rgb(0x4B93BF), rgb(0x5F6FC4)};
    return t;
}

/// White on black. Every ink has 7:1 on every ground it stands on, every border and series at least 3:1.
Theme make_high_contrast() {
    Theme t;
    t.dark = true, t.high_contrast = true;
    t.window = rgb(0x000000), t.card = rgb(0x000000), t.control = rgb(0x000000), t.segment_on = rgb(0x444444);
    t.hover = rgb(0x2B2B2B), t.pressed = rgb(0x404040), t.card_border = rgb(0xB8B8B8);
    t.control_border = rgb(0xFFFFFF), t.text = rgb(0xFFFFFF), t.secondary = rgb(0xEDEDED);
    t.disabled = rgb(0xBCBCBC), t.accent = rgb(0xFFE14D), t.selection = rgb(0x14388C), t.on_accent = rgb(0x000000);
    t.accent_hover = rgb(0xFFEB85), t.accent_pressed = rgb(0xE6C200), t.accent_off = rgb(0x8C8C8C);
    t.forward = rgb(0x4DA6FF), t.backward = rgb(0xD4EEFF), t.update = rgb(0x9A9A9A), t.communication = rgb(0xFF8A3D);
    t.weights = rgb(0x8E78E0), t.gradients = rgb(0xB6A3F2), t.optimizer = rgb(0xE6DFFC), t.activations = rgb(0x2FA58B);
    t.logits = rgb(0x8FEBCF);
    t.curves = {rgb(0x2EE6A8), rgb(0xFF9EE0), rgb(0xFFD166), rgb(0x985AED), rgb(0xCF571D), rgb(0x4B8774)};
    t.pin = rgb(0xFFFFFF), t.ideal = rgb(0xB8B8B8), t.axis = rgb(0xFFFFFF), t.grid = rgb(0x5E5E5E);
    t.error = rgb(0xFFA8A0), t.error_fill = rgb(0x3A0D0A), t.error_border = rgb(0xFFA8A0);
    t.warning = rgb(0xFFD75E), t.warning_fill = rgb(0x2E2300);
    t.unknown_text = rgb(0xFFE68A), t.unknown_fill = rgb(0x2E2600), t.unknown_border = rgb(0xFFE68A);
    t.better = rgb(0x5CF0B8), t.worse = rgb(0xFFB080);
    t.tooltip = rgb(0xFFFFFF), t.tooltip_text = rgb(0x000000), t.tooltip_label = rgb(0x333333);
    t.ramp = {rgb(0x73A9E0), rgb(0x8FBEEC), rgb(0xAFD2F5), rgb(0xD2E7FB), rgb(0xFFFFFF)};
    t.ranks = {rgb(0xB5E3D3), rgb(0x6FC0BE), rgb(0x4B93BF), rgb(0x6C7CD2)};
    return t;
}

/// Relative luminance (WCAG 2.2, "relative luminance").
double luminance(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

void use(QApplication& app, const Theme& chosen) {
    theme_in_force = &chosen;
    app.setPalette(palette_of(chosen));
    QToolTip::setPalette(palette_of(chosen));
    QToolTip::setFont(type::table());
    app.setStyleSheet(style_sheet_of(chosen));
}

/// The desktop's own palette. Ours hides it, so it is lifted for the moment of the question.
bool desktop_is_dark(QApplication& app) {
    const QPalette ours = app.palette();
    app.setPalette(QPalette());
    const bool dark = is_dark(app.palette());
    app.setPalette(ours);
    return dark;
}

/// Qt 6.4 has no signal for a change of the desktop's colours: windows get a ThemeChange event.
class DesktopWatcher final : public QObject {
public:
    explicit DesktopWatcher(QApplication& app) : QObject(&app), app_(app) { app.installEventFilter(this); }
    ThemeChoice choice = ThemeChoice::system;

    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::ThemeChange && choice == ThemeChoice::system && !waiting_) {
            waiting_ = true;  // every window gets the event; answer once, after the last of them
            QTimer::singleShot(0, this, [this] {
                waiting_ = false;
                if (choice == ThemeChoice::system && desktop_is_dark(app_) != theme().dark) apply_theme(app_, choice);
            });
        }
        return QObject::eventFilter(object, event);
    }

private:
    QApplication& app_;
    bool waiting_ = false;
};

}  // namespace

const Theme& Theme::light() {
    static const Theme value = make_light();
    return value;
}

const Theme& Theme::dark_theme() {
    static const Theme value = make_dark();
    return value;
}

const Theme& Theme::high_contrast_theme() {
    static const Theme value = make_high_contrast();
    return value;
}

namespace {

template <std::size_t n>
QColor between(const std::array<QColor, n>& colours, double place) {
    const double at = std::clamp(place, 0.0, 1.0) * static_cast<double>(n - 1);
    const auto i = std::min(static_cast<std::size_t>(at), n - 2);
    const double share = at - static_cast<double>(i);
    const auto mix = [share](int a, int b) { return qRound(a + share * (b - a)); };
    const QColor &a = colours[i], &b = colours[i + 1];
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

}  // namespace

QColor Theme::on_ramp(double place) const { return between(ramp, place); }

QColor Theme::rank(std::int64_t index, std::int64_t count) const {
    return between(ranks, count > 1 ? static_cast<double>(index) / static_cast<double>(count - 1) : 0.0);
}

QColor Theme::ink_on(const QColor& ground) const {
    const double l = luminance(ground);
    const auto contrast = [l](const QColor& ink) {
        const double other = luminance(ink);
        return (std::max(l, other) + 0.05) / (std::min(l, other) + 0.05);
    };
    const auto clearer = [&](const QColor& a, const QColor& b) { return contrast(a) >= contrast(b) ? a : b; };
    constexpr double readable = 4.5;  // WCAG 2.2, success criterion 1.4.3
    const QColor usual = clearer(text, card);
    // Of black and white one always is: where both have the same contrast it is the root of 21, 4.58.
    return contrast(usual) >= readable ? usual : clearer(rgb(0x000000), rgb(0xFFFFFF));
}

const Theme& theme() { return theme_in_force ? *theme_in_force : Theme::light(); }

bool is_dark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

QPalette palette_of(const Theme& t) {
    QPalette p;
    const auto set = [&p](QPalette::ColorRole role, const QColor& color, const QColor& off) {
        p.setColor(QPalette::Active, role, color);
        p.setColor(QPalette::Inactive, role, color);
        p.setColor(QPalette::Disabled, role, off);
    };
    set(QPalette::Window, t.window, t.window);
    set(QPalette::WindowText, t.text, t.disabled);
    set(QPalette::Base, t.control, t.window);
    set(QPalette::AlternateBase, t.hover, t.hover);
    set(QPalette::Text, t.text, t.disabled);
    set(QPalette::PlaceholderText, t.secondary, t.disabled);
    set(QPalette::Button, t.control, t.window);
    set(QPalette::ButtonText, t.text, t.disabled);
    set(QPalette::BrightText, t.error, t.disabled);
    set(QPalette::Highlight, t.accent, t.pressed);
    set(QPalette::HighlightedText, t.on_accent, t.disabled);
    set(QPalette::Link, t.accent, t.disabled);
    set(QPalette::LinkVisited, t.accent, t.disabled);
    set(QPalette::ToolTipBase, t.tooltip, t.tooltip);
    set(QPalette::ToolTipText, t.tooltip_text, t.tooltip_text);
    set(QPalette::Light, t.card, t.card);
    set(QPalette::Midlight, t.hover, t.hover);
    set(QPalette::Mid, t.card_border, t.card_border);
    set(QPalette::Dark, t.control_border, t.control_border);
    set(QPalette::Shadow, t.control_border, t.control_border);
    return p;
}

void set_type_scale(QApplication& app, double scale) {
    if (!rescale(app, scale)) return;
    if (theme_in_force) use(app, *theme_in_force);
}

void apply_theme(QApplication& app, ThemeChoice choice) {
    static QPointer<DesktopWatcher> watcher;
    load_fonts();
    if (!watcher) {
        app.setStyle(new Style);
        app.setFont(type::control());
        watcher = new DesktopWatcher(app);
        new FocusRing(app);
    }
    watcher->choice = choice;
    if (choice == ThemeChoice::high_contrast) return use(app, Theme::high_contrast_theme());
    const bool dark = choice == ThemeChoice::dark || (choice == ThemeChoice::system && desktop_is_dark(app));
    use(app, dark ? Theme::dark_theme() : Theme::light());
}

}  // namespace scalescope::ui
