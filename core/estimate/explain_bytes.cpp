// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of one message: what it carries.
#include <algorithm>
#include <cmath>

#include "core/estimate/explain_page.hpp"
#include "core/estimate/sharded_axis.hpp"
#include "core/parallel/context.hpp"

namespace scalescope::explaining {
namespace {

/// Bytes of a gradient as it travels, or of a weight.
void sent_bytes(Page& page, const MessageEstimate& m) {
    const Context& c = page.context();
    const Work& work = c.part(m.part).work;
    if (m.message == Message::pull || m.weights)
        page.field("w", "bytes of a weight", work.element_bytes, Measure::bytes, fields::precision);
    else
        page.field("w", "bytes of a gradient", work.gradient_element_bytes, Measure::bytes,
                   c.plan.parallelism.gradients == GradientFormat::as_weights ? fields::precision : fields::gradients);
}

Page gradient_bytes(const Context& c, const Item& item, const MessageEstimate& m) {
    std::vector<Term> terms;
    for (int l : m.layers) {
        terms.push_back(held_parameters(c, m.part, l, held_by(m)));
        if (!m.weights) continue;
        for (const int owner : c.row(m.part, l).copies) {
            terms.push_back(held_parameters(c, m.part, owner, held_by(m)));
            terms.back().name = "copy of " + c.layer_name(m.part, owner) + " for " + c.layer_name(m.part, l);
        }
    }
    const bool rest = item.from > 0;
    Page page(c, item, rest ? "N" : "S", title_of(c, item), rest ? rest_of(terms, item.from) : m.bytes.value,
              rest ? Measure::count : Measure::bytes);
    if (!rest) sent_bytes(page, m);
    const std::string sum = page.sum(terms, Measure::count, Evidence::exact, "layers", "N");
    std::string text = sum.find(' ') == std::string::npos ? "w*" + sum : "w*(" + sum + ")";
    if (m.axis != MeshAxis::data && c.estimate.states.of_gradients() > 1) {
        if (!rest) text += '/' + page.sharing();
        page.note("Each rank sums the shard of the gradients that it keeps.");
    }
    return page.formula(rest ? sum : text)
        .source(m.message == Message::pull || m.weights ? "Weights that are trained"
                                                        : "Gradients of the trained parameters");
}

/// Weights of one layer, before it computes.
Page gathered_bytes(const Context& c, const Item& item, const MessageEstimate& m) {
    const int layer = m.layers.front(), stage = c.row(m.part, layer).stage;
    int first = layer;
    while (first > 0 && c.row(m.part, first - 1).stage == stage) --first;
    Page page(c, item, "S", title_of(c, item), m.bytes.value, Measure::bytes);
    sent_bytes(page, m);
    std::string text;
    int terms = 0;
    weights_needed(*c.part(m.part).network, layer, first, [&](int owner) {
        const Term held = held_parameters(c, m.part, owner, held_by(m));
        if (held.value <= 0) return;
        const std::string symbol = "N_" + std::to_string(++terms);
        text += (text.empty() ? "" : " + ") + symbol;
        page.link(symbol, "weights of " + held.name, held.value, Measure::count, held.item);
    });
    return page.formula(terms == 1 ? "w*" + text : "w*(" + text + ')').source(sharded_source);
}

/// What a worker sends of a tensor over the border of its stage.
Term crossing_term(const Context& c, const MessageEstimate& m, int t) {
    const LayerEstimate& row = c.row(m.part, t);
    Item item{Topic::layer_output, m.part, t};
    const double share = m.forward ? row.crossing : row.gradient_crossing;
    if (share != 1) item.index = m.forward ? 1 : 2;
    return {"elements of " + c.layer_name(m.part, t), static_cast<double>(c.facts(m.part, t).out_elements) * share,
            item};
}

/// Tensors made before a stage's first layer and read from there on.
Page border_bytes(const Context& c, const Item& item, const MessageEstimate& m) {
    const Work& work = c.part(m.part).work;
    const Network& network = *c.part(m.part).network;
    const int border = m.forward ? m.layers.front() + 1 : m.layers.front();
    std::vector<Term> terms;
    for (int t = 0; t < border; ++t) {
        const auto k = static_cast<std::size_t>(t);
        if (network.root(t) != t || c.facts(m.part, t).per_step || network.reads(t).empty() ||
            (!m.forward && !work.gradient_needed[k]))
            continue;
        bool read = false;
        for (int l = border; l < work.layers && !read; ++l) {
            const auto reads = network.reads(l);
            read = std::find(reads.begin(), reads.end(), t) != reads.end();
        }
        if (read) terms.push_back(crossing_term(c, m, t));
    }
    const bool rest = item.from > 0;
    Page page(c, item, rest ? "N" : "S", title_of(c, item), rest ? rest_of(terms, item.from) : m.bytes.value,
              rest ? Measure::count : Measure::bytes);
    if (!rest) {
        page.field("w", "bytes of an element", work.element_bytes, Measure::bytes, fields::precision);
        page.samples(m.part, m.layers.front());
    }
    const std::string sum = page.sum(terms, Measure::count, Evidence::exact, "tensors", "N");
    page.source("Every tensor that crosses the border between the stages, once");
    return page.formula(rest ? sum : sum.find(' ') == std::string::npos ? "w*b*" + sum : "w*b*(" + sum + ")");
}

/// Tensors of an attention whose sequence lies on the context axis.
Page attention_bytes(const Context& c, const Item& item, const MessageEstimate& m) {
    const int l = m.layers.front();
    const auto inputs = c.part(m.part).network->inputs(l);
    Page page(c, item, "S", title_of(c, item), m.bytes.value, Measure::bytes);
    page.field("w", "bytes of an element", c.part(m.part).work.element_bytes, Measure::bytes, fields::precision);
    const auto elements = [&](const char* symbol, const char* text, int layer) {
        page.link(symbol, text, static_cast<double>(c.facts(m.part, layer).out_elements), Measure::count,
                  Item{Topic::layer_output, m.part, layer});
    };
    page.samples(m.part, l);
    const double on_tensor = c.row(m.part, l).shares.inputs / c.context_share(m.part, l);
    std::string text = "w*b*";
    switch (m.carries) {
        case Carried::queries:
            elements("N", "elements of the queries", inputs[0]);
            text += 'N';
            break;
        case Carried::attention_output:
            elements("N", "elements of the output", l);
            text += 'N';
            break;
        case Carried::keys:
        case Carried::values: {
            const bool keys = m.carries == Carried::keys;
            elements("N", keys ? "elements of the keys" : "elements of the values", inputs[keys ? 1 : 2]);
            text += 'N';
            const double own = static_cast<double>(c.facts(m.part, l).along(ShardAlong::heads)) * on_tensor;
            if (std::fmod(std::round(own), static_cast<double>(c.degrees().context)) == 0) break;
            page.field("h", "heads of keys and values on a worker", own, Measure::count, fields::workload);
            page.note("Every worker has whole heads of keys and values, and one at least: some are repeated.");
            const std::string n = page.degree(MeshAxis::context);
            text += '*' + n + "*ceil(h/" + n + ")/h";
            break;
        }
        default:
            elements("N_k", "elements of the keys", inputs[1]);
            elements("N_v", "elements of the values", inputs[2]);
            text = (m.carries == Carried::keys_values_gradients ? "2*" : "") + text + "(N_k + N_v)";
    }
    text += page.share(m.part, l, on_tensor, true);
    if (m.message == Message::all_to_all) text += '/' + page.degree(MeshAxis::context);
    return page.formula(text).source(std::string(context_row(c.plan.parallelism.context_scheme).source));
}

}  // namespace

Page message_bytes_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    if (m.gradients) return gradient_bytes(c, item, m);
    if (m.weights) return gathered_bytes(c, item, m);
    if (m.message == Message::point_to_point) return border_bytes(c, item, m);
    const int l = m.layers.front();
    Page page(c, item, "S", title_of(c, item), m.bytes.value, Measure::bytes);
    const LayerFacts& f = c.facts(m.part, l);
    if (m.axis == MeshAxis::context && m.carries != Carried::output) return attention_bytes(c, item, m);
    if (m.axis == MeshAxis::expert) {
        page.field("w", "bytes of an element", c.part(m.part).work.element_bytes, Measure::bytes, fields::precision);
        page.field("k", "experts for each position", static_cast<double>(f.experts.chosen), Measure::count,
                   fields::workload);
        page.link("N_i", "elements of the input", static_cast<double>(f.in_elements), Measure::count,
                  Item{Topic::layer_inputs, m.part, l});
        page.samples(m.part, l);
        return page.formula("w*k*N_i*b" + page.share(m.part, l, c.row(m.part, l).shares.inputs))
            .note("Every position goes to the workers of its experts, and back; all experts have as many.")
            .source(expert_source);
    }
    if (m.carries == Carried::statistics) {
        const int read = c.part(m.part).network->reads(l).front();
        page.fact("bytes of a number", "4, FP32", fields::policy);
        page.link("N", "elements that the loss reads", static_cast<double>(c.facts(m.part, read).out_elements),
                  Measure::count, Item{Topic::layer_output, m.part, read});
        page.field("V", "classes", static_cast<double>(f.along(ShardAlong::vocabulary)), Measure::count,
                   fields::workload);
        page.samples(m.part, l);
        return page.formula("4*N/V*b" + page.share(m.part, l, c.context_share(m.part, l)))
            .source("One number for each row of classes: largest, sum, and that of the target");
    }
    page.field("w", "bytes of an element", c.part(m.part).work.element_bytes, Measure::bytes, fields::precision);
    if (m.carries == Carried::states) {
        page.field("u", "units", static_cast<double>(f.along(ShardAlong::units)), Measure::count, fields::workload);
        page.samples(m.part, l);
        return page.formula("w*u*b").source("One state: every gate of the next one reads all of it");
    }
    page.link("N", "elements of the tensor", static_cast<double>(f.out_elements), Measure::count,
              Item{Topic::layer_output, m.part, l});
    std::string text = "w*N*b";
    const auto ranks = [&](char sign) {
        text += sign + page.degree_factor(c.hybrid() ? MeshAxis::data : MeshAxis::tensor);
    };
    if (m.when == When::at_cut) {
        page.samples("b", "samples on the way at once", 3);
        return page.formula(text).source("The tensor at the cut, for the samples that move at once");
    }
    page.samples(m.part, l);
    // On one axis a worker sends what it has of the tensor on the other one.
    const LayerEstimate& row = c.row(m.part, l);
    const double positions =
        row.context_along && sharding_row(*row.context_along).outputs ? c.context_share(m.part, l) : 1;
    if (m.axis == MeshAxis::context)
        text += page.share(m.part, l, row.shares.outputs / positions, true);
    else if (positions != 1)
        text += page.share(m.part, l, positions);
    const bool columns =
        c.hybrid() || policy_of(c.plan.parallelism, c.estimate.point.strategy) == ShardingPolicy::columns;
    const double share = c.class_share(m.part, l), pieces = static_cast<double>(c.sharing()) * share;
    if (columns && m.message != Message::all_reduce && std::abs(pieces - 1) > 1e-12) {
        ranks('*');
        text += "*s";
        page.link("s", "share of the busiest worker", share, Measure::number, Item{Topic::share, m.part, l});
        page.note(
            "Uneven pieces: every step waits for the largest, so the buffer counts as one such piece for each worker.");
    }
    if (m.message == Message::all_to_all) {
        ranks('/');
        return page.formula(text).source("What one worker has of the tensor, a piece for each other one");
    }
    return page.formula(text).source("The whole tensor, once, whoever reads it");
}

}  // namespace scalescope::explaining
