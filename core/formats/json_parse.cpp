// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/limits.hpp"
#include "core/base/utf8.hpp"
#include "core/formats/json_document.hpp"
#include "core/formats/json_store.hpp"
#include "core/formats/text_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace scalescope::formats {

std::size_t detail::first_bad_byte(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = text[i] == 0 ? 0 : character_length(text, i);
        if (length == 0) return i;
        i += length;
    }
    return no_offset;
}

namespace {

using detail::JsonKey;
using detail::JsonNode;
using detail::JsonSlice;
using detail::JsonStore;

using detail::first_bad_byte;
using detail::no_offset;

/// Builds the store from nlohmann's events. Those events carry no positions, so a cursor follows them through the text:
/// each event is one token, and the tokens before it are known to be well formed.
class Builder : public nlohmann::json_sax<nlohmann::json> {
public:
    Builder(JsonStore& store, const Watch& watch) : store_(store), text_(store.text), watch_(watch) {
        if (text_.starts_with("\xEF\xBB\xBF")) cursor_ = 3;
    }

    Problems problems;

    bool null() override {
        return scalar(JsonKind::null, [](JsonNode&) {});
    }
    bool boolean(bool value) override {
        return scalar(JsonKind::boolean, [value](JsonNode& node) { node.boolean = value; });
    }
    bool number_integer(std::int64_t value) override {
        return scalar(JsonKind::number, [value](JsonNode& node) { node.integer = value, node.is_integer = true; });
    }
    bool number_unsigned(std::uint64_t value) override {
        if (std::in_range<std::int64_t>(value)) return number_integer(static_cast<std::int64_t>(value));
        return number_float(static_cast<double>(value), {});
    }
    bool number_float(double value, const std::string&) override {
        return scalar(JsonKind::number, [value](JsonNode& node) { node.number = value; });
    }
    bool string(std::string& value) override {
        return scalar(JsonKind::string, [&](JsonNode& node) { node.slice = keep(value, node.offset, node.unescaped); });
    }
    bool binary(nlohmann::json::binary_t&) override { return false; }  // not in JSON text

    bool start_object(std::size_t) override { return open(JsonKind::object); }
    bool start_array(std::size_t) override { return open(JsonKind::array); }
    bool end_object() override {
        report_duplicates(open_.back());
        return close();
    }
    bool end_array() override { return close(); }

    bool key(std::string& value) override {
        JsonKey key;
        key.offset = token();
        skip_string();
        key.slice = keep(value, key.offset, key.unescaped);
        pending_key_ = static_cast<std::uint32_t>(store_.keys.size());
        store_.keys.push_back(key);
        return true;
    }

    bool parse_error(std::size_t position, const std::string& last_token,
                     const nlohmann::detail::exception& error) override {
        syntax_problem(position, last_token, error.id);
        return false;
    }

private:
    std::uint32_t token() {
        while (cursor_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[cursor_]) != std::string_view::npos)
            ++cursor_;
        return static_cast<std::uint32_t>(cursor_);
    }

    void skip_string() {
        ++cursor_;
        while (cursor_ < text_.size() && text_[cursor_] != '"') cursor_ += text_[cursor_] == '\\' ? 2 : 1;
        cursor_ = std::min(cursor_ + 1, text_.size());
    }

    /// Exactly the token nlohmann has read: what follows it may be where the next problem is.
    void skip_scalar(JsonKind kind) {
        if (kind == JsonKind::string) return skip_string();
        if (kind != JsonKind::number) {
            cursor_ += text_[cursor_] == 'f' ? 5 : 4;
            return;
        }
        const auto digits = [this] {
            while (cursor_ < text_.size() && text_[cursor_] >= '0' && text_[cursor_] <= '9') ++cursor_;
        };
        const auto skip_any_of = [this](std::string_view set) {
            const bool found = cursor_ < text_.size() && set.find(text_[cursor_]) != std::string_view::npos;
            if (found) ++cursor_;
            return found;
        };
        skip_any_of("-");
        if (!skip_any_of("0")) digits();
        if (skip_any_of(".")) digits();
        if (skip_any_of("eE")) {
            skip_any_of("+-");
            digits();
        }
    }

    /// A string without escapes is as long as its source: no copy is kept then.
    JsonSlice keep(const std::string& value, std::uint32_t offset, bool& unescaped) {
        const auto length = static_cast<std::uint32_t>(value.size());
        unescaped = cursor_ - offset != value.size() + 2;
        if (!unescaped) return {offset + 1, length};
        const JsonSlice slice{static_cast<std::uint32_t>(store_.unescaped.size()), length};
        store_.unescaped += value;
        return slice;
    }

