// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scalescope::ui {

// Charts and lists number layers across all networks of the workload: part and position as one id.

constexpr int keys_per_part = 1 << 20;  // more than limits::layers
constexpr int layer_key(int part, int position) { return part * keys_per_part + position; }
constexpr int part_of_key(int key) { return key / keys_per_part; }
constexpr int position_of_key(int key) { return key % keys_per_part; }

}  // namespace scalescope::ui
