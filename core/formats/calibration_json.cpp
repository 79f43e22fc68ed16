// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/calibration_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_members.hpp"
#include "core/formats/versions.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope::formats {

namespace {

const FileFormat calibration_format{"scalescope-calibration", "calibration", {}};

constexpr std::array<std::string_view, 3> verdict_words{"determined", "partly", "undetermined"};
constexpr double most_level = 50;  ///< natural logarithms of time: beyond this nothing is meant

bool has_words(const Field& field) { return field.type == FieldType::choice || field.type == FieldType::boolean; }

constexpr std::array<std::string_view, 2> switch_words{"false", "true"};

std::span<const std::string_view> words_of(const Field& field) {
    if (field.type == FieldType::boolean) return switch_words;
    return field.choices;
}

class CalibrationDecoder {
public:
    explicit CalibrationDecoder(ProblemList& problems) : problems_(problems) {}

    Calibration decode(JsonValue root, const std::string& path) {
        JsonFields fields(root, path, problems_);
        fields.ignore("format");
        fields.ignore("version");
        Calibration c;
        const auto text = [&fields](std::string_view name) {
            return std::string(fields.optional_text(name).value_or(""));
        };
        c.id = text("id");
        c.name = std::string(fields.text("name").value_or(""));
        c.note = text("note");
        c.data_hash = std::string(fields.text("data_hash").value_or(""));
        c.points = fields.integer("points", 1, std::int64_t{1} << 53).value_or(1);
        c.deviation = fields.number("deviation", 0, most_level).value_or(0);
        c.device = text("device");
        c.precision = text("precision");
        c.framework = text("framework");
        if (fields.optional("networks", JsonKind::array)) c.networks = fields.texts("networks").value_or(c.networks);
        each(fields, "constants", [&](JsonFields row) { constant(row, c); });
        each(fields, "ranges", [&](JsonFields row) { range(row, c); });
        each(fields, "operators", [&](JsonFields row) { correction(row, c); });
        covariance(fields, c);
        fields.finish();
        return c;
    }

private:
    void covariance(JsonFields& fields, Calibration& c) {
        const auto list = fields.optional("covariance", JsonKind::array);
        if (!list) return;
        const std::size_t n = c.constants.size();
        const auto wrong = [&](std::string what) {
            fields.error("covariance", *list, std::move(what),
                         "Leave it out, or write a row of numbers for each constant, one after the other.");
        };
        if (list->size() != n * n) {
            wrong("The covariance of " + std::to_string(n) + " constants is " + std::to_string(n * n) +
                  " numbers, not " + std::to_string(list->size()) + '.');
            return;
        }
        for (const JsonValue v : *list) {
            if (v.kind() != JsonKind::number || !(std::abs(v.number()) <= most_level * most_level))
                return wrong("The covariance has something else than a number.");
            c.covariance.push_back(v.number());
        }
        for (std::size_t i = 0; i < n; ++i)
            if (c.covariance[i * n + i] < 0) return wrong("A variance is below 0.");
    }

    template <class Take>
    void each(JsonFields& fields, std::string_view name, Take take) {
        const auto list = fields.optional(name, JsonKind::array);
        if (!list) return;
        std::size_t index = 0;
        for (const JsonValue row : *list) {
            const std::string path = join_path(join_path(fields.path(), name), std::to_string(++index));
            if (!row.is_object()) {
                problems_.error(row.at(), path, "This must be an object.", "Write { … }.");
                continue;
            }
            take(JsonFields(row, path, problems_));
        }
    }

    /// The number a row is about, which alone can be calibrated.
    const Field* field_of(JsonFields& row) { return number_of(row, row.text("field")); }

    static const Field* number_of(JsonFields& row, const std::optional<std::string_view>& path) {
        if (!path) return nullptr;
        const Field* field = find_field(*path);
        if (field && (field->type == FieldType::number || field->type == FieldType::integer)) return field;
        row.error("There is no number " + quoted(*path) + " in a scenario.", "See: scalescope list fields");
        return nullptr;
    }

