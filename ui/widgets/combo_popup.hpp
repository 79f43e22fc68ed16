// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QFrame>
#include <QListView>

#include "ui/widgets/combo.hpp"

namespace scalescope::ui {

/// The rows a Combo shows: headings, items that match the search, or one note that nothing matches.
class ComboModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum class Kind { heading, item, note, footer };
    struct Row {
        Kind kind = Kind::item;
        QString id, text, detail, value, tip;
        bool enabled = true;
        const char* icon_name = nullptr;
        bool rule_above = false;
    };

    using QAbstractListModel::QAbstractListModel;
    void set_rows(std::vector<Row> rows, const QStringList& words);
    const Row& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    const QStringList& words() const { return words_; }
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    std::vector<Row> rows_;
    QStringList words_;
};

/// The list under an open Combo. The keyboard stays with the combo's search line: keys that don't move or choose are
/// passed on to it.
class ComboPopup final : public QFrame {
    Q_OBJECT
public:
    explicit ComboPopup(Combo& combo);
    void show_below();
    /// Shows what matches; the highlight stays on its item, or goes to the first match.
    void filter(const QString& search);
    void move(int rows, bool wrap = false);
    void accept();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void activate(const QModelIndex& index);
    void place();
    QListView* make_list(const char* name);
    Combo& combo_;
    ComboModel* model_;
    /// Both show rows of the one model: what scrolls, and below it the actions, which stay in sight.
    QListView *list_, *foot_;
};

}  // namespace scalescope::ui
