// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of Keras as ours, family by family: shapes, parameters and multiply-adds worked out by hand.
#include <QtTest>

#include "core/formats/library.hpp"
#include "support_keras.hpp"
#include "support_library.hpp"
#include "support_shapes.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace support::keras;
using support::messages;

namespace {

/// The last layer of the row's text.
void shapes() {
    QFETCH(QString, text);
    const auto network = read(text.toStdString());
    QVERIFY(network);
    support::compare_row(*network, last_shape(*network));
    QCOMPARE(network->default_batch(), 32);
}

}  // namespace

class KerasLayers : public QObject {
    Q_OBJECT
private slots:
    void windows_data();
    void windows();
    void products_data();
    void products();
    void sequences_data();
    void sequences();
    void elements_data();
    void elements();
    void both_directions_and_states();
    void over_time();
    void attention_of_several_heads();
};

void KerasLayers::windows_data() {
    support::shape_columns();
    // Convolutions: out = (in - (k - 1)·d - 1) / s + 1 of "valid", in / s rounded up of "same".
    support::shape_row("convolution", one("Conv2D", "\"filters\": 6, \"kernel_size\": [3, 3]", image), "6×8×6",
                       6 * 27 + 6, 48 * 162);
    support::shape_row("convolution, same",
                       one("Conv2D", R"("filters": 6, "kernel_size": 3, "strides": [2, 2], "padding": "same")", image),
                       "4×5×6", 168, 20 * 162);
    support::shape_row("convolution, dilated",
                       one("Conv2D", R"("filters": 1, "kernel_size": 3, "dilation_rate": 2, "use_bias": false)", image),
                       "4×6×1", 27, 24 * 27);
    support::shape_row("convolution, groups", one("Conv2D", R"("filters": 6, "kernel_size": 1, "groups": 3)", image),
                       "8×10×6", 12, 80 * 6);
    support::shape_row(
        "convolution, Keras 1",
        one("Convolution2D",
            R"("nb_filter": 6, "nb_row": 1, "nb_col": 3, "subsample": [2, 1], "border_mode": "same", "bias": false)",
            image),
        "4×10×6", 54, 40 * 54);
    support::shape_row("convolution and another activation",
                       one("Conv2D", R"("filters": 2, "kernel_size": 1, "activation": "gelu")", image), "8×10×2", 8,
                       80 * 6);
    support::shape_row("sequence", one("Conv1D", R"("filters": 7, "kernel_size": [3], "strides": 2)", steps), "5×7",
                       15 * 7 + 7, 5 * 105);
    support::shape_row(
        "sequence, causal",
        one("Conv1D", R"("filters": 7, "kernel_size": 3, "padding": "causal", "dilation_rate": 2)", steps), "12×7", 112,
        12 * 105);
    support::shape_row("sequence, Keras 1",
                       one("Convolution1D", R"("nb_filter": 7, "filter_length": 3, "subsample_length": 2)", steps),
                       "5×7", 112, 5 * 105);
    support::shape_row("volume", one("Conv3D", "\"filters\": 2, \"kernel_size\": [1, 2, 3]", "[null, 4, 5, 6, 3]"),
                       "4×4×4×2", 36 + 2, 64 * 36);
    support::shape_row("depthwise", one("DepthwiseConv2D", R"("kernel_size": 3, "depth_multiplier": 2)", image),
                       "6×8×6", 54 + 6, 48 * 54);
    support::shape_row("separable",
                       one("SeparableConv2D", R"("filters": 4, "kernel_size": 3, "depth_multiplier": 2)", image),
                       "6×8×4", 54 + 24 + 4, 48 * (54 + 24));
    support::shape_row(
        "transposed, same",
        one("Conv2DTranspose", R"("filters": 2, "kernel_size": 3, "strides": 2, "padding": "same")", image), "16×20×2",
        3 * 9 * 2 + 2, 80 * 54);
    support::shape_row("transposed, valid",
                       one("Conv2DTranspose", R"("filters": 2, "kernel_size": 3, "strides": 2)", image), "17×21×2", 56,
                       80 * 54);
    support::shape_row("transposed, a stride beyond the kernel",
                       one("Conv2DTranspose", R"("filters": 2, "kernel_size": 1, "strides": 3)", image), "24×30×2", 8,
                       80 * 6);
    support::shape_row("pooling", one("MaxPooling2D", R"("pool_size": [2, 2], "strides": null)", image), "4×5×3", 0, 0);
    support::shape_row("pooling, same",
                       one("AveragePooling2D", R"("pool_size": 3, "strides": 2, "padding": "same")", image), "4×5×3", 0,
                       0);
    support::shape_row("pooling of a sequence", one("MaxPooling1D", R"("pool_size": 3)", steps), "4×5", 0, 0);
    support::shape_row("pooling, Keras 1",
                       one("MaxPooling1D", R"("pool_length": 5, "stride": 2, "border_mode": "valid")", steps), "4×5", 0,
                       0);
    support::shape_row("all of an image", one("GlobalAveragePooling2D", "", image), "3", 0, 0);
    support::shape_row("all of an image, axes kept", one("GlobalMaxPooling2D", "\"keepdims\": true", image), "1×1×3", 0,
                       0);
    support::shape_row("all of a sequence", one("GlobalMaxPooling1D", "", steps), "5", 0, 0);
    support::shape_row("all of a volume", one("GlobalAveragePooling3D", "", "[null, 2, 3, 4, 5]"), "5", 0, 0);
    support::shape_row("upsampling", one("UpSampling2D", "\"size\": [2, 3]", image), "16×30×3", 0, 0);
    support::shape_row("upsampling of a sequence", one("UpSampling1D", "\"length\": 3", steps), "36×5", 0, 0);
    // filters of their own at each of 6×8 and of 5 places
    support::shape_row("not shared", one("LocallyConnected2D", R"("filters": 6, "kernel_size": [3, 3])", image),
                       "6×8×6", 48 * (162 + 6), 48 * 162);
    support::shape_row(
        "not shared, of a sequence",
        one("LocallyConnected1D", R"("filters": 7, "kernel_size": 3, "strides": 2, "use_bias": false)", steps), "5×7",
        5 * 105, 5 * 105);
    support::shape_row("the middle", one("CenterCrop", R"("height": 5, "width": 6)", image), "5×6×3", 0, 0);
    support::shape_row("the middle of less", one("CenterCrop", R"("height": 9, "width": 6)", image), "9×6×3", 0, 0);
    support::shape_row("resized", one("Resizing", R"("height": 5, "width": 6)", image), "5×6×3", 0, 0);
    support::shape_row("padding", one("ZeroPadding2D", "\"padding\": [[1, 2], [3, 4]]", image), "11×17×3", 0, 0);
    support::shape_row("padding, each axis", one("ZeroPadding2D", "\"padding\": [1, 2]", image), "10×14×3", 0, 0);
    support::shape_row("cropping", one("Cropping2D", "\"cropping\": [[1, 2], [3, 4]]", image), "5×3×3", 0, 0);
    support::shape_row("cropping of a sequence", one("Cropping1D", "\"cropping\": [2, 3]", steps), "7×5", 0, 0);
}

