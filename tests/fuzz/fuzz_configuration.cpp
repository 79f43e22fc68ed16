// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a training configuration: a Problem, or a scenario that can be estimated, and written for every trainer.
#include "core/formats/trainers/settings.hpp"
#include "core/words/configured.hpp"
#include "fuzz/checks.hpp"

using namespace scalescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const formats::Library library = formats::load_shipped();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto settings = formats::trainers::read_settings(text, "fuzz");
    if (!settings) fuzz::check_problems(settings.error());
    const bool recognized = is_configured_scenario(text);
    const auto reading = formats::trainers::read_configuration(text, "fuzz");
    fuzz::require(!recognized || reading.has_value(), "what is recognized is read");
    if (!reading) return fuzz::check_problems(reading.error());
    fuzz::require(reading->notes.size() <= limits::problems, "notes have a bearable length");
    constexpr std::int64_t quick = 100;  // layers; more are slow, and like these
    if (reading->whole("layers").value_or(1) > quick) return 0;
    const auto read = scenario_configured(*reading, library);
    if (!read) return fuzz::check_problems(read.error());
    for (const Problem& note : read->warnings)
        fuzz::require(note.severity == Severity::warning && !note.what.empty() && !note.remedy.empty(),
                      "a note says what is assumed and what to do");
    fuzz::check_estimate(read->scenario);
    for (const std::string& trainer : written_trainers()) {
        const auto written = configuration_for(trainer, read->scenario, "fuzz");
        if (written)
            fuzz::require(is_configured_scenario(written->text), "what is written can be read");
        else
            fuzz::check_problems(written.error());
    }
    return 0;
}
