// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that give tensors another shape, drop elements, or do what only their author knows.

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/keras/use.hpp"

namespace scalescope::formats {
namespace {

KerasTensors keras_flatten(KerasUse& use) {
    const KerasTensor& in = use.inputs[0];
    const std::size_t kept = use.over_time ? 1 : 0;
    if (in.dims.size() <= kept + 1) return {in};
    if (kept == 0) return only(use.add("flatten", {}, {in}));
    Checked flat = 1;
    for (std::size_t a = kept; a < in.dims.size(); ++a) flat = flat * in.dims[a];
    if (!flat.ok()) return use.error("Its input is too large to count.", "Check the sizes.");
    return only(use.view(in, {in.dims[0], flat.value()}, false, {}));
}

/// `wanted` with its -1 worked out; nothing if it holds another number of elements.
std::optional<KerasDims> filled(KerasDims wanted, const KerasDims& from) {
    Checked have = 1, want = 1;
    std::optional<std::size_t> open;
    for (const std::int64_t d : from) have = have * d;
    for (std::size_t a = 0; a < wanted.size(); ++a) {
        if (wanted[a] >= 0) {
            want = want * wanted[a];
            continue;
        }
        if (open) return std::nullopt;
        open = a;
    }
    if (!have.ok() || !want.ok() || want.value() < 1) return std::nullopt;
    if (open) {
        if (have.value() % want.value() != 0) return std::nullopt;
        wanted[*open] = have.value() / want.value();
        return wanted;
    }
    if (have.value() != want.value()) return std::nullopt;
    return wanted;
}

KerasTensors keras_reshape(KerasUse& use) {
    const KerasTensor& in = use.inputs[0];
    KerasDims wanted;
    const auto target = use.fields.find({"target_shape", "newshape", "dims"});
    if (target && target->is_array()) {
        for (const JsonValue value : *target) {
            const auto n = value.is_null() ? std::optional<std::int64_t>(-1) : whole_number(value);
            if (!n || *n < -1 || *n > limits::dimension || wanted.size() >= static_cast<std::size_t>(limits::rank))
                return use.fields.error(value, "A dimension here is a size, or -1 for what is left.",
                                        "Correct target_shape.");
            wanted.push_back(*n);
        }
        if (use.over_time) wanted.insert(wanted.begin(), in.dims[0]);
        // Of an operation, the batch stands among them.
        else if (!use.fields.has({"target_shape", "dims"}) && !wanted.empty())
            wanted.erase(wanted.begin());
    }
    auto dims = filled(wanted, in.dims);
    if (!target || !dims) {
        use.error("The shape it makes, " +
                      (target ? std::string(target->source().substr(0, 60)) : "which is not stated") +
                      ", does not hold the elements of its input, " + to_text(in.dims) + ".",
                  "Correct target_shape; -1 is what is left.");
        return {};
    }
    if (dims->empty()) dims->push_back(1);
    // Channels that stay the first axis stay what they are; an image made anew is laid out like most of the file's.
    const bool kept = in.first && dims->size() > 1 && (*dims)[0] == in.dims[0];
    const bool image = !in.first && dims->size() > 2 && use.build.first;
    return only(use.view(in, *dims, kept || image, {}));
}

KerasTensors keras_permute(KerasUse& use) {
    KerasTensor in = use.inputs[0];
    const auto order = use.fields.list({"dims"}, 1, limits::rank);
    const std::size_t kept = use.over_time ? 1 : 0;
    std::vector<bool> seen(in.dims.size(), false);
    bool fits = order.size() + kept == in.dims.size() && !use.fields.failed();
    for (const std::int64_t a : order) {
        const auto at = static_cast<std::size_t>(a - 1) + kept;
        fits = fits && at < seen.size() && !seen[at];
        if (fits) seen[at] = true;
    }
    if (!fits)
        return use.error("Its dims are no order of the axes of " + to_text(in.dims) + ".",
                         "Write each axis once, from 1 on.");
    in.symbols.resize(in.dims.size());
    KerasTensor turned;
    const auto take = [&](std::size_t axis) {
        turned.dims.push_back(in.dims[axis]);
        turned.symbols.push_back(in.symbols[axis]);
    };
    if (kept > 0) take(0);
    for (const std::int64_t a : order) take(static_cast<std::size_t>(a - 1) + kept);
    // Where the channels have gone.
    turned.first = !in.first && order.front() == static_cast<std::int64_t>(in.dims.size()) && use.build.first;
    std::vector<std::size_t> whole(kept, 0);
    for (const std::int64_t a : order) whole.push_back(static_cast<std::size_t>(a - 1) + kept);
    auto made =
        use.add_as("transpose", {{"permutation", permutation_of(whole, in.first, turned.first)}}, {in}, turned.first);
    if (made) made->symbols = turned.symbols;
    return only(made);
}

KerasTensors keras_repeat(KerasUse& use) {
    const std::int64_t n = use.fields.count({"n"});
    if (use.fields.failed()) return {};
    KerasTensor repeated = use.inputs[0];
    repeated.dims.insert(repeated.dims.begin(), n);
    repeated.symbols.clear();
    return only(use.add("expand", {{"shape", repeated.attribute()}}, {use.inputs[0]}));
}

KerasTensors keras_dropout(KerasUse& use) {
    const double rate = use.fields.number({"rate", "p"}, 0.5, 0, 1);
    if (use.fields.failed()) return {};
    if (rate <= 0 || rate >= 1) return {use.inputs[0]};
    return only(use.add("dropout", {{"rate", rate}}, {use.inputs[0]}));
}

KerasTensors keras_identity(KerasUse& use) { return {use.inputs.begin(), use.inputs.end()}; }

/// The bytes of a text in base 64, as Keras stores the code of a Lambda; what follows a wrong letter is left out.
std::string from_base64(std::string_view text) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::size_t most = 1 << 16;
    std::string bytes;
    std::uint32_t bits = 0;
    int held = 0;
    for (const char c : text) {
        if (c == '\n') continue;
        const auto value = letters.find(c);
        if (value == std::string_view::npos || bytes.size() >= most) break;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes.push_back(static_cast<char>(bits >> held & 0xff));
    }
    return bytes;
}

/// The names and numbers in a Lambda's code, which is not run.
std::string code_of(KerasUse& use) {
    auto function = use.fields.find({"function"});
    if (function && function->is_object()) {  // Keras 3
        const auto config = function->find("config");
        function = config && config->is_object() ? config->find("code") : config;
    }
    if (function && function->is_array() && function->size() > 0) function = *function->begin();
    return function && function->is_string() ? from_base64(function->text()) : std::string();
}

/// A block size among the constants of the code: the letter i, perhaps marked, and four bytes, the lowest first.
std::int64_t block_in(const std::string& code) {
    for (std::size_t i = 0; i + 4 < code.size(); ++i)
        if ((code[i] & 0x7f) == 'i' && code[i + 1] >= 2 && code[i + 1] <= 16 && code[i + 2] == 0 && code[i + 3] == 0 &&
            code[i + 4] == 0)
            return code[i + 1];
    return 2;
}

KerasTensors keras_lambda(KerasUse& use) {
    const KerasTensor& in = use.inputs[0];
    if (const auto shape = use.fields.find({"output_shape"}); shape && shape->is_array() && !use.stated) {
        KerasDims dims;
        bool numbers = shape->size() > 0 && shape->size() < static_cast<std::size_t>(limits::rank);
        for (const JsonValue d : *shape) {
            const auto n = whole_number(d);
            numbers = numbers && n && *n > 0 && *n <= limits::dimension;
            if (numbers) dims.push_back(*n);
        }
        if (numbers) return only(use.unknown(dims));
    }
    const std::string code = code_of(use);
    const std::int64_t block = block_in(code);
    const bool image = in.dims.size() == 3 && !in.first && in.dims[0] % block == 0 && in.dims[1] % block == 0;
    if (!use.stated && image && code.find("space_to_depth") != std::string::npos) {
        use.warning("Its code calls space_to_depth, and has the number " + std::to_string(block) +
                        ": blocks of so many rows and columns are taken to become channels. The code is not run.",
                    "If it does something else, replace the Lambda by layers that say it.");
        return only(use.add("space_to_depth", {{"block", block}}, {in}));
    }
    return unknown_result(use);
}

constexpr KerasType shape_types[] = {
    {"Flatten", keras_flatten, true},
    {"Reshape", keras_reshape, true},
    {"Permute", keras_permute, true},
    {"RepeatVector", keras_repeat},
    {"Dropout AlphaDropout GaussianDropout SpatialDropout1D SpatialDropout2D SpatialDropout3D", keras_dropout, true},
    {"Identity", keras_identity, true},
    {"Lambda", keras_lambda},
};

}  // namespace

KerasTensors unknown_result(KerasUse& use) {
    if (use.stated) return only(use.unknown(*use.stated));
    if (use.inputs.empty())
        return use.error("Nothing is known of this layer: neither its class nor the shape it makes.",
                         "Take it out of the model, or replace it by an input.");
    use.build.notes.same_shape.push_back(use.prefix + std::string(use.layer.name));
    return only(use.unknown(use.inputs[0].dims));
}

std::span<const KerasType> keras_shape_types() { return shape_types; }

}  // namespace scalescope::formats
