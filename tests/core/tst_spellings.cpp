// SPDX-License-Identifier: GPL-3.0-or-later
// Names as tables, drivers, configurations and clouds write them (tests/data/names): each is read with the right
// meaning, in any letter case and with any separators.
#include <QtTest>
#include <algorithm>

#include "core/base/atomic_file.hpp"
#include "core/base/letters.hpp"
#include "core/formats/csv.hpp"
#include "core/words/choices.hpp"
#include "core/words/device_words.hpp"
#include "core/words/link_words.hpp"
#include "core/words/network_words.hpp"
#include "core/words/table_words.hpp"
#include "core/words/vocabulary.hpp"
#include "core/words/written_values.hpp"
#include "support_library.hpp"

using namespace scalescope;

namespace {

std::string device_text(const DeviceReading& read) {
    std::string text = read.device ? read.device->id : "unknown";
    if (read.memory) text += "; memory " + std::to_string(std::lround(read.memory->value / 1e9));
    if (read.memory_bandwidth) text += "; bandwidth " + std::to_string(std::lround(read.memory_bandwidth->value / 1e9));
    if (read.watts) text += "; watts " + std::to_string(std::lround(*read.watts));
    if (read.count) text += "; count " + std::to_string(*read.count);
    if (read.domain) text += "; domain " + std::to_string(*read.domain);
    return text + (read.cluster ? "; cluster " + read.cluster->id : "");
}

std::string links_text(const LinkReading& read) {
    std::string text;
    if (read.inside) text += "inside " + read.inside->id;
    if (read.between) text += (text.empty() ? "between " : "; between ") + read.between->id;
    if (read.cards) text += "; cards " + std::to_string(*read.cards);
    return text + (read.card_per_device ? "; a card per device" : "");
}

std::string column_text(const std::string& header, bool numbers) {
    const ColumnReading read = read_column(header, numbers);
    if (read.means != "figure") return read.means;
    return read.metric + " " + read.unit + (read.each_device ? " of one device" : "");
}

std::string read_as(const std::string& kind, const std::string& written) {
    const Catalogue& catalogue = support::library().catalogue;
    if (kind == "device") return device_text(read_device(catalogue, written));
    if (kind == "link") return links_text(read_links(catalogue, written, nullptr));
    if (kind == "network") {
        const NetworkReading read = read_network(support::library(), written);
        return read.family.empty() ? read.id : read.family + ' ' + read.size;
    }
    if (kind == "header" || kind == "metric") return column_text(written, true);
    return shipped_vocabulary().read(kind, written).means;
}

}  // namespace

