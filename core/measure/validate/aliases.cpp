// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/aliases.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/limits.hpp"
#include "core/formats/catalogue_rows.hpp"
#include "core/formats/embedded.hpp"
#include "core/hardware/device_names.hpp"
#include "core/scenario/names.hpp"

namespace scalescope::measure {

namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;
using formats::ProblemList;

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

template <class Alias>
const Alias* by_name(const std::vector<Alias>& all, std::string_view name, std::string (*fold)(std::string_view)) {
    const std::string word = fold(name);
    for (const Alias& alias : all)
        for (const std::string& known : alias.names)
            if (fold(known) == word) return &alias;
    return nullptr;
}

/// The columns a rule may look at.
struct ConditionColumn {
    std::string_view name;
    std::string PublishedRow::*place;
};
constexpr std::array<ConditionColumn, 9> condition_columns{{{"source", &PublishedRow::source},
                                                            {"framework", &PublishedRow::framework},
                                                            {"network", &PublishedRow::network},
                                                            {"device", &PublishedRow::device},
                                                            {"interconnect", &PublishedRow::interconnect},
                                                            {"precision", &PublishedRow::precision},
                                                            {"metric", &PublishedRow::metric},
                                                            {"recompute", &PublishedRow::recompute},
                                                            {"notes", &PublishedRow::notes}}};
constexpr std::array<std::string_view, 3> family_names{"gpt2", "mpt", "llama"};

class AliasReader {
public:
    AliasReader(JsonValue root, ProblemList& problems) : root_(root), problems_(problems) {}

    Aliases read() {
        JsonFields fields(root_, {}, problems_);
        for (const auto* name : {"format", "version", "$schema"}) fields.ignore(name);
        if (const auto sources = fields.optional("sources", JsonKind::object))
            for (const JsonValue s : *sources)
                if (s.is_string()) keys_.emplace(s.key(), s.text());
        Aliases all;
        each(fields, "networks", [&](JsonFields& row) {
            NetworkAlias alias;
            alias.names = names(row);
            alias.network = text(row, "network");
            alias.tokens_per_sample = row.optional_number("tokens_per_sample", 1e-3, 1e9).value_or(1.0);
            alias.note = formats::text_or_empty(row, "note");
            all.networks.push_back(std::move(alias));
        });
        each(fields, "devices", [&](JsonFields& row) {
            all.devices.push_back({names(row), text(row, "device"), formats::text_or_empty(row, "note")});
        });
        each(fields, "precisions", [&](JsonFields& row) {
            PrecisionAlias alias;
            alias.names = names(row);
            const std::string word = text(row, "precision");
            const auto known = std::find_if(all_precisions.begin(), all_precisions.end(),
                                            [&](Precision p) { return name_of(p) == word; });
            if (known == all_precisions.end())
                row.error("There is no precision " + formats::quoted(word) + ".",
                          "Write fp64, fp32, tf32, fp16 or bf16.");
            else
                alias.precision = *known;
            all.precisions.push_back(std::move(alias));
        });
        each(fields, "settings", [&](JsonFields& row) { all.settings.push_back(rule(row)); });
        if_any(fields, "families", [&](JsonFields& row) { all.families.push_back(family(row)); });
        if_any(fields, "cells", [&](JsonFields& row) { all.cells.push_back(cell_rule(row)); });
        if_any(fields, "modelled", [&](JsonFields& row) {
            all.modelled.push_back({conditions(row), formats::text_or_empty(row, "note")});
        });
        fields.finish();
        return all;
    }

private:
    template <class Read>
    void each(JsonFields& fields, std::string_view list, Read read) {
        each_of(fields.required(list, JsonKind::array), list, read);
    }
    template <class Read>
    void if_any(JsonFields& fields, std::string_view list, Read read) {
        each_of(fields.optional(list, JsonKind::array), list, read);
    }
    template <class Read>
    void each_of(const std::optional<JsonValue>& values, std::string_view list, Read read) {
        if (!values) return;
        std::size_t index = 0;
        for (const JsonValue value : *values) {
            JsonFields row(value, formats::join_path(list, std::to_string(++index)), problems_);
            if (problems_.all().size() > limits::problems) return;
            if (!row.is_object()) continue;
            read(row);
            row.finish();
        }
    }

    static std::vector<std::string> names(JsonFields& row) {
        auto all = row.texts("names").value_or(std::vector<std::string>{});
        if (all.empty()) row.error("It has no name.", "List what tables call it under \"names\".");
        return all;
    }
    static std::string text(JsonFields& row, std::string_view name) { return std::string(row.text(name).value_or("")); }

