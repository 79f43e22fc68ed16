// SPDX-License-Identifier: GPL-3.0-or-later
// Caffe nets as ours: shapes and parameters worked out by hand with Caffe's rules, and what is said of broken ones.
#include <QtTest>

#include "core/formats/caffe/import.hpp"
#include "core/formats/library.hpp"
#include "support_broken_texts.hpp"
#include "support_library.hpp"
#include "support_shapes.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::BrokenTexts;
using support::messages;

namespace {

const std::string image = "input: \"data\" input_shape { dim: 4 dim: 3 dim: 8 dim: 10 }\n";

std::string layer(const std::string& type, const std::string& bottom, const std::string& top,
                  const std::string& more = {}) {
    return "layer { name: \"" + top + "\" type: \"" + type + "\" bottom: \"" + bottom + "\" top: \"" + top + "\" " +
           more + " }\n";
}

Shape shape_of(const Network& network, std::string_view name) {
    const auto at = network.position(name);
    return at ? network.facts()[static_cast<std::size_t>(*at)].output : Shape{};
}

}  // namespace

class CaffeImport : public QObject {
    Q_OBJECT
private slots:
    void shapes_data();
    void shapes();
    void what_touches_each_element();
    void old_and_new_words_are_the_same();
    void four_ways_to_give_data_data();
    void four_ways_to_give_data();
    void the_training_phase_is_read();
    void stages();
    void a_solver_with_its_net();
    void normalization_and_scale_are_one();
    void in_place_and_split();
    void labels_and_measures_are_left_out();
    void names_are_made_unique();
    void broken_data();
    void broken();
    void mutated_texts_never_crash();
};

