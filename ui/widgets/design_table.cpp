// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design_table.hpp"

#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <numeric>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/overlay_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr int design_edge = 8, design_gap = 12, change_gap = 8, design_mark = 14, widest_word = 220,
              bar_room = 8;  // a scroll bar lies over the right edge

QFont change_font() {
    QFont font = type::table();
    font.setWeight(QFont::Medium);
    return font;
}

/// Room for the changes of a column: the widest of them and its mark; nothing where there is none.
int change_room(const DesignTableModel& model, int column) {
    const QFontMetrics metrics(change_font());
    int widest = 0;
    for (const DesignRow& row : model.rows()) {
        const DesignCell& cell = row.cells[static_cast<std::size_t>(column) - 1];
        if (!cell.change.isEmpty()) widest = std::max(widest, metrics.horizontalAdvance(cell.change));
    }
    return widest > 0 ? change_gap + widest + design_mark : 0;
}

/// The widest give way first, as far as they can still be read: words that are cut have a tip, columns out of sight
/// have nothing.
void narrow(std::vector<int>& widths, int room) {
    constexpr int least = 64;
    for (int lacking = std::accumulate(widths.begin(), widths.end(), 0) - room; lacking > 0; --lacking) {
        const auto widest = std::max_element(widths.begin(), widths.end());
        if (*widest <= least) return;
        --*widest;
    }
}

class DesignDelegate final : public QStyledItemDelegate {
public:
    DesignDelegate(const DesignTableModel& model, bool numbers, const int& hovered, QObject* parent)
        : QStyledItemDelegate(parent), model_(model), numbers_(numbers), hovered_(hovered) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected || index.row() == hovered_) painter->fillRect(option.rect, selected ? t.selection : t.hover);
        const DesignRow& row = model_.row(index.row());
        const DesignCell* cell = model_.cell(index);
        QRectF box(option.rect);
        if (!cell) {
            box.adjust(design_edge, 0, 0, 0);
            const QFont font = selected && numbers_ ? type::table_strong() : type::table();
            draw_text(*painter, box, Qt::AlignLeft | Qt::AlignVCenter, row.name, font, t.text);
            const qreal used = QFontMetricsF(font).horizontalAdvance(row.name) + 4;
            if (used + QFontMetricsF(type::table()).horizontalAdvance(row.unit) <= box.width() + 1)
                draw_text(*painter, box.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.unit,
                          type::table(), t.secondary);
            return;
        }
        if (!numbers_) {
            draw_text(*painter, box.adjusted(design_gap / 2, 0, -design_gap / 2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      cell->value, type::table(), t.text);
            return;
        }
        const int changes = change_room(model_, index.column());
        draw_text(*painter, box.adjusted(0, 0, -changes - (changes > 0 ? 0 : design_gap / 2), 0),
                  Qt::AlignRight | Qt::AlignVCenter, cell->value, type::struck(type::table(), cell->struck),
                  cell->struck ? t.secondary : t.text, Qt::ElideNone);
        if (cell->change.isEmpty()) return;
        const QColor ink = cell->verdict == Change::better  ? t.better
                           : cell->verdict == Change::worse ? t.worse
                                                            : t.secondary;
        draw_text(*painter, box.adjusted(0, 0, -design_mark, 0), Qt::AlignRight | Qt::AlignVCenter, cell->change,
                  change_font(), ink, Qt::ElideNone);
        if (cell->verdict == Change::better || cell->verdict == Change::worse)
            draw_icon(*painter, cell->verdict == Change::better ? "check" : "warn",
                      QRectF(box.right() - 12, box.center().y() - 6, 12, 12), ink);
    }

private:
    const DesignTableModel& model_;
    bool numbers_;
    const int& hovered_;
};

class DesignHeader final : public QHeaderView {
public:
    DesignHeader(const DesignTableModel& model, bool numbers, QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent), model_(model), numbers_(numbers) {}

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const int changes = numbers_ && section > 0 ? change_room(model_, section) : 0;
        const bool left = section == 0 || !numbers_;
        const QRectF box = left ? QRectF(rect).adjusted(section == 0 ? design_edge : design_gap / 2, 0, 0, 0)
                                : QRectF(rect).adjusted(0, 0, -changes - (changes > 0 ? 0 : design_gap / 2), 0);
        draw_text(*painter, box, (left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                  model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString(), type::caption(),
                  theme().secondary);
        painter->fillRect(QRectF(rect.left(), rect.bottom(), rect.width(), 1), theme().card_border);
    }

private:
    const DesignTableModel& model_;
    bool numbers_;
};

}  // namespace

void DesignTableModel::set(std::vector<QString> headings, std::vector<DesignRow> rows) {
    if (headings == headings_ && rows == rows_) return;
    const bool same_shape = headings.size() == headings_.size() && rows.size() == rows_.size() &&
                            std::equal(rows.begin(), rows.end(), rows_.begin(),
                                       [](const DesignRow& a, const DesignRow& b) { return a.id == b.id; });
    if (!same_shape) beginResetModel();
    headings_ = std::move(headings);
    rows_ = std::move(rows);
    if (!same_shape) return endResetModel();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

const DesignCell* DesignTableModel::cell(const QModelIndex& index) const {
    return index.column() == 0 ? nullptr : &row(index.row()).cells[static_cast<std::size_t>(index.column()) - 1];
}

int DesignTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int DesignTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(headings_.size()) + 1;
}