class TestSpellings : public QObject {
    Q_OBJECT

private slots:
    void examples_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("reading");
        const std::string path = SCALESCOPE_TEST_DATA "/names/spellings.csv";
        const auto table = formats::parse_kept_csv(read_file(path).value(), path).value();
        for (std::size_t r = 0; r < table.rows(); ++r) {
            const auto cell = [&](std::size_t c) { return std::string(table.cell(r, c)); };
            QTest::newRow(cell(1).c_str()) << QString::fromStdString(cell(0)) << QString::fromStdString(cell(2));
        }
    }
    void examples() {
        QFETCH(QString, kind);
        QFETCH(QString, reading);
        QCOMPARE(QString::fromStdString(read_as(kind.toStdString(), QTest::currentDataTag())), reading);
    }

    /// Links are skipped: capitals distinguish bits from bytes, and some signs separate clauses.
    void case_and_separators_do_not_count_data() { examples_data(); }
    void case_and_separators_do_not_count() {
        QFETCH(QString, kind);
        QFETCH(QString, reading);
        if (kind == "link") return;
        std::string written = QTest::currentDataTag();
        QCOMPARE(QString::fromStdString(read_as(kind.toStdString(), in_small_letters(written))), reading);
        std::replace(written.begin(), written.end(), ' ', '_');
        QCOMPARE(QString::fromStdString(read_as(kind.toStdString(), written)), reading);
    }

    /// The nearest name is offered but never used.
    void a_near_miss_is_not_taken() {
        const Catalogue& catalogue = support::library().catalogue;
        for (const char* written :
             {"A100 NVL", "A10H", "RTX 4090 Ti", "Quadro RTX 4000", "Quadro P5000", "RTX PRO 5000 Blackwell",
              "RTX 6000 Blackwell", "RTX 3080 Laptop GPU", "RTX 2060 with Max-Q Design", "Tesla M2070", "5000 steps",
              "Table VII", "1.5k images, 2080 px", "Apple M5 Pro", "MI250S", "GPU", "", "8x", "V150S"})
            QVERIFY2(!read_device(catalogue, written).device, written);
        const DeviceReading near_miss = read_device(catalogue, "A100 NVL");
        QVERIFY(std::any_of(near_miss.others.begin(), near_miss.others.end(),
                            [](const Device* d) { return d->id == "a100-sxm-80gb"; }));
        QVERIFY(read_network(support::library(), "ResNet-5").id.empty());
        QVERIFY(read_network(support::library(), "GPT-2 9B").id.empty());
        for (const char* written : {"ConvNeXt V3-B", "Swin-V3-T", "EfficientNet-V3-S", "3D ResNet-50", "V-Net3D",
                                    "nnU-Net", "ResNet-51", "RegNetY-5GF", "ResNeSt-51", "DiT-XL/3"}) {
            const NetworkReading read = read_network(support::library(), written);
            QVERIFY2(read.id.empty() && read.family.empty(), written);
        }
        QVERIFY(!read_precision("fp12") && !read_precision("") && !read_recompute("some"));
    }

    /// What --set takes: names as they are, and those with one certain meaning.
    void values_of_settings() {
        const auto meant = [](std::string_view path, const std::string& value) {
            return value_meant(support::library(), {}, path, value);
        };
        QCOMPARE(meant("cluster.device", "NVIDIA H100 80GB HBM3"), std::string("h100-sxm-80gb"));
        QCOMPARE(meant("cluster.device", "h100-pcie-80gb"), std::string("h100-pcie-80gb"));
        QCOMPARE(meant("cluster.device", "V100"), std::string("V100"));  // there are four
        QCOMPARE(meant("cluster.between", "8x HDR InfiniBand"), std::string("infiniband-hdr"));
        QCOMPARE(meant("cluster.inside", "PCIe Gen4 x16"), std::string("pcie-4-x16"));
        QCOMPARE(meant("cluster", "p4d.24xlarge"), std::string("aws-p4d-24xlarge"));
        QCOMPARE(meant("training.precision", "amp_bf16"), std::string("bf16"));
        QCOMPARE(meant("parallelism.recompute", "Full AC"), std::string("blocks"));
        QCOMPARE(meant("parallelism.sharded", "ZeRO-3"), std::string("weights"));
        QCOMPARE(meant("network", "meta-llama/Llama-2-7b-hf"), std::string("transformers/llama-2-7b"));
        QCOMPARE(meant("network", "Frobnicator 7B"), std::string("Frobnicator 7B"));
        QCOMPARE(meant("cluster.workers", "eight"), std::string("eight"));
    }

    /// If several devices match, one is chosen and the others are named.
    void what_is_taken_is_said() {
        const Catalogue& catalogue = support::library().catalogue;
        const DeviceReading read = read_device(catalogue, "A100");
        QCOMPARE(QString::fromStdString(read.device->id), QStringLiteral("a100-sxm-80gb"));
        QCOMPARE(read.others.size(), std::size_t{3});
        QVERIFY(read.assumed.front().find("A100 PCIe 40GB") != std::string::npos);
        QVERIFY(!device_called(catalogue, "A100"));
        QVERIFY(device_called(catalogue, "NVIDIA A100-SXM4-40GB"));
        const DeviceReading host = read_device(catalogue, "NVIDIA GH200 480GB");
        QVERIFY(host.device && !host.memory && host.assumed.front().find("480") != std::string::npos);
    }

    void numbers_of_cells() {
        const auto is = [](const char* cell, double value, const char* unit) {
            const auto read = read_number(cell);
            return read && std::abs(read->value - value) < 1e-9 * value && read->unit == unit;
        };
        QVERIFY(is("1,024", 1024, "") && is("~45.2 GiB", 45.2, "GiB") && is("38.5 %", 38.5, "%"));
        QVERIFY(is("12.3k", 12300, "") && is("409 (12)", 409, "") && is("2.846055E+14", 2.846055e14, ""));
        QVERIFY(is("two months", 2, "months") && is("One week on 8 GPUs", 1, "week on"));
        for (const char* none : {"n/a", "OOM", "-", "", "V100", "about 5", "two", "One GPU", "two-tower"})
            QVERIFY2(!read_number(none), none);
    }
};

QTEST_APPLESS_MAIN(TestSpellings)
#include "tst_spellings.moc"
