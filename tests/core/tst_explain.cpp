// SPDX-License-Identifier: GPL-3.0-or-later
// What the why panel shows is what the estimate computed: every formula, evaluated on the inputs shown, gives the
// figure; every line, computed as printed, gives the printed result; every question ends at a control or a data sheet.
#include <QtTest>
#include <algorithm>
#include <random>

#include "core/scenario/ways.hpp"
#include "support_choices.hpp"
#include "support_explain_walk.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace support;
using namespace support::explained;

class TestExplain : public QObject {
    Q_OBJECT

private:
    int pages_ = 0, scenarios_ = 0;
    std::set<Topic> topics_;

    void walk(const Scenario& s, const QString& name, bool must = true) {
        if (support::sanitized && scenarios_++ % 32 != 0) return;
        Walk w(s);
        if (!w.feasible) {
            if (must) QFAIL(qPrintable(name + " is infeasible"));
            return;
        }
        w.all();
        pages_ += w.pages;
        if (!support::sanitized) ++scenarios_;
        topics_.insert(w.topics.begin(), w.topics.end());
        if (!w.wrong.isEmpty()) QFAIL(qPrintable(name + '\n' + w.wrong.join('\n')));
    }

private slots:
    void cleanupTestCase() { qInfo("%d pages of %d scenarios", pages_, scenarios_); }

    void the_network_holds_every_kind() {
        std::set<const Kind*> there;
        for (const Layer& l : network("every kind")->layers()) there.insert(l.kind);
        for (const Kind* kind : all_kinds()) QVERIFY2(there.contains(kind), std::string(kind->name).c_str());
    }

    void every_way_to_divide_every_kind() {
        for (support::Divided strategy : support::all_divided)
            for (HybridScheme scheme : all_schemes)
                for (Overlap overlap : all_overlaps)
                    for (bool strong : {false, true})
                        for (bool roofline : {false, true}) {
                            if (strategy != support::Divided::hybrid && scheme != HybridScheme::all_at_once) continue;
                            if ((strategy == support::Divided::outputs || strategy == support::Divided::layers) &&
                                overlap != Overlap::off)
                                continue;
                            Scenario s = scenario("every kind");
                            support::divide(s.parallelism, strategy);
                            s.parallelism.scheme = scheme;
                            s.parallelism.overlap = overlap;
                            s.parallelism.bucket = Bytes{3000};
                            s.training.batch_rule = strong ? BatchRule::total : BatchRule::per_worker;
                            s.model.overlap_memory = roofline;
                            if (strategy == support::Divided::hybrid) {
                                s.parallelism.cut_auto = false;
                                s.parallelism.cut = s.network()->layers()[std::size_t(layer(s, "conv3"))].id;
                            }
                            walk(s, QString("strategy %1, scheme %2, overlap %3, strong %4, roofline %5")
                                        .arg(int(strategy))
                                        .arg(int(scheme))
                                        .arg(int(overlap))
                                        .arg(strong)
                                        .arg(roofline));
                            if (QTest::currentTestFailed()) return;
                        }
    }

