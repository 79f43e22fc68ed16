// SPDX-License-Identifier: GPL-3.0-or-later
// What a layer asks for: arithmetic, bytes, parameters, and the share of them one worker has.
#include <algorithm>
#include <cmath>

#include "core/base/checked.hpp"
#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

bool same(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

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

/// Output units as one worker has them: "C_out", or "ceil(C_out/n)" where they are dealt out one by one.
std::string units(Page& page, const char* symbol, const char* text, int p, int l, double share, bool& shared) {
    const Context& c = page.context();
    const LayerFacts& f = c.facts(p, l);
    page.field(symbol, text, static_cast<double>(f.units), Measure::count, fields::workload);
    const auto pieces = pieces_of(c, p, l);
    if (share == 1 || c.row(p, l).along || c.row(p, l).context_along || pieces.size() != 1 ||
        pieces[0].units != f.units)
        return symbol;
    shared = true;
    const std::string ranks = page.degree_factor(c.hybrid() ? MeshAxis::data : MeshAxis::tensor);
    if (f.units % c.sharing() != 0)
        page.note("The units do not divide by the workers: the busiest has the rounded-up share.");
    return "ceil(" + std::string(symbol) + '/' + ranks + ')';
}

void kernel(Page& page, const ConvolutionGeometry& g) {
    const auto axis = [&](const char* symbol, const char* text, std::int64_t n) {
        page.field(symbol, text, static_cast<double>(n), Measure::count, fields::workload);
    };
    if (!g.flat()) axis("k_d", "depth of the filter", g.kernel_d);
    axis("k_h", "height of the filter", g.kernel_h);
    axis("k_w", "width of the filter", g.kernel_w);
    page.field("C_in", "input channels", static_cast<double>(g.in_c), Measure::count, fields::workload);
    if (g.groups > 1)
        page.field("G", "groups of channels", static_cast<double>(g.groups), Measure::count, fields::workload);
}

std::string filter_size(const ConvolutionGeometry& g) {
    return std::string(g.flat() ? "" : "k_d*") + (g.groups > 1 ? "k_h*k_w*C_in/G" : "k_h*k_w*C_in");
}

std::int64_t multiply_adds_of(const LayerFacts& f, Pass pass) {
    return pass == Pass::forward      ? f.multiply_adds
           : pass == Pass::grad_input ? f.input_multiply_adds
                                      : f.weight_multiply_adds;
}

Page flops_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerFacts& f = c.facts(p, l);
    const LayerEstimate& row = c.row(p, l);
    const double per_sample = c.part(p).work.pass[index_of(item.pass)].flops[static_cast<std::size_t>(l)];
    Page page(c, item, "F", title_of(c, item), per_sample * row.shares.flops * row.samples, Measure::flops);
    page.source("A multiply-add is 2 FLOP (modern conventions as in Narayanan et al., SC 2021)");
    if (per_sample == 0)
        return page.nothing("The pass does no multiply-adds.")
            .fact("network", c.part(p).network->name(), fields::workload);
    bool shared = false;
    std::string text;
    const std::int64_t macs = multiply_adds_of(f, item.pass);
    const bool as_forward = macs == f.multiply_adds;
    if (!same(per_sample, 2 * static_cast<double>(macs))) {
        text = "f";
        page.field("f", "arithmetic of the cheapest algorithm, one sample", per_sample, Measure::flops,
                   fields::convolution);
    } else if (f.convolution && as_forward) {
        const ConvolutionGeometry& g = *f.convolution;
        kernel(page, g);
        if (!g.flat())
            page.field("D_o", g.transposed ? "depth of the input" : "depth of the output",
                       static_cast<double>(g.transposed ? g.in_d : g.out_d), Measure::count, fields::workload);
        text = "2*" + filter_size(g) + (g.flat() ? "*H*W*" : "*D_o*H*W*") +
               units(page, "C_out", "output channels", p, l, row.shares.flops, shared);
        page.field("H", g.transposed ? "height of the input" : "height of the output",
                   static_cast<double>(g.transposed ? g.in_h : g.out_h), Measure::count, fields::workload);
        page.field("W", g.transposed ? "width of the input" : "width of the output",
                   static_cast<double>(g.transposed ? g.in_w : g.out_w), Measure::count, fields::workload);
        page.source("Convolution as a matrix product (GEMM); a multiply-add is 2 FLOP");
    } else if (f.weights > 0 && is_product(macs, f.in_elements, f.units)) {
        page.link("N_i", "inputs", static_cast<double>(f.in_elements), Measure::count, Item{Topic::layer_inputs, p, l});
        text = "2*N_i*" + units(page, "N_o", "units", p, l, row.shares.flops, shared);
        page.source("Matrix product of weights and inputs; a multiply-add is 2 FLOP");
    } else {
        text = "2*x";
        page.field("x", "multiply-adds of a sample", static_cast<double>(macs), Measure::count, fields::workload);
    }
    if (!shared) text += page.share(p, l, row.shares.flops);
    page.formula(text + "*b").samples(p, l);
    if (item.pass != Pass::forward && as_forward)
        page.note("A gradient takes as many multiply-adds as the forward pass.");
    return page;
}

