// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/measure/validate/validate.hpp"
#include "ui/live/background.hpp"

class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace scalescope::ui {

class ChartTableModel;
class Combo;
class ProgressRow;
class XyChart;

/// Published results against what the model says of them: a scatter, every row with its evidence or the reason why it
/// has none, and how far the model is off beside simpler rules.
class ValidationPage final : public QWidget {
    Q_OBJECT
public:
    /// `library` must outlive the page.
    explicit ValidationPage(const formats::Library& library, QWidget* parent = nullptr);

    /// Adds a table, and predicts all of them anew. A table with the name of one that is open takes its place.
    void add_table(const QString& file, std::vector<measure::PublishedRow> rows);
    void clear();
    /// Asks what the columns of a table mean, keeps the answer beside it, and adds the table so read.
    void ask_columns(const QString& file);
    bool empty() const { return tables_.empty(); }
    const std::shared_ptr<const measure::Validation>& validation() const { return validation_; }
    Background& work() { return work_; }
    XyChart* chart() const { return chart_; }
    QTableView* rows_view() const { return rows_view_; }

signals:
    void open_asked();
    void updated();
    /// A person wants to see this result's scenario; `name` says which it is.
    void scenario_asked(const Scenario& scenario, const QString& name);

private:
    QWidget* build_work();
    void validate();
    void show_validation();
    void open_row(int row);

    const formats::Library& library_;
    struct Table {
        QString file;
        std::vector<measure::PublishedRow> rows;
    };
    std::vector<Table> tables_;
    measure::ValidateOptions options_;
    std::shared_ptr<const measure::Validation> validation_;
    Background work_;
    QStackedWidget* pages_;
    QLabel* verdict_ = nullptr;
    Combo *calibrate_ = nullptr, *model_ = nullptr, *unit_ = nullptr;
    QPushButton *open_ = nullptr, *columns_ = nullptr;
    ProgressRow* progress_ = nullptr;
    XyChart* chart_ = nullptr;
    QTableView* rows_view_ = nullptr;
    ChartTableModel *rows_ = nullptr, *groups_ = nullptr, *reasons_ = nullptr;
};

}  // namespace scalescope::ui
