// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QImage>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStyle>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/theme/comfort.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style_sheet.hpp"
#include "ui/theme/theme.hpp"

using namespace scalescope::ui;

namespace {

/// Relative luminance and contrast as WCAG 2.1 defines them.
double luminance(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}
double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
/// severity 1, on linear RGB.
struct ColourVision {
    const char* name;
    double of[3][3];
};
constexpr ColourVision colour_visions[] = {
    {"all cones", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"protanopia", {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {"deuteranopia",
     {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {"tritanopia",
     {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

/// CIE 1976 difference of two colours as they are seen.
double difference(const ColourVision& seen, const QColor& one, const QColor& other) {
    const auto lab = [&seen](const QColor& c) {
        const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
        const double rgb[] = {linear(c.redF()), linear(c.greenF()), linear(c.blueF())};
        double s[3];
        for (int i = 0; i < 3; ++i)
            s[i] = std::clamp(seen.of[i][0] * rgb[0] + seen.of[i][1] * rgb[1] + seen.of[i][2] * rgb[2], 0.0, 1.0);
        const auto f = [](double v) { return v > 0.008856 ? std::cbrt(v) : 7.787 * v + 16.0 / 116.0; };
        const double x = f((0.4124564 * s[0] + 0.3575761 * s[1] + 0.1804375 * s[2]) / 0.95047),
                     y = f(0.2126729 * s[0] + 0.7151522 * s[1] + 0.0721750 * s[2]),
                     z = f((0.0193339 * s[0] + 0.1191920 * s[1] + 0.9503041 * s[2]) / 1.08883);
        return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const auto a = lab(one), b = lab(other);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

int inked_pixels(const QIcon& icon, int px, const QColor& color) {
    const QImage image = icon.pixmap(QSize(px, px), 1.0).toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor c = image.pixelColor(x, y);
            if (c.alpha() < 200) continue;
            if (std::abs(c.red() - color.red()) < 12 && std::abs(c.green() - color.green()) < 12 &&
                std::abs(c.blue() - color.blue()) < 12)
                ++count;
        }
    return count;
}

}  // namespace

class TestTheme : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void every_type_size_uses_the_bundled_family_data() {
        QTest::addColumn<QFont>("font");
        QTest::addColumn<double>("px");
        QTest::addColumn<int>("weight");
        QTest::newRow("page_title") << type::page_title() << 18.0 << 600;
        QTest::newRow("result") << type::result() << 15.0 << 600;
        QTest::newRow("formula") << type::formula() << 14.0 << 400;
        QTest::newRow("title") << type::title() << 13.0 << 600;
        QTest::newRow("control") << type::control() << 13.0 << 400;
        QTest::newRow("table") << type::table() << 12.0 << 400;
        QTest::newRow("table_strong") << type::table_strong() << 12.0 << 600;
        QTest::newRow("caption") << type::caption() << 11.0 << 400;
        QTest::newRow("mono") << type::mono() << 12.0 << 400;
        QTest::newRow("italic") << type::italic(type::formula()) << 14.0 << 400;
        QTest::newRow("italic strong") << type::italic(type::table_strong()) << 12.0 << 600;
    }

    void every_type_size_uses_the_bundled_family() {
        QFETCH(QFont, font);
        QFETCH(double, px);
        QFETCH(int, weight);
        const QFontInfo info(font);
        QVERIFY2(info.family().startsWith(QStringLiteral("Scalescope")), qPrintable(info.family()));
        QCOMPARE(font.pointSizeF(), px * 0.75);
        QCOMPARE(info.weight(), weight);
        QCOMPARE(info.italic(), font.italic());
    }

    void ten_digits_are_equally_wide_data() { every_type_size_uses_the_bundled_family_data(); }

    void ten_digits_are_equally_wide() {
        QFETCH(QFont, font);
        const QFontMetricsF metrics(font);
        const double zero = metrics.horizontalAdvance(QLatin1Char('0'));
        QVERIFY(zero > 0);
        for (char digit = '1'; digit <= '9'; ++digit) {
            const double width = metrics.horizontalAdvance(QLatin1Char(digit));
            QVERIFY2(std::abs(width - zero) < 1e-6,
                     qPrintable(QStringLiteral("%1: %2, 0: %3").arg(digit).arg(width).arg(zero)));
        }
        // Kerning must not undo it.
        QCOMPARE(metrics.horizontalAdvance(QStringLiteral("1,111.71")),
                 metrics.horizontalAdvance(QStringLiteral("8,888.88")));
    }

    void signs_of_formulas_are_in_the_font() {
        const QString signs = QString::fromUtf8("×−·›–—“”‘’≤≥≈≠→←↑↓⇧⌈⌉⌊⌋₀₁₂ₙᵢ²³⁻√∞∑∂ΔαβγΩμπσ✓✗●■▲◆…°±‰\u00A0");
        const QFontMetrics metrics(type::control());
        QString missing;
        for (const QChar c : signs)
            if (!metrics.inFont(c)) missing += c;
        missing.remove(QString::fromUtf8("ᵢ"));  // not drawn by Inter: write i in a subscript span
        QCOMPARE(missing, QString());
    }

    void names_are_shown_as_they_are_written() {
        // Inter's contextual forms draw 1x1 as 1×1; a layer's name must stay itself.
        const QFontMetricsF metrics(type::control());
        const double parts =
            metrics.horizontalAdvance(QLatin1Char('1')) * 2 + metrics.horizontalAdvance(QLatin1Char('x'));
        QVERIFY(std::abs(metrics.horizontalAdvance(QStringLiteral("1x1")) - parts) < 0.75);
    }

    void both_themes_are_complete_and_readable() {
        for (const Theme* t : Theme::all()) {
            for (const QColor& ground : {t->window, t->card, t->control, t->hover, t->selection}) {
                QVERIFY(contrast(t->text, ground) >= 5);
                QVERIFY2(contrast(t->secondary, ground) >= 4.5, qPrintable(ground.name()));
            }
            for (const QColor& ink : {t->accent, t->error, t->warning, t->better, t->worse})
                QVERIFY2(contrast(ink, t->card) >= 5, qPrintable(ink.name()));
            QVERIFY(contrast(t->on_accent, t->accent) >= 5);
            QVERIFY(contrast(t->on_accent, t->accent_hover) >= 5);
            QVERIFY(contrast(t->on_accent, t->accent_pressed) >= 5);
            QVERIFY(contrast(t->error, t->error_fill) >= 5);
            QVERIFY(contrast(t->unknown_text, t->unknown_fill) >= 5);
            QVERIFY(contrast(t->tooltip_text, t->tooltip) >= 5);
            QVERIFY(contrast(t->disabled, t->card) >= 3);
            for (const QColor& series : {t->forward, t->backward, t->update, t->communication, t->ideal})
                QVERIFY2(contrast(series, t->card) >= 3, qPrintable(series.name()));
            for (const QColor& series : t->curves) QVERIFY2(contrast(series, t->card) >= 3, qPrintable(series.name()));
            // The first one of light has its number beside it.
            for (const QColor& rank : t->ranks) QVERIFY2(contrast(rank, t->card) >= 2.75, qPrintable(rank.name()));
            QCOMPARE(t->rank(0, 2), t->ranks.front());
            QCOMPARE(t->rank(1, 2), t->ranks.back());
            QCOMPARE(t->rank(0, 1), t->ranks.front());
        }
    }

    /// Six curves are six colours, for people who do not see red, green or blue too. 12 is what the first three had;
    /// neighbours on a wheel of hues have 5.
    void every_curve_has_a_colour_of_its_own() {
        for (const Theme* t : Theme::all()) {
            std::vector<QColor> all(t->curves.begin(), t->curves.end());
            all.push_back(t->text);  // of the best meshes
            for (std::size_t i = 0; i < all.size(); ++i)
                for (std::size_t k = 0; k < i; ++k)
                    for (const ColourVision& seen : colour_visions) {
                        const double apart = difference(seen, all[i], all[k]);
                        QVERIFY2(apart >= 12,
                                 qPrintable(QStringLiteral("%1 and %2, %3: %4")
                                                .arg(all[i].name(), all[k].name(), QLatin1String(seen.name))
                                                .arg(apart)));
                    }
        }
    }

    /// Of all inks on all grounds they stand on, not only of the usual ones.
    void high_contrast_is_high() {
        const Theme& t = Theme::high_contrast_theme();
        for (const QColor& ground : {t.window, t.card, t.control, t.hover, t.pressed, t.segment_on, t.selection})
            for (const QColor& ink : {t.text, t.secondary, t.accent})
                QVERIFY2(contrast(ink, ground) >= 7, qPrintable(ink.name() + QLatin1Char(' ') + ground.name()));
        for (const QColor& ground : {t.window, t.card, t.control, t.error_fill, t.warning_fill, t.unknown_fill})
            for (const QColor& ink :
                 {t.text, t.secondary, t.disabled, t.error, t.warning, t.unknown_text, t.better, t.worse})
                QVERIFY2(contrast(ink, ground) >= 7, qPrintable(ink.name() + QLatin1Char(' ') + ground.name()));
        for (const QColor& ground : {t.accent, t.accent_hover, t.accent_pressed})
            QVERIFY(contrast(t.on_accent, ground) >= 7);
        for (const QColor& ink : {t.tooltip_text, t.tooltip_label}) QVERIFY(contrast(ink, t.tooltip) >= 7);
        for (const QColor& line : {t.card_border, t.control_border, t.axis, t.error_border, t.unknown_border})
            for (const QColor& ground : {t.window, t.card, t.hover})
                QVERIFY2(contrast(line, ground) >= 4.5, qPrintable(line.name()));
        QVERIFY(contrast(t.grid, t.card) >= 3);
        for (int i = 0; i <= 1000; ++i) {
            const QColor ground = t.on_ramp(i / 1000.0);
            QVERIFY2(contrast(t.ink_on(ground), ground) >= 7, qPrintable(QString::number(i)));
        }
        for (const QColor& series :
             {t.forward, t.backward, t.update, t.communication, t.curves[0], t.curves[1], t.curves[2], t.curves[3],
              t.curves[4], t.curves[5], t.pin, t.ideal, t.ranks[0], t.ranks[1], t.ranks[2], t.ranks[3]})
            QVERIFY2(contrast(series, t.card) >= 4.5, qPrintable(series.name()));
        // Neighbours in a stack differ in lightness too.
        const std::array stack{t.forward, t.backward, t.update, t.communication};
        for (std::size_t i = 0; i + 1 < stack.size(); ++i)
            QVERIFY2(contrast(stack[i], stack[i + 1]) >= 1.15, qPrintable(stack[i].name()));
    }

    /// On every ground a box of the canvas can have: all amounts, and what bounds it.
    void words_on_boxes_can_be_read() {
        for (const Theme* t : Theme::all()) {
            double lightness = -1;
            for (int i = 0; i <= 1000; ++i) {
                const QColor ground = t->on_ramp(i / 1000.0);
                QVERIFY2(contrast(t->ink_on(ground), ground) >= 4.5, qPrintable(QString::number(i)));
                // The ramp only goes one way, so that words turn over once.
                const double now = t->dark ? luminance(ground) : 1 - luminance(ground);
                QVERIFY(now >= lightness);
                lightness = now;
            }
            for (const QColor& ground : {t->curves[0], t->curves[1], t->communication, t->card})
                QVERIFY2(contrast(t->ink_on(ground), ground) >= 4.5, qPrintable(ground.name()));
        }
    }

    void style_sheet_has_no_name_left() {
        for (const Theme* t : Theme::all()) {
            const QString sheet = style_sheet_of(*t);
            QVERIFY(sheet.contains(t->card_border.name()));
            QVERIFY(!sheet.contains(QLatin1Char('@')));
        }
    }

    void palette_is_judged_by_its_lightness() {
        QVERIFY(!is_dark(palette_of(Theme::light())));
        QVERIFY(is_dark(palette_of(Theme::dark_theme())));
    }

    void switching_repaints_a_button() {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* button = new QPushButton(QStringLiteral("Compare"));
        layout->addWidget(button);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto ground = [&] { return button->grab().toImage().pixelColor(8, 6); };
        QCOMPARE(ground(), Theme::light().control);
        apply_theme(*qApp, ThemeChoice::dark);
        QCOMPARE(&theme(), &Theme::dark_theme());
        QCOMPARE(ground(), Theme::dark_theme().control);
        apply_theme(*qApp, ThemeChoice::light);
        QCOMPARE(ground(), Theme::light().control);
    }

    void switching_to_large_controls_and_back() {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* button = new QPushButton(QStringLiteral("Compare"));
        auto* corner = new QToolButton;
        corner->setFixedSize(22, 22);
        auto* bar = new QWidget;
        bar->setFixedHeight(30);
        auto* field = new QSpinBox;
        for (QWidget* w : std::initializer_list<QWidget*>{button, corner, bar, field}) layout->addWidget(w);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto heights = [&] {
            return std::vector<int>{button->height(), corner->height(), bar->height(), field->height()};
        };
        const auto usual = heights();
        const auto wear = [&](bool large) {
            set_comfort(*qApp, Motion::full, large);
            apply_theme(*qApp, ThemeChoice::light);
            QCoreApplication::processEvents();
            window.adjustSize();
            QCoreApplication::processEvents();
        };
        wear(true);
        for (const int height : heights()) QVERIFY2(height >= touch_size, qPrintable(QString::number(height)));
        QVERIFY(corner->width() >= touch_size);
        wear(false);
        QCOMPARE(heights(), usual);
        QCOMPARE(corner->width(), 22);
    }

    void less_motion_stills_what_the_style_moves() {
        const auto duration = [] { return qApp->style()->styleHint(QStyle::SH_Widget_Animation_Duration); };
        QMainWindow window;
        window.show();
        set_comfort(*qApp, Motion::less, false);
        apply_theme(*qApp, ThemeChoice::light);
        QVERIFY(less_motion());
        QCOMPARE(duration(), 0);
        QVERIFY(!window.isAnimated());
        QVERIFY(!QApplication::isEffectEnabled(Qt::UI_AnimateMenu));
        set_comfort(*qApp, Motion::full, false);
        apply_theme(*qApp, ThemeChoice::light);
        QVERIFY(!less_motion() && window.isAnimated());
    }

    void the_desktop_is_asked_for_its_motion() {
        QTemporaryDir config;
        const auto write = [&](const QString& name, const QByteArray& text) {
            QDir(config.path()).mkpath(QFileInfo(name).path());
            QFile file(config.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        QVERIFY(!desktop_wants_less_motion(config.path()));
        write(QStringLiteral("gtk-3.0/settings.ini"), "[Settings]\ngtk-enable-animations=0\n");
        QVERIFY(desktop_wants_less_motion(config.path()));
        write(QStringLiteral("gtk-4.0/settings.ini"), "[Settings]\ngtk-enable-animations=true\n");
        QVERIFY(!desktop_wants_less_motion(config.path()));
        write(QStringLiteral("kdeglobals"), "[KDE]\nAnimationDurationFactor=0\n");
        QVERIFY(desktop_wants_less_motion(config.path()));
    }

    void focus_ring_follows_the_keyboard_only() {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* first = new QPushButton(QStringLiteral("First"));
        auto* second = new QPushButton(QStringLiteral("Second"));
        layout->addWidget(first);
        layout->addWidget(second);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto ring = [&] { return window.findChild<QWidget*>(QStringLiteral("focus_ring")); };
        QTest::mouseClick(second, Qt::LeftButton);
        QVERIFY(!ring() || !ring()->isVisible());
        QTest::keyClick(&window, Qt::Key_Tab);
        QTest::keyClick(&window, Qt::Key_Tab);
        QTRY_VERIFY(ring() && ring()->isVisible());
        auto* focused = QApplication::focusWidget();
        QVERIFY(focused == first || focused == second);
        QCOMPARE(ring()->geometry(), focused->geometry().adjusted(-4, -4, 4, 4));
    }

    void icons_are_tinted_at_any_ratio() {
        apply_theme(*qApp, ThemeChoice::light);
        const QIcon kept = icon("save");
        QVERIFY(inked_pixels(kept, 16, Theme::light().text) > 12);
        QVERIFY(inked_pixels(kept, 48, Theme::light().text) > 300);
        apply_theme(*qApp, ThemeChoice::dark);
        QVERIFY(inked_pixels(kept, 16, Theme::dark_theme().text) > 12);  // the same QIcon follows the theme
        QVERIFY(inked_pixels(icon("error"), 32, Theme::dark_theme().error) > 40);
        QVERIFY(inked_pixels(icon("save", Tint::accent), 32, Theme::dark_theme().accent) > 40);
        apply_theme(*qApp, ThemeChoice::light);
        QVERIFY(icon("no such icon").isNull());
        const QPixmap twice = kept.pixmap(QSize(16, 16), 2.0);
        QCOMPARE(twice.size(), QSize(32, 32));
    }

    void every_icon_of_the_look_is_there() {
        const QStringList names = QString::fromLatin1(
                                      "open save undo redo pin compare export theme search table chip link layers fit "
                                      "flag reset float close more "
                                      "edit swap plus jump check info warn error down right up minus left")
                                      .split(QLatin1Char(' '));
        QCOMPARE(names.size(), 32);
        for (const QString& name : names) {
            const QIcon one = icon(name.toLatin1().constData());
            QVERIFY2(!one.isNull(), qPrintable(name));
            const QColor ink = name == QStringLiteral("info")    ? theme().accent
                               : name == QStringLiteral("warn")  ? theme().warning
                               : name == QStringLiteral("error") ? theme().error
                                                                 : theme().text;
            QVERIFY2(inked_pixels(one, 32, ink) > 15, qPrintable(name));
        }
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
