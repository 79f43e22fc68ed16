// SPDX-License-Identifier: GPL-3.0-or-later
// Any JSON as a Keras model: a Problem, or a network that can be written, read again, and estimated.
#include "core/formats/keras/import.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

using namespace scalescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    Problems warnings;
    const auto draft = formats::import_keras_network(text, "fuzz.json", &warnings);
    fuzz::check_import(draft, warnings);
    return 0;
}
