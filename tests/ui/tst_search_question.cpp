// SPDX-License-Identifier: GPL-3.0-or-later
// What the window that finds the best is asked, with mouse and keys: fields, values, conditions, objectives.
#include <QCheckBox>
#include <QCompleter>
#include <QLabel>
#include <QToolButton>

#include "core/search/ask.hpp"
#include "support_search.hpp"
#include "ui/search/best_by.hpp"
#include "ui/search/search_session.hpp"
#include "ui/search/vary_row.hpp"
#include "ui/search/word_completer.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/pick_list.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestSearchQuestion : public QObject, private window_test::SearchFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open_finder(); }
    void cleanup() { window_.reset(); }

    void it_opens_by_its_shortcut() {
        window_.reset();
        open();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTest::keyClick(window_.get(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(finder().isVisible());
        QCOMPARE(vary().rows(), 3);
        QVERIFY(in<QLabel>("searchSize")->text().contains(QStringLiteral("combinations")));
    }

    /// As long as nobody has said what to vary, another kind of cluster has its own fields; what was said stays.
    void its_first_question_follows_the_cluster() {
        const auto first = [this] { return document().asked().vary.front().path; };
        QCOMPARE(first(), std::string("cluster.workers"));
        window_->open_scenario_preset(QStringLiteral("alexnet-cpu-cluster"));
        settle();
        QCOMPARE(first(), std::string("cpu.replicas"));
        QVERIFY(document().size().problems.empty());
        QTest::mouseClick(vary().row(0)->remove_button(), Qt::LeftButton);
        QCOMPARE(first(), std::string("cpu.partitions"));
        window_->open_scenario_preset(QStringLiteral("resnet-50-p100-servers"));
        settle();
        QCOMPARE(first(), std::string("cpu.partitions"));
    }

    /// A network of tokens is asked about in a sentence; its numbers write the rows, and a row that is changed makes
    /// the question a person's own.
    void a_sentence_writes_the_question() {
        window_->open_scenario_preset(QStringLiteral("llama-3-8b-h100"));
        settle();
        auto* question = in<Combo>("question");
        QCOMPARE(question->current(), QStringLiteral("fastest-mesh"));
        QVERIFY(in<NumberField>("askDevices")->isVisible() && !in<NumberField>("askDays")->isVisible());
        QCOMPARE(in<NumberField>("askDevices")->value(), static_cast<double>(scenario().cluster.workers));
        emit question->chosen(QStringLiteral("fewest-devices"));
        QVERIFY(in<NumberField>("askDays")->isVisible() && !in<NumberField>("askDevices")->isVisible());
        QCOMPARE(document().asked().where, std::vector<std::string>{"time <= 30 d"});
        in<NumberField>("askDays")->choose(7);
        QCOMPARE(document().asked().where, std::vector<std::string>{"time <= 7 d"});
        QVERIFY(document().asked().objectives.front() == search::Metric::devices);
        QVERIFY(document().size().problems.empty());
        emit question->chosen(QStringLiteral("own"));
        QVERIFY(!in<NumberField>("askDays")->isVisible());
        QCOMPARE(document().asked().where, std::vector<std::string>{"time <= 7 d"});
        emit question->chosen(QStringLiteral("fastest-mesh"));
        QTest::mouseClick(vary().row(0)->remove_button(), Qt::LeftButton);
        QCOMPARE(question->current(), QStringLiteral("own"));
        // What is asked and how outlives the file.
        document().ask(search::Ask::fewest_devices, {64, 12.5, 3});
        QVERIFY(*search::read_asked(search::asked_json(document().asked()), "question") == document().asked());
    }

    /// A field by its first letters, values that make sense at once, an error while typing, and the way out of it.
    void a_field_is_picked_and_its_values_are_typed() {
        QTest::mouseClick(in<QPushButton>("varyAdd"), Qt::LeftButton);
        QCOMPARE(vary().rows(), 4);
        Combo* field = vary().row(3)->field();
        QTRY_VERIFY(field->is_open());
        QTest::keyClicks(QApplication::activePopupWidget(), QStringLiteral("precis"));
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
        QCOMPARE(QString::fromStdString(document().asked().vary[3].path), QStringLiteral("training.precision"));
        VaryRow& row = *vary().row(3);
        QCOMPARE(row.values()->text(), QStringLiteral("*"));
        QVERIFY(row.names()->isVisible());
        QVERIFY(row.names()->all_picked());
        type(row.values(), "fp32,fp61");
        QVERIFY(row.message()->text().contains(QStringLiteral("fp61")));
        QVERIFY(row.values()->property("error").toBool());
        QVERIFY(!finder().question()->button()->isEnabled());
        type(row.values(), "fp32,fp16");
        QCOMPARE(row.message()->text(), QStringLiteral("2 values"));
        QVERIFY(finder().question()->button()->isEnabled());
        QCOMPARE(row.names()->picked(), QStringList({QStringLiteral("fp32"), QStringLiteral("fp16")}));
        // Picked from the list, it is written into the line.
        row.names()->open();
        QTest::mouseClick(row.names()->button(QStringLiteral("none")), Qt::LeftButton);
        QVERIFY(row.values()->property("error").toBool());
        QTest::mouseClick(row.names()->button(QStringLiteral("all")), Qt::LeftButton);
        QVERIFY(row.values()->text().startsWith(QStringLiteral("fp")));
        row.names()->close_popup();
        QVERIFY(finder().question()->button()->isEnabled());
    }

    void rows_are_moved_and_removed() {
        const auto before = document().asked().vary;
        QTest::mouseClick(vary().row(1)->up_button(), Qt::LeftButton);
        QCOMPARE(document().asked().vary[0].path, before[1].path);
        QCOMPARE(document().asked().vary[1].path, before[0].path);
        QVERIFY(!vary().row(0)->up_button()->isEnabled());
        for (int left = 2; left >= 0; --left) {
            QTest::mouseClick(vary().row(0)->remove_button(), Qt::LeftButton);
            QCOMPARE(vary().rows(), left);
        }
        QVERIFY(!finder().question()->button()->isEnabled());
        QVERIFY(in<QLabel>("searchSize")->text().contains(QStringLiteral("Nothing is varied")));
    }

    void symbols_and_whole_clusters_can_be_varied() {
        window_->open_scenario_preset(QStringLiteral("example"));
        settle();
        const auto items = variable_items(scenario(), window_->library());
        const auto has = [&](const char* id) {
            return std::any_of(items.begin(), items.end(),
                               [id](const ComboItem& i) { return i.id == QLatin1String(id); });
        };
        QVERIFY(has("cluster"));
        QVERIFY(has("network"));
        QVERIFY(has("cluster.device.price_usd_per_hour"));
        for (const ComboItem& a : items)
            QCOMPARE(std::count_if(items.begin(), items.end(), [&](const ComboItem& b) { return a.id == b.id; }), 1);
    }

    void conditions_are_checked_as_one_types() {
        where_menu()->actions().front()->trigger();
        QCOMPARE(where().rows(), 1);
        QVERIFY(where().line(0)->hasFocus());
        QCOMPARE(where().line(0)->selectedText(), QStringLiteral("64"));
        QTest::keyClicks(where().line(0), QStringLiteral("8"));
        QCOMPARE(document().asked().where[0], std::string("devices <= 8"));
        QVERIFY(!where().message(0)->isVisible());
        type(where().line(0), "step <= 250 mss");
        QVERIFY(where().message(0)->isVisible());
        QVERIFY(where().message(0)->text().contains(QStringLiteral("mss")));
        QVERIFY(!finder().question()->button()->isEnabled());
        type(where().line(0), "step <= 250 ms");
        QVERIFY(!where().message(0)->isVisible());
        QVERIFY(finder().question()->button()->isEnabled());
    }

    void names_are_completed() {
        where_menu()->actions().back()->trigger();
        QLineEdit* line = where().line(0);
        QTest::keyClicks(line, QStringLiteral("effic"));
        auto* completer = line->findChild<QCompleter*>();
        QVERIFY(completer);
        QTRY_VERIFY(completer->popup()->isVisible());
        QTest::keyClick(completer->popup(), Qt::Key_Down);
        QTest::keyClick(completer->popup(), Qt::Key_Return);
        QCOMPARE(line->text(), QStringLiteral("efficiency"));
        QTest::keyClicks(line, QStringLiteral(" >= 50 %"));
        QCOMPARE(document().asked().where[0], std::string("efficiency >= 50 %"));
        QVERIFY(!where().message(0)->isVisible());
    }

    void objectives_are_added_and_removed() {
        auto& best = *finder().findChild<BestBy*>();
        QCOMPARE(best.objectives(), 1);
        for (int count = 2; count <= 4; ++count) {
            QTest::mouseClick(in<QPushButton>("bestAdd"), Qt::LeftButton);
            QCOMPARE(best.objectives(), count);
        }
        QVERIFY(!in<QPushButton>("bestAdd")->isVisible());
        best.objective(0)->set_current(QStringLiteral("energy"));
        emit best.objective(0)->chosen(QStringLiteral("throughput"));
        QVERIFY(document().asked().objectives[0] == search::Metric::throughput);
        QTest::mouseClick(in<QCheckBox>("mustFit"), Qt::LeftButton, {}, QPoint(8, 8));
        QVERIFY(!document().asked().must_fit);
    }

    void the_question_survives_a_restart() {
        const QString sessions = folder_.filePath(QStringLiteral("sessions"));
        finder().keep_under(sessions);
        ask({{"cluster.workers", "3,5"}}, {"devices <= 4"});
        finder().session()->session().flush();
        finder().session()->close();
        const auto asked = document().asked();
        window_.reset();
        open();
        show_finder();
        QVERIFY(!(document().asked() == asked));
        finder().keep_under(sessions);
        QVERIFY(document().asked() == asked);
        QCOMPARE(vary().row(0)->values()->text(), QStringLiteral("3,5"));
    }

    void a_question_that_cannot_be_read_is_kept_and_told() {
        const QString sessions = folder_.filePath(QStringLiteral("broken"));
        const QDir searches(SearchSession::folder(sessions));
        QVERIFY(searches.mkpath(QStringLiteral(".")));
        QFile broken(searches.filePath(QStringLiteral("session-0.json")));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("no question") > 0);
        broken.close();
        finder().keep_under(sessions);
        QVERIFY(QFile::exists(finder().session()->unreadable()));
        bool told = false;
        for (const auto* banner : finder().findChildren<Banner*>())
            told |= banner->isVisible() && banner->accessibleName().contains(finder().session()->unreadable());
        QVERIFY(told);
    }
};

QTEST_MAIN(TestSearchQuestion)
#include "tst_search_question.moc"
