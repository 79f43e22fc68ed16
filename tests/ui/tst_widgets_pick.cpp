// SPDX-License-Identifier: GPL-3.0-or-later
// The list out of which any number is picked: by hand, by keyboard, by its buttons.
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include "ui/theme/theme.hpp"
#include "ui/widgets/pick_list.hpp"

using namespace scalescope::ui;

namespace {

QStringList ids(const char* words) { return QString::fromLatin1(words).split(QLatin1Char(' ')); }

}  // namespace

class TestWidgetsPick : public QObject {
    Q_OBJECT

    std::unique_ptr<PickList> list_;
    static ComboItem item(const char* id, const char* text, const char* section) {
        ComboItem i = combo_item(QLatin1String(id), QLatin1String(text));
        i.section = QLatin1String(section);
        return i;
    }
    QStringList shown() const {
        QStringList ids;
        const auto* model = list_->list()->model();
        for (int i = 0; i < model->rowCount(); ++i)
            if (const auto id = model->index(i, 0).data(Qt::UserRole).toString(); !id.isEmpty()) ids << id;
        return ids;
    }
    void click(const char* id) { QTest::mouseClick(list_->button(QLatin1String(id)), Qt::LeftButton); }

private slots:
    void init() {
        apply_theme(*qApp, ThemeChoice::light);
        list_ = std::make_unique<PickList>(QStringLiteral("GPUs"));
        list_->set_items({item("t4", "Tesla T4", "Turing"), item("v100", "Tesla V100", "Volta"),
                          item("a10", "A10", "Ampere"), item("a100", "A100 40 GB", "Ampere")});
        list_->set_sets(
            {{QStringLiteral("small"), QStringLiteral("Small"), {}, {QStringLiteral("t4"), QStringLiteral("a10")}}});
        list_->set_words(QStringLiteral("all GPUs"), QStringLiteral("no GPU"), QStringLiteral("%1 of %2 GPUs"));
        list_->set_picked({QStringLiteral("a100"), QStringLiteral("t4"), QStringLiteral("unknown")});
        list_->show();
        QVERIFY(QTest::qWaitForWindowExposed(list_.get()));
    }
    void cleanup() { list_.reset(); }

    void says_how_many() {
        QCOMPARE(list_->picked(), ids("t4 a100"));  // in the order of the items
        QCOMPARE(list_->current_text(), QStringLiteral("2 of 4 GPUs"));
        list_->set_picked({});
        QCOMPARE(list_->current_text(), QStringLiteral("no GPU"));
        list_->set_picked(ids("t4 v100 a10 a100"));
        QVERIFY(list_->all_picked());
        QCOMPARE(list_->current_text(), QStringLiteral("all GPUs"));
        list_->set_items({item("t4", "Tesla T4", "Turing")});
        QCOMPARE(list_->picked(), ids("t4"));
    }

    void buttons_pick_what_is_listed() {
        const QSignalSpy changed(list_.get(), &PickList::picked_changed);
        list_->open();
        QVERIFY(list_->is_open());
        click("small");
        QCOMPARE(list_->picked(), ids("t4 a10"));
        // With a search, what it hides stays as it is.
        list_->search()->setText(QStringLiteral("ampere"));
        QCOMPARE(shown(), ids("a10 a100"));
        click("all");
        QCOMPARE(list_->picked(), ids("t4 a10 a100"));
        click("none");
        QCOMPARE(list_->picked(), ids("t4"));
        QCOMPARE(changed.count(), 3);
        click("none");
        QCOMPARE(changed.count(), 3);
    }

    void by_hand_and_by_keyboard() {
        const QSignalSpy changed(list_.get(), &PickList::picked_changed);
        QTest::mouseClick(list_.get(), Qt::LeftButton);
        QVERIFY(list_->is_open());
        const auto* model = list_->list()->model();
        QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("Turing"));
        QVERIFY(!model->index(0, 0).data(Qt::CheckStateRole).isValid());
        QCOMPARE(model->index(1, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QTest::mouseClick(list_->list()->viewport(), Qt::LeftButton, {},
                          list_->list()->visualRect(model->index(1, 0)).center());
        QCOMPARE(list_->picked(), ids("a100"));
        QCOMPARE(model->index(1, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QTest::keyClicks(list_->search(), QStringLiteral("v1"));
        QTest::keyClick(list_->search(), Qt::Key_Return);
        QCOMPARE(list_->picked(), ids("v100 a100"));
        QCOMPARE(changed.count(), 2);
        QTest::keyClick(list_->search(), Qt::Key_Escape);  // empties the search
        QVERIFY(list_->is_open());
        QCOMPARE(shown().size(), 4);
        QTest::keyClick(list_->search(), Qt::Key_Escape);
        QVERIFY(!list_->is_open());
        QTest::keyClick(list_.get(), Qt::Key_Down);
        QVERIFY(list_->is_open());
        list_->search()->setText(QStringLiteral("nothing of that name"));
        QVERIFY(shown().isEmpty());
        click("all");
        QCOMPARE(changed.count(), 2);
    }
};

QTEST_MAIN(TestWidgetsPick)
#include "tst_widgets_pick.moc"
