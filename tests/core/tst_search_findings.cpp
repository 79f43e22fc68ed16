// SPDX-License-Identifier: GPL-3.0-or-later
// A search as a person writes it: its texts, what they mean, and the answer with all that is told about it.
#include <QtTest>

#include "core/formats/scenario_json.hpp"
#include "core/search/findings.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;
using support::preset_scenario;

namespace {

const formats::Library& shipped() { return support::library(); }
std::shared_ptr<const formats::Library> shared() { return std::make_shared<const formats::Library>(shipped()); }

Scenario alexnet() {
    Scenario s = support::scenario(support::preset("alexnet-one-tower"));
    s.name = "AlexNet";
    return s;
}

std::vector<std::string> values_of(const char* path, const char* values) {
    const auto axis = read_varied({path, values}, alexnet(), shipped());
    if (!axis) qFatal("%s", support::messages(axis.error()).c_str());
    return axis->values;
}

std::string problem_of(const char* path, const char* values) {
    const auto axis = read_varied({path, values}, alexnet(), shipped());
    return axis ? std::string() : axis.error().front().what;
}

Asked workers_and_batch() {
    Asked asked;
    asked.vary = {{"cluster.workers", "1..64*2"}, {"training.batch", "16,32,64"}};
    asked.objectives = {Metric::time, Metric::devices};
    asked.top = 5;
    return asked;
}

Findings found(const Asked& asked, const Scenario& scenario) {
    auto made = make_question(asked, scenario, shared());
    if (!made) qFatal("%s", support::messages(made.error()).c_str());
    auto findings = find_best(asked, std::move(*made), 2);
    if (!findings) qFatal("%s", support::messages(findings.error()).c_str());
    return std::move(*findings);
}

}  // namespace

class TestSearchFindings : public QObject {
    Q_OBJECT

private slots:
    void values_are_read_and_tried() {
        using Words = std::vector<std::string>;
        QCOMPARE(values_of("cluster.workers", "1..8*2"), (Words{"1", "2", "4", "8"}));
        QCOMPARE(values_of("cluster.workers", " 4 , 2 "), (Words{"4", "2"}));
        QCOMPARE(values_of("parallelism.fill", "*").size(), std::size_t(4));
        QCOMPARE(values_of("network", "*").size(), shipped().networks.size());
        QCOMPARE(values_of("cluster", "*").size(), shipped().catalogue.clusters.size());
        QCOMPARE(problem_of("cluster.workers", "  "), std::string("No values are given."));
        QVERIFY(!problem_of("cluster.workers", "1,x").empty());
        QVERIFY(!problem_of("cluster.workers", "0").empty());
        QVERIFY(!problem_of("parallelism.fill", "data,dta").empty());
        QVERIFY(!problem_of("network", "alexnet-one-towr").empty());
        QVERIFY(!problem_of("symbols.nothing", "1").empty());
        QCOMPARE(problem_of("training.batch", "16,32,16"), std::string("\"16\" stands here twice."));
    }

    /// Whatever can be varied begins with values that can be searched.
    void first_values_make_sense() {
        Scenario s = alexnet();
        s.workload.front().origin = "alexnet-one-tower";
        for (const Field& field : all_fields()) {
            const std::string values = usual_values(field.path, s, shipped());
            if (values.empty()) continue;  // an unknown value has no neighbours
            const auto axis = read_varied({std::string(field.path), values}, s, shipped());
            QVERIFY2(axis.has_value(), (std::string(field.path) + " = " + values).c_str());
        }
        for (const char* path : {"network", "cluster"}) {
            const auto axis = read_varied({path, usual_values(path, s, shipped())}, s, shipped());
            QVERIFY2(axis.has_value(), path);
        }
        s.training.batch = 100;
        s.training.accumulation = 1;
        QCOMPARE(usual_values("cluster.workers", s, shipped()), std::string("1..256*2"));
        QCOMPARE(usual_values("model.compute", s, shipped()),
                 std::string("0,50,100"));  // what was measured, and others
        s.model.compute = Fraction{1};
        QCOMPARE(usual_values("model.compute", s, shipped()), std::string("50,100"));  // 200 % is more than there is
        // The batch that is open is among those looked at, be it one of a language model or of a whole pod.
        for (const std::int64_t batch : {1, 2, 16, 64, 512, 1024, 8192, 1 << 30}) {
            s.training.batch = batch;
            const auto axis =
                read_varied({"training.batch", usual_values("training.batch", s, shipped())}, s, shipped());
            QVERIFY(axis.has_value() && axis->values.size() >= 4);
            QVERIFY2(std::count(axis->values.begin(), axis->values.end(), std::to_string(batch)) == 1,
                     std::to_string(batch).c_str());
        }
        for (const auto& n : nameable_values("cluster.device", s, shipped())) QVERIFY(!n.name.empty());
    }

