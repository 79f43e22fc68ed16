// SPDX-License-Identifier: GPL-3.0-or-later
// The pages below the charts, windows of all sizes, what a file keeps of the view, and stages by hand.
#include <QClipboard>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolBar>

#include "core/formats/paleo/convert.hpp"
#include "core/paleo/simulate.hpp"
#include "core/scenario/hardware.hpp"
#include "core/support_choices.hpp"
#include "support_window.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/design/hardware_editor.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/stage_editor.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/pick_list.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/status_line.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class WindowPagesTest : public QObject, window_test::WindowFixture {
    Q_OBJECT

    void show_banner_of_three_lines() {
        auto* banner = window_->centralWidget()->findChild<Banner*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(banner);
        banner->set_text({}, QStringLiteral("A file of your own could not be read, and stays as it is. ").repeated(4));
        banner->show();
        settle();
        QVERIFY(banner->height() >= 3 * banner->fontMetrics().height());
    }
    KeyFigure figure(const char* id) {
        const auto* model = find<KeyFigures>("numbers")->model();
        for (int i = 0; i < model->rowCount(); ++i)
            if (const KeyFigure& f = static_cast<const KeyFigureModel*>(model)->row(i); f.id == QLatin1String(id))
                return f;
        qFatal("no figure %s", id);
    }
    /// What is on show in the centre has the room it needs.
    void nothing_is_cut(const char* where) {
        const auto needs = [&](QWidget* w, const QString& what) {
            if (!w->isVisible()) return;
            QVERIFY2(w->height() >= w->minimumSizeHint().height(), qPrintable(QStringLiteral("%1: %2 has %3 of %4 px")
                                                                                  .arg(QLatin1String(where), what)
                                                                                  .arg(w->height())
                                                                                  .arg(w->minimumSizeHint().height())));
        };
        for (const auto& entry : window_->charts()) needs(entry.second, entry.first);
        for (const char* page :
             {"paleoChart", "sensitivityPage", "comparePage", "cpuPage", "deviceMapPage", "stalenessPage"})
            needs(find<QWidget>(page), QLatin1String(page));
        needs(window_->findChild<ProblemsView*>(), QStringLiteral("problems"));
    }

    /// The charts of the centre stand there, or a button in their place says that they are folded.
    void nothing_is_lost(const char* where) {
        for (const char* name : {"layerChart", "stepChart", "speedupChart"}) {
            const auto* chart = find<Chart>(name);
            QTRY_VERIFY2(chart->isVisible() || fold_button(chart->title()),
                         qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(where), chart->title())));
        }
    }
    QPushButton* fold_button(const QString& title) {
        for (auto* b : find<QWidget>("foldBar")->findChildren<QPushButton*>())
            if (b->isVisible() && b->text().contains(title)) return b;
        return nullptr;
    }

    /// The step priced by PALEO, with all of its corrections or as published.
    void price_by_paleo(bool corrected) {
        emit find<Combo>("method")->chosen(QString::number(static_cast<int>(Method::paleo_head)));
        if (corrected) correct([](const QString&) { return true; });
        settle();
    }
    void correct(const std::function<bool(const QString&)>& wanted) {
        auto* list = find<PickList>("paleoCorrections");
        QStringList ids;
        for (const ComboItem& item : list->items())
            if (wanted(item.id)) ids << item.id;
        list->set_picked(ids);
        emit list->picked_changed();
        settle();
    }

