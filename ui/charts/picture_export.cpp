// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/picture_export.hpp"

#include <QBuffer>
#include <QPageLayout>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "ui/charts/svg_texts.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int dots_per_inch = 96;
constexpr int largest_side = 16384;  // device pixels of a picture: a gigabyte, no more

const Theme& look_of(const ExportOptions& options) { return options.look ? *options.look : Theme::light(); }

QSize sound(QSize size) {
    return {std::clamp(size.width(), 80, largest_side), std::clamp(size.height(), 60, largest_side)};
}

}  // namespace

Problem cannot_save(const QString& path, const QString& why) {
    Problem problem;
    problem.what = "The chart was not saved: " + why.toStdString() + ".";
    problem.where = path.toStdString();
    problem.remedy = "Choose another folder or name.";
    return problem;
}

QImage picture_image(const Picture& picture, const ExportOptions& options) {
    const QSize size = sound(options.size);
    const double widest = static_cast<double>(largest_side) / std::max(size.width(), size.height());
    const double scale = std::clamp(std::isfinite(options.scale) ? options.scale : 1.0, 0.25, widest);
    QImage image(QSize(qRound(size.width() * scale), qRound(size.height() * scale)),
                 QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(look_of(options).card);
    picture.draw(image, size, look_of(options));
    image.setText(QStringLiteral("Title"), picture.title);
    image.setText(QStringLiteral("Description"), picture.description);
    return image;
}

QByteArray picture_png(const Picture& picture, const ExportOptions& options) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImage image = picture_image(picture, options).convertToFormat(QImage::Format_RGB32);
    const int per_metre = qRound(dots_per_inch / 0.0254 * image.devicePixelRatio());
    image.setDotsPerMeterX(per_metre);  // a 2× picture prints at the same size
    image.setDotsPerMeterY(per_metre);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray picture_svg(const Picture& picture, const ExportOptions& options) {
    const QSize size = sound(options.size);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(dots_per_inch);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(picture.title);
    generator.setDescription(picture.description);
    picture.draw(generator, size, look_of(options));
    buffer.close();
    return with_outlined_texts(bytes);
}

QByteArray picture_pdf(const Picture& picture, const ExportOptions& options) {
    const QSize size = sound(options.size);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(dots_per_inch);
        writer.setTitle(picture.title);
        writer.setCreator(QStringLiteral("Scalescope"));
        writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / dots_per_inch, QPageSize::Point, {}, QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        picture.draw(writer, size, look_of(options));
    }
    return bytes;
}

QByteArray picture_bytes(const Picture& picture, const QString& suffix, const ExportOptions& options) {
    if (suffix == QLatin1String("png")) return picture_png(picture, options);
    if (suffix == QLatin1String("svg")) return picture_svg(picture, options);
    if (suffix == QLatin1String("pdf")) return picture_pdf(picture, options);
    return {};
}

Result<void> save_bytes(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return fail(cannot_save(path, file.errorString()));
    if (file.write(bytes) != bytes.size() || !file.commit()) return fail(cannot_save(path, file.errorString()));
    return {};
}

}  // namespace scalescope::ui
