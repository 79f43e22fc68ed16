// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a Caffe net: a Problem, or a network that can be written, read again, and estimated.
#include "core/formats/caffe_import.hpp"
#include "core/formats/network_json.hpp"
#include "fuzz/checks.hpp"

using namespace scalescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    Problems warnings;
    const auto draft = formats::import_caffe_network(text, "fuzz.prototxt", &warnings);
    if (!draft) return fuzz::check_problems(draft.error());
    const std::string written = formats::write_network(*draft);
    const auto again = formats::read_network_draft(written, "written.json");
    fuzz::require(again.has_value() && formats::write_network(*again) == written,
                  "a network reads back as it was written");
    const auto network = Network::make(*draft);
    if (!network) return fuzz::check_problems(network.error());
    fuzz::check_estimate(fuzz::scenario_of(*network));
    return 0;
}
