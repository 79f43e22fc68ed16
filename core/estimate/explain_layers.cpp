// SPDX-License-Identifier: GPL-3.0-or-later
// One layer: its passes, its update, its share of the messages.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

constexpr const char* additive_source = "PALEO, Qi et al., ICLR 2017: arithmetic and memory traffic add up";
constexpr const char* roofline_source =
    "Roofline, Williams et al., CACM 2009: the longer of arithmetic and memory traffic";

std::string with_algorithm(const Context& c, int p, int l) {
    std::string s = c.plan.device.overlap_memory ? roofline_source : additive_source;
    if (c.facts(p, l).convolution) s += " · convolution as GEMM";
    return s;
}

/// Joins arithmetic, traffic and start-up as the scenario says: sum or maximum.
std::string join_times(Page& page, const std::string& compute, const std::string& memory, double operations = 1) {
    const Context& c = page.context();
    std::string text;
    if (!compute.empty() && !memory.empty() && c.plan.device.overlap_memory)
        text = "max(" + compute + ", " + memory + ")";
    else
        text = compute + (compute.empty() || memory.empty() ? "" : " + ") + memory;
    if (c.plan.device.launch.value > 0) {
        text += (text.empty() ? "" : " + ") + std::string(operations == 1 ? "t_0" : "N_l*t_0");
        if (operations != 1)
            page.field("N_l", "operations one after the other", operations, Measure::count, fields::workload);
        page.field("t_0", "start-up of an operation", c.plan.device.launch.value, Measure::seconds, fields::launch,
                   c.constant(fields::launch, Evidence::assumed));
    }
    return text;
}

void device_peak(Page& page) {
    const Context& c = page.context();
    const Precision precision = c.scenario.training.precision;
    page.field("P", std::string(name_of(precision)) + " peak of the " + c.scenario.cluster.device.name,
               c.scenario.cluster.device.peak_at(precision)->value, Measure::flop_rate, fields::peak(precision),
               c.peak_evidence());
    page.field("e", "share of peak reached", c.scenario.model.compute.value, Measure::percent, fields::compute,
               of_share(c, fields::compute, c.scenario.model.compute.value));
}

std::string wrap_product(const std::string& prefix, const std::string& sum) {
    return prefix.empty() ? sum : prefix + (sum.find(' ') == std::string::npos ? sum : '(' + sum + ')');
}

bool frozen(const Context& c, int p, int l) { return c.part(p).network->frozen(l, c.plan.training.frozen); }

/// Why a pass takes no time, with the control that would change it.
void explain_no_pass(Page& page, int p, int l, Pass pass) {
    const Context& c = page.context();
    const LayerFacts& f = c.facts(p, l);
    const Passes& passes = c.scenario.workload[static_cast<std::size_t>(p)].passes;
    const std::string kind(c.part(p).network->layers()[static_cast<std::size_t>(l)].kind->title);
    const auto because = [&](const char* reason, std::string_view field = fields::workload) {
        page.nothing(reason);
        if (field == fields::frozen)
            page.fact("weights", "frozen", field);
        else
            page.fact("kind of layer", kind, field);
    };
    if (f.division == Division::source)
        return because("Input data arrive free where they are needed; the input pipeline has a limit of its own.");
    if (f.division == Division::view)
        return because("The layer looks at the same bytes in another shape: nothing moves.");
    if (pass == Pass::forward)
        return because(passes.forward ? "The layer does nothing in forward."
                                      : "This step makes no forward pass over the network.");
    if (!passes.backward) return because("This step makes no backward pass over the network.");
    if (pass == Pass::grad_weights) {
        if (f.weights == 0) return because("The layer has no weights.");
        if (frozen(c, p, l)) return because("The weights are frozen.", fields::frozen);
        if (!passes.weights)
            return because("Gradients only pass through this network: its weights are not trained in this step.");
        return because("Its weights' gradients come out of the pass that gives its input's gradient.");
    }
    if (f.division == Division::weights && f.multiply_adds == 0)
        return because("It looks rows up by their number: a number has no gradient.");
    if (c.part(p).work.gradient_needed[static_cast<std::size_t>(l)] && f.grad_input.inputs + f.grad_input.outputs == 0)
        return because(
            "Nothing moves: the output's gradient is passed on to every input without a copy, or there is none.");
    because("Nothing before this layer needs its gradient.");
}

