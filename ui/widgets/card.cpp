// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.hpp"

#include <QButtonGroup>
#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyle>

#include "ui/theme/comfort.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/upright_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr int tab_margin = 8;  // what the style sheet has beside it, and a hair

/// A page of a dock: scrolls in a window that is too low.
UprightScroll* dock_page(CardBody* body) {
    body->setObjectName(QStringLiteral("pane"));
    auto* page = new UprightScroll(body);
    page->ask_for_all();
    return page;
}

}  // namespace

CardTitle::CardTitle(const QString& title, QWidget* parent) : QWidget(parent) {
    row_ = new QHBoxLayout(this);
    row_->setContentsMargins(space::card_padding, 0, 5, 0);
    row_->setSpacing(8);
    title_ = new ElidedLabel(title);
    title_->setFont(type::title());
    title_->set_least_width(160);  // before what stands beside it
    unit_ = new ElidedLabel;
    unit_->setFont(type::table());
    set_ink(*unit_, Ink::secondary);
    unit_->hide();
    extras_ = make_layout<QHBoxLayout>(nullptr, 8);
    float_ = make_icon_button("float", {});
    close_ = make_icon_button("close", {});
    row_->addWidget(title_);
    row_->addWidget(unit_);
    row_->addStretch(1);
    row_->addLayout(extras_);
    auto* corner = make_layout<QHBoxLayout>(nullptr, 0);
    corner->addWidget(float_);
    corner->addWidget(close_);
    row_->addLayout(corner);
    setFixedHeight(space::card_title);
    show_buttons(false, false);
    name_buttons();
    connect(float_, &QToolButton::clicked, this, &CardTitle::float_clicked);
    connect(close_, &QToolButton::clicked, this, &CardTitle::close_clicked);
}

void CardTitle::name_buttons() {
    const auto name = [](QToolButton& button, const QString& tip, const QString& accessible) {
        button.setToolTip(tip);
        button.setAccessibleName(accessible);
    };
    name(*float_, tr("Take out of the window"), tr("Float %1").arg(title()));
    name(*close_, tr("Close"), tr("Close %1").arg(title()));
}

void CardTitle::set_title(const QString& title) {
    title_->setText(title);
    name_buttons();
}

QString CardTitle::title() const { return title_->text(); }

void CardTitle::set_tabs(const QStringList& titles) {
    title_->hide();
    if (tabs_) {
        qDeleteAll(tabs_->buttons());
        delete tabs_;
    }
    tabs_ = new QButtonGroup(this);
    for (qsizetype i = 0; i < titles.size(); ++i) {
        auto* tab = new QPushButton(titles[i]);
        tab->setProperty("kind", QStringLiteral("title"));
        tab->setCheckable(true);
        tab->setFont(type::title());
        // As wide as when it is the chosen one, whose letters are heavier.
        QFont heavy = type::title();
        heavy.setWeight(QFont::DemiBold);
        tab->setMinimumWidth(QFontMetrics(heavy).horizontalAdvance(titles[i]) + tab_margin);
        tab->setCursor(Qt::PointingHandCursor);
        tabs_->addButton(tab, static_cast<int>(i));
        row_->insertWidget(static_cast<int>(i), tab);
    }
    if (auto* first = tabs_->button(0)) first->setChecked(true);
    connect(tabs_, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on) emit tab_chosen(id);
    });
}

void CardTitle::set_current_tab(int index) {
    if (tabs_ && tabs_->button(index)) tabs_->button(index)->setChecked(true);
}

void CardTitle::set_unit(const QString& text) {
    unit_->setText(text);
    unit_->setVisible(!text.isEmpty());
}

void CardTitle::add_widget(QWidget* widget) { extras_->addWidget(widget); }

void CardTitle::show_buttons(bool float_button, bool close_button) {
    float_->setVisible(float_button);
    close_->setVisible(close_button);
}

QSize CardTitle::sizeHint() const { return {QWidget::sizeHint().width(), space::card_title}; }
QSize CardTitle::minimumSizeHint() const {
    // Titles are shortened; tabs are not, and large buttons beside them would be pushed over the edge.
    const int needed = QWidget::minimumSizeHint().width();
    return {tabs_ && large_controls() ? needed : std::min(120, needed), space::card_title};
}

CardBody::CardBody(QWidget* parent) : QWidget(parent) {
    layout_ = new QVBoxLayout(this);
    layout_->setContentsMargins(0, 0, 0, space::card_padding);
    layout_->setSpacing(8);
}

void CardBody::add(QWidget* widget, int stretch) { add_wide(widget, stretch, space::card_padding); }

void CardBody::add(QLayout* layout, int stretch) {
    layout->setContentsMargins(space::card_padding, 0, space::card_padding, 0);
    layout_->addLayout(layout, stretch);
}

void CardBody::add_wide(QWidget* widget, int stretch, int margin) {
    if (margin == 0) return layout_->addWidget(widget, stretch);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(margin, 0, margin, 0);
    row->addWidget(widget);
    layout_->addLayout(row, stretch);
}

void CardBody::add_stretch() { layout_->addStretch(1); }
void CardBody::set_spacing(int px) { layout_->setSpacing(px); }
void CardBody::set_bottom_margin(int px) { layout_->setContentsMargins(0, layout_->contentsMargins().top(), 0, px); }

Card::Card(const QString& title, QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("card"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, title.isEmpty() ? space::card_padding : 0, 0, 0);
    layout->setSpacing(0);
    if (!title.isEmpty()) {
        title_ = new CardTitle(title);
        layout->addWidget(title_);
    }
    body_ = new CardBody;
    layout->addWidget(body_, 1);
}

DockCard::DockCard(const QString& title, const QString& object_name, QWidget* parent)
    : QDockWidget(title, parent), titles_{title} {
    setObjectName(object_name);
    title_ = new CardTitle(title);
    title_->show_buttons(true, true);
    setTitleBarWidget(title_);
    stack_ = new QStackedWidget;
    pages_.push_back(new CardBody);
    stack_->addWidget(dock_page(pages_[0]));
    setWidget(stack_);
    connect(title_, &CardTitle::close_clicked, this, &QDockWidget::close);
    connect(title_, &CardTitle::float_clicked, this, [this] { setFloating(!isFloating()); });
    connect(title_, &CardTitle::tab_chosen, stack_, &QStackedWidget::setCurrentIndex);
    connect(this, &QDockWidget::topLevelChanged, this, [this](bool floating) {
        auto* button = title_->float_button();
        button->setToolTip(floating ? tr("Put back into the window") : tr("Take out of the window"));
        update();
    });
}

CardBody* DockCard::add_page(const QString& title) {
    pages_.push_back(new CardBody);
    stack_->addWidget(dock_page(pages_.back()));
    titles_ << title;
    title_->set_tabs(titles_);
    return pages_.back();
}

void DockCard::set_least_width(int width) {
    least_width_ = width;
    updateGeometry();
}

void DockCard::keep_body() {
    static_cast<UprightScroll*>(stack_->widget(0))->keep_all();
    updateGeometry();
}

QSize DockCard::minimumSizeHint() const { return QDockWidget::minimumSizeHint().expandedTo(QSize(least_width_, 0)); }

void DockCard::set_current_page(int index) { title_->set_current_tab(index); }
int DockCard::current_page() const { return stack_->currentIndex(); }

void DockCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& t = theme();
    // A floating dock is a window of its own: no rounded corners, there is nothing behind them.
    draw_box(painter, QRectF(rect()), t.card, t.card_border, isFloating() ? 0 : space::card_radius);
}

}  // namespace scalescope::ui
