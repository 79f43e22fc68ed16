// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a network file: a Problem, or a network that can be written, read again, and estimated in every way.
#include "core/formats/library.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

using namespace scalescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    Problems warnings;
    const auto draft = formats::read_any_network_draft(text, "fuzz.json", &warnings);
    if (!draft) return fuzz::check_problems(draft.error());
    const auto network = fuzz::check_draft(*draft);
    if (!network) return 0;
    fuzz::estimate_every_way(fuzz::scenario_of(network));
    return 0;
}
