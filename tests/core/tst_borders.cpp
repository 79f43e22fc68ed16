// SPDX-License-Identifier: GPL-3.0-or-later
// Borders between parts of the work: where they may stand, what moving one does, and where they run through a drawing.
#include <QtTest>

#include "core/drawing/borders.hpp"
#include "core/estimate/dividing.hpp"
#include "core/formats/scenario_json.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::drawing;
using support::Builder;

namespace {

std::vector<char> from(int position, std::size_t layers) {
    std::vector<char> behind(layers, 0);
    for (std::size_t l = static_cast<std::size_t>(position); l < layers; ++l) behind[l] = 1;
    return behind;
}
std::vector<char> all(std::size_t layers) { return std::vector<char>(layers, 1); }

/// A place of the line at x.
double height_at(const std::vector<drawing::Point>& line, double x) {
    for (std::size_t i = 1; i < line.size(); i += 2)
        if (x <= line[i].x) return line[i].y;
    return line.back().y;
}

/// An input, two branches of three layers side by side, their sum, and a dense layer. Branch by branch in the order.
std::shared_ptr<const Network> two_branches() {
    Builder b;
    const int in = b.input({8});
    const int left = b.dense(b.dense(b.dense(in, 8), 8), 8);
    const int right = b.dense(b.dense(b.dense(in, 8), 8), 8);
    b.dense(b.add({left, right}), 4);
    return b.make();
}

}  // namespace

class TestBorders : public QObject {
    Q_OBJECT

    /// The example's cluster and training, with another network.
    Scenario scenario(const char* network, support::Divided strategy, std::int64_t workers) {
        const formats::Library& library = support::library();
        const formats::Preset* preset = library.find_scenario("example");
        Scenario s = with_network(formats::read_scenario(preset->text, preset->file, library)->scenario,
                                  *library.network(network));
        support::divide(s.parallelism, strategy);
        s.cluster.workers = workers;
        return s;
    }

private slots:
    void between_the_rows_of_a_chain() {
        Builder b;
        b.dense(b.dense(b.dense(b.input({8}), 8), 8), 8);
        const auto network = b.make();
        const Hierarchy h = make_hierarchy(*network);
        const Drawing d = draw(*network, h, {}, {});
        QCOMPARE(d.boxes.size(), std::size_t{4});
        for (int cut = 1; cut < 4; ++cut) {
            const auto line = border_line(d, h, from(cut, 4), all(4));
            QCOMPARE(line.size(), std::size_t{2});
            QCOMPARE(line[0].y, d.boxes[std::size_t(cut)].at.y - 9);  // 9 above what is behind it
            QCOMPARE(line[1].y, line[0].y);
            QCOMPARE(line[0].x, -24.0);
            QCOMPARE(line[1].x, d.size.width + 24);
        }
        QCOMPARE(border_line(d, h, from(0, 4), all(4))[0].y, -9.0);
        QCOMPARE(border_line(d, h, from(4, 4), all(4))[0].y, d.size.height + 9);
    }

    void it_steps_between_branches() {
        const auto network = two_branches();
        const Hierarchy h = make_hierarchy(*network);
        const Drawing d = draw(*network, h, {}, {});
        const auto n = static_cast<std::size_t>(network->size());
        for (int cut = 0; cut <= network->size(); ++cut) {
            const auto line = border_line(d, h, from(cut, n), all(n));
            QVERIFY(line.size() % 2 == 0);
            for (std::size_t i = 2; i < line.size(); i += 2) QCOMPARE(line[i].x, line[i - 1].x);  // it steps straight
            for (const Box& box : d.boxes) {
                const bool behind = h.items[std::size_t(box.item)].layers.front() >= cut;
                for (double x : {box.at.x, box.at.x + box.size.width / 2, box.at.x + box.size.width}) {
                    const double y = height_at(line, x);
                    if (behind)
                        QVERIFY2(y < box.at.y, qPrintable(QString::number(cut)));
                    else
                        QVERIFY2(y > box.at.y + box.size.height, qPrintable(QString::number(cut)));
                }
            }
        }
        // Behind the left branch's second layer: below it at the left, above all of the right branch.
        QCOMPARE(border_line(d, h, from(3, n), all(n)).size(), std::size_t{4});
    }

