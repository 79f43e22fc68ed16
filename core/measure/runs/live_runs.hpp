// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/measure/runs/import.hpp"
#include "core/measure/runs/sheet.hpp"

namespace scalescope::measure {

/// The runs of a sheet while it changes: always what import_runs makes of its text, but for the hash, which is left to
/// whoever needs it. A cell that is a factor costs what it touches; one that times, batches, splits or filters follow
/// from, and any other change, is imported anew.
class LiveRuns {
public:
    /// `file` is for messages.
    void update(std::shared_ptr<const RunSheet> sheet, const ColumnMap& map, const HoldOut& hold,
                const std::string& file);
    const Result<ImportedRuns>& imported() const { return imported_; }
    /// How often everything was imported.
    std::size_t whole_imports() const { return whole_imports_; }

private:
    bool change(const RunSheet& sheet, RunSheet::Place place);
    void import(const RunSheet& sheet);
    void find_copies();
    void count(std::size_t group, bool there);
    std::size_t group_of(std::size_t run) const;
    bool alike(std::size_t one, std::size_t other) const;
    void warn_about_copies();

    std::shared_ptr<const RunSheet> sheet_;
    ColumnMap map_;
    HoldOut hold_;
    std::string file_;
    Result<ImportedRuns> imported_{ImportedRuns{}};
    std::vector<int> column_of_;  ///< of the sheet's: where among the runs'; −1: something follows from it
    /// Runs by a hash of their cells, in order; made when the first cell changes.
    std::unordered_map<std::size_t, std::vector<std::size_t>> groups_;
    std::set<std::size_t> copies_;  ///< runs that an earlier one says too, with the same time
    bool has_groups_ = false;
    std::size_t whole_imports_ = 0;
};

}  // namespace scalescope::measure
