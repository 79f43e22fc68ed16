// SPDX-License-Identifier: GPL-3.0-or-later
// What of a message is waited for, and what hides behind work.
#include "core/estimate/explain_rows.hpp"
#include "core/estimate/step.hpp"
#include "core/parallel/context.hpp"
#include "core/schedule/buckets.hpp"

namespace scalescope::explaining {
namespace {

const MessageEstimate& msg(A x) { return x.message(); }

/// How often the message is sent in a step; on the page of what is exposed how often it is waited for, as transfers
/// between stages are once for all micro-batches and those at a cut once for all slices.
bool often(A x) { return !msg(x).gradients || msg(x).every_pass; }
bool waited(A x) { return x.item.topic == Topic::message_exposed; }
bool each_slice(A x) { return often(x) && (!waited(x) || msg(x).when != When::at_cut); }
bool each_micro_batch(A x) {
    return often(x) && (msg(x).within_stage() || (!waited(x) && msg(x).when == When::at_border));
}

/// What of a message may hide, and what hiding costs: of gradients all-reduced under the backward pass.
Hiding hiding_of(A x, const MessageEstimate& m) {
    if (!m.gradients || m.weights || m.axis != MeshAxis::data) return {};
    return scalescope::hiding_of(x.c.plan, m.algorithm, m.over_groups ? 1 : m.group.ranks);  // copied once
}
bool half(A x) { return hiding_of(x, msg(x)).share != 1; }
Seconds end_of(A x, const MessageEstimate& m) { return m.start + m.each * hiding_of(x, m).share; }
const MessageEstimate& before(A x) { return x.message_at(msg(x).before); }

/// Where every micro-batch sends its gradients: the stage that sends this message.
int stage_sending(A x) {
    if (x.item.message < 0) return -1;
    return msg(x).every_pass && x.c.staged() ? x.c.stage_of(msg(x).layers.front()) : -1;
}
/// The backward pass down to a layer, of one micro-step (of one micro-batch where each sends its gradients) and one of
/// the network's turns, without the time in which weights are gathered: gradients then wait for the link.
bool in_window(A x, Row r) {
    const int stage = stage_sending(x), from = x.item.topic == Topic::backward_window ? 0 : msg(x).first;
    if (r.part != x.part() || r.position < from || (stage >= 0 && x.c.stage_of(r.position) != stage)) return false;
    // Layers whose gradients are exchanged: those of which every worker has all.
    return std::ranges::any_of(x.e().runs, [&](const LayerRun& run) {
        return run.part == r.part && !(x.c.hybrid() && run.shared) && r.position < run.to;
    });
}
constexpr auto window_terms = [](A x) {
    return layer_terms(x.c, Topic::layer_backward, [&](Row r) { return in_window(x, r); });
};
Seconds gathers(A x) {
    Seconds sum;
    for (Row r : x.e().layers)
        if (in_window(x, r)) sum += r.gathers;
    return sum;
}
constexpr auto window = [](A x) {
    const double times = stage_sending(x) >= 0 ? x.c.executions(x.part()) : x.c.accumulation() * x.c.count(x.part()),
                 whole = rest_of(window_terms(x), 0) / times, left = whole - gathers(x).value;
    return Seconds{left <= 1e-12 * whole ? 0 : left};
};
/// Updated weights that are gathered while the next forward pass begins.
bool gathered_ahead(const Transfer& m) { return m.weights && m.gradients && m.when == When::before_layer; }
bool ahead(A x) { return gathered_ahead(msg(x)); }
/// Such messages of the same device in front of this one.
template <class Use>
void gathered_before(A x, Use use) {
    const auto device = [&](const MessageEstimate& m) { return x.c.staged() ? x.c.stage_of(m.first) : -1; };
    for (int i = 0; i < x.item.message; ++i)
        if (const auto& m = x.message_at(i); gathered_ahead(m) && m.part == msg(x).part && device(m) == device(msg(x)))
            use(m);
}
/// Work beside which a message travels, once: of layers, or the passes of its own.
constexpr auto terms_beside = [](A x) {
    const MessageEstimate& m = msg(x);
    Terms terms;
    if (m.when == When::beside_layer)
        for (const Pass p : all_passes)
            if ((p == Pass::forward) == (m.forward || m.again)) {
                terms.push_back(layer_term(x.c, x.c.row(m.part, m.first), Topic::layer_pass, p));
                terms.back().name = word_for(p);
            }
    const PlanPart& part = x.c.part(m.part);
    for (int l = m.beside_from; l < m.beside_to && m.when == When::beside_readers; ++l)
        if (reads_again(*part.network, part.work, l, m.layers.front()))
            terms.push_back(layer_term(x.c, x.c.row(m.part, l), Topic::layer_pass, Pass::grad_input));
    for (Row r : x.e().layers)  // of all stages of the device, as the first micro-batch passes them
        if (ahead(x) && r.part == m.part && r.position < m.first &&
            (!x.c.staged() || x.c.stage_of(r.position) == x.c.stage_of(m.first)))
            terms.push_back(layer_term(x.c, r, Topic::layer_pass));
    for (int l = m.beside_from; l < m.beside_to && !m.beside_work() && !ahead(x); ++l) {
        const bool split = x.c.staged() && splits_backward(x.e().schedule.order);
        Row r = x.c.row(m.part, l);
        if (m.forward || split)
            terms.push_back(layer_term(x.c, r, Topic::layer_pass, m.forward ? Pass::forward : Pass::grad_input));
        else
            terms.push_back(layer_term(x.c, r, Topic::layer_backward));
        if (split && !m.forward && computed_again(x.c, m.part, l))
            terms.push_back(layer_term(x.c, r, Topic::layer_recompute));
    }
    return terms;
};

/// Which of the transfers between stages are waited for together, if they are not all waited for once.
std::optional<int> waited_together(A x) {
    const MessageEstimate& m = msg(x);
    if (m.when != When::at_border) return std::nullopt;
    if (x.e().schedule.order != PipelineOrder::fill_drain) return -1;
    const int way = m.forward ? 0 : 1;
    const bool slow =
        value_of(x.c, at_index(Topic::border_exposed, way)) > value_of(x.c, at_index(Topic::border_transfers, way));
    return slow && m.exposed.value > 0 ? std::optional(way) : std::nullopt;
}
/// All messages of the stage that is waited for.
Seconds after_stage(A x) {
    Seconds all;
    for (const MessageEstimate& m : x.e().messages)
        if (m.after_stage() && m.exposed.value > 0) all += m.each;
    return all;
}

constexpr auto imperfect = [](A x) { return x.c.plan.parallelism.overlap != Overlap::perfect; };
constexpr auto over_groups = [](A x) { return msg(x).over_groups; };
constexpr auto after = [](A x) { return msg(x).after_stage() && x.c.staged(); };
constexpr auto own_layer = [](A x) { return msg(x).when == When::beside_layer; };
constexpr auto first = [](A x) { return msg(x).before < 0; };
/// A share of the messages of that axis hides.
template <MeshAxis axis>
bool hides(A x) {
    const MessageEstimate& m = msg(x);
    const ModelOptions& model = x.scenario().model;
    const Fraction share = axis == MeshAxis::tensor ? model.tensor_overlap : model.expert_overlap;
    return m.axis == axis && !m.gradients && !m.weights && m.when == When::blocking && share.value > 0;
}
constexpr auto none_exposed = [](A x) { return msg(x).exposed.value <= 0; };

const Hole exposure_holes[] = {
    {"often",
     [](A x) {
         return std::string(often(x) ? "a*" : "") + (each_micro_batch(x) ? "M*" : "") + (each_slice(x) ? "g*" : "") +
                "T*c*";
     }},
    {"sent", "{often}(t.msg + {copies})"},
    {"copies", "k.copies*S/(W*e_m)"},
    {"M", [](A x) { return stage_sending(x) >= 0; }, "*M", ""},
    // Gradients under the backward pass: what comes after it, the share that may not hide, and what hiding costs.
    {"under", "{outside}{back} + sigma.hide*({one} - {outside}) + {copies}"},
    {"one", half, "t.msg/2", "t.msg"},
    {"one before", half, "t_1.before/2", "t_1.before"},
    {"back", half, " + t.msg/2", ""},
    {"outside", over_groups, "max(0, e.groups - max(0, e.groups - {one}))", imperfect,
     "max(0, e.msg - max(s.msg, t_b.hide))", first, "max(0, {one} - t_b.hide)",
     "max(0, {one} - max(0, t_b.hide - {one before}))"},
    {"context source", [](A x) { return context_row(x.c.plan.parallelism.context_scheme).source; }},
    {"ready", [](A x) { return x.c.layer_name(msg(x).part, msg(x).first); }},
};

constexpr const char *deepseek_overlap = "DualPipe: DeepSeek-V3 Technical Report (2024), section 3.2.1",
                     *korthikanti = "Sequence parallelism: Korthikanti et al., MLSys 2023",
                     *bucket_source =
                         "Buckets in the order of the backward pass: Li et al., PyTorch Distributed, VLDB 2020",
                     *after_backward = "Sent after the backward pass: nothing hides it.",
                     *whole_step = "The layers' times are those of a whole step.";

/// Part of a backward pass.
Figure of_window(Figure f) {
    return f.with(
        is("{sum}/(a*c{M}) - t_g"), sum(window_terms),
        note(whole_step, [](A x) { return x.c.executions(x.part()) != 1; }),
        note("While weights are gathered, gradients wait for the link.", [](A x) { return gathers(x).value > 0; }),
        nothing("Until then weights are gathered all the time: gradients wait for the link.|parallelism.sharded"));
}

}  // namespace

Room exposure_room() {
    using enum Topic;
    static const Figure all[] = {
        {"x.msg", "exposed", &MessageEstimate::exposed, message_exposed,
         note("Sent again because the backward pass recomputes the block of this layer.", &MessageEstimate::again),
         is("0", [](A x) { return none_exposed(x) && ahead(x); }),
         note("It is there before the forward pass of the next step needs it, or another stage waits longer."),
         source(sharded_source), is("0", [](A x) { return none_exposed(x) && msg(x).gradients && msg(x).weights; }),
         note("The gather of another stage takes longer: the step does not wait for this one.|parallelism.sharded"),
         source(sharded_source), is("0", [](A x) { return none_exposed(x) && after(x); }),
         note("Its stage is not the last to be done: the step does not wait for it.|parallelism.overlap"),
         source("Stages end one after the other, the first one last"), is("{often}t.msg*y.last/i.stage", after),
         source("What a stage sends after its own backward pass, against the end of the first stage"),
         is("{often}t.msg*y.cut/(i.cut + o.cut)", [](A x) { return msg(x).when == When::at_cut && x.c.slices() > 1; }),
         note("What is waited for at the cut is shared out over the transfers there by their time."),
         source("Krizhevsky, arXiv:1404.5997, 2014: a transfer hides behind the work on another slice"),
         is("{often}t.msg*y.way/i.way", [](A x) { return waited_together(x).has_value(); }),
         note("What is waited for between the stages is shared out over the transfers by their time."),
         source("{schedule}"),
         // gradients
         is("{often}max(0, t.gathers - t_w.beside - x.gathers)", ahead),
         note("Updated weights are gathered in buckets, in the order of the layers. Each bucket is waited for when the "
              "forward pass of the next step reaches the first of its layers."),
         source(sharded_source), is("{sent}", [](M m) { return m.weights && m.gradients; }),
         note("The next step needs the updated weights: nothing hides it."), source(sharded_source),
         is("{sent}", [](M m) { return m.gradients && m.axis == MeshAxis::pipeline; }),
         note("Sent when all stages are done: nothing hides it."),
         source("All-reduce of shared weights between stages, as Megatron-LM does for tied embeddings"),
         is("{sent}", [](M m) { return m.gradients && m.axis == MeshAxis::tensor; }), note(after_backward),
         source("Workers of the tensor axis that hold the same weights have a summand each"),
         is("{sent}", [](A x) { return msg(x).gradients && x.c.plan.parallelism.overlap == Overlap::off; }),
         note(after_backward), source("No overlap, as in PALEO"), is("{often}({under})", &MessageEstimate::gradients),
         note("The weights come back before the next step: nothing hides that half.", half),
         note("Shards are added up over the groups of replicas while nothing travels within them.", over_groups),
         source(bucket_source),
         // weights
         is("{sent}", [](M m) { return m.weights && m.beside_from == m.beside_to; }),
         note("No layer computes before this one: nothing hides it."),
         is("{often}max(0, t.msg - t_w.beside)", [](M m) { return m.weights && m.before < 0; }),
         note("The weights of a layer are gathered while the layer before it computes."),
         is("{often}max(0, t.msg - max(0, t_w.beside - t_1.before))", &MessageEstimate::weights),
         note("The weights of a layer are gathered while the layer before it computes, experts last."),
         source(sharded_source),
         // what layers make
         is("{often}max(0, t.msg - t_w.beside)", [](M m) { return m.when == When::beside_block; }),
         note("It travels while the layers of the block compute."), source(host_source),
         is("{often}max(0, t.msg - (n_c - 1)/n_c*t_w.beside)", own_layer),
         note("Each piece travels while the layer works on the one before it; the first needs no message."),
         source("{context source}"),
         is("{often}max(0, t.msg - t_w.beside)", [](M m) { return m.when == When::beside_readers; }),
         note("Each worker kept only its own positions. They are gathered again for the gradients of the weights while "
              "the gradients to "
              "the inputs are computed."),
         source(korthikanti), is("{often}t.msg*(1 - o.tensor)", hides<MeshAxis::tensor>),
         note("Products hide as much of it as the share says: products and messages in pieces, side by side."),
         source("Wang et al., ASPLOS 2023"),
         is("{often}t.msg*(1 - o.expert)",
            [](A x) { return hides<MeshAxis::expert>(x) || hides<MeshAxis::expert_tensor>(x); }),
         note("Work on other positions hides as much of it as the share says."), source(deepseek_overlap),
         is("{sent}", [](M m) { return m.when == When::at_border; }),
         note("Only the first micro-batch's transfer is waited for: no stage is quicker than a transfer.",
              [](A x) { return x.c.micro_batches() > 1; }),
         source("Fill and drain: Huang et al., GPipe, NeurIPS 2019"),
         is("{sent}", [](M m) { return m.axis == MeshAxis::context && m.carries != Carried::output; }),
         note("The attention cannot begin, or go on, without it."), source("{context source}"),
         is("{sent}", [](M m) { return m.carries == Carried::halo; }),
         note("The rows next to those of other workers cannot be computed without it."), source(halo_source),
         is("{sent}", &MessageEstimate::of_positions), note("The experts, or the next layer, cannot begin without it."),
         source(expert_source), is("{sent}"), note("The next layer cannot begin without it."),
         source("Split by outputs: nothing to do in the meantime")},
        {"y.way", "transfers waited for, one micro-step", nullptr,
         [](A x) { return at_index(border_exposed, *waited_together(x)); }},
        {"i.way", "transfers of one micro-batch", nullptr,
         [](A x) { return at_index(border_transfers, *waited_together(x)); }},
        {"h", "hidden", &MessageEstimate::hidden, message_hidden,
         is("0", [](A x) { return msg(x).hidden.value <= 0 && msg(x).gradients && x.c.staged(); }),
         note("Nothing of it hides.|parallelism.overlap"), is("{sent} - x.both"), source("What is not waited for")},
        {"x.both", "exposed", &MessageEstimate::exposed, message_exposed, Rests::both},
        {"t_b.hide", "backward it may hide behind", nullptr,
         [](A x) { return of_message(backward_window, x.part(), stage_sending(x) >= 0 ? x.item.message : -1); }},
        {"t_1.before", "the message before", [](A x) { return before(x).each; }, before_this<message>},
        {"+t.gathers", "all gathers up to this one",
         [](A x) {
             Seconds sum = msg(x).each;
             gathered_before(x, [&](const MessageEstimate& m) { sum += m.each; });
             return sum;
         },
         "parallelism.overlap_gathers", Rests::sending},
        {"+x.gathers", "waited for in front of it",
         [](A x) {
             Seconds sum;
             gathered_before(
                 x, [&](const MessageEstimate& m) { sum += m.exposed * (1.0 / static_cast<double>(m.times)); });
             return sum;
         },
         "parallelism.overlap_gathers", Rests::sending},
        {"i.stage", "all such messages of its stage", after_stage, "parallelism.overlap", Rests::sending},
        {"+k.copies", "times that a byte of the gradients is read or written, copied in and out",
         [](A x) { return hiding_of(x, msg(x)).copying > 0 ? 4 : 0; }, "parallelism.copies"},
        {"+sigma.hide", "share of hidden time that the backward pass takes longer",
         [](A x) { return Fraction{hiding_of(x, msg(x)).interference}; }, "model.interference"},
        {"o.tensor", "share that products hide", [](A x) { return x.scenario().model.tensor_overlap; },
         "model.tensor_overlap"},
        {"o.expert", "share that other work hides", [](A x) { return x.scenario().model.expert_overlap; },
         "model.expert_overlap"},
        // how often
        {"*T", "one after the other", [](A x) { return often(x) ? msg(x).successive : std::int64_t{1}; }},
        // on the clock of a backward pass
        of_window({"t_b.window", "backward it may hide behind", window, backward_window})
            .with(source("Backward pass, from the last layer to the first")),
        of_window({"t_r.msg", "gradients ready", window, message_ready})
            .with(note("Ready when the backward pass has reached {ready}.")),
        {"+t_g", "gathers of weights meanwhile", gathers, "parallelism.sharded", Rests::sending},
        {"t_w.beside", "work meanwhile",
         [](A x) { return Seconds{rest_of(terms_beside(x), 0) / x.c.executions(msg(x).part)}; }, work_beside,
         is("{sum}/(a*c*M)", own_layer), source("{context source}"), is("{sum}/(a*c*M)"), sum(terms_beside),
         note(whole_step, [](A x) { return x.c.executions(x.part()) != 1; }), nothing("Nothing computes meanwhile."),
         source(sharded_source)},
        {"s.msg", "its start", &MessageEstimate::start, message_start, is("t_r.msg", first),
         is("max(t_r.msg, e.before)"), note("On the clock of the backward pass, one message at a time.")},
        {"e.msg", "its end", [](A x) { return end_of(x, msg(x)); }, message_end, is("s.msg + t.msg/2", half),
         is("s.msg + t.msg")},
        {"e.groups", "its end, after all other messages of the gradients", [](A x) { return end_of(x, msg(x)); },
         "parallelism.overlap", Rests::sending},
        {"e.before", "end of the message before", [](A x) { return end_of(x, before(x)); }, before_this<message_end>},
    };
    return {all, exposure_holes, bucket_source};
}

}  // namespace scalescope::explaining
