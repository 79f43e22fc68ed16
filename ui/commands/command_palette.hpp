// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>

#include "ui/commands/command_list.hpp"

class QLabel;
class QListView;

namespace scalescope::ui {

class SearchField;

/// Finds and does anything by a few letters of its name. Up, Down, Page Up, Page Down, Home and End choose, Enter does
/// it, Escape leaves. What is off is listed too, and says why.
class CommandPalette final : public QFrame {
    Q_OBJECT
public:
    /// What is offered for a text that is more than a name: "workers 16".
    using Offers = std::function<Commands(const QString& typed)>;

    explicit CommandPalette(QWidget* window);
    /// Stands at the top of the window, in its middle.
    void open(Commands all, const QStringList& lately, Offers offers);

    SearchField* search() const { return search_; }
    QListView* list() const { return list_; }
    const CommandList& commands() const { return *model_; }
    const Command* current() const;

signals:
    /// It is done as soon as the palette has gone.
    void used(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void find();
    void fit();
    void go_to(int row);
    void use(const QModelIndex& index);
    void tell();

    SearchField* search_;
    QListView* list_;
    QLabel* foot_;
    CommandList* model_;
    Offers offers_;
};

}  // namespace scalescope::ui
