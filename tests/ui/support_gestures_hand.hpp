// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QUrl>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/formats/scenario_text.hpp"
#include "ui/window/main_window.hpp"

namespace window_test {

using namespace scalescope;
using namespace scalescope::ui;

/// Makes random decisions, and answers the dialogs that come up: questions by any of their buttons, file dialogs by a
/// file of `folder` or by rejecting them.
class Hand final {
public:
    /// `folder` must be empty: the files that the gestures open and save are written there.
    Hand(std::unique_ptr<MainWindow>& window, const QString& folder, std::uint32_t seed);
    ~Hand();

    MainWindow& window() const { return *window_; }
    int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
    bool one_in(int count) { return below(count) == 0; }
    template <class C>
    const auto& any_of(const C& all) {
        return all[static_cast<typename C::size_type>(below(static_cast<int>(all.size())))];
    }
    void settle();
    void close_other_windows();

    const QString folder;
    QStringList to_open;              ///< files of every kind that the window reads
    int questions = 0, consents = 0;  ///< consents: questions that were not answered by Cancel

private:
    static constexpr const char* schemes[] = {"http", "https", "file", "mailto"};
    void answer();

    std::unique_ptr<MainWindow>& window_;
    std::mt19937 random_;
    QTimer answers_;
    bool answering_ = false;
};

inline Hand::Hand(std::unique_ptr<MainWindow>& window, const QString& in_folder, std::uint32_t seed)
    : folder(in_folder), window_(window), random_(seed) {
    const QDir here(folder);
    const auto write = [&](const char* name, const std::string& text) {
        const QString file = here.filePath(QLatin1String(name));
        if (!write_file(file.toStdString(), text)) qFatal("cannot write %s", name);
        to_open << file;
    };
    const formats::Library& library = window->library();
    Scenario example = example_scenario(library);
    write("network.json", formats::write_network(example.network()->draft()));
    example.cluster.workers = 5;
    example.name = "From a file";
    write("scenario.json", formats::write_scenario(example, library));
    write("link.txt", formats::to_link(example, library).value());
    write("lesson.json", library.lessons.front().text);
    write("broken.json", "{\"format\": \"scalescope-scenario\", \"version\": 1");
    write("runs.csv", read_file(SCALESCOPE_TEST_DATA "/fit/g1-generic-noiseless.csv").value());
    write("old.json", read_file(SCALESCOPE_TEST_DATA "/formats/v1/scenario.json").value());
    for (const char* scheme : schemes)  // no browser is to open
        QDesktopServices::setUrlHandler(QLatin1String(scheme), &answers_, "nothing");
    // A timer does not fire within its own slot: what answers may lead to another question.
    QObject::connect(&answers_, &QTimer::timeout, &answers_, [this] {
        if (std::exchange(answering_, true)) return;
        QMetaObject::invokeMethod(
            &answers_,
            [this] {
                answering_ = false;
                answer();
            },
            Qt::QueuedConnection);
    });
    answers_.start(0);
}

inline Hand::~Hand() {
    for (const char* scheme : schemes) QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
}

inline void Hand::settle() {
    QCoreApplication::processEvents();
    window().finish_opening();
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents();
}

/// Menus go, questions and dialogs are answered.
inline void Hand::answer() {
    if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) return (void)menu->close();
    QWidget* modal = QApplication::activeModalWidget();
    if (!modal) return;
    if (auto* box = qobject_cast<QMessageBox*>(modal)) {
        ++questions;
        const auto buttons = box->buttons();
        QAbstractButton* button = any_of(buttons);
        if (box->buttonRole(button) != QMessageBox::RejectRole) ++consents;
        return button->click();
    }
    auto* files = qobject_cast<QFileDialog*>(modal);
    auto* name = files ? files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")) : nullptr;
    auto* dialog = qobject_cast<QDialog*>(modal);
    if (!name || files->fileMode() == QFileDialog::Directory || one_in(3)) {
        dialog ? dialog->reject() : (void)modal->close();
        return;
    }
    name->setText(files->acceptMode() == QFileDialog::AcceptOpen
                      ? any_of(to_open)
                      : QDir(folder).filePath(QStringLiteral("saved-%1.json").arg(below(3))));
    QMetaObject::invokeMethod(files, "accept");
}

inline void Hand::close_other_windows() {
    std::vector<QPointer<QWidget>> all;  // one that closes may take others with it
    for (QWidget* w : QApplication::topLevelWidgets()) all.emplace_back(w);
    for (const auto& w : all)
        if (w && w != &window() && w->isVisible()) w->close();
    if (auto* dialog = window().findChild<QDialog*>(); dialog && dialog->isVisible()) dialog->reject();
}

}  // namespace window_test
