// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <optional>
#include <string>

#include "core/estimate/curves.hpp"
#include "ui/charts/chart.hpp"
#include "ui/document/document.hpp"

/// What a scenario's file keeps of how it was looked at: its "view". No number follows from it, so that anything in it
/// that makes no sense is passed over.
namespace scalescope::ui {

/// Puts ranges and hidden series of the charts into `view`; charts that show everything take no room.
void keep_charts(QJsonObject& view, const NamedCharts& charts);
/// The charts as `view` says; those it does not name show everything.
void show_charts(const QJsonObject& view, const NamedCharts& charts);

/// Stores the draft in the state of the canvas, with what is needed to recognize its network when it is restored.
void keep_draft(QJsonObject& canvas, const Document& document);
/// What was drawn when the view was kept, if that was not a valid network.
std::optional<Drawing> drawing_in(const QJsonObject& view, const Scenario& scenario);
inline const QString canvas_key = QStringLiteral("canvas");

std::string json_text(const QJsonObject& object);
/// The JSON object in a text; empty if the text is not valid.
QJsonObject json_of(const std::string& text);

QString name_of(CurveSet set);
/// Nothing for a name that is none.
std::optional<CurveSet> curve_set_of(const QString& name);

}  // namespace scalescope::ui
