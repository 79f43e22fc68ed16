// SPDX-License-Identifier: GPL-3.0-or-later
// What pages are called, where each hangs below the step, and who makes it.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/base/sequences.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/estimate/goodput.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {

std::string_view name_of(Evidence e) {
    return one_of(e, "exact", "calibrated", "datasheet", "extrapolated", "assumed");
}

namespace explaining {
namespace {

using Rows = std::array<TopicRow, 101>;
template <class... More>
constexpr void under(Rows& rows, Topic parent, Rests rests, Topic t, std::string_view names, More... more) {
    rows[static_cast<std::size_t>(t)] = {t, parent, rests, names};
    if constexpr (sizeof...(more) > 0) under(rows, parent, rests, more...);
}
/// By Topic; those of one parent whose figures rest on the same stand together, each with its names.
constexpr Rows topics = [] {
    using enum Topic;
    using enum Rests;
    Rows rows{};
    under(rows, step, both, step, "Step", idle, "Idle|Filling and draining|Waiting for the slowest", speedup, "Speedup",
          efficiency, "Efficiency", throughput, "Throughput", epoch, "Epoch|Time for as many samples as ImageNet has",
          cost, "Cost of an epoch|Cost of as many samples as ImageNet has", idle_share, "Idle share, all together",
          goodput, "Goodput", layer, "", server_response, "Response of a server|Response of the slowest server",
          update_rate, "Updates in a second", knee, "Knee", staleness, "Staleness", cpu_binding, "Set by",
          cpu_staleness, "Staleness");
    under(rows, goodput, formula, checkpoint_interval, "Checkpoint interval", checkpoint, "Time of a checkpoint",
          interruption, "Time between interruptions");
    under(rows, step, computing, forward, "Forward", backward, "Backward", update, "Update", all_layers,
          "All layers|Back part");
    under(rows, step, sending, communication, "Communication", hidden, "Hidden communication");
    under(rows, step, formula, effective_batch, "Batch of all workers", samples,
          "Samples of a worker|Samples of all workers|Samples of a micro-batch|Samples on the way", slices, "Slices",
          micro_batches, "Micro-batches", micro_steps, "Micro-steps");
    under(rows, layer, computing, layer_compute, "Forward and backward", layer_pass, "", layer_backward, "Backward",
          layer_update, "Update");
    under(rows, layer_backward, computing, layer_recompute, "Recomputed forward pass");
    under(rows, layer, sending, layer_communication, "Communication", layer_hidden, "Hidden communication");
    under(rows, layer_pass, formula, layer_flops, "Arithmetic", layer_bytes, "Memory traffic");
    under(rows, layer_pass, both, layer_product, "Product #");
    under(rows, layer_product, both, product_arithmetic, "Arithmetic", product_memory, "Operands");
    under(rows, layer, formula, layer_parameters,
          "Parameters|Parameters|Parameters of experts|Other parameters|Parameters of a piece", layer_inputs, "Inputs",
          layer_output, "Output", layer_kept, "Kept for backward|Recomputed for backward", share,
          "Share of a worker|Share of the positions|Share that is read");
    under(rows, layer_kept, formula, kept_tensor, "Kept tensor #|Recomputed tensor #");
    under(rows, communication, sending, message, "", cut_transfers, "Into the back part|Out of the back part",
          back_messages, "Messages of the back part", border_transfers, "Transfers of a micro-batch");
    under(rows, message, sending, message_level, "", message_exposed, "Exposed", message_hidden, "Hidden");
    under(rows, message, formula, message_bytes, "Bytes");
    under(rows, message, computing, message_ready, "Ready", work_beside, "Work beside it");
    under(rows, message, both, message_start, "Start", message_end, "End");
    under(rows, communication, formula, ranks,
          "Workers taking part|Workers with the same experts|Groups of replicas|Groups with the same experts", nodes,
          "Nodes");
    under(rows, communication, counts, sharing, "Workers that divide a layer", cpu_upload, "Upload|Sent to the servers",
          cpu_download, "Download");
    under(rows, communication, computing, backward_window, "Backward of a micro-step|Backward of a micro-batch");
    under(
        rows, communication, both, cut_exposed, "Transfers waited for", cut_work, "Work on a slice", border_exposed,
        "Transfers waited for", stage_wait, "Gradients waited for", cpu_exchange,
        "Exchange of a replica|Hidden exchange of a replica|Training of a replica|Work and messages|Deltas of weights",
        cpu_sending, "Exchange with servers|Hidden exchange with servers", cpu_worker_network, "Network of a worker",
        cpu_server_network, "Network of a server");
    under(rows, idle, both, pipeline, "All stages", chain, "Longest chain of work|Longest chain", chain_piece, "",
          server_wait, "Waiting for other workers", cpu_serving, "Waiting for servers|Serving on workers",
          cpu_server_cpu, "Processor of a server", cpu_queue, "Queue at the servers");
    under(rows, idle, computing, stage, "Stage #");
    under(rows, activations, counts, in_flight, "Micro-batches in stage #");
    under(rows, server_wait, both, server_queue, "", server_service, "Service of the busiest server", server_think,
          "Step without the server");
    under(rows, server_service, computing, server_update, "Update of the largest shard");
    under(rows, server_service, counts, shard, "Largest shard");
    under(rows, staleness, both, statistical_cost, "Statistical cost");
    under(rows, step, counts, memory, "Memory");
    under(rows, memory, counts, weights, "Weights", gradients, "Gradients", optimizer, "Optimizer", activations,
          "Activations", recomputed, "Activations of the block", live, "Activations and gradients");
    under(rows, layer, both, cpu_compute, "Forward of a sample|Errors of a sample|Deltas of a sample", cpu_multiply_add,
          "One multiply-add", cpu_layer_exchange, "Exchange forward|Exchange of errors|Sum of deltas", cpu_layer_waited,
          "Exchange waited for");
    under(rows, layer, counts, cpu_working_set, "Working set");
    return rows;
}();
static_assert(topics.back().topic == Topic::cpu_working_set &&
              std::ranges::adjacent_find(topics, std::ranges::greater_equal{}, &TopicRow::topic) == topics.end());

constexpr bool needs_layer(Topic t) {
    return (t >= Topic::layer && t <= Topic::share) || (t >= Topic::cpu_compute && t <= Topic::cpu_working_set);
}
constexpr bool needs_message(Topic t) {
    return (t >= Topic::message && t <= Topic::message_end) || t == Topic::nodes || t == Topic::work_beside;
}

/// Which of a topic's names: most go by the item's index.
int name_index(const Context& c, const Item& item) {
    using enum Topic;
    const Topic t = item.topic;
    if (t == epoch || t == cost) return has_epochs(c.scenario) ? 0 : 1;
    if (t == layer_kept || t == kept_tensor || t == chain) return item.level;
    if (t == backward_window || t == cpu_upload) return (t == cpu_upload ? item.layer : item.message) >= 0 ? 1 : 0;
    return item.index;
}

const char* stage_pass(Pass p) {
    return p == Pass::forward ? "forward" : p == Pass::grad_weights ? "gradients of weights" : "backward";
}

std::optional<Item> parent_of(const Item& item) {
    Item up = item;
    up.from = 0;
    if (item.from > 0) return up;
    if (item.topic == Topic::step) return std::nullopt;
    const Topic parent = row_of(item.topic).parent;
    if (item.topic == Topic::message && item.index >= 0) return of_message(Topic::message, item.part, item.message);
    up = of_same(parent, item);
    if (parent == Topic::layer_kept) up.level = item.level;
    if (item.topic == Topic::message_level) up.index = item.index;
    return up;
}

/// Whether there is such a figure of a message.
bool message_exists(const Context& c, const Item& i) {
    if (i.message < 0) return false;
    const MessageEstimate& m = c.message(i.message);
    const bool no_choice = with_servers(m) || c.plan.paleo;
    if (i.index >= static_cast<int>(MessageCost::choices.size()) || i.level < 0 || m.layers.empty()) return false;
    if (i.index >= 0 && (m.group.ranks <= 1 || m.message == Message::point_to_point || no_choice)) return false;
    if (i.topic == Topic::work_beside) return m.beside_from != m.beside_to;
    if (i.topic == Topic::message_level) return !no_choice && level_count(c, i) > std::max(1, i.level);
    const bool on_clock = i.topic >= Topic::message_ready && i.topic <= Topic::message_end;
    return !on_clock || (m.gradients && !m.weights && !with_servers(m) && !m.over_groups);
}

int transfers_of_paleo(const Context& c, const Item& i) {
    const PaleoPart& part = c.plan.paleo->parts[static_cast<std::size_t>(i.part)];
    const int at = part.layer_at[static_cast<std::size_t>(i.layer)];
    return static_cast<int>(part.plan.layers[static_cast<std::size_t>(at)].passes[index_of(i.pass)].transfer_count);
}

}  // namespace

const TopicRow& row_of(Topic t) { return topics[static_cast<std::size_t>(t)]; }

Item of_same(Topic t, const Item& item) {
    Item same{t};
    if (needs_layer(t) || needs_message(t) || t == Topic::server_update || t == Topic::shard) same.part = item.part;
    if (needs_layer(t)) same.layer = item.layer;
    if (needs_message(t)) same.message = item.message;
    if (t >= Topic::layer_pass && t <= Topic::product_memory && t != Topic::layer_backward) same.pass = item.pass;
    if (t >= Topic::layer_product && t <= Topic::product_memory) same.index = std::max(0, item.index);
    // 0 forward, 1 errors, 2 deltas
    if (of_cpu_layer(t))
        same.index = of_cpu_layer(item.topic)            ? item.index
                     : item.topic == Topic::layer_update ? 2
                                                         : static_cast<int>(index_of(item.pass));
    return same;
}

bool exists(const Context& c, const Item& i) {
    using enum Topic;
    const Topic t = i.topic;
    const auto among = [t](Topic from, Topic to) { return t >= from && t <= to; };
    if (i.part < 0 || i.part >= std::ssize(c.plan.parts) || i.from < 0) return false;
    if (i.message >= std::ssize(c.estimate.messages)) return false;
    if (i.layer >= c.part(i.part).work.layers || (needs_layer(t) && i.layer < 0)) return false;
    if (needs_message(t) && !message_exists(c, i)) return false;
    if (c.plan.cpu) return cpu_item_exists(c, i);
    if (among(server_wait, statistical_cost) && (!c.estimate.servers || i.index > c.workers())) return false;
    if (among(cut_exposed, back_messages)) return c.hybrid() && i.index <= 1;
    if (among(pipeline, stage_wait) && !c.staged()) return false;
    const bool in_block = i.layer >= 0 && c.row(i.part, i.layer).block >= 0;
    switch (t) {
        case goodput:
        case checkpoint_interval:
        case checkpoint:
        case interruption: return goodput_of(c.scenario, c.estimate).has_value();
        case layer_recompute: return i.layer >= 0 && computed_again(c, i.part, i.layer);
        case recomputed: return in_block;
        case layer_kept: return i.level <= 0 || in_block;
        case kept_tensor: return i.index >= 0 && i.index < kept_count(c, i);
        case layer_product:
        case product_arithmetic:
        case product_memory: return i.index >= 0 && i.index < products_of(c, i);
        case layer_bytes: return !c.plan.paleo || i.index < transfers_of_paleo(c, i);
        case stage:
        case in_flight:
            return i.index >= 0 && i.index < c.estimate.schedule.shape.stages() &&
                   (i.pass != Pass::grad_weights || splits_backward(c.estimate.schedule.order));
        case chain: return i.level <= 1 && !c.estimate.schedule.chain()[0].empty();
        case chain_piece: return i.level <= 1 && pieces_on_chain(c, i) != 0;
        case stage_wait: return c.degrees().replicas() * c.degrees().tensor > 1;
        case pipeline:
        case border_exposed:
        case border_transfers: return i.index <= 1;
        case samples: return i.index < 3 || (i.index == 3 && c.hybrid());
        case server_queue: return i.index >= 1 && i.index < c.workers();
        case shard:
        case server_update: return c.part(i.part).trained > 0;
        case server_service: return c.part(i.part).trained > 0 || i.index != 1;
        default: return t < cpu_exchange;
    }
}

std::string capital(std::string_view text) {
    std::string s(text);
    if (!s.empty() && s[0] >= 'a' && s[0] <= 'z') s[0] = static_cast<char>(s[0] - 'a' + 'A');
    return s;
}

std::string_view word_for(Message m) {
    return one_of(m, "all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast", "reduce", "transfer",
                  "push", "pull", "copy");
}

std::string_view word_for(Pass p) {
    constexpr std::array<std::string_view, 3> words{"forward", "gradient to inputs", "gradient to weights"};
    return words[index_of(p)];
}

std::string message_name(const Context& c, const MessageEstimate& m) {
    const std::string kind(word_for(m.message));
    if (m.layers.empty()) return kind;
    const std::string front = c.layer_name(m.part, m.layers.front());
    if (with_servers(m))
        return kind + (m.message == Message::push ? " of gradients to the servers" : " of weights from the servers");
    if (m.message == Message::host_copy)
        return kind + (m.forward ? " of activations to the host, up to " : " of activations from the host, down to ") +
               front;
    const char* experts = m.carries == Carried::experts ? " (experts)" : "";
    if (m.gradients) {
        const std::string what = m.weights ? "updated weights" : "gradients";
        const std::size_t count = m.layers.size();
        return kind + " of " +
               (count == 1 ? front + "'s " + what : "the " + what + " of " + std::to_string(count) + " layers") +
               experts;
    }
    if (m.weights) return kind + " of " + front + (m.forward ? "'s weights" : "'s weights for backward") + experts;
    if (m.when == When::at_border && m.axis == MeshAxis::tensor)
        return m.forward ? "gather of activations behind " + front : "gather of gradients before " + front;
    if (m.when == When::at_border) return m.forward ? "activations behind " + front : "gradients before " + front;
    const bool ahead = m.forward || m.again;
    if (m.carries == Carried::halo)
        return std::string(ahead ? "rows" : "gradients of rows") + " at the borders of " + front + "'s input";
    if (m.carries == Carried::kept_input) return kind + " of " + front + "'s output for gradients of weights";
    if (m.of_positions())
        return kind + (ahead ? " of positions " : " of gradients ") +
               ((m.carries == Carried::to_experts) == ahead ? "to" : "back from") + " the experts of " + front;
    if (m.axis == MeshAxis::context && m.carries != Carried::output) {
        const bool both_ways = m.carries == Carried::keys_values_gradients;
        const bool gradients = !ahead && !both_ways && m.message != Message::all_gather;
        const char* what = m.carries == Carried::keys_values ? "keys and values"
                           : both_ways                       ? "keys and values with gradients"
                           : m.carries == Carried::queries   ? "queries"
                           : m.carries == Carried::keys      ? "keys"
                           : m.carries == Carried::values    ? "values"
                                                             : "output";
        return kind + (gradients ? " of the gradients of " : " of ") + front + "'s " + what;
    }
    return kind + " of " + front + (m.again ? "'s recomputed output" : m.forward ? "'s output" : "'s output gradient");
}

std::string short_name(const Context& c, const Item& item) {
    if (item.from > 0) return "others";
    switch (item.topic) {
        case Topic::layer: return c.layer_name(item.part, item.layer);
        case Topic::layer_pass: return capital(word_for(item.pass));
        case Topic::message:
            return capital(item.index >= 0
                               ? std::string(word_for(MessageCost::choices[static_cast<std::size_t>(item.index)]))
                               : message_name(c, c.message(item.message)));
        case Topic::message_level: return "Level " + std::to_string(item.level + 1);
        case Topic::chain_piece:
            return item.message >= 0 ? message_name(c, c.message(item.message))
                                     : "Stage " + std::to_string(item.index + 1) + ", " + stage_pass(item.pass);
        case Topic::server_queue: return "Workers at the server, of " + format_count(item.index);
        case Topic::server_service:
            if (item.index == 1 && c.several_networks()) return c.part(item.part).network->name() + ": service";
            break;
        default: break;
    }
    std::string_view names = row_of(item.topic).names;
    for (int i = name_index(c, item); i > 0 && names.find('|') != names.npos; --i)
        names.remove_prefix(names.find('|') + 1);
    std::string name(names.substr(0, names.find('|')));
    if (const auto number = name.find('#'); number != std::string::npos)
        name.replace(number, 1, std::to_string(item.index + 1));
    return name;
}

std::string title_of(const Context& c, const Item& item) {
    const auto lower = [](std::string s) {
        if (s[0] >= 'A' && s[0] <= 'Z') s[0] = static_cast<char>(s[0] - 'A' + 'a');
        return s;
    };
    if (item.from > 0) {
        Item whole = item;
        whole.from = 0;
        return title_of(c, whole) + ": others";
    }
    const std::string title = short_name(c, item), workers = worker_words(c.scenario).count(c.workers());
    if (row_of(item.topic).parent == Topic::message || (item.topic == Topic::message && item.index >= 0))
        return short_name(c, of_message(Topic::message, item.part, item.message)) + ", " + lower(title);
    switch (item.topic) {
        case Topic::step: return title + " on " + workers;
        case Topic::speedup:
        case Topic::efficiency:
        case Topic::throughput: return title + " at " + workers;
        case Topic::layer_flops:
        case Topic::layer_bytes:
        case Topic::layer_product:
        case Topic::product_arithmetic:
        case Topic::product_memory:
            return c.layer_name(item.part, item.layer) + ", " + std::string(word_for(item.pass)) + ": " + lower(title);
        case Topic::stage: return title + ", " + stage_pass(item.pass);
        case Topic::chain_piece: return title + " on the longest chain";
        case Topic::layer: return title;
        case Topic::activations:
        case Topic::recomputed:
            return item.layer >= 0 ? title + " up to " + c.layer_name(item.part, item.layer) : title;
        default: return item.layer >= 0 ? c.layer_name(item.part, item.layer) + ", " + lower(title) : title;
    }
}

std::vector<Crumb> crumbs_of(const Context& c, const Item& item) {
    std::vector<Crumb> crumbs{{short_name(c, item), item}};
    for (auto up = parent_of(item); up; up = parent_of(*up)) crumbs.insert(crumbs.begin(), {short_name(c, *up), *up});
    return crumbs;
}

}  // namespace explaining
}  // namespace scalescope
