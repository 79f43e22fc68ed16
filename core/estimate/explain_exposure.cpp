// SPDX-License-Identifier: GPL-3.0-or-later
// What of a message is waited for, and what hides behind work.
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/estimate/step.hpp"
#include "core/parallel/context.hpp"
#include "core/scenario/names.hpp"
#include "core/schedule/buckets.hpp"

namespace scalescope::explaining {
namespace {

constexpr const char* bucket_source =
    "Buckets in the order of the backward pass: Li et al., PyTorch Distributed, VLDB 2020";

/// How often the message is sent in a step; `waited`: how often it is waited for, as transfers between stages are once
/// for all micro-batches and those at a cut once for all slices.
Page::Repeat repeat_of(const MessageEstimate& m, bool waited) {
    if (m.gradients && !m.every_pass) return {.count = true};
    return {true, true, !waited || m.when != When::at_cut, m.within_stage() || (!waited && m.when == When::at_border),
            m.successive};
}

/// What of a message may hide, and what hiding costs: of gradients all-reduced under the backward pass.
Hiding hiding_of(const Context& c, const MessageEstimate& m) {
    if (!m.gradients || m.weights || m.axis != MeshAxis::data) return {};
    return scalescope::hiding_of(c.plan, m.algorithm, m.over_groups ? 1 : m.group.ranks);  // copied once
}
/// The share of `time` that may hide.
std::string hiding_text(const Hiding& hiding, const std::string& time) {
    return hiding.share == 1 ? time : time + "/2";
}
Seconds end_of(const Context& c, const MessageEstimate& m) { return m.start + m.each * hiding_of(c, m).share; }

/// Seconds of copying the message's gradients in and out, to be added; without copies an empty text.
std::string copies_text(Page& page, const MessageEstimate& m) {
    if (hiding_of(page.context(), m).copying <= 0) return {};
    page.give({"k", "times that a byte is read or written", 4, fields::copies})
        .give({"S", "bytes of the gradients", m.bytes, Topic::message_bytes})
        .device_memory()
        .note("Gradients are copied into the buffer that travels, and back out of it; meanwhile nothing is computed.");
    return " + k*S/(W*e_m)";
}

Page& time_of_one(Page& page, const MessageEstimate& m) {
    return page.give({"t", "time of one", m.each, Topic::message});
}
/// The message that takes the link before this one.
Page& time_before(Page& page, const MessageEstimate& m, const char* text) {
    return page.give(
        {"t_1", text, page.context().message(m.before).each, of_message(Topic::message, m.part, m.before)});
}

/// Where every micro-batch sends its gradients: the stage that sends this message.
int stage_sending(const Context& c, int message) {
    if (message < 0) return -1;
    const MessageEstimate& m = c.message(message);
    return m.every_pass && c.staged() ? c.stage_of(m.layers.front()) : -1;
}

/// The backward pass from the layer `from` on, of one micro-step (of one micro-batch where each sends its gradients)
/// and one of the network's turns, without the time in which weights are gathered: gradients then wait for the link.
Page backward_page(const Context& c, const Item& item, int from, const char* symbol) {
    const int p = item.part, stage = stage_sending(c, item.message);
    int to = 0;  // layers whose gradients are exchanged: those of which every worker has all
    for (const LayerRun& run : c.estimate.runs)
        if (run.part == p && !(c.hybrid() && run.shared)) to = run.to;
    std::vector<Term> terms;
    double gathers = 0;
    for (int l = from; l < to; ++l) {
        if (stage >= 0 && c.stage_of(l) != stage) continue;
        terms.push_back(layer_term(c, c.row(p, l), Topic::layer_backward));
        gathers += c.row(p, l).gathers.value;
    }
    const Page::Repeat repeat{.accumulation = true, .count = true, .micro_batches = stage >= 0};
    const double often = stage >= 0 ? c.executions(p) : c.accumulation() * c.count(p),
                 whole = rest_of(terms, 0) / often;
    if (item.from == 0 && gathers > 0 && whole - gathers <= 1e-12 * whole)
        return Page(c, item, symbol, Seconds{0})
            .nothing("Until then weights are gathered all the time: gradients wait for the link.", "sharded states",
                     std::string(choice_name(c.estimate.states.sharded)), fields::sharded)
            .source(sharded_source);
    const auto rest = [&](Page& page) {
        if (often != 1)
            page.note(
                c.estimate.states.of_gradients() > 1
                    ? "The layers' times are those of a whole step."
                    : "The layers' times are those of a whole step; gradients go out in the last micro-step only.");
        std::string text = page.over(p, repeat);
        if (gathers <= 0) return text;
        page.note("While weights are gathered, gradients wait for the link.");
        return text + " - " +
               page.joined({{"t_g", "gathers of weights meanwhile", Seconds{gathers}, fields::sharded, c.sending()}});
    };
    return sum_page(c, item, symbol, terms, {.whole = Seconds{whole - gathers}, .after = rest})
        .source("Backward pass, from the last layer to the first");
}

/// Work beside which a message travels, once: of layers, or the passes of its own.
Page beside_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    const bool own = m.when == When::beside_layer;
    std::vector<Term> terms;
    const auto pass = [&](Pass p) {
        Term term = layer_term(c, c.row(m.part, m.first), Topic::layer_pass, p);
        term.name = word_for(p);
        if (term.value > 0) terms.push_back(std::move(term));
    };
    if (own && (m.forward || m.again)) pass(Pass::forward);
    if (own && !m.forward && !m.again) pass(Pass::grad_input), pass(Pass::grad_weights);
    for (int l = m.beside_from; l < m.beside_to && !own; ++l)
        terms.push_back(layer_term(c, c.row(m.part, l), m.forward ? Topic::layer_pass : Topic::layer_backward));
    const auto rest = [&](Page& page) {
        if (in_order(terms).empty()) return std::string();
        if (c.executions(m.part) != 1) page.note("The layers' times are those of a whole step.");
        return page.over(m.part, {.accumulation = true, .count = true, .micro_batches = true});
    };
    return sum_page(c, item, "t_w", terms, {.whole = Seconds{rest_of(terms, 0) / c.executions(m.part)}, .after = rest})
        .source(own ? context_row(c.plan.parallelism.context_scheme).source : sharded_source);
}

/// Why nothing hides a message, if nothing does.
struct Reason {
    const char* note;
    std::string_view source;
};
std::optional<Reason> why_waited(const Context& c, const MessageEstimate& m) {
    if (m.weights && m.gradients)
        return Reason{"The next step needs the updated weights: nothing hides it.", sharded_source};
    if (m.weights && m.beside_from == m.beside_to)
        return Reason{"No layer computes before this one: nothing hides it.", sharded_source};
    if (m.gradients && m.axis == MeshAxis::pipeline)
        return Reason{"Sent when all stages are done: nothing hides it.",
                      "All-reduce of shared weights between stages, as Megatron-LM does for tied embeddings"};
    if (m.gradients && c.staged() && !m.every_pass) return std::nullopt;
    if (m.gradients && m.axis == MeshAxis::tensor)
        return Reason{"Sent after the backward pass: nothing hides it.",
                      "Workers of the tensor axis that hold the same weights have a summand each"};
    if (m.gradients && !m.weights && c.plan.parallelism.overlap == Overlap::off)
        return Reason{"Sent after the backward pass: nothing hides it.", "No overlap, as in PALEO"};
    if (m.gradients || m.weights || m.when == When::beside_layer) return std::nullopt;
    if (m.when == When::at_border)
        return Reason{
            c.micro_batches() > 1
                ? "Only the first micro-batch's transfer is waited for; the others pass while the stages work, "
                  "none of which is quicker than a transfer."
                : "",
            "Fill and drain: Huang et al., GPipe, NeurIPS 2019"};
    if (m.axis == MeshAxis::context && m.carries != Carried::output)
        return Reason{"The attention cannot begin, or go on, without it.",
                      context_row(c.plan.parallelism.context_scheme).source};
    if (m.carries == Carried::halo)
        return Reason{"The rows next to those of other workers cannot be computed without it.", halo_source};
    if (m.of_positions()) return Reason{"The experts, or the next layer, cannot begin without it.", expert_source};
    return Reason{"The next layer cannot begin without it.", "Split by outputs: nothing to do in the meantime"};
}

/// Beside the work of its own layer, or of those before the one whose weights it gathers.
Page& beside_text(Page& page, const MessageEstimate& m, const std::string& prefix) {
    const Context& c = page.context();
    const bool own = m.when == When::beside_layer;
    time_of_one(page, m).follow("t_w", own ? "work of the layer meanwhile" : "work of the layers before",
                                Topic::work_beside);
    if (own) {
        const std::string n = page.degree(MeshAxis::context);
        return page.formula(prefix + "max(0, t - (" + n + " - 1)/" + n + "*t_w)")
            .note(
                "Each piece travels while the layer works on the one before it: of as many steps as there are pieces, "
                "the first needs no message.")
            .source(context_row(c.plan.parallelism.context_scheme).source);
    }
    page.source(sharded_source);
    if (m.before < 0)
        return page.formula(prefix + "max(0, t - t_w)")
            .note("The weights of a layer are gathered while the layer before it computes.");
    return time_before(page, m, "the layer's other weights")
        .formula(prefix + "max(0, t - max(0, t_w - t_1))")
        .note("The weights of a layer are gathered while the layer before it computes, experts last.");
}

/// Gradients under the backward pass: the share that may hide, what comes after the pass, and what hiding costs.
Page& under_backward(Page& page, const MessageEstimate& m, const std::string& prefix) {
    const Context& c = page.context();
    const Hiding hiding = hiding_of(c, m);
    const bool perfect = c.plan.parallelism.overlap == Overlap::perfect;
    const std::string sent = hiding_text(hiding, "t");
    std::string outside = "max(0, e - max(s, t_b))";
    if (m.over_groups || perfect || hiding.share != 1 || hiding.interference > 0) time_of_one(page, m);
    if (m.over_groups) {
        outside = "max(0, e - max(0, e - " + sent + "))";
        page.give(
                {"e", "its end, after all other messages of the gradients", end_of(c, m), fields::overlap, c.sending()})
            .note(
                "Shards are added up over the groups of replicas while neither weights nor gradients travel within "
                "them.");
    } else if (!perfect) {
        page.give({"e", "its end", end_of(c, m), Topic::message_end})
            .give({"s", "its start", m.start, Topic::message_start});
    } else if (m.before < 0) {
        outside = "max(0, " + sent + " - t_b)";
    } else {
        time_before(page, m, "the message before");
        outside = "max(0, " + sent + " - max(0, t_b - " + hiding_text(hiding, "t_1") + "))";
    }
    Item window{Topic::backward_window, m.part};
    if (stage_sending(c, page.item().message) >= 0) window.message = page.item().message;
    if (!m.over_groups) page.follow("t_b", "backward it may hide behind", window);
    std::string text = outside;
    if (hiding.share != 1) {
        text += " + t/2";
        page.note("The weights come back before the next step: nothing hides that half.");
    }
    if (hiding.interference > 0)
        text += " + " +
                page.joined({{"sigma", "share of hidden time that the backward pass takes longer",
                              Fraction{hiding.interference}, fields::interference}}) +
                "*(" + sent + " - " + outside + ')';
    text += copies_text(page, m);
    return page.formula(text == outside || prefix.empty() ? prefix + text : prefix + '(' + text + ')')
        .source(perfect ? "Perfect overlap: all of it hides that fits under the backward pass" : bucket_source);
}

/// Of what is waited for in all, the part of this message: "t*y/i".
Page& shared_out(Page& page, const MessageEstimate& m, const std::string& prefix, const char* text,
                 const Because& waited) {
    return time_of_one(page, m).follow("y", text, waited).formula(prefix + "t*y/");
}

/// Gradients after the stage that is done last.
Page& after_stage(Page& page, const MessageEstimate& m, const std::string& prefix) {
    const Context& c = page.context();
    Item wait{Topic::stage_wait, m.part};
    wait.message = page.item().message;
    double all = 0;
    for (const MessageEstimate& x : c.estimate.messages)
        if (x.after_stage() && x.exposed.value > 0) all += x.each.value;
    page.source("What a stage sends after its own backward pass, against the end of the first stage");
    const char* text = "waited for after the pipeline";
    if (std::abs(all - m.each.value) <= 1e-12 * all) return page.formula(prefix + "y").follow("y", text, wait);
    return shared_out(page, m, prefix, text, wait)
        .formula("i")
        .give({"i", "all such messages of its stage", Seconds{all}, fields::overlap, c.sending()});
}

Page& at_cut(Page& page, const MessageEstimate& m, const std::string& prefix) {
    const Context& c = page.context();
    const bool in = !cut_terms(c, true).empty(), out = !cut_terms(c, false).empty();
    shared_out(page, m, prefix, "waited for at the cut", Topic::cut_exposed)
        .formula(in && out ? "(i + o)"
                 : in      ? "i"
                           : "o")
        .note("What is waited for at the cut is shared out over the transfers there by their time.")
        .source("Krizhevsky, arXiv:1404.5997, 2014: a transfer hides behind the work on another slice");
    link_transfers(page, in, out);
    return page;
}

/// Which of the transfers between stages are waited for together, if they are not all waited for once.
std::optional<int> waited_together(const Context& c, const MessageEstimate& m) {
    if (m.when != When::at_border) return std::nullopt;
    if (c.estimate.schedule.order != PipelineOrder::fill_drain) return -1;
    const int way = m.forward ? 0 : 1;
    const bool slow =
        value_of(c, at_index(Topic::border_exposed, way)) > value_of(c, at_index(Topic::border_transfers, way));
    return slow && m.exposed.value > 0 ? std::optional(way) : std::nullopt;
}

Page exposed_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    Page page(c, item, "x", m.exposed);
    const bool after = m.after_stage() && c.staged();
    if (m.exposed.value <= 0 && m.gradients && m.weights)
        return page
            .nothing("The gather of another stage takes longer: the step does not wait for this one.", "sharded states",
                     std::string(choice_name(c.estimate.states.sharded)), fields::sharded)
            .source(sharded_source);
    if (m.exposed.value <= 0 && after)
        return page
            .nothing("Its stage is not the last to be done: the step does not wait for it.", "overlap with backward",
                     c.plan.parallelism.overlap == Overlap::off ? "off" : "on", fields::overlap)
            .source("Stages end one after the other, the first one last");
    const std::string prefix = page.prefix(m.part, repeat_of(m, true));
    if (m.again) page.note("Sent again because the backward pass recomputes the block of this layer.");
    if (after) return after_stage(page, m, prefix);
    if (m.when == When::at_cut && c.slices() > 1) return at_cut(page, m, prefix);
    if (const auto way = waited_together(c, m))
        return shared_out(page, m, prefix, "transfers waited for, one micro-step",
                          at_index(Topic::border_exposed, *way))
            .formula("i")
            .follow("i", "transfers of one micro-batch", at_index(Topic::border_transfers, *way))
            .note("What is waited for between the stages is shared out over the transfers by their time.")
            .source(schedule_source(c.estimate.schedule.order));
    if (const auto reason = why_waited(c, m)) {
        const std::string copies = copies_text(time_of_one(page, m), m);
        if (*reason->note) page.note(reason->note);
        return page.formula(prefix + (prefix.empty() ? "t" + copies : wrapped("t" + copies))).source(reason->source);
    }
    return m.gradients ? under_backward(page, m, prefix) : beside_text(page, m, prefix);
}

