// SPDX-License-Identifier: GPL-3.0-or-later
// Random searches against estimate() of every combination.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>

#include "core/search/judge.hpp"
#include "core/search/search.hpp"
#include "sanitized.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"
#include "support_search.hpp"

using namespace scalescope;
using namespace scalescope::search;
using support::catalogue_of_two;
using support::choose;
using support::pick;
using support::setter;
using support::space_of;

namespace {

/// Values of one path, some of which may be out of place in some network.
Axis random_axis(const std::string& path, std::mt19937& random, const Scenario& base) {
    Axis axis{path, {}};
    const auto add = [&](std::vector<std::string> all, int most) {
        std::shuffle(all.begin(), all.end(), random);
        all.resize(std::min(all.size(), static_cast<std::size_t>(pick(random, 1, most))));
        axis.values = all;
    };
    if (path == "cluster.workers" || path == "cluster.nodes") add({"1", "2", "3", "4", "7", "16", "64"}, 4);
    if (path == "cluster.devices_per_node") add({"1", "2", "4"}, 2);
    if (path == "training.batch") add({"1", "3", "8", "32", "200"}, 3);
    if (path == "training.batch_rule") add({"per_worker", "total"}, 2);
    if (path == "training.precision") add({"fp32", "fp16"}, 2);
    if (path == "training.optimizer") add({"sgd", "adam"}, 2);
    if (path == "cluster.device") add({"slow", "fast", "free"}, 3);
    if (path == "cluster.between") add({"thin", "thick"}, 2);
    if (path == "parallelism.fill") add({"data", "tensor", "pipeline", "context"}, 4);
    if (path == "parallelism.segments") add({"false", "true"}, 2);
    if (path == "parallelism.policy") add({"columns", "trainer", "best"}, 2);
    if (path == "parallelism.collective") add({"ring", "tree", "parameter_server", "automatic"}, 3);
    if (path == "parallelism.scheme") add({"all_at_once", "one_sender", "all_send_share"}, 3);
    if (path == "parallelism.overlap") add({"off", "buckets", "perfect"}, 2);
    if (path == "parallelism.updates") add({"synchronous", "asynchronous"}, 2);
    if (path == "parallelism.servers") add({"1", "2", "3", "9"}, 3);
    if (path == "parallelism.sharding") add({"even", "by_layer"}, 2);
    if (path == "model.overlap_memory") add({"false", "true"}, 2);
    if (path == "model.compute") add({"40", "80"}, 2);
    if (path == "parallelism.cut") {
        std::vector<std::string> cuts{"automatic", "none"};
        for (const Layer& layer : base.network()->layers()) cuts.push_back(layer.name);
        add(cuts, 4);
    }
    return axis;
}

struct Seen {
    std::uint64_t index;
    Values values;
};

/// Nothing is cut here, and an earlier value of the cut or of hybrid's scheme says so too. Axes of the grid are told
/// apart.
bool says_the_same(const Space& space, const Question& q, std::uint64_t index, const Scenario& s) {
    if (s.parallelism.segments) return false;
    auto at = space.digits(index);
    for (std::size_t i = 0; i < at.size(); ++i) {
        const std::string& path = space.axes()[i].path;
        if (path != "parallelism.cut" && path != "parallelism.scheme") continue;
        if (q.grid && (q.grid->first == i || q.grid->second == i)) continue;
        auto earlier = at;
        for (std::size_t v = 0; v < at[i]; ++v) {
            earlier[i] = v;
            if (space.scenario(space.index_of(earlier))) return true;
        }
    }
    return false;
}

/// One of the combinations that brute force has left, with what names it.
struct Named {
    Seen seen;
    Scenario scenario;
    Estimate estimate;
    std::vector<std::size_t> digits;
    support::Divided divides = support::Divided::data;  ///< in truth
};

/// Both are one configuration under two names: they differ in words that mean nothing here, and in no figure.
bool one_under_two_names(const Space& space, const Named& a, const Named& b) {
    if (a.estimate.summary.step != b.estimate.summary.step) return false;
    for (std::size_t i = 0; i < a.digits.size(); ++i) {
        const std::string& path = space.axes()[i].path;
        if (a.digits[i] != b.digits[i] && path != "parallelism.fill" && path != "parallelism.segments" &&
            path != "parallelism.policy" && path != "parallelism.collective" && path != "parallelism.scheme" &&
            path != "parallelism.cut")
            return false;
    }
    Summary other = b.estimate.summary;
    other.cut = a.estimate.summary.cut;
    if (other != a.estimate.summary || a.estimate.memory.peak != b.estimate.memory.peak) return false;
    const Parallelism &p = a.scenario.parallelism, &r = b.scenario.parallelism;
    // With stages or a cut by hand that no axis moves, each way to divide is a plan of its own.
    const bool cut_moves = std::any_of(space.axes().begin(), space.axes().end(),
                                       [](const Axis& axis) { return axis.path == "parallelism.cut"; });
    const bool by_hand = !p.boundaries.empty() || (!p.cut_auto && !cut_moves);
    if (by_hand && (p.fill != r.fill || p.segments != r.segments)) return false;
    if (a.estimate.point.workers == 1)
        return a.scenario.model.method == Method::pipeline || p.collective == r.collective;
    if (a.divides != b.divides || p.collective != r.collective) return false;
    if (a.divides == support::Divided::outputs && p.policy != r.policy) return false;
    return a.divides != support::Divided::hybrid ||
           (a.estimate.summary.cut == b.estimate.summary.cut && p.scheme == r.scheme);
}

/// Which of two names is told: data parallel, then a cut with a name, then the earlier one.
bool plainer(const Named& a, const Named& b) {
    const auto rank = [](const Named& n) {
        const Parallelism& p = n.scenario.parallelism;
        return std::tuple(!fills_data(p), p.segments && n.estimate.point.workers > 1 && p.cut_auto, n.seen.index);
    };
    return rank(a) < rank(b);
}

/// All combinations with their values, by estimate() alone; `folded` are other names of one of them. They stay where
/// the grid has a cell for each name.
std::vector<Seen> brute_force(const Space& space, const Question& q, std::vector<Seen>& folded) {
    std::vector<Named> all;
    for (std::uint64_t i = 0; i < space.size(); ++i) {
        auto s = space.scenario(i);
        if (!s) continue;
        auto e = estimate(*s);
        if (!e || says_the_same(space, q, i, *s)) continue;
        Seen seen{i, {}};
        bool good = true;
        for (std::size_t k = 0; k < q.objectives.size(); ++k) {
            const auto value = metric_value(q.objectives[k], *s, *e, q.goal);
            good = good && value;
            if (value) seen.values[k] = info_of(q.objectives[k]).larger_is_better ? -*value : *value;
        }
        for (const Constraint& c : q.where)
            good = good && holds(c, [&](const Constraint::Operand& o) {
                       if (const auto* m = std::get_if<Metric>(&o))
                           return metric_value(*m, *s, *e, q.goal).value_or(std::nan(""));
                       return field_number(*std::get<const Field*>(o), *s).value_or(std::nan(""));
                   });
        if (q.must_fit && s->cluster.device.memory && e->memory.peak > *s->cluster.device.memory) good = false;
        if (!good) continue;
        support::Divided divides = support::divided(s->parallelism);
        if (divides == support::Divided::hybrid && e->summary.cut == s->network()->size())
            divides = support::Divided::data;
        all.push_back({seen, std::move(*s), std::move(*e), space.digits(i), divides});
    }
    std::vector<Seen> told;
    for (const Named& a : all) {
        const Named* plainest = &a;
        for (const Named& b : all)
            if (one_under_two_names(space, a, b) && plainer(b, *plainest)) plainest = &b;
        if (plainest == &a) {
            told.push_back(a.seen);
            continue;
        }
        const auto other = [&](std::size_t axis) { return a.digits[axis] != plainest->digits[axis]; };
        if (q.grid && (other(q.grid->first) || other(q.grid->second))) folded.push_back(a.seen);
    }
    return told;
}

bool sooner(const Seen& a, const Seen& b) { return before({a.index, a.values}, {b.index, b.values}); }

/// What is wrong with an answer, or nothing.
QString difference(const Space& space, const Question& q, const SearchResult& found, const std::vector<Seen>& all,
                   const std::vector<Seen>& folded) {
    auto ranked = all;
    std::sort(ranked.begin(), ranked.end(), sooner);
    if (found.best.size() != std::min(q.top, ranked.size()))
        return QString("%1 rows instead of %2").arg(found.best.size()).arg(std::min(q.top, ranked.size()));
    for (std::size_t i = 0; i < found.best.size(); ++i)
        if (found.best[i].index != ranked[i].index || found.best[i].values != ranked[i].values)
            return QString("row %1 is combination %2, not %3").arg(i).arg(found.best[i].index).arg(ranked[i].index);
    if (q.objectives.size() > 1) {
        std::vector<Seen> front;
        for (const Seen& a : ranked)
            if (std::none_of(ranked.begin(), ranked.end(), [&](const Seen& b) {
                    return dominates(b.values, a.values, q.objectives.size()) ||
                           (b.values == a.values && b.index < a.index);
                }))
                front.push_back(a);
        if (front.size() != found.front.size())
            return QString("a front of %1 instead of %2").arg(found.front.size()).arg(front.size());
        for (std::size_t i = 0; i < front.size(); ++i)
            if (front[i].index != found.front[i].index) return QString("front %1").arg(i);
    }
    if (q.grid) {
        std::vector<std::optional<Seen>> cells(found.grid.cells().size());
        ranked.insert(ranked.end(), folded.begin(), folded.end());
        std::sort(ranked.begin(), ranked.end(), sooner);
        for (const Seen& s : ranked) {
            const auto at = space.digits(s.index);
            auto& cell = cells[found.grid.cell(at[q.grid->first], at[q.grid->second])];
            if (!cell) cell = s;
        }
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i].has_value() != found.grid.cells()[i].has_value() ||
                (cells[i] && cells[i]->index != found.grid.cells()[i]->index))
                return QString("cell %1").arg(i);
    }
    return {};
}

