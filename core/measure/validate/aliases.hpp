// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hardware/catalogue.hpp"
#include "core/measure/validate/published.hpp"

namespace scalescope::measure {

/// What tables call a network, and which preset it is.
struct NetworkAlias {
    std::vector<std::string> names;
    std::string network;           ///< id of a preset
    double tokens_per_sample = 1;  ///< in what rates of tokens count; 1: a sample is what is counted
    std::string note;
};

using Conditions = std::vector<std::pair<std::string, std::string>>;

/// Which family of transformers a network is of that a table describes by its figures: for names that contain `words`
/// (letter case does not count; empty: every name). The first that fits counts.
struct FamilyAlias {
    std::string words;
    std::string family;  ///< "gpt2", "mpt" or "llama", as Hugging Face's configurations name it
    std::string note;
};

/// Cells that a table leaves empty, and what another source says of them: for every row that meets `when`. Later rules
/// see what earlier ones have filled.
struct CellRule {
    Conditions when;                                         ///< as those of a SettingRule
    std::vector<std::pair<std::string, std::string>> cells;  ///< column and text
    std::vector<std::string> sources;                        ///< spelled out
    std::string note;                                        ///< the assumption, if no source states it
};

/// Rows whose values were computed by somebody's model, not measured: they are predicted, and nothing is learnt from
/// them.
struct ModelledRule {
    Conditions when;
    std::string note;
};

/// Fields of the scenario that a table leaves open and another source says: for every row whose cells contain all
/// words of `when`. Later rules win.
struct SettingRule {
    Conditions when;  ///< column and words, letter case does not count; workers exactly; no words: the cell is empty
    std::vector<std::pair<std::string, std::string>> set;  ///< path of a field and its text, as --set takes them
    std::vector<std::string> sources;                      ///< spelled out
    std::string note;
    bool of_decoders = false;  ///< only for networks with causal attention
    bool of_measured = false;  ///< only for devices whose rate of products the catalogue has
};

/// How words of published tables are read: presets/aliases/*.json, which anybody can look at and change.
struct Aliases {
    std::vector<NetworkAlias> networks;
    std::vector<SettingRule> settings;
    std::vector<FamilyAlias> families;
    std::vector<CellRule> cells;
    std::vector<ModelledRule> modelled;

    /// By any of its names, letter case, spaces, '-' and '_' do not count; nullptr if there is none.
    const NetworkAlias* network(std::string_view name) const;
    /// Of the network called so; nullptr if none fits.
    const FamilyAlias* family(std::string_view name) const;
};

bool meets(const PublishedRow& row, const Conditions& when);
inline bool applies(const SettingRule& rule, const PublishedRow& row) { return meets(row, rule.when); }

/// A file of aliases (presets/schema/aliases.schema.json). Every problem is reported, with its place.
Result<Aliases> read_aliases(std::string_view text, std::string file);
/// Those that are shipped.
Result<Aliases> shipped_aliases();

}  // namespace scalescope::measure
