// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/support_paleo.hpp"

#include <QTest>

using namespace scalescope::paleo;
using paleo_test::joined;

namespace {

const Layer* find(const Net& net, const std::string& name) {
    for (const auto& layer : net.layers)
        if (layer.name == name) return &layer;
    return nullptr;
}

std::string listed(std::span<const std::int64_t> numbers) {
    std::string text;
    for (const auto number : numbers) text += (text.empty() ? "" : "x") + std::to_string(number);
    return text;
}

std::string parents(const Net& net, const Layer& layer) {
    std::string text;
    for (const int parent : layer.parents)
        text += (text.empty() ? "" : ";") + net.layers[static_cast<std::size_t>(parent)].name;
    return text;
}

std::string inputs(const Net& net, const Layer& layer) {
    if (layer.parents.size() < 2) return joined(layer.input);
    std::string text;
    for (const int parent : layer.parents)
        text += (text.empty() ? "" : "|") + joined(net.layers[static_cast<std::size_t>(parent)].output);
    return text;
}

std::string filter(const Layer& layer) {
    if (layer.kind == LayerType::convolution) return listed(layer.filter);
    if (layer.kind == LayerType::inner_product)
        return std::to_string(layer.input[1]) + "x" + std::to_string(layer.output[1]);
    return {};
}

std::string padding(const Layer& layer) {
    if (layer.padding == Padding::given)
        return "[" + std::to_string(layer.pad[0]) + ", " + std::to_string(layer.pad[1]) + "]";
    return layer.padding == Padding::same ? "SAME" : "VALID";
}

}  // namespace

class TestPaleoStatic : public QObject {
    Q_OBJECT

private slots:
    void layers_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("rows");
        QTest::newRow("layers_static") << "layers_static" << 306;
        QTest::newRow("synthetic_layers_static") << "synthetic_layers_static" << 36;
    }

    /// Every column of every row. PALEO's order among the copies of a split layer is that of a Python set: for the
    /// split nets and for the net whose walk PALEO truncates the place in the order is not compared, only that it is
    /// one.
    void layers() {
        QFETCH(QString, file);
        QFETCH(int, rows);
        int checked = 0;
        std::map<std::string, int> rows_of;
        for (const auto& row : paleo_test::csv(file.toStdString()).rows) {
            const auto& net = paleo_test::net(row["net"]);
            const Layer* found = find(net, row["layer"]);
            QVERIFY2(found, row.where().c_str());
            const Layer& layer = *found;
            const bool has_window = layer.kind == LayerType::pooling;
            const bool convolves = layer.kind == LayerType::convolution;
            const bool strides = convolves || has_window || layer.kind == LayerType::deconvolution;
            if (!net.is_split() && !net.walk.empty())
                QCOMPARE(&net.layers[static_cast<std::size_t>(row.integer("index"))], &layer);
            const auto same = [&](const char* column, const std::string& actual) {
                if (row[column] == actual) return true;
                qWarning("%s: %s, expected %s | %s", column, actual.c_str(), row[column].c_str(), row.where().c_str());
                return false;
            };
            QVERIFY(same("type", layer.type));
            QVERIFY(same("paleo_layertype", priced_as(layer)));
            QVERIFY(same("parents", parents(net, layer)));
            QVERIFY(same("device_id", std::to_string(layer.split == not_split ? 0 : layer.split)));
            QVERIFY(same("inputs_nhwc", inputs(net, layer)));
            QVERIFY(same("outputs_nhwc", joined(layer.output)));
            QVERIFY(same("filter_hwio", filter(layer)));
            QVERIFY(same("strides", strides ? listed(layer.strides) : ""));
            QVERIFY(same("padding", strides ? padding(layer) : ""));
            QVERIFY(same("pad_h", convolves ? std::to_string(layer.pad[0]) : ""));
            QVERIFY(same("pad_w", convolves ? std::to_string(layer.pad[1]) : ""));
            QVERIFY(same("backprop_wrt_inputs", convolves ? (layer.reads_data ? "0" : "1") : ""));
            QVERIFY(same("num_params", std::to_string(layer.parameters)));
            QVERIFY(same("weights_bytes", std::to_string(4 * layer.parameters)));
            ++rows_of[row["net"]];
            ++checked;
        }
        qInfo("%d rows", checked);
        QCOMPARE(checked, rows);
        for (const auto& [name, count] : rows_of)
            if (name == "quirk_truncated_walk")  // PALEO drops 7 of its layers; they are kept here, with a warning
                QCOMPARE(count, 11);
            else
                QCOMPARE(static_cast<std::size_t>(count), paleo_test::net(name).layers.size());
    }

    void order_is_topological_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name :
             {"alex_v2", "alex_v2_1gpu", "alex_v2_2gpu", "alex_v2_4gpu", "alex_v2_8gpu", "inception_v3", "nin", "vgg16",
              "quirk_truncated_walk", "synthetic_coverage", "synthetic_deconv"})
            QTest::newRow(name) << name;
    }
    void order_is_topological() {
        QFETCH(QString, name);
        const auto& net = paleo_test::net(name.toStdString());
        for (std::size_t i = 0; i < net.layers.size(); ++i)
            for (const int parent : net.layers[i].parents) QVERIFY(parent < static_cast<int>(i));
    }

    void truncated_walk_is_kept_whole() {
        const auto& net = paleo_test::net("quirk_truncated_walk");
        QCOMPARE(net.layers.size(), 18u);
        QVERIFY(net.walk.empty());
        QCOMPARE(net.warnings.size(), 2u);  // BatchNorm is no type of PALEO; the walk
        QVERIFY(net.warnings[1].what.find("drop some layers") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestPaleoStatic)
#include "tst_paleo_static.moc"
