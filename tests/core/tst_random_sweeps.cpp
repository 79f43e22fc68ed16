// SPDX-License-Identifier: GPL-3.0-or-later
// Random scenarios over all fields, and what must hold for each of them. SCALESCOPE_SWEEPS is their number and
// SCALESCOPE_SEED the number of the first: scenario 1234 alone is SCALESCOPE_SEED=1234 SCALESCOPE_SWEEPS=1. With
// SCALESCOPE_FINDINGS, a folder, every scenario that fails is written there.
#include <QElapsedTimer>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "amount.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/decimal.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/staged_step.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/search/metrics.hpp"
#include "core/search/search.hpp"
#include "fuzz/checks.hpp"
#include "sanitized.hpp"
#include "support_any_scenario.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using fuzz::require;

namespace {

/// Every number of an estimate, as bits.
class Bits {
public:
    explicit Bits(const Result<Estimate>& result) {
        if (!result) {
            for (const Problem& p : result.error()) text_ += to_text(p) + '\n';
            return;
        }
        const Estimate& e = *result;
        add(e.summary);
        add(e.baseline);
        for (const LayerEstimate& l : e.layers) {
            add(l.forward, l.grad_input, l.grad_weights, l.update, l.communication, l.hidden, l.kept);
            add(l.samples, l.repeat, l.shares.inputs, l.shares.outputs, l.stage);
        }
        for (const MessageEstimate& m : e.messages) {
            add(m.group.ranks, m.times, m.bytes, m.each, m.exposed, m.hidden, m.start);
            add(m.message, m.algorithm);
        }
        const MemoryEstimate& m = e.memory;
        add(m.weights, m.gradients, m.optimizer, m.activations, m.peak);
        add(e.speedup, e.efficiency, e.throughput, e.epoch, e.epoch_cost.value_or(-1), e.idle_share);
        for (const Problem& p : e.notes) text_ += to_text(p) + '\n';
    }
    bool operator==(const Bits&) const = default;

private:
    std::string text_;
    template <class... T>
    void add(const T&... values) {
        (text_.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    }
    void add(const Summary& s) {
        add(s.infeasible, s.forward, s.backward, s.update, s.communication, s.idle, s.step, s.hidden, s.service);
        add(s.batch.per_replica, s.batch.effective, s.batch.active, s.cut);
    }
};

/// How hardware becomes better without becoming worse in any respect.
struct Improvement {
    const char* name;
    void (*make)(Scenario&, double factor);
};
void faster_arithmetic(Scenario& s, double factor) {
    for (auto& peak : s.cluster.device.peak)
        if (peak) peak->value *= factor;
    CpuMachine& m = s.cluster.machine;
    for (Seconds* t : {&m.multiply_add_l2, &m.multiply_add_l3, &m.multiply_add_memory, &m.activation, &m.error,
                       &m.update, &m.exponential})
        *t = *t / factor;
}
void faster_memory(Scenario& s, double factor) {
    s.cluster.device.memory_bandwidth.value *= factor;
    s.cluster.machine.memory_bandwidth.value *= factor;
}
void faster_device(Scenario& s, double factor) {
    faster_arithmetic(s, factor);
    faster_memory(s, factor);
}
void wider_inside(Scenario& s, double factor) { s.cluster.inside.bandwidth.value *= factor; }
void wider_between(Scenario& s, double factor) {
    s.cluster.between.bandwidth.value *= factor;
    s.cluster.machine.network.value *= factor;
}
void faster_servers(Scenario& s, double factor) {
    s.cluster.machine.server_network.value *= factor;
    s.cluster.machine.server_updates.value *= factor;
}
void less_latency(Scenario& s, double factor) {
    for (Seconds* t : {&s.cluster.inside.latency, &s.cluster.between.latency, &s.cluster.machine.latency})
        *t = *t / factor;
}
constexpr Improvement improvements[] = {
    {"faster arithmetic", faster_arithmetic},
    {"faster memory", faster_memory},
    {"a faster device", faster_device},
    {"a wider link inside nodes", wider_inside},
    {"a wider link between nodes", wider_between},
    {"faster parameter servers", faster_servers},
    {"less latency", less_latency},
};

Result<Summary> scored(const Scenario& s) {
    const auto plan = prepare(s);
    if (!plan) return tl::unexpected(plan.error());
    Scratch scratch = make_scratch(*plan);
    return score(*plan, plan->point, scratch);
}

struct Tally {
    unsigned scenarios = 0, estimated = 0, points = 0, improved = 0, searches = 0;
    unsigned slowest = 0;  ///< its number
    qint64 slowest_ms = 0;
    unsigned moved = 0;   ///< layers that were divided in another way, and took longer
    unsigned stages = 0;  ///< stages that began elsewhere, and took longer
    unsigned waits = 0;   ///< steps that wait for another stage, and took longer
    unsigned copies = 0;  ///< the same of steps whose copies and messages hide behind the same work
    double worst = 0;     ///< of `stages`: the step, as a share
};

/// How layers are divided over the tensor and the context axis is planned by their times and messages: not as it would
/// suit the whole step.
bool choice_may_move(const Scenario& s) {
    if (s.model.method != Method::pipeline || s.parallelism.segments) return false;
    const auto degrees = degrees_of(s);
    return degrees && degrees->tensor * degrees->context > 1 && policy_of(s.parallelism) != ShardingPolicy::columns;
}
/// With a spread, all wait for the slowest worker of the busiest stage, and a stage that computes more and sends less
/// may become the busiest.
bool waits_for_another_stage(const Scenario& s) { return s.model.spread.value > 0 && has_stages(s); }
/// Copies to the host and messages hide behind the same work, each as if the other were never waited for.
bool hides_twice(const Scenario& s) {
    const Parallelism& p = s.parallelism;
    return p.offload_activations != Recompute::nothing &&
           (p.overlap != Overlap::off || p.overlap_gathers || p.sharded == Sharded::weights);
}
/// Where stages may begin in more ways than are tried one by one, some are left out.
bool leaves_out_splits(const Scenario& s) {
    const auto degrees = degrees_of(s);
    if (!degrees || !has_stages(s)) return false;
    const std::int64_t chunks = has_chunks(s.parallelism.order) ? s.parallelism.chunks : 1;
    const std::int64_t stages = degrees->pipeline * chunks;
    return std::ssize(s.parallelism.boundaries) + 1 != stages &&
           Splits::count(s.network()->size(), static_cast<int>(stages), few_splits) == few_splits;
}

void check_improvements(const Scenario& s, const Summary& before, std::mt19937& random, Tally& tally) {
    for (const Improvement& better : improvements) {
        Scenario t = s;
        better.make(t, 1 + support::real(random, 0, 3));
        const auto after = scored(t);
        require(after && after->feasible(), better.name);
        ++tally.improved;
        const double longer = after->step.value / before.step.value - 1;
        if (longer <= 1e-9) continue;
        if (choice_may_move(s)) {
            ++tally.moved;
        } else if (waits_for_another_stage(s)) {
            ++tally.waits;
        } else if (hides_twice(s)) {
            ++tally.copies;
        } else if (leaves_out_splits(s)) {
            ++tally.stages, tally.worst = std::max(tally.worst, longer);
        } else
            throw std::runtime_error(std::string(better.name) + ": the step took " + std::to_string(before.step.value) +
                                     " s and takes " + std::to_string(after->step.value) + " s, " +
                                     std::to_string(longer) + " more");
    }
}

/// Any field, or one of those that are varied most.
const Field& any_field(std::mt19937& random) {
    static const std::vector<const Field*> own = [] {
        std::vector<const Field*> fields;
        for (const Field& f : all_fields())
            if (!f.derived) fields.push_back(&f);
        return fields;
    }();
    static const std::vector<std::string_view> usual{"cluster.workers", "training.batch", "parallelism.fill",
                                                     "parallelism.segments", "parallelism.collective"};
    return support::pick(random, 0, 1) == 0 ? *support::choose(random, own)
                                            : *find_field(support::choose(random, usual));
}

/// A few values of one field, estimated one after the other and each alone.
void check_sweep(Scenario s, std::mt19937& random, Tally& tally) {
    const Field& field = any_field(random);
    Sweep sweep;
    for (int i = 0; i < 4; ++i) {
        const auto value = support::any_value(random, field, s);
        if (!value || !set_field(s, field, *value, support::library().catalogue)) continue;
        ++tally.points;
        require(Bits(sweep.estimate(s)) == Bits(estimate(s)), "a sweep gives what each scenario gives alone");
    }
}

/// The best of a few values of two fields is the best of all their combinations, estimated one by one.
void check_search(const Scenario& s, std::mt19937& random, Tally& tally) {
    std::vector<search::Axis> axes;
    for (int i = 0; i < 2; ++i) {
        const Field& field = any_field(random);
        search::Axis axis{std::string(field.path), {}};
        for (int v = 0; v < 3; ++v) {
            const auto value = support::any_value(random, field, s);
            Scenario copy = s;
            const bool fits = value && set_field(copy, field, *value, support::library().catalogue);
            if (fits && std::find(axis.values.begin(), axis.values.end(), *value) == axis.values.end())
                axis.values.push_back(*value);
        }
        if (!axis.values.empty()) axes.push_back(std::move(axis));
    }
    const auto space =
        search::Space::make(s, std::move(axes), [](Scenario& t, const std::string& path, const std::string& v) {
            return set_field(t, path, v, support::library().catalogue);
        });
    if (!space) return;  // one field twice
    search::Question question;
    question.must_fit = false;
    const auto found = search::search(*space, question, 2);
    require(found.has_value(), "a search of two fields has an answer");
    double least = std::numeric_limits<double>::infinity();
    for (std::uint64_t i = 0; i < space->size(); ++i) {
        const auto t = space->scenario(i);
        const auto e = t ? estimate(*t) : fail(t.error().front());
        if (e) least = std::min(least, search::metric_value(search::Metric::time, *t, *e).value());
    }
    ++tally.searches;
    require(found->best.empty() == !std::isfinite(least), "a search finds something if there is anything");
    if (!found->best.empty())
        require(found->value(question, found->best.front(), 0) == least, "a search finds the best");
}

/// The rows of the layers add up to the step. Split by layers they are those of different devices.
void check_layers(const Scenario& s, const Estimate& e) {
    if (e.layers.empty() || has_stages(s)) return;
    double forward = 0, backward = 0, update = 0, communication = 0;
    std::vector<double> update_of(s.workload.size(), 0.0);
    for (const LayerEstimate& l : e.layers) {
        update_of[static_cast<std::size_t>(l.part)] += l.update.value;
        forward += l.forward.value;
        backward += l.backward().value;
        update += l.update.value;
        communication += l.communication.value;
    }
    const auto check_sum = [&](const char* what, double sum, Seconds whole) {
        if (std::abs(sum - whole.value) <= 1e-9 * (e.summary.step + e.summary.hidden).value) return;
        throw std::runtime_error(std::string(what) + " takes " + shortest_decimal(whole.value) +
                                 " s, its layers together " + shortest_decimal(sum) + " s");
    };
    check_sum("forward", forward, e.summary.forward);
    check_sum("backward", backward, e.summary.backward);
    // PALEO takes some clock ticks for the update of a network without weights: no layer's.
    const bool ticks_alone = is_paleo(s.model.method) && std::count(update_of.begin(), update_of.end(), 0.0) > 0;
    if (!ticks_alone) check_sum("the update", update, e.summary.update);
    check_sum("communication", communication, e.summary.communication);
}

void check(const Scenario& s, std::mt19937& random, Tally& tally) {
    ++tally.scenarios;
    fuzz::check_estimate(s);
    const auto first = estimate(s);
    require(Bits(first) == Bits(estimate(s)), "the same bits every time");
    check_sweep(s, random, tally);
    if (!first) return;
    ++tally.estimated;
    const auto again = scored(s);
    require(again && *again == first->summary, "score() is what estimate() says");
    check_layers(s, *first);
    if (support::pick(random, 0, 3) == 0) check_search(s, random, tally);
}

void check_hardware(const Scenario& s, std::mt19937& random, Tally& tally) {
    ++tally.scenarios;
    const auto before = scored(s);
    if (!before || !before->feasible()) return;
    ++tally.estimated;
    check_improvements(s, *before, random, tally);
}

/// Checks so many scenarios, or those that are asked for.
Tally check_all(unsigned usual, void (*check_one)(const Scenario&, std::mt19937&, Tally&)) {
    const unsigned first = support::amount("SCALESCOPE_SEED", 1), sweeps = support::amount("SCALESCOPE_SWEEPS", usual);
    const QString folder = qEnvironmentVariable("SCALESCOPE_FINDINGS");
    Tally tally;
    unsigned failed = 0;
    for (unsigned seed = first; seed < first + sweeps; ++seed) {
        std::mt19937 random(seed);
        const Scenario s = support::any_scenario(random);
        QElapsedTimer timer;
        timer.start();
        try {
            check_one(s, random, tally);
        } catch (const std::exception& wrong) {
            ++failed;
            qWarning("SCALESCOPE_SEED=%u: %s", seed, wrong.what());
            const std::string file = QStringLiteral("%1/sweep-%2.json").arg(folder).arg(seed).toStdString();
            if (!folder.isEmpty()) (void)write_file(file, formats::write_scenario(s, support::library()));
        }
        if (timer.elapsed() >= tally.slowest_ms) {
            tally.slowest_ms = timer.elapsed();
            tally.slowest = seed;
        }
    }
    qInfo("%u scenarios, of which %u make sense; the slowest is %u with %lld ms", tally.scenarios, tally.estimated,
          tally.slowest, static_cast<long long>(tally.slowest_ms));
    [&] {
        QCOMPARE(failed, 0u);
        QVERIFY2(sweeps < 50 || tally.estimated > sweeps / 3, "most random scenarios make sense");
    }();
    return tally;
}

}  // namespace

class RandomSweepsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        fuzz::refuse = [](const char* what) { throw std::runtime_error(what); };
    }

    void figures_are_finite_and_add_up() {
        const Tally tally = check_all(support::sanitized ? 20 : 200, check);
        qInfo("%u points of sweeps; %u searches", tally.points, tally.searches);
    }

    // Balanced by time alone, stages took longer with better hardware in 81 of so many scenarios.
    void better_hardware_never_slows_a_step() {
        const Tally tally = check_all(support::sanitized ? 200 : 21'650, check_hardware);
        qInfo(
            "%u improvements; %u times layers were divided in another way and took longer; %u times stages began "
            "elsewhere and took longer, at most %.3g %%",
            tally.improved, tally.moved, tally.stages, 100 * tally.worst);
        // A rate needs the large sample.
        QVERIFY2(support::sanitized || tally.waits <= 1 + tally.improved / 5'000,
                 "steps hardly ever wait longer for another stage");
        QVERIFY2(tally.copies <= 1 + tally.improved / 5'000, "copies and messages hardly ever take longer together");
        QVERIFY2(tally.stages <= 1 + tally.improved / 5'000, "stages that begin elsewhere hardly ever take longer");
    }
};

QTEST_APPLESS_MAIN(RandomSweepsTest)
#include "tst_random_sweeps.moc"
