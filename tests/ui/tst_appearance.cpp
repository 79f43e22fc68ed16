// SPDX-License-Identifier: GPL-3.0-or-later
// Looks chosen in the menu: at once, kept, and nothing cut.
#include <QAbstractButton>
#include <QLineEdit>
#include <QMenuBar>
#include <QToolButton>

#include "support_window.hpp"
#include "ui/charts/chart.hpp"
#include "ui/charts/chart_controls.hpp"
#include "ui/theme/comfort.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/slider.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestAppearance : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    void choose_look(const char* name) {
        find<QAction>(name)->trigger();
        settle();
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        QSettings().remove(QStringLiteral("look"));
        set_comfort(*qApp, Motion::full, false);
        open();
    }
    void cleanup() {
        window_.reset();
        set_comfort(*qApp, Motion::full, false);
        QSettings().remove(QStringLiteral("look"));
    }

    void high_contrast_is_chosen_and_kept() {
        choose_look("themeHighContrast");
        QCOMPARE(&theme(), &Theme::high_contrast_theme());
        QVERIFY(Settings().theme() == ThemeChoice::high_contrast);
        const QImage picture = window_->grab().toImage();
        QCOMPARE(picture.pixelColor(2, picture.height() / 2), Theme::high_contrast_theme().window);
        choose_look("themeLight");
        QCOMPARE(&theme(), &Theme::light());
        // The menu shows what is chosen, however it was.
        Settings().set_theme(ThemeChoice::dark);
        auto* dark = find<QAction>("themeDark");
        for (QMenu* menu : window_->findChildren<QMenu*>())
            if (menu->actions().contains(dark)) emit menu->aboutToShow();
        QVERIFY(dark->isChecked() && !find<QAction>("themeLight")->isChecked());
    }

    void less_motion_is_chosen_and_kept() {
        choose_look("motionLess");
        QVERIFY(less_motion() && !window_->isAnimated());
        QVERIFY(Settings().motion() == Motion::less);
        choose_look("motionFull");
        QVERIFY(!less_motion() && window_->isAnimated());
    }

    void large_controls_are_large_and_go_back() {
        QHash<QWidget*, int> before;
        const auto controls = [&] {
            QList<QWidget*> all;
            for (auto* w : window_->findChildren<QWidget*>()) {
                const bool control = qobject_cast<Combo*>(w) || qobject_cast<NumberField*>(w) ||
                                     qobject_cast<QToolButton*>(w) || qobject_cast<Slider*>(w);
                if (control && w->isVisible() && w->objectName() != QLatin1String("qt_toolbar_ext_button")) all << w;
            }
            return all;
        };
        for (QWidget* w : controls()) before[w] = w->height();
        QVERIFY(before.size() > 15);
        choose_look("largeControls");
        QVERIFY(Settings().large_controls());
        int judged = 0;
        for (QWidget* w : controls()) {
            if (w->parentWidget() == window_->menuBar()) continue;
            QVERIFY2(w->height() >= touch_size, qPrintable(QStringLiteral("%1 %2: %3")
                                                               .arg(QLatin1String(w->metaObject()->className()),
                                                                    w->objectName(), QString::number(w->height()))));
            ++judged;
        }
        QVERIFY(judged > 15);
        QVERIFY(window_->menuBar()->height() >= touch_size);
        for (const QAction* menu : window_->menuBar()->actions())  // none has gone into the overflow
            QVERIFY2(!window_->menuBar()->actionGeometry(const_cast<QAction*>(menu)).isEmpty(),
                     qPrintable(menu->text()));
        // The buttons in the corners of charts, too, beside each other and within their chart.
        int corners = 0;
        for (auto* button : window_->findChildren<CornerButton*>()) {
            if (!button->isVisible()) continue;
            QVERIFY(button->height() >= touch_size && button->width() >= touch_size);
            QVERIFY(button->parentWidget()->rect().contains(button->geometry()));
            ++corners;
        }
        QVERIFY(corners >= 2);
        choose_look("largeControls");
        for (const auto* button : window_->findChildren<CornerButton*>()) QVERIFY(button->height() < 30);
        for (QWidget* w : controls())
            if (before.contains(w)) QVERIFY2(w->height() <= before[w] + 2, qPrintable(w->objectName()));
    }

    /// Large controls and an open page leave little height: a chart without room folds into a button as large as they.
    void large_controls_beside_a_page_fold_charts() {
        choose_look("largeControls");
        int folded = 0;
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1200)}) {
            resize(size.width(), size.height());
            for (const char* page : {"problems", "layers", "timeline", "sensitivity", "compare"}) {
                open_page(page);
                const auto buttons = find<QWidget>("foldBar")->findChildren<QAbstractButton*>();
                for (const char* name : {"layerChart", "stepChart", "speedupChart"}) {
                    const auto* chart = find<Chart>(name);
                    if (chart->isVisible()) {
                        QVERIFY2(chart->height() >= chart->minimumSizeHint().height(), name);
                        continue;
                    }
                    const auto button = std::find_if(buttons.begin(), buttons.end(), [&](const QAbstractButton* b) {
                        return b->isVisible() && b->text().contains(chart->title());
                    });
                    QVERIFY2(button != buttons.end(), page);
                    QVERIFY2((*button)->height() >= touch_size, page);
                    ++folded;
                }
                open_page(page);
            }
        }
        QVERIFY(folded > 0);
        choose_look("largeControls");
    }
};

QTEST_MAIN(TestAppearance)
#include "tst_appearance.moc"
