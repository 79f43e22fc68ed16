// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/evidence_tag.hpp"

#include <QFontMetrics>
#include <QPainter>

#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr Px tag_height{16}, tag_padding{5};

}  // namespace

EvidenceTag::EvidenceTag(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    set_kind(Kind::exact);
}

QString EvidenceTag::word(Kind kind) {
    switch (kind) {
        case Kind::exact: return tr("exact");
        case Kind::datasheet: return tr("datasheet");
        case Kind::calibrated: return tr("calibrated");
        case Kind::extrapolated: return tr("extrapolated");
        case Kind::assumed: return tr("assumed");
    }
    return {};
}

void EvidenceTag::set_kind(Kind kind, const QString& text) {
    const auto explanation = [kind] {
        switch (kind) {
            case Kind::exact: return tr("Counted, no estimate.");
            case Kind::datasheet: return tr("Peak figures from the manufacturer, not calibrated.");
            case Kind::calibrated: return tr("Fitted to measured runs.");
            case Kind::extrapolated: return tr("Outside of what was measured.");
            case Kind::assumed: return tr("A default value that has not been verified.");
        }
        return QString();
    };
    const QString shown = text.isEmpty() ? word(kind) : text;
    if (kind == kind_ && shown == text_) return;
    kind_ = kind;
    text_ = shown;
    setToolTip(explanation());
    setAccessibleName(tr("Evidence: %1").arg(text_));
    setAccessibleDescription(explanation());
    updateGeometry();
    update();
}

QSize EvidenceTag::sizeHint() const {
    return {QFontMetrics(type::caption()).horizontalAdvance(text_) + 2 * tag_padding + 1, tag_height};
}

void EvidenceTag::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    const bool guess = kind_ == Kind::extrapolated || kind_ == Kind::assumed;
    draw_box(painter, QRectF(rect()), guess ? (kind_ == Kind::assumed ? t.unknown_fill : t.warning_fill) : t.pressed,
             {}, 4);
    draw_text(painter, QRectF(rect()), Qt::AlignCenter, text_, type::caption(), guess ? t.unknown_text : t.secondary);
}

}  // namespace scalescope::ui
