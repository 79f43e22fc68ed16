// SPDX-License-Identifier: GPL-3.0-or-later
// What a row says of the division, the links and the states, as fields of a scenario.
#include <algorithm>

#include "core/formats/json_decoder.hpp"
#include "core/formats/named_settings.hpp"
#include "core/measure/validate/resolve.hpp"
#include "core/words/choices.hpp"
#include "core/words/link_words.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope::measure {

namespace {

bool unread(const std::vector<std::string>& unverified, std::string_view field) {
    return std::any_of(unverified.begin(), unverified.end(),
                       [&](const std::string& name) { return name.starts_with(field); });
}

}  // namespace

/// Sets the degrees of the mesh and the micro-steps of a replica, which are micro-batches if there are stages.
std::string RowResolver::set_mesh(const PublishedRow& row, Scenario& s, ResolvedRow& resolved) const {
    Parallelism& p = s.parallelism;
    p.context = std::max<std::int64_t>(1, row.context);
    if (const std::int64_t copies = row.copies(); copies == 0 || copies * row.replica_size() != row.workers)
        return "The degrees of tensor, pipeline, context and data parallelism of this row do not come to its " +
               std::to_string(row.workers) + " workers; correct the degrees or the number of workers.";
    p.tensor = std::max<std::int64_t>(1, row.tensor);
    p.pipeline = std::max<std::int64_t>(1, row.pipeline);
    s.training.batch = row.batch_per_worker * row.accumulation;
    s.training.accumulation = row.accumulation;
    p.expert = std::max<std::int64_t>(1, row.expert);
    p.expert_tensor = std::max<std::int64_t>(1, row.expert_tensor);
    if (row.replica_size() > 1) {
        s.training.batch_rule = BatchRule::total;
        s.training.batch *= row.copies();
    }
    if (p.pipeline > 1) {
        p.micro_batches = row.accumulation;
        s.training.accumulation = 1;
        const bool in_groups = row.accumulation % p.pipeline == 0;
        p.order = row.interleave > 1 && in_groups ? PipelineOrder::interleaved : PipelineOrder::one_f_one_b;
        if (row.interleave > 1 && in_groups) p.chunks = row.interleave;
        if (row.interleave > 1 && !in_groups)
            add_once(resolved.assumed,
                     "The 1F1B schedule without interleaving is assumed, as the micro-batches are no "
                     "multiple of the stages.");
    }
    const auto recompute = read_recompute(row.recompute);
    if (!recompute)
        return "Scalescope cannot predict the recomputation " + formats::quoted(row.recompute) +
               "; write none, selective, full or the names of modules.";
    p.recompute = *recompute;
    return {};
}

std::string RowResolver::set_profiles(const PublishedRow& row, Scenario& s, ResolvedRow& resolved) const {
    const bool decoder = is_decoder(*s.workload.front().network),
               measured = measured_share(s.cluster.device).has_value();
    for (const Profile& profile : profiles_) {
        if ((profile.of_decoders && !decoder) || (profile.of_measured && !measured)) continue;
        if (profile.set.empty() || !meets(row, profile.when, &s.cluster)) continue;
        for (const auto& [path, text] : profile.set)
            if (const auto set = formats::set_by_name(s, path, text, library_); !set)
                return "The profile for " + path + " does not fit: " + first_line(set.error());
        for (const auto& source : profile.sources) add_once(resolved.sources, source);
    }
    const bool nodes = s.cluster.workers > s.cluster.devices_per_node;
    const Device& device = s.cluster.device;
    resolved.recalled =
        unread(device.unverified, "peak_tflops." + std::string(name_of(traits_of(s.training.precision).products))) ||
        unread(device.unverified, "memory_bandwidth") ||
        (row.workers > 1 && unread(s.cluster.inside.unverified, "bandwidth")) ||
        (nodes && unread(s.cluster.between.unverified, "bandwidth"));
    return {};
}

