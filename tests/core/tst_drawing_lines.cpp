// SPDX-License-Identifier: GPL-3.0-or-later
// How lines of a drawn network run: chains straight, around every box, words on nothing; and what an edit leaves alone.
#include <QtTest>
#include <algorithm>
#include <random>

#include "core/drawing/drawing.hpp"
#include "core/network/editing/edit.hpp"
#include "sanitized.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::drawing;
using support::Builder;

namespace {

constexpr double eps = 1e-6;

std::set<std::string> everything(const Hierarchy& h) { return open_at_first(h, 1 << 30); }

struct Area {
    double left, top, right, bottom;
    bool meets(const Area& o) const {
        return left < o.right - eps && o.left < right - eps && top < o.bottom - eps && o.top < bottom - eps;
    }
};

Area of(const Box& b) { return {b.at.x, b.at.y, b.at.x + b.size.width, b.at.y + b.size.height}; }
/// A piece of a line, with the room its ink takes.
Area of(drawing::Point a, drawing::Point b) {
    constexpr double ink = 0.5;
    return {std::min(a.x, b.x) - ink, std::min(a.y, b.y), std::max(a.x, b.x) + ink, std::max(a.y, b.y)};
}
Area label_of(const Wire& w) {
    const auto letters = QString::fromStdString(w.label).size();
    return {w.label_at.x, w.label_at.y, w.label_at.x + Metrics{}.letter * double(letters), w.label_at.y + 14};
}

QString name(const Hierarchy& h, const Drawing& d, int box) {
    return box < 0 ? "border" : QString::fromStdString(h.items[std::size_t(d.boxes[std::size_t(box)].item)].path);
}

/// Blocks that need each other cannot both stand above the other; such a line is drawn straight.
bool down(const Wire& w) {
    if (w.from >= 0 && w.to >= 0 && w.from > w.to) return false;
    for (std::size_t i = 1; i < w.bends.size(); ++i)
        if (w.bends[i].y < w.bends[i - 1].y - eps) return false;
    return true;
}

/// The place across of a line at a height, where it is upright there or ends there.
std::optional<double> across(const Wire& w, double y) {
    for (std::size_t i = 1; i < w.bends.size(); ++i) {
        const auto &a = w.bends[i - 1], &b = w.bends[i];
        if (y < a.y - eps || y > b.y + eps) continue;
        if (std::abs(a.x - b.x) < eps || std::abs(y - a.y) < eps) return a.x;
        if (std::abs(y - b.y) < eps) return b.x;
    }
    return std::nullopt;
}

/// Lines that lead down and their words; the first thing that is wrong with them, or nothing.
QString fault(const Hierarchy& h, const Drawing& d) {
    for (const Wire& w : d.wires) {
        if (!down(w)) continue;
        const QString ends = name(h, d, w.from) + " to " + name(h, d, w.to);
        for (std::size_t i = 1; i < w.bends.size(); ++i)
            for (std::size_t b = 0; b < d.boxes.size(); ++b)
                if (d.boxes[b].parent == w.parent && of(w.bends[i - 1], w.bends[i]).meets(of(d.boxes[b])))
                    return ends + " runs over " + name(h, d, int(b));
        if (w.label.empty()) continue;
        const Area words = label_of(w);
        for (std::size_t b = 0; b < d.boxes.size(); ++b)
            if (!d.boxes[b].open && words.meets(of(d.boxes[b]))) return ends + ": words on " + name(h, d, int(b));
        if (w.parent >= 0 && words.right > of(d.boxes[std::size_t(w.parent)]).right)
            return ends + ": words out of the block";
        for (const Wire& o : d.wires) {
            if (&o != &w && !o.label.empty() && words.meets(label_of(o))) return ends + ": words on words";
            if (!down(o)) continue;
            for (std::size_t i = 1; i < o.bends.size(); ++i)
                if (words.meets(of(o.bends[i - 1], o.bends[i])))
                    return ends + ": words on " + name(h, d, o.from) + " to " + name(h, d, o.to);
        }
    }
    return {};
}

/// Chains that are not straight, and are not crossed by anything that would explain it.
QString crooked(const Hierarchy& h, const Drawing& d) {
    std::map<std::pair<int, int>, int> out, in;  // by parent (for borders) and box
    for (const Wire& w : d.wires) ++out[{w.parent, w.from}], ++in[{w.parent, w.to}];
    for (const Wire& w : d.wires) {
        if (out[{w.parent, w.from}] != 1 || in[{w.parent, w.to}] != 1 || !down(w)) continue;
        if (w.to == Wire::border) continue;  // a block is left where it is entered
        for (std::size_t i = 1; i < w.bends.size(); ++i) {
            const auto &a = w.bends[i - 1], &b = w.bends[i];
            if (std::abs(a.x - b.x) < 0.5) continue;
            const bool crossed = std::any_of(d.wires.begin(), d.wires.end(), [&](const Wire& o) {
                const auto above = across(o, a.y), below = across(o, b.y);
                return &o != &w && o.parent == w.parent && above && below && (*above - a.x) * (*below - b.x) < 0;
            });
            if (!crossed) return name(h, d, w.from) + " to " + name(h, d, w.to) + " bends";
        }
    }
    return {};
}

/// Names at random, so that blocks may be torn apart and read each other both ways.
std::shared_ptr<const Network> with_random_names(std::mt19937& random, const Network& network) {
    NetworkDraft draft = network.draft();
    for (std::size_t l = 0; l < draft.layers.size(); ++l) {
        std::string path;
        for (auto depth = support::pick(random, 0, 2); depth > 0; --depth)
            path += std::string(1, char('a' + support::pick(random, 0, 2))) + '/';
        draft.layers[l].name = path + "l" + std::to_string(l);
    }
    return *Network::make(std::move(draft));
}

const Box& box(const Hierarchy& h, const Drawing& d, const std::string& path) {
    const int item = h.find(path);
    return *std::find_if(d.boxes.begin(), d.boxes.end(), [&](const Box& b) { return b.item == item; });
}

double middle(const Box& b) { return b.at.x + b.size.width / 2; }

}  // namespace

