// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include "core/formats/library.hpp"
#include "ui/charts/chart_data.hpp"
#include "ui/document/document.hpp"

namespace scalescope::ui {

class MeasureWindow;
class Messages;
class Presenter;
class SearchWindow;

/// The windows besides the main one: measurements, and the search for the best. Each is created on first use, as most
/// users need neither.
class SideWindows final : public QObject {
    Q_OBJECT
public:
    SideWindows(QWidget& window, Document& document, formats::Library& library, const Presenter& presenter,
                Messages& messages, const QString& own_folder, const QString& session_folder);

    MeasureWindow& measurements();
    SearchWindow& finder();
    const QString& own_folder() const { return own_folder_; }
    void show_measurements();
    void show_finder();
    void show_calibration();
    /// Applies the constants of a calibration to the design, as one undo step.
    void use_calibration(SharedCalibration calibration);
    /// Curve fitted to measured runs, if there is one.
    std::optional<FittedCurve> fitted() const;

    /// Offers to save the measurements. False if the user cancels.
    bool offer_to_save();
    /// Names of what would be lost with the windows and that offer_to_save() did not ask about.
    QStringList unsaved() const;
    /// Ends their sessions when the program quits normally.
    void close_sessions();

signals:
    void file_asked(const QString& file);
    void scenario_asked(const Scenario& scenario, const QString& name);
    void fitted_changed();
    void calibrations_changed();  ///< the library has a new calibration

private:
    QWidget& window_;
    Document& document_;
    formats::Library& library_;
    const Presenter& presenter_;
    Messages& messages_;
    QString own_folder_, session_folder_;
    MeasureWindow* measurements_ = nullptr;
    SearchWindow* finder_ = nullptr;

    void keep_calibration();
};

}  // namespace scalescope::ui
