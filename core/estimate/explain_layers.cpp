// SPDX-License-Identifier: GPL-3.0-or-later
// One layer: its passes, its update, its share of the messages; the arithmetic, bytes and parameters behind them, and
// what of them one worker has.
#include "core/base/format.hpp"
#include "core/estimate/explain_rows.hpp"

namespace scalescope::explaining {
namespace {

bool frozen(A x) { return x.c.part(x.part()).network->frozen(x.layer(), x.c.plan.training.frozen); }
const Passes& passes_of(A x) { return x.scenario().workload[static_cast<std::size_t>(x.part())].passes; }
int owner(A x) { return x.c.part(x.part()).network->weights_owner(x.layer()); }
template <Topic topic>
constexpr auto of_owner = [](A x) {
    return Item{topic, x.part(), owner(x)};
};
constexpr auto weights_pass = [](A x) { return x.item.pass == Pass::grad_weights; };
std::size_t at(A x) { return static_cast<std::size_t>(x.layer()); }

/// Trained parameters that the layer's stage updates for it, with copies of others.
Terms updated(A x) {
    auto terms = with_copies(x.c, x.row(), Held::all);
    terms[0].name = "parameters";
    const auto& trained = x.c.part(x.part()).work.trained;
    std::erase_if(terms, [&](const Term& t) { return trained[static_cast<std::size_t>(t.item.layer)] * t.value <= 0; });
    return terms;
}
bool in_pieces(A x) { return x.e().states.of_optimizer(x.row().shares.experts) > 1; }
/// Those that the busiest rank updates: "N", "(N_1 + N_2)/n_d", "(N_r/n_d + N_e/n_x)".
std::string updated_text(A x, Page& page) {
    if (in_pieces(x) && x.row().shares.experts > 0) return "(N_r/n_d + N_e/n_x)";
    std::vector<Given> given;
    for (const Term& t : updated(x))
        given.push_back(
            {x.row().copies.empty() ? "N" : "N_" + std::to_string(given.size() + 1), t.name, t.value, t.item});
    return '(' + page.joined(std::move(given)) + ')' + (in_pieces(x) ? "/n_d" : "");
}

bool on_hosts(A x) { return !x.e().servers && x.c.plan.update.on_host > 0; }

/// What the layer's bytes are of message `m`, as a factor; `place` tells the messages of a page apart.
std::string share_of_message(A x, Page& page, const MessageEstimate& m, int message, const std::string& place) {
    const Context& c = x.c;
    const int p = x.part(), l = x.layer();
    const bool weights = m.message == Message::pull || m.weights, experts = m.carries == Carried::experts,
               piece = held_by(c, m, l) == Held::piece;
    Terms terms{held_parameters(c, p, l, held_by(c, m, l))};
    if (m.weights && !experts) terms = with_copies(c, c.row(p, l), held_by(c, m, l));
    if (c.plan.paleo) {
        terms[0].value = c.plan.paleo->parts[static_cast<std::size_t>(p)].parameters[static_cast<std::size_t>(l)];
        terms[0].item.index = 1;
    }
    terms[0].name = experts ? "parameters of its experts" : piece ? "parameters of a piece" : "parameters";
    std::vector<Given> carried;
    for (std::size_t i = 0; i < terms.size(); ++i)
        if (const std::string own = experts ? "N_e"
                                    : piece ? "N_p"
                                            : "N";
            i > 0 || terms[0].value > 0 || terms.size() == 1)
            carried.push_back({i > 0 ? "N_" + std::to_string(i) : own, terms[i].name, terms[i].value, terms[i].item});
    std::string text = (weights ? "*w.weight*(" : "*w_g*(") + page.joined(std::move(carried)) + ')';
    // Only the rank's shard of a sum over another axis is sent.
    const std::string_view ranks = sharing_of(c, m);
    text += ranks.empty() ? "/S" + place : "/(" + std::string(ranks) + "*S" + place + ')';
    page.give({"S" + place, "bytes of the message", m.bytes, of_message(Topic::message_bytes, p, message)});
    page.note(std::string("The message carries the ") + (weights ? "weights of " : "gradients of ") +
              std::to_string(m.layers.size()) + " layers; its time is shared out by their bytes.");
    return text;
}

/// Messages of the layer's tensors or gradients; one of several layers is shared out by bytes.
std::string messages_text(A x, Page& page, Topic topic) {
    std::string text;
    int messages = 0;
    for (const Term& t : message_terms(x.c, topic, [&](const MessageEstimate& m) {
             return m.part == x.part() && std::ranges::count(m.layers, x.layer()) > 0;
         })) {
        const std::string place = "_" + std::to_string(++messages);
        const MessageEstimate& m = x.c.message(t.item.message);
        text += (text.empty() ? "" : " + ") + page.joined({{"t" + place, t.name, Seconds{t.value}, t.item}});
        if (m.layers.size() > 1) text += share_of_message(x, page, m, t.item.message, place);
    }
    return text.empty() ? "nothing" : '(' + text + ')';
}

constexpr auto recomputes = [](A x) { return computed_again(x.c, x.part(), x.layer()); };
constexpr auto part_again = [](A x) { return !x.c.part(x.part()).work.again[at(x)].all; };
constexpr auto forward_by_shape = [](A x) {
    const Item forward{Topic::layer_pass, x.part(), x.layer(), Pass::forward};
    return priced_by_shape({x.c, forward});
};
constexpr auto in_back = [](A x) { return x.c.in_back(x.part(), x.layer()); };
constexpr auto fused_by_shape = [](A x) { return priced_by_shape(x) && x.facts().fused_attention; };
constexpr auto device_share = [](A x) {
    return !priced_by_shape(x) && x.scenario().model.compute.value == 0 && flops_of(x.c, x.item).value > 0 &&
           measured_share(x.scenario().cluster.device);
};
/// Bytes that a part of the layer moves which is recomputed alone.
Bytes part_bytes(A x) {
    const PassWork& w = x.c.part(x.part()).work.part;
    const LayerShares& s = x.row().shares;
    return Bytes{(w.inputs[at(x)] * s.inputs + w.outputs[at(x)] * s.outputs) * x.row().samples +
                 w.weights[at(x)] * s.weights};
}
Flops part_flops(A x) {
    return Flops{x.c.part(x.part()).work.part.flops[at(x)] * x.row().shares.flops * x.row().samples};
}
constexpr auto arithmetic_longer = [](A x) {
    const DeviceRates& rates = x.c.plan.device;
    const double own = narrow(x) ? 1 / rates.narrow->speedup : 1.0;
    return own * (flops_of(x.c, x.item) / rates.arithmetic) > bytes_of(x.c, x.item) / rates.memory_elsewhere();
};

constexpr const char* module_source = "Recomputation by module: Megatron Core, recompute_modules";

const Hole layer_holes[] = {
    {"owner", [](A x) { return x.c.layer_name(x.part(), owner(x)); }},
    {"layer", [](A x) { return x.c.layer_name(x.part(), x.layer()); }},
    {"moved", [](A x) { return moves_of(x).weights > 0; }, "input, weights, output",
     [](A x) { return moves_of(x).outputs > 0 && moves_of(x).inputs > 0; }, "input and output", "bytes moved"},
    {"roofline", roofline, "Roofline, Williams et al., CACM 2009: the longer of arithmetic and memory traffic{as GEMM}",
     "PALEO, Qi et al., ICLR 2017: arithmetic and memory traffic add up{as GEMM}"},
    {"as GEMM", &LayerFacts::convolution, " · convolution as GEMM", ""},
    {"what hides", arithmetic_longer, "Arithmetic takes longer; the memory traffic hides behind it.",
     "Memory traffic takes longer; the arithmetic hides behind it."},
    {"alone",
     [](A x) { return format_percent(Fraction{x.scenario().cluster.device.sustained_matrix_fraction.value_or(0)}); }},
    {"how", [](A x) { return x.c.slices() > 1; }, ", slice by slice", " for the samples of all"},
    {"updated", updated_text},
    {"on device", on_hosts, "k_d*(", ""},
    {"on hosts", on_hosts, ") + {updated}*o.host*(w_h/W_h + d_h/W_m)*k_w", ""},
    {"P", narrow, "P_n", "P"},
    {"products", products_text},
    {"exposed messages", [](A x, Page& page) { return messages_text(x, page, Topic::message_exposed); }},
    {"hidden messages", [](A x, Page& page) { return messages_text(x, page, Topic::message_hidden); }},
};

}  // namespace

Room layer_room() {
    using enum Topic;
    static const Figure all[] = {
        {"t.layer", "layer", &LayerEstimate::total, layer, is("t_f.l + t_b.l + t_u.l + t_c.l"),
         note("What work hides is not added.|t_h.l", [](Row r) { return r.hidden.value > 0; }),
         stack("{layer}: t_f.l t_b.l t_u.l t_c.l")},
        {"t.compute", "compute", [](Row r) { return r.forward + r.backward(); }, layer_compute, is("t_f.l + t_b.l")},
        {"t_f.l", "forward", &LayerEstimate::forward, layer_in<Pass::forward>},
        {"t_b.l", "backward", &LayerEstimate::backward, layer_backward, is("t_x.l + t_w.l + t_r", recomputes),
         is("t_x.l + t_w.l"),
         note("Nothing before this layer needs a gradient.",
              [](A x) { return x.row().grad_input.value <= 0 && !x.c.plan.paleo && !x.c.plan.cpu; }),
         nothing("No gradient passes through this layer.")},
        {"+t_x.l", "gradient to inputs", &LayerEstimate::grad_input, layer_in<Pass::grad_input>},
        {"+t_w.l", "gradient to weights", &LayerEstimate::grad_weights, layer_in<Pass::grad_weights>},
        {"t_r", "recomputed forward pass", &LayerEstimate::recompute, layer_recompute,
         is("t_f.l/2 + a*M*c*N_l.again*t_0.k/2",
            [](A x) { return part_again(x) && forward_by_shape(x) && x.c.part(x.part()).work.again[at(x)].half; }),
         note("Half of its output is recomputed.|parallelism.recompute"), source(module_source),
         is("a*M*c*(max(F.part/({P}*e), D.part*k_m/(W*e_m)) + N_l.part*t_0)",
            [](A x) { return part_again(x) && roofline(x); }),
         note("Only a part of the layer is recomputed.|parallelism.recompute"), source(module_source),
         is("a*M*c*(F.part/({P}*e) + D.part*k_m/(W*e_m) + N_l.part*t_0)", part_again),
         note("Only a part of the layer is recomputed.|parallelism.recompute"), source(module_source),
         is("t_f.l", whole_blocks),
         note("Only its block's inputs are kept: the backward pass recomputes the rest.|parallelism.recompute"),
         source("Chen et al., Training Deep Nets with Sublinear Memory Cost, arXiv:1604.06174"),
         is("t_f.l", by_modules),
         note("What it makes is not kept for the backward pass, which recomputes the layer.|parallelism.recompute"),
         source(module_source), is("t_f.l"),
         note("Its scores are not kept, so the backward pass recomputes the layer.|parallelism.recompute"),
         source("Selective recomputation: Korthikanti et al., MLSys 2023")},
        {"+t_u.l", "update", &LayerEstimate::update, layer_update,
         note("Each rank updates the parameters whose optimizer state it keeps.",
              [](A x) { return x.row().update.value > 0 && in_pieces(x); }),
         note("Its stage holds a copy of weights that an earlier stage has too, and updates it as well.",
              [](Row r) { return !r.copies.empty(); }),
         note("Not fused: each operation of the update reads its operands and writes its result.",
              [](A x) { return !x.scenario().training.fused_update; }),
         note("A parameter's traffic holds the casts of narrow weights, spread over all parameters.|training.precision",
              [](A x) { return x.c.plan.device.narrow.has_value(); }),
         note("Hosts update the weights whose optimizer states they keep: gradients travel there, updated weights back "
              "(ZeRO-Offload: Ren et al., USENIX ATC 2021).|parallelism.offload_states",
              on_hosts),
         is("c*({on device}max({updated}*f/(P*e), {updated}*d/(W*e_m)){on hosts} + N_l.u*t_0)", roofline),
         is("c*({on device}{updated}*f/(P*e) + {updated}*d/(W*e_m){on hosts} + N_l.u*t_0)"),
         nothing("The weights are updated with those of {owner}.|t.owner", &LayerFacts::shares),
         nothing("The layer has no weights.", [](Facts f) { return f.weights == 0; }),
         nothing("This step does not update the weights of this network.", [](A x) { return !frozen(x); }),
         nothing("The weights are frozen.|training.frozen", [](A x) { return passes_of(x).backward; }),
         nothing("This step makes no backward pass over the network.|training.frozen"),
         source("Reads gradient, weight and optimizer state, writes weight and state; every layer is one operation")},
        {"+t_c.l", "communication", &LayerEstimate::communication, layer_communication, is("{exposed messages}"),
         nothing("Nothing of this layer is waited for.|cluster.workers")},
        {"t_h.l", "hidden communication", &LayerEstimate::hidden, layer_hidden, is("{hidden messages}"),
         nothing("Nothing of this layer is sent behind work.|cluster.workers")},
        // a pass
        {"t.pass",
         "one pass",
         [](A x) { return time_of(x.row(), layer_pass, x.item.pass); },
         layer_pass,
         note("Priced by the bytes it moves: its few operations on each element hide behind them.",
              [](A x) { return flops_of(x.c, x.item).value <= 0 && bytes_of(x.c, x.item).value > 0; }),
         note("Behind the cut: every worker computes its part of the outputs{how}.", in_back),
         note("No share of peak is set: 16-bit products reach {alone} on this device by themselves, and a tenth less "
              "within training steps.|model.compute",
              [](A x) { return device_share(x) && !x.scenario().cluster.device.training_matrix_fraction; }),
         note("No share of peak is set: this is what 16-bit products reach within training steps on this "
              "device.|model.compute",
              [](A x) { return device_share(x) && x.scenario().cluster.device.training_matrix_fraction; }),
         is("a*M*g.l*c*({products} + N_l*t_0.k)", fused_by_shape),
         note("Its backward pass has 2.5 times the arithmetic of its forward pass, at a lower rate.|model.attention",
              [](A x) { return x.item.pass != Pass::forward; }),
         source("Speed of the attention kernel: see the device's entry in the catalogue"),
         is("a*M*g.l*c*({products} + D_x/(W*e_m) + N_l*t_0.k)", priced_by_shape),
         note("Priced by the shapes of its products; what it moves besides is added."),
         source("Tiles and waves of matrix products, fitted to measured ones"),
         is("a*M*g.l*c*(max(F/(P_n*e), D*k_m/(W*e_m)) + N_l*t_0)", [](A x) { return narrow(x) && roofline(x); }),
         note("{what hides}", [](A x) { return flops_of(x.c, x.item).value > 0; }),
         source("{roofline}"),
         is("a*M*g.l*c*(F/(P_n*e) + D*k_m/(W*e_m) + N_l*t_0)", narrow),
         source("{roofline}"),
         is("a*M*g.l*c*(max(F/(P*e), D*k_m/(W*e_m)) + N_l*t_0)", roofline),
         note("{what hides}", [](A x) { return flops_of(x.c, x.item).value > 0 && bytes_of(x.c, x.item).value > 0; }),
         is("a*M*g.l*c*(F/(P*e) + D*k_m/(W*e_m) + N_l*t_0)"),
         nothing("The weights are frozen.|training.frozen",
                 [](A x) { return weights_pass(x) && passes_of(x).backward && x.facts().weights > 0 && frozen(x); }),
         nothing("Input data arrive free where they are needed; the input pipeline has a limit of its own.",
                 [](Facts f) { return f.division == Division::source; }),
         nothing("The layer looks at the same bytes in another shape: nothing moves.",
                 [](Facts f) { return f.division == Division::view; }),
         nothing("The layer does nothing in forward.",
                 [](A x) { return x.item.pass == Pass::forward && passes_of(x).forward; }),
         nothing("This step makes no forward pass over the network.", [](A x) { return x.item.pass == Pass::forward; }),
         nothing("This step makes no backward pass over the network.", [](A x) { return !passes_of(x).backward; }),
         nothing("The layer has no weights.", [](A x) { return weights_pass(x) && x.facts().weights == 0; }),
         nothing("Gradients only pass through this network: its weights are not trained in this step.",
                 [](A x) { return weights_pass(x) && !passes_of(x).weights; }),
         nothing("Its weights' gradients come out of the pass that gives its input's gradient.", weights_pass),
         nothing("It looks rows up by their number: a number has no gradient.",
                 [](Facts f) { return f.division == Division::weights && f.multiply_adds == 0; }),
         nothing("Nothing moves: the output's gradient is passed on to every input without a copy, or there is none.",
                 [](A x) {
                     return x.c.part(x.part()).work.gradient_needed[at(x)] != 0 &&
                            x.facts().grad_input.inputs + x.facts().grad_input.outputs == 0;
                 }),
         nothing("Nothing before this layer needs its gradient."),
         source("{roofline}")},
        {"t.owner", "update", nullptr, of_owner<layer_update>},
        {"N.owner", "weights", nullptr, of_owner<layer_parameters>},
        {"*g.l", "slices", [](A x) { return in_back(x) ? x.c.slices() : std::int64_t{1}; }, slices, "cluster.workers"},
        {"*N_l", "operations one after the other", [](A x) { return x.work().active[at(x)]; }},
        {"F.part", "arithmetic of the part", part_flops},
        {"D.part", "bytes of the part", part_bytes},
        {"*N_l.again", "operations one after the other",
         [](A x) { return x.c.part(x.part()).work.pass[0].active[at(x)]; }},
        {"*N_l.part", "operations one after the other", [](A x) { return x.c.part(x.part()).work.part.active[at(x)]; }},
        {"o.host", "share of the states on the host", "parallelism.offload_states"},
        {"*k_d", "share of the states on the device", [](A x) { return 1 - x.c.plan.update.on_host; },
         "parallelism.offload_states"},
        {"w_h", "bytes of a gradient and a weight",
         [](A x) {
             const Work& work = x.c.part(x.part()).work;
             return Bytes{work.summed_gradient_bytes() + work.element_bytes};
         },
         "parallelism.gradients"},
        {"W_h", "link to the host", [](A x) { return x.c.plan.links.host; }, "cluster.host_link_gb_s"},
        {"W_m", "memory of the host", [](A x) { return x.c.plan.links.host_memory; }, "cluster.host_memory_gb_s"},
        {"d_h", "traffic for a parameter on the host",
         [](A x) { return Bytes{host_update_bytes(x.c.plan.training.optimizer)}; }, "training.optimizer"},
        {"*k_w", "share that does not hide", [](A x) { return 1 - x.scenario().model.host_overlap.value; },
         "model.host_overlap"},
        {"*N_l.u", "operations one after the other", [](A x) { return std::ssize(updated(x)); }},
        {"+D_x", "bytes besides products", beside_products},
        {"t_0.k", "start-up of a kernel", start_of_product, "model.launch_us"},
        {"+t_0", "start-up of an operation", [](A x) { return x.c.plan.device.launch; }, "model.launch_us"},
    };
    return {all, layer_holes, "Parts of the layer's time in a step"};
}

}  // namespace scalescope::explaining
