// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <utility>
#include <vector>

#include "core/estimate/curves.hpp"
#include "ui/charts/chart.hpp"

/// What a scenario's file keeps of how it was looked at: its "view". No number follows from it, so that anything in it
/// that makes no sense is passed over.
namespace scalescope::ui {

/// Puts ranges and hidden series of the charts into `view`; charts that show everything take no room.
void keep_charts(QJsonObject& view, const NamedCharts& charts);
/// The charts as `view` says; those it does not name show everything.
void show_charts(const QJsonObject& view, const NamedCharts& charts);

QString name_of(CurveSet set);
/// Nothing for a name that is none.
std::optional<CurveSet> curve_set_of(const QString& name);

}  // namespace scalescope::ui
