// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/versions.hpp"

#include "core/formats/json_decoder.hpp"

namespace scalescope::formats {
namespace {

/// The version number of the file, or what is wrong with its head.
Result<int> version_of(JsonValue root, const FileFormat& format) {
    const auto wrong = [&](JsonValue at, std::string where, std::string what, std::string remedy) {
        return fail(make_error(std::move(what), std::move(remedy), at.at(), std::move(where)));
    };
    const std::string title(format.title);
    if (!root.is_object())
        return wrong(root, {}, "A " + title + " file holds an object, not " + std::string(describe(root.kind())) + ".",
                     "Choose another file, or write { \"format\": " + quoted(format.name) + ", ... }.");
    const auto name = root.find("format");
    if (!name)
        return wrong(
            root, {}, "The field \"format\" is missing, so this is no " + title + " file.",
            "Add \"format\": " + quoted(format.name) + ", \"version\": " + std::to_string(format.newest()) + ".");
    if (!name->is_string())
        return wrong(*name, "format", "The field \"format\" must be a string.", "Write " + quoted(format.name) + ".");
    if (name->text() != format.name)
        return wrong(*name, "format",
                     "This file says it is a " + quoted(name->text()) + ", not a " + quoted(format.name) + ".",
                     "Choose a " + title + " file.");
    const auto version = root.find("version");
    if (!version)
        return wrong(root, {}, "The field \"version\" is missing.",
                     "Add \"version\": " + std::to_string(format.newest()) + ".");
    if (!version->is_integer() || version->integer() < 1)
        return wrong(*version, "version", "The version must be a whole number of at least 1.",
                     "Write \"version\": " + std::to_string(format.newest()) + ".");
    if (version->integer() > format.newest())
        return wrong(*version, "version",
                     "This file has version " + std::to_string(version->integer()) + ", this program knows " + title +
                         " files up to version " + std::to_string(format.newest()) + ".",
                     "Open it with a newer Scalescope.");
    return static_cast<int>(version->integer());
}

/// Walks over the members of the outermost object with as little work as a tokenizer needs.
class Peek {
public:
    explicit Peek(std::string_view text) : text_(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text) {}

    /// Goes to the value of the member; false if there is none.
    bool find(std::string_view name) {
        skip_space();
        if (!take('{')) return false;
        for (;;) {
            skip_space();
            const auto key = string();
            if (!key) return false;
            skip_space();
            if (!take(':')) return false;
            skip_space();
            if (*key == name) return at_ < text_.size();
            if (!skip_value()) return false;
            skip_space();
            if (!take(',')) return false;
        }
    }
    char first() const { return text_[at_]; }

    std::optional<std::string_view> string() {
        if (!take('"')) return std::nullopt;
        const std::size_t begin = at_;
        bool escaped = false;
        for (; at_ < text_.size() && text_[at_] != '"'; ++at_)
            if (text_[at_] == '\\') escaped = true, ++at_;
        if (!take('"')) return std::nullopt;
        return escaped ? std::string_view{} : text_.substr(begin, at_ - 1 - begin);
    }

private:
    void skip_space() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
            ++at_;
    }
    bool take(char c) {
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool skip_value() {
        int depth = 0;
        do {
            skip_space();
            if (at_ >= text_.size()) return false;
            const char c = text_[at_];
            if (c == '"') {
                if (!string()) return false;
            } else if (c == '{' || c == '[') {
                ++depth, ++at_;
            } else if (c == '}' || c == ']') {
                --depth, ++at_;
            } else if (depth == 0 && (c == ',' || c == ':')) {
                return false;
            } else if (c == ',' || c == ':') {
                ++at_;
            } else {
                while (at_ < text_.size() &&
                       text_.substr(at_, 1).find_first_of(",:{}[]\" \n\r\t") == std::string_view::npos)
                    ++at_;
            }
        } while (depth > 0);
        return depth == 0;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

Result<JsonDocument> open_document(std::string_view text, std::string file, const FileFormat& format,
                                   const Watch& watch) {
    auto document = parse_json(text, file, watch);
    if (!document) return document;
    auto version = version_of(document->root(), format);
    if (!version) return tl::unexpected(version.error());
    const int first = *version;
    for (int v = first; v < format.newest(); ++v) {
        const Migration next = format.migrations[static_cast<std::size_t>(v) - 1];
        if (!next) continue;  // which its reader takes too
        document = parse_json(next(document->root()), file + " (brought from version " + std::to_string(first) +
                                                          " to " + std::to_string(v + 1) + ")");
        if (!document) return document;
    }
    return document;
}

void begin_file(JsonWriter& out, const FileFormat& format) {
    out.begin_object();
    out.text("format", format.name);
    out.integer("version", format.newest());
}

std::string format_of(std::string_view text) { return peek_text(text, "format"); }

std::string peek_text(std::string_view text, std::string_view name) {
    Peek peek(text);
    if (!peek.find(name)) return {};
    return std::string(peek.string().value_or(std::string_view{}));
}

JsonKind peek_kind(std::string_view text, std::string_view name) {
    Peek peek(text);
    if (!peek.find(name)) return JsonKind::null;
    switch (peek.first()) {
        case '{': return JsonKind::object;
        case '[': return JsonKind::array;
        case '"': return JsonKind::string;
        case 't':
        case 'f': return JsonKind::boolean;
        case 'n': return JsonKind::null;
        default: return JsonKind::number;
    }
}

}  // namespace scalescope::formats
