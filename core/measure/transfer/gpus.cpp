// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/gpus.hpp"

#include "core/base/suggest.hpp"
#include "core/measure/operators/times.hpp"
#include "core/words/device_words.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace scalescope::transfer {

namespace {

/// What a processor of each architecture holds (CUDA C++ Programming Guide, technical specifications per compute
/// capability).
struct Limits {
    int capability;  ///< digits
    std::int64_t threads, registers, shared, shared_per_block_optin;
};
constexpr std::int64_t kib = 1024;
constexpr Limits limits_of_architectures[] = {
    {30, 2048, 65536, 48 * kib, 48 * kib},   {35, 2048, 65536, 48 * kib, 48 * kib},
    {37, 2048, 131072, 112 * kib, 48 * kib}, {50, 2048, 65536, 64 * kib, 48 * kib},
    {52, 2048, 65536, 96 * kib, 48 * kib},   {53, 2048, 65536, 64 * kib, 48 * kib},
    {60, 2048, 65536, 64 * kib, 48 * kib},   {61, 2048, 65536, 96 * kib, 48 * kib},
    {62, 2048, 65536, 64 * kib, 48 * kib},   {70, 2048, 65536, 96 * kib, 96 * kib},
    {72, 2048, 65536, 96 * kib, 96 * kib},   {75, 1024, 65536, 64 * kib, 64 * kib},
    {80, 2048, 65536, 164 * kib, 163 * kib}, {86, 1536, 65536, 100 * kib, 99 * kib},
    {87, 1536, 65536, 164 * kib, 163 * kib}, {89, 1536, 65536, 100 * kib, 99 * kib},
    {90, 2048, 65536, 228 * kib, 227 * kib}, {100, 2048, 65536, 228 * kib, 227 * kib},
    {120, 1536, 65536, 100 * kib, 99 * kib},
};

std::optional<habitat::ComputeCapability> capability_of(const Device& device) {
    const std::string& text = device.compute_capability;
    const auto dot = text.find('.');
    if (dot == std::string::npos) return std::nullopt;
    habitat::ComputeCapability c;
    const auto read = [](std::string_view part, int& value) {
        const auto end = part.data() + part.size();
        return std::from_chars(part.data(), end, value).ptr == end && !part.empty();
    };
    if (!read(std::string_view(text).substr(0, dot), c.major) || !read(std::string_view(text).substr(dot + 1), c.minor))
        return std::nullopt;
    return c;
}

Problem about_device(const std::string& name, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {}, name);
}

}  // namespace

const Device* find_gpu(const Catalogue& catalogue, std::string_view name) { return device_called(catalogue, name); }

Result<Gpu> gpu_of(const Device& device) {
    const auto capability = capability_of(device);
    const Limits* found = nullptr;
    for (const Limits& l : limits_of_architectures)
        if (capability && l.capability == capability->digits()) found = &l;
    if (!found)
        return fail(about_device(device.name,
                                 "No time can be predicted for " + device.name +
                                     ": it is no GPU whose "
                                     "compute capability is known.",
                                 "Choose a CUDA GPU; `list devices` shows them."));
    if (!device.multiprocessors)
        return fail(about_device(device.name, "The number of multiprocessors of " + device.name + " is not known.",
                                 "Add \"multiprocessors\" to the device."));
    Gpu gpu;
    gpu.device = device;
    habitat::Device& l = gpu.limits;
    l.name = device.name;
    l.capability = *capability;
    l.threads_per_block = 1024;
    l.threads_per_processor = found->threads;
    l.registers_per_block = 65536;
    l.registers_per_processor = found->registers;
    l.shared_per_block = 48 * kib;
    l.shared_per_block_optin = found->shared_per_block_optin;
    l.shared_per_processor = found->shared;
    l.processors = *device.multiprocessors;
    l.bandwidth = device.memory_bandwidth;
    l.clock = habitat::Megahertz{device.boost_mhz.value_or(device.clock_mhz.value_or(1000.0))};
    const auto peak = device.peak_at(Precision::fp32);
    l.peak = peak.value_or(teraflops(1));
    if (peak && device.memory)
        l.mlp = habitat::MlpDevice{*device.memory, device.memory_bandwidth, *device.multiprocessors, *peak};
    return gpu;
}

bool same_kernels(const Gpu& one, const Gpu& other) {
    return one.limits.capability == other.limits.capability && one.limits.processors == other.limits.processors;
}

bool has_tensor_cores(const Device& device) {
    const auto chip = operators::chip_of(device, Precision::fp16);
    return chip && chip->matrix_units;
}

Result<Gpu> gpu_of(const kineto::Trace& trace, const Catalogue& catalogue, std::string_view name) {
    std::map<std::int64_t, std::size_t> kernels;
    for (const auto& k : trace.kernels) ++kernels[k.device];
    const auto most = std::ranges::max_element(kernels, {}, &decltype(kernels)::value_type::second);
    const kineto::DeviceProperties* recorded = nullptr;
    for (const auto& p : trace.devices)
        if (most != kernels.end() && p.id == most->first) recorded = &p;
    if (name.empty() && !recorded)
        return fail(make_error("The trace does not say which GPU it was recorded on.", "Name it with --from.",
                               {trace.file, 0, 0}));
    const std::string called = name.empty() ? recorded->name : std::string(name);
    const Device* device = find_gpu(catalogue, called);
    if (!device) {
        std::vector<std::string> known;
        for (const Device& d : catalogue.devices) known.push_back(d.id);
        const auto meant = closest(called, known);
        return fail(make_error("No device is known by the name \"" + called + "\".",
                               meant
                                   ? "Did you mean " + *meant + "?"
                                   : "Say with --from which device of the catalogue it is; `list devices` shows them.",
                               {trace.file, 0, 0}));
    }
    auto gpu = gpu_of(*device);
    if (!gpu || !recorded || !name.empty()) return gpu;
    // What the recording says of its own GPU is nearer than what its architecture allows.
    habitat::Device& l = gpu->limits;
    const auto take = [](std::int64_t& place, std::int64_t value) {
        if (value > 0) place = value;
    };
    take(l.threads_per_block, recorded->threads_per_block);
    take(l.threads_per_processor, recorded->threads_per_processor);
    take(l.registers_per_block, recorded->registers_per_block);
    take(l.registers_per_processor, recorded->registers_per_processor);
    take(l.shared_per_block, recorded->shared_per_block);
    take(l.shared_per_block_optin, recorded->shared_per_block_optin);
    take(l.shared_per_processor, recorded->shared_per_processor);
    take(l.processors, recorded->processors);
    return gpu;
}

}  // namespace scalescope::transfer
