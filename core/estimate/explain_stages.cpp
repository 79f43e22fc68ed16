// SPDX-License-Identifier: GPL-3.0-or-later
// Split by layers: stages that work one after the other, and micro-batches that let them work together.
#include <algorithm>

#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

/// Layers of a stage: each run of a pipeline is one.
const LayerRun& run_of(const Context& c, int stage) { return c.estimate.runs[static_cast<std::size_t>(stage)]; }

/// One pass of a stage, all micro-batches of the step. Backward is grad_input, with the gradients of weights unless the
/// schedule splits them off.
std::vector<Term> stage_terms(const Context& c, int stage, Pass pass) {
    const bool split = splits_backward(c.estimate.schedule.order);
    const LayerRun& run = run_of(c, stage);
    std::vector<Term> terms;
    for (int l = run.from; l < run.to; ++l) {
        const LayerEstimate& r = c.row(run.part, l);
        const bool whole = pass == Pass::grad_input && !split;
        Item item{whole ? Topic::layer_backward : Topic::layer_pass, run.part, l};
        if (!whole) item.pass = pass;
        const Seconds time = whole                      ? r.backward()
                             : pass == Pass::forward    ? r.forward
                             : pass == Pass::grad_input ? r.grad_input
                                                        : r.grad_weights;
        terms.push_back({c.layer_name(run.part, l), time.value, item});
    }
    for (std::size_t i = 0; i < c.estimate.messages.size() && pass != Pass::grad_weights; ++i) {
        const MessageEstimate& m = c.estimate.messages[i];
        const int layer = m.layers.empty() ? -1 : m.layers.front();
        if (!m.within_stage() || m.forward != (pass == Pass::forward) || layer < run.from || layer >= run.to) continue;
        Item item{Topic::message_exposed, m.part};
        item.message = static_cast<int>(i);
        terms.push_back({message_name(c, m), m.exposed.value, item});
    }
    return terms;
}

Item stage_item(int index, Pass pass) {
    Item item{Topic::stage};
    item.index = index;
    item.pass = pass;
    return item;
}
double stage_time(const Context& c, int stage, Pass pass) { return rest_of(stage_terms(c, stage, pass), 0); }

int largest_stage(const Context& c, Pass pass) {
    int best = 0;
    double most = -1;
    for (int s = 0; s < c.stage_count(); ++s)
        if (const double t = stage_time(c, s, pass); t > most) most = t, best = s;
    return best;
}

/// Executions of a stage in a step, as a divisor: "/(a*M*c)".
std::string of_one_micro_batch(Page& page) {
    std::string divisor = page.prefix(0, {.accumulation = true, .count = true, .micro_batches = true});
    if (divisor.empty()) return {};
    divisor.pop_back();
    return divisor.find('*') == std::string::npos ? '/' + divisor : "/(" + divisor + ')';
}
double executions(const Context& c) { return c.accumulation() * c.count(0) * static_cast<double>(c.micro_batches()); }

/// The pieces of the longest chain: `level` 0 if no message took any time, 1 as it is.
std::vector<Term> chain_terms(const Context& c, int level) {
    const StageSchedule& schedule = c.estimate.schedule;
    const PipelineChain& chain = level == 0 ? schedule.chain_of_work : schedule.chain;
    std::vector<Term> terms;
    Item item{Topic::chain_piece};
    item.level = level;
    for (const Pass pass : all_passes)
        for (std::size_t k = 0; k < chain[index_of(pass)].size(); ++k) {
            const auto times = static_cast<double>(chain[index_of(pass)][k]);
            if (times == 0) continue;
            item.index = static_cast<int>(k), item.pass = pass;
            terms.push_back({short_name(c, item), times * stage_time(c, item.index, pass) / executions(c), item});
        }
    for (std::size_t i = 0; i < c.estimate.messages.size(); ++i) {
        const MessageEstimate& m = c.estimate.messages[i];
        if (m.when != When::at_border) continue;
        Item sent{Topic::chain_piece, m.part};
        sent.level = level, sent.message = static_cast<int>(i);
        const auto times = static_cast<double>(pieces_on_chain(c, sent));
        if (times == 0) continue;
        terms.push_back({message_name(c, m), times * m.each.value, sent});
    }
    return terms;
}

