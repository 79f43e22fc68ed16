// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/names.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "core/base/format.hpp"
#include "core/estimate/paleo_method.hpp"
#include "core/parallel/mesh.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/names.hpp"
#include "ui/language/choice.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

template <class E>
ComboItem item(E value, const QString& text, const QString& tip = {}, const QString& section = {}) {
    ComboItem i;
    i.id = id_of(value);
    i.text = text;
    i.tip = tip;
    i.section = section;
    return i;
}

ComboItem switch_item(bool on, const QString& text, const QString& tip) {
    return combo_item(on ? QStringLiteral("1") : QStringLiteral("0"), text, tip);
}

}  // namespace

QString title_of(const Parallelism& p) {
    if (p.segments) return tr("Hybrid");
    switch (p.fill) {
        case MeshAxis::tensor: return tr("Tensor");
        case MeshAxis::pipeline: return tr("Pipeline");
        case MeshAxis::context: return tr("Context");
        default: return tr("Data");
    }
}

QString title_of(Collective c) {
    switch (c) {
        case Collective::ring: return tr("Ring");
        case Collective::recursive: return tr("Halving–doubling");
        case Collective::tree: return tr("Double tree");
        case Collective::one_to_all: return tr("Server");
        case Collective::paleo_tree: return tr("Tree");
        case Collective::butterfly: return tr("Butterfly");
        case Collective::butterfly_mixing: return tr("Butterfly mixing");
        case Collective::parameter_server: return tr("Parameter server");
        case Collective::automatic: return tr("Fastest");
    }
    return {};
}

QString title_of(HybridScheme s) {
    switch (s) {
        case HybridScheme::all_at_once: return tr("All at once");
        case HybridScheme::one_sender: return tr("One sender");
        case HybridScheme::all_send_share: return tr("All send a share");
    }
    return {};
}

QString title_of(Updates u) {
    switch (u) {
        case Updates::synchronous: return tr("Synchronous");
        case Updates::asynchronous: return tr("Asynchronous");
    }
    return {};
}

QString title_of(CurveSet s, bool cpu_cluster) {
    if (cpu_cluster)
        return s == CurveSet::ways          ? tr("Machines of a replica")
               : s == CurveSet::collectives ? tr("Kinds of updates")
                                            : QString();
    switch (s) {
        case CurveSet::ways: return tr("Ways to divide the work");
        case CurveSet::collectives: return tr("All-reduce algorithms");
        case CurveSet::schemes: return tr("Hybrid schemes");
    }
    return {};
}

