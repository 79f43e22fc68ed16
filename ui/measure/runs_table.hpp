// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTableView>

namespace scalescope::ui {

class RunsDocument;

/// The table of runs: what was read and predicted of every row, then its cells, which can be edited.
class RunsTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    /// What comes before the cells.
    enum Column { use, time, predicted, error, first_cell };

    explicit RunsTableModel(RunsDocument& document, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    void read();
    QVariant shown(int row, int column) const;

    RunsDocument& document_;
    std::vector<int> run_of_row_;     ///< index among the runs, -1: not read
    std::vector<int> fitted_of_row_;  ///< index in the last fit
    int rows_ = 0, columns_ = 0;
};

class RunsTable final : public QTableView {
    Q_OBJECT
public:
    explicit RunsTable(RunsDocument& document, QWidget* parent = nullptr);
    /// Selects and shows a row of the sheet. Emits nothing.
    void select_row(int row);

signals:
    void row_chosen(int row);  ///< of the sheet

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fit_columns();
    void remove_selected();
    void copy();

    RunsDocument& document_;
    RunsTableModel* model_;
    int fitted_columns_ = -1;
    bool quiet_ = false;
};

}  // namespace scalescope::ui