Page chain_page(const Context& c, const Item& item) {
    const auto terms = chain_terms(c, item.level);
    Page page(c, item, item.level == 0 ? "k" : "l", title_of(c, item), rest_of(terms, item.from), Measure::seconds);
    page.formula(page.sum(terms, Measure::seconds, weaker(c.computing(), c.sending()), "pieces"));
    page.note(item.level == 0 ? "The longest row of passes that wait for each other, if messages took no time."
                              : "The longest row of passes and messages that wait for each other.");
    return page.source(schedule_source(c.estimate.schedule.order));
}

Page chain_piece_page(const Context& c, const Item& item) {
    const double times = static_cast<double>(pieces_on_chain(c, item));
    if (item.message >= 0) {
        const MessageEstimate& m = c.message(item.message);
        Page page(c, item, "x", title_of(c, item), times * m.each.value, Measure::seconds);
        Item one{Topic::message, m.part};
        one.message = item.message;
        page.field("m", "times on the longest chain", times, Measure::count, fields::order)
            .link("t", "time of one", m.each.value, Measure::seconds, one, c.sending());
        return page.formula("m*t").source(schedule_source(c.estimate.schedule.order));
    }
    const double all = stage_time(c, item.index, item.pass);
    Page page(c, item, "x", title_of(c, item), times * all / executions(c), Measure::seconds);
    page.field("m", "times on the longest chain", times, Measure::count, fields::order)
        .link("t_s", "this pass of the stage, whole step", all, Measure::seconds, stage_item(item.index, item.pass),
              c.computing());
    return page.formula("m*t_s" + of_one_micro_batch(page)).source(schedule_source(c.estimate.schedule.order));
}

/// The schedule as it was stepped through.
Page stepped_page(const Context& c, const Item& item) {
    double within = 0, sent = 0;
    for (const MessageEstimate& x : c.estimate.messages) (x.within_stage() ? within : sent) += x.exposed.value;
    Item chain{Topic::chain};
    const double work = rest_of(chain_terms(c, 0), 0);
    Page page(c, item, "t_p", title_of(c, item), c.accumulation() * c.count(0) * work + sent, Measure::seconds);
    page.formula(page.prefix(0, {.accumulation = true, .count = true}) + "k + t_c");
    page.link("k", "longest chain of work, one micro-step", work, Measure::seconds, chain, c.computing());
    Item between{Topic::communication};
    between.index = within > 0 ? 1 : -1;
    page.link("t_c", "transfers waited for", sent, Measure::seconds, between, c.sending());
    return page.source(schedule_source(c.estimate.schedule.order));
}

Page pipeline_page(const Context& c, const Item& item) {
    if (c.estimate.schedule.order != PipelineOrder::fill_drain) return stepped_page(c, item);
    const double m = static_cast<double>(c.micro_batches());
    const int f = largest_stage(c, Pass::forward), b = largest_stage(c, Pass::grad_input);
    const double forward = stage_time(c, f, Pass::forward), backward = stage_time(c, b, Pass::grad_input);
    double all = 0;
    for (const auto& r : c.estimate.layers) all += r.forward.value + r.backward().value;
    double within = 0, sent = 0;
    for (const MessageEstimate& x : c.estimate.messages) (x.within_stage() ? within : sent) += x.exposed.value;
    Page page(c, item, "t_p", title_of(c, item), (all + within + (m - 1) * (forward + backward)) / m + sent,
              Measure::seconds);
    page.source(schedule_source(PipelineOrder::fill_drain));
    page.link("t_l", "forward and backward of all stages", all, Measure::seconds, Item{Topic::all_layers},
              c.computing());
    const std::string work = within > 0 ? "t_l + t_x" : "t_l";
    if (within > 0) {
        Item messages{Topic::communication};
        messages.index = 2;
        page.link("t_x", "messages within the stages", within, Measure::seconds, messages, c.sending());
    }
    if (c.micro_batches() == 1) {
        page.formula(work + " + t_c")
            .note("One batch at a time: the stages work one after the other, and only one of them is ever busy.");
    } else {
        page.formula('(' + work + " + (M - 1)*(t_f + t_b))/M + t_c");
        page.prefix(0, {.micro_batches = true});
        page.link("t_f", "longest forward of a stage", forward, Measure::seconds, stage_item(f, Pass::forward),
                  c.computing());
        page.link("t_b", "longest backward of a stage", backward, Measure::seconds, stage_item(b, Pass::grad_input),
                  c.computing());
        page.note(
            "The first micro-batch passes through every stage; each further one adds the time of the longest stage, "
            "forward and backward.");
    }
    Item between{Topic::communication};
    between.index = within > 0 ? 1 : -1;
    page.link("t_c", "transfers waited for", sent, Measure::seconds, between, c.sending());
    return page;
}

