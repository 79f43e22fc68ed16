// SPDX-License-Identifier: GPL-3.0-or-later
// How the main window opens files and what was left behind: off its own thread, the newest wins.
#include <QAction>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/formats/named_settings.hpp"
#include "core/formats/onnx/onnx_import.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/words/configured.hpp"
#include "ui/design/model_panel.hpp"
#include "ui/document/keeping.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/calibration_page.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/runs_session.hpp"
#include "ui/measure/trace_page.hpp"
#include "ui/measure/validation_page.hpp"
#include "ui/search/search_window.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/progress_row.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

void MainWindow::start() {
    document_.open(example_scenario(library_));
    apply_view({});
    say_about_own_presets();
    if (session_) {
        recover(Session::Which::newest);
        loader_.finish(Loader::patience);
    }
    say_what_is_new();
}

/// The session that was left behind stays on disk until it is open here: who cancels finds it again next time.
/// `unreadable`: what became of those that were found before.
void MainWindow::recover(Session::Which which, const QString& unreadable) {
    auto left = std::make_shared<std::optional<SessionSnapshot>>();
    auto reader = [left, which, &session = *session_, &library = library_,
                   name = tr("the recovered session").toStdString()](const Watch& watch) -> Result<OpenedFile> {
        *left = session.find_left_behind(which);
        OpenedFile opened;
        if (!*left) return opened;
        auto read = formats::read_scenario((*left)->scenario_text, name, library,
                                           formats::no_files(formats::kept_names_a_file()), watch);
        if (!read) return tl::unexpected(read.error());
        opened.scenario = std::move(read->scenario);
        opened.pins = std::move(read->pins);
        opened.view = std::move(read->view);
        return opened;
    };
    loader_.load(tr("your unsaved work"), std::move(reader),
                 [this, left, which, unreadable](Result<OpenedFile> opened) {
                     const auto kept = std::exchange(*left, {});
                     if (kept && !opened) {
                         // It must not stand in the way of every later start.
                         const QString now = Session::set_aside(*kept);
                         const QString said =
                             tr("Your unsaved work from last time could not be read: %1 The file was kept as %2.")
                                 .arg(told(opened.error().front().what), now.isEmpty() ? kept->found_at : now);
                         if (!now.isEmpty()) return recover(which, said);
                         say(said, true);
                     } else if (kept) {
                         take_recovered(*kept, std::move(*opened), which, unreadable);
                     } else if (!unreadable.isEmpty()) {
                         say(unreadable, true);
                     }
                     recover_measurements();
                 });
}

void MainWindow::take_recovered(const SessionSnapshot& kept, OpenedFile opened, Session::Which which,
                                const QString& unreadable) {
    // A lesson opened in the meantime is set aside: the recovered work does not belong to it.
    const QString lesson = lessons_->is_open() ? lessons_->set_aside() : QString();
    const QJsonObject view = QJsonDocument::fromJson(QByteArray::fromStdString(opened.view)).object();
    auto drawing = drawing_in(view, *opened.scenario);
    Replacement found{std::move(*opened.scenario), std::move(opened.pins), FileOnDisk(kept.file, kept.file_digest),
                      std::move(drawing), !kept.dirty && !kept.crashed};
    if (document_.history().count() == 0 || which == Session::Which::oldest) {
        document_.open(std::move(found));
        apply_view(view);
    } else {  // it took long to read, and work went on meanwhile
        document_.replace(std::move(found), tr("Recover the last session"), Views{view_json(), view});
    }
    lessons_->restore(view[QStringLiteral("lesson")].toObject());
    lessons_->come_back(lesson);
    keep_session();
    session_->flush();
    if (session_->kept()) session_->forget_left_behind(kept);
    QStringList said;
    if (kept.crashed)
        said << tr("Scalescope did not shut down properly last time. Your unsaved work has been recovered.");
    if (kept.waiting > 0)
        said << (kept.waiting == 1 ? tr("Another window was closed with unsaved work.")
                                   : tr("%1 other windows were closed with unsaved work.").arg(kept.waiting));
    said << unreadable;
    said.removeAll(QString());
    if (said.isEmpty()) return;
    say(said.join(QLatin1Char(' ')), !unreadable.isEmpty());
    if (kept.waiting == 0) return;
    Banner* banner = unreadable.isEmpty() ? notice_ : failure_;
    connect(banner->add_button(kept.waiting == 1 ? tr("Open it") : tr("Open the next")), &QPushButton::clicked, this,
            &MainWindow::recover_next);
}

