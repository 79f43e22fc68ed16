// SPDX-License-Identifier: GPL-3.0-or-later
// What a layer asks for: arithmetic, bytes, parameters, and the share of them one worker has.
#include <algorithm>
#include <cmath>

#include "core/base/checked.hpp"
#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/parallel/rows.hpp"

namespace scalescope::explaining {
namespace {

/// False, too, where the product has no room in an integer: then it is not `n`.
bool is_product(std::int64_t n, std::int64_t a, std::int64_t b) {
    const Checked product = Checked(a) * b;
    return product.ok() && product.value() == n;
}

/// Equal pieces a tensor falls into, and what one of them is of the whole tensor.
struct Piece {
    std::int64_t units;
    double weight;
};

void gather_pieces(const OutputStructure& s, int of_class, double repeat, std::vector<Piece>& pieces) {
    const OutputStructure::Class& k = s.classes[static_cast<std::size_t>(of_class)];
    if (k.units > 0) {
        pieces.push_back({k.units, k.width * repeat});
        return;
    }
    for (int i = k.first; i < k.last; ++i) {
        const OutputStructure::Part& part = s.parts[static_cast<std::size_t>(i)];
        gather_pieces(s, part.of_class, repeat * part.repeat * k.width, pieces);
    }
}

/// The pieces a layer's tensor falls into when its outputs are divided; parts with the same number of pieces as one.
std::vector<Piece> pieces_of(const Context& c, int p, int l) {
    const OutputStructure& s = c.part(p).outputs;
    const int of_class = s.class_of[static_cast<std::size_t>(l)];
    std::vector<Piece> all, merged;
    gather_pieces(s, of_class, 1, all);
    for (const Piece& piece : all) {
        const auto same_units =
            std::find_if(merged.begin(), merged.end(), [&](const Piece& m) { return m.units == piece.units; });
        if (same_units == merged.end())
            merged.push_back(piece);
        else
            same_units->weight += piece.weight;
    }
    for (Piece& piece : merged) piece.weight /= s.classes[static_cast<std::size_t>(of_class)].channels;
    return merged;
}

/// A size of the network.
std::string size(Page& page, const char* symbol, const char* text, std::int64_t n) {
    return page.joined({{symbol, text, n, fields::workload}});
}
std::string plain_number(double v) { return print(v, Measure::number, Layout{0, 15}).text; }
/// "2*N", or "N" alone: how often a tensor is touched.
std::string touched(double times, const std::string& what) {
    return times == 1 ? what : plain_number(times) + '*' + what;
}
/// The share of the worker that has most of `u` equal pieces.
std::string rounded_up(const std::string& u, const std::string& ranks) { return "ceil(" + u + '/' + ranks + ')'; }

/// Output units as one worker has them: "C_out", or "ceil(C_out/n)" where they are dealt out one by one, which is then
/// all that is shared.
std::string units(Page& page, const char* symbol, const char* text, bool& shared) {
    const Context& c = page.context();
    const int p = page.item().part, l = page.item().layer;
    const LayerFacts& f = c.facts(p, l);
    const LayerEstimate& row = c.row(p, l);
    size(page, symbol, text, f.units);
    const auto pieces = pieces_of(c, p, l);
    if (row.shares.flops == 1 || row.along || row.context_along || pieces.size() != 1 || pieces[0].units != f.units)
        return symbol;
    shared = true;
    if (f.units % c.sharing() != 0)
        page.note("The units do not divide by the workers: the busiest has the rounded-up share.");
    return rounded_up(symbol, page.degree_factor(c.sharing_axis()));
}

/// Weights of a filter for one output channel: "k_h*k_w*C_in".
std::string filter_size(Page& page, const ConvolutionGeometry& g) {
    std::string text = g.flat() ? "" : size(page, "k_d", "depth of the filter", g.kernel_d) + '*';
    text += page.joined({{"k_h", "height of the filter", g.kernel_h, fields::workload},
                         {"k_w", "width of the filter", g.kernel_w, fields::workload},
                         {"C_in", "input channels", g.in_c, fields::workload}},
                        "*");
    return g.groups > 1 ? text + '/' + size(page, "G", "groups of channels", g.groups) : text;
}

Page flops_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerFacts& f = c.facts(p, l);
    const double per_sample = c.part(p).work.pass[index_of(item.pass)].flops[static_cast<std::size_t>(l)];
    Page page(c, item, "F", flops_of(c, item));
    page.source("A multiply-add is 2 FLOP (modern conventions as in Narayanan et al., SC 2021)");
    if (per_sample == 0) return page.nothing("The pass does no multiply-adds.").of_network(p);
    const std::int64_t macs = item.pass == Pass::forward      ? f.multiply_adds
                              : item.pass == Pass::grad_input ? f.input_multiply_adds
                                                              : f.weight_multiply_adds;
    const bool as_forward = macs == f.multiply_adds;
    bool shared = false;
    if (std::abs(per_sample - 2 * static_cast<double>(macs)) > 2e-12 * static_cast<double>(macs)) {
        page.formula("f").give(
            {"f", "arithmetic of the cheapest algorithm, one sample", Flops{per_sample}, fields::convolution});
    } else if (f.convolution && as_forward) {
        const ConvolutionGeometry& g = *f.convolution;
        const bool in = g.transposed;
        page.formula("2*" + filter_size(page, g) + '*');
        if (!g.flat())
            page.formula(size(page, "D_o", in ? "depth of the input" : "depth of the output", in ? g.in_d : g.out_d) +
                         '*');
        page.formula(size(page, "H", in ? "height of the input" : "height of the output", in ? g.in_h : g.out_h) + '*');
        page.formula(size(page, "W", in ? "width of the input" : "width of the output", in ? g.in_w : g.out_w) + '*');
        page.formula(units(page, "C_out", "output channels", shared))
            .source("Convolution as a matrix product (GEMM); a multiply-add is 2 FLOP");
    } else if (f.weights > 0 && is_product(macs, f.in_elements, f.units)) {
        page.inputs("N_i", "inputs", p, l)
            .formula("2*N_i*" + units(page, "N_o", "units", shared))
            .source("Matrix product of weights and inputs; a multiply-add is 2 FLOP");
    } else {
        page.formula("2*" + size(page, "x", "multiply-adds of a sample", macs));
    }
    if (!shared) page.formula(page.share(p, l, c.row(p, l).shares.flops));
    if (item.pass != Pass::forward && as_forward)
        page.note("A gradient takes as many multiply-adds as the forward pass.");
    return page.formula("*b").samples(p, l);
}

Page bytes_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerFacts& f = c.facts(p, l);
    const LayerShares& shares = c.row(p, l).shares;
    const Traffic& t = traffic_of(f, item.pass);
    Page page(c, item, "D", bytes_of(c, item));
    page.source("Bytes read and written, each tensor as often as the pass touches it");
    if (page.result() == 0) return page.nothing("The pass moves nothing.").of_network(p);
    page.element_bytes(p);
    int summands = 0;
    std::string of_sample, moved;
    const auto add = [&summands](std::string& sum, const std::string& term) {
        summands = sum.empty() ? 1 : summands + 1;
        sum += (sum.empty() ? "" : " + ") + term;
    };
    const auto tensor = [&](double times, const char* symbol, const char* text, std::int64_t n, const Because& because,
                            double share) {
        if (times == 0 || n == 0) return;
        add(of_sample, touched(times, page.joined({{symbol, text, n, because}})) + page.share(p, l, share));
        if (times > 1) page.note(std::string(text) + " touched " + plain_number(times) + " times.");
    };
    tensor(t.inputs, "N_i", "elements of the input", f.in_elements, Topic::layer_inputs, shares.inputs);
    tensor(t.outputs, "N_o", "elements of the output", f.out_elements, Topic::layer_output, shares.outputs);
    tensor(1, "N_x", "elements moved within the layer", t.own, fields::workload, shares.outputs);
    if (!of_sample.empty()) {
        add(moved, "b*" + wrapped(of_sample));
        page.samples(p, l);
    }
    if (t.weights > 0 && f.weights > 0) {
        const int owner = c.part(p).network->weights_owner(l);
        const double share = c.row(p, owner).shares.weights;
        page.give({"N_w", "weights", static_cast<double>(f.weights) * share, Item{Topic::layer_parameters, p, owner}});
        // The owner may stand in front of a cut, where every worker has its weights whole.
        add(moved, touched(t.weights, "N_w") + (share == shares.weights ? "" : page.share(p, l, shares.weights, true)));
    }
    if (t.inputs > 0 && f.in_step_elements > 0) {
        add(moved, touched(t.inputs, size(page, "N_t", "elements of trained inputs", f.in_step_elements)));
        page.note("Trained inputs are the same for all samples: they are read once, not once a sample.");
    }
    return page.formula("w*" + (summands > 1 ? '(' + moved + ')' : moved));
}

