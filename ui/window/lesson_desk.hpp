// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QPointer>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/formats/library.hpp"
#include "core/lessons/lesson.hpp"
#include "ui/document/document.hpp"

class QAction;
class QMenu;

namespace scalescope::ui {

class DockCard;
class LessonEditor;
class LessonList;
class LessonPanel;
class LessonRun;
class LessonSession;
class LessonStage;
class MainWindow;
class Presentation;

/// Lessons in the main window: while one is open, the person's document is put aside whole (scenario, pins, file,
/// history, view), and comes back when they leave. What of the window a step shows is LessonStage's affair, what is
/// shown of the step LessonPanel's.
class LessonDesk final : public QObject {
    Q_OBJECT
public:
    explicit LessonDesk(MainWindow& window);
    ~LessonDesk() override;

    /// The menu *Lessons*, and the actions that stand in it.
    void fill_menu(QMenu& menu);

    bool is_open() const { return run_ != nullptr; }
    LessonRun* run() const { return run_.get(); }
    /// Of the lesson that is open, for come_back.
    const QString& key() const { return key_; }
    LessonPanel* panel() const { return panel_; }
    LessonStage& stage() { return *stage_; }
    Presentation& presentation() { return *presentation_; }
    DockCard* dock() const { return dock_; }

    /// The window in which lessons are written; made on first use, not shown by that.
    LessonEditor& editor();
    /// A lesson that was being written when the program went away is open again.
    void restore_editor();
    /// The list of all lessons.
    void show_list();
    /// One of the library's, where it was left or from its beginning.
    void open_shipped(const QString& id, bool from_start = false);
    /// One from a file, or one that is being written. `key` is what its progress is kept under; empty: nowhere.
    void open(lessons::Lesson lesson, const QString& key, bool from_start = false);
    /// What was open before comes back, and the work in the lesson is kept until the window closes. False if the person
    /// wants to stay: something has a file and is not saved.
    bool leave();
    /// The lesson that was left last is open again, with the work in it to the last undo step.
    void come_back() { come_back(last_left_); }
    void come_back(QString key);
    /// Opens something in place of the person's document: `replace` says whether it did. If not, the lesson stays open.
    bool replace_outside(const std::function<bool()>& replace);
    /// Closes the lesson without a question or a message, and returns its key for come_back.
    QString set_aside();
    /// The scenario with which the step begins, again.
    void reset_step();

    /// The document that waits, and how it was looked at; nullptr where none does.
    const Document::Kept* waiting() const { return kept_ ? &*kept_ : nullptr; }
    const QJsonObject& waiting_view() const { return kept_view_; }
    /// What a session keeps of the lesson, beside the document that waits; empty if there is none.
    QJsonObject session() const;
    /// The same with the design as it is in the lesson. Any thread may call it.
    static QJsonObject with_work(QJsonObject session, const Scenario& scenario, const Pins& pins,
                                 const QJsonObject& view, const formats::Library& library);
    /// Before the window closes: what waits is open again, and the session remembers the lesson. False: stay.
    bool put_away();
    /// The window closes, and all questions are answered.
    void close_editor();
    /// The window did not close.
    void take_out_again();
    /// A lesson that a session kept, with the scenario as it was left; the document of the session waits from now on.
    void restore(const QJsonObject& session);

private:
    /// A lesson that was left, and the work in it.
    struct Left {
        Document::Kept document;
        QJsonObject view;
        std::unique_ptr<LessonRun> run;
        std::string text;
        bool tried = false;
    };
    MainWindow& window_;
    DockCard* dock_;
    LessonPanel* panel_;
    std::unique_ptr<LessonRun> run_;
    std::map<QString, Left> left_;  ///< by key
    QString last_left_;
    std::unique_ptr<LessonStage> stage_;
    std::unique_ptr<Presentation> presentation_;
    QPointer<LessonList> list_;
    LessonEditor* editor_ = nullptr;
    LessonSession* written_ = nullptr;
    QString key_;
    std::string text_;  ///< of a lesson that is in no library: its file, for the session
    std::optional<Document::Kept> kept_;
    QJsonObject kept_view_, put_away_;
    QString kept_page_;
    int last_step_ = -1;
    bool tried_ = false;     ///< it came from the editor, to which leaving leads back
    bool answered_ = false;  ///< since the step began
    QAction *present_action_ = nullptr, *leave_action_ = nullptr, *reset_action_ = nullptr, *next_action_ = nullptr,
            *back_action_ = nullptr, *resume_action_ = nullptr, *write_action_ = nullptr;

    void write_new();
    void show_editor();
    void put_document_aside(const QString& key);
    void begin(lessons::Lesson lesson, const QString& key, bool from_start);
    void show_run();
    void enter_step();
    Result<Scenario> scenario_of_step();
    std::optional<Pins> pins_of_step();
    void offer_left();
    void take_over();
    void take_scenario(const Scenario& scenario, const std::optional<Pins>& pins, const QString& what);
    void finish();
    void keep_mark();
    void update_actions();
    void follow_result();
    QString last_key() const;
};

}  // namespace scalescope::ui
