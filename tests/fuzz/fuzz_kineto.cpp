// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a profiler trace: a Problem, or steps whose parts sum up.
#include "core/measure/kineto/digest.hpp"
#include "core/measure/kineto/reader.hpp"
#include "fuzz/checks.hpp"

using namespace scalescope;
using namespace scalescope::kineto;

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
    }
    fuzz::require(counted == trace->kernels.size(), "every kernel is in a step or outside");
    return 0;
}
