// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/network.hpp"
#include "core/paleo/simulate.hpp"
#include "reference/support_paleo.hpp"

#include <QTest>
#include <cmath>
#include <set>

using namespace scalescope;
using namespace scalescope::paleo;
using formats::read_paleo_network;
using formats::write_paleo_network;
using paleo::Layer;

namespace {

const QByteArray data_layer = R"("data": {"parents": [], "type": "Input", "tensor": [2, 8, 8, 3]})";

/// A net of `data` and these layers, each on a line of its own from line 4 on.
QByteArray net_of(const QByteArray& layers) {
    return "{\"name\": \"n\",\n \"layers\": {\n  " + data_layer + (layers.isEmpty() ? "" : ",\n  " + layers) +
           "\n }\n}\n";
}

QByteArray conv(const QByteArray& name, const QByteArray& parent, const QByteArray& filter = "3, 3, 3, 4",
                const QByteArray& more = {}) {
    return "\"" + name + "\": {\"parents\": [\"" + parent + "\"], \"type\": \"Convolution\", \"filter\": [" + filter +
           "], \"padding\": \"SAME\", \"strides\": [1, 1, 1, 1]" + more + "}";
}

Result<Net> read(const QByteArray& text) { return read_paleo_network(text.toStdString(), "net.json"); }

QByteArray shown(const Problems& problems) {
    QByteArray text;
    for (const auto& problem : problems) text += QByteArray::fromStdString(to_text(problem)) + '\n';
    return text;
}

bool same(const Net& a, const Net& b) {
    if (a.layers.size() != b.layers.size() || a.name != b.name) return false;
    for (std::size_t i = 0; i < a.layers.size(); ++i) {
        const auto &x = a.layers[i], &y = b.layers[i];
        if (x.name != y.name || x.type != y.type || x.parents != y.parents || x.split != y.split ||
            x.filter != y.filter || x.strides != y.strides || x.window != y.window || x.pad != y.pad ||
            x.input != y.input || x.output != y.output || x.parameters != y.parameters ||
            x.activation != y.activation || x.normalizer != y.normalizer)
            return false;
    }
    return true;
}

}  // namespace

