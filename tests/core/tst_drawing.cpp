// SPDX-License-Identifier: GPL-3.0-or-later
// Where a network's layers stand when it is drawn: nothing overlaps, lines lead down, blocks hold what is theirs.
#include <QtTest>
#include <random>

#include "core/drawing/drawing.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::drawing;
using support::Builder;

namespace {

constexpr double eps = 1e-6;

std::set<std::string> everything(const Hierarchy& h) { return open_at_first(h, 1 << 30); }

bool within(const Box& inner, const Box& outer) {
    return inner.at.x >= outer.at.x - eps && inner.at.y >= outer.at.y - eps &&
           inner.at.x + inner.size.width <= outer.at.x + outer.size.width + eps &&
           inner.at.y + inner.size.height <= outer.at.y + outer.size.height + eps;
}

bool apart(const Box& a, const Box& b) {
    return a.at.x + a.size.width <= b.at.x + eps || b.at.x + b.size.width <= a.at.x + eps ||
           a.at.y + a.size.height <= b.at.y + eps || b.at.y + b.size.height <= a.at.y + eps;
}

/// What holds for every drawing; the first thing that does not, or nothing.
QString fault(const Network& network, const Hierarchy& h, const Drawing& d) {
    std::vector<int> shown(std::size_t(network.size()), 0);
    for (std::size_t i = 0; i < d.boxes.size(); ++i) {
        const Box& b = d.boxes[i];
        const drawing::Item& item = h.items[std::size_t(b.item)];
        const QString name = QString::fromStdString(item.path);
        const Box page{0, -1, true, {}, d.size};
        if (!within(b, b.parent < 0 ? page : d.boxes[std::size_t(b.parent)])) return name + " stands out of its block";
        if (!b.open)
            for (int l : item.layers) ++shown[std::size_t(l)];
        for (std::size_t k = 0; k < i; ++k)
            if (d.boxes[k].parent == b.parent && !apart(d.boxes[k], b))
                return name + " lies on " + QString::fromStdString(h.items[std::size_t(d.boxes[k].item)].path);
    }
    for (int count : shown)
        if (count != 1) return QString("a layer is shown %1 times").arg(count);
    for (const Wire& w : d.wires) {
        if (w.bends.size() < 2 || w.tensors.empty()) return "a line without ends or tensors";
        for (std::size_t p = 1; p < w.bends.size(); ++p)
            if (w.bends[p].y < w.bends[p - 1].y - eps) return "a line leads up";
        if (w.from >= 0) {
            const Box& b = d.boxes[std::size_t(w.from)];
            if (std::abs(w.bends.front().y - b.at.y - b.size.height) > eps) return "a line begins in the air";
        }
        if (w.to >= 0 && std::abs(w.bends.back().y - d.boxes[std::size_t(w.to)].at.y) > eps)
            return "a line ends in the air";
    }
    return {};
}

/// Blocks called "h0" … of a norm, a branch and a sum, between a stem and a head.
std::shared_ptr<const Network> transformer_like(int blocks) {
    Builder b;
    int x = b.dense(b.input({64}), 64);
    for (int i = 0; i < blocks; ++i) x = b.add({x, b.dense(b.activation(b.dense(b.batch_norm(x), 256)), 64)});
    b.softmax(b.dense(x, 10));
    NetworkDraft draft = b.make()->draft();
    for (std::size_t l = 2; l < 2 + 5 * std::size_t(blocks); ++l)
        draft.layers[l].name = "h" + std::to_string((l - 2) / 5) + "/" + std::to_string((l - 2) % 5);
    return *Network::make(std::move(draft));
}

}  // namespace

class TestDrawing : public QObject {
    Q_OBJECT

private slots:
    void nearest_places_that_keep_apart() {
        std::vector<double> x;
        keep_apart(std::vector<double>{0, 10, 20}, std::vector<double>{1, 1, 1}, std::vector<double>{5, 5}, x);
        QCOMPARE(x, (std::vector<double>{0, 10, 20}));  // nothing in the way
        keep_apart(std::vector<double>{0, 0, 0}, std::vector<double>{1, 1, 1}, std::vector<double>{5, 5}, x);
        QCOMPARE(x, (std::vector<double>{-5, 0, 5}));
        keep_apart(std::vector<double>{3, 0}, std::vector<double>{3, 1}, std::vector<double>{5}, x);
        QCOMPARE(x, (std::vector<double>{1, 6}));  // 3·(x−3)² + (x+5)² is least at 1
    }

