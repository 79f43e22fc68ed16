// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a profiler trace: a Problem, or steps whose parts sum up, and finite times on another GPU, with the
// shapes that were recorded or those of a network.
#include "core/formats/network_json.hpp"
#include "core/measure/kineto/digest.hpp"
#include "core/measure/kineto/reader.hpp"
#include "core/measure/transfer/predict.hpp"
#include "core/measure/transfer/work.hpp"
#include "fuzz/checks.hpp"

using namespace scalescope;
using namespace scalescope::kineto;

namespace {

transfer::Gpu gpu(const char* id, const char* capability, double tflops, std::optional<FlopsPerSecond> tf32) {
    scalescope::Device d;
    d.id = d.name = id;
    d.vendor = "NVIDIA";
    d.compute_capability = capability;
    d.multiprocessors = 80;
    d.memory = gibibytes(32);
    d.memory_bandwidth = gigabytes_per_second(900);
    d.peak[static_cast<std::size_t>(Precision::fp32)] = teraflops(tflops);
    d.peak[static_cast<std::size_t>(Precision::fp16)] = teraflops(8 * tflops);
    d.peak[static_cast<std::size_t>(Precision::tf32)] = tf32;
    return *transfer::gpu_of(d);
}

std::shared_ptr<const Network> small_network() {
    return *formats::read_network(R"({"format": "scalescope-network", "version": 1, "name": "small", "layers": [
        {"name": "x", "kind": "input", "shape": ["batch", 56, 56, 64]},
        {"name": "c", "kind": "convolution", "inputs": ["x"], "filters": 128, "kernel": [3, 3], "stride": [2, 2],
         "padding": [1, 1], "bias": false},
        {"name": "n", "kind": "batch_norm", "inputs": ["c"], "activation": "relu"},
        {"name": "f", "kind": "flatten", "inputs": ["n"]},
        {"name": "d", "kind": "dense", "inputs": ["f"], "units": 10}]})",
                                  "small.json");
}

/// There and back.
void check_prediction(const Trace& trace, const Digest& d, const transfer::Works& works) {
    static const auto volta = gpu("volta", "7.0", 15, std::nullopt), ampere = gpu("ampere", "8.0", 19, teraflops(150));
    for (const bool there : {true, false}) {
        const auto p = transfer::predict(trace, d, works, there ? volta : ampere, there ? ampere : volta);
        for (const auto& o : p.operations)
            fuzz::require_finite(o.predicted.value, "the time of an operation is finite");
        fuzz::require_finite(p.step.predicted.value, "the time of a step is finite");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto trace = parse_trace(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
    if (!trace) return fuzz::check_problems(trace.error());
    const Digest d = digest(*trace);
    std::size_t launched = 0, counted = d.outside;
    for (const Operation& o : d.operations) launched += d.kernels_of(o).size();
    fuzz::require(launched == trace->kernels.size(), "every kernel belongs to one operation");
    for (const kineto::Step& s : d.steps) {
        counted += s.kernels + s.communication_kernels;
        std::int64_t by_class = 0;
        for (const auto t : s.by_class) by_class += t;
        fuzz::require(by_class == s.kernel_time + s.communication_time, "the classes sum to the step");
        fuzz::require(s.idle >= 0 && s.idle <= s.device.length, "no more idle time than there is");
        fuzz::require(s.overlapped >= 0 && s.overlapped <= s.communication_time, "no more overlap than communication");
        fuzz::require(s.exposed >= 0 && s.exposed + s.overlapped <= s.communication_time,
                      "what is exposed and what is not are parts of communication");
    }
    fuzz::require(counted == trace->kernels.size(), "every kernel is in a step or outside");
    auto works = transfer::recorded_works(*trace, d);
    check_prediction(*trace, d, works);
    static const auto network = small_network();
    const auto aligned = transfer::align(works, *trace, d, *network, 12);
    if (!aligned) return fuzz::check_problems(aligned.error());
    fuzz::require(works.size() == d.operations.size(), "what an operation computes is known or not");
    check_prediction(*trace, d, works);
    return 0;
}
