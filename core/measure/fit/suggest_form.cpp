// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/forms.hpp"

#include <algorithm>
#include <set>

#include "core/base/name_list.hpp"

namespace scalescope::measure {

namespace {

constexpr std::size_t most_levels = 24, usual_levels = 12;

std::size_t values_of(const RunColumn& column) {
    return std::set<std::string_view>(column.words.begin(), column.words.end()).size();
}

bool holds(const std::vector<std::string>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// What says where a run comes from or counts it, not what was varied.
bool names_a_run(std::string_view column) {
    return is_among(column, "run_id source url note notes repeat metric units index");
}

}  // namespace

std::vector<std::string> usual_extrinsic(const Runs& runs, const FormChoice& choice) {
    std::vector<std::string> names;
    const auto varies = [&runs](const std::string& name) {
        const RunColumn* column = runs.find(name);
        return column && column->kind == ColumnKind::numbers &&
               std::ranges::any_of(column->numbers, [column](double x) { return x != column->numbers.front(); });
    };
    if (varies(choice.workers)) names.push_back(choice.workers);
    // Whichever stands first in the table: the other one was worked out from it.
    for (const auto& column : runs.columns)
        if ((column.name == "batch_size" || column.name == "batch_per_worker") && varies(column.name)) {
            names.push_back(column.name);
            break;
        }
    if (varies("chunks")) names.emplace_back("chunks");
    return names;
}

std::vector<std::string> candidate_factors(const Runs& runs) {
    std::vector<std::string> names;
    for (const auto& column : runs.columns) {
        const std::size_t values = values_of(column);
        if (values < 2 || names_a_run(column.name)) continue;
        if (column.kind == ColumnKind::words && values > most_levels) continue;
        names.push_back(column.name);
    }
    return names;
}

FormChoice suggest_form(const Runs& runs, FormKind kind) {
    FormChoice choice;
    choice.kind = kind;
    if (kind == FormKind::tiers && !runs.find(choice.workers) && runs.find("threads")) choice.workers = "threads";
    if (kind == FormKind::physical || kind == FormKind::tiers) return choice;
    choice.extrinsic = usual_extrinsic(runs, choice);
    const std::size_t room = runs.training().size() / 3;
    std::size_t constants = choice.extrinsic.size() + 2;
    for (const auto& name : candidate_factors(runs)) {
        if (name == choice.workers || name == "batch_size" || name == "batch_per_worker" || name == "chunks") continue;
        const RunColumn& column = *runs.find(name);
        const std::size_t values = values_of(column);
        const bool words = column.kind == ColumnKind::words;
        if (words ? values > usual_levels : values < 3) continue;
        if (!words && std::ranges::any_of(column.numbers, [](double x) { return !(x > 0.0); })) continue;
        const std::size_t more = words ? values - 1 : 2;
        if (constants + more > room) continue;
        constants += more;
        choice.intrinsic.push_back(name);
    }
    return choice;
}

FactorRole role_of(const FormChoice& choice, const Runs& runs, std::string_view column) {
    if (holds(choice.extrinsic, column)) return FactorRole::extrinsic;
    if (holds(choice.traffic, column)) return FactorRole::traffic;
    if (!holds(choice.intrinsic, column)) return FactorRole::none;
    const RunColumn* found = runs.find(column);
    return holds(choice.levels, column) || (found && found->kind == ColumnKind::words) ? FactorRole::level
                                                                                       : FactorRole::power;
}

void set_role(FormChoice& choice, const Runs& runs, const std::string& column, FactorRole role) {
    for (auto* names : {&choice.intrinsic, &choice.levels, &choice.extrinsic, &choice.traffic})
        std::erase(*names, column);
    const RunColumn* found = runs.find(column);
    const bool numbers = found && found->kind == ColumnKind::numbers;
    switch (role) {
        case FactorRole::none: break;
        case FactorRole::level:
            if (numbers) choice.levels.push_back(column);
            choice.intrinsic.push_back(column);
            break;
        case FactorRole::power: choice.intrinsic.push_back(column); break;
        case FactorRole::extrinsic: choice.extrinsic.push_back(column); break;
        case FactorRole::traffic: choice.traffic.push_back(column); break;
    }
}

std::vector<FactorRole> roles_in(FormKind kind, const RunColumn& column) {
    if (kind == FormKind::physical || kind == FormKind::tiers) return {FactorRole::none};
    if (column.kind == ColumnKind::words) return {FactorRole::none, FactorRole::level};
    std::vector<FactorRole> roles{FactorRole::none, FactorRole::power, FactorRole::level, FactorRole::extrinsic};
    if (kind == FormKind::two_term) roles.push_back(FactorRole::traffic);
    return roles;
}

}  // namespace scalescope::measure
