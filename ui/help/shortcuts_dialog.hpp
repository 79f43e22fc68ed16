// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

class QMenu;
class QMenuBar;
class QTreeWidget;

namespace scalescope::ui {

class SearchField;

/// All keys: those of the menus, read from the menus themselves, and those of charts, canvas, tables and fields. With
/// search; beside the window, which stays in use.
class ShortcutsDialog final : public QDialog {
    Q_OBJECT
public:
    struct Menus {
        QString window;  ///< empty: the main one
        const QMenuBar* bar;
    };
    explicit ShortcutsDialog(const std::vector<Menus>& menus, QWidget* parent = nullptr);
    QTreeWidget* list() const { return list_; }
    SearchField* search() const { return search_; }

private:
    struct Line {
        QString group, what, keys;
    };
    void add_menu(const QString& group, const QMenu& menu);
    void add_fixed();
    void fill();

    std::vector<Line> lines_;
    SearchField* search_;
    QTreeWidget* list_;
};

}  // namespace scalescope::ui
