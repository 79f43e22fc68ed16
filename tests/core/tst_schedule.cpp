// SPDX-License-Identifier: GPL-3.0-or-later
// Closed forms of the schedule against simulations that step through every event.
#include <QtTest>
#include <cmath>

#include "core/schedule/buckets.hpp"
#include "core/schedule/pipeline_order.hpp"
#include "core/schedule/slices.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::pick;
using support::real;

namespace {

MessageCost linear(double start, double per_byte) {
    MessageCost c;
    c.options[0] = {Seconds{start}, per_byte, Collective::ring};
    return c;
}

bool close(double a, double b, double scale) { return std::abs(a - b) <= 1e-12 * scale; }

struct Gradients {
    std::vector<double> a, b, bytes;
};

Gradients random_gradients(std::mt19937& random) {
    Gradients g;
    const auto n = static_cast<std::size_t>(pick(random, 1, 20));
    for (std::size_t l = 0; l < n; ++l) {
        g.a.push_back(real(random, 0, 1));
        g.b.push_back(pick(random, 0, 1) == 0 ? 0.0 : real(random, 0, 1));
        g.bytes.push_back(pick(random, 0, 2) == 0 ? 0.0 : static_cast<double>(pick(random, 1, 100)));
    }
    return g;
}

std::vector<double> backward_of(const Gradients& g) {
    std::vector<double> sum(g.a.size());
    for (std::size_t l = 0; l < sum.size(); ++l) sum[l] = g.a[l] + g.b[l];
    return sum;
}

struct Note : BucketSink {
    std::vector<Bucket> buckets;
    void add(const Bucket& b) override { buckets.push_back(b); }
};

GradientSync sync(const Gradients& g, int from, int to, Overlap o, double bucket, const MessageCost& c,
                  BucketSink* sink = nullptr) {
    return sync_gradients(backward_of(g), std::array{GradientStream{g.bytes, &c}}, from, to, o, Bytes{bucket}, sink);
}

/// Buckets as they happen: a clock that walks through backward, a queue of full buckets, one link.
double exposed_by_events(const Gradients& g, int from, int to, double bucket, const MessageCost& c) {
    struct Waiting {
        double ready, bytes;
    };
    std::vector<Waiting> queue;
    double clock = 0, gathered = 0, left = 0;
    for (int l = from; l < to; ++l) left += g.bytes[static_cast<std::size_t>(l)];
    for (int l = to - 1; l >= from; --l) {
        const auto k = static_cast<std::size_t>(l);
        clock += g.a[k] + g.b[k];
        gathered += g.bytes[k];
        left -= g.bytes[k];
        if (g.bytes[k] > 0 && (gathered >= bucket || left <= 0)) {
            queue.push_back({clock, gathered});
            gathered = 0;
        }
    }
    double link = 0;
    for (const Waiting& w : queue) link = std::max(link, w.ready) + c.at(Bytes{w.bytes}).value;
    return std::max(0.0, link - clock);
}

/// Slices as they happen, step by step: while one slice is worked on, the link carries the next one's input and the
/// result of the one before; the next step begins when both are done.
double slices_by_steps(std::int64_t n, double work, double in, double out) {
    double clock = in;
    for (std::int64_t i = 1; i <= n; ++i) {
        double link = 0;
        if (i < n) link += in;
        if (i > 1) link += out;
        clock += std::max(work, link);
    }
    return clock + out;
}

}  // namespace

class TestSchedule : public QObject {
    Q_OBJECT

private slots:
    // Four layers of 1 s each, gradients of 10, 20, 0 and 30 bytes (the last is first); 0.1 s per byte, buckets of 25.
    void buckets_by_hand() {
        const Gradients g{{1, 1, 1, 1}, {0, 0, 0, 0}, {10, 20, 0, 30}};
        const MessageCost c = linear(0, 0.1);
        Note note;
        GradientSync s = sync(g, 0, 4, Overlap::buckets, 25, c, &note);
        QCOMPARE(note.buckets.size(), 2u);
        QCOMPARE(note.buckets[0].ready.value, 1.0);  // the deepest alone is enough
        QCOMPARE(note.buckets[0].start.value, 1.0);
        QCOMPARE(note.buckets[0].end.value, 4.0);
        QCOMPARE(note.buckets[0].first, 3);
        QCOMPARE(note.buckets[1].bytes.value, 30.0);  // 20 are not enough, with 10 they are
        QCOMPARE(note.buckets[1].ready.value, 4.0);
        QCOMPARE(note.buckets[1].end.value, 7.0);
        QCOMPARE(note.buckets[1].last, 1);
        QCOMPARE(s.total.value, 6.0);
        QCOMPARE(s.exposed.value, 3.0);
        QCOMPARE(s.hidden().value, 3.0);
        QCOMPARE(s.backward.value, 4.0);
        s = sync(g, 0, 4, Overlap::off, 25, c);
        QCOMPARE(s.exposed.value, 6.0);
        s = sync(g, 0, 4, Overlap::perfect, 25, c);
        QCOMPARE(s.exposed.value, 2.0);
        // a small rest goes when the shallowest layer that has gradients is done, here 1 s before the end
        const Gradients rest{{1, 1, 1, 1}, {0, 0, 0, 0}, {0, 5, 0, 30}};
        s = sync(rest, 0, 4, Overlap::buckets, 25, c);
        QVERIFY(close(s.exposed.value, 0.5, 1));  // from 4 s (the link is busy till then) to 4.5 s
    }

