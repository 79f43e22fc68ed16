// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <cmath>
#include <utility>
#include <vector>

namespace scalescope::ui {

struct ChartColumn {
    QString key;   ///< column name in CSV, with its unit: "forward_ms". Never translated: scripts read it.
    QString name;  ///< "Forward"
    QString unit;  ///< "ms", empty for text and counts
    bool operator==(const ChartColumn&) const = default;
};

/// Nothing (no value here), a text, or a number in the column's unit. What is not finite is nothing.
class ChartCell {
public:
    ChartCell() = default;
    ChartCell(QString text) : kind_(Kind::text), text_(std::move(text)) {}
    /// A text that files keep, and how people are told it.
    ChartCell(QString text, QString shown) : kind_(Kind::text), text_(std::move(text)), shown_(std::move(shown)) {}
    ChartCell(double number) {
        if (!std::isfinite(number)) return;
        kind_ = Kind::number;
        number_ = number;
    }
    bool is_text() const { return kind_ == Kind::text; }
    bool is_number() const { return kind_ == Kind::number; }
    const QString& text() const { return text_; }
    const QString& shown() const { return shown_.isEmpty() ? text_ : shown_; }
    double number() const { return number_; }
    bool operator==(const ChartCell&) const = default;

private:
    enum class Kind { nothing, text, number };
    Kind kind_ = Kind::nothing;
    QString text_, shown_;
    double number_ = 0.0;
};

/// The numbers behind a chart: what it draws, no more and no less.
struct ChartTable {
    std::vector<ChartColumn> columns;
    std::vector<std::vector<ChartCell>> rows;
    bool operator==(const ChartTable&) const = default;
};

/// Dot as decimal mark, comma between fields whatever the locale, one header row with units, numbers as the shortest
/// text that reads back the same double, quotes as RFC 4180. Each note becomes a line "# note" before the header.
QByteArray to_csv(const ChartTable& table, const QStringList& notes = {});
/// The same with tabs, which spreadsheets paste into cells; no notes.
QString to_tabbed_text(const ChartTable& table);
/// One such cell, on one line. Text that a spreadsheet would take for a formula gets an apostrophe.
QString tabbed_cell(QString text);
/// Shortest text that reads back the same double; empty if it is not finite.
QString exact_text(double value);

/// The table as Qt's views want it: "Show as table" and screen readers read the chart through this.
class ChartTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Keeps selection and scroll position when only numbers changed.
    void set_table(ChartTable table);
    const ChartTable& table() const { return table_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    ChartTable table_;
};

}  // namespace scalescope::ui
