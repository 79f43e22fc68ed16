// SPDX-License-Identifier: GPL-3.0-or-later
// Split by layers: stages that work one after the other, and micro-batches that let them work together.
#include <algorithm>

#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

/// Messages that the workers of one stage send each other in every micro-batch.
bool within_stage(const MessageEstimate& m) { return m.axis == MeshAxis::tensor && !m.gradients; }

std::vector<Term> stage_terms(const Context& c, int stage, bool forward) {
    std::vector<Term> terms;
    for (const auto& r : c.estimate.layers) {
        if (r.stage != stage) continue;
        Item item{forward ? Topic::layer_pass : Topic::layer_backward, r.part, r.position};
        terms.push_back({c.layer_name(r.part, r.position), forward ? r.forward.value : r.backward().value, item});
    }
    for (std::size_t i = 0; i < c.estimate.messages.size(); ++i) {
        const MessageEstimate& m = c.estimate.messages[i];
        if (!within_stage(m) || m.forward != forward || c.row(m.part, m.layers.front()).stage != stage) continue;
        Item item{Topic::message_exposed, m.part};
        item.message = static_cast<int>(i);
        terms.push_back({message_name(c, m), m.exposed.value, item});
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
    double within = 0, sent = 0;
    for (const MessageEstimate& x : c.estimate.messages) (within_stage(x) ? within : sent) += x.exposed.value;
    Page page(c, item, "t_p", title_of(c, item), (all + within + (m - 1) * (forward + backward)) / m + sent,
              Measure::seconds);
    page.source("Fill and drain: Huang et al., GPipe, NeurIPS 2019");
    page.link("t_l", "forward and backward of all stages", all, Measure::seconds, Item{Topic::all_layers},
              c.computing());
    const std::string work = within > 0 ? "t_l + t_x" : "t_l";
    if (within > 0) {
        Item messages{Topic::communication};
        messages.index = 2;
        page.link("t_x", "messages within the stages", within, Measure::seconds, messages, c.sending());
    }
    if (c.micro_batches() == 1) {
        page.formula(work + " + t_c")
            .note("One batch at a time: the stages work one after the other, and only one of them is ever busy.");
    } else {
        page.formula('(' + work + " + (M - 1)*(t_f + t_b))/M + t_c");
        page.prefix(0, {.micro_batches = true});
        page.link("t_f", "longest forward of a stage", forward, Measure::seconds, stage_item(f, true), c.computing());
        page.link("t_b", "longest backward of a stage", backward, Measure::seconds, stage_item(b, false),
                  c.computing());
        page.note(
            "The first micro-batch passes through every stage; each further one adds the time of the longest stage, "
            "forward and backward.");
    }
    Item between{Topic::communication};
    between.index = within > 0 ? 1 : -1;
    page.link("t_c", "transfers waited for", sent, Measure::seconds, between, c.sending());
    return page;
}

std::vector<Term> border_terms(const Context& c, bool forward) {
    std::vector<Term> terms;
    for (std::size_t i = 0; i < c.estimate.messages.size(); ++i) {
        const MessageEstimate& m = c.estimate.messages[i];
        if (m.message != Message::point_to_point || m.forward != forward) continue;
        Item item{Topic::message, m.part};
        item.message = static_cast<int>(i);
        terms.push_back({message_name(c, m), m.each.value, item});
    }
    return terms;
}

/// Links carry one micro-batch at a time: where a transfer takes longer than every stage, the stages wait for it again
/// and again.
Page border_exposed_page(const Context& c, const Item& item) {
    const bool forward = item.index == 0;
    const auto terms = in_order(border_terms(c, forward));
    const int slowest = largest_stage(c, forward);
    const double often = c.accumulation() * c.count(0) * static_cast<double>(c.micro_batches());
    const double stage = rest_of(stage_terms(c, slowest, forward), 0), all = rest_of(terms, 0),
                 more = static_cast<double>(c.micro_batches() - 1);
    const double longest = terms.empty() ? 0 : terms[0].value;
    Page page(c, item, "y", title_of(c, item), all + more * std::max(0.0, longest - stage / often), Measure::seconds);
    page.source("Fill and drain: Huang et al., GPipe, NeurIPS 2019; a link carries one micro-batch at a time");
    Item transfers{Topic::border_transfers};
    transfers.index = item.index;
    page.link("i", "transfers of one micro-batch", all, Measure::seconds, transfers, c.sending());
    if (more == 0 || terms.empty()) return page.formula("i");
    page.link("l", "longest transfer", longest, Measure::seconds, terms[0].item, c.sending());
    page.link("t_s", forward ? "longest forward of a stage, whole step" : "longest backward of a stage, whole step",
              stage, Measure::seconds, stage_item(slowest, forward), c.computing());
    std::string divisor = page.prefix(0, {.accumulation = true, .count = true, .micro_batches = true});
    divisor.pop_back();
    if (divisor.find('*') != std::string::npos) divisor = '(' + divisor + ')';
    return page.formula("i + (M - 1)*max(0, l - t_s/" + divisor + ")")
        .note("What a transfer takes longer than the longest stage is waited for with each further micro-batch.");
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
            page.source("As many as the samples of a micro-step fill");
            if (!c.staged()) return page.formula("1").fact("workers", "no stages", fields::workers);
            return page.formula("ceil(S/b)")
                .samples("S", "samples of a micro-step", c.one_replica() ? 1 : 0)
                .samples("b", "samples of a micro-batch", 2);
        }
        case Topic::border_transfers: {
            const auto terms = border_terms(c, item.index == 0);
            Page page(c, item, "i", title_of(c, item), rest_of(terms, item.from), Measure::seconds);
            page.formula(page.sum(terms, Measure::seconds, c.sending(), "transfers"));
            if (in_order(terms).empty())
                page.note("Nothing moves between the stages in this direction.")
                    .fact("network", c.part(0).network->name(), fields::workload);
            return page.source("Transfers of one micro-batch over all borders");
        }
        case Topic::border_exposed: return border_exposed_page(c, item);
        default: return pipeline_page(c, item);
    }
}

}  // namespace scalescope::explaining
