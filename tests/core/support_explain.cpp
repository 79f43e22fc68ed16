// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_explain.hpp"

#include <QRegularExpression>
#include <QString>
#include <cmath>
#include <cstring>
#include <map>

#include "core/formats/network_json.hpp"
#include "core/numerics/expression.hpp"
#include "support_library.hpp"

namespace support::explained {

using namespace scalescope;

namespace {

const char* every_kind = R"({"format": "scalescope-network", "version": 1, "name": "Every kind", "layers": [
 {"name": "data", "kind": "input", "shape": ["batch", 24, 24, 6]},
 {"name": "conv1", "kind": "convolution", "inputs": ["data"], "filters": 16, "kernel": [3, 5], "padding": "same"},
 {"name": "bn1", "kind": "batch_norm", "inputs": ["conv1"]},
 {"name": "relu1", "kind": "activation", "inputs": ["bn1"]},
 {"name": "lrn1", "kind": "lrn", "inputs": ["relu1"]},
 {"name": "pool1", "kind": "pooling", "inputs": ["lrn1"], "kernel": [2, 2], "stride": [2, 2]},
 {"name": "conv2a", "kind": "convolution", "inputs": ["pool1"], "filters": 20, "kernel": [1, 1], "bias": false},
 {"name": "conv2b", "kind": "convolution", "inputs": ["pool1"], "filters": 12, "kernel": [3, 3], "padding": "same", "groups": 4},
 {"name": "cat", "kind": "concat", "inputs": ["conv2a", "conv2b"]},
 {"name": "pool2", "kind": "pooling", "inputs": ["cat"], "kernel": [2, 2], "stride": [2, 2], "mode": "average"},
 {"name": "conv3", "kind": "convolution", "inputs": ["pool2"], "filters": 32, "kernel": [3, 3], "padding": "same"},
 {"name": "sum", "kind": "add", "inputs": ["pool2", "conv3"]},
 {"name": "gn", "kind": "group_norm", "inputs": ["sum"], "groups": 4},
 {"name": "in", "kind": "instance_norm", "inputs": ["gn"], "bias": false},
 {"name": "scale", "kind": "scale", "inputs": ["in"]},
 {"name": "up", "kind": "upsample", "inputs": ["scale"], "factor": [2, 2]},
 {"name": "deconv", "kind": "transposed_convolution", "inputs": ["up"], "filters": 10, "kernel": [4, 4], "stride": [2, 2], "padding": "same"},
 {"name": "gap", "kind": "global_pooling", "inputs": ["deconv"]},
 {"name": "fc0", "kind": "dense", "inputs": ["gap"], "units": 64},
 {"name": "shape", "kind": "reshape", "inputs": ["fc0"], "shape": ["batch", 2, 2, 16]},
 {"name": "flat", "kind": "flatten", "inputs": ["shape"]},
 {"name": "drop", "kind": "dropout", "inputs": ["flat"]},
 {"name": "fc1", "kind": "dense", "inputs": ["drop"], "units": 30, "bias": false},
 {"name": "odd", "kind": "unknown", "inputs": ["fc1", "fc0"], "type": "Oddity"},
 {"name": "tokens", "kind": "input", "shape": ["batch", 6]},
 {"name": "embed", "kind": "embedding", "inputs": ["tokens"], "vocabulary": 50, "width": 16},
 {"name": "positions", "kind": "parameter", "shape": ["batch", 6, 16]},
 {"name": "placed", "kind": "add", "inputs": ["embed", "positions"]},
 {"name": "ln", "kind": "layer_norm", "inputs": ["placed"]},
 {"name": "flash", "kind": "attention", "inputs": ["ln", "ln", "ln"], "heads": 4, "causal": true},
 {"name": "plain", "kind": "attention", "inputs": ["flash", "ln", "ln"], "heads": 2, "flash": false},
 {"name": "wide", "kind": "dense", "inputs": ["plain"], "units": 32, "per_position": true},
 {"name": "tied", "kind": "dense", "inputs": ["plain"], "units": 50, "per_position": true, "bias": false, "shares_weights_with": "embed"},
 {"name": "again", "kind": "dense", "inputs": ["plain"], "units": 32, "per_position": true, "shares_weights_with": "wide"},
 {"name": "swiglu", "kind": "glu", "inputs": ["wide"], "function": "silu"},
 {"name": "product", "kind": "matmul", "inputs": ["swiglu", "embed"], "transpose_b": true},
 {"name": "experts", "kind": "mixture_of_experts", "inputs": ["product"], "experts": 4, "hidden": 24},
 {"name": "rms", "kind": "rms_norm", "inputs": ["experts"]},
 {"name": "lstm", "kind": "lstm", "inputs": ["rms"], "units": 12},
 {"name": "gru", "kind": "gru", "inputs": ["lstm"], "units": 6, "layers": 2, "bidirectional": true},
 {"name": "rnn", "kind": "rnn", "inputs": ["gru"], "units": 16, "return_sequences": false, "biases": 1},
 {"name": "late", "kind": "dense", "inputs": ["rnn"], "units": 30},
 {"name": "prelu", "kind": "activation", "inputs": ["late"], "function": "prelu"},
 {"name": "gate", "kind": "elementwise", "inputs": ["odd", "prelu"]},
 {"name": "wave", "kind": "reshape", "inputs": ["up"], "shape": ["batch", 144, 32]},
 {"name": "conv1d", "kind": "convolution", "inputs": ["wave"], "filters": 16, "kernel": [3], "padding": [[2, 0]], "stride": [2]},
 {"name": "pool1d", "kind": "pooling", "inputs": ["conv1d"], "kernel": [2], "stride": [2], "mode": "lp"},
 {"name": "clip", "kind": "reshape", "inputs": ["wave"], "shape": ["batch", 4, 6, 6, 32]},
 {"name": "clips", "kind": "conv_lstm", "inputs": ["clip"], "filters": 8, "kernel": [3, 3], "stride": [2, 2], "return_sequences": false},
 {"name": "conv3d", "kind": "convolution", "inputs": ["clip"], "filters": 16, "kernel": [3, 3, 3], "padding": "same"},
 {"name": "deconv3d", "kind": "transposed_convolution", "inputs": ["conv3d"], "filters": 16, "kernel": [2, 2, 2], "stride": [2, 2, 2], "groups": 4, "dilation": [1, 1, 1]},
 {"name": "adaptive", "kind": "adaptive_pooling", "inputs": ["up"], "output": [3, 5], "mode": "max"},
 {"name": "resize", "kind": "resize", "inputs": ["adaptive"], "output": [6, 10]},
 {"name": "identity", "kind": "identity", "inputs": ["resize"]},
 {"name": "pad", "kind": "pad", "inputs": ["identity"], "before": [1, 0, 0], "after": [1, 2, 0]},
 {"name": "to depth", "kind": "space_to_depth", "inputs": ["pad"], "block": 2},
 {"name": "to space", "kind": "depth_to_space", "inputs": ["to depth"], "block": 2},
 {"name": "slice", "kind": "slice", "inputs": ["to space"], "axis": 1, "start": 1, "size": 4},
 {"name": "turned", "kind": "transpose", "inputs": ["slice"], "permutation": [3, 1, 2]},
 {"name": "picked", "kind": "gather", "inputs": ["turned"], "axis": 2, "size": 3},
 {"name": "put", "kind": "scatter", "inputs": ["turned", "picked"]},
 {"name": "most", "kind": "argmax", "inputs": ["picked"]},
 {"name": "best", "kind": "top_k", "inputs": ["picked"], "k": 4},
 {"name": "sorted", "kind": "sort", "inputs": ["best"]},
 {"name": "summed", "kind": "cumulative_sum", "inputs": ["sorted"], "axis": 1},
 {"name": "length", "kind": "l2_normalize", "inputs": ["summed"]},
 {"name": "reduced", "kind": "reduce", "inputs": ["length"], "operation": "log_sum_exp", "axes": [1, 2]},
 {"name": "expanded", "kind": "expand", "inputs": ["reduced"], "shape": ["batch", 6, 4]},
 {"name": "mask", "kind": "constant", "shape": ["batch", 4]},
 {"name": "masked", "kind": "elementwise", "inputs": ["expanded", "mask"]},
 {"name": "rotary", "kind": "rotary", "inputs": ["masked"]},
 {"name": "einsum", "kind": "einsum", "inputs": ["rotary", "expanded"], "equation": "bij,bkj->bik"},
 {"name": "logs", "kind": "log_softmax", "inputs": ["einsum"], "axis": 1},
 {"name": "joined", "kind": "concat", "inputs": ["logs", "einsum"], "axis": 1},
 {"name": "loss2", "kind": "loss", "inputs": ["joined"], "function": "nll"},
 {"name": "softmax", "kind": "softmax", "inputs": ["gate"]},
 {"name": "loss", "kind": "cross_entropy", "inputs": ["softmax"]}]})";

