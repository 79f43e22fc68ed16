// SPDX-License-Identifier: GPL-3.0-or-later
// PALEO's networks as our own: the same layers, shapes and totals.
#include <QtTest>
#include <fstream>
#include <sstream>

#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/paleo/import.hpp"
#include "core/formats/paleo/network.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::messages;

class PaleoImport : public QObject {
    Q_OBJECT
private slots:
    void totals_are_paleos();
    void shapes_are_paleos();
    void every_type_has_a_counterpart();
    void what_cannot_be_said_is_a_problem();
};

void PaleoImport::totals_are_paleos() {
    const Library library = load_shipped();
    std::ifstream file(SCALESCOPE_TEST_DATA "/published/paleo_network_totals.csv");
    std::string line, name, parameters, macs;
    std::getline(file, line);
    int rows = 0;
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        std::getline(cells, name, ',');
        std::getline(cells, parameters, ',');
        std::getline(cells, macs, ',');
        const auto network = library.network(name);
        QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
        QCOMPARE((*network)->parameters(), std::stoll(parameters));
        QCOMPARE((*network)->multiply_adds(), std::stoll(macs));
        ++rows;
    }
    QCOMPARE(rows, 8);
}

void PaleoImport::shapes_are_paleos() {
    const Library library = load_shipped();
    for (const Preset& preset : library.networks) {
        if (!preset.id.starts_with("paleo/")) continue;
        const auto net = read_paleo_network(preset.text, preset.file);
        QVERIFY(net.has_value());
        Problems warnings;
        const auto draft = convert_paleo_network(*net, &warnings);
        QVERIFY2(draft.has_value(), draft ? "" : messages(draft.error()).c_str());
        const auto network = Network::make(*draft);
        QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
        QCOMPARE((*network)->default_batch(), net->layers.front().output.batch());
        QCOMPARE((*network)->layers().size(), net->layers.size());
        for (const auto& l : net->layers) {
            const auto at = (*network)->position(l.name);
            QVERIFY2(at.has_value(), l.name.c_str());
            if (l.kind == paleo::LayerType::softmax) continue;  // PALEO's drops the 1×1 before the classes
            Shape shape;
            for (int d = 1; d < l.output.rank; ++d) shape.push_back(l.output[d]);
            QVERIFY2((*network)->facts()[static_cast<std::size_t>(*at)].output == shape,
                     (preset.id + ": " + l.name).c_str());
        }
        // And it can be kept as our own file.
        const auto again = read_network_draft(write_network(*draft), "again.json");
        QVERIFY2(again.has_value(), again ? "" : messages(again.error()).c_str());
        QCOMPARE(write_network(*again), write_network(*draft));
    }
}

void PaleoImport::every_type_has_a_counterpart() {
    const std::string text = R"({"name": "all", "layers": {
        "data": {"parents": [], "type": "Input", "tensor": [16, 8, 8, 3]},
        "norm": {"parents": ["data"], "type": "BatchNorm"},
        "conv": {"parents": ["norm"], "type": "Convolution", "filter": [3, 3, 3, 4], "padding": [1, 1], "strides": [1, 1, 1, 1], "activation_fn": "elu", "normalizer_fn": "batch_norm"},
        "up": {"parents": ["conv"], "type": "UpSampling2D", "ksize": [1, 2, 2, 1]},
        "pool": {"parents": ["up"], "type": "AvgPool", "ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"},
        "sum": {"parents": ["pool", "conv"], "type": "Elementwise"},
        "join": {"parents": ["sum", "conv"], "type": "Concatenate", "dim": 3},
        "deconv": {"parents": ["join"], "type": "Deconvolution", "filter": [5, 5, 6, 8], "padding": "SAME", "strides": [1, 2, 2, 1], "output_shape": [-1, 15, 16, 6]},
        "flat": {"parents": ["deconv"], "type": "Reshape", "output_shape": [16, 1440]},
        "drop": {"parents": ["flat"], "type": "Dropout", "dropout_keep_prob": 0.9},
        "fc": {"parents": ["drop"], "type": "InnerProduct", "num_outputs": 10, "activation_fn": "tanh"},
        "prob": {"parents": ["fc"], "type": "Softmax", "num_classes": 10},
        "sig": {"parents": ["fc"], "type": "Sigmoid"}}})";
    QVERIFY(is_paleo_network(text));
    Problems warnings;
    const auto network = read_any_network(text, "all.json", &warnings);
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    const auto facts = [&](std::string_view name) {
        return (*network)->facts()[static_cast<std::size_t>(*(*network)->position(name))];
    };
    QVERIFY((facts("norm").output == Shape{8, 8, 3}));
    QVERIFY(facts("norm").division == Division::view);
    QVERIFY((facts("up").output == Shape{16, 16, 4}));
    QVERIFY((facts("join").output == Shape{8, 8, 8}));
    QVERIFY((facts("deconv").output == Shape{15, 16, 6}));
    QCOMPARE(facts("fc").weights, std::int64_t{14410});
    QCOMPARE(std::get<double>(
                 attribute((*network)->layers()[static_cast<std::size_t>(*(*network)->position("drop"))], "rate")),
             1 - 0.9);
    QCOMPARE(std::get<std::string>(
                 attribute((*network)->layers()[static_cast<std::size_t>(*(*network)->position("pool"))], "mode")),
             std::string("average"));
    const std::string said = messages(warnings);
    for (auto part : {"BatchNorm", "elu", "batch_norm", "Sigmoid"})
        QVERIFY2(said.find(part) != std::string::npos, (std::string(part) + "\n" + said).c_str());
}

void PaleoImport::what_cannot_be_said_is_a_problem() {
    const auto rows = read_any_network(R"({"layers": {
  "data": {"parents": [], "type": "Input", "tensor": [16, 8, 8, 3]},
  "join": {"parents": ["data", "data"], "type": "Concatenate", "dim": 1}}})",
                                       "rows.json");
    QVERIFY(!rows);
    QCOMPARE(rows.error().front().at.line, 3);
    QVERIFY2(rows.error().front().what.find("channels") != std::string::npos, messages(rows.error()).c_str());
}

QTEST_APPLESS_MAIN(PaleoImport)
#include "tst_paleo_import.moc"
