// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a configuration of a model: a Problem, or a network that can be written, read again, and estimated.
#include "core/formats/hugging_face/import.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

using namespace scalescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    Problems warnings;
    const auto draft = formats::import_hugging_face_config(text, "config.json", &warnings);
    fuzz::check_import(draft, warnings);
    return 0;
}
