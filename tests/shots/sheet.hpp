// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <vector>

namespace scalescope::shots {

struct Picture {
    QString name;
    QImage image;
};

/// All pictures, small, side by side with their names below.
QImage contact_sheet(const std::vector<Picture>& pictures, bool dark);

}  // namespace scalescope::shots
