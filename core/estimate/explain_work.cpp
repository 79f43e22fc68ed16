// SPDX-License-Identifier: GPL-3.0-or-later
// What a layer asks for: arithmetic, bytes, parameters, and the share of them one worker has.
#include "core/base/checked.hpp"
#include "core/estimate/explain_rows.hpp"
#include "core/parallel/rows.hpp"

namespace scalescope::explaining {
namespace {

double flops_of_sample(A x) { return x.work().flops[static_cast<std::size_t>(x.layer())]; }

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
    for (int i = k.first; i < k.last && k.units <= 0; ++i) {
        const OutputStructure::Part& part = s.parts[static_cast<std::size_t>(i)];
        gather_pieces(s, part.of_class, repeat * part.repeat * k.width, pieces);
    }
    if (k.units <= 0) return;
    const auto known = std::ranges::find(pieces, k.units, &Piece::units);
    (known == pieces.end() ? pieces.emplace_back(Piece{k.units, 0}) : *known).weight += k.width * repeat;
}

/// The pieces a layer's tensor falls into when its outputs are divided; parts with the same number of pieces as one.
std::vector<Piece> pieces_of(const Context& c, int p, int l) {
    const OutputStructure& s = *c.part(p).outputs;
    const int of_class = s.class_of[static_cast<std::size_t>(l)];
    std::vector<Piece> all;
    gather_pieces(s, of_class, 1, all);
    for (Piece& piece : all) piece.weight /= s.classes[static_cast<std::size_t>(of_class)].channels;
    return all;
}

std::int64_t macs_of(A x) {
    const LayerFacts& f = x.facts();
    return x.item.pass == Pass::forward      ? f.multiply_adds
           : x.item.pass == Pass::grad_input ? f.input_multiply_adds
                                             : f.weight_multiply_adds;
}
std::int64_t filter_of(A x) {
    const ConvolutionGeometry& g = *x.facts().convolution;
    return g.kernel_d * g.kernel_h * g.kernel_w * (g.in_c / g.groups) * g.out_c;
}
/// Weights beside a product of sizes: none, or a bias for each unit.
bool with_biases(A x, std::int64_t product) {
    return x.facts().weights == product || x.facts().weights == product + x.facts().units;
}
bool of_inputs(Facts f, std::int64_t n) { return is_product(n, f.in_elements, f.units); }
std::int64_t biases(A x) {
    const LayerFacts& f = x.facts();
    return f.convolution ? f.weights - filter_of(x) : of_inputs(f, f.weights) ? 0 : f.units;
}
/// The layer's units as one worker has them: dealt out one by one, which is then all that is shared, or by its share.
std::string units_text(A x, const std::string& symbol) {
    const auto pieces = pieces_of(x.c, x.part(), x.layer());
    const LayerEstimate& r = x.row();
    const bool dealt =
        r.shares.flops != 1 && !r.along && !r.context_along && pieces.size() == 1 && pieces[0].units == x.facts().units;
    return dealt ? "ceil(" + symbol + "/{ranks})" : symbol + "*p.f*s.f";
}
std::string dimensions_text(A x, Page& page) {
    const auto& shape = x.facts().output;
    std::vector<Given> sizes;
    constexpr std::pair<const char*, const char*> image[] = {{"H", "height"}, {"W", "width"}, {"C", "channels"}};
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::string n = std::to_string(i + 1);
        sizes.push_back(shape.size() == 1   ? Given{"u", "units", shape[i]}
                        : shape.size() == 3 ? Given{image[i].first, image[i].second, shape[i]}
                                            : Given{"d_" + n, "dimension " + n, shape[i]});
    }
    return shape.empty() ? "1" : page.joined(std::move(sizes), "*");
}
/// What the busiest worker has of pieces that are dealt out one by one.
std::string pieces_text(A x, Page& page) {
    const bool context = x.item.index == 1;
    const auto along = context ? x.row().context_along : x.row().along;
    const auto pieces = along ? std::vector<Piece>{{x.facts().along(*along), 1}} : pieces_of(x.c, x.part(), x.layer());
    const std::string ranks = context ? "n_c" : x.row().repeats > 1 ? "({ranks}/r.same)" : "{ranks}";
    if (pieces.size() == 1) {
        const char* text = along ? sharding_row(*along).title.data() : "channels or units";
        page.give({"u", text, pieces[0].units});
        return "ceil(u/" + ranks + ")/u";
    }
    std::string text;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::string number = std::to_string(i + 1), u = "u_" + number, v = "v_" + number;
        text += (i > 0 ? " + " : "") + ("ceil(" + u + '/' + ranks + ")*" + v);
        page.give({u, "channels of piece " + number, pieces[i].units});
        page.give({v, "what one of them is of the tensor", pieces[i].weight});
    }
    page.note("The tensor was put together from several; each is dealt out by its own channels.");
    return text;
}
/// "2*N", as often as a tensor is touched.
std::string touched(double times, bool there, const char* what) {
    if (times == 0 || !there) return "nothing";
    return print(times, Measure::number, Layout{0, 15}).text + '*' + what;
}
/// The weights that the pass reads are the owner's, who may stand in front of a cut, where every worker has them whole.
std::string weights_read(A x, Page& page) {
    const Moves t = moves_of(x);
    if (t.weights == 0 || x.facts().weights == 0) return "nothing";
    const int owner = x.c.part(x.part()).network->weights_owner(x.layer());
    const double share = x.c.row(x.part(), owner).shares.weights;
    page.follow("N_w", "weights", Item{Topic::layer_parameters, x.part(), owner});
    return touched(t.weights, true, share == x.row().shares.weights ? "N_w" : "N_w*s.w");
}

