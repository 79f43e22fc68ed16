// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/states.hpp"

#include <QAbstractButton>
#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QMenuBar>
#include <QMouseEvent>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "tests/shots/hands.hpp"
#include "ui/canvas/canvas_notes.hpp"
#include "ui/charts/device_map_chart.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/tornado_chart.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/design/cluster_panel.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/names.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/order_chips.hpp"
#include "ui/widgets/pick_list.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/slider.hpp"
#include "ui/widgets/tabs.hpp"

namespace scalescope::shots {
namespace {

constexpr const char* broken_network = R"({
  "format": "scalescope-network",
  "version": 1,
  "name": "AlexNet, wide",
  "layers": [
    {"name": "data", "kind": "input", "shape": ["batch", 224, 224, 3]},
    {"name": "conv1", "kind": "convolution", "inputs": ["data"], "filters": 64, "kernel": [11, 11], "stride": [4, 4]},
    {"name": "pool1", "kind": "pooling", "inputs": ["conv1"], "mode": "max", "kernel": [3, 3], "strides": [2, 2]},
    {"name": "conv2", "kind": "convolutoin", "inputs": ["pool1"], "filters": 192, "kernel": [5, 5], "padding": "same"},
    {"name": "pool2", "kind": "pooling", "inputs": ["conv_2"], "mode": "max", "kernel": [3, 3], "stride": [2, 2]},
    {"name": "fc6", "kind": "dense", "inputs": ["pool2"], "units": -4096}
  ]
}
)";

/// Strong scaling: the design with most walls.
void total_batch(MainWindow& w) {
    Scenario s = w.document().scenario();
    s.training.batch_rule = BatchRule::total;
    s.training.batch = 256;
    w.document().edit(std::move(s));
    settle(w);
}

void open_broken(MainWindow& w) {
    const QString file = QDir::tempPath() + QStringLiteral("/alexnet-wide.json");
    QFile f(file);
    if (!f.open(QIODevice::WriteOnly)) return;
    f.write(broken_network);
    f.close();
    w.open(file);
    w.finish_opening();
    settle(w);
}

}  // namespace

