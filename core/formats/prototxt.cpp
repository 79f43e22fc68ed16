// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/prototxt.hpp"

#include "core/base/decimal.hpp"
#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_store.hpp"
#include "core/formats/text_file.hpp"

#include <charconv>
#include <utility>

namespace scalescope::formats {

namespace detail {

/// Compact, so that a large hostile file cannot eat the memory.
struct ProtoNode {
    JsonSlice name;
    JsonSlice value;         ///< of a message: where it opens
    std::uint32_t next = 0;  ///< the node after this one and all its descendants
    ProtoKind kind = ProtoKind::message;
    bool unescaped = false;      ///< value points into ProtoStore::unescaped
    std::uint32_t value_at = 0;  ///< of the value's first byte in the text
};

struct ProtoStore : LocatedText {
    using LocatedText::LocatedText;

    std::vector<ProtoNode> nodes;
};

}  // namespace detail

namespace {

using detail::JsonSlice;
using detail::ProtoNode;
using detail::ProtoStore;

bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_word(char c) { return starts_word(c) || is_digit(c); }

/// Skips spaces and comments, which go from '#' to the end of their line whatever they contain.
std::size_t skip_blank(std::string_view text, std::size_t at) {
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '#') {
            at = text.find('\n', at);
            if (at == std::string_view::npos) return text.size();
        } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\v' && c != '\f') {
            break;
        }
    }
    return at;
}

