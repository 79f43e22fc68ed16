// SPDX-License-Identifier: GPL-3.0-or-later
// Caffe nets that others wrote: parameters, statistics and multiply-adds as counted from the text by another program
// (tests/data/models/caffe/truth.csv), or refused with a reason. Outcomes may only get better: outcomes.csv.
#include <QtTest>
#include <cstdio>

#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "reference/support_files.hpp"

using namespace scalescope;
using support::FileFolder;
using support::first_line;
using support::Outcome;

namespace {

const FileFolder folder("caffe");

/// What Caffe keeps of a batch normalization beside its weights: mean and variance of each channel, and (not in the BN
/// of forks) how many batches they are of.
std::int64_t statistics(const Network& network, bool fork) {
    std::int64_t n = 0;
    for (int l = 0; l < network.size(); ++l) {
        const Layer& layer = network.layers()[static_cast<std::size_t>(l)];
        const bool alone =
            layer.kind->name == "unknown" && std::get<std::string>(attribute(layer, "type")) == "BatchNorm";
        if (alone || layer.kind->name == "batch_norm")
            n += 2 * network.facts()[static_cast<std::size_t>(l)].units + (fork ? 0 : 1);
    }
    return n;
}

}  // namespace

class CaffeFiles : public QObject {
    Q_OBJECT
private slots:
    void outcomes();
    void the_remedy_for_data_of_no_size_works();
    void weights_shared_by_name_are_said();
    void what_is_read_is_kept_in_a_file();
};

void CaffeFiles::outcomes() {
    const auto truth = folder.table("truth.csv"), expected = folder.table("outcomes.csv");
    QCOMPARE(static_cast<int>(truth.size()), 30);
    std::string said;
    bool same = true;
    for (const auto& entry : truth) {
        const std::string& name = entry.first;
        const auto& row = entry.second;
        const std::string text = folder.text(name);
        QVERIFY2(!text.empty(), name.c_str());
        Problems warnings;
        const auto network = formats::read_any_network(text, name, &warnings);
        Outcome o;
        std::int64_t parameters = 0, multiply_adds = 0;
        if (!network) {
            const std::string nowhere = support::without_place(network.error(), name);
            QVERIFY2(nowhere.empty(), nowhere.c_str());
            o.word = "refused";
            o.reason = first_line(network.error());
        } else {
            const bool fork = text.find("type: \"BN\"") != std::string::npos;
            parameters = (*network)->parameters();
            // The truth is of a batch: the one in the file, or the one its column `data` begins with.
            const auto size = row.at(5).find_first_of("0123456789");
            const std::int64_t batch =
                size == std::string::npos ? (*network)->default_batch() : std::stoll(row.at(5).substr(size));
            multiply_adds = (*network)->multiply_adds() * batch;
            for (const Layer& l : (*network)->layers()) o.unknown += l.kind->name == "unknown" ? 1 : 0;
            o.word = "read";
            o.compare(row.at(3), multiply_adds, 0.005, "multiply-adds");
            o.compare(row.at(2), statistics(**network, fork), 0, "statistics");
            o.compare(row.at(1), parameters, 0, "parameters");
        }
        const auto it = expected.find(name);
        const bool as_expected = o.at_least(it == expected.end() ? nullptr : &it->second);
        same = same && as_expected;
        said += (as_expected ? "  " : "! ") + name + ": " + o.word + ", " + std::to_string(o.unknown) +
                " of unknown kind, " + std::to_string(parameters) + " parameters, " + std::to_string(multiply_adds) +
                " multiply-adds, " + std::to_string(warnings.size()) + " warnings " + o.reason + '\n';
    }
    std::fputs(said.c_str(), stdout);
    QVERIFY2(same, "an outcome is worse than outcomes.csv has it: see the lines with '!'");
}

/// A data layer in Python states no size; the message says what to write instead, and then the net reads.
void CaffeFiles::the_remedy_for_data_of_no_size_works() {
    std::string text = folder.text("voc-fcn8s-train.prototxt");
    const auto refused = formats::read_any_network(text, "fcn");
    QVERIFY(!refused);
    QVERIFY(first_line(refused.error()).find("input_param { shape { dim: 1 dim: 3 dim: 224") != std::string::npos);
    const auto begin = text.find("layer {"), end = text.find("layer {", begin + 1);
    text.replace(begin, end - begin,
                 "layer { name: \"data\" type: \"Input\" top: \"data\" top: \"label\" input_param {"
                 " shape { dim: 1 dim: 3 dim: 500 dim: 500 } } }\n");
    const auto network = formats::read_any_network(text, "fcn");
    QVERIFY2(network.has_value(), network ? "" : first_line(network.error()).c_str());
    QCOMPARE((*network)->parameters(), 134489759);
    QCOMPARE((*network)->multiply_adds(), 181529034048);
}

/// Each tower of the siamese net has its own weights here; the warning says by how many that is too many.
void CaffeFiles::weights_shared_by_name_are_said() {
    Problems warnings;
    const auto network =
        formats::read_any_network(folder.text("mnist_siamese_train_test.prototxt"), "siamese", &warnings);
    QVERIFY2(network.has_value(), network ? "" : first_line(network.error()).c_str());
    const std::int64_t truth = std::stoll(folder.table("truth.csv").at("mnist_siamese_train_test.prototxt").at(1));
    const std::string extra = std::to_string((*network)->parameters() - truth) + " parameters too many";
    bool said = false;
    for (const Problem& p : warnings) said = said || p.what.find(extra) != std::string::npos;
    QVERIFY2(said, extra.c_str());
}

void CaffeFiles::what_is_read_is_kept_in_a_file() {
    for (const auto& [name, row] : folder.table("outcomes.csv")) {
        if (row.at(1) == "refused") continue;
        const auto draft = formats::read_any_network_draft(folder.text(name), name);
        QVERIFY2(draft.has_value(), name.c_str());
        const std::string written = formats::write_network(*draft);
        const auto again = formats::read_network_draft(written, "again.json");
        QVERIFY2(again.has_value(), again ? "" : first_line(again.error()).c_str());
        QCOMPARE(formats::write_network(*again), written);
    }
}

QTEST_APPLESS_MAIN(CaffeFiles)
#include "tst_caffe_files.moc"
