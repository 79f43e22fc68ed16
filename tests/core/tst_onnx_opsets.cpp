// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX: what opsets 15 to 23 brought or changed, and functions, in models by hand. Files of others reach opset 17
// (libonnx-testdata) and, singly, 18, 21 and 24 (tests/data/models/onnx).
#include <QtTest>

#include "core/formats/library.hpp"
#include "core/formats/onnx/plan.hpp"
#include "core/support_onnx.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace support::by_hand;

namespace {

constexpr int float8 = 17, int4 = 22, boolean = 9, int64 = 7;

std::string dims_text(const onnx::Value& v) {
    if (!v.ranked) return "?";
    std::string text;
    for (const auto d : v.dims) text += (text.empty() ? "" : " ") + std::to_string(d);
    return text;
}

std::shared_ptr<const Network> read(const std::string& bytes) {
    const auto network = read_any_network(bytes, "by-hand.onnx");
    if (!network) qFatal("%s", text_of(network.error()).c_str());
    return *network;
}

/// Of a function: its inputs, outputs and attributes by name, its nodes with their field, and defaults.
std::string function(const std::string& name, const std::vector<std::string>& in, const std::vector<std::string>& out,
                     const std::vector<std::string>& attributes, const std::string& pieces) {
    std::string f = part(1, name) + part(10, "local");
    for (const auto& i : in) f += part(4, i);
    for (const auto& o : out) f += part(5, o);
    for (const auto& a : attributes) f += part(6, a);
    return part(25, f + pieces + part(9, number(2, 18)));
}

/// A default of a function's attribute: an attribute with the field of functions.
std::string default_of(std::string attribute) {
    attribute[0] = static_cast<char>(11 << 3 | 2);
    return attribute;
}

const std::string x234 = value(11, "x", {2, 3, 4});
const std::string image = value(11, "x", {1, 4, 8, 8});

}  // namespace

class OnnxOpsets : public QObject {
    Q_OBJECT
private slots:
    void shapes_data();
    void shapes();
    void counts_data();
    void counts();
    void functions_in_functions();
    void defaults_of_functions();
};

