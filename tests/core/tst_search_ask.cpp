// SPDX-License-Identifier: GPL-3.0-or-later
// Questions that people ask: what they write, and that the answers are those of brute force.
#include <QtTest>

#include "core/base/format.hpp"
#include "core/language/catalogue.hpp"
#include "core/search/answer.hpp"
#include "core/search/ask.hpp"
#include "core/search/best_mesh.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

std::shared_ptr<const formats::Library> shared_library() {
    static const auto library = std::make_shared<const formats::Library>(support::library());
    return library;
}

/// Four blocks on devices that hold a part of them.
Scenario small_gpt(std::int64_t devices) {
    Scenario s = support::preset_scenario("gpt-3-175b-a100");
    s = with_network(std::move(s), support::gpt(4, 64, 4, 32, false));
    s.cluster.workers = devices;
    s.cluster.devices_per_node = 4;
    s.training.batch = 16;
    s.training.data_set = 1'000'000;
    s.parallelism.tensor = s.parallelism.pipeline = 1;
    s.parallelism.micro_batches = 1;
    return s;
}

Findings found(const Asked& asked, const Scenario& scenario, bool prune = true) {
    auto made = make_question(asked, scenario, shared_library());
    if (!made) qFatal("%s", to_text(made.error().front()).c_str());
    made->question.prune = prune;
    auto f = find_best(asked, std::move(*made), 1);
    if (!f) qFatal("%s", to_text(f.error().front()).c_str());
    return std::move(*f);
}

Seconds time_for(const Scenario& s, double samples) {
    return Seconds{*metric_value(Metric::time, s, *estimate(s, Remedies::left_out), samples)};
}

}  // namespace

class TestSearchAsk : public QObject {
    Q_OBJECT

private slots:
    /// Whatever is open, what a suitable question writes can be searched.
    void writes_what_can_be_searched() {
        int written = 0;
        for (const char* id : {"llama-3-70b-h100", "gpt-3-175b-a100", "mixtral-8x22b-h100", "alexnet-ec2-k80",
                               "resnet-50-p100-servers", "alexnet-cpu-cluster"}) {
            const Scenario s = support::preset_scenario(id);
            for (std::size_t i = 0; i < ask_count; ++i) {
                const Ask ask = static_cast<Ask>(i);
                if (!suits(ask, s)) continue;
                ++written;
                const Asked asked = asked_by(ask, usual_numbers(s), s, *shared_library());
                const auto made = make_question(asked, s, shared_library());
                QVERIFY2(made.has_value(),
                         made ? "" : (std::string(id) + ": " + to_text(made.error().front())).c_str());
                QVERIFY(!info_of(ask).sentence.empty());
            }
        }
        QVERIFY(written > 20);
    }

    void numbers_are_those_of_the_scenario() {
        const AskNumbers numbers = usual_numbers(support::preset_scenario("llama-3-70b-h100"));
        QCOMPARE(numbers.devices, std::int64_t(512));
        QCOMPARE(numbers.goal, 15.0);  // 10^12 tokens: 1,831,054,687 samples of 8,192
        QCOMPARE(usual_numbers(support::preset_scenario("alexnet-ec2-k80")).goal, 1.0);
        QVERIFY(first_ask(support::preset_scenario("llama-3-70b-h100")) == Ask::fastest_mesh);
        QVERIFY(!first_ask(support::preset_scenario("alexnet-ec2-k80")));
    }

    void the_fastest_mesh_is_the_best_mesh() {
        const Scenario s = small_gpt(8);
        const Findings f = found(asked_by(Ask::fastest_mesh, usual_numbers(s), s, *shared_library()), s);
        const auto best = best_mesh(s, {}, Effort::whole);
        QVERIFY(best.has_value() && !f.rows.empty());
        QCOMPARE(*f.rows.front().figure(Metric::step), in_milliseconds(best->summary.step));
        const Answer answer = answer_of(f, *shared_library());
        QVERIFY2(answer.best.starts_with("The best is 8 = "), answer.best.c_str());
        QVERIFY2(answer.runner_up.starts_with("The next best is 8 = "), answer.runner_up.c_str());
        const auto next = f.space.scenario(*answer.runner_up_index),
                   first = f.space.scenario(f.rows.front().found.index);
        QVERIFY(mesh_equation(*next) != mesh_equation(*first));
        const auto german = language::shipped_catalogue("de");
        QVERIFY(german.has_value());
        const std::string told = german->tell(answer.best);
        QVERIFY2(told.starts_with("Am besten ist 8 = ") && told.find("Daten") != std::string::npos, told.c_str());
        QVERIFY2(told.find("data") == std::string::npos, told.c_str());
    }

