// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/rates.hpp"

namespace scalescope {

Precision multiplied_in(const Device& device, Precision asked) {
    if (asked == Precision::fp64) return asked;
    const Precision wider = multiplied_in(device, asked == Precision::fp32 ? Precision::fp64 : Precision::fp32);
    return device.peak_at(wider) > device.peak_at(asked) ? wider : asked;
}

Problems notes_on_rates(const Cluster& cluster, Precision precision) {
    const Device& device = cluster.device;
    const Precision computed = multiplied_in(device, precision);
    if (computed == precision) return {};
    const std::string asked(name_of(precision));
    return {
        {Severity::warning,
         "The " + device.name + " computes in " + std::string(name_of(computed)) + " because " +
             (device.peak_at(precision) ? "its " + asked + " rate is lower." : "no " + asked + " rate of it is known."),
         "training.precision",
         "choose that precision, or a device that is faster in this one",
         {}}};
}

Result<DeviceRates> device_rates(const Cluster& cluster, const ModelOptions& model, Precision precision) {
    const auto peak = cluster.device.peak_at(multiplied_in(cluster.device, precision));
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
