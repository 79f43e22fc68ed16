// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/optimizers.hpp"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "core/measure/fit/random.hpp"

namespace scalescope::measure {

namespace {

enum Stream : std::uint64_t { first_members = 1, dither = 2, trials = 3 };

/// Threads that wait between rounds of equal work: starting one costs more than pricing a generation. The caller works
/// too, as number 0; with one thread there are no others.
class Crew {
public:
    /// `work(thread, from, to)` is to do pieces from … to − 1 of a round of `pieces`.
    using Work = std::function<void(std::size_t thread, std::size_t from, std::size_t to)>;

    Crew(std::size_t threads, std::size_t pieces, Work work)
        : threads_(threads < 1 ? 1 : threads),
          pieces_(pieces),
          work_(std::move(work)),
          begin_(static_cast<std::ptrdiff_t>(threads_)),
          end_(static_cast<std::ptrdiff_t>(threads_)) {
        for (std::size_t t = 1; t < threads_; ++t) others_.emplace_back([this, t] { serve(t); });
    }
    ~Crew() {
        done_ = true;
        if (!others_.empty()) begin_.arrive_and_wait();
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// One round; returns when all of it is done.
    void run() {
        if (!others_.empty()) begin_.arrive_and_wait();
        share(0);
        if (!others_.empty()) end_.arrive_and_wait();
    }

private:
    void share(std::size_t t) { work_(t, pieces_ * t / threads_, pieces_ * (t + 1) / threads_); }
    void serve(std::size_t t) {
        for (;;) {
            begin_.arrive_and_wait();
            if (done_) return;
            share(t);
            end_.arrive_and_wait();
        }
    }

    std::size_t threads_, pieces_;
    Work work_;
    bool done_ = false;  // read and written on either side of begin_ only
    std::barrier<> begin_, end_;
    std::vector<std::jthread> others_;  // last, so that they end before what they use
};

/// Members as shares of the bounds, 0 to 1.
class Population {
public:
    Population(const Objective& objective, const EvolutionOptions& options)
        : objective_(objective),
          options_(options),
          size_(objective.size()),
          count_(std::max<std::size_t>(5, options.members_per_constant * size_)),
          members_(latin_hypercube(count_, size_, Draws(options.seed, {first_members}))),
          trials_(members_),
          costs_(count_, HUGE_VAL),
          trial_costs_(count_),
          rooms_(std::max<std::size_t>(1, options.threads)),
          crew_(options.threads, count_,
                [this](std::size_t thread, std::size_t from, std::size_t to) { price(thread, from, to); }) {
        crew_.run();
        select();
    }

    void next(std::size_t generation) {
        generation_ = generation;
        factor_ = Draws(options_.seed, {dither, generation}).uniform(options_.least_factor, options_.most_factor);
        crew_.run();
        select();
    }

    bool alike() const {
        double mean = 0.0, spread = 0.0;
        for (const double cost : costs_) mean += cost;
        mean /= static_cast<double>(count_);
        if (!std::isfinite(mean)) return false;
        for (const double cost : costs_) spread += (cost - mean) * (cost - mean);
        return std::sqrt(spread / static_cast<double>(count_)) <= options_.tolerance * std::abs(mean);
    }

    double best_cost() const { return costs_[best_]; }
    std::vector<double> best() const { return constants_of(members_.data() + best_ * size_); }
    std::size_t count() const { return count_; }

private:
    struct Room {
        Workspace space;
        std::vector<double> theta;
    };

    std::vector<double> constants_of(const double* shares) const {
        std::vector<double> theta(size_);
        for (std::size_t d = 0; d < size_; ++d) theta[d] = constant_of(d, shares[d]);
        return theta;
    }
    double constant_of(std::size_t d, double share) const {
        const Constant& c = objective_.constants()[d];
        return c.low + share * c.width();
    }

    /// best + F·(one − other), each constant taken with the probability of crossover, one of them in any case.
    void make_trial(std::size_t i) {
        Draws draws(options_.seed, {trials, generation_, i});
        std::size_t one = draws.below(count_ - 1), other = draws.below(count_ - 2);
        if (one >= i) ++one;
        const std::size_t low = std::min(i, one), high = std::max(i, one);
        if (other >= low) ++other;
        if (other >= high) ++other;
        const std::size_t certain = draws.below(size_);
        for (std::size_t d = 0; d < size_; ++d) {
            double& share = trials_[i * size_ + d];
            share = members_[i * size_ + d];
            if (draws.uniform() >= options_.crossover && d != certain) continue;
            share = members_[best_ * size_ + d] + factor_ * (members_[one * size_ + d] - members_[other * size_ + d]);
            if (!(share >= 0.0 && share <= 1.0)) share = draws.uniform();
        }
    }

    void price(std::size_t thread, std::size_t from, std::size_t to) {
        Room& room = rooms_[thread];
        room.theta.resize(size_);
        for (std::size_t i = from; i < to; ++i) {
            if (generation_ > 0) make_trial(i);
            for (std::size_t d = 0; d < size_; ++d) room.theta[d] = constant_of(d, trials_[i * size_ + d]);
            trial_costs_[i] = objective_.cost(room.theta, room.space);
        }
    }

    void select() {
        for (std::size_t i = 0; i < count_; ++i) {
            if (!(trial_costs_[i] <= costs_[i])) continue;
            costs_[i] = trial_costs_[i];
            std::copy_n(trials_.begin() + static_cast<std::ptrdiff_t>(i * size_), size_,
                        members_.begin() + static_cast<std::ptrdiff_t>(i * size_));
        }
        best_ = static_cast<std::size_t>(std::ranges::min_element(costs_) - costs_.begin());
    }

    const Objective& objective_;
    EvolutionOptions options_;
    std::size_t size_, count_;
    std::vector<double> members_, trials_, costs_, trial_costs_;
    std::vector<Room> rooms_;
    std::size_t best_ = 0, generation_ = 0;
    double factor_ = 0.0;
    Crew crew_;  // last: it uses all of the others
};

}  // namespace

Solution evolve(const Objective& objective, const EvolutionOptions& options, const Watch& watch,
                const CostListener& listener) {
    Population population(objective, options);
    Solution best;
    best.evaluations = population.count();
    while (best.generations < options.most_generations && !best.converged && !watch.cancel.cancelled()) {
        population.next(++best.generations);
        best.evaluations += population.count();
        best.best_costs.push_back(population.best_cost());
        best.converged = population.alike();
        if (listener) listener(best.generations, population.best_cost());
        watch.progress(static_cast<double>(best.generations) / static_cast<double>(options.most_generations),
                       "differential evolution");
    }
    best.cancelled = watch.cancel.cancelled();
    best.theta = population.best();
    best.cost = population.best_cost();
    if (!options.polish || best.cancelled) return best;
    Workspace space;
    Solution polished = least_squares(objective, best.theta, space);
    best.evaluations += polished.evaluations;
    if (polished.cost < best.cost) {
        best.cost = polished.cost;
        best.theta = std::move(polished.theta);
        best.best_costs.push_back(best.cost);
    }
    return best;
}

}  // namespace scalescope::measure
