// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format.hpp"
#include "core/compare/attribution.hpp"
#include "core/estimate/memory.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope::report {
namespace {

/// What says what a design is, even where two have it in common.
constexpr std::array usual_fields{
    "cluster.device",  "cluster.machine",     "cluster.workers",      "cluster.devices_per_node", "cluster.inside",
    "cluster.between", "parallelism.fill",    "parallelism.segments", "parallelism.collective",   "parallelism.overlap",
    "training.batch",  "training.batch_rule", "training.precision",   "training.optimizer"};

bool is_told(const Scenario& s, std::string_view path) {
    const bool cpu = is_cpu_cluster(s);
    if (path == "cluster.device") return !cpu;
    if (path == "cluster.machine") return cpu;
    if (cpu) return path == "cluster.workers" || path == "training.batch" || path == "training.batch_rule";
    if (path == "cluster.inside") return s.cluster.devices_per_node > 1;
    if (path == "cluster.between") return s.cluster.workers > s.cluster.devices_per_node;
    return true;
}

std::string letter(std::size_t index) { return std::string(1, static_cast<char>('A' + index)); }

Problems about(Problems problems, const Design& d) {
    for (Problem& p : problems)
        if (p.at.file.empty()) p.at.file = "design " + d.letter;
    return problems;
}

std::string workload_name(const Scenario& s) {
    std::string name;
    for (const WorkloadPart& part : s.workload)
        name += (name.empty() ? "" : " + ") + (part.network ? part.network->name() : std::string("nothing"));
    return name;
}

FieldLine field_line(std::string label, const std::vector<std::string>& values) {
    const bool differs = std::ranges::any_of(values, [&](const auto& v) { return v != values.front(); });
    return {std::move(label), values, differs};
}

/// The network, its sizes where they differ, what is usual, and whatever else differs.
void add_fields(Report& r) {
    std::vector<std::string> networks;
    for (const Design& d : r.designs) networks.push_back(workload_name(*d.scenario));
    r.fields.push_back(field_line("Network", networks));
    std::vector<std::string> paths;
    for (const char* path : usual_fields)
        if (std::ranges::any_of(r.designs, [&](const Design& d) { return is_told(*d.scenario, path); }))
            paths.emplace_back(path);
    for (std::size_t i = 1; i < r.designs.size(); ++i)
        for (const Difference& d : differences(*r.designs[0].scenario, *r.designs[i].scenario))
            if (d.path != workload_path && std::ranges::find(paths, d.path) == paths.end()) paths.push_back(d.path);
    for (const std::string& path : paths) {
        std::string label;
        std::vector<std::string> values;
        for (const Design& d : r.designs) {
            const SymbolFields symbols(*d.scenario);
            const Field* field = path.starts_with(SymbolFields::prefix) ? symbols.find(path) : find_field(path);
            if (field) label = label_in(*d.scenario, *field);
            values.push_back(field ? shown_value(*field, *d.scenario) : std::string(no_value));
        }
        if (path == rest_path) {  // told by the differences, in no field
            label = "Figures that no field says";
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = i == 0 ? "as in A" : "others, or as in A";
        }
        r.fields.push_back(field_line(label, values));
    }
}

void add_figures(Report& r) {
    std::vector<compare::Design> all;
    for (const Design& d : r.designs) all.push_back({d.scenario.get(), &d.estimate});
    for (compare::FigureRow& row : compare::side_by_side(all, 0)) {
        FigureLine line;
        line.label = search::info_of(row.metric).label;
        line.unit = row.unit.unit;
        for (std::size_t i = 0; i < all.size(); ++i) {
            line.values.push_back(compare::value_text(row, i));
            line.changes.push_back(compare::change_text(row, i));
            line.verdicts.push_back(row.change[i] ? row.change[i]->verdict : compare::Verdict::same);
            line.struck.push_back(!r.designs[i].cannot_run.empty() && row.metric != search::Metric::memory);
        }
        line.row = std::move(row);
        r.figures.push_back(std::move(line));
    }
}

Comparison comparison_of(const Report& r, std::size_t to, compare::Attribution shares) {
    Comparison c;
    c.to = to;
    c.sentence = compare::sentence_of(shares, r.designs[0].letter, r.designs[to].letter);
    c.note = compare::order_note(shares);
    const double whole = shares.to - shares.from, seen = 1e-9 * std::max(std::abs(shares.from), std::abs(shares.to));
    std::string idle;
    for (const compare::Share& share : shares.shares) {
        if (std::abs(share.change()) <= seen && (!share.alone || std::abs(*share.alone) <= seen)) {
            idle += (idle.empty() ? "" : "; ") + compare::name_of(share);
            continue;
        }
        c.lines.push_back({compare::name_of(share), compare::signed_text(shares.metric, share.change()),
                           whole != 0 ? format_percent(Fraction{share.change() / whole + 0.0}) : std::string(no_value),
                           share.alone ? compare::signed_text(shares.metric, *share.alone) : std::string(no_value)});
    }
    if (!idle.empty()) c.note += (c.note.empty() ? "" : " ") + ("Nothing comes of: " + idle + '.');
    c.shares = std::move(shares);
    return c;
}

/// What is the same for several designs is said once.
void add_assumptions(Report& r) {
    std::vector<std::vector<std::string>> letters;
    for (const Design& d : r.designs)
        for (Assumption& a : assumptions_of(*d.scenario)) {
            const auto known = std::ranges::find(r.assumptions, a);
            const auto at = static_cast<std::size_t>(known - r.assumptions.begin());
            if (known == r.assumptions.end()) {
                r.assumptions.push_back(std::move(a));
                letters.emplace_back();
            }
            letters[at].push_back(d.letter);
        }
    for (std::size_t i = 0; i < r.assumptions.size(); ++i) {
        if (letters[i].size() == r.designs.size()) continue;
        for (const std::string& l : letters[i])
            r.assumptions[i].designs += (r.assumptions[i].designs.empty() ? "" : ", ") + l;
    }
}

std::string usual_title(const Report& r) {
    if (r.designs.size() == 1) return r.designs[0].name;
    if (r.designs.size() == 2) return r.designs[0].name + " against " + r.designs[1].name;
    return r.designs[0].name + " and " + format_count(static_cast<std::int64_t>(r.designs.size()) - 1) + " others";
}

}  // namespace

