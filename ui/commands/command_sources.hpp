// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart.hpp"
#include "ui/commands/command.hpp"

class QMenuBar;

namespace scalescope {
struct Catalogue;
}

namespace scalescope::ui {

class Document;

/// Where commands come from. All of them are walked anew each time the palette opens, so that whatever joins a menu, a
/// list or the field table is in it.

/// Every action of the menus, those that are filled as they open too.
void add_actions(Commands& all, const QMenuBar& menus);
/// What can be chosen in the lists and segments of a panel that are of use at the moment.
void add_choices(Commands& all, const QWidget& panel);
/// Every field: leads to where it is set.
void add_fields(Commands& all, const Document& document, const std::function<void(const QString&)>& go_to);
/// `go_to` shows a chart and gives it the keyboard.
void add_charts(Commands& all, const NamedCharts& charts, const std::function<void(Chart*)>& go_to);
/// For "workers 16": sets it, as one undo step; what the field refuses is off and says why.
Commands setting_commands(const QString& typed, Document& document, const Catalogue& catalogue);

}  // namespace scalescope::ui
