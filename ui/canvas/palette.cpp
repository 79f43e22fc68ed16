// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/palette.hpp"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QListWidget>
#include <QMimeData>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>
#include <vector>

#include "core/drawing/caption.hpp"
#include "ui/canvas/kind_family.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/overlay_scroll.hpp"
#include "ui/widgets/search_field.hpp"

namespace scalescope::ui {
namespace {

constexpr int row_height = 26, heading_height = 24, kind_role = Qt::UserRole, heading_role = Qt::UserRole + 1,
              icon_role = Qt::UserRole + 2;

class PaletteDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const QString words = index.data(Qt::DisplayRole).toString();
        if (index.data(heading_role).toBool()) {
            draw_text(*painter, QRectF(option.rect).adjusted(6, 6, -6, 0), Qt::AlignLeft | Qt::AlignVCenter, words,
                      type::caption(), t.secondary);
            return;
        }
        const bool lit = option.state.testFlag(QStyle::State_MouseOver);
        const bool focus = option.state.testFlag(QStyle::State_HasFocus);
        if (lit || focus)
            draw_box(*painter, QRectF(option.rect).adjusted(0, 1, 0, -1), focus ? t.selection : t.hover, {}, 4, 0);
        draw_icon(*painter, index.data(icon_role).toString(),
                  QRectF(option.rect.left() + 6, option.rect.center().y() - 6, 14, 14), t.secondary);
        draw_text(*painter, QRectF(option.rect).adjusted(28, 0, -6, 0), Qt::AlignLeft | Qt::AlignVCenter, words,
                  type::control(), t.text);
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        return {80, index.data(heading_role).toBool() ? heading_height : row_height};
    }
};

class PaletteList final : public QListWidget {
public:
    PaletteList() {
        setDragEnabled(true);
        setDragDropMode(QAbstractItemView::DragOnly);
        setSelectionMode(QAbstractItemView::SingleSelection);
    }

protected:
    QMimeData* mimeData(const QList<QListWidgetItem*>& items) const override {
        auto* mime = new QMimeData;
        if (!items.isEmpty())
            mime->setData(QLatin1String(kind_mime), items.front()->data(kind_role).toString().toUtf8());
        return mime;
    }
};

}  // namespace

Palette::Palette(QWidget* parent)
    : QWidget(parent), search_(new SearchField(tr("Find a kind"))), list_(new PaletteList) {
    auto* column = make_layout<QVBoxLayout>(this, 4);
    search_->setObjectName(QStringLiteral("paletteSearch"));
    list_->setObjectName(QStringLiteral("palette"));
    list_->setAccessibleName(tr("Kinds of layers"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setItemDelegate(new PaletteDelegate(list_));
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->viewport()->setAutoFillBackground(false);
    use_overlay_scroll_bar(*list_, 0);
    column->addWidget(search_);
    column->addWidget(list_, 1);
    fill();
    connect(search_, &QLineEdit::textChanged, this, &Palette::fill);
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        for (int r = 0; r < list_->count(); ++r)
            if (!list_->item(r)->data(heading_role).toBool()) {
                choose_row(r);
                return search_->selectAll();  // the next one is typed over it
            }
    });
    connect(search_, &SearchField::moved, this, [this] { list_->setFocus(Qt::OtherFocusReason); });
    connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { choose_row(list_->row(item)); });
    list_->installEventFilter(this);
}

void Palette::fill() {
    const QString wanted = search_->text().trimmed();
    list_->clear();
    const auto matches = [&](const Kind& kind) {
        return wanted.isEmpty() || told(kind.title).contains(wanted, Qt::CaseInsensitive) ||
               told(kind.name).contains(wanted, Qt::CaseInsensitive);
    };
    const auto add_group = [&](const QString& title, const std::vector<const Kind*>& kinds) {
        bool headed = false;
        for (const Kind* kind : kinds) {
            if (!matches(*kind)) continue;
            if (!std::exchange(headed, true)) {
                auto* heading = new QListWidgetItem(title, list_);
                heading->setData(heading_role, true);
                heading->setFlags(Qt::NoItemFlags);
            }
            auto* item = new QListWidgetItem(told(kind->title), list_);
            item->setData(kind_role, told(kind->name));
            item->setData(icon_role, family_icon(*kind));
            item->setToolTip(
                tr("%1. Click: behind what is selected. Drag: to where you want it.").arg(told(kind->title)));
        }
    };
    std::vector<const Kind*> rest(all_kinds().begin(), all_kinds().end());
    for (const KindFamily& family : kind_families()) {
        std::vector<const Kind*> kinds;
        for (const auto name : family.kinds) {
            const auto it = std::find_if(rest.begin(), rest.end(), [&](const Kind* k) { return k->name == name; });
            if (it == rest.end()) continue;
            kinds.push_back(*it);
            rest.erase(it);
        }
        add_group(QCoreApplication::translate("palette", family.title), kinds);
    }
    add_group(tr("Other"), rest);
}

void Palette::choose_row(int row) {
    const QListWidgetItem* item = list_->item(row);
    if (!item || item->data(heading_role).toBool()) return;
    if (const Kind* kind = find_kind(item->data(kind_role).toString().toStdString())) emit chosen(kind);
}

bool Palette::eventFilter(QObject* object, QEvent* event) {
    if (object == list_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            choose_row(list_->currentRow());
            return true;
        }
    }
    return QWidget::eventFilter(object, event);
}

QRect Palette::row_box(std::string_view kind) const {
    for (int r = 0; r < list_->count(); ++r)
        if (list_->item(r)->data(kind_role).toString() == told(kind)) {
            list_->scrollToItem(list_->item(r));
            return list_->visualItemRect(list_->item(r));
        }
    return {};
}

}  // namespace scalescope::ui
