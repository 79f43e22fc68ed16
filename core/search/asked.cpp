// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/asked.hpp"

#include <algorithm>

#include "core/formats/named_settings.hpp"

namespace scalescope::search {
namespace {

Problem asked_problem(std::string where, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {}, std::move(where));
}

}  // namespace

std::vector<Varied> usual_rows(const Scenario& scenario, const formats::Library& library) {
    std::vector<Varied> rows;
    for (const std::string_view path : usual_fields(scenario).first(first_varied))
        rows.push_back({std::string(path), usual_values(path, scenario, library)});
    return rows;
}

Result<Axis> read_varied(const Varied& varied, const Scenario& scenario, const formats::Library& library) {
    constexpr std::size_t tried = 1000;
    const SymbolFields symbols(scenario);
    const Field* field = field_of(varied.path, symbols);
    const bool several = stands_for_several(varied.path);
    const bool may_be_empty = field && (field->type == FieldType::layers || field->type == FieldType::words);
    if (!may_be_empty && varied.values.find_first_not_of(' ') == std::string::npos)
        return fail(asked_problem(varied.path, "No values are given.",
                                  field && field->type == FieldType::integer
                                      ? "write 1,2,4, or 1..8, or 1..1024*2 for powers of two"
                                      : "write them, separated by commas"));
    if (!field && !several)
        return fail(asked_problem(varied.path, "This scenario has nothing called \"" + varied.path + "\".",
                                  "choose another field, or remove this row"));
    std::string values;
    bool inside = false;  // spaces around commas say nothing
    for (const char c : varied.values) {
        if (c == ',') {
            while (!values.empty() && values.back() == ' ') values.pop_back();
            inside = false;
        }
        if (c == ' ' && !inside) continue;
        inside = c != ',';
        values += c;
    }
    while (!values.empty() && values.back() == ' ') values.pop_back();
    if (several && values == "*") values = joined_ids(nameable_values(varied.path, scenario, library));
    auto axis = read_axis(varied.path, field, values, scenario, library.catalogue);
    if (!axis) return axis;
    std::vector<std::string> sorted = axis->values;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
        return fail(asked_problem(varied.path, "\"" + *twice + "\" stands here twice.", "write each value once"));
    for (std::size_t i = 0; i < axis->values.size(); ++i) {
        if (i == tried) i = axis->values.size() - 1;
        const std::string& value = axis->values[i];
        if (varied.path == "network") {  // reading it would take long
            if (library.find_network(value)) continue;
        }
        Scenario copy = scenario;
        if (auto done = formats::set_by_name(copy, varied.path, value, library); !done) return fail(done.error());
    }
    return axis;
}

Result<MadeQuestion> make_question(const Asked& asked, const Scenario& scenario,
                                   std::shared_ptr<const formats::Library> library) {
    Problems wrong;
    const auto add = [&](const Problems& problems) { wrong.insert(wrong.end(), problems.begin(), problems.end()); };
    if (std::all_of(asked.vary.begin(), asked.vary.end(), [](const Varied& v) { return v.path.empty(); }))
        wrong.push_back(asked_problem("", "Nothing is varied.", "add a field, such as the workers, with its values"));
    std::vector<Axis> axes;
    for (const Varied& varied : asked.vary) {
        if (varied.path.empty()) continue;
        auto axis = read_varied(varied, scenario, *library);
        if (axis)
            axes.push_back(std::move(*axis));
        else
            add(axis.error());
    }
    Question q;
    for (const std::string& text : asked.where) {
        if (text.find_first_not_of(' ') == std::string::npos) continue;
        auto constraint = read_constraint(text);
        if (constraint)
            q.where.push_back(std::move(*constraint));
        else
            add(constraint.error());
    }
    if (!wrong.empty()) return fail(std::move(wrong));
    const auto place = [&](const std::string& path) {
        std::size_t i = 0;
        while (i < axes.size() && axes[i].path != path) ++i;
        return i;
    };
    if (axes.size() > 1) {
        std::size_t column = place(asked.grid_columns), row = place(asked.grid_rows);
        if (column >= axes.size()) column = row == 0 ? 1 : 0;
        if (row >= axes.size() || row == column) row = column == 0 ? 1 : 0;
        if (axes[column].values.size() * axes[row].values.size() <= most_cells) q.grid = std::pair(column, row);
    }
    q.objectives = asked.objectives;
    q.top = asked.top;
    q.must_fit = asked.must_fit;
    q.goal = asked.goal_in_epochs ? asked.goal * static_cast<double>(scenario.training.data_set) : asked.goal;
    auto space =
        Space::make(scenario, std::move(axes),
                    [library = std::move(library)](Scenario& s, const std::string& path, const std::string& value) {
                        return formats::set_by_name(s, path, value, *library);
                    });
    if (!space) return fail(space.error());
    return MadeQuestion{std::move(*space), std::move(q)};
}

bool same_space(const Space& space, const Scenario& other) {
    if (other == space.base()) return true;
    const auto first = space.scenario(0);
    Scenario moved = other;
    for (const std::size_t axis : space.order())
        if (!space.set(moved, axis, 0)) return false;
    if (!first) return false;
    // Words about a scenario change no number.
    moved.name = first->name;
    moved.description = first->description;
    return moved == *first;
}

}  // namespace scalescope::search
