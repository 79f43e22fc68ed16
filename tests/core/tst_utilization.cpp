// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens a second and the share of the devices' peak, by hand.
#include <QtTest>

#include "core/estimate/utilization.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

}  // namespace

class TestUtilization : public QObject {
    Q_OBJECT

private slots:
    void of_a_transformer() {
        const Scenario s = support::preset_scenario("llama-3-70b-h100");
        const auto e = estimate(s);
        QVERIFY(e.has_value());
        const auto u = utilization_of(s, *e);
        QVERIFY(u && u->model && u->hardware && u->trillion_tokens);
        const double tokens = 8192.0 * 512 / e->summary.step.value;
        QVERIFY(near(u->tokens_per_second, tokens));
        QVERIFY(near(u->trillion_tokens->value, 1e12 / tokens));
        // 6 FLOPs a parameter, and 12 · layers · hidden · positions of attention (PaLM, appendix B).
        const double flops = 6.0 * 70553706496.0 + 12.0 * 80 * 8192 * 8192;
        QVERIFY(near(u->each_device.value, flops * tokens / 512));
        QVERIFY(near(u->model->value, u->each_device.value / s.cluster.device.peak_at(s.training.precision)->value));
        QCOMPARE(u->hardware->value, u->model->value);  // nothing is computed again
    }

    /// A frozen parameter has no gradient: a third of its FLOPs is not done.
    void of_frozen_weights() {
        Scenario s = support::preset_scenario("llama-3-70b-h100");
        for (const Layer& l : s.network()->layers()) s.training.frozen.push_back(l.id);
        std::sort(s.training.frozen.begin(), s.training.frozen.end());
        s.training.frozen.erase(
            std::remove(s.training.frozen.begin(), s.training.frozen.end(), s.network()->layers().back().id),
            s.training.frozen.end());
        const auto e = estimate(s);
        QVERIFY(e.has_value());
        const auto u = utilization_of(s, *e);
        QVERIFY(u.has_value());
        const double tokens = 8192.0 * 512 / e->summary.step.value;
        const double flops = 4.0 * 70553706496.0 + 12.0 * 80 * 8192 * 8192;
        QVERIFY(near(u->each_device.value, flops * tokens / 512));
    }

    void without_tokens() {
        const Scenario images = support::preset_scenario("example"),
                       cpu = support::preset_scenario("alexnet-cpu-cluster");
        QCOMPARE(utilization_of(images, estimate(images).value())->tokens_per_second, 0.0);
        QVERIFY(!utilization_of(cpu, estimate(cpu).value()));
    }
};

QTEST_GUILESS_MAIN(TestUtilization)
#include "tst_utilization.moc"
