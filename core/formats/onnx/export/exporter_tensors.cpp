// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors of the file: trained ones, of which only the shape counts, and constants that say sizes; and attributes, by
// their types in onnx.proto3.
#include "core/formats/json_writer.hpp"
#include "core/formats/onnx/export/exporter.hpp"

namespace scalescope::formats::onnx {

namespace {

Tensor tensor_of(Element element, std::vector<std::int64_t> dims) {
    Tensor t;
    t.dims = std::move(dims), t.element = static_cast<int>(element);
    return t;
}

Attribute tensor_attribute(std::string name, AttributeForm form, Tensor tensor) {
    Attribute a;
    a.name = std::move(name), a.type = form, a.tensor = std::make_shared<Tensor>(std::move(tensor));
    return a;
}

}  // namespace

std::string Exporter::weight(const std::string& suffix, const std::vector<std::int64_t>& dims) {
    const std::int64_t count = elements(dims), offset = taken_;
    taken_ += count;
    if (layer().shares_weights_with != LayerId{}) return shared_weight({suffix, dims}, offset);
    const std::string name = blank(suffix, dims);
    weights_[static_cast<std::size_t>(at_)].push_back({name, dims});
    return name;
}

/// The owner's tensor, turned if it is the same the other way round, or a part of all its tensors.
std::string Exporter::shared_weight(const Weight& wanted, std::int64_t offset) {
    const auto& owned = weights_[static_cast<std::size_t>(network_.weights_owner(at_))];
    const Edge like = loose_edge();
    std::int64_t at = 0;
    for (const Weight& w : owned) {
        if (at == offset && w.dims == wanted.dims) return w.name;
        if (at == offset && w.dims.size() == 2 && wanted.dims.size() == 2 && w.dims[0] == wanted.dims[1] &&
            w.dims[1] == wanted.dims[0])
            return node("Transpose", {w.name}, {list_attribute("perm", {1, 0})}, like).name;
        at += elements(w.dims);
    }
    const std::int64_t count = elements(wanted.dims);
    std::string flat = flat_weights();
    if (count != at) flat = node("Slice", {flat, integers({offset}), integers({offset + count})}, {}, like).name;
    return node("Reshape", {flat, integers(wanted.dims)}, {}, like).name;
}

std::string Exporter::flat_weights() {
    const int owner = network_.weights_owner(at_);
    auto& flat = flat_[owner];
    if (!flat.empty()) return flat;
    const Edge like = loose_edge();
    std::vector<std::string> parts;
    for (const Weight& w : weights_[static_cast<std::size_t>(owner)])
        parts.push_back(w.dims.size() == 1 ? w.name : node("Reshape", {w.name, integers({-1})}, {}, like).name);
    flat = parts.size() == 1 ? parts[0] : node("Concat", parts, {whole_attribute("axis", 0)}, like).name;
    return flat;
}

std::string Exporter::blank(const std::string& suffix, const std::vector<std::int64_t>& dims, Element element) {
    const std::string name = unique(suffix);
    add_blank(name, dims, element);
    return name;
}

/// Viewers show such a node as they show an initializer, and checkers know its shape, which they do not for a sparse
/// initializer.
void Exporter::add_blank(const std::string& name, std::vector<std::int64_t> dims, Element element) {
    Node n;
    n.op = "Constant";
    n.name = name;
    n.outputs = {name};
    n.attributes.push_back(tensor_attribute("sparse_value", sparse_form, tensor_of(element, std::move(dims))));
    model_.graph.nodes.push_back(std::move(n));
}

std::string Exporter::constant(const std::string& key, Element element, std::vector<std::int64_t> dims,
                               std::vector<std::int64_t> whole, std::vector<double> real) {
    auto& name = constants_[key];
    if (name.empty()) {
        name = "constants/" + key;
        for (int n = 2; !names_.insert(name).second; ++n) name = "constants/" + key + '_' + std::to_string(n);
        Tensor t = tensor_of(element, std::move(dims));
        t.name = name, t.kept = true;
        t.whole = std::move(whole), t.real = std::move(real);
        model_.graph.initializers.push_back(std::move(t));
    }
    return name;
}

std::string Exporter::integers(const std::vector<std::int64_t>& values) {
    std::string key = "[";
    for (const auto v : values) key += (key.size() > 1 ? "," : "") + std::to_string(v);
    return constant(key + ']', Element::int64, {static_cast<std::int64_t>(values.size())}, values);
}

std::string Exporter::integer(std::int64_t value) {
    return constant(std::to_string(value), Element::int64, {}, {value});
}

std::string Exporter::single(double value) {
    return constant("real " + shortest(value), Element::float32, {}, {}, {value});
}

std::string Exporter::singles(const std::vector<double>& values) {
    std::string key = "real [";
    for (const auto v : values) key += (key.back() == '[' ? "" : ",") + shortest(v);
    return constant(key + ']', Element::float32, {static_cast<std::int64_t>(values.size())}, {}, values);
}

std::string Exporter::ones(std::int64_t count) {
    Tensor t = tensor_of(Element::float32, {1});
    t.real = {1.0};
    const Attribute one = tensor_attribute("value", tensor_form, std::move(t));
    return node("ConstantOfShape", {integers({count})}, {one}, loose_edge()).name;
}

Attribute whole_attribute(std::string name, std::int64_t value) {
    Attribute a;
    a.name = std::move(name), a.type = whole_form, a.integer = value;
    return a;
}
Attribute list_attribute(std::string name, std::vector<std::int64_t> values) {
    Attribute a;
    a.name = std::move(name), a.type = list_form, a.integers = std::move(values);
    return a;
}
Attribute real_attribute(std::string name, double value) {
    Attribute a;
    a.name = std::move(name), a.type = real_form, a.number = value;
    return a;
}
Attribute word_attribute(std::string name, std::string value) {
    Attribute a;
    a.name = std::move(name), a.type = word_form, a.text = std::move(value);
    return a;
}

Attribute attribute_as(const AttributeInfo& info, const AttributeValue& value) {
    const std::string name(info.name);
    if (const auto* b = std::get_if<bool>(&value)) return whole_attribute(name, *b ? 1 : 0);
    if (const auto* n = std::get_if<std::int64_t>(&value)) return whole_attribute(name, *n);
    if (const auto* x = std::get_if<double>(&value)) return real_attribute(name, *x);
    if (const auto* t = std::get_if<std::string>(&value)) return word_attribute(name, *t);
    if (const auto* s = std::get_if<std::vector<std::int64_t>>(&value)) return list_attribute(name, *s);
    if (const auto* p = std::get_if<Padding>(&value)) {
        if (p->mode != Padding::Mode::explicit_sizes)
            return word_attribute(name, p->mode == Padding::Mode::same ? "same" : "valid");
        const std::vector<std::int64_t> before{p->front, p->top, p->left}, after{p->back, p->bottom, p->right};
        std::vector<std::int64_t> sizes(before.end() - p->axes, before.end());
        sizes.insert(sizes.end(), after.end() - p->axes, after.end());
        return list_attribute(name, std::move(sizes));
    }
    Attribute lines;
    lines.name = name;
    lines.type = lines_form;
    if (const auto* dims = std::get_if<std::vector<Dim>>(&value))
        for (const Dim& d : *dims)
            lines.texts.push_back(d.symbol.empty() ? std::to_string(d.factor)
                                  : d.factor == 1  ? d.symbol
                                                   : std::to_string(d.factor) + '*' + d.symbol);
    return lines;
}

}  // namespace scalescope::formats::onnx
