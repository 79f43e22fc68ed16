// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space.hpp"

#include <algorithm>
#include <array>

#include "core/base/limits.hpp"
#include "core/estimate/point.hpp"
#include "core/scenario/calibrated.hpp"

namespace scalescope::search {
namespace {

/// Whatever is not named here or begins with "cluster." is work: that is never wrong, only slower.
constexpr std::array<std::string_view, 31> price_paths{"cluster",
                                                       "calibration",
                                                       "training.batch_rule",
                                                       "training.accumulation",
                                                       "training.data_set",
                                                       "training.input_limit",
                                                       "parallelism.overlap",
                                                       "parallelism.overlap_gathers",
                                                       "parallelism.bucket_mb",
                                                       "parallelism.scatter_gather",
                                                       "parallelism.copies",
                                                       "parallelism.boundaries",
                                                       "parallelism.context_scheme",
                                                       "parallelism.dispatch",
                                                       "parallelism.axis_order",
                                                       "parallelism.sequence",
                                                       "model.compute",
                                                       "model.memory",
                                                       "model.inside",
                                                       "model.between",
                                                       "model.overlap_memory",
                                                       "model.launch_us",
                                                       "model.spread",
                                                       "model.interference",
                                                       "model.tensor_overlap",
                                                       "model.expert_overlap",
                                                       "model.gather_cards",
                                                       "model.overhead_ms",
                                                       "reliability.device_mtbf_h",
                                                       "reliability.restart_s",
                                                       "reliability.checkpoint_gb_s"};
constexpr std::array<std::string_view, 2> convolution_paths{"model.convolution", "model.workspace_mib"};

template <std::size_t n>
bool is_among(const std::array<std::string_view, n>& all, std::string_view path) {
    return std::find(all.begin(), all.end(), path) != all.end();
}

/// What is set first, within a level.
int rank_of(std::string_view path) {
    if (path == "network") return 0;
    if (path == "cluster") return 1;
    if (path == "cluster.device" || path == "cluster.inside" || path == "cluster.between") return 2;
    if (path == "calibration" || path == "way" || path == "trainer" || path == "adapters") return 3;
    // Of a point what much is reckoned for, and kept for the next one, turns slowest.
    if (path == "cluster.workers" || path == "cluster.nodes" || path == "cpu.replicas") return 5;
    if (path == "training.batch") return 6;
    if (path == "parallelism.tensor" || path == "parallelism.context" || path == "parallelism.policy" ||
        path.starts_with("parallelism.expert"))
        return 7;
    if (path == "parallelism.sharded" || path == "parallelism.shard_group") return 9;
    if (path == "parallelism.collective") return 10;
    return path.starts_with("parallelism.") ? 8 : 4;
}

Problem space_problem(const std::string& path, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {}, path);
}

bool has(std::span<const Axis> axes, std::string_view path) {
    return std::any_of(axes.begin(), axes.end(), [&](const Axis& a) { return a.path == path; });
}

}  // namespace

Level level_of(std::string_view path) {
    if (find_point_field(path) || path == "cluster.nodes" || path == "cpu.replicas") return Level::point;
    const bool prices =
        is_among(price_paths, path) || is_among(convolution_paths, path) || path.starts_with("cluster.");
    return prices ? Level::prices : Level::work;
}

