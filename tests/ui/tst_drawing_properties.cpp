// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed into the panel of a layer, and what it says of what does not fit.
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include "support_drawing.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestDrawingProperties : public QObject, private window_test::DrawingFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void a_number_typed_is_one_step() {
        show_canvas();
        click("conv2");
        type("filters", QStringLiteral("200"));
        QCOMPARE(std::get<std::int64_t>(attribute(layer("conv2"), "filters")), std::int64_t{200});
        QCOMPARE(document().history().count(), 1);
        QCOMPARE(selected(), std::string("conv2"));
        auto* name = find<QLineEdit>("layerName");
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("second"));
        QTest::keyClick(name, Qt::Key_Return);
        settle();
        QVERIFY(scenario().network()->position("second"));
        QCOMPARE(selected(), std::string("second"));
    }

    /// On the way to 240 stand 2 and 24, which fit: nobody wanted to know what they cost.
    void what_is_typed_on_the_way_is_not_what_is_priced() {
        show_canvas();
        const auto before = scenario().network();
        const QString price = scene().box("pool2")->shown().value;
        click("pool2");
        type("kernel", QStringLiteral("240"));
        QVERIFY(document().draft());
        QCOMPARE(scenario().network(), before);
        QCOMPARE(scene().box("pool2")->shown().value, price);
        QCOMPARE(document().history().count(), 1);
        type("kernel", QStringLiteral("2"));
        QVERIFY(!document().draft());
        QVERIFY(scenario().network() != before);
        document().history().undo();
        document().history().undo();
        QVERIFY(!document().draft());
        QCOMPARE(scenario().network(), before);
    }

    void a_mismatch_is_mended_by_its_button() {
        show_canvas();
        emit find<Combo>("network")->chosen(QStringLiteral("inception-v3"));
        settle();
        view().toggle("Mixed_5b");
        click("Mixed_5b/branch_pool_avg");
        QTRY_VERIFY(window_->findChild<AttributeEditor*>(QStringLiteral("attribute_stride")));
        type("stride", QStringLiteral("2"));
        QVERIFY(document().draft());
        auto* problem = find<QLabel>("layerProblem");
        scene().select({"Mixed_5b/concat"});
        QTRY_VERIFY(problem->isVisible());
        QTRY_VERIFY(window_->findChild<QPushButton*>(QStringLiteral("fix")));
        QTest::mouseClick(window_->findChild<QPushButton*>(QStringLiteral("fix")), Qt::LeftButton);
        settle();
        QVERIFY(!document().draft());
        QTRY_VERIFY(!problem->isVisible());
    }

    /// The layer that made what does not fit elsewhere says so, and shows the way there.
    void the_cause_says_so() {
        show_canvas("inception-v3");
        view().toggle("Mixed_5b");
        set("Mixed_5b/branch_pool_avg", "stride", std::vector<std::int64_t>{2, 2});
        QVERIFY(document().draft());
        scene().select({"Mixed_5b/branch_pool_avg"});
        settle();
        auto* problem = find<QLabel>("layerProblem");
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().startsWith(QStringLiteral("What it makes does not fit at Mixed_5b/concat. ")),
                 qPrintable(problem->text()));
        QVERIFY(window_->findChild<QPushButton*>(QStringLiteral("fix")));
        auto* way = window_->findChild<QPushButton*>(QStringLiteral("showFault"));
        QVERIFY(way);
        QTest::mouseClick(way, Qt::LeftButton);
        settle();
        QCOMPARE(selected(), std::string("Mixed_5b/concat"));
        QTRY_VERIFY(!problem->text().contains(QStringLiteral("does not fit at")));  // now it is about the layer itself
        // What has no part in it says nothing.
        scene().select({"Mixed_5b/branch1x1"});
        QTRY_VERIFY(!problem->isVisible());
    }

    void the_buttons_of_the_properties_stay_in_sight() {
        show_canvas();
        click("conv1");
        window_->resize(1024, 520);
        settle();
        auto* dock = window_->findChild<QDockWidget*>(QStringLiteral("propertiesDock"));
        auto* remove = find<QPushButton>("deleteLayer");
        auto* scroll = find<QScrollArea>("propertyScroll");
        QTRY_VERIFY(scroll->verticalScrollBar()->maximum() > 0);
        for (const int at : {0, scroll->verticalScrollBar()->maximum()}) {
            scroll->verticalScrollBar()->setValue(at);
            const QRect there(remove->mapTo(dock, QPoint()), remove->size());
            QVERIFY(dock->rect().contains(there));
            QVERIFY(remove->visibleRegion().boundingRect().size() == remove->size());
            QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());  // nor is anything cut off at the side
        }
    }

    void units_stand_beside_the_fields() {
        show_canvas();
        click("conv2");
        QTRY_VERIFY(editor_of("kernel"));
        const auto says = [&](const char* attribute, const QString& unit) {
            for (const auto* l : editor_of(attribute)->findChildren<QLabel*>())
                if (l->isVisible() && l->text() == unit) return true;
            return false;
        };
        QVERIFY(!says("kernel", QStringLiteral("cells")));  // 5×5, as everybody writes it
        QCOMPARE(editor_of("filters")->findChild<NumberField*>()->unit(), QStringLiteral("channels"));
        QVERIFY(editor_of("groups")->findChild<NumberField*>()->unit().isEmpty());
    }
};

QTEST_MAIN(TestDrawingProperties)
#include "tst_drawing_properties.moc"
