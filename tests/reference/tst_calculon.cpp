// SPDX-License-Identifier: GPL-3.0-or-later
// Layer by layer against Calculon: 61 runs, 1,320 of its layers (tests/data/parallel). What both define alike is equal;
// everything else differs by a closed form, which is checked too.
#include <QtTest>
#include <cmath>
#include <map>
#include <set>

#include "support_calculon.hpp"
#include "support_parallel.hpp"

using namespace scalescope;
using calculon::Estimated, calculon::Row, calculon::Sizes;

namespace {

enum { forward, inputs, weights, passes };
/// FLOPs and bytes of the three passes.
struct Amounts {
    std::array<double, passes> flops{}, bytes{};
    Amounts& operator+=(const Amounts& o) {
        for (std::size_t p = 0; p < passes; ++p) flops[p] += o.flops[p], bytes[p] += o.bytes[p];
        return *this;
    }
};

/// What a rank does of a layer for one micro-batch, as it is priced.
Amounts ours(const Estimated& run, const char* name) {
    const LayerEstimate& row = run.layer(name);
    const auto l = static_cast<std::size_t>(row.position);
    Amounts a;
    for (std::size_t p = 0; p < passes; ++p) {
        const PassWork& w = run.work().pass[p];
        a.flops[p] = w.flops[l] * row.shares.flops * row.samples;
        a.bytes[p] = (w.inputs[l] * row.shares.inputs + w.outputs[l] * row.shares.outputs) * row.samples +
                     w.weights[l] * row.shares.weights;
    }
    return a;
}

Amounts theirs(const Row& row) {
    return {{row.number("fw_flops"), row.number("agrad_flops"), row.number("wgrad_flops")},
            {row.number("fw_mem_accessed"), row.number("agrad_mem_accessed"), row.number("wgrad_mem_accessed")}};
}

/// One or several of Calculon's layers, ours that do the same, and what Calculon counts more.
struct Pair {
    std::set<std::string> theirs;
    std::vector<const char*> ours;
    const char* why;  ///< they differ; empty: they agree
    Amounts (*more)(const Sizes& s);
};

/// Products whose messages Calculon sends piece by piece while they compute (QKV_AG, MLP_RS): forward they are like any
/// other; backward they read and write other tensors. `in` and `out` elements.
Amounts gathered_in_pieces(const Sizes& s, double out) {
    const double more = s.sequence ? -2 * (s.whole - s.rank) : -2 * out;
    return {{}, {0, more, more}};
}
Amounts scattered_in_pieces(const Sizes& s, double in) {
    const double t = static_cast<double>(s.tensor), more = s.sequence ? -2 * s.whole * (1 - 2 / t) : 2 * (s.whole - in);
    return {{}, {0, more, more}};
}

const char* const sums = "sums of the gradients of one tensor's readers count with those readers' messages, if any";
const char* const buffers = "what a message reads, writes and adds is part of its price";
const char* const small = "FLOPs of all but products are not priced";
const char* const pieces = "products whose messages travel in pieces meanwhile: there is no such mode";
const char* const nothing = "";

const std::vector<Pair>& pairs() {
    static const std::vector<Pair> all{
        {{"AttnBlock_Fork"},
         {},
         sums,
         [](const Sizes& s) -> Amounts {
             return {{0, 2 * s.rank}, {0, 6 * s.rank}};
         }},
        {{"MlpBlock_Fork"},
         {},
         sums,
         [](const Sizes& s) -> Amounts {
             return {{0, 2 * s.rank}, {0, 6 * s.rank}};
         }},
        {{"AttnBlock_Multihead_Fork"},
         {},
         sums,
         [](const Sizes& s) -> Amounts {
             return {{0, 3 * s.whole}, {0, 8 * s.whole}};
         }},
        // The norm's weights (2 for each feature) are read; three of its backward tensors are counted twice.
        {{"AttnBlock_LayerNorm"},
         {"norm"},
         small,
         [](const Sizes& s) -> Amounts {
             const double w = 4 * static_cast<double>(s.hidden);
             return {{9 * s.rank, 14 * s.rank, 7 * s.rank}, {w, w - 2 * s.rank, w + 4 * s.rank}};
         }},
        {{"MlpBlock_LayerNorm"},
         {"norm2"},
         small,
         [](const Sizes& s) -> Amounts {
             const double w = 4 * static_cast<double>(s.hidden);
             return {{9 * s.rank, 14 * s.rank, 7 * s.rank}, {w, w - 2 * s.rank, w + 4 * s.rank}};
         }},
        {{"AttnBlock_F", "MlpBlock_F"},
         {},
         buffers,
         [](const Sizes& s) -> Amounts {
             if (s.tensor == 1) return {};
             const double twice = 2 * 4 * s.whole;
             return {{0, 2 * (s.whole - s.of_tensor(s.whole))}, {s.sequence ? twice : 0, twice}};
         }},
        {{"AttnBlock_G", "MlpBlock_G"},
         {},
         buffers,
         [](const Sizes& s) -> Amounts {
             if (s.tensor == 1) return {};
             const double twice = 2 * 4 * s.whole;
             return {{2 * (s.whole - s.of_tensor(s.whole))}, {twice, s.sequence ? twice : 0}};
         }},
        {{"AttnBlock_Query"}, {"query"}, nothing, nullptr},
        {{"AttnBlock_Key"}, {"key"}, nothing, nullptr},
        {{"AttnBlock_Value"}, {"value"}, nothing, nullptr},
        {{"AttnBlock_MLP"}, {"projection"}, nothing, nullptr},
        {{"MlpBlock_Mlp1"}, {"up"}, nothing, nullptr},
        {{"MlpBlock_Mlp2"}, {"down"}, nothing, nullptr},
        // One product instead of three: its input is read once.
        {{"AttnBlock_QKV_AG"},
         {"query", "key", "value"},
         pieces,
         [](const Sizes& s) {
             Amounts a = gathered_in_pieces(s, s.queries + 2 * s.keys);
             for (double& bytes : a.bytes) bytes -= 4 * s.whole;
             return a;
         }},
        // Of one head of keys Calculon gathers the input for the queries alone.
        {{"AttnBlock_Query_AG"}, {"query"}, pieces, [](const Sizes& s) { return gathered_in_pieces(s, s.queries); }},
        {{"AttnBlock_KV_Fork"},
         {},
         sums,
         [](const Sizes& s) -> Amounts {
             return {{0, 2 * s.whole}, {0, 6 * s.whole}};
         }},
        {{"MlpBlock_Mlp1_AG"}, {"up"}, pieces, [](const Sizes& s) { return gathered_in_pieces(s, s.middle); }},
        {{"AttnBlock_MLP_RS"},
         {"projection"},
         pieces,
         [](const Sizes& s) { return scattered_in_pieces(s, s.queries); }},
        {{"MlpBlock_Mlp2_RS"}, {"down"}, pieces, [](const Sizes& s) { return scattered_in_pieces(s, s.middle); }},
        // Backward Calculon moves what forward does. Keys and values that heads share count once for each head.
        {{"AttnBlock_Multihead_Key_Query", "AttnBlock_Multihead_SoftMax", "AttnBlock_Multihead_Attn"},
         {"attention"},
         small,
         [](const Sizes& s) -> Amounts {
             return {{5 * s.scores, 8 * s.scores}, {4 * (s.queries - s.keys), -8 * s.keys - 6 * s.scores}};
         }},
        {{"AttnBlock_Multihead_DropOut"},
         {},
         "our attention has no dropout",
         [](const Sizes& s) -> Amounts {
             return {{s.scores, s.scores}, {5 * s.scores, 5 * s.scores}};
         }},
        // The mask is written and read, a byte each.
        {{"AttnBlock_DropOut"},
         {"dropout"},
         small,
         [](const Sizes& s) -> Amounts {
             return {{s.rank, s.rank}, {s.rank, s.rank}};
         }},
        {{"MlpBlock_DropOut"},
         {"dropout2"},
         small,
         [](const Sizes& s) -> Amounts {
             return {{s.rank, s.rank}, {s.rank, s.rank}};
         }},
        // Backward the gradient is handed on without a copy.
        {{"AttnBlock_Residual"},
         {"sum"},
         small,
         [](const Sizes& s) -> Amounts {
             return {{s.rank, 2 * s.rank}, {0, 6 * s.rank}};
         }},
        {{"MlpBlock_Residual"},
         {"sum2"},
         small,
         [](const Sizes& s) -> Amounts {
             return {{s.rank, 2 * s.rank}, {0, 6 * s.rank}};
         }},
        // Input and gradient are read, a gradient is written; Calculon has one tensor less.
        {{"MlpBlock_GeLU"},
         {"gelu"},
         small,
         [](const Sizes& s) -> Amounts {
             return {{8 * s.middle, 13 * s.middle}, {0, -2 * s.middle}};
         }},
    };
    return all;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

}  // namespace

class TestCalculon : public QObject {
    Q_OBJECT

