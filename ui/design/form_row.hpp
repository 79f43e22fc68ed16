// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QHBoxLayout;
class QWidget;

namespace scalescope::ui {

/// One row of a panel: a label of fixed width, then a control that takes the rest.
QWidget* form_row(const QString& label, QWidget* control, int label_width = 60);
/// The same with several controls side by side.
QHBoxLayout* form_row(const QString& label, std::initializer_list<QWidget*> controls, int label_width = 60);

}  // namespace scalescope::ui
