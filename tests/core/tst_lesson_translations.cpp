// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in other languages: nothing missing, nothing left over, the same figures.
#include <QtTest>
#include <algorithm>
#include <set>

#include "core/formats/embedded.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/lessons/translation.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::lessons;

namespace {

/// Languages with a folder of lessons.
std::set<std::string> languages() {
    std::set<std::string> codes;
    for (const auto& file : formats::embedded_files()) {
        const std::string path(file.path);
        if (path.starts_with("languages/") && path.find("/lessons/") != std::string::npos)
            codes.insert(path.substr(10, path.find('/', 10) - 10));
    }
    return codes;
}

/// {names} in the order of the alphabet.
std::multiset<std::string> figures(const std::string& text) {
    std::multiset<std::string> names;
    for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1))
        names.insert(text.substr(at, text.find('}', at) - at));
    return names;
}

/// Numbers as they are written, outside of {names}.
std::set<std::string> numbers(const std::string& text) {
    std::set<std::string> all;
    std::string number;
    bool inside = false;
    for (const char c : text + " ") {
        inside = c == '{' || (inside && c != '}');
        if (!inside && c >= '0' && c <= '9')
            number += c;
        else if (!number.empty())
            all.insert(std::exchange(number, {}));
    }
    return all;
}

const char* const two_steps =
    R"({"format": "scalescope-lesson", "version": 1, "title": "T", "summary": "S", "minutes": 5,
  "steps": [{"title": "One", "text": ["A step takes {t}.", "More."], "scenario": "example",
             "pins": [{"name": "Before", "set": {"cluster.workers": 1}}],
             "task": {"sentence": "Do it.", "condition": "cluster.workers == 2", "hints": ["Try."],
                      "solution": {"cluster.workers": 2}},
             "question": {"text": "Which?", "answers": [{"text": "A", "right": true, "explanation": "Yes."},
                                                        {"text": "B", "explanation": "No."}]},
             "assertions": [{"name": "t", "is": "step", "says": "308 ms"}]},
            {"title": "Two", "text": ["More."]}]})";

Lesson small_lesson() {
    auto lesson = read_lesson(two_steps, "l.json", support::library());
    return lesson ? *lesson : Lesson{};
}

}  // namespace

class TestLessonTranslations : public QObject {
    Q_OBJECT
private slots:
    void every_text_is_asked_for_once() {
        const std::vector<std::string> expected{"T",     "S",      "One",  "Before", "Two", "A step takes {t}.",
                                                "More.", "Do it.", "Try.", "Which?", "A",   "Yes.",
                                                "B",     "No."};
        QCOMPARE(texts_of(small_lesson()), expected);
    }

    void what_is_told_replaces_what_is_said() {
        const auto lesson = translated(small_lesson(), {{"T", "Titel"},
                                                        {"A step takes {t}.", "{t} dauert ein *Schritt*."},
                                                        {"Before", "Vorher"},
                                                        {"Yes.", "Ja."}});
        QVERIFY(lesson.has_value());
        QCOMPARE(lesson->title, std::string("Titel"));
        QCOMPARE(lesson->summary, std::string("S"));
        QCOMPARE(plain(lesson->steps[0].text.blocks), std::string("308 ms dauert ein Schritt.\nMore.\n"));
        QCOMPARE(lesson->steps[0].pins->front().name, std::string("Vorher"));
        QCOMPARE(plain(lesson->steps[0].question->answers[0].explanation.line), std::string("Ja."));
    }

    void a_figure_that_nobody_has_is_a_problem() {
        const auto lesson = translated(small_lesson(), {{"A step takes {t}.", "{u}"}});
        QVERIFY(!lesson.has_value());
        QVERIFY(lesson.error().front().what.find("u") != std::string::npos);
    }

    void files_are_checked() {
        const std::string head = R"({"format": "scalescope-lesson-texts", "version": 1, "language": "de")";
        const auto read = read_lesson_texts(head + R"(, "texts": {"a": "b"}})", "t.json");
        QVERIFY(read.has_value());
        QCOMPARE(*read, (LessonTexts{{"a", "b"}}));
        const auto wrong = read_lesson_texts(head + R"(, "texts": {"a": 1}})", "t.json");
        QVERIFY(!wrong.has_value());
        QCOMPARE(wrong.error().front().what, std::string("This must be a text."));
        QVERIFY(!read_lesson_texts(head + "}", "t.json").has_value());
        QVERIFY(shipped_lesson_texts("de", "no-such-lesson")->empty());
    }

    void shipped_lessons_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("id");
        for (const std::string& code : languages())
            for (const auto& preset : support::library().lessons)
                QTest::addRow("%s %s", code.c_str(), preset.id.c_str())
                    << QString::fromStdString(code) << QString::fromStdString(preset.id);
    }
    void shipped_lessons() {
        QFETCH(QString, code);
        QFETCH(QString, id);
        const formats::Preset* preset = support::library().find_lesson(id.toStdString());
        QVERIFY(preset);
        const auto lesson = read_lesson(*preset, support::library());
        QVERIFY(lesson.has_value());
        const auto texts = shipped_lesson_texts(code.toStdString(), id.toStdString());
        QVERIFY2(texts.has_value(), texts ? "" : support::messages(texts.error()).c_str());
        const auto all = texts_of(*lesson);
        for (const std::string& said : all) QVERIFY2(texts->count(said) > 0, ("not translated: " + said).c_str());
        std::set<std::string> shown;
        for (const Step& step : lesson->steps)
            for (const Assertion& a : step.assertions) {
                shown.insert(a.says);
                const bool has_word =
                    a.says.find(" million") != std::string::npos || a.says.find(" times") != std::string::npos;
                QVERIFY2(!has_word || texts->count(a.says) > 0, ("not translated: " + a.says).c_str());
            }
        for (const auto& [said, told] : *texts) {
            QVERIFY2(shown.count(said) > 0 || std::find(all.begin(), all.end(), said) != all.end(),
                     ("not in the lesson: " + said).c_str());
            QVERIFY2(figures(said) == figures(told), told.c_str());
            for (const std::string& number : numbers(told))
                QVERIFY2(numbers(said).count(number) > 0, (number + " in: " + told).c_str());
        }
        const auto other = translated(*lesson, *texts);
        QVERIFY2(other.has_value(), other ? "" : support::messages(other.error()).c_str());
        // Blocks are of the same kinds: a list stays a list, a picture the same picture.
        for (std::size_t i = 0; i < other->steps.size(); ++i) {
            const auto &here = lesson->steps[i].text.blocks, &there = other->steps[i].text.blocks;
            QCOMPARE(there.size(), here.size());
            for (std::size_t k = 0; k < here.size(); ++k) {
                QVERIFY(there[k].kind == here[k].kind);
                if (here[k].kind == Block::Kind::picture) QCOMPARE(there[k].name, here[k].name);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestLessonTranslations)
#include "tst_lesson_translations.moc"