/// "2*N", or "N" alone: how often a tensor is touched.
std::string touched(double times, const std::string& what) {
    if (times == 1) return what;
    const Printed p = print(times, Measure::number, Layout{0, 15});
    return p.text + '*' + what;
}

Page bytes_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const auto k = static_cast<std::size_t>(l);
    const LayerFacts& f = c.facts(p, l);
    const LayerEstimate& row = c.row(p, l);
    const Work& work = c.part(p).work;
    const PassWork& w = work.pass[index_of(item.pass)];
    const Traffic& t = item.pass == Pass::forward      ? f.forward
                       : item.pass == Pass::grad_input ? f.grad_input
                                                       : f.grad_weights;
    const double bytes = (w.inputs[k] * row.shares.inputs + w.outputs[k] * row.shares.outputs) * row.samples +
                         w.weights[k] * row.shares.weights;
    Page page(c, item, "D", title_of(c, item), bytes, Measure::bytes);
    page.source("Bytes read and written, each tensor as often as the pass touches it");
    if (bytes == 0)
        return page.nothing("The pass moves nothing.").fact("network", c.part(p).network->name(), fields::workload);
    page.field("w", "bytes of an element", work.element_bytes, Measure::bytes, fields::precision);
    std::string moved, tensors;
    int terms = 0;
    const auto tensor = [&](double times, const char* symbol, const char* text, std::int64_t n, Topic topic,
                            double share) {
        if (times == 0 || n == 0) return;
        page.link(symbol, text, static_cast<double>(n), Measure::count, Item{topic, p, l});
        tensors += (terms++ ? " + " : "") + touched(times, symbol) + page.share(p, l, share);
        if (times > 1)
            page.note(std::string(text) + " touched " + print(times, Measure::number, Layout{0, 15}).text + " times.");
    };
    tensor(t.inputs, "N_i", "elements of the input", f.in_elements, Topic::layer_inputs, row.shares.inputs);
    tensor(t.outputs, "N_o", "elements of the output", f.out_elements, Topic::layer_output, row.shares.outputs);
    if (t.own > 0) {
        page.field("N_x", "elements moved within the layer", static_cast<double>(t.own), Measure::count,
                   fields::workload);
        tensors += (terms++ ? " + " : "") + std::string("N_x") + page.share(p, l, row.shares.outputs);
    }
    if (terms > 0) {
        moved = terms > 1 ? "b*(" + tensors + ")" : "b*" + tensors;
        page.samples(p, l);
    }
    int summands = moved.empty() ? 0 : 1;
    const auto once = [&](const std::string& text) { moved += (summands++ > 0 ? " + " : "") + text; };
    if (t.weights > 0 && f.weights > 0) {
        const int owner = c.part(p).network->weights_owner(l);
        const double share = c.row(p, owner).shares.weights;
        page.link("N_w", "weights", static_cast<double>(f.weights) * share, Measure::count,
                  Item{Topic::layer_parameters, p, owner});
        // The owner may stand in front of a cut, where every worker has its weights whole.
        once(touched(t.weights, "N_w") +
             (share == row.shares.weights ? "" : page.share(p, l, row.shares.weights, true)));
    }
    if (t.inputs > 0 && f.in_step_elements > 0) {
        page.field("N_t", "elements of trained inputs", static_cast<double>(f.in_step_elements), Measure::count,
                   fields::workload);
        once(touched(t.inputs, "N_t"));
        page.note("Trained inputs are the same for all samples: they are read once, not once a sample.");
    }
    if (summands > 1) moved = '(' + moved + ')';
    page.formula("w*" + moved);
    return page;
}

