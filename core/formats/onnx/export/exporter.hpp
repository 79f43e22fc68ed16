// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/formats/onnx/family_table.hpp"
#include "core/formats/onnx/model.hpp"
#include "core/network/network.hpp"

namespace scalescope::formats::onnx {

/// One dimension of a tensor to be written: a number, and how it is called where it is left open.
struct Size {
    std::int64_t value = 1;
    std::string open;  ///< "sequence", "2*sequence", "sequence + 1"; empty: the number itself
    bool operator==(const Size&) const = default;
};

/// Which sizes of a network's tensors are open. The network is measured once more with each symbol doubled: what
/// changes depends on it. A symbol on which numbers of the file depend (the shape of weights, a table, a reshape with
/// two open axes that stand elsewhere before) cannot stay open.
class NamedSizes {
public:
    explicit NamedSizes(const Network& network);

    /// Of the output of the layer at `position`, in our order, without the batch.
    const std::vector<Size>& of(int position) const { return sizes_[static_cast<std::size_t>(position)]; }
    /// A symbol that is written as a number, and the layer because of which it is.
    struct Fixed {
        std::string symbol;
        std::int64_t value = 1;
        std::string layer;
    };
    const std::vector<Fixed>& fixed() const { return fixed_; }

    /// The shape of a reshape to `to`, behind the batch: 0 for a size that stays where it was, −1 for one that follows
    /// from the others; false if more would have to follow (their numbers are written).
    static bool resolve(const std::vector<Size>& from, const std::vector<Size>& to, std::vector<std::int64_t>& shape);

private:
    void follow(const Network& network, const Binding& symbol);
    std::vector<std::vector<Size>> sizes_;
    std::vector<Fixed> fixed_;
};

/// A tensor of the model being written.
struct Edge {
    std::string name;
    std::vector<Size> sizes;  ///< of one sample, in ONNX's order
    bool first = false;       ///< channels stand before the other axes, as ONNX's windows want them
    bool batched = true;      ///< else its first axis is 1: the same for all samples
    int element = static_cast<int>(Element::float32);
};

/// The same for all samples; its sizes are nobody's concern.
inline Edge loose_edge(Element element = Element::float32) { return {{}, {}, false, false, static_cast<int>(element)}; }

inline constexpr std::string_view contributed_domain = "com.microsoft";
inline constexpr std::int64_t written_opset = 17, written_ir_version = 8;

Attribute whole_attribute(std::string name, std::int64_t value);
Attribute list_attribute(std::string name, std::vector<std::int64_t> values);
Attribute real_attribute(std::string name, double value);
Attribute word_attribute(std::string name, std::string value);
/// An attribute of a layer as one of an operator.
Attribute attribute_as(const AttributeInfo& info, const AttributeValue& value);
/// The numbers of sizes that are known, in their order.
std::vector<std::int64_t> numbers_of(const std::vector<Size>& sizes);

/// Writes a network as operators of ONNX: one function for each kind of layer makes the nodes of a layer.
class Exporter {
public:
    explicit Exporter(const Network& network);
    /// Warnings (what ONNX has no word for) are appended to `warnings`.
    Model run(Problems& warnings);

    // --- the layer at hand ---
    const Network& network() const { return network_; }
    int position() const { return at_; }
    const Layer& layer() const { return network_.layers()[static_cast<std::size_t>(at_)]; }
    const LayerFacts& facts() const { return network_.facts()[static_cast<std::size_t>(at_)]; }
    template <class T>
    const T& get(std::string_view name) const {
        return std::get<T>(attribute(layer(), name));
    }
    bool is(std::string_view name) const { return get<bool>(name); }
    std::size_t inputs() const { return layer().inputs.size(); }
    /// As the layer that makes it left it.
    const Edge& in(std::size_t i) const { return edges_[static_cast<std::size_t>(input_at(i))]; }
    int input_at(std::size_t i) const { return network_.inputs(at_)[i]; }
    const Shape& shape_in(std::size_t i) const {
        return network_.facts()[static_cast<std::size_t>(input_at(i))].output;
    }
    /// In our order, as floating-point numbers.
    Edge natural(std::size_t i) { return natural(real(in(i))); }
    Edge natural(Edge e) { return with_channels(false, std::move(e)); }
    /// In ONNX's order of windows, as floating-point numbers.
    Edge windowed(std::size_t i) { return windowed(real(in(i))); }
    Edge windowed(Edge e) { return with_channels(true, std::move(e)); }
    Edge with_channels(bool first, Edge e);
    Edge cast(Edge e, Element to);
    Edge real(const Edge& e) { return is_real(e.element) ? e : cast(e, Element::float32); }
    Edge whole(const Edge& e) { return cast(e, Element::int64); }
    /// Sizes of the layer's output in our order.
    const std::vector<Size>& sizes_out() const { return sizes_.of(at_); }
    /// Of the layer's output, laid out like windows want it, or as it is.
    Edge out(bool first) const;
    /// Readers of a layer, by position.
    const std::vector<int>& readers(int position) const { return readers_[static_cast<std::size_t>(position)]; }
    /// Where the axis that an attribute counts as shapes are written stands in the first input's shape of one sample.
    std::size_t place_of(std::int64_t axis) const {
        return static_cast<std::size_t>(axis > 0 ? axis - 1 : static_cast<std::int64_t>(shape_in(0).size()) + axis);
    }
    /// The attribute "axis" in ONNX's order of `like`.
    std::int64_t axis_of(const Edge& like) const { return axis_in(like, place_of(get<std::int64_t>("axis"))); }
    /// Where in ONNX's order of `like` the axis `ours` of a sample stands, the batch counted.
    static std::int64_t axis_in(const Edge& like, std::size_t ours);

