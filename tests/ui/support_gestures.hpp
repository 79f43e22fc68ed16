// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QJsonDocument>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QUrl>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/network/kinds/kinds.hpp"
#include "support_drops.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/commands/command_sources.hpp"
#include "ui/gallery/gallery_dialog.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/lesson_document.hpp"
#include "ui/lessons/lesson_editor.hpp"
#include "ui/lessons/lesson_panel.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/validation_page.hpp"
#include "ui/search/search_window.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/main_window.hpp"

/// Random gestures on the real window, after each of which nothing that somebody made may be gone: one undo brings the
/// design back, or a question was asked and not answered by Cancel. Tables and lessons that are written are looked
/// after too, and the program ends and starts again now and then.
namespace window_test {

using namespace scalescope;
using namespace scalescope::ui;

/// How many gestures a run makes and where it begins: SCALESCOPE_GESTURES and SCALESCOPE_SEED of the environment.
struct GestureRun {
    int count = 200;
    std::uint32_t seed = 1;
    static GestureRun from_environment();
};

/// Makes one gesture after the other. Dialogs that come up are answered at random: questions by any of their buttons,
/// file dialogs by a file of `folder` or not at all.
class Gestures final {
public:
    /// `folder` must be empty: the files that the gestures open and save are made in it. `window` keeps its sessions in
    /// `sessions`, and is another one after a restart.
    Gestures(std::unique_ptr<MainWindow>& window, const QString& folder, const QString& sessions, std::uint32_t seed);
    ~Gestures();

    /// One gesture, and what became of the design. Empty if nothing was lost, else a sentence.
    QString step();
    /// The gestures made last, the newest at the end.
    const QStringList& log() const { return log_; }
    /// Gestures after which another design, or another state of it, was open.
    int changes() const { return changes_; }
    int questions() const { return questions_; }
    int restarts() const { return restarts_; }

private:
    /// What somebody made, and would miss.
    struct Made {
        Scenario scenario;
        Pins pins;
        std::shared_ptr<const NetworkDraft> draft;
        QString file;
        bool operator==(const Made&) const = default;
    };
    /// What somebody made in the windows beside: null where nothing is unsaved.
    struct Beside {
        std::shared_ptr<const measure::RunSheet> table;
        std::shared_ptr<const lessons::Lesson> lesson;
    };
    Made made() const;
    Beside beside() const;
    RunsDocument* runs() const;
    LessonDocument* written() const;
    std::optional<QString> open_lesson() const;
    QString difference(const Made& was, const Made& is) const;
    QString check(const Made& before, const std::optional<QString>& lesson_before, int index_before);
    QString check_beside(const Beside& before);
    QString check_file();
    std::string kept_text(const Scenario& scenario, const Pins& pins,
                          const std::shared_ptr<const NetworkDraft>& draft) const;

    QString gesture();
    QString edit_design();
    QString draw();
    QString run_command();
    QString replace_design();
    QString lesson();
    QString drop(const QString& what, bool as_text);
    QString history();
    QString edit_table();
    QString write_lesson();
    QString restart(bool killed);

    void answer();
    void close_other_windows();
    void settle();
    int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
    bool one_in(int count) { return below(count) == 0; }
    template <class C>
    const auto& any_of(const C& all) {
        return all[static_cast<typename C::size_type>(below(static_cast<int>(all.size())))];
    }
    QString link();

    static constexpr const char* schemes[] = {"http", "https", "file", "mailto"};
    MainWindow& window() const { return *window_; }

