// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_networks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace support {

using namespace scalescope;
using Sizes = std::vector<std::int64_t>;

void stop(const Problems& problems) {
    for (const auto& p : problems) std::fprintf(stderr, "%s\n", to_text(p).c_str());
    std::abort();
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

}  // namespace support
