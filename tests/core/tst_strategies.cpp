// SPDX-License-Identifier: GPL-3.0-or-later
// What ways to divide the work must have in common (docs/decisions/dividing-work.md).
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/estimate/estimate.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::all_divided;
using support::all_schemes;
using support::NetworkPtr;
using support::score_of;

namespace {

void set_cut(Scenario& s, int position) {
    support::divide(s.parallelism, support::Divided::hybrid);
    s.parallelism.cut_auto = false;
    s.parallelism.cut =
        position < s.network()->size() ? s.network()->layers()[static_cast<std::size_t>(position)].id : LayerId{};
}

bool same_times(const Summary& a, const Summary& b) {
    return a.forward == b.forward && a.backward == b.backward && a.update == b.update &&
           a.communication == b.communication && a.idle == b.idle && a.step == b.step && a.hidden == b.hidden &&
           a.batch.active == b.batch.active;
}

/// Two convolutions and two dense layers, without biases: few enough to count by hand.
NetworkPtr small_network() {
    support::Builder b;
    const int x = b.conv(b.input({4, 4, 3}), 8, 3, 1, 1, true, false);
    const int y = b.pool(x, 2, 2);
    b.dense(b.dense(y, 16, false), 12, false);
    return b.make();
}

}  // namespace

class TestStrategies : public QObject {
    Q_OBJECT

private slots:
    void one_worker_is_one_worker() {
        std::mt19937 random(1);
        for (int k = 0; k < 300; ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            s.cluster.workers = 1;
            support::divide(s.parallelism, support::Divided::data);
            if (s.parallelism.collective == Collective::parameter_server) {
                // The weights of one worker are on the host as well: all of them go there and back, and nothing more.
                s.parallelism.overlap = Overlap::off;
                s.model.interference = Fraction{0};
                const double there = score_of(s).communication.value;
                s.parallelism.collective = Collective::ring;
                QVERIFY(there > 0.0);
                QCOMPARE(score_of(s).communication.value, 0.0);
            }
            const Summary one = score_of(s);
            QCOMPARE(one.communication.value, 0.0);
            for (support::Divided strategy : support::all_divided)
                for (HybridScheme scheme : all_schemes) {
                    support::divide(s.parallelism, strategy);
                    s.parallelism.scheme = scheme;
                    QVERIFY(same_times(score_of(s), one));
                    const auto e = estimate(s);
                    QVERIFY(e.has_value());
                    QCOMPARE(e->speedup, 1.0);
                    QCOMPARE(e->efficiency, 1.0);
                }
        }
    }

    void hybrid_with_an_empty_back_part_is_data_parallel() {
        std::mt19937 random(2);
        for (int k = 0; k < 300; ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            s.cluster.workers = support::pick(random, 2, 60);
            support::divide(s.parallelism, support::Divided::data);
            const Summary data = score_of(s);
            set_cut(s, s.network()->size());
            QVERIFY(same_times(score_of(s), data));
        }
    }

    void hybrid_at_once_with_an_empty_front_part_is_split_by_outputs() {
        std::mt19937 random(3);
        int feasible = 0;
        for (int k = 0; k < 600; ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            s.cluster.workers = support::pick(random, 2, 6);
            support::divide(s.parallelism, support::Divided::outputs);
            const Summary outputs = score_of(s);
            set_cut(s, 0);
            s.parallelism.scheme = HybridScheme::all_at_once;
            const Summary hybrid = score_of(s);
            QCOMPARE(hybrid.feasible(), outputs.feasible());
            if (!hybrid.feasible()) continue;
            // A hybrid's micro-steps are those of its data-parallel front part: a worker has to have samples for them.
            const Batch batch = batch_for(s.training.batch, s.training.batch_rule, s.cluster.workers);
            const std::int64_t wanted = s.training.accumulation;
            if (micro_steps(batch.per_replica, wanted).count != micro_steps(batch.effective, wanted).count) continue;
            ++feasible;
            QVERIFY(same_times(hybrid, outputs));
            // and each worker really handles b·g samples
            const auto e = estimate(s);
            const double all =
                static_cast<double>(s.training.batch) *
                (s.training.batch_rule == BatchRule::total ? 1.0 : static_cast<double>(s.cluster.workers));
            QCOMPARE(e->layers.back().samples, std::ceil(all / static_cast<double>(s.training.accumulation)));
        }
        QVERIFY(feasible > 100);
    }

