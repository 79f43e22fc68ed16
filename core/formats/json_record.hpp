// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/decimal.hpp"
#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_writer.hpp"
#include "core/units/units.hpp"

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// An object of a file that is described once and from that both read and written. A description is a function
///
///     template <class Record, class Value>
///     void describe(Record& record, Value& value) {
///         record.text("name", value.name);
///         record.number("seconds", value.seconds, 0, 1e9);
///     }
///
/// A RecordReader fills the value in and reports what is wrong; a RecordWriter writes it, in the order of the
/// description. What is done in one direction only stands behind `if constexpr (Record::reads)`.
///
/// Members that are called optional may be missing or null in a file, then the value stays as it was. An optional text
/// is not written if it is empty, nor a std::optional without a value.
namespace scalescope::formats {

// Numbers whose unit in the file is 10^power times the program's: exact in both directions (see base/decimal.hpp).

/// `low` and `high` are in the file's unit. Nothing if the member is missing, null or wrong; wrong ones are reported.
inline std::optional<double> optional_scaled(JsonFields& fields, std::string_view name, int power, double low,
                                             double high) {
    if (!fields.optional_number(name, low, high)) return std::nullopt;
    return parse_decimal(fields.value().find(name)->source(), power);
}

/// The same for a member that must be there.
inline std::optional<double> scaled(JsonFields& fields, std::string_view name, int power, double low, double high) {
    if (!fields.number(name, low, high)) return std::nullopt;
    return parse_decimal(fields.value().find(name)->source(), power);
}

class RecordReader {
public:
    static constexpr bool reads = true;

    RecordReader(JsonFields& object, ProblemList& problems) : fields(object), problems_(problems) {}

    JsonFields& fields;

    void text(std::string_view name, std::string& value) { take(value, fields.text(name)); }
    void optional_text(std::string_view name, std::string& value) { take(value, fields.optional_text(name)); }
    void number(std::string_view name, double& value, double low = JsonFields::least, double high = JsonFields::most) {
        take(value, fields.number(name, low, high));
    }
    void optional_number(std::string_view name, std::optional<double>& value, double low, double high) {
        value = fields.optional_number(name, low, high);
    }
    template <std::integral Whole>
    void integer(std::string_view name, Whole& value, std::int64_t low = 0, std::int64_t high = std::int64_t{1} << 53) {
        take(value, fields.integer(name, low, high));
    }
    /// Written if it is not `usual`, which it is where it is missing.
    template <std::integral Whole>
    void optional_integer(std::string_view name, Whole& value, Whole usual, std::int64_t low, std::int64_t high) {
        value = usual;
        take(value, fields.optional_integer(name, low, high));
    }
    void optional_integer(std::string_view name, std::optional<std::int64_t>& value, std::int64_t low,
                          std::int64_t high) {
        value = fields.optional_integer(name, low, high);
    }
    void optional_boolean(std::string_view name, bool& value) { take(value, fields.optional_boolean(name)); }
    /// One of `words`, whose places are the values of the enumeration.
    template <class Enum>
    void word(std::string_view name, Enum& value, std::span<const std::string_view> words) {
        if (const auto place = fields.choice(name, words)) value = static_cast<Enum>(*place);
    }
    void word(std::string_view name, std::string& value, std::span<const std::string_view> words) {
        if (const auto place = fields.choice(name, words)) value = words[*place];
    }
    void texts(std::string_view name, std::vector<std::string>& values) { take(values, fields.texts(name)); }
    void optional_texts(std::string_view name, std::vector<std::string>& values) {
        if (const auto found = fields.any(name); found && !found->is_null()) texts(name, values);
    }

    /// A number that the file has in 10^power times the program's unit; `low` and `high` are the file's. A quantity, a
    /// plain number, or one of them that may be unknown.
    void scaled(std::string_view name, double& value, int power, double low, double high) {
        take(value, formats::scaled(fields, name, power, low, high));
    }
    template <class Tag>
    void scaled(std::string_view name, Quantity<Tag>& value, int power, double low, double high) {
        scaled(name, value.value, power, low, high);
    }
    /// Written if it is not `usual` (in the program's unit), which it is where it is missing.
    template <class Number>
    void scaled_or(std::string_view name, Number& value, Number usual, int power, double low, double high) {
        const auto found = formats::optional_scaled(fields, name, power, low, high);
        value = found ? Number{*found} : usual;
    }
    template <class Number>
    void optional_scaled(std::string_view name, std::optional<Number>& value, int power, double low, double high) {
        const auto found = formats::optional_scaled(fields, name, power, low, high);
        value = found ? std::optional(Number{*found}) : std::nullopt;
    }

