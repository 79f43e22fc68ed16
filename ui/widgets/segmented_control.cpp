// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segmented_control.hpp"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QPainter>

#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr Px segment_padding{22};

QFont segment_font() {
    QFont font = type::control();
    font.setWeight(QFont::Medium);
    return font;
}

class SegmentButton final : public QAbstractButton {
public:
    SegmentButton() {
        setCheckable(true);
        setAutoExclusive(true);  // what screen readers call a radio button
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
    }

    QSize sizeHint() const override {
        return {QFontMetrics(segment_font()).horizontalAdvance(text()) + segment_padding, space::control_height - 4};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = theme();
        QPainter painter(this);
        const bool focus = hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange);
        if (isChecked())
            draw_box(painter, QRectF(rect()), isEnabled() ? t.segment_on : t.window,
                     focus ? t.accent : t.control_border, 5, focus ? 2 : 1);
        else if (underMouse() && isEnabled())
            draw_box(painter, QRectF(rect()), isDown() ? t.control_border : t.hover, {}, 5);
        const QColor ink = !isEnabled() ? t.disabled : isChecked() || underMouse() ? t.text : t.secondary;
        draw_text(painter, QRectF(rect()), Qt::AlignCenter, text(), segment_font(), ink);
    }
};

}  // namespace

SegmentedControl::SegmentedControl(const QString& accessible_name, QWidget* parent) : QWidget(parent) {
    setAccessibleName(accessible_name);
    group_ = new QButtonGroup(this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 2, 2, 2);
    row->setSpacing(0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(group_, &QButtonGroup::idClicked, this, [this](int index) {
        if (index >= 0) emit chosen(segments_[static_cast<std::size_t>(index)].id);
    });
}

void SegmentedControl::set_segments(const std::vector<Segment>& segments) {
    const QString before = current();
    const auto old = group_->buttons();
    for (auto* button : old) {
        group_->removeButton(button);
        delete button;
    }
    segments_ = segments;
    int index = 0;
    for (const Segment& segment : segments_) {
        auto* button = new SegmentButton;
        button->setText(segment.text);
        button->setToolTip(segment.tip);
        button->setAccessibleName(segment.text);
        group_->addButton(button, index++);
        layout()->addWidget(button);
    }
    set_current(before);
    if (!group_->checkedButton() && !segments_.empty()) group_->button(0)->setChecked(true);
}

void SegmentedControl::set_current(const QString& id) {
    if (auto* found = button(id)) found->setChecked(true);
}

QString SegmentedControl::current() const {
    const int index = group_->checkedId();
    return index < 0 ? QString() : segments_[static_cast<std::size_t>(index)].id;
}

void SegmentedControl::set_segment_enabled(const QString& id, bool enabled, const QString& reason) {
    auto* found = button(id);
    if (!found) return;
    found->setEnabled(enabled);
    for (const Segment& segment : segments_)
        if (segment.id == id) found->setToolTip(enabled ? segment.tip : reason);
    found->setAccessibleDescription(enabled ? QString() : reason);
}

QAbstractButton* SegmentedControl::button(const QString& id) const {
    for (std::size_t i = 0; i < segments_.size(); ++i)
        if (segments_[i].id == id) return group_->button(static_cast<int>(i));
    return nullptr;
}

void SegmentedControl::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw_box(painter, QRectF(rect()), theme().pressed, {}, space::control_radius);
}

}  // namespace scalescope::ui
