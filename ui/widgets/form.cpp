// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/form.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>

#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/curtain.hpp"

namespace scalescope::ui {
namespace {

constexpr int form_label_width = 62, form_row_gap = 6;
/// Longer labels of a narrow form wrap.
constexpr Px most_label_width{112};

}  // namespace

Form::Form(QWidget* parent) : QWidget(parent) {
    grid_ = new QGridLayout(this);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(0);
    grid_->setVerticalSpacing(0);
    grid_->setColumnMinimumWidth(0, form_label_width);
    grid_->setColumnStretch(1, 1);
}

QLabel* Form::add_row(const QString& label, QWidget* control, const QString& caption) {
    if (row_ > 0) grid_->setRowMinimumHeight(row_++, form_row_gap);
    auto* name = make_label(label, type::control(), Ink::secondary);
    name->setBuddy(control);
    name->setMinimumHeight(space::control_height);
    name->setContentsMargins(0, 0, 4, 0);
    if (narrow_ && name->sizeHint().width() > most_label_width) {
        name->setWordWrap(true);
        name->setFixedWidth(std::max<int>(most_label_width, name->minimumSizeHint().width()));
    }
    if (control->accessibleName().isEmpty()) control->setAccessibleName(label);
    grid_->addWidget(name, row_, 0, Qt::AlignTop);
    labels_.push_back(name);
    grid_->addWidget(control, row_++, 1);
    auto* below = make_label({}, type::caption(), Ink::secondary);
    below->setWordWrap(true);
    below->setContentsMargins(0, 3, 0, 2);
    grid_->addWidget(below, row_++, 1);
    set_caption(*below, caption);
    emit rows_changed();
    return below;
}

QLabel* Form::add_pair(const QString& label, QWidget* first, const QString& sign, QWidget* second,
                       const QString& caption) {
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* between = make_label(sign, type::table(), Ink::secondary);
    between->setAlignment(Qt::AlignCenter);
    constexpr int least = 32, beside = 4;
    between->setFixedWidth(sign.isEmpty() ? beside : std::max(least, between->sizeHint().width() + beside));
    row->addWidget(first, 1);
    row->addWidget(between);
    row->addWidget(second, 1);
    both->setFocusProxy(first);
    return add_row(label, both, caption);
}

void Form::add_wide(QWidget* widget) {
    if (row_ > 0) grid_->setRowMinimumHeight(row_++, form_row_gap);
    grid_->addWidget(widget, row_++, 0, 1, 2);
}

void Form::set_row_visible(QWidget* control, bool visible) {
    control->setProperty("wanted", visible);
    show_row(control, visible && !is_curtained(*control));
}

void Form::show_row(QWidget* control, bool visible) {
    const int index = grid_->indexOf(control);
    if (index < 0) return;
    int row = 0, column = 0, row_span = 0, column_span = 0;
    grid_->getItemPosition(index, &row, &column, &row_span, &column_span);
    const bool changes = control->isHidden() == visible;
    control->setVisible(visible);
    if (QLayoutItem* label = grid_->itemAtPosition(row, 0); label && label->widget())
        label->widget()->setVisible(visible);
    if (QLayoutItem* caption = grid_->itemAtPosition(row + 1, 1); caption && caption->widget()) {
        auto* text = qobject_cast<QLabel*>(caption->widget());
        caption->widget()->setVisible(visible && text && !text->text().isEmpty());
    }
    const int gap = visible ? form_row_gap : 0;
    // The same height again would lay out the whole window again.
    if (row > 0 && grid_->rowMinimumHeight(row - 1) != gap) grid_->setRowMinimumHeight(row - 1, gap);
    if (changes) emit rows_changed();
}

QLabel* Form::label_of(QWidget* control) const {
    const auto of = std::find_if(labels_.begin(), labels_.end(), [&](QLabel* l) { return l->buddy() == control; });
    return of == labels_.end() ? nullptr : *of;
}

std::vector<QWidget*> Form::controls() const {
    std::vector<QWidget*> all;
    for (const QLabel* label : labels_) all.push_back(label->buddy());
    return all;
}

QWidget* Form::first_control() const {
    const auto first = std::find_if(labels_.begin(), labels_.end(), [](QLabel* l) { return !l->isHidden(); });
    return first == labels_.end() ? nullptr : (*first)->buddy();
}

int Form::label_width() const {
    int width = form_label_width;
    for (const QLabel* label : labels_) width = std::max(width, label->sizeHint().width());
    return width;
}

void Form::align(Form& one, Form& other) {
    const int width = std::max(one.label_width(), other.label_width());
    for (Form* form : {&one, &other}) form->grid_->setColumnMinimumWidth(0, width);
}

void Form::set_caption(QLabel& caption, const QString& text) {
    caption.setText(text);
    caption.setVisible(!text.isEmpty());
}

}  // namespace scalescope::ui
