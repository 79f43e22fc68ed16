// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons: files that are right and files that are not; and every shipped one: what it says is so, its tasks can be
// done.
#include <QtTest>
#include <filesystem>
#include <set>

#include "core/lessons/beginning.hpp"
#include "core/lessons/check.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/lessons/places.hpp"
#include "core/scenario/fields.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::lessons;

namespace {

/// A lesson of two steps in which `from` is replaced by `to`.
std::string lesson_with(const std::string& from = {}, const std::string& to = {}) {
    std::string text = R"({"format": "scalescope-lesson", "version": 1, "title": "T", "summary": "S", "minutes": 5,
"after": ["other"], "sources": ["A paper"], "given": ["64th"],
"steps": [
{"title": "One", "text": ["Of {all}, *{share}*.", "- The 64th"],
 "scenario": "example", "set": {"cluster.workers": 8, "parallelism.collective": "tree", "training.fused_update": true},
 "pins": [{"name": "One GPU", "set": {"cluster.workers": 1}}],
 "show": ["cluster.workers", "workers"], "hide": ["why"], "point": ["speedup"], "charts": ["step-time"],
 "task": {"sentence": "Do it.", "condition": "communication > step / 3", "hints": ["Drag."], "solution": {"training.batch": 64}},
 "question": {"text": "Why?", "answers": [{"text": "So.", "right": true, "explanation": "Yes."},
                                          {"text": "Not so.", "explanation": "No."}]},
 "assertions": [
 {"name": "all", "is": "cluster.workers", "says": "8 GPUs"},
 {"name": "share", "is": "A.step / step * 100", "says": "71 %"},
 {"is": "speedup < 8", "scenario": "resnet-50-a100", "with": {"cluster.workers": 2}}]},
{"title": "Two", "text": ["More."], "set": {"cluster.workers": 16}},
{"title": "Three", "text": ["Yet more."]}
]})";
    if (from.empty()) return text;
    const auto at = text.find(from);
    return at == std::string::npos ? std::string("not in the lesson: " + from) : text.replace(at, from.size(), to);
}

Result<Lesson> read(const std::string& text) { return read_lesson(text, "l.json", support::library()); }

std::string said_of(const CheckedLesson& checked) {
    std::string said;
    for (const Problem& p : checked.problems) said += p.where + ": " + p.what + '\n';
    return said;
}

}  // namespace

class Lessons : public QObject {
    Q_OBJECT
private slots:
    void everything_is_read() {
        const auto lesson = read(lesson_with());
        QVERIFY2(lesson.has_value(), lesson ? "" : support::messages(lesson.error()).c_str());
        QCOMPARE(lesson->title, std::string("T"));
        QCOMPARE(lesson->minutes, 5);
        QCOMPARE(lesson->steps.size(), std::size_t{3});
        const Step& step = lesson->steps[0];
        QVERIFY(
            (step.set ==
             Changes{{"cluster.workers", "8"}, {"parallelism.collective", "tree"}, {"training.fused_update", "true"}}));
        QCOMPARE(plain(step.text.blocks), std::string("Of 8 GPUs, 71 %.\nThe 64th\n"));
        QVERIFY(step.text.blocks[0].lines[0][1].kind == Span::Kind::figure);
        QCOMPARE(step.pins->front().name, std::string("One GPU"));
        QCOMPARE(step.task->hints.size(), std::size_t{1});
        QVERIFY(step.question->answers[0].right && !step.question->answers[1].right);
        QVERIFY(!step.goes_on() && !lesson->steps[1].goes_on() && lesson->steps[2].goes_on());
        const auto again = read(write_lesson(*lesson));
        QVERIFY(again.has_value() && *again == *lesson);
    }

