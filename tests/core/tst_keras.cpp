// SPDX-License-Identifier: GPL-3.0-or-later
// Keras models as ours: their versions and forms, models within models, open sizes, and what is of no kind here.
#include <QtTest>

#include "core/formats/library.hpp"
#include "support_keras.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace support::keras;
using support::messages;

class Keras : public QObject {
    Q_OBJECT
private slots:
    void three_versions_say_the_same();
    void sequential_in_both_forms();
    void shared_layers_have_one_set_of_weights();
    void models_within_models();
    void channels_first_becomes_last();
    void open_dimensions();
    void unknown_classes_are_never_free();
    void words_of_the_third_version();
    void tensorflow_js();
};

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

QTEST_APPLESS_MAIN(Keras)
#include "tst_keras.moc"
