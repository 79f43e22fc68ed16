// SPDX-License-Identifier: GPL-3.0-or-later
// Messages, memory and times of 3,359 runs of Calculon (tests/data/parallel), each estimated on its mesh. What both
// define alike is equal; everything else differs by a closed form, which is checked too.
#include <QtTest>
#include <cmath>
#include <map>

#include "core/pricing/collectives.hpp"
#include "core/schedule/pipeline_order.hpp"
#include "support_calculon.hpp"

using namespace scalescope;
using calculon::Estimated, calculon::Row, calculon::Sizes;

namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b)); }

double of_block(const Estimated& run, const std::vector<double>& bytes) {
    double sum = 0;
    for (const LayerEstimate* row : run.block())
        sum += bytes[static_cast<std::size_t>(row->position)] * row->shares.weights;
    return sum;
}

/// Bytes that wait for the backward pass, of a block and one micro-batch.
double kept(const Estimated& run) {
    double sum = 0;
    for (const LayerEstimate* row : run.block()) sum += row->kept.value / row->kept_samples * row->samples;
    return sum;
}

/// Micro-batches that the first device holds at once, in units of all its blocks.
double in_flight(const Estimated& run) {
    if (run.e.stages.empty()) return 1;
    return static_cast<double>(run.e.stages[0].in_flight) /
           static_cast<double>(run.sizes.interleaves() ? run.sizes.chunks : 1);
}

double bytes_at_border(const Estimated& run) {
    for (const MessageEstimate& m : run.e.messages)
        if (m.when == When::at_border && m.forward) return m.bytes.value;
    return 0;
}

double gradients_of_block(const Estimated& run) {
    return run.sizes.data > 1 ? of_block(run, run.work().gradient_bytes) : 0;
}

double blocks(const Sizes& s) { return static_cast<double>(s.blocks_of_stage()); }

/// A figure of Calculon, ours, and what Calculon counts more. Sums over a stage are those of the first one.
struct Term {
    const char* column;
    double (*ours)(const Estimated&);
    struct Difference {
        const char* why;
        double (*more)(const Estimated&);
    };
    std::vector<Difference> differences;
};

const std::vector<Term>& terms() {
    static const std::vector<Term> all{
        {"block_fw_flops",
         [](const Estimated& run) {
             double sum = 0;
             for (const LayerEstimate* row : run.block())
                 sum += run.work().pass[0].flops[static_cast<std::size_t>(row->position)] * row->shares.flops *
                        row->samples;
             return sum;
         },
         {{"FLOPs of norms, dropout, sums and the activation are not priced",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               return 2 * (9 + 1 + 1) * s.rank + (5 + 1) * s.scores + 8 * s.middle;
           }},
          {"nor those of adding up what messages bring",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               return s.split ? 0 : 2 * (s.whole - s.of_tensor(s.whole));
           }}}},
        {"baseblock_fw_tp_size", [](const Estimated& run) { return run.sent(true); }, {}},
        {"block_fw_pp_size",
         bytes_at_border,
         {{"Megatron-LM's scatter and gather at a border is not modelled",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               const bool scattered = !s.sequence && s.pieces_at_border && s.pipeline > 1;
               return scattered ? 2 * (s.of_tensor(s.whole) - s.whole) : 0;
           }}}},
        {"block_dp_size", gradients_of_block, {}},
        {"block_weight_space", [](const Estimated& run) { return of_block(run, run.work().weight_bytes); }, {}},
        {"weight_space", [](const Estimated& run) { return run.e.memory.weights.value; }, {}},
        {"optimizer_space", [](const Estimated& run) { return run.e.memory.optimizer.value; }, {}},
        {"weight_grad_space",
         [](const Estimated& run) { return run.e.memory.gradients.value; },
         {{"Calculon keeps the gradients of one block in fp32",
           [](const Estimated& run) { return of_block(run, run.work().weight_bytes); }},
          {"and divides those of the others where the optimizer is sharded, as ZeRO's stage 2 does",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               const double others = (blocks(s) - 1) * of_block(run, run.work().weight_bytes);
               return s.sharded ? others * (1 / static_cast<double>(s.data) - 1) : 0;
           }}}},
        {"block_act_storage_space",
         [](const Estimated& run) { return run.sizes.recompute == "full" ? 0 : kept(run); },
         {{"our attention has no dropout",
           [](const Estimated& run) { return run.sizes.recompute == "none" ? 3 * run.sizes.scores : 0; }},
          {"keys and values that heads share count once for each head",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               return s.recompute == "full" ? 0 : 4 * (s.queries - s.keys);
           }},
          {"statistics of norms are not in Calculon",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               return s.recompute == "full" ? 0 : -8 * s.rank / static_cast<double>(s.hidden);
           }},
          {"fused activations are computed again",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               return s.fused && s.recompute != "full" ? -2 * s.middle : 0;
           }},
          {"with sequence parallelism Calculon keeps what was gathered beside a rank's part",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               return s.sequence && s.recompute != "full" ? 4 * s.whole : 0;
           }},
          {"selective recomputation begins before the products of queries, keys and values",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               return s.recompute == "attn_only" && !s.split ? -2 * s.whole : 0;
           }},
          {"what is gathered again in the backward pass is not kept",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               if (!s.gathers_again || s.split || s.recompute == "full") return 0.0;
               return s.recompute == "none" ? -4 * s.whole : -2 * s.whole;
           }},
          {"where messages travel in pieces beside products, inputs of these are not kept whole",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               if (!s.split || s.recompute == "full") return 0.0;
               return s.sequence ? -4 * s.whole : -2 * s.queries - 2 * s.middle;
           }},
          {"but for that of one head of keys and values, unless it is gathered again",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               const bool kept_whole = s.split && s.multiquery && s.tensor > 1 && s.recompute == "none";
               return kept_whole && !(s.sequence && s.gathers_again) ? 2 * s.whole : 0;
           }}}},
        {"block_act_checkpoint_size",
         [](const Estimated& run) { return run.sizes.recompute == "full" ? kept(run) : 0; },
         {{"Calculon keeps the whole input of a block, also where a rank has a part of it",
           [](const Estimated& run) {
               const Sizes& s = run.sizes;
               return s.recompute == "full" ? 2 * (s.whole - s.rank) : 0;
           }}}},
    };
    return all;
}

