// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tour/tour.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/help/help_guide.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

constexpr int tour_width = 320, tour_gap = 10, ring_width = 3;

}  // namespace

/// Round what is pointed at; the pointer goes through it.
class Tour::Ring final : public QWidget {
public:
    explicit Ring(QWidget* window) : QWidget(window) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        draw_box(painter, QRectF(rect()), {}, theme().accent, space::card_radius, ring_width);
    }
};

Tour::Tour(QWidget* window) : QFrame(window), ring_(new Ring(window)) {
    setObjectName(QStringLiteral("tour"));
    setAccessibleName(tr("Tour"));
    setFocusPolicy(Qt::StrongFocus);
    set_help(*this, QStringLiteral("window-tour"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(8);
    title_ = make_label({}, type::title());
    text_ = make_label({}, type::control());
    for (QLabel* label : {title_, text_}) {
        label->setWordWrap(true);
        column->addWidget(label);
    }
    auto* row = new QHBoxLayout;
    count_ = make_label({}, type::caption(), Ink::secondary);
    skip_ = new QPushButton(tr("Skip"));
    back_ = new QPushButton(tr("Back"));
    next_ = new QPushButton;
    offer_ = new QPushButton;
    skip_->setObjectName(QStringLiteral("tourSkip"));
    back_->setObjectName(QStringLiteral("tourBack"));
    next_->setObjectName(QStringLiteral("tourNext"));
    offer_->setObjectName(QStringLiteral("tourOffer"));
    next_->setProperty("kind", QStringLiteral("primary"));
    row->addWidget(count_, 1);
    row->addWidget(skip_);
    row->addWidget(back_);
    row->addWidget(offer_);
    row->addWidget(next_);
    column->addLayout(row);
    connect(skip_, &QPushButton::clicked, this, &Tour::end);
    connect(back_, &QPushButton::clicked, this, [this] { go_to(stop_ - 1); });
    connect(next_, &QPushButton::clicked, this, [this] { go_to(stop_ + 1); });
    connect(offer_, &QPushButton::clicked, this, [this] {
        const auto take = running() ? stops_[static_cast<std::size_t>(stop_)].take : nullptr;
        end();
        if (take) take();
    });
    hide();
}

QWidget* Tour::target() const { return running() ? stops_[static_cast<std::size_t>(stop_)].at : nullptr; }

void Tour::begin(std::vector<TourStop> stops) {
    end();
    const auto usable = [](const TourStop& s) { return s.at && s.at->isVisible(); };
    std::copy_if(stops.begin(), stops.end(), std::back_inserter(stops_), usable);
    if (stops_.empty()) return;
    parentWidget()->installEventFilter(this);
    go_to(0);
    next_->setFocus(Qt::OtherFocusReason);
}

void Tour::end() {
    if (!running()) return;
    parentWidget()->removeEventFilter(this);
    if (QWidget* now = target()) now->removeEventFilter(this);
    stops_.clear();
    ring_->hide();
    hide();
    emit ended();
}

void Tour::go_to(int stop) {
    if (QWidget* before = target()) before->removeEventFilter(this);
    const int count = static_cast<int>(stops_.size());
    if (stop >= count) return end();
    const bool by_keys = isVisible() && isAncestorOf(window()->focusWidget());
    stop_ = std::max(stop, 0);
    const TourStop& now = stops_[static_cast<std::size_t>(stop_)];
    if (!now.at) return end();
    now.at->installEventFilter(this);
    title_->setText(now.title);
    text_->setText(now.text);
    count_->setText(tr("%1 of %2").arg(stop_ + 1).arg(count));
    back_->setVisible(stop_ > 0);
    const bool last = stop_ + 1 == count;
    skip_->setHidden(last);
    next_->setText(last ? tr("Done") : tr("Next"));
    offer_->setVisible(!now.offer.isEmpty());
    offer_->setText(now.offer);
    setAccessibleDescription(now.title + QLatin1Char(' ') + now.text);
    show();
    place();
    if (by_keys) next_->setFocus();
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

/// Beside what it points at, where there is most room, and inside the window in any case.
void Tour::place() {
    QWidget* at = target();
    if (!at || !at->isVisible()) return end();
    const QRect window = parentWidget()->rect();
    const QRect target(at->mapTo(parentWidget(), QPoint(0, 0)), at->size());
    ring_->setGeometry(target.adjusted(-ring_width, -ring_width, ring_width, ring_width).intersected(window));
    ring_->show();
    ring_->raise();
    // Three buttons with long words need more.
    const int wanted = std::max(tour_width, layout()->totalMinimumSize().width());
    setFixedWidth(std::min(wanted, window.width() - 2 * tour_gap));
    layout()->activate();
    const int height = layout()->heightForWidth(width()) > 0 ? layout()->heightForWidth(width()) : sizeHint().height();
    resize(width(), height);
    const int below = window.bottom() - target.bottom(), above = target.top() - window.top(),
              right = window.right() - target.right(), left = target.left() - window.left();
    QPoint corner;
    if (below >= height + tour_gap)
        corner = {target.left(), target.bottom() + tour_gap};
    else if (above >= height + tour_gap)
        corner = {target.left(), target.top() - height - tour_gap};
    else if (std::max(left, right) >= width() + tour_gap)
        corner = {right >= left ? target.right() + tour_gap : target.left() - width() - tour_gap, target.top()};
    else
        corner = {target.right() - width() - tour_gap, target.top() + tour_gap};  // over it, in its corner
    corner.setX(std::clamp(corner.x(), tour_gap, std::max(tour_gap, window.width() - width() - tour_gap)));
    corner.setY(std::clamp(corner.y(), tour_gap, std::max(tour_gap, window.height() - height - tour_gap)));
    move(corner);
    raise();
}

bool Tour::eventFilter(QObject* object, QEvent* event) {
    switch (event->type()) {
        case QEvent::Resize:
        case QEvent::Move:
        case QEvent::Show:
        case QEvent::Hide:
        case QEvent::LayoutRequest:
            // Once all have their places.
            QMetaObject::invokeMethod(
                this,
                [this] {
                    if (running()) place();
                },
                Qt::QueuedConnection);
            break;
        case QEvent::KeyPress:
            if (object == parentWidget() && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) end();
            break;
        default: break;
    }
    return QFrame::eventFilter(object, event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return end();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        auto* button = qobject_cast<QPushButton*>(focusWidget());
        return (button && button->hasFocus() ? button : next_)->click();
    }
    QFrame::keyPressEvent(event);
}

void Tour::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw_box(painter, QRectF(rect()), theme().card, theme().accent, space::card_radius, 2);
}

}  // namespace scalescope::ui