std::size_t after_mark(std::string_view text) { return text.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

std::optional<std::int64_t> whole_number(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    int base = 10;
    if (text.size() > 1 && text[0] == '0') {
        const bool hex = text[1] == 'x' || text[1] == 'X';
        base = hex ? 16 : 8;
        text.remove_prefix(hex ? 2 : 1);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    // A second sign is none of from_chars' business but would be accepted by it.
    if (error != std::errc{} || end != text.data() + text.size() || text.starts_with('-')) return std::nullopt;
    return negative ? -value : value;
}

class ProtoParser {
public:
    ProtoParser(ProtoStore& store, const Watch& watch)
        : store_(store), text_(store.text), watch_(watch), at_(after_mark(text_)) {}

    bool parse() {
        store_.nodes.emplace_back();
        if (!fields('\0', at_, 0)) return false;
        store_.nodes[0].next = static_cast<std::uint32_t>(store_.nodes.size());
        return true;
    }
    Problem problem;

private:
    bool fail_at(std::size_t offset, std::string what, std::string remedy) {
        problem = make_error(std::move(what), std::move(remedy), store_.position(offset));
        return false;
    }

    char peek() {
        at_ = skip_blank(text_, at_);
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool at_end() const { return at_ >= text_.size(); }

    /// What stands here, for a message.
    std::string seen() const {
        if (at_end()) return "the end of the file";
        std::size_t end = at_;
        while (end < text_.size() && end - at_ < 40 && in_word(text_[end])) ++end;
        if (end == at_) {
            ++end;
            while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0u) == 0x80u) ++end;
        }
        const std::string_view found = text_.substr(at_, end - at_);
        if (detail::first_bad_byte(found) != detail::no_offset || static_cast<unsigned char>(found[0]) < 0x20)
            return "a byte that is no text";
        return quoted(found);
    }

    bool add(JsonSlice name, ProtoKind kind, std::size_t value_at) {
        if (store_.nodes.size() >= limits::json_values)
            return fail_at(value_at, "The file has more than " + std::to_string(limits::json_values) + " values.",
                           "Choose a smaller file.");
        ProtoNode node;
        node.name = name;
        node.kind = kind;
        node.value_at = static_cast<std::uint32_t>(value_at);
        node.next = static_cast<std::uint32_t>(store_.nodes.size() + 1);
        store_.nodes.push_back(node);
        if (store_.nodes.size() % 1024 != 0) return true;
        watch_.progress(static_cast<double>(value_at) / static_cast<double>(text_.size()));
        if (!watch_.cancel.cancelled()) return true;
        return fail_at(value_at, "Reading was cancelled here.", "Open the file again to read all of it.");
    }

    bool fields(char close, std::size_t opened, int depth) {
        for (;;) {
            const char c = peek();
            if (at_end()) {
                if (close == '\0') return true;
                return fail_at(opened, std::string("This '") + text_[opened] + "' is never closed.",
                               std::string("Add the '") + close + "' that belongs to it.");
            }
            if (close != '\0' && c == close) {
                ++at_;
                return true;
            }
            if (c == '}' || c == '>')
                return close == '\0' ? fail_at(at_, std::string("This '") + c + "' closes nothing.",
                                               "Remove it, or open a block before it with '{'.")
                                     : fail_at(at_,
                                               std::string("A block opened with '") + text_[opened] +
                                                   "' is closed with '" + c + "'.",
                                               std::string("Write '") + close + "' here.");
            if (!field(depth)) return false;
            if (const char separator = peek(); separator == ',' || separator == ';') ++at_;
        }
    }

    bool field(int depth) {
        JsonSlice name;
        if (!field_name(name)) return false;
        const char c = peek();
        if (c == '{' || c == '<') return message(name, depth);
        if (c != ':')
            return fail_at(at_,
                           "After the name " + quoted(text_.substr(name.begin, name.length)) + " stands " + seen() +
                               " instead of ':' or '{'.",
                           "Write name: value, or name { … }.");
        ++at_;
        return peek() == '[' ? list(name, depth) : value(name, depth);
    }

    bool field_name(JsonSlice& name) {
        const std::size_t begin = at_;
        if (text_[at_] == '[') {  // an extension or Any: [package.name]
            while (!at_end() && text_[at_] != ']' && text_[at_] != '\n') ++at_;
            if (at_end() || text_[at_] != ']')
                return fail_at(begin, "This '[' is never closed.", "Add the ']' that belongs to it.");
            ++at_;
            if (detail::first_bad_byte(text_.substr(begin, at_ - begin)) != detail::no_offset)
                return fail_at(begin, "This name is not UTF-8 text.", "Save the file as UTF-8.");
        } else {
            if (!starts_word(text_[at_]))
                return fail_at(at_, "The name of a field is expected here, not " + seen() + ".",
                               "Write name: value, or name { … }; a comment begins with '#'.");
            while (!at_end() && in_word(text_[at_])) ++at_;
        }
        if (at_ - begin > limits::name_bytes)
            return fail_at(begin, "This name is longer than " + std::to_string(limits::name_bytes) + " bytes.",
                           "Choose a shorter one.");
        name = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_ - begin)};
        return true;
    }

    bool message(JsonSlice name, int depth) {
        if (depth >= limits::json_depth)
            return fail_at(at_, "Blocks are nested deeper than " + std::to_string(limits::json_depth) + ".",
                           "Nest them less deeply.");
        const std::size_t opened = at_, node = store_.nodes.size();
        if (!add(name, ProtoKind::message, opened)) return false;
        ++at_;
        if (!fields(text_[opened] == '{' ? '}' : '>', opened, depth + 1)) return false;
        store_.nodes[node].next = static_cast<std::uint32_t>(store_.nodes.size());
        return true;
    }

    bool list(JsonSlice name, int depth) {
        const std::size_t opened = at_++;
        if (peek() == ']') {
            ++at_;
            return true;
        }
        for (;;) {
            const char c = peek();
            if (!(c == '{' || c == '<' ? message(name, depth) : value(name, depth))) return false;
            const char next = peek();
            if (next == ']') {
                ++at_;
                return true;
            }
            if (at_end()) return fail_at(opened, "This '[' is never closed.", "Add the ']' that belongs to it.");
            if (next != ',')
                return fail_at(at_, "In a list stands " + seen() + " instead of ',' or ']'.",
                               "Put a comma between two values, and ']' after the last.");
            ++at_;
        }
    }

    bool value(JsonSlice name, int depth) {
        const char c = peek();
        if (c == '{' || c == '<') return message(name, depth);
        if (c == '"' || c == '\'') return string(name);
        const std::size_t begin = at_;
        if (c == '-') {
            ++at_;
            peek();  // "- 5" is allowed
        }
        if (!at_end() && starts_word(text_[at_])) {
            while (!at_end() && in_word(text_[at_])) ++at_;
            return scalar(name, ProtoKind::word, begin);
        }
        if (!at_end() && (is_digit(text_[at_]) || text_[at_] == '.')) return number(name, begin);
        if (c == '-') at_ = begin;
        return fail_at(
            at_,
            "The field " + quoted(text_.substr(name.begin, name.length)) + " has no value here but " + seen() + ".",
            "Write a number, a word, or a text in quotes after the ':'.");
    }

    bool scalar(JsonSlice name, ProtoKind kind, std::size_t begin) {
        if (!add(name, kind, begin)) return false;
        store_.nodes.back().value = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_ - begin)};
        return true;
    }

    bool number(JsonSlice name, std::size_t begin) {
        const auto digits = [this] {
            while (!at_end() && is_digit(text_[at_])) ++at_;
        };
        if (text_[at_] == '0' && at_ + 1 < text_.size() && (text_[at_ + 1] == 'x' || text_[at_ + 1] == 'X')) {
            at_ += 2;
            while (!at_end() && std::string_view("0123456789abcdefABCDEF").find(text_[at_]) != std::string_view::npos)
                ++at_;
        } else {
            digits();
            if (!at_end() && text_[at_] == '.') {
                ++at_;
                digits();
            }
            if (!at_end() && (text_[at_] == 'e' || text_[at_] == 'E')) {
                ++at_;
                if (!at_end() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
                digits();
            }
            if (!at_end() && (text_[at_] == 'f' || text_[at_] == 'F')) ++at_;
        }
        if (!at_end() && (in_word(text_[at_]) || text_[at_] == '.'))
            return fail_at(begin, "This number is malformed.", "Write it like 12 or 0.5.");
        return scalar(name, ProtoKind::number, begin);
    }

    /// One string, or several that follow each other and are one.
    bool string(JsonSlice name) {
        const std::size_t begin = at_, kept = store_.unescaped.size();
        bool plain = true;  // one piece without escapes: no copy is kept
        JsonSlice slice;
        for (int piece = 0; peek() == '"' || peek() == '\''; ++piece) {
            plain = plain && piece == 0;
            const std::size_t open = at_;
            const char quote = text_[at_++];
            for (; !at_end() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
                if (text_[at_] != '\\') {
                    store_.unescaped += text_[at_];
                    continue;
                }
                plain = false;
                if (!escape()) return false;
            }
            if (at_end() || text_[at_] == '\n')
                return fail_at(open, "This text is not closed on its line.",
                               std::string("Add the closing ") + (quote == '"' ? "double" : "single") + " quote.");
            slice = {static_cast<std::uint32_t>(open + 1), static_cast<std::uint32_t>(at_ - open - 1)};
            ++at_;
        }
        if (detail::first_bad_byte(std::string_view(store_.unescaped).substr(kept)) != detail::no_offset)
            return fail_at(begin, "This text is not UTF-8.", "Save the file as UTF-8.");
        if (plain)
            store_.unescaped.resize(kept);
        else
            slice = {static_cast<std::uint32_t>(kept), static_cast<std::uint32_t>(store_.unescaped.size() - kept)};
        if (!add(name, ProtoKind::string, begin)) return false;
        store_.nodes.back().value = slice;
        store_.nodes.back().unescaped = !plain;
        return true;
    }

    /// At a backslash; stops on the escape's last character.
    bool escape() {
        const std::size_t begin = at_++;
        if (at_end()) return true;  // the text is not closed, which is said by the caller
        const char c = text_[at_];
        constexpr std::string_view letters = "abfnrtv\\'\"?", meant = "\a\b\f\n\r\t\v\\'\"?";
        if (const auto i = letters.find(c); i != std::string_view::npos) {
            store_.unescaped += meant[i];
            return true;
        }
        const bool hex = c == 'x' || c == 'X';
        if (hex) ++at_;
        unsigned code = 0, digits = 0;
        const auto digit = [&]() -> unsigned {
            const auto found = at_end() ? std::string_view::npos : hex_digits.find(text_[at_]);
            if (found == std::string_view::npos) return 16;
            return static_cast<unsigned>(found < 16 ? found : found - 6);
        };
        for (; digits < (hex ? 2u : 3u) && digit() < (hex ? 16u : 8u); ++digits, ++at_)
            code = code * (hex ? 16 : 8) + digit();
        if (digits == 0 || code > 255)
            return fail_at(begin, "This escape in a text means nothing.",
                           "Write \\\\ for a backslash, \\\" or \\' for a quote.");
        --at_;
        store_.unescaped += static_cast<char>(code);
        return true;
    }

    static constexpr std::string_view hex_digits = "0123456789abcdefABCDEF";
    ProtoStore& store_;
    std::string_view text_;
    const Watch& watch_;
    std::size_t at_;
};

}  // namespace

