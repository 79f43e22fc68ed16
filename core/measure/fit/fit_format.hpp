// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace scalescope::measure {

/// What files of fits say they are.
inline constexpr std::string_view fit_format_name = "scalescope-fit";

}  // namespace scalescope::measure
