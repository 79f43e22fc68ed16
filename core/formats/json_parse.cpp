// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/decimal.hpp"
#include "core/base/limits.hpp"
#include "core/base/utf8.hpp"
#include "core/formats/json_document.hpp"
#include "core/formats/json_scanner.hpp"
#include "core/formats/json_store.hpp"
#include "core/formats/text_file.hpp"

#include <algorithm>
#include <charconv>
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

/// Builds the store from the parts of the text.
class Builder final : public JsonEvents {
public:
    Builder(JsonStore& store, const Watch& watch)
        : store_(store),
          text_(store.text),
          watch_(watch),
          stream_(pieces_of(text_), text_.size(), {text_.size(), text_.size(), {}}, nobody_),
          scanner_(stream_, *this, LoneHalves::refused) {}

    /// The problems of the text.
    Problems run() {
        const ScanEnd end = scanner_.run();
        if (end == ScanEnd::cut_off) truncation_problem();
        if (end == ScanEnd::not_json) syntax_problem();
        if (end == ScanEnd::too_deep)
            fail_at(scanner_.offset(),
                    "Lists and objects are nested deeper than " + std::to_string(limits::json_depth) + ".",
                    "Flatten the file; no format Scalescope reads nests this deep.");
        return std::move(problems_);
    }

    JsonWish begins(bool object) override {
        if (!add(object ? JsonKind::object : JsonKind::array)) return JsonWish::stop;
        store_.nodes.back().count = 0;
        open_.push_back(static_cast<std::uint32_t>(store_.nodes.size() - 1));
        return JsonWish::take;
    }
    bool ends() override {
        if (store_.nodes[open_.back()].kind == JsonKind::object) report_duplicates(open_.back());
        close(store_.nodes[open_.back()], scanner_.offset() + 1);
        open_.pop_back();
        return true;
    }
    bool key(std::string_view name) override {
        JsonKey key;
        key.offset = began();
        key.slice = keep(name, key.unescaped);
        pending_key_ = static_cast<std::uint32_t>(store_.keys.size());
        store_.keys.push_back(key);
        return true;
    }
    bool text(std::string_view value) override {
        return scalar(JsonKind::string, [&](JsonNode& node) { node.slice = keep(value, node.unescaped); });
    }
    bool number(std::string_view written) override {
        const char* end = written.data() + written.size();
        std::int64_t whole = 0;
        if (const auto read = std::from_chars(written.data(), end, whole); read.ec == std::errc() && read.ptr == end)
            return scalar(JsonKind::number, [whole](JsonNode& node) { node.integer = whole, node.is_integer = true; });
        double value = 0;
        if (std::from_chars(written.data(), end, value).ec != std::errc()) {
            const auto tiny = parse_decimal(written);  // from_chars does not say whether it is too small or too large
            if (!tiny) {
                fail_at(began(), "The number is too large: no double can hold it.", "Write a number below 1.8e308.");
                return false;
            }
            value = *tiny;
        }
        return scalar(JsonKind::number, [value](JsonNode& node) { node.number = value; });
    }
    bool word(std::string_view written) override {
        if (written == "null") return scalar(JsonKind::null, [](JsonNode&) {});
        return scalar(JsonKind::boolean, [&](JsonNode& node) { node.boolean = written == "true"; });
    }

private:
    std::uint32_t began() const { return static_cast<std::uint32_t>(scanner_.began().offset); }

    /// A text without escapes is as long as its source: no copy is kept then.
    JsonSlice keep(std::string_view value, bool& unescaped) {
        const auto length = static_cast<std::uint32_t>(value.size());
        unescaped = scanner_.offset() - began() != value.size() + 2;
        if (!unescaped) return {began() + 1, length};
        const JsonSlice slice{static_cast<std::uint32_t>(store_.unescaped.size()), length};
        store_.unescaped += value;
        return slice;
    }

    bool add(JsonKind kind) {
        JsonNode node;
        node.offset = began();
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
        auto& node = store_.nodes.back();
        fill(node);
        close(node, scanner_.offset());
        return true;
    }

    void close(JsonNode& node, std::uint64_t end) {
        node.text_end = static_cast<std::uint32_t>(end);
        node.next = static_cast<std::uint32_t>(store_.nodes.size());
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
        std::ranges::sort(members_, [&](std::uint32_t a, std::uint32_t b) {
            const int order = key_text(nodes[a]).compare(key_text(nodes[b]));
            return order != 0 ? order < 0 : a < b;
        });
        for (std::size_t i = 1; i < members_.size() && problems_.size() < limits::problems; ++i) {
            if (key_text(nodes[members_[i]]) != key_text(nodes[members_[i - 1]])) continue;
            const std::string name(key_text(nodes[members_[i]]).substr(0, 80));
            const auto first = store_.position(store_.keys[nodes[members_[i - 1]].key].offset);
            fail_at(store_.keys[nodes[members_[i]].key].offset,
                    "The name \"" + name + "\" is used twice in one object.",
                    "Rename or remove one of them; the first is on line " + std::to_string(first.line) + ".");
        }
    }

    void fail_at(std::size_t offset, std::string what, std::string remedy) {
        problems_.push_back(make_error(std::move(what), std::move(remedy), store_.position(offset)));
    }

    void syntax_problem();
    void truncation_problem();

    static constexpr std::size_t between_looks = 4096;  // values, well below a millisecond

    JsonStore& store_;
    std::string_view text_;
    const Watch& watch_;
    const Watch nobody_{};
    ByteStream stream_;
    JsonScanner scanner_;
    Problems problems_;
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

void Builder::syntax_problem() {
    const auto at = static_cast<std::size_t>(scanner_.offset());
    std::size_t start = scanner_.in_token() ? began() : at;
    if (scanner_.in_token() && text_[start] == '"') {  // the text itself is at fault: say where in it
        if (static_cast<unsigned char>(text_[at]) < 0x20)
            return fail_at(at, "A text may not contain a line break or another control character.",
                           "Close the text with '\"', or write \\n for a line break.");
        return fail_at(at, "This is not an escape that JSON knows.",
                       "Use one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four hex digits.");
    }
    if (scanner_.in_token() && text_.substr(start).starts_with("-0"))
        start += 2;  // a number ends behind a zero
    else if (scanner_.in_token() && text_[start] == '0')
        ++start;
    const char c = text_[start];
    const std::size_t end = start == 0 ? std::string_view::npos : text_.find_last_not_of(" \t\r\n", start - 1);
    const char before = end == std::string_view::npos ? '\0' : text_[end];
    if (open_.empty() && !store_.nodes.empty())
        return fail_at(start, "There is more text after the end of the JSON value.", "Remove what follows it.");
    if (before == ',' && (c == ']' || c == '}'))
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
    if (!open_.empty() && std::string_view("{[\"").find(c) != std::string_view::npos &&
        (before == '}' || before == ']'))
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
    if (Problems problems = Builder(*store, watch).run(); !problems.empty()) return fail(std::move(problems));
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
