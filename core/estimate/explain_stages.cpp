// SPDX-License-Identifier: GPL-3.0-or-later
// Split by layers: stages that work one after the other, and micro-batches that let them work together.
#include <algorithm>

#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

std::vector<Term> stage_terms(const Context& c, int stage, bool forward) {
    std::vector<Term> terms;
    for (const auto& r : c.estimate.layers) {
        if (r.stage != stage) continue;
        Item item{forward ? Topic::layer_pass : Topic::layer_backward, r.part, r.position};
        terms.push_back({c.layer_name(r.part, r.position), forward ? r.forward.value : r.backward().value, item});
    }
    return terms;
}

Item stage_item(int index, bool forward) {
    Item item{Topic::stage};
    item.index = index;
    item.pass = forward ? Pass::forward : Pass::grad_input;
    return item;
}

int largest_stage(const Context& c, bool forward) {
    int best = 0;
    double most = -1;
    for (int s = 0; s < c.stage_count(); ++s)
        if (const double t = rest_of(stage_terms(c, s, forward), 0); t > most) most = t, best = s;
    return best;
}

Page pipeline_page(const Context& c, const Item& item) {
    const double m = static_cast<double>(c.micro_batches());
    const int f = largest_stage(c, true), b = largest_stage(c, false);
    const double forward = rest_of(stage_terms(c, f, true), 0), backward = rest_of(stage_terms(c, b, false), 0);
    double all = 0;
    for (const auto& r : c.estimate.layers) all += r.forward.value + r.backward().value;
    const double sent = c.estimate.summary.communication.value;
    Page page(c, item, "t_p", title_of(c, item), (all + (m - 1) * (forward + backward)) / m + sent, Measure::seconds);
    page.source("Fill and drain: Huang et al., GPipe, NeurIPS 2019");
    page.link("t_l", "forward and backward of all stages", all, Measure::seconds, Item{Topic::all_layers}, c.computing());
    if (c.micro_batches() == 1) {
        page.formula("t_l + t_c").note("One batch at a time: the stages work one after the other, and only one of them is ever busy.");
    } else {
        page.formula("(t_l + (M - 1)*(t_f + t_b))/M + t_c");
        page.prefix(0, {.micro_batches = true});
        page.link("t_f", "longest forward of a stage", forward, Measure::seconds, stage_item(f, true), c.computing());
        page.link("t_b", "longest backward of a stage", backward, Measure::seconds, stage_item(b, false), c.computing());
        page.note("The first micro-batch passes through every stage; each further one adds the time of the longest stage, forward and backward.");
    }
    page.link("t_c", "transfers waited for", sent, Measure::seconds, Item{Topic::communication}, c.sending());
    return page;
}

}  // namespace

Page stage_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::stage: {
            const bool forward = item.pass == Pass::forward;
            const auto terms = stage_terms(c, item.index, forward);
            Page page(c, item, forward ? "t_f" : "t_b", title_of(c, item), rest_of(terms, item.from), Measure::seconds);
            page.formula(page.sum(terms, Measure::seconds, c.computing(), "layers"));
            if (in_order(terms).empty()) page.fact("network", c.part(0).network->name(), fields::workload);
            return page.source("Layers of the stage, all micro-batches of the step");
        }
        case Topic::micro_batches: {
            Page page(c, item, "M", title_of(c, item), static_cast<double>(c.micro_batches()), Measure::count);
            page.formula("min(m, E)").field("m", "micro-batches wanted", static_cast<double>(c.plan.parallelism.micro_batches), Measure::count, fields::micro_batches);
            page.link("E", "samples in a step", static_cast<double>(c.estimate.summary.effective), Measure::count, Item{Topic::effective_batch});
            return page.source("A micro-batch has at least one sample");
        }
        default: return pipeline_page(c, item);
    }
}

}  // namespace scalescope::explaining
