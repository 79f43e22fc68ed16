// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/trace.hpp"

#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"

#include <algorithm>
#include <cmath>

namespace scalescope::habitat {

namespace {

bool stays_as_measured(std::string_view operation) {
    return operation == "gru" || operation == "rnn_tanh" || operation == "rnn_relu";
}

/// One prediction of a whole trace.
class TracePrediction {
public:
    TracePrediction(const Trace& trace, const Device& origin, const Device& destination, const Knowledge& knowledge)
        : trace_(trace), origin_(origin), destination_(destination), knowledge_(knowledge) {}

    Result<PredictedTrace> run() {
        for (const Operation& operation : trace_.operations) {
            auto predicted = one(operation);
            if (predicted) {
                result_.time += predicted->time();
                result_.operations.push_back(*predicted);
                continue;
            }
            for (Problem problem : predicted.error()) {
                problem.where = where(operation);
                if (problems_.size() < limits::problems) problems_.push_back(std::move(problem));
            }
        }
        if (!problems_.empty()) return fail(std::move(problems_));
        return std::move(result_);
    }

private:
    std::string where(const Operation& operation) const {
        const auto index = static_cast<std::size_t>(&operation - trace_.operations.data());
        return trace_.name + " \u203a operation " + std::to_string(index + 1) + " (" + operation.name + ')';
    }

    void warn(const Operation& operation, std::string what, std::string remedy) {
        if (result_.warnings.size() < limits::problems)
            result_.warnings.push_back(make_warning(std::move(what), std::move(remedy), {}, where(operation)));
    }

    Result<PredictedOperation> one(const Operation& operation) {
        PredictedOperation p;
        if (origin_.name == destination_.name || stays_as_measured(operation.name)) {
            p.rule = origin_.name == destination_.name ? OperationRule::measured : OperationRule::unscaled;
            p.forward = operation.forward.time;
            if (operation.backward) p.backward = operation.backward->time;
            if (p.rule == OperationRule::unscaled)
                warn(operation, "No rule scales this operation; it keeps its measured time.",
                     "Take the total with that in mind.");
            return p;
        }
        if (operation.features) return by_network(operation);
        p.forward = scaled(operation, operation.forward, p);
        if (operation.backward) p.backward = scaled(operation, *operation.backward, p);
        return p;
    }

    Result<PredictedOperation> by_network(const Operation& operation) {
        const auto found = knowledge_.models.find(operation.name);
        if (found == knowledge_.models.end())
            return fail(
                make_error("There is no network for " + operation.name + ".", "Add one to the file of networks."));
        ASSIGN_OR_RETURN(const auto here, predict(found->second, *operation.features, origin_));
        ASSIGN_OR_RETURN(const auto there, predict(found->second, *operation.features, destination_));
        const double ratio = there / here;
        if (!std::isfinite(ratio))
            return fail(make_error("The network gives no time for " + origin_.name + ".", "Train it again."));
        PredictedOperation p;
        p.rule = OperationRule::mlp;
        p.forward = operation.time() * there.value / here.value;
        if (p.forward.value < 0.0) {
            p.forward = Milliseconds{};
            p.clamped = true;
            warn(operation, "The network gives a negative time; 0 is taken.", "Train it again.");
        }
        return p;
    }

    Milliseconds scaled(const Operation& operation, const RunTime& run_time, PredictedOperation& p) {
        Nanoseconds measured, predicted;
        for (const Kernel& kernel : run_time.kernels) {
            measured += kernel.time;
            const auto w = waves(kernel, origin_, destination_, knowledge_.registers, knowledge_.edition);
            const auto found = transfer(kernel, origin_, destination_, w, knowledge_.rule, knowledge_.edition);
            predicted += found.time.value_or(kernel.time);
            if (!found.time) {
                ++p.not_runnable;
                warn(operation, "Kernel " + kernel.name + " has no time on " + destination_.name + ".",
                     "Its measured time is counted.");
            }
        }
        const Nanoseconds overhead{std::max(0.0, (in_nanoseconds(run_time.time) - measured).value)};
        return in_milliseconds(overhead + predicted);
    }

    const Trace& trace_;
    const Device& origin_;
    const Device& destination_;
    const Knowledge& knowledge_;
    PredictedTrace result_;
    Problems problems_;
};

}  // namespace

Milliseconds Trace::time() const {
    Milliseconds sum;
    for (const Operation& operation : operations) sum += operation.time();
    return sum;
}

std::string_view name_of(OperationRule rule) { return one_of(rule, "measured", "wave scaling", "mlp", "unscaled"); }

Result<PredictedTrace> predict(const Trace& trace, const Device& origin, const Device& destination,
                               const Knowledge& knowledge) {
    return TracePrediction(trace, origin, destination, knowledge).run();
}

}  // namespace scalescope::habitat
