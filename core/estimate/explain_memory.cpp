// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the fullest device, buffer by buffer.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/servers.hpp"
#include "core/estimate/sharded_axis.hpp"

namespace scalescope::explaining {
namespace {

/// The worst moment of one device: what is kept up to a layer, what its block needs if it is computed again, and the
/// gradients that stand beside it in backward, or what the layer reads and writes in forward.
struct Moment {
    int stage = -1;
    double kept = 0, worst = 0;
    double recomputed = 0;     ///< at `worst`
    bool beside = false;       ///< more than what is kept and recomputed
    int part = 0, layer = -1;  ///< where `worst` is; layer -1: nothing beyond what is kept
    bool forward = false;      ///< of the pass that runs first, or once more
};

/// A tensor of a layer's forward pass that nobody keeps up to then.
struct Passing {
    int tensor = 0;
    double share = 1, bytes = 0;
};

/// What of each layer passes through it, on one stage.
class ForwardTensors {
public:
    ForwardTensors(const Context& c, int stage) : c_(c), keeper_(c.plan.parts.size()) {
        for (std::size_t p = 0; p < keeper_.size(); ++p)
            keeper_[p].assign(static_cast<std::size_t>(c.plan.parts[p].work.layers), nobody);
        for (const KeptTensor& k : kept_tensors(c.plan, c.estimate)) {
            if (k.stage != stage || k.tensor < 0) continue;
            if (k.block >= 0) {
                recomputed_[{k.part, k.tensor}] = {k.block, k.keeper};
                continue;
            }
            int& first = keeper_[static_cast<std::size_t>(k.part)][static_cast<std::size_t>(k.tensor)];
            first = std::min(first, k.keeper);
        }
    }