    void every_mesh() {
        struct Axes {
            support::Divided strategy;
            std::int64_t data, pipeline, tensor;
        };
        for (const Axes& m : {Axes{support::Divided::data, 3, 1, 2},
                              {support::Divided::data, 2, 3, 1},
                              {support::Divided::data, 2, 2, 2},
                              {support::Divided::outputs, 1, 2, 3},
                              {support::Divided::layers, 1, 3, 2}})
            for (const ShardingPolicy policy : all_of<ShardingPolicy>())
                for (const Overlap overlap : all_overlaps)
                    for (const char* name : {"every kind", "gpt-2"}) {
                        // Pages of a hundred layers take their time.
                        const bool large = std::string_view(name) == "gpt-2";
                        if (large && (overlap != Overlap::buckets || policy != ShardingPolicy::trainer || m.data != 2))
                            continue;
                        Scenario s = scenario(name);
                        support::divide(s.parallelism, m.strategy);
                        s.parallelism.pipeline = m.pipeline;
                        s.parallelism.tensor = m.tensor;
                        s.parallelism.policy = policy;
                        s.parallelism.sequence = policy == ShardingPolicy::trainer;
                        s.parallelism.overlap = overlap;
                        s.parallelism.bucket = Bytes{3000};
                        s.parallelism.micro_batches = 3;
                        s.training.batch_rule = overlap == Overlap::off ? BatchRule::per_worker : BatchRule::total;
                        s.cluster.workers = m.data * m.pipeline * m.tensor;
                        s.cluster.devices_per_node = 4;
                        walk(s, QString("%1, strategy %2, mesh %3 x %4 x %5, policy %6, overlap %7")
                                    .arg(name)
                                    .arg(int(m.strategy))
                                    .arg(m.data)
                                    .arg(m.pipeline)
                                    .arg(m.tensor)
                                    .arg(int(policy))
                                    .arg(int(overlap)));
                        if (QTest::currentTestFailed()) return;
                    }
    }

    void every_schedule() {
        for (const PipelineOrder order : support::all_of<PipelineOrder>())
            for (const Overlap overlap : all_overlaps)
                for (const std::int64_t tensor : {1, 2})
                    for (const std::int64_t micro_batches : {1, 4}) {
                        Scenario s = scenario("every kind");
                        s.parallelism.pipeline = 2;
                        s.parallelism.tensor = tensor;
                        s.parallelism.order = order;
                        s.parallelism.overlap = overlap;
                        s.parallelism.bucket = Bytes{3000};
                        s.parallelism.micro_batches = micro_batches;
                        s.parallelism.chunks = micro_batches == 1 ? 1 : 3;
                        s.parallelism.sharded = static_cast<Sharded>((int(order) + int(overlap) + tensor) % 4);
                        if (order == PipelineOrder::interleaved && micro_batches == 1) continue;
                        s.training.accumulation = 2;
                        s.training.batch = 48;
                        s.training.batch_rule = BatchRule::total;
                        s.cluster.workers = 4 * tensor;
                        s.cluster.devices_per_node = 2;
                        walk(s, QString("order %1, overlap %2, tensor %3, micro-batches %4")
                                    .arg(int(order))
                                    .arg(int(overlap))
                                    .arg(tensor)
                                    .arg(micro_batches));
                        if (QTest::currentTestFailed()) return;
                    }
    }