void CaffeImport::shapes_data() {
    support::shape_columns();
    const auto row = [](const char* name, const std::string& text, const char* shape, qint64 parameters) {
        support::shape_row(name, image + text, shape, parameters);
    };
    const auto conv = [](const std::string& more) {
        return layer("Convolution", "data", "y", "convolution_param { " + more + " }");
    };
    const auto pool = [](const std::string& more) {
        return layer("Pooling", "data", "y", "pooling_param { " + more + " }");
    };
    row("convolution", conv("num_output: 6 kernel_size: 3"), "6×8×6", 6 * 27 + 6);
    row("convolution, sizes by axis", conv("num_output: 6 kernel_h: 1 kernel_w: 3 pad_w: 1 stride_h: 2 stride_w: 1"),
        "4×10×6", 6 * 9 + 6);
    row("convolution, two sizes", conv("num_output: 6 kernel_size: 1 kernel_size: 3 pad: [0, 1]"), "8×10×6", 6 * 9 + 6);
    row("convolution, rounds down", conv("num_output: 1 kernel_size: 3 stride: 2 bias_term: false"), "3×4×1", 27);
    row("convolution, dilated", conv("num_output: 1 kernel_size: 3 dilation: 2 bias_term: false"), "4×6×1", 27);
    row("convolution, groups", conv("num_output: 3 kernel_size: 3 pad: 1 group: 3"), "8×10×3", 3 * 9 + 3);
    row("deconvolution",
        layer("Deconvolution", "data", "y",
              "convolution_param { num_output: 2 kernel_size: 4 stride: 2 pad: 1 bias_term: false }"),
        "16×20×2", 2 * 3 * 16);
    row("pooling rounds up", pool("pool: MAX kernel_size: 3 stride: 2"), "4×5×3", 0);
    row("pooling, floor", pool("pool: MAX kernel_size: 3 stride: 2 round_mode: FLOOR"), "3×4×3", 0);
    row("pooling, padded", pool("pool: AVE kernel_size: 3 stride: 2 pad: 1"), "5×6×3", 0);
    row("pooling, a window past the edge", pool("kernel_size: 1 stride: 3"), "4×4×3",
        0);  // Caffe: ceil(7/3)+1, ceil(9/3)+1
    row("pooling, larger than the input", pool("kernel_h: 9 kernel_w: 2 stride: 2"), "1×5×3", 0);
    row("pooling, all of it", pool("pool: AVE global_pooling: true"), "1×1×3", 0);
    row("inner product", layer("InnerProduct", "data", "y", "inner_product_param { num_output: 7 }"), "7", 240 * 7 + 7);
    row("flatten", layer("Flatten", "data", "y"), "240", 0);
    row("flatten, axes", layer("Flatten", "data", "y", "flatten_param { axis: 2 }"), "80×3", 0);
    row("reshape", layer("Reshape", "data", "y", "reshape_param { shape { dim: 0 dim: -1 dim: 4 } }"), "4×60", 0);
    row("reshape from an axis", layer("Reshape", "data", "y", "reshape_param { axis: 1 shape { dim: 0 dim: -1 } }"),
        "80×3", 0);
    row("relu", layer("ReLU", "data", "y"), "8×10×3", 0);
    row("lrn", layer("LRN", "data", "y"), "8×10×3", 0);
    row("softmax", layer("Softmax", "data", "y"), "8×10×3", 0);
    row("dropout", layer("Dropout", "data", "y", "dropout_param { dropout_ratio: 0.4 }"), "8×10×3", 0);
    row("batch norm of forks", layer("BN", "data", "y"), "8×10×3", 6);
    row("sum", layer("ReLU", "data", "r") + "layer { name: 'y' type: 'Eltwise' bottom: 'data' bottom: 'r' top: 'y' }",
        "8×10×3", 0);
    const auto two = [](const char* type, const std::string& more) {
        return layer("ReLU", "data", "r") + "layer { name: 'y' type: '" + type +
               "' bottom: 'data' bottom: 'r' top: 'y' " + more + " }";
    };
    row("product", two("Eltwise", "eltwise_param { operation: PROD }"), "8×10×3", 0);
    row("maximum", two("Eltwise", "eltwise_param { operation: MAX }"), "8×10×3", 0);
    row("concat along the height", two("Concat", "concat_param { axis: 2 }"), "16×10×3", 0);
    row("slice of the channels",
        "layer { name: 's' type: 'Slice' bottom: 'data' top: 'a' top: 'b' slice_param { slice_point: 1 } }\n" +
            layer("ReLU", "b", "y"),
        "8×10×2", 0);
    row("slice of the width",
        "layer { name: 's' type: 'Slice' bottom: 'data' top: 'a' top: 'b' slice_param { axis: 3 } }\n" +
            layer("ReLU", "b", "y"),
        "8×5×3", 0);
    // Caffe's height, width, channels: its first axis, the height, is our last
    row("permute", layer("Permute", "data", "y", "permute_param { order: [0, 2, 3, 1] }"), "10×3×8", 0);
    row("crop",
        layer("Convolution", "data", "c", "convolution_param { num_output: 3 kernel_size: 3 bias_term: false }") +
            "layer { name: 'k' type: 'Crop' bottom: 'data' bottom: 'c' top: 'k' crop_param { offset: 1 } }\n" +
            layer("ReLU", "k", "y"),
        "6×8×3", 81);
    row("prelu", layer("PReLU", "data", "y"), "8×10×3", 3);
    row("prelu, one slope", layer("PReLU", "data", "y", "prelu_param { channel_shared: true }"), "8×10×3", 1);
    row("normalization alone", layer("BatchNorm", "data", "y"), "8×10×3", 0);
    row("shift alone", layer("Bias", "data", "y"), "8×10×3", 3);
    row("scaled by channels of another tensor",
        layer("Pooling", "data", "p", "pooling_param { pool: AVE global_pooling: true }") +
            "layer { name: 'y' type: 'Scale' bottom: 'data' bottom: 'p' top: 'y' scale_param { axis: 0 } }",
        "8×10×3", 0);
    row("length one, scaled",
        layer("Normalize", "data", "y", "norm_param { across_spatial: false channel_shared: false }"), "8×10×3", 3);
    row("deconvolution in groups",
        layer("Deconvolution", "data", "y",
              "convolution_param { num_output: 3 kernel_size: 4 stride: 2 pad: 1 group: 3 bias_term: false }"),
        "16×20×3", 3 * 16);
    row("mean and variance", layer("MVN", "data", "y"), "8×10×3", 0);
    row("mean and variance of all", layer("MVN", "data", "y", "mvn_param { across_channels: true }"), "8×10×3", 0);
    row("power", layer("Power", "data", "y", "power_param { power: 3 scale: 2 }"), "8×10×3", 0);
    row("threshold", layer("Threshold", "data", "y", "threshold_param { threshold: 0.5 }"), "8×10×3", 0);
    row("loss of boxes",
        "layer { name: 'y' type: 'MultiBoxLoss' bottom: 'data' bottom: 'data' top: 'y' multibox_loss_param { } }", "1",
        0);
    row("loss", layer("EuclideanLoss", "data", "y"), "1", 0);
    row("weights of the same name",
        layer("Convolution", "data", "c",
              "param { name: 'w' } param { name: 'b' } convolution_param { num_output: 3 kernel_size: 3 pad: 1 }") +
            layer("Convolution", "c", "y",
                  "param { name: 'w' } param { name: 'b' } convolution_param { num_output: 3 kernel_size: 3 pad: 1 }"),
        "8×10×3", 81 + 3);
    // a bias without a name is the layer's own: then nothing is shared, and a warning says so
    row("weights of the same name, biases of their own",
        layer("Convolution", "data", "c",
              "param { name: 'w' } convolution_param { num_output: 3 kernel_size: 3 pad: 1 }") +
            layer("Convolution", "c", "y",
                  "param { name: 'w' } convolution_param { num_output: 3 kernel_size: 3 pad: 1 }"),
        "8×10×3", 2 * (81 + 3));
    row("concat", layer("ReLU", "data", "r") + "layer { name: 'y' type: 'Concat' bottom: 'data' bottom: 'r' top: 'y' }",
        "8×10×6", 0);
}