    void the_automatic_cut_is_the_best_of_all() {
        std::mt19937 random(4);
        int inner = 0;
        for (int k = 0; k < 1500; ++k) {
            Scenario s = support::random_scenario(
                random, support::random_network(random, static_cast<int>(support::pick(random, 4, 26))));
            s.cluster.workers = support::pick(random, 2, 7);
            support::divide(s.parallelism, support::Divided::hybrid);
            s.parallelism.cut_auto = true;
            s.training.input_limit = {};  // would hide what a cut costs
            if (support::pick(random, 0, 2) == 0) s.model.spread = Fraction{support::real(random, 0.1, 1)};
            const auto plan = prepare(s);
            Scratch scratch = make_scratch(*plan);
            Point point = plan->point;
            const Summary best = score(*plan, point, scratch);
            QVERIFY(best.feasible());
            double least = std::numeric_limits<double>::infinity();
            for (int cut = 0; cut <= s.network()->size(); ++cut) {
                point.cut = cut;
                const Summary fixed = score(*plan, point, scratch);
                if (fixed.feasible()) least = std::min(least, fixed.step.value);
                if (cut == best.cut) QCOMPARE(fixed, best);
            }
            const double found = best.step.value;
            if (found > least * (1 + 1e-11))
                QFAIL(qPrintable(QString("network %1: cut %2 takes %3, the best %4")
                                     .arg(k)
                                     .arg(best.cut)
                                     .arg(found, 0, 'g', 17)
                                     .arg(least, 0, 'g', 17)));
            inner += best.cut < s.network()->size();
        }
        QVERIFY2(inner > 200, qPrintable(QString::number(inner)));
    }

    void the_automatic_cut_of_preset_networks() {
        for (const char* id :
             {"inception-v3", "alexnet-one-tower", "resnet-50", "densenet-121", "dcgan-generator", "vgg-16"}) {
            Scenario s = support::scenario(support::preset(id));
            support::divide(s.parallelism, support::Divided::hybrid);
            s.training.batch = 32;
            const auto plan = prepare(s);
            Scratch scratch = make_scratch(*plan);
            for (std::int64_t g : {2, 3, 8, 24, 64, 600})
                for (HybridScheme scheme : all_schemes) {
                    Point point = plan->point;
                    point.workers = g;
                    point.scheme = scheme;
                    const Summary best = score(*plan, point, scratch);
                    for (point.cut = 0; point.cut <= s.network()->size(); ++point.cut) {
                        const Summary fixed = score(*plan, point, scratch);
                        QVERIFY(!fixed.feasible() || best.step.value <= fixed.step.value * (1 + 1e-11));
                    }
                }
        }
    }

    void only_computing_and_waiting_remain_with_infinitely_fast_links() {
        std::mt19937 random(5);
        for (int k = 0; k < 400; ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            s.cluster.inside.bandwidth = s.cluster.between.bandwidth = BytesPerSecond{1e299};
            s.cluster.inside.latency = s.cluster.between.latency = Seconds{0};
            s.parallelism.copies = false;  // the device's own work on gradients
            const Summary r = score_of(s);
            if (!r.feasible()) continue;
            QVERIFY(r.communication.value < 1e-200 && r.hidden.value < 1e-200);
            QVERIFY(std::abs((r.forward + r.backward + r.update + r.idle - r.step).value) <= 1e-12 * r.step.value);
        }
    }

