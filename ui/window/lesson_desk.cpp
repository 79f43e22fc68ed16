// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lesson_desk.hpp"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <algorithm>
#include <utility>

#include "core/formats/scenario_json.hpp"
#include "core/lessons/beginning.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/scenario/fields.hpp"
#include "ui/design/field_controls.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/lesson_editor.hpp"
#include "ui/lessons/lesson_language.hpp"
#include "ui/lessons/lesson_list.hpp"
#include "ui/lessons/lesson_panel.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/lessons/lesson_session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/lesson_stage.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/presentation.hpp"
#include "ui/window/view_state.hpp"

namespace scalescope::ui {
namespace {

const QString key_key = QStringLiteral("lesson"), file_key = QStringLiteral("text"), step_key = QStringLiteral("step"),
              scenario_key = QStringLiteral("scenario");

}  // namespace

LessonDesk::LessonDesk(MainWindow& window) : QObject(&window), window_(window) {
    panel_ = new LessonPanel;
    dock_ = new DockCard(tr("Lesson"), QStringLiteral("lessonDock"), &window);
    dock_->body()->set_bottom_margin(0);
    dock_->body()->add_wide(panel_, 1, 0);
    dock_->setMinimumWidth(space::lesson_width);
    dock_->title_row()->show_buttons(false, false);  // a lesson that is closed is left
    auto* leave_button = make_icon_button("close", tr("Leave the lesson and return to your own work"));
    leave_button->setObjectName(QStringLiteral("leaveLesson"));
    auto* reset = make_icon_button("reset", tr("Back to how this step begins"));
    reset->setObjectName(QStringLiteral("resetStep"));
    dock_->title_row()->add_widget(reset);
    dock_->title_row()->add_widget(leave_button);
    window.addDockWidget(Qt::RightDockWidgetArea, dock_);
    dock_->hide();
    stage_ = std::make_unique<LessonStage>(window, *dock_);
    presentation_ = std::make_unique<Presentation>(window, *this);
    connect(leave_button, &QAbstractButton::clicked, this, &LessonDesk::leave);
    connect(reset, &QAbstractButton::clicked, this, &LessonDesk::reset_step);
    connect(panel_, &LessonPanel::finished, this, &LessonDesk::finish);
    connect(&window, &MainWindow::updated, this, &LessonDesk::follow_result);
}

/// Before the window's library goes: what works out a lesson's figures reads it.
LessonDesk::~LessonDesk() {
    delete written_;
    delete editor_;
}

void LessonDesk::fill_menu(QMenu& menu) {
    const auto add = [&](const QString& title, const QKeySequence& keys, const char* name, auto slot) {
        QAction* action = menu.addAction(title);
        action->setShortcut(keys);
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, this, slot);
        return action;
    };
    add(tr("&All lessons…"), QKeySequence(Qt::CTRL | Qt::Key_L), "allLessons", [this] { show_list(); });
    resume_action_ = add(tr("&Go on where I was"), {}, "resumeLesson", [this] {
        if (left_.count(last_left_) > 0) return come_back();
        if (const QString last = last_key(); !last.isEmpty()) open_shipped(last);
    });
    write_action_ = add(tr("&Write a lesson from this scenario…"), {}, "newLesson", [this] { write_new(); });
    menu.addSeparator();
    next_action_ =
        add(tr("&Next step"), QKeySequence(Qt::ALT | Qt::Key_PageDown), "nextStep", [this] { panel_->go_on(); });
    back_action_ =
        add(tr("&Step before"), QKeySequence(Qt::ALT | Qt::Key_PageUp), "stepBefore", [this] { panel_->go_back(); });
    reset_action_ = add(tr("&Back to how this step begins"), {}, "resetStepAction", [this] { reset_step(); });
    leave_action_ = add(tr("&Leave the lesson"), {}, "leaveLessonAction", [this] { leave(); });
    menu.addSeparator();
    present_action_ = add(tr("&Present"), QKeySequence(Qt::Key_F11), "present",
                          [this] { presentation_->set_on(present_action_->isChecked()); });
    present_action_->setCheckable(true);
    present_action_->setToolTip(tr("Full screen with large type and a highlighted pointer (F11; Escape leaves it)"));
    connect(presentation_.get(), &Presentation::changed, present_action_, &QAction::setChecked);
    connect(&menu, &QMenu::aboutToShow, this, &LessonDesk::update_actions);
    update_actions();
}