/// A transposed convolution works over its input, others over their output.
template <std::int64_t ConvolutionGeometry::*in, std::int64_t ConvolutionGeometry::*out>
constexpr auto geometry = [](A x) {
    const ConvolutionGeometry& g = *x.facts().convolution;
    return g.transposed ? g.*in : g.*out;
};
/// Shares of a layer's arithmetic or of one of its tensors: of its positions, and of what the tensor axis divides.
template <double LayerShares::*of>
constexpr auto positions = [](A x) { return x.row().shares.*of == 1 ? 1.0 : x.c.context_share(x.part(), x.layer()); };
template <double LayerShares::*of>
constexpr auto busiest = [](A x) {
    const double share = x.row().shares.*of, of_axis = share / positions<of>(x);
    return std::abs(of_axis - 1) <= 1e-12 ? 1.0 : of_axis;
};
/// Of what a layer reads that has rows of its neighbours, or heads of keys that other workers have too.
constexpr auto share_read = [](A x) { return reads_more(x.row()) ? busiest<&LayerShares::inputs>(x) : 1.0; };
constexpr auto rows_divided = [](A x) { return reads_more(x.row()) && x.row().along == ShardAlong::image_rows; };
template <Held held>
constexpr auto parameters_held = [](A x) { return held_parameters(x.c, x.part(), x.layer(), held).value; };

template <std::size_t input>
constexpr auto output_of_input = [](A x) {
    return Item{Topic::layer_output, x.part(), x.c.part(x.part()).network->inputs(x.layer())[input]};
};

constexpr auto inputs_read = [](A x) {
    Terms terms;
    for (const int i : x.c.part(x.part()).network->inputs(x.layer()))
        if (Facts f = x.c.facts(x.part(), i); !f.per_step || x.facts().per_step)
            terms.push_back({x.c.layer_name(x.part(), i) + ", " + to_text(f.output),
                             static_cast<double>(f.out_elements), Item{Topic::layer_output, x.part(), i}});
    return terms;
};
constexpr auto has_experts = [](A x) { return x.row().shares.experts > 0; };

const Hole work_holes[] = {
    {"C_out", [](A x) { return units_text(x, "C_out"); }},
    {"N_o", [](A x) { return units_text(x, "N_o.units"); }},
    {"end", [](Facts f) { return f.convolution->transposed; }, "input", "output"},
    {"read", [](A x) { return touched(moves_of(x).inputs, x.facts().in_elements > 0, "N_i*p.i*s.i*s_i"); }},
    {"written", [](A x) { return touched(moves_of(x).outputs, x.facts().out_elements > 0, "N_o*p.o*s.o"); }},
    {"trained", [](A x) { return touched(moves_of(x).inputs, x.facts().in_step_elements > 0, "N_t*s.w"); }},
    {"weights read", weights_read},
    {"dimensions", dimensions_text},
    {"pieces", pieces_text},
    // Workers that divide a layer.
    {"ranks", &Context::hybrid, "n", "{tensor}"},
    {"axis", [](A x) { return x.item.index == 1; }, "context", "tensor"},
};

}  // namespace

