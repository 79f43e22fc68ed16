// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measure_window.hpp"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/formats/calibration_json.hpp"
#include "core/measure/fit/fit_json.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/measure/calibration_page.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/runs_session.hpp"
#include "ui/measure/trace_page.hpp"
#include "ui/measure/validation_page.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/file_names.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::ui {
namespace {

using Page = MeasureWindow::Page;
constexpr std::pair<const char*, Page> page_names[] = {
    {"runs", Page::runs}, {"calibration", Page::calibration}, {"validation", Page::validation}, {"trace", Page::trace}};

}  // namespace

MeasureWindow::MeasureWindow(const formats::Library& library, QWidget* parent) : QMainWindow(parent) {
    setObjectName(QStringLiteral("measureWindow"));
    setWindowFlag(Qt::Window);
    setWindowTitle(tr("Measurements – Scalescope"));
    setAcceptDrops(true);
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(space::gap, space::gap, space::gap, space::gap);
    column->setSpacing(space::gap);
    messages_ = std::make_unique<Messages>(*column);
    choice_ = new SegmentedControl(tr("What is measured"));
    choice_->setObjectName(QStringLiteral("measurePage"));
    choice_->set_segments(
        {{QStringLiteral("runs"), tr("Runs"), tr("Measured runs and a model fitted to them")},
         {QStringLiteral("calibration"), tr("Calibration"), tr("Fit the analytical model's constants to these runs")},
         {QStringLiteral("validation"), tr("Published results"), tr("Published measurements compared with the model")},
         {QStringLiteral("trace"), tr("Trace"), tr("A recorded training step, and its time on other GPUs")}});
    column->addWidget(choice_, 0, Qt::AlignLeft);
    runs_ = new RunsPage;
    validation_ = new ValidationPage(library);
    pages_ = new QStackedWidget;
    pages_->addWidget(runs_);
    calibration_ = new CalibrationPage(runs_->document(), library);
    pages_->addWidget(calibration_);
    connect(calibration_, &CalibrationPage::open_asked, this, &MeasureWindow::open_dialog);
    connect(calibration_, &CalibrationPage::save_asked, this, &MeasureWindow::save_calibration);
    pages_->addWidget(validation_);
    trace_ = new TracePage(library);
    pages_->addWidget(trace_);
    connect(trace_, &TracePage::open_asked, this, &MeasureWindow::open_dialog);
    connect(trace_, &TracePage::said, this, &MeasureWindow::say);
    column->addWidget(pages_, 1);
    set_help(*this, QStringLiteral("window-measurements"));
    set_help(*runs_, QStringLiteral("page-runs"));
    set_help(*calibration_, QStringLiteral("page-calibration"));
    set_help(*validation_, QStringLiteral("page-published"));
    set_help(*trace_, QStringLiteral("page-trace"));
    connect(choice_, &SegmentedControl::chosen, this, [this](const QString& id) {
        for (const auto& [name, page] : page_names)
            if (id == QLatin1String(name)) show_page(page);
    });
    connect(validation_, &ValidationPage::open_asked, this, &MeasureWindow::open_dialog);
    setCentralWidget(middle);
    connect(runs_, &RunsPage::open_asked, this, &MeasureWindow::open_dialog);
    connect(runs_, &RunsPage::save_table_asked, this, &MeasureWindow::save_table);
    connect(runs_, &RunsPage::save_fit_asked, this, &MeasureWindow::save_fit);
    const auto title = [this] {
        reload_.clear();
        const QString file = QFileInfo(runs_->document().file()).fileName();
        setWindowTitle(file.isEmpty() ? tr("Measurements – Scalescope")
                                      : tr("%1[*] – Measurements – Scalescope").arg(file));
        setWindowModified(runs_->document().dirty());
        save_action_->setEnabled(!runs_->document().empty());
    };
    build_actions();
    connect(&runs_->document(), &RunsDocument::changed, this, title);
    title();
    resize(QSize(1180, 800).boundedTo(screen()->availableSize() - QSize(0, 40)));
}