    /// An object with a description of its own.
    template <class Value, class Describe>
    void object(std::string_view name, Value& value, Describe describe) {
        if (const auto found = fields.required(name, JsonKind::object))
            read(*found, join_path(fields.path(), name), value, describe);
    }
    /// The same, written on one line.
    template <class Value, class Describe>
    void inline_object(std::string_view name, Value& value, Describe describe) {
        object(name, value, describe);
    }
    /// A list of objects, each on one line.
    template <class Value, class Describe>
    void rows(std::string_view name, std::vector<Value>& values, Describe describe,
              std::size_t most = limits::json_values) {
        if (const auto list = fields.required(name, JsonKind::array)) read_rows(name, *list, values, describe, most);
    }
    template <class Value, class Describe>
    void optional_rows(std::string_view name, std::vector<Value>& values, Describe describe) {
        if (const auto list = fields.optional(name, JsonKind::array))
            read_rows(name, *list, values, describe, limits::json_values);
    }
    /// A list of objects that hold lists. Not written if it is empty.
    template <class Value, class Describe>
    void optional_objects(std::string_view name, std::vector<Value>& values, Describe describe) {
        optional_rows(name, values, describe);
    }

private:
    template <class Value, class Found>
    static void take(Value& value, std::optional<Found> found) {
        if (found) value = static_cast<Value>(std::move(*found));
    }

    template <class Value, class Describe>
    void read(JsonValue object, std::string path, Value& value, Describe describe) {
        JsonFields members(object, std::move(path), problems_);
        if (!members.is_object()) return;
        RecordReader record(members, problems_);
        describe(record, value);
        members.finish();
    }

    template <class Value, class Describe>
    void read_rows(std::string_view name, JsonValue list, std::vector<Value>& values, Describe describe,
                   std::size_t most) {
        if (list.size() > most)
            return fields.error(name, list, "There are more than " + std::to_string(most) + " of them.", "Give fewer.");
        values.clear();
        std::size_t number = 0;
        for (const JsonValue row : list) {
            if (problems_.all().size() > limits::problems) return;
            Value value;
            read(row, join_path(join_path(fields.path(), name), std::to_string(++number)), value, describe);
            values.push_back(std::move(value));
        }
    }

    ProblemList& problems_;
};

class RecordWriter {
public:
    static constexpr bool reads = false;

    explicit RecordWriter(JsonWriter& out) : json(out) {}

    JsonWriter& json;

    void text(std::string_view name, std::string_view value) { json.text(name, value); }
    void optional_text(std::string_view name, std::string_view value) { json.optional_text(name, value); }
    void number(std::string_view name, double value, double = 0, double = 0) { json.number(name, value); }
    void optional_number(std::string_view name, std::optional<double> value, double, double) {
        if (value) json.number(name, *value);
    }
    template <std::integral Whole>
    void integer(std::string_view name, Whole value, std::int64_t = 0, std::int64_t = 0) {
        json.integer(name, static_cast<std::int64_t>(value));
    }
    template <std::integral Whole>
    void optional_integer(std::string_view name, Whole value, Whole usual, std::int64_t, std::int64_t) {
        if (value != usual) json.integer(name, static_cast<std::int64_t>(value));
    }
    void optional_integer(std::string_view name, std::optional<std::int64_t> value, std::int64_t, std::int64_t) {
        if (value) json.integer(name, *value);
    }
    void optional_boolean(std::string_view name, bool value) { json.boolean(name, value); }
    template <class Enum>
    void word(std::string_view name, Enum value, std::span<const std::string_view> words) {
        json.text(name, words[static_cast<std::size_t>(value)]);
    }
    void word(std::string_view name, const std::string& value, std::span<const std::string_view>) {
        json.text(name, value);
    }
    void texts(std::string_view name, std::span<const std::string> values) { json.texts(name, values); }
    void optional_texts(std::string_view name, std::span<const std::string> values) { texts(name, values); }
    void scaled(std::string_view name, double value, int power, double, double) {
        json.raw(name, shortest_decimal(value, power));
    }
    template <class Tag>
    void scaled(std::string_view name, Quantity<Tag> value, int power, double low, double high) {
        scaled(name, value.value, power, low, high);
    }
    template <class Number>
    void scaled_or(std::string_view name, Number value, Number usual, int power, double low, double high) {
        if (value != usual) scaled(name, value, power, low, high);
    }
    template <class Number>
    void optional_scaled(std::string_view name, const std::optional<Number>& value, int power, double low,
                         double high) {
        if (value) scaled(name, *value, power, low, high);
    }
    template <class Value, class Describe>
    void object(std::string_view name, const Value& value, Describe describe) {
        json.begin_object(name);
        describe(*this, value);
        json.end_object();
    }
    template <class Value, class Describe>
    void inline_object(std::string_view name, const Value& value, Describe describe) {
        json.begin_inline_object(name);
        describe(*this, value);
        json.end_object();
    }
    template <class Value, class Describe>
    void rows(std::string_view name, const std::vector<Value>& values, Describe describe, std::size_t = 0) {
        json.begin_list(name);
        for (const Value& value : values) {
            json.begin_inline_object();
            describe(*this, value);
            json.end_object();
        }
        json.end_list();
    }
    template <class Value, class Describe>
    void optional_rows(std::string_view name, const std::vector<Value>& values, Describe describe) {
        rows(name, values, describe);
    }
    template <class Value, class Describe>
    void optional_objects(std::string_view name, const std::vector<Value>& values, Describe describe) {
        if (values.empty()) return;
        json.begin_list(name);
        for (const Value& value : values) {
            json.begin_object();
            describe(*this, value);
            json.end_object();
        }
        json.end_list();
    }
};

}  // namespace scalescope::formats