private:
    static QString title_of_total(const LayerList& list) {
        return list.model()->headerData(LayerModel::total, Qt::Horizontal, Qt::DisplayRole).toString();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    // --- what the panels say --------------------------------------------------------------------------------------

    /// Pages about what a design has not offer to switch to it.
    void pages_that_do_not_apply_lead_on() {
        const auto button = [&](const char* name) {
            auto* nothing = find<QWidget>(name);
            return nothing->isVisible() ? nothing->findChild<QPushButton*>() : nullptr;
        };
        QTest::keyClick(window_.get(), Qt::Key_7, Qt::ControlModifier);
        settle();
        if (!find<QWidget>("cpuPage")->isVisible()) QFAIL("Ctrl+7 is another page");
        QVERIFY(button("noCpuCluster"));
        button("noCpuCluster")->click();
        settle();
        QVERIFY(is_cpu_cluster(scenario()) && window_->result()->estimate);
        QVERIFY(!button("noCpuCluster"));
        QTest::keyClick(window_.get(), Qt::Key_8, Qt::ControlModifier);
        settle();
        QVERIFY(button("stalenessOfCpu"));
        button("stalenessOfCpu")->click();
        settle();
        QVERIFY(find<QWidget>("cpuPage")->isVisible());
        window_->document().history().undo();
        settle();
        QTest::keyClick(window_.get(), Qt::Key_8, Qt::ControlModifier);
        settle();
        Scenario s = scenario();
        support::divide(s.parallelism, support::Divided::hybrid);
        s.parallelism.overlap = Overlap::buckets;
        window_->document().edit(std::move(s));
        settle();
        button("nothingStale")->click();
        settle();
        QVERIFY(window_->result()->estimate.has_value());
        QVERIFY(scenario().parallelism.updates == Updates::asynchronous && !button("nothingStale"));
    }

    /// A step of hours is told in seconds, a throughput below one is not nothing, and what does not fit is marked.
    void a_step_of_hours_that_does_not_fit() {
        QCOMPARE(figure("step").unit, QStringLiteral("ms"));
        QVERIFY(!figure("memory").warned);
        Scenario s = scenario();
        s.cluster.device.peak[static_cast<std::size_t>(Precision::fp32)]->value *= 1e-5;
        s.cluster.device.memory_bandwidth.value *= 1e-5;
        s.cluster.device.memory = Bytes{1e8};
        window_->document().edit(std::move(s));
        settle();
        const Estimate& e = *window_->result()->estimate;
        for (const char* id : {"step", "forward", "backward"}) QCOMPARE(figure(id).unit, QStringLiteral("s"));
        QVERIFY(std::abs(figure("step").now.remove(QLatin1Char(',')).toDouble() - e.summary.step.value) < 1);
        QVERIFY(e.throughput.value < 1);
        QVERIFY(std::abs(figure("throughput").now.toDouble() - e.throughput.value) < 0.001);
        QVERIFY(figure("memory").warned && figure("memory").note.contains(QStringLiteral("100\u00A0MB")));
        const auto* layers = find<LayerList>("layers");
        QCOMPARE(title_of_total(*layers), QStringLiteral("s per step"));
        const auto* status = window_->findChild<StatusLine*>();
        const QString cannot_run = cannot_run_text(scenario(), window_->result()->estimate);
        QVERIFY(cannot_run.startsWith(QStringLiteral("Does not fit: needs ")));
        QVERIFY2(status->accessibleDescription().startsWith(cannot_run), qPrintable(status->accessibleDescription()));
        QVERIFY(find<QWidget>("numbersVerdict")->isVisible());
        for (const char* id : {"step", "speedup", "efficiency", "epoch"}) QVERIFY(figure(id).struck);
        QVERIFY(!figure("memory").struck && layers->model()->struck());
        const auto chart = [&](const char* name) {
            for (const auto& entry : window_->charts())
                if (entry.first == QLatin1String(name)) return entry.second;
            qFatal("no chart %s", name);
        };
        // One design: all of it; several: those that do not fit, with a legend entry that hides them.
        for (const char* name : {"layers", "timeline", "sensitivity"}) {
            QCOMPARE(chart(name)->cannot_run(), cannot_run);
            QVERIFY(chart(name)->description().startsWith(cannot_run));
        }
        const auto* steps = qobject_cast<StepTimeChart*>(chart("step-time"));
        QVERIFY(!steps->bars().empty());
        for (const auto& bar : steps->bars()) QVERIFY(!bar.fits);
        const auto* speedup = qobject_cast<SpeedupChart*>(chart("speedup"));
        QVERIFY(!speedup->reading(speedup->data().shown, speedup->workers()).fits);
        QVERIFY(speedup->description().contains(QStringLiteral("does not fit into memory")));
        for (const char* name : {"step-time", "speedup"}) {
            QVERIFY(chart(name)->cannot_run().isEmpty());
            QVERIFY(chart(name)->series().contains(misfit_key));
            QVERIFY(chart(name)->notes().contains(cannot_run));
        }
        // In a small window the status line has the figures.
        resize(1024, 700);
        QVERIFY(!status->figures().empty());
        for (const StatusLine::Figure& f : status->figures()) QVERIFY2(f.struck, qPrintable(f.label));
        resize(1440, 900);
        // Pinned, it is marked beside a design that can run, too.
        window_->findChild<QAction*>(QStringLiteral("pin"))->trigger();
        Scenario roomy = scenario();
        roomy.cluster.device.memory = Bytes{1e12};
        window_->document().edit(std::move(roomy));
        settle();
        const auto* layer_times = qobject_cast<LayerTimeChart*>(chart("layers"));
        QVERIFY(!layer_times->data().pins.empty());
        QVERIFY(layer_times->data().pins[0].misfit(0));
        QVERIFY(layer_times->series().contains(misfit_key));
        QVERIFY(steps->series().contains(misfit_key));
        QVERIFY(chart("layers")->cannot_run().isEmpty());
        for (int step = 0; step < 3; ++step) window_->document().history().undo();
        settle();
        QCOMPARE(title_of_total(*layers), QStringLiteral("ms per step"));
        QVERIFY(status->accessibleDescription().startsWith(QStringLiteral("Ready")));
        QVERIFY(!find<QWidget>("numbersVerdict")->isVisible() && !figure("step").struck && !layers->model()->struck());
        for (const auto& entry : window_->charts()) QVERIFY(entry.second->cannot_run().isEmpty());
        QVERIFY(speedup->reading(speedup->data().shown, speedup->workers()).fits);
    }

    /// Layers have one unit in list, table and chart, whatever was shown before.
    void layers_have_one_unit() {
        Scenario s = scenario();
        s.cluster.workers = 1;
        s.training.batch = 1;
        for (auto& peak : s.cluster.device.peak)
            if (peak) peak->value *= 1e3;
        s.cluster.device.memory_bandwidth.value *= 1e3;
        window_->document().edit(std::move(s));
        settle();
        const Estimate& e = *window_->result()->estimate;
        QVERIFY(longest_layer(e).value < 1e-4);
        for (const auto& entry : window_->charts())
            if (entry.first == QLatin1String("layers"))
                QCOMPARE(qobject_cast<LayerTimeChart*>(entry.second)->time_unit(), TimeUnit::microseconds);
        QCOMPARE(title_of_total(*find<LayerList>("layers")), QString::fromUtf8("µs per step"));
        window_->document().history().undo();
        settle();
        QCOMPARE(title_of_total(*find<LayerList>("layers")), QStringLiteral("ms per step"));
    }

    void an_all_reduce_that_paleo_lacks_is_shown_and_marked() {
        Scenario s = window_->document().scenario();
        s.model.method = Method::paleo_head;
        s.parallelism.collective = Collective::ring;
        window_->document().open(std::move(s));
        settle();
        auto* collective = find<Combo>("collective");
        QCOMPARE(collective->current_text(), QStringLiteral("Ring"));
        QVERIFY(collective->property("error").toBool());
        QVERIFY(!window_->result()->estimate);
        emit collective->chosen(QString::number(static_cast<int>(Collective::butterfly)));
        settle();
        QVERIFY(!collective->property("error").toBool());
        QVERIFY(window_->result()->estimate);
    }

    void the_settings_of_hybrid_take_two_rows_at_most() {
        resize(1280, 720);
        choose("hybrid");
        auto* controls = find<Combo>("way")->parentWidget()->parentWidget();
        QVERIFY(controls->height() <= 2 * space::control_height + 8);
    }

    void figures_of_a_device_that_nobody_knows_are_empty() {
        Scenario s = window_->document().scenario();
        s.cluster.device.memory.reset();
        window_->document().edit(std::move(s));
        HardwareEditor editor(window_->document(), "cluster.device");
        NumberField* memory = nullptr;
        for (auto* f : editor.findChildren<NumberField*>())
            if (f->accessibleName() == QLatin1String("Device memory")) memory = f;
        QVERIFY(memory && memory->missing());
        memory->choose(12);
        QCOMPARE(window_->document().scenario().cluster.device.memory->value, 12e9);
        window_->document().history().undo();
        QVERIFY(memory->missing());
    }

    // --- from PALEO ----------------------------------------------------------------------------------------------

    /// The comparison and its corrections belong to the method.
    void the_way_from_paleo_is_there_where_paleo_prices_the_step() {
        const auto* tab = window_->findChild<BottomTabs*>()->tab(QStringLiteral("paleo"));
        auto* corrections = find<PickList>("paleoCorrections");
        QVERIFY(tab->isHidden() && corrections->isHidden());
        price_by_paleo(false);
        QVERIFY(!tab->isHidden() && !corrections->isHidden());
        emit find<Combo>("method")->chosen(QString::number(static_cast<int>(Method::pipeline)));
        settle();
        QVERIFY(tab->isHidden() && corrections->isHidden());
    }

    void the_way_from_paleo_is_computed_only_while_it_is_shown() {
        price_by_paleo(true);
        QVERIFY(!window_->result()->paleo);
        open_page("paleo");
        QVERIFY(window_->result()->paleo && *window_->result()->paleo);
        open_page("paleo");  // a second click folds it
        find<NumberField>("workersField")->choose(64);
        settle();
        QVERIFY(!window_->result()->paleo);
    }

    void the_way_from_paleo_is_that_of_the_command_line() {
        emit find<Combo>("collective")->chosen(QString::number(static_cast<int>(Collective::butterfly)));
        settle();
        const double pipeline = window_->result()->estimate->summary.step.value;
        price_by_paleo(true);
        open_page("paleo");
        const auto& path = **window_->result()->paleo;
        const auto net = formats::to_paleo(*scenario().network());
        QVERIFY(net);
        paleo::Setup setup;
        setup.device = *paleo::find_device("TITAN_X");
        setup.link = *paleo::find_link("infiniband");
        setup.ppp_compute = scenario().model.compute.value;
        setup.ppp_memory = scenario().model.memory.value;
        setup.ppp_communication = scenario().model.between.value;
        const auto steps = paleo::waterfall(*net, paleo::Era::head, setup,
                                            {paleo::Parallelism::data, paleo::Scaling::weak,
                                             paleo::Scheme::butterfly_all_reduce, scenario().training.batch, 32});
        QCOMPARE(path.published.value, steps.front().iteration.value);
        QCOMPARE(path.reached.value, steps.back().iteration.value);
        QCOMPARE(path.steps.size() + 1, steps.size());
        for (std::size_t i = 0; i < path.steps.size(); ++i)
            QCOMPARE(path.steps[i].change.value, steps[i + 1].difference.value);
        // PALEO has a word for all of this scenario: the corrected step is that of the pipeline.
        QVERIFY(path.left_out.empty());
        const double step = window_->result()->estimate->summary.step.value;
        QVERIFY(std::abs(path.reached.value - step) <= 1e-9 * step);
        QVERIFY(std::abs(pipeline - step) <= 1e-9 * step);
        const auto& shown = find<WaterfallChart>("paleoChart")->data();
        QCOMPARE(shown.end_name, QStringLiteral("Corrected"));
        double sum = shown.start;
        for (const WaterfallStep& s : shown.steps) sum += s.change;
        QVERIFY(std::abs(sum - shown.end) < 1e-12);
    }

    void corrections_are_switched_one_by_one_and_together() {
        price_by_paleo(true);
        open_page("paleo");
        auto* chart = find<WaterfallChart>("paleoChart");
        const auto before = chart->data();
        correct([](const QString& id) { return id != QLatin1String("gradient_work"); });
        QVERIFY(!window_->result()->request.paleo->corrections.gradient_work);
        QVERIFY(chart->data().end != before.end);
        QCOMPARE(chart->data().start, before.start);
        correct([](const QString&) { return false; });
        QVERIFY(chart->data().steps.empty());
        QCOMPARE(chart->data().end, chart->data().start);
        QVERIFY(find<PickList>("paleoCorrections")->picked().isEmpty());
    }

    void both_states_of_paleo_can_be_chosen() {
        price_by_paleo(true);
        open_page("paleo");
        auto* chart = find<WaterfallChart>("paleoChart");
        const double head = chart->data().start;
        emit find<Combo>("method")->chosen(QString::number(static_cast<int>(Method::paleo_paper)));
        settle();
        QCOMPARE(window_->result()->request.paleo->era, paleo::Era::paper);
        QVERIFY(window_->result()->request.paleo->corrections == paleo::all_corrections());
        QVERIFY(chart->data().start != head);
    }

    /// PALEO as the method of the step: its numbers, its schemes, its corrections, and back again in one step of undo.
    void paleo_can_price_the_step() {
        const Scenario before = scenario();
        const double pipeline = window_->result()->estimate->summary.step.value;
        auto* method = find<Combo>("method");
        emit method->chosen(QString::number(static_cast<int>(Method::paleo_head)));
        settle();
        QVERIFY(scenario().model.method == Method::paleo_head);
        QVERIFY(scenario().parallelism.collective == Collective::paleo_tree);
        QVERIFY(window_->result()->estimate.has_value());
        const double published = window_->result()->estimate->summary.step.value;
        QVERIFY(published != pipeline);
        const auto& offered = find<Combo>("way")->items();
        for (const ComboItem& way : offered) QVERIFY(way.enabled || way.tip.contains(QStringLiteral("PALEO")));
        QVERIFY(offered[0].enabled && !offered[1].enabled && !offered[2].enabled && !offered[3].enabled);
        QCOMPARE(find<Combo>("collective")->items().size(), std::size_t{4});
        QVERIFY(find<PickList>("paleoCorrections")->picked().isEmpty());
        correct([](const QString& id) { return id == QLatin1String("decimal_units"); });
        QCOMPARE(scenario().model.paleo_corrections, std::vector<std::string>{"decimal_units"});
        QVERIFY(window_->result()->estimate->summary.step.value > published);
        window_->document().history().undo();
        settle();
        QVERIFY(find<PickList>("paleoCorrections")->picked().isEmpty());
        QVERIFY(scenario().model.paleo_corrections.empty());
        window_->document().history().undo();
        settle();
        QVERIFY(scenario() == before);
        QCOMPARE(window_->result()->estimate->summary.step.value, pipeline);
    }

    void what_paleo_cannot_say_is_explained_in_place() {
        price_by_paleo(true);
        open_page("paleo");
        auto* chart = find<WaterfallChart>("paleoChart");
        choose("hybrid");
        QVERIFY(chart->bars().size() <= 2);
        QVERIFY(chart->data().empty_reason.contains(QLatin1String("Choose Data")));
        choose("data");
        QVERIFY(chart->data().empty_reason.isEmpty());
        emit find<Combo>("network")->chosen(QStringLiteral("alexnet-two-tower"));
        settle();
        QVERIFY(chart->data().empty_reason.contains(QLatin1String("groups")));
    }

    // --- linked views --------------------------------------------------------------------------------------------

    void a_layer_under_the_pointer_lights_up_in_list_bars_and_table() {
        open_page("layers");
        auto* page = find<LayerList>("layerTable");
        QTableView* table = page->view();
        QSignalSpy from_table(page, &LayerList::hovered);
        const QModelIndex conv2 = table->model()->index(3, 0);
        const QImage list_before = find<LayerList>("layers")->grab().toImage();
        const QImage bars_before = find<LayerTimeChart>("layerChart")->grab().toImage();
        QTest::mouseMove(table->viewport(), table->visualRect(conv2).center());
        QTRY_VERIFY(from_table.count() >= 1);
        const int key = from_table.last().at(0).toInt();
        QVERIFY(key >= 0);
        QTRY_VERIFY(find<LayerList>("layers")->grab().toImage() != list_before);
        QTRY_VERIFY(find<LayerTimeChart>("layerChart")->grab().toImage() != bars_before);
        QTest::mouseMove(table->viewport(), QPoint(2, table->viewport()->height() - 2));
        page->set_hovered(-1);
        const QImage table_before = page->grab().toImage();
        emit find<LayerList>("layers")->hovered(key);
        QVERIFY(page->grab().toImage() != table_before);
    }

    void the_layer_table_copies_what_it_shows() {
        open_page("layers");
        auto* table = find<LayerList>("layerTable")->view();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), table->model()->rowCount() + 1);
        QVERIFY(lines[0].contains(QLatin1String("Forward")));
    }

    /// The page sorts and folds on its own rows; totals are compared with a pinned design row by row.
    void the_layer_table_sorts_and_compares() {
        window_->open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        settle();
        open_page("layers");
        auto* page = find<LayerList>("layerTable");
        const LayerModel& model = *page->model();
        QCOMPARE(model.row(1).title, QString::fromUtf8("Block × 80"));
        QCOMPARE(model.rowCount(), find<LayerList>("layers")->model()->rowCount());
        window_->findChild<QAction*>(QStringLiteral("pin"))->trigger();
        Scenario s = scenario();
        s.training.precision = Precision::fp8;
        window_->document().edit(std::move(s));
        settle();
        QVERIFY(model.has(LayerModel::difference));
        const auto number = [&](int row, int column) { return model.index(row, column).data(Qt::UserRole).toDouble(); };
        const PinAnswer& pin = window_->result()->pins[0];
        const double then =
            RowTimes(**pin.estimate, 0, scenario().network()->size()).of(model.row(1).row->layers).total().value;
        QVERIFY(std::abs(number(1, LayerModel::difference) - (number(1, LayerModel::total) - then)) < 1e-12);
        // The longest first, and no row that stands for others on show.
        page->view()->sortByColumn(LayerModel::total, Qt::DescendingOrder);
        QCOMPARE(model.rowCount(), 10);
        for (int r = 1; r < model.rowCount(); ++r)
            QVERIFY(number(r - 1, LayerModel::total) >= number(r, LayerModel::total));
        double sum = 0;
        for (int r = 0; r < model.rowCount(); ++r) {
            QVERIFY(!model.row(r).open);
            sum += number(r, LayerModel::parameters);
        }
        QCOMPARE(sum, static_cast<double>(scenario().network()->parameters()));
        page->view()->sortByColumn(-1, Qt::AscendingOrder);
        emit page->all_toggled(true);
        settle();
        QVERIFY(model.rowCount() > 11);
        QCOMPARE(model.rowCount(), find<LayerList>("layers")->model()->rowCount());
        emit page->all_toggled(false);
        settle();
        QCOMPARE(model.rowCount(), 4);
    }

    // --- small and large windows ---------------------------------------------------------------------------------

    void a_low_window_keeps_cluster_and_model_in_one_dock() {
        auto* device = find<Combo>("device");
        QVERIFY(find<QWidget>("clusterDock")->isVisible() && !find<QWidget>("designDock")->isVisible());
        resize(1024, 700);
        QVERIFY(!find<QWidget>("clusterDock")->isVisible() && !find<QWidget>("modelDock")->isVisible());
        QVERIFY(find<QWidget>("designDock")->isAncestorOf(device) && device->isVisible());
        QVERIFY(window_->height() <= 700 && window_->width() <= 1024);
        resize(1440, 900);
        QVERIFY(find<QWidget>("clusterDock")->isAncestorOf(device) && device->isVisible());
        QVERIFY(!find<QWidget>("designDock")->isVisible());
        QVERIFY(find<QWidget>("percentCompute")->isVisible());
    }

    void the_smallest_full_window_has_every_panel() {
        resize(1280, 800);
        QVERIFY(find<QWidget>("whyDock")->isVisible() && find<QWidget>("numbersDock")->isVisible());
        resize(1279, 800);
        QVERIFY(!find<QWidget>("whyDock")->isVisible());
        const auto* status = window_->findChild<StatusLine*>();
        QVERIFY(status->accessibleDescription().contains(QLatin1String("Speedup")));
    }

    void every_page_fits_a_small_window_data() {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<bool>("banner");
        for (const char* preset : {"example", "alexnet-cpu-cluster", "resnet-50-p100-servers"})
            for (const bool banner : {false, true})
                QTest::addRow("%s%s", preset, banner ? ", with a banner" : "") << QString::fromLatin1(preset) << banner;
    }
    void every_page_fits_a_small_window() {
        QFETCH(QString, preset);
        QFETCH(bool, banner);
        window_->open_scenario_preset(preset);
        settle();
        if (banner) show_banner_of_three_lines();
        for (const QSize size : {QSize(1024, 700), QSize(1280, 800)}) {
            resize(size.width(), size.height());
            for (const char* id : {"problems", "layers", "timeline", "paleo", "sensitivity", "cpu-cluster",
                                   "device-map", "roofline", "staleness"}) {
                auto* tab = window_->findChild<BottomTabs*>()->tab(QLatin1String(id));
                if (tab->isHidden()) continue;
                open_page(id);
                window_->analyst().finish();
                settle();
                QVERIFY2(window_->size() == size,
                         qPrintable(QStringLiteral("%1 with %2 needs %3")
                                        .arg(preset, QLatin1String(id), QString::number(window_->height()))));
                nothing_is_cut(id);
                nothing_is_lost(id);
                open_page(id);  // folded again, the charts are back
                const auto height = [&](const char* name) {
                    return QString::number(find<QWidget>(name)->isVisible() ? find<QWidget>(name)->height() : 0);
                };
                QVERIFY2(find<QWidget>("layerChart")->isVisible() && find<QWidget>("speedupChart")->isVisible(),
                         qPrintable(QStringLiteral("%1 after %2: %3 and %4 px")
                                        .arg(QString::number(size.width()), QLatin1String(id), height("layerChart"),
                                             height("speedupChart"))));
                nothing_is_cut("no page");
            }
        }
    }

    /// As on 1920 × 1200 at 200 %, and with a page in a window that is low.
    void a_chart_without_room_folds_and_comes_back_for_another() {
        resize(1024, 700);
        open_page("sensitivity");
        const auto* layers = find<Chart>("layerChart");
        const auto* speedup = find<Chart>("speedupChart");
        QVERIFY(!speedup->isVisible());
        QPushButton* folded = fold_button(speedup->title());
        QVERIFY(folded && folded->text().contains(find<Chart>("stepChart")->title()));
        QVERIFY(folded->accessibleDescription().contains(QLatin1String("needs the height")));
        QVERIFY(!find<QWidget>("foldBar")->visibleRegion().isEmpty());
        QTest::mouseClick(folded, Qt::LeftButton);
        settle();
        QVERIFY(speedup->isVisible());
        nothing_is_lost("at the expense of another");
        nothing_is_cut("at the expense of another");
        // With the keyboard, what gave way comes back, and has the focus.
        QPushButton* other = layers->isVisible() ? nullptr : fold_button(layers->title());
        if (other) {
            window_->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(window_.get()));
            other->setFocus(Qt::TabFocusReason);
            QTest::keyClick(other, Qt::Key_Return);
            settle();
            QVERIFY(layers->isVisible() && QApplication::focusWidget() == layers);
        }
        resize(1440, 900);
        QVERIFY(layers->isVisible() && speedup->isVisible() && !find<QWidget>("foldBar")->isVisible());
    }

    /// A legend takes fewer rows in a wider chart, also in one that is folded while the window becomes wider.
    void a_folded_chart_asks_for_the_height_that_it_needs_when_shown_data() {
        QTest::addColumn<QString>("preset");
        for (const char* preset : {"example", "llama-3-70b-h100"}) QTest::newRow(preset) << QString::fromLatin1(preset);
    }
    void a_folded_chart_asks_for_the_height_that_it_needs_when_shown() {
        QFETCH(QString, preset);
        const auto* speedup = find<Chart>("speedupChart");
        const auto rest = [&] {  // the best mesh is a row of its own
            for (int pass = 0; pass < 2; ++pass) settle(), window_->analyst().finish();
            settle();
        };
        const auto least = [&] { return speedup->parentWidget()->minimumSizeHint().height(); };
        window_->open_scenario_preset(preset);
        resize(1024, 1200);
        rest();
        QVERIFY(speedup->isVisible());
        const int narrow = least();
        open_page("sensitivity");
        resize(1024, 700);
        QVERIFY(!speedup->isVisible());
        resize(2400, 700);
        settle();
        QVERIFY(!speedup->isVisible());
        const int folded = least();
        resize(2400, 1200);
        rest();
        QVERIFY(speedup->isVisible());
        QVERIFY2(least() < narrow, qPrintable(QString::number(narrow)));
        QCOMPARE(folded, least());
    }

    void beside_problems_the_smallest_full_window_shows_all_of_a_chart() {
        resize(1280, 800);
        window_->open(write("broken.json", "{\"layers\": 3}"));
        QVERIFY(!window_->finish_opening());
        settle();
        auto* speedup = find<SpeedupChart>("speedupChart");
        QVERIFY(window_->findChild<ProblemsView*>()->isVisible() && speedup->isVisible());
        speedup->refresh();
        // Below the drawing: worker counts with the tag of the present one, then what they are.
        QVERIFY(speedup->height() - speedup->plot_rect().bottom() > 36);
        QVERIFY2(speedup->plot_rect().height() >= 56, qPrintable(QString::number(speedup->plot_rect().height())));
    }

    // --- what a file keeps of the view ---------------------------------------------------------------------------

    void a_file_keeps_how_it_was_looked_at() {
        auto* layers = find<LayerTimeChart>("layerChart");
        layers->hide_series(layers->series().front(), true);
        layers->zoom_by(0.5);
        for (QAction* action : window_->findChildren<QAction*>())
            if (action->data().toString() == QLatin1String("collectives")) action->trigger();
        open_page("timeline");
        const ChartView looked_at = layers->view();
        QVERIFY(looked_at.x && looked_at.hidden_series.size() == 1);
        const QString file = folder_.filePath(QStringLiteral("looked-at.json"));
        QVERIFY(window_->save_to(file));
        window_->reset_to_example();
        settle();
        QVERIFY(layers->view() == ChartView{});
        init();  // another window
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        layers = find<LayerTimeChart>("layerChart");
        QVERIFY(layers->view() == looked_at);
        QCOMPARE(window_->result()->request.curve_set, CurveSet::collectives);
        QCOMPARE(window_->findChild<BottomTabs*>()->current(), QStringLiteral("timeline"));
    }

    void a_session_opens_with_its_page_filled() {
        const QString sessions = folder_.filePath(QStringLiteral("sessions"));
        window_ = std::make_unique<MainWindow>(sessions);
        window_->start();
        window_->finish_opening();
        window_->QWidget::show();
        settle();
        price_by_paleo(true);
        open_page("paleo");
        window_->close();
        window_ = std::make_unique<MainWindow>(sessions);
        window_->start();
        window_->finish_opening();
        window_->live().finish();  // as the program does before it shows itself
        window_->QWidget::show();
        QVERIFY(find<WaterfallChart>("paleoChart")->isVisible());
        QVERIFY(find<WaterfallChart>("paleoChart")->bars().size() > 2);
    }

    void a_view_that_makes_no_sense_is_passed_over() {
        QVERIFY(window_->save_to(folder_.filePath(QStringLiteral("plain.json"))));
        QFile plain(folder_.filePath(QStringLiteral("plain.json")));
        QVERIFY(plain.open(QIODevice::ReadOnly));
        QJsonObject o = QJsonDocument::fromJson(plain.readAll()).object();
        o[QStringLiteral("view")] =
            QJsonDocument::fromJson(R"({"page": "nowhere", "speedup_compares": 7, "own": 1, "charts": {
                "layers": {"x": [5, 1], "y": ["a"], "hidden": ["nothing", 3]}, "speedup": 4}})")
                .object();
        const QString odd = write("odd.json", QJsonDocument(o).toJson());
        window_->open(odd);
        QVERIFY(window_->finish_opening());
        settle();
        QVERIFY(find<LayerTimeChart>("layerChart")->view() == ChartView{});
        QVERIFY(window_->save_to(odd));  // what this window does not know goes on
        QFile again(odd);
        QVERIFY(again.open(QIODevice::ReadOnly));
        QCOMPARE(
            QJsonDocument::fromJson(again.readAll()).object()[QStringLiteral("view")][QStringLiteral("own")].toInt(),
            1);
    }

    // --- stages by hand ------------------------------------------------------------------------------------------

    void stages_are_set_by_hand_and_undone() {
        find<NumberField>("workersField")->choose(4);
        choose("layers");
        const Seconds balanced = window_->result()->estimate->summary.step;
        emit find<Combo>("stages")->chosen(QStringLiteral("hand"));
        settle();
        QCOMPARE(scenario().parallelism.boundaries.size(), std::size_t{3});
        QCOMPARE(window_->result()->estimate->summary.step.value, balanced.value);  // it begins where balanced was
        auto* editor = window_->findChild<StageEditor*>();
        QVERIFY(editor && editor->isVisible());
        auto* second = editor->findChild<Combo*>(QStringLiteral("stage2"));
        QVERIFY(second && second->items().size() > 1);
        for (const ComboItem& item : second->items())
            if (item.id != second->current()) {
                emit second->chosen(item.id);
                break;
            }
        settle();
        QVERIFY(window_->result()->estimate->summary.step.value != balanced.value);
        window_->document().history().undo();
        settle();
        QCOMPARE(window_->result()->estimate->summary.step.value, balanced.value);
        emit find<Combo>("stages")->chosen(QStringLiteral("automatic"));
        QVERIFY(scenario().parallelism.boundaries.empty());
    }
};

QTEST_MAIN(WindowPagesTest)
#include "tst_window_pages.moc"
