// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output.hpp"
#include "core/base/atomic_file.hpp"
#include "core/formats/network_export.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/words/configured.hpp"

namespace scalescope::app {

namespace {

/// Writes to the file, or to the standard output if it is "-".
int write_to(const std::string& file, const std::string& text, std::ostream& out, std::ostream& err) {
    if (file == "-") {
        out << text;
        return exit_done;
    }
    if (const auto written = write_file(file, text); !written) return report(err, written.error());
    out << file << '\n';
    return exit_done;
}

constexpr const char* link_word = "link";

/// A scenario as text to paste, or as a configuration of a trainer.
int convert_scenario(const std::string& to, const Arguments& arguments, std::ostream& out, std::ostream& err) {
    const auto library = load_library(err);
    const auto scenario = scenario_to_use("convert", arguments, library, err);
    if (!scenario) return scenario.error();
    const std::string file = arguments.value("out").value_or("-");
    if (to == link_word) {
        const auto link = formats::to_link(*scenario, library);
        return link ? write_to(file, *link + '\n', out, err) : report(err, link.error());
    }
    const auto written = configuration_for(to, *scenario, "Scalescope " SCALESCOPE_VERSION);
    if (!written) return report(err, written.error());
    report(err, written->notes);
    return write_to(file, written->text, out, err);
}

int run_convert(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(convert_command);
    options.positional("NETWORK",
                       "a network file of any format, or the name of a preset; for trainers and links a scenario, too");
    std::vector<std::string> of_scenarios = written_trainers();
    of_scenarios.emplace_back(link_word);
    std::vector<std::string> formats{"scalescope", "paleo", "onnx"};
    formats.insert(formats.end(), of_scenarios.begin(), of_scenarios.end());
    options.choice(
        "to", formats,
        "the format; without it the ending of FILE says it: .json is Scalescope's, .onnx ONNX. A scenario "
        "is written as arguments of the trainer megatron, torchtitan, deepspeed or accelerate, or as a link: text "
        "to paste, which every verb takes for a scenario");
    options.value("out", "FILE", "the file to write; without it, or as -, the standard output");
    declare_set(options, text_of_set_sizes);
    options.flag("lossy", "to PALEO: leave out what PALEO can do without, and say so");
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    if (const std::string to = arguments->value("to").value_or("");
        std::find(of_scenarios.begin(), of_scenarios.end(), to) != of_scenarios.end())
        return convert_scenario(to, *arguments, out, err);
    const std::string file = arguments->value("out").value_or("-");
    const auto format = arguments->has("to") ? formats::network_format_called(*arguments->value("to"))
                                             : formats::network_format_for(file);
    if (!format) return wrong_usage(err, "convert", "no format is named; write for example --to scalescope");
    if (file == "-" && !formats::is_text(*format) && is_terminal(out))
        return wrong_usage(err, "convert", "a terminal cannot show this format; name a file with --out");
    const auto changes = assignments("convert", "set", *arguments, err);
    if (!changes) return changes.error();
    Problems warnings;
    auto network =
        network_named(arguments->positional(0), load_library(err), &warnings, sizes_in(*changes), read_as(*arguments));
    report(err, warnings);
    if (network && !changes->empty()) network = with_sizes(*network, *changes, "A conversion");
    if (!network) return report(err, network.error());
    const auto exported = formats::export_network(**network, *format, arguments->has("lossy"));
    if (!exported) return report(err, exported.error());
    report(err, exported->warnings);
    return write_to(file, exported->text, out, err);
}

}  // namespace

const Command convert_command{"convert",
                              "a network or scenario for others: ONNX, PALEO's format, arguments of trainers, a link",
                              "scalescope convert resnet-50 --to onnx --out resnet-50.onnx", run_convert};

}  // namespace scalescope::app
