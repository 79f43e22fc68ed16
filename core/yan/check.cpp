// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <string>

#include "core/base/limits.hpp"
#include "core/yan/model.hpp"

namespace scalescope::yan {

namespace {

class Checking {
public:
    void wrong(std::string what, std::string where, std::string remedy) {
        problems_.push_back(make_error(std::move(what), std::move(remedy), {}, std::move(where)));
    }
    void whole(std::string_view name, std::int64_t value, std::int64_t most) {
        if (value >= 1 && value <= most) return;
        wrong("The number of " + std::string(name) + " is " + std::to_string(value) + ".", std::string(name),
              "use a whole number from 1 to " + std::to_string(most));
    }
    void above_zero(std::string_view name, double value) {
        if (std::isfinite(value) && value > 0.0) return;
        wrong("This must be a number above 0.", std::string(name), "write what was measured");
    }
    void not_negative(std::string_view name, double value) {
        if (std::isfinite(value) && value >= 0.0) return;
        wrong("This must be a number, at least 0.", std::string(name), "write what was measured, or 0");
    }
    Problems take() { return std::move(problems_); }

private:
    Problems problems_;
};

}  // namespace

Problems check(const CpuMachine& m) {
    Checking c;
    c.whole("cores", m.cores, limits::workers);
    c.whole("threads", m.threads, limits::workers);
    c.above_zero("memory", m.memory.value);
    c.not_negative("second-level cache", m.l2.value);
    c.not_negative("last-level cache", m.l3.value);
    if (m.l3 < m.l2)
        c.wrong("The last-level cache is smaller than the second-level cache.", "last-level cache",
                "give both in the same unit");
    c.above_zero("multiply-add in the second-level cache", m.multiply_add_l2.value);
    c.above_zero("multiply-add in the last-level cache", m.multiply_add_l3.value);
    c.above_zero("multiply-add in memory", m.multiply_add_memory.value);
    c.not_negative("contention", m.contention);
    c.not_negative("contention beyond the cores", m.contention_beyond_cores);
    c.above_zero("memory bandwidth", m.memory_bandwidth.value);
    c.not_negative("activation", m.activation.value);
    c.not_negative("error term", m.error.value);
    c.not_negative("update", m.update.value);
    c.not_negative("exponential", m.exponential.value);
    c.not_negative("latency", m.latency.value);
    c.above_zero("network", m.network.value);
    c.above_zero("network of a server", m.server_network.value);
    c.above_zero("updates of a server", m.server_updates.value);
    c.above_zero("bytes of an activation", m.activation_bytes.value);
    c.above_zero("bytes of a weight", m.weight_bytes.value);
    return c.take();
}

Problems check(const PreparedNetwork& prepared, const Configuration& c) {
    Checking k;
    const auto& layers = prepared.list.layers;
    k.whole("partitions", c.partitions, limits::partitions);
    k.whole("replicas", c.replicas, limits::workers);
    k.whole("servers", c.servers, limits::workers);
    k.whole("threads", c.threads, prepared.machine.threads);
    k.whole("samples between exchanges", c.exchange_every, limits::batch);
    if (!(c.overlap >= 0.0 && c.overlap <= 1.0))
        k.wrong("The overlap is no share.", "overlap", "use a number from 0 to 1");
    k.not_negative("deviation of a step", c.step_deviation);
    k.above_zero("samples", c.samples.value);
    k.not_negative("buffers", prepared.options.buffers.value);
    if (layers.empty()) {
        k.wrong("The network has nothing to compute.", "network", "choose one with layers behind its input");
        return k.take();
    }
    double work = 0.0;
    for (const LayerWork& w : layers)
        work += w.forward_adds + w.activations + w.exponentials + w.delta_adds + w.updated;
    if (work <= 0.0) k.wrong("The network has nothing to compute.", "network", "choose one with layers that compute");
    if (c.splits.empty()) return k.take();
    if (c.splits.size() != layers.size()) {
        k.wrong("There are " + std::to_string(c.splits.size()) + " splits for " + std::to_string(layers.size()) +
                    " layers.",
                "splits", "give one for each layer, or none");
        return k.take();
    }
    for (std::size_t l = 0; l < layers.size(); ++l) {
        if (layers[l].leader != static_cast<int>(l)) continue;
        const std::int64_t most = most_segments(layers[l], c.partitions, prepared.options);
        if (c.splits[l] < 1 || c.splits[l] > most)
            k.wrong("This layer cannot be cut into " + std::to_string(c.splits[l]) + " segments.",
                    "splits › " + std::to_string(l + 1), "use at most " + std::to_string(most));
    }
    return k.take();
}

}  // namespace scalescope::yan
