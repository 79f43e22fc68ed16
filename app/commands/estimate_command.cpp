// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include "app/commands/figures.hpp"
#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output.hpp"
#include "app/commands/quiet.hpp"
#include "app/commands/timeline_table.hpp"
#include "core/report/trace.hpp"

namespace scalescope::app {

namespace {

struct EstimateTable {
    std::string_view word;
    Table (*make)(const Scenario&, const Plan&, const Estimate&);
};
constexpr std::array tables{
    EstimateTable{"figures", [](const Scenario& s, const Plan&, const Estimate& e) { return figure_table(s, e); }},
    EstimateTable{"operations", [](const Scenario& s, const Plan&, const Estimate& e) { return layer_table(s, e); }},
    EstimateTable{"transfers", [](const Scenario& s, const Plan&, const Estimate& e) { return message_table(s, e); }},
    EstimateTable{"buffers", buffer_table},
    EstimateTable{"stages", [](const Scenario&, const Plan&, const Estimate& e) { return stage_table(e); }},
    EstimateTable{"timeline", timeline_table}};
constexpr const char* trace_word = "trace";

std::vector<std::string> table_words() {
    std::vector<std::string> words;
    for (const EstimateTable& table : tables) words.emplace_back(table.word);
    words.emplace_back(trace_word);
    return words;
}

int run_estimate(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(estimate_command);
    options.positional("SCENARIO", scenario_help);
    declare_set(options);
    options.choice("show", table_words(),
                   "what to show: figures, operations (layers), transfers (messages), buffers (memory), stages of a "
                   "pipeline, the timeline, or a trace of it for Perfetto");
    options.flag("layers", "the same as --show operations");
    options.flag("messages", "the same as --show transfers");
    options.value("quiet", "FIGURE", quiet_help);
    options.table_format();
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    std::vector<std::string> wanted;
    if (const auto show = arguments->value("show")) wanted.push_back(*show);
    if (arguments->has("layers")) wanted.emplace_back("operations");
    if (arguments->has("messages")) wanted.emplace_back("transfers");
    if (arguments->has("quiet") && (!wanted.empty() || arguments->has("format"))) {
        err << "scalescope estimate: --quiet prints a number instead of a table; leave out --show and --format\n";
        return exit_usage;
    }
    if (wanted.size() > 1) {
        err << "scalescope estimate: --show, --layers and --messages each ask for a table; ask for one at a time\n";
        return exit_usage;
    }
    const auto library = load_library(err);
    const auto scenario = scenario_to_use("estimate", *arguments, library, err);
    if (!scenario) return scenario.error();
    const auto plan = prepare(*scenario);
    if (!plan) return report(err, plan.error());
    Scratch scratch = make_scratch(*plan);
    const auto e = estimate(*scenario, *plan, scratch);
    if (!e) return report(err, e.error());
    report(err, e->notes);
    if (const auto figure = arguments->value("quiet"))
        return write_figure("estimate", *figure, *scenario, *e, library.catalogue, out, err);
    const std::string word = wanted.empty() ? "figures" : wanted.front();
    if (word == trace_word) {
        out << report::trace_json(*scenario, *plan, *e);
        return exit_done;
    }
    const auto* chosen = std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.word == word; });
    const Table table = chosen->make(*scenario, *plan, *e);
    if (PriceNotes prices; e->epoch_cost && has_epochs(*scenario)) {
        prices.add(*scenario);
        write_prices(err, prices, "epoch_cost");
    }
    write_table(out, table, arguments->format());
    return exit_done;
}

}  // namespace

const Command estimate_command{"estimate", "every figure of one scenario",
                               "scalescope estimate example --set cluster.workers=64", run_estimate};

}  // namespace scalescope::app
