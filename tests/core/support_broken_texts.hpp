// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>
#include <string>

#include "core/formats/library.hpp"
#include "support_library.hpp"

namespace support {

/// For a test of texts that no reader takes: one row each, with where and what the first problem is.
class BrokenTexts {
public:
    static void columns() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("says");
    }
    static void row(const char* name, const std::string& text, int line, int column, const char* says) {
        QTest::newRow(name) << QString::fromStdString(text) << line << column << QString::fromUtf8(says);
    }
    enum class Said { in_problem, in_problem_or_remedy };
    /// It is said there, in `file`, and there is something to do.
    static void are_refused(const std::string& file, Said where) {
        QFETCH(QString, text);
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(QString, says);
        const auto network = scalescope::formats::read_any_network(text.toStdString(), file);
        QVERIFY(!network);
        const scalescope::Problem& p = network.error()[0];
        const std::string message = messages(network.error());
        const std::string said = where == Said::in_problem ? p.what : p.what + ' ' + p.remedy;
        QVERIFY2(QString::fromStdString(said).contains(says), message.c_str());
        QVERIFY2(p.at.line == line && p.at.column == column && p.at.file == file, message.c_str());
        QVERIFY(!p.remedy.empty());
    }
};

}  // namespace support
