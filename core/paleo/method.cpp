// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/method.hpp"

#include <array>

#include "core/base/sequences.hpp"

namespace scalescope::paleo {

std::span<const Device> devices() {
    static const std::array table{
        Device{"TITAN_X", "Titan X", 1000, 6144, 336.5},
        Device{"K20", "K20", 1000, 3520, 208},
        Device{"K20X", "K20X", 1000, 3935, 250},
        Device{"K40", "K40", 745, 4290, 288},
        Device{"K80", "K80", 560, 5600, 480},
        Device{"GEFORCE_780_TI", "GeForce 780 Ti", 875, 5040, 336},
        Device{"GEFORCE_750_M", "GeForce 750 M", 941, 722.7, 80},
        Device{"CPU_I7", "CPU i7 5930K", 6 * 35000, 289, 68},
    };
    return table;
}

std::span<const Link> links() {
    static const std::array table{
        Link{"aws", "AWS", 2},
        Link{"ethernet", "Ethernet", 10},
        Link{"ethernet20", "Ethernet", 20},
        Link{"infiniband", "Infiniband", 70},
        Link{"pcie2", "PCIe 2", 64},
        Link{"pcie3", "PCIe 3", 128},
    };
    return table;
}

const Device* find_device(std::string_view key) { return find_by(devices(), key, &Device::key); }
const Link* find_link(std::string_view key) { return find_by(links(), key, &Link::key); }

Result<Device> from_catalogue(const scalescope::Device& device) {
    const auto peak = device.peak_at(Precision::fp32);
    if (!peak || device.memory_bandwidth.value <= 0.0)
        return fail(make_error("The fp32 peak or the memory bandwidth of " + device.name + " is not known.",
                               "Choose another device, or add the figure to the catalogue.", {}, "device"));
    return Device{device.id, device.name, device.clock_mhz.value_or(device.boost_mhz.value_or(1000.0)),
                  peak->value / 1e9, device.memory_bandwidth.value / 1e9};
}

Link from_catalogue(const scalescope::Link& link) { return {link.id, link.name, link.bandwidth.value * 8.0 / 1e9}; }

std::optional<Algorithm> algorithm_of(Pass pass, int cudnn_number, Era era) {
    switch (pass) {
        case Pass::forward:
            if (cudnn_number >= 0 && cudnn_number <= 3) return Algorithm::gemm;
            if (cudnn_number == 4) return Algorithm::fft;
            if (cudnn_number == 5) return Algorithm::fft_tiled;
            break;
        case Pass::data_gradient:
            if (cudnn_number == 0) return Algorithm::gemm;
            if (cudnn_number == 1) return era == Era::head ? Algorithm::gemm_with_copy : Algorithm::gemm;
            if (cudnn_number == 2) return Algorithm::fft;
            if (cudnn_number == 3) return Algorithm::fft_tiled;
            break;
        case Pass::filter_gradient:
            if (cudnn_number == 0 || cudnn_number == 1 || cudnn_number == 3) return Algorithm::gemm;
            if (cudnn_number == 2) return Algorithm::fft;
            break;
    }
    return std::nullopt;
}

std::string_view scheme_name(Scheme scheme) {
    constexpr std::array<std::string_view, scheme_count> names{"OneToAll", "TreeAllReduce", "ButterflyAllReduce",
                                                               "ButterflyMixing"};
    return names[index(scheme)];
}

std::span<const Correction> corrections() {
    static constexpr std::array table{
        Correction{"gradient_work", "Gradients as frameworks compute them",
                   "PALEO prices a gradient as a dense stride-1 convolution over the whole input (25 times too much "
                   "for a 5×5 layer on a "
                   "5×5 input); here both gradients of a convolution, deconvolution or inner product cost the FLOPs of "
                   "the forward pass "
                   "and move the tensors they read and write, and the first layer has no gradient to its input.",
                   &Corrections::gradient_work, true},
        Correction{"tensor_bytes", "Passes move whole tensors",
                   "PALEO counts the zeros around an image as bytes read and forgets the biases; here a forward pass "
                   "reads the image "
                   "itself, and its weights with their biases.",
                   &Corrections::tensor_bytes, true},
        Correction{"bytes_only", "Light layers move bytes",
                   "PALEO counts FLOPs for pooling and dropout and nothing at all for concatenation, softmax, "
                   "additions and the like; here "
                   "all of them cost the bytes they read and write, and no FLOPs.",
                   &Corrections::bytes_only, true},
        Correction{"deconvolution_batch", "Deconvolutions follow the batch",
                   "PALEO prices a deconvolution at the batch written in its file whatever batch is asked for; here at "
                   "the batch asked for.",
                   &Corrections::deconvolution_batch, true},
        Correction{"decimal_units", "One gigabyte is 10^9 bytes everywhere",
                   "PALEO divides bytes by 2^30 for memory and fetches and by 10^9 for messages; here 10^9 throughout.",
                   &Corrections::decimal_units, false},
        Correction{"memory_percent", "Memory has its own percent of peak",
                   "PALEO divides memory time by the percent of peak of computing; here by that of memory.",
                   &Corrections::memory_percent, false},
        Correction{"update_percent", "The update obeys the percent of peak",
                   "PALEO prices the weight update at the full peak whatever the options say; here at the percent of "
                   "peak of computing and "
                   "memory.",
                   &Corrections::update_percent, false},
        Correction{
            "no_tick", "Nothing takes a clock tick by decree",
            "PALEO lets every transfer take at least one clock tick, even of zero bytes; here zero bytes take no time.",
            &Corrections::no_tick, false},
        Correction{"mixing_alone", "One worker has nobody to mix with",
                   "PALEO charges Butterfly mixing one message even to a single worker; here it costs nothing then.",
                   &Corrections::mixing_alone, false},
        Correction{"unsplit_device", "The first copy shares the device of unsplit layers",
                   "PALEO takes copy 0 of a split layer to be on another device than an unsplit layer, so that it "
                   "fetches; here both are on "
                   "the first device.",
                   &Corrections::unsplit_device, true},
        Correction{"no_halving", "Bandwidth is not halved again and again",
                   "PALEO halves the bandwidth for every further parent on another group of four devices; here each "
                   "fetch has the full "
                   "bandwidth.",
                   &Corrections::no_halving, true},
        Correction{"network_fetch", "Split layers fetch over the network",
                   "PALEO lets split layers fetch at the speed of the device's own memory, except in hybrid mode; here "
                   "over the network.",
                   &Corrections::network_fetch, false},
        Correction{"hybrid_bytes", "Hybrid mode sends bytes",
                   "PALEO counts elements instead of bytes for the inputs that hybrid workers exchange, at the full "
                   "network peak, and "
                   "hides all exchanges but the first even when they outlast the work; here four bytes an element, at "
                   "the percent of peak "
                   "of communication, hidden as far as there is work to hide behind.",
                   &Corrections::hybrid_bytes, false},
    };
    return table;
}

Corrections all_corrections() {
    Corrections result;
    for (const auto& correction : corrections()) result.*correction.flag = true;
    return result;
}

}  // namespace scalescope::paleo