Page parameters_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerFacts& f = c.facts(p, l);
    const double share = c.row(p, l).shares.weights;
    const Held held = item.index == 2 || item.index == 3 ? static_cast<Held>(item.index) : Held::all;
    Page page(c, item, "N", title_of(c, item), held_parameters(c, p, l, held).value, Measure::count);
    page.source("Weights and biases of the layer");
    if (f.shares) {
        const int owner = c.part(p).network->weights_owner(l);
        return page.nothing("It uses the weights of " + c.layer_name(p, owner) + ", where they are counted.")
            .fact("weights", c.layer_name(p, owner), Item{Topic::layer_parameters, p, owner});
    }
    if (const double experts = c.row(p, l).shares.experts; experts > 0 && f.weights > 0) {
        if (item.index == static_cast<int>(Held::experts))
            return page.formula("N_x/n_e")
                .field("N_x", "weights of all experts", static_cast<double>(f.experts.parameters), Measure::count,
                       fields::workload)
                .field("n_e", "expert degree", static_cast<double>(c.estimate.point.expert), Measure::count,
                       fields::expert)
                .source("Experts divided among workers");
        if (item.index == static_cast<int>(Held::beside))
            return page.formula("N_w - N_x")
                .field("N_w", "weights of the layer", static_cast<double>(f.weights), Measure::count, fields::workload)
                .field("N_x", "weights of all experts", static_cast<double>(f.experts.parameters), Measure::count,
                       fields::workload)
                .source("Router and shared experts, which every worker has");
        for (const Held one : {Held::experts, Held::beside}) {
            const Term t = held_parameters(c, p, l, one);
            page.link(one == Held::experts ? "N_e" : "N_r", one == Held::experts ? "of its experts" : "others", t.value,
                      Measure::count, t.item);
        }
        return page.formula("N_e + N_r").source("Experts divided among workers");
    }
    if (f.weights == 0)
        return page.nothing("The layer has no weights.").fact("network", c.part(p).network->name(), fields::workload);
    std::string text;
    if (f.convolution) {
        const ConvolutionGeometry& g = *f.convolution;
        const std::int64_t product = g.kernel_d * g.kernel_h * g.kernel_w * (g.in_c / g.groups) * g.out_c;
        if (f.weights == product || f.weights == product + f.units) {
            kernel(page, g);
            page.field("C_out", "output channels", static_cast<double>(g.out_c), Measure::count, fields::workload);
            text = filter_size(g) + "*C_out" + (f.weights == product ? "" : " + C_out");
        }
    } else if (f.multiply_adds > 0) {
        const bool plain = is_product(f.weights, f.in_elements, f.units);
        if (plain || is_product(f.weights - f.units, f.in_elements, f.units)) {
            page.link("N_i", "inputs", static_cast<double>(f.in_elements), Measure::count,
                      Item{Topic::layer_inputs, p, l});
            page.field("N_o", "units", static_cast<double>(f.units), Measure::count, fields::workload);
            text = std::string("N_i*N_o") + (plain ? "" : " + N_o");
        }
    } else if (f.weights == 2 * f.units) {
        page.field("C", "channels, each with scale and shift", static_cast<double>(f.units), Measure::count,
                   fields::workload);
        text = "2*C";
    }
    if (text.empty()) {
        text = "N_w";
        page.field("N_w", "weights of the layer", static_cast<double>(f.weights), Measure::count, fields::workload);
    }
    if (share != 1) {
        if (text.find(" + ") != std::string::npos) text = '(' + text + ')';
        text += page.share(p, l, share, true);
        page.note("Each worker holds the weights of its own outputs.");
    }
    return page.formula(text);
}

