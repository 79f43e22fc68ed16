// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/format.hpp"
#include "core/scenario/scenario.hpp"

/// What a worker is and what goes with it, whichever method prices the step: a device, or a machine of a CPU cluster.
namespace scalescope {

constexpr bool is_cpu_cluster(const Scenario& s) { return s.model.method == Method::cpu_cluster; }

/// What texts, tables and files call those that train: one, many, and many where others, as parameter servers, are
/// near.
struct WorkerWords {
    std::string_view one = "worker", many = "workers", training = "workers";
    bool operator==(const WorkerWords&) const = default;
    /// "1 worker", "32 machines"
    std::string count(std::int64_t n) const { return format_count(n) + ' ' + std::string(n == 1 ? one : many); }
};
constexpr WorkerWords worker_words(const Scenario& s) {
    return is_cpu_cluster(s) ? WorkerWords{"machine", "machines", "machines that train"} : WorkerWords{};
}

inline const std::string& worker_name(const Scenario& s) {
    return is_cpu_cluster(s) ? s.cluster.machine.name : s.cluster.device.name;
}
inline std::optional<Bytes> worker_memory(const Scenario& s) {
    return is_cpu_cluster(s) ? std::optional(s.cluster.machine.memory) : s.cluster.device.memory;
}
/// US dollars an hour.
inline std::optional<double> worker_price(const Scenario& s) {
    return is_cpu_cluster(s) ? s.cluster.machine.price_per_hour : s.cluster.device.price_per_hour;
}
/// Where that price is from, with its date. Machines of the catalogue have none: theirs was set.
inline std::string price_basis(const Scenario& s) {
    if (is_cpu_cluster(s)) return "set by hand";
    const std::string& basis = s.cluster.device.price_basis;
    return basis.empty() ? "no source was read" : basis;
}
inline std::optional<double> worker_watts(const Scenario& s) {
    return is_cpu_cluster(s) ? s.cluster.machine.power_w : s.cluster.device.tdp_w;
}
/// Machines or devices like the workers that are parameter servers and nothing else: paid for, and counted, like them.
inline std::int64_t own_servers(const Scenario& s, Updates updates, std::int64_t workers, std::int64_t servers) {
    if (is_cpu_cluster(s)) return !s.cpu.servers_beside && workers > 1 ? servers : 0;
    return updates == Updates::asynchronous ? servers : 0;
}
/// Devices or machines of a scenario, parameter servers on machines of their own included.
inline std::int64_t all_machines(const Scenario& s) {
    return s.cluster.workers + own_servers(s, s.parallelism.updates, s.cluster.workers, s.parallelism.servers);
}

/// "NVIDIA H100 SXM at 6.88 USD an hour (AWS …, November 2026)"; nothing where no price is known.
inline std::optional<std::string> price_note(const Scenario& s) {
    const auto price = worker_price(s);
    if (!price) return std::nullopt;
    return worker_name(s) + " at " + format_fixed(*price, 2) + " USD an hour (" + price_basis(s) + ")";
}

/// The prices behind the costs of several scenarios, told once for each device: a cost without its price, source and
/// date is nothing to rely on.
class PriceNotes {
public:
    void add(const Scenario& s) {
        auto note = price_note(s);
        if (note && std::find(texts_.begin(), texts_.end(), *note) == texts_.end()) texts_.push_back(std::move(*note));
    }
    const std::vector<std::string>& texts() const { return texts_; }

private:
    std::vector<std::string> texts_;
};

}  // namespace scalescope
