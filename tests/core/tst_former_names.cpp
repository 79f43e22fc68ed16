// SPDX-License-Identifier: GPL-3.0-or-later
// What versions 1 and 2 of scenario files said of how the work is divided means the same: figures that the last version
// with the former names gave, and a sample of all that may hold these names.
#include <QtTest>
#include <fstream>
#include <sstream>

#include "core/base/decimal.hpp"
#include "core/estimate/estimate.hpp"
#include "core/formats/calibration_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/lessons/check.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/former_names.hpp"
#include "core/scenario/typed_setting.hpp"
#include "core/scenario/ways.hpp"
#include "core/search/asked.hpp"
#include "core/search/search.hpp"
#include "support_library.hpp"

using namespace scalescope;
using support::library;

namespace {

std::string kept(const std::string& name) {
    std::ifstream file(SCALESCOPE_TEST_DATA "/former_names/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The kept scenario with "@TENSOR@" and the like replaced.
Scenario scenario_with(std::initializer_list<std::pair<std::string, std::string>> words) {
    std::string text = kept("scenario.json");
    for (const auto& [name, word] : words) {
        const std::string mark = '@' + name + '@';
        text.replace(text.find(mark), mark.size(), word);
    }
    auto read = formats::read_scenario(text, "scenario.json", library());
    if (!read) qFatal("%s", support::messages(read.error()).c_str());
    return std::move(read->scenario);
}

Scenario divided(const std::string& strategy, const std::string& policy = "usual", const std::string& tensor = "1",
                 const std::string& version = "2", const std::string& network = "alexnet-one-tower") {
    return scenario_with(
        {{"VERSION", version}, {"NETWORK", network}, {"TENSOR", tensor}, {"STRATEGY", strategy}, {"POLICY", policy}});
}

std::vector<std::vector<std::string>> rows_of(const std::string& name) {
    std::vector<std::vector<std::string>> rows;
    const QStringList lines = QString::fromStdString(kept(name)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& line : lines.sliced(1)) {
        rows.emplace_back();
        for (const QString& cell : line.split(QLatin1Char(','))) rows.back().push_back(cell.toStdString());
    }
    return rows;
}

std::string step_of(const Scenario& s) {
    const auto e = estimate(s);
    return e ? shortest_decimal(e->summary.step.value) : std::string();
}

}  // namespace

class TestFormerNames : public QObject {
    Q_OBJECT

private slots:
    void estimates_are_the_same() {
        int known = 0;
        for (const auto& row : rows_of("figures.csv"))
            for (const char* version : {"1", "2"}) {
                const Scenario s = divided(row[2], row[3], row[1], version, row[0]);
                const auto e = estimate(s);
                const std::string name = row[0] + ' ' + row[1] + ' ' + row[2] + ' ' + row[3];
                QVERIFY2(step_of(s) == row[4], (name + ": " + step_of(s)).c_str());
                QVERIFY2((e ? shortest_decimal(e->memory.peak.value) : std::string()) == row[5], name.c_str());
                // The same after a file of the newest version.
                const auto again = formats::read_scenario(formats::write_scenario(s, library()), "s.json", library());
                QVERIFY(again && again->scenario.parallelism == s.parallelism);
                ++known;
            }
        QCOMPARE(known, 2 * 2 * 2 * 4 * 5);
    }

    void each_means_a_change_to_the_scenario() {
        const auto is = [](const char* strategy, MeshAxis fill, bool segments, ShardingPolicy policy) {
            Scenario s;
            QVERIFY(set_field(s, "parallelism.strategy", strategy, {}));
            QVERIFY(s.parallelism.fill == fill && s.parallelism.segments == segments);
            QVERIFY(s.parallelism.policy == policy);
            QCOMPARE(field_text(*find_field("parallelism.strategy"), s), std::string(strategy));
        };
        is("data", MeshAxis::data, false, ShardingPolicy::trainer);
        is("outputs", MeshAxis::tensor, false, ShardingPolicy::columns);
        is("layers", MeshAxis::pipeline, false, ShardingPolicy::trainer);
        is("hybrid", MeshAxis::data, true, ShardingPolicy::trainer);
        Scenario s;
        for (const char* strategy : {"outputs", "hybrid", "outputs", "data"})
            QVERIFY(set_field(s, "parallelism.strategy", strategy, {}));
        QVERIFY(s.parallelism == Parallelism{});
        QVERIFY(set_field(s, "parallelism.strategy", "outputs", {}));
        QVERIFY(set_field(s, "parallelism.policy", "best", {}));
        QVERIFY(set_field(s, "parallelism.strategy", "layers", {}));
        QVERIFY(s.parallelism.policy == ShardingPolicy::best);
        QVERIFY(!set_field(s, "parallelism.strategy", "hybird", {}));
        for (const Field& f : all_fields()) QVERIFY(f.path != "parallelism.strategy");
        QCOMPARE(path_now("parallelism.strategy"), std::string_view("parallelism.fill"));
    }

    void links_and_pins_open() {
        const auto linked = formats::from_link(kept("link.txt"), library());
        QVERIFY(linked && linked->scenario.parallelism == divided("outputs").parallelism);
        const auto read = formats::read_scenario(kept("pins.json"), "pins.json", library());
        QVERIFY(read && read->warnings.empty());
        QVERIFY(read->scenario.parallelism == divided("data").parallelism);
        QCOMPARE(read->pins.size(), std::size_t{3});
        for (const Pin& pin : read->pins) QCOMPARE(step_of(*pin.scenario), step_of(divided(pin.name)));
    }

    void searches_open_and_find_the_same() {
        const auto asked = search::read_asked(kept("search.json"), "search.json");
        const auto shared = std::make_shared<const formats::Library>(library());
        const auto made = search::make_question(*asked, divided("data"), shared);
        QVERIFY2(made.has_value(), made ? "" : support::messages(made.error()).c_str());
        const auto rows = rows_of("search.csv");
        std::string least;
        for (std::uint64_t i = 0; i < made->space.size(); ++i) {
            const Scenario s = *made->space.scenario(i);
            const auto at = made->space.digits(i);
            const auto axes = made->space.axes();
            const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) {
                return r[0] == axes[0].values[at[0]] && r[1] == axes[1].values[at[1]] && r[2] == axes[2].values[at[2]];
            });
            if (row == rows.end()) continue;  // does not fit
            QCOMPARE(step_of(s), (*row)[3]);
            if (least.empty() || std::stod((*row)[3]) < std::stod(least)) least = (*row)[3];
        }
        const auto found = search::search(made->space, made->question);
        QVERIFY(found && !found->best.empty());
        for (const search::Found& f : found->best)
            QCOMPARE(f.values[0], in_milliseconds(Seconds{std::stod(step_of(*made->space.scenario(f.index)))}));
        QCOMPARE(step_of(*made->space.scenario(found->best[0].index)), least);
    }

