// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/report/report.hpp"

namespace scalescope::report {

/// A drawing that goes along: an SVG file.
struct Picture {
    std::string title, svg;
    int comparison = -1;  ///< the one it belongs to; −1: all designs
};

/// Text inside an element or an attribute; what no XML may hold is left out.
std::string escaped(std::string_view text);

/// One file with nothing outside it, well-formed as XML too, that prints on A4 in black and white.
std::string to_html(const Report& report, const std::vector<Picture>& pictures);

}  // namespace scalescope::report
