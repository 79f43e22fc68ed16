// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>

#include "core/scenario/scenario.hpp"

/// What core says in words, for the tests of its translations.
namespace support {

/// Of fields, figures, layer kinds and their attributes: the tables' own texts.
std::set<std::string> said_by_tables();
/// Of one scenario: every page of the why panel that can be reached, notes, walls, what moves its step, evidence; or
/// why it cannot be estimated.
std::set<std::string> said_about(const scalescope::Scenario& scenario);

}  // namespace support