namespace {

std::vector<ComboItem> fill_items() {
    return {item(MeshAxis::data, tr("data"), tr("More workers are more replicas")),
            item(MeshAxis::tensor, tr("tensor"), tr("More workers divide each layer further")),
            item(MeshAxis::pipeline, tr("pipeline"), tr("More workers are more stages")),
            item(MeshAxis::context, tr("context"), tr("More workers divide each sequence further"))};
}

std::vector<ComboItem> method_items() {
    return {
        item(Method::pipeline, tr("Scalescope"),
             tr("Work, shares, prices and schedule: all strategies, today's all-reduces, overlap")),
        item(Method::paleo_head, tr("PALEO, code"),
             tr("PALEO's public code of 2018, number for number, with the corrections that you pick")),
        item(Method::paleo_paper, tr("PALEO, paper"),
             tr("PALEO's first code, which gave the numbers of the ICLR 2017 paper")),
        item(Method::cpu_cluster, tr("CPU cluster"),
             tr("Machines without GPUs and their parameter servers, after Yan et al. 2015 (re-derived): none of its "
                "figures are the paper's own"))};
}

std::vector<ComboItem> scheme_items() {
    return {item(HybridScheme::all_at_once, title_of(HybridScheme::all_at_once),
                 tr("All activations are gathered, then the back part runs once")),
            item(HybridScheme::one_sender, title_of(HybridScheme::one_sender),
                 tr("One worker after the other broadcasts its activations while the others work")),
            item(HybridScheme::all_send_share, title_of(HybridScheme::all_send_share),
                 tr("Every worker sends a share of its activations in each slice, using all links"))};
}

std::vector<ComboItem> overlap_items() {
    return {item(Overlap::off, tr("off"), tr("Gradients are exchanged after the backward pass")),
            item(Overlap::buckets, tr("buckets"), tr("Gradients leave in buckets while backward goes on")),
            item(Overlap::perfect, tr("perfect"), tr("All communication that fits hides behind backward: a bound"))};
}

std::vector<ComboItem> optimizer_items() {
    return {item(Optimizer::sgd, tr("SGD")), item(Optimizer::momentum, tr("SGD with momentum")),
            item(Optimizer::adam, tr("Adam")),
            item(Optimizer::lamb, tr("LAMB"), tr("Adam with a step for each layer's weights as a whole"))};
}

std::vector<ComboItem> convolution_items() {
    return {
        item(ConvolutionAlgorithm::gemm, tr("Matrix product"), tr("Percents of peak in PALEO were fitted with this")),
        item(ConvolutionAlgorithm::cheapest, tr("Cheapest"),
             tr("Winograd or FFT where they are faster and their workspace fits"))};
}

std::vector<ComboItem> attention_items() {
    return {item(AttentionKernel::flash_2, tr("FlashAttention 2")),
            item(AttentionKernel::flash_3, tr("FlashAttention 3, cuDNN")), item(AttentionKernel::triton, tr("Triton")),
            item(AttentionKernel::automatic, tr("Fastest measured"))};
}

std::vector<ComboItem> memory_items() {
    ComboItem adds, hides;
    adds.id = QStringLiteral("0"), adds.text = tr("adds to arithmetic"),
    adds.tip = tr("Read, compute and write one after the other, as PALEO counts");
    hides.id = QStringLiteral("1"), hides.text = tr("behind arithmetic"),
    hides.tip = tr("The longer of the two counts: a roofline");
    return {adds, hides};
}

ComboItem asynchronous_item() {
    ComboItem i = combo_item(asynchronous_id, title_of(Updates::asynchronous),
                             tr("Asynchronous: each worker exchanges gradients with the parameter servers without "
                                "waiting for the others, so its weights may be stale"));
    i.section = tr("Without waiting for each other");
    return i;
}

std::vector<ComboItem> sharding_items() {
    return {item(Sharding::even, tr("equal parts"), tr("Every server keeps the same share of the weights")),
            item(Sharding::by_layer, tr("whole layers"),
                 tr("A server keeps whole layers, so that a large one makes its server slow"))};
}

std::vector<ComboItem> context_scheme_items() {
    return {
        item(ContextScheme::ring, tr("ring"),
             tr("Keys and values pass round a ring while attention computes (Ring Attention)")),
        item(ContextScheme::all_gather, tr("gather"), tr("Keys and values are gathered before attention (Llama 3)")),
        item(ContextScheme::heads, tr("by heads"),
             tr("During attention, each worker has the whole sequence of some heads (Ulysses)"))};
}

std::vector<ComboItem> dispatch_items() {
    return {
        item(Dispatch::each_expert, tr("to each expert"), tr("A position travels once for each of its experts")),
        item(Dispatch::each_rank, tr("to each worker"),
             tr("A position travels once to each worker that has any of its experts")),
        item(Dispatch::each_node, tr("to each node"),
             tr("A position travels once to each node with any of its experts, and is passed on there (DeepSeek-V3)"))};
}

std::vector<ComboItem> policy_items() {
    return {item(ShardingPolicy::columns, tr("by outputs"),
                 tr("Every layer along its outputs, gathered where they are read")),
            item(ShardingPolicy::trainer, tr("as trainers do"),
                 tr("Weights by columns and rows in turn, attention by heads, tables by vocabulary: as Megatron-LM")),
            item(ShardingPolicy::best, tr("cheapest"), tr("Each layer in the way that makes the step shortest")),
            item(ShardingPolicy::rows, tr("by image rows"),
                 tr("Images along their rows, with the rows at the borders exchanged; all else as trainers do"))};
}

std::vector<ComboItem> order_items() {
    return {
        item(PipelineOrder::fill_drain, tr("fill and drain"),
             tr("All forward passes, then all backward passes (GPipe)")),
        item(PipelineOrder::one_f_one_b, tr("1F1B"),
             tr("One forward and one backward pass in turn: fewer micro-batches in memory (PipeDream-Flush)")),
        item(PipelineOrder::interleaved, tr("interleaved"),
             tr("1F1B with several chunks of layers on each device: a smaller bubble, more messages (Megatron-LM)")),
        item(PipelineOrder::breadth_first, tr("breadth-first"),
             tr("Several chunks on each device: all micro-batches pass one chunk before the next")),
        item(PipelineOrder::zero_bubble, tr("zero bubble"), tr("Gradients of weights fill the gaps (ZB-H1)"))};
}

std::vector<ComboItem> recompute_items() {
    return {item(Recompute::nothing, tr("nothing"), tr("All activations that the backward pass needs are kept")),
            item(Recompute::attention, tr("attention"),
                 tr("Scores and softmax of attention are computed again in the backward pass (selective)")),
            item(Recompute::blocks, tr("blocks"),
                 tr("Blocks keep their inputs only and run again in the backward pass (full)")),
            item(Recompute::layers, tr("named layers"),
                 tr("The layers that you name in the list of layers run again in the backward pass")),
            item(Recompute::modules, tr("modules"), tr("Parts of the blocks that you pick run again (Megatron Core)")),
            item(Recompute::uniform, tr("runs of blocks"),
                 tr("Runs of that many blocks keep only the input of the first (Megatron Core: uniform)")),
            item(Recompute::block, tr("blocks of each stage"),
                 tr("That many blocks of each stage run again, the others keep everything (Megatron Core: block)")),
            item(Recompute::every_nth, tr("every nth block"),
                 tr("One of that many blocks runs again (torchtitan: selective, a number)")),
            item(Recompute::operators, tr("by operator"),
                 tr("Every second matrix product and fused attention are kept, the rest runs again (torchtitan: "
                    "selective, op)"))};
}

std::vector<ComboItem> offload_items() {
    return {item(Recompute::nothing, tr("nothing"), tr("All activations wait in the memory of the device")),
            item(Recompute::blocks, tr("blocks"),
                 tr("What blocks keep travels to the host, and back for the backward pass")),
            item(Recompute::modules, tr("modules"), tr("What parts of the blocks that you pick keep"))};
}

std::vector<ComboItem> sharded_items() {
    return {
        item(Sharded::nothing, tr("nothing"), tr("Each replica holds a copy of all training states")),
        item(Sharded::optimizer, tr("optimizer (ZeRO-1)"), tr("Replicas divide the optimizer states (ZeRO stage 1)")),
        item(Sharded::gradients, tr("gradients too (ZeRO-2)"),
             tr("Replicas divide optimizer states and gradients (ZeRO stage 2)")),
        item(Sharded::weights, tr("weights too (ZeRO-3)"),
             tr("Replicas divide all training states and gather weights before use (ZeRO stage 3, FSDP)"))};
}

std::vector<ComboItem> reduce_items() {
    return {switch_item(false, tr("every time"), tr("Every micro-batch sends its gradients, and shards are added up")),
            switch_item(true, tr("once"), tr("Whole gradients are added up over the micro-batches and sent once"))};
}

std::vector<ComboItem> update_items() {
    return {item(Updates::synchronous, title_of(Updates::synchronous),
                 tr("All replicas exchange together and go on with the same weights")),
            item(Updates::asynchronous, title_of(Updates::asynchronous),
                 tr("Each replica exchanges on its own, while others change the weights"))};
}

std::vector<ComboItem> server_place_items() {
    return {
        switch_item(false, tr("own machines"), tr("Machines used only as parameter servers")),
        switch_item(true, tr("workers' machines"), tr("Servers share the network and cores of the training machines"))};
}

std::vector<ComboItem> split_items() {
    return {item(SegmentSplits::most, tr("into most segments"),
                 tr("Every layer is cut into as many segments as a replica has machines, or as it can have")),
            item(SegmentSplits::best, tr("into the best number"),
                 tr("Each layer into as many segments as take least time, found by a dynamic programme"))};
}

std::vector<ComboItem> convolution_split_items() {
    return {item(ConvolutionSplit::rows, tr("by rows"), tr("Each machine has rows of the image, and all kernels")),
            item(ConvolutionSplit::channels, tr("by channels"),
                 tr("Each machine has some of the kernels, and needs the whole input"))};
}

std::vector<ComboItem> placement_items() {
    return {item(SegmentPlacement::aligned, tr("in a row"), tr("Neighbouring segments stand on neighbouring machines")),
            item(SegmentPlacement::by_connections, tr("fewest connections"),
                 tr("Each segment stands where it has the fewest remote connections (US patent 10,686,869)"))};
}

std::vector<ComboItem> local_update_items() {
    return {item(LocalUpdate::per_sample, tr("after each sample"),
                 tr("A machine applies the deltas of every sample to its own weights")),
            item(LocalUpdate::per_exchange, tr("once an exchange"), tr("It adds them up and applies them once"))};
}

std::vector<ComboItem> server_wait_items() {
    return {switch_item(false, tr("beside training"), tr("Training continues while weights are transferred")),
            switch_item(true, tr("then training"), tr("A replica waits while its weights are transferred"))};
}

std::vector<ComboItem> queueing_items() {
    return {switch_item(false, tr("busiest part counts"),
                        tr("The step lasts as long as the busiest of compute, networks and servers: a lower bound")),
            switch_item(true, tr("replicas queue"), tr("Replicas that meet at the servers wait for each other"))};
}

std::vector<ComboItem> formula_items() {
    return {switch_item(false, tr("put right"), tr("Transfers and memory are counted in full")),
            switch_item(true, tr("worked example"),
                        tr("With the simplifications of the worked example, to repeat its numbers"))};
}

}  // namespace

