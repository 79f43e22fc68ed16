// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/cpu_cluster_tables.hpp"

#include <array>

namespace scalescope::app {

using namespace yan;

namespace {

Cell milliseconds_cell(Seconds t) { return in_milliseconds(t); }

Cell tier_cell(const LayerTimes& t) {
    constexpr std::array<std::string_view, 3> names{"L2", "L3", "memory"};
    if (t.compute.working_set.value <= 0.0) return {};
    return std::string(names[static_cast<std::size_t>(t.compute.tier)]);
}

/// "1 4 4 8": of each layer; nothing where all have as many as there are partitions.
std::string splits_text(const Configuration& c) {
    std::string text;
    for (const std::int64_t p : c.splits) text += (text.empty() ? "" : " ") + std::to_string(p);
    return text;
}

}  // namespace

Table layers_table(const Network& network, const PreparedNetwork& prepared, const Evaluation& e) {
    Table table{{"layer", "kind", "segments", "weights_in", "working_set_mb", "forward_ms", "forward_exchange_ms",
                 "backward_ms", "backward_exchange_ms", "update_ms", "update_exchange_ms", "total_ms"},
                {}};
    for (std::size_t l = 0; l < e.layers.size(); ++l) {
        const LayerTimes& t = e.layers[l];
        const Layer& layer = network.layers()[static_cast<std::size_t>(prepared.list.layers[l].position)];
        table.rows.push_back({layer.name, std::string(layer.kind->name), t.split, tier_cell(t),
                              t.compute.working_set.value / 1e6, milliseconds_cell(t.compute.forward),
                              milliseconds_cell(t.exchange.forward), milliseconds_cell(t.compute.backward),
                              milliseconds_cell(t.exchange.backward), milliseconds_cell(t.compute.update),
                              milliseconds_cell(t.exchange.update), milliseconds_cell(t.time.total())});
    }
    return table;
}

Table totals_table(const PreparedNetwork& prepared, const Evaluation& e, const std::optional<BestSplits>& splits) {
    Table table{{"figure", "value", "unit"}, {}};
    const auto row = [&](const char* figure, Cell value, const char* unit) {
        table.rows.push_back({std::string(figure), std::move(value), std::string(unit)});
    };
    const Configuration& c = e.configuration;
    const auto words = [](std::string_view text) { return Cell(std::string(text)); };
    row("method", words(method_label), "");
    row("machine", prepared.machine.name, "");
    row("machines", c.machines(), "");
    row("partitions", c.partitions, "");
    row("replicas", c.replicas, "");
    row("servers", c.servers, "");
    row("threads", c.threads, "");
    if (splits) {
        row("splits_by", words(name_of(splits->method)), "");
        row("splits_proven", words(splits->proven ? "yes" : "no"), "");
        row("memory_binds", words(splits->memory_binds ? "yes" : "no"), "");
    }
    row("forward", milliseconds_cell(e.score.sample.forward), "ms/sample");
    row("backward", milliseconds_cell(e.score.sample.backward), "ms/sample");
    row("update", milliseconds_cell(e.score.sample.update), "ms/sample");
    row("sample", milliseconds_cell(e.score.sample.total()), "ms/sample");
    row("replica_throughput", e.score.replica_throughput.value, "samples/s");
    row("upload", e.score.load.up.value / 1e6, "MB");
    row("download", e.score.load.down.value / 1e6, "MB");
    row("exchange_worker_network", milliseconds_cell(e.score.load.worker_network), "ms");
    row("exchange_server_network", milliseconds_cell(e.score.load.server_network), "ms");
    row("exchange_server_cpu", milliseconds_cell(e.score.load.server_cpu), "ms");
    row("machine_memory", e.score.memory.value / 1e9, "GB");
    row("server_memory", e.server_memory.value / 1e9, "GB");
    row("fits", words(e.score.fits ? "yes" : "no"), "");
    const auto epoch = [&](const EpochTimes& t, bool synchronous) {
        row(synchronous ? "sync_compute" : "async_compute", t.term(Resource::compute).value, "s");
        row(synchronous ? "sync_worker_network" : "async_worker_network", t.term(Resource::worker_network).value, "s");
        row(synchronous ? "sync_server_network" : "async_server_network", t.term(Resource::server_network).value, "s");
        row(synchronous ? "sync_server_cpu" : "async_server_cpu", t.term(Resource::server_cpu).value, "s");
        row(synchronous ? "sync_binding" : "async_binding", words(name_of(t.binding)), "");
        row(synchronous ? "sync_epoch" : "async_epoch", t.time.value, "s");
    };
    epoch(e.asynchronous, false);
    row("async_epoch_queued", e.queue_epoch.value, "s");
    row("async_staleness", e.staleness, "updates");
    epoch(e.synchronous, true);
    row("epoch", e.score.epoch.time.value, "s");
    return table;
}

Table ranking_table(const ClusterRanking& result) {
    Table table{
        {"rank", "partitions", "replicas", "servers", "threads", "machines", "epoch_s", "binding", "sample_ms",
         "samples_per_s", "compute_s", "worker_network_s", "server_network_s", "server_cpu_s", "memory_gb", "splits"},
        {}};
    std::int64_t rank = 0;
    for (const Ranked& r : result.best) {
        const Configuration& c = r.configuration;
        const EpochTimes& t = r.score.epoch;
        table.rows.push_back({++rank, c.partitions, c.replicas, c.servers, c.threads, c.machines(), t.time.value,
                              std::string(name_of(t.binding)), in_milliseconds(r.score.sample.total()),
                              (c.samples / t.time).value, t.term(Resource::compute).value,
                              t.term(Resource::worker_network).value, t.term(Resource::server_network).value,
                              t.term(Resource::server_cpu).value, r.score.memory.value / 1e9, splits_text(c)});
    }
    return table;
}

}  // namespace scalescope::app
