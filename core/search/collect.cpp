// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/collect.hpp"

#include <algorithm>

namespace scalescope::search {

bool before(const Found& a, const Found& b) { return a.values != b.values ? a.values < b.values : a.index < b.index; }

bool dominates(const Values& a, const Values& b, std::size_t count) {
    bool better = false;
    for (std::size_t i = 0; i < count; ++i) {
        if (a[i] > b[i]) return false;
        better = better || a[i] < b[i];
    }
    return better;
}

void TopList::add(const Found& found) {
    if (k_ == 0) return;
    if (heap_.size() == k_) {
        if (!before(found, heap_.front())) return;
        std::pop_heap(heap_.begin(), heap_.end(), before);
        heap_.back() = found;
    } else {
        heap_.push_back(found);
    }
    std::push_heap(heap_.begin(), heap_.end(), before);
    if (heap_.size() == k_) know(heap_.front().values);
}

void TopList::merge(const TopList& other) {
    heap_.insert(heap_.end(), other.heap_.begin(), other.heap_.end());
    std::sort(heap_.begin(), heap_.end(), before);
    heap_.erase(std::unique(heap_.begin(), heap_.end()), heap_.end());
    if (heap_.size() > k_) heap_.resize(k_);
    std::make_heap(heap_.begin(), heap_.end(), before);
    if (heap_.size() == k_ && k_ > 0) know(heap_.front().values);
}

std::vector<Found> TopList::sorted() const {
    auto all = heap_;
    std::sort(all.begin(), all.end(), before);
    return all;
}

bool Front::open(const Values& bound) const {
    if (overflown_) return false;
    if (last_ < members_.size() && dominates(members_[last_].values, bound, objectives_)) return false;
    if (objectives_ == 2) {
        // Of those no worse in the first, the last is the best in the second.
        const auto at = std::upper_bound(members_.begin(), members_.end(), bound[0],
                                         [](double value, const Found& f) { return value < f.values[0]; });
        if (at == members_.begin() || !dominates((at - 1)->values, bound, 2)) return true;
        last_ = static_cast<std::size_t>(at - 1 - members_.begin());
        return false;
    }
    for (std::size_t i = 0; i < members_.size(); ++i)
        if (dominates(members_[i].values, bound, objectives_)) {
            last_ = i;
            return false;
        }
    return true;
}

void Front::add(const Found& found) {
    if (!open(found.values)) return;
    if (objectives_ == 2) {
        add_to_chain(found);
    } else {
        for (Found& member : members_)
            if (std::equal(member.values.begin(), member.values.begin() + static_cast<std::ptrdiff_t>(objectives_),
                           found.values.begin())) {
                member.index = std::min(member.index, found.index);
                return;
            }
        std::erase_if(members_, [&](const Found& m) { return dominates(found.values, m.values, objectives_); });
        members_.push_back(found);
    }
    if (members_.size() > most) {
        overflown_ = true;
        members_.clear();
        members_.shrink_to_fit();
    }
}

void Front::add_to_chain(const Found& found) {
    auto at = std::lower_bound(members_.begin(), members_.end(), found.values[0],
                               [](const Found& f, double value) { return f.values[0] < value; });
    if (at != members_.end() && at->values[0] == found.values[0] && at->values[1] == found.values[1]) {
        at->index = std::min(at->index, found.index);
        return;
    }
    auto end = at;
    while (end != members_.end() && end->values[1] >= found.values[1]) ++end;
    if (end == at) {
        members_.insert(at, found);
    } else {
        *at = found;
        members_.erase(at + 1, end);
    }
}

void Front::merge(const Front& other) {
    if (other.overflown_ || overflown_) {
        overflown_ = true;
        members_.clear();
        return;
    }
    for (const Found& found : other.members_) add(found);
}

std::vector<Found> Front::sorted() const {
    auto all = members_;
    std::sort(all.begin(), all.end(), before);
    return all;
}

void Grid::merge(const Grid& other) {
    for (std::size_t i = 0; i < cells_.size(); ++i)
        if (other.cells_[i]) add(i, *other.cells_[i]);
}

}  // namespace scalescope::search
