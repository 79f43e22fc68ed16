// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <random>

#include "core/scenario/scenario.hpp"

namespace support {

/// A random network on a random mesh, with random sharded states, schedule, recomputation and links: a network of any
/// layers, a transformer or one with experts. Where it cannot run, one of its degrees does not divide.
scalescope::Scenario any_mesh(std::mt19937& random);
/// The same on one worker: all degrees 1.
scalescope::Scenario on_one_worker(scalescope::Scenario s);

}  // namespace support
