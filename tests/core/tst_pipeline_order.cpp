// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include "core/schedule/pipeline_order.hpp"

using namespace scalescope;

namespace {

constexpr std::array all_orders{PipelineOrder::fill_drain,  PipelineOrder::one_f_one_b,
                                PipelineOrder::interleaved, PipelineOrder::breadth_first,
                                PipelineOrder::zero_bubble, PipelineOrder::zero_bubble_h2};

struct Case {
    PipelineOrder order;
    PipelineShape shape;
    std::vector<double> forward, backward, weights;
    double message = 0;
    PipelineRun run(bool one_at_a_time = true, bool tell = false) const {
        const std::vector<double> messages(forward.size(), shape.devices > 1 ? message : 0.0);
        PipelineRun r;
        run_pipeline(order, shape, {forward, backward, weights, messages, messages, one_at_a_time}, tell, r);
        return r;
    }
};

class Cases {
public:
    explicit Cases(unsigned seed) : random_(seed) {}
    Case make(PipelineOrder order, bool equal = false) {
        Case c{order, {below(6) + 1, 1, below(12) + 1}, {}, {}, {}, below(2) * 0.25};
        if (has_chunks(order)) c.shape.chunks = below(3) + 1;
        if (order == PipelineOrder::interleaved) {
            c.shape.micro_batches = c.shape.devices * (below(3) + 1);
        }
        c.shape.group = c.shape.devices;
        for (int k = 0; k < c.shape.stages(); ++k)
            for (auto* times : {&c.forward, &c.backward, &c.weights})
                times->push_back(equal && k > 0 ? times->front() : 0.25 * (below(8) + 1));
        return c;
    }
    int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

private:
    std::mt19937 random_;
};

}  // namespace

class TestPipelineOrder : public QObject {
    Q_OBJECT

private slots:
    /// Every piece of work once; a forward pass before its backward pass before its weight gradients.
    void lists_are_whole() {
        Cases cases(1);
        for (const PipelineOrder order : all_orders)
            for (int i = 0; i < 200; ++i) {
                const Case c = cases.make(order);
                QVERIFY(can_run(order, c.shape));
                for (int d = 0; d < c.shape.devices; ++d) {
                    std::set<std::pair<int, std::int64_t>> done[3];
                    for (WorkList list(order, c.shape, d); !list.done(); list.pop()) {
                        const WorkItem& item = list.front();
                        QCOMPARE(item.stage % c.shape.devices, d);
                        const std::pair key{item.stage, item.micro_batch};
                        QVERIFY(done[static_cast<int>(item.phase)].insert(key).second);
                        for (int before = 0; before < static_cast<int>(item.phase); ++before)
                            QVERIFY(done[before].count(key) == 1);
                    }
                    const auto all = static_cast<std::size_t>(c.shape.micro_batches * c.shape.chunks);
                    QCOMPARE(done[0].size(), all);
                    QCOMPARE(done[1].size(), all);
                    QCOMPARE(done[2].size(), splits_backward(order) ? all : 0);
                }
            }
    }

    /// Nothing of a device is lost: it is at least as long as its work, and a longer piece or message never shortens
    /// it.
    void longer_pieces_never_shorten_it() {
        Cases cases(2);
        for (const PipelineOrder order : all_orders)
            for (int i = 0; i < 200; ++i) {
                Case c = cases.make(order);
                const PipelineRun before = c.run();
                for (const auto& d : before.devices) QVERIFY(before.makespan.value >= d.busy);
                const auto k = static_cast<std::size_t>(cases.below(c.shape.stages()));
                switch (cases.below(4)) {
                    case 0: c.forward[k] += 0.5; break;
                    case 1: c.backward[k] += 0.5; break;
                    case 2: c.weights[k] += 0.5; break;
                    default: c.message += 0.5; break;
                }
                QVERIFY(c.run().makespan >= before.makespan);
            }
    }

