// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>

#include "core/base/limits.hpp"
#include "core/formats/catalogue_json.hpp"

/// What the readers and writers of catalogue files have in common.
namespace scalescope::formats {

/// Texts that are listed: sources, fields without a source.
inline std::vector<std::string> decode_texts(JsonFields& fields, std::string_view name) {
    const auto found = fields.any(name);
    if (!found || found->is_null()) return {};
    return fields.texts(name).value_or(std::vector<std::string>{});
}

inline std::vector<std::string> decode_sources(JsonFields& fields, const SourceKeys& keys) {
    auto list = decode_texts(fields, "sources");
    for (std::string& s : list)
        if (const auto it = keys.find(s); it != keys.end()) s = it->second;
    return list;
}

inline void encode_texts(JsonWriter& out, std::string_view name, const std::vector<std::string>& texts, bool always) {
    if (texts.empty() && !always) return;
    out.key(name);
    out.begin_inline_list();
    for (const auto& t : texts) out.text(t);
    out.end_list();
}

inline void encode_text(JsonWriter& out, std::string_view name, const std::string& text) {
    if (text.empty()) return;
    out.key(name);
    out.text(text);
}

inline std::string text_or_empty(JsonFields& fields, std::string_view name) {
    return std::string(fields.optional_text(name).value_or(std::string_view{}));
}

/// What every row begins with, and what it may end with.
template <class T>
void decode_name(JsonFields& fields, T& row) {
    row.id = fields.text("id").value_or("");
    row.name = fields.text("name").value_or("");
}
template <class T>
void decode_evidence(JsonFields& fields, const SourceKeys& keys, T& row) {
    row.sources = decode_sources(fields, keys);
    row.unverified = decode_texts(fields, "unverified");
}
template <class T>
void encode_name(JsonWriter& out, const T& row) {
    out.key("id");
    out.text(row.id);
    out.key("name");
    out.text(row.name);
}
template <class T>
void encode_evidence(JsonWriter& out, const T& row) {
    encode_texts(out, "sources", row.sources, true);
    encode_texts(out, "unverified", row.unverified, false);
}

/// The rows of a catalogue file: `{"format", "version", "sources": {…}, "<list>": […]}`.
template <class T, class Decode>
Result<std::vector<T>> read_rows(std::string_view text, std::string file, const FileFormat& format,
                                 std::string_view list, Decode decode) {
    auto document = open_document(text, std::move(file), format);
    if (!document) return tl::unexpected(document.error());
    ProblemList problems;
    JsonFields fields(document->root(), {}, problems);
    for (auto name : {"format", "version", "$schema"}) fields.ignore(name);
    SourceKeys keys;
    if (const auto sources = fields.optional("sources", JsonKind::object))
        for (const JsonValue s : *sources) {
            if (!s.is_string())
                problems.error(s.at(), join_path("sources", s.key()), "A source is a text.",
                               "Write where the figures come from, in double quotes.");
            keys.emplace(s.key(), s.text());
        }
    std::vector<T> rows;
    std::set<std::string> ids;
    if (const auto values = fields.required(list, JsonKind::array))
        for (const JsonValue row : *values) {
            const auto id = row.is_object() ? row.find("id") : std::nullopt;
            const std::string name = id && id->is_string() && id->text().size() <= 100
                                         ? std::string(id->text())
                                         : std::to_string(rows.size() + 1);
            auto decoded = decode(row, join_path(list, name), keys, problems);
            if (problems.all().size() > limits::problems) break;
            if (!decoded) continue;
            if (!ids.insert(decoded->id).second)
                problems.error(row.at(), join_path(list, name),
                               "Two entries have the id " + formats::quoted(decoded->id) + ".",
                               "Give each its own id.");
            rows.push_back(std::move(*decoded));
        }
    fields.finish();
    if (problems.has_errors()) return fail(problems.take());
    return rows;
}

template <class T>
std::string write_rows(const FileFormat& format, std::string_view list, std::span<const T> rows,
                       void (*encode)(JsonWriter&, const T&)) {
    JsonWriter out;
    out.begin_object();
    out.key("format");
    out.text(format.name);
    out.key("version");
    out.integer(format.newest());
    out.key(list);
    out.begin_list();
    for (const T& row : rows) encode(out, row);
    out.end_list();
    out.end_object();
    return out.take();
}

}  // namespace scalescope::formats