    // By hand: 2 workers, batch 4 each, data parallel on the small network. Weights 3·3·3·8 + 4·4... see the comments.
    void a_step_by_hand() {
        Scenario s = support::scenario(small_network());
        s.cluster.workers = 2;
        s.training.batch = 4;
        s.cluster.device.peak[static_cast<std::size_t>(Precision::fp32)] = FlopsPerSecond{1e9};
        s.cluster.device.memory_bandwidth = BytesPerSecond{1e8};
        s.cluster.between.bandwidth = BytesPerSecond{1e6};
        s.cluster.between.latency = Seconds{1e-3};
        // conv: 4·4·8·(3·3·3) = 3456 multiply-adds, weights 216; in 48, out 128 elements
        // pool: 128 → 2·2·8 = 32 elements; dense1: 32·16 = 512; dense2: 16·12 = 192
        const double flops_forward = 2.0 * 4 * (3456 + 512 + 192);
        const double flops_backward = 2 * flops_forward - 2.0 * 4 * 3456;
        const double bytes_forward =
            4.0 * (4 * (48 + 128) + 216 + 4 * (128 + 32) + 4 * (32 + 16) + 512 + 4 * (16 + 12) + 192);
        // the convolution has one gradient, the pooling one, the dense layers two
        const double bytes_backward =
            4.0 * (4 * (48 + 128) + 216 + 4 * (128 + 32) + 2 * (4 * (32 + 16) + 512) + 2 * (4 * (16 + 12) + 192));
        const double parameters = 216 + 512 + 192;
        const Summary r = score_of(s);
        auto close = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
        QVERIFY(close(r.forward.value, flops_forward / 1e9 + bytes_forward / 1e8));
        QVERIFY(close(r.backward.value, flops_backward / 1e9 + bytes_backward / 1e8));
        QVERIFY(close(r.update.value, 2 * parameters / 1e9 + 12 * parameters / 1e8));
        QVERIFY(
            close(r.communication.value, 2 * 1e-3 + 4 * parameters / 1e6));  // ring of two: 2 (n−1) α + 2 (n−1)/n S/W
        QCOMPARE(r.batch.effective, 8);

        // Split by outputs, both workers on all 8 samples: the pooled tensor and the first dense layer's output are
        // gathered and their gradients scattered; half of each layer's work. Busiest = half, all divide by 2.
        support::divide(s.parallelism, support::Divided::outputs);
        const Summary o = score_of(s);
        const double gathered = 4.0 * 8 * (32 + 16);
        QVERIFY(close(o.communication.value, 4 * 1e-3 + 2 * gathered / 2 / 1e6));
        const double forward =
            2.0 * 8 * (3456 + 512 + 192) / 2 / 1e9 +
            4.0 * (8 * (48 + 64) + 108 + 8 * (64 + 16) + 8 * (32 + 8) + 256 + 8 * (16 + 6) + 96) / 1e8;
        QVERIFY(close(o.forward.value, forward));
        QVERIFY(close(o.update.value, parameters / 1e9 + 6 * parameters / 1e8));

        // Hybrid, cut before the first dense layer, all at once: the pooled tensor of 4 samples from each.
        set_cut(s, 3);
        const Summary h = score_of(s);
        const double cut = 4.0 * 4 * 2 * 32, inner = 4.0 * 8 * 16, front = 4.0 * 216;
        // cut in and out, the inner tensor in and out, the convolution's weights
        QVERIFY(close(h.communication.value, 4 * 1e-3 + (2 * cut / 2 + 2 * inner / 2) / 1e6 + 2e-3 + front / 1e6));

        // Split by layers: convolution and pooling, then both dense layers. 32 elements of all 8 samples cross.
        support::divide(s.parallelism, support::Divided::layers);
        s.parallelism.boundaries = {s.network()->layers()[3].id};
        const Summary l = score_of(s);
        QVERIFY(close(l.communication.value, 2 * (1e-3 + 4.0 * 8 * 32 / 1e6)));
        QVERIFY(close(l.update.value, 2 * 704.0 / 1e9 + 12 * 704.0 / 1e8));  // of the stage with more weights
        QVERIFY(close((l.step - l.update - l.communication).value,
                      2 * (flops_forward + flops_backward) / 1e9 + (bytes_forward + bytes_backward) / 1e8 +
                          4.0 * 4 * ((48 + 128) * 2 + (128 + 32) * 2 + 3 * (32 + 16) + 3 * (16 + 12)) / 1e8));
    }

    void workers_without_samples_take_no_part() {
        Scenario s = support::scenario(small_network());
        s.training.batch = 3;
        s.training.batch_rule = BatchRule::total;
        s.cluster.workers = 8;
        const Summary eight = score_of(s);
        s.cluster.workers = 3;
        const Summary three = score_of(s);
        QCOMPARE(eight.batch.active, 3);
        QCOMPARE(eight.batch.per_replica, 1);
        QCOMPARE(eight.step, three.step);
        s.cluster.workers = 2;
        QCOMPARE(score_of(s).batch.per_replica, 2);
    }

