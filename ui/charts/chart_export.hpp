// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>
#include <memory>

#include "core/base/problem.hpp"
#include "ui/charts/picture_export.hpp"

class QMimeData;

/// The one way a chart leaves the program, for the menu, for "export all" and for the command line. No window need be
/// shown; everything is drawn by Chart::draw_on. The notes of the chart go along: as comment lines in CSV, as metadata
/// in pictures.
namespace scalescope::ui {

class Chart;

QImage chart_image(const Chart& chart, const ExportOptions& options);
QByteArray chart_png(const Chart& chart, const ExportOptions& options);
QByteArray chart_svg(const Chart& chart, const ExportOptions& options);
QByteArray chart_pdf(const Chart& chart, const ExportOptions& options);
QByteArray chart_csv(const Chart& chart);

/// Image, text/csv and tabbed text/plain together: whoever pastes takes what it understands.
std::unique_ptr<QMimeData> chart_mime(const Chart& chart, const ExportOptions& options);

/// The format follows the suffix (png, svg, pdf, csv). Written whole or not at all; a Problem names the file and what
/// to do.
Result<void> save_chart(const Chart& chart, const QString& path, const ExportOptions& options);

}  // namespace scalescope::ui
