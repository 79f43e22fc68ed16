// SPDX-License-Identifier: GPL-3.0-or-later
// The step and the sums it consists of.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/format.hpp"
#include "core/estimate/details.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/estimate/servers.hpp"

namespace scalescope::explaining {
namespace {

constexpr const char* busiest_source = "Sum over the layers of the busiest worker";

/// The stage whose sums the estimate took: the one with most forward and backward work, or with the largest update.
int stage_of(const Context& c, Topic t) {
    const Summary& s = c.estimate.summary;
    int best = 0;
    double off = std::numeric_limits<double>::infinity();
    for (int i = 0; i < c.stage_count(); ++i) {
        double forward = 0, backward = 0, update = 0;
        for (const auto& r : c.estimate.layers)
            if (r.stage == i) forward += r.forward.value, backward += r.backward().value, update += r.update.value;
        const double d = t == Topic::update
                             ? std::abs(update - s.update.value)
                             : std::abs(forward - s.forward.value) + std::abs(backward - s.backward.value);
        if (d < off) off = d, best = i;
    }
    return best;
}

std::vector<Term> layer_terms(const Context& c, Topic t) {
    const bool staged = c.staged() && t != Topic::all_layers;
    const int stage = staged ? stage_of(c, t) : -1;
    std::vector<Term> terms;
    for (const auto& r : c.estimate.layers) {
        if (staged && r.stage != stage) continue;
        Item item{Topic::layer_pass, r.part, r.position};
        double value = r.forward.value;
        if (t == Topic::backward) item.topic = Topic::layer_backward, value = r.backward().value;
        if (t == Topic::update) item.topic = Topic::layer_update, value = r.update.value;
        if (t == Topic::all_layers) item.topic = Topic::layer_compute, value = r.forward.value + r.backward().value;
        terms.push_back({c.layer_name(r.part, r.position), value, item});
    }
    return terms;
}

/// Which messages: all, those between the stages and after them, or those within them.
enum class Among { all, between, within };
bool is_among(const MessageEstimate& m, Among among) {
    return among == Among::all || m.within_stage() == (among == Among::within);
}

std::vector<Term> message_terms(const Context& c, bool hidden, Among among) {
    std::vector<Term> terms;
    for (std::size_t m = 0; m < c.estimate.messages.size(); ++m) {
        const auto& message = c.estimate.messages[m];
        if (!is_among(message, among)) continue;
        Item item{hidden ? Topic::message_hidden : Topic::message_exposed, message.part};
        item.message = static_cast<int>(m);
        terms.push_back({message_name(c, message), hidden ? message.hidden.value : message.exposed.value, item});
    }
    return terms;
}

/// Messages within the busiest stage, and those between the stages.
std::vector<Term> busiest_terms(const Context& c) {
    const int stage = stage_of(c, Topic::forward);
    std::vector<Term> terms;
    for (std::size_t m = 0; m < c.estimate.messages.size(); ++m) {
        const auto& message = c.estimate.messages[m];
        if (is_among(message, Among::within) && c.row(message.part, message.layers.front()).stage != stage) continue;
        Item item{Topic::message_exposed, message.part};
        item.message = static_cast<int>(m);
        terms.push_back({message_name(c, message), message.exposed.value, item});
    }
    return terms;
}

Page sum_page(const Context& c, const Item& item, const std::vector<Term>& terms, double total, Evidence e,
              const char* what) {
    Page page(c, item, "t", title_of(c, item), item.from > 0 ? rest_of(terms, item.from) : total, Measure::seconds);
    page.formula(page.sum(terms, Measure::seconds, e, what));
    return page;
}

Page layers_page(const Context& c, const Item& item, double total) {
    const auto terms = layer_terms(c, item.topic);
    Page page = sum_page(c, item, terms, total, c.computing(), "layers");
    page.source(busiest_source);
    if (in_order(terms).empty()) {
        page.note(item.topic == Topic::update ? "No layer's weights are updated."
                                              : "No layer does any work in this pass.");
        page.fact("network", c.part(0).network->name(), fields::workload);
    }
    if (c.staged())
        page.note(item.topic == Topic::update ? "The stages update at the same time: stage " +
                                                    std::to_string(stage_of(c, item.topic) + 1) + " takes longest."
                                              : "Of the busiest stage, " + std::to_string(stage_of(c, item.topic) + 1) +
                                                    " of " + std::to_string(c.stage_count()) + '.');
    return page;
}

Page communication_page(const Context& c, const Item& item) {
    const bool hidden = item.topic == Topic::hidden;
    const Summary& s = c.estimate.summary;
    // Of stages that divide their layers, the step has the messages within the busiest stage; index 1: those between
    // all stages, 2: those within all.
    const bool within = std::any_of(c.estimate.messages.begin(), c.estimate.messages.end(),
                                    [](const MessageEstimate& m) { return m.within_stage(); });
    const bool divided = !hidden && c.staged() && within, some = divided && item.index > 0;
    const Among among = !some ? Among::all : item.index == 1 ? Among::between : Among::within;
    const auto terms = divided && !some ? busiest_terms(c) : message_terms(c, hidden, among);
    const double total = some ? rest_of(terms, 0) : (hidden ? s.hidden : s.communication).value;
    Page page = sum_page(c, item, terms, total, c.sending(), "messages");
    page.source(hidden ? "Messages under the backward pass or other work; not part of the step"
                       : "What of each message no work hides");
    if (!in_order(terms).empty()) return page;
    if (terms.empty())
        page.note("There is nothing to send.").fact("workers", format_count(c.workers()), fields::workers);
    else if (hidden)
        page.note("No message is hidden behind work.")
            .fact("overlap with backward", c.plan.parallelism.overlap == Overlap::off ? "off" : "on", fields::overlap);
    else if (c.workers() == 1)
        page.note("One worker has nobody to exchange with.").fact("workers", "1", fields::workers);
    else
        page.note("All of it is hidden behind work.").fact("hidden", format_time(s.hidden), Item{Topic::hidden});
    return page;
}

/// What all wait for the slowest of them.
Page slowest_page(const Context& c, const Item& item) {
    const Summary& s = c.estimate.summary;
    Page page(c, item, "t_w", title_of(c, item),
              wait_for_slowest(c.plan.spread, s.batch.active, (s.forward + s.backward).value), Measure::seconds);
    page.formula("rho*(2*0.6931471805599453*log2(n))^0.5*(t_f + t_b)");
    page.field("rho", "spread of the workers' speeds", c.plan.spread, Measure::percent, fields::spread,
               Evidence::assumed);
    page.field("n", "workers", static_cast<double>(s.batch.active), Measure::count, fields::workers);
    page.link("t_f", "forward", s.forward.value, Measure::seconds, Item{Topic::forward}, c.computing());
    page.link("t_b", "backward", s.backward.value, Measure::seconds, Item{Topic::backward}, c.computing());
    page.note("The largest of n normal values lies about (2 ln n)^0.5 deviations above their mean.");
    return page.source("Extreme values: Cram\u00e9r, Mathematical Methods of Statistics, 1946");
}

Page idle_page(const Context& c, const Item& item) {
    if (item.index == 2) return slowest_page(c, item);
    const Summary& s = c.estimate.summary;
    const bool staged = c.staged();
    const double limit = c.plan.training.input_limit.value, overhead = c.plan.overhead.value;
    const double queue = c.estimate.servers ? c.estimate.servers->state.waiting.value : 0.0;
    const double slowest = updates_alone(c.estimate.point)
                               ? 0.0
                               : wait_for_slowest(c.plan.spread, s.batch.active, (s.forward + s.backward).value);
    const double busy =
        s.forward.value + s.backward.value + s.update.value + s.communication.value + overhead + slowest + queue;
    // Idle time of the stages alone: overhead, the slowest worker and the wait for input come on top.
    double staged_idle = s.idle.value;
    if (staged && (limit > 0 || overhead > 0 || slowest > 0)) {
        const auto pipeline = page_of(c, Item{Topic::pipeline});
        staged_idle =
            pipeline ? std::max(0.0, pipeline->result() - (s.forward.value + s.backward.value + s.communication.value))
                     : 0.0;
    }
    const bool only_stages = staged && (item.index == 1 || (limit <= 0 && overhead <= 0 && slowest <= 0));
    Page page(c, item, "t_i", title_of(c, item), only_stages ? staged_idle : s.idle.value, Measure::seconds);
    const auto add_parts = [&](bool update) {
        page.link("t_f", "forward", s.forward.value, Measure::seconds, Item{Topic::forward}, c.computing());
        page.link("t_b", "backward", s.backward.value, Measure::seconds, Item{Topic::backward}, c.computing());
        if (update) page.link("t_u", "update", s.update.value, Measure::seconds, Item{Topic::update}, c.computing());
        page.link("t_c", "communication", s.communication.value, Measure::seconds, Item{Topic::communication},
                  c.sending());
    };
    if (only_stages) {
        const auto pipeline = page_of(c, Item{Topic::pipeline});
        page.formula("max(0, t_p - (t_f + t_b + t_c))");
        page.link("t_p", "all stages one after the other", pipeline ? pipeline->result() : 0, Measure::seconds,
                  Item{Topic::pipeline}, weaker(c.computing(), c.sending()));
        add_parts(false);
        page.note("The busiest stage waits while the others work.").source(schedule_source(c.estimate.schedule.order));
        return page;
    }
    if (limit <= 0 && overhead <= 0 && slowest <= 0 && queue <= 0)
        return page.nothing("Nothing makes the busiest worker wait: the input pipeline is not limited.")
            .source("Input pipeline: a step takes at least as long as its samples need to arrive")
            .fact("input pipeline", "no limit", fields::input_limit);
    // Idle is what fills and drains, the overhead, the slowest worker, and what the input adds to all of these.
    std::string waits;
    if (staged) {
        Item stages = item;
        stages.index = 1;
        waits = "t_s";
        page.link("t_s", "filling and draining", staged_idle, Measure::seconds, stages,
                  weaker(c.computing(), c.sending()));
    }
    if (overhead > 0) {
        waits += waits.empty() ? "t_o" : " + t_o";
        page.field("t_o", "overhead of a step", overhead, Measure::seconds, fields::overhead,
                   c.constant(fields::overhead, Evidence::assumed));
        page.source("Overhead: time of a step in which the device waits for its host");
    }
    if (queue > 0) {
        waits += waits.empty() ? "t_q" : " + t_q";
        page.link("t_q", "waiting for other workers at the servers", queue, Measure::seconds, Item{Topic::server_wait},
                  weaker(c.computing(), c.sending()));
        page.source("Each worker waits for those that are at the servers before it");
    }
    if (slowest > 0) {
        Item other = item;
        other.index = 2;
        waits += waits.empty() ? "t_w" : " + t_w";
        page.link("t_w", "waiting for the slowest", slowest, Measure::seconds, other, c.computing());
        page.source("Every step waits for the slowest worker");
    }
    if (limit <= 0) {
        page.formula(waits);
        return page;
    }
    const std::string more = waits.empty() ? std::string() : " + " + waits;
    page.formula((waits.empty() ? std::string() : waits + " + ") + "max(0, E/R - (t_f + t_b + t_u + t_c" + more + "))");
    page.source("Input pipeline: a step takes at least as long as its samples need to arrive");
    page.link("E", "samples in a step", static_cast<double>(s.batch.effective), Measure::count,
              Item{Topic::effective_batch});
    page.field("R", "samples the input pipeline delivers", limit, Measure::sample_rate, fields::input_limit,
               Evidence::assumed);
    add_parts(true);
    page.note(static_cast<double>(s.batch.effective) / limit > busy + (staged ? staged_idle : 0.0)
                  ? "The input pipeline holds the workers up."
                  : "The input pipeline keeps up.");
    return page;
}

Page whole_step_page(const Context& c, const Item& item) {
    const Summary& s = c.estimate.summary;
    Page page(c, item, "t", title_of(c, item), s.step.value, Measure::seconds);
    page.formula("t_f + t_b + t_u + t_c");
    page.link("t_f", "forward", s.forward.value, Measure::seconds, Item{Topic::forward}, c.computing());
    page.link("t_b", "backward", s.backward.value, Measure::seconds, Item{Topic::backward}, c.computing());
    page.link("t_u", "update", s.update.value, Measure::seconds, Item{Topic::update}, c.computing());
    page.link("t_c", "communication", s.communication.value, Measure::seconds, Item{Topic::communication}, c.sending());
    std::vector<Term> parts{{"Forward", s.forward.value, Item{Topic::forward}},
                            {"Backward", s.backward.value, Item{Topic::backward}},
                            {"Update", s.update.value, Item{Topic::update}},
                            {"Communication", s.communication.value, Item{Topic::communication}}};
    if (s.idle.value > 0) {
        page.formula(" + t_i");
        page.link("t_i", "idle", s.idle.value, Measure::seconds, Item{Topic::idle}, c.computing());
        parts.push_back({"Idle", s.idle.value, Item{Topic::idle}});
    }
    page.parts("Step", s.step.value, Measure::seconds, std::move(parts));
    if (s.hidden.value > 0) page.fact("hidden behind work, not added", format_time(s.hidden), Item{Topic::hidden});
    page.source("Parts of the step on the busiest worker");
    return page;
}

}  // namespace

Page step_page(const Context& c, const Item& item) {
    const Summary& s = c.estimate.summary;
    switch (item.topic) {
        case Topic::forward: return layers_page(c, item, s.forward.value);
        case Topic::backward: return layers_page(c, item, s.backward.value);
        case Topic::update: return layers_page(c, item, s.update.value);
        case Topic::communication:
        case Topic::hidden: return communication_page(c, item);
        case Topic::idle: return idle_page(c, item);
        case Topic::all_layers: {
            auto terms = layer_terms(c, item.topic);
            if (item.index == 1)
                terms.erase(std::remove_if(terms.begin(), terms.end(),
                                           [&](const Term& t) { return !c.in_back(t.item.part, t.item.layer); }),
                            terms.end());
            Page page = sum_page(c, item, terms, rest_of(terms, 0), c.computing(), "layers");
            page.source(item.index == 1 ? "Layers behind the cut, forward and backward"
                                        : "Layers of all stages, forward and backward");
            if (in_order(terms).empty()) page.fact("network", c.part(0).network->name(), fields::workload);
            return page;
        }
        default: return whole_step_page(c, item);
    }
}

}  // namespace scalescope::explaining
