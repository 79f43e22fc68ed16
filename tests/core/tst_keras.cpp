// SPDX-License-Identifier: GPL-3.0-or-later
// Keras models as ours: shapes, parameters and multiply-adds worked out by hand, and what is said of broken ones.
#include <QtTest>

#include "core/formats/library.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::messages;

namespace {

std::string layer(const std::string& type, const std::string& name, const std::string& config,
                  const std::string& reads = {}) {
    return "{\"class_name\": \"" + type + "\", \"name\": \"" + name + "\", \"config\": {\"name\": \"" + name + "\"" +
           (config.empty() ? "" : ", ") + config + "}, \"inbound_nodes\": [" + reads + "]}";
}

std::string input(const std::string& name, const std::string& shape) {
    return layer("InputLayer", name, "\"batch_input_shape\": " + shape);
}

/// What a call reads, as Keras 2 writes it: ["a", 0, 0, {}].
std::string from(const std::string& names) {
    std::string text;
    std::istringstream all(names);
    for (std::string name; all >> name;) text += (text.empty() ? "" : ", ") + ("[\"" + name + "\", 0, 0, {}]");
    return '[' + text + ']';
}

std::string model(const std::string& layers, const std::string& out = "y", const std::string& in = "x") {
    std::string ins;
    std::istringstream all(in);
    for (std::string name; all >> name;) ins += (ins.empty() ? "" : ", ") + ("[\"" + name + "\", 0, 0]");
    return "{\"class_name\": \"Model\", \"config\": {\"name\": \"m\", \"layers\": [\n" + layers +
           "],\n\"input_layers\": [" + ins + "], \"output_layers\": [[\"" + out + "\", 0, 0]]}}";
}

/// One layer "y" of the class, over an input of the shape.
std::string one(const std::string& type, const std::string& config, const std::string& shape) {
    return model(input("x", shape) + ",\n" + layer(type, "y", config, from("x")));
}

const char* const image = "[null, 8, 10, 3]";
const char* const first = "[null, 3, 8, 10]";
const char* const steps = "[null, 12, 5]";

Shape shape_of(const Network& network, std::string_view name) {
    const auto at = network.position(name);
    return at ? network.facts()[static_cast<std::size_t>(*at)].output : Shape{};
}

/// The shape of the last layer.
Shape last_shape(const Network& network) { return network.facts().back().output; }

std::shared_ptr<const Network> read(const std::string& text, Problems* warnings = nullptr) {
    const auto network = read_any_network(text, "model.json", warnings);
    if (!network) qWarning("%s", messages(network.error()).c_str());
    return network ? *network : nullptr;
}

}  // namespace

class Keras : public QObject {
    Q_OBJECT
private slots:
    void shapes_data();
    void shapes();
    void three_versions_say_the_same();
    void sequential_in_both_forms();
    void shared_layers_have_one_set_of_weights();
    void models_within_models();
    void channels_first_becomes_last();
    void both_directions_and_states();
    void over_time();
    void attention_of_several_heads();
    void open_dimensions();
    void unknown_classes_are_never_free();
    void words_of_the_third_version();
    void tensorflow_js();
    void broken_data();
    void broken();
    void mutated_texts_never_crash();
};

