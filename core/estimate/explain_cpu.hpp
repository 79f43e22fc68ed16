// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include "core/estimate/explain_symbols.hpp"

/// Pages of CPU clusters (docs/decisions/cpu-clusters.md). What they share with other methods is not here.
namespace scalescope::explaining::cpus {

/// A layer of the method's list, its largest segment. Passes: 0 forward, 1 errors, 2 deltas.
struct Layer {
    std::size_t at;
    const yan::LayerWork& w;
    const yan::LayerTimes& t;
    double share, kept;  ///< of the layer that the segment has, and of its weights
    double reuse;        ///< multiply-adds that a loaded weight serves
    std::array<double, 3> adds;
    Layer(const CpuMethod& method, const yan::Evaluation& e, std::size_t l);
    Seconds waited(std::size_t pass) const { return t.time.of(pass) - t.compute.of(pass); }
};

/// What the page of one item needs.
struct Cpu {
    const Context& c;
    const Item& item;
    const CpuMethod& method;
    const yan::Evaluation& e;
    const yan::Configuration& k;
    const CpuMachine& m;
    const yan::ServerLoad& load;
    const Summary& s;
    std::optional<Layer> layer;  ///< the item's; nothing for those that cost nothing
    std::size_t pass;            ///< of the item

    Cpu(const Context& context, const Item& asked);
    bool alone() const { return trains_alone(k); }
    double weights() const { return method.prepared.weights.value; }
    /// T seconds of a sample and thread are so many of a step: K/H.
    double factor() const { return static_cast<double>(k.exchange_every) / static_cast<double>(k.threads); }
    /// What a step computes and exchanges between machines, K/H·T, and of it what the layers exchange and update.
    Seconds training() const { return factor() * e.score.sample.total(); }
    Seconds exchange() const;
    Seconds hidden_exchange() const;
    Seconds local_updates() const;
    /// Of the step: messages to and from servers that are waited for, those that are not, and the servers' CPU time.
    Seconds sending() const { return settled(s.communication - exchange()); }
    Seconds hidden_sending() const { return settled(s.hidden - hidden_exchange()); }
    Seconds serving() const { return settled(s.update - local_updates()); }  ///< beside the workers: of the update
    Seconds waiting_for_servers() const;                                     ///< part of what is idle
    Seconds stragglers() const;  ///< that too: waiting for the slowest replica
    bool queued() const { return !k.synchronous && method.queueing; }
    /// Without what rounding left of nothing.
    Seconds settled(Seconds t) const { return t.value > 1e-13 * s.step.value ? t : Seconds{}; }
    /// Of one multiply-add of the item's layer.
    Seconds multiply_add() const { return yan::multiply_add(m, k.threads, layer->t.compute.working_set, layer->reuse); }
    /// Of the machine of a replica that exchanges longest for the item's layer; `gradients`: for its errors.
    yan::MachineTraffic slowest_traffic(bool gradients) const;

    /// A page whose formula's symbols the room's table explains.
    Page page(const char* symbol, const Amount& result, const std::string& formula = {}) const;
    Page& tell(Page& page, const std::string& formula) const;
    /// Nothing for a reason, and the setting behind it.
    Page nothing(const char* symbol, const Amount& zero, std::string reason,
                 std::string_view field = fields::workload) const;
    /// With the circumstance of a field, in words.
    Page with_fact(Page page, std::string_view field) const;
    /// All of the method's list, or those that the fullest machine has a segment of.
    std::vector<std::size_t> layers(bool of_fullest) const;
    /// What `value` gives for each layer, as the item `base` of it, times `times` if that is not empty.
    template <class F>
    Page sum(const char* symbol, const Amount& all, const std::string& times, Item base, F value,
             bool of_fullest = false) const {
        std::vector<Term> terms;
        Sum sum{"layers", all.measure, all, [&](Page&) { return times; }};
        for (const std::size_t l : layers(of_fullest)) {
            const Layer there(method, e, l);
            const Amount amount = value(there);
            sum.measure = amount.measure;
            base.layer = there.w.position;
            terms.push_back({c.layer_name(0, base.layer), amount.value, base});
        }
        Page page = sum_page(c, item, symbol, terms, sum);
        return tell(page.source(source), {});
    }
    static constexpr const char* source =
        "CPU clusters after Yan et al., KDD 2015 (re-derived): docs/decisions/cpu-clusters.md";
};

/// The page of a topic.
struct Row {
    Topic topic;
    Page (*page)(const Cpu&);
};
/// What a step waits for, and what a person asks of it; layers and memory.
std::span<const Row> step_pages();
std::span<const Row> layer_pages();

}  // namespace scalescope::explaining::cpus