    void buckets_like_their_events() {
        std::mt19937 random(1);
        for (int k = 0; k < 5000; ++k) {
            const Gradients g = random_gradients(random);
            const int n = static_cast<int>(g.a.size()), from = static_cast<int>(pick(random, 0, n - 1));
            const MessageCost c = linear(pick(random, 0, 1) == 0 ? 0.0 : real(random, 0, 2), real(random, 0, 0.1));
            const double bucket = real(random, 1, 300);
            Note note;
            const GradientSync s = sync(g, from, n, Overlap::buckets, bucket, c, &note);
            QVERIFY(close(s.exposed.value, exposed_by_events(g, from, n, bucket, c), 30));
            double total = 0, bytes = 0;
            for (const Bucket& b : note.buckets) {
                total += (b.end - b.start).value;
                bytes += b.bytes.value;
                QVERIFY(b.start >= b.ready);
            }
            QVERIFY(close(total, s.total.value, 30));
            double all = 0;
            for (int l = from; l < n; ++l) all += g.bytes[static_cast<std::size_t>(l)];
            QVERIFY(close(bytes, all, 1000));
            QVERIFY(s.hidden().value >= -1e-12);
        }
    }

    void off_is_dearest_and_perfect_cheapest() {
        std::mt19937 random(2);
        for (int k = 0; k < 5000; ++k) {
            const Gradients g = random_gradients(random);
            const int n = static_cast<int>(g.a.size());
            const double bucket = real(random, 1, 300), start = pick(random, 0, 1) == 0 ? 0.0 : real(random, 0, 2);
            const MessageCost c = linear(start, real(random, 0, 0.1));
            const double off = sync(g, 0, n, Overlap::off, bucket, c).exposed.value,
                         buckets = sync(g, 0, n, Overlap::buckets, bucket, c).exposed.value,
                         perfect = sync(g, 0, n, Overlap::perfect, bucket, c).exposed.value;
            QVERIFY(perfect <= buckets + 1e-12);
            if (start == 0.0) QVERIFY(buckets <= off + 1e-12);  // every further message starts up anew
            // One bucket of everything: only what comes after the shallowest gradients hides anything.
            const double one = sync(g, 0, n, Overlap::buckets, 1e9, c).exposed.value;
            QVERIFY(one <= off + 1e-12);
            if (g.bytes[0] > 0) QVERIFY(close(one, off, 10));
        }
    }

    void all_ends_at_once() {
        std::mt19937 random(3);
        std::vector<double> exposed(22), scratch(22);
        for (int k = 0; k < 5000; ++k) {
            const Gradients g = random_gradients(random);
            const int n = static_cast<int>(g.a.size());
            const double bucket = real(random, 1, 300);
            const MessageCost c = linear(pick(random, 0, 1) == 0 ? 0.0 : real(random, 0, 2), real(random, 0, 0.1));
            for (Overlap o : {Overlap::off, Overlap::buckets, Overlap::perfect}) {
                exposed_by_end(backward_of(g), g.bytes, n, o, Bytes{bucket}, c, exposed, scratch);
                for (int to = 0; to <= n; ++to) {
                    const double expected = sync(g, 0, to, o, bucket, c).exposed.value;
                    if (!close(exposed[static_cast<std::size_t>(to)], expected, 30))
                        QFAIL(qPrintable(QString("overlap %1, layers before %2: %3, expected %4")
                                             .arg(int(o))
                                             .arg(to)
                                             .arg(exposed[static_cast<std::size_t>(to)])
                                             .arg(expected)));
                }
            }
        }
    }

