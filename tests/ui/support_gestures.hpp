// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QUrl>
#include <algorithm>
#include <cstdint>
#include <random>
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
#include "ui/lessons/lesson_panel.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/validation_page.hpp"
#include "ui/search/search_window.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/main_window.hpp"

/// Random gestures on the real window, after each of which nothing that somebody made may be gone: one undo brings the
/// design back, or a question was asked.
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
    /// `folder` must be empty: the files that the gestures open and save are made in it.
    Gestures(MainWindow& window, const QString& folder, std::uint32_t seed);
    ~Gestures();

    /// One gesture, and what became of the design. Empty if nothing was lost, else a sentence.
    QString step();
    /// The gestures made last, the newest at the end.
    const QStringList& log() const { return log_; }
    /// Gestures after which another design, or another state of it, was open.
    int changes() const { return changes_; }
    int questions() const { return questions_; }

private:
    /// What somebody made, and would miss.
    struct Made {
        Scenario scenario;
        Pins pins;
        std::shared_ptr<const NetworkDraft> draft;
        QString file;
        bool operator==(const Made&) const = default;
    };
    Made made() const;
    QString difference(const Made& was, const Made& is) const;
    QString check(const Made& before, bool lesson_before, int index_before);
    QString check_file();

    QString gesture();
    QString edit_design();
    QString draw();
    QString run_command();
    QString replace_design();
    QString lesson();
    QString drop(const QString& what, bool as_text);
    QString history();

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
    MainWindow& window_;
    QString folder_;
    QStringList to_open_;  ///< files of every kind that the window reads
    std::mt19937 random_;
    QTimer answers_;
    QStringList log_;
    Made waiting_;  ///< what was open before the lesson
    int changes_ = 0, questions_ = 0;
    bool answering_ = false;
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

inline Gestures::Gestures(MainWindow& window, const QString& folder, std::uint32_t seed)
    : window_(window), folder_(folder), random_(seed) {
    const QDir here(folder);
    const auto write = [&](const char* name, const std::string& text) {
        const QString file = here.filePath(QLatin1String(name));
        if (!write_file(file.toStdString(), text)) qFatal("cannot write %s", name);
        to_open_ << file;
    };
    const formats::Library& library = window.library();
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
    const Document& d = window_.document();
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
    window_.finish_opening();
    QCoreApplication::processEvents();
}

/// Menus go, questions and dialogs are answered.
inline void Gestures::answer() {
    if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) return (void)menu->close();
    QWidget* modal = QApplication::activeModalWidget();
    if (!modal) return;
    if (auto* box = qobject_cast<QMessageBox*>(modal)) {
        ++questions_;
        const auto buttons = box->buttons();
        return any_of(buttons)->click();
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
    for (QWidget* w : QApplication::topLevelWidgets())
        if (w != &window_ && w->isVisible()) w->close();
    if (auto* dialog = window_.findChild<QDialog*>(); dialog && dialog->isVisible()) dialog->reject();
}

inline QString Gestures::link() {
    Scenario s = example_scenario(window_.library());
    s.name = "Pasted";
    s.cluster.workers = 1 + below(64);
    return QString::fromStdString(formats::to_link(s, window_.library()).value());
}