    std::unique_ptr<MainWindow>& window_;
    QString folder_, sessions_;
    QStringList to_open_;  ///< files of every kind that the window reads
    std::mt19937 random_;
    QTimer answers_;
    QStringList log_;
    Made waiting_;  ///< what was open before the lesson
    int changes_ = 0, questions_ = 0, restarts_ = 0;
    int consents_ = 0;  ///< questions that were not answered by Cancel
    bool answering_ = false;
    std::optional<QString> lost_by_restart_;
};

inline GestureRun GestureRun::from_environment() {
    GestureRun run;
    bool is_number = false;
    if (const int count = qEnvironmentVariableIntValue("SCALESCOPE_GESTURES", &is_number); is_number && count > 0)
        run.count = count;
    if (const int seed = qEnvironmentVariableIntValue("SCALESCOPE_SEED", &is_number); is_number)
        run.seed = static_cast<std::uint32_t>(seed);
    return run;
}

inline Gestures::Gestures(std::unique_ptr<MainWindow>& window, const QString& folder, const QString& sessions,
                          std::uint32_t seed)
    : window_(window), folder_(folder), sessions_(sessions), random_(seed) {
    const QDir here(folder);
    const auto write = [&](const char* name, const std::string& text) {
        const QString file = here.filePath(QLatin1String(name));
        if (!write_file(file.toStdString(), text)) qFatal("cannot write %s", name);
        to_open_ << file;
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

inline Gestures::~Gestures() {
    for (const char* scheme : schemes) QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
}

inline Gestures::Made Gestures::made() const {
    const Document& d = window().document();
    return {d.scenario(), d.pins(), d.draft(), d.file()};
}

inline QString Gestures::difference(const Made& was, const Made& is) const {
    QStringList all;
    if (!(was.scenario == is.scenario)) all << QStringLiteral("the scenario");
    if (!(was.pins == is.pins)) all << QStringLiteral("the pins");
    if (was.draft != is.draft) all << QStringLiteral("the drawing");
    if (was.file != is.file) all << QStringLiteral("the file");
    return all.join(QStringLiteral(", "));
}

inline void Gestures::settle() {
    QCoreApplication::processEvents();
    window().finish_opening();
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents();
}

/// Menus go, questions and dialogs are answered.
inline void Gestures::answer() {
    if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) return (void)menu->close();
    QWidget* modal = QApplication::activeModalWidget();
    if (!modal) return;
    if (auto* box = qobject_cast<QMessageBox*>(modal)) {
        ++questions_;
        const auto buttons = box->buttons();
        QAbstractButton* button = any_of(buttons);
        if (box->buttonRole(button) != QMessageBox::RejectRole) ++consents_;
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
                      ? any_of(to_open_)
                      : QDir(folder_).filePath(QStringLiteral("saved-%1.json").arg(below(3))));
    QMetaObject::invokeMethod(files, "accept");
}

inline void Gestures::close_other_windows() {
    std::vector<QPointer<QWidget>> all;  // one that closes may take others with it
    for (QWidget* w : QApplication::topLevelWidgets()) all.emplace_back(w);
    for (const auto& w : all)
        if (w && w != &window() && w->isVisible()) w->close();
    if (auto* dialog = window().findChild<QDialog*>(); dialog && dialog->isVisible()) dialog->reject();
}

inline QString Gestures::link() {
    Scenario s = example_scenario(window().library());
    s.name = "Pasted";
    s.cluster.workers = 1 + below(64);
    return QString::fromStdString(formats::to_link(s, window().library()).value());
}

/// Lists of the panels, and fields as the command palette sets them.
inline QString Gestures::edit_design() {
    Document& d = window().document();
    Commands all;
    if (one_in(2)) {
        add_choices(all, window());
        std::erase_if(all, [](const Command& c) { return !c.enabled; });
    } else {
        const QString typed = QStringLiteral("%1 %2").arg(
            any_of(QStringList{QStringLiteral("workers"), QStringLiteral("batch"), QStringLiteral("efficiency")}),
            QString::number(1 + below(256)));
        all = setting_commands(typed, d, window().library().catalogue);
        std::erase_if(all, [](const Command& c) { return !c.enabled; });
    }
    if (one_in(4)) {
        d.pin();
        return QStringLiteral("pin");
    }
    if (one_in(8) && !d.pins().empty()) {
        d.swap_with_pin(static_cast<std::size_t>(below(static_cast<int>(d.pins().size()))));
        return QStringLiteral("swap with a pin");
    }
    if (all.empty()) return QStringLiteral("nothing to set");
    const Command& c = any_of(all);
    c.run();
    return QStringLiteral("set %1 (%2)").arg(c.title, c.id);
}

inline QString Gestures::draw() {
    auto* canvas = window().findChild<Canvas*>();
    if (!canvas->isVisible()) {
        for (QAction* a : window().findChildren<QAction*>())
            if (a->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_G)) a->trigger();
        return QStringLiteral("show the canvas");
    }
    const auto boxes = canvas->scene().boxes();
    if (!boxes.empty() && one_in(2)) {
        const auto& layers = canvas->scene().sketch()->layers;
        if (!layers.empty()) canvas->scene().select({any_of(layers).name});
        if (one_in(2)) {
            canvas->editor().remove_selected();
            return QStringLiteral("delete a layer");
        }
        if (one_in(2)) {
            canvas->editor().duplicate_selected();
            return QStringLiteral("duplicate a layer");
        }
        canvas->editor().cut_selected();
        return QStringLiteral("cut a layer");
    }
    if (one_in(4)) {
        canvas->editor().paste();
        return QStringLiteral("paste onto the canvas");
    }
    const auto kinds = all_kinds();
    canvas->editor().insert(*kinds[static_cast<std::size_t>(below(static_cast<int>(kinds.size())))]);
    return QStringLiteral("insert a layer");
}

/// Every action of every menu but those that end the program or need a printer; the palette walks the same.
inline QString Gestures::run_command() {
    Commands all;
    add_actions(all, *window().menuBar());
    std::erase_if(all, [](const Command& c) {
        return !c.enabled || c.keys == QKeySequence(QKeySequence::Quit).toString(QKeySequence::NativeText) ||
               c.keys == QKeySequence(QKeySequence::Print).toString(QKeySequence::NativeText) ||
               c.id.contains(QLatin1String("▸ undo")) || c.id.contains(QLatin1String("▸ redo"));
    });
    // Other colours and sizes take a second each, and touch no design.
    if (!one_in(10))
        std::erase_if(all, [](const Command& c) {
            return c.place.contains(QLatin1String("Appearance")) || c.id.endsWith(QLatin1String("present"));
        });
    const Command& c = any_of(all);
    c.run();
    return c.id;
}

inline QString Gestures::drop(const QString& what, bool as_text) {
    QMimeData brought;
    if (as_text)
        brought.setText(what);
    else
        brought.setUrls({QUrl::fromLocalFile(what)});
    drop_on(window(), brought);
    return QStringLiteral("drop %1").arg(what.left(60));
}

inline QString Gestures::replace_design() {
    const formats::Library& library = window().library();
    switch (below(9)) {
        case 0: window().reset_to_example(); return QStringLiteral("reset to the example");
        case 1: {
            const auto& preset = any_of(library.scenarios);
            window().open_scenario_preset(plain(preset.id));
            return QStringLiteral("preset %1").arg(plain(preset.id));
        }
        case 2: {
            for (QAction* a : window().findChildren<QAction*>(QStringLiteral("presets"))) a->trigger();
            auto* gallery = window().findChild<GalleryDialog*>();
            const auto& preset = any_of(library.networks);
            emit gallery->chosen(GalleryDialog::Kind::network, plain(preset.id));
            return QStringLiteral("network %1 of the gallery").arg(plain(preset.id));
        }
        case 3: {
            QGuiApplication::clipboard()->setText(link());
            window().findChild<QAction*>(QStringLiteral("pasteLink"))->trigger();
            return QStringLiteral("paste a scenario");
        }
        case 4: return drop(link(), true);
        case 5: return drop(any_of(to_open_), false);
        case 6: {
            const QString& file = any_of(to_open_);
            window().open(file);
            return QStringLiteral("open %1").arg(file);
        }
        case 7: {
            Scenario found = window().document().scenario();
            found.cluster.workers = 1 + below(64);
            window().finder().document().load(found);
            return QStringLiteral("load what was found");
        }
        default: {
            Scenario published = example_scenario(library);
            emit window().measurements().validation_page()->scenario_asked(published, QStringLiteral("Published"));
            return QStringLiteral("a published configuration");
        }
    }
}

inline QString Gestures::lesson() {
    LessonDesk& desk = window().lessons();
    if (!desk.is_open() || one_in(4)) {
        const auto& preset = any_of(window().library().lessons);
        desk.open_shipped(plain(preset.id), one_in(2));
        return QStringLiteral("open the lesson %1").arg(plain(preset.id));
    }
    switch (below(4)) {
        case 0: desk.panel()->go_on(); return QStringLiteral("next step of the lesson");
        case 1: desk.panel()->go_back(); return QStringLiteral("step before of the lesson");
        case 2: desk.reset_step(); return QStringLiteral("back to how the step begins");
        default: desk.leave(); return QStringLiteral("leave the lesson");
    }
}

inline QString Gestures::history() {
    QUndoStack& steps = window().document().history();
    if (one_in(3)) {
        steps.redo();
        return QStringLiteral("redo");
    }
    steps.undo();
    return QStringLiteral("undo");
}

inline QString Gestures::gesture() {
    switch (below(23)) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4: return edit_design();
        case 5:
        case 6:
        case 7:
        case 8: return draw();
        case 9:
        case 10:
        case 11:
        case 12: return run_command();
        case 13:
        case 14:
        case 15:
        case 16: return replace_design();
        case 17: return lesson();
        case 19: return edit_table();
        case 20: return write_lesson();
        case 21: return one_in(2) ? restart(one_in(2)) : edit_design();
        case 18: {
            const QString file = QDir(folder_).filePath(QStringLiteral("saved-%1.json").arg(below(3)));
            window().save_to(file);
            return QStringLiteral("save to %1").arg(file);
        }
        default: return history();
    }
}

