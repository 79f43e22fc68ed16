// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>
#include <vector>

#include "core/network/kind.hpp"

namespace scalescope::ui {

/// Kinds of layers that do the same sort of thing: a heading of the palette, and an icon.
struct KindFamily {
    const char* title;  ///< to be translated in the context "palette"
    const char* icon;   ///< resources/icons/kind-….svg
    std::vector<std::string_view> kinds;
};

/// In the order of the palette. A kind that nobody has put into a family is in none.
const std::vector<KindFamily>& kind_families();

/// The name of its family's icon; a cube for a kind without a family.
QString family_icon(const Kind& kind);

}  // namespace scalescope::ui
