// SPDX-License-Identifier: GPL-3.0-or-later
// What can be put on a connection so that the tensor fits, and attributes that can be changed: of the layer itself, and
// of those before it.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/checked.hpp"
#include "core/network/attributes.hpp"
#include "core/network/editing/candidates.hpp"
#include "core/network/editing/edit.hpp"
#include "core/network/editing/first_values.hpp"
#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"

namespace scalescope::editing {
namespace {

using Sizes = std::vector<std::int64_t>;
using Values = std::vector<std::pair<std::string_view, AttributeValue>>;

const Padding same_size{Padding::Mode::same, 0, 0, 0, 0};

/// "3 × 3", or "2" for the same on every axis if `short_form`.
std::string by(const Sizes& sizes, bool short_form = false) {
    if (short_form && std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end())
        return std::to_string(sizes.front());
    std::string text;
    for (std::int64_t n : sizes) text += (text.empty() ? "" : " × ") + std::to_string(n);
    return text;
}

class Adapters {
public:
    Adapters(const Mismatch& m, std::size_t input, Candidates& candidates)
        : m_(m), k_(input), in_(m.shapes[input]), candidates_(candidates) {}

    void add() {
        leave_out_a_view();
        for (const Shape& wanted : m_.shapes)
            if (wanted != in_) match(wanted);
        if (in_.size() > 1) offer("Insert flatten", "flatten", {elements(in_)}, {});
        for (const Shape& shape : other_ranks()) {
            std::vector<Dim> dims{{1, "batch"}};
            for (std::int64_t d : shape) dims.push_back({d, {}});
            offer("Insert reshape to " + by(shape), "reshape", shape, {{"shape", dims}});
        }
    }

private:
    const Mismatch& m_;
    std::size_t k_;
    const Shape& in_;
    Candidates& candidates_;

    /// A layer on the connection whose output is `shape`, if that would help.
    void offer(std::string title, std::string_view kind, const Shape& shape, const Values& values) {
        if (!m_.takes(k_, shape)) return;
        const NetworkDraft& draft = m_.draft;
        const LayerId reader = m_.layer.id;
        const std::size_t k = k_;
        candidates_.push_back(
            {std::move(title), [&draft, reader, k, kind, values]() -> Edit {
                 const int at = index_of(draft, reader);
                 const Layer& to = layer_at(draft, at);
                 const int source = index_of(draft, to.inputs[k]);
                 const std::vector<std::string> names{layer_at(draft, source).name, to.name};
                 const Kind& what = *find_kind(kind);
                 Layer added = blank_layer(what, next_id(draft),
                                           Names(draft).numbered(common_path(names), name_stem(what, nullptr)));
                 for (const auto& [name, value] : values) put_value(added, name, value);
                 added.inputs.front() = to.inputs[k];
                 Edited edited{draft, {added.id}};
                 layer_at(edited.draft, at).inputs[k] = added.id;
                 edited.draft.layers.insert(edited.draft.layers.begin() + std::max(at, source + 1), std::move(added));
                 return edited;
             }});
    }

    /// What the view, or the layer that takes height and width away, reads itself.
    void leave_out_a_view() {
        const int source = m_.sketch.inputs[static_cast<std::size_t>(m_.position)][k_];
        const auto s = static_cast<std::size_t>(source);
        if (m_.sketch.inputs[s].size() != 1) return;
        const std::string_view kind = m_.sketch.layers[s].kind->name;
        if (kind != "flatten" && kind != "reshape" && kind != "global_pooling") return;
        const auto before = static_cast<std::size_t>(m_.sketch.inputs[s].front());
        if (!m_.takes(k_, m_.sketch.facts[before]->output)) return;
        const Layer& l = m_.sketch.layers[before];
        candidates_.push_back({"Connect " + l.name + " instead",
                               [&draft = m_.draft, from = l.id, to = m_.layer.id, k = static_cast<int>(k_)] {
                                   return connect_layers(draft, from, to, k);
                               }});
    }

    /// Towards the shape of another input.
    void match(const Shape& wanted) {
        if (in_.size() == 3 && wanted.size() == 3) match_image(wanted);
        if (in_.size() == 3 && wanted.size() == 1 && wanted[0] == in_[2])
            offer("Insert global pooling", "global_pooling", {in_[2]}, {});
        if (in_.empty() || wanted.empty() || in_.size() == 3 || in_.size() != wanted.size()) return;
        Shape out = in_;
        out.back() = wanted.back();
        offer("Insert a dense layer with " + std::to_string(out.back()) + " units", "dense", out,
              {{"units", out.back()}, {"per_position", in_.size() > 1}});
    }

    void match_image(const Shape& wanted) {
        const std::int64_t channels = wanted[2];
        const std::string filters = std::to_string(channels) + " filters";
        offer("Add a 1×1 convolution with " + filters, "convolution", {in_[0], in_[1], channels},
              {{"filters", channels}, {"kernel", Sizes{1, 1}}});
        const Sizes size{wanted[0], wanted[1]};
        if (in_[0] >= size[0] && in_[1] >= size[1]) {
            const Sizes stride{ceil_div(in_[0], size[0]), ceil_div(in_[1], size[1])};
            const bool exact = ceil_div(in_[0], stride[0]) == size[0] && ceil_div(in_[1], stride[1]) == size[1];
            if (exact) {
                offer("Insert pooling with stride " + by(stride, true), "pooling", {size[0], size[1], in_[2]},
                      {{"kernel", stride}, {"stride", stride}, {"padding", same_size}});
                offer("Add a 1×1 convolution with " + filters + " and stride " + by(stride, true), "convolution",
                      {size[0], size[1], channels},
                      {{"filters", channels}, {"kernel", Sizes{1, 1}}, {"stride", stride}});
            }
        } else if (size[0] % in_[0] == 0 && size[1] % in_[1] == 0) {
            const Sizes factor{size[0] / in_[0], size[1] / in_[1]};
            offer("Insert upsampling to " + by(size), "upsample", {size[0], size[1], in_[2]}, {{"factor", factor}});
        }
    }

    /// The same elements with more or fewer dimensions.
    std::vector<Shape> other_ranks() const {
        if (in_.size() == 1) return {{1, 1, in_[0]}, {1, in_[0]}};
        if (in_.size() == 2) return {{1, in_[0], in_[1]}};
        if (in_.size() == 3) return {{in_[0] * in_[1], in_[2]}};
        return {};
    }
};

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

void add_shape_candidates(const Mismatch& m, Candidates& candidates) {
    constexpr std::size_t most_inputs = 8;  // of many, the one that is to blame will do
    const auto blamed = static_cast<std::size_t>(m.input);
    if (blamed >= m.shapes.size()) return;
    Adapters(m, blamed, candidates).add();
    for (std::size_t k = 0; k < m.shapes.size() && m.shapes.size() <= most_inputs; ++k)
        if (k != blamed) Adapters(m, k, candidates).add();
}

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
