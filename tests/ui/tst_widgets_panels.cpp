// SPDX-License-Identifier: GPL-3.0-or-later
// What holds other widgets: cards, banners, tabs, forms, the status line.
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include "support_widgets.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/status_line.hpp"
#include "ui/widgets/tabs.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace widget_test;

class TestWidgetsPanels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void a_label_says_what_it_has_room_for() {
        ElidedLabel label;
        label.set_choices({u("365 layers in 28 boxes"), u("365 layers")});
        const int all = label.fontMetrics().horizontalAdvance(u("365 layers in 28 boxes")),
                  less = label.fontMetrics().horizontalAdvance(u("365 layers"));
        label.resize(all, 20);
        QCOMPARE(label.shown(), u("365 layers in 28 boxes"));
        label.resize(all - 1, 20);
        QCOMPARE(label.shown(), u("365 layers"));
        label.resize(less - 1, 20);
        QCOMPARE(label.shown(), QString());
    }

    void two_forms_are_one_column() {
        Form one, other;
        auto *name = new QLineEdit, *window = new QLineEdit;
        one.add_row(u("Name"), name);
        other.add_row(u("A label of some length"), window);
        Form::align(one, other);
        for (Form* form : {&one, &other}) form->resize(300, 40), form->show();
        QCOMPARE(name->x(), window->x());
        QVERIFY(name->x() > 62);
    }

    void dock_card_floats_closes_and_has_named_buttons() {
        QMainWindow window;
        auto* dock = new DockCard(u("Network"), u("network"));
        window.addDockWidget(Qt::LeftDockWidgetArea, dock);
        show(window, 600, 400);
        QCOMPARE(dock->objectName(), u("network"));
        QCOMPARE(dock->title_row()->height(), space::card_title);
        QVERIFY(dock->title_row()->float_button()->accessibleName().contains(u("Network")));
        QTest::mouseClick(dock->title_row()->float_button(), Qt::LeftButton);
        QVERIFY(dock->isFloating());
        QTest::mouseClick(dock->title_row()->float_button(), Qt::LeftButton);
        QVERIFY(!dock->isFloating());
        QTest::mouseClick(dock->title_row()->close_button(), Qt::LeftButton);
        QVERIFY(!dock->isVisible());
    }

    void dock_card_pages_are_tabs_of_the_title_row() {
        DockCard dock(u("Cluster"), u("cluster"));
        dock.body()->add(new QLabel(u("one")));
        dock.add_page(u("Cost model"))->add(new QLabel(u("two")));
        show(dock, 300, 200);
        QPushButton* second = nullptr;
        for (auto* button : dock.findChildren<QPushButton*>())
            if (button->text() == u("Cost model")) second = button;
        QVERIFY(second);
        QTest::mouseClick(second, Qt::LeftButton);
        QCOMPARE(dock.current_page(), 1);
        dock.set_current_page(0);
        QCOMPARE(dock.current_page(), 0);
    }

    void a_low_dock_scrolls_without_narrowing_its_content() {
        DockCard dock(u("Why"), u("why"));
        QList<QLabel*> labels;
        for (int i = 0; i < 30; ++i) {
            labels << new QLabel(u("a line of text"));
            dock.body()->add(labels.last());
        }
        show(dock, 300, 900);
        const int wide = labels[0]->width();
        dock.resize(300, 200);
        QCoreApplication::processEvents();
        QCOMPARE(dock.height(), 200);
        QCOMPARE(labels[0]->width(), wide);
    }

    void banner_buttons_and_close() {
        Banner banner(Banner::Kind::error, Banner::Form::box);
        banner.set_text(u("a<b was not opened."), u("AlexNet is still shown."));
        auto* fix = banner.add_button(u("Set stride to 1"), true);
        banner.set_closable(true);
        show(banner, 300, 120);
        QSignalSpy clicked(fix, &QPushButton::clicked), closed(&banner, &Banner::closed);
        QTest::mouseClick(fix, Qt::LeftButton);
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(banner.accessibleName(), u("a<b was not opened. AlexNet is still shown."));
        QTest::mouseClick(banner.findChild<QToolButton*>(), Qt::LeftButton);
        QCOMPARE(closed.size(), 1);
        QVERIFY(banner.isHidden());
        banner.remove_buttons();
        QCOMPARE(banner.findChildren<QPushButton*>().size(), 1);  // deleted later
    }

    /// A long description takes one line until somebody asks for all of it.
    void a_brief_banner_has_one_line() {
        Banner banner(Banner::Kind::info, Banner::Form::box);
        const QString text = u("A recipe of the manual, with its sizes and measured times. ").repeated(6).trimmed();
        banner.set_closable(true);
        banner.set_brief(text);
        show(banner, 500, 60);
        const int line = banner.sizeHint().height();
        QCOMPARE(banner.accessibleName(), text);
        auto* more = banner.findChildren<QToolButton*>().back();
        QCOMPARE(more->accessibleName(), u("Show the whole text"));
        QVERIFY(more->isVisible());
        QVERIFY(banner.findChild<ElidedLabel*>()->shown() != text);
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(!more->isVisible());
        QVERIFY(banner.heightForWidth(500) > line + 20);
        banner.set_brief(u("One line."));
        QVERIFY(!more->isVisible());
        QCOMPARE(banner.findChild<ElidedLabel*>()->shown(), u("One line."));
        banner.set_text({}, text);
        QVERIFY(!banner.findChild<ElidedLabel*>()->isVisible());
    }

    void bottom_tabs_open_and_fold() {
        BottomTabs tabs;
        tabs.add_tab(u("problems"), u("Problems"));
        tabs.add_tab(u("table"), u("Layer table"));
        tabs.set_count(u("problems"), 4);
        show(tabs, 600, space::bottom_tabs);
        QCOMPARE(tabs.tab(u("problems"))->accessibleName(), u("Problems, 4"));
        QSignalSpy changed(&tabs, &BottomTabs::current_changed);
        QTest::mouseClick(tabs.tab(u("table")), Qt::LeftButton);
        QCOMPARE(tabs.current(), u("table"));
        QTest::mouseClick(tabs.tab(u("table")), Qt::LeftButton);
        QVERIFY(tabs.current().isEmpty());
        QVERIFY(!tabs.tab(u("table"))->isChecked());
        auto* fold = tabs.findChild<QToolButton*>();
        QTest::mouseClick(fold, Qt::LeftButton);  // opens what was open last
        QCOMPARE(tabs.current(), u("table"));
        QTest::mouseClick(fold, Qt::LeftButton);
        QVERIFY(tabs.current().isEmpty());
        QCOMPARE(changed.size(), 4);
        tabs.tab(u("problems"))->setFocus();
        QTest::keyClick(tabs.tab(u("problems")), Qt::Key_Space);
        QCOMPARE(tabs.current(), u("problems"));
    }

    void side_tabs_unfold_one() {
        SideTabs tabs;
        tabs.add_tab(u("why"), u("Why"));
        tabs.add_tab(u("numbers"), u("Numbers"));
        show(tabs, 32, 400);
        QSignalSpy changed(&tabs, &SideTabs::current_changed);
        QTest::mouseClick(tabs.tab(u("numbers")), Qt::LeftButton);
        QCOMPARE(tabs.current(), u("numbers"));
        QVERIFY(tabs.tab(u("numbers"))->height() > tabs.tab(u("numbers"))->width());
        QTest::mouseClick(tabs.tab(u("numbers")), Qt::LeftButton);
        QVERIFY(tabs.current().isEmpty());
        QCOMPARE(changed.size(), 2);
    }

    void status_line_reads_and_leads_to_problems() {
        StatusLine line;
        line.set_messages({u("1 shape problem")}, StatusLine::State::error);
        line.set_figures({{u("Step"), u("238.9 ms"), u("−17.7 %"), Change::better}});
        line.set_context({u("AlexNet"), u("32 workers")});
        show(line, 700, 26);
        line.grab();
        QCOMPARE(line.accessibleDescription(), u("1 shape problem; Step 238.9 ms; AlexNet; 32 workers"));
        QSignalSpy clicked(&line, &StatusLine::message_clicked);
        QTest::mouseClick(&line, Qt::LeftButton, {}, {30, 13});
        QCOMPARE(clicked.size(), 1);
        QTest::mouseClick(&line, Qt::LeftButton, {}, {600, 13});
        QCOMPARE(clicked.size(), 1);
        line.set_messages({u("Ready")});
        QTest::mouseClick(&line, Qt::LeftButton, {}, {30, 13});
        QCOMPARE(clicked.size(), 1);
    }

    /// Half a figure says nothing: the context gives way to the first message, and later messages are left out whole.
    void a_narrow_status_line_gives_way() {
        StatusLine line;
        const QStringList messages{u("1 problem of the drawn network; prices are those of the last one"),
                                   u("computed in 1.1 ms"), u("drawn in 8.8 ms")};
        line.set_messages(messages, StatusLine::State::error);
        line.set_context({u("AlexNet, one tower"), u("data parallel"), u("32 workers")});
        bool without_context = false, without_times = false;
        for (int width = 1200; width >= 300; width -= 7) {
            show(line, width, 26);
            line.grab();
            QStringList shown = line.shown();
            without_context = without_context || !shown.join(QLatin1Char('|')).contains(u("AlexNet"));
            shown.removeAll(u("AlexNet, one tower · data parallel · 32 workers"));
            QCOMPARE(shown, messages.mid(0, shown.size()));
            QVERIFY(!shown.isEmpty());
            without_times = without_times || shown.size() == 1;
        }
        QVERIFY(without_context && without_times);
        show(line, 1200, 26);
        line.grab();
        QCOMPARE(line.shown().size(), 4);
    }

    void search_field_passes_movement_on() {
        SearchField field(u("Search commands"));
        show(field, 260, 28);
        QSignalSpy moved(&field, &SearchField::moved), escaped(&field, &SearchField::escaped);
        QTest::keyClick(&field, Qt::Key_Down);
        QCOMPARE(moved.at(0).at(0).toInt(), 1);
        QTest::keyClicks(&field, u("pin"));
        QTest::keyClick(&field, Qt::Key_Escape);
        QVERIFY(field.text().isEmpty());
        QCOMPARE(escaped.size(), 0);
        QTest::keyClick(&field, Qt::Key_Escape);
        QCOMPARE(escaped.size(), 1);
    }

    void form_names_its_controls() {
        Form form;
        auto* field = new NumberField(QString());
        form.add_row(u("Nodes"), field, u("8.75 GB/s each way"));
        QCOMPARE(field->accessibleName(), u("Nodes"));
        show(form, 250, 80);
        QVERIFY(field->isVisible());
        form.set_row_visible(field, false);
        QVERIFY(!field->isVisible());
        for (auto* label : form.findChildren<QLabel*>()) QVERIFY(!label->isVisible());
        form.set_row_visible(field, true);
        for (auto* label : form.findChildren<QLabel*>()) QVERIFY(label->isVisible());
    }
};

QTEST_MAIN(TestWidgetsPanels)
#include "tst_widgets_panels.moc"
