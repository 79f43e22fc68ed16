// SPDX-License-Identifier: GPL-3.0-or-later
// How many samples are worked on at once, and how often: micro-steps and slices.
#include <algorithm>

#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

/// Samples of a step, of all workers or of the busiest: the formula's text.
std::string batch_text(Page& page, bool of_all) {
    const Context& c = page.context();
    const bool grows = c.batch_grows(), all = of_all || c.degrees().data == 1;
    page.give({"B", grows ? "samples of a worker" : "samples of all workers", c.estimate.point.batch, fields::batch});
    if (c.workers() == 1 || (all ? !grows : grows && c.degrees().data == c.workers())) return "B";
    if (all) {
        page.workers();
        return "B*n";
    }
    const std::string n = page.degree(MeshAxis::data);
    if (grows) return "B*n/(" + n + ')';
    page.note(std::string("The busiest ") + (n == "n" ? "worker" : "replica") + " has the rounded-up share.");
    return n == "n" ? "ceil(B/n)" : "ceil(B/(" + n + "))";
}

/// Index 2: of a micro-batch, 3: on the way over hybrid's cut, 1: of all workers, otherwise of one.
Page execution_page(const Context& c, const Item& item) {
    const std::int64_t wanted = c.plan.training.accumulation;
    Page page(c, item, "b", c.samples(std::max(item.index, 0)));
    if (item.index == 2)
        return page.formula("ceil(S/min(m, S))")
            .samples("S", "samples of a micro-step", c.one_replica() ? 1 : 0)
            .give({"m", "micro-batches wanted", c.estimate.point.micro_batches, fields::micro_batches})
            .source("A stage works on one micro-batch after the other");
    if (item.index == 3) {
        page.samples("s", "samples of a worker", 0).source("The tensor at the cut, for the samples that move at once");
        if (c.estimate.point.scheme == HybridScheme::one_sender)
            return page.formula("s").note("One worker sends what it has.");
        page.workers();
        if (c.estimate.point.scheme == HybridScheme::all_at_once)
            return page.formula("s*n").note("All workers send what they have.");
        return page.formula("ceil(s/n)*n")
            .note("Each worker sends a share of what it has; the buffer counts as so many of the largest.");
    }
    const bool of_all = item.index == 1, made = of_all && c.hybrid();  // as many as a worker's own samples make
    const std::string text = batch_text(page, of_all);
    const bool several = made ? c.micro_step_count() > 1 : wanted > 1;
    if (several && made) page.micro_steps();
    if (several) page.give({"a", "micro-steps wanted", wanted, fields::accumulation});
    return page.formula(several ? "ceil(" + text + "/a)" : text)
        .source(of_all ? "Every worker sees the samples of all" : "Each worker has its share of the batch");
}

}  // namespace

Page samples_page(const Context& c, const Item& item) {
    if (item.topic == Topic::micro_steps) {
        Page page(c, item, "a", c.micro_step_count());
        const bool of_all = c.one_replica();
        return page.formula("ceil(" + batch_text(page, of_all) + "/b)")
            .samples("b", "samples of a micro-step", of_all ? 1 : 0)
            .source("As many as the samples fill");
    }
    if (item.topic != Topic::slices) return execution_page(c, item);
    Page page(c, item, "g", c.slices());
    page.source("The back part works through the samples of all workers, as many at a time as one worker has");
    if (!c.hybrid() || c.estimate.point.scheme == HybridScheme::all_at_once)
        return page.formula("1").fact("hybrid scheme", "all at once", fields::scheme);
    return page.formula("ceil(S/b)").samples("S", "samples of all workers", 1).samples("b", "samples of a worker", 0);
}

}  // namespace scalescope::explaining