void Keras::shapes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shape");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("multiply_adds");
    const auto row = [](const char* name, const std::string& text, const char* shape, qint64 parameters, qint64 macs) {
        QTest::newRow(name) << QString::fromStdString(text) << QString(shape) << parameters << macs;
    };
    // Convolutions: out = (in - (k - 1)·d - 1) / s + 1 of "valid", in / s rounded up of "same".
    row("convolution", one("Conv2D", "\"filters\": 6, \"kernel_size\": [3, 3]", image), "6×8×6", 6 * 27 + 6, 48 * 162);
    row("convolution, same",
        one("Conv2D", R"("filters": 6, "kernel_size": 3, "strides": [2, 2], "padding": "same")", image), "4×5×6", 168,
        20 * 162);
    row("convolution, dilated",
        one("Conv2D", R"("filters": 1, "kernel_size": 3, "dilation_rate": 2, "use_bias": false)", image), "4×6×1", 27,
        24 * 27);
    row("convolution, groups", one("Conv2D", R"("filters": 6, "kernel_size": 1, "groups": 3)", image), "8×10×6", 12,
        80 * 6);
    row("convolution, Keras 1",
        one("Convolution2D",
            R"("nb_filter": 6, "nb_row": 1, "nb_col": 3, "subsample": [2, 1], "border_mode": "same", "bias": false)",
            image),
        "4×10×6", 54, 40 * 54);
    row("convolution and another activation",
        one("Conv2D", R"("filters": 2, "kernel_size": 1, "activation": "gelu")", image), "8×10×2", 8, 80 * 6);
    row("sequence", one("Conv1D", R"("filters": 7, "kernel_size": [3], "strides": 2)", steps), "5×7", 15 * 7 + 7,
        5 * 105);
    row("sequence, causal",
        one("Conv1D", R"("filters": 7, "kernel_size": 3, "padding": "causal", "dilation_rate": 2)", steps), "12×7", 112,
        12 * 105);
    row("sequence, Keras 1",
        one("Convolution1D", R"("nb_filter": 7, "filter_length": 3, "subsample_length": 2)", steps), "5×7", 112,
        5 * 105);
    row("volume", one("Conv3D", "\"filters\": 2, \"kernel_size\": [1, 2, 3]", "[null, 4, 5, 6, 3]"), "4×4×4×2", 36 + 2,
        64 * 36);
    row("depthwise", one("DepthwiseConv2D", R"("kernel_size": 3, "depth_multiplier": 2)", image), "6×8×6", 54 + 6,
        48 * 54);
    row("separable", one("SeparableConv2D", R"("filters": 4, "kernel_size": 3, "depth_multiplier": 2)", image), "6×8×4",
        54 + 24 + 4, 48 * (54 + 24));
    row("transposed, same",
        one("Conv2DTranspose", R"("filters": 2, "kernel_size": 3, "strides": 2, "padding": "same")", image), "16×20×2",
        3 * 9 * 2 + 2, 80 * 54);
    row("transposed, valid", one("Conv2DTranspose", R"("filters": 2, "kernel_size": 3, "strides": 2)", image),
        "17×21×2", 56, 80 * 54);
    row("transposed, a stride beyond the kernel",
        one("Conv2DTranspose", R"("filters": 2, "kernel_size": 1, "strides": 3)", image), "24×30×2", 8, 80 * 6);
    row("pooling", one("MaxPooling2D", R"("pool_size": [2, 2], "strides": null)", image), "4×5×3", 0, 0);
    row("pooling, same", one("AveragePooling2D", R"("pool_size": 3, "strides": 2, "padding": "same")", image), "4×5×3",
        0, 0);
    row("pooling of a sequence", one("MaxPooling1D", R"("pool_size": 3)", steps), "4×5", 0, 0);
    row("pooling, Keras 1", one("MaxPooling1D", R"("pool_length": 5, "stride": 2, "border_mode": "valid")", steps),
        "4×5", 0, 0);
    row("all of an image", one("GlobalAveragePooling2D", "", image), "3", 0, 0);
    row("all of an image, axes kept", one("GlobalMaxPooling2D", "\"keepdims\": true", image), "1×1×3", 0, 0);
    row("all of a sequence", one("GlobalMaxPooling1D", "", steps), "5", 0, 0);
    row("all of a volume", one("GlobalAveragePooling3D", "", "[null, 2, 3, 4, 5]"), "5", 0, 0);
    row("upsampling", one("UpSampling2D", "\"size\": [2, 3]", image), "16×30×3", 0, 0);
    row("upsampling of a sequence", one("UpSampling1D", "\"length\": 3", steps), "36×5", 0, 0);
    row("resized", one("Resizing", R"("height": 5, "width": 6)", image), "5×6×3", 0, 0);
    row("padding", one("ZeroPadding2D", "\"padding\": [[1, 2], [3, 4]]", image), "11×17×3", 0, 0);
    row("padding, each axis", one("ZeroPadding2D", "\"padding\": [1, 2]", image), "10×14×3", 0, 0);
    row("cropping", one("Cropping2D", "\"cropping\": [[1, 2], [3, 4]]", image), "5×3×3", 0, 0);
    row("cropping of a sequence", one("Cropping1D", "\"cropping\": [2, 3]", steps), "7×5", 0, 0);
    row("dense", one("Dense", "\"units\": 7", "[null, 5]"), "7", 42, 35);
    row("dense at every step", one("Dense", R"("units": 7, "use_bias": false, "activation": "relu")", steps), "12×7",
        35, 12 * 35);
    row("dense, Keras 1", one("Dense", R"("output_dim": 7, "input_dim": 5, "bias": false)", "[null, 5]"), "7", 35, 35);
    row("maxout", one("MaxoutDense", R"("output_dim": 7, "nb_feature": 3)", "[null, 5]"), "7", 3 * 42, 3 * 35);
    row("highway", one("Highway", R"("activation": "relu")", "[null, 5]"), "5", 2 * 30, 2 * 25);
    row("embedding", one("Embedding", R"("input_dim": 100, "output_dim": 4)", "[null, 12]"), "12×4", 400, 0);
    // A gate has input + state + 1 weights for each unit, and as many multiply-adds but one each step.
    row("lstm", one("LSTM", "\"units\": 6", steps), "6", 4 * 6 * (5 + 6 + 1), 12 * 4 * 6 * 11);
    row("lstm, Keras 1",
        one("LSTM", R"("output_dim": 6, "return_sequences": true, "inner_activation": "hard_sigmoid")", steps), "12×6",
        288, 12 * 264);
    row("gru", one("GRU", R"("units": 6, "return_sequences": true)", steps), "12×6", 3 * 6 * 12, 12 * 3 * 66);
    row("gru, reset after", one("GRU", R"("units": 6, "reset_after": true)", steps), "6", 3 * 6 * 13, 12 * 3 * 66);
    row("rnn without bias", one("SimpleRNN", R"("units": 6, "use_bias": false)", steps), "6", 66, 12 * 66);
    row("of cells",
        one("RNN",
            R"("cell": {"class_name": "StackedRNNCells", "config": {"cells": [)"
            R"({"class_name": "GRUCell", "config": {"units": 6}}, {"class_name": "LSTMCell", "config": {"units": 2}}]}})",
            steps),
        "2", 216 + 4 * 2 * 9, 12 * (198 + 4 * 2 * 8));
    row("of convolutions",
        one("ConvLSTM2D", R"("filters": 4, "kernel_size": [3, 3], "padding": "same")", "[null, 6, 8, 10, 3]"), "8×10×4",
        4 * 4 * (9 * 7 + 1), 0);
    row("both directions", one("Bidirectional", R"("layer": {"class_name": "GRU", "config": {"units": 6}})", steps),
        "12", 2 * 216, 2 * 12 * 198);
    row("both directions, averaged",
        one("Bidirectional",
            R"("merge_mode": "ave", "layer": {"class_name": "GRU", "config": {"units": 6, "return_sequences": true}})",
            steps),
        "12×6", 432, 2 * 12 * 198);
    row("batch normalization", one("BatchNormalization", "\"axis\": -1", image), "8×10×3", 6, 0);
    row("batch normalization, no scale", one("BatchNormalization", R"("axis": 3, "scale": false)", image), "8×10×3", 3,
        0);
    row("batch normalization, neither", one("BatchNormalization", R"("scale": false, "center": false)", image),
        "8×10×3", 0, 0);
    row("batch normalization of another axis", one("BatchNormalization", "\"axis\": 1", image), "10×3×8", 16, 0);
    row("layer normalization", one("LayerNormalization", "\"axis\": [2]", steps), "12×5", 10, 0);
    row("layer normalization of all axes", one("LayerNormalization", R"("axis": [1, 2, 3], "center": false)", image),
        "8×10×3", 240, 0);
    row("rms normalization", one("RMSNormalization", "", steps), "12×5", 5, 0);
    row("group normalization", one("GroupNormalization", "\"groups\": 3", image), "8×10×3", 6, 0);
    row("prelu of channels", one("PReLU", "\"shared_axes\": [1, 2]", image), "8×10×3", 3, 0);
    row("prelu of one slope", one("PReLU", "\"shared_axes\": [1, 2, 3]", image), "8×10×3", 1, 0);
    row("prelu of elements", one("PReLU", "\"shared_axes\": null", image), "8×10×3", 240, 0);
    row("activation", one("Activation", "\"activation\": \"swish\"", image), "8×10×3", 0, 0);
    row("flatten", one("Flatten", "\"data_format\": \"channels_last\"", image), "240", 0, 0);
    row("reshape", one("Reshape", "\"target_shape\": [4, -1]", image), "4×60", 0, 0);
    row("permute", one("Permute", "\"dims\": [2, 1]", steps), "5×12", 0, 0);
    row("repeat", one("RepeatVector", "\"n\": 4", "[null, 5]"), "4×5", 0, 0);
    row("dropout, Keras 1", one("Dropout", "\"p\": 0.25", image), "8×10×3", 0, 0);
    const auto two = [](const std::string& type, const std::string& config, const std::string& a,
                        const std::string& b) {
        return model(input("x", a) + ",\n" + input("z", b) + ",\n" + layer(type, "y", config, from("x z")), "y", "x z");
    };
    row("sum", two("Add", "", image, image), "8×10×3", 0, 0);
    row("product, repeated", two("Multiply", "", image, "[null, 1, 1, 3]"), "8×10×3", 0, 0);
    row("product, fewer axes", two("Multiply", "", steps, "[null, 5]"), "12×5", 0, 0);
    row("side by side", two("Concatenate", "\"axis\": -1", image, "[null, 8, 10, 4]"), "8×10×7", 0, 0);
    row("one after the other", two("Concatenate", "\"axis\": 1", steps, "[null, 3, 5]"), "15×5", 0, 0);
    row("dot", two("Dot", "\"axes\": [2, 2]", steps, "[null, 4, 5]"), "12×4", 0, 12 * 4 * 5);
    row("dot of vectors", two("Dot", "\"axes\": -1", "[null, 5]", "[null, 5]"), "1", 0, 5);
    row("merge, Keras 1", two("Merge", R"("mode": "concat", "concat_axis": 3)", image, image), "8×10×6", 0, 0);
    row("merge with a product", two("Merge", R"("mode": "mul", "concat_axis": 3)", image, image), "8×10×3", 0, 0);
}

