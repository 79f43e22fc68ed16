// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors of the file: trained ones, of which only the shape counts, and constants that say sizes.
#include "core/formats/json_writer.hpp"
#include "core/formats/onnx/export/exporter.hpp"

namespace scalescope::formats::onnx {

std::string Exporter::weight(const std::string& suffix, const std::vector<std::int64_t>& dims) {
    std::int64_t count = 1;
    for (const auto d : dims) count *= d;
    const std::int64_t offset = taken_;
    taken_ += count;
    if (layer().shares_weights_with != LayerId{}) return shared_weight({suffix, dims}, offset);
    const std::string name = blank(suffix, dims);
    weights_[static_cast<std::size_t>(at_)].push_back({name, dims});
    return name;
}

/// The owner's tensor, turned if it is the same the other way round, or a part of all its tensors.
std::string Exporter::shared_weight(const Weight& wanted, std::int64_t offset) {
    const auto& owned = weights_[static_cast<std::size_t>(network_.weights_owner(at_))];
    Edge like;
    like.batched = false;
    std::int64_t at = 0;
    for (const Weight& w : owned) {
        std::int64_t count = 1;
        for (const auto d : w.dims) count *= d;
        if (at == offset && w.dims == wanted.dims) return w.name;
        if (at == offset && w.dims.size() == 2 && wanted.dims.size() == 2 && w.dims[0] == wanted.dims[1] &&
            w.dims[1] == wanted.dims[0])
            return node("Transpose", {w.name}, {list_attribute("perm", {1, 0})}, like).name;
        at += count;
    }
    std::int64_t count = 1;
    for (const auto d : wanted.dims) count *= d;
    std::string flat = flat_weights();
    if (count != at) flat = node("Slice", {flat, integers({offset}), integers({offset + count})}, {}, like).name;
    return node("Reshape", {flat, integers(wanted.dims)}, {}, like).name;
}

std::string Exporter::flat_weights() {
    const int owner = network_.weights_owner(at_);
    auto& flat = flat_[owner];
    if (!flat.empty()) return flat;
    Edge like;
    like.batched = false;
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
    Tensor t;
    t.dims = std::move(dims);
    t.element = static_cast<int>(element);
    Attribute value;
    value.name = "sparse_value";
    value.type = sparse_form;
    value.tensor = std::make_shared<Tensor>(std::move(t));
    Node n;
    n.op = "Constant";
    n.name = name;
    n.outputs = {name};
    n.attributes.push_back(std::move(value));
    model_.graph.nodes.push_back(std::move(n));
}

std::string Exporter::constant(Tensor tensor, const std::string& key) {
    auto& name = constants_[key];
    if (name.empty()) {
        name = "constants/" + key;
        for (int n = 2; !names_.insert(name).second; ++n) name = "constants/" + key + '_' + std::to_string(n);
        tensor.name = name;
        tensor.kept = true;
        model_.graph.initializers.push_back(std::move(tensor));
    }
    return name;
}

std::string Exporter::integers(const std::vector<std::int64_t>& values) {
    Tensor t;
    t.dims = {static_cast<std::int64_t>(values.size())};
    t.element = static_cast<int>(Element::int64);
    t.whole = values;
    std::string key = "[";
    for (const auto v : values) key += (key.size() > 1 ? "," : "") + std::to_string(v);
    return constant(std::move(t), key + ']');
}

std::string Exporter::integer(std::int64_t value) {
    Tensor t;
    t.element = static_cast<int>(Element::int64);
    t.whole = {value};
    return constant(std::move(t), std::to_string(value));
}

std::string Exporter::single(double value) {
    Tensor t;
    t.element = static_cast<int>(Element::float32);
    t.real = {value};
    return constant(std::move(t), "real " + shortest(value));
}

std::string Exporter::singles(const std::vector<double>& values) {
    Tensor t;
    t.dims = {static_cast<std::int64_t>(values.size())};
    t.element = static_cast<int>(Element::float32);
    t.real = values;
    std::string key = "real [";
    for (const auto v : values) key += (key.back() == '[' ? "" : ",") + shortest(v);
    return constant(std::move(t), key + ']');
}

std::string Exporter::ones(std::int64_t count) {
    Attribute one;
    one.name = "value";
    one.type = tensor_form;
    Tensor t;
    t.dims = {1};
    t.element = static_cast<int>(Element::float32);
    t.real = {1.0};
    one.tensor = std::make_shared<Tensor>(std::move(t));
    Edge like;
    like.batched = false;
    return node("ConstantOfShape", {integers({count})}, {one}, like).name;
}

}  // namespace scalescope::formats::onnx
