// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/rates.hpp"

namespace scalescope {

namespace {

bool is_16_bit(Precision p) { return p == Precision::fp16 || p == Precision::bf16; }

/// Whether products in fp8 want both operands along the dimension that is summed over, so that the gradients need
/// transposed copies: tensor cores of Ada, Hopper and GeForce Blackwell (cuBLAS: "TN" alone).
bool transposes_fp8(const Device& device) {
    const std::string_view c = device.compute_capability;
    return c == "8.9" || c == "9.0" || c.starts_with("12.");
}

std::optional<NarrowProducts> narrow_products(const Device& device, Precision asked) {
    const Precision p = multiplied_in(device, asked);
    const PrecisionTraits& t = traits_of(p);
    if (!t.is_recipe()) return std::nullopt;
    const bool transposed = t.copies == 1 && transposes_fp8(device);
    const double peak = device.peak_at(p).value_or(FlopsPerSecond{0}).value,
                 other = device.peak_at(else_computed_in(device, p)).value_or(FlopsPerSecond{peak}).value;
    return NarrowProducts{p, t.narrow_bytes, t.reads * t.bytes + (t.copies + (transposed ? 2 : 0)) * t.narrow_bytes,
                          t.copies + (transposed ? 1 : 0), peak / other};
}

}  // namespace

Precision multiplied_in(const Device& device, Precision asked) {
    const Precision next = traits_of(asked).wider;
    if (next == asked) return asked;
    const Precision wider = multiplied_in(device, next);
    return device.peak_at(wider) > device.peak_at(asked) ? wider : asked;
}

std::optional<Fraction> measured_share(const Device& device) {
    constexpr double alone_over_training = 1.10;
    if (device.training_matrix_fraction) return Fraction{*device.training_matrix_fraction};
    if (!device.sustained_matrix_fraction) return std::nullopt;
    return Fraction{*device.sustained_matrix_fraction / alone_over_training};
}

Fraction stream_share(const Device& device, const ModelOptions& model) {
    constexpr Fraction usual{0.80};
    if (model.memory.value > 0) return model.memory;
    if (device.multiprocessors) return Fraction{product_family(device, Precision::bf16).memory};
    return usual;
}

Problems notes_on_rates(const Cluster& cluster, const ModelOptions& model, Precision precision) {
    const Device& device = cluster.device;
    Problems notes;
    const auto note = [&](std::string what, const char* remedy, const char* where) {
        notes.push_back({Severity::warning, std::move(what), where, remedy, {}});
    };
    const Precision computed = else_computed_in(device, precision), multiplied = multiplied_in(device, precision);
    if (multiplied != precision)
        note("The " + device.name + " computes in " + std::string(name_of(multiplied)) + " because " +
                 (device.peak_at(precision) ? "its " + std::string(name_of(precision)) + " rate is lower."
                                            : "no " + std::string(name_of(precision)) + " rate of it is known."),
             "choose that precision, or a device that is faster in this one", "training.precision");
    if (model.attention != AttentionKernel::automatic && is_16_bit(computed) &&
        !attention_rates(device, model.attention, {}))
        note("No speed of the chosen attention kernel is known on the " + device.name +
                 ": attention counts as other products do.",
             "choose another kernel, or a device on which it was measured", "model.attention");
    return notes;
}

Result<DeviceRates> device_rates(const Cluster& cluster, const ModelOptions& model, Precision precision) {
    const Precision computed = else_computed_in(cluster.device, precision);
    const auto peak = cluster.device.peak_at(computed);
    if (!peak) {
        std::string known;
        for (Precision p : all_precisions)
            if (!traits_of(p).is_recipe() && cluster.device.peak_at(p))
                known += (known.empty() ? "" : ", ") + std::string(name_of(p));
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
    DeviceRates rates{*peak * share,
                      cluster.device.memory_bandwidth * stream_share(cluster.device, model),
                      model.launch,
                      model.overlap_memory,
                      model.convolution,
                      model.workspace,
                      share,
                      own ? attention_rates(cluster.device, model.attention, *peak) : std::nullopt,
                      model.trainer.traffic,
                      narrow_products(cluster.device, precision)};
    if (!set) {
        rates.products = product_rates(cluster.device, computed, true);
        if (rates.products && rates.narrow)
            rates.narrow_products = product_rates(cluster.device, rates.narrow->precision, true);
    }
    return rates;
}

LinkRates link_rates(const Cluster& cluster, const ModelOptions& model) {
    const BytesPerSecond own = cluster.device.host_bandwidth.value_or(BytesPerSecond{0}),
                         host = cluster.host_link.value > 0 ? cluster.host_link : own;
    return {cluster.inside.bandwidth * model.inside,
            cluster.between.bandwidth * model.between,
            cluster.inside.latency,
            cluster.between.latency,
            cluster.devices_per_node,
            cluster.nics_per_node,
            cluster.devices_per_uplink,
            host * (1 / static_cast<double>(cluster.devices_per_uplink)),
            cluster.host_memory};
}

}  // namespace scalescope
