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
    share(5, 4);
}

void SplitPanes::share(int above, int below) {
    setStretchFactor(0, above);
    setStretchFactor(1, below);
    setSizes({100 * above, 100 * below});  // what the tables ask for at first is next to nothing
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
