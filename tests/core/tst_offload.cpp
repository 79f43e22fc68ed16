// SPDX-License-Identifier: GPL-3.0-or-later
// Optimizer states and activations in the memory of the host: bytes, times, and what is left on the device.
#include <QtTest>
#include <numeric>
#include <random>

#include "core/estimate/block_borders.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/recompute.hpp"
#include "core/scenario/fields.hpp"
#include "support_any_mesh.hpp"
#include "support_explain_walk.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Answer, support::close;

namespace {

using enum RecomputeModule;

/// A transformer of four blocks on A100s, with a link to the host.
Scenario of_gpt(double host_gb_s) {
    Scenario s = support::scenario(support::gpt(4, 64, 4, 64, false));
    s.cluster.device = *support::library().catalogue.device("a100-sxm-80gb");
    s.cluster.host_link = gigabytes_per_second(host_gb_s);
    s.cluster.host_memory = gigabytes_per_second(50);
    s.training.precision = Precision::bf16;
    s.training.optimizer = Optimizer::adam;
    s.training.batch = 8;
    s.training.batch_rule = BatchRule::per_worker;
    support::set_mesh(s, 1, 1, 1);
    return s;
}
Scenario with_activations(Scenario s, Recompute what) {
    s.parallelism.offload_activations = what;
    return s;
}
Scenario with_states(Scenario s, double share) {
    s.parallelism.offload_states = Fraction{share};
    return s;
}

std::vector<const MessageEstimate*> copies_in(const Estimate& e, bool forward) {
    std::vector<const MessageEstimate*> all;
    for (const MessageEstimate& m : e.messages)
        if (m.message == Message::host_copy && m.forward == forward) all.push_back(&m);
    return all;
}
double bytes_of(const std::vector<const MessageEstimate*>& messages) {
    return std::accumulate(messages.begin(), messages.end(), 0.0, [](double sum, const MessageEstimate* m) {
        return sum + m->bytes.value * static_cast<double>(m->times);
    });
}
bool is_noted(const Estimate& e, std::string_view text) {
    return std::any_of(e.notes.begin(), e.notes.end(),
                       [&](const Problem& p) { return p.what.find(text) != std::string::npos; });
}

}  // namespace

class TestOffload : public QObject {
    Q_OBJECT

private slots:
    void devices_know_their_link_to_the_host() {
        const auto& catalogue = support::library().catalogue;
        const auto link = [&](const char* id) {
            return catalogue.device(id)->host_bandwidth.value_or(BytesPerSecond{});
        };
        QCOMPARE(link("a100-sxm-80gb").value, 31e9);  // PCIe 4.0 x16
        QCOMPARE(link("h100-sxm-80gb").value, 63e9);  // PCIe 5.0 x16
        QCOMPARE(link("gb200-192gb").value, 450e9);   // NVLink-C2C
    }

    /// Adam on one device: 28 bytes of the host's memory, a gradient and a weight of 2 bytes over the link.
    void states_by_hand() {
        const Answer none(of_gpt(25));
        const double parameters = none.e.memory.optimizer.value / 12;
        for (const double share : {0.25, 1.0}) {
            const Answer a(with_states(of_gpt(25), share));
            QVERIFY(close(a.e.memory.optimizer.value, 12 * (1 - share) * parameters));
            QVERIFY(close(a.e.memory.on_host.value, 12 * share * parameters));
            QVERIFY(close((none.e.memory.peak - a.e.memory.peak).value, 12 * share * parameters));
            const double on_hosts = parameters * share * (28 / 50e9 + 4 / 25e9);
            const Seconds launches = none.plan.device.launch * none.plan.parts[0].trained_layers,
                          own = (none.e.summary.update - launches) * (1 - share);
            QVERIFY(close((a.e.summary.update - launches - own).value, on_hosts));
            QVERIFY(close(a.e.summary.step.value,
                          (none.e.summary.step + a.e.summary.update - none.e.summary.update).value));
        }
        Scenario hidden = with_states(of_gpt(25), 1);
        hidden.model.host_overlap = Fraction{0.5};
        const Answer half(hidden), all(with_states(of_gpt(25), 1));
        QVERIFY(close((all.e.summary.update - half.e.summary.update).value, 0.5 * parameters * (28 / 50e9 + 4 / 25e9)));
    }

    /// A rank that keeps a quarter of the states has its host update a quarter of the parameters.
    void shards_of_states() {
        Scenario s = of_gpt(25);
        support::set_mesh(s, 4, 1, 1);
        s.parallelism.sharded = Sharded::optimizer;
        const Answer none(s), a(with_states(s, 1));
        const double parameters = none.e.memory.optimizer.value / 12;
        QVERIFY(close(a.e.memory.on_host.value, 12 * parameters));
        const Seconds launches = none.plan.device.launch * none.plan.parts[0].trained_layers;
        QVERIFY(close((a.e.summary.update - launches).value, parameters * (28 / 50e9 + 4 / 25e9)));
    }

