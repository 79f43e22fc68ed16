// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/breadcrumb.hpp"

#include <QHBoxLayout>
#include <QPushButton>

#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {

Breadcrumb::Breadcrumb(QWidget* parent) : QWidget(parent) {
    row_ = new QHBoxLayout(this);
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(6);
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
            row_->addWidget(last, 1);
        } else {
            auto* link = new QPushButton(crumbs_[i].text);
            link->setProperty("kind", QStringLiteral("link"));
            link->setFont(type::table());
            link->setCursor(Qt::PointingHandCursor);
            connect(link, &QPushButton::clicked, this, [this, id = crumbs_[i].id] { emit crumb_clicked(id); });
            row_->addWidget(link);
        }
    }
}

}  // namespace scalescope::ui
