// SPDX-License-Identifier: GPL-3.0-or-later
// Archives made byte by byte, as PKWARE's APPNOTE lays them out, whole and broken.
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "core/base/limits.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/library.hpp"
#include "core/formats/zip_archive.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::messages;

namespace {

std::string number(std::uint64_t n, int width) {
    std::string bytes;
    for (; width > 0; --width, n >>= 8) bytes.push_back(static_cast<char>(n & 0xff));
    return bytes;
}

struct Entry {
    std::string name, data;
    std::uint32_t sum = 0;
    int method = 0, flags = 0;
    std::uint64_t size = 0;  ///< unpacked; 0: as long as the data
};

/// Headers and data of the entries, the directory, its end.
std::string archive_of(const std::vector<Entry>& entries, const std::string& comment = {}) {
    std::string members, directory;
    for (const Entry& e : entries) {
        const std::string sizes =
            number(e.sum, 4) + number(e.data.size(), 4) + number(e.size == 0 ? e.data.size() : e.size, 4);
        const std::string kind = number(e.flags < 0 ? 0 : static_cast<std::uint64_t>(e.flags), 2) +
                                 number(static_cast<std::uint64_t>(e.method), 2) + number(0, 4);
        directory += "PK\1\2" + number(20, 2) + number(20, 2) + kind + sizes + number(e.name.size(), 2) + number(0, 2) +
                     number(0, 2) + number(0, 8) + number(members.size(), 4) + e.name;
        members +=
            "PK\3\4" + number(20, 2) + kind + sizes + number(e.name.size(), 2) + number(3, 2) + e.name + "abc" + e.data;
    }
    return members + directory + "PK\5\6" + number(0, 4) + number(entries.size(), 2) + number(entries.size(), 2) +
           number(directory.size(), 4) + number(members.size(), 4) + number(comment.size(), 2) + comment;
}

constexpr std::uint32_t sum_of_hello = 907060870;

/// Twenty thousand spaces, deflated.
const std::string spaces(
    "\xed\xc1\x31\x01\x00\x00\x00\xc2\xa0\x2a\xeb\x9f\xd2\x1a\x1e\x40\x01\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0\x60",
    37);
constexpr std::uint32_t sum_of_spaces = 2231944232;

}  // namespace

class ZipArchive : public QObject {
    Q_OBJECT
private slots:
    void stored_and_deflated();
    void more_than_four_gibibytes();
    void broken_data();
    void broken();
    void every_byte_changed();
    void a_keras_archive_is_a_network();
};

void ZipArchive::stored_and_deflated() {
    const std::string archive = archive_of({{"weights", std::string(5000, 'w')},
                                            {"config.json", "hello", sum_of_hello},
                                            {"s", spaces, sum_of_spaces, 8, 0, 20000}},
                                           "a comment with PK\5\6 in it, and more than the twenty-two bytes of an end");
    QVERIFY(is_zip_archive(archive));
    QVERIFY(!is_zip_archive("{\"class_name\": 1}"));
    QCOMPARE(unpack_member(archive, "config.json", "a").value(), std::string("hello"));
    QCOMPARE(unpack_member(archive, "s", "a").value(), std::string(20000, ' '));
}

/// Offsets beyond 32 bits stand in a record of their own, before the usual end; the weights between are never read.
void ZipArchive::more_than_four_gibibytes() {
    constexpr std::uint64_t hole = 6ULL << 30;
    const std::string plain = archive_of({{"config.json", "hello", sum_of_hello}});
    const std::size_t directory_at = plain.find("PK\1\2"), end_at = plain.find("PK\5\6");
    const std::string directory = plain.substr(directory_at, end_at - directory_at);
    const std::string tail = directory + "PK\6\6" + number(44, 8) + number(0, 12) + number(1, 8) + number(1, 8) +
                             number(directory.size(), 8) + number(hole, 8) + "PK\6\7" + number(0, 4) +
                             number(hole + directory.size(), 8) + number(1, 4) + "PK\5\6" + number(0, 8) +
                             number(0xffffffff, 4) + number(0xffffffff, 4) + number(0, 2);
    std::uint64_t most = 0;
    const ReadBytes read = [&](std::uint64_t offset, std::size_t count) {
        most = std::max<std::uint64_t>(most, count);
        std::string bytes(count, '\0');
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t at = offset + i;
            if (at < directory_at) bytes[i] = plain[static_cast<std::size_t>(at)];
            if (at >= hole && at - hole < tail.size()) bytes[i] = tail[static_cast<std::size_t>(at - hole)];
        }
        return bytes;
    };
    const auto text = unpack_member(read, hole + tail.size(), "config.json", "a");
    QVERIFY2(text.has_value(), text ? "" : messages(text.error()).c_str());
    QCOMPARE(*text, std::string("hello"));
    QVERIFY(most < 100'000);
}

