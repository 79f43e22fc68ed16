// SPDX-License-Identifier: GPL-3.0-or-later
// What must be done: FLOPs, bytes and parameters of the three passes.
#include <QtTest>

#include "core/work/work.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Builder;

namespace {

Work work_of(const support::NetworkPtr& n, Training t = {}, Passes p = {}) { return make_work(*n, p, t); }

double sum(const std::vector<double>& v) {
    double s = 0;
    for (double x : v) s += x;
    return s;
}

/// input 4×4×3 → convolution of 8 filters → batch norm → dense of 10
support::NetworkPtr chain() {
    Builder b;
    b.dense(b.batch_norm(b.conv(b.input({4, 4, 3}), 8, 3)), 10);
    return b.make();
}

}  // namespace

class TestWork : public QObject {
    Q_OBJECT

private slots:
    void a_chain_by_hand() {
        const Work w = work_of(chain());
        // convolution: 128 outputs of 27 taps; dense: 128 · 10
        QCOMPARE(w.pass[0].flops, (std::vector<double>{0, 2.0 * 3456, 0, 2.0 * 1280}));
        QCOMPARE(w.pass[1].flops, (std::vector<double>{0, 0, 0, 2.0 * 1280}));  // nobody wants the gradient of the data
        QCOMPARE(w.pass[2].flops, (std::vector<double>{0, 2.0 * 3456, 0, 2.0 * 1280}));
        QCOMPARE(w.pass[0].inputs, (std::vector<double>{0, 4.0 * 48, 8.0 * 128, 4.0 * 128}));
        QCOMPARE(w.pass[0].outputs, (std::vector<double>{0, 4.0 * 128, 4.0 * 128, 40}));
        QCOMPARE(w.pass[0].weights, (std::vector<double>{0, 4.0 * (216 + 8), 0, 4.0 * 1290}));
        QCOMPARE(w.pass[1].inputs, (std::vector<double>{0, 0, 12.0 * 128, 4.0 * 128}));
        QCOMPARE(w.pass[1].outputs, (std::vector<double>{0, 0, 8.0 * 128, 40}));
        QCOMPARE(w.pass[0].active, (std::vector<double>{0, 1, 1, 1}));
        QCOMPARE(w.pass[2].active,
                 (std::vector<double>{0, 1, 0, 1}));  // a normalization's weights come out of its input's gradient
        QCOMPARE(w.weight_bytes, (std::vector<double>{0, 4.0 * 224, 4.0 * 16, 4.0 * 1290}));
        QCOMPARE(w.gradient_bytes, w.weight_bytes);
        QCOMPARE(w.trained, (std::vector<double>{0, 224, 16, 1290}));
        QCOMPARE(w.parameters, 224.0 + 16 + 1290);
        QCOMPARE(w.keeps_input, (std::vector<char>{0, 1, 1, 1}));
        QCOMPARE(w.keeps_output, (std::vector<char>{0, 0, 0, 0}));
        QCOMPARE(w.forward_flops.value, 2.0 * (3456 + 1280));
        QCOMPARE(w.backward_flops.value, 2.0 * (3456 + 2 * 1280));
    }

    void half_precision_halves_bytes_only() {
        Training t;
        t.precision = Precision::fp16;
        const Work half = work_of(chain(), t), single = work_of(chain());
        QCOMPARE(half.pass[0].flops, single.pass[0].flops);
        for (std::size_t l = 0; l < 4; ++l) {
            QCOMPARE(half.out_bytes[l], single.out_bytes[l] / 2);
            QCOMPARE(half.weight_bytes[l], single.weight_bytes[l] / 2);
            QCOMPARE(half.gradient_bytes[l], single.gradient_bytes[l] / 2);
            QCOMPARE(half.trained[l], single.trained[l]);
        }
    }

    void frozen_layers() {
        const auto n = chain();
        Training t;
        t.frozen = {n->layers()[1].id};
        Work w = work_of(n, t);
        QCOMPARE(w.pass[2].flops[1], 0.0);   // not trained
        QCOMPARE(w.gradient_bytes[1], 0.0);  // not exchanged
        QCOMPARE(w.trained[1], 0.0);
        QCOMPARE(int(w.keeps_input[1]), 0);  // and nothing before it trains, so nothing is kept
        QCOMPARE(w.pass[1].active[2], 1.0);  // the normalization still trains
        t.frozen = {n->layers()[1].id, n->layers()[2].id};
        w = work_of(n, t);
        QCOMPARE(w.pass[1].active[2], 0.0);
        QCOMPARE(w.pass[1].flops[3], 0.0);  // nobody behind the dense layer wants a gradient
        QCOMPARE(w.pass[2].flops[3], 2.0 * 1280);
        t.frozen = {n->layers()[3].id};  // frozen in the middle: the gradient passes through
        w = work_of(n, t);
        QCOMPARE(w.pass[1].flops[3], 2.0 * 1280);
        QCOMPARE(w.pass[2].flops[3], 0.0);
    }