    void constant(JsonFields& row, Calibration& c) {
        const Field* field = field_of(row);
        CalibratedConstant constant;
        const double least = field ? field->least : JsonFields::least, most = field ? field->most : JsonFields::most;
        constant.value = row.number("value", least, most).value_or(0);
        constant.low = row.number("low", 0, JsonFields::most).value_or(0);
        constant.high = row.number("high", 0, JsonFields::most).value_or(0);
        constant.verdict = verdict(row);
        row.finish();
        if (!field) return;
        constant.field = std::string(field->path);
        if (c.constant(constant.field))
            row.error("The constant " + quoted(constant.field) + " stands here twice.", "Keep one of them.");
        if (constant.low > constant.high) row.error("The interval ends before it begins.", "Exchange low and high.");
        c.constants.push_back(std::move(constant));
    }

    Verdict verdict(JsonFields& row) {
        const auto word = row.text("verdict");
        for (std::size_t i = 0; i < verdict_words.size(); ++i)
            if (word == verdict_words[i]) return static_cast<Verdict>(i);
        if (word) row.error("There is no verdict " + quoted(*word) + ".", "Write determined, partly or undetermined.");
        return Verdict::undetermined;
    }

    void range(JsonFields& row, Calibration& c) {
        const auto path = row.text("field");
        const Field* field = path ? find_field(*path) : nullptr;
        if (field && has_words(*field)) return word_range(row, *field, c);
        if (!field || field->type != FieldType::layers) field = number_of(row, path);
        const double low = row.number("low").value_or(0), high = row.number("high").value_or(0);
        row.finish();
        if (low > high) row.error("The range ends before it begins.", "Exchange low and high.");
        if (field) c.ranges.push_back({std::string(field->path), low, high});
    }

    /// Of a choice the word it had, kept as its place.
    void word_range(JsonFields& row, const Field& field, Calibration& c) {
        const auto value = row.text("value");
        row.finish();
        if (!value) return;
        const auto words = words_of(field);
        const auto at = std::find(words.begin(), words.end(), *value);
        if (at == words.end()) {
            std::string list;
            for (const auto word : words) list += (list.empty() ? "" : ", ") + std::string(word);
            row.error("The field " + quoted(field.path) + " cannot be " + quoted(*value) + ".",
                      "Write one of " + list + ".");
            return;
        }
        const auto place = static_cast<double>(at - words.begin());
        c.ranges.push_back({std::string(field.path), place, place});
    }

    void correction(JsonFields& row, Calibration& c) {
        OperatorCorrection o;
        o.kind = word(row, "kind", {"matmul", "convolution", "elementwise"});
        o.pass = word(row, "pass", {"forward", "input_gradient", "weight_gradient"});
        o.precision = word(row, "precision", {"fp64", "fp32", "tf32", "fp16", "bf16"});
        o.points = row.integer("points", 1, std::int64_t{1} << 53).value_or(1);
        o.level = row.number("level", -most_level, most_level).value_or(0);
        o.ridge = row.optional_number("ridge", 0, 1e12);
        o.deviation = row.number("deviation", 0, most_level).value_or(0);
        each(row, "devices", [&](JsonFields device) {
            o.devices.emplace_back(device.text("id").value_or(""));
            o.levels.push_back(device.number("level", -most_level, most_level).value_or(0));
            device.finish();
        });
        each(row, "features", [&](JsonFields feature) {
            CorrectionFeature f;
            f.mean = feature.number("mean", -1e6, 1e6).value_or(0);
            f.scale = feature.number("scale", 1e-12, 1e6).value_or(1);
            f.slope = feature.number("slope", -1e3, 1e3).value_or(0);
            f.low = feature.number("low", -1e6, 1e6).value_or(0);
            f.high = feature.number("high", -1e6, 1e6).value_or(0);
            feature.finish();
            o.features.push_back(f);
        });
        row.finish();
        c.operators.push_back(std::move(o));
    }

    std::string word(JsonFields& row, std::string_view name, std::initializer_list<std::string_view> words) {
        const auto text = row.text(name);
        if (!text) return {};
        std::string list;
        for (const auto known : words) {
            if (*text == known) return std::string(known);
            list += (list.empty() ? "" : ", ") + std::string(known);
        }
        row.error("The field " + quoted(name) + " cannot be " + quoted(*text) + ".", "Write one of " + list + ".");
        return {};
    }

