// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/runs/live_runs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/decimal.hpp"

namespace scalescope::measure {

namespace {

/// More cells than these are imported anew: a paste, or another table.
constexpr std::size_t most_changes = 64;

/// What a reader of the file would make of a cell: spaces around it are kept by quotes, line ends move what follows.
bool moves_lines(const std::string& text) { return text.find_first_of("\n\r") != std::string::npos; }

}  // namespace

void LiveRuns::update(std::shared_ptr<const RunSheet> sheet, const ColumnMap& map, const HoldOut& hold,
                      const std::string& file) {
    const bool same_setup = sheet_ && imported_ && map == map_ && hold == hold_ && file == file_;
    if (same_setup && sheet == sheet_) return;
    const auto places = same_setup ? sheet->differences(*sheet_, most_changes) : std::nullopt;
    const auto before = std::exchange(sheet_, sheet);
    map_ = map;
    hold_ = hold;
    file_ = file;
    if (places && std::ranges::all_of(*places, [&](RunSheet::Place p) {
            return !moves_lines(before->cell(p.row, p.column)) && change(*sheet, p);
        }))
        return warn_about_copies();
    import(*sheet);
}

void LiveRuns::import(const RunSheet& sheet) {
    ++whole_imports_;
    groups_.clear();
    copies_.clear();
    has_groups_ = false;
    column_of_.assign(sheet.columns(), -1);
    const auto table = formats::parse_csv(sheet.to_csv(), file_);
    if (!table) {
        imported_ = tl::unexpected(table.error());
        return;
    }
    imported_ = import_runs(*table, map_, hold_);
    if (!imported_) return;
    const ColumnMap& used = imported_->used;
    const auto follows = [&](const std::string& name) {
        const std::string* const taken[] = {&used.time,    &used.unit_column, &used.samples_per_unit,
                                            &used.workers, &used.batch,       &used.batch_per_worker,
                                            &used.split,   &map_.unit_column};
        for (const std::string* one : taken)
            if (*one == name) return true;
        for (const RunFilter& filter : map_.filters)
            if (filter.column == name) return true;
        // Looked at by their names: lengths of samples, kinds of times, and what batches are made of.
        for (const std::string_view known : {"seq", "metric", "workers", "batch_size", "batch_per_worker", "unit"})
            if (name == known) return true;
        return false;
    };
    for (std::size_t c = 0; c < sheet.columns(); ++c) {
        if (follows(sheet.names()[c])) continue;
        const auto& columns = imported_->runs.columns;
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i].name == sheet.names()[c]) column_of_[c] = static_cast<int>(i);
    }
}

/// False: it must be imported anew.
bool LiveRuns::change(const RunSheet& sheet, RunSheet::Place place) {
    if (column_of_[place.column] < 0) return false;
    const std::string& text = sheet.cell(place.row, place.column);
    if (moves_lines(text)) return false;
    const auto at = std::ranges::lower_bound(imported_->rows, place.row);
    if (at == imported_->rows.end() || *at != place.row)  // no run stands there; a warning may, further right
        return std::ranges::none_of(imported_->warnings, [&](const Problem& p) {
            return p.at.column > 1 && p.at.line != imported_->runs.header.line;
        });
    const auto run = static_cast<std::size_t>(at - imported_->rows.begin());
    RunColumn& column = imported_->runs.columns[static_cast<std::size_t>(column_of_[place.column])];
    const auto value = parse_decimal(text);
    const double number = value.value_or(0.0);
    const bool is_number = value && std::isfinite(number);
    if (column.kind == ColumnKind::numbers && !is_number) return false;
    if (column.kind == ColumnKind::words && is_number) {
        // The only word among numbers? Then these are numbers now.
        const bool others = std::ranges::any_of(
            column.words, [&](const std::string& word) { return &word != &column.words[run] && !parse_decimal(word); });
        if (!others) return false;
    }
    const bool counts = column.name != run_id_column;
    if (counts) {
        if (!has_groups_) find_copies();
        const std::size_t group = group_of(run);
        count(group, false);
        std::erase(groups_[group], run);
        count(group, true);
    }
    column.words[run] = text;
    if (column.kind == ColumnKind::numbers) column.numbers[run] = number;
    if (counts) {
        const std::size_t group = group_of(run);
        count(group, false);
        auto& members = groups_[group];
        members.insert(std::ranges::lower_bound(members, run), run);
        count(group, true);
    }
    return true;
}

std::size_t LiveRuns::group_of(std::size_t run) const {
    std::size_t hash = 0;
    for (const RunColumn& column : imported_->runs.columns)
        if (column.name != run_id_column)
            hash = hash * 1099511628211u + std::hash<std::string>{}(column.words[run]) + 1;
    return hash;
}

bool LiveRuns::alike(std::size_t one, std::size_t other) const {
    return std::ranges::all_of(imported_->runs.columns, [&](const RunColumn& column) {
        return column.name == run_id_column || column.words[one] == column.words[other];
    });
}

/// Puts the copies of a group among all copies, or takes them away. A run is one if the first run like it has its time.
void LiveRuns::count(std::size_t group, bool there) {
    const auto& members = groups_[group];
    for (std::size_t i = 1; i < members.size(); ++i) {
        const auto first = std::find_if(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(i),
                                        [&](std::size_t other) { return alike(other, members[i]); });
        const auto& seconds = imported_->runs.seconds;
        if (first == members.begin() + static_cast<std::ptrdiff_t>(i) || seconds[*first] != seconds[members[i]])
            continue;
        if (there)
            copies_.insert(members[i]);
        else
            copies_.erase(members[i]);
    }
}

void LiveRuns::find_copies() {
    has_groups_ = true;
    for (std::size_t run = 0; run < imported_->runs.size(); ++run) groups_[group_of(run)].push_back(run);
    for (const auto& group : groups_)
        if (group.second.size() > 1) count(group.first, true);
}

/// The import's last warning, if it has any such.
void LiveRuns::warn_about_copies() {
    if (!has_groups_) return;
    Problems& warnings = imported_->warnings;
    std::erase_if(warnings, [](const Problem& p) { return p.remedy == twice_warning(1, {}).remedy; });
    if (!copies_.empty())
        warnings.push_back(twice_warning(copies_.size(), {file_, imported_->runs.lines[*copies_.begin()], 1}));
}

}  // namespace scalescope::measure