    std::map<std::string, std::vector<Row>> layers_;  ///< by run

private slots:
    void initTestCase() {
        const auto csv = support::parallel_csv("calculon_layers.csv");
        QCOMPARE(csv.rows.size(), std::size_t{1320});
        for (const Row& row : csv.rows) layers_[row["run_id"]].push_back(row);
        QCOMPARE(layers_.size(), std::size_t{61});
    }

    void layers() {
        std::set<std::string> seen;
        int compared = 0, agreed = 0;
        for (const auto& [id, rows] : layers_) {
            const Estimated run(calculon::run_called(id));
            for (const Pair& pair : pairs()) {
                Amounts them;
                int found = 0;
                for (const Row& row : rows)
                    if (pair.theirs.contains(row["name"])) {
                        them += theirs(row);
                        seen.insert(row["name"]);
                        ++found;
                    }
                if (found == 0) continue;
                compared += found;
                Amounts us;
                for (const char* name : pair.ours) us += ours(run, name);
                Amounts more;
                if (pair.more != nullptr) more = pair.more(run.sizes);
                QCOMPARE(pair.more == nullptr, std::string(pair.why).empty());
                agreed += pair.more == nullptr ? found : 0;
                us += more;
                for (std::size_t p = 0; p < passes; ++p)
                    QVERIFY2(close(us.flops[p], them.flops[p]) && close(us.bytes[p], them.bytes[p]),
                             qPrintable(QString("run %1, %2, pass %3: %4 FLOPs, Calculon %5; %6 bytes, Calculon %7")
                                            .arg(id.c_str(), pair.theirs.begin()->c_str())
                                            .arg(p)
                                            .arg(us.flops[p], 0, 'g', 12)
                                            .arg(them.flops[p], 0, 'g', 12)
                                            .arg(us.bytes[p], 0, 'g', 12)
                                            .arg(them.bytes[p], 0, 'g', 12)));
            }
        }
        for (const Pair& pair : pairs())
            for (const std::string& name : pair.theirs) QVERIFY2(seen.contains(name), name.c_str());
        QCOMPARE(compared, 1320);
        QCOMPARE(agreed, 242);
    }

