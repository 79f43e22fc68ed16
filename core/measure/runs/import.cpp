// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/runs/import.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

#include "core/base/decimal.hpp"
#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/base/suggest.hpp"

namespace scalescope::measure {

namespace {

using formats::CsvTable;

class RunImporter {
public:
    RunImporter(const CsvTable& table, const ColumnMap& map, const HoldOut& hold)
        : table_(table), map_(map), hold_(hold) {}

    Result<ImportedRuns> read() {
        find_columns();
        if (!problems_.empty()) return fail(std::move(problems_));
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < table_.rows(); ++row)
            if (kept(row)) rows.push_back(row);
        if (rows.empty() && problems_.empty())
            problems_.push_back(make_error("No run is left to read.", "loosen the filters", header()));
        refuse_too_many(rows.size());
        if (!problems_.empty()) return fail(std::move(problems_));
        std::vector<std::size_t> timed;
        for (const std::size_t row : rows)
            if (read_time(row)) timed.push_back(row);
        if (timed.empty() && unit_column_) timed = read_as_work(rows);
        if (unusable_ > 0) warn_about_unusable();
        if (timed.empty()) {
            problems_ = std::move(result_.warnings);
            problems_.push_back(make_error("No run has a time that could be used.",
                                           "name the column of times, and its unit", name_of_time()));
            return fail(std::move(problems_));
        }
        result_.runs.header = header();
        read_columns(timed);
        derive_batches();
        read_split(timed);
        if (!problems_.empty()) return fail(std::move(problems_));
        warn_about_metrics();
        warn_about_duplicates();
        return std::move(result_);
    }

private:
    /// A fit goes over all of them thousands of times, and keeps what it predicts of each.
    void refuse_too_many(std::size_t runs) {
        const std::size_t most = std::min(limits::runs, limits::run_cells / std::max<std::size_t>(table_.columns(), 1));
        if (runs <= most) return;
        const auto count = [](std::size_t n) { return format_count(static_cast<std::int64_t>(n)); };
        problems_.push_back(make_error("The table has " + count(runs) + " runs in " + count(table_.columns()) +
                                           " columns; of a table this wide at most " + count(most) + " runs are read.",
                                       "keep a sample of the rows, or fewer columns", header()));
    }

    SourcePosition header() const { return table_.name_at(0); }
    SourcePosition name_of_time() const { return time_ ? table_.name_at(*time_) : header(); }

    std::optional<std::size_t> column(const std::string& name, const std::string& purpose) {
        if (name.empty()) return std::nullopt;
        const auto found = table_.column(name);
        if (found) return found;
        std::vector<std::string> names;
        for (const auto known : table_.names()) names.emplace_back(known);
        const auto near = closest(name, names);
        problems_.push_back(make_error("There is no column \"" + name + "\"" + purpose + ".",
                                       near ? "did you mean \"" + *near + "\"?" : "see the header row", header()));
        return std::nullopt;
    }

    void find_columns() {
        for (const auto& filter : map_.filters) filters_.push_back(column(filter.column, " to filter by"));
        unit_column_ = column(map_.unit_column, " for the unit");
        samples_ = column(map_.samples_per_unit, " for the samples of a unit");
        split_ = map_.split.empty() ? table_.column("split") : column(map_.split, " for the split");
        ColumnMap& used = result_.used;
        used.workers = rename(map_.workers, "workers", {"gpus", "processors"});
        used.batch = rename(map_.batch, "batch_size", {"batch_global", "global_batch_size"});
        used.batch_per_worker = rename(map_.batch_per_worker, "batch_per_worker", {});
        if (!samples_) samples_ = table_.column("samples_per_unit");
        if (samples_) used.samples_per_unit = table_.name(*samples_);
        if (split_) used.split = table_.name(*split_);
        time_ = column(map_.time, " for the time");
        std::string unit = map_.unit;
        if (!time_ && map_.time.empty()) find_time(unit);
        if (!time_) {
            if (map_.time.empty())
                problems_.push_back(make_error("No column of times was found.",
                                               "name the column that has them, and its unit", header()));
            return;
        }
        used.time = table_.name(*time_);
        if (unit.empty() && !unit_column_) unit_column_ = table_.column("unit");
        if (unit.empty() && !unit_column_) unit = unit_in_name(table_.name(*time_));
        if (unit_column_) used.unit_column = table_.name(*unit_column_);
        if (unit_column_ && map_.unit.empty()) return;
        used.unit_column.clear();
        used.unit = unit;
        unit_ = time_unit(unit);
        if (!unit_)
            problems_.push_back(make_error("The unit \"" + unit + "\" is not known.",
                                           "use s, ms, us, ns, min, h, or samples/s", name_of_time()));
        unit_column_.reset();
    }