    /// Blocks: all that their layers keep leaves, but for what layers outside of them keep too.
    void activations_of_blocks() {
        const Answer none(of_gpt(1000)), a(with_activations(of_gpt(1000), Recompute::blocks));
        const std::vector<int>& places = places_of_blocks(*a.scenario.network());
        double kept = 0, largest = 0;
        std::map<int, double> by_block;
        for (const KeptTensor& t : kept_tensors(none.plan, none.e))
            if (const int place = places[std::size_t(t.keeper)]; place >= 0)
                kept += t.bytes, by_block[place] += t.bytes;
        for (const auto& [place, bytes] : by_block) largest = std::max(largest, bytes);
        QCOMPARE(by_block.size(), std::size_t{4});
        QVERIFY(close((none.e.memory.activations - a.e.memory.activations).value, kept));
        QVERIFY(close(a.e.memory.on_host.value, kept));
        for (const bool forward : {true, false}) {
            QCOMPARE(copies_in(a.e, forward).size(), std::size_t{4});
            QVERIFY(close(bytes_of(copies_in(a.e, forward)), kept));
        }
        QVERIFY(a.e.memory.peak < none.e.memory.peak - Bytes{kept - 3 * largest});
        QCOMPARE(a.e.summary.step, none.e.summary.step);  // all of it hides
    }

    /// Each way, a block's copy hides behind the work of that block.
    void a_slow_link_is_waited_for() {
        const Answer none(of_gpt(1)), a(with_activations(of_gpt(1), Recompute::blocks));
        const std::vector<int>& places = places_of_blocks(*a.scenario.network());
        double waited = 0;
        for (const bool forward : {true, false})
            for (const MessageEstimate* m : copies_in(a.e, forward)) {
                const int place = places[std::size_t(m->first)];
                double work = 0;
                for (const LayerEstimate& row : none.e.layers)
                    if (places[std::size_t(row.position)] == place)
                        work += (forward ? row.forward : row.backward()).value;
                const double each = m->bytes.value / 1e9, exposed = std::max(0.0, each - work);
                QVERIFY(exposed > 0);
                QVERIFY(close(m->exposed.value, exposed));
                waited += exposed;
            }
        QVERIFY(close((a.e.summary.step - none.e.summary.step).value, waited));
    }

    /// Queries, keys and values wait for attention alone; its output is kept by the product behind it too.
    void a_tensor_that_others_keep_stays() {
        const Answer none(of_gpt(1000)), a(with_activations(of_gpt(1000), recompute_modules(bit_of(core_attn))));
        std::set<int> left;
        for (const KeptTensor& t : kept_tensors(a.plan, a.e))
            if (t.on_host && t.tensor >= 0) left.insert(t.tensor);
        double of_attention = 0;
        for (const KeptTensor& t : kept_tensors(none.plan, none.e)) {
            const LayerFacts& f = none.scenario.network()->facts()[std::size_t(t.keeper)];
            if (f.along(ShardAlong::heads) > 0 && (t.tensor < 0 || left.contains(t.tensor))) of_attention += t.bytes;
        }
        QVERIFY(of_attention > 0);
        QVERIFY(close(a.e.memory.on_host.value, of_attention));
        for (int l = 0; l < a.scenario.network()->size(); ++l)
            if (a.scenario.network()->facts()[std::size_t(l)].along(ShardAlong::heads) > 0) QVERIFY(!left.contains(l));
    }

    /// The function between the products of experts: what it reads and makes, which is a part of what the layer keeps.
    void a_part_of_a_layer() {
        Scenario s = of_gpt(1000);
        s.workload.front().network = support::mixture(2, 64, 4, 64, true);
        const Answer none(s), a(with_activations(s, recompute_modules(bit_of(moe_act)))),
            all(with_activations(s, recompute_modules(bit_of(moe))));
        double part = 0, within = 0;
        for (const LayerFacts& f : s.network()->facts())
            if (f.experts.count > 0)
                part += 2 * 8 * static_cast<double>(f.experts.activated), within += 2 * 8 * double(f.kept_elements);
        QVERIFY(part > 0);
        QVERIFY(close(a.e.memory.on_host.value, part));
        QVERIFY(close((none.e.memory.activations - a.e.memory.activations).value, part));
        QVERIFY(all.e.memory.on_host.value >= within);
        Scenario both = with_activations(s, recompute_modules(bit_of(moe_act)));
        both.parallelism.recompute = both.parallelism.offload_activations;
        QCOMPARE(Answer(both).e.memory.on_host.value, 0.0);  // computed again, it need not travel
    }

    /// Recomputed blocks keep their inputs, which the host takes.
    void inputs_of_recomputed_blocks() {
        Scenario s = of_gpt(1000);
        s.parallelism.recompute = Recompute::blocks;
        const Answer none(s), a(with_activations(s, Recompute::blocks));
        QVERIFY(a.e.memory.on_host.value > 0);
        QVERIFY(close((none.e.memory.activations - a.e.memory.activations).value, a.e.memory.on_host.value));
        QVERIFY(close(bytes_of(copies_in(a.e, true)), a.e.memory.on_host.value));
    }

