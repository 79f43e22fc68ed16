// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel/message.hpp"

namespace scalescope {

/// How a tensor lies on the ranks of one axis of the mesh: whole on each of them, cut along its last dimension or along
/// its first one, or as a sum of which each rank has a part (specification: composed parallelism, section 3;
/// "replicate", "shard" and "partial" of PyTorch's DTensor).
enum class Placement : std::uint8_t { whole, features, positions, partial };

/// What must be sent to turn one into the other; a slice of what is there already is nothing.
std::optional<Message> reshard(Placement from, Placement to);
/// All that it may be.
inline constexpr std::array resharding_messages{Message::all_reduce, Message::reduce_scatter, Message::all_gather,
                                                Message::all_to_all};
/// How the gradient of a tensor lies that is made like this: a sum needs the whole one in each of its parts.
constexpr Placement of_gradient(Placement made) { return made == Placement::partial ? Placement::whole : made; }

/// A set of placements.
class Placements {
public:
    void insert(Placement p) { bits_ = static_cast<std::uint8_t>(bits_ | bit(p)); }
    bool has(Placement p) const { return (bits_ & bit(p)) != 0; }
    bool empty() const { return bits_ == 0; }
    bool none_but(Placement p) const { return (bits_ & ~bit(p)) == 0; }
    std::uint8_t bits() const { return bits_; }
    bool operator==(const Placements&) const = default;

private:
    static constexpr std::uint8_t bit(Placement p) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(p)); }
    std::uint8_t bits_ = 0;
};

/// Who makes a tensor in which placement, and who needs it in which; likewise of its gradient. A message is sent once
/// for all that need the same.
struct TensorUse {
    Placement made = Placement::whole;
    Placements read;       ///< forward: as its readers need it
    Placements gradients;  ///< backward: as its readers leave their parts of its gradient
    bool operator==(const TensorUse&) const = default;
};
/// Messages that carry one tensor in one direction.
class FewMessages {
public:
    FewMessages() = default;
    FewMessages(std::initializer_list<Message> all) {
        for (const Message m : all) push_back(m);
    }
    void push_back(Message m) { all_[count_++] = m; }
    const Message* begin() const { return all_.data(); }
    const Message* end() const { return all_.data() + count_; }
    bool empty() const { return count_ == 0; }
    bool operator==(const FewMessages&) const = default;

private:
    std::array<Message, 2> all_{};  ///< one for each way to cut
    std::size_t count_ = 0;
};
/// The cheapest messages for it: `seconds` of one that carries this tensor. `backward`: its gradient goes back.
FewMessages messages_forward(const TensorUse& use, const std::function<double(Message)>& seconds);
FewMessages messages_backward(const TensorUse& use, const std::function<double(Message)>& seconds);

/// A layer's choice among the ways to divide it over the axis.
struct ShardingOption {
    Placement in = Placement::whole, out = Placement::whole;
    Placement gradient = Placement::whole;  ///< as its part of the gradient of what it reads lies
    int weights = 0;                        ///< how its weights are cut: layers that share them must agree
    double seconds = 0;                     ///< of its work, and of messages within it
    int name = -1;                          ///< what the caller calls it
    bool operator==(const ShardingOption&) const = default;
};
struct PlacementProblem {
    struct Layer {
        std::span<const int> reads;               ///< layers before it, which make those tensors
        std::span<const ShardingOption> options;  ///< layers that are alike may share them
        int owner = -1;                           ///< earlier layer whose weights it uses
        bool gradient = false;                    ///< of its output is needed
        bool stays_whole = false;                 ///< whole or a sum, its output is not cut along features for a reader
    };
    std::vector<Layer> layers;
    std::function<double(int tensor, Message)> seconds;
    std::vector<std::size_t> size_of{};  ///< by tensor: those with the same number cost the same; empty: not known

    /// Options for layers of this problem and of its copies.
    std::span<const ShardingOption> keep(std::vector<ShardingOption> options) {
        return *kept_.emplace_back(std::make_shared<const std::vector<ShardingOption>>(std::move(options)));
    }

private:
    std::vector<std::shared_ptr<const std::vector<ShardingOption>>> kept_;
};
struct PlacementChoice {
    std::vector<int> options;  ///< by layer
    double seconds = 0;
    bool proven = true;  ///< nothing is cheaper; false if too many combinations were possible to keep all
};
/// The cheapest choice for all layers, by one pass over the network that keeps, for each combination of how the tensors
/// lie that are still to be read, the cheapest way to it. Every layer has an option. At most `most` combinations are
/// kept, the cheapest ones. Repeated blocks of layers cost little: what is possible in them is listed once.
PlacementChoice cheapest_placements(const PlacementProblem& problem, std::size_t most = 4096);

}  // namespace scalescope
