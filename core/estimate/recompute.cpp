// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/recompute.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/drawing/blocks.hpp"
#include "core/estimate/block_borders.hpp"
#include "core/estimate/offload.hpp"
#include "core/estimate/recompute_modules.hpp"

namespace scalescope {
namespace {

/// The outermost blocks in the layer names. A block that only wraps others is opened: it contains blocks with the same
/// kinds of layers, each of which reads from the previous one.
class NamedBlocks {
public:
    explicit NamedBlocks(const Network& network) : network_(network), h_(drawing::make_hierarchy(Sketch(network))) {}

    /// By position, the index of the block in the hierarchy, or -1.
    std::vector<int> find() const {
        std::vector<int> blocks(static_cast<std::size_t>(network_.size()), -1);
        descend(h_.top, [&](int block) {
            for (const int l : item(block).layers) blocks[static_cast<std::size_t>(l)] = block;
        });
        return blocks;
    }

private:
    const Network& network_;
    const drawing::Hierarchy h_;

    const drawing::Item& item(int i) const { return h_.items[static_cast<std::size_t>(i)]; }
    const Kind* kind(int layer) const { return network_.layers()[static_cast<std::size_t>(layer)].kind; }

    /// A row of blocks, or a run of items folded to be readable: its path names its first and its last item.
    bool is_row(const drawing::Item& i) const {
        return !i.is_layer() && !std::string_view(item(i.children.front()).path).starts_with(i.path);
    }
    /// The blocks among some items, including those in rows, in order.
    std::vector<int> blocks_among(const std::vector<int>& items) const {
        std::vector<int> blocks;
        for (const int i : items) {
            if (item(i).is_layer()) continue;
            if (!is_row(item(i))) {
                blocks.push_back(i);
                continue;
            }
            const auto inner = blocks_among(item(i).children);
            blocks.insert(blocks.end(), inner.begin(), inner.end());
        }
        return blocks;
    }
    /// The blocks have the same kinds of layers, and the second one reads from the first. Experts and parallel branches
    /// do not.
    bool follows(int block, int next) const {
        const std::vector<int>&a = item(block).layers, &b = item(next).layers;
        const auto alike = [&](int x, int y) { return kind(x) == kind(y); };
        if (!std::equal(a.begin(), a.end(), b.begin(), b.end(), alike)) return false;
        return std::any_of(b.begin(), b.end(), [&](int l) {
            const auto reads = network_.reads(l);
            return std::any_of(reads.begin(), reads.end(),
                               [&](int t) { return std::binary_search(a.begin(), a.end(), t); });
        });
    }
    bool is_wrapper(int block) const {
        const auto inner = blocks_among(item(block).children);
        for (std::size_t i = 0; i < inner.size(); ++i)
            if ((i > 0 && follows(inner[i - 1], inner[i])) || is_wrapper(inner[i])) return true;
        return false;
    }
    template <class Put>
    void descend(const std::vector<int>& items, Put put) const {
        const auto blocks = blocks_among(items);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const bool in_line = (i > 0 && follows(blocks[i - 1], blocks[i])) ||
                                 (i + 1 < blocks.size() && follows(blocks[i], blocks[i + 1]));
            if (!in_line && is_wrapper(blocks[i]))
                descend(item(blocks[i]).children, put);
            else
                put(blocks[i]);
        }
    }
};

/// Whether any name could tell a block: slashes, or points where there are no slashes, separate blocks.
bool has_paths(const Network& network) {
    return std::any_of(network.layers().begin(), network.layers().end(),
                       [](const Layer& l) { return l.name.find_first_of("/.") != std::string::npos; });
}

/// By position, an id of the block in the layer names, or -1. Finding them takes longer than the rest of a plan, and
/// follows from the network alone.
std::vector<int> named_blocks(const Network& network) {
    if (has_paths(network)) return NamedBlocks(network).find();
    return std::vector<int>(static_cast<std::size_t>(network.size()), -1);
}

/// Attention that keeps its scores. Fused attention keeps one number for each row; its backward pass recomputes the
/// scores, so it has more arithmetic than two products for each product of the forward pass.
bool keeps_scores(const LayerFacts& f) {
    return f.along(ShardAlong::heads) > 0 && f.kept_elements > 0 && f.input_multiply_adds <= 2 * f.multiply_adds;
}

/// By position, an id of the block that could be recomputed, or -1. Layers that a person names, one after the other,
/// are a block, which ends where one in the layer names does.
std::vector<int> candidates(const Plan& plan, const PlanPart& part, Recompute recompute) {
    std::vector<int> blocks(static_cast<std::size_t>(part.work.layers), -1);
    if (recompute != Recompute::attention) blocks = part.network->found(named_blocks);
    if (recompute != Recompute::attention && recompute != Recompute::layers) return blocks;
    const auto& named = plan.parallelism.recompute_layers;
    for (std::size_t l = 0; l < blocks.size(); ++l) {
        if (recompute == Recompute::attention)
            blocks[l] = keeps_scores(part.network->facts()[l]) ? static_cast<int>(l) : -1;
        else
            blocks[l] =
                std::binary_search(named.begin(), named.end(), part.network->layers()[l].id) ? blocks[l] + 1 : -1;
    }
    return blocks;
}

/// Decides, in the order of the layers, which blocks save memory. A block saves memory if its inputs, as far as they
/// would not be kept anyway, have fewer bytes than the tensors that only its own layers would keep. All such blocks
/// together never keep more than without recomputation.
class Savings {
public:
    explicit Savings(const PlanPart& part)
        : part_(part),
          next_(part.keeps.begin()),
          kept_(static_cast<std::size_t>(part.work.layers), 0),
          last_read_(kept_.size(), -1) {
        for (int l = 0; l < part.work.layers; ++l)
            for (const int t : part.network->reads(l)) last_read_[static_cast<std::size_t>(t)] = l;
    }

