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

std::optional<Fraction> attention_share(const Device& device, AttentionKernel kernel) {
    std::optional<double> best;
    for (std::size_t k = 0; k < device.attention.size(); ++k)
        if (kernel == AttentionKernel::automatic || kernel == static_cast<AttentionKernel>(k))
            best = std::max(best, device.attention[k]);
    return best ? std::optional(Fraction{*best}) : std::nullopt;
}

Problems notes_on_rates(const Cluster& cluster, const ModelOptions& model, Precision precision) {
    const Device& device = cluster.device;
    Problems notes;
    const auto note = [&](std::string what, const char* remedy, const char* where) {
        notes.push_back({Severity::warning, std::move(what), where, remedy, {}});
    };
    const Precision computed = multiplied_in(device, precision);
    if (computed != precision)
        note("The " + device.name + " computes in " + std::string(name_of(computed)) + " because " +
                 (device.peak_at(precision) ? "its " + std::string(name_of(precision)) + " rate is lower."
                                            : "no " + std::string(name_of(precision)) + " rate of it is known."),
             "choose that precision, or a device that is faster in this one", "training.precision");
    if (model.attention != AttentionKernel::automatic && is_16_bit(computed) &&
        !attention_share(device, model.attention))
        note("No speed of the chosen attention kernel is known on the " + device.name +
                 ": attention counts as other products do.",
             "choose another kernel, or a device on which it was measured", "model.attention");
    return notes;
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
    // A share that somebody set holds for all arithmetic, unless the kernel was chosen too.
    const bool own = fast && !(set && model.attention == AttentionKernel::automatic);
    return DeviceRates{*peak * share,
                       cluster.device.memory_bandwidth * model.memory,
                       model.launch,
                       model.overlap_memory,
                       model.convolution,
                       model.workspace,
                       share,
                       own ? attention_share(cluster.device, model.attention) : std::nullopt};
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
