// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/layer_list.hpp"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/charts/chart_table.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/overlay_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr Px cell_padding{6}, foot{27}, bar_most{48}, bar_least{12}, bar_gap{10}, name_least{62}, name_most{260};
constexpr Px fold_room{13}, fold_step{10};  // of the chevron, and of a row that is in another
constexpr int bar_height = 8, most_measured = 160;

/// What a list shows, in this order, if there is room for it; the first three always.
constexpr std::array by_worth{LayerModel::name,          LayerModel::total,         LayerModel::output,
                              LayerModel::difference,    LayerModel::forward,       LayerModel::backward,
                              LayerModel::communication, LayerModel::hidden,        LayerModel::memory,
                              LayerModel::parameters,    LayerModel::forward_flops, LayerModel::update,
                              LayerModel::kind};

/// How far in a row's name begins.
int name_indent(const LayerModel& model, const ShownRow& row) {
    return row.row->depth * fold_step + (model.folds() ? fold_room : 0);
}

class LayerDelegate final : public QStyledItemDelegate {
public:
    LayerDelegate(const QTableView& view, const LayerModel& model, const int& hovered, QObject* parent)
        : QStyledItemDelegate(parent), view_(view), model_(model), hovered_(hovered) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        double width = text_width(type::table_strong(), index.data(Qt::DisplayRole).toString()) + 2 * cell_padding + 2;
        if (index.column() == LayerModel::name) width += name_indent(model_, model_.row(index.row()));
        if (index.column() == LayerModel::total)
            width = bar_most + bar_gap +
                    std::max(width, text_width(type::table_strong(), QStringLiteral("000.00")) + 2 * cell_padding);
        return {static_cast<int>(std::ceil(width)), view_.verticalHeader()->defaultSectionSize()};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const ShownRow& row = model_.row(index.row());
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        QRectF whole(option.rect);
        whole.setLeft(-view_.horizontalHeader()->offset());
        whole.setWidth(std::max(view_.horizontalHeader()->length(), view_.viewport()->width()));
        const bool focused = selected && option.state.testFlag(QStyle::State_Active) && view_.hasFocus() &&
                             option.state.testFlag(QStyle::State_KeyboardFocusChange);
        painter->save();
        painter->setClipRect(option.rect);
        painter->fillRect(option.rect, t.card);
        if (selected || index.row() == hovered_) draw_box(*painter, whole, selected ? t.selection : t.hover, {}, 4);
        if (focused) draw_box(*painter, whole, {}, t.accent, 4, 2);
        const int column = index.column();
        const bool close = !model_.is_precise() && column < LayerModel::parameters;  // room is dear in a panel
        const QRectF box = QRectF(option.rect).adjusted(cell_padding, 0, close ? 0 : -cell_padding, 0);
        if (column == LayerModel::name) {
            paint_name(*painter, box, row, selected, index.data().toString());
        } else {
            const bool struck = index.data(LayerModel::struck_role).toBool();
            const bool total = column == LayerModel::total;
            const QColor ink =
                struck || column == LayerModel::kind || column == LayerModel::output ? t.secondary : t.text;
            const QFont font =
                type::struck(total && model_.is_precise() ? type::table_strong() : type::table(), struck);
            const QString text = index.data().toString();
            if (total) paint_bar(*painter, box.adjusted(0, 0, -value_width(), 0), row, selected);
            draw_text(*painter, box, Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt()), text, font, ink);
        }
        painter->restore();
    }

