// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a Caffe net: a Problem, or a network that can be written, read again, and estimated.
#include "core/formats/caffe/import.hpp"
#include "fuzz/checks.hpp"

using namespace scalescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    Problems warnings;
    const auto draft = formats::import_caffe_network(text, "fuzz.prototxt", &warnings);
    fuzz::check_import(draft, warnings);
    return 0;
}