Room work_room() {
    using enum Topic;
    static const Figure all[] = {
        {"+F", "multiply and add", [](A x) { return flops_of(x.c, x.item); }, layer_flops,
         is("b*f.cheap*p.f*s.f",
            [](A x) {
                const auto macs = static_cast<double>(macs_of(x));
                return std::abs(flops_of_sample(x) - 2 * macs) > 2e-12 * macs;
            }),
         source("A multiply-add is 2 FLOP (modern conventions as in Narayanan et al., SC 2021)"),
         is("2*k_d*k_h*k_w*C_in/G*D_o*H*W.width*{C_out}*b",
            [](A x) { return x.facts().convolution && macs_of(x) == x.facts().multiply_adds; }),
         source("Convolution as a matrix product (GEMM); a multiply-add is 2 FLOP"),
         is("2*N_i*{N_o}*b", [](A x) { return x.facts().weights > 0 && of_inputs(x.facts(), macs_of(x)); }),
         source("Matrix product of weights and inputs; a multiply-add is 2 FLOP"), is("2*x*p.f*s.f*b"),
         nothing("The pass does no multiply-adds."),
         source("A multiply-add is 2 FLOP (modern conventions as in Narayanan et al., SC 2021)")},
        {"f.cheap", "arithmetic of the cheapest algorithm, one sample", [](A x) { return Flops{flops_of_sample(x)}; },
         "model.convolution"},
        {"x", "multiply-adds of a sample", macs_of},
        {"+D", "{moved}", [](A x) { return bytes_of(x.c, x.item); }, layer_bytes,
         is("w*(b*({read} + {written} + N_x*p.o*s.o) + {weights read} + {trained})"),
         note("Counted in elements of {precision}: products in {narrow} read fewer bytes, and what they read is cast "
              "before they first do.|training.precision",
              narrow),
         note("Trained inputs are the same for all samples: they are read once, not once a sample.",
              [](Facts f) { return f.in_step_elements > 0; }),
         nothing("The pass moves nothing."),
         source("Bytes read and written, each tensor as often as the pass touches it")},
        {"+N_x", "elements moved within the layer", [](A x) { return moves_of(x).own; }},
        {"N_t", "elements of trained inputs", &LayerFacts::in_step_elements},
        // sizes of the layer
        {"*k_d", "depth of the filter", [](Facts f) { return f.convolution->kernel_d; }},
        {"k_h", "height of the filter", [](Facts f) { return f.convolution->kernel_h; }},
        {"k_w", "width of the filter", [](Facts f) { return f.convolution->kernel_w; }},
        {"C_in", "input channels", [](Facts f) { return f.convolution->in_c; }},
        {"*G", "groups of channels", [](Facts f) { return f.convolution->groups; }},
        {"C_out", "output channels", &LayerFacts::units},
        {"*D_o", "depth of the {end}", geometry<&ConvolutionGeometry::in_d, &ConvolutionGeometry::out_d>},
        {"H", "height of the {end}", geometry<&ConvolutionGeometry::in_h, &ConvolutionGeometry::out_h>},
        {"W.width", "width of the {end}", geometry<&ConvolutionGeometry::in_w, &ConvolutionGeometry::out_w>},
        {"N_o.units", "units", &LayerFacts::units},
        {"+N_b", "biases", biases},
        {"C.norm", "channels, each with scale and shift", &LayerFacts::units},
        {"N_w.own", "weights of the layer", &LayerFacts::weights},
        // parameters
        {"N", "parameters", parameters_held<Held::all>, layer_parameters, is("N_e + N_r", has_experts),
         note("Each worker holds the weights of its own outputs.",
              [](A x) { return x.row().shares.weights != 1 && !has_experts(x); }),
         is("(k_d*k_h*k_w*C_in/G*C_out + N_b)*s.w",
            [](A x) { return x.facts().convolution && with_biases(x, filter_of(x)); }),
         is("(N_i*N_o.units + N_b)*s.w",
            [](Facts f) {
                return !f.convolution && f.multiply_adds > 0 &&
                       (of_inputs(f, f.weights) || of_inputs(f, f.weights - f.units));
            }),
         is("2*C.norm*s.w", [](Facts f) { return !f.convolution && f.multiply_adds == 0 && f.weights == 2 * f.units; }),
         is("N_w.own*s.w"), nothing("The layer has no weights.", [](Facts f) { return !f.shares; }),
         nothing("It uses the weights of {owner}, where they are counted.|N.owner"),
         source("Weights and biases of the layer")},
        {"N_e", "parameters of its experts", parameters_held<Held::experts>, layer_parameters, 2,
         is("N_x.all/(n_e*n_v)", has_experts)},
        {"N_r", "other parameters", parameters_held<Held::beside>, layer_parameters, 3,
         is("N_w.own - N_x.all", has_experts), source("Router, which every worker has")},
        {"N_x.all", "weights of all experts", [](Facts f) { return f.experts.parameters; }},
        {"N_p", "parameters of a piece", parameters_held<Held::piece>, layer_parameters, 4, is("N/{ranks}"),
         note("The workers of the tensor axis scatter their sum, and gather it when replicas have added up pieces."),
         source(halo_source)},
        {"*n_e", "expert degree", &Point::expert, "parallelism.expert"},
        {"*n_v", "expert tensor degree", &Point::expert_tensor, "parallelism.expert_tensor"},
        // tensors
        {"N_i", "elements of the input", &LayerFacts::in_elements, layer_inputs,
         sum(inputs_read, "inputs", Measure::count), nothing("The layer reads nothing.")},
        {"N_o", "elements of the output", &LayerFacts::out_elements, layer_output,
         is("N_o*s.cross", [](A x) { return x.item.index > 0; }),
         source("What a worker of a stage sends to its partner in the next one"), is("{dimensions}"),
         source("Elements of one sample")},
        {"N.f", "sent forward", [](A x) { return static_cast<double>(x.facts().out_elements) * x.row().crossing; },
         layer_output, 1},
        {"N.g", "sent backward",
         [](A x) { return static_cast<double>(x.facts().out_elements) * x.row().gradient_crossing; }, layer_output, 2},
        {"s.cross", "share that a worker has at the border",
         [](A x) {
             return (x.item.index % 2 == 1 ? x.row().crossing : x.row().gradient_crossing) *
                    (x.item.index > 2 ? static_cast<double>(x.c.degrees().tensor) : 1.0);
         },
         "parallelism.policy"},
        // shares of the busiest worker
        {"s", "share of the busiest worker", [](A x) { return x.c.class_share(x.part(), x.layer()); }, share,
         is("1", [](A x) { return x.c.sharing() == 1; }), is("{pieces}", [](Row r) { return r.along.has_value(); }),
         source("Divided over the {axis} axis; the busiest worker has the rounded-up share"), is("{pieces}"),
         source("Split by outputs, one channel or unit at a time; the busiest worker has the rounded-up share")},
        {"p", "share of its positions", [](A x) { return x.c.context_share(x.part(), x.layer()); }, share, 1,
         is("{pieces}", [](Row r) { return r.context_along.has_value(); }), is("1"),
         source("Divided over the {axis} axis; the busiest worker has the rounded-up share")},
        {"*s_i", "share that the busiest worker reads", share_read, share, 2, is("r.rows/H.rows", rows_divided),
         source(halo_source),
         is("(N_q/{ranks} + (N_k.in + N_v)/h_k)/(N_q + N_k.in + N_v)", [](Row r) { return reads_more(r); }),
         source("Megatron-LM: several workers have the same head of keys and values")},
        {"N_q", "elements of the queries", nullptr, output_of_input<0>},
        {"N_k.in", "elements of the keys", nullptr, output_of_input<1>},
        {"N_v", "elements of the values", nullptr, output_of_input<2>},
        {"r.rows", "rows of the input that it has, with those of its neighbours",
         [](A x) { return halo_of(x.facts().rows, x.facts().along(ShardAlong::image_rows), x.c.sharing())->held; }},
        {"H.rows", "rows of the input", [](Facts f) { return f.rows.in; }},
        {"h_k", "heads of keys and values", &LayerFacts::key_heads},
        {"r.same", "workers that have the same heads of keys and values", &LayerEstimate::repeats},
        {"*p.f", "share of its positions", positions<&LayerShares::flops>, share, 1},
        {"*s.f", "share of the busiest worker", busiest<&LayerShares::flops>, share},
        {"*p.i", "share of its positions", positions<&LayerShares::inputs>, share, 1},
        {"*s.i", "share of the busiest worker",
         [](A x) { return reads_more(x.row()) ? 1.0 : busiest<&LayerShares::inputs>(x); }, share},
        {"*p.o", "share of its positions", positions<&LayerShares::outputs>, share, 1},
        {"*s.o", "share of the busiest worker", busiest<&LayerShares::outputs>, share},
        {"*s.w", "share of the busiest worker", &LayerShares::weights, share},
    };
    return {all, work_holes};
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

}  // namespace scalescope::explaining
