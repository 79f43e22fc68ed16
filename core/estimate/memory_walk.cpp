// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/memory_walk.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/estimate/block_borders.hpp"
#include "core/estimate/details.hpp"
#include "core/estimate/offload.hpp"
#include "core/estimate/recompute.hpp"
#include "core/estimate/servers.hpp"
#include "core/estimate/sharded_axis.hpp"
#include "core/estimate/step.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {
namespace {

/// Whether a layer up to now keeps the tensor on that stage, from forward on or in the backward pass of that block.
bool is_kept(int tensor, int stage, int block, const MemoryScratch& m) {
    const int last = m.last[static_cast<std::size_t>(tensor)];
    if (last < 0) return false;
    const KeptTensor& known = m.kept[static_cast<std::size_t>(last)];
    return known.stage == stage && known.block == block;
}

/// The buffer of a tensor that `row` needs: one for all layers of a stage, or of a block that the backward pass
/// computes again, as large as the one that needs most. `keeper`: the layer that it waits for. `offloads`: it may wait
/// on the host.
void keep(const PlanPart& part, const MemoryRow& row, const Keep& k, int keeper, int block, bool offloads,
          MemoryScratch& m, double of = 1) {
    const auto t = static_cast<std::size_t>(k.tensor);
    const bool own = k.tensor < 0, waits = block < 0;
    if (!own && of == 1 && !part.work.again.empty() && part.work.again[t].half) {
        if (is_kept(k.tensor, row.stage, -1, m)) return;
        keep(part, row, k, keeper, row.block, false, m, 0.5);
        keep(part, row, k, keeper, -1, false, m, 0.5);
        return;
    }
    const bool on_host = waits && offloads && part.waits_on_host(k);
    if (on_host) block = row.block;
    double whole = of * part.bytes_of(k) * (k.tensor == KeptTensor::within ? row.shares.within : 1.0);
    if (k.tensor == KeptTensor::within && waits && (offloads || !part.work.part_bytes.empty()))
        whole -= part.apart(static_cast<std::size_t>(k.keeper));
    const double samples = block < 0 ? row.kept_samples : row.samples,
                 bytes = whole * samples * (k.read ? row.shares.inputs * row.shares.kept : row.shares.outputs);
    if (!own && is_kept(k.tensor, row.stage, block, m)) {
        KeptTensor& known = m.kept[static_cast<std::size_t>(m.last[t])];
        if (bytes > known.bytes)
            known.bytes = bytes, known.like = row.position, known.read = k.read, known.narrow = k.narrow;
        return;
    }
    if (!own) m.last[t] = static_cast<int>(m.kept.size());
    m.kept.push_back({row.part, row.stage, keeper, k.tensor, row.position, k.read, bytes, block, k.narrow, on_host});
}

/// Layers [from, to) that stand in one block of one stage, or one layer outside of all blocks.
struct Together {
    int from = 0, to = 0;
    /// Whether the backward pass computes the tensor again; `own` of the layer that it is for, or made in the block.
    bool makes_again(const PlanPart& part, int layer, int tensor) const {
        const int maker = tensor < 0 ? layer : tensor;
        return maker >= from && maker < to && !part.blocks.empty() && again(part, maker).all;
    }
    static const Work::Again& again(const PlanPart& part, int layer) {
        return part.work.again[static_cast<std::size_t>(layer)];
    }
};

/// What begins with the layer; the inputs of a block wait for its first layer. `rows`: of the network; `blocks`: so
/// many up to now.
Together enter_block(const PlanPart& part, std::span<MemoryRow> rows, int layer, bool offloads, int& blocks,
                     MemoryScratch& m) {
    const auto block_of = [&](int l) { return part.blocks[static_cast<std::size_t>(l)]; };
    const auto row = [&](int l) -> MemoryRow& { return rows[static_cast<std::size_t>(l)]; };
    Together all{layer, layer + 1};
    if (block_of(layer) < 0) return all;
    while (all.to < part.work.layers && block_of(all.to) == block_of(layer) && row(all.to).stage == row(layer).stage)
        ++all.to;
    for (int l = all.from; l < all.to; ++l) {
        if (!offloads) row(l).block = blocks;
        for (const int tensor : part.network->reads(l))
            if (tensor < all.from && Together::again(part, l).all &&
                !part.network->facts()[static_cast<std::size_t>(tensor)].per_step)
                keep(part, row(l), {l, tensor, true}, all.from, -1, offloads, m);
    }
    ++blocks;
    return all;
}

/// Bytes of what `row` reads as gathered, while it computes: only a share of that is kept.
double gathered(const Work& work, const MemoryRow& row) {
    return row.shares.kept < 1 ? work.in_bytes[static_cast<std::size_t>(row.position)] * row.shares.inputs * row.samples
                               : 0.0;
}

/// Bytes that `row` reads and writes and its device does not keep up to then: they are there while the layer computes.
double passing(const PlanPart& part, const MemoryRow& row, const MemoryScratch& m) {
    double bytes = 0;
    const auto kept = [&](int tensor) {
        return is_kept(tensor, row.stage, -1, m) || (row.block >= 0 && is_kept(tensor, row.stage, row.block, m));
    };
    const auto add = [&](int tensor, double share, double of_it = 1) {
        if (of_it < 1 || !kept(tensor))
            bytes += part.work.out_bytes[static_cast<std::size_t>(tensor)] * row.samples * share;
    };
    for (const int tensor : part.network->reads(row.position)) add(tensor, row.shares.inputs, row.shares.kept);
    if (part.network->root(row.position) == row.position) add(row.position, row.shares.outputs);
    return bytes;
}

/// Weights of earlier stages of which this layer's stage holds a copy: those of `row` are the first use on its stage.
template <class Add>
void copies_of(const PlanPart& part, const MemoryScratch& m, std::size_t part_begin, const MemoryRow& row, Add add) {
    if (row.stage < 0) return;
    const auto device_of = [&](int layer) { return m.rows[part_begin + static_cast<std::size_t>(layer)].stage; };
    const auto uses = part.network->weight_uses();
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (uses[i].layer == row.position && needs_copy(uses, i, device_of))
            add(static_cast<std::size_t>(uses[i].owner));
}

/// Where weights are sharded: each layer with the one before it on its device.
class WholePairs {
public:
    const WholeWeights& add(const PlanPart& part, const MemoryScratch& m, std::size_t begin, std::size_t r) {
        const MemoryRow& row = m.rows[r];
        if (row.part != pair_.part || row.stage != stage_) {
            stage_ = row.stage, first_ = row.position;
            owner_ = -1;
            before_ = {};
            pair_ = {0, 0, row.part, -1, -1};
        }
        WholeWeights now;
        int owner = -1;
        weights_needed(*part.network, row.position, first_, [&](int of) {
            if (owner < 0) owner = of;
            const LayerShares& shares = m.rows[begin + static_cast<std::size_t>(of)].shares;
            const double own = part.work.weight_bytes[static_cast<std::size_t>(of)] * shares.weights;
            now.bytes += own;
            now.kept += own / m.states.of_weights(shares.experts);
            now.copies += part.work.weight_copies(static_cast<std::size_t>(of)) * shares.weights;
        });
        if (now.bytes <= 0 || owner == owner_) return pair_;
        pair_ = {before_.bytes + now.bytes,  before_.kept + now.kept, row.part, pair_.second, row.position,
                 before_.copies + now.copies};
        before_ = now;
        owner_ = owner;
        return pair_;
    }

private:
    WholeWeights pair_{0, 0, -1, -1, -1};  ///< of the layer added last that has any
    int stage_ = -1, first_ = 0, owner_ = -1;
    WholeWeights before_;  ///< of one layer
};

}  // namespace

