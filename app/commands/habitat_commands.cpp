// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <ostream>
#include <set>

#include "app/commands/habitat_options.hpp"
#include "core/base/limits.hpp"
#include "core/base/suggest.hpp"
#include "core/measure/habitat/tables.hpp"

namespace scalescope::app {

namespace {

namespace hb = scalescope::habitat;

Result<std::vector<hb::Kernel>> kernels_of(const Arguments& a) {
    return read_option_file(
        a, "kernels", [](const std::string& text, const std::string& file) { return hb::read_kernels(text, file); });
}

Result<hb::RegisterTable> registers_of(const Arguments& a) {
    return read_option_file(a, "registers", [](const std::string& text, const std::string& file) {
        return hb::read_registers(text, file);
    });
}

void add_habitat_options(Options& options) {
    options.value("devices", "FILE", "CSV of GPUs: limits, bandwidth, clock, peak").required();
    add_variant(options);
}

/// What stands in the place of a time: the words of the original where it stops, ours where it does not know better.
Cell cell_of_transfer(const hb::Transfer& t, hb::Edition edition) {
    if (t.time) return t.time->value;
    if (t.outcome == hb::Outcome::no_metrics) return std::string("error:AttributeError");
    return std::string(edition == hb::Edition::habitat ? "error:ZeroDivisionError" : "not runnable");
}

/// Kernels that cannot run on a GPU, each said once.
class Impossible {
public:
    void look_at(const hb::Kernel& kernel, const hb::Device& device, const hb::Occupancy& found, bool measured_here,
                 const hb::Transfer& used) {
        if (found.blocks > 0 || !said_.emplace(&kernel, &device).second || problems_.size() > limits::problems) return;
        std::string rule(hb::name_of(used.used));
        problems_.push_back(make_warning(
            "Kernel " + kernel.name + " cannot run on " + device.name + ": " + std::string(hb::why_not(found.limit)) +
                (measured_here ? ", although it was measured there." : "."),
            used.time ? "Its time comes from the " + rule + " rule all the same; take it with doubt."
                      : "It has no time by the " + rule + " rule; leave it out, or check its registers and memory."));
    }
    const Problems& problems() const { return problems_; }

private:
    std::set<std::pair<const hb::Kernel*, const hb::Device*>> said_;
    Problems problems_;
};

std::vector<Cell> scale_row(const hb::Kernel& kernel, const hb::Device& origin, const hb::Device& destination,
                            const hb::RegisterTable& registers, hb::Edition edition, bool paper,
                            Impossible& impossible) {
    const hb::Waves w = hb::waves(kernel, origin, destination, registers, edition);
    const auto by = [&](hb::Rule rule) { return hb::transfer(kernel, origin, destination, w, rule, edition); };
    const auto unified = by(hb::Rule::unified);
    impossible.look_at(kernel, origin, w.origin, true, unified);
    impossible.look_at(kernel, destination, w.destination, false, unified);
    Cell small;
    if (w.small) small = std::int64_t{*w.small ? 1 : 0};
    std::vector<Cell> row{kernel.name,
                          origin.name,
                          destination.name,
                          cell_of(w.destination_registers),
                          w.origin.blocks,
                          w.destination.blocks,
                          w.origin_wave,
                          w.destination_wave,
                          small,
                          cell_of(w.gamma),
                          cell_of_transfer(unified, edition),
                          cell_of_transfer(by(hb::Rule::roofline), edition),
                          cell_of_transfer(by(hb::Rule::resimplified), edition)};
    if (paper) row.push_back(cell_of_transfer(by(hb::Rule::paper), edition));
    return row;
}

const hb::Device* find_device(const std::vector<hb::Device>& devices, const std::string& name) {
    const auto found = std::find_if(devices.begin(), devices.end(), [&](const auto& d) { return d.name == name; });
    return found == devices.end() ? nullptr : &*found;
}

Problem no_such_device(const std::vector<hb::Device>& devices, const std::string& name, const std::string& trace) {
    std::vector<std::string> known;
    for (const auto& d : devices) known.push_back(d.name);
    const auto meant = closest(name, known);
    return make_error(
        "There is no device called \"" + name + "\".",
        meant ? "Did you mean " + *meant + "?" : "Add it to the file of devices, or choose another --variant.", {},
        trace);
}

std::vector<std::string> split_names(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto comma = std::min(text.find(',', begin), text.size());
        if (comma > begin) names.push_back(text.substr(begin, comma - begin));
        begin = comma + 1;
    }
    return names;
}

void add_trace_rows(Table& table, const hb::Trace& trace, const std::string& destination,
                    const hb::PredictedTrace& predicted) {
    const auto optional_ms = [](const std::optional<hb::Milliseconds>& t) {
        return cell_of(t ? std::optional(t->value) : std::nullopt);
    };
    for (std::size_t i = 0; i < predicted.operations.size(); ++i) {
        const hb::PredictedOperation& p = predicted.operations[i];
        table.rows.push_back({trace.name, trace.origin, destination, static_cast<std::int64_t>(i + 1),
                              trace.operations[i].name, trace.operations[i].time().value, p.forward.value,
                              optional_ms(p.backward), p.time().value, std::string(hb::name_of(p.rule))});
    }
    table.rows.push_back({trace.name, trace.origin, destination, std::string("total"), std::monostate{},
                          trace.time().value, std::monostate{}, std::monostate{}, predicted.time.value,
                          std::monostate{}});
}

/// All files of `habitat trace`.
struct TraceInputs {
    std::vector<hb::Device> devices;
    hb::RegisterTable registers;
    hb::MlpModels models;
    std::vector<hb::TraceCase> cases;
};

Result<TraceInputs> trace_inputs(const Arguments& a) {
    auto devices = devices_of(a);
    if (!devices) return fail(devices.error());
    const auto kernels = kernels_of(a);
    if (!kernels) return fail(kernels.error());
    auto registers = registers_of(a);
    if (!registers) return fail(registers.error());
    auto models = models_of(a);
    if (!models) return fail(models.error());
    auto cases = read_option_file(a, "traces", [&](const std::string& text, const std::string& file) {
        return hb::read_traces(text, file, *kernels);
    });
    if (!cases) return fail(cases.error());
    return TraceInputs{std::move(*devices), std::move(*registers), std::move(*models), std::move(*cases)};
}

/// Adds the rows of one trace; warnings go to `err`.
Result<void> predict_trace(Table& table, const TraceInputs& in, const hb::TraceCase& c, const Arguments& a,
                           std::ostream& err) {
    auto destinations = a.has("to") ? split_names(*a.value("to")) : c.destinations;
    if (destinations.empty())
        return fail(make_error("The trace names no device to predict for.", "Name them with --to.", {}, c.trace.name));
    const auto* origin = find_device(in.devices, c.trace.origin);
    if (!origin) return fail(no_such_device(in.devices, c.trace.origin, c.trace.name));
    for (const auto& name : destinations) {
        const auto* destination = find_device(in.devices, name);
        if (!destination) return fail(no_such_device(in.devices, name, c.trace.name));
        const auto predicted =
            hb::predict(c.trace, *origin, *destination, {in.registers, in.models, edition_of(a), hb::Rule::unified});
        if (!predicted) return fail(predicted.error());
        report(err, predicted->warnings);
        add_trace_rows(table, c.trace, name, *predicted);
    }
    return {};
}

int run_habitat_occupancy(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(habitat_occupancy_command);
    add_habitat_options(options);
    options.value("cases", "FILE", "CSV: device, block_size, registers_per_thread, static_smem, dynamic_smem")
        .required();
    add_habitat_format(options);
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto devices = devices_of(*arguments);
    if (!devices) return report(err, devices.error());
    const auto cases = read_option_file(*arguments, "cases", [&](const std::string& text, const std::string& file) {
        return hb::read_occupancy_cases(text, file, *devices);
    });
    if (!cases) return report(err, cases.error());
    Table table;
    table.columns = {"device",      "compute_capability", "block_size",    "registers_per_thread",
                     "static_smem", "dynamic_smem",       "blocks_per_sm", "wave_size"};
    for (const auto& c : *cases) {
        const auto& device = (*devices)[c.device];
        const auto blocks = hb::occupancy(c.demand(), device, edition_of(*arguments)).blocks;
        table.rows.push_back({device.name, device.capability.text(), c.block_size, c.registers, c.static_shared,
                              c.dynamic_shared, blocks, blocks * device.processors});
    }
    write_result(out, table, *arguments);
    return exit_done;
}

int run_habitat_scale(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(habitat_scale_command);
    options.value("kernels", "FILE", "CSV of measured kernels").required();
    add_habitat_options(options);
    options.value("registers", "FILE", "CSV: name, arch, registers_per_thread of the same kernels elsewhere");
    options.value("pairs", "FILE", "CSV: origin, dest; every kernel for each pair");
    options.value("cases", "FILE", "CSV: kernel_id, origin, dest; instead of --pairs");
    options.flag("paper", "one more column, paper_ns: the paper's general form, which no published code has");
    add_habitat_format(options);
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    if (arguments->has("pairs") == arguments->has("cases")) {
        err << "scalescope habitat scale: give either --pairs or --cases\n";
        return exit_usage;
    }
    const auto devices = devices_of(*arguments);
    if (!devices) return report(err, devices.error());
    const auto kernels = kernels_of(*arguments);
    if (!kernels) return report(err, kernels.error());
    const auto registers = registers_of(*arguments);
    if (!registers) return report(err, registers.error());
    const auto cases = read_option_file(*arguments, arguments->has("pairs") ? "pairs" : "cases",
                                        [&](const std::string& text, const std::string& file) {
                                            return hb::read_scale_cases(text, file, *kernels, *devices);
                                        });
    if (!cases) return report(err, cases.error());
    Table table;
    table.columns = {
        "kernel_id",          "origin",           "dest",           "dest_registers_lookup", "origin_blocks_per_sm",
        "dest_blocks_per_sm", "origin_wave_size", "dest_wave_size", "small_kernel",          "gamma",
        "unified_ns",         "roofline_ns",      "resimplified_ns"};
    const bool paper = arguments->has("paper");
    if (paper) table.columns.emplace_back("paper_ns");
    Impossible impossible;
    for (const auto& c : *cases)
        table.rows.push_back(scale_row((*kernels)[c.kernel], (*devices)[c.origin], (*devices)[c.destination],
                                       *registers, edition_of(*arguments), paper, impossible));
    report(err, impossible.problems());
    write_result(out, table, *arguments);
    return exit_done;
}

int run_habitat_mlp(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(habitat_mlp_command);
    options.value("models", "FILE", "JSON of networks, one for each operation").required();
    add_habitat_options(options);
    options.value("cases", "FILE", "CSV: operation, device, features (numbers with spaces between them)").required();
    add_habitat_format(options);
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto devices = devices_of(*arguments);
    if (!devices) return report(err, devices.error());
    const auto models = models_of(*arguments);
    if (!models) return report(err, models.error());
    const auto cases = read_option_file(*arguments, "cases", [&](const std::string& text, const std::string& file) {
        return hb::read_mlp_cases(text, file, *devices, *models);
    });
    if (!cases) return report(err, cases.error());
    Table table;
    table.columns = {"operation", "device", "features", "predicted_ms"};
    for (const auto& c : *cases) {
        const auto& device = (*devices)[c.device];
        const auto found = hb::predict(models->at(c.operation), c.features, device);
        if (!found) {
            Problems problems = found.error();
            for (Problem& problem : problems) problem.at = c.at;
            return report(err, problems);
        }
        table.rows.push_back({c.operation, device.name, c.text, found->value});
    }
    write_result(out, table, *arguments);
    return exit_done;
}

int run_habitat_trace(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(habitat_trace_command);
    options.value("traces", "FILE", "JSON of measured iterations").required();
    options.value("kernels", "FILE", "CSV of the kernels they name").required();
    add_habitat_options(options);
    options.value("registers", "FILE", "CSV: name, arch, registers_per_thread of the same kernels elsewhere");
    options.value("models", "FILE", "JSON of networks for conv2d, linear, bmm and lstm");
    options.value("to", "DEVICE,DEVICE", "the devices to predict for (those the traces have predictions for)");
    add_habitat_format(options);
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto inputs = trace_inputs(*arguments);
    if (!inputs) return report(err, inputs.error());
    Table table;
    table.columns = {"trace",       "origin",     "dest",        "operation",   "name",
                     "measured_ms", "forward_ms", "backward_ms", "run_time_ms", "rule"};
    for (const auto& c : inputs->cases) {
        const auto added = predict_trace(table, *inputs, c, *arguments, err);
        if (!added) return report(err, added.error());
    }
    write_result(out, table, *arguments);
    return exit_done;
}

}  // namespace

const Command habitat_occupancy_command{
    "habitat occupancy", "thread blocks that a processor of a GPU holds, by Habitat's rules",
    "scalescope habitat occupancy --devices devices.csv --cases occupancy.csv", run_habitat_occupancy};

const Command habitat_scale_command{
    "habitat scale", "times of measured kernels on other GPUs, by Habitat's wave scaling",
    "scalescope habitat scale --kernels kernels.csv --devices devices.csv --registers kernel_registers.csv "
    "--cases wave_scaling.csv",
    run_habitat_scale};

const Command habitat_mlp_command{
    "habitat mlp", "times of operations by Habitat's networks",
    "scalescope habitat mlp --models mlp_models.json --devices devices.csv --cases mlp_predictions.csv",
    run_habitat_mlp};

const Command habitat_trace_command{
    "habitat trace", "the time of a measured training iteration on other GPUs",
    "scalescope habitat trace --traces traces.json --kernels kernels.csv --devices devices.csv "
    "--registers kernel_registers.csv --models mlp_models.json",
    run_habitat_trace};

}  // namespace scalescope::app
