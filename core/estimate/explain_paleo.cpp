// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of what PALEO prices in its own way: a layer's passes, its FLOPs and bytes, the update, the message.
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/paleo/gradients.hpp"

namespace scalescope::explaining {
namespace {

constexpr const char* paleo_source =
    "PALEO, Qi et al., ICLR 2017, as its code computes it (github.com/TalwalkarLab/paleo)";
constexpr double binary_gigabyte = 1.073741824;  // 2^30 bytes in units of 10^9

/// What the pages of one layer need.
struct PaleoLayer {
    const Context& c;
    const PaleoPart& part;
    const paleo::LayerPlan& plan;
    const paleo::Layer& layer;
    const paleo::Setup& setup;
    const paleo::Corrections& on;
    double samples;

    PaleoLayer(const Context& context, int p, int l)
        : c(context),
          part(context.plan.paleo->parts[static_cast<std::size_t>(p)]),
          plan(part.plan.layers[static_cast<std::size_t>(part.layer_at[static_cast<std::size_t>(l)])]),
          layer(part.net->layers[static_cast<std::size_t>(part.layer_at[static_cast<std::size_t>(l)])]),
          setup(context.plan.paleo->setup(context.workers())),
          on(part.plan.method.corrections),
          samples(context.row(p, l).samples) {}

