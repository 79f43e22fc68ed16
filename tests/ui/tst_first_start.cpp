// SPDX-License-Identifier: GPL-3.0-or-later
// Which language the window speaks when it opens: that of the desktop, unless one was chosen. Qt reads the environment
// once, so each case is a process: this program starts itself as the window of somebody who has never had one.
#include <QMenuBar>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>
#include <cstdio>
#include <optional>

#include "ui/language/language.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/run_window.hpp"

using namespace scalescope::ui;

namespace {

/// The window is asked for its first menu as soon as it is there, and closed; the product knows nothing of it.
void ask_the_window() {
    if (!qEnvironmentVariableIsSet("FIRST_START")) return;
    QTimer::singleShot(0, qApp, [] {
        for (const QWidget* w : QApplication::topLevelWidgets())
            if (const auto* window = qobject_cast<const MainWindow*>(w))
                std::printf("%s\n", qPrintable(window->menuBar()->actions().front()->text().remove(QLatin1Char('&'))));
        std::fflush(stdout);
        QCoreApplication::quit();
    });
}
Q_COREAPP_STARTUP_FUNCTION(ask_the_window)

/// Parts of the environment that name languages.
const QStringList& of_languages() {
    static const QStringList all{QStringLiteral("LANGUAGE"), QStringLiteral("LC_ALL"), QStringLiteral("LC_MESSAGES"),
                                 QStringLiteral("LANG")};
    return all;
}

}  // namespace

class FirstStartTest : public QObject {
    Q_OBJECT

    QTemporaryDir home_;

    /// The name of the first menu, on a desktop with these variables, for who has chosen `preferred`, or nothing yet.
    QByteArray first_menu(const QString& desktop, std::optional<Language> preferred) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString& name : of_languages()) environment.remove(name);
        for (const QString& one : desktop.split(QLatin1Char(' ')))
            environment.insert(one.section(QLatin1Char('='), 0, 0), one.section(QLatin1Char('='), 1));
        environment.insert(QStringLiteral("HOME"), home_.path());
        environment.insert(QStringLiteral("XDG_DATA_HOME"), home_.filePath(QStringLiteral("data")));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home_.filePath(QStringLiteral("config")));
        environment.insert(QStringLiteral("XDG_CACHE_HOME"), home_.filePath(QStringLiteral("cache")));
        environment.insert(QStringLiteral("FIRST_START"), QStringLiteral("1"));
        QSettings().clear();
        if (preferred) Settings().set_language(*preferred);
        QProcess window;
        window.setProcessEnvironment(environment);
        window.start(QCoreApplication::applicationFilePath(), {});
        if (!window.waitForFinished(60'000) || window.exitCode() != 0) {
            window.kill();
            return "no window: " + window.readAllStandardError();
        }
        return window.readAllStandardOutput().trimmed();
    }

private slots:
    void initTestCase() {
        QVERIFY(home_.isValid());
        QCoreApplication::setOrganizationName(QStringLiteral("scalescope"));
        QCoreApplication::setApplicationName(QStringLiteral("scalescope"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home_.filePath(QStringLiteral("config")));
        QVERIFY(QSettings().fileName().startsWith(home_.path()));
    }

    void it_speaks_as_the_desktop_data() {
        QTest::addColumn<QString>("desktop");
        QTest::addColumn<QByteArray>("menu");
        const QByteArray english = "File", german = "Datei";
        const auto row = [](const char* desktop, const QByteArray& menu) {
            QTest::newRow(desktop) << QString::fromLatin1(desktop) << menu;
        };
        row("LANG=de_DE.UTF-8", german);
        row("LANG=de_AT.UTF-8", german);
        row("LANG=en_GB.UTF-8", english);
        row("LANG=C.UTF-8", english);
        row("LANG=fr_FR.UTF-8", english);
        row("LANG=en_US.UTF-8 LC_ALL=de_DE.UTF-8", german);
        row("LANG=en_US.UTF-8 LC_MESSAGES=de_DE.UTF-8", german);
        row("LC_ALL=en_US.UTF-8 LANGUAGE=de", german);
        row("LANG=fr_FR.UTF-8 LANGUAGE=fr:de:en", german);  // the first that there is
    }
    void it_speaks_as_the_desktop() {
        QFETCH(QString, desktop);
        QFETCH(QByteArray, menu);
        QCOMPARE(first_menu(desktop, {}), menu);
        QCOMPARE(first_menu(desktop, Language::system), menu);  // chosen, as nothing else
    }

    void it_speaks_what_was_chosen() {
        const QString german = QStringLiteral("LANG=de_DE.UTF-8 LANGUAGE=de");
        const QString english = QStringLiteral("LANG=en_US.UTF-8 LANGUAGE=en");
        QCOMPARE(first_menu(german, Language::english), QByteArray("File"));
        QCOMPARE(first_menu(english, Language::german), QByteArray("Datei"));
    }
};

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsSet("FIRST_START")) return run_window(argc, argv);
    QCoreApplication app(argc, argv);
    FirstStartTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_first_start.moc"
