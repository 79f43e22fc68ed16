// SPDX-License-Identifier: GPL-3.0-or-later
// One layer: its passes, its update, its share of the messages.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/scenario/names.hpp"

namespace scalescope::explaining {
namespace {

std::string source_of_pass(const Context& c, const LayerFacts& f) {
    const char* source = c.plan.device.overlap_memory
                             ? "Roofline, Williams et al., CACM 2009: the longer of arithmetic and memory traffic"
                             : "PALEO, Qi et al., ICLR 2017: arithmetic and memory traffic add up";
    return source + std::string(f.convolution ? " · convolution as GEMM" : "");
}

/// Arithmetic and traffic, if there are any, joined as the scenario says, by sum or maximum, and the start-up of
/// `operations`; `prefix` times.
std::string operation_text(Page& page, const std::string& prefix, const std::string& flops, const std::string& bytes,
                           double operations) {
    const Context& c = page.context();
    const Seconds launch = c.plan.device.launch;
    const std::string compute = flops.empty() ? "" : flops + "/(P*e)", memory = bytes.empty() ? "" : bytes + "/(W*e_m)";
    if (!flops.empty()) page.device_peak();
    if (!bytes.empty()) page.device_memory();
    std::string text = compute + (compute.empty() || memory.empty() ? "" : " + ") + memory;
    if (!compute.empty() && !memory.empty() && c.plan.device.overlap_memory)
        text = "max(" + compute + ", " + memory + ")";
    if (launch.value > 0) {
        text += (text.empty() ? "" : " + ") + std::string(operations == 1 ? "t_0" : "N_l*t_0");
        if (operations != 1) page.give({"N_l", "operations one after the other", operations, fields::workload});
        page.give({"t_0", "start-up of an operation", launch, fields::launch});
    }
    return prefix.empty() ? text : prefix + wrapped(text);
}

bool frozen(const Context& c, int p, int l) { return c.part(p).network->frozen(l, c.plan.training.frozen); }
const Passes& passes_of(const Context& c, int p) { return c.scenario.workload[static_cast<std::size_t>(p)].passes; }
std::string kind_of(const Context& c, int p, int l) {
    return std::string(c.part(p).network->layers()[static_cast<std::size_t>(l)].kind->title);
}

/// Why a pass takes no time, with the control that would change it.
Page& explain_no_pass(Page& page) {
    const Context& c = page.context();
    const int p = page.item().part, l = page.item().layer;
    const LayerFacts& f = c.facts(p, l);
    const Passes& passes = passes_of(c, p);
    const Pass pass = page.item().pass;
    const bool forward = pass == Pass::forward, weights = pass == Pass::grad_weights,
               needed = c.part(p).work.gradient_needed[static_cast<std::size_t>(l)] != 0;
    const std::pair<bool, const char*> reasons[] = {
        {f.division == Division::source,
         "Input data arrive free where they are needed; the input pipeline has a limit of its own."},
        {f.division == Division::view, "The layer looks at the same bytes in another shape: nothing moves."},
        {forward && passes.forward, "The layer does nothing in forward."},
        {forward, "This step makes no forward pass over the network."},
        {!passes.backward, "This step makes no backward pass over the network."},
        {weights && f.weights == 0, "The layer has no weights."},
        {weights && frozen(c, p, l), "The weights are frozen."},
        {weights && !passes.weights,
         "Gradients only pass through this network: its weights are not trained in this step."},
        {weights, "Its weights' gradients come out of the pass that gives its input's gradient."},
        {f.division == Division::weights && f.multiply_adds == 0,
         "It looks rows up by their number: a number has no gradient."},
        {needed && f.grad_input.inputs + f.grad_input.outputs == 0,
         "Nothing moves: the output's gradient is passed on to every input without a copy, or there is none."},
        {true, "Nothing before this layer needs its gradient."}};
    const char* reason =
        std::find_if(std::begin(reasons), std::end(reasons), [](const auto& r) { return r.first; })->second;
    if (reason == std::string_view("The weights are frozen."))
        return page.nothing(reason, "weights", "frozen", fields::frozen);
    return page.nothing(reason, "kind of layer", kind_of(c, p, l), fields::workload);
}

Page pass_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    Page page(c, item, "t", time_of(c.row(p, l), Topic::layer_pass, item.pass));
    page.source(source_of_pass(c, c.facts(p, l)));
    const double operations = c.part(p).work.pass[index_of(item.pass)].active[static_cast<std::size_t>(l)];
    if (operations == 0) return explain_no_pass(page);
    const Flops flops = flops_of(c, item);
    const Bytes bytes = bytes_of(c, item);
    const std::string prefix = page.prefix(p, {true, true, c.in_back(p, l), c.staged()});
    if (flops.value > 0) page.give({"F", "multiply and add", flops, Topic::layer_flops});
    const Traffic& t = traffic_of(c.facts(p, l), item.pass);
    const char* moved = t.weights > 0                   ? "input, weights, output"
                        : t.outputs > 0 && t.inputs > 0 ? "input and output"
                                                        : "bytes moved";
    if (bytes.value > 0) page.give({"D", moved, bytes, Topic::layer_bytes});
    page.formula(operation_text(page, prefix, flops.value > 0 ? "F" : "", bytes.value > 0 ? "D" : "", operations));
    if (flops.value <= 0 && bytes.value > 0)
        page.note("Priced by the bytes it moves: its few operations on each element hide behind them.");
    else if (flops.value > 0 && bytes.value > 0 && c.plan.device.overlap_memory)
        page.note(flops / c.plan.device.arithmetic > bytes / c.plan.device.memory
                      ? "Arithmetic takes longer; the memory traffic hides behind it."
                      : "Memory traffic takes longer; the arithmetic hides behind it.");
    if (c.in_back(p, l))
        page.note(c.slices() > 1
                      ? "Behind the cut: every worker computes its part of the outputs, slice by slice."
                      : "Behind the cut: every worker computes its part of the outputs for the samples of all.");
    return page;
}

Page& explain_no_update(Page& page, int p, int l) {
    const Context& c = page.context();
    const LayerFacts& f = c.facts(p, l);
    const Passes& passes = passes_of(c, p);
    if (f.weights > 0 && frozen(c, p, l))
        return page.nothing("The weights are frozen.", "weights", "frozen", fields::frozen);
    if (f.weights > 0 && !(passes.backward && passes.weights && passes.update))
        return page.nothing("This step does not update the weights of this network.", "passes", "without update",
                            fields::workload);
    const int owner = c.part(p).network->weights_owner(l);
    if (f.shares)
        return page.nothing("The weights are updated with the layer whose they are.", "weights", c.layer_name(p, owner),
                            Item{Topic::layer_update, p, owner});
    return page.nothing("The layer has no weights.", "kind of layer", kind_of(c, p, l), fields::workload);
}

/// Parameters that the busiest rank updates, as a factor: "N", "(N_1 + N_2)/n_d", "(N_r/n_d + N_e/n_x)".
std::string updated_text(Page& page, const std::vector<Term>& terms) {
    const Context& c = page.context();
    const LayerEstimate& row = c.row(page.item().part, page.item().layer);
    const bool pieces = c.estimate.states.of_optimizer(row.shares.experts) > 1;
    if (pieces) page.note("Each rank updates the parameters whose optimizer state it keeps.");
    if (pieces && row.shares.experts > 0) {
        std::string text;
        for (const Held held : {Held::beside, Held::experts}) {
            const bool experts = held == Held::experts;
            const Term t = held_parameters(c, row.part, row.position, held);
            if (t.value <= 0) continue;
            text += (text.empty() ? "(" : " + ") +
                    page.joined({{experts ? "N_e" : "N_r", experts ? "parameters of its experts" : "other parameters",
                                  t.value, t.item}}) +
                    '/' + page.sharing(held);
        }
        return text + ')';
    }
    std::vector<Given> given;
    for (const Term& t : terms)
        given.push_back({row.copies.empty() ? "N" : "N_" + std::to_string(given.size() + 1), t.name, t.value, t.item});
    return wrapped(page.joined(std::move(given))) + (pieces ? '/' + page.sharing() : "");
}

Page update_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerEstimate& row = c.row(p, l);
    const auto& trained = c.part(p).work.trained;
    Page page(c, item, "t", row.update);
    page.source("Reads gradient, weight and optimizer state, writes weight and state; every layer is one operation");
    auto terms = with_copies(c, row, Held::all);
    terms[0].name = "parameters";
    std::erase_if(terms, [&](const Term& t) { return trained[static_cast<std::size_t>(t.item.layer)] * t.value <= 0; });
    if (terms.empty()) return explain_no_update(page, p, l);
    const std::string prefix = page.prefix(p, {.count = true}), count = updated_text(page, terms);
    if (!row.copies.empty())
        page.note("Its stage holds a copy of weights that an earlier stage has too, and updates it as well.");
    page.give({"f", "arithmetic for a parameter", Flops{c.plan.update.flops}, fields::optimizer})
        .device_peak()
        .give({"d", "traffic for a parameter", Bytes{c.plan.update.bytes}, fields::optimizer});
    if (!c.scenario.training.fused_update)
        page.note("Not fused: each operation of the update reads its operands and writes its result.");
    return page.formula(operation_text(page, prefix, count + "*f", count + "*d", static_cast<double>(terms.size())));
}

