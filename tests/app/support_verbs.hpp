// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <sstream>
#include <string>
#include <vector>

#include "app/commands/input.hpp"
#include "app/commands/verbs.hpp"
#include "core/base/atomic_file.hpp"
#include "core/formats/library.hpp"

/// Verbs called like functions: words in, what they say out.
namespace support {

using namespace scalescope;
using namespace scalescope::app;

using Words = std::vector<std::string>;

struct Ran {
    int code = -1;
    std::string out, err;
};

inline Ran run(const Words& words) {
    std::ostringstream out, err;
    const auto code = run_command_line(command_line_without_display(), "0", words, out, err);
    return {code.value_or(-1), out.str(), err.str()};
}

/// The rows of a verb asked for JSON.
inline QJsonArray rows(Words words) {
    words.insert(words.end(), {"--format", "json"});
    const auto ran = run(words);
    if (ran.code != 0) qWarning("%s", ran.err.c_str());
    return QJsonDocument::fromJson(QByteArray::fromStdString(ran.out)).array();
}

inline QJsonValue figure(const QJsonArray& all, const QString& name) {
    for (const auto& row : all)
        if (row.toObject()["figure"].toString() == name) return row.toObject()["value"];
    return QJsonValue::Undefined;
}

inline std::string header(const Words& words) {
    auto csv = words;
    csv.insert(csv.end(), {"--format", "csv"});
    const auto out = run(csv).out;
    return out.substr(0, out.find('\n'));
}

inline Scenario preset(const std::string& name) { return scenario_named(name, formats::load_shipped())->scenario; }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// For a test of words that a verb refuses: one row each, with what it says of them.
class WrongWords {
public:
    static void columns() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
    }
    static void row(const char* name, const char* words, int code, const char* says) {
        QTest::newRow(name) << QString::fromUtf8(words).split(QLatin1Char(' ')) << code << QString::fromUtf8(says);
    }
    static void are_refused() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, says);
        Words list;
        for (const auto& word : words) list.push_back(word.toStdString());
        const auto ran = run(list);
        QVERIFY2(ran.code == code, ran.err.c_str());
        QVERIFY2(contains(ran.err, says.toStdString()), ran.err.c_str());
        QVERIFY2(ran.out.empty(), ran.out.c_str());
    }
};

inline const std::string source = SCALESCOPE_SOURCE_DIR;

/// A folder for a test's own files, in which nobody's presets are.
class OwnFiles {
public:
    void hide_presets_of_the_person() {
        qputenv("XDG_DATA_HOME", QFile::encodeName(folder_.filePath(QStringLiteral("nobodys"))));
    }
    QString folder() const { return folder_.path(); }
    std::string write(const char* name, const std::string& text) const {
        const auto path = (folder_.path() + QLatin1Char('/') + QString::fromUtf8(name)).toStdString();
        [&] { QVERIFY(write_file(path, text)); }();
        return path;
    }

private:
    QTemporaryDir folder_;
};

}  // namespace support
