// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>

#include "core/measure/runs/sheet.hpp"

class QAction;
class QStackedWidget;

namespace scalescope::ui {

class Banner;
class RunsPage;

/// Beside the main window: what is learned from measurements. Closing hides it; the table, its changes and the fit are
/// there when it is shown again.
class MeasureWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MeasureWindow(QWidget* parent = nullptr);

    RunsPage* runs_page() const { return runs_; }
    /// Shows a table of runs in place of the one that is open; asks first if that one has changes that are not saved.
    void open_runs(measure::RunSheet sheet, const QString& file);
    /// False: a person wants to go on here.
    bool offer_to_save();
    bool save_table_to(const QString& file);
    bool save_fit_to(const QString& file);

signals:
    void open_asked(const QString& file);  ///< whoever reads files reads this one

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build_actions();
    void open_dialog();
    bool save_table();
    void save_fit();
    void say(const QString& sentence, bool error);

    RunsPage* runs_;
    Banner *notice_, *failure_;
    QAction* save_action_ = nullptr;
};

}  // namespace scalescope::ui
