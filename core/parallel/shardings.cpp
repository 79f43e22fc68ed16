// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/shardings.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "core/base/checked.hpp"
#include "core/parallel/layer_cuts.hpp"
#include "core/parallel/rows.hpp"

namespace scalescope {
namespace {

using enum Placement;

/// By ShardAlong. An embedding's table has the vocabulary as rows, the product that shares it as columns.
constexpr std::array<ShardingRow, shard_ways> rows{{
    {ShardAlong::outputs, "columns of the weights", whole, features, partial, true, false, true, 1},
    {ShardAlong::inputs, "rows of the weights", features, partial, features, true, true, false, 2},
    {ShardAlong::channels, "features", features, features, features, true, true, true, 1},
    {ShardAlong::heads, "heads", features, features, features, true, true, true, 0},
    {ShardAlong::vocabulary, "vocabulary", whole, partial, whole, true, false, false, 1},
    {ShardAlong::positions, "positions", positions, positions, positions, true, true, true, 0, true},
    {ShardAlong::queries, "positions of the queries", positions, positions, positions, true, true, true, 0},
    {ShardAlong::rows, "rows of the loss", positions, whole, positions, true, true, false, 0},
    {ShardAlong::units, "units", whole, whole, partial, true, false, true, 1},
    {ShardAlong::image_rows, "rows of the image", positions, positions, positions, true, true, true, 0, true, true},
    {ShardAlong::pooled_rows, "rows of the pooled image", positions, partial, positions, true, true, false, 0},
    {ShardAlong::vectors, "vectors of the heads", features, features, features, true, true, true, 0, true},
    {ShardAlong::copies, "copies for the heads", whole, features, partial, true, false, true, 0},
}};

/// Bytes of a statistic, in fp32: of one row of classes a loss computes the largest, the sum, and the target's.
constexpr double statistic_bytes = 4;
constexpr int statistics = 3;

/// Messages within a layer, whatever its readers need.
using Within = std::vector<TensorMessage>;

class Divider {
public:
    Divider(const Network& network, const Work& work, const ShardingSetting& setting, const ShardingPrices& prices)
        : network_(network),
          work_(work),
          setting_(setting),
          prices_(prices),
          alike_(network.found(find_alike)),
          cuts_(network, setting) {}

    const PlacementProblem& problem() {
        problem_.layers.reserve(at(network_.size()));
        count_readers();
        for (int l = 0; l < network_.size(); ++l) add_layer(l);
        keep_shared_weights_alike();
        price_messages();
        return problem_;
    }

    NetworkSharding run() {
        const PlacementChoice choice = cheapest_placements(problem());
        NetworkSharding result;
        result.seconds = choice.seconds;
        result.proven = choice.proven;
        result.layers.reserve(at(network_.size()));
        for (int l = 0; l < network_.size(); ++l) {
            const ShardingOption& option = chosen(choice, l);
            const std::optional<ShardAlong> along = along_of(option);
            const std::int64_t same = along ? cuts_.repeats(l, *along) : 1;
            result.layers.push_back({along, shares(l, option), same});
            if (reads_gathered(choice, l)) result.layers.back().shares.kept = 1 / static_cast<double>(setting_.ranks);
            if (work_.trained[at(l)] <= 0) continue;
            if (along && sharding_row(*along).sums_weights)
                result.sums_weights.push_back({l, setting_.ranks});
            else if (same > 1)
                result.sums_weights.push_back({l, same});
        }
        send(choice, result);
        return result;
    }

private:
    const Network& network_;
    const Work& work_;
    const ShardingSetting& setting_;
    const ShardingPrices& prices_;
    const std::vector<int>& alike_;
    const LayerCuts cuts_;
    PlacementProblem problem_;
    std::vector<int> readers_{}, sums_{};  ///< of each layer's output; those of them that are sums
    std::vector<int> summands_{};          ///< by layer, those that need not be whole before they are added up

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    const LayerFacts& facts(int l) const { return network_.facts()[at(l)]; }

