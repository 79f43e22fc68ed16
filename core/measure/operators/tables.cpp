// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/operators/tables.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "core/base/name_list.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/csv_fields.hpp"

namespace scalescope::operators {
namespace {

using formats::CsvFields;
using formats::CsvTable;
using formats::ProblemList;

constexpr std::string_view op_names = "op operator";
constexpr std::int64_t largest_side = std::int64_t{1} << 40;

/// The first of several names for the same column, separated by spaces, that the table has.
std::optional<std::size_t> any_column(const CsvTable& table, std::string_view names) {
    std::optional<std::size_t> column;
    any_name(names, [&](std::string_view name) { return (column = table.column(name)).has_value(); });
    return column;
}

struct TimeColumn {
    std::size_t column;
    double seconds;
    Pass pass;
    bool passes_by_column;
};

std::vector<TimeColumn> time_columns(const CsvTable& table) {
    std::vector<TimeColumn> found;
    const auto add = [&](std::string_view name, double seconds, Pass pass, bool by_column) {
        if (const auto column = table.column(name)) found.push_back({*column, seconds, pass, by_column});
    };
    for (const auto& [unit, seconds] : {std::pair<std::string, double>{"_ms", 1e-3}, {"_us", 1e-6}, {"_s", 1.0}})
        for (const auto& name : {"latency", "time"}) {
            if (found.empty()) add(name + unit, seconds, Pass::forward, false);
        }
    if (!found.empty()) return found;
    add("forward_ms", 1e-3, Pass::forward, true);
    add("backward_input_ms", 1e-3, Pass::input_gradient, true);
    add("backward_filter_ms", 1e-3, Pass::weight_gradient, true);
    return found;
}

std::optional<OperatorKind> kind_called(std::string_view op) {
    if (is_among(op, "matmul linear bmm gemm addmm")) return OperatorKind::matmul;
    if (is_among(op, "conv conv2d")) return OperatorKind::convolution;
    return std::nullopt;
}

/// Tensors that an element-wise operator reads beside the one it writes.
std::optional<int> tensors_read(std::string_view op) {
    if (is_among(op, "add sub mul div pow")) return 2;
    if (is_among(op, "addu mulu divu powu relu gelu silu tanh exp copy softmax layer_norm ln sigmoid")) return 1;
    return std::nullopt;
}

class OperatorReader {
public:
    OperatorReader(const CsvTable& table, const Watch& watch)
        : table_(table), watch_(watch), fields_(table, problems_) {}

    Result<MeasuredOperators> read() {
        find_columns();
        if (problems_.has_errors()) return fail(problems_.take());
        for (std::size_t row = 0; row < table_.rows(); ++row) {
            if (row % 4096 == 0 && watch_.cancel.cancelled())
                return fail(make_error("Reading was ended.", "read the file again"));
            read_row(row);
        }
        if (problems_.has_errors()) return fail(problems_.take());
        for (const auto& [op, rows] : unknown_)
            warn("Operators called \"" + op.substr(0, 60) + "\" are not known: " + std::to_string(rows.count) +
                     (rows.count == 1 ? " row is" : " rows are") + " left out.",
                 "use matmul, linear, bmm, conv2d, or an element-wise operator such as add",
                 table_.at(rows.first, column(op_names).value_or(0)));
        if (unusable_ > 0)
            warn(std::to_string(unusable_) + (unusable_ == 1 ? " row has" : " rows have") +
                     " no usable shape or time and " + (unusable_ == 1 ? "is" : "are") + " left out.",
                 "look at the first one", first_unusable_);
        if (result_.rows.empty())
            return fail(make_error("No measured operator is in the table.",
                                   "see docs/decisions/calibration.md for its columns", table_.name_at(0)));
        return std::move(result_);
    }

private:
    void warn(std::string what, std::string remedy, SourcePosition at) {
        result_.warnings.push_back(make_warning(std::move(what), std::move(remedy), std::move(at)));
    }

    void find_columns() {
        device_ = fields_.required("device");
        times_ = time_columns(table_);
        if (times_.empty())
            problems_.error(table_.name_at(0), {}, "No column of times was found.",
                            "call it time_ms, time_us or latency_ms");
    }

    /// The column that goes by one of these names.
    std::optional<std::size_t> column(std::string_view names) {
        const auto [found, fresh] = columns_.try_emplace(names);
        if (fresh) found->second = any_column(table_, names);
        return found->second;
    }
    std::string_view cell(std::size_t row, std::string_view names) {
        const auto found = column(names);
        return found ? table_.cell(row, *found) : std::string_view();
    }
    /// The number in a cell, or `otherwise` where there is no column or nothing stands in it.
    std::int64_t side(std::size_t row, std::string_view names, std::int64_t otherwise) {
        const auto found = column(names);
        if (!found) return otherwise;
        return fields_.optional_integer(row, *found, -largest_side, largest_side).value_or(otherwise);
    }

