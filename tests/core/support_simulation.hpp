// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/pricing/collectives.hpp"
#include "support_networks.hpp"

/// A message-level simulation of a training step divided over workers, the judge of core/parallel. It knows layers only
/// by what they compute: which elements of its inputs a worker needs for its outputs, which gradients it then has.
/// Tensors are sets of elements (sample × position) that workers own, hold and send one by one.
///
/// What it is told rather than finds out is policy (docs/decisions/split-by-outputs.md):
///  - channels are dealt out in consecutive blocks, the first workers getting one more where they do not divide;
///  - a depthwise convolution is cut along its input channels, every other layer with weights along its outputs, or
///  along
///    the fewer channels that a channel-by-channel layer sees of it through a reshape;
///  - a grouped convolution uses its own share of the input only if that is a row of equal pieces;
///  - a channel-by-channel layer stays split if, for any number of workers, somebody owns all it needs of each channel,
///    and otherwise runs whole; layers that mix channels run whole;
///  - layers that share weights are cut alike for any number of workers, or run whole; so do those that read a trained
///    tensor, which every worker holds;
///  - a tensor that anybody lacks a part of is gathered whole on everybody, once; gradients move likewise.
namespace support {

/// One tensor's moves in one direction, over the whole step.
struct Moved {
    std::string tensor;  ///< the layer that made it; empty: gradients of weights
    scalescope::Message kind = scalescope::Message::all_gather;
    bool forward = false;
    std::int64_t times = 1;
    double sent = 0, received = 0;  ///< bytes, by all workers, all times together
    double piece = 0;               ///< bytes of the largest piece that one worker contributes or keeps at one time
    double whole = 0;               ///< bytes of the whole tensor at one time (the most, if they differ)
    bool operator==(const Moved&) const = default;
};

struct Step {
    std::int64_t workers = 1;
    std::vector<std::int64_t> samples;  ///< of each worker in the front part
    int cut = 0;                        ///< first layer of the back part
    scalescope::HybridScheme scheme = scalescope::HybridScheme::all_at_once;
    std::set<std::string> frozen;
    double element_bytes = 4;
};

struct Simulated {
    bool feasible = true;
    std::vector<Moved> moved;
    /// Multiply-adds of one forward pass of each layer, by layer and worker, for all samples it handles.
    std::vector<std::vector<double>> multiply_adds;
};

/// Front part data parallel, back part from `cut` on split by outputs; cut 0: all of it split by outputs.
Simulated simulate_split(const scalescope::Network& network, const Step& step);

/// Split by layers with stage s holding [borders[s], borders[s+1]): bytes for `samples` samples over each border, with
/// tensors needed further on passed along from neighbour to neighbour.
struct BorderBytes {
    double forward = 0, backward = 0;
};
std::vector<BorderBytes> simulate_stages(const scalescope::Network& network, const std::vector<int>& borders,
                                         double samples, double element_bytes);

/// The stages that need the weights of each layer that has some, for itself or for others that use them.
std::map<int, std::set<int>> weight_holders(const scalescope::Network& network, const std::vector<int>& borders);

}  // namespace support
