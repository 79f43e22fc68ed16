// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

class QTextBrowser;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace scalescope::ui {

class SearchField;

/// The help beside the window, which stays in use: contents with search, pages with links, back and forward.
class HelpWindow final : public QDialog {
    Q_OBJECT
public:
    explicit HelpWindow(QWidget* parent = nullptr);
    /// An unknown page is the first one.
    void show_page(const QString& id);
    QString page() const { return at_ >= 0 ? seen_[static_cast<std::size_t>(at_)] : QString(); }
    QTextBrowser* text() const { return text_; }
    QTreeWidget* contents() const { return contents_; }
    SearchField* search() const { return search_; }

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fill_contents();
    void go(int step);
    void render();

    SearchField* search_;
    QTreeWidget* contents_;
    QTextBrowser* text_ = nullptr;
    QToolButton *back_, *forward_;
    std::vector<QString> seen_;
    int at_ = -1;
};

/// What is new, version by version; beside the window too.
class NewsDialog final : public QDialog {
    Q_OBJECT
public:
    explicit NewsDialog(QWidget* parent = nullptr);
};

}  // namespace scalescope::ui