/// What the layer's bytes are of message `m`, as a factor; `at` tells the messages of a page apart.
std::string share_of_message(Page& page, const MessageEstimate& m, int message, const std::string& at) {
    const Context& c = page.context();
    const int p = page.item().part, l = page.item().layer;
    const bool weights = m.message == Message::pull || m.weights, experts = m.carries == Carried::experts,
               piece = held_by(c, m, l) == Held::piece;
    if (weights)
        page.give({"w_p", "bytes of a weight", Bytes{c.part(p).work.element_bytes}, fields::precision});
    else
        page.gradient_bytes(p);
    std::vector<Term> terms{held_parameters(c, p, l, held_by(c, m, l))};
    if (m.weights && !experts) terms = with_copies(c, c.row(p, l), held_by(c, m, l));
    if (c.plan.paleo) {
        terms[0].value = c.plan.paleo->parts[static_cast<std::size_t>(p)].parameters[static_cast<std::size_t>(l)];
        terms[0].item.index = 1;
    }
    std::vector<Given> carried;
    for (std::size_t i = 0; i < terms.size(); ++i)
        if (i > 0)
            carried.push_back({"N_" + std::to_string(i), terms[i].name, terms[i].value, terms[i].item});
        else if (terms[i].value > 0 || terms.size() == 1)
            carried.push_back({experts ? "N_e"
                               : piece ? "N_p"
                                       : "N",
                               experts ? "parameters of its experts"
                               : piece ? "parameters of a piece"
                                       : "parameters",
                               terms[i].value, terms[i].item});
    std::string text = (weights ? "*w_p*" : "*w*") + wrapped(page.joined(std::move(carried)));
    // Only the rank's shard of a sum over another axis is sent.
    const bool shard = sends_shards(c, m);
    text += shard ? "/(" + page.sharing(held_by(c, m, m.layers.front())) + "*S" + at + ')' : "/S" + at;
    page.give({"S" + at, "bytes of the message", m.bytes, of_message(Topic::message_bytes, p, message)});
    page.note(std::string("The message carries the ") + (weights ? "weights of " : "gradients of ") +
              std::to_string(m.layers.size()) + " layers; its time is shared out by their bytes.");
    return text;
}

