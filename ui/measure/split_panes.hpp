// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <QStringList>

class QStackedWidget;

namespace scalescope::ui {

class Card;
class CardTitle;

/// What a page of measurements shows: a chart above, and below it a card with a tab for each table; the hand moves the
/// border between them.
class SplitPanes final : public QSplitter {
    Q_OBJECT
public:
    /// `name` is the card's title.
    explicit SplitPanes(QWidget* upper, const QString& name, QWidget* parent = nullptr);

    /// Tabs are numbered from 0, in the order they are added.
    void add_tab(const QString& title, QWidget* page);
    int tab() const;
    void show_tab(int index);
    /// How the room is shared at first, and as the window grows.
    void share(int above, int below);
    CardTitle* title() const { return title_; }

private:
    CardTitle* title_;
    QStackedWidget* pages_;
    QStringList titles_;
};

}  // namespace scalescope::ui
