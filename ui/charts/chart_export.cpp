// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.hpp"

#include <QFileInfo>
#include <QMimeData>

#include "ui/charts/chart.hpp"

namespace scalescope::ui {
namespace {

Picture picture_of(const Chart& chart) {
    return {chart.title(), (QStringList(chart.description()) + chart.notes()).join(QLatin1Char('\n')),
            [&chart](QPaintDevice& device, QSize size, const Theme& look) { chart.draw_on(device, size, look); }};
}

}  // namespace

QImage chart_image(const Chart& chart, const ExportOptions& options) {
    return picture_image(picture_of(chart), options);
}
QByteArray chart_png(const Chart& chart, const ExportOptions& options) {
    return picture_png(picture_of(chart), options);
}
QByteArray chart_svg(const Chart& chart, const ExportOptions& options) {
    return picture_svg(picture_of(chart), options);
}
QByteArray chart_pdf(const Chart& chart, const ExportOptions& options) {
    return picture_pdf(picture_of(chart), options);
}
QByteArray chart_csv(const Chart& chart) { return to_csv(chart.table(), chart.notes()); }

std::unique_ptr<QMimeData> chart_mime(const Chart& chart, const ExportOptions& options) {
    auto mime = std::make_unique<QMimeData>();
    mime->setImageData(chart_image(chart, options));
    mime->setData(QStringLiteral("text/csv"), chart_csv(chart));
    mime->setText(to_tabbed_text(chart.table()));
    return mime;
}

Result<void> save_chart(const Chart& chart, const QString& path, const ExportOptions& options) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    const QByteArray bytes =
        suffix == QLatin1String("csv") ? chart_csv(chart) : picture_bytes(picture_of(chart), suffix, options);
    if (bytes.isEmpty()) {
        Problem problem = cannot_save(path, QStringLiteral("“%1” is no format a chart has").arg(suffix));
        problem.remedy = "Use a name that ends in .png, .svg, .pdf or .csv.";
        return fail(problem);
    }
    return save_bytes(path, bytes);
}

}  // namespace scalescope::ui
