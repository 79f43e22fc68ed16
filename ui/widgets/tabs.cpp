// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs.hpp"

#include <QBoxLayout>
#include <QFontMetrics>
#include <QPainter>

#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

constexpr int strip_tab_height = 24, strip_tab_padding = 10, side_tab_width = 24, side_strip_width = 32;
constexpr int count_height = 16;

QFont strip_font(bool open) {
    QFont font = type::control();
    if (open) font.setWeight(QFont::Medium);
    return font;
}

QFont side_font() {
    QFont font = type::table();
    font.setWeight(QFont::Medium);
    return font;
}

int count_width(int count) {
    return std::max(count_height, QFontMetrics(type::caption()).horizontalAdvance(QString::number(count)) + 9);
}

}  // namespace

StripTab::StripTab(const QString& text, bool vertical, QWidget* parent) : QAbstractButton(parent), vertical_(vertical) {
    setText(text);
    setCheckable(true);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    name();
}

void StripTab::name() { setAccessibleName(count_ < 0 ? text() : QStringLiteral("%1, %2").arg(text()).arg(count_)); }

void StripTab::set_count(int count) {
    if (count == count_) return;
    count_ = count;
    name();
    updateGeometry();
    update();
}

QSize StripTab::sizeHint() const {
    if (vertical_) return {side_tab_width, QFontMetrics(side_font()).horizontalAdvance(text()) + 2 * strip_tab_padding};
    int width = QFontMetrics(strip_font(true)).horizontalAdvance(text()) + 2 * strip_tab_padding;
    if (count_ >= 0) width += 6 + count_width(count_) - 2;
    return {width, strip_tab_height};
}

void StripTab::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    const bool hover = underMouse();
    if (isChecked() || hover || isDown())
        draw_box(painter, QRectF(rect()), isChecked() || isDown() ? t.pressed : t.hover, {}, space::control_radius);
    if (hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange))
        draw_box(painter, QRectF(rect()), {}, t.accent, space::control_radius, 2);
    const QColor ink = isChecked() || hover ? t.text : t.secondary;
    if (vertical_) {
        painter.translate(width(), 0);
        painter.rotate(90);
        return draw_text(painter, QRectF(0, 0, height(), width()), Qt::AlignCenter, text(), side_font(), ink);
    }
    const QRectF inner = QRectF(rect()).adjusted(strip_tab_padding, 0, -strip_tab_padding, 0);
    draw_text(painter, inner, Qt::AlignLeft | Qt::AlignVCenter, text(), strip_font(isChecked()), ink, Qt::ElideNone);
    if (count_ < 0) return;
    const qreal w = count_width(count_);
    const QRectF badge(inner.right() + 2 - w, inner.center().y() - count_height / 2.0, w, count_height);
    if (!isChecked()) draw_box(painter, badge, t.pressed, {}, 4);
    draw_text(painter, badge, Qt::AlignCenter, QString::number(count_), type::caption(), t.secondary);
}

TabStrip::TabStrip(Qt::Orientation orientation, QWidget* parent)
    : QWidget(parent),
      box_(new QBoxLayout(orientation == Qt::Horizontal ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom, this)) {
    box_->addStretch(1);
}

void TabStrip::add_tab(const QString& id, const QString& text) {
    auto* button = new StripTab(text, box_->direction() == QBoxLayout::TopToBottom);
    box_->insertWidget(static_cast<int>(tabs_.size()), button);
    tabs_.push_back({id, button});
    connect(button, &QAbstractButton::clicked, this, [this, id] { choose(id == current_id_ ? QString() : id); });
}

void TabStrip::set_current(const QString& id) {
    current_id_ = id;
    for (const Tab& one : tabs_) one.button->setChecked(one.id == id);
}

void TabStrip::choose(const QString& id) {
    set_current(id);
    emit current_changed(id);
}

StripTab* TabStrip::tab(const QString& id) const {
    for (const Tab& one : tabs_)
        if (one.id == id) return one.button;
    return nullptr;
}

BottomTabs::BottomTabs(QWidget* parent) : TabStrip(Qt::Horizontal, parent) {
    box_->setContentsMargins(0, 1, 0, 0);
    box_->setSpacing(2);
    fold_ = make_icon_button("up", tr("Open the lower panel"));
    alone_ = make_icon_button("fit", tr("Give the page the whole centre"));
    alone_->setObjectName(QStringLiteral("pageAlone"));
    alone_->setCheckable(true);
    alone_->hide();
    connect(alone_, &QToolButton::toggled, this, &BottomTabs::alone_changed);
    box_->addWidget(fold_);
    box_->insertWidget(box_->count() - 1, alone_);
    setFixedHeight(space::bottom_tabs);
    setAccessibleName(tr("Lower panels"));
    connect(fold_, &QToolButton::clicked, this, [this] {
        if (!current_id_.isEmpty()) return choose({});
        const QString first = tabs_.empty() ? QString() : tabs_.front().id;
        choose(last_.isEmpty() ? first : last_);
    });
}

void BottomTabs::set_count(const QString& id, int count) {
    if (auto* found = tab(id)) found->set_count(count);
}

bool BottomTabs::alone() const { return alone_->isChecked(); }

void BottomTabs::set_current(const QString& id) {
    TabStrip::set_current(id);
    alone_->setVisible(!id.isEmpty());
    if (!id.isEmpty()) last_ = id;
    const QString name = id.isEmpty() ? tr("Open the lower panel") : tr("Fold the lower panel");
    fold_->setIcon(icon(id.isEmpty() ? "up" : "down", Tint::secondary));
    fold_->setToolTip(name);
    fold_->setAccessibleName(name);
}

QSize BottomTabs::sizeHint() const { return {400, space::bottom_tabs}; }

void BottomTabs::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(QRectF(0, 0, width(), 1), theme().card_border);
}

SideTabs::SideTabs(QWidget* parent) : TabStrip(Qt::Vertical, parent) {
    constexpr int margin = (side_strip_width - side_tab_width) / 2;
    box_->setContentsMargins(margin, 8, margin, 8);
    box_->setSpacing(4);
    setFixedWidth(side_strip_width);
    setAccessibleName(tr("Folded panels"));
}

QSize SideTabs::sizeHint() const { return {side_strip_width, 240}; }

void SideTabs::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw_box(painter, QRectF(rect()), theme().card, theme().card_border, space::card_radius);
}

}  // namespace scalescope::ui
