// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs compare and link: what core says, in rows; a scenario as text wherever one is taken.
#include "core/compare/attribution.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/scenario/fields.hpp"
#include "support_verbs.hpp"

using namespace support;

class TestVerbsCompare : public QObject {
    Q_OBJECT

    OwnFiles files_;

    static std::string link(const Words& changes = {}) {
        Words words{"convert", "--to", "link", "example"};
        for (const auto& change : changes) words.insert(words.end(), {"--set", change});
        auto text = run(words).out;
        if (!text.empty()) text.pop_back();
        return text;
    }
    static QJsonObject row_of(const QJsonArray& all, const char* column, const char* value) {
        for (const auto& row : all)
            if (row.toObject()[QLatin1String(column)] == QLatin1String(value)) return row.toObject();
        return {};
    }

private slots:
    void init() { files_.hide_presets_of_the_person(); }

    void figures_side_by_side() {
        const auto list = rows({"compare", "example", "alexnet-ec2-k80", link({"cluster.workers=7"})});
        const auto library = formats::load_shipped();
        std::vector<Scenario> designs{preset("example"), preset("alexnet-ec2-k80"), preset("example")};
        QVERIFY(set_field(designs[2], "cluster.workers", "7", library.catalogue));
        QCOMPARE(row_of(list, "figure", "scenario")["b"].toString().toStdString(), designs[1].name);
        QVERIFY(row_of(list, "figure", "time").isEmpty());
        std::size_t seen = 0;
        for (const auto& info : search::all_metrics()) {
            const auto metric = *search::metric_named(info.name);
            const auto row = row_of(list, "figure", info.name.data());
            if (metric == search::Metric::time) continue;
            ++seen;
            QCOMPARE(row["unit"].toString().toStdString(), std::string(info.unit));
            double first = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                const QString column(QLatin1Char(static_cast<char>('a' + i)));
                const auto value = search::metric_value(metric, designs[i], estimate(designs[i]).value());
                QCOMPARE(row[column].isNull(), !value);
                if (!value) continue;
                QCOMPARE(row[column].toDouble(), *value);
                if (i == 0) first = *value;
                if (i == 0 || row["a"].isNull()) continue;
                QCOMPARE(row["change_" + column].toDouble(), *value - first);
                if (first == 0) QVERIFY(row["change_" + column + "_percent"].isNull());
                if (first != 0)
                    QCOMPARE(row["change_" + column + "_percent"].toDouble(), (*value - first) / first * 100.0);
            }
        }
        QCOMPARE(seen, static_cast<std::size_t>(list.size()) - 1);
        QCOMPARE(header({"compare", "example", "example", "example"}),
                 std::string("figure,unit,a,b,change_b,change_b_percent,c,change_c,change_c_percent"));
        const auto goal = rows({"compare", "example", "example", "--goal", "1000"});
        QVERIFY(!row_of(goal, "figure", "time").isEmpty());
    }

    void what_differs() {
        const auto list = rows({"compare", "example", link({"cluster.workers=64", "parallelism.overlap=buckets"}),
                                link({"training.batch=64", "network=nin"}), "--show", "differences"});
        QCOMPARE(list.size(), qsizetype{4});
        QCOMPARE(list[0].toObject()["field"].toString(), QStringLiteral("network"));
        const auto workers = row_of(list, "field", "cluster.workers");
        QCOMPARE(workers["label"].toString(), QStringLiteral("Workers"));
        QCOMPARE(workers["a"].toString(), QStringLiteral("32"));
        QCOMPARE(workers["b"].toString(), QStringLiteral("64"));
        QCOMPARE(workers["c"].toString(), QStringLiteral("32"));
        QCOMPARE(row_of(list, "field", "parallelism.overlap")["b"].toString(), QStringLiteral("buckets"));
        QCOMPARE(row_of(list, "field", "training.batch")["c"].toString(), QStringLiteral("64"));
        QVERIFY(rows({"compare", "example", "example", "--show", "differences"}).isEmpty());
    }

    void shares_add_up() {
        const auto found = compare::attribute(preset("alexnet-ec2-k80"), preset("example"), search::Metric::throughput);
        const auto list = rows({"compare", "alexnet-ec2-k80", "example", "alexnet-ec2-k80", "--show", "shares",
                                "--objective", "throughput"});
        const auto n = static_cast<qsizetype>(found->shares.size());
        QVERIFY(n > 1);
        QCOMPARE(list.size(), n + 2);
        double sum = 0, percent = 0;
        for (qsizetype i = 0; i < n; ++i) {
            const auto row = list[i].toObject();
            const auto& share = found->shares[static_cast<std::size_t>(i)];
            QCOMPARE(row["design"].toString(), QStringLiteral("b"));
            QVERIFY(contains(row["field"].toString().toStdString(), share.differences.front().path));
            QCOMPARE(row["change_samples_per_s"].toDouble(), share.change());
            QCOMPARE(row["alone_samples_per_s"].isNull(), !share.alone);
            if (share.alone) QCOMPARE(row["alone_samples_per_s"].toDouble(), *share.alone);
            sum += row["change_samples_per_s"].toDouble();
            percent += row["share_percent"].toDouble();
        }
        const auto all = list[n].toObject();
        QCOMPARE(all["field"].toString(), QStringLiteral("all"));
        QCOMPARE(all["change_samples_per_s"].toDouble(), found->to - found->from);
        QVERIFY(std::abs(sum - (found->to - found->from)) < 1e-9 * std::abs(found->to));
        QVERIFY(std::abs(percent - 100) < 1e-9);
        // The third is the first: nothing to share out.
        QCOMPARE(list[n + 1].toObject()["design"].toString(), QStringLiteral("c"));
        QVERIFY(list[n + 1].toObject()["share_percent"].isNull());
        const auto ran = run({"compare", "alexnet-ec2-k80", "example", "--show", "shares"});
        QVERIFY(contains(ran.err, "design b: warning:"));
    }

    /// A name that speaks of workers and network follows what is set.
    void names_follow_what_is_set() {
        const auto named = [](const Words& changes) {
            return row_of(rows({"compare", link(changes), "example"}), "figure", "scenario")["a"].toString();
        };
        QCOMPARE(named({"cluster.workers=7"}), QStringLiteral("AlexNet on 7 GPUs"));
        QCOMPARE(named({"cluster.workers=1"}), QStringLiteral("AlexNet on 1 GPU"));
        QCOMPARE(named({"network=vgg-16", "cluster.workers=1", "cluster.workers=64"}),
                 QStringLiteral("VGG-16 on 64 GPUs"));
    }

    void every_design_is_changed_first() {
        const auto list = rows({"compare", "example", "alexnet-ec2-k80", "--set", "cluster.workers=3"});
        const auto devices = row_of(list, "figure", "devices");
        QCOMPARE(devices["a"].toDouble(), 3.0);
        QCOMPARE(devices["b"].toDouble(), 3.0);
    }

    void a_link_is_a_scenario_everywhere() {
        const std::string text = link({"cluster.workers=5"});
        QVERIFY(formats::is_link(text));
        const auto figures = run({"estimate", "example", "--set", "cluster.workers=5"}).out;
        QCOMPARE(run({"estimate", text}).out, figures);
        QCOMPARE(run({"estimate", files_.write("link.txt", text + "\n")}).out, figures);
        QCOMPARE(run({"convert", "--to", "link", text}).out, text + "\n");
        for (const char* verb : {"analyse", "sensitivity", "walls"})
            QCOMPARE(run({"analyse", verb, text}).out,
                     run({"analyse", verb, "example", "--set", "cluster.workers=5"}).out);
        QCOMPARE(run({"check", files_.write("checked.txt", text)}).code, 0);
        std::ostringstream out, err;
        QVERIFY(!run_command_line(command_line_without_display(), "0", Words{text}, out, err));  // for the window
    }

    void wrong_words_data() {
        WrongWords::columns();
        const auto row = WrongWords::row;
        row("one design", "compare example", 2, "SCENARIO");
        row("five designs", "compare example example example example example", 2, "compare");
        row("unknown show", "compare example example --show fun", 2, "differences");
        row("no objective", "compare example example --objective fun", 2, "throughput");
        row("wrong scenario", "compare example exampel", 1, "example");
        row("no scenario", "convert --to link", 2, "NETWORK");
        row("cut off", "estimate scalescope:1:H4sI", 1, "the scenario link: The link is cut off; copy all of it");
        row("newer", "compare example scalescope:2:H4sI:00000000", 1, "open it with a newer Scalescope");
        row("not of the link", "convert --to link example --set cluster.workers=none", 1, "none");
    }
    void wrong_words() { WrongWords::are_refused(); }

    void no_price_no_shares() {
        const auto library = formats::load_shipped();
        const auto& devices = library.catalogue.devices;
        const auto none =
            std::find_if(devices.begin(), devices.end(), [](const Device& d) { return !d.price_per_hour; });
        QVERIFY(none != devices.end());
        const auto other = link({"cluster.device=" + none->id});
        const auto ran = run({"compare", "example", other, "--show", "shares", "--objective", "cost"});
        QCOMPARE(ran.code, 1);
        QVERIFY2(contains(ran.err, "has no price"), ran.err.c_str());
        QVERIFY(ran.out.empty());
        QVERIFY(row_of(rows({"compare", "example", other}), "figure", "cost")["b"].isNull());
    }
};

QTEST_GUILESS_MAIN(TestVerbsCompare)
#include "tst_verbs_compare.moc"
