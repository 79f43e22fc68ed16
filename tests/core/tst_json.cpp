// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_document.hpp"
#include "core/formats/json_writer.hpp"

#include "peak_memory.hpp"
#include "sanitized.hpp"

#include <QTest>
#include <clocale>
#include <cstdlib>
#include <limits>

using namespace scalescope;
using namespace scalescope::formats;

namespace {

QString shown(const Problems& problems) {
    QString text;
    for (const auto& p : problems) text += QString::fromStdString(to_text(p)) + '\n';
    return text;
}

Problem only_problem(std::string_view text) {
    const auto parsed = parse_json(text, "f.json");
    if (parsed || parsed.error().size() != 1) return {};
    return parsed.error().front();
}

}  // namespace

class TestJson : public QObject {
    Q_OBJECT

private slots:
    void values_and_positions() {
        const std::string text =
            "\n{ \"a\": 12,\n  \"b\": [true, null, -2.5e1, \"x\\ny\"],\n  \"ä\" : {\"c\": \"é€\"}, \"d\": "
            "9223372036854775807 }\n";
        const auto doc = parse_json(text, "f.json");
        QVERIFY2(doc.has_value(), qPrintable(doc ? QString() : shown(doc.error())));
        const auto root = doc->root();
        QVERIFY(root.is_object());
        QCOMPARE(root.size(), 4u);
        QCOMPARE(root.at(), (SourcePosition{"f.json", 2, 1}));
        const auto a = *root.find("a");
        QVERIFY(a.is_integer());
        QCOMPARE(a.integer(), 12);
        QCOMPARE(a.number(), 12.0);
        QCOMPARE(a.at(), (SourcePosition{"f.json", 2, 8}));
        QCOMPARE(a.key_at(), (SourcePosition{"f.json", 2, 3}));
        const auto b = *root.find("b");
        QCOMPARE(b.size(), 4u);
        QCOMPARE(b.at(), (SourcePosition{"f.json", 3, 8}));
        QCOMPARE(b.source(), std::string_view("[true, null, -2.5e1, \"x\\ny\"]"));
        auto it = b.begin();
        QVERIFY((*it).boolean());
        QVERIFY((*++it).is_null());
        QVERIFY(!(*++it).is_integer());
        QCOMPARE((*it).number(), -25.0);
        QCOMPARE((*it).at(), (SourcePosition{"f.json", 3, 21}));
        QCOMPARE((*++it).text(), std::string_view("x\ny"));
        QVERIFY(++it == b.end());
        const auto c = *(*root.find("ä")).find("c");
        QCOMPARE(c.text(), std::string_view("é€"));
        QCOMPARE(c.at(), (SourcePosition{"f.json", 4, 15}));  // columns count characters, not bytes
        QCOMPARE(c.key(), std::string_view("c"));
        QCOMPARE((*root.find("d")).integer(), std::numeric_limits<std::int64_t>::max());
        QVERIFY(!root.find("e"));
    }

    void order_is_kept() {
        const auto doc = parse_json(R"({"z":1,"a":{"q":[[]],"b":{}},"m":3})", "f");
        std::string keys;
        for (const auto member : doc->root()) keys += member.key();
        QCOMPARE(keys, std::string("zam"));
    }

    void scalars_at_the_root() {
        QCOMPARE(parse_json(" 7 ", "f")->root().integer(), 7);
        QCOMPARE(parse_json("\"\"", "f")->root().text(), std::string_view());
        QCOMPARE(parse_json("\xEF\xBB\xBF[1]", "f")->root().size(), 1u);
    }

    void whole_numbers_beyond_64_bits_are_not_integers() {
        for (const auto* text : {"18446744073709551615", "9223372036854775808", "123456789012345678901234567890"}) {
            const auto doc = parse_json(text, "f");
            QVERIFY(doc);
            QVERIFY(!doc->root().is_integer());
            QVERIFY(doc->root().number() > 9.2e18);
        }
        QVERIFY(parse_json("-9223372036854775808", "f")->root().is_integer());
    }