    std::vector<Passing> of(const LayerEstimate& r) const {
        std::vector<Passing> all;
        const PlanPart& part = c_.part(r.part);
        const auto add = [&](int tensor, double share) {
            const auto t = static_cast<std::size_t>(tensor);
            if (keeper_[static_cast<std::size_t>(r.part)][t] <= r.position) return;
            if (const auto known = recomputed_.find({r.part, tensor});
                known != recomputed_.end() && known->second.first == r.block && known->second.second <= r.position)
                return;
            const double bytes = part.work.out_bytes[t] * r.samples * share;
            if (bytes > 0) all.push_back({tensor, share, bytes});
        };
        for (const int tensor : part.network->reads(r.position)) add(tensor, r.shares.inputs);
        if (part.network->root(r.position) == r.position) add(r.position, r.shares.outputs);
        return all;
    }

private:
    static constexpr int nobody = std::numeric_limits<int>::max();
    const Context& c_;
    std::vector<std::vector<int>> keeper_;  ///< by part and tensor: the first layer of the stage that keeps it
    std::map<std::pair<int, int>, std::pair<int, int>> recomputed_;  ///< the same in a block: which, its first layer
};

Moment moment_of(const Context& c, int stage) {
    const ForwardTensors tensors(c, stage);
    Moment m;
    m.stage = stage;
    double recomputed = 0;
    int block = -1;
    for (const auto& r : c.estimate.layers) {
        if (r.stage != stage) continue;
        const Work& work = c.part(r.part).work;
        const auto l = static_cast<std::size_t>(r.position);
        m.kept += r.kept.value;
        if (r.block != block) block = r.block, recomputed = 0;
        recomputed += r.recomputed.value;
        const double pair = (work.in_bytes[l] * r.shares.inputs + work.out_bytes[l] * r.shares.outputs) * r.samples;
        double through = 0;
        for (const Passing& p : tensors.of(r)) through += p.bytes;
        const double backward = work.gradient_needed[l] ? pair : 0.0, beside = recomputed + std::max(through, backward),
                     now = m.kept + beside;
        if (now > m.worst) {
            m.worst = now;
            m.part = r.part;
            m.layer = beside > 0 ? r.position : -1;
            m.recomputed = recomputed;
            m.beside = std::max(through, backward) > 0;
            m.forward = through > backward;
        }
    }
    return m;
}

/// The stage with the most memory; all layers where there are no stages.
Moment fullest(const Context& c) { return moment_of(c, c.stage_count() == 0 ? -1 : c.estimate.memory.stage); }

/// `page` of a moment of the forward pass: each tensor that passes through the layer.
Page& forward_moment(const Context& c, const Moment& m, Page& page) {
    const LayerEstimate& r = c.row(m.part, m.layer);
    const auto tensors = ForwardTensors(c, r.stage).of(r);
    std::string sum;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Passing& t = tensors[i];
        const std::string symbol = "N_" + std::to_string(i + 1);
        page.link(symbol, "elements of the output of " + c.layer_name(m.part, t.tensor),
                  static_cast<double>(c.facts(m.part, t.tensor).out_elements), Measure::count,
                  Item{Topic::layer_output, m.part, t.tensor});
        sum += (i == 0 ? "" : " + ") + symbol;
        sum += page.share(m.part, m.layer, t.share);
    }
    page.formula(std::string(m.recomputed > 0 ? " + " : "m_a + ") + "w*b*" +
                 (tensors.size() == 1 ? sum : '(' + sum + ')'));
    if (m.recomputed > 0)
        return page.note("The worst moment is in " + c.layer_name(m.part, m.layer) +
                         " in the recomputed forward pass of its block.");
    return page.note("The worst moment is in " + c.layer_name(m.part, m.layer) + " in the forward pass.");
}

Item activations_until(int part, int layer) {
    Item item{Topic::activations, part};
    item.layer = layer;
    return item;
}

/// The terms of `activations`: all of the device, or up to the layer the item names.
std::vector<Term> kept_terms(const Context& c, const Item& item, int stage) {
    std::vector<Term> terms;
    for (const auto& r : c.estimate.layers) {
        if (r.stage != stage) continue;
        terms.push_back({c.layer_name(r.part, r.position), r.kept.value, Item{Topic::layer_kept, r.part, r.position}});
        if (item.layer >= 0 && r.part == item.part && r.position == item.layer) break;
    }
    return terms;
}

/// Weights sharded: elements of the two layers that are whole at once, "v_1 + v_2".
std::string whole_text(const Context& c, Page& page, Held of) {
    const WholeWeights& whole = c.estimate.memory.whole;
    std::string text;
    for (const int layer : {whole.first, whole.second}) {
        if (layer < 0) continue;
        const int stage = c.row(whole.part, layer).stage;
        int first = layer;
        while (first > 0 && c.row(whole.part, first - 1).stage == stage) --first;
        weights_needed(*c.part(whole.part).network, layer, first, [&](int owner) {
            const Term held = held_parameters(c, whole.part, owner, of);
            if (held.value <= 0) return;
            const char letter = of == Held::experts ? 'x' : 'v';
            const std::string symbol =
                letter + ("_" + std::to_string(std::count(text.begin(), text.end(), letter) + 1));
            text += (text.empty() ? "" : " + ") + symbol;
            page.link(symbol, "weights of " + held.name + ", whole", held.value, Measure::count, held.item);
        });
    }
    return text;
}

Page held_page(const Context& c, const Item& item, const Moment& m) {
    const MemoryEstimate& e = c.estimate.memory;
    const bool weights = item.topic == Topic::weights;
    const Held held = item.index == 2 || item.index == 3 ? static_cast<Held>(item.index) : Held::all;
    std::vector<Term> terms;
    double others = 0;  // what is not held: 0, or the experts
    for (const auto& r : c.estimate.layers) {
        if (r.stage != m.stage) continue;
        const auto add = [&](int layer, const std::string& name) {
            if (!weights && c.part(r.part).work.trained[static_cast<std::size_t>(layer)] <= 0) return;
            terms.push_back(held_parameters(c, r.part, layer, held));
            if (!name.empty()) terms.back().name = name;
            others += held_parameters(c, r.part, layer, Held::experts).value;
        };
        add(r.position, {});
        for (const int owner : r.copies)
            add(owner, "copy of " + c.layer_name(r.part, owner) + " for " + c.layer_name(r.part, r.position));
    }
    const bool rest = item.from > 0, number = rest || held != Held::all;
    const double bytes = (weights ? e.weights : item.topic == Topic::gradients ? e.gradients : e.optimizer).value;
    Page page(c, item, number ? "N" : "m", title_of(c, item), number ? rest_of(terms, item.from) : bytes,
              number ? Measure::count : Measure::bytes);
    page.source(weights ? "Weights in the precision of the multiplications"
                : item.topic == Topic::gradients
                    ? "A gradient for each trained parameter"
                    : "Moments, and fp32 master weights where the multiplications have 16 bits");
    if (bytes == 0) {
        if (item.topic == Topic::optimizer && updates_alone(c.estimate.point))
            return page.nothing("The parameter servers keep the optimizer's state.")
                .fact("updates", "asynchronous", fields::updates);
        if (item.topic == Topic::optimizer && c.plan.update.state_bytes == 0)
            return page.nothing("The optimizer keeps nothing.").fact("optimizer", "SGD", fields::optimizer);
        return page.nothing("No layer on this device has any.")
            .fact("network", c.part(0).network->name(), fields::workload);
    }
    if (!number && item.topic == Topic::optimizer)
        page.field("k", "state for a parameter", c.plan.update.state_bytes, Measure::bytes, fields::optimizer);
    else if (!number && weights)
        page.field("w", "bytes of a weight", c.part(0).work.element_bytes, Measure::bytes, fields::precision);
    else if (!number)
        page.field("w", "bytes of a gradient", c.part(0).work.summed_gradient_bytes(), Measure::bytes,
                   c.part(0).work.gradient_element_bytes > c.part(0).work.element_bytes ? fields::gradients
                                                                                        : fields::precision);
    const std::string factor = number ? "" : item.topic == Topic::optimizer ? "k*" : "w*";
    const Sharded state = weights                          ? Sharded::weights
                          : item.topic == Topic::gradients ? Sharded::gradients
                                                           : Sharded::optimizer;
    const bool shards = !number && c.estimate.states.sharded >= state;
    const auto add_whole = [&](std::string& text, Held of) {
        const std::string whole = weights ? whole_text(c, page, of) : "";
        if (whole.empty()) return;
        text += " + (" + page.sharing(of) + " - 1)*(" + whole + ')';
        page.note(
            "A rank keeps its shard of the weights. Those of the layer that computes and of the next one are whole: "
            "the two largest neighbours count.");
    };
    if (shards && others > 0) {  // two numbers of ranks
        std::string text;
        for (const Held of : {Held::beside, Held::experts}) {
            Item part = item;
            part.index = static_cast<int>(of);
            const bool experts = of == Held::experts;
            const double count = experts ? others : rest_of(terms, 0) - others;
            std::string own = experts ? "N_e" : "N_r";
            page.link(own, experts ? "parameters of experts" : "other parameters", count, Measure::count, part);
            add_whole(own, of);
            text += (text.empty() ? "(" : " + (") + own + ")/" + page.sharing(of);
        }
        return page.source(sharded_source).formula(factor + '(' + text + ')');
    }
    const std::string sum = page.sum(terms, Measure::count, Evidence::exact, "layers", "N");
    if (!shards || c.estimate.states.ranks == 1)
        return page.formula(factor.empty() || sum.find(' ') == std::string::npos ? factor + sum
                                                                                 : factor + '(' + sum + ')');
    std::string text = sum;
    add_whole(text, Held::beside);
    page.source(sharded_source);
    return page.formula(factor + '(' + text + ")/" + page.sharing());
}

/// Buffers of the item's layer, as its level says.
std::vector<KeptTensor> kept_by(const Context& c, const Item& item) {
    auto all = kept_tensors(c.plan, c.estimate);
    std::erase_if(all, [&](const KeptTensor& t) {
        return t.part != item.part || t.keeper != item.layer || (t.block >= 0) != (item.level == 1);
    });
    return all;
}

/// Activations that the layers of a block need, up to the layer of the item.
std::vector<Term> recomputed_terms(const Context& c, const Item& item) {
    std::vector<Term> terms;
    const int block = c.row(item.part, item.layer).block;
    for (const auto& r : c.estimate.layers) {
        if (r.block != block) continue;
        Item one{Topic::layer_kept, r.part, r.position};
        one.level = 1;
        terms.push_back({c.layer_name(r.part, r.position), r.recomputed.value, one});
        if (r.position == item.layer) break;
    }
    return terms;
}

constexpr const char* kept_source = "What the backward pass needs of the forward pass, each tensor once";
const char* recomputed_source(const Context& c) {
    return c.plan.parallelism.recompute == Recompute::blocks
               ? "Needed only while the backward pass of its block runs: Chen et al., arXiv:1604.06174"
               : "Needed only while the backward pass of its layer runs: Korthikanti et al., MLSys 2023";
}

/// One buffer: bytes of an element, samples, elements, share.
Page tensor_page(const Context& c, const Item& item, const KeptTensor& t) {
    const int p = t.part;
    const LayerEstimate& like = c.row(p, t.like);
    Page page(c, item, "m", title_of(c, item), t.bytes, Measure::bytes);
    page.source(t.block >= 0 ? recomputed_source(c) : kept_source).samples(p, t.like);
    const bool input =
        t.block < 0 && c.row(p, t.keeper).block >= 0 && c.plan.parallelism.recompute == Recompute::blocks;
    std::string text;
    if (t.tensor == KeptTensor::within) {
        text = "w*b*N_k";
        page.field("w", "bytes of an element", c.part(p).work.element_bytes, Measure::bytes, fields::precision);
        page.field("N_k", "elements of tensors within the layer",
                   static_cast<double>(c.facts(p, t.keeper).kept_elements), Measure::count, fields::workload);
        page.note("What the layer computes on its way and needs again in its backward pass.");
    } else if (t.tensor == KeptTensor::mask) {
        const double mask = c.facts(p, t.keeper).mask;
        text = (mask == 1 ? "" : print(mask, Measure::number, Layout{0, 15}).text + '*') + "b*N_o";
        page.note(mask == 1 ? "A mask of one byte for each element." : "An index for each element.");
    } else {
        text = "w*b*N_o";
        page.field("w", "bytes of an element", c.part(p).work.element_bytes, Measure::bytes, fields::precision);
        if (input)
            page.note("The output of " + c.layer_name(p, t.tensor) + ".")
                .note("The block that starts at " + c.layer_name(p, t.keeper) +
                      " keeps only its inputs, from which the backward pass recomputes the rest.");
        else
            page.note("The output of " + c.layer_name(p, t.tensor) + ", which " + c.layer_name(p, t.keeper) +
                      " needs in its backward pass.");
        if (t.like != t.keeper && !input)
            page.note("As many samples, and as much of it, as " + c.layer_name(p, t.like) + " needs later.");
    }
    const int of = t.tensor < 0 ? t.keeper : t.tensor;
    if (t.tensor != KeptTensor::within)
        page.link("N_o", "elements of the output", static_cast<double>(c.facts(p, of).out_elements), Measure::count,
                  Item{Topic::layer_output, p, of});
    text += page.share(p, t.like, t.read ? like.shares.inputs : like.shares.outputs);
    if (t.block < 0 && like.kept_samples != like.samples) {
        text += "*q";
        Item sets{Topic::in_flight, p};
        sets.index = c.stage_of(t.like);
        page.link("q", "micro-batches that the stage holds at once", like.kept_samples / like.samples, Measure::count,
                  sets);
    }
    return page.formula(text);
}

Page kept_page(const Context& c, const Item& item) {
    const auto tensors = kept_by(c, item);
    if (item.topic == Topic::kept_tensor) return tensor_page(c, item, tensors[static_cast<std::size_t>(item.index)]);
    if (tensors.size() == 1) return tensor_page(c, item, tensors.front());
    std::vector<Term> terms;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        Item one{Topic::kept_tensor, item.part, item.layer};
        one.index = static_cast<int>(i);
        one.level = item.level;
        terms.push_back({tensors[i].tensor == KeptTensor::mask ? "mask"
                         : tensors[i].tensor == KeptTensor::within
                             ? "tensors within the layer"
                             : "output of " + c.layer_name(item.part, tensors[i].tensor),
                         tensors[i].bytes, one});
    }
    Page page(c, item, "m", title_of(c, item),
              item.from > 0     ? rest_of(terms, item.from)
              : item.level == 1 ? c.row(item.part, item.layer).recomputed.value
                                : c.row(item.part, item.layer).kept.value,
              Measure::bytes);
    page.source(item.level == 1 ? recomputed_source(c) : kept_source);
    if (tensors.empty())
        return page.nothing("The backward pass needs nothing of this layer that an earlier one does not keep.")
            .fact("network", c.part(item.part).network->name(), fields::workload);
    if (in_order(terms).empty())
        return page.nothing("No micro-batch is in this stage when its device holds most.")
            .fact("schedule", "interleaved", fields::order);
    return page.formula(page.sum(terms, Measure::bytes, Evidence::exact, "tensors", "m"));
}

}  // namespace