/// Of a mixture of experts that are divided: all that a worker holds, its experts, or what is beside them.
Page& expert_parameters(Page& page, const LayerFacts& f, Held held) {
    const Context& c = page.context();
    const Given all{"N_x", "weights of all experts", f.experts.parameters, fields::workload};
    if (held == Held::experts)
        return page.formula("N_x/" + page.expert_ranks()).give(all).source("Experts divided among workers");
    if (held == Held::beside)
        return page.formula("N_w - N_x")
            .give({"N_w", "weights of the layer", f.weights, fields::workload})
            .give(all)
            .source("Router and shared experts, which every worker has");
    const auto of = [&](Held one) { return held_parameters(c, page.item().part, page.item().layer, one); };
    const Term experts = of(Held::experts), others = of(Held::beside);
    return page
        .formula(page.joined(
            {{"N_e", "of its experts", experts.value, experts.item}, {"N_r", "others", others.value, others.item}}))
        .source("Experts divided among workers");
}

/// The weights of a layer by its geometry, if they are what the kind of layer makes them: "N_i*N_o + N_o".
std::string weights_text(Page& page, const LayerFacts& f, int p, int l) {
    if (f.convolution) {
        const ConvolutionGeometry& g = *f.convolution;
        const std::int64_t product = g.kernel_d * g.kernel_h * g.kernel_w * (g.in_c / g.groups) * g.out_c;
        if (f.weights == product || f.weights == product + f.units) {
            const std::string filter = filter_size(page, g), out = size(page, "C_out", "output channels", g.out_c);
            return filter + '*' + out + (f.weights == product ? "" : " + " + out);
        }
    } else if (f.multiply_adds > 0) {
        const bool plain = is_product(f.weights, f.in_elements, f.units);
        if (plain || is_product(f.weights - f.units, f.in_elements, f.units)) {
            size(page.inputs("N_i", "inputs", p, l), "N_o", "units", f.units);
            return plain ? "N_i*N_o" : "N_i*N_o + N_o";
        }
    } else if (f.weights == 2 * f.units) {
        return "2*" + size(page, "C", "channels, each with scale and shift", f.units);
    }
    return size(page, "N_w", "weights of the layer", f.weights);
}

