// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QFrame>

#include "ui/widgets/pick_list.hpp"

class QHBoxLayout;

namespace scalescope::ui {

class SearchField;

/// The rows a PickList shows: headings, items that match the search with their marks, or a note that nothing matches.
class PickModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum class Kind { heading, item, note };
    struct Row {
        Kind kind = Kind::item;
        QString id, text, detail, tip;
        bool picked = false;
    };
    using QAbstractListModel::QAbstractListModel;
    void set_rows(std::vector<Row> rows);
    void set_marks(const QSet<QString>& picked);
    const Row& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    std::vector<Row> rows_;
};

/// The list under an open PickList.
class PickPopup final : public QFrame {
    Q_OBJECT
public:
    explicit PickPopup(PickList& owner);
    void show_below();
    void filter();
    void set_marks();
    void build_buttons();
    SearchField* search() const { return search_; }
    QListView* list() const { return list_; }
    QPushButton* button(const QString& id) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    QStringList shown() const;
    void move(int rows);
    void flip(const QModelIndex& index);

    PickList& owner_;
    SearchField* search_;
    QHBoxLayout* buttons_row_;
    std::vector<QPushButton*> buttons_;
    PickModel* model_;
    QListView* list_;
};

}  // namespace scalescope::ui
