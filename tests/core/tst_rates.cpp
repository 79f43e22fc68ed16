// SPDX-License-Identifier: GPL-3.0-or-later
// What a device reaches: 16-bit products, fused attention, precisions without a fast path.
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

DeviceRates rates_of(const char* id, Precision precision, const ModelOptions& model = {}) {
    Cluster cluster;
    cluster.device = device(id);
    const auto rates = device_rates(cluster, model, precision);
    if (!rates) support::stop(rates.error());
    return *rates;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

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
/// Seconds that the attention layer computes, without its memory traffic.
double arithmetic(const Scenario& s, bool backward) {
    const auto plan = prepare(s);
    if (!plan) support::stop(plan.error());
    const PassWork& w = plan->parts[0].work.pass[backward ? 1 : 0];
    return w.priced[4] / plan->device.arithmetic.value;
}

}  // namespace

class TestRates : public QObject {
    Q_OBJECT

private slots:
    void products_in_16_bit_reach_what_was_measured() {
        QVERIFY(close(rates_of("a100-sxm-80gb", Precision::bf16).arithmetic.value, 312e12 * 0.87 / 1.1));
        QVERIFY(close(rates_of("a100-sxm-80gb", Precision::bf16).share.value, 0.790909090909));
        QVERIFY(close(rates_of("h100-sxm-80gb", Precision::fp16).arithmetic.value, 989.4e12 * 0.8 / 1.1));
        QVERIFY(close(rates_of("h100-sxm-80gb", Precision::fp16).share.value, 0.727272727273));
        // measured within training steps: no tenth is taken off
        QVERIFY(close(rates_of("b200-sxm-180gb", Precision::bf16).arithmetic.value, 0.45 * 2250e12));
        QCOMPARE(*measured_share(device("b200-sxm-180gb")), Fraction{0.45});
    }

    void other_precisions_and_devices_stay_at_their_peak() {
        QCOMPARE(rates_of("a100-sxm-80gb", Precision::tf32).share, Fraction{1});
        QCOMPARE(rates_of("a100-sxm-80gb", Precision::fp32).arithmetic, FlopsPerSecond{19.49e12});
        QCOMPARE(rates_of("tesla-v100-sxm2-16gb", Precision::fp16).share, Fraction{1});
        QVERIFY(!measured_share(device("tesla-v100-sxm2-16gb")));
    }

    void a_share_that_somebody_set_wins() {
        ModelOptions model;
        model.compute = Fraction{0.62};
        const DeviceRates set = rates_of("a100-sxm-80gb", Precision::bf16, model);
        QVERIFY(close(set.arithmetic.value, 0.62 * 312e12));
        QVERIFY(!set.attention);
        model.attention = AttentionKernel::triton;  // and so does a kernel
        QCOMPARE(rates_of("a100-sxm-80gb", Precision::bf16, model).attention->reached, Fraction{0.40});
        model.compute = Fraction{1};
        QCOMPARE(rates_of("a100-sxm-80gb", Precision::bf16, model).arithmetic, FlopsPerSecond{312e12});
    }

    void attention_reaches_what_its_kernel_does() {
        const auto reached = [](const char* id, AttentionKernel kernel) {
            const auto rates = attention_rates(device(id), kernel, {});
            return rates ? std::optional(rates->reached.value) : std::nullopt;
        };
        QCOMPARE(reached("a100-sxm-80gb", AttentionKernel::automatic), 0.66);
        QCOMPARE(reached("a100-sxm-80gb", AttentionKernel::triton), 0.40);
        QVERIFY(!reached("a100-sxm-80gb", AttentionKernel::flash_3));
        QCOMPARE(reached("h100-sxm-80gb", AttentionKernel::automatic), 0.90);
        QCOMPARE(reached("h100-sxm-80gb", AttentionKernel::flash_2), 0.42);
        QVERIFY(!reached("tesla-v100-sxm2-16gb", AttentionKernel::automatic));
        QVERIFY(!rates_of("a100-sxm-80gb", Precision::fp32).attention);  // kernels are measured in 16 bits
    }

    void another_device_prices_attention_anew() {
        const Scenario s = attention_on("a100-sxm-80gb");
        auto plan = prepare(s);
        Scenario other = s;
        other.cluster.device = device("h100-sxm-80gb");
        QVERIFY(reprice_plan(*plan, other).has_value());
        const auto anew = prepare(other);
        Scratch one = make_scratch(*plan), two = make_scratch(*anew);
        QCOMPARE(score(*plan, plan->point, one), score(*anew, anew->point, two));
    }

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

    void a_kernel_that_was_not_measured_is_said() {
        Scenario s = attention_on("a100-sxm-80gb");
        s.model.attention = AttentionKernel::flash_3;
        QCOMPARE(estimate(s)->notes.back().where, std::string("model.attention"));
        QVERIFY(close(arithmetic(s, false), 4.0 * 524800 * 512 / (0.87 / 1.1 * 312e12)));
        Builder dense;
        dense.dense(dense.input({8}), 8);
        s.workload.front().network = dense.make();  // which has no attention
        QVERIFY(estimate(s)->notes.empty());
        s = attention_on("a100-sxm-80gb");
        s.model.attention = AttentionKernel::flash_2;
        const auto known = estimate(s);
        for (const Problem& note : known->notes) QVERIFY(note.where != "model.attention");
    }

    void tiny_shares_are_refused() {
        Scenario s = attention_on("a100-sxm-80gb");
        s.model.compute = Fraction{1e-300};
        QVERIFY(!prepare(s).has_value());
        s.model.compute = Fraction{1e-6};
        QVERIFY(prepare(s).has_value());
    }
};

QTEST_GUILESS_MAIN(TestRates)
#include "tst_rates.moc"
