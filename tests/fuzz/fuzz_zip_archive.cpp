// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as an archive: a Problem, or a member of the size that its directory states.
#include "core/base/limits.hpp"
#include "core/formats/zip_archive.hpp"
#include "fuzz/checks.hpp"

using namespace scalescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto text = formats::unpack_member(bytes, "config.json", "fuzz.keras");
    if (!text) return fuzz::check_problems(text.error());
    fuzz::require(text->size() <= limits::file_bytes, "what comes out is bounded");
    return 0;
}
