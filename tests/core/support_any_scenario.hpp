// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <random>
#include <string>

#include "core/scenario/fields.hpp"

/// Random scenarios over the whole table of fields: every method, strategy, shipped device, link, machine and, up to a
/// size, network.
namespace support {

/// Valid in every single field; the fields together may still not make sense.
scalescope::Scenario any_scenario(std::mt19937& random);

/// A random value that the field takes, as set_field reads it; nothing if it has none in this scenario.
std::optional<std::string> any_value(std::mt19937& random, const scalescope::Field& field,
                                     const scalescope::Scenario& scenario);

}  // namespace support
