// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a saved fit: Problems, or a fit that is written and read back, and that predicts its own runs.
#include "core/measure/fit/fit_json.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

using namespace scalescope;
using namespace scalescope::measure;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = read_fit(text, "fuzz.json");
    if (!read) {
        fuzz::check_problems(read.error());
        return 0;
    }
    const std::string written = fit_json(*read);
    const auto again = read_fit(written, "written.json");
    fuzz::require(again && fit_json(*again) == written, "a fit reads back as it was written");
    for (const double seconds : read->fit.predicted)
        fuzz::require(std::isfinite(seconds), "the time of a run is finite");
    const auto applied = apply_fit(*read, read->runs);
    if (!applied) {
        fuzz::check_problems(applied.error());
        return 0;
    }
    for (std::size_t i = 0; i < read->runs.size(); ++i)
        fuzz::require(applied->predicted[i] == read->fit.predicted[i], "a fit says the same of its own runs");
    return 0;
}
