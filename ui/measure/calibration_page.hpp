// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/formats/library.hpp"
#include "core/measure/calibration/calibrate.hpp"
#include "core/measure/calibration/operator_calibration.hpp"
#include "ui/live/background.hpp"

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace scalescope::ui {

class ChartTableModel;
class ProgressRow;
class RunsDocument;
class XyChart;

/// A finished calibration with what it was made of.
struct MadeCalibration {
    calibration::Observations observations;
    calibration::CalibrationFit fit;
    operators::MeasuredOperators measured;
    std::optional<calibration::OperatorFit> operators;  ///< of a table of operators, which has no runs
    std::string data_hash;
};
using MadeCalibrationPtr = std::shared_ptr<const MadeCalibration>;

/// The analytical model's constants from the table of runs that is open, for the design in the main window: each
/// constant before and after with its interval, every run before and after, and what the runs could not say. Of a table
/// of operators: what corrects their times in traces, and how far off that is. Kept under a name, it can be used in any
/// design.
class CalibrationPage final : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive the page.
    CalibrationPage(RunsDocument& runs, const formats::Library& library, QWidget* parent = nullptr);

    /// Where the design to calibrate comes from, asked for whenever it is shown or used.
    void set_design(std::function<Scenario()> design);
    /// The open table is one of layers or operators, which no other page takes.
    bool only_here() const;
    void start();
    Background& work() { return work_; }
    const MadeCalibrationPtr& made() const { return made_; }
    /// Neither a file nor the library holds the calibration that was made.
    bool is_unsaved() const { return made_ && made_ != saved_; }
    void mark_saved() { saved_ = made_; }
    /// The calibration under the name in the field.
    Calibration calibration() const;
    XyChart* chart() const { return chart_; }

signals:
    void open_asked();
    void updated();
    void keep_asked();  ///< among one's own, and used in the design
    void save_asked();  ///< to a file

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* build_work();
    void show_subject();
    void show_made();

    RunsDocument& runs_;
    const formats::Library& library_;
    std::function<Scenario()> design_;
    MadeCalibrationPtr made_, saved_;
    Problems problems_;  ///< why the last one came to nothing
    bool stale_ = false;
    Background work_;
    QStackedWidget* pages_;
    QLabel *subject_ = nullptr, *verdict_ = nullptr;
    QPushButton *start_ = nullptr, *keep_ = nullptr, *save_ = nullptr;
    QLineEdit* name_ = nullptr;
    ProgressRow* progress_ = nullptr;
    XyChart* chart_ = nullptr;
    ChartTableModel *constants_ = nullptr, *times_ = nullptr, *notes_ = nullptr;
};

}  // namespace scalescope::ui