QString curve_title(const CurveSpec& spec, CurveSet set, bool cpu_cluster) {
    if (cpu_cluster) {
        if (set != CurveSet::ways) return title_of(spec.parallelism.updates);
        return spec.partitions == 1 ? tr("Replicas of 1 machine")
                                    : tr("Replicas of %1").arg(told(format_count(spec.partitions)));
    }
    const Parallelism& p = spec.parallelism;
    if (p.updates == Updates::asynchronous) return title_of(p.updates);
    switch (set) {
        case CurveSet::ways:
            if (!spec.way.empty()) return told(spec.way);
            if (p.context > 1)
                return tr("Mesh %1 × %2 × %3")
                    .arg(told(format_count(p.pipeline)), told(format_count(p.context)), told(format_count(p.tensor)));
            if (p.pipeline * p.tensor > 1)
                return tr("Mesh %1 × %2").arg(told(format_count(p.pipeline)), told(format_count(p.tensor)));
            return title_of(p);
        case CurveSet::collectives: return title_of(p.collective);
        case CurveSet::schemes: return p.segments ? title_of(p.scheme) : title_of(p);
    }
    return {};
}

std::vector<ComboItem> collective_items(Method method, bool asynchronous) {
    std::vector<ComboItem> items{
        item(Collective::ring, tr("Ring"), tr("2(n−1) messages around a ring, each of a share of the buffer")),
        item(Collective::recursive, tr("Halving–doubling"), tr("Halves and doubles the buffer over log n exchanges")),
        item(Collective::tree, tr("Double tree"), tr("Two pipelined binary trees, as in NCCL")),
        item(Collective::automatic, tr("Fastest"), tr("The cheapest of the three for each message")),
        item(Collective::parameter_server, tr("Parameter server"),
             tr("Gradients go to the hosts' memory, weights come back from there before the next step")),
        item(Collective::one_to_all, tr("Server"), tr("All to one and back, one after the other"), tr("As in PALEO")),
        item(Collective::paleo_tree, tr("Tree"), tr("Up and down a binary tree with the whole buffer"),
             tr("As in PALEO")),
        item(Collective::butterfly, tr("Butterfly"), tr("log n exchanges of the whole buffer"), tr("As in PALEO")),
        item(Collective::butterfly_mixing, tr("Butterfly mixing"),
             tr("One exchange with one partner: not the same algorithm as averaging over all workers"),
             tr("As in PALEO"))};
    if (method != Method::pipeline)
        std::erase_if(items, [](const ComboItem& i) { return !paleo_scheme(from_id<Collective>(i.id)); });
    if (asynchronous) items.push_back(asynchronous_item());
    return items;
}