void Keras::shapes() {
    QFETCH(QString, text);
    QFETCH(QString, shape);
    QFETCH(qint64, parameters);
    QFETCH(qint64, multiply_adds);
    const auto network = read(text.toStdString());
    QVERIFY(network);
    QCOMPARE(QString::fromStdString(to_text(last_shape(*network))), shape);
    QCOMPARE(network->parameters(), parameters);
    QCOMPARE(network->multiply_adds(), multiply_adds);
    QCOMPARE(network->default_batch(), 32);
}

/// A convolution, a normalization and a dense layer in the words of each version.
void Keras::three_versions_say_the_same() {
    const std::string of_1 = R"({"class_name": "Sequential", "keras_version": "1.2.2", "config": [
 {"class_name": "Convolution2D", "config": {"name": "c", "nb_filter": 4, "nb_row": 3, "nb_col": 3, "border_mode": "same",
  "subsample": [2, 2], "dim_ordering": "tf", "bias": true, "activation": "relu", "batch_input_shape": [null, 8, 8, 3]}},
 {"class_name": "BatchNormalization", "config": {"name": "n", "mode": 0, "axis": -1}},
 {"class_name": "Flatten", "config": {"name": "f"}},
 {"class_name": "Dense", "config": {"name": "d", "output_dim": 10, "activation": "softmax", "bias": true}}]})";
    const std::string of_2 =
        R"({"class_name": "Sequential", "keras_version": "2.2.4", "config": {"name": "s", "layers": [
 {"class_name": "Conv2D", "config": {"name": "c", "filters": 4, "kernel_size": [3, 3], "padding": "same",
  "strides": [2, 2], "data_format": "channels_last", "use_bias": true, "activation": "relu", "batch_input_shape": [null, 8, 8, 3]}},
 {"class_name": "BatchNormalization", "config": {"name": "n", "axis": -1, "scale": true, "center": true}},
 {"class_name": "Flatten", "config": {"name": "f", "data_format": "channels_last"}},
 {"class_name": "Dense", "config": {"name": "d", "units": 10, "activation": "softmax", "use_bias": true}}]}})";
    const auto tensor = [](const char* of, const char* shape) {
        return std::string(R"([{"args": [{"class_name": "__keras_tensor__", "config": {"shape": )") + shape +
               R"(, "dtype": "float32", "keras_history": [")" + of + R"(", 0, 0]}}], "kwargs": {}}])";
    };
    const std::string of_3 =
        R"({"module": "keras", "class_name": "Functional", "registered_name": "Functional", "config": {"name": "f", "layers": [
 {"module": "keras.layers", "class_name": "InputLayer", "name": "input", "config": {"batch_shape": [null, 8, 8, 3], "dtype": "float32", "name": "input"}, "inbound_nodes": []},
 {"module": "keras.layers", "class_name": "Conv2D", "name": "c", "config": {"name": "c", "filters": 4, "kernel_size": [3, 3], "padding": "same",
  "strides": [2, 2], "activation": {"module": "builtins", "class_name": "function", "config": "relu", "registered_name": "function"}}, "inbound_nodes": )" +
        tensor("input", "[null, 8, 8, 3]") +
        R"(}, {"module": "keras.layers", "class_name": "BatchNormalization", "name": "n", "config": {"name": "n", "axis": -1}, "inbound_nodes": )" +
        tensor("c", "[null, 4, 4, 4]") +
        R"(}, {"module": "keras.layers", "class_name": "Flatten", "name": "f", "config": {"name": "f"}, "inbound_nodes": )" +
        tensor("n", "[null, 4, 4, 4]") +
        R"(}, {"module": "keras.layers", "class_name": "Dense", "name": "d", "config": {"name": "d", "units": 10, "activation": "softmax"}, "inbound_nodes": )" +
        tensor("f", "[null, 64]") + R"(}], "input_layers": [["input", 0, 0]], "output_layers": [["d", 0, 0]]}})";
    for (const std::string& text : {of_1, of_2, of_3}) {
        Problems warnings;
        const auto network = read(text, &warnings);
        QVERIFY(network);
        QVERIFY2(warnings.empty(), messages(warnings).c_str());
        QCOMPARE(network->size(), 5);
        QCOMPARE(shape_of(*network, "c"), (Shape{4, 4, 4}));
        QCOMPARE(network->parameters(), 4 * 27 + 4 + 8 + 64 * 10 + 10);
        QCOMPARE(network->multiply_adds(), 16 * 4 * 27 + 640);
        QCOMPARE(std::get<std::string>(attribute(network->layers()[1], "activation")), std::string("relu"));
        QCOMPARE(std::get<std::string>(attribute(network->layers()[4], "activation")), std::string("softmax"));
    }
}

