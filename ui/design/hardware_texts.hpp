// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

/// Words that all choosers of hardware share.
namespace scalescope::ui {

/// What a row of the catalogue says of itself: its note, what of it nobody verified, its sources. Empty if nothing.
QString source_tip(const std::vector<std::string>& sources, const std::vector<std::string>& unverified,
                   const std::string& note);

}  // namespace scalescope::ui
