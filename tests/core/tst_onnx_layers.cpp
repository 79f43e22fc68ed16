// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX: operators and the layers they become, worked out by hand. N samples, of which one is counted.
#include <QtTest>

#include "core/formats/library.hpp"
#include "core/support_onnx.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace support::by_hand;

namespace {

using names = std::vector<std::string>;
constexpr int int64 = 7, int32 = 6, uint8 = 2, int8 = 3;

}  // namespace

class OnnxLayers : public QObject {
    Q_OBJECT
private slots:
    void operators_data();
    void operators();
    void sequences_are_followed();
    void what_has_no_kind_is_unknown();
    void senseless_attributes_have_no_kind();
    void a_table_of_relative_positions_is_trained();
    void a_folded_table_is_named();
};

void OnnxLayers::operators_data() {
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("shape");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("multiply_adds");
    const auto row = [](const char* name, const char* kind, const std::string& graph, const char* shape,
                        qint64 parameters = 0, qint64 macs = 0) {
        QTest::newRow(name) << QByteArray(graph.data(), static_cast<qsizetype>(graph.size())) << kind << shape
                            << parameters << macs;
    };
    const std::string x = value(11, "x", {-1, 3, 4}), image = value(11, "x", {-1, 4, 8, 8});
    const std::string microsoft = "com.microsoft";

    row("ArgMax", "argmax", x + node("ArgMax", {"x"}, "y", integer("axis", 2)), "3×1");
    row("ArgMin without its axis", "argmax",
        x + node("ArgMin", {"x"}, "y", integer("axis", 1) + integer("keepdims", 0)), "4");
    row("TopK", "top_k", x + whole_numbers("k", {2}) + node("TopK", {"x", "k"}, names{"y", "i"}), "3×2");
    row("CumSum", "cumulative_sum", x + whole_scalar("a", 1) + node("CumSum", {"x", "a"}, "y"), "3×4");
    row("OneHot", "expand",
        value(11, "x", {-1, 3}, int64) + whole_scalar("d", 5) + real_numbers("v", {0, 1}) +
            node("OneHot", {"x", "d", "v"}, "y"),
        "3×5");
    row("LpNormalization", "l2_normalize", x + node("LpNormalization", {"x"}, "y"), "3×4");
    row("ReduceL2", "reduce", x + node("ReduceL2", {"x"}, "y", ints("axes", {2})), "3×1");
    row("GatherElements", "gather",
        x + value(11, "i", {-1, 3, 2}, int64) + node("GatherElements", {"x", "i"}, "y", integer("axis", 2)), "3×2");
    // each sample: 5 places of 3 rows of 4
    row("GatherND", "gather",
        x + value(11, "i", {-1, 5, 1}, int64) + node("GatherND", {"x", "i"}, "y", integer("batch_dims", 1)), "5×4");
    row("ScatterElements", "scatter",
        x + value(11, "i", {-1, 3, 2}, int64) + value(11, "u", {-1, 3, 2}) +
            node("ScatterElements", {"x", "i", "u"}, "y", integer("axis", 2) + text("reduction", "add")),
        "3×4");
    row("ScatterND at places of the data", "scatter",
        x + value(11, "i", {-1, 2, 2}, int64) + value(11, "u", {-1, 2, 4}) + node("ScatterND", {"x", "i", "u"}, "y"),
        "3×4");
    row("TensorScatter", "scatter",
        value(11, "x", {-1, 2, 8, 4}) + value(11, "u", {-1, 2, 3, 4}) + value(11, "i", {-1}, int64) +
            node("TensorScatter", {"x", "u", "i"}, "y"),
        "2×8×4");
    row("Gather at stored places", "gather",
        x + weights("i", {2, 3}, int64) + node("Gather", {"x", "i"}, "y", integer("axis", 1)), "2×3×4");
    row("Expand", "expand",
        value(11, "x", {-1, 1, 4}) + whole_numbers("s", {1, 3, 4}) + node("Expand", {"x", "s"}, "y"), "3×4");
    row("Tile", "expand", x + whole_numbers("r", {1, 2, 1}) + node("Tile", {"x", "r"}, "y"), "6×4");
    // one product for each i, j, k and c
    row("Einsum", "einsum",
        value(11, "x", {-1, 2, 3, 4}) + value(11, "z", {-1, 5, 3, 4}) +
            node("Einsum", {"x", "z"}, "y", text("equation", "nijc,nkjc->nikc")),
        "2×5×4", 0, 2 * 5 * 3 * 4);
    row("Einsum with dots", "einsum",
        value(11, "x", {-1, 2, 3, 4}) + value(11, "z", {-1, 2, 5, 4}) +
            node("Einsum", {"x", "z"}, "y", text("equation", "...ic,...jc->...ji")),
        "2×5×3", 0, 2 * 5 * 3 * 4);
    row("Resize to any size", "resize",
        value(11, "x", {1, 4, 8, 8}) + whole_numbers("s", {1, 4, 12, 10}) +
            node("Resize", {"x", "", "", "s"}, "y", text("mode", "linear")),
        "12×10×4");
    row("Resize by factors that are not whole", "resize",
        value(11, "x", {-1, 4, 8, 8}) + real_numbers("f", {1, 1, 1.5F, 1.2F}) + node("Resize", {"x", "", "f"}, "y"),
        "12×9×4");
    row("Upsample 7 by an attribute", "upsample",
        value(11, "x", {-1, 4, 8, 8}) + node("Upsample", {"x"}, "y", reals("scales", {1, 1, 2, 3})), "16×24×4");
    row("Resize with channels last", "upsample",
        value(11, "x", {-1, 8, 8, 4}) + real_numbers("f", {1, 2, 3, 1}) + node("Resize", {"x", "", "f"}, "y"),
        "16×24×4");
    row("Conv of a line", "convolution",
        value(11, "x", {-1, 3, 10}) + weights("w", {4, 3, 3}) + node("Conv", {"x", "w"}, "y"), "8×4", 36, 8 * 36);
    row("Conv of a volume", "convolution",
        value(11, "x", {-1, 2, 4, 5, 6}) + weights("w", {6, 2, 3, 3, 3}) + node("Conv", {"x", "w"}, "y"), "2×3×4×6",
        324, 24 * 324);
    row("Conv of a volume, padded on one side of each axis", "convolution",
        value(11, "x", {-1, 2, 4, 5, 6}) + weights("w", {6, 2, 3, 3, 3}) +
            node("Conv", {"x", "w"}, "y", ints("pads", {1, 0, 0, 0, 0, 2})),
        "3×3×6×6", 324, 54 * 324);
    // 25 cells of 4 channels, each to 3 of 6 filters of 3·3
    row("ConvTranspose in groups", "transposed_convolution",
        value(11, "x", {-1, 4, 5, 5}) + weights("w", {4, 3, 3, 3}) +
            node("ConvTranspose", {"x", "w"}, "y", integer("group", 2) + ints("strides", {2, 2})),
        "11×11×6", 108, 25 * 4 * 3 * 9);
    row("ConvTranspose with gaps", "transposed_convolution",
        value(11, "x", {-1, 4, 5, 5}) + weights("w", {4, 3, 3, 3}) +
            node("ConvTranspose", {"x", "w"}, "y", ints("dilations", {2, 2})),
        "9×9×3", 108, 25 * 4 * 3 * 9);
    row("MaxPool of a volume", "pooling",
        value(11, "x", {-1, 2, 4, 6, 8}) +
            node("MaxPool", {"x"}, "y", ints("kernel_shape", {2, 2, 2}) + ints("strides", {2, 2, 2})),
        "2×3×4×2");
    row("GlobalAveragePool of a volume", "global_pooling",
        value(11, "x", {-1, 2, 4, 6, 8}) + node("GlobalAveragePool", {"x"}, "y"), "1×1×1×2");
    row("MatMulInteger", "dense",
        value(11, "x", {-1, 8}, uint8) + weights("w", {8, 6}, int8) + node("MatMulInteger", {"x", "w"}, "y"), "6", 48,
        48);
    row("ConvInteger", "convolution",
        value(11, "x", {-1, 4, 8, 8}, uint8) + weights("w", {6, 4, 3, 3}, uint8) + node("ConvInteger", {"x", "w"}, "y"),
        "6×6×6", 216, 36 * 216);
    row("QLinearMatMul", "dense",
        value(11, "x", {-1, 8}, uint8) + weights("s", {}) + weights("z", {}, uint8) + weights("w", {8, 6}, uint8) +
            node("QLinearMatMul", {"x", "s", "z", "w", "s", "z", "s", "z"}, "y"),
        "6", 48, 48);
    row("MatMulNBits", "dense",
        value(11, "x", {-1, 32}) + weights("w", {6, 1, 16}, uint8) + weights("s", {6}) +
            node("MatMulNBits", {"x", "w", "s"}, "y",
                 integer("K", 32) + integer("N", 6) + integer("bits", 4) + integer("block_size", 32), microsoft),
        "6", 192, 192);

    // of integers: scale and zero point of the input, the filters, the output; then a bias for each filter
    const std::string scales = weights("s", {}) + weights("z", {}, uint8);
    row("QLinearConv in groups, with a bias", "convolution",
        value(11, "x", {-1, 4, 8, 8}, uint8) + scales + weights("w", {6, 2, 3, 3}, uint8) + weights("b", {6}, int32) +
            node("QLinearConv", {"x", "s", "z", "w", "s", "z", "s", "z", "b"}, "y",
                 integer("group", 2) + ints("pads", {1, 1, 1, 1}) + ints("strides", {2, 2})),
        "4×4×6", 108 + 6, 16 * 108);
    row("QLinearConv without a bias", "convolution",
        value(11, "x", {-1, 4, 8, 8}, uint8) + scales + weights("w", {6, 4, 1, 1}, uint8) +
            node("QLinearConv", {"x", "s", "z", "w", "s", "z", "s", "z"}, "y"),
        "8×8×6", 24, 64 * 24);
    row("QGemm with turned weights", "dense",
        value(11, "x", {-1, 8}, uint8) + scales + weights("w", {6, 8}, int8) + weights("b", {6}, int32) +
            node("QGemm", {"x", "s", "z", "w", "s", "z", "b", "s", "z"}, "y", integer("transB", 1), microsoft),
        "6", 48 + 6, 48);
    row("DynamicQuantizeMatMul with a bias", "dense",
        x + weights("w", {4, 6}, uint8) + scales + weights("b", {6}) +
            node("DynamicQuantizeMatMul", {"x", "w", "s", "z", "b"}, "y", {}, microsoft),
        "3×6", 24 + 6, 3 * 24);
    row("MatMulIntegerToFloat with a bias", "dense",
        value(11, "x", {-1, 8}, uint8) + weights("w", {8, 6}, uint8) + scales + weights("b", {6}) +
            node("MatMulIntegerToFloat", {"x", "w", "s", "s", "z", "z", "b"}, "y", {}, microsoft),
        "6", 48 + 6, 48);
    row("MatMulNBits at every position", "dense",
        value(11, "x", {-1, 3, 64}) + weights("w", {6, 2, 16}, uint8) + weights("s", {12}) +
            node("MatMulNBits", {"x", "w", "s"}, "y",
                 integer("K", 64) + integer("N", 6) + integer("bits", 4) + integer("block_size", 32), microsoft),
        "3×6", 384, 3 * 384);
    row("FusedMatMul, both turned", "matmul",
        value(11, "x", {-1, 8, 3}) + value(11, "w", {-1, 5, 8}) +
            node("FusedMatMul", {"x", "w"}, "y", integer("transA", 1) + integer("transB", 1), microsoft),
        "3×5", 0, 3 * 8 * 5);
    row("FusedGemm", "dense",
        value(11, "x", {-1, 8}) + weights("w", {8, 6}) + weights("b", {6}) +
            node("FusedGemm", {"x", "w", "b"}, "y", text("activation", "Relu"), microsoft),
        "6", 54, 48);
    row("FusedConv", "convolution",
        image + weights("w", {6, 4, 3, 3}) + weights("b", {6}) +
            node("FusedConv", {"x", "w", "b"}, "y", text("activation", "Relu"), microsoft),
        "6×6×6", 222, 36 * 216);
    row("FusedConv and a sum", "add",
        image + weights("w", {4, 4, 1, 1}) + node("FusedConv", {"x", "w", "", "x"}, "y", {}, microsoft), "8×8×4", 16,
        64 * 16);
    row("QLinearAdd", "add",
        value(11, "x", {-1, 4, 8, 8}, uint8) + value(11, "v", {-1, 4, 8, 8}, uint8) + scales +
            node("QLinearAdd", {"x", "s", "z", "v", "s", "z", "s", "z"}, "y", {}, microsoft),
        "8×8×4");
    row("QLinearMul by channels", "elementwise",
        value(11, "x", {-1, 4, 8, 8}, uint8) + value(11, "v", {-1, 4, 1, 1}, uint8) + scales +
            node("QLinearMul", {"x", "s", "z", "v", "s", "z", "s", "z"}, "y", {}, microsoft),
        "8×8×4");
    row("QLinearGlobalAveragePool", "global_pooling",
        value(11, "x", {-1, 4, 8, 8}, uint8) + scales +
            node("QLinearGlobalAveragePool", {"x", "s", "z", "s", "z"}, "y", {}, microsoft),
        "1×1×4");
    row("QLinearSigmoid", "activation",
        value(11, "x", {-1, 4, 8, 8}, uint8) + scales +
            node("QLinearSigmoid", {"x", "s", "z", "s", "z"}, "y", {}, microsoft),
        "8×8×4");
    row("LogSoftmax", "log_softmax", x + node("LogSoftmax", {"x"}, "y"), "3×4");
    // a sum of both, a bias, and a row's scale and shift
    row("SkipLayerNormalization", "layer_norm",
        x + value(11, "v", {-1, 3, 4}) + weights("g", {4}) + weights("h", {4}) + weights("b", {4}) +
            node("SkipLayerNormalization", {"x", "v", "g", "h", "b"}, "y", {}, microsoft),
        "3×4", 12);
    row("SkipSimplifiedLayerNormalization", "rms_norm",
        x + value(11, "v", {-1, 3, 4}) + weights("g", {4}) +
            node("SkipSimplifiedLayerNormalization", {"x", "v", "g"}, "y", {}, microsoft),
        "3×4", 4);
    // tables of 20 words, 7 positions and 2 segments
    row("EmbedLayerNormalization", "layer_norm",
        value(11, "x", {-1, 5}, int32) + value(11, "t", {-1, 5}, int32) + weights("w", {20, 4}) + weights("p", {7, 4}) +
            weights("k", {2, 4}) + weights("g", {4}) + weights("h", {4}) +
            node("EmbedLayerNormalization", {"x", "t", "w", "p", "k", "g", "h"}, names{"y", "mask"}, {}, microsoft),
        "5×4", 80 + 28 + 8 + 8);
    row("BiasGelu", "activation", x + weights("b", {4}) + node("BiasGelu", {"x", "b"}, "y", {}, microsoft), "3×4", 4);
    row("FastGelu without a bias", "activation", x + node("FastGelu", {"x"}, "y", {}, microsoft), "3×4");

    // 5 tokens 8 wide, 3 before them; 2 heads: three products, scores and sums with 8 keys
    const std::string tokens = value(11, "x", {-1, 5, 8}), packed_past = value(11, "p", {2, -1, 2, 3, 4});
    row("Attention of one matrix with past", "attention",
        tokens + packed_past + weights("w", {8, 24}) + weights("b", {24}) +
            node("Attention", {"x", "w", "b", "", "p"}, names{"y", "q"}, integer("num_heads", 2), microsoft),
        "5×8", 216, 3 * 5 * 64 + 2 * 5 * 8 * 8);
    row("QAttention", "attention",
        value(11, "x", {-1, 5, 8}, uint8) + weights("w", {8, 24}, int8) + weights("b", {24}) + weights("s", {}) +
            node("QAttention", {"x", "w", "b", "s", "s"}, "y", integer("num_heads", 2), microsoft),
        "5×8", 216, 3 * 5 * 64 + 2 * 5 * 5 * 8);
    // 4 heads of 8, two of keys: the first of 5 queries sees 4 keys, the last 8, together 30
    const std::string grouped = integer("num_heads", 4) + integer("kv_num_heads", 2);
    row("GroupQueryAttention, packed, with past", "attention",
        value(11, "x", {-1, 5, 64}) + value(11, "pk", {-1, 2, 3, 8}) + value(11, "pv", {-1, 2, 3, 8}) +
            node("GroupQueryAttention", {"x", "", "", "pk", "pv"}, names{"y", "k", "v"}, grouped, microsoft),
        "5×32", 0, 30 * 4 * 8 * 2);
    row("GroupQueryAttention with rotary positions", "rotary",
        value(11, "x", {-1, 5, 32}) + value(11, "k", {-1, 5, 16}) + value(11, "v", {-1, 5, 16}) +
            node("GroupQueryAttention", {"x", "k", "v"}, "y", grouped + integer("do_rotary", 1), microsoft),
        "5×32", 0, 15 * 4 * 8 * 2);
    row("MultiHeadAttention, all packed", "attention",
        value(11, "x", {-1, 5, 2, 3, 4}) + node("MultiHeadAttention", {"x"}, "y", integer("num_heads", 2), microsoft),
        "5×8", 0, 2 * 5 * 5 * 8);
    row("MultiHeadAttention, keys and values packed, of another length, with a bias", "attention",
        tokens + value(11, "k", {-1, 7, 2, 2, 4}) + weights("b", {24}) +
            node("MultiHeadAttention", {"x", "k", "", "b"}, "y", integer("num_heads", 2), microsoft),
        "5×8", 24, 2 * 5 * 7 * 8);
}

