// SPDX-License-Identifier: GPL-3.0-or-later
// How the scenario is looked at: what its file and the session keep of it, and back.
#include <QAction>
#include <QJsonArray>
#include <QJsonDocument>

#include "core/formats/network_json.hpp"
#include "core/network/editing/relate.hpp"
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

/// A file names what a layer reads: an input that is still open has no name, and is left out.
NetworkDraft connected_part(NetworkDraft draft) {
    for (Layer& l : draft.layers) std::erase(l.inputs, LayerId{});
    return draft;
}

const QString page_key = QStringLiteral("page"), curves_key = QStringLiteral("speedup_compares"),
              canvas_key = QStringLiteral("canvas"), shown_key = QStringLiteral("shown"),
              rows_key = QStringLiteral("rows_toggled"), draft_key = QStringLiteral("draft"),
              draft_of_key = QStringLiteral("draft_of"), renamed_key = QStringLiteral("draft_renamed"),
              mesh_key = QStringLiteral("mesh"), automatic_key = QStringLiteral("auto"),
              locks_key = QStringLiteral("locks"), sensitivity_key = QStringLiteral("sensitivity"),
              objective_key = QStringLiteral("objective"), walls_key = QStringLiteral("walls"),
              efficiency_key = QStringLiteral("efficiency"), lesson_field = QStringLiteral("lesson");

}  // namespace

/// How the scenario is looked at, as its file keeps it.
std::string MainWindow::view_text() const {
    return QJsonDocument(view_json()).toJson(QJsonDocument::Compact).toStdString();
}

QJsonObject MainWindow::view_json() const {
    QJsonObject view = view_;
    keep_charts(view, charts());
    const bool problems = tabs_->current() == QLatin1String("problems");  // shown when there are some, not kept
    view[page_key] = problems ? QString() : tabs_->current();
    view[curves_key] = name_of(presenter_.curve_set());
    QJsonObject canvas = canvas_->view_state();
    canvas[shown_key] = canvas_shown();
    if (document_.draft()) keep_draft(canvas);
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

/// The draft as text, and what it needs to know its network again.
void MainWindow::keep_draft(QJsonObject& canvas) const {
    const NetworkDraft& draft = *document_.draft();
    canvas[draft_key] = plain(formats::write_network(connected_part(draft)));
    const auto part = static_cast<std::size_t>(document_.draft_part());
    if (!document_.draft_is_related() || part >= document_.scenario().workload.size()) return;
    QJsonObject names;
    for (const auto& [now, before] : editing::renamed_in(draft, *document_.scenario().workload[part].network))
        names[plain(now)] = plain(before);
    canvas[draft_of_key] = document_.draft_part();
    if (!names.isEmpty()) canvas[renamed_key] = names;
}

/// What was drawn when the view was kept, if that was not a valid network.
std::optional<Drawing> MainWindow::drawing_in(const QJsonObject& view, const Scenario& scenario) {
    const QJsonObject canvas = view[canvas_key].toObject();
    if (!canvas.contains(draft_key)) return {};
    auto draft = formats::read_network_draft(canvas[draft_key].toString().toStdString(), "the drawn network");
    if (!draft) return {};
    const int part = canvas[draft_of_key].toInt(-1);
    const auto& workload = scenario.workload;
    if (part < 0 || static_cast<std::size_t>(part) >= workload.size()) return Drawing{std::move(*draft), 0, false};
    std::map<std::string, std::string> renamed;
    const QJsonObject names = canvas[renamed_key].toObject();
    for (auto name = names.begin(); name != names.end(); ++name)
        renamed.emplace(name.key().toStdString(), name.value().toString().toStdString());
    return Drawing{editing::related_to(std::move(*draft), *workload[static_cast<std::size_t>(part)].network, renamed),
                   part, true};
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
