// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>

#include "core/scenario/names.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/main_window.hpp"

/// What the tests of the window share: the real window on the offscreen platform, and where to find things in it.
namespace window_test {

class WindowFixture {
protected:
    std::unique_ptr<scalescope::ui::MainWindow> window_;
    QTemporaryDir folder_;

    void prepare() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("scalescope-tests"));
        QVERIFY(folder_.isValid());
    }
    /// A window that has never been open before, on the first-start example. `sessions`: where it keeps unsaved work.
    void open(const QString& sessions = {}) {
        scalescope::ui::Settings().set_window({}, {});
        scalescope::ui::Settings().set_canvas({}, false);
        scalescope::ui::Settings().set_trace_gpus({});
        apply_theme(*qApp, scalescope::ui::ThemeChoice::light);
        window_ = std::make_unique<scalescope::ui::MainWindow>(sessions);
        window_->start();
        window_->finish_opening();
        window_->finish_answers();
        window_->resize(1440, 900);
        window_->QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        settle();
    }

    template <class T>
    T* find(const char* name) {
        T* w = window_->findChild<T*>(QLatin1String(name));
        if (!w) qFatal("no widget %s", name);
        return w;
    }
    /// Until the answer to the last edit is shown and laid out: a timer's layout request comes after all posted events.
    void settle() {
        QCoreApplication::processEvents();
        window_->finish_answers();
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents();
    }
    const scalescope::Scenario& scenario() { return window_->document().scenario(); }
    void open_page(const char* id) {
        window_->findChild<scalescope::ui::BottomTabs*>()->tab(QLatin1String(id))->click();
        settle();
    }
    /// A way of the catalogue.
    void choose(const char* way) {
        emit find<scalescope::ui::Combo>("way")->chosen(QLatin1String(way));
        settle();
    }
    void resize(int width, int height) {
        window_->resize(width, height);
        settle();
    }
    QString write(const char* name, const QByteArray& text) {
        const QString path = folder_.filePath(QLatin1String(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("no file");
        return path;
    }
};

}  // namespace window_test