    void hybrid_works_on_the_samples_there_are() {
        Scenario s = support::scenario(small_network());
        s.training.batch_rule = BatchRule::total;
        set_cut(s, 3);
        for (std::int64_t batch : {1, 5, 12, 40, 127})
            for (std::int64_t g : {2, 3, 5, 8, 12})
                for (HybridScheme scheme : all_schemes) {
                    s.training.batch = batch;
                    s.cluster.workers = g;
                    s.parallelism.scheme = scheme;
                    const auto e = estimate(s);
                    QVERIFY(e.has_value());
                    const std::int64_t each = (batch + g - 1) / g;
                    const auto& back = e->layers[3];
                    const double all = back.samples * back.repeat;
                    QVERIFY(all >= static_cast<double>(batch) && all < static_cast<double>(batch + each));
                    QCOMPARE(e->layers[0].samples, static_cast<double>(each));
                    for (const auto& m : e->messages) {
                        if (!m.gradients) continue;
                        QCOMPARE(m.group.ranks, std::min(g, batch));
                    }
                }
    }

    void micro_batches_are_no_more_than_samples() {
        Scenario s = support::scenario(small_network());
        s.training.batch_rule = BatchRule::total;
        support::divide(s.parallelism, support::Divided::layers);
        s.cluster.workers = 3;
        for (std::int64_t batch : {1, 2, 5, 7, 64})
            for (std::int64_t m : {1, 2, 3, 4, 100})
                for (std::int64_t accumulation : {1, 2, 4}) {
                    s.training.batch = batch;
                    s.training.accumulation = accumulation;
                    s.parallelism.micro_batches = m;
                    const auto plan = prepare(s);
                    const auto micro =
                        micro_batches(*plan, plan->point, batch_for(s.training.batch, s.training.batch_rule, 3, 1));
                    const std::int64_t step = (batch + accumulation - 1) / accumulation;
                    QVERIFY(micro.count <= m && micro.samples * micro.count >= step);
                    QVERIFY(micro.samples * (micro.count - 1) < step);
                }
    }

    void micro_steps_by_hand() {
        const auto steps = [](std::int64_t samples, std::int64_t wanted) {
            const MicroSteps m = micro_steps(samples, wanted);
            return std::pair{m.count, m.samples};
        };
        using Steps = std::pair<std::int64_t, std::int64_t>;
        QCOMPARE(steps(8, 1), Steps(1, 8));
        QCOMPARE(steps(8, 4), Steps(4, 2));
        QCOMPARE(steps(8, 3), Steps(3, 3));   // 3, 3 and 2, which counts as 3
        QCOMPARE(steps(8, 64), Steps(8, 1));  // none without a sample
        QCOMPARE(steps(2, 3), Steps(2, 1));
        QCOMPARE(steps(9, 6), Steps(5, 2));  // pairs are through after five
        QCOMPARE(steps(1, 1'000'000), Steps(1, 1));
    }

    /// However many micro-steps are asked for: as many as there are samples, and a step has the samples of its batch.
    void micro_steps_are_no_more_than_samples() {
        Scenario s = support::scenario(small_network());
        s.training.batch_rule = BatchRule::total;
        for (support::Divided strategy :
             {support::Divided::data, support::Divided::outputs, support::Divided::layers, support::Divided::hybrid})
            for (std::int64_t workers : {1, 4}) {
                support::divide(s.parallelism, strategy);
                s.cluster.workers = workers;
                s.training.batch = 8;
                const bool together = strategy == support::Divided::outputs || strategy == support::Divided::layers;
                s.training.accumulation = together || workers == 1 ? 8 : 2;
                const Summary most = score_of(s);
                s.training.accumulation = 1'000'000;
                const Summary more = score_of(s);
                QVERIFY(more == most);
                const auto e = estimate(s);
                QVERIFY(e.has_value());
                if (strategy != support::Divided::hybrid)
                    QCOMPARE(e->layers[0].samples * e->layers[0].repeat, together ? 8.0 : 8.0 / double(workers));
            }
    }

    void micro_steps_that_are_not_those_asked_for_are_said() {
        Scenario s = support::scenario(small_network());
        s.training.batch = 8;
        s.cluster.workers = 4;
        const auto said = [&](const char* what) {
            const auto e = estimate(s);
            if (!e) qFatal("%s", to_text(e.error().front()).c_str());
            return std::any_of(e->notes.begin(), e->notes.end(), [&](const Problem& p) { return p.what == what; });
        };
        const char *few = "Of 64 micro-steps, a batch of 8 fills only 8.",
                   *uneven = "A batch of 8 does not divide by 3 micro-steps: it counts as 9.";
        s.training.accumulation = 4;
        QVERIFY(!said(few) && !said(uneven));
        s.training.accumulation = 64;
        QVERIFY(said(few) && !said(uneven));
        s.training.accumulation = 3;
        QVERIFY(!said(few) && said(uneven));
        support::divide(s.parallelism, support::Divided::layers);
        s.training.batch_rule = BatchRule::total;
        s.training.accumulation = 2;
        s.parallelism.micro_batches = 3;
        QVERIFY(said("A batch of 4 does not divide by 2 micro-batches: it counts as 4.") == false);
        QVERIFY(said("Of 3 micro-batches, a batch of 4 fills only 2."));
        s.parallelism.micro_batches = 4;
        QVERIFY(!said("Of 4 micro-batches, a batch of 4 fills only 4."));
    }

