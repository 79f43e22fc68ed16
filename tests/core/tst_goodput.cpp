// SPDX-License-Identifier: GPL-3.0-or-later
// Interruptions, checkpoints and the share of the time that trains: by hand, at their limits and by brute force.
#include <QtTest>
#include <cmath>

#include "core/estimate/applies.hpp"
#include "core/estimate/goodput.hpp"
#include "core/estimate/utilization.hpp"
#include "support_explain_walk.hpp"
#include "support_library.hpp"

using namespace scalescope;

namespace {

bool near(double a, double b, double off = 1e-12) { return std::abs(a - b) <= off * std::abs(b); }

/// Llama 3 405B: 419 unexpected interruptions in 54 days on 16,384 devices (Grattafiori et al., 2024, section 3.3.4).
constexpr double llama_hours = 54.0 * 24 * 16384 / 419;

Scenario failing(const char* preset, double hours = llama_hours) {
    Scenario s = support::preset_scenario(preset);
    s.reliability.device_mtbf = Hours{hours};
    return s;
}
Goodput goodput_of_one(const Scenario& s) { return goodput_of(s, estimate(s).value()).value(); }

}  // namespace

class TestGoodput : public QObject {
    Q_OBJECT

private slots:
    void by_hand() {
        // write 8 s, between 3,600 s: x = 1/900, sqrt(2·8·3600) = 240
        const Seconds tau = checkpoint_interval(Seconds{8}, Seconds{3600});
        QVERIFY(near(tau.value, 240 * (1 + 1.0 / 90 + 1.0 / 8100) - 8));
        // 100 s of training, 20 s of a checkpoint, 60 s to restart, 1,000 s between interruptions
        const double share = share_that_trains(Seconds{100}, Seconds{20}, Seconds{60}, Seconds{1000}).value;
        QVERIFY(near(share, 0.1 / (1.0618365465453596 * 0.12749685157937567)));
        QCOMPARE(checkpoint_interval(Seconds{2000}, Seconds{1000}), Seconds{1000});
    }

    void of_llama_3() {
        Scenario s = failing("llama-3-405b-h100");
        s.cluster.workers = 16384;
        const Goodput g = goodput_of_one(s);
        QVERIFY(near(g.between.value, 54.0 * 86400 / 419));
        // bf16 weights; fp32 master weights and two moments
        const auto parameters = static_cast<double>(s.network()->parameters());
        QVERIFY(near(g.checkpoint.value, 14 * parameters));
        QVERIFY(near(g.write.value, 14 * parameters / (16384 * 0.122e9)));
        QVERIFY(near(g.interval.value, std::sqrt(2 * g.write.value * g.between.value), 0.02));  // Young
        // Published: higher than 90 % effective training time.
        QVERIFY2(g.trains.value > 0.90 && g.trains.value < 0.95, qPrintable(QString::number(g.trains.value)));
        const auto e = estimate(s).value();
        const Seconds tokens = *utilization_of(s, e)->trillion_tokens;
        QVERIFY(near(g.elapsed(tokens)->value, tokens.value / g.trains.value));
    }

