// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/centre_rows.hpp"

#include <QEvent>
#include <QLayout>
#include <algorithm>

namespace scalescope::ui {

CentreRows::CentreRows(QWidget* parent) : QSplitter(Qt::Vertical, parent) { setChildrenCollapsible(false); }

void CentreRows::set_rows(std::vector<Row> rows) {
    rows_ = std::move(rows);
    fit();
    updateGeometry();
}

bool CentreRows::holds_what_stays(const QWidget* row) const {
    return std::any_of(in_sight_.begin(), in_sight_.end(),
                       [row](const QWidget* w) { return row == w || row->isAncestorOf(w); });
}

int CentreRows::least_height(const std::vector<bool>& shown) const {
    int height = -handleWidth();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (shown[i])
            height +=
                handleWidth() + std::max(rows_[i].widget->minimumSizeHint().height(), rows_[i].widget->minimumHeight());
    return std::max(height, 0);
}

QSize CentreRows::minimumSizeHint() const {
    std::vector<bool> stay;
    int width = 0;
    for (const Row& row : rows_) {
        stay.push_back(row.wanted && !row.makes_room);
        if (row.wanted) width = std::max({width, row.widget->minimumSizeHint().width(), row.widget->minimumWidth()});
    }
    return {width, least_height(stay)};
}

void CentreRows::fit() {
    std::vector<bool> shown;
    for (const Row& row : rows_) shown.push_back(row.wanted);
    for (const bool stays : {false, true})
        for (std::size_t i = rows_.size(); i-- > 0;)
            if (rows_[i].makes_room && holds_what_stays(rows_[i].widget) == stays && least_height(shown) > height())
                shown[i] = false;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].widget->isHidden() == shown[i]) rows_[i].widget->setVisible(shown[i]);
}

void CentreRows::resizeEvent(QResizeEvent* event) {
    fit();
    QSplitter::resizeEvent(event);
}

bool CentreRows::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) fit();  // a row needs more than before, or less
    return QSplitter::event(event);
}

QSize CentreColumn::minimumSizeHint() const {
    const QSize least = layout()->minimumSize();
    const int height = layout()->minimumHeightForWidth(std::max(usual_width, least.width()));
    return {least.width(), height < 0 ? least.height() : height};
}

Pages::Pages(QWidget* parent) : QStackedWidget(parent) {
    connect(this, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry);
}

QSize Pages::minimumSizeHint() const {
    const QWidget* page = currentWidget();
    if (!page) return {0, 0};
    // A page that says how narrow it can be arranges itself anew there.
    const QSize least = page->minimumSizeHint();
    return {page->minimumWidth() > 0 ? page->minimumWidth() : least.width(),
            std::max(least.height(), page->minimumHeight())};
}

}  // namespace scalescope::ui
