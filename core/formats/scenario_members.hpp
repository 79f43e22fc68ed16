// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "core/scenario/scenario.hpp"

/// What reader and writer of scenario files share.
namespace scalescope::formats {

struct PassName {
    std::string_view name;
    bool Passes::*member;
};
inline constexpr std::array<PassName, 5> pass_names{{{"forward", &Passes::forward},
                                                     {"backward", &Passes::backward},
                                                     {"weights", &Passes::weights},
                                                     {"to_data", &Passes::to_data},
                                                     {"update", &Passes::update}}};

/// What a file of a CPU cluster may leave out, and what its scenario has then.
struct Usual {
    std::string_view path, preset;
};
inline constexpr Usual usual_device{"cluster.device", "paleo-k20"}, usual_inside{"cluster.inside", "pcie-2-64"},
    usual_between{"cluster.between", "ethernet-10"};

/// "training.batch" → "batch" for the section "training"; empty for fields of other sections and of objects below it.
inline std::string_view member_of(std::string_view path, std::string_view section) {
    if (!path.starts_with(section) || path.size() <= section.size() || path[section.size()] != '.') return {};
    path.remove_prefix(section.size() + 1);
    return path.find('.') == std::string_view::npos ? path : std::string_view{};
}

}  // namespace scalescope::formats
