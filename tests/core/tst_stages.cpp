// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <limits>
#include <map>

#include "core/estimate/timeline.hpp"
#include "core/parallel/stages.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

using namespace scalescope;

namespace {

/// What balance_stages takes of these weights, in `prefix`.
const std::vector<double>& sums_of(const std::vector<double>& weights, std::vector<double>& prefix) {
    prefix.assign(1, 0.0);
    for (const double w : weights) prefix.push_back(prefix.back() + w);
    return prefix;
}

/// The least possible largest stage, by trying every partition.
double best_of_all(const std::vector<double>& prefix, std::size_t begin, int stages) {
    const std::size_t n = prefix.size() - 1;
    if (stages == 1) return prefix[n] - prefix[begin];
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t end = begin + 1; end + static_cast<std::size_t>(stages) - 1 <= n; ++end)
        best = std::min(best, std::max(prefix[end] - prefix[begin], best_of_all(prefix, end, stages - 1)));
    return best;
}

/// The largest possible smallest stage among partitions whose largest is at most `limit`, by trying every one; below 0
/// if there is none.
double fullest_of_all(const std::vector<double>& prefix, std::size_t begin, int stages, double limit) {
    const std::size_t n = prefix.size() - 1;
    if (stages == 1) return prefix[n] - prefix[begin] <= limit ? prefix[n] - prefix[begin] : -1;
    double best = -1;
    for (std::size_t end = begin + 1; end + static_cast<std::size_t>(stages) - 1 <= n; ++end) {
        const double one = prefix[end] - prefix[begin];
        if (one > limit) break;
        best = std::max(best, std::min(one, fullest_of_all(prefix, end, stages - 1, limit)));
    }
    return best;
}

double smallest_stage(const std::vector<double>& prefix, const std::vector<int>& borders) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s + 1 < borders.size(); ++s)
        least = std::min(
            least, prefix[static_cast<std::size_t>(borders[s + 1])] - prefix[static_cast<std::size_t>(borders[s])]);
    return least;
}

}  // namespace

class TestStages : public QObject {
    Q_OBJECT

private slots:
    void balanced_like_the_best_partition() {
        std::mt19937 random(1);
        std::vector<double> prefix;
        std::vector<int> borders;
        for (int k = 0; k < 6000; ++k) {
            const auto n = static_cast<std::size_t>(support::pick(random, 1, 12));
            std::vector<double> weights(n);
            const auto style = support::pick(random, 0, 4);
            for (double& w : weights) {
                if (style == 0) w = support::real(random, 0, 1);                       // anything
                if (style == 1) w = static_cast<double>(support::pick(random, 0, 3));  // ties and zeros
                if (style == 2)
                    w = support::pick(random, 0, 2) == 0 ? support::real(random, 0, 9) : 0.0;  // mostly zeros
                if (style == 3) w = 0.1;                                           // all alike, not exact in binary
                if (style == 4) w = std::pow(10.0, support::real(random, -9, 3));  // very unlike
            }
            if (support::pick(random, 0, 40) == 0) std::fill(weights.begin(), weights.end(), 0.0);
            for (int stages = 1; stages <= static_cast<int>(n); ++stages) {
                const double largest = balance_stages(sums_of(weights, prefix), stages, borders);
                QCOMPARE(borders.size(), static_cast<std::size_t>(stages) + 1);
                QCOMPARE(borders.front(), 0);
                QCOMPARE(borders.back(), static_cast<int>(n));
                double found = 0;
                for (std::size_t s = 0; s < static_cast<std::size_t>(stages); ++s) {
                    QVERIFY(borders[s] < borders[s + 1]);
                    found = std::max(found, prefix[static_cast<std::size_t>(borders[s + 1])] -
                                                prefix[static_cast<std::size_t>(borders[s])]);
                }
                QCOMPARE(found, largest);
                const double best = best_of_all(prefix, 0, stages);
                // Where all are alike every split of a size ties with others but for rounding, and counts as equal.
                const double slack = style == 3 ? best * 1e-13 : 0;
                if (largest < best || largest > best + slack)
                    QFAIL(qPrintable(QString("style %1, %2 weights, %3 stages: %4, best %5")
                                         .arg(style)
                                         .arg(n)
                                         .arg(stages)
                                         .arg(largest, 0, 'g', 17)
                                         .arg(best, 0, 'g', 17)));
            }
        }
    }

    // A faster device scales all times, each with a rounding of its own: where sums tie, that must not move a border.
    void borders_stay_when_all_times_scale() {
        std::mt19937 random(4);
        std::vector<double> prefix;
        std::vector<int> borders, scaled;
        for (int k = 0; k < 4000; ++k) {
            std::vector<double> weights(static_cast<std::size_t>(support::pick(random, 2, 24)));
            const double unit = support::real(random, 1e-9, 1e-3);
            for (double& w : weights) w = static_cast<double>(support::pick(random, 0, 6)) * unit;
            std::vector<double> faster = weights;
            const double factor = support::real(random, 1, 4);
            for (double& w : faster) w /= factor;
            for (int stages = 2; stages <= static_cast<int>(weights.size()); ++stages) {
                balance_stages(sums_of(weights, prefix), stages, borders);
                balance_stages(sums_of(faster, prefix), stages, scaled);
                QCOMPARE(scaled, borders);
            }
        }
    }

