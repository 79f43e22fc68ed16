// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of what PALEO prices in its own way: a layer's passes, its FLOPs and bytes, the update, the message.
#include <algorithm>
#include <cmath>

#include "core/estimate/explain_symbols.hpp"
#include "core/paleo/gradients.hpp"

namespace scalescope::explaining {
namespace {

Page paleo_page(const Context& c, const Item& item, const char* symbol, const Amount& result) {
    Page page(c, item, symbol, result);
    page.source("PALEO, Qi et al., ICLR 2017, as its code computes it (github.com/TalwalkarLab/paleo)");
    return page;
}

/// What the page of one layer needs.
struct PaleoLayer {
    const Context& c;
    const Item& item;
    const PaleoPart& part;
    std::size_t at;
    const paleo::LayerPlan& plan = part.plan.layers[at];
    const paleo::Layer& layer = part.net->layers[at];
    const paleo::PassPlan& pass = plan.passes[index_of(item.pass)];
    paleo::Setup setup = c.plan.paleo->setup(c.workers());
    const paleo::Corrections& on = part.plan.method.corrections;
    double samples = c.row(item.part, item.layer).samples;
    double parameters = static_cast<double>(layer.parameters);
    Seconds tick{on.no_tick ? 0.0 : 1e-6 / setup.device.clock_mhz};

    PaleoLayer(const Context& context, const Item& asked)
        : c(context),
          item(asked),
          part(context.plan.paleo->parts[static_cast<std::size_t>(asked.part)]),
          at(static_cast<std::size_t>(part.layer_at[static_cast<std::size_t>(asked.layer)])) {}

    Page page(const char* symbol, const Amount& result) const { return paleo_page(c, item, symbol, result); }
    Page nothing(const char* symbol, const Amount& zero, const char* reason) const {
        return page(symbol, zero).nothing(reason).fact("kind of layer", layer.type, fields::workload);
    }
    Page& tell(Page& page, const std::string& formula) const;