inline RunsDocument* Gestures::runs() const {
    auto* measure = window().findChild<MeasureWindow*>();
    return measure ? &measure->runs_page()->document() : nullptr;
}

inline LessonDocument* Gestures::written() const {
    auto* editor = window().findChild<LessonEditor*>();
    return editor ? &editor->document() : nullptr;
}

inline std::optional<QString> Gestures::open_lesson() const {
    const LessonDesk& desk = window().lessons();
    return desk.is_open() ? std::optional(desk.key()) : std::nullopt;
}

inline Gestures::Beside Gestures::beside() const {
    Beside now;
    if (const RunsDocument* table = runs(); table && table->dirty()) now.table = table->state().sheet;
    if (const LessonDocument* lesson = written(); lesson && lesson->dirty())
        now.lesson = std::make_shared<const lessons::Lesson>(lesson->lesson());
    return now;
}

/// A cell of a table of runs.
inline QString Gestures::edit_table() {
    RunsDocument& table = window().measurements().runs_page()->document();
    if (table.empty()) {
        window().open(QDir(folder_).filePath(QStringLiteral("runs.csv")));
        return QStringLiteral("open a table");
    }
    const int row = below(static_cast<int>(table.sheet().rows()));
    table.set_cell(static_cast<std::size_t>(row), 0, QString::number(1 + below(64)));
    return QStringLiteral("edit row %1 of the table").arg(row);
}

