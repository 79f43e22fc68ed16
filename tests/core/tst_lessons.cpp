// SPDX-License-Identifier: GPL-3.0-or-later
// Every shipped lesson: it reads, what it says is so, and its tasks can be done.
#include <QtTest>

#include "core/lessons/beginning.hpp"
#include "core/lessons/check.hpp"
#include "core/lessons/lesson_json.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::lessons;

class Lessons : public QObject {
    Q_OBJECT
private slots:
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