    /// Of one sample, on all ranks of the axis together.
    double out_bytes(int tensor) const { return work_.out_bytes[at(tensor)] * left_of(tensor); }
    double left_of(int tensor) const { return setting_.outputs.empty() ? 1.0 : setting_.outputs[at(tensor)]; }
    Bytes bytes(int tensor, Message m) const {
        const double all = out_bytes(tensor) * setting_.samples;
        return Bytes{m == Message::all_to_all ? all / static_cast<double>(setting_.ranks) : all};
    }
    /// Rows of classes of one sample.
    double rows_of_classes(int l) const {
        return static_cast<double>(facts(network_.reads(l).front()).out_elements) /
               static_cast<double>(facts(l).along(ShardAlong::vocabulary));
    }

    void count_readers() {
        for (auto* counts : {&readers_, &sums_, &summands_}) counts->assign(at(network_.size()), 0);
        for (int l = 0; l < network_.size(); ++l)
            if (facts(l).division != Division::view)
                for (const int t : network_.reads(l)) ++readers_[at(t)], sums_[at(t)] += facts(l).sums ? 1 : 0;
    }
    bool read_by_sums(int l) const { return readers_[at(l)] > 0 && sums_[at(l)] == readers_[at(l)]; }
    /// A sum of sums adds up what each rank has, so that one message serves for all. Where it is of one, the message
    /// would be no smaller behind it.
    bool adds_up_summands(int l) {
        if (!facts(l).sums || setting_.axis != MeshAxis::tensor || readers_[at(l)] == 0) return false;
        int& count = summands_[at(l)] = 0;
        for (const int t : network_.reads(l)) {
            const auto options = problem_.layers[at(t)].options;
            if (read_by_sums(t))
                count += facts(t).sums ? summands_[at(t)]
                                       : std::any_of(options.begin(), options.end(),
                                                     [](const ShardingOption& o) { return o.out == partial; });
        }
        return count > 1 || (count > 0 && read_by_sums(l));
    }

    /// An earlier layer that has the same options, or the layer itself.
    int alike(int l) const {
        const int first = alike_[at(l)];
        const bool same = first != l && !facts(l).sums && setting_.outputs.empty() && cuts_.same(l, first) &&
                          work_.same_passes(l, first);
        return same ? first : l;
    }
    void add_layer(int l) {
        const bool idle = facts(l).division == Division::view || facts(l).division == Division::source;
        if (const int first = alike(l); first != l) {
            problem_.layers.push_back(problem_.layers[at(first)]);
            if (!idle) problem_.layers.back().reads = network_.reads(l);
            return;
        }
        PlacementProblem::Layer layer;
        std::vector<ShardingOption> options;
        options.reserve(1 + rows.size());
        layer.gradient = work_.gradient_needed[at(l)] != 0;
        // Trainers cut rows of weights only behind columns, not to read less of what every rank has; and sums of ranks
        // become whole, not features that a dropout would be quicker with.
        layer.stays_whole = cuts_.follow_trainers() && facts(l).division != Division::source && !facts(l).per_step;
        if (!idle) layer.reads = network_.reads(l);
        if (idle)
            add_cut(options, l, {});
        else if (cuts_.has_rule(l))
            add_cut(options, l, cuts_.by_rule(l));
        else
            add_all(options, l);
        if (adds_up_summands(l)) add(options, l, {}, {partial, partial, whole, 0, 0});
        for (const WeightUse& use : network_.weight_uses())
            if (use.layer == l) layer.owner = use.owner;
        layer.options = problem_.keep(std::move(options));
        problem_.layers.push_back(layer);
    }