class TestDrawingLines : public QObject {
    Q_OBJECT

private slots:
    void four_branches_and_their_join_by_hand() {
        // 100 wide, 20 apart; the second branch has two nodes more.
        const Size box{100, 40};
        std::vector<Node> nodes(8, box);
        nodes[7].gathers = true;
        const std::vector<Edge> edges{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 7}, {2, 5}, {5, 6}, {6, 7}, {3, 7}, {4, 7}};
        const drawing::Placement p = place_in_layers(nodes, edges, {20, 30, 10});
        for (int i = 0; i < 4; ++i) QVERIFY(std::abs(p.centre(std::size_t(1 + i)).x - (50 + 120 * i)) < 0.5);
        for (std::size_t n : {5u, 6u}) QVERIFY(std::abs(p.centre(n).x - p.centre(2).x) < eps);
        for (std::size_t n : {0u, 7u}) QVERIFY(std::abs(p.centre(n).x - 230) < 0.5);
        QVERIFY(std::abs(p.sizes[7].width - 460) < 1);  // from the left edge of the first to the right one of the last
        for (std::size_t e : {4u, 7u, 8u, 9u}) QCOMPARE(p.bends[e].size(), std::size_t{2});  // straight down
    }

    void a_skip_decides_nothing() {
        // 0 → 1 → 2 → 3 and 0 → 3: the trunk stays straight, the sum reaches out for the skip, at its right edge.
        std::vector<Node> nodes(4, Size{100, 40});
        nodes[3].gathers = true;
        const std::vector<Edge> edges{{0, 1}, {0, 3}, {1, 2}, {2, 3}};
        const drawing::Placement p = place_in_layers(nodes, edges, {20, 30, 10});
        const double trunk = p.centre(0).x;
        QCOMPARE(p.centre(1).x, trunk);
        QCOMPARE(p.centre(2).x, trunk);
        QCOMPARE(p.corners[3].x + p.outs[3], trunk);
        QCOMPARE(p.bends[3].size(), std::size_t{2});
        const double lane = p.bends[1].back().x;
        QVERIFY(lane > trunk + 50 && lane < p.corners[3].x + p.sizes[3].width);
        QCOMPARE(p.corners[3].x, p.corners[2].x);
    }

    void of_two_branches_the_longer_is_the_trunk() {
        std::vector<Node> nodes(5, Size{100, 40});
        nodes[4].gathers = true;
        const std::vector<Edge> edges{{0, 1}, {0, 2}, {2, 3}, {1, 4}, {3, 4}};  // 0 → 1 → 4 and 0 → 2 → 3 → 4
        const drawing::Placement p = place_in_layers(nodes, edges, {20, 30, 10});
        for (std::size_t n : {2u, 3u}) QCOMPARE(p.centre(n).x, p.centre(0).x);
        QCOMPARE(p.corners[4].x + p.outs[4], p.centre(0).x);
        for (const auto& line : p.bends) QVERIFY(line.size() == 2 || &line == &p.bends[0]);
    }

    void words_keep_a_lane_away() {
        std::vector<Node> nodes(3, Size{100, 40});
        nodes[0].label = 200;
        const std::vector<Edge> edges{{0, 2}, {1, 2}};
        const drawing::Placement p = place_in_layers(nodes, edges, {});
        QVERIFY(p.corners[1].x >= p.centre(0).x + label_gap + 200);
        nodes[1].label = 200;
        const drawing::Placement q = place_in_layers(nodes, edges, {});
        QVERIFY(q.size.width >= q.centre(1).x + label_gap + 200);
    }

    void a_block_is_entered_and_left_in_one_line() {
        const auto network = support::preset("inception-v3");
        const Hierarchy h = make_hierarchy(*network);
        const Drawing d = draw(*network, h, {"Mixed_5b"}, {});
        const Box& block = box(h, d, "Mixed_5b");
        double entered = -1, left = -1;
        for (const Wire& w : d.wires) {
            if (w.to >= 0 && &d.boxes[std::size_t(w.to)] == &block) entered = w.bends.back().x;
            if (w.from >= 0 && &d.boxes[std::size_t(w.from)] == &block) left = w.bends.front().x;
        }
        for (const Wire& w : d.wires) {
            if (w.parent < 0) continue;
            if (w.from == Wire::border) QCOMPARE(w.bends.front().x, entered);
            if (w.to == Wire::border) QCOMPARE(w.bends.back().x, left);
        }
        QCOMPARE(left, block.at.x + block.out);
        // Four branches, each a straight column down to the concatenation, which spans them.
        const Box& join = box(h, d, "Mixed_5b/concat");
        QVERIFY(join.size.width >= 4 * 150 + 3 * 24);
        int arrive = 0;
        for (const Wire& w : d.wires)
            if (w.to >= 0 && &d.boxes[std::size_t(w.to)] == &join) {
                ++arrive;
                QVERIFY(std::abs(w.bends.front().x - w.bends.back().x) < 0.5);
            }
        QCOMPARE(arrive, 4);
        for (const char* branch : {"branch5x5_", "branch3x3dbl_"}) {
            const auto first = std::string("Mixed_5b/") + branch + "1",
                       second = std::string("Mixed_5b/") + branch + "2";
            QVERIFY(std::abs(middle(box(h, d, first)) - middle(box(h, d, second))) < eps);
        }
    }

    /// Of blocks in a row each stands right below the one before, even if their inner lines end elsewhere.
    void a_row_is_no_flight_of_stairs() {
        Builder b;
        int x = b.dense(b.input({64}), 64);
        for (int i = 0; i < 12; ++i) {  // the middle one of three branches is not the longest
            const int norm = b.batch_norm(x), one = b.dense(b.activation(b.dense(norm, 64)), 64);
            x = b.add({b.add({one, b.dense(norm, 64)}), b.dense(norm, 64)});
        }
        NetworkDraft draft = b.make()->draft();
        for (std::size_t l = 2; l < draft.layers.size(); ++l)
            draft.layers[l].name = "h" + std::to_string((l - 2) / 8) + "/" + std::to_string((l - 2) % 8);
        const auto network = *Network::make(std::move(draft));
        const Hierarchy h = make_hierarchy(*network);
        const Drawing d = draw(*network, h, everything(h), {});
        QVERIFY(fault(h, d).isEmpty());
        QCOMPARE(box(h, d, "h0").at.x, box(h, d, "h11").at.x);
        QVERIFY(d.size.width <= box(h, d, "h0").size.width + 4 * Metrics{}.padding);
    }

    void presets_have_straight_chains_and_free_words() {
        for (const auto& [id, network] : support::preset_networks()) {
            const Hierarchy h = make_hierarchy(*network);
            for (const auto& open : {std::set<std::string>{}, everything(h)}) {
                const Drawing d = draw(*network, h, open, {});
                const QString wrong = fault(h, d) + crooked(h, d);
                QVERIFY2(wrong.isEmpty(), qPrintable(QString::fromStdString(id) + ": " + wrong));
            }
        }
    }

    void so_has_any_network_in_any_fold() {
        std::mt19937 random(11);
        for (int k = 0; k < (support::sanitized ? 120 : 400); ++k) {
            const auto plain = support::random_network(random, int(support::pick(random, 2, 40)));
            const auto network = k % 4 == 0 ? plain : with_random_names(random, *plain);
            const Hierarchy h = make_hierarchy(*network);
            std::set<std::string> open;
            for (const drawing::Item& i : h.items)
                if (!i.is_layer() && support::pick(random, 0, 2) > 0) open.insert(i.path);
            const Drawing d = draw(*network, h, open, {});
            const QString wrong = fault(h, d) + crooked(h, d);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("case %1: ").arg(k) + wrong));
        }
    }

    /// Boxes of one row keep their order when a layer comes in somewhere.
    void a_small_edit_leaves_the_rest_where_it_was() {
        std::mt19937 random(3);
        for (const bool into_a_line : {true, false}) {
            int pairs = 0, swapped = 0;
            for (const char* id : {"inception-v3", "resnet-50", "densenet-121", "inception-v1"}) {
                const auto network = support::preset(id);
                const Hierarchy h = make_hierarchy(*network);
                const Drawing before = draw(*network, h, everything(h), {});
                for (int k = 0; k < 10; ++k) {
                    const NetworkDraft draft = network->draft();
                    const std::vector<LayerId> source{support::choose(random, draft.layers).id};
                    const auto edit =
                        editing::insert_behind(draft, *find_kind("dropout"), source,
                                               into_a_line ? editing::Readers::follow : editing::Readers::stay);
                    QVERIFY(edit);
                    const Sketch sketch(edit->draft);
                    const Hierarchy g = make_hierarchy(sketch);
                    const Drawing after = draw(sketch, g, everything(g), {});
                    std::map<std::string, const Box*> there;
                    for (const Box& b : after.boxes) there[g.items[std::size_t(b.item)].path] = &b;
                    const auto at = [&](const Box& b) {
                        const auto found = there.find(h.items[std::size_t(b.item)].path);
                        return found == there.end() ? nullptr : found->second;
                    };
                    for (const Box& a : before.boxes)
                        for (const Box& b : before.boxes) {
                            if (a.parent != b.parent || a.at.x >= b.at.x || a.at.y != b.at.y) continue;
                            const Box *p = at(a), *q = at(b);
                            if (!p || !q) continue;
                            ++pairs;
                            swapped += p->at.x >= q->at.x;
                        }
                }
            }
            QVERIFY(pairs > 1000);
            // A new branch, which nothing reads, may make its neighbours change places.
            if (into_a_line)
                QCOMPARE(swapped, 0);
            else
                QVERIFY2(200 * swapped <= pairs, qPrintable(QString("%1 of %2").arg(swapped).arg(pairs)));
        }
    }
};

QTEST_APPLESS_MAIN(TestDrawingLines)
#include "tst_drawing_lines.moc"