    void pipeline_by_hand() {
        const std::vector<double> none{0, 0, 0, 0};
        // 4 equal stages, 8 micro-batches, no transfers: (M + g − 1) · stage
        const std::vector<double> f(4, 2.0), b(4, 3.0);
        QCOMPARE(fill_drain({f, b, none, none}, 8).span.value, 11 * 5.0);
        // one micro-batch: everything one after the other
        const std::vector<double> a{1, 2, 4, 0}, g{8, 16, 32, 0};
        QCOMPARE(fill_drain({f, b, a, g}, 1).span.value, 4 * 5 + 63.0);
        QCOMPARE(fill_drain({f, b, a, g}, 1).exposed.value, 63.0);
        QCOMPARE(fill_drain({f, b, a, g}, 1).transfers.value, 63.0);
        // a link slower than every stage sets the pace: 100 batches cannot pass it faster than one by one
        const std::vector<double> slow{0, 10, 0, 0};
        QCOMPARE(fill_drain({f, none, slow, none}, 100).span.value, 8 + 10 + 99 * 10.0);
        QCOMPARE(fill_drain({f, none, slow, none}, 100).exposed.value, 8 + 10 + 99 * 10.0 - (8 + 99 * 2.0));
        // a link faster than the stages hides but for the first time
        const std::vector<double> fast{0, 1, 0, 0};
        QCOMPARE(fill_drain({f, none, fast, none}, 100).exposed.value, 1.0);
        QCOMPARE(fill_drain({f, none, fast, none}, 100).transfers.value, 100.0);
    }

    void pipeline_like_its_events() {
        std::mt19937 random(4);
        for (int k = 0; k < 3000; ++k) {
            const auto stages = static_cast<std::size_t>(pick(random, 1, 7));
            std::vector<double> f(stages), b(stages), a(stages, 0.0), g(stages, 0.0);
            for (std::size_t s = 0; s < stages; ++s) {
                f[s] = real(random, 0, 1);
                b[s] = real(random, 0, 2);
                if (s + 1 < stages && pick(random, 0, 1) == 0) a[s] = real(random, 0, 2), g[s] = real(random, 0, 2);
            }
            const std::int64_t m = pick(random, 1, 12);
            const PipelineShape shape{static_cast<int>(stages), 1, m};
            PipelineRun run, no_links;
            run_pipeline(PipelineOrder::fill_drain, shape, {f, b, {}, a, g}, true, run);
            run_pipeline(PipelineOrder::fill_drain, shape, {f, b, {}, {}, {}}, false, no_links);
            const double simulated = run.makespan.value;
            const FillDrain closed = fill_drain({f, b, a, g}, m);
            QVERIFY(close(closed.span.value, simulated, 100));
            QVERIFY(close(closed.exposed.value, simulated - no_links.makespan.value, 100));
            QVERIFY(closed.exposed.value >= 0 && closed.transfers >= closed.exposed - Seconds{1e-12});
            double transfers = 0;
            for (const PipelinePiece& p : run.pieces)
                if (p.kind >= PieceKind::activation) transfers += p.length;
            QVERIFY(close(transfers, closed.transfers.value, 100));
        }
    }

    void slices_by_hand() {
        // 4 slices of 10 s work, 2 s in, 3 s out: all but the first and last transfer hide
        SliceSchedule s = schedule_slices(4, Seconds{10}, Seconds{2}, Seconds{3});
        QCOMPARE(s.span.value, 45.0);
        QCOMPARE(s.exposed.value, 5.0);
        QCOMPARE(s.total.value, 20.0);
        // 6 in and 7 out exceed 10 by 3 in the two middle steps
        s = schedule_slices(4, Seconds{10}, Seconds{6}, Seconds{7});
        QCOMPARE(s.span.value, 6 + 10 + 13 + 13 + 10 + 7.0);
        // 12 in exceeds even alone
        s = schedule_slices(2, Seconds{10}, Seconds{12}, Seconds{1});
        QCOMPARE(s.span.value, 12 + 12 + 10 + 1.0);
        s = schedule_slices(1, Seconds{10}, Seconds{2}, Seconds{3});
        QCOMPARE(s.span.value, 15.0);
        QCOMPARE(s.exposed.value, s.total.value);
    }

    void slices_like_their_steps() {
        std::mt19937 random(5);
        for (int k = 0; k < 5000; ++k) {
            const std::int64_t n = pick(random, 1, 20);
            const double work = real(random, 0, 3), in = pick(random, 0, 3) == 0 ? 0.0 : real(random, 0, 4),
                         out = pick(random, 0, 3) == 0 ? 0.0 : real(random, 0, 4);
            const SliceSchedule s = schedule_slices(n, Seconds{work}, Seconds{in}, Seconds{out});
            QVERIFY(close(s.span.value, slices_by_steps(n, work, in, out), 100));
            QVERIFY(close(s.exposed.value, s.span.value - static_cast<double>(n) * work, 100));
            QVERIFY(close(s.total.value, static_cast<double>(n) * (in + out), 100));
            QVERIFY(s.exposed <= s.total + Seconds{1e-12});
        }
    }
};

QTEST_APPLESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
