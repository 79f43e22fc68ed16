// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/rates.hpp"

namespace scalescope {

Result<DeviceRates> device_rates(const Cluster& cluster, const ModelOptions& model, Precision precision) {
    const auto peak = cluster.device.peak_at(precision);
    if (!peak) {
        std::string known;
        for (Precision p : all_precisions)
            if (cluster.device.peak_at(p)) known += (known.empty() ? "" : ", ") + std::string(name_of(p));
        return fail(
            make_error("No " + std::string(name_of(precision)) + " peak is known for " + cluster.device.name + ".",
                       known.empty() ? "choose another device" : "choose one of " + known + ", or another device", {},
                       "training.precision"));
    }
    return DeviceRates{*peak * model.compute, cluster.device.memory_bandwidth * model.memory,
                       model.launch,          model.overlap_memory,
                       model.convolution,     model.workspace};
}

LinkRates link_rates(const Cluster& cluster, const ModelOptions& model) {
    return {cluster.inside.bandwidth * model.inside,
            cluster.between.bandwidth * model.between,
            cluster.inside.latency,
            cluster.between.latency,
            cluster.devices_per_node,
            cluster.nics_per_node,
            cluster.devices_per_uplink};
}

}  // namespace scalescope
