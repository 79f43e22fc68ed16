// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/json_document.hpp"
#include "core/formats/json_writer.hpp"

#include <span>
#include <string>
#include <string_view>

/// Every file of ours says what it is ("format") and which version of it ("version").
namespace scalescope::formats {

/// Rewrites the text of one version as the next one; `root` is the parsed file, known to be an object. None where the
/// reader takes what the next version has not.
using Migration = std::string (*)(JsonValue root);

/// A format as this program knows it. `migrations[k]` leads from version k + 1 to k + 2, so the newest version is one
/// more than there are migrations: a new version is a new row, and the readers only ever see the newest.
struct FileFormat {
    std::string_view name;   ///< "scalescope-network"
    std::string_view title;  ///< "network", for messages
    std::span<const Migration> migrations;

    int newest() const { return static_cast<int>(migrations.size()) + 1; }
};

/// Parses `text`, checks that it is of this format, and brings it to the newest version. After a migration, positions
/// are those of the rewritten text, and its file name says so.
Result<JsonDocument> open_document(std::string_view text, std::string file, const FileFormat& format,
                                   const Watch& watch = {});

/// Opens the object of a whole file and writes what it is; the caller ends the object.
void begin_file(JsonWriter& out, const FileFormat& format);

/// The format a text names ("scalescope-network"); empty if it names none.
std::string format_of(std::string_view text);

/// The text of a member of the outermost object, without parsing the rest; empty if it is missing, not a text, or
/// escaped.
std::string peek_text(std::string_view text, std::string_view name);
/// The kind of that member's value, judged by its first character; null if there is no such member.
JsonKind peek_kind(std::string_view text, std::string_view name);

}  // namespace scalescope::formats