void Keras::sequential_in_both_forms() {
    // With an input layer, with the shape beside the layers, with a batch that is stated.
    for (
        const char* text :
        {R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "InputLayer", "config": {"batch_shape": [16, 5]}},
 {"class_name": "Dense", "config": {"units": 3}}]}})",
         R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "Dense", "config": {"units": 3}}],
 "build_input_shape": [16, 5]}})",
         R"({"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {"units": 3}, "build_config": {"input_shape": [16, 5]}}]})",
         R"({"class_name": "Sequential", "config": [{"class_name": "Sequential", "config": [
 {"class_name": "Dense", "config": {"units": 3, "batch_input_shape": [16, 5]}}]}]})"}) {
        const auto network = read(text);
        QVERIFY2(network, text);
        QCOMPARE(network->parameters(), 18);
        QCOMPARE(network->default_batch(), 16);
    }
    // Keras 1: two models, joined.
    const auto joined = read(
        R"({"class_name": "Sequential", "config": [{"class_name": "Merge", "config": {"name": "m", "mode": "concat",
 "concat_axis": -1, "layers": [
 {"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {"name": "a", "output_dim": 3, "batch_input_shape": [null, 5]}}]},
 {"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {"name": "b", "output_dim": 4, "batch_input_shape": [null, 6]}}]}]}},
 {"class_name": "Dense", "config": {"name": "d", "output_dim": 2}}]})");
    QVERIFY(joined);
    QCOMPARE(shape_of(*joined, "m"), Shape{7});
    QCOMPARE(joined->parameters(), 18 + 28 + 16);
}

