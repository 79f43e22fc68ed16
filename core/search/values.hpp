// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/library.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/search/axis.hpp"

/// What can be named as a value of something that is varied: for people to choose from, for "*", for a first look.
namespace scalescope::search {

/// A choice of a field, a device or link, a cluster, network or calibration, a layer.
struct Nameable {
    std::string id, name, note;
    bool in_star = true;  ///< "*" stands for it
    bool usual = true;    ///< worth a first look: a device with a price, a link where such links stand
};

/// In their order; empty where values are numbers.
std::vector<Nameable> nameable_values(const Field& field, const Scenario& scenario, const Catalogue& catalogue);
/// The same by a path, of what stands for several fields, too.
std::vector<Nameable> nameable_values(std::string_view path, const Scenario& scenario, const formats::Library& library);

/// The field of a path: of the table, or of the scenario's symbols, which live as long as `symbols`.
const Field* field_of(std::string_view path, const SymbolFields& symbols);

/// What a search may vary in a scenario beside the fields of the table and of its symbols.
bool stands_for_several(std::string_view path);

/// Paths of the fields that are often varied around such a scenario, the most telling first.
std::span<const std::string_view> usual_fields(const Scenario& scenario);

/// How many of them a search varies until a person says otherwise.
inline constexpr std::size_t first_varied = 3;

/// Values worth a first look: "1..256*2" for workers, all choices of a field that has some, half and twice a number.
std::string usual_values(std::string_view path, const Scenario& scenario, const formats::Library& library);

/// What a value of an axis is called: "Tesla K80" for "tesla-k80".
std::string value_name(const Axis& axis, std::size_t value, const formats::Library& library);

/// "a,b,c"
std::string joined_ids(const std::vector<Nameable>& all);

}  // namespace scalescope::search
