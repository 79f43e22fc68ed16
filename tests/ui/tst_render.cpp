// SPDX-License-Identifier: GPL-3.0-or-later
// `scalescope render` draws what the window draws: the same charts, with the same numbers.
#include <QDir>
#include <QProcess>
#include <set>

#include "core/paleo/method.hpp"
#include "support_window.hpp"
#include "ui/charts/chart_export.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

QString u(const char* text) { return QString::fromUtf8(text); }

}  // namespace

class RenderTest : public QObject, window_test::WindowFixture {
    Q_OBJECT

    QString program_ = qEnvironmentVariable("SCALESCOPE_BINARY");

    void settle() {
        WindowFixture::settle();
        QTRY_VERIFY(!window_->result()->request.dragging);
        window_->analyst().finish();
        QCoreApplication::processEvents();
    }
    /// Every page that the scenario has a tab for has been looked at.
    void look_at_every_page() {
        for (const char* id :
             {"timeline", "paleo", "sensitivity", "cpu-cluster", "device-map", "roofline", "staleness"}) {
            auto* tab = window_->findChild<BottomTabs*>()->tab(QLatin1String(id));
            if (tab->isHidden()) continue;
            tab->click();
            settle();
        }
    }

private slots:
    void initTestCase() {
        if (program_.isEmpty()) QSKIP("no program");
        prepare();
    }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void charts_are_those_of_the_window_data() {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QStringList>("among");
        QTest::newRow("example") << u("example")
                                 << QStringList{u("layers"), u("roofline"), u("sensitivity"), u("timeline")};
        QTest::newRow("CPU cluster") << u("alexnet-cpu-cluster")
                                     << QStringList{u("cpu-configurations"), u("cpu-layers"), u("cpu-updates"),
                                                    u("sensitivity")};
        QTest::newRow("asynchronous") << u("resnet-50-p100-servers")
                                      << QStringList{u("staleness-speed"), u("staleness-efficiency")};
        QTest::newRow("several networks") << u("dcgan") << QStringList{u("layers")};
    }
    void charts_are_those_of_the_window() {
        QFETCH(QString, preset);
        QFETCH(QStringList, among);
        window_->open_scenario_preset(preset);
        settle();
        look_at_every_page();
        QMap<QString, QByteArray> expected;
        for (const auto& [name, chart] : window_->charts())
            if (!chart->is_empty()) expected[name] = chart_csv(*chart);
        for (const QString& name : among) QVERIFY2(expected.contains(name), qPrintable(name));

        const QDir folder(folder_.filePath(preset));
        QProcess render;
        render.start(program_, {u("render"), preset, u("--out"), folder.path(), u("--format"), u("csv,svg")});
        QVERIFY(render.waitForFinished(60000));
        QVERIFY2(render.exitCode() == 0, render.readAllStandardError().constData());
        QStringList files;
        for (const QString& file : folder.entryList({u("*.csv")}, QDir::Files)) files << QFileInfo(file).baseName();
        QCOMPARE(files.join(QLatin1Char(' ')), QStringList(expected.keys()).join(QLatin1Char(' ')));
        for (const QString& name : files) {
            QFile csv(folder.filePath(name + u(".csv")));
            QVERIFY(csv.open(QIODevice::ReadOnly));
            const QByteArray text = csv.readAll();
            for (const char* setting : {"cluster.device=", "cluster.between=", "training.batch="})
                QVERIFY2(text.contains(setting) || text.contains("cluster.machine="), text.constData());
            QVERIFY2(
                text == expected[name],
                qPrintable(name + u(":\n") + QString::fromUtf8(text.left(600) + "\n\n" + expected[name].left(600))));
            QVERIFY2(QFileInfo(folder.filePath(name + u(".svg"))).size() > 2000, qPrintable(name));
        }
    }

    /// A file's pins are drawn beside its scenario, and compared with it.
    void pins_are_drawn() {
        window_->document().pin();
        Scenario s = scenario();
        s.cluster.workers = 64;
        window_->document().edit(std::move(s));
        settle();
        window_->findChild<BottomTabs*>()->tab(QLatin1String("compare"))->click();
        settle();
        const QString file = folder_.filePath(u("pinned.json"));
        QVERIFY(window_->save_to(file));
        QProcess render;
        render.start(program_,
                     {u("render"), file, u("--out"), folder_.filePath(u("pinned")), u("--format"), u("csv,svg")});
        QVERIFY(render.waitForFinished(60000));
        QVERIFY2(render.exitCode() == 0, render.readAllStandardError().constData());
        for (const auto& [name, chart] : window_->charts()) {
            if (name != u("compare") && name != u("speedup")) continue;
            QFile csv(folder_.filePath(u("pinned/") + name + u(".csv")));
            QVERIFY(csv.open(QIODevice::ReadOnly));
            QCOMPARE(csv.readAll(), chart_csv(*chart));
        }
    }

    /// A chart that the window gets is one that some scenario here draws.
    void no_chart_is_left_out() {
        Scenario s = scenario();
        s.model.method = Method::paleo_head;
        s.parallelism.collective = Collective::paleo_tree;
        for (const paleo::Correction& c : paleo::corrections()) s.model.paleo_corrections.emplace_back(c.id);
        std::sort(s.model.paleo_corrections.begin(), s.model.paleo_corrections.end());
        window_->document().edit(std::move(s));
        const QString own = folder_.filePath(u("paleo.json"));
        QVERIFY(window_->save_to(own));
        for (const QString& rendered : {u("llama-3-70b-h100"), own}) {
            QProcess render;
            render.start(program_, {u("render"), rendered, u("--out"),
                                    folder_.filePath(QFileInfo(rendered).completeBaseName()), u("--format"), u("svg")});
            QVERIFY(render.waitForFinished(60000));
        }
        std::set<QString> drawn;
        for (const QString& preset : {u("example"), u("alexnet-cpu-cluster"), u("resnet-50-p100-servers"), u("pinned"),
                                      u("llama-3-70b-h100"), u("paleo")})
            for (const QString& file : QDir(folder_.filePath(preset)).entryList({u("*.svg")}, QDir::Files))
                drawn.insert(QFileInfo(file).baseName());
        for (const auto& entry : window_->charts()) QVERIFY2(drawn.count(entry.first), qPrintable(entry.first));
    }
};

QTEST_MAIN(RenderTest)
#include "tst_render.moc"
