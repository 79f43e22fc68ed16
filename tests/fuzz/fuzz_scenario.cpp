// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a scenario file: a Problem, or a scenario that can be written, read again, and estimated. The same bytes
// as a saved search.
#include "core/formats/scenario_json.hpp"
#include "core/scenario/fields.hpp"
#include "core/search/asked.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

using namespace scalescope;

namespace {

void check_search(const std::string& text) {
    const auto asked = search::read_asked(text, "fuzz.json");
    if (!asked) {
        fuzz::check_problems(asked.error());
        return;
    }
    const auto again = search::read_asked(search::asked_json(*asked), "written.json");
    fuzz::require(again && *again == *asked, "a search reads back as it was written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const formats::Library library = formats::load_shipped();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_search(std::string(text));
    const auto no_files = [](const std::filesystem::path&) -> Result<std::string> {
        return fail(Problem{Severity::error, "No files here.", {}, "Nothing.", {}});
    };
    const auto read = formats::read_scenario(text, "fuzz.json", library, no_files);
    if (!read) return fuzz::check_problems(read.error());
    const std::string written = formats::write_scenario(read->scenario, library, read->view, read->pins);
    const auto again = formats::read_scenario(written, "written.json", library, no_files);
    fuzz::require(
        again.has_value() && formats::write_scenario(again->scenario, library, again->view, again->pins) == written,
        "a scenario reads back as it was written");
    for (const Field& f : all_fields()) {
        const std::string value = field_text(f, read->scenario);
        fuzz::require(value == field_text(f, again->scenario), "every field is the same after a round");
    }
    fuzz::require(describe_change(read->scenario, again->scenario).size() < 100000, "a change can be described");
    fuzz::check_estimate(read->scenario);
    return 0;
}