    /// The data that a network begins with are on every worker: their channels need not divide.
    void uneven_shares_are_said_where_there_are_any() {
        support::Builder b;
        const int image = b.input({4, 4, 3}), first = b.conv(image, 8, 3);
        b.dense(b.conv(first, 6, 1), 4);
        Scenario s = support::scenario(b.make());
        support::divide(s.parallelism, support::Divided::outputs);
        const auto said = [&] {
            const auto e = estimate(s);
            if (!e) qFatal("%s", to_text(e.error().front()).c_str());
            return std::any_of(e->notes.begin(), e->notes.end(), [](const Problem& p) {
                return p.what.starts_with("Some layers' outputs do not divide by ");
            });
        };
        s.cluster.workers = 2;
        QVERIFY(!said());
        s.cluster.workers = 4;  // of 6
        QVERIFY(said());
        set_cut(s, 3);  // behind it only the 4 units
        QVERIFY(!said());
        set_cut(s, 2);
        QVERIFY(said());
        s.cluster.workers = 1;
        QVERIFY(!said());
        support::Builder joined;  // dealt out with what it is joined to, image and all
        const int data = joined.input({4, 4, 3});
        joined.pool(joined.concat({data, joined.conv(data, 8, 3)}), 2, 2);
        s = support::scenario(joined.make());
        support::divide(s.parallelism, support::Divided::outputs);
        s.cluster.workers = 2;
        QVERIFY(said());
    }

    /// One worker's weights are on the host too, so that two who send nothing can be more than twice as fast.
    void a_speedup_against_a_parameter_server_says_so() {
        Scenario s = support::scenario(small_network());
        support::divide(s.parallelism, support::Divided::outputs);
        s.parallelism.collective = Collective::parameter_server;
        s.cluster.workers = 2;
        s.cluster.devices_per_node = 8;
        s.cluster.inside.bandwidth = BytesPerSecond{1e3};
        s.training.batch = 1;
        const auto said = [&] {
            const auto e = estimate(s);
            if (!e) qFatal("%s", to_text(e.error().front()).c_str());
            const bool note = std::any_of(e->notes.begin(), e->notes.end(), [](const Problem& p) {
                return p.what.starts_with("One worker sends its gradients to the parameter server too");
            });
            return std::pair{note, e->efficiency > 1 + 1e-9};
        };
        QCOMPARE(said(), (std::pair{true, true}));
        support::divide(s.parallelism, support::Divided::data);
        QCOMPARE(said(), (std::pair{false, false}));
        support::divide(s.parallelism, support::Divided::outputs);
        s.parallelism.collective = Collective::ring;
        QVERIFY(!said().first);
    }

    void too_many_workers_are_refused_with_the_reason() {
        Scenario s = support::scenario(small_network());
        s.cluster.workers = 9;
        support::divide(s.parallelism, support::Divided::outputs);
        QCOMPARE(score_of(s).infeasible, Infeasible::too_many_for_units);
        auto e = estimate(s);
        QVERIFY(!e.has_value());
        QVERIFY(QString::fromStdString(to_text(e.error().front()))
                    .contains("The 8 outputs of convolution_1 cannot be shared by 9 workers"));
        set_cut(s, 3);  // behind the cut the fewest are 12
        QVERIFY(score_of(s).feasible());
        s.cluster.workers = 13;
        e = estimate(s);
        QVERIFY(!e.has_value());
        QVERIFY(QString::fromStdString(to_text(e.error().front())).contains("The 12 outputs of dense_4"));
        support::divide(s.parallelism, support::Divided::layers);
        s.cluster.workers = 6;
        e = estimate(s);
        QVERIFY(!e.has_value());
        QVERIFY(QString::fromStdString(to_text(e.error().front())).contains("5 layers cannot be split over 6 workers"));
    }
};

QTEST_APPLESS_MAIN(TestStrategies)
#include "tst_strategies.moc"
