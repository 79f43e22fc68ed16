// SPDX-License-Identifier: GPL-3.0-or-later
// Messages against a simulation that really sends every element (support_simulation.hpp), on random networks.
#include <QtTest>
#include <map>
#include <numeric>

#include "core/base/checked.hpp"
#include "core/estimate/estimate.hpp"
#include "support_choices.hpp"
#include "support_simulation.hpp"

using namespace scalescope;
using support::NetworkPtr;

namespace {

const int networks = qEnvironmentVariableIntValue("SCALESCOPE_NETWORKS") > 0
                         ? qEnvironmentVariableIntValue("SCALESCOPE_NETWORKS")
                         : 400;

QString describe(const Network& n) {
    QString text;
    for (int l = 0; l < n.size(); ++l) {
        text += QString("  %1 %2 [%3] <-")
                    .arg(l)
                    .arg(QString::fromStdString(n.layers()[static_cast<std::size_t>(l)].name))
                    .arg(QString::fromStdString(to_text(n.facts()[static_cast<std::size_t>(l)].output)));
        for (int in : n.inputs(l)) text += QString(" %1").arg(in);
        if (n.facts()[static_cast<std::size_t>(l)].groups > 1)
            text += QString(" groups %1").arg(n.facts()[static_cast<std::size_t>(l)].groups);
        text += "\n";
    }
    return text;
}

const char* name_of(Message m) {
    constexpr const char* names[] = {"all_reduce", "reduce_scatter", "all_gather",
                                     "broadcast",  "reduce",         "point_to_point"};
    return names[static_cast<int>(m)];
}

/// A message as both sides can say it: tensor, kind, direction, how often, bytes as priced.
using Row = std::tuple<std::string, std::string, bool, std::int64_t, double>;

QString text(const std::vector<Row>& rows) {
    QString t;
    for (const auto& [tensor, kind, forward, times, bytes] : rows)
        t += QString("    %1 %2 %3 %4x %5\n")
                 .arg(QString::fromStdString(tensor), QString::fromStdString(kind), forward ? "forward" : "backward")
                 .arg(times)
                 .arg(bytes, 0, 'g', 17);
    return t;
}

std::vector<Row> rows_of(const Network& network, const Estimate& e) {
    std::vector<Row> rows;
    for (const auto& m : e.messages) {
        if (m.group.ranks <= 1) continue;
        const bool weights = m.gradients;
        rows.emplace_back(weights ? "" : network.layers()[static_cast<std::size_t>(m.layers.at(0))].name,
                          name_of(m.message), m.forward, m.times, m.bytes.value);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

/// Priced bytes: every step of a collective waits for the largest piece, so the buffer counts as if all were that
/// large.
std::vector<Row> rows_of(const support::Simulated& s, std::int64_t workers) {
    std::vector<Row> rows;
    for (const auto& m : s.moved) {
        const bool pieces = m.kind == Message::all_gather || m.kind == Message::reduce_scatter;
        rows.emplace_back(m.tensor, name_of(m.kind), m.forward, m.times,
                          pieces ? static_cast<double>(workers) * m.piece : m.whole);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

}  // namespace

class TestBruteForce : public QObject {
    Q_OBJECT

    /// Compares one step and returns whether it was feasible.
    bool compare(const NetworkPtr& network, Scenario s, const support::Step& step, const QString& what) {
        const support::Simulated simulated = support::simulate_split(*network, step);
        const auto e = estimate(s);
        const QString where = what + "\n" + describe(*network);
        if (e.has_value() != simulated.feasible)
            QTest::qFail(
                qPrintable((e ? "core finds it feasible, the simulation not: " : "core finds it infeasible: ") + where),
                __FILE__, __LINE__);
        if (!e || !simulated.feasible) return false;
        for (const auto& m : simulated.moved) {
            if (m.sent != m.received)
                QTest::qFail(qPrintable("bytes sent and received differ: " + where), __FILE__, __LINE__);
            const double each = static_cast<double>(step.workers - 1) * m.whole * static_cast<double>(m.times);
            // Everything is handed to all others once, or to and fro; less if some samples are missing from some
            // slices.
            const bool even = std::equal(step.samples.begin() + 1, step.samples.end(), step.samples.begin());
            if (even && !m.tensor.empty() && m.sent != each * (m.kind == Message::all_reduce ? 2 : 1))
                QTest::qFail(qPrintable("the simulation does not move (g-1) S bytes: " + where), __FILE__, __LINE__);
        }
        const auto ours = rows_of(*network, *e), theirs = rows_of(simulated, step.workers);
        if (ours != theirs)
            QTest::qFail(
                qPrintable("messages differ: " + where + "  core:\n" + text(ours) + "  simulation:\n" + text(theirs)),
                __FILE__, __LINE__);
        // Work: the busiest worker's is what core prices.
        for (const auto& row : e->layers) {
            const auto& of = simulated.multiply_adds[static_cast<std::size_t>(row.position)];
            const double busiest = *std::max_element(of.begin(), of.end());
            const double macs =
                static_cast<double>(network->facts()[static_cast<std::size_t>(row.position)].multiply_adds);
            const double core = macs * row.shares.flops * row.samples * row.repeat;
            if (std::abs(core - busiest) > 1e-9 * busiest)
                QTest::qFail(qPrintable(QString("work of layer %1 differs: %2, simulated %3: ")
                                            .arg(row.position)
                                            .arg(core)
                                            .arg(busiest) +
                                        where),
                             __FILE__, __LINE__);
        }
        return true;
    }

private slots:
    void outputs() {
        std::mt19937 random(1);
        int feasible = 0;
        for (int k = 0; k < networks && !QTest::currentTestFailed(); ++k) {
            const auto network = support::random_network(random, static_cast<int>(support::pick(random, 4, 24)));
            const std::int64_t g = support::pick(random, 2, 7), batch = support::pick(random, 1, 3);
            Scenario s = support::scenario(network);
            s.cluster.workers = g;
            s.training.batch = batch * g;
            s.training.batch_rule = BatchRule::total;
            support::divide(s.parallelism, support::Divided::outputs);
            support::Step step;
            step.workers = g;
            step.samples.assign(static_cast<std::size_t>(g), batch);
            feasible += compare(network, s, step, QString("outputs, network %1, %2 workers").arg(k).arg(g));
        }
        QVERIFY2(feasible > networks / 4, qPrintable(QString::number(feasible)));
    }

    void outputs_with_frozen_layers() {
        std::mt19937 random(2);
        for (int k = 0; k < networks / 2 && !QTest::currentTestFailed(); ++k) {
            const auto network = support::random_network(random, static_cast<int>(support::pick(random, 4, 24)));
            Scenario s = support::scenario(network);
            s.cluster.workers = support::pick(random, 2, 4);
            support::divide(s.parallelism, support::Divided::outputs);
            support::Step step;
            step.workers = s.cluster.workers;
            step.samples.assign(static_cast<std::size_t>(step.workers), s.training.batch);
            for (const auto& l : network->layers())
                if (support::pick(random, 0, 1) == 0) {
                    s.training.frozen.push_back(l.id);
                    step.frozen.insert(l.name);
                }
            compare(network, s, step, QString("frozen, network %1, %2 workers").arg(k).arg(step.workers));
        }
    }

    void hybrid_data() {
        QTest::addColumn<int>("scheme");
        QTest::newRow("all at once") << 0;
        QTest::newRow("one sender") << 1;
        QTest::newRow("all send a share") << 2;
    }
    void hybrid() {
        QFETCH(int, scheme);
        std::mt19937 random(static_cast<unsigned>(10 + scheme));
        int feasible = 0;
        for (int k = 0; k < networks && !QTest::currentTestFailed(); ++k) {
            const auto network = support::random_network(random, static_cast<int>(support::pick(random, 4, 24)));
            Scenario s = support::scenario(network);
            support::Step step;
            step.workers = support::pick(random, 2, 6);
            step.cut = static_cast<int>(support::pick(random, 1, network->size()));
            step.scheme = static_cast<HybridScheme>(scheme);
            step.samples.assign(static_cast<std::size_t>(step.workers), support::pick(random, 1, 6));
            s.cluster.workers = step.workers;
            s.training.batch = step.samples[0];
            support::divide(s.parallelism, support::Divided::hybrid);
            s.parallelism.scheme = step.scheme;
            s.parallelism.cut_auto = false;
            if (step.cut < network->size())
                s.parallelism.cut = network->layers()[static_cast<std::size_t>(step.cut)].id;
            feasible += compare(network, s, step,
                                QString("hybrid, network %1, %2 workers, cut %3, %4 samples each")
                                    .arg(k)
                                    .arg(step.workers)
                                    .arg(step.cut)
                                    .arg(step.samples[0]));
        }
        QVERIFY2(feasible > networks / 4, qPrintable(QString::number(feasible)));
    }

    void layers() {
        std::mt19937 random(3);
        for (int k = 0; k < networks && !QTest::currentTestFailed(); ++k) {
            const auto network = support::random_network(random, static_cast<int>(support::pick(random, 4, 24)));
            Scenario s = support::scenario(network);
            s.cluster.workers = support::pick(random, 2, std::min(6, network->size()));
            s.training.batch_rule = BatchRule::total;
            s.training.batch = 3;
            support::divide(s.parallelism, support::Divided::layers);
            std::vector<int> borders{0};
            if (support::pick(random, 0, 1) == 0) {
                std::vector<int> all(static_cast<std::size_t>(network->size() - 1));
                std::iota(all.begin(), all.end(), 1);
                std::shuffle(all.begin(), all.end(), random);
                borders.insert(borders.end(), all.begin(), all.begin() + s.cluster.workers - 1);
                std::sort(borders.begin(), borders.end());
                for (std::size_t b = 1; b < borders.size(); ++b)
                    s.parallelism.boundaries.push_back(network->layers()[static_cast<std::size_t>(borders[b])].id);
            }
            const auto e = estimate(s);
            QVERIFY(e.has_value());
            if (borders.size() == 1) {
                for (int l = 1; l < network->size(); ++l)
                    if (e->layers[static_cast<std::size_t>(l)].stage !=
                        e->layers[static_cast<std::size_t>(l - 1)].stage)
                        borders.push_back(l);
                QCOMPARE(borders.size(), static_cast<std::size_t>(s.cluster.workers));
            }
            borders.push_back(network->size());
            const auto bytes = support::simulate_stages(*network, borders, 3, 4);
            std::map<std::pair<int, bool>, double> ours;
            std::map<int, std::pair<std::int64_t, double>> copies, expected_copies;
            for (const auto& m : e->messages) {
                if (m.gradients)
                    copies[m.layers.at(0)] = {m.group.ranks, m.bytes.value};
                else
                    ours[{m.layers.at(0), m.forward}] += m.bytes.value;
            }
            for (const auto& [owner, stages] : support::weight_holders(*network, borders))
                if (stages.size() > 1)
                    expected_copies[owner] = {
                        static_cast<std::int64_t>(stages.size()),
                        4.0 * static_cast<double>(network->facts()[static_cast<std::size_t>(owner)].weights)};
            if (copies != expected_copies)
                QFAIL(qPrintable(QString("network %1: %2 kinds of weights are held by several stages, simulated %3\n")
                                     .arg(k)
                                     .arg(copies.size())
                                     .arg(expected_copies.size()) +
                                 describe(*network)));
            for (std::size_t b = 0; b < bytes.size(); ++b) {
                const int border = borders[b + 1];
                const double forward = ours[{border - 1, true}], backward = ours[{border, false}];
                if (forward != bytes[b].forward || backward != bytes[b].backward)
                    QFAIL(qPrintable(QString("network %1, border %2: core %3 and %4, simulated %5 and %6\n")
                                         .arg(k)
                                         .arg(border)
                                         .arg(forward)
                                         .arg(backward)
                                         .arg(bytes[b].forward)
                                         .arg(bytes[b].backward) +
                                     describe(*network)));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestBruteForce)
#include "tst_brute_force.moc"