void settle(MainWindow& window) {
    for (int i = 0; i < 2; ++i) {
        QCoreApplication::processEvents();
        window.finish_answers();
        QCoreApplication::processEvents();
        // Edits in quick succession are answered in full, and analysed, when the hand rests.
        const auto full = [&window] { return !window.result() || !window.result()->request.dragging; };
        if (!window.document().dragging() && !QTest::qWaitFor(full)) qFatal("no full answer");
        window.analyst().finish();
        window.mesh_curve().finish();
        if (const auto* notes = window.findChild<CanvasNotes*>())
            if (!QTest::qWaitFor([notes] { return !notes->is_looking(); })) qFatal("notes find no rest");
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

std::vector<State> all_states() {
    std::vector<State> states;
    const auto add = [&](const char* name, QSize size, std::function<void(MainWindow&)> reach) {
        states.push_back({QLatin1String(name), size, std::move(reach)});
    };
    add("start", usual, [](MainWindow&) {});
    const auto searched = [](const char* words) {
        return [words](MainWindow& w) {
            Scenario s = w.document().scenario();
            s.model.interference = Fraction{0.15};
            w.document().edit(std::move(s));
            find<QAction>(w, "allSettings")->trigger();
            QTest::keyClicks(find<QLineEdit>(w, "settingsSearch"), QLatin1String(words));
            settle(w);
        };
    };
    add("settings-search", usual, searched("overlap"));
    add("1280x800-settings-search", {1280, 800}, searched("gradient"));
    add("settings-nothing", usual, searched("weather"));
    add("1280x800-settings", {1280, 800}, [](MainWindow& w) { section(w, 0); });
    add("mid-drag", usual, [](MainWindow& w) {
        auto* slider = find<WorkerSlider>(w, "workersSlider");
        QTest::mousePress(slider, Qt::LeftButton, {}, {qRound(slider->x_of(32)), 14});
        QTest::mouseMove(slider, {qRound(slider->x_of(100)), 14});
        QTest::mouseMove(slider, {qRound(slider->x_of(200)), 14});
        settle(w);
    });
    add("out-of-memory", usual, [](MainWindow& w) {
        w.document().pin();
        emit find<Combo>(w, "network")->chosen(QStringLiteral("transformers/llama-2-7b"));
        emit find<Combo>(w, "device")->chosen(QStringLiteral("h100-sxm-80gb"));
        settle(w);
    });
    add("out-of-memory-from-some-count", usual, [](MainWindow& w) {
        choose_way(w, "outputs");
        emit find<Combo>(w, "network")->chosen(QStringLiteral("vgg-16"));
        settle(w);
    });
    add("no-cpu-cluster", usual, [](MainWindow& w) {
        QTest::keyClick(&w, Qt::Key_7, Qt::ControlModifier);
        settle(w);
    });
    add("nothing-stale", usual, [](MainWindow& w) {
        QTest::keyClick(&w, Qt::Key_8, Qt::ControlModifier);
        settle(w);
    });
    add("overlap", usual, [](MainWindow& w) {
        emit find<Combo>(w, "overlap")->chosen(QStringLiteral("1"));
        settle(w);
    });
    add("outputs", usual, [](MainWindow& w) { choose_way(w, "outputs"); });
    add("layers-8-workers", usual, [](MainWindow& w) {
        set_workers(w, 8);
        choose_way(w, "layers");
        find<NumberField>(w, "microBatches")->choose(8);
        settle(w);
    });
    add("stages-by-hand", usual, [](MainWindow& w) {
        set_workers(w, 6);
        choose_way(w, "layers");
        emit find<Combo>(w, "stages")->chosen(QStringLiteral("hand"));
        settle(w);
    });
    const auto timeline_alone = [](MainWindow& w) {
        settle(w);
        page(w, "timeline");
        find<QToolButton>(w, "pageAlone")->click();
        settle(w);
        return w.findChild<TimelineChart*>();
    };
    const auto mesh = [](MainWindow& w) {
        emit find<Combo>(w, "network")->chosen(QStringLiteral("transformers/gpt-2"));
        find<NumberField>(w, "batch")->choose(2);
        find<NumberField>(w, "tensor")->choose(4);
        find<NumberField>(w, "pipeline")->choose(2);
        find<NumberField>(w, "microBatches")->choose(4);
        settle(w);
    };
    add("mesh", usual, mesh);
    add("mesh-timeline", usual, [mesh](MainWindow& w) {
        mesh(w);
        page(w, "timeline");
    });
    add("timeline-followed", usual, [mesh, timeline_alone](MainWindow& w) {
        mesh(w);
        auto* chart = timeline_alone(w);
        for (const Qt::Key key : {Qt::Key_Home, Qt::Key_M, Qt::Key_Right}) QTest::keyClick(chart, key);
    });
    add("timeline-found", usual, [timeline_alone](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        auto* chart = timeline_alone(w);
        QTest::keyClick(chart, Qt::Key_Slash);
        QTest::keyClicks(chart->findChild<QLineEdit*>(), QStringLiteral("stage 2 gradients 5"));
        settle(w);
    });
    const auto preset = [](const char* id) {
        return [id](MainWindow& w) {
            w.open_scenario_preset(QLatin1String(id));
            settle(w);
        };
    };
    const auto gpt3 = preset("gpt-3-175b-a100");
    add("gpt-3", usual, gpt3);
    add("llama-3-70b", usual, preset("llama-3-70b-h100"));
    for (const auto& [name, topic] :
         {std::pair{"why-product-pass", Topic::layer_pass}, {"why-product", Topic::layer_product}})
        add(name, usual, [topic = topic](MainWindow& w) {
            w.open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
            settle(w);
            ask(w, topic, 3, topic == Topic::layer_product ? 0 : -1);  // the first block's q
        });
    add("1024x768-llama-3-70b", {1024, 768}, preset("llama-3-70b-h100"));
    add("1280x800-llama-3-70b", {1280, 800}, preset("llama-3-70b-h100"));
    add("timeline-zoomed", usual, [timeline_alone](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        auto* chart = timeline_alone(w);
        const Range all = chart->x_range();
        chart->set_view({Range{all.size() * 0.1, all.size() * 0.16}, std::nullopt, {}});
    });
    add("2560x1440-llama-3-70b", {2560, 1440}, preset("llama-3-70b-h100"));
    const auto all_data = [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        emit find<Combo>(w, "way")->chosen(QStringLiteral("data"));
        settle(w);
        w.analyst().finish();
    };
    const auto automatic = [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        find<QToolButton>(w, "lock_pipeline")->setChecked(true);
        find<QToolButton>(w, "lock_tensor")->setChecked(true);
        emit find<Combo>(w, "way")->chosen(QStringLiteral("auto"));
        w.findChild<WorkersPanel*>()->finish_mesh();
        settle(w);
        w.analyst().finish();
    };
    add("auto", usual, automatic);
    add("1280x800-auto", {1280, 800}, automatic);
    add("does-not-divide", usual, [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        find<NumberField>(w, "workersField")->choose(500);
        settle(w);
    });
    add("does-not-fit", usual, all_data);
    add("1280x800-does-not-fit", {1280, 800}, all_data);
    const auto device_map = [](const char* id, std::int64_t workers, std::int64_t device) {
        return [=](MainWindow& w) {
            w.open_scenario_preset(QLatin1String(id));
            if (workers > 0) {
                Scenario s = w.document().scenario();
                s.cluster.workers = workers;
                w.document().edit(std::move(s));
            }
            settle(w);
            page(w, "device-map");
            auto* map = find<DeviceMapChart>(w, "deviceMap");
            map->refresh();
            hover(map, map->cell_box(device).center().toPoint());
        };
    };
    add("device-map", usual, device_map("llama-3-70b-h100", 0, 137));
    add("1280x800-device-map", {1280, 800}, device_map("llama-3-70b-h100", 0, 137));
    add("device-map-16384", usual, device_map("llama-3-70b-h100", 16384, 8000));
    add("device-map-unfolded", usual, [device_map](MainWindow& w) {
        device_map("llama-3-70b-h100", 16384, 8000)(w);
        auto* map = find<DeviceMapChart>(w, "deviceMap");
        map->unfold(8000);
        map->refresh();
        hover(map, map->cell_box(8003).center().toPoint());
    });
    add("device-map-order", {1280, 800}, [device_map](MainWindow& w) {
        device_map("llama-3-70b-h100", 0, 137)(w);
        auto* chip = find<OrderChips>(w, "mapOrder")->chip(id_of(MeshAxis::data));
        QTest::mousePress(chip, Qt::LeftButton);
        const QPoint at = chip->rect().center() + QPoint(30, 0);
        QMouseEvent move(QEvent::MouseMove, at, chip->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(chip, &move);
    });
    add("device-map-domains", usual, device_map("deepseek-v3-gb200", 0, 100));
    add("device-map-data", usual, device_map("example", 0, 5));
    const auto roofline = [](const char* id) {
        return [id](MainWindow& w) {
            w.open_scenario_preset(QLatin1String(id));
            settle(w);
            page(w, "roofline");
        };
    };
    add("roofline", usual, roofline("llama-3-70b-h100"));
    add("1280x800-roofline", {1280, 800}, roofline("llama-3-70b-h100"));
    add("roofline-experts", usual, roofline("deepseek-v3-h100"));
    add("roofline-images", usual, roofline("resnet-50-a100"));
    const auto goodput = [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("llama-3-405b-h100"));
        Scenario s = w.document().scenario();
        s.reliability.device_mtbf = Hours{50700};
        w.document().edit(std::move(s));
        settle(w);
        section(w, 4);
        ask(w, Topic::goodput);
    };
    add("goodput", usual, goodput);
    add("1280x800-goodput", {1280, 800}, goodput);
    add("context", usual, preset("llama-3-8b-long-h100"));
    add("experts", usual, preset("mixtral-8x22b-h100"));
    add("1280x800-experts", {1280, 800}, preset("mixtral-8x22b-h100"));
    add("deepseek", usual, preset("deepseek-v3-h100"));
    add("gpt-3-misfit", usual, [gpt3](MainWindow& w) {
        gpt3(w);
        emit find<Combo>(w, "order")->chosen(id_of(PipelineOrder::fill_drain));
        settle(w);
    });
    add("schedule-timeline", usual, [](MainWindow& w) {
        set_workers(w, 8);
        find<NumberField>(w, "pipeline")->choose(4);
        find<NumberField>(w, "microBatches")->choose(8);
        emit find<Combo>(w, "order")->chosen(id_of(PipelineOrder::interleaved));
        page(w, "timeline");
    });
    add("mesh-uneven", usual, [](MainWindow& w) {
        find<NumberField>(w, "tensor")->choose(3);
        settle(w);
    });
    add("layers-impossible", usual, [](MainWindow& w) { choose_way(w, "layers"); });
    add("hybrid", usual, [](MainWindow& w) { choose_way(w, "hybrid"); });
    add("hybrid-one-sender", usual, [](MainWindow& w) {
        choose_way(w, "hybrid");
        emit find<Combo>(w, "scheme")->chosen(QStringLiteral("1"));
        settle(w);
    });
    add("why-layer", usual, [](MainWindow& w) { select_layer(w, 2); });
    add("why-layer-pass", usual, [](MainWindow& w) { ask(w, Topic::layer_pass, 3); });
    add("why-message", usual, [](MainWindow& w) { ask(w, Topic::message); });
    add("why-communication", usual, [](MainWindow& w) { ask(w, Topic::communication); });
    add("why-speedup", usual, [](MainWindow& w) { ask(w, Topic::speedup); });
    add("why-memory", usual, [](MainWindow& w) { ask(w, Topic::memory); });
    add("hover-layer", usual, [](MainWindow& w) {
        auto* chart = find<LayerTimeChart>(w, "layerChart");
        hover(chart, chart->bar_box(8).center().toPoint());
    });
    add("hover-speedup", usual, [](MainWindow& w) {
        auto* chart = find<SpeedupChart>(w, "speedupChart");
        hover(chart, chart->plot_rect().center() + QPoint(60, 0));
    });
    add_canvas_states(states);
    add_cpu_states(states);
    add_measure_states(states);
    add_search_states(states);
    add_lesson_states(states);
    add("problems-none", usual, [](MainWindow& w) { page(w, "problems"); });
    add("problems-file", usual, open_broken);
    add("layer-table", usual, [](MainWindow& w) {
        page(w, "layers");
        select_layer(w, 8);
    });
    add("timeline", usual, [](MainWindow& w) { page(w, "timeline"); });
    add("timeline-layers", usual, [](MainWindow& w) {
        set_workers(w, 8);
        choose_way(w, "layers");
        find<NumberField>(w, "microBatches")->choose(8);
        page(w, "timeline");
    });
    add("timeline-overlap", usual, [](MainWindow& w) {
        emit find<Combo>(w, "overlap")->chosen(QStringLiteral("1"));
        page(w, "timeline");
    });
    const auto paleo = [](MainWindow& w) {
        emit find<Combo>(w, "method")->chosen(QString::number(static_cast<int>(Method::paleo_head)));
        auto* corrections = find<PickList>(w, "paleoCorrections");
        QStringList ids;
        for (const ComboItem& item : corrections->items()) ids << item.id;
        corrections->set_picked(ids.mid(1));
        emit corrections->picked_changed();
        page(w, "paleo");
        section(w, 0);
    };
    add("paleo", usual, paleo);
    add("1280x800-paleo", {1280, 800}, paleo);
    add("paleo-not", usual, [paleo](MainWindow& w) {
        paleo(w);
        choose_network(w, "alexnet-two-tower");
    });
    add("sensitivity", usual, [](MainWindow& w) { page(w, "sensitivity"); });
    add("compare-nothing", usual, [](MainWindow& w) { page(w, "compare"); });
    const auto compared = [](MainWindow& w, int pins) {
        for (int i = 0; i < pins; ++i) {
            w.document().pin();
            Scenario s = w.document().scenario();
            s.cluster.workers *= 2;
            s.training.batch -= 8;
            if (i == 0) s.parallelism.overlap = Overlap::buckets;
            w.document().edit(std::move(s));
        }
        settle(w);
        page(w, "compare");
    };
    add("compare", usual, [compared](MainWindow& w) { compared(w, 1); });
    add("compare-four", usual, [compared](MainWindow& w) { compared(w, 4); });
    add("compare-small", {1024, 700}, [compared](MainWindow& w) { compared(w, 2); });
    add("sensitivity-hover", usual, [](MainWindow& w) {
        total_batch(w);
        page(w, "sensitivity");
        auto* chart = find<TornadoChart>(w, "sensitivityChart");
        hover(chart, chart->row_box(1).center().toPoint());
    });
    add("sensitivity-throughput", usual, [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("resnet-50-a100"));
        page(w, "sensitivity");
        auto* objective = find<Combo>(w, "objective");
        objective->set_current(QStringLiteral("throughput"));
        emit objective->chosen(QStringLiteral("throughput"));
        settle(w);
    });
    add("walls", usual, [](MainWindow& w) {
        total_batch(w);
        auto* chart = find<SpeedupChart>(w, "speedupChart");
        if (chart->guides().empty()) qFatal("no walls");
        const int n = chart->guides().front().workers;
        hover(chart, QPoint(qRound(chart->x_pixel(n)), chart->plot_rect().top() + 20));
    });
    add("training", usual, [](MainWindow& w) { section(w, 1); });
    add("training-sharded", {1440, 1300}, [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        section(w, 2);
        auto* sharded = find<Combo>(w, "sharded");
        emit sharded->chosen(QStringLiteral("3"));
        w.document().change([](Scenario& s) { s.parallelism.offload_states = Fraction{0.5}; });
        emit find<Combo>(w, "offloadActivations")->chosen(QString::number(static_cast<int>(Recompute::modules)));
        settle(w);
    });
    add("options", usual, [](MainWindow& w) { section(w, 3); });
    add("two-devices-a-node", usual, [](MainWindow& w) {
        find<NumberField>(w, "perNode")->choose(4);
        settle(w);
    });
    add("device-editor", usual, [](MainWindow& w) {
        emit w.findChild<ClusterPanel*>()->edit_device_asked();
        settle(w);
    });
    add("link-editor", usual, [](MainWindow& w) {
        emit w.findChild<ClusterPanel*>()->edit_link_asked(false);
        settle(w);
    });
    add("device-list", usual, [](MainWindow& w) { find<Combo>(w, "device")->open(); });
    add("network-list", usual, [](MainWindow& w) { find<Combo>(w, "network")->open(); });
    add("menu-file", usual, [](MainWindow& w) { main_menu(w, 0, 1); });
    add("menu-edit", usual, [](MainWindow& w) {
        set_workers(w, 64);
        main_menu(w, 1);
    });
    add("menu-view", usual, [](MainWindow& w) { main_menu(w, 2, 0); });
    add("menu-scenario", usual, [](MainWindow& w) { main_menu(w, 3); });
    add("menu-lessons", usual, [](MainWindow& w) { main_menu(w, 4); });
    add("menu-help", usual, [](MainWindow& w) { main_menu(w, 5); });
    add_help_states(states);
    add("menu-chart", usual, [](MainWindow& w) { chart_menu(find<LayerTimeChart>(w, "layerChart")); });
    add("chart-table", usual, [](MainWindow& w) {
        find<LayerTimeChart>(w, "layerChart")->show_table(true);
        find<StepTimeChart>(w, "stepChart")->show_table(true);
        find<SpeedupChart>(w, "speedupChart")->show_table(true);
    });
    add("inception-v3", usual, [](MainWindow& w) { choose_network(w, "inception-v3"); });
    add("inception-v3-table", usual, [](MainWindow& w) {
        choose_network(w, "inception-v3");
        page(w, "layers");
    });
    add("dcgan", usual, [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("dcgan"));
        settle(w);
    });
    add("resnet-50-a100", usual, [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("resnet-50-a100"));
        settle(w);
    });
    for (const auto& [name, size] : std::vector<std::pair<const char*, QSize>>{
             {"1280x800", {1280, 800}}, {"1024x700", {1024, 700}}, {"1920x1080", {1920, 1080}}}) {
        add(name, size, [](MainWindow&) {});
        const QByteArray sensitive = QByteArray(name) + "-sensitivity";
        add(sensitive.constData(), size, [](MainWindow& w) {
            total_batch(w);
            page(w, "sensitivity");
        });
        const QByteArray problems = QByteArray(name) + "-problems", hybrid = QByteArray(name) + "-hybrid";
        add(problems.constData(), size, open_broken);
        add(hybrid.constData(), size, [](MainWindow& w) { choose_way(w, "hybrid"); });
    }
    // 1920 × 1200 at 200 %, as far as the window can be as low; charts that have no room are folded.
    add("folded-page", {1024, 700}, [](MainWindow& w) { page(w, "sensitivity"); });
    add("folded-other", {1024, 700}, [](MainWindow& w) {
        page(w, "sensitivity");
        for (auto* b : find<QWidget>(w, "foldBar")->findChildren<QPushButton*>())
            if (b->isVisible()) b->click();
        settle(w);
    });
    add("1280x800-gpt-3", {1280, 800}, [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("gpt-3-175b-a100"));
        w.findChild<QWidget*>(QStringLiteral("recompute"))->setFocus();
        settle(w);
    });
    add("1920x1080-modules", {1920, 1080}, [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("deepseek-v3-h100"));
        emit find<Combo>(w, "recompute")->chosen(QString::number(static_cast<int>(Recompute::modules)));
        settle(w);
        section(w, 2);
    });
    add("1920x1080-narrow", {1920, 1080}, [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        emit find<Combo>(w, "precision")->chosen(QString::number(static_cast<int>(Precision::fp8)));
        settle(w);
        section(w, 1);
    });
    add("1280x800-stages", {1280, 800}, [](MainWindow& w) {
        set_workers(w, 4);
        choose_way(w, "layers");
        emit find<Combo>(w, "stages")->chosen(QStringLiteral("hand"));
        page(w, "timeline");
    });
    add("1280x800-why", {1280, 800}, [](MainWindow& w) {
        w.findChild<SideTabs*>()->tab(QStringLiteral("why"))->click();
        settle(w);
    });
    return states;
}

}  // namespace scalescope::shots