/// A dense layer called twice, and a model with one in it called twice.
void Keras::shared_layers_have_one_set_of_weights() {
    const std::string inner = R"({"class_name": "Sequential", "name": "tower", "config": {"name": "tower", "layers": [
 {"class_name": "Dense", "config": {"name": "d", "units": 3, "batch_input_shape": [null, 5]}}]}, "inbound_nodes": [[["x", 0, 0, {}]], [["z", 0, 0, {}]]]})";
    const std::string calls = R"([["x", 0, 0, {}]], [["z", 0, 0, {}]])",
                      joins = R"([["t", 0, 0, {}], ["t", 1, 0, {}]])";
    const std::string inputs = input("x", "[null, 5]") + ",\n" + input("z", "[null, 5]") + ",\n";
    const auto plain = read(model(
        inputs + layer("Dense", "t", "\"units\": 3", calls) + ",\n" + layer("Concatenate", "y", "\"axis\": -1", joins),
        "y", "x z"));
    QVERIFY(plain);
    QCOMPARE(plain->size(), 5);
    QCOMPARE(plain->parameters(), 18);
    QCOMPARE(plain->multiply_adds(), 30);
    const auto first_call = plain->position("t"), second = plain->position("t_2");
    QVERIFY(first_call && second);
    QVERIFY(plain->layers()[static_cast<std::size_t>(*second)].shares_weights_with ==
            plain->layers()[static_cast<std::size_t>(*first_call)].id);
    std::string twice = joins;
    for (auto at = twice.find("\"t\""); at != std::string::npos; at = twice.find("\"t\""))
        twice.replace(at, 3, "\"tower\"");
    const auto nested =
        read(model(inputs + inner + ",\n" + layer("Concatenate", "y", "\"axis\": -1", twice), "y", "x z"));
    QVERIFY(nested);
    QCOMPARE(nested->parameters(), 18);
    QVERIFY(nested->position("tower/d") && nested->position("tower/d_2"));
    // A layer without a kind of ours, whose weights are one tensor: a slope for each of four steps.
    const auto other = read(model(input("x", "[null, 4, 5]") + ",\n" + input("z", "[null, 4, 5]") + ",\n" +
                                      layer("PReLU", "p", "\"shared_axes\": [2]", calls) + ",\n" +
                                      layer("Add", "y", "", R"([["p", 0, 0, {}], ["p", 1, 0, {}]])"),
                                  "y", "x z"));
    QVERIFY(other);
    QCOMPARE(other->parameters(), 4);
    QCOMPARE(other->unknown_kinds(), 2);
}

void Keras::models_within_models() {
    // A model of two inputs, the second of which it names first.
    const std::string inner = R"({"class_name": "Functional", "name": "head", "config": {"name": "head", "layers": [
 {"class_name": "InputLayer", "name": "a", "config": {"name": "a", "batch_input_shape": [null, 5]}, "inbound_nodes": []},
 {"class_name": "InputLayer", "name": "b", "config": {"name": "b", "batch_input_shape": [null, 2]}, "inbound_nodes": []},
 {"class_name": "Concatenate", "name": "c", "config": {"name": "c", "axis": -1}, "inbound_nodes": [[["a", 0, 0, {}], ["b", 0, 0, {}]]]},
 {"class_name": "Dense", "name": "d", "config": {"name": "d", "units": 3}, "inbound_nodes": [[["b", 0, 0, {}]]]}],
 "input_layers": [["b", 0, 0], ["a", 0, 0]], "output_layers": [["c", 0, 0], ["d", 0, 0]]}, "inbound_nodes": [)" +
                              from("z x") + "]}";
    const auto network = read(model(input("x", "[null, 5]") + ",\n" + input("z", "[null, 2]") + ",\n" + inner + ",\n" +
                                        layer("Dense", "y", "\"units\": 1", R"([["head", 0, 1, {}]])"),
                                    "y", "x z"));
    QVERIFY(network);
    QCOMPARE(shape_of(*network, "head/c"), Shape{7});
    QCOMPARE(network->parameters(), 2 * 3 + 3 + 3 + 1);
}

/// The same model in both orders of the axes; only a layer that asks for the other order moves anything.
void Keras::channels_first_becomes_last() {
    const auto stack = [](const std::string& order, const std::string& shape, const std::string& axis) {
        return model(
            input("x", shape) + ",\n" +
            layer("Conv2D", "c", "\"filters\": 4, \"kernel_size\": 3, \"data_format\": \"" + order + '"', from("x")) +
            ",\n" + layer("BatchNormalization", "n", "\"axis\": " + axis, from("c")) + ",\n" +
            layer("MaxPooling2D", "p", "\"pool_size\": 2, \"data_format\": \"" + order + '"', from("n")) + ",\n" +
            layer("Concatenate", "j", "\"axis\": " + axis, from("p p")) + ",\n" +
            layer("Flatten", "f", "\"data_format\": \"channels_last\"", from("j")) + ",\n" +
            layer("Dense", "y", "\"units\": 2", from("f")));
    };
    Problems warnings;
    const auto last = read(stack("channels_last", image, "3")),
               other = read(stack("channels_first", first, "1"), &warnings);
    QVERIFY(last && other);
    QVERIFY2(warnings.empty(), messages(warnings).c_str());
    QCOMPARE(other->size(), last->size());
    for (int l = 0; l < last->size(); ++l) {
        QCOMPARE(other->facts()[static_cast<std::size_t>(l)].output, last->facts()[static_cast<std::size_t>(l)].output);
        QVERIFY(other->layers()[static_cast<std::size_t>(l)].kind->name != "unknown");
    }
    QCOMPARE(other->parameters(), last->parameters());
    // In the middle of a model the channels are moved, and that is said.
    const auto mixed = read(
        model(input("x", image) + ",\n" +
              layer("Conv2D", "a", R"("filters": 4, "kernel_size": 3, "data_format": "channels_last")", from("x")) +
              ",\n" +
              layer("Conv2D", "y", R"("filters": 4, "kernel_size": 1, "data_format": "channels_first")", from("a"))),
        &warnings);
    QVERIFY(mixed);
    QCOMPARE(last_shape(*mixed), (Shape{8, 4, 4}));
    QCOMPARE(mixed->parameters(), 4 * 27 + 4 + 4 * 6 + 4);
    QVERIFY(messages(warnings).find("The channels stand elsewhere") != std::string::npos);
}

