// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario as text in the window: copied, pasted from the menu, by a plain paste, onto the canvas, and dropped.
#include <QClipboard>
#include <QPushButton>

#include "core/formats/scenario_text.hpp"
#include "core/scenario/mesh_degrees.hpp"
#include "core/words/configured.hpp"
#include "support_canvas.hpp"
#include "support_drops.hpp"
#include "support_questions.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/problems_view.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestWindowLink : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    QClipboard& clipboard() { return *QGuiApplication::clipboard(); }
    /// The example on another number of workers.
    Scenario other(std::int64_t workers = 77) {
        Scenario s = example_scenario(window_->library());
        s.name = "Pasted";
        s.cluster.workers = workers;
        return s;
    }
    QString link_of(const Scenario& s) {
        return QString::fromStdString(formats::to_link(s, window_->library()).value());
    }
    /// By their files: reading makes new networks.
    bool is_open(const Scenario& s) {
        return formats::write_scenario(scenario(), window_->library()) ==
               formats::write_scenario(s, window_->library());
    }
    void press(QWidget* on, Qt::Key key, Qt::KeyboardModifiers with) {
        QTest::keyClick(on, key, with);
        window_->finish_opening();
        settle();
    }
    QAction* action(const char* name) { return find<QAction>(name); }
    void choose(const char* name) {
        action(name)->trigger();
        window_->finish_opening();
        settle();
    }
    bool said(const char* words) {
        for (const Banner* b : window_->findChildren<Banner*>())
            if (b->isVisible() && b->accessibleName().contains(QLatin1String(words))) return true;
        return false;
    }
    QString problem() {
        const auto* list = window_->findChild<ProblemsView*>()->list();
        return list->model()->index(0, 0).data(Qt::AccessibleTextRole).toString() +
               list->model()->index(0, 0).data().toString();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { clipboard().clear(); }
    void cleanup() { window_.reset(); }

    void what_is_copied_is_the_scenario() {
        open();
        Scenario next = scenario();
        next.cluster.workers = 5;
        window_->document().edit(next);
        press(window_.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const auto read = formats::from_link(clipboard().text().toStdString(), window_->library());
        QVERIFY(read.has_value());
        QVERIFY(is_open(read->scenario));
        QVERIFY(said("was copied as text"));
        QCOMPARE(window_->document().history().count(), 1);
    }

    /// For each trainer; what is pasted again is the same division of the work.
    void copied_as_a_configuration_and_pasted() {
        open();
        window_->open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        settle();
        const auto mesh = degrees_of(scenario());
        for (const char* trainer : {"megatron", "torchtitan", "deepspeed", "accelerate"}) {
            choose((std::string("copy_as_") + trainer).c_str());
            QVERIFY2(is_configured_scenario(clipboard().text().toStdString()), trainer);
            QVERIFY(said("was copied"));
        }
        QVERIFY(said("cannot express"));  // Accelerate
        choose("copy_as_megatron");
        choose("pasteLink");
        QVERIFY(mesh && degrees_of(scenario()) == mesh);
        QCOMPARE(scenario().cluster.workers, 512);
    }

    /// Like a file, but there is none to save into. Undo brings back what was.
    void pasted_from_the_menu() {
        open();
        const Scenario before = scenario();
        clipboard().setText(QStringLiteral("\n") + link_of(other()) + QStringLiteral("\n"));
        press(window_.get(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(is_open(other()));
        QVERIFY(said("Pasted was opened"));
        QVERIFY(!window_->document().dirty() && window_->document().file().isEmpty());
        QVERIFY(window_->windowTitle().contains(QStringLiteral("Pasted")));
        QCOMPARE(window_->document().history().count(), 1);
        window_->document().history().undo();
        QVERIFY(is_open(before));
    }

    /// Arguments of a trainer, as they stand in a terminal.
    void training_configurations_are_pasted() {
        open();
        clipboard().setText(
            QStringLiteral("torchrun --nnodes 2 --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size "
                           "512 --num-attention-heads 8 --seq-length 256 --micro-batch-size 1 "
                           "--global-batch-size 32 --vocab-size 1024 --bf16 --turbo-mode 3"));
        press(window_.get(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(scenario().cluster.workers, std::int64_t{16});
        QCOMPARE(scenario().training.batch, std::int64_t{32});
        QVERIFY(window_->document().file().isEmpty());
        QVERIFY(window_->findChild<ProblemsView*>()->isVisible());
        QVERIFY(said("read as a configuration of Megatron-LM"));
    }

    /// One click reads it as the other trainer's, and one undo step goes back.
    void a_configuration_that_two_trainers_know() {
        open();
        const QString file = write(
            "mesh.sh",
            "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 512 --num-attention-heads 8 "
            "--seq-length 256 --micro-batch-size 1 --global-batch-size 32 --vocab-size 1024 --bf16 --zero-stage 2");
        const auto offer = [&](const QString& title) -> QPushButton* {
            for (auto* button : window_->findChildren<QPushButton*>())
                if (button->text() == QStringLiteral("Read as ") + title && button->isVisible()) return button;
            return nullptr;
        };
        window_->open(file);
        window_->finish_opening();
        settle();
        QCOMPARE(scenario().name, std::string("mesh"));
        const Sharded sharded = scenario().parallelism.sharded;
        QVERIFY(said("mesh.sh was read as a configuration of Megatron-DeepSpeed"));
        QVERIFY(offer(QStringLiteral("Megatron-LM")));
        offer(QStringLiteral("Megatron-LM"))->click();
        window_->finish_opening();
        settle();
        QVERIFY(said("mesh.sh was read as a configuration of Megatron-LM"));
        QVERIFY(scenario().parallelism.sharded != sharded);  // Megatron-LM has no such flag
        QVERIFY(offer(QStringLiteral("Megatron-DeepSpeed")));
        window_->document().history().undo();
        QVERIFY(scenario().parallelism.sharded == sharded);
    }

    /// A colleague's design is pasted beside what is pinned, to be compared with it.
    void pins_stay_beside_what_is_pasted() {
        open();
        window_->document().pin();
        settle();
        clipboard().setText(link_of(other()));
        press(window_.get(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(is_open(other()));
        QCOMPARE(window_->document().pins().size(), std::size_t{1});
    }

    void a_plain_paste_opens_it_too() {
        open();
        clipboard().setText(link_of(other()));
        auto* slider = find<QWidget>("workersSlider");
        slider->setFocus();
        press(slider, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(is_open(other()));
        clipboard().setText(QStringLiteral("a shopping list"));
        const Scenario before = scenario();
        press(slider, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(is_open(before));
        QVERIFY(!window_->findChild<ProblemsView*>()->isVisible());
    }

    void a_text_field_keeps_its_paste() {
        open();
        const Scenario before = scenario();
        clipboard().setText(link_of(other()));
        QLineEdit* field = nullptr;
        for (auto* one : window_->findChildren<QLineEdit*>())
            if (one->isVisible() && one->isEnabled() && !one->isReadOnly()) field = one;
        QVERIFY(field);
        field->setFocus();
        press(field, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(scenario().cluster.workers != 77);
    }

    void on_the_canvas_layers_are_pasted_and_scenarios_opened() {
        show_canvas();
        clipboard().setText(link_of(other()));
        view().setFocus();
        press(&view(), Qt::Key_V, Qt::ControlModifier);
        QVERIFY(is_open(other()));
    }

    void dropped() {
        open();
        QMimeData mime;
        mime.setText(link_of(other(33)));
        QVERIFY(window_test::drop_on(*window_, mime));
        window_->finish_opening();
        QVERIFY(is_open(other(33)));
        QMimeData words;
        words.setText(QStringLiteral("other words"));
        QVERIFY(!window_test::drop_on(*window_, words));
    }

    void what_cannot_be_read_is_said_and_changes_nothing_data() {
        QTest::addColumn<int>("cut");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("cut off") << 40 << QString() << "cut off";
        QTest::newRow("no link") << 0 << "hello"
                                 << "no scenario link";
        QTest::newRow("nothing") << 0 << ""
                                 << "no scenario link";
        QTest::newRow("newer") << 0 << "scalescope:7:abc:0"
                               << "newer Scalescope";
    }
    void what_cannot_be_read_is_said_and_changes_nothing() {
        QFETCH(int, cut);
        QFETCH(QString, text);
        QFETCH(QString, says);
        open();
        const Scenario before = scenario();
        clipboard().setText(cut ? link_of(other()).chopped(cut) : text);
        choose("pasteLink");
        QVERIFY(is_open(before));
        QVERIFY(window_->findChild<ProblemsView*>()->isVisible());
        QVERIFY2(problem().contains(says), qPrintable(problem()));
        QVERIFY(said("The pasted text was not opened"));
        for (const auto* b : window_->findChild<ProblemsView*>()->findChildren<QPushButton*>())
            QVERIFY2(!b->isVisible(), qPrintable(b->text()));  // no file to read again
    }

    void a_changed_file_is_asked_about() {
        open();
        const QString file = folder_.filePath(QStringLiteral("mine.json"));
        QVERIFY(window_->save_to(file));
        Scenario next = scenario();
        next.cluster.workers = 5;
        window_->document().edit(next);
        next = scenario();  // its name follows the number of workers
        clipboard().setText(link_of(other()));
        {
            window_test::Questions asked(QMessageBox::Cancel);
            choose("pasteLink");
            QCOMPARE(asked.asked(), 1);
            QVERIFY(is_open(next) && window_->document().dirty());
        }
        window_test::Questions asked(QMessageBox::Discard);
        choose("pasteLink");
        QCOMPARE(asked.asked(), 1);
        QVERIFY(is_open(other()));
        // Even what was discarded is an undo step away.
        window_->document().history().undo();
        QVERIFY(is_open(next) && window_->document().dirty());
        QCOMPARE(window_->document().file(), file);
    }

    /// The program is given one as an argument, or a file that holds one.
    void opened_like_a_file() {
        open();
        window_->open_all({link_of(other(11))});
        QVERIFY(window_->finish_opening());
        QCOMPARE(scenario().cluster.workers, 11);
        window_->open(write("link.txt", link_of(other(12)).toUtf8() + "\n"));
        QVERIFY(window_->finish_opening());
        QCOMPARE(scenario().cluster.workers, 12);
        QVERIFY(window_->document().file().isEmpty());
    }

    void its_keys_are_its_own() {
        open();
        int copies = 0, pastes = 0;
        for (const QAction* a : window_->findChildren<QAction*>())
            for (const auto& keys : a->shortcuts()) {
                copies += keys == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C);
                pastes += keys == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V);
            }
        QCOMPARE(copies, 1);
        QCOMPARE(pastes, 1);
    }
};

QTEST_MAIN(TestWindowLink)
#include "tst_window_link.moc"
