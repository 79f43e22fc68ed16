// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/tables/cell_text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/name_list.hpp"
#include "core/base/utf8.hpp"
#include "core/formats/tables/lines.hpp"

namespace scalescope::formats::tables {

namespace {

constexpr std::pair<std::string_view, std::string_view> entities[] = {
    {"nbsp", " "},       {"amp", "&"},        {"lt", "<"},         {"gt", ">"},          {"quot", "\""},
    {"times", "\u00d7"}, {"ndash", "\u2013"}, {"mdash", "\u2014"}, {"plusmn", "\u00b1"}, {"minus", "-"}};

/// Adds words to a text; spaces in front of it, and all but one between words, are dropped.
void add_words(std::string& text, std::string_view words) {
    for (const char c : words)
        if (!is_blank(c) || (!text.empty() && text.back() != ' ')) text += is_blank(c) ? ' ' : c;
}

/// The text with its markup replaced: `add_markup(text, at)` adds what the markup at `at` stands for, and returns its
/// length, 0 if there is none. `first` is where the first word begins, if there is one.
template <class AddMarkup>
std::string plain_text(std::string_view written, AddMarkup add_markup, std::size_t* first = nullptr) {
    std::string text;
    for (std::size_t at = 0, length = 0; at < written.size(); at += length) {
        const bool is_first = text.empty();
        length = add_markup(text, at);
        if (length == 0) add_words(text, written.substr(at, length = 1));
        if (first && is_first && !text.empty()) *first = at;
    }
    return text;
}

/// Adds the character that the entity stands for which the text begins with. Returns its length, 0 if there is none.
std::size_t add_entity(std::string& text, std::string_view html) {
    constexpr std::size_t longest = 10;
    const auto near = html.substr(1, longest), name = near.substr(0, near.find(';'));
    if (name.size() == near.size()) return 0;
    std::string character;
    for (const auto& [known, written] : entities)
        if (known == name) character = written;
    if (name.size() > 1 && name.front() == '#') {
        const bool hex = small_letter(name[1]) == 'x';
        const char* const end = name.data() + name.size();
        unsigned code = 0;  // stays so if the number is too large
        const char* const stop = std::from_chars(name.data() + (hex ? 2 : 1), end, code, hex ? 16 : 10).ptr;
        const bool valid = code >= ' ' && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        if (stop == end && valid) append_utf8(character, code == 0xa0 ? ' ' : code);
    }
    add_words(text, character);
    return character.empty() ? 0 : name.size() + 2;
}

/// Whether the text begins with a backslash and a character that it takes the meaning from. "\é" is an escape in
/// reStructuredText only, as is a space.
bool begins_escape(std::string_view text, bool of_punctuation_only) {
    if (text.size() < 2 || text[0] != '\\' || is_letter(text[1]) || is_digit(text[1])) return false;
    return !of_punctuation_only || (text[1] > ' ' && text[1] < '\x7f');
}

/// Length of the "[name" of the link that the text begins with; 0 if it begins with none, or with a number.
std::size_t name_of_link(std::string_view text) {
    constexpr std::size_t longest = 500;
    const auto near = text.substr(0, longest);
    const std::size_t end = near.starts_with('[') ? near.find("](") : near.npos;
    if (end == near.npos || near.find(')', end) == near.npos) return 0;
    return std::any_of(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(end), is_letter) ? end : 0;
}

/// Drops ":ref:" or "{ref}" from the end of a text.
bool drop_role(std::string& text) {
    constexpr std::size_t longest = 40;
    constexpr auto role_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:.+_-";
    const auto near = std::string_view(text).substr(text.size() - std::min(text.size(), longest));
    if (near.size() < 3 || (near.back() != ':' && near.back() != '}')) return false;
    const bool braces = near.back() == '}';
    const std::size_t begin = (braces ? 0 : 1) + near.find_last_not_of(role_characters, near.size() - 2);
    if (begin >= near.size() - 2 || near[begin] != (braces ? '{' : ':')) return false;
    text.resize(text.size() - (near.size() - begin));
    return true;
}

/// Adds "``literal``", ":role:`text`" or "`text <target>`_", with which `rest` begins. Returns its length, 0 if it is
/// not closed.
std::size_t add_quoted(std::string& text, std::string_view rest) {
    const std::string_view quote = rest.starts_with("``") ? "``" : "`";
    std::size_t end = rest.find(quote, quote.size());
    if (end == rest.npos) return 0;
    auto words = rest.substr(quote.size(), end - quote.size());
    end += quote.size();
    if (quote.size() == 1) {
        const auto shown = words.ends_with('>') ? words.substr(0, words.rfind('<')) : std::string_view();
        const std::size_t last = shown.find_last_not_of(spaces_and_ends);
        if (last != shown.npos) words = shown.substr(0, last + 1);
        if (drop_role(text) && (words.starts_with('~') || words.starts_with('!'))) words.remove_prefix(1);
        for (int n = 0; n < 2 && rest.substr(end).starts_with('_'); ++n) ++end;
    }
    add_words(text, words);
    return end;
}

/// Length of the "[1]_" that the text begins with, 0 if there is none.
std::size_t footnote_in(std::string_view text) {
    constexpr std::size_t longest = 24;
    const auto near = text.substr(0, longest);
    const std::size_t end = near.find(']');
    return end == near.npos || !near.substr(end).starts_with("]_") || near.find_first_of(" `") < end ? 0 : end + 2;
}

}  // namespace

std::optional<HtmlTag> tag_at(std::string_view html, std::size_t at) {
    if (html.substr(at).starts_with("<!--")) return HtmlTag{{}, std::min(html.find("-->", at), html.size() - 3) + 3};
    const std::size_t close = html.find_first_of("<>", at + 1);
    if (html[at] != '<' || close == html.npos || html[close] == '<') return std::nullopt;
    HtmlTag tag{in_small_letters(html.substr(at + 1, close - at - 1)), close + 1};
    if (tag.text.find_first_of("abcdefghijklmnopqrstuvwxyz!/") != 0) return std::nullopt;
    return tag;
}

std::string html_text(std::string_view html, std::size_t* first) {
    const auto add_markup = [&](std::string& text, std::size_t at) -> std::size_t {
        if (html[at] != '<') return html[at] == '&' ? add_entity(text, html.substr(at)) : 0;
        const auto tag = tag_at(html, at);
        if (tag && is_among(tag->name(), "br br/ sup")) add_words(text, " ");
        return tag ? tag->end - at : 0;
    };
    return plain_text(html, add_markup, first);
}

std::optional<std::string> markdown_text(std::string_view markdown) {
    if (markdown.find("](") == markdown.npos && markdown.find_first_of("<&\\") == markdown.npos) return std::nullopt;
    std::size_t name_end = 0;  // of the link that is being read
    const auto add_markup = [&](std::string& text, std::size_t at) -> std::size_t {
        const auto rest = markdown.substr(at);
        if (name_end > 0 && at == name_end) return name_end = 0, rest.find(')') + 1;  // behind the target
        if (rest[0] == '!') return rest.starts_with("![") ? 1 : 0;
        if (rest[0] != '[') return begins_escape(rest, true) ? (text += rest[1], 2) : 0;
        const std::size_t name = name_end == 0 ? name_of_link(rest) : 0;
        if (name > 0) name_end = at + name;
        return name > 0 ? 1 : 0;
    };
    return html_text(plain_text(markdown, add_markup));
}

std::optional<std::string> rest_text(std::string_view rest) {
    if (rest.find_first_of("\r\n`\\]") == rest.npos && !rest.starts_with('|')) return std::nullopt;
    bool line_begins = true;
    const auto add_markup = [&](std::string& text, std::size_t at) -> std::size_t {
        const auto here = rest.substr(at);
        const bool is_first = std::exchange(line_begins, here[0] == '\n' || (line_begins && is_blank(here[0])));
        if (is_first && here.starts_with("| ")) return add_words(text, " "), 2;  // in front of each line of a block
        if (here[0] == '`') return add_quoted(text, here);
        if (!begins_escape(here, false)) return here[0] == '[' ? footnote_in(here) : 0;
        if (!is_blank(here[1])) text += here[1];  // "\*"; "\ " stands for nothing
        return 2;
    };
    std::string text = plain_text(rest, add_markup);
    if (text.ends_with(' ')) text.pop_back();
    return text;
}

}  // namespace scalescope::formats::tables
