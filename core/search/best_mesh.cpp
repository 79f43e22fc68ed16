// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/best_mesh.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "core/base/format.hpp"
#include "core/estimate/block_borders.hpp"
#include "core/estimate/memory.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::search {
namespace {

constexpr std::array choices{std::string_view("parallelism.tensor"),        std::string_view("parallelism.pipeline"),
                             std::string_view("parallelism.context"),       std::string_view("parallelism.expert"),
                             std::string_view("parallelism.sharded"),       std::string_view("parallelism.recompute"),
                             std::string_view("parallelism.order"),         std::string_view("parallelism.chunks"),
                             std::string_view("parallelism.micro_batches"), std::string_view("training.accumulation")};

using Integers = std::vector<std::int64_t>;

/// 1, 2, 4 … and `most` itself.
Integers doubling(std::int64_t most) {
    Integers all;
    for (std::int64_t n = 1; n <= most; n *= 2) all.push_back(n);
    return all;
}
/// Up to `most`; of those that are close to each other one.
Integers divisors(std::int64_t of, std::int64_t most) {
    constexpr double apart = 1.2;
    Integers all;
    for (std::int64_t n = 1; n <= std::min(of, most); ++n)
        if (of % n == 0 && (all.empty() || static_cast<double>(n) >= apart * static_cast<double>(all.back())))
            all.push_back(n);
    return all;
}

/// What a network lets be divided.
struct Divisible {
    std::int64_t stages = 1, positions = 1, experts = 0, heads = 1;
};
Divisible divisible(const Network& network) {
    constexpr std::int64_t most_of_layers = 16;  // without blocks
    Divisible d;
    for (const int place : places_of_blocks(network)) d.stages = std::max(d.stages, std::int64_t{place} + 1);
    if (d.stages == 1) d.stages = std::min<std::int64_t>(most_of_layers, network.size());
    for (const LayerFacts& f : network.facts()) {
        d.positions = std::max(d.positions, f.along(ShardAlong::queries));
        d.experts = std::max(d.experts, f.experts.count);
    }
    return d;
}

/// The axes of a search: for each field that is not locked its values.
class Axes {
public:
    explicit Axes(const Locks& locks) : locks_(locks) {}
    void add_words(std::string_view path, std::vector<std::string> values) {
        if (!locks_.contains(path)) axes_.push_back({std::string(path), std::move(values)});
    }
    void add(std::string_view path, const Integers& values) {
        std::vector<std::string> texts;
        for (const std::int64_t v : values) texts.push_back(std::to_string(v));
        add_words(path, std::move(texts));
    }
    std::vector<Axis> take() { return std::move(axes_); }

private:
    const Locks& locks_;
    std::vector<Axis> axes_;
};

Result<void> set_value(Scenario& scenario, const std::string& path, const std::string& value) {
    static const Catalogue none;  // no field of a mesh names hardware
    return set_field(scenario, path, value, none);
}

/// Combinations to begin with: each tensor, pipeline and context degree and both schedules, with what usually goes with
/// them: one sequence at a time, the most chunks, three expert degrees, optimizer states divided and nothing
/// recomputed; or `saving`: weights divided and blocks recomputed.
std::vector<std::vector<std::size_t>> seeds(const Space& space, std::int64_t batch, bool saving) {
    const Parallelism& base = space.base().parallelism;
    const auto axes = space.axes();
    const auto axis_of = [&](std::string_view path) {
        return static_cast<std::size_t>(
            std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.path == path; }) - axes.begin());
    };
    const auto size = [&](std::size_t axis) { return axis < axes.size() ? axes[axis].values.size() : 1; };
    const auto value = [&](std::size_t axis, std::size_t v, std::int64_t locked) {
        return axis < axes.size() ? std::stoll(axes[axis].values[v]) : locked;
    };
    const std::size_t tensor = axis_of("parallelism.tensor"), pipeline = axis_of("parallelism.pipeline"),
                      context = axis_of("parallelism.context"), order = axis_of("parallelism.order"),
                      chunks = axis_of("parallelism.chunks"), pieces = axis_of("parallelism.micro_batches"),
                      steps = axis_of("training.accumulation");
    const std::size_t expert = axis_of("parallelism.expert");
    struct Spread {
        std::size_t axis, step = 1;
    };
    const std::array spreads{Spread{tensor}, Spread{pipeline}, Spread{context}, Spread{order},
                             Spread{expert, std::max<std::size_t>(1, (size(expert) - 1) / 2)}};
    std::vector<std::size_t> digits(axes.size() + 1, 0);  // the last is of all axes that are locked
    const auto start_at = [&](std::string_view path, std::size_t digit) {
        if (const auto axis = axis_of(path); axis < axes.size()) digits[axis] = std::min(digit, size(axis) - 1);
    };
    start_at("parallelism.sharded", saving ? 2 : 1);
    start_at("parallelism.recompute", saving ? 2 : 0);
    std::vector<std::vector<std::size_t>> all;
    for (bool more = true; more;) {
        auto& seed = all.emplace_back(digits);
        const std::int64_t stages = value(pipeline, digits[pipeline], base.pipeline),
                           divided = stages * value(tensor, digits[tensor], base.tensor) *
                                     value(context, digits[context], base.context),
                           samples = std::max<std::int64_t>(1, batch * divided / space.base().cluster.workers);
        if (const std::size_t axis = stages > 1 ? pieces : steps; axis < axes.size())
            while (seed[axis] + 1 < size(axis) && value(axis, seed[axis] + 1, 1) <= samples) ++seed[axis];
        if (chunks < axes.size() && digits[order] + 1 == size(order)) seed[chunks] = size(chunks) - 1;
        seed.pop_back();
        more = false;
        for (const Spread& s : spreads) {
            if (s.axis < axes.size() && (digits[s.axis] += s.step) < size(s.axis)) {
                more = true;
                break;
            }
            digits[s.axis] = 0;
        }
    }
    return all;
}

