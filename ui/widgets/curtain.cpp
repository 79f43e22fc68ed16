// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/curtain.hpp"

#include <QVariant>
#include <QWidget>

#include "ui/widgets/form.hpp"

namespace scalescope::ui {
namespace {

constexpr const char *wanted_name = "wanted", *curtained_name = "curtained";

/// Forms hide whole rows.
void show(QWidget& widget, bool visible) {
    if (auto* form = qobject_cast<Form*>(widget.parentWidget()))
        form->show_row(&widget, visible);
    else
        widget.setVisible(visible);
}

}  // namespace

bool is_curtained(const QWidget& widget) { return widget.property(curtained_name).toBool(); }

void set_wanted(QWidget& widget, bool wanted) {
    widget.setProperty(wanted_name, wanted);
    widget.setVisible(wanted && !is_curtained(widget));
}

void set_curtained(QWidget& control, bool on) {
    if (is_curtained(control) == on) return;
    if (on && !control.property(wanted_name).isValid()) control.setProperty(wanted_name, !control.isHidden());
    control.setProperty(curtained_name, on);
    show(control, !on && control.property(wanted_name).toBool());
    // Whoever never says what is wanted may change it by hand while there is no curtain.
    if (!on) control.setProperty(wanted_name, QVariant());
}

}  // namespace scalescope::ui
