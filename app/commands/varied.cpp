// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/varied.hpp"

#include "core/base/limits.hpp"
#include "core/scenario/fields.hpp"
#include "core/search/values.hpp"

namespace scalescope::app {

Result<VariedAxis> read_varied(const Assignment& vary, const Scenario& scenario, const SymbolFields& symbols,
                               Setter& setter) {
    const Field* field = find_field(vary.path);
    if (!field) field = symbols.find(vary.path);
    if (!field && !search::stands_for_several(vary.path)) {
        Scenario copy = scenario;  // only to be told which field was meant
        const auto set = set_field(copy, vary.path, vary.value, setter.catalogue());
        return fail(set ? Problems{make_error("There is no such field.", "see: scalescope list fields", {}, vary.path)}
                        : set.error());
    }
    auto read = search::read_axis(vary.path, field, vary.value, scenario, setter.catalogue());
    if (!read) return fail(read.error());
    VariedAxis axis;
    static_cast<search::Axis&>(axis) = std::move(*read);
    axis.field = field;
    return axis;
}

Result<void> check_values(const VariedAxis& axis, const Scenario& scenario, Setter& setter) {
    Problems wrong;
    Scenario copy = scenario;
    for (const auto& value : axis.values) {
        const auto set = setter.set(copy, axis.path, value);
        if (!set) wrong.insert(wrong.end(), set.error().begin(), set.error().end());
        if (wrong.size() >= limits::problems) break;
    }
    if (!wrong.empty()) return fail(std::move(wrong));
    return {};
}

std::string column_of(const VariedAxis& axis) {
    const std::string_view unit = axis.field ? axis.field->unit : std::string_view();
    return axis.path + (unit == "%" ? "_percent" : unit == "samples/s" ? "_samples_per_s" : "");
}

Cell axis_cell(const VariedAxis& axis, const std::string& text, const Scenario& scenario) {
    const FieldType type = axis.field ? axis.field->type : FieldType::words;
    if (type == FieldType::integer || type == FieldType::number) {
        const auto number = field_number(*axis.field, scenario);
        if (number && type == FieldType::integer) return static_cast<std::int64_t>(*number);
        return cell_of(number);
    }
    return text;
}

}  // namespace scalescope::app
