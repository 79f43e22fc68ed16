// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/offload.hpp"

#include <algorithm>

#include "core/estimate/block_borders.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/estimate/recompute_modules.hpp"
#include "core/estimate/step.hpp"

namespace scalescope {

void list_hosted(const Plan& plan, PlanPart& part) {
    part.on_host.clear();
    part.tensor_on_host.clear();
    part.hosted.clear();
    part.part_on_host.clear();
    const Recompute asked = plan.parallelism.offload_activations;
    if (asked == Recompute::nothing || plan.method != Method::pipeline || plan.links.host.value <= 0) return;
    const auto n = static_cast<std::size_t>(part.work.layers);
    part.on_host.assign(n, 0);
    if (asked == Recompute::blocks) {
        const std::vector<int>& places = places_of_blocks(*part.network);
        std::transform(places.begin(), places.end(), part.on_host.begin(),
                       [](int place) { return static_cast<char>(place >= 0); });
    }
    part.part_on_host.assign(n, 0.0);
    const auto recomputed = [&](std::size_t l) { return !part.work.again.empty() && part.work.again[l].any(); };
    for (const ModulePiece& piece : part.network->found(find_modules))
        for (const int layer : piece.layers) {
            const auto l = static_cast<std::size_t>(layer);
            if ((modules_of(asked) & bit_of(piece.module)) == 0) continue;
            if (!piece.part)
                part.on_host[l] = 1;
            else if (!recomputed(l))
                part.part_on_host[l] = bytes_of_function(part.work, l, part.network->facts()[l].experts);
        }
    for (std::size_t l = 0; l < n; ++l)
        if (part.on_host[l] != 0) part.part_on_host[l] = 0;
    // A tensor that another layer keeps too stays on the device for that one.
    part.tensor_on_host.assign(n, 1);
    for (const Keep& k : part.keeps)
        if (k.tensor >= 0 && part.on_host[static_cast<std::size_t>(k.keeper)] == 0)
            part.tensor_on_host[static_cast<std::size_t>(k.tensor)] = 0;
    MemoryScratch m;
    for (int l = 0; l < part.work.layers; ++l) m.rows.push_back({0, l, -1, 1, 1, {}});
    int blocks = 0;
    list_kept(part, m.rows, true, blocks, m);
    std::copy_if(m.kept.begin(), m.kept.end(), std::back_inserter(part.hosted),
                 [](const KeptTensor& t) { return t.on_host; });
}

MessageSeconds copy_activations(const Plan& plan, int part_index, int from, int to, double samples, std::int64_t times,
                                const Point& point, const Mesh& mesh, const LayerAxes* axes, Scratch& s) {
    MessageSeconds all;
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    if (part.hosted.empty()) return all;
    const std::vector<int>& places = places_of_blocks(*part.network);
    auto next = std::lower_bound(part.hosted.begin(), part.hosted.end(), from,
                                 [](const KeptTensor& t, int layer) { return t.keeper < layer; });
    while (next != part.hosted.end() && next->keeper < to) {
        const int place = places[static_cast<std::size_t>(next->keeper)];
        int begin = next->keeper, end = begin;
        while (begin > from && places[static_cast<std::size_t>(begin - 1)] == place) --begin;
        while (end < to && places[static_cast<std::size_t>(end)] == place) ++end;
        double bytes = 0;
        for (; next != part.hosted.end() && next->keeper < end; ++next)
            bytes += next->bytes * samples *
                     (axes ? next->share(axes->shares().of(static_cast<std::size_t>(next->like))) : 1.0);
        const Seconds each = Bytes{bytes} / plan.links.host;
        for (const bool forward : {true, false}) {
            const Seconds beside{
                work_of(part, begin, end, samples, pass_beside(forward, point, mesh), axes == nullptr, s)};
            const Seconds waited = std::max(Seconds{0}, each - beside);
            (forward ? all.forward : all.backward) += waited.value;
            all.hidden += (each - waited).value;
            if (!s.division.in_full) continue;
            Transfer t;
            t.part = part_index;
            t.message = Message::host_copy;
            t.first = t.last = forward ? end - 1 : begin;
            t.forward = forward;
            t.when = When::beside_block;
            t.times = times * part.count;
            t.bytes = Bytes{bytes};
            t.each = each;
            t.exposed = waited * static_cast<double>(t.times);
            t.hidden = (each - waited) * static_cast<double>(t.times);
            t.every_pass = true;
            t.beside_from = begin;
            t.beside_to = end;
            s.division.transfers.push_back(t);
        }
    }
    return all;
}

}  // namespace scalescope
