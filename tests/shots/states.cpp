// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/states.hpp"

#include <QCheckBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QTest>

#include "ui/canvas/border_item.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/design/cluster_panel.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/layer_list.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/slider.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/help_dialogs.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::shots {
namespace {

using namespace scalescope::ui;

constexpr QSize usual(1440, 900);

template <class T>
T* find(MainWindow& w, const char* name) {
    T* widget = w.findChild<T*>(QLatin1String(name));
    if (!widget) qFatal("no widget %s", name);
    return widget;
}

void choose_network(MainWindow& w, const char* id) {
    emit find<Combo>(w, "network")->chosen(QLatin1String(id));
    settle(w);
}

void choose_strategy(MainWindow& w, Strategy strategy) {
    QTest::mouseClick(find<SegmentedControl>(w, "strategy")->button(QString::number(static_cast<int>(strategy))),
                      Qt::LeftButton);
    settle(w);
}

void set_workers(MainWindow& w, int n) {
    find<NumberField>(w, "workersField")->choose(n);
    settle(w);
}

void page(MainWindow& w, const char* id) {
    auto* tabs = w.findChild<BottomTabs*>();
    if (!tabs->tab(QLatin1String(id))) qFatal("no page %s", id);
    if (tabs->current() != QLatin1String(id)) tabs->tab(QLatin1String(id))->click();
    settle(w);
}

void side_page(MainWindow& w, int index) {
    find<DockCard>(w, "modelDock")->set_current_page(index);
    settle(w);
}

void select_layer(MainWindow& w, int row) {
    auto* list = find<LayerList>(w, "layers")->view();
    list->setCurrentIndex(list->model()->index(row, 0));
    settle(w);
}

void ask(MainWindow& w, Topic topic, int layer = -1) {
    Item item;
    item.topic = topic;
    item.layer = layer;
    emit w.findChild<WhyPanel*>()->asked(item);
    settle(w);
}

void hover(QWidget* widget, QPoint at) {
    QTest::mouseMove(widget, at - QPoint(2, 2));
    QTest::mouseMove(widget, at);
    QCoreApplication::processEvents();
}

void main_menu(MainWindow& w, int index, int sub = -1) {
    QAction* action = w.menuBar()->actions().value(index);
    QMenu* menu = action->menu();
    menu->popup(w.menuBar()->mapToGlobal(w.menuBar()->actionGeometry(action).bottomLeft()));
    QCoreApplication::processEvents();
    if (sub < 0) return;
    int seen = 0;
    for (QAction* a : menu->actions())
        if (a->menu() && seen++ == sub) {
            menu->setActiveAction(a);
            emit a->menu()->aboutToShow();
            a->menu()->popup(menu->mapToGlobal(menu->actionGeometry(a).topRight()));
        }
    QCoreApplication::processEvents();
}

void chart_menu(Chart* chart) {
    auto* menu = new QMenu(chart);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    chart->fill_menu(*menu);
    menu->popup(chart->mapToGlobal(chart->rect().center()));
    QCoreApplication::processEvents();
}

CanvasView* canvas(MainWindow& w, const char* network = nullptr) {
    if (network) choose_network(w, network);
    for (QAction* a : w.findChildren<QAction*>())
        if (a->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_G) && !a->isChecked()) a->trigger();
    settle(w);
    return find<CanvasView>(w, "canvasView");
}

CanvasScene& scene_of(CanvasView* view) { return *qobject_cast<CanvasScene*>(view->scene()); }

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
        window.live().finish();
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

