// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the canvas: any dock a person wants, remembered apart from how they stand beside the charts.
#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>

#include "support_canvas.hpp"
#include "ui/canvas/border_item.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/status_line.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestCanvasDocks : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    QDockWidget* dock(const char* name) { return find<QDockWidget>(name); }
    void toggle_canvas() {
        QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier);
        settle();
    }
    QAction* in_menu(const QString& title) {
        for (QAction* menu : window_->menuBar()->actions())
            for (QAction* a : menu->menu()->actions())
                if (QString(a->text()).remove(QLatin1Char('&')) == title) return a;
        qFatal("no action %s", qPrintable(title));
    }
    /// The same window, closed and opened again with what the program remembers.
    void open_again() {
        window_->close();
        window_.reset();
        window_ = std::make_unique<MainWindow>(QString());
        window_->start();
        window_->finish_opening();
        window_->QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void the_way_to_a_layer_takes_no_room_from_the_controls() {
        show_canvas();
        resize(1024, 700);
        auto* search = find<QWidget>("canvasSearch");
        for (const char* name : {"conv3", "fc6"}) {
            canvas().scene().select({name});
            settle();
            for (const QWidget* w : search->parentWidget()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
                if (w != search && w->isVisible())
                    QVERIFY2(!w->geometry().intersects(search->geometry()), qPrintable(w->objectName()));
        }
    }

    void a_file_that_failed_is_forgotten_for_a_new_network() {
        show_canvas();
        resize(1280, 760);
        QVERIFY(!find<ElidedLabel>("canvasCounts")->shown().isEmpty());
        window_->open(write("broken.json", "{"));
        window_->finish_opening();
        settle();
        QTest::keyClick(window_.get(), Qt::Key_N, Qt::ControlModifier);
        settle();
        const QString said = window_->findChild<StatusLine*>()->accessibleDescription();
        QVERIFY2(said.contains(QStringLiteral("1 problem of the drawn network")), qPrintable(said));
    }

    /// On the smallest full screen, whatever a file calls its layers and itself.
    void long_names_leave_the_window_as_wide_as_it_is() {
        show_canvas("inception-v3");
        resize(1280, 760);
        NetworkDraft draft = document().drawn(0);
        const std::string word = "a_name_that_goes_on_and_on_until_nobody_can_read_it_in_one_line";
        draft.name = word + word;
        for (Layer& l : draft.layers) l.name = word + "/" + l.name + "_" + word;
        document().edit_network(0, draft, QStringLiteral("long names"));
        settle();
        for (const BoxItem* box : scene().boxes()) {
            scene().select({scene().item_of(*box).path});
            settle();
            QCOMPARE(window_->width(), 1280);
        }
        scene().select({draft.layers[3].name});
        open_page("timeline");
        toggle_canvas();
        QCOMPARE(window_->width(), 1280);
        toggle_canvas();
        toggle_canvas();
        QCOMPARE(window_->width(), 1280);
    }

    void docks_are_remembered_for_each() {
        show_canvas();
        QVERIFY(dock("paletteDock")->isVisible());
        QVERIFY(dock("propertiesDock")->isVisible());
        QVERIFY(!dock("networkDock")->isVisible());
        in_menu(QStringLiteral("Network"))->trigger();
        in_menu(QStringLiteral("Properties"))->trigger();
        settle();
        QVERIFY(dock("networkDock")->isVisible());
        QVERIFY(!dock("propertiesDock")->isVisible());
        toggle_canvas();
        for (const char* name : {"networkDock", "clusterDock", "modelDock", "whyDock", "numbersDock"})
            QVERIFY2(dock(name)->isVisible(), name);
        for (const char* name : {"paletteDock", "propertiesDock"}) {
            QVERIFY2(!dock(name)->isVisible(), name);
            QVERIFY(!dock(name)->toggleViewAction()->isVisible());
        }
        dock("numbersDock")->hide();
        toggle_canvas();
        QVERIFY(dock("networkDock")->isVisible());
        QVERIFY(dock("paletteDock")->isVisible());
        QVERIFY(!dock("propertiesDock")->isVisible());
        QVERIFY(!dock("whyDock")->isVisible());
        toggle_canvas();
        QVERIFY(!dock("numbersDock")->isVisible());
        QVERIFY(dock("whyDock")->isVisible());
        toggle_canvas();
        open_again();  // closed beside the canvas
        QVERIFY(!dock("numbersDock")->isVisible());
        QVERIFY(dock("clusterDock")->isVisible());
        toggle_canvas();
        QVERIFY(dock("networkDock")->isVisible());
        QVERIFY(!dock("propertiesDock")->isVisible());
        in_menu(QStringLiteral("Reset layout"))->trigger();
        settle();
        QVERIFY(dock("numbersDock")->isVisible());
        toggle_canvas();
        QVERIFY(dock("propertiesDock")->isVisible());
        QVERIFY(!dock("networkDock")->isVisible());
    }

    void the_strategy_is_chosen_beside_the_canvas() {
        show_canvas();
        auto* workers = window_->findChild<WorkersPanel*>();
        QVERIFY(!workers->isVisible());
        auto* button = [&] {
            for (auto* b : canvas().findChildren<QToolButton*>())
                if (b->accessibleName() == QStringLiteral("Workers and strategy")) return b;
            qFatal("no button");
        }();
        QTest::mouseClick(button, Qt::LeftButton);
        settle();
        QVERIFY(workers->isVisible());
        choose("hybrid");
        QCOMPARE(scene().borders().size(), std::size_t{1});
        choose("data");
        QVERIFY(scene().borders().empty());
        toggle_canvas();
        QVERIFY(workers->isVisible());  // beside the charts always
        toggle_canvas();
        QVERIFY(workers->isVisible());
        QTest::keyClick(window_.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!workers->isVisible());
    }

    void sizes_stand_beside_the_kinds() {
        show_canvas("transformers/gpt-2");
        auto* card = static_cast<DockCard*>(dock("paletteDock"));
        card->set_current_page(1);
        NumberField* field = nullptr;
        for (auto* f : card->findChildren<NumberField*>())
            if (f->isVisible()) field = f;
        QVERIFY(field);
        const double before = window_->result()->estimate->summary.step.value;
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, QStringLiteral("128"));
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        QVERIFY(window_->result()->estimate->summary.step.value < before);
        QVERIFY(view().isVisible());
    }

    void small_windows_keep_a_canvas() {
        show_canvas();
        QTest::keyClick(window_.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        for (const QSize size : {QSize(1280, 720), QSize(1024, 700)}) {
            resize(size.width(), size.height());
            QCOMPARE(window_->size(), size);
            QVERIFY2(view().viewport()->width() > 440, qPrintable(QString::number(view().viewport()->width())));
            QVERIFY2(view().viewport()->height() > 200, qPrintable(QString::number(view().viewport()->height())));
        }
        // Cluster and model share a card in a low window; an arrangement made in a high one does not bring empty ones.
        resize(1440, 900);
        in_menu(QStringLiteral("Cluster"))->trigger();
        QVERIFY(dock("clusterDock")->isVisible());
        toggle_canvas();
        resize(1440, 720);
        toggle_canvas();
        QVERIFY(!dock("clusterDock")->isVisible());
        QVERIFY(dock("designDock")->isVisible());
    }
};

QTEST_MAIN(TestCanvasDocks)
#include "tst_canvas_docks.moc"
