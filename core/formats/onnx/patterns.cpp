// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/trace.hpp"

#include <optional>

namespace scalescope::formats::onnx {
namespace {

class PatternFinder {
public:
    explicit PatternFinder(const Trace& trace) : trace_(trace), readers_(readers_of(trace)) {}

    Patterns find() {
        for (std::size_t i = 0; i < trace_.items.size(); ++i) {
            const std::string& op = trace_.items[i].node->op;
            if (op == "Div" || op == "Mul") normalization(i);
            if (op == "Erf") gelu(i);
            if (op == "Sigmoid" || op == "HardSigmoid") gated(i, op == "Sigmoid" ? "silu" : "hard_swish");
        }
        return std::move(found_);
    }

private:
    const Item& item(std::size_t i) const { return trace_.items[i]; }
    const Slot& slot(int s) const { return trace_.tensors[static_cast<std::size_t>(s)]; }
    bool is(std::optional<std::size_t> i, std::string_view op) const { return i && item(*i).node->op == op; }

    std::optional<std::size_t> maker(int s) const {
        if (s < 0 || slot(s).made_by < 0 || slot(s).stored) return std::nullopt;
        return static_cast<std::size_t>(slot(s).made_by);
    }
    std::optional<std::size_t> only_reader(int s) const {
        const auto& all = readers_[static_cast<std::size_t>(s)];
        if (all.size() != 1 || all[0] >= trace_.items.size()) return std::nullopt;
        return all[0];
    }
    int input(std::size_t i, std::size_t k) const { return k < item(i).inputs.size() ? item(i).inputs[k] : -1; }
    int output(std::size_t i) const { return item(i).outputs.empty() ? -1 : item(i).outputs[0]; }

    /// Of two inputs the one that is not `known`; −1 if `known` is none of them.
    int other(std::size_t i, int known) const {
        if (item(i).inputs.size() != 2) return -1;
        return input(i, 0) == known ? input(i, 1) : input(i, 1) == known ? input(i, 0) : -1;
    }
    /// The input that comes from the file, and the one that does not.
    bool split(std::size_t i, int& data, int& stored) const {
        if (item(i).inputs.size() != 2 || input(i, 0) < 0 || input(i, 1) < 0) return false;
        const bool first = slot(input(i, 0)).stored;
        if (first == slot(input(i, 1)).stored) return false;
        stored = input(i, first ? 0 : 1);
        data = input(i, first ? 1 : 0);
        return true;
    }
    bool single(int s) const { return s >= 0 && slot(s).base().count() == 1; }

    bool last_axis(std::size_t reduce) const {
        const Item& r = item(reduce);
        const Value& in = slot(r.inputs[0]).base();
        Dims axes = r.node->said("axes").integers;
        if (r.inputs.size() > 1 && r.inputs[1] >= 0) axes = slot(r.inputs[1]).base().whole;
        return in.ranked && axes.size() == 1 && (axes[0] == -1 || axes[0] == in.rank() - 1);
    }

    /// x − mean, over √(variance + ε), times scale, plus bias; or x · 1/√(mean of squares + ε), times scale.
    void normalization(std::size_t i) {
        std::set<std::size_t> inside;
        const bool divides = item(i).node->op == "Div";
        for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
            if (divides && side == 1) break;
            inside.clear();
            const int top = input(i, side), below = input(i, 1 - side);
            auto root = maker(below);
            if (!divides) {  // by the reciprocal
                if (!is(root, "Reciprocal")) {
                    if (!(is(root, "Div") && single(input(*root, 0)) && slot(input(*root, 0)).stored)) continue;
                    inside.insert(*root);
                    root = maker(input(*root, 1));
                } else {
                    inside.insert(*root);
                    root = maker(input(*root, 0));
                }
            }
            if (!is(root, "Sqrt")) continue;
            inside.insert(*root);
            const auto plus = maker(input(*root, 0));
            int mean = -1, epsilon = -1;
            if (!is(plus, "Add") || !split(*plus, mean, epsilon) || !single(epsilon)) continue;
            inside.insert(*plus);
            const auto average = maker(mean);
            if (!is(average, "ReduceMean") || !last_axis(*average)) continue;
            inside.insert(*average);
            const auto square = maker(input(*average, 0));
            const bool power = is(square, "Pow") && single(input(*square, 1));
            if (!power && !(is(square, "Mul") && input(*square, 0) == input(*square, 1))) continue;
            inside.insert(*square);
            const int base = input(*square, 0);
            Fused f;
            const auto minus = maker(top);
            if (is(minus, "Sub") && centred(*minus, base, inside)) {
                f.what = Fused::What::layer_norm;
                f.input = input(*minus, 0);
            } else if (base == top) {
                f.what = Fused::What::rms_norm;
                f.input = top;
            } else {
                continue;
            }
            return affine(i, f, inside);
        }
    }

