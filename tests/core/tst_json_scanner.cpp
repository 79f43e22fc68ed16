// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as a stream: the same parts however the bytes come, and why it ends where it is no JSON.
#include <QtTest>

#include "core/base/limits.hpp"
#include "core/formats/json_scanner.hpp"

using namespace scalescope;
using namespace scalescope::formats;

namespace {

class Log final : public JsonEvents {
public:
    std::string said;
    JsonWish begins(bool object) override {
        if (said.ends_with("k:skip ")) return JsonWish::skip;
        say(object ? "{" : "[");
        return said.ends_with("k:stop { ") ? JsonWish::stop : JsonWish::take;
    }
    bool ends() override { return say("^"); }
    bool key(std::string_view name) override { return say("k:" + std::string(name)); }
    bool text(std::string_view value) override { return say("t:" + std::string(value)); }
    bool number(std::string_view written) override { return say("n:" + std::string(written)); }
    bool word(std::string_view) override { return say("w"); }

private:
    bool say(const std::string& part) {
        said += part + ' ';
        return part != "t:refuse";
    }
};

/// Scans a text that comes in pieces of at most `piece` bytes.
ScanEnd scan(std::string_view text, std::size_t piece, std::string& said) {
    const Watch nobody;
    ByteStream stream([text, piece](std::uint64_t offset, std::size_t) { return text.substr(offset, piece); },
                      text.size(), {1u << 20, 1u << 20, "reading"}, nobody);
    Log log;
    const ScanEnd end = JsonScanner(stream, log).run();
    said = log.said;
    return end;
}

}  // namespace

class TestJsonScanner : public QObject {
    Q_OBJECT

private slots:
    void the_same_parts_in_all_pieces() {
        const std::string_view text =
            "\xEF\xBB\xBF {\"a\\n\\\"\": [1, -2.5e+3 ,0.001,true,false , null],\n\"\\u00e9\\uD83D\\ude00\":"
            "\"x\\/y\", \"\": {}, \"l\":[] , \"half\":\"\\ud83dx\"}\n";
        const std::string wanted =
            "{ k:a\n\" [ n:1 n:-2.5e+3 n:0.001 w w w ^ k:\u00e9\U0001F600 t:x/y k: { ^ k:l [ ^ k:half t:\uFFFDx ^ ";
        for (const std::size_t piece : {1u, 2u, 3u, 7u, 1000u}) {
            std::string said;
            // The mark is looked for in the first piece.
            const auto from = text.substr(piece < 3 ? 3 : 0);
            QCOMPARE(static_cast<int>(scan(from, piece, said)), static_cast<int>(ScanEnd::whole));
            QCOMPARE(said, wanted);
        }
    }

    /// What nobody wants is passed by with all that is in it, and its lines are counted.
    void what_is_skipped() {
        const std::string_view text =
            "{\"skip\": {\"a\": [1, \"}]\\\"\",\n {}]}, \"b\": [2],\n\"skip\": [[]], \"c\": 3}";
        for (const std::size_t piece : {1u, 3u, 1000u}) {
            std::string said;
            QCOMPARE(static_cast<int>(scan(text, piece, said)), static_cast<int>(ScanEnd::whole));
            QCOMPARE(said, std::string("{ k:skip k:b [ n:2 ^ k:skip k:c n:3 ^ "));
        }
        std::string said;
        QCOMPARE(static_cast<int>(scan("{\"skip\": [1, [", 2, said)), static_cast<int>(ScanEnd::cut_off));
        QCOMPARE(static_cast<int>(scan("{\"skip\": " + std::string(limits::json_depth, '['), 2, said)),
                 static_cast<int>(ScanEnd::too_deep));
        QCOMPARE(static_cast<int>(scan("{\"stop\": {}}", 2, said)), static_cast<int>(ScanEnd::refused));
    }

    void ends_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("end");
        const auto row = [](const std::string& text, ScanEnd end) {
            QTest::newRow(text.substr(0, 20).c_str()) << QString::fromStdString(text) << static_cast<int>(end);
        };
        for (const char* text :
             {"", "{", "[1", "[1,", "{\"a\"", "{\"a\":", "\"a", "\"a\\", "\"\\u12", "tru", "[\"a\"", "-", "1.", "1e+"})
            row(text, ScanEnd::cut_off);
        for (const char* text :
             {"x",       "[1 2]",       "{1:2}", "{\"a\" 1}", "[,]",   "[1,]",  "{\"a\":1,}", "\"a\nb\"",
              "\"\\q\"", "\"\\u12g4\"", "trux",  "1 2",       "[1-2]", "+1",    "[-]",        "[01]",
              "[1.2.3]", "[-01]",       "[1.]",  "[.5]",      "[1e]",  "[1e+]", "[1.e3]",     "[--1]"})
            row(text, ScanEnd::not_json);
        row("[\"refuse\"", ScanEnd::refused);
        row(std::string(static_cast<std::size_t>(limits::json_depth) + 1, '['), ScanEnd::too_deep);
    }
    void ends() {
        QFETCH(QString, text);
        for (const std::size_t piece : {1u, 1000u}) {
            std::string said;
            const int end = static_cast<int>(scan(text.toStdString(), piece, said));
            QTEST(end, "end");
        }
    }
};

QTEST_APPLESS_MAIN(TestJsonScanner)
#include "tst_json_scanner.moc"
