// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of CPU clusters. What they share with other methods is not here.
#include "core/estimate/explain_rows.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::explaining {

/// What a page takes from the method (docs/decisions/cpu-clusters.md): of the item's layer, of its largest segment.
/// Inputs and views cost nothing, and have no place in the method's list.
struct Cpu {
    const Context& c;
    const Item& item;
    const CpuMethod& method = *c.plan.cpu;
    const yan::Evaluation& e = *c.estimate.cpu;
    const yan::Configuration& k = e.configuration;
    const CpuMachine& m = method.prepared.machine;
    const yan::ServerLoad& load = e.score.load;
    const Summary& s = c.estimate.summary;
    const std::vector<yan::LayerWork>& list = method.prepared.list.layers;
    std::size_t at =
        static_cast<std::size_t>(std::ranges::find(list, item.layer, &yan::LayerWork::position) - list.begin());
    bool listed = at < list.size();
    const yan::LayerWork& w = listed ? list[at] : no_work;
    const yan::LayerTimes& t = listed ? e.layers[at] : no_time;
    double share = listed ? yan::largest_share(w, t.split, method.prepared.options) : 1;  ///< of the layer
    double kept = w.replicates ? 1 : share;                                               ///< of its weights
    /// The item's: 0 forward, 1 errors, 2 deltas.
    std::size_t pass = of_cpu_layer(item.topic)            ? static_cast<std::size_t>(std::max(item.index, 0))
                       : item.topic == Topic::layer_update ? 2
                                                           : index_of(item.pass);
    static inline const yan::LayerWork no_work{};
    static inline const yan::LayerTimes no_time{};

    double adds() const { return share * std::array{w.forward_adds, w.backward_adds, w.delta_adds}[pass]; }
    /// Multiply-adds that a loaded weight serves.
    double reuse() const { return w.replicates ? std::max(1.0, w.reuse * share) : w.reuse; }
    bool alone() const { return trains_alone(k); }
    bool queued() const { return !k.synchronous && method.queueing; }
    double weights() const { return method.prepared.weights.value; }
    /// Seconds of a step for each second that a thread spends on a sample: K/H.
    double factor() const { return static_cast<double>(k.exchange_every) / static_cast<double>(k.threads); }
    /// What a step computes and exchanges between machines, K/H·T, and of it what the layers exchange and update.
    Seconds training() const { return factor() * e.score.sample.total(); }
    template <class G>
    Seconds of_layers(G time) const {
        Seconds sum;
        for (const yan::LayerTimes& of_one : e.layers) sum += std::invoke(time, of_one);
        return factor() * sum;
    }
    Seconds exchange() const { return of_layers(&yan::LayerTimes::exposed); }
    Seconds hidden_exchange() const { return of_layers(&yan::LayerTimes::hidden); }
    Seconds local_updates() const {
        return of_layers([](const auto& one) { return one.compute.update; });
    }
    /// Of the step: messages to and from servers that are waited for.
    Seconds sending() const { return alone() ? Seconds{} : settled(s.communication - exchange()); }
    /// Beside the workers: of the update.
    Seconds serving() const { return alone() ? Seconds{} : settled(s.update - local_updates()); }
    /// Part of what is idle; so is the wait for the slowest replica.
    Seconds waiting_for_servers() const {
        if (alone()) return {};
        if (k.synchronous) return k.servers_beside ? Seconds{} : static_cast<double>(k.replicas) * load.server_cpu;
        if (method.queueing) return e.queue.response - load.server_network;
        const bool waits = serving().value == 0 && e.asynchronous.binding == yan::Resource::server_cpu;
        return waits ? settled(e.asynchronous.time - training()) : Seconds{};
    }
    Seconds stragglers() const {
        if (alone() || !k.synchronous || k.step_deviation == 0) return {};
        return settled(e.synchronous.term(yan::Resource::compute) - training());
    }
    /// Without what rounding left of nothing.
    Seconds settled(Seconds left) const { return left.value > 1e-13 * s.step.value ? left : Seconds{}; }
    /// Of one multiply-add of the item's layer.
    Seconds multiply_add() const { return yan::multiply_add(m, k.threads, t.compute.working_set, reuse()); }
    /// The share of all weights that the item's layer has.
    double share_of_weights() const {
        if (!listed) return 0;
        return weights() > 0 ? w.own_weights / weights() : 1.0 / static_cast<double>(e.layers.size());
    }
    /// Errors are dealt out like the inputs, or like the outputs: their number is what remains.
    double errors() const {
        if (pass != 1 || w.errors <= 0 || m.error.value <= 0) return 0;
        return (t.compute.backward - (adds() > 0 ? adds() * multiply_add() : Seconds{})) / m.error;
    }
    double sent() const {
        const double all = w.own_weights, vectors = static_cast<double>(k.exchange_every) * w.vectors;
        return vectors > 0.0 ? std::min(all, vectors) : all;
    }
    double found_at_servers() const {
        const Seconds service = load.server_network + load.server_cpu;
        return service.value > 0 ? e.queue.response / service - 1.0 : 0.0;
    }
    const yan::EpochTimes& bound() const { return k.synchronous ? e.synchronous : e.asynchronous; }
    const LayerEstimate& row() const { return c.row(0, item.layer); }
    yan::DeltaSum ring() const { return yan::delta_sum(w, t.split, m); }
    Seconds waited() const { return t.time.of(pass) - t.compute.of(pass); }
    /// The same machine computes and exchanges longest.
    bool computes_and_exchanges() const {
        const Seconds u = t.compute.of(pass), x = t.exchange.of(pass);
        return std::max(u, x) + (1.0 - k.overlap) * std::min(u, x) == t.time.of(pass);
    }
    /// Messages of the machine of a replica that exchanges longest for the item's layer, and whether it sends longer
    /// than it receives.
    struct Exchange {
        double machines;
        double elements;
        bool sends;
    };
    Exchange slowest() const;
};

