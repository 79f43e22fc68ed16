// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/splits.hpp"

#include <algorithm>

namespace scalescope {
namespace {

constexpr std::size_t position(int i) { return static_cast<std::size_t>(i); }
constexpr std::size_t most_cells = 16;  ///< that a search looks at for each layer
/// Costs and sums that differ by less are alike.
constexpr double alike_costs = 1e-9;

}  // namespace

void Splits::make_room(int most_layers) {
    const auto n = position(most_layers) + 1;
    for (auto* v : {&time, &memory, &work[0], &work[1], &cost[0], &cost[1], &row_, &next_}) v->reserve(n);
    for (auto* v : {&found, &by_work_, &low_, &high_, &from_, &to_, &queue_}) v->reserve(n + 1);
    link.reserve(n);
    before_.reserve((most_cells + 2) * n);
}

int Splits::count(int layers, int stages, int limit) {
    double all = 1;
    const int chosen = std::min(stages - 1, layers - stages);
    for (int i = 1; i <= chosen && all < limit; ++i) all *= static_cast<double>(layers - i) / i;
    return all < limit ? static_cast<int>(all + 0.5) : limit;
}

bool Splits::look_for(int stages) {
    // The more stages, the less any of them may differ: there are many to choose from, and the search stays short.
    constexpr double free = 6, up = 1, down = 0.75;
    const double share = 1.0 / stages, slack = std::min(1.0, free / stages);
    for (std::size_t k = 0; k < 2; ++k) per_all_[k] = work[k].back() > 0 ? 1 / work[k].back() : 0.0;
    stages_ = stages;
    most_work_ = share * (1 + up * slack) * (1 + alike_costs);
    least_work_ = share * (1 - down * slack) * (1 - alike_costs);
    found.assign(position(stages) + 1, 0);
    double largest = 0;
    for (int l = 0; l < layers(); ++l) {
        const auto [flops, bytes] = shares(l, l + 1);
        largest = std::max(largest, std::min(flops, bytes));
    }
    // If one layer has more work than a stage may have, the windows become so wide that the search takes too long.
    if (largest > most_work_ && position(stages - 1) * position(layers() - stages) > 2 * most_cells * time.size())
        return false;
    const auto there_are = [&] {
        if (largest > most_work_) return false;
        limit_work();
        return set_windows(time, no_limit);
    };
    // Where single layers have much of the work, as near to that as it goes.
    for (double looser = 1; !there_are(); looser *= 2) {
        if (looser > stages) least_work_ = 0;
        most_work_ *= 2;
        least_work_ /= 4;
    }
    for (std::size_t k = 0; k < 2; ++k)
        least_cost_[k] = *std::min_element(cost[k].begin() + from_[1], cost[k].begin() + to_[position(stages - 1)] + 1);
    std::size_t cells = 0;
    for (int s = 1; s < stages; ++s) cells += position(to_[position(s)] - from_[position(s)] + 1);
    return cells <= most_cells * time.size();
}

/// Where stages may begin, by their work.
void Splits::limit_work() {
    const int n = layers();
    by_work_.resize(position(n) + 1);
    high_.resize(position(n) + 1);
    by_work_[0] = high_[0] = -1;
    for (int b = 1, low = 0, high = -1; b <= n; ++b) {
        while (low < b && has_too_much(low, b)) ++low;
        while (high + 1 < b && !has_too_little(high + 1, b)) ++high;
        by_work_[position(b)] = low, high_[position(b)] = high;
    }
}

/// Where stages and their borders may be; after limit_work.
bool Splits::set_windows(const std::vector<double>& before, double most) {
    const int n = layers();
    low_ = by_work_;
    for (int b = 1, low = 0; b <= n && most < no_limit; ++b) {
        while (low < b && before[position(b)] - before[position(low)] > most) ++low;
        low_[position(b)] = std::max(low_[position(b)], low);
    }
    from_.resize(position(stages_) + 1);
    to_.resize(position(stages_) + 1);
    from_[position(stages_)] = to_[position(stages_)] = n;
    for (int s = stages_; s-- > 0;) {
        from_[position(s)] = std::max(s, low_[position(from_[position(s) + 1])]);
        to_[position(s)] = high_[position(to_[position(s) + 1])];
        if (from_[position(s)] > to_[position(s)]) return false;
    }
    if (from_[0] > 0) return false;
    to_[0] = 0;
    for (int s = 1; s < stages_; ++s) {  // and as seen from the first stage
        const auto first =
            std::partition_point(high_.begin() + from_[position(s)], high_.begin() + to_[position(s)] + 1,
                                 [&](int high) { return high < from_[position(s) - 1]; });
        const auto last = std::partition_point(low_.begin() + from_[position(s)], low_.begin() + to_[position(s)] + 1,
                                               [&](int low) { return low <= to_[position(s) - 1]; });
        from_[position(s)] = static_cast<int>(first - high_.begin());
        to_[position(s)] = static_cast<int>(last - low_.begin()) - 1;
        if (from_[position(s)] > to_[position(s)]) return false;
    }
    return true;
}

double Splits::cost_of(std::span<const int> borders) const {
    double sum = 0;
    for (int s = 0; s + 1 < stages_; ++s) sum += costs(s)[position(borders[position(s) + 1])];
    return sum;
}

double Splits::longest(const std::vector<double>& before, std::span<const int> borders) {
    double most = 0;
    for (std::size_t s = 1; s < borders.size(); ++s)
        most = std::max(most, before[position(borders[s])] - before[position(borders[s - 1])]);
    return most;
}

double Splits::most_saved(std::span<const int> borders) const {
    double saved = 0;
    for (int s = 0; s + 1 < stages_; ++s)
        saved += costs(s)[position(borders[position(s) + 1])] - least_cost_[position(link[position(s)])];
    return saved;
}

bool Splits::cheapest(const std::vector<double>& before, double most) {
    constexpr double never = no_limit;
    if (!set_windows(before, most)) return false;
    before_.clear();
    row_.assign(1, 0.0);
    queue_.resize(position(layers()) + 1);
    for (int s = 1; s <= stages_; ++s) {
        const int first = from_[position(s)], last = to_[position(s)], end = to_[position(s) - 1];
        const double* const row = row_.data() - from_[position(s) - 1];
        next_.resize(position(last - first + 1));
        // Positions of the border before, each cheaper than all before it that still count.
        int head = 0, tail = 0, next = from_[position(s) - 1];
        for (int b = first; b <= last; ++b) {
            for (const int high = std::min(high_[position(b)], end); next <= high; ++next) {
                while (tail > head && row[queue_[position(tail) - 1]] >= row[next]) --tail;
                queue_[position(tail++)] = next;
            }
            while (head < tail && queue_[position(head)] < low_[position(b)]) ++head;
            const double own = s < stages_ ? costs(s - 1)[position(b)] : 0.0;
            const bool reached = head < tail;
            before_.push_back(reached ? queue_[position(head)] : 0);
            next_[position(b - first)] = reached ? row[queue_[position(head)]] + own : never;
        }
        row_.swap(next_);
    }
    if (!(row_[0] < never)) return false;
    std::size_t cell = before_.size();
    found[position(stages_)] = layers();
    for (int s = stages_; s > 0; --s) {
        cell -= position(to_[position(s)] - from_[position(s)] + 1);
        found[position(s) - 1] = before_[cell + position(found[position(s)] - from_[position(s)])];
    }
    return true;
}

}  // namespace scalescope
