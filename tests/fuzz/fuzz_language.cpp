// SPDX-License-Identifier: GPL-3.0-or-later
// Templates of a language, and what is told by them: whatever a file holds, telling ends, and numbers of holes agree.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/language/catalogue.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace scalescope;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    language::Catalogue catalogue;
    if (const auto problems = language::read_language(text, "fuzz.json", catalogue); !problems.empty())
        fuzz::check_problems(problems);
    catalogue.sort();
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = rest.find('"');
        const std::string_view said = rest.substr(0, end);
        (void)catalogue.tell(said);
        (void)catalogue.unknown(said.substr(0, 4096));
        if (end == std::string_view::npos) break;
        rest.remove_prefix(end + 1);
    }
    return 0;
}
