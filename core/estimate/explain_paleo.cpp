// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of what PALEO prices in its own way: a layer's passes, its FLOPs and bytes, the update, the message.
#include "core/estimate/explain_rows.hpp"
#include "core/paleo/gradients.hpp"

namespace scalescope::explaining {

/// A layer as PALEO has it.
struct PaleoLayer {
    const Context& c;
    const Item& item;
    const PaleoPart& part = c.plan.paleo->parts[static_cast<std::size_t>(item.part)];
    std::size_t at = item.layer < 0 ? 0 : static_cast<std::size_t>(part.layer_at[static_cast<std::size_t>(item.layer)]);
    const paleo::LayerPlan& plan = part.plan.layers[at];
    const paleo::Layer& layer = part.net->layers[at];
    const paleo::PassPlan& pass = plan.passes[index_of(item.pass)];
    paleo::Setup setup = c.plan.paleo->setup(c.workers());
    const paleo::Corrections& on = part.plan.method.corrections;
    double samples = item.layer < 0 ? 0 : c.row(item.part, item.layer).samples;
    double parameters = static_cast<double>(layer.parameters);
    Seconds tick{on.no_tick ? 0.0 : 1e-6 / setup.device.clock_mhz};

    Seconds time() const { return time_of(c.row(item.part, item.layer), Topic::layer_pass, item.pass); }
    double flops() const { return pass.flops.at(samples); }
    std::span<const paleo::Amount> transfers() const { return std::span(pass.transfers).first(pass.transfer_count); }
    double bytes() const {
        double sum = 0;
        for (const paleo::Amount& a : transfers()) sum += item.index >= 0 ? 0 : a.at(samples);
        return item.index >= 0 ? transfers()[static_cast<std::size_t>(item.index)].at(samples) : sum;
    }
    /// What the page is about, of a sample and of the whole batch: a pass's arithmetic, or one transfer.
    paleo::Amount amount() const {
        return item.topic == Topic::layer_flops ? pass.flops : transfers()[static_cast<std::size_t>(item.index)];
    }
    Measure measure() const { return item.topic == Topic::layer_flops ? Measure::flops : Measure::bytes; }

    /// No transfer, and no arithmetic, takes less than a tick.
    std::string floored(const std::string& time) const { return tick.value > 0 ? "max(t_0, " + time + ')' : time; }
    std::string memory_rate(bool of_peak = true) const {
        return "(W" + std::string(on.decimal_units ? "" : "*q") +
               (!of_peak            ? ")"
                : on.memory_percent ? "*e_m)"
                                    : "*e)");
    }
    /// Every transfer as a quantity, D_1, and the sum of all, or of the time of each.
    std::string transfer_sum(Page& page, bool timed) const {
        std::string sum;
        for (std::size_t i = 0; i < transfers().size(); ++i) {
            const Bytes bytes{transfers()[i].at(samples)};
            if (bytes.value == 0 && !(timed && tick.value > 0)) continue;
            const std::string number = std::to_string(i + 1);
            Item one = of_same(Topic::layer_bytes, item);
            one.index = static_cast<int>(i);
            const std::string text = page.joined({{"D_" + number, "bytes of transfer " + number, bytes, one}});
            sum += (sum.empty() ? "" : " + ") + (timed ? floored(text + '/' + memory_rate()) : text);
        }
        return sum.empty() ? "nothing" : '(' + sum + ')';
    }

    /// With both gradients the larger of arithmetic and memory of both together counts.
    bool both_gradients() const {
        return item.pass != Pass::forward && setup.pipeline && plan.passes[1].transfer_count > 0 &&
               plan.passes[2].transfer_count > 0;
    }
    const auto& cost_of(Pass p) const {
        if (!cost) cost = paleo::price_layer(part.plan, plan, paleo::make_rates(part.plan.method, setup), samples);
        return cost->passes[index_of(p)];
    }
    const auto& own() const { return cost_of(item.pass); }
    const auto& other() const { return cost_of(item.pass == Pass::grad_input ? Pass::grad_weights : Pass::grad_input); }
    mutable std::optional<paleo::LayerCost> cost = std::nullopt;

