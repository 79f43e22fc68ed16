// SPDX-License-Identifier: GPL-3.0-or-later
// The verb staleness, and what estimate says of parameter servers: what core says, in rows.
#include "core/estimate/staleness.hpp"
#include "core/scenario/fields.hpp"
#include "support_verbs.hpp"

using namespace support;

class TestVerbsStaleness : public QObject {
    Q_OBJECT

    OwnFiles files_;

private slots:
    void init() { files_.hide_presets_of_the_person(); }

    void rows_of_core() {
        auto scenario = preset("resnet-50-p100-servers");
        const auto library = formats::load_shipped();
        QVERIFY(set_field(scenario, "model.staleness_cost", "3", library.catalogue));
        const auto found = staleness_lesson(scenario, worker_counts(100, scenario.cluster.workers, 40)).value();
        const auto list = rows(
            {"analyse", "staleness", "resnet-50-p100-servers", "--up-to", "100", "--set", "model.staleness_cost=3"});
        QCOMPARE(list.size(), static_cast<qsizetype>(found.points.size()));
        for (std::size_t i = 0; i < found.points.size(); ++i) {
            const auto row = list[static_cast<qsizetype>(i)].toObject();
            QCOMPARE(row["workers"].toInteger(), qint64{found.points[i].workers});
            QCOMPARE(row["speed"].toDouble(), found.points[i].speed);
            QCOMPARE(row["staleness_updates"].toDouble(), found.points[i].staleness);
            QCOMPARE(row["statistical_efficiency"].toDouble(), found.points[i].efficiency);
            QCOMPARE(row["progress"].toDouble(), found.points[i].progress);
        }
        QCOMPARE(header({"analyse", "staleness", "resnet-50-p100-servers"}),
                 std::string("workers,step_ms,waiting_ms,throughput_samples_per_s,speed,staleness_updates,"
                             "statistical_efficiency,progress,knee_workers"));
    }

    void the_preset_shows_its_knee() {
        const auto e = estimate(preset("resnet-50-p100-servers")).value();
        QVERIFY(e.servers->state.knee > 8 && e.servers->state.knee < 32);
        const auto list = rows({"estimate", "resnet-50-p100-servers"});
        double knee = 0, staleness = -1;
        for (const auto& row : list) {
            if (row.toObject()["figure"].toString() == QStringLiteral("knee"))
                knee = row.toObject()["value"].toDouble();
            if (row.toObject()["figure"].toString() == QStringLiteral("staleness"))
                staleness = row.toObject()["value"].toDouble();
        }
        QCOMPARE(knee, e.servers->state.knee);
        QCOMPARE(staleness, 31.0);
    }

    void wrong_words_data() {
        WrongWords::columns();
        const auto row = WrongWords::row;
        row("no scenario", "analyse staleness", 2, "SCENARIO");
        row("too many", "analyse staleness example --up-to 99999999", 2, "up-to");
        row("in step", "analyse staleness example", 1, "Synchronous updates");
        row("divided otherwise", "estimate resnet-50-p100-servers --set parallelism.fill=pipeline", 1,
            "Only data parallelism");
    }
    void wrong_words() { WrongWords::are_refused(); }
};

QTEST_GUILESS_MAIN(TestVerbsStaleness)
#include "tst_verbs_staleness.moc"
