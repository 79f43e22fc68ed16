// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/banner.hpp"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/icon_label.hpp"

namespace scalescope::ui {

Banner::Banner(Kind kind, Form form, QWidget* parent) : QFrame(parent), kind_(kind), form_(form) {
    const char* name = kind == Kind::info ? "info" : kind == Kind::warning ? "warn" : "error";
    icon_ = new IconLabel(name, Tint::by_name, 16);
    label_ = make_label({}, type::control());
    label_->setTextFormat(Qt::RichText);
    label_->setTextInteractionFlags(Qt::LinksAccessibleByMouse);
    brief_ = new ElidedLabel;
    brief_->setFont(type::control());
    brief_->hide();
    more_ = make_icon_button("down", tr("Show the whole text"));
    more_->hide();
    connect(more_, &QToolButton::clicked, this, [this] { show_brief(false); });
    close_ = make_icon_button("close", tr("Dismiss"));
    close_->hide();
    connect(close_, &QToolButton::clicked, this, [this] {
        hide();
        emit closed();
    });
    buttons_ = make_layout<QHBoxLayout>(nullptr, 8);
    auto* row = new QHBoxLayout(this);
    row->setSpacing(8);
    if (form == Form::box) {
        row->setContentsMargins(12, 10, 12, 10);
        row->addWidget(icon_, 0, Qt::AlignTop);
        auto* column = make_layout<QVBoxLayout>(nullptr, 0);
        label_->setWordWrap(true);
        column->addStretch(1);
        column->addWidget(label_);
        column->addWidget(brief_);
        buttons_->addStretch(1);
        column->addLayout(buttons_);
        column->addStretch(1);
        row->addLayout(column, 1);
        row->addWidget(close_, 0, Qt::AlignTop);
    } else {
        row->setContentsMargins(12, 0, 12, 0);
        row->addWidget(icon_);
        label_->setWordWrap(true);
        row->addWidget(label_, 1);
        row->addWidget(brief_, 1);
        row->addLayout(buttons_);
        row->addWidget(close_);
        setMinimumHeight(36);
    }
    row->insertWidget(row->count() - 1, more_, 0, Qt::AlignTop);
}

void Banner::set_text(const QString& strong, const QString& text) {
    const QString first =
        strong.isEmpty() ? QString()
                         : QStringLiteral("<span style=\"font-weight:600\">%1</span> ").arg(strong.toHtmlEscaped());
    about_file_ = false;
    show_brief(false);
    label_->setText(first + breakable(text).toHtmlEscaped());
    setAccessibleName(strong.isEmpty() ? text : strong + QLatin1Char(' ') + text);
}

void Banner::set_brief(const QString& text) {
    set_text({}, text);
    brief_->setText(text);
    show_brief(true);
}

void Banner::show_brief(bool on) {
    brief_->setVisible(on);
    label_->setVisible(!on);
    const int beside = 3 * close_->sizeHint().width() + 2 * icon_->sizeHint().width();
    more_->setVisible(on && text_width(brief_->font(), brief_->text()) > width() - beside);
}

void Banner::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    if (!brief_->isHidden()) show_brief(true);
}

QPushButton* Banner::add_button(const QString& text, bool primary) {
    auto* button = new QPushButton(text);
    button->setProperty("kind", primary ? QStringLiteral("small primary") : QStringLiteral("small"));
    if (form_ == Form::box) buttons_->setContentsMargins(0, 8, 0, 0);
    if (form_ == Form::box)
        buttons_->insertWidget(buttons_->count() - 1, button);
    else
        buttons_->addWidget(button);
    return button;
}

void Banner::offer_changed_file(const QString& file, const std::function<void()>& reload,
                                const std::function<void()>& keep, const std::function<void()>& save_as) {
    remove_buttons();
    set_text({}, tr("%1 was changed by another program since it was read here.").arg(QFileInfo(file).fileName()));
    connect(add_button(tr("Reload"), true), &QPushButton::clicked, this, reload);
    connect(add_button(tr("Keep mine")), &QPushButton::clicked, this, keep);
    connect(add_button(tr("Save as…")), &QPushButton::clicked, this, save_as);
    about_file_ = true;
    show();
}

void Banner::remove_buttons() {
    for (int i = buttons_->count() - 1; i >= 0; --i)
        if (QWidget* button = buttons_->itemAt(i)->widget()) {
            buttons_->removeWidget(button);
            button->deleteLater();
        }
    buttons_->setContentsMargins(0, 0, 0, 0);
}

void Banner::set_closable(bool on) { close_->setVisible(on); }
void Banner::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    const QColor fill = kind_ == Kind::info ? t.selection : kind_ == Kind::warning ? t.warning_fill : t.error_fill;
    const QColor edge = kind_ == Kind::info ? QColor() : kind_ == Kind::warning ? t.unknown_border : t.error_border;
    if (form_ == Form::strip)
        painter.fillRect(rect(), fill);
    else
        draw_box(painter, QRectF(rect()), fill, edge, space::control_radius);
}

Banner* add_banner(QVBoxLayout& column, Banner::Kind kind) {
    auto* banner = new Banner(kind, Banner::Form::box);
    banner->set_closable(true);
    banner->hide();
    column.addWidget(banner);
    return banner;
}

EmptyState::EmptyState(const char* icon_name, const QString& headline, const QString& text, const QString& button,
                       QWidget* parent)
    : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(4);
    column->addStretch(1);
    column->addWidget(new IconLabel(icon_name, Tint::secondary, 24), 0, Qt::AlignHCenter);
    column->addSpacing(4);
    auto* first = make_label(headline, type::title());
    first->setAlignment(Qt::AlignHCenter);
    QFont medium = type::control();
    medium.setWeight(QFont::Medium);
    first->setFont(medium);
    auto* second = make_label(text, type::table(), Ink::secondary);
    second->setWordWrap(true);
    second->setAlignment(Qt::AlignHCenter);
    column->addWidget(first);
    column->addWidget(second);
    if (!button.isEmpty()) {
        auto* action = new QPushButton(button);
        action->setProperty("kind", QStringLiteral("small"));
        column->addSpacing(6);
        column->addWidget(action, 0, Qt::AlignHCenter);
        connect(action, &QPushButton::clicked, this, &EmptyState::clicked);
    }
    column->addStretch(1);
}

}  // namespace scalescope::ui
