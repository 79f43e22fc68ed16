// SPDX-License-Identifier: GPL-3.0-or-later
// How the scenario is looked at: what its file and the session keep of it, and back.
#include <QAction>
#include <QJsonArray>

#include "ui/canvas/canvas.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/sensitivity_page.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/view_state.hpp"

namespace scalescope::ui {
namespace {

const QString page_key = QStringLiteral("page"), curves_key = QStringLiteral("speedup_compares"),
              shown_key = QStringLiteral("shown"), rows_key = QStringLiteral("rows_toggled"),
              mesh_key = QStringLiteral("mesh"), automatic_key = QStringLiteral("auto"),
              locks_key = QStringLiteral("locks"), sensitivity_key = QStringLiteral("sensitivity"),
              objective_key = QStringLiteral("objective"), walls_key = QStringLiteral("walls"),
              efficiency_key = QStringLiteral("efficiency"), lesson_field = QStringLiteral("lesson");

}  // namespace

QJsonObject MainWindow::view_json() const {
    QJsonObject view = view_;
    keep_charts(view, charts());
    const bool problems = tabs_->current() == QLatin1String("problems");  // shown when there are some, not kept
    view[page_key] = problems ? QString() : tabs_->current();
    view[curves_key] = name_of(presenter_.curve_set());
    QJsonObject canvas = canvas_->view_state();
    canvas[shown_key] = canvas_shown();
    if (document_.draft()) keep_draft(canvas, document_);
    view[canvas_key] = canvas;
    view[walls_key] = speedup_chart_->guides_shown();
    view[sensitivity_key] =
        QJsonObject{{objective_key, QString::fromUtf8(search::info_of(sensitivity_->question().objective).name.data())},
                    {efficiency_key, sensitivity_->efficiency()}};
    keep_comparison(view);
    QJsonArray locks;
    for (const std::string& path : workers_->locks()) locks.append(plain(path));
    view.remove(mesh_key);
    if (workers_->automatic() || !locks.isEmpty())
        view[mesh_key] = QJsonObject{{automatic_key, workers_->automatic()}, {locks_key, locks}};
    QJsonArray toggled;
    for (const std::string& path : toggled_rows_) toggled.append(plain(path));
    view.remove(rows_key);
    if (!toggled.isEmpty()) view[rows_key] = toggled;
    return view;
}

void MainWindow::apply_view(const QJsonObject& view) {
    view_ = view;
    view_.remove(lesson_field);  // of a session, not of a file
    show_charts(view_, charts());
    if (const auto set = curve_set_of(view_[curves_key].toString())) compare(*set);
    speedup_chart_->show_guides(view_[walls_key].toBool(true));
    restore_comparison();
    const QJsonObject mesh = view_[mesh_key].toObject();
    search::Locks locks;
    for (const QJsonValue& path : mesh[locks_key].toArray()) locks.insert(path.toString().toStdString());
    workers_->set_mesh_view(mesh[automatic_key].toBool(), locks);
    const QJsonObject judged = view_[sensitivity_key].toObject();
    sensitivity_->set_question(
        search::metric_named(judged[objective_key].toString().toStdString()).value_or(search::Metric::step),
        judged[efficiency_key].toDouble(0.5));
    const QJsonObject canvas = view_[canvas_key].toObject();
    canvas_->set_view_state(canvas);
    toggled_rows_.clear();
    for (const QJsonValue& path : view_[rows_key].toArray()) toggled_rows_.insert(path.toString().toStdString());
    show_layer_times();
    canvas_action_->setChecked(canvas[shown_key].toBool());
    if (const QString page = view_[page_key].toString(); !page.isEmpty() && tabs_->tab(page)) show_bottom(page);
}

}  // namespace scalescope::ui
