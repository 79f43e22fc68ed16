// SPDX-License-Identifier: GPL-3.0-or-later
// All settings in one panel: unfolded, searched, changed, refused, undone.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "core/scenario/fields.hpp"
#include "support_window.hpp"
#include "ui/design/field_controls.hpp"
#include "ui/design/names.hpp"
#include "ui/design/settings_panel.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/section.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestSettingsPanel : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    SettingsPanel* panel() { return window_->findChild<SettingsPanel*>(); }
    QLineEdit* search() { return find<QLineEdit>("settingsSearch"); }
    QLabel* nothing() { return find<QLabel>("settingsNothing"); }
    Section* section(const char* title) {
        for (auto* one : panel()->findChildren<Section*>())
            if (one->heading()->text() == QLatin1String(title)) return one;
        qFatal("no section %s", title);
    }
    void type(const char* words) {
        find<QAction>("allSettings")->trigger();
        QVERIFY(search()->hasFocus());
        QTest::keyClicks(search(), QLatin1String(words));
    }
    /// What the rows that are there to be seen are called, from top to bottom.
    QStringList rows() {
        QStringList names;
        for (auto* label : panel()->findChildren<QLabel*>())
            if (label->buddy() && label->isVisibleTo(panel())) names << label->text();
        return names;
    }
    template <class Control>
    Control* shown(const char* name) {
        for (auto* control : panel()->findChildren<Control*>())
            if (control->accessibleName() == QLatin1String(name) && control->isVisibleTo(panel())) return control;
        qFatal("no row %s", name);
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void a_number_is_found_and_changed() {
        type("interference");
        QCOMPARE(rows(), QStringList{QStringLiteral("Interference")});
        shown<NumberField>("Interference")->choose(15);
        settle();
        QCOMPARE(scenario().model.interference, Fraction{0.15});
        window_->document().history().undo();
        settle();
        QCOMPARE(scenario().model.interference, Fraction{0});
        QCOMPARE(shown<NumberField>("Interference")->value(), 0.0);
    }

    /// By the label that the panel shows, the path, and the words of the table, in any order.
    void rows_are_found_by_label_path_and_words() {
        for (const char* words :
             {"Precision", "training.precision", "master weights", "weights MASTER", "bf16 master"}) {
            type(words);
            QVERIFY2(rows().contains(QStringLiteral("Precision")), words);
            QVERIFY2(!rows().contains(QStringLiteral("Optimizer")), words);
            search()->clear();
        }
    }

    void sections_are_those_that_mean_something() {
        const auto headings = [this] {
            QStringList shown;
            for (auto* one : panel()->findChildren<Section*>())
                if (one->isVisibleTo(panel())) shown << one->heading()->text();
            return shown.join(QLatin1Char(' '));
        };
        QCOMPARE(headings(), QStringLiteral("Model Training Saving memory Options Failures"));
        window_->open_scenario_preset(QStringLiteral("alexnet-cpu-cluster"));
        settle();
        QCOMPARE(headings(), QStringLiteral("Model Training CPU cluster"));
    }

    void sections_without_a_hit_are_gone_and_come_back() {
        const QStringList before = rows();
        QVERIFY(before.contains(QStringLiteral("Compute")) && !before.contains(QStringLiteral("Optimizer")));
        type("optimizer");
        QVERIFY(section("Training")->isVisibleTo(panel()) && rows().contains(QStringLiteral("Optimizer")));
        QVERIFY(section("Failures")->isHidden());
        QTest::keyClick(search(), Qt::Key_Escape);
        QVERIFY(search()->text().isEmpty());
        QCOMPARE(rows(), before);
        QVERIFY(section("Failures")->isVisibleTo(panel()));
    }

    void what_no_setting_is_called_is_said() {
        QVERIFY(nothing()->isHidden());
        type("weather");
        QVERIFY(rows().isEmpty());
        QVERIFY(nothing()->isVisible() && nothing()->text().contains(QStringLiteral("weather")));
        QTest::keyClick(search(), Qt::Key_Escape);
        QVERIFY(nothing()->isHidden());
    }

    void the_keyboard_goes_from_the_search_to_the_rows_and_folds_sections() {
        type("interference");
        QTest::keyClick(search(), Qt::Key_Down);
        QCOMPARE(window_->focusWidget(), static_cast<QWidget*>(shown<NumberField>("Interference")));
        search()->setText(QStringLiteral("overlap"));
        section("Options")->heading()->setFocus();
        QStringList reached;  // by Tab, in the order in which they stand
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(window_->focusWidget(), Qt::Key_Tab);
            reached << window_->focusWidget()->accessibleName();
        }
        QCOMPARE(reached,
                 (QStringList{QStringLiteral("Overlap memory"), QStringLiteral("Bucket"),
                              QStringLiteral("Hidden tensor messages"), QStringLiteral("Hidden expert messages")}));
        search()->clear();
        auto* heading = section("Training")->heading();
        heading->setFocus();
        QTest::keyClick(heading, Qt::Key_Space);
        QVERIFY(rows().contains(QStringLiteral("Optimizer")));
        QCOMPARE(heading->accessibleDescription(), QStringLiteral("unfolded"));
        QTest::keyClick(heading, Qt::Key_Space);
        QVERIFY(!rows().contains(QStringLiteral("Optimizer")));
    }

    /// Where it means nothing it is found all the same, and says so.
    void what_changes_nothing_says_so() {
        type("wide_first");
        QCOMPARE(rows(), QStringList{QStringLiteral("First wide blocks")});
        bool said = false;
        for (auto* label : panel()->findChildren<QLabel*>())
            said = said || (label->isVisible() && label->text() == QLatin1String("no effect here"));
        QVERIFY(said);
        search()->clear();
        QVERIFY(!rows().contains(QStringLiteral("First wide blocks")));
    }

    void what_cannot_be_is_said() {
        type("model.spread");
        auto* spread = shown<NumberField>("Spread");
        const int before = window_->document().history().count();
        auto* text = spread->findChild<QLineEdit*>();
        text->selectAll();
        QTest::keyClicks(text, QStringLiteral("250"));
        QCOMPARE(window_->document().history().count(), before + 2);  // 2 and 25 can be
        QVERIFY2(spread->error().contains(QStringLiteral("100")), qPrintable(spread->error()));
        QCOMPARE(scenario().model.spread, Fraction{0.25});
        spread->choose(2);
        QCOMPARE(scenario().model.spread, Fraction{0.02});
        QVERIFY(!spread->has_error());
    }

    void a_choice_is_a_list() {
        type("parallelism.gradients");
        auto* list = shown<Combo>("Gradients");
        QCOMPARE(list->items().size(), find_field("parallelism.gradients")->choices.size());
        emit list->chosen(QStringLiteral("2"));
        settle();
        QVERIFY(scenario().parallelism.gradients == GradientFormat::fp16);
    }

    void a_choice_is_called_what_the_panels_call_it() {
        type("training.optimizer");
        QCOMPARE(shown<Combo>("Optimizer")->current_text(), QStringLiteral("SGD"));
        search()->clear();
        QCOMPARE(find<Combo>("method")->current_text(), QStringLiteral("Scalescope"));
    }

    /// Whatever changes a number can be reached here, but for what has an editor or is another way to set a field.
    void every_setting_has_a_place() {
        for (const Field& f : all_fields()) {
            const bool plain = f.type == FieldType::integer || f.type == FieldType::number ||
                               f.type == FieldType::boolean || f.type == FieldType::choice;
            const bool hardware = f.path.starts_with("cluster.device.") || f.path.starts_with("cluster.inside.") ||
                                  f.path.starts_with("cluster.between.") || f.path.starts_with("cluster.machine.");
            if (!plain || hardware || f.derived) continue;
            QVERIFY2(panel()->show_field(QString::fromUtf8(f.path.data(), qsizetype(f.path.size()))), f.path.data());
            const auto* at = window_->focusWidget();
            QVERIFY2(at && panel()->isAncestorOf(at) && at->isVisibleTo(panel()), f.path.data());
        }
        QVERIFY(!panel()->show_field(QStringLiteral("cluster.device")));
    }

    /// A long name does not make the panel wider, or the window would move under the hand that types.
    void the_panel_keeps_its_width_while_it_is_searched() {
        const int before = panel()->width();
        type("e");
        settle();
        QCOMPARE(panel()->width(), before);
        QVERIFY(rows().size() > 60);
    }
};

QTEST_MAIN(TestSettingsPanel)
#include "tst_settings_panel.moc"
