// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Protocol buffers' text format (protobuf.dev, "Text Format Language Specification") as readers of networks see it:
/// without a schema, every field and value with its line and column, in file order. What the fields mean is said
/// elsewhere (caffe/).
namespace scalescope::formats {

enum class ProtoKind : std::uint8_t { message, string, number, word };

/// "a message", "a number", ...: for messages to people.
std::string_view describe(ProtoKind kind);

namespace detail {
struct ProtoStore;
}

/// A view of one field of a ProtoDocument; copied freely, valid as long as the document lives. A list `f: [1, 2]` is
/// read as the field given twice, which is what it means.
class ProtoField {
public:
    std::string_view name() const;  ///< empty for the whole file
    ProtoKind kind() const;
    bool is_message() const { return kind() == ProtoKind::message; }
    /// A string without its quotes and escapes, a number or word as it is written; empty for a message.
    std::string_view text() const;

    std::optional<std::int64_t> integer() const;  ///< decimal, octal or hexadecimal; nothing if none or beyond 64 bits
    std::optional<double> number() const;         ///< finite ones only
    std::optional<bool> boolean() const;          ///< true, True, t, 1 and their opposites

    std::optional<ProtoField> find(std::string_view name) const;  ///< the first field called so; linear

    SourcePosition at() const;  ///< where the value begins
    SourcePosition name_at() const;

    /// Walks the fields of a message in file order; empty for other kinds.
    class Iterator {
    public:
        Iterator(const detail::ProtoStore* store, std::uint32_t node) : store_(store), node_(node) {}
        ProtoField operator*() const { return ProtoField(store_, node_); }
        Iterator& operator++();
        bool operator==(const Iterator&) const = default;

    private:
        const detail::ProtoStore* store_;
        std::uint32_t node_;
    };
    Iterator begin() const;
    Iterator end() const;

private:
    friend class ProtoDocument;
    ProtoField(const detail::ProtoStore* store, std::uint32_t node) : store_(store), node_(node) {}

    const detail::ProtoStore* store_;
    std::uint32_t node_;
};

/// A parsed file; owns its text.
class ProtoDocument {
public:
    explicit ProtoDocument(std::shared_ptr<const detail::ProtoStore> store) : store_(std::move(store)) {}

    ProtoField root() const;
    const std::string& file() const;

private:
    std::shared_ptr<const detail::ProtoStore> store_;
};

/// True if the text begins as a text message does, after spaces and comments: a name, then ':' or '{'.
bool looks_like_prototxt(std::string_view text);

/// Parses a whole file. The one Problem of a text that is none has line and column (counted in characters): text that
/// is empty, cut off, malformed, a string that is not UTF-8 (comments may be anything), larger or deeper than `limits`;
/// also that `watch` ended it.
Result<ProtoDocument> parse_prototxt(std::string_view text, std::string file, const Watch& watch = {});

}  // namespace scalescope::formats