/// The title of a lesson that is being written.
inline QString Gestures::write_lesson() {
    LessonEditor& editor = window().lessons().editor();
    if (!editor.isVisible()) window().findChild<QAction*>(QStringLiteral("newLesson"))->trigger();
    lessons::Lesson next = editor.document().lesson();
    next.title = "Lesson " + std::to_string(below(1000));
    const std::string title = next.title;
    editor.document().edit(std::move(next), QStringLiteral("title"));
    return QStringLiteral("write the title %1").arg(plain(title));
}

/// As it comes back from a session: a drawing by its layers, since open inputs have no name in a text.
inline std::string Gestures::kept_text(const Scenario& scenario, const Pins& pins,
                                       const std::shared_ptr<const NetworkDraft>& draft) const {
    std::string text = formats::write_scenario(scenario, window().library(), {}, pins);
    if (draft) {
        text += "\ndrawn: " + draft->name;
        for (const Layer& l : draft->layers) text += ' ' + l.name;
    }
    return text;
}

/// The program ends, by itself or not, and starts again: what was open is open then.
inline QString Gestures::restart(bool killed) {
    const auto state = [this] {
        const Document& d = window().document();
        std::pair<std::string, std::string> own_and_lesson;
        const std::string open = kept_text(d.scenario(), d.pins(), d.draft());
        if (const Document::Kept* own = window().lessons().waiting())
            own_and_lesson = {kept_text(own->scenario(), own->pins(), own->draft()), open};
        else
            own_and_lesson = {open, {}};
        return own_and_lesson;
    };
    const auto before = state();
    const Beside beside_before = beside();
    const int consents_before = consents_;
    if (!killed && !window().close()) return QStringLiteral("quit, and stay");
    window_ = std::make_unique<MainWindow>(sessions_);
    window().start();
    window().finish_opening();
    window().resize(1440, 900);
    window().QWidget::show();
    settle();
    ++restarts_;
    lost_by_restart_ = QString();
    const auto after = state();
    if (after.first != before.first) lost_by_restart_ = QStringLiteral("the restart lost the design");
    if (after.second != before.second) lost_by_restart_ = QStringLiteral("the restart lost the work in the lesson");
    if (consents_ == consents_before) {
        if (beside_before.table && (!runs() || !(runs()->sheet() == *beside_before.table)))
            lost_by_restart_ = QStringLiteral("the restart lost the table");
        // Blanks in the scenarios of a lesson are no part of it.
        const auto text = [](const lessons::Lesson& lesson) {
            return QJsonDocument::fromJson(QByteArray::fromStdString(lessons::write_lesson(lesson)));
        };
        if (beside_before.lesson && (!written() || text(written()->lesson()) != text(*beside_before.lesson)))
            lost_by_restart_ = QStringLiteral("the restart lost the lesson that is written");
    }
    if (window().lessons().is_open()) {
        const Document::Kept& own = *window().lessons().waiting();
        waiting_ = {own.scenario(), own.pins(), own.draft(), own.file()};
    }
    return killed ? QStringLiteral("kill the window and start again") : QStringLiteral("quit and start again");
}