/// Messages of a layer's tensors or gradients; a message of several layers is shared out by bytes.
Page messages_page(const Context& c, const Item& item) {
    const bool hidden = item.topic == Topic::layer_hidden;
    const LayerEstimate& row = c.row(item.part, item.layer);
    Page page(c, item, hidden ? "t_h" : "t_c", hidden ? row.hidden : row.communication);
    page.source(hidden ? "What of its messages hides behind work; not part of the step"
                       : "What of its messages no work hides");
    std::string text;
    const auto terms =
        message_terms(c, hidden ? Topic::message_hidden : Topic::message_exposed, [&](const MessageEstimate& m) {
            return m.part == item.part && std::find(m.layers.begin(), m.layers.end(), item.layer) != m.layers.end();
        });
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const std::string at = "_" + std::to_string(i + 1);
        const MessageEstimate& m = c.message(terms[i].item.message);
        text +=
            (i == 0 ? "" : " + ") + page.joined({{"t" + at, terms[i].name, Seconds{terms[i].value}, terms[i].item}});
        if (m.layers.size() > 1) text += share_of_message(page, m, terms[i].item.message, at);
    }
    if (!text.empty()) return page.formula(text);
    return page.nothing("Nothing of this layer is sent to another worker.", "workers", format_count(c.workers()),
                        fields::workers);
}