    /// Of one device that divides nothing, the checkpoint is what the memory account holds.
    void the_checkpoint_is_of_the_memory_account() {
        for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::momentum, Optimizer::adam})
            for (const Precision precision : {Precision::fp32, Precision::bf16}) {
                Scenario s = failing("example");
                s.cluster.workers = 1;
                s.training.optimizer = optimizer;
                s.training.precision = precision;
                for (const bool frozen : {false, true}) {
                    if (frozen)
                        s.training.frozen = {
                            s.network()->layers()[static_cast<std::size_t>(*s.network()->position("fc6"))].id};
                    const auto e = estimate(s).value();
                    QVERIFY(near(goodput_of(s, e)->checkpoint.value, (e.memory.weights + e.memory.optimizer).value));
                }
            }
    }

    void without_failures_all_time_trains() {
        QVERIFY(
            !goodput_of(support::preset_scenario("example"), estimate(support::preset_scenario("example")).value()));
        double last = 0;
        for (const double hours : {1e3, 1e4, 1e5, 1e6, 1e9, 1e12}) {
            const double share = goodput_of_one(failing("llama-3-405b-h100", hours)).trains.value;
            QVERIFY(share > last && share < 1);
            last = share;
        }
        QVERIFY(1 - last < 1e-4);
        // Where failures leave no time, nothing is infinite.
        const Goodput none = goodput_of_one(failing("llama-3-405b-h100", 1e-3));
        QCOMPARE(none.trains.value, 0.0);
        QVERIFY(!none.elapsed(Seconds{1}));
    }

    /// No other interval trains more, but for what the formula leaves out: less than one part in a thousand.
    void no_interval_is_better() {
        for (const double write : {0.01, 1.0, 30.0, 600.0})
            for (const double between : {1800.0, 11136.0, 1e6}) {
                if (write > between / 3) continue;
                const auto share = [&](double tau) {
                    return share_that_trains(Seconds{tau}, Seconds{write}, Seconds{600}, Seconds{between}).value;
                };
                const double best = checkpoint_interval(Seconds{write}, Seconds{between}).value;
                double most = 0, at = 0;
                for (double tau = best / 20; tau < best * 20; tau *= 1.001)
                    if (share(tau) > most) most = share(tau), at = tau;
                QVERIFY(share(best) >= most * (1 - 1e-3));
                QVERIFY2(near(best, at, 0.05), qPrintable(QString("%1 %2").arg(best).arg(at)));
                // Young's is as good where a checkpoint is short, and worse where it is not.
                QVERIFY(share(best) >= share(std::sqrt(2 * write * between)) * (1 - 1e-6));
            }
    }

    /// To first order, as the formula is usually given: δ/τ + (τ/2 + R)·N/M.
    void agrees_with_the_first_order() {
        for (const double write : {0.1, 1.0, 10.0}) {
            const Seconds between{1e5}, tau = checkpoint_interval(Seconds{write}, between), restart{300};
            const double lost = write / tau.value + (tau.value / 2 + restart.value) / between.value;
            QVERIFY(near(1 - share_that_trains(tau, Seconds{write}, restart, between).value, lost, lost));
        }
    }

    void only_where_all_wait_for_each_other() {
        Scenario servers = failing("resnet-50-p100-servers"), cpu = failing("alexnet-cpu-cluster"),
                 gan = failing("dcgan");
        for (const Scenario* s : {&servers, &cpu, &gan}) QVERIFY(!goodput_of(*s, estimate(*s).value()));
        Scenario plain = support::preset_scenario("example");
        QVERIFY(applies("reliability.device_mtbf_h", plain) && !applies("reliability.restart_s", plain));
        servers.reliability = {};
        QVERIFY(!applies("reliability.device_mtbf_h", servers));
        QVERIFY(applies("reliability.checkpoint_gb_s", failing("example")));
        plain.reliability.device_mtbf = Hours{-1};
        QVERIFY(!estimate(plain).has_value());
    }

    void every_formula_gives_its_figure() {
        for (const double hours : {llama_hours, 100.0, 1e7, 1.0}) {
            Scenario s = failing("llama-3-8b-h100", hours);
            for (const double restart : {0.0, 600.0}) {
                s.reliability.restart = Seconds{restart};
                support::explained::Walk walk(s);
                QVERIFY(walk.feasible);
                walk.visit(Item{Topic::goodput});
                QVERIFY2(walk.wrong.isEmpty(), qPrintable(walk.wrong.join('\n')));
                QVERIFY(walk.topics.contains(Topic::checkpoint_interval) && walk.topics.contains(Topic::checkpoint) &&
                        walk.topics.contains(Topic::interruption));
            }
        }
        // Failures leave no time: a checkpoint takes longer than they are apart.
        support::explained::Walk walk(failing("llama-3-405b-h100", 1e-3));
        walk.visit(Item{Topic::goodput});
        QVERIFY2(walk.wrong.isEmpty(), qPrintable(walk.wrong.join('\n')));
    }
};

QTEST_GUILESS_MAIN(TestGoodput)
#include "tst_goodput.moc"