    /// Every micro-batch's activations leave: the host holds as many of them as are on their way.
    void stages_hold_one_micro_batch() {
        Scenario s = of_gpt(1000);
        support::set_mesh(s, 1, 2, 1);
        s.training.batch = 16;
        s.parallelism.micro_batches = 8;
        s.parallelism.order = PipelineOrder::one_f_one_b;
        const Answer none(s), a(with_activations(s, Recompute::blocks));
        const StageEstimate &before = none.e.stages[0], &now = a.e.stages[0];
        QCOMPARE(before.in_flight, std::int64_t{2});
        QVERIFY(close((before.memory.activations - now.memory.activations).value, now.memory.on_host.value));
        double sent = 0;
        for (const MessageEstimate* m : copies_in(a.e, true))
            if (a.e.layers[std::size_t(m->first)].stage == 0) sent += m->bytes.value;
        QVERIFY(close(2 * sent, now.memory.on_host.value));
        QCOMPARE(a.e.summary.step, none.e.summary.step);
    }

    void without_a_link_nothing_leaves() {
        Scenario s = of_gpt(0);
        s.cluster.device.host_bandwidth.reset();
        const Answer none(s), a(with_activations(with_states(s, 1), Recompute::blocks));
        QCOMPARE(a.e.summary, none.e.summary);
        QCOMPARE(a.e.memory.peak, none.e.memory.peak);
        QVERIFY(is_noted(a.e, "link to the host"));
        QVERIFY(!is_noted(none.e, "link to the host"));
        const Answer missing(with_activations(of_gpt(10), recompute_modules(bit_of(moe))));
        QVERIFY(is_noted(missing.e, "no layers of moe"));
    }

    void words() {
        Scenario s = of_gpt(10);
        const auto& catalogue = support::library().catalogue;
        const Field& field = *find_field("parallelism.offload_activations");
        for (const char* word : {"nothing", "blocks", "core_attn+mlp"}) {
            QVERIFY(set_field(s, field, word, catalogue).has_value());
            QCOMPARE(field_text(field, s), std::string(word));
        }
        for (const char* word : {"attention", "uniform", "attn"})
            QVERIFY2(!set_field(s, field, word, catalogue).has_value(), word);
    }

    /// Every page tells how it comes to its figure.
    void pages() {
        Scenario s = of_gpt(2);
        s.workload.front().network = *support::library().network("vit-b-16");
        s.cluster.device.price_per_hour = 2;
        const Scenario plain = s;
        const auto walk = [](const Scenario& of, const char* name) {
            support::explained::Walk w(of);
            QVERIFY2(w.feasible, name);
            w.all();
            if (!w.wrong.isEmpty()) QFAIL(qPrintable(QLatin1String(name) + '\n' + w.wrong.join('\n')));
        };
        walk(with_activations(with_states(s, 0.5), Recompute::blocks), "one device");
        s.parallelism.recompute = Recompute::blocks;
        support::set_mesh(s, 2, 2, 2);
        s.parallelism.micro_batches = 4;
        s.parallelism.sharded = Sharded::weights;
        s.cluster.host_link = gigabytes_per_second(20);
        walk(with_activations(with_states(s, 1), Recompute::blocks), "stages");
        s = plain;
        s.model.overlap_memory = true;
        s.model.host_overlap = Fraction{0.25};
        s.training.accumulation = 2;
        walk(with_activations(with_states(s, 0.25), recompute_modules(bit_of(core_attn) | bit_of(mlp))), "modules");
        s = plain;
        s.workload.front().network = support::mixture(2, 64, 4, 64, true);
        walk(with_activations(s, recompute_modules(bit_of(moe_act))), "experts");
    }

    /// No step takes less time or more memory for it.
    void random_meshes() {
        std::mt19937 random(7);
        int offloaded = 0, moved = 0;
        for (int i = 0; i < (support::sanitized ? 60 : 600); ++i) {
            Scenario s = support::any_mesh(random), without = s;
            without.parallelism.offload_activations = Recompute::nothing;
            const auto a = estimate(s), b = estimate(without);
            QCOMPARE(a.has_value(), b.has_value());
            if (!a) continue;
            const QByteArray at = "case " + QByteArray::number(i);
            // Automatic stages may begin elsewhere where more of them fit.
            const auto same_stages = [](const LayerRun& x, const LayerRun& y) { return x.to == y.to; };
            if (std::equal(a->runs.begin(), a->runs.end(), b->runs.begin(), b->runs.end(), same_stages))
                QVERIFY2(a->summary.step.value >= b->summary.step.value * (1 - 1e-9), at);
            else
                ++moved;
            // Recomputed tensors count as there for all of the block whose others wait on the host.
            if (s.parallelism.recompute == Recompute::nothing)
                QVERIFY2(a->memory.peak.value <= b->memory.peak.value * (1 + 1e-9), at);
            if (a->memory.on_host <= b->memory.on_host) continue;
            ++offloaded;
        }
        QVERIFY(moved < 30);
        QVERIFY(offloaded > (support::sanitized ? 5 : 60));
    }
};

QTEST_GUILESS_MAIN(TestOffload)
#include "tst_offload.moc"
