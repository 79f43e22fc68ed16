// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/tables.hpp"

#include "core/measure/habitat/trace_arguments.hpp"

#include <unordered_map>

namespace scalescope::habitat {

namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;

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
    const auto document = formats::parse_json(text, std::move(file), watch);
    if (!document) return fail(document.error());
    formats::ProblemList problems;
    std::vector<TraceCase> cases;
    if (!document->root().is_array()) {
        problems.error(document->root().at(), {}, "This is no list of traces.",
                       "Write [ before the first trace and ] after the last.");
    } else {
        TraceReader reader(kernels, problems);
        for (const JsonValue value : document->root()) cases.push_back(reader.read(value, cases.size()));
    }
    if (problems.has_errors()) return fail(problems.take());
    return cases;
}

}  // namespace scalescope::habitat