    void no_stage_is_empty_that_need_not_be() {
        std::mt19937 random(3);
        std::vector<double> prefix;
        std::vector<int> borders;
        double reached = 0;
        int cases = 0;
        for (int k = 0; k < 4000; ++k) {
            std::vector<double> weights(static_cast<std::size_t>(support::pick(random, 1, 11)));
            const auto style = support::pick(random, 0, 2);
            for (double& w : weights) {
                if (style == 0) w = support::real(random, 0, 1);
                if (style == 1) w = static_cast<double>(support::pick(random, 0, 3));
                if (style == 2) w = support::pick(random, 0, 2) == 0 ? support::real(random, 0, 9) : 0.0;
            }
            if (support::pick(random, 0, 2) == 0)  // one that is longer than many others
                weights[static_cast<std::size_t>(support::pick(random, 0, int(weights.size()) - 1))] = 20;
            for (int stages = 1; stages <= static_cast<int>(weights.size()); ++stages) {
                const double largest = balance_stages(sums_of(weights, prefix), stages, borders);
                const double best = fullest_of_all(prefix, 0, stages, largest);
                const double least = smallest_stage(prefix, borders);
                QVERIFY(least <= best);
                if (best > 0 && least <= 0)
                    QFAIL(qPrintable(QString("style %1, %2 weights, %3 stages: one takes no time, %4 is possible")
                                         .arg(style)
                                         .arg(weights.size())
                                         .arg(stages)
                                         .arg(best)));
                if (best > 0) reached += least / best, ++cases;
            }
        }
        QVERIFY2(reached > 0.9 * cases, qPrintable(QString::number(reached / cases)));
    }

    // Twelve blocks of a large and three tiny layers, and a head as long as five blocks: it has a stage for itself,
    // and the blocks are spread over the others although that makes the slowest stage no faster.
    void a_long_last_layer_leaves_no_stage_idle() {
        std::vector<double> weights, prefix;
        for (int block = 0; block < 12; ++block) {
            for (const double w : {0.001, 0.4, 0.001, 0.6}) weights.push_back(w);
        }
        weights.push_back(0.001);
        weights.push_back(5);
        std::vector<int> borders;
        QCOMPARE(balance_stages(sums_of(weights, prefix), 8, borders), 5.0);
        QCOMPARE(borders[7], 49);
        QVERIFY2(smallest_stage(prefix, borders) > 1.3, qPrintable(QString::number(smallest_stage(prefix, borders))));
    }

    // Split by hand: the slowest stage cannot be faster, nor, with that one, the fastest slower.
    void stages_much_alike_by_hand() {
        const auto split = [](std::vector<double> weights, int stages) {
            std::vector<double> prefix, sums;
            std::vector<int> borders;
            const double largest = balance_stages(sums_of(weights, prefix), stages, borders);
            for (std::size_t s = 0; s + 1 < borders.size(); ++s)
                sums.push_back(prefix[static_cast<std::size_t>(borders[s + 1])] -
                               prefix[static_cast<std::size_t>(borders[s])]);
            const double least = *std::min_element(sums.begin(), sums.end());
            return least == fullest_of_all(prefix, 0, stages, largest) ? sums : std::vector<double>();
        };
        using Sums = std::vector<double>;
        QCOMPARE(split({5, 3, 4, 20}, 3), (Sums{5, 7, 20}));
        QCOMPARE(split({6, 4, 5, 6, 2, 1}, 4), (Sums{6, 4, 5, 9}));
        QCOMPARE(split({6, 5, 5, 6, 4, 1}, 3), (Sums{6, 10, 11}));
        // One longer than its share has a stage for itself, and what is left is shared by the others.
        QCOMPARE(split({1, 6, 4, 4, 20}, 4), (Sums{7, 4, 4, 20}));
        QCOMPARE(split({3, 1, 6, 1, 2, 20}, 4), (Sums{4, 6, 3, 20}));
        QCOMPARE(split({6, 4, 6, 20, 1, 4}, 5), (Sums{6, 4, 6, 20, 5}));
        QCOMPARE(split({5, 2, 4, 6, 20, 6, 1}, 6), (Sums{5, 2, 4, 6, 20, 7}));
        // What takes no time is nobody's stage.
        QCOMPARE(split({20, 3, 4, 2, 0, 4, 4}, 4), (Sums{20, 7, 6, 4}));
        // Of two borders as good, the first.
        QCOMPARE(split({3, 1, 3}, 2), (Sums{3, 4}));
    }