    /// What a search begins with matters to the cluster it is about, and can be searched as it stands.
    void the_first_question_fits_the_cluster() {
        const auto first = [](const Scenario& s) { return usual_fields(s).front(); };
        Scenario s = alexnet();
        QCOMPARE(first(s), std::string_view("cluster.workers"));
        s.parallelism.updates = Updates::asynchronous;
        QCOMPARE(usual_fields(s)[1], std::string_view("parallelism.servers"));
        s = preset_scenario("alexnet-cpu-cluster");
        QCOMPARE(first(s), std::string_view("cpu.replicas"));
        for (const char* id : {"example", "alexnet-cpu-cluster", "resnet-50-p100-servers"}) {
            const Scenario scenario = preset_scenario(id);
            for (const auto path : usual_fields(scenario)) QVERIFY2(find_field(path), std::string(path).c_str());
            Asked asked;
            asked.vary = usual_rows(scenario, shipped());
            QCOMPARE(asked.vary.size(), std::size_t{3});
            const auto made = make_question(asked, scenario, shared());
            QVERIFY2(made.has_value(), id);
            const auto found = search::search(made->space, made->question, 1);
            QVERIFY(found.has_value() && found->counts.scored > 20);
        }
    }

    void every_problem_of_a_question_is_told() {
        Asked asked = workers_and_batch();
        asked.vary.push_back({"parallelism.fill", "date"});
        asked.where = {"", "step <= 250 mss", "devices <= 4"};
        const auto made = make_question(asked, alexnet(), shared());
        QVERIFY(!made.has_value());
        QCOMPARE(made.error().size(), std::size_t(2));
        asked.vary = {{"", ""}};
        asked.where.clear();
        QCOMPARE(make_question(asked, alexnet(), shared()).error().front().what, std::string("Nothing is varied."));
    }

    void a_goal_in_epochs_is_samples() {
        Asked asked = workers_and_batch();
        asked.goal = 3;
        Scenario s = alexnet();
        s.training.data_set = 1000;
        QCOMPARE(make_question(asked, s, shared())->question.goal, 3000.0);
        asked.goal_in_epochs = false;
        QCOMPARE(make_question(asked, s, shared())->question.goal, 3.0);
    }

    void the_grid_is_over_what_is_asked_for() {
        Asked asked = workers_and_batch();
        asked.vary.push_back({"parallelism.fill", "data,tensor"});
        const auto grid = [&](const char* columns, const char* rows) {
            asked.grid_columns = columns;
            asked.grid_rows = rows;
            return make_question(asked, alexnet(), shared())->question.grid;
        };
        QVERIFY(grid("", "") == std::pair(std::size_t(0), std::size_t(1)));
        QVERIFY(grid("parallelism.fill", "") == std::pair(std::size_t(2), std::size_t(0)));
        QVERIFY(grid("training.batch", "cluster.workers") == std::pair(std::size_t(1), std::size_t(0)));
        QVERIFY(grid("", "cluster.workers") == std::pair(std::size_t(1), std::size_t(0)));
        QVERIFY(grid("training.batch", "training.batch") == std::pair(std::size_t(1), std::size_t(0)));
        asked.vary = {{"cluster.workers", "1..300"}, {"training.batch", "1..300"}};
        QVERIFY(!grid("", ""));
    }