    void through_a_folded_block() {
        Builder b;
        int x = b.input({8});
        for (int i = 0; i < 6; ++i) x = b.dense(x, 8);
        NetworkDraft draft = b.make()->draft();
        for (std::size_t l = 2; l < 6; ++l) draft.layers[l].name = "block/" + std::to_string(l);
        const auto network = *Network::make(std::move(draft));
        const Hierarchy h = make_hierarchy(*network);
        const Drawing d = draw(*network, h, {}, {});
        QCOMPARE(d.boxes.size(), std::size_t{4});
        const Box& block = d.boxes[2];
        const auto at = [&](int cut, const std::vector<char>& counts) {
            return border_line(d, h, from(cut, 7), counts)[0].y;
        };
        QCOMPARE(at(2, all(7)), block.at.y - 9);
        QCOMPARE(at(3, all(7)), block.at.y + block.size.height / 4);
        QCOMPARE(at(5, all(7)), block.at.y + block.size.height * 3 / 4);
        QVERIFY(at(6, all(7)) > block.at.y + block.size.height);
        // A first layer that does nothing divides no block.
        std::vector<char> counts = all(7);
        counts[2] = 0;
        QCOMPARE(at(3, counts), block.at.y - 9);
    }

    /// Boxes that are drawn by hand, each of the layers said.
    void heights_by_hand() {
        Hierarchy h;
        Drawing d;
        d.size = {240, 100};
        const auto box = [&](drawing::Point at, double height, std::vector<int> layers) {
            drawing::Item item;
            item.layers = std::move(layers);
            h.items.push_back(item);
            Box b;
            b.item = int(h.items.size()) - 1, b.at = at, b.size = {100, height};
            d.boxes.push_back(b);
        };
        const auto fresh = [&] { h.items.clear(), d.boxes.clear(); };
        using Line = std::vector<drawing::Point>;
        // 8 between the boxes: their middle, as 9 above the lower one would be in the other.
        box({0, 0}, 22, {0});
        box({0, 30}, 22, {1});
        QCOMPARE(border_line(d, h, from(1, 2), all(2)), (Line{{-24, 26}, {264, 26}}));
        // The one in front stands below the one behind: above the latter.
        fresh();
        box({0, 100}, 22, {0});
        box({0, 40}, 22, {1});
        QCOMPARE(border_line(d, h, from(1, 2), all(2))[0].y, 31.0);
        // Through a block, but not on its edges: 3 from them rather than a tenth of 20.
        fresh();
        box({0, 50}, 20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        QCOMPARE(border_line(d, h, from(1, 10), all(10))[0].y, 53.0);
        QCOMPARE(border_line(d, h, from(9, 10), all(10))[0].y, 67.0);
        // Where none of its layers counts, the first says on which side the block is.
        const std::vector<char> none(10, 0);
        QCOMPARE(border_line(d, h, from(1, 10), none)[0].y, 79.0);
        QCOMPARE(border_line(d, h, from(0, 10), none)[0].y, 41.0);
        // Side by side: it steps in the middle between them.
        fresh();
        box({0, 0}, 22, {0});
        box({140, 0}, 22, {1});
        QCOMPARE(border_line(d, h, from(1, 2), all(2)), (Line{{-24, 31}, {120, 31}, {120, -9}, {264, -9}}));
        // A little above each box, and below the lowest.
        const std::vector<int> every{0, 1, 2};
        const auto places = notches(d, h, every, 2);
        QCOMPARE(places.size(), std::size_t{3});
        QCOMPARE(places[0].y, -9.0);
        QCOMPARE(places[2].y, 31.0);
    }

    void the_nearest_by_hand() {
        // Over a wide one, nothing is nearer than right above it; the first of two as near.
        const std::vector<Notch> places{{1, 0, 1000, 100}, {2, 450, 550, 102}, {3, 450, 550, 104}};
        QCOMPARE(nearest(places, {500, 103})->position, 2);
        QCOMPARE(nearest(places, {500, 90})->position, 1);
        QCOMPARE(nearest(places, {560, 104})->position, 3);  // 10 beside are as far as 1 above
    }

    void a_hand_lands_between_boxes() {
        const auto network = two_branches();
        const Hierarchy h = make_hierarchy(*network);
        const Drawing d = draw(*network, h, {}, {});
        const std::vector<int> allowed{1, 2, 3, 4, 5, 7, 8, 9};  // not 0 and 6
        const auto places = notches(d, h, allowed, network->size());
        QCOMPARE(places.size(), allowed.size());
        for (const Box& box : d.boxes) {
            const int position = h.items[std::size_t(box.item)].layers.front();
            const Notch* n = nearest(places, {box.at.x + box.size.width / 2, box.at.y - 5});
            QVERIFY(n);
            if (std::binary_search(allowed.begin(), allowed.end(), position)) QCOMPARE(n->position, position);
            QVERIFY(std::binary_search(allowed.begin(), allowed.end(), n->position));
        }
        QCOMPARE(nearest(places, {d.size.width / 2, d.size.height + 400})->position, 9);
        // From the margin, the row counts.
        QCOMPARE(nearest(places, {-300, d.boxes[8].at.y})->position, 8);
        QVERIFY(nearest({}, {0, 0}) == nullptr);
    }

    void labels_keep_off_each_other() {
        QCOMPARE(spread(std::vector<double>{0, 4, 8, 100}, 20), (std::vector<double>{-16, 4, 24, 100}));
        QVERIFY(spread({}, 20).empty());
    }

    void the_cut_stands_where_it_may() {
        Scenario s = scenario("alexnet-one-tower", support::Divided::hybrid, 8);
        const auto plan = prepare(s);
        const auto e = estimate(s);
        QVERIFY(plan.has_value() && e.has_value());
        Dividing d = dividing_of(s, *plan, &*e);
        QVERIFY(d.automatic);
        QCOMPARE(d.borders.size(), std::size_t{1});
        QCOMPARE(d.borders[0].at, e->summary.cut);
        QCOMPARE(d.borders[0].allowed, plan->parts[0].cuts);  // eight workers share every layer
        for (int l = 0; l < s.network()->size(); ++l) {       // those before which it may stand count
            const std::vector<int>& cuts = plan->parts[0].cuts;
            QCOMPARE(d.counts[std::size_t(l)] != 0, std::binary_search(cuts.begin(), cuts.end(), l));
        }
        QVERIFY(std::abs(d.share(0) + d.share(1) - 1) < 1e-12);
        double front = 0;
        for (const LayerEstimate& l : e->layers)
            if (l.position < e->summary.cut) front += (l.forward + l.backward() + l.update).value;
        QCOMPARE(d.times[0].value, front);
        // Every place it may stand is priced; where it may not is refused.
        const Network& network = *s.network();
        Scratch scratch = make_scratch(*plan);
        for (const std::int64_t workers : {2, 8, 200, 1024}) {
            s.cluster.workers = workers;
            const Plan p = *prepare(s);
            d = dividing_of(s, p, nullptr);
            QVERIFY(d.borders.empty());  // nobody knows yet where the best one is
            const auto best = estimate(s);
            d = dividing_of(s, p, &*best);
            for (int at = 0; at <= network.size(); ++at) {
                const bool may = std::binary_search(d.borders[0].allowed.begin(), d.borders[0].allowed.end(), at);
                const bool does = std::binary_search(p.parts[0].cuts.begin(), p.parts[0].cuts.end(), at);
                const Scenario there = with_border(s, d, 0, at);
                QVERIFY(!there.parallelism.cut_auto);
                const auto priced = estimate(there);
                if (does) QCOMPARE(priced.has_value(), may);
                if (!priced) continue;
                QCOMPARE(priced->summary.cut, at);
                const Dividing fixed = dividing_of(there, *prepare(there), nullptr);
                QVERIFY(!fixed.automatic);
                QCOMPARE(fixed.borders[0].at, at);
                QCOMPARE(fixed.borders[0].allowed, d.borders[0].allowed);
                QVERIFY(fixed.times.empty());
            }
        }
    }

    void stages_keep_a_layer() {
        Scenario s = scenario("alexnet-one-tower", support::Divided::layers, 4);
        const Plan plan = *prepare(s);
        const Estimate e = *estimate(s);
        Dividing d = dividing_of(s, plan, &e);
        QVERIFY(d.automatic);
        QCOMPARE(d.borders.size(), std::size_t{3});
        QCOMPARE(d.times.size(), std::size_t{4});
        double shares = 0;
        for (std::size_t i = 0; i < 4; ++i) shares += d.share(i);
        QVERIFY(std::abs(shares - 1) < 1e-12);
        QCOMPARE(d.borders[0].allowed.front(), 1);
        QCOMPARE(d.borders[0].allowed.back(), d.borders[1].at - 1);
        QCOMPARE(d.borders[1].allowed.front(), d.borders[0].at + 1);
        QCOMPARE(d.borders[2].allowed.back(), s.network()->size() - 1);
        for (std::size_t b = 0; b < 3; ++b)
            for (int at : d.borders[b].allowed) {
                const Scenario moved = with_border(s, d, b, at);
                const auto priced = estimate(moved);
                QVERIFY(priced.has_value());
                const Dividing now = dividing_of(moved, *prepare(moved), &*priced);
                QVERIFY(!now.automatic);
                for (std::size_t k = 0; k < 3; ++k) QCOMPARE(now.borders[k].at, k == b ? at : d.borders[k].at);
            }
        // Without an answer a given division is known all the same; the balanced one comes back.
        const Scenario moved = with_border(s, d, 1, d.borders[1].allowed.front());
        QCOMPARE(dividing_of(moved, plan, nullptr).borders.size(), std::size_t{3});
        QVERIFY(with_automatic_borders(moved) == s);
        // One for another number of workers, or in another order, is none.
        Scenario more = moved, mixed = moved;
        more.cluster.workers = 5;
        std::swap(mixed.parallelism.boundaries[0], mixed.parallelism.boundaries[1]);
        for (const Scenario& other : {more, mixed}) {
            const Dividing none = dividing_of(other, plan, nullptr);
            QVERIFY(none.automatic && none.borders.empty());
        }
    }

    void others_have_no_border() {
        for (const support::Divided strategy : {support::Divided::data, support::Divided::outputs}) {
            const Scenario s = scenario("alexnet-one-tower", strategy, 4);
            const auto e = estimate(s);
            QVERIFY(dividing_of(s, *prepare(s), &*e).borders.empty());
        }
        const Scenario s = scenario("alexnet-one-tower", support::Divided::hybrid, 1);
        const auto e = estimate(s);
        QVERIFY(dividing_of(s, *prepare(s), &*e).borders.empty());
    }

    void shares_of_outputs() {
        Scenario s = scenario("alexnet-one-tower", support::Divided::hybrid, 8);
        s.parallelism.cut_auto = false;
        const Network& network = *s.network();
        const int fc6 = *network.position("fc6"), conv5 = *network.position("conv5");
        s.parallelism.cut = network.layers()[std::size_t(fc6)].id;
        const auto shares = output_shares(*prepare(s), *estimate(s), 0);
        QVERIFY(!shares[std::size_t(conv5)]);
        const auto& six = shares[std::size_t(fc6)];
        QVERIFY(six && six->divided);
        QCOMPARE(six->share, 512.0 / 4096);
        QCOMPARE(six->units, std::int64_t{4096});
        QCOMPARE(six->own, std::int64_t{512});
        s.cluster.workers = 3;  // 4,096 units: 1,366 on the busiest
        QCOMPARE(output_shares(*prepare(s), *estimate(s), 0)[std::size_t(fc6)]->share, 1366.0 / 4096);
        QCOMPARE(output_shares(*prepare(s), *estimate(s), 0)[std::size_t(fc6)]->own, std::int64_t{1366});
        int whole = 0;
        support::divide(s.parallelism, support::Divided::outputs);
        const Estimate e = *estimate(s);
        for (const auto& share : output_shares(*prepare(s), e, 0)) whole += share && !share->divided;
        QVERIFY(whole >= 1);  // the loss mixes its classes
        for (const LayerEstimate& l : e.layers)
            if (const auto share = output_shares(*prepare(s), e, 0)[std::size_t(l.position)]; share && !share->divided)
                QCOMPARE(l.shares.outputs, 1.0);
        support::divide(s.parallelism, support::Divided::data);
        for (const auto& share : output_shares(*prepare(s), *estimate(s), 0)) QVERIFY(!share);
    }
};

QTEST_APPLESS_MAIN(TestBorders)
#include "tst_borders.moc"
