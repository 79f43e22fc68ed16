// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/settings_json.hpp"

#include <array>

#include "core/measure/fit/fit_json.hpp"

namespace scalescope::measure {

namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;
using formats::JsonWriter;

template <class Owner, class Value>
struct NamedPlace {
    std::string_view name;
    Value Owner::*place;
};

constexpr NamedPlace<ColumnMap, std::string> map_words[] = {{"time", &ColumnMap::time},
                                                            {"unit", &ColumnMap::unit},
                                                            {"unit_column", &ColumnMap::unit_column},
                                                            {"samples_per_unit", &ColumnMap::samples_per_unit},
                                                            {"workers", &ColumnMap::workers},
                                                            {"batch_size", &ColumnMap::batch},
                                                            {"batch_per_worker", &ColumnMap::batch_per_worker},
                                                            {"split", &ColumnMap::split}};
constexpr NamedPlace<FormChoice, std::string> form_words[] = {{"workers", &FormChoice::workers},
                                                              {"batch", &FormChoice::batch},
                                                              {"flops", &FormChoice::flops},
                                                              {"parameters", &FormChoice::parameters},
                                                              {"working_set", &FormChoice::working_set}};
constexpr NamedPlace<FormChoice, std::vector<std::string>> form_lists[] = {{"intrinsic", &FormChoice::intrinsic},
                                                                           {"levels", &FormChoice::levels},
                                                                           {"extrinsic", &FormChoice::extrinsic},
                                                                           {"traffic", &FormChoice::traffic}};
/// In the order of RunFilter::Relation.
constexpr std::array<std::string_view, 6> relation_words{"=", "!=", "<", "<=", ">", ">="};
constexpr std::size_t most_filters = 1000;

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
    json.key(key);
    json.begin_inline_list();
    for (const std::string& text : texts) json.text(text);
    json.end_list();
}

void write_text(JsonWriter& json, std::string_view key, std::string_view text) {
    json.key(key);
    json.text(text);
}

void write_number(JsonWriter& json, std::string_view key, double number) {
    json.key(key);
    json.number(number);
}

void write_count(JsonWriter& json, std::string_view key, std::uint64_t count) {
    json.key(key);
    json.integer(static_cast<std::int64_t>(count));
}

void write_flag(JsonWriter& json, std::string_view key, bool flag) {
    json.key(key);
    json.boolean(flag);
}

void write_form(JsonWriter& json, const FormChoice& form) {
    json.begin_object();
    write_text(json, "kind", word_of(form.kind));
    for (const auto& list : form_lists) write_texts(json, list.name, form.*list.place);
    for (const auto& word : form_words) write_text(json, word.name, form.*word.place);
    json.key("tier_ends");
    json.begin_inline_list();
    for (const double end : form.tier_ends) json.number(end);
    json.end_list();
    write_number(json, "tier_bytes", form.tier_bytes);
    write_flag(json, "normalized", form.normalized);
    json.key("bounds");
    json.begin_list();
    for (const GivenBound& bound : form.bounds) {
        json.begin_inline_object();
        write_text(json, "constant", bound.constant);
        write_number(json, "low", bound.low);
        write_number(json, "high", bound.high);
        json.end_object();
    }
    json.end_list();
    json.end_object();
}

void write_search(JsonWriter& json, const FitOptions& o) {
    json.begin_object();
    write_text(json, "loss", word_of(o.loss));
    write_number(json, "huber_delta", o.huber_delta);
    write_text(json, "penalty", o.absolute_penalty ? "l1" : "l2");
    json.key("lambda");
    if (o.lambda)
        json.number(*o.lambda);
    else
        json.text("auto");
    write_text(json, "optimizer", word_of(o.optimizer));
    write_count(json, "seed", o.seed);
    write_count(json, "refits", o.refits);
    json.end_object();
}

class SetupReader {
public:
    explicit SetupReader(formats::ProblemList& problems) : problems_(problems) {}

    std::optional<FitSetup> read(JsonValue value, const std::string& path) {
        const std::size_t before = problems_.errors();
        JsonFields fields(value, path, problems_);
        if (!fields.is_object()) return std::nullopt;
        const auto part = [&](std::string_view name) {
            const auto found = fields.required(name, JsonKind::object);
            return found ? std::optional<JsonFields>(std::in_place, *found, formats::join_path(path, name), problems_)
                         : std::nullopt;
        };
        if (auto columns = part("columns")) read_columns(*columns);
        read_filters(fields);
        if (auto hold = part("hold_out")) read_hold(*hold);
        if (auto form = part("form")) read_form(*form);
        if (auto search = part("search")) read_search(*search);
        fields.finish();
        if (problems_.errors() > before) return std::nullopt;
        return std::move(setup_);
    }

private:
    void read_columns(JsonFields& fields) {
        for (const auto& word : map_words)
            setup_.map.*word.place = std::string(fields.optional_text(word.name).value_or(""));
        fields.finish();
    }

    /// The index of a word in a list of them.
    template <std::size_t n>
    std::size_t choice(JsonFields& fields, std::string_view name, const std::array<std::string_view, n>& words) {
        const auto text = fields.text(name);
        if (!text) return 0;
        for (std::size_t i = 0; i < n; ++i)
            if (words[i] == *text) return i;
        std::string all;
        for (const auto word : words) all += (all.empty() ? "" : ", ") + std::string(word);
        fields.error(name, *fields.value().find(name), formats::quoted(*text) + " cannot stand here.",
                     "Write one of " + all + ".");
        return 0;
    }