std::string_view describe(ProtoKind kind) {
    constexpr std::string_view kinds[] = {"a block", "a text", "a number", "a word"};
    return kinds[static_cast<std::size_t>(kind)];
}

std::string_view ProtoField::name() const {
    const auto& slice = store_->nodes[node_].name;
    return std::string_view(store_->text).substr(slice.begin, slice.length);
}
ProtoKind ProtoField::kind() const { return store_->nodes[node_].kind; }

std::string_view ProtoField::text() const {
    const auto& node = store_->nodes[node_];
    return std::string_view(node.unescaped ? store_->unescaped : store_->text)
        .substr(node.value.begin, node.value.length);
}

std::optional<std::int64_t> ProtoField::integer() const {
    return kind() == ProtoKind::number ? whole_number(text()) : std::nullopt;
}

std::optional<double> ProtoField::number() const {
    if (kind() != ProtoKind::number) return std::nullopt;
    if (const auto whole = whole_number(text())) return static_cast<double>(*whole);
    std::string_view t = text();
    if (t.ends_with('f') || t.ends_with('F')) t.remove_suffix(1);
    return parse_decimal(t);
}

std::optional<bool> ProtoField::boolean() const {
    const auto t = text();
    if (kind() == ProtoKind::message || kind() == ProtoKind::string) return std::nullopt;
    if (t == "true" || t == "True" || t == "t" || t == "1") return true;
    if (t == "false" || t == "False" || t == "f" || t == "0") return false;
    return std::nullopt;
}

