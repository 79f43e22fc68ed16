// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/block_borders.hpp"

#include <algorithm>

#include "core/estimate/recompute.hpp"

namespace scalescope {
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
