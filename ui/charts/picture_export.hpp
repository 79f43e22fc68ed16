// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>
#include <functional>

#include "core/base/problem.hpp"

class QPaintDevice;

/// The one way a drawing becomes a file, whether it is a chart or the network: size, resolution, title and description
/// are the same everywhere.
namespace scalescope::ui {

struct Theme;

struct ExportOptions {
    QSize size{800, 400};         ///< logical pixels, 96 to the inch
    double scale = 1.0;           ///< device pixels per logical pixel, PNG and copied images only
    const Theme* look = nullptr;  ///< colours; nullptr: the light theme
};

/// Something that draws itself in logical pixels.
struct Picture {
    QString title, description;  ///< go along as metadata
    std::function<void(QPaintDevice& device, QSize size, const Theme& look)> draw;
};

QImage picture_image(const Picture& picture, const ExportOptions& options);
QByteArray picture_png(const Picture& picture, const ExportOptions& options);
QByteArray picture_svg(const Picture& picture, const ExportOptions& options);
QByteArray picture_pdf(const Picture& picture, const ExportOptions& options);

/// Of a format with that suffix (png, svg, pdf); nothing for another.
QByteArray picture_bytes(const Picture& picture, const QString& suffix, const ExportOptions& options);
/// Written whole or not at all; a Problem names the file and what to do.
Result<void> save_bytes(const QString& path, const QByteArray& bytes);
/// "… was not saved: WHY."
Problem cannot_save(const QString& path, const QString& why);

}  // namespace scalescope::ui