QVariant DesignTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const DesignRow& r = row(index.row());
    const DesignCell* c = cell(index);
    if (role == Qt::UserRole) return r.id;
    if (role == Qt::ToolTipRole) return c && r.tip.isEmpty() ? c->value : r.tip;
    if (role == Qt::DisplayRole) return c ? c->value : r.name;
    if (role != Qt::AccessibleTextRole) return {};
    if (!c) return r.unit.isEmpty() ? r.name : tr("%1, %2").arg(r.name, r.unit);
    if (c->change.isEmpty()) return c->value;
    if (c->verdict == Change::better) return tr("%1, %2, better").arg(c->value, c->change);
    if (c->verdict == Change::worse) return tr("%1, %2, worse").arg(c->value, c->change);
    return tr("%1, %2").arg(c->value, c->change);
}

QVariant DesignTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal || section == 0) return {};
    return headings_[static_cast<std::size_t>(section) - 1];
}

DesignTable::DesignTable(Holds holds, const QString& accessible_name, QWidget* parent)
    : QTableView(parent), model_(new DesignTableModel(this)), holds_(holds) {
    setModel(model_);
    const bool numbers = holds == Holds::numbers;
    setItemDelegate(new DesignDelegate(*model_, numbers, hovered_, this));
    setAccessibleName(accessible_name);
    setFont(type::table());
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setMouseTracking(true);
    setTabKeyNavigation(false);
    setWordWrap(false);
    viewport()->setAutoFillBackground(false);
    use_overlay_scroll_bar(*this, 2);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(space::table_row);
    verticalHeader()->setDefaultSectionSize(space::table_row);
    auto* head = new DesignHeader(*model_, numbers, this);
    setHorizontalHeader(head);
    head->setFont(type::caption());
    head->setSectionResizeMode(QHeaderView::Fixed);
    head->setMinimumSectionSize(10);
    head->setFixedHeight(22);
    connect(this, &QTableView::clicked, this,
            [this](const QModelIndex& index) { emit row_chosen(index.data(Qt::UserRole).toString()); });
}

void DesignTable::set_rows(std::vector<QString> headings, std::vector<DesignRow> rows) {
    model_->set(std::move(headings), std::move(rows));
    fit_columns();
}

void DesignTable::set_chosen(const QString& id) {
    for (int i = 0; i < model_->rowCount(); ++i)
        if (model_->row(i).id == id) {
            if (currentIndex().row() != i) setCurrentIndex(model_->index(i, 0));
            return;
        }
    clearSelection();
}

std::vector<int> DesignTable::wanted_widths() const {
    const QFontMetrics plain(type::table()), strong(type::table_strong()), small(type::caption());
    std::vector<int> widths(static_cast<std::size_t>(model_->columnCount()), 0);
    for (const DesignRow& row : model_->rows()) {
        const int name = strong.horizontalAdvance(row.name) + 4 + plain.horizontalAdvance(row.unit);
        widths[0] = std::max(widths[0], design_edge + name + design_gap);
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            widths[i + 1] = std::max(widths[i + 1], plain.horizontalAdvance(row.cells[i].value));
    }
    for (std::size_t i = 1; i < widths.size(); ++i) {
        widths[i] = std::max(widths[i], small.horizontalAdvance(model_->headings()[i - 1])) + design_gap;
        if (holds_ == Holds::numbers)
            widths[i] += change_room(*model_, static_cast<int>(i));
        else
            widths[i] = std::min(widths[i] + design_gap / 2, widest_word);
    }
    return widths;
}

int DesignTable::wanted_width() const {
    const auto widths = wanted_widths();
    return std::accumulate(widths.begin(), widths.end(), 2 + bar_room);
}

QSize DesignTable::sizeHint() const {
    return {wanted_width(), horizontalHeader()->height() + model_->rowCount() * space::table_row + 2};
}

/// What is left over goes to the columns of the designs.
void DesignTable::fit_columns() {
    auto widths = wanted_widths();
    if (widths.size() < 2) return;
    const int room = viewport()->width() - bar_room;
    if (holds_ == Holds::words) narrow(widths, room);
    const int spare = room - std::accumulate(widths.begin(), widths.end(), 0);
    const int each = std::max(0, spare) / static_cast<int>(widths.size() - 1);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const int width = widths[i] + (i > 0 ? std::min(each, holds_ == Holds::numbers ? 40 : each) : 0);
        if (columnWidth(static_cast<int>(i)) != width) setColumnWidth(static_cast<int>(i), width);
    }
}

bool DesignTable::viewportEvent(QEvent* event) {
    const auto hover = [this](int row) {
        if (row == hovered_) return;
        hovered_ = row;
        viewport()->update();
    };
    if (event->type() == QEvent::MouseMove)
        hover(indexAt(static_cast<QMouseEvent*>(event)->position().toPoint()).row());
    else if (event->type() == QEvent::Leave)
        hover(-1);
    else if (event->type() == QEvent::Resize)
        fit_columns();
    return QTableView::viewportEvent(event);
}

void DesignTable::keyPressEvent(QKeyEvent* event) {
    const bool take = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (take && currentIndex().isValid()) return emit row_chosen(currentIndex().data(Qt::UserRole).toString());
    QTableView::keyPressEvent(event);
}

}  // namespace scalescope::ui
