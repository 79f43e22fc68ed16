// SPDX-License-Identifier: GPL-3.0-or-later
// What of a message is waited for, and what hides behind work.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_cut.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/estimate/step.hpp"
#include "core/parallel/context.hpp"
#include "core/scenario/names.hpp"
#include "core/schedule/buckets.hpp"

namespace scalescope::explaining {
namespace {

constexpr const char* bucket_source =
    "Buckets in the order of the backward pass: Li et al., PyTorch Distributed, VLDB 2020";

constexpr const char* stage_source =
    "What a stage sends after its own backward pass, against the end of the first stage";

/// How often the message is sent in a step.
Page::Repeat repeat_of(const MessageEstimate& m) {
    if (m.gradients && !m.every_pass) return {.count = true};
    return {true, true, true, m.when == When::at_border || m.within_stage(), m.successive};
}

/// What of a message may hide, and what hiding costs: of gradients all-reduced under the backward pass.
Hiding hiding_of(const Context& c, const MessageEstimate& m) {
    if (!m.gradients || m.weights || m.axis != MeshAxis::data) return {};
    return scalescope::hiding_of(c.plan, m.algorithm, m.group.ranks);
}

/// Seconds of copying the message's gradients in and out, as a text; without copies an empty one.
std::string copies_text(Page& page, const MessageEstimate& m) {
    if (hiding_of(page.context(), m).copying <= 0) return {};
    page.field("k", "times that a byte is read or written", 4, Measure::count, fields::copies, Evidence::assumed);
    page.link("S", "bytes of the gradients", m.bytes.value, Measure::bytes,
              of_message(Topic::message_bytes, m.part, page.item().message));
    page.device_memory();
    page.note("Gradients are copied into the buffer that travels, and back out of it; meanwhile nothing is computed.");
    return "k*S/(W*e_m)";
}

std::string share_text(const Hiding& hiding, const std::string& time) { return hiding.share == 1 ? time : time + "/2"; }

void link_time(Page& page, const MessageEstimate& m) {
    page.link("t", "time of one", m.each.value, Measure::seconds,
              of_message(Topic::message, m.part, page.item().message), page.context().sending());
}

/// Layers [0, to) whose gradients are exchanged: those of which every worker has all.
int last_exchanged(const Context& c, int part) {
    int to = 0;
    for (const LayerRun& run : c.estimate.runs)
        if (run.part == part && !(c.hybrid() && run.shared)) to = run.to;
    return to;
}

/// Backward times of the layers [from, last_exchanged), of those in stage `stage` if there are any.
std::vector<Term> backward_terms(const Context& c, int part, int from, int stage) {
    std::vector<Term> terms;
    for (int l = from; l < last_exchanged(c, part); ++l)
        if (stage < 0 || c.stage_of(l) == stage)
            terms.push_back(
                {c.layer_name(part, l), c.row(part, l).backward().value, Item{Topic::layer_backward, part, l}});
    return terms;
}

/// Where every micro-batch sends its gradients: the stage that sends this message.
int stage_sending(const Context& c, int message) {
    if (message < 0) return -1;
    const MessageEstimate& m = c.message(message);
    return m.every_pass && c.staged() ? c.stage_of(m.layers.front()) : -1;
}

/// Seconds of one backward pass, over the layers from `from` on (of the stage, if there are any), in which weights are
/// gathered: gradients wait for the link.
double gathering(const Context& c, int part, int from, int stage) {
    const double often = c.accumulation() * c.count(part) * static_cast<double>(c.micro_batches());
    double sum = 0;
    const auto& messages = c.estimate.messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const MessageEstimate& m = messages[i];
        if (m.when != When::before_layer || m.forward || m.part != part) continue;
        if (stage >= 0 && c.stage_of(m.first) != stage) continue;
        double hidden = m.hidden.value / static_cast<double>(m.times);
        bool waited = m.exposed.value > 0;
        // What all replicas have of a layer and its experts come one after the other.
        if (i + 1 < messages.size() && messages[i + 1].when == m.when && messages[i + 1].first == m.first &&
            messages[i + 1].forward == m.forward) {
            hidden += messages[++i].hidden.value / static_cast<double>(m.times);
            waited = waited || messages[i].exposed.value > 0;
        }
        for (int l = m.beside_to; l-- > m.beside_from;) {
            const double all = c.row(part, l).backward().value / often;
            const double taken = waited ? all : std::min(hidden, all);
            hidden -= taken;
            if (l >= from) sum += taken;
        }
    }
    return sum;
}

/// Sum of backward times, of one micro-step (of one micro-batch where each sends its gradients) and one of the
/// network's turns.
Page backward_page(const Context& c, const Item& item, int part, int from, const char* symbol) {
    const int stage = stage_sending(c, item.message);
    const auto terms = backward_terms(c, part, from, stage);
    const bool rest = item.from > 0, each = stage >= 0;
    const double often = c.accumulation() * c.count(item.part) * (each ? static_cast<double>(c.micro_batches()) : 1.0);
    const double whole = rest_of(terms, 0) / often, gathers = gathering(c, part, from, stage);
    const bool throughout = gathers > 0 && whole - gathers <= 1e-12 * whole;
    Page page(c, item, symbol, title_of(c, item),
              rest         ? rest_of(terms, item.from)
              : throughout ? 0.0
                           : whole - gathers,
              Measure::seconds);
    if (!rest && throughout)
        return page.nothing("Until then weights are gathered all the time: gradients wait for the link.")
            .fact("sharded states", std::string(choice_name(c.estimate.states.sharded)), fields::sharded)
            .source(sharded_source);
    std::string text = page.sum(terms, Measure::seconds, c.computing(), "layers");
    if (in_order(terms).empty()) page.fact("network", c.part(item.part).network->name(), fields::workload);
    if (!rest && often != 1) {
        std::string divisor = page.prefix(item.part, {.accumulation = true, .count = true, .micro_batches = each});
        divisor.pop_back();
        text = (text.find(' ') == std::string::npos ? text : '(' + text + ')') + '/' +
               (divisor.find('*') == std::string::npos ? divisor : '(' + divisor + ')');
        page.note(c.estimate.states.of_gradients() > 1
                      ? "The layers' times are those of a whole step."
                      : "The layers' times are those of a whole step; gradients go out in the last micro-step only.");
    }
    if (!rest && gathers > 0) {
        text += " - t_g";
        page.field("t_g", "gathers of weights meanwhile", gathers, Measure::seconds, fields::sharded, c.sending());
        page.note("While weights are gathered, gradients wait for the link.");
    }
    return page.formula(text).source("Backward pass, from the last layer to the first");
}

/// Layers beside whose work the weights of the next one are gathered.
std::vector<Term> beside_terms(const Context& c, const MessageEstimate& m) {
    std::vector<Term> terms;
    if (m.when == When::beside_layer) {
        const LayerEstimate& row = c.row(m.part, m.first);
        const auto add = [&](Pass pass, Seconds time) {
            Item item{Topic::layer_pass, m.part, m.first};
            item.pass = pass;
            if (time.value > 0) terms.push_back({std::string(word_for(pass)), time.value, item});
        };
        if (m.forward || m.again) add(Pass::forward, row.forward);
        if (!m.forward && !m.again) add(Pass::grad_input, row.grad_input), add(Pass::grad_weights, row.grad_weights);
        return terms;
    }
    for (int l = m.beside_from; l < m.beside_to; ++l) {
        const LayerEstimate& row = c.row(m.part, l);
        terms.push_back({c.layer_name(m.part, l), (m.forward ? row.forward : row.backward()).value,
                         Item{m.forward ? Topic::layer_pass : Topic::layer_backward, m.part, l}});
    }
    return terms;
}

Page beside_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    const auto terms = beside_terms(c, m);
    const bool rest = item.from > 0;
    const double often = c.accumulation() * c.count(m.part) * static_cast<double>(c.micro_batches());
    Page page(c, item, "t_w", title_of(c, item), rest ? rest_of(terms, item.from) : rest_of(terms, 0) / often,
              Measure::seconds);
    std::string text = page.sum(terms, Measure::seconds, c.computing(), "layers");
    if (in_order(terms).empty()) page.fact("network", c.part(m.part).network->name(), fields::workload);
    if (!rest && often != 1 && !in_order(terms).empty()) {
        std::string divisor = page.prefix(m.part, {.accumulation = true, .count = true, .micro_batches = true});
        divisor.pop_back();
        text = (text.find(' ') == std::string::npos ? text : '(' + text + ')') + '/' +
               (divisor.find('*') == std::string::npos ? divisor : '(' + divisor + ')');
        page.note("The layers' times are those of a whole step.");
    }
    return page.formula(text).source(m.when == When::beside_layer
                                         ? std::string(context_row(c.plan.parallelism.context_scheme).source)
                                         : sharded_source);
}

