// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTableView>

#include "core/base/time_scale.hpp"
#include "ui/live/view.hpp"

class QSortFilterProxyModel;

namespace scalescope::ui {

/// Every layer with its shape, parameters, work and times: the numbers behind the bars, as a table that sorts.
class LayerTableModel final : public QAbstractTableModel {
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
    using QAbstractTableModel::QAbstractTableModel;
    /// `pin`: the one whose totals are subtracted; −1: none.
    void set_result(const LiveResultPtr& result, int pin);
    bool has_pin() const { return pin_ >= 0; }
    int key(int row) const;
    int row_of(int key) const;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool has_hidden() const;
    /// Of the times.
    TimeUnit unit() const { return unit_; }
    /// Qt::UserRole gives the number itself, for sorting.
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    LiveResultPtr result_;
    int pin_ = -1;
    bool cannot_run_ = false;
    TimeUnit unit_ = TimeUnit::milliseconds;
    std::vector<const LayerEstimate*> pinned_;  ///< of the result's layers; null without a counterpart
};

class LayerTable final : public QTableView, public View {
    Q_OBJECT
public:
    explicit LayerTable(QWidget* parent = nullptr);
    void show_result(const LiveResultPtr& result) override;
    /// The pinned design that the totals are compared with; −1: none.
    void compare_with(int pin);
    /// `key`: of layer_keys.hpp; -1: none. Emits no signal.
    void set_selected(int key);
    /// Lights a row up because the pointer is on its layer in another view. Emits nothing.
    void set_hovered(int key);

signals:
    void selected(int key);
    void hovered(int key);                         ///< the pointer is on it; -1 when it left
    void unit_changed(scalescope::TimeUnit unit);  ///< of the times

protected:
    bool viewportEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int hovered_ = -1;
    int key_at(const QModelIndex& index) const;
    void fit_columns();
    void copy();
    LayerTableModel* model_;
    QSortFilterProxyModel* sorted_;
    LiveResultPtr result_;
    int pin_ = -1;
    bool quiet_ = false;
};

}  // namespace scalescope::ui
