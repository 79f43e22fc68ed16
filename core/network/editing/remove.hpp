// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/network/editing/edit.hpp"

namespace scalescope::editing {

/// Takes the layers out. Whoever read one of them reads its input instead: of several inputs the first whose shape is
/// that of the output, else the first. Behind a layer that read nothing, inputs are left open. Weights that others
/// share pass to the first of those. Selected is what the removed ones read.
Edit remove_layers(const NetworkDraft& draft, std::span<const LayerId> layers);

}  // namespace scalescope::editing
