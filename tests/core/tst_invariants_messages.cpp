// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of meshes against ranks that really send: collectives step by step, groups rank by rank, and what layers
// that are divided over an axis have to send each other, piece by piece (docs/decisions/invariants.md).
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/estimate/estimate.hpp"
#include "core/parallel/shardings.hpp"
#include "support_any_mesh.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Answer, support::close, support::score_of;

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Collectives, step by step
// ---------------------------------------------------------------------------------------------------------------------

/// Ranks with a buffer of one element for each rank. What arrives is added, or put in its place.
class Ring {
public:
    explicit Ring(std::size_t ranks)
        : n_(ranks), buffers_(ranks, std::vector<double>(ranks, 0.0)), sent_(ranks), received_(ranks) {}
    std::vector<double>& of(std::size_t rank) { return buffers_[rank]; }
    /// Every rank sends one element to the next; `first(rank)`: which one in the first step. n − 1 steps.
    template <class First>
    void round(First first, bool add) {
        for (std::size_t step = 0; step + 1 < n_; ++step) {
            const auto before = buffers_;
            for (std::size_t r = 0; r < n_; ++r) {
                const std::size_t to = (r + 1) % n_, element = (first(r) + n_ - step) % n_;
                double& there = buffers_[to][element];
                there = add ? there + before[r][element] : before[r][element];
                sent_[r] += 1;
                received_[to] += 1;
            }
            ++steps_;
        }
    }
    void scatter() {
        round([](std::size_t r) { return r; }, true);  // afterwards rank r has the sum of element r + 1
    }
    void gather() {
        const std::size_t n = n_;
        round([n](std::size_t r) { return (r + 1) % n; }, false);
    }
    /// Each rank has an element for every other one, and hands it over.
    void all_to_all() {
        const auto before = buffers_;
        for (std::size_t step = 1; step < n_; ++step, ++steps_)
            for (std::size_t r = 0; r < n_; ++r) {
                const std::size_t to = (r + step) % n_;
                buffers_[to][r] = before[r][to];
                sent_[r] += 1;
                received_[to] += 1;
            }
    }
    double sent() const { return std::accumulate(sent_.begin(), sent_.end(), 0.0); }
    double received() const { return std::accumulate(received_.begin(), received_.end(), 0.0); }
    double busiest() const { return *std::max_element(sent_.begin(), sent_.end()); }
    int steps() const { return steps_; }

private:
    std::size_t n_;
    std::vector<std::vector<double>> buffers_;
    std::vector<double> sent_, received_;
    int steps_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// Layers that are divided over an axis, piece by piece
// ---------------------------------------------------------------------------------------------------------------------

/// A tensor is n × n pieces, of positions and of features. Which of them a rank has or needs.
using Pieces = std::set<std::pair<int, int>>;
Pieces pieces(Placement p, int rank, int ranks) {
    Pieces all;
    for (int i = 0; i < ranks; ++i)
        for (int j = 0; j < ranks; ++j)
            if (p == Placement::whole || p == Placement::partial || (p == Placement::features && j == rank) ||
                (p == Placement::positions && i == rank))
                all.insert({i, j});
    return all;
}

/// Pieces that all ranks together have to send, at the least, so that each has what it needs of a tensor: of `summands`
/// every rank has one, of which one rank forms the sum; what is there whole comes from whoever has it.
int sends(const std::vector<Placement>& made, const std::set<Placement>& needed, int ranks) {
    const bool summands = std::find(made.begin(), made.end(), Placement::partial) != made.end();
    int sent = 0;
    for (int i = 0; i < ranks; ++i)
        for (int j = 0; j < ranks; ++j) {
            int have = 0, lack = 0, wanted = 0;
            for (int r = 0; r < ranks; ++r) {
                bool has = false, needs = false;
                for (const Placement p : made) has = has || pieces(p, r, ranks).contains({i, j});
                for (const Placement p : needed) needs = needs || pieces(p, r, ranks).contains({i, j});
                have += has;
                wanted += needs;
                lack += needs && !has;
            }
            if (wanted == 0) continue;
            sent += summands ? ranks - 1 + wanted - 1 : have > 0 ? lack : 0;
        }
    return sent;
}

/// The same of what was priced.
double sent_by_all(const MessageEstimate& m, double tensor) {
    const double n = static_cast<double>(m.group.ranks), share = m.bytes.value / tensor;
    return (m.message == Message::all_reduce ? 2 : 1) * (n - 1) * share * n * n;
}

}  // namespace

