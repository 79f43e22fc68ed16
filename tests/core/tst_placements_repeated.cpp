// SPDX-License-Identifier: GPL-3.0-or-later
// The cheapest placements of networks with repeated blocks: the search that lists each block once against the plain
// one.
#include <QtTest>
#include <map>
#include <random>

#include "core/parallel/shardings.hpp"
#include "core/pricing/collectives.hpp"
#include "core/pricing/pass_times.hpp"
#include "sanitized.hpp"
#include "support_networks.hpp"
#include "support_placements.hpp"

using namespace scalescope;
using enum Placement;
using support::all_placements;
using support::option;

namespace {

/// The search as it is described: every layer is worked out anew, and the first of equally cheap ways stays.
PlacementChoice plain_pass(const PlacementProblem& p, std::size_t most = 4096) {
    struct State {
        std::map<int, TensorUse> tensors;  // still to be read
        std::map<int, int> weights;        // still to be used
        double seconds = 0;
        int before = -1, option = -1;
        std::vector<int> key() const {
            std::vector<int> key;
            for (const auto& [t, use] : tensors)
                key.insert(key.end(), {t, static_cast<int>(use.made), use.read.bits(), use.gradients.bits()});
            for (const auto& [w, cut] : weights) key.insert(key.end(), {w, cut});
            return key;
        }
    };
    const auto cheaper = [](const State& a, const State& b) { return a.seconds < b.seconds; };
    const std::size_t n = p.layers.size();
    std::vector<int> last_read(n, -1), last_use(n, -1);
    for (std::size_t l = 0; l < n; ++l) {
        for (const int t : p.layers[l].reads) last_read[static_cast<std::size_t>(t)] = static_cast<int>(l);
        if (p.layers[l].owner >= 0) last_use[static_cast<std::size_t>(p.layers[l].owner)] = static_cast<int>(l);
    }
    PlacementChoice choice;
    std::vector<std::vector<State>> steps{{State{}}};
    for (std::size_t k = 0; k < n; ++k) {
        const int l = static_cast<int>(k);
        const PlacementProblem::Layer& layer = p.layers[k];
        std::map<std::vector<int>, std::size_t> known;
        std::vector<State> next;
        for (std::size_t i = 0; i < steps.back().size(); ++i)
            for (std::size_t o = 0; o < layer.options.size(); ++o) {
                State to = steps.back()[i];
                const ShardingOption& option = layer.options[o];
                bool allowed = layer.owner < 0 || to.weights.at(layer.owner) == option.weights;
                to.seconds += option.seconds;
                to.before = static_cast<int>(i);
                to.option = static_cast<int>(o);
                for (const int t : layer.reads) {
                    TensorUse& use = to.tensors.at(t);
                    allowed &= !(option.in == features && (use.made == whole || use.made == partial) &&
                                 p.layers[static_cast<std::size_t>(t)].stays_whole);
                    use.read.insert(option.in);
                    use.gradients.insert(option.gradient);
                }
                if (!allowed) continue;
                if (last_read[k] > l) to.tensors[l] = {option.out, {}, {}};
                if (last_use[k] > l) to.weights[l] = option.weights;
                for (auto at = to.tensors.begin(); at != to.tensors.end();) {
                    const auto& [t, use] = *at;
                    const auto price = [&](Message m) { return p.seconds(at->first, m); };
                    const auto all = [&](const FewMessages& messages) {
                        double sum = 0;
                        for (const Message m : messages) sum += price(m);
                        return sum;
                    };
                    if (last_read[static_cast<std::size_t>(t)] > l) {
                        ++at;
                        continue;
                    }
                    double seconds = all(messages_forward(use, price));
                    if (p.layers[static_cast<std::size_t>(t)].gradient) seconds += all(messages_backward(use, price));
                    to.seconds += seconds;
                    at = to.tensors.erase(at);
                }
                std::erase_if(to.weights, [&](auto& w) { return last_use[static_cast<std::size_t>(w.first)] <= l; });
                const auto [at, is_new] = known.try_emplace(to.key(), next.size());
                if (is_new)
                    next.push_back(to);
                else if (to.seconds < next[at->second].seconds)
                    next[at->second] = to;
            }
        if (next.size() > most) {
            choice.proven = false;
            std::nth_element(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(most), next.end(), cheaper);
            next.resize(most);
        }
        for (State& s : steps.back()) s.tensors.clear(), s.weights.clear();
        if (next.empty()) {  // none that is kept can go on
            choice = plain_pass(p, 8 * most);
            choice.proven = false;
            return choice;
        }
        steps.push_back(std::move(next));
    }
    auto at = std::min_element(steps.back().begin(), steps.back().end(), cheaper);
    choice.seconds = at->seconds;
    choice.options.assign(n, 0);
    for (std::size_t l = n; l-- > 0; at = steps[l].begin() + at->before) choice.options[l] = at->option;
    return choice;
}
bool same(const PlacementChoice& a, const PlacementChoice& b) {
    return a.options == b.options && a.seconds == b.seconds && a.proven == b.proven;
}

/// A few layers, a block of others several times, and a few at the end. Small whole numbers of seconds, so that many
/// ways are equally cheap. `odd`: one layer of one block is unlike those of the other blocks.
struct Repeated {
    PlacementProblem problem;
    std::vector<std::array<double, message_kinds>> seconds;  // by layer