Page hidden_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    Page page(c, item, "h", m.hidden);
    page.source("What is not waited for");
    if (m.hidden.value <= 0 && m.gradients && c.staged())
        return page.nothing("Nothing of it hides.", "overlap with backward", "off", fields::overlap);
    const std::string prefix = page.prefix(m.part, repeat_of(m, false)), all = "t" + copies_text(page, m);
    page.formula((prefix.empty() ? all : prefix + wrapped(all)) + " - x");
    return time_of_one(page, m).give(
        {"x", "exposed", m.exposed, Topic::message_exposed, weaker(c.computing(), c.sending())});
}

/// On the clock of a backward pass: when the gradients are ready, the message starts, and ends.
Page clock_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    if (item.topic == Topic::message_ready)
        return backward_page(c, item, m.first, "t_r")
            .note("Ready when the backward pass has reached " + c.layer_name(m.part, m.first) + '.')
            .source(bucket_source);
    const auto of = [&](Topic t, int message) { return of_message(t, m.part, message); };
    if (item.topic == Topic::message_end) {
        Page page(c, item, "e", end_of(c, m));
        page.formula("s + " + hiding_text(hiding_of(c, m), "t"))
            .give({"s", "its start", m.start, of(Topic::message_start, item.message)})
            .source(bucket_source);
        return time_of_one(page, m);
    }
    Page page(c, item, "s", m.start);
    page.formula(m.before < 0 ? "t_r" : "max(t_r, e)")
        .follow("t_r", "gradients ready", of(Topic::message_ready, item.message))
        .source(bucket_source);
    if (m.before >= 0)
        page.give({"e", "end of the message before", end_of(c, c.message(m.before)), of(Topic::message_end, m.before)});
    return page.note(m.every_pass ? "On the clock of the backward pass of a micro-batch, one message at a time."
                                  : "On the clock of the last micro-step's backward pass, one message at a time.");
}

}  // namespace

Page exposure_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::message_exposed: return exposed_page(c, item);
        case Topic::message_hidden: return hidden_page(c, item);
        case Topic::work_beside: return beside_page(c, item);
        case Topic::backward_window: return backward_page(c, item, 0, "t_b");
        default: return clock_page(c, item);
    }
}

}  // namespace scalescope::explaining
