// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/block_borders.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/estimate/recompute.hpp"

namespace scalescope {
namespace {

constexpr double alike_borders = 1e-9;

class BorderChooser {
public:
    BorderChooser(const StagedStep& step, const TryBorders& trial)
        : step_(step), s_(step.s), splits_(step.s.splits), trial_(trial) {}

    bool run(const StagePiece& balanced) {
        if (!balanced.few && surely_too_large(balanced.borders)) return false;
        look_for_splits(step_);
        BorderTrial first;
        if (!balanced.few) first = trial_(balanced.borders, first, AskMemory::it_must_fit);
        if (!balanced.few && !first.fits) return false;  // the remedies say what helps
        const auto moved = [&](AskMemory memory) {
            best_ = first;
            memory_ = memory;
            moved_ = false;
            if (balanced.few)
                splits_.each(step_.batches > 1, [&] { take(); });
            else
                look_at_many();
            return moved_;
        };
        // Short steps usually fit, so only the shortest is checked. If it does not fit, all are judged by memory too.
        if (!moved(AskMemory::not_at_all)) return false;
        return !step_.plan.room || trial_(s_.best_borders, first, AskMemory::it_must_fit).fits || moved(AskMemory::yes);
    }

private:
    const StagedStep& step_;
    Scratch& s_;
    Splits& splits_;
    const TryBorders& trial_;
    AskMemory memory_ = AskMemory::not_at_all;
    BorderTrial best_, last_;  ///< up to now, and of the split that was tried last
    bool moved_ = false;

    /// Tries the split that was found, and takes it if its step is shorter.
    void take() {
        last_ = trial_(splits_.found, best_, memory_);
        if (!last_.beats(best_)) return;
        best_ = last_;
        moved_ = true;
        s_.best_borders.assign(splits_.found.begin(), splits_.found.end());
    }

    void look_at_many() {
        if (!splits_.cheapest()) return;
        const double least = splits_.cost_of(splits_.found) * (1 + alike_borders);
        take();
        // With one micro-batch no stage works beside another: none is too long, unless it does not fit.
        if (step_.batches > 1)
            limit(splits_.time, Splits::longest(splits_.time, s_.borders), least);
        else
            limit_memory();
        // Stages add up and apply their gradients beside each other: none has many more than the others.
        if (constexpr double little = 0.02; best_.once < little * best_.seconds) return;
        const std::vector<double>& trained = step_.part.trained_before;
        double largest = trained.back() / static_cast<double>(step_.stages);
        for (std::size_t l = 1; l < trained.size(); ++l) largest = std::max(largest, trained[l] - trained[l - 1]);
        limit(trained, largest, least);
    }
    /// Tries the cheapest splits in which no stage has much more than `least_most` of what `before` sums up. No borders
    /// cost less than `least`.
    void limit(const std::vector<double>& before, double least_most, double least) {
        constexpr double most = 2, rung = 1.15;
        double cost = Splits::no_limit;
        for (double more = 1 + alike_borders; more < most && cost > least; more *= rung) {
            if (!splits_.cheapest(before, least_most * more)) continue;
            if (splits_.cost_of(splits_.found) * (1 + alike_borders) >= cost) continue;
            cost = splits_.cost_of(splits_.found) * (1 + alike_borders);
            // Of the splits whose messages cost no more, the one whose longest stage is shortest.
            for (int k = 0; k < tighter; ++k) {
                take();
                if (!splits_.cheapest(before, Splits::longest(before, splits_.found) * (1 - alike_borders)) ||
                    splits_.cost_of(splits_.found) > cost)
                    break;
            }
        }
    }
    static constexpr int tighter = 4;  ///< limits, one after the other
    /// Bisects the limit of a stage's memory between the largest that fitted and the smallest that did not.
    void limit_memory() {
        if (last_.fits) return;
        weigh_layers();
        double too_much = Splits::longest(splits_.memory, splits_.found), fitted = 0;
        for (int k = 0; k < 6; ++k) {
            const double next = fitted > 0
                                    ? (too_much + fitted) / 2
                                    : too_much * std::min(1 - alike_borders, step_.plan.room->value / last_.bytes);
            if (!splits_.cheapest(splits_.memory, next)) return;
            take();
            if (last_.fits)
                fitted = next;
            else
                too_much = Splits::longest(splits_.memory, splits_.found);
        }
    }

