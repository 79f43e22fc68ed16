// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/name_list.hpp"

namespace scalescope::formats::onnx {
namespace {

/// A word of a name in lower case, as exporters give them.
bool says(std::string name, std::string_view words) {
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return has_part(name, words);
}

/// "layer1.0.conv1.weight", but not "input.1": PyTorch's path of a parameter.
bool is_path(const std::string& name) {
    const auto dot = name.rfind('.');
    return dot != std::string::npos && dot + 1 < name.size() &&
           !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(),
                        [](char c) { return c >= '0' && c <= '9'; });
}

bool is_fixed(const ValueInfo& v) {
    return v.has_shape && std::ranges::all_of(v.dims, [](const Dimension& d) { return d.value >= 0; });
}

/// What a person would take for a dimension that the file leaves open.
std::int64_t likely_size(const std::string& symbol) {
    if (says(symbol, "height width")) return 224;
    if (says(symbol, "total")) return 256;
    if (says(symbol, "past seq token len time text frame")) return 128;
    if (says(symbol, "channel")) return 3;
    return 16;
}

class Planner {
public:
    Planner(const Model& model, std::int64_t batch, std::span<const Binding> sizes)
        : model_(model), batch_(batch), sizes_(sizes) {}

    Plan plan() {
        find_weights();
        for (const ValueInfo& v : model_.graph.inputs)
            if (!stored_.count(v.name)) data_.push_back(&v);
        find_batch();
        name_symbols();
        fill();
        return std::move(plan_);
    }

private:
    void find_weights() {
        bool reals = false;
        for (const Tensor& t : model_.graph.initializers) {
            stored_.insert(t.name);
            reals = reals || (onnx::is_real(t.element) && !t.dims.empty());
        }
        std::set<std::string> inputs, seen;
        for (const ValueInfo& v : model_.graph.inputs)
            if (!stored_.count(v.name)) inputs.insert(v.name);
        // Behind nodes that only turn or look at a tensor it is still what it was.
        std::map<std::string, std::string> alias;
        const auto original = [&](const std::string& name) {
            const auto it = alias.find(name);
            return it == alias.end() ? name : it->second;
        };
        std::size_t strong = 0;
        for (const Node& n : model_.graph.nodes) {
            for (const std::size_t place : weight_places(n))
                if (place < n.inputs.size() && inputs.count(original(n.inputs[place])) && place != 0) {
                    weights_.insert(original(n.inputs[place]));
                    ++strong;
                }
            const bool turns = is_among(n.op, "Transpose Reshape Cast Unsqueeze Identity");
            if (turns && !n.inputs.empty() && !n.outputs.empty()) alias[n.outputs[0]] = original(n.inputs[0]);
        }
        for (const ValueInfo& v : model_.graph.inputs)
            if (!stored_.count(v.name) && is_path(v.name) && is_fixed(v) && onnx::is_real(v.element)) ++strong;
        // A model exported without its weights has them all among its inputs, behind the data.
        if (strong >= 2 && !reals) {
            bool first = true;
            for (const ValueInfo& v : model_.graph.inputs) {
                if (stored_.count(v.name)) continue;
                const bool named =
                    is_path(v.name) || says(v.name, "weight bias embed token gamma beta running scale param");
                if (!first && is_fixed(v) && onnx::is_real(v.element) && named) weights_.insert(v.name);
                if (!first && is_fixed(v) && is_path(v.name)) weights_.insert(v.name);
                first = false;
            }
        }
        for (const std::string& name : weights_) {
            stored_.insert(name);
            for (const ValueInfo& v : model_.graph.inputs) {
                if (v.name != name) continue;
                Given g;
                g.weights = true;
                Dims dims;
                for (const Dimension& d : v.dims) dims.push_back(d.value);
                g.runs = {v.has_shape ? tensor_value(v.element, dims) : unranked(v.element)};
                plan_.inputs.inputs[name] = std::move(g);
            }
        }
    }

