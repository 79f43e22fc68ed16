// SPDX-License-Identifier: GPL-3.0-or-later
// Chips that are dragged into an order.
#include <QAbstractButton>
#include <QMouseEvent>
#include <QSignalSpy>

#include "support_widgets.hpp"
#include "ui/widgets/order_chips.hpp"

using namespace scalescope::ui;
using namespace widget_test;

namespace {

const std::vector<OrderChips::Chip> abc{{u("a"), u("alpha"), u("128 apart"), u("first")},
                                        {u("b"), u("beta"), u("8 apart"), u("second")},
                                        {u("c"), u("gamma"), u("next"), u("third")}};

void move_hand(QWidget* chip, QPoint in_row) {
    const QPoint at = chip->mapFromParent(in_row);
    QMouseEvent move(QEvent::MouseMove, at, chip->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(chip, &move);
}

}  // namespace

class TestWidgetsOrder : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void a_chip_is_dragged_and_brought_back() {
        Shown<OrderChips> row(new OrderChips(u("Order")));
        row->set_chips(abc, {});
        QSignalSpy began(row.widget, &OrderChips::drag_began), ended(row.widget, &OrderChips::drag_ended),
            chosen(row.widget, &OrderChips::order_chosen);
        QAbstractButton* c = row->chip(u("c"));
        QVERIFY(row->notes_shown() && c->x() > row->chip(u("b"))->geometry().right());
        const QPoint home = c->geometry().center();
        QTest::mouseClick(c, Qt::LeftButton);  // no drag
        QVERIFY(began.isEmpty() && ended.isEmpty() && chosen.isEmpty());
        QTest::mousePress(c, Qt::LeftButton);
        move_hand(c, home - QPoint(3, 0));
        QVERIFY(began.isEmpty());
        move_hand(c, row->chip(u("b"))->geometry().center() - QPoint(5, 0));
        QCOMPARE(began.size(), 1);
        QCOMPARE(row->order(), QStringList({u("a"), u("c"), u("b")}));
        row->set_chips(abc, {});  // an answer that comes while the hand holds it
        QCOMPARE(row->order(), QStringList({u("a"), u("c"), u("b")}));
        move_hand(c, QPoint(-50, 0));
        QCOMPARE(row->order(), QStringList({u("c"), u("a"), u("b")}));
        QVERIFY(ended.isEmpty());
        QTest::keyClick(c, Qt::Key_Escape);
        QCOMPARE(row->order(), QStringList({u("a"), u("b"), u("c")}));
        QCOMPARE(chosen.last().at(0).toStringList(), row->order());
        QCOMPARE(ended.size(), 1);
        QTest::mouseRelease(c, Qt::LeftButton);
        QCOMPARE(ended.size(), 1);
        QCOMPARE(c->geometry().center(), home);
        row->set_chips({abc[1], abc[0], abc[2]}, {});
        QCOMPARE(row->order(), QStringList({u("b"), u("a"), u("c")}));
    }

    void what_may_not_be_is_not_chosen() {
        Shown<OrderChips> row(new OrderChips(u("Order")));
        row->set_chips(abc, [](const QStringList& ids) { return ids[0] == u("a") ? QString() : u("a must be first"); });
        QSignalSpy chosen(row.widget, &OrderChips::order_chosen);
        QAbstractButton* b = row->chip(u("b"));
        QTest::mousePress(b, Qt::LeftButton);
        move_hand(b, QPoint(0, 0));
        QCOMPARE(b->cursor().shape(), Qt::ForbiddenCursor);
        QVERIFY(chosen.isEmpty());
        move_hand(b, row->chip(u("c"))->geometry().center() + QPoint(30, 0));
        QCOMPARE(row->order(), QStringList({u("a"), u("c"), u("b")}));
        QVERIFY(b->cursor().shape() != Qt::ForbiddenCursor);
        QTest::mouseRelease(b, Qt::LeftButton);
        QCOMPARE(chosen.size(), 1);
    }

    void keys_move_chips_and_the_focus() {
        Shown<OrderChips> row(new OrderChips(u("Order")));
        row->set_chips(abc, {});
        QSignalSpy chosen(row.widget, &OrderChips::order_chosen), began(row.widget, &OrderChips::drag_began);
        QAbstractButton *a = row->chip(u("a")), *b = row->chip(u("b"));
        QCOMPARE(a->accessibleName(), u("alpha, 1 of 3"));
        QCOMPARE(a->accessibleDescription(), u("first"));
        a->setFocus();
        QTest::keyClick(a, Qt::Key_Right);
        QVERIFY(b->hasFocus() && chosen.isEmpty());
        QVERIFY(!(a->focusPolicy() & Qt::TabFocus) && b->focusPolicy() & Qt::TabFocus);  // one Tab stop
        QTest::keyClick(b, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(row->order(), QStringList({u("a"), u("c"), u("b")}));
        QCOMPARE(b->accessibleName(), u("beta, 3 of 3"));
        QTest::keyClick(b, Qt::Key_Right, Qt::AltModifier);  // at the end
        QCOMPARE(chosen.size(), 1);
        QTest::keyClick(b, Qt::Key_Home, Qt::AltModifier);
        QCOMPARE(row->order(), QStringList({u("b"), u("a"), u("c")}));
        QVERIFY(b->hasFocus() && began.isEmpty());
    }

    /// Notes go first; every chip stays in sight to the least width.
    void narrow_rows_keep_all_chips() {
        Shown<OrderChips> row(new OrderChips(u("Order")));
        row->set_chips(abc, {});
        for (const int width : {row->sizeHint().width(), row->sizeHint().width() - 1, row->minimumSizeHint().width()}) {
            row->setFixedWidth(width);
            QCoreApplication::processEvents();
            QCOMPARE(row->notes_shown(), width == row->sizeHint().width());
            int right = -1;
            for (const QString& id : row->order()) {
                QVERIFY(row->chip(id)->x() > right && row->chip(id)->width() >= 40);
                right = row->chip(id)->geometry().right();
            }
            QVERIFY(right < width);
        }
    }
};

QTEST_MAIN(TestWidgetsOrder)
#include "tst_widgets_order.moc"