namespace {

std::vector<ComboItem> batch_rule_items(bool cpu_cluster) {
    if (cpu_cluster)
        return {
            item(BatchRule::per_worker, tr("samples a replica"),
                 tr("Samples each replica trains on between two exchanges with the parameter servers")),
            item(BatchRule::total, tr("samples in total"), tr("Total number of samples, divided among all replicas"))};
    return {item(BatchRule::per_worker, tr("per worker"), tr("Weak scaling: the batch of all workers grows with them")),
            item(BatchRule::total, tr("in total"), tr("Strong scaling: the batch stays and is shared"))};
}

std::vector<ComboItem> precision_items(const Device& device) {
    const std::array recipes{
        item(Precision::fp8, tr("fp8, a scale a tensor"),
             tr("Linear layers of blocks in fp8, everything else in bf16")),
        item(Precision::fp8_row, tr("fp8, a scale a row"), tr("The same with a scale for each row and each column")),
        item(Precision::fp8_block, tr("fp8, blocks of 128"), tr("The same with a scale for 128 numbers (DeepSeek-V3)")),
        item(Precision::mxfp8, tr("MXFP8"), tr("The same with a scale for 32 numbers")),
        item(Precision::nvfp4, tr("NVFP4"),
             tr("Linear layers of blocks in 4 bits with a scale for 16 numbers, everything else in bf16"))};
    std::vector<ComboItem> items;
    for (Precision p : all_precisions) {
        const auto recipe =
            std::find_if(recipes.begin(), recipes.end(), [&](const auto& i) { return i.id == id_of(p); });
        ComboItem i = recipe != recipes.end()
                          ? *recipe
                          : item(p, QString::fromUtf8(name_of(p).data(), static_cast<qsizetype>(name_of(p).size())));
        if (const auto peak = device.peak_at(p))
            i.value = told(format_rate(*peak));
        else
            i.enabled = false, i.tip = tr("No figure is known for this device");
        items.push_back(std::move(i));
    }
    return items;
}

}  // namespace

