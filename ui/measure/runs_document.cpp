// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/runs_document.hpp"

#include <QFileInfo>
#include <QUndoCommand>
#include <algorithm>
#include <thread>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/measure/fit/fit_json.hpp"
#include "ui/measure/runs_session.hpp"

namespace scalescope::ui {

class RunsDocument::Step final : public QUndoCommand {
public:
    Step(RunsDocument& document, RunsState before, RunsState after, const QString& what, int merge_id)
        : QUndoCommand(what),
          document_(document),
          before_(std::move(before)),
          after_(std::move(after)),
          id_(merge_id) {}
    void undo() override { document_.apply(before_); }
    void redo() override { document_.apply(after_); }
    int id() const override { return id_; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const Step*>(other);
        after_ = next->after_;
        return true;
    }

private:
    RunsDocument& document_;
    RunsState before_, after_;
    int id_;
};

namespace {

constexpr int numbers_step = 1;

/// Whether a table's runs are those of a fit, whatever their file looked like.
bool same_runs(const FittedRuns& fitted, const measure::ImportedRuns& now) {
    if (fitted.runs.seconds != now.runs.seconds) return false;
    return std::all_of(fitted.runs.columns.begin(), fitted.runs.columns.end(), [&](const measure::RunColumn& column) {
        const auto* other = now.runs.find(column.name);
        return other && other->words == column.words;
    });
}

/// The same, if the table is read as that of the fit was.
bool belongs(const FittedRuns& fitted, const measure::RunSheet& sheet) {
    const auto read = measure::import_runs(sheet.to_csv(), {}, fitted.map, fitted.hold);
    return read && same_runs(fitted, *read) && fitted.runs.held_out == read->runs.held_out;
}

RunsState with_settings_of(const FittedRuns& fitted, RunsState state) {
    const auto threads = state.options.threads;
    state.map = fitted.map;
    state.hold = fitted.hold;
    state.options = fitted.fit.options;
    state.options.threads = threads;
    return state;
}

std::string setup_text(const RunsState& state) {
    formats::JsonWriter json;
    measure::write_setup(json, {state.map, state.hold, state.options});
    return json.take();
}

std::size_t threads_to_use() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace

RunsDocument::RunsDocument(QObject* parent) : QObject(parent), costs_(std::make_shared<Costs>()) {
    state_.sheet = saved_sheet_ = std::make_shared<measure::RunSheet>();
    connect(&work_, &Background::progressed, this, &RunsDocument::costs_changed);
}

void RunsDocument::open(measure::RunSheet sheet, FileOnDisk file) {
    work_.cancel();
    // A fit that was opened before its table stays, if this is the one.
    const FittedRunsPtr waiting = empty() ? fit_ : nullptr;
    const QString waiting_file = fit_file_;
    file_ = std::move(file);
    fit_.reset();
    fit_problems_.clear();
    history_.clear();
    sheet_changed_ = false;
    begin(std::make_shared<measure::RunSheet>(std::move(sheet)));
    saved_sheet_ = state_.sheet;
    if (waiting && belongs(*waiting, *state_.sheet)) {
        state_ = with_settings_of(*waiting, state_);
        import();
        take_fit(waiting, waiting_file);
    }
    {
        std::lock_guard lock(costs_->mutex);
        costs_->best.clear();
    }
    emit changed();
    emit fit_changed();
    emit costs_changed();
}

/// As a table is read and fitted until something else is chosen.
void RunsDocument::begin(std::shared_ptr<const measure::RunSheet> sheet) {
    state_ = {};
    state_.sheet = std::move(sheet);
    state_.options.threads = threads_to_use();
    import();
    if (const auto* r = runs()) state_.options.form = suggest_form(*r, measure::FormKind::product);
    first_setup_ = saved_setup_ = setup_text(state_);
    saved_fit_.reset();
}

void RunsDocument::take_fit(FittedRunsPtr fit, const QString& file) {
    fit_ = std::move(fit);
    fit_file_ = file;
    fit_problems_.clear();
    fitted_state_ = with_settings_of(*fit_, state_);
    if (!file.isEmpty()) fit_saved();
    std::lock_guard lock(costs_->mutex);
    costs_->best.clear();
}

void RunsDocument::restore(const KeptRuns& kept) {
    work_.cancel();
    file_ = kept.file;
    begin(kept.sheet);
    state_ = {kept.sheet, kept.setup.map, kept.setup.hold, kept.setup.options};
    state_.options.threads = threads_to_use();
    // What the file holds is not known any more; an empty table equals none that is worth keeping.
    saved_sheet_ = kept.dirty ? std::make_shared<measure::RunSheet>() : kept.sheet;
    sheet_changed_ = kept.dirty;
    history_.clear();
    fit_.reset();
    fit_problems_.clear();
    import();
    if (kept.fit) take_fit(kept.fit, kept.fit_file);
    emit changed();
    emit fit_changed();
    emit costs_changed();
}

void RunsDocument::open_fit(FittedRunsPtr fit, const QString& file) {
    work_.cancel();
    take_fit(fit, file);
    if (empty()) {
        state_ = with_settings_of(*fit_, state_);
        state_.options.threads = threads_to_use();
        emit changed();
    } else if (belongs(*fit_, sheet()) && fit_is_stale()) {
        change(with_settings_of(*fit_, state_), tr("Open a fit"));
    }
    emit fit_changed();
    emit costs_changed();
}

bool RunsDocument::fit_is_foreign() const {
    if (!fit_ || empty()) return fit_ != nullptr;
    // One that was made here is of this table, changed since or not.
    return !fit_file_.isEmpty() && (!imported() || !same_runs(*fit_, *imported()));
}

bool RunsDocument::settings_are_unsaved() const {
    if (empty()) return false;
    const std::string now = setup_text(state_);
    return now != first_setup_ && now != saved_setup_;
}

void RunsDocument::fit_saved() {
    saved_fit_ = fit_;
    saved_setup_ = setup_text(fitted_state_);
}

Result<void> RunsDocument::save_table(const QString& file) {
    const std::string text = sheet().to_csv();
    const auto written = write_file(file.toStdString(), text);
    if (!written) return written;
    file_ = {file, std::string_view(text)};
    saved_sheet_ = state_.sheet;
    sheet_changed_ = false;
    history_.setClean();
    emit changed();
    return {};
}

void RunsDocument::keep_mine() {
    file_.look_again();
    saved_sheet_ = std::make_shared<measure::RunSheet>();  // which no table that is open equals
    sheet_changed_ = true;
    emit changed();
}

void RunsDocument::import() {
    live_.update(state_.sheet, state_.map, state_.hold, QFileInfo(file()).fileName().toStdString());
}

void RunsDocument::apply(const RunsState& state) {
    state_ = state;
    sheet_changed_ = state_.sheet != saved_sheet_ && !(*state_.sheet == *saved_sheet_);
    import();
    emit changed();
}

void RunsDocument::change(RunsState state, const QString& what, int merge_id) {
    history_.push(new Step(*this, state_, std::move(state), what, merge_id));
}

void RunsDocument::set_cell(std::size_t row, std::size_t column, const QString& text) {
    if (row >= sheet().rows() || column >= sheet().columns()) return;
    if (sheet().cell(row, column) == text.toStdString()) return;
    auto sheet = std::make_shared<measure::RunSheet>(*state_.sheet);
    sheet->set_cell(row, column, text.toStdString());
    RunsState next = state_;
    next.sheet = std::move(sheet);
    change(std::move(next),
           tr("Change %1 of row %2").arg(QString::fromStdString(state_.sheet->names()[column])).arg(row + 1));
}

void RunsDocument::remove_rows(std::vector<std::size_t> rows) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    std::erase_if(rows, [this](std::size_t row) { return row >= sheet().rows(); });
    if (rows.empty()) return;
    auto sheet = std::make_shared<measure::RunSheet>(*state_.sheet);
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) sheet->take_row(*row);
    RunsState next = state_;
    next.sheet = std::move(sheet);
    change(std::move(next), rows.size() == 1 ? tr("Remove a run") : tr("Remove %1 runs").arg(rows.size()));
}

