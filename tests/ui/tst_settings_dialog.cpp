// SPDX-License-Identifier: GPL-3.0-or-later
// Every setting of the scenario in one table: found, changed by keys, refused, undone.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>

#include "core/scenario/fields.hpp"
#include "support_window.hpp"
#include "ui/design/settings_dialog.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestSettingsDialog : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    SettingsDialog* dialog() { return window_->findChild<SettingsDialog*>(); }
    QTableView* table() { return dialog()->table(); }
    QString about() { return dialog()->findChild<QLabel*>(QStringLiteral("settingsAbout"))->text(); }
    void show_dialog() {
        QAction* action = nullptr;
        for (QAction* a : window_->findChildren<QAction*>())
            if (a->text() == QStringLiteral("&All settings…")) action = a;
        QVERIFY(action);
        action->trigger();
        QVERIFY(dialog() && dialog()->isVisible());
    }
    /// Types over the value of the current row.
    void type(const char* value) {
        table()->edit(table()->currentIndex());
        auto* editor = table()->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, QString::fromLatin1(value));
        QTest::keyClick(editor, Qt::Key_Return);
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void a_number_is_found_and_changed() {
        show_dialog();
        auto* search = dialog()->findChild<QLineEdit*>(QStringLiteral("settingsSearch"));
        QTest::keyClicks(search, QStringLiteral("interference"));
        QCOMPARE(table()->model()->rowCount(), 1);
        table()->setCurrentIndex(table()->model()->index(0, 1));
        QVERIFY(!about().isEmpty());
        type("15");
        QCOMPARE(scenario().model.interference, Fraction{0.15});
        QCOMPARE(table()->model()->index(0, 1).data().toString(), QStringLiteral("15"));
        QVERIFY(table()->model()->index(0, 1).data(Qt::FontRole).value<QFont>().weight() > QFont::Normal);
        window_->document().history().undo();
        settle();
        QCOMPARE(scenario().model.interference, Fraction{0});
    }

    void what_cannot_be_is_said() {
        show_dialog();
        QVERIFY(dialog()->show_field(QStringLiteral("model.spread")));
        const int before = window_->document().history().count();
        type("250");
        QCOMPARE(window_->document().history().count(), before);
        QVERIFY2(about().contains(QStringLiteral("250")), qPrintable(about()));
        type("2");
        QCOMPARE(scenario().model.spread, Fraction{0.02});
        QVERIFY(!about().contains(QStringLiteral("250")));
    }

    void a_choice_is_a_list() {
        show_dialog();
        QVERIFY(dialog()->show_field(QStringLiteral("parallelism.gradients")));
        table()->edit(table()->currentIndex());
        auto* list = table()->findChild<QComboBox*>();
        QVERIFY(list);
        list->setCurrentIndex(list->findData(QStringLiteral("fp16")));
        emit list->activated(list->currentIndex());
        settle();
        QVERIFY(scenario().parallelism.gradients == GradientFormat::fp16);
    }

    void a_choice_is_called_what_the_panels_call_it() {
        show_dialog();
        QVERIFY(dialog()->show_field(QStringLiteral("training.optimizer")));
        QCOMPARE(table()->currentIndex().siblingAtColumn(1).data().toString(), QStringLiteral("SGD"));
        QVERIFY(dialog()->show_field(QStringLiteral("model.method")));
        QCOMPARE(table()->currentIndex().siblingAtColumn(1).data().toString(), QStringLiteral("Scalescope"));
    }

    /// Whatever changes a number can be reached: by a control of its own, or here.
    void every_setting_has_a_place() {
        show_dialog();
        for (const Field& f : all_fields()) {
            const bool plain = f.type == FieldType::integer || f.type == FieldType::number ||
                               f.type == FieldType::boolean || f.type == FieldType::choice;
            const bool hardware = f.path.starts_with("cluster.device.") || f.path.starts_with("cluster.inside.") ||
                                  f.path.starts_with("cluster.between.");
            if (!plain || hardware || f.derived) continue;
            QVERIFY2(dialog()->show_field(QString::fromUtf8(f.path.data(), qsizetype(f.path.size()))), f.path.data());
        }
        QVERIFY(!dialog()->show_field(QStringLiteral("cluster.device")));
    }
};

QTEST_MAIN(TestSettingsDialog)
#include "tst_settings_dialog.moc"
