// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/trace_arguments.hpp"

#include "core/base/limits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace scalescope::habitat {

namespace {

using formats::JsonFields;
using formats::JsonKind;
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
    const auto found = std::find_if(network_operations.begin(), network_operations.end(),
                                    [&](const NetworkOperation& o) { return o.name == name; });
    return found == network_operations.end() ? nullptr : &*found;
}

}  // namespace

bool goes_by_network(std::string_view operation) { return network_operation(operation) != nullptr; }

std::optional<std::vector<double>> operation_features(std::string_view operation, formats::JsonValue arguments,
                                                      const std::string& path, formats::ProblemList& problems) {
    const auto* known = network_operation(operation);
    if (!known) return std::nullopt;
    JsonFields fields(arguments, path, problems);
    return fields.is_object() ? known->features(fields) : std::nullopt;
}

}  // namespace scalescope::habitat
