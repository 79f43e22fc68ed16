// SPDX-License-Identifier: GPL-3.0-or-later
// The window that finds the best: found, cancelled, clicked, loaded, exported and taken back.
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>

#include "core/support_choices.hpp"
#include "support_search.hpp"
#include "ui/charts/heat_chart.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/measure/split_panes.hpp"
#include "ui/search/search_charts.hpp"
#include "ui/search/why_page.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestSearchWindow : public QObject, private window_test::SearchFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open_finder(); }
    void cleanup() { window_.reset(); }

    void it_finds_ranks_and_says_why() {
        ask({{"cluster.workers", "1..64*2"},
             {"training.batch", "16,32,64"},
             {"parallelism.fill", "*"},
             {"parallelism.segments", "*"}});
        QTest::mouseClick(in<QPushButton>("bestAdd"), Qt::LeftButton);
        QTest::keyClick(&finder(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(document().running());
        QCOMPARE(finder().question()->button()->text(), QStringLiteral("Cancel"));
        found();
        QVERIFY(document().answer());
        const search::Findings& f = document().answer()->findings;
        QVERIFY(f.result.complete);
        QCOMPARE(results().table()->model()->rowCount(), int(f.rows.size()));
        QVERIFY(in<QLabel>("searchVerdict")->text().contains(QStringLiteral("Proven best")));
        QCOMPARE(*document().chosen(), f.rows.front().found.index);
        QCOMPARE(results().table()->currentIndex().row(), 0);
        QVERIFY(!results().front()->data().series.empty());
        // Every row of the front chart is one of the table.
        int points = 0;
        for (const XySeries& s : results().front()->data().series)
            if (s.style == XySeries::Style::dots && s.key != QStringLiteral("current")) points += int(s.points.size());
        QCOMPARE(points, int(f.rows.size()));
        const QString why = results().why()->text();
        QVERIFY2(why.contains(QStringLiteral("Of a step of")), qPrintable(why));
        QVERIFY2(why.contains(QStringLiteral("runner-up")), qPrintable(why));
        const QString all = results().all()->text();
        QVERIFY2(all.contains(QStringLiteral("Of 168 combinations")), qPrintable(all));
        QVERIFY(!in<Banner>("searchStale")->isVisible());
    }

    /// Where the answer need not fit, rows, points and cells that do not are marked.
    void what_does_not_fit_is_marked() {
        Scenario s = scenario();
        Scenario small = s;
        small.training.batch = 16;
        small.training.batch_rule = s.training.batch_rule = BatchRule::per_worker;
        s.cluster.device.memory = estimate(small).value().memory.peak;
        s.cluster.device.price_per_hour = 0.5;
        window_->document().edit(s);
        settle();
        search::Asked asked = document().asked();
        asked.must_fit = false;
        document().set_asked(asked);
        ask({{"cluster.workers", "2,4"}, {"training.batch", "16,64"}});
        search();
        const search::Findings& f = document().answer()->findings;
        const auto misfits = std::count_if(f.rows.begin(), f.rows.end(), [](const auto& row) { return !row.fits; });
        QVERIFY(misfits > 0);
        const ChartTable table = found_table(f, window_->library());
        QVERIFY(std::any_of(table.columns.begin(), table.columns.end(),
                            [](const ChartColumn& c) { return c.key == QLatin1String("fits"); }));
        const auto priced = std::find_if(table.columns.begin(), table.columns.end(),
                                         [](const ChartColumn& c) { return c.key == QLatin1String("price"); });
        QVERIFY(priced != table.columns.end());
        QVERIFY(table.rows[0][static_cast<std::size_t>(priced - table.columns.begin())].text().contains(
            QLatin1String(" USD an hour (")));
        QVERIFY(results().front()->series().contains(misfit_key));
        const auto& cells = results().heat()->data().cells;
        QCOMPARE(cells.size(), std::size_t{4});
        for (const HeatCell& cell : cells) QCOMPARE(cell.doubtful, cell.label.contains(misfit_note()));
        QCOMPARE(std::count_if(cells.begin(), cells.end(), [](const HeatCell& c) { return c.doubtful; }), 2);
        asked.must_fit = true;
        document().set_asked(asked);
        search();
        for (const auto& row : document().answer()->findings.rows) QVERIFY(row.fits);
        for (const HeatCell& cell : results().heat()->data().cells) QVERIFY(!cell.doubtful);
        for (const ChartColumn& c : found_table(document().answer()->findings, window_->library()).columns)
            QVERIFY(c.key != QLatin1String("fits"));
    }

    void a_point_is_clicked_loaded_and_undone() {
        ask({{"cluster.workers", "1..64*2"}, {"training.batch", "16,32,64"}});
        QTest::mouseClick(in<QPushButton>("bestAdd"), Qt::LeftButton);
        search();
        const Scenario before = scenario();
        XyChart* chart = results().front();
        chart->refresh();
        settle();
        const XyPoint* wanted = nullptr;
        for (const XySeries& s : chart->data().series)
            for (const XyPoint& p : s.points)
                if (p.id > 0 && s.style == XySeries::Style::dots) wanted = &p;
        QVERIFY(wanted);
        QTest::mouseClick(chart, Qt::LeftButton, {},
                          QPoint(qRound(chart->x_pixel(wanted->x)), qRound(chart->y_pixel(wanted->y))));
        settle();
        const int row = chart->selected();
        QVERIFY(row >= 0);
        const search::Findings& f = document().answer()->findings;
        QCOMPARE(*document().chosen(), f.rows[std::size_t(row)].found.index);
        const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(results().table()->model());
        QCOMPARE(sorted->mapToSource(results().table()->currentIndex()).row(), row);
        QTest::mouseClick(results().load_button(), Qt::LeftButton);
        settle();
        const auto expected = f.space.scenario(f.rows[std::size_t(row)].found.index);
        QVERIFY(scenario() == *expected);
        QVERIFY(!window_->document().history().undoText().isEmpty());
        // What is open now has been found for what was open before: it is still the same question.
        QVERIFY(document().fit() == SearchDocument::Fit::fits);
        QTest::keyClick(&finder(), Qt::Key_Z, Qt::ControlModifier);
        settle();
        QVERIFY(scenario() == before);
    }

    void enter_in_the_table_loads_a_row() {
        ask({{"cluster.workers", "2,4,8"}});
        search();
        QTableView* table = results().table();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        settle();
        const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(table->model());
        const int row = sorted->mapToSource(table->currentIndex()).row();
        QCOMPARE(row, 1);
        QTest::keyClick(table, Qt::Key_Return);
        settle();
        const search::Findings& f = document().answer()->findings;
        Scenario found = *f.space.scenario(f.rows[1].found.index);
        found.name = scenario().name;  // follows the number of workers
        QVERIFY(scenario() == found);
        QCOMPARE(window_->document().history().count(), 1);
    }

    void a_cell_of_the_map_is_clicked() {
        ask({{"cluster.workers", "1..64*2"}, {"training.batch", "16,32,64"}},
            {"training.batch % cluster.workers == 0"});
        search();
        results().show_chart(QStringLiteral("heat"));
        settle();
        HeatChart* heat = results().heat();
        heat->refresh();
        QCOMPARE(heat->data().columns.size(), qsizetype(7));
        QCOMPARE(heat->data().rows.size(), qsizetype(3));
        QTest::mouseClick(heat, Qt::LeftButton, {}, heat->cell_box(2, 1).center().toPoint());
        settle();
        const search::Findings& f = document().answer()->findings;
        const auto digits = f.space.digits(*document().chosen());
        QCOMPARE(digits[0], std::size_t(2));
        QCOMPARE(digits[1], std::size_t(1));
        QVERIFY(results().why()->text().contains(QStringLiteral("Workers")));
        // 64 workers do not divide 16 samples.
        const QPoint empty = heat->cell_box(6, 0).center().toPoint();
        // The cursor belongs to whichever window lies above here, so the chart is told itself.
        QMouseEvent move(QEvent::MouseMove, empty, heat->mapToGlobal(empty), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(heat, &move);
        QTRY_VERIFY2(heat->tooltip_text().contains(QStringLiteral("training.batch % cluster.workers")),
                     qPrintable(heat->tooltip_text()));
        const auto before = *document().chosen();
        QTest::mouseClick(heat, Qt::LeftButton, {}, empty);
        QCOMPARE(*document().chosen(), before);
        // The other way round is another search.
        in<Combo>("heatX")->set_current(QStringLiteral("training.batch"));
        emit in<Combo>("heatX")->chosen(QStringLiteral("training.batch"));
        found();
        QCOMPARE(heat->data().columns.size(), qsizetype(3));
        QCOMPARE(in<Combo>("heatY")->current(), QStringLiteral("cluster.workers"));
    }

    /// The best of a cell that is not among the rows gets one, until another cell is asked for.
    void a_cell_that_is_not_ranked_gets_a_row() {
        ask({{"cluster.workers", "1..64*2"}, {"training.batch", "16,32,64"}});
        search::Asked asked = document().asked();
        asked.top = 1;
        document().set_asked(asked);
        search();
        results().show_chart(QStringLiteral("heat"));
        settle();
        HeatChart* heat = results().heat();
        heat->refresh();
        const auto* table = results().table()->model();
        QCOMPARE(table->rowCount(), 1);
        const std::uint64_t best = *document().chosen();
        for (const int column : {2, 3}) {
            QTest::mouseClick(heat, Qt::LeftButton, {}, heat->cell_box(column, 1).center().toPoint());
            document().thinking().finish();
            settle();
            QVERIFY(*document().chosen() != best);
            QCOMPARE(table->rowCount(), 2);
            QCOMPARE(results().table()->currentIndex().row(), 1);
            const search::Row& row = document().answer()->findings.rows[1];
            QCOMPARE(row.found.index, *document().chosen());
            QVERIFY(!row.ranked && row.figure(search::Metric::step).has_value());
            QVERIFY(results().front()->selected() == 1);
            QVERIFY(results().why()->text().contains(QStringLiteral("What this one lacks")));
        }
        results().table()->selectRow(0);
        settle();
        QCOMPARE(*document().chosen(), best);
        QCOMPARE(table->rowCount(), 2);
    }

    /// On a small screen nothing is cut off: every word of a label or a button has room, or is elided on purpose.
    void it_fits_a_small_screen() {
        window_.reset();
        open();
        QVERIFY(finder().minimumSizeHint().width() <= 900);  // before it is shown, too
        show_finder();
        const std::string devices = search::usual_values("cluster.device", document().scenario(), document().library());
        ask({{"cluster.workers", "1..256*2"},
             {"cluster.device", devices},
             {"training.batch", "16..512*2"},
             {"parallelism.fill", "*"},
             {"parallelism.segments", "*"}},
            {"cost_per_hour <= 100 USD/h"});
        QTest::mouseClick(in<QPushButton>("bestAdd"), Qt::LeftButton);
        finder().resize(900, 650);
        search();
        settle();
        for (const char* chart : {"front", "heat"})
            for (int tab = 0; tab < 3; ++tab) {
                results().show_chart(QLatin1String(chart));
                results().panes()->show_tab(tab);
                settle();
                QCOMPARE(finder().size(), QSize(900, 650));
                for (QWidget* w : finder().findChildren<QWidget*>()) {
                    const bool label = qobject_cast<QLabel*>(w) && !qobject_cast<QLabel*>(w)->wordWrap() &&
                                       !qobject_cast<ElidedLabel*>(w);
                    if (!w->isVisible() || w->visibleRegion().isEmpty() ||
                        !(label || qobject_cast<QAbstractButton*>(w)))
                        continue;
                    QVERIFY2(
                        w->width() >= w->minimumSizeHint().width() &&
                            finder().rect().contains(QRect(w->mapTo(&finder(), QPoint()), w->size())),
                        qPrintable(w->objectName() + QLatin1Char(' ') + QLatin1String(w->metaObject()->className()) +
                                   QStringLiteral(" %1 of %2").arg(w->width()).arg(w->minimumSizeHint().width())));
                }
            }
    }

    void escape_ends_it_with_the_best_so_far() {
        ask({{"cluster.workers", "1..100000"}, {"training.batch", "1..2000"}, {"parallelism.fill", "*"}});
        QTest::mouseClick(finder().question()->button(), Qt::LeftButton);
        QTRY_VERIFY(in<QLabel>("searchRate")->text().contains(QStringLiteral("a second")));
        for (int turn = 0; turn < 100; ++turn) {  // the window goes on meanwhile
            QCoreApplication::processEvents();
            QVERIFY(document().running());
        }
        finder().setFocus();
        QTest::keyClick(&finder(), Qt::Key_Escape);
        found();
        QVERIFY(document().answer());
        QVERIFY(!document().answer()->findings.result.complete);
        QVERIFY(!document().answer()->findings.rows.empty());
        QVERIFY(in<QLabel>("searchVerdict")->text().contains(QStringLiteral("best so far")));
        QCOMPARE(finder().question()->button()->text(), QStringLiteral("Search"));
    }

    void the_newest_search_wins() {
        ask({{"cluster.workers", "1..1000000"}, {"training.batch", "1..10000"}});
        document().start();
        ask({{"cluster.workers", "2,4"}});
        document().start();
        found();
        QCOMPARE(document().answer()->findings.space.size(), std::uint64_t(2));
    }

    void an_answer_says_when_it_is_of_another_scenario_or_question() {
        ask({{"cluster.workers", "2,4"}});
        search();
        auto* banner = in<Banner>("searchStale");
        QVERIFY(!banner->isVisible());
        ask({{"cluster.workers", "2,4,8"}});
        QVERIFY(banner->isVisible());
        ask({{"cluster.workers", "2,4"}});
        QVERIFY(!banner->isVisible());
        Scenario next = scenario();
        next.training.batch += 1;
        window_->document().edit(next);
        QVERIFY(banner->isVisible());
        QTest::mouseClick(banner->findChild<QPushButton*>(), Qt::LeftButton);
        found();
        QVERIFY(!banner->isVisible());
        QCOMPARE(document().answer()->findings.space.base().training.batch, next.training.batch);
    }

    void nothing_found_says_why_and_what_is_near() {
        ask({{"cluster.workers", "1..64*2"}}, {"step <= 1 ns"});
        search();
        QVERIFY(document().answer()->findings.rows.empty());
        const QString all = results().all()->text();
        QVERIFY2(all.contains(QStringLiteral("Without")) && all.contains(QStringLiteral("step <= 1 ns")),
                 qPrintable(all));
        QVERIFY(results().all()->isVisible());
        QVERIFY(!results().load_button()->isEnabled());
        QVERIFY(!in<QPushButton>("loadNearest")->isVisible());
    }

    void the_nearest_answer_is_loaded() {
        QCOMPARE(scenario().cluster.workers, std::int64_t(32));
        ask({{"cluster.workers", "1..64*2"}}, {"devices <= 8"});
        search();
        results().panes()->show_tab(2);
        QVERIFY2(results().all()->text().contains(QStringLiteral("Nearest")), qPrintable(results().all()->text()));
        QTest::mouseClick(in<QPushButton>("loadNearest"), Qt::LeftButton);
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t(8));
    }

    /// In the table a choice has the name it has in the rest of the window; in a file the word that scripts read.
    void choices_are_ranked_by_name_and_exported_by_id() {
        ask({{"parallelism.collective", "ring,recursive"}, {"cluster.workers", "2,6"}});
        search();
        const QAbstractItemModel* table = results().table()->model();
        QStringList names;
        for (int row = 0; row < table->rowCount(); ++row) names << table->index(row, 1).data().toString();
        QVERIFY2(names.contains(QStringLiteral("Ring")) && names.contains(QString::fromUtf8("Halving–doubling")),
                 qPrintable(names.join(QLatin1Char('|'))));
        const QString file = folder_.filePath(QStringLiteral("named.csv"));
        QVERIFY(results().save_table_to(file));
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QVERIFY(csv.readAll().contains(",recursive,"));
    }

    void the_rows_are_exported() {
        ask({{"cluster.workers", "2,4,8"}});
        search();
        const QString file = folder_.filePath(QStringLiteral("best.csv"));
        QVERIFY(results().save_table_to(file));
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QByteArray text = csv.readAll();
        QVERIFY2(text.contains("rank,cluster.workers,time"), text.constData());
        QCOMPARE(text.count('\n') - text.count("# "), qsizetype(4));
        QVERIFY(!results().save_table_to(folder_.filePath(QStringLiteral("no/such/folder.csv"))));
    }
};

QTEST_MAIN(TestSearchWindow)
#include "tst_search_window.moc"