void MeasureWindow::build_actions() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open a table, a fit or a trace…"), QKeySequence::Open, this, [this] { open_dialog(); });
    file->addSeparator();
    save_action_ = file->addAction(tr("&Save the table as…"), QKeySequence::Save, this, [this] { save_table(); });
    file->addAction(tr("Save the &fit as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this,
                    [this] { save_fit(); });
    file->addSeparator();
    file->addAction(tr("&Close"), QKeySequence::Close, this, [this] { close(); });
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QUndoStack& history = runs_->document().history();
    QAction* undo = history.createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = history.createRedoAction(this, tr("&Redo"));
    redo->setShortcut(QKeySequence::Redo);
    edit->addAction(undo);
    edit->addAction(redo);
    QMenu* view = menuBar()->addMenu(tr("&View"));
    view->addAction(tr("&Runs"), QKeySequence(Qt::CTRL | Qt::Key_1), this, [this] { show_page(Page::runs); });
    view->addAction(tr("&Calibration"), QKeySequence(Qt::CTRL | Qt::Key_2), this,
                    [this] { show_page(Page::calibration); });
    view->addAction(tr("&Published results"), QKeySequence(Qt::CTRL | Qt::Key_3), this,
                    [this] { show_page(Page::validation); });
    view->addAction(tr("&Trace"), QKeySequence(Qt::CTRL | Qt::Key_4), this, [this] { show_page(Page::trace); });
    QMenu* fit = menuBar()->addMenu(tr("F&it"));
    fit->addAction(tr("&Fit the runs"), QKeySequence(Qt::CTRL | Qt::Key_Return), this,
                   [this] { runs_->document().start_fit(); });
    fit->addAction(tr("&Cancel"), QKeySequence(Qt::CTRL | Qt::Key_Period), this,
                   [this] { runs_->document().cancel_fit(); });
}

void MeasureWindow::show_page(Page page) {
    for (const auto& [name, named] : page_names)
        if (named == page) choice_->set_current(QLatin1String(name));
    switch (page) {
        case Page::runs: return pages_->setCurrentWidget(runs_);
        case Page::calibration: return pages_->setCurrentWidget(calibration_);
        case Page::validation: return pages_->setCurrentWidget(validation_);
        case Page::trace: return pages_->setCurrentWidget(trace_);
    }
}

void MeasureWindow::open_trace(std::shared_ptr<const RecordedTrace> trace, const QString& file) {
    messages_->clear();
    trace_->document().open(std::move(trace), file);
    show_page(Page::trace);
    bring_forward(*this);
}

void MeasureWindow::keep_under(const QString& sessions) {
    session_ = new RunsSession(runs_->document(), sessions, this);
}

void MeasureWindow::restore(const KeptRuns& kept, bool crashed, int waiting) {
    runs_->document().restore(kept);
    QStringList said;
    if (crashed) said << tr("Scalescope did not shut down properly last time. Your unsaved work has been recovered.");
    if (waiting > 0) said << tr("Another unsaved table will be reopened the next time Scalescope starts.");
    if (said.isEmpty()) return;
    show_page(Page::runs);
    say(said.join(QLatin1Char(' ')), false);
    show();
}

void MeasureWindow::open_fit(std::shared_ptr<const measure::FittedRuns> fit, const QString& file) {
    messages_->clear();
    if (runs_->document().fit_is_unsaved() && !offer_to_save_fit()) return;
    runs_->document().open_fit(std::move(fit), file);
    show_page(Page::runs);
    if (runs_->document().empty())
        say(tr("The fit %1 is shown without its table. Open the table to fit it again.")
                .arg(QFileInfo(file).fileName()),
            false);
    else if (runs_->document().fit_is_foreign())
        say(tr("The fit %1 was made from other runs than the open table.").arg(QFileInfo(file).fileName()), false);
    else
        say(tr("The fit %1 was made from this table.").arg(QFileInfo(file).fileName()), false);
    bring_forward(*this);
}

void MeasureWindow::open_table(measure::RunSheet sheet, std::optional<std::vector<measure::PublishedRow>> published,
                               const FileOnDisk& file) {
    const bool comparing = pages_->currentWidget() == validation_;
    messages_->clear();
    if (comparing && published) {
        validation_->add_table(file.file(), std::move(*published));
    } else if (comparing) {
        validation_->ask_columns(file.file());  // what its columns are is not clear
    } else {
        const bool again = std::exchange(reload_, {}) == file.file();
        if ((!again && !offer_to_save()) || !offer_to_save_fit()) return;
        runs_->document().open(std::move(sheet), file);
        const bool calibrating = pages_->currentWidget() == calibration_ || calibration_->only_here();
        show_page(calibrating ? Page::calibration : Page::runs);
        if (published) {
            say(tr("These are published results. You can compare the model with them."), false);
            messages_->offer(
                tr("Compare with the model"),
                [this, rows = std::move(*published), file = file.file()] {
                    messages_->clear();
                    show_page(Page::validation);
                    validation_->add_table(file, rows);
                },
                true);
        }
    }
    bring_forward(*this);
}