/// One step of the history leads back, and forth again. A lesson puts aside what was open, and brings it back; the work
/// in it is a click away when it was left.
inline QString Gestures::check(const Made& before, const std::optional<QString>& lesson_before, int index_before) {
    LessonDesk& desk = window().lessons();
    const auto lesson_now = open_lesson();
    if (lesson_now && !lesson_before) waiting_ = before;
    if (lesson_now) {
        const Document::Kept* kept = desk.waiting();
        if (!kept || !(Made{kept->scenario(), kept->pins(), kept->draft(), kept->file()} == waiting_))
            return QStringLiteral("what the lesson put aside is not what was open");
    }
    if (lesson_before && lesson_now != lesson_before) {
        const Made now = made();
        desk.come_back(*lesson_before);
        if (open_lesson() != lesson_before) return QStringLiteral("no way back to the lesson that was left");
        const QString gone = difference(before, made());
        if (lesson_now)
            desk.come_back(*lesson_now);
        else
            desk.set_aside();
        if (!gone.isEmpty()) return QStringLiteral("the lesson that was left lost: %1").arg(gone);
        const QString wrong = difference(now, made());
        if (!wrong.isEmpty()) return QStringLiteral("a look into the lesson changed: %1").arg(wrong);
    }
    QUndoStack& steps = window().document().history();
    const Made now = made();
    if (lesson_now != lesson_before) {
        if (lesson_now) return {};
        // Something may have been opened in the place of what waited.
        if (now == waiting_) return {};
        steps.undo();
        const QString gone = difference(waiting_, made());
        steps.redo();
        const QString wrong = difference(now, made());
        if (!wrong.isEmpty()) return QStringLiteral("redo does not bring back %1").arg(wrong);
        return gone.isEmpty() ? QString() : QStringLiteral("left the lesson, and lost: %1").arg(gone);
    }
    if (steps.count() < index_before) return QStringLiteral("the history is gone");
    if (now == before) return {};
    if (const int index = steps.index(); index < index_before) {  // undone: redo leads back
        steps.setIndex(index_before);
        const QString gone = difference(before, made());
        steps.setIndex(index);
        const QString wrong = difference(now, made());
        if (!gone.isEmpty()) return QStringLiteral("redo does not bring back %1").arg(gone);
        return wrong.isEmpty() ? QString() : QStringLiteral("undo does not bring back %1").arg(wrong);
    }
    ++changes_;
    if (now.scenario == before.scenario && now.pins == before.pins && now.draft == before.draft) return {};  // saved as
    // Nothing was made in a lesson without a history: opened again, it may begin at another step.
    if (lesson_now && index_before == 0 && steps.count() == 0) return {};
    if (steps.index() == 0) return QStringLiteral("no undo; changed: %1").arg(difference(before, now));
    steps.undo();
    // Where it was saved is where it is saved, whatever is undone.
    Made undone = made();
    const QString gone = difference(before, undone);
    steps.redo();
    const QString wrong = difference(now, made());
    if (!gone.isEmpty()) return QStringLiteral("undo does not bring back %1").arg(gone);
    if (!wrong.isEmpty()) return QStringLiteral("redo does not bring back %1").arg(wrong);
    return {};
}

