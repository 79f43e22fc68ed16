// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/kept_tensors.hpp"

namespace scalescope {
namespace {

class Keeping {
public:
    Keeping(const Plan& plan, const Estimate& estimate) : plan_(plan), e_(estimate) {}

    std::vector<KeptTensor> all() {
        kept_.reserve(2 * e_.layers.size());
        std::size_t first = 0;
        for (std::size_t part = 0; part < plan_.parts.size(); ++part) {
            const auto count = static_cast<std::size_t>(plan_.parts[part].work.layers);
            rows_ = std::span{e_.layers}.subspan(first, count);
            last_.assign(count, -1);
            for (const LayerEstimate& row : rows_) layer(row);
            first += count;
        }
        return std::move(kept_);
    }

private:
    const Plan& plan_;
    const Estimate& e_;
    std::span<const LayerEstimate> rows_;
    std::vector<int> last_;  ///< by tensor: where it was put last, on the stage that came last
    std::vector<KeptTensor> kept_;

    void layer(const LayerEstimate& row) {
        const PlanPart& part = plan_.parts[static_cast<std::size_t>(row.part)];
        const auto l = static_cast<std::size_t>(row.position);
        const double samples = kept_samples(plan_, e_, row);
        if (part.work.keeps_input[l] != 0)
            for (const int tensor : part.network->reads(row.position))
                if (!part.network->facts()[static_cast<std::size_t>(tensor)].per_step)  // weights are there anyway
                    need(part, row, tensor, true, samples);
        if (part.work.keeps_output[l] != 0) need(part, row, row.position, false, samples);
        const auto own = [&](int what, double bytes) {
            if (bytes > 0)
                kept_.push_back({row.part, row.stage, row.position, what, row.position, false,
                                 Bytes{bytes * samples * row.out_share}});
        };
        own(KeptTensor::mask, part.work.mask_bytes[l]);
        own(KeptTensor::within, part.work.own_bytes[l]);
    }

    void need(const PlanPart& part, const LayerEstimate& row, int tensor, bool read, double samples) {
        const double share = read ? row.in_share : row.out_share;
        const Bytes bytes{part.work.out_bytes[static_cast<std::size_t>(tensor)] * samples * share};
        int& last = last_[static_cast<std::size_t>(tensor)];
        if (last < 0 || kept_[static_cast<std::size_t>(last)].stage != row.stage) {
            last = static_cast<int>(kept_.size());
            kept_.push_back({row.part, row.stage, row.position, tensor, row.position, read, bytes});
            return;
        }
        KeptTensor& known = kept_[static_cast<std::size_t>(last)];
        if (bytes <= known.bytes) return;
        known.bytes = bytes;
        known.like = row.position;
        known.read = read;
    }
};

}  // namespace

double kept_samples(const Plan& plan, const Estimate& e, const LayerEstimate& row) {
    if (row.stage < 0 || e.point.workers == 1) return row.samples;
    return row.samples * static_cast<double>(micro_batches(plan, e.summary.batch).count);
}

std::vector<KeptTensor> kept_tensors(const Plan& plan, const Estimate& estimate) {
    return Keeping(plan, estimate).all();
}

}  // namespace scalescope
