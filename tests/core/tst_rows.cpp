// SPDX-License-Identifier: GPL-3.0-or-later
// Images divided along their rows: what neighbours send each other against ranks that compute with the rows they were
// sent and nothing else, and what becomes of ResNet-50.
#include <QtTest>
#include <map>
#include <random>

#include "core/estimate/estimate.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/parallel/rows.hpp"
#include "core/parallel/shardings.hpp"
#include "support_any_mesh.hpp"
#include "support_dealing.hpp"
#include "support_explain_walk.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Answer, support::close, support::pick;

namespace {

/// A convolution, or its transpose, of one channel over images one cell wide. Whole numbers, so that sums are exact.
struct Filter {
    std::int64_t in, out, taps, stride, dilation, before;
    bool transposed;

    RowWindow window() const { return {in, (taps - 1) * dilation + 1, stride, before, transposed}; }
    /// Of an output row: input row by tap.
    std::map<std::int64_t, std::int64_t> reads(std::int64_t row) const {
        std::map<std::int64_t, std::int64_t> all;
        for (std::int64_t k = 0; k < taps; ++k) {
            const std::int64_t at = transposed ? row + before - k * dilation : row * stride - before + k * dilation;
            if (at < 0 || (transposed && at % stride != 0)) continue;
            if (const std::int64_t i = transposed ? at / stride : at; i < in) all[k] = i;
        }
        return all;
    }
    /// The window of the output row has a place on the input row, on a tap or between two.
    bool spans(std::int64_t row, std::int64_t i) const {
        const std::int64_t at = transposed ? row - i * stride + before : i - row * stride + before;
        return at >= 0 && at <= (taps - 1) * dilation;
    }
};

Filter any_filter(std::mt19937& random) {
    Filter f{pick(random, 4, 40), 0, pick(random, 1, 5),     pick(random, 1, 3),
             pick(random, 1, 2),  0, pick(random, 0, 3) == 0};
    const std::int64_t span = f.window().span;
    f.before = pick(random, 0, span - 1);
    const std::int64_t after = pick(random, 0, span - 1);
    f.out = f.transposed ? (f.in - 1) * f.stride + span - f.before - after
                         : (f.in + f.before + after - span) / f.stride + 1;
    return f;
}

/// One step: output, gradient of the input, gradient of the filter.
struct Step {
    std::vector<std::int64_t> out, gradient, filter;
    bool operator==(const Step&) const = default;
};
std::int64_t value(std::int64_t row) { return 7 * row % 11 - 5; }

Step whole(const Filter& f) {
    Step s{std::vector<std::int64_t>(std::size_t(f.out)), std::vector<std::int64_t>(std::size_t(f.in)),
           std::vector<std::int64_t>(std::size_t(f.taps))};
    for (std::int64_t o = 0; o < f.out; ++o)
        for (const auto& [k, i] : f.reads(o)) {
            s.out[std::size_t(o)] += value(i) * (k + 1);
            s.gradient[std::size_t(i)] += value(o + 3) * (k + 1);
            s.filter[std::size_t(k)] += value(o + 3) * value(i);
        }
    return s;
}

/// Rows sent from rank to rank before and after; the ranks have nothing else.
struct Divided {
    Step step;
    std::map<std::pair<int, int>, std::int64_t> sent, back;
    std::vector<std::int64_t> held;

    Divided(const Filter& f, std::int64_t ranks) : step(whole(f)), held(std::size_t(ranks)) {
        std::fill(step.out.begin(), step.out.end(), 0);
        std::fill(step.gradient.begin(), step.gradient.end(), 0);
        std::fill(step.filter.begin(), step.filter.end(), 0);
        const auto reads = support::dealing::blocks(f.in, ranks), makes = support::dealing::blocks(f.out, ranks);
        for (int r = 0; r < ranks; ++r) {
            std::map<std::int64_t, std::int64_t> rows, gradients;
            std::int64_t first = f.in, last = -1;
            for (std::int64_t i = 0; i < f.in; ++i)
                for (std::int64_t o = 0; o < f.out; ++o)
                    if (makes[std::size_t(o)] == r && f.spans(o, i))
                        first = std::min(first, i), last = std::max(last, i);
            for (std::int64_t i = 0; i < f.in; ++i) {
                const int owner = reads[std::size_t(i)];
                if (owner != r && (i < first || i > last)) continue;
                rows[i] = value(i);
                gradients[i] = 0;
                if (owner != r) ++sent[{owner, r}];
            }
            held[std::size_t(r)] = static_cast<std::int64_t>(rows.size());
            for (std::int64_t o = 0; o < f.out; ++o) {
                if (makes[std::size_t(o)] != r) continue;
                for (const auto& [k, i] : f.reads(o)) {
                    step.out[std::size_t(o)] += rows.at(i) * (k + 1);
                    gradients.at(i) += value(o + 3) * (k + 1);
                    step.filter[std::size_t(k)] += value(o + 3) * rows.at(i);  // summed over the ranks
                }
            }
            for (const auto& [i, g] : gradients) {
                if (reads[std::size_t(i)] != r) ++back[{r, reads[std::size_t(i)]}];
                step.gradient[std::size_t(i)] += g;
            }
        }
    }
    std::int64_t busiest(const std::map<std::pair<int, int>, std::int64_t>& all) const {
        std::map<int, std::int64_t> from, to;
        for (const auto& [ranks, rows] : all) from[ranks.first] += rows, to[ranks.second] += rows;
        std::int64_t most = 0;
        for (const auto& of : {from, to})
            for (const auto& [rank, rows] : of) most = std::max(most, rows);
        return most;
    }
};

Scenario by_rows(const support::NetworkPtr& network, std::int64_t data, std::int64_t tensor) {
    Scenario s = support::scenario(network);
    NetworkDraft draft = network->draft();
    draft.name = "by rows";
    s.workload[0].network = *Network::make(std::move(draft));
    s.cluster.device.price_per_hour = 1;
    support::set_mesh(s, data, 1, tensor);
    s.parallelism.policy = ShardingPolicy::rows;
    s.parallelism.sharded = Sharded::nothing;
    return s;
}

}  // namespace