Page pass_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerEstimate& row = c.row(p, l);
    const auto k = static_cast<std::size_t>(l);
    const PassWork& work = c.part(p).work.pass[index_of(item.pass)];
    const Seconds time = item.pass == Pass::forward      ? row.forward
                         : item.pass == Pass::grad_input ? row.grad_input
                                                         : row.grad_weights;
    Page page(c, item, "t", title_of(c, item), time.value, Measure::seconds);
    page.source(with_algorithm(c, p, l));
    if (work.active[k] == 0) {
        explain_no_pass(page, p, l, item.pass);
        return page;
    }
    const double flops = work.flops[k] * row.shares.flops * row.samples;
    const double bytes = (work.inputs[k] * row.shares.inputs + work.outputs[k] * row.shares.outputs) * row.samples +
                         work.weights[k] * row.shares.weights;
    const std::string prefix = page.prefix(p, {true, true, c.in_back(p, l), c.staged()});
    std::string compute, memory;
    if (flops > 0) {
        compute = "F/(P*e)";
        page.link("F", "multiply and add", flops, Measure::flops, Item{Topic::layer_flops, p, l, item.pass});
        device_peak(page);
    }
    if (bytes > 0) {
        memory = "D/(W*e_m)";
        const Traffic& t = item.pass == Pass::forward      ? c.facts(p, l).forward
                           : item.pass == Pass::grad_input ? c.facts(p, l).grad_input
                                                           : c.facts(p, l).grad_weights;
        page.link("D",
                  t.weights > 0                   ? "input, weights, output"
                  : t.outputs > 0 && t.inputs > 0 ? "input and output"
                                                  : "bytes moved",
                  bytes, Measure::bytes, Item{Topic::layer_bytes, p, l, item.pass});
        page.device_memory();
    }
    page.formula(wrap_product(prefix, join_times(page, compute, memory, work.active[k])));
    if (flops > 0 && bytes > 0) {
        const bool arithmetic = flops / c.plan.device.arithmetic.value > bytes / c.plan.device.memory.value;
        if (c.plan.device.overlap_memory)
            page.note(arithmetic ? "Arithmetic takes longer; the memory traffic hides behind it."
                                 : "Memory traffic takes longer; the arithmetic hides behind it.");
    } else if (bytes > 0) {
        page.note("Priced by the bytes it moves: its few operations on each element hide behind them.");
    }
    if (c.in_back(p, l) && c.workers() > 1)
        page.note(c.slices() > 1
                      ? "Behind the cut: every worker computes its part of the outputs, slice by slice."
                      : "Behind the cut: every worker computes its part of the outputs for the samples of all.");
    return page;
}

Page update_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerEstimate& row = c.row(p, l);
    const PlanPart& part = c.part(p);
    if (c.estimate.servers && part.work.trained[static_cast<std::size_t>(l)] > 0)
        return server_layer_update_page(c, item);
    const double trained = part.work.trained[static_cast<std::size_t>(l)] * row.shares.weights;
    Page page(c, item, "t", title_of(c, item), row.update.value, Measure::seconds);
    page.source("Reads gradient, weight and optimizer state, writes weight and state; every layer is one operation");
    std::vector<Term> copies;
    for (const int owner : row.copies)
        if (const double n = part.work.trained[static_cast<std::size_t>(owner)] * c.row(p, owner).shares.weights; n > 0)
            copies.push_back({"copy of " + c.layer_name(p, owner), n, Item{Topic::layer_parameters, p, owner}});
    if (trained <= 0 && copies.empty()) {
        const LayerFacts& f = c.facts(p, l);
        const Passes& passes = c.scenario.workload[static_cast<std::size_t>(p)].passes;
        if (f.weights > 0 && frozen(c, p, l))
            return page.nothing("The weights are frozen.").fact("weights", "frozen", fields::frozen);
        if (f.weights > 0 && !(passes.backward && passes.weights && passes.update))
            return page.nothing("This step does not update the weights of this network.")
                .fact("passes", "without update", fields::workload);
        if (f.shares)
            return page.nothing("The weights are updated with the layer whose they are.")
                .fact("weights", c.layer_name(p, part.network->weights_owner(l)),
                      Item{Topic::layer_update, p, part.network->weights_owner(l)});
        return page.nothing("The layer has no weights.")
            .fact("kind of layer", std::string(part.network->layers()[static_cast<std::size_t>(l)].kind->title),
                  fields::workload);
    }
    const std::string prefix = page.prefix(p, {.count = true});
    std::string count = "N";
    const bool apart = row.shares.experts > 0 && c.estimate.states.of_optimizer(row.shares.experts) > 1;
    if (trained > 0 && !apart)
        page.link("N", "parameters", trained, Measure::count, Item{Topic::layer_parameters, p, l});
    if (!copies.empty()) {
        if (trained > 0) copies.insert(copies.begin(), {"parameters", trained, Item{Topic::layer_parameters, p, l}});
        count = copies.size() > 1 ? "(" : "";
        for (std::size_t i = 0; i < copies.size(); ++i) {
            const std::string symbol = "N_" + std::to_string(i + 1);
            count += (i > 0 ? " + " : "") + symbol;
            page.link(symbol, copies[i].name, copies[i].value, Measure::count, copies[i].item);
        }
        count += copies.size() > 1 ? ")" : "";
        page.note("Its stage holds a copy of weights that an earlier stage has too, and updates it as well.");
    }
    if (const double pieces = c.estimate.states.of_optimizer(row.shares.experts); pieces > 1) {
        if (row.shares.experts > 0) {
            count.clear();
            for (const Held held : {Held::beside, Held::experts}) {
                const Term t = held_parameters(c, p, l, held);
                const std::string symbol = held == Held::experts ? "N_e" : "N_r";
                if (t.value <= 0) continue;
                page.link(symbol, held == Held::experts ? "parameters of its experts" : "other parameters", t.value,
                          Measure::count, t.item);
                count += (count.empty() ? "(" : " + ") + symbol + '/' + page.sharing(held);
            }
            count += ')';
        } else {
            count += '/' + page.sharing();
        }
        page.note("Each rank updates the parameters whose optimizer state it keeps.");
    }
    page.field("f", "arithmetic for a parameter", c.plan.update.flops, Measure::flops, fields::optimizer);
    device_peak(page);
    page.field("d", "traffic for a parameter", c.plan.update.bytes, Measure::bytes, fields::optimizer);
    if (!c.scenario.training.fused_update)
        page.note("Not fused: each operation of the update reads its operands and writes its result.");
    page.device_memory();
    page.formula(wrap_product(prefix, join_times(page, count + "*f/(P*e)", count + "*d/(W*e_m)",
                                                 static_cast<double>(copies.empty() ? 1 : copies.size()))));
    return page;
}