    std::optional<OperatorShape> shape_of(std::size_t row) {
        std::string op(cell(row, op_names));
        if (op.empty()) op = !cell(row, "in_channels").empty() ? "conv2d" : "matmul";
        const auto kind = kind_called(op);
        if (kind == OperatorKind::matmul)
            return Matmul{side(row, "m rows", 0), side(row, "n cols", 0), side(row, "k inner", 0),
                          side(row, "batch", 1)};
        if (kind == OperatorKind::convolution) {
            Convolution s;
            s.batch = side(row, "batch", 1);
            s.channels = side(row, "in_channels", 0);
            s.filters = side(row, "out_channels", 0);
            s.height = side(row, "height in_height input_size", 0);
            s.width = side(row, "width in_width input_size", s.height);
            s.kernel_height = side(row, "kernel_height filter_height kernel kernel_size", 0);
            s.kernel_width = side(row, "kernel_width filter_width kernel kernel_size", s.kernel_height);
            s.stride_height = side(row, "stride_height stride_h stride", 1);
            s.stride_width = side(row, "stride_width stride_w stride", s.stride_height);
            s.padding_height = side(row, "padding_height pad_h padding", 0);
            s.padding_width = side(row, "padding_width pad_w padding", s.padding_height);
            s.groups = side(row, "groups", 1);
            return s;
        }
        if (const auto read = tensors_read(op)) {
            const auto rows = side(row, "rows m", 0), columns = side(row, "cols n", 1);
            if (rows < 1 || columns < 1 || columns > largest_side / rows) return Elementwise{0, 0};
            return Elementwise{rows * columns * *read, rows * columns};
        }
        ++unknown_.try_emplace(op, UnknownRows{row}).first->second.count;
        return std::nullopt;
    }

    static bool usable_shape(const OperatorShape& shape) {
        return std::visit([](const auto& s) { return usable(s); }, shape);
    }

    std::optional<Pass> pass_of(std::size_t row) {
        const auto text = cell(row, "pass");
        if (text.empty()) return Pass::forward;
        for (const Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient})
            if (text == name_of(pass)) return pass;
        fields_.error(row, *column("pass"), "There is no pass " + formats::quoted(text) + ".",
                      "write forward, input_gradient or weight_gradient");
        return std::nullopt;
    }

    std::optional<Precision> precision_of(std::size_t row) {
        const auto text = cell(row, "precision");
        if (text.empty()) return Precision::fp32;
        for (const Precision precision : all_precisions)
            if (!traits_of(precision).is_recipe() && text == scalescope::name_of(precision)) return precision;
        if (text == "mixed") return Precision::fp16;  // DeepBench: 16-bit products, summed in fp32
        fields_.error(row, *column("precision"), "There is no precision " + formats::quoted(text) + ".",
                      "write fp64, fp32, tf32, fp16 or bf16");
        return std::nullopt;
    }

    std::size_t index_of(std::vector<std::string>& names, std::string_view name) {
        const auto found = std::ranges::find(names, name);
        if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
        names.emplace_back(name);
        return names.size() - 1;
    }

    void read_row(std::size_t row) {
        const auto shape = shape_of(row);
        if (!shape) return;
        const auto pass = pass_of(row);
        const auto precision = precision_of(row);
        const auto device = fields_.text(row, *device_);
        if (!pass || !precision || !device) return;
        for (const TimeColumn& time : times_) {
            const auto value = fields_.optional_number(row, time.column, -1e30, 1e30);
            const Seconds seconds{value.value_or(0.0) * time.seconds};
            if (!(seconds.value > 1e-9 && seconds.value < 1e6) || !usable_shape(*shape)) {
                if (time.passes_by_column && !value) continue;  // not measured
                if (unusable_++ == 0) first_unusable_ = table_.at(row, time.column);
                continue;
            }
            MeasuredOperator measured;
            measured.shape = *shape;
            measured.pass = time.passes_by_column ? time.pass : *pass;
            measured.precision = *precision;
            measured.device = index_of(result_.devices, *device);
            if (result_.device_places.size() < result_.devices.size())
                result_.device_places.push_back(table_.at(row, *device_));
            measured.time = seconds;
            measured.line = table_.at(row, time.column).line;
            result_.rows.push_back(measured);
        }
        if (const auto framework = cell(row, "framework"); !framework.empty()) index_of(result_.frameworks, framework);
    }

    const CsvTable& table_;
    const Watch& watch_;
    ProblemList problems_;
    CsvFields fields_;
    std::optional<std::size_t> device_;
    std::unordered_map<std::string_view, std::optional<std::size_t>> columns_;  ///< by their names
    std::vector<TimeColumn> times_;
    struct UnknownRows {
        std::size_t first = 0;
        int count = 0;
    };
    std::map<std::string, UnknownRows> unknown_;
    int unusable_ = 0;
    SourcePosition first_unusable_;
    MeasuredOperators result_;
};

}  // namespace

OperatorKind kind_of(const OperatorShape& shape) { return static_cast<OperatorKind>(shape.index()); }

std::string_view name_of(OperatorKind kind) { return one_of(kind, "matmul", "convolution", "elementwise"); }

std::string_view name_of(Pass pass) { return one_of(pass, "forward", "input_gradient", "weight_gradient"); }

bool is_operator_table(const CsvTable& table) {
    const bool product = any_column(table, "m rows") && any_column(table, "n cols");
    const bool convolution = any_column(table, "in_channels") && any_column(table, "out_channels");
    return table.column("device") && (product || convolution) && !time_columns(table).empty();
}

Result<MeasuredOperators> read_operator_table(const CsvTable& table, const Watch& watch) {
    return OperatorReader(table, watch).read();
}

Features features_of(const MeasuredOperator& row, const Chip& chip) {
    return std::visit([&](const auto& shape) { return features_of(shape, chip, row.pass); }, row.shape);
}
OperatorTime time_of(const MeasuredOperator& row, const Chip& chip) {
    return std::visit([&](const auto& shape) { return time_of(shape, chip, row.pass); }, row.shape);
}
Seconds roofline_of(const MeasuredOperator& row, const Chip& chip) {
    return std::visit([&](const auto& shape) { return roofline_of(shape, chip); }, row.shape);
}

}  // namespace scalescope::operators
