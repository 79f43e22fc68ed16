// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/config.hpp"

#include "core/base/name_list.hpp"

namespace scalescope::formats::hugging_face {
namespace {

std::string first_name(Names names) { return std::string(next_name(names)); }

/// "hidden_size (or n_embd, d_model)".
std::string all_names(Names names) {
    std::string all(next_name(names)), others;
    while (!names.empty()) others += (others.empty() ? "" : ", ") + std::string(next_name(names));
    return all + (others.empty() ? "" : " (or " + others + ")");
}

std::string listed(const std::vector<std::string>& texts) {
    std::string all;
    for (std::size_t i = 0; i < texts.size(); ++i)
        all += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
    return all;
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
        found = value_.find(name);
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
    problems_.error(value.at(), where(value.key()), std::move(what), std::move(remedy));
}

std::optional<std::int64_t> Config::whole(JsonValue value, std::int64_t least, std::int64_t most) {
    if (value.is_integer() && value.integer() >= least && value.integer() <= most) return value.integer();
    const std::string range = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    wrong(value, "The figure " + quoted(value.key()) + " must be " + range + ".", "Write " + range + ".");
    return std::nullopt;
}

std::int64_t Config::size(Names names, std::int64_t most, std::int64_t least) {
    const auto found = find(names);
    if (!found) {
        notes_->missing.push_back(all_names(names));
        return 1;
    }
    return whole(*found, least, most).value_or(least);
}

std::int64_t Config::size_or(Names names, std::int64_t otherwise, std::int64_t most, std::int64_t least, bool quiet) {
    if (const auto found = find(names)) return whole(*found, least, most).value_or(least);
    if (!quiet) assume(first_name(names) + " = " + std::to_string(otherwise));
    return otherwise;
}

bool Config::flag(Names names, bool otherwise, bool quiet) {
    const auto found = find(names);
    if (!found) {
        if (!quiet) assume(first_name(names) + (otherwise ? " = true" : " = false"));
        return otherwise;
    }
    if (found->kind() == JsonKind::boolean) return found->boolean();
    wrong(*found, "The figure " + quoted(found->key()) + " must be true or false.", "Write true or false.");
    return otherwise;
}

double Config::number(Names names, double otherwise) {
    const auto found = find(names);
    if (!found) return otherwise;
    if (found->is_number()) return found->number();
    wrong(*found, "The figure " + quoted(found->key()) + " must be a number.", "Write a number.");
    return otherwise;
}

std::string Config::word(Names names, std::string_view otherwise, bool quiet) {
    const auto found = find(names);
    if (!found) {
        if (!quiet) assume(first_name(names) + " = " + std::string(otherwise));
        return std::string(otherwise);
    }
    if (found->is_string()) return std::string(found->text());
    wrong(*found, "The member " + quoted(found->key()) + " must be a text.", "Write a word in double quotes.");
    return std::string(otherwise);
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
                        "A " + std::string(family) + " needs " + listed(notes_->missing) +
                            ", which this file does not say" +
                            (found.empty() ? std::string(".") : "; it has " + listed(found) + "."),
                        "Add the missing figures.");
    }
    if (problems_.errors() > errors_) return false;
    if (!notes_->assumed.empty())
        problems_.warning(
            value_.at(), path_,
            "The file leaves to the defaults of a " + std::string(family) + ": " + listed(notes_->assumed) + ".",
            "Write them into the file if the model has others.");
    return true;
}

}  // namespace scalescope::formats::hugging_face