    /// Optimizer state, gradients and weights divided among the replicas, on meshes and on one level or two.
    void every_sharding_of_states() {
        struct Axes {
            std::int64_t data, pipeline, tensor, group = 0;
        };
        for (const Sharded sharded : {Sharded::optimizer, Sharded::gradients, Sharded::weights})
            for (const Axes& m : {Axes{4, 1, 1}, {3, 1, 2}, {2, 3, 1}, {2, 2, 2}, {4, 1, 2, 2}, {4, 2, 1, 2}})
                for (const Overlap overlap : all_overlaps)
                    for (const char* name : {"every kind", "gpt-2"}) {
                        const bool large = std::string_view(name) == "gpt-2";
                        if (large && (overlap != Overlap::buckets || m.tensor > 1)) continue;
                        Scenario s = scenario(name);
                        s.parallelism.sharded = sharded;
                        s.parallelism.shard_group = m.group;
                        s.parallelism.reshard_after_forward = m.group == 0 || overlap == Overlap::off;
                        s.parallelism.pipeline = m.pipeline;
                        s.parallelism.tensor = m.tensor;
                        s.parallelism.policy = ShardingPolicy::trainer;
                        s.parallelism.sequence = true;
                        s.parallelism.overlap = overlap;
                        s.parallelism.bucket = Bytes{3000};
                        s.parallelism.micro_batches = 3;
                        s.parallelism.gradients = overlap == Overlap::off ? GradientFormat::fp16 : GradientFormat::fp32;
                        s.parallelism.copies = overlap == Overlap::perfect && m.pipeline == 1;
                        if (m.data == 3) s.parallelism.collective = Collective::parameter_server;
                        if (m.data == 2 || m.group > 0) s.model.interference = Fraction{0.2};
                        s.training.accumulation = large ? 1 : 2;
                        s.training.batch_rule = overlap == Overlap::off ? BatchRule::per_worker : BatchRule::total;
                        s.training.optimizer = Optimizer::adam;
                        s.cluster.workers = m.data * m.pipeline * m.tensor;
                        s.cluster.devices_per_node = 2;
                        if (!large && m.pipeline > 1)
                            s.training.frozen = {s.network()->layers()[std::size_t(layer(s, "fc1"))].id};
                        walk(s, QString("%1, sharded %2, mesh %3 x %4 x %5, overlap %6")
                                    .arg(name)
                                    .arg(int(sharded))
                                    .arg(m.data)
                                    .arg(m.pipeline)
                                    .arg(m.tensor)
                                    .arg(int(overlap)));
                        if (QTest::currentTestFailed()) return;
                    }
        Scenario s = scenario("dcgan-discriminator");  // several networks, one of them twice
        s.workload[0].count = 2;
        s.workload.push_back({network("dcgan-generator"), {}, 1, ""});
        s.parallelism.sharded = Sharded::weights;
        s.cluster.workers = 4;
        walk(s, "several networks, weights sharded");
        for (const std::int64_t group : {0, 2, 4}) {  // of which 2 have each expert once
            Scenario experts = scenario("few kinds");
            experts.workload[0].network = mixture(1, 64, 4, 64, false);
            experts.parallelism.degrees_given() = {2, 1, 2, 4};
            experts.parallelism.sharded = Sharded::gradients;
            experts.parallelism.shard_group = group;
            experts.parallelism.overlap = Overlap::buckets;
            experts.cluster.workers = 16;
            walk(experts, QString("experts, shard group %1").arg(group));
        }
    }

