// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

/// What keeps the best of the combinations that go by. Every one of these gives the same answer in whatever order they
/// come, and however they were shared out.
namespace scalescope::search {

inline constexpr std::size_t most_objectives = 4;
/// Objectives of one combination, so turned that less is better.
using Values = std::array<double, most_objectives>;

inline constexpr Values unlimited = [] {
    Values v{};
    v.fill(std::numeric_limits<double>::infinity());
    return v;
}();

struct Found {
    std::uint64_t index = 0;
    Values values{};
    bool operator==(const Found&) const = default;
};

/// The first objective decides, then the next, then which comes first in the space.
bool before(const Found& a, const Found& b);
/// No worse in any of `count` objectives, and better in one.
bool dominates(const Values& a, const Values& b, std::size_t count);

/// The k best.
class TopList {
public:
    explicit TopList(std::size_t k) : k_(k) {}
    /// Whether something no better than `bound` in any objective could still be among them.
    bool open(const Values& bound) const { return k_ > 0 && bound <= threshold_; }
    void add(const Found& found);
    /// Something is known to be as good as this k times: worse ones need not be looked at.
    void know(const Values& values) { threshold_ = std::min(threshold_, values); }
    void merge(const TopList& other);
    std::vector<Found> sorted() const;

private:
    std::size_t k_;
    Values threshold_ = unlimited;  ///< in the order of before(): the first objective decides
    std::vector<Found> heap_;
};

/// What nothing else is better than in every objective: the Pareto front. Of several with the same values the first in
/// the space stays.
class Front {
public:
    explicit Front(std::size_t objectives) : objectives_(objectives) {}
    /// Whether something no better than `bound` in any objective could still be on it.
    bool open(const Values& bound) const;
    void add(const Found& found);
    void merge(const Front& other);
    /// A front of more than `most` is given up, as it would eat all memory: then it is empty.
    bool overflown() const { return overflown_; }
    std::vector<Found> sorted() const;

    static constexpr std::size_t most = 100'000;

private:
    std::size_t objectives_;
    std::vector<Found> members_;    ///< of two objectives: ascending in the first, descending in the second
    mutable std::size_t last_ = 0;  ///< what dominated the last one tends to dominate the next
    bool overflown_ = false;

    void add_to_chain(const Found& found);
};

/// The best of each cell of a grid.
class Grid {
public:
    Grid() = default;
    Grid(std::size_t columns, std::size_t rows) : columns_(columns), cells_(columns * rows) {}
    std::size_t columns() const { return columns_; }
    std::size_t cell(std::size_t column, std::size_t row) const { return row * columns_ + column; }
    bool open(std::size_t cell, const Values& bound) const { return !cells_[cell] || bound <= cells_[cell]->values; }
    void add(std::size_t cell, const Found& found) {
        if (!cells_[cell] || before(found, *cells_[cell])) cells_[cell] = found;
    }
    void merge(const Grid& other);
    std::span<const std::optional<Found>> cells() const { return cells_; }

private:
    std::size_t columns_ = 0;
    std::vector<std::optional<Found>> cells_;
};

}  // namespace scalescope::search
