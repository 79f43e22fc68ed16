// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <vector>

#include "core/base/time_scale.hpp"
#include "core/estimate/row_times.hpp"
#include "ui/live/shown_rows.hpp"

namespace scalescope::ui {

struct LayerText;

/// The rows of a network's outline that are on show, with everything that is known of their layers, as a table that
/// sorts. While sorted it has no open rows: the rows inside them say the same.
class LayerModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        name,
        kind,
        output,
        parameters,
        forward_flops,
        forward,
        backward,
        update,
        communication,
        hidden,
        total,
        difference,  ///< of the totals, to the pinned design
        memory,
        column_count
    };
    /// True for times of a design that cannot run.
    static constexpr int struck_role = Qt::UserRole + 1;
    /// Of headers: their titles wherever they stand.
    static constexpr int title_role = Qt::UserRole + 2;

    /// `precise`: times have three decimals, however long the longest is.
    explicit LayerModel(bool precise, QObject* parent) : QAbstractTableModel(parent), precise_(precise) {}
    /// True if the rows differ from those before in more than their figures. If not, nothing but a repaint follows.
    bool set_rows(const LiveResultPtr& result, const std::vector<ShownRow>& rows);
    /// The pinned design whose totals are subtracted; −1: none.
    void compare_with(int pin);

    const ShownRow& row(int index) const { return rows_[static_cast<std::size_t>(order_[std::size_t(index)])]; }
    /// −1 if it is not on show.
    int find(int part, const std::string& path) const;
    /// The innermost row on show that has the layer; `preferred`, if it stands for it. −1: none.
    int row_of(int key, int preferred) const;
    /// Whether a column says something about this design.
    bool has(int column) const;
    bool folds() const { return folds_; }  ///< whether there is a row that folds
    bool unknown(const ShownRow& row) const;
    bool is_precise() const { return precise_; }
    bool is_sorted() const { return sorted_by_ >= 0; }
    bool struck() const { return cannot_run_; }
    double share_of_longest(const ShownRow& row) const;
    TimeUnit unit() const { return times_.unit; }
    QString longest_text() const { return time_text(longest_); }
    QString step_text() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    /// Qt::UserRole gives the number itself.
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Column −1: as in the network.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    bool precise_, folds_ = false, cannot_run_ = false, has_hidden_ = false;
    LiveResultPtr result_;
    std::vector<ShownRow> rows_;
    std::vector<int> order_;
    std::vector<RowTimes> pinned_;  ///< of each part of the workload
    int pin_ = -1, sorted_by_ = -1;
    Qt::SortOrder direction_ = Qt::AscendingOrder;
    TimeScale times_;
    Seconds longest_{0};

    std::vector<int> ordered() const;
    const std::shared_ptr<const Network>& network(const ShownRow& row) const;
    bool any(const ShownRow& row, const std::function<bool(std::size_t)>& is) const;
    bool frozen(const ShownRow& row) const;
    QString note(const ShownRow& row) const;
    QVariant value(const ShownRow& row, int column, bool raw) const;
    QVariant change(const ShownRow& row, bool raw) const;
    QString time_text(Seconds time) const;
};

}  // namespace scalescope::ui
