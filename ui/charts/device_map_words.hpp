// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/estimate/device_map.hpp"

/// Axes, ranks and groups of a mesh in words.
namespace scalescope::ui {

/// "pipeline"
QString name_of_axis(MeshAxis axis);
/// "stage 1", "data 3"
QString name_of_rank(MeshAxis axis, std::int64_t rank);
/// Ranks of a group in words: "136 to 143", "129 to 249 in steps of 8".
QString ranks_of(const DeviceGroup& group);
/// "conv1 to pool2, fc6"; empty without a network.
QString layers_of(const DeviceHolding& held, const Network* network);
/// "24 %", with a digit more below ten.
QString share_in_words(double share);
/// "1/8"
QString part_in_words(double share);

}  // namespace scalescope::ui
