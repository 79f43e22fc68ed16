// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of several designs side by side, and shares as sentences.
#include <QtTest>

#include "core/base/format.hpp"
#include "core/compare/attribution.hpp"
#include "core/compare/side_by_side.hpp"
#include "core/estimate/explain.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/hardware.hpp"
#include "core/search/sensitivity.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::compare;
using search::Metric;
using support::preset_scenario;

namespace {

std::string plain(std::string text) {
    for (std::size_t at; (at = text.find(no_break_space)) != std::string::npos;) text.replace(at, 2, " ");
    return text;
}

Share share_of(const char* label, const char* from, const char* to, double before, double after) {
    Share s;
    s.differences.push_back({label, label, from, to});
    s.before = before;
    s.after = after;
    return s;
}

const FigureRow& row_of(const std::vector<FigureRow>& rows, Metric metric) {
    for (const FigureRow& row : rows)
        if (row.metric == metric) return row;
    qFatal("no such figure");
}

}  // namespace

class TestCompareWords : public QObject {
    Q_OBJECT

private slots:
    /// A network that reads tokens has no epoch of ImageNet, wherever figures are shown; with a data set it has one.
    void an_epoch_needs_a_data_set() {
        Scenario s = preset_scenario("example");
        s = with_network(std::move(s), support::library().network("gpt-2").value());
        const Estimate e = estimate(s).value();
        const std::vector<Design> one{{&s, &e}};
        for (const FigureRow& row : side_by_side(one, 0)) QVERIFY(row.metric != Metric::epoch);
        QVERIFY(!search::metric_value(Metric::epoch, s, e) && search::metric_value(Metric::time, s, e));
        const std::string why = search::why_missing(Metric::epoch, s);
        QCOMPARE(why, std::string("The size of the data set is not set."));
        search::SensitivityOptions options;
        options.objective = Metric::epoch;
        const auto refused = search::sensitivity(s, options);
        QVERIFY(!refused);
        QVERIFY(refused.error().front().what.find(why) != std::string::npos);
        const Plan plan = prepare(s).value();
        QCOMPARE(explain(s, plan, e, {Topic::epoch}).value().title,
                 std::string("Time for as many samples as ImageNet has"));
        s.training.data_set = 5'000;
        QCOMPARE(row_of(side_by_side(one, 0), Metric::epoch).metric, Metric::epoch);
        QVERIFY(search::why_missing(Metric::epoch, s).empty());
        QCOMPARE(explain(s, prepare(s).value(), estimate(s).value(), {Topic::epoch}).value().title,
                 std::string("Epoch"));
    }

    void every_metric_of_every_design() {
        Scenario a = preset_scenario("example");
        a.cluster.device.price_per_hour = 0.5;
        a.cluster.device.tdp_w = 250;
        Scenario b = a;
        b.cluster.workers *= 2;
        const Estimate x = estimate(a).value(), y = estimate(b).value();
        const std::vector<Design> designs{{&a, &x}, {&b, &y}, {&a, nullptr}};
        const auto rows = side_by_side(designs, 0);
        QCOMPARE(rows.size(), search::metric_count - 2);  // an epoch is the goal, and images have no sequence
        for (const FigureRow& row : rows) {
            QCOMPARE(row.values[0], search::metric_value(row.metric, a, x));
            QCOMPARE(row.values[1], search::metric_value(row.metric, b, y));
            QVERIFY(!row.values[2] && !row.change[0] && !row.change[2]);
            QCOMPARE(row.change[1]->absolute,
                     (*row.values[1] - *row.values[0]) / (search::info_of(row.metric).unit == "%" ? 100.0 : 1.0));
            QCOMPARE(value_text(row, 2), std::string(no_value));
            QCOMPARE(change_text(row, 0), std::string());
        }
        // Twice as many devices are neither better nor worse; what they do for the rest is.
        QCOMPARE(row_of(rows, Metric::devices).change[1]->verdict, compare::Verdict::neither);
        QCOMPARE(plain(change_text(row_of(rows, Metric::devices), 1)), std::string("+100 %"));
        QCOMPARE(row_of(rows, Metric::throughput).change[1]->verdict, compare::Verdict::better);
        QCOMPARE(row_of(rows, Metric::efficiency).change[1]->verdict, compare::Verdict::worse);
        QVERIFY(plain(change_text(row_of(rows, Metric::efficiency), 1)).ends_with(" pp"));
        // Two designs of one device rest on one price; a step rests on none.
        QCOMPARE(row_of(rows, Metric::cost).prices, (std::vector<std::string>{*price_note(a)}));
        QVERIFY(row_of(rows, Metric::step).prices.empty());
        // What no design has is no row.
        a.cluster.device.price_per_hour.reset();
        QCOMPARE(side_by_side(std::vector<Design>{{&a, &x}}, 0).size(), rows.size() - 2);
        // Told against the other one, better is worse.
        const auto back = side_by_side(designs, 1);
        QVERIFY(!row_of(back, Metric::throughput).change[1]);
        QCOMPARE(row_of(back, Metric::throughput).change[0]->verdict, compare::Verdict::worse);
        QVERIFY(side_by_side(designs, 0, 1e6).size() == search::metric_count - 1);
    }