/// What is varied around `base`, in which all that is searched stands as in a new scenario.
std::vector<Axis> axes_of(const Scenario& base, const Divisible& d, std::int64_t batch, const Locks& locks,
                          std::span<const std::int64_t> counts, Fineness fineness) {
    constexpr std::int64_t positions_each = 4096, most_chunks = 5, usual_node = 8, most_pieces = 4096;
    const bool fine = fineness == Fineness::fine;
    const std::int64_t node = base.cluster.devices_per_node > 1 ? base.cluster.devices_per_node : usual_node;
    const auto of_counts = [&](std::int64_t common, std::int64_t most) {  // degrees that divide one of the counts
        std::set<std::int64_t> all;
        for (const std::int64_t n : counts)
            for (const std::int64_t degree : divisors(common == 0 ? n : std::gcd(common, n), most)) all.insert(degree);
        return Integers(all.begin(), all.end());
    };
    const Integers pieces = doubling(std::min(batch, most_pieces));
    Axes axes(locks);  // what changes most of a price turns slowest
    axes.add("training.accumulation", pieces);
    axes.add("parallelism.tensor", of_counts(0, node));
    axes.add("parallelism.context", of_counts(0, std::max<std::int64_t>(1, d.positions / positions_each)));
    if (d.experts > 0) axes.add("parallelism.expert", of_counts(d.experts, d.experts));
    axes.add("parallelism.pipeline", of_counts(0, d.stages));
    axes.add("parallelism.micro_batches", pieces);
    using Words = std::vector<std::string>;
    axes.add_words("parallelism.recompute",
                   fine ? Words{"nothing", "attention", "blocks"} : Words{"nothing", "blocks"});
    axes.add_words("parallelism.sharded",
                   fine ? Words{"nothing", "optimizer", "weights"} : Words{"optimizer", "weights"});
    axes.add_words("parallelism.order", {"1f1b", "interleaved"});
    Integers chunks = divisors(d.stages, most_chunks);
    if (chunks.size() > 1) chunks.erase(chunks.begin(), fine ? chunks.begin() + 1 : chunks.end() - 1);  // 1 is 1F1B
    axes.add("parallelism.chunks", chunks);
    return axes.take();
}

std::int64_t batch_of(const Scenario& s) {
    return s.training.batch * (s.training.batch_rule == BatchRule::total ? 1 : s.cluster.workers);
}

