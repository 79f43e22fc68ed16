// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes that can be changed so that shapes fit: of the layer itself, and of those before it.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/checked.hpp"
#include "core/network/attributes.hpp"
#include "core/network/editing/candidates.hpp"
#include "core/network/editing/change.hpp"
#include "core/network/editing/graph.hpp"

namespace scalescope::editing {
namespace {

using Sizes = std::vector<std::int64_t>;

/// "3 × 3", or "2" for the same on every axis if `short_form`.
std::string by(const Sizes& sizes, bool short_form = false) {
    if (short_form && std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end())
        return std::to_string(sizes.front());
    std::string text;
    for (std::int64_t n : sizes) text += (text.empty() ? "" : " × ") + std::to_string(n);
    return text;
}

/// The attribute along each of the axes before the channels; its default serves any number of them.
std::optional<Sizes> along(const Sizes* sizes, std::size_t axes, std::optional<std::int64_t> otherwise = {}) {
    if (sizes && sizes->size() == axes) return *sizes;
    if (sizes && otherwise &&
        std::all_of(sizes->begin(), sizes->end(), [&](std::int64_t n) { return n == *otherwise; }))
        return Sizes(axes, *otherwise);
    return std::nullopt;
}

/// Attribute values to try, each with words for a button.
struct Option {
    std::string title;
    std::string_view name;
    AttributeValue value;
};

template <class T>
const T* value_of(const Layer& l, std::string_view name) {
    const int a = attribute_index(*l.kind, name);
    return a < 0 ? nullptr : std::get_if<T>(&l.attributes[static_cast<std::size_t>(a)]);
}

/// The largest divisor of `n` that is at most `most`.
std::int64_t divisor(std::int64_t n, std::int64_t most) {
    for (std::int64_t d = std::min(n, most); d > 1; --d)
        if (n % d == 0) return d;
    return 1;
}

std::int64_t last_of(const Shape& shape) { return shape.empty() ? 1 : shape.back(); }

/// Values with which a layer of this kind might take inputs of these shapes.
std::vector<Option> own_options(const Layer& l, const std::vector<Shape>& shapes) {
    constexpr std::int64_t most_groups = 1 << 16;  // a longer search is not worth it
    std::vector<Option> options;
    const auto add = [&](std::string title, std::string_view name, AttributeValue value) {
        options.push_back({std::move(title), name, std::move(value)});
    };
    const Shape& in = shapes.front();
    if (value_of<Padding>(l, "padding"))
        add("Use padding \"same\"", "padding", Padding{Padding::Mode::same, 0, 0, 0, 0});
    if (const auto* kernel = value_of<Sizes>(l, "kernel");
        kernel && !kernel->empty() && kernel->size() + 1 == in.size()) {
        Sizes fits = *kernel;
        for (std::size_t axis = 0; axis < fits.size(); ++axis) fits[axis] = std::min(fits[axis], in[axis]);
        add("Use a kernel of " + by(fits), "kernel", fits);
    }
    if (const auto* groups = value_of<std::int64_t>(l, "groups"); groups && *groups <= most_groups) {
        const auto* filters = value_of<std::int64_t>(l, "filters");
        const std::int64_t fits = divisor(filters ? std::gcd(last_of(in), *filters) : last_of(in), *groups);
        add(fits == 1 ? "Use 1 group" : "Use " + std::to_string(fits) + " groups", "groups", fits);
        if (filters) {
            const std::int64_t more = ceil_div(*filters, *groups) * *groups;
            add("Use " + std::to_string(more) + " filters", "filters", more);
        }
    }
    if (const auto* heads = value_of<std::int64_t>(l, "heads"); heads && *heads <= most_groups) {
        std::int64_t width = 0;
        for (const Shape& s : shapes) width = std::gcd(width, last_of(s));
        const std::int64_t fits = divisor(width, *heads);
        add(fits == 1 ? "Use 1 head" : "Use " + std::to_string(fits) + " heads", "heads", fits);
        add("Use as many heads for keys and values", "kv_heads", std::int64_t{0});
        add("Make it causal", "causal", true);
    }
    if (const auto* flag = value_of<bool>(l, "transpose_a"))
        add(*flag ? "Do not transpose the first input" : "Transpose the first input", "transpose_a", !*flag);
    if (const auto* flag = value_of<bool>(l, "transpose_b"))
        add(*flag ? "Do not transpose the second input" : "Transpose the second input", "transpose_b", !*flag);
    if (const auto* experts = value_of<std::int64_t>(l, "experts"))
        add("Send each position through " + std::to_string(*experts), "top_k", *experts);
    if (value_of<std::int64_t>(l, "biases")) add("Use 2 biases", "biases", std::int64_t{2});
    if (value_of<double>(l, "rate")) add("Use a rate of 0.5", "rate", 0.5);
    if (value_of<bool>(l, "scale")) add("Scale the channels", "scale", true);
    if (const auto* dims = value_of<std::vector<Dim>>(l, "shape"); dims && dims->size() > 2) {
        // The dimensions stay but for the first, which is what is left over.
        std::int64_t rest = 1;
        for (std::size_t d = 2; d < dims->size(); ++d)
            rest = (Checked(rest) * (*dims)[d].factor).ok() ? rest * (*dims)[d].factor : 0;
        if (const std::int64_t all = elements(in); rest > 0 && all % rest == 0) {
            std::vector<Dim> fits = *dims;
            fits[1] = {all / rest, {}};
            std::string text;
            for (std::size_t d = 1; d < fits.size(); ++d) text += (d > 1 ? " × " : "") + std::to_string(fits[d].factor);
            add("Reshape to " + text, "shape", std::move(fits));
        }
    }
    if (value_of<std::vector<Dim>>(l, "shape"))
        add("Reshape to " + std::to_string(elements(in)), "shape", std::vector<Dim>{{1, "batch"}, {elements(in), {}}});
    return options;
}

/// Values with which a layer on the way might give out what is wanted. `out` is what it gives now; `wanted` what the
/// other inputs have.
std::vector<Option> source_options(const Layer& l, const Shape& in, const Shape& out, const Shape& wanted) {
    std::vector<Option> options;
    const auto add = [&](std::string title, std::string_view name, AttributeValue value) {
        options.push_back({std::move(title) + " in " + std::string(leaf_name(l.name)), name, std::move(value)});
    };
    const std::size_t axes = in.size() == wanted.size() && in.size() > 1 ? in.size() - 1 : 0;
    const auto kernel = along(value_of<Sizes>(l, "kernel"), axes),
               stride = along(value_of<Sizes>(l, "stride"), axes, 1);
    const auto* padding = value_of<Padding>(l, "padding");
    if (axes > 0 && kernel && stride && padding) {
        const Sizes ones(axes, 1);
        if (*stride != ones) add("Set stride to 1", "stride", ones);
        Sizes other(axes);
        for (std::size_t axis = 0; axis < axes; ++axis) other[axis] = ceil_div(in[axis], wanted[axis]);
        if (other != *stride && other != ones) add("Set stride to " + by(other, true), "stride", other);
        if (padding->mode != Padding::Mode::same)
            add("Use padding \"same\"", "padding", Padding{Padding::Mode::same, 0, 0, 0, 0});
        if (padding->mode != Padding::Mode::valid) add("Use padding \"valid\"", "padding", Padding{});
        const auto dilation = along(value_of<Sizes>(l, "dilation"), axes, 1);
        const auto reach = [&](std::size_t axis) {
            return ((*kernel)[axis] - 1) * (dilation ? (*dilation)[axis] : 1) + 1;
        };
        const auto missing = [&](std::size_t axis) {
            return (wanted[axis] - 1) * (*stride)[axis] + reach(axis) - in[axis];
        };
        const std::int64_t rows = missing(0), columns = axes == 2 ? missing(1) : -1;
        // Nobody pads by more than a window, which would then see nothing but zeros.
        if (rows >= 0 && columns >= 0 && rows < 2 * reach(0) && columns < 2 * reach(1)) {
            Padding p;
            p.mode = Padding::Mode::explicit_sizes;
            p.top = rows / 2, p.bottom = rows - rows / 2, p.left = columns / 2, p.right = columns - columns / 2;
            const bool even = rows == columns && rows % 2 == 0;
            add(even ? "Use padding " + std::to_string(rows / 2) : "Pad to " + by({wanted[0], wanted[1]}), "padding",
                p);
        }
    }
    const std::int64_t last = last_of(wanted) == last_of(out) ? last_of(out) + 1 : last_of(wanted);
    if (value_of<std::int64_t>(l, "filters")) add("Use " + std::to_string(last) + " filters", "filters", last);
    if (value_of<std::int64_t>(l, "units")) add("Use " + std::to_string(last) + " units", "units", last);
    return options;
}

Layer changed(Layer l, const Option& option) {
    put_value(l, option.name, option.value);
    return l;
}

void offer(const Mismatch& m, LayerId of, const Option& option, Candidates& candidates) {
    candidates.push_back({option.title, [&draft = m.draft, of, option] {
                              const std::vector<LayerId> one{of};
                              return set_attribute(draft, one, option.name, option.value);
                          }});
}

}  // namespace

void add_value_candidates(const Mismatch& m, Candidates& candidates) {
    if (m.shapes.empty()) return;
    for (const Option& option : own_options(m.layer, m.shapes))
        if (attribute_index(*m.layer.kind, option.name) >= 0 && m.layer.kind->infer(changed(m.layer, option), m.shapes))
            offer(m, m.layer.id, option, candidates);
}

void add_source_candidates(const Mismatch& m, Candidates& candidates) {
    constexpr int farthest = 6;
    const auto k = static_cast<std::size_t>(m.input);
    if (k >= m.shapes.size()) return;
    std::vector<Shape> wishes;  // what the input might have to be
    for (const Shape& s : m.shapes)
        if (s != m.shapes[k] && std::find(wishes.begin(), wishes.end(), s) == wishes.end()) wishes.push_back(s);
    if (wishes.empty()) wishes.push_back(m.shapes[k]);
    std::vector<const Layer*> way;  // from a layer to the input, which is what the first of them gives
    int at = m.sketch.inputs[static_cast<std::size_t>(m.position)][k];
    for (int steps = 0; steps < farthest; ++steps) {
        const auto a = static_cast<std::size_t>(at);
        if (m.sketch.inputs[a].size() != 1) return;
        const Layer& l = m.sketch.layers[a];
        way.push_back(&l);
        at = m.sketch.inputs[a].front();
        const Shape& in = m.sketch.facts[static_cast<std::size_t>(at)]->output;
        for (const Shape& wanted : wishes)
            for (const Option& option : source_options(l, in, m.sketch.facts[a]->output, wanted)) {
                // What comes out at the end of the way with that value.
                Shape shape = in;
                bool fits = true;
                for (std::size_t w = way.size(); w-- > 0 && fits;) {
                    const Layer step = w + 1 == way.size() ? changed(*way[w], option) : *way[w];
                    const std::vector<Shape> given{shape};
                    const auto facts = step.kind->infer(step, given);
                    fits = facts.has_value();
                    if (fits) shape = facts->output;
                }
                if (fits && m.takes(k, shape)) offer(m, l.id, option, candidates);
            }
    }
}

}  // namespace scalescope::editing
