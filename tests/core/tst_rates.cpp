// SPDX-License-Identifier: GPL-3.0-or-later
// What a device reaches: precisions without a fast path.
#include <QtTest>

#include "core/estimate/estimate.hpp"
#include "core/pricing/rates.hpp"
#include "core/scenario/fields.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Builder;

namespace {

const Device& device(const char* id) { return *support::library().catalogue.device(id); }

/// Causal attention of 1,024 tokens and 8 heads of 64, and a product behind it, one sample on one device.
Scenario attention_on(const char* id, bool flash = true) {
    Builder b;
    const int in = b.input({1024, 512});
    const auto product = [&](int of) {
        const int l = b.dense(of, 512);
        b.set(l, "per_position", true);
        return l;
    };
    const int attention = b.simple("attention", {product(in), product(in), product(in)});
    b.set(attention, "heads", std::int64_t{8});
    b.set(attention, "causal", true);
    b.set(attention, "flash", flash);
    product(attention);
    Scenario s;
    s.workload.push_back({b.make(), {}, 1, ""});
    s.training.precision = Precision::bf16;
    s.training.batch = 1;
    s.cluster.device = device(id);
    s.cluster.workers = 1;
    s.cluster.inside = s.cluster.between = support::library().catalogue.links.front();
    return s;
}

}  // namespace

class TestRates : public QObject {
    Q_OBJECT

private slots:
    void a_precision_without_a_fast_path_computes_in_the_next_wider_one() {
        const Device& pascal = device("geforce-gtx-1080-ti");  // fp16 at 0.177, fp32 at 11.34 TFLOP/s
        QCOMPARE(multiplied_in(pascal, Precision::fp16), Precision::fp32);
        QCOMPARE(multiplied_in(pascal, Precision::bf16), Precision::fp32);  // none is known
        QCOMPARE(multiplied_in(pascal, Precision::tf32), Precision::fp32);
        QCOMPARE(multiplied_in(pascal, Precision::fp32), Precision::fp32);
        QCOMPARE(multiplied_in(device("a100-sxm-80gb"), Precision::fp16), Precision::fp16);
        Device nothing = pascal;
        nothing.peak = {};
        nothing.peak[static_cast<std::size_t>(Precision::bf16)] = FlopsPerSecond{1e12};
        QCOMPARE(multiplied_in(nothing, Precision::fp32), Precision::fp32);  // never in a narrower one
        Cluster cluster;
        cluster.device = nothing;
        QVERIFY(!device_rates(cluster, {}, Precision::fp32));

        Scenario s = attention_on("geforce-gtx-1080-ti");
        s.training.precision = Precision::fp16;
        const auto half = estimate(s);
        QVERIFY(half.has_value());
        QCOMPARE(half->notes.back().what,
                 std::string("The GeForce GTX 1080 Ti computes in fp32 because its fp16 rate is lower."));
        Scenario wide = s;
        wide.training.precision = Precision::fp32;
        const auto single = estimate(wide);
        QVERIFY(half->summary.step < single->summary.step);  // half the bytes
        const auto plan = prepare(s);
        QCOMPARE(plan->device.arithmetic, FlopsPerSecond{11.34e12});
        QCOMPARE(plan->parts[0].work.element_bytes, 2.0);
        s.training.precision = Precision::bf16;
        QCOMPARE(estimate(s)->notes.back().what,
                 std::string("The GeForce GTX 1080 Ti computes in fp32 because no bf16 rate of it is known."));
    }
};

QTEST_GUILESS_MAIN(TestRates)
#include "tst_rates.moc"
