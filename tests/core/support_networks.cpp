// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_networks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "core/formats/library.hpp"
#include "core/scenario/names.hpp"

namespace support {
namespace {

using namespace scalescope;

[[noreturn]] void stop(const Problems& problems) {
    for (const auto& p : problems) std::fprintf(stderr, "%s\n", to_text(p).c_str());
    std::abort();
}

using Sizes = std::vector<std::int64_t>;

}  // namespace

std::int64_t pick(std::mt19937& random, std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

int Builder::simple(const std::string& kind, std::vector<int> in) {
    Layer layer;
    const int index = size();
    layer.id = LayerId{static_cast<std::uint32_t>(index) + 1};
    layer.name = kind + "_" + std::to_string(index);
    layer.kind = find_kind(kind);
    for (const auto& a : layer.kind->attributes) layer.attributes.push_back(a.initial);
    for (int i : in) layer.inputs.push_back(id(i));
    draft_.layers.push_back(std::move(layer));
    return index;
}

void Builder::set(int layer, const std::string& attribute, AttributeValue value) {
    Layer& l = draft_.layers[static_cast<std::size_t>(layer)];
    for (std::size_t i = 0; i < l.kind->attributes.size(); ++i)
        if (l.kind->attributes[i].name == attribute) {
            l.attributes[i] = std::move(value);
            return;
        }
    std::abort();
}

const AttributeValue& Builder::value(int layer, const std::string& name) const {
    return attribute(draft_.layers[static_cast<std::size_t>(layer)], name);
}

std::string_view Builder::kind(int layer) const { return draft_.layers[static_cast<std::size_t>(layer)].kind->name; }

bool Builder::made_of_parts(int layer) const {
    const Layer& l = draft_.layers[static_cast<std::size_t>(layer)];
    const auto name = l.kind->name;
    if (name == "concat") return true;
    if (name == "input" || name == "dense" || name == "softmax" || name == "lrn" || name == "transposed_convolution" ||
        name == "unknown")
        return false;
    for (LayerId in : l.inputs)
        if (made_of_parts(static_cast<int>(in.value) - 1)) return true;
    return false;
}

namespace {
std::vector<Dim> dims(const std::vector<std::int64_t>& shape) {
    std::vector<Dim> d{Dim{1, "batch"}};
    for (auto s : shape) d.push_back(Dim{s, ""});
    return d;
}

void set_window(Builder& b, int layer, std::int64_t kernel, std::int64_t stride, bool same) {
    b.set(layer, "kernel", Sizes{kernel, kernel});
    b.set(layer, "stride", Sizes{stride, stride});
    Padding p;
    p.mode = same ? Padding::Mode::same : Padding::Mode::valid;
    b.set(layer, "padding", p);
}
}  // namespace

int Builder::input(std::vector<std::int64_t> shape) {
    const int l = simple("input", {});
    set(l, "shape", dims(shape));
    return l;
}

int Builder::reshape(int in, std::vector<std::int64_t> shape) {
    const int l = simple("reshape", {in});
    set(l, "shape", dims(shape));
    return l;
}

int Builder::unknown(std::vector<int> in, std::vector<std::int64_t> shape) {
    const int l = simple("unknown", std::move(in));
    if (!shape.empty()) set(l, "shape", dims(shape));
    return l;
}

void Builder::become(int layer, const std::string& kind) {
    draft_.layers[static_cast<std::size_t>(layer)].kind = find_kind(kind);
}

int Builder::parameter(std::vector<std::int64_t> shape) {
    const int l = simple("parameter", {});
    std::vector<Dim> dims{Dim{1, "batch"}};
    for (auto d : shape) dims.push_back(Dim{d, ""});
    set(l, "shape", dims);
    return l;
}

int Builder::conv(int in, std::int64_t filters, std::int64_t kernel, std::int64_t stride, std::int64_t groups,
                  bool same, bool bias) {
    const int l = simple("convolution", {in});
    set(l, "filters", filters);
    set_window(*this, l, kernel, stride, same);
    set(l, "groups", groups);
    set(l, "bias", bias);
    return l;
}

int Builder::transposed(int in, std::int64_t filters, std::int64_t kernel, std::int64_t stride) {
    const int l = simple("transposed_convolution", {in});
    set(l, "filters", filters);
    set_window(*this, l, kernel, stride, true);
    return l;
}

int Builder::pool(int in, std::int64_t kernel, std::int64_t stride, const std::string& mode) {
    const int l = simple("pooling", {in});
    set(l, "mode", mode);
    set_window(*this, l, kernel, stride, true);
    return l;
}

int Builder::global_pool(int in) { return simple("global_pooling", {in}); }

int Builder::upsample(int in, std::int64_t factor) {
    const int l = simple("upsample", {in});
    set(l, "factor", Sizes{factor, factor});
    return l;
}

int Builder::dense(int in, std::int64_t units, bool bias) {
    const int l = simple("dense", {in});
    set(l, "units", units);
    set(l, "bias", bias);
    return l;
}

NetworkPtr Builder::make() const {
    auto network = Network::make(draft_);
    if (!network) stop(network.error());
    return *network;
}

NetworkPtr random_network(std::mt19937& random, int layers) {
    Builder b;
    std::vector<Shape> shapes;
    auto note = [&](int l, Shape s) {
        shapes.resize(static_cast<std::size_t>(l) + 1);
        shapes[static_cast<std::size_t>(l)] = std::move(s);
    };
    const std::vector<std::int64_t> widths{4, 6, 8, 9, 12};
    const std::int64_t side = choose(random, Sizes{2, 4}), channels = choose(random, Sizes{1, 2, 3, 6});
    note(b.input({side, side, channels}), {side, side, channels});
    if (pick(random, 0, 5) == 0) note(b.input({side, side, 4}), {side, side, 4});
    // Later layers are read more often, so that the network has depth as well as branches.
    auto any = [&] {
        const auto n = static_cast<std::int64_t>(shapes.size());
        return static_cast<int>(pick(random, 0, 2) == 0 ? pick(random, 0, n - 1)
                                                        : pick(random, std::max<std::int64_t>(0, n - 3), n - 1));
    };
    auto shape = [&](int l) -> const Shape& { return shapes[static_cast<std::size_t>(l)]; };
    auto same = [&](auto&& fits) {
        std::vector<int> found;
        for (int l = 0; l < b.size(); ++l)
            if (fits(shape(l))) found.push_back(l);
        return found;
    };
    while (b.size() < layers) {
        const int in = any();
        const Shape s = shape(in);
        const bool image = s.size() == 3;
        const std::int64_t c = s.back(), size = elements(s);
        switch (pick(random, 0, 38)) {
            case 0:
            case 1:
            case 2:
                if (image) {
                    const std::int64_t filters = choose(random, widths);
                    note(b.conv(in, filters, 3), {s[0], s[1], filters});
                }
                break;
            case 3:
                if (image) {  // grouped, any number of groups that divides
                    Sizes groups;
                    for (std::int64_t g = 1; g <= c; ++g)
                        if (c % g == 0) groups.push_back(g);
                    const std::int64_t g = choose(random, groups),
                                       filters = g * pick(random, 1, std::max<std::int64_t>(1, 12 / g));
                    note(b.conv(in, filters, 1, 1, g), {s[0], s[1], filters});
                }
                break;
            case 4:
                if (image && c > 1) {  // depthwise, sometimes with several filters for each channel
                    const std::int64_t filters = c * (c <= 12 ? pick(random, 1, 2) : 1);
                    note(b.conv(in, filters, 3, 1, c), {s[0], s[1], filters});
                }
                break;
            case 5:
                if (image && s[0] <= 2) {
                    const std::int64_t filters = choose(random, widths);
                    note(b.transposed(in, filters, 3, 2), {2 * s[0], 2 * s[1], filters});
                }
                break;
            case 6: {
                const std::int64_t units = choose(random, widths) * pick(random, 1, 2);
                note(b.dense(in, units), {units});
                break;
            }
            case 7:
                if (image && s[0] > 1) note(b.pool(in, 2, 2), {(s[0] + 1) / 2, (s[1] + 1) / 2, c});
                break;
            case 8:
                if (image) note(b.global_pool(in), {c});
                break;
            case 9: note(b.batch_norm(in), s); break;
            case 10: {
                const int l = b.activation(in);
                b.set(l, "function", choose(random, std::vector<std::string>{"relu", "gelu", "prelu"}));
                note(l, s);
                break;
            }
            case 11: note(b.dropout(in), s); break;
            case 12: note(b.lrn(in), s); break;
            case 13: note(b.softmax(in), s); break;
            case 14:
            case 15: {
                const auto fits = same([&](const Shape& o) {
                    return o.size() == s.size() && std::equal(s.begin(), s.end() - 1, o.begin());
                });
                std::vector<int> ins{in};
                for (std::int64_t k = pick(random, 1, 2); k > 0; --k) ins.push_back(choose(random, fits));
                Shape out = s;
                for (std::size_t k = 1; k < ins.size(); ++k) out.back() += shape(ins[k]).back();
                if (elements(out) <= 300) note(b.concat(ins), out);
                break;
            }
            case 16:
            case 17: {
                auto fits = same([&](const Shape& o) { return o == s; });
                std::erase(fits, in);
                if (fits.empty() && image) {
                    note(b.conv(in, c, 1), s);
                    fits.push_back(b.size() - 1);
                }
                if (!fits.empty()) note(b.add({in, choose(random, fits)}), s);
                break;
            }
            case 18: note(b.flatten(in), {size}); break;
            case 19: {
                std::vector<Shape> targets{{1, 1, size}};
                // A concatenation stays spread over other channels, even where by chance its pieces come around again.
                const bool joined = b.made_of_parts(in);
                for (std::int64_t d = 1; d <= size; ++d)
                    if (size % d == 0 && d != c && (!joined || d % c == 0)) {
                        targets.push_back({size / d, d});
                        if ((size / d) % 2 == 0) targets.push_back({2, size / d / 2, d});
                    }
                const Shape t = choose(random, targets);
                note(b.reshape(in, t), t);
                break;
            }
            case 21: {
                const int l = b.simple(choose(random, std::vector<std::string>{"layer_norm", "rms_norm", "group_norm",
                                                                               "instance_norm", "scale"}),
                                       {in});
                if (b.kind(l) == "group_norm") b.set(l, "groups", choose(random, Sizes{1, c}));
                note(l, s);
                break;
            }
            case 22: {
                const auto fits = same([&](const Shape& o) { return o == s || (o.size() == 1 && o[0] == c); });
                note(b.simple("elementwise", {in, choose(random, fits)}), s);
                break;
            }
            case 23:
                if (c % 2 == 0) {
                    Shape out = s;
                    out.back() /= 2;
                    note(b.simple("glu", {in}), out);
                }
                break;
            case 24:
                if (s.size() < 4) {
                    const int l = b.simple("embedding", {in});
                    Shape out = s;
                    out.push_back(choose(random, widths));
                    b.set(l, "vocabulary", std::int64_t{20});
                    b.set(l, "width", out.back());
                    note(l, out);
                }
                break;
            case 25:
            case 26:
            case 27: {
                int rows = in;
                if (image) note(rows = b.reshape(in, {s[0] * s[1], c}), {s[0] * s[1], c});
                const Shape r = shape(rows);
                if (r.size() != 2) break;
                const auto fits = same([&](const Shape& o) { return o == r; });
                const std::int64_t what = pick(random, 0, 2);
                if (what == 0) {
                    const int l = b.simple("matmul", {rows, choose(random, fits)});
                    b.set(l, "transpose_b", true);
                    note(l, {r[0], r[0]});
                } else if (what == 1) {
                    const int l = b.simple("attention", {rows, choose(random, fits), choose(random, fits)});
                    b.set(l, "heads", r[1] % 2 == 0 ? std::int64_t{2} : std::int64_t{1});
                    b.set(l, "flash", pick(random, 0, 1) == 0);
                    b.set(l, "causal", pick(random, 0, 1) == 0);
                    note(l, r);
                } else {
                    const int l = b.simple(choose(random, std::vector<std::string>{"rnn", "lstm", "gru"}), {rows});
                    const std::int64_t units = choose(random, widths);
                    const bool all = pick(random, 0, 1) == 0;
                    b.set(l, "units", units);
                    b.set(l, "return_sequences", all);
                    note(l, all ? Shape{r[0], units} : Shape{units});
                }
                break;
            }
            case 29: {
                const int l = b.simple("mixture_of_experts", {in});
                b.set(l, "experts", std::int64_t{4});
                b.set(l, "hidden", choose(random, widths));
                b.set(l, "shared_experts", pick(random, 0, 1));
                note(l, s);
                break;
            }
            case 28: {
                if (pick(random, 0, 3) == 0) {
                    note(b.simple("cross_entropy", {in}), {1});
                    break;
                }
                const int l = b.dense(in, choose(random, widths));
                Shape out = s;
                out.back() = std::get<std::int64_t>(b.value(l, "units"));
                b.set(l, "per_position", true);
                note(l, out);
                break;
            }
            case 33: {  // along an axis, the channels among them
                const auto rank = static_cast<std::int64_t>(s.size());
                const std::int64_t axis = pick(random, 1, rank);
                const auto a = static_cast<std::size_t>(axis - 1);
                const std::string kind =
                    choose(random, std::vector<std::string>{"softmax", "log_softmax", "l2_normalize", "slice", "gather",
                                                            "argmax", "top_k", "sort", "cumulative_sum", "reduce"});
                const int l = b.simple(kind, {in});
                const bool keep = rank == 1 || pick(random, 0, 1) == 0;
                Shape out = s;
                if (kind == "reduce" || kind == "argmax") {
                    out[a] = 1;
                    if (!keep) out.erase(out.begin() + static_cast<std::ptrdiff_t>(a));
                    b.set(l, "keep_dims", keep);
                }
                if (kind == "reduce") {
                    b.set(l, "axes", Sizes{axis});
                    b.set(l, "operation", choose(random, std::vector<std::string>{"sum", "max", "l2"}));
                } else {
                    b.set(l, "axis", pick(random, 0, 1) == 0 ? axis : axis - 1 - rank);
                }
                const std::int64_t part = pick(random, 1, s[a]);
                if (kind == "slice" || kind == "gather") b.set(l, "size", out[a] = part);
                if (kind == "slice") b.set(l, "start", pick(random, 0, s[a] - part));
                if (kind == "top_k") b.set(l, "k", out[a] = part);
                note(l, out);
                break;
            }
            case 34: {
                Sizes order(s.size());
                std::iota(order.begin(), order.end(), 1);
                std::shuffle(order.begin(), order.end(), random);
                Shape out;
                for (const std::int64_t axis : order) out.push_back(s[static_cast<std::size_t>(axis - 1)]);
                const int l = b.simple("transpose", {in});
                b.set(l, "permutation", order);
                note(l, out);
                break;
            }
            case 35: {
                const int l = b.simple("pad", {in});
                Sizes before(s.size(), 0), after(s.size(), 1);
                after.back() = pick(random, 0, 1);
                b.set(l, "before", before);
                b.set(l, "after", after);
                Shape out = s;
                for (std::size_t a = 0; a < s.size(); ++a) out[a] += after[a];
                note(l, out);
                break;
            }
            case 36:  // sequences and volumes, or a copy of the tensor behind it
                if (s.size() == 2) {
                    const std::int64_t filters = choose(random, widths);
                    const int l = b.conv(in, filters, 3);
                    b.set(l, "kernel", Sizes{3});
                    b.set(l, "stride", Sizes{1});
                    note(l, {s[0], filters});
                } else if (s.size() < 4) {
                    const int l = b.simple("expand", {in});
                    std::vector<Dim> dims{{1, "batch"}, {2, {}}};
                    Shape out{2};
                    for (const auto d : s) {
                        dims.push_back({d, {}});
                        out.push_back(d);
                    }
                    b.set(l, "shape", dims);
                    note(l, out);
                }
                break;
            case 37:
                if (image) {
                    const std::vector<std::string> kinds{"resize", "adaptive_pooling", "space_to_depth", "identity",
                                                         "conv_lstm"};
                    const std::string kind = choose(random, kinds);
                    const int l = b.simple(kind, {in});
                    if (kind == "space_to_depth") {
                        const std::int64_t block = s[0] % 2 == 0 && s[1] % 2 == 0 ? 2 : 1;
                        b.set(l, "block", block);
                        note(l, {s[0] / block, s[1] / block, c * block * block});
                    } else if (kind == "identity") {
                        note(l, s);
                    } else if (kind == "conv_lstm") {  // rows as a sequence
                        const std::int64_t filters = choose(random, widths);
                        b.set(l, "filters", filters);
                        b.set(l, "kernel", Sizes{1});
                        note(l, {s[0], s[1], filters});
                    } else {
                        b.set(l, "output", Sizes{2, 3});
                        note(l, {2, 3, c});
                    }
                } else if (s.size() == 2) {
                    const bool turn = c % 2 == 0 && pick(random, 0, 1) == 0;
                    const int l = b.simple(turn ? "rotary" : "einsum", {in});
                    if (!turn) b.set(l, "equation", std::string("bij->bji"));
                    note(l, turn ? s : Shape{c, s[0]});
                } else {
                    note(b.simple("loss", {in}), {1});
                }
                break;
            case 38: {  // along another axis than the channels
                const auto fits = same([&](const Shape& o) { return o == s; });
                if (s.size() < 2) break;
                const int l = b.concat({in, choose(random, fits)});
                b.set(l, "axis", std::int64_t{1});
                Shape out = s;
                out[0] *= 2;
                note(l, out);
                break;
            }
            case 30: {  // a trained tensor, of the same shape or to be repeated
                const bool image_shape = pick(random, 0, 1) == 0;
                const Shape t = image_shape ? s : Shape{c};
                const int p = b.parameter(t);
                if (pick(random, 0, 4) == 0) b.become(p, "constant");
                note(p, t);
                note(b.simple(image_shape && pick(random, 0, 1) == 0 ? "add" : "elementwise", {in, p}), s);
                break;
            }
            case 31:
            case 32: {  // the same layer again, or one that uses the same weights another way
                const std::int64_t units = choose(random, widths);
                if (pick(random, 0, 4) == 0 && s.size() < 4) {
                    const int e = b.simple("embedding", {in});
                    b.set(e, "vocabulary", std::int64_t{20});
                    b.set(e, "width", units);
                    Shape out = s;
                    out.push_back(units);
                    note(e, out);
                    const int head = b.dense(e, 20, false);
                    b.set(head, "per_position", true);
                    b.share(head, e);
                    out.back() = 20;
                    note(head, out);
                    break;
                }
                const auto fits = same([&](const Shape& o) { return o == s; });
                const int other = choose(random, fits);
                if (pick(random, 0, 2) == 0) {
                    const int first = b.batch_norm(in), second = b.batch_norm(other);
                    note(first, s);
                    note(second, s);
                    b.share(second, first);
                } else {
                    const bool filters = image && pick(random, 0, 1) == 0;
                    const int first = filters ? b.conv(in, units, 3) : b.dense(in, units),
                              second = filters ? b.conv(other, units, 3) : b.dense(other, units);
                    for (int l : {first, second}) note(l, filters ? Shape{s[0], s[1], units} : Shape{units});
                    b.share(second, first);
                }
                break;
            }
            case 20: {
                std::vector<int> ins{in};
                for (std::int64_t k = pick(random, 0, 2); k > 0; --k) ins.push_back(any());
                const Shape out = pick(random, 0, 1) == 0 ? s : Shape{2, 2, choose(random, widths)};
                note(out == s ? b.unknown(ins) : b.unknown(ins, out), out);
                break;
            }
        }
        if (elements(shapes.back()) > 300) {  // keep everything small
            note(b.dense(b.size() - 1, 8), {8});
        }
    }
    // Somebody must have something to do.
    const auto& drawn = b.draft().layers;
    if (std::all_of(drawn.begin(), drawn.end(), [](const auto& l) {
            return l.kind->name == "input" || l.kind->name == "identity" || l.kind->name == "constant" ||
                   l.kind->name == "reshape" || l.kind->name == "flatten";
        }))
        b.dense(b.size() - 1, 8);
    return b.make();
}

std::vector<std::pair<std::string, NetworkPtr>> preset_networks() {
    const auto library = formats::load_shipped();
    std::vector<std::pair<std::string, NetworkPtr>> all;
    for (const auto& p : library.networks) {
        if (p.id.find('/') != std::string::npos) continue;
        auto network = library.network(p.id);
        if (!network) stop(network.error());
        all.emplace_back(p.id, *network);
    }
    return all;
}

NetworkPtr preset(const std::string& id) {
    auto network = formats::load_shipped().network(id);
    if (!network) stop(network.error());
    return *network;
}

NetworkPtr long_network(int layers) {
    Builder b;
    int x = b.conv(b.input({56, 56, 3}), 64, 3);
    while (b.size() + 10 <= layers) {
        // alternately a residual block and a block of branches
        if ((b.size() / 10) % 2 == 0) {
            int y = b.activation(b.batch_norm(b.conv(x, 64, 1)));
            y = b.activation(b.batch_norm(b.conv(y, 64, 3)));
            y = b.batch_norm(b.conv(y, 64, 1));
            x = b.activation(b.add({x, y}));
        } else {
            const int p = b.activation(b.conv(x, 32, 1)), q = b.activation(b.conv(x, 24, 1)),
                      r = b.activation(b.conv(q, 32, 3));
            x = b.conv(b.concat({p, r}), 64, 1);
            x = b.dropout(b.activation(x));
        }
    }
    x = b.dense(b.global_pool(x), 1000);
    while (b.size() + 1 < layers) x = b.activation(x);
    b.softmax(x);
    return b.make();
}

Scenario scenario(NetworkPtr network) {
    Scenario s;
    s.workload.push_back({std::move(network), {}, 1, {}});
    s.training.batch = 8;
    Device& d = s.cluster.device;
    d.name = "test device";
    d.peak[static_cast<std::size_t>(Precision::fp32)] = teraflops(2.8);
    d.peak[static_cast<std::size_t>(Precision::fp16)] = teraflops(5.6);
    d.memory_bandwidth = gigabytes_per_second(240);
    d.memory = gigabytes(12);
    s.cluster.inside.bandwidth = gigabytes_per_second(10);
    s.cluster.between.bandwidth = gigabits_per_second(20);
    s.cluster.workers = 1;
    return s;
}

Summary score_of(const Scenario& s) {
    const auto plan = prepare(s);
    if (!plan) stop(plan.error());
    Scratch scratch = make_scratch(*plan);
    return score(*plan, plan->point(), scratch);
}

double real(std::mt19937& random, double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

namespace {
template <class E>
E any(std::mt19937& random) {
    return static_cast<E>(pick(random, 0, static_cast<std::int64_t>(choice_names<E>.size()) - 1));
}
}  // namespace

Scenario random_scenario(std::mt19937& random, NetworkPtr network) {
    Scenario s = scenario(std::move(network));
    auto chance = [&](int of) { return pick(random, 1, of) == 1; };
    s.training.batch = pick(random, 1, 40);
    s.training.batch_rule = chance(2) ? BatchRule::per_worker : BatchRule::total;
    if (chance(3)) s.training.accumulation = pick(random, 1, 4);
    if (chance(4)) s.training.precision = Precision::fp16;
    s.training.optimizer = any<Optimizer>(random);
    if (chance(4)) s.training.input_limit = SamplesPerSecond{real(random, 1e3, 1e7)};
    for (const auto& l : s.network()->layers())
        if (chance(12)) s.training.frozen.push_back(l.id);
    s.cluster.workers = pick(random, 1, 9);
    s.cluster.devices_per_node = pick(random, 1, 4);
    s.cluster.nics_per_node = pick(random, 1, 2);
    s.cluster.device.memory_bandwidth = gigabytes_per_second(real(random, 1, 900));
    for (auto& peak : s.cluster.device.peak)
        if (peak) peak = teraflops(real(random, 0.01, 20));
    s.cluster.inside.bandwidth = gigabytes_per_second(real(random, 0.1, 50));
    s.cluster.inside.latency = microseconds(chance(2) ? 0 : real(random, 0, 20));
    s.cluster.between.bandwidth = gigabits_per_second(real(random, 0.1, 100));
    s.cluster.between.latency = microseconds(chance(2) ? 0 : real(random, 0, 50));
    s.parallelism.strategy = any<Strategy>(random);
    s.parallelism.collective = any<Collective>(random);
    s.parallelism.overlap = any<Overlap>(random);
    s.parallelism.bucket = Bytes{real(random, 1, 2000)};
    s.parallelism.scheme = any<HybridScheme>(random);
    s.parallelism.cut_auto = chance(2);
    s.parallelism.cut =
        choose(random, std::vector<Layer>(s.network()->layers().begin(), s.network()->layers().end())).id;
    s.parallelism.micro_batches = pick(random, 1, 12);
    s.model.overlap_memory = chance(2);
    s.model.launch = microseconds(chance(2) ? 0 : real(random, 0, 10));
    s.model.compute = Fraction{real(random, 0.1, 1)};
    s.model.memory = Fraction{real(random, 0.1, 1)};
    s.model.between = Fraction{real(random, 0.1, 1)};
    s.model.convolution = chance(4) ? ConvolutionAlgorithm::cheapest : ConvolutionAlgorithm::gemm;
    return s;
}

}  // namespace support
