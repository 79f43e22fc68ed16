// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <memory>

#include "ui/theme/theme.hpp"

namespace scalescope::app {

/// Qt draws text only while there is an application. Nothing is shown, so it asks for no display.
class Offscreen {
public:
    Offscreen() {
        if (QCoreApplication::instance()) return;
        qputenv("QT_QPA_PLATFORM", "offscreen");  // also where the shell asks for one that needs a display
        before_ = qInstallMessageHandler(without_runtime_folder);
        app_ = std::make_unique<QApplication>(count_, words_);
        ui::apply_theme(*app_, ui::ThemeChoice::light);
    }

private:
    /// Servers and cron have no folder for a session's sockets. Qt tells so, but drawing to files needs none.
    static void without_runtime_folder(QtMsgType type, const QMessageLogContext& context, const QString& text) {
        if (!text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set"))) before_(type, context, text);
    }
    inline static QtMessageHandler before_ = nullptr;

    int count_ = 1;
    char name_[11] = "scalescope";
    char* words_[2] = {name_, nullptr};
    std::unique_ptr<QApplication> app_;
};

}  // namespace scalescope::app
