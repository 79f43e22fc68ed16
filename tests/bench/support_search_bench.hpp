// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

#include "core/formats/library.hpp"
#include "core/search/search.hpp"

/// What benchmarks of searches have in common: spaces by the words of the command line, and what is counted.
namespace bench {

const scalescope::formats::Library& library();
/// As --vary takes it; ends the program if it is none.
scalescope::search::Axis axis(const scalescope::Scenario& base, const char* path, const char* values);
scalescope::search::Space space(const scalescope::Scenario& base, std::vector<scalescope::search::Axis> axes);

/// The search, again and again; "scored/s" counts what was really scored, nothing that was pruned.
void search_all(benchmark::State& state, const scalescope::search::Space& space,
                const scalescope::search::Question& question, unsigned threads);
/// One combination after another by estimate() alone, on a few of them.
void search_naively(benchmark::State& state, const scalescope::search::Space& space);

}  // namespace bench
