// SPDX-License-Identifier: GPL-3.0-or-later
// Field numbers are those of onnx.proto3 (github.com/onnx/onnx).
#include <bit>

#include "core/formats/onnx/model.hpp"
#include "core/formats/onnx/wire.hpp"

namespace scalescope::formats::onnx {
namespace {

/// One message, field by field.
class WireWriter {
public:
    void number(std::uint32_t field, std::int64_t value) {
        key(field, Wire::varint);
        write_varint(out_, static_cast<std::uint64_t>(value));
    }
    void single(std::uint32_t field, double value) {
        key(field, Wire::fixed32);
        fixed(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4);
    }
    void bytes(std::uint32_t field, std::string_view value) {
        key(field, Wire::bytes);
        write_varint(out_, value.size());
        out_ += value;
    }
    void text(std::uint32_t field, std::string_view value) { bytes(field, visible_text(value)); }
    void message(std::uint32_t field, const WireWriter& inner) { bytes(field, inner.out_); }
    void packed(std::uint32_t field, const std::vector<std::int64_t>& values) {
        std::string all;
        for (const auto v : values) write_varint(all, static_cast<std::uint64_t>(v));
        bytes(field, all);
    }
    void packed_singles(std::uint32_t field, const std::vector<double>& values) {
        WireWriter all;
        for (const auto v : values) all.fixed(std::bit_cast<std::uint32_t>(static_cast<float>(v)), 4);
        bytes(field, all.out_);
    }
    std::string take() { return std::move(out_); }

private:
    void key(std::uint32_t field, Wire wire) { write_varint(out_, field << 3 | static_cast<std::uint32_t>(wire)); }
    void fixed(std::uint64_t value, int count) {
        for (int i = 0; i < count; ++i) out_ += static_cast<char>(static_cast<unsigned char>(value >> (8 * i) & 255));
    }
    std::string out_;
};

WireWriter tensor_message(const Tensor& t) {
    WireWriter out;
    if (!t.dims.empty()) out.packed(1, t.dims);
    out.number(2, t.element);
    if (is_real(t.element) && !t.real.empty()) out.packed_singles(4, t.real);
    if (!is_real(t.element) && !t.whole.empty()) out.packed(7, t.whole);
    if (!t.name.empty()) out.text(8, t.name);
    return out;
}

/// No entries: zero everywhere.
WireWriter sparse_message(const Tensor& t) {
    WireWriter values, out;
    values.packed(1, {0});
    values.number(2, t.element);
    if (!t.name.empty()) values.text(8, t.name);
    out.message(1, values);
    out.packed(3, t.dims);
    return out;
}

WireWriter attribute_message(const Attribute& a) {
    WireWriter out;
    out.text(1, a.name);
    switch (a.type) {
        case real_form: out.single(2, a.number); break;
        case whole_form: out.number(3, a.integer); break;
        case word_form: out.text(4, a.text); break;
        case tensor_form:
            if (a.tensor) out.message(5, tensor_message(*a.tensor));
            break;
        case sparse_form:
            if (a.tensor) out.message(22, sparse_message(*a.tensor));
            break;
        case reals_form: out.packed_singles(7, a.numbers); break;
        case list_form: out.packed(8, a.integers); break;
        case lines_form:
            for (const std::string& line : a.texts) out.text(9, line);
            break;
        default: break;
    }
    out.number(20, a.type);
    return out;
}

WireWriter node_message(const Node& n) {
    WireWriter out;
    for (const std::string& input : n.inputs) out.text(1, input);
    for (const std::string& output : n.outputs) out.text(2, output);
    out.text(3, n.name);
    out.text(4, n.op);
    for (const Attribute& a : n.attributes) out.message(5, attribute_message(a));
    if (!n.domain.empty()) out.text(7, n.domain);
    return out;
}

WireWriter value_message(const ValueInfo& v) {
    WireWriter shape, tensor, type, out;
    for (const Dimension& d : v.dims) {
        WireWriter dim;
        if (d.value >= 0)
            dim.number(1, d.value);
        else
            dim.text(2, d.symbol);
        shape.message(1, dim);
    }
    tensor.number(1, v.element);
    if (v.has_shape) tensor.message(2, shape);
    type.message(1, tensor);
    out.text(1, v.name);
    out.message(2, type);
    return out;
}

WireWriter graph_message(const Graph& g) {
    WireWriter out;
    for (const Node& n : g.nodes) out.message(1, node_message(n));
    out.text(2, g.name);
    for (const Tensor& t : g.initializers)
        if (t.kept)
            out.message(5, tensor_message(t));
        else
            out.message(15, sparse_message(t));
    for (const ValueInfo& v : g.inputs) out.message(11, value_message(v));
    for (const ValueInfo& v : g.outputs) out.message(12, value_message(v));
    for (const ValueInfo& v : g.values) out.message(13, value_message(v));
    return out;
}

}  // namespace

std::string write_model(const Model& model) {
    WireWriter out;
    out.number(1, model.ir_version);
    out.text(2, model.producer);
    out.message(7, graph_message(model.graph));
    for (const auto& [domain, version] : model.opsets) {
        WireWriter opset;
        opset.text(1, domain);
        opset.number(2, version);
        out.message(8, opset);
    }
    for (const auto& [name, value] : model.metadata) {
        WireWriter entry;
        entry.text(1, name);
        entry.bytes(2, value);
        out.message(14, entry);
    }
    return out.take();
}

}  // namespace scalescope::formats::onnx