    /// Pieces of one device, or of one link in one direction, never overlap; each starts when the piece it waits for
    /// ends; memory that is used again gives the same run.
    void pieces_follow_each_other() {
        Cases cases(5);
        PipelineRun again;
        for (const PipelineOrder order : all_orders)
            for (int i = 0; i < 200; ++i) {
                const Case c = cases.make(order);
                const PipelineRun run = c.run(true, true);
                QCOMPARE(c.run().makespan.value, run.makespan.value);
                QVERIFY(run.makespan >= c.run(false).makespan);
                std::map<std::pair<int, int>, double> free;  // by device, and what works there
                double last = 0;
                for (const PipelinePiece& p : run.pieces) {
                    const bool work = p.kind <= PieceKind::weights;
                    double& until = free[{p.stage % c.shape.devices, work ? 0 : static_cast<int>(p.kind)}];
                    QVERIFY(p.start >= until);
                    until = p.end();
                    last = std::max(last, p.end());
                    if (p.waits_for < 0)
                        QCOMPARE(p.start, 0.0);
                    else
                        QCOMPARE(run.pieces[static_cast<std::size_t>(p.waits_for)].end(), p.start);
                }
                QCOMPARE(last, run.makespan.value);
                for (const double done : run.done) QVERIFY(done > 0 && done <= last);
                const std::vector<double> messages(c.forward.size(), c.shape.devices > 1 ? c.message : 0.0);
                run_pipeline(order, c.shape, {c.forward, c.backward, c.weights, messages, messages}, false, again);
                QCOMPARE(again.makespan.value, run.makespan.value);
                QCOMPARE(again.in_flight, run.in_flight);
                run_pipeline(order, c.shape, {c.forward, c.backward, c.weights, {}, {}}, false, again);
                QVERIFY(run.makespan_of_work == again.makespan);  // to the last bit
            }
    }

    void one_device_only_works() {
        for (const PipelineOrder order : all_orders) {
            Case c{order, {1, 1, 5, 1}, {2}, {1}, {0.5}, 9};
            QCOMPARE(c.run().makespan.value, 5 * 3.5);
        }
    }

    /// With one chunk it takes as long as 1F1B, but Megatron's list holds twice as much.
    void one_chunk_gains_nothing() {
        Cases cases(4);
        for (int i = 0; i < 100; ++i) {
            Case c = cases.make(PipelineOrder::interleaved, true);
            c.shape.chunks = 1;
            const PipelineRun one = c.run();
            c.order = PipelineOrder::one_f_one_b;
            const PipelineRun other = c.run();
            if (c.message == 0) QCOMPARE(one.makespan.value, other.makespan.value);
            QVERIFY(one.devices[0].most_held >= other.devices[0].most_held);
        }
    }

    /// With one chunk it is fill and drain. With more of them it takes as long as interleaved, if each is filled.
    void breadth_first_compares() {
        Cases cases(8);
        for (int i = 0; i < 200; ++i) {
            Case c = cases.make(PipelineOrder::interleaved, true);
            c.message = 0;
            const double interleaved = c.run().makespan.value;
            c.order = PipelineOrder::breadth_first;
            QCOMPARE(c.run().makespan.value, interleaved);
            c = cases.make(PipelineOrder::breadth_first);
            c.shape.chunks = 1;
            const double one = c.run().makespan.value;
            c.order = PipelineOrder::fill_drain;
            QCOMPARE(c.run().makespan.value, one);
        }
    }

    /// Equal stages without messages: fill-drain and 1F1B take as long, 1F1B holds less; a split backward takes less.
    void orders_compare() {
        Cases cases(3);
        for (int i = 0; i < 200; ++i) {
            Case c = cases.make(PipelineOrder::fill_drain, true);
            c.message = 0;
            c.weights = c.backward = c.forward;  // within the range of the closed forms
            const PipelineRun drain = c.run();
            c.order = PipelineOrder::one_f_one_b;
            const PipelineRun one = c.run();
            const double p = c.shape.devices, m = static_cast<double>(c.shape.micro_batches), f = c.forward[0];
            QCOMPARE(drain.makespan.value, (m + p - 1) * 3 * f);
            QCOMPARE(one.makespan.value, drain.makespan.value);
            c.order = PipelineOrder::zero_bubble;
            const PipelineRun zero = c.run();
            if (m >= p) QCOMPARE(zero.makespan.value, m * 3 * f + (p - 1) * f);
            QVERIFY(zero.makespan <= one.makespan);
            for (std::size_t d = 0; d < one.devices.size(); ++d) {
                QCOMPARE(drain.in_flight[d], c.shape.micro_batches);
                QCOMPARE(one.in_flight[d],
                         std::min<std::int64_t>(c.shape.micro_batches, c.shape.devices - static_cast<std::int64_t>(d)));
                QCOMPARE(zero.in_flight[d], std::min<std::int64_t>(c.shape.micro_batches, c.shape.devices));
            }
        }
    }