    void each_step_has_a_scenario() {
        const auto lesson = read(lesson_with());
        const auto first = scenario_of(*lesson, 0, support::library()),
                   second = scenario_of(*lesson, 1, support::library()),
                   third = scenario_of(*lesson, 2, support::library());
        QCOMPARE(first->cluster.workers, std::int64_t{8});
        QVERIFY(first->parallelism.collective == Collective::tree);
        QCOMPARE(second->cluster.workers, std::int64_t{16});
        QVERIFY(second->parallelism.collective == Collective::tree);
        QVERIFY(changed_fields(*third, *second).empty());
        const auto pins = pins_of(*lesson, 0, support::library());
        QCOMPARE(pins->size(), std::size_t{1});
        QCOMPARE(pins->front().scenario->cluster.workers, std::int64_t{1});
        QVERIFY(pins_of(*lesson, 1, support::library())->empty());
        const auto other = scenario_of(*lesson, 0, lesson->steps[0].assertions[2], support::library());
        QCOMPARE(other->cluster.workers, std::int64_t{2});
        QCOMPARE(other->network()->name(), std::string("ResNet-50"));
    }

    void an_inline_scenario() {
        const auto* preset = support::library().find_scenario("example");
        const auto lesson = read(lesson_with("\"example\"", preset->text));
        QVERIFY2(lesson.has_value(), lesson ? "" : support::messages(lesson.error()).c_str());
        QCOMPARE(scenario_of(*lesson, 0, support::library())->name, std::string("AlexNet on 32 GPUs"));
        const auto again = read(write_lesson(*lesson));
        QVERIFY(again.has_value() && *again == *lesson);
    }