/// Transfers between stages: index 0 forward, 1 backward, -1 both.
std::vector<Term> border_terms(const Context& c, int index) {
    std::vector<Term> terms;
    for (std::size_t i = 0; i < c.estimate.messages.size(); ++i) {
        const MessageEstimate& m = c.estimate.messages[i];
        if (m.message != Message::point_to_point || (index >= 0 && m.forward != (index == 0))) continue;
        Item item{Topic::message, m.part};
        item.message = static_cast<int>(i);
        terms.push_back({message_name(c, m), m.each.value, item});
    }
    return terms;
}

/// Links carry one micro-batch at a time: where a transfer takes longer than every stage, the stages wait for it again
/// and again.
Page border_exposed_page(const Context& c, const Item& item) {
    if (c.estimate.schedule.order != PipelineOrder::fill_drain) {
        const double all = rest_of(chain_terms(c, 1), 0), work = rest_of(chain_terms(c, 0), 0);
        Page page(c, item, "y", title_of(c, item), std::max(0.0, all - work), Measure::seconds);
        Item with{Topic::chain}, without{Topic::chain};
        with.level = 1;
        page.link("l", "longest chain", all, Measure::seconds, with, weaker(c.computing(), c.sending()))
            .link("k", "longest chain of work", work, Measure::seconds, without, c.computing());
        return page.formula("max(0, l - k)")
            .note("What infinitely fast links would save.")
            .source(schedule_source(c.estimate.schedule.order));
    }
    const Pass pass = item.index == 0 ? Pass::forward : Pass::grad_input;
    const auto terms = in_order(border_terms(c, item.index));
    const int slowest = largest_stage(c, pass);
    const double stage = stage_time(c, slowest, pass), all = rest_of(terms, 0),
                 more = static_cast<double>(c.micro_batches() - 1);
    const double longest = terms.empty() ? 0 : terms[0].value;
    Page page(c, item, "y", title_of(c, item), all + more * std::max(0.0, longest - stage / executions(c)),
              Measure::seconds);
    page.source("Fill and drain: Huang et al., GPipe, NeurIPS 2019; a link carries one micro-batch at a time");
    Item transfers{Topic::border_transfers};
    transfers.index = item.index;
    page.link("i", "transfers of one micro-batch", all, Measure::seconds, transfers, c.sending());
    if (more == 0 || terms.empty()) return page.formula("i");
    page.link("l", "longest transfer", longest, Measure::seconds, terms[0].item, c.sending());
    page.link(
        "t_s",
        pass == Pass::forward ? "longest forward of a stage, whole step" : "longest backward of a stage, whole step",
        stage, Measure::seconds, stage_item(slowest, pass), c.computing());
    return page.formula("i + (M - 1)*max(0, l - t_s" + of_one_micro_batch(page) + ")")
        .note("What a transfer takes longer than the longest stage is waited for with each further micro-batch.");
}

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
    Page page(c, item, "y", title_of(c, item), waited, Measure::seconds);
    page.field("e", "end of the last backward pass of stage " + std::to_string(stage + 1), own, Measure::seconds,
               fields::micro_batches, c.computing());
    page.field("x", "its gradients after that", waited + last - own, Measure::seconds, fields::overlap, c.sending());
    if (own != last)
        page.field("e_1", drained ? "end of stage 1, the last one" : "end of all stages", last, Measure::seconds,
                   fields::micro_batches, c.computing());
    return page.formula(own != last ? "e + x - e_1" : "e + x - e")
        .note(drained ? "Counted from the start of the backward pass of the last micro-step."
                      : "Counted from the start of the last micro-step.")
        .source("Stages end one after the other; all update their weights together");
}