    /// Products, at the peaks that Calculon grants an operation of that size, take as long.
    void times_of_products() {
        int compared = 0;
        for (const auto& [id, rows] : layers_) {
            const Row& run = calculon::run_called(id);
            const std::string& system = run["system"];
            for (const Row& row : rows)
                for (const char* pass : {"fw", "agrad", "wgrad"}) {
                    const auto is = [&](const char* column) { return row.number(std::string(pass) + column); };
                    const auto& name = row["name"];
                    const bool in_pieces = name.ends_with("_AG") || name.ends_with("_RS");
                    if (row.number("weight") == 0 || name.ends_with("LayerNorm") || in_pieces) continue;
                    DeviceRates rates;
                    rates.arithmetic =
                        teraflops(calculon::figure(system, "matrix.float16.tflops") *
                                  calculon::granted(system, "matrix.float16.gflops_efficiency", is("_flops") / 1e9));
                    rates.memory = gigabytes_per_second(
                        calculon::figure(system, "mem1.GBps") *
                        calculon::granted(system, "mem1.MB_efficiency", is("_mem_accessed") / 1e6));
                    const double seconds = rates.price(Flops{is("_flops")}, Bytes{is("_mem_accessed")}).value;
                    QVERIFY2(std::abs(seconds / is("_processing_time") - 1) < 1e-6, row.where().c_str());
                    ++compared;
                }
        }
        QCOMPARE(compared, 726);
    }