QString mesh_product(const Degrees& degrees, AxisOrder order) {
    QStringList factors;
    for (const MeshAxis axis : laid_out(order, degrees).axes) {
        const auto factor = [&](std::int64_t n, const QString& text) {
            factors.prepend(text.arg(told(format_count(n))));
        };
        switch (axis) {
            case MeshAxis::data: factor(degrees.data, tr("%1 data")); break;
            case MeshAxis::pipeline: factor(degrees.pipeline, tr("%1 pipeline")); break;
            case MeshAxis::context: factor(degrees.context, tr("%1 context")); break;
            case MeshAxis::tensor: factor(degrees.tensor, tr("%1 tensor")); break;
            case MeshAxis::expert:
            case MeshAxis::expert_tensor: break;
        }
    }
    return factors.join(QStringLiteral(" \u00d7 "));
}

std::vector<ComboItem> recompute_module_items() {
    const auto entry = [](RecomputeModule module, const QString& tip) {
        const std::string_view word = choice_name(module);
        return combo_item(id_of(module), QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())), tip);
    };
    return {entry(RecomputeModule::core_attn, tr("Attention, from queries, keys and values to its output")),
            entry(RecomputeModule::mla_up_proj, tr("Latent attention: the products behind its norms")),
            entry(RecomputeModule::layernorm, tr("The norms in front of attention and feed-forward network")),
            entry(RecomputeModule::moe_act, tr("The function between the two products of experts")),
            entry(RecomputeModule::mlp, tr("Dense feed-forward networks")),
            entry(RecomputeModule::moe, tr("Experts, with the messages to them and back")),
            entry(RecomputeModule::shared_experts, tr("Experts that every position goes through"))};
}