namespace {

/// The blocks of the rows of one network: what trainers gather, and hold placeholders of, at once.
class TrainerBlocks {
public:
    TrainerBlocks(const Plan& plan, const PlanPart& part, std::span<const MemoryRow> rows, MemoryScratch& m)
        : plan_(plan), part_(part), rows_(rows), m_(m), blocks_(places_of_blocks(*part.network)) {}

    /// Weights of layer `l` on its device, of which a share is kept there: the largest block of all.
    void add(std::size_t l, double weights, MemoryScratch::Device& device) {
        const MemoryRow& row = rows_[l];
        const double more = weights * (1 - 1 / m_.states.of_weights(row.shares.experts));
        if (blocks_[l] < 0) {
            device.outside_more += more;
            return;
        }
        if (l == 0 || !together(l - 1, l)) weights_ = more_ = 0;
        const auto experts = static_cast<double>(part_.network->facts()[l].experts.count) * row.shares.weights;
        weights_ += weights / std::max(1.0, experts);  // experts are alike
        more_ += more;
        device.largest_block = std::max(device.largest_block, weights_);
        device.block_more = std::max(device.block_more, more_);
    }
    /// Fills in what whole gradients wait for the rest of their block, by row from `begin` on.
    void list_waiting(std::size_t begin) {
        m_.waiting.resize(begin);
        m_.waiting.resize(begin + rows_.size(), 0.0);
        if (plan_.trainer.whole_blocks == 0 || m_.states.sharded < Sharded::gradients) return;
        double waiting = 0;
        for (std::size_t l = rows_.size(); l-- > 0;) {
            if (l + 1 == rows_.size() || !together(l, l + 1)) waiting = 0;
            if (blocks_[l] < 0) continue;
            const LayerShares& shares = rows_[l].shares;
            waiting += part_.work.trained[l] * shares.weights * part_.work.summed_gradient_bytes() *
                       (1 - 1 / m_.states.of_gradients(shares.experts));
            m_.waiting[begin + l] = waiting;
        }
    }
    /// Whether a loss reads what the layer makes.
    bool makes_logits(std::size_t l) const {
        const auto& facts = part_.network->facts();
        for (std::size_t r = l + 1; r < facts.size(); ++r)
            if (facts[r].keeps_more == KeepsMore::logits)
                for (const int tensor : part_.network->reads(static_cast<int>(r)))
                    if (tensor == static_cast<int>(l)) return true;
        return false;
    }
    /// What the trainer holds at the worst moment of the layer's backward pass.
    TrainerBytes moment(std::size_t l, std::size_t row, double weights) const {
        TrainerBytes t;
        const MemoryRow& at = rows_[l];
        if (part_.network->facts()[l].keeps_more == KeepsMore::logits)
            t.logits = Bytes{part_.more[l] * at.shares.inputs * at.samples};
        if (plan_.trainer.placeholders && weights > 0 && blocks_[l] < 0 && makes_logits(l))
            t.placeholder = Bytes{weights};
        t.block = Bytes{m_.waiting[row]};
        return t;
    }

private:
    bool together(std::size_t a, std::size_t b) const {
        return blocks_[a] == blocks_[b] && rows_[a].stage == rows_[b].stage;
    }
    const Plan& plan_;
    const PlanPart& part_;
    std::span<const MemoryRow> rows_;
    MemoryScratch& m_;
    const std::vector<int>& blocks_;
    double weights_ = 0, more_ = 0;
};

/// Of a device whose states and activations are known: what the trainer holds all the time.
void add_trainer(const Plan& plan, const Point& point, const MemoryScratch& m, MemoryScratch::Device& d) {
    const TrainerMemory& t = plan.trainer;
    const auto degrees = point.degrees();
    if (t == TrainerMemory{} || !degrees) return;
    TrainerBytes& bytes = d.trainer;
    if (t.placeholders) bytes.placeholders = Bytes{d.largest_block};
    if (t.whole_blocks > 0 && m.states.of_weights() > 1)
        bytes.gathered =
            Bytes{std::max(0.0, d.outside_more + static_cast<double>(t.whole_blocks) * d.block_more +
                                    std::max(d.outside_more, d.block_more) - (d.whole.bytes - d.whole.kept))};
    if (degrees->replicas() > 1) bytes.exchange = t.exchange_buffers;
    bytes.fragmentation = Bytes{peak_of(d) * t.fragmentation.value};
    for (const std::int64_t ranks :
         {degrees->tensor, degrees->context, degrees->pipeline, degrees->replicas(), point.expert_ranks()})
        bytes.group_count += ranks > 1 ? 1 : 0;
    bytes.groups = t.group_buffers * static_cast<double>(bytes.group_count);
    bytes.context = t.context;
}

}  // namespace

