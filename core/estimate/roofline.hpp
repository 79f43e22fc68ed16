// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/drawing/outline.hpp"
#include "core/estimate/estimate.hpp"

/// Operations under the ceilings of the device (Williams, Waterman and Patterson, Communications of the ACM 52, 2009):
/// how many FLOPs each does for a byte of memory traffic, and how fast that lets it be.
namespace scalescope {

/// What takes most of an operation's time.
enum class RooflineBound { compute, memory, launch };

/// An operation as it is priced: its forward pass and both gradients, once.
struct RooflinePoint {
    Flops flops{0};
    Bytes bytes{0};   ///< that the passes read and write
    Seconds time{0};  ///< of the passes, start-up times included
    RooflineBound bound = RooflineBound::compute;
    double intensity() const { return flops.value / bytes.value; }  ///< FLOP/byte
    FlopsPerSecond attained() const { return FlopsPerSecond{flops.value / time.value}; }
    bool operator==(const RooflinePoint&) const = default;
};

struct RooflineRow {
    const drawing::OutlineRow* row = nullptr;  ///< kept alive by the network
    int part = 0;
    int repeat = 1;        ///< such operations in the network
    int longest = 0;       ///< position of the layer that takes longest
    RooflinePoint whole;   ///< by one device alone, with as many samples
    RooflinePoint device;  ///< the share of one device
    bool divided() const { return whole.flops != device.flops || whole.bytes != device.bytes; }
};

struct Roofline {
    struct Peak {
        Precision precision;
        FlopsPerSecond rate;
    };
    BytesPerSecond memory;          ///< by the data sheet
    std::vector<Peak> peaks;        ///< by the data sheet, highest first: of the products and of everything else
    BytesPerSecond memory_reached;  ///< what the model's shares leave of it, and of the first peak
    FlopsPerSecond reached;
    std::vector<RooflineRow> rows;  ///< that do any arithmetic, in the network's order
    /// What the device can do at that intensity by its data sheet: bandwidth · intensity, up to the highest peak.
    FlopsPerSecond ceiling(double intensity) const;
};

/// Rows of the outlines of all networks: parts of blocks, and layers where there are no parts; equal blocks once, and
/// so are equal parts of different blocks.
/// Nothing where another method than the pipeline prices the layers.
std::optional<Roofline> roofline_of(const Scenario& scenario, const Plan& plan, const Estimate& estimate);

}  // namespace scalescope
