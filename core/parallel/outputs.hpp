// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/network/network.hpp"
#include "core/parallel/message.hpp"
#include "core/work/work.hpp"

namespace scalescope {

/// How the layers of a network fall apart when they are split by outputs, for any number of workers
/// (docs/decisions/dividing-work.md and docs/decisions/split-by-outputs.md). Behind a cut (position `cut` is the first
/// layer that is split; 0: all are) a layer is divided, or runs whole on every worker. Moving the cut forward only
/// turns divided layers into whole ones, so that one number per layer says it for every cut: the last one with which it
/// still is divided.
struct OutputStructure {
    static constexpr int never = -1;

    /// A way the channels of a tensor are dealt out: `units` equal pieces of `width` channels in consecutive blocks, or
    /// (units 0) parts one after the other, each part by its own class. The tensor may repeat the pattern.
    struct Class {
        std::int64_t units = 0;
        double width = 1;
        double channels = 1;      ///< of one repetition
        int first = 0, last = 0;  ///< range in `parts`
    };
    struct Part {
        int of_class;
        double repeat;
    };
    std::vector<Class> classes;  ///< a class comes after the classes it is made of
    std::vector<Part> parts;
    std::vector<int> class_of;       ///< by position
    std::vector<Division> division;  ///< as it turns out here: a sum of tensors split differently mixes
    std::vector<int> divided_until;  ///< last cut with which the layer's output is divided
    std::vector<int> local_until;    ///< last cut with which it reads only its own share of its input
    std::vector<std::int64_t>
        fits_groups;       ///< grouped convolutions read their own share if the workers divide this; 0: no condition
    bool grouped = false;  ///< some layer has such a condition
    std::vector<std::int64_t> units;      ///< of layers cut along their outputs: the pieces there are
    std::vector<int> fewest_from;         ///< by cut: position of the layer behind it with the fewest pieces, or never
    std::vector<std::size_t> class_from;  ///< by cut: the first class of a layer behind it, or of what that is made of

    bool reads_own_share(int layer, std::int64_t workers) const {
        const std::int64_t g = fits_groups[static_cast<std::size_t>(layer)];
        return g == 0 || g % workers == 0;
    }
    /// False if some layer behind the cut cannot be shared by so many workers.
    bool feasible(int cut, std::int64_t workers) const {
        const int fewest = fewest_from[static_cast<std::size_t>(cut)];
        return workers == 1 || fewest == never || units[static_cast<std::size_t>(fewest)] >= workers;
    }
    /// Share of a tensor of class `c` that the busiest of `workers` workers holds.
    double busiest_share(int c, std::int64_t workers) const;
};
OutputStructure make_output_structure(const Network& network);
/// Positions where hybrid may cut, ascending: before each layer that does something, as cutting before another would be
/// the same cut under another name; the number of layers (no back part) is the last.
std::vector<int> cuts_of(const OutputStructure& structure);

/// What is sent of a tensor: within the part behind the cut, or at the cut.
enum class OutputMove : std::uint8_t {
    gather,   ///< all of it, to every worker
    scatter,  ///< sums of partial gradients, of its part to each worker
    sum,      ///< the same of a tensor that is whole, to every worker
    into,     ///< made in front of the cut and needed behind it
    out_of    ///< its partial gradients
};
inline constexpr std::size_t output_moves = 5;
constexpr bool is_forward(OutputMove move) { return move == OutputMove::gather || move == OutputMove::into; }
constexpr Message message_of(OutputMove move, HybridScheme scheme = HybridScheme::all_at_once) {
    const bool one = scheme == HybridScheme::one_sender;
    switch (move) {
        case OutputMove::gather: return Message::all_gather;
        case OutputMove::scatter: return Message::reduce_scatter;
        case OutputMove::sum: return Message::all_reduce;
        case OutputMove::into: return one ? Message::broadcast : Message::all_gather;
        case OutputMove::out_of: return one ? Message::reduce : Message::reduce_scatter;
    }
    return Message::all_gather;
}

/// Which tensors move with a number of workers, as ranges of cuts.
struct OutputMoves {
    std::vector<std::array<int, output_moves>> until;  ///< by tensor and OutputMove: the last cut with which it does
    std::vector<int> local_until;                      ///< as in the structure, groups that do not fit taken out

    /// The last cut with which it does not: the same for every number of workers.
    static int after(const OutputStructure& s, int tensor, OutputMove move) {
        return move < OutputMove::sum    ? OutputStructure::never
               : move == OutputMove::sum ? s.divided_until[static_cast<std::size_t>(tensor)]
                                         : tensor;
    }
    int last(int tensor, OutputMove move) const {
        return until[static_cast<std::size_t>(tensor)][static_cast<std::size_t>(move)];
    }
};
/// Fills `moves`, reusing its memory. Depends on `workers` only if the structure is grouped.
void make_output_moves(const Network& network, const OutputStructure& s, const Work& work, std::int64_t workers,
                       OutputMoves& moves);

/// Channels of each class on the busiest worker; of those that layers from `from` on have.
void fill_busiest(const OutputStructure& s, int from, std::int64_t workers, std::vector<double>& busiest);

/// Shares of every layer's tensors on the busiest worker behind `cut`, by position from `from` on, for price_passes.
/// `share` is scratch.
void fill_shares(const OutputStructure& s, const OutputMoves& moves, int cut, int from,
                 const std::vector<double>& busiest, std::vector<double>& share, std::vector<double>& in,
                 std::vector<double>& out);

}  // namespace scalescope
