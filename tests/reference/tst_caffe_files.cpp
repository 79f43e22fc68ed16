// SPDX-License-Identifier: GPL-3.0-or-later
// Caffe nets that others wrote: parameters, statistics and multiply-adds as counted from the text by another program
// (tests/data/models/caffe/truth.csv), or refused with a reason. Outcomes may only get better: outcomes.csv.
#include <QtTest>

#include "core/formats/library.hpp"
#include "support_model_files.hpp"

using namespace scalescope;

namespace {

/// What Caffe keeps of a batch normalization beside its weights: mean and variance of each channel, and (not in the BN
/// of forks) how many batches they are of.
std::int64_t statistics(const Network& network, const std::string& text) {
    const bool fork = text.find("type: \"BN\"") != std::string::npos;
    std::int64_t n = 0;
    for (int l = 0; l < network.size(); ++l) {
        const Layer& layer = network.layers()[static_cast<std::size_t>(l)];
        if (layer.kind->name == "batch_norm")
            n += 2 * network.facts()[static_cast<std::size_t>(l)].units + (fork ? 0 : 1);
    }
    return n;
}

/// The truth is of a batch: the one in the file, or the one its column `data` begins with.
std::int64_t multiply_adds(const Network& network, const support::CsvRow& truth) {
    const std::string& data = truth.at("data");
    const auto size = data.find_first_of("0123456789");
    return network.multiply_adds() *
           (size == std::string::npos ? network.default_batch() : std::stoll(data.substr(size)));
}

std::string file_text(const std::string& name) { return support::model_text("caffe", name); }

}  // namespace

class CaffeFiles : public QObject {
    Q_OBJECT
private slots:
    void outcomes() { support::compare_model_files("caffe", 30, {statistics, multiply_adds}); }
    void the_remedy_for_data_of_no_size_works();
    void weights_shared_by_name_count_once();
    void what_is_read_is_kept_in_a_file() { support::write_and_read_model_files("caffe"); }
};

/// A data layer in Python states no size; the message says what to write instead, and then the net reads.
void CaffeFiles::the_remedy_for_data_of_no_size_works() {
    std::string text = file_text("voc-fcn8s-train.prototxt");
    const auto refused = formats::read_any_network(text, "fcn");
    QVERIFY(!refused);
    QVERIFY(support::first_problem(refused.error()).find("input_param { shape { dim: 1 dim: 3 dim: 224") !=
            std::string::npos);
    const auto begin = text.find("layer {"), end = text.find("layer {", begin + 1);
    text.replace(begin, end - begin,
                 "layer { name: \"data\" type: \"Input\" top: \"data\" top: \"label\" input_param {"
                 " shape { dim: 1 dim: 3 dim: 500 dim: 500 } } }\n");
    const auto network = formats::read_any_network(text, "fcn");
    QVERIFY2(network.has_value(), network ? "" : support::first_problem(network.error()).c_str());
    QCOMPARE((*network)->parameters(), 134489759);
    QCOMPARE((*network)->multiply_adds(), 181529034048);
}

/// The second tower of the siamese net has no weights of its own, and nothing is left to warn of.
void CaffeFiles::weights_shared_by_name_count_once() {
    Problems warnings;
    const auto network =
        formats::read_any_network(file_text("mnist_siamese_train_test.prototxt"), "siamese", &warnings);
    QVERIFY2(network.has_value(), network ? "" : support::first_problem(network.error()).c_str());
    const std::int64_t truth =
        std::stoll(support::csv_rows("caffe", "truth.csv").at("mnist_siamese_train_test.prototxt").at("parameters"));
    QCOMPARE((*network)->parameters(), truth);
    QCOMPARE((*network)->weight_uses().size(), std::size_t{5});  // two convolutions, three dense layers
    for (const Problem& p : warnings) QVERIFY(p.what.find("too many") == std::string::npos);
}

QTEST_APPLESS_MAIN(CaffeFiles)
#include "tst_caffe_files.moc"