    std::vector<std::pair<std::string, std::string>> pairs(JsonFields& row, std::string_view name) {
        std::vector<std::pair<std::string, std::string>> all;
        const auto object = row.required(name, JsonKind::object);
        if (!object) return all;
        for (const JsonValue member : *object) {
            if (member.is_string())
                all.emplace_back(member.key(), member.text());
            else
                problems_.error(member.at(), formats::join_path(row.path(), member.key()), "Its value is a text.",
                                "Write it in double quotes, numbers too.");
        }
        return all;
    }

    Conditions conditions(JsonFields& row) {
        auto when = pairs(row, "when");
        for (const auto& [column, words] : when)
            if (column != "workers" &&
                std::none_of(condition_columns.begin(), condition_columns.end(),
                             [&, name = std::string_view(column)](const ConditionColumn& c) { return c.name == name; }))
                row.error("A rule cannot look at " + formats::quoted(column) + ".",
                          "Use source, framework, network, device, interconnect, precision, metric, recompute, notes "
                          "or workers.");
        return when;
    }

    SettingRule rule(JsonFields& row) {
        SettingRule r;
        r.when = conditions(row);
        r.set = pairs(row, "set");
        r.sources = formats::decode_sources(row, keys_);
        r.note = formats::text_or_empty(row, "note");
        return r;
    }

    CellRule cell_rule(JsonFields& row) {
        CellRule r;
        r.when = conditions(row);
        r.cells = pairs(row, "cells");
        r.sources = formats::decode_sources(row, keys_);
        r.note = formats::text_or_empty(row, "note");
        for (const auto& [column, text] : r.cells)
            if (!is_fillable_column(column))
                row.error("Tables have no column " + formats::quoted(column) + ".",
                          "Use a column of published tables, such as seq, vocab or micro_batch.");
        return r;
    }

    FamilyAlias family(JsonFields& row) {
        FamilyAlias alias{formats::text_or_empty(row, "words"), text(row, "family"),
                          formats::text_or_empty(row, "note")};
        if (std::find(family_names.begin(), family_names.end(), alias.family) == family_names.end())
            row.error("There is no family " + formats::quoted(alias.family) + " here.", "Write gpt2, mpt or llama.");
        return alias;
    }

    JsonValue root_;
    ProblemList& problems_;
    formats::SourceKeys keys_;
};

}  // namespace

const NetworkAlias* Aliases::network(std::string_view name) const { return by_name(networks, name, plain_word); }
const DeviceAlias* Aliases::device(std::string_view name) const { return by_name(devices, name, folded_device_name); }
const PrecisionAlias* Aliases::precision(std::string_view name) const { return by_name(precisions, name, plain_word); }

const FamilyAlias* Aliases::family(std::string_view name) const {
    const auto fits = [&](const FamilyAlias& alias) { return contains_words(name, alias.words); };
    const auto found = std::find_if(families.begin(), families.end(), fits);
    return found == families.end() ? nullptr : &*found;
}

const Device* device_called(const Catalogue& catalogue, std::string_view name) {
    const auto fitting = fitting_devices(catalogue, name);
    if (!fitting.empty()) return fitting.size() == 1 ? fitting.front() : nullptr;
    const auto aliases = shipped_aliases();
    const DeviceAlias* alias = aliases ? aliases->device(name) : nullptr;
    return alias ? catalogue.device(alias->device) : nullptr;
}

bool meets(const PublishedRow& row, const Conditions& when) {
    for (const auto& condition : when) {
        if (condition.first == "workers") {
            if (condition.second != std::to_string(row.workers)) return false;
            continue;
        }
        const auto column = std::find_if(condition_columns.begin(), condition_columns.end(),
                                         [&](const ConditionColumn& c) { return c.name == condition.first; });
        if (column == condition_columns.end()) return false;
        const std::string& cell = row.*column->place;
        if (condition.second.empty() ? !cell.empty() : !contains_words(cell, condition.second)) return false;
    }
    return true;
}

Result<Aliases> read_aliases(std::string_view text, std::string file) {
    auto document = formats::open_document(text, std::move(file), aliases_format);
    if (!document) return fail(document.error());
    ProblemList problems;
    Aliases all = AliasReader(document->root(), problems).read();
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
        append(all.devices, read->devices);
        append(all.precisions, read->precisions);
        append(all.settings, read->settings);
        append(all.families, read->families);
        append(all.cells, read->cells);
        append(all.modelled, read->modelled);
    }
    return all;
}

}  // namespace scalescope::measure
