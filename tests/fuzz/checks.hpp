// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <vector>

#include "core/estimate/estimate.hpp"
#include "core/estimate/explain.hpp"
#include "core/formats/network_json.hpp"
#include "core/support_choices.hpp"
#include "core/work/work.hpp"

/// What must hold whatever a fuzzer comes up with.
namespace scalescope::fuzz {

/// What happens when a check fails: the program ends, unless a test puts something else here.
inline void (*refuse)(const char* what) = [](const char* what) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
};

inline void require(bool holds, const char* what) {
    if (!holds) refuse(what);
}

inline int check_problems(const Problems& problems) {
    require(!problems.empty() && problems.size() <= 201, "what fails says why, at bearable length");
    bool error = false;
    for (const Problem& p : problems) {
        error |= p.severity == Severity::error;
        require(!p.what.empty() && !p.remedy.empty(), "every problem says what is wrong and what to do");
    }
    require(error, "what fails has an error among its problems");
    return 0;
}

inline void require_finite(double v, const char* what) { require(std::isfinite(v) && v >= 0, what); }

inline void check_summary(const Summary& s) {
    for (const Seconds t : {s.forward, s.backward, s.update, s.communication, s.idle, s.step, s.hidden})
        require_finite(t.value, "a time is finite and not negative");
    const double sum = s.forward.value + s.backward.value + s.update.value + s.communication.value + s.idle.value;
    require(std::abs(sum - s.step.value) <= 1e-9 * s.step.value + 1e-300, "the parts sum to the step");
}

/// Follows the explanations from the step and the memory down, as somebody who clicks every link would.
inline void check_explanations(const Scenario& scenario, const Plan& plan, const Estimate& e) {
    constexpr std::size_t pages = 40;
    std::vector<Item> open{Item{Topic::step}, Item{Topic::memory}, Item{Topic::speedup}};
    std::set<Item> known(open.begin(), open.end());
    for (std::size_t i = 0; i < open.size() && i < pages; ++i) {
        const auto page = explain(scenario, plan, e, open[i]);
        require(page.has_value(), "every link leads to a page");
        require(std::isfinite(page->result), "a page's result is finite");
        for (const Input& input : page->inputs) {
            require(std::isfinite(input.value), "an input is finite");
            if (input.because && known.insert(*input.because).second) open.push_back(*input.because);
        }
    }
}

inline void check_estimate(const Scenario& scenario) {
    const auto plan = prepare(scenario);
    if (!plan) {
        check_problems(plan.error());
        return;
    }
    Scratch scratch = make_scratch(*plan);
    const auto e = estimate(scenario, *plan, scratch);
    if (!e) {
        check_problems(e.error());
        return;
    }
    check_explanations(scenario, *plan, *e);
    check_summary(e->summary);
    for (const LayerEstimate& l : e->layers)
        for (const Seconds t : {l.forward, l.grad_input, l.grad_weights, l.update, l.communication, l.hidden})
            require(std::isfinite(t.value), "a layer's time is finite");
    for (const MessageEstimate& m : e->messages)
        for (const double v : {m.bytes.value, m.each.value, m.exposed.value, m.hidden.value, m.start.value})
            require(std::isfinite(v), "a message is finite");
    for (const Bytes b :
         {e->memory.weights, e->memory.gradients, e->memory.optimizer, e->memory.activations, e->memory.peak})
        require_finite(b.value, "memory is finite");
    for (const double v : {e->speedup, e->efficiency, e->throughput.value, e->epoch.value, e->epoch_cost.value_or(0)})
        require_finite(v, "a figure is finite");
    require(std::isfinite(e->idle_share), "the idle share is finite");
}

/// What a reader made reads back as it is written. Gives the network, if it is one.
inline std::shared_ptr<const Network> check_draft(const NetworkDraft& draft) {
    const std::string written = formats::write_network(draft);
    const auto again = formats::read_network_draft(written, "written.json");
    require(again.has_value() && formats::write_network(*again) == written, "a network reads back as it was written");
    auto network = Network::make(draft);
    if (network) return *network;
    check_problems(network.error());
    return nullptr;
}

