// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Compare" in the real window: figures side by side, what differs, how the difference is shared out.
#include <QAction>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

#include "core/compare/attribution.hpp"
#include "core/compare/side_by_side.hpp"
#include "support_window.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/inspect/compare_mapping.hpp"
#include "ui/inspect/compare_page.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/design_table.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using search::Metric;

class TestWindowCompare : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    Document& document() { return window_->document(); }
    ComparePage& page() { return *find<ComparePage>("comparePage"); }
    WaterfallChart& chart() { return *find<WaterfallChart>("compareChart"); }
    DesignTable& figures() { return *find<DesignTable>("compareFigures"); }
    DesignTable& differences_table() { return *find<DesignTable>("compareDifferences"); }
    void pin() {
        window_->findChild<QAction*>(QStringLiteral("pin"))->trigger();
        rest();
    }
    void rest() {
        QTRY_VERIFY(window_->result()->request.scenario == scenario() && !window_->result()->request.dragging &&
                    window_->result()->pins.size() == document().pins().size());
        window_->analyst().finish();
        QCoreApplication::processEvents();
    }
    template <class Change>
    void edit(const Change& change) {
        Scenario s = scenario();
        change(s);
        document().edit(std::move(s));
        rest();
    }
    /// A is the example, the open design has twice the workers, another batch and buckets.
    void two_designs() {
        pin();
        edit([](Scenario& s) {
            s.cluster.workers = 64;
            s.training.batch = 96;
            s.parallelism.overlap = Overlap::buckets;
        });
    }
    void choose(const char* combo, const QString& id) {
        find<Combo>(combo)->set_current(id);
        emit find<Combo>(combo)->chosen(id);
        rest();
    }
    WaterfallData shares(const Scenario& from, const Scenario& to, Metric metric, const char* from_name,
                         const char* to_name) {
        return waterfall_data(compare::attribute(from, to, metric).value(), QLatin1String(from_name),
                              QLatin1String(to_name));
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void without_pins_it_says_what_it_is_for_and_pins() {
        open_page("compare");
        auto* nothing = find<EmptyState>("nothingPinned");
        QVERIFY(nothing->isVisible() && !figures().isVisible());
        auto* button = nothing->findChild<QPushButton*>();
        QVERIFY(button && button->isVisible());
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        rest();
        QCOMPARE(document().pins().size(), std::size_t{1});
        QVERIFY(!nothing->isVisible() && figures().isVisible());
        QVERIFY2(chart().description().contains(QStringLiteral("do not differ")), qPrintable(chart().description()));
    }

    /// The waterfall of two pins marks those of them that cannot run, whatever is open.
    void the_designs_compared_are_marked() {
        open_page("compare");
        pin();
        edit([](Scenario& s) {
            s.cluster.workers = 64;
            s.cluster.device.memory = Bytes{1e8};
        });
        pin();
        edit([](Scenario& s) { s.cluster.device.memory = Bytes{1e10}; });
        choose("compareFrom", QStringLiteral("0"));
        choose("compareTo", QStringLiteral("1"));
        QVERIFY(chart().bars().front().fits && !chart().bars().back().fits);
        QVERIFY(chart().series().contains(misfit_key));
        edit([](Scenario& s) { s.cluster.device.memory = Bytes{1e8}; });
        choose("compareTo", QStringLiteral("-1"));
        QVERIFY(chart().bars().front().fits && !chart().bars().back().fits);
        QVERIFY(chart().cannot_run().isEmpty());
    }

    void figures_are_those_of_core() {
        open_page("compare");
        two_designs();
        const Scenario b = scenario();
        pin();
        edit([](Scenario& s) { s.training.batch = 32; });
        const Scenario a = *document().pins()[0].scenario;
        const Estimate x = estimate(scenario()).value(), y = estimate(a).value(), z = estimate(b).value();
        const Scenario now = scenario();
        const std::vector<compare::Design> designs{{&now, &x}, {&a, &y}, {&b, &z}};
        QCOMPARE(figures().designs().rows(), figure_rows(compare::side_by_side(designs, 1)));
        QCOMPARE(figures().designs().headings(),
                 (std::vector<QString>{QStringLiteral("This"), QStringLiteral("A (from)"), QStringLiteral("B")}));
        // Whoever does not see colours is told by sign, mark and word.
        const auto& rows = figures().designs().rows();
        const auto step = std::find_if(rows.begin(), rows.end(),
                                       [](const DesignRow& r) { return r.id == QLatin1String("throughput"); });
        const QModelIndex cell = figures().model()->index(static_cast<int>(step - rows.begin()), 1);
        QVERIFY2(cell.data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("worse")) ||
                     cell.data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("better")),
                 qPrintable(cell.data(Qt::AccessibleTextRole).toString()));
    }

    void shares_are_those_of_core() {
        two_designs();
        QVERIFY(!window_->analyst().latest() || !window_->analyst().latest()->comparison);  // only for who looks
        open_page("compare");
        rest();
        const Scenario a = *document().pins()[0].scenario;
        QCOMPARE(chart().data(), shares(a, scenario(), Metric::step, "A", "this design"));
        QCOMPARE(chart().bars().size(), std::size_t{5});
        QVERIFY(!chart().stale());
        QVERIFY(chart().data().foot.startsWith(QStringLiteral("From A to this design the step ")));
        // By another figure: chosen in the table, and in the list.
        const auto& rows = figures().designs().rows();
        const auto row =
            static_cast<int>(std::find_if(rows.begin(), rows.end(),
                                          [](const DesignRow& r) { return r.id == QLatin1String("throughput"); }) -
                             rows.begin());
        figures().setFocus();
        figures().setCurrentIndex(figures().model()->index(row, 0));
        QTest::keyClick(&figures(), Qt::Key_Return);
        rest();
        QCOMPARE(find<Combo>("compareBy")->current(), QStringLiteral("throughput"));
        QCOMPARE(chart().data(), shares(a, scenario(), Metric::throughput, "A", "this design"));
        choose("compareBy", QStringLiteral("memory"));
        QCOMPARE(chart().data(), shares(a, scenario(), Metric::memory, "A", "this design"));
        // The other way round.
        choose("compareFrom", QStringLiteral("-1"));
        QCOMPARE(page().choice().to, 0);
        QCOMPARE(chart().data(), shares(scenario(), a, Metric::memory, "this design", "A"));
        // They follow the hand when it rests.
        edit([](Scenario& s) { s.training.batch = 16; });
        QCOMPARE(chart().data(), shares(scenario(), a, Metric::memory, "this design", "A"));
    }

    void a_drag_waits_for_nothing_and_gives_up() {
        open_page("compare");
        two_designs();
        document().begin_drag();
        Scenario s = scenario();
        s.cluster.workers = 100;
        document().edit(std::move(s));
        settle();
        QVERIFY(chart().stale());  // what is shown is pale until the hand rests
        QCOMPARE(figures().designs().rows().front().cells.size(), std::size_t{2});
        document().end_drag();
        QTRY_VERIFY(!chart().stale());
        QVERIFY(chart().data() == shares(*document().pins()[0].scenario, scenario(), Metric::step, "A", "this design"));
    }

    void differences_and_shares_lead_to_their_fields() {
        open_page("compare");
        two_designs();
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        const auto& rows = differences_table().designs().rows();
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows, difference_rows(differences(*document().pins()[0].scenario, scenario())));
        const auto leads = [&](const QString& path, const char* to) {
            emit differences_table().row_chosen(path);
            auto* control = find<QWidget>(to);
            QVERIFY2(control->hasFocus() || control->isAncestorOf(QApplication::focusWidget()), to);
        };
        leads(QStringLiteral("training.batch"), "batch");
        leads(QStringLiteral("cluster.workers"), "workersField");
        leads(QStringLiteral("network"), "network");
        // A share, by pointer and by key.
        QSignalSpy asked(&page(), &ComparePage::field_asked);
        chart().refresh();
        QTest::mouseClick(&chart(), Qt::LeftButton, {}, chart().row_box(1).center().toPoint());
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].toString(), chart().bars()[1].id);
        chart().setFocus();
        for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Return}) QTest::keyClick(&chart(), key);
        QCOMPARE(asked.count(), 1);  // where it begins is no share
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Return}) QTest::keyClick(&chart(), key);
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked[1][0].toString(), chart().bars()[2].id);
    }

    void what_cannot_be_compared_says_why() {
        open_page("compare");
        two_designs();
        edit([](Scenario& s) { s.cluster.device.price_per_hour.reset(); });
        choose("compareBy", QStringLiteral("cost"));
        QVERIFY2(chart().description().contains(QStringLiteral("has no price")), qPrintable(chart().description()));
        edit([](Scenario& s) { s.cluster.device.peak = {}; });
        QVERIFY(!window_->result()->estimate);
        QVERIFY(chart().is_empty() && !page().question());
        QCOMPARE(figures().designs().rows().front().cells[0].value, QStringLiteral("–"));
    }

    void pins_come_and_go() {
        open_page("compare");
        two_designs();
        pin();
        edit([](Scenario& s) { s.cluster.workers = 8; });
        choose("compareTo", QStringLiteral("1"));
        QCOMPARE(page().choice(), (ComparePage::Choice{0, 1, Metric::step}));
        document().unpin(1);
        rest();
        QVERIFY(page().choice().to < 1 && page().choice().from != page().choice().to);
        QVERIFY(!chart().is_empty());
        document().unpin(0);
        rest();
        QVERIFY(find<EmptyState>("nothingPinned")->isVisible());
        document().history().undo();
        rest();
        QVERIFY(figures().isVisible() && !chart().is_empty());
    }

    void the_panel_and_the_page_agree() {
        open_page("compare");
        two_designs();
        pin();
        edit([](Scenario& s) { s.cluster.workers = 8; });
        window_->findChild<NumbersPanel*>()->compare_with(1);
        rest();
        QCOMPARE(page().choice().from, 1);
        QVERIFY(chart().data().foot.startsWith(QStringLiteral("From B to this design")));
    }

    void a_file_keeps_the_question() {
        two_designs();
        open_page("compare");
        choose("compareBy", QStringLiteral("epoch"));
        choose("compareFrom", QStringLiteral("-1"));
        const QString file = folder_.filePath(QStringLiteral("compared.json"));
        QVERIFY(window_->save_to(file));
        init();
        window_->open(file);
        QVERIFY(window_->finish_opening());
        rest();
        QCOMPARE(page().choice(), (ComparePage::Choice{-1, 0, Metric::epoch}));
        QVERIFY(chart().data().title.contains(QStringLiteral("from this design to A")));
    }

    void it_is_exported_like_every_chart() {
        two_designs();
        open_page("compare");
        rest();
        QVERIFY(chart_svg(chart(), {}).contains("<svg"));
        const QString csv = QString::fromUtf8(chart_csv(chart()));
        QVERIFY2(csv.contains(QStringLiteral("step,change_ms,after_ms,detail")), qPrintable(csv));
        bool among = false;
        for (const auto& entry : window_->charts()) among |= entry.second == &chart();
        QVERIFY(among);
    }

    void fits_into_small_windows() {
        two_designs();
        for (const QSize size : {QSize(1024, 700), QSize(1280, 800)}) {
            resize(size.width(), size.height());
            open_page("compare");
            rest();
            QVERIFY(page().isVisible());
            QVERIFY(page().height() >= page().minimumSizeHint().height());
            QVERIFY(chart().height() >= chart().minimumSizeHint().height());
            window_->findChild<BottomTabs*>()->tab(QStringLiteral("compare"))->click();  // folds it
        }
    }
};

QTEST_MAIN(TestWindowCompare)
#include "tst_window_compare.moc"
