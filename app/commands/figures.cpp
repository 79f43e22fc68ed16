// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/figures.hpp"

#include <algorithm>
#include <ostream>

#include "core/estimate/goodput.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/utilization.hpp"
#include "core/measure/validate/residuals.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/names.hpp"

namespace scalescope::app {
namespace {

Figure time_figure(std::string name, Seconds t) { return {std::move(name), in_milliseconds(t), "ms", "ms"}; }
Figure memory_figure(std::string name, Bytes b) { return {std::move(name), b.value / 1e9, "gb", "GB"}; }
Figure plain_figure(std::string name, Cell value) { return {std::move(name), std::move(value), {}, {}}; }
Figure count_figure(std::string name, std::int64_t n, std::string unit) { return {std::move(name), n, unit, unit}; }

void add_step(std::vector<Figure>& figures, const Summary& s) {
    figures.push_back(time_figure("step", s.step));
    figures.push_back(time_figure("forward", s.forward));
    figures.push_back(time_figure("backward", s.backward));
    figures.push_back(time_figure("update", s.update));
    figures.push_back(time_figure("communication", s.communication));
    figures.push_back(time_figure("hidden_communication", s.hidden));
    figures.push_back(time_figure("idle", s.idle));
}

void add_answers(std::vector<Figure>& figures, const Scenario& scenario, const Estimate& e) {
    figures.push_back({"throughput", e.throughput.value, "samples_per_s", "samples/s"});
    figures.push_back(plain_figure("speedup", e.speedup));
    figures.push_back(plain_figure("efficiency", e.efficiency));
    const bool epochs = has_epochs(scenario);
    figures.push_back({"epoch", epochs ? Cell(e.epoch.value) : Cell(), "s", "s"});
    figures.push_back({"epoch_cost", epochs ? cell_of(e.epoch_cost) : Cell(), "usd", "USD"});
    figures.push_back(memory_figure("peak_memory", e.memory.peak));
}

/// What reports on training state of networks that read tokens.
void add_use_of_tokens(std::vector<Figure>& figures, const Scenario& scenario, const Estimate& e) {
    const auto used = utilization_of(scenario, e);
    if (!used || !(used->tokens_per_second > 0)) return;
    const auto share = [](const std::optional<Fraction>& f) { return f ? Cell(f->value) : Cell(); };
    figures.push_back({"token_throughput", used->tokens_per_second, "tokens_per_s", "tokens/s"});
    figures.push_back(plain_figure("model_flops_utilization", share(used->model)));
    figures.push_back(plain_figure("hardware_flops_utilization", share(used->hardware)));
    figures.push_back({"model_flop_rate_each", used->each_device.value / 1e12, "tflop_per_s", "TFLOP/s"});
    figures.push_back({"trillion_tokens", used->trillion_tokens->value, "s", "s"});
    figures.push_back({"trillion_tokens_cost", cell_of(used->trillion_tokens_cost), "usd", "USD"});
}

/// What interruptions leave, where devices fail.
void add_goodput(std::vector<Figure>& figures, const Scenario& scenario, const Estimate& e) {
    const auto goodput = goodput_of(scenario, e);
    if (!goodput) return;
    const auto seconds = [&](const char* name, Seconds t) { figures.push_back({name, t.value, "s", "s"}); };
    figures.push_back(plain_figure("goodput", goodput->trains.value));
    figures.push_back(memory_figure("checkpoint", goodput->checkpoint));
    seconds("checkpoint_time", goodput->write);
    seconds("checkpoint_interval", goodput->interval);
    seconds("interruption_interval", goodput->between);
    const auto used = utilization_of(scenario, e);
    if (!used || !used->trillion_tokens) return;
    const auto elapsed = goodput->elapsed(*used->trillion_tokens);
    figures.push_back({"trillion_tokens_elapsed", elapsed ? Cell(elapsed->value) : Cell(), "s", "s"});
}

void add_servers(std::vector<Figure>& figures, const ServersEstimate& servers) {
    const Asynchronous& state = servers.state;
    figures.push_back({"updates", state.updates, "per_s", "1/s"});
    figures.push_back({"staleness", state.staleness, "updates", "updates"});
    figures.push_back(plain_figure("statistical_cost", servers.statistical_cost));
    figures.push_back({"knee", state.knee, "workers", "workers"});
    figures.push_back(time_figure("server_wait", state.waiting));
    figures.push_back(time_figure("server_response", state.response()));
    figures.push_back(time_figure("server_response_slowest", state.slowest_response()));
}

const Network& network_of(const Scenario& scenario, int part) {
    return *scenario.workload[static_cast<std::size_t>(part)].network;
}

const std::string& name_at(const Scenario& scenario, int part, int position) {
    return network_of(scenario, part).layers()[static_cast<std::size_t>(position)].name;
}

std::string_view message_word(Message m) {
    switch (m) {
        case Message::all_reduce: return "all_reduce";
        case Message::reduce_scatter: return "reduce_scatter";
        case Message::all_gather: return "all_gather";
        case Message::broadcast: return "broadcast";
        case Message::reduce: return "reduce";
        case Message::point_to_point: return "point_to_point";
        case Message::all_to_all: return "all_to_all";
        case Message::push: return "push";
        case Message::pull: return "pull";
        case Message::host_copy: return "host_copy";
    }
    return {};
}

std::string_view axis_word(MeshAxis axis) {
    switch (axis) {
        case MeshAxis::tensor: return "tensor";
        case MeshAxis::context: return "context";
        case MeshAxis::data: return "data";
        case MeshAxis::pipeline: return "pipeline";
        case MeshAxis::expert: return "expert";
        case MeshAxis::expert_tensor: return "expert_tensor";
    }
    return {};
}

std::string_view carried_word(const Transfer& t) {
    if (t.message == Message::host_copy) return "activations";
    switch (t.carries) {
        case Carried::states: return "states";
        case Carried::halo: return "rows";
        case Carried::kept_input: return "kept input";
        case Carried::experts: return t.weights ? "weights of experts" : "gradients of experts";
        case Carried::keys_values: return "keys and values";
        case Carried::keys_values_gradients: return "keys and values with gradients";
        case Carried::queries: return "queries";
        case Carried::keys: return "keys";
        case Carried::values: return "values";
        case Carried::attention_output: return "output of attention";
        case Carried::to_experts: return "positions to experts";
        case Carried::from_experts: return "positions from experts";
        case Carried::output:
        case Carried::statistics: break;
    }
    return t.weights ? "weights" : t.gradients ? "gradients" : "tensors";
}

/// The layer where hybrid cuts, or "none" behind the last one.
Cell cut_cell(const Scenario& scenario, const Summary& s) {
    if (s.cut < 0 || scenario.workload.size() != 1) return {};
    if (s.cut >= scenario.network()->size()) return std::string("none");
    return name_at(scenario, 0, s.cut);
}

}  // namespace

std::vector<Figure> all_figures(const Scenario& scenario, const Estimate& e) {
    std::vector<Figure> figures;
    const WorkerWords words = worker_words(scenario);
    const std::string one(words.one), many(words.many);
    figures.push_back(count_figure(many, e.point.workers, {}));
    figures.push_back(count_figure(many + "_with_work", e.summary.batch.active, {}));
    // A replica may be several machines of a CPU cluster, or several workers of a mesh.
    const bool cpu = is_cpu_cluster(scenario);
    const auto degrees = e.point.degrees();
    const bool mesh =
        !cpu && degrees && degrees->pipeline * degrees->tensor * degrees->context * e.point.expert_ranks() > 1;
    if (mesh) {
        figures.push_back(count_figure("data_degree", degrees->data, {}));
        figures.push_back(count_figure("pipeline_degree", degrees->pipeline, {}));
        figures.push_back(count_figure("tensor_degree", degrees->tensor, {}));
        if (degrees->context > 1) figures.push_back(count_figure("context_degree", degrees->context, {}));
        if (e.point.expert > 1) figures.push_back(count_figure("expert_degree", e.point.expert, {}));
        if (e.point.expert_tensor > 1)
            figures.push_back(count_figure("expert_tensor_degree", e.point.expert_tensor, {}));
    }
    figures.push_back(
        count_figure(cpu || mesh ? "batch_per_replica" : "batch_per_worker", e.summary.batch.per_replica, "samples"));
    figures.push_back(count_figure("batch", e.summary.batch.effective, "samples"));
    if (scenario.parallelism.segments) figures.push_back(plain_figure("cut", cut_cell(scenario, e.summary)));
    add_step(figures, e.summary);
    figures.push_back(plain_figure("idle_share", e.idle_share));
    if (e.servers) add_servers(figures, *e.servers);
    figures.push_back(time_figure("one_" + one + "_step", e.baseline.step));
    add_answers(figures, scenario, e);
    add_use_of_tokens(figures, scenario, e);
    add_goodput(figures, scenario, e);
    figures.push_back(memory_figure("weight_memory", e.memory.weights));
    figures.push_back(memory_figure("gradient_memory", e.memory.gradients));
    figures.push_back(memory_figure("optimizer_memory", e.memory.optimizer));
    figures.push_back(memory_figure("activation_memory", e.memory.activations));
    if (e.memory.on_host.value > 0) figures.push_back(memory_figure("host_memory", e.memory.on_host));
    if (const auto band = measure::step_band(scenario, e)) {
        figures.push_back(time_figure("step_low_90", band->low));
        figures.push_back(time_figure("step_high_90", band->high));
    }
    figures.push_back(plain_figure("evidence", short_text(evidence_of(scenario), scenario)));
    return figures;
}

std::vector<Figure> key_figures(const Scenario& scenario, const Estimate& e) {
    std::vector<Figure> figures;
    add_step(figures, e.summary);
    add_answers(figures, scenario, e);
    return figures;
}

Table figure_table(const Scenario& scenario, const Estimate& e) {
    Table table{{"figure", "value", "unit"}, {}};
    for (auto& figure : all_figures(scenario, e))
        table.rows.push_back({std::move(figure.name), std::move(figure.value), std::move(figure.unit)});
    return table;
}

Table layer_table(const Scenario& scenario, const Estimate& e) {
    Table table{{"network", "layer", "kind", "stage", "samples", "repeat", "input_share", "output_share", "forward_ms",
                 "grad_input_ms", "grad_weights_ms", "recompute_ms", "backward_ms", "update_ms", "communication_ms",
                 "hidden_communication_ms", "total_ms"},
                {}};
    for (const auto& l : e.layers) {
        const Network& network = network_of(scenario, l.part);
        const Layer& layer = network.layers()[static_cast<std::size_t>(l.position)];
        std::optional<std::int64_t> stage;
        if (l.stage >= 0) stage = l.stage;
        table.rows.push_back({network.name(), layer.name, std::string(layer.kind->name), cell_of(stage), l.samples,
                              l.repeat, l.shares.inputs, l.shares.outputs, in_milliseconds(l.forward),
                              in_milliseconds(l.grad_input), in_milliseconds(l.grad_weights),
                              in_milliseconds(l.recompute), in_milliseconds(l.backward()), in_milliseconds(l.update),
                              in_milliseconds(l.communication), in_milliseconds(l.hidden), in_milliseconds(l.total())});
    }
    return table;
}

Table message_table(const Scenario& scenario, const Estimate& e) {
    Table table{{"network", "message", "algorithm", "pass", "carries", "layers", "ranks", "times", "size_bytes",
                 "each_ms", "exposed_ms", "hidden_ms", "axis", "nodes"},
                {}};
    for (const auto& m : e.messages) {
        std::string layers;
        for (const int position : m.layers) layers += (layers.empty() ? "" : " ") + name_at(scenario, m.part, position);
        table.rows.push_back({network_of(scenario, m.part).name(), std::string(message_word(m.message)),
                              std::string(choice_name(m.algorithm)), std::string(m.forward ? "forward" : "backward"),
                              std::string(carried_word(m)), std::move(layers), m.group.ranks, m.times, m.bytes.value,
                              in_milliseconds(m.each), in_milliseconds(m.exposed), in_milliseconds(m.hidden),
                              std::string(axis_word(m.axis)), m.group.nodes});
    }
    return table;
}

Table buffer_table(const Scenario& scenario, const Plan& plan, const Estimate& e) {
    Table table{{"stage", "kind", "network", "layer", "tensor", "from", "to", "bytes"}, {}};
    const auto stays = [&](std::optional<std::int64_t> stage, const MemoryEstimate& m) {
        const auto add = [&](const char* kind, Bytes bytes) {
            table.rows.push_back(
                {cell_of(stage), std::string(kind), {}, {}, {}, std::string("start"), std::string("end"), bytes.value});
        };
        for (const auto& [kind, bytes] :
             {std::pair{"weights", m.weights}, {"gradients", m.gradients}, {"optimizer", m.optimizer}})
            add(kind, bytes);
        const TrainerBytes& t = m.trainer;
        for (const auto& [kind, bytes] : {std::pair{"whole blocks", t.gathered},
                                          {"placeholders of gradients", t.placeholders},
                                          {"buffers of gradients", t.exchange},
                                          {"fragmentation", t.fragmentation},
                                          {"buffers of groups", t.groups},
                                          {"context and libraries", t.context}})
            if (bytes.value > 0) add(kind, bytes);
        for (const auto& [kind, bytes] : {std::pair{"logits", t.logits},
                                          {"block gradients", t.block},
                                          {"placeholder of a gradient", t.placeholder}})
            if (bytes.value > 0) {
                const std::string& layer = name_at(scenario, m.part, m.layer);
                table.rows.push_back({cell_of(stage),
                                      std::string(kind),
                                      network_of(scenario, m.part).name(),
                                      layer,
                                      {},
                                      "backward of " + layer,
                                      "backward of " + layer,
                                      bytes.value});
            }
    };
    if (e.stages.empty()) stays({}, e.memory);
    for (std::size_t d = 0; d < e.stages.size(); ++d) stays(static_cast<std::int64_t>(d), e.stages[d].memory);
    for (const KeptTensor& k : plan.cpu ? std::vector<KeptTensor>{} : kept_tensors(plan, e)) {
        std::optional<std::int64_t> stage;
        if (k.stage >= 0) stage = k.stage;
        const std::string tensor = k.tensor == KeptTensor::mask     ? "mask"
                                   : k.tensor == KeptTensor::within ? "within the layer"
                                   : k.tensor == KeptTensor::inner  ? "part of the layer"
                                   : k.tensor == KeptTensor::more   ? "what the trainer keeps more"
                                                                  : "output of " + name_at(scenario, k.part, k.tensor);
        const std::string& layer = name_at(scenario, k.part, k.keeper);
        table.rows.push_back({cell_of(stage),
                              std::string(k.on_host     ? "offloaded activation"
                                          : k.block < 0 ? "activation"
                                                        : "recomputed activation"),
                              network_of(scenario, k.part).name(), layer, tensor,
                              k.block < 0 ? "forward of " + layer : "backward of its block", "backward of " + layer,
                              k.bytes});
    }
    return table;
}

Table stage_table(const Estimate& e) {
    Table table{{"stage", "layers", "micro_batches_held", "forward_ms", "backward_ms", "messages_within_ms",
                 "waiting_ms", "update_ms", "weights_gb", "gradients_gb", "optimizer_gb", "activations_gb", "peak_gb"},
                {}};
    const auto gigabytes = [](Bytes b) { return Cell(b.value / 1e9); };
    for (std::size_t d = 0; d < e.stages.size(); ++d) {
        const StageEstimate& s = e.stages[d];
        table.rows.push_back({static_cast<std::int64_t>(d), static_cast<std::int64_t>(s.layers), s.in_flight,
                              in_milliseconds(s.forward), in_milliseconds(s.backward), in_milliseconds(s.messages),
                              in_milliseconds(s.waiting), in_milliseconds(s.update), gigabytes(s.memory.weights),
                              gigabytes(s.memory.gradients), gigabytes(s.memory.optimizer),
                              gigabytes(s.memory.activations), gigabytes(s.memory.peak)});
    }
    return table;
}

void write_prices(std::ostream& err, const PriceNotes& prices, std::string_view figure) {
    constexpr std::size_t most = 8;
    const std::string name(figure);
    if (prices.texts().size() > most) {
        err << name << ": prices of " << prices.texts().size()
            << " devices; scalescope list devices has their sources\n";
        return;
    }
    for (const auto& note : prices.texts()) err << for_terminal(name + ": " + note) << '\n';
}

}  // namespace scalescope::app
