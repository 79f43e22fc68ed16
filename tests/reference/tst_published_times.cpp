// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against measured: forward and backward times of whole networks on one device, as published
// (tests/data/published). What is predicted is kept to the last digit, so that a change of the model shows how far it
// moves from, or towards, what somebody measured. With SCALESCOPE_WRITE_PREDICTED set, the kept files are written anew.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/base/decimal.hpp"
#include "core/estimate/estimate.hpp"
#include "core/formats/library.hpp"

using namespace scalescope;

namespace {

const std::string folder = SCALESCOPE_TEST_DATA "/published/";

struct Measured {
    std::string network, device, library;
    std::int64_t batch = 0;
    double forward = 0, backward = 0, total = 0;  // milliseconds
};

std::vector<std::vector<std::string>> cells_of(const std::string& file) {
    std::ifstream in(folder + file);
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(in, line);) {
        rows.emplace_back();
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

double number(const std::string& text) { return parse_decimal(text).value_or(std::nan("")); }

/// The rows whose network and device are presets.
std::vector<Measured> measured_times() {
    std::vector<Measured> all;
    for (const auto& row : cells_of("cnn_benchmarks_johnson.csv"))
        if (row.size() == 8 && row[0] != "network" && !row[1].empty())
            all.push_back({row[0], row[1], row[3], std::stoll(row[4]), number(row[5]), number(row[6]), number(row[7])});
    return all;
}

/// How the device is thought to be used.
struct Setting {
    std::string id;
    std::string percents;  ///< id of a preset
    bool overlap_memory = false;
    ConvolutionAlgorithm convolution = ConvolutionAlgorithm::gemm;
};
/// The percents as the program offers them; then what no program can beat that multiplies matrices, or that takes the
/// cheapest way known for every convolution.
const std::vector<Setting> settings{
    {"peak", "peak"},        {"caffe", "caffe"},
    {"mxnet", "mxnet"},      {"tensorflow", "tensorflow"},
    {"bound", "peak", true}, {"bound-cheapest", "peak", true, ConvolutionAlgorithm::cheapest}};

const formats::Library& library() {
    static const auto shipped = formats::load_shipped();
    return shipped;
}

std::shared_ptr<const Network> network(const std::string& id) {
    static std::map<std::string, std::shared_ptr<const Network>> known;
    auto& kept = known[id];
    if (!kept) kept = library().network(id).value_or(nullptr);
    return kept;
}

/// What was timed: one forward and one backward pass to the image, no loss, no update (model:backward of Torch 7).
Result<Estimate> predict(const Measured& m, const Setting& setting) {
    const Catalogue& catalogue = library().catalogue;
    const PercentOfPeak& percents = *catalogue.percent(setting.percents);
    Scenario s;
    WorkloadPart part{network(m.network), {}, 1, m.network};
    part.passes.to_data = true;
    part.passes.update = false;
    s.workload.push_back(part);
    s.training.batch = m.batch;
    s.cluster.device = *catalogue.device(m.device);
    s.cluster.inside = s.cluster.between = catalogue.links.front();
    s.cluster.workers = 1;
    s.model.compute = Fraction{percents.compute};
    s.model.memory = Fraction{percents.memory};
    s.model.overlap_memory = setting.overlap_memory;
    s.model.convolution = setting.convolution;
    return estimate(s);
}

struct Row {
    Measured measured;
    std::string setting;
    double forward = 0, backward = 0;  // milliseconds, predicted
    double total() const { return forward + backward; }
    double ratio() const { return total() / measured.total; }
    double factor() const { return std::max(ratio(), 1 / ratio()); }  // exp |log ratio|
    bool cudnn() const { return measured.library != "nn"; }
};

const std::vector<Row>& predictions() {
    static const std::vector<Row> all = [] {
        std::vector<Row> rows;
        for (const Setting& setting : settings)
            for (const Measured& m : measured_times()) {
                const auto e = predict(m, setting);
                if (!e) qFatal("%s on %s: %s", m.network.c_str(), m.device.c_str(), e.error()[0].what.c_str());
                rows.push_back({m, setting.id, e->summary.forward.value * 1e3, e->summary.backward.value * 1e3});
            }
        return rows;
    }();
    return all;
}

/// The smallest value that this share of all do not exceed.
double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()) - 1e-9));
    return values.at(rank - 1);
}

