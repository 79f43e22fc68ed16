// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/recompute.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/drawing/blocks.hpp"

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
std::vector<int> candidates(const Plan& plan, const PlanPart& part) {
    const Recompute recompute = plan.point.recompute;
    std::vector<int> blocks(static_cast<std::size_t>(part.work.layers), -1);
    if (recompute != Recompute::attention) blocks = part.network->found(named_blocks);
    if (recompute == Recompute::blocks) return blocks;
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
        const Work& work = part_.work;
        double bytes = 0;
        for (; next_ != part_.keeps.end() && next_->keeper < to; ++next_) {
            const auto l = static_cast<std::size_t>(next_->keeper);
            if (next_->tensor == KeptTensor::mask) {
                bytes += work.mask_bytes[l];
            } else if (next_->tensor == KeptTensor::within) {
                bytes += work.own_bytes[l];
            } else if (char& known = kept_[static_cast<std::size_t>(next_->tensor)]; known == 0) {
                known = 1;
                const auto t = static_cast<std::size_t>(next_->tensor);
                if (next_->tensor >= from && last_read_[t] < to) bytes += work.out_bytes[t];
            }
        }
        return bytes;
    }
};

}  // namespace

const std::vector<int>& blocks_of(const Network& network) { return network.found(named_blocks); }

bool can_recompute(const Network& network) {
    if (std::any_of(network.facts().begin(), network.facts().end(), keeps_scores)) return true;
    const std::vector<int>& blocks = network.found(named_blocks);
    return std::any_of(blocks.begin(), blocks.end(), [](int block) { return block >= 0; });
}

std::vector<int> find_recomputed(const Plan& plan, const PlanPart& part) {
    const Recompute recompute = plan.point.recompute;
    const int n = part.work.layers;
    // A network without a forward pass in this step has none to run again.
    const auto& forward = part.work.pass[index_of(Pass::forward)].active;
    if (recompute == Recompute::nothing || std::none_of(forward.begin(), forward.end(), [](double a) { return a > 0; }))
        return {};
    std::vector<int> blocks = candidates(plan, part);
    Savings savings(part);
    int count = 0;
    for (int from = 0, to = 0; from < n; from = to) {
        const int block = blocks[static_cast<std::size_t>(from)];
        for (to = from; to < n && blocks[static_cast<std::size_t>(to)] == block;) ++to;
        if (block < 0) savings.pass(to);
        // What a person names is recomputed, whether it saves anything or not.
        const bool taken = block >= 0 && (savings.take(from, to) || recompute == Recompute::layers);
        std::fill(blocks.begin() + from, blocks.begin() + to, taken ? count : -1);
        count += taken ? 1 : 0;
    }
    if (count == 0) blocks.clear();
    return blocks;
}

void mark_recomputed(const Plan& plan, PlanPart& part) {
    part.blocks = find_recomputed(plan, part);
    part.work.again.clear();
    for (const int block : part.blocks) part.work.again.push_back(block >= 0 ? 1 : 0);
}

void set_recompute(Plan& plan, Recompute recompute) {
    if (plan.point.recompute == recompute) return;
    plan.point.recompute = recompute;
    if (plan.method != Method::pipeline) return;
    for (PlanPart& part : plan.parts) {
        mark_recomputed(plan, part);
        part.lines = TimeLines(part.work, plan.device);
    }
}

const Plan& make_plan_of(const Plan& plan, Recompute recompute, Scratch& scratch) {
    std::optional<Plan>& other = scratch.recomputing[static_cast<std::size_t>(recompute)];
    if (!other || other->prices != plan.prices) set_recompute(other.emplace(plan), recompute);
    return *other;
}

}  // namespace scalescope