/// What is open waits in its turn.
void MainWindow::recover_next() {
    if (loader_.loading()) return;
    keep_session();
    session_->close();
    if (!session_->kept()) return say(Keeping::instance().trouble(), true);
    session_ = std::make_unique<Session>(session_folder_);
    if (lessons_->is_open()) lessons_->set_aside();
    recover(Session::Which::oldest);
    finish_opening();
}

/// The same for the window of measurements, which has sessions of its own and is made only if one was left. The oldest
/// comes first, so that each start shows another if several wait.
void MainWindow::recover_measurements() {
    if (std::exchange(measurements_recovered_, true)) return open_next();
    auto sessions = std::make_shared<Session>(RunsSession::folder(session_folder_));
    auto left = std::make_shared<std::optional<SessionSnapshot>>();
    auto kept = std::make_shared<std::optional<KeptRuns>>();
    auto reader = [left, kept, sessions,
                   name = tr("the recovered measurements").toStdString()](const Watch& watch) -> Result<OpenedFile> {
        *left = sessions->find_left_behind(Session::Which::oldest);
        OpenedFile nothing;
        if (!*left) return nothing;
        auto read = read_kept_runs((*left)->scenario_text, name, watch);
        if (!read) return tl::unexpected(read.error());
        read->file = {(*left)->file, (*left)->file_digest};
        read->dirty = (*left)->dirty;
        *kept = std::move(*read);
        return nothing;
    };
    loader_.load(tr("your unsaved measurements"), std::move(reader),
                 [this, left, kept, sessions](Result<OpenedFile> read) {
                     const auto found = std::exchange(*left, {});
                     if (found && !read) {
                         const QString now = Session::set_aside(*found);
                         say(tr("Your measurements from last time could not be read: %1 The file was kept as %2.")
                                 .arg(told(read.error().front().what), now.isEmpty() ? found->found_at : now),
                             true);
                     } else if (found && *kept) {
                         measurements().restore(**kept, found->crashed, found->waiting);
                         Session& own = measurements_->session()->session();
                         own.flush();
                         if (own.kept()) sessions->forget_left_behind(*found);
                     }
                     lessons_->restore_editor();
                     open_next();
                 });
}

void MainWindow::open(const QString& file) {
    if (formats::is_link(file.toStdString())) return open_link(file);
    waiting_files_.clear();
    opened_ = false;
    // What was read is kept for the problems view, which shows the lines at fault.
    auto text = std::make_shared<std::string>();
    auto reader = [file, text, &library = library_](const Watch& watch) -> Result<OpenedFile> {
        return open_file(file, library, *text, watch);
    };
    loader_.load(QFileInfo(file).fileName(), std::move(reader), [this, file, text](Result<OpenedFile> opened) {
        take(file, *text, std::move(opened));
        open_next();
    });
}

void MainWindow::take(const QString& file, const std::string& text, Result<OpenedFile> opened) {
    if (!opened) {
        // A model's bytes have no lines to show.
        const bool lines = !formats::is_onnx_network(text) && text.find('\0') == std::string::npos;
        show_problems(opened.error(), file, lines ? QString::fromStdString(text) : QString());
        settings_.remove_recent(QFileInfo(file).absoluteFilePath());
        fill_recent();
        return;
    }
    if (opened->trace) {
        forget_failed_file();
        measurements().open_trace(std::move(opened->trace), file);
    } else if (opened->fit) {
        forget_failed_file();
        measurements().open_fit(std::move(opened->fit), file);
    } else if (opened->runs) {
        forget_failed_file();
        measurements().open_table(std::move(*opened->runs), std::move(opened->published), {file, text});
    } else if (opened->calibration) {
        forget_failed_file();
        use_calibration(std::move(opened->calibration));
    } else if (opened->lesson) {
        forget_failed_file();
        lessons_->open(std::move(*opened->lesson), QFileInfo(file).absoluteFilePath());
    } else if (opened->scenario) {
        // It takes the place of what waits, not of the lesson's.
        // A link and a configuration of a trainer are not files to save the scenario into.
        if (!lessons_->replace_outside([&] {
                return replace(
                    {std::move(*opened->scenario), std::move(opened->pins),
                     is_scenario_text(text) ? FileOnDisk() : FileOnDisk(QFileInfo(file).absoluteFilePath(), text)},
                    tr("Open %1").arg(QFileInfo(file).fileName()), opened->view);
            }))
            return;
    } else {
        forget_failed_file();
        document_.edit(with_network(document_.scenario(), std::move(opened->network)));
    }
    opened_ = true;
    if (!opened->warnings.empty()) show_problems(opened->warnings, file, {});
    settings_.add_recent(QFileInfo(file).absoluteFilePath());
    fill_recent();
}

