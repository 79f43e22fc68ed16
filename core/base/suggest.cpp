// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/suggest.hpp"

#include <algorithm>
#include <vector>

namespace scalescope {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

/// Letters to change, add, drop or swap with a neighbour to turn `a` into `b` (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> table((a.size() + 1) * width);
    const auto cell = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * width + j]; };
    for (std::size_t i = 0; i <= a.size(); ++i) cell(i, 0) = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cell(0, j) = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = cell(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0u : 1u);
            std::size_t best = std::min({changed, cell(i - 1, j) + 1, cell(i, j - 1) + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = std::min(best, cell(i - 2, j - 2) + 1);
            }
            cell(i, j) = best;
        }
    }
    return cell(a.size(), b.size());
}

}  // namespace

std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates) {
    constexpr std::size_t longest = 64;  // longer words are no typing errors, and the table grows with the square
    if (word.empty() || word.size() > longest) return std::nullopt;
    const std::string wanted = lower(word);
    // One mistake in three letters is still a likeness; more is a guess.
    std::size_t best = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    std::optional<std::string> found;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > longest) continue;
        const std::size_t d = distance(wanted, lower(candidate));
        // A word that turns into another by replacing all of it resembles nothing.
        if (d < best && d < candidate.size()) {
            best = d;
            found = candidate;
        }
    }
    return found;
}

}  // namespace scalescope
