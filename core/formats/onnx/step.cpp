// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/step.hpp"

#include "core/formats/onnx/own_operators.hpp"

namespace scalescope::formats::onnx {

const Value& Step::in(std::size_t i) const {
    static const Value none;
    return i < inputs_.size() && inputs_[i] ? *inputs_[i] : none;
}

void Step::set(std::size_t i, Value value) {
    if (i < outputs_.size()) outputs_[i] = std::move(value);
}

std::int64_t Step::integer(std::string_view name, std::int64_t otherwise) const {
    const Attribute* a = node_.find(name);
    return a ? a->integer : otherwise;
}

double Step::number(std::string_view name, double otherwise) const {
    const Attribute* a = node_.find(name);
    return a ? a->number : otherwise;
}

std::string Step::text(std::string_view name, std::string_view otherwise) const {
    const Attribute* a = node_.find(name);
    return a ? a->text : std::string(otherwise);
}

std::optional<Dims> Step::integers(std::string_view name) const {
    const Attribute* a = node_.find(name);
    if (!a) return std::nullopt;
    return a->integers;
}

std::optional<Dims> Step::numbers(std::size_t i, std::string_view attribute) const {
    if (has(i)) {
        const Value& v = in(i);
        if (!v.known || v.is_real()) return std::nullopt;
        return v.whole;
    }
    return attribute.empty() ? std::nullopt : integers(attribute);
}

void Step::wrong(std::string what) {
    if (trouble_.empty()) trouble_ = std::move(what);
}

void Step::open(std::size_t output, int element) { set(output, unranked(element)); }

Rule find_rule(std::string_view domain, std::string_view op) {
    static const FamilyTable<Rule> table{elementwise_rules(), shape_rules(),    movement_rules(),
                                         reduction_rules(),   product_rules(),  window_rules(),
                                         recurrent_rules(),   sequence_rules(), contributed_rules()};
    if (domain == own_domain) return own_rule(op);
    // Names of ONNX's own domains and of the ones its runtimes add do not collide.
    const bool ours = domain.empty() || domain == "com.microsoft" || domain.starts_with("ai.onnx.preview") ||
                      domain == "onnx.brevitas" || domain == "qonnx.custom_op.general" || domain == "ai.onnx.ml";
    return ours ? table.find(op) : nullptr;
}

}  // namespace scalescope::formats::onnx
