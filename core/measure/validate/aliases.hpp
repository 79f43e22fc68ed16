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

struct DeviceAlias {
    std::vector<std::string> names;
    std::string device;  ///< id in the catalogue
    std::string note;
};

struct PrecisionAlias {
    std::vector<std::string> names;
    Precision precision = Precision::fp32;
};

/// Fields of the scenario that a table leaves open and another source says: for every row whose cells contain all
/// words of `when`. Later rules win.
struct SettingRule {
    std::vector<std::pair<std::string, std::string>>
        when;  ///< column and words, letter case does not count; workers exactly
    std::vector<std::pair<std::string, std::string>> set;  ///< path of a field and its text, as --set takes them
    std::vector<std::string> sources;                      ///< spelled out
    std::string note;
};

/// How words of published tables are read: presets/aliases/*.json, which anybody can look at and change.
struct Aliases {
    std::vector<NetworkAlias> networks;
    std::vector<DeviceAlias> devices;
    std::vector<PrecisionAlias> precisions;
    std::vector<SettingRule> settings;

    /// By any of its names, letter case, spaces, '-' and '_' do not count; nullptr if there is none. Names of devices
    /// are folded as folded_device_name does.
    const NetworkAlias* network(std::string_view name) const;
    const DeviceAlias* device(std::string_view name) const;
    const PrecisionAlias* precision(std::string_view name) const;
};

/// The device that drivers, tables or people call so: one that recognized_device knows, or, if no device fits the name,
/// by the shipped aliases. nullptr if there is none, or if several fit: what a published table means by "V100" is not
/// what anybody else does.
const Device* device_called(const Catalogue& catalogue, std::string_view name);

bool applies(const SettingRule& rule, const PublishedRow& row);

/// A file of aliases (presets/schema/aliases.schema.json). Every problem is reported, with its place.
Result<Aliases> read_aliases(std::string_view text, std::string file);
/// Those that are shipped.
Result<Aliases> shipped_aliases();

}  // namespace scalescope::measure
