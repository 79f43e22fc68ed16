// SPDX-License-Identifier: GPL-3.0-or-later
// Opening: files of every kind, presets, and scenarios as text. Read on another thread; the newest request wins.
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QUrl>
#include <utility>

#include "core/formats/onnx/onnx_import.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/words/configured.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/preferences/settings.hpp"
#include "ui/widgets/messages.hpp"
#include "ui/window/files.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/side_windows.hpp"

namespace scalescope::ui {

QString Files::pasted_name() { return tr("The pasted text"); }

void Files::open_preset(const QString& id) {
    const formats::Preset* preset = library_.find_scenario(id.toStdString());
    if (!preset) return;
    auto read = formats::read_scenario(preset->text, preset->file, library_);
    if (!read) return around_.show_problems(read.error(), told(preset->name), told(preset->text));
    const QString look_at = told(read->scenario.description);
    const QString name = told(read->scenario.name);
    // Pins stay: presets are what a design is compared with.
    if (replace({std::move(read->scenario), document_.pins()}, tr("Open %1").arg(name), read->view) &&
        !look_at.isEmpty())
        messages_.describe(look_at);
}

void Files::reset_to_example() { replace({example_scenario(library_), {}}, tr("Reset to example"), ""); }

void Files::ask_to_open() {
    const QString file = QFileDialog::getOpenFileName(
        &window_, tr("Open a scenario, a network, a lesson, a table, a trace or a calibration"), {},
        tr("Scenarios, networks, lessons, tables, traces and training configurations (*.json *.prototxt *.keras *.onnx "
           "*.csv *.gz *.sh *.slurm *.yaml *.yml *.toml *.py);;All files (*)"));
    if (!file.isEmpty()) open(file);
}

void Files::load(const QString& name, Loader::Reader reader, Loader::Done done) {
    loader_.load(name, std::move(reader), [this, done = std::move(done)](Result<OpenedFile> result) {
        done(std::move(result));
        if (!loader_.loading()) open_next();
    });
}

void Files::open(const QString& file) {
    if (formats::is_link(file.toStdString())) return open_link(file);
    waiting_files_.clear();
    opened_ = false;
    // What was read is kept for the problems view, which shows the lines at fault.
    auto text = std::make_shared<std::string>();
    auto reader = [file, text, &library = library_](const Watch& watch) -> Result<OpenedFile> {
        return open_file(file, library, *text, watch);
    };
    load(QFileInfo(file).fileName(), std::move(reader),
         [this, file, text](Result<OpenedFile> opened) { take(file, *text, std::move(opened)); });
}

void Files::take(const QString& file, const std::string& text, Result<OpenedFile> opened) {
    const QString path = QFileInfo(file).absoluteFilePath();
    if (!opened) {
        // A model's bytes have no lines to show.
        const bool lines = !formats::is_onnx_network(text) && text.find('\0') == std::string::npos;
        around_.show_problems(opened.error(), file, lines ? QString::fromStdString(text) : QString());
        Settings().remove_recent(path);
        return fill_recent();
    }
    const Problems warnings = std::move(opened->warnings);
    const QString trainer = opened->trainer;
    const auto others = opened->other_trainers;
    if (!show_opened(file, text, std::move(*opened))) return;
    opened_ = true;
    if (!trainer.isEmpty())
        offer_trainers(tr("%1 was read as a configuration of %2.").arg(QFileInfo(file).fileName(), trainer), file, text,
                       others);
    if (!warnings.empty()) around_.show_problems(warnings, file, {});
    Settings().add_recent(path);
    fill_recent();
}

bool Files::show_opened(const QString& file, const std::string& text, OpenedFile opened) {
    const QString path = QFileInfo(file).absoluteFilePath();
    if (opened.scenario)  // it takes the place of what waits, not of the lesson's
        return lessons_->replace_outside([&] {
            // A link and a configuration of a trainer are not files to save the scenario into.
            return replace({std::move(*opened.scenario), std::move(opened.pins),
                            is_scenario_text(text) ? FileOnDisk() : FileOnDisk(path, text)},
                           tr("Open %1").arg(QFileInfo(file).fileName()), opened.view);
        });
    around_.forget_problems();
    if (opened.trace)
        beside_.measurements().open_trace(std::move(opened.trace), file);
    else if (opened.fit)
        beside_.measurements().open_fit(std::move(opened.fit), file);
    else if (opened.runs)
        beside_.measurements().open_table(std::move(*opened.runs), std::move(opened.published), {file, text});
    else if (opened.calibration)
        beside_.use_calibration(std::move(opened.calibration));
    else if (opened.lesson)
        lessons_->open(std::move(*opened.lesson), path);
    else
        document_.edit(with_network(document_.scenario(), std::move(opened.network)));
    return true;
}

void Files::open_link(const QString& link) {
    waiting_files_.clear();
    opened_ = false;
    const std::string text = link.toStdString();
    auto reader = [text, &library = library_](const Watch& watch) -> Result<OpenedFile> {
        if (is_configured_scenario(text)) return open_configuration(text, pasted_name(), library);
        return opened_scenario(formats::from_link(text, library, watch));
    };
    load(pasted_name(), std::move(reader),
         [this, text](Result<OpenedFile> opened) { take_link(text, std::move(opened)); });
}

void Files::open_as(const QString& file, const std::string& text, const std::string& trainer) {
    const QString name = file.isEmpty() ? pasted_name() : QFileInfo(file).fileName();
    auto reader = [=, &library = library_](const Watch&) {
        return open_configuration(text, file.isEmpty() ? name : file, library, trainer);
    };
    load(name, std::move(reader), [=, this](Result<OpenedFile> opened) {
        file.isEmpty() ? take_link(text, std::move(opened)) : take(file, text, std::move(opened));
    });
}

/// Says as whose configuration a text was read, with a button for each other trainer that it could be for.
void Files::offer_trainers(const QString& sentence, const QString& file, const std::string& text,
                           const std::vector<formats::trainers::TrainerName>& trainers) {
    messages_.say(sentence);
    for (const auto& [id, title] : trainers)
        messages_.offer(tr("Read as %1").arg(QString::fromStdString(title)),
                        [this, file, text, id = id] { open_as(file, text, id); });
}

void Files::take_link(const std::string& text, Result<OpenedFile> opened) {
    if (!opened) return around_.show_problems(opened.error(), pasted_name(), {});
    const bool replaced = lessons_->replace_outside([&] {
        // A text that brings no pins is what the pinned designs are to be compared with.
        if (!replace({std::move(*opened->scenario), opened->pins.empty() ? document_.pins() : std::move(opened->pins)},
                     tr("Paste a scenario"), opened->view))
            return false;
        const QString said =
            tr("%1 was opened from the pasted text. It has not been saved to a file.").arg(document_.title());
        if (opened->trainer.isEmpty())
            messages_.say(said);
        else
            offer_trainers(tr("%1 It was read as a configuration of %2.").arg(said, opened->trainer), {}, text,
                           opened->other_trainers);
        return true;
    });
    if (!replaced) return;
    opened_ = true;
    if (!opened->warnings.empty()) around_.show_problems(opened->warnings, pasted_name(), {});
}

void Files::copy_link() {
    const auto link = formats::to_link(document_.scenario(), library_);
    if (!link) return messages_.say(told(to_text(link.error().front())), true);
    QGuiApplication::clipboard()->setText(QString::fromStdString(*link));
    const QString copied = tr("The scenario was copied as text (%L1 characters). Open it in another Scalescope with "
                              "Edit ▸ Paste a scenario, or pass it to a verb as SCENARIO.")
                               .arg(link->size());
    messages_.say(document_.draft() ? tr("%1 The drawing is not a valid network yet, so it was not copied.").arg(copied)
                                    : copied);
}

void Files::paste() { open_link(QGuiApplication::clipboard()->text()); }

bool Files::clipboard_has_link() { return is_scenario_text(QGuiApplication::clipboard()->text().toStdString()); }

bool Files::takes(const QMimeData& dropped) {
    return dropped.hasUrls() || is_scenario_text(dropped.text().toStdString());
}

void Files::open_dropped(const QMimeData& dropped) {
    if (const QString link = dropped.text(); is_scenario_text(link.toStdString())) return open_link(link);
    QStringList files;
    for (const QUrl& url : dropped.urls()) files << url.toLocalFile();
    open_all(files);
}

void Files::open_all(const QStringList& files) {
    waiting_files_ = files;
    if (!loader_.loading()) open_next();
}

void Files::open_next() {
    if (waiting_files_.isEmpty()) return;
    QStringList rest = waiting_files_;
    const QString file = rest.takeFirst();
    open(file);
    waiting_files_ = rest;
}

void Files::cancel_opening() {
    waiting_files_.clear();
    loader_.cancel();
}

bool Files::finish_opening() {
    while (loader_.loading()) loader_.finish();
    return opened_;
}

}  // namespace scalescope::ui
