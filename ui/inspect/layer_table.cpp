// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/layer_table.hpp"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/format.hpp"
#include "core/compare/key_values.hpp"
#include "core/compare/same_item.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/charts/chart_table.hpp"
#include "ui/charts/scale.hpp"
#include "ui/language/told.hpp"
#include "ui/live/layer_keys.hpp"
#include "ui/live/live.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/overlay_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr int cell_padding = 6, edge_padding = 8;
constexpr int layer_decimals = 3;  // of times: layers are small beside their step

/// Whole rows are hovered and selected, and texts stand where their headings do.
class LayerTableDelegate final : public QStyledItemDelegate {
public:
    LayerTableDelegate(const int& hovered_row, QObject* parent)
        : QStyledItemDelegate(parent), hovered_row_(hovered_row) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected || index.row() == hovered_row_) painter->fillRect(option.rect, selected ? t.selection : t.hover);
        const int column = index.column();
        const QRectF box =
            QRectF(option.rect)
                .adjusted(column == LayerTableModel::name ? edge_padding : cell_padding, 0, -cell_padding, 0);
        const bool strong = column == LayerTableModel::name ? selected : column == LayerTableModel::total;
        const QColor ink = column == LayerTableModel::kind || column == LayerTableModel::output ? t.secondary : t.text;
        const bool struck = index.data(LayerTableModel::struck_role).toBool();
        draw_text(*painter, box, Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt()),
                  index.data(Qt::DisplayRole).toString(),
                  type::struck(strong ? type::table_strong() : type::table(), struck), struck ? t.secondary : ink);
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const QFontMetrics metrics(type::table_strong());
        const int padding = index.column() == LayerTableModel::name ? edge_padding + cell_padding : 2 * cell_padding;
        return {metrics.horizontalAdvance(index.data(Qt::DisplayRole).toString()) + padding + 2, space::table_row};
    }

private:
    const int& hovered_row_;
};

}  // namespace

void LayerTableModel::set_result(const LiveResultPtr& result, int pin) {
    const auto rows_of = [](const LiveResultPtr& r) { return r && r->estimate ? r->estimate->layers.size() : 0; };
    const bool same_rows = result_ && result && rows_of(result_) == rows_of(result);
    if (!same_rows) beginResetModel();
    result_ = result;
    if (result && result->estimate)
        unit_ = fitting_unit(longest_layer(*result->estimate),
                             result->request.dragging ? std::optional(unit_) : std::nullopt);
    cannot_run_ = result && !cannot_run_text(result->request.scenario, result->estimate).isEmpty();
    pin_ = result && pin < static_cast<int>(result->pins.size()) ? pin : -1;
    pinned_.clear();
    if (pin_ >= 0 && rowCount() > 0) {
        const PinAnswer& other = result->pins[static_cast<std::size_t>(pin_)];
        pinned_ = *other.estimate ? compare::counterparts(result->request.scenario, *result->estimate,
                                                          *other.pin.scenario, **other.estimate)
                                  : std::vector<const LayerEstimate*>(result->estimate->layers.size());
    }
    if (!same_rows)
        endResetModel();
    else if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

int LayerTableModel::key(int row) const {
    const LayerEstimate& e = result_->estimate->layers[static_cast<std::size_t>(row)];
    return layer_key(e.part, e.position);
}

bool LayerTableModel::has_hidden() const {
    if (!result_ || !result_->estimate) return false;
    const auto& layers = result_->estimate->layers;
    return std::any_of(layers.begin(), layers.end(), [](const LayerEstimate& e) { return e.hidden.value > 0; });
}

int LayerTableModel::row_of(int key) const {
    for (int r = 0; r < rowCount(); ++r)
        if (this->key(r) == key) return r;
    return -1;
}

int LayerTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !result_ || !result_->estimate ? 0 : static_cast<int>(result_->estimate->layers.size());
}

int LayerTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant LayerTableModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid() || at.row() >= rowCount()) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((at.column() >= parameters ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return at.column() < parameters ? data(at, Qt::DisplayRole) : QVariant();
    if (role == struck_role) return at.column() >= forward && at.column() < memory && cannot_run_;
    if (role != Qt::DisplayRole && role != Qt::UserRole) return {};
    const bool raw = role == Qt::UserRole;
    const LayerEstimate& e = result_->estimate->layers[static_cast<std::size_t>(at.row())];
    const auto part = static_cast<std::size_t>(e.part), p = static_cast<std::size_t>(e.position);
    const Network& network = *result_->request.scenario.workload[part].network;
    const LayerFacts& f = network.facts()[p];
    const Work& work = result_->plan->parts[part].work;
    auto number = [&](double value, const std::string& shown) { return raw ? QVariant(value) : QVariant(told(shown)); };
    auto time = [&](Seconds t) { return number(t.value, format_in(t, {unit_, layer_decimals})); };
    switch (at.column()) {
        case name: return QString::fromStdString(network.layers()[p].name);
        case kind: return told(network.layers()[p].kind->title);
        case output: return told(to_text(f.output));
        case parameters: return number(static_cast<double>(f.parameters()), format_count(f.parameters()));
        case forward_flops:
            return number(work.pass[0].flops[p], f.multiply_adds > 0 ? format_work(Flops{work.pass[0].flops[p]}) : "0");
        case forward: return time(e.forward);
        case backward: return time(e.backward());
        case update: return time(e.update);
        case communication: return time(e.communication);
        case hidden: return time(e.hidden);
        case total: return time(e.total());
        case difference: {
            const LayerEstimate* other = pinned_.empty() ? nullptr : pinned_[static_cast<std::size_t>(at.row())];
            if (!other) return raw ? QVariant() : QVariant(QStringLiteral("–"));
            const compare::KeyValue now{"total", e.total().value, compare::Wanted::less},
                then{"total", other->total().value, compare::Wanted::less};
            const compare::ValueChange change = compare::change_of(now, then);
            if (raw) return change.absolute;
            if (change.verdict == compare::Verdict::same) return QStringLiteral("=");
            const QString sign = change.absolute < 0 ? QStringLiteral("\u2212") : QStringLiteral("+");
            const QString text = sign + told(format_in(Seconds{std::abs(change.absolute)}, {unit_, layer_decimals}));
            if (!change.relative) return text;
            return QStringLiteral("%1 (%2)").arg(text, told(format_change(Fraction{*change.relative})));
        }
        case memory: return number(e.kept.value, format_bytes(e.kept));
        default: return {};
    }
}

QVariant LayerTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section >= parameters ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const WorkerWords words = result_ ? worker_words(result_->request.scenario) : WorkerWords{};
    const QString one = QString::fromLatin1(words.one.data(), static_cast<qsizetype>(words.one.size()));
    if (role == Qt::ToolTipRole) switch (section) {
            case forward_flops: return tr("Floating-point operations of the forward pass, for one sample");
            case forward:
            case backward:
            case update: return tr("%1 per step, on the %2 that has the layer").arg(unit_name(unit_), one);
            case communication: return tr("%1 per step that no other work hides").arg(unit_name(unit_));
            case hidden: return tr("%1 of communication behind other work; no part of the total").arg(unit_name(unit_));
            case total: return tr("%1 per step").arg(unit_name(unit_));
            case difference:
                return tr("Total less that of the layer of the same name in the pinned design, %1 per step")
                    .arg(unit_name(unit_));
            case memory: return tr("Kept from the forward pass for the backward pass, on one %1").arg(one);
            default: return {};
        }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case name: return tr("Layer");
        case kind: return tr("Kind");
        case output: return tr("Output");
        case parameters: return tr("Parameters");
        case forward_flops: return tr("Work/sample");
        case forward: return tr("Forward");
        case backward: return tr("Backward");
        case update: return tr("Update");
        case communication: return tr("Comm.");
        case hidden: return tr("Hidden");
        case total: return tr("Total");
        case difference:
            return pin_ < 0 ? QString() : tr("vs %1").arg(QLatin1Char(letter_of_pin(static_cast<std::size_t>(pin_))));
        case memory: return tr("Keeps");
        default: return {};
    }
}

LayerTable::LayerTable(QWidget* parent)
    : QTableView(parent), model_(new LayerTableModel(this)), sorted_(new QSortFilterProxyModel(this)) {
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(Qt::UserRole);
    setModel(sorted_);
    setObjectName(QStringLiteral("layerTable"));
    setAccessibleName(tr("Layers"));
    setFont(type::table());
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setItemDelegate(new LayerTableDelegate(hovered_, this));
    setMouseTracking(true);
    setWordWrap(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    use_overlay_scroll_bar(*this, 2);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(space::table_row);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setFont(type::table());
    horizontalHeader()->setMinimumSectionSize(24);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (!quiet_ && now.isValid()) emit selected(key_at(now));
    });
    connect(this, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu(this);
        connect(menu.addAction(tr("Copy the table")), &QAction::triggered, this, &LayerTable::copy);
        menu.addAction(tr("In network order"), this, [this] { sortByColumn(-1, Qt::AscendingOrder); });
        menu.exec(viewport()->mapToGlobal(at));
    });
}

int LayerTable::key_at(const QModelIndex& index) const { return model_->key(sorted_->mapToSource(index).row()); }

