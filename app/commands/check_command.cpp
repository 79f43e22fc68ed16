// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <ostream>

#include "app/commands/check_lessons.hpp"
#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/base/format.hpp"
#include "core/estimate/plan.hpp"
#include "core/formats/caffe/import.hpp"
#include "core/formats/hugging_face/import.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/keras/import.hpp"
#include "core/formats/onnx/onnx_import.hpp"
#include "core/formats/paleo/import.hpp"
#include "core/words/configured.hpp"

namespace scalescope::app {

namespace {

/// What one file turned out to be.
struct Checked {
    std::string kind;  ///< "scenario", "network", "PALEO network"
    std::string name;
    std::int64_t layers = 0, parameters = 0;
    std::optional<std::int64_t> workers;  ///< scenarios only
};

void count_network(Checked& checked, const Network& network, int times = 1) {
    checked.layers += network.size() * times;
    checked.parameters += network.parameters() * times;
}

/// Problems of the whole scenario know no place in the file: they get its name.
Problems with_file(Problems problems, const std::string& file) {
    for (Problem& problem : problems)
        if (problem.at.file.empty()) problem.at.file = file;
    return problems;
}

Result<Checked> check_scenario(const std::string& text, const std::string& file, const formats::Library& library,
                               const std::vector<Assignment>& changes, const ReadAs& as, Problems& warnings) {
    const auto sizes = sizes_in(changes);
    auto read = is_configured_scenario(text) ? configured_scenario(text, file, library, as.trainer)
                : is_scenario_text(text)     ? scenario_from_text(text, file, library)
                                             : formats::read_scenario(text, file, library, {}, {}, sizes);
    if (!read) return fail(with_set_advice(std::move(read.error())));
    warnings = std::move(read->warnings);
    Setter setter(library, sizes, {}, as);
    for (const Assignment& change : changes)
        if (auto set = setter.set(read->scenario, change.path, change.value); !set)
            return fail(with_file(set.error(), file));
    if (const auto used = setter.check_part(); !used) return fail(with_file(used.error(), file));
    // What reads well may still be no step that can be run: a layer to cut at that is not there, nothing to do.
    const auto plan = prepare(read->scenario);
    if (!plan) return fail(with_file(plan.error(), file));
    Scratch scratch = make_scratch(*plan);
    const auto summary = score(*plan, plan->point, scratch);
    if (!summary.feasible()) return fail(with_file({infeasible_reason(*plan, plan->point, summary.infeasible)}, file));
    Checked checked;
    checked.kind = "scenario";
    checked.name = read->scenario.name;
    for (const auto& use : read->scenario.workload) count_network(checked, *use.network);
    checked.workers = read->scenario.cluster.workers;
    return checked;
}

Result<Checked> check_file(const std::string& file, const formats::Library& library,
                           const std::vector<Assignment>& changes, const ReadAs& as, Problems& warnings) {
    const auto text = formats::read_input_file(file);
    if (!text) return fail(text.error());
    if (is_scenario_text(*text) || formats::format_of(*text) == formats::scenario_format.name)
        return check_scenario(*text, file, library, changes, as, warnings);
    auto network =
        formats::read_any_network(*text, file, &warnings, {}, sizes_in(changes), library.families.get(), as.part);
    if (!network) return fail(with_set_advice(std::move(network.error())));
    network = with_sizes(std::move(*network), changes, "A network");
    if (!network) return fail(with_file(network.error(), file));
    Checked checked;
    checked.kind = formats::is_onnx_network(*text)          ? "ONNX model"
                   : formats::is_keras_network(*text)       ? "Keras network"
                   : formats::is_caffe_network(*text)       ? "Caffe network"
                   : formats::is_paleo_network(*text)       ? "PALEO network"
                   : formats::is_hugging_face_config(*text) ? "Hugging Face configuration"
                                                            : "network";
    checked.name = (*network)->name();
    count_network(checked, **network);
    return checked;
}

/// "50.3 M" with a plain space: people search what a terminal shows.
std::string short_count(std::int64_t n) {
    std::string text = n < 1000 ? std::to_string(n) : format_large_count(static_cast<double>(n));
    for (auto at = text.find(no_break_space); at != std::string::npos; at = text.find(no_break_space))
        text.replace(at, no_break_space.size(), " ");
    return text;
}

std::string counted(std::int64_t n, std::string_view noun) {
    return short_count(n) + ' ' + std::string(noun) + (n == 1 ? "" : "s");
}

void write_line(std::ostream& out, const std::string& file, const Checked& checked) {
    out << file << ": ok, " << checked.kind << ", " << counted(checked.layers, "layer") << ", "
        << counted(checked.parameters, "parameter");
    if (checked.workers) out << ", " << counted(*checked.workers, "worker");
    out << '\n';
}

std::vector<Cell> row_of(const std::string& file, const Result<Checked>& checked) {
    if (!checked) return {file, std::string("problem"), {}, {}, {}, {}, {}};
    return {file,
            std::string("ok"),
            checked->kind,
            checked->name,
            checked->layers,
            checked->parameters,
            cell_of(checked->workers)};
}

int run_check(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(check_command);
    options.positional("FILE", "scenario, network, or PALEO's network file", 1, 100'000);
    options.flag("lesson", "FILE is a lesson, or the name of a preset: whether each figure in it is right");
    declare_set(options, text_of_set_sizes);
    options.table_format();
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto changes = assignments("check", "set", *arguments, err);
    if (!changes) return changes.error();
    if (arguments->has("lesson") && (!changes->empty() || arguments->has("part") || arguments->has("as")))
        return wrong_usage(err, "check", "--set, --part and --as do not apply to a lesson");
    const auto library = load_library(err);
    if (arguments->has("lesson")) return check_lessons(*arguments, library, out, err);
    Table table{{"file", "result", "kind", "name", "layers", "parameters", "workers"}, {}};
    int code = exit_done;
    for (const auto& file : arguments->positionals()) {
        Problems warnings;
        const auto checked = check_file(file, library, *changes, read_as(*arguments), warnings);
        report(err, warnings);
        if (!checked) {
            report(err, checked.error());
            code = exit_input;
        } else if (arguments->format() == OutputFormat::table) {
            write_line(out, file, *checked);
        }
        table.rows.push_back(row_of(file, checked));
    }
    if (arguments->format() != OutputFormat::table) write_table(out, table, arguments->format());
    return code;
}

}  // namespace

const Command check_command{"check", "read files and say what is wrong with them",
                            "scalescope check network.json scenario.json", run_check};

}  // namespace scalescope::app
