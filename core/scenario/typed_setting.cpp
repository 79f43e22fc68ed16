// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/typed_setting.hpp"

#include "core/base/decimal.hpp"
#include "core/base/fuzzy.hpp"
#include "core/base/letters.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/former_names.hpp"
#include "core/scenario/symbol_fields.hpp"

#include <algorithm>

namespace scalescope {
namespace {

bool parts_words(char c) { return c == ' ' || c == '\t' || c == '.' || c == '_' || c == '-'; }

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words{{}};
    for (const char c : in_small_letters(text)) {
        if (!parts_words(c))
            words.back().push_back(c);
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

/// A name and a value, in every way in which the text can be parted.
struct Parted {
    std::vector<std::string> name;
    std::string whole_name, value;
    bool surely = false;  ///< there is a "="
};

std::vector<Parted> parted(std::string_view typed) {
    std::vector<Parted> all;
    const auto add = [&](std::string_view name, std::string_view value, bool surely) {
        Parted p{words_of(name), in_small_letters(trimmed(name)), std::string(trimmed(value)), surely};
        if (!p.name.empty() && !p.value.empty()) all.push_back(std::move(p));
    };
    if (const auto sign = typed.find('='); sign != std::string_view::npos) {
        add(typed.substr(0, sign), typed.substr(sign + 1), true);
        return all;
    }
    for (std::size_t i = 1; i < typed.size(); ++i)
        if (typed[i] == ' ' && typed[i - 1] != ' ') add(typed.substr(0, i), typed.substr(i + 1), false);
    return all;
}

/// How well a field is named: smaller is better; nothing if it is not.
std::optional<int> rank(const Parted& p, const Field& field, const std::string& label) {
    const std::string path = in_small_letters(field.path), name = in_small_letters(label);
    const std::string last = path.substr(path.rfind('.') + 1);
    const int late = field.derived ? 1 : 0;
    if (p.whole_name == path) return 0;
    if (p.whole_name == name || p.whole_name == last) return 2 + late;
    std::vector<std::string> words = words_of(name);
    const auto all_in = [&](const std::vector<std::string>& where) {
        return std::all_of(p.name.begin(), p.name.end(), [&](const std::string& typed) {
            return std::any_of(where.begin(), where.end(),
                               [&](const std::string& word) { return word.compare(0, typed.size(), typed) == 0; });
        });
    };
    if (name.compare(0, p.whole_name.size(), p.whole_name) == 0) return 4 + late;
    if (all_in(words)) return 6 + late;
    for (std::string& word : words_of(path)) words.push_back(std::move(word));
    return all_in(words) ? std::optional<int>(8 + late) : std::nullopt;
}

bool takes_numbers(const Field& field) { return field.type == FieldType::integer || field.type == FieldType::number; }

/// Without the field's own unit, and without commas between thousands.
std::string plain_value(const Field& field, const std::string& value) {
    if (!takes_numbers(field)) return value;
    std::string number = value;
    const std::string unit = in_small_letters(field.unit), small = in_small_letters(value);
    if (!unit.empty() && small.size() > unit.size() &&
        small.compare(small.size() - unit.size(), unit.size(), unit) == 0)
        number = std::string(trimmed(std::string_view(value).substr(0, value.size() - unit.size())));
    number.erase(std::remove(number.begin(), number.end(), ','), number.end());
    return number;
}

/// A choice by its beginning: "hyb" for "hybrid", if there is only one.
std::string choice_meant(const Field& field, const std::string& value) {
    const std::string small = in_small_letters(value);
    std::string found;
    for (const std::string_view choice : field.choices) {
        if (choice == small) return small;
        if (choice.substr(0, small.size()) != small) continue;
        if (!found.empty()) return value;
        found = std::string(choice);
    }
    return found.empty() ? value : found;
}

}  // namespace

std::vector<TypedSetting> typed_settings(std::string_view typed, const Scenario& scenario, const Catalogue& catalogue,
                                         std::size_t most) {
    if (typed.size() > FuzzyQuery::longest) return {};
    struct Candidate {
        int rank;
        const Field* field;
        const Parted* parted;
    };
    const std::vector<Parted> ways = parted(typed);
    const SymbolFields symbols(scenario);
    std::vector<Candidate> candidates;
    const auto look_at = [&](const Field& field) {
        const std::string label = label_in(scenario, field);
        for (const Parted& p : ways)
            if (const auto r = rank(p, field, label)) candidates.push_back({*r, &field, &p});
    };
    for (const Field& field : all_fields()) look_at(field);
    for (const Field& field : former_fields()) look_at(field);
    for (const Field& field : symbols.rows()) look_at(field);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });

    std::vector<TypedSetting> found;
    for (const Candidate& c : candidates) {
        const Field& field = *c.field;
        const auto same = [&](const TypedSetting& t) { return t.path == field.path; };
        if (found.size() >= most || std::any_of(found.begin(), found.end(), same)) continue;
        const std::string value =
            field.choices.empty() ? plain_value(field, c.parted->value) : choice_meant(field, c.parted->value);
        TypedSetting t;
        t.path = field.path;
        t.label = label_in(scenario, field);
        t.before = shown_value(field, scenario);
        Scenario next = scenario;
        const auto done = field.path.substr(0, SymbolFields::prefix.size()) == SymbolFields::prefix
                              ? set_field(next, field.path, value, catalogue)
                              : set_field(next, field, value, catalogue);
        if (done) {
            t.after = shown_value(field, next);
            t.next = std::move(next);
        } else {
            if (!c.parted->surely && !(takes_numbers(field) && parse_decimal(value))) continue;
            t.after = c.parted->value;
            t.problem = done.error().front().what;
        }
        found.push_back(std::move(t));
    }
    return found;
}

}  // namespace scalescope
