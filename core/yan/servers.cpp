// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/servers.hpp"

#include <algorithm>

namespace scalescope::yan {

Bytes upload(const PreparedNetwork& prepared, std::int64_t samples) {
    double sent = 0.0;
    for (const LayerWork& w : prepared.list.layers)
        sent += w.vectors > 0.0 ? std::min(w.own_weights, static_cast<double>(samples) * w.vectors) : w.own_weights;
    return prepared.machine.weight_bytes * sent;
}

ServerLoad server_load(const PreparedNetwork& prepared, const Configuration& c, Bytes up) {
    const CpuMachine& m = prepared.machine;
    const auto partitions = static_cast<double>(c.partitions), servers = static_cast<double>(c.servers);
    ServerLoad load;
    load.worker_rate = m.network * Fraction{partitions};
    load.server_rate = (c.servers_beside ? m.network : m.server_network) * Fraction{servers};
    load.up = up;
    load.down = m.weight_bytes * prepared.weights.value;
    load.start_up = 2.0 * m.latency;
    load.worker_network = (load.up + load.down) / load.worker_rate + load.start_up;
    load.server_network = (load.up + load.down) / load.server_rate;
    load.server_cpu = prepared.weights / m.server_updates / servers;
    return load;
}

}  // namespace scalescope::yan