void list_keeps(PlanPart& part, const TrainerMemory& trainer) {
    const Work& work = part.work;
    part.keeps.clear();
    part.passing.clear();
    part.more.assign(static_cast<std::size_t>(work.layers), 0.0);
    for (int l = 0; l < work.layers; ++l) {
        const auto k = static_cast<std::size_t>(l);
        double read = 0;
        for (const int tensor : part.network->reads(l)) read += work.out_bytes[static_cast<std::size_t>(tensor)];
        part.passing.push_back(work.gradient_needed[k] == 0 || read > work.in_bytes[k] ? 1 : 0);
        if (work.keeps_input[k] != 0)
            for (const int tensor : part.network->reads(l))
                if (!part.network->facts()[static_cast<std::size_t>(tensor)].per_step)  // weights are there anyway
                    part.keeps.push_back(
                        {l, tensor, true, work.is_narrow(k) && part.network->facts()[k].experts.count == 0});
        if (work.keeps_output[k] != 0) part.keeps.push_back({l, l, false});
        if (work.mask_bytes[k] > 0) part.keeps.push_back({l, KeptTensor::mask, false});
        if (work.own_bytes[k] > 0) part.keeps.push_back({l, KeptTensor::within, false});
        const LayerFacts& f = part.network->facts()[k];
        const auto elements = static_cast<double>(f.out_elements);
        if (f.keeps_more == KeepsMore::norm) part.more[k] = trainer.norms * elements;
        if (f.keeps_more == KeepsMore::gate) part.more[k] = trainer.gates * elements;
        if (f.keeps_more == KeepsMore::logits && work.gradient_needed[k] != 0)  // those and their gradient count anyway
            part.more[k] = std::max(0.0, trainer.logits / work.element_bytes - 2) * work.in_bytes[k];
        else if (part.more[k] > 0 && work.keeps_input[k] != 0)
            part.keeps.push_back({l, KeptTensor::more, false});
    }
}