/// For questions that have nothing to do with the kinds.
const char* few_kinds = R"({"format": "scalescope-network", "version": 1, "name": "Few kinds", "layers": [
 {"name": "data", "kind": "input", "shape": ["batch", 24, 24, 6]},
 {"name": "conv1", "kind": "convolution", "inputs": ["data"], "filters": 16, "kernel": [3, 5], "padding": "same"},
 {"name": "bn1", "kind": "batch_norm", "inputs": ["conv1"]},
 {"name": "conv2a", "kind": "convolution", "inputs": ["bn1"], "filters": 20, "kernel": [1, 1], "bias": false},
 {"name": "conv2b", "kind": "convolution", "inputs": ["bn1"], "filters": 12, "kernel": [3, 3], "padding": "same", "groups": 4},
 {"name": "cat", "kind": "concat", "inputs": ["conv2a", "conv2b"]},
 {"name": "conv3", "kind": "convolution", "inputs": ["cat"], "filters": 32, "kernel": [3, 3], "padding": "same"},
 {"name": "sum", "kind": "add", "inputs": ["cat", "conv3"]},
 {"name": "gap", "kind": "global_pooling", "inputs": ["sum"]},
 {"name": "drop", "kind": "dropout", "inputs": ["gap"]},
 {"name": "fc1", "kind": "dense", "inputs": ["drop"], "units": 64},
 {"name": "fc2", "kind": "dense", "inputs": ["fc1"], "units": 30, "bias": false},
 {"name": "softmax", "kind": "softmax", "inputs": ["fc2"]}]})";

