// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hardware/device.hpp"
#include "core/words/pieces.hpp"

/// Splits the name of a device into its parts, for device_words.
namespace scalescope::words {

/// Makers and product lines, which add nothing to the model name.
inline constexpr std::array<std::string_view, 20> product_lines{
    "nvidia", "amd", "intel",    "google", "habana",      "tesla", "geforce", "quadro",      "instinct", "radeon",
    "rtx",    "gtx", "graphics", "gpu",    "corporation", "inc",   "card",    "accelerator", "cloud",    "huawei"};

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// The parts of a device's name.
struct Parts {
    std::string model;      ///< "a100", "2080ti"; empty if there is none
    std::string_view form;  ///< "sxm", "pcie", "oam" or "nvl"; empty if not stated
    std::vector<std::string_view> lines;
    std::vector<std::string> words;   ///< of the model
    std::vector<double> memories;     ///< bytes; a text may also state that of a host
    std::optional<double> bandwidth;  ///< bytes a second
    std::optional<double> watts;

    double memory() const { return memories.empty() ? 0 : memories.front(); }
};

/// Takes memory, bandwidth, watts, form factor and product lines; the model is among the remaining pieces.
Parts take_parts(PieceMatcher& text);
/// The parts of a catalogue device, from its name and memory.
Parts parts_of(const Device& device);
/// The pieces that are not taken; pieces that are written as one word stay together: "B300", "max", "q".
std::vector<std::string> words_left(const PieceMatcher& text);
/// Whether piece `i` exists and is one of two words.
bool is_unit(const std::vector<Piece>& pieces, std::size_t i, std::string_view a, std::string_view b = {});
/// The part of a name before its first bracket.
std::string_view without_brackets(std::string_view name);

}  // namespace scalescope::words
