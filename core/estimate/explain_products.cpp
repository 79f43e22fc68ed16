// SPDX-License-Identifier: GPL-3.0-or-later
// Products that are priced by their shapes: the products of a pass, their tiles and their traffic.
#include <cmath>

#include "core/estimate/explain_rows.hpp"

namespace scalescope::explaining {
namespace {

/// A product of the item's pass, or its fused attention, as it is priced.
struct Priced {
    ProductPass pass;
    const ProductRates* rates = nullptr;
    ProductShape shape;
    ProductTime time;
    AttentionTime fused;
    double part = 1;  ///< of the contraction
};

Priced priced(A x) {
    const Work& work = x.c.part(x.part()).work;
    const DeviceRates& rates = x.c.plan.device;
    const LayerEstimate& row = x.row();
    Priced p;
    p.pass = product_pass(work, x.layer(), x.item.pass, row.samples, row.shares);
    if (p.pass.fused) {
        p.fused = attention_time(*p.pass.fused, *rates.attention);
        return p;
    }
    p.rates = product_rates_of(work, static_cast<std::size_t>(x.layer()), rates);
    p.shape = p.pass.shapes[static_cast<std::size_t>(std::max(0, x.item.index))];
    p.time = product_time(p.shape, *p.rates);
    p.part = std::ceil(p.shape.k / p.time.splits - 1e-9);
    return p;
}

constexpr auto is_fused = [](A x) { return priced(x).pass.fused.has_value(); };
constexpr auto is_split = [](A x) { return priced(x).time.splits > 1; };
/// What of a device is slowest to deliver the operands: its memory, its cache or its shared memories.
enum class Slowest { memory, cache, shared };
Slowest slowest_of(A x) {
    const Priced p = priced(x);
    const ProductFamily& f = *p.rates->family;
    const double edges = p.time.rows + p.time.columns, bytes = edges * p.part * p.rates->element_bytes,
                 memory = p.time.traffic / f.memory, cache = p.time.tiles * bytes / f.cache,
                 shared = p.time.waves * bytes * p.rates->processors / f.shared;
    return shared > std::max(memory, cache) ? Slowest::shared : cache > memory ? Slowest::cache : Slowest::memory;
}
template <Slowest one>
constexpr auto is_slowest = [](A x) { return slowest_of(x) == one; };

template <auto of>
constexpr auto of_shape = [](A x) { return priced(x).shape.*of; };
template <auto of>
constexpr auto of_time = [](A x) { return static_cast<double>(priced(x).time.*of); };
template <auto of>
constexpr auto of_family = [](A x) { return priced(x).rates->family->*of; };
template <auto of>
constexpr auto of_fused = [](A x) { return priced(x).pass.fused.value().*of; };
const AttentionRates& attention(A x) { return *x.c.plan.device.attention; }

const Hole product_holes[] = {
    {"product", [](A x) { return std::string(priced(x).rates->family->name); }},
    {"kernels", [](A x) { return std::string(attention(x).family->name); }},
    {"fitted",
     [](A x) { return std::string(is_fused(x) ? attention(x).family->source : priced(x).rates->family->source); }},
};

}  // namespace

bool priced_by_shape(A x) {
    return x.layer() >= 0 && !x.c.plan.paleo && !x.c.plan.cpu &&
           x.work().active[static_cast<std::size_t>(x.layer())] > 0 &&
           by_shape(x.c.part(x.part()).work, static_cast<std::size_t>(x.layer()), x.c.plan.device);
}

int products_of(const Context& c, const Item& item) {
    const Ask x{c, item};
    if (item.layer < 0 || !priced_by_shape(x)) return 0;
    const ProductPass pass = priced(x).pass;
    return pass.fused ? 1 : pass.count;
}

std::string products_text(A x, Page& page) {
    const int count = products_of(x.c, x.item);
    std::vector<Given> given;
    for (int i = 0; i < count; ++i) {
        const Item item{Topic::layer_product, x.part(), x.layer(), x.item.pass, -1, i};
        const Priced p = priced({x.c, item});
        const Seconds time = p.pass.fused ? p.fused.total : p.time.total - p.rates->launch();
        given.push_back({count > 1 ? "t_k" + std::to_string(i + 1) : "t_k",
                         p.pass.fused ? "fused attention" : "product", time, item});
    }
    return page.joined(std::move(given));
}

Bytes beside_products(A x) { return priced(x).pass.beside; }
Bytes bytes_of_products(A x) { return bytes_of(x.c, x.item) - beside_products(x); }
Seconds start_of_product(A x) {
    const Priced p = priced(x);
    return start_of(p.pass, p.rates, x.c.plan.device);
}

Room product_room() {
    using enum Topic;
    static const Figure all[] = {
        {"t_k", "one product",
         [](A x) {
             const Priced p = priced(x);
             return p.pass.fused ? p.fused.total : p.time.total - p.rates->launch();
         },
         layer_product, is("(t_t^4 + t_d^4)^0.25", is_fused),
         note("Scores stay on the multiprocessors: only queries, keys, values and the output move.|model.attention"),
         source("{fitted}"), is("(t_t^4 + t_d^4)^0.25 + k_t*t_s", is_split),
         note("Few tiles: the contraction is split into parts that are worked out at the same time and added up."),
         source("{fitted}"), is("(t_t^4 + t_d^4)^0.25"),
         note("Priced by its shape, as the product that takes least of four sizes of tiles."), source("{fitted}")},
        {"t_t", "arithmetic",
         [](A x) {
             const Priced p = priced(x);
             return p.pass.fused ? p.fused.arithmetic : p.time.arithmetic;
         },
         product_arithmetic,
         is("F*k_b*Q/n_b*k_g*k_l/(P*e_0*d/(d + d_0)*s.n/(s.n + s_0))",
            [](A x) { return is_fused(x) && priced(x).fused.arithmetic == priced(x).fused.longest; }),
         note("The block of queries that sees most keys takes longest: it cannot be split."), source("{fitted}"),
         is("F*k_b*w_v*Q/n_b*k_g/(P*e_0*d/(d + d_0)*s.n/(s.n + s_0))", is_fused), source("{fitted}"),
         is("k_t*k_c*w_v*2*Q*t_m*t_n*(k_s + k_h)*(1 + a.e*(1/t_m + 1/t_n))/(P_k*e_k)"), source("{fitted}")},
        {"t_d", "operands",
         [](A x) {
             const Priced p = priced(x);
             return p.pass.fused ? p.fused.memory : p.time.memory;
         },
         product_memory, is("D/(W*e_f)", is_fused), source("{fitted}"),
         is("k_t*w_v*(t_m + t_n)*k_s*w.k*Q/(W*c_s)", is_slowest<Slowest::shared>),
         note("Shared memory of the multiprocessors is the slowest to deliver them."), source("{fitted}"),
         is("k_t*n_t*(t_m + t_n)*k_s*w.k/(W*c_l)", is_slowest<Slowest::cache>),
         note("The last-level cache is the slowest to deliver them."), source("{fitted}"), is("k_t*D_k/(W*e_w)"),
         note("Memory is the slowest to deliver them."), source("{fitted}")},
        // of a product
        {"m.p", "rows", of_shape<&ProductShape::m>},
        {"n.p", "columns", of_shape<&ProductShape::n>},
        {"k.p", "contraction", of_shape<&ProductShape::k>},
        {"q.p", "products", of_shape<&ProductShape::count>},
        {"t_m", "rows of a tile", of_time<&ProductTime::rows>},
        {"t_n", "columns of a tile", of_time<&ProductTime::columns>},
        {"n_t", "tiles", of_time<&ProductTime::tiles>},
        {"w_v", "waves of tiles or blocks",
         [](A x) {
             const Priced p = priced(x);
             return p.pass.fused ? p.fused.waves : p.time.waves;
         }},
        {"k_s", "steps of the contraction", [](A x) { return priced(x).part; }},
        {"k_h", "steps until the pipeline is full", of_family<&ProductFamily::ramp>},
        {"a.e", "edge of a tile", of_family<&ProductFamily::edge>},
        {"e_k", "share of the peak, large tiles", of_family<&ProductFamily::reached>},
        {"e_w", "share of the bandwidth", of_family<&ProductFamily::memory>},
        {"c_l", "bandwidth of the cache, of memory's", of_family<&ProductFamily::cache>},
        {"c_s", "bandwidth of shared memory, of memory's", of_family<&ProductFamily::shared>},
        {"*k_t", "longer within a training step", [](A x) { return priced(x).rates->slower; }},
        {"*k_c", "longer at the power limit",
         [](A x) {
             const ProductRates& r = *priced(x).rates;
             return r.training ? 1 + r.family->training_clock : 1.0;
         }},
        {"t_s", "adding up the parts", [](A) { return adding_up; }},
        {"P_k", "peak, as products reach it on this device", [](A x) { return priced(x).rates->peak; },
         "cluster.device.peak_tflops"},
        {"D_k", "bytes of the product", [](A x) { return Bytes{priced(x).time.traffic}; }},
        {"w.k", "bytes of an element that is read", [](A x) { return Bytes{priced(x).rates->element_bytes}; },
         "training.precision"},
        {"*Q", "multiprocessors",
         [](A x) {
             const Priced p = priced(x);
             return p.pass.fused ? std::max(1.0, attention(x).processors) : p.rates->processors;
         }},
        // of fused attention
        {"n_b", "blocks of queries", [](A x) { return priced(x).fused.blocks; }},
        {"*k_b", "whole blocks over what the mask leaves", [](A x) { return priced(x).fused.whole_blocks; }},
        {"*k_g", "backward pass, slower",
         [](A x) { return x.item.pass == Pass::forward ? 1.0 : attention(x).family->backward; }},
        {"*k_l", "longest block that does not hide",
         [](A x) {
             const AttentionShape s = priced(x).pass.fused.value();
             return s.keys / s.seen * attention(x).family->longest;
         }},
        {"e_0", "share of the peak that the kernel reaches at best", [](A x) { return attention(x).reached; },
         "model.attention"},
        {"d", "width of a head", of_fused<&AttentionShape::width>},
        {"d_0", "width at half of the rate", [](A x) { return attention(x).family->narrow; }},
        {"s.n", "keys that a query sees, in the mean", of_fused<&AttentionShape::seen>},
        {"s_0", "keys at half of the rate", [](A x) { return attention(x).family->ramp; }},
        {"e_f", "share of the bandwidth", [](A x) { return attention(x).family->memory; }},
    };
    return {all, product_holes, "Fitted to measured products"};
}

}  // namespace scalescope::explaining
