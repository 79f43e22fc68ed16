// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/answer_button.hpp"

#include <QPainter>
#include <cmath>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr Px answer_padding{7}, answer_right{10}, answer_mark{16}, answer_mark_left{10};

}  // namespace

AnswerButton::AnswerButton(const QString& html, const QString& plain, QWidget* parent) : QAbstractButton(parent) {
    text_.set(html, type::control());
    setText(plain);
    setAccessibleName(plain);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void AnswerButton::set_verdict(Verdict verdict) {
    verdict_ = verdict;
    setAccessibleDescription(verdict == Verdict::right   ? tr("Right")
                             : verdict == Verdict::wrong ? tr("Not so")
                                                         : QString());
    update();
}

int AnswerButton::heightForWidth(int width) const {
    return static_cast<int>(std::ceil(text_.height_for(width - text_left - answer_right))) + 2 * answer_padding;
}

QSize AnswerButton::sizeHint() const { return {240, heightForWidth(240)}; }
QSize AnswerButton::minimumSizeHint() const { return {120, heightForWidth(std::max(120, width()))}; }

void AnswerButton::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    const bool focus = hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange);
    const QColor border = focus                        ? t.accent
                          : verdict_ == Verdict::right ? t.better
                          : verdict_ == Verdict::wrong ? t.worse
                                                       : t.control_border;
    draw_box(painter, QRectF(rect()),
             isDown()       ? t.pressed
             : underMouse() ? t.hover
                            : t.card,
             border, space::control_radius, focus ? 2 : 1);
    const double line = text_.size().height();
    const QRectF mark(answer_mark_left, answer_padding + (line - answer_mark) / 2, answer_mark, answer_mark);
    if (verdict_ == Verdict::none) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(t.control_border, 1.5));
        painter.drawEllipse(mark.adjusted(1.5, 1.5, -1.5, -1.5));
    } else {
        draw_icon(painter, verdict_ == Verdict::right ? "check" : "close", mark,
                  verdict_ == Verdict::right ? t.better : t.worse);
    }
    text_.draw(painter, QRectF(rect()).adjusted(text_left, answer_padding, -answer_right, -answer_padding),
               Qt::AlignLeft | Qt::AlignTop, t.text, true);
}

}  // namespace scalescope::ui