void OnnxOpsets::shapes_data() {
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<int>("opset");
    QTest::addColumn<QString>("dims");
    const auto row = [](const char* name, int opset, const std::string& graph, const char* dims) {
        QTest::newRow(name) << QByteArray(graph.data(), static_cast<qsizetype>(graph.size())) << opset << dims;
    };
    const std::string y = value(12, "y", {});
    const auto numbers = [](const char* name, std::vector<std::int64_t> n) { return whole_numbers(name, n); };

    row("Shape 15 of some axes", 15, x234 + node("Shape", {"x"}, "y", integer("start", 1)), "2");
    row("ReduceMean 18 over axes of an input", 18,
        x234 + numbers("a", {-1}) + node("ReduceMean", {"x", "a"}, "y", integer("keepdims", 0)), "2 3");
    row("ReduceMax 18 over none, which does nothing", 18,
        x234 + node("ReduceMax", {"x"}, "y", integer("noop_with_empty_axes", 1)), "2 3 4");
    row("ReduceMax 20 of truths", 20,
        value(11, "x", {2, 3}, boolean) + numbers("a", {1}) + node("ReduceMax", {"x", "a"}, "y"), "2 1");
    row("Split 18 by number, the last part shorter", 18,
        value(11, "x", {2, 7}) + node("Split", {"x"}, std::vector<std::string>{"a", "b", "y"},
                                      integer("num_outputs", 3) + integer("axis", 1)),
        "2 1");
    row("Pad 18 of some axes", 18,
        x234 + numbers("p", {1, 2}) + numbers("a", {-1}) + node("Pad", {"x", "p", "", "a"}, "y"), "2 3 7");
    row("Pad 19, wrapped", 19,
        x234 + numbers("p", {0, 0, 1, 0, 0, 1}) + node("Pad", {"x", "p"}, "y", text("mode", "wrap")), "2 3 6");
    row("Resize 18 of some axes, not larger", 18,
        value(11, "x", {1, 3, 8, 16}) + numbers("s", {4, 4}) +
            node("Resize", {"x", "", "", "s"}, "y",
                 ints("axes", {2, 3}) + text("keep_aspect_ratio_policy", "not_larger") + integer("antialias", 1)),
        "1 3 2 4");
    row("Resize 18 of some axes, not smaller", 18,
        value(11, "x", {1, 3, 8, 16}) + numbers("s", {4, 4}) +
            node("Resize", {"x", "", "", "s"}, "y",
                 ints("axes", {2, 3}) + text("keep_aspect_ratio_policy", "not_smaller")),
        "1 3 4 8");
    row("CenterCropPad 18", 18,
        x234 + numbers("s", {5, 2}) + node("CenterCropPad", {"x", "s"}, "y", ints("axes", {1, -1})), "2 5 2");
    row("Col2Im 18", 18,
        value(11, "x", {1, 45, 4}) + numbers("i", {5, 5}) + numbers("b", {3, 3}) + node("Col2Im", {"x", "i", "b"}, "y"),
        "1 5 5 5");
    row("BitwiseAnd 18", 18,
        value(11, "x", {2, 3}, int64) + value(11, "z", {3}, int64) + node("BitwiseAnd", {"x", "z"}, "y"), "2 3");
    row("ScatterND 18 with a reduction", 18,
        x234 + value(11, "u", {1, 4}) + weights("i", {1, 2}, int64) +
            node("ScatterND", {"x", "i", "u"}, "y", text("reduction", "max")),
        "2 3 4");
    row("Reshape 19 with zeros that are zeros", 19,
        value(11, "x", {0, 3}) + numbers("s", {3, 0}) + node("Reshape", {"x", "s"}, "y", integer("allowzero", 1)),
        "3 0");
    row("Cast 19 to 8 bits and back", 19,
        x234 + node("Cast", {"x"}, "s", integer("to", float8)) + node("Cast", {"s"}, "y", integer("to", 1)), "2 3 4");
    row("AveragePool 19 with gaps", 19,
        image + node("AveragePool", {"x"}, "y", ints("kernel_shape", {3, 3}) + ints("dilations", {2, 2})), "1 4 4 4");
    row("DFT 20 along an axis of an input", 20,
        value(11, "x", {1, 8, 5, 1}) + whole_scalar("a", 1) + node("DFT", {"x", "", "a"}, "y", integer("onesided", 1)),
        "1 5 5 2");
    row("ConstantOfShape 20", 20, numbers("s", {2, 3}) + node("ConstantOfShape", {"s"}, "y"), "2 3");
    row("AffineGrid 20", 20,
        value(11, "x", {1, 2, 3}) + numbers("s", {1, 3, 5, 6}) + node("AffineGrid", {"x", "s"}, "y"), "1 5 6 2");
    row("GridSample 20 of a volume", 20,
        value(11, "x", {1, 3, 4, 5, 6}) + value(11, "g", {1, 2, 7, 8, 3}) +
            node("GridSample", {"x", "g"}, "y", text("mode", "linear")),
        "1 3 2 7 8");
    row("IsInf 20", 20, x234 + node("IsInf", {"x"}, "y"), "2 3 4");
    row("QuantizeLinear 21 to 4 bits, by blocks", 21,
        x234 + weights("s", {2, 3, 2}) + weights("z", {2, 3, 2}, int4) +
            node("QuantizeLinear", {"x", "s", "z"}, "y", integer("block_size", 2)),
        "2 3 4");
    row("Attention 23 with four axes and past keys", 23,
        value(11, "x", {1, 4, 5, 8}) + value(11, "k", {1, 2, 5, 8}) + value(11, "v", {1, 2, 5, 6}) +
            value(11, "pk", {1, 2, 3, 8}) + value(11, "pv", {1, 2, 3, 6}) +
            node("Attention", {"x", "k", "v", "", "pk", "pv"}, std::vector<std::string>{"z", "y"}),
        "1 2 8 8");
    row("RotaryEmbedding 23", 23,
        value(11, "x", {1, 4, 5, 8}) + weights("c", {1, 5, 4}) + weights("s", {1, 5, 4}) +
            node("RotaryEmbedding", {"x", "c", "s"}, "y"),
        "1 4 5 8");
}

void OnnxOpsets::shapes() {
    QFETCH(QByteArray, graph);
    QFETCH(int, opset);
    QFETCH(QString, dims);
    const std::string bytes = model(graph.toStdString() + value(12, "y", {}), static_cast<std::uint64_t>(opset));
    const auto made = onnx::read_model(bytes, "by-hand.onnx");
    QVERIFY2(made.has_value(), made ? "" : text_of(made.error()).c_str());
    ProblemList problems;
    const onnx::Plan plan = onnx::make_plan(*made, false);
    const onnx::Trace trace = onnx::trace_model(*made, plan.inputs, "by-hand.onnx", problems);
    QVERIFY2(!problems.has_errors(), text_of(problems.all()).c_str());
    QCOMPARE(trace.outputs.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(dims_text(trace.tensors[static_cast<std::size_t>(trace.outputs[0])].base())), dims);
}

