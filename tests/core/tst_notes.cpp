// SPDX-License-Identifier: GPL-3.0-or-later
// Notes beside the drawing: where they find room, and what heads them.
#include <QtTest>
#include <cmath>
#include <functional>

#include "core/drawing/notes.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::drawing;
using support::Builder;

namespace {

constexpr Area sheet{{0, 0}, {800, 600}};

bool apart(const Area& a, const Area& b) {
    return a.at.x + a.size.width <= b.at.x || b.at.x + b.size.width <= a.at.x || a.at.y + a.size.height <= b.at.y ||
           b.at.y + b.size.height <= a.at.y;
}

Sketch broken(const std::function<void(NetworkDraft&)>& how) {
    Builder b;
    const int image = b.input({8, 8, 3});
    b.concat({b.conv(image, 4, 3), b.conv(image, 6, 3)});
    b.dense(3, 10);
    NetworkDraft draft = b.draft();
    how(draft);
    return Sketch(draft);
}

void set(Layer& layer, std::string_view name, AttributeValue value) {
    for (std::size_t a = 0; a < layer.attributes.size(); ++a)
        if (layer.kind->attributes[a].name == name) layer.attributes[a] = value;
}

}  // namespace

class TestNotes : public QObject {
    Q_OBJECT

private slots:
    void right_of_what_they_are_about() {
        const std::vector<Note> one{{{300, 200}, {180, 100}, {}}};
        const auto at = place_notes(one, sheet, {}, {});
        QVERIFY(at[0]);
        QCOMPARE(at[0]->x, 318.0);
        QCOMPARE(at[0]->y, 150.0);
        // Without room at the right, at the left.
        const std::vector<Note> edge{{{700, 200}, {180, 100}, {}}};
        const auto left = place_notes(edge, sheet, {}, {});
        QVERIFY(left[0]);
        QVERIFY(left[0]->x + 180 <= 700 - 17);
    }

    void not_over_boxes_while_there_is_room() {
        const std::vector<Area> boxes{{{320, 100}, {200, 200}}, {{0, 100}, {280, 200}}};
        const std::vector<Note> one{{{300, 200}, {180, 100}, {}}};
        const auto at = place_notes(one, sheet, boxes, {});
        QVERIFY(at[0]);
        const Area shown{*at[0], {180, 100}};
        for (const Area& b : boxes) QVERIFY(apart(shown, b));
        // Where boxes are everywhere, it stands over some.
        const std::vector<Area> all{{{0, 0}, {800, 600}}};
        QVERIFY(place_notes(one, sheet, all, {})[0]);
    }

    void never_over_one_another_nor_over_what_they_are_about() {
        std::vector<Note> notes;
        for (int i = 0; i < 4; ++i) notes.push_back({{300.0 + 3 * i, 200.0 + 5 * i}, {180, 100}, {}});
        const std::vector<Area> taken{{{600, 400}, {200, 200}}};
        const auto at = place_notes(notes, sheet, {}, taken);
        for (std::size_t i = 0; i < at.size(); ++i) {
            QVERIFY(at[i]);
            const Area one{*at[i], notes[i].size};
            QVERIFY(apart(one, taken[0]));
            for (const Note& n : notes) {
                const Area about{n.anchor, {0, 0}};
                QVERIFY(apart(one, about));
            }
            for (std::size_t j = 0; j < i; ++j) {
                const Area other{*at[j], notes[j].size};
                QVERIFY(apart(one, other));
            }
        }
        // On a sheet that is too small, some find no place, and say so.
        const auto few = place_notes(notes, {{250, 150}, {300, 200}}, {}, {});
        QVERIFY(!few.back());
    }

    void they_stay_where_they_are() {
        const Note note{{300, 200}, {180, 100}, drawing::Point{40, -20}};
        QCOMPARE(*place_notes(std::vector{note}, sheet, {}, {})[0], (drawing::Point{340, 180}));
        // Until something is in the way.
        const std::vector<Area> box{{{380, 190}, {30, 30}}};
        const auto moved = place_notes(std::vector{note}, sheet, box, {})[0];
        QVERIFY(moved);
        const Area there{*moved, note.size};
        QVERIFY(apart(there, box[0]));
    }

