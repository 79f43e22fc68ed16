// SPDX-License-Identifier: GPL-3.0-or-later
// PALEO as the method of an estimate: the same numbers as PALEO itself printed, for whole steps of ordinary scenarios.
#include "core/estimate/estimate.hpp"
#include "core/estimate/paleo_method.hpp"
#include "core/estimate/timeline.hpp"
#include "core/formats/library.hpp"
#include "core/formats/paleo/network.hpp"
#include "core/paleo/simulate.hpp"
#include "reference/support_paleo.hpp"

#include <QTest>
#include <map>
#include "core/support_choices.hpp"

using namespace scalescope;

namespace {

const formats::Library& library() {
    static const auto shipped = formats::load_shipped();
    return shipped;
}

/// Null where the net has splits: a Scalescope network has no word for them.
std::shared_ptr<const Network> network(const std::string& name) {
    static std::map<std::string, std::shared_ptr<const Network>> known;
    auto [it, is_new] = known.try_emplace(name);
    if (is_new && !paleo_test::net(name).is_split()) {
        auto made = formats::read_any_network(paleo_test::file_text("nets/" + name + ".json"), name);
        if (!made) qFatal("%s", to_text(made.error().front()).c_str());
        it->second = *made;
    }
    return it->second;
}

Scenario scenario_of(std::shared_ptr<const Network> network, const paleo::Setup& setup) {
    Scenario s;
    s.workload.push_back({std::move(network), {}, 1, ""});
    s.cluster.device.name = setup.device.name;
    s.cluster.device.clock_mhz = setup.device.clock_mhz;
    s.cluster.device.peak[static_cast<std::size_t>(Precision::fp32)] = FlopsPerSecond{setup.device.peak_gflops * 1e9};
    s.cluster.device.memory_bandwidth = BytesPerSecond{setup.device.memory_gb_per_s * 1e9};
    s.cluster.between.bandwidth = gigabits_per_second(setup.link.gbit_per_s);
    s.cluster.inside = s.cluster.between;
    s.model.compute = Fraction{setup.ppp_compute};
    s.model.between = s.model.inside = Fraction{setup.ppp_communication};
    s.model.overlap_memory = setup.pipeline;
    s.model.method = Method::paleo_head;
    return s;
}

constexpr std::array collectives{Collective::one_to_all, Collective::paleo_tree, Collective::butterfly,
                                 Collective::butterfly_mixing};

Scenario nin_on_k40() {
    auto made = library().network("nin");
    if (!made) qFatal("no NiN");
    Scenario s;
    s.workload.push_back({*made, {}, 1, "nin"});
    s.cluster.device = *library().catalogue.device("paleo-k40");
    s.cluster.between.bandwidth = gigabits_per_second(10);
    s.cluster.inside = s.cluster.between;
    s.cluster.workers = 8;
    s.model.method = Method::paleo_head;
    s.parallelism.collective = Collective::paleo_tree;
    return s;
}

}  // namespace