void list_kept(const PlanPart& part, std::span<MemoryRow> rows, bool offloads, int& blocks, MemoryScratch& m) {
    const auto n = static_cast<std::size_t>(part.work.layers);
    if (offloads) {
        const std::vector<int>& places = places_of_blocks(*part.network);
        for (std::size_t l = 0; l < n; ++l) {
            if (l > 0 && (places[l] != places[l - 1] || rows[l].stage != rows[l - 1].stage)) ++blocks;
            rows[l].block = blocks;
        }
        ++blocks;
    }
    m.last.assign(n, -1);
    auto next = part.keeps.begin();
    Together together;
    for (int l = 0; l < part.work.layers; ++l) {
        const auto at = static_cast<std::size_t>(l);
        m.first.push_back(m.kept.size());
        if (!part.blocks.empty() && l >= together.to) together = enter_block(part, rows, l, offloads, blocks, m);
        const MemoryRow& row = rows[at];
        const bool in_block = !part.blocks.empty() && part.blocks[at] >= 0;
        // What a layer of the block that is computed again reads of one that is not.
        if (in_block && Together::again(part, l).all)
            for (const int tensor : part.network->reads(l))
                if (tensor >= together.from && !together.makes_again(part, l, tensor) &&
                    !part.network->facts()[static_cast<std::size_t>(tensor)].per_step)
                    keep(part, row, {l, tensor, true}, l, -1, offloads, m);
        for (; next != part.keeps.end() && next->keeper == l; ++next) {
            const bool again = in_block && together.makes_again(part, l, next->tensor);
            keep(part, row, *next, l, again ? row.block : -1, offloads, m);
        }
        if (in_block && !part.work.part_bytes.empty() && !Together::again(part, l).all && part.work.part_bytes[at] > 0)
            keep(part, row, {l, KeptTensor::inner, false}, l, row.block, offloads, m);
        else if (offloads && part.part_on_host[at] > 0)
            keep(part, row, {l, KeptTensor::inner, false}, l, -1, offloads, m);
        m.passing.push_back(part.passing[at] != 0 ? passing(part, row, m) : 0.0);
    }
}