    /// One way to divide the layer.
    void add_cut(std::vector<ShardingOption>& options, int l, std::optional<ShardAlong> along) {
        if (!along) return add(options, l, {}, {whole, whole, whole, 0, 0});
        const ShardingRow& row = sharding_row(*along);
        ShardingOption option{row.in, row.out, row.gradient, row.weights, 0};
        if (along == ShardAlong::vocabulary && cuts_.is_loss(l)) option = {features, whole, features, 0, 0};
        // An embedding's table lies the other way round.
        if (along == ShardAlong::outputs && facts(l).along(ShardAlong::vocabulary) > 0) option.weights = 2;
        add(options, l, along, option);
    }
    /// All ways that the policy allows.
    void add_all(std::vector<ShardingOption>& options, int l) {
        if (!cuts_.always_cut(l)) add_cut(options, l, {});
        for (const ShardingRow& row : rows)
            if (cuts_.allowed(l, row.along)) add_cut(options, l, row.along);
    }

    static std::optional<ShardAlong> along_of(const ShardingOption& option) {
        return option.name < 0 ? std::nullopt : std::optional(static_cast<ShardAlong>(option.name));
    }
    bool divides_loss(int l, const ShardingOption& option) const {
        return along_of(option) == ShardAlong::vocabulary && cuts_.is_loss(l);
    }
    /// Of the busiest rank.
    LayerShares shares(int l, const ShardingOption& option) const {
        LayerShares shares;
        const std::optional<ShardAlong> along = along_of(option);
        if (!along) return shares;
        const ShardingRow& row = sharding_row(*along);
        const LayerFacts& f = facts(l);
        const std::int64_t pieces = f.along(*along), ranks = setting_.ranks / cuts_.repeats(l, *along);
        const double share = static_cast<double>(ceil_div(pieces, ranks)) / static_cast<double>(pieces);
        if (row.flops) shares.flops = share;
        if (row.inputs || divides_loss(l, option)) shares.inputs = share;
        if (row.outputs) shares.outputs = share;
        if (option.weights != 0) shares.weights = share;
        if (along == ShardAlong::image_rows)
            shares.inputs = static_cast<double>(halo_of(f.rows, pieces, ranks)->held) / static_cast<double>(f.rows.in);
        if (along == ShardAlong::heads && f.key_heads < ranks) shares.inputs = heads_read(network_, l, ranks);
        return shares;
    }

    void add(std::vector<ShardingOption>& options, int l, std::optional<ShardAlong> along, ShardingOption option) {
        option.name = along ? static_cast<int>(*along) : -1;
        for (const TensorMessage& m : within(l, option))
            option.seconds +=
                static_cast<double>(m.times) * prices_.message(m.message, Bytes{m.bytes * setting_.samples});
        option.seconds += prices_.work(l, shares(l, option));
        options.push_back(option);
    }
    /// A loss that is divided by classes adds up statistics of its rows, as a norm does that is divided by rows of an
    /// image; a window there needs rows of the neighbours, unless it reads input data. A recurrent layer that is
    /// divided by units gathers every state before the next one, as every gate reads all of it; their gradients go
    /// back.
    Within within(int l, const ShardingOption& option) const {
        if (divides_loss(l, option)) {
            const double bytes = rows_of_classes(l) * left_of(network_.reads(l).front()) * statistic_bytes;
            return {{l, Message::all_reduce, true, bytes, setting_.axis, Carried::statistics, statistics}};
        }
        if (along_of(option) == ShardAlong::image_rows) return within_rows(l);
        if (along_of(option) != ShardAlong::units) return {};
        const double bytes = static_cast<double>(facts(l).along(ShardAlong::units)) * work_.element_bytes;
        const std::int64_t states = facts(l).launches[0];
        Within all{{l, Message::all_gather, true, bytes, setting_.axis, Carried::states, states}};
        if (work_.pass[1].active[at(l)] > 0)
            all.push_back({l, Message::reduce_scatter, false, bytes, setting_.axis, Carried::states, states});
        return all;
    }

