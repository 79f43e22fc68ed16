// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QFrame>
#include <QVBoxLayout>
#include <vector>

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace scalescope::ui {

class ElidedLabel;

/// The title row of a card, 34 px: title (or several, as tabs), unit or file name beside it, own widgets, then the
/// float and close buttons. As the title bar of a dock it lets the dock be dragged.
class CardTitle final : public QWidget {
    Q_OBJECT
public:
    explicit CardTitle(const QString& title = {}, QWidget* parent = nullptr);

    void set_title(const QString& title);
    QString title() const;
    /// Several pages under one row: the current title in text, the others in secondary; a click or the arrows switch.
    void set_tabs(const QStringList& titles);
    void set_current_tab(int index);
    /// Unit, file name: 12 px secondary, right beside the title.
    void set_unit(const QString& text);
    /// Puts a widget at the right, left of the corner buttons.
    void add_widget(QWidget* widget);
    void show_buttons(bool float_button, bool close_button);
    QToolButton* float_button() const { return float_; }
    QToolButton* close_button() const { return close_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void float_clicked();
    void close_clicked();
    void tab_chosen(int index);

private:
    void name_buttons();
    QHBoxLayout* row_;
    QHBoxLayout* extras_;
    ElidedLabel *title_, *unit_;
    QButtonGroup* tabs_ = nullptr;
    QToolButton* float_;
    QToolButton* close_;
};

/// What a card and a dock share: content below the title row, 12 px from the edge.
class CardBody final : public QWidget {
    Q_OBJECT
public:
    explicit CardBody(QWidget* parent = nullptr);
    void add(QWidget* widget, int stretch = 0);
    void add(QLayout* layout, int stretch = 0);
    /// Nearer to the edge (lists whose selection reaches beyond their text) or, with 0, up to the border.
    void add_wide(QWidget* widget, int stretch = 0, int margin = 6);
    void add_stretch();
    void set_spacing(int px);
    void set_bottom_margin(int px);

private:
    QVBoxLayout* layout_;
};

/// A card: QFrame#card with a title row and a body.
class Card final : public QFrame {
    Q_OBJECT
public:
    /// Without a title the card has no title row, and its body starts 12 px below the edge.
    explicit Card(const QString& title = {}, QWidget* parent = nullptr);
    CardTitle* title_row() const { return title_; }
    CardBody* body() const { return body_; }

private:
    CardTitle* title_ = nullptr;
    CardBody* body_;
};

/// A dock that looks like a card, floating or not. Its body (or pages, shown as tabs in the title row) replaces
/// setWidget; a body that is taller than the dock scrolls.
class DockCard final : public QDockWidget {
    Q_OBJECT
public:
    /// The object name is what QMainWindow::saveState knows the dock by.
    DockCard(const QString& title, const QString& object_name, QWidget* parent = nullptr);
    CardTitle* title_row() const { return title_; }
    CardBody* body() const { return pages_[0]; }
    /// A further page; its title joins the title row as a tab.
    CardBody* add_page(const QString& title);
    void set_current_page(int index);
    int current_page() const;
    /// It may need more than that; setMinimumWidth() would let it have less than it needs.
    void set_least_width(int width);
    /// Its body never becomes lower than it may be, instead of scrolling.
    void keep_body();
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int least_width_ = 0;
    CardTitle* title_;
    QStackedWidget* stack_;
    std::vector<CardBody*> pages_;
    QStringList titles_;
};

}  // namespace scalescope::ui
