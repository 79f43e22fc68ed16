// SPDX-License-Identifier: GPL-3.0-or-later
// Files of networks: of full size, packed, and broken; and the samples that networks are trained with.
#include "core/measure/habitat/mlp_training.hpp"
#include "support_habitat.hpp"

#include <zlib.h>
#include <QTemporaryDir>
#include <cstring>
#include <limits>

using namespace scalescope;
using namespace scalescope::habitat;
using habitat_test::need;

namespace {

/// Numbers of every size that a float has, the same on every run.
float invented(std::uint32_t& state) {
    state = state * 1664525u + 1013904223u;
    return (static_cast<float>(state >> 8) / 16777216.0f - 0.5f) * 0.06f;
}

Mlp invented_network(std::size_t own_features, std::size_t hidden, std::size_t width) {
    std::uint32_t state = 12345;
    Mlp mlp;
    for (std::size_t i = 0; i < own_features; ++i) mlp.features.push_back("f" + std::to_string(i));
    for (const auto& name : device_feature_names()) mlp.features.push_back(name);
    for (std::size_t i = 0; i < mlp.features.size(); ++i) {
        mlp.mu.push_back(0.1 + static_cast<double>(i) / 3.0);
        mlp.sigma.push_back(1.0 + static_cast<double>(i) / 7.0);
    }
    for (std::size_t l = 0; l < hidden + 2; ++l) {
        MlpLayer layer{l == 0 ? mlp.features.size() : width, l > hidden ? 1 : width, {}, {}};
        for (std::size_t i = 0; i < layer.inputs * layer.outputs; ++i) layer.weights.push_back(invented(state));
        for (std::size_t i = 0; i < layer.outputs; ++i) layer.bias.push_back(invented(state));
        mlp.layers.push_back(std::move(layer));
    }
    return mlp;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

bool same_bits(const Mlp& a, const Mlp& b) {
    bool same = a.features == b.features && a.mu == b.mu && a.sigma == b.sigma && a.layers.size() == b.layers.size();
    for (std::size_t l = 0; same && l < a.layers.size(); ++l)
        same = same_bits(a.layers[l].weights, b.layers[l].weights) && same_bits(a.layers[l].bias, b.layers[l].bias);
    return same;
}

std::string said(const Result<MlpModels>& result) { return result ? std::string() : to_text(result.error().front()); }

/// A network of one hidden block, two wide, with a part replaced.
std::string small(const std::string& part = {}, const std::string& by = {}) {
    std::string text =
        "{\"linear\": {\n\"features\": [\"a\", \"mem\", \"mem_bw\", \"num_sm\", \"single\"],\n\"layers\": 1,\n"
        "\"layer_size\": 2,\n\"mu\": [0, 1, 2, 3, 4],\n\"sigma\": [1, 1, 1, 1, 1],\n\"parameters\": {\n"
        "\"fc1.weight\": [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]],\n\"fc1.bias\": [1, 2],\n"
        "\"mlp.layers.0.weight\": [[1, 2], [3, 4]],\n\"mlp.layers.0.bias\": [0.5, 0.25],\n"
        "\"fc2.weight\": [[1, 2]],\n\"fc2.bias\": [0.5]}}}";
    if (!part.empty()) {
        const auto at = text.find(part);
        if (at == std::string::npos) qFatal("no such part");
        text.replace(at, part.size(), by);
    }
    return text;
}

}  // namespace

class TestHabitatModelFiles : public QObject {
    Q_OBJECT

private slots:
    void full_size_networks() {
        const Mlp conv2d = invented_network(8, 8, 1024);
        std::size_t numbers = 0;
        for (const MlpLayer& layer : conv2d.layers) numbers += layer.weights.size() + layer.bias.size();
        QCOMPARE(numbers, 8'411'137u);  // Habitat's 8.41 million
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("models.json")).toStdString();
        QVERIFY(write_file(path, write_mlp_models({{"conv2d", conv2d}})));
        const auto again = need(read_mlp_models(path));
        QVERIFY(same_bits(again.at("conv2d"), conv2d));
        std::vector<double> features;
        for (std::size_t i = 0; i < conv2d.features.size(); ++i) features.push_back(3.0 * static_cast<double>(i));
        const double before = need(predict(conv2d, features)).value;
        QCOMPARE(need(predict(again.at("conv2d"), features)).value, before);
        QVERIFY(before != 0.0);
    }

