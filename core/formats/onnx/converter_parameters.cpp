// SPDX-License-Identifier: GPL-3.0-or-later
// What of the file is trained: tensors as layers, weights of layers and who shares them, and the count of all numbers.
#include <algorithm>

#include "core/formats/onnx/converter.hpp"

namespace scalescope::formats::onnx {
namespace {

/// Floating-point numbers in a graph that is not carried out, and those inside it.
std::int64_t numbers_in(const Graph& g) {
    std::int64_t n = 0;
    const auto add = [&](const Tensor& t) {
        if (onnx::is_real(t.element)) n += std::max<std::int64_t>(value_of(t).count(), 0);
    };
    for (const Tensor& t : g.initializers) add(t);
    for (const Node& node : g.nodes)
        for (const Attribute& a : node.attributes) {
            if (a.tensor && node.op == "Constant") add(*a.tensor);
            if (a.graph) n += numbers_in(*a.graph);
        }
    return n;
}

}  // namespace

std::size_t Converter::make_parameter(int s, const Order& order) {
    const auto key = std::make_pair(s, order);
    if (const auto it = parameters_.find(key); it != parameters_.end()) return it->second;
    const Shape shape = sample(s).shape(order);
    // The first rows of a table, as of positions: the whole table is trained.
    int table = -1;
    if (const auto found = leaves(s))
        for (const int l : *found)
            if (value(l).is_real() && value(l).dims.size() == 2 && value(l).count() > elements(shape) &&
                !shape.empty() && value(l).dims[1] == shape.back() && table < 0)
                table = l;
    const int chosen = table < 0 ? looked_up_table(s) : -1;
    const bool repeats =
        chosen >= 0 && value(chosen).count() != elements(shape) && elements(shape) % value(chosen).dims[1] == 0;
    if (repeats) table = chosen;
    const auto add = [&](const std::string& name, std::string_view kind, const Givens& given,
                         const std::vector<std::size_t>& inputs) {
        const std::string own =
            builder_.unique_name(name.substr(std::min(name.find_first_not_of('/'), name.size())), "parameter");
        if (const auto at = builder_.try_add(own, {file_, 0, 0}, kind, given, inputs)) return *at;
        // Of no size that could be known: a number stands for it.
        const Givens single{{"type", "Constant"}, {"shape", batch_of({1})}};
        return builder_.try_add(own, {file_, 0, 0}, "unknown", single, {}).value_or(0);
    };
    if (repeats) {
        const auto all = make_parameter(table, natural_order(2));
        const std::int64_t rows = elements(shape) / value(table).dims[1];
        const std::size_t made = add(slot(s).name, "gather", {{"axis", 1}, {"size", rows}}, {all});
        return parameters_[key] = shown_as(made, shape);
    }
    const Shape whole = table < 0 ? shape : Shape(value(table).dims);
    // What is computed from a few numbers of the file is not trained.
    const bool trained = table >= 0 || (is_full(s) && !is_written(s));
    const Givens given{{"shape", batch_of(whole)}};
    std::size_t made = add(slot(table < 0 ? s : table).name, trained ? "parameter" : "constant", given, {});
    if (table >= 0) {
        const Givens rows{{"axis", 1}, {"start", 0}, {"size", elements(shape) / shape.back()}};
        made = add(slot(s).name + "/rows", "slice", rows, {made});
        made = shown_as(made, shape);
    }
    if (trained) mark(s, trained_);
    const Dims& dims = value(s).dims;
    const std::size_t axes = dims.size();
    if (trained && slot(s).initial && slot(s).name.find("onnx::Add") == 0 && axes > 2 && dims[axes - 1] > 1 &&
        dims[axes - 1] == dims[axes - 2])
        note(
            "it adds a table of pairs that has a number for a name, as exporters name what they have looked up or "
            "computed beforehand, such as a Swin's relative positions; it counts as it is stored, not as it is "
            "trained.",
            "Export the model without constant folding to count what is trained.");
    parameters_[key] = made;
    return made;
}

int Converter::looked_up_table(int s) {
    while (!slot(s).initial && slot(s).made_by >= 0) {
        const Item& by = trace_.items[static_cast<std::size_t>(slot(s).made_by)];
        if (by.inputs.empty() || by.inputs[0] < 0) break;
        const int from = by.inputs[0];
        if (by.node->op == "Gather") {
            const bool rows = slot(from).initial && value(from).is_real() && value(from).dims.size() == 2 &&
                              value(from).dims[1] > 0 && by.node->said("axis").integer == 0;
            return rows ? from : -1;
        }
        if (!is_among(by.node->op, "Reshape Transpose Unsqueeze Squeeze Cast Identity")) break;
        s = from;
    }
    return -1;
}

std::optional<std::size_t> Converter::stored_sample(int s, const Sample& as, const Order& order) {
    // A trained tensor that is repeated for each sample of the batch: the tensor before that.
    const auto found = leaves(s);
    if (!found) return std::nullopt;
    const Shape wanted = as.shape(order);
    for (const int leaf : *found)
        if (value(leaf).is_real() && value(leaf).count() == elements(wanted))
            return shown_as(make_parameter(leaf, natural_order(value(leaf).dims.size())), wanted);
    return std::nullopt;
}

/// What of the file a stored value is made of: initializers and constants, in the order they are met.
std::optional<std::vector<int>> Converter::leaves(int s) {
    std::vector<int> found, open{s};
    std::set<int> seen;
    while (!open.empty()) {
        const int now = open.back();
        open.pop_back();
        if (now < 0 || !seen.insert(now).second) continue;
        const Slot& x = slot(now);
        const Item* by = x.initial || x.made_by < 0 ? nullptr : &trace_.items[static_cast<std::size_t>(x.made_by)];
        if (!by || by->node->op == "Constant" || by->node->op == "ConstantOfShape") {
            found.push_back(now);
            continue;
        }
        if (by->node->op == "Shape" || by->node->op == "Size") continue;
        // Further inputs of these say where and how, or in which unit; the numbers come from the first.
        constexpr std::string_view moves =
            "Slice Reshape Expand Unsqueeze Squeeze Split Tile Pad Gather Cast DequantizeLinear Quant QuantizeLinear";
        const bool first = !by->inputs.empty() && is_among(by->node->op, moves);
        open.insert(open.end(), by->inputs.begin(), first ? by->inputs.begin() + 1 : by->inputs.end());
        if (seen.size() > 10'000) return std::nullopt;
    }
    std::ranges::sort(found);
    return found;
}

void Converter::mark(int s, std::set<int>& into) {
    const auto found = s < 0 ? std::nullopt : leaves(s);
    if (!found) return;
    // Of a tensor that is scaled on the way only the tensor itself is trained; of parts put together all are.
    bool any = false;
    for (const int l : *found)
        if (value(l).count() == value(s).count()) any = into.insert(l).second || any || into.count(l) > 0;
    if (!any) into.insert(found->begin(), found->end());
}

std::set<int> Converter::trained_of(int s) {
    std::set<int> found;
    mark(s, found);
    return found;
}

bool Converter::weights(const std::vector<int>& slots_used) {
    std::vector<int> key;
    std::vector<std::pair<int, std::int64_t>> uses;
    for (const int s : slots_used) {
        if (s < 0) continue;
        const std::set<int> own = trained_of(s);
        for (const int l : own) {
            const bool whole = value(l).count() == value(s).count();
            key.push_back(whole ? l : -1 - s);  // a part of a stored value is shared only as the same part
            uses.emplace_back(l, own.size() == 1 ? std::min(value(s).count(), value(l).count()) : value(l).count());
        }
        trained_.insert(own.begin(), own.end());
    }
    std::ranges::sort(key);
    if (!last_ || builder_.facts(*last_).weights == 0 || key.empty()) return true;
    const auto [it, fresh] = owners_.emplace(key, *last_);
    if (!fresh && it->second != *last_) {
        const Layer& owner = builder_.layer(it->second);
        if (builder_.facts(it->second).weights == builder_.facts(*last_).weights &&
            owner.shares_weights_with == LayerId{}) {
            builder_.draft().layers[*last_].shares_weights_with = owner.id;
            return true;
        }
    }
    bool again = false;
    for (const auto& [l, n] : uses) {
        used_[l] += n;
        again = again || used_[l] > value(l).count();
    }
    if (again)
        note("it shares some of its weights with another layer and has others beside; here all are its own.",
             "Read the number of parameters with that in mind.");
    return true;
}

bool Converter::is_written(int s) {
    const std::set<int> from = trained_of(s);
    return std::ranges::all_of(from, [&](int l) {
        const Slot& x = slot(l);
        if (x.initial || x.made_by < 0) return false;
        const Node& by = *trace_.items[static_cast<std::size_t>(x.made_by)].node;
        return by.op == "Constant" && !by.find("sparse_value");
    });
}

bool Converter::is_full(int s) {
    if (looked_up_table(s) >= 0) return true;
    std::int64_t n = 0;
    for (const int l : trained_of(s))
        if (value(l).is_real()) n += std::max<std::int64_t>(value(l).count(), 0);
    // Repeated for each sample it is still all its numbers.
    const Sample one = sample(s);
    return n >= (one.batch < 0 ? value(s).count() : elements(one.dims));
}

void Converter::table(int s) { tables_.push_back({value(s).count(), slot(s).name}); }

void Converter::may_repeat_table(int s) {
    constexpr std::int64_t words = 256;  // fewer are no vocabulary
    const Dims& d = value(s).dims;
    if (!slot(s).initial || d.size() != 2 || d[1] < words || d[1] <= d[0]) return;
    for (const auto& [count, name] : tables_) {
        if (count != value(s).count() || name == slot(s).name) continue;
        tied_ += count;
        warn("Its weights are as many as those of the embedding " + formats::quoted(name) +
                 "; exporters write them twice where a model has them once. Here they count twice.",
             "Read the number of parameters with that in mind.");
        return;
    }
}

void Converter::statistics(const std::vector<int>& slots_used) {
    for (const int s : slots_used) mark(s, statistics_);
}

OnnxCounts Converter::counts() {
    OnnxCounts c;
    c.folded = folded_;
    for (const auto& [s, n] : used_) c.repeated += std::max<std::int64_t>(n - value(s).count(), 0);
    c.tied = tied_;
    for (const Graph* g : trace_.untaken) c.constants += numbers_in(*g);
    for (const int s : trained_)
        if (!value(s).is_real()) c.whole += std::max<std::int64_t>(value(s).count(), 0);
    for (const int s : trace_.inputs)
        if (slot(s).initial && value(s).is_real() && trained_.count(s))
            c.given += std::max<std::int64_t>(value(s).count(), 0);
    for (std::size_t s = 0; s < trace_.tensors.size(); ++s) {
        const Slot& x = trace_.tensors[s];
        const Item* by = x.made_by < 0 || x.initial ? nullptr : &trace_.items[static_cast<std::size_t>(x.made_by)];
        const bool leaf =
            x.initial || (by && x.stored && (by->node->op == "Constant" || by->node->op == "ConstantOfShape"));
        if (!leaf || !x.base().is_real()) continue;
        const std::int64_t n = std::max<std::int64_t>(x.base().count(), 0);
        if (statistics_.count(static_cast<int>(s)))
            c.statistics += n;
        else if (!trained_.count(static_cast<int>(s)))
            c.constants += n;
    }
    return c;
}

}  // namespace scalescope::formats::onnx