MemoryScratch::Device walk_memory(const Plan& plan, const Point& point, MemoryScratch& m) {
    const double state = state_bytes(plan, point), plan_state = updates_alone(point) ? state : plan.update.state_bytes;
    int stages = 1;
    for (const MemoryRow& row : m.rows) stages = std::max(stages, row.stage + 1);
    m.devices.assign(static_cast<std::size_t>(stages), {});
    m.kept.clear();
    m.first.clear();
    m.passing.clear();
    std::size_t r = 0;
    int blocks = 0;
    for (const PlanPart& part : plan.parts) {
        const auto n = static_cast<std::size_t>(part.work.layers);
        list_kept(part, std::span(m.rows).subspan(r, n), !part.on_host.empty() && may_offload(point), blocks, m);
        r += n;
    }
    m.first.push_back(m.kept.size());
    r = 0;
    WholePairs pairs;
    for (const PlanPart& part : plan.parts) {
        const Work& work = part.work;
        const std::size_t begin = r;
        std::optional<TrainerBlocks> trainer;
        if (plan.trainer != TrainerMemory{})
            trainer.emplace(plan, part, std::span(m.rows).subspan(r, static_cast<std::size_t>(work.layers)), m)
                .list_waiting(begin);
        double within = 0, hosted = 0, hosted_before = 0;  // the latter of a block and of its neighbour
        int block = -1, stage = -1;
        for (std::size_t l = 0; l < static_cast<std::size_t>(work.layers); ++l, ++r) {
            const MemoryRow& row = m.rows[r];
            MemoryScratch::Device& device = m.devices[static_cast<std::size_t>(std::max(row.stage, 0))];
            double weights = work.weight_bytes[l] * row.shares.weights, trained = work.trained[l] * row.shares.weights,
                   narrow = work.weight_copies(l) * row.shares.weights;
            copies_of(part, m, begin, row, [&](std::size_t owner) {
                const double share = m.rows[begin + owner].shares.weights;
                weights += work.weight_bytes[owner] * share;
                narrow += work.weight_copies(owner) * share;
                trained += work.trained[owner] * share;
            });
            const double experts = row.shares.experts;
            // Sharded weights are cast when they are whole.
            if (m.states.sharded == Sharded::weights) narrow = 0;
            device.weights += weights / m.states.of_weights(experts) + narrow;
            device.copies += narrow;
            device.gradients += trained * work.summed_gradient_bytes() / m.states.of_gradients(experts);
            device.optimizer += trained * state / m.states.of_optimizer(experts);
            if (m.states.sharded == Sharded::weights) {
                const WholeWeights& pair = pairs.add(part, m, begin, r);
                if (pair.more() > device.whole.more()) device.whole = pair;
            }
            if (trainer) trainer->add(l, weights, device);
            device.activations += kept_by(m, r);
            if (row.block != block) {
                hosted_before = row.stage == stage ? hosted : 0.0;
                block = row.block, stage = row.stage, within = hosted = 0;
            }
            if (block >= 0) within += recomputed_by(m, r);
            if (const double bytes = hosted_by(m, r); bytes > 0) {
                hosted += bytes;
                device.on_host += bytes * row.kept_samples / row.samples;
            }
            device.on_host += trained * (plan_state - state) / m.states.of_optimizer(experts);
            const double gradients =
                (work.in_bytes[l] * row.shares.inputs + work.out_bytes[l] * row.shares.outputs) * row.samples +
                gathered(work, row);
            const TrainerBytes moment =
                trainer && work.gradient_needed[l] ? trainer->moment(l, r, weights) : TrainerBytes{};
            const double live = device.activations + within +
                                std::max(m.passing[r], work.gradient_needed[l] ? gradients : 0.0) + hosted_before +
                                moment.moment().value;
            if (live > device.live) {
                device.live = live, device.part = row.part, device.layer = row.position, device.trainer = moment;
                device.arriving = hosted_before;
            }
        }
    }
    MemoryScratch::Device fullest;
    double most = 0;
    // The rank's own piece of the layers that are whole is counted already.
    for (std::size_t d = 0; d < m.devices.size(); ++d) {
        MemoryScratch::Device& device = m.devices[d];
        device.weights += device.whole.more();
        device.copies += device.whole.copies;
        device.stage = static_cast<int>(d);
        add_trainer(plan, point, m, device);
    }
    for (const auto& device : m.devices)
        if (peak_of(device) > most) {
            most = peak_of(device);
            fullest = device;
        }
    return fullest;
}

double kept_by(const MemoryScratch& m, std::size_t r) {
    double sum = 0;
    for (std::size_t k = m.first[r]; k < m.first[r + 1]; ++k)
        if (m.kept[k].block < 0) sum += m.kept[k].bytes;
    return sum;
}

double recomputed_by(const MemoryScratch& m, std::size_t r) {
    double sum = 0;
    for (std::size_t k = m.first[r]; k < m.first[r + 1]; ++k)
        if (m.kept[k].block >= 0) sum += m.kept[k].bytes;
    return sum;
}

