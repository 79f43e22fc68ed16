// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons on the command line: the list, and the check of those who write one.
#include "support_verbs.hpp"

using namespace support;

class LessonCommand : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void the_list() {
        const auto all = rows({"list", "lessons"});
        QCOMPARE(all.size(), static_cast<qsizetype>(formats::load_shipped().lessons.size()));
        const auto first = all[0].toObject();
        QCOMPARE(first["id"].toString(), QStringLiteral("01-layer-cost"));
        QCOMPARE(first["name"].toString(), QStringLiteral("What a layer costs"));
        QVERIFY(first["tasks"].toInt() >= 1 && first["steps"].toInt() >= 4);
    }

    void a_right_one() {
        const auto all = rows({"check", "--lesson", "04-the-64th-gpu"});
        QVERIFY(all.size() > 10);
        for (const auto& row : all) QCOMPARE(row.toObject()["right"].toString(), QStringLiteral("yes"));
        QCOMPARE(run({"check", "--lesson", "04-the-64th-gpu", "13-super-linear"}).code, 0);
    }

    void a_wrong_one() {
        auto text = formats::load_shipped().find_lesson("04-the-64th-gpu")->text;
        const std::string right = "\"says\": \"308 ms\"";
        QVERIFY(text.find(right) != std::string::npos);
        const auto path = folder_.filePath("wrong.json").toStdString();
        QVERIFY(write_file(path, text.replace(text.find(right), right.size(), "\"says\": \"309 ms\"")).has_value());
        const auto ran = run({"check", "--lesson", path});
        QCOMPARE(ran.code, 1);
        QVERIFY2(contains(ran.err, "wrong.json: steps › 2 › assertions › t8: \"309 ms\" is wrong: step is 308.06"),
                 ran.err.c_str());
        QVERIFY2(contains(ran.err, path), ran.err.c_str());
        QVERIFY(contains(ran.out, "no"));
    }

    void what_is_no_lesson() {
        const auto ran = run({"check", "--lesson", "05-colectives"});
        QCOMPARE(ran.code, 1);
        QVERIFY2(contains(ran.err, "did you mean 05-collectives?"), ran.err.c_str());
        QCOMPARE(run({"check", "--lesson"}).code, 2);
    }
};

QTEST_APPLESS_MAIN(LessonCommand)
#include "tst_lesson_command.moc"
