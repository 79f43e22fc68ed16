// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/runs_table.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <algorithm>

#include "core/base/format.hpp"
#include "ui/charts/chart_table.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/fit_charts.hpp"
#include "ui/measure/runs_document.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/overlay_scroll.hpp"

namespace scalescope::ui {
namespace {

std::size_t index_of(int i) { return static_cast<std::size_t>(i); }

}  // namespace

RunsTableModel::RunsTableModel(RunsDocument& document, QObject* parent)
    : QAbstractTableModel(parent), document_(document) {
    connect(&document_, &RunsDocument::changed, this, &RunsTableModel::read);
    connect(&document_, &RunsDocument::fit_changed, this, &RunsTableModel::read);
    read();
}

void RunsTableModel::read() {
    const auto& sheet = document_.sheet();
    const int rows = static_cast<int>(sheet.rows()), columns = static_cast<int>(sheet.columns());
    const bool other = rows != rows_ || columns != columns_;
    if (other) beginResetModel();
    rows_ = rows;
    columns_ = columns;
    run_of_row_.assign(sheet.rows(), -1);
    fitted_of_row_.assign(sheet.rows(), -1);
    const auto place = [](std::vector<int>& places, const std::vector<std::size_t>& of) {
        for (std::size_t i = 0; i < of.size(); ++i)
            if (of[i] < places.size()) places[of[i]] = static_cast<int>(i);
    };
    if (document_.imported()) place(run_of_row_, document_.imported()->rows);
    if (document_.fit() && !document_.fit_is_stale()) place(fitted_of_row_, document_.fit()->rows);
    if (other)
        endResetModel();
    else if (rows > 0)
        emit dataChanged(index(0, 0), index(rows - 1, columnCount() - 1));
}

int RunsTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }

int RunsTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || columns_ == 0 ? 0 : first_cell + columns_;
}

QVariant RunsTableModel::shown(int row, int column) const {
    const int run = run_of_row_[index_of(row)], fitted = fitted_of_row_[index_of(row)];
    const auto* runs = document_.runs();
    switch (column) {
        case use: return run < 0 ? tr("not read") : runs->held_out[index_of(run)] ? tr("held out") : tr("fitted");
        case time: return run < 0 ? QVariant() : seconds_text(runs->seconds[index_of(run)]);
        case predicted: return fitted < 0 ? QVariant() : seconds_text(document_.fit()->fit.predicted[index_of(fitted)]);
        case error: {
            if (fitted < 0) return {};
            const double off =
                document_.fit()->fit.predicted[index_of(fitted)] / document_.fit()->runs.seconds[index_of(fitted)] -
                1.0;
            return told(format_change(Fraction{off}));
        }
        default: return QString::fromStdString(document_.sheet().cell(index_of(row), index_of(column - first_cell)));
    }
}

QVariant RunsTableModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid() || at.row() >= rows_) return {};
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole: return shown(at.row(), at.column());
        case Qt::ToolTipRole: {
            const int fitted = fitted_of_row_[index_of(at.row())];
            if (at.column() == predicted && fitted >= 0 && !document_.fit()->fit.bands.empty()) {
                const auto& band = document_.fit()->fit.bands[index_of(fitted)];
                QString tip = tr("90 % between %1 and %2").arg(seconds_text(band.low), seconds_text(band.high));
                const auto& outside = document_.fit()->fit.outside[index_of(fitted)];
                QStringList names;
                for (const auto& name : outside) names << QString::fromStdString(name);
                if (!names.isEmpty())
                    tip += QLatin1Char('\n') + tr("Extrapolated in %1").arg(names.join(QStringLiteral(", ")));
                return tip;
            }
            return at.column() >= first_cell ? shown(at.row(), at.column()) : QVariant();
        }
        case Qt::ForegroundRole:
            if (run_of_row_[index_of(at.row())] < 0) return theme().disabled;
            if (at.column() == use && document_.runs()->held_out[index_of(run_of_row_[index_of(at.row())])])
                return theme().secondary;
            return {};
        case Qt::TextAlignmentRole: {
            bool number = at.column() != use;
            if (at.column() >= first_cell) {
                const auto cell = shown(at.row(), at.column()).toString();
                cell.toDouble(&number);
            }
            return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        }
        default: return {};
    }
}