void CaffeImport::shapes() {
    QFETCH(QString, text);
    const auto network = read_any_network(text.toStdString(), "net");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    support::compare_row(**network, shape_of(**network, "y"));
    QCOMPARE((*network)->default_batch(), 4);
    QCOMPARE(QString::fromStdString(to_text(shape_of(**network, "data"))), QString("8×10×3"));
}

/// Layers without weights are of the kinds that do their arithmetic; nothing of them is unknown.
void CaffeImport::what_touches_each_element() {
    const auto read = [](const std::string& text) {
        const auto network = read_any_network(image + text, "net.prototxt");
        if (!network) qFatal("%s", messages(network.error()).c_str());
        return *network;
    };
    const auto layer_of = [](const Network& n, const char* name) {
        return n.layers()[static_cast<std::size_t>(n.position(name).value())];
    };
    const auto function = [&](const Network& n, const char* name) {
        return std::get<std::string>(attribute(layer_of(n, name), "function"));
    };
    const auto power = [&](const std::string& more) {
        return read(layer("Power", "data", "y", "power_param { " + more + " }") + layer("ReLU", "y", "z"));
    };
    QVERIFY(!power("")->position("y").has_value());  // x to the first is x
    QCOMPARE(function(*power("scale: -1 shift: 1"), "y"), std::string("linear"));
    QCOMPARE(function(*power("power: 2"), "y"), std::string("square"));
    QCOMPARE(function(*power("power: 0.5"), "y"), std::string("sqrt"));
    const auto cubed = power("power: 3 shift: 1");
    QCOMPARE(function(*cubed, "y/linear"), std::string("linear"));
    QCOMPARE(std::get<std::string>(attribute(layer_of(*cubed, "y"), "operation")), std::string("power"));
    QCOMPARE(layer_of(*cubed, "y").inputs.size(), std::size_t{2});
    QCOMPARE(layer_of(*read(layer("MVN", "data", "y")), "y").kind->name, std::string_view("instance_norm"));
    const auto all = read(layer("MVN", "data", "y", "mvn_param { across_channels: true }"));
    QCOMPARE(layer_of(*all, "y").kind->name, std::string_view("group_norm"));
    const auto above = read(layer("Threshold", "data", "y"));
    QCOMPARE(layer_of(*above, "y").kind->name, std::string_view("elementwise"));
    QCOMPARE(std::get<std::string>(attribute(layer_of(*above, "y"), "operation")), std::string("where"));
    const auto boxes =
        read("layer { name: 'y' type: 'MultiBoxLoss' bottom: 'data' bottom: 'data' top: 'y' multibox_loss_param { } }");
    QCOMPARE(function(*boxes, "y"), std::string("other"));
    for (const auto& n : {cubed, all, read(layer("Threshold", "data", "y")), read(layer("MVN", "data", "y"))})
        QCOMPARE(n->unknown_kinds(), 0);
}