    /// Sequences come first where a recurrent layer reads them as ONNX has them by default; keys and values of earlier
    /// calls come one behind the other where an attention reads both as one.
    std::size_t batch_place(const ValueInfo& v) const {
        if (v.dims.size() == 5)
            for (const Node& n : model_.graph.nodes) {
                const std::size_t past = n.op == "QAttention" ? 8 : 4;
                if (n.domain == "com.microsoft" && (n.op == "Attention" || n.op == "QAttention") &&
                    n.inputs.size() > past && n.inputs[past] == v.name)
                    return 1;
            }
        if (v.dims.size() != 3) return 0;
        for (const Node& n : model_.graph.nodes) {
            if (is_among(n.op, "LSTM GRU RNN") && !n.inputs.empty() && n.inputs[0] == v.name &&
                n.said("layout").integer == 0)
                return 1;
        }
        return 0;
    }

    void find_batch() {
        if (batch_ == 0) return;
        for (const ValueInfo* v : data_) {
            if (!v->has_shape || v->dims.empty() || v->form != ValueInfo::Form::tensor) continue;
            const Dimension& d = v->dims[batch_place(*v)];
            if (d.value > 0) {
                plan_.fixed_batch = true;
                plan_.batch = d.value;
            } else {
                plan_.batch = batch_;
                symbol_ = d.symbol;
                plan_.named_batch = says(symbol_, "batch");
            }
            return;
        }
    }

    void name_symbols() {
        struct Total {
            std::string key;
            const ValueInfo* of;
            std::size_t axis;
        };
        std::vector<Total> totals;
        for (const ValueInfo* v : data_)
            for (std::size_t i = 0; i < v->dims.size(); ++i) {
                if (v->dims[i].value >= 0 || is_batch(*v, i)) continue;
                const std::string key = name_of(*v, i);
                if (open_.count(key) > 0) continue;
                open_[key] = 0;
                if (says(key, "total"))
                    totals.push_back({key, v, i});
                else
                    add_open(key, *v, i);
            }
        // All tokens are those of earlier calls and the ones of this, where there is one name for each.
        for (const Total& t : totals) {
            std::int64_t past = 0, now = 0;
            int pasts = 0, nows = 0;
            for (const Symbol& s : plan_.open) {
                const bool earlier = says(s.name, "past"), step = !earlier && says(s.name, "seq token len");
                (earlier ? past : now) += earlier || step ? s.initial : 0;
                pasts += earlier;
                nows += step;
            }
            if (pasts == 1 && nows == 1)
                open_[t.key] = past + now;
            else
                add_open(t.key, *t.of, t.axis);
        }
    }

    /// A dimension that the file leaves open and a person can set.
    void add_open(const std::string& key, const ValueInfo& v, std::size_t axis) {
        Symbol s;
        s.name = symbol_name(key);
        const auto taken = [&](const std::string& name) {
            return std::ranges::any_of(plan_.open, [&](const Symbol& o) { return o.name == name; }) ||
                   std::ranges::any_of(plan_.following, [&](const Binding& o) { return o.symbol == name; });
        };
        for (int n = 2; taken(s.name); ++n) s.name = symbol_name(key) + '_' + std::to_string(n);
        s.initial = likely_size(key);
        // The last of four open dimensions are those of an image.
        if (s.initial == 16 && v.dims.size() == 4 && axis >= 1 && onnx::is_real(v.element)) s.initial = 224;
        const bool sequence = says(key, "seq token len time text");
        s.description = sequence && !onnx::is_real(v.element) ? "tokens of one sample; the file leaves them open"
                        : says(key, "past")                   ? "tokens of earlier calls; the file leaves them open"
                        : says(key, "height width side")      ? "pixels; the file leaves them open"
                                                              : "dimension " + std::to_string(axis) + " of the input " +
                                                               formats::quoted(v.name) + ", which the file leaves open";
        for (const Binding& b : sizes_) {
            if (b.symbol != s.name) continue;
            if (b.value == follows_batch) {
                plan_.following.push_back(b);
                following_.insert(key);
                return;
            }
            s.initial = b.value;
        }
        open_[key] = s.initial;
        plan_.open.push_back(std::move(s));
    }

