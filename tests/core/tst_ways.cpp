// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to divide the work as presets: what they set, and what their curves say.
#include <QtTest>

#include "core/estimate/curves.hpp"
#include "core/estimate/memory.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/named_settings.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/ways.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::library;

namespace {

std::span<const Way> ways() { return library().catalogue.ways; }

Scenario in_nodes(std::int64_t workers, std::int64_t per_node) {
    Scenario s = support::scenario(support::long_network(12));
    s.cluster.workers = workers;
    s.cluster.devices_per_node = per_node;
    return s;
}

/// A file with one way, of these settings.
std::string file_with(const std::string& settings) {
    return R"({"format": "scalescope-ways", "version": 1, "ways": [
{"id": "mine", "name": "Mine", "description": "As I like it.", "settings": )" +
           settings + "}]}";
}

}  // namespace

class TestWays : public QObject {
    Q_OBJECT
private slots:
    /// Each shipped way is the way of what it divides, unless one before it divides that alike.
    void what_is_divided_is_recognised() {
        QVERIFY(ways().size() >= 9);
        Scenario s = in_nodes(64, 8);
        for (const Way& way : ways()) {
            s = divided_as(way, std::move(s));  // whatever was there before
            QCOMPARE(way_of(s, ways()), &way);
            QCOMPARE(divided_as(way, s), s);
        }
        s.parallelism.tensor = 2;
        QVERIFY(!way_of(s, ways()));
        // In nodes of one device there is no tensor axis, and nobody to divide states with.
        for (const char* way : {"tensor-in-node", "zero-3-in-node"})
            QCOMPARE(way_of(divided_as(*library().catalogue.way(way), in_nodes(64, 1)), ways())->id,
                     std::string("data"));
    }

    /// What decides the mesh and is not named is as in a new scenario; the rest stays.
    void the_rest_stays() {
        Scenario s = in_nodes(64, 8);
        s.parallelism.context = 2;
        s.parallelism.expert = 4;
        s.parallelism.sharded = Sharded::gradients;
        s.parallelism.updates = Updates::asynchronous;
        s.parallelism.collective = Collective::tree;
        s.parallelism.recompute = Recompute::blocks;
        s.parallelism.micro_batches = 5;
        const Scenario data = divided_as(*library().catalogue.way("data"), s);
        QVERIFY(data.parallelism.none() && data.parallelism.sharded == Sharded::nothing);
        QVERIFY(data.parallelism.updates == Updates::synchronous);
        QVERIFY(data.parallelism.collective == Collective::tree && data.parallelism.recompute == Recompute::blocks);
        QCOMPARE(data.parallelism.micro_batches, 5);
        const Scenario megatron = divided_as(*library().catalogue.way("megatron"), s);
        QCOMPARE(*degrees_of(megatron), (Degrees{2, 4, 8, 1}));
        QVERIFY(megatron.parallelism.sharded == Sharded::optimizer && megatron.parallelism.micro_batches == 32);
    }

    /// Hybrid sharding: states are gathered inside a node, and gradients of the same shard summed between nodes.
    void states_are_divided_in_a_node() {
        Scenario s = divided_as(*library().catalogue.way("zero-3-in-node"), in_nodes(64, 8));
        const auto e = estimate(s);
        QVERIFY(e && e->states.ranks == 8 && e->states.groups == 8);
        int inside = 0, between = 0;
        for (const auto& m : e->messages) {
            QCOMPARE(m.group.nodes, m.over_groups ? 8 : 1);
            (m.over_groups ? between : inside) += 1;
        }
        QVERIFY(inside > 0 && between > 0);
        s.cluster.workers = 60;
        QCOMPARE(estimate(s).error().front().where, std::string("parallelism.shard_group"));
    }

    void a_file_is_a_way() {
        const auto read = formats::read_ways(
            file_with(R"({"parallelism.tensor": "node", "parallelism.context": 2, "parallelism.sequence": true})"),
            "mine.json");
        QVERIFY2(read.has_value(), read ? "" : support::messages(read.error()).c_str());
        const Scenario s = divided_as(read->front(), in_nodes(64, 4));
        QCOMPARE(*degrees_of(s), (Degrees{8, 1, 4, 2}));
        QVERIFY(s.parallelism.sequence);
    }