/// Tables and lessons that were not saved are there, or an undo step away.
inline QString Gestures::check_beside(const Beside& before) {
    if (before.table) {
        RunsDocument* table = runs();
        const auto same = [&] { return table && table->sheet() == *before.table; };
        if (!same()) {
            if (!table) return QStringLiteral("the table is gone");
            table->history().undo();
            const bool back = same();
            table->history().redo();
            if (!back) return QStringLiteral("undo does not bring back the table");
        }
    }
    if (before.lesson) {
        LessonDocument* lesson = written();
        const auto same = [&] { return lesson && lesson->lesson() == *before.lesson; };
        if (!same()) {
            if (!lesson) return QStringLiteral("the lesson that is written is gone");
            lesson->history().undo();
            const bool back = same();
            lesson->history().redo();
            if (!back) return QStringLiteral("undo does not bring back the lesson that is written");
        }
    }
    return {};
}

/// A design without a dirty mark is what its file holds.
inline QString Gestures::check_file() {
    const Document& d = window().document();
    if (d.dirty() || d.file().isEmpty() || d.draft() || window().lessons().is_open()) return {};
    // An export may have been written over it, with consent: the window says so when it is active again.
    if (d.on_disk().changed()) return {};
    const auto text = read_file(d.file().toStdString());
    if (!text) return {};
    const auto held = formats::read_scenario(*text, d.file().toStdString(), window().library());
    if (!held) return QStringLiteral("%1 cannot be read again").arg(d.file());
    const auto written = [&](const Scenario& s, const Pins& pins) {
        return formats::write_scenario(s, window().library(), {}, pins);
    };
    if (written(held->scenario, held->pins) == written(d.scenario(), d.pins())) return {};
    return QStringLiteral("%1 does not hold what is open, which is not marked as changed").arg(d.file());
}

inline QString Gestures::step() {
    constexpr int remembered = 25;
    const Made before = made();
    const Beside beside_before = beside();
    const auto lesson_before = open_lesson();
    const int index_before = window().document().history().index(), consents_before = consents_;
    log_ << QStringLiteral("…");
    log_.last() = gesture();
    if (log_.size() > remembered) log_.removeFirst();
    settle();
    QString lost;
    if (lost_by_restart_) {
        lost = *std::exchange(lost_by_restart_, std::nullopt);
    } else {
        lost = check(before, lesson_before, index_before);
        if (lost.isEmpty()) lost = check_beside(beside_before);
        // Who was asked, and did not cancel, may have given it up.
        if (consents_ > consents_before) lost.clear();
    }
    if (lost.isEmpty() && one_in(10)) lost = check_file();
    const Beside beside_now = beside();
    const int consents_now = consents_;
    close_other_windows();
    settle();
    if (lost.isEmpty()) lost = check_beside(beside_now);
    if (consents_ > consents_now) lost.clear();
    return lost;
}

}  // namespace window_test
