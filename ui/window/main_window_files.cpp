// SPDX-License-Identifier: GPL-3.0-or-later
// Files, sessions and problems of the main window.
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QUrl>
#include <algorithm>

#include "core/base/atomic_file.hpp"
#include "core/drawing/notes.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/network/sketch.hpp"
#include "core/scenario/hardware.hpp"
#include "core/words/configured.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/charts/chart.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/document/keeping.hpp"
#include "ui/inspect/compare_page.hpp"
#include "ui/inspect/cpu_page.hpp"
#include "ui/inspect/device_map_page.hpp"
#include "ui/inspect/paleo_page.hpp"
#include "ui/inspect/sensitivity_page.hpp"
#include "ui/inspect/staleness_page.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/calibration_page.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_session.hpp"
#include "ui/search/search_session.hpp"
#include "ui/search/search_window.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/file_names.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/chart_mapping.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {
namespace {

/// "~/.local/share/…" for what lies in the home folder.
QString short_path(const QString& path) {
    const QString home = QDir::homePath() + QLatin1Char('/');
    return path.startsWith(home) ? QStringLiteral("~/") + path.mid(home.size()) : path;
}

/// JSON for every program, and by the longer ending known to the desktop as Scalescope's (packaging/desktop/mime.xml).
const QString scenario_ending = QStringLiteral(".scalescope.json");

}  // namespace

void MainWindow::open_scenario_preset(const QString& id) {
    const formats::Preset* preset = library_.find_scenario(id.toStdString());
    if (!preset) return;
    auto read = formats::read_scenario(preset->text, preset->file, library_);
    if (!read) {
        show_problems(read.error(), told(preset->name), told(preset->text));
        return;
    }
    const QString look_at = told(read->scenario.description);
    const QString name = told(read->scenario.name);
    // Pins stay: presets are what a design is compared with.
    if (replace({std::move(read->scenario), document_.pins()}, tr("Open %1").arg(name), read->view) &&
        !look_at.isEmpty())
        say(look_at);
}

void MainWindow::reset_to_example() { replace({example_scenario(library_), {}}, tr("Reset to example"), ""); }

bool MainWindow::replace(Replacement next, const QString& what, const std::optional<std::string>& view) {
    // Its own file once more: undo brings back what was not saved.
    const bool again = !next.file.file().isEmpty() && next.file.file() == document_.file();
    if (!again && !offer_to_save()) return false;
    forget_failed_file();
    std::optional<Views> views;
    if (view) {
        views = Views{view_json(), QJsonDocument::fromJson(QByteArray::fromStdString(*view)).object()};
        next.drawing = drawing_in(views->after, next.scenario);
    }
    document_.replace(std::move(next), what, std::move(views));
    return true;
}

/// A file that could not be opened is no longer on show, nor is what was said about what was open before.
void MainWindow::forget_failed_file() {
    problem_file_.clear();
    problems_->set_banner({}, {});
    say_nothing();
}

bool MainWindow::save_to(const QString& file) {
    const std::string text = formats::write_scenario(document_.scenario(), library_, view_text(), document_.pins());
    const auto written = write_file(file.toStdString(), text);
    if (!written) {
        // The document stays as it is, and dirty.
        const Problem& p = written.error().front();
        say(told(to_text(p)), true);
        return false;
    }
    failure_->hide();
    if (notice_->is_about_changed_file()) notice_->hide();
    document_.saved({file, std::string_view(text)});
    settings_.add_recent(QFileInfo(file).absoluteFilePath());
    fill_recent();
    keep_session();
    return true;
}

bool MainWindow::save() {
    const QString file = document_.file();
    if (file.isEmpty()) return save_as();
    switch (document_.on_disk().changed() ? ask_about_changed_file(this, file) : ChangedFile::keep_mine) {
        case ChangedFile::keep_mine: return save_to(file);
        case ChangedFile::save_as: return save_as();
        case ChangedFile::reload: open(file); return false;
        case ChangedFile::cancel: return false;
    }
    return false;
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && lessons_) look_at_file();
}

/// Another window, or another program, may have written it meanwhile.
void MainWindow::look_at_file() {
    if (loader_.loading() || !document_.on_disk().changed()) return;
    const QString file = document_.file();
    say({});
    notice_->offer_changed_file(
        file, [this, file] { open(file); },
        [this, file] {
            say_nothing();
            if (document_.file() == file) document_.keep_mine();
        },
        [this] { save_as(); });
}

bool MainWindow::save_as() {
    const QString offered = file_name_from(document_.title(), tr("scenario")) + scenario_ending;
    QString file =
        QFileDialog::getSaveFileName(this, tr("Save the scenario"),
                                     document_.file().isEmpty() ? offered : document_.file(), tr("Scenarios (*.json)"));
    if (file.isEmpty()) return false;
    if (QFileInfo(file).suffix().isEmpty()) file += scenario_ending;
    return save_to(file);
}