    bool add(JsonKind kind) {
        JsonNode node;
        node.offset = token();
        if (store_.nodes.size() >= limits::json_values) {
            fail_at(node.offset, "The file holds more than " + std::to_string(limits::json_values) + " values.",
                    "Split it into smaller files.");
            return false;
        }
        node.kind = kind;
        node.key = std::exchange(pending_key_, detail::no_key);
        if (!open_.empty()) ++store_.nodes[open_.back()].count;
        store_.nodes.push_back(node);
        return store_.nodes.size() % between_looks != 0 || look_up(node.offset);
    }

    /// False: nobody wants the rest any more.
    bool look_up(std::size_t offset) {
        watch_.progress(static_cast<double>(offset) / static_cast<double>(text_.size()));
        if (!watch_.cancel.cancelled()) return true;
        fail_at(offset, "Reading was cancelled here.", {});
        return false;
    }

    template <class Fill>
    bool scalar(JsonKind kind, Fill fill) {
        if (!add(kind)) return false;
        skip_scalar(kind);
        auto& node = store_.nodes.back();
        fill(node);
        node.text_end = static_cast<std::uint32_t>(cursor_);
        node.next = static_cast<std::uint32_t>(store_.nodes.size());
        return true;
    }

    bool open(JsonKind kind) {
        if (!add(kind)) return false;
        if (static_cast<int>(open_.size()) >= limits::json_depth) {
            fail_at(cursor_, "Lists and objects are nested deeper than " + std::to_string(limits::json_depth) + ".",
                    "Flatten the file; no format Scalescope reads nests this deep.");
            return false;
        }
        store_.nodes.back().count = 0;
        open_.push_back(static_cast<std::uint32_t>(store_.nodes.size() - 1));
        ++cursor_;
        return true;
    }

    bool close() {
        token();
        ++cursor_;
        auto& node = store_.nodes[open_.back()];
        node.text_end = static_cast<std::uint32_t>(cursor_);
        node.next = static_cast<std::uint32_t>(store_.nodes.size());
        open_.pop_back();
        return true;
    }

    std::string_view key_text(const JsonNode& node) const {
        return store_.view(store_.keys[node.key].slice, store_.keys[node.key].unescaped);
    }

    void report_duplicates(std::uint32_t object) {
        auto& nodes = store_.nodes;
        members_.clear();
        members_.reserve(nodes[object].count);
        nodes[object].next = static_cast<std::uint32_t>(nodes.size());
        for (std::uint32_t i = object + 1; i < nodes.size(); i = nodes[i].next) members_.push_back(i);
        std::sort(members_.begin(), members_.end(), [&](std::uint32_t a, std::uint32_t b) {
            const int order = key_text(nodes[a]).compare(key_text(nodes[b]));
            return order != 0 ? order < 0 : a < b;
        });
        for (std::size_t i = 1; i < members_.size() && problems.size() < limits::problems; ++i) {
            if (key_text(nodes[members_[i]]) != key_text(nodes[members_[i - 1]])) continue;
            const std::string name(key_text(nodes[members_[i]]).substr(0, 80));
            const auto first = store_.position(store_.keys[nodes[members_[i - 1]].key].offset);
            fail_at(store_.keys[nodes[members_[i]].key].offset,
                    "The name \"" + name + "\" is used twice in one object.",
                    "Rename or remove one of them; the first is on line " + std::to_string(first.line) + ".");
        }
    }

    void fail_at(std::size_t offset, std::string what, std::string remedy) {
        problems.push_back(make_error(std::move(what), std::move(remedy), store_.position(offset)));
    }

    void syntax_problem(std::size_t position, const std::string& last_token, int id);
    void truncation_problem();

    static constexpr std::size_t between_looks = 4096;  // values, well below a millisecond

    JsonStore& store_;
    std::string_view text_;
    const Watch& watch_;
    std::size_t cursor_ = 0;
    std::uint32_t pending_key_ = detail::no_key;
    std::vector<std::uint32_t> open_;
    std::vector<std::uint32_t> members_;  ///< scratch of report_duplicates
};

void Builder::truncation_problem() {
    if (open_.empty()) return fail_at(text_.size(), "The file ends before any value begins.", "Choose another file.");
    const auto& node = store_.nodes[open_.back()];
    const bool object = node.kind == JsonKind::object;
    const auto opened = store_.position(node.offset);
    fail_at(text_.size(),
            std::string("The file ends too early: the ") + (object ? "object" : "list") + " that begins on line " +
                std::to_string(opened.line) + ", column " + std::to_string(opened.column) + " is not closed.",
            std::string("Add the missing '") + (object ? '}' : ']') +
                "', or copy the file again; it may have been cut off.");
}