void CaffeImport::old_and_new_words_are_the_same() {
    const auto old_form = read_any_network(
        "input: 'data' input_dim: 4 input_dim: 3 input_dim: 8 input_dim: 10\n"
        "layers { name: 'c' type: CONVOLUTION bottom: 'data' top: 'c' blobs_lr: 1 blobs_lr: 2 weight_decay: 1 "
        "convolution_param { num_output: 5 kernel_size: 3 } }\n"
        "layers { name: 's' type: SOFTMAX_LOSS bottom: 'c' bottom: 'label' top: 's' }",
        "net");
    QVERIFY(!old_form);  // nobody makes the label
    QVERIFY(messages(old_form.error()).find("\"label\"") != std::string::npos);
    const auto network = read_any_network(
        "input: 'data' input_dim: 4 input_dim: 3 input_dim: 8 input_dim: 10\n"
        "layers { name: 'c' type: CONVOLUTION bottom: 'data' top: 'c' blobs_lr: 1 blobs_lr: 2 weight_decay: 1 "
        "convolution_param { num_output: 5 kernel_size: 3 } }\n"
        "layers { name: 's' type: SOFTMAX bottom: 'c' top: 's' }",
        "net");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QCOMPARE((*network)->parameters(), 5 * 27 + 5);
    QVERIFY((*network)->layers()[2].kind == find_kind("softmax"));
}

void CaffeImport::four_ways_to_give_data_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shape");
    QTest::addColumn<int>("batch");
    const auto row = [](const char* name, const char* text, const char* shape, int batch) {
        QTest::newRow(name) << QString(text) << QString(shape) << batch;
    };
    row("input_dim", "input: 'd' input_dim: 2 input_dim: 3 input_dim: 8 input_dim: 9", "8×9×3", 2);
    row("input_shape", "input: 'd' input_shape { dim: [2, 3, 8, 9] }", "8×9×3", 2);
    row("Input", "layer { type: 'Input' top: 'd' input_param { shape { dim: 2 dim: 3 dim: 8 dim: 9 } } }", "8×9×3", 2);
    row("DummyData", "layer { type: 'DummyData' top: 'd' dummy_data_param { num: 2 channels: 3 height: 8 width: 9 } }",
        "8×9×3", 2);
    row("MemoryData",
        "layer { type: 'MemoryData' top: 'd' top: 'l' memory_data_param { batch_size: 2 channels: 3 height: 8 width: 9 "
        "} }",
        "8×9×3", 2);
    row("crop",
        "layer { type: 'Data' top: 'd' top: 'l' transform_param { crop_size: 8 } data_param { batch_size: 5 } }",
        "8×8×3", 5);
    row("grey",
        "layer { type: 'ImageData' top: 'd' top: 'l' image_data_param { new_height: 8 new_width: 9 is_color: false "
        "batch_size: 5 } }",
        "8×9×1", 5);
    row("means", "layer { type: 'Data' top: 'd' transform_param { crop_size: 8 mean_value: [1, 2, 3, 4] } }", "8×8×4",
        1);
    row("a data set known by name",
        "layer { type: 'Data' top: 'd' data_param { source: 'x/mnist_train_lmdb' batch_size: 64 } }", "28×28×1", 64);
}

void CaffeImport::four_ways_to_give_data() {
    QFETCH(QString, text);
    QFETCH(QString, shape);
    QFETCH(int, batch);
    const auto network = read_any_network(text.toStdString() + "\n" + layer("ReLU", "d", "y"), "net");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QCOMPARE(QString::fromStdString(to_text(shape_of(**network, "y"))), shape);
    QCOMPARE((*network)->default_batch(), batch);
    QCOMPARE((*network)->size(), 2);
}

namespace {
const char* const both_phases = R"(
layer { name: 'd' type: 'Data' top: 'd' top: 'l' include { phase: TRAIN } transform_param { crop_size: 8 } data_param { batch_size: 10 } }
layer { name: 'd' type: 'Data' top: 'd' top: 'l' include { phase: TEST } transform_param { crop_size: 6 } data_param { batch_size: 20 } }
layer { name: 'y' type: 'InnerProduct' bottom: 'd' top: 'y' inner_product_param { num_output: 2 } }
layer { name: 'a' type: 'Accuracy' bottom: 'y' bottom: 'l' top: 'a' include { phase: "TEST" } }
layer { name: 'loss' type: 'SoftmaxWithLoss' bottom: 'y' bottom: 'l' top: 'loss' exclude { phase: TEST } }
)";
}

void CaffeImport::the_training_phase_is_read() {
    Problems warnings;
    const auto network = read_any_network(both_phases, "net", &warnings);
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QCOMPARE((*network)->parameters(), 8 * 8 * 3 * 2 + 2);
    QCOMPARE((*network)->default_batch(), 10);
    QCOMPARE((*network)->size(), 3);
    QVERIFY((*network)->draft().description.find("TRAIN") != std::string::npos);
    QVERIFY(messages(warnings).find("TRAIN phase is read") != std::string::npos);
    QVERIFY(messages(warnings).find("three are assumed") != std::string::npos);
}