    /// The layers up to `to`, outside of all blocks.
    void pass(int to) { keep(to, to); }

    /// Whether the block of layers [from, to) saves memory. A block whose output no later layer reads does not: its
    /// backward pass starts right after its forward pass.
    bool take(int from, int to) {
        const Work& work = part_.work;
        const bool is_read =
            std::any_of(last_read_.begin() + from, last_read_.begin() + to, [&](int reader) { return reader >= to; });
        const double saved = keep(from, to);
        double kept = 0;
        std::vector<int> inputs;
        for (int l = from; l < to; ++l)
            for (const int t : part_.network->reads(l)) {
                char& known = kept_[static_cast<std::size_t>(t)];
                if (t >= from || known != 0 || part_.network->facts()[static_cast<std::size_t>(t)].per_step) continue;
                known = 1;
                inputs.push_back(t);
                kept += work.out_bytes[static_cast<std::size_t>(t)];
            }
        if (is_read && kept < saved) return true;
        for (const int t : inputs) kept_[static_cast<std::size_t>(t)] = 0;
        return false;
    }

private:
    const PlanPart& part_;
    std::vector<Keep>::const_iterator next_;
    std::vector<char> kept_;      ///< by tensor: kept without recomputation, or as the input of a block
    std::vector<int> last_read_;  ///< by tensor: the last layer that reads it, or -1

    /// Lets the layers up to `to` keep what they need. Returns the bytes of those tensors that layers from `from` on
    /// make and no layer after `to` reads.
    double keep(int from, int to) {
        double bytes = 0;
        for (; next_ != part_.keeps.end() && next_->keeper < to; ++next_) {
            if (next_->tensor < 0) {
                bytes += part_.bytes_of(*next_);
            } else if (char& known = kept_[static_cast<std::size_t>(next_->tensor)]; known == 0) {
                known = 1;
                const auto t = static_cast<std::size_t>(next_->tensor);
                if (next_->tensor >= from && last_read_[t] < to) bytes += part_.bytes_of(*next_);
            }
        }
        return bytes;
    }
};

}  // namespace

const std::vector<int>& blocks_of(const Network& network) { return network.found(named_blocks); }

bool can_recompute(const Network& network) {
    if (!network.found(find_modules).empty()) return true;
    const std::vector<int>& blocks = network.found(named_blocks);
    return std::any_of(blocks.begin(), blocks.end(), [](int block) { return block >= 0; });
}