using Table = std::vector<std::vector<std::string>>;

/// What is predicted does not depend on the library that was measured.
Table predicted_table() {
    Table table{{"percent_of_peak", "network", "device", "batch", "forward_ms", "backward_ms", "total_ms"}};
    std::set<std::vector<std::string>> seen;
    for (const Row& r : predictions()) {
        const Measured& m = r.measured;
        if (!seen.insert({r.setting, m.network, m.device}).second) continue;
        table.push_back({r.setting, m.network, m.device, std::to_string(m.batch), shortest_decimal(r.forward),
                         shortest_decimal(r.backward), shortest_decimal(r.total())});
    }
    return table;
}

template <class Keep>
void add_summary(Table& table, const std::string& setting, const std::string& network_id, const std::string& libraries,
                 Keep keep) {
    std::vector<double> ratios, factors;
    for (const Row& r : predictions())
        if (r.setting == setting && (network_id == "all" || r.measured.network == network_id) && keep(r)) {
            ratios.push_back(r.ratio());
            factors.push_back(r.factor());
        }
    if (ratios.empty()) return;
    table.push_back({setting, network_id, libraries, std::to_string(ratios.size()),
                     shortest_decimal(quantile(ratios, 0.5)), shortest_decimal(quantile(factors, 0.5)),
                     shortest_decimal(quantile(factors, 0.9))});
}

/// Ratios are predicted over measured totals; a factor is the ratio or its inverse, whichever is above 1.
Table summary_table() {
    Table table{
        {"percent_of_peak", "network", "library", "rows", "median_ratio", "median_factor", "factor_90th_percentile"}};
    std::set<std::string> networks;
    for (const Measured& m : measured_times()) networks.insert(m.network);
    for (const Setting& setting : settings) {
        for (const std::string& id : networks) {
            add_summary(table, setting.id, id, "cuDNN", [](const Row& r) { return r.cudnn(); });
            add_summary(table, setting.id, id, "nn", [](const Row& r) { return !r.cudnn(); });
        }
        add_summary(table, setting.id, "all", "cuDNN", [](const Row& r) { return r.cudnn(); });
        add_summary(table, setting.id, "all", "nn", [](const Row& r) { return !r.cudnn(); });
        add_summary(table, setting.id, "all", "all", [](const Row&) { return true; });
    }
    return table;
}

std::string joined(const std::vector<std::string>& cells) {
    std::string line;
    for (const auto& cell : cells) line += (line.empty() ? "" : ",") + cell;
    return line;
}

bool same_cell(const std::string& kept, const std::string& now) {
    const auto a = parse_decimal(kept), b = parse_decimal(now);
    return a && b ? std::abs(*a - *b) <= 1e-12 * std::abs(*a) : kept == now;
}

/// Lines of `now` that the kept file does not have, or has in excess.
QStringList differences(const Table& kept, const Table& now) {
    QStringList lines;
    for (std::size_t i = 0; i < std::max(kept.size(), now.size()); ++i) {
        const bool same = i < kept.size() && i < now.size() && kept[i].size() == now[i].size() &&
                          std::equal(kept[i].begin(), kept[i].end(), now[i].begin(), same_cell);
        if (same) continue;
        if (i < kept.size()) lines << QStringLiteral("- ") + QString::fromStdString(joined(kept[i]));
        if (i < now.size()) lines << QStringLiteral("+ ") + QString::fromStdString(joined(now[i]));
    }
    return lines;
}

void expect_kept(const char* file, const Table& now) {
    if (qEnvironmentVariableIsSet("SCALESCOPE_WRITE_PREDICTED")) {
        std::ofstream out(folder + file);
        for (const auto& row : now) out << joined(row) << '\n';
    }
    const QStringList differ = differences(cells_of(file), now);
    if (differ.empty()) return;
    qWarning().noquote() << file << "differs; if it is meant to, run this test with SCALESCOPE_WRITE_PREDICTED=1 and"
                         << "say why in the CHANGELOG:\n" + differ.join(QLatin1Char('\n'));
    QFAIL("predictions moved: see the lines above");
}

}  // namespace

class PublishedTimes : public QObject {
    Q_OBJECT
private slots:
    void every_row_is_priced();
    void nothing_beats_the_peak();
    void times_are_kept();
    void summary_is_kept();
    void quantiles();
};

