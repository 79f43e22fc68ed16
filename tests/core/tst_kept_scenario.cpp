// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario files of each released version open, and hold what the newest version writes.
#include <QtTest>
#include <fstream>
#include <sstream>

#include "core/formats/json_document.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/names.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::library;
using support::messages;

class KeptScenario : public QObject {
    Q_OBJECT

private slots:
    void kept_sample_opens() {
        for (const char* version : {"v1", "v2", "v3"}) {
            open_kept_sample(version);
            if (QTest::currentTestFailed()) return;
        }
    }

private:
    void open_kept_sample(const std::string& version) {
        std::ifstream file(SCALESCOPE_TEST_DATA "/formats/" + version + "/scenario.json");
        std::stringstream text;
        text << file.rdbuf();
        const auto read = read_scenario(text.str(), "scenario.json", library());
        QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
        QVERIFY2(read->warnings.empty(), messages(read->warnings).c_str());
        const Scenario& s = read->scenario;
        QCOMPARE(s.workload.size(), std::size_t{2});
        QCOMPARE(s.workload[0].count, 3);
        QVERIFY(!s.workload[0].passes.update && s.workload[0].passes.backward);
        QCOMPARE(s.training.frozen, (std::vector<LayerId>{LayerId{2}}));
        QCOMPARE(s.cluster.device.memory->value, 12e9);
        QCOMPARE(s.cluster.inside.latency.value, 1.9e-6);
        QCOMPARE(s.parallelism.boundaries, (std::vector<LayerId>{LayerId{3}}));
        QCOMPARE(s.parallelism.cut, LayerId{3});
        QVERIFY(!s.parallelism.cut_auto);
        QCOMPARE(s.model.compute.value, 0.615);
        QCOMPARE(s.model.interference.value, 0.15);
        QVERIFY(s.parallelism.copies && !s.training.fused_update);
        QCOMPARE(s.cluster.devices_per_uplink, 2);
        QCOMPARE(s.model.overhead.value, 1.5e-3);
        QCOMPARE(s.model.paleo_corrections, (std::vector<std::string>{"bytes_only", "no_tick"}));
        QCOMPARE(read->view, std::string("{\"pins\": [1, 2]}"));
        // Every member that the newest version writes is in its sample, so that renaming one is noticed here.
        const auto sample = parse_json(text.str(), "sample"),
                   written = parse_json(write_scenario(s, library(), read->view), "written");
        QCOMPARE(s.cluster.machine.id, std::string("own-machine"));
        QCOMPARE(s.cluster.machine.price_per_hour, 0.4);
        QCOMPARE(s.cluster.machine.power_w, 250.0);
        QVERIFY(s.parallelism.updates == Updates::asynchronous && s.parallelism.sharding == Sharding::by_layer);
        QCOMPARE(s.parallelism.servers, std::int64_t{3});
        QCOMPARE(s.model.staleness_cost.value, 0.025);
        CpuCluster cpu;
        cpu.partitions = 2;
        cpu.splits = SegmentSplits::best;
        cpu.placement = SegmentPlacement::by_connections;
        cpu.convolutions = ConvolutionSplit::channels;
        cpu.threads = 6;
        cpu.servers_beside = cpu.wait_for_servers = cpu.queueing = cpu.worked_example = true;
        cpu.overlap = Fraction{0.125};
        cpu.local_update = LocalUpdate::per_exchange;
        cpu.buffers = gigabytes(1.5);
        QVERIFY(s.cpu == cpu);
        if (version == "v1") {
            QVERIFY(s.parallelism.none() && s.parallelism.policy == ShardingPolicy::trainer);
            QVERIFY(s.parallelism.order == PipelineOrder::fill_drain && s.parallelism.sharded == Sharded::nothing);
            return;
        }
        QVERIFY(s.parallelism.tensor == 2 && s.parallelism.pipeline == 3 && s.parallelism.sequence);
        QVERIFY(s.parallelism.context == 4 && s.parallelism.expert == 5);
        QVERIFY(s.parallelism.expert_tensor == 6 && s.parallelism.dispatch == Dispatch::each_node);
        QVERIFY(s.parallelism.context_scheme == ContextScheme::heads);
        QVERIFY(s.parallelism.policy == ShardingPolicy::best);
        QCOMPARE(s.parallelism.recompute_layers, (std::vector<LayerId>{LayerId{3}}));
        QVERIFY(s.model.attention == AttentionKernel::triton);
        QCOMPARE(field_text(*find_field("parallelism.recompute"), s), std::string("layernorm+moe_act"));
        QCOMPARE(s.parallelism.recompute_count, std::int64_t{2});
        QVERIFY(s.parallelism.shard_group == 6 && !s.parallelism.reshard_after_forward);
        QCOMPARE(choice_name(s.parallelism.axis_order), std::string_view("data_tensor_context_pipeline"));
        if (version != "v3") return;
        QVERIFY(s.parallelism.fill == MeshAxis::pipeline && s.parallelism.segments);
        QVERIFY((s.reliability == Reliability{Hours{50000}, Seconds{900}, gigabytes_per_second(0.5)}));
        for (const auto section : {"training", "cluster", "parallelism", "cpu", "model", "reliability"}) {
            const JsonValue members = *written->root().find(section);
            for (const JsonValue member : members)
                QVERIFY2(sample->root().find(section)->find(member.key()), std::string(member.key()).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(KeptScenario)
#include "tst_kept_scenario.moc"
