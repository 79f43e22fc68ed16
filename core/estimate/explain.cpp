// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/explain.hpp"

#include "core/estimate/explain_page.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {
namespace explaining {
namespace {

Problem unknown_item() {
    return {Severity::error,
            "There is no such figure in this estimate.",
            "",
            "point at a layer, message or total that is shown",
            {}};
}

bool needs_layer(Topic t) { return (t >= Topic::layer && t <= Topic::share); }
bool needs_message(Topic t) {
    return (t >= Topic::message && t <= Topic::message_end) || t == Topic::nodes || t == Topic::work_beside;
}

/// Whether the item points into the estimate.
bool exists(const Context& c, const Item& i) {
    if (i.part < 0 || i.part >= static_cast<int>(c.plan.parts.size()) || i.from < 0) return false;
    if (i.layer >= c.part(i.part).work.layers || (needs_layer(i.topic) && i.layer < 0)) return false;
    if (needs_message(i.topic)) {
        if (i.message < 0 || i.message >= static_cast<int>(c.estimate.messages.size())) return false;
        const MessageEstimate& m = c.message(i.message);
        if (i.index > 2 || i.level < 0 || i.level > 2 || m.layers.empty()) return false;
        if (i.index >= 0 && (m.group.ranks <= 1 || m.message == Message::point_to_point || with_servers(m)))
            return false;
        const bool clock =
            i.topic == Topic::message_ready || i.topic == Topic::message_start || i.topic == Topic::message_end;
        if (clock && (!m.gradients || m.weights || with_servers(m))) return false;
        if (i.topic == Topic::work_beside && m.beside_from == m.beside_to) return false;
        if (i.topic == Topic::message_level) {
            const bool server = m.algorithm == Collective::parameter_server && m.message == Message::all_reduce;
            const bool levels = m.message != Message::point_to_point && !with_servers(m) &&
                                (server || m.group.in_node > 1 || m.message == Message::all_to_all) &&
                                m.group.nodes > 1;
            if (!levels || ((server || m.message != Message::all_reduce) && i.level > 1)) return false;
        }
    }
    if (i.topic == Topic::backward_window && i.message >= static_cast<int>(c.estimate.messages.size())) return false;
    if (c.plan.cpu) return cpu_item_exists(c, i);
    if (i.topic >= Topic::cpu_exchange) return false;
    const bool again = i.topic == Topic::recomputed || i.topic == Topic::layer_recompute;
    const bool kept = i.topic == Topic::layer_kept || i.topic == Topic::kept_tensor;
    if ((again || (kept && i.level > 0)) && (i.layer < 0 || c.row(i.part, i.layer).block < 0)) return false;
    if (i.topic == Topic::kept_tensor && (i.index < 0 || i.index >= kept_count(c, i))) return false;
    if (c.plan.paleo) {  // PALEO knows no levels and no choice of algorithms
        const bool transfer = i.topic == Topic::layer_bytes && i.index >= 0;
        if (i.topic == Topic::message_level || (needs_message(i.topic) && i.index >= 0)) return false;
        if (transfer) {
            const PaleoPart& part = c.plan.paleo->parts[static_cast<std::size_t>(i.part)];
            const auto at = static_cast<std::size_t>(part.layer_at[static_cast<std::size_t>(i.layer)]);
            if (i.index >= part.plan.layers[at].passes[index_of(i.pass)].transfer_count) return false;
        }
    }
    const bool of_stage = i.topic == Topic::stage || i.topic == Topic::in_flight;
    if (of_stage && (!c.staged() || i.index < 0 || i.index >= c.estimate.schedule.shape.stages())) return false;
    if (i.topic == Topic::stage && i.pass == Pass::grad_weights && !splits_backward(c.estimate.schedule.order))
        return false;
    if (i.topic == Topic::chain && (i.level > 1 || c.estimate.schedule.chain[0].empty())) return false;
    const auto messages = static_cast<int>(c.estimate.messages.size());
    if (i.topic == Topic::chain_piece &&
        (i.level > 1 || i.message >= messages || !c.staged() || pieces_on_chain(c, i) == 0))
        return false;
    const bool stages =
        i.topic == Topic::pipeline || i.topic == Topic::border_exposed || i.topic == Topic::border_transfers;
    if (i.topic == Topic::stage_wait && (!c.staged() || c.degrees().replicas() * c.degrees().tensor == 1)) return false;
    if (stages && (!c.staged() || i.index > 1)) return false;
    if (i.topic == Topic::samples && (i.index > 3 || (i.index == 3 && !c.hybrid()))) return false;
    if (i.topic >= Topic::server_wait && i.topic <= Topic::statistical_cost) {
        if (!c.estimate.servers || i.index > c.workers()) return false;
        if (i.topic == Topic::server_queue && (i.index < 1 || i.index >= c.workers())) return false;
        const bool of_part = i.topic == Topic::shard || i.topic == Topic::server_update ||
                             (i.topic == Topic::server_service && i.index == 1);
        if (of_part && c.part(i.part).trained <= 0) return false;
    }
    const bool cut = i.topic == Topic::cut_exposed || i.topic == Topic::cut_transfers || i.topic == Topic::cut_work ||
                     i.topic == Topic::back_messages;
    if (cut && (!c.hybrid() || i.index > 1)) return false;
    return true;
}

Problem no_price(const Context& c) {
    return {Severity::error,
            "No price is known for " + worker_name(c.scenario) + ".",
            is_cpu_cluster(c.scenario) ? "cluster.machine" : "cluster.device",
            "give its price per hour",
            {}};
}

/// A plan for one worker, everything else as it is.
Result<Explanation> explain_baseline(const Scenario& scenario, const Plan& plan, Item item) {
    Scenario one = scenario;
    one.cluster.workers = one.cpu.partitions = 1;
    one.parallelism.degrees_given() = {};
    Plan single = plan;
    single.point = of_one_worker(plan.point);
    Scratch scratch = make_scratch(single);
    const auto estimate = scalescope::estimate(one, single, scratch);
    if (!estimate) return tl::unexpected(estimate.error());
    item.baseline = false;
    auto e = explain(one, single, *estimate, item);
    if (!e) return e;
    const std::string alone = worker_words(scenario).count(1);
    const auto mark = [](Item& i) { i.baseline = true; };
    mark(e->item);
    for (auto& crumb : e->crumbs) mark(crumb.item);
    if (!e->crumbs.empty()) e->crumbs.front().text += " on " + alone;
    for (auto& input : e->inputs)
        if (input.because) mark(*input.because);
    for (auto& definition : e->definitions) mark(definition.because);
    for (auto& part : e->parts) mark(part.item);
    if (item.topic != Topic::step) e->title += ", on " + alone;
    return e;
}

}  // namespace

Result<Page> page_of(const Context& c, const Item& item) {
    if (!exists(c, item)) return fail(unknown_item());
    if (c.plan.paleo && is_paleo_topic(item)) return paleo_method_page(c, item);
    if (c.plan.cpu && item.topic == Topic::cost && !c.estimate.epoch_cost) return fail(no_price(c));
    if (c.plan.cpu && is_cpu_topic(item)) return cpu_page(c, item);
    switch (item.topic) {
        case Topic::step:
        case Topic::forward:
        case Topic::backward:
        case Topic::update:
        case Topic::communication:
        case Topic::hidden:
        case Topic::idle:
        case Topic::all_layers: return step_page(c, item);
        case Topic::cost:
            if (!c.estimate.epoch_cost) return fail(no_price(c));
            return wish_page(c, item);
        case Topic::speedup:
        case Topic::efficiency:
        case Topic::throughput:
        case Topic::epoch:
        case Topic::idle_share:
        case Topic::effective_batch: return wish_page(c, item);
        case Topic::layer:
        case Topic::layer_compute:
        case Topic::layer_pass:
        case Topic::layer_backward:
        case Topic::layer_recompute:
        case Topic::layer_update:
        case Topic::layer_communication:
        case Topic::layer_hidden: return layer_page(c, item);
        case Topic::layer_flops:
        case Topic::layer_bytes:
        case Topic::layer_parameters:
        case Topic::layer_inputs:
        case Topic::layer_output:
        case Topic::share: return work_page(c, item);
        case Topic::samples:
        case Topic::slices:
        case Topic::micro_steps: return samples_page(c, item);
        case Topic::message:
        case Topic::message_level:
        case Topic::message_bytes:
        case Topic::ranks:
        case Topic::sharing:
        case Topic::nodes: return message_page(c, item);
        case Topic::message_exposed:
        case Topic::message_hidden:
        case Topic::message_ready:
        case Topic::message_start:
        case Topic::message_end:
        case Topic::backward_window:
        case Topic::work_beside:
        case Topic::cut_exposed:
        case Topic::cut_transfers:
        case Topic::cut_work:
        case Topic::back_messages: return exposure_page(c, item);
        case Topic::pipeline:
        case Topic::stage:
        case Topic::chain:
        case Topic::chain_piece:
        case Topic::in_flight:
        case Topic::stage_wait:
        case Topic::border_exposed:
        case Topic::border_transfers:
        case Topic::micro_batches: return stage_page(c, item);
        case Topic::server_wait:
        case Topic::server_queue:
        case Topic::server_service:
        case Topic::server_update:
        case Topic::server_think:
        case Topic::server_response:
        case Topic::shard:
        case Topic::update_rate:
        case Topic::knee:
        case Topic::staleness:
        case Topic::statistical_cost: return server_page(c, item);
        case Topic::memory:
        case Topic::weights:
        case Topic::gradients:
        case Topic::optimizer:
        case Topic::activations:
        case Topic::recomputed:
        case Topic::live:
        case Topic::layer_kept:
        case Topic::kept_tensor: return memory_page(c, item);
        default: break;  // CPU clusters
    }
    return fail(unknown_item());
}

}  // namespace explaining

Result<Explanation> explain(const Scenario& scenario, const Plan& plan, const Estimate& estimate, const Item& item) {
    if (item.baseline) return explaining::explain_baseline(scenario, plan, item);
    const explaining::Context context{scenario, plan, estimate, evidence_of(scenario)};
    auto page = explaining::page_of(context, item);
    if (!page) return tl::unexpected(page.error());
    return page->finish(true);
}

}  // namespace scalescope
