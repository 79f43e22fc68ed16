// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX models that others wrote, and networks exported by PyTorch: parameters and multiply-adds as counted elsewhere
// (tests/data/models/onnx/truth.csv), or refused with a reason. Outcomes may only get better: outcomes.csv.
#include <QtTest>
#include "core/formats/input_file.hpp"
#include "core/formats/library.hpp"
#include "core/formats/onnx/onnx_import.hpp"
#include "support_model_files.hpp"

using namespace scalescope;

namespace {

const std::string folder = SCALESCOPE_TEST_DATA "/models/onnx/";

/// What the file has beside the parameters of the network; that of the file read last.
formats::OnnxCounts counted;

Result<std::shared_ptr<const Network>> read(const std::string& text, const support::CsvRow& row, Problems& warnings) {
    counted = {};
    auto draft = formats::import_onnx_network(text, row.at("file"), &warnings, {}, &counted);
    if (!draft) return tl::unexpected(draft.error());
    return Network::make(std::move(*draft), support::sizes_of(row.at("sizes")));
}

/// A model's parameters are those it is trained with; a file's are all floating-point numbers in it. outcomes.csv says
/// for each file what is allowed for: normalizations folded into convolutions (twice as many numbers, if these had a
/// bias of their own), or an embedding that the exporter has written a second time.
std::int64_t parameters(const Network& network, const support::CsvRow& row) {
    const std::int64_t trained = network.parameters() - counted.repeated;
    if (row.at("counted") != "model")
        return trained - counted.whole - counted.given + counted.statistics + counted.constants;
    const auto cell = row.find("allowance");
    const std::string allowance = cell == row.end() ? std::string() : cell->second;
    constexpr std::int64_t without_cause = -1;
    if (allowance.empty()) return trained;
    if (allowance == "folded") return counted.folded > 0 ? trained + counted.folded : without_cause;
    if (allowance == "folded twice") return counted.folded > 0 ? trained + 2 * counted.folded : without_cause;
    if (allowance == "tied") return counted.tied > 0 ? trained - counted.tied : without_cause;
    return without_cause;
}

support::ModelCounts counts() {
    support::ModelCounts c;
    c.text = [](const std::string& file) { return formats::read_input_file(folder + file); };
    c.read = read;
    c.parameters = parameters;
    c.multiply_adds = [](const Network& n, const support::CsvRow& row) {
        return n.multiply_adds() * std::stoll(row.at("batch"));
    };
    c.lines = false;
    return c;
}

}  // namespace

class OnnxFiles : public QObject {
    Q_OBJECT
private slots:
    void outcomes();
    void exported_networks_are_the_presets();
    void what_is_read_is_kept_in_a_file();
};

void OnnxFiles::outcomes() { support::compare_model_files("onnx", 75, counts()); }

/// What PyTorch exports of a published network is as large as the preset of it, folded normalizations counted.
void OnnxFiles::exported_networks_are_the_presets() {
    const formats::Library library = formats::load_shipped();
    const std::vector<std::pair<std::string, std::string>> same{{"vgg16", "vgg-16"},
                                                                {"resnet18-opset17", "resnet-18"},
                                                                {"resnet50-dynamic-batch", "resnet-50"},
                                                                {"inception_v3", "inception-v3"},
                                                                {"densenet121", "densenet-121"},
                                                                {"mobilenet_v2", "mobilenet-v2"},
                                                                {"efficientnet_b0", "efficientnet-b0"}};
    for (const auto& [exported, id] : same) {
        const auto text = formats::read_input_file(folder + "exported/" + exported + ".onnx");
        QVERIFY(text.has_value());
        formats::OnnxCounts counts;
        auto draft = formats::import_onnx_network(*text, exported, nullptr, {}, &counts);
        QVERIFY(draft.has_value());
        const auto network = Network::make(std::move(*draft));
        const auto preset = library.network(id);
        QVERIFY(network.has_value() && preset.has_value());
        QCOMPARE((*network)->multiply_adds(), (*preset)->multiply_adds());
        QCOMPARE((*network)->parameters() + counts.folded, (*preset)->parameters());
    }
}

void OnnxFiles::what_is_read_is_kept_in_a_file() { support::write_and_read_model_files("onnx", counts()); }

QTEST_APPLESS_MAIN(OnnxFiles)
#include "tst_onnx_files.moc"