    Within within_rows(int l) const {
        const LayerFacts& f = facts(l);
        const RowWindow& w = f.rows;
        Within all;
        const auto send = [&](Message message, double bytes, Carried what) {
            for (const bool forward : {true, false}) {
                const bool data =
                    what == Carried::halo && facts(network_.reads(l).front()).division == Division::source;
                if (bytes > 0 && (forward ? !data : work_.pass[1].active[at(l)] > 0))
                    all.push_back({l, message, forward, bytes, setting_.axis, what});
            }
        };
        const double borrowed = static_cast<double>(halo_of(w, f.along(ShardAlong::image_rows), setting_.ranks)->rows);
        send(Message::point_to_point, borrowed * work_.in_bytes[at(l)] / static_cast<double>(w.in), Carried::halo);
        send(Message::all_reduce,
             static_cast<double>(w.statistics) * statistic_bytes / (w.of_batch ? setting_.samples : 1),
             Carried::statistics);
        return all;
    }

    /// Takes out what not all layers with the same weights offer.
    void keep_shared_weights_alike() {
        const auto offers = [&](int l, int weights) {
            const auto options = problem_.layers[at(l)].options;
            return std::any_of(options.begin(), options.end(),
                               [&](const ShardingOption& o) { return o.weights == weights; });
        };
        bool changed = true;
        const auto keep = [&](int l, auto wanted) {
            auto& layer = problem_.layers[at(l)];
            std::vector<ShardingOption> options(layer.options.begin(), layer.options.end());
            if (std::erase_if(options, [&](const ShardingOption& o) { return !wanted(o); }) == 0) return;
            if (options.empty()) add(options, l, {}, {whole, whole, whole, 0, 0});
            changed = changed || options.size() != layer.options.size();
            layer.options = problem_.keep(std::move(options));
        };
        // Until nothing changes: a layer may have lost what another one still has. If they have nothing in common, all
        // stay whole.
        while (changed) {
            changed = false;
            for (const WeightUse& use : network_.weight_uses()) {
                keep(use.owner, [&](const ShardingOption& o) { return offers(use.layer, o.weights); });
                keep(use.layer, [&](const ShardingOption& o) { return offers(use.owner, o.weights); });
            }
        }
    }

    /// Tensors of equal size are priced once.
    void price_messages() {
        std::unordered_map<double, std::size_t> sizes;
        auto& size_of = problem_.size_of;
        std::vector<std::array<double, message_kinds>> seconds;
        for (int t = 0; t < network_.size(); ++t) {
            const auto [size, is_new] = sizes.try_emplace(out_bytes(t), seconds.size());
            size_of.push_back(size->second);
            if (!is_new) continue;
            auto& known = seconds.emplace_back();
            for (const Message m : resharding_messages)
                known[static_cast<std::size_t>(m)] = prices_.message(m, bytes(t, m));
        }
        problem_.seconds = [of = size_of, seconds](int tensor, Message m) {
            return seconds[of[at(tensor)]][static_cast<std::size_t>(m)];
        };
    }

    const ShardingOption& chosen(const PlacementChoice& choice, int l) const {
        return problem_.layers[at(l)].options[at(choice.options[at(l)])];
    }
    /// Whether the layer reads whole tensors that are gathered from positions. Under sequence parallelism it keeps only
    /// its own positions of them, which backward gathers again (Korthikanti et al., 2022).
    bool reads_gathered(const PlacementChoice& choice, int l) const {
        if (!cuts_.follow_trainers() || !setting_.sequence || chosen(choice, l).in != whole) return false;
        bool any = false;
        for (const int t : network_.reads(l)) {
            if (out_bytes(t) <= 0) continue;
            if (chosen(choice, t).out != positions) return false;
            any = true;
        }
        return any;
    }
    /// By tensor, the range of layers that keep their positions of it, and for which backward gathers it again.
    std::vector<std::pair<int, int>> gathered_again(const PlacementChoice& choice) const {
        std::vector<std::pair<int, int>> by(at(network_.size()));
        for (int l = 0; l < network_.size(); ++l) {
            if (!reads_gathered(choice, l)) continue;
            for (const int t : network_.reads(l))
                if (chosen(choice, t).out == positions && reads_again(network_, work_, l, t))
                    by[at(t)] = {by[at(t)].second > 0 ? by[at(t)].first : l, l + 1};
        }
        return by;
    }