void RunsDocument::set_map(measure::ColumnMap map) {
    RunsState next = state_;
    next.map = std::move(map);
    // Other columns are other factors: a form that named one that is gone begins anew.
    auto now = measure::import_runs(sheet().to_csv(), {}, next.map, next.hold);
    if (now) {
        const auto& form = next.options.form;
        const auto known = [&](const std::vector<std::string>& names) {
            return std::all_of(names.begin(), names.end(), [&](const auto& n) { return now->runs.find(n) != nullptr; });
        };
        const bool nothing = form.extrinsic.empty() && form.intrinsic.empty();
        if (nothing || !known(form.intrinsic) || !known(form.extrinsic) || !known(form.traffic))
            next.options.form = measure::suggest_form(now->runs, form.kind);
    }
    change(std::move(next), tr("Change the columns"));
}

void RunsDocument::set_hold(measure::HoldOut hold) {
    if (hold.every == state_.hold.every && hold.workers_above == state_.hold.workers_above) return;
    RunsState next = state_;
    next.hold = hold;
    change(std::move(next), tr("Hold out runs"), numbers_step);
}

void RunsDocument::set_options(measure::FitOptions options, const QString& what) {
    RunsState next = state_;
    next.options = std::move(options);
    change(std::move(next), what);
}

void RunsDocument::set_form(measure::FormKind kind) {
    if (kind == state_.options.form.kind) return;
    RunsState next = state_;
    if (const auto* r = runs())
        next.options.form = measure::suggest_form(*r, kind);
    else
        next.options.form.kind = kind;
    change(std::move(next), tr("Change the form"));
}

