// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace scalescope {

/// Ways to split layers into stages, for the search of the one whose step is shortest (docs/decisions/dividing-work.md,
/// "Where stages begin"). Positions are layers; a stage ends before the position where the next begins.
struct Splits {
    std::vector<double> time;                 ///< of the layers before each position
    std::vector<double> memory;               ///< about the same in bytes; where it was asked for
    std::array<std::vector<double>, 2> work;  ///< the same in FLOPs and in bytes, whatever the device
    std::array<std::vector<double>, 2> cost;  ///< seconds of what crosses a border at each position; by link
    std::vector<char> link;                   ///< of the border behind each stage but the last

    int layers() const { return static_cast<int>(time.size()) - 1; }
    void make_room(int layers);
    /// Sets the limits for splits into `stages`: no stage has much more than 1 / stages of both the FLOPs and the
    /// bytes, or much less of both, unless a single layer does. Returns false if a search within the limits would take
    /// too long.
    bool look_for(int stages);
    static constexpr double no_limit = std::numeric_limits<double>::infinity();

    /// Seconds of all borders' messages.
    double cost_of(std::span<const int> borders) const;
    /// Of what `before` sums up, in the stage that has most.
    static double longest(const std::vector<double>& before, std::span<const int> borders);
    /// An upper bound of the seconds that other borders within the limits would save, whatever was found since.
    double most_saved(std::span<const int> borders) const;
    /// The split whose borders cost least, with no stage of more than `most` of what `before` sums up, into `found`;
    /// false if there is none.
    bool cheapest(const std::vector<double>& before, double most);
    bool cheapest() { return cheapest(time, no_limit); }
    std::vector<int> found;  ///< as balance_stages writes them

    /// The number of ways to split `layers` into `stages`, whatever work each stage gets; at most `limit`.
    static int count(int layers, int stages, int limit);
    /// Calls `see` with each split within the limits, in `found`. `all`: with each split that leaves no stage without
    /// work.
    template <class See>
    void each(bool all, See see) {
        const double least = least_work_, most = most_work_;
        if (all) least_work_ = std::numeric_limits<double>::min(), most_work_ = no_limit;
        descend(1, see);
        least_work_ = least, most_work_ = most;
    }

private:
    int stages_ = 0;
    std::array<double, 2> per_all_{};        ///< 1 over all work
    double least_work_ = 0, most_work_ = 0;  ///< of a stage, as shares of all
    std::vector<int> low_, high_;            ///< by end of a stage: the first and last position where it may begin
    std::vector<int> by_work_;               ///< as low_, with the limits of work alone
    std::array<double, 2> least_cost_{};     ///< of a border, with the limits of work alone; by link
    std::vector<int> from_, to_, queue_, before_;
    std::vector<double> row_, next_;

    void limit_work();
    bool set_windows(const std::vector<double>& before, double most);
    bool has_too_much(int from, int to) const {
        return shares(from, to)[0] > most_work_ && shares(from, to)[1] > most_work_;
    }
    bool has_too_little(int from, int to) const {
        return shares(from, to)[0] < least_work_ && shares(from, to)[1] < least_work_;
    }
    std::array<double, 2> shares(int from, int to) const {
        const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
        return {(work[0][b] - work[0][a]) * per_all_[0], (work[1][b] - work[1][a]) * per_all_[1]};
    }
    const std::vector<double>& costs(int stage) const {
        return cost[static_cast<std::size_t>(link[static_cast<std::size_t>(stage)])];
    }
    template <class See>
    void descend(int stage, See& see) {
        const int from = found[static_cast<std::size_t>(stage) - 1], n = layers();
        for (int to = stage == stages_ ? n : from + 1; to <= n - (stages_ - stage); ++to) {
            if (has_too_much(from, to)) break;
            if (has_too_little(from, to)) continue;
            found[static_cast<std::size_t>(stage)] = to;
            if (stage == stages_)
                see();
            else
                descend(stage + 1, see);
        }
    }
};

}  // namespace scalescope
