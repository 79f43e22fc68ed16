// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <ostream>

#include "app/commands/figures.hpp"
#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output.hpp"
#include "core/compare/attribution.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope::app {

namespace {

using search::Metric;

constexpr std::size_t most_designs = 4;

/// In the names of columns, and in messages: "a", "b" …
std::string letter(std::size_t design) { return std::string(1, static_cast<char>('a' + design)); }

Problems about_design(Problems problems, std::size_t design) {
    for (Problem& p : problems)
        if (p.at.file.empty()) p.at.file = "design " + letter(design);
    return problems;
}

std::string unit_column(const char* name, Metric metric) {
    const auto& suffix = search::info_of(metric).suffix;
    return suffix.empty() ? std::string(name) : std::string(name) + '_' + std::string(suffix);
}

/// A row per figure, a column per design; behind each but the first how far it is from that.
Result<Table> side_by_side(const std::vector<Scenario>& designs, double goal, std::ostream& err) {
    Table table{{"figure", "unit"}, {}};
    std::vector<Cell> names{std::string("scenario"), {}};
    std::vector<Estimate> estimates;
    PriceNotes prices;
    for (std::size_t i = 0; i < designs.size(); ++i) {
        prices.add(designs[i]);
        auto e = estimate(designs[i]);
        if (!e) return fail(about_design(e.error(), i));
        report(err, about_design(e->notes, i));
        estimates.push_back(std::move(*e));
        table.columns.push_back(letter(i));
        names.emplace_back(designs[i].name);
        if (i == 0) continue;
        table.columns.push_back("change_" + letter(i));
        table.columns.push_back("change_" + letter(i) + "_percent");
        names.resize(names.size() + 2);
    }
    write_prices(err, prices, "cost");
    table.rows.push_back(std::move(names));
    for (std::size_t m = 0; m < search::metric_count; ++m) {
        const auto metric = static_cast<Metric>(m);
        if (metric == Metric::time && goal == 0) continue;  // that of an epoch, which stands above
        const auto& info = search::info_of(metric);
        std::vector<Cell> row{std::string(info.name), std::string(info.unit)};
        std::optional<double> first;
        for (std::size_t i = 0; i < designs.size(); ++i) {
            const auto value = search::metric_value(metric, designs[i], estimates[i], goal);
            row.push_back(cell_of(value));
            if (i == 0) {
                first = value;
                continue;
            }
            const bool both = first && value;
            row.push_back(both ? Cell(*value - *first) : Cell());
            row.push_back(both && *first != 0 ? Cell((*value - *first) / *first * 100.0) : Cell());
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// The network, its sizes, then the fields in the order of their table; what no field says is last.
std::size_t rank(const std::string& path) {
    const Field* field = find_field(path);
    if (field) return 2 + static_cast<std::size_t>(field - all_fields().data());
    return path == workload_path ? 0 : path == rest_path ? all_fields().size() + 2 : 1;
}

/// Whether the path means the same in two designs of other networks.
bool is_of_network(const std::string& path) {
    const Field* field = find_field(path);
    return path.starts_with(SymbolFields::prefix) ||
           (field && (field->type == FieldType::layer || field->type == FieldType::layers));
}

/// What a design has where another one differs from the first.
Cell value_there(const std::vector<Difference>& own, const Difference& of_other) {
    const auto at = [&](std::string_view path) {
        return std::find_if(own.begin(), own.end(), [&](const Difference& d) { return d.path == path; });
    };
    const auto found = at(of_other.path);
    if (of_other.path == rest_path) return found == own.end() ? Cell() : Cell(std::string("differs"));
    if (found != own.end()) return found->to;
    if (at(workload_path) != own.end() && is_of_network(of_other.path)) return {};
    return of_other.from;
}

/// A row per thing in which any design differs from the first.
Table difference_table(const std::vector<Scenario>& designs) {
    Table table{{"field", "label"}, {}};
    std::vector<std::vector<Difference>> each;
    std::vector<Difference> all;
    for (std::size_t i = 0; i < designs.size(); ++i) {
        table.columns.push_back(letter(i));
        if (i > 0) each.push_back(differences(designs[0], designs[i]));
        if (i == 0) continue;
        for (const Difference& d : each.back())
            if (std::none_of(all.begin(), all.end(), [&](const Difference& known) { return known.path == d.path; }))
                all.push_back(d);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Difference& a, const Difference& b) { return rank(a.path) < rank(b.path); });
    for (const Difference& d : all) {
        std::vector<Cell> row{d.path, d.label, d.from};
        for (const auto& own : each) row.push_back(value_there(own, d));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string joined(const std::vector<Difference>& all, std::string Difference::*part, const char* between) {
    std::string text;
    for (const Difference& d : all) text += (text.empty() ? "" : between) + d.*part;
    return text;
}

/// How the difference between the first design and another one is shared out; the last row is all of it.
void add_shares(Table& table, const compare::Attribution& a, const std::string& design) {
    const double whole = a.to - a.from;
    // Plus zero: nothing of a negative whole is not told as "-0".
    const auto percent = [&](double change) { return whole != 0 ? Cell(change / whole * 100.0 + 0.0) : Cell(); };
    for (const compare::Share& share : a.shares)
        table.rows.push_back({design, joined(share.differences, &Difference::path, " + "),
                              joined(share.differences, &Difference::label, " + "),
                              joined(share.differences, &Difference::from, ", "),
                              joined(share.differences, &Difference::to, ", "), share.before, share.after,
                              share.change(), cell_of(share.alone), percent(share.change())});
    table.rows.push_back(
        {design, std::string("all"), std::string("Everything"), {}, {}, a.from, a.to, whole, whole, percent(whole)});
}

Result<Table> share_table(const std::vector<Scenario>& designs, Metric metric, double goal, std::ostream& err) {
    Table table{{"design", "field", "label", "from", "to", unit_column("before", metric), unit_column("after", metric),
                 unit_column("change", metric), unit_column("alone", metric), "share_percent"},
                {}};
    for (std::size_t i = 1; i < designs.size(); ++i) {
        const auto shares = compare::attribute(designs[0], designs[i], metric, goal);
        if (!shares) return fail(about_design(shares.error(), i));
        if (shares->depends_on_order)
            report(err,
                   about_design(
                       {make_warning("Some of its fields do more or less together than alone, so that another order "
                                     "would share out otherwise.",
                                     "compare the columns change and alone")},
                       i));
        add_shares(table, *shares, letter(i));
    }
    return table;
}

int run_compare(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(compare_command);
    options.positional("SCENARIO", std::string(scenario_help) + "; the others are compared with the first", 2,
                       most_designs);
    options.choice("show", {"figures", "differences", "shares"},
                   "figures side by side, what differs, or how the difference in the objective is shared out over what "
                   "differs (figures)");
    std::vector<std::string> objectives;
    for (const auto& metric : search::all_metrics()) objectives.emplace_back(metric.name);
    options.choice("objective", std::move(objectives), "whose difference is shared out (step)");
    options.number("goal", "samples to train on, for time, cost and energy (one epoch)", 1, 1e15);
    declare_set(options,
                "change a field of every design first (scalescope list fields), or cluster=NAME, network=NAME, "
                "network=FILE or adapters=linear");
    options.table_format();
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto library = load_library(err);
    std::vector<Scenario> designs;
    for (std::size_t i = 0; i < arguments->positionals().size(); ++i) {
        auto scenario = scenario_to_use("compare", *arguments, library, err, i);
        if (!scenario) return scenario.error();
        designs.push_back(std::move(*scenario));
    }
    const std::string show = arguments->value("show").value_or("figures");
    const double goal = arguments->number("goal").value_or(0);
    const Metric metric = search::metric_named(arguments->value("objective").value_or("step")).value_or(Metric::step);
    const auto table = show == "differences" ? Result<Table>(difference_table(designs))
                       : show == "shares"    ? share_table(designs, metric, goal, err)
                                             : side_by_side(designs, goal, err);
    if (!table) return report(err, table.error());
    write_table(out, *table, arguments->format());
    return exit_done;
}

}  // namespace

const Command compare_command{"compare", "designs side by side: figures, what differs, and what it does",
                              "scalescope compare alexnet-ec2-k80 example --show shares --objective throughput",
                              run_compare};

}  // namespace scalescope::app
