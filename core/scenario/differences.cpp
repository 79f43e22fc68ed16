// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/differences.hpp"

#include <algorithm>
#include <optional>

#include "core/network/network.hpp"
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
    return fail(make_error(std::string("There is no such ") + what + ".", {}, {}, path));
}

/// The symbols to which two workloads bind different values that are the same otherwise, wherever their networks came
/// from; nothing if they differ in more.
std::optional<std::vector<std::string>> changed_sizes(const Scenario& a, const Scenario& b) {
    if (a.workload.size() != b.workload.size()) return std::nullopt;
    std::vector<std::string> changed;
    for (std::size_t i = 0; i < a.workload.size(); ++i) {
        const WorkloadPart &p = a.workload[i], &q = b.workload[i];
        if (!(p.passes == q.passes) || p.count != q.count || !p.network != !q.network) return std::nullopt;
        if (!p.network || p.network == q.network) continue;
        if (!same_layers(*p.network, *q.network)) return std::nullopt;
        for (const Binding& from : p.network->bindings())
            for (const Binding& to : q.network->bindings())
                if (from.symbol == to.symbol && from.value != to.value &&
                    std::find(changed.begin(), changed.end(), from.symbol) == changed.end())
                    changed.push_back(from.symbol);
    }
    return changed;
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
    Result<void> operator()(const auto&) const { return by_text(); }

    Result<void> by_text() const { return set_field(s, field, field_text(field, to), Catalogue{}); }
};

void take_over_workload(Scenario& s, const Scenario& to) {
    s.workload = to.workload;
    s.training.frozen = to.training.frozen;
    s.parallelism.cut = to.parallelism.cut;
    s.parallelism.cut_auto = to.parallelism.cut_auto;
    s.parallelism.boundaries = to.parallelism.boundaries;
    s.parallelism.recompute_layers = to.parallelism.recompute_layers;
}

/// Whether anything is left that is no mere name.
bool differs_in_rest(Scenario s, const std::vector<Difference>& found, const Scenario& to) {
    for (const Difference& d : found)
        if (!take_over(s, d, to)) return true;
    s.name = to.name;
    s.description = to.description;
    s.model.calibration = to.model.calibration;
    // Layers that are the same have other ids in another network: what names them was compared by name.
    take_over_workload(s, to);
    return !(s == to);
}

}  // namespace

std::vector<Difference> differences(const Scenario& from, const Scenario& to) {
    std::vector<Difference> all;
    bool other_network = false;
    if (const auto sizes = changed_sizes(from, to)) {
        const SymbolFields a(from), b(to);
        for (const std::string& symbol : *sizes) {
            const std::string path = std::string(SymbolFields::prefix) + symbol;
            const Field *f = a.find(path), *g = b.find(path);
            all.push_back({path, std::string(f->label), shown_value(*f, from), shown_value(*g, to)});
        }
    } else {
        other_network = true;
        all.push_back({std::string(workload_path), "Network", name_of_workload(from), name_of_workload(to)});
    }
    for (const Field* f : changed_fields(from, to))
        if (!other_network || !names_layers(*f))
            all.push_back({std::string(f->path), label_in(to, *f), shown_value(*f, from), shown_value(*f, to)});
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
