// SPDX-License-Identifier: GPL-3.0-or-later
// Networks drawn by hand: palette, ports, keys and fields of the real window; every gesture one undo step.
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include "support_canvas.hpp"
#include "ui/canvas/attribute_editor.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_legend.hpp"
#include "ui/canvas/palette.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/window/chart_mapping.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestDrawingNetworks : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    int gestures_ = 0;
    void new_network() {
        show_canvas();
        QTest::keyClick(window_.get(), Qt::Key_N, Qt::ControlModifier);
        settle();
        gestures_ = 0;
    }
    /// A click on a kind in the palette.
    void add(const char* kind) {
        auto* palette = window_->findChild<Palette*>();
        const QRect box = palette->row_box(kind);
        if (!box.isValid()) qFatal("no kind %s", kind);
        QTest::mouseClick(palette->list()->viewport(), Qt::LeftButton, {}, box.center());
        settle();
        ++gestures_;
    }
    /// A value typed into a field of the property panel.
    void type(const char* attribute, const QString& value) {
        auto* editor = window_->findChild<AttributeEditor*>(QStringLiteral("attribute_") + QLatin1String(attribute));
        if (!editor) qFatal("no attribute %s", attribute);
        QWidget* field = editor->findChild<NumberField*>();
        if (!field) field = editor->findChild<QLineEdit*>();
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, value);
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        ++gestures_;
    }
    void click(const std::string& path, Qt::KeyboardModifiers with = {}) {
        CanvasFixture::click(path, with);
        ++gestures_;
    }
    /// In another window.
    void save_and_open_again(const char* name) {
        const QString file = folder_.filePath(QLatin1String(name));
        QVERIFY(window_->save_to(file));
        open();
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
    }
    void press(Qt::Key which) {
        key(which);
        ++gestures_;
    }
    std::string selected() { return scene().selected().size() == 1 ? scene().selected().front() : std::string(); }
    const Layer& layer(const std::string& name) {
        for (const Layer& l : scene().sketch()->layers)
            if (l.name == name) return l;
        qFatal("no layer %s", name.c_str());
    }

    /// What a new layer has already needs no gesture.
    void set_size(const char* attribute_name, int size) {
        if (std::get<std::vector<std::int64_t>>(attribute(layer(selected()), attribute_name)).front() != size)
            type(attribute_name, QString::number(size));
    }
    void set_valid() {
        if (std::get<Padding>(attribute(layer(selected()), "padding")).mode == Padding::Mode::valid) return;
        auto* combo = window_->findChild<AttributeEditor*>(QStringLiteral("attribute_padding"))->findChild<Combo*>();
        combo->setFocus();
        QTest::keyClick(combo, Qt::Key_Home);
        settle();
        ++gestures_;
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void lenet_5_in_thirty_gestures() {
        new_network();
        QVERIFY(scene().boxes().empty());
        QVERIFY(document().draft());
        // The charts keep the last network, and say so.
        QVERIFY(window_->result()->estimate.has_value());
        add("input");
        type("shape", QStringLiteral("32x32x1"));
        add("convolution");
        type("filters", QStringLiteral("6"));
        type("kernel", QStringLiteral("5"));
        set_valid();
        add("pooling");
        set_size("kernel", 2);
        set_size("stride", 2);
        add("convolution");
        type("filters", QStringLiteral("16"));
        set_size("kernel", 5);
        set_valid();
        add("pooling");
        set_size("kernel", 2);
        set_size("stride", 2);
        add("dense");
        type("units", QStringLiteral("120"));
        add("dense");
        type("units", QStringLiteral("84"));
        add("dense");
        type("units", QStringLiteral("10"));
        add("softmax");
        qInfo("gestures: %d", gestures_);
        QVERIFY2(gestures_ <= 30, qPrintable(QString::number(gestures_)));
        QVERIFY(!document().draft());
        // LeCun, Bottou, Bengio, Haffner 1998, with full connections to C3: 156 + 2,416 + 48,120 + 10,164 + 850.
        QCOMPARE(scenario().network()->parameters(), std::int64_t{61706});
        QVERIFY(window_->result()->estimate.has_value());
        QCOMPARE(window_->result()->request.scenario.network(), scenario().network());
        QCOMPARE(int(scene().boxes().size()), scenario().network()->size());
        for (const BoxItem* box : scene().boxes()) QVERIFY(box->shown().value.endsWith(QStringLiteral("s")));
        // Without a selection the panel is about the network.
        press(Qt::Key_Escape);
        type_into(find<QLineEdit>("networkName"), QStringLiteral("LeNet-5"));
        QCOMPARE(scenario().network()->name(), std::string("LeNet-5"));
        QVERIFY(QString::fromStdString(scenario().name).contains(QStringLiteral("LeNet-5")));
        QVERIFY(window_->windowTitle().contains(QStringLiteral("LeNet-5")));
        ++gestures_;
        QVERIFY2(gestures_ <= 30, qPrintable(QString::number(gestures_)));
        // Undone step by step down to the network from before, and done again.
        QUndoStack& history = document().history();
        QVERIFY(history.count() <= gestures_ + 1);
        while (history.canUndo()) history.undo();
        settle();
        QCOMPARE(scenario().network()->name(), std::string("AlexNet, one tower"));
        QCOMPARE(int(scene().boxes().size()), scenario().network()->size());
        while (history.canRedo()) history.redo();
        settle();
        QCOMPARE(scenario().network()->parameters(), std::int64_t{61706});
    }

    void delete_connects_again_and_undo_brings_back() {
        show_canvas();
        const auto before = scenario().network();
        click("pool2");
        press(Qt::Key_Delete);
        QVERIFY(!scenario().network()->position("pool2"));
        const auto p = *scenario().network()->position("conv3");
        QCOMPARE(scenario().network()->layers()[std::size_t(scenario().network()->inputs(p)[0])].name,
                 std::string("conv2"));
        QCOMPARE(document().history().count(), 1);
        QCOMPARE(document().history().undoText(), QStringLiteral("Delete pool2"));
        document().history().undo();
        QCOMPARE(scenario().network(), before);
    }

    void a_number_typed_is_one_step() {
        show_canvas();
        click("conv2");
        type("filters", QStringLiteral("200"));
        QCOMPARE(std::get<std::int64_t>(attribute(layer("conv2"), "filters")), std::int64_t{200});
        QCOMPARE(document().history().count(), 1);
        QCOMPARE(selected(), std::string("conv2"));
        auto* name = find<QLineEdit>("layerName");
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("second"));
        QTest::keyClick(name, Qt::Key_Return);
        settle();
        QVERIFY(scenario().network()->position("second"));
        QCOMPARE(selected(), std::string("second"));
    }

    /// On the way to 240 stand 2 and 24, which fit: nobody wanted to know what they cost.
    void what_is_typed_on_the_way_is_not_what_is_priced() {
        show_canvas();
        const auto before = scenario().network();
        const QString price = scene().box("pool2")->shown().value;
        click("pool2");
        type("kernel", QStringLiteral("240"));
        QVERIFY(document().draft());
        QCOMPARE(scenario().network(), before);
        QCOMPARE(scene().box("pool2")->shown().value, price);
        QCOMPARE(document().history().count(), 1);
        type("kernel", QStringLiteral("2"));
        QVERIFY(!document().draft());
        QVERIFY(scenario().network() != before);
        document().history().undo();
        document().history().undo();
        QVERIFY(!document().draft());
        QCOMPARE(scenario().network(), before);
    }

    void the_first_layer_stands_at_the_top() {
        new_network();
        add("input");
        const auto at = [&] {
            const BoxItem* box = scene().box("input");
            return view().mapFromScene(QRectF(box->pos(), box->size()).center());
        };
        const QPoint middle = view().viewport()->rect().center();
        QVERIFY2(std::abs(at().x() - middle.x()) <= 2, qPrintable(QString::number(at().x() - middle.x())));
        QVERIFY2(at().y() < view().viewport()->height() / 4, qPrintable(QString::number(at().y())));
        const QPoint was = at();
        add("convolution");  // it stays where it is
        QVERIFY((at() - was).manhattanLength() <= 2);
    }

    void a_port_is_drawn_to_a_box() {
        show_canvas();
        click("conv3");
        add("add");  // behind conv3, in front of conv4: one input, one to come
        const std::string sum = selected();
        QVERIFY(document().draft() || layer(sum).inputs.size() == 1);
        view().show_box(*scene().box("pool2"));
        const QPoint on = middle("pool2");
        QTest::mouseMove(view().viewport(), on);
        const QPoint port = view().port_of(*scene().box("pool2"));
        QTest::mouseMove(view().viewport(), port);
        QTest::mousePress(view().viewport(), Qt::LeftButton, {}, port);
        const BoxItem* to = scene().box(sum);
        const QPoint end = view().mapFromScene(to->pos() + QPointF(to->size().width() / 2, 12));
        QTest::mouseMove(view().viewport(), (port + end) / 2);
        QTest::mouseMove(view().viewport(), end);
        QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, end);
        settle();
        QCOMPARE(layer(sum).inputs.size(), std::size_t{2});
        // 192 channels and 384: it says so at the connection, and prices stay those of the last network.
        QVERIFY(document().draft());
        int faulty = 0;
        for (const WireItem* wire : scene().wires()) faulty += !wire->shown().fault.isEmpty();
        QCOMPARE(faulty, 1);
        QVERIFY(scene().box(sum)->shown().faulty);
        QVERIFY(window_->result()->estimate.has_value());
        QVERIFY(scene().box("conv1")->shown().value.endsWith(QStringLiteral("ms")));
        // The wire is selected and deleted.
        for (WireItem* wire : scene().wires())
            if (!wire->shown().fault.isEmpty()) {
                scene().select({});
                wire->setSelected(true);
                break;
            }
        press(Qt::Key_Delete);
        QVERIFY(std::count(layer(sum).inputs.begin(), layer(sum).inputs.end(), LayerId{}) +
                    std::ptrdiff_t(layer(sum).inputs.size()) >=
                1);
        int left = 0;
        for (const WireItem* wire : scene().wires()) left += !wire->shown().fault.isEmpty();
        QCOMPARE(left, 0);
    }

    void dropped_where_it_is_wanted() {
        show_canvas();
        int on = -1;
        for (const WireItem* wire : scene().wires()) {
            const auto ends = scene().connections_of(wire->index());
            if (ends.size() == 1 && ends.front().reader == layer("conv4").id) on = wire->index();
        }
        QVERIFY(on >= 0);
        emit view().kind_dropped(QStringLiteral("batch_norm"), on, {});
        settle();
        QVERIFY(!document().draft());
        QCOMPARE(
            scene().sketch()->layers[std::size_t(*scene().sketch()->position(layer("conv4").inputs[0]))].kind->name,
            std::string_view("batch_norm"));
        emit view().kind_dropped(QStringLiteral("dropout"), -1, {});
        settle();
        QVERIFY(document().draft());  // it reads nothing yet
    }

    void another_network_ends_the_draft() {
        new_network();
        QVERIFY(document().draft());
        emit find<Combo>("network")->chosen(QStringLiteral("vgg-16"));
        settle();
        QVERIFY(!document().draft());
        QCOMPARE(int(scene().boxes().size()), scenario().network()->size());
        document().history().undo();
        QVERIFY(document().draft());
        QVERIFY(scene().boxes().empty());
    }

    void grouped_repeated_and_taken_apart() {
        show_canvas();
        click("conv4");
        click("conv5", Qt::ControlModifier);
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_B, Qt::ControlModifier);
        settle();
        QVERIFY(scenario().network()->position("block1/conv4"));
        QCOMPARE(selected(), std::string("block1"));
        QCOMPARE(document().history().count(), 1);
        auto* name = find<QLineEdit>("blockName");
        QTRY_COMPARE(name->text(), QStringLiteral("block1"));
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("tail"));
        QTest::keyClick(name, Qt::Key_Return);
        settle();
        QVERIFY(scenario().network()->position("tail/conv5"));
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        settle();
        QVERIFY(scenario().network()->position("conv4"));
        const int size = scenario().network()->size();
        click("conv5");
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_D, Qt::ControlModifier);
        settle();
        QCOMPARE(int(scene().sketch()->layers.size()), size + 1);
    }

    void a_block_is_repeated() {
        show_canvas();
        click("pool5");
        add("activation");
        add("batch_norm");
        const std::string last = selected();
        const std::string before = layer(last).name;
        click(scene().sketch()->layers[std::size_t(*scene().sketch()->position(layer(last).inputs[0]))].name,
              Qt::ControlModifier);
        scene().select(
            {last, scene().sketch()->layers[std::size_t(*scene().sketch()->position(layer(last).inputs[0]))].name});
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_B, Qt::ControlModifier);
        settle();
        QCOMPARE(selected(), std::string("block1"));
        const int size = scenario().network()->size();
        const int steps = document().history().count();
        auto* repeat = find<NumberField>("blockRepeat");
        QTRY_VERIFY(repeat->isVisible());
        repeat->setFocus();
        QTest::keyClick(repeat, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(repeat, QStringLiteral("12"));
        QTest::keyClick(repeat, Qt::Key_Return);
        settle();
        QCOMPARE(scenario().network()->size(), size + 22);
        QCOMPARE(document().history().count(), steps + 1);
        int rows = 0;
        for (const BoxItem* box : scene().boxes()) rows += box->shown().repeat == 12;
        QCOMPARE(rows, 1);
    }

    void a_mismatch_is_mended_by_its_button() {
        show_canvas();
        emit find<Combo>("network")->chosen(QStringLiteral("inception-v3"));
        settle();
        view().toggle("Mixed_5b");
        click("Mixed_5b/branch_pool_avg");
        QTRY_VERIFY(window_->findChild<AttributeEditor*>(QStringLiteral("attribute_stride")));
        type("stride", QStringLiteral("2"));
        QVERIFY(document().draft());
        auto* problem = find<QLabel>("layerProblem");
        scene().select({"Mixed_5b/concat"});
        QTRY_VERIFY(problem->isVisible());
        QTRY_VERIFY(window_->findChild<QPushButton*>(QStringLiteral("fix")));
        QTest::mouseClick(window_->findChild<QPushButton*>(QStringLiteral("fix")), Qt::LeftButton);
        settle();
        QVERIFY(!document().draft());
        QTRY_VERIFY(!problem->isVisible());
    }

    /// The layer that made what does not fit elsewhere says so, and shows the way there.
    void the_cause_says_so() {
        show_canvas("inception-v3");
        view().toggle("Mixed_5b");
        set("Mixed_5b/branch_pool_avg", "stride", std::vector<std::int64_t>{2, 2});
        QVERIFY(document().draft());
        scene().select({"Mixed_5b/branch_pool_avg"});
        settle();
        auto* problem = find<QLabel>("layerProblem");
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().startsWith(QStringLiteral("What it makes does not fit at Mixed_5b/concat. ")),
                 qPrintable(problem->text()));
        QVERIFY(window_->findChild<QPushButton*>(QStringLiteral("fix")));
        auto* way = window_->findChild<QPushButton*>(QStringLiteral("showFault"));
        QVERIFY(way);
        QTest::mouseClick(way, Qt::LeftButton);
        settle();
        QCOMPARE(selected(), std::string("Mixed_5b/concat"));
        QTRY_VERIFY(!problem->text().contains(QStringLiteral("does not fit at")));  // now it is about the layer itself
        // What has no part in it says nothing.
        scene().select({"Mixed_5b/branch1x1"});
        QTRY_VERIFY(!problem->isVisible());
    }

    void the_buttons_of_the_properties_stay_in_sight() {
        show_canvas();
        click("conv1");
        window_->resize(1024, 520);
        settle();
        auto* dock = window_->findChild<QDockWidget*>(QStringLiteral("propertiesDock"));
        auto* remove = find<QPushButton>("deleteLayer");
        auto* scroll = find<QScrollArea>("propertyScroll");
        QTRY_VERIFY(scroll->verticalScrollBar()->maximum() > 0);
        for (const int at : {0, scroll->verticalScrollBar()->maximum()}) {
            scroll->verticalScrollBar()->setValue(at);
            const QRect there(remove->mapTo(dock, QPoint()), remove->size());
            QVERIFY(dock->rect().contains(there));
            QVERIFY(remove->visibleRegion().boundingRect().size() == remove->size());
            QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());  // nor is anything cut off at the side
        }
    }

    void units_stand_beside_the_fields() {
        show_canvas();
        click("conv2");
        QTRY_VERIFY(editor_of("kernel"));
        const auto says = [&](const char* attribute, const QString& unit) {
            for (const auto* l : editor_of(attribute)->findChildren<QLabel*>())
                if (l->isVisible() && l->text() == unit) return true;
            return false;
        };
        QVERIFY(!says("kernel", QStringLiteral("cells")));  // 5×5, as everybody writes it
        QCOMPARE(editor_of("filters")->findChild<NumberField*>()->unit(), QStringLiteral("channels"));
        QVERIFY(editor_of("groups")->findChild<NumberField*>()->unit().isEmpty());
    }

    void a_draft_is_kept_in_the_file() {
        new_network();
        add("input");
        add("convolution");
        add("add");
        const auto names = [&] {
            std::vector<std::string> all;
            for (const Layer& l : scene().sketch()->layers) all.push_back(l.name);
            return all;
        };
        canvas().editor().insert_alone(*find_kind("dense"));  // reads nothing
        settle();
        QVERIFY(document().draft());
        const auto before = names();
        save_and_open_again("draft.json");
        QVERIFY(document().draft());
        QVERIFY(view().isVisible());
        QCOMPARE(names(), before);
        QVERIFY(window_->result()->estimate.has_value());
        // Drawn from nothing, and valid on the way: prices are those of the last network that was.
        QVERIFY(scene().priced());
    }

    void a_draft_that_comes_back_has_the_prices_of_its_network() {
        show_canvas();
        click("conv2");
        auto* name = find<QLineEdit>("layerName");
        canvas().editor().insert_alone(*find_kind("dense"));  // reads nothing: no network any more
        settle();
        const std::string fresh = selected();
        QVERIFY(document().draft());
        click("conv2");
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("second"));
        QTest::keyClick(name, Qt::Key_Return);
        settle();
        QVERIFY(document().draft());
        const QString cost = scene().box("conv3")->shown().value, renamed = scene().box("second")->shown().value;
        QVERIFY(cost.endsWith(QStringLiteral("ms")));
        QVERIFY(renamed.endsWith(QStringLiteral("ms")));
        save_and_open_again("edited.json");
        QVERIFY(document().draft());
        QVERIFY(document().draft_is_related());
        QCOMPARE(scene().box("conv3")->shown().value, cost);
        QCOMPARE(scene().box("second")->shown().value, renamed);
        QVERIFY(scene().box(fresh)->shown().value.isEmpty());  // nobody has priced it
        // Mended, it is the network's next state: the undo steps and the layers go on.
        scene().select({fresh});
        press(Qt::Key_Delete);
        QVERIFY(!document().draft());
        QVERIFY(scenario().network()->position("second"));
    }

    void a_drawing_without_prices_says_why() {
        new_network();
        canvas().editor().insert_alone(*find_kind("dense"));
        settle();
        QVERIFY(document().draft());
        QVERIFY(!document().draft_is_related());
        QVERIFY(!scene().priced());
        QVERIFY(view().legend()->isVisible());
        QVERIFY(view().legend()->accessibleName().contains(QStringLiteral("The charts show AlexNet")));
    }

    void no_cycles() {
        show_canvas();
        canvas().editor().connect_boxes("conv4", "conv2");
        settle();
        QCOMPARE(document().history().count(), 0);
        QVERIFY(!document().draft());
    }
};

QTEST_MAIN(TestDrawingNetworks)
#include "tst_drawing_networks.moc"