private:
    const QTableView& view_;
    const LayerModel& model_;
    const int& hovered_;

    /// Beside the bars, so that they end at one line.
    double value_width() const {
        const QFont font = model_.is_precise() ? type::table_strong() : type::table();
        return bar_gap +
               std::ceil(std::max(text_width(font, QStringLiteral("000.00")), text_width(font, model_.longest_text())));
    }

    void paint_name(QPainter& painter, const QRectF& box, const ShownRow& row, bool selected,
                    const QString& name) const {
        const Theme& t = theme();
        const bool folds = row.row->has_children, unknown = model_.unknown(row);
        const QFont font = selected || (folds && row.row->depth == 0) ? type::table_strong() : type::table();
        const QRectF text = box.adjusted(name_indent(model_, row), 0, 0, 0);
        if (folds && !model_.is_sorted())
            draw_icon(painter, row.open ? "down" : "right",
                      QRectF(text.left() - fold_room - 1, text.center().y() - 6, 12, 12), t.secondary);
        const QString mark = unknown ? QStringLiteral("? ") : QString();
        const QColor ink = unknown ? t.unknown_text : t.text;
        draw_text(painter, text, Qt::AlignLeft | Qt::AlignVCenter, mark, font, ink);
        draw_text(painter, text.adjusted(text_width(font, mark), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name, font,
                  ink,
                  // Of a path, the end tells one layer from the next.
                  name.contains(QLatin1Char('/')) ? Qt::ElideLeft : Qt::ElideRight);
    }

    void paint_bar(QPainter& painter, const QRectF& box, const ShownRow& row, bool selected) const {
        const double room = std::min<double>(box.width(), bar_most), length = room * model_.share_of_longest(row);
        if (row.open || length <= 0 || room <= bar_least - 4) return;
        const Theme& t = theme();
        // Less than half a pixel is still something: a hair line in the colour of axes.
        const double shown = std::max(1.0, std::round(length));
        painter.fillRect(QRectF(box.right() - shown, box.center().y() - bar_height / 2.0, shown, bar_height),
                         length < 1            ? t.card_border
                         : model_.unknown(row) ? t.unknown_border
                         : selected            ? t.accent
                                               : t.update);
    }
};

}  // namespace

LayerList::LayerList(Columns columns, QWidget* parent)
    : QWidget(parent), all_(columns == Columns::all), model_(new LayerModel(all_, this)), view_(new QTableView(this)) {
    view_->setModel(model_);
    view_->setObjectName(QStringLiteral("layerRows"));
    view_->setAccessibleName(tr("Layers"));
    view_->setItemDelegate(new LayerDelegate(*view_, *model_, hovered_, view_));
    view_->setFont(type::table());
    view_->setFrameShape(QFrame::NoFrame);
    view_->setShowGrid(false);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    if (!all_) view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setMouseTracking(true);
    view_->setWordWrap(false);
    view_->setTabKeyNavigation(false);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->viewport()->setAutoFillBackground(false);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(all_ ? space::table_row : space::layer_row);
    view_->verticalHeader()->setMinimumSectionSize(1);
    QHeaderView* head = view_->horizontalHeader();
    head->setHighlightSections(false);
    head->setFont(type::table());
    head->setMinimumSectionSize(24);
    use_overlay_scroll_bar(*view_, all_ ? 2 : 0);
    view_->setSortingEnabled(true);
    view_->sortByColumn(-1, Qt::AscendingOrder);
    view_->viewport()->installEventFilter(this);
    view_->installEventFilter(this);
    setFocusProxy(view_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (!quiet_) emit selected_changed(now.isValid() ? model_->row(now.row()).key : -1);
    });
    connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (const auto& row = *model_->row(index.row()).row; row.has_children) emit toggled(row.path);
    });
    connect(model_, &QAbstractItemModel::modelReset, this, &LayerList::place);
    connect(view_, &QWidget::customContextMenuRequested, this, &LayerList::show_menu);
}

void LayerList::show_rows(const LiveResultPtr& result, const std::vector<ShownRow>& rows) {
    const QModelIndex now = view_->currentIndex();
    const bool had = now.isValid();
    const int part = had ? model_->row(now.row()).part : 0;
    const std::string path = had ? model_->row(now.row()).row->path : std::string();
    const int at = view_->verticalScrollBar()->value();
    const TimeUnit unit = model_->unit();
    const QString step = model_->step_text();
    const bool struck = model_->struck();
    const QScopedValueRollback<bool> guard(quiet_, true);
    const bool other = model_->set_rows(result, rows);
    if (other) {
        hovered_ = -1;
        if (const int row = had ? model_->find(part, path) : -1; row >= 0)
            view_->setCurrentIndex(model_->index(row, 0));
        view_->verticalScrollBar()->setValue(at);
        updateGeometry();
    }
    if (unit != model_->unit()) view_->horizontalHeader()->viewport()->update();
    if (other || !result->request.dragging || unit != model_->unit()) fit_columns();
    if (other || step != model_->step_text() || struck != model_->struck())
        update(0, view_->geometry().bottom() + 1, width(), height());
    emit unit_changed(model_->unit());
}

void LayerList::compare_with(int pin) {
    const QScopedValueRollback<bool> guard(quiet_, true);
    model_->compare_with(pin);
    fit_columns();
}

int LayerList::head_height() const { return view_->horizontalHeader()->sizeHint().height(); }

