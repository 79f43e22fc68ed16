// SPDX-License-Identifier: GPL-3.0-or-later
// The network as a drawing, by mouse and keys in the real window.
#include <QPainter>
#include <QSvgRenderer>
#include <QTableView>
#include <set>

#include "support_canvas.hpp"
#include "ui/canvas/canvas_legend.hpp"
#include "ui/canvas/canvas_tips.hpp"
#include "ui/canvas/kind_family.hpp"
#include "ui/canvas/kind_icon.hpp"
#include "ui/canvas/minimap.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/text.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/search_field.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestCanvas : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    void wheel(QPoint at, QPoint angle, Qt::KeyboardModifiers with = {}) {
        QWheelEvent event(at, view().viewport()->mapToGlobal(QPointF(at)), {}, angle, Qt::NoButton, with,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view().viewport(), &event);
    }
    int key_of(const char* layer) { return layer_key(0, *window_->document().scenario().network()->position(layer)); }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void every_layer_has_a_box_with_its_figures() {
        show_canvas();
        const Network& network = *window_->document().scenario().network();
        QCOMPARE(int(scene().boxes().size()), network.size());
        const BoxItem* conv1 = scene().box("conv1");
        QVERIFY(conv1);
        QCOMPARE(conv1->shown().title, QStringLiteral("conv1"));
        QVERIFY(conv1->shown().caption.startsWith(QString::fromUtf8("11×11, 64")));
        QVERIFY(conv1->shown().value.endsWith(QStringLiteral("ms")));
        QVERIFY(conv1->shown().ground.isValid());
        QVERIFY(view().legend()->isVisible());
    }

    /// What is selected is a layer, not a place: another network has it by that name or not at all, an edited one by
    /// its id, and the canvas opens on it.
    void selection_follows_its_layer() {
        open();
        const auto choose = [&](const char* id) {
            emit find<Combo>("network")->chosen(QLatin1String(id));
            settle();
        };
        const auto* list = find<LayerList>("layers");
        const auto selected = [&] {
            const int key = list->selected();
            if (key < 0) return std::string();
            return scenario().network()->layers()[static_cast<std::size_t>(position_of_key(key))].name;
        };
        auto* why = window_->findChild<WhyPanel*>();
        list->view()->setCurrentIndex(list->model()->index(list->model()->row_of(key_of("conv2"), -1), 0));
        settle();
        choose("paleo/alex_v2");
        QCOMPARE(selected(), std::string("conv2"));
        QCOMPARE(layer_key(0, why->item().layer), key_of("conv2"));
        NetworkDraft draft = scenario().network()->draft();
        std::swap(draft.layers.front(), draft.layers.back());  // stands elsewhere, under another name
        for (Layer& l : draft.layers)
            if (l.name == "conv2") l.name = "renamed";
        window_->document().edit_network(0, std::move(draft), {});
        settle();
        QCOMPARE(selected(), std::string("renamed"));
        QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier);
        settle();
        QCOMPARE(scene().selected(), std::vector<std::string>{"renamed"});
        window_->document().history().undo();
        settle();
        QCOMPARE(selected(), std::string("conv2"));
        choose("alexnet-one-tower");  // while the canvas draws
        QCOMPARE(selected(), std::string("conv2"));
        QCOMPARE(scene().selected(), std::vector<std::string>{"conv2"});
        choose("vgg-16");
        QVERIFY(selected().empty());
        QVERIFY(scene().selected().empty());
        QCOMPARE(why->item().topic, Topic::step);
        QCOMPARE(find<LayerTimeChart>("layerChart")->selected_layer(), -1);
    }

    void selection_goes_both_ways() {
        show_canvas();
        click("conv2");
        auto* chart = find<LayerTimeChart>("layerChart");
        QCOMPARE(find<LayerList>("layers")->selected(), key_of("conv2"));
        QCOMPARE(chart->selected_layer(), key_of("conv2"));
        auto* why = window_->findChild<WhyPanel*>();
        QCOMPARE(why->item().topic, Topic::layer);
        QCOMPARE(why->item().layer, position_of_key(key_of("conv2")));
        auto* list = find<LayerList>("layers")->view();
        list->setCurrentIndex(list->model()->index(8, 0));
        settle();
        QCOMPARE(scene().selected().size(), std::size_t{1});
        QCOMPARE(layer_key(0, *window_->document().scenario().network()->position(scene().selected().front())),
                 find<LayerList>("layers")->selected());
        click("conv2");
        click("conv3", Qt::ControlModifier);
        QCOMPARE(scene().selected().size(), std::size_t{2});
        QTest::keyClick(&view(), Qt::Key_Escape);
        QVERIFY(scene().selected().empty());
    }

    void blocks_fold_by_mouse_and_key() {
        show_canvas("inception-v3");
        const int folded = int(scene().boxes().size());
        QVERIFY(folded < 40);
        const QPoint before = middle("Mixed_5b");
        QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, before);
        settle();
        QVERIFY(scene().is_open("Mixed_5b"));
        QVERIFY(int(scene().boxes().size()) > folded + 9);
        // It stays where it was under the hand.
        const BoxItem* box = scene().box("Mixed_5b");
        const QPointF top = box->pos() + QPointF(box->size().width() / 2, 12);
        QVERIFY((view().mapFromScene(top) - before).manhattanLength() < 5);
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {},
                          view().mapFromScene(box->pos() + QPointF(12, 12)));  // its sign
        QVERIFY(!scene().is_open("Mixed_5b"));
        scene().select({"Mixed_5b"});
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(scene().is_open("Mixed_5b"));
        QCOMPARE(scene().selected(), std::vector<std::string>{"Mixed_5b"});
        QTest::keyClick(&view(), Qt::Key_Minus);
        QVERIFY(!scene().is_open("Mixed_5b"));
        // A layer that is folded away is seen in its block.
        canvas().set_selected(key_of("Mixed_5b/branch1x1"));
        QCOMPARE(scene().selected(), std::vector<std::string>{"Mixed_5b"});
    }

    /// Layers that were assumed are amber in the list and on the canvas, with what was assumed, also after saving and
    /// undo.
    void assumed_layers_are_amber() {
        show_canvas();
        const QString config = folder_.filePath(QStringLiteral("config.json"));
        QFile file(config);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"model_type": "wonder", "vocab_size": 40, "hidden_size": 8, "num_hidden_layers": 4,
            "num_attention_heads": 2, "intermediate_size": 12, "max_position_embeddings": 16})");
        file.close();
        window_->open(config);
        window_->finish_opening();
        settle();
        const auto row = [&](const QString& name) {  // the first one, of the blocks that are equal
            const LayerModel* rows = find<LayerList>("layers")->model();
            for (int r = 0; r < rows->rowCount(); ++r)
                if (rows->row(r).title == name)
                    return std::pair(rows->unknown(rows->row(r)), rows->index(r, 0).data(Qt::ToolTipRole).toString());
            return std::pair(false, QString());
        };
        const auto unknown = [&](const QString& name) { return row(name).first; };
        const QString down = QStringLiteral("Down");
        const auto guess = [&](const char* name) { return scene().box(name)->shown().guess; };
        const auto check = [&] {
            scene().unfold_all();
            QVERIFY(unknown(down));
            QVERIFY(row(down).second.startsWith(QStringLiteral("Down\nAssumed: a gated feed-forward network")));
            QVERIFY(unknown(QString::fromUtf8("Block × 4")));
            QCOMPARE(guess("h1/mlp/down"), BoxLook::Guess::all);
            QCOMPARE(guess("tokens"), BoxLook::Guess::none);
            QCOMPARE(guess("h1/mlp"), BoxLook::Guess::all);
            QVERIFY(canvas_tip(scene(), *scene().box("h1/mlp")).note.contains(QStringLiteral("three matrices")));
            QVERIFY(canvas_tip(scene(), *scene().box("tokens")).note.isEmpty());
        };
        check();
        set("h1/mlp/down", "bias", true);  // stated now
        QVERIFY(unknown(down));            // of the three others
        QVERIFY(!unknown(QString::fromUtf8("Block × 4")) && unknown(QString::fromUtf8("Block × 3")));
        QCOMPARE(guess("h1/mlp"), BoxLook::Guess::some);
        window_->document().history().undo();
        settle();
        check();
        const QString saved = folder_.filePath(QStringLiteral("saved.json"));
        QVERIFY(window_->save_to(saved));
        emit find<Combo>("network")->chosen(QStringLiteral("vgg-16"));
        settle();
        QVERIFY(!unknown(QStringLiteral("fc6")));
        window_->open(saved);
        window_->finish_opening();
        settle();
        check();
    }

    void zoom_and_pan() {
        show_canvas("vgg-16");
        const QPoint at(200, 150);
        const QPointF under = view().mapToScene(at);
        wheel(at, {0, 120});
        QVERIFY(view().zoom() > 1.1);
        QVERIFY((view().mapToScene(at) - under).manhattanLength() < 3);
        QTest::keyClick(&view(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(view().zoom(), 1.0);
        QTest::keyClick(&view(), Qt::Key_Plus, Qt::ControlModifier);
        QTest::keyClick(&view(), Qt::Key_Minus, Qt::ControlModifier);
        QVERIFY(std::abs(view().zoom() - 1) < 1e-9);
        const auto top = [&] { return view().mapToScene(0, 0).y(); };
        double y = top();
        QTest::mousePress(view().viewport(), Qt::MiddleButton, {}, {100, 200});
        QTest::mouseMove(view().viewport(), {100, 150});
        QTest::mouseRelease(view().viewport(), Qt::MiddleButton, {}, {100, 150});
        QCOMPARE(top(), y + 50);
        QTest::keyPress(&view(), Qt::Key_Space);
        QTest::mousePress(view().viewport(), Qt::LeftButton, {}, {100, 200});
        QTest::mouseMove(view().viewport(), {100, 180});
        QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, {100, 180});
        QTest::keyRelease(&view(), Qt::Key_Space);
        QCOMPARE(top(), y + 70);
        QTest::keyClick(&view(), Qt::Key_F);
        QVERIFY(view().zoom() < 1);
        const QRectF seen = view().mapToScene(view().viewport()->rect()).boundingRect();
        for (const BoxItem* box : scene().boxes()) QVERIFY(seen.contains(QRectF(box->pos(), box->size())));
        QVERIFY(!view().minimap()->isVisible());  // all is in sight
    }

    void every_kind_has_a_family_and_its_icon() {
        for (const Kind* kind : all_kinds()) {
            int families = 0;
            for (const KindFamily& f : kind_families())
                families += int(std::count(f.kinds.begin(), f.kinds.end(), kind->name));
            QVERIFY2(families == 1, std::string(kind->name).c_str());
        }
        std::set<QByteArray> pictures;
        for (const KindFamily& f : kind_families()) {
            for (const auto name : f.kinds) QVERIFY2(find_kind(name), std::string(name).c_str());
            QImage image(32, 32, QImage::Format_ARGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            draw_icon(painter, QString::fromLatin1(f.icon), QRectF(0, 0, 32, 32), Qt::black);
            painter.end();
            pictures.insert(QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
        }
        QCOMPARE(pictures.size(), kind_families().size());  // and none is blank
        show_canvas();
        QCOMPARE(scene().box("conv1")->shown().icon, QStringLiteral("kind-convolution"));
        click("pool2");
        QTRY_COMPARE(window_->findChild<KindIcon*>()->shown(), QStringLiteral("kind-pooling"));
    }

    /// Words beside a line take no more room than the layout kept for them.
    void words_fit_the_room_that_was_kept() {
        show_canvas("inception-v3");
        scene().unfold_all();
        int words = 0;
        for (const WireItem* wire : scene().wires()) {
            const QString& shape = wire->shown().shape;
            if (shape.isEmpty()) continue;
            ++words;
            QVERIFY2(text_width(type::caption(), shape) <= drawing::Metrics{}.letter * double(shape.size()),
                     qPrintable(shape));
        }
        QVERIFY(words > 100);
    }

    void fit_stays_readable() {
        show_canvas("densenet-121");
        scene().unfold_all();
        settle();
        view().show_box(*scene().boxes()[scene().boxes().size() / 2]);
        const double y = view().mapToScene(view().viewport()->rect().center()).y();
        QTest::keyClick(&view(), Qt::Key_F);
        QVERIFY(view().zoom() >= BoxItem::readable);
        QVERIFY(view().minimap()->isVisible());
        QVERIFY(std::abs(view().mapToScene(view().viewport()->rect().center()).y() - y) < 3);
    }

    void the_map_goes_there() {
        show_canvas("vgg-16");
        Minimap& map = *view().minimap();
        QVERIFY(map.isVisible());
        const QRectF last(scene().boxes().back()->pos(), scene().boxes().back()->size());
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.map_rect(last).center().toPoint());
        const QRectF seen = view().mapToScene(view().viewport()->rect()).boundingRect();
        QVERIFY(seen.contains(last));
    }

    /// Where there is little room it belongs to the drawing.
    void legend_and_map_give_way_in_a_small_view() {
        show_canvas("vgg-16");
        QVERIFY(view().minimap()->isVisible());
        QVERIFY(view().legend()->isVisible());
        view().setFixedHeight(220);
        settle();
        QVERIFY(!view().minimap()->isVisible());
        QVERIFY(view().legend()->isVisible());  // it is lower
        view().setFixedHeight(150);
        settle();
        QVERIFY(!view().legend()->isVisible());
        // What changes them does not bring them back.
        emit find<Combo>("canvasColour")->chosen(QStringLiteral("bound"));
        view().show_box(*scene().boxes().back());
        settle();
        QVERIFY(!view().minimap()->isVisible());
        QVERIFY(!view().legend()->isVisible());
        QVERIFY(find<Combo>("canvasColour")->toolTip().contains(QStringLiteral("compute")));  // still said
        view().setMinimumHeight(0);
        view().setMaximumHeight(QWIDGETSIZE_MAX);
        settle();
        QTRY_VERIFY(view().minimap()->isVisible());
        QVERIFY(view().legend()->isVisible());
        const QRect all = view().rect();
        QCOMPARE(view().minimap()->geometry().bottomRight(), all.bottomRight() - QPoint(12, 12));
        QCOMPARE(view().legend()->geometry().bottomLeft(), QPoint(12, all.bottom() - 12));
    }

    void arrows_walk() {
        show_canvas();
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Home);
        QCOMPARE(scene().selected(), std::vector<std::string>{"data"});
        QTest::keyClick(&view(), Qt::Key_Down);
        QCOMPARE(scene().selected(), std::vector<std::string>{"conv1"});
        QVERIFY(view().accessibleDescription().startsWith(QStringLiteral("conv1 ")));
        QTest::keyClick(&view(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(scene().selected().size(), std::size_t{2});
        QTest::keyClick(&view(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(scene().selected().size(), scene().boxes().size());
    }

    void search_finds_names_and_kinds() {
        show_canvas("inception-v3");
        QTest::keyClick(&view(), Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(canvas().search().hasFocus());
        QTest::keyClicks(&canvas().search(), QStringLiteral("branch_pool"));
        QTest::keyClick(&canvas().search(), Qt::Key_Return);
        QCOMPARE(scene().selected().size(), std::size_t{1});
        QVERIFY(scene().selected().front().find("branch_pool") != std::string::npos);  // unfolded to show it
        const BoxItem* hit = scene().box(scene().selected().front());
        const QRect there = view().mapFromScene(QRectF(hit->pos(), hit->size())).boundingRect();
        QVERIFY(view().viewport()->rect().contains(there));
        QVERIFY(view().minimap()->isVisible() && !there.intersects(view().minimap()->geometry()));
        QVERIFY(!there.intersects(view().legend()->geometry()));
        const auto first = scene().selected();
        QTest::keyClick(&canvas().search(), Qt::Key_Down);
        QVERIFY(scene().selected() != first);
        QTest::keyClick(&canvas().search(), Qt::Key_Up);
        QCOMPARE(scene().selected(), first);
        canvas().search().clear();
        QTest::keyClicks(&canvas().search(), QStringLiteral("softmax"));
        QVERIFY(!scene().search(QStringLiteral("softmax")).empty());
    }

    void colours_follow_the_choice() {
        show_canvas();
        const QColor by_time = scene().box("fc6")->shown().ground;
        emit find<Combo>("canvasColour")->chosen(QStringLiteral("parameters"));
        QVERIFY(scene().box("fc6")->shown().ground != by_time);
        QCOMPARE(scene().box("pool1")->shown().ground, theme().ramp.front());
        emit find<Combo>("canvasColour")->chosen(QStringLiteral("bound"));
        QCOMPARE(scene().box("pool1")->shown().value, QStringLiteral("memory"));
        QVERIFY(view().legend()->accessibleName().contains(QStringLiteral("communication")));
    }

    void exports_and_remembers() {
        show_canvas("inception-v1");
        ExportOptions options;
        options.size = canvas().picture_size();
        const QImage image = picture_image(canvas().picture(), options);
        QCOMPARE(image.size(), options.size);
        QSvgRenderer svg(picture_svg(canvas().picture(), options));
        QVERIFY(svg.isValid());
        QVERIFY(picture_pdf(canvas().picture(), options).startsWith("%PDF"));
        scene().toggle(scene().hierarchy().items[scene().hierarchy().items.size() - 1].path);
        scene().set_open({"inception_3a"});
        emit find<Combo>("canvasColour")->chosen(QStringLiteral("flops"));
        const QString file = folder_.filePath(QStringLiteral("kept.json"));
        QVERIFY(window_->save_to(file));
        open();
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        QVERIFY(view().isVisible());
        QCOMPARE(scene().colouring(), Colouring::flops);
        QVERIFY(scene().open() == (std::set<std::string>{"inception_3a"}));
    }
};

QTEST_MAIN(TestCanvas)
#include "tst_canvas.moc"
