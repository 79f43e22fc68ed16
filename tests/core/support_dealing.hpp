// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/network/network.hpp"

/// Who owns which element of every tensor when outputs are split, worked out element by element and without
/// core/parallel.
namespace support::dealing {

using namespace scalescope;
using Elements = std::vector<char>;  ///< a set of elements of one tensor for one sample
constexpr int nobody = -1;

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Consecutive blocks, the first `count mod workers` of them one longer.
std::vector<int> blocks(std::int64_t count, std::int64_t workers);

/// The network as the simulation sees it: tensors are the outputs of layers that are no views.
struct Graph {
    const Network& network;
    int n;
    std::vector<int> tensor;  ///< of each layer: the layer that made the elements it hands on
    std::vector<std::int64_t> channels, elements_of;
    std::set<int> whole;  ///< layers that share weights, and would be cut in different ways

    explicit Graph(const Network& net, std::set<int> not_cut = {})
        : network(net), n(net.size()), whole(std::move(not_cut)) {
        for (int l = 0; l < n; ++l) {
            tensor.push_back(view(l) ? tensor[at(net.inputs(l)[0])] : l);
            const Shape& s = net.facts()[at(l)].output;
            channels.push_back(s.empty() ? 1 : s.back());
            elements_of.push_back(elements(s));
        }
    }
    std::string_view kind(int l) const { return network.layers()[at(l)].kind->name; }
    bool view(int l) const { return kind(l) == "flatten" || kind(l) == "reshape" || kind(l) == "identity"; }
    /// The same for all samples, and on every worker.
    bool trained(int l) const { return kind(tensor[at(l)]) == "parameter" || kind(tensor[at(l)]) == "constant"; }
    template <class T>
    const T& value(int l, std::string_view name) const {
        return std::get<T>(attribute(network.layers()[at(l)], name));
    }
    /// Acts along the last axis, the channels.
    bool along_channels(int l) const {
        const auto rank = static_cast<std::int64_t>(network.facts()[at(network.inputs(l)[0])].output.size());
        const auto last = [&](std::int64_t axis) { return axis == -1 || axis == rank; };
        if (kind(l) == "reduce") {
            const auto& axes = value<std::vector<std::int64_t>>(l, "axes");
            return axes.empty() || std::any_of(axes.begin(), axes.end(), last);
        }
        return last(value<std::int64_t>(l, "axis"));
    }
    /// Runs whole whatever it computes: weights cut in two ways, or an input that is trained.
    bool kept_whole(int l) const {
        if (whole.contains(l)) return true;
        const auto in = network.inputs(l);
        return std::any_of(in.begin(), in.end(), [&](int i) { return trained(i); });
    }
    /// The layer whose weights it uses.
    int owner(int l) const {
        const LayerId with = network.layers()[at(l)].shares_weights_with;
        return with == LayerId{} ? l : *network.position(with);
    }
    /// One tensor of weights is frozen wherever it is used.
    bool frozen(int l, const std::set<std::string>& names) const {
        for (int other = 0; other < n; ++other)
            if (owner(other) == owner(l) && names.contains(network.layers()[at(other)].name)) return true;
        return false;
    }
    bool has_filters(int l) const { return !kept_whole(l) && filters_of_a_kind(l); }
    bool filters_of_a_kind(int l) const {
        return kind(l) == "convolution" || kind(l) == "transposed_convolution" || kind(l) == "dense" ||
               kind(l) == "embedding";
    }
    bool trainable(int l) const { return network.facts()[at(l)].weights > 0; }
    /// Every output channel needs all input channels.
    bool mixes(int l) const;
    bool joins(int l) const { return kind(l) == "concat" && along_channels(l); }
    bool source(int l) const { return kind(l) == "input"; }
    bool channelwise(int l) const { return !view(l) && !has_filters(l) && !mixes(l) && !source(l); }
    std::int64_t groups(int l) const {
        return (kind(l) == "convolution" || kind(l) == "transposed_convolution") && !kept_whole(l)
                   ? std::get<std::int64_t>(attribute(network.layers()[at(l)], "groups"))
                   : 1;
    }
    bool depthwise(int l) const { return groups(l) > 1 && groups(l) == channels[at(network.inputs(l)[0])]; }

    /// Channels of its input `k` that output channel `c` of layer l is computed from: [first, last).
    std::pair<std::int64_t, std::int64_t> needs(int l, std::size_t k, std::int64_t c) const;
};

/// Who owns which element of each tensor when it is split over `workers` workers, and which tensors can be.
struct Dealing {
    std::vector<std::vector<int>> owner;  ///< by layer and element
    std::vector<std::int64_t> units;      ///< of layers with filters: how many pieces they can be cut into
    std::vector<char> splits;             ///< by layer: split if its inputs are (channelwise), always (filters), never
};

/// Fewer channels along which layers with filters must be cut; 0: their own.
std::vector<std::int64_t> folds(const Graph& g);
/// `splits`: which layers are divided, if that is settled already.
Dealing deal(const Graph& g, const std::vector<std::int64_t>& fold, std::int64_t workers,
             const std::vector<char>* splits);
/// Layers whose outputs are divided behind the cut: a channelwise one only if some input is.
std::vector<char> split_behind(const Graph& g, const Dealing& d, int cut);
/// Layers that share weights of which their workers would need different parts, wherever the cut lies before both.
std::set<int> cut_unlike(const Graph& g);

}  // namespace support::dealing
