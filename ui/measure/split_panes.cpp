// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/split_panes.hpp"

#include <QStackedWidget>

#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"

namespace scalescope::ui {

SplitPanes::SplitPanes(QWidget* upper, const QString& name, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), pages_(new QStackedWidget) {
    setHandleWidth(space::gap);
    setChildrenCollapsible(false);
    auto* lower = new Card(name);
    title_ = lower->title_row();
    title_->show_buttons(false, false);
    lower->body()->add_wide(pages_, 1, 4);
    connect(title_, &CardTitle::tab_chosen, pages_, &QStackedWidget::setCurrentIndex);
    addWidget(upper);
    addWidget(lower);
    setStretchFactor(0, 5);
    setStretchFactor(1, 4);
}

void SplitPanes::add_tab(const QString& title, QWidget* page) {
    pages_->addWidget(page);
    titles_ << title;
    title_->set_tabs(titles_);
}

int SplitPanes::tab() const { return pages_->currentIndex(); }

void SplitPanes::show_tab(int index) {
    title_->set_current_tab(index);
    pages_->setCurrentIndex(index);
}

}  // namespace scalescope::ui