QString told(const Space& space, const Question& q) {
    QString text;
    for (const Axis& axis : space.axes()) {
        text += QString::fromStdString(axis.path) + "=";
        for (const auto& value : axis.values) text += QString::fromStdString(value) + " ";
    }
    for (const Constraint& c : q.where) text += "where " + QString::fromStdString(c.text) + " ";
    for (const Metric m : q.objectives) text += QString::fromStdString(std::string(info_of(m).name)) + " ";
    return text + QString("top %1").arg(q.top);
}

}  // namespace

class TestSearchBruteForce : public QObject {
    Q_OBJECT

    const Catalogue catalogue = catalogue_of_two();

private slots:
    void finds_what_brute_force_finds() {
        std::mt19937 random(1);
        const std::vector<std::string> paths{
            "cluster.workers",     "cluster.nodes",          "cluster.devices_per_node", "training.batch",
            "training.batch_rule", "training.precision",     "training.optimizer",       "cluster.device",
            "cluster.between",     "parallelism.fill",       "parallelism.segments",     "parallelism.policy",
            "parallelism.scheme",  "parallelism.collective", "parallelism.overlap",      "model.overlap_memory",
            "model.compute",       "parallelism.cut",        "parallelism.updates",      "parallelism.servers",
            "parallelism.sharding"};
        const std::vector<std::string> conditions{
            "devices <= 16",      "step <= 20 ms",       "efficiency > 40",    "training.batch % cluster.workers == 0",
            "cost_per_hour < 30", "memory <= 0.001 GiB", "cluster.nodes != 2", "speedup >= 1"};
        int answers = 0, fronts = 0, nothing = 0, differs = 0, both_updates = 0;
        std::uint64_t pruned = 0, repeated = 0, unfit = 0, renamed = 0;
        for (int k = 0; k < (support::sanitized ? 300 : 3000); ++k) {
            Scenario base = support::random_scenario(
                random, support::random_network(random, static_cast<int>(pick(random, 4, 12))));
            base.cluster.device = catalogue.devices[static_cast<std::size_t>(pick(random, 0, 2))];
            if (pick(random, 0, 2) > 0) base.parallelism.boundaries.clear();
            auto order = paths;
            std::shuffle(order.begin(), order.end(), random);
            std::vector<Axis> axes;
            std::uint64_t size = 1;
            if (k % 5 == 0) {  // both ways to update, where nothing stands in the way
                base.parallelism.overlap = Overlap::off;
                base.parallelism.copies = false;
                axes.push_back({"parallelism.updates", {"synchronous", "asynchronous"}});
                size = 2;
            }
            for (const std::string& path : order) {
                const auto same = [&](const Axis& a) {
                    return a.path == path || (path == "cluster.nodes" && a.path == "cluster.workers") ||
                           (path == "cluster.workers" && a.path == "cluster.nodes");
                };
                if (std::any_of(axes.begin(), axes.end(), same)) continue;
                Axis axis = random_axis(path, random, base);
                if (size * axis.values.size() > 150) continue;
                size *= axis.values.size();
                axes.push_back(std::move(axis));
                if (axes.size() > 5) break;
            }
            const Space space = space_of(base, axes, catalogue);
            Question q;
            q.objectives.clear();
            const auto count = static_cast<std::size_t>(pick(random, 1, 3));
            while (q.objectives.size() < count) q.objectives.push_back(static_cast<Metric>(pick(random, 0, 14)));
            q.top = static_cast<std::size_t>(pick(random, 0, 6));
            q.must_fit = pick(random, 0, 2) > 0;
            if (pick(random, 0, 2) == 0) q.goal = 12345;
            for (std::int64_t c = pick(random, -1, 2); c > 0; --c)
                q.where.push_back(*read_constraint(choose(random, conditions)));
            if (axes.size() > 1 && pick(random, 0, 2) == 0) q.grid = {{0, axes.size() - 1}};

            std::vector<Seen> folded;
            const auto all = brute_force(space, q, folded);
            const auto found = search::search(space, q);
            QVERIFY(found.has_value());
            QVERIFY(found->complete);
            QCOMPARE(found->counts.seen(), space.size());
            const QString wrong = difference(space, q, *found, all, folded);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("space %1: %2; %3").arg(k).arg(wrong, told(space, q))));
            Question whole = q;
            whole.prune = false;
            const auto unpruned = search::search(space, whole);
            QVERIFY2(difference(space, q, *unpruned, all, folded).isEmpty(), "without pruning");
            QCOMPARE(unpruned->counts.pruned, std::uint64_t{0});
            answers += !found->best.empty();
            const auto alone = std::count_if(all.begin(), all.end(), [&](const Seen& seen) {
                return space.scenario(seen.index)->parallelism.updates == Updates::asynchronous;
            });
            both_updates += alone > 0 && alone < std::ssize(all);
            fronts += found->front.size() > 1;
            nothing += all.empty();
            pruned += found->counts.pruned;
            repeated += found->counts.repeated;
            unfit += found->counts.unfit;
            renamed += found->counts.folded;
            differs += found->counts.scored != unpruned->counts.scored;
        }
        if (support::sanitized) return;
        // The cases are worth something: answers, fronts, empty ones, and every way to leave something out.
        QVERIFY2(answers > 1200 && fronts > 300 && nothing > 100 && pruned > 500 && repeated > 1000 && unfit > 100 &&
                     renamed > 1000 && differs > 50 && both_updates > 150,
                 qPrintable(QString("%1 %2 %3 %4 %5 %6 %7 %8 %9")
                                .arg(answers)
                                .arg(fronts)
                                .arg(nothing)
                                .arg(pruned)
                                .arg(repeated)
                                .arg(unfit)
                                .arg(renamed)
                                .arg(differs)
                                .arg(both_updates)));
    }
};

QTEST_APPLESS_MAIN(TestSearchBruteForce)
#include "tst_search_brute_force.moc"