Page parameters_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerFacts& f = c.facts(p, l);
    const LayerShares& shares = c.row(p, l).shares;
    const Held held = item.index >= 2 ? static_cast<Held>(item.index) : Held::all;
    Page page(c, item, "N", held_parameters(c, p, l, held).value);
    page.source("Weights and biases of the layer");
    if (f.shares) {
        const int owner = c.part(p).network->weights_owner(l);
        return page.nothing("It uses the weights of " + c.layer_name(p, owner) + ", where they are counted.", "weights",
                            c.layer_name(p, owner), Item{Topic::layer_parameters, p, owner});
    }
    if (f.weights == 0) return page.nothing("The layer has no weights.").of_network(p);
    if (held == Held::piece) {
        const Term all = held_parameters(c, p, l, Held::all);
        return page.formula("N_w/" + page.degree_factor(c.sharing_axis()))
            .give({"N_w", "weights of the layer", all.value, all.item})
            .note("The workers of the tensor axis scatter their sum, and gather it when replicas have added up pieces.")
            .source(halo_source);
    }
    if (shares.experts > 0) return expert_parameters(page, f, held);
    const std::string text = weights_text(page, f, p, l);
    if (shares.weights == 1) return page.formula(text);
    return page.formula(wrapped(text) + page.share(p, l, shares.weights, true))
        .note("Each worker holds the weights of its own outputs.");
}

Page inputs_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerFacts& f = c.facts(p, l);
    std::vector<Term> terms;
    for (const int i : c.part(p).network->inputs(l))
        if (!c.facts(p, i).per_step || f.per_step)
            terms.push_back({c.layer_name(p, i) + ", " + to_text(c.facts(p, i).output),
                             static_cast<double>(c.facts(p, i).out_elements), Item{Topic::layer_output, p, i}});
    Page page = sum_page(c, item, "N_i", terms, {"inputs", Measure::count, f.in_elements});
    if (terms.empty()) page.note("The layer reads nothing.");
    return page.source("Elements of one sample");
}

/// Index 1, 2: what of it, or of its gradient, a worker sends over a border.
Page output_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerFacts& f = c.facts(p, l);
    if (item.index > 0) {
        const double share = item.index == 1 ? c.row(p, l).crossing : c.row(p, l).gradient_crossing;
        return Page(c, item, "N", static_cast<double>(f.out_elements) * share)
            .formula("N_o*s")
            .output("N_o", "elements of the output", p, l)
            .give({"s", "share that a worker has at the border", share, fields::policy})
            .source("What a worker of a stage sends to its partner in the next one");
    }
    Page page(c, item, "N_o", f.out_elements);
    page.source("Elements of one sample");
    const std::size_t dimensions = f.output.size();
    if (dimensions == 0) return page.formula("1").fact("shape", "a single number", fields::workload);
    std::vector<Given> sizes;
    if (dimensions == 1) sizes.push_back({"u", "units", f.output[0], fields::workload});
    constexpr std::pair<const char*, const char*> image[] = {{"H", "height"}, {"W", "width"}, {"C", "channels"}};
    for (std::size_t i = 0; i < dimensions && dimensions > 1; ++i) {
        const std::string number = std::to_string(i + 1);
        const bool named = dimensions == 3;
        sizes.push_back({named ? image[i].first : "d_" + number, named ? image[i].second : "dimension " + number,
                         f.output[i], fields::workload});
    }
    return page.formula(page.joined(std::move(sizes), "*"));
}