/// The list ends below its last row, and the step stands there; a list that is too long scrolls above it.
void LayerList::place() {
    const int sideways =
        view_->horizontalScrollBar()->maximum() > 0 ? view_->horizontalScrollBar()->sizeHint().height() : 0;
    const int rows = head_height() + model_->rowCount() * view_->verticalHeader()->defaultSectionSize() + sideways;
    view_->setGeometry(0, 0, width(), std::min(std::max(0, height() - foot), rows));
}

/// Every column as wide as its widest text; what is left over goes to all alike.
void LayerList::fit_columns() {
    if (!isVisible() || model_->rowCount() == 0) return;
    const QFontMetrics heading(view_->horizontalHeader()->font());
    std::array<int, LayerModel::column_count> widths{};
    const auto title_width = [&](int c) {
        return heading.horizontalAdvance(model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString()) +
               2 * cell_padding;
    };
    const auto natural = [&](int c) {
        int most = title_width(c) + (all_ ? 7 : 2);
        for (int r = 0; r < std::min(model_->rowCount(), most_measured); ++r)
            most = std::max(most, view_->itemDelegate()->sizeHint({}, model_->index(r, c)).width());
        return c == LayerModel::name ? std::min<int>(most, name_most) : most;
    };
    const int room = view_->viewport()->width();
    int spare = room, shown = 0;
    for (const int c : by_worth) {
        if (!model_->has(c)) continue;
        const int wanted = natural(c);
        if (!all_ && shown >= 3 && wanted > spare) break;
        widths[static_cast<std::size_t>(c)] = wanted;
        spare -= wanted;
        ++shown;
    }
    if (spare < 0) {  // the bar gives way first
        int& total = widths[LayerModel::total];
        const int title = title_width(LayerModel::total) + 2;
        const int given = std::min({bar_most - (all_ ? 0 : bar_least), -spare, std::max(0, total - title)});
        total -= given;
        spare += given;
    }
    if (!all_ && spare < 0) {  // then the shape: the name is what a person looks for
        const int total = widths[LayerModel::total];
        int& name = widths[LayerModel::name];
        name = std::min(name, std::max<int>(name_least, room * 42 / 100));
        widths[LayerModel::output] = std::max(24, room - total - name);
        spare = 0;
    }
    const int each = std::max(0, spare) / std::max(1, shown);
    widths[LayerModel::total] += std::max(0, spare - each * shown);  // the last column ends where the list does
    for (int c = 0; c < LayerModel::column_count; ++c) {
        const int width = widths[static_cast<std::size_t>(c)];
        view_->setColumnHidden(c, width == 0);
        if (width > 0) view_->setColumnWidth(c, width + each);
    }
    place();
}

void LayerList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
    fit_columns();
}

void LayerList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fit_columns();
}

void LayerList::set_selected(int key) {
    const QScopedValueRollback<bool> guard(quiet_, true);
    const QModelIndex now = view_->currentIndex();
    const int row = model_->row_of(key, now.isValid() ? now.row() : -1);
    if (row < 0)
        view_->selectionModel()->clear();
    else if (row != now.row())
        view_->setCurrentIndex(model_->index(row, 0));
}

int LayerList::selected() const {
    const QModelIndex now = view_->currentIndex();
    return now.isValid() ? model_->row(now.row()).key : -1;
}

void LayerList::set_hovered(int key) { hover(model_->row_of(key, -1)); }

void LayerList::hover(int row) {
    if (std::exchange(hovered_, row) != row) view_->viewport()->update();
}

QSize LayerList::sizeHint() const {
    const int rows = std::clamp(model_->rowCount(), 3, 16);
    return {240, head_height() + rows * space::layer_row + foot};
}

void LayerList::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    const QRectF last(cell_padding, view_->geometry().bottom() + 1, width() - 2 * cell_padding, foot);
    painter.fillRect(QRectF(last.left(), last.top() + 2, last.width(), 1), t.card_border);
    const QRectF text = last.adjusted(0, 4, 0, 0);
    const bool struck = model_->struck();
    draw_text(painter, text, Qt::AlignLeft | Qt::AlignVCenter, tr("Step"), type::table_strong(), t.text);
    // Below the totals.
    const QHeaderView* head = view_->horizontalHeader();
    const int right = head->sectionViewportPosition(LayerModel::total) + head->sectionSize(LayerModel::total);
    draw_text(painter, QRectF(text.left(), text.top(), right - cell_padding - text.left(), text.height()),
              Qt::AlignRight | Qt::AlignVCenter, model_->step_text(), type::struck(type::table_strong(), struck),
              struck ? t.secondary : t.text);
}

