// SPDX-License-Identifier: GPL-3.0-or-later
// Which settings mean something: those without effect go, but for what is set and can be taken back.
#include <QtTest>

#include "core/estimate/applies.hpp"
#include "core/scenario/fields.hpp"
#include "support_library.hpp"

using namespace scalescope;

class TestApplies : public QObject {
    Q_OBJECT

    Scenario s_ = support::preset_scenario("llama-3-70b-h100");
    void set(std::string_view path, std::string_view text) { QVERIFY(set_field(s_, path, text, {})); }

private slots:
    void init() { s_ = support::preset_scenario("llama-3-70b-h100"); }

    void a_cpu_cluster_hears_no_precision_but_one_that_is_set() {
        set("training.precision", "bf16");
        set("model.method", "cpu_cluster");
        QVERIFY(applies("training.precision", s_));
        QVERIFY(!applies("model.memory", s_));
        set("training.precision", "fp32");
        QVERIFY(!applies("training.precision", s_));
        set("model.method", "pipeline");
        QVERIFY(applies("training.precision", s_) && applies("model.memory", s_));
    }

    void wide_blocks_belong_to_narrow_recipes() {
        set("training.precision", "bf16");
        QVERIFY(!applies("training.wide_first", s_) && !applies("training.wide_last", s_));
        set("training.precision", "mxfp8");
        QVERIFY(applies("training.wide_first", s_) && applies("training.wide_last", s_));
    }

    void what_shards_depends_on_how_much_is_sharded() {
        const char *group = "parallelism.shard_group", *once = "parallelism.reduce_once",
                   *freed = "parallelism.reshard_after_forward";
        const auto all = [&] { return std::array{applies(group, s_), applies(once, s_), applies(freed, s_)}; };
        using Three = std::array<bool, 3>;
        const std::pair<const char*, Three> cases[] = {{"nothing", {false, false, false}},
                                                       {"optimizer", {true, false, false}},
                                                       {"gradients", {true, true, false}},
                                                       {"weights", {true, true, true}}};
        for (const auto& [sharded, expected] : cases) {
            set("parallelism.sharded", sharded);
            QVERIFY2(all() == expected, sharded);
        }
    }

    void what_waits_on_the_host_can_be_taken_back() {
        set("parallelism.updates", "asynchronous");
        set("parallelism.offload_states", "0");
        QVERIFY(!applies("parallelism.offload_states", s_));
        set("parallelism.offload_states", "50");
        QVERIFY(applies("parallelism.offload_states", s_));
        set("parallelism.updates", "synchronous");
        set("parallelism.offload_states", "0");
        QVERIFY(applies("parallelism.offload_states", s_));
    }

    void blocks_are_counted_where_the_method_counts_them() {
        set("parallelism.recompute", "blocks");
        QVERIFY(!applies("parallelism.recompute_count", s_));
        set("parallelism.recompute", "uniform");
        QVERIFY(applies("parallelism.recompute_count", s_));
    }

    void the_link_inside_needs_two_devices_and_staleness_no_synchrony() {
        set("cluster.devices_per_node", "1");
        QVERIFY(!applies("model.inside", s_));
        set("cluster.devices_per_node", "8");
        QVERIFY(applies("model.inside", s_));
        QVERIFY(!applies("model.staleness_cost", s_) && !applies("cpu.queueing", s_));
        set("parallelism.fill", "data");
        set("parallelism.updates", "asynchronous");
        QVERIFY(applies("model.staleness_cost", s_) && !applies("cpu.queueing", s_));
    }

    /// Options of devices and those of a CPU cluster leave each other alone.
    void options_are_those_of_the_method() {
        QVERIFY(applies("model.launch_us", s_) && applies("parallelism.bucket_mb", s_) && !applies("cpu.threads", s_));
        s_.model.method = Method::cpu_cluster;
        s_.parallelism.updates = Updates::asynchronous;
        QVERIFY(!applies("model.launch_us", s_) && !applies("parallelism.bucket_mb", s_));
        QVERIFY(applies("cpu.threads", s_) && applies("cpu.queueing", s_));
        s_.parallelism.updates = Updates::synchronous;
        QVERIFY(!applies("cpu.queueing", s_));
    }
};

QTEST_APPLESS_MAIN(TestApplies)
#include "tst_applies.moc"