    void what_is_wrong_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* from, const char* to, int line, int column, const char* where,
                            const char* what) {
            QTest::addRow("%s: %s", from, to) << QString::fromUtf8(from) << QString::fromUtf8(to) << line << column
                                              << QString::fromUtf8(where) << QString::fromUtf8(what);
        };
        row("*{share}*", "{speed}", 4, 38, "steps › 1 › text › 1", "There is no figure called \"speed\".");
        row("The 64th", "The *64th", 4, 58, "steps › 1 › text › 2", "* is not closed.");
        row("\"Drag.\"", "\"Drag `it\"", 8, 90, "steps › 1 › task › hints › 1", "` is not closed.");
        row("\"No.\"", "\"\"", 10, 79, "steps › 1 › question › answers › 2 › explanation", "This text is empty.");
        row("\"example\"", "\"exampel\"", 5, 14, "steps › 1 › scenario", "There is no scenario called \"exampel\".");
        row("\"scenario\": \"example\", ", "", 4, 1, "steps › 1", "The first step has no scenario.");
        row("\"cluster.workers\": 8", "\"cluster.workers\": 0", 5, 52, "steps › 1 › set › cluster.workers", "");
        row("\"cluster.workers\": 8", "\"cluster.worker\": 8", 5, 51, "steps › 1 › set › cluster.worker", "");
        row("\"training.batch\": 64", "\"training.batch\": \"x\"", 8, 125,
            "steps › 1 › task › solution › training.batch", "");
        row("communication > step", "communicaton > step", 8, 47, "steps › 1 › task › condition",
            "Nothing is called \"communicaton\".");
        row("\"speedup\"]", "\"spedup\"]", 7, 0, "steps › 1 › point › 1",
            "There is no panel, chart or field called \"spedup\".");
        row("\"step-time\"", "\"workers\"", 7, 0, "steps › 1 › charts › 1", "There is no chart called \"workers\".");
        row("\"name\": \"share\"", "\"name\": \"all\"", 13, 2, "steps › 1 › assertions › 2",
            "Two assertions are called \"all\".");
        row(", \"says\": \"71 %\"", "", 13, 2, "steps › 1 › assertions › 2", "\"share\" has nothing to show.");
        row("\"hints\"", "\"hint\"", 8, 0, "steps › 1 › task", "");
        row("\"minutes\": 5", "\"minutes\": 0", 1, 0, "minutes", "");
        row("\"steps\": [", "\"steps\": [], \"x\": [", 3, 10, "steps", "The lesson has no steps.");
        row("- The 64th", "![rng] x", 4, 51, "steps › 1 › text › 2", "There is no picture called \"rng\".");
        row("\"version\": 1", "\"version\": 9", 1, 0, "", "");
    }
    void what_is_wrong() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(QString, where);
        QFETCH(QString, what);
        const auto lesson = read(lesson_with(from.toStdString(), to.toStdString()));
        QVERIFY(!lesson.has_value());
        const Problem& p = lesson.error().front();
        const std::string all = support::messages(lesson.error());
        if (!what.isEmpty()) QVERIFY2(QString::fromStdString(p.what) == what, all.c_str());
        if (!where.isEmpty())
            QVERIFY2(QString::fromStdString(p.where).startsWith(where), (p.where + '\n' + all).c_str());
        QVERIFY2(p.at.line == line, all.c_str());
        if (column > 0) QVERIFY2(p.at.column == column, all.c_str());
        QVERIFY2(!p.remedy.empty(), all.c_str());
        QCOMPARE(p.at.file, std::string("l.json"));
    }

    /// What a file may say and a check does not let pass.
    void what_a_check_finds_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* from, const char* to, const char* said) {
            QTest::addRow("%s: %s", from, to)
                << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(said);
        };
        row("71 %", "72 %", "steps › 1 › assertions › share: \"72 %\" is wrong");
        row("speedup < 8", "speedup > 8", "It does not hold: speedup > 8.");
        row("\"training.batch\": 64", "\"training.batch\": 256", "It does not fulfil the condition");
        row("step / 3", "step / 9", "The condition holds before anything is done");
        row("\"hints\": [\"Drag.\"], ", "", "The task has no hints.");
        row("\"right\": true, ", "", "No answer is right.");
        row("\"Yet more.\"", "\"Yet 3 more.\"", "steps › 3 › text: \"3\" is neither a figure");
        row("\"64th\"", "\"65th\"", "\"64th\" is neither a figure");
        row("\"Two\"", "\"Step 2\"", "steps › 2 › title: \"2\" is neither a figure");
    }
    void what_a_check_finds() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, said);
        const auto right = read(lesson_with());
        QCOMPARE(said_of(check_lesson(*right, support::library())), std::string());
        const auto lesson = read(lesson_with(from.toStdString(), to.toStdString()));
        QVERIFY2(lesson.has_value(), lesson ? "" : support::messages(lesson.error()).c_str());
        const std::string all = said_of(check_lesson(*lesson, support::library()));
        QVERIFY2(all.find(said.toStdString()) != std::string::npos, all.c_str());
    }

    void edited_texts_are_parsed_anew() {
        auto lesson = *read(lesson_with());
        lesson.steps[1].text.source = {"Now {share}."};
        QVERIFY(parse_texts(lesson).empty());
        QCOMPARE(plain(lesson.steps[1].text.blocks), std::string("Now 71 %.\n"));
        lesson.steps[0].assertions.clear();
        const auto problems = parse_texts(lesson);
        QVERIFY(problems.size() == 2 && problems[0].where == "steps › 1 › text › 1");
        QVERIFY(lesson.steps[1].text.blocks.empty());
    }

    void a_persons_own() {
        QTemporaryDir folder;
        std::filesystem::create_directories(folder.path().toStdString() + "/lessons");
        QFile file(folder.filePath("lessons/mine.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(lesson_with()));
        file.close();
        auto library = formats::load_shipped();
        formats::add_folder(library, folder.path().toStdString());
        const auto* mine = library.find_lesson("mine");
        QVERIFY(mine && mine->own && mine == &library.lessons.back());
        QCOMPARE(mine->name, std::string("T"));
        QCOMPARE(mine->description, std::string("S"));
        QCOMPARE(read_lesson(*mine, library)->id, std::string("mine"));
    }

    /// What is still wrong is kept as it was written; only what is no lesson at all is refused.
    void a_draft_keeps_what_is_wrong() {
        const auto* preset = support::library().find_lesson("01-layer-cost");
        QVERIFY(preset);
        Lesson wrong = *read_lesson(*preset, support::library());
        wrong.steps[0].text.source = {"A *star that never ends"};
        wrong.steps[0].task->condition = "steep < 3";
        wrong.steps[1].task->condition.clear();
        wrong.steps[2].beginning = {};
        const std::string text = write_lesson(wrong);
        QVERIFY(!read_lesson(text, "draft", support::library()));
        const auto draft = read_draft(text, "draft", support::library());
        QVERIFY(draft.has_value());
        QCOMPARE(write_lesson(*draft), text);
        QVERIFY(!read_draft("{}", "draft", support::library()));
        // Any part of it missing: something is read, or said.
        for (std::size_t at = 0; at + 5 < text.size(); at += 97) {
            const auto cut = read_draft(text.substr(0, at) + text.substr(at + 5), "draft", support::library());
            QVERIFY(cut.has_value() || !cut.error().empty());
        }
    }

    void each_is_right_data() {
        QTest::addColumn<QString>("id");
        for (const auto& preset : support::library().lessons)
            QTest::newRow(preset.id.c_str()) << QString::fromStdString(preset.id);
    }

    void each_is_right() {
        QFETCH(QString, id);
        const auto* preset = support::library().find_lesson(id.toStdString());
        QVERIFY(preset);
        const auto lesson = read_lesson(*preset, support::library());
        std::string said;
        if (!lesson)
            for (const Problem& p : lesson.error()) said += to_text(p) + '\n';
        QVERIFY2(lesson.has_value(), said.c_str());
        const auto checked = check_lesson(*lesson, support::library());
        for (const Problem& p : checked.problems) said += p.where + ": " + to_text(p) + '\n';
        QVERIFY2(checked.problems.empty(), said.c_str());
    }

    /// What is asked of every shipped one beside: a task with hints, a question, sources, and lessons that exist.
    void each_teaches() {
        std::set<std::string> ids;
        for (const auto& preset : support::library().lessons) {
            const auto lesson = read_lesson(preset, support::library());
            QVERIFY2(lesson.has_value(), preset.id.c_str());
            bool task = false, question = false;
            for (const Step& step : lesson->steps) {
                task = task || step.task;
                question = question || step.question;
                if (step.task) QVERIFY2(!step.task->solution.empty(), preset.id.c_str());
            }
            QVERIFY2(task && question && !lesson->sources.empty(), preset.id.c_str());
            QVERIFY2(lesson->minutes >= 5 && lesson->minutes <= 10, preset.id.c_str());
            QVERIFY2(lesson->steps.size() >= 4 && lesson->steps.size() <= 7, preset.id.c_str());
            for (const std::string& before : lesson->after) QVERIFY2(ids.contains(before), before.c_str());
            ids.insert(preset.id);
        }
        QCOMPARE(ids.size(), std::size_t{19});
    }

    void pictures_are_there() {
        for (const std::string_view name : picture_names) {
            const auto path = std::string(SCALESCOPE_SOURCE_DIR "/resources/lessons/") + std::string(name) + ".svg";
            QVERIFY2(std::filesystem::exists(path), path.c_str());
        }
    }

    void each_is_written_as_it_reads() {
        for (const auto& preset : support::library().lessons) {
            const auto lesson = read_lesson(preset, support::library());
            QVERIFY(lesson.has_value());
            auto again = read_lesson(write_lesson(*lesson), "again", support::library());
            QVERIFY(again.has_value());
            again->id = lesson->id;
            QVERIFY(*again == *lesson);
        }
    }
};

QTEST_APPLESS_MAIN(Lessons)
#include "tst_lessons.moc"
