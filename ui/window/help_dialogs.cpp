// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_dialogs.hpp"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QVBoxLayout>

#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

QString tr(const char* text) { return QApplication::translate("help", text); }

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

/// Two columns of "what" and "keys" under headings.
class KeyTable {
public:
    explicit KeyTable(QGridLayout* grid) : grid_(grid) {
        grid_->setHorizontalSpacing(12);
        grid_->setVerticalSpacing(4);
    }
    void start_column() { row_ = 0, left_ += 3; }
    void heading(const QString& text) {
        if (row_ > 0) grid_->setRowMinimumHeight(row_++, 8);
        grid_->addWidget(make_label(text, type::title()), row_++, left_, 1, 2);
    }
    void line(const QString& what, const QString& keys) {
        grid_->addWidget(make_label(what, type::table()), row_, left_);
        auto* label = make_label(keys, type::table(), Ink::secondary);
        label->setAlignment(Qt::AlignRight);
        grid_->addWidget(label, row_++, left_ + 1);
    }

private:
    QGridLayout* grid_;
    int row_ = 0, left_ = 0;
};

struct Line {
    QString what, keys;
};

void add_group(KeyTable& table, const QString& heading, std::initializer_list<Line> lines) {
    table.heading(heading);
    for (const Line& line : lines) table.line(line.what, line.keys);
}

void add_menu(KeyTable& table, const QMenu& menu) {
    for (const QAction* action : menu.actions()) {
        if (action->menu()) add_menu(table, *action->menu());
        const auto keys = action->shortcuts();
        if (keys.isEmpty() || action->isSeparator()) continue;
        QString name = action->iconText();  // without the "…" and the "&", and without what undo would undo
        if (name.isEmpty()) name = action->text();
        QStringList all;
        for (const QKeySequence& one : keys) all << one.toString(QKeySequence::NativeText);
        table.line(name, all.join(tr(" or ")));
    }
}

}  // namespace

void show_shortcuts(QWidget* parent, const QMenuBar& menus) {
    auto* content = open_dialog(parent, tr("Shortcuts"), "shortcuts");
    auto* grid = new QGridLayout;
    content->addLayout(grid);
    KeyTable table(grid);
    table.heading(tr("Menus"));
    for (const QAction* action : menus.actions())
        if (action->menu()) add_menu(table, *action->menu());
    table.line(tr("Open a menu"), tr("Alt and its letter"));
    grid->setColumnMinimumWidth(2, 28);
    table.start_column();
    add_group(table, tr("Workers"),
              {{tr("One worker more or less"), tr("→ ←")},
               {tr("Next power of two"), tr("Page Up, Page Down")},
               {tr("1 and 1,024"), tr("Home, End")}});
    add_group(table, tr("Charts"),
              {{tr("Read the next value"), tr("→ ← or ↓ ↑")},
               {tr("Zoom"), tr("+ − or wheel")},
               {tr("Everything again"), tr("0 or double click")},
               {tr("Copy the numbers"), tr("Ctrl+C")},
               {tr("Menu: table, export, order"), tr("Menu key or right click")},
               {tr("Hide a series"), tr("click in the legend")},
               {tr("Show one series alone"), tr("double click in the legend")}});
    add_group(table, tr("Canvas"),
              {{tr("Go to the next box, take it along"), tr("arrows, Shift and arrows")},
               {tr("Fold or unfold a block"), tr("Enter or double click, + −")},
               {tr("Zoom"), tr("wheel or Ctrl++ Ctrl+−, Ctrl+0")},
               {tr("All in sight"), tr("F")},
               {tr("Move the paper"), tr("Space or middle button and drag, two fingers")},
               {tr("Find a layer"), tr("Ctrl+F")},
               {tr("Connect"), tr("drag from the ring below a box to another box")},
               {tr("Insert"), tr("click a kind, or drag it onto a wire or a box")}});
    add_group(table, tr("Lists"),
              {{tr("Open a choice and search it"), tr("Space, then type")},
               {tr("Freeze a layer, cut before it"), tr("right click in the layers")}});
    add_group(table, tr("Files"), {{tr("Give up a file that is being read"), tr("Escape")}});
}

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