    template <class Take>
    void each(JsonFields& fields, std::string_view name, std::size_t most, Take take) {
        const auto list = fields.required(name, JsonKind::array);
        if (!list) return;
        if (list->size() > most)
            return fields.error(name, *list, "There are more than " + std::to_string(most) + " of them.",
                                "Give fewer.");
        std::size_t index = 0;
        for (const JsonValue row : *list) {
            const std::string path =
                formats::join_path(formats::join_path(fields.path(), name), std::to_string(++index));
            JsonFields one(row, path, problems_);
            if (!one.is_object()) continue;
            take(one);
            one.finish();
        }
    }

    void read_filters(JsonFields& fields) {
        each(fields, "filters", most_filters, [this](JsonFields& one) {
            RunFilter filter;
            filter.column = std::string(one.text("column").value_or(""));
            filter.relation = static_cast<RunFilter::Relation>(choice(one, "relation", relation_words));
            filter.value = std::string(one.text("value").value_or(""));
            setup_.map.filters.push_back(std::move(filter));
        });
    }

    void read_hold(JsonFields& fields) {
        setup_.hold.every = static_cast<std::size_t>(fields.integer("every", 0, 1'000'000'000).value_or(0));
        setup_.hold.workers_above = fields.number("workers_above", 0.0, 1e12).value_or(0.0);
        fields.finish();
    }

    void read_form(JsonFields& fields) {
        FormChoice& form = setup_.options.form;
        constexpr std::array kinds{FormKind::product, FormKind::two_term, FormKind::physical, FormKind::tiers};
        form.kind = kinds[choice(
            fields, "kind", std::array{word_of(kinds[0]), word_of(kinds[1]), word_of(kinds[2]), word_of(kinds[3])})];
        for (const auto& list : form_lists) form.*list.place = fields.texts(list.name).value_or(form.*list.place);
        for (const auto& word : form_words) form.*word.place = std::string(fields.text(word.name).value_or(""));
        if (const auto ends = fields.required("tier_ends", JsonKind::array)) {
            form.tier_ends.clear();
            for (const JsonValue end : *ends) form.tier_ends.push_back(end.number());
            for (std::size_t i = 0; i < form.tier_ends.size(); ++i)
                if (form.tier_ends.size() > 64 || !(form.tier_ends[i] > (i == 0 ? 0.0 : form.tier_ends[i - 1]))) {
                    fields.error("tier_ends", *ends, "These are no ends of tiers.",
                                 "Write up to 64 numbers above 0, each larger than the one before.");
                    break;
                }
        }
        form.tier_bytes = fields.number("tier_bytes", 1e-6, 1e12).value_or(form.tier_bytes);
        form.normalized = fields.optional_boolean("normalized").value_or(true);
        each(fields, "bounds", 10'000, [&form](JsonFields& one) {
            GivenBound bound;
            bound.constant = std::string(one.text("constant").value_or(""));
            bound.low = one.number("low").value_or(0.0);
            bound.high = one.number("high").value_or(0.0);
            form.bounds.push_back(std::move(bound));
        });
        fields.finish();
    }

    void read_search(JsonFields& fields) {
        FitOptions& o = setup_.options;
        constexpr std::array losses{Loss::squared, Loss::huber, Loss::absolute};
        o.loss = losses[choice(fields, "loss", std::array{word_of(losses[0]), word_of(losses[1]), word_of(losses[2])})];
        o.huber_delta = fields.number("huber_delta", 1e-9, 1e9).value_or(o.huber_delta);
        o.absolute_penalty = choice(fields, "penalty", std::array<std::string_view, 2>{"l2", "l1"}) == 1;
        const auto lambda = fields.any("lambda");
        if (lambda && lambda->is_string() && lambda->text() == "auto")
            o.lambda.reset();
        else
            o.lambda = fields.number("lambda", 0.0, 1e30).value_or(0.0);
        constexpr std::array optimizers{FitOptimizer::fast, FitOptimizer::evolution};
        o.optimizer =
            optimizers[choice(fields, "optimizer", std::array{word_of(optimizers[0]), word_of(optimizers[1])})];
        o.seed = static_cast<std::uint64_t>(fields.integer("seed", 0).value_or(1));
        o.refits = static_cast<std::size_t>(fields.integer("refits", 0, 10'000).value_or(0));
        fields.finish();
    }

    formats::ProblemList& problems_;
    FitSetup setup_;
};

}  // namespace

void write_setup(JsonWriter& json, const FitSetup& setup) {
    json.begin_object();
    json.key("columns");
    json.begin_object();
    for (const auto& word : map_words)
        if (!(setup.map.*word.place).empty()) write_text(json, word.name, setup.map.*word.place);
    json.end_object();
    json.key("filters");
    json.begin_list();
    for (const RunFilter& filter : setup.map.filters) {
        json.begin_inline_object();
        write_text(json, "column", filter.column);
        write_text(json, "relation", relation_words[static_cast<std::size_t>(filter.relation)]);
        write_text(json, "value", filter.value);
        json.end_object();
    }
    json.end_list();
    json.key("hold_out");
    json.begin_inline_object();
    write_count(json, "every", setup.hold.every);
    write_number(json, "workers_above", setup.hold.workers_above);
    json.end_object();
    json.key("form");
    write_form(json, setup.options.form);
    json.key("search");
    write_search(json, setup.options);
    json.end_object();
}

std::optional<FitSetup> read_setup(JsonValue value, const std::string& path, formats::ProblemList& problems) {
    return SetupReader(problems).read(value, path);
}

}  // namespace scalescope::measure