    void send(const PlacementChoice& choice, NetworkSharding& result) const {
        std::vector<TensorUse> uses;
        uses.reserve(at(network_.size()));
        for (int l = 0; l < network_.size(); ++l) {
            const ShardingOption& o = chosen(choice, l);
            uses.push_back({o.out, {}, {}});
            for (const int t : problem_.layers[at(l)].reads) {
                uses[at(t)].read.insert(o.in);
                uses[at(t)].gradients.insert(o.gradient);
            }
        }
        const auto put = [&](int t, Message m, bool forward) {
            // A trained tensor has no bytes of a sample: it is sent with the weights.
            const Bytes sent = bytes(t, m);
            if (sent.value > 0)
                result.messages.push_back({t, m, forward, sent.value / setting_.samples, setting_.axis});
            return sent.value > 0;
        };
        const auto again = gathered_again(choice);
        const auto put_within = [&](int l, bool forward) {
            for (const TensorMessage& m : within(l, chosen(choice, l)))
                if (m.forward == forward) result.messages.push_back(m);
        };
        for (int l = 0; l < network_.size(); ++l) {
            const auto seconds = [&](Message m) { return problem_.seconds(l, m); };
            put_within(l, true);
            if (uses[at(l)].read.empty()) continue;
            for (const Message m : messages_forward(uses[at(l)], seconds)) put(l, m, true);
        }
        for (int l = network_.size(); l-- > 0;) {
            const auto seconds = [&](Message m) { return problem_.seconds(l, m); };
            if (const auto [first, end] = again[at(l)]; end > 0 && put(l, Message::all_gather, false)) {
                TensorMessage& m = result.messages.back();
                m.carries = Carried::kept_input, m.beside_from = first, m.beside_to = end;
            }
            if (!uses[at(l)].read.empty() && problem_.layers[at(l)].gradient)
                for (const Message m : messages_backward(uses[at(l)], seconds)) put(l, m, false);
            put_within(l, false);
        }
    }
};

}  // namespace

double heads_read(const Network& network, int attention, std::int64_t ranks) {
    const auto inputs = network.inputs(attention);
    const LayerFacts& f = network.facts()[static_cast<std::size_t>(attention)];
    const double of_queries = static_cast<double>(network.facts()[static_cast<std::size_t>(inputs[0])].out_elements) /
                              static_cast<double>(f.in_elements);
    return of_queries / static_cast<double>(ranks) +
           (1 - of_queries) / static_cast<double>(std::min(ranks, f.key_heads));
}

bool reads_again(const Network& network, const Work& work, int layer, int tensor) {
    const auto l = static_cast<std::size_t>(layer);
    const auto reads = network.reads(layer);
    return work.keeps_input[l] != 0 && network.facts()[l].experts.count == 0 &&
           std::find(reads.begin(), reads.end(), tensor) != reads.end();
}

const ShardingRow& sharding_row(ShardAlong along) { return rows[static_cast<std::size_t>(along)]; }

NetworkSharding shard_network(const Network& network, const Work& work, const ShardingSetting& setting,
                              const ShardingPrices& prices) {
    return Divider(network, work, setting, prices).run();
}

PlacementProblem placement_problem(const Network& network, const Work& work, const ShardingSetting& setting,
                                   const ShardingPrices& prices) {
    return Divider(network, work, setting, prices).problem();
}

}  // namespace scalescope
