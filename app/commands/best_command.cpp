// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <ostream>
#include <thread>

#include "app/commands/all_verbs.hpp"
#include "app/commands/figures.hpp"
#include "app/commands/input.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/options.hpp"
#include "app/commands/quiet.hpp"
#include "core/base/decimal.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/scenario/mesh_degrees.hpp"
#include "core/search/answer.hpp"
#include "core/search/ask.hpp"
#include "core/search/best_mesh.hpp"

namespace scalescope::app {
namespace {

using namespace search;

Options best_options() {
    Options options(best_command);
    options.positional("SCENARIO", scenario_help);
    options.integer("devices", "on so many devices (default: those of the scenario)", 1, 1LL << 20);
    options.value("finish-in", "TIME", "train within this time: 30d, 12h; without --devices, the fewest that do");
    options.value("tokens", "N", "how many tokens to train on: 15T, 300B (default: the scenario's data set)");
    options.number("epochs", "how long to train a network that reads no tokens (default 1)", 1e-9, 1e9);
    std::vector<std::string> kept{std::string(data_degree)}, questions;
    for (const std::string_view path : mesh_choices()) kept.emplace_back(path);
    for (const AskInfo& ask : all_asks()) questions.emplace_back(ask.name);
    options.words("keep", kept, "what stays as the scenario has it");
    options.choice("question", questions, "what to look for (default: fastest-mesh, or fewest-devices)");
    options.integer("threads", "how many threads work (default: all cores)", 1, 1024);
    options.flag("link", "print the best design as text to paste, which every verb takes for a scenario");
    options.value("quiet", "FIGURE", quiet_help);
    declare_set(options);
    options.table_format();
    return options;
}

/// "15T", "300B", "2e12"
std::optional<double> count_of(std::string text) {
    constexpr std::string_view suffixes = "KMBT";
    int power = 0;
    if (!text.empty())
        if (const auto at = suffixes.find(text.back()); at != std::string_view::npos) {
            power = 3 * (static_cast<int>(at) + 1);
            text.pop_back();
        }
    const auto value = parse_decimal(text, power);
    return value && *value > 0 ? value : std::nullopt;
}

/// "30d" in days, with the units of a constraint.
Result<double> days_of(const std::string& text) {
    const auto within = read_constraint("time <= " + text);
    if (!within) return fail(within.error());
    const auto* seconds = std::get_if<double>(&within->right);
    if (!seconds || within->divisor || *seconds <= 0)
        return fail(make_error("'" + text + "' is no time.", "write for example 30d or 12h", {}, "--finish-in"));
    return *seconds / 86'400;
}

/// What the options ask for. Numbers that they leave out are those of the scenario.
struct Wanted {
    Ask ask = Ask::fastest_mesh;
    AskNumbers numbers;
};
tl::expected<Wanted, int> wanted_by(const Arguments& arguments, const Scenario& scenario, std::ostream& err) {
    Wanted w{Ask::fastest_mesh, usual_numbers(scenario)};
    const bool finish = arguments.has("finish-in"), devices = arguments.has("devices");
    if (finish && !devices) w.ask = Ask::fewest_devices;
    if (const auto named = arguments.value("question")) w.ask = ask_named(*named).value_or(w.ask);
    w.numbers.devices = arguments.integer("devices").value_or(w.numbers.devices);
    if (arguments.has(counts_tokens(scenario) ? "epochs" : "tokens"))
        return tl::unexpected(wrong_usage(err, "best",
                                          counts_tokens(scenario)
                                              ? "this network reads tokens; give --tokens instead of --epochs"
                                              : "this network reads no tokens; give --epochs instead"));
    if (const auto tokens = arguments.value("tokens")) {
        const auto count = count_of(*tokens);
        if (!count)
            return tl::unexpected(wrong_usage(err, "best", "--tokens cannot be '" + *tokens + "'; write 15T or 300B"));
        w.numbers.goal = *count / 1e12;
    }
    w.numbers.goal = arguments.number("epochs").value_or(w.numbers.goal);
    if (finish) {
        const auto days = days_of(*arguments.value("finish-in"));
        if (!days) return tl::unexpected(report(err, days.error()));
        w.numbers.days = *days;
    }
    if (suits(w.ask, scenario)) return w;
    const std::string name(info_of(w.ask).name);
    return tl::unexpected(report(err, {make_error("The question " + name + " does not suit this scenario.",
                                                  "ask another one with --question, or use search", {}, "best")}));
}

/// What was varied and the most important figures, of the best design and of the next; the mesh as an equation
/// `with_equation`, where no sentence has it.
Table answer_table(const Findings& f, const Found& best, const std::optional<std::uint64_t>& next, bool with_equation) {
    Table table{{"figure", "unit", "best"}, {}};
    if (next) table.columns.emplace_back("next_best");
    std::vector<std::uint64_t> all{best.index};
    if (next) all.push_back(*next);
    const auto axes = f.space.axes();
    for (std::size_t a = 0; a < axes.size(); ++a) {
        table.rows.push_back({axes[a].path, Cell()});
        for (const auto index : all) table.rows.back().emplace_back(axes[a].values[f.space.digits(index)[a]]);
    }
    constexpr std::array<std::string_view, 6> shown{"step",        "throughput",           "token_throughput",
                                                    "peak_memory", "model_flop_rate_each", "model_flops_utilization"};
    const std::size_t first = table.rows.size();
    for (const auto index : all) {
        const auto scenario = f.space.scenario(index);
        const auto e = scenario ? estimate(*scenario) : Result<Estimate>(fail(scenario.error()));
        if (!e) continue;  // cannot be: the search has priced it
        std::size_t row = first;
        const auto add = [&](std::string name, std::string unit, Cell value) {
            if (row == table.rows.size()) table.rows.push_back({std::move(name), std::move(unit)});
            table.rows[row++].push_back(std::move(value));
        };
        if (with_equation) add("mesh", {}, mesh_equation(*scenario));
        for (auto& figure : all_figures(*scenario, *e))
            if (std::find(shown.begin(), shown.end(), figure.name) != shown.end())
                add(figure.name, figure.unit, std::move(figure.value));
        for (const Metric m : {Metric::time, Metric::cost})
            add(std::string(info_of(m).name), std::string(info_of(m).unit),
                cell_of(metric_value(m, *scenario, *e, f.question.goal)));
    }
    return table;
}

int run_best(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    const auto arguments = best_options().parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto quiet = arguments->value("quiet");
    if (int{quiet.has_value()} + int{arguments->has("link")} + int{arguments->has("format")} > 1)
        return wrong_usage(err, "best", "--quiet, --link and --format each say what to print; give one");
    const auto library = std::make_shared<const formats::Library>(load_library(err));
    auto scenario = scenario_to_use("best", *arguments, *library, err);
    if (!scenario) return scenario.error();
    const auto wanted = wanted_by(*arguments, *scenario, err);
    if (!wanted) return wanted.error();
    const auto keep = arguments->words("keep");
    const bool keep_data = std::find(keep.begin(), keep.end(), data_degree) != keep.end();
    const std::int64_t data = degree_of(*scenario, MeshAxis::data);
    // With the data degree as the one that follows, all others are fields, and stay if they are not varied.
    if (!keep.empty())
        *scenario = with_degree(*scenario, MeshAxis::tensor, degree_of(*scenario, MeshAxis::tensor), LockedAxes());
    Asked asked = asked_by(wanted->ask, wanted->numbers, *scenario, *library);
    std::erase_if(asked.vary,
                  [&](const Varied& v) { return std::find(keep.begin(), keep.end(), v.path) != keep.end(); });
    if (arguments->has("finish-in") && asked.where.empty())
        asked.where.push_back("time <= " + shortest_decimal(wanted->numbers.days) + " d");
    auto made = make_question(asked, *scenario, library);
    if (!made) return report(err, made.error());
    if (keep_data)
        made->question.admits = [data](const Point& point) {
            const auto degrees = point.degrees();
            return degrees && degrees->data == data;
        };
    const Interrupt interrupt;
    const auto threads = static_cast<unsigned>(
        arguments->integer("threads").value_or(std::max(1u, std::thread::hardware_concurrency())));
    const auto found = find_best(std::move(asked), std::move(*made), threads, {{}, interrupt.token()});
    if (!found) return report(err, found.error());
    for (const auto& line : found->told) err << line << '\n';
    for (const auto& line : found->without) err << line << '\n';
    if (found->rows.empty() || !found->rows.front().ranked) return exit_input;
    const Found& best = found->rows.front().found;
    const auto design = found->space.scenario(best.index);
    if (!design) return report(err, design.error());
    if (arguments->has("link")) {
        const auto link = formats::to_link(*design, *library);
        if (!link) return report(err, link.error());
        out << *link << '\n';
        return exit_done;
    }
    if (quiet) {
        const auto e = estimate(*design);
        return e ? write_figure("best", *quiet, *design, *e, library->catalogue, out, err) : report(err, e.error());
    }
    const Answer answer = answer_of(*found, *library);
    const bool for_people = arguments->format() == OutputFormat::table;
    if (for_people)
        out << for_terminal(answer.best) << '\n'
            << for_terminal(answer.runner_up) << (answer.runner_up.empty() ? "" : "\n") << '\n';
    PriceNotes prices;
    prices.add(*design);
    write_prices(err, prices, "cost");
    write_table(out, answer_table(*found, best, answer.runner_up_index, !for_people), arguments->format());
    return exit_done;
}

}  // namespace

const Command best_command{"best", "the best design for so many devices, or the fewest that finish in time",
                           "scalescope best llama-3-8b-h100 --devices 64 --keep parallelism.tensor", run_best};

}  // namespace scalescope::app