/// A network of Calculon's system.
struct Net {
    std::string system;
    std::string at;
    Net(const Row& row, const char* axis)
        : system(row["system"]), at("networks[" + row[std::string(axis) + "_par_net"] + "].") {}
    double figure(const std::string& name) const { return calculon::figure(system, at + name); }
    Seconds latency() const { return Seconds{figure("latency")}; }
    BytesPerSecond reached() const { return gigabytes_per_second(figure("bandwidth") * figure("efficiency")); }
    /// A collective of `ranks` as Scalescope prices it on this network, with what Calculon has otherwise: one start-up
    /// time, and bytes that its system file scales.
    double seconds(Message message, const char* operation, std::int64_t ranks, double bytes) const {
        if (ranks <= 1) return 0;
        const LinearCost ours = flat_cost(message, Collective::ring, ranks, latency(), reached());
        const std::string op = std::string("ops.") + operation;
        const double n = static_cast<double>(ranks), factor = figure(op + "[0]") * (1 + figure(op + "[1]") / n),
                     ring = message == Message::point_to_point ? 1
                            : message == Message::all_reduce   ? 2 * (n - 1) / n
                                                               : (n - 1) / n,
                     starts = message == Message::point_to_point ? 1
                              : message == Message::all_reduce   ? 2 * (n - 1)
                                                                 : n - 1;
        return ours.start.value / starts + ours.seconds_per_byte * bytes * factor / ring;
    }
};

}  // namespace

class TestCalculonRuns : public QObject {
    Q_OBJECT

private slots:
    void terms_of_all_runs() {
        QCOMPARE(calculon::runs().rows.size(), std::size_t{3359});
        std::map<std::string, int> apart;
        int compared = 0;
        for (const Row& row : calculon::runs().rows) {
            const Estimated run(row);
            ++compared;
            for (const Term& term : terms()) {
                double found = term.ours(run);
                for (const Term::Difference& d : term.differences) {
                    const double more = d.more(run);
                    found += more;
                    apart[d.why] += more != 0;
                }
                const QString say = QString("%1: %2, Calculon %3: %4")
                                        .arg(term.column)
                                        .arg(found, 0, 'g', 12)
                                        .arg(row.number(term.column), 0, 'g', 12)
                                        .arg(row.where().c_str());
                QVERIFY2(close(found, row.number(term.column)), qPrintable(say));
            }
            // Calculon's last block has its working set, all others what they keep for the backward pass.
            if (run.sizes.chunks > 1 && !run.sizes.interleaves()) {
                ++apart["chunks of unlike numbers of blocks, or micro-batches that do not fill groups"];
                continue;
            }
            double held = in_flight(run) * blocks(run.sizes);
            if (run.sizes.chunks > 1 && run.sizes.micro_batches == run.sizes.pipeline) {
                // All there are are on their way, and Calculon counts those of a longer step.
                ++apart["more chunks are counted than there are"];
                QVERIFY(in_flight(run) == static_cast<double>(run.sizes.pipeline));
                held += static_cast<double>((run.sizes.pipeline - 1) * run.sizes.blocks_of_stage()) /
                        static_cast<double>(run.sizes.chunks);
            }
            const double store = row.number("block_act_storage_space"),
                         checkpoint = row.number("block_act_checkpoint_size");
            QVERIFY2(close(row.number("block_act_working_space") + (store > 0 ? (held - 1) * store : 0),
                           row.number("act_space")) &&
                         close(held * checkpoint, row.number("act_checkpoint_size")),
                     row.where().c_str());
        }
        for (const auto& [why, rows] : apart) QVERIFY2(rows > 0, why.c_str());
        QCOMPARE(compared, 3359);
    }

