// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/field_controls.hpp"

namespace scalescope::ui {

const std::vector<std::pair<QString, QString>>& field_controls() {
    static const std::vector<std::pair<QString, QString>> controls{
        {QStringLiteral("cluster.workers"), QStringLiteral("workersField")},
        {QStringLiteral("training.batch"), QStringLiteral("batch")},
        {QStringLiteral("training.batch_rule"), QStringLiteral("batchRule")},
        {QStringLiteral("training.precision"), QStringLiteral("precision")},
        {QStringLiteral("training.wide_first"), QStringLiteral("wideFirst")},
        {QStringLiteral("training.wide_last"), QStringLiteral("wideLast")},
        {QStringLiteral("training.optimizer"), QStringLiteral("optimizer")},
        {QStringLiteral("training.accumulation"), QStringLiteral("accumulation")},
        {QStringLiteral("training.data_set"), QStringLiteral("dataSet")},
        {QStringLiteral("training.input_limit"), QStringLiteral("inputLimit")},
        {QStringLiteral("cluster.nodes"), QStringLiteral("nodes")},
        {QStringLiteral("cluster.devices_per_node"), QStringLiteral("perNode")},
        {QStringLiteral("cluster.nics_per_node"), QStringLiteral("nics")},
        {QStringLiteral("cluster.device"), QStringLiteral("device")},
        {QStringLiteral("cluster.between"), QStringLiteral("between")},
        {QStringLiteral("cluster.inside"), QStringLiteral("inside")},
        {QStringLiteral("parallelism.fill"), QStringLiteral("way")},
        {QStringLiteral("parallelism.segments"), QStringLiteral("way")},
        {QStringLiteral("parallelism.tensor"), QStringLiteral("tensor")},
        {QStringLiteral("parallelism.pipeline"), QStringLiteral("pipeline")},
        {QStringLiteral("parallelism.policy"), QStringLiteral("policy")},
        {QStringLiteral("parallelism.context"), QStringLiteral("context")},
        {QStringLiteral("parallelism.context_scheme"), QStringLiteral("contextScheme")},
        {QStringLiteral("parallelism.expert"), QStringLiteral("expert")},
        {QStringLiteral("parallelism.expert_tensor"), QStringLiteral("expertTensor")},
        {QStringLiteral("parallelism.dispatch"), QStringLiteral("dispatch")},
        {QStringLiteral("parallelism.sequence"), QStringLiteral("sequence")},
        {QStringLiteral("parallelism.collective"), QStringLiteral("collective")},
        {QStringLiteral("parallelism.overlap"), QStringLiteral("overlap")},
        {QStringLiteral("parallelism.bucket"), QStringLiteral("bucket")},
        {QStringLiteral("parallelism.scheme"), QStringLiteral("scheme")},
        {QStringLiteral("parallelism.cut"), QStringLiteral("cut")},
        {QStringLiteral("parallelism.boundaries"), QStringLiteral("stages")},
        {QStringLiteral("parallelism.borders"), QStringLiteral("stages")},
        {QStringLiteral("parallelism.micro_batches"), QStringLiteral("microBatches")},
        {QStringLiteral("parallelism.order"), QStringLiteral("order")},
        {QStringLiteral("parallelism.chunks"), QStringLiteral("chunks")},
        {QStringLiteral("parallelism.recompute"), QStringLiteral("recompute")},
        {QStringLiteral("parallelism.recompute_count"), QStringLiteral("recomputeCount")},
        {QStringLiteral("parallelism.recompute_layers"), QStringLiteral("recompute")},
        {QStringLiteral("parallelism.sharded"), QStringLiteral("sharded")},
        {QStringLiteral("parallelism.shard_group"), QStringLiteral("shardGroup")},
        {QStringLiteral("parallelism.reshard_after_forward"), QStringLiteral("reshard")},
        {QStringLiteral("parallelism.reshard_after_backward"), QStringLiteral("reshard")},
        {QStringLiteral("parallelism.reduce_once"), QStringLiteral("reduceOnce")},
        {QStringLiteral("parallelism.offload_states"), QStringLiteral("offloadStates")},
        {QStringLiteral("parallelism.offload_activations"), QStringLiteral("offloadActivations")},
        {QStringLiteral("reliability.device_mtbf_h"), QStringLiteral("deviceMtbf")},
        {QStringLiteral("reliability.restart_s"), QStringLiteral("restart")},
        {QStringLiteral("reliability.checkpoint_gb_s"), QStringLiteral("checkpointRate")},
        {QStringLiteral("model.compute"), QStringLiteral("percentCompute")},
        {QStringLiteral("model.memory"), QStringLiteral("percentMemory")},
        {QStringLiteral("model.between"), QStringLiteral("percentLink")},
        {QStringLiteral("model.inside"), QStringLiteral("percentInside")},
        {QStringLiteral("model.launch"), QStringLiteral("launch")},
        {QStringLiteral("model.overhead"), QStringLiteral("overhead")},
        {QStringLiteral("model.overlap_memory"), QStringLiteral("memoryOverlap")},
        {QStringLiteral("model.convolution"), QStringLiteral("convolution")},
        {QStringLiteral("model.staleness_cost"), QStringLiteral("staleness")},
        {QStringLiteral("model.method"), QStringLiteral("method")},
        {QStringLiteral("model.paleo_corrections"), QStringLiteral("paleoCorrections")},
        {QStringLiteral("cluster.machine"), QStringLiteral("machine")},
        {QStringLiteral("parallelism.updates"), QStringLiteral("updates")},
        {QStringLiteral("parallelism.servers"), QStringLiteral("servers")},
        {QStringLiteral("parallelism.sharding"), QStringLiteral("shards")},
        {QStringLiteral("cpu.partitions"), QStringLiteral("partitions")},
        {QStringLiteral("cpu.replicas"), QStringLiteral("replicas")},
        {QStringLiteral("cpu.splits"), QStringLiteral("splits")},
        {QStringLiteral("cpu.placement"), QStringLiteral("placement")},
        {QStringLiteral("cpu.convolutions"), QStringLiteral("convolutionSplit")},
        {QStringLiteral("cpu.threads"), QStringLiteral("threads")},
        {QStringLiteral("cpu.servers_beside"), QStringLiteral("serverPlace")},
        {QStringLiteral("cpu.wait_for_servers"), QStringLiteral("waitForServers")},
        {QStringLiteral("cpu.queueing"), QStringLiteral("queueing")},
        {QStringLiteral("cpu.overlap"), QStringLiteral("exchangeOverlap")},
        {QStringLiteral("cpu.local_update"), QStringLiteral("localUpdate")},
        {QStringLiteral("cpu.buffers_gb"), QStringLiteral("buffers")},
        {QStringLiteral("cpu.worked_example"), QStringLiteral("workedExample")},
        {QStringLiteral("workload"), QStringLiteral("network")}};
    return controls;
}

QString control_of_field(const QString& path) {
    QString name;
    qsizetype best = -1;
    for (const auto& entry : field_controls())
        if (path.startsWith(entry.first) && entry.first.size() > best) {
            best = entry.first.size();
            name = entry.second;
        }
    return name;
}

}  // namespace scalescope::ui