/// Pieces that go round a ring while the layer works on what has arrived.
Page ring_page(const Context& c, const Item& item, Page page) {
    const MessageEstimate& m = c.message(item.message);
    const std::string prefix = page.prefix(m.part, {true, true, true, true}), n = page.degree(MeshAxis::context);
    link_time(page, m);
    const Item beside = of_message(Topic::work_beside, m.part, item.message);
    page.link("t_w", "work of the layer meanwhile", value_of(c, beside), Measure::seconds, beside, c.computing());
    if (m.again) page.note("Sent again because the backward pass recomputes the block of this layer.");
    return page.formula(prefix + "max(0, t - (" + n + " - 1)/" + n + "*t_w)")
        .note(
            "Each piece travels while the layer works on the one before it: of as many steps as there are pieces, "
            "the first needs no message.")
        .source(std::string(context_row(c.plan.parallelism.context_scheme).source));
}

/// Weights that are gathered before their layer computes, or when they are updated.
Page gather_page(const Context& c, const Item& item, Page page) {
    const MessageEstimate& m = c.message(item.message);
    page.source(sharded_source);
    if (m.gradients && m.exposed.value <= 0)
        return page.formula("0")
            .fact("sharded states", std::string(choice_name(c.estimate.states.sharded)), fields::sharded)
            .note("The gather of another stage takes longer: the step does not wait for this one.");
    const std::string prefix = page.prefix(m.part, repeat_of(m));
    link_time(page, m);
    if (m.gradients)
        return page.formula(prefix + "t").note("The next step needs the updated weights: nothing hides it.");
    if (m.beside_from == m.beside_to)
        return page.formula(prefix + "t").note("No layer computes before this one: nothing hides it.");
    const Item beside = of_message(Topic::work_beside, m.part, item.message);
    page.link("t_w", "work of the layers before", value_of(c, beside), Measure::seconds, beside, c.computing());
    if (const int before = item.message - 1; m.carries == Carried::experts && before >= 0 &&
                                             c.message(before).when == When::before_layer &&
                                             c.message(before).first == m.first) {
        page.link("t_1", "the layer's other weights", c.message(before).each.value, Measure::seconds,
                  of_message(Topic::message, m.part, before), c.sending());
        return page.formula(prefix + "max(0, t - max(0, t_w - t_1))")
            .note("The weights of a layer are gathered while the layer before it computes, experts last.");
    }
    return page.formula(prefix + "max(0, t - t_w)")
        .note("The weights of a layer are gathered while the layer before it computes.");
}

