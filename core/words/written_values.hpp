// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/formats/library.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {

/// The name by which formats::set_by_name() knows a value that people write otherwise: "h100-sxm-80gb" for "NVIDIA H100
/// 80GB HBM3" of cluster.device, "bf16" for "amp_bf16" of training.precision. Devices, links, clusters, networks,
/// precisions, recomputation and sharding are read (docs/decisions/names.md). A value that is known as it is written,
/// or has no certain meaning, stays as it is.
std::string value_meant(const formats::Library& library, const Scenario& scenario, std::string_view path,
                        const std::string& value);

}  // namespace scalescope
