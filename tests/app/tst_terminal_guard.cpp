// SPDX-License-Identifier: GPL-3.0-or-later
// What is written to a terminal cannot steer it.
#include <QtTest>
#include <sstream>

#include "app/commands/terminal_guard.hpp"

using namespace scalescope::app;

class TestTerminalGuard : public QObject {
    Q_OBJECT

private slots:
    void controls_are_replaced() {
        std::ostringstream out;
        {
            TerminalGuard guard(out);
            out << "red \x1b[31m bell \x07 delete \x7f csi \xc2\x9b"
                << "2J\n\té \xc2\xb5 " << 1.5 << '\xc2';
            out << '\x85' << "|\xc2" << std::flush << "a";
        }
        QCOMPARE(out.str(), std::string("red ?[31m bell ? delete ? csi ?2J\n\té \xc2\xb5 1.5?|\xc2"
                                        "a"));
    }

    void afterwards_all_is_as_before() {
        std::ostringstream out;
        { TerminalGuard guard(out); }
        out << "\x1b";
        QCOMPARE(out.str(), std::string("\x1b"));
    }

    void a_stream_that_fails_is_said_to() {
        class Full final : public std::streambuf {
        } full;
        std::ostream out(&full);
        TerminalGuard guard(out);
        out << "x";
        QVERIFY(!out);
    }
};

QTEST_APPLESS_MAIN(TestTerminalGuard)
#include "tst_terminal_guard.moc"
