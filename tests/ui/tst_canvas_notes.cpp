// SPDX-License-Identifier: GPL-3.0-or-later
// What does not fit is said beside the edge, with what mends it: by mouse and keys in the real window.
#include <QPushButton>
#include <QToolButton>

#include "support_canvas.hpp"
#include "ui/canvas/canvas_legend.hpp"
#include "ui/canvas/canvas_notes.hpp"
#include "ui/canvas/minimap.hpp"
#include "ui/canvas/note_card.hpp"
#include "ui/charts/picture_export.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/status_line.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using Sizes = std::vector<std::int64_t>;

class TestCanvasNotes : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    std::vector<NoteCard*> cards() { return shown<NoteCard>("canvasNote"); }
    /// The first button of the first card that does something now; null while it is still being looked for.
    QPushButton* ready_button() {
        const auto all = cards();
        if (all.empty() || all.front()->buttons().empty()) return nullptr;
        QPushButton* first = all.front()->buttons().front();
        return first->isEnabled() ? first : nullptr;
    }
    std::vector<NoteMarker*> markers() { return shown<NoteMarker>("canvasNoteMarker"); }
    template <class W>
    std::vector<W*> shown(const char* name) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        std::vector<W*> all;
        for (W* w : view().findChildren<W*>(QLatin1String(name)))
            if (w->isVisible()) all.push_back(w);
        return all;
    }
    /// Inception v3 with a branch of Mixed_5b whose pooling has a stride of 2.
    void break_inception() {
        show_canvas("inception-v3");
        view().toggle("Mixed_5b");
        set("Mixed_5b/branch_pool_avg", "stride", Sizes{2, 2});
        QVERIFY(document().draft());
        view().centerOn(scene().box("Mixed_5b/concat")->sceneBoundingRect().center());
        settle();
    }
    /// Layers that read nothing.
    void break_alexnet(int faults) {
        show_canvas();
        for (int i = 0; i < faults; ++i) canvas().editor().insert_alone(*find_kind("dense"));
        settle();
        view().fit();
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void the_note_mends_what_it_is_about() {
        break_inception();
        QTRY_COMPARE(int(cards().size()), 1);
        NoteCard* card = cards().front();
        QVERIFY(card->accessibleName().startsWith(QStringLiteral("Shapes differ")));
        QVERIFY2(card->accessibleName().contains(QStringLiteral("18×18×32")), qPrintable(card->accessibleName()));
        QTRY_VERIFY(!card->buttons().empty());
        const QString way = card->buttons().front()->accessibleName();
        QVERIFY2(way.startsWith(QStringLiteral("Set stride to 1")), qPrintable(way));
        const int before = document().history().count();
        QTest::mouseClick(card->buttons().front(), Qt::LeftButton);
        settle();
        QVERIFY(!document().draft());
        QCOMPARE(document().history().count(), before + 1);
        QVERIFY(cards().empty());
        QVERIFY(markers().empty());
        document().history().undo();
        settle();
        QTRY_COMPARE(int(cards().size()), 1);
    }

    void the_status_line_counts_shape_problems() {
        break_inception();
        const auto says = [&] { return window_->findChild<StatusLine*>()->accessibleDescription(); };
        QVERIFY2(says().startsWith(QStringLiteral("1 shape problem; times are those of the last valid network")),
                 qPrintable(says()));
        canvas().editor().insert_alone(*find_kind("dense"));  // reads nothing: that is about no shape
        settle();
        QVERIFY2(says().startsWith(QStringLiteral("2 problems of the drawn network; times")), qPrintable(says()));
    }

    void notes_keep_clear_of_boxes_and_of_each_other() {
        break_alexnet(2);
        set("conv3", "groups", std::int64_t{7});
        view().fit();
        QTRY_COMPARE(int(cards().size()), 3);
        for (const NoteCard* c : cards()) QTRY_VERIFY(!c->buttons().empty());
        const auto check = [&] {
            const auto all = cards();
            for (std::size_t i = 0; i < all.size(); ++i) {
                QVERIFY(view().viewport()->rect().contains(all[i]->geometry()));
                for (std::size_t j = 0; j < i; ++j) QVERIFY(!all[i]->geometry().intersects(all[j]->geometry()));
                for (const BoxItem* b : scene().boxes()) {
                    if (b->shown().kind == BoxLook::Kind::open) continue;
                    const QRect box = view().mapFromScene(QRectF(b->pos(), b->size())).boundingRect();
                    QVERIFY(!box.adjusted(1, 1, -1, -1).intersects(all[i]->geometry()));
                }
                QVERIFY(!view().minimap()->isVisible() || !view().minimap()->geometry().intersects(all[i]->geometry()));
                QVERIFY(!view().legend()->isVisible() || !view().legend()->geometry().intersects(all[i]->geometry()));
            }
        };
        check();
        NoteCard* one = cards().front();
        const QSize size = one->size();
        view().set_zoom(0.9);
        settle();
        QVERIFY(!cards().empty());
        check();
        QCOMPARE(one->size(), size);  // readable at any zoom
    }

    void far_away_they_are_markers_that_open() {
        break_inception();
        QTRY_COMPARE(int(cards().size()), 1);
        view().set_zoom(0.3);
        settle();
        QVERIFY(cards().empty());
        QCOMPARE(int(markers().size()), 1);
        QTest::mouseClick(markers().front(), Qt::LeftButton);
        QCOMPARE(int(cards().size()), 1);
        QVERIFY(markers().empty());
        QVERIFY(!cards().front()->buttons().empty());  // at once
        QTest::mouseClick(cards().front()->findChild<QToolButton*>(), Qt::LeftButton);
        QVERIFY(cards().empty());
        QCOMPARE(int(markers().size()), 1);
        // Closed means closed, also from near.
        view().set_zoom(1);
        view().centerOn(scene().box("Mixed_5b/concat")->sceneBoundingRect().center());
        settle();
        QVERIFY(cards().empty());
    }

    void at_most_three_are_open() {
        break_alexnet(6);
        QVERIFY(view().zoom() >= BoxItem::readable);
        QCOMPARE(int(cards().size()), 3);
        QCOMPARE(int(markers().size()), 3);
        NoteMarker* marker = markers().back();
        const QString words = marker->accessibleName();
        QTest::mouseClick(marker, Qt::LeftButton);
        QCOMPARE(int(cards().size()), 3);
        QVERIFY(!marker->isVisible());
        bool open = false;
        for (const NoteCard* c : cards()) open |= c->accessibleName().startsWith(words.left(12));
        QVERIFY(open);
    }

    void all_by_keys() {
        break_inception();
        view().set_zoom(0.3);
        key(Qt::Key_F8);
        QCOMPARE(int(cards().size()), 1);
        QCOMPARE(selected(), std::string("Mixed_5b/concat"));
        auto* button = qobject_cast<QPushButton*>(QApplication::focusWidget());
        QVERIFY(button && cards().front()->isAncestorOf(button));
        QTest::keyClick(button, Qt::Key_Escape);
        QVERIFY(cards().empty());
        QVERIFY(view().hasFocus());
        // The marker is the next stop of Tab.
        QTest::keyClick(&view(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(markers().front()));
        QTest::keyClick(markers().front(), Qt::Key_Return);
        QCOMPARE(int(cards().size()), 1);
        button = qobject_cast<QPushButton*>(QApplication::focusWidget());
        QVERIFY(button);
        QTest::keyClick(button, Qt::Key_Space);
        settle();
        QVERIFY(!document().draft());
        QVERIFY(view().hasFocus());
    }

    void what_mends_it_is_never_out_of_date() {
        break_inception();
        QTRY_VERIFY(ready_button());
        const std::vector<LayerId> one{layer("Mixed_5b/branch1x1").id};
        canvas().editor().set_attribute(one, "filters", std::int64_t{80});
        // Until it has been looked for again, nothing can be pressed; afterwards it keeps the other edit.
        QVERIFY(!ready_button());
        QTRY_VERIFY(ready_button());
        QTest::mouseClick(ready_button(), Qt::LeftButton);
        settle();
        QCOMPARE(std::get<std::int64_t>(attribute(layer("Mixed_5b/branch1x1"), "filters")), std::int64_t{80});
        QVERIFY(!document().draft());
    }

    /// Notes look for what mends them a moment later; meanwhile the canvas may be hidden and the network another one.
    void a_hidden_canvas_mends_nothing() {
        break_inception();
        const Fault fault = scene().sketch()->faults.front();
        QVERIFY(!canvas().editor().fixes(fault).empty());
        QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier);
        QVERIFY(!view().isVisible());
        emit find<Combo>("network")->chosen(QStringLiteral("vgg-16"));
        settle();
        QVERIFY(canvas().editor().fixes(fault).empty());
    }

    void a_folded_block_has_it_at_its_edge() {
        break_inception();
        view().toggle("Mixed_5b");
        settle();
        view().centerOn(scene().box("Mixed_5b")->sceneBoundingRect().center());
        settle();
        QTRY_COMPARE(int(cards().size()), 1);
        // A press on its words shows the layer.
        QTest::mouseClick(cards().front(), Qt::LeftButton, {}, {40, 30});
        settle();
        QCOMPARE(selected(), std::string("Mixed_5b/concat"));
    }

    /// A picture that leaves the program says it too, below the drawing.
    void exported_drawings_have_them() {
        show_canvas("inception-v3");
        view().toggle("Mixed_5b");
        settle();
        const QSize whole = canvas().picture_size();
        break_inception();
        ExportOptions options;
        options.size = canvas().picture_size();
        QVERIFY(options.size.height() > whole.height() + 50);
        const QString svg = QString::fromUtf8(picture_svg(canvas().picture(), options));
        QVERIFY(svg.contains(QStringLiteral("Shapes differ at Mixed_5b/concat")));
        QVERIFY(svg.contains(QStringLiteral("18×18×32")));
        // Red in the drawing, where it is, and in the list.
        const QImage image = picture_image(canvas().picture(), options);
        const auto red = [&](const QRect& where) {
            int count = 0;
            for (int y = where.top(); y <= where.bottom(); ++y)
                for (int x = where.left(); x <= where.right(); ++x)
                    count += image.pixelColor(x, y) == Theme::light().error;
            return count;
        };
        const QPointF drawn = scene().sceneRect().topLeft();
        const int at = scene().wires_of(scene().sketch()->faults.front()).front();
        const QPointF marker = scene().wires()[std::size_t(at)]->label_end() - drawn;
        QVERIFY(red(QRectF(marker - QPointF(2, 10), QSizeF(24, 20)).toRect()) > 60);
        QVERIFY(red({0, image.height() - 80, image.width(), 80}) > 60);
        QVERIFY(picture_pdf(canvas().picture(), options).startsWith("%PDF"));
    }

    void out_of_sight_there_is_nothing() {
        break_inception();
        QTRY_COMPARE(int(cards().size()), 1);
        view().centerOn(scene().boxes().front()->pos());
        settle();
        QVERIFY(cards().empty());
        QVERIFY(markers().empty());
    }
};

QTEST_MAIN(TestCanvasNotes)
#include "tst_canvas_notes.moc"
