// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
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

/// In which language the page speaks. Titles, questions, and names stay as a person wrote them.
struct Speech {
    std::string code = "en";
    std::function<std::string(std::string_view)> tell = [](std::string_view said) { return std::string(said); };
};

/// Translates a value of the field called `label`. The choice "data" of the field "Filling axis" is translated; the
/// name of a layer that is called "data" is not.
std::string tell_value(const Speech& in, const std::string& label, const std::string& value);

/// Text inside an element or an attribute; what no XML may hold is left out.
std::string escaped(std::string_view text);

/// One file with nothing outside it, well-formed as XML too, that prints on A4 in black and white.
std::string to_html(const Report& report, const std::vector<Picture>& pictures, const Speech& speech = {});

}  // namespace scalescope::report
