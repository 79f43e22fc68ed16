// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/aliases.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/name_list.hpp"
#include "core/formats/catalogue_rows.hpp"
#include "core/formats/embedded.hpp"
#include "core/scenario/names.hpp"

namespace scalescope::measure {

namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;
using formats::ProblemList;
using formats::RecordReader;

constexpr formats::FileFormat aliases_format{"scalescope-aliases", "table of aliases", {}};

char lower_letter(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// "ResNet-50" and "resnet 50" are the same word.
std::string plain_word(std::string_view text) {
    std::string word;
    for (const char c : text)
        if (c != ' ' && c != '-' && c != '_') word += lower_letter(c);
    return word;
}

bool contains_words(std::string_view text, std::string_view words) {
    return std::search(text.begin(), text.end(), words.begin(), words.end(),
                       [](char a, char b) { return lower_letter(a) == lower_letter(b); }) != text.end();
}

/// The columns of words that a rule may look at.
constexpr std::string_view condition_columns =
    "source framework network device interconnect precision metric recompute notes";

void read_names(RecordReader& row, std::vector<std::string>& names) {
    row.texts("names", names);
    if (names.empty()) row.fields.error("It has no name.", "List what tables call it under \"names\".");
}

std::vector<std::pair<std::string, std::string>> read_pairs(RecordReader& row, std::string_view name) {
    std::vector<std::pair<std::string, std::string>> all;
    const auto object = row.fields.required(name, JsonKind::object);
    if (!object) return all;
    for (const JsonValue member : *object) {
        if (member.is_string())
            all.emplace_back(member.key(), member.text());
        else
            row.fields.error(member.key(), member, "Its value is a text.", "Write it in double quotes, numbers too.");
    }
    return all;
}

Conditions read_conditions(RecordReader& row) {
    auto when = read_pairs(row, "when");
    for (const auto& [column, words] : when)
        if (column != "workers" && !is_among(column, condition_columns))
            row.fields.error("A rule cannot look at " + formats::quoted(column) + ".",
                             "Use source, framework, network, device, interconnect, precision, metric, recompute, "
                             "notes or workers.");
    return when;
}

void describe_network(RecordReader& row, NetworkAlias& alias) {
    read_names(row, alias.names);
    row.text("network", alias.network);
    alias.tokens_per_sample = row.fields.optional_number("tokens_per_sample", 1e-3, 1e9).value_or(1.0);
    row.optional_text("note", alias.note);
}

void read_family(RecordReader& row, FamilyAlias& alias) {
    row.optional_text("words", alias.words);
    row.text("family", alias.family);
    row.optional_text("note", alias.note);
    if (!is_among(alias.family, "gpt2 mpt llama"))
        row.fields.error("There is no family " + formats::quoted(alias.family) + " here.", "Write gpt2, mpt or llama.");
}

Aliases read_all(JsonValue root, ProblemList& problems) {
    JsonFields fields(root, {}, problems);
    for (const auto* name : {"format", "version", "$schema"}) fields.ignore(name);
    formats::SourceKeys keys;
    if (const auto sources = fields.optional("sources", JsonKind::object))
        for (const JsonValue s : *sources)
            if (s.is_string()) keys.emplace(s.key(), s.text());
    const auto sources_and_note = [&](RecordReader& row, auto& rule) {
        row.optional_texts("sources", rule.sources);
        formats::spell_out(rule.sources, keys);
        row.optional_text("note", rule.note);
    };
    Aliases all;
    RecordReader reader(fields, problems);
    reader.rows("networks", all.networks, describe_network);
    reader.rows("settings", all.settings, [&](RecordReader& row, SettingRule& rule) {
        rule.when = read_conditions(row);
        rule.set = read_pairs(row, "set");
        row.optional_boolean("of_decoders", rule.of_decoders);
        row.optional_boolean("of_measured_devices", rule.of_measured);
        sources_and_note(row, rule);
    });
    reader.optional_rows("families", all.families, read_family);
    reader.optional_rows("cells", all.cells, [&](RecordReader& row, CellRule& rule) {
        rule.when = read_conditions(row);
        rule.cells = read_pairs(row, "cells");
        sources_and_note(row, rule);
        for (const auto& [column, text] : rule.cells)
            if (!is_fillable_column(column))
                row.fields.error("Tables have no column " + formats::quoted(column) + ".",
                                 "Use a column of published tables, such as seq, vocab or micro_batch.");
    });
    reader.optional_rows("modelled", all.modelled, [](RecordReader& row, auto& modelled) {
        modelled.when = read_conditions(row);
        row.optional_text("note", modelled.note);
    });
    fields.finish();
    return all;
}

}  // namespace

const NetworkAlias* Aliases::network(std::string_view name) const {
    const std::string word = plain_word(name);
    const auto called = [&](const NetworkAlias& alias) {
        return std::any_of(alias.names.begin(), alias.names.end(),
                           [&](const std::string& known) { return plain_word(known) == word; });
    };
    const auto found = std::find_if(networks.begin(), networks.end(), called);
    return found == networks.end() ? nullptr : &*found;
}

const FamilyAlias* Aliases::family(std::string_view name) const {
    const auto fits = [&](const FamilyAlias& alias) { return contains_words(name, alias.words); };
    const auto found = std::find_if(families.begin(), families.end(), fits);
    return found == families.end() ? nullptr : &*found;
}

bool meets(const PublishedRow& row, const Conditions& when) {
    for (const auto& condition : when) {
        if (condition.first == "workers") {
            if (condition.second != std::to_string(row.workers)) return false;
            continue;
        }
        const std::string* cell = text_cell(row, condition.first);
        if (!cell || (condition.second.empty() ? !cell->empty() : !contains_words(*cell, condition.second)))
            return false;
    }
    return true;
}

Result<Aliases> read_aliases(std::string_view text, std::string file) {
    auto document = formats::open_document(text, std::move(file), aliases_format);
    if (!document) return fail(document.error());
    ProblemList problems;
    Aliases all = read_all(document->root(), problems);
    if (problems.has_errors()) return fail(problems.take());
    return all;
}

Result<Aliases> shipped_aliases() {
    Aliases all;
    for (const auto& embedded : formats::embedded_files()) {
        if (!embedded.path.starts_with("aliases/")) continue;
        auto read = read_aliases(embedded.text, std::string(embedded.path));
        if (!read) return fail(read.error());
        const auto append = [](auto& to, auto& from) {
            to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
        };
        append(all.networks, read->networks);
        append(all.settings, read->settings);
        append(all.families, read->families);
        append(all.cells, read->cells);
        append(all.modelled, read->modelled);
    }
    return all;
}

}  // namespace scalescope::measure