void ZipArchive::broken_data() {
    QTest::addColumn<QByteArray>("archive");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& archive, const char* says) {
        QTest::newRow(name) << QByteArray::fromStdString(archive) << QString(says);
    };
    const Entry good{"config.json", "hello", sum_of_hello};
    const std::string whole = archive_of({good});
    row("no such member", archive_of({{"data.pkl", "hello", sum_of_hello}}), "has no \"config.json\"");
    row("empty", archive_of({}), "has no \"config.json\"");
    row("encrypted", archive_of({{"config.json", "hello", sum_of_hello, 0, 1}}), "encrypted");
    row("packed otherwise", archive_of({{"config.json", "hello", sum_of_hello, 14}}), "packed in a way");
    row("another sum", archive_of({{"config.json", "hello", 1}}), "damaged");
    row("stored with another size", archive_of({{"config.json", "hello", sum_of_hello, 0, 0, 6}}), "damaged");
    row("cut off", whole.substr(0, whole.size() - 30), "damaged");
    row("begin only", "PK\3\4", "damaged");
    row("deflates to more", archive_of({{"config.json", spaces, sum_of_spaces, 8, 0, 10}}), "damaged");
    row("deflates to less", archive_of({{"config.json", spaces, sum_of_spaces, 8, 0, 30000}}), "damaged");
    row("deflates to nothing", archive_of({{"config.json", "\x07", 0, 8, 0, 10}}), "damaged");
    row("far too large", archive_of({{"config.json", spaces, sum_of_spaces, 8, 0, limits::file_bytes + 1}}),
        "no more are read");
}

void ZipArchive::broken() {
    QFETCH(QByteArray, archive);
    QFETCH(QString, says);
    const auto text = unpack_member(archive.toStdString(), "config.json", "model.keras");
    QVERIFY(!text);
    QVERIFY2(messages(text.error()).find(says.toStdString()) != std::string::npos, messages(text.error()).c_str());
    QVERIFY(text.error()[0].at.file == "model.keras" && !text.error()[0].remedy.empty());
}

void ZipArchive::every_byte_changed() {
    const std::string archive =
        archive_of({{"config.json", spaces, sum_of_spaces, 8, 0, 20000}, {"b", "hello", sum_of_hello}});
    for (std::size_t i = 0; i < archive.size(); ++i)
        for (const char c : {'\0', '\1', '\x7f', '\xff'}) {
            std::string changed = archive;
            changed[i] = c;
            const auto text = unpack_member(changed, "config.json", "a");
            if (text)
                QCOMPARE(*text, std::string(20000, ' '));
            else
                QVERIFY(!text.error().empty());
        }
}

/// From bytes, and from a file beyond what is read whole.
void ZipArchive::a_keras_archive_is_a_network() {
    const std::string model =
        R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "Dense", "config": {"units": 3, "batch_input_shape": [null, 5]}}]}})";
    std::string stored =
        "\x01" + number(model.size(), 2) + number(~model.size(), 2) + model;  // deflate without packing
    std::uint32_t sum = 0xffffffff;                                           // CRC-32, bit by bit
    for (const char c : model) {
        sum ^= static_cast<unsigned char>(c);
        for (int b = 0; b < 8; ++b) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    const std::vector<Entry> entries{{"metadata.json", "{}", 0}, {"config.json", stored, ~sum, 8, 0, model.size()}};
    const std::string archive = archive_of(entries);
    const auto network = read_any_network(archive, "model.keras");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QCOMPARE((*network)->parameters(), 18);
    QTemporaryDir folder;
    const std::string name = folder.filePath("model.keras").toStdString();
    std::ofstream(name, std::ios::binary) << archive;
    const auto text = read_input_file(name);
    QVERIFY2(text.has_value(), text ? "" : messages(text.error()).c_str());
    QCOMPARE(*text, model);
    std::ofstream(name, std::ios::binary) << "[1]";
    QCOMPARE(read_input_file(name).value(), std::string("[1]"));
    QVERIFY(!read_input_file(name + "x"));
}

QTEST_APPLESS_MAIN(ZipArchive)
#include "tst_zip_archive.moc"