void MainWindow::open_dialog() {
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open a scenario, a network, a lesson, a table, a trace or a calibration"), {},
        tr("Scenarios, networks, lessons, tables, traces and training configurations (*.json *.prototxt *.keras *.onnx "
           "*.csv *.gz *.sh *.slurm *.yaml *.yml *.toml *.py);;All files (*)"));
    if (!file.isEmpty()) open(file);
}

bool MainWindow::offer_to_save(bool leaving) {
    // Work that never had a file lives on in the session; only a file's changes are asked about.
    const bool kept = !leaving || !session_ || session_->kept();
    if (!document_.dirty() || (document_.file().isEmpty() && kept)) return true;
    const QString question = tr("Save the changes to %1?").arg(document_.title());
    const auto answer =
        QMessageBox::question(this, tr("Unsaved changes"),
                              kept ? question : question + QStringLiteral("\n\n") + Keeping::instance().trouble(),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Save ? save() : answer == QMessageBox::Discard;
}

/// What the other questions are not about, and what goes with this window. One question for all of it.
bool MainWindow::offer_to_stay(bool work_in_lesson) {
    QStringList lost;
    if (session_ && !session_->kept() && work_in_lesson) lost << tr("your work in the lesson");
    if (measurements_ && !measurements_->fit_is_kept()) lost << tr("the fit of measured runs and its settings");
    if (measurements_ && measurements_->calibration_page()->is_unsaved()) lost << tr("the calibration you made");
    if (const QString drawing = document_.replaced_drawing(); !drawing.isEmpty())
        lost << tr("the drawing “%1”, which only Undo brings back").arg(drawing);
    if (!Settings::try_again()) lost << tr("settings, progress in lessons and recent files");
    if (lost.isEmpty()) return true;
    QString text =
        tr("If you quit now, this will be lost:") + QStringLiteral("\n• ") + lost.join(QLatin1String("\n• "));
    if (const QString trouble = Keeping::instance().trouble(); !trouble.isEmpty())
        text += QStringLiteral("\n\n") + trouble;
    return QMessageBox::question(this, tr("Quit Scalescope"), text, QMessageBox::Discard | QMessageBox::Cancel,
                                 QMessageBox::Cancel) == QMessageBox::Discard;
}

void MainWindow::keep_session() {
    if (!session_) return;
    // While a lesson is open it is the document that waits which must not be lost, and then where the lesson was.
    const Document::Kept* waiting = lessons_->waiting();
    auto text_of_all = [scenario = waiting ? waiting->scenario() : document_.scenario(),
                        pins = waiting ? waiting->pins() : document_.pins(), &library = library_,
                        view = waiting ? lessons_->waiting_view() : view_json(), lesson = lessons_->session(),
                        worked_on = document_.scenario(), its_pins = document_.pins(),
                        its_view = waiting ? view_json() : QJsonObject()] {
        QJsonObject whole = view;
        if (!lesson.isEmpty())
            whole[QStringLiteral("lesson")] = LessonDesk::with_work(lesson, worked_on, its_pins, its_view, library);
        return formats::write_scenario(scenario, library,
                                       QJsonDocument(whole).toJson(QJsonDocument::Compact).toStdString(), pins);
    };
    session_->keep(std::move(text_of_all),
                   {{},
                    waiting ? waiting->file() : document_.file(),
                    waiting ? waiting->dirty() : document_.dirty(),
                    false,
                    {},
                    (waiting ? waiting->on_disk() : document_.on_disk()).digest()},
                   document_.dragging());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const bool work_in_lesson = lessons_->is_open() && document_.history().index() > 0;
    if (!lessons_->put_away()) return event->ignore();
    if (session_) {
        keep_session();
        session_->flush();
    }
    if (!offer_to_save(true) || (measurements_ && !measurements_->offer_to_save()) || !offer_to_stay(work_in_lesson)) {
        lessons_->take_out_again();
        event->ignore();
        return;
    }
    cancel_opening();
    lessons_->close_editor();
    layouts_[canvas_docks_] = saveState(Settings::layout_version);
    settings_.set_window(saveGeometry(), layouts_[0]);
    settings_.set_canvas(layouts_[1], workers_action_->isChecked());
    if (session_) session_->close();
    if (measurements_ && measurements_->session()) measurements_->session()->close();
    if (finder_ && finder_->session()) finder_->session()->close();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QMimeData& brought = *event->mimeData();
    if (brought.hasUrls() || is_scenario_text(brought.text().toStdString())) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    if (const QString link = event->mimeData()->text(); is_scenario_text(link.toStdString())) {
        event->acceptProposedAction();
        return open_link(link);
    }
    const auto urls = event->mimeData()->urls();
    if (urls.isEmpty()) return;
    event->acceptProposedAction();
    QStringList files;
    for (const QUrl& url : urls) files << url.toLocalFile();
    open_all(files);
}

void MainWindow::show_problems(const Problems& problems, const QString& file, const QString& content) {
    bool failed = false;
    std::vector<ProblemRow> rows;
    for (const Problem& p : problems) {
        failed |= p.severity == Severity::error;
        rows.push_back(problem_row(p));
    }
    const QString name = QFileInfo(file).fileName();
    const Network* network = document_.scenario().network();
    problem_file_ = file;
    file_failed_ = failed;
    problems_->set_problems(rows, name, content);
    problems_->set_banner(
        failed ? tr("%1 was not opened.").arg(name) : QString(),
        failed && network ? tr("%1 is still shown, unchanged.").arg(told(network->name())) : QString(),
        file != pasted_name());
    problems_title_->set_unit(name);
    tabs_->set_count(QStringLiteral("problems"), static_cast<int>(rows.size()));
    show_bottom(QStringLiteral("problems"));
    show_status();
}

void MainWindow::show_design_problems() {
    if (!result()) return;
    std::vector<ProblemRow> rows;
    problem_fields_.clear();
    fault_layers_.clear();
    if (document_.draft()) {
        const Sketch sketch(*document_.draft());
        for (const Fault& f : sketch.faults) {
            rows.push_back(problem_row(f.problem));
            problem_fields_.emplace_back();
            fault_layers_.push_back(f.layer);
        }
        only_shapes_ =
            !sketch.faults.empty() && std::all_of(sketch.faults.begin(), sketch.faults.end(),
                                                  [&](const Fault& f) { return drawing::about_shapes(sketch, f); });
    }
    const Problems& notes = result()->estimate ? result()->estimate->notes : result()->estimate.error();
    const Problem* first_note = notes.empty() ? nullptr : &notes.front();
    for (const Problem& p : notes) {
        rows.push_back(problem_row(p));
        if (&p == first_note && !cannot_run_text(result()->request.scenario, result()->estimate).isEmpty())
            rows.back().severity = Severity::error;  // a warning where only the numbers are asked for
        if (QString& remedy = rows.back().remedy; !remedy.isEmpty()) {  // a sentence of its own here
            remedy[0] = remedy[0].toUpper();
            if (!remedy.endsWith(QLatin1Char('.'))) remedy += QLatin1Char('.');
        }
        problem_fields_.push_back(QString::fromStdString(p.where));
    }
    problems_title_->set_unit(tr("this design"));
    problems_->set_banner({}, {});
    problems_->set_problems(rows);
    tabs_->set_count(QStringLiteral("problems"), static_cast<int>(rows.size()));
}

void MainWindow::say(const QString& sentence, bool error) {
    for (Banner* b : {notice_, failure_}) {
        b->remove_buttons();
        b->setToolTip({});
    }
    (error ? failure_ : notice_)->set_text({}, sentence);
    notice_->setVisible(!error);
    failure_->setVisible(error);
}

/// A sentence on the first of them, all in the tip; a file that is opened, or a lost session, has more to say.
void MainWindow::say_about_own_presets() {
    if (library_.problems.empty()) return;
    QStringList all;
    for (const Problem& p : library_.problems) {
        const bool out = p.what.starts_with(formats::left_out);
        QString place = short_path(told(p.at.file));
        if (p.at.line > 0) place = tr("%1, line %2,").arg(place).arg(p.at.line);
        all << (out ? tr("Your file %1 could not be read and was skipped. %2")
                          .arg(place, told(p.what.substr(formats::left_out.size())))
                    : QStringLiteral("%1: %2").arg(place, told(p.what)));
    }
    const qsizetype more = all.size() - 1;
    say(more == 0   ? all.front()
        : more == 1 ? tr("%1 There is one more problem with your files.").arg(all.front())
                    : tr("%1 There are %2 more problems with your files.").arg(all.front()).arg(more));
    notice_->setToolTip(all.join(QStringLiteral("\n\n")));
    connect(notice_->add_button(tr("Open folder")), &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(own_folder_)); });
}

