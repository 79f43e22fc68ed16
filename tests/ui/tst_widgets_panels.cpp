// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QListView>
#include <QMainWindow>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/breadcrumb.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/evidence_tag.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/formula_block.hpp"
#include "ui/widgets/input_list.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/layer_list.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/pin_row.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/source_view.hpp"
#include "ui/widgets/stack_bar.hpp"
#include "ui/widgets/status_line.hpp"
#include "ui/widgets/tabs.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

QString u(const char* text) { return QString::fromUtf8(text); }

void show(QWidget& widget, int width, int height) {
    widget.resize(width, height);
    widget.show();
    widget.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&widget));
}

std::vector<LayerRow> many_layers(int count, double scale = 1) {
    std::vector<LayerRow> rows(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        LayerRow& row = rows[static_cast<std::size_t>(i)];
        row.id = row.name = QStringLiteral("layer%1").arg(i);
        row.shape = u("26×26×192");
        row.value = scale * (i % 37);
    }
    return rows;
}

std::vector<StackPart> parts() {
    return {{u("Forward"), &Theme::forward, 30, u("30 ms"), u("30 %"), 0, {}},
            {u("Backward"), &Theme::backward, 50, u("50 ms"), u("50 %"), 0, {}},
            {u("Communication"), &Theme::communication, 20, u("20 ms"), u("20 %"), 25, u("25 hidden")}};
}

}  // namespace