QString LessonDesk::last_key() const { return window_.settings().last_lesson(); }

void LessonDesk::update_actions() {
    for (QAction* action : {leave_action_, reset_action_, next_action_, back_action_}) action->setEnabled(is_open());
    if (is_open()) back_action_->setEnabled(run_->step() > 0);
    write_action_->setText(editor_ && editor_->isVisible() ? tr("&Back to the lesson you are writing")
                                                           : tr("&Write a lesson from this scenario…"));
    const QString last = last_key();
    const formats::Preset* preset = last.isEmpty() ? nullptr : window_.library().find_lesson(last.toStdString());
    const auto left = left_.find(last_left_);
    const QString title = left != left_.end() ? plain(left->second.run->lesson().title)
                          : preset            ? title_in_language(*preset)
                                              : QString();
    resume_action_->setEnabled(!is_open() && !title.isEmpty());
    resume_action_->setText(resume_action_->isEnabled() ? tr("&Go on with “%1”").arg(title) : tr("&Go on where I was"));
}

void LessonDesk::show_list() {
    if (!list_) {
        list_ = new LessonList(window_.library(), window_.settings(), &window_);
        list_->setAttribute(Qt::WA_DeleteOnClose);
        connect(list_, &LessonList::chosen, this, &LessonDesk::open_shipped);
        connect(list_, &LessonList::file_asked, &window_.files(), &Files::ask_to_open);
    }
    bring_forward(*list_);
}

LessonEditor& LessonDesk::editor() {
    if (editor_) return *editor_;
    LessonEditor::Surroundings around;
    around.library = &window_.library();
    around.scenario = [this] { return window_.document().scenario(); };
    const QString own_folder = window_.beside().own_folder();
    if (!own_folder.isEmpty()) around.folder = QDir(own_folder).filePath(QStringLiteral("lessons"));
    for (const auto& [id, chart] : window_.charts())
        around.charts.push_back(combo_item(
            id, id.startsWith(QLatin1String("cpu-")) ? tr("%1 (CPU cluster)").arg(chart->title()) : chart->title()));
    // A control may serve several fields: the first of them names it.
    for (const auto& [path, control] : field_controls())
        if (const Field* field = find_field(path.toStdString()))
            around.places.push_back(combo_item(path, told_word(field->label), told(field->text)));
    for (const auto& [panel, title] :
         {std::pair{"network", tr("Panel: network")}, std::pair{"cluster", tr("Panel: cluster")},
          std::pair{"model", tr("Panel: model")}, std::pair{"workers", tr("Panel: workers and strategy")},
          std::pair{"why", tr("Panel: why")}, std::pair{"numbers", tr("Panel: numbers")},
          std::pair{"layer-table", tr("Layer table")}, std::pair{"canvas", tr("Canvas")}})
        around.places.push_back(combo_item(QLatin1String(panel), title));
    editor_ = new LessonEditor(std::move(around), &window_);
    connect(editor_, &LessonEditor::try_asked, this, [this](const lessons::Lesson& lesson, int step) {
        open(lesson, {});
        if (!is_open()) return;
        tried_ = true;
        run_->go_to(step);
        window_.raise();
        window_.activateWindow();
    });
    connect(editor_, &LessonEditor::saved, this, [this, own_folder](const QString& file) {
        if (own_folder.isEmpty()) return;
        const QDir own(QDir(own_folder).filePath(QStringLiteral("lessons")));
        if (QFileInfo(file).dir() != own) return;
        formats::take_own_lesson(window_.library(), own.filePath(QFileInfo(file).fileName()).toStdString());
        if (list_) list_->fill(window_.library(), window_.settings());
    });
    if (const QString folder = window_.files().session_folder(); !folder.isEmpty())
        written_ = new LessonSession(editor_->document(), folder, this);
    return *editor_;
}