    // --- nodes ---
    /// One output with the sizes, order and type of `like`.
    Edge node(std::string op, std::vector<std::string> inputs, std::vector<Attribute> attributes, Edge like,
              std::string_view domain = {});
    /// The same with `count` outputs.
    std::vector<Edge> nodes(std::string op, std::vector<std::string> inputs, std::vector<Attribute> attributes,
                            const Edge& like, std::size_t count);
    /// The same elements in another shape.
    Edge reshape(const Edge& e, std::vector<Size> to);
    /// Axes of size 1 behind the batch, so that it has `rank` axes a sample.
    Edge raised(const Edge& e, std::size_t rank);
    /// Repeated for each sample, if `like` has samples and it has none.
    Edge repeated(const Edge& e, const Edge& like);
    /// A function done in place (the attribute `activation`).
    Edge activated(Edge e, const std::string& function);

    // --- tensors of the file ---
    /// The layer's next trained tensor; that of another layer, if it uses its weights.
    std::string weight(const std::string& suffix, const std::vector<std::int64_t>& dims);
    /// A tensor that is not trained, of which only the shape counts.
    std::string blank(const std::string& suffix, const std::vector<std::int64_t>& dims,
                      Element element = Element::float32);
    /// Ones.
    std::string ones(std::int64_t count);
    std::string integers(const std::vector<std::int64_t>& values);
    std::string integer(std::int64_t value);
    std::string single(double value);
    std::string singles(const std::vector<double>& values);

private:
    struct Weight {
        std::string name;
        std::vector<std::int64_t> dims;
    };
    void find_readers();
    bool holds_numbers(int position) const;
    void write_layer();
    void source();
    Edge custom();
    void finish(Edge made, std::size_t first_node);
    void add_outputs();
    void describe();
    std::string unique(const std::string& suffix);
    void add_blank(const std::string& name, std::vector<std::int64_t> dims, Element element);
    std::string constant(const std::string& key, Element element, std::vector<std::int64_t> dims,
                         std::vector<std::int64_t> whole, std::vector<double> real = {});
    std::string shared_weight(const Weight& wanted, std::int64_t offset);
    std::string flat_weights();
    ValueInfo info(const Edge& e) const;

    const Network& network_;
    NamedSizes sizes_;
    Model model_;
    std::vector<Edge> edges_;  ///< what each layer makes
    std::vector<std::vector<int>> readers_;
    std::vector<std::vector<Weight>> weights_;  ///< of each layer
    std::unordered_set<std::string> names_;
    std::map<std::string, std::string> constants_;
    std::map<int, std::string> flat_;  ///< all weights of a layer, one after the other
    std::vector<std::string> custom_;
    int at_ = 0;
    std::int64_t taken_ = 0;  ///< weights of the layer so far
};

/// Writes the layer at hand; nothing: ONNX has no word for it, and nothing was written.
using Export = std::optional<Edge> (*)(Exporter&);
using ExportRow = FamilyRow<Export>;
/// The families, one file each.
std::span<const ExportRow> window_exports();
std::span<const ExportRow> product_exports();
std::span<const ExportRow> normalization_exports();
std::span<const ExportRow> elementwise_exports();
std::span<const ExportRow> arranging_exports();

}  // namespace scalescope::formats::onnx