    void a_chain_and_a_diamond_by_hand() {
        const std::vector<Node> boxes(4, Size{100, 40});
        const Gaps gaps{20, 30, 10};
        const std::vector<Edge> chain{{0, 1}, {1, 2}, {2, 3}};
        drawing::Placement p = place_in_layers(boxes, chain, gaps);
        QCOMPARE(p.size, (Size{100, 4 * 40 + 3 * 30}));
        for (int i = 0; i < 4; ++i) QCOMPARE(p.centre(std::size_t(i)), (drawing::Point{50, 20.0 + 70 * i}));
        const std::vector<Edge> diamond{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}};
        p = place_in_layers(boxes, diamond, gaps);
        QCOMPARE(p.centre(0).x, p.centre(3).x);
        QCOMPARE(p.centre(1).y, p.centre(2).y);
        QVERIFY(p.centre(1).x < p.centre(2).x);  // what comes first stays left
        // From 0 past the middle to 3, upright in its own lane.
        const auto& line = p.bends[4];
        const auto upright = [&](double y) {
            for (std::size_t i = 1; i < line.size(); ++i)
                if (line[i - 1].y <= y && y <= line[i].y)
                    return std::abs(line[i - 1].x - line[i].x) < eps ? line[i].x : std::nan("");
            return std::nan("");
        };
        const double lane = upright(p.centre(1).y);
        QVERIFY(std::abs(lane - p.centre(1).x) >= 50 && std::abs(lane - p.centre(2).x) >= 50);
        QCOMPARE(upright(p.corners[1].y), lane);
        QCOMPARE(upright(p.corners[1].y + 40), lane);
    }

    void crossings_are_undone() {
        // Two pairs that are joined crosswise: their order in the lower layer has to change.
        const std::vector<Node> boxes(4, Size{10, 10});
        const drawing::Placement p = place_in_layers(boxes, std::vector<Edge>{{0, 3}, {1, 2}}, {});
        QVERIFY((p.centre(0).x < p.centre(1).x) == (p.centre(3).x < p.centre(2).x));
    }

    void blocks_and_rows() {
        const auto network = transformer_like(96);
        const Hierarchy h = make_hierarchy(*network);
        QCOMPARE(h.top.size(), std::size_t{5});
        const drawing::Item& row = h.items[std::size_t(h.top[2])];
        QCOMPARE(row.title, std::string("h0 … h95"));
        QCOMPARE(row.repeat, 96);
        QCOMPARE(row.layers.size(), std::size_t{480});
        const Drawing folded = draw(*network, h, {}, {});
        QCOMPARE(folded.boxes.size(), std::size_t{5});
        QCOMPARE(fault(*network, h, folded), QString());
        const Drawing unfolded = draw(*network, h, {row.path, "h7"}, {});
        QCOMPARE(unfolded.boxes.size(), std::size_t{5 + 96 + 5});
        QCOMPARE(fault(*network, h, unfolded), QString());
        QCOMPARE(h.items[std::size_t(h.find("h7"))].children.size(), std::size_t{5});
        QCOMPARE(draw(*network, h, {"h7"}, {}).boxes.size(), std::size_t{5});  // inside a folded row
    }

    void all_of_it_or_what_can_be_read() {
        QVERIFY(fits_corner({200, 100}, {800, 600}));
        QVERIFY(!fits_corner({200, 100}, {480, 600}));  // wide, of a narrow view
        QVERIFY(!fits_corner({100, 100}, {800, 240}));  // high, of a low one
        QVERIFY(!fits_corner({200, 100}, {500, 390}));  // more than a tenth of the whole
        QVERIFY(fits_corner({200, 100}, {500, 400}));   // a tenth of the whole, two fifths of a side
        QVERIFY(fits_corner({60, 160}, {600, 400}));
        QCOMPARE(fit_into({200, 100}, {800, 600}).zoom, 1.0);  // never larger than it is
        QCOMPARE(fit_into({1600, 100}, {800, 600}).zoom, 0.5);
        QCOMPARE(fit_into({200, 3000}, {800, 600}).zoom, 0.2);
        QVERIFY(fit_into({200, 4000}, {800, 600}).whole);
        QVERIFY(!fit_into({200, 4100}, {800, 600}).whole);
        const Fit long_one = fit_into({200, 40000}, {800, 600});
        QVERIFY(!long_one.whole);
        QCOMPARE(long_one.zoom, 0.5);
    }

    void the_same_every_time() {
        const auto network = support::preset("inception-v3");
        const Hierarchy h = make_hierarchy(*network);
        const Drawing a = draw(*network, h, {"Mixed_5b"}, {}), b = draw(*network, h, {"Mixed_5b"}, {});
        QCOMPARE(a.size, b.size);
        for (std::size_t i = 0; i < a.boxes.size(); ++i) QCOMPARE(a.boxes[i].at, b.boxes[i].at);
    }

    void presets_fit_on_a_page() {
        for (const auto& [id, network] : support::preset_networks()) {
            const Hierarchy h = make_hierarchy(*network);
            const Drawing folded = draw(*network, h, {}, {}), open = draw(*network, h, everything(h), {});
            // Two towers that read each other cannot both stand above the other.
            const QString expected = id == "alexnet-two-tower-hybrid" ? "a line leads up" : "";
            QVERIFY2(fault(*network, h, folded) == expected, id.c_str());
            QVERIFY2(fault(*network, h, open) == expected, id.c_str());
            QVERIFY2(folded.boxes.size() <= 70, id.c_str());
        }
    }

    void any_network_in_any_fold() {
        std::mt19937 random(5);
        for (int k = 0; k < 300; ++k) {
            auto plain = support::random_network(random, int(support::pick(random, 2, 30)));
            NetworkDraft draft = plain->draft();
            // Names at random, so that blocks may be torn apart and read each other both ways.
            for (std::size_t l = 0; l < draft.layers.size(); ++l) {
                std::string name;
                for (auto depth = support::pick(random, 0, 2); depth > 0; --depth)
                    name += std::string(1, char('a' + support::pick(random, 0, 2))) + '/';
                draft.layers[l].name = name + "l" + std::to_string(l);
            }
            const auto network = *Network::make(std::move(draft));
            const Hierarchy h = make_hierarchy(*network);
            std::set<std::string> open;
            for (const drawing::Item& i : h.items)
                if (!i.is_layer() && support::pick(random, 0, 2) > 0) open.insert(i.path);
            const Drawing d = draw(*network, h, open, {});
            QString wrong = fault(*network, h, d);
            if (wrong == "a line leads up") wrong.clear();  // blocks that need each other
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("case %1: ").arg(k) + wrong));
        }
    }
};

QTEST_APPLESS_MAIN(TestDrawing)
#include "tst_drawing.moc"
