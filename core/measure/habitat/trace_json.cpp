// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sequences.hpp"
#include "core/measure/habitat/tables.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"

namespace scalescope::habitat {

namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;

using Sizes = std::vector<std::int64_t>;
using Features = std::optional<std::vector<double>>;

std::vector<double> as_features(const Sizes& sizes) { return {sizes.begin(), sizes.end()}; }

/// Sizes of a tensor with `rank` dimensions, or with at least one if 0.
std::optional<Sizes> tensor(JsonFields& fields, std::string_view name, std::size_t rank) {
    auto sizes = fields.integers(name, rank, 0, limits::dimension);
    if (sizes && sizes->empty()) {
        fields.error(name, *fields.value().find(name), "A tensor without dimensions cannot stand here.",
                     "Give its sizes.");
        return std::nullopt;
    }
    return sizes;
}

/// A whole number, or the first of a pair.
std::optional<std::int64_t> first_of_pair(JsonFields& fields, std::string_view name) {
    const auto value = fields.any(name);
    if (value && value->is_array()) {
        const auto pair = fields.integers(name, 2, 0, limits::dimension);
        return pair ? std::optional(pair->front()) : std::nullopt;
    }
    return fields.integer(name, 0, limits::dimension);
}

/// 1 unless the argument is there and false; a call that does not mention it has the default, which is true.
std::int64_t bias_of(JsonFields& fields) { return fields.optional_boolean("bias").value_or(true) ? 1 : 0; }

Features linear(JsonFields& fields) {
    const auto input = tensor(fields, "input", 0);
    const auto weight = tensor(fields, "weight", 2);
    if (!input || !weight) return std::nullopt;
    double batch = 1.0;
    for (std::size_t i = 0; i + 1 < input->size(); ++i) batch *= static_cast<double>((*input)[i]);
    return std::vector<double>{static_cast<double>(bias_of(fields)), batch, static_cast<double>((*weight)[1]),
                               static_cast<double>((*weight)[0])};
}

Features bmm(JsonFields& fields) {
    const auto input = tensor(fields, "input", 3);
    const auto other = tensor(fields, "mat2", 3);
    if (!input || !other) return std::nullopt;
    return as_features({(*input)[0], (*input)[1], (*input)[2], (*other)[2]});
}

Features convolution(JsonFields& fields) {
    const auto input = tensor(fields, "input", 4);
    const auto weight = tensor(fields, "weight", 4);
    const auto stride = first_of_pair(fields, "stride");
    const auto padding = first_of_pair(fields, "padding");
    if (!input || !weight || !stride || !padding) return std::nullopt;
    return as_features(
        {bias_of(fields), (*input)[0], (*input)[2], (*input)[1], (*weight)[0], (*weight)[2], *stride, *padding});
}

Features lstm(JsonFields& fields) {
    const auto input = tensor(fields, "input", 3);
    const auto hidden = fields.integer("hidden", 1, limits::dimension);
    const auto layers = fields.integer("num_layers", 1, limits::dimension);
    const auto both = fields.optional_boolean("bidirectional").value_or(false);
    if (!input || !hidden || !layers) return std::nullopt;
    // Time comes first. The first 1 is the bias, whatever the argument says: the published code tests its presence.
    return as_features({1, both ? 1 : 0, (*input)[1], (*input)[0], (*input)[2], *hidden, *layers});
}

struct NetworkOperation {
    std::string_view name;
    Features (*features)(JsonFields&);
};
constexpr std::array<NetworkOperation, 4> network_operations{
    {{"linear", linear}, {"bmm", bmm}, {"conv2d", convolution}, {"lstm", lstm}}};

const NetworkOperation* network_operation(std::string_view name) {
    return find_by(network_operations, name, &NetworkOperation::name);
}

/// True for the operations that Habitat has networks for: conv2d, linear, bmm, lstm.
bool goes_by_network(std::string_view operation) { return network_operation(operation) != nullptr; }

/// The features of such an operation from its arguments, in the order its network takes them. Tensors are given by
/// their sizes: `input` and `weight`, bmm's `input` and `mat2`. As published: a convolution's image is square, dilation
/// and groups do not count, and an lstm has a bias if one is mentioned. Nothing, and problems, if one is missing.
std::optional<std::vector<double>> operation_features(std::string_view operation, formats::JsonValue arguments,
                                                      const std::string& path, formats::ProblemList& problems) {
    const auto* known = network_operation(operation);
    if (!known) return std::nullopt;
    JsonFields fields(arguments, path, problems);
    return fields.is_object() ? known->features(fields) : std::nullopt;
}

class TraceReader {
public:
    TraceReader(const std::vector<Kernel>& kernels, formats::ProblemList& problems) : problems_(problems) {
        for (const Kernel& kernel : kernels) kernels_.emplace(kernel.name, &kernel);
    }