    void find_time(std::string& unit) {
        const auto names = time_columns(table_);
        if (names.empty()) return;
        time_ = table_.column(names.front());
        if (unit.empty() && names.front() == "throughput") unit = "samples/s";
        if (unit.empty() && names.front().starts_with("time_")) unit = unit_in_name(names.front());
        if (names.size() > 1 && names.front() != "value" && names.front() != "throughput" &&
            !names.front().starts_with("time_"))
            result_.warnings.push_back(make_warning(
                "Several columns hold times; \"" + names.front() + "\" is taken, not \"" + names[1] + "\".",
                "name the column of times to take another", name_of_time()));
    }

    /// "step_time_ms" → "ms".
    static std::string unit_in_name(std::string_view name) {
        if (name.ends_with("_per_s")) return "iterations/s";
        const auto at = name.rfind('_');
        const auto ending = at == std::string_view::npos ? std::string_view() : name.substr(at + 1);
        return time_unit(ending) ? std::string(ending) : "s";
    }

    /// Without a choice, the first of the other usual names is taken if there is no column `to`. Returns the one taken.
    std::string rename(const std::string& from, const std::string& to, const std::vector<std::string_view>& usual) {
        auto found = column(from, " for " + to);
        if (from.empty() && !table_.column(to))
            for (const auto name : usual)
                if (!found) found = table_.column(name);
        if (found) renamed_[*found] = to;
        if (!found) found = table_.column(to);
        return found ? std::string(table_.name(*found)) : std::string();
    }

    bool kept(std::size_t row) {
        using Relation = RunFilter::Relation;
        for (std::size_t f = 0; f < filters_.size(); ++f) {
            const RunFilter& filter = map_.filters[f];
            const auto cell = table_.cell(row, *filters_[f]);
            const auto left = parse_decimal(cell), right = parse_decimal(filter.value);
            bool holds = false;
            if (filter.relation == Relation::equal || filter.relation == Relation::unequal)
                holds =
                    (left && right ? *left == *right : cell == filter.value) == (filter.relation == Relation::equal);
            else if (left && right)
                holds = filter.relation == Relation::less         ? *left < *right
                        : filter.relation == Relation::less_equal ? *left <= *right
                        : filter.relation == Relation::greater    ? *left > *right
                                                                  : *left >= *right;
            if (!holds) return false;
        }
        return true;
    }

    std::optional<double> number(std::size_t row, std::string_view name) const {
        for (std::size_t c = 0; c < table_.columns(); ++c)
            if (name_of(c) == name) return parse_decimal(table_.cell(row, c));
        return std::nullopt;
    }

    /// What a rate is divided into: the unit's samples, or those of one step.
    std::optional<double> samples(std::size_t row) const {
        if (samples_) return parse_decimal(table_.cell(row, *samples_));
        if (const auto batch = number(row, "batch_size")) return batch;
        const auto each = number(row, "batch_per_worker"), workers = number(row, "workers");
        if (each && workers) return *each * *workers;
        return std::nullopt;
    }

    std::optional<TimeUnit> unit_in(std::size_t row) const {
        if (!unit_column_) return unit_;
        const auto cell = table_.cell(row, *unit_column_);
        return as_work_ ? work_unit(cell) : time_unit(cell);
    }

    /// A second look at a table without times. What is wrong with its rows as times is kept if it finds nothing.
    std::vector<std::size_t> read_as_work(const std::vector<std::size_t>& rows) {
        const auto unusable = unusable_;
        const auto first = first_unusable_;
        const auto wrong = first_wrong_;
        unusable_ = 0;
        as_work_ = true;
        std::vector<std::size_t> timed;
        for (const std::size_t row : rows)
            if (read_time(row)) timed.push_back(row);
        if (timed.empty()) {
            unusable_ = unusable;
            first_unusable_ = first;
            first_wrong_ = wrong;
            return timed;
        }
        result_.warnings.push_back(make_warning(
            "This table has no times of steps: rates of work are read as the seconds for one unit of it, GPU-hours as "
            "the seconds on one GPU.",
            "mind it when you read the fit", name_of_time()));
        return timed;
    }