    /// Weights, and the three fp32 copies of the optimizer, divided where they are sharded.
    void weights() {
        for (const auto& [id, rows] : layers_) {
            const Estimated run(calculon::run_called(id));
            double weight = 0, optimizer = 0, flops = 0, moved = 0;
            for (const Row& row : rows) {
                weight += row.number("weight");
                optimizer += row.number("optimizer");
                flops += row.number("optim_flops");
                moved += row.number("optim_mem_accessed");
            }
            double own = 0, parameters = 0;
            for (const LayerEstimate* row : run.block()) {
                const auto l = static_cast<std::size_t>(row->position);
                own += run.work().weight_bytes[l] * row->shares.weights;
                parameters += run.work().trained[l] * row->shares.weights / run.e.states.of_optimizer();
            }
            QVERIFY2(close(own, weight), id.c_str());
            QVERIFY2(close(parameters * run.plan.update.state_bytes, optimizer), id.c_str());
            // Calculon has a FLOP less for each parameter, and moves 12 bytes: states are not read and written both.
            QVERIFY2(close(parameters * (run.plan.update.flops - 1), flops), id.c_str());
            QVERIFY2(close(parameters * (run.plan.update.bytes - 16), moved), id.c_str());
        }
    }

    /// Number and bytes of all messages along the tensor axis, by pass.
    void messages() {
        int differ = 0;
        for (const auto& [id, rows] : layers_) {
            const Estimated run(calculon::run_called(id));
            const Sizes& s = run.sizes;
            double forward = 0, backward = 0, again = 0;
            int there = 0, back = 0;
            for (const Row& row : rows) {
                there += row.number("baseblock_fw_tp_comm_size") > 0;
                back += row.number("baseblock_bw_tp_comm_size") > 0;
                forward += row.number("baseblock_fw_tp_comm_size");
                backward += row.number("baseblock_bw_tp_comm_size");
                again += row.number("baseblock_recomm_size");
            }
            const double one = 2 * s.whole;
            QCOMPARE(run.messages(true), there);
            QCOMPARE(run.messages(false), back);
            QVERIFY2(close(run.sent(true), forward), id.c_str());
            QVERIFY2(close(run.sent(false), backward), id.c_str());
            // Megatron-LM gathers the inputs of both pairs of products again, as Calculon does of "seq_par_ag_redo". Of
            // selective recomputation alone it gathers that of the attention's products, and otherwise none.
            const double kept = !s.sequence || s.gathers_again ? 0
                                : s.recompute == "attn_only"   ? one
                                                               : 2 * one,
                         more = -kept;
            differ += more != 0;
            const double resent = run.sent(false, true);
            QVERIFY2(close(resent + more, again),
                     qPrintable(QString("run %1: %2 again, Calculon %3").arg(id.c_str()).arg(resent).arg(again)));
        }
        QCOMPARE(differ, 14);
    }
};

QTEST_APPLESS_MAIN(TestCalculon)
#include "tst_calculon.moc"
