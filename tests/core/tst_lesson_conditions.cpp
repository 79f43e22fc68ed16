// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions and assertions: names, their values worked out by hand, and how far a condition is.
#include <QtTest>
#include <set>

#include "core/compare/key_values.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/lessons/beginning.hpp"
#include "core/lessons/judge.hpp"
#include "core/scenario/fields.hpp"
#include "core/search/metrics.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::lessons;

namespace {

struct Worked {
    Scenario scenario;
    Estimate estimate_of_it;
    Design design() const { return {&scenario, &estimate_of_it}; }
};

Worked work(const std::string& preset, const Changes& changes = {}) {
    Worked w;
    w.scenario = changed(*scenario_of(Beginning{preset, {}}, support::library()), changes, support::library()).value();
    w.estimate_of_it = estimate(w.scenario).value();
    return w;
}

Judge judge_of(const char* text) { return Judge::make(text, support::library().catalogue).value(); }

double value_of(const char* text, const Worked& w, const Surroundings& around = {}) {
    const auto value = judge_of(text).value(w.design(), around);
    return value ? *value : std::nan("");
}

}  // namespace

class LessonConditions : public QObject {
    Q_OBJECT
private slots:
    void figures_are_those_of_the_estimate() {
        const Worked w = work("example");
        const Summary& s = w.estimate_of_it.summary;
        QCOMPARE(value_of("step", w), s.step.value * 1e3);
        QCOMPARE(value_of("communication", w), s.communication.value * 1e3);
        QCOMPARE(value_of("communication_share", w), s.communication / s.step * 100.0);
        QCOMPARE(value_of("efficiency", w), w.estimate_of_it.efficiency * 100);
        QCOMPARE(value_of("memory", w), w.estimate_of_it.memory.peak.value / 1e9);
        QCOMPARE(value_of("cluster.workers", w), 32.0);
        QCOMPARE(value_of("model.compute", w), 62.0);
        QCOMPARE(value_of("model.overlap_memory", w), 0.0);
        QCOMPARE(value_of("batch", w), 4096.0);
        QCOMPARE(value_of("batch_per_worker", w), 128.0);
        QCOMPARE(value_of("steps_per_epoch", w), 1281167.0 / 4096.0);
        // fc6 is 5 × 5 × 256 → 4,096: its weights, and three products of 128 samples.
        QCOMPARE(value_of("layer.fc6.parameters * 1000000", w), 5.0 * 5 * 256 * 4096 + 4096);
        QCOMPARE(value_of("layer.fc6.flops", w), 3 * 2 * 5.0 * 5 * 256 * 4096 * 128 / 1e9);
        QCOMPARE(value_of("layer.fc6.intensity", w), value_of("layer.fc6.flops / layer.fc6.traffic", w));
        // Gradients of four bytes for each weight, in one message.
        QCOMPARE(value_of("message_megabytes", w), value_of("parameters * 4", w));
        QVERIFY(std::abs(value_of("total.forward - forward", w)) < 1e-9);
    }

    /// The busiest of 128 workers has two of 129 samples and never waits; together they have room for 256.
    void idle_share_is_of_all_together() {
        const Worked w =
            work("example", {{"training.batch_rule", "total"}, {"training.batch", "129"}, {"cluster.workers", "128"}});
        QCOMPARE(value_of("idle", w), 0.0);
        QCOMPARE(value_of("idle_share", w), 100.0 * (1 - 129.0 / 256));
    }

    void parts_of_memory_add_up() {
        const Worked w = work("llama-3-8b-h100");
        QVERIFY(std::abs(value_of("weights_memory + gradients_memory + optimizer_memory + activations_memory + "
                                  "logits_memory + other_memory - memory",
                                  w)) < 1e-9);
        QVERIFY(value_of("logits_memory", w) > 0 && value_of("other_memory", w) > 0);
        QCOMPARE(value_of("fits", w), 1.0);
        QCOMPARE(value_of("data_degree", w), 8.0);
        // Two states of four bytes and wide weights of four: twelve for each parameter, an eighth of them here.
        QVERIFY(std::abs(value_of("optimizer_memory / (parameters * 12 / 8 / 1000)", w) - 1) < 0.01);
        QCOMPARE(value_of("fits", work("llama-3-8b-h100", {{"parallelism.sharded", "nothing"}})), 0.0);
    }

