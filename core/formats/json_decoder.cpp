// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_decoder.hpp"

#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/base/suggest.hpp"
#include "core/formats/json_writer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scalescope::formats {

void ProblemList::add(Problem problem) {
    if (problem.severity == Severity::error) ++errors_;
    if (problems_.size() < limits::problems) {
        problems_.push_back(std::move(problem));
    } else if (problems_.size() == limits::problems) {
        // Always an error when one was swallowed, so that a list of warnings cannot hide it.
        problems_.push_back(
            {problem.severity, "There are more problems in this file.", {}, "Mend these first.", {problem.at.file}});
    } else if (problem.severity == Severity::error) {
        problems_.back().severity = Severity::error;
    }
}

void ProblemList::error(SourcePosition at, std::string where, std::string what, std::string remedy) {
    add(make_error(std::move(what), std::move(remedy), std::move(at), std::move(where)));
}

void ProblemList::warning(SourcePosition at, std::string where, std::string what, std::string remedy) {
    add(make_warning(std::move(what), std::move(remedy), std::move(at), std::move(where)));
}

Problems ProblemList::take() {
    errors_ = 0;
    return std::exchange(problems_, {});
}

namespace {

constexpr std::size_t most_compared = 4096;

std::string shown(JsonValue value) {
    if (value.is_array() || value.is_object()) return std::string(describe(value.kind()));
    std::string source(value.source());
    if (source.size() > 60) source = source.substr(0, 57) + "...";
    return value.is_string() ? quoted(value.text()) : source;
}

}  // namespace

std::string range_text(const std::string& low, bool has_low, const std::string& high, bool has_high) {
    if (has_low && has_high) return " from " + low + " to " + high;
    if (has_low) return " of at least " + low;
    if (has_high) return " of at most " + high;
    return {};
}

std::string_view closest_name(std::string_view name, std::span<const std::string_view> known) {
    std::string_view best;
    std::size_t best_distance = 3;
    if (name.size() > longest_word) return best;
    for (const std::string_view candidate : known.first(std::min(known.size(), most_compared))) {
        if (candidate.size() > longest_word || candidate == name) continue;
        const std::size_t longer = std::max(name.size(), candidate.size());
        if (longer - std::min(name.size(), candidate.size()) >= best_distance) continue;
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < best_distance && 2 * distance < longer) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> known, std::string otherwise) {
    const auto best = closest_name(name, known);
    return best.empty() ? otherwise : "Did you mean " + quoted(best) + "?";
}

std::string quoted(std::string_view text) {
    std::size_t length = std::min<std::size_t>(text.size(), 60);
    // Never cut a character in two.
    while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0u) == 0x80u) --length;
    return '"' + std::string(text.substr(0, length)) + (length < text.size() ? "..." : "") + '"';
}

std::string join_path(std::string_view parent, std::string_view name) {
    if (parent.empty()) return std::string(name);
    return std::string(parent) + " › " + std::string(name);
}

JsonFields::JsonFields(JsonValue object, std::string path, ProblemList& problems)
    : value_(object), path_(std::move(path)), problems_(problems) {
    if (!value_.is_object())
        error("This must be an object, not " + std::string(describe(value_.kind())) + ".",
              "Write { \"name\": value, ... }.");
}

void JsonFields::error(std::string what, std::string remedy) {
    problems_.error(value_.at(), path_, std::move(what), std::move(remedy));
}

void JsonFields::error(std::string_view name, JsonValue at, std::string what, std::string remedy) {
    problems_.error(at.at(), join_path(path_, name), std::move(what), std::move(remedy));
}

std::optional<JsonValue> JsonFields::lookup(std::string_view name) {
    known_.push_back(name);
    return value_.find(name);
}

void JsonFields::missing(std::string_view name, JsonKind kind) {
    if (!value_.is_object()) return;  // said already
    error("The field " + quoted(name) + " is missing.", "Add it; it is " + std::string(describe(kind)) + ".");
}

std::optional<JsonValue> JsonFields::expect(std::string_view name, std::optional<JsonValue> found, JsonKind kind) {
    if (!found || found->kind() == kind) return found;
    error(name, *found,
          "The field " + quoted(name) + " must be " + std::string(describe(kind)) + ", not " + shown(*found) + ".",
          "Write " + std::string(describe(kind)) + " here.");
    return std::nullopt;
}

std::optional<JsonValue> JsonFields::required(std::string_view name, JsonKind kind) {
    const auto found = lookup(name);
    if (!found) missing(name, kind);
    return expect(name, found, kind);
}

std::optional<JsonValue> JsonFields::optional(std::string_view name, JsonKind kind) {
    const auto found = lookup(name);
    if (found && found->is_null()) return std::nullopt;
    return expect(name, found, kind);
}

std::optional<JsonValue> JsonFields::any(std::string_view name) { return lookup(name); }

std::optional<std::string_view> JsonFields::text(std::string_view name) {
    const auto found = required(name, JsonKind::string);
    return found ? std::optional(found->text()) : std::nullopt;
}

