// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/trainers/shell_words.hpp"

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/formats/trainers/characters.hpp"
#include "core/formats/trainers/settings.hpp"

namespace scalescope::formats::trainers {
namespace {

std::string_view name_in(std::string_view text) {
    if (text.empty() || !starts_name(text.front())) return {};
    const auto* end = std::find_if_not(text.begin(), text.end(), goes_on_name);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// Behind the bracket that closes the one at the beginning of `text`.
std::size_t closing(std::string_view text) {
    const char open = text.front(), close = open == '(' ? ')' : '}';
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == open)
            ++depth;
        else if (text[i] == close && --depth == 0)
            return i + 1;
    }
    return text.size();
}

}  // namespace

/// The words so far; the last one may go on.
struct ShellVariables::Expansion {
    std::vector<ShellWord> words;
    int line = 1;
    bool open = false;

    ShellWord& last() {
        if (!open) words.push_back({{}, true, false, line});
        open = true;
        return words.back();
    }
    void add(std::string_view text) {
        ShellWord& word = last();
        if (word.text.size() + text.size() > limits::configuration_value_bytes)
            word.known = false;
        else
            word.text += text;
    }
    void add(const ShellWord& word) {
        add(word.text);
        last().known &= word.known;
        last().assumed |= word.assumed;
    }
    void add_unknown(std::string_view text) {
        add(text);
        last().known = false;
    }
};

bool ShellVariables::assign(const std::string& word, int line) {
    const std::string name(name_in(word));
    if (name.empty()) return false;
    std::string_view rest = std::string_view(word).substr(name.size());
    const bool more = rest.starts_with("+=");
    if (!more && !rest.starts_with("=")) return false;
    rest.remove_prefix(more ? 2 : 1);
    const auto old = values_.find(name);
    const std::vector<ShellWord> values = old == values_.end() || !more ? std::vector<ShellWord>{} : old->second;
    std::vector<ShellWord> added;
    if (rest.starts_with("(")) {
        const auto inside = rest.substr(1, rest.size() - (rest.ends_with(")") ? 2 : 1));
        for (const ShellToken& token : shell_tokens(inside))
            if (token.kind == ShellToken::Kind::word)
                for (ShellWord& one : expanded(token.text, line + token.line - 1)) added.push_back(std::move(one));
        if (more) added.insert(added.begin(), values.begin(), values.end());
    } else {
        added.push_back(value(rest, line));
        if (more && !values.empty()) {
            Expansion joined{{}};
            for (const ShellWord& one : values) joined.add(one);
            joined.add(added.front());
            added = std::move(joined.words);
        }
    }
    if (added.size() > limits::configuration_settings) added.resize(limits::configuration_settings);
    if (values_.contains(name) || values_.size() < most_variables) values_[name] = std::move(added);
    return true;
}

std::vector<ShellWord> ShellVariables::expanded(std::string_view word, int line) {
    Expansion to{{}, line};
    expand(word, false, to, 0);
    return std::move(to.words);
}

ShellWord ShellVariables::value(std::string_view word, int line) {
    Expansion to{{}, line};
    for (const ShellWord& one : expanded(word, line)) {
        if (to.open) to.add(" ");
        to.add(one);
    }
    to.last();
    return to.words.front();
}

std::string ShellVariables::document(std::string_view body) {
    Expansion to{{}};
    expand(body, true, to, 0);
    return std::move(to.last().text);
}

void ShellVariables::forget_differences(const ShellVariables& other) {
    for (const auto& [name, values] : other.values_) {
        const auto mine = values_.find(name);
        if (mine != values_.end() && mine->second == values) continue;
        values_[name] = {ShellWord{"$" + name, false}};
    }
    for (auto& [name, values] : values_)
        if (!other.values_.contains(name)) values = {ShellWord{"$" + name, false}};
}

void ShellVariables::expand(std::string_view text, bool quoted, Expansion& to, int depth) {
    if (depth > limits::configuration_expansions) return to.add_unknown(text);
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const auto rest = text.substr(i);
        if (c == '\\' && i + 1 < text.size()) {
            if (text[i + 1] != '\n')
                to.add(quoted && text[i + 1] != '"' && text[i + 1] != '$' && text[i + 1] != '\\' ? rest.substr(0, 2)
                                                                                                 : rest.substr(1, 1));
            i += 2;
        } else if (c == '\'' && !quoted) {
            const auto end = std::min(text.find('\'', i + 1), text.size());
            to.add(text.substr(i + 1, end - i - 1));
            i = end + 1;
        } else if (c == '"' && !quoted) {
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != '"')
                end += text[end] == '\\'                                            ? 2
                       : text.substr(end, 2) == "$(" || text.substr(end, 2) == "${" ? 1 + closing(text.substr(end + 1))
                                                                                    : 1;
            end = std::min(end, text.size());
            const auto inside = text.substr(i + 1, end - i - 1);
            if (!inside.starts_with("${") || !inside.ends_with("[@]}")) to.last();  // "" is a word
            expand(inside, true, to, depth + 1);
            i = end + 1;
        } else if (c == '`') {
            const auto end = std::min(text.find('`', i + 1), text.size() - 1);
            to.add_unknown(text.substr(i, end + 1 - i));
            i = end + 1;
        } else if (c == '$' && i + 1 < text.size()) {
            i += parameter(rest, quoted, to, depth);
        } else {
            to.add(rest.substr(0, 1));
            ++i;
        }
    }
}