class TestPaleoMethod : public QObject {
    Q_OBJECT

private slots:
    void steps_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("rows");
        QTest::newRow("simulate_data") << "simulate_data" << 1920;
        QTest::newRow("simulate_data_pipeline") << "simulate_data_pipeline" << 128;
    }

    void steps() {
        QFETCH(QString, file);
        QFETCH(int, rows);
        int checked = 0;
        for (const auto& row : paleo_test::csv(file.toStdString()).rows) {
            const auto net = network(row["net"]);
            if (!net) continue;
            auto s = scenario_of(net, paleo_test::setup(row));
            s.training.batch = row.integer("batch_arg");
            s.training.batch_rule = row["scaling"] == "weak" ? BatchRule::per_worker : BatchRule::total;
            s.cluster.workers = row.integer("workers");
            const auto plan = prepare(s);
            QVERIFY2(plan.has_value(), plan ? "" : to_text(plan.error().front()).c_str());
            Scratch scratch = make_scratch(*plan);
            Point point = plan->point;
            for (const Collective c : collectives) {
                point.collective = c;
                const Summary r = score(*plan, point, scratch);
                QVERIFY(r.feasible());
                QCOMPARE(r.batch.effective, row.integer("effective_batch"));
                PALEO_AGREES(row, "time_fwd_ms", in_milliseconds(r.forward));
                PALEO_AGREES(row, "time_bwd_ms", in_milliseconds(r.backward));
                PALEO_AGREES(row, "time_apply_ms", in_milliseconds(r.update));
                PALEO_AGREES(row, std::string(scheme_name(*paleo_scheme(c))) + "_ms", in_milliseconds(r.communication));
            }
            ++checked;
        }
        qInfo("%d rows", checked);
        QCOMPARE(checked, rows);
    }

    void layers_sum_to_the_step() {
        for (const bool pipeline : {false, true})
            for (const Collective c : collectives)
                for (const std::int64_t workers : {1, 2, 8}) {
                    auto s = nin_on_k40();
                    s.model.overlap_memory = pipeline;
                    s.parallelism.collective = c;
                    s.cluster.workers = workers;
                    s.workload.front().count = 3;
                    const auto plan = prepare(s);
                    QVERIFY(plan.has_value());
                    Scratch scratch = make_scratch(*plan);
                    const auto e = estimate(s, *plan, scratch);
                    QVERIFY(e.has_value());
                    const Summary& r = e->summary;
                    double forward = 0, backward = 0, update = 0, communication = 0;
                    for (const auto& l : e->layers) {
                        forward += l.forward.value;
                        backward += l.backward().value;
                        update += l.update.value;
                        communication += l.communication.value;
                    }
                    const auto same = [&](double a, double b) { return std::abs(a - b) <= 1e-9 * r.step.value; };
                    QVERIFY(same(forward, r.forward.value) && same(backward, r.backward.value));
                    QVERIFY(same(update, r.update.value) && same(communication, r.communication.value));
                    QVERIFY(same(forward + backward + update + communication, r.step.value));
                    QVERIFY(r.update.value > 0 && r.backward.value > r.forward.value);
                    QVERIFY(same(make_timeline(*plan, *e).end.value, r.step.value));
                    QVERIFY(score(*plan, plan->point, scratch) == r);
                }
    }

    /// All corrections on, PALEO's method and the pipeline are two programs for the same thing.
    void corrected_is_the_pipeline() {
        auto s = nin_on_k40();
        for (const auto& c : paleo::corrections()) s.model.paleo_corrections.emplace_back(c.id);
        s.model.memory = Fraction{0.8};
        s.model.compute = Fraction{0.62};
        for (const Method era : {Method::paleo_head, Method::paleo_paper}) {
            s.model.method = era;
            const auto corrected = estimate(s);
            auto t = s;
            t.model.method = Method::pipeline;
            const auto pipeline = estimate(t);
            QVERIFY(corrected && pipeline);
            const double a = corrected->summary.step.value, b = pipeline->summary.step.value;
            QVERIFY(std::abs(a - b) <= 1e-12 * b);
            QVERIFY(std::abs(corrected->speedup - pipeline->speedup) <= 1e-12 * b);
        }
    }

    /// The bars of the way add up, begin at PALEO's own estimate and end at the pipeline's.
    void the_way_from_paleo() {
        auto s = nin_on_k40();
        s.model.method = Method::pipeline;
        s.model.compute = Fraction{0.62};
        s.model.memory = Fraction{0.8};
        const auto path = paleo_path(s, {});
        const auto pipeline = estimate(s);
        const auto published = estimate(with_paleo(s, {paleo::Era::head, {}}));
        QVERIFY(path && pipeline && published);
        QCOMPARE(path->steps.size(), paleo::corrections().size());
        QVERIFY(path->left_out.empty());
        double sum = path->published.value;
        for (const auto& step : path->steps) sum += step.change.value;
        QVERIFY(std::abs(sum - path->reached.value) <= 1e-12 * sum);
        QVERIFY(std::abs(path->published.value - published->summary.step.value) <= 1e-9 * sum);
        QVERIFY(std::abs(path->reached.value - pipeline->summary.step.value) <= 1e-9 * sum);
        PaleoQuestion one;
        one.corrections = {};
        one.corrections.decimal_units = true;
        const auto units = paleo_path(s, one);
        QVERIFY(units && units->steps.size() == 1 && units->steps[0].change.value > 0);
        QVERIFY(paleo_question(with_paleo(s, one).model) == one);
        s.parallelism.collective = Collective::ring;
        s.training.optimizer = Optimizer::momentum;
        const auto ring = paleo_path(s, {});
        QVERIFY(ring && ring->left_out.size() == 2);
        QCOMPARE(ring->reached, path->reached);
        support::divide(s.parallelism, support::Divided::layers);
        QVERIFY(!paleo_path(s, {}));
    }

    void eras_differ() {
        auto s = nin_on_k40();
        const auto head = estimate(s);
        s.model.method = Method::paleo_paper;
        const auto paper = estimate(s);
        QVERIFY(head && paper);
        QVERIFY(head->summary.step != paper->summary.step);
    }

    void one_link_at_a_time() {
        auto s = nin_on_k40();
        s.cluster.devices_per_node = 4;
        s.cluster.inside.bandwidth = gigabits_per_second(100);
        s.cluster.workers = 4;
        const auto inside = estimate(s);
        s.cluster.workers = 8;
        const auto between = estimate(s);
        QVERIFY(inside && between);
        // 2·⌈log₂ n⌉ messages each: 4 over the fast link, 6 over the one a tenth as fast
        QVERIFY(qFuzzyCompare(between->summary.communication / inside->summary.communication, 15.0));
    }

    void what_paleo_cannot_say() {
        auto s = nin_on_k40();
        support::divide(s.parallelism, support::Divided::outputs);
        auto e = estimate(s);
        QVERIFY(!e && QString::fromStdString(e.error()[0].remedy).contains("data parallel"));
        s = nin_on_k40();
        s.parallelism.collective = Collective::ring;
        e = estimate(s);
        QVERIFY(!e && e.error()[0].where == "parallelism.collective");
        s = nin_on_k40();
        s.model.paleo_corrections = {"no_tik"};
        e = estimate(s);
        QVERIFY(!e && QString::fromStdString(e.error()[0].remedy).contains("no_tick"));
        s = nin_on_k40();
        s.workload.front().network = *library().network("alexnet-two-tower");
        e = estimate(s);
        QVERIFY(!e && QString::fromStdString(e.error()[0].what).contains("groups"));
    }

    /// Some kinds cost PALEO nothing: a network of those alone has a reason instead of a speed, and never a NaN.
    void nothing_that_paleo_prices() {
        auto s = nin_on_k40();
        const auto made =
            formats::read_any_network(R"({"format": "scalescope-network", "version": 1, "name": "no weights",
            "layers": [{"name": "data", "kind": "input", "shape": ["batch", 8, 8, 3]},
                       {"name": "scores", "kind": "softmax", "inputs": ["data"]}]})",
                                      "weightless.json");
        QVERIFY(made);
        s.workload.front().network = *made;
        int without_a_time = 0;
        for (const std::vector<std::string>& corrections :
             std::vector<std::vector<std::string>>{{}, {"no_tick"}, {"bytes_only"}, {"bytes_only", "no_tick"}})
            for (const Collective c : collectives)
                for (const std::int64_t workers : {1, 8}) {
                    s.model.paleo_corrections = corrections;
                    s.parallelism.collective = c;
                    s.cluster.workers = workers;
                    const auto e = estimate(s);
                    if (!e) {
                        QCOMPARE(e.error()[0].where, std::string("model.method"));
                        ++without_a_time;
                        continue;
                    }
                    QVERIFY(e->summary.step.value > 0 && std::isfinite(e->speedup) && std::isfinite(e->epoch.value));
                    for (const auto& l : e->layers) QVERIFY(std::isfinite(l.communication.value));
                }
        QCOMPARE(without_a_time, 8);
    }

    void what_paleo_does_not_hear() {
        auto s = nin_on_k40();
        const auto plain = estimate(s);
        QVERIFY(plain && plain->notes.empty());
        s.training.optimizer = Optimizer::adam;
        s.training.accumulation = 4;
        s.parallelism.overlap = Overlap::perfect;
        const auto e = estimate(s);
        QVERIFY(e);
        QVERIFY(e->summary.step == plain->summary.step);
        QCOMPARE(e->notes.size(), std::size_t{1});
        QCOMPARE(e->notes[0].where, std::string("model.method"));
        QVERIFY(QString::fromStdString(e->notes[0].what).contains("optimizer"));
    }
};

QTEST_APPLESS_MAIN(TestPaleoMethod)
#include "tst_paleo_method.moc"