void MainWindow::say_nothing() {
    for (Banner* b : {notice_, failure_}) b->hide();
}

void MainWindow::export_all() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Export all charts to a folder"));
    if (folder.isEmpty()) return;
    presenter_.show_everything();  // pages that nobody looks at are not kept up to date
    for (const auto& entry : charts()) {
        if (entry.second->is_empty()) continue;
        for (const char* suffix : {"png", "svg", "pdf", "csv"}) {
            ExportOptions options;
            options.scale = 2;
            const auto saved = save_chart(
                *entry.second, QStringLiteral("%1/%2.%3").arg(folder, entry.first, QLatin1String(suffix)), options);
            if (!saved) {
                say(told(to_text(saved.error().front())), true);
                return;
            }
        }
    }
    say(tr("All charts were exported to %1 as PNG, SVG, PDF and CSV.").arg(folder));
}

void MainWindow::update_title() {
    setWindowTitle(tr("%1[*] – Scalescope").arg(document_.title()));
    setWindowModified(document_.dirty());
    setWindowFilePath(document_.file());
}

void MainWindow::fill_recent() {
    recent_menu_->clear();
    for (const QString& file : settings_.recent()) {
        QAction* action = recent_menu_->addAction(QFileInfo(file).fileName());
        action->setToolTip(file);
        connect(action, &QAction::triggered, this, [this, file] { open(file); });
    }
    recent_menu_->setEnabled(!recent_menu_->isEmpty());
}

}  // namespace scalescope::ui