bool RunsTableModel::setData(const QModelIndex& at, const QVariant& value, int role) {
    if (role != Qt::EditRole || !at.isValid() || at.column() < first_cell) return false;
    document_.set_cell(index_of(at.row()), index_of(at.column() - first_cell), value.toString());
    return true;
}

QVariant RunsTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == use || section >= first_cell ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == time) return tr("Of one unit of work, as it was read");
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case use: return tr("Use");
        case time: return tr("Time");
        case predicted: return tr("Predicted");
        case error: return tr("Error");
        default: return QString::fromStdString(document_.sheet().names()[index_of(section - first_cell)]);
    }
}

Qt::ItemFlags RunsTableModel::flags(const QModelIndex& at) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(at);
    if (at.isValid() && at.column() >= first_cell) flags |= Qt::ItemIsEditable;
    return flags;
}

RunsTable::RunsTable(RunsDocument& document, QWidget* parent)
    : QTableView(parent), document_(document), model_(new RunsTableModel(document, this)) {
    setModel(model_);
    setObjectName(QStringLiteral("runsTable"));
    setAccessibleName(tr("Runs"));
    setFont(type::table());
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    use_overlay_scroll_bar(*this, 2);
    verticalHeader()->setDefaultSectionSize(space::table_row);
    verticalHeader()->setFont(type::caption());
    verticalHeader()->setHighlightSections(false);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setFont(type::table());
    connect(model_, &QAbstractItemModel::modelReset, this, &RunsTable::fit_columns);
    connect(&document_, &RunsDocument::fit_changed, this, &RunsTable::fit_columns);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (!quiet_ && now.isValid()) emit row_chosen(now.row());
    });
    connect(this, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu(this);
        QAction* edit_cell = menu.addAction(tr("Edit the cell"), this, [this] { edit(currentIndex()); });
        edit_cell->setEnabled(currentIndex().isValid() && currentIndex().column() >= RunsTableModel::first_cell);
        menu.addAction(tr("Remove the selected runs"), this, &RunsTable::remove_selected);
        menu.addAction(tr("Copy"), this, &RunsTable::copy);
        menu.exec(viewport()->mapToGlobal(at));
    });
    fit_columns();
}

void RunsTable::fit_columns() {
    const int columns = model_->columnCount();
    if (columns == 0) return;
    const QFontMetrics heading(horizontalHeader()->font()), cells(font());
    for (int c = 0; c < columns; ++c) {
        int width = heading.horizontalAdvance(model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString()) + 18;
        const int look = std::min(model_->rowCount(), 200);
        for (int r = 0; r < look; ++r)
            width = std::max(
                width, cells.horizontalAdvance(model_->data(model_->index(r, c), Qt::DisplayRole).toString()) + 18);
        setColumnWidth(c, std::clamp(width, c < RunsTableModel::first_cell ? 66 : 48, 220));
    }
}

void RunsTable::select_row(int row) {
    const QScopedValueRollback<bool> guard(quiet_, true);
    if (row < 0 || row >= model_->rowCount()) return clearSelection();
    const QModelIndex there = model_->index(row, std::max(0, currentIndex().column()));
    setCurrentIndex(there);
    scrollTo(there);
}

void RunsTable::remove_selected() {
    std::vector<std::size_t> rows;
    for (const QModelIndex& at : selectionModel()->selectedRows()) rows.push_back(index_of(at.row()));
    document_.remove_rows(std::move(rows));
}

void RunsTable::copy() {
    QStringList lines;
    QList<QModelIndex> rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row() < b.row(); });
    const auto line = [&](auto cell) {
        QStringList cells;
        for (int c = 0; c < model_->columnCount(); ++c)  // the columns of the file come after our own
            cells << (c < RunsTableModel::first_cell ? cell(c) : tabbed_cell(cell(c)));
        return cells.join(QLatin1Char('\t'));
    };
    lines << line([&](int c) { return model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString(); });
    for (const QModelIndex& row : rows)
        lines << line([&](int c) { return model_->data(model_->index(row.row(), c), Qt::DisplayRole).toString(); });
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void RunsTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return copy();
    if (event->key() == Qt::Key_Delete) return remove_selected();
    QTableView::keyPressEvent(event);
}

}  // namespace scalescope::ui