    Repeated(std::mt19937& random, int blocks, bool odd) {
        const int before = static_cast<int>(support::pick(random, 1, 3)),
                  size = static_cast<int>(support::pick(random, 2, 5));
        for (int l = 0; l < before; ++l) add(random, l);
        for (int l = 0; l < size; ++l) add(random, before + l);
        // Weights of some layers of the block are those of the first block, or of the block before.
        std::vector<char> shared;
        for (int l = 0; l < size; ++l) shared.push_back(support::pick(random, 0, 2) == 0 ? 1 : 0);
        const bool of_first = support::pick(random, 0, 1) > 0;
        for (int l = size; l < blocks * size; ++l) {
            PlacementProblem::Layer layer = problem.layers[static_cast<std::size_t>(before + l % size)];
            // The first block may read less far back than the layers before it go.
            std::vector<int> reads(layer.reads.begin(), layer.reads.end());
            for (int& t : reads) t = std::max(t, before + l % size - size) + l / size * size;
            layer.reads = keep_(reads);
            if (shared[static_cast<std::size_t>(l % size)] != 0)
                layer.owner = before + (of_first ? l % size : l - size);
            problem.layers.push_back(layer);
            seconds.push_back(seconds[static_cast<std::size_t>(before + l % size)]);
        }
        if (odd)
            change(random, before + static_cast<int>(support::pick(random, size, blocks * size - 1)),
                   before + static_cast<int>(support::pick(random, 0, size - 1)));
        add(random, before + blocks * size);
        problem.seconds = [this](int t, Message m) {
            return seconds[static_cast<std::size_t>(t)][static_cast<std::size_t>(m)];
        };
    }
    Repeated(const Repeated&) = delete;

private:
    support::Reads keep_;

    static Placement any(std::mt19937& random) {
        return all_placements[static_cast<std::size_t>(support::pick(random, 0, 3))];
    }
    static double few(std::mt19937& random) { return static_cast<double>(support::pick(random, 0, 3)); }

    void add(std::mt19937& random, int l) {
        PlacementProblem::Layer layer;
        layer.gradient = support::pick(random, 0, 3) > 0;
        layer.stays_whole = support::pick(random, 0, 2) == 0;
        std::vector<int> reads;
        for (int i = 0; l > 0 && i < support::pick(random, 1, 2); ++i)
            reads.push_back(static_cast<int>(support::pick(random, std::max(0, l - 4), l - 1)));
        layer.reads = keep_(reads);
        std::vector<ShardingOption> options{option(whole, any(random), any(random), few(random), 0)};
        for (int o = 1; o < support::pick(random, 1, 3); ++o)
            options.push_back(option(any(random), any(random), any(random), few(random), o));
        layer.options = problem.keep(options);
        problem.layers.push_back(layer);
        seconds.emplace_back();
        for (const Message m : resharding_messages) seconds.back()[static_cast<std::size_t>(m)] = few(random);
    }
    void change(std::mt19937& random, int l, int owner) {
        PlacementProblem::Layer& layer = problem.layers[static_cast<std::size_t>(l)];
        std::vector<ShardingOption> options(layer.options.begin(), layer.options.end());
        switch (support::pick(random, 0, 6)) {
            case 0: layer.gradient = !layer.gradient; break;
            case 1: layer.stays_whole = !layer.stays_whole; break;
            case 2: seconds[static_cast<std::size_t>(l)][0] += 1; break;
            case 3: options.back().seconds += 2; break;
            case 4: layer.reads = keep_({static_cast<int>(support::pick(random, std::max(0, l - 4), l - 1))}); break;
            case 5: layer.owner = layer.owner < 0 ? -1 : owner; break;
            default: options.back().gradient = any(random);
        }
        layer.options = problem.keep(options);
    }
};

}  // namespace

class TestPlacementsRepeated : public QObject {
    Q_OBJECT

private slots:
    /// Layers that are repeated come out as if each of them were the only one, bit for bit.
    void repeated_blocks_as_without_repeats() {
        std::mt19937 random(95);
        for (int k = 0; k < support::sampled(3000); ++k) {
            const Repeated r(random, static_cast<int>(support::pick(random, 2, 9)), k % 2 == 0);
            const std::size_t most = k % 5 == 0 ? 3 : 4096;
            const PlacementChoice choice = cheapest_placements(r.problem, most);
            QVERIFY2(same(choice, plain_pass(r.problem, most)), qPrintable(QString("network %1").arg(k)));
        }
    }

