// SPDX-License-Identifier: GPL-3.0-or-later
// The markup of lessons, and the rule that their digits obey.
#include <QtTest>

#include "core/lessons/check.hpp"
#include "core/lessons/text.hpp"

using namespace scalescope;
using namespace scalescope::lessons;

namespace {

const FigureText figures = [](std::string_view name) -> std::optional<std::string> {
    return name == "share" ? std::optional<std::string>("63 %") : std::nullopt;
};

/// One letter for each kind, then the text: "p(of )g(63 %)".
std::string shape(const Line& line) {
    constexpr std::string_view letters = "peSCgf";
    std::string all;
    for (const Span& s : line) all += std::string(1, letters[static_cast<std::size_t>(s.kind)]) + '(' + s.text + ')';
    return all;
}

}  // namespace

class LessonTexts : public QObject {
    Q_OBJECT
private slots:
    void spans_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char* source, const char* wanted) {
            QTest::newRow(source) << QString::fromUtf8(source) << QString::fromUtf8(wanted);
        };
        row("plain", "p(plain)");
        row("of {share}.", "p(of )g(63 %)p(.)");
        row("*a* **b** `c*d`", "e(a)p( )S(b)p( )C(c*d)");
        row("**half of {share}**", "S(half of )g(63 %)");
        row("*a**b*", "");
        row("so $t_1 / 2$ is", "p(so )f(t_1 / 2)p( is)");
        row("2 \\* 3 \\{x\\} \\\\", "p(2 * 3 {x} \\)");
        row("two\nlines", "p(two lines)");
        row("*a**", "");
        row("ä·{share}", "p(ä·)g(63 %)");
    }
    void spans() {
        QFETCH(QString, source);
        QFETCH(QString, wanted);
        const auto line = parse_line(source.toStdString(), figures);
        QCOMPARE(QString::fromStdString(line ? shape(*line) : std::string()), wanted);
    }

    void what_is_wrong_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* source, int column, const char* what) {
            QTest::newRow(source) << QString::fromUtf8(source) << column << QString::fromUtf8(what);
        };
        row("ä *b", 3, "* is not closed.");
        row("a **b*", 6, "*Emphasis* and **strong** do not stand inside each other.");
        row("ab {speed}", 4, "There is no figure called \"speed\".");
        row("ab {share", 4, "{ is not closed.");
        row("ab } c", 4, "This brace closes nothing.");
        row("a `b", 3, "` is not closed.");
        row("a $$", 3, "Nothing stands between $ and $.");
        row("a $1 +$", 7, "The expression ends too early.");
        row("a \\b", 3, "A backslash stands before a character that has no meaning to lose.");
        row("**** a", 3, "Nothing stands between these asterisks.");
        row("  ", 1, "This text is empty.");
    }
    void what_is_wrong() {
        QFETCH(QString, source);
        QFETCH(int, column);
        QFETCH(QString, what);
        const auto line = parse_line(source.toStdString(), figures);
        QVERIFY(!line.has_value());
        QCOMPARE(QString::fromStdString(line.error().front().what), what);
        QCOMPARE(line.error().front().at.column, column);
        QVERIFY(!line.error().front().remedy.empty());
    }

    void blocks() {
        using Kind = Block::Kind;
        const auto all =
            parse_blocks({"# Why", "- one", "- *two*", "$$ a / b $$", "![ring] Four {share}", "Text.", "- x"}, figures);
        QVERIFY(all.has_value());
        QCOMPARE(all->size(), std::size_t{6});
        const Kind kinds[] = {Kind::heading, Kind::list, Kind::formula, Kind::picture, Kind::paragraph, Kind::list};
        for (std::size_t i = 0; i < 6; ++i) QVERIFY((*all)[i].kind == kinds[i]);
        QCOMPARE((*all)[1].lines.size(), std::size_t{2});
        QCOMPARE(shape((*all)[1].lines[1]), std::string("e(two)"));
        QCOMPARE((*all)[2].name, std::string("a / b"));
        QCOMPARE((*all)[3].name, std::string("ring"));
        QCOMPARE(shape((*all)[3].lines[0]), std::string("p(Four )g(63 %)"));
        QCOMPARE(plain(*all), std::string("Why\none\ntwo\na / b\nFour 63 %\nText.\nx\n"));
    }

    void a_wrong_block_says_which() {
        const auto all = parse_blocks({"Fine.", "- a *b", "$$a +$$", ""}, figures);
        QVERIFY(!all.has_value());
        QCOMPARE(all.error().size(), std::size_t{3});
        QCOMPARE(all.error()[0].at.line, 2);
        QCOMPARE(all.error()[0].at.column, 5);
        QCOMPARE(all.error()[1].at.line, 3);
        QCOMPARE(all.error()[2].what, std::string("This text is empty."));
    }

    void escaped_is_plain() {
        const std::string hard = "- 2*3 {a} $b$ `c` \\d #!";
        const auto line = parse_line(escaped(hard), figures);
        QVERIFY(line.has_value());
        QCOMPARE(shape(*line), "p(" + hard + ')');
        const auto block = parse_blocks({escaped(hard)}, figures);
        QVERIFY(block.has_value() && block->front().kind == Block::Kind::paragraph);
    }

    void digits_need_a_reason() {
        const std::vector<std::string> given{"64th", "K80", "1", "VGG-16"};
        QCOMPARE(unexplained_digits("The 64th K80.", given), std::string());
        QCOMPARE(unexplained_digits("VGG-16, 1 time", given), std::string());
        QCOMPARE(unexplained_digits("no digits", given), std::string());
        QCOMPARE(unexplained_digits("in 63 % of", given), std::string("63"));
        QCOMPARE(unexplained_digits("in 1.5 of", given), std::string("1.5"));
        QCOMPARE(unexplained_digits("1,024 GPUs", given), std::string("1,024"));
        QCOMPARE(unexplained_digits("a K800", given), std::string("K800"));
        QCOMPARE(unexplained_digits("31", given), std::string("31"));
    }

    void what_is_shown_data() {
        QTest::addColumn<QString>("says");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<int>("wanted");  // 1 right, 0 wrong, -1 no number or no unit that fits
        const auto row = [](const char* says, double value, const char* unit, int wanted) {
            QTest::addRow("%s of %g %s", says, value, unit)
                << QString::fromUtf8(says) << value << QString::fromUtf8(unit) << wanted;
        };
        row("63 %", 63.4999, "%", 1);
        row("63 %", 63.51, "%", 0);
        row("63.4 %", 63.44, "%", 1);
        row("63.4 %", 63.46, "%", 0);
        row("63.0 %", 63.1, "%", 0);
        row("about 1,024 samples", 1024.3, "samples", 1);
        row("1.3 s", 1309.1, "ms", 1);
        row("1.3 s", 1360.0, "ms", 0);
        row("2.0 hours", 7280, "s", 1);
        row("−3 %", -3.2, "%", 1);
        row("10.43 GiB", 11.2, "GB", 1);
        row("8 times", 8.2, "×", 1);
        row("8", 8.2, "ms", 1);
        row("8 s", 8.2, "%", -1);
        row("half", 0.5, "", -1);
        row("1 or 2", 1, "", -1);
    }
    void what_is_shown() {
        QFETCH(QString, says);
        QFETCH(double, value);
        QFETCH(QString, unit);
        QFETCH(int, wanted);
        const auto right = shows(says.toStdString(), value, unit.toStdString());
        QCOMPARE(right ? static_cast<int>(*right) : -1, wanted);
    }
};

QTEST_APPLESS_MAIN(LessonTexts)
#include "tst_lesson_texts.moc"
