// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a network with their times: in a panel, and as a table.
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>

#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "support_widgets.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/live/layer_keys.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace widget_test;

namespace {

Scenario example() {
    static const formats::Library library = formats::load_shipped();
    const formats::Preset* preset = library.find_scenario("example");
    if (!preset) qFatal("no example");
    return formats::read_scenario(preset->text, preset->file, library).value().scenario;
}

/// A chain of layers of growing width, "layer0" first.
LiveResultPtr chain(int count) {
    std::string text =
        R"({"format": "scalescope-network", "version": 1, "name": "chain", "symbols": {"batch": {"default": 32}}, "layers": [
        {"name": "data", "kind": "input", "shape": ["batch", 16]})";
    for (int i = 0; i < count; ++i)
        text += R"(, {"name": "layer)" + std::to_string(i) + R"(", "kind": "dense", "units": )" +
                std::to_string(16 + i) + R"(, "inputs": [")" + (i ? "layer" + std::to_string(i - 1) : "data") + "\"]}";
    LiveRequest request;
    request.scenario = with_network(example(), formats::read_network(text + "]}", "chain.json").value());
    return answer(request);
}

void fill(LayerList& list, const LiveResultPtr& result) { list.show_rows(result, shown_rows(*result, {})); }

}  // namespace