    void syntax_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, QByteArray text, int line, int column, QByteArray says) {
            QTest::newRow(name) << text << line << column << says;
        };
        row("empty", "", 1, 1, "empty");
        row("blank", " \n ", 1, 1, "empty");
        row("cut in object", "{\"a\": 1,\n", 2, 1, "begins on line 1, column 1 is not closed");
        row("cut in list", "{\"a\":\n [1, 2", 2, 7, "the list that begins on line 2, column 2");
        row("cut in text", "{\"a\": \"bc", 1, 10, "ends too early");
        row("cut in literal", "[tru", 1, 5, "ends too early");
        row("comma at end", "{\"a\": 1,\n}", 2, 1, "comma before the closing");
        row("comma at end of list", "[1,]", 1, 4, "comma before the closing");
        row("two commas", "[1,,2]", 1, 4, "cannot stand");
        row("no comma", "{\"a\": 1\n \"b\": 2}", 2, 2, "cannot stand");
        row("no comma in a list", "[{\"a\": 1}\n {\"b\": 2}]", 2, 2, "no comma before");
        row("no comma behind a list", "{\"a\": [1]\n \"b\": 2}", 2, 2, "no comma before");
        row("no comma at the end", "{\"a\": [1] x}", 1, 11, "cannot stand");
        row("no colon", "{\"a\" 1}", 1, 6, "cannot stand");
        row("wrong bracket", "[1}", 1, 3, "cannot stand");
        row("comment", "{ // hi\n}", 1, 3, "no comments");
        row("single quotes", "{'a': 1}", 1, 2, "double quotes");
        row("nan", "[NaN]", 1, 2, "no NaN");
        row("python", "[True]", 1, 2, "Python");
        row("more text", "{} {}", 1, 4, "more text after");
        row("line break in text", "[\"a\nb\"]", 1, 4, "line break");
        row("bad escape", "[\"a\\q\"]", 1, 5, "escape");
        row("lone surrogate", "[\"\\ud800\"]", 1, 9, "escape");
        row("huge number", "[1, 1e999]", 1, 5, "too large");
        row("leading zero", "[012]", 1, 3, "cannot stand");
        row("duplicate", "{\"a\": 1, \"b\": 2,\n \"a\": 3}", 2, 2, "used twice");
        row("escaped duplicate", "{\"a\": 1, \"\\u0061\": 3}", 1, 10, "used twice");
        row("latin-1", "[\"caf\xE9\"]", 1, 6, "not UTF-8");
        row("overlong", "[\"\xC0\xAF\"]", 1, 3, "not UTF-8");
        row("utf-16", QByteArray("\xFF\xFE{\0}\0", 6), 1, 1, "not UTF-8");
        row("zero byte", QByteArray("{}\0garbage", 10), 1, 3, "not UTF-8");
    }

    void syntax() {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(QByteArray, says);
        const auto problem = only_problem({text.constData(), static_cast<std::size_t>(text.size())});
        const auto message = to_text(problem);
        QVERIFY2(QByteArray::fromStdString(message).contains(says), message.c_str());
        QCOMPARE(problem.at.file, std::string("f.json"));
        QCOMPARE(problem.at.line, line);
        QCOMPARE(problem.at.column, column);
        QVERIFY(!problem.remedy.empty());
    }

    void every_truncation_is_one_problem() {
        const std::string text = R"({"name": "né", "layers": {"a": {"filter": [3, -1, 2.5e1], "b": [true, null]}}})";
        for (std::size_t n = 0; n < text.size(); ++n) {
            const auto parsed = parse_json(std::string_view(text).substr(0, n), "f");
            QVERIFY(!parsed);
            QCOMPARE(parsed.error().size(), 1u);
            QCOMPARE(parsed.error().front().at.line, 1);
        }
    }

    /// A text need not end with a zero byte: each of these has exactly its own bytes, for the address sanitizer to
    /// guard.
    void every_short_text_is_read_within_its_bytes() {
        const std::string alphabet = "{}[]\",:1\\ a-";
        long broken = 0, whole = 0;
        for (const std::size_t length : {1u, 2u, 3u, 4u}) {
            std::vector<std::size_t> letters(length, 0);
            for (std::size_t place = 0; place < length;) {
                std::vector<char> text(length);
                for (std::size_t i = 0; i < length; ++i) text[i] = alphabet[letters[i]];
                const auto parsed = parse_json(std::string_view(text.data(), length), "f");
                ++(parsed ? whole : broken);
                QVERIFY(parsed || !parsed.error().empty());
                for (place = 0; place < length && ++letters[place] == alphabet.size();) letters[place++] = 0;
            }
        }
        QVERIFY(whole > 50);
        QVERIFY(broken > 10'000);
    }

    void limits_hold() {
        const std::string at_limit(limits::json_depth, '[');
        QVERIFY(parse_json(at_limit + std::string(limits::json_depth, ']'), "f"));
        const auto deep = only_problem(std::string(1'000'000, '['));
        QVERIFY2(deep.what.find("deeper than 64") != std::string::npos, deep.what.c_str());
        QCOMPARE(deep.at.column, limits::json_depth + 1);
        const auto large = only_problem(std::string(limits::file_bytes + 1, ' '));
        QVERIFY(large.what.find("32 MiB") != std::string::npos);
        std::string many = "[";
        for (std::size_t i = 0; i < limits::json_values; ++i) many += "0,";
        many += "0]";
        const auto values = only_problem(many);
        QVERIFY2(values.what.find("more than 2000000 values") != std::string::npos, values.what.c_str());
    }

    /// An eighth of the largest file that is read, as bad as it can be: names and texts that are all unescaped.
    void the_largest_file_fits_into_200_mb() {
        if (support::sanitized) return;  // freed memory is kept for a while then
        constexpr std::size_t part = 8, members = limits::json_values / part;
        std::string text = "[";
        const std::string letters(limits::file_bytes / part / members - 8, 'x');
        for (std::size_t i = 0; i < members / 2; ++i)
            text += (i ? ",{\"\\n" : "{\"\\n") + letters + "\":\"\\n" + letters + "\"}";
        text += "]";
        QVERIFY(text.size() < limits::file_bytes / part);
        bool parsed = false;
        const long growth = support::peak_growth([&] { parsed = parse_json(text, "f").has_value(); });
        QVERIFY(parsed);
        const auto most = (150'000'000l - static_cast<long>(limits::file_bytes)) / static_cast<long>(part) / 1024;
        QVERIFY2(growth < most, std::to_string(growth).c_str());
    }

    /// A text that is kept elsewhere is not copied.
    void no_copy_of_the_text() {
        const std::string text = R"({"a":"bc"})";
        const auto doc = parse_json(text, "f");
        QCOMPARE(static_cast<const void*>(doc->root().find("a")->text().data()),
                 static_cast<const void*>(text.data() + 6));
        const auto kept =
            parse_json(QString::fromLatin1("{\"a\":\"%1\"}").arg(QString(100, QLatin1Char('b'))).toStdString(), "f");
        QCOMPARE(kept->root().find("a")->text(), std::string_view(std::string(100, 'b')));
    }

    void positions_on_a_long_line_are_quick() {
        std::string text = "[";
        for (int i = 0; i < 500'000; ++i) text += "\"é\",";
        text += "0]";
        const auto doc = parse_json(text, "f");
        int expected = 2;
        for (const auto v : doc->root()) {
            if (v.is_string()) QVERIFY(v.at().column == expected);
            expected += 4;
        }
    }

    void decoder_collects_all_problems() {
        const auto doc = parse_json(
            "{\"name\": 5,\n \"filtr\": [1, 2],\n \"splits\": 0,\n \"rate\": \"x\",\n \"parents\": [\"a\", 3],\n "
            "\"big\": 1e30,\n \"opt\": null}",
            "net.json");
        QVERIFY(doc);
        ProblemList problems;
        JsonFields fields(doc->root(), "layers › conv1", problems);
        QVERIFY(!fields.text("name"));
        QVERIFY(!fields.integers("filter", 4, 1));
        QVERIFY(!fields.integer("splits", 1, 8));
        QVERIFY(!fields.number("rate", 0.0, 1.0));
        QVERIFY(!fields.texts("parents"));
        QVERIFY(!fields.optional_integer("big"));
        QVERIFY(!fields.optional_text("opt"));
        QVERIFY(!fields.optional_boolean("absent"));
        fields.finish();
        QVERIFY(problems.has_errors());
        QCOMPARE(problems.all().size(), 7u);
        const auto text = [&](std::size_t i) { return QByteArray::fromStdString(to_text(problems.all()[i])); };
        QCOMPARE(
            text(0),
            QByteArray(
                "net.json:1:10: layers › conv1 › name: The field \"name\" must be a text, not 5; write a text here."));
        QCOMPARE(text(1),
                 QByteArray("net.json:1:1: layers › conv1: The field \"filter\" is missing; add it; it is a list."));
        QCOMPARE(text(2), QByteArray("net.json:3:12: layers › conv1 › splits: This must be a whole number from 1 to 8, "
                                     "not 0; write a whole number from 1 to 8."));
        QCOMPARE(text(3), QByteArray("net.json:4:10: layers › conv1 › rate: This must be a number from 0 to 1, not "
                                     "\"x\"; write a number from 0 to 1."));
        QCOMPARE(text(4), QByteArray("net.json:5:19: layers › conv1 › parents: Each entry of this list must be a text, "
                                     "not 3; write a name in double quotes."));
        QCOMPARE(
            text(5),
            QByteArray(
                "net.json:6:9: layers › conv1 › big: This must be a whole number, not 1e30; write a whole number."));
        QCOMPARE(text(6), QByteArray("net.json:2:2: layers › conv1 › filtr: The field \"filtr\" is not known here; did "
                                     "you mean \"filter\"?"));
    }

    void decoder_reads() {
        const auto doc =
            parse_json(R"({"i": 3, "w": 4.0, "x": 0.5, "l": [1, 2, 3], "t": ["a", "b"], "b": false})", "f");
        ProblemList problems;
        JsonFields fields(doc->root(), "", problems);
        QCOMPARE(fields.integer("i").value(), 3);
        QCOMPARE(fields.integer("w").value(), 4);  // a whole number written with a point is one
        QCOMPARE(fields.number("x").value(), 0.5);
        QCOMPARE(fields.integers("l", 3).value(), (std::vector<std::int64_t>{1, 2, 3}));
        QCOMPARE(fields.texts("t").value(), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(fields.optional_boolean("b").value(), false);
        fields.finish();
        QVERIFY2(problems.all().empty(), qPrintable(shown(problems.all())));
    }

    void problems_are_capped() {
        ProblemList problems;
        for (int i = 0; i < 5000; ++i) problems.warning({}, "", "w", "");
        problems.error({}, "", "e", "");
        QVERIFY(problems.has_errors());
        QCOMPARE(problems.all().size(), limits::problems + 1);
        QVERIFY(problems.all().back().severity == Severity::error);
    }

    void closest_names() {
        const std::vector<std::string_view> known{"Convolution", "Deconvolution", "Pooling", "Input", "fc6"};
        QCOMPARE(closest_name("Convlution", known), std::string_view("Convolution"));
        QCOMPARE(closest_name("convolution", known), std::string_view("Convolution"));
        QCOMPARE(closest_name("Poolnig", known), std::string_view("Pooling"));
        QCOMPARE(closest_name("fc7", known), std::string_view("fc6"));
        QCOMPARE(closest_name("BatchNorm", known), std::string_view());
        QCOMPARE(closest_name("ab", known), std::string_view());
    }

    void writer() {
        JsonWriter w;
        w.begin_object();
        w.key("name");
        w.text("a\"b\\\n\x01 é\xFF");
        w.key("list");
        w.begin_inline_list();
        for (const int i : {1, 2}) w.integer(i);
        w.end_list();
        w.key("empty");
        w.begin_object();
        w.end_object();
        w.key("rows");
        w.begin_list();
        w.number(0.1);
        w.boolean(true);
        w.null();
        w.raw("[7]");
        w.end_list();
        w.end_object();
        const auto text = w.take();
        QCOMPARE(
            QByteArray::fromStdString(text),
            QByteArray("{\n  \"name\": \"a\\\"b\\\\\\n\\u0001 é\xEF\xBF\xBD\",\n  \"list\": [1, 2],\n  \"empty\": {},\n"
                       "  \"rows\": [\n    0.1,\n    true,\n    null,\n    [7]\n  ]\n}\n"));
        QVERIFY(parse_json(text, "f"));
    }

    void numbers_round_trip_in_any_locale() {
        std::setlocale(LC_ALL, "de_DE.UTF-8");
        for (const double x : {0.1, 1.0 / 3.0, 1e300, 5e-324, -123456789.125, 9007199254740993.0, 1e22}) {
            const auto doc = parse_json(shortest(x), "f");
            QVERIFY(doc);
            QCOMPARE(doc->root().number(), x);
        }
        std::setlocale(LC_ALL, "C");
        QCOMPARE(shortest(-0.0), std::string("0"));
        QCOMPARE(shortest(2.0), std::string("2"));
        QCOMPARE(shortest(std::numeric_limits<double>::quiet_NaN()), std::string("null"));
    }
};

QTEST_APPLESS_MAIN(TestJson)
#include "tst_json.moc"
