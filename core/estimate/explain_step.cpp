// SPDX-License-Identifier: GPL-3.0-or-later
// The step and the sums it consists of.
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/estimate/details.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/estimate/servers.hpp"

namespace scalescope::explaining {
namespace {

/// The stage whose sums the estimate took: the one with most forward and backward work, or with the largest update.
int stage_of(const Context& c, Topic t) {
    const Summary& s = c.estimate.summary;
    const auto off = [&](const StageEstimate& stage) {
        return t == Topic::update
                   ? std::abs((stage.update - s.update).value)
                   : std::abs((stage.forward - s.forward).value) + std::abs((stage.backward - s.backward).value);
    };
    const auto& stages = c.estimate.stages;
    return static_cast<int>(
        std::min_element(stages.begin(), stages.end(), [&](const auto& a, const auto& b) { return off(a) < off(b); }) -
        stages.begin());
}

Page layers_page(const Context& c, const Item& item, Topic of_layer, Seconds total) {
    const bool update = item.topic == Topic::update;
    const int stage = c.staged() ? stage_of(c, item.topic) : -1;
    std::vector<Term> terms;
    for (const auto& r : c.estimate.layers)
        if (stage < 0 || r.stage == stage) terms.push_back(layer_term(c, r, of_layer));
    Page page = sum_page(c, item, "t", terms, {.whole = total});
    page.source("Sum over the layers of the busiest worker");
    if (in_order(terms).empty())
        page.note(update ? "No layer's weights are updated." : "No layer does any work in this pass.");
    const std::string name = std::to_string(stage + 1);
    if (c.staged())
        page.note(update ? "The stages update at the same time: stage " + name + " takes longest."
                         : "Of the busiest stage, " + name + " of " + std::to_string(c.stage_count()) + '.');
    return page;
}

Page all_layers_page(const Context& c, const Item& item) {
    const bool back = item.index == 1;
    std::vector<Term> terms;
    for (const auto& r : c.estimate.layers)
        if (!back || c.in_back(r.part, r.position)) terms.push_back(layer_term(c, r, Topic::layer_compute));
    return sum_page(c, item, "t", terms, {})
        .source(back ? "Layers behind the cut, forward and backward" : "Layers of all stages, forward and backward");
}

/// Of stages that divide their layers, the step has the messages within the busiest stage; index 1: those between all
/// stages, 2: those within all.
Page communication_page(const Context& c, const Item& item) {
    const bool hidden = item.topic == Topic::hidden;
    const auto& messages = c.estimate.messages;
    const bool divided = !hidden && c.staged() &&
                         std::any_of(messages.begin(), messages.end(), [](const auto& m) { return m.within_stage(); });
    const int stage = divided ? stage_of(c, Topic::forward) : -1;
    const auto terms =
        message_terms(c, hidden ? Topic::message_hidden : Topic::message_exposed, [&](const MessageEstimate& m) {
            if (!divided) return true;
            if (item.index > 0) return m.within_stage() == (item.index == 2);
            return !m.within_stage() || c.row(m.part, m.layers.front()).stage == stage;
        });
    const Summary& s = c.estimate.summary;
    const Seconds total = divided && item.index > 0 ? Seconds{rest_of(terms, 0)} : hidden ? s.hidden : s.communication;
    const char* source = hidden ? "Messages under the backward pass or other work; not part of the step"
                                : "What of each message no work hides";
    if (!in_order(terms).empty())
        return sum_page(c, item, "t", terms, {.what = "messages", .whole = total}).source(source);
    Page page(c, item, "t", Seconds{0});
    page.source(source);
    if (terms.empty())
        return page.nothing("There is nothing to send.", "workers", format_count(c.workers()), fields::workers);
    if (hidden)
        return page.nothing("No message is hidden behind work.", "overlap with backward",
                            c.plan.parallelism.overlap == Overlap::off ? "off" : "on", fields::overlap);
    if (c.workers() == 1)
        return page.nothing("One worker has nobody to exchange with.", "workers", "1", fields::workers);
    return page.nothing("All of it is hidden behind work.", "hidden", format_time(s.hidden), Topic::hidden);
}

/// Forward, backward, update and communication, those of the step that are asked for.
std::vector<Given> parts_of_step(const Context& c, bool update) {
    const Summary& s = c.estimate.summary;
    std::vector<Given> parts{{"t_f", "forward", s.forward, Topic::forward},
                             {"t_b", "backward", s.backward, Topic::backward},
                             {"t_u", "update", s.update, Topic::update},
                             {"t_c", "communication", s.communication, Topic::communication}};
    if (!update) parts.erase(parts.begin() + 2);
    return parts;
}

Seconds waits_for_slowest(const Context& c) {
    const Summary& s = c.estimate.summary;
    return Seconds{updates_alone(c.estimate.point)
                       ? 0.0
                       : wait_for_slowest(c.plan.spread, s.batch.active, (s.forward + s.backward).value)};
}

/// What all wait for the slowest of them.
Page slowest_page(const Context& c, const Item& item) {
    const Summary& s = c.estimate.summary;
    return Page(c, item, "t_w", waits_for_slowest(c))
        .formula("rho*(2*0.6931471805599453*log2(n))^0.5*(t_f + t_b)")
        .give({"rho", "spread of the workers' speeds", Fraction{c.plan.spread}, fields::spread})
        .give({"n", "workers", s.batch.active, fields::workers})
        .give({"t_f", "forward", s.forward, Topic::forward})
        .give({"t_b", "backward", s.backward, Topic::backward})
        .note("The largest of n normal values lies about (2 ln n)^0.5 deviations above their mean.")
        .source("Extreme values: Cram\u00e9r, Mathematical Methods of Statistics, 1946");
}

/// Idle time of the stages alone.
Page stages_idle_page(const Context& c, const Item& item, Seconds idle) {
    Page page(c, item, "t_i", idle);
    page.follow("t_p", "all stages one after the other", Topic::pipeline);
    return page.formula("max(0, t_p - (" + page.joined(parts_of_step(c, false)) + "))")
        .note("The busiest stage waits while the others work.")
        .source(schedule_source(c.estimate.schedule.order));
}

/// What fills and drains the stages, the overhead, the line at the servers, the slowest worker, and what the input adds
/// to all of these.
Page idle_page(const Context& c, const Item& item) {
    if (item.index == 2) return slowest_page(c, item);
    const Summary& s = c.estimate.summary;
    const double limit = c.plan.training.input_limit.value;
    constexpr const char* input_source = "Input pipeline: a step takes at least as long as its samples need to arrive";
    Seconds filling;
    if (c.staged())
        filling = std::max(Seconds{0},
                           Seconds{value_of(c, Item{Topic::pipeline})} - (s.forward + s.backward + s.communication));
    std::vector<Given> waits;
    const char* source = input_source;
    const auto wait = [&](bool there, const char* symbol, const char* text, Seconds time, const Because& because,
                          const char* from) {
        if (!there) return;
        waits.push_back({symbol, text, time, because});
        if (limit <= 0) source = from;
    };
    const Seconds queue = c.estimate.servers ? c.estimate.servers->state.waiting : Seconds{0},
                  slowest = waits_for_slowest(c);
    wait(c.plan.overhead.value > 0, "t_o", "overhead of a step", c.plan.overhead, fields::overhead,
         "Overhead: time of a step in which the device waits for its host");
    wait(queue.value > 0, "t_q", "waiting for other workers at the servers", queue, Topic::server_wait,
         "Each worker waits for those that are at the servers before it");
    wait(slowest.value > 0, "t_w", "waiting for the slowest", slowest, at_index(Topic::idle, 2),
         "Every step waits for the slowest worker");
    if (c.staged() && (item.index == 1 || (limit <= 0 && waits.empty())))
        return stages_idle_page(c, item, item.index == 1 ? filling : s.idle);
    if (c.staged()) waits.insert(waits.begin(), {"t_s", "filling and draining", filling, at_index(Topic::idle, 1)});
    Page page(c, item, "t_i", s.idle);
    if (limit <= 0 && waits.empty())
        return page
            .nothing("Nothing makes the busiest worker wait: the input pipeline is not limited.", "input pipeline",
                     "no limit", fields::input_limit)
            .source(source);
    Seconds busy = s.forward + s.backward + s.update + s.communication;
    for (const Given& g : waits) busy += Seconds{g.value.value};
    const std::string waited = page.joined(waits);
    page.formula(waited).source(source);
    if (limit <= 0) return page;
    page.batch().give({"R", "samples the input pipeline delivers", SamplesPerSecond{limit}, fields::input_limit});
    return page
        .formula((waited.empty() ? "" : " + ") + ("max(0, E/R - (" + page.joined(parts_of_step(c, true))) +
                 (waited.empty() ? "" : " + " + waited) + "))")
        .note(static_cast<double>(s.batch.effective) / limit > busy.value ? "The input pipeline holds the workers up."
                                                                          : "The input pipeline keeps up.");
}

}  // namespace

void stack_step(Page& page, const char* name) {
    const Summary& s = page.context().estimate.summary;
    std::vector<Term> parts;
    for (const Given& g : parts_of_step(page.context(), true))
        parts.push_back({capital(g.text), g.value.value, *g.because.item});
    if (s.idle.value > 0) parts.push_back({"Idle", s.idle.value, Item{Topic::idle}});
    page.parts(name, s.step.value, Measure::seconds, std::move(parts));
}

Page step_page(const Context& c, const Item& item) {
    const Summary& s = c.estimate.summary;
    switch (item.topic) {
        case Topic::forward: return layers_page(c, item, Topic::layer_pass, s.forward);
        case Topic::backward: return layers_page(c, item, Topic::layer_backward, s.backward);
        case Topic::update: return layers_page(c, item, Topic::layer_update, s.update);
        case Topic::communication:
        case Topic::hidden: return communication_page(c, item);
        case Topic::idle: return idle_page(c, item);
        case Topic::all_layers: return all_layers_page(c, item);
        default: break;
    }
    Page page(c, item, "t", s.step);
    auto parts = parts_of_step(c, true);
    if (s.idle.value > 0) parts.push_back({"t_i", "idle", s.idle, Topic::idle});
    page.formula(page.joined(std::move(parts)));
    stack_step(page, "Step");
    if (s.hidden.value > 0) page.fact("hidden behind work, not added", format_time(s.hidden), Topic::hidden);
    return page.source("Parts of the step on the busiest worker");
}

}  // namespace scalescope::explaining
