// SPDX-License-Identifier: GPL-3.0-or-later
// FLOPs, weights, gradients, optimizer states and messages of 680 runs of SimuMax (tests/data/parallel), with experts
// and divided sequences among them. Equal where both define them alike; what differs is listed with its closed form.
#include <QtTest>
#include <cmath>
#include <map>

#include "support_simumax.hpp"

using namespace scalescope;
using simumax::Estimated, simumax::Row, simumax::Sizes;

namespace {

/// The table has nine digits.
bool close(double a, double b) { return std::abs(a - b) <= 1e-8 * std::max(std::abs(a), std::abs(b)); }

/// FLOPs of one micro-batch in the first stage.
double flops(const Estimated& run, bool backward) {
    double sum = 0;
    for (const LayerEstimate* row : run.stage(false))
        for (const std::size_t p : backward ? std::vector<std::size_t>{1, 2} : std::vector<std::size_t>{0})
            sum += run.work().pass[p].flops[static_cast<std::size_t>(row->position)] * row->shares.flops * row->samples;
    return sum;
}

/// A causal query sees itself too: half of a pair more for each query than half of all.
double diagonals(const Estimated& run, bool backward) {
    const Sizes& s = run.sizes;
    if (!s.half_attention) return 0;
    const double pairs = 0.5 * static_cast<double>(s.tokens() * s.heads / s.tensor),
                 key = static_cast<double>(s.latent ? s.key_head + s.rotated : s.head),
                 value = static_cast<double>(s.latent ? s.value_head : s.head),
                 products = 2 * (backward ? 2 * (key + value) + key : key + value);
    return pairs * products * static_cast<double>(s.layers_of_stage());
}

/// SimuMax counts 2.5 times the forward pass, also where keys are wider than values; ours is five products.
double uneven_heads(const Sizes& s) {
    const double pairs =
        static_cast<double>(s.tokens() * s.positions * s.heads / s.tensor) * (s.half_attention ? 0.5 : 1);
    return s.latent ? pairs * static_cast<double>((s.key_head + s.rotated - s.value_head) * s.layers_of_stage()) : 0;
}

struct Held {
    double dense = 0, experts = 0;
};
/// Parameters of a rank of the first or last stage.
Held held(const Estimated& run, bool last) {
    Held sum;
    for (const LayerEstimate* row : run.stage(last)) {
        const double own = static_cast<double>(run.facts(*row).parameters()) * row->shares.weights,
                     experts = run.sizes.expert_ranks() == 1 ? static_cast<double>(run.facts(*row).experts.parameters)
                                                             : own * row->shares.experts;
        sum.dense += own - experts;
        sum.experts += experts;
    }
    return sum;
}

/// What waits for the backward pass in the first stage, of one micro-batch, in bytes.
double kept(const Estimated& run) {
    double sum = 0;
    for (const LayerEstimate* row : run.stage(false)) sum += row->kept.value / row->kept_samples * row->samples;
    return sum;
}
/// What SimuMax keeps more, and why.
struct Difference {
    const char* why;
    double (*more)(const Sizes& s);
};
const std::vector<Difference>& kept_differences() {
    static const auto stream = [](const Sizes& s) {
        return 2 * static_cast<double>(s.tokens() * s.hidden * s.layers_of_stage());
    };
    static const std::vector<Difference> all{
        {"an unfused GeLU keeps two tensors more",
         [](const Sizes& s) {
             return s.gated ? 0 : 2 * 2 * static_cast<double>(s.tokens() * s.inner * s.layers_of_stage() / s.tensor);
         }},
        {"the loss keeps the logits twice",
         [](const Sizes& s) {
             return s.pipeline == 1 ? 2 * static_cast<double>(s.tokens() * s.vocabulary / s.tensor) : 0;
         }},
        {"positions that were sorted by expert are kept once more, and those of shared experts", [](const Sizes& s) {
             const double copies =
                 static_cast<double>(s.experts > 0 ? s.chosen * s.expert_tensor + (s.shared_inner > 0 ? 1 : 0) : 0);
             return copies * stream(s) / static_cast<double>(s.tensor);
         }}};
    return all;
}

}  // namespace

class TestSimumax : public QObject {
    Q_OBJECT

private slots:
    void counts() {
        QCOMPARE(simumax::runs().rows.size(), std::size_t{680});
        int compared = 0;
        for (const Row& row : simumax::runs().rows) {
            const Sizes s(row);
            const Estimated run(row);
            ++compared;
            const auto is = [&](const char* column, double value) {
                const QString say = QString("%1: %2, SimuMax %3: %4")
                                        .arg(column)
                                        .arg(value, 0, 'g', 12)
                                        .arg(row.number(column), 0, 'g', 12)
                                        .arg(row.where().c_str());
                QVERIFY2(close(value, row.number(column)), qPrintable(say));
            };
            is("microbatch_fwd_flop", flops(run, false) - diagonals(run, false));
            is("microbatch_bwd_flop", flops(run, true) - diagonals(run, true) - uneven_heads(s));
            const double gradient = run.work().summed_gradient_bytes();
            for (const bool last : {false, true}) {
                const Held h = held(run, last);
                const std::string at = last ? "last_" : "first_";
                const auto of = [&](const char* kind, const char* what) { return at + kind + what; };
                is(of("dense", "_weight_bytes").c_str(), 2 * h.dense);
                is(of("moe", "_weight_bytes").c_str(), 2 * h.experts);
                is(of("dense", "_grad_bytes").c_str(), gradient * h.dense);
                is(of("moe", "_grad_bytes").c_str(), gradient * h.experts);
                const double state = run.plan.update.state_bytes;
                is(of("dense", "_state_bytes").c_str(), state * h.dense / run.e.states.of_optimizer(0));
                is(of("moe", "_state_bytes").c_str(), state * h.experts / (s.sharded ? s.expert_data() : 1));
                // Besides the one that is worked on; SimuMax does not look whether there are as many micro-batches.
                if (s.pipeline > 1 && row["interleaving_size"] == "1") {
                    const StageEstimate& stage = last ? run.e.stages.back() : run.e.stages.front();
                    const std::int64_t missing = last ? 0 : std::max<std::int64_t>(0, s.pipeline - s.micro_batches);
                    is((at + "cached_microbatches").c_str(), static_cast<double>(stage.in_flight - 1 + missing));
                }
            }
        }
        QCOMPARE(compared, 680);
    }

    /// Tensors that wait for the backward pass of a micro-batch, where nothing is recomputed. Printed with four digits.
    void kept_tensors() {
        std::map<std::string, int> differ;
        int compared = 0;
        for (const Row& row : simumax::runs().rows) {
            const Sizes s(row);
            if (s.latent || row["enable_recompute"] == "1" || row["interleaving_size"] != "1") continue;
            const Estimated run(row);
            double found = kept(run);
            for (const Difference& d : kept_differences()) {
                found += d.more(s);
                differ[d.why] += d.more(s) != 0;
            }
            const double theirs = row.number("first_activation_per_microbatch_GiB") * 1073741824;
            const QString say = QString("%1 of theirs: %2").arg(found / theirs).arg(row.where().c_str());
            QVERIFY2(std::abs(found / theirs - 1) < 1e-3, qPrintable(say));
            ++compared;
        }
        for (const auto& [why, rows] : differ) QVERIFY2(rows > 0, why.c_str());
        QCOMPARE(compared, 269);
    }
};

QTEST_APPLESS_MAIN(TestSimumax)
#include "tst_simumax.moc"
