// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_document.hpp"

#include "core/formats/json_store.hpp"

#include <algorithm>

namespace scalescope::formats {

namespace detail {

namespace {
constexpr std::size_t stride = 1024;

/// Counts lines, and the characters of the last one.
void pass(char c, std::uint32_t& line, std::uint32_t& characters) {
    if (c == '\n') {
        ++line;
        characters = 0;
    } else if ((static_cast<unsigned char>(c) & 0xC0u) != 0x80u) {
        ++characters;
    }
}
}  // namespace

LineTable::LineTable(std::string_view text) {
    checkpoints_.reserve(text.size() / stride + 1);
    Checkpoint here;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i % stride == 0) checkpoints_.push_back(here);
        pass(text[i], here.line, here.characters);
    }
    if (text.size() % stride == 0) checkpoints_.push_back(here);
}

void LineTable::locate(std::string_view text, std::size_t offset, SourcePosition& at) const {
    offset = std::min(offset, text.size());
    Checkpoint here = checkpoints_[offset / stride];
    for (std::size_t i = offset / stride * stride; i < offset; ++i) pass(text[i], here.line, here.characters);
    at.line = static_cast<int>(here.line) + 1;
    at.column = static_cast<int>(here.characters) + 1;
}

LocatedText::LocatedText(std::string_view source, std::string name)
    : file(std::move(name)), text(source), lines(text) {}

LocatedText::LocatedText(std::string&& source, std::string name)
    : file(std::move(name)), owned(std::move(source)), text(owned), lines(text) {}

SourcePosition LocatedText::position(std::size_t offset) const {
    SourcePosition at;
    at.file = file;
    lines.locate(text, offset, at);
    return at;
}

}  // namespace detail

std::string_view describe(JsonKind kind) {
    constexpr std::string_view kinds[] = {"null", "true or false", "a number", "a text", "a list", "an object"};
    return kinds[static_cast<std::size_t>(kind)];
}

JsonKind JsonValue::kind() const { return store_->nodes[node_].kind; }

bool JsonValue::is_integer() const { return store_->nodes[node_].is_integer; }

std::int64_t JsonValue::integer() const { return is_integer() ? store_->nodes[node_].integer : 0; }

double JsonValue::number() const {
    if (!is_number()) return 0.0;
    const auto& node = store_->nodes[node_];
    return node.is_integer ? static_cast<double>(node.integer) : node.number;
}

bool JsonValue::boolean() const { return kind() == JsonKind::boolean && store_->nodes[node_].boolean; }

std::string_view JsonValue::text() const {
    if (!is_string()) return {};
    const auto& node = store_->nodes[node_];
    return store_->view(node.slice, node.unescaped);
}

std::size_t JsonValue::size() const {
    return is_array() || is_object() ? static_cast<std::size_t>(store_->nodes[node_].count) : 0;
}

std::string_view JsonValue::key() const {
    const auto key = store_->nodes[node_].key;
    if (key == detail::no_key) return {};
    return store_->view(store_->keys[key].slice, store_->keys[key].unescaped);
}

std::optional<JsonValue> JsonValue::find(std::string_view name) const {
    if (!is_object()) return std::nullopt;
    for (const JsonValue member : *this)
        if (member.key() == name) return member;
    return std::nullopt;
}

SourcePosition JsonValue::at() const { return store_->position(store_->nodes[node_].offset); }

SourcePosition JsonValue::key_at() const {
    const auto key = store_->nodes[node_].key;
    return key == detail::no_key ? at() : store_->position(store_->keys[key].offset);
}

std::string_view JsonValue::source() const {
    const auto& node = store_->nodes[node_];
    return std::string_view(store_->text).substr(node.offset, node.text_end - node.offset);
}

JsonValue::Iterator& JsonValue::Iterator::operator++() {
    node_ = store_->nodes[node_].next;
    return *this;
}

JsonValue::Iterator JsonValue::begin() const { return is_array() || is_object() ? Iterator(store_, node_ + 1) : end(); }

JsonValue::Iterator JsonValue::end() const { return Iterator(store_, store_->nodes[node_].next); }

JsonDocument::JsonDocument(std::unique_ptr<detail::JsonStore> store) : store_(std::move(store)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

JsonValue JsonDocument::root() const { return JsonValue(store_.get(), 0); }

const std::string& JsonDocument::file() const { return store_->file; }

}  // namespace scalescope::formats