/// Messages of a layer's tensors or gradients; a message of several layers is shared out by bytes.
Page messages_page(const Context& c, const Item& item) {
    const bool hidden = item.topic == Topic::layer_hidden;
    const int p = item.part, l = item.layer;
    const LayerEstimate& row = c.row(p, l);
    Page page(c, item, hidden ? "t_h" : "t_c", title_of(c, item), (hidden ? row.hidden : row.communication).value,
              Measure::seconds);
    page.source(hidden ? "What of its messages hides behind work; not part of the step"
                       : "What of its messages no work hides");
    std::string text;
    int n = 0;
    for (std::size_t i = 0; i < c.estimate.messages.size(); ++i) {
        const MessageEstimate& m = c.estimate.messages[i];
        if (m.part != p || std::find(m.layers.begin(), m.layers.end(), l) == m.layers.end()) continue;
        const double time = (hidden ? m.hidden : m.exposed).value;
        const std::string at = "_" + std::to_string(++n);
        Item because{hidden ? Topic::message_hidden : Topic::message_exposed, p};
        because.message = static_cast<int>(i);
        text += (text.empty() ? "t" : " + t") + at;
        page.link("t" + at, message_name(c, m), time, Measure::seconds, because, c.sending());
        if (m.layers.size() > 1) {
            const bool weights = m.message == Message::pull || m.weights;
            if (weights)
                page.field("w_p", "bytes of a weight", c.part(p).work.element_bytes, Measure::bytes, fields::precision);
            else
                page.field(
                    "w", "bytes of a gradient", c.part(p).work.gradient_element_bytes, Measure::bytes,
                    c.plan.parallelism.gradients == GradientFormat::as_weights ? fields::precision : fields::gradients);
            const double parameters =
                c.plan.paleo ? c.plan.paleo->parts[static_cast<std::size_t>(p)].parameters[static_cast<std::size_t>(l)]
                             : held_parameters(c, p, l, held_by(m)).value;
            Item count = held_parameters(c, p, l, held_by(m)).item;
            if (c.plan.paleo) count.index = 1;
            const bool of_experts = m.carries == Carried::experts;
            std::string carried = of_experts ? "N_e" : "N";
            if (m.weights && !of_experts && !row.copies.empty()) {  // its stage holds a copy for it
                carried = parameters > 0 ? "(N" : "(";
                for (std::size_t k = 0; k < row.copies.size(); ++k) {
                    const int owner = row.copies[k];
                    const std::string symbol = "N_" + std::to_string(k + 1);
                    carried += (carried == "(" ? "" : " + ") + symbol;
                    page.link(symbol, "copy of " + c.layer_name(p, owner),
                              static_cast<double>(c.facts(p, owner).parameters()) * c.row(p, owner).shares.weights,
                              Measure::count, Item{Topic::layer_parameters, p, owner});
                }
                carried += ')';
            }
            // Only the rank's shard of a sum over another axis is sent.
            const bool shard = m.axis != MeshAxis::data && !m.weights && c.estimate.states.of_gradients() > 1;
            text += std::string(weights ? "*w_p*" : "*w*") + carried +
                    (shard ? "/(" + page.sharing() + "*S" + at + ')' : "/S" + at);
            if (of_experts)
                page.link("N_e", "parameters of its experts", parameters, Measure::count, count);
            else if (carried == "N" || parameters > 0)
                page.link("N", "parameters", parameters, Measure::count, count);
            because.topic = Topic::message_bytes;
            page.link("S" + at, "bytes of the message", m.bytes.value, Measure::bytes, because);
            page.note(std::string("The message carries the ") + (weights ? "weights of " : "gradients of ") +
                      std::to_string(m.layers.size()) + " layers; its time is shared out by their bytes.");
        }
    }
    if (text.empty())
        page.nothing("Nothing of this layer is sent to another worker.")
            .fact("workers", format_count(c.workers()), fields::workers);
    else
        page.formula(text);
    return page;
}

