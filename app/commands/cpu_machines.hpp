// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/library.hpp"

namespace scalescope::app {

/// What is given after --machine: a file with one machine, or the name of one that is known.
Result<CpuMachine> machine_named(const std::string& name, const formats::Library& library);

}  // namespace scalescope::app
