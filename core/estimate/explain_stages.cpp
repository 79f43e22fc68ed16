// SPDX-License-Identifier: GPL-3.0-or-later
// Split by layers: stages that work one after the other, and micro-batches that let them work together.
#include <algorithm>

#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

/// Layers of a stage: each run of a pipeline is one.
const LayerRun& run_of(const Context& c, int stage) { return c.estimate.runs[static_cast<std::size_t>(stage)]; }
constexpr Page::Repeat per_micro_batch{.accumulation = true, .count = true, .micro_batches = true};

/// One pass of a stage, all micro-batches of the step. Backward is grad_input, with the gradients of weights unless the
/// schedule splits them off.
std::vector<Term> stage_terms(const Context& c, int stage, Pass pass) {
    const LayerRun& run = run_of(c, stage);
    const bool whole = pass == Pass::grad_input && !splits_backward(c.estimate.schedule.order);
    std::vector<Term> terms;
    for (int l = run.from; l < run.to; ++l)
        terms.push_back(whole ? layer_term(c, c.row(run.part, l), Topic::layer_backward)
                              : layer_term(c, c.row(run.part, l), Topic::layer_pass, pass));
    if (pass == Pass::grad_weights) return terms;
    const auto sent = message_terms(c, Topic::message_exposed, [&](const MessageEstimate& m) {
        return m.within_stage() && m.forward == (pass == Pass::forward) && !m.layers.empty() &&
               m.layers.front() >= run.from && m.layers.front() < run.to;
    });
    terms.insert(terms.end(), sent.begin(), sent.end());
    return terms;
}
double stage_time(const Context& c, int stage, Pass pass) { return rest_of(stage_terms(c, stage, pass), 0); }

Item stage_item(int index, Pass pass) {
    Item item = at_index(Topic::stage, index);
    item.pass = pass;
    return item;
}
Item longest_stage(const Context& c, Pass pass) {
    int best = 0;
    for (int s = 1; s < c.stage_count(); ++s)
        if (stage_time(c, s, pass) > stage_time(c, best, pass)) best = s;
    return stage_item(best, pass);
}

/// The pieces of the longest chain: level 0 if no message took any time, 1 as it is.
std::vector<Term> chain_terms(const Context& c, int level) {
    std::vector<Term> terms;
    Item item{Topic::chain_piece};
    item.level = level;
    const auto add = [&](double seconds) {
        if (const auto times = static_cast<double>(pieces_on_chain(c, item)); times > 0)
            terms.push_back({short_name(c, item), times * seconds, item});
    };
    for (const Pass pass : all_passes) {
        item.pass = pass;
        for (item.index = 0; item.index < c.estimate.schedule.shape.stages(); ++item.index)
            add(stage_time(c, item.index, pass) / c.executions(0));
    }
    item.pass = Pass::forward, item.index = -1;
    for (item.message = 0; item.message < static_cast<int>(c.estimate.messages.size()); ++item.message)
        add(c.message(item.message).each.value);
    return terms;
}

Item chain_item(int level) {
    Item item{Topic::chain};
    item.level = level;
    return item;
}

/// A stage's pass, or a transfer, as often as it stands on the chain.
Page chain_piece_page(const Context& c, const Item& item) {
    Page page(c, item, "x", Seconds{0});
    page.give({"m", "times on the longest chain", pieces_on_chain(c, item), fields::order})
        .source(schedule_source(c.estimate.schedule.order));
    if (item.message >= 0)
        return page.formula("m*t")
            .follow("t", "time of one", of_message(Topic::message, c.message(item.message).part, item.message))
            .evaluated();
    return page.formula("m*t_s")
        .follow("t_s", "this pass of the stage, whole step", stage_item(item.index, item.pass))
        .formula(page.over(0, per_micro_batch))
        .evaluated();
}