class TestPaleoNetwork : public QObject {
    Q_OBJECT

private slots:
    void round_trip_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name :
             {"alex_v2", "alex_v2_1gpu", "alex_v2_2gpu", "alex_v2_4gpu", "alex_v2_8gpu", "inception_v3", "nin", "vgg16",
              "quirk_truncated_walk", "synthetic_coverage", "synthetic_deconv"})
            QTest::newRow(name) << name;
    }
    void round_trip() {
        QFETCH(QString, name);
        const auto& net = paleo_test::net(name.toStdString());
        const auto text = write_paleo_network(net);
        const auto again = read_paleo_network(text, "again.json");
        QVERIFY2(again, again ? "" : shown(again.error()).constData());
        QVERIFY(same(net, *again));
        QCOMPARE(write_paleo_network(*again), text);
        QCOMPARE(again->warnings.size(), net.warnings.size());
    }

    void unknown_fields_survive() {
        const auto net =
            read(net_of(conv("c", "data", "3, 3, 3, 4", ", \"bias\": false, \"colour\": {\"r\": [1, 2]}")));
        QVERIFY(net);
        QCOMPARE(shown(net->warnings), QByteArray("net.json:4:136: warning: layers › c › colour: The field \"colour\" "
                                                  "is not known here; it is ignored.\n"));
        QVERIFY(write_paleo_network(*net).find("\"colour\": {\"r\": [1, 2]}") != std::string::npos);
        QVERIFY(write_paleo_network(*net).find("\"bias\": false") != std::string::npos);
    }

    /// SAME: ⌈image / stride⌉; half of what is missing, rounded down, also where that is negative. No row of PALEO's
    /// has an image that the stride does not divide, or a padding of −1.
    void same_padding() {
        const auto net = read(net_of(conv("a", "data", "1, 1, 3, 4").replace("[1, 1, 1, 1]", "[1, 2, 2, 1]") + ",\n" +
                                     conv("b", "data", "2, 4, 3, 4").replace("[1, 1, 1, 1]", "[1, 3, 3, 1]")));
        QVERIFY2(net, net ? "" : shown(net.error()).constData());
        const Layer &a = net->layers[1], &b = net->layers[2];
        QCOMPARE(paleo_test::joined(a.output), std::string("2x4x4x4"));
        QCOMPARE(a.pad, (std::array<std::int64_t, 2>{-1, -1}));  // 3·2 + 1 − 8 = −1
        QCOMPARE(paleo_test::joined(b.output), std::string("2x3x3x4"));
        QCOMPARE(b.pad, (std::array<std::int64_t, 2>{0, 1}));  // 2·3 + 2 − 8 = 0, 2·3 + 4 − 8 = 2
    }

    void blocks_splits_and_references() {
        const auto net =
            read(net_of(R"("b": {"type": "Block", "parents": ["data"], "endpoint": "end", "layers": {)" +
                        conv("x/y", "z").replace("[\"z\"]", "[]") +
                        R"(, "end": {"parents": ["x/y"], "type": "Softmax"}}},
  "m": {"type": "ModelParallel", "splits": 2, "parents": ["data"], "layers": {)" +
                        conv("p", "q").replace("[\"q\"]", "[]") + ", " + conv("s", "p@self", "1, 1, 2, 4") +
                        R"(, "j": {"parents": ["s@all"], "type": "Concatenate", "dim": 3}}},
  "last": {"parents": ["m/j@all"], "type": "Elementwise"},
  "one": {"parents": ["m/j@1"], "type": "Dropout"},
  "after": {"parents": ["b"], "type": "Dropout"})"));
        QVERIFY2(net, net ? "" : shown(net.error()).constData());
        const auto layer = [&](std::string_view name) -> const Layer& {
            for (const auto& l : net->layers)
                if (l.name == name) return l;
            qFatal("no layer %s", std::string(name).c_str());
            return net->layers.front();
        };
        const auto parent_names = [&](std::string_view name) {
            std::string text;
            for (const int p : layer(name).parents) text += net->layers[static_cast<std::size_t>(p)].name + " ";
            return text;
        };
        QCOMPARE(parent_names("b/x/y"), std::string("data "));
        QCOMPARE(parent_names("b/end"), std::string("b/x/y "));
        QCOMPARE(parent_names("after"), std::string("b/end "));
        QCOMPARE(parent_names("m/s@1"), std::string("m/p@1 "));
        QCOMPARE(parent_names("m/j@0"), std::string("m/s@0 m/s@1 "));
        QCOMPARE(parent_names("last"), std::string("m/j@0 m/j@1 "));
        QCOMPARE(parent_names("one"), std::string("m/j@1 "));
        QCOMPARE(layer("m/p@0").filter[3], 2);  // outputs divided by the splits
        QCOMPARE(layer("m/s@0").output[3], 2);
        QCOMPARE(layer("m/j@1").output[3], 4);
        QCOMPARE(layer("m/j@1").split, 1);
        QCOMPARE(layer("last").split, not_split);
        QVERIFY(layer("m/p@0").reads_data && !layer("m/s@0").reads_data);
    }

    void bad_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const QByteArray& layers, const QByteArray& message) {
            QTest::newRow(name) << net_of(layers) << message;
        };
        const QByteArray c = conv("c", "data");
        row("unknown parent", conv("conv1", "dta"),
            "4:24: layers › conv1: There is no layer \"dta\"; did you mean \"data\"?");
        row("its own parent", conv("c", "c"),
            "4:20: layers › c: The layer is its own parent; remove one of these connections.");
        row("circle", conv("a", "b") + ",\n" + conv("b", "a"),
            "4:20: layers › a: The layers form a circle: \"a\" → \"b\" → \"a\"; remove one of these connections.");
        row("channels", conv("c", "data", "3, 3, 5, 4"),
            "4:63: layers › c: The filter expects 5 input channels, \"data\" gives 3; write 3 as the third number of "
            "\"filter\", or -1 to take what "
            "comes.");
        row("zero size", conv("c", "data", "0, 3, 3, 4"),
            "4:63: layers › c › filter: The sizes of a filter are at least 1; write [height, width, in, out]; for a "
            "Convolution, in = -1 takes what "
            "comes.");
        row("negative size", conv("c", "data", "3, 3, 3, -4"),
            "4:73: layers › c › filter: This must be a whole number from -1 to 2147483648, not -4; write a whole "
            "number from -1 to 2147483648.");
        row("overflowing size", conv("c", "data", "3, 3, 3, 99999999999999999999"),
            "4:73: layers › c › filter: This must be a whole number from -1 to 2147483648, not 99999999999999999999; "
            "write a whole number from -1 to "
            "2147483648.");
        row("overflowing product", conv("c", "data", "2147483648, 2147483648, 3, 2147483648"),
            "4:63: layers › c: The filter has too many weights; use smaller sizes.");
        row("three numbers", conv("c", "data", "3, 3, 3"),
            "4:63: layers › c › filter: This list must have 4 numbers, not 3; write 4 whole numbers.");
        row("large filter", conv("c", "data", "9, 9, 3, 4").replace("SAME", "VALID"),
            "4:63: layers › c: The filter 9×9 is larger than its input 8×8×3; use a smaller one, or \"padding\": "
            "\"SAME\".");
        row("padding", QByteArray(c).replace("\"SAME\"", "\"same\""),
            "4:88: layers › c › padding: This is no padding that PALEO knows here; write \"SAME\", \"VALID\" or "
            "[height, width].");
        row("zero stride", QByteArray(c).replace("[1, 1, 1, 1]", "[1, 0, 1, 1]"),
            "4:111: layers › c › strides: This must be a whole number from 1 to 2147483648, not 0; write a whole "
            "number from 1 to 2147483648.");
        row("batch stride", QByteArray(c).replace("[1, 1, 1, 1]", "[2, 1, 1, 1]"),
            "4:107: layers › c › strides: A stride goes over height and width only; write [1, height, width, 1].");
        row("missing field",
            R"("p": {"parents": ["data"], "type": "Pooling", "ksize": [1, 2, 2, 1], "padding": "VALID"})",
            "4:8: layers › p: The field \"strides\" is missing; add it; it is a list.");
        row("no parents", QByteArray(c).replace("[\"data\"]", "[]"),
            "4:20: layers › c: The layer has no parents; name the layers it reads; only an Input has none.");
        row("parents missing", R"("s": {"type": "Softmax"})",
            "4:8: layers › s: The field \"parents\" is missing; add it; it is a list.");
        row("wrong type of parents", R"("s": {"type": "Softmax", "parents": "data"})",
            "4:39: layers › s › parents: The field \"parents\" must be a list, not \"data\"; write a list here.");
        row("wrong type of layer", R"("s": 5)",
            "4:8: layers › s: This must be an object, not a number; write { \"name\": value, ... }.");
        row("duplicate", conv("c", "data") + ",\n" + conv("c", "data"),
            "5:1: The name \"c\" is used twice in one object; rename or remove one of them; the first is on line 4.");
        row("duplicate after unfolding",
            "\"b/c\": {\"parents\": [\"data\"], \"type\": \"Softmax\"},\n\"b\": {\"type\": \"Block\", \"parents\": "
            "[\"data\"], \"layers\": {\"c\": {\"parents\": [], \"type\": \"Softmax\"}}}",
            "5:56: layers › b/c: Two layers are called \"b/c\"; rename one of them.");
        row("shapes differ", conv("a", "data") + ",\n" + conv("b", "data", "3, 3, 3, 5") + R"(,
"sum": {"type": "Elementwise", "parents": ["a", "b"]})",
            "6:43: layers › sum: \"a\" gives 8×8×4, but \"b\" gives 8×8×5; all parents of an Elementwise layer have "
            "the same shape.");
        row("join differs", conv("a", "data") + R"(,
"p": {"type": "Pooling", "ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID", "parents": ["data"]},
"cat": {"type": "Concatenate", "dim": 3, "parents": ["a", "p"]})",
            "6:53: layers › cat: \"a\" gives 8×8×4, but \"p\" gives 4×4×3; parents of a Concatenate layer differ only "
            "in the dimension \"dim\".");
        row("two parents", conv("a", "data") + R"(, "s": {"type": "Softmax", "parents": ["a", "data"]})",
            "4:158: layers › s: A layer of type Softmax reads one layer, not 2; join them with a Concatenate or "
            "Elementwise layer first.");
        row("flat input", R"("f": {"type": "InnerProduct", "num_outputs": 5, "parents": ["data"]}, )" + conv("c", "f"),
            "4:90: layers › c: A layer of type Convolution needs an image (height, width, channels), but gets 5; put "
            "it before the layers that "
            "flatten, or reshape first.");
        row("reshape", R"("r": {"type": "Reshape", "output_shape": [-1, 5, 5], "parents": ["data"]})",
            "4:44: layers › r: The new shape does not hold the 8×8×3 elements of \"data\"; its sizes must multiply to "
            "the same number; -1 may stand "
            "first (batch) or last (the rest).");
        row("outside the block",
            R"("b": {"type": "Block", "parents": ["data"], "layers": {"c": {"parents": ["data"], "type": "Softmax"}}})",
            "4:75: layers › b/c: The parent \"data\" is outside the block; a layer sees only its own block; leave "
            "\"parents\" empty to read what the "
            "block reads, or move the layer out of the block.");
        row("block without endpoint",
            R"("b": {"type": "Block", "parents": ["data"], "layers": {"c": {"parents": [], "type": "Softmax"}}},
"s": {"type": "Softmax", "parents": ["b"]})",
            "5:37: layers › s: The block \"b\" has no endpoint, so it cannot be a parent; give it an \"endpoint\", or "
            "name one of its layers: "
            "\"b/...\".");
        row("wrong endpoint",
            R"("b": {"type": "Block", "endpoint": "d", "parents": ["data"], "layers": {"conv": {"parents": [], "type": "Softmax"}}})",
            "4:3: layers › b: The endpoint \"d\" is no layer of this block; name one of the block's layers.");
        row("unknown block parent",
            R"("b": {"type": "Block", "parents": ["dat"], "layers": {"c": {"parents": [], "type": "Softmax"}, "d": {"parents": [], "type": "Softmax"}}})",
            "4:37: layers › b: There is no layer \"dat\"; did you mean \"data\"?");
        row("block in block",
            R"("b": {"type": "Block", "parents": ["data"], "layers": {"c": {"type": "Block", "parents": [], "layers": {}}}})",
            "4:63: layers › b › layers › c: A block cannot stand inside a block; put its layers directly into the "
            "outer block.");
        row("plain name of a split layer",
            R"("m": {"type": "ModelParallel", "splits": 2, "parents": ["data"], "layers": {"c": {"parents": [], "type": "Softmax"}}},
"s": {"type": "Softmax", "parents": ["m/c"]})",
            "5:37: layers › s: The parent \"m/c\" is split into several copies; write \"m/c@all\" for all copies.");
        row("copies of an unsplit layer", R"("s": {"type": "Softmax", "parents": ["data@all"]})",
            "4:39: layers › s: The parent \"data\" is not split, so it has no copies; write \"data\" alone.");
        row("more splits than channels",
            R"("m": {"type": "ModelParallel", "splits": 5, "parents": ["data"], "layers": {)" +
                conv("c", "z").replace("[\"z\"]", "[]") + "}}",
            "4:133: layers › m/c@0: The 4 output channels do not divide into 5 splits: not even one for each; use "
            "fewer splits or more channels.");
        row("no splits",
            R"("m": {"type": "ModelParallel", "splits": 0, "parents": ["data"], "layers": {"c": {"parents": [], "type": "Softmax"}}})",
            "4:44: layers › m › splits: This must be a whole number from 1 to 100000, not 0; write a whole number from "
            "1 to 100000.");
        row("huge splits",
            R"("m": {"type": "ModelParallel", "splits": 100000, "parents": ["data"], "layers": {"c": {"parents": [], "type": "Softmax"}}})",
            "4:84: layers › m/c@99999: The network has too many layers after its blocks are unfolded; use fewer "
            "splits; at most 100000 layers are "
            "allowed.");
        row("quadratic connections",
            R"("m": {"type": "ModelParallel", "splits": 40000, "parents": ["data"], "layers": {"c": {"parents": [], "type": "Softmax"}, "d": {"parents": ["c@all"], "type": "Concatenate", "dim": 1}}})",
            "4:124: layers › m/d@98: The network has too many connections; use fewer splits.");
        row("at in a name", conv("a@0", "data"),
            "4:3: layers › a@0: A layer's name may not contain '@'; rename it; '@' marks the copies of a split layer.");
        row("deconvolution",
            R"("d": {"type": "Deconvolution", "filter": [3, 3, 5, 3], "strides": [1, 2, 2, 1], "padding": "SAME", "output_shape": [2, 20, 20, 5], "parents": ["data"]})",
            "4:118: layers › d: An output of 20×20×5 belongs to an input of 10×10, but the input is 8×8×3; change "
            "output_shape or strides: the "
            "convolution this layer undoes must give the input's size.");
        QTest::newRow("no data")
            << QByteArray(R"({"layers": {"input": {"parents": [], "type": "Input", "tensor": [2, 8]}}})")
            << QByteArray(
                   "1:1: layers: The network has no layer called \"data\"; rename the Input \"input\" to \"data\".");
        QTest::newRow("data is no input")
            << QByteArray(
                   R"({"layers": {"data": {"parents": ["x"], "type": "Softmax"}, "x": {"parents": [], "type": "Input", "tensor": [2, 8]}}})")
            << QByteArray("1:13: layers › data: The layer \"data\" must be an Input; write \"type\": \"Input\".");
        QTest::newRow("batch")
            << QByteArray(R"({"layers": {"data": {"parents": [], "type": "Input", "tensor": [2147483648, 8]}}})")
            << QByteArray(
                   "1:64: layers › data › tensor: The batch is larger than 1073741824; write a smaller first number.");
        QTest::newRow("tensor too large")
            << QByteArray(
                   R"({"layers": {"data": {"parents": [], "type": "Input", "tensor": [1, 2147483648, 2147483648]}}})")
            << QByteArray(
                   "1:13: layers › data: The layer's output 2147483648×2147483648 is too large; use smaller sizes.");
        QTest::newRow("no layers") << QByteArray("{\"name\": \"x\"}")
                                   << QByteArray("1:1: The field \"layers\" is missing; add it; it is an object.");
        QTest::newRow("list") << QByteArray("[]")
                              << QByteArray("1:1: This must be an object, not a list; write { \"name\": value, ... }.");
        QTest::newRow("cut off")
            << net_of(c).left(120)
            << QByteArray(
                   "4:26: The file ends too early: the list that begins on line 4, column 20 is not closed; add the "
                   "missing ']', or copy the file again; it may have been cut off.");
    }

    void bad() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, message);
        const auto net = read(text);
        QVERIFY(!net);
        QCOMPARE(shown(net.error()), "net.json:" + message + "\n");
    }

    void all_problems_at_once() {
        const auto net = read(
            net_of(conv("a", "dta") + ",\n" + conv("b", "data", "3, 3, 3, 0") + ",\n\"p\": {\"type\": \"Pooling\"}"));
        QVERIFY(!net);
        QCOMPARE(net.error().size(), 5u);
    }

    void warnings_data() {
        QTest::addColumn<QByteArray>("layers");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("unknown type")
            << QByteArray(
                   R"("n": {"type": "Convlution", "parents": ["data"]}, "o": {"type": "Convlution", "parents": ["n"]})")
            << QByteArray(
                   "4:17: warning: layers › n › type: PALEO does not know the type \"Convlution\": such layers keep "
                   "their shape and cost nothing; did you mean \"Convolution\"?");
        QTest::newRow("unknown field") << conv("c", "data", "3, 3, 3, 4", ", \"stride\": 2")
                                       << QByteArray(
                                              "4:121: warning: layers › c › stride: The field \"stride\" is not known "
                                              "here; did you mean \"strides\"?");
        QTest::newRow("splits that do not divide")
            << QByteArray(R"("m": {"type": "ModelParallel", "splits": 3, "parents": ["data"], "layers": {)" +
                          conv("c", "z").replace("[\"z\"]", "[]") + "}}")
            << QByteArray(
                   "4:133: warning: layers › m/c@0: The 4 output channels do not divide into 3 splits: PALEO drops the "
                   "remaining 1; use a number "
                   "of channels that 3 divides.");
        QTest::newRow("unreachable")
            << QByteArray(R"("other": {"type": "Input", "tensor": [2, 8], "parents": []})")
            << QByteArray(
                   "4:3: warning: layers › other: The layer is not reached from \"data\"; PALEO would drop it; connect "
                   "it to \"data\"; it is counted here.");
        QTest::newRow("classes") << QByteArray(R"("s": {"type": "Softmax", "num_classes": 7, "parents": ["data"]})")
                                 << QByteArray(
                                        "4:3: warning: layers › s: The Softmax has 7 classes, but \"data\" gives 3 "
                                        "values; make both the same.");
    }
    void warnings() {
        QFETCH(QByteArray, layers);
        QFETCH(QByteArray, message);
        const auto net = read(net_of(layers));
        QVERIFY2(net, net ? "" : shown(net.error()).constData());
        QCOMPARE(shown(net->warnings), "net.json:" + message + "\n");
    }

    /// Every cut of a whole file gives problems, never a net and never a crash.
    void every_truncation() {
        const auto text = paleo_test::file_text("nets/synthetic_deconv.json");
        const auto end = text.rfind('}');
        for (std::size_t n = 0; n < end; ++n) QVERIFY(!read_paleo_network(std::string_view(text).substr(0, n), "f"));
    }

    void a_description_made_by_a_program_is_checked() {
        Description description = paleo_test::net("nin").description;
        description.items[1].layer.strides = {1, 0, 0, 1};
        QVERIFY(!formats::build_paleo_network(description));
        description = paleo_test::net("nin").description;
        description.items[0].layer.shape = {};
        QVERIFY(!formats::build_paleo_network(description));
    }

    void nested_forks_have_bounds() {
        // data → a → {b → {c, d}, e} → sum: a fork inside a branch, on which PALEO crashes.
        const auto net = read(net_of(conv("a", "data", "3, 3, 3, 3") + ",\n" + conv("b", "a", "3, 3, 3, 3") + ",\n" +
                                     conv("c", "b", "3, 3, 3, 3") + ",\n" + conv("d", "b", "1, 1, 3, 3") + ",\n" +
                                     conv("e", "a", "5, 5, 3, 3") +
                                     ",\n\"sum\": {\"type\": \"Elementwise\", \"parents\": [\"c\", \"d\", \"e\"]}"));
        QVERIFY(net);
        QVERIFY(!net->walk.empty());
        const auto plan = make_plan(*net, {});
        const Setup setup{*find_device("K20"), *find_link("ethernet"), 1.0, 1.0, 1.0, false};
        const auto point = simulate_model(plan, setup, 0);
        std::vector<LayerCost> costs;
        price_layers(plan, make_rates(plan.method, setup), 2.0, costs);
        const auto of = [&](std::string_view name) {
            for (std::size_t i = 0; i < net->layers.size(); ++i)
                if (net->layers[i].name == name) return costs[i].forward(false).value;
            return 0.0;
        };
        const double expected =
            of("data") + of("a") + std::max(of("b") + std::max(of("c"), of("d")), of("e")) + of("sum");
        QVERIFY(std::abs(point.forward.lower.value - expected) <= 1e-12 * expected);
    }

    void a_truncated_walk_takes_the_longest_path() {
        const auto& net = paleo_test::net("quirk_truncated_walk");
        const auto& plan = paleo_test::plan("quirk_truncated_walk", Era::head);
        const Setup setup{*find_device("K20"), *find_link("ethernet"), 1.0, 1.0, 1.0, false};
        std::vector<LayerCost> costs;
        price_layers(plan, make_rates(plan.method, setup), 8.0, costs);
        Seconds off_path;  // the branch b1 is shorter than a1, a2, and runs beside them
        Seconds all;
        for (std::size_t i = 0; i < net.layers.size(); ++i) {
            all += costs[i].forward(false);
            if (net.layers[i].name == "block/b1") off_path += costs[i].forward(false);
        }
        const auto point = simulate_model(plan, setup, 0);
        QVERIFY(std::abs((point.forward.lower - (all - off_path)).value) < 1e-15);
    }

    void a_walk_that_meets_a_layer_twice_is_not_used() {
        // "sum" is reached from inside the fork of "a" and from "data": PALEO walks it twice, and never comes to
        // "last". Seven layers are walked, and seven there are.
        const auto layer = [](const char* name, const char* type, const char* parents) {
            return QByteArray("'") + name + "': {'type': '" + type + "', 'parents': [" + parents + "]}";
        };
        const QByteArrayList layers{layer("end", "Dropout", "'data'"),
                                    layer("a", "Dropout", "'data'"),
                                    layer("b", "Dropout", "'a'"),
                                    layer("another_end", "Dropout", "'a'"),
                                    layer("sum", "Elementwise", "'a', 'data'"),
                                    layer("last", "Elementwise", "'sum', 'b'")};
        const auto net = read(net_of(layers.join(",\n").replace("'", "\"")));
        QVERIFY2(net, net ? "" : shown(net.error()).constData());
        std::set<std::string> names;
        for (const auto& made : net->layers) names.insert(made.name);
        QCOMPARE(names.size(), 7u);
        QVERIFY(net->walk.empty());
        QCOMPARE(net->warnings.size(), 1u);
    }

    void a_long_chain_of_forks_does_not_recurse_without_end() {
        QByteArray layers;
        QByteArray last = "data";
        for (int i = 0; i < 3000; ++i) {
            const QByteArray name = "n" + QByteArray::number(i);
            layers += (i ? ",\n\"" : "\"") + name + "\": {\"type\": \"Softmax\", \"parents\": [\"" + last +
                      "\"]},\n\"leaf" + QByteArray::number(i) + "\": {\"type\": \"Softmax\", \"parents\": [\"" + last +
                      "\"]}";
            last = name;
        }
        const auto net = read(net_of(layers));
        QVERIFY2(net, net ? "" : shown(net.error()).constData());
        QCOMPARE(net->layers.size(), 6001u);
        QVERIFY(net->walk.empty());
        const Setup setup{*find_device("K20"), *find_link("ethernet"), 1.0, 1.0, 1.0, false};
        QVERIFY(simulate_model(make_plan(*net, {Era::head, all_corrections()}), setup, 0).forward.lower > Seconds{});
    }
};

QTEST_APPLESS_MAIN(TestPaleoNetwork)
#include "tst_paleo_network.moc"
