// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/placement.hpp"

#include <algorithm>

#include "core/yan/overlap.hpp"

namespace scalescope::yan {

namespace {

class Placing {
public:
    Placing(const LayerList& list, std::span<const std::int64_t> splits, std::int64_t partitions, Bytes memory,
            std::span<const double> memory_of)
        : list_(list),
          splits_(splits),
          memory_of_(memory_of),
          left_(static_cast<std::size_t>(partitions), memory.value),
          load_(left_.size()),
          taken_(left_.size()),
          local_(left_.size()) {
        table_.first.push_back(0);
    }

    PlacementTable place() {
        for (std::size_t l = 0; l < list_.layers.size(); ++l) {
            const LayerWork& w = list_.layers[l];
            const auto leader = static_cast<std::size_t>(w.leader);
            const std::int64_t split = splits_[l];
            std::ranges::fill(taken_, char{0});
            for (std::int64_t s = 0; s < split; ++s) {
                count_local(w, s, split);
                // A layer without a split of its own stays where its leader is.
                const std::size_t m =
                    leader == l ? best(l) : static_cast<std::size_t>(table_.machine[table_.first[leader] + at(s)]);
                taken_[m] = 1;
                left_[m] -= memory_of_[l];
                load_[m] += (w.forward_adds + w.activations) / static_cast<double>(split);
                table_.machine.push_back(static_cast<std::int32_t>(m));
            }
            table_.first.push_back(static_cast<std::uint32_t>(table_.machine.size()));
        }
        return std::move(table_);
    }

private:
    static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

    /// Connections of the segment to placed ones, in `local_`, by their machines.
    void count_local(const LayerWork& w, std::int64_t s, std::int64_t split) {
        std::ranges::fill(local_, 0);
        for (const Need& need : list_.of(w)) {
            if (need.from == Need::outside || list_.layers[at(need.from)].position == w.position) continue;
            const std::int64_t q = splits_[at(need.from)];
            for (std::int64_t t = 0; t < q; ++t) {
                if (connected(need, s, split, t, q)) ++local_[at(table_.machine[table_.first[at(need.from)] + at(t)])];
            }
        }
    }

    std::size_t best(std::size_t layer) const {
        std::size_t found = left_.size();
        const auto better = [&](std::size_t a, std::size_t b) {
            const bool room_a = left_[a] >= memory_of_[layer], room_b = left_[b] >= memory_of_[layer];
            if (room_a != room_b) return room_a;
            if (local_[a] != local_[b]) return local_[a] > local_[b];
            return load_[a] < load_[b];
        };
        for (std::size_t m = 0; m < left_.size(); ++m)
            if (!taken_[m] && (found == left_.size() || better(m, found))) found = m;
        return found;
    }

    const LayerList& list_;
    std::span<const std::int64_t> splits_;
    std::span<const double> memory_of_;
    std::vector<double> left_, load_;
    std::vector<char> taken_;
    std::vector<std::int64_t> local_;
    PlacementTable table_;
};

}  // namespace

PlacementTable place_by_connections(const LayerList& list, std::span<const std::int64_t> splits,
                                    std::int64_t partitions, Bytes memory, std::span<const double> memory_of) {
    return Placing(list, splits, partitions, memory, memory_of).place();
}

}  // namespace scalescope::yan
