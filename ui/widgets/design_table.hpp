// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTableView>
#include <vector>

#include "ui/widgets/key_figures.hpp"

namespace scalescope::ui {

/// What one design has in a row.
struct DesignCell {
    QString value;
    QString change;  ///< against another design: "−17.7 %"; empty without one
    Change verdict = Change::none;
    bool struck = false;  ///< of a design that cannot run
    bool operator==(const DesignCell&) const = default;
};

struct DesignRow {
    QString id;          ///< what signals carry
    QString name, unit;  ///< "Step", "ms"
    QString tip;
    std::vector<DesignCell> cells;  ///< by design
    bool operator==(const DesignRow&) const = default;
};

class DesignTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    void set(std::vector<QString> headings, std::vector<DesignRow> rows);
    const std::vector<DesignRow>& rows() const { return rows_; }
    const std::vector<QString>& headings() const { return headings_; }
    const DesignRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    /// Null for the column of names.
    const DesignCell* cell(const QModelIndex& index) const;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<QString> headings_;
    std::vector<DesignRow> rows_;
};

/// Designs side by side, a column each: figures, with how far each is from one of them, or the values of fields. Better
/// and worse differ by sign and mark, not by colour alone. Scrolls where room is short; whole rows are chosen.
class DesignTable final : public QTableView {
    Q_OBJECT
public:
    /// Numbers stand at the right of their columns, words at the left.
    enum class Holds { numbers, words };
    DesignTable(Holds holds, const QString& accessible_name, QWidget* parent = nullptr);

    void set_rows(std::vector<QString> headings, std::vector<DesignRow> rows);
    const DesignTableModel& designs() const { return *model_; }
    /// The row that is marked as chosen; emits nothing.
    void set_chosen(const QString& id);
    /// Wide enough for all columns.
    int wanted_width() const;
    QSize sizeHint() const override;

signals:
    /// A click, or Enter or Space on a row.
    void row_chosen(const QString& id);

protected:
    bool viewportEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fit_columns();
    std::vector<int> wanted_widths() const;
    DesignTableModel* model_;
    Holds holds_;
    int hovered_ = -1;
};

}  // namespace scalescope::ui
