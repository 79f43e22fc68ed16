// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QRectF>
#include <QString>
#include <array>
#include <vector>

#include "core/formats/library.hpp"

class QPainter;

namespace scalescope::ui {

/// What a preset looks like, as plain data: worked out on any thread, painted in the colours of the moment.
struct GalleryPicture {
    // a network: its boxes and the lines between them, in a drawing of this size
    std::vector<QRectF> boxes;
    std::vector<double> amounts;  ///< of each box: its share of the arithmetic of the largest, 0 … 1
    std::vector<QLineF> wires;
    QSizeF size;
    // a scenario: forward, backward, update, communication and idle as shares of the step
    std::array<double, 5> parts{};
    bool has_parts = false;
    // a device, a link, a cluster: bars as shares of the largest of its kind
    std::vector<double> bars;
    QString caption;  ///< a figure below it
    QString problem;  ///< why there is none
};

GalleryPicture picture_of_network(const formats::Library& library, const std::string& id);
GalleryPicture picture_of_scenario(const formats::Library& library, const std::string& id);
GalleryPicture picture_of_device(const Catalogue& catalogue, const Device& device);

void paint_picture(QPainter& painter, const QRectF& box, const GalleryPicture& picture);

}  // namespace scalescope::ui
