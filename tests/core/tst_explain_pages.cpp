// SPDX-License-Identifier: GPL-3.0-or-later
// Single pages of the why panel: one as it was designed, questions that no longer fit, and messages that make up the
// communication.
#include <QtTest>
#include <cmath>
#include <random>

#include "support_choices.hpp"
#include "support_explain.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace support;
using namespace support::explained;

namespace {

std::string input_shown(const Explanation& e, const char* symbol) {
    for (const Input& i : e.inputs)
        if (i.symbol == symbol) return i.shown;
    return "none";
}

}  // namespace

class TestExplainPages : public QObject {
    Q_OBJECT

private slots:
    /// A panel may still ask about a figure of the scenario before: that is a Problem, or a page, but never a crash.
    void any_question_has_an_answer() {
        std::mt19937 random(7);
        const auto pick = [&](int low, int high) { return low + int(random() % unsigned(high - low + 1)); };
        for (support::Divided strategy : support::all_divided)
            for (Collective collective : {Collective::ring, Collective::automatic}) {
                Scenario s = scenario("every kind");
                support::divide(s.parallelism, strategy);
                s.parallelism.collective = collective;
                s.parallelism.overlap = Overlap::buckets;
                s.parallelism.scheme = HybridScheme::one_sender;
                s.parallelism.bucket = Bytes{5000};
                s.cluster.devices_per_node = 2;
                s.cluster.device.price_per_hour.reset();
                if (strategy != support::Divided::hybrid)
                    s.parallelism.sharded = collective == Collective::ring ? Sharded::weights : Sharded::gradients;
                auto plan = prepare(s);
                Scratch scratch = make_scratch(*plan);
                const auto e = estimate(s, *plan, scratch);
                QVERIFY(e.has_value());
                for (int i = 0; i < (support::sanitized ? 4000 : 20000); ++i) {
                    Item item{Topic(pick(0, int(Topic::live))),
                              pick(-1, 1),
                              pick(-1, 22),
                              Pass(pick(0, 2)),
                              pick(-1, 12),
                              pick(-2, 5),
                              pick(-1, 3),
                              pick(0, 3) ? 0 : pick(-1, 30),
                              false};
                    const auto page = explain(s, *plan, *e, item);
                    if (page)
                        QVERIFY(std::isfinite(page->result) && !page->title.empty() && !page->crumbs.empty());
                    else
                        QVERIFY(!page.error().empty() && !page.error()[0].what.empty() &&
                                !page.error()[0].remedy.empty());
                }
                QCOMPARE(QString::fromStdString(explain(s, *plan, *e, Item{Topic::cost}).error()[0].what),
                         QString("No price is known for Tesla K40."));
            }
    }

    /// What the messages tell of themselves is what the step is charged.
    void messages_make_up_the_communication() {
        for (support::Divided strategy : support::all_divided)
            for (HybridScheme scheme : all_schemes)
                for (Overlap overlap : all_overlaps) {
                    Scenario s = scenario("every kind");
                    s.workload[0].count = 3;
                    s.training.accumulation = 2;
                    support::divide(s.parallelism, strategy);
                    s.parallelism.scheme = scheme;
                    s.parallelism.overlap = overlap;
                    s.parallelism.bucket = Bytes{4000};
                    s.parallelism.micro_batches = 4;
                    s.parallelism.cut_auto = false;
                    s.parallelism.cut = s.network()->layers()[std::size_t(layer(s, "conv3"))].id;
                    const auto e = estimate(s);
                    QVERIFY(e.has_value());
                    double exposed = 0, hidden = 0, all = 0, of_layers = 0;
                    for (const MessageEstimate& m : e->messages) {
                        exposed += m.exposed.value;
                        hidden += m.hidden.value;
                        all += m.each.value * double(m.times);
                        QVERIFY(m.exposed.value >= 0 && m.hidden.value >= 0 && m.times % 3 == 0 && !m.layers.empty());
                    }
                    for (const LayerEstimate& l : e->layers) of_layers += l.communication.value;
                    const double step = e->summary.step.value;
                    QVERIFY(all > 0);
                    QVERIFY(std::abs(exposed - e->summary.communication.value) <= 1e-9 * exposed + 1e-15 * step);
                    QVERIFY(std::abs(of_layers - exposed) <= 1e-9 * exposed + 1e-15 * step);
                    QVERIFY(std::abs(hidden - e->summary.hidden.value) <= 1e-9 * hidden + 1e-15 * step);
                    QVERIFY(std::abs(exposed + hidden - all) <= 1e-9 * all + 1e-15 * step);
                }
    }

    /// The picture of the design: conv2's forward pass, number by number.
    void a_page_reads_like_the_picture() {
        Scenario s = scenario("alexnet-one-tower");
        s.cluster.device = *library().catalogue.device("TITAN_X");
        s.cluster.device.price_per_hour = 0.5;
        s.training.batch = 128;
        s.cluster.workers = 32;
        const Explanation e = why(s, Item{Topic::layer_pass, 0, layer(s, "conv2")});
        QCOMPARE(QString::fromStdString(e.title), QString::fromUtf8("conv2, forward"));
        QCOMPARE(e.crumbs.size(), std::size_t(3));
        QCOMPARE(QString::fromStdString(e.crumbs[0].text), QString::fromUtf8("Step"));
        QCOMPARE(QString::fromStdString(e.crumbs[1].text), QString::fromUtf8("conv2"));
        QCOMPARE(QString::fromStdString(e.formula), QString::fromUtf8("F/(P*e) + D/(W*e_m)"));
        QCOMPARE(QString::fromStdString(input_shown(e, "F")), QString::fromUtf8("53.16\u00a0GFLOP"));
        QCOMPARE(QString::fromStdString(input_shown(e, "P")), QString::fromUtf8("6.144\u00a0TFLOP/s"));
        QCOMPARE(QString::fromStdString(e.lines.front()), QString::fromUtf8("= 53.16\u00a0GFLOP / 6.144\u00a0TFLOP/s"));
        QVERIFY(e.lines[1].starts_with("+ "));
        QCOMPARE(QString::fromStdString(e.definitions.at(0).text), QString::fromUtf8("2·5·5·64·26·26·192·128"));
        const Explanation speedup = why(s, Item{Topic::speedup});
        QCOMPARE(QString::fromStdString(speedup.formula), QString::fromUtf8("n*t_1/t_n"));
        QCOMPARE(QString::fromStdString(speedup.title), QString::fromUtf8("Speedup at 32 workers"));
        QCOMPARE(speedup.parts.size(), std::size_t(4));
        QCOMPARE(QString::fromStdString(speedup.inputs[0].field), QString::fromUtf8("cluster.workers"));
    }
};

QTEST_APPLESS_MAIN(TestExplainPages)
#include "tst_explain_pages.moc"
