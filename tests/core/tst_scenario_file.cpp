// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario files: what is written reads back bit for bit, what is wrong is said where it stands.
#include <QtTest>
#include <cstring>
#include <random>

#include "core/estimate/estimate.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/names.hpp"

using namespace scalescope;
using namespace scalescope::formats;

namespace {

const Library& library() {
    static const Library shipped = load_shipped();
    return shipped;
}

std::string messages(const Problems& problems) {
    std::string all;
    for (const Problem& p : problems) all += to_text(p) + '\n';
    return all;
}

/// Equality that looks into the networks: reading makes new ones.
bool same(const Scenario& a, const Scenario& b) {
    if (a.workload.size() != b.workload.size()) return false;
    Scenario x = a, y = b;
    for (std::size_t i = 0; i < x.workload.size(); ++i) {
        if (write_network(x.workload[i].network->draft()) != write_network(y.workload[i].network->draft())) return false;
        x.workload[i].network = y.workload[i].network = nullptr;
    }
    return x == y;
}

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    std::int64_t integer(std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(engine_); }
    /// Any mantissa, and an exponent between those of the bounds.
    double number(double low, double high) {
        return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(engine_));
    }
    bool yes() { return integer(0, 1) == 1; }
    template <class E>
    E choice() { return static_cast<E>(integer(0, static_cast<std::int64_t>(choice_names<E>.size()) - 1)); }

private:
    std::mt19937_64 engine_;
};

Scenario random_scenario(Random& r) {
    Scenario s;
    s.name = r.yes() ? "a \"name\" with\nlines, ü and \\" : "";
    s.description = r.yes() ? "described" : "";
    const auto& networks = library().networks;
    const auto parts = r.integer(1, 3);
    for (std::int64_t i = 0; i < parts; ++i) {
        WorkloadPart part;
        const Preset* preset = nullptr;
        do preset = &networks[static_cast<std::size_t>(r.integer(0, static_cast<std::int64_t>(networks.size()) - 1))];
        while (preset->id.starts_with("paleo/"));
        part.network = *library().network(preset->id);
        part.origin = r.yes() ? preset->id : r.yes() ? "elsewhere.json" : "";
        part.passes = {r.yes(), r.yes(), r.yes(), r.yes(), r.yes()};
        part.count = static_cast<int>(r.integer(1, 5));
        s.workload.push_back(part);
    }
    const auto layers = s.network()->layers();
    const auto some_layer = [&] { return layers[static_cast<std::size_t>(r.integer(0, static_cast<std::int64_t>(layers.size()) - 1))].id; };
    Training& t = s.training;
    t.batch = r.integer(1, 1 << 30);
    t.batch_rule = r.choice<BatchRule>();
    t.accumulation = r.integer(1, 1000);
    t.precision = r.choice<Precision>();
    t.optimizer = r.choice<Optimizer>();
    t.data_set = r.integer(1, 1LL << 52);
    t.input_limit = SamplesPerSecond{r.yes() ? 0 : r.number(1, 1e9)};
    for (const Layer& l : layers)
        if (r.integer(0, 9) == 0) t.frozen.push_back(l.id);
    std::sort(t.frozen.begin(), t.frozen.end());
    Cluster& c = s.cluster;
    const auto& devices = library().catalogue.devices;
    c.device = devices[static_cast<std::size_t>(r.integer(0, static_cast<std::int64_t>(devices.size()) - 1))];
    if (r.yes()) c.device.memory_bandwidth = BytesPerSecond{r.number(1e8, 1e14)};
    if (r.yes()) c.device.peak[1] = FlopsPerSecond{r.number(1e9, 1e16)};
    if (r.yes()) c.device.memory = Bytes{r.number(1e6, 1e14)};
    if (r.yes()) c.device.price_per_hour = r.number(0.01, 1000);
    c.workers = r.integer(1, 1 << 20);
    c.devices_per_node = r.integer(1, 64);
    c.nics_per_node = r.integer(1, 8);
    const auto& links = library().catalogue.links;
    for (Link* link : {&c.inside, &c.between}) {
        *link = links[static_cast<std::size_t>(r.integer(0, static_cast<std::int64_t>(links.size()) - 1))];
        if (r.yes()) link->bandwidth = BytesPerSecond{r.number(1e5, 1e14)};
        if (r.yes()) link->latency = Seconds{r.number(1e-9, 10)};
    }
    Parallelism& p = s.parallelism;
    p.strategy = r.choice<Strategy>();
    p.collective = r.choice<Collective>();
    p.overlap = r.choice<Overlap>();
    p.bucket = Bytes{r.number(100, 1e12)};
    p.scheme = r.choice<HybridScheme>();
    p.cut_auto = r.yes();
    if (r.yes()) p.cut = some_layer();
    for (std::int64_t i = r.integer(0, 3); i > 0; --i) p.boundaries.push_back(some_layer());
    p.micro_batches = r.integer(1, 1000);
    ModelOptions& m = s.model;
    m.method = r.choice<Method>();
    for (Fraction* f : {&m.compute, &m.memory, &m.inside, &m.between}) *f = Fraction{r.yes() ? 1 : r.number(0.001, 1)};
    m.overlap_memory = r.yes();
    m.launch = Seconds{r.yes() ? 0 : r.number(1e-9, 1)};
    m.convolution = r.choice<ConvolutionAlgorithm>();
    m.workspace = Bytes{r.number(1, 1e12)};
    if (r.yes()) m.paleo_corrections = {"bytes", "update"};
    return s;
}

}  // namespace

class ScenarioFile : public QObject {
    Q_OBJECT
private slots:
    void round_trip_keeps_every_bit();
    void example_is_the_first_start();
    void view_is_passed_through();
};

void ScenarioFile::round_trip_keeps_every_bit() {
    Random random(20240607);
    for (int i = 0; i < 150; ++i) {
        const Scenario s = random_scenario(random);
        const std::string text = write_scenario(s, library());
        const auto read = read_scenario(text, "round.json", library());
        QVERIFY2(read.has_value(), read ? "" : (messages(read.error()) + text).c_str());
        QVERIFY2(same(s, read->scenario), text.c_str());
        QCOMPARE(write_scenario(read->scenario, library()), text);
    }
}

void ScenarioFile::example_is_the_first_start() {
    const Preset* preset = library().find_scenario("example");
    QVERIFY(preset);
    const auto read = read_scenario(preset->text, preset->file, library());
    QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
    QVERIFY2(read->warnings.empty(), messages(read->warnings).c_str());
    QCOMPARE(read->scenario.cluster.workers, 32);
    QCOMPARE(read->scenario.model.compute.value, 0.62);
    QCOMPARE(read->scenario.cluster.between.bandwidth.value, 8.75e9);
    const auto e = estimate(read->scenario);
    QVERIFY2(e.has_value(), e ? "" : messages(e.error()).c_str());
}

void ScenarioFile::view_is_passed_through() {
    auto read = read_scenario(library().find_scenario("example")->text, "example.json", library());
    QVERIFY(read.has_value());
    const std::string view = "{\"pins\": [1, 2.50], \"charts\": {\"a\": null}}";
    const std::string text = write_scenario(read->scenario, library(), view);
    auto again = read_scenario(text, "view.json", library());
    QVERIFY2(again.has_value(), again ? "" : messages(again.error()).c_str());
    QCOMPARE(again->view, view);
    QVERIFY(read->view.empty());
}

QTEST_APPLESS_MAIN(ScenarioFile)
#include "tst_scenario_file.moc"
