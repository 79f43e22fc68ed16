// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/roofline.hpp"

#include <algorithm>

#include "core/pricing/pass_times.hpp"

namespace scalescope {
namespace {

/// Parts of an operation's time.
struct Amounts {
    Flops flops{0};
    Bytes bytes{0};
    Seconds arithmetic{0}, transfer{0}, launch{0}, time{0};

    /// Layer `l` with these shares of its amounts, without its time.
    void add(const PlanPart& part, std::size_t l, double samples, const LayerShares& shares, const DeviceRates& rates) {
        for (const PassWork& w : part.work.pass) {
            const Bytes moved{(w.inputs[l] * shares.inputs + w.outputs[l] * shares.outputs) * samples +
                              w.weights[l] * shares.weights};
            flops += Flops{w.flops[l] * shares.flops * samples};
            bytes += moved;
            arithmetic += Flops{w.priced[l] * shares.flops * samples} / rates.arithmetic;
            transfer += moved / rates.memory_elsewhere();
            launch += rates.launch * w.active[l];
        }
    }
    RooflinePoint point() const {
        const RooflineBound bound = launch > std::max(arithmetic, transfer) ? RooflineBound::launch
                                    : transfer > arithmetic                 ? RooflineBound::memory
                                                                            : RooflineBound::compute;
        return {flops, bytes, time, bound};
    }
};

/// By row: those named by what they do, such as "Q, K, V", unless it is in their parts, and layers in none of them.
std::vector<char> operations(const drawing::Outline& outline) {
    const auto& rows = outline.rows;
    std::vector<char> found(rows.size(), 0), within(rows.size(), 0);
    std::vector<char> holds_words(rows.size(), 0);
    for (const drawing::OutlineRow& row : rows)
        if (row.is_word && row.parent >= 0) holds_words[static_cast<std::size_t>(row.parent)] = 1;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (rows[r].parent >= 0) {
            const auto up = static_cast<std::size_t>(rows[r].parent);
            within[r] = within[up] != 0 || found[up] != 0;
        }
        found[r] = within[r] == 0 && (!rows[r].has_children || (rows[r].is_word && holds_words[r] == 0));
    }
    return found;
}

int repeats(const drawing::Outline& outline, std::size_t r) {
    int all = outline.rows[r].repeat;
    for (int up = outline.rows[r].parent; up >= 0; up = outline.rows[static_cast<std::size_t>(up)].parent)
        all *= outline.rows[static_cast<std::size_t>(up)].repeat;
    return all;
}

std::vector<Roofline::Peak> peaks_of(const Scenario& s) {
    const Device& device = s.cluster.device;
    std::vector<Roofline::Peak> peaks;
    for (const Precision p : {multiplied_in(device, s.training.precision),
                              else_computed_in(device, s.training.precision), Precision::fp32}) {
        const auto known = device.peak_at(p);
        const bool there =
            std::any_of(peaks.begin(), peaks.end(), [&](const auto& peak) { return peak.precision == p; });
        if (known && known->value > 0 && !there) peaks.push_back({p, *known});
    }
    std::stable_sort(peaks.begin(), peaks.end(), [](const auto& a, const auto& b) { return a.rate > b.rate; });
    return peaks;
}

}  // namespace

FlopsPerSecond Roofline::ceiling(double intensity) const {
    const FlopsPerSecond by_memory{memory.value * intensity};
    return peaks.empty() ? by_memory : std::min(by_memory, peaks.front().rate);
}

std::optional<Roofline> roofline_of(const Scenario& s, const Plan& plan, const Estimate& e) {
    if (plan.method != Method::pipeline) return std::nullopt;
    const DeviceRates& rates = plan.device;
    Roofline roofline{s.cluster.device.memory_bandwidth, peaks_of(s), rates.memory, rates.arithmetic, {}};
    PassTimes times;
    for (std::size_t part = 0; part < plan.parts.size(); ++part) {
        const PlanPart& of = plan.parts[part];
        std::vector<const LayerEstimate*> layers(static_cast<std::size_t>(of.work.layers));
        for (const LayerEstimate& layer : e.layers)
            if (layer.part == static_cast<int>(part)) layers[static_cast<std::size_t>(layer.position)] = &layer;
        times.resize(of.work.layers);
        const drawing::Outline& outline = drawing::outline_of(*of.network);
        const std::vector<char> wanted = operations(outline);
        for (std::size_t r = 0; r < outline.rows.size(); ++r) {
            if (wanted[r] == 0) continue;
            RooflineRow row{&outline.rows[r], static_cast<int>(part), repeats(outline, r), 0, {}, {}};
            // Equal blocks follow each other, so that the first layers are those of the first one.
            const std::size_t count = row.row->layers.size() / static_cast<std::size_t>(row.repeat);
            Amounts whole, device;
            Seconds longest{-1};
            for (std::size_t i = 0; i < count; ++i) {
                const int position = row.row->layers[i];
                const auto l = static_cast<std::size_t>(position);
                const LayerEstimate* layer = layers[l];
                if (!layer) continue;
                const PassTotals alone =
                    price_passes(of.work, position, position + 1, layer->samples, Shares{}, rates, times);
                whole.add(of, l, layer->samples, LayerShares{}, rates);
                whole.time += Seconds{alone.forward + alone.grad_input + alone.grad_weights};
                device.add(of, l, layer->samples, layer->shares, rates);
                const Seconds once = (layer->forward + layer->grad_input + layer->grad_weights) / layer->repeat;
                device.time += once;
                if (once > longest) longest = once, row.longest = position;
            }
            if (!(device.flops.value > 0 && device.bytes.value > 0 && device.time.value > 0)) continue;
            row.whole = whole.point();
            row.device = device.point();
            const auto same = std::find_if(roofline.rows.begin(), roofline.rows.end(), [&](const RooflineRow& other) {
                return other.part == row.part && other.row->title == row.row->title && row.row->is_word &&
                       other.whole == row.whole && other.device == row.device;
            });
            if (same == roofline.rows.end())
                roofline.rows.push_back(row);
            else
                same->repeat += row.repeat;
        }
    }
    return roofline;
}

}  // namespace scalescope