/// Lists of the panels, and fields as the command palette sets them.
inline QString Gestures::edit_design() {
    Document& d = window_.document();
    Commands all;
    if (one_in(2)) {
        add_choices(all, window_);
        std::erase_if(all, [](const Command& c) { return !c.enabled; });
    } else {
        const QString typed = QStringLiteral("%1 %2").arg(
            any_of(QStringList{QStringLiteral("workers"), QStringLiteral("batch"), QStringLiteral("efficiency")}),
            QString::number(1 + below(256)));
        all = setting_commands(typed, d, window_.library().catalogue);
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
    auto* canvas = window_.findChild<Canvas*>();
    if (!canvas->isVisible()) {
        for (QAction* a : window_.findChildren<QAction*>())
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
    add_actions(all, *window_.menuBar());
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
    drop_on(window_, brought);
    return QStringLiteral("drop %1").arg(what.left(60));
}

inline QString Gestures::replace_design() {
    const formats::Library& library = window_.library();
    switch (below(9)) {
        case 0: window_.reset_to_example(); return QStringLiteral("reset to the example");
        case 1: {
            const auto& preset = any_of(library.scenarios);
            window_.open_scenario_preset(plain(preset.id));
            return QStringLiteral("preset %1").arg(plain(preset.id));
        }
        case 2: {
            for (QAction* a : window_.findChildren<QAction*>(QStringLiteral("presets"))) a->trigger();
            auto* gallery = window_.findChild<GalleryDialog*>();
            const auto& preset = any_of(library.networks);
            emit gallery->chosen(GalleryDialog::Kind::network, plain(preset.id));
            return QStringLiteral("network %1 of the gallery").arg(plain(preset.id));
        }
        case 3: {
            QGuiApplication::clipboard()->setText(link());
            window_.findChild<QAction*>(QStringLiteral("pasteLink"))->trigger();
            return QStringLiteral("paste a scenario");
        }
        case 4: return drop(link(), true);
        case 5: return drop(any_of(to_open_), false);
        case 6: {
            const QString& file = any_of(to_open_);
            window_.open(file);
            return QStringLiteral("open %1").arg(file);
        }
        case 7: {
            Scenario found = window_.document().scenario();
            found.cluster.workers = 1 + below(64);
            window_.finder().document().load(found);
            return QStringLiteral("load what was found");
        }
        default: {
            Scenario published = example_scenario(library);
            emit window_.measurements().validation_page()->scenario_asked(published, QStringLiteral("Published"));
            return QStringLiteral("a published configuration");
        }
    }
}

inline QString Gestures::lesson() {
    LessonDesk& desk = window_.lessons();
    if (!desk.is_open() || one_in(4)) {
        const auto& preset = any_of(window_.library().lessons);
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
    QUndoStack& steps = window_.document().history();
    if (one_in(3)) {
        steps.redo();
        return QStringLiteral("redo");
    }
    steps.undo();
    return QStringLiteral("undo");
}

inline QString Gestures::gesture() {
    switch (below(20)) {
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
        case 18: {
            const QString file = QDir(folder_).filePath(QStringLiteral("saved-%1.json").arg(below(3)));
            window_.save_to(file);
            return QStringLiteral("save to %1").arg(file);
        }
        default: return history();
    }
}

/// One step of the history leads back, and forth again. A lesson puts aside what was open, and brings it back.
inline QString Gestures::check(const Made& before, bool lesson_before, int index_before) {
    const bool lesson_now = window_.lessons().is_open();
    if (lesson_now && !lesson_before) waiting_ = before;
    if (lesson_now) {
        const Document::Kept* kept = window_.lessons().waiting();
        if (!kept || !(kept->scenario() == waiting_.scenario) || !(kept->pins() == waiting_.pins) ||
            kept->file() != waiting_.file)
            return QStringLiteral("what the lesson put aside is not what was open");
    }
    if (lesson_now != lesson_before) {
        if (lesson_now) return {};
        // Something may have been opened in the place of what waited.
        const Made now = made();
        if (now == waiting_) return {};
        window_.document().history().undo();
        const QString gone = difference(waiting_, made());
        window_.document().history().redo();
        return gone.isEmpty() ? QString() : QStringLiteral("left the lesson, and lost: %1").arg(gone);
    }
    const Made now = made();
    if (now == before) return {};
    QUndoStack& steps = window_.document().history();
    if (steps.index() < index_before) return {};  // undone: redo leads back
    ++changes_;
    if (now.scenario == before.scenario && now.pins == before.pins && now.draft == before.draft) return {};  // saved as
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

/// A design without a dirty mark is what its file holds.
inline QString Gestures::check_file() {
    const Document& d = window_.document();
    if (d.dirty() || d.file().isEmpty() || d.draft() || window_.lessons().is_open()) return {};
    const auto text = read_file(d.file().toStdString());
    if (!text) return {};
    const auto held = formats::read_scenario(*text, d.file().toStdString(), window_.library());
    if (!held) return QStringLiteral("%1 cannot be read again").arg(d.file());
    const auto written = [&](const Scenario& s, const Pins& pins) {
        return formats::write_scenario(s, window_.library(), {}, pins);
    };
    if (written(held->scenario, held->pins) == written(d.scenario(), d.pins())) return {};
    return QStringLiteral("%1 does not hold what is open, which is not marked as changed").arg(d.file());
}

inline QString Gestures::step() {
    constexpr int remembered = 25;
    const Made before = made();
    const bool lesson_before = window_.lessons().is_open();
    const int index_before = window_.document().history().index(), asked_before = questions_;
    log_ << QStringLiteral("…");
    log_.last() = gesture();
    if (log_.size() > remembered) log_.removeFirst();
    settle();
    QString lost = check(before, lesson_before, index_before);
    if (questions_ > asked_before) lost.clear();
    if (lost.isEmpty() && one_in(10)) lost = check_file();
    close_other_windows();
    settle();
    return lost;
}

}  // namespace window_test