    /// One list says what is better: a figure that is a metric too is wanted as that is.
    void figures_and_metrics_want_the_same() {
        for (const char* preset : {"example", "alexnet-cpu-cluster", "resnet-50-p100-servers"}) {
            const Scenario s = preset_scenario(preset);
            for (const KeyValue& v : key_values(s, estimate(s).value()))
                if (const auto metric = search::metric_named(v.id)) QCOMPARE(v.wanted, wanted_of(*metric));
        }
    }

    void texts_by_hand() {
        FigureRow row;
        row.metric = Metric::step;
        row.unit = {"ms", 1};
        row.values = {239.0, 119.5};
        QCOMPARE(value_text(row, 0), std::string("239.0"));
        QCOMPARE(change_text({-119.5, -0.5, compare::Verdict::better}, false), std::string("−50.0\u00a0%"));
        QCOMPARE(change_text({3, std::nullopt, compare::Verdict::worse}, false), std::string("new"));
        QCOMPARE(change_text({-0.085, -0.1, compare::Verdict::worse}, true), std::string("−8.5\u00a0pp"));
        QCOMPARE(change_text({1e-9, 1e-9, compare::Verdict::same}, false), std::string("="));
        QCOMPARE(signed_text(Metric::step, -80.25), std::string("−80.2\u00a0ms"));
        QCOMPARE(signed_text(Metric::idle, 4.14), std::string("+4.1\u00a0pp"));
        QCOMPARE(signed_text(Metric::devices, 32), std::string("+32"));
    }

    void a_sentence_sums_up() {
        Attribution a;
        a.from = 200, a.to = 100;
        a.shares = {share_of("Workers", "32", "64", 200, 80), share_of("Overlap", "off", "buckets", 80, 100)};
        QCOMPARE(
            plain(sentence_of(a, "A", "this design")),
            std::string("From A to this design the step falls from 200 ms to 100 ms, by 50.0 %. The largest share, "
                        "−120 ms, comes from Workers 32 → 64; Overlap off → buckets goes the other way, +20.0 ms."));
        QCOMPARE(order_note(a), std::string());
        a.depends_on_order = true;
        QVERIFY(order_note(a).find("another order") != std::string::npos);
        a.shares.pop_back();
        a.shares[0].after = 100;
        QVERIFY(plain(sentence_of(a, "A", "B")).ends_with("One difference explains all of it: Workers 32 → 64."));
        a.shares[0].differences.push_back(share_of("Batch", "8", "4", 0, 0).differences.front());
        QVERIFY(plain(sentence_of(a, "A", "B")).ends_with("Together, these explain it: Workers 32 → 64, Batch 8 → 4."));
        std::swap(a.from, a.to);
        a.shares = {share_of("Workers", "64", "32", 100, 200), share_of("Batch", "1", "2", 200, 200)};
        const std::string rises = plain(sentence_of(a, "B", "A"));
        QVERIFY2(rises.find("rises from 100 ms to 200 ms, by 100 %") != std::string::npos, rises.c_str());
        QVERIFY2(rises.find("the other way") == std::string::npos, rises.c_str());
        a.metric = Metric::efficiency, a.from = 50, a.to = 75;
        QVERIFY(plain(sentence_of(a, "A", "B")).find("from 50.0 % to 75.0 %, by 25.0 pp.") != std::string::npos);
        a.metric = Metric::step, a.from = a.to = 100;
        a.shares = {share_of("X", "1", "2", 100, 60), share_of("Y", "1", "2", 60, 100)};
        QVERIFY(sentence_of(a, "A", "B").ends_with("what differs makes up for each other."));
        a.shares = {share_of("X", "1", "2", 100, 100)};
        QVERIFY(sentence_of(a, "A", "B").ends_with("nothing that differs changes it."));
        a.shares.clear();
        QCOMPARE(sentence_of(a, "A", "B"), std::string("From A to B nothing differs that changes a number."));
    }

    void progress_rises_to_the_end() {
        const Scenario a = preset_scenario("example");
        Scenario b = a;
        b.cluster.workers = 7;
        b.training.batch = 64;
        b.parallelism.overlap = Overlap::buckets;
        std::vector<double> told;
        Watch watch;
        watch.progress = Progress([&](double so_far, std::string_view) { told.push_back(so_far); });
        QVERIFY(attribute(a, b, Metric::step, 0, watch).has_value());
        QCOMPARE(told.size(), std::size_t{6});  // three, two, one
        QVERIFY(std::is_sorted(told.begin(), told.end()) && told.front() == 0 && told.back() < 1);
    }
};

QTEST_APPLESS_MAIN(TestCompareWords)
#include "tst_compare_words.moc"