    void numbers_of_every_kind() {
        Mlp mlp = invented_network(1, 0, 3);
        using Limits = std::numeric_limits<float>;
        mlp.layers[0].bias = {-0.0f, Limits::denorm_min(), -Limits::max()};
        mlp.layers[1].weights = {Limits::min(), 16777217.0f, -1e-40f};
        mlp.layers[1].bias = {1.0f / 3.0f};
        const auto text = write_mlp_models({{"x", mlp}});
        QVERIFY(same_bits(need(parse_mlp_models(text, "f")).at("x"), mlp));
        // Between two floats, a hair above the middle: by way of a double it would round down.
        const auto above = small("[0.5]", "[1.00000005960464477539062500000001]");
        QCOMPARE(need(parse_mlp_models(above, "f")).at("linear").layers[2].bias[0], std::nextafter(1.0f, 2.0f));
    }

    void any_order_and_packed() {
        auto text = small();
        const auto read = need(parse_mlp_models(text, "f"));
        auto moved = small("\"layers\": 1,\n", "");
        moved.replace(moved.size() - 2, 2, ", \"layers\": 1, \"note\": [[{\"a\": null}]]}}");
        QVERIFY(same_bits(need(parse_mlp_models("\xEF\xBB\xBF" + moved, "f")).at("linear"), read.at("linear")));
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("models.json.gz")).toStdString();
        gzFile file = gzopen(path.c_str(), "wb");
        gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
        gzclose(file);
        QVERIFY(same_bits(need(read_mlp_models(path)).at("linear"), read.at("linear")));
        QVERIFY(!read_mlp_models(folder.filePath(QStringLiteral("none.json")).toStdString()));
    }

    void broken_files_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const std::string& text, const char* says) {
            QTest::addRow("%s", says) << QString::fromStdString(text) << QString::fromUtf8(says);
        };
        row("", "f:1:1: The file is empty");
        row("  \n [1]", "f:2:2: This is no file of networks");
        row("3", "f:1:1: This is no file of networks");
        row("{\"linear\": {}}", "f:1:12: linear: There is no usable \"features\" here");
        row("{\"linear\": 5}", "f:1:12: linear: This is no network but a number");
        row(small("\"layers\": 1", "\"layers\": -1"), "f:3:11: linear \u203a layers: This is no whole number");
        row(small("\"layers\": 1", "\"layers\": 1.5"), "f:3:11: linear \u203a layers: This is no whole number");
        row(small("\"layers\": 1", "\"layers\": 2"),
            "f:1:12: linear \u203a parameters \u203a mlp.layers.2.weight: The");
        row(small("\"layers\": 1", "\"layers\": 99999"), "f:3:11: linear: No network has so many layers");
        row(small("\"layer_size\": 2", "\"layer_size\": 0"), "f:3:11: linear: No network has so many layers");
        row(small("[0, 1, 2, 3, 4]", "[0, 1, 2, 3]"), "f:5:7: linear \u203a mu: This is no list of 5 numbers");
        row(small("[1, 1, 1, 1, 1]", "[1, 1, 0, 1, 1]"), "f:6:10: linear \u203a sigma: A standard deviation is not");
        row(small("[1, 1, 1, 1, 1]", "[1, 1, null, 1, 1]"),
            "f:6:17: linear \u203a sigma: This is no number but nothing");
        row(small("[\"a\",", "[1,"), "f:2:14: linear \u203a features: This is no name but a number");
        row(small("\"a\", ", ""), "f:1:12: linear: There are 4 features");
        row(small("[3, 4]", "[3]"), "f:10:33: linear \u203a mlp.layers.0.weight: Row 2 of these weights has 1 numbers");
        row(small("[[1, 2]]", "[[1, 2], [3, 4]]"),
            "f:12:15: linear \u203a parameters \u203a fc2.weight: This is no list of 1 rows");
        row(small("[[1, 2]]", "[1, 2]"),
            "f:12:15: linear \u203a parameters \u203a fc2.weight: This is no list of 1 rows");
        row(small("[[1, 2]]", "[1, [2]]"), "f:12:19: linear \u203a fc2.weight: This is no list of numbers");
        row(small("[[1, 2]]", "[[1], 2]"), "f:12:21: linear \u203a fc2.weight: A number stands beside lists");
        row(small("[0.5]", "[1e39]"), "f:13:14: linear \u203a fc2.bias: This is no number that the network can hold");
        row(small("[0.5]", "[1e999]"), "f:13:14: linear \u203a fc2.bias: This is no number that the network can hold");
        row(small("[0.5]", "[0.5"), "f:13:17: What begins here is no JSON");
        row(small("[0.5]}}}", "[0.5"), "f:13:16: What begins here is no JSON, or the file is cut off");
        row(small("\"fc2.bias\"", "\"fc2.weight\""), "f:13:1: linear: The name \"fc2.weight\" is used twice");
        row(small("\"mu\"", "\"layers\""), "f:5:1: linear: The name \"layers\" is used twice");
        row("{\"a\": {}, \"a\": {}}", "f:1:11: a: The name \"a\" is used twice");
        row("{\"a\": {\"x\": " + std::string(100, '['), "f:1:75: Lists are more than 64 inside each other");
        row(small() + " x", "f:13:22: What begins here is no JSON");
    }
    void broken_files() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto found = QString::fromStdString(said(parse_mlp_models(text.toStdString(), "f")));
        QVERIFY2(found.startsWith(says), qPrintable(found));
    }

    void a_reading_that_is_cancelled() {
        CancelSource source;
        source.cancel();
        const auto found = parse_mlp_models(small(), "f", Watch{{}, source.token()});
        QVERIFY(!found && found.error().front().what == "Reading was cancelled here.");
    }

    void samples_of_an_operation() {
        const habitat_test::Inputs in(false);
        const auto text = habitat_test::text("samples.csv");
        const auto read = need(read_mlp_samples(text, "samples.csv", "conv2d", usual_features("conv2d"), in.devices));
        QCOMPARE(read.features.size(), 12u);
        QVERIFY(read.warnings.empty());
        QCOMPARE(read.samples.size(), 180u);
        for (const MlpSample& s : read.samples) QCOMPARE(s.features.size(), 12u);

        const auto by_figures =
            need(read_mlp_samples("x,mem,mem_bw,num_sm,single,run_time_ms\n1,16,900,80,14,0.5\n2,8,448,36,6.5,0.75\n",
                                  "f", "own", {"x"}, {}));
        QCOMPARE(by_figures.samples.size(), 2u);
        QCOMPARE(by_figures.samples[1].features, (std::vector<double>{2, 8, 448, 36, 6.5}));
        QCOMPARE(by_figures.samples[1].time.value, 0.75);
    }

    void directions_are_summed_and_repeats_averaged() {
        const habitat_test::Inputs in(false);
        const auto read =
            need(read_mlp_samples("x,device,is_forward,run_time_ms\n1,V100,1,2\n1,V100,1,4\n1,V100,0,5\n"
                                  "2,V100,1,7\n1,T4,0,1\n1,T4,1,8\n",
                                  "f", "own", {"x"}, in.devices));
        QCOMPARE(read.samples.size(), 2u);
        double sum = 0.0;
        for (const MlpSample& s : read.samples) {
            const bool v100 = s.features == std::vector<double>{1, 16, 900, 80, 14.028};
            QVERIFY(v100 || s.features == (std::vector<double>{1, 16, 320, 40, 8.1}));
            QCOMPARE(s.time.value, v100 ? 8.0 : 9.0);
            sum += s.time.value;
        }
        QCOMPARE(sum, 17.0);
        QCOMPARE(read.warnings.front().what,
                 std::string("1 configurations have a forward or a backward time, not both."));
    }

    void broken_samples_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* text, const char* says) {
            QTest::addRow("%s", says) << QString::fromUtf8(text) << QString::fromUtf8(says);
        };
        row("y,device,run_time_ms\n1,V100,2\n", "f:1:1: There is no column \"x\"");
        row("x,run_time_ms\n1,2\n", "f:1:1: There is no column \"mem\"");
        row("x,device,run_time_ms\n1,V10,2\n",
            "f:2:3: device: There is no device called \"V10\"; did you mean \"V100\"?");
        row("x,device,run_time_ms\n1,P4,2\n", "f:2:3: device: Device P4 has no figures for networks");
        row("x,device,run_time_ms\n1,V100,0\n", "f:2:8: run_time_ms: ");
        row("x,device,run_time_ms\n1,V100,fast\n", "f:2:8: run_time_ms: ");
        row("operation,x,device,run_time_ms\nother,1,V100,2\n", "f:1:20: There is no sample of \"own\"");
        row("x,device,is_forward,run_time_ms\n1,V100,2,2\n", "f:2:8: is_forward: ");
    }
    void broken_samples() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto result =
            read_mlp_samples(text.toStdString(), "f", "own", {"x"}, habitat_test::Inputs(false).devices);
        QVERIFY(!result);
        const auto found = QString::fromStdString(to_text(result.error().front()));
        QVERIFY2(found.startsWith(says), qPrintable(found));
        const auto nobody = read_mlp_samples("x,device,run_time_ms\n1,V100,2\n", "f", "own", {"x"}, {});
        QVERIFY(!nobody && nobody.error().front().what == "The samples name devices, but none is known.");
    }
};

QTEST_APPLESS_MAIN(TestHabitatModelFiles)
#include "tst_habitat_model_files.moc"
