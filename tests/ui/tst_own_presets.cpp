// SPDX-License-Identifier: GPL-3.0-or-later
// The window offers a person's own presets beside the shipped ones, and says what is wrong with them.
#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "core/formats/catalogue_json.hpp"
#include "ui/commands/command_list.hpp"
#include "ui/commands/command_palette.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/window/main_window.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class OwnPresetsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    void write(const QString& name, const std::string& text) {
        const QString path = folder_.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text.c_str()) != static_cast<qint64>(text.size()))
            qFatal("no file");
    }
    static QStringList in_section(const Combo* combo, const QString& section) {
        QStringList ids;
        for (const auto& item : combo->items())
            if (item.section == section) ids << item.id;
        return ids;
    }
    /// What the banners that are on show say.
    static QString said(const MainWindow& window) {
        QString all;
        for (const auto* banner : window.findChildren<Banner*>())
            if (!banner->isHidden())
                for (const auto* label : banner->findChildren<QLabel*>()) all += label->text();
        all.remove(QChar(0x200B));  // where a long word may be broken
        return all;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("scalescope-tests"));
        apply_theme(*qApp, ThemeChoice::light);
    }

    void own_presets_are_offered() {
        const auto shipped = formats::load_shipped();
        Device device = *shipped.catalogue.device("tesla-k80");
        device.id = "my-gpu";
        device.memory_bandwidth = BytesPerSecond{777e9};
        write(QStringLiteral("devices/mine.json"), formats::write_devices(std::vector{device}));
        Link link = shipped.catalogue.links.front();
        link.id = "my-link";
        write(QStringLiteral("links/mine.json"), formats::write_links(std::vector{link}));
        ClusterPreset room = *shipped.catalogue.cluster("dgx-2");
        room.id = "my-room";
        room.device = "my-gpu";
        write(QStringLiteral("clusters/mine.json"), formats::write_clusters(std::vector{room}));
        write(QStringLiteral("networks/my-net.json"), shipped.find_network("nin")->text);
        write(QStringLiteral("scenarios/my-study.json"), shipped.find_scenario("example")->text);
        MainWindow window({}, folder_.path());
        window.start();
        window.live().finish();
        const auto combo = [&](const char* name) { return window.findChild<Combo*>(QLatin1String(name)); };
        const QString own = QStringLiteral("Own");
        QCOMPARE(in_section(combo("device"), own), QStringList{QStringLiteral("my-gpu")});
        QCOMPARE(in_section(combo("between"), own), QStringList{QStringLiteral("my-link")});
        QCOMPARE(in_section(combo("cluster"), own), QStringList{QStringLiteral("my-room")});
        QCOMPARE(in_section(combo("network"), own), QStringList{QStringLiteral("my-net")});
        QVERIFY(in_section(combo("network"), QStringLiteral("Networks")).contains(QStringLiteral("nin")));
        QVERIFY2(!said(window).contains(QLatin1String("my-")), qPrintable(said(window)));
        emit combo("device")->chosen(QStringLiteral("my-gpu"));
        QCOMPARE(window.document().scenario().cluster.device.memory_bandwidth.value, 777e9);
        window.findChild<QAction*>(QStringLiteral("commands"))->trigger();
        const auto& commands = window.findChild<CommandPalette*>()->commands();
        int scenarios = 0;
        for (int row = 0; row < commands.rowCount(); ++row)
            if (const Command* c = commands.command(row)) scenarios += c->place == QStringLiteral("Own scenario");
        QCOMPARE(scenarios, 1);
    }

    void what_is_wrong_is_said() {
        write(QStringLiteral("networks/broken.json"), "{\n  oops");
        MainWindow window({}, folder_.path());
        window.start();
        window.live().finish();
        QVERIFY2(said(window).contains(QLatin1String("broken.json, line 2, could not be read and was skipped.")),
                 qPrintable(said(window)));
        QVERIFY(!said(window).contains(QLatin1String("Left out:")));
        QVERIFY(in_section(window.findChild<Combo*>(QStringLiteral("network")), QStringLiteral("Own")) ==
                QStringList{QStringLiteral("my-net")});
    }
};

QTEST_MAIN(OwnPresetsTest)
#include "tst_own_presets.moc"
