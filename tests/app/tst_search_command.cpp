// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <map>

#include "support_verbs.hpp"

using namespace support;

class TestSearchCommand : public QObject {
    Q_OBJECT

    OwnFiles files_;

private slots:
    void init() { files_.hide_presets_of_the_person(); }

    /// What the search ranks first is the first of a sweep over the same values, by the same figures.
    void the_best_of_a_sweep() {
        const std::vector<std::string> varied{"--vary", "cluster.workers=1..64*2",
                                              "--vary", "training.batch=16,64,256",
                                              "--vary", "parallelism.strategy=data,outputs,hybrid"};
        std::vector<std::string> search{"search", "example"}, sweep{"sweep", "example"};
        search.insert(search.end(), varied.begin(), varied.end());
        sweep.insert(sweep.end(), varied.begin(), varied.end());
        const auto best = rows(search), all = rows(sweep);
        QCOMPARE(best.size(), 10);
        double least = 1e300;
        for (const auto& row : all)
            if (row.toObject()["epoch_s"].isDouble()) least = std::min(least, row.toObject()["epoch_s"].toDouble());
        QCOMPARE(best[0].toObject()["epoch_s"].toDouble(), least);
        QCOMPARE(best[0].toObject()["time_s"].toDouble(), least);
        QCOMPARE(best[0].toObject()["rank"].toInt(), 1);
        for (qsizetype i = 1; i < best.size(); ++i)
            QVERIFY(best[i].toObject()["time_s"].toDouble() >= best[i - 1].toObject()["time_s"].toDouble());
        const auto ran = run(search);
        QVERIFY2(contains(ran.err, "Of 63 combinations ") && contains(ran.err, "proven to be the best"),
                 ran.err.c_str());
    }

    void a_front_under_constraints() {
        const auto front = rows({"search", "example", "--vary", "cluster.workers=1..64*2", "--vary",
                                 "cluster.device=tesla-k80,tesla-v100-sxm2-16gb,a100-sxm-40gb", "--objective",
                                 "time,cost", "--where", "devices <= 32", "--samples", "1000000"});
        QVERIFY(front.size() > 3);
        for (qsizetype i = 1; i < front.size(); ++i) {
            QVERIFY(front[i].toObject()["time_s"].toDouble() > front[i - 1].toObject()["time_s"].toDouble());
            QVERIFY(front[i].toObject()["cost_usd"].toDouble() < front[i - 1].toObject()["cost_usd"].toDouble());
            QVERIFY(front[i].toObject()["cluster.workers"].toInt() <= 32);
        }
    }

    void a_grid_and_reasons() {
        const std::vector<std::string> words{
            "search", "example", "--vary", "cluster.workers=1..8*2", "--vary", "training.batch=16,64", "--show"};
        auto grid = words, why = words;
        grid.emplace_back("grid");
        why.emplace_back("why");
        const auto cells = rows(grid);
        QCOMPARE(cells.size(), 2);
        QVERIFY(cells[0].toObject()["8"].toDouble() > cells[1].toObject()["8"].toDouble());
        const auto reasons = run(why);
        QVERIFY2(reasons.code == 0 && contains(reasons.out, "what binds") && contains(reasons.out, "the runner-up"),
                 reasons.out.c_str());
    }

    void networks_and_clusters() {
        const auto list = rows({"search", "example", "--vary", "network=vgg-16,alexnet-one-tower", "--vary",
                                "cluster=dgx-1-p100,dgx-2", "--vary", "cluster.nodes=1,2", "--any-memory"});
        QCOMPARE(list.size(), 8);
        QCOMPARE(list[0].toObject()["network"].toString(), QString("alexnet-one-tower"));
    }

    void sets_of_recomputed_modules() {
        const auto list = rows({"search", "deepseek-v3-h100", "--vary",
                                "parallelism.recompute=nothing,blocks,layernorm+moe_act,uniform", "--vary",
                                "parallelism.recompute_count=1,2", "--any-memory", "--objective", "time"});
        std::map<QString, double> times;
        for (const auto& row : list)
            times[row.toObject()["parallelism.recompute"].toString()] = row.toObject()["time_s"].toDouble();
        QCOMPARE(times.size(), std::size_t{4});
        QVERIFY(times["nothing"] < times["layernorm+moe_act"] && times["layernorm+moe_act"] < times["blocks"]);
        QCOMPARE(times["uniform"], times["blocks"]);
    }

    void nothing_will_do() {
        const auto ran = run({"search", "example", "--vary", "cluster.workers=1..64*2", "--where", "step < 1 ms"});
        QCOMPARE(ran.code, 1);
        QVERIFY2(
            contains(ran.err, "No combination will do: 7 are ruled out") && contains(ran.err, "Without “step < 1 ms”"),
            ran.err.c_str());
        QVERIFY(contains(ran.out, "rank"));
    }

    void a_share_is_not_taken_for_percent_silently() {
        const auto says = [](const char* where) {
            return run({"search", "example", "--vary", "cluster.workers=32", "--where", where}).err;
        };
        QVERIFY(contains(says("efficiency >= 0.8"), "asks for 0.8 %") &&
                contains(says("efficiency >= 0.8"), "write 80 %"));
        QVERIFY(contains(says("0.5 <= efficiency"), "write 50 %"));
        QVERIFY(!contains(says("efficiency >= 0.8 %"), "asks for"));
        QVERIFY(!contains(says("efficiency >= 60"), "asks for"));
        QVERIFY(!contains(says("speedup >= 0.8"), "asks for"));
    }

    void too_many_to_look_at() {
        const auto ran = run({"search", "example", "--vary", "cluster.workers=1..64", "--most", "10", "--top", "1"});
        QVERIFY2(ran.code == 0 && contains(ran.err, "not proven") && contains(ran.err, "too many"), ran.err.c_str());
        const auto best = rows({"search", "example", "--vary", "cluster.workers=1..64", "--most", "10", "--top", "1"});
        QCOMPARE(best[0].toObject()["cluster.workers"].toInt(), 64);
    }

    void bad_questions() {
        const auto says = [](std::vector<std::string> more, int code) {
            std::vector<std::string> words{"search", "example", "--vary", "cluster.workers=1,2"};
            words.insert(words.end(), more.begin(), more.end());
            const auto ran = run(words);
            if (ran.code != code) return "code " + std::to_string(ran.code) + ran.err;
            return ran.err;
        };
        QVERIFY(contains(says({"--where", "stepp < 3"}, 1), "did you mean \"step\""));
        QVERIFY(contains(says({"--objective", "speed"}, 2), "speed"));
        QVERIFY(contains(says({"--show", "front"}, 1), "two objectives"));
        QVERIFY(contains(says({"--vary", "cluster.workers=3"}, 1), "varied twice"));
        QVERIFY(contains(says({"--vary", "cluster.nodes=3"}, 1), "same thing"));
        QVERIFY(contains(says({"--vary", "cluster.device=K8"}, 1), "no device"));
        QVERIFY(contains(says({"--vary", "cluster.worker=3"}, 1), "cluster.workers"));
        QVERIFY(contains(says({"--show", "grid"}, 1), "two different things"));
        QCOMPARE(run({"search", "example"}).code, 2);
    }
};

QTEST_APPLESS_MAIN(TestSearchCommand)
#include "tst_search_command.moc"