void MainWindow::open_all(const QStringList& files) {
    waiting_files_ = files;
    if (!loader_.loading()) open_next();
}

void MainWindow::open_next() {
    if (waiting_files_.isEmpty()) return;
    QStringList rest = waiting_files_;
    const QString file = rest.takeFirst();
    open(file);
    waiting_files_ = rest;
}

void MainWindow::cancel_opening() {
    waiting_files_.clear();
    loader_.cancel();
}

bool MainWindow::finish_opening() {
    while (loader_.loading()) loader_.finish();
    return opened_;
}

/// Made when first wanted: most people never measure.
MeasureWindow& MainWindow::measurements() {
    if (!measurements_) {
        measurements_ = new MeasureWindow(library_, this);
        if (session_) measurements_->keep_under(session_folder_);
        connect(measurements_, &MeasureWindow::open_asked, this, &MainWindow::open);
        connect(measurements_->validation_page(), &ValidationPage::scenario_asked, this,
                [this](const Scenario& scenario, const QString& name) {
                    Scenario next = scenario;
                    next.name = name.toStdString();
                    if (!replace({std::move(next), document_.pins()}, tr("Open %1").arg(name))) return;
                    say(tr("%1 is open. Undo restores the previous scenario.").arg(name));
                    raise();
                    activateWindow();
                });
        CalibrationPage* calibration = measurements_->calibration_page();
        calibration->set_design([this] { return document_.scenario(); });
        connect(calibration, &CalibrationPage::keep_asked, this, &MainWindow::keep_calibration);
        TracePage* trace = measurements_->trace_page();
        trace->set_gpus(settings_.trace_gpus());
        connect(trace, &TracePage::gpus_chosen, this, [this, trace] { settings_.set_trace_gpus(trace->gpus()); });
        connect(measurements_->runs_page(), &RunsPage::curve_changed, this, [this] {
            if (result()) show_speedup();
        });
    }
    return *measurements_;
}

/// Made when first wanted, like the one above; its question is that of last time.
SearchWindow& MainWindow::finder() {
    if (!finder_) {
        finder_ = new SearchWindow(document_, library_, this);
        if (session_) finder_->keep_under(session_folder_);
        if (result()) finder_->document().set_current(result());
        connect(finder_, &SearchWindow::loaded, this, [this] {
            const QString what = document_.history().undoText();
            say(what.isEmpty() ? tr("The open scenario already is this result.")
                               : tr("The search result is open: %1. Undo restores the previous scenario.").arg(what));
        });
    }
    return *finder_;
}

/// The design with a calibration's constants: one undo step.
void MainWindow::use_calibration(SharedCalibration calibration) {
    if (calibration->constants.empty())
        return say(tr("%1 corrects operator times in traces. It has no constants for the model.")
                       .arg(QString::fromStdString(calibration->name)));
    document_.edit(with_calibration(document_.scenario(), std::move(calibration)));
    say(told(long_text(evidence_of(document_.scenario()), document_.scenario())));
}

void MainWindow::keep_calibration() {
    const Calibration made = measurements_->calibration_page()->calibration();
    if (std::any_of(library_.calibrations.begin(), library_.calibrations.end(),
                    [&](const Calibration& own) { return own.name == made.name; }) &&
        QMessageBox::question(measurements_, tr("Replace a calibration"),
                              tr("You already have a calibration called %1. Replace it?").arg(plain(made.name)),
                              QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel) != QMessageBox::Save)
        return;
    const auto kept = formats::keep_calibration(made, own_folder_.toStdString(), library_);
    if (!kept) return measurements_->say(told(to_text(kept.error().front())), true);
    measurements_->calibration_page()->mark_saved();
    model_->fill_choices();
    use_calibration({std::make_shared<const Calibration>(*library_.find_calibration(made.name))});
    measurements_->say(tr("Saved as %1 and used in the design.").arg(QString::fromStdString(*kept)), false);
}

void MainWindow::show_calibration() {
    MeasureWindow& window = measurements();
    window.show_page(MeasureWindow::Page::calibration);
    window.show();
    window.raise();
    window.activateWindow();
}

void MainWindow::show_progress(bool on) {
    progress_action_->setVisible(on);
    show_status();
}

}  // namespace scalescope::ui
