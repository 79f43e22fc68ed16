// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/folding.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace scalescope::drawing {
namespace {

std::size_t spot(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }

class LongFolder {
public:
    explicit LongFolder(const std::vector<Piece>& pieces) : pieces_(pieces), read_(pieces.size(), 0) {
        for (const Piece& p : pieces)
            for (int in : p.inputs)
                if (in >= 0) read_[static_cast<std::size_t>(in)] = 1;
    }

    std::vector<Part> fold() {
        std::vector<Part> all;
        for (std::size_t i = 0; i < pieces_.size(); ++i) all.push_back({static_cast<int>(i), 1, {}, {}});
        return fold(std::move(all), true);
    }

private:
    const std::vector<Piece>& pieces_;
    std::vector<char> read_;  ///< by piece: some other reads it

    static constexpr std::ptrdiff_t longest_period = 400, fewest_loose = 4;

    bool fits(const std::vector<Part>& parts) const {
        const bool plain = std::ranges::all_of(parts, [&](const Part& p) { return loose(p); });
        return parts.size() <= static_cast<std::size_t>(plain ? most_boxes : most_with_blocks);
    }

    std::vector<Part> fold(std::vector<Part> parts, bool repeats) const {
        if (fits(parts)) return parts;
        if (auto run = loose_in_runs(parts); fits(run)) return run;
        if (repeats) parts = repeats_in_runs(std::move(parts));
        if (!fits(parts)) parts = loose_in_runs(std::move(parts));
        if (!fits(parts)) parts = in_stages(std::move(parts));
        if (!fits(parts)) parts = in_equal_runs(std::move(parts));
        return parts;
    }

    /// Parts `first` … `first + count`, put into one.
    Part run_of(std::vector<Part>& parts, std::ptrdiff_t first, std::ptrdiff_t count, bool again) const {
        Part run;
        run.parts.assign(std::make_move_iterator(parts.begin() + first),
                         std::make_move_iterator(parts.begin() + first + count));
        if (again) run.parts = fold(std::move(run.parts), false);
        return run;
    }

    bool loose(const Part& p) const { return p.piece >= 0 && pieces_[spot(p.piece)].is_layer; }

    /// A layer that somebody has just put there, and not connected yet, belongs to no run.
    bool connected(const Part& p) const { return !pieces_[spot(p.piece)].inputs.empty() || read_[spot(p.piece)]; }

    /// Layers that stand between blocks.
    std::vector<Part> loose_in_runs(std::vector<Part> parts) const {
        const auto blocks = std::ranges::count_if(parts, [&](const Part& p) { return !loose(p); });
        if (blocks < 3) return parts;
        std::vector<Part> result;
        const auto size = std::ssize(parts);
        for (std::ptrdiff_t i = 0; i < size;) {
            std::ptrdiff_t end = i;
            while (end < size && loose(parts[spot(end)]) && connected(parts[spot(end)])) ++end;
            if (end - i >= fewest_loose) {
                result.push_back(run_of(parts, i, end - i, true));
                i = end;
                continue;
            }
            end = std::max(end, i + 1);
            while (i < end) result.push_back(std::move(parts[spot(i++)]));
        }
        return result;
    }

    void leaves(const Part& p, std::vector<int>& into) const {
        if (p.piece >= 0) into.push_back(p.piece);
        for (const Part& inner : p.parts) leaves(inner, into);
    }

    /// For each part the parts before it that it reads.
    std::vector<std::vector<std::ptrdiff_t>> reads(const std::vector<Part>& parts) const {
        std::vector<std::ptrdiff_t> part_of(pieces_.size(), -1);
        std::vector<std::vector<int>> all(parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            leaves(parts[i], all[i]);
            for (int p : all[i]) part_of[spot(p)] = static_cast<std::ptrdiff_t>(i);
        }
        std::vector<std::vector<std::ptrdiff_t>> result(parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (int p : all[i])
                for (int in : pieces_[spot(p)].inputs) {
                    const std::ptrdiff_t from = in < 0 ? -1 : part_of[spot(in)];
                    if (from != static_cast<std::ptrdiff_t>(i)) result[i].push_back(from);
                }
        return result;
    }

    /// How many parts are read across the border above each part.
    std::vector<int> crossing(const std::vector<Part>& parts) const {
        const auto inputs = reads(parts);
        std::vector<std::ptrdiff_t> last(parts.size(), -1);
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (std::ptrdiff_t from : inputs[i])
                if (from >= 0) last[spot(from)] = std::max(last[spot(from)], static_cast<std::ptrdiff_t>(i));
        std::vector<int> count(parts.size() + 1, 0);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (last[i] <= static_cast<std::ptrdiff_t>(i)) continue;
            ++count[i + 1];
            --count[spot(last[i] + 1)];
        }
        for (std::size_t i = 1; i < count.size(); ++i) count[i] += count[i - 1];
        return count;
    }

    struct Repeat {
        std::ptrdiff_t first, period, times;
        std::ptrdiff_t saved() const { return period * times; }
    };

