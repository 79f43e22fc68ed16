// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/shortcuts_dialog.hpp"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/help/help_guide.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/overlay_scroll.hpp"
#include "ui/widgets/search_field.hpp"

namespace scalescope::ui {
namespace {

constexpr int scroll_room = 14;

}  // namespace

ShortcutsDialog::ShortcutsDialog(const std::vector<Menus>& menus, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("shortcuts"));
    setWindowTitle(tr("Shortcuts"));
    set_help(*this, QStringLiteral("window-shortcuts"));
    for (const Menus& one : menus)
        for (const QAction* action : one.bar->actions())
            if (action->menu()) {
                QString group = action->text().remove(QLatin1Char('&'));
                if (!one.window.isEmpty()) group = tr("%1: %2").arg(one.window, group);
                add_menu(group, *action->menu());
            }
    add_fixed();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::gap, space::gap, space::gap, space::gap);
    column->setSpacing(space::gap);
    search_ = new SearchField(tr("Search shortcuts: a name or a key"));
    search_->setObjectName(QStringLiteral("shortcutsSearch"));
    column->addWidget(search_);
    list_ = new QTreeWidget;
    list_->setObjectName(QStringLiteral("shortcutsList"));
    list_->setAccessibleName(tr("Shortcuts"));
    list_->setColumnCount(3);  // the last is room for the scroll bar
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setItemsExpandable(false);
    list_->setUniformRowHeights(true);
    list_->setFont(type::table());
    list_->setIndentation(12);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list_->header()->setMinimumSectionSize(scroll_room);
    list_->header()->setSectionResizeMode(2, QHeaderView::Fixed);
    list_->header()->resizeSection(2, scroll_room);
    use_overlay_scroll_bar(*list_, 2);
    column->addWidget(list_, 1);
    connect(search_, &QLineEdit::textChanged, this, &ShortcutsDialog::fill);
    connect(search_, &SearchField::escaped, this, &QDialog::reject);
    connect(search_, &SearchField::moved, this, [this] { list_->setFocus(); });
    resize(620, 620);
    fill();
    search_->setFocus();
}

void ShortcutsDialog::add_menu(const QString& group, const QMenu& menu) {
    for (const QAction* action : menu.actions()) {
        if (action->menu()) add_menu(group, *action->menu());
        if (action->shortcuts().isEmpty() || action->isSeparator()) continue;
        QString name = action->iconText();  // without the "…" and the "&", and without what undo would undo
        if (name.isEmpty()) name = action->text();
        QStringList keys;
        for (const QKeySequence& one : action->shortcuts()) keys << one.toString(QKeySequence::NativeText);
        lines_.push_back({group, name, keys.join(tr(" or "))});
    }
}

