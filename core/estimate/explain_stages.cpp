// SPDX-License-Identifier: GPL-3.0-or-later
// Stages that work one after the other, with the micro-batches that let them work together; and hybrid's cut, over
// which slices are sent.
#include "core/estimate/explain_rows.hpp"

namespace scalescope::explaining {

namespace {

/// Layers of a stage: each run of a pipeline is one.
const LayerRun& run_of(const Context& c, int stage) { return c.estimate.runs[static_cast<std::size_t>(stage)]; }

/// One pass of a stage, all micro-batches of the step. Backward is grad_input, with the gradients of weights and what
/// sends them unless the schedule splits them off.
Terms stage_terms(const Context& c, int stage, Pass pass) {
    const LayerRun& run = run_of(c, stage);
    const bool split = splits_backward(c.estimate.schedule.order), whole = pass == Pass::grad_input && !split;
    const auto of_run = [&](int l) { return l >= run.from && l < run.to; };
    auto terms = layer_terms(
        c, whole ? Topic::layer_backward : Topic::layer_pass,
        [&](Row r) { return r.part == run.part && of_run(r.position); }, pass);
    const auto sent = message_terms(c, Topic::message_exposed, [&](const MessageEstimate& m) {
        const Pass in = m.forward ? Pass::forward : split && m.gradients ? Pass::grad_weights : Pass::grad_input;
        return m.within_stage() && in == pass && !m.layers.empty() && of_run(m.layers[0]);
    });
    terms.insert(terms.end(), sent.begin(), sent.end());
    return terms;
}
double stage_time(const Context& c, int stage, Pass pass) { return rest_of(stage_terms(c, stage, pass), 0); }

Item stage_item(int index, Pass pass) { return {.topic = Topic::stage, .pass = pass, .index = index}; }
template <Pass pass>
constexpr auto longest_stage = [](A x) {
    int best = 0;
    for (int s = 1; s < x.c.stage_count(); ++s)
        if (stage_time(x.c, s, pass) > stage_time(x.c, best, pass)) best = s;
    return stage_item(best, pass);
};

/// The pieces of the longest chain: level 0 if no message took any time, 1 as it is.
constexpr auto chain_terms = [](A x) {
    Terms terms;
    Item item{Topic::chain_piece};
    item.level = x.item.level;
    const auto add = [&](double seconds) {
        if (const auto times = static_cast<double>(pieces_on_chain(x.c, item)); times > 0)
            terms.push_back({short_name(x.c, item), times * seconds, item});
    };
    for (const Pass pass : all_passes) {
        item.pass = pass;
        for (item.index = 0; item.index < x.e().schedule.shape.stages(); ++item.index)
            add(stage_time(x.c, item.index, pass) / x.c.executions(0));
    }
    item.pass = Pass::forward, item.index = -1;
    for (item.message = 0; item.message < static_cast<int>(x.e().messages.size()); ++item.message)
        add(x.message_at(item.message).each.value);
    return terms;
};

/// Transfers between stages: index 0 forward, 1 backward, -1 both.
constexpr auto border_terms = [](A x) {
    return message_terms(x.c, Topic::message, [&](const MessageEstimate& m) {
        return m.when == When::at_border && (x.item.index < 0 || m.forward == (x.item.index == 0));
    });
};
/// Messages that splitting by outputs sends inside hybrid's back part.
constexpr auto back_terms = [](A x) {
    return message_terms(x.c, Topic::message_exposed,
                         [](const MessageEstimate& m) { return !m.gradients && m.when == When::blocking; });
};
/// Hybrid: transfers at the cut for one slice; `forward`: into the back part.
Terms cut_terms(A x, bool forward) {
    return message_terms(x.c, Topic::message, [forward](const MessageEstimate& m) {
        return m.when == When::at_cut && m.forward == forward;
    });
}
constexpr auto transfers_at_cut = [](A x) { return cut_terms(x, x.item.index == 0); };
template <bool forward>
constexpr auto sends_over_cut = [](A x) { return !cut_terms(x, forward).empty(); };

/// What the stage that is done last waits for: its gradients, on the clock of the schedule.
struct LastStage {
    double waited = 0, own = 0, end = 0;
    int stage = 0;
};
LastStage last_stage(A x) {
    LastStage s;
    for (const MessageEstimate& m : x.e().messages)
        if (m.after_stage() && m.exposed.value > 0) {
            s.waited += m.exposed.value / x.c.count(m.part);
            s.stage = x.c.row(m.part, m.layers.front()).stage;
        }
    s.own = x.e().schedule.done[static_cast<std::size_t>(s.stage)], s.end = x.e().schedule.end;
    return s;
}

template <PipelineOrder order>
constexpr auto by = [](A x) { return x.e().schedule.order == order; };
constexpr auto stepped = [](A x) { return x.e().schedule.order != PipelineOrder::fill_drain; };
constexpr auto one_micro_batch = [](A x) { return x.c.micro_batches() == 1; };
template <int level>
constexpr auto of_level = [](A x) { return x.item.level == level; };
constexpr auto sets_kept = [](A x) {
    return run_of(x.c, x.item.index).kept_samples / run_of(x.c, x.item.index).samples;
};

/// By PipelineOrder.
constexpr const char* schedule_sources[] = {
    "Fill and drain: Huang et al., GPipe, NeurIPS 2019",
    "1F1B: Narayanan et al., PipeDream-Flush, ICML 2021",
    "Interleaved 1F1B: Narayanan et al., Megatron-LM, SC 2021",
    "Breadth-first: Lamy-Poirier, Breadth-First Pipeline Parallelism, MLSys 2023",
    "Zero bubble, ZB-H1: Qi et al., ICLR 2024",
    "Zero bubble, ZB-H2: Qi et al., ICLR 2024"};
static_assert(static_cast<std::size_t>(PipelineOrder::zero_bubble_h2) + 1 == std::size(schedule_sources));

const Hole stage_holes[] = {
    {"schedule", [](A x) { return schedule_sources[static_cast<std::size_t>(x.e().schedule.order)]; }},
    {"longest stage", [](A x) { return x.item.index == 0; }, "t_f.longest", "t_b.longest"},
    {"last stage", [](A x) { return std::to_string(last_stage(x).stage + 1); }},
};

}  // namespace

Room stage_room() {
    using enum Topic;
    static const Figure all[] = {
        // What all stages take: as the schedule was stepped through, or by the closed form of filling and draining.
        {"t_p", "all stages one after the other", nullptr, pipeline, is("a*c*k + t_c.between", stepped),
         is("t_l + t_x + t_c.between", one_micro_batch),
         note("One batch at a time: the stages work one after the other, and only one of them is ever busy."),
         is("(t_l + t_x + (M - 1)*(t_f.longest + t_b.longest))/M + t_c.between"),
         note("Each micro-batch after the first adds the time of the longest stage, forward and backward.")},
        {"t_f.longest", "longest forward of a stage", nullptr, longest_stage<Pass::forward>},
        {"t_b.longest", "longest backward of a stage", nullptr, longest_stage<Pass::grad_input>},
        {"t.stage", "one pass of a stage", nullptr, stage,
         sum([](A x) { return stage_terms(x.c, x.item.index, x.item.pass); }),
         source("Layers of the stage, all micro-batches of the step")},
        {"k", "longest chain of work, one micro-step", nullptr, Item{.topic = chain, .level = 0},
         is("{sum}", of_level<0>), sum(chain_terms, "pieces"),
         note("The longest row of passes that wait for each other, if messages took no time.")},
        {"l", "longest chain", nullptr, Item{.topic = chain, .level = 1}, is("{sum}", of_level<1>),
         sum(chain_terms, "pieces"), note("The longest row of passes and messages that wait for each other.")},
        {"x.piece", "piece", nullptr, chain_piece, is("m.chain*t.msg", [](A x) { return x.item.message >= 0; }),
         is("m.chain*t_s.piece/(a*c*M)")},
        {"t_s.piece", "this pass of the stage, whole step", nullptr,
         [](A x) { return stage_item(x.item.index, x.item.pass); }},
        {"m.chain", "times on the longest chain", [](A x) { return pieces_on_chain(x.c, x.item); },
         "parallelism.order"},
        // transfers between stages; links carry one micro-batch at a time
        {"i", "transfers", nullptr, border_transfers, sum(border_terms, "transfers"),
         nothing("Nothing moves between the stages in this direction."),
         source("Transfers of one micro-batch over all borders")},
        {"i.each", "transfers of one micro-batch", nullptr,
         [](A x) { return at_index(Topic::border_transfers, x.item.index); }},
        {"l.longest", "longest transfer", nullptr, [](A x) { return in_order(border_terms(x))[0].item; }},
        {"y", "transfers waited for", nullptr, border_exposed, is("max(0, l - k)", stepped),
         note("What infinitely fast links would save."), source("{schedule}"),
         is("i.each", [](A x) { return one_micro_batch(x) || in_order(border_terms(x)).empty(); }),
         is("i.each + (M - 1)*max(0, l.longest - {longest stage}/(a*c*M))"),
         note("What a transfer takes longer than the longest stage is waited for with each further micro-batch."),
         source("Fill and drain: Huang et al., GPipe, NeurIPS 2019; a link carries one micro-batch at a time")},
        {"y.last", "waited for after the pipeline", [](A x) { return Seconds{last_stage(x).waited}; }, stage_wait,
         note("Counted from the start of the last micro-step, or of its last backward pass."),
         is("e.own + x.own - e_1", [](A x) { return last_stage(x).own != last_stage(x).end; }),
         is("e.own + x.own - e.own"), source("Stages end one after the other; all update their weights together")},
        {"e.own", "end of the last backward pass of stage {last stage}", [](A x) { return Seconds{last_stage(x).own}; },
         "parallelism.micro_batches", Rests::computing},
        {"x.own", "its gradients after that",
         [](A x) { return Seconds{last_stage(x).waited + last_stage(x).end - last_stage(x).own}; },
         "parallelism.overlap", Rests::sending},
        {"e_1", "end of all stages", [](A x) { return Seconds{last_stage(x).end}; }, "parallelism.micro_batches",
         Rests::computing},
        // micro-batches whose activations a stage holds at once
        {"q", "micro-batches in a stage", sets_kept, in_flight,
         is("M", [](A x) { return by<PipelineOrder::fill_drain>(x) || by<PipelineOrder::breadth_first>(x); }),
         is("min(M, {pipeline} - s.before)", by<PipelineOrder::one_f_one_b>),
         note("Each stage is one micro-batch ahead of the next one when backward passes begin."),
         is("min(M, {pipeline})", by<PipelineOrder::zero_bubble>),
         note("A set is kept until the gradients of its weights are computed."), is("min(m.sets, M)"),
         note("When its device holds most.")},
        {"m.sets", "sets of activations of this stage, counted along the schedule", sets_kept, "parallelism.order"},
        {"+s.before", "stages before it", [](A x) { return x.item.index; }, "parallelism.boundaries"},
        // hybrid's cut
        {"+i.cut", "into the back part, one slice", nullptr, cut_transfers, 0},
        {"+o.cut", "out of it", nullptr, cut_transfers, 1},
        {"i.both", "over the cut", nullptr, cut_transfers, sum(transfers_at_cut, "transfers"),
         nothing("No tensor moves at the cut.|parallelism.cut"), source("One slice of the effective batch")},
        {"+t_m", "messages inside it", nullptr, back_messages, sum(back_terms, "messages"),
         nothing("The back part sends nothing inside.|parallelism.cut"), source("Split by outputs, behind the cut")},
        {"w.slice", "work on a slice", nullptr, cut_work, is("(t_l.back + t_m)/(a*c*g)"),
         source("The back part's work on one slice")},
        // What exceeds the work that transfers could hide behind; the first one in and the last one out hide behind
        // none.
        {"y.cut", "waited for at the cut", nullptr, cut_exposed,
         is("i.cut + o.cut", [](A x) { return x.c.slices() == 1; }),
         source("All slices at once: nothing to hide behind"),
         is("i.cut + o.cut + max(0, i.cut - w.slice) + max(0, o.cut - w.slice) + "
            "(g - 2)*max(0, i.cut + o.cut - w.slice)",
            [](A x) { return sends_over_cut<true>(x) && sends_over_cut<false>(x); }),
         note("The first transfer in and the last one out are waited for, and what exceeds the work meanwhile."),
         is("i.cut + (g - 1)*max(0, i.cut - w.slice)", sends_over_cut<true>),
         is("o.cut + (g - 1)*max(0, o.cut - w.slice)", sends_over_cut<false>), is("0"),
         nothing("No tensor moves at the cut.|parallelism.cut"), source("Krizhevsky, arXiv:1404.5997, 2014")},
    };
    return {all, stage_holes, "{schedule}"};
}

std::int64_t pieces_on_chain(const Context& c, const Item& item) {
    const PipelineChain& chain = item.level == 0 ? c.estimate.schedule.chain_of_work() : c.estimate.schedule.chain();
    std::size_t kind = index_of(item.pass);
    int stage = item.index;
    if (item.message >= 0) {
        const MessageEstimate& m = c.message(item.message);
        if (m.when != When::at_border) return 0;
        // Activations name the layer before the border, gradients the layer behind it.
        kind = static_cast<std::size_t>(m.forward ? PieceKind::activation : PieceKind::gradient);
        const int border = m.forward ? m.first + 1 : m.first;
        for (stage = 0; run_of(c, stage).to != border;) ++stage;
    }
    if (stage < 0 || static_cast<std::size_t>(stage) >= chain[kind].size()) return 0;
    return chain[kind][static_cast<std::size_t>(stage)];
}

}  // namespace scalescope::explaining
