// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as Habitat's networks or traces: a Problem, or networks that read back as written, and finite times.
#include "core/measure/habitat/mlp_json.hpp"
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
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
