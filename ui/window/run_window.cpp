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

QtMessageHandler usual_messages = nullptr;

/// Whether Qt reports, in these words, that it cannot reach the display: xcb, Wayland, then the plugin loader.
bool about_the_display(const QString& message) {
    for (const char* words :
         {"could not connect to display", "Failed to create wl_display", "Could not find the Qt platform plugin",
          "Could not load the Qt platform plugin", "no Qt platform plugin could be initialized"})
        if (message.contains(QLatin1String(words))) return true;
    return false;
}

/// While the application starts: without a display, Qt would print advice that does not help, and dump core. All other
/// messages are printed as usual.
void explain_a_missing_display(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (!about_the_display(message)) return usual_messages(type, context, message);
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
    usual_messages = qInstallMessageHandler(explain_a_missing_display);
    QApplication app(argc, argv);
    qInstallMessageHandler(usual_messages);
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
