// SPDX-License-Identifier: GPL-3.0-or-later
// A drawing that is no network yet: its prices, its file, its end.
#include "support_drawing.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_legend.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestDrawingDrafts : public QObject, private window_test::DrawingFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void another_network_ends_the_draft() {
        new_network();
        QVERIFY(document().draft());
        emit find<Combo>("network")->chosen(QStringLiteral("vgg-16"));
        settle();
        QVERIFY(!document().draft());
        QCOMPARE(int(scene().boxes().size()), scenario().network()->size());
        document().history().undo();
        QVERIFY(document().draft());
        QVERIFY(scene().boxes().empty());
    }

    void a_draft_is_kept_in_the_file() {
        new_network();
        add("input");
        add("convolution");
        add("add");
        const auto names = [&] {
            std::vector<std::string> all;
            for (const Layer& l : scene().sketch()->layers) all.push_back(l.name);
            return all;
        };
        canvas().editor().insert_alone(*find_kind("dense"));  // reads nothing
        settle();
        QVERIFY(document().draft());
        const auto before = names();
        save_and_open_again("draft.json");
        QVERIFY(document().draft());
        QVERIFY(view().isVisible());
        QCOMPARE(names(), before);
        QVERIFY(window_->result()->estimate.has_value());
        // Drawn from nothing, and valid on the way: prices are those of the last network that was.
        QVERIFY(scene().priced());
    }

    void a_draft_that_comes_back_has_the_prices_of_its_network() {
        show_canvas();
        click("conv2");
        auto* name = find<QLineEdit>("layerName");
        canvas().editor().insert_alone(*find_kind("dense"));  // reads nothing: no network any more
        settle();
        const std::string fresh = selected();
        QVERIFY(document().draft());
        click("conv2");
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("second"));
        QTest::keyClick(name, Qt::Key_Return);
        settle();
        QVERIFY(document().draft());
        const QString cost = scene().box("conv3")->shown().value, renamed = scene().box("second")->shown().value;
        QVERIFY(cost.endsWith(QStringLiteral("ms")));
        QVERIFY(renamed.endsWith(QStringLiteral("ms")));
        save_and_open_again("edited.json");
        QVERIFY(document().draft());
        QVERIFY(document().draft_is_related());
        QCOMPARE(scene().box("conv3")->shown().value, cost);
        QCOMPARE(scene().box("second")->shown().value, renamed);
        QVERIFY(scene().box(fresh)->shown().value.isEmpty());  // nobody has priced it
        // Mended, it is the network's next state: the undo steps and the layers go on.
        scene().select({fresh});
        press(Qt::Key_Delete);
        QVERIFY(!document().draft());
        QVERIFY(scenario().network()->position("second"));
    }

    void a_drawing_without_prices_says_why() {
        new_network();
        canvas().editor().insert_alone(*find_kind("dense"));
        settle();
        QVERIFY(document().draft());
        QVERIFY(!document().draft_is_related());
        QVERIFY(!scene().priced());
        QVERIFY(view().legend()->isVisible());
        QVERIFY(view().legend()->accessibleName().contains(QStringLiteral("The charts show AlexNet")));
    }
};

QTEST_MAIN(TestDrawingDrafts)
#include "tst_drawing_drafts.moc"