Page elements_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const LayerFacts& f = c.facts(p, l);
    if (item.topic == Topic::layer_inputs) {
        const auto inputs = c.part(p).network->inputs(l);
        std::vector<Term> terms;
        for (int i : inputs)
            if (!c.facts(p, i).per_step || c.facts(p, l).per_step)
                terms.push_back({c.layer_name(p, i) + ", " + to_text(c.facts(p, i).output),
                                 static_cast<double>(c.facts(p, i).out_elements), Item{Topic::layer_output, p, i}});
        Page page(c, item, "N_i", title_of(c, item),
                  item.from > 0 ? rest_of(terms, item.from) : static_cast<double>(f.in_elements), Measure::count);
        page.source("Elements of one sample");
        if (terms.empty())
            return page.nothing("The layer reads nothing.")
                .fact("network", c.part(p).network->name(), fields::workload);
        return page.formula(page.sum(terms, Measure::count, Evidence::exact, "inputs", "N"));
    }
    if (item.index > 0) {
        const LayerEstimate& row = c.row(p, l);
        const double share = item.index == 1 ? row.crossing : row.gradient_crossing;
        Page page(c, item, "N", title_of(c, item), static_cast<double>(f.out_elements) * share, Measure::count);
        page.link("N_o", "elements of the output", static_cast<double>(f.out_elements), Measure::count,
                  Item{Topic::layer_output, p, l});
        page.field("s", "share that a worker has at the border", share, Measure::number, fields::policy);
        return page.formula("N_o*s").source("What a worker of a stage sends to its partner in the next one");
    }
    Page page(c, item, "N_o", title_of(c, item), static_cast<double>(f.out_elements), Measure::count);
    page.source("Elements of one sample");
    std::string text;
    const bool image = f.output.size() == 3;
    for (std::size_t i = 0; i < f.output.size(); ++i) {
        const std::string symbol = image                  ? std::string(1, "HWC"[i])
                                   : f.output.size() == 1 ? "u"
                                                          : "d_" + std::to_string(i + 1);
        const std::string words = image                  ? (i == 0   ? "height"
                                                            : i == 1 ? "width"
                                                                     : "channels")
                                  : f.output.size() == 1 ? "units"
                                                         : "dimension " + std::to_string(i + 1);
        page.field(symbol, words, static_cast<double>(f.output[i]), Measure::count, fields::workload);
        text += (text.empty() ? "" : "*") + symbol;
    }
    if (text.empty()) page.fact("shape", "a single number", fields::workload);
    return page.formula(text.empty() ? "1" : text);
}

Page share_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    if (item.index == 1) {
        const auto along = c.row(p, l).context_along;
        Page page(c, item, "p", title_of(c, item), c.context_share(p, l), Measure::number);
        const std::string n = page.degree(MeshAxis::context);
        return page.source("Divided over the context axis; the busiest worker has the rounded-up share")
            .formula("ceil(u/" + n + ")/u")
            .field("u", std::string(sharding_row(*along).title), static_cast<double>(c.facts(p, l).along(*along)),
                   Measure::count, fields::workload);
    }
    Page page(c, item, "s", title_of(c, item), c.class_share(p, l), Measure::number);
    page.source(
        "Split by outputs: channels or units are dealt out one by one; the busiest worker has the rounded-up share");
    if (c.sharing() == 1) return page.formula("1").fact("workers", "1", fields::workers);
    const auto along = c.row(p, l).along;
    const std::string n = page.degree_factor(c.hybrid() ? MeshAxis::data : MeshAxis::tensor);
    if (along) {
        page.formula("ceil(u/" + n + ")/u")
            .field("u", std::string(sharding_row(*along).title), static_cast<double>(c.facts(p, l).along(*along)),
                   Measure::count, fields::workload);
        return page.source("Divided over the tensor axis; the busiest worker has the rounded-up share");
    }
    const auto pieces = pieces_of(c, p, l);
    if (pieces.size() == 1)
        return page.formula("ceil(u/" + n + ")/u")
            .field("u", "channels or units", static_cast<double>(pieces[0].units), Measure::count, fields::workload);
    std::string text;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::string at = "_" + std::to_string(i + 1);
        text += (i > 0 ? " + " : "") + ("ceil(u" + at + "/" + n + ")*v" + at);
        page.field("u" + at, "channels of piece " + std::to_string(i + 1), static_cast<double>(pieces[i].units),
                   Measure::count, fields::workload);
        page.field("v" + at, "what one of them is of the tensor", pieces[i].weight, Measure::number, fields::workload);
    }
    page.note("The tensor was put together from several; each is dealt out by its own channels.");
    return page.formula(text);
}

}  // namespace

Page work_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::layer_flops: return flops_page(c, item);
        case Topic::layer_bytes: return bytes_page(c, item);
        case Topic::layer_parameters: return parameters_page(c, item);
        case Topic::share: return share_page(c, item);
        default: return elements_page(c, item);
    }
}

}  // namespace scalescope::explaining
