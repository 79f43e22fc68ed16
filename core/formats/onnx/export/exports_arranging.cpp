// SPDX-License-Identifier: GPL-3.0-or-later
// Views, parts and joints of tensors, other orders of axes, and what acts along an axis.
#include <algorithm>

#include "core/base/sequences.hpp"
#include "core/formats/onnx/export/exporter.hpp"
#include "core/formats/onnx/operator_words.hpp"

namespace scalescope::formats::onnx {
namespace {

std::optional<Edge> identity_node(Exporter& e) { return e.node("Identity", {e.in(0).name}, {}, e.in(0)); }

/// Whether nobody behind the layer minds in which order elements stand: weights go with any.
bool any_order(const Exporter& e, int position, int depth = 0) {
    const auto& all = e.readers(position);
    return depth < 8 && std::ranges::all_of(all, [&](int r) {
               const Layer& l = e.network().layers()[static_cast<std::size_t>(r)];
               if (l.kind->name == "dense") return true;
               return (l.kind->name == "dropout" || l.kind->name == "activation" || l.kind->name == "identity") &&
                      any_order(e, r, depth + 1);
           });
}

std::optional<Edge> flatten_node(Exporter& e) {
    const Edge x = any_order(e, e.position()) ? e.in(0) : e.natural(e.in(0));
    Edge like = x;
    like.sizes = e.sizes_out();
    like.first = false;
    return e.node("Flatten", {x.name}, {whole_attribute("axis", 1)}, like);
}

std::optional<Edge> reshape_node(Exporter& e) { return e.reshape(e.natural(e.in(0)), e.sizes_out()); }

std::optional<Edge> transpose_node(Exporter& e) {
    const Edge x = e.natural(e.in(0));
    std::vector<std::int64_t> order{0};
    for (const auto axis : e.get<std::vector<std::int64_t>>("permutation")) order.push_back(axis);
    Edge like = x;
    like.sizes = e.sizes_out();
    return e.node("Transpose", {x.name}, {list_attribute("perm", order)}, like);
}

std::optional<Edge> concat_node(Exporter& e) {
    bool first = false;
    for (std::size_t i = 0; i < e.inputs(); ++i) first = first || e.in(i).first;
    std::vector<Edge> all;
    for (std::size_t i = 0; i < e.inputs(); ++i) all.push_back(first ? e.windowed(i) : e.natural(i));
    for (Edge& x : all) {
        const auto one = std::ranges::find_if(all, [](const Edge& other) { return other.batched; });
        if (one != all.end()) x = e.repeated(x, *one);
    }
    std::vector<std::string> names;
    for (const Edge& x : all) names.push_back(x.name);
    const Edge out = e.out(all[0].first);
    const auto axis = e.axis_of(out);
    return e.node("Concat", std::move(names), {whole_attribute("axis", axis)}, out);
}

std::optional<Edge> slice_node(Exporter& e) {
    const Edge& x = e.in(0);
    const auto axis = e.axis_of(x);
    const std::int64_t start = e.get<std::int64_t>("start"), step = e.get<std::int64_t>("step"),
                       end = start + (e.get<std::int64_t>("size") - 1) * step + 1;
    Edge like = e.out(x.first);
    like.element = x.element;
    return e.node("Slice", {x.name, e.integers({start}), e.integers({end}), e.integers({axis}), e.integers({step})}, {},
                  like);
}

std::optional<Edge> pad_node(Exporter& e) {
    const Edge x = e.real(e.in(0));
    const auto &before = e.get<std::vector<std::int64_t>>("before"), &after = e.get<std::vector<std::int64_t>>("after");
    std::vector<std::int64_t> pads(2 * (before.size() + 1), 0);
    for (std::size_t a = 0; a < before.size(); ++a) {
        const auto axis = static_cast<std::size_t>(Exporter::axis_in(x, a));
        pads[axis] = before[a];
        pads[axis + before.size() + 1] = after[a];
    }
    return e.node("Pad", {x.name, e.integers(pads)}, {}, e.out(x.first));
}

/// Elements at places that are not known here, or that the second input says.
std::optional<Edge> gather_node(Exporter& e) {
    const std::size_t axis = e.place_of(e.get<std::int64_t>("axis"));
    const std::int64_t size = e.get<std::int64_t>("size");
    if (e.inputs() == 1) {
        const Edge& x = e.in(0);
        Edge like = e.out(x.first);
        like.element = x.element;
        return e.node("Gather", {x.name, e.blank("places", {size}, Element::int64)},
                      {whole_attribute("axis", Exporter::axis_in(x, axis))}, like);
    }
    if (size != 0 || axis != 0 || !e.in(0).batched || !e.in(1).batched) return std::nullopt;
    const Edge x = e.natural(0), places = e.whole(e.natural(e.in(1)));
    Edge tuples = places;
    tuples.sizes.push_back({});
    tuples = e.node("Unsqueeze", {places.name, e.integers({-1})}, {}, tuples);
    return e.node("GatherND", {x.name, tuples.name}, {whole_attribute("batch_dims", 1)}, e.out(false));
}

std::optional<Edge> expand_node(Exporter& e) {
    const Edge x = e.raised(e.natural(e.in(0)), e.facts().output.size());
    std::vector<std::int64_t> shape{1};
    for (const auto d : e.facts().output) shape.push_back(d);
    Edge like = e.out(false);
    like.element = x.element;
    return e.node("Expand", {x.name, e.integers(shape)}, {}, like);
}

/// Of the axes of a reduction all may be gone: then one of size 1 is left.
std::optional<Edge> left_over(Exporter& e, const Edge& made) { return made.sizes.empty() ? e.raised(made, 1) : made; }

Edge without(const Edge& x, const std::vector<std::int64_t>& axes, bool keep) {
    Edge like = x;
    like.sizes.clear();
    for (std::size_t a = 0; a < x.sizes.size(); ++a) {
        const bool gone = std::ranges::find(axes, static_cast<std::int64_t>(a) + 1) != axes.end();
        if (!gone) like.sizes.push_back(x.sizes[a]);
        if (gone && keep) like.sizes.push_back({});
    }
    return like;
}

std::optional<Edge> reduce_node(Exporter& e) {
    const std::string& operation = e.get<std::string>("operation");
    const Edge x = e.natural(0);
    std::vector<std::int64_t> axes;
    for (const auto axis : e.get<std::vector<std::int64_t>>("axes"))
        axes.push_back(static_cast<std::int64_t>(e.place_of(axis)) + 1);
    if (axes.empty())
        for (std::size_t a = 1; a <= x.sizes.size(); ++a) axes.push_back(static_cast<std::int64_t>(a));
    sort_once(axes);
    const bool keep = e.is("keep_dims");
    const Attribute over = list_attribute("axes", axes);
    const auto keeps = [&](bool k) { return whole_attribute("keepdims", k ? 1 : 0); };
    if (operation == "variance") {
        const Edge mean = e.node("ReduceMean", {x.name}, {over, keeps(true)}, without(x, axes, true));
        const Edge centred = e.node("Sub", {x.name, mean.name}, {}, x);
        const Edge square = e.node("Mul", {centred.name, centred.name}, {}, x);
        return left_over(e, e.node("ReduceMean", {square.name}, {over, keeps(keep)}, without(x, axes, keep)));
    }
    if (operation == "sum")
        return left_over(e, e.node("ReduceSum", {x.name, e.integers(axes)}, {keeps(keep)}, without(x, axes, keep)));
    const std::string op(theirs_for(operation, reduction_words));
    return left_over(e, e.node(op, {x.name}, {over, keeps(keep)}, without(x, axes, keep)));
}

std::optional<Edge> argmax_node(Exporter& e) {
    const Edge x = e.natural(0);
    const std::int64_t axis = static_cast<std::int64_t>(e.place_of(e.get<std::int64_t>("axis"))) + 1;
    const bool keep = e.is("keep_dims");
    Edge like = without(x, {axis}, keep);
    like.element = static_cast<int>(Element::int64);
    return left_over(
        e, e.node("ArgMax", {x.name}, {whole_attribute("axis", axis), whole_attribute("keepdims", keep)}, like));
}

std::optional<Edge> chosen(Exporter& e, std::int64_t count) {
    const Edge x = e.real(e.in(0));
    const auto axis = e.axis_of(x);
    const Edge values = e.out(x.first);
    return e.nodes("TopK", {x.name, e.integers({count})}, {whole_attribute("axis", axis)}, values, 2)[0];
}
std::optional<Edge> top_k_node(Exporter& e) { return chosen(e, e.get<std::int64_t>("k")); }
std::optional<Edge> sort_node(Exporter& e) { return chosen(e, e.shape_in(0)[e.place_of(e.get<std::int64_t>("axis"))]); }

std::optional<Edge> cumulative_node(Exporter& e) {
    const Edge x = e.real(e.in(0));
    const auto axis = e.axis_of(x);
    return e.node("CumSum", {x.name, e.integer(axis)}, {}, x);
}

constexpr ExportRow arranging_export_rows[] = {{identity_node, "identity"}, {flatten_node, "flatten"},
                                               {reshape_node, "reshape"},   {transpose_node, "transpose"},
                                               {concat_node, "concat"},     {slice_node, "slice"},
                                               {pad_node, "pad"},           {gather_node, "gather"},
                                               {expand_node, "expand"},     {reduce_node, "reduce"},
                                               {argmax_node, "argmax"},     {top_k_node, "top_k"},
                                               {sort_node, "sort"},         {cumulative_node, "cumulative_sum"}};

}  // namespace

std::span<const ExportRow> arranging_exports() { return arranging_export_rows; }

}  // namespace scalescope::formats::onnx