class TestRows : public QObject {
    Q_OBJECT

private slots:
    /// 35. Kernels, strides, paddings and dilations, and rows that do not divide: ranks that were sent these rows have
    /// all that they need, and the same step comes out.
    void halos_against_ranks_that_compute() {
        std::mt19937 random(35);
        int near = 0, far = 0, uneven = 0;
        for (int n = 0; n < 4000; ++n) {
            const Filter f = any_filter(random);
            const std::int64_t ranks = pick(random, 1, 6);
            if (f.out < ranks || f.in < ranks) continue;
            const Divided d(f, ranks);
            QCOMPARE(d.step, whole(f));
            const auto halo = halo_of(f.window(), f.out, ranks);
            const bool neighbours = std::all_of(d.sent.begin(), d.sent.end(), [](const auto& m) {
                return std::abs(m.first.first - m.first.second) == 1;
            });
            const QString where =
                QString("case %1: %2 rows to %3, %4 taps, stride %5, dilation %6, %7 before, %8 ranks%9")
                    .arg(n)
                    .arg(f.in)
                    .arg(f.out)
                    .arg(f.taps)
                    .arg(f.stride)
                    .arg(f.dilation)
                    .arg(f.before)
                    .arg(ranks)
                    .arg(f.transposed ? ", transposed" : "");
            QVERIFY2(halo.has_value() == neighbours, qPrintable(where));
            if (!halo) {
                ++far;
                continue;
            }
            QVERIFY2(halo->rows == d.busiest(d.sent) && halo->rows == d.busiest(d.back), qPrintable(where));
            QVERIFY2(halo->held == *std::max_element(d.held.begin(), d.held.end()), qPrintable(where));
            if (f.taps == 1 && f.stride == 1 && f.before == 0 && f.in == f.out) QCOMPARE(halo->rows, std::int64_t{0});
            near += halo->rows > 0;
            uneven += f.in % ranks != 0 && halo->rows > 0;
        }
        QVERIFY(near > 1000 && far > 100 && uneven > 500);
    }

    /// Specification, section 3: rows of equal parts, above and below.
    void equal_parts_as_specified() {
        for (std::int64_t kernel = 1; kernel <= 7; ++kernel)
            for (std::int64_t stride = 1; stride <= kernel; ++stride)
                for (std::int64_t before = 0; before < kernel; ++before) {
                    const std::int64_t ranks = 4, out = 8 * ranks, in = stride * out;
                    const auto halo = halo_of({in, kernel, stride, before}, out, ranks);
                    QCOMPARE(halo->rows, before + std::max<std::int64_t>(0, kernel - stride - before));
                }
    }