void PublishedTimes::every_row_is_priced() {
    const auto measured = measured_times();
    QCOMPARE(measured.size(), std::size_t{83});
    std::set<std::string> used;
    for (const auto& row : cells_of("cnn_benchmarks_johnson.csv")) used.insert(row.at(0));
    used.erase("network");
    for (const Row& r : predictions()) {
        QVERIFY(std::isfinite(r.forward) && r.forward > 0);
        QVERIFY(std::isfinite(r.backward) && r.backward > r.forward);
        // the source's own columns add up, but for rounding
        QVERIFY(std::abs(r.measured.forward + r.measured.backward - r.measured.total) < 0.02);
        used.erase(r.measured.network);
    }
    QVERIFY2(used.empty(), "a network was measured on no device that is a preset");
    QCOMPARE(predictions().size(), settings.size() * measured.size());
}

void PublishedTimes::nothing_beats_the_peak() {
    // A convolution as a matrix product cannot take less than all of its products at peak, with all traffic hidden.
    // Only the VGGs were faster, in one pass or both, and only with cuDNN 5, the first that knows Winograd's
    // convolutions: 3×3 with stride 1, which all of the VGGs' are, take fewer products.
    std::set<std::string> faster, faster_than_cheapest;
    for (const Row& r : predictions()) {
        const std::string line = r.measured.network + ' ' + r.measured.device + ' ' + r.measured.library;
        if (r.forward <= r.measured.forward && r.backward <= r.measured.backward) continue;
        if (r.setting == "bound") faster.insert(line);
        if (r.setting == "bound-cheapest") faster_than_cheapest.insert(line);
    }
    const std::set<std::string> winograd{"vgg-16 geforce-gtx-1080-ti cuDNN 5.1.10",
                                         "vgg-16 geforce-gtx-titan-x-maxwell cuDNN 5.0.05",
                                         "vgg-16 geforce-gtx-titan-x-maxwell cuDNN 5.1.05",
                                         "vgg-16 titan-x-pascal cuDNN 5.0.05",
                                         "vgg-16 titan-x-pascal cuDNN 5.1.05",
                                         "vgg-19 geforce-gtx-1080-ti cuDNN 5.1.10",
                                         "vgg-19 geforce-gtx-titan-x-maxwell cuDNN 5.0.05",
                                         "vgg-19 geforce-gtx-titan-x-maxwell cuDNN 5.1.05",
                                         "vgg-19 titan-x-pascal cuDNN 5.0.05",
                                         "vgg-19 titan-x-pascal cuDNN 5.1.05"};
    for (const auto& line : faster)
        if (!winograd.contains(line)) qWarning("measured faster than peak: %s", line.c_str());
    QVERIFY(faster == winograd);
    // With the cheapest way for every convolution the bound holds for all.
    QVERIFY(faster_than_cheapest.empty());
}

void PublishedTimes::times_are_kept() {
    qInfo("predicted at / network / device / library: predicted and measured forward + backward = total ms, ratio");
    for (const Row& r : predictions())
        qInfo("%-14s %-17s %-27s %-12s %7.2f + %7.2f = %7.2f  %7.2f + %7.2f = %7.2f  %5.2f", r.setting.c_str(),
              r.measured.network.c_str(), r.measured.device.c_str(), r.measured.library.c_str(), r.forward, r.backward,
              r.total(), r.measured.forward, r.measured.backward, r.measured.total, r.ratio());
    expect_kept("predicted.csv", predicted_table());
}

void PublishedTimes::summary_is_kept() {
    const Table table = summary_table();
    for (const auto& row : table)
        qInfo("%-15s %-18s %-8s %4s  %7.7s %7.7s %7.7s", row[0].c_str(), row[1].c_str(), row[2].c_str(), row[3].c_str(),
              row[4].c_str(), row[5].c_str(), row[6].c_str());
    expect_kept("predicted_summary.csv", table);
}

void PublishedTimes::quantiles() {
    QCOMPARE(quantile({3, 1, 2}, 0.5), 2.0);
    QCOMPARE(quantile({4, 3, 1, 2}, 0.5), 2.0);
    QCOMPARE(quantile({10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 0.9), 9.0);
    QCOMPARE(quantile({5}, 0.9), 5.0);
}

QTEST_APPLESS_MAIN(PublishedTimes)
#include "tst_published_times.moc"
