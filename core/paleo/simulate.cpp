// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/simulate.hpp"

#include <cmath>

namespace scalescope::paleo {

namespace {

enum class Which : std::uint8_t { all, unsplit, split };

bool counts(const LayerPlan& layer, Which which) {
    return which == Which::all || layer.is_split == (which == Which::split);
}

struct Times {
    Seconds forward, backward;
};

/// With `pipeline` each layer takes the larger of its computing and its memory time: layer by layer.
Times sum_by_layer(const Plan& plan, const Rates& rates, double batch, Which which) {
    Times sum;
    for (const auto& layer : plan.layers) {
        if (!counts(layer, which)) continue;
        const auto cost = price_layer(plan, layer, rates, batch);
        sum.forward += cost.forward(true);
        sum.backward += cost.backward(true);
    }
    return sum;
}

Seconds sum_of_direction(const Plan& plan, const DirectionPlan& part, const Rates& rates, double batch) {
    double sum = part.flops.price(batch, rates.per_flop, rates.tick) +
                 part.transfers.price(batch, rates.per_byte, rates.tick) +
                 part.fetches.price(batch, rates.per_fetched_byte, rates.tick);
    for (const auto& transform : part.transforms) sum += price_pass(plan, transform, rates, batch).total().value;
    return Seconds{sum};
}

Times sum_of_layers(const Plan& plan, const Rates& rates, double batch, bool pipeline, Which which) {
    if (pipeline) return sum_by_layer(plan, rates, batch, which);
    std::array<Seconds, 2> sums;
    for (std::size_t direction = 0; direction < sums.size(); ++direction)
        for (const std::size_t split : {0u, 1u})
            if (which == Which::all || (which == Which::split) == (split == 1))
                sums[direction] += sum_of_direction(plan, plan.directions[direction][split], rates, batch);
    return {sums[0], sums[1]};
}

/// The longest way through the graph: where PALEO's walk gives groups of branches, one group after another and in each
/// the longest branch; elsewhere the longest path.
class LongestPath {
public:
    LongestPath(const Plan& plan, const std::vector<LayerCost>& costs, Pass pass, Which which)
        : plan_(plan), costs_(costs), pass_(pass), which_(which) {}

    Seconds length() const {
        if (!plan_.walk.empty()) return of(plan_.walk);
        std::vector<Seconds> until(plan_.layers.size());
        Seconds longest;
        for (std::size_t i = 0; i < until.size(); ++i) {
            for (const int parent : plan_.parents[i])
                until[i] = std::max(until[i], until[static_cast<std::size_t>(parent)]);
            until[i] += of(static_cast<int>(i));
            longest = std::max(longest, until[i]);
        }
        return longest;
    }

private:
    Seconds of(int layer) const {
        const auto i = static_cast<std::size_t>(layer);
        if (!counts(plan_.layers[i], which_)) return {};
        return pass_ == Pass::forward ? costs_[i].forward(false) : costs_[i].backward(false);
    }

    Seconds of(const std::vector<Step>& steps) const {
        Seconds sum;
        for (const auto& step : steps) {
            if (step.layer >= 0) {
                sum += of(step.layer);
                continue;
            }
            Seconds longest;
            for (const auto& branch : step.branches) longest = std::max(longest, of(branch));
            sum += longest;
        }
        return sum;
    }

    const Plan& plan_;
    const std::vector<LayerCost>& costs_;
    Pass pass_;
    Which which_;
};

std::int64_t or_own(const Plan& plan, std::int64_t batch) { return batch > 0 ? batch : plan.own_batch; }

/// Steps of a tree over `workers`: PALEO rounds the logarithm up, in doubles (2^29 workers make 30).
double tree_height(std::int64_t workers) { return std::ceil(std::log(static_cast<double>(workers)) / std::log(2.0)); }

double message_seconds(const Setup& setup, double parameters) {
    return 4.0 * parameters / (setup.link.gbit_per_s / 8.0 * 1e9) / setup.ppp_communication;
}

/// The split part of hybrid mode: each worker in turn gives its batch to all others, and all work on it.
struct Slices {
    Seconds one_exchange;  ///< of one worker's input to one other
    Seconds held;          ///< exchange that the price of the layers holds already (corrected mode only)
    bool corrected = false;