    /// The FLOPs of a pass that PALEO prices as a convolution, if it is one.
    std::optional<paleo::StandIn> stand_in() const {
        if (layer.kind != paleo::LayerType::convolution || pass.flops.fixed != 0) return std::nullopt;
        const auto era = part.plan.method.era;
        const auto convolution = paleo::own_convolution(layer, era);
        if (item.pass == Pass::forward) return paleo::StandIn{convolution, 0.0, true};
        if (on.gradient_work) return std::nullopt;
        return item.pass == Pass::grad_input ? paleo::data_gradient_of(layer, convolution, era)
                                             : paleo::filter_gradient_of(layer, convolution, era);
    }
    /// Of the pass; of the layer itself on the page of its parameters.
    paleo::Convolution convolution() const {
        return item.topic == Topic::layer_parameters ? paleo::own_convolution(layer, part.plan.method.era)
                                                     : stand_in()->convolution;
    }
    /// Of the gradient spread over the image: PALEO's second state counts its elements too.
    bool spread() const {
        return item.pass == Pass::grad_input && stand_in()->holes > 0 && part.plan.method.era == paleo::Era::head;
    }
    bool filters() const {
        const auto& f = layer.filter;
        return static_cast<double>(f[0] * f[1] * f[2] * f[3] + f[3]) == parameters;
    }
    bool dense() const {
        const auto in = static_cast<double>(layer.input.per_sample()),
                   out = static_cast<double>(layer.output.per_sample());
        return layer.kind == paleo::LayerType::inner_product && in * out + out == parameters;
    }
    bool inside() const { return message().group.ranks <= c.plan.paleo->devices_per_node; }
    const MessageEstimate& message() const { return c.message(item.message); }
};

namespace {

using L = const PaleoLayer&;

template <Collective way>
constexpr auto goes_by = [](M m) { return m.algorithm == way; };

const Hole paleo_holes[] = {
    {"at", &PaleoLayer::inside, ".in", ".out"},
    {"rounds", goes_by<Collective::one_to_all>, "2*(n - 1)*", goes_by<Collective::paleo_tree>, "2*ceil(log2(n))*",
     goes_by<Collective::butterfly>, "ceil(log2(n))*", ""},
    {"what", [](L x) { return x.item.topic == Topic::layer_flops; }, "arithmetic", "bytes"},
    {"arithmetic", [](L x) { return x.flops() > 0 ? x.floored("F/(P*e)") : std::string("nothing"); }},
    {"memory", [](L x, Page& page) { return x.transfer_sum(page, true); }},
    {"bytes", [](L x, Page& page) { return x.transfer_sum(page, false); }},
    {"update",
     [](L x) {
         const bool percent = x.on.update_percent;
         return x.floored(percent ? "2*N_n/(P*e)" : "2*N_n/P") + (x.setup.pipeline ? ", " : " + ") + "3*" +
                x.floored("4*N_n/" + x.memory_rate(percent));
     }},
};

std::span<const Figure> paleo_figures() {
    using enum Topic;
    static const Figure all[] = {
        {"t.pass", "one pass", &PaleoLayer::time, layer_pass,
         is("c*max(t_a + t_o, t_m + t_q)*(t_a + t_m)/(t_a + t_m + t_o + t_q)", &PaleoLayer::both_gradients),
         note("Of both gradients together PALEO takes the longer of arithmetic and memory, and shares it out."),
         is("c*max({arithmetic}, {memory})", [](L x) { return x.setup.pipeline; }), is("c*({arithmetic} + {memory})"),
         nothing("PALEO makes no such pass over this layer, or prices it at nothing.")},
        {"t_a", "arithmetic of this gradient", [](L x) { return x.own().compute; }},
        {"t_m", "its memory traffic", [](L x) { return x.own().memory; }},
        {"t_o", "arithmetic of the other gradient", [](L x) { return x.other().compute; }},
        {"t_q", "its memory traffic", [](L x) { return x.other().memory; }},
        {"P", "fp32 peak of the {device}", "cluster.device.peak_tflops.fp32"},
        {"q", "a GB as PALEO takes it, 2^30 bytes, in 10^9", [](L) { return 1.073741824; }, "model.paleo_corrections"},
        {"t_0", "one clock tick, the least a transfer takes", &PaleoLayer::tick, "cluster.device", Evidence::assumed},
        // arithmetic and bytes
        {"F", "arithmetic", [](L x) { return Flops{x.flops()}; }, layer_flops,
         is("2*k_h*k_w*C_in*H*W.width*C_out*b*(1 - z) + 2*N.spread*(1 - z.spread)*b",
            [](L x) { return x.stand_in().has_value(); }),
         note("PALEO prices the gradient to the weights as a convolution whose filter is the output's gradient.",
              [](L x) { return x.item.pass == Pass::grad_weights; }),
         note("PALEO prices the gradient to the inputs as a convolution with stride 1 over the output's gradient.",
              [](L x) { return x.item.pass == Pass::grad_input; }),
         is("b*f + f_0"), nothing("PALEO counts no arithmetic here.")},
        {"+f", "{what}, one sample", [](L x) { return Amount(x.amount().per_sample, x.measure()); }},
        {"+f_0", "{what}, whatever the batch", [](L x) { return Amount(x.amount().fixed, x.measure()); }},
        {"k_h", "height of the filter", [](L x) { return x.convolution().kh; }},
        {"k_w", "width of the filter", [](L x) { return x.convolution().kw; }},
        {"C_in", "input channels", [](L x) { return x.convolution().in * x.convolution().n; }},
        {"H", "height of the result", [](L x) { return x.convolution().oh; }},
        {"W.width", "width of the result", [](L x) { return x.convolution().ow; }},
        {"C_out", "output channels", [](L x) { return x.convolution().out; }},
        {"+z", "share of the filter that the stride leaves empty",
         [](L x) { return x.item.pass == Pass::grad_weights ? x.stand_in()->holes : 0.0; }},
        {"+N.spread", "elements of the gradient spread over the image",
         [](L x) {
             const paleo::Convolution k = x.convolution();
             return x.spread() ? k.n * k.h * k.w * k.in : 0;
         }},
        {"z.spread", "share of them that the stride leaves empty", [](L x) { return x.stand_in()->holes; }},
        {"D", "bytes", [](L x) { return Bytes{x.bytes()}; }, layer_bytes,
         is("b*f + f_0", [](L x) { return x.item.index >= 0; }),
         note("PALEO prices every transfer by itself: input, weights and result; none takes less than a tick."),
         is("{bytes}"), nothing("Nothing is moved.")},
        // parameters
        {"N", "parameters of the layer, as PALEO counts them", &PaleoLayer::parameters, layer_parameters, 1,
         is("k_h*k_w*C_in*C_out + C_out", &PaleoLayer::filters), is("N_i*N_o + N_o", &PaleoLayer::dense), is("n.own"),
         nothing("PALEO counts no weights here.")},
        {"N_i", "inputs", [](L x) { return x.layer.input.per_sample(); }},
        {"N_o", "units", [](L x) { return x.layer.output.per_sample(); }},
        {"n.own", "weights and biases", &PaleoLayer::parameters},
        // All the weights at once: that is how PALEO prices the update, so a layer has its share by parameters.
        {"t.update", "update", &LayerEstimate::update, layer_update,
         note("PALEO prices the update at the full peaks.", [](L x) { return !x.on.update_percent; }),
         note("Two FLOP and three transfers of four bytes for each parameter, all layers at once."),
         is("c*max({update})*N/N_n", [](L x) { return x.setup.pipeline; }), is("c*({update})*N/N_n"),
         nothing("PALEO counts no weights here.")},
        {"N_n", "parameters of the network, as PALEO counts them", [](L x) { return x.part.plan.parameters; }},
        // messages
        {"S.sent", "bytes of all gradients", &MessageEstimate::bytes, message_bytes, is("4*N_n")},
        {"t", "time of one", &MessageEstimate::each, message, is("{rounds}S.sent/(W{at}*e{at})"),
         note("One exchange with one partner, whatever the number of workers.", goes_by<Collective::butterfly_mixing>)},
        {"n", "workers", &GroupReach::ranks, "cluster.workers"},
    };
    return all;
}

}  // namespace

std::optional<Page> paleo_page(const Context& c, const Item& item) {
    const PaleoLayer layer{c, item};
    return page_of_room({c, item, nullptr, &layer},
                        {paleo_figures(), paleo_holes,
                         "PALEO, Qi et al., ICLR 2017, as its code computes it (github.com/TalwalkarLab/paleo)"});
}

}  // namespace scalescope::explaining