void OnnxOpsets::counts_data() {
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<int>("opset");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("multiply_adds");
    const auto row = [](const char* name, int opset, const std::string& graph, qint64 parameters, qint64 macs) {
        QTest::newRow(name) << QByteArray(graph.data(), static_cast<qsizetype>(graph.size())) << opset << parameters
                            << macs;
    };
    row("BatchNormalization 15", 15,
        image + weights("s", {4}) + weights("b", {4}) + weights("m", {4}) + weights("v", {4}) +
            node("BatchNormalization", {"x", "s", "b", "m", "v"}, "y"),
        8, 0);
    row("LayerNormalization 17", 17,
        x234 + weights("s", {4}) + weights("b", {4}) + node("LayerNormalization", {"x", "s", "b"}, "y"), 8, 0);
    row("GroupNormalization 21, a scale for each channel", 21,
        image + weights("s", {4}) + weights("b", {4}) +
            node("GroupNormalization", {"x", "s", "b"}, "y", integer("num_groups", 2)),
        8, 0);
    row("GroupNormalization 18, a scale for each group", 18,
        image + weights("s", {2}) + weights("b", {2}) +
            node("GroupNormalization", {"x", "s", "b"}, "y", integer("num_groups", 2)),
        4, 0);
    row("Gelu 20", 20, x234 + node("Gelu", {"x"}, "y", text("approximate", "tanh")), 0, 0);
    row("Mish 18", 18, x234 + node("Mish", {"x"}, "y"), 0, 0);
    // 6 filters of 4·3·3 on 6·6 cells
    row("DeformConv 19", 19,
        image + weights("w", {6, 4, 3, 3}) + value(11, "o", {1, 18, 6, 6}) + node("DeformConv", {"x", "w", "o"}, "y"),
        216, 36 * 216);
    row("DeformConv 19 with a bias", 19,
        image + weights("w", {6, 4, 3, 3}) + value(11, "o", {1, 18, 6, 6}) + weights("b", {6}) +
            node("DeformConv", {"x", "w", "o", "b"}, "y"),
        216 + 6, 36 * 216);
    row("weights of 4 bits", 21,
        value(11, "x", {2, 8}) + weights("w", {8, 6}, int4) + weights("s", {8, 6}) +
            node("DequantizeLinear", {"w", "s"}, "f") + node("MatMul", {"x", "f"}, "y"),
        48, 48);
    // 4 heads of 8, 5 queries, 3 + 5 keys, two heads of them: scores and sums
    row("Attention 23 with past keys", 23,
        value(11, "x", {1, 4, 5, 8}) + value(11, "k", {1, 2, 5, 8}) + value(11, "v", {1, 2, 5, 6}) +
            value(11, "pk", {1, 2, 3, 8}) + value(11, "pv", {1, 2, 3, 6}) +
            node("Attention", {"x", "k", "v", "", "pk", "pv"}, std::vector<std::string>{"y", "k2", "v2"}),
        0, 5 * 8 * 4 * 8 + 5 * 8 * 4 * 6);
    row("RotaryEmbedding 23", 23,
        value(11, "x", {1, 4, 5, 8}) + weights("c", {1, 5, 4}) + weights("s", {1, 5, 4}) +
            node("RotaryEmbedding", {"x", "c", "s"}, "y"),
        0, 0);
}

/// All of them are of a kind that this program knows.
void OnnxOpsets::counts() {
    QFETCH(QByteArray, graph);
    QFETCH(int, opset);
    QFETCH(qint64, parameters);
    QFETCH(qint64, multiply_adds);
    const auto network = read(model(graph.toStdString(), static_cast<std::uint64_t>(opset)));
    QCOMPARE(static_cast<qint64>(network->parameters()), parameters);
    QCOMPARE(static_cast<qint64>(network->multiply_adds()), multiply_adds);
    QVERIFY2(network->unknown_kinds() == 0, about_unknown_kinds(*network).c_str());
}

/// A function calls another one and hands on an attribute of its own: axes turned, then 4 rows of 3 times 3 columns
/// of 5.
void OnnxOpsets::functions_in_functions() {
    const std::string turn =
        function("Turn", {"a"}, {"b"}, {"perm"}, node("Transpose", {"a"}, {"b"}, reference("perm", "perm", 7), {}, 7));
    const std::string product = function("Product", {"a", "w"}, {"c"}, {"order"},
                                         node("Turn", {"a"}, {"t"}, reference("perm", "order", 7), "local", 7) +
                                             node("MatMul", {"t", "w"}, {"c"}, {}, {}, 7));
    const std::string graph =
        x234 + weights("w", {3, 5}) + node("Product", {"x", "w"}, "y", ints("order", {0, 2, 1}), "local");
    const auto network = read(model(graph, 18, product + turn));
    QCOMPARE(network->parameters(), 15);
    QCOMPARE(network->multiply_adds(), 4 * 3 * 5);
    QCOMPARE(network->facts().back().output, (Shape{4, 5}));
    QCOMPARE(network->unknown_kinds(), 0);
}

/// An attribute that the call leaves out has the function's default; an input it leaves out is left out inside.
void OnnxOpsets::defaults_of_functions() {
    const std::string f = function("Wide", {"a", "w", "b"}, {"c"}, {},
                                   default_of(ints("pads", {1, 1, 1, 1})) +
                                       node("Conv", {"a", "w", "b"}, {"c"}, reference("pads", "pads", 7), {}, 7));
    const std::string graph = image + weights("w", {6, 4, 3, 3});
    const auto wide = read(model(graph + node("Wide", {"x", "w"}, "y", {}, "local"), 18, f));
    QCOMPARE(wide->facts().back().output, (Shape{8, 8, 6}));
    QCOMPARE(wide->parameters(), 216);
    const auto narrow = read(model(graph + node("Wide", {"x", "w"}, "y", ints("pads", {0, 0, 0, 0}), "local"), 18, f));
    QCOMPARE(narrow->facts().back().output, (Shape{6, 6, 6}));
}

QTEST_APPLESS_MAIN(OnnxOpsets)
#include "tst_onnx_opsets.moc"