    void a_wrong_setting_is_named_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("message");
        QTest::newRow("field") << R"({"training.batch": 8})"
                               << "sets fields of parallelism only; name one of them";
        QTest::newRow("no field") << R"({"parallelism.tensr": 8})"
                                  << "tensor";
        QTest::newRow("value") << R"({"parallelism.tensor": "rack"})"
                               << "parallelism.tensor";
        QTest::newRow("word") << R"({"parallelism.sharded": "all"})"
                              << "parallelism.sharded";
        QTest::newRow("layer") << R"({"parallelism.cut": "fc6"})"
                               << "parallelism.cut";
    }
    void a_wrong_setting_is_named() {
        QFETCH(QString, settings);
        QFETCH(QString, message);
        const auto read = formats::read_ways(file_with(settings.toStdString()), "mine.json");
        QVERIFY(!read);
        const auto said = QString::fromStdString(support::messages(read.error()));
        QVERIFY2(said.contains(message) && said.contains(QLatin1String("2:")), qPrintable(said));
    }

    void a_way_is_set_by_name() {
        Scenario s = in_nodes(64, 8);
        QVERIFY(formats::set_by_name(s, "way", "zero-3", library()));
        QVERIFY(s.parallelism.sharded == Sharded::weights);
        QVERIFY(formats::set_by_name(s, "way", "Pipeline × data", library()));
        QVERIFY(s.parallelism.pipeline == 4 && s.parallelism.sharded == Sharded::nothing);
        const auto unknown = formats::set_by_name(s, "way", "zero-4", library());
        QVERIFY(!unknown && support::messages(unknown.error()).find("zero-3") != std::string::npos);
    }

    /// Each point of each curve is the estimate of the scenario with its work divided so.
    void a_curve_is_the_scenario_divided_so_data() {
        QTest::addColumn<bool>("attention");
        QTest::newRow("attention") << true;
        QTest::newRow("none") << false;
    }
    void a_curve_is_the_scenario_divided_so() {
        QFETCH(bool, attention);
        Scenario s = in_nodes(64, 8);
        if (attention) s = with_network(std::move(s), *library().network("bert-base"));
        s.training.batch_rule = BatchRule::total;
        s.training.batch = 256;
        s.parallelism.sharded = Sharded::optimizer;
        s.parallelism.recompute = Recompute::blocks;
        const auto plan = std::make_shared<const Plan>(*prepare(s));
        Scratch scratch = make_scratch(*plan);
        const auto specs = curve_specs(s, CurveSet::ways, ways());
        QCOMPARE(specs.size(), attention ? std::size_t{7} : std::size_t{5});
        QCOMPARE(shown_curve(s, specs), static_cast<int>(specs.size()) - 1);
        KeptCurves kept;
        const auto& curves = kept.make(s, plan, specs, {1, 8, 32, 64, 200}, scratch);
        int compared = 0;
        for (std::size_t i = 0; i < curves.size(); ++i)
            for (const CurvePoint& p : curves[i].points) {
                const std::string& way = specs[i].way;
                Scenario one = way.empty() ? s : divided_as(*library().catalogue.way(way), s);
                one.cluster.workers = p.workers;
                const auto e = estimate(one);
                QCOMPARE(p.summary.feasible(), e.has_value());
                if (!e) {
                    QCOMPARE(curves[i].why_not(p).what, e.error().front().what);
                    continue;
                }
                QCOMPARE(p.summary, e->summary);
                QCOMPARE(p.fits, fits_device(one, e->memory));
                ++compared;
            }
        QVERIFY(compared >= 12);
    }

    /// Ways that are the same here are there once.
    void nodes_of_one_device_have_fewer_ways() {
        const Scenario s = with_network(in_nodes(64, 1), *library().network("bert-base"));
        const auto specs = curve_specs(s, CurveSet::ways, ways());
        const auto count = [&](const char* name) {
            return std::count_if(specs.begin(), specs.end(), [&](const CurveSpec& c) { return c.way == name; });
        };
        QCOMPARE(count("Data"), 1);
        QCOMPARE(count("Tensor in a node × data"), 0);
        QCOMPARE(count("ZeRO-3 in a node × data"), 0);
    }
};

QTEST_GUILESS_MAIN(TestWays)
#include "tst_ways.moc"
