// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/rates.hpp"

namespace scalescope {

namespace {

bool is_16_bit(Precision p) { return p == Precision::fp16 || p == Precision::bf16; }

}  // namespace

Precision multiplied_in(const Device& device, Precision asked) {
    if (asked == Precision::fp64) return asked;
    const Precision wider = multiplied_in(device, asked == Precision::fp32 ? Precision::fp64 : Precision::fp32);
    return device.peak_at(wider) > device.peak_at(asked) ? wider : asked;
}

std::optional<Fraction> measured_share(const Device& device) {
    constexpr double alone_over_training = 1.10;
    if (device.training_matrix_fraction) return Fraction{*device.training_matrix_fraction};
    if (!device.sustained_matrix_fraction) return std::nullopt;
    return Fraction{*device.sustained_matrix_fraction / alone_over_training};
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
    const Precision computed = multiplied_in(cluster.device, precision);
    const auto peak = cluster.device.peak_at(computed);
    if (!peak) {
        std::string known;
        for (Precision p : all_precisions)
            if (cluster.device.peak_at(p)) known += (known.empty() ? "" : ", ") + std::string(name_of(p));
        return fail(
            make_error("No " + std::string(name_of(precision)) + " peak is known for " + cluster.device.name + ".",
                       known.empty() ? "choose another device" : "choose one of " + known + ", or another device", {},
                       "training.precision"));
    }
    const bool set = model.compute.value > 0, fast = is_16_bit(computed);
    const Fraction share = set    ? model.compute
                           : fast ? measured_share(cluster.device).value_or(Fraction{1})
                                  : Fraction{1};
    return DeviceRates{*peak * share,
                       cluster.device.memory_bandwidth * model.memory,
                       model.launch,
                       model.overlap_memory,
                       model.convolution,
                       model.workspace,
                       share};
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
