// SPDX-License-Identifier: GPL-3.0-or-later
// Every step of every lesson has room: in a presentation on a small screen, and in windows. One that fills a screen
// would hang over its edge, and take the way on and the way out with it.
#include <QFile>
#include <QTemporaryDir>
#include <QToolButton>

#include "support_clipped.hpp"
#include "support_lessons.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/window/presentation.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

constexpr QSize screen(1280, 800);

}  // namespace

class TestLessonSizes : public QObject, private lessons_test::LessonFixture {
    Q_OBJECT

    /// What does not fit at any step of the lesson.
    QStringList walk(const QString& id, QSize size) {
        QStringList wrong;
        desk().open_shipped(id, true);
        for (;;) {
            settle();
            const QString at = QStringLiteral("%1 step %2: ").arg(id).arg(desk().run()->step() + 1);
            if (!QTest::qWaitFor([&] { return window_->size() == size; }, 10000)) {
                wrong << at + QStringLiteral("the window is %1 x %2").arg(window_->width()).arg(window_->height());
                window_->resize(size);
            }
            for (const QWidget* w :
                 std::initializer_list<QWidget*>{panel().next_button(), find<QToolButton>("leaveLesson")})
                if (!w->isVisible() || !window_->rect().contains(QRect(w->mapTo(window_.get(), QPoint()), w->size())))
                    wrong << at + QStringLiteral("no way on or out");
            for (const QString& text : tests::clipped_texts(panel())) wrong << at + text;
            QStringList in_sight, hidden;
            for (const std::string& lit : desk().run()->now().charts)
                for (const auto& [name, chart] : window_->charts())
                    if (name.toStdString() == lit) (chart->isVisible() ? in_sight : hidden) << name;
            // The smallest window has room for one row of them.
            if (!hidden.isEmpty() && (in_sight.isEmpty() || size.width() >= 1280))
                wrong << at + hidden.join(QStringLiteral(", ")) + QStringLiteral(" lit, and out of sight");
            if (desk().run()->is_last()) break;
            panel().go_on();
        }
        desk().leave();
        settle();
        return wrong;
    }

    void walk_all(QSize size) {
        QStringList wrong;
        for (const auto& lesson : window_->library().lessons) wrong << walk(QString::fromStdString(lesson.id), size);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

private slots:
    void initTestCase() {
        QCOMPARE(QGuiApplication::primaryScreen()->size(), screen);
        prepare();
    }
    void init() { open(); }
    void cleanup() { close(); }

    void presenting_on_a_small_screen() {
        window_->resize(screen);
        settle();
        action("present").trigger();
        settle();
        QCOMPARE(window_->size(), screen);
        walk_all(screen);
    }

    void in_windows_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize s : {QSize(1024, 700), QSize(1280, 800), QSize(1440, 900)})
            QTest::addRow("%d", s.width()) << s;
    }
    void in_windows() {
        QFETCH(QSize, size);
        window_->resize(size);
        settle();
        walk_all(size);
    }
};

/// The offscreen platform's own screen is smaller than any that people have.
int main(int argc, char** argv) {
    QTemporaryDir place;
    QFile layout(place.filePath(QStringLiteral("screen.json")));
    if (!layout.open(QIODevice::WriteOnly)) return 1;
    layout.write(R"({"screens": [{"name": "small", "x": 0, "y": 0, "width": 1280, "height": 800, "dpr": 1,
                                  "logicalDpi": 96, "logicalBaseDpi": 96}]})");
    layout.close();
    if (qgetenv("QT_QPA_PLATFORM") == "offscreen")
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + layout.fileName().toLocal8Bit());
    QApplication app(argc, argv);
    TestLessonSizes test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_lesson_sizes.moc"