    /// Two all-reduces in each pass of each of 32 blocks; the embedding and the gradient of the head's input; three of
    /// the loss: maximum, sum and the logits that are right.
    void messages_are_counted_by_axis() {
        const Worked w = work("llama-3-8b-h100", {{"parallelism.tensor", "8"},
                                                  {"parallelism.sharded", "nothing"},
                                                  {"parallelism.recompute", "nothing"},
                                                  {"training.batch", "1"},
                                                  {"training.accumulation", "1"}});
        QCOMPARE(value_of("tensor_messages", w), 32.0 * 4 + 1 + 1 + 3);
        QCOMPARE(value_of("data_messages + pipeline_messages + context_messages + expert_messages", w), 0.0);
        // 8,192 positions of 4,096 numbers of two bytes, and 8,192 of four bytes.
        QVERIFY(std::abs(value_of("tensor_megabytes", w) - (130 * 8192.0 * 4096 * 2 + 3 * 8192.0 * 4) / 1e6) < 1e-6);
        const Worked mesh = work("mixtral-8x22b-h100");
        QCOMPARE(
            value_of("data_messages + tensor_messages + pipeline_messages + context_messages + expert_messages", mesh),
            value_of("messages", mesh));
        // There and back, in both passes of 56 blocks and 32 micro-batches.
        QCOMPARE(value_of("expert_messages", mesh), 56.0 * 4 * 32);
        // Of its eight experts a token uses two, so six of 3 × 6,144 × 16,384 weights in each block are left out.
        QCOMPARE(std::round(value_of("parameters - active_parameters", mesh)),
                 std::round(56 * 6 * 3.0 * 6144 * 16384 / 1e6));
        QVERIFY(value_of("pipeline_megabytes", mesh) > 0);
        double exposed_and_hidden = 0;
        for (const MessageEstimate& m : mesh.estimate_of_it.messages)
            exposed_and_hidden += (m.exposed + m.hidden).value * 1e3;
        QVERIFY(std::abs(value_of("data_time + tensor_time + pipeline_time + context_time + expert_time", mesh) /
                             exposed_and_hidden -
                         1) < 1e-9);
    }

    /// (p − 1)/m of the work, but for messages and the head; halved by twice the micro-batches, divided by chunks.
    void bubbles_follow_the_formula() {
        const auto pipeline = [](const char* micro_batches, const char* order) {
            return work("gpt-3-175b-a100", {{"cluster.workers", "64"},
                                            {"training.batch", micro_batches},
                                            {"parallelism.micro_batches", micro_batches},
                                            {"parallelism.order", order}});
        };
        const Worked eight = pipeline("8", "fill_drain"), sixteen = pipeline("16", "fill_drain"),
                     in_turn = pipeline("16", "1f1b"), chunks = pipeline("16", "interleaved");
        const double bubble = value_of("bubble", eight);
        QVERIFY2(bubble > 87.5 && bubble < 92, QByteArray::number(bubble));
        QVERIFY(std::abs(bubble / value_of("bubble", sixteen) - 2) < 0.05);
        QVERIFY(std::abs(value_of("bubble_share", eight) - bubble / (100 + bubble) * 100) < 1e-9);
        QVERIFY(std::abs(value_of("bubble", in_turn) - value_of("bubble", sixteen)) < 1e-6);
        QVERIFY(std::abs(value_of("bubble", sixteen) / value_of("bubble", chunks) - 2) < 0.2);
        QCOMPARE(value_of("in_flight", sixteen), 16.0);
        QCOMPARE(value_of("in_flight", in_turn), 8.0);
        QVERIFY(std::isnan(value_of("bubble", work("example"))));
    }

