// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/onnx/family_table.hpp"
#include "core/formats/onnx/value.hpp"

namespace scalescope::formats::onnx {

/// One operator on one run: what it reads, and what its rule finds out of what it makes.
class Step {
public:
    Step(const Node& node, std::int64_t opset, std::span<const Value* const> inputs)
        : node_(node), opset_(opset), inputs_(inputs), outputs_(node.outputs.size()) {}

    const Node& node() const { return node_; }
    std::int64_t opset() const { return opset_; }
    std::size_t count() const { return inputs_.size(); }
    /// An absent value where there is none.
    const Value& in(std::size_t i) const;
    bool has(std::size_t i) const { return in(i).present(); }
    std::vector<Value>& outputs() { return outputs_; }
    /// Does nothing if the node does not ask for that output.
    void set(std::size_t i, Value value);

    std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
    double number(std::string_view name, double otherwise) const;
    std::string text(std::string_view name, std::string_view otherwise = {}) const;
    std::optional<Dims> integers(std::string_view name) const;  ///< nothing: not written
    /// The whole numbers of input `i`, or of the attribute (older opsets), if they are known.
    std::optional<Dims> numbers(std::size_t i, std::string_view attribute = {}) const;
    /// Neither an input `i` nor the attribute is there.
    bool left_out(std::size_t i, std::string_view attribute) const { return !has(i) && !node_.find(attribute); }

    /// Counted from the front, of an input with so many axes; nothing: there is none, and that is said.
    std::optional<std::size_t> axis(std::int64_t asked, std::size_t rank);

    /// Says what does not fit, and stays without outputs. Returns nothing, to be returned.
    void wrong(std::string what);
    const std::string& trouble() const { return trouble_; }

    /// An output of open shape: something it depends on is not known.
    void open(std::size_t output, int element);

private:
    const Node& node_;
    std::int64_t opset_;
    std::span<const Value* const> inputs_;
    std::vector<Value> outputs_;
    std::string trouble_;
};

using Rule = void (*)(Step&);

/// The shape rule of an operator, or nullptr. `domain` is "" for ONNX's own.
Rule find_rule(std::string_view domain, std::string_view op);

/// The shape rule of an operator of this program's own (own_operators.cpp), or nullptr.
Rule own_rule(std::string_view op);

using RuleRow = FamilyRow<Rule>;
/// The families, one file each.
std::span<const RuleRow> elementwise_rules();
std::span<const RuleRow> shape_rules();
std::span<const RuleRow> movement_rules();
std::span<const RuleRow> reduction_rules();
std::span<const RuleRow> product_rules();
std::span<const RuleRow> window_rules();
std::span<const RuleRow> sequence_rules();
std::span<const RuleRow> contributed_rules();

/// Where a window goes, one entry for each axis behind batch and channels.
struct Windows {
    Dims kernel, stride, dilation, before, after, out;
};

/// Of a convolution or pooling over `dims` (batch and channels first); reports what does not fit through `step`.
std::optional<Windows> windows_of(Step& step, const Dims& dims, const Dims& kernel);

/// The input of an Upsample or Resize that has its factors.
std::size_t place_of_factors(const Node& node, std::int64_t opset);
/// Factors of a change of size, one for each axis (or each of the attribute `axes`); none if it says sizes. `given` is
/// the value at that place.
std::vector<double> resize_factors(const Node& node, const Value& given, std::size_t rank);

}  // namespace scalescope::formats::onnx