    void recomputed_activations() {
        struct Axes {
            support::Divided strategy;
            std::int64_t data, pipeline, tensor;
        };
        const auto network = gpt(2, 64, 4, 64, false);
        for (const Axes& m : {Axes{support::Divided::data, 2, 1, 1},
                              {support::Divided::data, 2, 1, 2},
                              {support::Divided::layers, 1, 3, 1},
                              {support::Divided::data, 2, 3, 2}})
            for (const ShardingPolicy policy : {ShardingPolicy::columns, ShardingPolicy::trainer})
                for (const Overlap overlap : all_overlaps)
                    for (const Recompute recompute : {Recompute::attention, Recompute::blocks, Recompute::layers})
                        for (const bool roofline : {false, true}) {
                            if (m.tensor == 1 && policy == ShardingPolicy::columns) continue;
                            Scenario s = scenario("few kinds");
                            s.workload[0].network = network;
                            s.parallelism.recompute = recompute;
                            for (const int l : {3, 4, 5, 9})
                                s.parallelism.recompute_layers.push_back(network->layers()[std::size_t(l)].id);
                            support::divide(s.parallelism, m.strategy);
                            s.parallelism.pipeline = m.pipeline;
                            s.parallelism.tensor = m.tensor;
                            s.parallelism.policy = policy;
                            s.parallelism.sequence = roofline;
                            s.parallelism.overlap = overlap;
                            s.parallelism.bucket = Bytes{3000};
                            s.parallelism.micro_batches = 3;
                            s.training.accumulation = roofline ? 2 : 1;
                            s.model.overlap_memory = roofline;
                            s.cluster.workers = m.data * m.pipeline * m.tensor;
                            walk(s, QString("recompute %1, strategy %2, mesh %3 x %4 x %5, policy %6, overlap %7")
                                        .arg(int(recompute))
                                        .arg(int(m.strategy))
                                        .arg(m.data)
                                        .arg(m.pipeline)
                                        .arg(m.tensor)
                                        .arg(int(policy))
                                        .arg(int(overlap)));
                            if (QTest::currentTestFailed()) return;
                        }
        // Modules, counted blocks, and parts of a layer.
        const auto sparse = mixture(3, 64, 4, 32, true);
        for (const char* words : {"core_attn+layernorm+mlp", "layernorm", "moe_act", "shared_experts", "moe",
                                  "moe_act+shared_experts+layernorm", "op", "uniform", "block", "every_nth"})
            for (const std::int64_t ranks : {1, 2})
                for (const bool roofline : {false, true}) {
                    Scenario s = scenario("few kinds");
                    s.workload[0].network = roofline ? with_attribute(network, "dropout", true) : sparse;
                    if (ranks > 1) s.workload[0].network = sparse;
                    s.parallelism.recompute = *recompute_called(words);
                    s.parallelism.recompute_count = 2;
                    support::divide(s.parallelism, support::Divided::data);
                    s.parallelism.tensor = s.parallelism.pipeline = s.parallelism.expert = ranks;
                    s.parallelism.expert_tensor = ranks;
                    s.parallelism.policy = ShardingPolicy::trainer;
                    s.parallelism.micro_batches = 3;
                    s.model.overlap_memory = roofline;
                    s.cluster.workers = 2 * ranks * ranks;
                    walk(s, QString("%1, %2 ranks").arg(words).arg(ranks));
                    if (QTest::currentTestFailed()) return;
                    s.cluster.device = *library().catalogue.device("b200-sxm-180gb");
                    s.cluster.device.set_price(4);
                    s.training.precision = roofline ? Precision::mxfp8 : Precision::nvfp4;
                    walk(s, QString("%1, %2 ranks, narrow").arg(words).arg(ranks));
                    if (QTest::currentTestFailed()) return;
                }
        // What trainers hold beside.
        for (const char* id : {"megatron-te", "deepspeed"})
            for (const std::int64_t ranks : {1, 2}) {
                Scenario s = scenario("few kinds");
                s.workload[0].network = sparse;
                s.training.precision = Precision::fp16;
                support::divide(s.parallelism, support::Divided::data);
                s.parallelism.tensor = ranks;
                s.parallelism.sharded = ranks > 1 ? Sharded::weights : Sharded::optimizer;
                s.parallelism.recompute = ranks > 1 ? Recompute::blocks : Recompute::nothing;
                s.cluster.workers = 2 * ranks;
                s.model.trainer = as_trained_by(*library().catalogue.trainer(id), s).model.trainer;
                s.model.trainer.fragmentation = Fraction{0.1 * double(ranks - 1)};
                walk(s, id);
                if (QTest::currentTestFailed()) return;
            }
        // The worst moment is in a block that is computed again, in its forward or its backward pass.
        for (const char* name : {"resnet-50", "inception-v3", "densenet-121"}) {
            Scenario s = scenario(name);
            s.parallelism.recompute = Recompute::blocks;
            walk(s, name);
            if (QTest::currentTestFailed()) return;
        }
    }

    void every_collective_on_one_and_two_levels() {
        for (Collective collective : all_collectives)
            for (std::int64_t workers : {1, 3, 4, 6, 12})
                for (std::int64_t per_node : {1, 4})
                    for (support::Divided strategy : {support::Divided::data, support::Divided::hybrid}) {
                        if (strategy == support::Divided::hybrid && workers > 10) continue;
                        Scenario s = scenario("few kinds");
                        support::divide(s.parallelism, strategy);
                        s.parallelism.collective = collective;
                        s.parallelism.scheme = HybridScheme::one_sender;
                        s.cluster.workers = workers;
                        s.cluster.devices_per_node = per_node;
                        s.cluster.nics_per_node = per_node / 2 + per_node % 2;
                        s.cluster.devices_per_uplink = 2;
                        s.model.inside = Fraction{0.7};
                        s.model.between = Fraction{0.85};
                        walk(s, QString("collective %1, workers %2, in a node %3, strategy %4")
                                    .arg(int(collective))
                                    .arg(workers)
                                    .arg(per_node)
                                    .arg(int(strategy)));
                        if (QTest::currentTestFailed()) return;
                    }
    }

