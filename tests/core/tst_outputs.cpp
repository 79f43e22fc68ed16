// SPDX-License-Identifier: GPL-3.0-or-later
// Who holds what when layers are split by outputs: small cases by hand. tst_brute_force has the random ones.
#include <QtTest>
#include <cmath>

#include "core/estimate/estimate.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"
#include "support_simulation.hpp"

using namespace scalescope;
using support::Builder;
using support::NetworkPtr;

namespace {

struct Split {
    NetworkPtr network;
    Work work;
    OutputStructure s;
    OutputMoves moves;

    explicit Split(const Builder& b, std::int64_t workers = 2)
        : network(b.make()), work(make_work(*network, {}, {})), s(make_output_structure(*network)) {
        make_output_moves(*network, s, work, workers, moves);
    }
    double share(int l, std::int64_t g) const { return s.busiest_share(s.class_of[static_cast<std::size_t>(l)], g); }
    bool divided(int l, int cut = 0) const { return s.divided_until[static_cast<std::size_t>(l)] >= cut; }
    bool local(int l, int cut = 0) const { return moves.local_until[static_cast<std::size_t>(l)] >= cut; }
    bool moved(OutputMove move, int t, int cut) const {
        return OutputMoves::after(s, t, move) < cut && cut <= moves.last(t, move);
    }
    bool gathered(int t, int cut = 0) const { return moved(OutputMove::gather, t, cut); }
    bool scattered(int t, int cut = 0) const { return moved(OutputMove::scatter, t, cut); }
    bool reduced(int t, int cut = 0) const { return moved(OutputMove::sum, t, cut); }
    bool comes_in(int t, int cut) const { return moved(OutputMove::into, t, cut); }
    bool goes_back(int t, int cut) const { return moved(OutputMove::out_of, t, cut); }
};

}  // namespace

class TestOutputs : public QObject {
    Q_OBJECT

private slots:
    void shares_of_what_does_not_divide() {
        Builder b;
        const int i = b.input({2, 2, 3}), p = b.conv(i, 10, 1), q = b.conv(i, 7, 1);
        const int joined = b.concat({p, q}), again = b.batch_norm(joined);
        const Split x(b);
        QCOMPARE(x.share(p, 4), 0.3);  // 3 of 10
        QCOMPARE(x.share(q, 4), 2.0 / 7);
        QCOMPARE(x.share(joined, 4), 5.0 / 17);  // 3 + 2
        QCOMPARE(x.share(again, 4), 5.0 / 17);
        QCOMPARE(x.share(joined, 1), 1.0);
        QCOMPARE(x.share(joined, 17), 2.0 / 17);
        QVERIFY(x.s.feasible(0, 7) && !x.s.feasible(0, 8));
        QCOMPARE(x.s.fewest_from[0], q);
        QVERIFY(x.s.feasible(3, 1'000'000));  // behind both convolutions nothing is cut
    }

    void equal_parts_share_one_class() {
        Builder b;
        const int i = b.input({2, 2, 3}), p = b.conv(i, 8, 1), q = b.conv(i, 8, 1);
        const int joined = b.concat({p, q});
        b.concat({joined, p});
        const Split x(b);
        QCOMPARE(x.s.class_of[static_cast<std::size_t>(joined)], x.s.class_of[static_cast<std::size_t>(p)]);
        QCOMPARE(x.share(joined, 3), 3.0 / 8);
        QCOMPARE(x.s.class_of.back(), x.s.class_of[static_cast<std::size_t>(p)]);
    }

    void channelwise_layers_stay_split_and_move_nothing() {
        Builder b;
        int x0 = b.conv(b.input({4, 4, 3}), 8, 3);
        const int first = x0;
        for (const char* kind : {"batch_norm", "activation", "dropout"}) x0 = b.simple(kind, {x0});
        x0 = b.global_pool(b.upsample(b.pool(x0, 2, 2), 2));
        const int last = x0, fc = b.dense(x0, 4);
        const Split x(b);
        for (int l = first; l <= last; ++l) QVERIFY(x.divided(l));
        for (int l = first; l < last; ++l) QVERIFY(!x.gathered(l) && !x.scattered(l));
        QVERIFY(x.gathered(last) && x.scattered(last));
        QVERIFY(!x.gathered(fc) && !x.reduced(0));
        QVERIFY(!x.local(first) && x.local(first + 1) && !x.local(fc));
    }

