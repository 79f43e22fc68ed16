// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/upright_scroll.hpp"

#include <QEvent>

#include "ui/theme/px.hpp"
#include "ui/widgets/overlay_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr Px least_height{48};

}  // namespace

UprightScroll::UprightScroll(QWidget* content, int bar_inset) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setWidget(content);
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    use_overlay_scroll_bar(*this, bar_inset);
}

QSize UprightScroll::sizeHint() const { return asks_for_all_ ? widget()->sizeHint() : QScrollArea::sizeHint(); }

QSize UprightScroll::minimumSizeHint() const {
    const QSize least = widget()->minimumSizeHint();
    return {least.width(), keeps_all_ ? least.height() : least_height};
}

bool UprightScroll::eventFilter(QObject* object, QEvent* event) {
    // A text that changes asks for a layout of its own pane, rarely for one of the whole window.
    if (event->type() == QEvent::LayoutRequest)
        if (const QSize asked = sizeHint(), least = minimumSizeHint(); asked != asked_ || least != least_) {
            asked_ = asked;
            least_ = least;
            updateGeometry();
        }
    return QScrollArea::eventFilter(object, event);
}

}  // namespace scalescope::ui