    void workers_with_parameter_servers() {
        for (const Sharding sharding : {Sharding::even, Sharding::by_layer})
            for (const std::int64_t workers : {1, 2, 7})
                for (const std::int64_t servers : {1, 3}) {
                    Scenario s = scenario("few kinds");
                    s.parallelism.updates = Updates::asynchronous;
                    s.parallelism.sharding = sharding;
                    s.parallelism.servers = servers;
                    s.cluster.workers = workers;
                    s.cluster.nics_per_node = servers;
                    s.cluster.devices_per_node = 1 + workers / 3;
                    s.model.staleness_cost = Fraction{0.02};
                    s.model.between = Fraction{0.8};
                    s.model.overlap_memory = workers == 2;
                    if (servers == 3) s.model.overhead = milliseconds(2);
                    if (workers == 7) s.training.input_limit = SamplesPerSecond{1000};
                    if (workers == 7) s.training.optimizer = Optimizer::adam;
                    if (workers == 2) s.parallelism.gradients = GradientFormat::fp16;
                    if (workers == 2) s.training.frozen = {s.network()->layers()[std::size_t(layer(s, "fc1"))].id};
                    walk(s,
                         QString("sharding %1, %2 workers, %3 servers").arg(int(sharding)).arg(workers).arg(servers));
                    if (QTest::currentTestFailed()) return;
                }
        Scenario s = scenario("few kinds");  // two networks, of which one exchanges twice
        s.workload[0].count = 2;
        s.workload.push_back({network("few kinds"), {}, 1, ""});
        s.training.batch_rule = BatchRule::total;
        s.training.batch = 5;
        s.training.accumulation = 2;
        s.cluster.workers = 9;
        s.parallelism.updates = Updates::asynchronous;
        walk(s, "two networks with servers");
    }