class TestInvariantsMessages : public QObject {
    Q_OBJECT

private slots:
    /// 4, 5. As much is received as was sent; every rank ends with what it should have; the price is that of the
    /// busiest rank; an all-reduce is a scatter and a gather, which move the same.
    void collectives_step_by_step() {
        for (std::size_t n = 2; n <= 9; ++n) {
            Ring scattered(n), gathered(n), both(n), exchanged(n);
            const auto value = [n](std::size_t rank, std::size_t element) {
                return static_cast<double>((rank + 1) * 100 + element * n);
            };
            std::vector<double> sums(n, 0.0);
            for (std::size_t r = 0; r < n; ++r)
                for (std::size_t e = 0; e < n; ++e) {
                    sums[e] += value(r, e);
                    scattered.of(r)[e] = both.of(r)[e] = exchanged.of(r)[e] = value(r, e);
                    gathered.of(r)[e] = e == (r + 1) % n ? value(0, e) : 0;
                }
            scattered.scatter();
            gathered.gather();
            both.scatter();
            both.gather();
            exchanged.all_to_all();
            for (std::size_t r = 0; r < n; ++r) {
                QCOMPARE(scattered.of(r)[(r + 1) % n], sums[(r + 1) % n]);
                QCOMPARE(both.of(r), sums);
                for (std::size_t e = 0; e < n; ++e) {
                    QCOMPARE(gathered.of(r)[e], value(0, e));
                    QCOMPARE(exchanged.of(r)[e], value(e, r));
                }
            }
            QCOMPARE(scattered.sent(), gathered.sent());
            QCOMPARE(both.sent(), scattered.sent() + gathered.sent());
            const std::pair<Message, const Ring*> all[] = {{Message::reduce_scatter, &scattered},
                                                           {Message::all_gather, &gathered},
                                                           {Message::all_reduce, &both},
                                                           {Message::all_to_all, &exchanged}};
            for (const auto& [message, ring] : all) {
                QCOMPARE(ring->sent(), ring->received());
                // Elements of one byte, a second each; a step starts once.
                const LinearCost cost =
                    flat_cost(message, Collective::ring, static_cast<std::int64_t>(n), Seconds{1}, BytesPerSecond{1});
                QVERIFY(close(cost.start.value, ring->steps()));
                QVERIFY(close(cost.seconds_per_byte * static_cast<double>(n), ring->busiest()));
            }
        }
    }

    /// 30, 31. Groups of a kind have each rank once, whatever the order of the axes, in which they keep their sizes;
    /// the tensor group lies in one node that it divides.
    void groups_partition_the_ranks() {
        std::mt19937 random(30);
        const auto power = [&] { return std::int64_t{1} << support::pick(random, 0, 2); };
        for (int k = 0; k < 200; ++k) {
            Mesh mesh{power(), power(), power(), power()};
            const Mesh usual = mesh;
            while (mesh.in_stage() % (2 * mesh.expert) == 0 && support::pick(random, 0, 1) == 1) mesh.expert *= 2;
            while (mesh.in_stage() % (2 * mesh.expert_ranks()) == 0 && support::pick(random, 0, 1) == 1)
                mesh.expert_tensor *= 2;
            if (mesh.expert_ranks() == 1) std::shuffle(mesh.order.begin(), mesh.order.end(), random);
            std::vector<RankGroup> groups;
            for (const MeshAxis axis : {MeshAxis::tensor, MeshAxis::context, MeshAxis::data, MeshAxis::pipeline}) {
                groups.push_back(mesh.group(axis));
                QCOMPARE(groups.back().ranks(), usual.group(axis).ranks());
            }
            groups.push_back(mesh.replicas_group());
            if (mesh.expert_ranks() > 1) {
                groups.push_back(mesh.expert_group());
                groups.push_back(mesh.group(MeshAxis::expert_tensor));
                groups.push_back(mesh.expert_data_group());
            }
            for (const RankGroup& g : groups) {
                // The first group, moved to every rank that no group has yet.
                std::set<std::int64_t> seen;
                for (std::int64_t rank = 0; rank < mesh.devices(); ++rank) {
                    if (seen.contains(rank)) continue;
                    for (std::int64_t a = 0; a < g.dimensions[0].count; ++a)
                        for (std::int64_t b = 0; b < g.dimensions[1].count; ++b) {
                            const std::int64_t member = rank + a * g.dimensions[0].stride + b * g.dimensions[1].stride;
                            QVERIFY(member < mesh.devices() && seen.insert(member).second);
                        }
                }
                QCOMPARE(static_cast<std::int64_t>(seen.size()), mesh.devices());
            }
            for (std::int64_t node = usual.tensor; node <= 8; node += usual.tensor) {
                LinkRates links;
                links.devices_per_node = node;
                QCOMPARE(reach_of(usual, MeshAxis::tensor, links).nodes, std::int64_t{1});
            }
        }
    }

