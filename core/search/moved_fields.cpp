// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/moved_fields.hpp"

#include "core/estimate/explain_page.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/names.hpp"

namespace scalescope::search {
namespace {

constexpr std::string_view fields_inside = "cluster.inside.", fields_between = "cluster.between.";

bool updates_alone(const Scenario& s) { return s.parallelism.updates == Updates::asynchronous; }

std::string why_no_link(std::string_view path, const Scenario& s) {
    const Cluster& cluster = s.cluster;
    const bool is_inside = path.starts_with(fields_inside) || path == "model.inside";
    const bool is_between = path.starts_with(fields_between) || path == "model.between";
    if (updates_alone(s)) return is_inside ? "Parameter servers are reached over the link between nodes." : "";
    if ((is_inside || is_between) && cluster.workers == 1) return "One worker sends nothing.";
    if (is_inside && cluster.devices_per_node == 1)
        return "Every node holds one device: nothing travels inside a node.";
    if (is_between && cluster.workers <= cluster.devices_per_node)
        return "All workers stand in one node: nothing travels between nodes.";
    return {};
}

}  // namespace

std::vector<MovedField> moved_fields(const Scenario& s) {
    std::vector<MovedField> all;
    const auto add = [&](const std::string& path, std::string noun, std::string same_as = {}) {
        if (const Field* field = find_field(path))
            all.push_back({field, std::move(noun), "more", "less", std::move(same_as)});
    };
    const auto compared = [&](const char* more, const char* less) {
        all.back().more = more;
        all.back().less = less;
    };
    if (is_cpu_cluster(s)) {
        add("cluster.machine.network_gb_s", "network bandwidth of a machine");
        add("cluster.machine.server_network_gb_s", "network bandwidth of a server");
        add("cluster.machine.server_updates_m_s", "updates of a server");
        add("cluster.machine.memory_bandwidth_gb_s", "memory bandwidth of a machine");
        add("cluster.machine.multiply_add_l2_ns", "time of a multiply-add in the second-level cache");
        add("cluster.machine.multiply_add_l3_ns", "time of a multiply-add in the last-level cache");
        add("cluster.machine.multiply_add_memory_ns", "time of a multiply-add in memory");
        add("cluster.machine.contention", "contention of threads");
        add("cluster.machine.latency_us", "latency between machines");
        add("cluster.machine.activation_ns", "time of an activation");
        add("cluster.machine.error_ns", "time of an error term");
        add("cluster.machine.update_ns", "time of a local update");
        add("training.batch",
            s.training.batch_rule == BatchRule::per_worker ? "samples for each replica" : "samples in all");
        add("cluster.workers", "machines");
        add("parallelism.servers", "parameter servers");
        add("cpu.threads", "threads");
        add("model.overhead_ms", "overhead of a step");
        add("model.spread", "spread of the machines' speeds");
        add("training.input_limit", "from the input pipeline");
        add("training.data_set", "samples in the data set");
        add("cluster.machine.price_usd_per_hour", "price of a machine");
        compared("higher", "lower");
        return all;
    }
    const std::string peak = explaining::peak_field(s);
    add(peak, "peak arithmetic in " + peak.substr(peak.rfind('.') + 1));
    add("cluster.device.memory_bandwidth_gb_s", "memory bandwidth");
    add("cluster.between.bandwidth_gb_s", "bandwidth between nodes");
    add("cluster.between.latency_us", "latency between nodes");
    add("cluster.inside.bandwidth_gb_s", "bandwidth inside a node");
    add("cluster.inside.latency_us", "latency inside a node");
    add("training.batch",
        s.training.batch_rule == BatchRule::per_worker ? "samples for each worker" : "samples in all");
    add("cluster.workers", "workers");
    if (updates_alone(s)) add("parallelism.servers", "parameter servers");
    add("training.accumulation", "accumulated micro-steps");
    add("parallelism.micro_batches", "micro-batches");
    add("parallelism.bucket_mb", "buckets of gradients");
    compared("larger", "smaller");
    add("model.launch_us", "start-up time of operations");
    add("model.overhead_ms", "overhead of a step");
    add("model.spread", "spread of the workers' speeds");
    add("model.interference", "interference of messages");
    add("training.input_limit", "from the input pipeline");
    add("training.data_set", "samples in the data set");
    add("cluster.device.price_usd_per_hour", "price of a device");
    compared("higher", "lower");
    add("cluster.device.base_mhz", "clock of the device");
    compared("higher", "lower");
    add("model.compute", "of the share of peak arithmetic", peak);
    add("model.memory", "of the share of memory bandwidth", "cluster.device.memory_bandwidth_gb_s");
    add("model.between", "of the share of bandwidth between nodes", "cluster.between.bandwidth_gb_s");
    add("model.inside", "of the share of bandwidth inside a node", "cluster.inside.bandwidth_gb_s");
    return all;
}

std::string why_not_moved(const MovedField& moved, const Scenario& s) {
    const std::string_view path = moved.field->path;
    if (!moved.same_as.empty() && s.model.method == Method::pipeline)
        return "It is a factor of the same rate as " + std::string(find_field(moved.same_as)->label) +
               ", and does the same.";
    const auto value = field_number(*moved.field, s);
    if (!value) return worker_name(s) + " has no figure for it.";
    if (path == "model.compute" && *value == 0) return "It is what was measured on the device.";
    if (path == "cpu.threads" && *value == 0) return "Every core has a thread.";
    if (path == "training.input_limit" && *value == 0) return "No limit is set.";
    if (path == "training.accumulation" && *value == 1) return "No gradients are accumulated.";
    if (*value == 0) return "It is 0, and a part of nothing is nothing.";
    return {};
}

std::string why_no_effect(const MovedField& moved, const Scenario& s) {
    const std::string_view path = moved.field->path;
    if (path == "parallelism.bucket_mb" && s.parallelism.overlap != Overlap::buckets)
        return "Gradients do not travel in buckets.";
    if (path == "parallelism.micro_batches" && !has_stages(s)) return "Only a split by layers has micro-batches.";
    if (path == "cluster.machine.server_network_gb_s" && s.cpu.servers_beside)
        return "Servers stand on the machines that train.";
    if (path.starts_with("cluster.machine.multiply_add")) return "No layer's weights lie there.";
    if (is_cpu_cluster(s) && path != "model.spread") return {};
    if (path == "model.spread" && updates_alone(s)) return "Updates are asynchronous: nobody waits for the slowest.";
    return why_no_link(path, s);
}

}  // namespace scalescope::search