    void lessons_and_expressions_hold() {
        for (const char* name : {"lesson-07-splitting-a-layer.json", "lesson-08-one-weird-trick.json"}) {
            const auto lesson = lessons::read_lesson(kept(name), name, library());
            QVERIFY2(lesson.has_value(), lesson ? "" : support::messages(lesson.error()).c_str());
            const auto checked = lessons::check_lesson(*lesson, library());
            QVERIFY2(checked.problems.empty(), support::messages(checked.problems).c_str());
            QVERIFY(checked.tasks > 0);
        }
        const auto words = typed_settings("strategy hyb", Scenario{}, library().catalogue);
        QVERIFY(!words.empty() && words.front().next && words.front().next->parallelism.segments);
    }

    void ways_of_a_persons_own_mean_the_same() {
        Way own;
        own.settings = {{"parallelism.strategy", "outputs"}};
        QVERIFY(divided_as(own, divided("data")).parallelism == divided("outputs").parallelism);
        for (const char* id : {"data", "outputs", "layers", "hybrid"})
            QCOMPARE(way_of(divided(id), library().catalogue.ways)->id, std::string(id));
    }

    void calibrations_go_as_far_as_they_did() {
        const auto read = formats::read_calibration(kept("calibration.json"), "calibration.json");
        QVERIFY2(read.has_value(), read ? "" : support::messages(read.error()).c_str());
        const SharedCalibration ours{std::make_shared<const Calibration>(*read)};
        using State = ScenarioEvidence::State;
        for (const auto& [strategy, state] :
             {std::pair("data", State::calibrated), std::pair("outputs", State::calibrated),
              std::pair("layers", State::extrapolated), std::pair("hybrid", State::extrapolated)})
            QVERIFY2(evidence_of(with_calibration(divided(strategy), ours)).state == state, strategy);
        for (const CalibratedRange& range : read->ranges) QVERIFY(path_now(range.field) == range.field);
    }
};

QTEST_APPLESS_MAIN(TestFormerNames)
#include "tst_former_names.moc"