    /// Idle shares of ever more micro-batches: none without messages; with them what 1F1B waits for in each round.
    void many_micro_batches_leave_the_messages() {
        for (const PipelineOrder order : all_orders)
            for (const int p : {2, 4, 8})
                for (const double message : {0.0, 0.25}) {
                    Case c{order, {p, 1, 4096 * p, p}, {}, {}, {}, message};
                    c.forward.assign(static_cast<std::size_t>(p), 1);
                    c.backward = c.weights = c.forward;
                    const PipelineRun run = c.run(false);
                    const double work = 3.0 * static_cast<double>(c.shape.micro_batches),
                                 idle = run.makespan.value / work - 1;
                    QVERIFY(idle >= 0);
                    if (message == 0) QVERIFY(idle < 1e-3);
                    if (order == PipelineOrder::one_f_one_b)
                        QVERIFY(std::abs(idle - 2 * message * (1 - 1.0 / p) / 3) < 1e-3);
                }
    }

    /// Unequal stages: fill and drain in closed form, 1F1B between its bounds (specification: composed parallelism, 6).
    void unequal_stages_are_within_their_bounds() {
        Cases cases(6);
        for (int i = 0; i < 300; ++i) {
            Case c = cases.make(PipelineOrder::fill_drain);
            double sum = 0, most = 0, forward = 0, backward = 0, least = 0;
            const double m = static_cast<double>(c.shape.micro_batches);
            for (std::size_t k = 0; k < c.forward.size(); ++k) {
                const double back = c.backward[k] + c.weights[k], both = c.forward[k] + back;
                least = std::max(least, m * both + sum);
                sum += both;
                most = std::max(most, both);
                forward = std::max(forward, c.forward[k]);
                backward = std::max(backward, back);
            }
            if (c.message == 0) QCOMPARE(c.run().makespan.value, sum + (m - 1) * (forward + backward));
            c.message = 0;
            c.order = PipelineOrder::one_f_one_b;
            const double one = c.run().makespan.value;
            QVERIFY(one >= least - 1e-12 && one <= sum + (m - 1) * most + 1e-12);
        }
    }

    /// Sets of activations come with a forward pass and go with the pass that needs them last: none is left, and there
    /// are never more than is said.
    void sets_come_and_go() {
        Cases cases(7);
        for (const PipelineOrder order : all_orders)
            for (int i = 0; i < 100; ++i) {
                const Case c = cases.make(order);
                const PipelineRun run = c.run();
                const WorkPhase last = splits_backward(order) ? WorkPhase::weights : WorkPhase::backward;
                for (int d = 0; d < c.shape.devices; ++d) {
                    double held = 0, most = 0;
                    for (WorkList list(order, c.shape, d); !list.done(); list.pop()) {
                        held += list.front().phase == WorkPhase::forward ? 1 : list.front().phase == last ? -1 : 0;
                        most = std::max(most, held);
                    }
                    QCOMPARE(held, 0.0);
                    QCOMPARE(most, run.devices[static_cast<std::size_t>(d)].most_held);
                    const std::int64_t m = c.shape.micro_batches, p = c.shape.devices, v = c.shape.chunks;
                    const std::int64_t wanted = order == PipelineOrder::fill_drain      ? m
                                                : order == PipelineOrder::breadth_first ? m * v
                                                : order == PipelineOrder::one_f_one_b   ? std::min(m, p - d)
                                                : order == PipelineOrder::zero_bubble   ? std::min(m, p)
                                                : order == PipelineOrder::zero_bubble_h2
                                                    ? std::min(m, 2 * p - 1)
                                                    : std::min(m * v, 2 * (p - 1 - d) + (v - 1) * p + 1);
                    if (order == PipelineOrder::zero_bubble_h2)
                        QVERIFY(most <= static_cast<double>(wanted));
                    else
                        QCOMPARE(most, static_cast<double>(wanted));
                }
            }
    }

    void what_cannot_run() {
        QVERIFY(!can_run(PipelineOrder::interleaved, {4, 2, 6, 4}));
        QVERIFY(can_run(PipelineOrder::interleaved, {4, 2, 8, 4}));
        QVERIFY(can_run(PipelineOrder::breadth_first, {4, 2, 6, 4}));
        QVERIFY(!can_run(PipelineOrder::one_f_one_b, {4, 2, 8, 4}));
    }
};

QTEST_APPLESS_MAIN(TestPipelineOrder)
#include "tst_pipeline_order.moc"