Cpu::Exchange Cpu::slowest() const {
    const auto traffic = [&]() -> yan::MachineTraffic {
        const bool gradients = pass == 1;
        const auto& all = method.prepared.list;
        const int l = static_cast<int>(at);
        std::vector<std::int64_t> splits;
        for (const yan::LayerTimes& of_one : e.layers) splits.push_back(of_one.split);
        const yan::Layout layout{splits, k.partitions, e.placement ? &*e.placement : nullptr};
        if (method.prepared.options.worked_example) return yan::printed_traffic(all, l, splits, gradients);
        if (yan::is_even(all, l, layout)) return yan::even_traffic(all, l, splits[at], gradients);
        yan::Scratchpad pad;
        pad.make_room(splits.size(), layout.partitions);
        std::fill(pad.traffic.begin(), pad.traffic.end(), yan::MachineTraffic{});
        yan::add_traffic(all, l, layout, true, pad);
        if (!gradients) yan::add_traffic(all, l, layout, false, pad);
        return *std::max_element(pad.traffic.begin(), pad.traffic.end(), [&](const auto& a, const auto& b) {
            return yan::time_of(a, m, k.threads) < yan::time_of(b, m, k.threads);
        });
    }();
    const bool sends = yan::time_of({0, traffic.sent, 0, traffic.destinations}, m, k.threads) >
                       yan::time_of({traffic.received, 0, traffic.sources, 0}, m, k.threads);
    if (sends) return {traffic.destinations, traffic.sent, true};
    return {traffic.sources, traffic.received, false};
}

