// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate/explain_page.hpp"

/// Pages of CPU clusters (docs/decisions/cpu-clusters.md). What they share with other methods is not here.
namespace scalescope::explaining::cpus {

/// What the pages of one estimate need.
struct Cpu {
    const Context& c;
    const CpuMethod& method;
    const yan::Evaluation& e;

    explicit Cpu(const Context& context) : c(context), method(*context.plan.cpu), e(*context.estimate.cpu) {}
    const yan::Configuration& configuration() const { return e.configuration; }
    const CpuMachine& machine() const { return method.prepared.machine; }
    bool alone() const { return trains_alone(e.configuration); }
    /// T seconds of a sample and thread are so many of a step: K/H.
    double factor() const {
        return static_cast<double>(e.configuration.exchange_every) / static_cast<double>(e.configuration.threads);
    }
    /// Of the method's list, the layer at a position of the network; nothing for those that cost nothing.
    std::optional<std::size_t> layer_at(int position) const;
    /// What a step computes and exchanges between machines, K/H·T, and of it what the layers compute.
    Seconds training() const { return factor() * e.score.sample.total(); }
    Seconds exchange() const;
    Seconds hidden_exchange() const;
    /// Of the step: messages to and from servers that are waited for, and their CPU time.
    Seconds sending() const { return settled(c.estimate.summary.communication - exchange()); }
    Seconds serving() const;              ///< part of the update, where servers stand on the workers' machines
    Seconds waiting_for_servers() const;  ///< part of what is idle
    Seconds stragglers() const;           ///< that too: waiting for the slowest replica
    /// Without what rounding left of nothing.
    Seconds settled(Seconds t) const { return t.value > 1e-13 * c.estimate.summary.step.value ? t : Seconds{}; }
    /// Of the machine of a replica that exchanges longest for a layer; `gradients`: for its errors.
    yan::MachineTraffic slowest_traffic(std::size_t layer, bool gradients) const;
};

/// Adds the quantities of K/H and returns its text, "K/h".
std::string training_factor(Page& page, const Cpu& cpu);
/// A figure of the machine; `name` as machines' files call it, `path` behind "cluster.machine.".
Page& machine_figure(Page& page, const Cpu& cpu, const char* symbol, std::string text, double value, Measure m,
                     const char* name, const char* path);
Page cpu_page(const Cpu& cpu, const Item& item, const char* symbol, double result, Measure m);

Page step_page(const Cpu& cpu, const Item& item);    ///< communication, hidden, idle and their like
Page wish_page(const Cpu& cpu, const Item& item);    ///< speedup, cost, batch, idle share
Page server_page(const Cpu& cpu, const Item& item);  ///< traffic with the servers
Page layer_page(const Cpu& cpu, const Item& item);
Page memory_page(const Cpu& cpu, const Item& item);

}  // namespace scalescope::explaining::cpus
