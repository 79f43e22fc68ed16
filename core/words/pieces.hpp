// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What people write, cut into its smallest parts: runs of letters and numbers (docs/decisions/names.md).
namespace scalescope {

/// A run of small letters, a number, or "%". Signs that stand between parts are not kept.
struct Piece {
    std::string text;     ///< "h", "gb", "80", "2.4"
    std::string written;  ///< with its capitals: bits and bytes differ by them
    bool number = false;  ///< then `value` is it
    bool glued = false;   ///< nothing stands between it and the piece before
    double value = 0;
};

/// A number of things, as far as anything has as many.
constexpr std::int64_t count_of(const Piece& piece) {
    constexpr double most = 1e9;
    return static_cast<std::int64_t>(piece.value < most ? piece.value : most);
}

/// "8× H100-SXM5 80GB" → 8 × h 100 sxm 5 80 gb. Letters and digits are cut apart, and so are words of camel case
/// ("NVLink" → nv link). × counts as x, a slash as the word "per", and a comma before three digits belongs to a number.
std::vector<Piece> pieces_of(std::string_view text);

/// Finds words in pieces whatever cuts them apart: "h100" in h 100, "nvlink" in nv link, "rowwise" in row wise.
class PieceMatcher {
public:
    explicit PieceMatcher(const std::vector<Piece>& pieces) : pieces_(pieces), taken_(pieces.size(), false) {}

    /// Whether the word stands there: consecutive pieces that are not taken spell it. A plural s of words of four
    /// letters or more does not count.
    bool find(std::string_view word) const { return find_at(word) != no_place; }
    /// The same, and takes those pieces. False if it is not there.
    bool take(std::string_view word);
    void take(std::size_t piece) { taken_[piece] = true; }
    bool is_taken(std::size_t piece) const { return taken_[piece]; }
    const std::vector<Piece>& pieces() const { return pieces_; }

    static constexpr std::size_t no_place = static_cast<std::size_t>(-1);
    /// The first of the pieces that spell the word.
    std::size_t find_at(std::string_view word) const;

private:
    const std::vector<Piece>& pieces_;
    std::vector<bool> taken_;

    std::size_t length_at(std::string_view word, std::size_t from) const;
};

}  // namespace scalescope
