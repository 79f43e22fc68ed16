// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/widgets/combo.hpp"

class QLineEdit;
class QListView;
class QPushButton;

namespace scalescope::ui {

class PickPopup;

/// Items that are picked by one press: "with a price".
struct PickSet {
    QString id, text, tip;
    QStringList items;
};

/// Any number out of a list: a field that says how many, and opens a list with search, with marks, and with buttons
/// that pick sets of them. All by keyboard: Down, F4, Space or Enter open; typing filters, Up and Down move, Enter
/// picks or drops, Escape empties the search and then closes.
class PickList final : public QWidget {
    Q_OBJECT
public:
    explicit PickList(const QString& accessible_name, QWidget* parent = nullptr);
    ~PickList() override;

    /// What is not among the new items is no longer picked.
    void set_items(std::vector<ComboItem> items);
    const std::vector<ComboItem>& items() const { return items_; }
    /// Buttons beside *All* and *None*.
    void set_sets(std::vector<PickSet> sets);
    /// What the field says: "all GPUs", "no GPU", "%1 of %2 GPUs".
    void set_words(const QString& all, const QString& none, const QString& some);
    /// Up to so many stand there by their names.
    void set_named(int most) { named_ = most; }
    /// Emits nothing.
    void set_picked(const QStringList& ids);
    QStringList picked() const;  ///< in the order of the items
    bool is_picked(const QString& id) const { return picked_.contains(id); }
    bool all_picked() const { return picked_.size() == static_cast<qsizetype>(items_.size()); }
    QString current_text() const;

    void open();
    void close_popup();
    bool is_open() const;
    QLineEdit* search() const;
    QListView* list() const;
    /// "all", "none", or a set's id.
    QPushButton* button(const QString& id) const;

    QSize sizeHint() const override;

signals:
    /// A person picked or dropped something.
    void picked_changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    friend class PickPopup;
    /// Picks exactly these of those that the search shows; what it hides stays as it is.
    void pick(const QStringList& ids, const QStringList& shown);
    void flip(const QString& id);
    void tell();

    std::vector<ComboItem> items_;
    std::vector<PickSet> sets_;
    QSet<QString> picked_;
    QString all_words_, none_words_, some_words_;
    int named_ = 0;
    PickPopup* popup_;
};

}  // namespace scalescope::ui
