// SPDX-License-Identifier: GPL-3.0-or-later
// What can be put on a connection so that the tensor fits.
#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "core/base/checked.hpp"
#include "core/network/editing/candidates.hpp"
#include "core/network/editing/connect.hpp"
#include "core/network/editing/first_values.hpp"
#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"

namespace scalescope::editing {
namespace {

using Sizes = std::vector<std::int64_t>;
using Values = std::vector<std::pair<std::string_view, AttributeValue>>;

const Padding same_size{Padding::Mode::same, 0, 0, 0, 0};

std::string spaced(const Shape& shape) {
    std::string text;
    for (std::int64_t d : shape) text += (text.empty() ? "" : " × ") + std::to_string(d);
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
            offer("Insert reshape to " + spaced(shape), "reshape", shape, {{"shape", dims}});
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
            const std::string by =
                std::to_string(stride[0]) + (stride[0] == stride[1] ? "" : " × " + std::to_string(stride[1]));
            if (exact) {
                offer("Insert pooling with stride " + by, "pooling", {size[0], size[1], in_[2]},
                      {{"kernel", stride}, {"stride", stride}, {"padding", same_size}});
                offer("Add a 1×1 convolution with " + filters + " and stride " + by, "convolution",
                      {size[0], size[1], channels},
                      {{"filters", channels}, {"kernel", Sizes{1, 1}}, {"stride", stride}});
            }
        } else if (size[0] % in_[0] == 0 && size[1] % in_[1] == 0) {
            const Sizes factor{size[0] / in_[0], size[1] / in_[1]};
            offer("Insert upsampling to " + spaced(size), "upsample", {size[0], size[1], in_[2]}, {{"factor", factor}});
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

}  // namespace

void add_shape_candidates(const Mismatch& m, Candidates& candidates) {
    constexpr std::size_t most_inputs = 8;  // of many, the one that is to blame will do
    const auto blamed = static_cast<std::size_t>(m.input);
    if (blamed >= m.shapes.size()) return;
    Adapters(m, blamed, candidates).add();
    for (std::size_t k = 0; k < m.shapes.size() && m.shapes.size() <= most_inputs; ++k)
        if (k != blamed) Adapters(m, k, candidates).add();
}

}  // namespace scalescope::editing