std::vector<State> all_states() {
    std::vector<State> states;
    const auto add = [&](const char* name, QSize size, std::function<void(MainWindow&)> reach) {
        states.push_back({QLatin1String(name), size, std::move(reach)});
    };
    add("start", usual, [](MainWindow&) {});
    add("mid-drag", usual, [](MainWindow& w) {
        auto* slider = find<WorkerSlider>(w, "workersSlider");
        QTest::mousePress(slider, Qt::LeftButton, {}, {qRound(slider->x_of(32)), 14});
        QTest::mouseMove(slider, {qRound(slider->x_of(100)), 14});
        QTest::mouseMove(slider, {qRound(slider->x_of(200)), 14});
        settle(w);
    });
    add("overlap", usual, [](MainWindow& w) {
        emit find<Combo>(w, "overlap")->chosen(QStringLiteral("1"));
        settle(w);
    });
    add("outputs", usual, [](MainWindow& w) { choose_strategy(w, Strategy::outputs); });
    add("layers-8-workers", usual, [](MainWindow& w) {
        set_workers(w, 8);
        choose_strategy(w, Strategy::layers);
        find<NumberField>(w, "microBatches")->choose(8);
        settle(w);
    });
    add("stages-by-hand", usual, [](MainWindow& w) {
        set_workers(w, 6);
        choose_strategy(w, Strategy::layers);
        emit find<Combo>(w, "stages")->chosen(QStringLiteral("hand"));
        settle(w);
    });
    add("layers-impossible", usual, [](MainWindow& w) { choose_strategy(w, Strategy::layers); });
    add("hybrid", usual, [](MainWindow& w) { choose_strategy(w, Strategy::hybrid); });
    add("hybrid-one-sender", usual, [](MainWindow& w) {
        choose_strategy(w, Strategy::hybrid);
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
    add("canvas", usual, [](MainWindow& w) { canvas(w); });
    add("canvas-block", usual, [](MainWindow& w) {
        auto* view = canvas(w, "inception-v3");
        view->toggle("Mixed_5b");
        scene_of(view).select({"Mixed_5b"});
        view->centerOn(scene_of(view).box("Mixed_5b")->sceneBoundingRect().center());
        settle(w);
    });
    add("canvas-fit", usual, [](MainWindow& w) {
        auto* view = canvas(w, "densenet-121");
        scene_of(view).unfold_all();
        view->fit();
        settle(w);
    });
    add("canvas-residual", usual, [](MainWindow& w) {
        auto* view = canvas(w, "resnet-50");
        scene_of(view).unfold_all();
        view->set_zoom(0.7);
        view->show_box(*scene_of(view).boxes()[30]);
        settle(w);
    });
    add("canvas-transformer", usual, [](MainWindow& w) {
        auto* view = canvas(w, "gpt-3-175b");
        for (const BoxItem* box : scene_of(view).boxes())
            if (box->shown().repeat > 1) {
                const auto& row = scene_of(view).item_of(*box);
                const std::string first = scene_of(view).hierarchy().items[std::size_t(row.children.front())].path;
                scene_of(view).set_open({row.path, first});
                break;
            }
        settle(w);
    });
    add("canvas-nameless", usual, [](MainWindow& w) {  // as many a file comes: 365 layers
        auto* view = canvas(w, "resnet-152");
        NetworkDraft draft = w.document().drawn(0);
        for (std::size_t l = 0; l < draft.layers.size(); ++l) draft.layers[l].name = "n" + std::to_string(l);
        w.document().edit_network(0, draft, QStringLiteral("no names"));
        settle(w);
        view->show_start();
        settle(w);
    });
    add("canvas-bound", usual, [](MainWindow& w) {
        canvas(w, "resnet-50");
        emit find<Combo>(w, "canvasColour")->chosen(QStringLiteral("bound"));
        settle(w);
    });
    add("canvas-search", usual, [](MainWindow& w) {
        canvas(w, "inception-v1");
        QTest::keyClicks(find<QWidget>(w, "canvasSearch"), QStringLiteral("pool"));
        QTest::keyClick(find<QWidget>(w, "canvasSearch"), Qt::Key_Return);
        settle(w);
    });
    add("canvas-stages", usual, [](MainWindow& w) {
        set_workers(w, 4);
        choose_strategy(w, Strategy::layers);
        canvas(w);
    });
    const auto cut_of = [](MainWindow& w, const char* network) {
        set_workers(w, 8);
        choose_strategy(w, Strategy::hybrid);
        return canvas(w, network);
    };
    add("canvas-cut", usual, [cut_of](MainWindow& w) {
        auto* view = cut_of(w, nullptr);
        view->fit();
        settle(w);
    });
    add("canvas-cut-held", usual, [cut_of](MainWindow& w) {
        auto* view = cut_of(w, nullptr);
        view->fit();
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Tab);
        for (int i = 0; i < 4; ++i) QTest::keyClick(view, Qt::Key_Up);
        settle(w);
    });
    add("canvas-cut-inside", usual, [cut_of](MainWindow& w) {
        auto* view = cut_of(w, "inception-v3");
        Scenario s = w.document().scenario();
        const Network& n = *s.network();
        s.parallelism.cut_auto = false;
        s.parallelism.cut = n.layers()[static_cast<std::size_t>(*n.position("Mixed_5c/branch5x5_2"))].id;
        w.document().edit(s);
        settle(w);
        view->centerOn(scene_of(view).box("Mixed_5c")->sceneBoundingRect().center());
        settle(w);
    });
    add("canvas-cut-branches", {1280, 720}, [cut_of](MainWindow& w) {
        auto* view = cut_of(w, "inception-v3");
        view->toggle("Mixed_5c");
        Scenario s = w.document().scenario();
        const Network& n = *s.network();
        s.parallelism.cut_auto = false;
        s.parallelism.cut = n.layers()[static_cast<std::size_t>(*n.position("Mixed_5c/branch3x3dbl_2"))].id;
        w.document().edit(s);
        settle(w);
        view->centerOn(scene_of(view).box("Mixed_5c")->sceneBoundingRect().center());
        const QPoint on = view->mapFromScene(scene_of(view).borders()[0]->tag_box().center());
        hover(view->viewport(), on);
    });
    add("canvas-outputs", usual, [](MainWindow& w) {
        set_workers(w, 8);
        choose_strategy(w, Strategy::outputs);
        auto* view = canvas(w, "inception-v3");
        hover(view->viewport(), view->mapFromScene(scene_of(view).boxes()[3]->sceneBoundingRect().center()));
    });
    add("canvas-many-stages", usual, [](MainWindow& w) {
        set_workers(w, 8);
        choose_strategy(w, Strategy::layers);
        canvas(w, "transformers/gpt-2");
    });
    add("canvas-stages-fit", usual, [](MainWindow& w) {
        set_workers(w, 8);
        choose_strategy(w, Strategy::layers);
        auto* view = canvas(w, "densenet-121");
        scene_of(view).unfold_all();
        view->fit();
        settle(w);
    });
    add("canvas-workers", {1280, 720}, [cut_of](MainWindow& w) {
        cut_of(w, "transformers/gpt-2");
        QTest::keyClick(&w, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        static_cast<DockCard*>(find<QDockWidget>(w, "paletteDock"))->set_current_page(1);
        settle(w);
    });
    add("canvas-smallest", {1024, 700}, [cut_of](MainWindow& w) {
        cut_of(w, nullptr);
        QTest::keyClick(&w, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        settle(w);
    });
    add("canvas-unpriced", usual, [](MainWindow& w) {
        auto* view = canvas(w);
        w.document().new_network();
        emit view->kind_dropped(QStringLiteral("dense"), -1, {});
        settle(w);
    });
    add("canvas-hover", usual, [](MainWindow& w) {
        auto* view = canvas(w);
        hover(view->viewport(), view->mapFromScene(scene_of(view).boxes()[2]->sceneBoundingRect().center()));
    });
    add("canvas-table", {1280, 720}, [](MainWindow& w) {
        canvas(w, "vgg-16");
        page(w, "layers");
    });
    add("canvas-empty", usual, [](MainWindow& w) {
        canvas(w);
        w.document().new_network();
        settle(w);
    });
    add("canvas-fault", usual, [](MainWindow& w) {
        auto* view = canvas(w, "inception-v3");
        view->toggle("Mixed_5b");
        settle(w);
        NetworkDraft draft = w.document().drawn(0);
        for (Layer& l : draft.layers)
            if (l.name == "Mixed_5b/branch_pool_avg")
                for (std::size_t a = 0; a < l.attributes.size(); ++a)
                    if (l.kind->attributes[a].name == "stride") l.attributes[a] = std::vector<std::int64_t>{2, 2};
        w.document().edit_network(0, draft, QStringLiteral("stride 2×2"));
        scene_of(view).select({"Mixed_5b/branch_pool_avg"});
        view->centerOn(scene_of(view).box("Mixed_5b")->sceneBoundingRect().center() + QPointF(0, 200));
        settle(w);
        QTest::qWait(200);  // what mends it is looked for at rest
    });
    add("canvas-notes", {1280, 720}, [](MainWindow& w) {
        auto* view = canvas(w, "resnet-50");
        auto* editor = &w.findChild<Canvas*>()->editor();
        for (int i = 0; i < 5; ++i) editor->insert_alone(*find_kind(i % 2 ? "dense" : "add"));
        scene_of(view).select({});
        view->set_zoom(0.7);
        view->centerOn(scene_of(view).sceneRect().center().x(), 150);
        settle(w);
        QTest::qWait(200);
    });
    add("canvas-sequence", usual, [](MainWindow& w) {
        canvas(w);
        w.document().new_network();
        auto* editor = &w.findChild<Canvas*>()->editor();
        editor->insert_alone(*find_kind("input"));
        const std::vector<LayerId> input = editor->selected();
        editor->set_attribute(input, "shape", std::vector<Dim>{{1, "batch"}, {16, {}}, {112, {}}, {112, {}}, {3, {}}});
        editor->insert(*find_kind("convolution"));
        const std::vector<LayerId> conv = editor->selected();
        Padding p;
        p.mode = Padding::Mode::explicit_sizes;
        p.axes = 3;
        p.front = p.back = p.left = p.right = p.top = 1;
        editor->set_attribute(conv, "padding", p);
        settle(w);
    });
    add("problems-none", usual, [](MainWindow& w) { page(w, "problems"); });
    add("problems-file", usual, open_broken);
    add("layer-table", usual, [](MainWindow& w) {
        page(w, "layers");
        select_layer(w, 8);
    });
    add("timeline", usual, [](MainWindow& w) { page(w, "timeline"); });
    add("timeline-layers", usual, [](MainWindow& w) {
        set_workers(w, 8);
        choose_strategy(w, Strategy::layers);
        find<NumberField>(w, "microBatches")->choose(8);
        page(w, "timeline");
    });
    add("timeline-overlap", usual, [](MainWindow& w) {
        emit find<Combo>(w, "overlap")->chosen(QStringLiteral("1"));
        page(w, "timeline");
    });
    add("paleo", usual, [](MainWindow& w) { page(w, "paleo"); });
    add("paleo-some", usual, [](MainWindow& w) {
        page(w, "paleo");
        find<QCheckBox>(w, "gradient_work")->click();
        settle(w);
        auto* chart = find<WaterfallChart>(w, "paleoChart");
        hover(chart, chart->row_box(1).center().toPoint());
    });
    add("paleo-not", usual, [](MainWindow& w) {
        choose_strategy(w, Strategy::hybrid);
        page(w, "paleo");
    });
    add("training", usual, [](MainWindow& w) { side_page(w, 1); });
    add("options", usual, [](MainWindow& w) { side_page(w, 2); });
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
    add("menu-help", usual, [](MainWindow& w) { main_menu(w, 4); });
    add("shortcuts", usual, [](MainWindow& w) { show_shortcuts(&w, *w.menuBar()); });
    add("about", usual, [](MainWindow& w) { show_about(&w); });
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
    add("inception-v3-paleo", usual, [](MainWindow& w) {
        choose_network(w, "inception-v3");
        page(w, "paleo");
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
        const QByteArray problems = QByteArray(name) + "-problems", paleo = QByteArray(name) + "-paleo",
                         hybrid = QByteArray(name) + "-hybrid";
        add(problems.constData(), size, open_broken);
        add(paleo.constData(), size, [](MainWindow& w) { page(w, "paleo"); });
        add(hybrid.constData(), size, [](MainWindow& w) { choose_strategy(w, Strategy::hybrid); });
    }
    add("1280x800-why", {1280, 800}, [](MainWindow& w) {
        w.findChild<SideTabs*>()->tab(QStringLiteral("why"))->click();
        settle(w);
    });
    return states;
}

}  // namespace scalescope::shots
