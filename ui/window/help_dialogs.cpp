// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_dialogs.hpp"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

/// A dialog with its content above a button; shown beside the window, which stays in use.
QVBoxLayout* open_dialog(QWidget* parent, const QString& title, const char* object_name) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QLatin1String(object_name));
    dialog->setWindowTitle(title);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(24, 20, 24, 16);
    column->setSpacing(16);
    auto* content = new QVBoxLayout;
    column->addLayout(content);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
    column->setSizeConstraint(QLayout::SetFixedSize);
    dialog->show();
    return content;
}

}  // namespace

void show_about(QWidget* parent) {
    auto* content = open_dialog(parent, tr("About Scalescope"), "about");
    content->setSpacing(8);
    auto add = [&](const QString& text, const QFont& font, Ink ink = Ink::text) {
        auto* label = make_label(text, font, ink);
        label->setWordWrap(true);
        label->setMinimumWidth(400);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        content->addWidget(label);
    };
    add(tr("Scalescope %1").arg(QApplication::applicationVersion()), type::page_title());
    add(tr("A design-space explorer for training neural networks in parallel. It predicts with performance models, "
           "never from a GPU run."),
        type::control());
    add(tr("Methods: PALEO (Qi, Sparks, Talwalkar, ICLR 2017), as published and corrected; hybrid parallelism after "
           "Krizhevsky (2014)."),
        type::control());
    add(tr("Free software under the GNU General Public License, version 3 or later. Built with Qt and QCustomPlot."),
        type::table(), Ink::secondary);
}

}  // namespace scalescope::ui