    const paleo::PassPlan& pass(Pass p) const { return plan.passes[index_of(p)]; }
    double tick() const { return on.no_tick ? 0.0 : 1e-6 / setup.device.clock_mhz; }
};

Page paleo_page(const Context& c, const Item& item, const char* symbol, double result, Measure m) {
    Page page(c, item, symbol, title_of(c, item), result, m);
    page.source(paleo_source);
    return page;
}

void peak_input(Page& page) {
    const Context& c = page.context();
    page.field("P", "fp32 peak of the " + c.scenario.cluster.device.name,
               c.scenario.cluster.device.peak_at(Precision::fp32)->value, Measure::flop_rate,
               fields::peak(Precision::fp32), c.peak_evidence());
}

void share_inputs(Page& page, bool arithmetic, bool memory, const paleo::Corrections& on) {
    const Context& c = page.context();
    const double compute = c.scenario.model.compute.value, of_memory = c.scenario.model.memory.value;
    if (arithmetic || (memory && !on.memory_percent))
        page.field("e", "share of peak reached", compute, Measure::percent, fields::compute,
                   of_share(c, fields::compute, compute));
    if (memory && on.memory_percent)
        page.field("e_m", "share of the memory's bandwidth reached", of_memory, Measure::percent, fields::memory,
                   of_share(c, fields::memory, of_memory));
}

void memory_input(Page& page, const paleo::Corrections& on) {
    const Context& c = page.context();
    page.field("W", "memory bandwidth", c.scenario.cluster.device.memory_bandwidth.value, Measure::byte_rate,
               fields::memory_bandwidth, c.memory_evidence());
    if (!on.decimal_units)
        page.field("q", "a GB as PALEO takes it, 2^30 bytes, in 10^9", binary_gigabyte, Measure::number,
                   fields::corrections);
}

std::string memory_rate(const paleo::Corrections& on, bool at_full_peak = false) {
    std::string text = "W";
    if (!on.decimal_units) text += "*q";
    if (!at_full_peak) text += on.memory_percent ? "*e_m" : "*e";
    return text.size() > 1 ? '(' + text + ')' : text;
}

std::string floored(const std::string& text, double tick) { return tick > 0 ? "max(t_0, " + text + ')' : text; }

void tick_input(Page& page, double tick) {
    if (tick > 0)
        page.field("t_0", "one clock tick, the least a transfer takes", tick, Measure::seconds, fields::device,
                   Evidence::assumed);
}

/// "F/(P*e) + D_1/(W*e) …" of one pass, with the inputs it needs; `at` tells the passes of one page apart.
std::string pass_formula(Page& page, const PaleoLayer& x, Pass pass, const std::string& at) {
    const auto& plan = x.pass(pass);
    const Item& item = page.item();
    const double tick = x.tick(), flops = plan.flops.at(x.samples);
    std::string arithmetic, memory;
    if (flops > 0) {
        arithmetic = floored("F" + at + "/(P*e)", tick);
        page.link("F" + at, "arithmetic", flops, Measure::flops, Item{Topic::layer_flops, item.part, item.layer, pass});
    }
    for (std::size_t i = 0; i < plan.transfer_count; ++i) {
        const double bytes = plan.transfers[i].at(x.samples);
        if (bytes == 0 && tick == 0) continue;
        const std::string symbol = "D" + (at.empty() ? "_" : at) + std::to_string(i + 1);
        Item because{Topic::layer_bytes, item.part, item.layer, pass};
        because.index = static_cast<int>(i);
        page.link(symbol, "bytes of transfer " + std::to_string(i + 1), bytes, Measure::bytes, because);
        memory += (memory.empty() ? "" : " + ") + floored(symbol + '/' + memory_rate(x.on), tick);
    }
    if (!arithmetic.empty() && !memory.empty() && x.setup.pipeline) return "max(" + arithmetic + ", " + memory + ')';
    return arithmetic + (arithmetic.empty() || memory.empty() ? "" : " + ") + memory;
}

void rate_inputs(Page& page, const PaleoLayer& x, bool arithmetic, bool memory) {
    if (arithmetic) peak_input(page);
    share_inputs(page, arithmetic, memory, x.on);
    if (memory) memory_input(page, x.on);
    tick_input(page, x.tick());
}

Page paleo_pass(const Context& c, const Item& item) {
    const PaleoLayer x(c, item.part, item.layer);
    const LayerEstimate& row = c.row(item.part, item.layer);
    const Seconds time = item.pass == Pass::forward      ? row.forward
                         : item.pass == Pass::grad_input ? row.grad_input
                                                         : row.grad_weights;
    Page page = paleo_page(c, item, "t", time.value, Measure::seconds);
    const auto& plan = x.pass(item.pass);
    const bool arithmetic = plan.flops.at(x.samples) > 0, memory = plan.transfer_count > 0;
    if (time.value == 0) {
        page.nothing(plan.transfer_count == 0 && item.pass == Pass::forward
                         ? "PALEO prices a layer of this kind at nothing."
                         : "PALEO makes no such pass over this layer.");
        return page.fact("kind of layer", x.layer.type, fields::workload);
    }
    const std::string count = page.prefix(item.part, {.count = true});
    const auto& gradients = x.plan.passes;
    const bool both = item.pass != Pass::forward && x.setup.pipeline && gradients[1].transfer_count > 0 &&
                      gradients[2].transfer_count > 0;
    if (!both) {
        const std::string text = pass_formula(page, x, item.pass, "");
        rate_inputs(page, x, arithmetic, memory);
        return page.formula(count.empty() || text.find(' ') == std::string::npos ? count + text
                                                                                 : count + '(' + text + ')');
    }
    // The larger of arithmetic and memory of both gradients together; this one's share of it.
    const auto rates = paleo::make_rates(x.part.plan.method, x.setup);
    const auto cost = paleo::price_layer(x.part.plan, x.plan, rates, x.samples);
    const auto& own = cost.passes[index_of(item.pass)];
    const auto& other = cost.passes[item.pass == Pass::grad_input ? 2 : 1];
    const auto input = [&](const char* symbol, const char* text, Seconds t) {
        page.field(symbol, text, t.value, Measure::seconds, fields::workload);
    };
    input("t_a", "arithmetic of this gradient", own.compute);
    input("t_m", "its memory traffic", own.memory);
    input("t_o", "arithmetic of the other gradient", other.compute);
    input("t_q", "its memory traffic", other.memory);
    page.note("PALEO takes the longer of arithmetic and memory of both gradients together; each has its share of it.");
    return page.formula(count + "max(t_a + t_o, t_m + t_q)*(t_a + t_m)/(t_a + t_m + t_o + t_q)");
}

/// An amount that grows with the batch: "b*f + f_0".
std::string amount_formula(Page& page, const paleo::Amount& amount, const char* text, Measure m) {
    std::string formula;
    if (amount.per_sample != 0) {
        formula = "b*f";
        page.field("f", std::string(text) + ", one sample", amount.per_sample, m, fields::workload);
        page.samples(page.item().part, page.item().layer);
    }
    if (amount.fixed != 0) {
        formula += formula.empty() ? "f_0" : " + f_0";
        page.field("f_0", std::string(text) + ", whatever the batch", amount.fixed, m, fields::workload);
    }
    return formula;
}

/// The FLOPs of a gradient that PALEO prices as a convolution, if it is one.
std::optional<paleo::StandIn> stand_in_of(const PaleoLayer& x, Pass pass) {
    if (x.layer.kind != paleo::LayerType::convolution) return std::nullopt;
    const auto era = x.part.plan.method.era;
    const auto own = paleo::own_convolution(x.layer, era);
    if (pass == Pass::forward) return paleo::StandIn{own, 0.0, true};
    if (x.on.gradient_work) return std::nullopt;
    return pass == Pass::grad_input ? paleo::data_gradient_of(x.layer, own, era)
                                    : paleo::filter_gradient_of(x.layer, own, era);
}

Page paleo_flops(const Context& c, const Item& item) {
    const PaleoLayer x(c, item.part, item.layer);
    const paleo::Amount amount = x.pass(item.pass).flops;
    const double flops = amount.at(x.samples);
    Page page = paleo_page(c, item, "F", flops, Measure::flops);
    if (flops == 0)
        return page.nothing("PALEO counts no arithmetic here.").fact("kind of layer", x.layer.type, fields::workload);
    const auto stand_in = stand_in_of(x, item.pass);
    if (!stand_in || amount.fixed != 0) return page.formula(amount_formula(page, amount, "arithmetic", Measure::flops));
    const paleo::Convolution& k = stand_in->convolution;
    const bool head = x.part.plan.method.era == paleo::Era::head;
    const auto size = [&](const char* symbol, const char* text, double value) {
        page.field(symbol, text, value, Measure::count, fields::workload);
    };
    size("k_h", "height of the filter", k.kh);
    size("k_w", "width of the filter", k.kw);
    size("C_in", "input channels", k.in * k.n);
    size("H", "height of the result", k.oh);
    size("W", "width of the result", k.ow);
    size("C_out", "output channels", k.out);
    page.samples(item.part, item.layer);
    std::string text = "2*k_h*k_w*C_in*H*W*C_out*b";
    if (item.pass == Pass::grad_weights && stand_in->holes > 0) {
        page.field("z", "share of the filter that the stride leaves empty", stand_in->holes, Measure::number,
                   fields::workload);
        text += "*(1 - z)";
    }
    if (item.pass == Pass::grad_input && stand_in->holes > 0 && head) {
        size("N", "elements of the gradient spread over the image", k.n * k.h * k.w * k.in);
        page.field("z", "share of them that the stride leaves empty", stand_in->holes, Measure::number,
                   fields::workload);
        text += " + 2*N*(1 - z)*b";
    }
    if (item.pass == Pass::grad_input)
        page.note("PALEO prices the gradient to the inputs as a convolution with stride 1 over the output's gradient.");
    if (item.pass == Pass::grad_weights)
        page.note("PALEO prices the gradient to the weights as a convolution whose filter is the output's gradient.");
    return page.formula(text);
}

Page paleo_bytes(const Context& c, const Item& item) {
    const PaleoLayer x(c, item.part, item.layer);
    const auto& plan = x.pass(item.pass);
    double bytes = 0;
    for (std::size_t i = 0; i < plan.transfer_count; ++i) bytes += plan.transfers[i].at(x.samples);
    if (item.index >= 0) bytes = plan.transfers[static_cast<std::size_t>(item.index)].at(x.samples);
    Page page = paleo_page(c, item, "D", bytes, Measure::bytes);
    if (bytes == 0) return page.nothing("Nothing is moved.").fact("kind of layer", x.layer.type, fields::workload);
    if (item.index >= 0) {
        page.note("PALEO prices every transfer by itself: input, weights and result; none takes less than a tick.");
        return page.formula(
            amount_formula(page, plan.transfers[static_cast<std::size_t>(item.index)], "bytes", Measure::bytes));
    }
    std::string text;
    for (std::size_t i = 0; i < plan.transfer_count; ++i) {
        if (plan.transfers[i].at(x.samples) == 0) continue;
        const std::string symbol = "D_" + std::to_string(i + 1);
        Item because = item;
        because.index = static_cast<int>(i);
        page.link(symbol, "bytes of transfer " + std::to_string(i + 1), plan.transfers[i].at(x.samples), Measure::bytes,
                  because);
        text += (text.empty() ? "" : " + ") + symbol;
    }
    return page.formula(text);
}

Page paleo_parameters(const Context& c, const Item& item) {
    const PaleoLayer x(c, item.part, item.layer);
    const auto parameters = static_cast<double>(x.layer.parameters);
    Page page = paleo_page(c, item, "N", parameters, Measure::count);
    if (parameters == 0)
        return page.nothing("PALEO counts no weights here.").fact("kind of layer", x.layer.type, fields::workload);
    const auto size = [&](const char* symbol, const char* text, double value) {
        page.field(symbol, text, value, Measure::count, fields::workload);
    };
    const auto& f = x.layer.filter;
    const double kh = static_cast<double>(f[0]), kw = static_cast<double>(f[1]), in = static_cast<double>(f[2]),
                 out = static_cast<double>(f[3]);
    if (kh * kw * in * out + out == parameters) {
        size("k_h", "height of the filter", kh);
        size("k_w", "width of the filter", kw);
        size("C_in", "input channels", in);
        size("C_out", "output channels", out);
        return page.formula("k_h*k_w*C_in*C_out + C_out");
    }
    const auto in_size = static_cast<double>(x.layer.input.per_sample()),
               out_size = static_cast<double>(x.layer.output.per_sample());
    if (x.layer.kind == paleo::LayerType::inner_product && in_size * out_size + out_size == parameters) {
        size("N_i", "inputs", in_size);
        size("N_o", "units", out_size);
        return page.formula("N_i*N_o + N_o");
    }
    size("n", "weights and biases", parameters);
    return page.formula("n");
}

/// All the weights at once: that is how PALEO prices the update, so a layer has its share by parameters.
Page paleo_update(const Context& c, const Item& item) {
    const PaleoLayer x(c, item.part, item.layer);
    const auto parameters = static_cast<double>(x.layer.parameters);
    Page page = paleo_page(c, item, "t", c.row(item.part, item.layer).update.value, Measure::seconds);
    if (parameters == 0)
        return page.nothing("PALEO counts no weights here.").fact("kind of layer", x.layer.type, fields::workload);
    const double tick = x.tick();
    const std::string share = x.on.update_percent ? "*e" : "";
    const std::string arithmetic = floored("2*S/" + (share.empty() ? "P" : "(P" + share + ')'), tick),
                      memory = "3*" + floored("4*S/" + memory_rate(x.on, !x.on.update_percent), tick);
    Item because{Topic::layer_parameters, item.part, item.layer};
    because.index = 1;
    page.link("N", "parameters of the layer, as PALEO counts them", parameters, Measure::count, because);
    page.field("S", "parameters of the network, as PALEO counts them", x.part.plan.parameters, Measure::count,
               fields::workload);
    peak_input(page);
    if (x.on.update_percent) share_inputs(page, true, true, x.on);
    memory_input(page, x.on);
    tick_input(page, tick);
    if (!x.on.update_percent) page.note("PALEO prices the update at the full peaks.");
    page.note("Two FLOP and three transfers of four bytes for each parameter, all layers at once.");
    const std::string whole =
        x.setup.pipeline ? "max(" + arithmetic + ", " + memory + ')' : '(' + arithmetic + " + " + memory + ')';
    return page.formula(page.prefix(item.part, {.count = true}) + whole + "*N/S");
}

Page paleo_message(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    const PaleoMethod& method = *c.plan.paleo;
    const double parameters = method.parts[static_cast<std::size_t>(m.part)].plan.parameters;
    if (item.topic == Topic::message_bytes) {
        Page page = paleo_page(c, item, "S", m.bytes.value, Measure::bytes);
        page.field("N", "parameters of the network, as PALEO counts them", parameters, Measure::count,
                   fields::workload);
        return page.formula("4*N");
    }
    Page page = paleo_page(c, item, "t", m.each.value, Measure::seconds);
    const bool inside = m.group.ranks <= method.devices_per_node;
    const Link& link = inside ? c.scenario.cluster.inside : c.scenario.cluster.between;
    const double share = (inside ? c.scenario.model.inside : c.scenario.model.between).value;
    std::string times;
    switch (m.algorithm) {
        case Collective::one_to_all: times = "2*(n - 1)*"; break;
        case Collective::paleo_tree: times = "2*ceil(log2(n))*"; break;
        case Collective::butterfly: times = "ceil(log2(n))*"; break;
        default: page.note("One exchange with one partner, whatever the number of workers."); break;
    }
    if (!times.empty()) page.field("n", "workers", static_cast<double>(m.group.ranks), Measure::count, fields::workers);
    Item bytes{Topic::message_bytes, m.part};
    bytes.message = item.message;
    page.link("S", "bytes of all gradients", m.bytes.value, Measure::bytes, bytes);
    page.field("W", "bandwidth, " + link.name, link.bandwidth.value, Measure::byte_rate,
               inside ? fields::inside_bandwidth : fields::between_bandwidth, c.bandwidth_evidence(inside));
    page.field("e", "share of it reached", share, Measure::percent, inside ? fields::link_inside : fields::link_between,
               of_share(c, inside ? fields::link_inside : fields::link_between, share));
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
        case Topic::layer_pass: return paleo_pass(c, item);
        case Topic::layer_flops: return paleo_flops(c, item);
        case Topic::layer_bytes: return paleo_bytes(c, item);
        case Topic::layer_parameters: return paleo_parameters(c, item);
        case Topic::layer_update: return paleo_update(c, item);
        default: return paleo_message(c, item);
    }
}

}  // namespace scalescope::explaining