/// The forward pass that the backward pass runs once more.
Page recompute_page(const Context& c, const Item& item) {
    const LayerEstimate& row = c.row(item.part, item.layer);
    const bool full = c.plan.parallelism.recompute == Recompute::blocks;
    Page page(c, item, "t_r", title_of(c, item), row.recompute.value, Measure::seconds);
    page.formula("t_f").link("t_f", "forward", row.forward.value, Measure::seconds,
                             Item{Topic::layer_pass, item.part, item.layer}, c.computing());
    page.fact("recomputed activations", full ? "blocks" : "attention", fields::recompute);
    if (full)
        return page.note("Only the inputs of its block are kept, so the backward pass recomputes the block.")
            .source("Chen et al., Training Deep Nets with Sublinear Memory Cost, arXiv:1604.06174");
    return page.note("Its scores are not kept, so the backward pass recomputes the layer.")
        .source("Selective recomputation: Korthikanti et al., MLSys 2023");
}

Page sum_of_passes(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerEstimate& row = c.row(p, l);
    const auto link = [&](Page& page, const char* symbol, const char* text, Seconds t, Topic topic,
                          Pass pass = Pass::forward) {
        page.formula(page.has_value() ? std::string(" + ") + symbol : symbol);
        page.link(symbol, text, t.value, Measure::seconds, Item{topic, p, l, pass},
                  topic == Topic::layer_communication ? c.sending() : c.computing());
    };
    if (item.topic == Topic::layer_backward) {
        Page page(c, item, "t_b", title_of(c, item), row.backward().value, Measure::seconds);
        page.source("Gradient to the inputs and gradient to the weights");
        const auto active = [&](Pass pass) {
            if (c.plan.paleo) return (pass == Pass::grad_input ? row.grad_input : row.grad_weights).value > 0;
            return c.part(p).work.pass[index_of(pass)].active[static_cast<std::size_t>(l)] > 0;
        };
        const bool weights = active(Pass::grad_weights);
        if (active(Pass::grad_input) || !weights)
            link(page, "t_x", "gradient to inputs", row.grad_input, Topic::layer_pass, Pass::grad_input);
        if (weights) link(page, "t_w", "gradient to weights", row.grad_weights, Topic::layer_pass, Pass::grad_weights);
        if (weights && !active(Pass::grad_input) && !c.plan.paleo)
            page.note("Nothing before this layer needs a gradient.");
        if (row.block < 0) return page;
        link(page, "t_r", "recomputed forward pass", row.recompute, Topic::layer_recompute);
        page.source("Gradient to the inputs, gradient to the weights, and the forward pass that both need again");
        return page;
    }
    const bool all = item.topic == Topic::layer;
    Page page(c, item, "t", title_of(c, item), (all ? row.total() : row.forward + row.backward()).value,
              Measure::seconds);
    link(page, "t_f", "forward", row.forward, Topic::layer_pass);
    link(page, "t_b", "backward", row.backward(), Topic::layer_backward);
    page.source("Parts of the layer's time in a step");
    if (!all) return page;
    if (row.update.value > 0) link(page, "t_u", "update", row.update, Topic::layer_update);
    if (row.communication.value > 0) link(page, "t_c", "communication", row.communication, Topic::layer_communication);
    if (row.hidden.value > 0)
        page.fact("hidden communication, not added", format_time(row.hidden), Item{Topic::layer_hidden, p, l});
    page.parts(c.layer_name(p, l), row.total().value, Measure::seconds,
               {{"Forward", row.forward.value, Item{Topic::layer_pass, p, l}},
                {"Backward", row.backward().value, Item{Topic::layer_backward, p, l}},
                {"Update", row.update.value, Item{Topic::layer_update, p, l}},
                {"Communication", row.communication.value, Item{Topic::layer_communication, p, l}}});
    return page;
}

}  // namespace

Page layer_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::layer_pass: return pass_page(c, item);
        case Topic::layer_update: return update_page(c, item);
        case Topic::layer_recompute: return recompute_page(c, item);
        case Topic::layer_communication:
        case Topic::layer_hidden: return messages_page(c, item);
        default: return sum_of_passes(c, item);
    }
}

}  // namespace scalescope::explaining