    // What a pass asks for may differ from the forward pass, and need several operations.
    void passes_that_differ() {
        Builder b;
        const int e = b.simple("embedding", {b.input({6})});
        b.set(e, "vocabulary", std::int64_t{50});
        b.set(e, "width", std::int64_t{16});
        const int a = b.simple("attention", {e, e, e});
        b.set(a, "heads", std::int64_t{4});
        const Work w = work_of(b.make());
        QCOMPARE(w.pass[0].outputs[1], 2 * 4.0 * 96);  // rows read and written, whatever the size of the table
        QCOMPARE(w.pass[0].weights[1], 0.0);
        QCOMPARE(w.pass[1].active[1], 0.0);
        QCOMPARE(w.pass[2].outputs[1], 3 * 4.0 * 96);
        QCOMPARE(w.trained[1], 800.0);
        QCOMPARE(w.pass[0].flops[2], 2.0 * 4 * 36 * 8);
        QCOMPARE(w.pass[1].flops[2], 2.0 * 4 * 36 * (16 + 4));
        QCOMPARE(w.pass[2].flops[2], 0.0);
        QCOMPARE(w.pass[0].inputs[2], 3 * 4.0 * 96);
        QCOMPARE(w.pass[0].outputs[2], 4.0 * (96 + 24));
        QCOMPARE(w.own_bytes[2], 4.0 * 24);
        QCOMPARE(int(w.keeps_input[2]), 1);  // for the gradient of its inputs

        Builder r;
        r.set(r.simple("lstm", {r.input({6, 16})}), "units", std::int64_t{12});
        const Work l = work_of(r.make());
        // Nobody wants the gradient of the data, but that of the states is needed for the weights'.
        for (std::size_t p = 0; p < 3; ++p) QCOMPARE(l.pass[p].flops[1], 2.0 * 6 * 4 * 12 * 28);
        QCOMPARE(l.pass[0].active[1], 6.0);
        QCOMPARE(l.pass[1].active[1], 6.0);
        QCOMPARE(l.pass[2].active[1], 1.0);
        QCOMPARE(l.pass[0].weights[1], 6 * 4.0 * 1440);
        Training t;
        t.precision = Precision::fp16;
        QCOMPARE(work_of(r.make(), t).own_bytes[1], 2.0 * 360);
    }

    void passes_of_a_step() {
        Passes only_forward;
        only_forward.backward = false;
        Work w = work_of(chain(), {}, only_forward);
        QCOMPARE(sum(w.pass[1].active) + sum(w.pass[2].active) + sum(w.gradient_bytes) + sum(w.mask_bytes), 0.0);
        QCOMPARE(std::count(w.keeps_input.begin(), w.keeps_input.end(), 1), 0);
        Passes through;  // a generator's step through its discriminator
        through.weights = false;
        through.to_data = true;
        through.update = false;
        w = work_of(chain(), {}, through);
        QCOMPARE(w.pass[1].flops, w.pass[0].flops);
        QCOMPARE(sum(w.pass[2].flops), 0.0);
        QCOMPARE(sum(w.trained), 0.0);
        Passes later;  // gradients are made, exchanged with the next part's
        later.update = false;
        w = work_of(chain(), {}, later);
        QCOMPARE(sum(w.gradient_bytes), 0.0);
        QCOMPARE(w.pass[2].flops[3], 2.0 * 1280);
        Passes no_forward;
        no_forward.forward = false;
        w = work_of(chain(), {}, no_forward);
        QCOMPARE(sum(w.pass[0].active), 0.0);
        QCOMPARE(w.forward_flops.value, 0.0);
    }

