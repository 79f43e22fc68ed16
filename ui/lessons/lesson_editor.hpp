// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <functional>
#include <memory>

#include "core/scenario/scenario.hpp"
#include "ui/lessons/lesson_document.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/messages.hpp"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QTimer;
class QSpinBox;

namespace scalescope::ui {

class Background;
class LessonPanel;
class LessonRun;
class StepForm;

/// Writes a lesson: its steps, each field by field, and beside them the panel its readers will see. The scenarios are
/// those that are open in the main window when they are asked for.
class LessonEditor final : public QMainWindow {
    Q_OBJECT
public:
    /// `open_scenario` gives the text of the main window's scenario as a file, and the scenario.
    struct Surroundings {
        const formats::Library* library = nullptr;
        std::function<Scenario()> scenario;
        std::vector<ComboItem> charts, places;
        QString folder;  ///< where lessons of one's own are found again, in the list; empty: nowhere
    };
    explicit LessonEditor(Surroundings surroundings, QWidget* parent = nullptr);
    ~LessonEditor() override;

    LessonDocument& document() { return document_; }
    StepForm* form() const { return form_; }
    LessonPanel* preview() const { return preview_; }
    QListWidget* steps() const { return steps_; }
    /// A lesson of one step that begins with the open scenario.
    void start();
    /// One that was not saved when its process went away.
    void recover(lessons::Lesson lesson, FileOnDisk file);
    bool offer_to_save();
    /// Closes without a question: it was asked already.
    void give_up();
    /// The file it would be saved in.
    QString offered_file() const;

signals:
    /// To be tried in the main window.
    void try_asked(const scalescope::lessons::Lesson& lesson, int step);
    void saved(const QString& file);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    Surroundings around_;
    LessonDocument document_;
    QLineEdit *title_, *summary_;
    QSpinBox* minutes_;
    QListWidget* steps_;
    StepForm* form_;
    LessonPanel* preview_;
    std::unique_ptr<LessonRun> run_;
    std::unique_ptr<Background> checking_;
    QTimer* check_timer_ = nullptr;
    std::unique_ptr<Messages> messages_;
    QLabel* status_;
    QAction* try_ = nullptr;
    QPushButton *try_button_ = nullptr, *save_button_ = nullptr;

    void build();
    void build_menu();
    void refresh();
    void refresh_preview();
    void add_step();
    void remove_step();
    void move_step(int by);
    void take_scenario();
    void take_solution();
    void take_pin();
    void take_with(int assertion);
    std::optional<lessons::Changes> changes_from_step() const;
    void check_soon();
    void check();
    int current() const;
    bool save();
    bool save_as();
    bool save_to(const QString& file);
    void open_dialog();
    void open(const QString& file);
    void look_at_file();
};

}  // namespace scalescope::ui
