// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Sensitivity" and the walls in the speedup chart, in the real window.
#include <QLabel>
#include <QTableView>
#include <functional>

#include "core/search/sensitivity.hpp"
#include "core/search/walls.hpp"
#include "core/support_choices.hpp"
#include "support_window.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/tornado_chart.hpp"
#include "ui/design/hardware_editor.hpp"
#include "ui/inspect/sensitivity_mapping.hpp"
#include "ui/inspect/sensitivity_page.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/input_list.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/slider.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class WindowSensitivityTest : public QObject, window_test::WindowFixture {
    Q_OBJECT

    TornadoChart* tornado() { return find<TornadoChart>("sensitivityChart"); }
    SpeedupChart* speedup() { return find<SpeedupChart>("speedupChart"); }
    void settle() {
        WindowFixture::settle();
        window_->analyst().finish();
    }
    void open_page(const char* id) {
        WindowFixture::open_page(id);
        settle();
    }
    /// Until the full answer to the last edit is shown, and analysed.
    void rest() {
        QTRY_VERIFY(window_->result()->request.scenario == scenario() && !window_->result()->request.dragging);
        window_->analyst().finish();
    }
    void edit(const std::function<void(Scenario&)>& change) {
        Scenario s = scenario();
        change(s);
        window_->document().edit(std::move(s));
        rest();
    }
    void total_batch() {
        edit([](Scenario& s) {
            s.training.batch_rule = BatchRule::total;
            s.training.batch = 256;
        });
    }
    std::vector<InputRow*> walls() {
        std::vector<InputRow*> rows;
        for (auto* row : find<InputList>("walls")->findChildren<InputRow*>()) rows.push_back(row);
        return rows;
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void the_tornado_is_that_of_core() {
        rest();
        QVERIFY(!window_->analyst().latest()->sensitivity);  // only for who looks at it
        open_page("sensitivity");
        QCOMPARE(tornado()->data(), tornado_data(search::sensitivity(scenario())));
        QVERIFY(!tornado()->stale());
        QVERIFY(tornado()->data().rows.size() >= 4);
        search::SensitivityOptions options;
        options.objective = search::Metric::throughput;
        auto* objective = find<Combo>("objective");
        objective->setFocus();
        QTest::keyClick(objective, Qt::Key_Down);
        rest();
        QCOMPARE(objective->current(), QStringLiteral("throughput"));
        QCOMPARE(tornado()->data(), tornado_data(search::sensitivity(scenario(), options)));
        edit([](Scenario& s) { s.cluster.workers = 5; });
        QCOMPARE(tornado()->data(), tornado_data(search::sensitivity(scenario(), options)));
    }

    void a_row_leads_to_its_setting() {
        open_page("sensitivity");
        auto* chart = tornado();
        chart->refresh();
        const auto click = [&](const QString& id) {
            const auto& rows = chart->data().rows;
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (rows[i].id == id)
                    return QTest::mouseClick(chart, Qt::LeftButton, {},
                                             chart->row_box(static_cast<int>(i)).center().toPoint());
            QFAIL(qPrintable(QStringLiteral("no row ") + id));
        };
        click(QStringLiteral("training.batch"));
        QVERIFY(find<NumberField>("batch")->hasFocus());
        // Figures of devices and links have editors.
        click(QStringLiteral("cluster.between.bandwidth_gb_s"));
        QVERIFY(window_->findChild<HardwareEditor*>(QStringLiteral("cluster.between")) &&
                window_->findChild<HardwareEditor*>(QStringLiteral("cluster.between"))->isVisible());
        window_->findChild<HardwareEditor*>(QStringLiteral("cluster.between"))->close();
        click(QStringLiteral("cluster.device.memory_bandwidth_gb_s"));
        QVERIFY(window_->findChild<HardwareEditor*>(QStringLiteral("cluster.device")) &&
                window_->findChild<HardwareEditor*>(QStringLiteral("cluster.device"))->isVisible());
    }

    void walls_lie_across_the_speedup() {
        total_batch();
        const auto found = search::find_walls(scenario()).value();
        QCOMPARE(speedup()->guides(), guide_lines(found));
        QVERIFY(!speedup()->guides().empty());
        for (const GuideLine& line : speedup()->guides()) {  // a narrow chart says the same with fewer letters
            QVERIFY(!line.brief.isEmpty() && line.brief.size() <= line.label.size());
            if (line.label.contains(QLatin1Char('<'))) QVERIFY(line.brief.contains(QLatin1String("< 50")));
        }
        // They follow the scenario, and are taken away as long as they are those of another.
        edit([](Scenario& s) { s.training.batch = 64; });
        QCOMPARE(speedup()->guides(), guide_lines(search::find_walls(scenario()).value()));
        window_->document().begin_drag();
        Scenario s = scenario();
        s.training.batch = 80;
        window_->document().edit(std::move(s));
        WindowFixture::settle();
        QVERIFY(speedup()->guides().empty());
        window_->document().end_drag();
        QTRY_COMPARE(speedup()->guides(), guide_lines(search::find_walls(scenario()).value()));
        // The worker count is no part of them.
        const auto before = speedup()->guides();
        window_->document().begin_drag();
        s = scenario();
        s.cluster.workers = 77;
        window_->document().edit(std::move(s));
        WindowFixture::settle();
        QCOMPARE(window_->result()->request.scenario.cluster.workers, std::int64_t{77});
        QCOMPARE(speedup()->guides(), before);
        window_->document().end_drag();
        rest();
        QCOMPARE(speedup()->guides(), before);
    }

    void a_wall_leads_to_its_count() {
        total_batch();
        open_page("sensitivity");
        const auto analysis = window_->analyst().latest();
        QVERIFY(analysis && analysis->walls && analysis->sensitivity);
        const auto rows = walls();
        QCOMPARE(rows.size(), analysis->walls->walls.size() + 1);  // twice the workers first
        QCOMPARE(rows.front()->line().field, QStringLiteral("64"));
        for (const auto& wall : analysis->walls->walls)
            QVERIFY2(std::any_of(rows.begin(), rows.end(),
                                 [&](InputRow* row) {
                                     return row->line().text.toStdString() == wall.sentence &&
                                            row->line().field.toLongLong() == wall.first;
                                 }),
                     wall.sentence.c_str());
        // As one comes to them.
        std::int64_t last = 0;
        for (std::size_t i = 1; i < rows.size() && !rows[i]->line().field.isEmpty(); ++i) {
            QVERIFY(rows[i]->line().field.toLongLong() >= last);
            last = rows[i]->line().field.toLongLong();
        }
        for (auto* row : rows)
            if (row->line().text.contains(QStringLiteral("samples of a step"))) {
                QTest::mouseClick(row, Qt::LeftButton);
                break;
            }
        QCOMPARE(scenario().cluster.workers, std::int64_t{257});
        QVERIFY(find<QLabel>("leftOut")->text().contains(QStringLiteral("nothing travels inside a node")));
    }

    void the_line_of_the_efficiency_is_chosen() {
        open_page("sensitivity");
        auto* line = find<NumberField>("efficiencyLine");
        line->choose(90);
        rest();
        const auto asked = search::find_walls(scenario(), {0.9, 1024}).value();
        QCOMPARE(speedup()->guides(), guide_lines(asked));
        QVERIFY(window_->document().history().count() == 0);  // a way to look, no part of the design
    }

    void hidden_walls_cost_nothing_and_stay_hidden() {
        total_batch();
        speedup()->show_guides(false);
        Scenario s = scenario();
        s.training.batch = 48;
        window_->document().edit(std::move(s));
        rest();
        QVERIFY(!window_->analyst().latest()->question.walls);
        const QString file = folder_.filePath(QStringLiteral("kept.json"));
        find<Combo>("objective")->set_current(QStringLiteral("efficiency"));
        find<NumberField>("efficiencyLine")->set_value(70);
        QVERIFY(window_->save_to(file));
        speedup()->show_guides(true);
        rest();
        QVERIFY(window_->analyst().latest()->question.walls);
        find<SensitivityPage>("sensitivityPage")->set_question(search::Metric::step, 0.5);
        window_->open(file);
        QVERIFY(window_->finish_opening());
        rest();
        QVERIFY(!speedup()->guides_shown());
        QCOMPARE(find<Combo>("objective")->current(), QStringLiteral("efficiency"));
        QCOMPARE(find<NumberField>("efficiencyLine")->value(), 70.0);
    }

    void what_cannot_be_judged_says_why() {
        open_page("sensitivity");
        edit([](Scenario& s) { s.cluster.device.price_per_hour.reset(); });
        find<SensitivityPage>("sensitivityPage")->set_question(search::Metric::cost, 0.5);
        emit find<Combo>("objective")->chosen(QStringLiteral("cost"));
        rest();
        QVERIFY2(tornado()->description().contains(QStringLiteral("has no price")),
                 qPrintable(tornado()->description()));
        // Nor can a design that is none; the walls are those of what can be run.
        edit([](Scenario& s) { support::divide(s.parallelism, support::Divided::layers); });
        QVERIFY(!window_->result()->estimate);
        QVERIFY(tornado()->data().rows.empty());
        QVERIFY(!speedup()->guides().empty());
    }

    /// An analysis is given up when a hand moves on.
    void a_drag_does_not_wait() {
        LiveRequest request;
        request.scenario = scenario();
        support::divide(request.scenario.parallelism, support::Divided::hybrid);
        request.last_workers = 1'000'000;  // minutes of work
        LiveResultPtr result = answer(request);
        Analyst analyst;
        int answered = 0;
        connect(&analyst, &Analyst::answered, this, [&] { ++answered; });
        QSignalSpy progress(&analyst, &Analyst::progressed);
        analyst.ask(result, {});
        QTRY_VERIFY(!progress.isEmpty());  // in the midst of it
        analyst.give_up();
        request.last_workers = 64;
        analyst.ask(answer(request), {});
        QTRY_COMPARE_WITH_TIMEOUT(answered, 1, 60'000);  // the first would take longer, and comes no more
        QCOMPARE(analyst.latest()->walls->up_to, std::int64_t{64});
        // The window does so with every edit: its answer comes first.
        window_->analyst().ask(result, {});
        Scenario s = scenario();
        s.cluster.workers = 9;
        window_->document().edit(std::move(s));
        WindowFixture::settle();
        window_->analyst().finish();
        QVERIFY(window_->analyst().latest()->walls_are_of(scenario()));
    }

    void what_is_known_is_not_worked_out_again() {
        LiveRequest request;
        request.scenario = scenario();
        AnalysisQuestion question;
        question.sensitivity = search::SensitivityOptions{};
        const auto first = analyse(*answer(request), question);
        request.scenario.cluster.workers = 7;
        const auto second = analyse(*answer(request), question, {}, first.get());
        QCOMPARE(*second->walls, *analyse(*answer(request), question)->walls);
        QCOMPARE(**second->sensitivity, *search::sensitivity(request.scenario));
        question.efficiency = 0.8;
        const auto third = analyse(*answer(request), question, {}, second.get());
        QCOMPARE(*third->walls, search::find_walls(request.scenario, {0.8, 1024}).value());
        QCOMPARE(**third->sensitivity, **second->sensitivity);
    }
};

QTEST_MAIN(WindowSensitivityTest)
#include "tst_window_sensitivity.moc"