    /// Rows hold what estimate() says, bit for bit, and the best come first.
    void rows_are_estimates() {
        const Findings f = found(workers_and_batch(), alexnet());
        QVERIFY(f.result.complete);
        QVERIFY(f.rows.size() >= 5);
        double last = 0;
        for (const Row& row : f.rows) {
            const auto scenario = f.space.scenario(row.found.index);
            QVERIFY(scenario.has_value());
            const auto e = estimate(*scenario);
            QVERIFY(e.has_value());
            for (std::size_t m = 0; m < metric_count; ++m)
                QVERIFY(row.figures[m] == metric_value(static_cast<Metric>(m), *scenario, *e, f.question.goal));
            QCOMPARE(f.result.value(f.question, row.found, 0), *row.figure(Metric::time));
            if (!row.ranked) continue;
            QVERIFY(*row.figure(Metric::time) >= last);
            last = *row.figure(Metric::time);
        }
        for (const Found& member : f.result.front) {
            const auto row = f.row_of(member.index);
            QVERIFY(row && f.rows[*row].on_front);
        }
        QVERIFY(!f.row_of(f.space.size()));
    }

    /// The line of a chart of two figures: worked out by hand.
    void the_front_of_two_figures() {
        std::vector<Row> rows(6);
        const double times[] = {4, 1, 2, 2, 3, 5}, speeds[] = {9, 2, 5, 4, 5, 9};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i].figures[static_cast<std::size_t>(Metric::time)] = times[i];
            rows[i].figures[static_cast<std::size_t>(Metric::throughput)] = speeds[i];
        }
        // Less time, more throughput: of those at 2 the faster, not the one at 3, and the first of the two with 9.
        QCOMPARE(front_of(rows, Metric::time, Metric::throughput), (std::vector<std::size_t>{1, 2, 0}));
        rows[2].figures[static_cast<std::size_t>(Metric::throughput)].reset();
        QCOMPARE(front_of(rows, Metric::time, Metric::throughput), (std::vector<std::size_t>{1, 3, 4, 0}));
    }

    void units_for_people() {
        QCOMPARE(shown_unit(Metric::time, 100).unit, std::string("s"));
        QCOMPARE(shown_unit(Metric::time, 600).unit, std::string("min"));
        QCOMPARE(shown_unit(Metric::time, 8000).per, 3600.0);
        QCOMPARE(shown_unit(Metric::time, 1e6).per, 86400.0);
        QCOMPARE(shown_unit(Metric::step, 20'000).per, 1000.0);
        QCOMPARE(shown_unit(Metric::cost, 1e9).per, 1.0);
        // Beside two minutes, two seconds stay seconds: 0.0355 min is read by nobody.
        QCOMPARE(shown_unit(Metric::time, 130, 2.13).unit, std::string("s"));
        QCOMPARE(shown_unit(Metric::time, 8000, 400).unit, std::string("h"));
        QCOMPARE(shown_unit(Metric::time, 8000, 60).unit, std::string("min"));
        QCOMPARE(shown_unit(Metric::step, 20'000, 5).per, 1.0);
    }

    /// Loading a row leaves the question the same; changing what is not varied does not.
    void what_a_space_is_around() {
        const Findings f = found(workers_and_batch(), alexnet());
        for (const Row& row : f.rows) QVERIFY(same_space(f.space, *f.space.scenario(row.found.index)));
        Scenario other = f.space.base();
        other.name = "renamed";
        QVERIFY(same_space(f.space, other));
        other.training.optimizer = Optimizer::adam;
        QVERIFY(!same_space(f.space, other));
    }

    void empty_cells_have_a_reason() {
        Asked asked = workers_and_batch();
        asked.where = {"training.batch % cluster.workers == 0"};
        const Findings f = found(asked, alexnet());
        const auto cells = f.result.grid.cells();
        std::size_t empty = 0;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            QCOMPARE(f.cell_reasons[i].empty(), cells[i].has_value());
            empty += !cells[i];
        }
        // 32 and 64 workers do not divide 16, nor 64 32.
        QCOMPARE(empty, std::size_t(3));
    }

    void a_search_that_finds_nothing_says_why() {
        Asked asked = workers_and_batch();
        asked.where = {"devices <= 64", "step <= 1 ns"};
        const Findings f = found(asked, alexnet());
        QVERIFY(f.rows.empty());
        QCOMPARE(f.without.size(), std::size_t(1));
        QVERIFY(f.without.front().find("step <= 1 ns") != std::string::npos);
        QVERIFY(!f.here.empty());
        QVERIFY(!f.nearest.has_value());  // it fits in memory as it is
        Scenario tight = alexnet();
        tight.training.batch = 64;
        const auto at_64 = estimate(tight);
        tight.training.batch = 16;
        tight.cluster.device.memory = estimate(tight)->memory.peak;
        tight.training.batch = 64;
        QVERIFY(at_64->memory.peak > *tight.cluster.device.memory);
        const Findings near = found(asked, tight);
        QVERIFY(near.rows.empty());
        QVERIFY(near.nearest.has_value());
        QCOMPARE(near.nearest->scenario.training.batch, std::int64_t(16));
    }

    void a_scenario_that_is_no_answer_has_one_near() {
        Scenario s = alexnet();
        s.cluster.workers = 64;
        Asked asked = workers_and_batch();
        asked.where = {"devices <= 8"};
        const Findings f = found(asked, s);
        QCOMPARE(f.here.size(), std::size_t(1));
        QVERIFY(f.nearest.has_value());
        QCOMPARE(f.nearest->scenario.cluster.workers, std::int64_t(8));
    }

    void who_watches_hears_how_far_it_is() {
        Asked asked = workers_and_batch();
        asked.objectives = {Metric::time};
        auto made = make_question(asked, alexnet(), shared());
        Tally tally;
        double last = 0;
        const Watch watch{Progress([&](double fraction, std::string_view) { last = fraction; }), {}};
        const auto f = find_best(asked, std::move(*made), 1, watch, &tally);
        QVERIFY(f.has_value());
        QCOMPARE(tally.seen.load(), f->space.size());
        QCOMPARE(tally.scored.load(), f->result.counts.scored);
        QVERIFY(last > 0.9);
    }

    /// Ended in the middle: what was seen so far, told as that.
    void ended_early_it_keeps_the_best_so_far() {
        Asked asked = workers_and_batch();
        asked.vary.push_back({"training.accumulation", "1..200"});
        auto made = make_question(asked, alexnet(), shared());
        CancelSource cancel;
        const Watch watch{Progress([&](double fraction, std::string_view) {
                              if (fraction > 0) cancel.cancel();
                          }),
                          cancel.token()};
        const auto f = find_best(asked, std::move(*made), 1, watch);
        QVERIFY(f.has_value());
        QVERIFY(!f->result.complete);
        QVERIFY(!f->rows.empty());
        QVERIFY(f->result.counts.seen() < f->space.size());
    }

    void a_question_survives_its_file() {
        Asked asked = workers_and_batch();
        asked.where = {"cost <= 100 USD", "training.batch % cluster.workers == 0", ""};
        asked.objectives = {Metric::cost, Metric::efficiency};
        asked.goal = 1.5;
        asked.goal_in_epochs = false;
        asked.must_fit = false;
        asked.top = 7;
        asked.grid_columns = "training.batch";
        asked.grid_rows = "cluster.workers";
        const auto read = read_asked(asked_json(asked), "kept");
        QVERIFY2(read.has_value(), read ? "" : support::messages(read.error()).c_str());
        QVERIFY(*read == asked);
        QVERIFY(!read_asked("{\"format\": \"scalescope-search\", \"version\": 1}", "kept").has_value());
        QVERIFY(!read_asked("nothing", "kept").has_value());
    }
};

QTEST_GUILESS_MAIN(TestSearchFindings)
#include "tst_search_findings.moc"
