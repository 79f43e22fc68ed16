// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/explain.hpp"

#include "core/estimate/explain_rows.hpp"
#include "core/estimate/recompute.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {
namespace explaining {
namespace {

Problem unknown_item() {
    return make_error("There is no such figure in this estimate.", "point at a layer, message or total that is shown");
}

Problem no_price(const Context& c) {
    return make_error("No price is known for " + worker_name(c.scenario) + ".", "give its price per hour", {},
                      is_cpu_cluster(c.scenario) ? "cluster.machine" : "cluster.device");
}

/// A plan for one worker, everything else as it is.
Result<Explanation> explain_baseline(const Scenario& scenario, const Plan& plan, Item item) {
    Scenario one = scenario;
    one.cluster.workers = one.cpu.partitions = 1;
    one.parallelism.degrees_given() = {};
    Plan single = plan;
    single.point = of_one_worker(plan.point);
    set_recompute(single, single.point.recomputation());  // blocks are counted on one stage
    Scratch scratch = make_scratch(single);
    ASSIGN_OR_RETURN(const auto estimate, scalescope::estimate(one, single, scratch));
    item.baseline = false;
    auto e = explain(one, single, estimate, item);
    if (!e) return e;
    const std::string alone = worker_words(scenario).count(1);
    const auto mark = [](Item& i) { i.baseline = true; };
    mark(e->item);
    for (auto& crumb : e->crumbs) mark(crumb.item);
    if (!e->crumbs.empty()) e->crumbs.front().text += " on " + alone;
    for (auto& input : e->inputs)
        if (input.because) mark(*input.because);
    for (auto& definition : e->definitions) mark(definition.because);
    for (auto& part : e->parts) mark(part.item);
    if (item.topic != Topic::step) e->title += ", on " + alone;
    return e;
}

}  // namespace

Result<Page> page_of(const Context& c, const Item& item) {
    if (!exists(c, item)) return fail(unknown_item());
    if (item.topic == Topic::cost && !c.estimate.epoch_cost) return fail(no_price(c));
    const auto room = c.plan.paleo ? paleo_page : c.plan.cpu ? cpu_page : c.estimate.servers ? servers_page : nullptr;
    auto page = room ? room(c, item) : page_of_room({c, item}, step_room());
    return page ? Result<Page>(std::move(*page)) : fail(unknown_item());
}

}  // namespace explaining

Result<Explanation> explain(const Scenario& scenario, const Plan& plan, const Estimate& estimate, const Item& item) {
    if (item.baseline) return explaining::explain_baseline(scenario, plan, item);
    const explaining::Context context{scenario, plan, estimate, evidence_of(scenario)};
    ASSIGN_OR_RETURN(auto page, explaining::page_of(context, item));
    return page.finish(true);
}

}  // namespace scalescope
