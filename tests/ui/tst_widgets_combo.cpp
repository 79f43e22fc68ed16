// SPDX-License-Identifier: GPL-3.0-or-later
// A choice with search.
#include <QAccessible>
#include <QListView>
#include <QScrollBar>
#include <QSignalSpy>

#include "support_widgets.hpp"
#include "ui/widgets/combo.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace widget_test;

namespace {

std::vector<ComboItem> links() {
    std::vector<ComboItem> items;
    const auto add = [&items](const char* id, const char* text, const char* detail, const char* section,
                              bool enabled = true) {
        ComboItem item;
        item.id = QString::fromLatin1(id), item.text = QString::fromLatin1(text),
        item.detail = QString::fromLatin1(detail);
        item.section = QString::fromLatin1(section), item.enabled = enabled;
        items.push_back(item);
    };
    add("ib70", "InfiniBand 70 Gb/s", "PALEO", "Between nodes");
    add("eth10", "Ethernet 10 Gb/s", "IEEE", "Between nodes");
    add("eth100", "Ethernet 100 Gb/s", "IEEE", "Between nodes");
    add("if100", "Infinity Fabric", "MI100", "Inside a node");
    add("if250", "Infinity Fabric", "MI250X", "Inside a node");
    add("nv2", "NVLink 2", "V100", "Inside a node");
    add("nv3", "NVLink 3", "A100", "Inside a node", false);
    add("nv4", "NVLink 4", "H100", "Inside a node");
    return items;
}

}  // namespace