    /// For each number of devices the best mesh by a search of its own; the fewest that are in time.
    void the_fewest_devices_are_those_of_brute_force() {
        const Scenario s = small_gpt(8);
        AskNumbers numbers = usual_numbers(s);
        const auto best_on = [&](std::int64_t n) {
            Scenario one = s;
            one.cluster.workers = n;
            AskNumbers there = numbers;
            there.devices = n;
            Asked asked = asked_by(Ask::fewest_devices, there, one, *shared_library());
            asked.where.clear();
            asked.objectives = {Metric::time};
            std::erase_if(asked.vary, [](const Varied& v) { return v.path == "cluster.workers"; });
            return found(asked, one, false);
        };
        std::vector<std::pair<std::int64_t, Seconds>> times;
        for (const std::int64_t n : {1, 2, 4, 8, 12, 16})
            if (const Findings f = best_on(n); !f.rows.empty())
                times.emplace_back(n, Seconds{*f.rows.front().figure(Metric::time)});
        QVERIFY(times.size() >= 4);
        for (std::size_t k = 1; k < times.size(); ++k) {
            if (!(times[k].second < times[k - 1].second)) continue;
            // Between what this many and what fewer take.
            numbers.days = (times[k].second.value + times[k - 1].second.value) / 2 / 86'400;
            std::int64_t fewest = 0;
            for (const auto& [n, time] : times)
                if (time.value <= numbers.days * 86'400 && fewest == 0) fewest = n;
            const Asked asked = asked_by(Ask::fewest_devices, numbers, s, *shared_library());
            const Findings f = found(asked, s);
            QVERIFY(!f.rows.empty());
            QCOMPARE(*f.rows.front().figure(Metric::devices), static_cast<double>(fewest));
            QCOMPARE(time_for(*f.space.scenario(f.rows.front().found.index), asked.goal).value,
                     *f.rows.front().figure(Metric::time));
            const Answer answer = answer_of(f, *shared_library());
            if (answer.runner_up_index) QVERIFY(f.space.scenario(*answer.runner_up_index)->cluster.workers > fewest);
        }
    }

    /// What bounds leave out is no answer: the same rows without them, and fewer prices.
    void conditions_on_time_save_prices_and_change_no_answer() {
        const Scenario s = small_gpt(8);
        AskNumbers numbers = usual_numbers(s);
        const Findings any = found(asked_by(Ask::fastest_mesh, numbers, s, *shared_library()), s);
        numbers.days = *any.rows.front().figure(Metric::time) * 1.3 / 86'400;
        for (const Ask ask : {Ask::fewest_devices, Ask::longest_sequence}) {
            Asked asked = asked_by(ask, numbers, s, *shared_library());
            if (!suits(ask, s)) continue;
            asked.top = 5;
            const Findings with = found(asked, s), without = found(asked, s, false);
            QVERIFY(!with.rows.empty());
            QVERIFY(with.result.best == without.result.best);
            QVERIFY(with.result.front == without.result.front);
            QVERIFY2(with.result.counts.scored * 2 < without.result.counts.scored,
                     std::to_string(with.result.counts.scored).c_str());
        }
    }

    void the_longest_sequence_is_no_longer_than_fits() {
        const Scenario s = support::preset_scenario("llama-3-8b-h100");
        Asked asked = asked_by(Ask::longest_sequence, usual_numbers(s), s, *shared_library());
        for (Varied& v : asked.vary) {  // one mesh, which saves memory: that is what decides
            if (v.path == "symbols.sequence") continue;
            const bool saves = v.path == "training.accumulation" || v.path == "parallelism.sharded" ||
                               v.path == "parallelism.recompute";
            v.values = saves ? v.values.substr(v.values.rfind(',') + 1) : v.values.substr(0, v.values.find(','));
        }
        const Findings f = found(asked, s);
        QVERIFY(!f.rows.empty());
        const double longest = *f.rows.front().figure(Metric::sequence);
        QVERIFY(f.rows.front().fits);
        Scenario longer = *f.space.scenario(f.rows.front().found.index);
        QVERIFY(set_symbol(longer, "sequence", static_cast<std::int64_t>(longest) * 2).has_value());
        const auto e = estimate(longer, Remedies::left_out);
        QVERIFY(!e || e->memory.peak > *longer.cluster.device.memory);
    }
};

QTEST_APPLESS_MAIN(TestSearchAsk)
#include "tst_search_ask.moc"