void Keras::both_directions_and_states() {
    const std::string cell = R"({"class_name": "LSTM", "config": {"units": 6, "return_state": true}})";
    // An encoder whose states begin a decoder.
    const auto network =
        read(model(input("x", steps) + ",\n" + input("z", "[null, 9, 2]") + ",\n" +
                       layer("Bidirectional", "e", "\"layer\": " + cell, from("x")) + ",\n" +
                       layer("Concatenate", "h", "\"axis\": -1", R"([["e", 0, 1, {}], ["e", 0, 3, {}]])") + ",\n" +
                       layer("Concatenate", "c", "\"axis\": -1", R"([["e", 0, 2, {}], ["e", 0, 4, {}]])") + ",\n" +
                       layer("LSTM", "y", R"("units": 12, "return_sequences": true)", from("z h c")),
                   "y", "x z"));
    QVERIFY(network);
    QCOMPARE(last_shape(*network), (Shape{9, 12}));
    QCOMPARE(network->parameters(), 2 * 288 + 4 * 12 * (2 + 12 + 1));
    QCOMPARE(network->inputs(network->size() - 1).size(), 3u);
    // A state of another width begins nothing.
    const auto wrong = read_any_network(model(input("x", steps) + ",\n" + input("z", "[null, 5]") + ",\n" +
                                                  layer("GRU", "y", "\"units\": 6", from("x z")),
                                              "y", "x z"),
                                        "model.json");
    QVERIFY(!wrong);
    QVERIFY(messages(wrong.error()).find("A state to begin with holds 6 numbers") != std::string::npos);
}

void Keras::over_time() {
    const auto inside = [](const std::string& inner, const std::string& shape) {
        return read(one("TimeDistributed", "\"layer\": " + inner, shape));
    };
    const auto dense = inside(R"({"class_name": "Dense", "config": {"units": 7}})", steps);
    QVERIFY(dense);
    QCOMPARE(last_shape(*dense), (Shape{12, 7}));
    QCOMPARE(dense->multiply_adds(), 12 * 35);
    // 2-D convolutions and poolings of each step are those of a volume, one step deep: 9·3·4 each place.
    const auto convolved =
        inside(R"({"class_name": "Conv2D", "config": {"filters": 4, "kernel_size": 3}})", "[null, 7, 8, 10, 3]");
    QVERIFY(convolved);
    QCOMPARE(last_shape(*convolved), (Shape{7, 6, 8, 4}));
    QCOMPARE(convolved->parameters(), 108 + 4);
    QCOMPARE(convolved->multiply_adds(), 7 * 48 * 108);
    const auto averaged = inside(R"({"class_name": "GlobalAveragePooling2D", "config": {}})", "[null, 7, 8, 10, 3]");
    QVERIFY(averaged);
    QCOMPARE(last_shape(*averaged), (Shape{7, 3}));
    const auto flat = inside(R"({"class_name": "Flatten", "config": {}})", "[null, 12, 4, 5]");
    QVERIFY(flat);
    QCOMPARE(last_shape(*flat), (Shape{12, 20}));
    // A whole model at every step: its shape and its weights.
    const auto model_inside = inside(R"({"class_name": "Sequential", "config": [
 {"class_name": "LSTM", "config": {"units": 6, "batch_input_shape": [null, 4, 5]}}, {"class_name": "Dense", "config": {"units": 2}}]})",
                                     "[null, 12, 4, 5]");
    QVERIFY(model_inside);
    QCOMPARE(last_shape(*model_inside), (Shape{12, 2}));
    QCOMPARE(model_inside->parameters(), 288 + 14);
}

/// Projections of all heads, scores and weighted sums of 2·heads·width for each pair, and one projection back.
void Keras::attention_of_several_heads() {
    const std::string config = R"("num_heads": 4, "key_dim": 3, "value_dim": 2, "use_bias": true)";
    const auto itself =
        read(model(input("x", steps) + ",\n" +
                   layer("MultiHeadAttention", "y", config, R"([["x", 0, 0, {"value": ["x", 0, 0]}]])")));
    QVERIFY(itself);
    QCOMPARE(last_shape(*itself), (Shape{12, 5}));
    QCOMPARE(itself->parameters(), 2 * (5 * 12 + 12) + (5 * 8 + 8) + (8 * 5 + 5));
    QCOMPARE(itself->multiply_adds(), 12 * (2 * 60 + 40 + 40) + 12 * 12 * 4 * (3 + 2));
    const auto other = read(model(input("x", steps) + ",\n" + input("z", "[null, 9, 7]") + ",\n" +
                                      layer("MultiHeadAttention", "y", config, from("x z")),
                                  "y", "x z"));
    QVERIFY(other);
    QCOMPARE(other->parameters(), (5 * 12 + 12) + (7 * 12 + 12) + (7 * 8 + 8) + (8 * 5 + 5));
    const auto plain = read(model(input("x", steps) + ",\n" + layer("Attention", "y", "", from("x x"))));
    QVERIFY(plain);
    QCOMPARE(plain->parameters(), 0);
    QCOMPARE(plain->multiply_adds(), 12 * 12 * 10);
}

