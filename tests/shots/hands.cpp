// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/hands.hpp"

#include <QMenu>
#include <QMenuBar>
#include <QTableView>
#include <QTest>

#include "core/scenario/names.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/charts/chart.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/settings_panel.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/section.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/tabs.hpp"

namespace scalescope::shots {

void choose_network(MainWindow& w, const char* id) {
    emit find<Combo>(w, "network")->chosen(QLatin1String(id));
    settle(w);
}

void choose_way(MainWindow& w, std::string_view id) {
    emit find<Combo>(w, "way")->chosen(QString::fromUtf8(id));
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

void section(MainWindow& w, int index) {
    for (const char* dock : {"modelDock", "designDock"}) find<DockCard>(w, dock)->set_current_page(1);
    const auto sections = w.findChild<SettingsPanel*>()->findChildren<Section*>();
    for (int i = 0; i < sections.size(); ++i) sections[i]->set_open(i == index);
    settle(w);
}

void select_layer(MainWindow& w, int row) {
    auto* list = find<LayerList>(w, "layers")->view();
    list->setCurrentIndex(list->model()->index(row, 0));
    settle(w);
}

void ask(MainWindow& w, Topic topic, int layer, int index) {
    Item item;
    item.topic = topic;
    item.layer = layer;
    item.index = index;
    emit w.findChild<WhyPanel*>()->asked(item);
    settle(w);
}

void hover(QWidget* widget, QPoint at) {
    QTest::mouseMove(widget, at - QPoint(2, 2));
    QTest::mouseMove(widget, at);
    QCoreApplication::processEvents();
}

void main_menu(MainWindow& w, int index, int sub) {
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

CanvasView* canvas(MainWindow& w, const char* network) {
    if (network) choose_network(w, network);
    for (QAction* a : w.findChildren<QAction*>())
        if (a->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_G) && !a->isChecked()) a->trigger();
    settle(w);
    return find<CanvasView>(w, "canvasView");
}

CanvasScene& scene_of(CanvasView* view) { return *qobject_cast<CanvasScene*>(view->scene()); }

}  // namespace scalescope::shots
