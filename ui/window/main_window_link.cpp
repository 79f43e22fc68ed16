// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios as text: copied, pasted and dropped.
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>

#include "core/formats/scenario_text.hpp"
#include "core/formats/trainers/description.hpp"
#include "core/words/configured.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {
namespace {

bool clipboard_has_link() { return is_scenario_text(QGuiApplication::clipboard()->text().toStdString()); }

}  // namespace

/// Where a file would have its name.
QString MainWindow::pasted_name() { return tr("The pasted text"); }

void MainWindow::copy_link() {
    const auto link = formats::to_link(document_.scenario(), library_);
    if (!link) return say(told(to_text(link.error().front())), true);
    QGuiApplication::clipboard()->setText(QString::fromStdString(*link));
    const QString copied = tr("The scenario was copied as text (%L1 characters). Open it in another Scalescope with "
                              "Edit ▸ Paste a scenario, or pass it to a verb as SCENARIO.")
                               .arg(link->size());
    say(document_.draft() ? tr("%1 The drawing is not a valid network yet, so it was not copied.").arg(copied)
                          : copied);
}

/// For the trainers that core writes configurations for, as their name.
void MainWindow::add_copy_as(QMenu& menu) {
    for (const auto& trainer : formats::trainers::shipped_descriptions()) {
        if (trainer.syntax.empty()) continue;
        QAction* action = menu.addAction(plain(trainer.title));
        action->setObjectName(QStringLiteral("copy_as_") + plain(trainer.id));
        connect(action, &QAction::triggered, this, [this, &trainer] { copy_as(trainer.id, plain(trainer.title)); });
    }
}

/// What the trainer cannot express is said, as much of it as a line holds.
void MainWindow::copy_as(const std::string& trainer, const QString& title) {
    const auto written = configuration_for(trainer, document_.scenario(), "Scalescope " SCALESCOPE_VERSION);
    if (!written) return say(told(to_text(written.error().front())), true);
    QGuiApplication::clipboard()->setText(plain(written->text));
    QStringList lost;
    for (const Problem& note : written->notes) lost << told(note.what);
    const QString copied = tr("The configuration for %1 was copied.").arg(title);
    constexpr int most = 2;
    say(lost.isEmpty() ? copied
        : lost.size() > most
            ? tr("%1 It cannot express all of the scenario: %2 And %3 more.")
                  .arg(copied, lost.mid(0, most).join(QLatin1Char(' ')))
                  .arg(lost.size() - most)
            : tr("%1 It cannot express all of the scenario: %2").arg(copied, lost.join(QLatin1Char(' '))));
    notice_->setToolTip(lost.join(QLatin1Char('\n')));
}

void MainWindow::paste_link() { open_link(QGuiApplication::clipboard()->text()); }

void MainWindow::open_link(const QString& link) {
    waiting_files_.clear();
    opened_ = false;
    auto reader = [text = link.toStdString(), &library = library_](const Watch& watch) -> Result<OpenedFile> {
        auto read = scenario_from_text(text, pasted_name().toStdString(), library, watch);
        if (!read) return tl::unexpected(read.error());
        OpenedFile opened;
        opened.scenario = std::move(read->scenario);
        opened.pins = std::move(read->pins);
        opened.view = std::move(read->view);
        opened.warnings = std::move(read->warnings);
        return opened;
    };
    loader_.load(pasted_name(), std::move(reader), [this](Result<OpenedFile> opened) {
        if (!opened) {
            show_problems(opened.error(), pasted_name(), {});
        } else if (lessons_->replace_outside([&] {
                       // A text that brings no pins is what the pinned designs are to be compared with.
                       const bool done = replace({std::move(*opened->scenario),
                                                  opened->pins.empty() ? document_.pins() : std::move(opened->pins)},
                                                 tr("Paste a scenario"), opened->view);
                       if (done)
                           say(tr("%1 was opened from the pasted text. It has not been saved to a file.")
                                   .arg(document_.title()));
                       return done;
                   })) {
            opened_ = true;
            if (!opened->warnings.empty()) show_problems(opened->warnings, pasted_name(), {});
        }
        open_next();
    });
}

/// What no field and no part of the window had a use for.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Paste) && clipboard_has_link()) return paste_link();
    QMainWindow::keyPressEvent(event);
}

}  // namespace scalescope::ui