/// The forward pass that the backward pass runs once more.
Page recompute_page(const Context& c, const Item& item) {
    const LayerEstimate& row = c.row(item.part, item.layer);
    const bool full = c.plan.point.recompute != Recompute::attention;
    return Page(c, item, "t_r", row.recompute)
        .formula("t_f")
        .give({"t_f", "forward", row.forward, Item{Topic::layer_pass, item.part, item.layer}})
        .fact("recomputed activations", std::string(choice_name(c.plan.point.recompute)), fields::recompute)
        .note(full ? "Only the inputs of its block are kept, so the backward pass recomputes the block."
                   : "Its scores are not kept, so the backward pass recomputes the layer.")
        .source(full ? "Chen et al., Training Deep Nets with Sublinear Memory Cost, arXiv:1604.06174"
                     : "Selective recomputation: Korthikanti et al., MLSys 2023");
}

Page backward_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerEstimate& row = c.row(p, l);
    const auto active = [&](Pass pass) {
        if (c.plan.paleo) return time_of(row, Topic::layer_pass, pass).value > 0;
        return c.part(p).work.pass[index_of(pass)].active[static_cast<std::size_t>(l)] > 0;
    };
    const bool weights = active(Pass::grad_weights), inputs = active(Pass::grad_input), again = row.block >= 0;
    std::vector<Given> passes;
    if (inputs || !weights)
        passes.push_back(
            {"t_x", "gradient to inputs", row.grad_input, Item{Topic::layer_pass, p, l, Pass::grad_input}});
    if (weights)
        passes.push_back(
            {"t_w", "gradient to weights", row.grad_weights, Item{Topic::layer_pass, p, l, Pass::grad_weights}});
    if (again) passes.push_back({"t_r", "recomputed forward pass", row.recompute, Topic::layer_recompute});
    Page page(c, item, "t_b", row.backward());
    page.formula(page.joined(std::move(passes)))
        .source(again ? "Gradient to the inputs, gradient to the weights, and the forward pass that both need again"
                      : "Gradient to the inputs and gradient to the weights");
    if (weights && !inputs && !c.plan.paleo) page.note("Nothing before this layer needs a gradient.");
    return page;
}

/// All of a layer, or its passes alone.
Page sum_of_passes(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerEstimate& row = c.row(p, l);
    std::vector<Given> all{{"t_f", "forward", row.forward, Item{Topic::layer_pass, p, l}},
                           {"t_b", "backward", row.backward(), Item{Topic::layer_backward, p, l}},
                           {"t_u", "update", row.update, Item{Topic::layer_update, p, l}},
                           {"t_c", "communication", row.communication, Item{Topic::layer_communication, p, l}}};
    const bool whole = item.topic == Topic::layer;
    std::vector<Term> parts;
    for (const Given& g : all) parts.push_back({capital(g.text), g.value.value, *g.because.item});
    for (std::size_t i = 4; i-- > 2;)
        if (!whole || all[i].value.value <= 0) all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    Page page(c, item, "t", whole ? row.total() : row.forward + row.backward());
    page.formula(page.joined(std::move(all))).source("Parts of the layer's time in a step");
    if (whole && row.hidden.value > 0)
        page.fact("hidden communication, not added", format_time(row.hidden), Topic::layer_hidden);
    return whole ? page.parts(c.layer_name(p, l), row.total().value, Measure::seconds, std::move(parts)) : page;
}

}  // namespace

Page layer_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::layer_pass: return pass_page(c, item);
        case Topic::layer_backward: return backward_page(c, item);
        case Topic::layer_update: return update_page(c, item);
        case Topic::layer_recompute: return recompute_page(c, item);
        case Topic::layer_communication:
        case Topic::layer_hidden: return messages_page(c, item);
        default: return sum_of_passes(c, item);
    }
}

}  // namespace scalescope::explaining
