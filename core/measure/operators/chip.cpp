// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/operators/chip.hpp"

#include <charconv>

namespace scalescope::operators {
namespace {

/// NVIDIA's have them since Volta (compute capability 7.0); elsewhere a peak that the halved width does not explain
/// says so.
bool runs_on_matrix_units(const Device& device, Precision precision) {
    if (precision == Precision::fp64 || precision == Precision::fp32) return false;
    if (precision == Precision::tf32) return true;
    const auto& capability = device.compute_capability;
    if (device.vendor == "NVIDIA" && !capability.empty()) {
        int major = 0;
        std::from_chars(capability.data(), capability.data() + capability.size(), major);
        return major >= 7;
    }
    const auto peak = device.peak_at(precision), vector = device.peak_at(Precision::fp32);
    return peak && vector && *peak / *vector > 2.5;
}

}  // namespace

Result<Chip> chip_of(const Device& device, Precision precision) {
    const auto peak = device.peak_at(precision);
    if (!peak)
        return fail(make_error("No " + std::string(name_of(precision)) + " peak is known for " + device.name + ".",
                               "choose another precision, or another device", {}, "device"));
    if (!device.multiprocessors || *device.multiprocessors < 1)
        return fail(make_error("The number of multiprocessors of " + device.name + " is not known.",
                               "add \"multiprocessors\" to the device", {}, "device"));
    Chip chip;
    chip.peak = *peak;
    chip.memory = device.memory_bandwidth;
    chip.processors = static_cast<double>(*device.multiprocessors);
    chip.element_bytes = bytes_per_element(precision);
    chip.matrix_units = runs_on_matrix_units(device, precision);
    const auto sustained = chip.matrix_units ? device.sustained_matrix_fraction : device.sustained_fraction;
    if (sustained) {
        chip.reached = *sustained;
        chip.measured = chip.matrix_units || precision == Precision::fp32;
    }
    return chip;
}

}  // namespace scalescope::operators