class TestWidgetsCombo : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void combo_searches_and_takes() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->set_current(QStringLiteral("ib70"));
        combo->setFocus();
        QVERIFY(combo->is_searchable());
        QSignalSpy chosen(combo.widget, &Combo::chosen);
        QTest::keyClicks(combo.widget, QStringLiteral("i"));  // typing opens the list
        QVERIFY(combo->is_open());
        QWidget* popup = QApplication::activePopupWidget();
        QVERIFY(popup);
        QTest::keyClicks(popup, QStringLiteral("nfi"));
        auto* list = popup->findChild<QListView*>();
        QStringList shown;
        for (int i = 0; i < list->model()->rowCount(); ++i) shown << list->model()->index(i, 0).data().toString();
        QCOMPARE(shown, QStringList({QStringLiteral("Between nodes"), QStringLiteral("InfiniBand 70 Gb/s"),
                                     QStringLiteral("Inside a node"), QStringLiteral("Infinity Fabric"),
                                     QStringLiteral("Infinity Fabric")}));
        QTest::keyClick(popup, Qt::Key_Down);  // over the heading
        QTest::keyClick(popup, Qt::Key_Return);
        QVERIFY(!combo->is_open());
        QCOMPARE(combo->current(), QStringLiteral("if100"));
        QCOMPARE(chosen.size(), 1);
        QVERIFY(combo->hasFocus());
    }

    void combo_search_takes_words_of_all_columns() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->open(QStringLiteral("mi250 infi"));
        auto* list = QApplication::activePopupWidget()->findChild<QListView*>();
        QCOMPARE(list->model()->rowCount(), 2);
        QCOMPARE(list->currentIndex().data(Qt::UserRole).toString(), QStringLiteral("if250"));
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
        QVERIFY(!combo->is_open());
        QVERIFY(combo->current().isEmpty());
    }

    void combo_takes_the_name_that_begins_as_typed() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->open(QStringLiteral("e"));  // "Between nodes" has one too, and stands above InfiniBand
        auto* list = QApplication::activePopupWidget()->findChild<QListView*>();
        QCOMPARE(list->currentIndex().data(Qt::UserRole).toString(), QStringLiteral("eth10"));
        QTest::keyClicks(QApplication::activePopupWidget(), QStringLiteral("thernet 100"));
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
        QCOMPARE(combo->current(), QStringLiteral("eth100"));
    }

    void combo_that_finds_nothing_says_so() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->add_footer_action(QStringLiteral("duplicate"), QStringLiteral("Duplicate and edit…"));
        combo->open(QStringLiteral("xyz"));
        QWidget* popup = QApplication::activePopupWidget();
        auto* list = popup->findChild<QListView*>();
        QVERIFY(list->model()->index(0, 0).data().toString().contains(QStringLiteral("xyz")));
        QSignalSpy footer(combo.widget, &Combo::footer_chosen), chosen(combo.widget, &Combo::chosen);
        QTest::keyClick(popup, Qt::Key_Down);  // the action below stays within reach
        QTest::keyClick(popup, Qt::Key_Return);
        QCOMPARE(footer.size(), 1);
        QCOMPARE(footer.at(0).at(0).toString(), QStringLiteral("duplicate"));
        QCOMPARE(chosen.size(), 0);
    }

    void actions_stay_in_sight_below_a_long_list() {
        Shown combo(new Combo(QStringLiteral("Device")));
        std::vector<ComboItem> many;
        for (int i = 0; i < 60; ++i) many.push_back(combo_item(QString::number(i), QStringLiteral("Device %1").arg(i)));
        combo->set_items(many);
        combo->set_current(QStringLiteral("0"));
        combo->add_footer_action(QStringLiteral("duplicate"), QStringLiteral("Duplicate and edit…"));
        QSignalSpy footer(combo.widget, &Combo::footer_chosen);
        combo->open();
        QWidget* popup = QApplication::activePopupWidget();
        auto* actions = popup->findChild<QListView*>(QStringLiteral("comboActions"));
        auto* list = popup->findChild<QListView*>(QStringLiteral("comboList"));
        QVERIFY(actions && list && actions->isVisible());
        const QRect row = actions->visualRect(actions->model()->index(60, 0));
        QVERIFY(actions->viewport()->rect().contains(row));
        QVERIFY(popup->rect().contains(QRect(actions->viewport()->mapTo(popup, row.topLeft()), row.size())));
        QVERIFY(!list->geometry().intersects(actions->geometry()));
        QVERIFY(list->verticalScrollBar()->maximum() > 0);
        QTest::keyClick(popup, Qt::Key_Up);  // from the first row around
        QCOMPARE(list->currentIndex().row(), 60);
        QVERIFY(actions->selectionModel()->isSelected(actions->model()->index(60, 0)));
        QTest::mouseClick(actions->viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(footer.size(), 1);
        QVERIFY(!combo->is_open());
    }

    void combo_steps_while_closed_and_passes_what_is_off() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->set_current(QStringLiteral("nv2"));
        combo->setFocus();
        QTest::keyClick(combo.widget, Qt::Key_Down);
        QCOMPARE(combo->current(), QStringLiteral("nv4"));  // nv3 is off
        QTest::keyClick(combo.widget, Qt::Key_Down);
        QCOMPARE(combo->current(), QStringLiteral("nv4"));
        QTest::keyClick(combo.widget, Qt::Key_Up);
        QCOMPARE(combo->current(), QStringLiteral("nv2"));
        QSignalSpy chosen(combo.widget, &Combo::chosen);
        QTest::keyClick(combo.widget, Qt::Key_Home);
        QCOMPARE(combo->current(), QStringLiteral("ib70"));
        QCOMPARE(chosen.size(), 1);
        QTest::keyClick(combo.widget, Qt::Key_Home);
        QCOMPARE(chosen.size(), 1);  // the same again is no choice
        QTest::keyClick(combo.widget, Qt::Key_End);
        QCOMPARE(combo->current(), QStringLiteral("nv4"));
        wheel(combo.widget, -1);
        QCOMPARE(combo->current(), QStringLiteral("nv4"));  // the wheel belongs to the panel
    }

    void combo_takes_a_click() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->set_current(QStringLiteral("ib70"));
        QTest::mouseClick(combo.widget, Qt::LeftButton);
        QVERIFY(combo->is_open());
        QWidget* popup = QApplication::activePopupWidget();
        auto* list = popup->findChild<QListView*>();
        QTest::keyClick(popup, Qt::Key_Down);
        QCOMPARE(list->currentIndex().data(Qt::UserRole).toString(), QStringLiteral("eth10"));
        const QRect row = list->visualRect(list->model()->index(3, 0));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(combo->current(), QStringLiteral("eth100"));
        QVERIFY(!combo->is_open());
    }

    void combo_is_one_for_assistive_tools() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->set_current(QStringLiteral("nv2"));
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(combo.widget);
        QCOMPARE(face->role(), QAccessible::ComboBox);
        QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Link"));
        QCOMPARE(face->text(QAccessible::Value), QStringLiteral("NVLink 2"));
        QVERIFY(face->state().collapsed);
        face->actionInterface()->doAction(QAccessibleActionInterface::showMenuAction());
        QVERIFY(combo->is_open());
        combo->close_popup();
    }

    void combo_shows_what_it_does_not_know() {
        Combo combo(QStringLiteral("Device"));
        combo.set_items(links());
        combo.set_current(QStringLiteral("mine"), QStringLiteral("my device (not in the catalogue)"));
        QCOMPARE(combo.current(), QStringLiteral("mine"));
        QCOMPARE(combo.current_text(), QStringLiteral("my device (not in the catalogue)"));
    }

    void a_long_list_scrolls() {
        Shown combo(new Combo(QStringLiteral("Device")));
        std::vector<ComboItem> many(2000);
        for (std::size_t i = 0; i < many.size(); ++i) many[i].id = many[i].text = QStringLiteral("device %1").arg(i);
        combo->set_items(many);
        combo->set_current(QStringLiteral("device 1500"));
        combo->open();
        QWidget* popup = QApplication::activePopupWidget();
        QVERIFY(popup->height() < 400);
        auto* list = popup->findChild<QListView*>();
        QCOMPARE(list->currentIndex().row(), 1500);
        QVERIFY(list->viewport()->rect().intersects(list->visualRect(list->currentIndex())));
        combo->close_popup();
    }
};

QTEST_MAIN(TestWidgetsCombo)
#include "tst_widgets_combo.moc"