/// What all stages take: as the schedule was stepped through, or by the closed form of filling and draining.
Page pipeline_page(const Context& c, const Item& item) {
    const PipelineOrder order = c.estimate.schedule.order;
    const auto& messages = c.estimate.messages;
    const bool within = std::any_of(messages.begin(), messages.end(),
                                    [](const auto& m) { return m.within_stage() && m.exposed.value > 0; });
    Page page(c, item, "t_p", Seconds{0});
    page.source(schedule_source(order));
    if (order != PipelineOrder::fill_drain) {
        page.formula(page.prefix(0, {.accumulation = true, .count = true}) + "k")
            .follow("k", "longest chain of work, one micro-step", chain_item(0));
    } else {
        page.follow("t_l", "forward and backward of all stages", Topic::all_layers);
        if (within) page.follow("t_x", "messages within the stages", at_index(Topic::communication, 2));
        page.prefix(0, {.micro_batches = true});
        const std::string work = within ? "t_l + t_x" : "t_l";
        if (c.micro_batches() == 1)
            page.formula(work).note(
                "One batch at a time: the stages work one after the other, and only one of them is ever busy.");
        else
            page.formula('(' + work + " + (M - 1)*(t_f + t_b))/M")
                .follow("t_f", "longest forward of a stage", longest_stage(c, Pass::forward))
                .follow("t_b", "longest backward of a stage", longest_stage(c, Pass::grad_input))
                .note(
                    "The first micro-batch passes through every stage; each further one adds the time of the longest "
                    "stage, forward and backward.");
    }
    return page.formula(" + t_c")
        .follow("t_c", "transfers waited for", at_index(Topic::communication, within ? 1 : -1))
        .evaluated();
}

/// Transfers between stages: index 0 forward, 1 backward, -1 both.
std::vector<Term> border_terms(const Context& c, int index) {
    return message_terms(c, Topic::message, [&](const MessageEstimate& m) {
        return m.when == When::at_border && (index < 0 || m.forward == (index == 0));
    });
}

/// Links carry one micro-batch at a time: where a transfer takes longer than every stage, the stages wait for it again
/// and again.
Page border_exposed_page(const Context& c, const Item& item) {
    const PipelineOrder order = c.estimate.schedule.order;
    Page page(c, item, "y", Seconds{0});
    if (order != PipelineOrder::fill_drain)
        return page.formula("max(0, l - k)")
            .follow("l", "longest chain", chain_item(1))
            .follow("k", "longest chain of work", chain_item(0))
            .note("What infinitely fast links would save.")
            .source(schedule_source(order))
            .evaluated();
    const bool forward = item.index == 0;
    const auto terms = in_order(border_terms(c, item.index));
    page.source("Fill and drain: Huang et al., GPipe, NeurIPS 2019; a link carries one micro-batch at a time")
        .formula("i")
        .follow("i", "transfers of one micro-batch", at_index(Topic::border_transfers, item.index));
    if (c.micro_batches() == 1 || terms.empty()) return page.evaluated();
    return page.follow("l", "longest transfer", terms[0].item)
        .follow("t_s", forward ? "longest forward of a stage, whole step" : "longest backward of a stage, whole step",
                longest_stage(c, forward ? Pass::forward : Pass::grad_input))
        .formula(" + (M - 1)*max(0, l - t_s" + page.over(0, per_micro_batch) + ")")
        .note("What a transfer takes longer than the longest stage is waited for with each further micro-batch.")
        .evaluated();
}

/// For the gradients of the stage that is done last.
Page stage_wait_page(const Context& c, const Item& item) {
    double waited = 0;
    int stage = 0;
    for (const MessageEstimate& m : c.estimate.messages) {
        if (!m.after_stage() || m.exposed.value <= 0) continue;
        waited += m.exposed.value / c.count(m.part);
        stage = c.row(m.part, m.layers.front()).stage;
    }
    const StageSchedule& schedule = c.estimate.schedule;
    const bool drained = schedule.order == PipelineOrder::fill_drain;
    const double own = schedule.done[static_cast<std::size_t>(stage)], last = schedule.end;
    Page page(c, item, "y", Seconds{waited});
    page.give({"e", "end of the last backward pass of stage " + std::to_string(stage + 1), Seconds{own},
               fields::micro_batches, c.computing()})
        .give({"x", "its gradients after that", Seconds{waited + last - own}, fields::overlap, c.sending()});
    if (own != last)
        page.give({"e_1", drained ? "end of stage 1, the last one" : "end of all stages", Seconds{last},
                   fields::micro_batches, c.computing()});
    return page.formula(own != last ? "e + x - e_1" : "e + x - e")
        .note(drained ? "Counted from the start of the backward pass of the last micro-step."
                      : "Counted from the start of the last micro-step.")
        .source("Stages end one after the other; all update their weights together");
}

