// SPDX-License-Identifier: GPL-3.0-or-later
// What people come for, with real widgets from the first window on: how many clicks, shortcuts and typed words each
// takes, and what they have then. Times are said and not judged.
#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>

#include "core/estimate/memory.hpp"
#include "core/search/best_mesh.hpp"
#include "support_search.hpp"
#include "ui/commands/command_palette.hpp"
#include "ui/design/verdict_card.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/search/why_page.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/window/lesson_desk.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestJourneys : public QObject, private window_test::SearchFixture {
    Q_OBJECT

    int gestures_ = 0;
    QElapsedTimer clock_;

    void press(QWidget& on, Qt::Key key, Qt::KeyboardModifiers with = {}) {
        ++gestures_;
        QTest::keyClick(&on, key, with);
    }
    void click(QAbstractButton& button) {
        ++gestures_;
        QVERIFY(button.isVisible() && button.isEnabled());
        QTest::mouseClick(&button, Qt::LeftButton);
    }
    void type_into(QWidget& field, const char* text) {
        ++gestures_;
        QTest::keyClicks(&field, QString::fromUtf8(text));
    }
    /// Three gestures: the palette, words, and the first that is found.
    void command(const char* words) {
        press(*window_, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = find<CommandPalette>("commandPalette");
        QVERIFY(palette->isVisible());
        type_into(*palette->search(), words);
        press(*palette->search(), Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        window_->finish_opening();
        settle();
        settle();
    }
    void arrived(const char* journey, int gestures) {
        qInfo("%s: %d gestures, %lld ms", journey, gestures_, static_cast<long long>(clock_.elapsed()));
        QCOMPARE(gestures_, gestures);
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        QSettings().remove(QStringLiteral("commands/recent"));
        QSettings().remove(QStringLiteral("lessons"));
        gestures_ = 0;
        clock_.start();
        open();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }
    void cleanup() { window_.reset(); }

    void the_best_mesh_and_why() {
        command("llama 3 70b on 512");
        QCOMPARE(scenario().cluster.workers, 512);
        const Scenario preset = scenario();
        ++gestures_;  // Ctrl+Shift+F
        show_finder();
        click(*finder().question()->button());
        found();
        QVERIFY(document().answer() && document().answer()->findings.result.complete);
        QVERIFY(in<QLabel>("searchAnswer")->isVisible() && !in<QLabel>("searchAnswer")->text().isEmpty());
        for (auto* tab : finder().findChildren<QAbstractButton*>())
            if (tab->text() == QStringLiteral("Why this one")) click(*tab);
        QVERIFY(results().why()->isVisible());
        QVERIFY2(results().why()->text().contains(QStringLiteral("runner-up")), qPrintable(results().why()->text()));
        arrived("The best mesh for Llama 3 70B on 512 H100, and why", 6);
        results().load_button()->click();
        settle();
        QVERIFY(window_->result()->estimate->summary.step <= search::best_mesh(preset)->summary.step);
        QVERIFY(fits_device(scenario(), window_->result()->estimate->memory));
    }

    void a_pasted_command_line() {
        QFile script(QStringLiteral(SCALESCOPE_TEST_DATA "/configurations/megatron/llama3-8b.sh"));
        QVERIFY(script.open(QIODevice::ReadOnly));
        QGuiApplication::clipboard()->setText(QString::fromUtf8(script.readAll()));
        press(*window_, Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        window_->finish_opening();
        settle();
        QCOMPARE(scenario().cluster.workers, 16);
        QCOMPARE(scenario().parallelism.tensor, 2);
        QVERIFY(window_->result()->request.scenario == scenario() && window_->result()->estimate);
        arrived("A pasted command line of Megatron-LM to its estimate", 1);
    }

    void does_not_fit_and_then_it_does() {
        command("llama 3 70b on 512");
        choose("data");
        gestures_ = 0;
        clock_.start();
        auto* verdict = window_->findChild<VerdictCard*>();
        QVERIFY(verdict->isVisible() && !fits_device(scenario(), window_->result()->estimate->memory));
        QTRY_VERIFY(!verdict->findChildren<QPushButton*>().isEmpty());
        click(*verdict->findChildren<QPushButton*>().front());
        settle();
        QVERIFY(!verdict->isVisible() && fits_device(scenario(), window_->result()->estimate->memory));
        arrived("A design that does not fit to one that does", 1);
    }

    /// The teacher's: to the step about the bubble, where more micro-batches shrink it.
    void the_bubble_shrinks() {
        command("pipeline schedules");
        LessonRun* run = window_->lessons().run();
        QVERIFY(run && run->lesson().title.find("Pipeline schedules") != std::string::npos);
        QVERIFY(run->now().task && run->task() == LessonRun::TaskState::open);
        auto* field = find<NumberField>("microBatches");
        const auto step = window_->result()->estimate->summary.step;
        QVERIFY(field->isVisible());
        ++gestures_;
        QTest::mouseDClick(field, Qt::LeftButton);
        type_into(*field, "32");
        press(*field, Qt::Key_Return);
        settle();
        QTRY_VERIFY(run->task() == LessonRun::TaskState::done);
        QVERIFY(window_->result()->estimate->summary.step < step * 0.75);
        arrived("The lesson's step where the bubble shrinks", 6);
    }
};

QTEST_MAIN(TestJourneys)
#include "tst_journeys.moc"
