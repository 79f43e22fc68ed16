// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_editor.hpp"
#include "ui/help/help_guide.hpp"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "core/formats/scenario_json.hpp"
#include "core/lessons/beginning.hpp"
#include "core/lessons/check.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/scenario/fields.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/assertion_list.hpp"
#include "ui/lessons/lesson_panel.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/lessons/step_form.hpp"
#include "ui/live/background.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/button_kind.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/scrolled_pane.hpp"

namespace scalescope::ui {
namespace {

constexpr int steps_width = 230, form_width = 520, least_form = 480, least_preview = 284, check_after_ms = 250;

}  // namespace

LessonEditor::LessonEditor(Surroundings surroundings, QWidget* parent)
    : QMainWindow(parent, Qt::Window), around_(std::move(surroundings)), document_(*around_.library) {
    setObjectName(QStringLiteral("lessonEditor"));
    set_help(*this, QStringLiteral("window-lesson-editor"));
    build();
    build_menu();
    connect(&document_, &LessonDocument::changed, this, &LessonEditor::refresh);
    connect(&document_, &LessonDocument::state_changed, this, &LessonEditor::refresh);
    constexpr int frame = 40;  // of the desktop, around it
    resize(QSize(1240, 800).boundedTo(screen()->availableSize() - QSize(0, frame)));
}

LessonEditor::~LessonEditor() {
    preview_->set_run(nullptr);
    document_.disconnect(this);
}

void LessonEditor::build() {
    auto* panes = make_splitter(Qt::Horizontal);
    panes->setContentsMargins(space::gap, 0, space::gap, 0);

    auto* left = new Card(tr("Lesson"));
    title_ = new QLineEdit;
    title_->setObjectName(QStringLiteral("lessonTitle"));
    title_->setAccessibleName(tr("Title of the lesson"));
    title_->setPlaceholderText(tr("Title"));
    summary_ = new QLineEdit;
    summary_->setObjectName(QStringLiteral("lessonSummary"));
    summary_->setAccessibleName(tr("Summary"));
    summary_->setPlaceholderText(tr("What it is about, in a sentence"));
    minutes_ = new QSpinBox;
    minutes_->setAccessibleName(tr("Minutes it takes"));
    minutes_->setRange(1, 240);
    minutes_->setSuffix(tr(" min"));
    steps_ = new QListWidget;
    steps_->setObjectName(QStringLiteral("editorSteps"));
    steps_->setAccessibleName(tr("Steps"));
    steps_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // long titles are elided
    auto* buttons = new QHBoxLayout;
    const auto button = [&](const char* icon_name, const QString& name, const char* object, auto slot) {
        auto* b = make_icon_button(icon_name, name, Tint::text);
        b->setObjectName(QLatin1String(object));
        buttons->addWidget(b);
        connect(b, &QAbstractButton::clicked, this, slot);
    };
    button("plus", tr("Add a step after this one"), "addStep", [this] { add_step(); });
    button("minus", tr("Remove this step"), "removeStep", [this] { remove_step(); });
    button("up", tr("Move this step up"), "stepUp", [this] { move_step(-1); });
    button("down", tr("Move this step down"), "stepDown", [this] { move_step(1); });
    buttons->addStretch(1);
    left->body()->add(title_);
    left->body()->add(summary_);
    left->body()->add(minutes_);
    left->body()->add(make_label(tr("Steps"), type::table(), Ink::secondary));
    left->body()->add_wide(steps_, 1);
    left->body()->add(buttons);
    left->setMinimumWidth(steps_width);

    auto* middle = new Card(tr("Step"));
    auto* said = make_layout<QVBoxLayout>();
    middle->body()->add(said);
    messages_ = std::make_unique<Messages>(*said);
    auto* column = add_scrolled_pane(*middle->body());
    form_ = new StepForm(document_);
    form_->set_charts(around_.charts);
    form_->set_places(around_.places);
    column->addWidget(form_);
    status_ = make_label({}, type::table(), Ink::secondary);
    status_->setObjectName(QStringLiteral("editorStatus"));
    status_->setWordWrap(true);
    auto* foot = new QHBoxLayout;
    foot->addWidget(status_, 1);
    try_button_ = new QPushButton(tr("Try it"));
    try_button_->setObjectName(QStringLiteral("tryLessonButton"));
    try_button_->setToolTip(tr("Preview this step in the main window (F5)"));
    connect(try_button_, &QPushButton::clicked, this, [this] { try_->trigger(); });
    save_button_ = new QPushButton(tr("Save…"));
    save_button_->setObjectName(QStringLiteral("saveLessonButton"));
    connect(save_button_, &QPushButton::clicked, this, &LessonEditor::save);
    foot->addWidget(try_button_);
    foot->addWidget(save_button_);
    middle->body()->add(make_rule());
    middle->body()->add(foot);

    middle->setMinimumWidth(least_form);

    auto* right = new Card(tr("As it is read"));
    preview_ = new LessonPanel;
    right->body()->add_wide(preview_, 1, 0);
    right->body()->set_bottom_margin(0);
    right->setMinimumWidth(least_preview);  // on a screen of 1024 px all three are seen
    for (QWidget* w : std::initializer_list<QWidget*>{left, middle, right}) panes->addWidget(w);
    panes->setStretchFactor(1, 1);
    panes->setSizes({steps_width, form_width, space::lesson_width});
    auto* around = new QWidget;
    auto* outer = new QVBoxLayout(around);
    outer->setContentsMargins(space::gap, space::gap, space::gap, space::gap);
    outer->addWidget(panes);
    setCentralWidget(around);

    const auto edit = [this](const QString& what, const QString& part, auto change) {
        lessons::Lesson next = document_.lesson();
        change(next);
        document_.edit(std::move(next), what, part);
    };
    connect(title_, &QLineEdit::textEdited, this, [edit](const QString& t) {
        edit(tr("Title"), QStringLiteral("title"), [&](lessons::Lesson& l) { l.title = t.toStdString(); });
    });
    connect(summary_, &QLineEdit::textEdited, this, [edit](const QString& t) {
        edit(tr("Summary"), QStringLiteral("summary"), [&](lessons::Lesson& l) { l.summary = t.toStdString(); });
    });
    connect(minutes_, &QSpinBox::valueChanged, this, [edit](int minutes) {
        edit(tr("Minutes"), QStringLiteral("minutes"), [&](lessons::Lesson& l) { l.minutes = minutes; });
    });
    connect(steps_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row < 0) return;
        form_->show_step(row);
        refresh_preview();
        if (document_.problems().empty()) check_soon();
    });
    connect(preview_, &LessonPanel::finished, this, [this] { steps_->setCurrentRow(0); });
    connect(form_, &StepForm::scenario_asked, this, &LessonEditor::take_scenario);
    connect(form_, &StepForm::solution_asked, this, &LessonEditor::take_solution);
    connect(form_, &StepForm::pin_asked, this, &LessonEditor::take_pin);
    connect(form_, &StepForm::with_asked, this, &LessonEditor::take_with);
    checking_ = std::make_unique<Background>();
    check_timer_ = new QTimer(this);
    check_timer_->setSingleShot(true);
    check_timer_->setInterval(check_after_ms);
    connect(check_timer_, &QTimer::timeout, this, &LessonEditor::check);
}

