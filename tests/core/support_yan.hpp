// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/yan/model.hpp"
#include "support_networks.hpp"

/// What tests of CPU clusters share: the machine and the networks of the worked example.
namespace support {

inline scalescope::CpuMachine example_machine() {
    using namespace scalescope;
    CpuMachine m;
    m.id = "example";
    m.name = "Example";
    m.cores = m.threads = 16;
    m.l2 = Bytes{262144};
    m.l3 = Bytes{20 * 1048576.0};
    m.memory = gigabytes(98);
    m.multiply_add_l2 = Seconds{2e-10};
    m.multiply_add_l3 = Seconds{3e-10};
    m.multiply_add_memory = Seconds{9e-10};
    m.contention = 0.018;
    m.memory_bandwidth = BytesPerSecond{38e9};
    m.activation = m.error = Seconds{2e-9};
    m.update = Seconds{1e-9};
    m.latency = Seconds{30e-6};
    m.network = m.server_network = BytesPerSecond{1e9};
    m.server_updates = WeightsPerSecond{2e8};
    return m;
}

inline int valid_conv(Builder& b, int in, std::int64_t filters, std::int64_t kernel, std::int64_t stride,
                      std::int64_t padding) {
    using namespace scalescope;
    const int l = b.conv(in, filters, kernel, stride, 1, false);
    Padding p;
    p.mode = Padding::Mode::explicit_sizes;
    p.top = p.bottom = p.left = p.right = padding;
    if (padding > 0) b.set(l, "padding", p);
    return l;
}

inline int valid_pool(Builder& b, int in, std::int64_t kernel, std::int64_t stride) {
    const int l = b.pool(in, kernel, stride);
    b.set(l, "padding", scalescope::Padding{});
    return l;
}

inline NetworkPtr example_mnist() {
    Builder b;
    int l = b.input({28, 28, 1});
    l = valid_pool(b, valid_conv(b, l, 20, 5, 1, 0), 2, 2);
    l = valid_pool(b, valid_conv(b, l, 50, 5, 1, 0), 2, 2);
    b.softmax(b.dense(b.dense(b.flatten(l), 500), 10));
    return b.make();
}

/// AlexNet without groups, with a layer of 21,841 classes.
inline NetworkPtr example_alexnet() {
    Builder b;
    int l = b.input({227, 227, 3});
    l = valid_pool(b, valid_conv(b, l, 96, 11, 4, 0), 3, 2);
    l = valid_pool(b, valid_conv(b, l, 256, 5, 1, 2), 3, 2);
    l = valid_conv(b, l, 384, 3, 1, 1);
    l = valid_conv(b, l, 384, 3, 1, 1);
    l = valid_pool(b, valid_conv(b, l, 256, 3, 1, 1), 3, 2);
    b.softmax(b.dense(b.dense(b.dense(b.flatten(l), 4096), 4096), 21841));
    return b.make();
}

/// Synchronous, one batch of 128 for each machine, all else as it comes.
inline scalescope::Scenario cpu_scenario(const NetworkPtr& network, const scalescope::CpuMachine& machine) {
    scalescope::Scenario s = scenario(network);
    s.model = {};
    s.model.method = scalescope::Method::cpu_cluster;
    s.parallelism = {};
    s.training = {};
    s.cluster.machine = machine;
    return s;
}

/// Other figures of everything that a CPU cluster hears, but for its network and most of its machine.
inline scalescope::Scenario random_cpu_scenario(std::mt19937& random, scalescope::Scenario s) {
    using namespace scalescope;
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    s.training.batch = 1 + pick(600);
    s.training.batch_rule = pick(3) == 0 ? BatchRule::total : BatchRule::per_worker;
    s.cluster.workers = 1 + pick(24);
    s.cpu.partitions = 1 + pick(std::min<int>(6, static_cast<int>(s.cluster.workers)));
    s.cpu.placement = pick(4) == 0 ? SegmentPlacement::by_connections : SegmentPlacement::aligned;
    s.cpu.convolutions = pick(2) ? ConvolutionSplit::rows : ConvolutionSplit::channels;
    s.cpu.threads = pick(3) == 0 ? 0 : 1 + pick(16);
    s.cpu.servers_beside = pick(3) == 0;
    s.cpu.wait_for_servers = pick(3) == 0;
    s.cpu.queueing = pick(4) == 0;
    s.cpu.overlap = Fraction{0.25 * pick(5)};
    s.cpu.local_update = pick(2) ? LocalUpdate::per_sample : LocalUpdate::per_exchange;
    s.parallelism.updates = pick(2) ? Updates::synchronous : Updates::asynchronous;
    s.parallelism.servers = 1 + pick(5);
    if (pick(2)) s.model.spread = Fraction{0.03 * pick(4)};
    if (pick(3) == 0) s.cluster.machine.server_updates = WeightsPerSecond{1e6};
    return s;
}

inline scalescope::yan::MethodOptions as_printed() {
    scalescope::yan::MethodOptions o;
    o.worked_example = true;
    return o;
}

inline bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

/// Two dense layers of 12 on 12 inputs.
inline scalescope::yan::PreparedNetwork two_dense(const scalescope::CpuMachine& machine = example_machine(),
                                                  const scalescope::yan::MethodOptions& options = {}) {
    Builder b;
    b.dense(b.dense(b.input({12}), 12), 12);
    return prepare(*b.make(), machine, options);
}

}  // namespace support
