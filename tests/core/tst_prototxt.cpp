// SPDX-License-Identifier: GPL-3.0-or-later
// Protocol buffers' text format: values, places, and what is wrong with broken texts.
#include <QtTest>

#include "core/base/limits.hpp"
#include "core/base/watch.hpp"
#include "core/formats/prototxt.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;

class Prototxt : public QObject {
    Q_OBJECT
private slots:
    void values();
    void places();
    void strings();
    void lists_are_fields_given_twice();
    void comments_may_hold_anything();
    void broken_data();
    void broken();
    void recognized_by_content();
    void bounded();
    void cancelled();
};

void Prototxt::values() {
    const auto document = parse_prototxt(
        "a: 12 b: -7, c: 0x1F; d: 017 e: 0.5 f: 1.5e3f g: MAX h: true i < j: 1 > k: { l: -inf } m: "
        "99999999999999999999",
        "t");
    QVERIFY2(document.has_value(), document ? "" : support::messages(document.error()).c_str());
    const ProtoField root = document->root();
    QVERIFY(root.find("a")->integer() == 12);
    QVERIFY(root.find("b")->integer() == -7);
    QVERIFY(root.find("c")->integer() == 31);
    QVERIFY(root.find("d")->integer() == 15);
    QVERIFY(!root.find("e")->integer());
    QVERIFY(root.find("e")->number() == 0.5);
    QVERIFY(root.find("f")->number() == 1500.0);
    QVERIFY(root.find("g")->kind() == ProtoKind::word && root.find("g")->text() == "MAX");
    QVERIFY(root.find("h")->boolean() == true);
    QVERIFY(root.find("i")->is_message() && root.find("i")->find("j")->integer() == 1);
    QVERIFY(root.find("k")->find("l")->text() == "-inf");
    QVERIFY(!root.find("k")->find("l")->number());
    QVERIFY(!root.find("m")->integer());
    QVERIFY(!root.find("missing"));
}

void Prototxt::places() {
    const auto document = parse_prototxt("name: \"é\" type: 'x'\nlayer {\n  dim : 3\n}\n", "net");
    QVERIFY(document.has_value());
    const ProtoField type = *document->root().find("type"), dim = *document->root().find("layer")->find("dim");
    QCOMPARE(type.name_at(), (SourcePosition{"net", 1, 11}));  // characters, not bytes
    QCOMPARE(type.at(), (SourcePosition{"net", 1, 17}));
    QCOMPARE(dim.name_at(), (SourcePosition{"net", 3, 3}));
    QCOMPARE(dim.at(), (SourcePosition{"net", 3, 9}));
    QCOMPARE(document->root().find("layer")->at(), (SourcePosition{"net", 2, 7}));
}

void Prototxt::strings() {
    const auto document =
        parse_prototxt(R"(a: "x\n\"\'\\" b: 'say "hi"' c: "one" 'two'  "three" d: "\101\x42" e: "")", "t");
    QVERIFY2(document.has_value(), document ? "" : support::messages(document.error()).c_str());
    QVERIFY(document->root().find("a")->text() == "x\n\"'\\");
    QVERIFY(document->root().find("b")->text() == "say \"hi\"");
    QVERIFY(document->root().find("c")->text() == "onetwothree");
    QVERIFY(document->root().find("d")->text() == "AB");
    QVERIFY(document->root().find("e")->text().empty());
}

void Prototxt::lists_are_fields_given_twice() {
    const auto document = parse_prototxt("dim: [1, 2,3] none: [] m: [{a: 1}, {a: 2}]", "t");
    QVERIFY2(document.has_value(), document ? "" : support::messages(document.error()).c_str());
    std::string all;
    for (const ProtoField f : document->root())
        all +=
            std::string(f.name()) + (f.is_message() ? std::string(f.find("a")->text()) : std::string(f.text())) + ' ';
    QCOMPARE(all, std::string("dim1 dim2 dim3 m1 m2 "));
}

void Prototxt::comments_may_hold_anything() {
    const auto document = parse_prototxt("# \"it's: {\xff\n a: 1 # }\nb: \"# none\"", "t");
    QVERIFY2(document.has_value(), document ? "" : support::messages(document.error()).c_str());
    QVERIFY(document->root().find("a")->integer() == 1);
    QVERIFY(document->root().find("b")->text() == "# none");
}

