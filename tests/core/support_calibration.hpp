// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/estimate/estimate.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/measure/calibration/calibrate.hpp"
#include "core/measure/fit/random.hpp"
#include "support_library.hpp"

/// Runs whose constants are known, to be calibrated.
namespace scalescope::calibration {

/// AlexNet on nodes of four K80s.
inline Scenario base() {
    const auto preset = support::library().find_scenario("alexnet-ec2-k80");
    Scenario s = formats::read_scenario(preset->text, preset->file, support::library()).value().scenario;
    s.model = {};
    s.cluster.devices_per_node = 4;
    s.cluster.inside = *support::library().catalogue.link("pcie-3-x16");
    s.cluster.inside.latency = microseconds(5);
    s.cluster.between.latency = microseconds(20);
    s.training.batch_rule = BatchRule::per_worker;
    return s;
}

inline double normal(measure::Draws& draws) {
    return std::sqrt(-2.0 * std::log(1.0 - draws.uniform())) * std::cos(6.283185307179586 * draws.uniform());
}

struct Truth {
    double compute, memory, inside, between, launch_us, overhead_ms;
};

inline Scenario with_truth(Scenario s, const Truth& t) {
    s.model.compute = Fraction{t.compute};
    s.model.memory = Fraction{t.memory};
    s.model.inside = Fraction{t.inside};
    s.model.between = Fraction{t.between};
    s.model.launch = microseconds(t.launch_us);
    s.model.overhead = milliseconds(t.overhead_ms);
    return s;
}

inline Observations measured(const Scenario& base, const Truth& truth, const std::vector<std::int64_t>& workers,
                             const std::vector<std::int64_t>& batches, double noise, measure::Draws& draws) {
    Observations o;
    for (const std::int64_t w : workers)
        for (const std::int64_t b : batches) {
            Scenario s = base;
            s.cluster.workers = w;
            s.training.batch = b;
            const double seconds = estimate(with_truth(s, truth)).value().summary.step.value;
            o.rows.push_back({o.scenarios.size(),
                              Observation::What::step,
                              {},
                              Seconds{seconds * std::exp(noise * normal(draws))},
                              0});
            o.scenarios.push_back(s);
        }
    return o;
}

inline const ConstantFinding& constant(const CalibrationFit& fit, std::string_view field) {
    for (const auto& c : fit.constants)
        if (c.field == field) return c;
    throw std::runtime_error("no such constant");
}

}  // namespace scalescope::calibration