void CaffeImport::stages() {
    const std::string text = image + "state { stage: 'b' }\n" + layer("ReLU", "data", "a", "include { stage: 'a' }") +
                             layer("ReLU", "data", "b", "include { stage: 'b' }") +
                             layer("ReLU", "data", "c", "include { not_stage: 'b' } include { min_level: 1 }");
    const auto network = read_any_network(text, "net");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QVERIFY(!(*network)->position("a") && (*network)->position("b") && !(*network)->position("c"));
}

void CaffeImport::a_solver_with_its_net() {
    const auto network =
        read_any_network("base_lr: 0.01\nnet_param { name: 'inside' " + std::string(both_phases) + "}", "solver");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QCOMPARE((*network)->name(), std::string("inside"));
    QCOMPARE((*network)->size(), 3);
}

void CaffeImport::normalization_and_scale_are_one() {
    const std::string norm =
        layer("Convolution", "data", "c", "convolution_param { num_output: 5 kernel_size: 1 bias_term: false }") +
        "layer { name: 'n' type: 'BatchNorm' bottom: 'c' top: 'c' param { lr_mult: 0 } }\n";
    const std::string scale =
        "layer { name: 's' type: 'Scale' bottom: 'c' top: 'c' scale_param { bias_term: true } }\n";
    const auto network = read_any_network(image + norm + scale + layer("ReLU", "c", "y"), "net");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QCOMPARE((*network)->parameters(), 15 + 10);
    QCOMPARE((*network)->size(), 4);
    QVERIFY((*network)->position("n") && !(*network)->position("s"));
    // A Scale by itself has a weight, here without a shift, for each channel.
    const auto alone = read_any_network(image + layer("Scale", "data", "y"), "net");
    QVERIFY2(alone.has_value(), alone ? "" : messages(alone.error()).c_str());
    QCOMPARE((*alone)->parameters(), 3);
}

void CaffeImport::in_place_and_split() {
    const auto network = read_any_network(
        image +
            "layer { name: 'r' type: 'ReLU' bottom: 'data' top: 'data' }\n"
            "layer { name: 'two' type: 'Split' bottom: 'data' top: 'a' top: 'b' }\n"
            "layer { name: 'y' type: 'Eltwise' bottom: 'a' bottom: 'b' top: 'y' eltwise_param { operation: SUM } }",
        "net");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QCOMPARE((*network)->size(), 3);
    const auto at = (*network)->position("y");
    QCOMPARE((*network)->inputs(*at)[0], *(*network)->position("r"));
}

void CaffeImport::labels_and_measures_are_left_out() {
    Problems warnings;
    const auto network =
        read_any_network(image + "input: 'label' input_shape { dim: 4 }\n" +
                             layer("InnerProduct", "data", "y", "inner_product_param { num_output: 2 }") +
                             "layer { name: 'acc' type: 'Accuracy' bottom: 'y' bottom: 'label' top: 'acc' }\n"
                             "layer { name: 'loss' type: 'SoftmaxWithLoss' bottom: 'y' bottom: 'label' top: 'loss' }",
                         "net", &warnings);
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QCOMPARE((*network)->size(), 3);
    QVERIFY(messages(warnings).find("Left out as labels: \"label\"") != std::string::npos);
    QVERIFY(messages(warnings).find("Left out: \"acc\"") != std::string::npos);
}

void CaffeImport::names_are_made_unique() {
    const auto network = read_any_network(
        image + "layer { type: 'ReLU' bottom: 'data' top: 'a' }\nlayer { type: 'ReLU' bottom: 'a' top: 'b' }", "net");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QVERIFY((*network)->position("ReLU") && (*network)->position("ReLU_2"));
}

