// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/overlay_scroll.hpp"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QScrollBar>

namespace scalescope::ui {
namespace {

constexpr int overlay_width = 6;

/// Mirrors the area's own bar, which stays hidden.
class OverlayBar final : public QScrollBar {
public:
    OverlayBar(QAbstractScrollArea& area, int inset) : QScrollBar(Qt::Vertical, &area), area_(area), inset_(inset) {
        setProperty("kind", QStringLiteral("overlay"));
        setFocusPolicy(Qt::NoFocus);
        setCursor(Qt::ArrowCursor);
        area.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        QScrollBar* own = area.verticalScrollBar();
        connect(own, &QScrollBar::rangeChanged, this, &OverlayBar::follow);
        connect(own, &QScrollBar::valueChanged, this, &QScrollBar::setValue);
        connect(this, &QScrollBar::valueChanged, own, &QScrollBar::setValue);
        area.installEventFilter(this);
        follow();
    }

    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Show) follow();
        return QScrollBar::eventFilter(object, event);
    }

private:
    void follow() {
        const QScrollBar* own = area_.verticalScrollBar();
        setPageStep(own->pageStep());
        setSingleStep(own->singleStep());
        setRange(own->minimum(), own->maximum());
        setValue(own->value());
        setGeometry(area_.width() - overlay_width - inset_, 2, overlay_width, area_.height() - 4);
        setVisible(own->maximum() > own->minimum());
        raise();
    }

    QAbstractScrollArea& area_;
    int inset_;
};

}  // namespace

void use_overlay_scroll_bar(QAbstractScrollArea& area, int inset) { new OverlayBar(area, inset); }

}  // namespace scalescope::ui
