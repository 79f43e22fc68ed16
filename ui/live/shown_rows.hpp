// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <set>
#include <string>
#include <vector>

#include "core/drawing/outline.hpp"
#include "core/estimate/row_times.hpp"
#include "ui/live/live.hpp"

namespace scalescope::ui {

/// A row of a network's outline that is on show, with its time in the step.
struct ShownRow {
    int part = 0;
    const drawing::OutlineRow* row = nullptr;  ///< kept alive by the answer's network
    QString title;                             ///< "Block × 80"
    QString block;                             ///< of the outermost row that it is in; empty: it is in none
    bool open = false;
    RowTime time;
    int key = -1;  ///< of the layer that stands for it: the one that takes longest (layer_keys.hpp)
};

/// "Q, K, V", "conv1"; without the number of equal blocks.
QString row_title(const drawing::OutlineRow& row);

/// The rows of all networks of the workload. `toggled`: paths of rows that a person folded or unfolded.
std::vector<ShownRow> shown_rows(const LiveResult& result, const std::set<std::string>& toggled);

/// Of each network of the workload, by the places of its layers: the times that a pinned design's layers of the same
/// names take. Empty if one of the designs has no estimate.
std::vector<RowTimes> times_of_pin(const LiveResult& result, std::size_t pin);

}  // namespace scalescope::ui