void OnnxLayers::operators() {
    QFETCH(QByteArray, graph);
    QFETCH(QString, kind);
    QFETCH(QString, shape);
    QFETCH(qint64, parameters);
    QFETCH(qint64, multiply_adds);
    const auto made = read_any_network(model(graph.toStdString() + value(12, "y", {}), 16), "by-hand.onnx");
    QVERIFY2(made.has_value(), made ? "" : text_of(made.error()).c_str());
    const Network& network = **made;
    QVERIFY2(network.unknown_kinds() == 0, about_unknown_kinds(network).c_str());
    QCOMPARE(static_cast<qint64>(network.parameters()), parameters);
    QCOMPARE(static_cast<qint64>(network.multiply_adds()), multiply_adds);
    bool there = false;
    for (const Layer& l : network.layers()) there = there || l.kind->name == kind.toStdString();
    QVERIFY2(there, "no layer of that kind");
    QCOMPARE(QString::fromStdString(to_text(network.facts().back().output)), shape);
}

/// Three parts of two rows; each goes through one product of the same weights; all are put together again, once behind
/// one another and once as an axis of their own.
void OnnxLayers::sequences_are_followed() {
    const std::string body = value(11, "a", {-1, 2, 4}) + node("MatMul", {"a", "w"}, "b") + value(12, "b", {-1, 2, 5});
    const std::string g =
        value(11, "x", {-1, 6, 4}) + weights("w", {4, 5}) + whole_scalar("two", 2) + whole_scalar("one", 1) +
        node("SplitToSequence", {"x", "two"}, "s", integer("axis", 1)) +
        node("SequenceMap", {"s"}, "m", graph("body", body)) + node("SequenceErase", {"m", "one"}, "e") +
        node("ConcatFromSequence", {"e"}, "c", integer("axis", 1)) + node("SequenceInsert", {"e", "c"}, "i") +
        node("SequenceAt", {"i"}, "last") + node("Relu", {"last"}, "r") +
        node("ConcatFromSequence", {"m"}, "y", integer("axis", 1) + integer("new_axis", 1));
    Problems warnings;
    const auto made = read_any_network(model(g, 17), "by-hand.onnx", &warnings);
    QVERIFY2(made.has_value(), made ? "" : text_of(made.error()).c_str());
    const Network& network = **made;
    QVERIFY2(warnings.empty(), text_of(warnings).c_str());
    QVERIFY2(network.unknown_kinds() == 0, about_unknown_kinds(network).c_str());
    QCOMPARE(network.parameters(), 20);
    QCOMPARE(network.multiply_adds(), 3 * 2 * 4 * 5);
    std::vector<Shape> ends;
    for (int l = 0; l < network.size(); ++l) {
        const auto& name = network.layers()[static_cast<std::size_t>(l)].kind->name;
        if (name == "activation" || l + 1 == network.size())
            ends.push_back(network.facts()[static_cast<std::size_t>(l)].output);
    }
    QCOMPARE(ends, (std::vector<Shape>{{4, 5}, {3, 2, 5}}));
}

