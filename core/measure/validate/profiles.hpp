// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/measure/validate/published.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope::measure {

/// Column and words. Letter case does not count.
using Conditions = std::vector<std::pair<std::string, std::string>>;
using Texts = std::vector<std::pair<std::string, std::string>>;

/// What a run leaves open and follows from what it says of itself: its framework, network, device, links or notes.
struct Profile {
    Conditions when;                   ///< all must hold; see meets()
    std::string mentions;              ///< lowercase word that a text of the run or its page must contain, if not empty
    bool of_decoders = false;          ///< only for networks with causal attention
    bool of_measured = false;          ///< only for devices whose rate of products the catalogue has
    Texts cells;                       ///< column and text of cells that the table leaves empty
    Texts set;                         ///< path of a field of the scenario and its text, as --set takes them
    std::vector<std::string> sources;  ///< spelled out
    std::string note;                  ///< the assumption, if no source states it
};

/// presets/profiles/*.json. Cells that earlier profiles have filled count for later ones; of settings, later ones win.
using Profiles = std::vector<Profile>;

/// Whether every cell contains the words of its condition; no words: the cell is empty. `workers` must be equal.
/// `inside` and `between` are the ids of the links; they are not met without a cluster. With one, the device's name in
/// the catalogue counts as well as that in the cell.
bool meets(const PublishedRow& row, const Conditions& when, const Cluster* cluster = nullptr);

/// A file of profiles (presets/schema/profiles.schema.json). Every problem is reported, with its place.
Result<Profiles> read_profiles(std::string_view text, std::string file);
/// Those that are shipped.
Result<Profiles> shipped_profiles();

}  // namespace scalescope::measure