void LessonDesk::restore_editor() {
    const QString folder = window_.files().session_folder();
    if (folder.isEmpty()) return;
    QStringList unreadable;
    auto kept = LessonSession::take_left_behind(folder, window_.library(), unreadable);
    if (!unreadable.isEmpty())
        window_.messages().say(tr("An unsaved lesson could not be read. The file was kept as %1.")
                                   .arg(unreadable.join(QStringLiteral(", "))),
                               true);
    if (!kept) return;
    const QString title = plain(kept->lesson.title);
    editor().recover(std::move(kept->lesson), kept->file);
    written_->session().flush();
    show_editor();
    if (!unreadable.isEmpty()) return;
    const QString said = tr("Your unsaved lesson “%1” has been reopened.").arg(title);
    window_.messages().say(kept->waiting == 0
                               ? said
                               : said + QLatin1Char(' ') +
                                     tr("Another unsaved lesson will be reopened the next time Scalescope starts."));
}

void LessonDesk::write_new() {
    if (!editor().isVisible()) editor().start();
    show_editor();
}

void LessonDesk::show_editor() { bring_forward(editor()); }

void LessonDesk::open_shipped(const QString& id, bool from_start) {
    const formats::Preset* preset = window_.library().find_lesson(id.toStdString());
    if (!preset) return;
    auto lesson = read_lesson_in_language(*preset, window_.library());
    if (!lesson) return window_.show_problems(lesson.error(), plain(preset->name), plain(preset->text));
    open(std::move(*lesson), plain(preset->id), from_start);
}

void LessonDesk::open(lessons::Lesson lesson, const QString& key, bool from_start) {
    if (lesson.steps.empty() || (is_open() && !leave())) return;
    window_.forget_problems();
    window_.end_tour();
    put_document_aside(key);
    text_ = key.isEmpty() || !window_.library().find_lesson(key.toStdString()) ? lessons::write_lesson(lesson)
                                                                               : std::string();
    begin(std::move(lesson), key, from_start);
    const bool again = window_.document().history().index() > 0;
    enter_step();
    if (again) window_.messages().say(tr("Undo restores your earlier work in this lesson."));
}

/// What was done in the lesson of that key before is in the history of the document that takes its place.
void LessonDesk::put_document_aside(const QString& key) {
    kept_view_ = window_.view_json();
    kept_page_ = window_.page();
    kept_ = window_.document().put_aside();
    if (auto left = left_.extract(key)) window_.document().bring_back(std::move(left.mapped().document));
}

/// The panel and the stage; the scenario is not touched.
void LessonDesk::begin(lessons::Lesson lesson, const QString& key, bool from_start) {
    key_ = key;
    last_step_ = -1;
    LessonMark mark = key.isEmpty() ? LessonMark{} : window_.settings().lesson_mark(key);
    if (from_start || mark.step + 1 >= static_cast<int>(lesson.steps.size())) mark.step = 0;
    run_ = std::make_unique<LessonRun>(std::move(lesson), window_.library().catalogue, mark);
    connect(run_.get(), &LessonRun::step_changed, this, &LessonDesk::enter_step);
    connect(run_.get(), &LessonRun::mark_changed, this, &LessonDesk::keep_mark);
    show_run();
}

void LessonDesk::show_run() {
    panel_->set_run(run_.get());
    dock_->title_row()->set_title(plain(run_->lesson().title));
    stage_->begin();
    keep_mark();
    update_actions();
}

/// A step that sets something begins with its scenario; one that goes on leaves the person's own alone, if they came
/// from the step before.
void LessonDesk::enter_step() {
    const int step = run_->step();
    const bool goes_on = run_->now().goes_on() && last_step_ == step - 1 && step > 0;
    const bool first = last_step_ < 0;
    last_step_ = step;
    stage_->show(run_->now());
    const std::optional<Pins> pinned = pins_of_step();
    if (goes_on) {
        if (pinned) take_scenario(window_.document().scenario(), pinned, tr("Step %1").arg(step + 1));
    } else if (auto scenario = scenario_of_step()) {
        if (first && window_.document().history().count() == 0)
            window_.document().open({std::move(*scenario), pinned.value_or(Pins{})});
        else
            take_scenario(*scenario, pinned, tr("Step %1").arg(step + 1));
    } else {
        window_.show_problems(scenario.error(), plain(run_->lesson().title), {});
    }
    run_->begin(window_.document().scenario());
    answered_ = false;
    follow_result();
    update_actions();
}

