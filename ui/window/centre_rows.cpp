// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/centre_rows.hpp"

#include <QApplication>
#include <QEvent>
#include <QLayout>
#include <QResizeEvent>
#include <QStringList>
#include <algorithm>

#include "ui/charts/chart.hpp"
#include "ui/window/fold_bar.hpp"

namespace scalescope::ui {

namespace {

int least_height_of(const QWidget& row) { return std::max(row.minimumSizeHint().height(), row.minimumHeight()); }

bool holds(const QWidget* row, const QWidget* widget) { return row == widget || row->isAncestorOf(widget); }

/// Gives a folded row its width, so that the legends of its charts take the rows that they will take there.
void widen(QWidget& row, int width) {
    row.resize(width, row.height());
    if (auto* chart = qobject_cast<Chart*>(&row)) return chart->expect_width(width);
    auto* beside = qobject_cast<QSplitter*>(&row);
    if (!beside) return;
    QResizeEvent resized(row.size(), row.size());
    QCoreApplication::sendEvent(&row, &resized);  // one that is hidden divides its width only when it is shown
    for (int i = 0; i < beside->count(); ++i)
        if (auto* chart = qobject_cast<Chart*>(beside->widget(i)); chart && !chart->isHidden())
            chart->expect_width(chart->width());
}

/// Of the charts in a row.
QString title_of(const QWidget& row) {
    QStringList titles;
    if (const auto* chart = qobject_cast<const Chart*>(&row)) titles << chart->title();
    if (const auto* beside = qobject_cast<const QSplitter*>(&row))
        for (int i = 0; i < beside->count(); ++i)
            if (const auto* chart = qobject_cast<const Chart*>(beside->widget(i)))
                if (!chart->isHidden() || !chart->testAttribute(Qt::WA_WState_ExplicitShowHide))  // not shown yet
                    titles << chart->title();
    return titles.join(QStringLiteral(" · "));
}

}  // namespace

CentreRows::CentreRows(QWidget* parent) : QSplitter(Qt::Vertical, parent), bar_(new FoldBar) {
    setChildrenCollapsible(false);
    connect(bar_, &FoldBar::unfold_asked, this,
            [this](int row) { unfold(rows_[static_cast<std::size_t>(row)].widget); });
}

void CentreRows::add_fold_bar() { addWidget(bar_); }

void CentreRows::set_rows(std::vector<Row> rows) {
    rows_ = std::move(rows);
    fit();
    updateGeometry();
}

void CentreRows::set_in_sight(std::vector<QWidget*> widgets) {
    in_sight_ = std::move(widgets);
    asked_for_ = nullptr;
}

void CentreRows::unfold(const QWidget* widget) {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return holds(r.widget, widget); });
    if (row == rows_.end() || !row->wanted) return;
    QWidget* const shown = row->widget;
    const bool from_bar = bar_->isAncestorOf(QApplication::focusWidget());
    asked_for_ = shown;
    fit();
    if (shown->isHidden()) emit out_of_room();
    auto* chart = qobject_cast<Chart*>(shown);
    if (!chart) chart = shown->findChild<Chart*>();
    if (from_bar && chart)
        chart->setFocus(window()->testAttribute(Qt::WA_KeyboardFocusChange) ? Qt::TabFocusReason
                                                                            : Qt::OtherFocusReason);
}

/// Rows of less worth fold first.
int CentreRows::worth(const QWidget* row) const {
    if (row == asked_for_) return 2;
    return std::any_of(in_sight_.begin(), in_sight_.end(), [row](const QWidget* w) { return holds(row, w); });
}

int CentreRows::least_height(const std::vector<bool>& shown) const {
    int height = -handleWidth();
    bool folded = false;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (shown[i]) height += handleWidth() + least_height_of(*rows_[i].widget);
        folded = folded || (rows_[i].wanted && !shown[i]);
    }
    if (folded) height += handleWidth() + bar_->minimumHeight();
    return std::max(height, 0);
}

QSize CentreRows::minimumSizeHint() const {
    std::vector<bool> stay;
    int width = 0, one = 0;
    for (const Row& row : rows_) {
        stay.push_back(row.wanted && !row.folds);
        if (!row.wanted) continue;
        width = std::max({width, row.widget->minimumSizeHint().width(), row.widget->minimumWidth()});
        if (row.folds) one = std::max(one, handleWidth() + least_height_of(*row.widget));
    }
    const bool any = std::find(stay.begin(), stay.end(), true) != stay.end();
    return {width, least_height(stay) + (any ? 0 : one)};
}

void CentreRows::fit() {
    std::vector<bool> shown;
    for (const Row& row : rows_) {
        shown.push_back(row.wanted);
        if (row.folds && row.wanted && row.widget->isHidden()) widen(*row.widget, width());
    }
    for (const int least : {0, 1, 2})
        for (std::size_t i = rows_.size(); i-- > 0;)
            if (rows_[i].folds && worth(rows_[i].widget) == least && least_height(shown) > height()) shown[i] = false;
    QStringList folded;
    bool panel = false, back = false;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        if (row.widget->isHidden() == shown[i]) {
            row.widget->setVisible(shown[i]);
            back = back || (row.folds && shown[i]);
        }
        folded << (row.wanted && !shown[i] ? title_of(*row.widget) : QString());
        panel = panel || (row.wanted && !row.folds);
    }
    bar_->set_folded(folded, panel ? tr("Folded: the open panel needs the height")
                                   : tr("Folded: the window is too low for all charts"));
    if (back) emit unfolded();
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
