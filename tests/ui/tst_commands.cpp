// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette over the real window: what it finds, and what comes of it.
#include <QAccessible>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QSet>
#include <QToolButton>

#include "core/scenario/fields.hpp"
#include "support_window.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/commands/command_palette.hpp"
#include "ui/lessons/lesson_language.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/window/lesson_desk.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestCommands : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    CommandPalette* palette() { return find<CommandPalette>("commandPalette"); }
    void open_palette() {
        find<QAction>("commands")->trigger();
        QVERIFY(palette()->isVisible());
    }
    void type(const char* text) {
        palette()->search()->clear();
        QTest::keyClicks(palette()->search(), QString::fromUtf8(text));
    }
    void key(int k) { QTest::keyClick(palette()->search(), static_cast<Qt::Key>(k)); }
    QString title() { return palette()->current() ? palette()->current()->title : QString(); }
    /// Types, does the first, and waits until it is done.
    void perform(const char* text) {
        open_palette();
        type(text);
        key(Qt::Key_Return);
        QVERIFY(!palette()->isVisible());
        settle();
        settle();
    }
    QSet<QString> titles() {
        QSet<QString> all;
        const auto& model = palette()->commands();
        for (int row = 0; row < model.rowCount(); ++row)
            if (const Command* c = model.command(row)) all.insert(c->title);
        return all;
    }
    const Command* called(const QString& title) {
        const auto& model = palette()->commands();
        for (int row = 0; row < model.rowCount(); ++row)
            if (const Command* c = model.command(row); c && c->title == title) return c;
        return nullptr;
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        QSettings().remove(QStringLiteral("commands/recent"));
        open();
    }
    void cleanup() { window_.reset(); }

    void everything_is_in_it() {
        open_palette();
        const QSet<QString> all = titles();
        int actions = 0;
        std::function<void(const QMenu&)> look = [&](const QMenu& menu) {
            for (const QAction* a : menu.actions()) {
                if (a->menu()) {
                    look(*a->menu());
                    continue;
                }
                if (a->isSeparator() || !a->isVisible()) continue;
                QVERIFY2(all.contains(QString(a->text()).remove(QLatin1Char('&')).section(QLatin1Char('\t'), 0, 0)),
                         qPrintable(a->text()));
                ++actions;
            }
        };
        for (const QAction* a : window_->menuBar()->actions()) look(*a->menu());
        QVERIFY(actions > 40);
        const auto& library = window_->library();
        for (const auto& p : library.networks) QVERIFY2(all.contains(QString::fromStdString(p.name)), p.id.c_str());
        for (const auto& p : library.scenarios) QVERIFY2(all.contains(QString::fromStdString(p.name)), p.id.c_str());
        for (const auto& l : library.lessons) QVERIFY2(all.contains(title_in_language(l)), l.id.c_str());
        for (const auto& d : library.catalogue.devices) QVERIFY(all.contains(QString::fromStdString(d.name)));
        for (const auto& c : library.catalogue.clusters) QVERIFY(all.contains(QString::fromStdString(c.name)));
        for (const auto& l : library.catalogue.links)  // the list has them without "(PALEO)"
            QVERIFY2(all.contains(QString::fromStdString(l.name).section(QStringLiteral(" (PALEO)"), 0, 0)),
                     l.id.c_str());
        for (const Field& f : all_fields())
            QVERIFY2(all.contains(QString::fromUtf8(f.label.data(), qsizetype(f.label.size()))), f.path.data());
        for (const auto& chart : window_->charts())
            QVERIFY2(all.contains(chart.second->title()), qPrintable(chart.first));
    }

    /// Ids say what was used lately: no two commands share one, and all can be done or say why not.
    void ids_are_unique() {
        open_palette();
        QSet<QString> ids;
        const auto& model = palette()->commands();
        for (int row = 0; row < model.rowCount(); ++row) {
            const Command* c = model.command(row);
            QVERIFY(c && c->run && !c->title.isEmpty() && !c->place.isEmpty());
            QVERIFY2(!ids.contains(c->id), qPrintable(c->id));
            ids.insert(c->id);
        }
    }

    void an_action_is_found_and_done() {
        perform("cluster");
        open_palette();
        type("layer tab");
        QCOMPARE(title(), QStringLiteral("Layer table"));
        QCOMPARE(palette()->current()->place, QStringLiteral("View"));
        QVERIFY(palette()->current()->keys.startsWith(QLatin1String("Ctrl+")));
        key(Qt::Key_Escape);
        QVERIFY(!palette()->isVisible());
    }

    void what_is_off_says_why_and_does_nothing() {
        open_palette();
        type("undo");
        QCOMPARE(title(), QStringLiteral("Undo"));
        QVERIFY(!palette()->current()->enabled);
        QCOMPARE(palette()->current()->why_not, QStringLiteral("Nothing has been changed yet"));
        key(Qt::Key_Return);
        QVERIFY(palette()->isVisible());
        QVERIFY(palette()->search()->accessibleDescription().contains(QStringLiteral("Nothing has been changed yet")));
        key(Qt::Key_Escape);
    }

    void a_preset_is_one_undo_step() {
        const Scenario before = scenario();
        perform("vgg-16");
        QCOMPARE(QString::fromStdString(scenario().network()->name()), QStringLiteral("VGG-16"));
        QCOMPARE(window_->document().history().count(), 1);
        window_->document().history().undo();
        QVERIFY(scenario() == before);
        perform("tesla v100 device");
        QVERIFY(QString::fromStdString(scenario().cluster.device.name).contains(QStringLiteral("V100")));
    }

    void a_lesson_is_found_and_opened() {
        perform("pipeline schedules");
        QVERIFY(window_->lessons().is_open());
        QCOMPARE(window_->lessons().run()->lesson().steps.size(), std::size_t{6});
    }

    void a_setting_is_set_as_it_is_typed() {
        open_palette();
        type("workers 16");
        QCOMPARE(title(), QStringLiteral("Set Workers to 16"));
        key(Qt::Key_Return);
        settle();
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{16});
        QCOMPARE(window_->document().history().count(), 1);
        perform("batch = 256");
        QCOMPARE(scenario().training.batch, std::int64_t{256});
        QCOMPARE(window_->document().history().count(), 2);
        open_palette();
        type("workers = 0");
        QVERIFY(!palette()->current()->enabled);
        QVERIFY2(palette()->current()->why_not.contains(QStringLiteral("from 1 to")),
                 qPrintable(palette()->current()->why_not));
        key(Qt::Key_Return);
        QCOMPARE(window_->document().history().count(), 2);
        type("workers 16");
        QVERIFY(!palette()->current()->enabled);  // it is so already
    }

    void a_field_leads_to_its_control() {
        perform("accumulation");
        QCOMPARE(window_->focusWidget()->objectName(), QStringLiteral("accumulation"));
        perform("optimizer setting");
        QVERIFY(window_->focusWidget());
    }

    void a_chart_gets_the_keyboard() {
        perform("speedup chart");
        QVERIFY(window_->focusWidget() == find<SpeedupChart>("speedupChart"));
    }

    void keys_go_through_the_list() {
        open_palette();
        const int rows = palette()->commands().rowCount();
        const auto row = [&] { return palette()->list()->currentIndex().row(); };
        QCOMPARE(row(), 0);
        key(Qt::Key_Down);
        QCOMPARE(row(), 1);
        key(Qt::Key_PageDown);
        QCOMPARE(row(), 9);
        key(Qt::Key_PageUp);
        QCOMPARE(row(), 1);
        key(Qt::Key_End);
        QCOMPARE(row(), rows - 1);
        key(Qt::Key_Down);
        QCOMPARE(row(), 0);
        key(Qt::Key_Up);
        QCOMPARE(row(), rows - 1);
        key(Qt::Key_Home);
        QCOMPARE(row(), 0);
        type("no such thing at all, surely");
        QVERIFY(!palette()->current());
        QCOMPARE(palette()->commands().rowCount(), 1);
        key(Qt::Key_Return);
        QVERIFY(palette()->isVisible());
    }

    void what_was_used_lately_comes_first() {
        perform("speedup chart");
        open_palette();
        QCOMPARE(palette()->current()->id, QStringLiteral("chart:speedup"));
        type("reset lay");
        key(Qt::Key_Return);
        settle();
        open_palette();
        QCOMPARE(title(), QStringLiteral("Reset layout"));
        key(Qt::Key_Down);
        QCOMPARE(palette()->current()->id, QStringLiteral("chart:speedup"));
    }

    void it_is_told_to_screen_readers() {
        open_palette();
        QVERIFY(!palette()->search()->accessibleName().isEmpty());
        QVERIFY(!palette()->list()->accessibleName().isEmpty());
        type("save");
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(palette()->list());
        QVERIFY(list && list->child(0));
        const QString first = list->child(0)->text(QAccessible::Name);
        QVERIFY2(first.startsWith(QStringLiteral("Save, File")), qPrintable(first));
        QVERIFY(palette()->search()->accessibleDescription().startsWith(QStringLiteral("Save")));
    }

    /// No empty ground below one row, and all rows again for more.
    void it_is_as_high_as_what_is_found() {
        open_palette();
        const int all = palette()->height();
        type("high contrast");
        QVERIFY2(palette()->height() < all / 2, qPrintable(QString::number(palette()->height())));
        QVERIFY(palette()->rect().contains(palette()->search()->geometry()));
        type("");
        QCOMPARE(palette()->height(), all);
    }

    void it_stands_inside_a_small_window() {
        resize(1024, 700);
        QTest::mouseClick(find<QToolButton>("commandsButton"), Qt::LeftButton);
        QVERIFY(palette()->isVisible());
        const QRect window(window_->mapToGlobal(QPoint(0, 0)), window_->size());
        QVERIFY(window.contains(palette()->geometry()));
    }
};

QTEST_MAIN(TestCommands)
#include "tst_commands.moc"