void Prototxt::broken_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QByteArray& text, int line, int column, const char* says) {
        QTest::newRow(name) << text << line << column << QString(says);
    };
    row("empty", "", 1, 1, "says nothing");
    row("only a comment", "# a: 1", 1, 1, "says nothing");
    row("never closed", "a {\n b: 1\n", 1, 3, "never closed");
    row("closes nothing", "a: 1\n}", 2, 1, "closes nothing");
    row("closed by another", "a { b: 1 >", 1, 10, "closed with");
    row("no value", "a: }", 1, 4, "no value");
    row("end for a value", "a:", 1, 3, "the end of the file");
    row("no colon", "a 1", 1, 3, "instead of ':'");
    row("number for a name", "1: 2", 1, 1, "name of a field");
    row("symbol for a name", "a: 1 = 2", 1, 6, "name of a field");
    row("string not closed", "a: \"x\nb: 1", 1, 4, "not closed");
    row("string at the end", "a: 'x", 1, 4, "not closed");
    row("backslash at the end", "a: \"x\\", 1, 4, "not closed");
    row("escape", "a: \"\\q\"", 1, 5, "escape");
    row("string not UTF-8", "a: \"\xff\"", 1, 4, "UTF-8");
    row("number with letters", "a: 12px", 1, 4, "malformed");
    row("two points", "a: 1.2.3", 1, 4, "malformed");
    row("sign alone", "a: - }", 1, 4, "no value");
    row("list not closed", "a: [1, 2", 1, 4, "never closed");
    row("list without comma", "a: [1 2]", 1, 7, "instead of ','");
    row("extension not closed", "[a.b\n: 1", 1, 1, "never closed");
    row("zero byte", QByteArray("a: 1\0b: 2", 9), 1, 5, "no text");
    row("too deep", QByteArray("a{").repeated(limits::json_depth + 1), 1, 2 * limits::json_depth + 2, "nested deeper");
}

void Prototxt::broken() {
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    QFETCH(int, column);
    QFETCH(QString, says);
    const auto document = parse_prototxt({text.constData(), static_cast<std::size_t>(text.size())}, "net.prototxt");
    QVERIFY(!document);
    QCOMPARE(static_cast<int>(document.error().size()), 1);
    const Problem& p = document.error()[0];
    const std::string message = to_text(p);
    QVERIFY2(QString::fromStdString(p.what).contains(says), message.c_str());
    QVERIFY(!p.remedy.empty());
    QCOMPARE(p.at.file, std::string("net.prototxt"));
    QVERIFY2(p.at.line == line && p.at.column == column, message.c_str());
}

void Prototxt::recognized_by_content() {
    for (const char* text : {"name: 'x'", "# net\n\nlayer {", "\xEF\xBB\xBFlayers{", "a < b: 1 >"})
        QVERIFY2(looks_like_prototxt(text), text);
    for (const char* text : {"", "{\"layers\": {}}", "[1]", "word", "# layer {", "PK\x03\x04", "a = 1", "\"a\": 1"})
        QVERIFY2(!looks_like_prototxt(text), text);
}

void Prototxt::bounded() {
    std::string many;
    many.reserve((limits::json_values + 10) * 4);
    for (std::size_t i = 0; i < limits::json_values + 10; ++i) many += "a:1 ";
    const auto document = parse_prototxt(many, "t");
    QVERIFY(!document);
    QVERIFY(document.error()[0].what.find("values") != std::string::npos);
}

void Prototxt::cancelled() {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "a: 1\n";
    CancelSource source;
    double reached = 0;
    const Watch watch{Progress([&](double fraction, std::string_view) {
                          reached = fraction;
                          source.cancel();
                      }),
                      source.token()};
    const auto document = parse_prototxt(text, "t", watch);
    QVERIFY(!document);
    QVERIFY(reached > 0 && reached < 0.5);
    QVERIFY(document.error()[0].what.find("cancelled") != std::string::npos);
}

QTEST_APPLESS_MAIN(Prototxt)
#include "tst_prototxt.moc"
