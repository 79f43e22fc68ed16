// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/paleo_method.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/base/suggest.hpp"
#include "core/estimate/plan.hpp"
#include "core/estimate/step.hpp"
#include "core/formats/paleo/convert.hpp"
#include "core/paleo/simulate.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {
namespace {

Result<paleo::Corrections> corrections_of(const std::vector<std::string>& ids) {
    paleo::Corrections on;
    std::vector<std::string> known;
    for (const auto& c : paleo::corrections()) known.emplace_back(c.id);
    for (const std::string& id : ids) {
        const auto all = paleo::corrections();
        const auto it = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.id == id; });
        if (it == all.end()) {
            const auto near = closest(id, known);
            return fail(make_error("PALEO has no correction named \"" + id + "\".",
                                   near ? "use \"" + *near + "\", or leave it out" : "leave it out", {},
                                   "model.paleo_corrections"));
        }
        on.*(it->flag) = true;
    }
    return on;
}

Result<PaleoPart> make_part(const Network& network, const paleo::Method& method) {
    ASSIGN_OR_RETURN(auto net, formats::to_paleo(network));
    PaleoPart part;
    part.plan = paleo::make_plan(net, method);
    std::map<std::string_view, int> place;
    for (std::size_t i = 0; i < net.layers.size(); ++i) place[net.layers[i].name] = static_cast<int>(i);
    for (const auto& item : net.description.items) {
        const int at = place.at(item.layer.name);
        part.layer_at.push_back(at);
        part.parameters.push_back(static_cast<double>(net.layers[static_cast<std::size_t>(at)].parameters));
    }
    part.net = std::make_shared<const paleo::Net>(std::move(net));
    return part;
}

}  // namespace

std::optional<paleo::Scheme> paleo_scheme(Collective collective) {
    switch (collective) {
        case Collective::one_to_all: return paleo::Scheme::one_to_all;
        case Collective::paleo_tree: return paleo::Scheme::tree_all_reduce;
        case Collective::butterfly: return paleo::Scheme::butterfly_all_reduce;
        case Collective::butterfly_mixing: return paleo::Scheme::butterfly_mixing;
        default: return std::nullopt;
    }
}

std::vector<std::string> unheard_by_paleo(const Scenario& s) {
    std::vector<std::string> unheard;
    const auto add = [&](bool differs, const char* what) {
        if (differs) unheard.emplace_back(what);
    };
    add(s.training.precision != Precision::fp32, "any precision but fp32");
    add(s.training.optimizer != Optimizer::sgd, "any optimizer but SGD");
    add(!s.training.fused_update, "updates operation by operation");
    add(s.training.accumulation != 1, "gradient accumulation");
    add(!s.training.frozen.empty(), "frozen layers");
    add(s.parallelism.overlap != Overlap::off, "messages under the backward pass");
    add(s.model.launch.value > 0, "start-up times of operations");
    add(s.model.spread.value > 0, "workers of different speed");
    add(s.model.interference.value > 0, "messages that slow the backward pass");
    add(s.parallelism.gradients != GradientFormat::as_weights, "gradients in a format of their own");
    add(s.parallelism.copies, "copies of gradients");
    add(s.parallelism.recompute != Recompute::nothing, "recomputed activations");
    add(s.parallelism.sharded != Sharded::nothing, "sharded training states");
    add(s.model.overhead.value > 0, "an overhead of every step");
    add(s.model.trainer != TrainerMemory{}, "the memory of a trainer");
    add(s.model.convolution != ConvolutionAlgorithm::gemm, "a choice of convolution algorithms");
    add(s.cluster.inside.latency.value > 0 || s.cluster.between.latency.value > 0, "start-up times of links");
    const bool plain =
        std::all_of(s.workload.begin(), s.workload.end(), [](const WorkloadPart& w) { return w.passes == Passes{}; });
    add(!plain, "steps without all passes");
    return unheard;
}