    void lines_go_around_boxes() {
        // A box at the right: the nearest free place behind it would need a line across.
        const std::vector<Area> box{{{310, 180}, {20, 40}}};
        const std::vector<Note> one{{{300, 200}, {180, 30}, {}}};
        const auto at = place_notes(one, sheet, box, {})[0];
        QVERIFY(at);
        const drawing::Point to = nearest_point({*at, {180, 30}}, {300, 200});
        for (double t = 0; t <= 1; t += 0.01) {
            const Area on_line{{300 + t * (to.x - 300), 200 + t * (to.y - 200)}, {0, 0}};
            QVERIFY(apart(box[0], on_line));
        }
    }

    /// A gap that is only just wide enough, wherever it is.
    void narrow_gaps_are_found() {
        for (int shift = 0; shift < 10; ++shift) {
            const double left = 300 + shift;
            const std::vector<Area> boxes{{{0, 0}, {left, 600}}, {{left + 189, 0}, {611 - left, 600}}};
            const std::vector<Note> one{{{100, 300}, {180, 100}, {}}};
            const auto at = place_notes(one, sheet, boxes, {})[0];
            QVERIFY(at);
            for (const Area& b : boxes) {
                const Area shown{*at, {180, 100}};
                QVERIFY(apart(shown, b));
            }
        }
    }

    /// What nobody has asked for covers nothing.
    void some_may_not_cover_boxes() {
        const std::vector<Area> all{{{0, 0}, {800, 600}}};
        std::vector<Note> one{{{300, 200}, {180, 100}, {}, false}};
        QVERIFY(!place_notes(one, sheet, all, {})[0]);
        QVERIFY(place_notes(one, sheet, {}, {})[0]);
        one.front().beside = drawing::Point{20, -50};
        QVERIFY(!place_notes(one, sheet, all, {})[0]);
    }

    void lines_cross_neither_each_other_nor_what_lies_over_the_sheet() {
        const auto crosses = [](drawing::Point a, drawing::Point b, drawing::Point c, drawing::Point d) {
            const auto side = [](drawing::Point p, drawing::Point q, drawing::Point r) {
                return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
            };
            return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
        };
        std::mt19937 random(5);
        int placed = 0, crossings = 0;
        for (int k = 0; k < 300; ++k) {
            std::vector<Note> notes;
            for (int i = 0; i < 3; ++i)
                notes.push_back({{double(support::pick(random, 20, 780)), double(support::pick(random, 20, 580))},
                                 {180, double(support::pick(random, 60, 140))},
                                 {}});
            const std::vector<Area> boxes{{{320, 0}, {150, 560}}};  // a column of them
            const std::vector<Area> taken{{{12, 490}, {216, 98}}, {{670, 466}, {118, 122}}};
            const auto at = place_notes(notes, sheet, boxes, taken);
            for (std::size_t i = 0; i < at.size(); ++i) {
                if (!at[i]) continue;
                ++placed;
                const Area one{*at[i], notes[i].size};
                for (const Area& t : taken) QVERIFY(apart(one, t));
                QVERIFY(apart(one, boxes[0]));
                for (std::size_t j = 0; j < i; ++j) {
                    if (!at[j]) continue;
                    const Area other{*at[j], notes[j].size};
                    QVERIFY(apart(one, other));
                    crossings += crosses(notes[i].anchor, nearest_point(one, notes[i].anchor), notes[j].anchor,
                                         nearest_point(other, notes[j].anchor))
                                     ? 1
                                     : 0;
                }
            }
        }
        QVERIFY2(placed > 890, qPrintable(QString::number(placed)));
        QVERIFY2(crossings == 0, qPrintable(QString::number(crossings)));
    }

    /// The view is moved a pixel at a time, as a hand does: a note stays beside what it is about.
    void small_moves_leave_them_in_place() {
        std::vector<Note> notes{{{250, 300}, {180, 100}, {}}, {{260, 330}, {180, 100}, {}}};
        int jumps = 0;
        for (int step = 0; step < 60; ++step) {
            const double y = 300 - step;
            const std::vector<Area> boxes{
                {{100, y - 60}, {140, 40}}, {{100, y}, {140, 40}}, {{100, y + 60}, {140, 40}}};
            notes[0].anchor.y = y + 20, notes[1].anchor.y = y + 50;
            const auto at = place_notes(notes, sheet, boxes, {});
            for (std::size_t n = 0; n < notes.size(); ++n) {
                QVERIFY(at[n]);
                const drawing::Point beside{at[n]->x - notes[n].anchor.x, at[n]->y - notes[n].anchor.y};
                if (notes[n].beside && std::abs(beside.y - notes[n].beside->y) > 0.5) ++jumps;
                notes[n].beside = beside;
            }
        }
        QCOMPARE(jumps, 0);
    }

