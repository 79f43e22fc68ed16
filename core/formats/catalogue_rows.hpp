// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>

#include "core/base/limits.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/json_record.hpp"

/// What the readers and writers of catalogue files have in common.
namespace scalescope::formats {

/// Replaces the keys of sources by what they stand for.
inline void spell_out(std::vector<std::string>& sources, const SourceKeys& keys) {
    for (std::string& s : sources)
        if (const auto it = keys.find(s); it != keys.end()) s = it->second;
}

/// What every row begins with, and what it may end with.
template <class Record, class Row>
void describe_name(Record& record, Row& row) {
    record.text("id", row.id);
    record.text("name", row.name);
}
template <class Record, class Row>
void describe_evidence(Record& record, Row& row, const SourceKeys& keys) {
    record.optional_texts("sources", row.sources);
    if constexpr (Record::reads) spell_out(row.sources, keys);
    if (Record::reads || !row.unverified.empty()) record.optional_texts("unverified", row.unverified);
}

/// A row as `describe` says; nothing if there was an error.
template <class Row, class Describe>
std::optional<Row> decode_row(JsonValue value, std::string path, ProblemList& problems, Describe describe) {
    const std::size_t errors = problems.errors();
    JsonFields fields(value, std::move(path), problems);
    RecordReader record(fields, problems);
    Row row;
    describe(record, row);
    fields.finish();
    if (problems.errors() > errors) return std::nullopt;
    return row;
}

template <class Row, class Describe>
void encode_row(JsonWriter& out, const Row& row, Describe describe) {
    RecordWriter record(out);
    out.begin_object();
    describe(record, row);
    out.end_object();
}

/// The rows of a catalogue file: `{"format", "version", "sources": {…}, "<list>": […]}`.
template <class T, class Decode>
Result<std::vector<T>> read_rows(std::string_view text, std::string file, const FileFormat& format,
                                 std::string_view list, Decode decode) {
    ASSIGN_OR_RETURN(auto document, open_document(text, std::move(file), format));
    ProblemList problems;
    JsonFields fields(document.root(), {}, problems);
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
    begin_file(out, format);
    out.begin_list(list);
    for (const T& row : rows) encode(out, row);
    out.end_list();
    out.end_object();
    return out.take();
}

}  // namespace scalescope::formats