namespace {

/// Layers [from, to), of which some are computed again.
struct Run {
    int from = 0, to = 0;
};

/// The blocks that are recomputed.
std::vector<Run> runs_of_blocks(const Plan& plan, const PlanPart& part, Recompute recompute) {
    const std::vector<int> blocks = candidates(plan, part, recompute);
    Savings savings(part);
    std::vector<Run> runs;
    for (int from = 0, to = 0; from < part.work.layers; from = to) {
        const int block = blocks[static_cast<std::size_t>(from)];
        for (to = from; to < part.work.layers && blocks[static_cast<std::size_t>(to)] == block;) ++to;
        if (block < 0) savings.pass(to);
        // What a person names is recomputed, whether it saves anything or not.
        if (block >= 0 && (savings.take(from, to) || recompute == Recompute::layers)) runs.push_back({from, to});
    }
    return runs;
}

/// Of these blocks, those that are recomputed together or left out, counted on each stage. Stages that begin where the
/// step is shortest are taken to have equally many blocks.
std::vector<Run> counted(const Plan& plan, const PlanPart& part, const std::vector<Run>& blocks) {
    const Recomputation& r = plan.recomputation;
    const auto count = static_cast<std::size_t>(r.count), all = blocks.size(),
               stages = static_cast<std::size_t>(r.stages);
    std::vector<int> borders = plan.boundaries;
    if (borders.size() + 1 != stages && plan.parallelism.borders == StageBorders::blocks &&
        split_at_blocks(*part.network, static_cast<int>(stages), borders))
        borders.erase(borders.begin()), borders.pop_back();
    const auto stage_of = [&](std::size_t i) {
        if (borders.size() + 1 != stages) return ((i + 1) * stages - 1) / all;
        return static_cast<std::size_t>(std::upper_bound(borders.begin(), borders.end(), blocks[i].from) -
                                        borders.begin());
    };
    std::vector<Run> runs;
    std::size_t in_stage = 0, stage = 0;
    for (std::size_t i = 0; i < all; ++i, ++in_stage) {
        if (r.what != Recompute::every_nth && stage_of(i) != stage) stage = stage_of(i), in_stage = 0;
        const std::size_t each = std::max<std::size_t>(1, count);
        if (r.what == Recompute::uniform && in_stage % each != 0 && runs.back().to == blocks[i].from)
            runs.back().to = blocks[i].to;
        else if (r.what == Recompute::uniform || (r.what == Recompute::block && in_stage < count) ||
                 (r.what == Recompute::every_nth && (in_stage + 1) % each == 0))
            runs.push_back(blocks[i]);
    }
    return runs;
}

/// Whether the layer makes both halves of what a gated unit reads.
bool makes_gate(const PlanPart& part, int layer) {
    const int next = layer + 1;
    if (next >= part.work.layers || part.network->facts()[static_cast<std::size_t>(next)].keeps_more != KeepsMore::gate)
        return false;
    const auto reads = part.network->reads(next);
    return std::find(reads.begin(), reads.end(), layer) != reads.end();
}

/// torchtitan's selective recomputation by operator: every second matrix product of a block is kept, from the first on,
/// and fused attention.
void keep_operators(const PlanPart& part, const Run& run, std::vector<Work::Again>& again) {
    bool kept = true;
    for (int l = run.from; l < run.to; ++l) {
        const LayerFacts& f = part.network->facts()[static_cast<std::size_t>(l)];
        const bool product = f.weights > 0 && f.multiply_adds > 0 && f.experts.count == 0;
        const bool keeps = product ? kept : f.along(ShardAlong::heads) > 0 && !keeps_scores(f);
        if (product && makes_gate(part, l)) {  // two products in one, of which one is kept
            again[static_cast<std::size_t>(l)] = {.part = true, .half = true};
            continue;
        }
        if (product) kept = !kept;
        again[static_cast<std::size_t>(l)] = {.all = !keeps};
    }
    // What ends the block is kept as the input of the next one. Nothing needs it again.
    const auto last = static_cast<std::size_t>(run.to - 1);
    if (part.network->facts()[last].sums) again[last] = {};
}

std::vector<Run> runs_of_modules(const PlanPart& part, unsigned modules, std::vector<Work::Again>& again) {
    std::vector<Run> runs;
    for (const ModulePiece& piece : part.network->found(find_modules)) {
        if ((modules & bit_of(piece.module)) == 0) continue;
        runs.push_back({piece.layers.front(), piece.to});
        for (const int l : piece.layers) {
            Work::Again& of = again[static_cast<std::size_t>(l)];
            (piece.part ? of.part : of.all) = true;
            of.messages = of.messages || piece.messages;
        }
    }
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.from < b.from; });
    std::size_t last = 0;  // those that overlap are one
    for (std::size_t i = 1; i < runs.size(); ++i)
        if (runs[i].from < runs[last].to)
            runs[last].to = std::max(runs[last].to, runs[i].to);
        else
            runs[++last] = runs[i];
    runs.resize(std::min(runs.size(), last + 1));
    return runs;
}

