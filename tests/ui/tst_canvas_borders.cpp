// SPDX-License-Identifier: GPL-3.0-or-later
// The division of the work on the canvas: hybrid's cut and the borders of stages, by mouse and keys in the real window.
#include "core/estimate/dividing.hpp"
#include "core/support_choices.hpp"
#include "support_canvas.hpp"
#include "ui/canvas/border_item.hpp"
#include "ui/charts/chart_tooltip.hpp"
#include "ui/theme/comfort.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestCanvasBorders : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    BorderItem* border(int number) {
        for (BorderItem* item : scene().borders())
            if (item->border().number == number) return item;
        qFatal("no border %d", number);
    }
    void divide(support::Divided strategy, std::int64_t workers) {
        Scenario s = scenario();
        support::divide(s.parallelism, strategy);
        s.cluster.workers = workers;
        document().edit(s);
        settle();
    }
    /// However small: a drag needs both of its ends in sight.
    void see_all() {
        const QRectF all = scene().sceneRect();
        const QSize room = view().viewport()->size();
        view().set_zoom(std::min({1.0, room.width() / all.width(), room.height() / all.height()}));
        view().centerOn(all.center());
    }
    /// A point on the line, beside the boxes.
    QPoint on_line(int number) {
        const BorderItem* b = border(number);
        const double x = b->boundingRect().right() - 12;
        view().ensureVisible(QRectF(x - 40, b->height_at(x) - 60, 44, 120), 4, 4);
        return view().mapFromScene(QPointF(x, b->height_at(x)));
    }
    /// Just above a box, at the same x.
    QPoint above(const std::string& path, int x) {
        const BoxItem* box = scene().box(path);
        if (!box) qFatal("no box %s", path.c_str());
        return {x, view().mapFromScene(box->pos()).y() - 8};
    }
    void drag(QPoint from, QPoint to, bool release = true) {
        auto* at = view().viewport();
        QTest::mouseMove(at, from);
        QTest::mousePress(at, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4; ++step) {
            QTest::mouseMove(at, from + (to - from) * step / 4);
            settle();
        }
        if (release) QTest::mouseRelease(at, Qt::LeftButton, {}, to);
        settle();
    }
    /// QTest leaves the button down.
    void double_click(QPoint at) {
        QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, at);
        QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, at);
    }
    LayerId id(const char* layer) {
        return scenario().network()->layers()[std::size_t(*scenario().network()->position(layer))].id;
    }
    int cut() { return *scenario().network()->position(scenario().parallelism.cut); }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    /// What a hand may do on the canvas, the list offers, and nothing else.
    void the_list_of_cuts_has_them_all() {
        show_canvas("inception-v3");
        for (const std::int64_t workers : {2, 8, 100}) {
            divide(support::Divided::hybrid, workers);
            const Network& network = *scenario().network();
            std::vector<QString> wanted{QStringLiteral("auto"), QStringLiteral("none")}, offered;
            for (const int at : border(0)->border().allowed)
                if (at < network.size())
                    wanted.push_back(QString::number(network.layers()[static_cast<std::size_t>(at)].id.value));
            auto* list = find<Combo>("cut");
            for (const ComboItem& item : list->items()) offered.push_back(item.id);
            QCOMPARE(offered, wanted);
            QVERIFY(offered.size() > 20);
        }
        divide(support::Divided::hybrid, 8);
        const LayerId pool = id("MaxPool_5a_3x3");
        emit find<Combo>("cut")->chosen(QString::number(pool.value));
        settle();
        QCOMPARE(scenario().parallelism.cut, pool);
        QCOMPARE(border(0)->border().at, *scenario().network()->position("MaxPool_5a_3x3"));
    }

    void the_cut_is_dragged() {
        show_canvas();
        divide(support::Divided::hybrid, 8);
        const int steps = document().history().count();
        QVERIFY(scenario().parallelism.cut_auto);
        const int best = window_->result()->estimate->summary.cut;
        QCOMPARE(border(0)->border().at, best);
        QVERIFY(border(0)->border().tag.endsWith(QStringLiteral("best")));
        QCOMPARE(border(0)->border().above, QStringLiteral("data parallel"));
        QVERIFY(border(0)->border().below.contains(QString::fromUtf8("÷8")));
        see_all();
        const double before = window_->result()->estimate->summary.step.value;
        const QPoint from = on_line(0);
        const QPoint to = above("conv3", from.x());
        auto* at = view().viewport();
        QTest::mouseMove(at, from);
        QCOMPARE(at->cursor().shape(), Qt::SplitVCursor);
        QVERIFY(view().tooltip_text().contains(QStringLiteral("Data parallel above")));
        QTest::mousePress(at, Qt::LeftButton, {}, from);
        QTest::mouseMove(at, to);
        // Under the hand already, before it is let go; the charts follow.
        QVERIFY(view().moves_border());
        QVERIFY(document().dragging());
        QVERIFY(!scenario().parallelism.cut_auto);
        QCOMPARE(scenario().parallelism.cut, id("conv3"));
        QCOMPARE(border(0)->border().at, *scenario().network()->position("conv3"));
        QVERIFY(!border(0)->border().tag.contains(QStringLiteral("best")));
        settle();
        QCOMPARE(window_->result()->estimate->summary.cut, *scenario().network()->position("conv3"));
        QVERIFY(window_->result()->estimate->summary.step.value > before);
        QTest::mouseMove(at, above("conv4", from.x()));
        QTest::mouseRelease(at, Qt::LeftButton, {}, above("conv4", from.x()));
        settle();
        QVERIFY(!document().dragging());
        QVERIFY(!view().moves_border());
        QCOMPARE(scenario().parallelism.cut, id("conv4"));
        QCOMPARE(document().history().count(), steps + 1);
        document().history().undo();
        settle();
        QVERIFY(scenario().parallelism.cut_auto);
        QCOMPARE(border(0)->border().at, best);
        // It lies over the boxes that are behind it, and under those in front.
        for (const BoxItem* box : scene().boxes()) {
            const int layer = scene().item_of(*box).layers.front();
            if (layer >= best) QVERIFY(box->pos().y() > border(0)->wanted_height());
            if (layer < best) QVERIFY(box->pos().y() + box->size().height() < border(0)->wanted_height());
        }
    }

    /// A finger need not be as exact as a mouse.
    void a_finger_takes_it_from_farther_off() {
        show_canvas();
        divide(support::Divided::hybrid, 8);
        see_all();
        const QPoint off = on_line(0) + QPoint(0, 16);
        QVERIFY(!view().border_at(off));
        set_comfort(*qApp, Motion::full, true);
        const bool taken = view().border_at(off) != nullptr;
        set_comfort(*qApp, Motion::full, false);
        QVERIFY(taken);
    }

    void escape_takes_it_back() {
        show_canvas();
        divide(support::Divided::hybrid, 8);
        const Scenario before = scenario();
        const int steps = document().history().count();
        see_all();
        const QPoint from = on_line(0);
        drag(from, above("conv2", from.x()), false);
        QCOMPARE(scenario().parallelism.cut, id("conv2"));
        QTest::keyClick(&view(), Qt::Key_Escape);
        QVERIFY(scenario() == before);
        QCOMPARE(document().history().count(), steps);
        QTest::mouseMove(view().viewport(), above("conv4", from.x()));  // the button is still down
        QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, above("conv4", from.x()));
        settle();
        QVERIFY(scenario() == before);
        QVERIFY(!document().dragging());
        // There and back is no step.
        drag(on_line(0), above("conv2", from.x()), false);
        QTest::mouseMove(view().viewport(), from);
        QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, from);
        settle();
        QCOMPARE(border(0)->border().at, window_->result()->estimate->summary.cut);
    }

    void keys_move_the_cut() {
        show_canvas();
        divide(support::Divided::hybrid, 8);
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Tab);
        QCOMPARE(view().focused_border(), 0);
        QVERIFY(view().hasFocus());
        QVERIFY(view().accessibleDescription().contains(QStringLiteral("Data parallel above")));
        const int steps = document().history().count();
        const auto may = border(0)->border().allowed;
        const auto at = std::find(may.begin(), may.end(), border(0)->border().at);
        QVERIFY(at != may.end() && at != may.begin());
        QTest::keyClick(&view(), Qt::Key_Up);
        settle();
        QCOMPARE(cut(), *(at - 1));
        QCOMPARE(document().history().count(), steps + 1);
        QVERIFY(!document().dragging());
        // A key that is held is one step.
        QTest::keyPress(&view(), Qt::Key_Up);
        QKeyEvent again(QEvent::KeyPress, Qt::Key_Up, {}, {}, true);
        QApplication::sendEvent(&view(), &again);
        QTest::keyRelease(&view(), Qt::Key_Up);
        settle();
        QCOMPARE(cut(), *(at - 3));
        QCOMPARE(document().history().count(), steps + 2);
        QTest::keyClick(&view(), Qt::Key_Home);
        QCOMPARE(cut(), may.front());
        QTest::keyClick(&view(), Qt::Key_Up);  // no further
        QCOMPARE(cut(), may.front());
        QTest::keyClick(&view(), Qt::Key_End);
        QCOMPARE(scenario().parallelism.cut, LayerId{});
        QCOMPARE(border(0)->border().tag, QStringLiteral("no back part"));
        QTest::keyClick(&view(), Qt::Key_Escape);
        QCOMPARE(view().focused_border(), -1);
        QTest::keyClick(&view(), Qt::Key_Tab);
        QTest::keyClick(&view(), Qt::Key_Backtab);
        QCOMPARE(view().focused_border(), -1);
        QVERIFY(view().hasFocus());
        QTest::keyClick(&view(), Qt::Key_Tab);
        QTest::keyClick(&view(), Qt::Key_Tab);
        QVERIFY(!view().hasFocus());  // it goes on
    }

    void a_double_click_gives_the_best_back() {
        show_canvas();
        divide(support::Divided::hybrid, 8);
        see_all();
        const int best = border(0)->border().at;
        QPoint from = on_line(0);
        drag(from, above("conv2", from.x()));
        QVERIFY(border(0)->border().at != best);
        from = on_line(0);
        double_click(from);
        settle();
        QVERIFY(scenario().parallelism.cut_auto);
        QCOMPARE(border(0)->border().at, best);
    }

    void only_where_the_workers_can_share_what_is_behind() {
        show_canvas();
        divide(support::Divided::hybrid, 512);
        see_all();
        const auto may = border(0)->border().allowed;
        QVERIFY(!std::binary_search(may.begin(), may.end(), *scenario().network()->position("conv5")));
        const QPoint from = on_line(0);
        drag(from, above("conv1", from.x()));
        QVERIFY(window_->result()->estimate.has_value());
        QVERIFY(std::binary_search(may.begin(), may.end(), border(0)->border().at));
        QVERIFY(border(0)->border().at > *scenario().network()->position("conv5"));
    }

    void it_runs_through_a_folded_block() {
        show_canvas("inception-v3");
        divide(support::Divided::hybrid, 8);
        Scenario s = scenario();
        s.parallelism.cut_auto = false;
        s.parallelism.cut = id("Mixed_5c/branch5x5_2");
        document().edit(s);
        settle();
        const BoxItem* block = scene().box("Mixed_5c");
        QVERIFY(block);
        QVERIFY(border(0)->wanted_height() > block->pos().y());
        QVERIFY(border(0)->wanted_height() < block->pos().y() + block->size().height());
        // Dragged, it goes between blocks.
        const QPoint from = on_line(0);
        drag(from, above("Mixed_5d", from.x()));
        const auto& layers = scene().item_of(*scene().box("Mixed_5d")).layers;
        QCOMPARE(cut(), layers.front());
        QVERIFY(border(0)->wanted_height() < scene().box("Mixed_5d")->pos().y());
        // In the unfolded block it goes between branches.
        view().toggle("Mixed_5d");
        const BoxItem* inside = scene().box("Mixed_5d/branch5x5_2");
        QVERIFY(inside);
        view().show_box(*inside);
        const QPoint above_it = view().mapFromScene(inside->pos() + QPointF(inside->size().width() / 2, -8));
        const double x = view().mapToScene(above_it).x();
        const QPoint grip = view().mapFromScene(QPointF(x, border(0)->height_at(x)));
        drag(grip, above_it);
        QCOMPARE(scenario().parallelism.cut, id("Mixed_5d/branch5x5_2"));
        QVERIFY(border(0)->height_at(inside->pos().x() + 20) < inside->pos().y());
    }

    void stages_are_dragged() {
        show_canvas();
        divide(support::Divided::layers, 4);
        QCOMPARE(scene().borders().size(), std::size_t{4});  // and the head of the first
        QVERIFY(scenario().parallelism.boundaries.empty());
        for (BorderItem* item : scene().borders()) QVERIFY(item->border().tag.endsWith(QStringLiteral("%")));
        const auto at = [&](int number) { return border(number)->border().at; };
        const int first = at(0), second = at(1), third = at(2);
        QVERIFY(second - first > 1);
        see_all();
        const int steps = document().history().count();
        const QPoint from = on_line(1);
        const std::string to = scenario().network()->layers()[std::size_t(second - 1)].name;
        drag(from, above(to, from.x()));
        QCOMPARE(at(1), second - 1);
        QCOMPARE(at(0), first);  // the others stay
        QCOMPARE(at(2), third);
        QCOMPARE(scenario().parallelism.boundaries.size(), std::size_t{3});
        QCOMPARE(document().history().count(), steps + 1);
        QVERIFY(window_->result()->estimate.has_value());
        // No further than its neighbours.
        drag(on_line(1), above("data", from.x()));
        QCOMPARE(at(1), first + 1);
        drag(on_line(1), {from.x(), view().viewport()->height() - 40});
        QCOMPARE(at(1), third - 1);
        QVERIFY(window_->result()->estimate.has_value());
        // By key, one after the other.
        view().setFocus();
        while (view().focused_border() != 2) QTest::keyClick(&view(), Qt::Key_Tab);
        QTest::keyClick(&view(), Qt::Key_Down);
        settle();
        QCOMPARE(at(2), third + 1);
        double_click(on_line(0));
        settle();
        QVERIFY(scenario().parallelism.boundaries.empty());
        QCOMPARE(at(1), second);
    }

    void many_stages_in_one_folded_row() {
        show_canvas("transformers/gpt-2");
        divide(support::Divided::layers, 8);
        QVERIFY(window_->result()->estimate.has_value());
        const auto& all = scene().borders();
        QCOMPARE(all.size(), std::size_t{8});
        for (std::size_t i = 1; i < all.size(); ++i)
            QVERIFY(all[i]->tag_box().top() >= all[i - 1]->tag_box().bottom() - 1e-6);
    }

    void a_draft_keeps_its_borders_where_they_are() {
        show_canvas();
        divide(support::Divided::hybrid, 8);
        see_all();
        // A layer that reads nothing: no network yet.
        emit view().kind_dropped(QStringLiteral("dropout"), -1, {});
        settle();
        QVERIFY(document().draft());
        see_all();
        const Scenario before = scenario();
        const QPoint from = on_line(0);
        QVERIFY(view().border_at(from));
        QTest::mouseMove(view().viewport(), from);
        QVERIFY(view().tooltip_text().contains(QStringLiteral("Fix the problems")));
        QCOMPARE(view().viewport()->cursor().shape(), Qt::ForbiddenCursor);
        drag(from, above("conv2", from.x()));
        QVERIFY(scenario() == before);
    }
};

QTEST_MAIN(TestCanvasBorders)
#include "tst_canvas_borders.moc"
