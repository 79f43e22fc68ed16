// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/predict.hpp"

#include "core/base/sequences.hpp"
#include "core/measure/habitat/wave.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace scalescope::transfer {

namespace {

using kineto::Operation;
using kineto::WorkClass;

Seconds seconds_of(std::int64_t nanoseconds) { return Seconds{static_cast<double>(nanoseconds) / 1e9}; }

/// Exact as doubles.
constexpr double most_blocks = 9e15, most_threads = 1 << 20;

/// Blocks or threads of a launch; 0 for one that cannot be.
std::int64_t volume(const std::array<std::int64_t, 3>& sizes, double most) {
    double all = 1.0;
    for (const auto s : sizes) all *= static_cast<double>(std::max<std::int64_t>(0, s));
    return all > most ? 0 : static_cast<std::int64_t>(all);
}

/// The features of Habitat's networks, in their order (habitat/trace_arguments.hpp).
struct NetworkQuestion {
    std::string_view network;
    std::vector<double> features;
};
std::optional<NetworkQuestion> question_of(const Work& work) {
    const auto d = [](std::int64_t n) { return static_cast<double>(n); };
    const double bias = work.bias ? 1.0 : 0.0;
    if (const auto* c = std::get_if<operators::Convolution>(&work.shape))
        return NetworkQuestion{"conv2d",
                               {bias, d(c->batch), d(c->height), d(c->channels), d(c->filters), d(c->kernel_height),
                                d(c->stride_height), d(c->padding_height)}};
    if (const auto* m = std::get_if<operators::Matmul>(&work.shape)) {
        if (m->batch > 1) return NetworkQuestion{"bmm", {d(m->batch), d(m->m), d(m->k), d(m->n)}};
        return NetworkQuestion{"linear", {bias, d(m->m), d(m->k), d(m->n)}};
    }
    return std::nullopt;
}

class TracePredictor {
public:
    TracePredictor(const kineto::Trace& trace, const kineto::Digest& digest, const std::vector<Work>& works,
                   const Gpu& from, const Gpu& to, const Options& options)
        : trace_(trace),
          digest_(digest),
          works_(works),
          from_(from),
          to_(to),
          options_(options),
          recorded_(recorded_math(trace, digest)) {}

    Prediction run() {
        result_.layout = recorded_.layout;
        result_.steps.resize(digest_.steps.size());
        const double each = 1.0 / static_cast<double>(std::max<std::size_t>(1, digest_.steps.size()));
        for (std::size_t i = 0; i < digest_.operations.size(); ++i) {
            const Operation& o = digest_.operations[i];
            if (o.step == kineto::unknown || o.cls == WorkClass::communication) continue;
            const PredictedOperation p = one(i);
            result_.operations.push_back(p);
            result_.steps[static_cast<std::size_t>(o.step)] += Times{p.measured, p.predicted};
            const Times share{p.measured * each, p.predicted * each};
            result_.step += share;
            result_.by_phase[static_cast<std::size_t>(o.phase)] += share;
            result_.by_class[static_cast<std::size_t>(o.cls)][static_cast<std::size_t>(p.rule)] += share;
            result_.by_rule[static_cast<std::size_t>(p.rule)] += share;
        }
        check_shapes();
        check_precisions();
        check_homeless();
        return std::move(result_);
    }

private:
    /// Another batch or network than was recorded fits the counts of layers, but not their time.
    void check_shapes() {
        constexpr double most_off = 2.5;
        if (convolutions_.predicted.value <= 0.0) return;
        const double off = convolutions_.measured / convolutions_.predicted;
        if (off < most_off && off > 1.0 / most_off) return;
        result_.warnings.push_back(make_warning("The recorded convolutions took " + two_digits(off) +
                                                    " times what their shapes should take on " + from_.device.name +
                                                    ".",
                                                "Check --network, --batch and --from.", {trace_.file, 0, 0}));
    }
    /// Wave scaling carries a kernel over as it is; where other units would multiply, that says little.
    void check_precisions() {
        Times blind;
        for (const PredictedOperation& p : result_.operations)
            if (p.rule == Rule::wave_scaling && p.here != p.there) blind += Times{p.measured, p.predicted};
        const double all = result_.step.measured.value * static_cast<double>(result_.steps.size());
        if (all <= 0.0 || blind.measured.value < 0.01 * all) return;
        result_.warnings.push_back(make_warning(
            std::to_string(std::lround(100.0 * blind.measured.value / all)) + " % of the time is of operations that " +
                to_.device.name + " computes in another precision, which wave scaling does not see.",
            "Name the network with --network, or record shapes.", {trace_.file, 0, 0}));
    }
    void check_homeless() {
        constexpr std::size_t shown = 60;
        if (homeless_.empty()) return;
        const std::string& name = trace_.name(*homeless_.begin());
        const bool one = homeless_.size() == 1;
        result_.warnings.push_back(
            make_warning(std::to_string(homeless_.size()) + (one ? " kernel has" : " kernels have") + " no time on " +
                             to_.device.name + (one ? ": " : ", such as ") + name.substr(0, shown) +
                             (name.size() > shown ? "\u2026" : "") + ".",
                         "No processor there holds one of " + std::string(one ? "its" : "their") + " blocks; " +
                             two_digits(in_milliseconds(homeless_time_) /
                                        static_cast<double>(std::max<std::size_t>(1, result_.steps.size()))) +
                             " ms a step are counted as measured.",
                         {trace_.file, 0, 0}));
    }
    static std::string two_digits(double factor) {
        const auto hundredths = static_cast<std::int64_t>(std::min(1e9, std::round(factor * 100.0)));
        const std::string cents = std::to_string(hundredths % 100);
        return std::to_string(hundredths / 100) + '.' + (cents.size() < 2 ? "0" + cents : cents);
    }