std::optional<ProtoField> ProtoField::find(std::string_view wanted) const {
    for (const ProtoField f : *this)
        if (f.name() == wanted) return f;
    return std::nullopt;
}

SourcePosition ProtoField::at() const { return store_->position(store_->nodes[node_].value_at); }
SourcePosition ProtoField::name_at() const { return store_->position(store_->nodes[node_].name.begin); }

ProtoField::Iterator& ProtoField::Iterator::operator++() {
    node_ = store_->nodes[node_].next;
    return *this;
}
ProtoField::Iterator ProtoField::begin() const { return {store_, node_ + 1}; }
ProtoField::Iterator ProtoField::end() const { return {store_, store_->nodes[node_].next}; }

ProtoField ProtoDocument::root() const { return ProtoField(store_.get(), 0); }
const std::string& ProtoDocument::file() const { return store_->file; }

bool looks_like_prototxt(std::string_view text) {
    std::size_t at = skip_blank(text, after_mark(text));
    if (at >= text.size() || !starts_word(text[at])) return false;
    while (at < text.size() && in_word(text[at])) ++at;
    at = skip_blank(text, at);
    return at < text.size() && (text[at] == ':' || text[at] == '{' || text[at] == '<');
}

Result<ProtoDocument> parse_prototxt(std::string_view text, std::string file, const Watch& watch) {
    if (auto refused = too_long(text, file)) return fail(std::move(*refused));
    if (skip_blank(text, after_mark(text)) >= text.size())
        return fail(about_file(file, "The file says nothing.", "Choose a file with a network in it."));
    auto store = std::make_unique<ProtoStore>(text, std::move(file));
    ProtoParser parser(*store, watch);
    if (!parser.parse()) return fail(std::move(parser.problem));
    return ProtoDocument(std::move(store));
}

}  // namespace scalescope::formats