namespace cpus {
namespace {

using X = const Cpu&;

constexpr auto synchronous = [](X x) { return x.k.synchronous; };
constexpr auto alone = &Cpu::alone;
constexpr auto queued = &Cpu::queued;
constexpr auto beside = [](X x) { return x.k.servers_beside; };
constexpr auto grows = &Context::batch_grows;
constexpr auto in_memory = [](X x) { return x.t.compute.tier == yan::CacheTier::memory; };
constexpr auto split = [](X x) { return x.t.split > 1; };

/// What `value` gives for each layer that the fullest machine has a segment of, as the figure `topic` of it.
template <class F>
Terms of_fullest(X x, Topic topic, F value) {
    const auto* placement = x.e.placement ? &*x.e.placement : nullptr;
    std::vector<double> bytes(static_cast<std::size_t>(x.k.partitions), 0.0);
    for (std::size_t l = 0; placement && l < x.list.size(); ++l)
        for (const std::int32_t machine : placement->of(l))
            bytes[static_cast<std::size_t>(machine)] +=
                yan::segment_memory(x.method.prepared, x.list[l], x.e.layers[l].split, x.k.threads).total().value;
    const auto fullest = std::max_element(bytes.begin(), bytes.end()) - bytes.begin();
    Terms terms;
    for (std::size_t l = 0; l < x.list.size(); ++l)
        if (const Item there{topic, 0, x.list[l].position}; !placement || std::ranges::count(placement->of(l), fullest))
            terms.push_back({x.c.layer_name(0, there.layer), value(Cpu{x.c, there}), there});
    return terms;
}
constexpr auto weights_of_fullest = [](X x) {
    return of_fullest(x, Topic::layer_parameters, [](X l) { return l.w.own_weights * l.kept; });
};

/// What of the item's layer is waited for, or exchanged, in a pass that the page need not be about.
template <Topic topic, int pass>
constexpr auto in_pass = [](const Ask& x) { return at_index(topic, pass, 0, x.item.layer); };

const Hole cpu_holes[] = {
    {"machine", [](X x) { return x.m.name; }},
    {"split", [](X x) { return format_count(x.t.split); }},
    {"sends", [](X x) { return x.slowest().sends; }, "sends", "receives"},
    {"to", [](X x) { return x.slowest().sends; }, "to", "from"},
    {"binding", [](X x) { return yan::name_of(x.bound().binding); }},
    // Servers on workers' machines have their network cards.
    {"w_s", [](X x) { return x.k.servers_beside; }, "w", "w_s"},
    {"C", in_memory, "C_m", [](X x) { return x.t.compute.tier == yan::CacheTier::l2; }, "C_2", "C_3"},
    // The bottleneck law of asynchronous steps: all replicas exchange once in a step.
    {"law",
     [](X x) {
         return std::string("max(c, t_w, R*t_n, R*t_s") + (x.k.exchange_beside_training ? "" : ", c + t_w") +
                (x.k.servers_beside ? ", c + R*t_s, t_w + R*t_n)" : ")");
     }},
};

constexpr const char *one_machine = "One machine that trains alone keeps its weights, and has no servers.",
                     *no_exchange = "Its machines have all they need.|cpu.partitions",
                     *no_work = "The layer does nothing in this pass.",
                     *no_weights = "The layer has no weights of its own.",
                     *of_largest = "Of the largest of {split} segments.";

std::span<const Figure> cpu_figures() {
    using enum Topic;
    static const Figure all[] = {
        // how training is spread
        {"K", "samples of a replica in a step", &Batch::per_replica, samples, 0, "training.batch", is("B.each", grows),
         is("ceil(B/R.all)")},
        {"*K.once", "samples of a replica in a step",
         [](X x) { return x.k.local_update == LocalUpdate::per_exchange ? x.s.batch.per_replica : std::int64_t{1}; },
         samples, 0, "training.batch"},
        {"B", "samples of all replicas", "training.batch"},
        {"B.each", "samples of a replica between two exchanges", "training.batch"},
        {"h", "threads of a machine, each with a sample", [](X x) { return x.k.threads; }, "cpu.threads"},
        {"R", "replicas", [](X x) { return x.k.replicas; }, "cluster.workers"},
        {"R.all", "replicas", [](X x) { return std::max<std::int64_t>(1, x.c.workers() / x.k.partitions); },
         "cluster.workers"},
        {"P", "machines of a replica", [](X x) { return x.k.partitions; }, "cpu.partitions"},
        {"S", "parameter servers", [](X x) { return x.k.servers; }, "parallelism.servers"},
        {"n", "machines that train", &Context::workers, "cluster.workers"},
        {"o", "share of the shorter that hides", "cpu.overlap"},
        // the machine
        {"w", "network of a worker, one way", "cluster.machine.network_gb_s"},
        {"w_s", "network of a server, one way", "cluster.machine.server_network_gb_s"},
        {"l", "start-up time of a message", "cluster.machine.latency_us"},
        {"u", "weights that a server updates in a second", "cluster.machine.server_updates_m_s"},
        {"b_w", "bytes of a weight", "cluster.machine.weight_bytes"},
        {"b_a", "bytes of an activation", "cluster.machine.activation_bytes"},
        {"W", "memory bandwidth of the machine", "cluster.machine.memory_bandwidth_gb_s"},
        {"n_c", "cores", "cluster.machine.cores"},
        {"k", "contention, by which each further thread slows all", "cluster.machine.contention"},
        {"+k_b", "contention beyond the cores",
         [](X x) { return x.k.threads > x.m.cores ? x.m.contention_beyond_cores : 0.0; },
         "cluster.machine.contention_beyond_cores"},
        {"C_2", "of one thread, weights in the second-level cache", "cluster.machine.multiply_add_l2_ns"},
        {"C_3", "of one thread, weights in the last-level cache", "cluster.machine.multiply_add_l3_ns"},
        {"C_m", "of one thread, weights in memory", "cluster.machine.multiply_add_memory_ns"},
        {"C_a", "one of them", "cluster.machine.activation_ns"},
        {"C_x", "an exponential", "cluster.machine.exponential_ns"},
        {"C_e", "one of them", "cluster.machine.error_ns"},
        {"C_u", "one local update", "cluster.machine.update_ns"},
        {"p.price", "price of a {machine}", "cluster.machine.price_usd_per_hour"},
        // the step
        {"E", "samples in a step", &Batch::effective, effective_batch, is("B.each*R", grows), is("B")},
        {"E_1", "samples of its step", [](X x) { return x.c.estimate.baseline.batch.effective; },
         on_one_worker<effective_batch>},
        {"t_1", "step of one machine alone", [](X x) { return x.c.estimate.baseline.step; }, on_one_worker<step>},
        {"t_c", "communication", &Summary::communication, communication, is("t_x + t_v"), note(one_machine, alone),
         stack("Communication: t_x t_v")},
        {"t_h", "hidden communication", [](X x) { return x.settled(x.s.hidden); }, hidden, is("h_x + h_v"),
         note(one_machine, alone)},
        {"+t_i", "idle", &Summary::idle, idle,
         is("t_d + t_p + t_o + max(0, E/R_i - (t_a + t_d + t_p + t_o))",
            [](X x) { return x.c.plan.training.input_limit.value > 0; }),
         is("t_d + t_p + t_o"), nothing("Nothing makes a machine wait.|parallelism.updates")},
        {"+t_d", "waiting for the slowest replica", &Cpu::stragglers, idle, 2,
         is("rho*(2*0.6931471805599453*log2(R))^0.5*c"),
         source("Extreme values: Cram\u00e9r, Mathematical Methods of Statistics, 1946"),
         nothing("No replica is slower than another.|model.spread")},
        {"h_x", "between the machines of a replica", &Cpu::hidden_exchange, cpu_exchange, 1, sum("t.hid1"),
         nothing("Compute hides none of it.|cpu.partitions")},
        {"c", "training of a replica", &Cpu::training, cpu_exchange, 2, is("t_f + t_b + t_l + t_x")},
        {"t_a", "forward, backward, update and communication",
         [](X x) { return x.s.forward + x.s.backward + x.s.update + x.s.communication; }, cpu_exchange, 3,
         is("t_f + t_b + t_u + t_c")},
        {"t_l", "deltas of weights, and their local updates", &Cpu::local_updates, cpu_exchange, 4, is("K/h*{sum}"),
         sum("U.deltas")},
        {"t_x", "exchange between the machines of a replica", &Cpu::exchange, cpu_exchange, sum("t.sent1"),
         nothing("The machines of a replica send each other nothing.|cpu.partitions")},
        {"S.up", "speedup", [](X x) { return Amount(x.c.estimate.speedup, Measure::ratio); }, speedup,
         is("E*t_1/(E_1*t)"),
         note("More than one for each machine: a segment of the network fits into a faster cache, or into memory.",
              [](X x) { return x.c.estimate.efficiency > 1; }),
         note("1\u00d7 is one machine that trains alone, with the whole network and no servers."),
         stack("t: t_f t_b t_u t_c t_i")},
        {"C.cost", "cost", [](X x) { return Amount(x.c.estimate.epoch_cost.value_or(0), Measure::dollars); }, cost,
         is("p.price*(n + k.own)*T/3600"), note("An hour has 3,600 s."), note("Price: {price}")},
        {"u.idle", "idle share", [](X x) { return Fraction{x.c.estimate.idle_share}; }, idle_share,
         is("1 - (t - t_i)/t*R*P/n")},
        // the servers
        {"V_u", "sent to the servers", [](X x) { return x.load.up; }, cpu_upload,
         is("b_w*{sum}", [](X x) { return x.item.layer < 0; }), sum("N.sent", "layers", Measure::number)},
        {"N.sent", "sent of the layer", &Cpu::sent, cpu_upload,
         is("min(N_l, K*v)", [](X x) { return x.w.vectors > 0; }),
         note("The servers form the product where the vectors are fewer than the weights."), is("N_l"),
         nothing(no_weights)},
        {"V_d", "fetched from them", [](X x) { return x.load.down; }, cpu_download, is("b_w*N")},
        {"N", "weights of the network", &Cpu::weights},
        {"t_w", "a worker's network, one exchange", [](X x) { return x.load.worker_network; }, cpu_worker_network,
         is("(V_u + V_d)/(P*w) + 2*l")},
        {"t_n", "a server's network, one exchange", [](X x) { return x.load.server_network; }, cpu_server_network,
         is("(V_u + V_d)/(S*{w_s})")},
        {"t_s", "a server's processor, one exchange", [](X x) { return x.load.server_cpu; }, cpu_server_cpu,
         is("N/(S*u)")},
        {"t_q", "queueing and service", [](X x) { return x.e.queue.response; }, cpu_queue, is("(t_n + t_s)*(1 + Q)"),
         source("Exact mean value analysis: Reiser and Lavenberg, Journal of the ACM, 1980")},
        {"Q", "replicas that are found at the servers, on average", &Cpu::found_at_servers, "cluster.workers"},
        {"+t_v", "to and from the servers", &Cpu::sending, cpu_sending,
         is("V_u/(P*w) + R*V_u/(S*w) + V_d/(P*w) + R*V_d/(S*w) + 2*l",
            [](X x) { return x.k.synchronous && x.k.servers_beside; }),
         note("Workers and servers share their network cards."),
         is("max(V_u/(P*w), R*V_u/(S*w_s)) + max(V_d/(P*w), R*V_d/(S*w_s)) + 2*l", synchronous),
         note("Each way takes as long as the slower of a replica's and the servers' networks."),
         is("t_w + t_n", queued), is("{law} - c"),
         note("Asynchronous: as long as whatever is busiest, less what the replicas train meanwhile."),
         nothing("All replicas are served while they train: nothing is waited for.|parallelism.updates")},
        {"+h_v", "to and from the servers",
         [](X x) { return x.alone() ? Seconds{} : x.settled(x.s.hidden - x.hidden_exchange()); }, cpu_sending, 1,
         is("max(0, t_w - t_v)", [](X x) { return !x.k.synchronous && !x.queued(); }), is("0"),
         nothing("Replicas wait for their exchange with the servers.|parallelism.updates")},
        {"+t_m", "servers on the workers' machines", &Cpu::serving, cpu_serving, 1, is("R*t_s", synchronous),
         note("The servers apply the deltas of one replica after the other."), is("{law} - c"),
         nothing("The servers stand on machines of their own, or keep up.|cpu.servers_beside")},
        {"+t_p", "waiting for the servers' processors", &Cpu::waiting_for_servers, cpu_serving,
         is("R*t_s", synchronous), note("The servers apply the deltas of one replica after the other."),
         is("t_q - t_n", queued), is("{law} - c"),
         nothing("No replica waits for a server's processor.|cpu.servers_beside")},
        {"t.bound", "the step without what all wait for", [](X x) { return x.bound().time; }, cpu_binding,
         note("It is set by: {binding}."), is("c + t_v + t_p + t_m + t_d", synchronous), is("{law}"),
         note("The bottleneck law: asynchronous replicas train as fast as the busiest of all lets them.")},
        {"d", "staleness", [](X x) { return x.k.synchronous ? 0.0 : static_cast<double>(x.k.replicas - 1); },
         cpu_staleness, is("0", synchronous), is("R - 1"),
         note("Updates of others between a replica's read of the weights and its own update. A replica makes X/R of "
              "all X updates, so that R - 1 of others come between two of its own (Little, 1961)."),
         note("How much it slows learning down is not known here."),
         nothing("All replicas update the weights in step.|parallelism.updates")},
        // the layer, its largest segment
        {"t.pass", "one pass", [](X x) { return time_of(x.row(), layer_pass, x.item.pass); }, layer_pass,
         is("0", [](X x) { return x.item.pass == Pass::grad_weights; }), is("K/h*U"), note(of_largest, split),
         nothing("Nothing is computed here; deltas of weights are counted in the update.")},
        {"t.update", "update", &LayerEstimate::update, layer_update, is("K/h*U + q*t_m"), note(of_largest, split),
         nothing(no_work)},
        {"t.sent1", "exchange", [](X x) { return x.factor() * x.t.exposed(); }, layer_communication, 1,
         is("K/h*(e_f + e_b + e_w)"), nothing(no_exchange)},
        {"t.sent", "communication", &LayerEstimate::communication, layer_communication,
         is("K/h*(e_f + e_b + e_w) + q*t_v"), nothing(no_exchange)},
        {"t.hid1", "hidden exchange", [](X x) { return x.factor() * x.t.hidden(); }, layer_hidden, 1,
         is("K/h*max(0, (M_f + M_b + M_w) - (e_f + e_b + e_w))"), nothing("Compute hides nothing.|cpu.partitions")},
        {"t.hid", "hidden communication", &LayerEstimate::hidden, layer_hidden,
         is("K/h*max(0, (M_f + M_b + M_w) - (e_f + e_b + e_w)) + q*h_v"),
         nothing("Compute hides nothing.|cpu.partitions")},
        {"*s", "share of the largest segment", &Cpu::share, share, is("1", [](X x) { return !x.listed; }),
         is("1/p", [](X x) { return x.method.prepared.options.worked_example; }), is("ceil(x/p)/x")},
        {"*s.kept", "share of the largest segment", &Cpu::kept, share},
        {"+q", "the layer's share of all weights", &Cpu::share_of_weights},
        {"p", "segments", [](X x) { return x.t.split; }, "cpu.partitions"},
        {"x", "rows, channels or units that it can be cut into", [](X x) { return x.w.extent; }},
        {"+A", "multiply-adds of a sample, of the largest segment", &Cpu::adds},
        {"F", "arithmetic", [](X x) { return Flops{2.0 * x.adds()}; }, layer_flops, is("2*A"),
         note("A multiply-add counts as two operations."), nothing("The pass does no multiply-adds.")},
        {"D.none", "memory traffic", [](X) { return Bytes{0}; }, layer_bytes, is("0"),
         nothing("Memory traffic is not counted by itself here: the time of a multiply-add says where weights lie.")},
        {"C", "one multiply-add", &Cpu::multiply_add, cpu_multiply_add,
         is("max({C}*(1 + k*(h - 1) + k_b*(h - n_c)), b_w*h/(r*W))", in_memory),
         note("Weights stream from memory: no thread is faster than its share of the memory's bandwidth."),
         is("{C}*(1 + k*(h - 1) + k_b*(h - n_c))")},
        {"+U", "one sample on one thread", [](X x) { return x.t.compute.of(x.pass); }, cpu_compute,
         is("A*C + n_a*C_a + n_x*C_x + n_e*C_e + n_u*C_u/K.once"), nothing(no_work)},
        {"U.deltas", "deltas of one sample", [](X x) { return x.t.compute.update; }, cpu_compute, 2},
        {"D", "bytes that the segment's weights fill", [](X x) { return x.t.compute.working_set; }, cpu_working_set,
         is("b_a*N_f*s", [](X x) { return x.w.weights <= 0 && x.w.is_product; }), is("b_w*N_w*s.kept"),
         note("Split by rows, every machine has all kernels.", [](X x) { return x.kept == 1 && split(x); }),
         nothing("The layer has no weights.")},
        {"M", "exchange", [](X x) { return x.t.exchange.of(x.pass); }, cpu_layer_exchange,
         is("t_r + h*D_r/w", [](X x) { return x.pass == 2 && x.k.local_update == LocalUpdate::per_sample; }),
         is("(t_r + D_r/w)*h/K", [](X x) { return x.pass == 2; }), is("j*l + z*b_a*h/w"),
         note("The threads share the network."), nothing(no_exchange)},
        {"e", "waited for", &Cpu::waited, cpu_layer_waited,
         is("M", [](X x) { return x.t.exchange.of(x.pass).value == 0; }),
         is("max(U, M) + (1 - o)*min(U, M) - U", &Cpu::computes_and_exchanges), is("T_l - U"),
         note("The machine that exchanges most need not be one that computes.")},
        {"+M_f", "exchange, forward", nullptr, in_pass<cpu_layer_exchange, 0>},
        {"+M_b", "exchange, backward", nullptr, in_pass<cpu_layer_exchange, 1>},
        {"+M_w", "exchange, deltas", nullptr, in_pass<cpu_layer_exchange, 2>},
        {"+e_f", "waited for, forward", nullptr, in_pass<cpu_layer_waited, 0>},
        {"+e_b", "waited for, backward", nullptr, in_pass<cpu_layer_waited, 1>},
        {"+e_w", "waited for, deltas", nullptr, in_pass<cpu_layer_waited, 2>},
        {"T_l", "the machine that takes longest: its compute and its exchange", [](X x) { return x.t.time.of(x.pass); },
         "cpu.partitions"},
        {"j", "machines it {sends} {to}", [](X x) { return x.slowest().machines; }, "cpu.partitions"},
        {"z", "elements it {sends}", [](X x) { return x.slowest().elements; }, "cpu.partitions"},
        {"+n_a", "outputs, or comparisons of a window",
         [](X x) { return x.pass == 0 ? x.w.activations * x.share : 0.0; }},
        {"+n_x", "outputs of a softmax", [](X x) { return x.pass == 0 ? x.w.exponentials * x.share : 0.0; }},
        {"+n_e", "error terms", &Cpu::errors},
        {"+n_u", "weights of the largest segment", [](X x) { return x.pass == 2 ? x.w.updated * x.kept : 0.0; }},
        {"+n_o", "outputs of a sample", [](X x) { return x.w.outputs; }},
        {"r", "multiply-adds that each loaded weight serves", &Cpu::reuse},
        {"+N_w", "weights", [](X x) { return x.w.weights; }},
        {"N_f", "inputs of both factors", [](X x) { return x.w.inputs; }},
        {"+N_l", "weights and biases", [](X x) { return x.w.own_weights; }},
        {"N.held", "parameters", [](X x) { return x.w.own_weights * x.kept; }, layer_parameters, is("N_l*s.kept"),
         nothing(no_weights)},
        {"v", "activations and errors of a sample, whose product is the delta", [](X x) { return x.w.vectors; }},
        {"t_r", "start-up times of summing the kernels' deltas in a ring", [](X x) { return x.ring().start_up; },
         "cluster.machine.latency_us"},
        {"D_r", "bytes that each machine passes on, 2(p \u2212 1)/p of the weights",
         [](X x) { return Bytes{x.ring().transfer.value * x.m.network.value}; }, "cpu.partitions"},
        // memory of the fullest machine
        {"M.all", "memory", &MemoryEstimate::peak, memory, is("m_w + m_d + m_a + m_b", alone),
         is("m_w + m_d + m_a + m_b + b_w*N/S", beside), is("max(m_w + m_d + m_a + m_b, b_w*N/S)"),
         note("Of a worker, or of a server on a machine of its own."), stack("A worker: m_w m_d m_a")},
        {"m_w", "weights", &MemoryEstimate::weights, weights, is("b_w*{sum}"),
         sum(weights_of_fullest, "layers", Measure::number), nothing("No layer has weights.")},
        {"m_d", "deltas that wait", &MemoryEstimate::gradients, gradients, is("b_w*{sum}"),
         sum(weights_of_fullest, "layers", Measure::number),
         nothing("No layer has weights, or the worked example leaves no room for deltas that wait.")},
        {"m_a", "activations and errors", &MemoryEstimate::activations, activations,
         sum([](X x) { return of_fullest(x, layer_kept, [](X l) { return l.row().kept.value; }); }, "layers",
             Measure::bytes)},
        {"+m_b", "buffers", "cpu.buffers_gb"},
        {"m.kept", "kept", &LayerEstimate::kept, layer_kept, is("2*h*b_a*n_o*s"),
         note("Activations, and as many errors."), nothing("Inputs and views keep nothing.")},
        {"m.none", "optimizer", [](X) { return Bytes{0}; }, optimizer, is("0"),
         nothing("Local updates keep nothing beside the weights and their deltas.|training.optimizer")},
    };
    return all;
}

}  // namespace
}  // namespace cpus

