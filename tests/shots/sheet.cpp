// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/sheet.hpp"

#include <QPainter>

#include "ui/theme/theme.hpp"

namespace scalescope::shots {

QImage contact_sheet(const std::vector<Picture>& pictures, bool dark) {
    constexpr int columns = 4, width = 520, height = 330, caption = 24, gap = 12;
    const ui::Theme& theme = dark ? ui::Theme::dark_theme() : ui::Theme::light();
    const int rows = (static_cast<int>(pictures.size()) + columns - 1) / columns;
    QImage sheet(columns * (width + gap) + gap, rows * (height + caption + gap) + gap, QImage::Format_RGB32);
    sheet.fill(theme.axis);
    QPainter painter(&sheet);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setFont(ui::type::table());
    painter.setPen(theme.text);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const int at = static_cast<int>(i);
        const QRect cell(gap + at % columns * (width + gap), gap + at / columns * (height + caption + gap), width,
                         height);
        QImage small = pictures[i].image.scaled(cell.size(), Qt::KeepAspectRatio, Qt::SmoothTransformation);
        small.setDevicePixelRatio(1);
        painter.drawImage(cell.topLeft() + QPoint((width - small.width()) / 2, (height - small.height()) / 2), small);
        painter.drawText(QRect(cell.left(), cell.bottom() + 2, width, caption), Qt::AlignCenter, pictures[i].name);
    }
    return sheet;
}

}  // namespace scalescope::shots
