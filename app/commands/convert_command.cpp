// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/convert_command.hpp"

#include <unistd.h>

#include <iostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/base/atomic_file.hpp"
#include "core/formats/network_export.hpp"

namespace scalescope::app {

const Command convert_command{"convert", "a network as a file that others read: Scalescope's, PALEO's, ONNX",
                              "scalescope convert resnet-50 --to onnx --out resnet-50.onnx", run_convert};

namespace {

int wrong_usage(std::ostream& err, const std::string& what) {
    err << "scalescope convert: " << what << "\nTry: scalescope convert --help\n";
    return exit_usage;
}

bool is_terminal(const std::ostream& out) { return &out == &std::cout && isatty(STDOUT_FILENO) != 0; }

}  // namespace

int run_convert(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(convert_command);
    options.positional("NETWORK", "a network file of any format, or the name of a preset");
    options.choice("to", {"scalescope", "paleo", "onnx"},
                   "the format; without it the ending of FILE says it: .json is Scalescope's, .onnx ONNX");
    options.value("out", "FILE", "the file to write; without it, or as -, the standard output");
    declare_set(options, text_of_set_sizes);
    options.flag("lossy", "to PALEO: leave out what PALEO can do without, and say so");
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const std::string file = arguments->value("out").value_or("-");
    const auto format = arguments->has("to") ? formats::network_format_called(*arguments->value("to"))
                                             : formats::network_format_for(file);
    if (!format) return wrong_usage(err, "no format is named; write for example --to scalescope");
    if (file == "-" && !formats::is_text(*format) && is_terminal(out))
        return wrong_usage(err, "a terminal cannot show this format; name a file with --out");
    const auto changes = assignments("convert", "set", *arguments, err);
    if (!changes) return changes.error();
    Problems warnings;
    auto network =
        network_named(arguments->positional(0), load_library(err), &warnings, sizes_in(*changes), part_in(*arguments));
    report(err, warnings);
    if (network && !changes->empty()) network = with_sizes(*network, *changes, "A conversion");
    if (!network) return report(err, network.error());
    const auto exported = formats::export_network(**network, *format, arguments->has("lossy"));
    if (!exported) return report(err, exported.error());
    report(err, exported->warnings);
    if (file == "-") {
        out << exported->text;
        return exit_done;
    }
    if (const auto written = write_file(file, exported->text); !written) return report(err, written.error());
    out << file << '\n';
    return exit_done;
}

}  // namespace scalescope::app