/// Sets the links that the named system or the table names, otherwise the usual ones. Returns what is assumed, which
/// profiles may still replace.
std::vector<RowResolver::AssumedLink> RowResolver::set_links(const PublishedRow& row, const ClusterPreset* system,
                                                             Scenario& s, ResolvedRow& resolved) const {
    Cluster& cluster = s.cluster;
    const Catalogue& catalogue = library_.catalogue;
    std::vector<AssumedLink> assumed;
    const bool nodes = cluster.workers > cluster.devices_per_node;
    const LinkReading read = read_links(catalogue, row.interconnect, &cluster.device);
    const UsualLinks usual = usual_links(catalogue, cluster.device);
    const auto take = [&](bool between, const Link* written, const Link* otherwise, bool matters, const char* where) {
        const Link* taken = written ? written : otherwise ? otherwise : &catalogue.links.front();
        (between ? cluster.between : cluster.inside) = *taken;
        if (written || !matters) return;
        const bool unknown = !row.interconnect.empty() && !read.inside && !read.between;
        assumed.push_back(
            {taken, between,
             assumed_sentence((unknown ? formats::quoted(row.interconnect) + " names no link that is known, so " : "") +
                              taken->name + where)});
    };
    const Link* own = system && !system->inside.empty() ? catalogue.link(system->inside) : nullptr;
    take(false, own ? own : read.inside, usual.inside, cluster.workers > 1 && cluster.devices_per_node > 1,
         " inside a node");
    const Link* network = system && !system->between.empty() ? catalogue.link(system->between) : nullptr;
    take(true, read.between ? read.between : network, usual.between, nodes, " between nodes");
    const std::int64_t each = read.card_per_device || !read.between ? cluster.devices_per_node : 1;
    const std::int64_t built_in = system ? system->nics_per_node : usual.cards;
    cluster.nics_per_node = read.cards.value_or(std::min(each, read.between && !system ? each : built_in));
    for (const std::string& sentence : read.assumed) add_once(resolved.assumed, sentence);
    return assumed;
}

/// Sets sharding and sequence parallelism from the table, and the precision if the table does not give one.
void RowResolver::set_states(const PublishedRow& row, Scenario& s, ResolvedRow& resolved) const {
    Parallelism& p = s.parallelism;
    const std::string sharding = shipped_vocabulary().read("sharding", row.sharding).means;
    if (sharding == "optimizer") p.sharded = Sharded::optimizer;
    if (sharding == "gradients") p.sharded = Sharded::gradients;
    if (sharding == "weights" || sharding == "node") p.sharded = Sharded::weights;
    if (sharding == "weights" || sharding == "node") p.overlap = Overlap::buckets;
    if (row.sharding.empty() && s.cluster.device.year >= 2022 && row.copies() > 1 && row.tensor * row.pipeline > 0 &&
        is_transformer(*s.workload.front().network)) {
        p.sharded = Sharded::optimizer;
        add_once(resolved.assumed, assumed_sentence("A distributed optimizer (ZeRO-1)"));
    }
    const std::int64_t replicas = row.copies();
    const std::int64_t group = sharding == "node" ? s.cluster.devices_per_node : row.shard_group;
    if (p.sharded != Sharded::nothing && group > 1 && group < replicas && replicas % group == 0) p.shard_group = group;
    if (!row.sequence_parallel.empty()) {
        p.sequence = read_recompute(row.sequence_parallel) != Recompute::nothing;
    } else if (p.tensor > 1 && s.cluster.device.year >= 2022 && is_transformer(*s.workload.front().network)) {
        p.sequence = true;
        add_once(resolved.assumed, assumed_sentence("Sequence parallelism in addition to tensor parallelism"));
    }
    if (!row.precision.empty()) return;
    const auto fast = [&](Precision precision) { return s.cluster.device.peak_at(precision).has_value(); };
    const bool transformer = is_transformer(*s.workload.front().network);
    s.training.precision = fast(Precision::bf16)                  ? Precision::bf16
                           : fast(Precision::fp16) && transformer ? Precision::fp16
                                                                  : Precision::fp32;
    add_once(resolved.assumed, assumed_sentence("Precision " + std::string(name_of(s.training.precision))));
}

}  // namespace scalescope::measure