/// What has no kind is priced by its bytes, counted and named: here, an image seen through a grid of places.
void OnnxLayers::what_has_no_kind_is_unknown() {
    const std::string g =
        value(11, "x", {-1, 3, 4, 4}) + value(11, "g", {-1, 2, 5, 2}) + node("GridSample", {"x", "g"}, "y");
    const auto made = read_any_network(model(g, 16), "by-hand.onnx");
    QVERIFY(made.has_value());
    QCOMPARE((*made)->unknown_kinds(), 1);
    QCOMPARE(about_unknown_kinds(**made),
             std::string("1 layer of unknown kind (type GridSample) is priced by the bytes it moves."));
    QCOMPARE((*made)->facts().back().in_elements, 3 * 4 * 4 + 2 * 5 * 2);
    QCOMPARE((*made)->facts().back().output, (Shape{3, 2, 5}));
}

/// No heads to divide by, no groups: found by fuzzing. The operator is then one that this program does not know.
void OnnxLayers::senseless_attributes_have_no_kind() {
    for (const std::int64_t n : {0, -1}) {
        const std::string attention = value(11, "x", {-1, 5, 8}) + weights("w", {8, 24}) +
                                      node("Attention", {"x", "w"}, "y", integer("num_heads", n), "com.microsoft");
        const std::string groups = value(11, "x", {-1, 4, 5, 5}) + weights("s", {4}) +
                                   node("GroupNormalization", {"x", "s", "s"}, "y", integer("num_groups", n));
        for (const std::string& g : {attention, groups}) {
            const auto made = read_any_network(model(g, 18), "by-hand.onnx");
            QVERIFY2(made.has_value(), made ? "" : text_of(made.error()).c_str());
            QCOMPARE((*made)->unknown_kinds(), 1);
        }
    }
}