    bool read_time(std::size_t row) {
        const auto written = parse_decimal(table_.cell(row, *time_));
        const auto unit = unit_in(row);
        double seconds = 0.0;
        std::string wrong;
        if (!unit) {
            wrong = "its unit is not one of time, nor a rate of samples";
        } else if (!written || !(*written > 0.0)) {
            wrong = "its time is not above zero";
        } else if (!unit->per_second) {
            seconds = *written * unit->seconds;
        } else {
            auto count = samples(row);
            const auto tokens = unit->of_tokens && !samples_ ? number(row, "seq") : std::optional<double>(1.0);
            if (unit->of_steps) count = 1.0;
            const auto share =
                unit->each_worker && !unit->of_steps ? number(row, "workers") : std::optional<double>(1.0);
            count = count && tokens && share ? std::optional<double>(*count * *tokens / *share) : std::nullopt;
            if (!count || !(*count > 0.0)) wrong = "nothing says how many samples a step has";
            if (count) seconds = *count / *written;
        }
        if (wrong.empty() && !(seconds > 0.0 && std::isfinite(seconds))) wrong = "its time is not a finite number";
        if (!wrong.empty()) {
            if (unusable_++ == 0) {
                first_unusable_ = table_.at(row, *time_);
                first_wrong_ = wrong;
            }
            return false;
        }
        result_.runs.seconds.push_back(seconds);
        result_.rows.push_back(row);
        result_.runs.lines.push_back(table_.at(row, *time_).line);
        return true;
    }

    void warn_about_unusable() {
        const bool one = unusable_ == 1;
        result_.warnings.push_back(
            make_warning((one ? std::string("A run is") : std::to_string(unusable_) + " runs are") + " left out: of " +
                             (one ? "it " : "the first ") + first_wrong_ + ".",
                         "mend it, or leave it out by a filter", first_unusable_));
    }

    std::string name_of(std::size_t c) const {
        const auto found = renamed_.find(c);
        return found != renamed_.end() ? found->second : std::string(table_.name(c));
    }

    void read_columns(const std::vector<std::size_t>& rows) {
        for (std::size_t c = 0; c < table_.columns(); ++c) {
            if (c == *time_ || c == split_) continue;
            RunColumn column;
            column.name = name_of(c);
            bool numbers = true;
            for (const std::size_t row : rows) {
                const auto cell = table_.cell(row, c);
                column.words.emplace_back(cell);
                const auto value = numbers ? parse_decimal(cell) : std::nullopt;
                if (numbers && !(value && std::isfinite(*value))) {
                    numbers = false;
                    column.first_word = table_.at(row, c);
                }
                if (numbers) column.numbers.push_back(*value);
            }
            column.kind = numbers ? ColumnKind::numbers : ColumnKind::words;
            if (!numbers) column.numbers.clear();
            result_.runs.columns.push_back(std::move(column));
        }
    }

    /// batch_size = batch_per_worker · workers; whichever is missing is added, so that either may be a factor.
    void derive_batches() {
        Runs& runs = result_.runs;
        const auto numbers = [&runs](std::string_view name) {
            const RunColumn* found = runs.find(name);
            return found && found->kind == ColumnKind::numbers ? &found->numbers : nullptr;
        };
        const auto *workers = numbers("workers"), *whole = numbers("batch_size"), *each = numbers("batch_per_worker");
        if (!workers || (whole != nullptr) == (each != nullptr)) return;
        RunColumn added;
        added.name = whole ? "batch_per_worker" : "batch_size";
        if (runs.find(added.name)) return;
        added.kind = ColumnKind::numbers;
        for (std::size_t row = 0; row < runs.size(); ++row) {
            added.numbers.push_back(whole ? (*whole)[row] / (*workers)[row] : (*each)[row] * (*workers)[row]);
            added.words.push_back(shortest_decimal(added.numbers.back()));
            if (!std::isfinite(added.numbers.back())) return;
        }
        runs.columns.push_back(std::move(added));
    }