/// Micro-batches whose activations a stage holds at once.
Page in_flight_page(const Context& c, const Item& item) {
    const StageSchedule& schedule = c.estimate.schedule;
    const LayerRun& run = run_of(c, item.index);
    Page page(c, item, "q", title_of(c, item), run.kept_samples / run.samples, Measure::count);
    page.source(schedule_source(schedule.order));
    if (c.micro_batches() == 1) return page.formula("1").fact("micro-batches", "1", fields::micro_batches);
    page.prefix(0, {.micro_batches = true});
    switch (schedule.order) {
        case PipelineOrder::fill_drain: return page.formula("M").note("All micro-batches are on the way at once.");
        case PipelineOrder::interleaved:
            return page
                .field("m", "sets of activations of this stage, counted along the schedule", page.result(),
                       Measure::count, fields::order)
                .formula("min(m, M)")
                .note("When its device holds most.");
        case PipelineOrder::one_f_one_b:
            page.note("Each stage is one micro-batch ahead of the next one when backward passes begin.");
            if (item.index == 0) return page.formula("min(M, " + page.degree(MeshAxis::pipeline) + ")");
            return page.formula("min(M, " + page.degree(MeshAxis::pipeline) + " - s)")
                .field("s", "stages before it", item.index, Measure::count, fields::boundaries);
        default:
            return page.formula("min(M, " + page.degree(MeshAxis::pipeline) + ")")
                .note("A set is kept until the gradients of its weights are computed.");
    }
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
        for (stage = 0; c.estimate.runs[static_cast<std::size_t>(stage)].to != border;) ++stage;
    }
    if (stage < 0 || static_cast<std::size_t>(stage) >= chain[kind].size()) return 0;
    return chain[kind][static_cast<std::size_t>(stage)];
}

const char* schedule_source(PipelineOrder order) {
    switch (order) {
        case PipelineOrder::fill_drain: return "Fill and drain: Huang et al., GPipe, NeurIPS 2019";
        case PipelineOrder::one_f_one_b: return "1F1B: Narayanan et al., PipeDream-Flush, ICML 2021";
        case PipelineOrder::interleaved: return "Interleaved 1F1B: Narayanan et al., Megatron-LM, SC 2021";
        default: return "Zero bubble, ZB-H1: Qi et al., ICLR 2024";
    }
}

Page stage_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::stage: {
            const auto terms = stage_terms(c, item.index, item.pass);
            Page page(c, item, item.pass == Pass::forward ? "t_f" : "t_b", title_of(c, item), rest_of(terms, item.from),
                      Measure::seconds);
            page.formula(page.sum(terms, Measure::seconds, c.computing(), "layers"));
            if (in_order(terms).empty()) page.fact("network", c.part(0).network->name(), fields::workload);
            return page.source("Layers of the stage, all micro-batches of the step");
        }
        case Topic::micro_batches: {
            Page page(c, item, "M", title_of(c, item), static_cast<double>(c.micro_batches()), Measure::count);
            page.source("As many as the samples of a micro-step fill");
            if (!c.staged()) return page.formula("1").fact("workers", "no stages", fields::workers);
            return page.formula("ceil(S/b)")
                .samples("S", "samples of a micro-step", c.one_replica() ? 1 : 0)
                .samples("b", "samples of a micro-batch", 2);
        }
        case Topic::border_transfers: {
            const auto terms = border_terms(c, item.index);
            Page page(c, item, "i", title_of(c, item), rest_of(terms, item.from), Measure::seconds);
            page.formula(page.sum(terms, Measure::seconds, c.sending(), "transfers"));
            if (in_order(terms).empty())
                page.note("Nothing moves between the stages in this direction.")
                    .fact("network", c.part(0).network->name(), fields::workload);
            return page.source("Transfers of one micro-batch over all borders");
        }
        case Topic::border_exposed: return border_exposed_page(c, item);
        case Topic::chain: return chain_page(c, item);
        case Topic::chain_piece: return chain_piece_page(c, item);
        case Topic::in_flight: return in_flight_page(c, item);
        case Topic::stage_wait: return stage_wait_page(c, item);
        default: return pipeline_page(c, item);
    }
}

}  // namespace scalescope::explaining
