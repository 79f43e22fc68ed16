// SPDX-License-Identifier: GPL-3.0-or-later
// A network as a list: equal blocks once, parts of blocks by their words, and what rows of it take in a step.
#include <QtTest>
#include <numeric>

#include "core/drawing/outline.hpp"
#include "core/estimate/row_times.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using drawing::Outline;
using drawing::outline_of;
using drawing::OutlineRow;

namespace {

/// "Block × 80: Norm, Q, K, V (10,240) …": the rows on show at first, as text.
QStringList shown(const Network& network, const std::set<std::string>& toggled = {}) {
    const Outline& outline = outline_of(network);
    QStringList lines;
    for (const int r : outline.visible(toggled)) {
        const OutlineRow& row = outline.rows[std::size_t(r)];
        QString line = QString(2 * row.depth, ' ') + QString::fromStdString(row.title);
        if (row.repeat > 1) line += QString(" x %1").arg(row.repeat);
        if (!row.size.empty()) line += QString(" (%1)").arg(QString::fromStdString(row.size));
        lines << line;
    }
    return lines;
}

const OutlineRow& row_of(const Outline& outline, const std::string& title) {
    const auto at =
        std::find_if(outline.rows.begin(), outline.rows.end(), [&](const OutlineRow& r) { return r.title == title; });
    if (at == outline.rows.end()) qFatal("no such row");
    return *at;
}

}  // namespace

class TestOutline : public QObject {
    Q_OBJECT

private slots:
    void blocks_of_a_decoder() {
        QCOMPARE(shown(*support::preset("transformers/llama-3-70b")),
                 QStringList({"tokens", "Embedding (8,192)", "Block x 80 (8,192)", "  Norm (8,192)",
                              "  Q, K, V (10,240)", "  Attention (64 heads)", "  Output (8,192)", "  Norm (8,192)",
                              "  Gate, up (57,344)", "  Down (8,192)", "Norm (8,192)", "Logits, loss (128,256)"}));
    }

