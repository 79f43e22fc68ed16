// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <memory>

#include <optional>
#include <vector>

#include "core/formats/library.hpp"
#include "core/measure/fit/fitted_runs.hpp"
#include "core/measure/runs/sheet.hpp"
#include "core/measure/validate/published.hpp"
#include "ui/document/file_on_disk.hpp"
#include "ui/widgets/messages.hpp"

class QAction;
class QStackedWidget;

namespace scalescope::ui {

class CalibrationPage;
class RunsPage;
class RunsSession;
struct KeptRuns;
class SegmentedControl;
class TracePage;
class ValidationPage;
struct RecordedTrace;

/// Beside the main window: what is learned from measurements. Closing hides it; the table, its changes and the fit are
/// there when it is shown again.
class MeasureWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// `library` must outlive the window.
    explicit MeasureWindow(const formats::Library& library, QWidget* parent = nullptr);

    RunsPage* runs_page() const { return runs_; }
    ValidationPage* validation_page() const { return validation_; }
    TracePage* trace_page() const { return trace_; }
    CalibrationPage* calibration_page() const { return calibration_; }
    /// Shows a table of runs in place of the one that is open; asks first if that one has changes that are not saved. A
    /// table of published results is compared with the model if that page is on show, and else offers to be.
    void open_table(measure::RunSheet sheet, std::optional<std::vector<measure::PublishedRow>> published,
                    const FileOnDisk& file);
    /// Shows a saved fit, beside the table that is open or without one.
    void open_fit(std::shared_ptr<const measure::FittedRuns> fit, const QString& file);
    void open_trace(std::shared_ptr<const RecordedTrace> trace, const QString& file);
    /// From now on, what is done with runs is kept under `sessions` (Session).
    void keep_under(const QString& sessions);
    RunsSession* session() const { return session_; }
    /// Goes on with what was left behind. `crashed`: says so, and shows the window. `waiting`: more like it.
    void restore(const KeptRuns& kept, bool crashed, int waiting = 0);
    enum class Page { runs, calibration, validation, trace };
    void show_page(Page page);
    /// False: a person wants to go on here.
    bool offer_to_save();
    /// Nothing but the table would be lost with the window: a file or the session holds the fit and its settings.
    bool fit_is_kept() const;
    /// The same for a fit, or its settings, that would be gone with the table.
    bool offer_to_save_fit();
    bool save_table_to(const QString& file);
    bool save_fit_to(const QString& file);
    bool save_calibration_to(const QString& file);
    void say(const QString& sentence, bool error) { messages_->say(sentence, error); }

signals:
    void open_asked(const QString& file);  ///< whoever reads files reads this one

protected:
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build_actions();
    void open_dialog();
    void look_at_file();
    bool save_table();
    bool save_fit();
    void save_calibration();

    RunsSession* session_ = nullptr;
    RunsPage* runs_;
    CalibrationPage* calibration_;
    ValidationPage* validation_;
    TracePage* trace_;
    SegmentedControl* choice_;
    QStackedWidget* pages_;
    std::unique_ptr<Messages> messages_;
    QAction* save_action_ = nullptr;
    QString reload_;  ///< is opened in place of what is open, whatever was changed
};

}  // namespace scalescope::ui