/// Right unfolds, left folds, or goes to the row that this one is in.
bool LayerList::fold_by_key(int key) {
    const QModelIndex now = view_->currentIndex();
    if (!now.isValid() || (key != Qt::Key_Right && key != Qt::Key_Left)) return false;
    const ShownRow& row = model_->row(now.row());
    if (row.row->has_children && row.open == (key == Qt::Key_Left)) {
        emit toggled(row.row->path);
    } else if (key == Qt::Key_Left && row.row->depth > 0 && !model_->is_sorted()) {
        int above = now.row() - 1;
        while (above > 0 && model_->row(above).row->depth >= row.row->depth) --above;
        view_->setCurrentIndex(model_->index(above, 0));
    }
    return true;
}

/// A click on the chevron.
bool LayerList::fold_by_hand(const QPoint& at) {
    const QModelIndex index = view_->indexAt(at);
    if (!index.isValid() || model_->is_sorted()) return false;
    const ShownRow& row = model_->row(index.row());
    const int left = at.x() - view_->columnViewportPosition(LayerModel::name);
    if (!row.row->has_children || left > cell_padding + name_indent(*model_, row)) return false;
    emit toggled(row.row->path);
    return true;
}

bool LayerList::eventFilter(QObject* object, QEvent* event) {
    if (object == view_->viewport()) {
        if (event->type() == QEvent::MouseMove || event->type() == QEvent::Leave) {
            const QModelIndex on = event->type() == QEvent::Leave
                                       ? QModelIndex()
                                       : view_->indexAt(static_cast<QMouseEvent*>(event)->pos());
            if (on.row() != hovered_) {
                hover(on.row());
                emit hovered(on.isValid() ? model_->row(on.row()).key : -1);
            }
        }
        return event->type() == QEvent::MouseButtonPress && fold_by_hand(static_cast<QMouseEvent*>(event)->pos());
    }
    if (object != view_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(object, event);
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Copy)) return copy(), true;
    if (fold_by_key(key->key())) return true;
    if (key->key() != Qt::Key_Escape || !view_->currentIndex().isValid()) return false;
    view_->selectionModel()->clear();
    return true;
}

void LayerList::show_menu(const QPoint& at) {
    QMenu menu(this);
    if (add_actions && selected() >= 0) add_actions(menu, selected());
    menu.addSeparator();
    if (model_->folds()) {
        menu.addAction(tr("Unfold all rows"), this, [this] { emit all_toggled(true); });
        menu.addAction(tr("Fold all rows"), this, [this] { emit all_toggled(false); });
    }
    menu.addAction(tr("Copy the table"), this, &LayerList::copy);
    menu.addAction(tr("In network order"), this, [this] { view_->sortByColumn(-1, Qt::AscendingOrder); })
        ->setEnabled(model_->is_sorted());
    menu.exec(view_->viewport()->mapToGlobal(at));
}

/// The table as it is sorted, with all columns and numbers in full, for a spreadsheet. Open rows are left out: the rows
/// inside them say the same, so that columns add up.
void LayerList::copy() const {
    ChartTable table;
    std::vector<int> columns;
    for (int c = 0; c < LayerModel::column_count; ++c) {
        if (!model_->has(c)) continue;
        columns.push_back(c);
        const bool time = c >= LayerModel::forward && c <= LayerModel::difference;
        const QString unit = time                             ? QStringLiteral("s")
                             : c == LayerModel::memory        ? QStringLiteral("B")
                             : c == LayerModel::forward_flops ? QStringLiteral("FLOP")
                                                              : QString();
        const QString title = model_->headerData(c, Qt::Horizontal, LayerModel::title_role).toString();
        table.columns.push_back({title, title, unit});
    }
    for (int r = 0; r < model_->rowCount(); ++r) {
        const ShownRow& row = model_->row(r);
        if (row.open) continue;
        std::vector<ChartCell> cells;
        for (const int c : columns) {
            const QVariant value = model_->index(r, c).data(Qt::UserRole);
            if (value.typeId() == QMetaType::Double)
                cells.emplace_back(value.toDouble());
            else if (c == LayerModel::name && !row.block.isEmpty())
                cells.emplace_back(row.block + QStringLiteral(" / ") + value.toString());
            else
                cells.emplace_back(value.toString());
        }
        table.rows.push_back(std::move(cells));
    }
    QApplication::clipboard()->setText(to_tabbed_text(table));
}

}  // namespace scalescope::ui
