// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "core/report/report.hpp"

/// A report as a file, in the light colours whatever the window has. Asks for an application, not for a window.
namespace scalescope::ui {

/// A4, drawings and text as vectors.
QByteArray report_pdf(const report::Report& report);
/// One self-contained page.
QByteArray report_html(const report::Report& report);
/// What the ending of the name says, .pdf or .html; written whole or not at all.
Result<void> save_report(const report::Report& report, const QString& path);
/// Nothing if a report can be written under such a name; else what is wrong with it.
Result<void> check_report_name(const QString& path);

}  // namespace scalescope::ui