bool cpu_item_exists(const Context& c, const Item& item) {
    const Cpu cpu{c, item};
    if (of_cpu_layer(item.topic)) return cpu.listed && item.index >= 0 && item.index < 3;
    const bool of_servers = item.topic >= Topic::cpu_sending && item.topic <= Topic::cpu_staleness;
    if (of_servers) return !cpu.alone() && item.index <= 1;
    if (item.topic == Topic::samples) return item.index <= 0;
    using enum Topic;
    constexpr Topic as_with_all_methods[] = {step,          forward,        backward,     update,
                                             throughput,    epoch,          efficiency,   layer,
                                             layer_compute, layer_backward, layer_inputs, layer_output};
    return std::ranges::count(as_with_all_methods, item.topic) ||
           std::ranges::count(cpus::cpu_figures(), std::optional(item.topic),
                              [](const Figure& f) { return f.leads.topic; });
}

std::shared_ptr<const Cpu> cpu_of(const Context& c, const Item& item) {
    return std::make_shared<const Cpu>(Cpu{c, item});
}
std::optional<Page> cpu_page(const Context& c, const Item& item) {
    const Room room{cpus::cpu_figures(), cpus::cpu_holes,
                    "CPU clusters after Yan et al., KDD 2015 (re-derived): docs/decisions/cpu-clusters.md"};
    return page_of_room({c, item, cpu_of(c, item)}, room);
}

}  // namespace scalescope::explaining
