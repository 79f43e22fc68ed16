// SPDX-License-Identifier: GPL-3.0-or-later
// What pages are called, and where each hangs below the step.
#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {

std::string_view name_of(Evidence e) {
    switch (e) {
        case Evidence::exact: return "exact";
        case Evidence::calibrated: return "calibrated";
        case Evidence::datasheet: return "datasheet";
        case Evidence::extrapolated: return "extrapolated";
        case Evidence::assumed: return "assumed";
    }
    return {};
}

namespace explaining {
namespace {

std::string_view word_for(Message m) {
    switch (m) {
        case Message::all_reduce: return "all-reduce";
        case Message::reduce_scatter: return "reduce-scatter";
        case Message::all_gather: return "all-gather";
        case Message::broadcast: return "broadcast";
        case Message::reduce: return "reduce";
        case Message::point_to_point: return "transfer";
        case Message::all_to_all: return "all-to-all";
        case Message::push: return "push";
        case Message::pull: return "pull";
    }
    return {};
}

std::optional<Item> parent_of(const Item& item) {
    Item up = item;
    const auto named = [&](Topic t) {
        up = Item{t, item.part, item.layer, item.pass, item.message};
        return up;
    };
    if (item.from > 0) {
        up.from = 0;
        return up;
    }
    switch (item.topic) {
        case Topic::step: return std::nullopt;
        case Topic::layer_compute:
        case Topic::layer_pass:
        case Topic::layer_backward:
        case Topic::layer_update:
        case Topic::layer_communication:
        case Topic::layer_hidden:
        case Topic::layer_parameters:
        case Topic::layer_inputs:
        case Topic::layer_output:
        case Topic::layer_kept:
        case Topic::share: return Item{Topic::layer, item.part, item.layer};
        case Topic::layer_recompute: return Item{Topic::layer_backward, item.part, item.layer};
        case Topic::kept_tensor: up.topic = Topic::layer_kept, up.index = -1; return up;
        case Topic::layer_flops:
        case Topic::layer_bytes: return Item{Topic::layer_pass, item.part, item.layer, item.pass};
        case Topic::message: return item.index >= 0 ? named(Topic::message) : Item{Topic::communication};
        case Topic::message_level: up.topic = Topic::message, up.level = 0; return up;
        case Topic::message_bytes:
        case Topic::message_exposed:
        case Topic::message_hidden:
        case Topic::message_ready:
        case Topic::message_start:
        case Topic::message_end:
        case Topic::work_beside: return Item{Topic::message, item.part, -1, Pass::forward, item.message};
        case Topic::ranks:
        case Topic::sharing:
        case Topic::nodes:
        case Topic::stage_wait:
        case Topic::border_exposed:
        case Topic::border_transfers:
        case Topic::backward_window:
        case Topic::cut_exposed:
        case Topic::cut_transfers:
        case Topic::cut_work:
        case Topic::back_messages: return Item{Topic::communication};
        case Topic::pipeline:
        case Topic::chain:
        case Topic::chain_piece:
        case Topic::stage: return Item{Topic::idle};
        case Topic::in_flight: return Item{Topic::activations};
        case Topic::server_wait: return Item{Topic::idle};
        case Topic::server_queue:
        case Topic::server_service:
        case Topic::server_think: return Item{Topic::server_wait};
        case Topic::server_update:
        case Topic::shard: return Item{Topic::server_service};
        case Topic::statistical_cost: return Item{Topic::staleness};
        case Topic::weights:
        case Topic::gradients:
        case Topic::optimizer:
        case Topic::activations:
        case Topic::recomputed:
        case Topic::live: return Item{Topic::memory};
        case Topic::cpu_exchange:
        case Topic::cpu_sending:
        case Topic::cpu_worker_network:
        case Topic::cpu_server_network:
        case Topic::cpu_upload:
        case Topic::cpu_download: return Item{Topic::communication};
        case Topic::cpu_serving:
        case Topic::cpu_server_cpu:
        case Topic::cpu_queue: return Item{Topic::idle};
        case Topic::cpu_compute:
        case Topic::cpu_multiply_add:
        case Topic::cpu_layer_exchange:
        case Topic::cpu_layer_waited:
        case Topic::cpu_working_set: return Item{Topic::layer, item.part, item.layer};
        default: return Item{Topic::step};
    }
}

}  // namespace

std::string_view word_for(Pass p) {
    switch (p) {
        case Pass::forward: return "forward";
        case Pass::grad_input: return "gradient to inputs";
        case Pass::grad_weights: return "gradient to weights";
    }
    return {};
}

std::string message_name(const Context& c, const MessageEstimate& m) {
    const std::string kind(word_for(m.message));
    if (m.layers.empty()) return kind;
    const std::string first = c.layer_name(m.part, m.layers.front());
    if (with_servers(m))
        return kind + (m.message == Message::push ? " of gradients to the servers" : " of weights from the servers");
    const char* experts = m.carries == Carried::experts ? " (experts)" : "";
    if (m.weights && m.gradients)
        return kind +
               (m.layers.size() == 1 ? " of " + first + "'s updated weights"
                                     : " of the updated weights of " + std::to_string(m.layers.size()) + " layers") +
               experts;
    if (m.weights) return kind + " of " + first + (m.forward ? "'s weights" : "'s weights for backward") + experts;
    if (m.gradients)
        return kind +
               (m.layers.size() == 1 ? " of " + first + "'s gradients"
                                     : " of the gradients of " + std::to_string(m.layers.size()) + " layers") +
               experts;
    if (m.message == Message::point_to_point)
        return m.forward ? "activations behind " + first : "gradients before " + first;
    if (m.axis == MeshAxis::expert) {
        const char* what = m.forward || m.again ? " of positions" : " of gradients";
        return kind + what +
               ((m.carries == Carried::to_experts) == (m.forward || m.again) ? " to the experts of "
                                                                             : " back from the experts of ") +
               first;
    }
    if (m.axis == MeshAxis::context && m.carries != Carried::output) {
        const bool gradients =
            !m.forward && !m.again && m.carries != Carried::keys_values_gradients && m.message != Message::all_gather;
        const char* what = m.carries == Carried::keys_values             ? "keys and values"
                           : m.carries == Carried::keys_values_gradients ? "keys and values with gradients"
                           : m.carries == Carried::queries               ? "queries"
                           : m.carries == Carried::keys                  ? "keys"
                           : m.carries == Carried::values                ? "values"
                                                                         : "output";
        return kind + (gradients ? " of the gradients of " : " of ") + first + "'s " + what;
    }
    if (m.again) return kind + " of " + first + "'s recomputed output";
    return kind + " of " + (m.forward ? first + "'s output" : first + "'s output gradient");
}

std::string short_name(const Context& c, const Item& item) {
    if (item.from > 0) return "others";
    switch (item.topic) {
        case Topic::step: return "Step";
        case Topic::forward: return "Forward";
        case Topic::backward: return "Backward";
        case Topic::update: return "Update";
        case Topic::communication: return "Communication";
        case Topic::hidden: return "Hidden communication";
        case Topic::idle:
            return item.index == 1 ? "Filling and draining" : item.index == 2 ? "Waiting for the slowest" : "Idle";
        case Topic::all_layers: return item.index == 1 ? "Back part" : "All layers";
        case Topic::speedup: return "Speedup";
        case Topic::efficiency: return "Efficiency";
        case Topic::throughput: return "Throughput";
        case Topic::epoch: return has_epochs(c.scenario) ? "Epoch" : "Time for as many samples as ImageNet has";
        case Topic::cost:
            return has_epochs(c.scenario) ? "Cost of an epoch" : "Cost of as many samples as ImageNet has";
        case Topic::idle_share: return "Idle share, all together";
        case Topic::effective_batch: return "Batch of all workers";
        case Topic::layer: return c.layer_name(item.part, item.layer);
        case Topic::layer_compute: return "Forward and backward";
        case Topic::layer_pass: {
            std::string word(word_for(item.pass));
            word[0] = static_cast<char>(word[0] - 'a' + 'A');
            return word;
        }
        case Topic::layer_backward: return "Backward";
        case Topic::layer_recompute: return "Recomputed forward pass";
        case Topic::layer_update: return "Update";
        case Topic::layer_communication: return "Communication";
        case Topic::layer_hidden: return "Hidden communication";
        case Topic::layer_flops: return "Arithmetic";
        case Topic::layer_bytes: return "Memory traffic";
        case Topic::layer_parameters:
            return item.index == 2 ? "Parameters of experts" : item.index == 3 ? "Other parameters" : "Parameters";
        case Topic::layer_inputs: return "Inputs";
        case Topic::layer_output: return "Output";
        case Topic::layer_kept: return item.level == 1 ? "Recomputed for backward" : "Kept for backward";
        case Topic::kept_tensor:
            return (item.level == 1 ? "Recomputed tensor " : "Kept tensor ") + std::to_string(item.index + 1);
        case Topic::share: return item.index == 1 ? "Share of the positions" : "Share of a worker";
        case Topic::samples:
            return item.index == 1   ? "Samples of all workers"
                   : item.index == 2 ? "Samples of a micro-batch"
                   : item.index == 3 ? "Samples on the way"
                                     : "Samples of a worker";
        case Topic::slices: return "Slices";
        case Topic::border_exposed: return "Transfers waited for";
        case Topic::stage_wait: return "Gradients waited for";
        case Topic::border_transfers: return "Transfers of a micro-batch";
        case Topic::message:
            if (item.index >= 0) {
                std::string word(word_for(static_cast<Collective>(item.index)));
                word[0] = static_cast<char>(word[0] - 'a' + 'A');
                return word;
            } else {
                std::string name = message_name(c, c.message(item.message));
                if (name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
                return name;
            }
        case Topic::message_level: return "Level " + std::to_string(item.level + 1);
        case Topic::message_bytes: return "Bytes";
        case Topic::message_exposed: return "Exposed";
        case Topic::message_hidden: return "Hidden";
        case Topic::message_ready: return "Ready";
        case Topic::message_start: return "Start";
        case Topic::message_end: return "End";
        case Topic::ranks: return item.index == 1 ? "Workers with the same experts" : "Workers taking part";
        case Topic::sharing: return "Workers that divide a layer";
        case Topic::nodes: return "Nodes";
        case Topic::backward_window:
            return item.message >= 0 ? "Backward of a micro-batch" : "Backward of a micro-step";
        case Topic::work_beside: return "Work beside it";
        case Topic::cut_exposed: return "Transfers waited for";
        case Topic::cut_transfers: return item.index == 0 ? "Into the back part" : "Out of the back part";
        case Topic::cut_work: return "Work on a slice";
        case Topic::back_messages: return "Messages of the back part";
        case Topic::pipeline: return "All stages";
        case Topic::stage: return "Stage " + std::to_string(item.index + 1);
        case Topic::chain: return item.level == 0 ? "Longest chain of work" : "Longest chain";
        case Topic::chain_piece: {
            if (item.message >= 0) return message_name(c, c.message(item.message));
            const char* pass = item.pass == Pass::forward        ? "forward"
                               : item.pass == Pass::grad_weights ? "gradients of weights"
                                                                 : "backward";
            return "Stage " + std::to_string(item.index + 1) + ", " + pass;
        }
        case Topic::in_flight: return "Micro-batches in stage " + std::to_string(item.index + 1);
        case Topic::micro_batches: return "Micro-batches";
        case Topic::micro_steps: return "Micro-steps";
        case Topic::server_wait: return "Waiting for other workers";
        case Topic::server_queue: return "Workers at the server, of " + format_count(item.index);
        case Topic::server_service:
            return item.index == 1 && c.several_networks() ? c.part(item.part).network->name() + ": service"
                                                           : "Service of the busiest server";
        case Topic::server_update: return "Update of the largest shard";
        case Topic::server_think: return "Step without the server";
        case Topic::server_response: return item.index == 1 ? "Response of the slowest server" : "Response of a server";
        case Topic::shard: return "Largest shard";
        case Topic::update_rate: return "Updates in a second";
        case Topic::knee: return "Knee";
        case Topic::staleness: return "Staleness";
        case Topic::statistical_cost: return "Statistical cost";
        case Topic::memory: return "Memory";
        case Topic::weights: return "Weights";
        case Topic::gradients: return "Gradients";
        case Topic::optimizer: return "Optimizer";
        case Topic::activations: return "Activations";
        case Topic::recomputed: return "Recomputed activations";
        case Topic::live: return "Activations and gradients";
        case Topic::cpu_exchange:
            return item.index == 1   ? "Hidden exchange of a replica"
                   : item.index == 2 ? "Training of a replica"
                   : item.index == 3 ? "Work and messages"
                   : item.index == 4 ? "Deltas of weights"
                                     : "Exchange of a replica";
        case Topic::cpu_sending: return item.index == 1 ? "Hidden exchange with servers" : "Exchange with servers";
        case Topic::cpu_serving: return item.index == 1 ? "Serving on workers" : "Waiting for servers";
        case Topic::cpu_worker_network: return "Network of a worker";
        case Topic::cpu_server_network: return "Network of a server";
        case Topic::cpu_server_cpu: return "Processor of a server";
        case Topic::cpu_upload: return item.layer >= 0 ? "Sent to the servers" : "Upload";
        case Topic::cpu_download: return "Download";
        case Topic::cpu_queue: return "Queue at the servers";
        case Topic::cpu_binding: return "Set by";
        case Topic::cpu_staleness: return "Staleness";
        case Topic::cpu_compute:
            return item.index == 0   ? "Forward of a sample"
                   : item.index == 1 ? "Errors of a sample"
                                     : "Deltas of a sample";
        case Topic::cpu_multiply_add: return "One multiply-add";
        case Topic::cpu_layer_exchange:
            return item.index == 0 ? "Exchange forward" : item.index == 1 ? "Exchange of errors" : "Sum of deltas";
        case Topic::cpu_layer_waited: return "Exchange waited for";
        case Topic::cpu_working_set: return "Working set";
    }
    return {};
}

std::string title_of(const Context& c, const Item& item) {
    const auto lower = [](std::string s) {
        if (!s.empty() && s[0] >= 'A' && s[0] <= 'Z') s[0] = static_cast<char>(s[0] - 'A' + 'a');
        return s;
    };
    Item whole = item;
    whole.from = 0;
    std::string title = short_name(c, whole);
    const std::string workers = worker_words(c.scenario).count(c.workers());
    switch (item.topic) {
        case Topic::step: title += " on " + workers; break;
        case Topic::speedup:
        case Topic::efficiency:
        case Topic::throughput: title += " at " + workers; break;
        case Topic::message_bytes:
        case Topic::message_exposed:
        case Topic::message_hidden:
        case Topic::message_ready:
        case Topic::message_start:
        case Topic::message_end:
        case Topic::work_beside:
        case Topic::message_level: {
            Item message{Topic::message, item.part};
            message.message = item.message;
            title = short_name(c, message) + ", " + lower(title);
            break;
        }
        case Topic::message:
            if (item.index >= 0) {
                Item message = item;
                message.index = -1;
                title = short_name(c, message) + ", " + lower(title);
            }
            break;
        case Topic::layer_flops:
        case Topic::layer_bytes:
            title = c.layer_name(item.part, item.layer) + ", " + std::string(word_for(item.pass)) + ": " + lower(title);
            break;
        case Topic::stage:
            title += item.pass == Pass::forward        ? ", forward"
                     : item.pass == Pass::grad_weights ? ", gradients of weights"
                                                       : ", backward";
            break;
        case Topic::chain_piece: title += " on the longest chain"; break;
        case Topic::layer: break;
        case Topic::activations:
            if (item.layer >= 0) title = "Activations up to " + c.layer_name(item.part, item.layer);
            break;
        case Topic::recomputed: title = "Recomputed activations up to " + c.layer_name(item.part, item.layer); break;
        default:
            if (item.layer >= 0) title = c.layer_name(item.part, item.layer) + ", " + lower(title);
    }
    return item.from > 0 ? title + ": others" : title;
}

std::vector<Crumb> crumbs_of(const Context& c, const Item& item) {
    std::vector<Crumb> crumbs{{short_name(c, item), item}};
    for (auto up = parent_of(item); up; up = parent_of(*up)) crumbs.insert(crumbs.begin(), {short_name(c, *up), *up});
    return crumbs;
}

}  // namespace explaining
}  // namespace scalescope