    void read_split(const std::vector<std::size_t>& rows) {
        Runs& runs = result_.runs;
        runs.held_out.assign(runs.size(), false);
        const RunColumn* workers = runs.find("workers");
        if (hold_.every > 0 || hold_.workers_above > 0.0) {
            if (hold_.workers_above > 0.0 && (!workers || workers->kind != ColumnKind::numbers))
                problems_.push_back(make_error("There is no column of numbers \"workers\" to split by.",
                                               "name the column that counts them", header()));
            if (!problems_.empty()) return;
            for (std::size_t i = 0; i < runs.size(); ++i)
                runs.held_out[i] = (hold_.every > 0 && i % hold_.every == hold_.every - 1) ||
                                   (hold_.workers_above > 0.0 && workers->numbers[i] > hold_.workers_above);
        } else if (split_) {
            runs.has_split = true;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const auto cell = table_.cell(rows[i], *split_);
                runs.held_out[i] = cell == "test";
                if (cell == "test" || cell == "train") continue;
                problems_.push_back(make_error("The split of this run is neither train nor test.",
                                               "write train or test", table_.at(rows[i], *split_)));
                return;
            }
        }
        if (runs.training().empty())
            problems_.push_back(make_error("All runs are held out, none is left to fit.", "hold out fewer",
                                           split_ ? table_.name_at(*split_) : header()));
    }

    /// Tables of published results hold throughputs beside times of a part of a step.
    void warn_about_metrics() {
        const RunColumn* metric = result_.runs.find("metric");
        if (!metric) return;
        for (const auto& word : metric->words) {
            if (word == metric->words.front()) continue;
            result_.warnings.push_back(make_warning(
                "The runs are of several metrics, \"" + metric->words.front() + "\" and \"" + word + "\" among them.",
                "keep one by a filter: metric=" + metric->words.front(), header()));
            return;
        }
    }

    void warn_about_duplicates() {
        const Runs& runs = result_.runs;
        const auto cells = [&runs](std::uint32_t a, std::uint32_t b) {
            for (const auto& column : runs.columns)
                if (column.name != run_id_column)
                    if (const int order = column.words[a].compare(column.words[b]); order != 0) return order;
            return 0;
        };
        std::vector<std::uint32_t> rows(runs.size());
        std::iota(rows.begin(), rows.end(), 0u);
        std::ranges::sort(rows, [&](std::uint32_t a, std::uint32_t b) {
            const int order = cells(a, b);
            return order != 0 ? order < 0 : a < b;
        });
        std::size_t twice = 0, first = 0;  // of the rows with the same cells
        std::uint32_t first_copy = 0;
        for (std::size_t i = 1; i < rows.size(); ++i) {
            if (cells(rows[first], rows[i]) != 0) {
                first = i;
            } else if (runs.seconds[rows[first]] == runs.seconds[rows[i]]) {
                first_copy = twice++ == 0 ? rows[i] : std::min(first_copy, rows[i]);
            }
        }
        const int first_line = twice > 0 ? runs.lines[first_copy] : 0;
        if (twice > 0) result_.warnings.push_back(twice_warning(twice, {table_.file(), first_line, 1}));
    }

    const CsvTable& table_;
    const ColumnMap& map_;
    const HoldOut& hold_;
    Problems problems_;
    ImportedRuns result_;
    std::optional<std::size_t> time_, unit_column_, samples_, split_;
    std::optional<TimeUnit> unit_;
    std::vector<std::optional<std::size_t>> filters_;
    std::map<std::size_t, std::string> renamed_;
    std::size_t unusable_ = 0;
    bool as_work_ = false;  ///< units of work instead of times
    SourcePosition first_unusable_;
    std::string first_wrong_;
};

}  // namespace

Problem twice_warning(std::size_t twice, SourcePosition at) {
    return make_warning(twice == 1 ? "A run stands in the table twice, with the same time."
                                   : std::to_string(twice) + " runs stand in the table twice, with the same times.",
                        "remove the copies, or they count double", std::move(at));
}

Result<ImportedRuns> import_runs(const formats::CsvTable& table, const ColumnMap& map, const HoldOut& hold) {
    return RunImporter(table, map, hold).read();
}

Result<ImportedRuns> import_runs(std::string_view text, const std::string& file, const ColumnMap& map,
                                 const HoldOut& hold) {
    ASSIGN_OR_RETURN(const auto table, formats::parse_csv(text, file));
    auto imported = import_runs(table, map, hold);
    if (imported) imported->data_hash = data_hash(text);
    return imported;
}

}  // namespace scalescope::measure