Result<Scenario> LessonDesk::scenario_of_step() {
    return lessons::scenario_of(run_->lesson(), static_cast<std::size_t>(run_->step()), window_.library());
}

std::optional<Pins> LessonDesk::pins_of_step() {
    auto pins = lessons::pins_of(run_->lesson(), static_cast<std::size_t>(run_->step()), window_.library());
    return run_->now().pins && pins ? std::optional(std::move(*pins)) : std::nullopt;
}

/// One undo step, as all that changes a document.
void LessonDesk::take_scenario(const Scenario& scenario, const std::optional<Pins>& pins, const QString& what) {
    Document& document = window_.document();
    document.edit(scenario, pins.value_or(document.pins()), what);
}

void LessonDesk::reset_step() {
    if (!is_open()) return;
    const auto scenario = scenario_of_step();
    if (!scenario) return;
    take_scenario(*scenario, pins_of_step(), tr("Back to how the step begins"));
    run_->begin(window_.document().scenario());
    answered_ = false;
    stage_->show(run_->now());
    follow_result();
}

bool LessonDesk::leave() {
    if (!is_open()) return true;
    if (!window_.files().offer_to_save()) return false;
    const QString title = plain(run_->lesson().title);
    const bool tried = tried_;
    set_aside();
    if (tried && editor_ && editor_->isVisible()) show_editor();
    window_.messages().say(tr("Back to %1, as it was before the lesson “%2”.").arg(window_.document().title(), title));
    offer_left();
    return true;
}

QString LessonDesk::set_aside() {
    keep_mark();
    Left left;
    left.view = window_.view_json();
    stage_->end();
    panel_->set_run(nullptr);
    left.run = std::move(run_);
    left.text = text_;
    left.tried = std::exchange(tried_, false);
    window_.forget_problems();
    Document::Kept kept = std::move(*kept_);
    kept_.reset();
    left.document = window_.document().bring_back(std::move(kept));
    last_left_ = key_;
    left_.insert_or_assign(key_, std::move(left));
    window_.apply_view(kept_view_);
    window_.show_bottom(kept_page_ == QLatin1String("problems") ? QString() : kept_page_);
    stage_->put_page_away();
    update_actions();
    window_.files().keep_session();
    return key_;
}

/// Buttons beside what was said: the way back, and the way to take the work along.
void LessonDesk::offer_left() {
    const auto left = left_.find(last_left_);
    if (left == left_.end() || !left->second.document.edited()) return;
    window_.messages().offer(tr("Take over the lesson's design"), [this] { take_over(); });
    window_.messages().offer(tr("Return to the lesson"), [this, key = last_left_] { come_back(key); });
}

/// With what is drawn and pinned there, unless nothing is.
void LessonDesk::take_over() {
    const auto found = left_.find(last_left_);
    if (found == left_.end() || is_open()) return;
    const Left& left = found->second;
    const Document::Kept& work = left.document;
    std::optional<std::string> view;
    if (work.draft()) view = json_text(left.view);
    if (!window_.files().replace({work.scenario(), work.pins().empty() ? window_.document().pins() : work.pins()},
                                 tr("Take over the lesson's design"), view))
        return;
    window_.messages().say(tr("The lesson's design is open. Undo restores your previous work."));
}

void LessonDesk::come_back(QString key) {
    if (is_open() && key == key_) return;
    auto found = left_.extract(key);
    if (!found) return;
    if (is_open()) set_aside();
    Left left = std::move(found.mapped());
    window_.forget_problems();
    window_.end_tour();
    put_document_aside(key);
    key_ = std::move(key);
    text_ = std::move(left.text);
    tried_ = left.tried;
    run_ = std::move(left.run);
    last_step_ = run_->step();
    answered_ = false;
    window_.document().bring_back(std::move(left.document));
    show_run();
    stage_->show(run_->now());
    window_.apply_view(left.view);
    follow_result();
}

