// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/suggest.hpp"

#include <algorithm>
#include <array>

#include "core/base/letters.hpp"

namespace scalescope {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::array<std::array<std::size_t, longest_word + 1>, 3> rows{};
    for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto& row = rows[i % 3];
        const auto& above = rows[(i + 2) % 3];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = above[j - 1] + (small_letter(a[i - 1]) == small_letter(b[j - 1]) ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
            if (i > 1 && j > 1 && small_letter(a[i - 1]) == small_letter(b[j - 2]) &&
                small_letter(a[i - 2]) == small_letter(b[j - 1]))
                row[j] = std::min(row[j], rows[(i + 1) % 3][j - 2] + 1);
        }
    }
    return rows[a.size() % 3][b.size()];
}

std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates) {
    if (word.empty() || word.size() > longest_word) return std::nullopt;
    // One mistake in three letters is still a likeness; more is a guess.
    std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::optional<std::string> found;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > longest_word) continue;
        const std::size_t d = edit_distance(word, candidate);
        // A word that turns into another by replacing all of it resembles nothing.
        if (d < best && d < candidate.size()) {
            best = d;
            found = candidate;
        }
    }
    return found;
}

}  // namespace scalescope