void LessonEditor::build_menu() {
    QMenu* file = menuBar()->addMenu(tr("&Lesson"));
    file->addAction(tr("&New from the open scenario"), QKeySequence::New, this, [this] {
        if (offer_to_save()) start();
    });
    file->addAction(tr("&Open…"), QKeySequence::Open, this, [this] { open_dialog(); });
    file->addAction(tr("&Save"), QKeySequence::Save, this, [this] { save(); });
    file->addAction(tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this, [this] { save_as(); });
    file->addSeparator();
    try_ = file->addAction(tr("&Try it in the window"), QKeySequence(Qt::Key_F5), this,
                           [this] { emit try_asked(document_.lesson(), current()); });
    try_->setObjectName(QStringLiteral("tryLesson"));
    file->addSeparator();
    file->addAction(tr("&Close"), QKeySequence::Close, this, [this] { close(); });
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = document_.history().createUndoAction(this, tr("Undo"));
    QAction* redo = document_.history().createRedoAction(this, tr("Redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcut(QKeySequence::Redo);
    edit->addAction(undo);
    edit->addAction(redo);
}

int LessonEditor::current() const { return std::max(0, steps_->currentRow()); }

void LessonEditor::start() {
    document_.start(tr("A new lesson"), formats::write_scenario(around_.scenario(), *around_.library));
    steps_->setCurrentRow(0);
    title_->setFocus();
    title_->selectAll();  // what is typed first is its name
}

void LessonEditor::recover(lessons::Lesson lesson, FileOnDisk file) {
    document_.recover(std::move(lesson), std::move(file));
    steps_->setCurrentRow(0);
}

void LessonEditor::refresh() {
    const lessons::Lesson& lesson = document_.lesson();
    setWindowTitle(tr("%1[*] – lesson")
                       .arg(document_.file().isEmpty() ? plain(lesson.title) : QFileInfo(document_.file()).fileName()));
    setWindowModified(document_.dirty());
    const auto show = [](QLineEdit& field, const std::string& value) {
        if (field.text() == plain(value)) return;
        field.setText(plain(value));
        field.setCursorPosition(0);  // its beginning, if it is long
    };
    show(*title_, lesson.title);
    show(*summary_, lesson.summary);
    const QSignalBlocker quiet(minutes_);
    minutes_->setValue(lesson.minutes);
    const int count = static_cast<int>(lesson.steps.size());
    {
        const QSignalBlocker still(steps_);
        const int row = current();
        while (steps_->count() > count) delete steps_->takeItem(steps_->count() - 1);
        while (steps_->count() < count) steps_->addItem(QString());
        for (int i = 0; i < count; ++i) {
            const std::string& title = lesson.steps[static_cast<std::size_t>(i)].title;
            steps_->item(i)->setText(tr("%1. %2").arg(i + 1).arg(title.empty() ? tr("Step") : plain(title)));
        }
        steps_->setCurrentRow(std::min(row, count - 1));
    }
    // A condition speaks of the scenario that its step has.
    auto scenario = lessons::scenario_of(lesson, static_cast<std::size_t>(current()), *around_.library);
    form_->set_names(lessons::all_names(scenario ? *scenario : around_.scenario(), around_.library->catalogue));
    form_->show_step(current());
    const std::size_t wrong = document_.problems().size();
    const QString first = wrong > 0 ? plain(document_.problems().front().where) + QStringLiteral(": ") +
                                          told(document_.problems().front().what)
                                    : QString();
    status_->setText(wrong == 0   ? tr("Ready: it can be saved and opened.")
                     : wrong == 1 ? first
                                  : tr("%1 (and %2 more)").arg(first).arg(wrong - 1));
    set_ink(*status_, wrong == 0 ? Ink::secondary : Ink::error);
    try_->setEnabled(wrong == 0);
    if (wrong == 0) check_soon();
    try_button_->setEnabled(wrong == 0);
    save_button_->setText(document_.file().isEmpty() ? tr("Save…") : tr("Save"));
    set_kind(*save_button_, document_.dirty() ? QStringLiteral("primary") : QString());
    refresh_preview();
}

/// As its readers see it, so far as it can be read.
void LessonEditor::refresh_preview() {
    preview_->set_run(nullptr);
    run_ = std::make_unique<LessonRun>(document_.lesson(), around_.library->catalogue, LessonMark{});
    run_->go_to(current());
    preview_->set_run(run_.get());
    connect(run_.get(), &LessonRun::step_changed, this, [this] { steps_->setCurrentRow(run_->step()); });
}

void LessonEditor::add_step() {
    lessons::Lesson next = document_.lesson();
    lessons::Step step;
    step.title = tr("Next step").toStdString();
    step.text.source = {tr("What is seen here.").toStdString()};
    next.steps.insert(next.steps.begin() + current() + 1, std::move(step));
    document_.edit(std::move(next), tr("Add a step"));
    steps_->setCurrentRow(current() + 1);
    form_->begin_at_top();
}

void LessonEditor::remove_step() {
    lessons::Lesson next = document_.lesson();
    if (next.steps.size() < 2) return;  // a lesson has one at least
    next.steps.erase(next.steps.begin() + current());
    document_.edit(std::move(next), tr("Remove a step"));
}

void LessonEditor::move_step(int by) {
    lessons::Lesson next = document_.lesson();
    const int from = current(), to = from + by;
    if (to < 0 || to >= static_cast<int>(next.steps.size())) return;
    std::swap(next.steps[static_cast<std::size_t>(from)], next.steps[static_cast<std::size_t>(to)]);
    document_.edit(std::move(next), tr("Move a step"));
    steps_->setCurrentRow(to);
}

void LessonEditor::take_scenario() {
    lessons::Lesson next = document_.lesson();
    lessons::Step& step = next.steps[static_cast<std::size_t>(current())];
    step.beginning = {{}, formats::write_scenario(around_.scenario(), *around_.library)};
    step.set.clear();
    document_.edit(std::move(next), tr("Use the current scenario"));
}

void LessonEditor::take_solution() {
    lessons::Lesson next = document_.lesson();
    lessons::Step& step = next.steps[static_cast<std::size_t>(current())];
    auto solved = changes_from_step();
    if (!solved) return;
    if (!step.task) step.task.emplace();
    step.task->solution = std::move(*solved);
    document_.edit(std::move(next), tr("Take the solution"));
}

/// The fields in which the open scenario differs from the step's; nothing while that has none.
std::optional<lessons::Changes> LessonEditor::changes_from_step() const {
    const auto begins = lessons::scenario_of(document_.lesson(), static_cast<std::size_t>(current()), *around_.library);
    if (!begins) return {};
    const Scenario open = around_.scenario();
    lessons::Changes changes;
    for (const Field* field : changed_fields(*begins, open))
        changes.push_back({std::string(field->path), field_text(*field, open)});
    return changes;
}

void LessonEditor::take_pin() {
    auto changes = changes_from_step();
    if (!changes) return;
    lessons::Lesson next = document_.lesson();
    lessons::Step& step = next.steps[static_cast<std::size_t>(current())];
    if (!step.pins) step.pins.emplace();
    const std::string name = changes->empty() ? tr("As it begins").toStdString() : changes->front().value;
    step.pins->push_back({name, std::move(*changes)});
    document_.edit(std::move(next), tr("Pinned designs"));
}

void LessonEditor::take_with(int assertion) {
    if (auto changes = changes_from_step()) form_->assertions()->set_with(assertion, std::move(*changes));
}

/// Once nobody types: every assertion is an estimate.
void LessonEditor::check_soon() {
    form_->assertions()->show_checked({});
    check_timer_->start();
}

void LessonEditor::check() {
    checking_->run({}, [this, lesson = document_.lesson(), library = around_.library](const Watch&) {
        auto checked = lessons::check_lesson(lesson, *library);
        return Background::Delivery([this, lesson, checked = std::move(checked)] {
            if (lesson != document_.lesson()) return;
            std::vector<lessons::CheckedAssertion> of_step;
            for (const auto& one : checked.assertions)
                if (one.step == static_cast<std::size_t>(current())) of_step.push_back(one);
            form_->assertions()->show_checked(of_step);
        });
    });
}

}  // namespace scalescope::ui