std::vector<ComboItem> reshard_items() {
    return {
        combo_item(QStringLiteral("each"), tr("freed"), tr("Weights are gathered before each pass and freed after it")),
        combo_item(QStringLiteral("backward"), tr("kept for backward"),
                   tr("Weights are gathered once a micro-batch and stay whole until its backward pass")),
        combo_item(QStringLiteral("step"), tr("kept all step"),
                   tr("Weights are gathered once a step and stay whole until they are updated"))};
}

namespace {

/// Items with the panels' own words; empty if the field has none.
std::vector<ComboItem> panel_items(std::string_view path) {
    static constexpr std::pair<std::string_view, std::vector<ComboItem> (*)()> panels[] = {
        {"parallelism.fill", fill_items},
        {"parallelism.collective", [] { return collective_items(Method::pipeline); }},
        {"parallelism.scheme", scheme_items},
        {"parallelism.overlap", overlap_items},
        {"parallelism.updates", update_items},
        {"parallelism.sharding", sharding_items},
        {"parallelism.policy", policy_items},
        {"parallelism.order", order_items},
        {"parallelism.context_scheme", context_scheme_items},
        {"parallelism.dispatch", dispatch_items},
        {"parallelism.recompute", recompute_items},
        {"parallelism.offload_activations", offload_items},
        {"parallelism.sharded", sharded_items},
        {"parallelism.reduce_once", reduce_items},
        {"training.batch_rule", [] { return batch_rule_items(false); }},
        {"training.optimizer", optimizer_items},
        {"model.method", method_items},
        {"model.overlap_memory", memory_items},
        {"model.convolution", convolution_items},
        {"model.attention", attention_items},
        {"cpu.splits", split_items},
        {"cpu.placement", placement_items},
        {"cpu.convolutions", convolution_split_items},
        {"cpu.local_update", local_update_items},
        {"cpu.servers_beside", server_place_items},
        {"cpu.wait_for_servers", server_wait_items},
        {"cpu.queueing", queueing_items},
        {"cpu.worked_example", formula_items}};
    for (const auto& [of, items] : panels)
        if (of == path) return items();
    return {};
}

/// Items that depend on the scenario.
struct Following {
    std::string_view path;
    std::vector<ComboItem> (*items)(const Scenario&);
};
constexpr Following following[] = {
    {"training.precision", [](const Scenario& s) { return precision_items(s.cluster.device); }},
    {"training.batch_rule", [](const Scenario& s) { return batch_rule_items(is_cpu_cluster(s)); }}};

}  // namespace

bool items_follow(std::string_view path) {
    return std::any_of(std::begin(following), std::end(following), [&](const Following& f) { return f.path == path; });
}

std::vector<ComboItem> choice_items(const Field& field, const Scenario& scenario) {
    for (const Following& f : following)
        if (f.path == field.path) return f.items(scenario);
    std::vector<ComboItem> items = panel_items(field.path);
    if (!items.empty()) return items;
    if (field.type == FieldType::boolean) return {switch_item(false, tr("no"), {}), switch_item(true, tr("yes"), {})};
    for (std::size_t i = 0; i < field.choices.size(); ++i)
        items.push_back(combo_item(QString::number(i), told_choice(field, field.choices[i])));
    return items;
}

QString title_of_choice(const Field& field, std::string_view choice) {
    const auto at = std::find(field.choices.begin(), field.choices.end(), choice);
    const QString id = QString::number(at - field.choices.begin());  // the names stand in the enumeration's order
    if (at != field.choices.end())
        for (const ComboItem& i : panel_items(field.path))
            if (i.id == id) return i.text;
    return told_choice(field, choice);
}

}  // namespace scalescope::ui
