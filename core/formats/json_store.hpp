// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_document.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What lies behind a JsonDocument. Compact (32 bytes a value), so that a large hostile file cannot eat the memory.
namespace scalescope::formats::detail {

inline constexpr std::uint32_t no_key = UINT32_MAX;
inline constexpr std::size_t no_offset = static_cast<std::size_t>(-1);

/// Offset of the first byte that is no UTF-8 text (RFC 3629), or of a zero byte; no_offset if all is well.
std::size_t first_bad_byte(std::string_view text);

/// A slice of the file's text, or of the unescaped strings.
struct JsonSlice {
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
};

struct JsonNode {
    std::uint32_t offset = 0;    ///< of the value's first byte in the text
    std::uint32_t text_end = 0;  ///< one past its last byte
    std::uint32_t next = 0;      ///< the node after this one and all its descendants
    std::uint32_t key = no_key;
    union {
        std::int64_t integer;
        double number;
        JsonSlice slice;
        std::uint64_t count;
        bool boolean;
    };
    JsonKind kind = JsonKind::null;
    bool is_integer = false;
    bool unescaped = false;  ///< slice points into JsonStore::unescaped

    JsonNode() : integer(0) {}
};

struct JsonKey {
    std::uint32_t offset = 0;
    JsonSlice slice;
    bool unescaped = false;
};

/// Offsets to lines and columns. Keeps where every 1024th byte stands, so that asking is quick however long lines are,
/// and memory small however many there are.
class LineTable {
public:
    explicit LineTable(std::string_view text);
    void locate(std::string_view text, std::size_t offset, SourcePosition& at) const;

private:
    struct Checkpoint {
        std::uint32_t line = 0;        ///< from 0
        std::uint32_t characters = 0;  ///< of that line, before here
    };
    std::vector<Checkpoint> checkpoints_;
};

/// The text of a file, what of it had to be unescaped, and where each byte of it stands. A text that is kept elsewhere
/// is not copied.
struct LocatedText {
    LocatedText(std::string_view source, std::string name);
    /// Keeps the text.
    LocatedText(std::string&& source, std::string name);
    LocatedText(const LocatedText&) = delete;
    LocatedText& operator=(const LocatedText&) = delete;

    std::string file;
    std::string owned;
    std::string_view text;
    std::string unescaped;
    LineTable lines;

    std::string_view view(JsonSlice s, bool from_unescaped) const {
        return (from_unescaped ? std::string_view(unescaped) : text).substr(s.begin, s.length);
    }
    SourcePosition position(std::size_t offset) const;
};

struct JsonStore : LocatedText {
    using LocatedText::LocatedText;

    std::vector<JsonNode> nodes;
    std::vector<JsonKey> keys;
};

}  // namespace scalescope::formats::detail