    /// input → conv → relu → relu ─┐
    ///       └→ conv ───────────── concat → dense
    void who_made_the_shapes_that_do_not_fit() {
        Builder b;
        const int image = b.input({8, 8, 3});
        const int first = b.activation(b.activation(b.conv(image, 4, 3)));
        b.dense(b.concat({first, b.conv(image, 6, 3)}), 10);
        NetworkDraft draft = b.draft();
        const auto at = [](const Sketch& s, LayerId id) { return *s.position(id); };
        const LayerId conv = draft.layers[1].id;
        set(draft.layers[1], "stride", std::vector<std::int64_t>{2, 2});
        const Sketch differ(draft);
        QCOMPARE(differ.faults.size(), std::size_t{1});
        // The other convolution keeps the size of the image; channels may differ.
        QCOMPARE(makers_of(differ, differ.faults.front()), (std::vector<int>{0, at(differ, conv)}));
        // A sum wants the same channels too: each convolution makes its own.
        Builder c;
        const int small = c.input({8, 8, 3});
        c.add({c.activation(c.conv(small, 4, 3)), c.conv(small, 4, 3)});
        NetworkDraft unlike = c.draft();
        set(unlike.layers[3], "filters", std::int64_t{6});
        const Sketch channels(unlike);
        QCOMPARE(channels.faults.size(), std::size_t{1});
        std::vector<int> both{at(channels, unlike.layers[1].id), at(channels, unlike.layers[3].id)};
        std::sort(both.begin(), both.end());
        QCOMPARE(makers_of(channels, channels.faults.front()), both);
        // Not about shapes: nobody made them.
        NetworkDraft open = b.draft();
        open.layers[1].inputs.front() = LayerId{};
        const Sketch unconnected(open);
        QVERIFY(makers_of(unconnected, unconnected.faults.front()).empty());
    }

    void headings() {
        const auto first = [](const Sketch& s) { return s.faults.empty() ? "none" : heading(s, s.faults.front()); };
        QCOMPARE(first(broken([](NetworkDraft&) {})), std::string("none"));
        const Sketch differ = broken([](NetworkDraft& d) {
            set(d.layers[2], "stride", std::vector<std::int64_t>{2, 2});
        });
        QCOMPARE(first(differ), std::string("Shapes differ"));
        QVERIFY(about_shapes(differ, differ.faults.front()));
        const Sketch open = broken([](NetworkDraft& d) { d.layers[1].inputs.front() = LayerId{}; });
        QCOMPARE(first(open), std::string("Not connected"));
        QVERIFY(!about_shapes(open, open.faults.front()));
        QCOMPARE(first(broken([](NetworkDraft& d) { d.layers[1].inputs.clear(); })), std::string("Input missing"));
        QCOMPARE(first(broken([](NetworkDraft& d) { d.layers[1].inputs.push_back(d.layers[0].id); })),
                 std::string("Too many inputs"));
        QCOMPARE(first(broken([](NetworkDraft& d) { d.layers[1].name = d.layers[2].name; })),
                 std::string("Name used twice"));
        QCOMPARE(first(broken([](NetworkDraft& d) { set(d.layers[1], "filters", std::monostate{}); })),
                 std::string("Value missing"));
        const Sketch large = broken([](NetworkDraft& d) {
            set(d.layers[1], "kernel", std::vector<std::int64_t>{99, 99});
            set(d.layers[1], "padding", Padding{});
        });
        QCOMPARE(first(large), std::string("Shape does not fit"));
        QVERIFY(about_shapes(large, large.faults.front()));
        QCOMPARE(first(broken([](NetworkDraft& d) { d.layers[1].inputs.front() = d.layers[3].id; })),
                 std::string("Runs in a circle"));
        QCOMPARE(first(Sketch{NetworkDraft{}}), std::string("Not a network yet"));
    }
};

QTEST_GUILESS_MAIN(TestNotes)
#include "tst_notes.moc"