/// What of layers only a part is computed again costs, and what it makes: the function within experts, or half of a
/// product.
void count_parts(const PlanPart& part, Work& work) {
    work.part = {};
    work.part_bytes.clear();
    const auto any = [](const Work::Again& a) { return a.part; };
    if (std::none_of(work.again.begin(), work.again.end(), any)) return;
    PassWork& p = work.part;
    for (auto* v : {&p.flops, &p.inputs, &p.outputs, &p.weights, &p.active, &p.priced, &work.part_bytes})
        v->assign(work.again.size(), 0.0);
    for (std::size_t l = 0; l < work.again.size(); ++l) {
        if (work.again[l].half) {
            const PassWork& forward = work.pass[index_of(Pass::forward)];
            p.flops[l] = forward.flops[l] / 2;
            p.priced[l] = forward.priced[l] / 2;
            p.inputs[l] = forward.inputs[l];
            p.outputs[l] = forward.outputs[l] / 2;
            p.weights[l] = forward.weights[l] / 2;
            p.active[l] = forward.active[l];
        } else if (work.again[l].part) {
            const ExpertFacts& experts = part.network->facts()[l].experts;
            p.outputs[l] = static_cast<double>(experts.function_moves) * work.element_bytes;
            p.active[l] = 1;
            work.part_bytes[l] = bytes_of_function(work, l, experts);
        }
    }
}

}  // namespace

void mark_recomputed(const Plan& plan, PlanPart& part) {
    const Recompute recompute = plan.recomputation.what;
    const auto n = static_cast<std::size_t>(part.work.layers);
    std::vector<Work::Again>& again = part.work.again;
    part.blocks.clear();
    again.clear();
    // A network without a forward pass in this step has none to run again.
    const auto& forward = part.work.pass[index_of(Pass::forward)].active;
    if (recompute != Recompute::nothing &&
        std::any_of(forward.begin(), forward.end(), [](double a) { return a > 0; })) {
        again.resize(n);
        const unsigned modules = modules_of(recompute);
        std::vector<Run> runs =
            modules != 0 ? runs_of_modules(part, modules, again) : runs_of_blocks(plan, part, recompute);
        if (counts_blocks(recompute)) runs = counted(plan, part, runs);
        part.blocks.assign(n, -1);
        for (const Run& run : runs) {
            const bool messages =
                recompute != Recompute::attention && (recompute != Recompute::layers || run.to - run.from > 1);
            std::fill(part.blocks.begin() + run.from, part.blocks.begin() + run.to, static_cast<int>(&run - &runs[0]));
            if (recompute == Recompute::operators)
                keep_operators(part, run, again);
            else if (modules == 0)
                std::fill(again.begin() + run.from, again.begin() + run.to, Work::Again{true, messages, false});
        }
        if (runs.empty()) part.blocks.clear(), again.clear();
    }
    count_parts(part, part.work);
}

void set_recompute(Plan& plan, const Recomputation& recomputation) {
    if (plan.recomputation == recomputation) return;
    plan.recomputation = recomputation;
    if (plan.method != Method::pipeline) return;
    for (PlanPart& part : plan.parts) {
        mark_recomputed(plan, part);
        list_hosted(plan, part);
        part.lines = TimeLines(part.work, plan.device);
    }
}

const Plan& make_plan_of(const Plan& plan, const Recomputation& recomputation, Scratch& scratch) {
    constexpr std::size_t most = 32;
    auto& all = scratch.recomputing;
    auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& other) { return other->recomputation == recomputation; });
    if (found == all.end()) {
        if (all.size() < most)
            found = all.insert(all.end(), nullptr);
        else
            found = all.begin() + static_cast<std::ptrdiff_t>(scratch.recomputed++ % most);
    } else if ((*found)->prices == plan.prices) {
        return **found;
    }
    *found = std::make_unique<Plan>(plan);
    set_recompute(**found, recomputation);
    return **found;
}

}  // namespace scalescope