void Keras::open_dimensions() {
    Problems warnings;
    const auto length =
        read(model(input("x", "[null, null]") + ",\n" +
                   layer("Embedding", "y", R"("input_dim": 9, "output_dim": 2, "input_length": 20)", from("x"))),
             &warnings);
    QVERIFY(length);
    QCOMPARE(last_shape(*length), (Shape{20, 2}));
    QVERIFY2(messages(warnings).find("sequence 20") != std::string::npos, messages(warnings).c_str());
    warnings.clear();
    const auto sides = read(one("Conv2D", R"("filters": 4, "kernel_size": 1)", "[null, null, null, 3]"), &warnings);
    QVERIFY(sides);
    QCOMPARE(last_shape(*sides), (Shape{224, 224, 4}));
    QVERIFY2(messages(warnings).find("height 224, width 224") != std::string::npos, messages(warnings).c_str());
    // They stay open: the same network with others.
    const auto wide = sides->with(std::vector<Binding>{{"width", 300}});
    QVERIFY2(wide.has_value(), wide ? "" : messages(wide.error()).c_str());
    QCOMPARE(last_shape(**wide), (Shape{224, 300, 4}));
    const auto first_sides = read(
        one("Conv2D", R"("filters": 4, "kernel_size": 1, "data_format": "channels_first")", "[null, 3, null, 10]"));
    QVERIFY(first_sides);
    const auto tall = first_sides->with(std::vector<Binding>{{"height", 30}});
    QVERIFY2(tall.has_value(), tall ? "" : messages(tall.error()).c_str());
    QCOMPARE(last_shape(**tall), (Shape{30, 10, 4}));
    // Through layers that state shapes here: a convolution of a sequence, one of the author's own, a permutation.
    const auto long_one =
        read(model(input("x", "[null, null, 5]") + ",\n" +
                   layer("Conv1D", "c", R"("filters": 4, "kernel_size": 3, "padding": "same")", from("x")) + ",\n" +
                   layer("MyOwn", "m", "", from("c")) + ",\n" + layer("Permute", "p", "\"dims\": [2, 1]", from("m")) +
                   ",\n" + layer("Permute", "q", "\"dims\": [2, 1]", from("p")) + ",\n" +
                   layer("LSTM", "y", R"("units": 6, "return_sequences": true)", from("q"))));
    QVERIFY(long_one);
    const auto longer = long_one->with(std::vector<Binding>{{"sequence", 200}});
    QVERIFY2(longer.has_value(), longer ? "" : messages(longer.error()).c_str());
    QCOMPARE(last_shape(**longer), (Shape{200, 6}));
}

void Keras::unknown_classes_are_never_free() {
    Problems warnings;
    const auto network = read(one("MyOwn", "\"gates\": 3", image), &warnings);
    QVERIFY(network);
    QCOMPARE(network->unknown_kinds(), 1);
    QCOMPARE(network->unknown_types()[0], std::string_view("MyOwn"));
    QVERIFY(messages(warnings).find("as large as their input") != std::string::npos);
    // Its output stands in the file.
    const auto lambda = read(one("Lambda", R"("output_shape": [4, 4], "function": ["AAAA", null, null])", image));
    QVERIFY(lambda);
    QCOMPARE(last_shape(*lambda), (Shape{4, 4}));
    // "space_to_depth" and the constant 4 of its code.
    const auto blocks = read(
        one("Lambda", R"("function": ["aQQAAABzcGFjZV90b19kZXB0aA==", null, null])", "[null, 8, 12, 3]"), &warnings);
    QVERIFY(blocks);
    QCOMPARE(last_shape(*blocks), (Shape{2, 3, 48}));
    QCOMPARE(blocks->unknown_kinds(), 0);
    QVERIFY(messages(warnings).find("The code is not run") != std::string::npos);
}

void Keras::words_of_the_third_version() {
    // The shape of an unknown layer is the one its reader states; data types belong to the training.
    Problems warnings;
    const std::string text = R"({"class_name": "Functional", "config": {"layers": [
 {"class_name": "InputLayer", "name": "x", "config": {"batch_shape": [null, 8, 8, 3], "name": "x"}, "inbound_nodes": []},
 {"class_name": "Patches", "name": "p", "config": {"name": "p", "dtype": {"class_name": "DTypePolicy", "config": {"name": "mixed_float16"}}},
  "inbound_nodes": [{"args": [{"class_name": "__keras_tensor__", "config": {"shape": [null, 8, 8, 3], "keras_history": ["x", 0, 0]}}], "kwargs": {}}]},
 {"module": "keras.src.ops.numpy", "class_name": "Multiply", "name": "m", "config": {"name": "m"},
  "inbound_nodes": [{"args": [{"class_name": "__keras_tensor__", "config": {"shape": [null, 16, 12], "keras_history": ["p", 0, 0]}},
   {"class_name": "__keras_tensor__", "config": {"shape": [null, 16, 12], "keras_history": ["p", 0, 0]}}], "kwargs": {}}]}],
 "input_layers": ["x", 0, 0], "output_layers": ["m", 0, 0]}})";
    const auto network = read(text, &warnings);
    QVERIFY(network);
    QCOMPARE(shape_of(*network, "p"), (Shape{16, 12}));
    QCOMPARE(network->layers().back().kind->name, std::string_view("elementwise"));
    QVERIFY2(messages(warnings).find("mixed_float16") != std::string::npos, messages(warnings).c_str());
}

void Keras::tensorflow_js() {
    const std::string inner = one("Dense", "\"units\": 7", "[null, 5]");
    QVERIFY(read("{\"format\": \"layers-model\", \"modelTopology\": {\"keras_version\": \"2.4.0\", \"model_config\": " +
                 inner + "}}"));
    QVERIFY(read("{\"modelTopology\": " + inner + "}"));
}

