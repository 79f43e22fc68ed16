// SPDX-License-Identifier: GPL-3.0-or-later
// What a person asks of a step: speedup, throughput, time and cost of an epoch.
#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::explaining {
namespace {

Page& link_step(Page& page, const char* symbol, std::string text) {
    return page.give({symbol, std::move(text), page.context().estimate.summary.step, Topic::step});
}

/// Samples of a step, as the batch rule says: of all workers, or of each.
std::string batch_text(Page& page) {
    const Context& c = page.context();
    page.give({"B", c.batch_grows() ? "samples of a worker" : "samples of all workers", c.estimate.point.batch,
               fields::batch});
    if (c.batch_grows()) page.workers();
    return c.batch_grows() ? "B*n" : "B";
}

Page speedup_page(const Context& c, const Item& item) {
    const bool grows = c.batch_grows();
    Page page(c, item, "S", {c.estimate.speedup, Measure::ratio});
    if (grows) page.workers();
    Item one{Topic::step};
    one.baseline = true;
    page.formula(grows ? "n*t_1/t_n" : "t_1/t_n")
        .give({"t_1", "step on 1 worker", c.estimate.baseline.step, one, c.computing()});
    link_step(page, "t_n", c.workers() == 1 ? "step on 1 worker" : "step on " + format_count(c.workers()) + " workers");
    stack_step(page, "t_n");
    const std::string batch = format_count(c.estimate.point.batch);
    page.note(grows ? "1× is one worker with " + batch +
                          " samples; every worker has as many, so n of them do n times the work."
                    : "1× is one worker with all " + batch + " samples.");
    return page.source(std::string("Samples per second against one worker's, ") + (grows ? "weak" : "strong") +
                       " scaling (PALEO, Qi et al., ICLR 2017)");
}

Page idle_share_page(const Context& c, const Item& item) {
    Page page(c, item, "u", Fraction{c.estimate.idle_share});
    const bool uneven = !c.hybrid() && c.degrees().data > 1 && !c.batch_grows();
    const std::string d = uneven ? page.degree_factor(MeshAxis::data) : "";
    page.formula(uneven ? "1 - (t - t_i)/t*min(1, E/(ceil(E/" + d + ")*" + d + "))" : "1 - (t - t_i)/t");
    link_step(page, "t", "step")
        .give({"t_i", "idle time of the busiest worker", c.estimate.summary.idle, Topic::idle})
        .source("Of all workers together: time in which they have nothing to do");
    if (!uneven) return page;
    return page.batch().note(std::string("The busiest ") + (d == "n" ? "worker" : "replica") +
                             " has the rounded-up share of the batch; the others wait for it.");
}

Page cost_page(const Context& c, const Item& item) {
    const Estimate& e = c.estimate;
    const auto& device = c.scenario.cluster.device;
    const std::int64_t servers = own_servers(c.scenario, e.point.updates, c.workers(), e.point.servers);
    Page page(c, item, "C", {e.epoch_cost.value_or(0), Measure::dollars});
    page.formula(servers > 0 ? "p*(n + k)*T/3600" : "p*n*T/3600")
        .give({"p",
               "price of a " + device.name,
               {device.price_per_hour.value_or(0), Measure::dollar_rate},
               fields::price})
        .workers()
        .give({"T", has_epochs(c.scenario) ? "epoch" : "time for these samples", e.epoch, Topic::epoch})
        .note("An hour has 3,600 s. Prices differ by seller and date; this one is a starting value to edit.")
        .note("Price: " + price_basis(c.scenario))
        .source("Price per hour, workers and time");
    if (servers > 0) page.give({"k", "parameter servers, each paid for as a worker", servers, fields::servers});
    return page;
}

}  // namespace

Page wish_page(const Context& c, const Item& item) {
    const Estimate& e = c.estimate;
    switch (item.topic) {
        case Topic::speedup: return speedup_page(c, item);
        case Topic::idle_share: return idle_share_page(c, item);
        case Topic::cost: return cost_page(c, item);
        case Topic::efficiency: {
            Page page(c, item, "e", Fraction{e.efficiency});
            page.formula("S/n").give({"S", "speedup", {e.speedup, Measure::ratio}, Topic::speedup}).workers();
            stack_step(page, "Step");
            return page.source("Speedup over the number of workers");
        }
        case Topic::throughput: {
            Page page(c, item, "X", e.throughput);
            link_step(page.formula("E/t").batch(), "t", "step").source("Samples of a step over its time");
            stack_step(page, "Step");
            return page;
        }
        case Topic::epoch: {
            Page page(c, item, "T", e.epoch);
            link_step(page.formula("t*ceil(N/E)"), "t", "step")
                .give({"N", "samples in the data set", c.plan.training.data_set, fields::data_set})
                .batch()
                .source("Steps that go once through the data set; the last one may be smaller, and counts whole");
            if (!has_epochs(c.scenario))
                page.note("The size of the data set is not set; that of ImageNet stands in for it.");
            return page;
        }
        default: {
            Page page(c, item, "E", e.summary.batch.effective);
            return page.formula(batch_text(page))
                .source(c.batch_grows() ? "The batch grows with the workers (weak scaling)"
                                        : "The batch stays the same for any number of workers (strong scaling)");
        }
    }
}

}  // namespace scalescope::explaining