Scenario heard_by_paleo(Scenario s) {
    s.training.precision = Precision::fp32;
    s.training.optimizer = Optimizer::sgd;
    s.training.fused_update = true;
    s.training.accumulation = 1;
    s.training.frozen.clear();
    s.parallelism.overlap = Overlap::off;
    if (s.model.compute.value == 0) s.model.compute = Fraction{1};
    if (s.model.memory.value == 0) s.model.memory = Fraction{1};
    s.model.launch = Seconds{0};
    s.model.spread = s.model.interference = Fraction{0};
    s.parallelism.gradients = GradientFormat::as_weights;
    s.parallelism.copies = false;
    s.parallelism.sharded = Sharded::nothing;
    s.model.overhead = Seconds{0};
    s.model.trainer = {};
    s.model.convolution = ConvolutionAlgorithm::gemm;
    for (auto& w : s.workload) w.passes = {};
    return s;
}

Result<std::shared_ptr<const PaleoMethod>> make_paleo_method(const Scenario& scenario) {
    if (!is_paleo(scenario.model.method)) return std::shared_ptr<const PaleoMethod>{};
    ASSIGN_OR_RETURN(const auto corrections, corrections_of(scenario.model.paleo_corrections));
    ASSIGN_OR_RETURN(const auto device, paleo::from_catalogue(scenario.cluster.device));
    const paleo::Era era = scenario.model.method == Method::paleo_head ? paleo::Era::head : paleo::Era::paper;
    auto method = std::make_shared<PaleoMethod>();
    const ModelOptions& model = scenario.model;
    const auto setup = [&](const Link& link, Fraction share) {
        return paleo::Setup{device,
                            paleo::from_catalogue(link),
                            model.compute.value > 0 ? model.compute.value : 1.0,
                            share.value,
                            model.memory.value > 0 ? model.memory.value : 1.0,
                            model.overlap_memory};
    };
    method->inside = setup(scenario.cluster.inside, model.inside);
    method->between = setup(scenario.cluster.between, model.between);
    method->devices_per_node = scenario.cluster.devices_per_node;
    method->scaling =
        scenario.training.batch_rule == BatchRule::per_worker ? paleo::Scaling::weak : paleo::Scaling::strong;
    for (const WorkloadPart& w : scenario.workload) {
        ASSIGN_OR_RETURN(auto part, make_part(*w.network, {era, corrections}));
        method->parts.push_back(std::move(part));
    }
    return std::shared_ptr<const PaleoMethod>(std::move(method));
}

PaleoLayerTimes paleo_layer_times(const paleo::LayerCost& cost, bool pipeline) {
    PaleoLayerTimes t;
    t.seconds[0] = cost.forward(pipeline).value;
    const double input = cost[paleo::Pass::data_gradient].total().value,
                 weights = cost[paleo::Pass::filter_gradient].total().value;
    const double both = input + weights, backward = cost.backward(pipeline).value;
    t.seconds[1] = both > 0 ? backward * (input / both) : 0.0;
    t.seconds[2] = both > 0 ? backward * (weights / both) : 0.0;
    return t;
}

/// Data parallel as PALEO prices it (Qi et al., ICLR 2017; github.com/TalwalkarLab/paleo).
StepParts paleo_data_step(const Plan& plan, int part_index, const Point& point, const Batch&, Scratch& scratch) {
    StepParts p;
    const auto scheme = paleo_scheme(point.collective);
    if (!scheme) {
        p.infeasible = Infeasible::no_such_scheme;
        return p;
    }
    const PaleoMethod& method = *plan.paleo;
    const PaleoPart& part = method.parts[static_cast<std::size_t>(part_index)];
    const paleo::Setup& setup = method.setup(point.workers);
    const paleo::DataPoint d = simulate_data(part.plan, setup, method.scaling, point.batch, point.workers);
    p.forward = d.forward.value;
    p.backward = d.backward.value;
    p.update = d.update.value;
    p.communication = d.communication[paleo::index(*scheme)].value;
    const auto samples = static_cast<double>(d.per_worker_batch);
    DividedStep& division = scratch.division;
    const int layers = static_cast<int>(part.layer_at.size());
    division.run({part_index, 0, layers, samples, 1, samples});
    if (!division.in_full) return p;
    const auto rates = make_rates(part.plan.method, setup);
    std::vector<double>& update = division.update_seconds.emplace_back();
    for (std::size_t l = 0; l < part.layer_at.size(); ++l) {
        const auto& layer = part.plan.layers[static_cast<std::size_t>(part.layer_at[l])];
        const auto times = paleo_layer_times(price_layer(part.plan, layer, rates, samples), setup.pipeline);
        for (std::size_t pass = 0; pass < times.seconds.size(); ++pass)
            scratch.times.pass[pass][l] = times.seconds[pass];
        update.push_back(part.plan.parameters > 0 ? p.update * (part.parameters[l] / part.plan.parameters) : 0.0);
    }
    if (p.communication > 0) {
        Transfer t{part_index, Message::all_reduce, point.collective, 0, layers - 1, false, true};
        t.group = reach_of(point.workers, plan.links);
        t.bytes = Bytes{paleo::element_bytes * part.plan.parameters};
        t.each = Seconds{p.communication};
        division.send(t, plan.parts[static_cast<std::size_t>(part_index)].count);
    }
    return p;
}