    void shipped_transformers_as_without_repeats() {
        constexpr DeviceRates rates{FlopsPerSecond{300e12}, BytesPerSecond{2e12}, Seconds{4e-6}};
        constexpr LinkRates links{BytesPerSecond{300e9}, BytesPerSecond{25e9}, Seconds{3e-6}, Seconds{8e-6}, 8, 8};
        for (const char* id : {"gpt-2", "gpt-3-175b", "gpt-3-6.7b", "llama-3-8b", "llama-3-70b", "bert-large",
                               "t5-base", "transformer-big"}) {
            const auto network = support::preset(id);
            const Work work = make_work(*network, Passes{}, Training{});
            for (const ShardingPolicy policy : {ShardingPolicy::trainer, ShardingPolicy::best})
                for (const bool sequence : {false, true}) {
                    const bool best = policy == ShardingPolicy::best;
                    if ((best && sequence) || ((best || support::sanitized) && network->size() > 400)) continue;
                    const ShardingSetting setting{8, 2, sequence, policy};
                    const GroupReach group = reach_of(setting.ranks, links);
                    const PlacementProblem p =
                        placement_problem(*network, work, setting,
                                          {[&](int l, const LayerShares& shares) {
                                               return price_layer(work, l, setting.samples, shares, rates).value;
                                           },
                                           [&](Message m, Bytes s) {
                                               return message_cost(m, Collective::ring, group, links).at(s).value;
                                           }});
                    QVERIFY2(same(cheapest_placements(p), plain_pass(p)), id);
                }
        }
    }

    /// Layers that are alike share options: the same as if each had been looked at for itself, which is what happens
    /// where another axis leaves some of the outputs.
    void layers_that_are_alike_share_their_options() {
        constexpr DeviceRates rates{FlopsPerSecond{300e12}, BytesPerSecond{2e12}, Seconds{4e-6}};
        constexpr LinkRates links{BytesPerSecond{300e9}, BytesPerSecond{25e9}, Seconds{3e-6}, Seconds{8e-6}, 8, 8};
        std::mt19937 random(5);
        std::size_t asked = 0, layers = 0;
        for (const char* id : {"gpt-2", "llama-3-8b", "mixtral-8x22b", "t5-base", "vit-b-16", "resnet-200"}) {
            const auto network = support::preset(id);
            for (int k = 0; k < 4; ++k) {
                Training training;
                for (const Layer& layer : network->layers())  // blocks that are frozen are unlike the others
                    if (k > 0 && support::pick(random, 0, 9) == 0) training.frozen.push_back(layer.id);
                std::sort(training.frozen.begin(), training.frozen.end());
                Work work = make_work(*network, Passes{}, training);
                for (int l = 0; k > 1 && l < network->size(); ++l)
                    work.again.push_back({.all = support::pick(random, 0, 3) == 0});
                ShardingSetting setting{4, 2, k % 2 == 0, k == 3 ? ShardingPolicy::best : ShardingPolicy::trainer};
                const GroupReach group = reach_of(setting.ranks, links);
                const ShardingPrices prices{
                    [&](int l, const LayerShares& shares) {
                        ++asked;
                        return price_layer(work, l, setting.samples, shares, rates).value;
                    },
                    [&](Message m, Bytes s) { return message_cost(m, Collective::ring, group, links).at(s).value; }};
                const PlacementProblem shared = placement_problem(*network, work, setting, prices);
                const std::vector<double> all(static_cast<std::size_t>(network->size()), 1.0);
                setting.outputs = all;
                const std::size_t of_shared = std::exchange(asked, 0);
                const PlacementProblem each = placement_problem(*network, work, setting, prices);
                for (std::size_t l = 0; l < all.size(); ++l)
                    QVERIFY2(std::ranges::equal(shared.layers[l].options, each.layers[l].options), id);
                layers += of_shared < asked / 2 ? 1 : 0;
                asked = 0;
            }
        }
        QVERIFY2(layers >= 8, qPrintable(QString::number(layers)));
    }

    /// What is possible in a block is listed once: further blocks ask for the prices of their tensors and nothing else.
    void equal_blocks_are_expanded_once() {
        for (unsigned seed = 0; seed < 50; ++seed) {
            std::size_t layers = 0, asked = 0;
            const auto count = [&](int blocks) {
                std::mt19937 random(seed);
                Repeated r(random, blocks, false);
                layers = r.problem.layers.size();
                asked = 0;
                const auto seconds = std::exchange(r.problem.seconds, {});
                r.problem.seconds = [&](int t, Message m) { return ++asked, seconds(t, m); };
                cheapest_placements(r.problem);
            };
            count(20);
            const std::size_t few_layers = layers, few_asked = asked;
            count(40);
            QVERIFY(asked - few_asked <= resharding_messages.size() * (layers - few_layers));
        }
    }
};

QTEST_APPLESS_MAIN(TestPlacementsRepeated)
#include "tst_placements_repeated.moc"
