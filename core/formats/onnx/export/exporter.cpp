// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/export/exporter.hpp"

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/base/name_list.hpp"

namespace scalescope::formats::onnx {
namespace {

Export find_export(std::string_view kind) {
    static const FamilyTable<Export> table{window_exports(), product_exports(), normalization_exports(),
                                           elementwise_exports(), arranging_exports()};
    return table.find(kind);
}

/// Kinds whose operators in ONNX have channels before the other axes.
bool wants_channels_first(std::string_view kind) {
    return is_among(kind,
                    "convolution transposed_convolution pooling global_pooling adaptive_pooling upsample resize "
                    "batch_norm instance_norm group_norm lrn space_to_depth");
}

/// Kinds that hand on numbers without calculating with them.
bool passes_on(std::string_view kind) { return is_among(kind, "identity flatten reshape slice transpose expand"); }

/// How a size is called that is `now` where the symbol is `value`, and `then` where it is twice that.
std::string words_for(const Binding& symbol, std::int64_t now, std::int64_t then) {
    const std::int64_t more = then - now;
    if (more % symbol.value != 0) return symbol.symbol + ": " + std::to_string(now);
    const std::int64_t factor = more / symbol.value, rest = now - more;
    std::string text = factor == 1 ? symbol.symbol : std::to_string(factor) + '*' + symbol.symbol;
    if (rest != 0) text += (rest > 0 ? " + " : " - ") + std::to_string(rest > 0 ? rest : -rest);
    return text;
}

/// Kinds whose nodes hold their own sizes as numbers.
bool writes_sizes(std::string_view kind) { return is_among(kind, "parameter constant expand sort"); }

}  // namespace

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
        warnings.push_back(
            make_warning("The size \"" + f.symbol + "\" is written as the number " + std::to_string(f.value) + ".",
                         "set it to the value you want before exporting: the file has tensors of that size", {},
                         f.layer.empty() ? std::string() : "layers › " + f.layer));
    if (!custom_.empty())
        warnings.push_back(make_warning(
            std::to_string(custom_.size()) + (custom_.size() == 1 ? " layer has" : " layers have") +
                " no word in ONNX, and " + (custom_.size() == 1 ? "is" : "are") +
                " written as operators of this program: " + listed(custom_, 5) + ".",
            "read the file with Scalescope, or replace them (domain org.scalescope) before running it elsewhere"));
    return std::move(model_);
}

/// Whether all that reads an input takes its numbers as places in a table.
bool Exporter::holds_numbers(int p) const {
    const auto& all = readers(p);
    return !all.empty() && std::ranges::all_of(all, [&](int r) {
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
        std::ranges::any_of(
            all,
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

NamedSizes::NamedSizes(const Network& network) {
    for (const LayerFacts& f : network.facts()) {
        auto& sizes = sizes_.emplace_back();
        for (const auto d : f.output) sizes.push_back({d, {}});
    }
    for (const Binding& b : network.bindings()) follow(network, b);
}

void NamedSizes::follow(const Network& network, const Binding& symbol) {
    Fixed fixed{symbol.symbol, symbol.value, {}};
    const Binding doubled{symbol.symbol, 2 * symbol.value};
    const auto other = doubled.value > limits::dimension ? Result<std::shared_ptr<const Network>>(nullptr)
                                                         : network.with(std::vector<Binding>{doubled});
    if (!other || !*other || (*other)->size() != network.size()) {
        if (!other && !other.error().empty()) fixed.layer = other.error().front().where;
        fixed_.push_back(std::move(fixed));
        return;
    }
    auto open = sizes_;
    for (std::size_t p = 0; p < open.size(); ++p) {
        const LayerFacts &now = network.facts()[p], &then = (*other)->facts()[p];
        bool any = false, can = now.weights == then.weights && now.output.size() == then.output.size();
        for (std::size_t a = 0; can && a < now.output.size(); ++a) {
            if (now.output[a] == then.output[a]) continue;
            any = true;
            can = open[p][a].open.empty();  // of two symbols at once
            open[p][a].open = words_for(symbol, now.output[a], then.output[a]);
        }
        const Layer& layer = network.layers()[p];
        can = can && !(any && writes_sizes(layer.kind->name));
        if (can && layer.kind->name == "reshape") {
            std::vector<std::int64_t> shape;
            can = resolve(open[static_cast<std::size_t>(network.inputs(static_cast<int>(p))[0])], open[p], shape);
        }
        if (can) continue;
        fixed.layer = layer.name;
        fixed_.push_back(std::move(fixed));
        return;
    }
    sizes_ = std::move(open);
}

bool NamedSizes::resolve(const std::vector<Size>& from, const std::vector<Size>& to, std::vector<std::int64_t>& shape) {
    bool follows = false, all = true;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i].open.empty()) {
            shape.push_back(to[i].value);
        } else if (i < from.size() && from[i] == to[i]) {
            shape.push_back(0);
        } else if (!follows) {
            shape.push_back(-1);
            follows = true;
        } else {
            shape.push_back(to[i].value);
            all = false;
        }
    }
    return all;
}

}  // namespace scalescope::formats::onnx
