// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/report_table.hpp"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <algorithm>

#include "ui/charts/chart_table.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/overlay_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr int widest_column = 320;

/// Qt draws the mark of the sorted column at the right end, on the last letter of a heading that stands there. Here it
/// has room of its own on the inner side of the heading.
class SortHeader final : public QHeaderView {
public:
    using QHeaderView::QHeaderView;

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
        QHeaderView::initStyleOptionForIndex(option, section);
        option->sortIndicator = QStyleOptionHeader::None;
    }
    QSize sectionSizeFromContents(int section) const override {
        return QHeaderView::sectionSizeFromContents(section) + QSize(mark + gap, 0);
    }
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        QHeaderView::paintSection(painter, rect, section);
        if (!isSortIndicatorShown() || section != sortIndicatorSection()) return;
        const QString text = model()->headerData(section, Qt::Horizontal).toString();
        const auto alignment = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole);
        const bool right = alignment.value<Qt::Alignment>().testFlag(Qt::AlignRight);
        const int words = QFontMetrics(font()).horizontalAdvance(text) + padding + gap;
        const int x = right ? std::max(rect.left(), rect.right() + 1 - words - mark)
                            : std::min(rect.right() - mark, rect.left() + words);
        const qreal middle = x + mark / 2.0, low = rect.center().y() + 3.0, high = low - 5.0;
        const bool up = sortIndicatorOrder() == Qt::AscendingOrder;
        painter->save();
        painter->setClipRect(rect);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme().secondary);
        painter->drawPolygon(
            QPolygonF{{middle, up ? high : low}, {middle - 4, up ? low : high}, {middle + 4, up ? low : high}});
        painter->restore();
    }

private:
    static constexpr int mark = 10, gap = 3, padding = 6;  // the last as in the style sheet
};

void copy_rows(const QTableView& view) {
    QList<QModelIndex> rows = view.selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row() < b.row(); });
    QStringList lines;
    const auto line = [&](auto cell) {
        QStringList cells;
        for (int c = 0; c < view.model()->columnCount(); ++c) cells << tabbed_cell(cell(c));
        lines << cells.join(QLatin1Char('\t'));
    };
    line([&](int c) { return view.model()->headerData(c, Qt::Horizontal).toString(); });
    for (const QModelIndex& row : rows)
        line([&](int c) { return view.model()->index(row.row(), c).data(Qt::EditRole).toString(); });
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace

QTableView* make_report_table(ChartTableModel& model, const QString& accessible_name, bool sorts) {
    auto* view = new QTableView;
    auto* header = new SortHeader(Qt::Horizontal);
    header->setSectionsClickable(true);
    view->setHorizontalHeader(header);
    if (sorts) {
        auto* sorted = new QSortFilterProxyModel(view);
        sorted->setSortRole(Qt::EditRole);
        sorted->setSourceModel(&model);
        view->setModel(sorted);
        view->setSortingEnabled(true);
        view->sortByColumn(-1, Qt::AscendingOrder);
    } else {
        view->setModel(&model);
    }
    view->setAccessibleName(accessible_name);
    view->setFont(type::table());
    view->setFrameShape(QFrame::NoFrame);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setTabKeyNavigation(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(space::table_row);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setFont(type::table());
    use_overlay_scroll_bar(*view, 2);
    auto* copy = new QAction(view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    view->addAction(copy);
    QObject::connect(copy, &QAction::triggered, view, [view] { copy_rows(*view); });
    const auto fit = [view, &model, sorts] {
        // What a report ends with may be a sentence, which takes the room there is.
        const auto& rows = model.table().rows;
        view->horizontalHeader()->setStretchLastSection(!sorts && !rows.empty() && rows.front().back().is_text());
        view->resizeColumnsToContents();
        for (int c = 0; c < view->model()->columnCount(); ++c)
            view->setColumnWidth(c, std::min(view->columnWidth(c) + 6, widest_column));
    };
    QObject::connect(view->model(), &QAbstractItemModel::modelReset, view, fit);
    return view;
}

}  // namespace scalescope::ui
