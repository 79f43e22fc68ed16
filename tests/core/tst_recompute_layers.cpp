// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers activation recomputation computes again: blocks that are found, and layers that are named.
#include <QtTest>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "core/base/once.hpp"
#include "support_recompute.hpp"

using namespace scalescope;
using namespace support::recomputing;
using support::gpt, support::pick, support::score_of;

namespace {

/// With those layers recomputed of which `is` says so, by position.
Answer with_named(Scenario s, const std::function<bool(int)>& is) {
    for (int l = 0; l < s.network()->size(); ++l)
        if (is(l)) s.parallelism.recompute_layers.push_back(s.network()->layers()[static_cast<std::size_t>(l)].id);
    std::sort(s.parallelism.recompute_layers.begin(), s.parallelism.recompute_layers.end());
    return with(s, Recompute::layers);
}

}  // namespace

class TestRecomputeLayers : public QObject {
    Q_OBJECT

private slots:
    /// Blocks are found once for each network; a copy may be another network.
    void blocks_are_found_once() {
        struct Number {
            int value;
            FoundOnce<Number> findings{};
        };
        const auto twice = +[](const Number& n) { return 2 * n.value; };
        const auto words = +[](const Number& n) { return std::string(static_cast<std::size_t>(n.value), 'x'); };
        const Number seven{7};
        std::vector<std::thread> threads;
        std::array<const int*, 8> got{};
        for (const int*& value : got) threads.emplace_back([&] { value = &seven.findings.get(twice, seven); });
        for (std::thread& t : threads) t.join();
        for (const int* value : got) QCOMPARE(value, got[0]);
        QCOMPARE(*got[0], 14);
        QCOMPARE(seven.findings.get(words, seven), std::string("xxxxxxx"));
        Number copy = seven;
        copy.value = 8;
        QCOMPARE(copy.findings.get(twice, copy), 16);
        QCOMPARE(seven.findings.get(twice, seven), 14);
    }

    /// As attention or blocks where those are named; single layers, and those that the names leave outside of blocks.
    void layers_that_are_named() {
        const auto same = [](const Answer& named, const Answer& known) {
            QCOMPARE(named.e.summary, known.e.summary);
            QCOMPARE(named.e.memory.peak, known.e.memory.peak);
            QCOMPARE(named.e.messages.size(), known.e.messages.size());
        };
        const auto network = gpt(3, 256, 4, 128, false);
        Scenario s = of_gpt(network, 8);
        for (const std::int64_t tensor : {1, 2}) {
            support::set_mesh(s, 2, tensor, tensor);
            s.parallelism.sequence = tensor > 1;
            const auto blocks = with_marks(s);
            same(with_named(s, [&](int l) { return blocks[static_cast<std::size_t>(l)] >= 0; }),
                 with(s, Recompute::blocks));
            same(with_named(s,
                            [&](int l) {
                                return network->layers()[static_cast<std::size_t>(l)].name.ends_with("attention/core");
                            }),
                 with(s, Recompute::attention));
        }
        // The sum of a layer that is recomputed alone is not needed again; with the one that reads it, it is.
        const int out = *network->position(std::string_view("h1/attention/out"));
        const auto again = [&](int layers) {
            const Answer a = with_named(s, [&](int l) { return l >= out && l < out + layers; });
            return std::count_if(a.e.messages.begin(), a.e.messages.end(), [](const auto& m) { return m.again; });
        };
        QCOMPARE(again(1), 0);
        QVERIFY(again(2) > 0);
        std::mt19937 random(41);
        int blocks_named = 0, others = 0;
        for (int k = 0; k < 300; ++k) {
            const Scenario any = random_mesh(random, 3);
            if (!score_of(any).feasible()) continue;
            const Answer none = with(any, Recompute::nothing);
            if (const auto blocks = with_marks(any); !blocks.empty() && any.parallelism.tensor == 1) {
                same(with_named(any, [&](int l) { return blocks[static_cast<std::size_t>(l)] >= 0; }),
                     with(any, Recompute::blocks));
                ++blocks_named;
            }
            const int every = static_cast<int>(pick(random, 1, 4));
            const Answer some = with_named(any, [&](int l) { return l % every == 0; });
            for (std::size_t l = 0; l < some.e.layers.size(); ++l) {
                const LayerEstimate& row = some.e.layers[l];
                if (any.parallelism.pipeline == 1 && any.parallelism.tensor == 1) {
                    QCOMPARE(row.recompute, row.position % every == 0 ? row.forward : Seconds{0});
                    QCOMPARE(row.forward, none.e.layers[l].forward);
                    ++others;
                }
                QCOMPARE(row.block >= 0, row.position % every == 0);
            }
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(blocks_named > 30 && others > 300);
        const Answer nobody = with_named(s, [](int) { return false; });
        QVERIFY(std::any_of(nobody.e.notes.begin(), nobody.e.notes.end(),
                            [](const Problem& p) { return p.where == "parallelism.recompute_layers"; }));
    }

    /// A scratch keeps the plans of a few ways to recompute, and makes those again that it has no room for.
    void one_scratch_for_any_number_of_ways() {
        const Scenario s = support::scenario(support::preset("gpt-2"));
        const Plan plan = *prepare(s);
        Point point = point_of(s);
        point.recompute = Recompute::every_nth;
        Scratch scratch = make_scratch(plan);
        for (int turn = 0; turn < 2; ++turn)
            for (int n = 1; n <= 80; ++n) {
                point.recompute_count = n;
                Scratch fresh = make_scratch(plan);
                QCOMPARE(score(plan, point, scratch).step.value, score(plan, point, fresh).step.value);
            }
    }

    /// The embeddings and the head stay as they are; so do blocks of blocks, experts and what has no backward pass.
    void which_blocks() {
        const auto blocks = [](const support::NetworkPtr& network) {
            const auto found = with_marks(support::scenario(network));
            std::map<int, std::set<std::string>> names;
            for (std::size_t l = 0; l < found.size(); ++l) {
                const std::string& name = network->layers()[l].name;
                if (found[l] >= 0) names[found[l]].insert(name.substr(0, name.rfind('/')));
            }
            std::vector<std::string> first;
            for (const auto& [k, in] : names) first.push_back(*in.begin());
            return first;
        };
        const auto gpt2 = blocks(support::preset("gpt-2"));
        QCOMPARE(gpt2.size(), std::size_t{12});
        for (std::size_t k = 0; k < 12; ++k) QCOMPARE(gpt2[k], "h" + std::to_string(k));
        int of_t5 = 0;
        for (const std::string& name : blocks(support::preset("t5-base"))) of_t5 += name.find("coder_h") == 2;
        QCOMPARE(of_t5, 24);
        QCOMPARE(blocks(support::preset("resnet-50")).size(), std::size_t{16});
        QVERIFY(blocks(support::preset("vgg-16")).empty());
        // A folder around everything, and one around the blocks, as imported networks have them.
        const auto wrapped = renamed(*support::preset("gpt-2"), [](int, const Layer& l) {
            return (l.name.starts_with('h') && !l.name.starts_with("head") ? "model/layers/" : "model/") + l.name;
        });
        const auto inner = blocks(wrapped);
        QCOMPARE(inner.size(), std::size_t{12});
        for (std::size_t k = 0; k < 12; ++k) QCOMPARE(inner[k], "model/layers/h" + std::to_string(k));
    }
};

QTEST_APPLESS_MAIN(TestRecomputeLayers)
#include "tst_recompute_layers.moc"