    Seconds time(Seconds work, double workers) const {
        const Seconds exchange = one_exchange * (workers - 1.0);
        // PALEO takes it that the work contains the exchange, and hides all exchanges but the first.
        if (!corrected) return (work - exchange) * workers + exchange;
        // An exchange hides behind the work on the slice before it, as far as that lasts.
        const Seconds own = std::max(work - std::min(exchange, held), Seconds{});
        return exchange + std::max(exchange, own) * (workers - 1.0) + own;
    }
};

Slices make_slices(const Plan& plan, const Setup& setup, double batch) {
    const auto& c = plan.method.corrections;
    const double gigabyte = c.decimal_units ? 1e9 : 1073741824.0;
    const double amount = plan.split_input_per_sample * batch * (c.hybrid_bytes ? 4.0 / setup.ppp_communication : 1.0);
    Slices slices;
    slices.one_exchange = Seconds{amount / gigabyte / (setup.link.gbit_per_s / 8.0)};
    slices.held = plan.split_input_is_fetched ? slices.one_exchange : Seconds{};
    slices.corrected = c.hybrid_bytes;
    return slices;
}

}  // namespace

std::array<Seconds, scheme_count> communication(const Method& method, const Setup& setup, double parameters,
                                                std::int64_t workers) {
    const double t = message_seconds(setup, parameters);
    const double height = tree_height(workers);
    std::array<Seconds, scheme_count> result;
    result[index(Scheme::one_to_all)] = Seconds{2.0 * t * static_cast<double>(workers - 1)};
    result[index(Scheme::tree_all_reduce)] = Seconds{2.0 * height * t};
    result[index(Scheme::butterfly_all_reduce)] = Seconds{height * t};
    result[index(Scheme::butterfly_mixing)] = Seconds{method.corrections.mixing_alone && workers == 1 ? 0.0 : t};
    return result;
}

DataPoint simulate_data(const Plan& plan, const Setup& setup, Scaling scaling, std::int64_t batch,
                        std::int64_t workers) {
    const std::int64_t own = or_own(plan, batch);
    DataPoint point;
    point.workers = workers;
    point.per_worker_batch = scaling == Scaling::weak ? own : own / workers + (own % workers != 0 ? 1 : 0);
    point.effective_batch = scaling == Scaling::weak ? own * workers : own;
    const auto rates = make_rates(plan.method, setup);
    const auto times =
        sum_of_layers(plan, rates, static_cast<double>(point.per_worker_batch), setup.pipeline, Which::all);
    point.forward = times.forward;
    point.backward = times.backward;
    point.update = price_update(rates, plan.parameters).total(setup.pipeline);
    point.communication = communication(plan.method, setup, plan.parameters, workers);
    return point;
}

ModelPoint simulate_model(const Plan& plan, const Setup& setup, std::int64_t batch) {
    const auto rates = make_rates(plan.method, setup);
    std::vector<LayerCost> costs;
    price_layers(plan, rates, static_cast<double>(or_own(plan, batch)), costs);
    ModelPoint point;
    for (const auto& cost : costs) {
        point.forward.upper += cost.forward(false);
        point.backward.upper += cost.backward(false);
    }
    point.forward.lower = LongestPath(plan, costs, Pass::forward, Which::all).length();
    point.backward.lower = LongestPath(plan, costs, Pass::data_gradient, Which::all).length();
    return point;
}

HybridPoint simulate_hybrid(const Plan& plan, const Setup& setup, std::int64_t batch, std::int64_t workers) {
    const auto rates = make_rates(plan.method, setup, FetchOver::network);
    const std::int64_t own = or_own(plan, batch);
    const auto n = static_cast<double>(own);
    const auto g = static_cast<double>(workers);
    HybridPoint point;
    point.workers = workers;
    point.effective_batch = own * workers;

    const auto outside = sum_of_layers(plan, rates, n, setup.pipeline, Which::unsplit);
    const double parameters = plan.parameters - plan.split_parameters;
    point.data = {outside.forward, outside.backward, price_update(rates, parameters).total(setup.pipeline),
                  communication(plan.method, setup, parameters, workers)[index(Scheme::tree_all_reduce)]};

    std::vector<LayerCost> costs;
    price_layers(plan, rates, n, costs);
    const Seconds forward = LongestPath(plan, costs, Pass::forward, Which::split).length();
    const Seconds backward = LongestPath(plan, costs, Pass::data_gradient, Which::split).length();
    const auto slices = make_slices(plan, setup, n);
    point.model = {slices.time(forward, g), slices.time(backward, g),
                   price_update(rates, plan.split_parameters).total(false), Seconds{}};
    return point;
}

Seconds iteration_time(const Plan& plan, const Setup& setup, const Situation& s) {
    switch (s.parallelism) {
        case Parallelism::data: return simulate_data(plan, setup, s.scaling, s.batch, s.workers).iteration(s.scheme);
        case Parallelism::model: return simulate_model(plan, setup, s.batch).iteration();
        case Parallelism::hybrid: return simulate_hybrid(plan, setup, s.batch, s.workers).iteration();
    }
    return {};
}

std::vector<WaterfallStep> waterfall(const Net& net, Era era, const Setup& setup, const Situation& situation,
                                     const Corrections& wanted) {
    Plan plan = make_plan(net, {era, {}});
    std::vector<WaterfallStep> steps;
    steps.push_back({nullptr, iteration_time(plan, setup, situation), Seconds{}});
    for (const auto& correction : corrections()) {
        if (!(wanted.*correction.flag)) continue;
        Method method = plan.method;
        method.corrections.*correction.flag = true;
        if (correction.changes_work)
            plan = make_plan(net, method);
        else
            plan.method = method;
        const Seconds time = iteration_time(plan, setup, situation);
        steps.push_back({&correction, time, time - steps.back().iteration});
    }
    return steps;
}

}  // namespace scalescope::paleo