    void mixing_layers_run_whole() {
        Builder b;
        const int c = b.conv(b.input({4, 4, 3}), 8, 3), lrn = b.lrn(c), act = b.activation(lrn), d = b.conv(act, 8, 3),
                  soft = b.softmax(d);
        const Split x(b);
        QVERIFY(x.gathered(c) && !x.scattered(c));  // its gradient is whole on every worker
        QVERIFY(!x.divided(lrn) && !x.divided(act) && !x.divided(soft));
        QVERIFY(x.reduced(act) && !x.reduced(lrn));
        QVERIFY(x.gathered(d) && !x.scattered(d));
    }

    void one_tensor_many_readers() {
        Builder b;
        const int c = b.conv(b.input({4, 4, 3}), 8, 3);
        b.conv(c, 8, 1);
        b.conv(c, 4, 3);
        b.lrn(c);
        b.activation(c);
        const auto network = b.make();
        Scenario s = support::scenario(network);
        support::divide(s.parallelism, support::Divided::outputs);
        s.cluster.workers = 2;
        const auto e = estimate(s);
        int gathers = 0, scatters = 0;
        for (const auto& m : e->messages)
            if (m.layers[0] == c) {
                gathers += m.message == Message::all_gather;
                scatters += m.message == Message::reduce_scatter;
                QCOMPARE(m.bytes.value, 4.0 * 8 * 2 * 128);  // 8 samples each
            }
        QCOMPARE(gathers, 1);
        QCOMPARE(scatters, 1);
    }

    void depthwise_follows_its_input() {
        Builder b;
        const int c = b.conv(b.input({4, 4, 3}), 6, 3), depth = b.conv(c, 12, 3, 1, 6), point = b.conv(depth, 8, 1);
        for (std::int64_t g : {2, 4, 5}) {  // whether they divide or not
            const Split x(b, g);
            QVERIFY(x.local(depth) && !x.gathered(c) && !x.scattered(c));
            QVERIFY(x.gathered(depth) && !x.local(point));
            QCOMPARE(x.share(depth, g), x.share(c, g));
        }
    }

    void groups_that_fit() {
        Builder b;
        const int c = b.conv(b.input({4, 4, 3}), 8, 3), grouped = b.conv(c, 12, 3, 1, 4);
        for (std::int64_t g : {2, 4}) {
            const Split x(b, g);
            QVERIFY(x.local(grouped) && !x.gathered(c));
        }
        const Split x(b, 3);
        QVERIFY(!x.local(grouped) && x.gathered(c) && x.scattered(c));
        Builder j;  // a concatenation is not dealt out in the groups' blocks
        const int i = j.input({4, 4, 3}), both = j.concat({j.conv(i, 4, 1), j.conv(i, 6, 1)});
        j.conv(both, 10, 1, 1, 2);
        const Split y(j, 2);
        QVERIFY(!y.local(both + 1) && y.gathered(both));
    }

    void sums() {
        Builder b;
        const int i = b.input({4, 4, 3}), p = b.conv(i, 8, 1), q = b.conv(i, 8, 3), sum = b.add({p, q});
        const int joined = b.concat({b.conv(i, 3, 1), b.conv(i, 5, 1)}), mixed = b.add({sum, joined}),
                  whole = b.lrn(mixed);
        const int slice = b.add({whole, p});
        const Split x(b);
        QVERIFY(x.divided(sum) && !x.gathered(p));
        QVERIFY(!x.divided(mixed) && x.gathered(sum) && x.gathered(joined) &&
                !x.scattered(sum));  // 8 and 3 + 5 do not match
        QVERIFY(x.divided(slice) &&
                x.reduced(whole));  // each takes its slice of the whole one, and has a slice of its gradient
    }

