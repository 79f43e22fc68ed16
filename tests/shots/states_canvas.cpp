// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas in its states.
#include <QCheckBox>
#include <QDockWidget>
#include <QLabel>
#include <QTest>

#include "core/formats/library.hpp"
#include "core/scenario/adapters.hpp"
#include "tests/shots/hands.hpp"
#include "ui/canvas/border_item.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"

namespace scalescope::shots {

namespace {

/// Of the row of blocks, the first one, and a block `inside` it.
void open_first_block(MainWindow& w, CanvasView* view, const char* inside = "") {
    for (const BoxItem* box : scene_of(view).boxes())
        if (box->shown().repeat > 1) {
            const auto& row = scene_of(view).item_of(*box);
            const std::string first = scene_of(view).hierarchy().items[std::size_t(row.children.front())].path;
            scene_of(view).set_open({row.path, first, first + inside});
            break;
        }
    settle(w);
}

/// A family that nobody described, drawn as a plain decoder.
void open_assumed(MainWindow& w) {
    choose_network(w, "gpt-2");
    const auto draft = formats::read_any_network_draft(
        R"({"model_type": "wonder", "vocab_size": 32000, "hidden_size": 2048, "num_hidden_layers": 16,
            "num_attention_heads": 16, "intermediate_size": 5632, "max_position_embeddings": 2048})",
        "config.json");
    if (draft) w.document().edit_network(0, *draft, QStringLiteral("config"));
    settle(w);
}

}  // namespace

void add_canvas_states(std::vector<State>& states) {
    const auto add = [&](const char* name, QSize size, std::function<void(MainWindow&)> reach) {
        states.push_back({QLatin1String(name), size, std::move(reach)});
    };
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
    add("canvas-transformer", usual, [](MainWindow& w) { open_first_block(w, canvas(w, "gpt-3-175b")); });
    add("canvas-adapters", usual, [](MainWindow& w) {
        choose_network(w, "transformers/llama-2-7b");
        if (auto adapted = with_adapters(w.document().scenario(), "linear"))
            w.document().edit_networks(*adapted, QStringLiteral("adapters"));
        auto* view = canvas(w);
        open_first_block(w, view, "/attention");
        view->set_zoom(0.7);
        if (const BoxItem* box = scene_of(view).box("h0/attention/k_lora_b")) view->show_box(*box);
        settle(w);
    });
    add("assumed-layers", usual, open_assumed);
    add("canvas-assumed", usual, [](MainWindow& w) {
        open_assumed(w);
        auto* view = canvas(w);
        open_first_block(w, view);
        if (const BoxItem* box = scene_of(view).box("h0")) view->show_box(*box);
        if (const BoxItem* box = scene_of(view).box("h0/mlp"))
            hover(view->viewport(), view->mapFromScene(box->sceneBoundingRect().center()));
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
        choose_way(w, "layers");
        canvas(w);
    });
    const auto cut_of = [](MainWindow& w, const char* network) {
        set_workers(w, 8);
        choose_way(w, "hybrid");
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
        choose_way(w, "outputs");
        auto* view = canvas(w, "inception-v3");
        hover(view->viewport(), view->mapFromScene(scene_of(view).boxes()[3]->sceneBoundingRect().center()));
    });
    add("canvas-many-stages", usual, [](MainWindow& w) {
        set_workers(w, 8);
        choose_way(w, "layers");
        canvas(w, "transformers/gpt-2");
    });
    add("canvas-stages-fit", usual, [](MainWindow& w) {
        set_workers(w, 8);
        choose_way(w, "layers");
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
    });
    add("canvas-notes", {1280, 720}, [](MainWindow& w) {
        auto* view = canvas(w, "resnet-50");
        auto* editor = &w.findChild<Canvas*>()->editor();
        for (int i = 0; i < 5; ++i) editor->insert_alone(*find_kind(i % 2 ? "dense" : "add"));
        scene_of(view).select({});
        view->set_zoom(0.7);
        const int faulty = scene_of(view).sketch()->faults.front().layer;
        view->centerOn(scene_of(view).box_of_layer(faulty)->sceneBoundingRect().center() + QPointF(200, -60));
        settle(w);
    });
    const auto break_sums = [](MainWindow& w) {  // three residual blocks one below the other
        auto* view = canvas(w, "resnet-50");
        scene_of(view).unfold_all();
        settle(w);
        NetworkDraft draft = w.document().drawn(0);
        for (Layer& l : draft.layers)
            if (l.name == "conv2_2/conv3" || l.name == "conv2_3/conv3" || l.name == "conv3_2/conv3")
                for (std::size_t a = 0; a < l.attributes.size(); ++a)
                    if (l.kind->attributes[a].name == "stride") l.attributes[a] = std::vector<std::int64_t>{2, 2};
        w.document().edit_network(0, draft, QStringLiteral("stride 2×2"));
        settle(w);
        const int faulty = scene_of(view).sketch()->faults.front().layer;
        view->set_zoom(0.7);
        view->centerOn(scene_of(view).box_of_layer(faulty)->sceneBoundingRect().center() + QPointF(0, 120));
        settle(w);
        return view;
    };
    add("canvas-notes-near", {1280, 720}, [break_sums](MainWindow& w) { break_sums(w); });
    add("canvas-notes-wide", {1920, 1080}, [break_sums](MainWindow& w) { break_sums(w); });
    add("canvas-cause", {1280, 720}, [](MainWindow& w) {
        auto* view = canvas(w, "inception-v3");
        view->toggle("Mixed_5b");
        NetworkDraft draft = w.document().drawn(0);
        for (Layer& l : draft.layers)
            if (l.name == "Mixed_5b/branch5x5_2")
                for (std::size_t a = 0; a < l.attributes.size(); ++a)
                    if (l.kind->attributes[a].name == "stride") l.attributes[a] = std::vector<std::int64_t>{2, 2};
        w.document().edit_network(0, draft, QStringLiteral("stride 2×2"));
        settle(w);
        scene_of(view).select({"Mixed_5b/branch5x5_2"});
        view->centerOn(scene_of(view).box("Mixed_5b/branch5x5_2")->sceneBoundingRect().center());
        settle(w);
    });
    add("canvas-export-faults", usual, [break_sums](MainWindow& w) {
        break_sums(w);
        const auto* of = w.findChild<Canvas*>();
        scene_of(find<CanvasView>(w, "canvasView")).fold_all();
        settle(w);
        ExportOptions options;
        options.size = of->picture_size();
        auto* paper = new QLabel;
        paper->setAttribute(Qt::WA_DeleteOnClose);
        paper->setPixmap(QPixmap::fromImage(
            picture_image(of->picture(), options).scaledToHeight(usual.height() - 60, Qt::SmoothTransformation)));
        paper->setFixedSize(paper->pixmap().size());  // a label of a window is kept to a part of the screen
        paper->move(40, 20);
        paper->show();
        settle(w);
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
}

}  // namespace scalescope::shots
