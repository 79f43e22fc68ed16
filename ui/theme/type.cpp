// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontDatabase>
#include <QGuiApplication>

#include "ui/theme/theme.hpp"

// The library is static: the linker would drop the resources without this call, which must stand outside a namespace.
static void register_scalescope_resources() { Q_INIT_RESOURCE(resources); }

namespace scalescope::ui {
namespace {

constexpr double points_per_pixel = 0.75;  // at 96 dots per inch; sizes in points follow the desktop's font scaling

QFont sans(double px, QFont::Weight weight) {
    load_fonts();
    QFont font(QStringLiteral("Scalescope Sans"));
    font.setStyleHint(QFont::SansSerif);
    font.setPointSizeF(px * points_per_pixel * type_scale());
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);  // advances stay fractional: even spacing at 11 to 13 px
    return font;
}

/// Made once for each scale: charts ask for them thousands of times a second, and a font that was asked for knows its
/// glyphs.
template <int px, QFont::Weight weight>
QFont kept() {
    static double scale = 0;
    static QFont font;
    if (scale != type_scale()) {
        scale = type_scale();
        font = sans(px, weight);
    }
    return font;
}

}  // namespace

void load_fonts() {
    static bool done = false;
    if (done) return;
    done = true;
    register_scalescope_resources();
    for (const char* name :
         {"ScalescopeSans-Regular.otf", "ScalescopeSans-Medium.otf", "ScalescopeSans-SemiBold.otf",
          "ScalescopeSans-Italic.otf", "ScalescopeSans-SemiBoldItalic.otf", "ScalescopeMono-Regular.ttf"})
        QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/") + QLatin1String(name));
}

namespace type {

QFont page_title() { return kept<18, QFont::DemiBold>(); }
QFont result() { return kept<15, QFont::DemiBold>(); }
QFont formula() { return kept<14, QFont::Normal>(); }
QFont reading() { return kept<14, QFont::Normal>(); }
QFont title() { return kept<13, QFont::DemiBold>(); }
QFont control() { return kept<13, QFont::Normal>(); }
QFont table() { return kept<12, QFont::Normal>(); }
QFont table_strong() { return kept<12, QFont::DemiBold>(); }
QFont caption() { return kept<11, QFont::Normal>(); }

QFont mono() {
    load_fonts();
    QFont font(QStringLiteral("Scalescope Mono"));
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    font.setPointSizeF(12 * points_per_pixel * type_scale());
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QFont struck(QFont font, bool strike) {
    font.setStrikeOut(strike);
    return font;
}

QFont italic(QFont font) {
    font.setItalic(true);
    return font;
}

}  // namespace type
}  // namespace scalescope::ui