    void through_a_reshape() {
        Builder b;  // DCGAN's way, normalized after the reshape: cut along the image's channels
        const int fc = b.dense(b.input({10}), 64), image = b.reshape(fc, {2, 2, 16}), norm = b.batch_norm(image);
        const Split x(b);
        QVERIFY(x.divided(norm) && !x.gathered(fc));
        QCOMPARE(x.s.units[static_cast<std::size_t>(fc)], 16);
        QCOMPARE(x.share(fc, 3), 6.0 / 16);
        QVERIFY(!x.s.feasible(0, 17));
        Builder c;  // before it: nothing asks for that
        const int fc2 = c.batch_norm(c.dense(c.input({10}), 64));
        c.transposed(c.reshape(fc2, {2, 2, 16}), 8, 3, 2);
        const Split y(c);
        QCOMPARE(y.share(fc2, 3), 22.0 / 64);
        Builder d;  // spread over several channels in another way: gathered
        const int conv = d.conv(d.input({2, 2, 3}), 6, 1), odd = d.reshape(conv, {6, 4}), relu = d.activation(odd);
        const Split z(d);
        QVERIFY(!z.divided(relu) && z.gathered(conv));
        Builder f;  // a flattened image keeps its channels
        const int g = f.conv(f.input({2, 2, 3}), 6, 1), flat = f.flatten(g), act = f.activation(flat);
        const Split w(f);
        QVERIFY(w.divided(act) && !w.gathered(g));
        QCOMPARE(w.share(act, 4), 2.0 / 6);
    }

    // conv → activation → conv → both joined → dense
    void what_a_cut_changes() {
        Builder b;
        const int c = b.conv(b.input({4, 4, 3}), 8, 3), act = b.activation(c), d = b.conv(act, 4, 3),
                  joined = b.concat({act, d}), fc = b.dense(joined, 5);
        const Split x(b);
        QVERIFY(x.divided(act, 0) && x.divided(act, c) &&
                !x.divided(act, act));  // alone behind the cut its input is whole
        QVERIFY(x.divided(joined, act) && x.divided(joined, d) && !x.divided(joined, joined));
        QVERIFY(x.comes_in(c, act) && !x.comes_in(c, d) && x.comes_in(act, d) && x.comes_in(act, joined) &&
                !x.comes_in(act, fc));
        QVERIFY(!x.goes_back(c, act));  // the activation runs whole there: its gradient is whole
        QVERIFY(x.goes_back(act, d) && !x.goes_back(act, joined) && x.goes_back(joined, fc));
        QVERIFY(x.reduced(act, act) && !x.reduced(act, c) && x.gathered(act, c));
        QVERIFY(x.reduced(joined, joined) && x.gathered(joined, d) && x.scattered(joined, d));
        QVERIFY(!x.comes_in(0, 3));  // data are free
    }

    // Work summed over workers: what is divided counts once, what runs whole counts for everybody.
    void work_over_all_workers() {
        std::mt19937 random(7);
        for (int k = 0; k < 200; ++k) {
            const auto network = support::random_network(random, 20);
            support::Step step;
            step.workers = support::pick(random, 2, 6);
            step.samples.assign(static_cast<std::size_t>(step.workers), 2);
            const auto simulated = support::simulate_split(*network, step);
            if (!simulated.feasible) continue;
            const OutputStructure s = make_output_structure(*network);
            for (int l = 0; l < network->size(); ++l) {
                const auto i = static_cast<std::size_t>(l);
                const double one =
                    static_cast<double>(network->facts()[i].multiply_adds) * 2 * static_cast<double>(step.workers);
                double all = 0;
                for (double w : simulated.multiply_adds[i]) all += w;
                QVERIFY(std::abs(all - (s.divided_until[i] >= 0 ? one : one * static_cast<double>(step.workers))) <=
                        1e-9 * one);
                // the busiest worker times their number is no less, and no more than one unit each too many
                const double padded = s.busiest_share(s.class_of[i], step.workers) * static_cast<double>(step.workers);
                QVERIFY(padded >= 1 - 1e-12);
                // (a reshape to fewer channels has its tensor dealt out by those instead)
                const bool by_its_units = s.classes[static_cast<std::size_t>(s.class_of[i])].units == s.units[i];
                if (s.units[i] > 0 && by_its_units)
                    QVERIFY(padded < 1 + static_cast<double>(step.workers) / static_cast<double>(s.units[i]));
            }
        }
    }

    // DenseNet: hundreds of concatenations of concatenations; each tensor is gathered once, whoever reads it.
    void densenet() {
        Scenario s = support::scenario(support::preset("densenet-121"));
        support::divide(s.parallelism, support::Divided::outputs);
        s.cluster.workers = 8;
        const auto e = estimate(s);
        QVERIFY(e.has_value());
        std::map<std::pair<int, int>, int> seen;
        for (const auto& m : e->messages) QCOMPARE(++seen[std::pair(m.layers[0], static_cast<int>(m.message))], 1);
        const auto structure = make_output_structure(*s.network());
        QVERIFY(structure.classes.size() < 100);
    }
};

QTEST_APPLESS_MAIN(TestOutputs)
#include "tst_outputs.moc"
