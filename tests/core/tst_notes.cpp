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
        QCOMPARE(*left[0], (drawing::Point{502, 150}));
        // 8 stay free along the edges of the sheet.
        const auto at_anchor = [](double x) {
            return *place_notes(std::vector{Note{{x, 203}, {180, 100}, {}}}, sheet, {}, {})[0];
        };
        QCOMPARE(at_anchor(594), (drawing::Point{612, 153}));
        QCOMPARE(at_anchor(600), (drawing::Point{402, 153}));
    }

    /// At the left counts as 6 farther: 22 at the right, where a gap is left for the line, are nearer than 18 + 6.
    void rather_at_the_right() {
        const std::vector<Note> one{{{300, 200}, {180, 100}, {}}};
        const auto behind = [&](double right) {
            const std::vector<Area> gate{{{310, 140}, {right - 310, 55}}, {{310, 205}, {right - 310, 55}}};
            return *place_notes(one, sheet, gate, {})[0];
        };
        QCOMPARE(behind(318), (drawing::Point{322, 150}));  // 4 stay free around boxes
        QCOMPARE(behind(320.5), (drawing::Point{102, 150}));
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
        // 4 stay free around them.
        const auto before = [&](double x) {
            return *place_notes(one, sheet, std::vector{Area{{x, 150}, {50, 100}}}, {})[0];
        };
        QCOMPARE(before(502), (drawing::Point{318, 150}));
        // Half a pixel less is too near for the line: 17.5 to the right and 8 down.
        QCOMPARE(before(501.5), (drawing::Point{317.5, 208}));
        // Between two that leave 72 of 100: over one rather than over both, and over as little of it as can be.
        const std::vector<Area> two{{{0, 0}, {800, 300}}, {{0, 380}, {800, 220}}};
        const std::vector<Note> low{{{100, 450}, {180, 100}, {}}};
        QCOMPARE(*place_notes(low, sheet, two, {})[0], (drawing::Point{108, 304}));
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
        // At the level of the first anchor it would stand over the second: 2 higher up it does not.
        const std::vector<Note> level{{{300, 200}, {180, 100}, {}}, {{400, 200}, {180, 100}, {}}};
        QCOMPARE(*place_notes(level, sheet, {}, {})[0], (drawing::Point{318, 98}));
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
        // Or it is 160 away.
        const auto at = [](drawing::Point beside, std::span<const Area> boxes) {
            return *place_notes(std::vector{Note{{300, 200}, {180, 100}, beside}}, sheet, boxes, {})[0];
        };
        QCOMPARE(at({159, -50}, {}), (drawing::Point{459, 150}));
        QCOMPARE(at({160, -50}, {}), (drawing::Point{318, 150}));
        // In the middle of a large box the best place, 144 away, costs 200 more for the line; it leaves for 40 less.
        const std::vector<Area> large{{{160, 60}, {280, 280}}};
        QCOMPARE(at({183, -50}, large), (drawing::Point{483, 150}));
        QCOMPARE(at({185, -50}, large), (drawing::Point{444, 150}));
    }

    void one_that_stands_well_is_not_pushed_away() {
        std::vector<Note> notes{{{300, 200}, {180, 100}, {}}, {{290, 200}, {180, 100}, drawing::Point{28, -50}}};
        const auto at = place_notes(notes, sheet, {}, {});
        QVERIFY(at[0] && at[1]);
        QCOMPARE(*at[1], (drawing::Point{318, 150}));
        const Area first{*at[0], notes[0].size}, second{*at[1], notes[1].size};
        QVERIFY(apart(first, second));
        // Unless an earlier one finds no place then: this sheet has room for one of them.
        notes = {{{10, 60}, {180, 100}, {}}, {{12, 62}, {180, 100}, drawing::Point{18, -52}}};
        const auto either = place_notes(notes, {{0, 0}, {220, 120}}, {}, {});
        QVERIFY(!either[1]);
        QCOMPARE(*either[0], (drawing::Point{28, 10}));
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
        // Where the left has no room: 4 above a high one (66 + 30 + 4 = 100), although 34 at the right is nearer.
        const std::vector<Area> high{{{110, 100}, {20, 200}}};
        const std::vector<Note> before{{{100, 200}, {180, 30}, {}}};
        QCOMPARE(*place_notes(before, sheet, high, {})[0], (drawing::Point{108, 66}));
        // Around what lies over the sheet 8 stay free.
        QCOMPARE(*place_notes(before, sheet, {}, high)[0], (drawing::Point{108, 308}));
        // One beside the line is not in its way.
        QCOMPARE(*place_notes(one, sheet, std::vector{Area{{305, 50}, {10, 60}}}, {})[0], (drawing::Point{318, 185}));
        QCOMPARE(nearest_point({{10, 20}, {30, 40}}, {0, 100}), (drawing::Point{10, 60}));
    }

    /// Each of these ways of crossing costs 200 more. The first note stays where it is, with a line from x = 300 to 450
    /// at y = 200.
    void lines_keep_off_other_notes_and_their_lines() {
        const Note stays{{300, 200}, {180, 100}, drawing::Point{150, -50}};
        const auto second = [&](drawing::Point anchor, std::span<const Area> boxes) {
            const auto at = place_notes(std::vector{stays, Note{anchor, {60, 40}, {}}}, sheet, boxes, {});
            return at[0] == drawing::Point{450, 150} ? at[1] : std::nullopt;
        };
        // The line through a note: at the level of its anchor, 195 to 235, it would lie upon it.
        QCOMPARE(*second({340, 215}, {}), (drawing::Point{358, 208}));
        // Line across line: below the first one's, 18 away, is nearer than 134 up between two boxes.
        const std::vector<Area> walls{{{345, 60}, {95, 138}}, {{250, 60}, {85, 138}}};
        QCOMPARE(*second({340, 190}, walls), (drawing::Point{288, 16}));
        // A line through the other note: behind it, 58 away, is nearer than 128 around it.
        const std::vector<Note> wall{{{130, 50}, {40, 240}, drawing::Point{-20, 30}}, {{100, 200}, {180, 30}, {}}};
        const auto at = place_notes(wall, sheet, {}, {});
        QCOMPARE(*at[0], (drawing::Point{110, 80}));
        QCOMPARE(*at[1], (drawing::Point{108, 328}));
    }

    /// Two that look for a place exchange theirs where that is better; one that stays where it is does not.
    void only_those_that_move_change_places() {
        const std::vector<Note> notes{{{100, 200}, {60, 40}, drawing::Point{140, -20}}, {{222, 200}, {60, 40}, {}}};
        const auto at = place_notes(notes, sheet, {}, {});
        QCOMPARE(*at[0], (drawing::Point{240, 180}));
        QCOMPARE(*at[1], (drawing::Point{168, 218}));
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
            // The same between what lies over the sheet, where 8 stay free on both sides.
            const std::vector<Area> over{{{0, 0}, {left, 600}}, {{left + 197, 0}, {603 - left, 600}}};
            const auto between = place_notes(one, sheet, {}, over)[0];
            QVERIFY(between);
            QVERIFY(between->x >= left + 8 && between->x + 180 <= left + 189);
        }
        // Among very many boxes, one 20 wider than the note and the free space around it.
        std::vector<Area> many;
        for (int i = 0; i < 30; ++i) {
            many.push_back({{0, 20.0 * i}, {300, 20}});
            many.push_back({{508, 20.0 * i}, {292, 20}});
        }
        const auto at = place_notes(std::vector{Note{{100, 300}, {180, 100}, {}, false}}, sheet, many, {})[0];
        QVERIFY(at);
        QCOMPARE(at->x, 308.0);
    }

    /// What nobody has asked for covers nothing.
    void some_may_not_cover_boxes() {
        const std::vector<Area> all{{{0, 0}, {800, 600}}};
        std::vector<Note> one{{{300, 200}, {180, 100}, {}, false}};
        QVERIFY(!place_notes(one, sheet, all, {})[0]);
        QVERIFY(place_notes(one, sheet, {}, {})[0]);
        one.front().beside = drawing::Point{20, -50};
        QVERIFY(!place_notes(one, sheet, all, {})[0]);
        // Nor the tenth of a pixel, although it stands there already; between two that leave just enough it does.
        std::vector<Area> two{{{0, 0}, {316.1, 600}}, {{504, 0}, {296, 600}}};
        QVERIFY(!place_notes(one, sheet, two, {})[0]);
        two.front().size.width = 316;
        QCOMPARE(*place_notes(one, sheet, two, {})[0], (drawing::Point{320, 150}));
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

    void makers_behind_layers_that_pass_sizes_on() {
        const auto makers = [](const Builder& b) {
            const NetworkDraft& draft = b.draft();
            const Sketch sketch(draft);
            std::vector<int> found;
            for (int at : makers_of(sketch, sketch.faults.front()))
                for (int l = 0; l < b.size(); ++l)
                    if (sketch.layers[std::size_t(at)].id == b.id(l)) found.push_back(l);
            std::sort(found.begin(), found.end());
            return found;
        };
        using Found = std::vector<int>;
        {  // A convolution makes its channels, even as many as it reads; one that is read twice is named once.
            Builder b;
            const int image = b.input({8, 8, 3}), same = b.conv(image, 3, 3), more = b.conv(image, 6, 3);
            b.add({same, b.activation(same), more});
            QCOMPARE(makers(b), (Found{same, more}));
        }
        {  // Of another rank: any size may be meant, so that only what keeps all of them is passed.
            Builder b;
            const int image = b.input({8, 8, 3}), flat = b.flatten(image), same = b.conv(image, 3, 3);
            b.add({flat, b.activation(same)});
            QCOMPARE(makers(b), (Found{flat, same}));
            Builder c;
            const int other = c.input({8, 8, 3}), row = c.flatten(other), small = c.pool(other, 2, 2);
            c.add({row, small});
            QCOMPARE(makers(c), (Found{row, small}));
        }
        {  // What has another rank than what it reads makes all its sizes, although 8 is the first of both.
            Builder b;
            const int table = b.reshape(b.input({8, 8, 3}), {8, 24}), low = b.input({4, 24});
            b.add({table, low});
            QCOMPARE(makers(b), (Found{table, low}));
        }
        {  // Along its own axis, here the first, a concatenation takes any size: 6 channels come from the input.
            Builder b;
            const int one = b.input({8, 8, 3}), two = b.input({8, 8, 6}), low = b.pool(two, 1, 1);
            b.set(low, "stride", std::vector<std::int64_t>{2, 1});
            b.set(b.concat({one, low}), "axis", std::int64_t{1});
            QCOMPARE(makers(b), (Found{one, two}));
        }
        {  // Not about shapes, although they are known: a name used twice, a value that is missing.
            Builder b;
            const int image = b.input({8, 8, 3});
            b.dense(b.conv(image, 4, 3), 10);
            NetworkDraft twice = b.draft(), missing = b.draft();
            twice.layers[2].name = twice.layers[1].name;
            set(missing.layers[1], "filters", std::monostate{});
            for (const NetworkDraft& d : {twice, missing}) {
                const Sketch s(d);
                QVERIFY(!about_shapes(s, s.faults.front()));
                QVERIFY(makers_of(s, s.faults.front()).empty());
            }
        }
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
