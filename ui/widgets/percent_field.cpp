// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHBoxLayout>
#include <cmath>

#include "ui/widgets/basics.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/slider.hpp"

namespace scalescope::ui {

PercentField::PercentField(const QString& accessible_name, QWidget* parent) : QWidget(parent) {
    auto* row = make_layout<QHBoxLayout>(this, 0);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    slider_ = new PercentSlider;
    slider_->setAccessibleName(accessible_name);
    field_ = new NumberField(accessible_name);
    field_->set_unit(QStringLiteral("%"));
    field_->setFixedWidth(84);
    row->addWidget(slider_, 1);
    row->addWidget(field_);
    setFocusProxy(slider_);
    set_range(1, 100);
    set_value(100);
    connect(slider_, &Slider::value_changed, this, [this](int percent) {
        field_->set_value(percent);
        emit value_changed(percent);
    });
    connect(slider_, &Slider::drag_started, this, &PercentField::drag_started);
    connect(slider_, &Slider::drag_finished, this, &PercentField::drag_finished);
    connect(field_, &NumberField::value_changed, this, [this](double percent) {
        slider_->set_value(static_cast<int>(std::lround(percent)));
        emit value_changed(percent);
    });
    connect(field_, &NumberField::editing_finished, this, &PercentField::drag_finished);
}

double PercentField::value() const { return field_->value(); }

void PercentField::set_value(double percent) {
    field_->set_value(percent);
    slider_->set_value(static_cast<int>(std::lround(percent)));
}

void PercentField::set_range(int minimum, int maximum, int decimals) {
    slider_->set_range(minimum, maximum);
    field_->set_range(minimum, maximum);
    field_->set_decimals(decimals);
}

}  // namespace scalescope::ui
