// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Splits texts into their smallest parts: runs of letters and numbers (docs/decisions/names.md).
namespace scalescope {

/// A run of lower-case letters, a number, or "%". Signs between pieces are dropped.
struct Piece {
    std::string text;     ///< "h", "gb", "80", "2.4"
    std::string written;  ///< with its capitals, which distinguish bits from bytes
    bool number = false;  ///< `value` is set
    bool glued = false;   ///< follows the previous piece directly
    double value = 0;
};

/// The number as a count, limited to a billion.
constexpr std::int64_t count_of(const Piece& piece) {
    constexpr double most = 1e9;
    return static_cast<std::int64_t>(piece.value < most ? piece.value : most);
}

/// "8× H100-SXM5 80GB" → 8 × h 100 sxm 5 80 gb. Letters are separated from digits, and camel case is split
/// ("NVLink" → nv link). × is read as x, a slash as the word "per", words in other alphabets as the English ones that
/// presets/words has for them ("sign"). A comma before three digits belongs to the number.
std::vector<Piece> pieces_of(std::string_view text);

/// Finds words in pieces, however they are split: "h100" in h 100, "nvlink" in nv link, "rowwise" in row wise.
class PieceMatcher {
public:
    explicit PieceMatcher(const std::vector<Piece>& pieces) : pieces_(pieces), taken_(pieces.size(), false) {}

    /// Whether consecutive pieces that are not taken spell the word. A plural s is ignored if the word has three
    /// letters or more.
    bool find(std::string_view word) const { return find_at(word) != no_place; }
    /// Finds the word and takes its pieces. False if it was not found.
    bool take(std::string_view word);
    void take(std::size_t piece) { taken_[piece] = true; }
    bool is_taken(std::size_t piece) const { return taken_[piece]; }
    const std::vector<Piece>& pieces() const { return pieces_; }

    static constexpr std::size_t no_place = static_cast<std::size_t>(-1);
    /// Index of the first piece that spells the word, or no_place.
    std::size_t find_at(std::string_view word) const;
    /// Number of pieces from `from` on that spell the word; 0 if they do not.
    std::size_t length_at(std::string_view word, std::size_t from) const;

private:
    const std::vector<Piece>& pieces_;
    std::vector<bool> taken_;
};

}  // namespace scalescope
