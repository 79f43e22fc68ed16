// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/scenario_json.hpp"

#include <string>
#include <string_view>

/// A scenario as one piece of text that another Scalescope takes: "scalescope:1:PACKED:SUM". PACKED is the scenario
/// file, packed by gzip, in the URL-safe alphabet of base64 without padding (RFC 4648, section 5); SUM is the CRC-32 of
/// the packed bytes, eight hexadecimal digits. See docs/decisions/comparing.md.
namespace scalescope::formats {

/// How messages call such a text.
inline constexpr std::string_view link_title = "the scenario link";

/// Whether a text begins like a link, of whatever version.
bool is_link(std::string_view text);

/// What `from_link` gives the same scenario for, bit for bit. Problem: larger than a link may be.
Result<std::string> to_link(const Scenario& scenario, const Library& library);

/// Spaces and line breaks in the text, as mails put them there, do not count. What is unpacked is read like a scenario
/// file, with its migrations and checks, but opens no other file. Problems: no link, cut off, damaged, of a newer
/// version, too large packed or unpacked; and those of the file.
Result<ReadScenario> from_link(std::string_view text, const Library& library, const Watch& watch = {});

}  // namespace scalescope::formats