/// Gradients that travel before these after the same backward pass: those that all replicas have, before experts'; or
/// -1.
int of_same_pass(const Context& c, int message) {
    const MessageEstimate& m = c.message(message);
    if (m.carries != Carried::experts || message == 0) return -1;
    const MessageEstimate& before = c.message(message - 1);
    const bool same = before.gradients && before.carries != Carried::experts && !before.weights &&
                      before.axis == MeshAxis::data && before.part == m.part &&
                      stage_sending(c, message - 1) == stage_sending(c, message);
    return same ? message - 1 : -1;
}

Page exposed_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    Page page(c, item, "x", title_of(c, item), m.exposed.value, Measure::seconds);
    if (m.weights) return gather_page(c, item, std::move(page));
    if (m.when == When::beside_layer) return ring_page(c, item, std::move(page));
    const auto wrapped = [](const std::string& prefix, const std::string& text) { return prefix + text; };
    if (m.gradients) {
        const std::string prefix = page.prefix(m.part, repeat_of(m));
        if (m.axis == MeshAxis::pipeline) {
            link_time(page, m);
            return page.formula(wrapped(prefix, "t"))
                .note("Sent when all stages are done: nothing hides it.")
                .source("All-reduce of shared weights between stages, as Megatron-LM does for tied embeddings");
        }
        const Overlap overlap = c.plan.parallelism.overlap;
        if (c.staged() && !m.every_pass) {
            if (m.exposed.value <= 0)
                return page.formula("0")
                    .fact("overlap with backward", overlap == Overlap::off ? "off" : "on", fields::overlap)
                    .note("Its stage is not the last to be done: the step does not wait for it.")
                    .source("Stages end one after the other, the first one last");
            Item wait{Topic::stage_wait, m.part};
            wait.message = item.message;
            double others = 0;
            for (const MessageEstimate& x : c.estimate.messages)
                if (x.after_stage() && x.exposed.value > 0) others += x.each.value;
            const double waited = value_of(c, wait);
            page.link("y", "waited for after the pipeline", waited, Measure::seconds, wait,
                      weaker(c.computing(), c.sending()));
            if (std::abs(others - m.each.value) <= 1e-12 * others)
                return page.formula(prefix + "y").source(stage_source);
            link_time(page, m);
            page.field("i", "all such messages of its stage", others, Measure::seconds, fields::overlap, c.sending());
            return page.formula(prefix + "t*y/i").source(stage_source);
        }
        if (m.axis == MeshAxis::tensor) {
            link_time(page, m);
            return page.formula(wrapped(prefix, "t"))
                .note("Sent after the backward pass: nothing hides it.")
                .source("Sequence parallelism: Korthikanti et al., 2022");
        }
        if (overlap == Overlap::off) {
            link_time(page, m);
            const std::string copies = copies_text(page, m);
            const std::string text = copies.empty() ? "t" : "t + " + copies;
            return page.formula(wrapped(prefix, prefix.empty() || copies.empty() ? text : '(' + text + ')'))
                .note("Sent after the backward pass: nothing hides it.")
                .source("No overlap, as in PALEO");
        }
        Item window{Topic::backward_window, m.part};
        if (stage_sending(c, item.message) >= 0) window.message = item.message;
        const auto add_window = [&] {
            page.link("t_b", "backward it may hide behind", value_of(c, window), Measure::seconds, window,
                      c.computing());
        };
        const Hiding hiding = hiding_of(c, m);
        const std::string sent = share_text(hiding, "t");
        // What of it comes after the backward pass, in whatever way it hides.
        const auto all = [&](const std::string& outside) {
            std::string text = outside;
            if (hiding.share != 1) {
                text += " + t/2";
                page.note("The weights come back before the next step: nothing hides that half.");
            }
            if (hiding.interference > 0) {
                text += " + sigma*(" + sent + " - " + outside + ')';
                page.field("sigma", "share of hidden time that the backward pass takes longer", hiding.interference,
                           Measure::percent, fields::interference, Evidence::assumed);
            }
            if (const std::string copies = copies_text(page, m); !copies.empty()) text += " + " + copies;
            return text == outside || prefix.empty() ? text : '(' + text + ')';
        };
        if (overlap == Overlap::perfect) {
            link_time(page, m);
            add_window();
            std::string left = "t_b";
            if (const int before = of_same_pass(c, item.message); before >= 0) {
                const MessageEstimate& other = c.message(before);
                page.link("t_1", "the message before", other.each.value, Measure::seconds,
                          of_message(Topic::message, m.part, before), c.sending());
                left = "max(0, t_b - " + share_text(hiding, "t_1") + ')';
            }
            return page.formula(wrapped(prefix, all("max(0, " + sent + " - " + left + ')')))
                .source("Perfect overlap: all of it hides that fits under the backward pass");
        }
        const Item start = of_message(Topic::message_start, m.part, item.message),
                   end = of_message(Topic::message_end, m.part, item.message);
        page.formula(wrapped(prefix, all("max(0, e - max(s, t_b))")));
        if (hiding.share != 1 || hiding.interference > 0) link_time(page, m);
        page.link("e", "its end", (m.start + m.each * hiding.share).value, Measure::seconds, end,
                  weaker(c.computing(), c.sending()));
        page.link("s", "its start", m.start.value, Measure::seconds, start, weaker(c.computing(), c.sending()));
        add_window();
        return page.source(bucket_source);
    }
    if (m.when == When::at_cut && c.slices() > 1) {
        const std::string prefix = page.prefix(m.part, {.accumulation = true, .count = true});
        const bool in = !cut_terms(c, true).empty(), out = !cut_terms(c, false).empty();
        link_time(page, m);
        page.link("y", "waited for at the cut", value_of(c, Item{Topic::cut_exposed}), Measure::seconds,
                  Item{Topic::cut_exposed}, weaker(c.computing(), c.sending()));
        link_transfers(page, in, out);
        page.note("What is waited for at the cut is shared out over the transfers there by their time.");
        return page.formula(prefix + (in && out ? "t*y/(i + o)"
                                      : in      ? "t*y/i"
                                                : "t*y/o"))
            .source("Krizhevsky, arXiv:1404.5997, 2014: a transfer hides behind the work on another slice");
    }
    if (m.message == Message::point_to_point) {
        const PipelineOrder order = c.estimate.schedule.order;
        const bool stepped = order != PipelineOrder::fill_drain;
        Item waited{Topic::border_exposed}, all{Topic::border_transfers};
        waited.index = all.index = stepped ? -1 : m.forward ? 0 : 1;
        const double y = value_of(c, waited), i = value_of(c, all);
        if (stepped || (y > i && m.exposed.value > 0)) {  // or the links are slower than the stages
            const std::string prefix = page.prefix(m.part, {.accumulation = true, .count = true});
            link_time(page, m);
            page.link("y", "transfers waited for, one micro-step", y, Measure::seconds, waited,
                      weaker(c.computing(), c.sending()));
            page.link("i", "transfers of one micro-batch", i, Measure::seconds, all, c.sending());
            page.note("What is waited for between the stages is shared out over the transfers by their time.");
            return page.formula(prefix + "t*y/i").source(schedule_source(order));
        }
    }
    Page::Repeat repeat = repeat_of(m);
    repeat.micro_batches = m.within_stage();
    const std::string prefix = page.prefix(m.part, repeat);
    link_time(page, m);
    page.formula(prefix + "t");
    if (m.message == Message::point_to_point) {
        if (c.micro_batches() > 1)
            page.note(
                "Only the first micro-batch's transfer is waited for; the others pass while the stages work, none of "
                "which is quicker than a transfer.");
        return page.source("Fill and drain: Huang et al., GPipe, NeurIPS 2019");
    }
    if (m.again) page.note("Sent again because the backward pass recomputes the block of this layer.");
    if (m.axis == MeshAxis::context && m.carries != Carried::output)
        return page.note("The attention cannot begin, or go on, without it.")
            .source(std::string(context_row(c.plan.parallelism.context_scheme).source));
    if (m.axis == MeshAxis::expert)
        return page.note("The experts, or the next layer, cannot begin without it.").source(expert_source);
    return page.note("The next layer cannot begin without it.")
        .source("Split by outputs: nothing to do in the meantime");
}

