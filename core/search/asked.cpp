// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/asked.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/formats/named_settings.hpp"
#include "core/parallel/outputs.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope::search {
namespace {

Problem asked_problem(std::string where, std::string what, std::string remedy) {
    return {Severity::error, std::move(what), std::move(where), std::move(remedy), {}};
}

/// The field of a path: of the table, or of the scenario's symbols, which live as long as `symbols`.
const Field* field_of(std::string_view path, const SymbolFields& symbols) {
    const Field* field = find_field(path);
    return field ? field : symbols.find(path);
}

std::string joined(const std::vector<Nameable>& all) {
    std::string text;
    for (const Nameable& one : all) text += (text.empty() ? "" : ",") + one.id;
    return text;
}

/// A value of its own, and the same halved and doubled, as far as the field takes them.
std::string around(const Field& field, double value) {
    std::string text;
    double last = std::nan("");
    for (const double factor : {0.5, 1.0, 2.0}) {
        double v = std::clamp(value * factor, field.least, field.most);
        if (field.type == FieldType::integer) v = std::round(v);
        if (v == last) continue;
        last = v;
        text += (text.empty() ? "" : ",") + shortest_decimal(v);
    }
    return text;
}

}  // namespace

bool stands_for_several(std::string_view path) {
    return path == "network" || path == "cluster" || path == "calibration";
}

std::vector<Nameable> nameable_values(std::string_view path, const Scenario& scenario,
                                      const formats::Library& library) {
    std::vector<Nameable> all;
    const Catalogue& catalogue = library.catalogue;
    if (path == "network") {
        for (const auto& n : library.networks) all.push_back({n.id, n.name, n.description});
    } else if (path == "cluster") {
        for (const auto& c : catalogue.clusters) all.push_back({c.id, c.name, {}});
    } else if (path == "calibration") {
        for (const auto& c : library.calibrations) all.push_back({c.id, c.name, c.note});
    } else if (const Field* field = find_field(path)) {
        switch (field->type) {
            case FieldType::choice:
                for (const std::string_view c : field->choices) all.push_back({std::string(c), std::string(c), {}});
                break;
            case FieldType::boolean: all = {{"false", "no", {}}, {"true", "yes", {}}}; break;
            case FieldType::device:
                for (const Device& d : catalogue.devices) all.push_back({d.id, d.name, d.architecture});
                break;
            case FieldType::link:
                for (const Link& l : catalogue.links) all.push_back({l.id, l.name, {}});
                break;
            case FieldType::machine:
                for (const CpuMachine& m : catalogue.machines) all.push_back({m.id, m.name, m.note});
                break;
            case FieldType::layer:
                for (const std::string_view c : field->choices) all.push_back({std::string(c), std::string(c), {}});
                if (const Network* network = scenario.network())
                    for (const int cut : cuts_of(make_output_structure(*network)))
                        if (cut < network->size()) {
                            const auto& name = network->layers()[static_cast<std::size_t>(cut)].name;
                            all.push_back({name, name, {}});
                        }
                break;
            default: break;
        }
    }
    return all;
}

Result<Axis> read_varied(const Varied& varied, const Scenario& scenario, const formats::Library& library) {
    constexpr std::size_t tried = 1000;
    const SymbolFields symbols(scenario);
    const Field* field = field_of(varied.path, symbols);
    const bool several = stands_for_several(varied.path);
    if (varied.values.find_first_not_of(' ') == std::string::npos)
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
    if (several && values == "*") values = joined(nameable_values(varied.path, scenario, library));
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

std::string usual_values(std::string_view path, const Scenario& scenario, const formats::Library& library) {
    if (path == "cluster.workers") return "1..256*2";
    if (path == "training.batch") return "16..512*2";
    if (path == "cluster.nodes") return "1..32*2";
    if (path == "cluster.devices_per_node") return "1..8*2";
    if (path == "parallelism.micro_batches" || path == "training.accumulation") return "1..16*2";
    const SymbolFields symbols(scenario);
    const Field* field = field_of(path, symbols);
    if (path == "network" && scenario.network() && !scenario.workload.front().origin.empty())
        return scenario.workload.front().origin;
    if (!field) {
        const auto all = nameable_values(path, scenario, library);
        return all.size() <= 8 ? joined(all) : all.empty() ? std::string() : all.front().id;
    }
    switch (field->type) {
        case FieldType::choice:
        case FieldType::boolean:
        case FieldType::machine:
        case FieldType::layer: return "*";
        case FieldType::device: {
            // Those whose cost can be told; without any, all.
            std::string priced;
            for (const Device& d : library.catalogue.devices)
                if (d.price_per_hour) priced += (priced.empty() ? "" : ",") + d.id;
            return priced.empty() ? "*" : priced;
        }
        case FieldType::link: {
            // A link stands inside nodes or between them.
            const std::string_view scope = path == "cluster.inside" ? "inside a node" : "between nodes";
            std::string fitting;
            for (const Link& l : library.catalogue.links)
                if (l.scope == scope || l.scope == "either") fitting += (fitting.empty() ? "" : ",") + l.id;
            return fitting.empty() ? "*" : fitting;
        }
        case FieldType::integer:
        case FieldType::number: {
            const auto value = path.starts_with(SymbolFields::prefix)
                                   ? symbol_value(scenario, path.substr(SymbolFields::prefix.size()))
                                   : std::optional<std::int64_t>();
            const auto now = value ? std::optional(static_cast<double>(*value)) : field_number(*field, scenario);
            return now ? around(*field, *now) : std::string();
        }
        default: return field_text(*field, scenario);
    }
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
