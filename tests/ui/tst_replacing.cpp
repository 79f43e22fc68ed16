// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever takes the place of the open design is one undo step, which brings back all of it.
#include <QClipboard>
#include <QMenuBar>
#include <QToolBar>

#include "core/formats/network_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/formats/scenario_text.hpp"
#include "support_canvas.hpp"
#include "support_drops.hpp"
#include "support_questions.hpp"
#include "ui/commands/command_list.hpp"
#include "ui/commands/command_palette.hpp"
#include "ui/gallery/gallery_dialog.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/validation_page.hpp"
#include "ui/search/search_window.hpp"
#include "ui/window/lesson_desk.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestReplacing : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    Scenario other(const char* name = "Another") {
        Scenario s = example_scenario(window_->library());
        s.name = name;
        s.cluster.workers = 77;
        return s;
    }
    QString link() { return QString::fromStdString(formats::to_link(other(), window_->library()).value()); }
    QString scenario_file(const char* name) {
        return write(name, QByteArray::fromStdString(formats::write_scenario(other(name), window_->library())));
    }
    QAction* menu_action(const QString& text) {
        for (QAction* a : window_->findChildren<QAction*>())
            if (a->text().remove(QLatin1Char('&')) == text) return a;
        return nullptr;
    }
    std::map<QString, std::function<void()>> ways() {
        return {
            {QStringLiteral("reset"), [this] { menu_action(QStringLiteral("Reset to example"))->trigger(); }},
            {QStringLiteral("scenario preset"),
             [this] { window_->open_scenario_preset(QString::fromStdString(window_->library().scenarios.back().id)); }},
            {QStringLiteral("gallery"),
             [this] {
                 find<QAction>("presets")->trigger();
                 auto* gallery = window_->findChild<GalleryDialog*>();
                 gallery->close();
                 emit gallery->chosen(GalleryDialog::Kind::network, QStringLiteral("vgg-16"));
             }},
            {QStringLiteral("paste"),
             [this] {
                 QGuiApplication::clipboard()->setText(link());
                 find<QAction>("pasteLink")->trigger();
             }},
            {QStringLiteral("dropped text"),
             [this] {
                 QMimeData brought;
                 brought.setText(link());
                 QVERIFY(window_test::drop_on(*window_, brought));
             }},
            {QStringLiteral("dropped file"),
             [this] {
                 QMimeData brought;
                 brought.setUrls({QUrl::fromLocalFile(scenario_file("dropped.json"))});
                 QVERIFY(window_test::drop_on(*window_, brought));
             }},
            {QStringLiteral("file"), [this] { window_->open(scenario_file("opened.json")); }},
            {QStringLiteral("recent file"), [this] { menu_action(QStringLiteral("recent.json"))->trigger(); }},
            {QStringLiteral("network file"),
             [this] {
                 const auto network = window_->library().network("vgg-16");
                 window_->open(
                     write("network.json", QByteArray::fromStdString(formats::write_network((*network)->draft()))));
             }},
            {QStringLiteral("swap"), [this] { document().swap_with_pin(0); }},
            {QStringLiteral("palette"),
             [this] {
                 find<QAction>("commands")->trigger();
                 auto* palette = window_->findChild<CommandPalette*>();
                 const Command* preset = nullptr;
                 for (int row = 0; row < palette->commands().rowCount(); ++row)
                     if (const Command* c = palette->commands().command(row);
                         c && c->place == QLatin1String("Scenario"))
                         if (c->title == QString::fromStdString(window_->library().scenarios.front().name)) preset = c;
                 QVERIFY(preset);
                 const auto run = preset->run;
                 palette->hide();
                 run();
             }},
            {QStringLiteral("search"), [this] { window_->finder().document().load(other()); }},
            {QStringLiteral("published"),
             [this] {
                 emit window_->measurements().validation_page()->scenario_asked(other(), QStringLiteral("Published"));
             }},
        };
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void one_undo_brings_back_all_of_it_data() {
        QTest::addColumn<QString>("way");
        open();
        for (const auto& [name, way] : ways()) QTest::newRow(qPrintable(name)) << name;
        window_.reset();
    }
    void one_undo_brings_back_all_of_it() {
        QFETCH(QString, way);
        open();
        Settings().add_recent(scenario_file("recent.json"));
        new_network();
        add("convolution");
        add("dense");
        document().pin();
        settle();
        const Scenario scenario_before = scenario();
        const auto drawn = document().draft();
        QVERIFY(drawn && drawn->layers.size() == 2);
        const int index = document().history().index();
        const QString title = document().title();
        ways()[way]();
        window_->finish_opening();
        settle();
        const Scenario scenario_after = scenario();
        const auto drawn_after = document().draft();
        QVERIFY(!(scenario() == scenario_before) || document().draft() != drawn);
        QCOMPARE(document().history().index(), index + 1);
        document().history().undo();
        settle();
        QVERIFY(scenario() == scenario_before);
        QVERIFY(document().draft() == drawn);
        QCOMPARE(document().pins().size(), std::size_t{1});
        QCOMPARE(document().title(), title);
        QVERIFY(document().dirty());
        // And it is seen again.
        QVERIFY(view().isVisible());
        QCOMPARE(scene().boxes().size(), std::size_t{2});
        document().history().redo();
        settle();
        QVERIFY(scenario() == scenario_after && document().draft() == drawn_after);
    }

    /// A lesson puts aside what is open.
    void leaving_a_lesson_brings_back_all_of_it() {
        new_network();
        add("convolution");
        document().pin();
        settle();
        const Scenario scenario_before = scenario();
        const auto drawn = document().draft();
        const int index = document().history().index();
        window_->lessons().open_shipped(QString::fromStdString(window_->library().lessons.front().id));
        settle();
        QVERIFY(!document().draft());
        QVERIFY(window_->lessons().leave());
        settle();
        QVERIFY(scenario() == scenario_before && document().draft() == drawn);
        QCOMPARE(document().pins().size(), std::size_t{1});
        QCOMPARE(document().history().index(), index);
        QVERIFY(view().isVisible());
    }

    /// A session that takes long to read comes when work went on already.
    void a_recovery_that_comes_late_is_one_step() {
        QTemporaryDir sessions;
        {
            const formats::Library library = formats::load_shipped();
            Scenario left = example_scenario(library);
            left.cluster.workers = 77;
            Session session(sessions.path());
            const std::string blanks(30'000'000, ' ');  // to be read for a moment
            session.keep({formats::write_scenario(left, library) + blanks, {}, true, false});
            session.flush();
        }
        window_ = std::make_unique<MainWindow>(sessions.path());
        window_->start();
        QVERIFY(window_->loader().loading());
        document().new_network();
        document().pin();
        const Scenario scenario_before = scenario();
        const auto drawn = document().draft();
        window_->finish_opening();
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{77});
        QVERIFY(!document().draft() && document().dirty());
        document().history().undo();
        QVERIFY(scenario() == scenario_before && document().draft() == drawn);
        QCOMPARE(document().pins().size(), std::size_t{1});
        document().history().redo();
        QCOMPARE(scenario().cluster.workers, std::int64_t{77});
        window_.reset();  // before its folder
    }

    /// The way back ends with the window.
    void quitting_asks_about_a_drawing_that_only_undo_brings_back() {
        new_network();
        add("convolution");
        settle();
        window_->reset_to_example();
        settle();
        QVERIFY(!document().dirty());
        {
            window_test::Questions asked(QMessageBox::Cancel);
            QVERIFY(!window_->close());
            QCOMPARE(asked.asked(), 1);
            QVERIFY2(asked.text().contains(QLatin1String("New network")), qPrintable(asked.text()));
        }
        document().history().undo();
        settle();
        QVERIFY(document().draft());
        // It is open: the session keeps it.
        window_test::Questions asked(QMessageBox::Cancel);
        QVERIFY(window_->close());
        QCOMPARE(asked.asked(), 0);
    }

    void quitting_asks_about_no_drawing_that_a_file_holds() {
        new_network();
        add("convolution");
        QVERIFY(window_->save_to(folder_.filePath(QStringLiteral("drawn.json"))));
        window_->reset_to_example();
        window_->open_scenario_preset(QString::fromStdString(window_->library().scenarios.back().id));
        window_test::Questions asked(QMessageBox::Cancel);
        QVERIFY(window_->close());
        QCOMPARE(asked.asked(), 0);
    }

    /// Each design knows its own file, and what that holds.
    void files_come_back_with_their_marks() {
        open();
        const QString mine = folder_.filePath(QStringLiteral("mine.json"));
        QVERIFY(window_->save_to(mine));
        QVERIFY(!document().dirty());
        const QString second = scenario_file("second.json");
        window_->open(second);
        QVERIFY(window_->finish_opening());
        QCOMPARE(document().file(), second);
        QVERIFY(!document().dirty());
        document().history().undo();
        QCOMPARE(document().file(), mine);
        QVERIFY(!document().dirty());
        Scenario next = scenario();
        next.cluster.workers = 3;
        document().edit(next);
        QVERIFY(document().dirty());
        QVERIFY(window_->save_to(mine));
        document().history().undo();
        QVERIFY(document().dirty());  // the file has three workers
        document().history().redo();
        QVERIFY(!document().dirty());
        // The same file once more: what is open differs from what it held at first, not from what it holds.
        window_->open(second);
        QVERIFY(window_->finish_opening());
        QVERIFY(window_->save_to(mine));
        document().history().undo();
        QCOMPARE(document().file(), mine);
        QVERIFY(document().dirty());
    }

    void reset_is_in_the_menu_alone() {
        open();
        QAction* reset = menu_action(QStringLiteral("Reset to example"));
        QVERIFY(reset);
        for (const auto* bar : window_->findChildren<QToolBar*>()) QVERIFY(!bar->actions().contains(reset));
    }
};

QTEST_MAIN(TestReplacing)
#include "tst_replacing.moc"
