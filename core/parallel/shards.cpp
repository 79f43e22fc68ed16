// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/shards.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace scalescope {

LargestShard even_shards(std::span<const double> layers, std::int64_t servers) {
    const auto k = static_cast<double>(servers);
    double sum = 0;
    for (const double weights : layers) sum += weights;
    return {sum / k, std::vector<double>(layers.size(), 1.0 / k)};
}

LargestShard dealt_shards(std::span<const double> layers, std::int64_t servers) {
    std::vector<std::size_t> order(layers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return layers[a] > layers[b]; });
    // More servers than layers stay empty: none of them needs to be looked at.
    const auto used = std::min(static_cast<std::size_t>(servers), std::max<std::size_t>(layers.size(), 1));
    using Load = std::pair<double, std::size_t>;  // of a server: how much it has, and which it is
    std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
    for (std::size_t s = 0; s < used; ++s) least.push({0.0, s});
    std::vector<double> loads(used, 0.0);
    std::vector<std::size_t> server_of(layers.size());
    for (const std::size_t layer : order) {
        const std::size_t s = least.top().second;
        least.pop();
        loads[s] += layers[layer];
        least.push({loads[s], s});
        server_of[layer] = s;
    }
    const auto fullest = static_cast<std::size_t>(std::max_element(loads.begin(), loads.end()) - loads.begin());
    LargestShard shard{loads[fullest], std::vector<double>(layers.size(), 0.0)};
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        if (server_of[layer] == fullest) shard.share[layer] = 1.0;
    return shard;
}

double largest_dealt(std::span<const double> descending, std::int64_t servers, std::vector<double>& loads) {
    if (descending.empty()) return 0;
    if (servers >= static_cast<std::int64_t>(descending.size())) return descending.front();
    loads.assign(static_cast<std::size_t>(servers), 0.0);  // a heap, the least in front
    double most = 0;
    for (const double weights : descending) {
        std::pop_heap(loads.begin(), loads.end(), std::greater<>());
        loads.back() += weights;
        most = std::max(most, loads.back());
        std::push_heap(loads.begin(), loads.end(), std::greater<>());
    }
    return most;
}

}  // namespace scalescope