    /// Whether these stages cannot fit even with one micro-batch in flight. Only known where layers are whole and none
    /// is recomputed; false otherwise.
    bool surely_too_large(std::span<const int> borders) {
        if (!step_.plan.room || step_.axes || !step_.part.blocks.empty()) return false;
        weigh_layers();
        return Splits::longest(splits_.memory, borders) > step_.plan.room->value * (1 + alike_borders);
    }
    /// Into Splits::memory: bytes of what each layer trains and, of one micro-batch, keeps. Approximate: a
    /// tensor that several layers keep is counted once, in full, for the first of them.
    void weigh_layers() {
        const PlanPart& part = step_.part;
        const auto n = static_cast<std::size_t>(part.work.layers);
        const auto has = rank_bytes(step_);
        auto& memory = splits_.memory;
        memory.assign(n + 1, 0.0);
        for (std::size_t l = 0; l < n; ++l) {
            WorkPiece own;
            add_states(step_, static_cast<int>(l), static_cast<int>(l) + 1, own);
            memory[l + 1] = bytes_of(own, has);
        }
        std::vector<int>& keeper = s_.memory.last;
        keeper.assign(n, -1);
        for (const Keep& k : part.keeps) {
            if (k.tensor >= 0 && std::exchange(keeper[static_cast<std::size_t>(k.tensor)], k.keeper) >= 0) continue;
            memory[static_cast<std::size_t>(k.keeper) + 1] += part.bytes_of(k) * step_.samples;
        }
        std::partial_sum(memory.begin(), memory.end(), memory.begin());
    }
};

}  // namespace

bool choose_borders(const StagedStep& step, const StagePiece& balanced, const TryBorders& trial) {
    return BorderChooser(step, trial).run(balanced);
}

namespace {

constexpr int fewest_blocks = 3;  ///< an encoder and a decoder alone are not a row of blocks

/// Runs of layers that a stage may begin with, and the end: what comes before the first block, the blocks, each with
/// the layers up to the next one, and what comes after the last.
struct BlockRow {
    std::vector<int> starts;
    std::vector<int> places;  ///< by position, of the block among all, or -1
    int blocks = 0;
    bool front = false, back = false;  ///< there are layers before the first block, and after the last one
    bool alike = false;                ///< no block has more than twice the work of another one
};

BlockRow find_block_row(const Network& network) {
    const std::vector<int>& block = blocks_of(network);
    const auto at = [](int l) { return static_cast<std::size_t>(l); };
    const int n = network.size();
    std::vector<int> last_reader(block.size(), -1);
    for (int l = 0; l < n; ++l)
        for (const int t : network.reads(l)) last_reader[at(t)] = l;
    BlockRow row;
    row.places.assign(block.size(), -1);
    int end = 0;
    double least = 0, most = 0;
    for (int from = 0, to = 0; from < n; from = to) {
        double work = 0;
        int read_by = -1;
        for (to = from; to < n && block[at(to)] == block[at(from)]; ++to) {
            work += static_cast<double>(network.facts()[at(to)].multiply_adds);
            read_by = std::max(read_by, last_reader[at(to)]);
        }
        // Neither embeddings nor a head with its loss, which names may hold together too.
        if (block[at(from)] < 0 || work == 0 || read_by < to) continue;
        row.front = row.front || (row.blocks == 0 && from > 0);
        if (row.front && row.blocks == 0) row.starts.push_back(0);
        row.starts.push_back(from);
        least = row.blocks == 0 ? work : std::min(least, work);
        most = std::max(most, work);
        std::fill(row.places.begin() + from, row.places.begin() + to, row.blocks);
        ++row.blocks;
        end = to;
    }
    row.back = row.blocks > 0 && end < n;
    if (row.back) row.starts.push_back(end);
    row.starts.push_back(n);
    row.alike = most <= 2 * least;
    return row;
}

}  // namespace

const std::vector<int>& places_of_blocks(const Network& network) { return network.found(find_block_row).places; }

bool split_at_blocks(const Network& network, int stages, std::vector<int>& borders) {
    const BlockRow& row = network.found(find_block_row);
    const int runs = static_cast<int>(row.starts.size()) - 1;
    if (row.blocks < fewest_blocks || runs < stages || !row.alike) return false;
    const bool even = row.blocks % stages == 0;
    const int units = even ? row.blocks : runs, first = even && row.front ? 1 : 0;
    borders.assign(1, 0);
    for (int stage = 1, next = first; stage < stages; ++stage) {
        next += units / stages + (stage <= units % stages ? 1 : 0);
        borders.push_back(row.starts[static_cast<std::size_t>(next)]);
    }
    borders.push_back(network.size());
    return true;
}

}  // namespace scalescope
