// SPDX-License-Identifier: GPL-3.0-or-later
// Core reads and prints numbers the same way wherever the program runs: here with a comma for the decimal point.
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <clocale>
#include <cstdio>
#include <locale>
#include <sstream>

#include "core/base/format.hpp"
#include "core/base/problem.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "core/numerics/expression.hpp"

using namespace scalescope;

namespace {

/// Streams under a German-like locale: 1.234,5.
struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

}  // namespace

class TestLocale : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        std::locale::global(std::locale(std::locale::classic(), new Comma));
        std::ostringstream stream;
        stream << 1234.5;
        QCOMPARE(stream.str(), std::string("1.234,5"));

        // The C library's own functions need a real locale; made here if the machine has none.
        if (!std::setlocale(LC_ALL, "de_DE.UTF-8") && folder_.isValid()) {
            const QString made = folder_.filePath("de_DE.UTF-8");
            QProcess::execute("localedef", {"-i", "de_DE", "-f", "UTF-8", made});
            qputenv("LOCPATH", folder_.path().toUtf8());
            std::setlocale(LC_ALL, "de_DE.UTF-8");
        }
        char text[16];
        std::snprintf(text, sizeof text, "%.1f", 1.5);
        c_library_too_ = std::string(text) == "1,5";
    }

    void the_c_library_writes_commas() {
        if (!c_library_too_) QSKIP("no German locale, and no localedef to make one: only streams were changed");
    }

    void expressions_keep_their_points() {
        const auto expression = numerics::parse_expression("1234.5 * max(0.25, 1e-7)");
        QVERIFY(expression.has_value());
        QCOMPARE(*numerics::evaluate(*expression, {}), 308.625);
        QCOMPARE(numerics::to_text(*expression), std::string("1234.5 * max(0.25, 1e-07)"));
    }

    void places_in_files_have_no_thousands() {
        Problem problem;
        problem.what = "Odd.";
        problem.at = {"net.json", 12345, 6789};
        QCOMPARE(to_text(problem), std::string("net.json:12345:6789: Odd."));
    }

    void people_read_points() {
        QCOMPARE(format_time(Seconds{0.00047}), std::string("0.47\u00a0ms"));
        QCOMPARE(format_fixed(1124.5, 2), std::string("1,124.50"));
    }

    void catalogues_survive_a_file() {
        const auto devices = formats::load_shipped().catalogue.devices;
        QVERIFY(devices.size() > 10);
        const std::string text = formats::write_devices(devices);
        const auto back = formats::read_devices(text, "devices.json");
        QVERIFY2(back.has_value(), back ? "" : to_text(back.error().front()).c_str());
        QVERIFY(*back == devices);

        Link link;
        link.id = link.name = "x";
        link.bandwidth = gigabytes_per_second(1234.5);
        const std::string written = formats::write_links(std::vector{link});
        QVERIFY2(written.find(": 1234.5") != std::string::npos, written.c_str());
    }

    void networks_survive_a_file() {
        const auto library = formats::load_shipped();
        QVERIFY(!library.networks.empty());
        for (const formats::Preset& preset : library.networks) {
            if (preset.id.starts_with("paleo/")) continue;  // another format, and whole numbers only
            const auto network = library.network(preset.id);
            QVERIFY2(network.has_value(), preset.id.c_str());
            const std::string text = formats::write_network((*network)->draft());
            const auto back = formats::read_network(text, "network.json");
            QVERIFY2(back.has_value(), back ? "" : to_text(back.error().front()).c_str());
            QVERIFY2(formats::write_network((*back)->draft()) == text, preset.id.c_str());
            QCOMPARE((*back)->multiply_adds(), (*network)->multiply_adds());
        }
    }

private:
    QTemporaryDir folder_;
    bool c_library_too_ = false;
};

QTEST_APPLESS_MAIN(TestLocale)
#include "tst_locale.moc"
