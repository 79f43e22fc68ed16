// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/mismatch.hpp"

#include <algorithm>
#include <array>

#include "core/base/limits.hpp"

namespace scalescope::formats::onnx {
namespace {

/// Operators that read an axis of their data with an axis of a weight.
struct Reads {
    std::string_view op;
    std::size_t data, data_axis, weight, weight_axis;
};
constexpr std::array reads_channels{
    Reads{"Conv", 0, 1, 1, 1},        Reads{"FusedConv", 0, 1, 1, 1},     Reads{"ConvInteger", 0, 1, 1, 1},
    Reads{"QLinearConv", 0, 1, 3, 1}, Reads{"ConvTranspose", 0, 1, 1, 0}, Reads{"LSTM", 0, 2, 1, 2},
    Reads{"GRU", 0, 2, 1, 2},         Reads{"RNN", 0, 2, 1, 2},           Reads{"BatchNormalization", 0, 1, 1, 0}};

bool is_one_of(std::string_view op, std::initializer_list<std::string_view> all) {
    return std::find(all.begin(), all.end(), op) != all.end();
}

class Comparison {
public:
    Comparison(const Trace& trace, const Item& item) : trace_(trace), item_(item) {}

    std::vector<Mismatch> all() {
        const std::string& op = item_.node->op;
        if (is_one_of(op, {"MatMul", "MatMulInteger"})) return product(false, false);
        if (is_one_of(op, {"Gemm", "FusedGemm"})) return product(turned("transA"), turned("transB"));
        if (op == "Reshape") return reshape();
        if (op == "Concat") return joined();
        if (is_one_of(op, {"LSTM", "GRU", "RNN"})) {
            const std::size_t batch = turned("layout") ? 0 : 1;
            for (const std::size_t state : {std::size_t{5}, std::size_t{6}}) compare(state, batch, 0, batch);
        }
        for (const Reads& r : reads_channels)
            if (op == r.op) {
                const Attribute* group = item_.node->find("group");
                compare(r.data, r.data_axis, r.weight, r.weight_axis,
                        group ? std::max<std::int64_t>(group->integer, 1) : 1);
                return done();
            }
        if (found_.empty()) broadcast(0);
        return done();
    }

private:
    const Value* value(std::size_t i) const {
        if (i >= item_.inputs.size() || item_.inputs[i] < 0) return nullptr;
        const Value& v = trace_.tensors[static_cast<std::size_t>(item_.inputs[i])].base();
        return v.ranked ? &v : nullptr;
    }
    bool is_stored(std::size_t i) const { return trace_.tensors[static_cast<std::size_t>(item_.inputs[i])].stored; }
    bool turned(std::string_view attribute) const {
        const Attribute* a = item_.node->find(attribute);
        return a && a->integer != 0;
    }

    /// `axis` of input `i`, which the data decide, should be `times` what `other_axis` of input `other` is.
    void compare(std::size_t i, std::size_t axis, std::size_t other, std::size_t other_axis, std::int64_t times = 1) {
        const Value *v = value(i), *o = value(other);
        if (!v || !o || axis >= v->dims.size() || other_axis >= o->dims.size() || is_stored(i)) return;
        const std::int64_t is = v->dims[axis], wanted = o->dims[other_axis];
        if (is < 1 || wanted < 1 || wanted > limits::dimension / times || is == wanted * times) return;
        Mismatch m{i, static_cast<int>(axis), is, wanted * times, is_stored(other), false};
        m.batch = trace_.axis(item_.inputs[other], 1) == static_cast<int>(other_axis);
        found_.push_back(m);
    }

    /// Axes are compared from the last, without the last `apart`; 1 fits everything.
    void broadcast(std::size_t apart) {
        for (std::size_t i = 0; i < item_.inputs.size(); ++i)
            for (std::size_t k = 0; k < item_.inputs.size(); ++k) {
                const Value *a = value(i), *b = value(k);
                if (i == k || !a || !b) continue;
                for (std::size_t back = apart + 1; back <= std::min(a->dims.size(), b->dims.size()); ++back) {
                    const std::size_t x = a->dims.size() - back, y = b->dims.size() - back;
                    if (a->dims[x] != 1 && b->dims[y] != 1) compare(i, x, k, y);
                }
            }
    }

    std::vector<Mismatch> product(bool a_turned, bool b_turned) {
        const Value *a = value(0), *b = value(1);
        if (!a || !b || a->dims.empty() || b->dims.empty()) return {};
        const std::size_t rows = b->dims.size() < 2 ? 0 : b->dims.size() - (b_turned ? 1 : 2);
        const std::size_t columns = a->dims.size() - (a_turned && a->dims.size() > 1 ? 2 : 1);
        compare(0, columns, 1, rows);
        compare(1, rows, 0, columns);
        if (found_.empty()) broadcast(2);
        return done();
    }

    /// The number of elements must be that of a fixed target shape.
    std::vector<Mismatch> reshape() {
        const Value *v = value(0), *shape = value(1);
        if (!v || !shape || !shape->known || is_stored(0) || v->count() < 1) return {};
        std::int64_t wanted = 1;
        for (std::size_t i = 0; i < shape->whole.size(); ++i) {
            std::int64_t n = shape->whole[i];
            if (n == 0 && !turned("allowzero") && i < v->dims.size()) n = v->dims[i];
            if (n < 1 || __builtin_mul_overflow(wanted, n, &wanted)) return {};
        }
        return {{0, Mismatch::all_elements, v->count(), wanted, is_stored(1), false}};
    }

    std::vector<Mismatch> joined() {
        const Value* first = value(0);
        if (!first) return {};
        const auto axis = axis_of(item_.node->find("axis") ? item_.node->find("axis")->integer : 0, first->dims.size());
        for (std::size_t i = 0; i < item_.inputs.size(); ++i)
            for (std::size_t a = 0; a < first->dims.size(); ++a) {
                if (axis == a) continue;
                compare(i, a, 0, a);
                compare(0, a, i, a);
            }
        return done();
    }

    std::vector<Mismatch> done() {
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Mismatch& a, const Mismatch& b) { return a.stored && !b.stored; });
        return std::move(found_);
    }

    const Trace& trace_;
    const Item& item_;
    std::vector<Mismatch> found_;
};

/// Functions are called anew on every run, so that their nodes are others.
bool same_operator(const Item& a, const Item& b) {
    return a.node == b.node || (a.path == b.path && a.node->number == b.node->number && a.node->op == b.node->op &&
                                a.node->outputs == b.node->outputs);
}

}  // namespace

std::vector<Mismatch> mismatches(const Trace& trace, const Item& refused) { return Comparison(trace, refused).all(); }

std::optional<std::int64_t> value_at(const Trace& trace, const Item& refused, const Mismatch& mismatch) {
    for (const auto* items : {&trace.refused, &trace.items})
        for (const Item& item : *items) {
            if (!same_operator(item, refused)) continue;
            if (mismatch.input >= item.inputs.size() || item.inputs[mismatch.input] < 0) return std::nullopt;
            const Value& v = trace.tensors[static_cast<std::size_t>(item.inputs[mismatch.input])].base();
            const bool all = mismatch.axis == Mismatch::all_elements;
            if (!v.ranked || (!all && static_cast<std::size_t>(mismatch.axis) >= v.dims.size())) return std::nullopt;
            const std::int64_t n = all ? v.count() : v.dims[static_cast<std::size_t>(mismatch.axis)];
            if (n < 1) return std::nullopt;
            return n;
        }
    return std::nullopt;
}

}  // namespace scalescope::formats::onnx
