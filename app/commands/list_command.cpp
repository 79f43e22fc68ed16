// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/base/limits.hpp"
#include "core/base/suggest.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope::app {

namespace {

using formats::Library;

template <class Amount>
Cell scaled(const std::optional<Amount>& amount, double unit) {
    std::optional<double> value;
    if (amount) value = amount->value / unit;
    return cell_of(value);
}

/// Marks what is a person's own, beside what is shipped.
Cell own_cell(bool own) { return own ? Cell(std::string("own")) : Cell(); }

Table list_devices(const Library& library) {
    Table table{{"id", "name", "vendor", "architecture", "year", "fp64_tflops", "fp32_tflops", "tf32_tflops",
                 "fp16_tflops", "bf16_tflops", "fp8_tflops", "mxfp8_tflops", "nvfp4_tflops", "memory_gb",
                 "memory_bandwidth_gb_s", "price_usd_per_hour", "price_from", "own"},
                {}};
    for (const Device& d : library.catalogue.devices) {
        std::optional<std::int64_t> year;
        if (d.year > 0) year = d.year;
        std::vector<Cell> row{d.id, d.name, d.vendor, d.architecture, cell_of(year)};
        for (const Precision p : all_precisions)
            if (has_peak(p)) row.push_back(scaled(d.peak_at(p), 1e12));
        row.push_back(scaled(d.memory, 1e9));
        row.emplace_back(d.memory_bandwidth.value / 1e9);
        row.push_back(cell_of(d.price_per_hour));
        row.emplace_back(d.price_basis);
        row.push_back(own_cell(library.catalogue.owns(d)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table list_links(const Library& library) {
    Table table{{"id", "name", "scope", "bandwidth_gb_s", "bandwidth_gbit_s", "latency_us", "own"}, {}};
    for (const Link& l : library.catalogue.links)
        table.rows.push_back({l.id, l.name, l.scope, l.bandwidth.value / 1e9, l.bandwidth.value * 8 / 1e9,
                              l.latency.value * 1e6, own_cell(library.catalogue.owns(l))});
    return table;
}

Table list_networks(const Library& library, Problems& problems) {
    Table table{{"id", "name", "layers", "parameters", "multiply_adds_per_sample", "own"}, {}};
    for (const auto& preset : library.networks) {
        const auto network =
            formats::read_any_network(preset.text, preset.file, nullptr, {}, {}, library.families.get());
        if (!network) {
            problems.insert(problems.end(), network.error().begin(), network.error().end());
            continue;
        }
        table.rows.push_back({preset.id, preset.name, std::int64_t{(*network)->size()}, (*network)->parameters(),
                              (*network)->multiply_adds(), own_cell(preset.own)});
    }
    return table;
}

Table list_scenarios(const Library& library) {
    Table table{{"id", "name", "description", "own"}, {}};
    for (const auto& preset : library.scenarios)
        table.rows.push_back({preset.id, preset.name, preset.description, own_cell(preset.own)});
    return table;
}

Table list_lessons(const Library& library, Problems& problems) {
    Table table{{"id", "name", "description", "minutes", "steps", "tasks", "own"}, {}};
    for (const auto& preset : library.lessons) {
        const auto lesson = lessons::read_lesson(preset, library);
        if (!lesson) {
            problems.insert(problems.end(), lesson.error().begin(), lesson.error().end());
            continue;
        }
        const auto tasks = std::count_if(lesson->steps.begin(), lesson->steps.end(),
                                         [](const lessons::Step& step) { return step.task.has_value(); });
        table.rows.push_back({preset.id, lesson->title, lesson->summary, std::int64_t{lesson->minutes},
                              static_cast<std::int64_t>(lesson->steps.size()), static_cast<std::int64_t>(tasks),
                              own_cell(preset.own)});
    }
    return table;
}

Table list_clusters(const Library& library) {
    Table table{{"id", "name", "vendor", "device", "devices_per_node", "nics_per_node", "link_inside", "link_between",
                 "nodes", "own"},
                {}};
    const auto part = [](const std::string& id) { return id.empty() ? Cell() : Cell(id); };
    for (const ClusterPreset& c : library.catalogue.clusters)
        table.rows.push_back({c.id, c.name, c.vendor, c.device, c.devices_per_node, c.nics_per_node, part(c.inside),
                              part(c.between), cell_of(c.nodes), own_cell(library.catalogue.owns(c))});
    return table;
}

template <class Way>
Table list_settings(const Library& library, const std::vector<Way>& ways) {
    Table table{{"id", "name", "description", "settings", "own"}, {}};
    for (const Way& way : ways) {
        std::string settings;
        for (const auto& set : way.settings) settings += (settings.empty() ? "" : ", ") + set.path + '=' + set.value;
        table.rows.push_back(
            {way.id, way.name, way.description, std::move(settings), own_cell(library.catalogue.owns(way))});
    }
    return table;
}

Table list_machines(const Library& library) {
    Table table{{"id", "name", "vendor", "cores", "threads", "l2_kib", "l3_kib", "memory_gb", "memory_bandwidth_gb_s",
                 "multiply_add_l2_ns", "multiply_add_l3_ns", "multiply_add_memory_ns", "contention", "network_gb_s",
                 "latency_us", "unverified", "own"},
                {}};
    for (const CpuMachine& m : library.catalogue.machines) {
        std::string unverified;
        for (const auto& field : m.unverified) unverified += (unverified.empty() ? "" : " ") + field;
        table.rows.push_back({m.id, m.name, m.vendor, m.cores, m.threads, m.l2.value / 1024.0, m.l3.value / 1024.0,
                              m.memory.value / 1e9, m.memory_bandwidth.value / 1e9, m.multiply_add_l2.value * 1e9,
                              m.multiply_add_l3.value * 1e9, m.multiply_add_memory.value * 1e9, m.contention,
                              m.network.value / 1e9, m.latency.value * 1e6, std::move(unverified),
                              own_cell(library.catalogue.owns(m))});
    }
    return table;
}

Table list_calibrations(const Library& library) {
    Table table{
        {"id", "name", "points", "deviation_percent", "device", "precision", "networks", "constants", "operators"}, {}};
    for (const Calibration& c : library.calibrations) {
        std::string networks;
        for (const auto& network : c.networks) networks += (networks.empty() ? "" : ", ") + network;
        table.rows.push_back({c.id, c.name, c.points, 100.0 * c.deviation, c.device.empty() ? Cell() : Cell(c.device),
                              c.precision.empty() ? Cell() : Cell(c.precision), std::move(networks),
                              static_cast<std::int64_t>(c.constants.size()),
                              static_cast<std::int64_t>(c.operators.size())});
    }
    return table;
}

std::string_view word_of(FieldType type) {
    constexpr std::array<std::string_view, 10> names{"integer", "number",  "boolean", "choice", "device",
                                                     "link",    "machine", "layer",   "layers", "words"};
    return names[static_cast<std::size_t>(type)];
}

/// Every field, and the sizes that the networks of `scenario` leave open; without one, how those are called.
Table list_fields(const Scenario* scenario) {
    Table table{{"path", "type", "unit", "least", "most", "choices", "label", "description"}, {}};
    const auto add = [&](const Field& f) {
        std::string choices;
        for (const auto choice : f.choices) choices += (choices.empty() ? "" : "|") + std::string(choice);
        std::optional<double> least, most;
        if (f.type == FieldType::integer || f.type == FieldType::number) least = f.least, most = f.most;
        table.rows.push_back({std::string(f.path), std::string(word_of(f.type)), std::string(f.unit), cell_of(least),
                              cell_of(most), std::move(choices), std::string(f.label), std::string(f.text)});
    };
    for (const Field& f : all_fields()) add(f);
    if (scenario) {
        const SymbolFields symbols(*scenario);
        for (const Field& f : symbols.rows()) add(f);
    } else {
        Field pattern;
        pattern.path = "symbols.NAME";
        pattern.type = FieldType::integer;
        pattern.label = "Sizes of the network";
        pattern.text = "A size that a network leaves open, such as symbols.sequence; give a scenario to see its own.";
        pattern.least = 1;
        pattern.most = static_cast<double>(limits::dimension);
        add(pattern);
    }
    return table;
}

/// What may be listed. Fields are those of the scenario, if one is given.
struct List {
    std::string_view name;
    Table (*make)(const Library& library, const Scenario* scenario, Problems& problems);
};
constexpr std::array<List, 11> lists{{
    {"devices", [](const Library& l, const Scenario*, Problems&) { return list_devices(l); }},
    {"links", [](const Library& l, const Scenario*, Problems&) { return list_links(l); }},
    {"networks", [](const Library& l, const Scenario*, Problems& problems) { return list_networks(l, problems); }},
    {"clusters", [](const Library& l, const Scenario*, Problems&) { return list_clusters(l); }},
    {"machines", [](const Library& l, const Scenario*, Problems&) { return list_machines(l); }},
    {"ways", [](const Library& l, const Scenario*, Problems&) { return list_settings(l, l.catalogue.ways); }},
    {"trainers", [](const Library& l, const Scenario*, Problems&) { return list_settings(l, l.catalogue.trainers); }},
    {"scenarios", [](const Library& l, const Scenario*, Problems&) { return list_scenarios(l); }},
    {"lessons", [](const Library& l, const Scenario*, Problems& problems) { return list_lessons(l, problems); }},
    {"calibrations", [](const Library& l, const Scenario*, Problems&) { return list_calibrations(l); }},
    {"fields", [](const Library&, const Scenario* scenario, Problems&) { return list_fields(scenario); }},
}};

int run_list(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    std::vector<std::string> names;
    std::string help;
    for (const List& list : lists) {
        names.emplace_back(list.name);
        help += std::string(help.empty() ? "" : list.name == "fields" ? ", or " : ", ") + std::string(list.name);
    }
    Options options(list_command);
    options.positional("WHAT", help + " (what --set and --vary change)");
    options.positional("SCENARIO", "for fields: whose sizes of networks are listed; a file, or the name of a preset", 0,
                       1);
    declare_set(options, "for fields: change the scenario first, such as network=bert-base");
    options.table_format();
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const std::string& what = arguments->positional(0);
    const auto list = std::find_if(lists.begin(), lists.end(), [&](const List& l) { return l.name == what; });
    if (list == lists.end()) {
        const auto meant = closest(what, names);
        return wrong_usage(err, "list",
                           "there is no list of '" + what + "'" + (meant ? "; did you mean " + *meant + "?" : ""));
    }
    const bool given = arguments->positionals().size() > 1;
    const bool changed = arguments->has("set") || arguments->has("part") || arguments->has("as");
    if (what != "fields" ? given || changed : changed && !given) {
        return wrong_usage(err, "list",
                           what == "fields" ? "--set, --part and --as are for a scenario, and none is given"
                                            : "a scenario is only for the list of fields");
    }
    const Library library = load_library(err);
    std::optional<Scenario> scenario;
    if (given) {
        auto read = scenario_to_use("list", *arguments, library, err, 1);
        if (!read) return read.error();
        scenario = std::move(*read);
    }
    Problems problems;
    const Table table = list->make(library, scenario ? &*scenario : nullptr, problems);
    write_table(out, table, arguments->format());
    return report(err, problems);
}

}  // namespace

const Command list_command{"list",
                           "what is known by name: devices, links, networks, clusters, scenarios, lessons, fields",
                           "scalescope list devices", run_list};

}  // namespace scalescope::app