double hosted_by(const MemoryScratch& m, std::size_t r) {
    double sum = 0;
    for (std::size_t k = m.first[r]; k < m.first[r + 1]; ++k)
        if (m.kept[k].on_host) sum += m.kept[k].bytes;
    return sum;
}

double peak_of(const MemoryScratch::Device& d) {
    return d.weights + d.gradients + d.optimizer + std::max(d.activations, d.live) + d.trainer.all_the_time().value;
}

namespace {

/// The layers of the runs that the division tells.
MemoryScratch::Device walk_runs(const Plan& plan, const Point& point, Scratch& scratch) {
    auto& rows = scratch.memory.rows;
    rows.clear();
    scratch.memory.states = scratch.division.states;
    for (const LayerRun& run : scratch.division.runs)
        for (int l = run.from; l < run.to; ++l) {
            const auto k = static_cast<std::size_t>(l);
            rows.push_back({run.part, l, run.stage, run.samples, run.kept_samples,
                            run.shared ? scratch.division.shares.of(k) : LayerShares{}});
        }
    return walk_memory(plan_of(plan, point, scratch), point, scratch.memory);
}

}  // namespace

Bytes peak_memory(const Plan& plan, const Point& point, Scratch& scratch) {
    if (plan.cpu) return cpu_memory(plan, point, scratch.cpu);
    if (scratch.division.runs.empty()) score(plan, point, scratch, Told::runs);
    return Bytes{peak_of(walk_runs(plan, point, scratch))};
}

bool surely_too_large(const Plan& plan, const Point& point, Bytes room, Scratch& scratch) {
    const double limit = room.value * (1 + 1e-9);  // sums in another order: more than rounding may take
    const auto above = [limit](double bytes) { return bytes > limit; };
    const auto& states = scratch.division.state_bytes;
    if (states_surely_too_large(room, scratch)) return true;
    const auto key = scratch.division.held_key;
    const auto known = [&]() -> auto& { return pieces_of(plan, states.size(), scratch).held; };
    auto held = known().find(key);
    if (held == known().end()) {
        score(plan, point, scratch, Told::least_runs);
        walk_runs(plan, point, scratch);
        auto& maps = known();
        const auto bytes = scratch.pieces->room.take<double>(states.size());
        std::transform(scratch.memory.devices.begin(), scratch.memory.devices.end(), bytes.begin(),
                       [](const MemoryScratch::Device& d) { return std::max(d.activations, d.live); });
        held = maps.emplace(key, bytes).first;
    }
    for (std::size_t d = 0; d < states.size(); ++d)
        if (above(states[d] + held->second[d])) return true;
    return false;
}

LeastStates::LeastStates(const Plan& plan) : known_(!plan.cpu && !plan.paleo) {
    for (const PlanPart& part : plan.parts) {
        const Work& work = part.work;
        weights_ += Bytes{std::accumulate(work.weight_bytes.begin(), work.weight_bytes.end(), 0.0)};
        gradients_ += Bytes{part.trained * work.summed_gradient_bytes()};
        optimizer_ += Bytes{part.trained * state_bytes(plan, plan.point)};
    }
}

Bytes LeastStates::at(const Point& point) const {
    const auto degrees = point.degrees();
    if (!known_ || !degrees || point.segments || updates_alone(point)) return Bytes{0};
    const auto all = static_cast<double>(point.workers),
               one_copy = static_cast<double>(degrees->tensor * degrees->pipeline);
    // Ranks of experts are ranks of the data and tensor axes too: all devices at the most hold one copy of those.
    const auto over = [&](Sharded state) {
        return point.sharded >= state || point.expert_ranks() > 1 ? all : one_copy;
    };
    return weights_ / over(Sharded::weights) + gradients_ / over(Sharded::gradients) +
           optimizer_ / over(Sharded::optimizer);
}

Bytes PeakMemory::at(const Point& point, const Summary& summary, Scratch& scratch) {
    if (plan_.cpu || point.degrees()->data != point.workers || !fills_data(point) ||
        point.sharded != Sharded::nothing || plan_.trainer != TrainerMemory{})
        return peak_memory(plan_, point, scratch);
    const auto [known, is_new] = by_samples_.try_emplace(summary.batch.per_replica);
    if (is_new) known->second = peak_memory(plan_, point, scratch);
    return known->second;
}

}  // namespace scalescope
