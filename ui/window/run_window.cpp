// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_window.hpp"

#include <QApplication>
#include <QStandardPaths>
#include <cstdlib>

#include "ui/window/main_window.hpp"

namespace scalescope::ui {

int run_window(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("scalescope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Scalescope"));
    QApplication::setApplicationVersion(QStringLiteral(SCALESCOPE_VERSION));
    apply_theme(app, Settings().theme());
    const auto own = formats::own_folder(std::getenv("XDG_DATA_HOME"), std::getenv("HOME"));
    MainWindow window(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions"),
                      QString::fromStdString(own.string()));
    window.start();
    window.live().finish();  // the first frame shows charts, not an empty window
    window.show();
    const QStringList files = QApplication::arguments().mid(1);
    for (const QString& file : files) window.open(file);
    return QApplication::exec();
}

}  // namespace scalescope::ui
