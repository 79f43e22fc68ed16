// SPDX-License-Identifier: GPL-3.0-or-later
// Which page of a CPU cluster is where, and what all of them use.
#include "core/estimate/explain_cpu.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/format.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::explaining {
namespace cpus {
namespace {

double share_of_weights(const Cpu& x) {
    return x.weights() > 0 ? x.layer->w.own_weights / x.weights() : 1.0 / static_cast<double>(x.e.layers.size());
}

/// Errors are dealt out like the inputs, or like the outputs: their number is what remains.
double errors(const Cpu& x) {
    if (x.layer->w.errors <= 0 || x.m.error.value <= 0) return 0;
    const double adds = x.layer->adds[1];
    return (x.layer->t.compute.backward - (adds > 0 ? adds * x.multiply_add() : Seconds{})) / x.m.error;
}

yan::DeltaSum ring(const Cpu& x) { return yan::delta_sum(x.layer->w, x.layer->t.split, x.m); }

double found_at_servers(const Cpu& x) {
    const Seconds service = x.load.server_network + x.load.server_cpu;
    return service.value > 0 ? x.e.queue.response / service - 1.0 : 0.0;
}

std::int64_t server_machines(const Cpu& x) {
    const Point& p = x.c.estimate.point;
    return own_servers(x.c.scenario, p.updates, p.workers, p.servers);
}

constexpr Symbol<Cpu> table[] = {
    // how training is spread
    {"K", "samples of a replica in a step", [](auto&) { return 0.0; }, Topic::samples, 0},
    {"h", "threads of a machine, each with a sample", [](auto& x) { return x.k.threads; }, "cpu.threads"},
    {"R", "replicas", [](auto& x) { return x.k.replicas; }, fields::workers},
    {"P", "machines of a replica", [](auto& x) { return x.k.partitions; }, "cpu.partitions"},
    {"S", "parameter servers", [](auto& x) { return x.k.servers; }, fields::servers},
    {"n", "machines that train", [](auto& x) { return x.c.workers(); }, fields::workers},
    {"n_s", "machines that are servers", [](auto& x) { return server_machines(x); }, fields::servers},
    {"o", "share of the shorter that hides", [](auto& x) { return Fraction{x.k.overlap}; }, "cpu.overlap"},
    // the machine
    {"w", "network of a worker, one way", [](auto& x) { return x.m.network; }, "cluster.machine.network_gb_s"},
    {"w_s", "network of a server, one way", [](auto& x) { return x.m.server_network; },
     "cluster.machine.server_network_gb_s"},
    {"l", "start-up time of a message", [](auto& x) { return x.m.latency; }, "cluster.machine.latency_us"},
    {"u", "weights that a server updates in a second", [](auto& x) { return x.m.server_updates.value; },
     "cluster.machine.server_updates_m_s"},
    {"b_w", "bytes of a weight", [](auto& x) { return x.m.weight_bytes; }, "cluster.machine.weight_bytes"},
    {"b_a", "bytes of an activation", [](auto& x) { return x.m.activation_bytes; }, "cluster.machine.activation_bytes"},
    {"W", "memory bandwidth of the machine", [](auto& x) { return x.m.memory_bandwidth; },
     "cluster.machine.memory_bandwidth_gb_s"},
    {"n_c", "cores", [](auto& x) { return x.m.cores; }, "cluster.machine.cores"},
    {"k", "contention, by which each further thread slows all", [](auto& x) { return x.m.contention; },
     "cluster.machine.contention"},
    {"k_b", "contention beyond the cores", [](auto& x) { return x.m.contention_beyond_cores; },
     "cluster.machine.contention_beyond_cores"},
    {"C_2", "of one thread, weights in the second-level cache", [](auto& x) { return x.m.multiply_add_l2; },
     "cluster.machine.multiply_add_l2_ns"},
    {"C_3", "of one thread, weights in the last-level cache", [](auto& x) { return x.m.multiply_add_l3; },
     "cluster.machine.multiply_add_l3_ns"},
    {"C_m", "of one thread, weights in memory", [](auto& x) { return x.m.multiply_add_memory; },
     "cluster.machine.multiply_add_memory_ns"},
    {"C_a", "one of them", [](auto& x) { return x.m.activation; }, "cluster.machine.activation_ns"},
    {"C_x", "an exponential", [](auto& x) { return x.m.exponential; }, "cluster.machine.exponential_ns"},
    {"C_e", "one of them", [](auto& x) { return x.m.error; }, "cluster.machine.error_ns"},
    {"C_u", "one local update", [](auto& x) { return x.m.update; }, "cluster.machine.update_ns"},
    // the step
    {"E", "samples in a step", [](auto& x) { return x.s.batch.effective; }, Topic::effective_batch},
    {"t", "step", [](auto& x) { return x.s.step; }, Topic::step},
    {"t_f", "forward", [](auto& x) { return x.s.forward; }, Topic::forward},
    {"t_b", "backward", [](auto& x) { return x.s.backward; }, Topic::backward},
    {"t_u", "update", [](auto& x) { return x.s.update; }, Topic::update},
    {"t_c", "communication", [](auto& x) { return x.s.communication; }, Topic::communication},
    {"t_i", "idle", [](auto& x) { return x.s.idle; }, Topic::idle},
    {"t_a", "forward, backward, update and communication",
     [](auto& x) { return x.s.forward + x.s.backward + x.s.update + x.s.communication; }, Topic::cpu_exchange, 3},
    {"t_l", "deltas of weights, and their local updates", [](auto& x) { return x.local_updates(); },
     Topic::cpu_exchange, 4},
    {"t_x", "exchange between the machines of a replica", [](auto& x) { return x.exchange(); }, Topic::cpu_exchange, 0},
    {"h_x", "between the machines of a replica", [](auto& x) { return x.hidden_exchange(); }, Topic::cpu_exchange, 1},
    {"c", "training of a replica", [](auto& x) { return x.training(); }, Topic::cpu_exchange, 2},
    {"t_d", "waiting for the slowest replica", [](auto& x) { return x.stragglers(); }, Topic::idle, 2},
    {"t_o", "overhead of a step", [](auto& x) { return x.c.plan.overhead; }, fields::overhead},
    {"R_i", "samples the input pipeline delivers", [](auto& x) { return x.c.plan.training.input_limit; },
     fields::input_limit},
    {"rho", "spread of the machines' speeds", [](auto& x) { return Fraction{x.k.step_deviation}; }, fields::spread},
    {"T", "epoch", [](auto& x) { return x.c.estimate.epoch; }, Topic::epoch},
    // the servers
    {"V_u", "sent to the servers", [](auto& x) { return x.load.up; }, Topic::cpu_upload},
    {"V_d", "fetched from them", [](auto& x) { return x.load.down; }, Topic::cpu_download},
    {"N", "weights of the network", [](auto& x) { return x.weights(); }, fields::workload},
    {"t_w", "a worker's network, one exchange", [](auto& x) { return x.load.worker_network; },
     Topic::cpu_worker_network},
    {"t_n", "a server's network, one exchange", [](auto& x) { return x.load.server_network; },
     Topic::cpu_server_network},
    {"t_s", "a server's processor, one exchange", [](auto& x) { return x.load.server_cpu; }, Topic::cpu_server_cpu},
    {"t_q", "queueing and service", [](auto& x) { return x.e.queue.response; }, Topic::cpu_queue},
    {"Q", "replicas that are found at the servers, on average", [](auto& x) { return found_at_servers(x); },
     fields::workers},
    {"t_v", "to and from the servers", [](auto& x) { return x.sending(); }, Topic::cpu_sending, 0},
    {"h_v", "to and from the servers", [](auto& x) { return x.hidden_sending(); }, Topic::cpu_sending, 1},
    {"t_p", "waiting for the servers' processors", [](auto& x) { return x.waiting_for_servers(); }, Topic::cpu_serving},
    {"t_m", "servers on the workers' machines", [](auto& x) { return x.serving(); }, Topic::cpu_serving, 1},
    // the layer, its largest segment
    {"s", "share of the largest segment", [](auto& x) { return x.layer->share; }, Topic::share},
    {"q", "the layer's share of all weights", [](auto& x) { return share_of_weights(x); }, fields::workload},
    {"p", "segments", [](auto& x) { return x.layer->t.split; }, "cpu.partitions"},
    {"x", "rows, channels or units that it can be cut into", [](auto& x) { return x.layer->w.extent; },
     fields::workload},
    {"A", "multiply-adds of a sample, of the largest segment", [](auto& x) { return x.layer->adds[x.pass]; },
     fields::workload},
    {"C", "one multiply-add", [](auto& x) { return x.multiply_add(); }, Topic::cpu_multiply_add},
    {"U", "one sample on one thread", [](auto& x) { return x.layer->t.compute.of(x.pass); }, Topic::cpu_compute},
    {"M", "exchange", [](auto& x) { return x.layer->t.exchange.of(x.pass); }, Topic::cpu_layer_exchange},
    {"T_l", "the machine that takes longest: its compute and its exchange",
     [](auto& x) { return x.layer->t.time.of(x.pass); }, "cpu.partitions"},
    {"n_a", "outputs, or comparisons of a window", [](auto& x) { return x.layer->w.activations * x.layer->share; },
     fields::workload},
    {"n_x", "outputs of a softmax", [](auto& x) { return x.layer->w.exponentials * x.layer->share; }, fields::workload},
    {"n_e", "error terms", [](auto& x) { return errors(x); }, fields::workload},
    {"n_u", "weights of the largest segment", [](auto& x) { return x.layer->w.updated * x.layer->kept; },
     fields::workload},
    {"n_o", "outputs of a sample", [](auto& x) { return x.layer->w.outputs; }, fields::workload},
    {"r", "multiply-adds that each loaded weight serves", [](auto& x) { return x.layer->reuse; }, fields::workload},
    {"N_w", "weights", [](auto& x) { return x.layer->w.weights; }, fields::workload},
    {"N_f", "inputs of both factors", [](auto& x) { return x.layer->w.inputs; }, fields::workload},
    {"N_l", "weights and biases", [](auto& x) { return x.layer->w.own_weights; }, fields::workload},
    {"v", "activations and errors of a sample, whose product is the delta", [](auto& x) { return x.layer->w.vectors; },
     fields::workload},
    {"t_r", "start-up times of summing the kernels' deltas in a ring", [](auto& x) { return ring(x).start_up; },
     "cluster.machine.latency_us"},
    {"D_r", "bytes that each machine passes on, 2(p \u2212 1)/p of the weights",
     [](auto& x) { return Bytes{ring(x).transfer.value * x.m.network.value}; }, "cpu.partitions"},
    // memory of the fullest machine
    {"m_w", "weights", [](auto& x) { return x.c.estimate.memory.weights; }, Topic::weights},
    {"m_d", "deltas that wait", [](auto& x) { return x.c.estimate.memory.gradients; }, Topic::gradients},
    {"m_a", "activations and errors", [](auto& x) { return x.c.estimate.memory.activations; }, Topic::activations},
    {"m_b", "buffers", [](auto& x) { return x.method.prepared.options.buffers; }, "cpu.buffers_gb"},
};

std::optional<Layer> layer_of(const Context& c, int position) {
    const auto& layers = c.plan.cpu->prepared.list.layers;
    const auto it = std::find_if(layers.begin(), layers.end(), [&](const auto& w) { return w.position == position; });
    if (it == layers.end()) return std::nullopt;
    return Layer(*c.plan.cpu, *c.estimate.cpu, static_cast<std::size_t>(it - layers.begin()));
}

template <class F>
Seconds sum_of_layers(const Cpu& x, F time) {
    Seconds sum;
    for (const yan::LayerTimes& t : x.e.layers) sum += time(t);
    return x.factor() * sum;
}

/// None: the page is the one of all methods.
const Row* row_of(Topic topic) {
    for (const auto& room : {step_pages(), layer_pages()})
        for (const Row& row : room)
            if (row.topic == topic) return &row;
    return nullptr;
}

}  // namespace

Layer::Layer(const CpuMethod& method, const yan::Evaluation& e, std::size_t l)
    : at(l),
      w(method.prepared.list.layers[l]),
      t(e.layers[l]),
      share(yan::largest_share(w, t.split, method.prepared.options)),
      kept(w.replicates ? 1.0 : share),
      reuse(w.replicates ? std::max(1.0, w.reuse * share) : w.reuse),
      adds{share * w.forward_adds, share * w.backward_adds, share * w.delta_adds} {}

Cpu::Cpu(const Context& context, const Item& asked)
    : c(context),
      item(asked),
      method(*context.plan.cpu),
      e(*context.estimate.cpu),
      k(e.configuration),
      m(method.prepared.machine),
      load(e.score.load),
      s(context.estimate.summary),
      layer(layer_of(context, asked.layer)),
      pass(static_cast<std::size_t>(std::max(0, cpu_pass(asked)))) {}

Seconds Cpu::exchange() const {
    return sum_of_layers(*this, [](const auto& t) { return t.exposed(); });
}
Seconds Cpu::hidden_exchange() const {
    return sum_of_layers(*this, [](const auto& t) { return t.hidden(); });
}
Seconds Cpu::local_updates() const {
    return sum_of_layers(*this, [](const auto& t) { return t.compute.update; });
}

Seconds Cpu::waiting_for_servers() const {
    if (alone()) return {};
    if (k.synchronous) return k.servers_beside ? Seconds{} : static_cast<double>(k.replicas) * load.server_cpu;
    if (method.queueing) return e.queue.response - load.server_network;
    const bool waits = serving().value == 0 && e.asynchronous.binding == yan::Resource::server_cpu;
    return waits ? settled(e.asynchronous.time - training()) : Seconds{};
}

Seconds Cpu::stragglers() const {
    if (alone() || !k.synchronous || k.step_deviation == 0) return {};
    return settled(e.synchronous.term(yan::Resource::compute) - training());
}

yan::MachineTraffic Cpu::slowest_traffic(bool gradients) const {
    const auto& list = method.prepared.list;
    const int l = static_cast<int>(layer->at);
    std::vector<std::int64_t> splits;
    for (const yan::LayerTimes& t : e.layers) splits.push_back(t.split);
    const yan::Layout layout{splits, k.partitions, e.placement ? &*e.placement : nullptr};
    if (method.prepared.options.worked_example) return yan::printed_traffic(list, l, splits, gradients);
    if (yan::is_even(list, l, layout)) return yan::even_traffic(list, l, splits[layer->at], gradients);
    yan::Scratchpad pad;
    pad.make_room(splits.size(), layout.partitions);
    std::fill(pad.traffic.begin(), pad.traffic.end(), yan::MachineTraffic{});
    yan::add_traffic(list, l, layout, true, pad);
    if (!gradients) yan::add_traffic(list, l, layout, false, pad);
    return *std::max_element(pad.traffic.begin(), pad.traffic.end(), [&](const auto& a, const auto& b) {
        return yan::time_of(a, m, k.threads) < yan::time_of(b, m, k.threads);
    });
}

Page Cpu::page(const char* symbol, const Amount& result, const std::string& formula) const {
    Page page(c, item, symbol, result);
    page.source(source);
    return formula.empty() ? page : tell(page, formula);
}

Page& Cpu::tell(Page& page, const std::string& formula) const {
    return explaining::tell(page, formula, *this, std::span<const Symbol<Cpu>>(table));
}

Page Cpu::nothing(const char* symbol, const Amount& zero, std::string reason, std::string_view field) const {
    Page page = this->page(symbol, zero);
    return with_fact(page.nothing(std::move(reason)), field);
}

Page Cpu::with_fact(Page page, std::string_view field) const {
    struct Fact {
        std::string_view field;
        const char* text;
        std::string shown;
    };
    const Fact facts[] = {
        {fields::workload, "network", c.part(0).network->name()},
        {fields::updates, "updates", k.synchronous ? "synchronous" : "asynchronous"},
        {fields::optimizer, "optimizer", "SGD"},
        {fields::spread, "spread of the machines' speeds", format_percent(Fraction{k.step_deviation})},
        {"cpu.partitions", "machines of a replica", format_count(k.partitions)},
        {"cpu.servers_beside", "servers on workers' machines", k.servers_beside ? "yes" : "no"}};
    for (const Fact& f : facts)
        if (f.field == field) page.fact(f.text, f.shown, field);
    return page;
}

std::vector<std::size_t> Cpu::layers(bool of_fullest) const {
    const auto& list = method.prepared.list.layers;
    std::vector<std::size_t> all(list.size());
    std::iota(all.begin(), all.end(), 0);
    if (!of_fullest || !e.placement) return all;
    std::vector<double> bytes(static_cast<std::size_t>(k.partitions), 0.0);
    for (const std::size_t l : all)
        for (const std::int32_t machine : e.placement->of(l))
            bytes[static_cast<std::size_t>(machine)] +=
                yan::segment_memory(method.prepared, list[l], e.layers[l].split, k.threads).total().value;
    const auto fullest = std::max_element(bytes.begin(), bytes.end()) - bytes.begin();
    std::erase_if(all, [&](std::size_t l) {
        const auto on = e.placement->of(l);
        return std::find(on.begin(), on.end(), fullest) == on.end();
    });
    return all;
}

}  // namespace cpus

