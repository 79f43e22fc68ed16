// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson is written in the window, field by field, saved, and opened as its readers open it.
#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include "support_lessons.hpp"
#include "ui/lessons/condition_row.hpp"
#include "ui/lessons/lesson_editor.hpp"
#include "ui/lessons/lesson_list.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/lessons/step_form.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/pick_list.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestLessonEditor : public QObject, private lessons_test::LessonFixture {
    Q_OBJECT

    LessonEditor& editor() { return desk().editor(); }
    template <class T>
    T* part(const char* name) {
        T* w = editor().findChild<T*>(QLatin1String(name));
        if (!w) qFatal("no widget %s", name);
        return w;
    }
    void type(QLineEdit* field, const char* words) {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QLatin1String(words));
    }
    void choose(Combo* combo, const char* id) {
        combo->set_current(QLatin1String(id));
        emit combo->chosen(QLatin1String(id));
    }
    QString problem(const char* path) {
        auto* label = editor().form()->findChild<QLabel*>(QStringLiteral("problem ") + QString::fromUtf8(path));
        return label && !label->isHidden() ? label->text() : QString();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        open();
        action("newLesson").trigger();
        QVERIFY(editor().isVisible());
    }
    void cleanup() {
        editor().document().history().setClean();
        close();
    }

    void it_is_offered_the_folder_that_the_list_reads() {
        QVERIFY(!editor().offered_file().contains(QLatin1Char('/')));
        const QTemporaryDir own;
        MainWindow window(QString(), own.path());
        window.start();
        window.finish_opening();
        LessonEditor& its_editor = window.lessons().editor();
        QCOMPARE(QFileInfo(its_editor.offered_file()).path(), own.filePath(QStringLiteral("lessons")));
        // What is saved there is in the list at once, by the title it has then, and once.
        QVERIFY(QDir().mkpath(own.filePath(QStringLiteral("lessons"))));
        its_editor.start();
        QVERIFY(its_editor.document().save_to(own.filePath(QStringLiteral("lessons/first.json"))));
        for (const char* title : {"My first", "My second"}) {
            type(its_editor.findChild<QLineEdit*>(QStringLiteral("lessonTitle")), title);
            its_editor.findChild<QPushButton*>(QStringLiteral("saveLessonButton"))->click();
            window.lessons().show_list();
            const auto* list = window.findChild<LessonList*>(QStringLiteral("lessonList"));
            QVERIFY(list);
            QCOMPARE(list->list()->findItems(QStringLiteral("(own)"), Qt::MatchContains).size(), 1);
            QVERIFY(list->list()->item(list->list()->count() - 1)->text().startsWith(QString::fromUtf8(title)));
        }
    }

    void a_lesson_is_written_saved_and_opened() {
        set_workers(8);
        type(part<QLineEdit>("lessonTitle"), "Two and more");
        type(part<QLineEdit>("lessonSummary"), "What a second worker brings.");
        QTest::mouseClick(part<QPushButton>("takeScenario"), Qt::LeftButton);
        type(part<QLineEdit>("stepTitleField"), "Eight");
        part<QPlainTextEdit>("stepTextField")
            ->setPlainText(QStringLiteral("# Eight workers\nDrag *them*.\n- one\n- two"));
        type(part<QLineEdit>("taskSentence"), "Use more than sixteen workers.");
        auto* condition = editor().findChild<ConditionRow*>();
        choose(condition->name(), "cluster.workers");
        choose(condition->comparison(), ">");
        type(condition->value(), "16");
        part<QPlainTextEdit>("taskHints")->setPlainText(QStringLiteral("Look above.\nThe slider."));
        set_workers(32);
        QTest::mouseClick(part<QPushButton>("takeSolution"), Qt::LeftButton);
        part<PickList>("litCharts")->set_picked({QStringLiteral("speedup")});
        emit part<PickList>("litCharts")->picked_changed();

        QTest::mouseClick(part<QToolButton>("addStep"), Qt::LeftButton);
        QCOMPARE(editor().steps()->currentRow(), 1);
        type(part<QLineEdit>("stepTitleField"), "A question");
        type(part<QLineEdit>("questionField"), "Is it faster?");
        QTest::mouseClick(part<QPushButton>("addAnswer"), Qt::LeftButton);
        QTest::mouseClick(part<QPushButton>("addAnswer"), Qt::LeftButton);
        type(part<QLineEdit>("answerField0"), "Yes");
        type(part<QLineEdit>("why0"), "It computes less.");
        part<QCheckBox>("right0")->click();
        type(part<QLineEdit>("answerField1"), "No");
        type(part<QLineEdit>("why1"), "Look again.");

        QVERIFY2(editor().document().problems().empty(),
                 editor().document().problems().empty() ? "" : to_text(editor().document().problems().front()).c_str());
        const lessons::Lesson& lesson = editor().document().lesson();
        QCOMPARE(lesson.steps[0].task->condition, std::string("cluster.workers > 16"));
        QCOMPARE(lesson.steps[0].task->solution, (lessons::Changes{{"cluster.workers", "32"}}));
        const QString file = folder_.filePath(QStringLiteral("two.json"));
        QVERIFY(editor().document().save_to(file));
        QVERIFY(!editor().document().dirty());
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        QVERIFY(desk().is_open());
        QCOMPARE(scenario().cluster.workers, std::int64_t{8});
        QCOMPARE(desk().run()->lesson().steps.size(), std::size_t{2});
        set_workers(17);
        QCOMPARE(desk().run()->task(), LessonRun::TaskState::done);
    }

    void problems_stand_below_their_field() {
        type(part<QLineEdit>("taskSentence"), "Do it.");
        auto* condition = editor().findChild<ConditionRow*>();
        choose(condition->name(), "=");
        auto* whole = part<QLineEdit>("conditionWhole");
        type(whole, "steep < 3");
        QVERIFY2(problem("task › condition").contains(QStringLiteral("steep")),
                 qPrintable(problem("task › condition")));
        type(whole, "step < 3");
        QCOMPARE(problem("task › condition"), QString());
        part<QPlainTextEdit>("stepTextField")->setPlainText(QStringLiteral("A *star that never ends"));
        QVERIFY(!problem("text").isEmpty());
        QVERIFY(!action_of_editor("tryLesson").isEnabled());
        editor().document().history().undo();
        QCOMPARE(problem("text"), QString());
    }

    /// What is to be typed first has the keyboard and is replaced by it.
    void the_keyboard_is_where_one_begins() {
        QCOMPARE(editor().focusWidget(), part<QLineEdit>("lessonTitle"));
        QCOMPARE(part<QLineEdit>("lessonTitle")->selectedText(), part<QLineEdit>("lessonTitle")->text());
        QTest::mouseClick(part<QToolButton>("addStep"), Qt::LeftButton);
        QCOMPARE(editor().focusWidget(), part<QLineEdit>("stepTitleField"));
        QCOMPARE(part<QLineEdit>("stepTitleField")->selectedText(), QStringLiteral("Next step"));
    }

    void a_condition_without_a_figure_says_what_lacks() {
        type(part<QLineEdit>("taskSentence"), "Do it.");
        type(editor().findChild<ConditionRow*>()->value(), "64");
        QVERIFY2(problem("task › condition").contains(QStringLiteral("Choose a figure or a field")),
                 qPrintable(problem("task › condition")));
    }

    void few_that_are_picked_stand_by_their_names() {
        part<PickList>("pointedAt")->set_picked({QStringLiteral("training.batch"), QStringLiteral("canvas")});
        QCOMPARE(part<PickList>("pointedAt")->current_text(), QStringLiteral("Batch, Canvas"));
        // What has no row of its own stays, whatever is picked beside it.
        lessons::Lesson next = editor().document().lesson();
        next.steps[0].point = {"cluster.between.bandwidth_gb_s"};
        editor().document().edit(std::move(next), QStringLiteral("test"));
        QVERIFY(part<PickList>("pointedAt")->is_picked(QStringLiteral("cluster.between.bandwidth_gb_s")));
        QStringList charts;
        for (const ComboItem& item : part<PickList>("litCharts")->items()) {
            QVERIFY2(!charts.contains(item.text), qPrintable(item.text));
            charts << item.text;
        }
    }

    /// Who tries a lesson comes back to writing it, and who asks to write one gets the one that is open.
    void trying_leads_back() {
        type(part<QLineEdit>("lessonTitle"), "Tried");
        QTest::mouseClick(part<QPushButton>("tryLessonButton"), Qt::LeftButton);
        settle();
        QVERIFY(desk().is_open());
        QVERIFY(desk().leave());
        QVERIFY(editor().isVisible());
        action("newLesson").trigger();
        QCOMPARE(editor().document().lesson().title, std::string("Tried"));
    }

    void designs_are_pinned() {
        QVERIFY(!part<QPushButton>("addPinned")->isVisible());
        part<QCheckBox>("ownPins")->click();
        QVERIFY(editor().document().lesson().steps[0].pins && editor().document().lesson().steps[0].pins->empty());
        set_workers(8);
        QTest::mouseClick(part<QPushButton>("addPinned"), Qt::LeftButton);
        type(part<QLineEdit>("pinnedName0"), "Eight");
        const auto& pins = editor().document().lesson().steps[0].pins;
        QCOMPARE(pins->size(), std::size_t{1});
        QCOMPARE(pins->front().name, std::string("Eight"));
        QCOMPARE(pins->front().set, (lessons::Changes{{"cluster.workers", "8"}}));
        QCOMPARE(part<QLabel>("pinnedSet0")->text(), QStringLiteral("cluster.workers = 8"));
        QTest::mouseClick(part<QPushButton>("tryLessonButton"), Qt::LeftButton);
        settle();
        QCOMPARE(window_->document().pins().size(), std::size_t{1});
        QCOMPARE(window_->document().pins()[0].scenario->cluster.workers, std::int64_t{8});
        QVERIFY(desk().leave());
        editor().document().history().undo();  // the name
        editor().document().history().undo();  // the pin
        QVERIFY(editor().document().lesson().steps[0].pins->empty());
        part<QCheckBox>("ownPins")->click();
        QVERIFY(!editor().document().lesson().steps[0].pins);
    }

    /// A figure that a text shows is worked out, and so is a statement; each says whether it is so.
    void figures_and_statements_are_worked_out() {
        QTest::mouseClick(part<QPushButton>("addFigure"), Qt::LeftButton);
        auto* figure = part<ConditionRow>("assertion0");
        QVERIFY(figure->comparison()->isHidden());
        choose(figure->name(), "cluster.workers");
        type(figure->value(), "31");
        type(part<QLineEdit>("assertionName0"), "many");
        part<QPlainTextEdit>("stepTextField")->setPlainText(QStringLiteral("There are {many} of them."));
        QVERIFY2(editor().document().problems().empty(),
                 editor().document().problems().empty() ? "" : to_text(editor().document().problems().front()).c_str());
        const auto& all = editor().document().lesson().steps[0].assertions;
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all[0].name + '|' + all[0].is + '|' + all[0].says, std::string("many|cluster.workers|31"));
        QTRY_VERIFY2(part<QLabel>("assertionState0")->text().contains(QStringLiteral("It is 32")),
                     qPrintable(part<QLabel>("assertionState0")->text()));
        type(figure->value(), "32");
        QTRY_VERIFY(part<QLabel>("assertionState0")->text().contains(QStringLiteral("It is so")));
        QVERIFY(editor().preview()->findChildren<QLabel*>().size() > 0);

        QTest::mouseClick(part<QPushButton>("addStatement"), Qt::LeftButton);
        auto* statement = part<ConditionRow>("assertion1");
        QVERIFY(!statement->comparison()->isHidden() && part<QLineEdit>("assertionName1")->isHidden());
        choose(statement->name(), "cluster.workers");
        choose(statement->comparison(), ">");
        type(statement->value(), "40");
        QTRY_VERIFY(part<QLabel>("assertionState1")->text().contains(QStringLiteral("not so")));
        set_workers(64);
        QTest::mouseClick(part<QPushButton>("assertionWith1"), Qt::LeftButton);
        QCOMPARE(editor().document().lesson().steps[0].assertions[1].with,
                 (lessons::Changes{{"cluster.workers", "64"}}));
        QTRY_VERIFY(part<QLabel>("assertionState1")->text().contains(QStringLiteral("It is so")));
        const QString file = folder_.filePath(QStringLiteral("figures.json"));
        QVERIFY(editor().document().save_to(file));
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        QVERIFY(desk().is_open());
        QCOMPARE(desk().run()->lesson().steps[0].assertions.size(), std::size_t{2});
    }

    void steps_are_moved_removed_and_brought_back() {
        QTest::mouseClick(part<QToolButton>("addStep"), Qt::LeftButton);
        type(part<QLineEdit>("stepTitleField"), "Second");
        QTest::mouseClick(part<QToolButton>("stepUp"), Qt::LeftButton);
        QCOMPARE(editor().document().lesson().steps[0].title, std::string("Second"));
        // A first step needs a scenario of its own, and says so.
        QVERIFY(!problem("scenario").isEmpty());
        QTest::mouseClick(part<QToolButton>("stepDown"), Qt::LeftButton);
        QVERIFY(editor().document().problems().empty());
        QTest::mouseClick(part<QToolButton>("removeStep"), Qt::LeftButton);
        QCOMPARE(editor().document().lesson().steps.size(), std::size_t{1});
        editor().document().history().undo();
        QCOMPARE(editor().document().lesson().steps.size(), std::size_t{2});
    }

    void the_preview_and_the_window_show_it() {
        type(part<QLineEdit>("stepTitleField"), "Seen beside");
        bool seen = false;
        for (const auto* label : editor().preview()->findChildren<QLabel*>())
            seen |= label->text() == QStringLiteral("Seen beside");
        QVERIFY(seen);
        action_of_editor("tryLesson").trigger();
        settle();
        QVERIFY(desk().is_open());
        QCOMPARE(label("stepTitle"), QStringLiteral("Seen beside"));
    }

private:
    QAction& action_of_editor(const char* name) { return *part<QAction>(name); }
};

QTEST_MAIN(TestLessonEditor)
#include "tst_lesson_editor.moc"
