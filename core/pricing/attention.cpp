// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/attention.hpp"

#include <algorithm>
#include <cmath>

#include "core/pricing/products.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {
namespace {

constexpr const char* attention_source =
    "Fitted for this project to forward times of 1,200 (A100) and 1,800 (H100) shapes, measured with TensorRT-LLM";
constexpr AttentionFamily ampere_attention{.name = "A100, 16 bits",
                                           .source = attention_source,
                                           .ramp = 131,
                                           .narrow = 7.6,
                                           .launch = microseconds(6.3),
                                           .memory = 0.76,
                                           .longest = 0.34,
                                           .backward = 1.16};
constexpr AttentionFamily hopper_attention{.name = "H100, 16 bits",
                                           .source = attention_source,
                                           .ramp = 308.5,
                                           .narrow = 44,
                                           .launch = microseconds(8),
                                           .memory = 0.82,
                                           .longest = 0.71,
                                           .backward = 1.31};
/// But for the backward pass, that of the H100: nothing else was measured by shape.
constexpr AttentionFamily blackwell_attention = [] {
    AttentionFamily family = hopper_attention;
    family.name = "B200, 16 bits";
    family.backward = 1.19;
    return family;
}();

const AttentionFamily& family_of(const Device& device) {
    const int generation = generation_of(device);
    return generation >= 10                   ? blackwell_attention
           : generation > 0 && generation < 9 ? ampere_attention
                                              : hopper_attention;
}

constexpr double queries_at_once = 128;  ///< queries and keys that a multiprocessor works on at once

}  // namespace

std::optional<AttentionRates> attention_rates(const Device& device, AttentionKernel kernel, FlopsPerSecond peak) {
    std::optional<double> best;
    for (std::size_t k = 0; k < device.attention.size(); ++k)
        if (kernel == AttentionKernel::automatic || kernel == static_cast<AttentionKernel>(k))
            best = std::max(best, device.attention[k]);
    if (!best) return std::nullopt;
    return AttentionRates{&family_of(device), peak, Fraction{*best}, device.memory_bandwidth,
                          static_cast<double>(device.multiprocessors.value_or(0))};
}

AttentionTime attention_time(const AttentionShape& s, const AttentionRates& rates) {
    const AttentionFamily& f = *rates.family;
    AttentionTime t;
    t.reached = rates.reached * (s.width / (s.width + f.narrow) * s.seen / (s.seen + f.ramp));
    if (s.backward) t.reached = t.reached * (1 / f.backward);
    // A block on the diagonal of the mask is computed whole.
    t.whole_blocks = s.seen < s.keys ? (s.seen + (queries_at_once - 1) / 2) / s.seen : 1.0;
    t.blocks = s.heads * std::ceil(s.queries / queries_at_once - 1e-9);
    if (!(t.blocks > 0)) return t;  // a rank without samples
    const double rate = rates.peak.value * t.reached.value, work = s.flops.value * t.whole_blocks,
                 each = rates.processors > 0 ? t.blocks / rates.processors : t.blocks;
    t.waves = rates.processors > 0 ? std::max(1.0, std::ceil(each - 1e-9)) : each;
    // The longest row of blocks sees all keys, the mean one `seen` of them.
    t.longest = Seconds{work / each / rate * (s.keys / s.seen) * f.longest};
    t.arithmetic = std::max(Seconds{work * (t.waves / each) / rate}, t.longest);
    t.memory = s.bytes / (rates.memory * Fraction{f.memory});
    const double a = t.arithmetic.value * t.arithmetic.value, m = t.memory.value * t.memory.value;
    t.total = Seconds{std::sqrt(std::sqrt(a * a + m * m))};
    return t;
}

}  // namespace scalescope
