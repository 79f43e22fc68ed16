// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the fullest device, buffer by buffer.
#include "core/estimate/explain_rows.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/recompute_modules.hpp"
#include "core/estimate/servers.hpp"
#include "core/estimate/sharded_axis.hpp"

namespace scalescope::explaining {
namespace {

/// The fullest stage; -1 where there are no stages.
int fullest_stage(const Context& c) { return c.stage_count() == 0 ? -1 : c.estimate.memory.stage; }

/// What the layers of the fullest device keep, up to the layer of the item if it has one; `again`: what those of its
/// block need in the backward pass that computes the block again.
Terms kept_terms(const Context& c, const Item& until, bool again = false) {
    const int block = again ? c.row(until.part, until.layer).block : -1;
    Terms terms;
    for (Row r : c.estimate.layers)
        if ((again ? block >= 0 && r.block == block : r.stage == fullest_stage(c)) &&
            (until.layer < 0 || std::pair(r.part, r.position) <= std::pair(until.part, until.layer)))
            terms.push_back(
                {c.layer_name(r.part, r.position),
                 (again ? r.recomputed : r.kept).value,
                 {.topic = Topic::layer_kept, .part = r.part, .layer = r.position, .level = again ? 1 : 0}});
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
    const auto add = [&](int tensor, double share, double of_it = 1) {
        const auto keeps = [&](const KeptTensor& k) {
            return k.part == r.part && k.stage == r.stage && k.tensor == tensor && k.keeper <= r.position &&
                   (k.block < 0 || k.block == r.block);
        };
        if (c.part(r.part).work.out_bytes[static_cast<std::size_t>(tensor)] <= 0 ||
            (of_it == 1 && std::ranges::any_of(kept, keeps)))
            return;
        all.push_back(
            {{"N_" + std::to_string(all.size() + 1), "elements of the output of " + c.layer_name(r.part, tensor),
              c.facts(r.part, tensor).out_elements, Item{Topic::layer_output, r.part, tensor}},
             share});
    };
    for (const int tensor : network.reads(r.position)) add(tensor, r.shares.inputs, r.shares.kept);
    if (network.root(r.position) == r.position) add(r.position, r.shares.outputs);
    return all;
}
/// The gradients of its input and its output, and the input itself where a worker keeps only its own positions.
std::vector<Beside> gradients_beside(const Context& c, const LayerEstimate& r) {
    const LayerFacts& f = c.facts(r.part, r.position);
    if (!c.part(r.part).work.gradient_needed[static_cast<std::size_t>(r.position)]) return {};
    const Item inputs{Topic::layer_inputs, r.part, r.position}, output{Topic::layer_output, r.part, r.position};
    std::vector<Beside> all{{{"N_i", "elements of its input", f.in_elements, inputs}, r.shares.inputs},
                            {{"N_o", "elements of its output", f.out_elements, output}, r.shares.outputs}};
    if (r.shares.kept < 1)
        all.push_back({{"N_g", "elements of its input, gathered again", f.in_elements, inputs}, r.shares.inputs});
    return all;
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
    m.recomputed = rest_of(kept_terms(c, m.until, true), 0);
    auto forward = passing(c, r), backward = gradients_beside(c, r);
    m.forward = bytes_beside(c, r, forward) > bytes_beside(c, r, backward);
    m.beside = std::move(m.forward ? forward : backward);
    m.worst = m.kept + m.recomputed + bytes_beside(c, r, m.beside) + (e.trainer.moment() + e.arriving).value;
    return m;
}

/// The ranks share the state from this setting on.
Sharded shared_from(A x) {
    return x.item.topic == Topic::weights     ? Sharded::weights
           : x.item.topic == Topic::gradients ? Sharded::gradients
                                              : Sharded::optimizer;
}
Held held_of(A x) { return x.item.index == 2 || x.item.index == 3 ? static_cast<Held>(x.item.index) : Held::all; }
/// Parameters of the fullest device of which a state is kept.
constexpr auto state_terms = [](A x) {
    Terms terms;
    for (const auto& r : x.e().layers)
        if (r.stage == fullest_stage(x.c))
            for (Term& t : with_copies(x.c, r, held_of(x)))
                if (x.item.topic == Topic::weights ||
                    x.c.part(r.part).work.trained[static_cast<std::size_t>(t.item.layer)] > 0)
                    terms.push_back(std::move(t));
    return terms;
};
double held_there(A x, Held held) {
    double sum = 0;
    for (const Term& t : state_terms(x)) sum += held_parameters(x.c, t.item.part, t.item.layer, held).value;
    return sum;
}
constexpr auto of_part = [](A x) { return held_of(x) != Held::all; };
constexpr auto kept_whole = [](A x) { return x.item.topic == Topic::weights && x.e().states.kept; };
constexpr auto all_step = [](A x) {
    return x.item.topic == Topic::weights && x.e().point.sharded == Sharded::weights &&
           x.e().states.sharded < Sharded::weights;
};
constexpr auto summed_whole = [](A x) {
    const StateShards& states = x.e().states;
    return x.item.topic == Topic::gradients && x.e().point.sharded >= Sharded::gradients &&
           (states.summed_whole || states.sharded == Sharded::optimizer);
};
constexpr auto in_shards = [](A x) {
    return x.e().states.sharded >= shared_from(x) && !kept_whole(x) && !summed_whole(x);
};
constexpr auto with_experts = [](A x) { return held_there(x, Held::experts) > 0; };
constexpr auto shards_and_experts = [](A x) { return in_shards(x) && with_experts(x); };
constexpr auto shards_alone = [](A x) { return in_shards(x) && x.e().states.ranks > 1; };

/// What a rank keeps of the parameters `own`, with the weights of the two layers that are whole at once:
/// "(N + (n_d - 1)*(v_1 + v_2))/n_d".
std::string of_shards(A x, Page& page, const std::string& own, Held of) {
    const WholeWeights& whole = x.e().memory.whole;
    std::vector<Given> there;
    for (const int layer : {whole.first, whole.second})
        if (layer >= 0 && x.item.topic == Topic::weights)
            for (const Term& t : needed_weights(x.c, whole.part, layer, of))
                there.push_back({(of == Held::experts ? "x_" : "v_") + std::to_string(there.size() + 1),
                                 "weights of " + t.name + ", whole", t.value, t.item});
    const std::string n = of == Held::experts ? "n_x" : "n_d";
    if (there.empty()) return own + '/' + n;
    return '(' + own + " + (" + n + " - 1)*(" + page.joined(std::move(there)) + "))/" + n;
}
/// Other parameters and those of experts, which have two numbers of ranks.
std::string of_both(A x, Page& page) {
    const auto part = [&](const char* symbol, const char* text, Held of) {
        const Item item = at_index(x.item.topic, static_cast<int>(of));
        const double all =
            of == Held::experts ? held_there(x, of) : held_there(x, Held::all) - held_there(x, Held::experts);
        return of_shards(x, page, page.joined({{symbol, text, all, item}}), of);
    };
    const std::string others = part("N_r", "other parameters", Held::beside);
    return others + " + " + part("N_e", "parameters of experts", Held::experts);
}

/// Buffers of the item's layer, as its level says.
std::vector<KeptTensor> kept_by(const Context& c, const Item& item) {
    auto all = kept_tensors(c.plan, c.estimate);
    std::erase_if(all, [&](const KeptTensor& t) {
        return t.part != item.part || t.keeper != item.layer || (t.block >= 0) != (item.level == 1);
    });
    return all;
}
constexpr auto tensors_kept = [](A x) {
    Terms terms;
    for (const KeptTensor& t : kept_by(x.c, x.item)) {
        Item one = at_index(Topic::kept_tensor, static_cast<int>(terms.size()), x.part(), x.layer());
        one.level = x.item.level;
        terms.push_back({t.tensor == KeptTensor::mask     ? "mask"
                         : t.tensor == KeptTensor::within ? "tensors within the layer"
                         : t.tensor == KeptTensor::inner  ? "tensors of a part of the layer"
                         : t.tensor == KeptTensor::more   ? "what the trainer keeps more"
                                                          : "output of " + x.c.layer_name(x.part(), t.tensor),
                         t.bytes, one});
    }
    return terms;
};
bool offloads(A x) {
    return std::any_of(x.c.plan.parts.begin(), x.c.plan.parts.end(),
                       [](const PlanPart& part) { return !part.hosted.empty(); });
}
/// Whether a part of the item's layer, which stands apart, waits on the host; otherwise it is computed again.
bool part_on_host(A x) {
    const PlanPart& part = x.c.part(x.part());
    return !part.part_on_host.empty() && part.part_on_host[static_cast<std::size_t>(x.layer())] > 0;
}
/// Elements within the item's layer that its part keeps apart.
double part_elements(A x) { return static_cast<double>(x.facts().experts.activated); }
KeptTensor tensor_of(A x) {
    return kept_by(x.c, x.item)[static_cast<std::size_t>(x.item.topic == Topic::kept_tensor ? x.item.index : 0)];
}
/// It is kept from the forward pass on.
bool waits(const KeptTensor& t) { return t.block < 0 || t.on_host; }
/// Of tensors within a layer, some of which are narrow.
Bytes average_bytes(A x) {
    const KeptTensor t = tensor_of(x);
    const Work& work = x.c.part(t.part).work;
    const auto k = static_cast<std::size_t>(t.keeper);
    const double part = x.c.part(t.part).apart(k);
    if (t.tensor == KeptTensor::inner) return Bytes{part / part_elements(x)};
    const double within = x.row().shares.within, all = static_cast<double>(x.facts().kept_elements) * within;
    const bool but_parts = waits(t) && part > 0;
    return Bytes{(work.own_bytes[k] * within - (but_parts ? part : 0.0)) /
                 (all - (but_parts ? part_elements(x) : 0.0))};
}
/// What the busiest worker has of a tensor whose share is that of `layer`, as factors; with the samples of its pass, b.
std::string shared(A x, Page& page, int layer, double share) {
    const int p = x.item.layer < 0 ? x.e().memory.part : x.part(), samples = x.c.samples_index(p, layer);
    page.follow("b", "samples at once", at_index(Topic::samples, samples));
    if (share == 1) return {};
    const double positions = x.c.context_share(p, layer);
    std::string text;
    if (positions != 1) text = '*' + page.follow("p", "share of its positions", at_index(Topic::share, 1, p, layer));
    if (std::abs(share - positions) <= 1e-12 * share) return text;
    if (reads_more(x.c.row(p, layer)) && share == x.c.row(p, layer).shares.inputs)
        return text + '*' +
               page.follow("s_i", "share that the busiest worker reads", at_index(Topic::share, 2, p, layer));
    return text + '*' +
           page.joined({{"s", "share of the busiest worker", share / positions, Item{Topic::share, p, layer}}});
}
/// One buffer: bytes of an element, samples, elements, share.
std::string tensor_text(A x, Page& page, const KeptTensor& t) {
    const int p = t.part;
    const LayerEstimate& like = x.c.row(p, t.like);
    const std::string keeper = x.c.layer_name(p, t.keeper);
    const double mask = x.c.facts(p, t.keeper).mask;
    const int output = t.tensor < 0 ? t.keeper : t.tensor;
    const bool is_mask = t.tensor == KeptTensor::mask;
    if (is_mask)
        page.note(x.c.facts(p, t.keeper).query_heads > 0 ? "A mask of one byte for each score."
                  : mask == 1                            ? "A mask of one byte for each element."
                                                         : "An index for each element.");
    const bool within = t.tensor == KeptTensor::within, inner = t.tensor == KeptTensor::inner,
               of_several = within && like.shares.within != 1;
    if (of_several) page.note("Workers that divide each expert keep what all of them received.");
    const bool but_parts = within && waits(t) && x.c.part(p).apart(static_cast<std::size_t>(t.keeper)) > 0;
    if (within) page.note("What the layer computes on its way and needs again in its backward pass.");
    if (inner || but_parts)
        page.note(part_on_host(x) ? "What a part of the layer keeps waits on the host."
                                  : "The backward pass recomputes a part of the layer, and what that makes.");
    const bool more = t.tensor == KeptTensor::more, norm = x.c.facts(p, t.keeper).keeps_more == KeepsMore::norm;
    if (more) page.note("The trainer computes it one operation after the other, and keeps what lies between them.");
    if (!within && !inner) page.follow("N_o", "elements of the output", Item{Topic::layer_output, p, output});
    const bool of_block = t.block < 0 && x.c.row(p, t.keeper).block >= 0 && whole_blocks(x);
    const bool half = t.tensor >= 0 && computed_again(x.c, p, t.tensor) &&
                      x.c.part(p).work.again[static_cast<std::size_t>(t.tensor)].half;
    if (half) page.note("Gate and values are two products, of which one is kept and one is computed again.");
    const std::string made_by = t.tensor >= 0 ? "The output of " + x.c.layer_name(p, t.tensor) : "";
    if (t.tensor >= 0) page.note(made_by + (of_block ? "." : ", which " + keeper + " needs in its backward pass."));
    if (t.tensor >= 0 && of_block)
        page.note("The block that starts at " + keeper +
                  " keeps only its inputs, from which the backward pass recomputes the rest.");
    if (t.tensor >= 0 && !of_block && t.like != t.keeper)
        page.note("As many samples, and as much of it, as " + x.c.layer_name(p, t.like) + " needs later.");
    const bool own_positions = t.read && like.shares.kept < 1;
    if (own_positions) page.note("Each worker keeps its own positions, and gathers the others' again in backward.");
    const bool mixed = (within || inner) && x.c.part(p).work.is_narrow(static_cast<std::size_t>(t.keeper));
    if (mixed) page.note("Of these, what products read is kept as they read it.");
    if (t.narrow) page.note("It is kept as the products read it, with its scales.");
    const char* element = more ? (norm ? "k.norm*" : "k.gate*") : mixed ? "w_k*" : t.narrow ? "w_n*" : "w*";
    std::string text = (is_mask ? print(mask, Measure::number, Layout{0, 15}).text + '*' : element) + "b*" +
                       (of_several && but_parts ? "(N_k + (n_v - 1)*N_s - N_m)"
                        : of_several            ? "(N_k + (n_v - 1)*N_s)"
                        : but_parts             ? "(N_k - N_m)"
                        : within                ? "N_k"
                        : inner                 ? "N_m"
                        : half                  ? "N_o/2"
                                                : "N_o") +
                       (own_positions ? "/n_t" : "") +
                       shared(x, page, t.like, t.read ? like.shares.inputs : like.shares.outputs);
    if (t.block >= 0 || like.kept_samples == like.samples) return text;
    return text + '*' +
           page.follow("q", "micro-batches that the stage holds at once",
                       at_index(Topic::in_flight, x.c.stage_of(t.like), p));
}

/// The worst moment of the fullest device: "m_a + m_r + w*b*(N_i + N_o)".
std::string live_text(A x, Page& page) {
    const Moment m = moment_of(x.c);
    const int p = m.until.part, l = m.until.layer;
    if (l < 0) return "nothing";
    const std::string name = x.c.layer_name(p, l);
    std::string text = page.follow("m_a", "activations up to " + name, m.until);
    if (m.recomputed > 0) {
        Item block = m.until;
        block.topic = Topic::recomputed;
        text += " + " + page.follow("m_r", "activations of its block", block);
        if (offloads(x))
            page.note("What waits on the host is on the device only while its block computes.");
        else
            page.note("The tensors that recomputed layers need exist only during the backward pass of their block.");
    }
    if (m.worst <= m.kept + m.recomputed) return text;
    const TrainerBytes& trainer = x.e().memory.trainer;
    if (trainer.logits.value > 0) text += " + m_l";
    if (trainer.block.value > 0) text += " + m_b";
    if (trainer.placeholder.value > 0) text += " + m_h";
    if (x.e().memory.arriving.value > 0) text += " + m_v";
    std::string sum;
    for (const Beside& b : m.beside)
        sum += (sum.empty() ? "" : " + ") + page.joined({b.elements}) + shared(x, page, l, b.share);
    if (m.forward)
        page.note("The worst moment is in " + name +
                  (m.recomputed > 0 && !offloads(x) ? " in the recomputed forward pass of its block."
                                                    : " in the forward pass."));
    return text + " + w*b*(" + sum + ')';
}
/// A state of the item's page: of it all, or, at an index, the number of parameters.
Amount state_of(A x, Bytes all) {
    return held_of(x) != Held::all && x.item.topic != Topic::memory ? Amount(held_there(x, held_of(x)), Measure::count)
                                                                    : Amount(all);
}
bool ideal(A x) { return x.e().memory.trainer.all_the_time().value == 0; }
bool with_beside(A x) { return moment_of(x.c).worst > rest_of(kept_terms(x.c, Item{}), 0); }

bool ideal_with_beside(A x) { return ideal(x) && with_beside(x); }

const Hole memory_holes[] = {
    {"live", live_text},
    {"shards", [](A x, Page& page) { return of_shards(x, page, "{sum}", Held::beside); }},
    {"shards of both", of_both},
    {"buffer", [](A x, Page& page) { return tensor_text(x, page, tensor_of(x)); }},
    {"kept from", [](A x) { return x.item.level != 1 && x.item.topic != Topic::recomputed; },
     "What the backward pass needs of the forward pass, each tensor once", offloads,
     "On the device only while its block computes: Ren et al., ZeRO-Offload, USENIX ATC 2021", whole_blocks,
     "Needed only while the backward pass of its block runs: Chen et al., arXiv:1604.06174", by_modules,
     "Needed only while the backward pass of its module runs: Megatron Core, recompute_modules",
     "Needed only while the backward pass of its layer runs: Korthikanti et al., MLSys 2023"},
    {"beside", [](A x) { return !with_beside(x); }, "activations", [](A x) { return moment_of(x.c).forward; },
     "activations, and what a layer reads and writes", "activations, and the gradients beside them"},
    {"on host", [](A x) { return format_bytes(x.e().memory.on_host); }},
    {"fullest", [](A x) { return std::to_string(x.e().memory.stage + 1); }},
    {"of device",
     [](A x) {
         const auto& device = x.scenario().cluster.device;
         return format_percent(Fraction{x.e().memory.peak / *device.memory}) + " of the " +
                format_bytes(*device.memory) + " of a " + device.name;
     }},
};

constexpr const char* whole_weights =
    "A rank keeps its shard of the weights. Those of the layer that computes and of the next one are whole: the two "
    "largest neighbours count.";

/// A state of parameters: whole, or in shards that the ranks divide.
Figure of_state(Figure f, const char* all, const char* shards, const char* two) {
    return f.with(
        is("{sum}", of_part), is(two, shards_and_experts),
        note(whole_weights, [](A x) { return x.item.topic == Topic::weights; }), is(shards, shards_alone),
        note(whole_weights, [](A x) { return x.item.topic == Topic::weights; }), source(sharded_source), is(all),
        note("Gathered weights are kept from forward to backward: all are whole at once."
             "|parallelism.reshard_after_forward",
             kept_whole),
        note("Gathered weights are kept for the whole step: all are whole.|parallelism.reshard_after_backward",
             all_step),
        note("Whole gradients are added up over the micro-batches and sent once a step."
             "|parallelism.reduce_once",
             summed_whole),
        sum(state_terms, "layers", Measure::count));
}

}  // namespace

Room memory_room() {
    using enum Topic;
    static const Figure all[] = {
        {"m", "memory", &MemoryEstimate::peak, memory, note("Of the fullest stage, {fullest} of {stages}.", staged),
         note("Workspaces are not counted."),
         note("What a trainer holds beside these is not counted: scalescope list trainers.", ideal),
         note("The host holds {on host} beside these.|parallelism.offload_states",
              [](const MemoryEstimate& m) { return m.on_host.value > 0; }),
         note("{of device}.", [](A x) { return x.scenario().cluster.device.memory.has_value(); }),
         is("m_w + m_g + m_o + m_live", ideal_with_beside), is("m_w + m_g + m_o + m_a", ideal),
         is("(m_w + m_g + m_o + m_live + m_u + m_p + m_x)*k.reserved + n_n*b_n + m_c", with_beside),
         is("(m_w + m_g + m_o + m_a + m_u + m_p + m_x)*k.reserved + n_n*b_n + m_c"),
         stack("Memory: m_w m_g m_o m_live m_a.kept"),
         source("Lifetimes of the buffers: what is kept, and the worst moment of the step")},
        {"+m_u", "whole blocks", [](const MemoryEstimate& m) { return m.trainer.gathered; }, "model.whole_blocks"},
        {"+m_p", "placeholders of gradients", [](const MemoryEstimate& m) { return m.trainer.placeholders; },
         "model.placeholders"},
        {"+m_x", "buffers of gradients", [](const MemoryEstimate& m) { return m.trainer.exchange; },
         "model.exchange_buffers_mib"},
        {"*k.reserved", "reserved for what is allocated",
         [](A x) { return 1 + x.scenario().model.trainer.fragmentation.value; }, "model.fragmentation"},
        {"+n_n", "groups of ranks", [](const MemoryEstimate& m) { return m.trainer.group_count; }},
        {"+b_n", "buffers of a group", [](A x) { return x.scenario().model.trainer.group_buffers; },
         "model.group_buffers_mib"},
        {"+m_c", "context and libraries", [](const MemoryEstimate& m) { return m.trainer.context; },
         "model.context_mib"},
        {"+m_l", "logits in fp32, and their gradients", [](const MemoryEstimate& m) { return m.trainer.logits; },
         "model.logit_bytes"},
        {"+m_b", "whole gradients of the block", [](const MemoryEstimate& m) { return m.trainer.block; },
         "model.whole_blocks"},
        {"+m_h", "placeholder of a gradient", [](const MemoryEstimate& m) { return m.trainer.placeholder; },
         "model.placeholders"},
        {"+m_v", "activations of the next block on their way", [](const MemoryEstimate& m) { return m.arriving; },
         "parallelism.offload_activations"},
        {"k.norm", "bytes of an element that are kept more", [](A x) { return Bytes{x.c.plan.trainer.norms}; },
         "model.norm_bytes"},
        {"k.gate", "bytes of an element that are kept more", [](A x) { return Bytes{x.c.plan.trainer.gates}; },
         "model.gate_bytes"},
        of_state({"m_w", "weights", [](A x) { return state_of(x, x.e().memory.weights); }, weights},
                 "w.weight*{sum} + m_n", "w.weight*{shards} + m_n", "w.weight*({shards of both}) + m_n")
            .with(nothing("No layer on this device has any."),
                  source("Weights in the precision of the multiplications")),
        {"+m_n", "narrow copies of weights", [](A x) { return x.e().memory.copies; }, "training.precision"},
        of_state({"m_g", "gradients of weights", [](A x) { return state_of(x, x.e().memory.gradients); }, gradients},
                 "w.sum*{sum}", "w.sum*{shards}", "w.sum*({shards of both})")
            .with(nothing("No layer on this device has any."), source("A gradient for each trained parameter")),
        of_state({"m_o", "optimizer", [](A x) { return state_of(x, x.e().memory.optimizer); }, optimizer},
                 "k.state*k_d*{sum}", "k.state*k_d*{shards}", "k.state*k_d*({shards of both})")
            .with(nothing("This device keeps no state of an optimizer.|training.optimizer"),
                  source("Moments, and fp32 master weights where the multiplications have 16 bits")),
        {"w.sum", "bytes of a gradient", [](A x) { return Bytes{x.c.part(0).work.summed_gradient_bytes()}; },
         "parallelism.gradients"},
        {"k.state", "state for a parameter", [](A x) { return Bytes{x.c.plan.update.state_bytes}; },
         "training.optimizer"},
        {"m_a", "activations", [](A x) { return Bytes{rest_of(kept_terms(x.c, x.item), 0)}; }, activations,
         sum([](A x) { return kept_terms(x.c, x.item); }, "layers", Measure::bytes),
         nothing("Nothing is kept: there is no backward pass.")},
        {"+m_a.kept", "activations",
         [](A x) { return Bytes{with_beside(x) ? 0 : rest_of(kept_terms(x.c, Item{}), 0)}; }, activations},
        {"m_r", "activations of the block", nullptr, recomputed,
         sum([](A x) { return kept_terms(x.c, x.item, true); }, "layers", Measure::bytes)},
        {"+m_live", "{beside}",
         [](A x) { return Bytes{x.item.topic == live || with_beside(x) ? moment_of(x.c).worst : 0}; }, live,
         is("{live}", [](A x) { return moment_of(x.c).forward; }),
         source("What is kept up to the layer, and what it reads and writes without being kept"), is("{live}"),
         nothing("Nothing is kept."),
         source("The worst moment of backward: activations that are still kept, and a layer's two gradients")},
        {"m.layer", "kept of the layer", [](A x) { return x.item.level == 1 ? x.row().recomputed : x.row().kept; },
         layer_kept, is("{buffer}", [](A x) { return kept_by(x.c, x.item).size() == 1; }), is("{sum}"),
         sum(tensors_kept, "tensors", Measure::bytes),
         nothing("The backward pass needs nothing of this layer that an earlier one does not keep, or no micro-batch "
                 "is in its stage when its device holds most.")},
        {"N_k", "elements of tensors within the layer", &LayerFacts::kept_elements},
        {"N_m", "elements of these that stand apart", part_elements},
        {"w_n", "bytes of an element, with its scale",
         [](A x) { return Bytes{x.c.part(x.part()).work.narrow_as.bytes}; }, "training.precision"},
        {"w_k", "bytes of one of these, on average", average_bytes, "training.precision"},
        {"N_s", "elements that go to experts", [](Facts f) { return f.experts.rows * f.output.back(); }},
        {"m.tensor", "one buffer", [](A x) { return Bytes{tensor_of(x).bytes}; }, kept_tensor, is("{buffer}")},
    };
    return {all, memory_holes, "{kept from}"};
}

int kept_count(const Context& c, const Item& item) { return static_cast<int>(kept_by(c, item).size()); }

}  // namespace scalescope::explaining