bool LessonDesk::replace_outside(const std::function<bool()>& replace) {
    if (!is_open()) return replace();
    if (!window_.files().offer_to_save()) return false;
    const QString title = plain(run_->lesson().title), key = set_aside();
    if (!replace()) {
        come_back(key);
        return false;
    }
    window_.messages().say(tr("%1 is open. The lesson “%2” was closed.").arg(window_.document().title(), title));
    offer_left();
    return true;
}

/// The next one is at hand.
void LessonDesk::finish() {
    const QString done = key_;
    if (!leave()) return;
    const auto& all = window_.library().lessons;
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& preset) { return plain(preset.id) == done; });
    if (at == all.end() || at + 1 == all.end()) return;
    const QString next = plain((at + 1)->id);
    window_.messages().offer(
        tr("Next: %1").arg(title_in_language(*(at + 1))), [this, next] { open_shipped(next); }, true);
}

void LessonDesk::keep_mark() {
    if (!is_open() || key_.isEmpty()) return;
    window_.settings().set_lesson_mark(key_, run_->mark());
    if (text_.empty()) window_.settings().set_last_lesson(key_);
}

/// From the first answer about what the step set on: a step must not be done by the one before.
void LessonDesk::follow_result() {
    if (!is_open() || !window_.result()) return;
    const LiveRequest& about = window_.result()->request;
    const bool newest = about.scenario == window_.document().scenario() && about.pins == window_.document().pins();
    if (!answered_ && newest) {
        answered_ = true;
        stage_->show_answer();
    }
    if (answered_) run_->judge(*window_.result(), newest && !about.dragging && !window_.document().dragging());
}

QJsonObject LessonDesk::with_work(QJsonObject session, const Scenario& scenario, const Pins& pins,
                                  const QJsonObject& view, const formats::Library& library) {
    if (!session.contains(scenario_key))
        session[scenario_key] = plain(formats::write_scenario(scenario, library, json_text(view), pins));
    return session;
}

bool LessonDesk::put_away() {
    presentation_->set_on(false);
    if (editor_ && !editor_->offer_to_save()) return false;
    if (!is_open()) return true;
    const Document& document = window_.document();
    const QJsonObject now =
        with_work(session(), document.scenario(), document.pins(), window_.view_json(), window_.library());
    if (!leave()) return false;
    put_away_ = now;
    return true;
}

void LessonDesk::close_editor() {
    if (editor_) editor_->give_up();
}

void LessonDesk::take_out_again() {
    if (!std::exchange(put_away_, {}).isEmpty()) come_back();
}

QJsonObject LessonDesk::session() const {
    if (!is_open()) return put_away_;
    QJsonObject session{{key_key, key_}, {step_key, run_->step()}};
    if (!text_.empty()) session[file_key] = plain(text_);
    return session;
}

void LessonDesk::restore(const QJsonObject& session) {
    if (session.isEmpty()) return;
    const std::string own = session[file_key].toString().toStdString();
    const QString key = session[key_key].toString();
    const formats::Preset* preset = window_.library().find_lesson(key.toStdString());
    Result<lessons::Lesson> lesson = fail(Problem{});
    if (!own.empty())
        lesson = lessons::read_lesson(own, "the recovered lesson", window_.library());
    else if (preset)
        lesson = read_lesson_in_language(*preset, window_.library());
    if (!lesson || lesson->steps.empty()) return;
    put_document_aside(key);
    text_ = own;
    begin(std::move(*lesson), key, false);
    run_->go_to(session[step_key].toInt());
    if (last_step_ != run_->step()) enter_step();
    auto worked_on = formats::read_scenario(session[scenario_key].toString().toStdString(), "the recovered lesson",
                                            window_.library(), formats::no_files(formats::kept_names_a_file()));
    if (!worked_on) return;
    const QJsonObject view = json_of(worked_on->view);
    auto drawing = drawing_in(view, worked_on->scenario);
    const bool drawn = drawing.has_value();
    const Document& now = window_.document();
    if (!drawn && worked_on->scenario == now.scenario() && worked_on->pins == now.pins()) return;
    window_.document().replace(
        {std::move(worked_on->scenario), std::move(worked_on->pins), {}, std::move(drawing), false},
        tr("Recover the lesson"));
    if (drawn) window_.apply_view(view);
}

}  // namespace scalescope::ui