void KerasLayers::windows() { shapes(); }

void KerasLayers::products_data() {
    support::shape_columns();
    support::shape_row("dense", one("Dense", "\"units\": 7", "[null, 5]"), "7", 42, 35);
    support::shape_row("dense at every step",
                       one("Dense", R"("units": 7, "use_bias": false, "activation": "relu")", steps), "12×7", 35,
                       12 * 35);
    support::shape_row("dense, Keras 1", one("Dense", R"("output_dim": 7, "input_dim": 5, "bias": false)", "[null, 5]"),
                       "7", 35, 35);
    support::shape_row("maxout", one("MaxoutDense", R"("output_dim": 7, "nb_feature": 3)", "[null, 5]"), "7", 3 * 42,
                       3 * 35);
    support::shape_row("highway", one("Highway", R"("activation": "relu")", "[null, 5]"), "5", 2 * 30, 2 * 25);
    support::shape_row("embedding", one("Embedding", R"("input_dim": 100, "output_dim": 4)", "[null, 12]"), "12×4", 400,
                       0);
}

void KerasLayers::products() { shapes(); }

void KerasLayers::sequences_data() {
    support::shape_columns();
    // A gate has input + state + 1 weights for each unit, and as many multiply-adds but one each step.
    support::shape_row("lstm", one("LSTM", "\"units\": 6", steps), "6", 4 * 6 * (5 + 6 + 1), 12 * 4 * 6 * 11);
    support::shape_row(
        "lstm, Keras 1",
        one("LSTM", R"("output_dim": 6, "return_sequences": true, "inner_activation": "hard_sigmoid")", steps), "12×6",
        288, 12 * 264);
    support::shape_row("gru", one("GRU", R"("units": 6, "return_sequences": true)", steps), "12×6", 3 * 6 * 12,
                       12 * 3 * 66);
    support::shape_row("gru, reset after", one("GRU", R"("units": 6, "reset_after": true)", steps), "6", 3 * 6 * 13,
                       12 * 3 * 66);
    support::shape_row("rnn without bias", one("SimpleRNN", R"("units": 6, "use_bias": false)", steps), "6", 66,
                       12 * 66);
    support::shape_row(
        "of cells",
        one("RNN",
            R"("cell": {"class_name": "StackedRNNCells", "config": {"cells": [)"
            R"({"class_name": "GRUCell", "config": {"units": 6}}, {"class_name": "LSTMCell", "config": {"units": 2}}]}})",
            steps),
        "2", 216 + 4 * 2 * 9, 12 * (198 + 4 * 2 * 8));
    support::shape_row(
        "of convolutions",
        one("ConvLSTM2D", R"("filters": 4, "kernel_size": [3, 3], "padding": "same")", "[null, 6, 8, 10, 3]"), "8×10×4",
        4 * 4 * (9 * 7 + 1), 6 * 80 * 4 * 4 * 9 * 7);
    support::shape_row("both directions",
                       one("Bidirectional", R"("layer": {"class_name": "GRU", "config": {"units": 6}})", steps), "12",
                       2 * 216, 2 * 12 * 198);
    support::shape_row(
        "both directions, averaged",
        one("Bidirectional",
            R"("merge_mode": "ave", "layer": {"class_name": "GRU", "config": {"units": 6, "return_sequences": true}})",
            steps),
        "12×6", 432, 2 * 12 * 198);
}

