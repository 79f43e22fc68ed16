// SPDX-License-Identifier: GPL-3.0-or-later
// Einstein's sum over one or two tensors: axes have letters, and letters that the output does not have are summed over.
// A product for each way to choose a value of every letter (docs/decisions/layer-kinds.md).
#include <algorithm>
#include <array>
#include <map>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 1> einsum_attributes{{
    {"equation", AttributeType::text, {}, {}, 0, "such as \"bij,bjk->bik\"; b is the batch, and may be left out"},
}};

tl::unexpected<Problems> no_equation(const std::string& equation) {
    return wrong("\"" + equation + "\" is no equation of this layer's inputs.",
                 "write a letter for each axis, a comma between inputs, and \"->\" before the output, without dots");
}

/// The letters of each input, then those of the output; nothing if it is no such equation.
std::optional<std::vector<std::string>> letters_of(const std::string& equation, std::size_t inputs) {
    std::vector<std::string> parts{""};
    bool output = false;
    for (std::size_t i = 0; i < equation.size(); ++i) {
        const char c = equation[i];
        if (c == ' ') continue;
        const bool arrow = c == '-' && !output && i + 1 < equation.size() && equation[i + 1] == '>';
        if (arrow) {
            output = true;
            ++i;
        }
        if (arrow || (c == ',' && !output))
            parts.emplace_back();
        else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            parts.back() += c;
        else
            return std::nullopt;
    }
    if (!output || parts.size() != inputs + 1) return std::nullopt;
    return parts;
}

Result<LayerFacts> infer_einsum(const Layer& layer, std::span<const Shape> inputs) {
    const std::string& equation = get<std::string>(layer, "equation");
    auto parts = letters_of(equation, inputs.size());
    if (!parts) return no_equation(equation);
    // Where an input has a letter more than axes, the first is the batch; the output then begins with it too.
    char batch = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::string& letters = (*parts)[i];
        if (letters.size() != inputs[i].size() + 1) continue;
        if (batch != 0 && letters[0] != batch) return no_equation(equation);
        batch = letters[0];
        letters.erase(0, 1);
    }
    std::string& output = parts->back();
    if (batch != 0) {
        if (output.empty() || output[0] != batch) return no_equation(equation);
        output.erase(0, 1);
    }
    std::map<char, std::int64_t> sizes;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if ((*parts)[i].size() != inputs[i].size()) return no_equation(equation);
        for (std::size_t a = 0; a < inputs[i].size(); ++a) {
            const auto [it, fresh] = sizes.emplace((*parts)[i][a], inputs[i][a]);
            if (!fresh && it->second != inputs[i][a])
                return wrong("The axis \"" + std::string(1, it->first) + "\" has " + std::to_string(it->second) +
                                 " elements in one place and " + std::to_string(inputs[i][a]) + " in another.",
                             "correct the equation, or the inputs");
        }
    }
    Shape out;
    for (const char c : output) {
        const auto it = sizes.find(c);
        if (it == sizes.end() || std::ranges::count(output, c) > 1) return no_equation(equation);
        out.push_back(it->second);
    }
    if (out.empty()) out.push_back(1);
    if (inputs.size() == 1)  // a sum, or another order of the axes
        return bytes_only(std::move(out), inputs, Division::mixing, {1, 1, 0}, {1, 1, 0});
    Checked macs = 1;
    for (const auto& [letter, size] : sizes) macs = macs * size;
    return product_of_inputs(std::move(out), inputs, macs);
}

}  // namespace

const Kind einsum{"einsum", "Einstein sum", einsum_attributes, 1, 2, infer_einsum};

}  // namespace scalescope::kinds