/// Swin's scores get, for each of 4 × 4 pairs of places and each of 2 heads, a number of a table with a row for each of
/// 7 × 7 distances: looked up by indices that the file holds, so that nothing of it depends on the data.
void OnnxLayers::a_table_of_relative_positions_is_trained() {
    std::string g = value(11, "x", {-1, 2, 4, 4}) + weights("table", {49, 2}) + weights("index", {16}, int64);
    g += whole_numbers("square", {4, 4, 2}) + whole_numbers("first", {0}) + node("Gather", {"table", "index"}, "rows");
    g += node("Reshape", {"rows", "square"}, "pairs") + node("Transpose", {"pairs"}, "heads", ints("perm", {2, 0, 1}));
    g += node("Unsqueeze", {"heads", "first"}, "bias") + node("Add", {"x", "bias"}, "y");
    const auto read = [](const std::string& of) {
        auto made = read_any_network(model(of), "swin.onnx");
        if (!made) qFatal("%s", text_of(made.error()).c_str());
        return *made;
    };
    // The first table has fewer rows than are looked up, the second more.
    const std::string again = node("Add", {"y", "bias"}, "z");
    std::string few = g;
    few.replace(few.find(weights("table", {49, 2})), weights("table", {49, 2}).size(), weights("table", {7, 2}));
    QCOMPARE(read(few)->parameters(), 14);
    QCOMPARE(read(few + again)->parameters(), 14);
    QCOMPARE(read(g)->parameters(), 98);
    QCOMPARE(read(few)->facts().back().output, (Shape{2, 4, 4}));
}

/// Exporters that compute ahead store one number for each pair of places; the table it came from is not in the file.
void OnnxLayers::a_folded_table_is_named() {
    const auto said = [](const char* name) {
        const std::string g =
            value(11, "x", {-1, 2, 4, 4}) + weights(name, {1, 2, 4, 4}) + node("Add", {"x", name}, "y");
        Problems warnings;
        const auto made = read_any_network(model(g), "swin.onnx", &warnings);
        if (!made || (*made)->parameters() != 32) qFatal("%s", made ? "another count" : text_of(made.error()).c_str());
        return text_of(warnings);
    };
    QVERIFY2(said("onnx::Add_2412").find("as it is stored") != std::string::npos, said("onnx::Add_2412").c_str());
    QVERIFY(said("scores").find("as it is stored") == std::string::npos);
}

QTEST_APPLESS_MAIN(OnnxLayers)
#include "tst_onnx_layers.moc"
