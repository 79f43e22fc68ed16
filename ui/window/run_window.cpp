// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_window.hpp"

#include <QApplication>
#include <QStandardPaths>
#include <cstdio>
#include <cstdlib>

#include "ui/language/language.hpp"
#include "ui/theme/icons.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {
namespace {

/// Until there is a window: where Qt finds no display it would print advice that does not help, and dump core. What it
/// says on the way there is part of that.
void say_there_is_no_display(QtMsgType type, const QMessageLogContext&, const QString&) {
    if (type != QtFatalMsg) return;
    std::string places;
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(name); value && *value)
            places += (places.empty() ? " (" : ", ") + std::string(name) + "=" + value;
    std::fprintf(stderr,
                 "scalescope: the display%s cannot be reached; the window needs one, the verbs do not\n"
                 "Try: scalescope --help\n",
                 places.empty() ? "" : (places + ")").c_str());
    std::_Exit(EXIT_FAILURE);
}

}  // namespace

int run_window(int argc, char** argv) {
    const QtMessageHandler usual = qInstallMessageHandler(say_there_is_no_display);
    QApplication app(argc, argv);
    qInstallMessageHandler(usual);
    QApplication::setOrganizationName(QStringLiteral("scalescope"));  // settings: ~/.config/scalescope/scalescope.conf
    QApplication::setApplicationName(QStringLiteral("scalescope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Scalescope"));
    QApplication::setApplicationVersion(QStringLiteral(SCALESCOPE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("scalescope"));
    QApplication::setWindowIcon(program_icon());
    use_language(Settings().language());
    set_comfort(app, Settings().motion(), Settings().large_controls());
    apply_theme(app, Settings().theme());
    const auto own = formats::own_folder(std::getenv("XDG_DATA_HOME"), std::getenv("HOME"));
    MainWindow window(
        QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/scalescope/sessions"),
        QString::fromStdString(own.string()));
    window.start();
    window.open_all(QApplication::arguments().mid(1));
    // The first frame shows charts, not an empty window, and a file that is read in a moment, not the example before.
    if (!window.document().dirty()) window.loader().finish(Loader::patience);
    window.live().finish();
    window.show();
    window.greet();
    return QApplication::exec();
}

}  // namespace scalescope::ui