    PredictedOperation one(std::size_t i) {
        const Operation& o = digest_.operations[i];
        PredictedOperation p;
        p.operation = i;
        p.measured = seconds_of(o.kernel_time);
        p.here = recorded_precision(trace_, digest_, o);
        p.there = precision_there(p.here, o.cls, recorded_, from_, to_, options_.tf32, options_.fp16);
        if (from_.device.id == to_.device.id && p.here == p.there) {
            p.rule = Rule::measured;
            p.predicted = p.measured;
            return p;
        }
        if (!options_.wave_scaling_only && i < works_.size() && works_[i].known())
            if (by_network(p, works_[i]) || by_model(p, works_[i])) return p;
        by_waves(p, o);
        return p;
    }

    static bool set(PredictedOperation& p, Rule rule, Seconds predicted) {
        if (!std::isfinite(predicted.value) || predicted.value < 0.0) return false;
        p.rule = rule;
        p.predicted = predicted;
        return true;
    }

    bool by_network(PredictedOperation& p, const Work& work) const {
        if (!options_.networks) return false;
        const auto question = question_of(work);
        if (!question) return false;
        const auto found = options_.networks->find(question->network);
        if (found == options_.networks->end()) return false;
        const auto here = habitat::predict(found->second, question->features, from_.limits),
                   there = habitat::predict(found->second, question->features, to_.limits);
        return here && there && here->value > 0.0 && there->value > 0.0 &&
               set(p, Rule::network, p.measured * (*there / *here));
    }

    bool by_model(PredictedOperation& p, const Work& work) {
        auto here = options_.model(work, from_.device, p.here, recorded_.layout),
             there = options_.model(work, to_.device, p.there, recorded_.layout);
        if (!here || !there || here->time.value <= 0.0) return false;
        // What the model is off by is the kernels': all of it holds where the same ones run.
        p.carried = p.here == p.there && same_kernels(from_, to_) ? 1.0 : carried(here->unit, there->unit);
        const bool corrects = correct(p, work, *here, *there);
        const double off = p.measured / here->time;
        if (!set(p, corrects ? Rule::corrected_model : Rule::operator_model, there->time * std::pow(off, p.carried)))
            return false;
        if (std::holds_alternative<operators::Convolution>(work.shape)) convolutions_ += Times{p.measured, here->time};
        return true;
    }

    /// Both times or neither: a ratio of a corrected and a plain one means nothing. Where nothing of the ratio is
    /// carried over, the time there is all that counts.
    bool correct(PredictedOperation& p, const Work& work, KernelTime& here, KernelTime& there) const {
        if (!options_.corrections) return false;
        const auto at_home = options_.corrections->time(work, from_.device, p.here),
                   away = options_.corrections->time(work, to_.device, p.there);
        const bool ratio = p.carried > 0.0;
        if (!away || (ratio && !at_home)) return false;
        if (at_home) here.time = at_home->time;
        there.time = away->time;
        p.points = away->points;
        p.inside = away->inside && (!ratio || at_home->inside);
        return true;
    }

    void by_waves(PredictedOperation& p, const Operation& o) {
        Seconds sum;
        for (const auto i : digest_.kernels_of(o)) {
            const auto& k = trace_.kernels[i];
            habitat::Kernel kernel;
            kernel.name = trace_.name(k.name);
            kernel.blocks = volume(k.grid, most_blocks);
            kernel.block_size = volume(k.block, most_threads);
            kernel.registers = k.registers;
            kernel.static_shared = k.shared;
            kernel.time = habitat::Nanoseconds{static_cast<double>(k.span.length)};
            const auto waves = habitat::waves(kernel, from_.limits, to_.limits, no_table_, habitat::Edition::corrected);
            const auto there = habitat::transfer(kernel, from_.limits, to_.limits, waves, habitat::Rule::unified,
                                                 habitat::Edition::corrected);
            sum += Seconds{there.time.value_or(kernel.time).value / 1e9};
            if (there.time) continue;
            ++p.not_runnable;
            homeless_.insert(k.name);
            homeless_time_ += seconds_of(k.span.length);
        }
        p.rule = p.not_runnable == o.kernels && p.not_runnable > 0 ? Rule::unscaled : Rule::wave_scaling;
        p.predicted = sum;
    }

    const kineto::Trace& trace_;
    const kineto::Digest& digest_;
    const std::vector<Work>& works_;
    const Gpu& from_;
    const Gpu& to_;
    const Options& options_;
    const RecordedMath recorded_;
    const habitat::RegisterTable no_table_;
    std::set<kineto::NameId> homeless_;  ///< kernels that cannot run there
    Seconds homeless_time_;
    Times convolutions_;  ///< measured, and what the model says for the same GPU
    Prediction result_;
};

}  // namespace

std::string_view name_of(Rule rule) {
    return one_of(rule, "measured", "mlp", "corrected operator model", "operator model", "wave scaling", "unscaled");
}

Times total(const std::array<Times, rules>& by_rule) {
    Times sum;
    for (const Times& t : by_rule) sum += t;
    return sum;
}

Prediction predict(const kineto::Trace& trace, const kineto::Digest& digest, const std::vector<Work>& works,
                   const Gpu& from, const Gpu& to, const Options& options) {
    return TracePredictor(trace, digest, works, from, to, options).run();
}

}  // namespace scalescope::transfer