void Keras::broken_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& text, int line, int column, const char* says) {
        QTest::newRow(name) << QString::fromStdString(text) << line << column << QString(says);
    };
    row("own class", R"({"class_name": "Mine", "config": {}})", 1, 1, "of a class of its author's own, \"Mine\"");
    row("no layers", R"({"class_name": "Model", "config": {"name": "m"}})", 1, 35, "no list of layers");
    row("empty", R"({"class_name": "Model", "config": {"layers": []}})", 1, 35, "has no layers");
    row("layer of no class", model("{\"config\": {}}"), 2, 1, "a class_name and a config");
    row("no input shape", R"({"class_name": "Sequential", "config": [
 {"class_name": "Dense", "config": {"units": 3}}]})",
        2, 2, "does not say what it reads");
    row("open channels", one("Dense", "\"units\": 7", "[null, 5, null]"), 2, 98, "left open");
    row("reads nothing", model(input("x", image) + ",\n" + layer("ReLU", "y", "")), 3, 1, "what the layer reads");
    row("name of no layer", model(input("x", image) + ",\n" + layer("ReLU", "y", "", from("xx"))), 3, 81,
        "no layer called \"xx\"");
    row("no such call",
        model(input("x", image) + ",\n" + layer("ReLU", "a", "", from("x") + ", " + from("x")) + ",\n" +
              layer("ReLU", "y", "", R"([["a", 2, 0, {}]])")),
        4, 81, "is called 2 times");
    row("no such result",
        model(input("x", image) + ",\n" + layer("ReLU", "a", "", from("x")) + ",\n" +
              layer("ReLU", "y", "", R"([["a", 0, 1, {}]])")),
        4, 81, "has 1 results");
    row("cycle",
        model(input("x", image) + ",\n" + layer("ReLU", "a", "", from("y")) + ",\n" +
              layer("ReLU", "y", "", from("a"))),
        3, 1, "its own result");
    row("twice", model(input("x", image) + ",\n" + input("x", image)), 3, 1, "Two layers are called \"x\"");
    row("no units", one("Dense", "", image), 3, 48, "does not say its \"units\"");
    row("no kernel", one("Conv2D", "\"filters\": 3", image), 3, 49, "does not say");
    row("not whole", one("Dense", "\"units\": 2.5", image), 3, 71, "whole number");
    row("padding", one("Conv2D", R"("filters": 3, "kernel_size": 1, "padding": "sane")", image), 3, 106,
        "no padding called \"sane\"");
    row("order", one("Conv2D", R"("filters": 3, "kernel_size": 1, "data_format": "last")", image), 3, 110, "no order");
    row("kernel too large", one("Conv2D", "\"filters\": 3, \"kernel_size\": 9", image), 3, 1, "does not fit");
    row("three kernels", one("Conv2D", "\"filters\": 3, \"kernel_size\": [1, 1, 1]", image), 3, 92,
        "one number for each axis");
    row("sequence for an image", one("Conv2D", "\"filters\": 3, \"kernel_size\": 1", steps), 3, 1, "reads an image");
    row("reshape", one("Reshape", "\"target_shape\": [7, -1]", image), 3, 1, "does not hold the elements");
    row("permute", one("Permute", "\"dims\": [1, 1]", steps), 3, 1, "no order of the axes");
    row("axis", one("BatchNormalization", "\"axis\": 7", image), 3, 1, "does not have");
    row("join",
        model(input("x", image) + ",\n" + input("z", steps) + ",\n" + layer("Concatenate", "y", "", from("x z"))), 4, 1,
        "cannot be joined");
    row("sum",
        model(input("x", image) + ",\n" + input("z", "[null, 7, 10, 3]") + ",\n" + layer("Add", "y", "", from("x z"))),
        4, 1, "do not fit");
    row("wrapper of nothing", one("TimeDistributed", "", steps), 3, 1, "wraps a layer");
    row("cells of another kind", one("RNN", R"("cell": {"class_name": "Mine", "config": {}})", steps), 3, 1,
        "type \"Mine\"");
}

void Keras::broken() {
    QFETCH(QString, text);
    QFETCH(int, line);
    QFETCH(int, column);
    QFETCH(QString, says);
    const auto network = read_any_network(text.toStdString(), "model.json");
    QVERIFY(!network);
    const Problem& p = network.error()[0];
    const std::string message = messages(network.error());
    QVERIFY2(p.what.find(says.toStdString()) != std::string::npos, message.c_str());
    QVERIFY2(p.at.line == line && p.at.column == column, message.c_str());
    QVERIFY(!p.remedy.empty() && p.at.file == "model.json");
}

/// Every byte left out or changed once: a network or a problem, never a crash.
void Keras::mutated_texts_never_crash() {
    const std::string text =
        model(input("x", image) + ",\n" +
              layer("Conv2D", "c", R"("filters": 4, "kernel_size": [3, 3], "padding": "same")", from("x")) + ",\n" +
              layer("Bidirectional", "b", R"("layer": {"class_name": "GRU", "config": {"units": 6}})", from("c")) +
              ",\n" + layer("Reshape", "y", R"("target_shape": [4, -1])", from("c")));
    for (std::size_t i = 0; i < text.size(); ++i)
        for (const char c : {'\0', '7', '"', '[', '-'}) {
            std::string changed = text;
            if (c == '\0')
                changed.erase(i, 1);
            else
                changed[i] = c;
            const auto draft = read_any_network_draft(changed, "model.json");
            if (!draft) QVERIFY(!draft.error().empty() && !draft.error()[0].remedy.empty());
        }
}

QTEST_APPLESS_MAIN(Keras)
#include "tst_keras.moc"
