// SPDX-License-Identifier: GPL-3.0-or-later
// CPU clusters in the real window: the method, its controls, its page.
#include <QAbstractItemView>
#include <QAction>
#include <QLabel>
#include <QUndoStack>

#include "core/estimate/cpu_view.hpp"
#include "core/estimate/staleness.hpp"
#include "core/scenario/hardware.hpp"
#include "support_window.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/heat_chart.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/resource_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/design/hardware_editor.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/slider.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class WindowCpuClusterTest : public QObject, window_test::WindowFixture {
    Q_OBJECT

    QUndoStack& history() { return window_->document().history(); }
    void choose_method(Method method) {
        auto* combo = find<Combo>("method");
        emit combo->chosen(QString::number(static_cast<int>(method)));
        settle();
    }
    void choose(const char* combo, const char* id) {
        emit find<Combo>(combo)->chosen(QLatin1String(id));
        settle();
    }
    void set(const char* field, double value) {
        find<NumberField>(field)->choose(value);
        settle();
    }
    void choose_updates(Updates updates) {
        auto* control = find<SegmentedControl>("updates");
        QTest::mouseClick(control->button(QString::number(static_cast<int>(updates))), Qt::LeftButton);
        settle();
    }
    QString figure(const QString& id) {
        const auto& rows = find<KeyFigures>("numbers")->figures();
        for (int i = 0; i < rows.rowCount(); ++i)
            if (rows.row(i).id == id) return rows.row(i).now;
        return {};
    }
    bool shown(const char* name) {
        return !find<QWidget>(name)->isHidden() && find<QWidget>(name)->isVisibleTo(window_.get());
    }

    void settle() {
        WindowFixture::settle();
        window_->analyst().finish();
        QCoreApplication::processEvents();
    }
    void open_page(const char* id) {
        WindowFixture::open_page(id);
        rest();
    }
    void rest() {
        QTRY_VERIFY(window_->result()->request.scenario == scenario() && !window_->result()->request.dragging);
        settle();
    }
    bool tab_shown(const char* id) { return !window_->findChild<BottomTabs*>()->tab(QLatin1String(id))->isHidden(); }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    /// Type is half as large again: the page's card and its controls grow with it.
    void its_page_has_room_while_presenting() {
        choose_method(Method::cpu_cluster);
        open_page("cpu-cluster");
        const auto* tabs = find<SegmentedControl>("cpuChart");
        const auto* rule = find<Combo>("batchRule");
        const QWidget* card = tabs->parentWidget();
        for (const bool presenting : {true, false}) {
            find<QAction>("present")->trigger();
            if (presenting) open_page("cpu-cluster");  // pages are closed for it
            resize(1920, 1080);
            QCOMPARE(type_scale() > 1, presenting);
            QVERIFY(tabs->isVisible() && tabs->width() >= tabs->sizeHint().width() &&
                    tabs->geometry().right() < card->width());
            QVERIFY2(rule->width() >= rule->sizeHint().width(),
                     qPrintable(QStringLiteral("%1 of %2").arg(rule->width()).arg(rule->sizeHint().width())));
        }
    }

    void the_method_is_one_step_and_brings_a_machine() {
        const Scenario before = scenario();
        const int steps = history().index();
        choose_method(Method::cpu_cluster);
        QCOMPARE(history().index(), steps + 1);
        QCOMPARE(scenario().cluster.machine.id, std::string("adam-like"));
        QVERIFY(window_->result()->estimate && window_->result()->estimate->cpu);
        Scenario expected = before;
        expected.model.method = Method::cpu_cluster;
        expected.cluster.machine = scenario().cluster.machine;
        QVERIFY(scenario() == expected);
        history().undo();
        QVERIFY(scenario() == before);
        history().redo();
        // A machine that is there already stays, and so does the method's own when another is chosen.
        choose("machine", "xeon-e5-2690");
        choose_method(Method::pipeline);
        QCOMPARE(scenario().cluster.machine.id, std::string("xeon-e5-2690"));
        QCOMPARE(scenario().cluster.device, before.cluster.device);
        choose_method(Method::cpu_cluster);
        QCOMPARE(scenario().cluster.machine.id, std::string("xeon-e5-2690"));
    }

    void panels_show_what_the_method_hears() {
        for (const char* name : {"device", "between", "way", "collective", "overlap"}) QVERIFY2(shown(name), name);
        for (const char* name : {"machine", "partitions", "updates", "servers"}) QVERIFY2(!shown(name), name);
        choose_method(Method::cpu_cluster);
        for (const char* name : {"device", "between", "way", "collective", "overlap", "percentCompute", "percents"})
            QVERIFY2(!shown(name), name);
        for (const char* name : {"machine", "partitions", "replicas", "updates", "servers", "serverPlace", "batch"})
            QVERIFY2(shown(name), name);
        QVERIFY(find<NumberField>("batch")->accessibleName().contains(
            QStringLiteral("Samples of a replica between two exchanges")));
        bool named = false;
        for (auto* label : window_->findChildren<QLabel*>())
            named =
                named || (label->text() == QStringLiteral("after Yan et al. 2015 (re-derived)") && !label->isHidden());
        QVERIFY(named);
        // What is not heard is hidden, unless it is set: then a warning leads to it.
        QVERIFY(find<Combo>("optimizer")->isHidden());
        Scenario s = scenario();
        s.training.optimizer = Optimizer::adam;
        window_->document().edit(s);
        settle();
        QVERIFY(!find<Combo>("optimizer")->isHidden());
        choose_method(Method::pipeline);
        for (const char* name : {"device", "between", "way", "collective", "overlap"}) QVERIFY2(shown(name), name);
    }

    void machines_replicas_and_partitions() {
        choose_method(Method::cpu_cluster);
        QCOMPARE(find<NumberField>("replicas")->value(), 32.0);
        set("partitions", 4);
        QCOMPARE(scenario().cpu.partitions, std::int64_t{4});
        QCOMPARE(scenario().cluster.workers, std::int64_t{32});
        QCOMPARE(find<NumberField>("replicas")->value(), 8.0);
        QCOMPARE(figure(QStringLiteral("replicas")), QStringLiteral("8"));
        QCOMPARE(figure(QStringLiteral("machines")), QStringLiteral("33"));
        set("replicas", 6);
        QCOMPARE(scenario().cluster.workers, std::int64_t{24});
        auto* slider = find<WorkerSlider>("workersSlider");
        const int steps = history().index();
        QTest::mousePress(slider, Qt::LeftButton, {}, {qRound(slider->x_of(24)), 14});
        for (const int to : {30, 50, 64}) QTest::mouseMove(slider, {qRound(slider->x_of(to)), 14});
        QTest::mouseRelease(slider, Qt::LeftButton, {}, {qRound(slider->x_of(64)), 14});
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{64});
        QCOMPARE(history().index(), steps + 1);
        QCOMPARE(figure(QStringLiteral("replicas")), QStringLiteral("16"));
        set("servers", 4);
        QCOMPARE(figure(QStringLiteral("machines")), QStringLiteral("68"));
        choose("serverPlace", "1");
        QVERIFY(scenario().cpu.servers_beside);
        QCOMPARE(figure(QStringLiteral("machines")), QStringLiteral("64"));
    }

    void updates_and_what_binds() {
        choose_method(Method::cpu_cluster);
        QVERIFY(figure(QStringLiteral("cpu_staleness")).isEmpty());
        choose_updates(Updates::asynchronous);
        QCOMPARE(scenario().parallelism.updates, Updates::asynchronous);
        QVERIFY(!figure(QStringLiteral("cpu_staleness")).isEmpty());
        const auto& e = *window_->result()->estimate;
        const auto binding = yan::name_of(e.cpu->score.epoch.binding);
        QCOMPARE(figure(QStringLiteral("binding")).toStdString(), std::string(binding));
        auto* why = window_->findChild<WhyPanel*>();
        emit find<KeyFigures>("numbers")->figure_activated(QStringLiteral("binding"));
        QCOMPARE(why->item().topic, Topic::cpu_binding);
        emit find<KeyFigures>("numbers")->figure_activated(QStringLiteral("cpu_staleness"));
        QCOMPARE(why->item().topic, Topic::cpu_staleness);
        QVERIFY(!find<Combo>("waitForServers")->isHidden());
        choose("queueing", "1");
        QVERIFY(scenario().cpu.queueing);
        choose("waitForServers", "1");
        QVERIFY(scenario().cpu.wait_for_servers);
        choose_updates(Updates::synchronous);
        QVERIFY(find<Combo>("waitForServers")->isHidden());
    }

    void options_are_edits() {
        choose_method(Method::cpu_cluster);
        set("threads", 8);
        QCOMPARE(scenario().cpu.threads, std::int64_t{8});
        choose("splits", "1");
        choose("convolutionSplit", "1");
        choose("placement", "1");
        choose("localUpdate", "1");
        choose("workedExample", "1");
        set("buffers", 2.5);
        QCOMPARE(scenario().cpu.splits, SegmentSplits::best);
        QCOMPARE(scenario().cpu.convolutions, ConvolutionSplit::channels);
        QCOMPARE(scenario().cpu.placement, SegmentPlacement::by_connections);
        QCOMPARE(scenario().cpu.local_update, LocalUpdate::per_exchange);
        QVERIFY(scenario().cpu.worked_example);
        QCOMPARE(scenario().cpu.buffers.value, 2.5e9);
        find<PercentField>("exchangeOverlap")->slider()->choose(50);
        settle();
        QCOMPARE(scenario().cpu.overlap.value, 0.5);
        QVERIFY(window_->result()->estimate);
    }

    void a_machine_is_edited_live() {
        choose_method(Method::cpu_cluster);
        const Seconds before = window_->result()->estimate->summary.step;
        emit find<Combo>("machine")->footer_chosen(QStringLiteral("edit"));
        auto* editor = window_->findChild<HardwareEditor*>();
        QVERIFY(editor && editor->isVisible());
        NumberField* time = nullptr;
        for (auto* f : editor->findChildren<NumberField*>())
            if (f->accessibleName() == QStringLiteral("Multiply-add, last-level cache")) time = f;
        QVERIFY(time);
        QCOMPARE(time->value(), 0.3);
        time->choose(3);
        settle();
        QCOMPARE(scenario().cluster.machine.multiply_add_l3.value, 3e-9);
        QCOMPARE(scenario().cluster.machine.id, std::string("own-adam-like"));
        QVERIFY(window_->result()->estimate->summary.step > before);
    }

    void the_page_has_a_tab_where_it_fits() {
        QVERIFY(!tab_shown("cpu-cluster") && !tab_shown("staleness"));
        choose_method(Method::cpu_cluster);
        QVERIFY(tab_shown("cpu-cluster") && !tab_shown("staleness"));
        open_page("cpu-cluster");
        choose_method(Method::pipeline);  // whoever looks at it keeps it, and is told why it is empty
        QVERIFY(tab_shown("cpu-cluster"));
        QVERIFY(find<HeatChart>("cpuGrid")->description().contains(QStringLiteral("CPU")));
    }

    void a_cell_leads_to_its_configuration() {
        choose_method(Method::cpu_cluster);
        choose_updates(Updates::asynchronous);
        set("servers", 2);
        open_page("cpu-cluster");
        auto* heat = find<HeatChart>("cpuGrid");
        const auto grid = *window_->analyst().latest()->cpu_grid;
        QVERIFY(grid && grid->present);
        QCOMPARE(heat->data().cells.size(), grid->cells.size());
        QCOMPARE(heat->selected(), static_cast<int>(*grid->present));
        // By name, by letter, and not by colour alone.
        for (const auto& kind : heat->data().kinds) QVERIFY(!kind.letter.isEmpty() && !kind.name.isEmpty());
        heat->refresh();
        const int column = 4, row = 2;  // 16 replicas of 4 machines
        QCOMPARE(heat->data().columns[column], QStringLiteral("16"));
        QCOMPARE(heat->data().rows[row], QStringLiteral("4"));
        const QPoint at = heat->cell_box(column, row).center().toPoint();
        QTest::mouseMove(heat, at);
        const auto& cell = heat->data().cells[static_cast<std::size_t>(row * heat->data().columns.size() + column)];
        for (const QString& word : {cell.text, QStringLiteral("Speedup"), QStringLiteral("set by")})
            QVERIFY2(heat->tooltip_text().contains(word), qPrintable(heat->tooltip_text()));
        const int steps = history().index();
        QTest::mouseClick(heat, Qt::LeftButton, {}, at);
        rest();
        QCOMPARE(scenario().cluster.workers, std::int64_t{64});
        QCOMPARE(scenario().cpu.partitions, std::int64_t{4});
        QCOMPARE(history().index(), steps + 1);
        QCOMPARE(*cell.value, window_->result()->estimate->epoch.value);
        const auto now = heat->selected();
        QCOMPARE(heat->data().rows[now / heat->data().columns.size()], QStringLiteral("4"));
        history().undo();
        QCOMPARE(scenario().cluster.workers, std::int64_t{32});
        QCOMPARE(scenario().cpu.partitions, std::int64_t{1});
    }

    void too_little_memory_is_seen_and_said() {
        choose_method(Method::cpu_cluster);
        Scenario s = scenario();
        s.cluster.machine.memory = Bytes{3e8};
        window_->document().edit(s);
        open_page("cpu-cluster");
        const auto& data = find<HeatChart>("cpuGrid")->data();
        const auto doubtful =
            std::count_if(data.cells.begin(), data.cells.end(), [](const HeatCell& c) { return c.doubtful; });
        QVERIFY(doubtful > 0 && doubtful < static_cast<std::ptrdiff_t>(data.cells.size()));
        for (const HeatCell& c : data.cells)
            if (c.doubtful) QVERIFY(c.label.contains(QStringLiteral("does not fit")));
    }

    void layers_and_updates_are_drawn_and_exported() {
        choose_method(Method::cpu_cluster);
        set("partitions", 4);
        open_page("cpu-cluster");
        auto* layers = find<LayerTimeChart>("cpuLayers");
        QTest::mouseClick(find<SegmentedControl>("cpuChart")->button(QStringLiteral("layers")), Qt::LeftButton);
        QVERIFY(layers->isVisible());
        Seconds sum, exchange;
        for (const auto& bar : layers->bars()) sum += bar.time.total(), exchange += bar.time.exchange();
        const Seconds sample = window_->result()->estimate->cpu->score.sample.total();
        QVERIFY(std::abs(sum / sample - 1.0) < 1e-12 && exchange.value > 0);
        // The legend's one entry takes all exchange away.
        layers->hide_series(QStringLiteral("communication"), true);
        Seconds visible;
        layers->refresh();
        for (int i = 0; i < static_cast<int>(layers->bars().size()); ++i) visible += layers->visible_total(i);
        QVERIFY(std::abs((visible + exchange) / sample - 1.0) < 1e-12);
        layers->hide_series(QStringLiteral("communication"), false);
        QTest::mouseClick(find<SegmentedControl>("cpuChart")->button(QStringLiteral("updates")), Qt::LeftButton);
        auto* updates = find<ResourceChart>("cpuUpdates");
        QVERIFY(updates->isVisible());
        const auto both = compare_updates(*window_->result()->estimate);
        QCOMPARE(updates->data().bars.front().length.value, both.asynchronous.step.value);
        for (const auto& [name, columns] : std::vector<std::pair<const char*, QByteArray>>{
                 {"cpuGrid", "epoch_s,note,set_by,machines,speedup,memory_gb"},
                 {"cpuLayers", "forward_ms,forward_exchange_ms,backward_ms,backward_exchange_ms,deltas_ms"},
                 {"cpuUpdates", "what,start_ms,time_ms"}})
            for (const char* suffix : {"csv", "png"}) {
                const QString file = folder_.filePath(QLatin1String(name) + QLatin1Char('.') + QLatin1String(suffix));
                QVERIFY(save_chart(*window_->findChild<Chart*>(QLatin1String(name)), file, {}));
                QFile saved(file);
                QVERIFY(saved.open(QIODevice::ReadOnly));
                const QByteArray bytes = saved.readAll();
                if (suffix[0] == 'c') QVERIFY2(bytes.contains(columns), bytes.left(400).constData());
            }
    }

    // --- asynchronous updates of devices -------------------------------------------------------------------------

    void asynchronous_takes_the_place_of_the_all_reduce() {
        Scenario s = scenario();
        s.parallelism.overlap = Overlap::buckets;
        window_->document().edit(s);
        const int steps = history().index();
        choose("collective", "asynchronous");
        QCOMPARE(history().index(), steps + 1);
        QCOMPARE(scenario().parallelism.updates, Updates::asynchronous);
        QVERIFY2(window_->result()->estimate, "it can be priced");
        for (const char* name : {"servers", "shards", "collective"}) QVERIFY2(shown(name), name);
        for (const char* name : {"overlap", "serverPlace"}) QVERIFY2(!shown(name), name);
        QVERIFY(!find<QWidget>("staleness")->isHidden());
        choose("shards", "1");
        QCOMPARE(scenario().parallelism.sharding, Sharding::by_layer);
        set("servers", 8);
        QCOMPARE(scenario().parallelism.servers, std::int64_t{8});
        QVERIFY(!figure(QStringLiteral("staleness")).isEmpty());
        // Every worker in every step: other strategies are synchronous.
        WindowFixture::choose("outputs");
        QCOMPARE(scenario().parallelism.updates, Updates::synchronous);
        QVERIFY(window_->result()->estimate);
        QVERIFY(find<QWidget>("staleness")->isHidden());
    }

    void staleness_is_a_lesson() {
        choose("collective", "asynchronous");
        set("servers", 4);
        QVERIFY(tab_shown("staleness"));
        open_page("staleness");
        auto* chart = find<XyChart>("stalenessSpeed");
        const auto values = [chart](const char* key) {
            std::vector<double> all;
            for (const auto& series : chart->data().series)
                if (series.key == QLatin1String(key))
                    for (const auto& p : series.points) all.push_back(p.y);
            return all;
        };
        QVERIFY(values("speed").size() > 10);
        QCOMPARE(values("progress"), values("speed"));  // without a cost
        const int steps = history().index();
        find<PercentField>("stalenessCost")->slider()->choose(10);
        QCOMPARE(scenario().model.staleness_cost.value, 0.1);
        QVERIFY(values("progress").back() < 0.5 * values("speed").back());  // at once, without waiting for an answer
        const auto at_once = values("progress");
        rest();
        QCOMPARE(values("progress"), at_once);
        QCOMPARE(history().index(), steps + 1);
        const auto asked = staleness_lesson(scenario(), worker_counts(1024, scenario().cluster.workers));
        QCOMPARE(values("progress").size(), asked->points.size());
        QCOMPARE(values("progress").back(), asked->points.back().progress);
    }

    /// What trains is a machine, wherever it is told: on screen, to screen readers, in files.
    void machines_are_called_machines() {
        choose_method(Method::cpu_cluster);
        set("partitions", 4);
        for (const char* page : {"layers", "timeline", "cpu-cluster", "sensitivity"}) open_page(page);
        QVERIFY(chart_svg(*find<LayerTimeChart>("layerChart"), {}).contains("per step, per machine"));
        QVERIFY(chart_csv(*find<Chart>("stepChart")).contains("\nmachines,"));
        QVERIFY(find<SpeedupChart>("speedupChart")->description().startsWith(QStringLiteral("Speedup on 32 machines")));
        QString said =
            find<WorkerSlider>("workersSlider")->value_text() + find<QWidget>("workersField")->accessibleName();
        for (const auto& [name, chart] : window_->charts()) {
            if (chart->is_empty()) continue;
            said +=
                chart->description() + QString::fromUtf8(chart_csv(*chart)) + QString::fromUtf8(chart_svg(*chart, {}));
        }
        for (const auto* view : window_->findChildren<QAbstractItemView*>())
            if (const auto* model = view->model())
                for (int i = 0; i < model->columnCount(); ++i)
                    for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                        said += model->headerData(i, Qt::Horizontal, role).toString() + QLatin1Char('\n');
        for (const char* kept :
             {"worker network", "cluster.workers", "=per_worker"})  // a resource of the paper; a field
            said.remove(QLatin1String(kept));
        const auto at = said.indexOf(QStringLiteral("worker"), 0, Qt::CaseInsensitive);
        QVERIFY2(at < 0, qPrintable(said.mid(std::max<qsizetype>(at - 200, 0), 400)));
        choose_method(Method::pipeline);
        QVERIFY(chart_svg(*find<LayerTimeChart>("layerChart"), {}).contains("per step, per worker"));
    }

    void curves_have_names() {
        choose_method(Method::cpu_cluster);
        const auto names = [this] {
            QStringList all;
            for (const auto& curve : find<SpeedupChart>("speedupChart")->data().curves) all << curve.name;
            return all;
        };
        QVERIFY2(names().contains(QStringLiteral("Replicas of 4")), qPrintable(names().join(QLatin1Char(','))));
        QVERIFY(names().contains(QStringLiteral("Replicas of 1 machine")));
    }
};

QTEST_MAIN(WindowCpuClusterTest)
#include "tst_window_cpu_cluster.moc"
