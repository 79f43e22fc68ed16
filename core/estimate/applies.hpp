// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/scenario/scenario.hpp"

namespace scalescope {

/// Which settings of the way to divide the work mean something for a scenario. What is set without effect counts too,
/// as a file may have it, so that it can be taken back.
struct Applies {
    bool meshes = false;                     ///< the degrees of a mesh
    bool context_axis = false;               ///< among them the context degree: the network reads sequences
    bool divided = false, sequence = false;  ///< how layers are divided, and whether positions may be between them
    bool context = false;                    ///< how attention sees a sequence that is divided
    bool experts = false, dispatch = false;
    bool stages = false, chunks = false;
    bool shards = false, recompute = false;
    bool reduces = false, overlaps = false;  ///< gradients are summed, and may hide
    bool may_be_asynchronous = false, asynchronous = false;
    bool segments = false, cpu = false;
    int axes = 0;  ///< of the mesh, those of several workers; 0 where it does not come out even
};
Applies what_applies(const Scenario& scenario);

/// Whether a setting that stands by itself means something for a scenario, by the path of its field: training, percents
/// of peak, options. Here too, what is set without effect can be taken back. Fields that are not known here always do.
bool applies(std::string_view path, const Scenario& scenario);

}  // namespace scalescope