class TestLayerList : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void selects_by_mouse_and_keys() {
        LayerList list(LayerList::Columns::fitting);
        fill(list, chain(30));
        show(list, 240, 300);
        QSignalSpy selected(&list, &LayerList::selected_changed), hovered(&list, &LayerList::hovered);
        QTableView* view = list.view();
        const auto middle = [&](int row) { return view->visualRect(list.model()->index(row, 0)).center(); };
        const auto key = [&](int row) { return list.model()->row(row).key; };
        QTest::mouseMove(view->viewport(), middle(1));
        QTest::mouseMove(view->viewport(), middle(2));
        QTRY_VERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last().at(0).toInt(), key(2));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, middle(2));
        QCOMPARE(list.selected(), key(2));
        QCOMPARE(selected.size(), 1);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Down);
        QCOMPARE(list.selected(), key(3));
        QCOMPARE(selected.last().at(0).toInt(), key(3));
        QTest::keyClick(view, Qt::Key_Escape);
        QCOMPARE(list.selected(), -1);
        QCOMPARE(selected.last().at(0).toInt(), -1);
        const auto before = selected.size();
        list.set_selected(key(7));
        QCOMPARE(list.selected(), key(7));
        QCOMPARE(selected.size(), before);  // by program: silent
    }

    void keeps_its_selection_when_other_rows_come() {
        LayerList list(LayerList::Columns::fitting);
        fill(list, chain(30));
        list.set_selected(list.model()->row(5).key);
        const QString name = list.model()->row(5).title;
        QSignalSpy selected(&list, &LayerList::selected_changed);
        fill(list, chain(20));  // another network
        QCOMPARE(list.view()->currentIndex().data().toString(), name);
        list.view()->sortByColumn(LayerModel::total, Qt::DescendingOrder);
        fill(list, chain(25));
        QCOMPARE(list.model()->row(0).title, u("layer24"));
        QCOMPARE(selected.size(), 0);
    }

    void a_thousand_layers_scroll_and_repaint_only() {
        LayerList list(LayerList::Columns::fitting);
        const LiveResultPtr first = chain(1000);
        fill(list, first);
        show(list, 240, 400);
        QCOMPARE(list.model()->rowCount(), 1000);
        QSignalSpy reset(list.model(), &QAbstractItemModel::modelReset),
            changed(list.model(), &QAbstractItemModel::dataChanged);
        LiveRequest next = first->request;
        next.scenario.training.batch = 64;
        next.dragging = true;
        fill(list, answer(next));
        QCOMPARE(reset.size(), 0);  // a drag sets new values: a repaint, no more
        QCOMPARE(changed.size(), 1);
        QTableView* view = list.view();
        QVERIFY(view->height() < 400);
        const int before = view->verticalScrollBar()->value();
        wheel(view->viewport(), -3);
        QVERIFY(view->verticalScrollBar()->value() > before);
        list.set_selected(list.model()->row(900).key);
        QVERIFY(view->viewport()->rect().intersects(view->visualRect(view->currentIndex())));
        const auto row = [&] { return view->currentIndex().row(); };
        view->setFocus();
        QTest::keyClick(view, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(row(), 999);
        QTest::keyClick(view, Qt::Key_PageUp);
        QVERIFY(row() < 999);
        QTest::keyClick(view, Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(row(), 0);
    }

    void bars_are_in_proportion() {
        const LiveResultPtr result = chain(40);
        LayerList list(LayerList::Columns::fitting);
        fill(list, result);
        show(list, 320, 900);
        const QImage shot = list.grab().toImage();
        const auto length = [&](int row) {
            const QRect box = list.view()
                                  ->visualRect(list.model()->index(row, LayerModel::total))
                                  .translated(list.view()->viewport()->mapTo(&list, QPoint()));
            int n = 0;
            for (int x = box.left(); x <= box.right(); ++x)
                n += shot.pixelColor(x, box.center().y()) == Theme::light().update;
            return n;
        };
        int longest = 0;
        for (int r = 1; r < 40; ++r)
            if (list.model()->row(r).time.total() > list.model()->row(longest).time.total()) longest = r;
        QVERIFY(length(longest) > 8);
        for (const int r : {5, 20})
            QVERIFY(std::abs(length(r) - length(longest) * (list.model()->row(r).time.total() /
                                                            list.model()->row(longest).time.total())) <= 1);
    }

    /// More columns the wider the list is; none that would not fit, and all of them in the table.
    void columns_follow_the_width() {
        LayerList list(LayerList::Columns::fitting), table(LayerList::Columns::all);
        for (LayerList* l : {&list, &table}) fill(*l, chain(12));
        const auto columns = [](const LayerList& l) {
            int n = 0;
            for (int c = 0; c < LayerModel::column_count; ++c) n += !l.view()->isColumnHidden(c);
            return n;
        };
        show(list, 240, 300);
        QCOMPARE(columns(list), 3);
        QVERIFY(list.view()->horizontalHeader()->length() <= list.view()->viewport()->width());
        int before = 3;
        for (const int width : {400, 600, 1400}) {
            list.resize(width, 300);
            QVERIFY(columns(list) > before);
            QVERIFY(list.view()->horizontalHeader()->length() <= list.view()->viewport()->width());
            before = columns(list);
        }
        QVERIFY(!list.view()->isColumnHidden(LayerModel::kind));
        QVERIFY(list.view()->isColumnHidden(LayerModel::difference));  // nothing is pinned
        show(table, 300, 300);
        QCOMPARE(columns(table), before);
        QVERIFY(table.view()->horizontalScrollBar()->maximum() > 0);
    }

    void rows_are_read_aloud_whole() {
        const LiveResultPtr result = chain(3);
        LayerList list(LayerList::Columns::fitting);
        fill(list, result);
        const QString text = list.model()->index(2, 0).data(Qt::AccessibleTextRole).toString();
        QVERIFY2(text.startsWith(u("layer2, 18, ")), qPrintable(text));
        QVERIFY2(text.contains(u("per step")) && text.endsWith(u("of the step")), qPrintable(text));
        LiveRequest next = result->request;
        next.scenario.training.frozen = {next.scenario.network()->layers()[3].id};
        fill(list, answer(next));
        QVERIFY(list.model()->index(2, 0).data(Qt::ToolTipRole).toString().contains(u("\nfrozen · ")));
        QCOMPARE(list.model()->index(2, 0).data().toString(), u("layer2 ❄"));
    }

    /// Without an answer there are rows, and no time says 0.
    void a_design_without_an_answer_has_rows() {
        LiveRequest request = chain(3)->request;
        request.scenario.training.batch = 0;
        const LiveResultPtr result = answer(request);
        QVERIFY(!result->estimate);
        LayerList list(LayerList::Columns::all);
        fill(list, result);
        QCOMPARE(list.model()->rowCount(), 3);
        for (const int c : {LayerModel::forward_flops, LayerModel::forward, LayerModel::total, LayerModel::memory})
            QCOMPARE(list.model()->index(0, c).data().toString(), u("–"));
        list.view()->sortByColumn(LayerModel::total, Qt::AscendingOrder);
        QCOMPARE(list.model()->row(0).title, u("layer0"));
    }
};

QTEST_MAIN(TestLayerList)
#include "tst_layer_list.moc"