    /// Runs that follow each other and are alike become parts, three or more of them one part.
    std::vector<Part> repeats_in_runs(std::vector<Part> parts) const {
        const auto size = std::ssize(parts);
        const auto inputs = reads(parts);
        const auto between = crossing(parts);
        const auto alike = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
            constexpr std::ptrdiff_t near = 64;  // what is further away is one thing for all: a mask, a table
            const Part &a = parts[spot(i)], &b = parts[spot(j)];
            if (a.piece < 0 || b.piece < 0 || pieces_[spot(a.piece)].alike != pieces_[spot(b.piece)].alike)
                return false;
            const auto &p = inputs[spot(i)], &q = inputs[spot(j)];
            const auto distance = [&](std::ptrdiff_t at, std::ptrdiff_t from) {
                return from < 0 || at - from > near ? near + 1 : at - from;
            };
            return std::ranges::equal(
                p, q, [&](std::ptrdiff_t x, std::ptrdiff_t y) { return distance(i, x) == distance(j, y); });
        };
        std::vector<Repeat> found;
        for (std::ptrdiff_t period = 1; period <= std::min(longest_period, size / 2); ++period)
            for (std::ptrdiff_t i = 0; i + period < size;) {
                std::ptrdiff_t end = i;
                while (end + period < size && alike(end, end + period)) ++end;
                if (end - i >= period) found.push_back(best_cut(i, end - i, period, between));
                i = end + 1;
            }
        std::ranges::stable_sort(found, [](const Repeat& a, const Repeat& b) {
            return std::tuple(-a.saved(), a.period) < std::tuple(-b.saved(), b.period);
        });
        std::vector<const Repeat*> begins(parts.size(), nullptr);
        std::vector<char> taken(parts.size(), 0);
        for (const Repeat& r : found) {
            const auto begin = taken.begin() + r.first, end = begin + r.saved();
            const bool layers = r.period == 1 && loose(parts[spot(r.first)]);  // no block stands in such a row
            if (std::find(begin, end, 1) != end || (r.period <= 2 && r.times < 3) || layers) continue;
            std::fill(begin, end, 1);
            begins[spot(r.first)] = &r;
        }
        std::vector<Part> result;
        for (std::ptrdiff_t i = 0; i < size;) {
            const Repeat* r = begins[spot(i)];
            if (!r) {
                result.push_back(std::move(parts[spot(i++)]));
                continue;
            }
            Part row;
            row.repeat = static_cast<int>(r->times);
            for (std::ptrdiff_t k = 0; k < r->times; ++k, i += r->period)
                row.parts.push_back(r->period == 1 ? std::move(parts[spot(i)]) : run_of(parts, i, r->period, true));
            if (r->times >= 3)
                result.push_back(std::move(row));
            else
                for (Part& p : row.parts) result.push_back(std::move(p));
        }
        return result;
    }

    /// Where a repetition begins nobody can say: the cut at which fewest tensors pass is taken.
    static Repeat best_cut(std::ptrdiff_t first, std::ptrdiff_t length, std::ptrdiff_t period,
                           const std::vector<int>& between) {
        Repeat best{first, period, (length + period) / period};
        int fewest = between[spot(first)];
        for (std::ptrdiff_t skip = 1; skip < period; ++skip) {
            const std::ptrdiff_t times = (length + period - skip) / period;
            if (times < 2 || between[spot(first + skip)] >= fewest) continue;
            fewest = between[spot(first + skip)];
            best = {first + skip, period, times};
        }
        return best;
    }

    const std::string& resolution_of(const Part& p) const {
        const Part* at = &p;
        while (at->piece < 0) at = &at->parts.back();
        return pieces_[spot(at->piece)].resolution;
    }

    /// Runs of the same resolution, where only one tensor passes between them.
    std::vector<Part> in_stages(std::vector<Part> parts) const {
        const auto between = crossing(parts);
        const auto size = std::ssize(parts);
        std::vector<std::ptrdiff_t> begins;
        std::vector<std::string> names;
        for (std::ptrdiff_t i = 0; i < size;) {
            std::ptrdiff_t end = i + 1;
            while (end < size && between[spot(end)] > 1) ++end;
            const std::string& name = resolution_of(parts[spot(end - 1)]);
            if (names.empty() || names.back() != name) begins.push_back(i), names.push_back(name);
            i = end;
        }
        if (std::ssize(begins) < 3) return parts;
        begins.push_back(size);
        std::vector<Part> result;
        for (std::size_t s = 0; s < names.size(); ++s) {
            const std::ptrdiff_t count = begins[s + 1] - begins[s];
            if (count < 3) {
                for (std::ptrdiff_t i = begins[s]; i < begins[s + 1]; ++i) result.push_back(std::move(parts[spot(i)]));
                continue;
            }
            result.push_back(run_of(parts, begins[s], count, true));
            result.back().resolution = names[s];
        }
        return result;
    }

    /// About a dozen, each cut where few tensors pass.
    std::vector<Part> in_equal_runs(std::vector<Part> parts) const {
        constexpr std::ptrdiff_t dozen = 12;
        const auto between = crossing(parts);
        const auto size = std::ssize(parts), usual = std::max<std::ptrdiff_t>(2, (size + dozen - 1) / dozen);
        std::vector<Part> result;
        for (std::ptrdiff_t i = 0; i < size;) {
            std::ptrdiff_t best = std::min(size, i + usual);
            const auto cost = [&](std::ptrdiff_t at) {
                return std::tuple(at == size ? 0 : between[spot(at)], std::abs(at - i - usual));
            };
            for (std::ptrdiff_t at = i + (usual + 1) / 2; at <= std::min(size, i + usual + usual / 2); ++at)
                if (cost(at) < cost(best)) best = at;
            if (best - i == 1)
                result.push_back(std::move(parts[spot(i)]));
            else
                result.push_back(run_of(parts, i, best - i, true));
            i = best;
        }
        return result;
    }
};

}  // namespace

std::vector<Part> fold_long(const std::vector<Piece>& pieces) { return LongFolder(pieces).fold(); }

}  // namespace scalescope::drawing
