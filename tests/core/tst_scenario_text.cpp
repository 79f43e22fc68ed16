// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario as a text that is pasted: the same to the bit, and never another one, whatever a mail does to it.
#include <zlib.h>
#include <QtTest>
#include <fstream>
#include <random>
#include <sstream>

#include "core/base/limits.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/scenario/adapters.hpp"
#include "core/scenario/fields.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::preset_scenario;

namespace {

std::string link_of(const Scenario& s) { return to_link(s, support::library()).value(); }

/// Equality that looks into the networks: reading makes new ones.
bool same(Scenario a, Scenario b) {
    if (a.workload.size() != b.workload.size()) return false;
    for (std::size_t i = 0; i < a.workload.size(); ++i) {
        auto &x = a.workload[i].network, &y = b.workload[i].network;
        if (write_network(x->draft()) != write_network(y->draft())) return false;
        x = y = nullptr;
    }
    return a == b;
}

/// What is said of a link that is refused; empty if it is taken.
std::string refused(const std::string& link) {
    const auto read = from_link(link, support::library());
    return read ? std::string() : support::messages(read.error());
}

bool says(const std::string& link, const char* part) {
    const std::string said = refused(link);
    if (said.find(part) != std::string::npos && std::count(said.begin(), said.end(), '\n') <= 1) return true;
    qWarning("\"%s\" does not say \"%s\"", said.c_str(), part);
    return false;
}

/// A link with any bytes in it, by zlib and RFC 4648 alone.
std::string link_with(const std::string& packed, const std::string& version = "1") {
    const QByteArray text =
        QByteArray::fromStdString(packed).toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(packed.data()), static_cast<uInt>(packed.size()));
    return "scalescope:" + version + ':' + text.toStdString() + ':' +
           QString::asprintf("%08lx", static_cast<unsigned long>(sum)).toStdString();
}

std::string gzip(const std::string& text) {
    z_stream z{};
    deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&z, static_cast<uLong>(text.size())), '\0'), copy = text;
    z.next_in = reinterpret_cast<Bytef*>(copy.data());
    z.avail_in = static_cast<uInt>(copy.size());
    z.next_out = reinterpret_cast<Bytef*>(packed.data());
    z.avail_out = static_cast<uInt>(packed.size());
    deflate(&z, Z_FINISH);
    packed.resize(z.total_out);
    deflateEnd(&z);
    return packed;
}

/// As a mail that is wrapped.
std::string wrapped(const std::string& link) {
    std::string text = " \t";
    for (std::size_t i = 0; i < link.size(); ++i) {
        text += link[i];
        if (i % 64 == 63) text += i % 128 == 127 ? "\r\n  " : " \n";
    }
    return text + "\n\n";
}

}  // namespace

class TestScenarioText : public QObject {
    Q_OBJECT

private slots:
    void every_preset_is_the_same_to_the_bit() {
        for (const auto& preset : support::library().scenarios) {
            const Scenario s = preset_scenario(preset.id);
            const std::string link = link_of(s);
            QVERIFY(is_link(link));
            for (const auto& text : {link, wrapped(link)}) {
                const auto read = from_link(text, support::library());
                QVERIFY2(read.has_value(), refused(text).c_str());
                QVERIFY2(same(read->scenario, s), preset.id.c_str());
                QVERIFY(read->warnings.empty());
                QCOMPARE(write_scenario(read->scenario, support::library()), write_scenario(s, support::library()));
            }
            // With adapters, the network travels whole.
            const std::size_t most = count_adapters(s).adapters > 0 ? 40000 : 4000;
            QVERIFY2(link.size() < most, qPrintable(QString::number(link.size())));
            QVERIFY(link.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:") ==
                    std::string::npos);
        }
    }

    /// A network that is no preset travels whole, and every field with it.
    void what_is_no_preset_travels_whole() {
        support::Builder b;
        b.dense(b.input({1000}), 1000, false);
        Scenario s = support::scenario(b.make());
        s.name = "näme: \"quoted\"\n";
        s.training.batch = 77;
        s.model.overhead = milliseconds(0.1);
        const auto read = from_link(link_of(s), support::library());
        QVERIFY(read.has_value());
        QCOMPARE(write_scenario(read->scenario, support::library()), write_scenario(s, support::library()));
        QCOMPARE(read->scenario.name, s.name);
        for (const Field& f : all_fields()) QCOMPARE(field_text(f, read->scenario), field_text(f, s));
    }

    void a_kept_link_of_version_1_opens() {
        std::ifstream file(SCALESCOPE_TEST_DATA "/formats/v1/scenario-link.txt");
        std::stringstream text;
        text << file.rdbuf();
        const auto read = from_link(text.str(), support::library());
        QVERIFY2(read.has_value(), refused(text.str()).c_str());
        QCOMPARE(read->scenario.cluster.workers, 24);
        QCOMPARE(read->scenario.training.batch, 96);
        QCOMPARE(read->scenario.network()->name(), preset_scenario("example").network()->name());
    }

