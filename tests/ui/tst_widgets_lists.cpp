// SPDX-License-Identifier: GPL-3.0-or-later
// The layer list, the key figures and the pinned rows.
#include <QListView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

#include "support_widgets.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/layer_list.hpp"
#include "ui/widgets/pin_row.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace widget_test;

namespace {

std::vector<LayerRow> many_layers(int count, double scale = 1) {
    std::vector<LayerRow> rows(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        LayerRow& row = rows[static_cast<std::size_t>(i)];
        row.id = row.name = QStringLiteral("layer%1").arg(i);
        row.shape = u("26×26×192");
        row.value = scale * (i % 37);
    }
    return rows;
}

}  // namespace

class TestWidgetsLists : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void layer_list_selects_by_mouse_and_keys() {
        LayerList list;
        list.set_rows(many_layers(30));
        show(list, 240, 300);
        QSignalSpy selected(&list, &LayerList::selected_changed), hovered(&list, &LayerList::hovered);
        QListView* view = list.view();
        const auto middle = [&](int row) { return view->visualRect(list.model()->index(row, 0)).center(); };
        QTest::mouseMove(view->viewport(), middle(1));
        QTest::mouseMove(view->viewport(), middle(2));
        QTRY_VERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last().at(0).toString(), u("layer2"));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, middle(2));
        QCOMPARE(list.selected(), u("layer2"));
        QCOMPARE(selected.size(), 1);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Down);
        QCOMPARE(list.selected(), u("layer3"));
        QCOMPARE(selected.last().at(0).toString(), u("layer3"));
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(list.selected().isEmpty());
        const auto before = selected.size();
        list.set_selected(u("layer7"));
        QCOMPARE(list.selected(), u("layer7"));
        QCOMPARE(selected.size(), before);  // by program: silent
    }

    void layer_list_keeps_its_selection_when_the_network_changes() {
        LayerList list;
        list.set_rows(many_layers(30));
        list.set_selected(u("layer5"));
        QSignalSpy selected(&list, &LayerList::selected_changed);
        list.set_rows(many_layers(30, 2));
        QCOMPARE(list.selected(), u("layer5"));
        auto fewer = many_layers(30);
        fewer.erase(fewer.begin(), fewer.begin() + 3);
        list.set_rows(fewer);
        QCOMPARE(list.selected(), u("layer5"));
        QCOMPARE(list.view()->currentIndex().row(), 2);
        QCOMPARE(selected.size(), 0);
    }

    void a_thousand_layers_scroll_and_draw_only_what_is_seen() {
        LayerList list;
        list.set_rows(many_layers(1000));
        list.set_total(u("Step"), u("1.00"));
        show(list, 240, 400);
        QSignalSpy reset(list.model(), &QAbstractItemModel::modelReset),
            changed(list.model(), &QAbstractItemModel::dataChanged);
        list.set_rows(many_layers(1000, 1.01));
        QCOMPARE(reset.size(), 0);  // a drag sets new values: a repaint, no more
        QCOMPARE(changed.size(), 1);
        QListView* view = list.view();
        QVERIFY(view->height() < 400);
        const int before = view->verticalScrollBar()->value();
        const QPointF at(view->viewport()->rect().center());
        QWheelEvent wheel(at, view->viewport()->mapToGlobal(at), {}, {0, -360}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view->viewport(), &wheel);
        QVERIFY(view->verticalScrollBar()->value() > before);
        list.set_selected(u("layer900"));
        QVERIFY(view->viewport()->rect().intersects(view->visualRect(view->currentIndex())));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_End);
        QCOMPARE(list.selected(), u("layer999"));
        QTest::keyClick(view, Qt::Key_PageUp);
        QVERIFY(list.selected() != u("layer999"));
        QTest::keyClick(view, Qt::Key_Home);
        QCOMPARE(list.selected(), u("layer0"));
        QSignalSpy activated(&list, &LayerList::activated);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated.at(0).at(0).toString(), u("layer0"));
    }

    void bars_of_layers_are_in_proportion() {
        std::vector<LayerRow> rows = many_layers(3);
        rows[0].value = 100, rows[1].value = 50, rows[2].value = 0;
        LayerList list;
        list.set_rows(rows);
        show(list, 300, 140);
        const QImage shot = list.grab().toImage();
        const auto length = [&](int row) {
            const QRect box = list.view()->visualRect(list.model()->index(row, 0)).translated(list.view()->pos());
            int n = 0;
            for (int x = box.left(); x <= box.right(); ++x)
                n += shot.pixelColor(x, box.center().y()) == Theme::light().update;
            return n;
        };
        QVERIFY(length(0) > 8);
        QVERIFY(std::abs(length(0) - 2 * length(1)) <= 2);
        QCOMPARE(length(2), 0);
    }

    void layer_rows_are_read_aloud_whole() {
        LayerList list;
        list.set_rows(many_layers(3));
        const QString text = list.model()->index(2, 0).data(Qt::AccessibleTextRole).toString();
        QCOMPARE(text, u("layer2, 26×26×192, 2.00 ms per step"));
        list.set_formats([](double value) { return QString::number(value); },
                         [](double share) { return QStringLiteral("%1 %").arg(100 * share); });
        auto rows = many_layers(3);
        rows[1].share = 0.25;
        rows[1].note = u("frozen");
        list.set_rows(rows);
        QCOMPARE(list.model()->index(1, 0).data(Qt::AccessibleTextRole).toString(),
                 u("layer1, 26×26×192, 1 ms per step, frozen · 25 %"));
        QCOMPARE(list.model()->index(1, 0).data(Qt::ToolTipRole).toString(), u("layer1\nfrozen · 25 %"));
    }

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