    void recomputation_is_the_forward_pass_again() {
        const Worked all = work("gpt-3-175b-a100"),
                     none = work("gpt-3-175b-a100", {{"parallelism.recompute", "nothing"}});
        const double again = value_of("recomputation / forward", all);
        QVERIFY2(again > 0.9 && again < 1, QByteArray::number(again));
        QCOMPARE(value_of("recomputation", none), 0.0);
        QCOMPARE(value_of("hfu", none), value_of("mfu", none));
        QVERIFY(value_of("hfu / mfu", all) > 1.3 && value_of("hfu / mfu", all) < 1.34);
    }

    /// The Numbers panel and the search call their figures so; a new one of theirs wants a name here.
    void no_figure_of_the_program_is_missing() {
        const Worked cpu = work("alexnet-cpu-cluster"), servers = work("resnet-50-p100-servers"),
                     plain = work("example");
        for (const Worked* w : {&cpu, &servers, &plain})
            for (const auto& v : compare::key_values(w->scenario, w->estimate_of_it))
                QVERIFY2(Judge::make(v.id, support::library().catalogue).has_value(), std::string(v.id).c_str());
        for (const auto& metric : search::all_metrics()) {
            if (metric.name == "time") continue;  // to a goal, which a lesson has none of
            QVERIFY2(Judge::make(metric.name, support::library().catalogue).has_value(), metric.name.data());
        }
        for (const Field& f : all_fields())
            if (f.type == FieldType::integer || f.type == FieldType::number)
                QVERIFY2(Judge::make(f.path, support::library().catalogue).has_value(), f.path.data());
    }

    void every_name_of_the_list_can_be_said() {
        const Worked w = work("example");
        std::set<std::string> seen;
        for (const Name& name : all_names(w.scenario, support::library().catalogue)) {
            QVERIFY2(seen.insert(name.name).second, name.name.c_str());
            const std::string text = name.words.empty() ? name.name : name.name + " == " + name.words.front();
            QVERIFY2(Judge::make(text, support::library().catalogue).has_value(), text.c_str());
        }
        QVERIFY(seen.contains("layer.conv1.forward") && seen.contains("step") && seen.contains("total.flops"));
    }

    void choices_are_compared_with_their_words() {
        const Worked w = work("example", {{"parallelism.segments", "true"}, {"parallelism.cut", "fc7"}});
        QVERIFY(judge_of("parallelism.fill == data").judge(w.design()).holds);
        QVERIFY(judge_of("data == parallelism.fill").judge(w.design()).holds);
        QVERIFY(!judge_of("parallelism.fill == tensor").judge(w.design()).holds);
        QVERIFY(judge_of("parallelism.fill == tensor or parallelism.collective == ring").judge(w.design()).holds);
        QVERIFY(judge_of("parallelism.cut == fc7").judge(w.design()).holds);
        // No name begins with a digit.
        const Worked in_turn = work("llama-3-70b-h100");
        QVERIFY(judge_of("parallelism.order == _1f1b").judge(in_turn.design()).holds);
        QVERIFY(judge_of("cluster.device == paleo_titan_x").judge(w.design()).holds);
        QVERIFY(judge_of("cluster.between == infiniband_70 and cluster.workers == 32").judge(w.design()).holds);
        QCOMPARE(word_of("a100-sxm-80gb"), std::string("a100_sxm_80gb"));
        QCOMPARE(word_of("1x1"), std::string("_1x1"));
    }

    void other_designs() {
        const Worked one = work("example", {{"cluster.workers", "1"}}), many = work("example");
        const Surroundings around{one.design(), {one.design()}};
        QCOMPARE(value_of("start.cluster.workers", many, around), 1.0);
        QCOMPARE(value_of("A.step", many, around), one.estimate_of_it.summary.step.value * 1e3);
        QVERIFY(judge_of("start.step * 2 > step and cluster.workers > start.cluster.workers")
                    .judge(many.design(), around)
                    .holds);
        QVERIFY(judge_of("start.step > 0").needs_start());
        const auto missing = judge_of("B.step > 1").judge(many.design(), around);
        QVERIFY(!missing.holds);
        QCOMPARE(missing.why, std::string("There is no pin B."));
    }

