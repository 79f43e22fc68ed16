// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QUndoStack>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/measure/fit/fitted_runs.hpp"
#include "core/measure/fit/forms.hpp"
#include "core/measure/runs/live_runs.hpp"
#include "core/measure/runs/sheet.hpp"
#include "ui/document/file_on_disk.hpp"
#include "ui/live/background.hpp"

namespace scalescope::ui {

struct KeptRuns;

/// Everything a fit follows from.
struct RunsState {
    std::shared_ptr<const measure::RunSheet> sheet;  ///< never null
    measure::ColumnMap map;
    measure::HoldOut hold;
    measure::FitOptions options;
};

using FittedRuns = measure::FittedRuns;
using FittedRunsPtr = std::shared_ptr<const FittedRuns>;

/// A table of runs that is open: its cells, what its columns are, and the last fit. Every change is an undo step and is
/// imported at once; fits run beside the window, and one that no longer belongs to the table says so.
class RunsDocument final : public QObject {
    Q_OBJECT
public:
    explicit RunsDocument(QObject* parent = nullptr);

    /// Takes the place of what was open; forgets its history.
    void open(measure::RunSheet sheet, FileOnDisk file);
    /// What was left behind, as it was; without its history.
    void restore(const KeptRuns& kept);
    /// A saved fit. If it is of the table that is open, or none is, the settings become its own: an undo step.
    void open_fit(FittedRunsPtr fit, const QString& file);
    bool empty() const { return state_.sheet->columns() == 0; }
    /// Where the fit was read from; empty for one that was made here.
    QString fit_file() const { return fit_file_; }
    /// The fit is of another table than the one that is open, or none is open.
    bool fit_is_foreign() const;
    QString file() const { return file_.file(); }
    const FileOnDisk& on_disk() const { return file_; }
    /// The file holds what another program wrote; what is open here differs from it, and is to be saved.
    void keep_mine();
    const RunsState& state() const { return state_; }
    const measure::RunSheet& sheet() const { return *state_.sheet; }
    /// The runs, or why there are none.
    const Result<measure::ImportedRuns>& imported() const { return live_.imported(); }
    const measure::Runs* runs() const { return imported() ? &imported()->runs : nullptr; }
    /// Cells were changed since the table was opened or written.
    bool dirty() const { return sheet_changed_; }
    /// The fit was made here, and no file holds it.
    bool fit_is_unsaved() const { return fit_ && fit_ != saved_fit_; }
    /// Columns and options were chosen that neither a file holds nor whoever opens the table gets.
    bool settings_are_unsaved() const;
    /// The fit was written to a file, with its settings.
    void fit_saved();
    /// Writes the table; a Problem says why not.
    Result<void> save_table(const QString& file);

    QUndoStack& history() { return history_; }
    void set_cell(std::size_t row, std::size_t column, const QString& text);
    void remove_rows(std::vector<std::size_t> rows);
    void set_map(measure::ColumnMap map);
    void set_hold(measure::HoldOut hold);
    void set_options(measure::FitOptions options, const QString& what);
    /// Another kind of form, with the factors that suit it.
    void set_form(measure::FormKind kind);

    /// Fits what is set now; a newer fit takes the place of one that runs.
    void start_fit();
    void cancel_fit();
    bool fitting() const { return work_.running(); }
    Background& work() { return work_; }
    const FittedRunsPtr& fit() const { return fit_; }
    /// Why the last fit came to nothing.
    const Problems& fit_problems() const { return fit_problems_; }
    /// What is set now is not what was fitted.
    bool fit_is_stale() const;
    /// Best cost after every generation or start of the fit that runs, or ran last.
    std::vector<double> costs() const;

signals:
    void changed();      ///< cells, columns or options
    void fit_changed();  ///< another fit, or none
    void costs_changed();

private:
    class Step;
    void apply(const RunsState& state);
    void change(RunsState state, const QString& what, int merge_id = -1);
    void import();
    void take_fit(FittedRunsPtr fit, const QString& file);
    void begin(std::shared_ptr<const measure::RunSheet> sheet);

    struct Costs {
        std::mutex mutex;
        std::vector<double> best;
    };

    FileOnDisk file_;
    RunsState state_;
    std::shared_ptr<const measure::RunSheet> saved_sheet_;
    bool sheet_changed_ = false;
    measure::LiveRuns live_;
    QUndoStack history_;
    FittedRunsPtr fit_, saved_fit_;
    std::string first_setup_, saved_setup_;  ///< of the table as it was opened, and of the last file of a fit
    RunsState fitted_state_;
    QString fit_file_;
    Problems fit_problems_;
    std::shared_ptr<Costs> costs_;
    Background work_;
};

}  // namespace scalescope::ui