Page hidden_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    Page page(c, item, "h", title_of(c, item), m.hidden.value, Measure::seconds);
    if (m.hidden.value <= 0 && m.gradients && c.staged())
        return page.nothing("Nothing of it hides.")
            .fact("overlap with backward", "off", fields::overlap)
            .source("What is not waited for");
    const std::string prefix = page.prefix(m.part, repeat_of(m)), copies = copies_text(page, m);
    if (copies.empty())
        page.formula(prefix + "t - x");
    else if (prefix.empty())
        page.formula("t + " + copies + " - x");
    else
        page.formula(prefix + "(t + " + copies + ") - x");
    link_time(page, m);
    page.link("x", "exposed", m.exposed.value, Measure::seconds,
              of_message(Topic::message_exposed, m.part, item.message), weaker(c.computing(), c.sending()));
    return page.source("What is not waited for");
}

Page clock_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    const Evidence e = weaker(c.computing(), c.sending());
    if (item.topic == Topic::message_ready) {
        Page page = backward_page(c, item, m.part, m.first, "t_r");
        page.note("Ready when the backward pass has reached " + c.layer_name(m.part, m.first) + '.');
        return page.source(bucket_source);
    }
    const Item ready = of_message(Topic::message_ready, m.part, item.message);
    if (item.topic == Topic::message_end) {
        const Hiding hiding = hiding_of(c, m);
        Page page(c, item, "e", title_of(c, item), (m.start + m.each * hiding.share).value, Measure::seconds);
        page.formula("s + " + share_text(hiding, "t"))
            .link("s", "its start", m.start.value, Measure::seconds,
                  of_message(Topic::message_start, m.part, item.message), e);
        link_time(page, m);
        return page.source(bucket_source);
    }
    Page page(c, item, "s", title_of(c, item), m.start.value, Measure::seconds);
    page.link("t_r", "gradients ready", value_of(c, ready), Measure::seconds, ready, c.computing());
    const int before = item.message - 1;
    if (before >= 0 && c.message(before).gradients && !c.message(before).weights && c.message(before).part == m.part &&
        stage_sending(c, before) == stage_sending(c, item.message)) {
        const MessageEstimate& other = c.message(before);
        page.link("e", "end of the message before", (other.start + other.each * hiding_of(c, other).share).value,
                  Measure::seconds, of_message(Topic::message_end, m.part, before), e);
        page.formula("max(t_r, e)");
    } else {
        page.formula("t_r");
    }
    return page
        .note(m.every_pass ? "On the clock of the backward pass of a micro-batch, one message at a time."
                           : "On the clock of the last micro-step's backward pass, one message at a time.")
        .source(bucket_source);
}

}  // namespace

Page exposure_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::message_exposed:
            return with_servers(c.message(item.message)) ? server_message_page(c, item) : exposed_page(c, item);
        case Topic::message_hidden: return hidden_page(c, item);
        case Topic::message_ready:
        case Topic::message_start:
        case Topic::message_end: return clock_page(c, item);
        case Topic::work_beside: return beside_page(c, item);
        case Topic::backward_window: return backward_page(c, item, item.part, 0, "t_b");
        default: return cut_page(c, item);
    }
}

}  // namespace scalescope::explaining
