// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

#include "core/scenario/fields.hpp"

namespace scalescope::ui {

/// One of the choices of a field, "per_sample", as people read it. The same word is told otherwise for other fields:
/// a tree of the all-reduce, a layer called so.
QString told_choice(const Field& field, std::string_view choice);
/// The same for what a field of that label is said to have: "by layer", "12 GB/s", the name of a layer.
QString told_value(std::string_view label, std::string_view value);

}  // namespace scalescope::ui
