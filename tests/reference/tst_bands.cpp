// SPDX-License-Identifier: GPL-3.0-or-later
// Bands of steps: whether the shipped residuals are those of today's prices, and whether bands made from the other
// sources hold nine rows of ten of one that they never saw.
#include <QtTest>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "core/base/atomic_file.hpp"
#include "core/measure/validate/residuals.hpp"

using namespace scalescope;
using namespace scalescope::measure;

namespace {

const std::vector<ValidatedRow>& all_validated() {
    static const auto all = [] {
        const std::string folder = SCALESCOPE_TEST_DATA "/published/";
        std::vector<std::string> files{"tensorflow-benchmarks-2017.csv", "lambda-tensorflow.csv",
                                       "mxnet-single-gpu-batch-sweep.csv", "nvidia-dle.csv"};
        for (const auto& entry : std::filesystem::directory_iterator(folder + "llm"))
            if (entry.path().extension() == ".csv" && entry.path().filename() != "vtrain-single-node-a100.csv")
                files.push_back("llm/" + entry.path().filename().string());
        std::vector<PublishedRow> rows;
        for (const std::string& file : files) {
            const auto table = formats::parse_kept_csv(read_file(folder + file).value(), file);
            const auto read = read_published(table.value()).value();
            rows.insert(rows.end(), read.begin(), read.end());
        }
        static const auto library = formats::load_shipped();
        return validate(rows, library, shipped_profiles().value()).value().rows;
    }();
    return all;
}

struct Share {
    int held = 0, rows = 0;
    double of() const { return rows == 0 ? 0.0 : static_cast<double>(held) / rows; }
};

}  // namespace

class TestBands : public QObject {
    Q_OBJECT

private slots:
    void shipped_residuals_are_todays() {
        const auto today = residuals_of(all_validated());
        const auto& shipped = shipped_residuals();
        const char* remedy = "Run packaging/residuals build/dev/scalescope.";
        QVERIFY2(today.size() == shipped.size(), remedy);
        for (const Residual& r : today) {
            const auto same = std::find_if(shipped.begin(), shipped.end(),
                                           [&](const Residual& s) { return s.source == r.source && s.of == r.of; });
            QVERIFY2(same != shipped.end() && same->rows == r.rows, remedy);
            QVERIFY2(std::abs(same->mean - r.mean) < 2e-3 && std::abs(same->deviation - r.deviation) < 2e-3, remedy);
        }
    }

    /// The form was settled on every second source, in alphabetical order, and is judged on the others.
    void they_hold_nine_rows_of_ten_of_a_source_left_out() {
        const auto residuals = residuals_of(all_validated());
        std::map<std::string, Share> by_source, by_architecture, by_network;
        for (const ValidatedRow& row : all_validated()) {
            const auto r = residual_of(row);
            if (!r) continue;
            const std::string source = residual_source(row.row.source);
            std::vector<Residual> others;
            for (const Residual& other : residuals)
                if (other.source != source) others.push_back(other);
            const ResidualClass of = residual_class(*row.scenario);
            const auto band = residual_band(of, others);
            QVERIFY(band);
            const bool held = *r >= std::log(band->low) && *r <= std::log(band->high);
            for (Share* share : {&by_source[source], &by_architecture[of.architecture], &by_network[of.network]})
                ++share->rows, share->held += held;
        }
        Share settled, judged;
        bool settles = true;
        for (const auto& [source, share] : by_source) {
            Share& half = settles ? settled : judged;
            half.rows += share.rows, half.held += share.held;
            settles = !settles;
        }
        for (const auto* groups : {&by_source, &by_architecture, &by_network})
            for (const auto& [name, share] : *groups)
                qInfo("%s: %d rows, %.1f %% within", name.c_str(), share.rows, 100 * share.of());
        qInfo("settled on: %.1f %% of %d, judged on: %.1f %% of %d", 100 * settled.of(), settled.rows,
              100 * judged.of(), judged.rows);
        const Share all{settled.held + judged.held, settled.rows + judged.rows};
        QVERIFY(all.of() >= 0.85 && all.of() <= 0.95);
        // The half judged alone misses 85 %: it held 82.4 %, for MLPerf (53 %) and OneFlow (61 %). A guard, no goal.
        QVERIFY(judged.of() >= 0.80);
    }

    /// Two sources of ten rows each, at ln +0.2 and −0.2 and steady: b² = 2 · 0.04, so ±1.645 · √(0.08 · 1.5).
    void by_hand() {
        const ResidualClass of{"Ampere", "transformer", 8};
        const std::vector<Residual> two{{"a", of, 10, 0.2, 0}, {"b", of, 10, -0.2, 0}};
        const auto band = residual_band(of, two);
        QVERIFY(band);
        QCOMPARE(band->level, 0);
        QCOMPARE(band->rows, std::size_t{20});
        QVERIFY(std::abs(std::log(band->high) - 1.6448536 * std::sqrt(0.12)) < 1e-6);
        QVERIFY(std::abs(band->low * band->high - 1) < 1e-9);
        QCOMPARE(residual_band({"Hopper", "recurrent", 8}, two)->level, 3);
        QVERIFY(!residual_band(of, {two[0]}));
        QCOMPARE(residual_source("NVIDIA DeepLearningExamples PyTorch"),
                 residual_source("nvidia-deeplearningexamples:x"));
    }
};

QTEST_APPLESS_MAIN(TestBands)
#include "tst_bands.moc"
