// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/names.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/limits.hpp"

namespace scalescope::editing {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::size_t longest_number = 9;  // of digits, in a name

Problem wrong_name(std::string what, std::string remedy) {
    return {Severity::error, std::move(what), {}, std::move(remedy), {}};
}

}  // namespace

std::string_view parent_path(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

bool is_inside(std::string_view name, std::string_view path) {
    return path.empty() || (name.size() > path.size() && name[path.size()] == '/' && name.starts_with(path));
}

std::string joined(std::string_view path, std::string_view name) {
    return path.empty() ? std::string(name) : std::string(path) + '/' + std::string(name);
}

std::string common_path(std::span<const std::string> names) {
    if (names.empty()) return {};
    std::string_view common = parent_path(names.front());
    for (const std::string& name : names)
        while (!is_inside(name, common)) common = parent_path(common);
    return std::string(common);
}

std::optional<Problem> about_title(std::string_view title) {
    if (title.empty()) return wrong_name("A name cannot be empty.", "give it a name");
    if (title.size() > limits::name_bytes)
        return wrong_name("This name is too long.", "use up to " + std::to_string(limits::name_bytes) + " bytes");
    if (std::any_of(title.begin(), title.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
        return wrong_name("A name is one line of text.", "leave out line breaks and tabs");
    return std::nullopt;
}

std::optional<Problem> about_name(std::string_view name) {
    if (name.empty()) return wrong_name("A name cannot be empty.", "give it a name, such as \"conv1\"");
    if (name.front() == '/' || name.back() == '/' || name.find("//") != std::string_view::npos)
        return wrong_name("Every part of a name between slashes needs a text.", "write for example \"block1/conv1\"");
    return about_title(name);
}

std::optional<Numbered> split_number(std::string_view name) {
    std::size_t digits = name.size();
    while (digits > 0 && is_digit(name[digits - 1])) --digits;
    const std::string_view number = name.substr(digits);
    if (number.empty() || number.size() > longest_number || digits == 0) return std::nullopt;
    if (name[digits - 1] == 'x' && digits > 1 && is_digit(name[digits - 2])) return std::nullopt;  // "1x1"
    Numbered split{name.substr(0, digits), 0};
    std::from_chars(number.data(), number.data() + number.size(), split.number);
    return split;
}

Names::Names(const NetworkDraft& draft) {
    paths_.reserve(2 * draft.layers.size());
    for (const Layer& l : draft.layers) add(l.name);
}

void Names::add(const std::string& name) {
    for (std::string_view path = name; !path.empty(); path = parent_path(path)) {
        if (!paths_.emplace(path).second) return;  // so its blocks are there too
        if (const auto split = split_number(path)) {
            auto& highest = highest_[std::string(split->stem)];
            highest = std::max(highest, split->number);
        }
    }
}

std::string Names::fresh(const std::string& wanted) const {
    if (!taken(wanted)) return wanted;
    const std::string_view block = parent_path(wanted), leaf = leaf_name(wanted);
    if (const auto split = split_number(leaf)) return numbered(block, split->stem);
    const bool has_digits = std::any_of(leaf.begin(), leaf.end(), is_digit);
    return numbered(block, std::string(leaf) + (has_digits ? "_" : ""), 2);
}

std::string Names::numbered(std::string_view block, std::string_view stem, int least) const {
    const std::string path = joined(block, stem);
    const auto it = highest_.find(path);
    std::int64_t n = std::max<std::int64_t>(it == highest_.end() ? 1 : it->second + 1, least);
    std::string name = path + std::to_string(n);
    while (taken(name)) name = path + std::to_string(++n);
    return name;
}

}  // namespace scalescope::editing
