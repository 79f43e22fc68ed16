// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX models that others wrote, and networks exported by PyTorch: parameters and multiply-adds as counted elsewhere
// (tests/data/models/onnx/truth.csv), or refused with a reason. Outcomes may only get better: outcomes.csv.
#include <QtTest>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "core/formats/input_file.hpp"
#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/onnx/onnx_import.hpp"

using namespace scalescope;

namespace {

const std::string folder = SCALESCOPE_TEST_DATA "/models/onnx/";

using Row = std::vector<std::string>;

/// The rows of a CSV file without quotes, by their first cell.
std::map<std::string, Row> table(const std::string& name) {
    std::map<std::string, Row> rows;
    std::ifstream lines(folder + name);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        Row row;
        std::istringstream cells(line + ',');
        for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
        rows.emplace(row.at(0), row);
    }
    return rows;
}

struct Outcome {
    std::string word;  ///< "read", "refused", or what differs
    int unknown = 0;
    std::string details;
};

Outcome outcome_of(const std::string& name, const Row& truth, bool show) {
    Outcome o;
    const auto text = formats::read_input_file(folder + name);
    if (!text) return {"refused", 0, to_text(text.error()[0])};
    Problems warnings;
    formats::OnnxCounts counts;
    auto draft = formats::import_onnx_network(*text, name, &warnings, {}, &counts);
    const auto network = draft ? Network::make(std::move(*draft)) : tl::unexpected(draft.error());
    if (!network) {
        o.word = "refused";
        for (const Problem& p : network.error()) {
            if (p.remedy.empty() || p.what.empty()) o.word = "refused without a reason";
            if (o.details.empty() && p.severity == Severity::error) o.details = to_text(p);
        }
        return o;
    }
    const Network& n = **network;
    o.word = "read";
    o.unknown = n.unknown_kinds();
    o.details = std::to_string(n.size()) + " layers, " + std::to_string(n.parameters()) + " parameters, " +
                std::to_string(counts.statistics) + " statistics, " + std::to_string(counts.constants) +
                " constants, " + std::to_string(n.multiply_adds()) + " multiply-adds, " +
                std::to_string(warnings.size()) + " warnings";
    const auto differs = [&](std::size_t cell, std::int64_t is, double tolerance, const char* what) {
        if (truth.at(cell).empty()) return;
        const auto should = std::stoll(truth.at(cell));
        if (std::abs(static_cast<double>(is - should)) <= tolerance * static_cast<double>(should)) return;
        o.word = what;
        o.details += std::string(", ") + what + " " + std::to_string(is) + " for " + truth.at(cell);
    };
    differs(3, n.multiply_adds() * std::stoll(truth.at(4)), 0.005, "multiply-adds");
    // A model's parameters are those it is trained with; a file's are all floating-point numbers in it.
    // Folding a normalization into a convolution that had a bias of its own takes as many again.
    std::int64_t trained = n.parameters() - counts.repeated;
    if (truth.at(5) == "model" && trained - counts.tied == std::stoll(truth.at(1))) trained -= counts.tied;
    if (truth.at(5) == "model" && trained + 2 * counts.folded == std::stoll(truth.at(1))) counts.folded *= 2;
    if (truth.at(5) == "model")
        differs(1, trained + counts.folded, 0, "parameters");
    else
        differs(1, trained - counts.whole - counts.given + counts.statistics + counts.constants, 0, "parameters");
    if (o.unknown > 0) o.details += "; " + about_unknown_kinds(n);
    if (show)
        for (const Problem& p : warnings) o.details += "\n      " + to_text(p);
    return o;
}

}  // namespace

class OnnxFiles : public QObject {
    Q_OBJECT
private slots:
    void outcomes();
    void exported_networks_are_the_presets();
    void what_is_read_is_kept_in_a_file();
};

void OnnxFiles::outcomes() {
    const auto truth = table("truth.csv"), expected = table("outcomes.csv");
    QCOMPARE(static_cast<int>(truth.size()), 75);
    std::string said;
    int same = 0;
    for (const auto& [name, row] : truth) {
        const Outcome o = outcome_of(name, row, qEnvironmentVariableIsSet("SCALESCOPE_SHOW_WARNINGS"));
        const auto it = expected.find(name);
        const std::string should = it == expected.end() ? "" : it->second.at(1);
        const int unknown = it == expected.end() ? 0 : std::stoi('0' + it->second.at(2));
        // Better is: read where it was refused or counted otherwise, or fewer layers of unknown kind.
        const bool as_expected = (should == "refused" && o.word != "refused without a reason") ||
                                 ((o.word == "read" || o.word == should) && o.unknown <= unknown);
        same += as_expected;
        said += (as_expected ? "  " : "! ") + name + ": " + o.word + ", " + std::to_string(o.unknown) +
                " of unknown kind, " + o.details + '\n';
    }
    std::fputs(said.c_str(), stdout);
    QVERIFY2(same == static_cast<int>(truth.size()),
             "an outcome is worse than outcomes.csv has it: see the lines with '!'");
}

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

void OnnxFiles::what_is_read_is_kept_in_a_file() {
    for (const auto& [name, row] : table("outcomes.csv")) {
        if (row.at(1) == "refused") continue;
        const auto text = formats::read_input_file(folder + name);
        QVERIFY(text.has_value());
        const auto draft = formats::read_any_network_draft(*text, name);
        QVERIFY2(draft.has_value(), name.c_str());
        const std::string written = formats::write_network(*draft);
        const auto again = formats::read_network_draft(written, "again.json");
        QVERIFY2(again.has_value(), again ? "" : to_text(again.error()[0]).c_str());
        QCOMPARE(formats::write_network(*again), written);
    }
}

QTEST_APPLESS_MAIN(OnnxFiles)
#include "tst_onnx_files.moc"