    void every_circumstance_at_random() {
        std::mt19937 random(20240229);
        const auto pick = [&](int n) { return int(random() % unsigned(n)); };
        for (int round = 0; round < 150; ++round) {
            Scenario s = scenario("every kind");
            s.training.batch = 1 + pick(200);
            s.training.batch_rule = pick(2) ? BatchRule::total : BatchRule::per_worker;
            s.training.accumulation = 1 + pick(3) * pick(2) * (pick(6) == 0 ? 50 : 1);
            s.cluster.device = *library().catalogue.device(pick(2) ? "Tesla K40" : "Tesla V100 SXM2 16GB");
            s.training.precision = all_precisions[std::size_t(pick(int(all_precisions.size())))];
            if (!s.cluster.device.peak_at(s.training.precision)) s.training.precision = Precision::fp32;
            s.cluster.device.price_per_hour = 1.0 + pick(5);
            s.training.optimizer = all_optimizers[std::size_t(pick(int(all_optimizers.size())))];
            if (pick(4) == 0) s.training.input_limit = SamplesPerSecond{std::pow(10.0, pick(7))};
            for (const auto& l : s.network()->layers())
                if (pick(8) == 0) s.training.frozen.push_back(l.id);
            std::sort(s.training.frozen.begin(), s.training.frozen.end());
            s.cluster.workers = 1 + pick(10);
            s.cluster.devices_per_node = 1 + pick(4);
            s.cluster.nics_per_node = 1 + pick(2);
            support::divide(s.parallelism, support::all_divided[std::size_t(pick(4))]);
            s.parallelism.collective = all_collectives[std::size_t(pick(int(all_collectives.size())))];
            s.parallelism.scheme = all_schemes[std::size_t(pick(3))];
            s.parallelism.overlap = all_overlaps[std::size_t(pick(3))];
            s.parallelism.bucket = Bytes{std::pow(10.0, 2 + pick(4))};
            s.parallelism.micro_batches = 1 + pick(5);
            if (pick(3) > 0) {
                s.parallelism.cut_auto = false;
                s.parallelism.cut =
                    pick(8) == 0 ? LayerId{} : s.network()->layers()[std::size_t(pick(s.network()->size()))].id;
            }
            s.model.compute = Fraction{0.05 * (1 + pick(20))};
            s.model.memory = Fraction{0.05 * (1 + pick(20))};
            s.model.overlap_memory = pick(2);
            s.model.launch = pick(2) ? microseconds(pick(12)) : Seconds{0};
            if (pick(2)) s.model.spread = Fraction{0.01 * pick(6)};
            if (pick(2)) s.model.interference = Fraction{0.05 * pick(6)};
            if (pick(3) == 0) s.parallelism.gradients = pick(2) ? GradientFormat::fp32 : GradientFormat::fp16;
            s.parallelism.copies = pick(3) == 0;
            s.training.fused_update = pick(3) > 0;
            s.cluster.devices_per_uplink = 1 + pick(4);
            s.model.overhead = pick(3) == 0 ? milliseconds(1 + pick(50)) : Seconds{0};
            s.reliability.device_mtbf = Hours{1e4};
            s.workload[0].passes = {pick(10) > 0, pick(10) > 0, pick(8) > 0, pick(6) == 0, pick(8) > 0};
            s.workload[0].count = 1 + pick(3) * pick(2);
            if (pick(3) == 0) s.model.compute = Fraction{0};
            if (pick(2)) s.cluster.device.attention[0] = 0.05 * (1 + pick(20));
            if (pick(4) == 0) s.cluster.device.training_matrix_fraction = 0.5;
            if (pick(4) == 0) s.cluster.device.sustained_matrix_fraction = 0.8;
            if (pick(4) == 0) s.model.attention = AttentionKernel::flash_2;
            if (pick(4) == 0) s.training.precision = pick(2) ? Precision::fp16 : Precision::bf16;
            walk(s, QString("round %1").arg(round), false);
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(scenarios_ > 100);
    }

    void published_networks() {
        struct Case {
            const char* network;
            support::Divided strategy;
            std::int64_t workers;
        };
        for (const Case& c : {Case{"alexnet-one-tower", support::Divided::data, 32},
                              {"alexnet-one-tower", support::Divided::hybrid, 8},
                              {"alexnet-two-tower", support::Divided::outputs, 2},
                              {"alexnet-two-tower", support::Divided::hybrid, 4},
                              {"inception-v3", support::Divided::data, 16},
                              {"inception-v1", support::Divided::outputs, 5},
                              {"resnet-50", support::Divided::layers, 7},
                              {"resnet-50", support::Divided::outputs, 8},
                              {"densenet-121", support::Divided::layers, 4},
                              {"densenet-121", support::Divided::outputs, 6},
                              {"dcgan-generator", support::Divided::outputs, 3}}) {
            Scenario s = scenario(c.network);
            support::divide(s.parallelism, c.strategy);
            s.parallelism.overlap = Overlap::buckets;
            s.parallelism.scheme = HybridScheme::all_send_share;
            s.parallelism.micro_batches = 4;
            s.cluster.workers = c.workers;
            s.cluster.devices_per_node = 4;
            walk(s, QString("%1, strategy %2").arg(c.network).arg(int(c.strategy)));
            if (QTest::currentTestFailed()) return;
        }
    }

    void paleo_as_the_method() {
        unsigned k = 0;
        for (const char* name : {"alexnet-one-tower", "nin", "paleo/alex_v2_1gpu", "vgg-16", "dcgan-generator"})
            for (const Method method : {Method::paleo_head, Method::paleo_paper})
                for (const Collective collective : {Collective::one_to_all, Collective::paleo_tree,
                                                    Collective::butterfly, Collective::butterfly_mixing}) {
                    Scenario s = scenario(name);
                    s.model.method = method;
                    s.model.overlap_memory = ++k % 3 == 0;
                    s.model.compute = Fraction{0.62};
                    s.model.memory = Fraction{0.8};
                    s.parallelism.collective = collective;
                    s.cluster.workers = k % 5 == 0 ? 1 : 6;
                    s.cluster.devices_per_node = k % 2 == 0 ? 8 : 1;
                    s.workload.front().count = k % 7 == 0 ? 2 : 1;
                    int bit = 0;
                    for (const auto& c : paleo::corrections())
                        if (((k * 2654435761U) >> bit++ & 1) != 0) s.model.paleo_corrections.emplace_back(c.id);
                    walk(s, QString("%1, method %2, collective %3").arg(name).arg(int(method)).arg(int(collective)));
                    if (QTest::currentTestFailed()) return;
                }
    }

    void a_step_of_several_networks() {
        Scenario s = scenario("dcgan-discriminator");
        s.workload[0].count = 2;
        s.workload.push_back({network("dcgan-generator"), {}, 1, ""});
        s.workload.push_back({network("dcgan-discriminator"), {true, true, false, true, false}, 1, ""});
        s.training.accumulation = 2;
        for (Overlap overlap : all_overlaps) {
            s.parallelism.overlap = overlap;
            s.parallelism.bucket = Bytes{2e6};
            walk(s, QString("overlap %1").arg(int(overlap)));
            if (QTest::currentTestFailed()) return;
        }
        const Explanation forward = why(s, Item{Topic::forward});
        QVERIFY(forward.inputs[0].text.find(": ") != std::string::npos);  // says which network
    }

    /// Asked for more micro-steps than there are samples; frozen throughout, so that the worst moment is in forward.
    void fewer_micro_steps_than_asked_for() {
        for (support::Divided strategy : support::all_divided)
            for (const bool frozen : {false, true}) {
                Scenario s = scenario("every kind");
                s.training.batch = 6;
                s.training.accumulation = 64;
                s.cluster.workers = 2;
                support::divide(s.parallelism, strategy);
                if (frozen)
                    for (const auto& l : s.network()->layers()) s.training.frozen.push_back(l.id);
                std::sort(s.training.frozen.begin(), s.training.frozen.end());
                walk(s, QString("strategy %1, frozen %2").arg(int(strategy)).arg(frozen));
                if (QTest::currentTestFailed()) return;
                const bool together = strategy == support::Divided::outputs || strategy == support::Divided::layers;
                QCOMPARE(why(s, Item{Topic::micro_steps}).result, together ? 12.0 : 6.0);
            }
    }

    void more_workers_than_samples() {
        Scenario s = scenario("every kind");
        s.training.batch = 5;
        s.training.batch_rule = BatchRule::total;
        s.cluster.workers = 9;
        walk(s, "9 workers, 5 samples");
        const Explanation e = why(s, Item{Topic::ranks});
        QCOMPARE(e.result, 5.0);
        support::divide(s.parallelism, support::Divided::layers);
        s.parallelism.micro_batches = 64;
        walk(s, "64 micro-batches, 5 samples");
        support::divide(s.parallelism, support::Divided::hybrid);  // fewer slices than workers
        s.parallelism.scheme = HybridScheme::one_sender;
        s.parallelism.cut_auto = false;
        s.parallelism.cut = s.network()->layers()[std::size_t(layer(s, "conv3"))].id;
        walk(s, "one sender of 5 samples");
    }

    void every_topic_was_visited() {
        if (support::sanitized) return;  // the sample need not hold all of them
        for (int t = 0; t <= int(Topic::live); ++t)
            QVERIFY2(topics_.contains(Topic(t)), qPrintable(QString("topic %1").arg(t)));
    }
};

QTEST_APPLESS_MAIN(TestExplain)
#include "tst_explain.moc"