    void never_larger_with_more_stages() {
        std::mt19937 random(2);
        std::vector<double> weights(500), prefix;
        for (double& w : weights) w = support::real(random, 0, 1);
        std::vector<int> borders;
        double before = std::numeric_limits<double>::infinity();
        for (int stages = 1; stages <= 500; ++stages) {
            const double largest = balance_stages(sums_of(weights, prefix), stages, borders);
            QVERIFY(largest <= before);
            before = largest;
        }
        QCOMPARE(before, *std::max_element(weights.begin(), weights.end()));
    }

    // conv (128) → conv (64) → sum of both: the first tensor crosses two borders, each once.
    void crossings_by_hand() {
        support::Builder b;
        const int first = b.conv(b.input({4, 4, 3}), 8, 3);
        const int second = b.conv(first, 8, 1);
        const int view = b.flatten(second);
        b.dense(b.add({b.flatten(first), view}), 5);
        const auto n = b.make();
        const Work w = make_work(*n, {}, {});
        const Crossings c = make_crossings(*n, w);
        const double t = 4.0 * 128;
        // positions: input 0, conv 1, conv 2, flatten 3, flatten 4, add 5, dense 6
        QCOMPARE(c.activations, (std::vector<double>{0, 0, t, 2 * t, 2 * t, 2 * t, t, 0}));
        QCOMPARE(c.gradients, c.activations);
        Training frozen;
        frozen.frozen = {n->layers()[1].id};
        const Work f = make_work(*n, {}, frozen);
        QCOMPARE(make_crossings(*n, f).gradients, (std::vector<double>{0, 0, 0, t, t, t, t, 0}));
    }

    // Two inputs, of which the second is read late: data cost nothing, and long skips take no long time.
    void long_skips_are_counted_in_linear_time() {
        support::Builder b;
        const int first = b.conv(b.input({2, 2, 3}), 4, 1);
        std::vector<int> all{first};
        int x = first;
        for (int k = 0; k < 20000; ++k) all.push_back(x = b.activation(x));
        b.concat(all);
        const auto n = b.make();
        const Work w = make_work(*n, {}, {});
        const Crossings c = make_crossings(*n, w);
        QCOMPARE(c.activations[2], 4.0 * 16);
        QCOMPARE(c.activations[20002], 4.0 * 16 * 20001);
        QCOMPARE(c.activations.back(), 0.0);
    }

    // So many micro-batches that each stage is shown in one piece per pass: where the single pieces would have been,
    // which is linear in their number.
    void a_timeline_of_very_many_micro_batches() {
        support::Builder b;
        int x = b.input({64});
        for (const std::int64_t units : {256, 64, 512, 128}) x = b.dense(x, units);
        Scenario s = support::scenario(b.make());
        support::divide(s.parallelism, support::Divided::layers);
        s.training.batch_rule = BatchRule::total;
        s.cluster.workers = 4;
        using Window = std::pair<double, double>;
        const auto windows = [&](std::int64_t micro_batches, std::size_t& pieces) {
            s.training.batch = 2 * micro_batches;
            s.parallelism.micro_batches = micro_batches;
            const auto plan = prepare(s);
            Scratch scratch = make_scratch(*plan);
            const auto e = estimate(s, *plan, scratch);
            const Timeline t = make_timeline(*plan, *e);
            pieces = t.intervals.size();
            std::map<std::pair<int, Activity>, Window> found;
            for (const Interval& i : t.intervals) {
                if (i.activity > Activity::weight_gradients) continue;
                const double from = i.start.value, to = (i.start + i.length).value;
                const Activity pass = i.activity == Activity::forward ? Activity::forward : Activity::backward;
                const auto [it, first] = found.try_emplace({i.row, pass}, from, to);
                it->second = {std::min(it->second.first, from), std::max(it->second.second, to)};
            }
            found[{-1, Activity::idle}] = {0.0, t.end.value};
            return found;
        };
        std::size_t few = 0, more = 0, many = 0;
        const auto at_2000 = windows(2000, few), at_4000 = windows(4000, more), at_8000 = windows(8000, many);
        QVERIFY(few > 16000 && more > 32000);
        QCOMPARE(many, std::size_t{8 + 4});  // two windows and the update of each stage
        QCOMPARE(at_8000.size(), std::size_t{9});
        for (const auto& [key, w] : at_8000) {
            const Window a = at_2000.at(key), b4 = at_4000.at(key);
            const auto near = [&](double x2, double x4, double x8) {
                return std::abs(x4 + 2 * (x4 - x2) - x8) <= 1e-9 * at_8000.at({-1, Activity::idle}).second;
            };
            QVERIFY(near(a.first, b4.first, w.first) && near(a.second, b4.second, w.second));
        }
    }
};

QTEST_APPLESS_MAIN(TestStages)
#include "tst_stages.moc"
