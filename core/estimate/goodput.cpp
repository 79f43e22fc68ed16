// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/goodput.hpp"

#include <cmath>

namespace scalescope {
namespace {

Bytes checkpoint_of(const Scenario& s) {
    const Training& t = s.training;
    return Bytes{
        static_cast<double>(s.network()->parameters()) *
        (bytes_per_element(t.precision) + update_cost(t.optimizer, t.precision).state_bytes * trained_share(s).value)};
}

}  // namespace

Fraction trained_share(const Scenario& s) {
    const Network& network = *s.network();
    const Passes& passes = s.workload.front().passes;
    if (!passes.backward || !passes.weights || !passes.update) return Fraction{0};
    const auto all = static_cast<double>(network.parameters());
    double frozen = 0;
    for (int p = 0; !s.training.frozen.empty() && p < network.size(); ++p)
        if (network.frozen(p, s.training.frozen))
            frozen += static_cast<double>(network.facts()[static_cast<std::size_t>(p)].parameters());
    return Fraction{all > 0 ? 1 - frozen / all : 0};
}

bool has_goodput(const Scenario& s) {
    return s.model.method == Method::pipeline && s.parallelism.updates == Updates::synchronous &&
           s.workload.size() == 1;
}

Seconds checkpoint_interval(Seconds write, Seconds between) {
    const double x = write / (2 * between);
    if (x >= 1) return between;
    return Seconds{std::sqrt(2 * write.value * between.value) * (1 + std::sqrt(x) / 3 + x / 9)} - write;
}

Fraction share_that_trains(Seconds interval, Seconds write, Seconds restart, Seconds between) {
    const double cycle = (interval + write) / between;
    const double trained = cycle > 0 ? interval / between / -std::expm1(-cycle) : 1;
    return Fraction{trained * std::exp(-cycle - restart / between)};
}

std::optional<Seconds> Goodput::elapsed(Seconds training) const {
    const Seconds all = training / trains.value;
    return std::isfinite(all.value) ? std::optional(all) : std::nullopt;
}

std::optional<Goodput> goodput_of(const Scenario& s, const Estimate& e) {
    const Reliability& r = s.reliability;
    if (!r.fails() || !has_goodput(s)) return std::nullopt;
    const auto devices = static_cast<double>(e.point.workers);
    Goodput g;
    g.checkpoint = checkpoint_of(s);
    if (!(g.checkpoint > Bytes{0})) return std::nullopt;  // without weights, a failure loses nothing
    g.write = g.checkpoint / (r.checkpoint * Fraction{devices});
    g.between = in_seconds(r.device_mtbf) / devices;
    g.interval = checkpoint_interval(g.write, g.between);
    g.trains = share_that_trains(g.interval, g.write, r.restart, g.between);
    return g;
}

}  // namespace scalescope