/// Of what a layer reads that has rows of its neighbours, or heads of keys that other workers have too.
Page share_read(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerEstimate& row = c.row(p, l);
    const LayerFacts& f = c.facts(p, l);
    Page page(c, item, "s_i", row.shares.inputs / c.context_share(p, l));
    if (row.along == ShardAlong::image_rows)
        return page.formula("r/H")
            .give({"r", "rows of the input that it has, with those of its neighbours",
                   halo_of(f.rows, f.along(ShardAlong::image_rows), c.sharing())->held, fields::workload})
            .give({"H", "rows of the input", f.rows.in, fields::workload})
            .source(halo_source);
    const auto inputs = c.part(p).network->inputs(l);
    page.output("N_q", "elements of the queries", p, inputs[0])
        .output("N_k", "elements of the keys", p, inputs[1])
        .output("N_v", "elements of the values", p, inputs[2]);
    return page.formula("(N_q/" + page.degree_factor(c.sharing_axis()) + " + (N_k + N_v)/h)/(N_q + N_k + N_v)")
        .give({"h", "heads of keys and values", f.key_heads, fields::workload})
        .source("Megatron-LM: several workers have the same head of keys and values");
}

/// What the busiest worker of an axis has of a tensor; index 1: of the context axis, 2: of what the layer reads,
/// otherwise of the tensor axis.
Page share_page(const Context& c, const Item& item) {
    if (item.index == 2) return share_read(c, item);
    const int p = item.part, l = item.layer;
    const LayerEstimate& row = c.row(p, l);
    const bool context = item.index == 1;
    Page page(c, item, context ? "p" : "s", context ? c.context_share(p, l) : c.class_share(p, l));
    page.source(
        "Split by outputs: channels or units are dealt out one by one; the busiest worker has the rounded-up share");
    if (!context && c.sharing() == 1) return page.formula("1").fact("workers", "1", fields::workers);
    std::string n = page.degree_factor(context ? MeshAxis::context : c.sharing_axis());
    if (!context && row.repeats > 1) {
        page.give({"r", "workers that have the same heads of keys and values", row.repeats, fields::workload});
        n = '(' + n + "/r)";
    }
    if (const auto along = context ? row.context_along : row.along)
        return page
            .formula(rounded_up(size(page, "u", sharding_row(*along).title.data(), c.facts(p, l).along(*along)), n) +
                     "/u")
            .source(std::string("Divided over the ") + (context ? "context" : "tensor") +
                    " axis; the busiest worker has the rounded-up share");
    const auto pieces = pieces_of(c, p, l);
    if (pieces.size() == 1)
        return page.formula(rounded_up(size(page, "u", "channels or units", pieces[0].units), n) + "/u");
    std::string text;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::string number = std::to_string(i + 1), u = "u_" + number, v = "v_" + number;
        text += (i > 0 ? " + " : "") + rounded_up(u, n) + '*' + v;
        page.give({u, "channels of piece " + number, pieces[i].units, fields::workload})
            .give({v, "what one of them is of the tensor", pieces[i].weight, fields::workload});
    }
    return page.formula(text).note("The tensor was put together from several; each is dealt out by its own channels.");
}

}  // namespace

const Traffic& traffic_of(const LayerFacts& f, Pass pass) {
    return pass == Pass::forward ? f.forward : pass == Pass::grad_input ? f.grad_input : f.grad_weights;
}
Flops flops_of(const Context& c, const Item& i) {
    const LayerEstimate& row = c.row(i.part, i.layer);
    const auto& flops = c.part(i.part).work.pass[index_of(i.pass)].flops;
    return Flops{flops[static_cast<std::size_t>(i.layer)] * row.shares.flops * row.samples};
}
Bytes bytes_of(const Context& c, const Item& i) {
    const LayerEstimate& row = c.row(i.part, i.layer);
    const PassWork& w = c.part(i.part).work.pass[index_of(i.pass)];
    const auto k = static_cast<std::size_t>(i.layer);
    return Bytes{(w.inputs[k] * row.shares.inputs + w.outputs[k] * row.shares.outputs) * row.samples +
                 w.weights[k] * row.shares.weights};
}

Page work_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::layer_flops: return flops_page(c, item);
        case Topic::layer_bytes: return bytes_page(c, item);
        case Topic::layer_parameters: return parameters_page(c, item);
        case Topic::layer_inputs: return inputs_page(c, item);
        case Topic::share: return share_page(c, item);
        default: return output_page(c, item);
    }
}

}  // namespace scalescope::explaining