    TraceCase read(JsonValue value, std::size_t index) {
        TraceCase result;
        JsonFields fields(value, "trace " + std::to_string(index + 1), problems_);
        if (!fields.is_object()) return result;
        result.trace.name = std::string(fields.text("id").value_or(""));
        result.trace.origin = std::string(fields.text("origin").value_or(""));
        const std::string path = result.trace.name.empty() ? fields.path() : result.trace.name;
        if (const auto operations = fields.required("operations", JsonKind::array)) {
            for (const JsonValue operation : *operations) {
                const std::string number = "operation " + std::to_string(result.trace.operations.size() + 1);
                result.trace.operations.push_back(read_operation(operation, formats::join_path(path, number)));
            }
        }
        if (const auto predictions = fields.optional("predictions", JsonKind::array)) {
            for (const JsonValue prediction : *predictions) {
                JsonFields p(prediction, formats::join_path(path, "predictions"), problems_);
                if (p.is_object()) result.destinations.emplace_back(p.text("dest").value_or(""));
            }
        }
        return result;
    }

private:
    Operation read_operation(JsonValue value, const std::string& path) {
        Operation operation;
        JsonFields fields(value, path, problems_);
        if (!fields.is_object()) return operation;
        operation.name = std::string(fields.text("name").value_or(""));
        if (goes_by_network(operation.name)) {
            if (const auto arguments = fields.required("arguments", JsonKind::object))
                operation.features =
                    operation_features(operation.name, *arguments, formats::join_path(path, "arguments"), problems_);
        }
        if (const auto forward = fields.required("forward", JsonKind::object))
            operation.forward = read_run_time(*forward, formats::join_path(path, "forward"));
        if (const auto backward = fields.optional("backward", JsonKind::object))
            operation.backward = read_run_time(*backward, formats::join_path(path, "backward"));
        return operation;
    }

    RunTime read_run_time(JsonValue value, const std::string& path) {
        RunTime result;
        JsonFields fields(value, path, problems_);
        result.time = Milliseconds{fields.number("run_time_ms", 0.0, 1e15).value_or(0.0)};
        const auto kernels = fields.required("kernels", JsonKind::array);
        if (!kernels) return result;
        for (const JsonValue id : *kernels) {
            const auto found = kernels_.find(id.text());
            if (id.is_string() && found != kernels_.end()) {
                result.kernels.push_back(*found->second);
                continue;
            }
            problems_.error(id.at(), path, "There is no kernel called " + formats::quoted(id.text()) + ".",
                            "Write the id of a row in the file of kernels, in quotes.");
        }
        return result;
    }

    std::unordered_map<std::string_view, const Kernel*> kernels_;
    formats::ProblemList& problems_;
};

}  // namespace

Result<std::vector<TraceCase>> read_traces(std::string_view text, std::string file, const std::vector<Kernel>& kernels,
                                           const Watch& watch) {
    ASSIGN_OR_RETURN(const auto document, formats::parse_json(text, std::move(file), watch));
    formats::ProblemList problems;
    std::vector<TraceCase> cases;
    if (!document.root().is_array()) {
        problems.error(document.root().at(), {}, "This is no list of traces.",
                       "Write [ before the first trace and ] after the last.");
    } else {
        TraceReader reader(kernels, problems);
        for (const JsonValue value : document.root()) cases.push_back(reader.read(value, cases.size()));
    }
    if (problems.has_errors()) return fail(problems.take());
    return cases;
}

}  // namespace scalescope::habitat
