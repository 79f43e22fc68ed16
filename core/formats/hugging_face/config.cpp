// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/config.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/listed.hpp"
#include "core/base/name_list.hpp"

namespace scalescope::formats::hugging_face {
namespace {

/// "hidden_size (or n_embd, d_model)".
std::string all_names(Names names) {
    std::string all(next_name(names)), others;
    while (!names.empty()) others += (others.empty() ? "" : ", ") + std::string(next_name(names));
    return all + (others.empty() ? "" : " (or " + others + ")");
}

std::string listed_all(const std::vector<std::string>& texts) {
    std::string all;
    for (std::size_t i = 0; i < texts.size(); ++i)
        all += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
    return all;
}

void add_once(std::vector<std::string>& all, std::string text) {
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

/// A list with its lists and words; of an object its members, whose names are not needed.
Value value_in(JsonValue v) {
    if (v.is_integer()) return {v.integer()};
    if (v.is_number() && std::trunc(v.number()) == v.number() && std::abs(v.number()) < 1e15)
        return {static_cast<std::int64_t>(v.number())};
    if (v.is_number()) return {v.number()};
    if (v.kind() == JsonKind::boolean) return {std::int64_t{v.boolean()}};
    if (v.is_string()) return {std::string(v.text())};
    if (v.is_null()) return {};
    List all;
    for (const JsonValue element : v) all.push_back(value_in(element));
    return list_of(std::move(all));
}

}  // namespace

Config::Config(JsonValue object, std::string path, ProblemList& problems, const Config* outer)
    : value_(object),
      path_(std::move(path)),
      problems_(problems),
      outer_(outer),
      errors_(problems.errors()),
      notes_(std::make_shared<Notes>()) {}

std::optional<JsonValue> Config::find(Names names) const {
    std::optional<JsonValue> found;
    any_name(names, [&](std::string_view name) {
        found = value_;
        for (bool more = true; more && found;) {
            const auto dot = name.find('.');
            more = dot != std::string_view::npos;
            found = found->is_object() ? found->find(name.substr(0, dot)) : std::nullopt;
            if (more) name.remove_prefix(dot + 1);
        }
        if (found && found->is_null()) found.reset();
        return found.has_value();
    });
    return found || !outer_ ? found : outer_->find(names);
}

std::optional<Config> Config::part(Names names, bool with_outer) const {
    const auto found = find(names);
    if (!found || !found->is_object()) return std::nullopt;
    Config inner(*found, where(found->key()), problems_, with_outer ? this : nullptr);
    inner.notes_ = notes_;
    return inner;
}

void Config::wrong(JsonValue value, std::string what, std::string remedy) {
    const auto at = value.at();
    if (notes_->wrong.insert(std::to_string(at.line) + ':' + std::to_string(at.column) + what).second)
        problems_.error(at, where(value.key()), std::move(what), std::move(remedy));
}

bool Config::is_absent(const Figure& figure, JsonValue found) {
    return !figure.absent.empty() && found.is_string() && found.text() == figure.absent;
}

Value Config::read(const Figure& f, JsonValue found) {
    const std::string key = quoted(found.key());
    switch (f.kind) {
        case Figure::Kind::whole: {
            if (found.is_integer() && found.integer() >= f.least && found.integer() <= f.most) return {found.integer()};
            const std::string range =
                "a whole number from " + std::to_string(f.least) + " to " + std::to_string(f.most);
            wrong(found, "The figure " + key + " must be " + range + ".", "Write " + range + ".");
            return {f.least};
        }
        case Figure::Kind::number:
            if (found.is_number()) return value_in(found);
            wrong(found, "The figure " + key + " must be a number.", "Write a number.");
            return {0.0};
        case Figure::Kind::flag:
            if (found.kind() == JsonKind::boolean) return value_in(found);
            wrong(found, "The figure " + key + " must be true or false.", "Write true or false.");
            return {std::int64_t{0}};
        case Figure::Kind::word:
            if (!found.is_string())
                wrong(found, "The member " + key + " must be a text.", "Write a word in double quotes.");
            return {std::string(found.text())};
        case Figure::Kind::any: return value_in(found);
        case Figure::Kind::list: return found.is_array() || found.is_object() ? value_in(found) : list_of({});
    }
    return {};
}

Value Config::missing(const Figure& f) {
    if (f.kind == Figure::Kind::list) return list_of({});
    if (f.kind == Figure::Kind::word) return {std::string()};
    if (f.kind == Figure::Kind::whole) add_once(notes_->missing, all_names(f.keys));
    return {f.kind == Figure::Kind::whole ? f.least : std::int64_t{0}};
}

void Config::assume(Names names, const std::string& value) {
    add_once(notes_->assumed, std::string(next_name(names)) + " = " + value);
}

std::string Config::word(Names names) const {
    const auto found = find(names);
    return found && found->is_string() ? std::string(found->text()) : std::string();
}

std::vector<std::string> Config::words(Names names) const {
    std::vector<std::string> all;
    if (const auto found = find(names); found && found->is_array())
        for (const JsonValue v : *found)
            if (v.is_string()) all.emplace_back(v.text());
    return all;
}

void Config::error(Names names, std::string what, std::string remedy) {
    const auto found = find(names);
    wrong(found ? *found : value_, std::move(what), std::move(remedy));
}

void Config::warn(std::string what, std::string remedy) {
    problems_.warning(value_.at(), path_, std::move(what), std::move(remedy));
}

bool Config::finish(std::string_view family) {
    if (!notes_->missing.empty()) {
        std::vector<std::string> found;
        for (const JsonValue v : value_) {
            if (v.is_number()) found.emplace_back(v.key());
            if (found.size() == 12) break;
        }
        problems_.error(value_.at(), path_,
                        "A " + std::string(family) + " needs " + listed_all(notes_->missing) +
                            ", which this file does not say" +
                            (found.empty() ? std::string(".") : "; it has " + listed_all(found) + "."),
                        "Add the missing figures.");
    }
    if (problems_.errors() > errors_) return false;
    if (!notes_->assumed.empty())
        warn("The file leaves to the defaults of a " + std::string(family) + ": " + listed_all(notes_->assumed) + ".",
             "Write them into the file if the model has others.");
    return true;
}

}  // namespace scalescope::formats::hugging_face