    ProblemList& problems_;
};

class CalibrationEncoder : private JsonMembers {
public:
    std::string file(const Calibration& c) {
        json_.begin_object();
        text("format", calibration_format.name);
        json_.key("version");
        json_.integer(calibration_format.newest());
        members(c);
        json_.end_object();
        return json_.take();
    }
    /// As a value in what `writer` writes.
    void value(JsonWriter& writer, const Calibration& c) {
        std::swap(json_, writer);
        json_.begin_object();
        members(c);
        json_.end_object();
        std::swap(json_, writer);
    }

private:
    void members(const Calibration& c) {
        optional("id", c.id);
        text("name", c.name);
        optional("note", c.note);
        text("data_hash", c.data_hash);
        json_.key("points");
        json_.integer(c.points);
        number("deviation", c.deviation);
        optional("device", c.device);
        optional("precision", c.precision);
        optional("framework", c.framework);
        json_.key("networks");
        json_.begin_inline_list();
        for (const auto& network : c.networks) json_.text(network);
        json_.end_list();
        json_.key("constants");
        json_.begin_list();
        for (const auto& constant : c.constants) {
            json_.begin_inline_object();
            text("field", constant.field);
            number("value", constant.value);
            number("low", constant.low);
            number("high", constant.high);
            text("verdict", verdict_words[static_cast<std::size_t>(constant.verdict)]);
            json_.end_object();
        }
        json_.end_list();
        if (!c.covariance.empty()) {
            json_.key("covariance");
            json_.begin_inline_list();
            for (const double v : c.covariance) json_.number(v);
            json_.end_list();
        }
        json_.key("ranges");
        json_.begin_list();
        for (const auto& range : c.ranges) {
            json_.begin_inline_object();
            text("field", range.field);
            const Field* field = find_field(range.field);
            if (field && has_words(*field)) {
                const auto words = words_of(*field);
                const auto place = static_cast<std::size_t>(std::max(0.0, range.low));
                text("value", words[std::min(place, words.size() - 1)]);
            } else {
                number("low", range.low);
                number("high", range.high);
            }
            json_.end_object();
        }
        json_.end_list();
        if (c.operators.empty()) return;
        json_.key("operators");
        json_.begin_list();
        for (const auto& o : c.operators) correction(o);
        json_.end_list();
    }

    void correction(const OperatorCorrection& o) {
        json_.begin_object();
        text("kind", o.kind);
        text("pass", o.pass);
        text("precision", o.precision);
        json_.key("points");
        json_.integer(o.points);
        number("level", o.level);
        if (o.ridge) number("ridge", *o.ridge);
        number("deviation", o.deviation);
        json_.key("devices");
        json_.begin_list();
        for (std::size_t i = 0; i < o.devices.size(); ++i) {
            json_.begin_inline_object();
            text("id", o.devices[i]);
            number("level", o.levels[i]);
            json_.end_object();
        }
        json_.end_list();
        json_.key("features");
        json_.begin_list();
        for (const auto& f : o.features) {
            json_.begin_inline_object();
            number("mean", f.mean);
            number("scale", f.scale);
            number("slope", f.slope);
            number("low", f.low);
            number("high", f.high);
            json_.end_object();
        }
        json_.end_list();
        json_.end_object();
    }
};

}  // namespace

bool is_calibration(std::string_view text) { return format_of(text) == calibration_format.name; }

Result<Calibration> read_calibration(std::string_view text, const std::string& file) {
    const auto document = open_document(text, file, calibration_format);
    if (!document) return fail(document.error());
    ProblemList problems;
    auto calibration = CalibrationDecoder(problems).decode(document->root(), {});
    if (problems.has_errors()) return fail(problems.take());
    return calibration;
}

Calibration decode_calibration(JsonValue value, const std::string& path, ProblemList& problems) {
    return CalibrationDecoder(problems).decode(value, path);
}

std::string write_calibration(const Calibration& calibration) { return CalibrationEncoder().file(calibration); }

void encode_calibration(JsonWriter& json, const Calibration& calibration) {
    CalibrationEncoder().value(json, calibration);
}

}  // namespace scalescope::formats
