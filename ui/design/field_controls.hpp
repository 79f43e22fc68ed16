// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <utility>
#include <vector>

namespace scalescope::ui {

/// Paths of fields with the object names of their controls.
const std::vector<std::pair<QString, QString>>& field_controls();
/// The control of a field, by the longest path that its path begins with: "cluster.device.memory_bandwidth_gb_s" leads
/// to the device. Empty if no panel has one.
QString control_of_field(const QString& path);

}  // namespace scalescope::ui
