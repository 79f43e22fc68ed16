// SPDX-License-Identifier: GPL-3.0-or-later
// The page Problems: problems of the open design or of a file.
#include <QFileInfo>
#include <algorithm>

#include "core/drawing/notes.hpp"
#include "core/network/sketch.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

/// Hides the problems of a file that failed to open, and the message about the previous design.
void MainWindow::forget_problems() {
    problem_file_.clear();
    problems_->set_banner({}, {});
    messages_->clear();
}

void MainWindow::show_problems(const Problems& problems, const QString& file, const QString& content) {
    bool failed = false;
    std::vector<ProblemRow> rows;
    for (const Problem& p : problems) {
        failed |= p.severity == Severity::error;
        rows.push_back(problem_row(p));
    }
    const QString name = QFileInfo(file).fileName();
    const Network* network = document_.scenario().network();
    problem_file_ = file;
    file_failed_ = failed;
    problems_->set_problems(rows, name, content);
    problems_->set_banner(
        failed ? tr("%1 was not opened.").arg(name) : QString(),
        failed && network ? tr("%1 is still shown, unchanged.").arg(told(network->name())) : QString(),
        file != Files::pasted_name());
    problems_title_->set_unit(name);
    tabs_->set_count(QStringLiteral("problems"), static_cast<int>(rows.size()));
    show_bottom(QStringLiteral("problems"));
    show_status();
}

void MainWindow::show_design_problems() {
    if (!result()) return;
    std::vector<ProblemRow> rows;
    problem_fields_.clear();
    fault_layers_.clear();
    if (document_.draft()) {
        const Sketch sketch(*document_.draft());
        for (const Fault& f : sketch.faults) {
            rows.push_back(problem_row(f.problem));
            problem_fields_.emplace_back();
            fault_layers_.push_back(f.layer);
        }
        only_shapes_ =
            !sketch.faults.empty() && std::all_of(sketch.faults.begin(), sketch.faults.end(),
                                                  [&](const Fault& f) { return drawing::about_shapes(sketch, f); });
    }
    const Problems& notes = result()->estimate ? result()->estimate->notes : result()->estimate.error();
    const Problem* first_note = notes.empty() ? nullptr : &notes.front();
    for (const Problem& p : notes) {
        rows.push_back(problem_row(p));
        if (&p == first_note && !cannot_run_text(result()->request.scenario, result()->estimate).isEmpty())
            rows.back().severity = Severity::error;  // a warning where only the numbers are asked for
        if (QString& remedy = rows.back().remedy; !remedy.isEmpty()) {  // a sentence of its own here
            remedy[0] = remedy[0].toUpper();
            if (!remedy.endsWith(QLatin1Char('.'))) remedy += QLatin1Char('.');
        }
        problem_fields_.push_back(QString::fromStdString(p.where));
    }
    problems_title_->set_unit(tr("this design"));
    problems_->set_banner({}, {});
    problems_->set_problems(rows);
    tabs_->set_count(QStringLiteral("problems"), static_cast<int>(rows.size()));
}

}  // namespace scalescope::ui
