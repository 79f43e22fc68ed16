// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/calibration_json.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/formats/json_record.hpp"
#include "core/formats/versions.hpp"
#include "core/scenario/former_names.hpp"

namespace scalescope::formats {

namespace {

const FileFormat calibration_format{"scalescope-calibration", "calibration", {}};

constexpr std::string_view verdict_words[] = {"determined", "partly", "undetermined"};
constexpr std::string_view switch_words[] = {"false", "true"};
constexpr std::string_view kind_words[] = {"matmul", "convolution", "elementwise"};
constexpr std::string_view pass_words[] = {"forward", "input_gradient", "weight_gradient"};
constexpr std::string_view precision_words[] = {"fp64", "fp32", "tf32", "fp16", "bf16"};
constexpr double most_level = 50;  ///< natural logarithms of time: beyond this nothing is meant

/// What a range says of a choice: the word it had, kept as its place. Empty for a number.
std::span<const std::string_view> words_of(const Field* field) {
    if (!field) return {};
    if (field->type == FieldType::boolean) return switch_words;
    if (field->type == FieldType::choice) return words_with_former(*field);
    return {};
}

/// The field of this path, if it is a number: that alone can be calibrated.
const Field* number_field(JsonFields& row, const std::string& path) {
    const Field* field = find_field(path);
    if (field && (field->type == FieldType::number || field->type == FieldType::integer)) return field;
    if (const auto given = row.value().find("field"); given && given->is_string())
        row.error("There is no number " + formats::quoted(path) + " in a scenario.", "See: scalescope list fields");
    return nullptr;
}

/// `known` are the constants that stand before it.
template <class Record, class Constant>
void describe_constant(Record& record, Constant& constant, const Calibration& known) {
    double least = JsonFields::least, most = JsonFields::most;
    record.text("field", constant.field);
    if constexpr (Record::reads) {
        if (const Field* field = number_field(record.fields, constant.field)) {
            least = field->least;
            most = field->most;
        }
        if (known.constant(constant.field))
            record.fields.error("The constant " + formats::quoted(constant.field) + " stands here twice.",
                                "Keep one of them.");
    }
    record.number("value", constant.value, least, most);
    record.number("low", constant.low, 0);
    record.number("high", constant.high, 0);
    record.word("verdict", constant.verdict, verdict_words);
    if constexpr (Record::reads)
        if (constant.low > constant.high)
            record.fields.error("The interval ends before it begins.", "Exchange low and high.");
}

template <class Record, class Range>
void describe_range(Record& record, Range& range) {
    record.text("field", range.field);
    const Field* field = find_field(range.field);
    if (const auto words = words_of(field); !words.empty()) {
        auto place = std::min(static_cast<std::size_t>(std::max(0.0, range.low)), words.size() - 1);
        record.word("value", place, words);
        if constexpr (Record::reads) range.low = range.high = static_cast<double>(place);
        return;
    }
    if constexpr (Record::reads)
        if (!field || field->type != FieldType::layers) number_field(record.fields, range.field);
    record.number("low", range.low);
    record.number("high", range.high);
    if constexpr (Record::reads)
        if (range.low > range.high) record.fields.error("The range ends before it begins.", "Exchange low and high.");
}

template <class Record, class Correction>
void describe_correction(Record& record, Correction& o) {
    struct Device {
        std::string id;
        double level = 0;
    };
    std::vector<Device> devices;
    for (std::size_t i = 0; i < o.devices.size(); ++i) devices.push_back({o.devices[i], o.levels[i]});
    record.word("kind", o.kind, kind_words);
    record.word("pass", o.pass, pass_words);
    record.word("precision", o.precision, precision_words);
    record.integer("points", o.points, 1);
    record.number("level", o.level, -most_level, most_level);
    record.optional_number("ridge", o.ridge, 0, 1e12);
    record.number("deviation", o.deviation, 0, most_level);
    record.optional_rows("devices", devices, [](auto& row, auto& device) {
        row.text("id", device.id);
        row.number("level", device.level, -most_level, most_level);
    });
    record.optional_rows("features", o.features, [](auto& row, auto& feature) {
        row.number("mean", feature.mean, -1e6, 1e6);
        row.number("scale", feature.scale, 1e-12, 1e6);
        row.number("slope", feature.slope, -1e3, 1e3);
        row.number("low", feature.low, -1e6, 1e6);
        row.number("high", feature.high, -1e6, 1e6);
    });
    if constexpr (Record::reads)
        for (Device& device : devices) {
            o.devices.push_back(std::move(device.id));
            o.levels.push_back(device.level);
        }
}

void read_covariance(JsonFields& fields, Calibration& c) {
    const auto list = fields.optional("covariance", JsonKind::array);
    if (!list) return;
    const std::size_t n = c.constants.size();
    const auto wrong = [&](std::string what) {
        fields.error("covariance", *list, std::move(what),
                     "Leave it out, or write a row of numbers for each constant, one after the other.");
    };
    if (list->size() != n * n)
        return wrong("The covariance of " + std::to_string(n) + " constants is " + std::to_string(n * n) +
                     " numbers, not " + std::to_string(list->size()) + '.');
    for (const JsonValue v : *list) {
        if (v.kind() != JsonKind::number || !(std::abs(v.number()) <= most_level * most_level))
            return wrong("The covariance has something else than a number.");
        c.covariance.push_back(v.number());
    }
    for (std::size_t i = 0; i < n; ++i)
        if (c.covariance[i * n + i] < 0) return wrong("A variance is below 0.");
}

template <class Record, class Value>
void describe_calibration(Record& record, Value& c) {
    record.optional_text("id", c.id);
    record.text("name", c.name);
    record.optional_text("note", c.note);
    record.text("data_hash", c.data_hash);
    record.integer("points", c.points, 1);
    record.number("deviation", c.deviation, 0, most_level);
    record.optional_text("device", c.device);
    record.optional_text("precision", c.precision);
    record.optional_text("framework", c.framework);
    record.optional_texts("networks", c.networks);
    record.optional_rows("constants", c.constants,
                         [&](auto& row, auto& constant) { describe_constant(row, constant, c); });
    if constexpr (Record::reads)
        read_covariance(record.fields, c);
    else if (!c.covariance.empty())
        record.json.numbers("covariance", c.covariance);
    record.optional_rows("ranges", c.ranges, [](auto& row, auto& range) { describe_range(row, range); });
    if constexpr (Record::reads) c.ranges = ranges_now(c.ranges);
    record.optional_objects("operators", c.operators, [](auto& row, auto& o) { describe_correction(row, o); });
}

}  // namespace

bool is_calibration(std::string_view text) { return format_of(text) == calibration_format.name; }

Result<Calibration> read_calibration(std::string_view text, const std::string& file) {
    ASSIGN_OR_RETURN(const auto document, open_document(text, file, calibration_format));
    ProblemList problems;
    auto calibration = decode_calibration(document.root(), {}, problems);
    if (problems.has_errors()) return fail(problems.take());
    return calibration;
}

Calibration decode_calibration(JsonValue value, const std::string& path, ProblemList& problems) {
    JsonFields fields(value, path, problems);
    fields.ignore("format");
    fields.ignore("version");
    Calibration calibration;
    RecordReader reader(fields, problems);
    describe_calibration(reader, calibration);
    fields.finish();
    return calibration;
}

std::string write_calibration(const Calibration& calibration) {
    JsonWriter json;
    begin_file(json, calibration_format);
    RecordWriter writer(json);
    describe_calibration(writer, calibration);
    json.end_object();
    return json.take();
}

void encode_calibration(JsonWriter& json, const Calibration& calibration) {
    json.begin_object();
    RecordWriter writer(json);
    describe_calibration(writer, calibration);
    json.end_object();
}

}  // namespace scalescope::formats