/// Keys that belong to what has the keyboard, and no menu has.
void ShortcutsDialog::add_fixed() {
    const auto group = [this](const QString& name, std::initializer_list<std::pair<QString, QString>> lines) {
        for (const auto& line : lines) lines_.push_back({name, line.first, line.second});
    };
    group(tr("Menus"), {{tr("Open a menu"), tr("Alt and its letter")},
                        {tr("Help for the control under the pointer or with the focus"), tr("F1")}});
    group(tr("Commands"), {{tr("Choose"), tr("↑ ↓, Page Up, Page Down, Home, End")},
                           {tr("Do it"), tr("Enter")},
                           {tr("Leave"), tr("Escape")}});
    group(tr("Workers"), {{tr("One worker more or less"), tr("→ ←")},
                          {tr("Next power of two"), tr("Page Up, Page Down")},
                          {tr("1 and 1,024"), tr("Home, End")},
                          {tr("Give up a drag"), tr("Escape")}});
    group(tr("Charts"), {{tr("Read the next value"), tr("→ ← or ↓ ↑")},
                         {tr("Device map: next device by rank"), tr("Shift+→, Shift+←")},
                         {tr("Device map: open a folded cell, back"), tr("Enter or double click, Escape")},
                         {tr("Device map: move an axis"), tr("Alt+← Alt+→ on it")},
                         {tr("Timeline: zoom, move"), tr("W S, A D")},
                         {tr("Timeline: fit what is marked"), tr("F")},
                         {tr("Timeline: follow a micro-batch through the stages"), tr("M")},
                         {tr("Timeline: find boxes by their words"), tr("/")},
                         {tr("Zoom"), tr("+ − or wheel")},
                         {tr("Move by a page"), tr("Page Up, Page Down")},
                         {tr("Everything again"), tr("0 or double click")},
                         {tr("Copy the numbers"), tr("Ctrl+C")},
                         {tr("Menu: table, export, order"), tr("Menu key, Shift+F10 or right click")},
                         {tr("Hide a series"), tr("click in the legend")},
                         {tr("Show one series alone"), tr("double click in the legend")}});
    group(tr("Canvas"), {{tr("Go to the next box, take it along"), tr("arrows, Shift and arrows")},
                         {tr("First and last box"), tr("Home, End")},
                         {tr("Fold or unfold a block"), tr("Enter or double click, + −")},
                         {tr("Zoom"), tr("wheel or Ctrl++ Ctrl+−, Ctrl+0")},
                         {tr("All in sight"), tr("F")},
                         {tr("Select all"), tr("Ctrl+A")},
                         {tr("Move the paper"), tr("Space or middle button and drag, two fingers")},
                         {tr("Find a layer"), tr("Ctrl+F")},
                         {tr("Connect"), tr("drag from the ring below a box to another box")},
                         {tr("Insert"), tr("click a kind, or drag it onto a wire or a box")}});
    group(tr("Lists and tables"), {{tr("Open a choice and search it"), tr("Space, then type")},
                                   {tr("Choose without opening"), tr("↑ ↓, Home, End")},
                                   {tr("Freeze a layer, cut before it"), tr("right click in the layers")},
                                   {tr("Select nothing"), tr("Escape")},
                                   {tr("Copy a table"), tr("Ctrl+C")},
                                   {tr("Edit a cell or a setting"), tr("F2 or double click")},
                                   {tr("Remove measured runs"), tr("Delete")},
                                   {tr("Where a key figure comes from"), tr("Enter")}});
    group(tr("Pinned designs"), {{tr("Compare with it"), tr("Enter")},
                                 {tr("Rename"), tr("F2")},
                                 {tr("Unpin"), tr("Delete")},
                                 {tr("Move up or down"), tr("Alt+↑ Alt+↓")}});
    group(tr("Number fields"), {{tr("One step"), tr("↑ ↓ or wheel")},
                                {tr("Take what is typed"), tr("Enter")},
                                {tr("Give up what is typed"), tr("Escape")}});
    group(tr("Help and shortcuts"), {{tr("Back, forward"), tr("Alt+← Alt+→")}, {tr("Search"), tr("Ctrl+F")}});
    group(tr("Files"), {{tr("Give up a file that is being read"), tr("Escape")}});
}

void ShortcutsDialog::fill() {
    const QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    list_->clear();
    QTreeWidgetItem* heading = nullptr;
    for (const Line& line : lines_) {
        const QString all = line.group + QLatin1Char(' ') + line.what + QLatin1Char(' ') + line.keys;
        if (!std::all_of(words.begin(), words.end(),
                         [&](const QString& w) { return all.contains(w, Qt::CaseInsensitive); }))
            continue;
        if (!heading || heading->text(0) != line.group) {
            heading = new QTreeWidgetItem(list_, {line.group});
            heading->setFlags(Qt::ItemIsEnabled);
            heading->setFont(0, type::table_strong());
            heading->setFirstColumnSpanned(true);
        }
        auto* item = new QTreeWidgetItem(heading, {line.what, line.keys});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(0, line.what);
    }
    if (list_->topLevelItemCount() == 0) {
        auto* none = new QTreeWidgetItem(list_, {tr("Nothing matches “%1”.").arg(search_->text().trimmed())});
        none->setFlags(Qt::NoItemFlags);
        none->setFirstColumnSpanned(true);
    }
    for (QTreeWidgetItemIterator it(list_); *it; ++it) (*it)->setSizeHint(0, QSize(0, space::table_row));
    list_->expandAll();
}

}  // namespace scalescope::ui
