// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/wave.hpp"

#include "core/base/checked.hpp"
#include "core/base/sequences.hpp"

#include <cmath>
#include <tl/expected.hpp>

namespace scalescope::habitat {

namespace {

/// What a rule looks at; wave sizes are not zero unless the edition says so.
struct Question {
    const Kernel& kernel;
    const Device& origin;
    const Device& destination;
    const Waves& waves;
    bool small = false;
};

double bandwidth_ratio(const Question& q) { return q.origin.bandwidth / q.destination.bandwidth; }
double clock_ratio(const Question& q) { return q.origin.clock / q.destination.clock; }

/// A kernel of less than a wave takes as long anywhere.
double resimplified(const Question& q) { return q.small ? 1.0 : bandwidth_ratio(q); }

double roofline(const Question& q) {
    const double gamma = *q.waves.gamma;
    if (q.small) {
        const auto rounds = [&](const Device& d) {
            return static_cast<double>(ceil_div(q.kernel.blocks, d.processors));
        };
        return std::pow(clock_ratio(q) * rounds(q.destination) / rounds(q.origin), 1.0 - gamma);
    }
    const double processors = static_cast<double>(q.origin.processors) / static_cast<double>(q.destination.processors);
    return std::pow(bandwidth_ratio(q), gamma) * std::pow(clock_ratio(q), 1.0 - gamma) *
           std::pow(processors, 1.0 - gamma);
}

/// ⌈B/W_d⌉ (D_o/D_d · W_d/W_o)^γ (C_o/C_d)^(1−γ) / ⌈B/W_o⌉. Without metrics a kernel is taken to be bound by memory, as
/// the resimplified rule does.
double paper_form(const Question& q) {
    const double gamma = q.waves.gamma.value_or(1.0);
    const auto rounds = [&](std::int64_t wave) { return static_cast<double>(ceil_div(q.kernel.blocks, wave)); };
    const double wave_ratio = static_cast<double>(q.waves.destination_wave) / static_cast<double>(q.waves.origin_wave);
    return rounds(q.waves.destination_wave) * std::pow(bandwidth_ratio(q) * wave_ratio, gamma) *
           std::pow(clock_ratio(q), 1.0 - gamma) / rounds(q.waves.origin_wave);
}

Outcome emptiness(const Waves& w) {
    return w.origin_wave == 0 ? Outcome::cannot_have_run_here : Outcome::cannot_run_there;
}

/// Whether the grid is less than one wave on both, as the edition sees it, or why that cannot be said.
tl::expected<bool, Outcome> less_than_a_wave(const Kernel& kernel, const Waves& w, Rule rule, Edition edition) {
    const bool empty = w.origin_wave == 0 || w.destination_wave == 0;
    if (!empty) return kernel.blocks < w.origin_wave && kernel.blocks < w.destination_wave;
    if (rule == Rule::paper || edition == Edition::corrected) return tl::unexpected(emptiness(w));
    if (edition == Edition::deepview) return true;
    if (w.origin_wave > 0 && kernel.blocks >= w.origin_wave) return false;
    return tl::unexpected(emptiness(w));
}

}  // namespace

std::string_view name_of(Rule rule) { return one_of(rule, "unified", "roofline", "resimplified", "paper"); }

double memory_boundedness(const Metrics& metrics, Nanoseconds time, const Device& origin, const Device& destination) {
    const double gib = (metrics.read + metrics.written) / gibibytes(1);
    const double gflop = metrics.flop_efficiency.value * (origin.peak / gigaflops(1)) * (time.value * 1e-9);
    if (gflop < 1e-9) return 1.0;
    if (gib == 0.0) return 0.0;
    const double intensity = gflop / gib;
    const double ridge = (destination.peak / gigaflops(1)) / (destination.bandwidth / gigabytes_per_second(1));
    return intensity <= ridge ? 1.0 - 0.5 * intensity / ridge : 0.5 * ridge / intensity;
}

Waves waves(const Kernel& kernel, const Device& origin, const Device& destination, const RegisterTable& registers,
            Edition edition) {
    Waves w;
    w.destination_registers = registers.find(kernel.name, destination.capability);
    BlockDemand demand{kernel.block_size, kernel.registers, kernel.shared()};
    w.origin = occupancy(demand, origin, edition);
    demand.registers = w.destination_registers.value_or(kernel.registers);
    w.destination = occupancy(demand, destination, edition);
    w.origin_wave = w.origin.blocks * origin.processors;
    w.destination_wave = w.destination.blocks * destination.processors;
    if (w.origin_wave > 0 && w.destination_wave > 0)
        w.small = kernel.blocks < w.origin_wave && kernel.blocks < w.destination_wave;
    if (kernel.metrics) w.gamma = memory_boundedness(*kernel.metrics, kernel.time, origin, destination);
    return w;
}

Transfer transfer(const Kernel& kernel, const Device& origin, const Device& destination, const Waves& w, Rule rule,
                  Edition edition) {
    Transfer result;
    result.used = rule != Rule::unified ? rule : w.gamma ? Rule::roofline : Rule::resimplified;
    if (result.used == Rule::roofline && !w.gamma) {
        result.outcome = Outcome::no_metrics;
        return result;
    }
    const auto small = less_than_a_wave(kernel, w, result.used, edition);
    if (!small) {
        result.outcome = small.error();
        return result;
    }
    const Question question{kernel, origin, destination, w, *small};
    switch (result.used) {
        case Rule::unified:
        case Rule::resimplified: result.time = kernel.time * resimplified(question); break;
        case Rule::roofline: result.time = kernel.time * roofline(question); break;
        case Rule::paper: result.time = kernel.time * paper_form(question); break;
    }
    return result;
}

}  // namespace scalescope::habitat