Problems clashes(std::span<const std::string> paths) {
    Problems wrong;
    for (std::size_t i = 0; i < paths.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (paths[k] == paths[i])
                wrong.push_back(
                    space_problem(paths[i], paths[i] + " is varied twice.", "write all its values in one place"));
    const auto among = [&](const char* path) { return std::find(paths.begin(), paths.end(), path) != paths.end(); };
    const auto same_thing = [&](const char* a, const char* b, const char* what) {
        if (among(a) && among(b)) wrong.push_back(space_problem(a, what, "vary one of them"));
    };
    same_thing("cluster.nodes", "cluster.workers", "Nodes and workers say the same thing.");
    same_thing("cpu.replicas", "cluster.workers", "Replicas and workers say the same thing.");
    same_thing("cpu.replicas", "cluster.nodes", "Replicas and nodes say the same thing.");
    return wrong;
}

Result<Space> Space::make(Scenario base, std::vector<Axis> axes, SetByName set) {
    Space space;
    space.base_ = std::move(base);
    space.axes_ = std::move(axes);
    space.set_ = std::move(set);
    const auto& all = space.axes_;
    Problems wrong;
    std::vector<std::string> paths;
    for (const Axis& axis : all) {
        paths.push_back(axis.path);
        if (axis.values.empty())
            wrong.push_back(space_problem(axis.path, "No values are given for " + axis.path + ".",
                                          "write them, separated by commas"));
    }
    for (Problem& clash : clashes(paths)) wrong.push_back(std::move(clash));
    if (!wrong.empty()) return fail(std::move(wrong));

    for (const Axis& axis : all) {
        const std::uint64_t count = axis.values.size();
        if (count > most_combinations / space.size_)
            return fail(space_problem(axis.path, "These are more than 10^15 combinations.",
                                      "vary fewer fields, or give ranges that double: 1..1024*2"));
        space.size_ *= count;
    }
    space.strides_.assign(all.size(), 1);
    for (std::size_t i = all.size(); i-- > 1;) space.strides_[i - 1] = space.strides_[i] * all[i].values.size();

    const Scenario& b = space.base_;
    const bool prices_are_work = b.model.method != Method::pipeline || has(all, "model.method");
    // A cut or stages by hand are looked up in the network only where the mesh asks for them.
    const bool by_hand = (!b.parallelism.cut_auto && !has(all, "parallelism.cut")) ||
                         !b.parallelism.boundaries.empty() || has(all, "parallelism.boundaries");
    for (const Axis& axis : all) {
        Level level = level_of(axis.path);
        if (by_hand && (axis.path == "parallelism.fill" || axis.path == "parallelism.segments")) level = Level::prices;
        if (level == Level::prices && prices_are_work) level = Level::work;
        space.levels_.push_back(level);
        space.order_.push_back(space.order_.size());
    }
    std::stable_sort(space.order_.begin(), space.order_.end(), [&](std::size_t i, std::size_t k) {
        const auto key = [&](std::size_t a) { return std::pair(space.levels_[a], rank_of(all[a].path)); };
        return key(i) < key(k);
    });

    // A layer belongs to one network: with several it is looked for when its turn comes.
    const bool many_networks = has(all, "network");
    for (std::size_t i = 0; i < all.size(); ++i) {
        Scenario copy = b;
        const Field* field = find_field(all[i].path);
        if (many_networks && field && (field->type == FieldType::layer || field->type == FieldType::layers)) continue;
        for (std::size_t v = 0; v < all[i].values.size(); ++v) {
            const auto done = space.set_(copy, all[i].path, all[i].values[v]);
            if (!done) wrong.insert(wrong.end(), done.error().begin(), done.error().end());
            if (wrong.size() >= limits::problems) return fail(std::move(wrong));
            if (all[i].path == "calibration") space.calibrations_.push_back(copy.model.calibration);
            if (all[i].path == "network") space.networks_.push_back(done ? copy.workload.front().network : nullptr);
        }
    }
    if (!wrong.empty()) return fail(std::move(wrong));
    return space;
}

Result<void> Space::set(Scenario& scenario, std::size_t axis, std::size_t value) const {
    const Axis& a = axes_[axis];
    if (a.path == "network")
        scenario = with_network(std::move(scenario), networks_[value]);
    else if (a.path == "calibration")
        scenario = with_calibration(std::move(scenario), calibrations_[value]);
    else
        return set_(scenario, a.path, a.values[value]);
    return {};
}

std::vector<std::size_t> Space::digits(std::uint64_t index) const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < axes_.size(); ++i)
        result.push_back(static_cast<std::size_t>(index / strides_[i] % axes_[i].values.size()));
    return result;
}

std::uint64_t Space::index_of(std::span<const std::size_t> digits) const {
    std::uint64_t index = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) index += digits[i] * strides_[i];
    return index;
}

Result<Scenario> Space::scenario(std::uint64_t index) const {
    Scenario scenario = base_;
    const auto at = digits(index);
    for (const std::size_t axis : order_)
        if (auto done = set(scenario, axis, at[axis]); !done) return fail(done.error());
    return scenario;
}

}  // namespace scalescope::search