    void words_of_other_blocks_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QStringList>("lines");
        // Norms behind the sums, and positions and types of tokens.
        QTest::newRow("BERT") << "transformers/bert-base"
                              << QStringList({"Block x 12 (768)", "  Q, K, V (2,304)", "  Attention (12 heads)",
                                              "  Output (768)", "  Norm (768)", "  Up (3,072)", "  Down (768)",
                                              "  Norm (768)"});
        QTest::newRow("latent attention, experts")
            << "transformers/deepseek-v3"
            << QStringList({"Block x 3 (7,168)", "Expert block x 58 (7,168)", "  Experts (256 experts)",
                            "  Shared experts (7,168)"});
        QTest::newRow("layers in turn") << "transformers/nemotron-3-nano"
                                        << QStringList({"State-space block x 23 (2,688)", "  Scan (4,096)",
                                                        "Expert block x 23 (2,688)", "  Experts (128 experts)",
                                                        "  Shared experts (3,712)", "Block x 6 (2,688)"});
        QTest::newRow("windows") << "transformers/gemma-3-27b"
                                 << QStringList({"Block, sliding window x 52 (5,376)", "Block x 10 (5,376)"});
        QTest::newRow("encoder and decoder, functions within products")
            << "transformer-base" << QStringList({"Block x 6 (512)", "  Up (2,048)", "Decoder block x 6 (512)"});
    }
    void words_of_other_blocks() {
        QFETCH(QString, network);
        QFETCH(QStringList, lines);
        const QStringList all = shown(*support::preset(network.toStdString()));
        qsizetype from = 0;
        for (const QString& line : lines) {
            const auto at = all.indexOf(line, from);
            QVERIFY2(at >= 0, qPrintable(line + "\nis not in\n" + all.join('\n')));
            from = at + 1;
        }
    }

    void networks_without_attention_keep_their_names() {
        const QStringList alexnet = shown(*support::preset("alexnet-one-tower"));
        QVERIFY(alexnet.contains("conv1"));
        QCOMPARE(alexnet.size(), qsizetype{support::preset("alexnet-one-tower")->size()});
        QVERIFY(shown(*support::preset("resnet-50")).contains("conv4_2 x 5"));
    }

    /// Every layer is in exactly one row that has no rows of its own; a row has the layers of those in it.
    void every_layer_once() {
        for (const auto& [id, network] : support::preset_networks()) {
            const Outline& outline = outline_of(*network);
            std::vector<int> leaves(std::size_t(network->size()));
            std::vector<std::size_t> below(outline.rows.size());
            for (std::size_t r = 0; r < outline.rows.size(); ++r) {
                const OutlineRow& row = outline.rows[r];
                QVERIFY(std::is_sorted(row.layers.begin(), row.layers.end()) && !row.layers.empty());
                if (row.parent >= 0) {
                    const OutlineRow& parent = outline.rows[std::size_t(row.parent)];
                    QVERIFY(std::size_t(row.parent) < r && row.depth == parent.depth + 1);
                    QVERIFY(std::includes(parent.layers.begin(), parent.layers.end(), row.layers.begin(),
                                          row.layers.end()));
                    below[std::size_t(row.parent)] += row.layers.size();
                }
                if (!row.has_children)
                    for (const int l : row.layers) ++leaves[std::size_t(l)];
            }
            for (std::size_t r = 0; r < outline.rows.size(); ++r)
                if (outline.rows[r].has_children)
                    QVERIFY2(below[r] == outline.rows[r].layers.size(), (id + ": " + outline.rows[r].path).c_str());
            QVERIFY2(std::all_of(leaves.begin(), leaves.end(), [](int n) { return n == 1; }), id.c_str());
            std::set<std::string> paths;
            for (const OutlineRow& row : outline.rows) QVERIFY2(paths.insert(row.path).second, row.path.c_str());
        }
    }

    void a_row_unfolds_and_folds() {
        const auto network = support::preset("transformers/llama-3-70b");
        const auto before = shown(*network);
        const std::string block = row_of(outline_of(*network), "Block").path,
                          part = row_of(outline_of(*network), "Q, K, V").path;
        const auto folded = shown(*network, {block});
        QCOMPARE(folded.size(), before.size() - 7);
        const auto unfolded = shown(*network, {part});
        QCOMPARE(unfolded.size(), before.size() + 5);
        QVERIFY(unfolded.contains("    attention/q_rotary"));
        QCOMPARE(shown(*network, {block, part}), folded);  // what is folded away stays as it was
    }

    /// Stages work side by side: a row takes what it does on the device that has most of it.
    void times_of_a_row() {
        Scenario scenario = support::preset_scenario("llama-3-70b-h100");
        const auto whole = estimate(scenario);
        QVERIFY(whole.has_value());
        QCOMPARE(whole->stages.size(), std::size_t{4});
        const Network& network = *scenario.network();
        const RowTimes times(*whole, 0, network.size());
        const OutlineRow& block = row_of(outline_of(network), "Block");
        const RowTime block_time = times.of(block.layers);
        QCOMPARE(block_time.devices, 4);
        std::vector<double> stages(4);
        for (const LayerEstimate& e : whole->layers)
            if (std::binary_search(block.layers.begin(), block.layers.end(), e.position))
                stages[std::size_t(e.stage)] += e.total().value;
        const double most = *std::max_element(stages.begin(), stages.end());
        QVERIFY(std::abs(block_time.total().value - most) <= 1e-12 * most);
        QVERIFY(block_time.total() < whole->summary.step);
        // A single layer takes its time; what no layer is in takes none.
        const LayerEstimate& one = whole->layers[20];
        QCOMPARE(times.of(std::vector<int>{one.position}).total(), one.total());
        QCOMPARE(times.of(std::vector<int>{one.position}).longest, one.position);
        QCOMPARE(times.of({}).longest, -1);
        // Activations are those of the stage that takes longest; parameters and work are those of all blocks.
        Bytes kept{0};
        std::int64_t parameters = 0;
        for (const LayerEstimate& e : whole->layers)
            if (e.stage == std::max_element(stages.begin(), stages.end()) - stages.begin() &&
                std::binary_search(block.layers.begin(), block.layers.end(), e.position))
                kept += e.kept;
        for (const int l : block.layers) parameters += network.facts()[std::size_t(l)].parameters();
        QVERIFY(kept.value > 0 && parameters > 0);
        QCOMPARE(block_time.kept, kept);
        const Plan plan = prepare(scenario).value();
        const RowWork work = row_work(network, &plan.parts[0].work, block.layers);
        QCOMPARE(work.parameters, parameters);
        const RowWork two = row_work(network, &plan.parts[0].work, std::vector<int>{3, 4});
        QCOMPARE(two.forward.value, plan.parts[0].work.pass[0].flops[3] + plan.parts[0].work.pass[0].flops[4]);
        QVERIFY(work.forward.value > 0);
        QCOMPARE(row_work(network, nullptr, block.layers).forward.value, 0.0);
        // Chunks of a device add up.
        scenario.parallelism.order = PipelineOrder::interleaved;
        scenario.parallelism.chunks = 5;
        const auto chunks = estimate(scenario);
        QVERIFY(chunks.has_value());
        const RowTime interleaved = RowTimes(*chunks, 0, network.size()).of(block.layers);
        QCOMPARE(interleaved.devices, 4);
        QVERIFY(std::abs(interleaved.forward.value - block_time.forward.value) <= 1e-9 * block_time.forward.value);
    }
};

QTEST_GUILESS_MAIN(TestOutline)
#include "tst_outline.moc"
