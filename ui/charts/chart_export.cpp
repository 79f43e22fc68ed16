// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.hpp"

#include <QBuffer>
#include <QFileInfo>
#include <QMimeData>
#include <QPageLayout>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int dots_per_inch = 96;
constexpr int largest_side = 16384;  // device pixels of a picture: a gigabyte, no more

const Theme& look_of(const ExportOptions& options) { return options.look ? *options.look : Theme::light(); }

QSize sound(QSize size) {
    return {std::clamp(size.width(), 80, largest_side), std::clamp(size.height(), 60, largest_side)};
}

Problem cannot_write(const QString& path, const QString& why) {
    Problem problem;
    problem.what = "The chart was not saved: " + why.toStdString() + ".";
    problem.where = path.toStdString();
    problem.remedy = "Choose another folder or name.";
    return problem;
}

}  // namespace

QImage chart_image(const Chart& chart, const ExportOptions& options) {
    const QSize size = sound(options.size);
    const double widest = static_cast<double>(largest_side) / std::max(size.width(), size.height());
    const double scale = std::clamp(std::isfinite(options.scale) ? options.scale : 1.0, 0.25, widest);
    QImage image(QSize(qRound(size.width() * scale), qRound(size.height() * scale)),
                 QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(look_of(options).card);
    chart.draw_on(image, size, look_of(options));
    image.setText(QStringLiteral("Title"), chart.title());
    image.setText(QStringLiteral("Description"),
                  (QStringList(chart.description()) + chart.notes()).join(QLatin1Char('\n')));
    return image;
}

QByteArray chart_png(const Chart& chart, const ExportOptions& options) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImage image = chart_image(chart, options).convertToFormat(QImage::Format_RGB32);
    const int per_metre = qRound(dots_per_inch / 0.0254 * image.devicePixelRatio());
    image.setDotsPerMeterX(per_metre);  // a 2× picture prints at the same size
    image.setDotsPerMeterY(per_metre);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray chart_svg(const Chart& chart, const ExportOptions& options) {
    const QSize size = sound(options.size);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(dots_per_inch);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(chart.title());
    generator.setDescription((QStringList(chart.description()) + chart.notes()).join(QLatin1Char('\n')));
    chart.draw_on(generator, size, look_of(options));
    buffer.close();
    return bytes;
}

QByteArray chart_pdf(const Chart& chart, const ExportOptions& options) {
    const QSize size = sound(options.size);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(dots_per_inch);
        writer.setTitle(chart.title());
        writer.setCreator(QStringLiteral("Scalescope"));
        writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / dots_per_inch, QPageSize::Point, {}, QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        chart.draw_on(writer, size, look_of(options));
    }
    return bytes;
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
    QByteArray bytes;
    if (suffix == QLatin1String("png"))
        bytes = chart_png(chart, options);
    else if (suffix == QLatin1String("svg"))
        bytes = chart_svg(chart, options);
    else if (suffix == QLatin1String("pdf"))
        bytes = chart_pdf(chart, options);
    else if (suffix == QLatin1String("csv"))
        bytes = chart_csv(chart);
    else {
        Problem problem = cannot_write(path, QStringLiteral("“%1” is no format a chart has").arg(suffix));
        problem.remedy = "Use a name that ends in .png, .svg, .pdf or .csv.";
        return fail(problem);
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return fail(cannot_write(path, file.errorString()));
    if (file.write(bytes) != bytes.size() || !file.commit()) return fail(cannot_write(path, file.errorString()));
    return {};
}

}  // namespace scalescope::ui
