// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_networks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "core/formats/library.hpp"
#include "core/scenario/names.hpp"
#include "support_choices.hpp"

namespace support {

using namespace scalescope;

std::int64_t pick(std::mt19937& random, std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

std::vector<std::pair<std::string, NetworkPtr>> preset_networks() {
    const auto library = formats::load_shipped();
    std::vector<std::pair<std::string, NetworkPtr>> all;
    for (const auto& p : library.networks) {
        if (p.id.find('/') != std::string::npos) continue;
        auto network = library.network(p.id);
        if (!network) stop(network.error());
        all.emplace_back(p.id, *network);
    }
    return all;
}

NetworkPtr preset(const std::string& id) {
    auto network = formats::load_shipped().network(id);
    if (!network) stop(network.error());
    return *network;
}

NetworkPtr long_network(int layers) {
    Builder b;
    int x = b.conv(b.input({56, 56, 3}), 64, 3);
    while (b.size() + 10 <= layers) {
        // alternately a residual block and a block of branches
        if ((b.size() / 10) % 2 == 0) {
            int y = b.activation(b.batch_norm(b.conv(x, 64, 1)));
            y = b.activation(b.batch_norm(b.conv(y, 64, 3)));
            y = b.batch_norm(b.conv(y, 64, 1));
            x = b.activation(b.add({x, y}));
        } else {
            const int p = b.activation(b.conv(x, 32, 1)), q = b.activation(b.conv(x, 24, 1)),
                      r = b.activation(b.conv(q, 32, 3));
            x = b.conv(b.concat({p, r}), 64, 1);
            x = b.dropout(b.activation(x));
        }
    }
    x = b.dense(b.global_pool(x), 1000);
    while (b.size() + 1 < layers) x = b.activation(x);
    b.softmax(x);
    return b.make();
}

Scenario scenario(NetworkPtr network) {
    Scenario s;
    s.workload.push_back({std::move(network), {}, 1, {}});
    s.training.batch = 8;
    Device& d = s.cluster.device;
    d.name = "test device";
    d.peak[static_cast<std::size_t>(Precision::fp32)] = teraflops(2.8);
    d.peak[static_cast<std::size_t>(Precision::fp16)] = teraflops(5.6);
    d.memory_bandwidth = gigabytes_per_second(240);
    d.memory = gigabytes(12);
    s.cluster.inside.bandwidth = gigabytes_per_second(10);
    s.cluster.between.bandwidth = gigabits_per_second(20);
    s.cluster.workers = 1;
    return s;
}

Summary score_of(const Scenario& s) {
    const auto plan = prepare(s);
    if (!plan) stop(plan.error());
    Scratch scratch = make_scratch(*plan);
    return score(*plan, plan->point, scratch);
}

double real(std::mt19937& random, double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

namespace {
template <class E>
E any(std::mt19937& random) {
    return static_cast<E>(pick(random, 0, static_cast<std::int64_t>(choice_names<E>.size()) - 1));
}
}  // namespace

Scenario random_scenario(std::mt19937& random, NetworkPtr network) {
    Scenario s = scenario(std::move(network));
    auto chance = [&](int of) { return pick(random, 1, of) == 1; };
    s.training.batch = pick(random, 1, 40);
    s.training.batch_rule = chance(2) ? BatchRule::per_worker : BatchRule::total;
    if (chance(3)) s.training.accumulation = pick(random, 1, 4);
    if (chance(4)) s.training.precision = Precision::fp16;
    s.training.optimizer = any<Optimizer>(random);
    if (chance(4)) s.training.input_limit = SamplesPerSecond{real(random, 1e3, 1e7)};
    for (const auto& l : s.network()->layers())
        if (chance(12)) s.training.frozen.push_back(l.id);
    s.cluster.workers = pick(random, 1, 9);
    s.cluster.devices_per_node = pick(random, 1, 4);
    s.cluster.nics_per_node = pick(random, 1, 2);
    s.cluster.device.memory_bandwidth = gigabytes_per_second(real(random, 1, 900));
    for (auto& peak : s.cluster.device.peak)
        if (peak) peak = teraflops(real(random, 0.01, 20));
    s.cluster.inside.bandwidth = gigabytes_per_second(real(random, 0.1, 50));
    s.cluster.inside.latency = microseconds(chance(2) ? 0 : real(random, 0, 20));
    s.cluster.between.bandwidth = gigabits_per_second(real(random, 0.1, 100));
    s.cluster.between.latency = microseconds(chance(2) ? 0 : real(random, 0, 50));
    support::divide(s.parallelism, support::all_divided[static_cast<std::size_t>(pick(random, 0, 3))]);
    s.parallelism.collective = any<Collective>(random);
    s.parallelism.overlap = any<Overlap>(random);
    s.parallelism.bucket = Bytes{real(random, 1, 2000)};
    s.parallelism.scheme = any<HybridScheme>(random);
    s.parallelism.cut_auto = chance(2);
    s.parallelism.cut =
        choose(random, std::vector<Layer>(s.network()->layers().begin(), s.network()->layers().end())).id;
    s.parallelism.micro_batches = pick(random, 1, 12);
    s.model.overlap_memory = chance(2);
    s.model.launch = microseconds(chance(2) ? 0 : real(random, 0, 10));
    s.model.compute = Fraction{real(random, 0.1, 1)};
    s.model.memory = Fraction{real(random, 0.1, 1)};
    s.model.between = Fraction{real(random, 0.1, 1)};
    s.model.convolution = chance(4) ? ConvolutionAlgorithm::cheapest : ConvolutionAlgorithm::gemm;
    s.training.fused_update = s.training.batch % 4 != 0;
    s.parallelism.copies = s.training.batch % 3 == 0;
    return s;
}

}  // namespace support