bool MeasureWindow::offer_to_save() {
    if (!runs_->document().dirty()) return true;
    const auto answer = QMessageBox::question(
        this, tr("Unsaved changes"),
        tr("Save the changes to the table %1?").arg(QFileInfo(runs_->document().file()).fileName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Save ? save_table() : answer == QMessageBox::Discard;
}

bool MeasureWindow::fit_is_kept() const {
    const RunsDocument& document = runs_->document();
    if (!session_ || !(document.fit_is_unsaved() || document.settings_are_unsaved())) return true;
    session_->session().flush();
    return session_->session().kept();
}

bool MeasureWindow::offer_to_save_fit() {
    const RunsDocument& document = runs_->document();
    const QString name = QFileInfo(document.file()).fileName();
    if (!document.fit_is_unsaved()) {
        // Settings alone have no file of their own.
        return !document.settings_are_unsaved() ||
               QMessageBox::question(
                   this, tr("Unsaved settings"),
                   tr("The columns and fit settings chosen for %1 are not saved. Discard them?").arg(name),
                   QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Discard;
    }
    const auto answer =
        QMessageBox::question(this, tr("Unsaved fit"), tr("Save the fit of the table %1?").arg(name),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Save ? save_fit() : answer == QMessageBox::Discard;
}

void MeasureWindow::open_dialog() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Open a table, a fit or a trace"), {},
                                     tr("Tables, fits and traces (*.csv *.tsv *.txt *.json *.gz);;All files (*)"));
    if (!file.isEmpty()) emit open_asked(file);
}

bool MeasureWindow::save_table() {
    const QString file = ask_where_to_save(this, tr("Save the table"), runs_->document().file(), tr("Tables (*.csv)"),
                                           QStringLiteral(".csv"));
    return !file.isEmpty() && save_table_to(file);
}

bool MeasureWindow::save_table_to(const QString& file) {
    if (file == runs_->document().file() && runs_->document().on_disk().changed()) {
        switch (ask_about_changed_file(this, file)) {
            case ChangedFile::keep_mine: break;
            case ChangedFile::save_as: return save_table();
            case ChangedFile::reload:
                reload_ = file;
                emit open_asked(file);
                return false;
            case ChangedFile::cancel: return false;
        }
    }
    const auto saved = runs_->document().save_table(file);
    if (saved)
        messages_->forget_changed_file();
    else
        say(QString::fromStdString(to_text(saved.error().front())), true);
    return saved.has_value();
}

bool MeasureWindow::save_fit() {
    const QString offered = QFileInfo(runs_->document().file()).completeBaseName() + QStringLiteral("-fit.json");
    const QString file =
        ask_where_to_save(this, tr("Save the fit"), offered, tr("Fits (*.json)"), QStringLiteral(".json"));
    return !file.isEmpty() && save_fit_to(file);
}

bool MeasureWindow::save_fit_to(const QString& file) {
    const FittedRunsPtr& fit = runs_->document().fit();
    if (!fit) return false;
    const auto saved = write_file(file.toStdString(), measure::fit_json(*fit));
    if (!saved) {
        say(QString::fromStdString(to_text(saved.error().front())), true);
    } else {
        runs_->document().fit_saved();
        say(tr("The fit was saved to %1.").arg(file), false);
    }
    return saved.has_value();
}

void MeasureWindow::save_calibration() {
    const QString offered = QString::fromStdString(calibration_->calibration().name) + QStringLiteral(".json");
    const QString file = ask_where_to_save(this, tr("Save the calibration"), offered, tr("Calibrations (*.json)"),
                                           QStringLiteral(".json"));
    if (!file.isEmpty()) save_calibration_to(file);
}

bool MeasureWindow::save_calibration_to(const QString& file) {
    if (!calibration_->made()) return false;
    const auto saved = write_file(file.toStdString(), formats::write_calibration(calibration_->calibration()));
    if (!saved) {
        say(QString::fromStdString(to_text(saved.error().front())), true);
    } else {
        calibration_->mark_saved();
        say(tr("The calibration was saved to %1.").arg(file), false);
    }
    return saved.has_value();
}

void MeasureWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) look_at_file();
}

/// Another window, or another program, may have written the table meanwhile.
void MeasureWindow::look_at_file() {
    if (!runs_->document().on_disk().changed()) return;
    const QString file = runs_->document().file();
    messages_->offer_changed_file(
        file, [this, file] { emit open_asked(file); },
        [this, file] {
            if (runs_->document().file() == file) runs_->document().keep_mine();
        },
        [this] { save_table(); });
}

void MeasureWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MeasureWindow::dropEvent(QDropEvent* event) {
    const auto urls = event->mimeData()->urls();
    if (urls.isEmpty()) return;
    event->acceptProposedAction();
    for (const QUrl& url : urls) emit open_asked(url.toLocalFile());
}

}  // namespace scalescope::ui