    /// No transfer, and no arithmetic, takes less than a tick.
    std::string floored(const std::string& time) const { return tick.value > 0 ? "max(t_0, " + time + ')' : time; }
    std::string memory_rate(bool of_peak = true) const {
        std::string text = on.decimal_units ? "W" : "W*q";
        if (of_peak) text += on.memory_percent ? "*e_m" : "*e";
        return text.size() > 1 ? '(' + text + ')' : text;
    }
    /// Arithmetic and memory beside each other, or one after the other.
    std::string together(const std::string& arithmetic, const std::string& memory) const {
        const bool both = !arithmetic.empty() && !memory.empty();
        return both && setup.pipeline ? "max(" + arithmetic + ", " + memory + ')' : plus({arithmetic, memory});
    }
};

constexpr Symbol<PaleoLayer> paleo_symbols[] = {
    {"F", "arithmetic", [](auto& x) { return Flops{x.pass.flops.at(x.samples)}; }, Topic::layer_flops},
    {"e", "share of peak reached", [](auto& x) { return x.c.scenario.model.compute; }, fields::compute},
    {"e_m", "share of the memory's bandwidth reached", [](auto& x) { return x.c.scenario.model.memory; },
     fields::memory},
    {"W", "memory bandwidth", [](auto& x) { return x.c.scenario.cluster.device.memory_bandwidth; },
     fields::memory_bandwidth},
    {"q", "a GB as PALEO takes it, 2^30 bytes, in 10^9", [](auto&) { return 1.073741824; }, fields::corrections},
    {"t_0", "one clock tick, the least a transfer takes", [](auto& x) { return x.tick; }, fields::device,
     Evidence::assumed},
    {"N", "parameters of the layer, as PALEO counts them", [](auto& x) { return x.parameters; },
     Topic::layer_parameters, 1},
    {"S", "parameters of the network, as PALEO counts them", [](auto& x) { return x.part.plan.parameters; },
     fields::workload},
};

Page& PaleoLayer::tell(Page& page, const std::string& formula) const {
    if (formula.find("/P") != std::string::npos || formula.find("(P") != std::string::npos)
        page.give({"P", "fp32 peak of the " + c.scenario.cluster.device.name,
                   *c.scenario.cluster.device.peak_at(Precision::fp32), fields::peak(Precision::fp32)});
    return explaining::tell(page, formula, *this, std::span<const Symbol<PaleoLayer>>(paleo_symbols));
}

/// Puts every transfer on the page, as `D_1`; returns the sum of what `text` makes of each.
template <class F>
std::string transfers(Page& page, const PaleoLayer& x, bool of_nothing, F text) {
    std::string sum;
    for (std::size_t i = 0; i < x.pass.transfer_count; ++i) {
        const Bytes bytes{x.pass.transfers[i].at(x.samples)};
        if (bytes.value == 0 && !of_nothing) continue;
        const std::string number = std::to_string(i + 1), symbol = "D_" + number, words = "bytes of transfer " + number;
        put(page, symbol, words, bytes, {Topic::layer_bytes, static_cast<int>(i)});
        sum = plus({sum, text(symbol)});
    }
    return sum;
}

Page paleo_pass(const PaleoLayer& x) {
    const LayerEstimate& row = x.c.row(x.item.part, x.item.layer);
    const Seconds times[] = {row.forward, row.grad_input, row.grad_weights}, time = times[index_of(x.item.pass)];
    if (time.value == 0)
        return x.nothing("t", Seconds{},
                         x.pass.transfer_count == 0 && x.item.pass == Pass::forward
                             ? "PALEO prices a layer of this kind at nothing."
                             : "PALEO makes no such pass over this layer.");
    Page page = x.page("t", time);
    const std::string count = page.prefix(x.item.part, {.count = true});
    const auto& passes = x.plan.passes;
    const bool both = x.item.pass != Pass::forward && x.setup.pipeline && passes[1].transfer_count > 0 &&
                      passes[2].transfer_count > 0;
    if (!both) {
        const std::string arithmetic = x.pass.flops.at(x.samples) > 0 ? x.floored("F/(P*e)") : "";
        const std::string text = x.together(arithmetic, transfers(page, x, x.tick.value > 0, [&](const auto& bytes) {
                                                return x.floored(bytes + '/' + x.memory_rate());
                                            }));
        return x.tell(page, count.empty() ? text : count + wrapped(text));
    }
    // The larger of arithmetic and memory of both gradients together; this one's share of it.
    const auto rates = paleo::make_rates(x.part.plan.method, x.setup);
    const auto cost = paleo::price_layer(x.part.plan, x.plan, rates, x.samples);
    const auto& own = cost.passes[index_of(x.item.pass)];
    const auto& other = cost.passes[x.item.pass == Pass::grad_input ? 2 : 1];
    page.give({"t_a", "arithmetic of this gradient", own.compute, fields::workload});
    page.give({"t_m", "its memory traffic", own.memory, fields::workload});
    page.give({"t_o", "arithmetic of the other gradient", other.compute, fields::workload});
    page.give({"t_q", "its memory traffic", other.memory, fields::workload});
    page.note("PALEO takes the longer of arithmetic and memory of both gradients together; each has its share of it.");
    return page.formula(count + "max(t_a + t_o, t_m + t_q)*(t_a + t_m)/(t_a + t_m + t_o + t_q)");
}

/// An amount that grows with the batch: "b*f + f_0".
Page& amount_formula(Page& page, const paleo::Amount& amount, const std::string& words, Measure m) {
    if (amount.per_sample != 0) {
        page.give({"f", words + ", one sample", {amount.per_sample, m}, fields::workload, Evidence::exact});
        page.samples(page.item().part, page.item().layer);
    }
    if (amount.fixed != 0)
        page.give({"f_0", words + ", whatever the batch", {amount.fixed, m}, fields::workload, Evidence::exact});
    return page.formula(plus({amount.per_sample != 0 ? "b*f" : "", amount.fixed != 0 ? "f_0" : ""}));
}

/// The FLOPs of a pass that PALEO prices as a convolution, if it is one.
std::optional<paleo::StandIn> stand_in_of(const PaleoLayer& x) {
    if (x.layer.kind != paleo::LayerType::convolution) return std::nullopt;
    const auto era = x.part.plan.method.era;
    const auto own = paleo::own_convolution(x.layer, era);
    if (x.item.pass == Pass::forward) return paleo::StandIn{own, 0.0, true};
    if (x.on.gradient_work) return std::nullopt;
    return x.item.pass == Pass::grad_input ? paleo::data_gradient_of(x.layer, own, era)
                                           : paleo::filter_gradient_of(x.layer, own, era);
}

Page paleo_flops(const PaleoLayer& x) {
    const paleo::Amount amount = x.pass.flops;
    const Flops flops{amount.at(x.samples)};
    if (flops.value == 0) return x.nothing("F", Flops{}, "PALEO counts no arithmetic here.");
    Page page = x.page("F", flops);
    const auto stand_in = stand_in_of(x);
    if (!stand_in || amount.fixed != 0) return amount_formula(page, amount, "arithmetic", Measure::flops);
    const paleo::Convolution& k = stand_in->convolution;
    page.formula("2*" +
                 page.joined({{"k_h", "height of the filter", k.kh, fields::workload},
                              {"k_w", "width of the filter", k.kw, fields::workload},
                              {"C_in", "input channels", k.in * k.n, fields::workload},
                              {"H", "height of the result", k.oh, fields::workload},
                              {"W", "width of the result", k.ow, fields::workload},
                              {"C_out", "output channels", k.out, fields::workload}},
                             "*") +
                 "*b");
    page.samples(x.item.part, x.item.layer);
    if (x.item.pass == Pass::grad_weights) {
        page.note("PALEO prices the gradient to the weights as a convolution whose filter is the output's gradient.");
        if (stand_in->holes > 0) {
            put(page, "z", "share of the filter that the stride leaves empty", stand_in->holes, fields::workload);
            page.formula("*(1 - z)");
        }
    }
    if (x.item.pass == Pass::grad_input) {
        page.note("PALEO prices the gradient to the inputs as a convolution with stride 1 over the output's gradient.");
        if (stand_in->holes > 0 && x.part.plan.method.era == paleo::Era::head) {
            page.give(
                {"N", "elements of the gradient spread over the image", k.n * k.h * k.w * k.in, fields::workload});
            put(page, "z", "share of them that the stride leaves empty", stand_in->holes, fields::workload);
            page.formula(" + 2*N*(1 - z)*b");
        }
    }
    return page;
}

/// index: of one transfer.
Page paleo_bytes(const PaleoLayer& x) {
    const auto all = std::span(x.pass.transfers).first(x.pass.transfer_count);
    double bytes = 0;
    for (const paleo::Amount& a : all) bytes += a.at(x.samples);
    const paleo::Amount* one = x.item.index >= 0 ? &all[static_cast<std::size_t>(x.item.index)] : nullptr;
    if (one) bytes = one->at(x.samples);
    if (bytes == 0) return x.nothing("D", Bytes{}, "Nothing is moved.");
    Page page = x.page("D", Bytes{bytes});
    if (!one) return page.formula(transfers(page, x, false, [](const std::string& symbol) { return symbol; }));
    page.note("PALEO prices every transfer by itself: input, weights and result; none takes less than a tick.");
    return amount_formula(page, *one, "bytes", Measure::bytes);
}

Page paleo_parameters(const PaleoLayer& x) {
    if (x.parameters == 0) return x.nothing("N", 0.0, "PALEO counts no weights here.");
    Page page = x.page("N", x.parameters);
    const auto& f = x.layer.filter;
    const double kh = static_cast<double>(f[0]), kw = static_cast<double>(f[1]), in = static_cast<double>(f[2]),
                 out = static_cast<double>(f[3]);
    if (kh * kw * in * out + out == x.parameters)
        return page.formula(page.joined({{"k_h", "height of the filter", kh, fields::workload},
                                         {"k_w", "width of the filter", kw, fields::workload},
                                         {"C_in", "input channels", in, fields::workload},
                                         {"C_out", "output channels", out, fields::workload}},
                                        "*") +
                            " + C_out");
    const auto in_size = static_cast<double>(x.layer.input.per_sample()),
               out_size = static_cast<double>(x.layer.output.per_sample());
    if (x.layer.kind == paleo::LayerType::inner_product && in_size * out_size + out_size == x.parameters)
        return page.formula(
            page.joined({{"N_i", "inputs", in_size, fields::workload}, {"N_o", "units", out_size, fields::workload}},
                        "*") +
            " + N_o");
    return page.formula(page.joined({{"n", "weights and biases", x.parameters, fields::workload}}));
}

/// All the weights at once: that is how PALEO prices the update, so a layer has its share by parameters.
Page paleo_update(const PaleoLayer& x) {
    if (x.parameters == 0) return x.nothing("t", Seconds{}, "PALEO counts no weights here.");
    Page page = x.page("t", x.c.row(x.item.part, x.item.layer).update);
    const bool percent = x.on.update_percent;
    if (!percent) page.note("PALEO prices the update at the full peaks.");
    page.note("Two FLOP and three transfers of four bytes for each parameter, all layers at once.");
    const std::string whole =
        x.together(x.floored(percent ? "2*S/(P*e)" : "2*S/P"), "3*" + x.floored("4*S/" + x.memory_rate(percent)));
    return x.tell(page,
                  page.prefix(x.item.part, {.count = true}) + (x.setup.pipeline ? whole : wrapped(whole)) + "*N/S");
}

Page paleo_message(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    const PaleoMethod& method = *c.plan.paleo;
    if (item.topic == Topic::message_bytes) {
        Page page = paleo_page(c, item, "S", m.bytes);
        put(page, "N", "parameters of the network, as PALEO counts them",
            method.parts[static_cast<std::size_t>(m.part)].plan.parameters, fields::workload);
        return page.formula("4*N");
    }
    Page page = paleo_page(c, item, "t", m.each);
    const bool inside = m.group.ranks <= method.devices_per_node;
    const Link& link = inside ? c.scenario.cluster.inside : c.scenario.cluster.between;
    const auto& share = inside ? c.scenario.model.inside : c.scenario.model.between;
    const std::string bandwidth = "bandwidth, " + link.name,
                      times = m.algorithm == Collective::one_to_all   ? "2*(n - 1)*"
                              : m.algorithm == Collective::paleo_tree ? "2*ceil(log2(n))*"
                              : m.algorithm == Collective::butterfly  ? "ceil(log2(n))*"
                                                                      : "";
    if (times.empty())
        page.note("One exchange with one partner, whatever the number of workers.");
    else
        put(page, "n", "workers", m.group.ranks, fields::workers);
    put(page, "S", "bytes of all gradients", m.bytes, Topic::message_bytes);
    put(page, "W", bandwidth, link.bandwidth, inside ? fields::inside_bandwidth : fields::between_bandwidth);
    put(page, "e", "share of it reached", share, inside ? fields::link_inside : fields::link_between);
    return page.formula(times + "S/(W*e)");
}

}  // namespace

bool is_paleo_topic(const Item& item) {
    switch (item.topic) {
        case Topic::layer_parameters: return item.index == 1;
        case Topic::layer_pass:
        case Topic::layer_flops:
        case Topic::layer_bytes:
        case Topic::layer_update:
        case Topic::message:
        case Topic::message_bytes: return true;
        default: return false;
    }
}

Page paleo_method_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::layer_pass: return paleo_pass({c, item});
        case Topic::layer_flops: return paleo_flops({c, item});
        case Topic::layer_bytes: return paleo_bytes({c, item});
        case Topic::layer_parameters: return paleo_parameters({c, item});
        case Topic::layer_update: return paleo_update({c, item});
        default: return paleo_message(c, item);
    }
}

}  // namespace scalescope::explaining