    /// Every bit of every byte, every byte twice, none of it, and two that change places.
    void damage_never_gives_another_scenario() {
        const Scenario s = preset_scenario("example");
        const std::string link = link_of(s);
        std::size_t taken = 0;
        const auto check = [&](const std::string& damaged) {
            if (damaged == link) return;
            const auto read = from_link(damaged, support::library());
            if (read) ++taken;
            if (read)
                QVERIFY2(same(read->scenario, s), damaged.c_str());
            else
                QVERIFY(!read.error().front().what.empty() && !read.error().front().remedy.empty());
        };
        for (std::size_t i = 0; i < link.size(); ++i) {
            for (int bit = 0; bit < 8; ++bit) {
                std::string damaged = link;
                damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ 1u << bit);
                check(damaged);
            }
            std::string one = link;
            check(one.erase(i, 1));
            check(std::string(link).insert(i, 1, link[i]));
            std::string turned = link;
            if (i > 0) std::swap(turned[i - 1], turned[i]);
            check(turned);
        }
        QCOMPARE(taken, std::size_t{0});
    }

    void every_beginning_is_cut_off() {
        const std::string link = link_of(preset_scenario("example"));
        for (std::size_t n = 0; n < link.size(); ++n)
            QVERIFY(says(link.substr(0, n), n < 11 ? "This is no scenario link" : "The link is cut off"));
        QVERIFY(says(link.substr(1), "This is no scenario link"));
    }

    void what_is_wrong_is_said() {
        const std::string link = link_of(preset_scenario("example")), payload = link.substr(13, link.size() - 22);
        QVERIFY(says("scalescope:2:" + payload,
                     "version 2, this program knows links up to version 1; open it with a newer"));
        QVERIFY(says("scalescope:99999999999999999999:x", "version 999999999999, this program"));
        QVERIFY(says("scalescope:0:" + payload, "its version is no number"));
        QVERIFY(says("scalescope:-1:" + payload, "its version is no number"));
        QVERIFY(says("scalescope::" + payload, "its version is no number"));
        std::string other = link;
        other[400] = other[400] == 'A' ? 'B' : 'A';
        QVERIFY(says(other, "its checksum differs"));
        other[400] = '%';
        QVERIFY(says(other, "holds a sign that no link has"));
        QVERIFY(says(link + '.', "Something follows the link"));
        QVERIFY(says(link + "0", "Something follows the link"));
        QVERIFY(says(link + ' ' + link, "Something follows the link"));
        QVERIFY(says(link.substr(0, link.size() - 1) + 'x', "its checksum is no number"));
        QVERIFY(says("", "This is no scenario link"));
        QVERIFY(says(std::string(limits::link_bytes + 1, ' '), "at most 4 MiB are read"));
    }

    /// The sum is right, so that somebody wrote it so.
    void what_is_packed_otherwise_is_refused() {
        QVERIFY(says(link_with(""), "it does not unpack"));
        QVERIFY(says(link_with("{\"format\": \"scalescope-scenario\"}"), "it does not unpack"));
        const std::string packed = gzip("{}");
        QVERIFY(says(link_with(packed.substr(0, packed.size() - 3)), "it does not unpack"));
        QVERIFY(says(link_with(packed + "more"), "it does not unpack"));
        QVERIFY(says(link_with(packed), "format"));
        QVERIFY(says(link_with(gzip("{\"format\": \"scalescope-scenario\", \"version\": 9999}")), "newer Scalescope"));
    }

    /// 4 GiB of spaces would fit into a link: unpacking ends at the bound.
    void a_bomb_is_refused_while_it_unpacks() {
        const std::string once = gzip(std::string(8u << 20, ' '));
        std::string packed;
        for (int i = 0; i < 256; ++i) packed += once;
        QVERIFY(packed.size() < limits::link_bytes * 3 / 4);
        double unpacked = 0;  // share of the link
        const Watch watch{Progress([&](double share, std::string_view) { unpacked = share; }), {}};
        const auto read = from_link(link_with(packed), support::library(), watch);
        QVERIFY(!read);
        QVERIFY(support::messages(read.error()).find("unpacks to more than 32 MiB") != std::string::npos);
        QVERIFY2(unpacked > 0 && unpacked < 0.25, qPrintable(QString::number(unpacked)));
    }

    void what_is_too_large_to_be_read_is_not_written() {
        Scenario s = preset_scenario("example");
        std::mt19937 random(3);
        while (s.description.size() < 2 * limits::link_bytes) s.description += static_cast<char>('!' + random() % 90);
        const auto link = to_link(s, support::library());
        QVERIFY(!link);
        QVERIFY(support::messages(link.error()).find("too large for a link of at most 4 MiB; save it as a file") !=
                std::string::npos);
    }

    void no_file_is_read() {
        std::string text = write_scenario(preset_scenario("example"), support::library());
        const std::size_t at = text.find("\"network\": "), end = text.find('\n', at);
        text.replace(at, end - at, "\"network\": { \"file\": \"/etc/hostname\" },");
        // The member behind it may need no comma.
        auto message = refused(link_with(gzip(text)));
        if (message.find("reads no files") == std::string::npos) {
            text.replace(text.find("hostname\" },"), 12, "hostname\" }");
            message = refused(link_with(gzip(text)));
        }
        QVERIFY2(message.find("A link reads no files") != std::string::npos, message.c_str());
    }

    void it_is_told_from_other_texts() {
        for (const char* text : {"scalescope:1:", " \nscale scope:\n2", "scalescope:0"}) QVERIFY(is_link(text));
        for (const char* text : {"", "scalescope", "scalescope:", "scalescope: a program", "{}", "xscalescope:1:"})
            QVERIFY(!is_link(text));
    }

    void cancelled() {
        CancelSource source;
        source.cancel();
        const auto read = from_link(link_of(preset_scenario("example")), support::library(), {{}, source.token()});
        QVERIFY(!read && read.error().front().what.find("cancelled") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestScenarioText)
#include "tst_scenario_text.moc"
