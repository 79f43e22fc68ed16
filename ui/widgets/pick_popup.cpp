// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pick_popup.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/basics.hpp"
#include "ui/widgets/search_field.hpp"

namespace scalescope::ui {
namespace {

constexpr int pick_padding = 8, pick_rows_shown = 12, pick_width = 340;

}  // namespace

PickPopup::PickPopup(PickList& owner) : FilterPopup(owner), owner_(owner) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(pick_padding, pick_padding, pick_padding, pick_padding);
    column->setSpacing(6);
    search_ = new SearchField(tr("Search"));
    search_->setAccessibleName(tr("Search in %1").arg(owner.accessibleName()));
    column->addWidget(search_);
    buttons_row_ = make_layout<QHBoxLayout>(nullptr, 4);
    column->addLayout(buttons_row_);
    column->addWidget(list_, 1);
    connect(search_, &QLineEdit::textChanged, this, &PickPopup::filter);
    connect(search_, &SearchField::escaped, this, &QWidget::hide);
    connect(search_, &SearchField::moved, this, [this](int rows) { move(rows); });
    search_->installEventFilter(this);
}

void PickPopup::build_buttons() {
    for (QPushButton* b : buttons_) delete b;
    buttons_.clear();
    while (QLayoutItem* rest = buttons_row_->takeAt(0)) delete rest;
    const auto add = [this](const QString& id, const QString& text, const QString& tip, auto ids) {
        auto* b = new QPushButton(text);
        b->setObjectName(id);
        b->setProperty("kind", QStringLiteral("small"));
        b->setToolTip(tip);
        b->setAutoDefault(false);
        connect(b, &QPushButton::clicked, this, [this, ids] { owner_.pick(ids(), shown()); });
        buttons_row_->addWidget(b);
        buttons_.push_back(b);
    };
    add(QStringLiteral("all"), tr("All"), tr("Pick all that are listed"), [this] { return shown(); });
    add(QStringLiteral("none"), tr("None"), tr("Drop all that are listed"), [] { return QStringList(); });
    for (const PickSet& set : owner_.sets_) add(set.id, set.text, set.tip, [set] { return set.items; });
    buttons_row_->addStretch(1);
}

QPushButton* PickPopup::button(const QString& id) const {
    for (QPushButton* b : buttons_)
        if (b->objectName() == id) return b;
    return nullptr;
}

QStringList PickPopup::shown() const {
    QStringList ids;
    for (int i = 0; i < model_->rowCount(); ++i)
        if (model_->row(i).kind == FilterModel::Kind::item) ids << model_->row(i).id;
    return ids;
}

void PickPopup::filter() {
    const QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    model_->set_rows(
        rows_of(owner_.items_, search_->text(), [&](const ComboItem& item) { return matches(item, words); }), words);
    set_marks();
    if (!words.isEmpty()) move(1);
}

void PickPopup::set_marks() {
    model_->set_marks([this](const QString& id) { return owner_.is_picked(id); });
}

void PickPopup::activate(const QModelIndex& index) {
    if (can_choose(index)) owner_.flip(model_->row(index.row()).id);
}

bool PickPopup::eventFilter(QObject* object, QEvent* event) {
    if (object != search_ || event->type() != QEvent::KeyPress) return QFrame::eventFilter(object, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (list_->currentIndex().isValid()) activate(list_->currentIndex());
            return true;
        case Qt::Key_F4: hide(); return true;
        default: return QFrame::eventFilter(object, event);
    }
}

void PickPopup::show_below() {
    ensurePolished();
    search_->clear();
    filter();
    int height = 0;
    for (int i = 0; i < std::min(model_->rowCount(), pick_rows_shown); ++i) height += list_->sizeHintForRow(i);
    list_->setFixedHeight(height);
    const QSize wanted = sizeHint();
    place(std::max({wanted.width(), width_of_rows() + 2 * pick_padding, pick_width}), wanted.height(), wanted.height());
    show();
    search_->setFocus(Qt::PopupFocusReason);
}

void PickPopup::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    owner_.update();
    owner_.setFocus(Qt::PopupFocusReason);
}

}  // namespace scalescope::ui