void RunsDocument::start_fit() {
    fit_problems_.clear();
    if (empty() || !imported()) return;
    costs_ = std::make_shared<Costs>();
    emit costs_changed();
    work_.run(tr("Fitting"), [this, imported = *imported(), state = state_, costs = costs_](const Watch& watch) {
        const auto listener = [&costs](std::size_t, double best) {
            std::lock_guard lock(costs->mutex);
            costs->best.push_back(best);
        };
        auto fit = std::make_shared<Result<measure::Fit>>(fit_runs(imported.runs, state.options, watch, listener));
        const auto hash = measure::data_hash(state.sheet->to_csv());
        return Background::Delivery([this, fit, imported, state, hash] {
            if (*fit) {
                fit_ = std::make_shared<FittedRuns>(
                    FittedRuns{std::move(**fit), imported.runs, imported.rows, hash, state.map, state.hold});
                fitted_state_ = state;
                fit_file_.clear();
            } else {
                fit_problems_ = fit->error();
            }
            emit costs_changed();
            emit fit_changed();
        });
    });
    emit fit_changed();  // one is under way
}

void RunsDocument::cancel_fit() {
    if (!work_.running()) return;
    work_.cancel();
    emit fit_changed();
}

bool RunsDocument::fit_is_stale() const {
    if (!fit_ || !imported()) return fit_ != nullptr;
    // The same file says the same thing: settings are few, and their words are compared.
    const auto words = [](const RunsState& s) {
        const auto& o = s.options;
        const auto& f = o.form;
        return std::tuple(f.kind, f.intrinsic, f.levels, f.extrinsic, f.traffic, f.workers, f.batch, f.flops,
                          f.parameters, f.working_set, f.normalized, o.loss, o.absolute_penalty, o.lambda, o.optimizer,
                          o.seed, o.refits, s.hold.every, s.hold.workers_above);
    };
    return !same_runs(*fit_, *imported()) || fit_->runs.held_out != imported()->runs.held_out ||
           words(fitted_state_) != words(state_);
}

std::vector<double> RunsDocument::costs() const {
    std::lock_guard lock(costs_->mutex);
    return costs_->best;
}

}  // namespace scalescope::ui
