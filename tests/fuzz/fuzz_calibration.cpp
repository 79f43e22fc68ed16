// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a calibration, and as a table of measured operators, of steps or of layers: Problems, or what reads back
// as written, and what corrections and constants can be fitted to.
#include <cmath>

#include "core/formats/calibration_json.hpp"
#include "core/formats/library.hpp"
#include "core/measure/calibration/observations.hpp"
#include "core/measure/operators/correction.hpp"
#include "core/measure/operators/tables.hpp"
#include "core/scenario/fields.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

using namespace scalescope;

namespace {

void check_calibration(std::string_view text) {
    const auto calibration = formats::read_calibration(text, "fuzz.json");
    if (!calibration) {
        fuzz::check_problems(calibration.error());
        return;
    }
    const std::string written = formats::write_calibration(*calibration);
    const auto again = formats::read_calibration(written, "written.json");
    fuzz::require(again && *again == *calibration, "a calibration reads back as it was written");
}

void check_observations(const Result<calibration::Observations>& read) {
    if (!read) {
        fuzz::check_problems(read.error());
        return;
    }
    for (const auto& row : read->rows) {
        fuzz::require(row.scenario < read->scenarios.size(), "every time is of a scenario");
        fuzz::require(std::isfinite(row.measured.value) && row.measured.value > 0, "times are above zero");
        fuzz::require((row.what == calibration::Observation::What::step) == row.layer.empty(),
                      "a time is of the step or of a layer");
    }
}

/// Measured steps and layers, as the verb calibrate reads them.
void check_measured(std::string_view text) {
    static const formats::Library library = formats::load_shipped();
    static const Scenario base =
        fuzz::scenario_of(*formats::read_network(library.find_network("alexnet-one-tower")->text, "alexnet.json"));
    check_observations(calibration::read_layers(text, "fuzz.csv", base));
    check_observations(calibration::read_runs(text, "fuzz.csv", base, {},
                                              [](Scenario& s, const std::string& path, const std::string& value) {
                                                  return set_field(s, path, value, library.catalogue);
                                              }));
}

void check_table(std::string_view text) {
    const auto table = formats::parse_csv(text, "fuzz.csv");
    if (!table) return;
    const auto read = operators::read_operator_table(*table);
    if (!read) {
        fuzz::check_problems(read.error());
        return;
    }
    operators::Chip chip;
    chip.peak = teraflops(10);
    chip.memory = gigabytes_per_second(500);
    chip.processors = 40;
    std::vector<operators::Sample> samples;
    for (const auto& row : read->rows) {
        fuzz::require_finite(operators::time_of(row, chip).total.value, "a time is finite and not negative");
        if (samples.size() < 64 && operators::kind_of(row.shape) == operators::OperatorKind::matmul)
            samples.push_back({operators::features_of(row, chip), std::log(row.time.value), 0});
    }
    if (samples.empty()) return;
    const auto fitted = operators::fit_correction(samples);
    fuzz::require(fitted.has_value(), "samples give a correction");
    for (const auto& s : samples)
        fuzz::require_finite(operators::corrected(s.features, *fitted).time.value, "a corrected time is finite");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (!text.empty() && text.front() == '{') {
        check_calibration(text);
    } else {
        check_table(text);
        check_measured(text);
    }
    return 0;
}