    bool is_batch(const ValueInfo& v, std::size_t i) const {
        if (batch_ == 0) return false;
        const Dimension& d = v.dims[i];
        if (d.value < 0 && !symbol_.empty()) return d.symbol == symbol_;
        if (i != batch_place(v)) return false;
        return plan_.fixed_batch ? d.value == plan_.batch : d.value < 0 && d.symbol == symbol_;
    }

    static std::string name_of(const ValueInfo& v, std::size_t i) {
        if (!v.dims[i].symbol.empty()) return v.dims[i].symbol;
        return v.name + '_' + std::to_string(i);
    }

    void fill() {
        const std::size_t runs = plan_.inputs.runs = 2;
        if (!symbol_.empty()) plan_.inputs.symbols[symbol_] = {plan_.batch, 2 * plan_.batch};
        for (const auto& [key, size] : open_)
            plan_.inputs.symbols[key] =
                following_.count(key) > 0 ? std::vector{plan_.batch, 2 * plan_.batch} : std::vector(runs, size);
        for (auto& [name, given] : plan_.inputs.inputs) given.runs.resize(runs, given.runs[0]);
        for (const ValueInfo* v : data_) {
            Given g;
            for (std::size_t run = 0; run < runs; ++run) {
                Value value = unranked(v->element);
                if (v->form == ValueInfo::Form::sequence) value.form = Value::Form::sequence;
                if (v->form == ValueInfo::Form::optional) value.form = Value::Form::optional;
                if (v->has_shape && v->form == ValueInfo::Form::tensor) {
                    Dims dims;
                    for (std::size_t i = 0; i < v->dims.size(); ++i) {
                        const std::int64_t said = v->dims[i].value;
                        if (is_batch(*v, i))
                            dims.push_back(run == 1 ? 2 * plan_.batch : plan_.batch);
                        else
                            dims.push_back(said >= 0 ? said : plan_.inputs.symbols[name_of(*v, i)][run]);
                    }
                    value = tensor_value(v->element, std::move(dims));
                }
                g.runs.push_back(std::move(value));
            }
            plan_.inputs.inputs[v->name] = std::move(g);
        }
    }

    const Model& model_;
    const std::int64_t batch_;
    const std::span<const Binding> sizes_;
    Plan plan_;
    std::map<std::string, std::int64_t> open_;  ///< sizes of the dimensions left open, as the file names them
    std::set<std::string> stored_, weights_, following_;
    std::vector<const ValueInfo*> data_;
    std::string symbol_;  ///< of the batch; empty: a number, or without a name
};

}  // namespace

Plan make_plan(const Model& model, std::int64_t batch, std::span<const Binding> sizes) {
    return Planner(model, batch, sizes).plan();
}

std::string symbol_name(const std::string& text) {
    constexpr std::size_t longest = 48;
    std::string name;
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
        if (name.empty() && digit) name = "size_";
        if (name.size() < longest) name += letter || digit ? c : '_';
    }
    if (name.find_first_not_of('_') == std::string::npos) name = "size";
    return name == batch_symbol ? "batch_size" : name;
}

std::vector<std::size_t> weight_places(const Node& n) {
    struct Row {
        std::string_view ops;
        std::initializer_list<std::size_t> places;
    };
    static const Row rows[] = {{"Conv FusedConv ConvTranspose Gemm FusedGemm QAttention", {1, 2}},
                               {"InstanceNormalization LayerNormalization GroupNormalization", {1, 2}},
                               {"LSTM GRU RNN DeformConv", {1, 2, 3}},
                               {"BatchNormalization", {1, 2, 3, 4}},
                               {"PRelu MatMulInteger ConvInteger MatMulNBits", {1}},
                               {"QLinearConv", {3, 8}},
                               {"QLinearMatMul", {3}},
                               {"QGemm", {3, 6}},
                               {"DynamicQuantizeMatMul", {1, 4}},
                               {"MatMulIntegerToFloat", {1, 6}}};
    if (n.op == "Attention" && n.find("num_heads")) return {1, 2};
    for (const Row& row : rows)
        if (is_among(n.op, row.ops)) return row.places;
    return {};
}

}  // namespace scalescope::formats::onnx
