// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/values.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/network/editing/adapters.hpp"
#include "core/parallel/outputs.hpp"
#include "core/scenario/adapters.hpp"
#include "core/scenario/recompute_choice.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope::search {
namespace {

constexpr std::size_t most_named_at_first = 8;

std::string choice_name(std::string_view choice) {
    std::string words(choice);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string_view boolean_name(bool value) { return value ? "yes" : "no"; }

/// A link stands inside nodes or between them.
bool stands_there(const Link& link, std::string_view path) {
    return link.scope == "either" || link.scope == (path == "cluster.inside" ? "inside a node" : "between nodes");
}

/// The usual batches, or those around one that is not among them: a large network has room for few samples.
std::string batches_around(std::int64_t batch) {
    if (batch >= 16 && batch <= 512) return "16..512*2";
    const std::int64_t least = std::max<std::int64_t>(1, batch / 8);
    return std::to_string(least) + ".." + std::to_string(std::min(least * 32, limits::batch)) + "*2";
}

/// Numbers that differ so much from network to network, or mean so much, that half and twice say little.
std::string usual_range(std::string_view path, const Scenario& scenario) {
    if (path == "cluster.workers") return "1..256*2";
    if (path == "training.batch") return batches_around(scenario.training.batch);
    if (path == "cluster.nodes") return "1..32*2";
    if (path == "cluster.devices_per_node") return "1..8*2";
    if (path == "parallelism.micro_batches" || path == "training.accumulation") return "1..16*2";
    if (path == "cpu.replicas") return "1..256*2";
    if (path == "parallelism.shard_group") return "0,4,8,16";
    if (path == "model.compute" && scenario.model.compute.value == 0) return "0,50,100";
    if (path == "cpu.partitions" || path == "parallelism.servers" || path == "parallelism.tensor" ||
        path == "parallelism.pipeline" || path == "parallelism.context" || path.starts_with("parallelism.expert"))
        return "1..8*2";
    return {};
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

std::string usual_of(const std::vector<Nameable>& all) {
    std::vector<Nameable> usual;
    for (const Nameable& one : all)
        if (one.usual) usual.push_back(one);
    return usual.empty() || usual.size() == all.size() ? "*" : joined_ids(usual);
}

}  // namespace

const Field* field_of(std::string_view path, const SymbolFields& symbols) {
    const Field* field = find_field(path);
    return field ? field : symbols.find(path);
}

bool stands_for_several(std::string_view path) {
    return path == "network" || path == "cluster" || path == "way" || path == "trainer" || path == "adapters" ||
           path == "calibration";
}

std::string joined_ids(const std::vector<Nameable>& all) { return joined(all, ",", &Nameable::id); }

std::vector<Nameable> nameable_values(const Field& field, const Scenario& scenario, const Catalogue& catalogue) {
    std::vector<Nameable> all;
    switch (field.type) {
        case FieldType::choice:
            for (const std::string_view c : field.choices) {
                // It exchanges with one partner only: another way to train, which always wins and is no answer unasked.
                // Nobody needs all modules and counts of recomputation at once.
                const bool asked_alone = c == "butterfly_mixing" || (field.path == "parallelism.recompute" &&
                                                                     recompute_called(c) > Recompute::layers);
                all.push_back({std::string(c), choice_name(c), {}, !asked_alone});
            }
            break;
        case FieldType::boolean:
            for (const bool value : {false, true})
                all.push_back({value ? "true" : "false", std::string(boolean_name(value)), {}});
            break;
        case FieldType::device:
            for (const Device& d : catalogue.devices)
                all.push_back({d.id, d.name, d.architecture, true, d.price_per_hour.has_value()});
            break;
        case FieldType::link:
            for (const Link& l : catalogue.links) all.push_back({l.id, l.name, {}, true, stands_there(l, field.path)});
            break;
        case FieldType::machine:
            for (const CpuMachine& m : catalogue.machines) all.push_back({m.id, m.name, m.note});
            break;
        case FieldType::layer:
            // "automatic", the layers, "none": in the order of the cuts.
            all.push_back({std::string(field.choices.front()), std::string(field.choices.front()), {}, false});
            if (const Network* network = scenario.network())
                for (const int cut : cuts_of(make_output_structure(*network)))
                    if (cut < network->size()) {
                        const auto& name = network->layers()[static_cast<std::size_t>(cut)].name;
                        all.push_back({name, name, {}});
                    }
            for (const std::string_view c : field.choices.subspan(1))
                all.push_back({std::string(c), std::string(c), {}, scenario.network() != nullptr});
            break;
        default: break;
    }
    return all;
}

std::vector<Nameable> nameable_values(std::string_view path, const Scenario& scenario,
                                      const formats::Library& library) {
    std::vector<Nameable> all;
    if (path == "network") {
        for (const auto& n : library.networks) all.push_back({n.id, n.name, n.description});
    } else if (path == "cluster") {
        for (const auto& c : library.catalogue.clusters) all.push_back({c.id, c.name, {}});
    } else if (path == "way") {
        for (const auto& w : library.catalogue.ways) all.push_back({w.id, w.name, w.description});
    } else if (path == "trainer") {
        for (const auto& t : library.catalogue.trainers) all.push_back({t.id, t.name, t.description});
    } else if (path == "adapters") {
        all.push_back({std::string(no_adapters), "None", "train all weights"});
        for (const editing::AdapterChoice& c : editing::adapter_choices)
            all.push_back({std::string(c.word), std::string(c.title), std::string(c.text)});
    } else if (path == "calibration") {
        for (const auto& c : library.calibrations) all.push_back({c.id, c.name, c.note});
    } else if (const Field* field = find_field(path)) {
        return nameable_values(*field, scenario, library.catalogue);
    }
    return all;
}

std::span<const std::string_view> usual_fields(const Scenario& scenario) {
    static constexpr std::array<std::string_view, 14> devices{
        "cluster.workers",          "training.batch",         "parallelism.fill",    "parallelism.segments",
        "cluster.device",           "cluster.between",        "cluster.inside",      "parallelism.scheme",
        "parallelism.cut",          "parallelism.collective", "parallelism.overlap", "training.precision",
        "cluster.devices_per_node", "training.accumulation"};
    static constexpr std::array<std::string_view, 13> asynchronous{
        "cluster.workers",      "parallelism.servers",    "parallelism.updates", "training.batch",
        "parallelism.sharding", "cluster.device",         "cluster.between",     "cluster.inside",
        "parallelism.fill",     "parallelism.collective", "training.precision",  "cluster.devices_per_node",
        "training.accumulation"};
    static constexpr std::array<std::string_view, 9> machines{
        "cpu.replicas",   "cpu.partitions",  "parallelism.servers", "cluster.machine",   "parallelism.updates",
        "training.batch", "cluster.workers", "cpu.threads",         "cpu.servers_beside"};
    if (scenario.model.method == Method::cpu_cluster) return machines;
    if (scenario.parallelism.updates == Updates::asynchronous) return asynchronous;
    return devices;
}

std::string usual_values(std::string_view path, const Scenario& scenario, const formats::Library& library) {
    if (std::string range = usual_range(path, scenario); !range.empty()) return range;
    if (path == "network" && scenario.network() && !scenario.workload.front().origin.empty())
        return scenario.workload.front().origin;
    const SymbolFields symbols(scenario);
    const Field* field = field_of(path, symbols);
    if (!field) {
        const auto all = nameable_values(path, scenario, library);
        return all.size() <= most_named_at_first ? joined_ids(all) : all.front().id;
    }
    if (field->type == FieldType::integer || field->type == FieldType::number) {
        const auto value = path.starts_with(SymbolFields::prefix)
                               ? symbol_value(scenario, path.substr(SymbolFields::prefix.size()))
                               : std::optional<std::int64_t>();
        const auto now = value ? std::optional(static_cast<double>(*value)) : field_number(*field, scenario);
        return now ? around(*field, *now) : std::string();
    }
    const auto all = nameable_values(*field, scenario, library.catalogue);
    return all.empty() ? field_text(*field, scenario) : usual_of(all);
}

std::string value_name(const Axis& axis, std::size_t value, const formats::Library& library) {
    const std::string& text = axis.values[value];
    const Catalogue& catalogue = library.catalogue;
    if (axis.path == "network") {
        if (const auto* preset = library.find_network(text)) return preset->name;
    } else if (axis.path == "cluster") {
        if (const auto* cluster = catalogue.cluster(text)) return cluster->name;
    } else if (axis.path == "way") {
        if (const auto* way = catalogue.way(text)) return way->name;
    } else if (axis.path == "trainer") {
        if (const auto* trainer = catalogue.trainer(text)) return trainer->name;
    } else if (axis.path == "adapters") {
        for (const Nameable& one : nameable_values(axis.path, {}, library))
            if (one.id == text) return one.name;
    } else if (axis.path == "calibration") {
        if (const auto* calibration = library.find_calibration(text)) return calibration->name;
    } else if (const Field* field = find_field(axis.path)) {
        if (field->type == FieldType::device) {
            if (const Device* device = catalogue.device(text)) return device->name;
        } else if (field->type == FieldType::machine) {
            if (const CpuMachine* machine = catalogue.machine(text)) return machine->name;
        } else if (field->type == FieldType::link) {
            if (const Link* link = catalogue.link(text)) return link->name;
        } else if (field->type == FieldType::boolean) {
            return std::string(boolean_name(text == "true"));
        } else if (field->type == FieldType::choice) {
            return choice_name(text);
        }
    }
    return text;
}

}  // namespace scalescope::search