std::optional<std::string_view> JsonFields::optional_text(std::string_view name) {
    const auto found = optional(name, JsonKind::string);
    return found ? std::optional(found->text()) : std::nullopt;
}

std::optional<bool> JsonFields::optional_boolean(std::string_view name) {
    const auto found = optional(name, JsonKind::boolean);
    return found ? std::optional(found->boolean()) : std::nullopt;
}

std::optional<std::int64_t> JsonFields::as_integer(std::string_view name, JsonValue value, std::int64_t low,
                                                   std::int64_t high) {
    constexpr double exact = 9007199254740992.0;  // 2^53: beyond it a double is no exact whole number
    std::optional<std::int64_t> result;
    if (value.is_integer()) {
        result = value.integer();
    } else if (value.is_number() && std::floor(value.number()) == value.number() && std::abs(value.number()) <= exact) {
        result = static_cast<std::int64_t>(value.number());
    }
    if (result && *result >= low && *result <= high) return result;
    const auto range = range_text(std::to_string(low), low != lowest, std::to_string(high), high != highest);
    error(name, value, "This must be a whole number" + range + ", not " + shown(value) + ".",
          "Write a whole number" + range + ".");
    return std::nullopt;
}

std::optional<double> JsonFields::as_number(std::string_view name, JsonValue value, double low, double high) {
    if (value.is_number() && value.number() >= low && value.number() <= high) return value.number();
    const auto range = range_text(shortest(low), low != least, shortest(high), high != most);
    error(name, value, "This must be a number" + range + ", not " + shown(value) + ".", "Write a number" + range + ".");
    return std::nullopt;
}

std::optional<std::int64_t> JsonFields::integer(std::string_view name, std::int64_t low, std::int64_t high) {
    const auto found = lookup(name);
    if (!found) missing(name, JsonKind::number);
    return found ? as_integer(name, *found, low, high) : std::nullopt;
}

std::optional<std::int64_t> JsonFields::optional_integer(std::string_view name, std::int64_t low, std::int64_t high) {
    const auto found = lookup(name);
    return found && !found->is_null() ? as_integer(name, *found, low, high) : std::nullopt;
}

std::optional<double> JsonFields::number(std::string_view name, double low, double high) {
    const auto found = lookup(name);
    if (!found) missing(name, JsonKind::number);
    return found ? as_number(name, *found, low, high) : std::nullopt;
}

std::optional<double> JsonFields::optional_number(std::string_view name, double low, double high) {
    const auto found = lookup(name);
    return found && !found->is_null() ? as_number(name, *found, low, high) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> JsonFields::integers(std::string_view name, std::size_t count,
                                                              std::int64_t low, std::int64_t high) {
    const auto list = required(name, JsonKind::array);
    if (!list) return std::nullopt;
    if (count != 0 && list->size() != count) {
        error(name, *list,
              "This list must have " + std::to_string(count) + " numbers, not " + std::to_string(list->size()) + ".",
              "Write " + std::to_string(count) + " whole numbers.");
        return std::nullopt;
    }
    std::vector<std::int64_t> result;
    result.reserve(list->size());
    bool good = true;
    for (const JsonValue element : *list) {
        const auto number = as_integer(name, element, low, high);
        good = good && number.has_value();
        if (!good && problems_.all().size() > limits::problems) break;
        result.push_back(number.value_or(0));
    }
    return good ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<std::vector<std::string>> JsonFields::texts(std::string_view name) {
    const auto list = required(name, JsonKind::array);
    if (!list) return std::nullopt;
    std::vector<std::string> result;
    result.reserve(list->size());
    bool good = true;
    for (const JsonValue element : *list) {
        if (!element.is_string()) {
            error(name, element, "Each entry of this list must be a text, not " + shown(element) + ".",
                  "Write a name in double quotes.");
            good = false;
            if (problems_.all().size() > limits::problems) break;
        }
        result.emplace_back(element.text());
    }
    return good ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<std::size_t> JsonFields::choice(std::string_view name, std::span<const std::string_view> words) {
    const auto word = text(name);
    if (!word) return std::nullopt;
    const auto found = std::ranges::find(words, *word);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    error(name, *value_.find(name), "The field " + quoted(name) + " cannot be " + quoted(*word) + ".",
          "Write one of " + listed(words) + ".");
    return std::nullopt;
}

std::vector<JsonValue> JsonFields::unread() const {
    std::vector<JsonValue> result;
    for (const JsonValue member : value_)
        if (std::ranges::find(known_, member.key()) == known_.end()) result.push_back(member);
    return result;
}

void JsonFields::finish(Severity severity) {
    if (!value_.is_object()) return;
    for (const JsonValue member : unread()) {
        if (problems_.all().size() > limits::problems) return;
        problems_.add(
            {severity, "The field " + quoted(member.key()) + " is not known here.", join_path(path_, member.key()),
             did_you_mean(member.key(), known_, severity == Severity::error ? "Remove it." : "It is ignored."),
             member.key_at()});
    }
}

}  // namespace scalescope::formats
