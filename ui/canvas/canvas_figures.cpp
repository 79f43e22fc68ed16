// SPDX-License-Identifier: GPL-3.0-or-later
// What of an answer the boxes show: figures, shares and borders of the work.
#include <algorithm>

#include "core/estimate/measures.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_borders.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/live/layer_keys.hpp"

namespace scalescope::ui {
namespace {

QString figure_text(const std::string& s) { return told(s); }

}  // namespace

void Canvas::show_figures() {
    // An answer may still be about what was open before; a draft has the figures of the network it was made from.
    const auto part = static_cast<std::size_t>(part_);
    const auto& workload = document_.scenario().workload;
    const bool known = result_ && result_->plan && part < result_->plan->parts.size() && part < workload.size() &&
                       result_->plan->parts[part].network == workload[part].network &&
                       (!document_.draft() || document_.draft_is_related());
    show_borders();
    scene_->set_unpriced(why_unpriced());
    if (!known || !result_->estimate) {
        scene_->set_shares({}, 1);
        return scene_->set_measures({});
    }
    const Network& network = *workload[part].network;
    const auto by_position = measure_layers(*result_->plan, *result_->estimate, part_);
    const auto shares = output_shares(*result_->plan, *result_->estimate, part_);
    std::vector<LayerMeasures> drawn(static_cast<std::size_t>(scene_->sketch()->size()));
    std::vector<std::optional<OutputShare>> divided(drawn.size());
    std::vector<char> has_figures(drawn.size(), 0);
    for (std::size_t l = 0; l < drawn.size(); ++l)
        if (const auto position = network.position(scene_->sketch()->layers[l].id)) {
            drawn[l] = by_position[static_cast<std::size_t>(*position)];
            divided[l] = shares[static_cast<std::size_t>(*position)];
            has_figures[l] = 1;
        }
    scene_->set_shares(std::move(divided), static_cast<int>(result_->request.scenario.cluster.workers));
    scene_->set_measures(std::move(drawn), std::move(has_figures));
}

/// What is said where figures would be.
QString Canvas::why_unpriced() const {
    if (document_.draft() && !document_.draft_is_related()) {
        const Network* last = document_.scenario().network();
        return last ? tr("No times yet: this drawing is not a valid network. The charts show %1.")
                          .arg(figure_text(last->name()))
                    : tr("No times yet: this drawing is not a valid network.");
    }
    if (result_ && !result_->estimate)
        return tr("No prices: %1").arg(figure_text(result_->estimate.error().front().what));
    return {};
}

/// While a hand moves one, they are where the scenario says, before the answer is there.
void Canvas::show_borders() {
    const auto& workload = document_.scenario().workload;
    const bool draft = document_.draft() != nullptr;
    dividing_ = {};
    const bool known = result_ && result_->plan && part_ == 0 && workload.size() == 1 &&
                       result_->plan->parts.size() == 1 &&
                       result_->plan->parts.front().network == workload.front().network;
    if (!known || (draft && !document_.draft_is_related())) return scene_->set_borders({});
    dividing_ = dividing_of(document_.scenario(), *result_->plan, result_->estimate ? &*result_->estimate : nullptr);
    scene_->set_borders(
        canvas_borders(dividing_, document_.scenario(), *workload.front().network, *scene_->sketch(), draft));
}

std::vector<LayerTime> Canvas::box_times() const {
    const Sketch& sketch = *scene_->sketch();
    std::vector<LayerTime> times;
    const auto part = static_cast<std::size_t>(part_);
    if (!scene_->priced() || !result_ || !result_->plan || part >= result_->plan->parts.size()) return times;
    const Network& network = *result_->plan->parts[part].network;
    for (const BoxItem* box : scene_->boxes()) {
        if (box->shown().kind == BoxLook::Kind::open) continue;
        const drawing::Item& item = scene_->item_of(*box);
        const bool free = std::all_of(item.layers.begin(), item.layers.end(), [&](int l) {
            const auto& facts = sketch.facts[static_cast<std::size_t>(l)];
            return facts && (facts->division == Division::source || facts->division == Division::view);
        });
        if (free) continue;
        LayerTime time;
        time.path = figure_text(item.path);
        time.name = figure_text(item.title);
        for (int l : item.layers)
            if (const auto position = network.position(sketch.layers[static_cast<std::size_t>(l)].id))
                time.layers.push_back(layer_key(part_, *position));
        if (time.layers.empty()) continue;  // what is new in a draft has no price yet
        time.id = time.layers.front();
        const LayerMeasures m = scene_->measures_of(*box);
        time.time = {m.forward, m.backward, m.update, m.communication, Seconds{0}, m.hidden};
        times.push_back(std::move(time));
    }
    return times;
}

}  // namespace scalescope::ui