    /// What stages send each other, and replicas.
    void times_of_messages() {
        for (const Row& row : calculon::runs().rows) {
            const Sizes s(row);
            const Net pipeline(row, "pipeline"), data(row, "data"), tensor(row, "tensor");
            const double border = pipeline.seconds(Message::point_to_point, "p2p", s.pipeline,
                                                   row.number("block_fw_pp_size")),
                         gradients = row.number("block_dp_size");
            QVERIFY2(
                close(2 * border * static_cast<double>(s.micro_batches * s.chunks), row.number("pp_comm_link_time")),
                row.where().c_str());
            const double reduce = s.sharded
                                      ? data.seconds(Message::reduce_scatter, "reduce_scatter", s.data, gradients) +
                                            data.seconds(Message::all_gather, "all_gather", s.data, gradients)
                                      : data.seconds(Message::all_reduce, "all_reduce", s.data, gradients);
            QVERIFY2(close(blocks(s) * reduce, row.number("dp_comm_link_time")), row.where().c_str());
            if (s.split || s.tensor == 1) continue;
            // Of a message within a block Calculon adds what its ends read, write and add.
            const double bytes = 2 * s.whole, added = s.whole - s.of_tensor(s.whole);
            double seconds = 0;
            if (s.sequence)
                seconds = tensor.seconds(Message::all_gather, "all_gather", s.tensor, bytes) +
                          tensor.seconds(Message::reduce_scatter, "reduce_scatter", s.tensor, bytes) +
                          calculon::small_operation(row["system"], 0, 2 * bytes);
            else
                seconds = tensor.seconds(Message::all_reduce, "all_reduce", s.tensor, bytes);
            seconds += calculon::small_operation(row["system"], added, 2 * bytes);
            QVERIFY2(close(2 * seconds, row.number("baseblock_fw_tp_time")), row.where().c_str());
        }
    }

    /// Idle time of a pipeline whose messages take no time, stepped through; those of a micro-batch that goes through
    /// all other stages and back Calculon adds.
    void bubbles() {
        int compared = 0;
        PipelineRun run;
        for (const Row& row : calculon::runs().rows) {
            const Sizes s(row);
            if (s.tensor > 1 || s.pipeline == 1 || s.blocks % (s.pipeline * s.chunks) != 0 ||
                s.micro_batches % s.pipeline != 0)
                continue;
            const PipelineShape shape{static_cast<int>(s.pipeline), static_cast<int>(s.chunks), s.micro_batches,
                                      s.pipeline};
            const double chunk = blocks(s) / static_cast<double>(s.chunks), there = chunk * row.number("block_fw_time"),
                         back = chunk * (row.number("block_re_time") + row.number("block_agrad_time") +
                                         row.number("block_wgrad_time"));
            const std::vector<double> forward(static_cast<std::size_t>(shape.stages()), there),
                backward(static_cast<std::size_t>(shape.stages()), back);
            run_pipeline(s.chunks > 1 ? PipelineOrder::interleaved : PipelineOrder::one_f_one_b, shape,
                         {forward, backward, {}, {}, {}}, false, run);
            const double message = Net(row, "pipeline")
                                       .seconds(Message::point_to_point, "p2p", 2, row.number("block_fw_pp_size")),
                         work = static_cast<double>(s.micro_batches * s.chunks) * (there + back);
            QVERIFY2(close(run.makespan.value - work + static_cast<double>(s.pipeline - 1) * 2 * message,
                           row.number("bubble_time")),
                     row.where().c_str());
            ++compared;
        }
        QCOMPARE(compared, 351);
    }
};

QTEST_APPLESS_MAIN(TestCalculonRuns)
#include "tst_calculon_runs.moc"