std::vector<std::string> names_of(const Pins& designs) {
    std::vector<std::string> names;
    Pins before;
    for (const Pin& pin : designs) {
        const bool taken = std::ranges::any_of(before, [&](const Pin& other) { return other.name == pin.name; });
        names.push_back(taken && pin.name == pin.scenario->name ? name_of_new_pin(*pin.scenario, before) : pin.name);
        before.push_back(pin);
    }
    return names;
}

Result<Report> make_report(const Asked& asked, const Pins& designs, const Watch& watch) {
    if (designs.empty() || designs.size() > most_designs)
        return fail(make_error(designs.empty() ? "A report is about one design at least."
                                               : "A report is about " + std::to_string(most_designs) +
                                                     " designs at most, not " + std::to_string(designs.size()) + ".",
                               "Leave some out; those that a scenario's file has pinned count too."));
    Report r;
    r.title = asked.title;
    r.question = asked.question;
    r.metric = asked.metric;
    r.version = asked.version;
    r.date = asked.date;
    const std::vector<std::string> names = names_of(designs);
    for (const Pin& pin : designs) {
        Design d{letter(r.designs.size()), names[r.designs.size()], pin.scenario, {}, {}};
        auto e = estimate(*pin.scenario);
        if (!e) return fail(about(e.error(), d));
        for (const Problem& note : e->notes) r.notes.push_back((designs.size() > 1 ? d.letter + ": " : "") + note.what);
        d.estimate = std::move(*e);
        if (!fits_device(*d.scenario, d.estimate.memory))
            d.cannot_run = d.letter + " does not fit into memory: it needs " + format_bytes(d.estimate.memory.peak) +
                           " of " + format_bytes(*worker_memory(*d.scenario)) + '.';
        r.designs.push_back(std::move(d));
    }
    if (r.title.empty()) r.title = usual_title(r);
    add_fields(r);
    add_figures(r);
    const double each = 1.0 / static_cast<double>(std::max<std::size_t>(designs.size() - 1, 1));
    for (std::size_t i = 1; i < r.designs.size(); ++i) {
        const double done = static_cast<double>(i - 1) * each;
        auto shares = compare::attribute(*r.designs[0].scenario, *r.designs[i].scenario, asked.metric, 0,
                                         {watch.progress.part(done, done + each), watch.cancel});
        if (!shares) return fail(about(shares.error(), r.designs[i]));
        r.comparisons.push_back(comparison_of(r, i, std::move(*shares)));
    }
    add_assumptions(r);
    return r;
}

}  // namespace scalescope::report