/// The scenario with nothing in the way of a mesh: the data axis takes what the others leave, and stages begin where
/// they are best.
Scenario ready_for_a_mesh(Scenario s, bool positions, const Locks& locks) {
    Parallelism& p = s.parallelism;
    p.fill = MeshAxis::data;
    p.segments = false;
    p.updates = Updates::synchronous;
    if (p.policy == ShardingPolicy::columns) p.policy = ShardingPolicy::trainer;
    if (!locks.contains("parallelism.pipeline")) p.boundaries.clear();
    p.sequence = p.sequence || positions;
    return s;
}

/// From what is usual; where none of that fits, from what saves memory, at last from what needs least of it.
Result<SearchResult> search_quickly(const Space& space, const Question& question, std::int64_t batch,
                                    const Watch& watch) {
    constexpr std::size_t climbs = 2;
    Counts counts;
    const auto from = [&](const Question& q, const std::vector<std::vector<std::size_t>>& begin) {
        auto found = search_from(space, q, begin, climbs, watch);
        if (found) found->counts = counts += found->counts;
        return found;
    };
    const auto settled = [](const Result<SearchResult>& found) { return !found || !found->best.empty(); };
    if (auto found = from(question, seeds(space, batch, false)); settled(found)) return found;
    const auto saving = seeds(space, batch, true);
    if (auto found = from(question, saving); settled(found)) return found;
    Question least = question;
    least.objectives = {Metric::memory};
    least.must_fit = false;
    auto smallest = from(least, saving);
    if (!smallest || smallest->best.empty()) return smallest;
    return from(question, {space.digits(smallest->best.front().index)});
}

}  // namespace

std::span<const std::string_view> mesh_choices() { return choices; }

bool has_mesh(const Scenario& scenario) {
    return scenario.model.method == Method::pipeline && scenario.workload.size() == 1;
}

std::vector<Axis> mesh_axes(const Scenario& scenario, std::span<const std::int64_t> counts, Fineness fineness) {
    const Divisible d = divisible(*scenario.network());
    const Scenario base = ready_for_a_mesh(scenario, d.positions > 1, {});
    std::vector<Axis> axes = axes_of(base, d, batch_of(base), {}, counts, fineness);
    for (const Field& field : all_fields())
        if (const std::string text = field_text(field, base); text != field_text(field, scenario))
            axes.push_back({std::string(field.path), {text}});
    return axes;
}

Result<BestMesh> best_mesh(const Scenario& scenario, const Locks& locks, Effort effort, const Watch& watch) {
    if (!has_mesh(scenario))
        return fail(make_error("The best mesh is found for one network, with the method Scalescope.",
                               "choose that method", {}, "model.method"));
    const Divisible d = divisible(*scenario.network());
    const Scenario base = ready_for_a_mesh(scenario, d.positions > 1, locks);
    const std::int64_t workers = base.cluster.workers, batch = batch_of(base);
    auto space = Space::make(base, axes_of(base, d, batch, locks, {&workers, 1}, Fineness::fine), set_value);
    if (!space) return fail(space.error());
    Question question;
    question.top = 1;
    if (const auto degrees = degrees_of(scenario); degrees && locks.contains(data_degree))
        question.admits = [data = degrees->data](const Point& point) {
            const auto now = point.degrees();
            return now && now->data == data;
        };
    auto found = effort == Effort::whole ? search::search(*space, question, 1, watch)
                                         : search_quickly(*space, question, batch, watch);
    if (!found) return fail(found.error());
    if (found->best.empty())
        return fail(make_error("No mesh of " + format_count(workers) + " devices holds this network.",
                               "use more devices, devices with more memory, or a smaller batch", {},
                               "cluster.workers"));
    auto best = space->scenario(found->best.front().index);
    if (!best) return fail(best.error());
    if (best->parallelism.tensor == 1) best->parallelism.sequence = scenario.parallelism.sequence;
    const auto e = estimate(*best, Remedies::left_out);
    if (!e) return fail(e.error());
    return BestMesh{std::move(*best), e->summary, e->memory.peak, found->counts};
}

}  // namespace scalescope::search