/// A machine around a network.
inline Scenario scenario_of(std::shared_ptr<const Network> network) {
    Scenario s;
    WorkloadPart part;
    part.network = std::move(network);
    s.workload.push_back(part);
    s.training.batch = 12;
    s.cluster.device.name = "device";
    s.cluster.device.peak[static_cast<std::size_t>(Precision::fp32)] = teraflops(5);
    s.cluster.device.memory_bandwidth = gigabytes_per_second(300);
    s.cluster.device.memory = gigabytes(12);
    s.cluster.device.price_per_hour = 1.0;
    s.cluster.workers = 6;
    s.cluster.devices_per_node = 4;
    s.cluster.inside.bandwidth = gigabytes_per_second(10);
    s.cluster.between.bandwidth = gigabytes_per_second(1);
    s.cluster.between.latency = microseconds(5);
    return s;
}

/// What a summary shows: the totals are the sums over the layers, and every amount is finite.
inline void check_work(const Network& network) {
    const Work work = make_work(network, Passes{}, Training{});
    std::int64_t parameters = 0, multiply_adds = 0;
    double flops = 0;
    for (std::size_t i = 0; i < network.facts().size(); ++i) {
        const LayerFacts& facts = network.facts()[i];
        parameters += facts.parameters();
        multiply_adds += facts.multiply_adds;
        const double of_layer = work.pass[index_of(Pass::forward)].flops[i];
        require_finite(of_layer, "a layer's work is finite and not negative");
        require(facts.out_elements > 0 && facts.parameters() >= 0,
                "a layer has an output, and no fewer than 0 weights");
        flops += of_layer;
    }
    require(parameters == network.parameters() && multiply_adds == network.multiply_adds(), "totals are sums");
    require(std::abs(flops - work.forward_flops.value) <= 1e-9 * flops, "the work is the sum of the layers' work");
    require_finite(work.backward_flops.value, "the work of the backward pass is finite");
}

/// The whole way of a foreign file: what was read is written and read back, checked, summed up and estimated; what is
/// said of it names the file. Gives the network, if it is one.
inline std::shared_ptr<const Network> check_import(const Result<NetworkDraft>& draft, const Problems& warnings) {
    const auto name_the_file = [](const Problems& problems) {
        for (const Problem& p : problems) require(!p.what.empty() && !p.at.file.empty(), "a problem names the file");
    };
    name_the_file(warnings);
    if (!draft) {
        check_problems(draft.error());
        name_the_file(draft.error());
        return nullptr;
    }
    // One number in a file makes a network of 100,000 layers: slow under sanitizers, and like one of 1,000.
    if (draft->layers.size() > 2000) return nullptr;
    auto network = check_draft(*draft);
    if (!network) return nullptr;
    check_work(*network);
    check_estimate(scenario_of(network));
    return network;
}

inline void estimate_every_way(Scenario s) {
    for (const support::Divided strategy :
         {support::Divided::data, support::Divided::outputs, support::Divided::layers, support::Divided::hybrid}) {
        support::divide(s.parallelism, strategy);
        s.parallelism.micro_batches = strategy == support::Divided::layers ? 3 : 1;
        for (const HybridScheme scheme :
             {HybridScheme::all_at_once, HybridScheme::one_sender, HybridScheme::all_send_share}) {
            if (strategy != support::Divided::hybrid && scheme != HybridScheme::all_at_once) continue;
            s.parallelism.scheme = scheme;
            check_estimate(s);
        }
    }
    support::divide(s.parallelism, support::Divided::data);
    s.parallelism.overlap = Overlap::buckets;
    s.model.convolution = ConvolutionAlgorithm::cheapest;
    check_estimate(s);
}

}  // namespace scalescope::fuzz
