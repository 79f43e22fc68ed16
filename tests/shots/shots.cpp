// SPDX-License-Identifier: GPL-3.0-or-later
// Draws every state of the window in light and dark, at 100 % and 200 %, and puts them on contact sheets:
//     shots FOLDER [PART OF A NAME]
#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdio>

#include "tests/shots/sheet.hpp"
#include "tests/shots/states.hpp"
#include "ui/theme/comfort.hpp"
#include "ui/window/main_window.hpp"

using namespace scalescope;

namespace {

const char* const scale_variable = "QT_SCALE_FACTOR";

/// The window and whatever stands over it: menus, lists, dialogs, tips.
QImage picture_of(ui::MainWindow& window) {
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    for (QWidget* other : QApplication::topLevelWidgets())
        if (other != &window && other->isVisible())
            painter.drawPixmap(other->mapToGlobal(QPoint()) - window.mapToGlobal(QPoint()), other->grab());
    painter.end();
    return picture.toImage();
}

int draw(const QDir& folder, const QString& wanted, int percent) {
    for (const bool dark : {false, true}) {
        ui::apply_theme(*qApp, dark ? ui::ThemeChoice::dark : ui::ThemeChoice::light);
        const QString kind = QStringLiteral("%1-%2").arg(dark ? QLatin1String("dark") : QLatin1String("light"),
                                                         QString::number(percent));
        if (!folder.mkpath(kind)) return 1;
        std::vector<shots::Picture> pictures;
        for (const shots::State& state : shots::all_states()) {
            if (!state.name.contains(wanted)) continue;
            QSettings().clear();
            ui::set_comfort(*qApp, ui::Motion::less, false);
            ui::apply_theme(*qApp,
                            dark ? ui::ThemeChoice::dark : ui::ThemeChoice::light);  // a state may choose another
            ui::MainWindow window;
            window.start();
            window.live().finish();  // as the program does before it shows itself
            window.resize(state.size);
            window.move(0, 0);
            window.show();
            shots::settle(window);
            QTest::mouseMove(&window, {2, window.height() - 2});  // nothing is under the pointer
            state.reach(window);
            QCoreApplication::processEvents();
            pictures.push_back({state.name, picture_of(window)});
            pictures.back().image.save(folder.filePath(QStringLiteral("%1/%2.png").arg(kind, state.name)));
            for (QWidget* other : QApplication::topLevelWidgets())
                if (other != &window) other->close();
        }
        constexpr std::size_t to_a_sheet = 16;
        for (std::size_t i = 0; i < pictures.size(); i += to_a_sheet) {
            const auto first = pictures.begin() + static_cast<std::ptrdiff_t>(i);
            const auto last = first + static_cast<std::ptrdiff_t>(std::min(to_a_sheet, pictures.size() - i));
            const QString sheet = folder.filePath(QStringLiteral("sheet-%1-%2.png").arg(kind).arg(i / to_a_sheet + 1));
            if (!shots::contact_sheet({first, last}, dark).save(sheet)) return 1;
            std::printf("%s\n", qPrintable(sheet));
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "shots FOLDER [PART OF A NAME]\n");
        return 2;
    }
    const QString folder = QDir(QString::fromLocal8Bit(argv[1])).absolutePath();
    const QString wanted = argc > 2 ? QString::fromLocal8Bit(argv[2]) : QString();
    // The scale belongs to a process: this one starts another for each.
    if (qEnvironmentVariableIsEmpty(scale_variable)) {
        for (const char* scale : {"1", "2"}) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QLatin1String(scale_variable), QLatin1String(scale));
            if (!environment.contains(QStringLiteral("QT_QPA_PLATFORM")))
                environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
            QProcess process;
            process.setProcessEnvironment(environment);
            process.setProcessChannelMode(QProcess::ForwardedChannels);
            process.start(QString::fromLocal8Bit(argv[0]), {folder, wanted});
            if (!process.waitForFinished(-1) || process.exitCode() != 0) return 1;
        }
        return 0;
    }
    QApplication app(argc, argv);
    QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    QApplication::setApplicationName(QStringLiteral("scalescope-shots"));
    return draw(QDir(folder), wanted, qRound(100 * qEnvironmentVariable(scale_variable).toDouble()));
}
