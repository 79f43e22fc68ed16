// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/export/exporter.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/formats/json_writer.hpp"

namespace scalescope::formats::onnx {
namespace {

enum AttributeForm {
    real_form = 1,
    whole_form = 2,
    word_form = 3,
    tensor_form = 4,
    list_form = 7,
    lines_form = 8,
    sparse_form = 11
};

Export find_export(std::string_view kind) {
    static const auto table = [] {
        std::unordered_map<std::string_view, Export> all;
        for (const auto rows : {window_exports(), product_exports(), normalization_exports(), elementwise_exports(),
                                arranging_exports(), recurrent_exports()})
            for (const ExportRow& row : rows) all.emplace(row.kind, row.write);
        return all;
    }();
    const auto it = table.find(kind);
    return it == table.end() ? nullptr : it->second;
}

/// Kinds whose operators in ONNX have channels before the other axes.
bool wants_channels_first(std::string_view kind) {
    constexpr std::array<std::string_view, 12> kinds{"convolution",
                                                     "transposed_convolution",
                                                     "pooling",
                                                     "global_pooling",
                                                     "adaptive_pooling",
                                                     "upsample",
                                                     "resize",
                                                     "batch_norm",
                                                     "instance_norm",
                                                     "group_norm",
                                                     "lrn",
                                                     "space_to_depth"};
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Kinds that hand on numbers without calculating with them.
bool passes_on(std::string_view kind) {
    constexpr std::array<std::string_view, 6> kinds{"identity", "flatten", "reshape", "slice", "transpose", "expand"};
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 5;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i > 0 ? ", " : "") + names[i];
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

/// An attribute of a layer as one of an operator.
Attribute attribute_as(const AttributeInfo& info, const AttributeValue& value) {
    const std::string name(info.name);
    if (const auto* b = std::get_if<bool>(&value)) return whole_attribute(name, *b ? 1 : 0);
    if (const auto* n = std::get_if<std::int64_t>(&value)) return whole_attribute(name, *n);
    if (const auto* x = std::get_if<double>(&value)) return real_attribute(name, *x);
    if (const auto* t = std::get_if<std::string>(&value)) return word_attribute(name, *t);
    if (const auto* s = std::get_if<std::vector<std::int64_t>>(&value)) return list_attribute(name, *s);
    if (const auto* p = std::get_if<Padding>(&value))
        return list_attribute(name, {p->front, p->top, p->left, p->back, p->bottom, p->right});
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

}  // namespace

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

std::vector<std::int64_t> numbers_of(const std::vector<Size>& sizes) {
    std::vector<std::int64_t> n;
    for (const Size& s : sizes) n.push_back(s.value);
    return n;
}

Exporter::Exporter(const Network& network)
    : network_(network),
      sizes_(network),
      edges_(static_cast<std::size_t>(network.size())),
      weights_(static_cast<std::size_t>(network.size())) {
    for (const Layer& l : network.layers()) names_.insert(l.name);
    find_readers();
    model_.ir_version = written_ir_version;
    model_.producer = "Scalescope";
    model_.opsets[""] = written_opset;
    model_.graph.name = network.name().empty() ? "network" : network.name();  // it must have one
}

void Exporter::find_readers() {
    readers_.resize(static_cast<std::size_t>(network_.size()));
    for (int p = 0; p < network_.size(); ++p)
        for (const int in : network_.inputs(p)) {
            auto& all = readers_[static_cast<std::size_t>(in)];
            if (all.empty() || all.back() != p) all.push_back(p);
        }
}

Model Exporter::run(Problems& warnings) {
    for (at_ = 0; at_ < network_.size(); ++at_) write_layer();
    add_outputs();
    describe();
    for (const auto& f : sizes_.fixed())
        warnings.push_back({Severity::warning,
                            "The size \"" + f.symbol + "\" is written as the number " + std::to_string(f.value) + ".",
                            f.layer.empty() ? std::string() : "layers › " + f.layer,
                            "set it to the value you want before exporting: the file has tensors of that size",
                            {}});
    if (!custom_.empty())
        warnings.push_back(
            {Severity::warning,
             std::to_string(custom_.size()) + (custom_.size() == 1 ? " layer has" : " layers have") +
                 " no word in ONNX, and " + (custom_.size() == 1 ? "is" : "are") +
                 " written as operators of this program: " + listed(custom_) + ".",
             {},
             "read the file with Scalescope, or replace them (domain org.scalescope) before running it elsewhere",
             {}});
    return std::move(model_);
}

/// Whether all that reads an input takes its numbers as places in a table.
bool Exporter::holds_numbers(int p) const {
    const auto& all = readers(p);
    return !all.empty() && std::all_of(all.begin(), all.end(), [&](int r) {
        const std::string_view kind = network_.layers()[static_cast<std::size_t>(r)].kind->name;
        return kind == "embedding" || (passes_on(kind) && holds_numbers(r));
    });
}

void Exporter::write_layer() {
    const std::string_view kind = layer().kind->name;
    taken_ = 0;
    if (kind == "input" || kind == "parameter" || kind == "constant") return source();
    const std::size_t first_node = model_.graph.nodes.size();
    const Export write = find_export(kind);
    std::optional<Edge> made = write ? write(*this) : std::nullopt;
    if (!made) made = custom();
    finish(std::move(*made), first_node);
}

void Exporter::source() {
    const bool input = layer().kind->name == "input";
    const auto& all = readers(at_);
    const bool first =
        input &&
        std::any_of(
            all.begin(), all.end(),
            [&](int r) { return wants_channels_first(network_.layers()[static_cast<std::size_t>(r)].kind->name); }) &&
        facts().output.size() > 1;
    Edge e = out(first);
    e.name = layer().name;
    e.batched = input;
    if (input) {
        if (holds_numbers(at_)) e.element = static_cast<int>(Element::int64);
        model_.graph.inputs.push_back(info(e));
    } else {
        std::vector<std::int64_t> dims{1};
        for (const Size& s : e.sizes) dims.push_back(s.value);
        weights_[static_cast<std::size_t>(at_)] = {{e.name, dims}};
        add_blank(e.name, std::move(dims), Element::float32);
    }
    edges_[static_cast<std::size_t>(at_)] = std::move(e);
}

/// An operator of this program's own: the kind, and its attributes under their names.
Edge Exporter::custom() {
    std::vector<std::string> inputs;
    Edge like = out(false);
    like.batched = layer().inputs.empty();
    for (std::size_t i = 0; i < this->inputs(); ++i) {
        const Edge e = natural(in(i));
        like.batched = like.batched || e.batched;
        inputs.push_back(e.name);
    }
    if (facts().weights > 0) inputs.push_back(weight("weights", {facts().weights}));
    std::vector<Attribute> attributes;
    for (std::size_t a = 0; a < layer().attributes.size(); ++a)
        if (layer().attributes[a] != layer().kind->attributes[a].initial)
            attributes.push_back(attribute_as(layer().kind->attributes[a], layer().attributes[a]));
    custom_.push_back(layer().name);
    return node(std::string(layer().kind->name), std::move(inputs), std::move(attributes), std::move(like), own_domain);
}

void Exporter::finish(Edge made, std::size_t first_node) {
    auto& nodes = model_.graph.nodes;
    const bool own = nodes.size() > first_node && !nodes.back().outputs.empty() && nodes.back().outputs[0] == made.name;
    if (!own) made = node("Identity", {made.name}, {}, made);
    names_.erase(made.name);
    made.name = layer().name;
    nodes.back().outputs[0] = nodes.back().name = made.name;
    edges_[static_cast<std::size_t>(at_)] = std::move(made);
}

/// What nobody reads. An input is no output by itself.
void Exporter::add_outputs() {
    for (at_ = 0; at_ < network_.size(); ++at_) {
        if (!readers(at_).empty()) continue;
        Edge e = edges_[static_cast<std::size_t>(at_)];
        const std::string_view kind = layer().kind->name;
        if (kind == "input") e = node("Identity", {e.name}, {}, e);
        model_.graph.outputs.push_back(info(e));
    }
}

/// The shape of what every layer makes, which nobody could find out behind an operator he does not know.
void Exporter::describe() {
    for (at_ = 0; at_ < network_.size(); ++at_) {
        const std::string_view kind = layer().kind->name;
        if (readers(at_).empty() || kind == "input" || kind == "parameter" || kind == "constant") continue;
        model_.graph.values.push_back(info(edges_[static_cast<std::size_t>(at_)]));
    }
}

ValueInfo Exporter::info(const Edge& e) const {
    ValueInfo v;
    v.name = e.name;
    v.element = e.element;
    v.has_shape = true;
    v.dims.push_back(e.batched ? Dimension{-1, "N"} : Dimension{1, {}});
    for (const Size& s : e.sizes) v.dims.push_back(s.open.empty() ? Dimension{s.value, {}} : Dimension{-1, s.open});
    return v;
}

std::string Exporter::unique(const std::string& suffix) {
    const std::string name = layer().name + '/' + suffix;
    std::string own = name;
    for (int n = 2; !names_.insert(own).second; ++n) own = name + '_' + std::to_string(n);
    return own;
}

// --- nodes ---

Edge Exporter::out(bool first) const {
    Edge e;
    e.sizes = sizes_.of(at_);
    e.first = first && e.sizes.size() > 1;
    if (e.first) std::rotate(e.sizes.begin(), e.sizes.end() - 1, e.sizes.end());
    e.batched = this->inputs() == 0;
    for (std::size_t i = 0; i < this->inputs(); ++i) e.batched = e.batched || in(i).batched;
    return e;
}

std::int64_t Exporter::axis_in(const Edge& like, std::size_t ours) {
    const auto axis = static_cast<std::int64_t>(ours);
    if (!like.first) return axis + 1;
    return ours + 1 == like.sizes.size() ? 1 : axis + 2;
}

Edge Exporter::node(std::string op, std::vector<std::string> inputs, std::vector<Attribute> attributes, Edge like,
                    std::string_view domain) {
    Node n;
    like.name = n.name = unique(op);
    n.op = std::move(op);
    n.domain = domain;
    if (!domain.empty()) model_.opsets[n.domain] = 1;
    n.inputs = std::move(inputs);
    n.outputs = {like.name};
    n.attributes = std::move(attributes);
    model_.graph.nodes.push_back(std::move(n));
    return like;
}

std::vector<Edge> Exporter::nodes(std::string op, std::vector<std::string> inputs, std::vector<Attribute> attributes,
                                  const Edge& like, std::size_t count) {
    std::vector<Edge> made{node(op, std::move(inputs), std::move(attributes), like)};
    const std::size_t at = model_.graph.nodes.size() - 1;
    while (made.size() < count) {
        made.push_back(like);
        made.back().name = unique(op);
        model_.graph.nodes[at].outputs.push_back(made.back().name);
    }
    return made;
}

Edge Exporter::natural(Edge e) {
    if (!e.first) return e;
    const auto rank = static_cast<std::int64_t>(e.sizes.size());
    std::vector<std::int64_t> order{0};
    for (std::int64_t a = 2; a <= rank; ++a) order.push_back(a);
    order.push_back(1);
    const std::string from = e.name;
    std::rotate(e.sizes.begin(), e.sizes.begin() + 1, e.sizes.end());
    e.first = false;
    return node("Transpose", {from}, {list_attribute("perm", order)}, e);
}

Edge Exporter::windowed(Edge e) {
    if (e.first || e.sizes.size() < 2) return e;
    const auto rank = static_cast<std::int64_t>(e.sizes.size());
    std::vector<std::int64_t> order{0, rank};
    for (std::int64_t a = 1; a < rank; ++a) order.push_back(a);
    const std::string from = e.name;
    std::rotate(e.sizes.begin(), e.sizes.end() - 1, e.sizes.end());
    e.first = true;
    return node("Transpose", {from}, {list_attribute("perm", order)}, e);
}

Edge Exporter::real(Edge e) {
    if (is_real(e.element)) return e;
    const std::string from = e.name;
    e.element = static_cast<int>(Element::float32);
    return node("Cast", {from}, {whole_attribute("to", e.element)}, e);
}

Edge Exporter::whole(Edge e) {
    if (e.element == static_cast<int>(Element::int64)) return e;
    const std::string from = e.name;
    e.element = static_cast<int>(Element::int64);
    return node("Cast", {from}, {whole_attribute("to", e.element)}, e);
}

Edge Exporter::reshape(const Edge& e, std::vector<Size> to) {
    if (e.sizes == to) return e;
    std::vector<std::int64_t> shape{0};
    NamedSizes::resolve(e.sizes, to, shape);
    Edge like = e;
    like.sizes = std::move(to);
    like.first = false;
    return node("Reshape", {e.name, integers(shape)}, {}, std::move(like));
}

Edge Exporter::raised(const Edge& e, std::size_t rank) {
    if (e.sizes.size() >= rank) return e;
    std::vector<std::int64_t> axes;
    Edge like = e;
    for (std::size_t a = e.sizes.size(); a < rank; ++a) {
        axes.push_back(static_cast<std::int64_t>(axes.size()) + 1);
        like.sizes.insert(like.sizes.begin(), Size{});
    }
    return node("Unsqueeze", {e.name, integers(axes)}, {}, std::move(like));
}

Edge Exporter::repeated(const Edge& e, const Edge& like) {
    if (e.batched || !like.batched) return e;
    Edge counts;
    counts.batched = false;
    counts.element = static_cast<int>(Element::int64);
    const Edge shape = node("Shape", {like.name}, {whole_attribute("start", 0), whole_attribute("end", 1)}, counts);
    const Edge whole = node("Concat", {shape.name, integers(std::vector<std::int64_t>(e.sizes.size(), 1))},
                            {whole_attribute("axis", 0)}, counts);
    Edge out = e;
    out.batched = true;
    return node("Expand", {e.name, whole.name}, {}, std::move(out));
}

Edge Exporter::activated(Edge e, const std::string& function) {
    if (function == "none") return e;
    const std::string op = function == "relu"         ? "Relu"
                           : function == "leaky_relu" ? "LeakyRelu"
                           : function == "sigmoid"    ? "Sigmoid"
                           : function == "tanh"       ? "Tanh"
                                                      : "Softmax";
    std::vector<Attribute> attributes;
    if (op == "Softmax") attributes.push_back(whole_attribute("axis", e.first ? 1 : -1));
    const std::string from = e.name;
    return node(op, {from}, std::move(attributes), std::move(e));
}

// --- tensors of the file ---

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