    void distance() {
        const Worked start = work("example", {{"cluster.workers", "8"}}),
                     now = work("example", {{"cluster.workers", "20"}});
        const Surroundings around{start.design(), {}};
        const auto far = judge_of("cluster.workers >= 32").judge(now.design(), around);
        QVERIFY(!far.holds && far.distance);
        QCOMPARE(far.distance->now, 20.0);
        QCOMPARE(far.distance->wanted, 32.0);
        QCOMPARE(*far.distance->progress, 0.5);  // 12 of 24
        QCOMPARE(far.distance->relation, std::string_view("≥"));
        QCOMPARE(far.distance->of, std::string("Workers"));
        QVERIFY(judge_of("cluster.workers == 32").judge(now.design(), around).distance->relation.empty());
        // Of several the first that does not hold; its unit is that of the side that is a name.
        const auto second = judge_of("cluster.workers > 2 and 100 > step and idle > 5").judge(now.design(), around);
        QVERIFY(second.distance && second.distance->now == 100.0);
        QCOMPARE(second.distance->unit, std::string("ms"));
        // Farther than at the start is no progress, and a choice has no distance.
        QCOMPARE(*judge_of("cluster.workers < 4").judge(now.design(), around).distance->progress, 0.0);
        QVERIFY(!judge_of("parallelism.fill == data").judge(now.design(), around).distance);
        QVERIFY(!judge_of("cluster.workers >= 20").judge(now.design(), around).distance);
        QVERIFY(!judge_of("cluster.workers >= 21").judge(now.design()).distance->progress);
    }

    void what_has_no_value_does_not_hold() {
        const Worked w = work("example");
        const auto cost = judge_of("cost < 5").judge(w.design());
        QVERIFY(!cost.holds && !cost.why.empty());
        const auto layer = judge_of("layer.nowhere.forward > 1").judge(w.design());
        QCOMPARE(layer.why, std::string("The network has no layer called nowhere."));
        QVERIFY(!judge_of("step > 1").judge({&w.scenario, nullptr}).holds);
        QVERIFY(judge_of("cluster.workers == 32").judge({&w.scenario, nullptr}).holds);
    }

    void what_is_wrong_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("remedy");
        const auto row = [](const char* text, int column, const char* what, const char* remedy) {
            QTest::newRow(text) << QString(text) << column << QString(what) << QString(remedy);
        };
        row("stepp > 1", 1, "Nothing is called \"stepp\".", "Did you mean step?");
        row("1 < cluster.worker", 5, "Nothing is called \"cluster.worker\".", "Did you mean cluster.workers?");
        row("parallelism.fill == tensro", 21, "Filling axis is never \"tensro\".",
            "Use one of data, tensor, pipeline, context.");
        row("parallelism.fill > 1", 1, "\"parallelism.fill\" is no number.",
            "Compare it with a word: parallelism.fill == word. Use one of data, tensor, pipeline, context.");
        row("cluster.device == a1000", 19, "Device is never \"a1000\".",
            "Write the id of a preset, with _ for what is neither letter nor digit.");
        row("layer.conv1.speed > 1", 1, "Nothing is called \"layer.conv1.speed\".",
            "Use a figure such as step or speedup, a field such as cluster.workers, or layer.NAME.forward.");
        row("step >", 7, "The expression ends too early.", "Put a number, a name or a parenthesis there.");
    }
    void what_is_wrong() {
        QFETCH(QString, text);
        QFETCH(int, column);
        QFETCH(QString, what);
        QFETCH(QString, remedy);
        const auto judge = Judge::make(text.toStdString(), support::library().catalogue);
        QVERIFY(!judge.has_value());
        QCOMPARE(QString::fromStdString(judge.error().front().what), what);
        QCOMPARE(QString::fromStdString(judge.error().front().remedy), remedy);
        QCOMPARE(judge.error().front().at.column, column);
    }
};

QTEST_APPLESS_MAIN(LessonConditions)
#include "tst_lesson_conditions.moc"