void Builder::syntax_problem(std::size_t position, const std::string& last_token, int id) {
    constexpr int number_overflow = 406;  // nlohmann's out_of_range for numbers beyond double
    const std::size_t before = cursor_;
    const auto skip_blanks = [this] { cursor_ = std::min(text_.find_first_not_of(" \t\r\n", cursor_), text_.size()); };
    skip_blanks();
    if (cursor_ < text_.size() && (text_[cursor_] == ',' || text_[cursor_] == ':') && !open_.empty()) ++cursor_;
    skip_blanks();
    const std::size_t start = cursor_;
    if (id == number_overflow)
        return fail_at(start, "The number is too large: no double can hold it.", "Write a number below 1.8e308.");
    if (position > text_.size() || start >= text_.size()) return truncation_problem();
    const char c = text_[start];
    if (c == '"' && last_token.size() > 1) {  // the string itself is at fault: say where in it
        const std::size_t at = std::clamp(position, start + 1, text_.size()) - 1;
        if (static_cast<unsigned char>(text_[at]) < 0x20)
            return fail_at(at, "A text may not contain a line break or another control character.",
                           "Close the text with '\"', or write \\n for a line break.");
        if (text_.substr(start, at + 1 - start).find('\\') != std::string_view::npos)
            return fail_at(at, "This is not an escape that JSON knows.",
                           "Use one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four hex digits.");
    }
    if (open_.empty() && !store_.nodes.empty())
        return fail_at(start, "There is more text after the end of the JSON value.", "Remove what follows it.");
    const bool comma_before = text_.substr(before, start - before).find(',') != std::string_view::npos;
    if (comma_before && (c == ']' || c == '}'))
        return fail_at(start, std::string("There is a comma before the closing '") + c + "'.", "Remove the comma.");
    if (c == '/' || c == '#') return fail_at(start, "JSON has no comments.", "Remove the comment.");
    if (c == '\'') return fail_at(start, "A text is written in double quotes, not single ones.", "Replace ' by \".");
    for (const std::string_view word : {"NaN", "nan", "Infinity", "inf", "-Infinity", "-inf"})
        if (text_.substr(start).starts_with(word))
            return fail_at(start, "JSON has no NaN and no infinity.", "Write a finite number, or null.");
    for (const std::string_view word : {"True", "False", "None"})
        if (text_.substr(start).starts_with(word))
            return fail_at(start, "\"" + std::string(word) + "\" is Python, not JSON.", "Write true, false or null.");
    // After a whole object or list there is no doubt about what is missing.
    const std::size_t end = text_.find_last_not_of(" \t\r\n", start - std::min<std::size_t>(start, 1));
    if (start > 0 && !open_.empty() && std::string_view("{[\"").find(c) != std::string_view::npos &&
        (text_[end] == '}' || text_[end] == ']'))
        return fail_at(start, "There is no comma before this.", "Write a comma after the one before.");
    std::size_t length = 1;
    while (start + length < text_.size() && (static_cast<unsigned char>(text_[start + length]) & 0xC0u) == 0x80u)
        ++length;
    fail_at(start, "'" + std::string(text_.substr(start, length)) + "' cannot stand here.",
            "Members are \"name\": value, with a comma between two of them; check what is before this place.");
}

/// Room for as many values as there can be, so that growing never copies them. Names are at most as many.
void reserve(JsonStore& store) {
    std::size_t values = 1, names = 0;
    bool escapes = false;
    for (const char c : store.text) {
        values += c == ',' || c == '[' || c == '{';
        names += c == ':';
        escapes = escapes || c == '\\';
    }
    if (escapes) store.unescaped.reserve(store.text.size());  // what is not written to takes no memory
    store.nodes.reserve(std::min(values, limits::json_values));
    store.keys.reserve(std::min(names, limits::json_values));
}

/// `given` is a view, or a string to keep.
template <class Text>
Result<JsonDocument> parse_json_text(Text&& given, std::string file, const Watch& watch) {
    if (auto refused = too_long(given, file)) return fail(std::move(*refused));
    if (given.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return fail(about_file(file, "The file is empty.", "Choose a file with JSON in it."));
    auto store = std::make_unique<JsonStore>(std::forward<Text>(given), std::move(file));
    const std::string_view text = store->text;
    if (const auto bad = first_bad_byte(text); bad != no_offset)
        return fail(make_error("This byte is not UTF-8 text.", "Save the file as UTF-8; it may also be a binary file.",
                               store->position(bad)));
    reserve(*store);
    Builder builder(*store, watch);
    const bool complete = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
    if (!builder.problems.empty()) return fail(std::move(builder.problems));
    if (!complete) return fail(about_file(store->file, "The file is not JSON.", "Choose another file."));
    return JsonDocument(std::move(store));
}

}  // namespace

Result<JsonDocument> parse_json(std::string_view text, std::string file, const Watch& watch) {
    return parse_json_text(text, std::move(file), watch);
}

Result<JsonDocument> parse_kept_json(std::string text, std::string file, const Watch& watch) {
    return parse_json_text(std::move(text), std::move(file), watch);
}

}  // namespace scalescope::formats
