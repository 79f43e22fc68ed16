// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/buckets.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace scalescope {

GradientSync sync_gradients(std::span<const double> backward, std::span<const GradientStream> streams, int from, int to,
                            Overlap overlap, Bytes bucket, BucketSink* sink) {
    /// What of a stream has gathered, from the deepest layer on.
    struct Gathered {
        double total = 0;
        Bytes bytes{0};
        int deepest = 0;
    };
    std::array<Gathered, 2> all;
    GradientSync sync;
    double total_bytes = 0;
    for (std::size_t k = 0; k < streams.size(); ++k) {
        all[k].deepest = to - 1;
        for (int l = from; l < to; ++l) all[k].total += streams[k].bytes[static_cast<std::size_t>(l)];
        total_bytes += all[k].total;
    }
    if (total_bytes <= 0) return sync;
    const auto of = [&](int l) { return Seconds{backward[static_cast<std::size_t>(l)]}; };
    if (overlap != Overlap::buckets) {
        Seconds backward_time{0};
        for (int l = to - 1; l >= from; --l) backward_time += of(l);
        for (std::size_t k = 0; k < streams.size(); ++k)
            if (all[k].total > 0) {
                sync.total += streams[k].of(Bytes{all[k].total});
                sync.after_total += streams[k].after_of(Bytes{all[k].total});
            }
        sync.exposed = exposed_of_whole(sync.total, backward_time, overlap);
        const Seconds left = overlap == Overlap::off ? Seconds{0} : std::max(Seconds{0}, backward_time - sync.total);
        sync.after_exposed = std::max(Seconds{0}, sync.after_total - left);
        Seconds start = overlap == Overlap::off ? backward_time : backward_time + sync.exposed - sync.total;
        for (std::size_t k = 0; sink && k < streams.size(); ++k) {
            if (all[k].total <= 0) continue;
            const Bytes bytes{all[k].total};
            const bool last = k + 1 == streams.size() || all[k + 1].total <= 0;
            const Seconds end = last ? backward_time + sync.exposed : start + streams[k].of(bytes);
            sink->add({from, to - 1, bytes, backward_time, start, end, static_cast<int>(k)});
            start = end;
        }
        sync.backward = backward_time;
        return sync;
    }
    Seconds now{0}, link_free{0}, left{0};  // of what goes after the messages
    const auto send = [&](std::size_t k, int shallowest) {
        Gathered& g = all[k];
        const Seconds length = streams[k].of(g.bytes), after = streams[k].after_of(g.bytes),
                      start = std::max(now, link_free);
        left = std::max(Seconds{0}, left - (start - link_free)) + after;
        link_free = start + length;
        sync.total += length;
        sync.after_total += after;
        if (sink) sink->add({shallowest, g.deepest, g.bytes, now, start, link_free, static_cast<int>(k)});
        g.bytes = Bytes{0};
    };
    for (int l = to - 1; l >= from; --l) {
        now += of(l);
        for (std::size_t k = 0; k < streams.size(); ++k) {
            Gathered& g = all[k];
            const double bytes = streams[k].bytes[static_cast<std::size_t>(l)];
            if (g.bytes.value <= 0) g.deepest = l;
            g.bytes += Bytes{bytes};
            if (bytes > 0 && g.bytes >= bucket) send(k, l);
        }
    }
    // The rest of a stream goes when the shallowest layer that has any is done; layers before it may go on computing.
    const Seconds end_of_backward = now;
    std::array<Seconds, 2> ready{};
    std::array<int, 2> shallowest{from, from};
    for (std::size_t k = 0; k < streams.size(); ++k) {
        if (all[k].bytes.value <= 0) continue;
        while (streams[k].bytes[static_cast<std::size_t>(shallowest[k])] <= 0) ++shallowest[k];
        Seconds after{0};
        for (int l = from; l < shallowest[k]; ++l) after += of(l);
        ready[k] = end_of_backward - after;
    }
    const std::size_t first = streams.size() == 2 && ready[1] < ready[0] ? 1 : 0;
    for (const std::size_t k : {first, 1 - first}) {
        if (k >= streams.size() || all[k].bytes.value <= 0) continue;
        now = ready[k];
        send(k, shallowest[k]);
    }
    sync.backward = end_of_backward;
    sync.exposed = std::max(Seconds{0}, link_free - end_of_backward);
    sync.after_exposed = std::max(Seconds{0}, left - std::max(Seconds{0}, end_of_backward - link_free));
    return sync;
}

void exposed_by_end(std::span<const double> backward, std::span<const double> gradient_bytes, int layers,
                    Overlap overlap, Bytes bucket, const MessageCost& cost, std::span<double> exposed,
                    std::span<double> scratch) {
    const auto n = static_cast<std::size_t>(layers);
    double bytes = 0, before = 0;
    if (overlap != Overlap::buckets) {
        for (std::size_t to = 0; to <= n; ++to) {
            const Seconds total = bytes > 0 ? cost.at(Bytes{bytes}) : Seconds{0};
            exposed[to] = overlap == Overlap::off ? total.value : std::max(0.0, total.value - before);
            if (to == n) break;
            bytes += gradient_bytes[to];
            before += backward[to];
        }
        return;
    }
    // Times count from the end of backward: layer l is done at −(backward of the layers before it). With the layers
    // before `to` still to come, the link is free again at last[to]; while it is busy, all their messages take
    // length[to]. Both follow from the next bucket: it ends at `close`, where as much has gathered as fits, and leaves
    // the layers before that.
    std::span<double> last = exposed, length = scratch;
    constexpr double idle = -std::numeric_limits<double>::infinity();
    std::size_t close = 0;
    double before_close = 0, bytes_before_close = 0, before_shallowest = 0;
    for (std::size_t to = 0; to <= n; ++to) {
        if (bytes <= 0) {
            last[to] = idle;
            length[to] = 0;
        } else {
            while (close < to && bytes - (bytes_before_close + gradient_bytes[close]) >= bucket.value) {
                bytes_before_close += gradient_bytes[close];
                before_close += backward[close];
                ++close;
            }
            const double gathered = bytes - bytes_before_close, sending = cost.at(Bytes{gathered}).value;
            if (gathered >= bucket.value) {
                last[to] = std::max(last[close], sending - before_close + length[close]);
                length[to] = sending + length[close];
            } else {  // the rest, when the shallowest layer that has gradients is done
                last[to] = sending - before_shallowest;
                length[to] = sending;
            }
        }
        if (to == n) break;
        if (bytes <= 0) {
            if (gradient_bytes[to] <= 0) before_shallowest += backward[to];
        }
        bytes += gradient_bytes[to];
    }
    for (double& e : exposed.first(n + 1)) e = std::max(0.0, e);
}

}  // namespace scalescope