    /// `minus` is x less its mean, and `base`, of which the variance is taken, is that too (perhaps computed twice).
    bool centred(std::size_t minus, int base, std::set<std::size_t>& inside) {
        const auto one = [&](std::size_t m) {
            const auto mean = maker(input(m, 1));
            if (!is(mean, "ReduceMean") || input(*mean, 0) != input(m, 0) || !last_axis(*mean)) return false;
            inside.insert(m);
            inside.insert(*mean);
            return true;
        };
        if (!one(minus)) return false;
        auto second = maker(base);
        if (is(second, "Cast")) {
            inside.insert(*second);
            second = maker(input(*second, 0));
        }
        return second == minus || (is(second, "Sub") && input(*second, 0) == input(minus, 0) && one(*second));
    }

    void affine(std::size_t last, Fused f, std::set<std::size_t> inside) {
        const auto extend = [&](std::string_view op, int& weights) {
            const auto next = output(last) < 0 ? std::nullopt : only_reader(output(last));
            int data = -1, stored = -1;
            if (!is(next, op) || !split(*next, data, stored) || data != output(last) || single(stored)) return;
            const Value& w = slot(stored).base();
            const Value& x = slot(f.input).base();
            if (!x.ranked || x.dims.empty() || w.count() != x.dims.back()) return;
            inside.insert(last);
            last = *next;
            weights = stored;
        };
        extend("Mul", f.scale);
        if (f.what == Fused::What::layer_norm) extend("Add", f.bias);
        keep(last, f, inside);
    }

    void keep(std::size_t last, const Fused& f, std::set<std::size_t> inside) {
        inside.erase(last);
        // What somebody else reads is computed anyway.
        for (const std::size_t i : inside) {
            if (found_.absorbed.count(i)) return;
            for (const int o : item(i).outputs)
                if (o >= 0)
                    for (const std::size_t r : readers_[static_cast<std::size_t>(o)])
                        if (r != last && !inside.count(r)) return;
        }
        found_.absorbed.insert(inside.begin(), inside.end());
        found_.fused[last] = f;
    }

    /// x/2 · (1 + erf(x/√2)), in the orders exporters write it.
    void gelu(std::size_t erf) {
        std::set<std::size_t> inside{erf};
        const auto scaled = maker(input(erf, 0));
        int x = -1, factor = -1;
        if (!scaled || (item(*scaled).node->op != "Div" && item(*scaled).node->op != "Mul") ||
            !split(*scaled, x, factor) || !single(factor))
            return;
        inside.insert(*scaled);
        const auto plus = only_reader(output(erf));
        int data = -1, one = -1;
        if (!is(plus, "Add") || !split(*plus, data, one) || !single(one)) return;
        inside.insert(*plus);
        auto times = only_reader(output(*plus));
        if (!is(times, "Mul")) return;
        inside.insert(*times);
        std::size_t last = *times;
        const int with = other(*times, output(*plus));
        Fused f;
        f.function = "gelu";
        f.input = x;
        const auto half = [&](std::size_t i) {
            int d = -1, s = -1;
            return item(i).node->op == "Mul" && split(i, d, s) && single(s);
        };
        if (with == x || (with >= 0 && slot(with).stored && single(with))) {
            const auto next = only_reader(output(*times));
            if (!next || item(*next).node->op != "Mul") return;
            const bool rest = with == x ? half(*next) : other(*next, output(*times)) == x;
            if (!rest) return;
            inside.insert(*next);
            last = *next;
        } else if (const auto halved = maker(with);
                   halved && half(*halved) && (input(*halved, 0) == x || input(*halved, 1) == x)) {
            inside.insert(*halved);
        } else {
            return;
        }
        keep(last, f, inside);
    }

    /// x · sigmoid(x).
    void gated(std::size_t gate, const char* function) {
        const auto times = output(gate) < 0 ? std::nullopt : only_reader(output(gate));
        if (!is(times, "Mul") || other(*times, output(gate)) != input(gate, 0)) return;
        Fused f;
        f.function = function;
        f.input = input(gate, 0);
        keep(*times, f, {gate});
    }

    const Trace& trace_;
    std::vector<std::vector<std::size_t>> readers_;
    Patterns found_;
};

}  // namespace

std::vector<std::vector<std::size_t>> readers_of(const Trace& trace) {
    std::vector<std::vector<std::size_t>> readers(trace.tensors.size());
    for (std::size_t i = 0; i < trace.items.size(); ++i)
        for (const int s : trace.items[i].inputs) {
            if (s < 0) continue;
            auto& all = readers[static_cast<std::size_t>(s)];
            if (all.empty() || all.back() != i) all.push_back(i);
        }
    for (const int s : trace.outputs) readers[static_cast<std::size_t>(s)].push_back(trace.items.size());
    return readers;
}

Patterns find_patterns(const Trace& trace) { return PatternFinder(trace).find(); }

}  // namespace scalescope::formats::onnx