    // Backward is twice forward, less the gradient to the input of layers that read nothing but data, and more what a
    // fused attention computes again: in whole numbers.
    void backward_of_preset_networks() {
        const auto all = support::preset_networks();
        QVERIFY(all.size() >= 9);
        for (const auto& [id, n] : all) {
            std::int64_t forward = 0, first = 0, again = 0;
            bool looks_up = false;  // what reads data then may be a table alone, which does no arithmetic
            std::vector<bool> wants(static_cast<std::size_t>(n->size()), false);
            for (int l = 0; l < n->size(); ++l) {
                const auto& f = n->facts()[static_cast<std::size_t>(l)];
                bool input = false;
                for (int i : n->inputs(l)) input = input || wants[static_cast<std::size_t>(i)];
                wants[static_cast<std::size_t>(l)] = input || f.weights > 0;
                forward += 2 * f.multiply_adds;
                if (!input) first += 2 * f.multiply_adds;
                const auto kind = n->layers()[static_cast<std::size_t>(l)].kind->name;
                looks_up = looks_up || kind == "embedding";
                if (kind == "attention") again += 2 * f.input_multiply_adds - 4 * f.multiply_adds;
            }
            const Work w = work_of(n);
            QCOMPARE(static_cast<std::int64_t>(w.forward_flops.value), forward);
            QCOMPARE(static_cast<std::int64_t>(w.backward_flops.value), 2 * forward - first + again);
            QCOMPARE(forward, 2 * n->multiply_adds());
            QVERIFY2((looks_up || first > 0) && first < forward, id.c_str());
            QCOMPARE(sum(w.pass[1].flops) + sum(w.pass[2].flops), w.backward_flops.value);
            QCOMPARE(sum(w.trained), static_cast<double>(n->parameters()));
        }
    }

    void known_totals() {
        // 16 convolutions and dense layers of VGG-16: 138,357,544 parameters (Simonyan and Zisserman give 138 million)
        QCOMPARE(support::preset("vgg-16")->parameters(), 138357544);
        // ResNet-50 with normalizations: 25,557,032
        QCOMPARE(support::preset("resnet-50")->parameters(), 25557032);
    }

    void updates() {
        struct Row {
            Optimizer o;
            Precision p;
            double flops, bytes, state;
        };
        const Row rows[] = {
            {Optimizer::sgd, Precision::fp32, 2, 12, 0},       // read gradient and weight, write weight
            {Optimizer::momentum, Precision::fp32, 4, 20, 4},  // and read and write the momentum
            {Optimizer::adam, Precision::fp32, 12, 28, 8},
            {Optimizer::sgd, Precision::fp64, 2, 24, 0},
            {Optimizer::sgd, Precision::fp16, 2, 12, 4},  // gradient 2, master 4 + 4, copy 2
            {Optimizer::momentum, Precision::bf16, 4, 20, 8},
            {Optimizer::adam, Precision::bf16, 12, 28, 12},  // 14 read, 14 written
            {Optimizer::adam, Precision::tf32, 12, 28, 8},
            // gradient, weight, moments read; step, moments written; weight, step measured; step taken: 4 + 3 + 2 + 3
            {Optimizer::lamb, Precision::fp32, 16, 48, 8},
            {Optimizer::lamb, Precision::fp16, 16, 48, 12},  // gradient and copy 2 + 2, eleven of 4
        };
        for (const Row& r : rows) {
            const UpdateCost c = update_cost(r.o, r.p);
            QCOMPARE(c.flops, r.flops);
            QCOMPARE(c.bytes, r.bytes);
            QCOMPARE(c.state_bytes, r.state);
        }
    }

    /// Operations that each read and write: two numbers if they change one tensor by a constant, three if by another.
    void updates_operation_by_operation() {
        struct Row {
            Optimizer o;
            double fp32, fp16;
        };
        // In 16 bits also: gradient 2 to 4, master 4 to copy 2.
        const Row rows[] = {{Optimizer::sgd, 4 * 3, 4 * 3 + 12},
                            {Optimizer::momentum, 4 * (2 + 3 + 3), 4 * 8 + 12},
                            {Optimizer::adam, 4 * (5 + 5 + 2 + 2 + 2 + 4), 4 * 20 + 12},
                            {Optimizer::lamb, 4 * (5 + 5 + 1 + 4 + 3 + 1 + 3), 4 * 22 + 12}};
        for (const Row& r : rows) {
            QCOMPARE(update_cost(r.o, Precision::fp32, false).bytes, r.fp32);
            QCOMPARE(update_cost(r.o, Precision::fp16, false).bytes, r.fp16);
            QCOMPARE(update_cost(r.o, Precision::fp64, false).bytes, 2 * r.fp32);
            QCOMPARE(update_cost(r.o, Precision::fp16, false).state_bytes,
                     update_cost(r.o, Precision::fp16).state_bytes);
            QCOMPARE(update_cost(r.o, Precision::fp32, false).flops, update_cost(r.o, Precision::fp32).flops);
        }
    }
};

QTEST_APPLESS_MAIN(TestWork)
#include "tst_work.moc"
