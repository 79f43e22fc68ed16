// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/predict.hpp"

#include <array>

namespace scalescope::transfer {

namespace {

using kineto::KernelMath;
using kineto::WorkClass;

constexpr habitat::ComputeCapability first_with_tf32{8, 0};

bool has_tf32(const Gpu& gpu) {
    return gpu.limits.capability >= first_with_tf32 && gpu.device.peak_at(Precision::tf32);
}

/// Some cards have 16 bits at 1/64 of the speed of 32, for programs that must run anywhere.
bool faster_in_16_bits(const Device& device) {
    const auto half = device.peak_at(Precision::fp16), single = device.peak_at(Precision::fp32);
    return half && (!single || *half > *single);
}

bool multiplies(WorkClass c) {
    return c == WorkClass::convolution || c == WorkClass::matmul || c == WorkClass::attention ||
           c == WorkClass::recurrent;
}

bool changes_layout(const std::string& kernel) {
    return kernel.find("nchwToNhwc") != std::string::npos || kernel.find("nhwcToNchw") != std::string::npos;
}

}  // namespace

Precision recorded_precision(const kineto::Trace& trace, const kineto::Digest& digest, const kineto::Operation& o) {
    std::array<std::int64_t, 5> time{};
    for (const auto i : digest.kernels_of(o)) {
        const auto& kernel = trace.kernels[i];
        const std::string& name = trace.name(kernel.name);
        if (changes_layout(name)) continue;
        time[static_cast<std::size_t>(kineto::math_of_kernel(name))] += kernel.span.length;
    }
    const auto of = [&](KernelMath m) { return time[static_cast<std::size_t>(m)]; };
    // Transforms beside the product are in floats; the product decides.
    if (of(KernelMath::bf16) > 0) return Precision::bf16;
    if (of(KernelMath::fp16) > 0) return Precision::fp16;
    return of(KernelMath::tf32) > 0 ? Precision::tf32 : Precision::fp32;
}

RecordedMath recorded_math(const kineto::Trace& trace, const kineto::Digest& digest) {
    RecordedMath recorded;
    bool on_tensor_cores = false, changes = false;
    for (const kineto::Operation& o : digest.operations) {
        if (!multiplies(o.cls)) continue;
        const Precision p = recorded_precision(trace, digest, o);
        if (p == Precision::tf32) recorded.tf32[static_cast<std::size_t>(o.cls)] = true;
        if (o.cls != WorkClass::convolution) continue;
        on_tensor_cores = on_tensor_cores || p != Precision::fp32;
        for (const auto i : digest.kernels_of(o))
            changes = changes || changes_layout(trace.name(trace.kernels[i].name));
    }
    if (on_tensor_cores && !changes) recorded.layout = Layout::channels_last;
    return recorded;
}

Precision precision_there(Precision here, WorkClass cls, const RecordedMath& recorded, const Gpu& from, const Gpu& to,
                          Tf32 tf32, bool fp16) {
    if (here == Precision::fp16 || here == Precision::bf16) {
        if (to.device.peak_at(here)) return here;
        return to.device.peak_at(Precision::fp16) ? Precision::fp16 : Precision::fp32;
    }
    if (!multiplies(cls)) return Precision::fp32;
    if (fp16 && faster_in_16_bits(to.device)) return Precision::fp16;
    if (!has_tf32(to)) return Precision::fp32;
    bool wanted = cls == WorkClass::convolution || cls == WorkClass::recurrent;  // cuDNN's
    switch (tf32) {
        case Tf32::all: wanted = true; break;
        case Tf32::none: wanted = false; break;
        case Tf32::convolutions: break;
        case Tf32::as_recorded:
            if (same_kernels(from, to)) return here;
            if (has_tf32(from)) wanted = recorded.tf32[static_cast<std::size_t>(cls)];
            break;
    }
    return wanted ? Precision::tf32 : Precision::fp32;
}

}  // namespace scalescope::transfer
