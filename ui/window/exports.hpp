// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

#include "core/formats/network_export.hpp"
#include "core/report/report.hpp"
#include "ui/live/background.hpp"
#include "ui/window/presenter.hpp"

class QMenu;

namespace scalescope::ui {

class Canvas;
class Files;
class Messages;

/// Exports from the main window to files and the clipboard: charts, the drawing, the network, the timeline, reports,
/// and configurations of trainers.
class Exports final : public QObject {
    Q_OBJECT
public:
    /// What exports need from the main window.
    struct Surroundings {
        std::function<Canvas&()> drawing;          ///< of the open network, up to date
        std::function<search::Metric()> compared;  ///< the metric that designs are compared by
    };
    Exports(QWidget& window, const Document& document, Presenter& presenter, Files& files, Messages& messages,
            Surroundings around);

    /// Adds the visible charts, *All charts*, the drawing, the network and the timeline.
    void fill_menu(QMenu& menu);
    /// Adds *Report* and *Print the drawing*.
    void add_actions(QMenu& menu);
    /// Adds the trainers that core writes configurations for.
    void fill_copy_menu(QMenu& menu);
    void export_network();
    /// Computes and writes a report about the pinned designs and the open one, then shows a message.
    void write_report(report::Asked asked, const QString& file);
    /// Blocks until the report is written, for callers without an event loop.
    bool finish_report() { return report_work_.finish(); }
    Background& report_work() { return report_work_; }

private:
    QWidget& window_;
    const Document& document_;
    Presenter& presenter_;
    Files& files_;
    Messages& messages_;
    Surroundings around_;
    Background report_work_;

    void export_all();
    void export_trace();
    void export_network_to(const QString& file, formats::NetworkFormat format, bool lossy);
    void copy_as(const std::string& trainer, const QString& title);
    Pins reported_designs() const;
    void ask_for_report();
    void say_not_written(const QString& file, const Problems& problems);
};

}  // namespace scalescope::ui
