// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/base/suggest.hpp"
#include "core/measure/habitat/mlp.hpp"
#include "core/measure/kineto/reader.hpp"
#include "core/measure/transfer/predict.hpp"
#include "core/measure/transfer/tables.hpp"
#include "core/measure/transfer/work.hpp"

namespace scalescope::app {

namespace {

Options predict_options() {
    Options options(predict_command);
    options.positional("TRACE", "a trace of PyTorch's profiler (Chrome's JSON), packed by gzip or not");
    options.values("to", "DEVICE,...", "GPUs of `list devices`, by id or name");
    options.value("from", "DEVICE", "the GPU of the recording, where the trace does not say it");
    options.value("network", "NETWORK",
                  "a file or preset: where the trace has no shapes, its operators are aligned with this network");
    declare_read_as(options);
    options.integer("batch", "samples per step of that network (by default, its own)", 1, limits::batch);
    options.value("models", "FILE", "Habitat's networks (JSON), which come before every other rule");
    options.choice("rules", {"best", "wave-scaling"},
                   "the best evidence for each operation, or Habitat's wave scaling for all (best)");
    options.choice("tf32", {"recorded", "convolutions", "all", "none"},
                   "which 32-bit products use TF32 where a GPU has it: as recorded, else PyTorch's default "
                   "(recorded)");
    options.flag("fp16",
                 "products and convolutions of 32-bit tensors take 16 bits where a GPU is faster with them; the rest "
                 "stays as recorded");
    options.value(
        "calibration", "CALIBRATION",
        "corrects the operator model's times: a file that `calibrate` saved of measured operators, or the name "
        "of one's own");
    options.choice("show", {"summary", "operations", "trace"},
                   "times per step, phase, class and rule; those of every operation; or what was recorded (summary)");
    options.table_format();
    return options;
}

std::vector<std::string> split_devices(const Arguments& arguments) {
    std::vector<std::string> names;
    for (const std::string& text : arguments.values("to"))
        for (std::size_t begin = 0; begin <= text.size();) {
            const auto comma = std::min(text.find(',', begin), text.size());
            if (comma > begin) names.push_back(text.substr(begin, comma - begin));
            begin = comma + 1;
        }
    return names;
}

Result<std::vector<transfer::Gpu>> destinations_of(const Arguments& arguments, const Catalogue& catalogue) {
    std::vector<transfer::Gpu> gpus;
    for (const std::string& name : split_devices(arguments)) {
        const Device* device = transfer::find_gpu(catalogue, name);
        if (!device) {
            std::vector<std::string> known;
            for (const Device& d : catalogue.devices) known.push_back(d.id);
            const auto meant = closest(name, known);
            return fail(make_error("There is no device called \"" + name + "\".",
                                   meant ? "Did you mean " + *meant + "?" : "`scalescope list devices` shows them."));
        }
        auto gpu = transfer::gpu_of(*device);
        if (!gpu) return fail(gpu.error());
        gpus.push_back(std::move(*gpu));
    }
    return gpus;
}

transfer::Tf32 tf32_of(const Arguments& arguments) {
    const auto word = arguments.value("tf32").value_or("recorded");
    if (word == "convolutions") return transfer::Tf32::convolutions;
    if (word == "all") return transfer::Tf32::all;
    return word == "none" ? transfer::Tf32::none : transfer::Tf32::as_recorded;
}

/// Shapes as recorded, and where there are none from the network that was named; says on `err` whence they are.
Result<transfer::Works> works_of(const Arguments& arguments, const formats::Library& library,
                                 const kineto::Trace& trace, const kineto::Digest& digest, std::ostream& err) {
    auto works = transfer::recorded_works(trace, digest);
    std::string network_name;
    std::int64_t batch = 0;
    if (const auto name = arguments.value("network")) {
        Problems warnings;
        const auto network = network_named(*name, library, &warnings, {}, read_as(arguments));
        report(err, warnings);
        if (!network) return fail(network.error());
        batch = arguments.integer("batch").value_or((*network)->default_batch());
        if (auto done = transfer::align(works, trace, digest, **network, batch); !done) return fail(done.error());
        network_name = (*network)->name();
    }
    const auto count = [&](transfer::ShapeSource source) {
        return std::count_if(works.begin(), works.end(), [&](const auto& w) { return w.source == source; });
    };
    const auto recorded = count(transfer::ShapeSource::recorded), aligned = count(transfer::ShapeSource::aligned);
    if (aligned > 0)
        err << "Shapes of " << aligned << " operations come from aligning the trace with " << network_name
            << " at batch " << batch << ".\n";
    if (recorded > 0) err << "Shapes of " << recorded << " operations are recorded in the trace.\n";
    if (aligned + recorded == 0)
        err << "The trace has no shapes, so that every operation goes by wave scaling: name the network with "
               "--network.\n";
    return works;
}

/// Of all GPUs, a row at a time, and the prediction for one GPU at a time: a large trace has millions of such rows.
void write_operations(std::ostream& out, std::ostream& err, const kineto::Trace& trace, const kineto::Digest& digest,
                      const transfer::Works& works, const std::vector<transfer::Gpu>& destinations,
                      const std::function<transfer::Prediction(const transfer::Gpu&)>& predicted, OutputFormat format) {
    transfer::Prediction prediction;
    std::size_t held = destinations.size();
    std::size_t said = 0;  // of how many GPUs the warnings are out
    const auto each = [&](const TakeRow& take) {
        for (std::size_t i = 0; i < destinations.size(); ++i) {
            if (held != i) {
                prediction = {};
                prediction = predicted(destinations[i]);
                held = i;
            }
            if (said == i) {
                report(err, prediction.warnings);
                ++said;
            }
            for (const auto& p : prediction.operations)
                take(transfer::operation_row(trace, digest, works, destinations[i], p));
        }
    };
    write_rows(out, transfer::operations_header().columns, each, format, terminal_width(out));
}

int run_predict(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    const auto arguments = predict_options().parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto show = arguments->value("show").value_or("summary");
    if (show != "trace" && !arguments->has("to")) {
        err << "scalescope measure predict: name at least one GPU with --to\n";
        return exit_usage;
    }
    if (arguments->has("batch") && !arguments->has("network")) {
        err << "scalescope measure predict: --batch is that of a --network\n";
        return exit_usage;
    }
    if ((arguments->has("part") || arguments->has("as")) && !arguments->has("network")) {
        err << "scalescope measure predict: --part and --as are those of a --network\n";
        return exit_usage;
    }
    const auto library = load_library(err);
    const auto destinations = destinations_of(*arguments, library.catalogue);
    if (!destinations) return report(err, destinations.error());
    const auto trace = kineto::read_trace(arguments->positional(0));
    if (!trace) return report(err, trace.error());
    report(err, trace->warnings);
    const auto digest = kineto::digest(*trace);
    report(err, kineto::unknown_kernels(*trace, digest));
    if (show == "trace") {
        write_table(out, transfer::recorded_table(digest), arguments->format());
        return exit_done;
    }
    const auto from = transfer::gpu_of(*trace, library.catalogue, arguments->value("from").value_or(""));
    if (!from) return report(err, from.error());
    transfer::Options options;
    options.wave_scaling_only = arguments->value("rules") == "wave-scaling";
    options.tf32 = tf32_of(*arguments);
    options.fp16 = arguments->has("fp16");
    std::optional<transfer::Corrections> corrections;
    if (const auto name = arguments->value("calibration")) {
        const auto calibration = calibration_named(*name, library);
        if (!calibration) return report(err, calibration.error());
        auto read = transfer::Corrections::from(*calibration);
        if (!read) return report(err, read.error());
        corrections = std::move(*read);
        options.corrections = &*corrections;
        err << "Times of operators are corrected by \"" << corrections->name() << "\", on "
            << format_count(static_cast<std::int64_t>(corrections->points())) << " points.\n";
    }
    habitat::MlpModels networks;
    if (const auto file = arguments->value("models")) {
        auto models = habitat::read_mlp_models(*file);
        if (!models) return report(err, models.error());
        networks = std::move(*models);
        options.networks = &networks;
    }
    const auto works = works_of(*arguments, library, *trace, digest, err);
    if (!works) return report(err, works.error());
    const auto predicted = [&](const transfer::Gpu& to) {
        return transfer::predict(*trace, digest, *works, *from, to, options);
    };
    if (show == "operations") {
        write_operations(out, err, *trace, digest, *works, *destinations, predicted, arguments->format());
        return exit_done;
    }
    Table table = transfer::summary_header();
    for (const transfer::Gpu& to : *destinations) {
        const auto prediction = predicted(to);
        report(err, prediction.warnings);
        transfer::add_summary(table, digest, *from, to, prediction);
    }
    write_table(out, table, arguments->format());
    return exit_done;
}

}  // namespace

const Command predict_command{
    "measure predict", "the time of a recorded training step on other GPUs",
    "scalescope measure predict trace.json.gz --to a100-sxm-40gb --network resnet-50 --batch 32", run_predict};

}  // namespace scalescope::app
