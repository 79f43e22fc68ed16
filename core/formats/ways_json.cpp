// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/formats/catalogue_rows.hpp"
#include "core/scenario/ways.hpp"

namespace scalescope::formats {

const FileFormat ways_format{"scalescope-ways", "way", {}};
const FileFormat trainers_format{"scalescope-trainers", "trainer", {}};

namespace {

constexpr std::array<std::string_view, 3> curve_words{"always", "with_attention", "without_attention"};

/// A value as set_field takes it.
std::string value_text(JsonValue value) {
    if (value.is_string()) return std::string(value.text());
    return std::string(value.source());
}

/// Settings of which `takes` says whether they may stand there: a scenario in which one was made.
template <class Takes>
std::vector<Way::Setting> decode_settings(JsonFields& fields, ProblemList& problems, const char* others, Takes takes) {
    std::vector<Way::Setting> settings;
    const auto given = fields.required("settings", JsonKind::object);
    if (!given) return settings;
    Scenario tried;  // that its fields take the values
    for (const JsonValue value : *given) {
        Way::Setting setting{std::string(value.key()), value_text(value)};
        const auto wrong = [&](std::string what, std::string remedy) {
            problems.error(value.at(), join_path(join_path(fields.path(), "settings"), value.key()), std::move(what),
                           std::move(remedy));
        };
        if (const auto set = set_of_way(tried, setting); !set)
            wrong(set.error().front().what, set.error().front().remedy);
        else if (!takes(setting, tried))
            wrong(others, "Name one of them: scalescope list fields");
        settings.push_back(std::move(setting));
    }
    return settings;
}

}  // namespace

namespace {

template <class T, class Takes>
Result<std::vector<T>> read_settings(std::string_view text, std::string file, const FileFormat& format,
                                     const char* member, const char* others, Takes takes) {
    const auto decode = [&](JsonValue row, std::string path, const SourceKeys& sources, ProblemList& problems) {
        return decode_row<T>(row, std::move(path), problems, [&](auto& record, T& way) {
            describe_name(record, way);
            record.text("description", way.description);
            way.settings = decode_settings(record.fields, problems, others, takes);
            if constexpr (std::is_same_v<T, Way>)
                if (const auto curve = record.fields.any("curve"); curve && !curve->is_null())
                    record.word("curve", way.curve, curve_words);
            record.optional_texts("sources", way.sources);
            spell_out(way.sources, sources);
        });
    };
    return read_rows<T>(text, std::move(file), format, member, decode);
}

}  // namespace

Result<std::vector<Way>> read_ways(std::string_view text, std::string file) {
    return read_settings<Way>(
        text, std::move(file), ways_format, "ways", "A way to divide the work sets fields of parallelism only.",
        [](const Way::Setting& setting, const Scenario&) { return setting.path.starts_with(way_fields); });
}

Result<std::vector<Trainer>> read_trainers(std::string_view text, std::string file) {
    return read_settings<Trainer>(text, std::move(file), trainers_format, "trainers",
                                  "A trainer sets what it holds in memory only.",
                                  [](const Way::Setting&, Scenario tried) {
                                      tried.model.trainer = {};
                                      return tried == Scenario{};
                                  });
}

}  // namespace scalescope::formats