std::shared_ptr<const Network> made_of(const char* text) {
    const auto made = formats::read_network(text, "kinds.json");
    if (!made) qFatal("%s", to_text(made.error()[0]).c_str());
    return *made;
}

}  // namespace

std::shared_ptr<const Network> network(const std::string& name) {
    static const auto every = made_of(every_kind), few = made_of(few_kinds);
    if (name == "every kind") return every;
    if (name == "few kinds") return few;
    static std::map<std::string, std::shared_ptr<const Network>> known;
    auto& entry = known[name];
    if (!entry) {
        auto made = library().network(name);
        if (!made) qFatal("%s", to_text(made.error()[0]).c_str());
        entry = *made;
    }
    return entry;
}

Scenario scenario(const std::string& name) {
    Scenario s;
    s.workload.push_back({network(name), {}, 1, name});
    s.cluster.device = *library().catalogue.device("Tesla K40");
    s.cluster.device.price_per_hour = 0.9;
    s.cluster.inside = *library().catalogue.link("pcie-3-x16");
    s.cluster.between = *library().catalogue.link("pcie-2-x16");
    s.cluster.between.bandwidth = gigabits_per_second(20);
    s.cluster.between.latency = microseconds(21);
    s.cluster.workers = 4;
    s.training.batch = 32;
    return s;
}

int layer(const Scenario& s, const char* name) { return *s.network()->position(std::string_view(name)); }

Explanation why(const Scenario& s, const Item& item) {
    auto plan = prepare(s);
    Scratch scratch = make_scratch(*plan);
    const auto e = estimate(s, *plan, scratch);
    const auto page = explain(s, *plan, *e, item);
    if (!page) qFatal("%s", to_text(page.error()[0]).c_str());
    return *page;
}

Read read_line(const std::string& printed) {
    QString rest = QString::fromStdString(printed), text;
    static const std::map<QString, int> prefixes{{"n", -9}, {"µ", -6}, {"m", -3}, {"", 0},   {"k", 3},
                                                 {"M", 6},  {"G", 9},  {"T", 12}, {"P", 15}, {"E", 18}};
    static const QRegularExpression number(
        R"(^\$?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?)(?:\x{00a0}(%|\$/h|samples/s|[nµmkMGTPE]?(?:FLOP/s|FLOP|B/s|B|s))|×)?)");
    int numbers = 0;
    Read read;
    while (!rest.isEmpty()) {
        const auto match = number.match(rest);
        if (match.hasMatch() && !(text.endsWith("log") && rest.startsWith("2("))) {
            QString digits = match.captured(1).remove(','), unit = match.captured(2);
            int exponent = 0;
            if (unit == "%") {
                exponent = -2;
            } else if (unit != "$/h" && unit != "samples/s" && !unit.isEmpty()) {
                for (const char* base : {"FLOP/s", "FLOP", "B/s", "B", "s"})
                    if (unit.endsWith(base)) {
                        exponent = prefixes.at(unit.chopped(int(strlen(base))));
                        break;
                    }
            }
            const auto point = digits.indexOf('.');
            read.half_unit = 0.5 * std::pow(10.0, exponent - (point < 0 ? 0 : int(digits.size()) - int(point) - 1));
            text += QString("%1e%2").arg(digits).arg(exponent);
            rest = rest.mid(match.capturedLength());
            ++numbers;
            continue;
        }
        const QString c = rest.left(1);
        static const std::map<QString, QString> signs{{"=", ""},  {"·", "*"},      {"−", "-"}, {"⌈", "ceil("},
                                                      {"⌉", ")"}, {"⌊", "floor("}, {"⌋", ")"}, {"₂", "2"}};
        const auto sign = signs.find(c);
        text += sign == signs.end() ? c : sign->second;
        rest = rest.mid(1);
    }
    if (const auto e = numerics::parse_expression(text.toStdString()))
        if (const auto v = numerics::evaluate(*e, {})) read.value = *v;
    if (numbers != 1) read.half_unit = 0;
    return read;
}

}  // namespace support::explained
