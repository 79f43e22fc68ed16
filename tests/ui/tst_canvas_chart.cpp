// SPDX-License-Identifier: GPL-3.0-or-later
// The chart of the layers' times: a bar for each row of the list that is not unfolded, or for each box of the canvas,
// linked with it both ways.
#include <QTableView>

#include "support_canvas.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/inspect/chart_mapping.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using Sizes = std::vector<std::int64_t>;

namespace {

QString u(const char* text) { return QString::fromUtf8(text); }

}  // namespace

class TestCanvasChart : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    LayerTimeChart& chart() { return *find<LayerTimeChart>("layerChart"); }
    QStringList labels() {
        QStringList all;
        for (const auto& bar : chart().bars()) all << bar.label;
        return all;
    }
    int bar(const char* label) { return static_cast<int>(labels().indexOf(QLatin1String(label))); }
    void click_bar(int index) {
        QTest::mouseClick(&chart(), Qt::LeftButton, {}, chart().bar_box(index).center().toPoint());
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void a_bar_for_each_box() {
        show_canvas("inception-v3");
        QCOMPARE(chart().title(), QStringLiteral("Time per block"));
        QVERIFY(chart().bars().size() < 30);
        const int block = bar("Mixed_5b");
        QVERIFY(block >= 0);
        // The time of a block is that of its layers.
        const auto& layers = window_->result()->estimate->layers;
        const Network& network = *scenario().network();
        Seconds forward{}, communication{};
        for (const LayerEstimate& e : layers)
            if (network.layers()[std::size_t(e.position)].name.starts_with("Mixed_5b/")) {
                forward += e.forward;
                communication += e.communication;
            }
        QVERIFY(forward.value > 0);
        const TimeParts& time = chart().bars()[std::size_t(block)].time;
        QVERIFY(std::abs(time.forward.value - forward.value) <= 1e-12 * forward.value);
        QVERIFY(std::abs(time.communication.value - communication.value) <= 1e-12 * communication.value + 1e-18);
        // All boxes together are all layers.
        Seconds boxes{}, all{};
        for (const auto& b : chart().bars()) boxes += b.time.total();
        for (const LayerTime& l : chart().data().layers) all += l.time.total();
        QVERIFY(std::abs(boxes.value - all.value) <= 1e-9 * all.value);
        // Unfolded, its layers have bars.
        view().toggle("Mixed_5b");
        settle();
        QVERIFY(bar("Mixed_5b") < 0);
        QVERIFY(bar("branch1x1") >= 0);
        view().toggle("Mixed_5b");
        settle();
        QCOMPARE(bar("Mixed_5b"), block);
    }

    void bars_and_their_answer_are_of_one_design() {
        show_canvas("inception-v3");
        const Seconds step = window_->result()->estimate->summary.step;
        QAction* shown = nullptr;
        for (QAction* a : window_->findChildren<QAction*>())
            if (a->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_G)) shown = a;
        QVERIFY(shown);
        shown->setChecked(false);
        emit find<Combo>("network")->chosen(QStringLiteral("alexnet-one-tower"));
        settle();
        while (document().history().canUndo() && scenario().network()->size() < 100) document().history().undo();
        QVERIFY(scenario().network()->size() > 100);
        // The last answer is about few layers, and the hidden canvas has one about those that it will draw.
        QVERIFY(window_->result()->request.scenario.network()->size() < 50);
        int with_bars = 0;
        connect(&canvas(), &Canvas::boxes_changed, this, [&] {
            if (chart().data().layers.empty()) return;
            ++with_bars;
            QCOMPARE(chart().data().step.value, step.value);
        });
        canvas().set_view_state(canvas().view_state());  // as a file that is opened does
        shown->setChecked(true);
        settle();
        QVERIFY(with_bars > 0);
    }

    void selection_goes_both_ways() {
        show_canvas("inception-v3");
        click("Mixed_5b");
        QCOMPARE(chart().selected_box(), QStringLiteral("Mixed_5b"));
        click_bar(bar("Mixed_5c"));
        QCOMPARE(selected(), std::string("Mixed_5c"));
        QCOMPARE(chart().selected_box(), QStringLiteral("Mixed_5c"));
        // A layer that is folded away is marked in its block, and a layer of its own is a layer everywhere.
        view().toggle("Mixed_5b");
        settle();
        click_bar(bar("branch1x1"));
        QCOMPARE(selected(), std::string("Mixed_5b/branch1x1"));
        QCOMPARE(chart().selected_layer(), layer_key(0, *scenario().network()->position(selected())));
        key(Qt::Key_Escape);
        QCOMPARE(chart().selected_layer(), -1);
        QVERIFY(chart().selected_box().isEmpty());
    }

    void folded_rows_are_remembered() {
        open();
        window_->open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        settle();
        auto* list = find<LayerList>("layers");
        const auto names = [list] {
            QStringList all;
            for (int r = 0; r < list->model()->rowCount(); ++r) all << list->model()->row(r).title;
            return all;
        };
        QCOMPARE(names(),
                 QStringList({u("Embedding"), u("Block × 80"), u("Norm"), u("Q, K, V"), u("Attention"), u("Output"),
                              u("Norm"), u("Gate, up"), u("Down"), u("Norm"), u("Logits, loss")}));
        QCOMPARE(labels(), QStringList({u("Embedding"), u("Norm"), u("Q, K, V"), u("Attention"), u("Output"), u("Norm"),
                                        u("Gate, up"), u("Down"), u("Norm"), u("Logits, loss")}));
        // The whole block, by keyboard.
        list->view()->setCurrentIndex(list->model()->index(3, 0));
        QTest::keyClick(list->view(), Qt::Key_Left);
        QCOMPARE(list->view()->currentIndex().row(), 1);
        QTest::keyClick(list->view(), Qt::Key_Left);
        settle();
        QCOMPARE(labels(), QStringList({u("Embedding"), u("Block × 80"), u("Norm"), u("Logits, loss")}));
        QCOMPARE(list->view()->currentIndex().row(), 1);
        const QString file = folder_.filePath(QStringLiteral("rows.json"));
        QVERIFY(window_->save_to(file));
        open();
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        QCOMPARE(labels(), QStringList({u("Embedding"), u("Block × 80"), u("Norm"), u("Logits, loss")}));
        list = find<LayerList>("layers");
        // And back, with a click on the chevron: rows below keep the times they had.
        const QRect row = list->view()->visualRect(list->model()->index(1, 0));
        QTest::mouseClick(list->view()->viewport(), Qt::LeftButton, {}, {12, row.center().y()});
        settle();
        QCOMPARE(labels().size(), 10);
    }

    void leaves_as_table_and_picture() {
        show_canvas("inception-v3");
        const ChartTable table = chart().table();
        QCOMPARE(table.rows.size(), chart().bars().size());
        const QString csv = QString::fromUtf8(chart_csv(chart()));
        QVERIFY2(csv.contains(QStringLiteral("block,")), qPrintable(csv.left(300)));
        QVERIFY(csv.contains(QStringLiteral("Mixed_6e,")));
        const QImage image = chart_image(chart(), {{900, 300}, 1.0, &Theme::light()});
        QCOMPARE(image.size(), QSize(900, 300));
    }

    void a_draft_shows_the_last_valid_times() {
        show_canvas("inception-v3");
        const Seconds before = chart().bars()[std::size_t(bar("Mixed_5b"))].time.total();
        set("Mixed_5b/branch_pool_avg", "stride", Sizes{2, 2});
        QVERIFY(document().draft());
        view().toggle("Mixed_5b");  // it was unfolded to show what was edited
        settle();
        QVERIFY(bar("Mixed_5b") >= 0);
        const Seconds now = chart().bars()[std::size_t(bar("Mixed_5b"))].time.total();
        QVERIFY(std::abs(now.value - before.value) <= 1e-12 * before.value);  // its layers may stand in another order
        // What is new has no price, rather than one of nothing.
        const auto bars = chart().bars().size();
        canvas().editor().insert_alone(*find_kind("dense"));
        settle();
        QCOMPARE(chart().bars().size(), bars);
        QVERIFY(scene().box(selected())->shown().value.isEmpty());
        QVERIFY(scene().box("Mixed_5c")->shown().value.endsWith(QStringLiteral("ms")));
    }
};

QTEST_MAIN(TestCanvasChart)
#include "tst_canvas_chart.moc"
