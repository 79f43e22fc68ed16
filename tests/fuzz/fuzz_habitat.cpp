// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as Habitat's networks, traces or tables: a Problem, or networks that read back as written, and finite
// times.
#include "core/measure/habitat/mlp.hpp"
#include "core/measure/habitat/mlp_training.hpp"
#include "core/measure/habitat/tables.hpp"
#include "fuzz/checks.hpp"

using namespace scalescope;
using namespace scalescope::habitat;

namespace {

habitat::Device device(const char* name, int major) {
    habitat::Device d;
    d.name = name;
    d.capability = {major, 0};
    d.threads_per_block = 1024;
    d.threads_per_processor = 2048;
    d.registers_per_block = d.registers_per_processor = 65536;
    d.shared_per_block = 49152;
    d.shared_per_processor = 98304;
    d.processors = 40;
    d.bandwidth = gigabytes_per_second(500);
    d.clock = Megahertz{1200};
    d.peak = gigaflops(6000);
    d.mlp = MlpDevice{gigabytes(16), gigabytes_per_second(700), 40, teraflops(9)};
    return d;
}

template <class Read, class Check>
void check_table(const Read& read, Check check) {
    if (read)
        check(*read);
    else
        fuzz::check_problems(read.error());
}

/// The tables have columns of different names: one file seldom is two of them.
void check_tables(std::string_view text) {
    const std::vector<habitat::Device> devices{device("a", 7), device("b", 6)};
    check_table(read_devices(text, "fuzz.csv", {}), [](const auto& rows) {
        for (const auto& d : rows) fuzz::require_finite(d.bandwidth.value, "a device's bandwidth is finite");
    });
    RegisterTable registers;
    check_table(read_registers(text, "fuzz.csv"), [&](const RegisterTable& table) { registers = table; });
    check_table(read_kernels(text, "fuzz.csv"), [&](const auto& kernels) {
        for (const Kernel& k : kernels)
            for (const Rule rule : {Rule::unified, Rule::roofline, Rule::resimplified, Rule::paper})
                for (const Edition edition : {Edition::habitat, Edition::corrected}) {
                    const Waves w = waves(k, devices[0], devices[1], registers, edition);
                    const auto there = transfer(k, devices[0], devices[1], w, rule, edition);
                    if (there.time) fuzz::require_finite(there.time->value, "the time of a kernel is finite");
                }
        check_table(read_scale_cases(text, "fuzz.csv", kernels, devices), [](const auto&) {});
    });
    check_table(read_occupancy_cases(text, "fuzz.csv", devices), [](const auto& cases) {
        for (const auto& c : cases) fuzz::require(c.device < 2, "a case has a device");
    });
    for (const char* operation : {"conv2d", "linear", "bmm", "lstm"})
        check_table(read_mlp_samples(text, "fuzz.csv", operation, usual_features(operation), devices),
                    [](const MlpSamples& read) {
                        for (const auto& s : read.samples)
                            for (const double x : s.features) fuzz::require(std::isfinite(x), "features are finite");
                    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (text.empty() || (text.front() != '{' && text.front() != '[')) {
        check_tables(text);
        return 0;
    }
    const auto models = parse_mlp_models(text, "fuzz.json");
    if (models) {
        const auto written = write_mlp_models(*models);
        const auto again = parse_mlp_models(written, "written.json");
        fuzz::require(again && write_mlp_models(*again) == written, "networks read back as they were written");
    } else {
        fuzz::check_problems(models.error());
    }
    Kernel kernel;
    kernel.name = "k";
    kernel.blocks = 1000;
    kernel.block_size = 256;
    kernel.registers = 32;
    kernel.time = Nanoseconds{1000};
    const auto traces = read_traces(text, "fuzz.json", {kernel});
    if (!traces) return fuzz::check_problems(traces.error());
    for (const auto& c : *traces) {
        const auto found = predict(c.trace, device("a", 7), device("b", 6), {RegisterTable(), MlpModels(), {}, {}});
        if (!found)
            fuzz::check_problems(found.error());
        else
            fuzz::require_finite(found->time.value, "the time of an iteration is finite");
    }
    return 0;
}
