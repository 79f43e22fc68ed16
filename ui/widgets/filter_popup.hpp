// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QFrame>
#include <QListView>
#include <array>
#include <functional>
#include <optional>

#include "ui/widgets/combo.hpp"

namespace scalescope::ui {

/// The rows of a list that opens below a field: headings, items, a note that nothing matches, and actions.
class FilterModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum class Kind { heading, item, note, action };
    struct Row {
        Kind kind = Kind::item;
        QString id = {}, text = {}, detail = {}, value = {}, tip = {};
        bool enabled = true;
        std::optional<bool> picked = {};  ///< has a mark
        const char* icon_name = nullptr;
        bool rule_above = false;
    };

    using QAbstractListModel::QAbstractListModel;
    void set_rows(std::vector<Row> rows, const QStringList& words);
    void set_marks(const std::function<bool(const QString& id)>& is_picked);
    const Row& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    const std::vector<Row>& rows() const { return rows_; }
    const QStringList& words() const { return words_; }
    /// Widths of the two right columns, value and detail: the same in every row.
    const std::array<int, 2>& columns() const { return columns_; }
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    std::vector<Row> rows_;
    QStringList words_;
    std::array<int, 2> columns_{};
};

/// What opens below a field and shows the items that match what is typed: one of them to choose (ComboPopup), or any
/// number to pick (PickPopup).
class FilterPopup : public QFrame {
    Q_OBJECT
protected:
    explicit FilterPopup(QWidget& field);

    QListView* make_list(const char* name);
    /// Whether every word is in its name, its detail or its section.
    static bool matches(const ComboItem& item, const QStringList& words);
    /// Items for which `fits` under their headings, or a note that nothing matches the search.
    static std::vector<FilterModel::Row> rows_of(const std::vector<ComboItem>& items, const QString& search,
                                                 const std::function<bool(const ComboItem&)>& fits);
    /// Moves the current row by this many rows, counting only those that can be chosen. Negative: upwards.
    void move(int rows, bool wrap = false);
    /// In which all texts stand whole.
    int width_of_rows() const;
    /// Below the field, or above it where there is more room; no lower than `least`.
    void place(int width, int height, int least);
    bool can_choose(const QModelIndex& index) const { return model_->flags(index) != Qt::NoItemFlags; }
    /// By hand, or by Enter.
    virtual void activate(const QModelIndex& index) = 0;
    void paintEvent(QPaintEvent* event) override;

    QWidget& field_;
    FilterModel* model_;
    QListView* list_;
};

}  // namespace scalescope::ui