void KerasLayers::sequences() { shapes(); }

void KerasLayers::elements_data() {
    support::shape_columns();
    support::shape_row("batch normalization", one("BatchNormalization", "\"axis\": -1", image), "8×10×3", 6, 0);
    support::shape_row("batch normalization, no scale",
                       one("BatchNormalization", R"("axis": 3, "scale": false)", image), "8×10×3", 3, 0);
    // tf.keras 2 writes the axis as a list
    support::shape_row("batch normalization of tf.keras", one("BatchNormalization", "\"axis\": [3]", image), "8×10×3",
                       6, 0);
    support::shape_row("batch normalization of two axes", one("BatchNormalization", "\"axis\": [1, 3]", image),
                       "8×10×3", 48, 0);
    support::shape_row("batch normalization, neither",
                       one("BatchNormalization", R"("scale": false, "center": false)", image), "8×10×3", 0, 0);
    support::shape_row("batch normalization of another axis", one("BatchNormalization", "\"axis\": 1", image), "10×3×8",
                       16, 0);
    support::shape_row("layer normalization", one("LayerNormalization", "\"axis\": [2]", steps), "12×5", 10, 0);
    support::shape_row("layer normalization of all axes",
                       one("LayerNormalization", R"("axis": [1, 2, 3], "center": false)", image), "8×10×3", 240, 0);
    support::shape_row("rms normalization", one("RMSNormalization", "", steps), "12×5", 5, 0);
    for (const char* words : {"__tuple__", "ListWrapper"})
        support::shape_row((std::string("batch normalization, ") + words).c_str(),
                           one("BatchNormalization",
                               std::string(R"("axis": {"class_name": ")") + words + R"(", "items": [3]})", image),
                           "8×10×3", 6, 0);
    support::shape_row("group normalization of Addons",
                       one("Addons>GroupNormalization", R"("groups": 3, "axis": 3)", image), "8×10×3", 6, 0);
    support::shape_row("instance normalization", one("InstanceNormalization", "\"axis\": -1", image), "8×10×3", 6, 0);
    support::shape_row("instance normalization of Addons",
                       one("Addons>InstanceNormalization", R"("groups": -1, "axis": 3, "center": false)", image),
                       "8×10×3", 3, 0);
    support::shape_row("instance normalization of no axis", one("InstanceNormalization", "\"axis\": null", image),
                       "8×10×3", 2, 0);
    support::shape_row("group normalization", one("GroupNormalization", "\"groups\": 3", image), "8×10×3", 6, 0);
    support::shape_row("group normalization, a list", one("GroupNormalization", R"("groups": 3, "axis": [-1])", image),
                       "8×10×3", 6, 0);
    support::shape_row("prelu of channels", one("PReLU", "\"shared_axes\": [1, 2]", image), "8×10×3", 3, 0);
    support::shape_row("prelu of one slope", one("PReLU", "\"shared_axes\": [1, 2, 3]", image), "8×10×3", 1, 0);
    support::shape_row("prelu of elements", one("PReLU", "\"shared_axes\": null", image), "8×10×3", 240, 0);
    support::shape_row("activation", one("Activation", "\"activation\": \"swish\"", image), "8×10×3", 0, 0);
    support::shape_row("flatten", one("Flatten", "\"data_format\": \"channels_last\"", image), "240", 0, 0);
    support::shape_row("reshape", one("Reshape", "\"target_shape\": [4, -1]", image), "4×60", 0, 0);
    support::shape_row("permute", one("Permute", "\"dims\": [2, 1]", steps), "5×12", 0, 0);
    support::shape_row("repeat", one("RepeatVector", "\"n\": 4", "[null, 5]"), "4×5", 0, 0);
    support::shape_row("dropout, Keras 1", one("Dropout", "\"p\": 0.25", image), "8×10×3", 0, 0);
    support::shape_row("sum", two("Add", "", image, image), "8×10×3", 0, 0);
    support::shape_row("product, repeated", two("Multiply", "", image, "[null, 1, 1, 3]"), "8×10×3", 0, 0);
    support::shape_row("product, fewer axes", two("Multiply", "", steps, "[null, 5]"), "12×5", 0, 0);
    support::shape_row("side by side", two("Concatenate", "\"axis\": -1", image, "[null, 8, 10, 4]"), "8×10×7", 0, 0);
    support::shape_row("side by side, a list", two("Concatenate", "\"axis\": [-1]", image, "[null, 8, 10, 4]"),
                       "8×10×7", 0, 0);
    support::shape_row("one after the other", two("Concatenate", "\"axis\": 1", steps, "[null, 3, 5]"), "15×5", 0, 0);
    support::shape_row("dot", two("Dot", "\"axes\": [2, 2]", steps, "[null, 4, 5]"), "12×4", 0, 12 * 4 * 5);
    support::shape_row("dot of vectors", two("Dot", "\"axes\": -1", "[null, 5]", "[null, 5]"), "1", 0, 5);
    support::shape_row("merge, Keras 1", two("Merge", R"("mode": "concat", "concat_axis": 3)", image, image), "8×10×6",
                       0, 0);
    support::shape_row("merge with a product", two("Merge", R"("mode": "mul", "concat_axis": 3)", image, image),
                       "8×10×3", 0, 0);
}

void KerasLayers::elements() { shapes(); }

void KerasLayers::both_directions_and_states() {
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

void KerasLayers::over_time() {
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
    // A model of layers that happen at every step: 9·3·4 each place, and 3·4·2 for each step.
    const auto alike = inside(R"({"class_name": "Sequential", "config": [
 {"class_name": "Conv2D", "config": {"name": "c", "filters": 4, "kernel_size": 3, "batch_input_shape": [null, 8, 10, 3]}},
 {"class_name": "GlobalAveragePooling2D", "config": {"name": "p"}},
 {"class_name": "Dense", "config": {"name": "d", "units": 2}}]})",
                              "[null, 7, 8, 10, 3]");
    QVERIFY(alike);
    QCOMPARE(last_shape(*alike), (Shape{7, 2}));
    QCOMPARE(alike->parameters(), 112 + 10);
    QCOMPARE(alike->multiply_adds(), 7 * (48 * 108 + 8));
    QCOMPARE(alike->unknown_kinds(), 0);
    QVERIFY(alike->position("y/c").has_value());
    // One with a sequence of its own inside has no kind here: its shape and its weights.
    const auto model_inside = inside(R"({"class_name": "Sequential", "config": [
 {"class_name": "LSTM", "config": {"units": 6, "batch_input_shape": [null, 4, 5]}}, {"class_name": "Dense", "config": {"units": 2}}]})",
                                     "[null, 12, 4, 5]");
    QVERIFY(model_inside);
    QCOMPARE(last_shape(*model_inside), (Shape{12, 2}));
    QCOMPARE(model_inside->parameters(), 288 + 14);
}

/// Projections of all heads, scores and weighted sums of 2·heads·width for each pair, and one projection back.
void KerasLayers::attention_of_several_heads() {
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

QTEST_APPLESS_MAIN(KerasLayers)
#include "tst_keras_layers.moc"
