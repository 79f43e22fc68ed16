// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of one message: what it carries.
#include <algorithm>
#include <cmath>

#include "core/estimate/explain_page.hpp"
#include "core/estimate/sharded_axis.hpp"
#include "core/parallel/context.hpp"
#include "core/parallel/experts.hpp"
#include "core/parallel/rows.hpp"

namespace scalescope::explaining {
namespace {

/// Gradients of layers, or weights: those that a layer needs, or all that were updated.
Page parameters_sent(const Context& c, const Item& item, const MessageEstimate& m) {
    const bool weights = m.message == Message::pull || m.weights;
    std::vector<Term> terms;
    if (!m.gradients) terms = needed_weights(c, m.part, m.layers.front(), held_by(c, m, m.layers.front()));
    for (const int l : m.layers)
        if (m.gradients)
            for (Term& t : with_copies(c, c.row(m.part, l), held_by(c, m, l)))
                if (m.weights || t.item.layer == l) terms.push_back(std::move(t));
    const bool shard = sends_shards(c, m);
    const auto each = [&](Page& page) {
        if (weights)
            page.element_bytes(m.part, "bytes of a weight");
        else
            page.gradient_bytes(m.part);
        return std::string("w*");
    };
    const auto of_ranks = [&](Page& page) {
        if (!shard) return std::string();
        page.note("Each rank sums the shard of the gradients that it keeps.");
        return '/' + page.sharing(held_by(c, m, m.layers.front()));
    };
    return sum_page(c, item, "S", terms, {"layers", Measure::count, m.bytes, each, of_ranks})
        .source(!m.gradients ? sharded_source
                : weights    ? "Weights that are trained"
                             : "Gradients of the trained parameters");
}

/// Tensors made before a stage's first layer and read from there on: what a worker sends of each.
Page over_border(const Context& c, const Item& item, const MessageEstimate& m) {
    const Work& work = c.part(m.part).work;
    const Network& network = *c.part(m.part).network;
    const int border = m.forward ? m.layers.front() + 1 : m.layers.front();
    std::vector<Term> terms;
    for (int t = 0; t < border; ++t) {
        if (network.root(t) != t || c.facts(m.part, t).per_step ||
            (!m.forward && !work.gradient_needed[static_cast<std::size_t>(t)]))
            continue;
        bool read = false;
        for (int l = border; l < work.layers && !read; ++l) {
            const auto reads = network.reads(l);
            read = std::find(reads.begin(), reads.end(), t) != reads.end();
        }
        if (!read) continue;
        const LayerEstimate& row = c.row(m.part, t);
        const double share = m.forward ? row.crossing : row.gradient_crossing;
        terms.push_back({"elements of " + c.layer_name(m.part, t),
                         static_cast<double>(c.facts(m.part, t).out_elements) * share,
                         at_index(Topic::layer_output,
                                  share == 1  ? -1
                                  : m.forward ? 1
                                              : 2,
                                  m.part, t)});
    }
    const auto each = [&](Page& page) {
        page.element_bytes(m.part).samples(m.part, m.layers.front());
        return std::string("w*b*");
    };
    return sum_page(c, item, "S", terms, {"tensors", Measure::count, m.bytes, each})
        .source("Every tensor that crosses the border between the stages, once");
}

/// Tensors of an attention whose sequence lies on the context axis.
Page& of_attention(Page& page, const MessageEstimate& m) {
    const Context& c = page.context();
    const int l = m.layers.front();
    const auto inputs = c.part(m.part).network->inputs(l);
    const auto one = [&](const char* text, int layer) {
        page.output("N", text, m.part, layer);
        return std::string("N");
    };
    const auto both = [&] {
        page.output("N_k", "elements of the keys", m.part, inputs[1]);
        page.output("N_v", "elements of the values", m.part, inputs[2]);
        return std::string("(N_k + N_v)");
    };
    page.element_bytes(m.part).samples(m.part, l);
    const std::string tensor = m.carries == Carried::queries            ? one("elements of the queries", inputs[0])
                               : m.carries == Carried::keys             ? one("elements of the keys", inputs[1])
                               : m.carries == Carried::values           ? one("elements of the values", inputs[2])
                               : m.carries == Carried::attention_output ? one("elements of the output", l)
                                                                        : both();
    page.formula((m.carries == Carried::keys_values_gradients ? "2*w*b*" : "w*b*") + tensor);
    const std::string n = m.message == Message::all_to_all ? page.degree(MeshAxis::context) : "";
    const auto key_heads = static_cast<double>(c.facts(m.part, l).key_heads);
    const bool keys = m.carries != Carried::queries && m.carries != Carried::attention_output;
    const double on_tensor = c.row(m.part, l).shares.outputs / c.context_share(m.part, l),
                 heads = std::max(1.0, key_heads * on_tensor);
    if ((m.carries == Carried::keys || m.carries == Carried::values) &&
        std::fmod(std::round(heads), static_cast<double>(c.degrees().context)) != 0)
        page.formula('*' + n + "*ceil(h/" + n + ")/h")
            .give({"h", "heads of keys and values on a worker", heads, fields::workload})
            .note("Every worker has whole heads of keys and values, and one at least: some are repeated.");
    if (keys && key_heads * on_tensor < 1 - 1e-9)
        page.formula("/h_k").give({"h_k", "heads of keys and values", key_heads, fields::workload});
    else
        page.formula(page.share(m.part, l, on_tensor, true));
    if (!n.empty()) page.formula('/' + n);
    return page.source(context_row(c.plan.parallelism.context_scheme).source);
}

/// Rows of an image at the border of a worker's part.
Page& of_halo(Page& page, const MessageEstimate& m) {
    const Context& c = page.context();
    const int l = m.layers.front();
    const LayerFacts& f = c.facts(m.part, l);
    return page.element_bytes(m.part)
        .inputs("N_i", "elements of the input", m.part, l)
        .give({"r", "rows that the busiest worker sends or receives",
               halo_of(f.rows, f.along(ShardAlong::image_rows), c.sharing())->rows, fields::workload})
        .give({"H", "rows of the input", f.rows.in, fields::workload})
        .samples(m.part, l)
        .formula("w*N_i*r/H*b")
        .note("The rows of its neighbours that the windows of a worker reach into.")
        .source(halo_source);
}

/// One number for each row of classes, or the sums that a norm divides by.
Page& of_statistics(Page& page, const MessageEstimate& m) {
    const Context& c = page.context();
    const int l = m.layers.front(), read = c.part(m.part).network->reads(l).front();
    if (const RowWindow& rows = c.facts(m.part, l).rows; rows.statistics > 0) {
        page.fact("bytes of a number", "4, FP32", fields::policy)
            .give({"N", "sums of the norm", rows.statistics, fields::workload})
            .source("Two sums for each mean and variance, over the rows of all workers");
        return rows.of_batch ? page.formula("4*N") : page.formula("4*N*b").samples(m.part, l);
    }
    return page.fact("bytes of a number", "4, FP32", fields::policy)
        .output("N", "elements that the loss reads", m.part, read)
        .give({"V", "classes", c.facts(m.part, l).along(ShardAlong::vocabulary), fields::workload})
        .samples(m.part, l)
        .formula("4*N/V*b" + page.share(m.part, l, c.context_share(m.part, l)))
        .source("One number for each row of classes: largest, sum, and that of the target");
}

/// What a recurrent layer hands from one step of the sequence to the next.
Page& of_state(Page& page, const MessageEstimate& m) {
    const Context& c = page.context();
    const int l = m.layers.front();
    return page.element_bytes(m.part)
        .give({"u", "units", c.facts(m.part, l).along(ShardAlong::units), fields::workload})
        .samples(m.part, l)
        .formula("w*u*b")
        .source("One state: every gate of the next one reads all of it");
}

/// Positions on their way to the experts, and back.
Page& of_experts(Page& page, const MessageEstimate& m) {
    const Context& c = page.context();
    const int l = m.layers.front();
    const LayerFacts& f = c.facts(m.part, l);
    const ExpertFacts& e = f.experts;
    const LayerEstimate& row = c.row(m.part, l);
    const double width = static_cast<double>(f.output.back());
    const Dispatch dispatch = c.plan.parallelism.dispatch;
    page.element_bytes(m.part);
    std::string elements;
    if (dispatch != Dispatch::each_expert || e.capacity == 0)
        elements = "N_i*b" + page.inputs("N_i", "elements of the input", m.part, l)
                                 .samples(m.part, l)
                                 .share(m.part, l, row.shares.inputs);
    const double positions = static_cast<double>(f.in_elements) / width * row.shares.inputs * row.samples;
    if (dispatch != Dispatch::each_expert)
        page.give({"n_r", "workers with any of its experts, on average",
                   copies_sent(e, dispatch, c.estimate.point.expert, positions), fields::dispatch})
            .formula("w*n_r*" + elements)
            .note(
                "A position goes once to each worker that has any of its experts, and back; all experts are as "
                "likely.")
            .source(node_limited_source);
    else if (e.capacity == 0)
        page.formula("w*k*" + elements)
            .give({"k", "experts for each position", e.chosen, fields::workload})
            .note("Every position goes to the workers of its experts, and back; all experts have as many.")
            .source(expert_source);
    else
        page.formula("w*d*E*C")
            .give({"d", "elements of a position", f.output.back(), fields::workload})
            .give({"E", "experts", e.count, fields::workload})
            .give({"C", "places of an expert for this worker's positions",
                   places(e, positions) / static_cast<double>(e.count), fields::workload})
            .note(
                "Every expert has as many places, which travel whether taken or empty; positions that find none are "
                "dropped.")
            .source(expert_source);
    if (m.axis == MeshAxis::expert_tensor)
        page.formula("*n_v")
            .give({"n_v", "expert tensor degree", m.group.ranks, fields::expert_tensor})
            .note("Workers that divide each expert gather what all of them received, and scatter the sums.")
            .source(expert_tensor_source);
    return page;
}

/// A tensor that the ranks of an axis divide: on one axis a worker sends what it has of it on the other one.
Page& of_tensor(Page& page, const MessageEstimate& m) {
    const Context& c = page.context();
    const int l = m.layers.front();
    page.formula("w*N*b").element_bytes(m.part).output("N", "elements of the tensor", m.part, l);
    if (m.when == When::at_cut)
        return page.samples("b", "samples on the way at once", 3)
            .source("The tensor at the cut, for the samples that move at once");
    page.samples(m.part, l);
    const LayerEstimate& row = c.row(m.part, l);
    const double positions =
        row.context_along && sharding_row(*row.context_along).outputs ? c.context_share(m.part, l) : 1;
    page.formula(m.axis == MeshAxis::context ? page.share(m.part, l, row.shares.outputs / positions, true)
                 : positions != 1            ? page.share(m.part, l, positions)
                                             : "");
    const bool columns = policy_of(c.plan.parallelism, c.estimate.point.strategy) == ShardingPolicy::columns;
    const double share = c.class_share(m.part, l), pieces = static_cast<double>(c.sharing()) * share;
    if (columns && m.message != Message::all_reduce && std::abs(pieces - 1) > 1e-12)
        page.formula('*' + page.degree_factor(c.sharing_axis()) + "*s")
            .give({"s", "share of the busiest worker", share, Item{Topic::share, m.part, l}})
            .note(
                "Uneven pieces: every step waits for the largest, so the buffer counts as one such piece for each "
                "worker.");
    if (m.message != Message::all_to_all) return page.source("The whole tensor, once, whoever reads it");
    return page.formula('/' + page.degree_factor(c.sharing_axis()))
        .source("What one worker has of the tensor, a piece for each other one");
}

}  // namespace

Page message_bytes_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    if (m.gradients || m.weights) return parameters_sent(c, item, m);
    if (m.when == When::at_border) return over_border(c, item, m);
    Page page(c, item, "S", m.bytes);
    if (m.axis == MeshAxis::context && m.carries != Carried::output) return of_attention(page, m);
    if (m.of_positions()) return of_experts(page, m);
    if (m.carries == Carried::states) return of_state(page, m);
    if (m.carries == Carried::halo) return of_halo(page, m);
    return m.carries == Carried::statistics ? of_statistics(page, m) : of_tensor(page, m);
}

}  // namespace scalescope::explaining