void LayerTable::show_result(const LiveResultPtr& result) {
    const QScopedValueRollback<bool> guard(quiet_, true);
    const int before = model_->rowCount();
    result_ = result;
    model_->set_result(result, pin_);
    const auto hidden = [this] {
        return std::pair(isColumnHidden(LayerTableModel::hidden), isColumnHidden(LayerTableModel::difference));
    };
    const auto fewer = hidden();
    setColumnHidden(LayerTableModel::hidden, !model_->has_hidden());
    setColumnHidden(LayerTableModel::difference, !model_->has_pin());
    const bool other = model_->rowCount() != before || fewer != hidden();
    if (other) hovered_ = -1;
    if (other || (result && !result->request.dragging)) fit_columns();
    emit unit_changed(model_->unit());
}

void LayerTable::compare_with(int pin) {
    if (std::exchange(pin_, pin) == pin || !result_) return;
    show_result(result_);
    model_->headerDataChanged(Qt::Horizontal, LayerTableModel::difference, LayerTableModel::difference);
}

/// Every column as wide as its widest text; what is left over goes to all alike.
void LayerTable::fit_columns() {
    if (model_->rowCount() == 0) return;
    const QFontMetrics heading(horizontalHeader()->font());
    const QStyleOptionViewItem option;
    std::vector<int> widths(LayerTableModel::column_count, 0);
    int total = 0, shown = 0;
    for (int c = 0; c < LayerTableModel::column_count; ++c) {
        if (isColumnHidden(c)) continue;
        auto& width = widths[static_cast<std::size_t>(c)];
        width = heading.horizontalAdvance(model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString()) +
                2 * cell_padding + 7;
        const int look = std::min(model_->rowCount(), 160);
        for (int r = 0; r < look; ++r)
            width = std::max(width, itemDelegate()->sizeHint(option, model_->index(r, c)).width());
        if (c == LayerTableModel::name) width = std::min(width, 260);
        total += width;
        ++shown;
    }
    const int spare = std::max(0, viewport()->width() - total) / std::max(1, shown);
    for (int c = 0; c < LayerTableModel::column_count; ++c)
        if (!isColumnHidden(c)) setColumnWidth(c, widths[static_cast<std::size_t>(c)] + spare);
}

void LayerTable::set_selected(int key) {
    const QScopedValueRollback<bool> guard(quiet_, true);
    const int row = key < 0 ? -1 : model_->row_of(key);
    if (row < 0)
        clearSelection();
    else
        setCurrentIndex(sorted_->mapFromSource(model_->index(row, 0)));
}

void LayerTable::set_hovered(int key) {
    const int row = key < 0 ? -1 : model_->row_of(key);
    const int shown = row < 0 ? -1 : sorted_->mapFromSource(model_->index(row, 0)).row();
    if (shown == hovered_) return;
    hovered_ = shown;
    viewport()->update();
}

bool LayerTable::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::MouseMove) {
        const QModelIndex index = indexAt(static_cast<QMouseEvent*>(event)->position().toPoint());
        if (index.row() != hovered_) {
            hovered_ = index.row();
            viewport()->update();
            emit hovered(index.isValid() ? key_at(index) : -1);
        }
    } else if (event->type() == QEvent::Leave && hovered_ >= 0) {
        hovered_ = -1;
        viewport()->update();
        emit hovered(-1);
    } else if (event->type() == QEvent::Resize) {
        fit_columns();
    }
    return QTableView::viewportEvent(event);
}

void LayerTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return copy();
    QTableView::keyPressEvent(event);
}

/// The table as it is sorted, numbers in full, for a spreadsheet.
void LayerTable::copy() {
    ChartTable table;
    std::vector<int> columns;
    for (int c = 0; c < LayerTableModel::column_count; ++c) {
        if (isColumnHidden(c)) continue;
        columns.push_back(c);
        const bool time = c >= LayerTableModel::forward && c <= LayerTableModel::difference;
        const QString unit = time                                  ? QStringLiteral("s")
                             : c == LayerTableModel::memory        ? QStringLiteral("B")
                             : c == LayerTableModel::forward_flops ? QStringLiteral("FLOP")
                                                                   : QString();
        const QString title = model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
        table.columns.push_back({title, title, unit});
    }
    for (int r = 0; r < sorted_->rowCount(); ++r) {
        std::vector<ChartCell> cells;
        for (int c : columns) {
            const QVariant value = sorted_->index(r, c).data(Qt::UserRole);
            if (value.typeId() == QMetaType::Double)
                cells.emplace_back(value.toDouble());
            else
                cells.emplace_back(value.toString());
        }
        table.rows.push_back(std::move(cells));
    }
    QApplication::clipboard()->setText(to_tabbed_text(table));
}

}  // namespace scalescope::ui
