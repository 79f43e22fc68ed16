// SPDX-License-Identifier: GPL-3.0-or-later
// Operations under the ceilings of the device: a product by hand, shares of meshes, and no point above the roof.
#include <QtTest>
#include <cmath>
#include <random>

#include "core/estimate/roofline.hpp"
#include "support_any_mesh.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Answer;

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

Roofline of(const Answer& a) { return roofline_of(a.scenario, a.plan, a.e).value(); }
const RooflineRow& row(const Roofline& roofline, std::string_view title) {
    for (const RooflineRow& r : roofline.rows)
        if (r.row->title == title) return r;
    qFatal("no such row");
}

}  // namespace

class TestRoofline : public QObject {
    Q_OBJECT

private slots:
    /// (m × k) · (k × n) in bf16, and the products of both gradients: 2·m·n·k FLOPs each, one for each byte of the
    /// three matrices that it reads or writes.
    void a_matrix_product_by_hand() {
        constexpr double m = 512, k = 1024, n = 2048;
        support::Builder b;
        const int hidden = b.dense(b.input({256}), 1024, false);
        b.dense(hidden, 2048, false);
        Scenario s = support::preset_scenario("resnet-50-a100");
        s.workload = {{b.make(), {}, 1, {}}};
        s.cluster.workers = 1;
        s.training.batch = 512;
        s.training.accumulation = 1;
        s.training.precision = Precision::bf16;
        s.model.compute = Fraction{0.5};
        s.model.memory = Fraction{0.8};
        s.model.overlap_memory = false;
        s.model.launch = microseconds(5);
        const Answer a(s);
        const Roofline roofline = of(a);
        QCOMPARE(roofline.rows.size(), std::size_t{2});
        const RooflinePoint& p = roofline.rows[1].device;
        const double flops = 3 * 2 * m * n * k, bytes = 3 * 2 * (m * k + k * n + m * n);
        QVERIFY(near(p.flops.value, flops));
        QVERIFY2(near(p.bytes.value, bytes), qPrintable(QString("%1 %2").arg(p.bytes.value).arg(bytes)));
        QVERIFY(near(p.intensity(), m * n * k / (m * k + k * n + m * n)));
        const double peak = s.cluster.device.peak_at(Precision::bf16)->value,
                     memory = s.cluster.device.memory_bandwidth.value;
        const double seconds = flops / (0.5 * peak) + bytes / (0.8 * memory) + 3 * 5e-6;
        QVERIFY(near(p.time.value, seconds));
        QVERIFY(near(p.attained().value, flops / seconds));
        QVERIFY(p.bound == RooflineBound::compute && !roofline.rows[1].divided());
        QCOMPARE(roofline.peaks.front().precision, Precision::bf16);
        QCOMPARE(roofline.peaks.front().rate.value, peak);
        QVERIFY(near(roofline.ceiling(1).value, memory) && roofline.ceiling(1e9).value == peak);
        QVERIFY(near(roofline.reached.value, 0.5 * peak) && near(roofline.memory_reached.value, 0.8 * memory));
    }

    void what_takes_longest_bounds() {
        Scenario s = support::preset_scenario("example");
        s.cluster.workers = 1;
        s.model.launch = Seconds{0};
        const auto bound_of = [&](const char* title) { return row(of(Answer(s)), title).device.bound; };
        QVERIFY(bound_of("conv2") == RooflineBound::compute);
        s.training.batch = 1;  // fc6 reads its weights for a single sample
        QVERIFY(bound_of("fc6") == RooflineBound::memory);
        s.model.launch = Seconds{1};
        QVERIFY(bound_of("fc6") == RooflineBound::launch);
    }

    /// A tensor degree of 8 leaves an eighth of a product's FLOPs, and its whole input or output.
    void a_divided_operation_is_less_intense() {
        const Scenario s = support::preset_scenario("llama-3-70b-h100");
        QCOMPARE(s.parallelism.tensor, 8);
        const Roofline roofline = of(Answer(s));
        QVERIFY(row(roofline, "Logits, loss").divided());
        for (const char* title : {"Q, K, V", "Attention", "Output", "Gate, up", "Down"}) {
            const RooflineRow& r = row(roofline, title);
            QVERIFY(r.divided() && r.repeat == 80);
            QVERIFY2(near(r.device.flops.value, r.whole.flops.value / 8), title);
            QVERIFY2(r.device.intensity() <= r.whole.intensity() * (1 + 1e-12), title);
        }
        QVERIFY(row(roofline, "Down").device.intensity() < 0.9 * row(roofline, "Down").whole.intensity());
    }

    /// All blocks' FLOPs of the roofline are those of the step.
    void rows_are_all_layers() {
        for (const char* preset : {"llama-3-8b-h100", "example", "deepseek-v3-h100", "resnet-50-a100", "dcgan"}) {
            const Answer a(support::preset_scenario(preset));
            const Roofline roofline = of(a);
            std::vector<double> rows(a.plan.parts.size()), layers(a.plan.parts.size());
            for (const RooflineRow& r : roofline.rows) rows[std::size_t(r.part)] += r.whole.flops.value * r.repeat;
            for (const LayerEstimate& l : a.e.layers)
                for (const PassWork& w : a.plan.parts[std::size_t(l.part)].work.pass)
                    layers[std::size_t(l.part)] += w.flops[std::size_t(l.position)] * l.samples;
            for (std::size_t p = 0; p < rows.size(); ++p)
                QVERIFY2(std::abs(rows[p] - layers[p]) <= 1e-9 * layers[p], preset);
        }
    }

    /// No operation is faster than the device can be, unless the cheapest convolution does fewer FLOPs than are
    /// counted.
    void no_point_above_the_ceiling() {
        std::mt19937 random(5);
        int points = 0;
        const auto judge = [&](const Scenario& s, const char* name) {
            if (s.model.convolution == ConvolutionAlgorithm::cheapest) return;
            const auto plan = prepare(s);
            if (!plan) return;
            const auto e = estimate(s);
            if (!e) return;
            const auto roofline = roofline_of(s, *plan, *e);
            if (!roofline) return;
            for (const RooflineRow& r : roofline->rows)
                for (const RooflinePoint& p : {r.whole, r.device}) {
                    ++points;
                    QVERIFY2(p.attained().value <= roofline->ceiling(p.intensity()).value * (1 + 1e-9), name);
                    QVERIFY(p.flops.value > 0 && std::isfinite(p.intensity()));
                }
        };
        for (const auto& preset : support::library().scenarios) {
            judge(support::preset_scenario(preset.id.c_str()), preset.id.c_str());
            if (QTest::currentTestFailed()) return;
        }
        for (int i = 0; i < 300; ++i) {
            judge(support::any_mesh(random), "a random mesh");
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(points > 3000);
    }

    void only_of_the_pipeline() {
        const Answer cpu(support::preset_scenario("alexnet-cpu-cluster"));
        QVERIFY(!roofline_of(cpu.scenario, cpu.plan, cpu.e));
    }
};

QTEST_GUILESS_MAIN(TestRoofline)
#include "tst_roofline.moc"
