// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the real window on the offscreen platform: mouse, keys, files, undo, sessions.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>

#include "core/scenario/recompute_choice.hpp"
#include "core/support_choices.hpp"
#include "support_window.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/design/names.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/pick_list.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/slider.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class WindowTest : public QObject, window_test::WindowFixture {
    Q_OBJECT

    void type(const char* name, const char* number) {
        auto* field = find<NumberField>(name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QLatin1String(number));
        QTest::keyClick(field, Qt::Key_Return);
        settle();
    }

private slots:
    void initTestCase() {
        prepare();
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void starts_on_the_example_with_every_chart_filled() {
        QCOMPARE(scenario().cluster.workers, 32);
        QVERIFY(window_->result() && window_->result()->estimate);
        QVERIFY(find<LayerTimeChart>("layerChart")->bars().size() >= 10);
        QCOMPARE(find<StepTimeChart>("stepChart")->data().bars.size(), std::size_t{11});  // 1, 2, … 1024
        QCOMPARE(find<SpeedupChart>("speedupChart")->data().curves.size(), std::size_t{4});
    }

    void every_chart_follows_while_the_slider_is_dragged() {
        auto* slider = find<WorkerSlider>("workersSlider");
        auto* layers = find<LayerTimeChart>("layerChart");
        const auto before = layers->data();
        QSignalSpy updates(window_.get(), &MainWindow::updated);
        QPoint at(qRound(slider->x_of(32)), 14);
        QTest::mousePress(slider, Qt::LeftButton, {}, at);
        for (int x = at.x(); x <= qRound(slider->x_of(512)); x += 10) {
            QTest::mouseMove(slider, QPoint(x, 14));
            settle();
        }
        QVERIFY(updates.count() >= 5);  // the charts moved with the hand, not only at the end
        QVERIFY(scenario().cluster.workers > 300);
        QVERIFY(layers->data() != before);
        QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(qRound(slider->x_of(512)), 14));
        settle();
        QCOMPARE(find<SpeedupChart>("speedupChart")->workers(), static_cast<int>(scenario().cluster.workers));
        QCOMPARE(find<StepTimeChart>("stepChart")->data().current, static_cast<int>(scenario().cluster.workers));
        QCOMPARE(window_->document().history().count(), 1);  // a drag is one step
        window_->document().history().undo();
        settle();
        QCOMPARE(scenario().cluster.workers, 32);
        QCOMPARE(slider->value(), 32);
        QVERIFY(layers->data() == before);
    }

    void keys_move_the_slider_exactly() {
        auto* slider = find<WorkerSlider>("workersSlider");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(scenario().cluster.workers, 33);
        QTest::keyClick(slider, Qt::Key_PageUp);
        QCOMPARE(scenario().cluster.workers, 64);
        QTest::keyClick(slider, Qt::Key_Home);
        QCOMPARE(scenario().cluster.workers, 1);
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(scenario().cluster.workers, 1024);
    }

    void the_crosshair_is_the_slider() {
        auto* chart = find<SpeedupChart>("speedupChart");
        const QPoint at(qRound(chart->crosshair_x()), chart->plot_rect().center().y());
        QTest::mousePress(chart, Qt::LeftButton, {}, at);
        for (int i = 1; i <= 6; ++i) QTest::mouseMove(chart, at - QPoint(10 * i, 0));
        QTest::mouseRelease(chart, Qt::LeftButton, {}, at - QPoint(60, 0));
        settle();
        QVERIFY(scenario().cluster.workers < 32);
        QCOMPARE(find<WorkerSlider>("workersSlider")->value(), static_cast<int>(scenario().cluster.workers));
        QCOMPARE(window_->document().history().count(), 1);
    }

    void strategies_change_the_estimate() {
        const Seconds data = window_->result()->estimate->summary.step;
        for (const auto& [way, divided] :
             {std::pair("outputs", support::Divided::outputs), std::pair("hybrid", support::Divided::hybrid),
              std::pair("data", support::Divided::data)}) {
            choose(way);
            QCOMPARE(support::divided(scenario().parallelism), divided);
            QVERIFY(window_->result()->estimate);
        }
        QCOMPARE(window_->result()->estimate->summary.step.value, data.value);
    }

    /// Degrees of the mesh are typed; their product, what goes with them, and a mesh that does not come out even.
    void a_mesh_is_spelled_out() {
        QCOMPARE(scenario().cluster.workers, 32);
        QVERIFY(!find<Combo>("policy")->isVisible() && !find<NumberField>("microBatches")->isVisible());
        find<QToolButton>("divideFurther")->click();
        find<QToolButton>("moreOptions")->click();
        type("tensor", "4");
        QCOMPARE(scenario().parallelism.tensor, 4);
        QVERIFY(find<Combo>("policy")->isVisible() && !find<QCheckBox>("sequence")->isVisible());
        type("pipeline", "2");
        QVERIFY(find<NumberField>("microBatches")->isVisible());
        QVERIFY(window_->result()->estimate);
        QCOMPARE(window_->result()->estimate->summary.batch.active, 32);
        emit find<Combo>("network")->chosen(QStringLiteral("transformers/gpt-2"));
        settle();
        QVERIFY(find<QCheckBox>("sequence")->isVisible());
        QTest::mouseClick(find<QCheckBox>("sequence"), Qt::LeftButton, {}, {8, 8});
        settle();
        QVERIFY(scenario().parallelism.sequence);
        type("tensor", "3");
        QVERIFY(!window_->result()->estimate);
        QVERIFY(QString::fromStdString(to_text(window_->result()->estimate.error().front()))
                    .contains(QStringLiteral("use 30 or 36 workers")));
        for (int i = 0; i < 5; ++i) window_->document().history().undo();
        settle();
        QCOMPARE(scenario().parallelism.tensor, 1);
    }

    /// Degrees of sequences and of experts are offered where the network has some.
    void sequences_and_experts_are_divided() {
        QVERIFY(!find<NumberField>("context")->isVisible() && !find<NumberField>("expert")->isVisible());
        emit find<Combo>("network")->chosen(QStringLiteral("transformers/gpt-2"));
        settle();
        find<QToolButton>("divideFurther")->click();
        find<QToolButton>("moreOptions")->click();
        QVERIFY(find<NumberField>("context")->isVisible() && !find<Combo>("contextScheme")->isVisible());
        QVERIFY(!find<NumberField>("expert")->isVisible());
        type("context", "4");
        QCOMPARE(scenario().parallelism.context, 4);
        QCOMPARE(degrees_of(scenario())->data, 8);
        QVERIFY(find<Combo>("contextScheme")->isVisible() && window_->result()->estimate);
        emit find<Combo>("contextScheme")->chosen(QString::number(static_cast<int>(ContextScheme::heads)));
        settle();
        QCOMPARE(scenario().parallelism.context_scheme, ContextScheme::heads);
        QVERIFY(window_->result()->estimate);
        type("context", "3");
        QVERIFY(!window_->result()->estimate);
        window_->open_scenario_preset(QStringLiteral("mixtral-8x22b-h100"));
        settle();
        QVERIFY(find<NumberField>("expert")->isVisible() && window_->result()->estimate);
        const Bytes divided = window_->result()->estimate->memory.peak;
        emit find<Combo>("dispatch")->chosen(QString::number(static_cast<int>(Dispatch::each_rank)));
        settle();
        QCOMPARE(scenario().parallelism.dispatch, Dispatch::each_rank);
        type("expert", "1");
        QVERIFY(window_->result()->estimate && window_->result()->estimate->memory.peak > divided);
        QVERIFY(!find<Combo>("dispatch")->isVisible());
        type("expertTensor", "2");
        QVERIFY(scenario().parallelism.expert_tensor == 2 && window_->result()->estimate);
    }

    /// Blocks that stay wide are asked for where the precision is a recipe; another device takes back what it lacks.
    void narrow_precisions_have_wide_blocks() {
        emit find<Combo>("network")->chosen(QStringLiteral("transformers/gpt-2"));
        emit find<Combo>("device")->chosen(QStringLiteral("b200-sxm-180gb"));
        settle();
        auto* first = find<NumberField>("wideFirst");
        QVERIFY(first->isHidden() && find<NumberField>("wideLast")->isHidden());
        emit find<Combo>("precision")->chosen(QString::number(static_cast<int>(Precision::nvfp4)));
        settle();
        QCOMPARE(scenario().training.precision, Precision::nvfp4);
        QVERIFY(!first->isHidden() && !find<NumberField>("wideLast")->isHidden());
        const auto step = [&] { return window_->result()->estimate->summary.step; };
        const Seconds narrow = step();
        emit first->value_changed(12);
        settle();
        QCOMPARE(scenario().training.wide_first, std::int64_t{12});
        QVERIFY(step() > narrow);
        emit find<Combo>("device")->chosen(QStringLiteral("a100-sxm-80gb"));
        settle();
        QCOMPARE(scenario().training.precision, Precision::bf16);
        QVERIFY(first->isHidden());
    }

    /// Schedule, recomputation and sharded states appear where they change something, each edit in one step.
    void a_pipeline_has_a_schedule() {
        QVERIFY(!find<Combo>("order")->isVisible() && !find<Combo>("recompute")->isVisible());
        QVERIFY(!find<Combo>("sharded")->isVisible());
        find<QToolButton>("moreOptions")->click();
        QVERIFY(find<Combo>("sharded")->isVisible() && !find<Combo>("recompute")->isVisible());
        emit find<Combo>("network")->chosen(QStringLiteral("transformers/gpt-2"));
        settle();
        QVERIFY(find<Combo>("recompute")->isVisible());
        find<QToolButton>("divideFurther")->click();
        auto* pipeline = find<NumberField>("pipeline");
        pipeline->setFocus();
        pipeline->selectAll();
        QTest::keyClicks(pipeline, QStringLiteral("4"));
        QTest::keyClick(pipeline, Qt::Key_Return);
        settle();
        QVERIFY(find<Combo>("order")->isVisible() && !find<NumberField>("chunks")->isVisible());
        const auto choose = [&](const char* name, int item) {
            auto* combo = find<Combo>(name);
            const Bytes before = window_->result()->estimate->memory.peak;
            combo->setFocus();
            for (int i = 0; i < item; ++i) QTest::keyClick(combo, Qt::Key_Down);
            settle();
            if (!window_->result()->estimate) return 0.0;
            return window_->result()->estimate->memory.peak.value - before.value;
        };
        auto* batches = find<NumberField>("microBatches");
        batches->setFocus();
        batches->selectAll();
        QTest::keyClicks(batches, QStringLiteral("8"));
        QTest::keyClick(batches, Qt::Key_Return);
        settle();
        QVERIFY(choose("order", 1) < 0);
        QCOMPARE(scenario().parallelism.order, PipelineOrder::one_f_one_b);
        QVERIFY(choose("recompute", 2) < 0);
        QCOMPARE(scenario().parallelism.recompute, Recompute::blocks);
        auto* modules = find<PickList>("recomputeModules");
        auto* count = find<NumberField>("recomputeCount");
        QVERIFY(modules->isHidden() && count->isHidden());
        choose("recompute", 2);
        QVERIFY(!modules->isHidden() && count->isHidden());
        QCOMPARE(recompute_text(scenario().parallelism.recompute), std::string("core_attn"));
        modules->open();
        modules->button(QStringLiteral("all"))->click();
        settle();
        modules->close_popup();
        QCOMPARE(modules_of(scenario().parallelism.recompute), 127U);
        QCOMPARE(find<Combo>("recompute")->current_text(), QStringLiteral("modules"));
        choose("recompute", 1);
        QVERIFY(modules->isHidden() && !count->isHidden());
        QCOMPARE(scenario().parallelism.recompute, Recompute::uniform);
        Scenario back = scenario();
        back.parallelism.recompute = Recompute::blocks;
        window_->document().edit(std::move(back));
        settle();
        QVERIFY(choose("sharded", 2) < 0);
        QCOMPARE(scenario().parallelism.sharded, Sharded::gradients);
        QCOMPARE(find<Combo>("trainer")->current_text(), QStringLiteral("Ideal"));
        QVERIFY(choose("trainer", 1) > 0);
        QVERIFY(scenario().model.trainer.placeholders);
        QCOMPARE(find<Combo>("trainer")->current_text(), QStringLiteral("Megatron-LM, Transformer Engine"));
        choose("order", 1);
        QCOMPARE(scenario().parallelism.order, PipelineOrder::interleaved);
        QVERIFY(find<NumberField>("chunks")->isVisible());
        WindowFixture::choose("hybrid");
        QVERIFY(window_->result()->estimate.has_value());  // hybrid took back what it does not know
        QCOMPARE(scenario().parallelism.sharded, Sharded::nothing);
    }

    void what_is_typed_is_undone_at_once() {
        auto* batch = find<NumberField>("batch");
        QCOMPARE(scenario().training.batch, 128);
        const int steps = window_->document().history().count();
        batch->setFocus();
        batch->selectAll();
        QTest::keyClicks(batch, QStringLiteral("512"));
        QCOMPARE(scenario().training.batch, 512);
        QTest::keyClick(batch, Qt::Key_Return);
        QCOMPARE(window_->document().history().count(), steps + 1);
        batch->selectAll();
        QTest::keyClicks(batch, QStringLiteral("96"));
        QTest::keyClick(batch, Qt::Key_Tab);
        QCOMPARE(window_->document().history().count(), steps + 2);
        window_->document().history().undo();
        QCOMPARE(scenario().training.batch, 512);
        window_->document().history().undo();
        QCOMPARE(scenario().training.batch, 128);
    }

    void an_impossible_choice_is_explained_in_place() {
        choose("layers");
        QVERIFY(!window_->result()->estimate);  // 15 layers, 32 workers
        QVERIFY(find<LayerTimeChart>("layerChart")->bars().empty());
        QVERIFY(!find<LayerTimeChart>("layerChart")->data().empty_reason.isEmpty());
        window_->document().history().undo();
        settle();
        QVERIFY(window_->result()->estimate);
    }

    void a_network_is_chosen_and_undone() {
        auto* combo = find<Combo>("network");
        emit combo->chosen(QStringLiteral("vgg-16"));
        settle();
        QCOMPARE(scenario().network()->name(), std::string("VGG-16"));
        QVERIFY(window_->document().history().undoText().contains(QLatin1String("VGG-16")));
        window_->document().history().undo();
        QVERIFY(scenario().network()->name() != "VGG-16");
    }

    void saves_and_opens_to_the_same_numbers() {
        find<NumberField>("batch")->choose(96);
        settle();
        const Summary before = window_->result()->estimate->summary;
        const QString file = folder_.filePath(QStringLiteral("a.json"));
        QVERIFY(window_->save_to(file));
        QVERIFY(!window_->document().dirty());
        window_->reset_to_example();
        settle();
        QVERIFY(!(window_->result()->estimate->summary == before));
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        QVERIFY(window_->result()->estimate->summary == before);
    }

    void a_scenario_is_offered_a_name_that_the_desktop_knows() {
        QString offered;
        QTimer::singleShot(0, this, [&] {
            for (QWidget* w : QApplication::topLevelWidgets()) {
                auto* dialog = qobject_cast<QFileDialog*>(w);
                if (!dialog) continue;
                auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
                offered = name->text();
                name->setText(folder_.filePath(QStringLiteral("mine")));
                QMetaObject::invokeMethod(dialog, "accept");
            }
        });
        for (QAction* a : window_->findChildren<QAction*>())
            if (a->shortcut() == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)) a->trigger();
        QVERIFY2(offered.endsWith(QLatin1String(".scalescope.json")), offered.toUtf8());
        QVERIFY(QFile::exists(folder_.filePath(QStringLiteral("mine.scalescope.json"))));
    }

    void a_failed_save_says_so_and_keeps_the_document_dirty() {
        find<NumberField>("batch")->choose(64);
        QVERIFY(!window_->save_to(folder_.filePath(QStringLiteral("no/such/folder/a.json"))));
        QVERIFY(window_->document().dirty());
    }

    void a_broken_file_keeps_the_last_good_state() {
        const QString file = folder_.filePath(QStringLiteral("broken.json"));
        QFile f(file);
        QVERIFY(f.open(QIODevice::WriteOnly));
        f.write(
            "{\n  \"format\": \"scalescope-network\", \"version\": 1, \"name\": \"x\",\n  \"layers\": [ {\"name\": "
            "\"a\", \"kind\": \"convolutoin\"} ]\n}\n");
        f.close();
        const LiveResultPtr before = window_->result();
        window_->open(file);
        QVERIFY(!window_->finish_opening());
        settle();
        QCOMPARE(window_->result()->request.scenario.network(), before->request.scenario.network());
        auto* problems = window_->findChild<ProblemsView*>();
        QVERIFY(problems && problems->isVisible());
        QVERIFY(problems->error_count() >= 1);
    }

    void dropping_a_file_opens_it() {
        const QString file = folder_.filePath(QStringLiteral("drop.json"));
        find<NumberField>("batch")->choose(48);
        QVERIFY(window_->save_to(file));
        window_->reset_to_example();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window_.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window_.get(), &drop);
        QVERIFY(window_->finish_opening());
        QCOMPARE(scenario().training.batch, 48);
    }

    void every_scenario_preset_opens_and_has_an_answer() {
        for (const auto& preset : window_->library().scenarios) {
            window_->open_scenario_preset(QString::fromStdString(preset.id));
            settle();
            QVERIFY2(window_->result()->estimate, preset.id.c_str());
        }
    }

    void a_killed_session_comes_back() {
        const QString sessions = folder_.filePath(QStringLiteral("sessions"));
        SessionSnapshot kept;
        {
            // What a process leaves that never came to close(): its snapshot, and a lock that nobody holds.
            Session session(sessions);
            session.keep({"text of the scenario", QStringLiteral("/some/file.json"), true, false});
            session.flush();
        }
        Session next(sessions);
        const auto left = next.take_left_behind();
        QVERIFY(left.has_value());
        QCOMPARE(left->scenario_text, std::string("text of the scenario"));
        QVERIFY(left->crashed && left->dirty);
        QVERIFY(!next.take_left_behind().has_value());  // found once only
    }

    /// A window that is killed while it takes over a session has kept the example by then, later than that session.
    void unsaved_work_comes_before_a_newer_session_without_any() {
        const QString sessions = folder_.filePath(QStringLiteral("killed_twice"));
        const auto leave = [&](const char* text, bool dirty) {
            Session session(sessions);
            session.keep({text, {}, dirty, false});
            session.flush();
        };
        leave("work", true);
        leave("example", false);
        Session next(sessions);
        const auto left = next.take_left_behind();
        QVERIFY(left.has_value());
        QCOMPARE(left->scenario_text, std::string("work"));
        QVERIFY(!next.take_left_behind().has_value());  // the other is of no use
    }

    void a_session_that_ended_by_itself_goes_on_quietly() {
        const QString sessions = folder_.filePath(QStringLiteral("ended"));
        {
            Session session(sessions);
            session.keep({"text", {}, false, false});
            session.close();
        }
        Session next(sessions);
        const auto left = next.take_left_behind();
        QVERIFY(left && !left->crashed);
    }

    void dark_and_light_switch_while_running() {
        apply_theme(*qApp, ThemeChoice::dark);
        QVERIFY(theme().dark);
        QCoreApplication::processEvents();
        QVERIFY(!window_->grab().isNull());
        apply_theme(*qApp, ThemeChoice::light);
        QVERIFY(!theme().dark);
    }

    void controls_have_accessible_names() {
        for (const char* name : {"workersSlider", "workersField", "batch", "way", "collective", "batchRule", "overlap",
                                 "network", "device", "nodes", "perNode", "between", "percentCompute"})
            QVERIFY2(!find<QWidget>(name)->accessibleName().isEmpty(), name);
        for (const auto& entry : window_->charts())
            QVERIFY2(!entry.second->accessibleName().isEmpty() || !entry.second->title().isEmpty(),
                     qPrintable(entry.first));
    }

    /// Sizes of its own and devices inside nodes leave the network a few layers to see; the forms scroll.
    void layers_keep_room_beside_forms_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QSize>("then");
        QTest::newRow("full") << QSize(1440, 900) << QSize(1440, 900);
        QTest::newRow("compact") << QSize(1280, 800) << QSize(1280, 800);
        QTest::newRow("small") << QSize(1024, 768) << QSize(1024, 768);
        QTest::newRow("made low") << QSize(1440, 1100) << QSize(1440, 850);
        QTest::newRow("made small") << QSize(1440, 900) << QSize(1024, 700);
    }
    void layers_keep_room_beside_forms() {
        QFETCH(QSize, size);
        QFETCH(QSize, then);
        window_->resize(size);
        Scenario s = with_network(scenario(), window_->library().network("transformers/llama-3-70b").value());
        s.cluster.devices_per_node = 8;
        window_->document().edit(std::move(s));
        settle();
        window_->resize(then);
        settle();
        QCoreApplication::processEvents();
        QCOMPARE(window_->size(), then);
        auto* list = find<QWidget>("layers");
        QVERIFY2(list->height() >= list->minimumHeight(), qPrintable(QString::number(list->height())));
        QCOMPARE(list->visibleRegion().boundingRect().height(), list->height());
    }
};

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
