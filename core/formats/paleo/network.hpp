// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"
#include "core/formats/paleo/net.hpp"

#include <string>
#include <string_view>

namespace scalescope::formats {

/// Reads PALEO's network file (JSON; see docs/decisions/paleo.md for what is accepted beyond PALEO). All problems of
/// the file are reported, each with line, column and layer. What PALEO accepts silently (types and fields it does not
/// know, splits that do not divide, layers that its walk would drop) becomes a warning in Net::warnings.
Result<paleo::Net> read_paleo_network(std::string_view text, std::string file, const Watch& watch = {});

/// Unfolds blocks and splits, resolves parents, orders the layers and derives every shape.
Result<paleo::Net> build_paleo_network(paleo::Description description);

/// The file as PALEO reads it, from Net::description: reading it back gives the same net.
std::string write_paleo_network(const paleo::Net& net);

}  // namespace scalescope::formats
