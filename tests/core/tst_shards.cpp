// SPDX-License-Identifier: GPL-3.0-or-later
// The largest shard of the weights: by hand, against every way to deal layers out, and by its properties.
#include <QtTest>
#include <cmath>
#include <numeric>

#include "core/parallel/shards.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::pick;

namespace {

/// The least that the fullest server has, whichever way whole layers are dealt.
double best_of_all(const std::vector<double>& layers, int servers) {
    double best = std::accumulate(layers.begin(), layers.end(), 0.0);
    std::vector<int> at(layers.size(), 0);
    for (;;) {
        std::vector<double> loads(static_cast<std::size_t>(servers), 0.0);
        for (std::size_t l = 0; l < layers.size(); ++l) loads[static_cast<std::size_t>(at[l])] += layers[l];
        best = std::min(best, *std::max_element(loads.begin(), loads.end()));
        std::size_t digit = 0;
        while (digit < at.size() && ++at[digit] == servers) at[digit++] = 0;
        if (digit == at.size()) return best;
    }
}

/// The rule step by step, looking for the largest layer and the emptiest server each time.
LargestShard dealt_slowly(std::vector<double> layers, std::size_t servers) {
    const std::vector<double> whole = layers;
    std::vector<double> loads(servers, 0.0);
    std::vector<std::size_t> owner(layers.size(), 0);
    for (std::size_t round = 0; round < layers.size(); ++round) {
        std::size_t largest = 0, emptiest = 0;
        for (std::size_t l = 1; l < layers.size(); ++l)
            if (layers[l] > layers[largest]) largest = l;
        for (std::size_t s = 1; s < servers; ++s)
            if (loads[s] < loads[emptiest]) emptiest = s;
        loads[emptiest] += layers[largest];
        owner[largest] = emptiest;
        layers[largest] = -1;
    }
    std::size_t fullest = 0;
    for (std::size_t s = 1; s < servers; ++s)
        if (loads[s] > loads[fullest]) fullest = s;
    LargestShard shard{loads[fullest], {}};
    for (std::size_t l = 0; l < whole.size(); ++l) shard.share.push_back(owner[l] == fullest ? 1.0 : 0.0);
    return shard;
}

std::vector<double> random_layers(std::mt19937& random, int most) {
    std::vector<double> layers;
    for (auto n = pick(random, 0, most); n > 0; --n)
        layers.push_back(pick(random, 0, 4) == 0 ? 0.0 : static_cast<double>(pick(random, 1, 30)));
    return layers;
}

}  // namespace

class TestShards : public QObject {
    Q_OBJECT
private slots:
    void by_hand() {
        // 7, 5, 4, 4, 3 on two servers: 7 | 5 4, then 7 4 | 9 3: 11 and 12.
        const std::vector<double> layers{4, 7, 3, 5, 4};
        const LargestShard two = dealt_shards(layers, 2);
        QCOMPARE(two.weights, 12.0);
        QCOMPARE(two.share, (std::vector<double>{1, 0, 1, 1, 0}));
        QCOMPARE(even_shards(layers, 2).weights, 11.5);
        QCOMPARE(even_shards(layers, 4).share, std::vector<double>(5, 0.25));
        // A network of one large layer gains nothing from a second server.
        QCOMPARE(dealt_shards(std::vector<double>{100, 1, 1}, 2).weights, 100.0);
        QCOMPARE(dealt_shards(std::vector<double>{100, 1, 1}, 50).weights, 100.0);
    }

    void nothing_to_deal() {
        QCOMPARE(dealt_shards({}, 3).weights, 0.0);
        QCOMPARE(even_shards({}, 3).weights, 0.0);
        const LargestShard none = dealt_shards(std::vector<double>{0, 0}, 3);
        QCOMPARE(none.weights, 0.0);
        QCOMPARE(none.share.size(), std::size_t{2});
    }

    void as_the_rule_says_and_near_the_best() {
        std::mt19937 random(9);
        int better_exists = 0;
        for (int k = 0; k < 600; ++k) {
            const auto layers = random_layers(random, 8);
            const auto servers = static_cast<int>(pick(random, 1, 3));
            const LargestShard shard = dealt_shards(layers, servers);
            const LargestShard slow = dealt_slowly(layers, static_cast<std::size_t>(servers));
            QCOMPARE(shard.weights, slow.weights);
            QCOMPARE(shard.share, slow.share);
            const double best = best_of_all(layers, servers);
            better_exists += best < shard.weights ? 1 : 0;
            QVERIFY(shard.weights >= best);
            QVERIFY(shard.weights <= best * (4.0 - 1.0 / servers) / 3.0 + 1e-12);  // Graham's bound
        }
        QVERIFY(better_exists > 5);
    }

    void properties() {
        std::mt19937 random(10);
        for (int k = 0; k < 400; ++k) {
            const auto layers = random_layers(random, 60);
            const double sum = std::accumulate(layers.begin(), layers.end(), 0.0),
                         most = layers.empty() ? 0.0 : *std::max_element(layers.begin(), layers.end());
            for (const std::int64_t servers : {1, 2, 5, 17, 100, 1'000'000}) {
                const LargestShard dealt = dealt_shards(layers, servers), even = even_shards(layers, servers);
                QVERIFY(dealt.weights >= even.weights * (1 - 1e-12));
                QVERIFY(dealt.weights >= most && dealt.weights <= sum);
                QVERIFY(dealt.weights <= sum / static_cast<double>(servers) + most);
                for (const auto& shard : {dealt, even}) {
                    double held = 0;
                    for (std::size_t l = 0; l < layers.size(); ++l) held += layers[l] * shard.share[l];
                    QVERIFY(std::abs(held - shard.weights) <= 1e-12 * sum);
                }
                if (servers >= static_cast<std::int64_t>(layers.size())) QCOMPARE(dealt.weights, most);
                std::vector<double> descending = layers, loads;
                std::sort(descending.begin(), descending.end(), std::greater<>());
                QCOMPARE(largest_dealt(descending, servers, loads), dealt.weights);
                if (servers == 1) QCOMPARE(dealt.weights, sum);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestShards)
#include "tst_shards.moc"
