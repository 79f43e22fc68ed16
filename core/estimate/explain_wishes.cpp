// SPDX-License-Identifier: GPL-3.0-or-later
// What a person asks of a step: speedup, throughput, time and cost of an epoch.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::explaining {
namespace {

void link_step(Page& page, const char* symbol, const char* text) {
    const Context& c = page.context();
    page.link(symbol, text, c.estimate.summary.step.value, Measure::seconds, Item{Topic::step},
              weaker(c.computing(), c.sending()));
}

void link_batch(Page& page) {
    const Context& c = page.context();
    page.link("E", "samples in a step", static_cast<double>(c.estimate.summary.batch.effective), Measure::count,
              Item{Topic::effective_batch});
}

Page speedup_page(const Context& c, const Item& item) {
    const bool grows = c.plan.training.batch_rule == BatchRule::per_worker;
    const auto n = c.workers();
    Page page(c, item, "S", title_of(c, item), c.estimate.speedup, Measure::ratio);
    page.formula(grows ? "n*t_1/t_n" : "t_1/t_n");
    if (grows) page.field("n", "workers", static_cast<double>(n), Measure::count, fields::workers);
    Item one{Topic::step};
    one.baseline = true;
    page.link("t_1", "step on 1 worker", c.estimate.baseline.step.value, Measure::seconds, one, c.computing());
    link_step(page, "t_n", n == 1 ? "step on 1 worker" : ("step on " + format_count(n) + " workers").c_str());
    stack_step(page, "t_n");
    const std::string batch = format_count(c.estimate.point.batch);
    page.note(grows ? "1× is one worker with " + batch +
                          " samples; every worker has as many, so n of them do n times the work."
                    : "1× is one worker with all " + batch + " samples.");
    page.source(std::string("Samples per second against one worker's, ") + (grows ? "weak" : "strong") +
                " scaling (PALEO, Qi et al., ICLR 2017)");
    return page;
}

Page idle_share_page(const Context& c, const Item& item) {
    const Summary& s = c.estimate.summary;
    Page page(c, item, "u", title_of(c, item), c.estimate.idle_share, Measure::percent);
    const bool uneven = !c.hybrid() && c.degrees().data > 1 && c.plan.training.batch_rule == BatchRule::total;
    const std::string d = uneven ? page.degree_factor(MeshAxis::data) : "";
    page.formula(uneven ? "1 - (t - t_i)/t*min(1, E/(ceil(E/" + d + ")*" + d + "))" : "1 - (t - t_i)/t");
    link_step(page, "t", "step");
    page.link("t_i", "idle time of the busiest worker", s.idle.value, Measure::seconds, Item{Topic::idle},
              c.computing());
    if (uneven) {
        link_batch(page);
        page.note(d == "n" ? "The busiest worker has the rounded-up share of the batch; the others wait for it."
                           : "The busiest replica has the rounded-up share of the batch; the others wait for it.");
    }
    page.source("Of all workers together: time in which they have nothing to do");
    return page;
}

}  // namespace

void stack_step(Page& page, const char* name) {
    const Summary& s = page.context().estimate.summary;
    std::vector<Term> parts{{"Forward", s.forward.value, Item{Topic::forward}},
                            {"Backward", s.backward.value, Item{Topic::backward}},
                            {"Update", s.update.value, Item{Topic::update}},
                            {"Communication", s.communication.value, Item{Topic::communication}}};
    if (s.idle.value > 0) parts.push_back({"Idle", s.idle.value, Item{Topic::idle}});
    page.parts(name, s.step.value, Measure::seconds, std::move(parts));
}

Page wish_page(const Context& c, const Item& item) {
    const Estimate& e = c.estimate;
    switch (item.topic) {
        case Topic::speedup: return speedup_page(c, item);
        case Topic::idle_share: return idle_share_page(c, item);
        case Topic::efficiency: {
            Page page(c, item, "e", title_of(c, item), e.efficiency, Measure::percent);
            page.formula("S/n").link("S", "speedup", e.speedup, Measure::ratio, Item{Topic::speedup},
                                     weaker(c.computing(), c.sending()));
            page.field("n", "workers", static_cast<double>(c.workers()), Measure::count, fields::workers);
            stack_step(page, "Step");
            page.source("Speedup over the number of workers");
            return page;
        }
        case Topic::throughput: {
            Page page(c, item, "X", title_of(c, item), e.throughput.value, Measure::sample_rate);
            page.formula("E/t");
            link_batch(page);
            link_step(page, "t", "step");
            stack_step(page, "Step");
            page.source("Samples of a step over its time");
            return page;
        }
        case Topic::epoch: {
            Page page(c, item, "T", title_of(c, item), e.epoch.value, Measure::seconds);
            page.formula("t*ceil(N/E)");
            link_step(page, "t", "step");
            page.field("N", "samples in the data set", static_cast<double>(c.plan.training.data_set), Measure::count,
                       fields::data_set);
            link_batch(page);
            if (!has_epochs(c.scenario))
                page.note("The size of the data set is not set; that of ImageNet stands in for it.");
            page.source("Steps that go once through the data set; the last one may be smaller, and counts whole");
            return page;
        }
        case Topic::cost: {
            Page page(c, item, "C", title_of(c, item), e.epoch_cost.value_or(0), Measure::dollars);
            const std::int64_t servers = own_servers(c.scenario, e.point.updates, c.workers(), e.point.servers);
            page.formula(servers > 0 ? "p*(n + k)*T/3600" : "p*n*T/3600");
            const auto& device = c.scenario.cluster.device;
            const auto& open = device.unverified;
            const bool recalled = std::find(open.begin(), open.end(), "price_usd_per_hour") != open.end();
            page.field("p", "price of a " + device.name, device.price_per_hour.value_or(0), Measure::dollar_rate,
                       fields::price, recalled ? Evidence::assumed : Evidence::datasheet);
            page.field("n", "workers", static_cast<double>(c.workers()), Measure::count, fields::workers);
            page.link("T", has_epochs(c.scenario) ? "epoch" : "time for these samples", e.epoch.value, Measure::seconds,
                      Item{Topic::epoch}, weaker(c.computing(), c.sending()));
            page.note("An hour has 3,600 s. Prices differ by seller and date; this one is a starting value to edit.");
            page.note("Price: " + price_basis(c.scenario));
            if (servers > 0)
                page.field("k", "parameter servers, each paid for as a worker", static_cast<double>(servers),
                           Measure::count, fields::servers);
            page.source("Price per hour, workers and time");
            return page;
        }
        default: {
            Page page(c, item, "E", title_of(c, item), static_cast<double>(e.summary.batch.effective), Measure::count);
            const bool grows = c.plan.training.batch_rule == BatchRule::per_worker;
            page.formula(grows ? "B*n" : "B");
            page.field("B", grows ? "samples of a worker" : "samples of all workers",
                       static_cast<double>(c.estimate.point.batch), Measure::count, fields::batch);
            if (grows) page.field("n", "workers", static_cast<double>(c.workers()), Measure::count, fields::workers);
            page.source(grows ? "The batch grows with the workers (weak scaling)"
                              : "The batch stays the same for any number of workers (strong scaling)");
            return page;
        }
    }
}

}  // namespace scalescope::explaining