class TestWidgetsPanels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    // --- cards ----------------------------------------------------------------------------------------------------

    void dock_card_floats_closes_and_has_named_buttons() {
        QMainWindow window;
        auto* dock = new DockCard(u("Network"), u("network"));
        window.addDockWidget(Qt::LeftDockWidgetArea, dock);
        show(window, 600, 400);
        QCOMPARE(dock->objectName(), u("network"));
        QCOMPARE(dock->title_row()->height(), space::card_title);
        QVERIFY(dock->title_row()->float_button()->accessibleName().contains(u("Network")));
        QTest::mouseClick(dock->title_row()->float_button(), Qt::LeftButton);
        QVERIFY(dock->isFloating());
        QTest::mouseClick(dock->title_row()->float_button(), Qt::LeftButton);
        QVERIFY(!dock->isFloating());
        QTest::mouseClick(dock->title_row()->close_button(), Qt::LeftButton);
        QVERIFY(!dock->isVisible());
    }

    void dock_card_pages_are_tabs_of_the_title_row() {
        DockCard dock(u("Cluster"), u("cluster"));
        dock.body()->add(new QLabel(u("one")));
        dock.add_page(u("Cost model"))->add(new QLabel(u("two")));
        show(dock, 300, 200);
        QSignalSpy chosen(&dock, &DockCard::page_chosen);
        QPushButton* second = nullptr;
        for (auto* button : dock.findChildren<QPushButton*>())
            if (button->text() == u("Cost model")) second = button;
        QVERIFY(second);
        QTest::mouseClick(second, Qt::LeftButton);
        QCOMPARE(dock.current_page(), 1);
        QCOMPARE(chosen.size(), 1);
        dock.set_current_page(0);
        QCOMPARE(dock.current_page(), 0);
    }

    void a_low_dock_scrolls_without_narrowing_its_content() {
        DockCard dock(u("Why"), u("why"));
        QList<QLabel*> labels;
        for (int i = 0; i < 30; ++i) {
            labels << new QLabel(u("a line of text"));
            dock.body()->add(labels.last());
        }
        show(dock, 300, 900);
        const int wide = labels[0]->width();
        dock.resize(300, 200);
        QTest::qWait(0);
        QCOMPARE(dock.height(), 200);
        QCOMPARE(labels[0]->width(), wide);
    }

    // --- layer list -----------------------------------------------------------------------------------------------

    void layer_list_selects_by_mouse_and_keys() {
        LayerList list;
        list.set_rows(many_layers(30));
        show(list, 240, 300);
        QSignalSpy selected(&list, &LayerList::selected_changed), hovered(&list, &LayerList::hovered);
        QListView* view = list.view();
        const auto middle = [&](int row) { return view->visualRect(list.model()->index(row, 0)).center(); };
        QTest::mouseMove(view->viewport(), middle(1));
        QTest::mouseMove(view->viewport(), middle(2));
        QTRY_VERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last().at(0).toString(), u("layer2"));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, middle(2));
        QCOMPARE(list.selected(), u("layer2"));
        QCOMPARE(selected.size(), 1);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Down);
        QCOMPARE(list.selected(), u("layer3"));
        QCOMPARE(selected.last().at(0).toString(), u("layer3"));
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(list.selected().isEmpty());
        const auto before = selected.size();
        list.set_selected(u("layer7"));
        QCOMPARE(list.selected(), u("layer7"));
        QCOMPARE(selected.size(), before);  // by program: silent
    }

    void layer_list_keeps_its_selection_when_the_network_changes() {
        LayerList list;
        list.set_rows(many_layers(30));
        list.set_selected(u("layer5"));
        QSignalSpy selected(&list, &LayerList::selected_changed);
        list.set_rows(many_layers(30, 2));
        QCOMPARE(list.selected(), u("layer5"));
        auto fewer = many_layers(30);
        fewer.erase(fewer.begin(), fewer.begin() + 3);
        list.set_rows(fewer);
        QCOMPARE(list.selected(), u("layer5"));
        QCOMPARE(list.view()->currentIndex().row(), 2);
        QCOMPARE(selected.size(), 0);
    }

    void a_thousand_layers_scroll_and_draw_only_what_is_seen() {
        LayerList list;
        list.set_rows(many_layers(1000));
        list.set_total(u("Step"), u("1.00"));
        show(list, 240, 400);
        QSignalSpy reset(list.model(), &QAbstractItemModel::modelReset),
            changed(list.model(), &QAbstractItemModel::dataChanged);
        list.set_rows(many_layers(1000, 1.01));
        QCOMPARE(reset.size(), 0);  // a drag sets new values: a repaint, no more
        QCOMPARE(changed.size(), 1);
        QListView* view = list.view();
        QVERIFY(view->height() < 400);
        const int before = view->verticalScrollBar()->value();
        const QPointF at(view->viewport()->rect().center());
        QWheelEvent wheel(at, view->viewport()->mapToGlobal(at), {}, {0, -360}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view->viewport(), &wheel);
        QVERIFY(view->verticalScrollBar()->value() > before);
        list.set_selected(u("layer900"));
        QVERIFY(view->viewport()->rect().intersects(view->visualRect(view->currentIndex())));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_End);
        QCOMPARE(list.selected(), u("layer999"));
        QTest::keyClick(view, Qt::Key_PageUp);
        QVERIFY(list.selected() != u("layer999"));
        QTest::keyClick(view, Qt::Key_Home);
        QCOMPARE(list.selected(), u("layer0"));
        QSignalSpy activated(&list, &LayerList::activated);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated.at(0).at(0).toString(), u("layer0"));
    }

    void bars_of_layers_are_in_proportion() {
        std::vector<LayerRow> rows = many_layers(3);
        rows[0].value = 100, rows[1].value = 50, rows[2].value = 0;
        LayerList list;
        list.set_rows(rows);
        show(list, 300, 140);
        const QImage shot = list.grab().toImage();
        const auto length = [&](int row) {
            const QRect box = list.view()->visualRect(list.model()->index(row, 0)).translated(list.view()->pos());
            int n = 0;
            for (int x = box.left(); x <= box.right(); ++x)
                n += shot.pixelColor(x, box.center().y()) == Theme::light().update;
            return n;
        };
        QVERIFY(length(0) > 8);
        QVERIFY(std::abs(length(0) - 2 * length(1)) <= 2);
        QCOMPARE(length(2), 0);
    }

    void layer_rows_are_read_aloud_whole() {
        LayerList list;
        list.set_rows(many_layers(3));
        const QString text = list.model()->index(2, 0).data(Qt::AccessibleTextRole).toString();
        QCOMPARE(text, u("layer2, 26×26×192, 2.00 ms per step"));
        list.set_formats([](double value) { return QString::number(value); },
                         [](double share) { return QStringLiteral("%1 %").arg(100 * share); });
        auto rows = many_layers(3);
        rows[1].share = 0.25;
        rows[1].note = u("frozen");
        list.set_rows(rows);
        QCOMPARE(list.model()->index(1, 0).data(Qt::AccessibleTextRole).toString(),
                 u("layer1, 26×26×192, 1 ms per step, frozen · 25 %"));
        QCOMPARE(list.model()->index(1, 0).data(Qt::ToolTipRole).toString(), u("layer1\nfrozen · 25 %"));
    }

    // --- key figures ----------------------------------------------------------------------------------------------

    void key_figures_are_a_table_as_tall_as_their_rows() {
        KeyFigures table;
        table.set_rows(
            {{u("step"), u("Step"), u("ms"), u("238.9"), u("290.3"), u("−17.7 %"), Change::better, true, false, {}},
             {u("speedup"), u("Speedup"), u("×"), u("16.6"), u("19.3"), u("−14.1 %"), Change::worse, false, false, {}},
             {u("forward"),
              u("Forward"),
              u("ms"),
              u("33.2"),
              u("46.8"),
              u("−29.2 %"),
              Change::better,
              false,
              true,
              {}}});
        const int bare = table.sizeHint().height();
        QCOMPARE(bare, 3 * space::table_row + 9);
        table.set_pin(u("A"));
        QVERIFY(table.sizeHint().height() > bare);
        QVERIFY(!table.isColumnHidden(KeyFigureModel::difference_column));
        show(table, 268, table.sizeHint().height());
        QCOMPARE(table.figures().index(0, KeyFigureModel::difference_column).data(Qt::AccessibleTextRole).toString(),
                 u("−17.7 %, better"));
        QCOMPARE(table.figures().index(1, KeyFigureModel::difference_column).data(Qt::AccessibleTextRole).toString(),
                 u("−14.1 %, worse"));
        QCOMPARE(
            table.figures().headerData(KeyFigureModel::difference_column, Qt::Horizontal, Qt::DisplayRole).toString(),
            u("vs A"));
        QSignalSpy activated(&table, &KeyFigures::figure_activated);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.figures().index(1, 0)).center());
        QCOMPARE(activated.last().at(0).toString(), u("speedup"));
        QTest::keyClick(&table, Qt::Key_Down);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(activated.last().at(0).toString(), u("forward"));
    }

    void pin_row_has_its_three_buttons() {
        PinRow row(1);
        row.set_name(u("Tesla K40"));
        show(row, 260, 28);
        QCOMPARE(row.accessibleName(), u("Pinned scenario B: Tesla K40"));
        QSignalSpy rename(&row, &PinRow::rename_clicked), swap(&row, &PinRow::swap_clicked),
            unpin(&row, &PinRow::unpin_clicked);
        for (auto* button : row.findChildren<QToolButton*>()) {
            QVERIFY(!button->accessibleName().isEmpty());
            QTest::mouseClick(button, Qt::LeftButton);
        }
        QCOMPARE(rename.size(), 1);
        QCOMPARE(swap.size(), 1);
        QCOMPARE(unpin.size(), 1);
        QSignalSpy clicked(&row, &PinRow::clicked);
        QTest::mouseClick(&row, Qt::LeftButton, {}, {60, 14});
        QCOMPARE(clicked.size(), 1);
        QTest::mouseClick(&row, Qt::RightButton, {}, {60, 14});
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(pin_dashes(0), QVector<qreal>({5, 3}));
        QVERIFY(pin_dashes(0) != pin_dashes(1) && pin_dashes(1) != pin_dashes(2) && pin_dashes(2) != pin_dashes(3));
    }

    // --- why ------------------------------------------------------------------------------------------------------

    void breadcrumb_leads_back() {
        Breadcrumb path;
        path.set_crumbs({{u("step"), u("Step")}, {u("conv2"), u("conv2")}, {u("forward"), u("Forward")}});
        show(path, 280, 20);
        const auto links = path.findChildren<QPushButton*>();
        QCOMPARE(links.size(), 2);  // the last crumb is where we are
        QSignalSpy clicked(&path, &Breadcrumb::crumb_clicked);
        QTest::mouseClick(links[1], Qt::LeftButton);
        QCOMPARE(clicked.at(0).at(0).toString(), u("conv2"));
    }

    void formula_is_text_too() {
        FormulaBlock block;
        block.set_formula(u("<i>S</i>"), {{u("= <i>n</i> · <i>t</i><sub>1</sub> / <i>t</i><sub>n</sub>"), true, false},
                                          {u("= 32 · 123.93 ms / 238.91 ms"), false, false},
                                          {u("= 16.60"), false, true}});
        QCOMPARE(block.plain_text(), u("S = n · t1 / tn\n= 32 · 123.93 ms / 238.91 ms\n= 16.60"));
        show(block, 280, 90);
        block.setFocus();
        QTest::keySequence(&block, QKeySequence::Copy);
        QCOMPARE(QApplication::clipboard()->text(), block.plain_text());
        QVERIFY(block.heightForWidth(140) > block.heightForWidth(400));  // wraps, never cuts
    }

    void inputs_lead_to_their_controls() {
        InputList list;
        list.set_lines({{u("<i>n</i>"), u("workers"), u("32"), u("cluster.nodes"), {}},
                        {u("<i>t</i><sub>1</sub>"), u("step on 1 worker"), u("124 ms"), {}, {}}});
        show(list, 260, 60);
        QSignalSpy clicked(&list, &InputList::field_clicked);
        const auto rows = list.findChildren<InputRow*>();
        QCOMPARE(rows.size(), 2);
        QTest::mouseClick(rows[0], Qt::LeftButton);
        QTest::mouseClick(rows[1], Qt::LeftButton);  // leads nowhere
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.at(0).at(0).toString(), u("cluster.nodes"));
        QCOMPARE(rows[1]->accessibleName(), u("t1, step on 1 worker: 124 ms"));
        QCOMPARE(rows[1]->focusPolicy(), Qt::NoFocus);
        list.set_lines({});
        QVERIFY(list.isHidden());
    }

    void a_long_input_wraps() {
        InputList list;
        list.set_lines({{{}, u("hidden behind work, not added to the time of a step"), u("124.0 ms"), {}, {}},
                        {u("<i>n</i>"), u("workers"), u("32"), {}, {}}});
        list.resize(230, list.heightForWidth(230));
        list.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&list));
        const auto rows = list.findChildren<InputRow*>();
        QCOMPARE(rows[1]->height(), 24);
        const QFontMetrics metrics(type::table());
        QVERIFY2(rows[0]->height() >= 2 * metrics.height() + 6, qPrintable(QString::number(rows[0]->height())));
    }

    void stack_bar_is_in_proportion_and_hides_nothing_twice() {
        StackBar bar;
        bar.set_parts(parts());
        show(bar, 200, bar.sizeHint().height());
        const QImage shot = bar.grab().toImage();
        const Theme& t = Theme::light();
        QCOMPARE(shot.pixelColor(10, 5), t.forward);
        QCOMPARE(shot.pixelColor(58, 5), t.forward);
        QCOMPARE(shot.pixelColor(62, 5), t.backward);
        QCOMPARE(shot.pixelColor(158, 5), t.backward);
        QCOMPARE(shot.pixelColor(162, 5), t.communication);
        QCOMPARE(shot.pixelColor(199, 5), t.communication);
        // Hidden: 25 of 100 are 50 px, below, ending where communication begins; its outline shows at the top edge.
        QCOMPARE(shot.pixelColor(130, 16), t.communication);
        QVERIFY(shot.pixelColor(100, 16) != t.communication);
        QVERIFY(shot.pixelColor(165, 16) != t.communication);
        QVERIFY(bar.accessibleDescription().contains(u("25 hidden")));
    }

    void parts_follow_a_change_of_theme() {
        StackBar bar;
        bar.set_parts(parts());
        show(bar, 200, bar.sizeHint().height());
        apply_theme(*qApp, ThemeChoice::dark);
        QCOMPARE(bar.grab().toImage().pixelColor(10, 5), Theme::dark_theme().forward);
        apply_theme(*qApp, ThemeChoice::light);
    }

    void evidence_says_what_it_means() {
        EvidenceTag tag;
        tag.set_kind(EvidenceTag::Kind::calibrated, u("calibrated, 120 points"));
        QCOMPARE(tag.accessibleName(), u("Evidence: calibrated, 120 points"));
        QVERIFY(!tag.toolTip().isEmpty());
    }

    // --- banners, tabs, status ------------------------------------------------------------------------------------

    void banner_buttons_and_close() {
        Banner banner(Banner::Kind::error, Banner::Form::box);
        banner.set_text(u("a<b was not opened."), u("AlexNet is still shown."));
        auto* fix = banner.add_button(u("Set stride to 1"), true);
        banner.set_closable(true);
        show(banner, 300, 120);
        QSignalSpy clicked(fix, &QPushButton::clicked), closed(&banner, &Banner::closed);
        QTest::mouseClick(fix, Qt::LeftButton);
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(banner.accessibleName(), u("a<b was not opened. AlexNet is still shown."));
        QTest::mouseClick(banner.findChild<QToolButton*>(), Qt::LeftButton);
        QCOMPARE(closed.size(), 1);
        QVERIFY(banner.isHidden());
        banner.remove_buttons();
        QCOMPARE(banner.findChildren<QPushButton*>().size(), 1);  // deleted later
    }

    void bottom_tabs_open_and_fold() {
        BottomTabs tabs;
        tabs.add_tab(u("problems"), u("Problems"));
        tabs.add_tab(u("table"), u("Layer table"));
        tabs.set_count(u("problems"), 4);
        show(tabs, 600, space::bottom_tabs);
        QCOMPARE(tabs.tab(u("problems"))->accessibleName(), u("Problems, 4"));
        QSignalSpy changed(&tabs, &BottomTabs::current_changed);
        QTest::mouseClick(tabs.tab(u("table")), Qt::LeftButton);
        QCOMPARE(tabs.current(), u("table"));
        QTest::mouseClick(tabs.tab(u("table")), Qt::LeftButton);
        QVERIFY(tabs.current().isEmpty());
        QVERIFY(!tabs.tab(u("table"))->isChecked());
        auto* fold = tabs.findChild<QToolButton*>();
        QTest::mouseClick(fold, Qt::LeftButton);  // opens what was open last
        QCOMPARE(tabs.current(), u("table"));
        QTest::mouseClick(fold, Qt::LeftButton);
        QVERIFY(tabs.current().isEmpty());
        QCOMPARE(changed.size(), 4);
        tabs.tab(u("problems"))->setFocus();
        QTest::keyClick(tabs.tab(u("problems")), Qt::Key_Space);
        QCOMPARE(tabs.current(), u("problems"));
    }

    void side_tabs_unfold_one() {
        SideTabs tabs;
        tabs.add_tab(u("why"), u("Why"));
        tabs.add_tab(u("numbers"), u("Numbers"));
        show(tabs, 32, 400);
        QSignalSpy changed(&tabs, &SideTabs::current_changed);
        QTest::mouseClick(tabs.tab(u("numbers")), Qt::LeftButton);
        QCOMPARE(tabs.current(), u("numbers"));
        QVERIFY(tabs.tab(u("numbers"))->height() > tabs.tab(u("numbers"))->width());
        QTest::mouseClick(tabs.tab(u("numbers")), Qt::LeftButton);
        QVERIFY(tabs.current().isEmpty());
        QCOMPARE(changed.size(), 2);
    }

    void status_line_reads_and_leads_to_problems() {
        StatusLine line;
        line.set_messages({u("1 shape problem")}, StatusLine::State::error);
        line.set_figures({{u("Step"), u("238.9 ms"), u("−17.7 %"), Change::better}});
        line.set_context({u("AlexNet"), u("32 workers")});
        show(line, 700, 26);
        line.grab();
        QCOMPARE(line.accessibleDescription(), u("1 shape problem; Step 238.9 ms; AlexNet; 32 workers"));
        QSignalSpy clicked(&line, &StatusLine::message_clicked);
        QTest::mouseClick(&line, Qt::LeftButton, {}, {30, 13});
        QCOMPARE(clicked.size(), 1);
        QTest::mouseClick(&line, Qt::LeftButton, {}, {600, 13});
        QCOMPARE(clicked.size(), 1);
        line.set_messages({u("Ready")});
        QTest::mouseClick(&line, Qt::LeftButton, {}, {30, 13});
        QCOMPARE(clicked.size(), 1);
    }

    void search_field_passes_movement_on() {
        SearchField field(u("Search commands"));
        show(field, 260, 28);
        QSignalSpy moved(&field, &SearchField::moved), escaped(&field, &SearchField::escaped);
        QTest::keyClick(&field, Qt::Key_Down);
        QCOMPARE(moved.at(0).at(0).toInt(), 1);
        QTest::keyClicks(&field, u("pin"));
        QTest::keyClick(&field, Qt::Key_Escape);
        QVERIFY(field.text().isEmpty());
        QCOMPARE(escaped.size(), 0);
        QTest::keyClick(&field, Qt::Key_Escape);
        QCOMPARE(escaped.size(), 1);
    }

    void form_names_its_controls() {
        Form form;
        auto* field = new NumberField(QString());
        form.add_row(u("Nodes"), field, u("8.75 GB/s each way"));
        QCOMPARE(field->accessibleName(), u("Nodes"));
        show(form, 250, 80);
        QVERIFY(field->isVisible());
        form.set_row_visible(field, false);
        QVERIFY(!field->isVisible());
        for (auto* label : form.findChildren<QLabel*>()) QVERIFY(!label->isVisible());
        form.set_row_visible(field, true);
        for (auto* label : form.findChildren<QLabel*>()) QVERIFY(label->isVisible());
    }

    // --- problems -------------------------------------------------------------------------------------------------

    void marked_range_ends_with_its_value() {
        const QString line = u("    \"filter\": [3, 3, 256, [1]], \"x\": \"SA\\\"ME\", \"n\": 12.5}");
        const auto mark = [&line](const char* start) {
            const int column = static_cast<int>(line.indexOf(QString::fromLatin1(start))) + 1;
            return line.mid(column - 1, marked_length(line, column));
        };
        QCOMPARE(mark("[3"), u("[3, 3, 256, [1]]"));
        QCOMPARE(mark("\"SA"), u("\"SA\\\"ME\""));
        QCOMPARE(mark("12"), u("12.5"));
        QCOMPARE(marked_length(line, 0), 0);
        QCOMPARE(marked_length(line, 1000), 0);
        QCOMPARE(marked_length(u("  [1, 2,"), 3), 6);
    }

    void problems_show_their_place_in_the_text() {
        QString text;
        for (int i = 1; i <= 100; ++i)
            text += i == 42 ? u("  \"filter\": [3, 3, 256, 384],\n") : u("  \"line\": %1,\n").arg(i);
        ProblemsView view;
        view.set_problems({{Severity::error, u("Filter expects 256 input channels."), u("layers › conv3 › filter"),
                            u("Use 192."), 42, 13, 0},
                           {Severity::warning, u("“valid” is read as “VALID”."), u("layers › fc6"),
                            u("Write it in capitals."), 74, 3, 0}},
                          u("alexnet-wide.json"), text);
        view.set_banner(u("alexnet-wide.json was not opened."), u("AlexNet is still shown, unchanged."));
        show(view, 860, 240);
        QCOMPARE(view.error_count(), 1);
        QCOMPARE(view.warning_count(), 1);
        QCOMPARE(view.counts()->accessibleName(), u("1 error, 1 warning"));
        QCOMPARE(view.source()->marked_line(), 42);
        QCOMPARE(view.source()->marked_text(), u("[3, 3, 256, 384]"));
        QSignalSpy selected(&view, &ProblemsView::problem_selected), activated(&view, &ProblemsView::problem_activated);
        QSignalSpy editor(&view, &ProblemsView::open_in_editor_clicked),
            again(&view, &ProblemsView::read_again_clicked);
        view.list()->setFocus();
        QTest::keyClick(view.list(), Qt::Key_Down);
        QCOMPARE(selected.last().at(0).toInt(), 1);
        QCOMPARE(view.source()->marked_line(), 74);
        QTest::keyClick(view.list(), Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        const QRect first = view.list()->visualRect(view.list()->model()->index(0, 0));
        QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, {},
                          {first.right() - 20, first.top() + 14});  // the link 42:13
        QCOMPARE(activated.size(), 2);
        QCOMPARE(view.source()->marked_line(), 42);
        for (auto* button : view.findChildren<QPushButton*>()) QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(editor.size(), 1);
        QCOMPARE(again.size(), 1);
        view.set_problems({});
        QCOMPARE(view.error_count(), 0);
        QVERIFY(view.counts()->isHidden());
    }

    void a_problem_of_core_is_taken_over() {
        Problem problem;
        problem.severity = Severity::warning;
        problem.what = "“valid” is read as “VALID”.";
        problem.where = "layers › fc6 › padding";
        problem.remedy = "Write it in capitals.";
        problem.at = {"net.json", 74, 24};
        const ProblemRow row = problem_row(problem);
        QCOMPARE(row.what, u("“valid” is read as “VALID”."));
        QCOMPARE(row.where, u("layers › fc6 › padding"));
        QCOMPARE(row.line, 74);
        QCOMPARE(row.column, 24);
        QCOMPARE(row.severity, Severity::warning);
    }

    void of_huge_files_only_the_place_is_held() {
        SourceView view;
        show(view, 400, 200);
        const QString one_line = u("{\"a\": [") + u("1234567, ").repeated(600000) + u("]}");  // 5 MB in one line
        view.set_text(one_line);
        view.show_place(u("big.json:1:4000001"), {}, 1, 4000001, 0, true);
        QCOMPARE(view.marked_line(), 1);
        QCOMPARE(view.marked_text(), one_line.mid(4000000, marked_length(one_line, 4000001)));
        QVERIFY(view.editor()->document()->characterCount() < 5000);
        // Another problem of the same line, far off, is marked as well.
        for (const int column : {8, 2000000, 5400000, 4000001}) {
            view.show_place(u("big.json"), {}, 1, column, 0, true);
            QCOMPARE(view.marked_text(), one_line.mid(column - 1, marked_length(one_line, column)));
        }
        const QString many_lines = u("  \"x\": 1,\r\n").repeated(400000);
        view.set_text(many_lines);
        view.show_place(u("long.json:399999:8"), {}, 399999, 8, 0, true);
        QCOMPARE(view.marked_line(), 399999);
        QCOMPARE(view.marked_text(), u("1"));
        QVERIFY(view.first_line() > 399000);
        view.show_place(u("long.json:5:8"), {}, 5, 8, 0, true);
        QCOMPARE(view.first_line(), 1);
        QCOMPARE(view.marked_text(), u("1"));
        view.show_place(u("x"), {}, 5000000, 8, 0, true);  // a line that is not there
        QCOMPARE(view.marked_line(), 0);
        QVERIFY(view.editor()->document()->blockCount() < 1000);
        view.set_text({});
        view.show_place({}, {}, 1, 1, 0, true);
    }
};

QTEST_MAIN(TestWidgetsPanels)
#include "tst_widgets_panels.moc"
