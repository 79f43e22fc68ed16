// SPDX-License-Identifier: GPL-3.0-or-later
// Stages that begin at blocks: dealt out as trainers do, and what crosses their borders.
#include <QtTest>

#include "core/estimate/block_borders.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;

namespace {

/// How many blocks begin in each stage; -1 alone if the network is not split at blocks.
std::vector<int> blocks_in_stages(const Network& network, int stages) {
    std::vector<int> borders;
    if (!split_at_blocks(network, stages, borders)) return {-1};
    if (borders.front() != 0 || borders.back() != network.size()) qFatal("not all layers");
    std::vector<int> counts;
    for (std::size_t s = 0; s + 1 < borders.size(); ++s) {
        if (borders[s] >= borders[s + 1]) qFatal("an empty stage");
        int count = 0;
        for (int l = borders[s]; l < borders[s + 1]; ++l) {
            const std::string& name = network.layers()[static_cast<std::size_t>(l)].name;
            count += name.ends_with("/norm_attention") ? 1 : 0;
        }
        counts.push_back(count);
    }
    return counts;
}

}  // namespace

class TestBlockBorders : public QObject {
    Q_OBJECT

private slots:
    /// Llama 3 70B has 80 blocks, 405B 126. Those of 405B do not divide by 16: its first stage has the embedding and
    /// seven blocks, its last one seven and the loss, as Meta trained it (Grattafiori et al., 2024, section 3.3.2).
    void blocks_are_dealt_out_evenly() {
        QCOMPARE(blocks_in_stages(*support::preset("llama-3-70b"), 4), (std::vector<int>(4, 20)));
        QCOMPARE(blocks_in_stages(*support::preset("llama-3-70b"), 80), (std::vector<int>(80, 1)));
        std::vector<int> seven_at_the_ends(16, 8);
        seven_at_the_ends.front() = seven_at_the_ends.back() = 7;
        QCOMPARE(blocks_in_stages(*support::preset("llama-3-405b"), 16), seven_at_the_ends);
        // 82 units in 12 stages: the first ten have seven of them.
        QCOMPARE(blocks_in_stages(*support::preset("llama-3-70b"), 12),
                 (std::vector<int>{6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 5}));
        QCOMPARE(blocks_in_stages(*support::preset("llama-3-70b"), 82).front(), 0);
        QCOMPARE(blocks_in_stages(*support::preset("llama-3-70b"), 83), std::vector<int>{-1});
    }

    /// Between blocks lies one tensor: of 8,192 positions × 8,192 features in bf16 each of 8 ranks sends its own
    /// positions.
    void one_tensor_crosses() {
        Scenario s = support::preset_scenario("llama-3-70b-h100");
        const auto e = estimate(s);
        QVERIFY(e);
        int crossing = 0;
        for (const MessageEstimate& m : e->messages) {
            if (m.when != When::at_border) continue;
            QCOMPARE(m.bytes.value, 8192.0 * 8192 * 2 / 8);
            ++crossing;
        }
        QCOMPARE(crossing, 2 * 3);
        // The shortest step may begin anywhere, if asked for.
        s.parallelism.borders = StageBorders::layers;
        QVERIFY(estimate(s)->summary.step <= e->summary.step);
    }

    /// Networks without blocks, or whose blocks differ much, are not split so.
    void other_networks() {
        for (const char* id : {"alexnet-one-tower", "vgg-16", "inception-v3", "gnmt"})
            QCOMPARE(blocks_in_stages(*support::preset(id), 2), std::vector<int>{-1});
        // Dense and expert blocks of DeepSeek-V3 have as much work.
        QCOMPARE(blocks_in_stages(*support::preset("deepseek-v3"), 16).front(), 3);
    }
};

QTEST_APPLESS_MAIN(TestBlockBorders)
#include "tst_block_borders.moc"
