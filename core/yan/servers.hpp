// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/yan/compute.hpp"

/// MachineTraffic with the parameter servers: section 4 of docs/decisions/cpu-clusters.md.
namespace scalescope::yan {

/// Of one exchange of one replica.
struct ServerLoad {
    Bytes up;    ///< V_up: deltas, or the vectors whose product they are, whichever is less
    Bytes down;  ///< V_down: weights
    BytesPerSecond worker_rate, server_rate;  ///< of all machines of a replica, of all servers
    Seconds worker_network;                   ///< t_wk: of each machine of the replica
    Seconds start_up;                         ///< of t_wk, the start-up times of both ways
    Seconds server_network;                   ///< t_sn: of each server
    Seconds server_cpu;                       ///< t_sc: of each server
};

/// V_up when `samples` of a replica go into an exchange.
Bytes upload(const PreparedNetwork& prepared, std::int64_t samples);

/// `up`: what upload() says for the configuration's K.
ServerLoad server_load(const PreparedNetwork& prepared, const Configuration& configuration, Bytes up);

}  // namespace scalescope::yan