/// Micro-batches whose activations a stage holds at once.
Page in_flight_page(const Context& c, const Item& item) {
    const PipelineOrder order = c.estimate.schedule.order;
    const LayerRun& run = run_of(c, item.index);
    Page page(c, item, "q", run.kept_samples / run.samples);
    page.source(schedule_source(order));
    if (c.micro_batches() == 1) return page.formula("1").fact("micro-batches", "1", fields::micro_batches);
    page.prefix(0, {.micro_batches = true});
    if (order == PipelineOrder::fill_drain || order == PipelineOrder::breadth_first)
        return page.formula("M").note("All micro-batches are on the way at once.");
    const bool ahead = order == PipelineOrder::one_f_one_b, first = !ahead || item.index == 0;
    if (!ahead && order != PipelineOrder::zero_bubble)
        return page.formula("min(m, M)")
            .give({"m", "sets of activations of this stage, counted along the schedule", page.result(), fields::order})
            .note("When its device holds most.");
    page.formula("min(M, " + page.degree(MeshAxis::pipeline) + (first ? ")" : " - s)"));
    if (!first) page.give({"s", "stages before it", item.index, fields::boundaries});
    return page.note(ahead ? "Each stage is one micro-batch ahead of the next one when backward passes begin."
                           : "A set is kept until the gradients of its weights are computed.");
}

Page micro_batches_page(const Context& c, const Item& item) {
    Page page(c, item, "M", c.micro_batches());
    page.source("As many as the samples of a micro-step fill");
    if (!c.staged()) return page.formula("1").fact("workers", "no stages", fields::workers);
    return page.formula("ceil(S/b)")
        .samples("S", "samples of a micro-step", c.one_replica() ? 1 : 0)
        .samples("b", "samples of a micro-batch", 2);
}

}  // namespace

std::int64_t pieces_on_chain(const Context& c, const Item& item) {
    const PipelineChain& chain = item.level == 0 ? c.estimate.schedule.chain_of_work : c.estimate.schedule.chain;
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

const char* schedule_source(PipelineOrder order) {
    switch (order) {
        case PipelineOrder::fill_drain: return "Fill and drain: Huang et al., GPipe, NeurIPS 2019";
        case PipelineOrder::one_f_one_b: return "1F1B: Narayanan et al., PipeDream-Flush, ICML 2021";
        case PipelineOrder::interleaved: return "Interleaved 1F1B: Narayanan et al., Megatron-LM, SC 2021";
        case PipelineOrder::breadth_first:
            return "Breadth-first: Lamy-Poirier, Breadth-First Pipeline Parallelism, MLSys 2023";
        default: return "Zero bubble, ZB-H1: Qi et al., ICLR 2024";
    }
}

Page stage_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::stage:
            return sum_page(c, item, item.pass == Pass::forward ? "t_f" : "t_b", stage_terms(c, item.index, item.pass),
                            {})
                .source("Layers of the stage, all micro-batches of the step");
        case Topic::border_transfers: {
            const auto terms = border_terms(c, item.index);
            Page page = sum_page(c, item, "i", terms, {"transfers"});
            if (in_order(terms).empty()) page.note("Nothing moves between the stages in this direction.");
            return page.source("Transfers of one micro-batch over all borders");
        }
        case Topic::chain:
            return sum_page(c, item, item.level == 0 ? "k" : "l", chain_terms(c, item.level), {"pieces"})
                .note(item.level == 0 ? "The longest row of passes that wait for each other, if messages took no time."
                                      : "The longest row of passes and messages that wait for each other.")
                .source(schedule_source(c.estimate.schedule.order));
        case Topic::micro_batches: return micro_batches_page(c, item);
        case Topic::border_exposed: return border_exposed_page(c, item);
        case Topic::chain_piece: return chain_piece_page(c, item);
        case Topic::in_flight: return in_flight_page(c, item);
        case Topic::stage_wait: return stage_wait_page(c, item);
        default: return pipeline_page(c, item);
    }
}

}  // namespace scalescope::explaining
