// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs sensitivity and walls: what core says, in rows.
#include "core/scenario/fields.hpp"
#include "core/search/sensitivity.hpp"
#include "core/search/walls.hpp"
#include "support_verbs.hpp"

using namespace support;

class TestVerbsSensitivity : public QObject {
    Q_OBJECT

    OwnFiles files_;

private slots:
    void init() { files_.hide_presets_of_the_person(); }

    void rows_of_core() {
        search::SensitivityOptions asked;
        asked.objective = search::Metric::throughput;
        asked.by = 0.2;
        const auto found = search::sensitivity(preset("example"), asked).value();
        const auto list = rows({"analyse", "sensitivity", "example", "--objective", "throughput", "--by", "20"});
        QCOMPARE(list.size(), static_cast<qsizetype>(found.rows.size() + 1));  // half and twice the workers last
        for (std::size_t i = 0; i < found.rows.size(); ++i) {
            const auto row = list[static_cast<qsizetype>(i)].toObject();
            QCOMPARE(row["field"].toString().toStdString(), found.rows[i].path);
            QCOMPARE(row["elasticity"].toDouble(), found.rows[i].elasticity);
            QCOMPARE(row["change_at_more_percent"].toDouble(), *found.rows[i].more.change * 100.0);
            QVERIFY(contains(row["note"].toString().toStdString(), found.rows[i].sentence));
        }
        const auto last = list.last().toObject();
        QCOMPARE(last["less"].toInteger(), qint64{16});
        QCOMPARE(last["more"].toInteger(), qint64{64});
    }

    void changed_first() {
        auto scenario = preset("example");
        const auto library = formats::load_shipped();
        QVERIFY(set_field(scenario, "cluster.workers", "4", library.catalogue));
        const auto found = search::sensitivity(scenario).value();
        const auto list = rows({"analyse", "sensitivity", "example", "--set", "cluster.workers=4"});
        QCOMPARE(list.first().toObject()["field"].toString().toStdString(), found.rows.front().path);
        QCOMPARE(list.first().toObject()["elasticity"].toDouble(), found.rows.front().elasticity);
    }

    void what_does_not_count_is_listed_when_asked() {
        const auto few = rows({"analyse", "sensitivity", "example"}),
                   all = rows({"analyse", "sensitivity", "example", "--all"});
        QVERIFY(all.size() > few.size());
        bool said = false;
        for (const auto& row : all)
            said = said || row.toObject()["note"].toString().contains(QStringLiteral("nothing travels inside a node"));
        QVERIFY(said);
        QVERIFY(contains(header({"analyse", "sensitivity", "example"}),
                         "field,label,value,unit,less,change_at_less_percent,more,change_at_more_percent,elasticity"));
    }

    void walls_of_core() {
        auto scenario = preset("example");
        const auto library = formats::load_shipped();
        QVERIFY(set_field(scenario, "training.batch_rule", "total", library.catalogue));
        const auto found = search::find_walls(scenario, {0.6, 200}).value();
        const auto list = rows({"analyse", "walls", "example", "--efficiency", "60", "--up-to", "200", "--set",
                                "training.batch_rule=total"});
        QCOMPARE(list.size(), static_cast<qsizetype>(found.walls.size() + found.left_out.size()));
        for (std::size_t i = 0; i < found.walls.size(); ++i) {
            const auto row = list[static_cast<qsizetype>(i)].toObject();
            QCOMPARE(row["wall"].toString().toStdString(), std::string(name_of(found.walls[i].kind)));
            QCOMPARE(row["first_at_workers"].toInteger(), qint64{found.walls[i].first});
            QCOMPARE(row["note"].toString().toStdString(), found.walls[i].sentence);
        }
        QCOMPARE(header({"analyse", "walls", "example"}),
                 std::string("wall,first_at_workers,for_good_from_workers,note"));
    }

    void wrong_words_data() {
        WrongWords::columns();
        const auto row = WrongWords::row;
        row("no scenario", "analyse sensitivity", 2, "SCENARIO");
        row("no objective", "analyse sensitivity example --objective fun", 2, "throughput");
        row("too much", "analyse sensitivity example --by 100", 2, "by");
        row("no value", "analyse sensitivity example --objective idle", 1, "Idle is 0 here");
        row("no scenario for walls", "analyse walls", 2, "SCENARIO");
        row("no line", "analyse walls example --efficiency 0", 2, "efficiency");
        row("too many", "analyse walls example --up-to 99999999", 2, "up-to");
        row("wrong scenario", "analyse walls exampel", 1, "example");
    }
    void wrong_words() { WrongWords::are_refused(); }
};

QTEST_GUILESS_MAIN(TestVerbsSensitivity)
#include "tst_verbs_sensitivity.moc"
