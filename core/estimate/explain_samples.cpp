// SPDX-License-Identifier: GPL-3.0-or-later
// How many samples are worked on at once, and how often: micro-steps and slices.
#include <algorithm>

#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

/// Samples of a step, of all workers or of the busiest: the formula's text.
std::string batch_text(Page& page, bool of_all) {
    const Context& c = page.context();
    const bool grows = c.plan.training.batch_rule == BatchRule::per_worker;
    page.field("B", grows ? "samples of a worker" : "samples of all workers",
               static_cast<double>(c.estimate.point.batch), Measure::count, fields::batch);
    const std::int64_t replicas = c.degrees().data;
    if (c.workers() == 1 || (!grows && (of_all || replicas == 1))) return "B";
    if (grows && (of_all || replicas == 1)) {
        page.field("n", "workers", static_cast<double>(c.workers()), Measure::count, fields::workers);
        return "B*n";
    }
    if (grows && replicas == c.workers()) return "B";
    const std::string text = page.degree(MeshAxis::data);
    if (grows) return "B*n/(" + text + ')';
    page.note(text == "n" ? "The busiest worker has the rounded-up share."
                          : "The busiest replica has the rounded-up share.");
    return text == "n" ? "ceil(B/n)" : "ceil(B/(" + text + "))";
}

Page micro_steps_page(const Context& c, const Item& item) {
    Page page(c, item, "a", title_of(c, item), c.accumulation(), Measure::count);
    const bool of_all = c.one_replica();
    const std::string batch = batch_text(page, of_all);
    return page.samples("b", "samples of a micro-step", of_all ? 1 : 0)
        .formula("ceil(" + batch + "/b)")
        .source("As many as the samples fill");
}

Page execution_page(const Context& c, const Item& item) {
    const Training& t = c.plan.training;
    const int index = std::max(item.index, 0);
    Page page(c, item, "b", title_of(c, item), c.samples(index), Measure::count);
    const auto workers = [&] {
        page.field("n", "workers", static_cast<double>(c.workers()), Measure::count, fields::workers);
    };
    if (index == 2) {
        page.samples("S", "samples of a micro-step", c.one_replica() ? 1 : 0)
            .field("m", "micro-batches wanted", static_cast<double>(c.plan.parallelism.micro_batches), Measure::count,
                   fields::micro_batches);
        return page.formula("ceil(S/min(m, S))").source("A stage works on one micro-batch after the other");
    }
    if (index == 3) {
        page.samples("s", "samples of a worker", 0).source("The tensor at the cut, for the samples that move at once");
        if (c.estimate.point.scheme == HybridScheme::one_sender)
            return page.formula("s").note("One worker sends what it has.");
        workers();
        if (c.estimate.point.scheme == HybridScheme::all_at_once)
            return page.formula("s*n").note("All workers send what they have.");
        return page.formula("ceil(s/n)*n")
            .note("Each worker sends a share of what it has; the buffer counts as so many of the largest.");
    }
    std::string text = batch_text(page, index == 1);
    if (index == 1 && c.hybrid()) {  // as many as a worker's own samples make
        if (c.micro_step_count() > 1) {
            text = "ceil(" + text + "/a)";
            page.micro_steps();
        }
    } else if (t.accumulation > 1) {
        text = "ceil(" + text + "/a)";
        page.field("a", "micro-steps wanted", static_cast<double>(t.accumulation), Measure::count,
                   fields::accumulation);
    }
    return page.formula(text).source(index == 1 ? "Every worker sees the samples of all"
                                                : "Each worker has its share of the batch");
}

Page slices_page(const Context& c, const Item& item) {
    Page page(c, item, "g", title_of(c, item), static_cast<double>(c.slices()), Measure::count);
    page.source("The back part works through the samples of all workers, as many at a time as one worker has");
    if (!c.hybrid() || c.estimate.point.scheme == HybridScheme::all_at_once)
        return page.formula("1").fact("hybrid scheme", "all at once", fields::scheme);
    return page.formula("ceil(S/b)").samples("S", "samples of all workers", 1).samples("b", "samples of a worker", 0);
}

}  // namespace

Page samples_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::slices: return slices_page(c, item);
        case Topic::micro_steps: return micro_steps_page(c, item);
        default: return execution_page(c, item);
    }
}

}  // namespace scalescope::explaining
