// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/differences.hpp"

#include <algorithm>
#include <optional>

#include "core/scenario/field_access.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope {
namespace {

std::string name_of_workload(const Scenario& s) {
    std::string name;
    for (const WorkloadPart& part : s.workload)
        name += (name.empty() ? "" : " + ") + (part.network ? part.network->name() : std::string("nothing"));
    return name.empty() ? "none" : name;
}

bool names_layers(const Field& f) { return f.type == FieldType::layer || f.type == FieldType::layers; }

tl::unexpected<Problems> nothing_there(const char* what, const std::string& path) {
    Problem p;
    p.what = std::string("There is no such ") + what + ".";
    p.where = path;
    return fail(std::move(p));
}

/// Equal but for where the networks came from.
bool same_workload(const Scenario& a, const Scenario& b) {
    if (a.workload.size() != b.workload.size()) return false;
    for (std::size_t i = 0; i < a.workload.size(); ++i) {
        WorkloadPart part = a.workload[i];
        part.origin = b.workload[i].origin;
        if (!(part == b.workload[i])) return false;
    }
    return true;
}

/// Copies what the field reaches; a field that names layers goes by their names.
struct Copy {
    const Field& field;
    Scenario& s;
    const Scenario& to;

    template <class T>
    Result<void> operator()(const Member<T>& m) const {
        m.ref(s) = m.get(to);
        return {};
    }
    Result<void> operator()(const NumberAccess& a) const { return (*this)(a.member); }
    Result<void> operator()(const OptionalAccess& a) const {
        a.set(s, a.get(to));
        return {};
    }
    Result<void> operator()(const ChoiceAccess& a) const {
        a.set(s, a.get(to));
        return {};
    }
    Result<void> operator()(const Member<std::vector<LayerId>>&) const { return by_text(); }
    Result<void> operator()(CutAccess) const { return by_text(); }
    Result<void> operator()(NodesAccess) const { return by_text(); }
    Result<void> operator()(ReplicasAccess) const { return by_text(); }
    Result<void> operator()(const SymbolAccess&) const { return by_text(); }

    Result<void> by_text() const { return set_field(s, field, field_text(field, to), Catalogue{}); }
};

void take_over_workload(Scenario& s, const Scenario& to) {
    s.workload = to.workload;
    s.training.frozen = to.training.frozen;
    s.parallelism.cut = to.parallelism.cut;
    s.parallelism.cut_auto = to.parallelism.cut_auto;
    s.parallelism.boundaries = to.parallelism.boundaries;
}

/// Whether anything is left that is no mere name.
bool differs_in_rest(Scenario s, const std::vector<Difference>& found, const Scenario& to) {
    for (const Difference& d : found)
        if (!take_over(s, d, to)) return true;
    s.name = to.name;
    s.description = to.description;
    s.model.calibration = to.model.calibration;
    for (std::size_t i = 0; i < s.workload.size(); ++i) s.workload[i].origin = to.workload[i].origin;
    return !(s == to);
}

}  // namespace

std::vector<Difference> differences(const Scenario& from, const Scenario& to) {
    std::vector<Difference> all;
    bool other_network = false;
    if (!same_workload(from, to)) {
        const auto symbols = changed_symbols(from, to);
        if (symbols) {
            const SymbolFields a(from), b(to);
            for (const std::string& symbol : *symbols) {
                const std::string path = std::string(SymbolFields::prefix) + symbol;
                const Field *f = a.find(path), *g = b.find(path);
                all.push_back({path, std::string(f->label), shown_value(*f, from), shown_value(*g, to)});
            }
        } else {
            other_network = true;
            all.push_back({std::string(workload_path), "Network", name_of_workload(from), name_of_workload(to)});
        }
    }
    for (const Field* f : changed_fields(from, to))
        if (!other_network || !names_layers(*f))
            all.push_back({std::string(f->path), std::string(f->label), shown_value(*f, from), shown_value(*f, to)});
    if (differs_in_rest(from, all, to)) all.push_back({std::string(rest_path), "What no field says", {}, {}});
    return all;
}

Result<void> take_over(Scenario& scenario, const Difference& difference, const Scenario& to) {
    if (difference.path == rest_path) {
        scenario = to;
        return {};
    }
    if (difference.path == workload_path) {
        take_over_workload(scenario, to);
        return {};
    }
    if (difference.path.starts_with(SymbolFields::prefix)) {
        const std::string_view symbol = std::string_view(difference.path).substr(SymbolFields::prefix.size());
        const auto value = symbol_value(to, symbol);
        if (!value) return nothing_there("dimension", difference.path);
        return set_symbol(scenario, symbol, *value);
    }
    const Field* field = find_field(difference.path);
    if (!field) return nothing_there("field", difference.path);
    return std::visit(Copy{*field, scenario, to}, field->access->how);
}

std::string to_text(const Difference& d) {
    return d.from.empty() && d.to.empty() ? d.label : d.label + ' ' + d.from + " \u2192 " + d.to;
}

std::vector<std::string> difference_lines(const Scenario& from, const Scenario& to) {
    std::vector<std::string> lines;
    for (const Difference& d : differences(from, to)) lines.push_back(to_text(d));
    return lines;
}

}  // namespace scalescope
