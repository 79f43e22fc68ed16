// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/layer_table.hpp"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>

#include "core/base/format.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/chart_mapping.hpp"

namespace scalescope::ui {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

void LayerTableModel::set_result(const LiveResultPtr& result) {
    const auto rows_of = [](const LiveResultPtr& r) { return r && r->estimate ? r->estimate->layers.size() : 0; };
    const bool same_rows = result_ && result && rows_of(result_) == rows_of(result);
    if (!same_rows) beginResetModel();
    result_ = result;
    if (!same_rows)
        endResetModel();
    else if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

int LayerTableModel::key(int row) const {
    const LayerEstimate& e = result_->estimate->layers[static_cast<std::size_t>(row)];
    return layer_key(e.part, e.position);
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
    if (role != Qt::DisplayRole && role != Qt::UserRole) return {};
    const bool raw = role == Qt::UserRole;
    const LayerEstimate& e = result_->estimate->layers[static_cast<std::size_t>(at.row())];
    const auto part = static_cast<std::size_t>(e.part), p = static_cast<std::size_t>(e.position);
    const Network& network = *result_->request.scenario.workload[part].network;
    const LayerFacts& f = network.facts()[p];
    const Work& work = result_->plan->parts[part].work;
    auto number = [&](double value, const std::string& shown) { return raw ? QVariant(value) : QVariant(text(shown)); };
    auto milliseconds_of = [&](Seconds t) { return number(t.value, format_fixed(in_milliseconds(t), 3)); };
    switch (at.column()) {
        case name: return text(network.layers()[p].name);
        case kind:
            return QString::fromUtf8(network.layers()[p].kind->title.data(),
                                     static_cast<qsizetype>(network.layers()[p].kind->title.size()));
        case output: return text(to_text(f.output));
        case parameters: return number(static_cast<double>(f.weights), format_count(f.weights));
        case forward_flops:
            return number(work.pass[0].flops[p], f.multiply_adds > 0 ? format_work(Flops{work.pass[0].flops[p]}) : "0");
        case forward: return milliseconds_of(e.forward);
        case backward: return milliseconds_of(e.backward());
        case update: return milliseconds_of(e.update);
        case communication: return milliseconds_of(e.communication);
        case hidden: return milliseconds_of(e.hidden);
        case total: return milliseconds_of(e.total());
        case memory: return number(work.kept_bytes[p] * e.samples, format_bytes(Bytes{work.kept_bytes[p] * e.samples}));
        default: return {};
    }
}

QVariant LayerTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section >= parameters ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case name: return tr("Layer");
        case kind: return tr("Kind");
        case output: return tr("Output");
        case parameters: return tr("Parameters");
        case forward_flops: return tr("Work / sample");
        case forward: return tr("Forward ms");
        case backward: return tr("Backward ms");
        case update: return tr("Update ms");
        case communication: return tr("Comm. ms");
        case hidden: return tr("Hidden ms");
        case total: return tr("Total ms");
        case memory: return tr("Kept");
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
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(space::table_row);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setFont(type::caption());
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(LayerTableModel::name, QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(LayerTableModel::kind, QHeaderView::ResizeToContents);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (!quiet_ && now.isValid()) emit selected(model_->key(sorted_->mapToSource(now).row()));
    });
}

void LayerTable::show_result(const LiveResultPtr& result) {
    const QScopedValueRollback<bool> guard(quiet_, true);
    model_->set_result(result);
}

void LayerTable::set_selected(int key) {
    const QScopedValueRollback<bool> guard(quiet_, true);
    const int row = key < 0 ? -1 : model_->row_of(key);
    if (row < 0)
        clearSelection();
    else
        setCurrentIndex(sorted_->mapFromSource(model_->index(row, 0)));
}

}  // namespace scalescope::ui
