// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/format.hpp"
#include "core/formats/csv_write.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

QString cell_text(const ChartCell& cell) { return cell.is_number() ? exact_text(cell.number()) : cell.text(); }

}  // namespace

QString exact_text(double value) {
    if (!std::isfinite(value)) return {};
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return QString::fromLatin1(buffer.data(), static_cast<qsizetype>(end.ptr - buffer.data()));
}

QByteArray to_csv(const ChartTable& table, const QStringList& notes) {
    FigureTable figures;
    for (const ChartColumn& column : table.columns) figures.columns.push_back(column.key.toStdString());
    for (const auto& row : table.rows) {
        auto& cells = figures.rows.emplace_back();
        for (const ChartCell& cell : row) {
            TableCell& written = cells.emplace_back();
            if (cell.is_number())
                written = cell.number();
            else if (cell.is_text())
                written = cell.text().toStdString();
        }
    }
    std::vector<std::string> comments;
    for (const QString& note : notes) comments.push_back(note.toStdString());
    return QByteArray::fromStdString(formats::write_csv(figures, comments));
}

QString tabbed_cell(QString text) {
    // A spreadsheet reads pasted text as it reads a file.
    if (formats::reads_as_formula(text.toStdString())) text.prepend(QLatin1Char('\''));
    return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString to_tabbed_text(const ChartTable& table) {
    QString text;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        text += (c ? QStringLiteral("\t") : QString()) + tabbed_cell(table.columns[c].key);
    text += QLatin1Char('\n');
    for (const auto& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c)
            text += (c ? QStringLiteral("\t") : QString()) + tabbed_cell(cell_text(row[c]));
        text += QLatin1Char('\n');
    }
    return text;
}

void ChartTableModel::set_table(ChartTable table) {
    if (table == table_) return;
    if (table.columns != table_.columns || table.rows.size() != table_.rows.size()) {
        beginResetModel();
        table_ = std::move(table);
        endResetModel();
        return;
    }
    table_ = std::move(table);
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}

int ChartTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(table_.columns.size());
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const ChartCell& cell =
        table_.rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    switch (role) {
        case Qt::DisplayRole:
            if (cell.is_number()) {
                const double number = cell.number();
                const bool count = table_.columns[static_cast<std::size_t>(index.column())].unit.isEmpty() &&
                                   number == std::floor(number) && std::abs(number) < 1e15;
                // Neither a row of zeros nor a dozen digits that nobody reads.
                const bool far = number != 0.0 && (std::abs(number) < 1e-3 || std::abs(number) >= 1e7);
                if (!count && far) return with_marks(QString::number(number, 'g', 4));
                return told(count ? format_count(static_cast<std::int64_t>(number)) : format_number(number, 5, 4));
            }
            if (cell.is_text()) return cell.shown();
            return QString::fromUtf8(no_value.data(), static_cast<qsizetype>(no_value.size()));
        case Qt::EditRole:  // what copying and sorting read
            if (cell.is_number()) return cell.number();
            return cell.is_text() ? QVariant(cell.text()) : QVariant();  // nothing stands last, however it is sorted
        case Qt::ToolTipRole: return cell.is_number() ? QVariant(exact_text(cell.number())) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter | (cell.is_text() ? Qt::AlignLeft : Qt::AlignRight));
        default: return {};
    }
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    if (section < 0 || section >= columnCount()) return {};
    const ChartColumn& column = table_.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return column.unit.isEmpty() ? column.name : column.name + QStringLiteral(", ") + column.unit;
    if (role == Qt::TextAlignmentRole) {
        const bool text = std::any_of(table_.rows.begin(), table_.rows.end(), [section](const auto& row) {
            return row[static_cast<std::size_t>(section)].is_text();
        });
        return QVariant::fromValue(Qt::AlignVCenter | (text ? Qt::AlignLeft : Qt::AlignRight));
    }
    return {};
}

}  // namespace scalescope::ui