bool is_cpu_topic(const Item& item) { return cpus::row_of(item.topic) != nullptr; }

bool cpu_item_exists(const Context& c, const Item& item) {
    const bool of_layer = item.topic >= Topic::cpu_compute && item.topic <= Topic::cpu_working_set;
    const cpus::Cpu cpu(c, item);
    if (of_layer) return cpu.layer && item.index >= 0 && item.index < 3;
    const bool of_servers = item.topic >= Topic::cpu_sending && item.topic <= Topic::cpu_staleness;
    if (of_servers) return !cpu.alone() && item.index <= 1;
    if (item.topic == Topic::samples) return item.index <= 0;
    constexpr Topic as_with_all_methods[] = {Topic::step,           Topic::forward,      Topic::backward,
                                             Topic::update,         Topic::throughput,   Topic::epoch,
                                             Topic::efficiency,     Topic::layer,        Topic::layer_compute,
                                             Topic::layer_backward, Topic::layer_inputs, Topic::layer_output};
    return is_cpu_topic(item) || std::count(std::begin(as_with_all_methods), std::end(as_with_all_methods), item.topic);
}

Page cpu_page(const Context& c, const Item& item) { return cpus::row_of(item.topic)->page(cpus::Cpu(c, item)); }

}  // namespace scalescope::explaining
