// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/breadcrumb.hpp"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <algorithm>

#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {

namespace {

/// Where there is no room for all of a link, its beginning; the rest in the tooltip.
class CrumbLink final : public QPushButton {
public:
    explicit CrumbLink(const QString& text) : QPushButton(text) {
        setProperty("kind", QStringLiteral("link"));
        setFont(type::table());
        setCursor(Qt::PointingHandCursor);
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    }
    QSize minimumSizeHint() const override {
        return {std::min(60, sizeHint().width()), QPushButton::minimumSizeHint().height()};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        option.text = fontMetrics().elidedText(text(), Qt::ElideRight, width());
        painter.drawControl(QStyle::CE_PushButton, option);
    }
    void resizeEvent(QResizeEvent* event) override {
        QPushButton::resizeEvent(event);
        setToolTip(fontMetrics().horizontalAdvance(text()) > width() ? text() : QString());
    }
};

}  // namespace

Breadcrumb::Breadcrumb(QWidget* parent) : QWidget(parent) {
    row_ = make_layout<QHBoxLayout>(this, 6);
    setFixedHeight(20);
    setAccessibleName(tr("Path"));
}

void Breadcrumb::set_crumbs(const std::vector<Crumb>& crumbs) {
    if (crumbs == crumbs_) return;
    crumbs_ = crumbs;
    while (QLayoutItem* item = row_->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < crumbs_.size(); ++i) {
        if (i > 0) row_->addWidget(make_label(QStringLiteral("›"), type::control(), Ink::secondary));
        if (i + 1 == crumbs_.size()) {
            auto* last = new ElidedLabel(crumbs_[i].text);
            last->setFont(type::table());
            set_ink(*last, Ink::secondary);
            // The name of most layers; a long path is narrow before all.
            if (crumbs_.size() < 4) last->set_least_width(56);
            row_->addWidget(last, 1);
        } else {
            auto* link = new CrumbLink(crumbs_[i].text);
            connect(link, &QPushButton::clicked, this, [this, id = crumbs_[i].id] { emit crumb_clicked(id); });
            row_->addWidget(link);
        }
    }
    // Whoever asks for the size next has that of these, not of the ones before.
    for (int i = 0; i < row_->count(); ++i) row_->itemAt(i)->widget()->show();
    row_->invalidate();
    updateGeometry();
}

}  // namespace scalescope::ui
