// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/fit_json.hpp"

#include "core/formats/json_record.hpp"

namespace scalescope::measure {

namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;

/// In the order of RunFilter::Relation.
constexpr std::string_view relation_words[] = {"=", "!=", "<", "<=", ">", ">="};
/// The second is that of absolute values.
constexpr std::string_view penalty_words[] = {"l2", "l1"};
constexpr std::size_t most_filters = 1000;

template <class Record, class Map>
void describe_columns(Record& record, Map& map) {
    record.optional_text("time", map.time);
    record.optional_text("unit", map.unit);
    record.optional_text("unit_column", map.unit_column);
    record.optional_text("samples_per_unit", map.samples_per_unit);
    record.optional_text("workers", map.workers);
    record.optional_text("batch_size", map.batch);
    record.optional_text("batch_per_worker", map.batch_per_worker);
    record.optional_text("split", map.split);
}

void read_tier_ends(JsonFields& fields, std::vector<double>& tier_ends) {
    const auto ends = fields.required("tier_ends", JsonKind::array);
    if (!ends) return;
    tier_ends.clear();
    for (const JsonValue end : *ends) tier_ends.push_back(end.number());
    for (std::size_t i = 0; i < tier_ends.size(); ++i)
        if (tier_ends.size() > 64 || !(tier_ends[i] > (i == 0 ? 0.0 : tier_ends[i - 1])))
            return fields.error("tier_ends", *ends, "These are no ends of tiers.",
                                "Write up to 64 numbers above 0, each larger than the one before.");
}

template <class Record, class Choice>
void describe_form(Record& record, Choice& form) {
    record.word("kind", form.kind, form_words);
    record.texts("intrinsic", form.intrinsic);
    record.texts("levels", form.levels);
    record.texts("extrinsic", form.extrinsic);
    record.texts("traffic", form.traffic);
    record.text("workers", form.workers);
    record.text("batch", form.batch);
    record.text("flops", form.flops);
    record.text("parameters", form.parameters);
    record.text("working_set", form.working_set);
    if constexpr (Record::reads)
        read_tier_ends(record.fields, form.tier_ends);
    else
        record.json.numbers("tier_ends", form.tier_ends);
    record.number("tier_bytes", form.tier_bytes, 1e-6, 1e12);
    record.optional_boolean("normalized", form.normalized);
    record.rows(
        "bounds", form.bounds,
        [](auto& row, auto& bound) {
            row.text("constant", bound.constant);
            row.number("low", bound.low);
            row.number("high", bound.high);
        },
        10'000);
}

void read_lambda(JsonFields& fields, std::optional<double>& lambda) {
    const auto value = fields.any("lambda");
    if (value && value->is_string() && value->text() == "auto")
        lambda.reset();
    else
        lambda = fields.number("lambda", 0.0, 1e30).value_or(0.0);
}

template <class Record, class Options>
void describe_search(Record& record, Options& o) {
    record.word("loss", o.loss, loss_words);
    record.number("huber_delta", o.huber_delta, 1e-9, 1e9);
    record.word("penalty", o.absolute_penalty, penalty_words);
    if constexpr (Record::reads)
        read_lambda(record.fields, o.lambda);
    else if (o.lambda)
        record.json.number("lambda", *o.lambda);
    else
        record.json.text("lambda", "auto");
    record.word("optimizer", o.optimizer, optimizer_words);
    record.integer("seed", o.seed, 0, JsonFields::highest);
    record.integer("refits", o.refits, 0, 10'000);
}

template <class Record, class Setup>
void describe_setup(Record& record, Setup& setup) {
    record.object("columns", setup.map, [](auto& part, auto& map) { describe_columns(part, map); });
    record.rows(
        "filters", setup.map.filters,
        [](auto& row, auto& filter) {
            row.text("column", filter.column);
            row.word("relation", filter.relation, relation_words);
            row.text("value", filter.value);
        },
        most_filters);
    record.inline_object("hold_out", setup.hold, [](auto& part, auto& hold) {
        part.integer("every", hold.every, 0, 1'000'000'000);
        part.number("workers_above", hold.workers_above, 0.0, 1e12);
    });
    record.object("form", setup.options.form, [](auto& part, auto& form) { describe_form(part, form); });
    record.object("search", setup.options, [](auto& part, auto& options) { describe_search(part, options); });
}

}  // namespace

void write_setup(formats::JsonWriter& json, const FitSetup& setup) {
    formats::RecordWriter writer(json);
    json.begin_object();
    describe_setup(writer, setup);
    json.end_object();
}

std::optional<FitSetup> read_setup(JsonValue value, const std::string& path, formats::ProblemList& problems) {
    const std::size_t before = problems.errors();
    JsonFields fields(value, path, problems);
    if (!fields.is_object()) return std::nullopt;
    formats::RecordReader reader(fields, problems);
    FitSetup setup;
    describe_setup(reader, setup);
    fields.finish();
    if (problems.errors() > before) return std::nullopt;
    return setup;
}

}  // namespace scalescope::measure
