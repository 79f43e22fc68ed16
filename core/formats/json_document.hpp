// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// JSON as the file readers see it: every value and every member name knows its line and column, members keep their
/// order, and whole numbers stay exact.
namespace scalescope::formats {

enum class JsonKind : std::uint8_t { null, boolean, number, string, array, object };

/// "an object", "a number", ...: for messages.
std::string_view describe(JsonKind kind);

namespace detail {
struct JsonStore;
}

/// A view of one value of a JsonDocument; copied freely, valid as long as the document lives.
class JsonValue {
public:
    JsonKind kind() const;
    bool is_null() const { return kind() == JsonKind::null; }
    bool is_string() const { return kind() == JsonKind::string; }
    bool is_number() const { return kind() == JsonKind::number; }
    bool is_array() const { return kind() == JsonKind::array; }
    bool is_object() const { return kind() == JsonKind::object; }

    /// True for a number written without fraction and exponent that fits in 64 bits; `integer()` is then exact.
    bool is_integer() const;
    std::int64_t integer() const;   ///< 0 unless is_integer()
    double number() const;          ///< 0 unless a number; always finite
    bool boolean() const;           ///< false unless a boolean
    std::string_view text() const;  ///< empty unless a string

    std::size_t size() const;      ///< elements of an array, members of an object, otherwise 0
    std::string_view key() const;  ///< name of the member this value belongs to; empty for elements and the root
    std::optional<JsonValue> find(std::string_view name) const;  ///< member of an object; linear in its size

    SourcePosition at() const;        ///< where the value begins
    SourcePosition key_at() const;    ///< where its member name begins; at() if it has none
    std::string_view source() const;  ///< the value as it is written in the file

    /// Walks the elements of an array or the members of an object in file order; empty for other kinds.
    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = JsonValue;
        using difference_type = std::ptrdiff_t;
        using pointer = const JsonValue*;
        using reference = JsonValue;

        Iterator() = default;
        Iterator(const detail::JsonStore* store, std::uint32_t node) : store_(store), node_(node) {}
        JsonValue operator*() const { return JsonValue(store_, node_); }
        Iterator& operator++();
        Iterator operator++(int) {
            Iterator old = *this;
            ++*this;
            return old;
        }
        bool operator==(const Iterator&) const = default;

    private:
        const detail::JsonStore* store_ = nullptr;
        std::uint32_t node_ = 0;
    };
    Iterator begin() const;
    Iterator end() const;

private:
    friend class JsonDocument;
    JsonValue(const detail::JsonStore* store, std::uint32_t node) : store_(store), node_(node) {}

    const detail::JsonStore* store_ = nullptr;
    std::uint32_t node_ = 0;
};

/// A parsed file. Views its text, or keeps it: see parse_json.
class JsonDocument {
public:
    explicit JsonDocument(std::unique_ptr<detail::JsonStore> store);
    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    ~JsonDocument();

    JsonValue root() const;
    const std::string& file() const;

private:
    std::unique_ptr<detail::JsonStore> store_;
};

/// Parses one JSON value that fills the whole text (RFC 8259; a UTF-8 byte-order mark is skipped, comments are not
/// allowed). Problems, each with line and column (counted in characters): text that is empty, not UTF-8, cut off, not
/// JSON, larger or deeper than `limits`, a number no double can hold, a member name used twice in one object; also that
/// `watch` ended it. The document views `text`, which has to live as long; a temporary string is kept by the document.
Result<JsonDocument> parse_json(std::string_view text, std::string file, const Watch& watch = {});
Result<JsonDocument> parse_kept_json(std::string text, std::string file, const Watch& watch = {});
template <class Text>
requires std::is_same_v<Text, std::string> Result<JsonDocument> parse_json(Text&& text, std::string file,
                                                                           const Watch& watch = {}) {
    return parse_kept_json(std::move(text), std::move(file), watch);
}

}  // namespace scalescope::formats
