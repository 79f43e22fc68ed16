// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/profiles.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "core/base/letters.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/catalogue_rows.hpp"
#include "core/formats/embedded.hpp"

namespace scalescope::measure {

namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;
using formats::ProblemList;
using formats::RecordReader;

constexpr formats::FileFormat profiles_format{"scalescope-profiles", "list of profiles", {}};

/// What a profile may look at. The address or title of a table is not among them.
constexpr std::string_view condition_columns =
    "framework network device interconnect precision metric recompute sharding notes workers inside between";

Texts read_pairs(RecordReader& row, std::string_view name) {
    Texts all;
    const auto object = row.fields.optional(name, JsonKind::object);
    if (!object) return all;
    for (const JsonValue member : *object) {
        if (member.is_string())
            all.emplace_back(member.key(), member.text());
        else
            row.fields.error(member.key(), member, "Its value is a text.", "Write it in double quotes, numbers too.");
    }
    return all;
}

void read_profile(RecordReader& row, Profile& profile, const formats::SourceKeys& keys) {
    profile.when = read_pairs(row, "when");
    row.optional_text("mentions", profile.mentions);
    row.optional_boolean("of_decoders", profile.of_decoders);
    row.optional_boolean("of_measured_devices", profile.of_measured);
    profile.cells = read_pairs(row, "cells");
    profile.set = read_pairs(row, "set");
    row.optional_texts("sources", profile.sources);
    formats::spell_out(profile.sources, keys);
    row.optional_text("note", profile.note);
    for (const auto& condition : profile.when)
        if (!is_among(condition.first, condition_columns))
            row.fields.error("A profile cannot look at " + formats::quoted(condition.first) + ".",
                             "Use framework, network, device, interconnect, inside, between, precision, metric, "
                             "recompute, sharding, notes or workers.");
    for (const auto& cell : profile.cells)
        if (!is_fillable_column(cell.first))
            row.fields.error("Tables have no column " + formats::quoted(cell.first) + ".",
                             "Use a column of published tables, such as seq, vocab or micro_batch.");
}

bool contains(std::string_view text, std::string_view words) {
    return in_small_letters(text).find(in_small_letters(words)) != std::string::npos;
}
/// The letters and digits of a name: "Llama 2 70B" is "llama2-70b".
std::string squeezed(std::string_view name) {
    std::string text = in_small_letters(name);
    std::erase_if(text, [](unsigned char c) { return !std::isalnum(c); });
    return text;
}

}  // namespace

bool meets(const PublishedRow& row, const Conditions& when, const Cluster* cluster) {
    return std::all_of(when.begin(), when.end(), [&](const auto& condition) {
        const auto& [column, words] = condition;
        if (column == "workers") return words == std::to_string(row.workers);
        if (column == "inside" || column == "between")
            return cluster && contains((column == "inside" ? cluster->inside : cluster->between).id, words);
        const std::string* cell = text_cell(row, column);
        if (!cell) return false;
        if (column == "device" && cluster && !words.empty() && contains(cluster->device.name, words)) return true;
        const std::string name = column == "network" ? squeezed(words) : std::string();
        if (!name.empty() && squeezed(*cell).find(name) != std::string::npos) return true;
        return words.empty() ? cell->empty() : contains(*cell, words);
    });
}

Result<Profiles> read_profiles(std::string_view text, std::string file) {
    ASSIGN_OR_RETURN(auto document, formats::open_document(text, std::move(file), profiles_format));
    ProblemList problems;
    JsonFields fields(document.root(), {}, problems);
    for (const auto* name : {"format", "version", "$schema"}) fields.ignore(name);
    formats::SourceKeys keys;
    if (const auto sources = fields.optional("sources", JsonKind::object))
        for (const JsonValue s : *sources)
            if (s.is_string()) keys.emplace(s.key(), s.text());
    Profiles all;
    RecordReader(fields, problems).rows("profiles", all, [&](RecordReader& row, Profile& profile) {
        read_profile(row, profile, keys);
    });
    fields.finish();
    if (problems.has_errors()) return fail(problems.take());
    return all;
}

Result<Profiles> shipped_profiles() {
    Profiles all;
    for (const auto& embedded : formats::embedded_files()) {
        if (!embedded.path.starts_with("profiles/")) continue;
        ASSIGN_OR_RETURN(auto read, read_profiles(embedded.text, std::string(embedded.path)));
        all.insert(all.end(), std::make_move_iterator(read.begin()), std::make_move_iterator(read.end()));
    }
    return all;
}

}  // namespace scalescope::measure
