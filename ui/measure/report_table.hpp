// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QTableView;

namespace scalescope::ui {

class ChartTableModel;

/// A table that is read, not edited: rows are selected and copied (Ctrl+C); sorted by its headings if wanted, then its
/// model is a QSortFilterProxyModel over `model`.
QTableView* make_report_table(ChartTableModel& model, const QString& accessible_name, bool sorts);

}  // namespace scalescope::ui