int kept_count(const Context& c, const Item& item) { return static_cast<int>(kept_by(c, item).size()); }

Page memory_page(const Context& c, const Item& item) {
    const MemoryEstimate& e = c.estimate.memory;
    if (item.topic == Topic::layer_kept || item.topic == Topic::kept_tensor) return kept_page(c, item);
    const Moment m = fullest(c);
    switch (item.topic) {
        case Topic::weights:
        case Topic::gradients:
        case Topic::optimizer: return held_page(c, item, m);
        case Topic::activations: {
            const auto terms = kept_terms(c, item, m.stage);
            Page page(c, item, "m", title_of(c, item), rest_of(terms, item.from), Measure::bytes);
            page.formula(page.sum(terms, Measure::bytes, Evidence::exact, "layers", "m"));
            page.source("Kept from forward for backward");
            if (in_order(terms).empty())
                page.note("Nothing is kept: there is no backward pass.")
                    .fact("network", c.part(0).network->name(), fields::workload);
            return page;
        }
        case Topic::recomputed: {
            const auto terms = recomputed_terms(c, item);
            Page page(c, item, "m", title_of(c, item), rest_of(terms, item.from), Measure::bytes);
            page.formula(page.sum(terms, Measure::bytes, Evidence::exact, "layers", "m"));
            if (in_order(terms).empty()) page.fact("network", c.part(item.part).network->name(), fields::workload);
            return page.source(recomputed_source(c));
        }
        case Topic::live: {
            Page page(c, item, "m", title_of(c, item), m.worst, Measure::bytes);
            page.source(m.forward ? "What is kept up to the layer, and what it reads and writes without being kept"
                                  : "Backward begins at the last layer: the worst moment has most activations still "
                                    "kept, and a layer's two gradients");
            const Item until = activations_until(m.part, m.layer);
            if (m.layer < 0) return page.formula("m_a").link("m_a", "activations", m.worst, Measure::bytes, until);
            const LayerEstimate& r = c.row(m.part, m.layer);
            const LayerFacts& f = c.facts(m.part, m.layer);
            page.link("m_a", "activations up to " + c.layer_name(m.part, m.layer),
                      rest_of(kept_terms(c, until, m.stage), 0), Measure::bytes, until);
            if (m.recomputed > 0) {
                Item block = until;
                block.topic = Topic::recomputed;
                page.formula("m_a + m_r")
                    .link("m_r", "recomputed activations of its block", m.recomputed, Measure::bytes, block);
                page.note(
                    "The tensors that recomputed layers need exist only during the backward pass of their block.");
                if (!m.beside) return page;
            }
            page.field("w", "bytes of an element", c.part(m.part).work.element_bytes, Measure::bytes, fields::precision)
                .samples(m.part, m.layer);
            if (m.forward) return forward_moment(c, m, page);
            const auto shared = [&](const char* symbol, double share) {
                return symbol + page.share(m.part, m.layer, share);
            };
            page.link("N_i", "elements of its input", static_cast<double>(f.in_elements), Measure::count,
                      Item{Topic::layer_inputs, m.part, m.layer});
            page.link("N_o", "elements of its output", static_cast<double>(f.out_elements), Measure::count,
                      Item{Topic::layer_output, m.part, m.layer});
            return page.formula(std::string(m.recomputed > 0 ? " + " : "m_a + ") + "w*b*(" +
                                shared("N_i", r.shares.inputs) + " + " + shared("N_o", r.shares.outputs) + ")");
        }
        default: {
            Page page(c, item, "m", title_of(c, item), e.peak.value, Measure::bytes);
            page.formula("m_w + m_g + m_o + m_a");
            const bool live = m.worst > m.kept;
            const double most = std::max(m.kept, m.worst);
            page.link("m_w", "weights", e.weights.value, Measure::bytes, Item{Topic::weights});
            page.link("m_g", "gradients of weights", e.gradients.value, Measure::bytes, Item{Topic::gradients});
            page.link("m_o", "optimizer", e.optimizer.value, Measure::bytes, Item{Topic::optimizer});
            page.link("m_a",
                      m.forward ? "activations, and what a layer reads and writes"
                      : live    ? "activations, and the gradients beside them"
                                : "activations",
                      most, Measure::bytes, Item{live ? Topic::live : Topic::activations});
            page.parts("Memory", e.peak.value, Measure::bytes,
                       {{"Weights", e.weights.value, Item{Topic::weights}},
                        {"Gradients", e.gradients.value, Item{Topic::gradients}},
                        {"Optimizer", e.optimizer.value, Item{Topic::optimizer}},
                        {"Activations", most, Item{live ? Topic::live : Topic::activations}}});
            if (c.staged())
                page.note("Of the fullest stage, " + std::to_string(m.stage + 1) + " of " +
                          std::to_string(c.stage_count()) + '.');
            page.note("Workspaces and what the framework itself holds are not counted.");
            const auto& memory = c.scenario.cluster.device.memory;
            if (memory)
                page.note(format_percent(Fraction{e.peak.value / memory->value}) + " of the " + format_bytes(*memory) +
                          " of a " + c.scenario.cluster.device.name + '.');
            return page.source("Lifetimes of the buffers: what is kept, and the worst moment of the step");
        }
    }
}

}  // namespace scalescope::explaining
