// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/draft_builder.hpp"

#include <algorithm>
#include <utility>

#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"

namespace scalescope::formats {
namespace {

Shape without_ones(Shape shape) {
    std::erase(shape, 1);
    return shape;
}

}  // namespace

const AttributeInfo* find_attribute(const Kind& kind, std::string_view name) {
    return find_by(kind.attributes, name, &AttributeInfo::name);
}

std::vector<AttributeValue> attributes_of(const Kind& kind, const DraftBuilder::Givens& given) {
    std::vector<AttributeValue> all;
    for (const AttributeInfo& info : kind.attributes) {
        const auto it = std::ranges::find(given, info.name, &DraftBuilder::Given::name);
        all.push_back(it == given.end() ? info.initial : it->value);
    }
    return all;
}

std::vector<Dim> batch_of(const Shape& sample) {
    std::vector<Dim> shape{{1, "batch"}};
    for (const std::int64_t d : sample) shape.push_back({d, {}});
    if (shape.size() == 1) shape.push_back({1, {}});
    return shape;
}

Result<NetworkDraft> finished_import(std::optional<NetworkDraft> draft, ProblemList& problems, Problems* warnings) {
    if (!draft || problems.has_errors()) return fail(problems.take());
    if (warnings)
        for (Problem& p : problems.take()) warnings->push_back(std::move(p));
    return std::move(*draft);
}

std::string DraftBuilder::unique_name(std::string name, const std::string& otherwise) {
    constexpr std::size_t longest_number = 12;
    if (name.empty()) name = otherwise.empty() ? "layer" : otherwise;
    if (name.size() <= limits::name_bytes && names_.insert(name).second) return name;
    if (name.size() + longest_number > limits::name_bytes) name = "layer";
    for (int& n = next_number_[name];; ++n)
        if (std::string numbered = name + '_' + std::to_string(n + 2); names_.insert(numbered).second) return numbered;
}

std::optional<std::size_t> DraftBuilder::add(std::string name, SourcePosition at, std::string_view kind,
                                             const Givens& given, const std::vector<std::size_t>& inputs) {
    auto added = try_add(name, at, kind, given, inputs);
    if (added) return *added;
    for (Problem& p : added.error()) {
        p.where = join_path("layers", name);
        p.at = at;
        problems_.add(std::move(p));
    }
    return std::nullopt;
}

Result<std::size_t> DraftBuilder::try_add(const std::string& name, const SourcePosition& at, std::string_view kind,
                                          const Givens& given, const std::vector<std::size_t>& inputs,
                                          const Shape* expected) {
    Layer layer;
    layer.id = LayerId{static_cast<std::uint32_t>(draft_.layers.size() + 1)};
    layer.name = name;
    layer.at = at;
    layer.kind = find_kind(kind);
    layer.attributes = attributes_of(*layer.kind, given);
    std::vector<Shape> shapes;
    for (const std::size_t input : inputs) {
        layer.inputs.push_back(draft_.layers[input].id);
        shapes.push_back(facts_[input].output);
    }
    ASSIGN_OR_RETURN(const auto bound, with_values(layer, initial_bindings(draft_.symbols)));
    ASSIGN_OR_RETURN(auto facts, layer.kind->infer(bound.value_or(layer), shapes));
    if (expected && without_ones(facts.output) != without_ones(*expected))
        return fail(make_error("The output would be " + to_text(facts.output) + " and not " + to_text(*expected) + ".",
                               "Check the layer.", at));
    facts_.push_back(std::move(facts));
    draft_.layers.push_back(std::move(layer));
    return draft_.layers.size() - 1;
}

void DraftBuilder::clear() {
    draft_.layers.clear();
    facts_.clear();
}

}  // namespace scalescope::formats
