// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/section.hpp"

#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme/theme.hpp"
#include "ui/widgets/form.hpp"

namespace scalescope::ui {

Section::Section(const QString& title, bool open, QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    heading_ = new QPushButton(title);
    heading_->setProperty("kind", QStringLiteral("title"));
    heading_->setCheckable(true);
    heading_->setChecked(open);
    heading_->setAutoDefault(true);  // Enter folds it
    heading_->setCursor(Qt::PointingHandCursor);
    form_ = new Form;
    form_->set_narrow();
    column->addWidget(heading_, 0, Qt::AlignLeft);
    column->addWidget(form_);
    connect(heading_, &QPushButton::toggled, this, &Section::show_parts);
    connect(form_, &Form::rows_changed, this, &Section::show_parts);
    show_parts();
}

bool Section::is_open() const { return heading_->isChecked(); }
void Section::set_open(bool open) { heading_->setChecked(open); }

void Section::set_searched(bool on) {
    searched_ = on;
    show_parts();
}

bool Section::has_rows() const { return form_->first_control() != nullptr; }

void Section::order_tabs() {
    QWidget* before = heading_;
    for (QWidget* control : form_->controls()) {
        setTabOrder(before, control);
        before = control;
    }
}

void Section::show_parts() {
    const bool open = searched_ || is_open();
    heading_->setIcon(icon(open ? "down" : "right", Tint::secondary));
    heading_->setAccessibleDescription(open ? tr("unfolded") : tr("folded"));
    form_->setVisible(open);
    setVisible(has_rows());
    emit rows_changed();
}

}  // namespace scalescope::ui