void CaffeImport::broken_data() {
    BrokenTexts::columns();
    const auto row = BrokenTexts::row;
    const auto in = [](const std::string& text) { return image + text; };
    row("no net", "a: 1", 1, 1, "no layers");
    row("solver of another file", "base_lr: 1\nnet: \"x/train_val.prototxt\"", 2, 6, "x/train_val.prototxt");
    row("oldest form", in("layers { layer { name: 'x' type: 'relu' } bottom: 'data' top: 'x' }"), 2, 10, "oldest form");
    row("layer that is none", in("layer: 3"), 2, 8, "a block");
    row("no type", in("layer { name: 'x' bottom: 'data' top: 'x' }"), 2, 1, "no type");
    row("bottom from nowhere", in(layer("ReLU", "dta", "y")), 2, 1, "Did you mean \"data\"");
    row("phase", in(layer("ReLU", "data", "y", "include { phase: TRIAN }")), 2, 73, "no phase");
    row("no outputs", in(layer("Convolution", "data", "y", "convolution_param { kernel_size: 3 }")), 2, 63,
        "how many outputs");
    row("no kernel", in(layer("Convolution", "data", "y", "convolution_param { num_output: 3 }")), 2, 63,
        "how large its kernel");
    row("twice", in(layer("InnerProduct", "data", "y", "inner_product_param { num_output: 3\nnum_output: 4 }")), 3, 1,
        "stands twice");
    row("not whole", in(layer("InnerProduct", "data", "y", "inner_product_param {\n num_output: 1.5 }")), 3, 14,
        "whole number");
    row("groups", in(layer("Convolution", "data", "y", "convolution_param { num_output: 4 kernel_size: 1 group: 2 }")),
        2, 1, "Groups");
    row("volume", in(layer("Convolution", "data", "y", "convolution_param { num_output: 4\n kernel_size: [3, 3, 3] }")),
        3, 2, "dimensions");
    row("kernel too large",
        in(layer("Convolution", "data", "y", "convolution_param { num_output: 4 kernel_size: 11 }")), 2, 1,
        "does not fit");
    row("pool of another kind", in(layer("Pooling", "data", "y", "pooling_param {\npool: MIN kernel_size: 2 }")), 3, 1,
        "no pooling");
    row("pool of no size", in(layer("Pooling", "data", "y", "pooling_param { pool: MAX }")), 2, 59,
        "how large its window");
    row("reshape", in(layer("Reshape", "data", "y", "reshape_param {\nshape { dim: 0 dim: 7 } }")), 3, 1,
        "as many elements");
    row("two open", in(layer("Reshape", "data", "y", "reshape_param {\nshape { dim: 0 dim: -1 dim: -1 } }")), 3, 1,
        "Two dimensions");
    row("data of no size",
        "layer { name: 'd' type: 'Data' top: 'd' top: 'l' data_param { source: 'x' batch_size: 3 } }", 1, 1, "no size");
    row("input of no size", "input: 'd'\n" + layer("ReLU", "d", "y"), 1, 8, "no size");
    row("python data", "layer { name: 'd' type: 'Python' top: 'd' }", 1, 1, "no size");
    row("zero", "input: 'd' input_shape { dim: 0 }\n" + layer("ReLU", "d", "y"), 1, 31, "whole number");
    row("regions", in(layer("ROIPooling", "data", "y")), 2, 1, "several samples");
    row("nothing for training", in(layer("ReLU", "data", "y", "include { phase: TRAIN stage: 'x' }")), 2, 1,
        "No layer belongs");
    row("deep", in("layer { name: 'x' type: 'ReLU'\n bottom: 3 {"), 3, 12, "name of a field");
}

void CaffeImport::broken() {
    BrokenTexts::are_refused("net.prototxt", support::BrokenTexts::Said::in_problem_or_remedy);
}

/// Cut and changed texts: a network or problems with a place and a remedy, whatever comes.
void CaffeImport::mutated_texts_never_crash() {
    const std::string seed = std::string(both_phases) +
                             layer("Pooling", "d", "p", "pooling_param { kernel_size: 3 stride: 2 }") +
                             layer("Reshape", "p", "q", "reshape_param { shape { dim: [0, -1] } }") +
                             layer("Flatten", "q", "f", "flatten_param { axis: -1 }");
    const auto check = [](const std::string& text) {
        const auto network = read_any_network(text, "net");
        if (network) return true;
        bool fine = !network.error().empty();
        for (const Problem& p : network.error()) fine = fine && !p.what.empty() && !p.remedy.empty();
        return fine;
    };
    std::uint32_t random = 1;
    for (std::size_t i = 0; i < seed.size(); ++i) {
        QVERIFY(check(seed.substr(0, i)));
        for (int k = 0; k < 4; ++k) {
            random = random * 1664525u + 1013904223u;
            std::string changed = seed;
            changed[i] = "0-9{}'\"#: 1234567a"[(random >> 16) % 18];
            if (k > 1) changed.erase((random >> 8) % changed.size(), (random >> 20) % 9);
            QVERIFY(check(changed));
        }
    }
}

QTEST_APPLESS_MAIN(CaffeImport)
#include "tst_caffe.moc"
