// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/keras/use.hpp"

#include <algorithm>

#include "core/base/limits.hpp"

namespace scalescope::formats {
namespace {

constexpr std::int64_t assumed_length = 128, assumed_side = 224;

/// What an open dimension is, by the axes the input has beside the batch.
std::string_view axis_name(std::size_t axis, std::size_t rank, bool first) {
    if (rank == 3 && axis == (first ? 1u : 0u)) return "height";
    if (rank == 3) return "width";
    return axis == 0 ? "sequence" : "size";
}

constexpr std::string_view about_axes[][2] = {{"sequence", "steps of a sequence"},
                                              {"height", "rows of an image"},
                                              {"width", "columns of an image"},
                                              {"size", "an axis that the file leaves open"}};

/// The symbol of an open axis that is `size` unless told otherwise: the network's of that name, or one of its own.
std::string symbol_for(std::vector<Symbol>& symbols, std::string_view axis, std::int64_t size) {
    std::string name(axis);
    for (int n = 2;; ++n) {
        const auto it = std::ranges::find(symbols, name, &Symbol::name);
        if (it == symbols.end()) break;
        if (it->initial == size) return name;
        name = std::string(axis) + '_' + std::to_string(n);
    }
    for (const auto& about : about_axes)
        if (about[0] == axis) symbols.push_back({name, size, std::string(about[1])});
    return name;
}

std::int64_t known_length(const KerasLayer& layer) {
    const auto shape = stated_input_shape(layer);
    if (!shape || !shape->is_array() || shape->size() < 2 || shape->size() > 3) return 0;
    const auto n = whole_number(*++shape->begin());
    return n && *n > 1 && *n <= limits::dimension ? *n : 0;
}

}  // namespace

std::optional<JsonValue> stated_input_shape(const KerasLayer& layer) {
    for (const std::string_view name : {"batch_input_shape", "batch_shape"})
        if (const auto shape = layer.config.find(name); shape && shape->is_array()) return shape;
    if (layer.build)
        if (const auto shape = layer.build->find("input_shape"); shape && !shape->is_null())
            return first_keras_shape(*shape);
    return std::nullopt;
}

std::optional<std::int64_t> length_hint(const KerasModel& model, std::string_view name) {
    for (const KerasLayer& l : model.layers) {
        if (l.type != "Embedding") continue;
        const bool reads = std::ranges::any_of(
            l.calls, [&](const KerasCall& c) { return !c.inputs.empty() && c.inputs[0].layer == name; });
        if (!reads) continue;
        if (const auto length = l.config.find("input_length"); length && length->is_integer() && length->integer() > 0)
            return std::min(length->integer(), limits::dimension);
        if (const auto length = known_length(l); length > 0) return length;
    }
    for (const KerasLayer& l : model.layers)
        if (l.type == "InputLayer" && known_length(l) > 0) return known_length(l);
    for (const KerasLayer& l : model.layers)
        if (l.type == "Embedding" && known_length(l) > 0) return known_length(l);
    return std::nullopt;
}

std::optional<KerasTensor> keras_input(KerasUse& use, JsonValue shape, std::optional<std::int64_t> length) {
    KerasTensor tensor;
    KerasDims& dims = tensor.dims;
    std::string open;
    std::size_t at = 0;
    const std::size_t rank = shape.size() > 0 ? shape.size() - 1 : 0;
    const bool first = use.build.first && rank > 2;
    if (rank >= static_cast<std::size_t>(limits::rank))
        return use.fields.error(shape,
                                "An input has up to " + std::to_string(limits::rank - 1) + " axes beside the batch.",
                                "Correct its shape.");
    for (const JsonValue d : shape) {
        const std::size_t axis = at++ - 1;
        const auto n = whole_number(d);
        if (axis == static_cast<std::size_t>(-1)) {
            if (n && *n > 0 && *n <= limits::batch) use.build.batch = *n;
            continue;
        }
        const bool channels = rank > 1 && axis == (first ? 0 : rank - 1);
        const bool is_open = d.is_null() || (n && *n == -1);
        if (is_open && !channels) {
            const std::string_view name = axis_name(axis, rank, first);
            const std::int64_t size = rank == 3 ? assumed_side : length.value_or(assumed_length);
            dims.push_back(size);
            tensor.symbols.resize(dims.size());
            tensor.symbols.back() = symbol_for(use.build.draft.draft().symbols, name, size);
            open += (open.empty() ? "" : ", ") + tensor.symbols.back() + " " + std::to_string(size);
            continue;
        }
        if (!n || *n < 1 || *n > limits::dimension)
            return use.fields.error(
                d,
                is_open ? "The channels of an input decide the weights behind it, and these are left open."
                        : "A dimension of an input is a size, or null if it is open.",
                "Write its size, for example [null, 224, 224, 3].");
        dims.push_back(*n);
    }
    if (!open.empty()) use.build.notes.assumed.push_back(use.prefix + std::string(use.layer.name) + " (" + open + ")");
    if (dims.empty()) dims.push_back(1);
    use.inputs.clear();
    tensor.first = first;
    auto made = use.add_as("input", {{"shape", tensor.attribute()}}, {}, first);
    if (made) made->symbols = tensor.symbols;
    return made;
}

}  // namespace scalescope::formats
