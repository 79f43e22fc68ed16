// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the fullest device, buffer by buffer.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/servers.hpp"
#include "core/estimate/sharded_axis.hpp"

namespace scalescope::explaining {
namespace {

/// The fullest stage; -1 where there are no stages.
int fullest_stage(const Context& c) { return c.stage_count() == 0 ? -1 : c.estimate.memory.stage; }

/// What the layers of the fullest device keep; with a layer in the item, up to that one.
std::vector<Term> kept_terms(const Context& c, const Item& item) {
    std::vector<Term> terms;
    for (const auto& r : c.estimate.layers) {
        if (r.stage != fullest_stage(c)) continue;
        terms.push_back({c.layer_name(r.part, r.position), r.kept.value, Item{Topic::layer_kept, r.part, r.position}});
        if (item.layer >= 0 && r.part == item.part && r.position == item.layer) break;
    }
    return terms;
}

/// What the layers of a block need in the backward pass that computes it again, up to the layer of the item.
std::vector<Term> recomputed_terms(const Context& c, const Item& item) {
    std::vector<Term> terms;
    const int block = c.row(item.part, item.layer).block;
    for (const auto& r : c.estimate.layers) {
        if (r.block != block || block < 0) continue;
        Item one{Topic::layer_kept, r.part, r.position};
        one.level = 1;
        terms.push_back({c.layer_name(r.part, r.position), r.recomputed.value, one});
        if (r.position == item.layer) break;
    }
    return terms;
}

/// A tensor that is there while a layer computes: elements of one sample, and what of it the busiest worker has.
struct Beside {
    Given elements;
    double share;
};
double bytes_beside(const Context& c, const LayerEstimate& r, const std::vector<Beside>& tensors) {
    double elements = 0;
    for (const Beside& b : tensors) elements += b.elements.value.value * b.share;
    return elements * c.part(r.part).work.element_bytes * r.samples;
}
/// What a layer reads and makes in its forward pass, and nobody on its device keeps up to then.
std::vector<Beside> passing(const Context& c, const LayerEstimate& r) {
    const auto kept = kept_tensors(c.plan, c.estimate);
    const Network& network = *c.part(r.part).network;
    std::vector<Beside> all;
    const auto add = [&](int tensor, double share) {
        const auto keeps = [&](const KeptTensor& k) {
            return k.part == r.part && k.stage == r.stage && k.tensor == tensor && k.keeper <= r.position &&
                   (k.block < 0 || k.block == r.block);
        };
        const std::int64_t elements = network.facts()[static_cast<std::size_t>(tensor)].out_elements;
        if (c.part(r.part).work.out_bytes[static_cast<std::size_t>(tensor)] > 0 &&
            std::none_of(kept.begin(), kept.end(), keeps))
            all.push_back(
                {{"N_" + std::to_string(all.size() + 1), "elements of the output of " + c.layer_name(r.part, tensor),
                  elements, Item{Topic::layer_output, r.part, tensor}},
                 share});
    };
    for (const int tensor : network.reads(r.position)) add(tensor, r.shares.inputs);
    if (network.root(r.position) == r.position) add(r.position, r.shares.outputs);
    return all;
}
/// The gradients of its input and its output.
std::vector<Beside> gradients_beside(const Context& c, const LayerEstimate& r) {
    const LayerFacts& f = c.facts(r.part, r.position);
    if (!c.part(r.part).work.gradient_needed[static_cast<std::size_t>(r.position)]) return {};
    return {{{"N_i", "elements of its input", f.in_elements, Item{Topic::layer_inputs, r.part, r.position}},
             r.shares.inputs},
            {{"N_o", "elements of its output", f.out_elements, Item{Topic::layer_output, r.part, r.position}},
             r.shares.outputs}};
}

/// The worst moment of the fullest device: what is kept up to a layer, what its block needs if it is computed again,
/// and what stands beside.
struct Moment {
    Item until{Topic::activations};
    double kept = 0, recomputed = 0;
    std::vector<Beside> beside;
    bool forward = false;  ///< `beside` is of the pass that runs first, or once more
    double worst = 0;
};
Moment moment_of(const Context& c) {
    Moment m;
    const MemoryEstimate& e = c.estimate.memory;
    if (e.layer < 0) return m;
    m.until.part = e.part, m.until.layer = e.layer;
    const LayerEstimate& r = c.row(e.part, e.layer);
    m.kept = rest_of(kept_terms(c, m.until), 0);
    m.recomputed = rest_of(recomputed_terms(c, m.until), 0);
    auto forward = passing(c, r), backward = gradients_beside(c, r);
    m.forward = bytes_beside(c, r, forward) > bytes_beside(c, r, backward);
    m.beside = std::move(m.forward ? forward : backward);
    m.worst = m.kept + m.recomputed + bytes_beside(c, r, m.beside);
    return m;
}

Page live_page(const Context& c, const Item& item) {
    const Moment m = moment_of(c);
    Page page(c, item, "m", Bytes{m.worst});
    page.source(m.forward ? "What is kept up to the layer, and what it reads and writes without being kept"
                          : "Backward begins at the last layer: the worst moment has most activations still kept, and "
                            "a layer's two gradients");
    const int p = m.until.part, l = m.until.layer;
    if (l < 0) return page.nothing("Nothing is kept.").of_network();
    const std::string name = c.layer_name(p, l);
    page.formula("m_a").give({"m_a", "activations up to " + name, Bytes{m.kept}, m.until});
    if (m.recomputed > 0) {
        Item block = m.until;
        block.topic = Topic::recomputed;
        page.formula(" + m_r")
            .give({"m_r", "recomputed activations of its block", Bytes{m.recomputed}, block})
            .note("The tensors that recomputed layers need exist only during the backward pass of their block.");
    }
    if (m.worst <= m.kept + m.recomputed) return page;
    page.element_bytes(p).samples(p, l);
    std::string sum;
    for (const Beside& b : m.beside)
        sum += (sum.empty() ? "" : " + ") + page.joined({b.elements}) + page.share(p, l, b.share);
    if (m.forward)
        page.note("The worst moment is in " + name +
                  (m.recomputed > 0 ? " in the recomputed forward pass of its block." : " in the forward pass."));
    return page.formula(" + w*b*" + wrapped(sum));
}

/// Weights, gradients or optimizer states, which the ranks that hold the same layers may share.
struct State {
    Bytes all;
    Sharded sharded;  ///< from this setting on
    Given each;
    const char* source;
};
State state_of(const Context& c, Topic t) {
    const MemoryEstimate& e = c.estimate.memory;
    const Work& work = c.part(0).work;
    if (t == Topic::weights)
        return {e.weights,
                Sharded::weights,
                {"w", "bytes of a weight", Bytes{work.element_bytes}, fields::precision},
                "Weights in the precision of the multiplications"};
    const bool wider = work.gradient_element_bytes > work.element_bytes;
    if (t == Topic::gradients)
        return {e.gradients,
                Sharded::gradients,
                {"w", "bytes of a gradient", Bytes{work.summed_gradient_bytes()},
                 wider ? fields::gradients : fields::precision},
                "A gradient for each trained parameter"};
    return {e.optimizer,
            Sharded::optimizer,
            {"k", "state for a parameter", Bytes{c.plan.update.state_bytes}, fields::optimizer},
            "Moments, and fp32 master weights where the multiplications have 16 bits"};
}

/// What a rank keeps of the parameters `own`, with the weights of the two layers that are whole at once:
/// "(N + (n_d - 1)*(v_1 + v_2))/n_d".
std::string of_shards(Page& page, const std::string& own, Held of) {
    const Context& c = page.context();
    const WholeWeights& whole = c.estimate.memory.whole;
    std::vector<Given> there;
    for (const int layer : {whole.first, whole.second})
        if (layer >= 0 && page.item().topic == Topic::weights)
            for (const Term& t : needed_weights(c, whole.part, layer, of))
                there.push_back({(of == Held::experts ? "x_" : "v_") + std::to_string(there.size() + 1),
                                 "weights of " + t.name + ", whole", t.value, t.item});
    if (there.empty()) return wrapped(own) + '/' + page.sharing(of);
    page.note(
        "A rank keeps its shard of the weights. Those of the layer that computes and of the next one are whole: the "
        "two largest neighbours count.");
    const std::string n = page.sharing(of);
    return '(' + own + " + (" + n + " - 1)*(" + page.joined(std::move(there)) + "))/" + n;
}

Page state_page(const Context& c, const Item& item) {
    const bool weights = item.topic == Topic::weights;
    const Held held = item.index == 2 || item.index == 3 ? static_cast<Held>(item.index) : Held::all;
    std::vector<Term> terms;
    double experts = 0;
    for (const auto& r : c.estimate.layers) {
        if (r.stage != fullest_stage(c)) continue;
        for (const Term& t : with_copies(c, r, held)) {
            if (!weights && c.part(r.part).work.trained[static_cast<std::size_t>(t.item.layer)] <= 0) continue;
            experts += held_parameters(c, r.part, t.item.layer, Held::experts).value;
            terms.push_back(t);
        }
    }
    const State state = state_of(c, item.topic);
    if (held != Held::all) return sum_page(c, item, "N", terms, {"layers", Measure::count}).source(state.source);
    if (state.all.value == 0) {
        Page page(c, item, "m", Bytes{0});
        page.source(state.source);
        if (item.topic == Topic::optimizer && updates_alone(c.estimate.point))
            return page.nothing("The parameter servers keep the optimizer's state.", "updates", "asynchronous",
                                fields::updates);
        if (item.topic == Topic::optimizer && c.plan.update.state_bytes == 0)
            return page.nothing("The optimizer keeps nothing.", "optimizer", "SGD", fields::optimizer);
        return page.nothing("No layer on this device has any.").of_network();
    }
    const StateShards& states = c.estimate.states;
    const bool whole = weights && states.kept, shards = states.sharded >= state.sharded && !whole;
    const std::string factor = state.each.symbol + '*';
    if (!shards || (experts == 0 && states.ranks == 1) || item.from > 0) {
        Page page =
            sum_page(c, item, "m", terms,
                     {"layers", Measure::count, state.all, [&](Page& p) { return p.give(state.each), factor; }});
        if (whole && item.from == 0)
            page.note("Gathered weights are kept from forward to backward: all are whole at once.")
                .fact("reshard after forward", "off", fields::reshard);
        return page.source(state.source);
    }
    Page page(c, item, "m", state.all);
    page.give(state.each).source(sharded_source);
    if (experts == 0)
        return page.formula(
            factor + of_shards(page, page.sum(terms, Measure::count, Evidence::exact, "layers", "N"), Held::beside));
    const auto part = [&](const char* symbol, const char* text, double count, Held of) {  // two numbers of ranks
        return of_shards(page, page.joined({{symbol, text, count, at_index(item.topic, static_cast<int>(of))}}), of);
    };
    const std::string others = part("N_r", "other parameters", rest_of(terms, 0) - experts, Held::beside);
    return page.formula(factor + '(' + others + " + " + part("N_e", "parameters of experts", experts, Held::experts) +
                        ')');
}

/// Buffers of the item's layer, as its level says.
std::vector<KeptTensor> kept_by(const Context& c, const Item& item) {
    auto all = kept_tensors(c.plan, c.estimate);
    std::erase_if(all, [&](const KeptTensor& t) {
        return t.part != item.part || t.keeper != item.layer || (t.block >= 0) != (item.level == 1);
    });
    return all;
}

const char* kept_source(const Context& c, bool again) {
    if (!again) return "What the backward pass needs of the forward pass, each tensor once";
    return c.plan.point.recompute != Recompute::attention
               ? "Needed only while the backward pass of its block runs: Chen et al., arXiv:1604.06174"
               : "Needed only while the backward pass of its layer runs: Korthikanti et al., MLSys 2023";
}

/// One buffer: bytes of an element, samples, elements, share.
Page tensor_page(const Context& c, const Item& item, const KeptTensor& t) {
    const int p = t.part;
    const LayerEstimate& like = c.row(p, t.like);
    const std::string keeper = c.layer_name(p, t.keeper);
    const double mask = c.facts(p, t.keeper).mask;
    Page page(c, item, "m", Bytes{t.bytes});
    page.source(kept_source(c, t.block >= 0)).samples(p, t.like);
    if (t.tensor == KeptTensor::mask) {
        page.formula((mask == 1 ? "" : print(mask, Measure::number, Layout{0, 15}).text + '*') + "b*")
            .note(mask == 1 ? "A mask of one byte for each element." : "An index for each element.");
    } else {
        page.formula("w*b*").element_bytes(p);
    }
    const LayerFacts& facts = c.facts(p, t.keeper);
    const bool gathered = t.tensor == KeptTensor::within && like.shares.within != 1;
    if (gathered)
        page.give({"N_s", "elements that go to experts", facts.experts.rows * facts.output.back(), fields::workload})
            .give({"n_v", "expert tensor degree", c.estimate.point.expert_tensor, fields::expert_tensor})
            .note("Workers that divide each expert keep what all of them received.");
    if (t.tensor == KeptTensor::within)
        page.formula(gathered ? "(N_k + (n_v - 1)*N_s)" : "N_k")
            .give({"N_k", "elements of tensors within the layer", facts.kept_elements, fields::workload})
            .note("What the layer computes on its way and needs again in its backward pass.");
    else
        page.formula("N_o").output("N_o", "elements of the output", p, t.tensor < 0 ? t.keeper : t.tensor);
    const bool of_block =
        t.block < 0 && c.row(p, t.keeper).block >= 0 && c.plan.point.recompute != Recompute::attention;
    if (t.tensor >= 0 && of_block)
        page.note("The output of " + c.layer_name(p, t.tensor) + ".")
            .note("The block that starts at " + keeper +
                  " keeps only its inputs, from which the backward pass recomputes the rest.");
    else if (t.tensor >= 0)
        page.note("The output of " + c.layer_name(p, t.tensor) + ", which " + keeper + " needs in its backward pass.");
    if (t.tensor >= 0 && !of_block && t.like != t.keeper)
        page.note("As many samples, and as much of it, as " + c.layer_name(p, t.like) + " needs later.");
    page.formula(page.share(p, t.like, t.read ? like.shares.inputs : like.shares.outputs));
    if (t.block < 0 && like.kept_samples != like.samples)
        page.formula("*q").give({"q", "micro-batches that the stage holds at once", like.kept_samples / like.samples,
                                 at_index(Topic::in_flight, c.stage_of(t.like), p)});
    return page;
}

Page kept_page(const Context& c, const Item& item) {
    const auto tensors = kept_by(c, item);
    if (item.topic == Topic::kept_tensor) return tensor_page(c, item, tensors[static_cast<std::size_t>(item.index)]);
    if (tensors.size() == 1) return tensor_page(c, item, tensors.front());
    std::vector<Term> terms;
    for (const KeptTensor& t : tensors) {
        Item one = at_index(Topic::kept_tensor, static_cast<int>(terms.size()), item.part, item.layer);
        one.level = item.level;
        terms.push_back({t.tensor == KeptTensor::mask     ? "mask"
                         : t.tensor == KeptTensor::within ? "tensors within the layer"
                                                          : "output of " + c.layer_name(item.part, t.tensor),
                         t.bytes, one});
    }
    Page page = sum_page(c, item, "m", terms, {"tensors", Measure::bytes});
    page.source(kept_source(c, item.level == 1));
    if (tensors.empty())
        page.note("The backward pass needs nothing of this layer that an earlier one does not keep.");
    else if (in_order(terms).empty())
        page.note("No micro-batch is in this stage when its device holds most.")
            .fact("schedule", "interleaved", fields::order);
    return page;
}

Page peak_page(const Context& c, const Item& item) {
    const MemoryEstimate& e = c.estimate.memory;
    const Moment m = moment_of(c);
    const double kept = rest_of(kept_terms(c, Item{}), 0);
    const bool live = m.worst > kept;
    const std::vector<Given> all{{"m_w", "weights", e.weights, Topic::weights},
                                 {"m_g", "gradients of weights", e.gradients, Topic::gradients},
                                 {"m_o", "optimizer", e.optimizer, Topic::optimizer},
                                 {"m_a",
                                  m.forward ? "activations, and what a layer reads and writes"
                                  : live    ? "activations, and the gradients beside them"
                                            : "activations",
                                  Bytes{std::max(kept, m.worst)}, live ? Topic::live : Topic::activations}};
    constexpr const char* names[] = {"Weights", "Gradients", "Optimizer", "Activations"};
    std::vector<Term> parts;
    for (const Given& g : all) parts.push_back({names[parts.size()], g.value.value, *g.because.item});
    Page page(c, item, "m", e.peak);
    page.formula(page.joined(all)).parts("Memory", e.peak.value, Measure::bytes, std::move(parts));
    if (c.staged())
        page.note("Of the fullest stage, " + std::to_string(e.stage + 1) + " of " + std::to_string(c.stage_count()) +
                  '.');
    page.note("Workspaces and what the framework itself holds are not counted.");
    const auto& device = c.scenario.cluster.device;
    if (device.memory)
        page.note(format_percent(Fraction{e.peak / *device.memory}) + " of the " + format_bytes(*device.memory) +
                  " of a " + device.name + '.');
    return page.source("Lifetimes of the buffers: what is kept, and the worst moment of the step");
}

}  // namespace

int kept_count(const Context& c, const Item& item) { return static_cast<int>(kept_by(c, item).size()); }

Page memory_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::weights:
        case Topic::gradients:
        case Topic::optimizer: return state_page(c, item);
        case Topic::activations: {
            const auto terms = kept_terms(c, item);
            Page page = sum_page(c, item, "m", terms, {"layers", Measure::bytes});
            if (in_order(terms).empty()) page.note("Nothing is kept: there is no backward pass.");
            return page.source("Kept from forward for backward");
        }
        case Topic::recomputed:
            return sum_page(c, item, "m", recomputed_terms(c, item), {"layers", Measure::bytes})
                .source(kept_source(c, true));
        case Topic::live: return live_page(c, item);
        case Topic::layer_kept:
        case Topic::kept_tensor: return kept_page(c, item);
        default: return peak_page(c, item);
    }
}

}  // namespace scalescope::explaining
