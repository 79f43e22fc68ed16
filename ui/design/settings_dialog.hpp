// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace scalescope {
struct Catalogue;
}

namespace scalescope::ui {

class Document;
class SearchField;

/// Every setting of the scenario in one table with search, those too that no panel has a control for: what it is, its
/// value, what is usual. Values are edited in place; what cannot be is said below, and changes nothing. Networks,
/// devices and links have editors of their own.
class SettingsDialog final : public QDialog {
    Q_OBJECT
public:
    /// `catalogue` must outlive the dialog.
    SettingsDialog(Document& document, const Catalogue& catalogue, QWidget* parent = nullptr);
    /// Selects the row of a field; false if it has none.
    bool show_field(const QString& path);
    QTableView* table() const { return table_; }

private:
    class Model;
    Model* model_;
    QSortFilterProxyModel* found_;
    SearchField* search_;
    QTableView* table_;
    QLabel* about_;
    void tell();
};

}  // namespace scalescope::ui
