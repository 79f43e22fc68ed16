// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/form_row.hpp"

#include <QHBoxLayout>
#include <QLabel>

#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {

QHBoxLayout* form_row(const QString& label, std::initializer_list<QWidget*> controls, int label_width) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    QLabel* text = make_label(label, type::control(), Ink::secondary);
    text->setFixedWidth(label_width);
    row->addWidget(text);
    for (QWidget* control : controls) row->addWidget(control, control->sizePolicy().horizontalPolicy() == QSizePolicy::Fixed ? 0 : 1);
    return row;
}

QWidget* form_row(const QString& label, QWidget* control, int label_width) {
    auto* box = new QWidget;
    QHBoxLayout* row = form_row(label, {control}, label_width);
    box->setLayout(row);
    return box;
}

}  // namespace scalescope::ui