/// `text` begins with "$". How many characters the parameter has.
std::size_t ShellVariables::parameter(std::string_view text, bool quoted, Expansion& to, int depth) {
    if (text.starts_with("$((")) {
        const auto end = closing(text.substr(1)) + 1;
        std::string inside(text.substr(3, end > 5 ? end - 5 : 0));
        std::erase_if(inside, [](char c) { return c == '$' || c == '{' || c == '}'; });
        const std::string result = arithmetic(inside, [this](const std::string& name) { return number(name); });
        if (result.empty())
            to.add_unknown(text.substr(0, end));
        else
            to.add(result);
        return end;
    }
    if (text[1] == '(') {
        const auto end = closing(text.substr(1)) + 1;
        to.add_unknown(text.substr(0, end));
        return end;
    }
    if (text[1] == '{') {
        const auto end = closing(text.substr(1)) + 1;
        braced(text.substr(2, end > 3 ? end - 3 : 0), quoted, to, depth);
        return end;
    }
    const auto name = name_in(text.substr(1));
    if (name.empty()) {  // $1, $@, $?
        to.add_unknown(text.substr(0, 2));
        return 2;
    }
    append(std::string(name), text.substr(0, name.size() + 1), quoted, true, to);
    return name.size() + 1;
}

/// What stands between "${" and "}".
void ShellVariables::braced(std::string_view inside, bool quoted, Expansion& to, int depth) {
    const std::string shown = "${" + std::string(inside) + '}';
    std::string_view name = name_in(inside);
    if (name.empty() && !inside.empty() && inside.front() >= '1' && inside.front() <= '9') name = inside.substr(0, 1);
    const auto rest = inside.substr(name.size());
    if (!name.empty() && rest.empty()) return append(std::string(name), shown, quoted, true, to);
    if (!name.empty() && (rest == "[@]" || rest == "[*]"))
        return append(std::string(name), shown, quoted, rest == "[*]", to);
    const bool colon = rest.starts_with(":");
    const auto operation = rest.substr(colon ? 1 : 0, 1);
    if (name.empty() || (operation != "-" && operation != "=")) return to.add_unknown(shown);
    const auto there = values_.find(std::string(name));
    const bool set = there != values_.end() && (!colon || (!there->second.empty() && !there->second[0].text.empty()));
    if (set) return append(std::string(name), shown, quoted, true, to);
    Expansion otherwise{{}};
    expand(rest.substr(colon ? 2 : 1), true, otherwise, depth + 1);
    ShellWord value = otherwise.last();
    value.assumed = true;
    if (operation == "=") values_[std::string(name)] = {value};
    to.add(value);
}

/// The value of a variable. `joined`: as one word if quoted, otherwise split at blanks; else each element is a word.
void ShellVariables::append(const std::string& name, std::string_view shown, bool quoted, bool joined, Expansion& to) {
    const auto found = values_.find(name);
    if (found == values_.end()) return to.add_unknown(shown);
    bool first = true;
    for (const ShellWord& value : found->second) {
        if (to.words.size() > limits::configuration_settings) return;
        *spent_ += value.text.size();
        if (*spent_ > limits::configuration_bytes) return to.add_unknown(shown);
        if (!first) {
            if (quoted && joined)
                to.add(" ");
            else
                to.open = false;
        }
        first = false;
        if (quoted || !value.known) {
            to.add(value);
            continue;
        }
        std::string_view text = value.text;  // split
        while (!text.empty()) {
            const auto begin = text.find_first_not_of(blanks);
            if (begin != 0) to.open = false;
            if (begin == std::string_view::npos) break;
            text.remove_prefix(begin);
            const auto size = std::min(text.find_first_of(blanks), text.size());
            to.add(ShellWord{std::string(text.substr(0, size)), true, value.assumed});
            text.remove_prefix(size);
        }
    }
}

std::string ShellVariables::number(const std::string& name) const {
    const auto found = values_.find(name);
    const bool one = found != values_.end() && found->second.size() == 1 && found->second[0].known;
    return one ? found->second[0].text : std::string();
}

}  // namespace scalescope::formats::trainers