    /// What the ways to divide layers lead to is sent, and no more than that where all readers need the same: piece by
    /// piece, for transformers and experts on tensor axes, by every policy.
    void divided_layers_send_what_others_lack() {
        std::mt19937 random(44);
        int equal = 0, more = 0;
        for (int k = 0; k < 60; ++k) {
            const std::int64_t t = std::int64_t{1} << support::pick(random, 1, 2);
            const auto network =
                k % 2 == 0 ? support::gpt(2, 64, 4, 64, k % 4 == 0) : support::mixture(2, 64, 4, 64, k % 3 == 0);
            Scenario s = support::scenario(network);
            support::set_mesh(s, 1, 1, t);
            s.training.batch = support::pick(random, 1, 9);
            s.cluster.devices_per_node = 8;
            s.parallelism.sequence = support::pick(random, 0, 1) == 1;
            s.parallelism.policy = k % 3 == 2 ? ShardingPolicy::best : ShardingPolicy::trainer;
            s.cluster.inside.bandwidth = gigabytes_per_second(support::real(random, 0.01, 100));
            const Answer a(s);
            const int n = static_cast<int>(t), size = network->size();
            struct Tensor {
                Placement made = Placement::whole;
                std::set<Placement> read;
                std::vector<Placement> gradients;
            };
            std::vector<Tensor> tensors(static_cast<std::size_t>(size));
            std::vector<double> forward(tensors.size()), backward(tensors.size());
            for (const LayerEstimate& row : a.e.layers) {
                const LayerFacts& f = network->facts()[static_cast<std::size_t>(row.position)];
                const bool loss = row.along == ShardAlong::vocabulary && f.weights == 0;
                const ShardingRow* way = row.along ? &sharding_row(*row.along) : nullptr;
                Tensor& own = tensors[static_cast<std::size_t>(row.position)];
                own.made = loss ? Placement::whole : way ? way->out : Placement::whole;
                if (f.division == Division::view || f.division == Division::source) continue;
                for (const int read : network->reads(row.position)) {
                    Tensor& other = tensors[static_cast<std::size_t>(read)];
                    other.read.insert(loss ? Placement::features : way ? way->in : Placement::whole);
                    other.gradients.push_back(loss ? Placement::features : way ? way->gradient : Placement::whole);
                }
            }
            const auto tensor = [&](int l) {
                return static_cast<double>(network->facts()[static_cast<std::size_t>(l)].out_elements) * 4 *
                       a.e.layers.front().samples;
            };
            for (const MessageEstimate& m : a.e.messages)
                if (m.axis == MeshAxis::tensor && !m.gradients && m.carries == Carried::output) {
                    double& sent = (m.forward ? forward : backward)[static_cast<std::size_t>(m.layers.front())];
                    const double all = tensor(m.layers.front());
                    sent += sent_by_all(m, all);
                }
            for (int l = 0; l < size; ++l) {
                const auto i = static_cast<std::size_t>(l);
                if (tensors[i].read.empty() || network->facts()[i].division == Division::source) continue;
                // A gradient that is there whole or as a part of what is needed is a summand on one rank alone.
                const bool wanted = a.plan.parts[0].work.gradient_needed[i] != 0;
                const std::set<Placement> back{of_gradient(tensors[i].made)};
                const int least_forward = sends({tensors[i].made}, tensors[i].read, n),
                          least_backward = wanted ? sends(tensors[i].gradients, back, n) : 0;
                const auto check = [&](double sent, int least, bool alike) {
                    if (alike) {
                        ++equal;
                        return close(sent, least);
                    }
                    ++more;
                    return sent >= least - 1e-6;
                };
                const std::set<Placement> left(tensors[i].gradients.begin(), tensors[i].gradients.end());
                const QString where = QString("case %1, layer %2: %3 and %4 sent, %5 and %6 lacked")
                                          .arg(k)
                                          .arg(QString::fromStdString(network->layers()[i].name))
                                          .arg(forward[i])
                                          .arg(backward[i])
                                          .arg(least_forward)
                                          .arg(least_backward);
                QVERIFY2(check(forward[i], least_forward, tensors[i].read.size() == 1), qPrintable(where));
                QVERIFY2(check(backward[i], least_backward, left.size() == 1), qPrintable(where));
            }
        }
        QVERIFY(equal > 1000 && more > 20);
    }
};

QTEST_APPLESS_MAIN(TestInvariantsMessages)
#include "tst_invariants_messages.moc"
