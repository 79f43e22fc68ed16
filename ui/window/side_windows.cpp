// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/side_windows.hpp"

#include <QMessageBox>
#include <algorithm>
#include <utility>

#include "core/scenario/calibrated.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/calibration_page.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/runs_session.hpp"
#include "ui/measure/trace_page.hpp"
#include "ui/measure/validation_page.hpp"
#include "ui/preferences/settings.hpp"
#include "ui/search/search_session.hpp"
#include "ui/search/search_window.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/messages.hpp"
#include "ui/window/presenter.hpp"

namespace scalescope::ui {

SideWindows::SideWindows(QWidget& window, Document& document, formats::Library& library, const Presenter& presenter,
                         Messages& messages, const QString& own_folder, const QString& session_folder)
    : window_(window),
      document_(document),
      library_(library),
      presenter_(presenter),
      messages_(messages),
      own_folder_(own_folder),
      session_folder_(session_folder) {
    connect(&presenter, &Presenter::shown, this, [this] {
        const LiveResultPtr& result = presenter_.result();
        if (finder_ && finder_->isVisible() && !result->request.dragging) finder_->document().set_current(result);
    });
}

MeasureWindow& SideWindows::measurements() {
    if (measurements_) return *measurements_;
    measurements_ = new MeasureWindow(library_, &window_);
    if (!session_folder_.isEmpty()) measurements_->keep_under(session_folder_);
    connect(measurements_, &MeasureWindow::open_asked, this, &SideWindows::file_asked);
    connect(measurements_->validation_page(), &ValidationPage::scenario_asked, this, &SideWindows::scenario_asked);
    CalibrationPage* calibration = measurements_->calibration_page();
    calibration->set_design([this] { return document_.scenario(); });
    connect(calibration, &CalibrationPage::keep_asked, this, &SideWindows::keep_calibration);
    TracePage* trace = measurements_->trace_page();
    trace->set_gpus(Settings().trace_gpus());
    connect(trace, &TracePage::gpus_chosen, this, [trace] { Settings().set_trace_gpus(trace->gpus()); });
    connect(measurements_->runs_page(), &RunsPage::curve_changed, this, &SideWindows::fitted_changed);
    return *measurements_;
}

/// Its question is that of last time.
SearchWindow& SideWindows::finder() {
    if (finder_) return *finder_;
    finder_ = new SearchWindow(document_, library_, &window_);
    if (!session_folder_.isEmpty()) finder_->keep_under(session_folder_);
    if (presenter_.result()) finder_->document().set_current(presenter_.result());
    connect(finder_, &SearchWindow::loaded, this, [this] {
        const QString what = document_.history().undoText();
        messages_.say(what.isEmpty()
                          ? tr("The open scenario is already this result.")
                          : tr("The search result is open: %1. Undo restores the previous scenario.").arg(what));
    });
    return *finder_;
}

void SideWindows::show_measurements() { bring_forward(measurements()); }

void SideWindows::show_finder() {
    if (presenter_.result()) finder().document().set_current(presenter_.result());
    bring_forward(finder());
}

void SideWindows::show_calibration() {
    measurements().show_page(MeasureWindow::Page::calibration);
    show_measurements();
}

void SideWindows::use_calibration(SharedCalibration calibration) {
    if (calibration->constants.empty())
        return messages_.say(tr("%1 corrects operator times in traces. It has no constants for the model.")
                                 .arg(QString::fromStdString(calibration->name)));
    document_.edit(with_calibration(document_.scenario(), std::move(calibration)));
    messages_.say(told(long_text(evidence_of(document_.scenario()), document_.scenario())));
}

void SideWindows::keep_calibration() {
    const Calibration made = measurements_->calibration_page()->calibration();
    if (std::any_of(library_.calibrations.begin(), library_.calibrations.end(),
                    [&](const Calibration& own) { return own.name == made.name; }) &&
        QMessageBox::question(measurements_, tr("Replace a calibration"),
                              tr("You already have a calibration called %1. Replace it?").arg(plain(made.name)),
                              QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel) != QMessageBox::Save)
        return;
    const auto kept = formats::keep_calibration(made, own_folder_.toStdString(), library_);
    if (!kept) return measurements_->say(told(to_text(kept.error().front())), true);
    measurements_->calibration_page()->mark_saved();
    emit calibrations_changed();
    use_calibration({std::make_shared<const Calibration>(*library_.find_calibration(made.name))});
    measurements_->say(tr("Saved as %1 and used in the design.").arg(QString::fromStdString(*kept)), false);
}

std::optional<FittedCurve> SideWindows::fitted() const {
    return measurements_ ? measurements_->runs_page()->curve() : std::nullopt;
}

bool SideWindows::offer_to_save() { return !measurements_ || measurements_->offer_to_save(); }

QStringList SideWindows::unsaved() const {
    QStringList lost;
    if (measurements_ && !measurements_->fit_is_kept()) lost << tr("the fit of measured runs and its settings");
    if (measurements_ && measurements_->calibration_page()->is_unsaved()) lost << tr("the calibration you made");
    return lost;
}

void SideWindows::close_sessions() {
    if (measurements_ && measurements_->session()) measurements_->session()->close();
    if (finder_ && finder_->session()) finder_->session()->close();
}

}  // namespace scalescope::ui
