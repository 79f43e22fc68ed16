// SPDX-License-Identifier: GPL-3.0-or-later
// The key figures and the pinned rows.
#include <QSignalSpy>
#include <QToolButton>

#include "support_widgets.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/pin_row.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace widget_test;

class TestWidgetsLists : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void key_figures_are_a_table_as_tall_as_their_rows() {
        KeyFigures table;
        table.set_rows(
            {{u("step"), u("Step"), u("ms"), u("238.9"), u("290.3"), u("−17.7 %"), Change::better, true, false, {}},
             {u("speedup"), u("Speedup"), u("×"), u("16.6"), u("19.3"), u("−14.1 %"), Change::worse, false, false, {}},
             {u("forward"),
              u("Forward"),
              u("ms"),
              u("33.2"),
              u("46.8"),
              u("−29.2 %"),
              Change::better,
              false,
              true,
              {}}});
        const int bare = table.sizeHint().height();
        QCOMPARE(bare, 3 * space::table_row + 9);
        table.set_pin(u("A"));
        QVERIFY(table.sizeHint().height() > bare);
        QVERIFY(!table.isColumnHidden(KeyFigureModel::difference_column));
        show(table, 268, table.sizeHint().height());
        QCOMPARE(table.figures().index(0, KeyFigureModel::difference_column).data(Qt::AccessibleTextRole).toString(),
                 u("−17.7 %, better"));
        QCOMPARE(table.figures().index(1, KeyFigureModel::difference_column).data(Qt::AccessibleTextRole).toString(),
                 u("−14.1 %, worse"));
        QCOMPARE(
            table.figures().headerData(KeyFigureModel::difference_column, Qt::Horizontal, Qt::DisplayRole).toString(),
            u("vs A"));
        QSignalSpy activated(&table, &KeyFigures::figure_activated);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.figures().index(1, 0)).center());
        QCOMPARE(activated.last().at(0).toString(), u("speedup"));
        QTest::keyClick(&table, Qt::Key_Down);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(activated.last().at(0).toString(), u("forward"));
    }

    void pin_row_has_its_three_buttons() {
        PinRow row(1);
        row.set_name(u("Tesla K40"));
        show(row, 260, 28);
        QCOMPARE(row.accessibleName(), u("Pinned scenario B: Tesla K40"));
        QSignalSpy rename(&row, &PinRow::rename_clicked), swap(&row, &PinRow::swap_clicked),
            unpin(&row, &PinRow::unpin_clicked);
        for (auto* button : row.findChildren<QToolButton*>()) {
            QVERIFY(!button->accessibleName().isEmpty());
            QTest::mouseClick(button, Qt::LeftButton);
        }
        QCOMPARE(rename.size(), 1);
        QCOMPARE(swap.size(), 1);
        QCOMPARE(unpin.size(), 1);
        QSignalSpy clicked(&row, &PinRow::clicked);
        QTest::mouseClick(&row, Qt::LeftButton, {}, {60, 14});
        QCOMPARE(clicked.size(), 1);
        QTest::mouseClick(&row, Qt::RightButton, {}, {60, 14});
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(pin_dashes(0), QVector<qreal>({5, 3}));
        QVERIFY(pin_dashes(0) != pin_dashes(1) && pin_dashes(1) != pin_dashes(2) && pin_dashes(2) != pin_dashes(3));
    }
};

QTEST_MAIN(TestWidgetsLists)
#include "tst_widgets_lists.moc"
