// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/estimate/estimate.hpp"

/// The borders between parts of the work as something that a hand can move: the cut between segments, and where stages
/// begin.
namespace scalescope {

struct Border {
    int at = 0;                ///< position of the first layer behind it; the number of layers: there is none
    std::vector<int> allowed;  ///< where it may stand, ascending
};

struct Dividing {
    bool segments = false;                 ///< the border is a cut, otherwise they are those of stages
    bool automatic = false;                ///< nobody has put the borders where they are
    std::vector<Border> borders;           ///< the cut, or one before each stage but the first; else none
    std::vector<Seconds> times;            ///< of the layers of each part in a step, without messages; empty: not known
    std::vector<char> counts;              ///< by position: the layer does something
    double share(std::size_t part) const;  ///< of the time of all parts; 0 where that is not known
};

/// How the first network of `scenario` is divided. `plan` is of a scenario with that network; `estimate`, where there
/// is one, tells what was chosen automatically, and the times. The cut may stand at its cut_positions(); a stage
/// keeps one layer at least.
Dividing dividing_of(const Scenario& scenario, const Plan& plan, const Estimate* estimate);

/// Positions where the first network may be cut for so many workers, ascending: before each layer that does something,
/// where all layers behind can be shared by them. The number of layers, no back part, is the last.
std::vector<int> cut_positions(const Plan& plan, std::int64_t workers);
/// The same of a network that has no plan yet.
std::vector<int> cut_positions(const Network& network, std::int64_t workers);

/// The scenario in two segments, the second of which begins at that position of its network.
Scenario with_cut(Scenario scenario, int at);
/// The scenario with one border elsewhere. What was chosen automatically is given from now on.
Scenario with_border(Scenario scenario, const Dividing& dividing, std::size_t border, int at);
/// The scenario with its borders chosen automatically.
Scenario with_automatic_borders(Scenario scenario);

/// What one worker has of a layer that is divided by its outputs.
struct OutputShare {
    bool divided = false;             ///< false: the layer runs whole on every worker
    double share = 1;                 ///< of its outputs, on the busiest worker
    std::int64_t units = 0, own = 0;  ///< pieces its weights are cut into, and those of the busiest worker; 0: none
};

/// By position in the network of `part`: nothing for layers that are not behind a cut, or do nothing.
std::vector<std::optional<OutputShare>> output_shares(const Plan& plan, const Estimate& estimate, int part);

}  // namespace scalescope
