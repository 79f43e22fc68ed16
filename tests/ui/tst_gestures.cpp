// SPDX-License-Identifier: GPL-3.0-or-later
// Work is never lost: random gestures over every action of menus, palette, lists and drops, with edits between them.
// SCALESCOPE_GESTURES=count and SCALESCOPE_SEED=seed make longer and other runs.
#include "support_gestures.hpp"
#include "support_window.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

/// A long run takes longer than Qt allows a test: as long as it has gestures.
[[maybe_unused]] const bool patient = qputenv(
    "QTEST_FUNCTION_TIMEOUT", QByteArray::number(300'000 + 1'000 * window_test::GestureRun::from_environment().count));

}  // namespace

class TestGestures : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    QTemporaryDir sessions_;

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void nothing_that_was_made_is_lost() {
        const auto run = window_test::GestureRun::from_environment();
        QTemporaryDir folder;
        open(sessions_.path());
        window_test::Gestures gestures(window_, folder.path(), sessions_.path(), run.seed);
        for (int i = 0; i < run.count; ++i) {
            const QString lost = gestures.step();
            QVERIFY2(lost.isEmpty(), qPrintable(QStringLiteral("seed %1, gesture %2: %3\n  %4")
                                                    .arg(run.seed)
                                                    .arg(i + 1)
                                                    .arg(lost, gestures.log().join(QStringLiteral("\n  ")))));
        }
        // A run in which nothing happens tests nothing.
        QVERIFY2(gestures.changes() * 5 > run.count, qPrintable(QString::number(gestures.changes())));
        qInfo("seed %u: %d gestures, %d of them changed the design, %d questions, %d restarts", run.seed, run.count,
              gestures.changes(), gestures.questions(), gestures.restarts());
    }
};

QTEST_MAIN(TestGestures)
#include "tst_gestures.moc"
