// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <ostream>

#include "app/commands/fit_tables.hpp"
#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/decimal.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/input_file.hpp"
#include "core/measure/fit/fit_json.hpp"
#include "core/measure/fit/forms.hpp"
#include "core/measure/runs/import.hpp"

namespace scalescope::app {

namespace {

using namespace measure;

Options fit_options() {
    Options options(fit_command);
    options.positional("RUNS", "a table of runs (CSV): a header, then a run per row");
    options.choice("form", {"product", "two-term", "physical", "tiers"},
                   "product: (sum of powers) \u00b7 powers of the extrinsic + C. two-term: compute and communication "
                   "apart. physical: peak, bandwidth, latency, overhead. tiers: by working set and threads");
    options.value("intrinsic", "A,B", "factors of what is computed: numbers as powers, words as levels");
    options.value("levels", "A,B", "of these the numbers that are levels, not powers");
    options.value("extrinsic", "A,B",
                  "factors that scale the work; by default those of workers, batch_size (or batch_per_worker) and "
                  "chunks that vary");
    options.value("traffic", "A,B", "two-term: factors of what is sent, such as parameters");
    options.values("column", "PART=NAME",
                   "the column that is workers, batch, flops, parameters or working_set in a form");
    options.values("map", "NAME=COLUMN",
                   "the table's column that is workers, batch_size, batch_per_worker, samples_per_unit or split");
    options.value("time", "COLUMN", "the column of times or rates (time_s, value or throughput by default)");
    options.value("unit", "UNIT", "its unit: s, ms, us, ns, min, h, or a rate such as images/s");
    options.values("where", "CONDITION", "only runs that meet it: \"workers<=16\", \"metric=training throughput\"");
    options.integer("hold-out-every", "hold out the last of each so many runs", 2, 1'000'000);
    options.number("hold-out-above", "hold out the runs with more workers", 1.0, 1e9);
    options.values("bound", "NAME=LOW..HIGH", "bounds of a constant, or NAME=VALUE to give it");
    options.flag("raw", "do not divide factors by their medians (bounds are then of the raw constants)");
    options.choice("loss", {"squared", "huber", "absolute"}, "of relative errors; huber: linear above 15 %");
    options.value("lambda", "auto|NUMBER", "weight of the penalty; auto: by cross-validation (default 0)");
    options.choice("penalty", {"l2", "l1"}, "squares or sizes of the constants");
    options.choice("optimizer", {"fast", "de"},
                   "least squares from many starts, or differential evolution checked against it");
    options.integer("seed", "of all random numbers (default 1)", 0, std::int64_t{1} << 53);
    options.integer("threads", "of differential evolution; the result is the same for any", 1, 256);
    options.integer("refits", "of the bootstrap behind every interval (default 200; 0: none)", 0, 10'000);
    options.value("save", "FILE", "write the whole fit as JSON");
    options.value("from", "FIT", "fit nothing: predict the runs by a fit that --save wrote");
    options.choice("show", {"constants", "factors", "metrics", "runs", "speedup", "all"},
                   "what is written (default all; of CSV: constants)");
    options.table_format();
    return options;
}

std::vector<std::string> split_names(const std::optional<std::string>& text) {
    std::vector<std::string> names;
    std::string_view rest = text ? std::string_view(*text) : std::string_view();
    while (!rest.empty()) {
        const auto comma = rest.find(',');
        names.emplace_back(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return names;
}

/// The member that goes by a name.
template <class Owner>
struct NamedMember {
    std::string_view name;
    std::string Owner::*member;
};

/// "NAME=COLUMN" into the member of that name.
template <class Owner, std::size_t n>
Result<void> assign_member(Owner& owner, const std::string& text, const NamedMember<Owner> (&members)[n],
                           const std::string& wrong) {
    const auto assignment = parse_assignment(text);
    std::string names;
    for (std::size_t i = 0; i < n; ++i) {
        if (assignment && assignment->path == members[i].name) {
            owner.*members[i].member = assignment->value;
            return {};
        }
        names += (i == 0 ? "" : i + 1 == n ? " or " : ", ") + std::string(members[i].name) + "=";
    }
    return fail(make_error("\"" + text + "\" " + wrong, "write " + names + " and a column of the table"));
}

Result<ColumnMap> column_map(const Arguments& arguments) {
    ColumnMap map;
    map.time = arguments.value("time").value_or("");
    map.unit = arguments.value("unit").value_or("");
    constexpr NamedMember<ColumnMap> members[] = {{"workers", &ColumnMap::workers},
                                                  {"batch_size", &ColumnMap::batch},
                                                  {"batch_per_worker", &ColumnMap::batch_per_worker},
                                                  {"samples_per_unit", &ColumnMap::samples_per_unit},
                                                  {"split", &ColumnMap::split}};
    for (const auto& text : arguments.values("map"))
        if (auto set = assign_member(map, text, members, "maps no column."); !set) return fail(set.error());
    for (const auto& text : arguments.values("where")) {
        const auto filter = parse_filter(text);
        if (!filter)
            return fail(make_error("\"" + text + "\" is no condition.", "write workers<=16 or device=Tesla K80"));
        map.filters.push_back(*filter);
    }
    return map;
}

Result<GivenBound> parse_bound(const std::string& text) {
    const auto assignment = parse_assignment(text);
    if (assignment) {
        const auto dots = assignment->value.find("..");
        const auto low = parse_decimal(assignment->value.substr(0, dots));
        const auto high = dots == std::string::npos ? low : parse_decimal(assignment->value.substr(dots + 2));
        if (low && high) return GivenBound{assignment->path, *low, *high};
    }
    return fail(make_error("\"" + text + "\" is no bound.", "write C=0..50, or q_workers=0"));
}

Result<void> set_part(FormChoice& choice, const std::string& text) {
    constexpr NamedMember<FormChoice> members[] = {{"workers", &FormChoice::workers},
                                                   {"batch", &FormChoice::batch},
                                                   {"flops", &FormChoice::flops},
                                                   {"parameters", &FormChoice::parameters},
                                                   {"working_set", &FormChoice::working_set}};
    return assign_member(choice, text, members, "names no part of a form.");
}

Result<FitOptions> read_options(const Arguments& arguments, const Runs& runs) {
    FitOptions options;
    FormChoice& choice = options.form;
    for (const FormKind kind : {FormKind::two_term, FormKind::physical, FormKind::tiers})
        if (arguments.value("form") == word_of(kind)) choice.kind = kind;
    for (const auto& text : arguments.values("column"))
        if (auto set = set_part(choice, text); !set) return fail(set.error());
    if (choice.kind == FormKind::tiers && !runs.find(choice.workers) && runs.find("threads"))
        choice.workers = "threads";
    choice.intrinsic = split_names(arguments.value("intrinsic"));
    choice.levels = split_names(arguments.value("levels"));
    choice.traffic = split_names(arguments.value("traffic"));
    choice.extrinsic =
        arguments.has("extrinsic") ? split_names(arguments.value("extrinsic")) : usual_extrinsic(runs, choice);
    choice.normalized = !arguments.has("raw");
    for (const auto& text : arguments.values("bound")) {
        auto bound = parse_bound(text);
        if (!bound) return fail(bound.error());
        choice.bounds.push_back(std::move(*bound));
    }
    for (const Loss loss : {Loss::huber, Loss::absolute})
        if (arguments.value("loss") == word_of(loss)) options.loss = loss;
    const auto lambda = arguments.value("lambda").value_or("0");
    options.lambda = parse_decimal(lambda);
    if (lambda != "auto" && !(options.lambda && *options.lambda >= 0.0))
        return fail(make_error("\"" + lambda + "\" is no weight of a penalty.", "write auto, or a number from 0"));
    options.absolute_penalty = arguments.value("penalty") == "l1";
    if (arguments.value("optimizer") == "de") options.optimizer = FitOptimizer::evolution;
    options.seed = static_cast<std::uint64_t>(arguments.integer("seed").value_or(1));
    options.threads = static_cast<std::size_t>(arguments.integer("threads").value_or(1));
    options.refits = static_cast<std::size_t>(arguments.integer("refits").value_or(200));
    return options;
}

/// What only a fit takes.
constexpr std::string_view fitting_words[] = {
    "form", "intrinsic", "levels", "extrinsic", "traffic",   "column", "hold-out-every", "hold-out-above", "bound",
    "raw",  "loss",      "lambda", "penalty",   "optimizer", "seed",   "threads",        "refits",         "save"};

/// The table's own words first, then those the fit's table had.
ColumnMap map_of_fit(ColumnMap given, const ColumnMap& fitted, const formats::CsvTable& table) {
    const auto take = [&](std::string& own, const std::string& other) {
        if (own.empty() && table.column(other)) own = other;
    };
    const bool own_time = !given.time.empty();
    take(given.time, fitted.time);
    take(given.workers, fitted.workers);
    take(given.batch, fitted.batch);
    take(given.batch_per_worker, fitted.batch_per_worker);
    take(given.samples_per_unit, fitted.samples_per_unit);
    take(given.unit_column, fitted.unit_column);
    if (!own_time && given.unit.empty() && given.time == fitted.time) given.unit = fitted.unit;
    return given;
}

int predict_from(const Arguments& arguments, const ColumnMap& given, std::ostream& out, std::ostream& err) {
    for (const auto word : fitting_words)
        if (arguments.has(word)) {
            err << "scalescope measure fit: --" << word << " is of a new fit; --from fits nothing\n"
                << "Try: scalescope measure fit --help\n";
            return exit_usage;
        }
    const std::string from = *arguments.value("from");
    const auto saved = formats::read_input_file(from);
    if (!saved) return report(err, saved.error());
    const auto fitted = read_fit(*saved, from);
    if (!fitted) return report(err, fitted.error());
    const auto text = formats::read_input_file(arguments.positional(0));
    if (!text) return report(err, text.error());
    const auto table = formats::parse_csv(*text, arguments.positional(0));
    if (!table) return report(err, table.error());
    const auto imported = import_runs(*table, map_of_fit(given, fitted->map, *table));
    if (!imported) return report(err, imported.error());
    report(err, imported->warnings);
    const auto applied = apply_fit(*fitted, imported->runs);
    if (!applied) return report(err, located(applied.error(), imported->runs));
    const bool same = data_hash(*text) == fitted->data_hash;
    write_applied(out, *fitted, imported->runs, *applied, same, arguments.value("show").value_or("all"),
                  arguments.format());
    return exit_done;
}

int run_fit(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    const auto arguments = fit_options().parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto map = column_map(*arguments);
    if (!map) return report(err, map.error());
    if (arguments->has("from")) return predict_from(*arguments, *map, out, err);
    HoldOut hold;
    hold.every = static_cast<std::size_t>(arguments->integer("hold-out-every").value_or(0));
    hold.workers_above = arguments->number("hold-out-above").value_or(0.0);
    const auto text = formats::read_input_file(arguments->positional(0));
    if (!text) return report(err, text.error());
    const auto imported = import_runs(*text, arguments->positional(0), *map, hold);
    if (!imported) return report(err, imported.error());
    report(err, imported->warnings);
    const auto options = read_options(*arguments, imported->runs);
    if (!options) return report(err, options.error());
    const auto fit = fit_runs(imported->runs, *options);
    if (!fit) return report(err, located(fit.error(), imported->runs));
    report(err, located(fit->warnings, imported->runs));
    FittedRuns fitted{*fit, imported->runs, imported->rows, imported->data_hash, imported->used, hold};
    fitted.map.filters = map->filters;
    const auto json = fit_json(fitted);
    if (const auto file = arguments->value("save"))
        if (const auto saved = write_file(*file, json); !saved) return report(err, saved.error());
    const auto show = arguments->value("show").value_or("all");
    if (arguments->format() == OutputFormat::json && show == "all")
        out << json;
    else
        write_fit(out, *fit, imported->runs, show, arguments->format());
    return exit_done;
}

}  // namespace

const Command fit_command{
    "measure fit", "a model of the time of measured runs",
    "scalescope measure fit runs.csv --intrinsic filters,kernel_size --extrinsic workers,batch_size", run_fit};

}  // namespace scalescope::app
