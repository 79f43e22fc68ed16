// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/base/problem.hpp"
#include "core/hardware/catalogue.hpp"

namespace scalescope {

/// The device that drivers and tables call so: "NVIDIA A100-SXM4-40GB", "Tesla V100-PCIE-32GB", "H100 80GB HBM3", "T4".
/// First by id and name; else the one device that has every word of the name. nullptr if none or several have.
const Device* recognized_device(const Catalogue& catalogue, std::string_view name);

/// The same, or a problem that says what to write instead.
Result<const Device*> require_device(const Catalogue& catalogue, std::string_view name);

}  // namespace scalescope