    /// What the layers of random networks send is what ranks send that move every row; every layer's rows are dealt
    /// out.
    void networks_send_their_halos() {
        std::mt19937 random(36);
        int halos = 0, statistics = 0;
        for (int n = 0; n < 300; ++n) {
            const auto network = support::random_network(random, 14);
            const std::int64_t tensor = pick(random, 2, 4);
            const Scenario s = by_rows(network, pick(random, 1, 2), tensor);
            const Answer a(s);
            if (n % 6 == 0) QCOMPARE(support::explained::wrong_pages(s), QString());
            for (const LayerEstimate& row : a.e.layers) {
                const LayerFacts& f = network->facts()[std::size_t(row.position)];
                std::map<Carried, std::vector<double>> sent;
                for (const MessageEstimate& m : a.e.messages)
                    if (!m.gradients && m.layers.front() == row.position) sent[m.carries].push_back(m.bytes.value);
                const bool backward = a.plan.parts[0].work.pass[1].active[std::size_t(row.position)] > 0;
                if (row.along != ShardAlong::image_rows) {
                    QVERIFY(sent[Carried::halo].empty());
                    continue;
                }
                QVERIFY(row.shares.outputs >= 1.0 / double(tensor) && row.shares.inputs <= 1);
                if (f.convolution && f.output.size() == 3) {
                    const ConvolutionGeometry& g = *f.convolution;
                    const Filter filter{g.in_h, g.out_h, g.kernel_h, g.stride_h, g.dilation_h, g.pad_top, g.transposed};
                    const Divided d(filter, tensor);
                    const double bytes = double(d.busiest(d.sent)) * double(g.in_w * g.in_c) * 4 * row.samples;
                    const bool data =
                        network->facts()[std::size_t(network->reads(row.position)[0])].division == Division::source;
                    std::vector<double> wanted;
                    if (bytes > 0 && f.in_elements > 0)  // not of a trained tensor
                        wanted.assign((data ? 0u : 1u) + (backward ? 1u : 0u), bytes);
                    QCOMPARE(sent[Carried::halo].size(), wanted.size());
                    for (const double b : sent[Carried::halo]) QVERIFY(close(b, bytes));
                    QVERIFY(close(row.shares.inputs,
                                  double(*std::max_element(d.held.begin(), d.held.end())) / double(g.in_h)));
                    halos += static_cast<int>(wanted.size());
                }
                if (f.rows.statistics > 0) {
                    QCOMPARE(sent[Carried::statistics].size(), std::size_t(backward ? 2 : 1));
                    for (const double b : sent[Carried::statistics])
                        QVERIFY(close(b, 4 * double(f.rows.statistics) * (f.rows.of_batch ? 1 : row.samples)));
                    ++statistics;
                }
            }
        }
        QVERIFY(halos > 100 && statistics > 50);
    }

    /// Every convolution by rows, its weights whole and their gradients summed over the ranks once a step; the pooled
    /// image is a sum, behind which the classes are divided as trainers do.
    void a_residual_network() {
        const auto network = support::preset("resnet-50");
        Scenario s = by_rows(network, 2, 4);
        const Answer a(s);
        QCOMPARE(support::explained::wrong_pages(s), QString());
        double summed = 0, sums = 0;
        for (const LayerEstimate& row : a.e.layers) {
            const LayerFacts& f = network->facts()[std::size_t(row.position)];
            if (f.convolution || f.rows.statistics > 0) {
                QVERIFY(row.along == ShardAlong::image_rows);
                QCOMPARE(row.shares.weights, 1.0);
                summed += 4 * double(f.weights);
            }
            if (f.along(ShardAlong::pooled_rows) > 0) QVERIFY(row.along == ShardAlong::pooled_rows);
            if (f.along(ShardAlong::inputs) > 0 && !f.convolution) QVERIFY(row.along == ShardAlong::outputs);
        }
        for (const MessageEstimate& m : a.e.messages) {
            const LayerFacts& f = network->facts()[std::size_t(m.layers.front())];
            if (m.gradients && m.axis == MeshAxis::tensor) sums += m.bytes.value;
            // 1×1 convolutions send nothing where rows divide.
            if (m.carries == Carried::halo && f.rows.span == 1) QVERIFY(f.rows.in % 4 != 0 || f.output[0] % 4 != 0);
        }
        QVERIFY(summed > 0 && close(sums, summed));
        // Replicas add up pieces of these, and the columns of the classes.
        double between = 0, columns = 0;
        for (const MessageEstimate& m : a.e.messages)
            if (m.gradients && m.axis == MeshAxis::data) between += m.bytes.value;
        for (const LayerEstimate& row : a.e.layers)
            if (row.along == ShardAlong::outputs)
                columns += 4 * double(network->facts()[std::size_t(row.position)].weights) * row.shares.weights;
        QVERIFY(columns > 0 && close(between, summed / 4 + columns));
        s.parallelism.policy = ShardingPolicy::trainer;
        for (const LayerEstimate& row : Answer(s).e.layers) QVERIFY(row.along != ShardAlong::image_rows);
    }

    /// Over the border of stages goes the part that a rank has, whatever its layer sends within it.
    void a_border_between_rows() {
        support::Builder b;
        const int x = b.batch_norm(b.conv(b.input({16, 16, 3}), 8, 3));
        b.dense(b.global_pool(b.conv(b.activation(x), 8, 3)), 4);
        const auto network = b.make();
        Scenario s = by_rows(network, 1, 4);
        support::set_mesh(s, 1, 2, 4);
        s.parallelism.boundaries = {network->layers()[3].id};
        const Answer a(s);
        int borders = 0;
        for (const MessageEstimate& m : a.e.messages)
            if (m.when == When::at_border) {
                QVERIFY(close(m.bytes.value, 16 * 16 * 8 * 4 * a.e.layers[0].samples / 4));
                ++borders;
            }
        QCOMPARE(borders, 2);
        QCOMPARE(support::explained::wrong_pages(s), QString());
    }
};

QTEST_APPLESS_MAIN(TestRows)
#include "tst_rows.moc"
