// SPDX-License-Identifier: GPL-3.0-or-later
// What a search is asked: constraints, axes and spaces, and what is wrong with them.
#include <QtTest>

#include "core/search/search.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"
#include "support_search.hpp"

using namespace scalescope;
using namespace scalescope::search;
using support::setter;
using support::space_of;

class TestSearchQuestions : public QObject {
    Q_OBJECT

    const Catalogue catalogue = support::catalogue_of_two();

private slots:
    void constraints_are_read() {
        const auto c = read_constraint("step <= 0.25 s");
        QVERIFY(c.has_value());
        QCOMPARE(std::get<Metric>(c->left), Metric::step);
        QCOMPARE(std::get<double>(c->right), 250.0);
        QCOMPARE(std::get<double>(read_constraint("memory<16GB")->right), 16.0);
        QCOMPARE(std::get<double>(read_constraint("memory < 16 GiB")->right), 16 * 1.073741824);
        QCOMPARE(std::get<double>(read_constraint("memory < 512 MiB")->right), 512 * 1.048576e-3);
        QCOMPARE(std::get<double>(read_constraint("2 h >= time")->left), 7200.0);
        const auto d = read_constraint("training.batch % cluster.workers == 0");
        QCOMPARE(std::get<const Field*>(*d->divisor)->path, std::string_view("cluster.workers"));
        QVERIFY(holds(*d, [](const Constraint::Operand& o) {
            return std::get<const Field*>(o)->path == "training.batch" ? 96.0 : 32.0;
        }));
        QVERIFY(!holds(*d, [](const Constraint::Operand& o) {
            return std::get<const Field*>(o)->path == "training.batch" ? 96.0 : 0.0;
        }));
        for (const auto& [text, says] : {std::pair("step", "Nothing is compared"),
                                         {"stepp < 3", "id you mean \"step\""},
                                         {"step < 3 GB", "no unit"},
                                         {"< 3", "empty"},
                                         {"parallelism.fill == data", "no number"},
                                         {"3 < 4", "Two numbers"},
                                         {"cost < 3 h", "no unit"}}) {
            const auto wrong = read_constraint(text);
            QVERIFY2(!wrong, text);
            QVERIFY2(to_text(wrong.error().front()).find(says) != std::string::npos,
                     to_text(wrong.error().front()).c_str());
        }
    }

    void axes_are_read() {
        const Scenario s = support::scenario(support::preset("alexnet-one-tower"));
        const auto values = [&](const char* path, const char* text) {
            const auto axis = read_axis(path, find_field(path), text, s, catalogue);
            return axis ? axis->values : std::vector<std::string>{to_text(axis.error().front())};
        };
        QCOMPARE(values("cluster.workers", "1..8*2,12"), (std::vector<std::string>{"1", "2", "4", "8", "12"}));
        QCOMPARE(values("parallelism.overlap", "*"), (std::vector<std::string>{"off", "buckets", "perfect"}));
        QCOMPARE(values("cluster.device", "*"), (std::vector<std::string>{"slow", "fast", "free"}));
        QVERIFY(values("parallelism.cut", "*").size() > 8);
        QCOMPARE(values("parallelism.cut", "*").back(), std::string("none"));
        QCOMPARE(values("parallelism.boundaries", "a+b,"), (std::vector<std::string>{"a,b", ""}));
        QVERIFY(values("cluster.workers", "8..1").front().find("no range") != std::string::npos);
        QVERIFY(values("cluster.workers", "*").front().find("stands for nothing") != std::string::npos);
        QVERIFY(values("cluster.workers", "1..10000000").front().find("more than 1,000,000 values") !=
                std::string::npos);
    }

    void bad_spaces_are_refused() {
        const Scenario s = support::scenario(support::preset("alexnet-one-tower"));
        const auto says = [&](std::vector<Axis> axes) {
            const auto space = Space::make(s, std::move(axes), setter(catalogue));
            return space ? std::string() : to_text(space.error().front());
        };
        QVERIFY(says({{"cluster.workers", {"1"}}, {"cluster.workers", {"2"}}}).find("twice") != std::string::npos);
        QVERIFY(says({{"cluster.workers", {"1"}}, {"cluster.nodes", {"2"}}}).find("same thing") != std::string::npos);
        QVERIFY(says({{"cluster.workers", {}}}).find("No values") != std::string::npos);
        QVERIFY(says({{"cluster.workers", {"0"}}}).find("from 1") != std::string::npos);
        QVERIFY(says({{"cluster.device", {"fats"}}}).find("fast") != std::string::npos);
        std::vector<std::string> many(200000, "1");
        QVERIFY(
            says({{"cluster.workers", many}, {"training.batch", many}, {"training.data_set", many}}).find("10^15") !=
            std::string::npos);
        const Space space = space_of(s, {{"cluster.workers", {"1", "2"}}}, catalogue);
        Question q;
        q.grid = {{0, 0}};
        QVERIFY(!search::search(space, q));
        q = {};
        q.objectives.clear();
        QVERIFY(!search::search(space, q));
    }

    void a_space_without_axes_is_the_scenario_itself() {
        const Scenario s = support::scenario(support::preset("alexnet-one-tower"));
        const Space space = space_of(s, {}, catalogue);
        const auto found = search::search(space, Question{});
        QCOMPARE(found->best.size(), std::size_t{1});
        QCOMPARE(found->value(Question{}, found->best[0], 0), estimate(s)->epoch.value);
    }
};

QTEST_APPLESS_MAIN(TestSearchQuestions)
#include "tst_search_questions.moc"
