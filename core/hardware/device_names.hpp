// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"
#include "core/hardware/catalogue.hpp"

namespace scalescope {

/// A name as one word, without what says nothing: letter case, signs, makers, "Tesla" and "GeForce", the generation of
/// a socket. "NVIDIA A100-SXM4-40GB" and "a100-sxm-40gb" are the same. What else a device is called is a row of
/// presets/aliases, folded in the same way.
std::string folded_device_name(std::string_view name);

/// The devices that drivers and tables may mean: "NVIDIA A100-SXM4-40GB", "Tesla V100-PCIE-32GB", "H100 80GB HBM3",
/// "T4". One by its id or name, folded; else all that have every word of the name.
std::vector<const Device*> fitting_devices(const Catalogue& catalogue, std::string_view name);

/// The only one of them, or a problem that says what to write instead.
Result<const Device*> require_device(const Catalogue& catalogue, std::string_view name);

}  // namespace scalescope