Result<PaleoPath> paleo_path(const Scenario& asked, const PaleoQuestion& question) {
    if (is_cpu_cluster(asked))
        return fail(make_error("PALEO prices devices, and knows no clusters of CPU machines.",
                               "Choose another method to compare.", {}, "model.method"));
    if (asked.workload.size() != 1)
        return fail(make_error("PALEO prices a step of one network, and this one has several.",
                               "Choose a scenario with one network to compare.", {}, "workload"));
    if (!fills_data(asked.parallelism))
        return fail(make_error("PALEO divides a network only where its own files do, so it has no answer for this way.",
                               "Choose Data to compare.", {}, "parallelism.fill"));
    PaleoPath path;
    path.left_out = unheard_by_paleo(asked);
    if (!paleo_scheme(asked.parallelism.collective))
        path.left_out.insert(path.left_out.begin(), "its all-reduce (a tree instead)");
    const Scenario s = with_paleo(asked, {question.era, {}});
    if (const auto plan = prepare(s); !plan) return tl::unexpected(plan.error());
    ASSIGN_OR_RETURN(const auto method, make_paleo_method(s));
    const PaleoPart& part = method->parts.front();
    const paleo::Situation situation{paleo::Parallelism::data, method->scaling, *paleo_scheme(s.parallelism.collective),
                                     s.training.batch, s.cluster.workers};
    const auto steps =
        paleo::waterfall(*part.net, question.era, method->setup(s.cluster.workers), situation, question.corrections);
    path.published = steps.front().iteration;
    path.reached = steps.back().iteration;
    for (const auto& step : steps)
        if (step.correction != nullptr) path.steps.push_back({step.correction, step.difference});
    return path;
}

PaleoQuestion paleo_question(const ModelOptions& model) {
    PaleoQuestion q;
    q.era = model.method == Method::paleo_paper ? paleo::Era::paper : paleo::Era::head;
    q.corrections = {};
    if (!is_paleo(model.method)) return q;
    for (const auto& c : paleo::corrections())
        q.corrections.*c.flag = std::find(model.paleo_corrections.begin(), model.paleo_corrections.end(), c.id) !=
                                model.paleo_corrections.end();
    return q;
}

Scenario with_paleo(Scenario s, const PaleoQuestion& question) {
    s.model.method = question.era == paleo::Era::paper ? Method::paleo_paper : Method::paleo_head;
    s.model.paleo_corrections.clear();
    for (const auto& c : paleo::corrections())
        if (question.corrections.*c.flag) s.model.paleo_corrections.emplace_back(c.id);
    std::sort(s.model.paleo_corrections.begin(), s.model.paleo_corrections.end());
    s.parallelism.fill = MeshAxis::data;
    s.parallelism.segments = false;
    s.parallelism.updates = Updates::synchronous;
    if (!paleo_scheme(s.parallelism.collective)) s.parallelism.collective = Collective::paleo_tree;
    return s;
}

}  // namespace scalescope
