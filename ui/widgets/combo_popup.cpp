// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/combo_popup.hpp"

#include <QAccessible>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QScreen>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr Px item_height{28}, heading_height{24}, footer_rule{9};
constexpr int popup_padding = 4, rows_shown = 12;
constexpr Px column_gap{16}, text_inset{8};

/// Draws a text with every occurrence of the search words semibold; returns where it ended.
void draw_marked(QPainter& painter, const QRectF& box, const QString& text, const QStringList& words,
                 const QColor& ink) {
    QFont strong = type::control();
    strong.setWeight(QFont::DemiBold);
    std::vector<bool> marked(static_cast<std::size_t>(text.size()), false);
    for (const QString& word : words)
        for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
             at = text.indexOf(word, at + 1, Qt::CaseInsensitive))
            std::fill_n(marked.begin() + at, word.size(), true);
    qreal x = box.left();
    for (qsizetype from = 0; from < text.size() && x < box.right();) {
        qsizetype to = from;
        while (to < text.size() && marked[static_cast<std::size_t>(to)] == marked[static_cast<std::size_t>(from)]) ++to;
        const QFont font = marked[static_cast<std::size_t>(from)] ? strong : type::control();
        const QString part = text.mid(from, to - from);
        const qreal width = QFontMetricsF(font).horizontalAdvance(part);
        draw_text(painter, QRectF(x, box.top(), std::min(width + 1, box.right() - x), box.height()),
                  Qt::AlignLeft | Qt::AlignVCenter, part, font, ink);
        x += width;
        from = to;
    }
}

/// How badly an item fits what was typed: its name begins so, its name has every word, or only its columns do.
int misfit(const QString& text, const QString& search, const QStringList& words) {
    if (text.startsWith(search.trimmed(), Qt::CaseInsensitive)) return 0;
    const bool named = std::all_of(words.begin(), words.end(),
                                   [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    return named ? 1 : 2;
}

class ComboDelegate final : public QStyledItemDelegate {
public:
    ComboDelegate(const ComboModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const ComboModel::Row& row = model_.row(index.row());
        const int extra = row.rule_above ? footer_rule : 0;
        return {100, (row.kind == ComboModel::Kind::heading ? heading_height : item_height) + extra};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const ComboModel::Row& row = model_.row(index.row());
        QRectF box(option.rect);
        if (row.rule_above) {
            painter->fillRect(QRectF(box.left(), box.top() + footer_rule / 2, box.width(), 1), t.card_border);
            box.setTop(box.top() + footer_rule);
        }
        if (row.kind == ComboModel::Kind::heading)
            return draw_text(*painter, box.adjusted(text_inset, 4, -text_inset, 0), Qt::AlignLeft | Qt::AlignVCenter,
                             row.text, type::caption(), t.secondary);
        const bool current = option.state.testFlag(QStyle::State_Selected) && row.enabled;
        if (current) draw_box(*painter, box, t.selection, {}, 4);
        QRectF inner = box.adjusted(text_inset, 0, -text_inset, 0);
        const QColor ink = row.enabled ? t.text : t.disabled;
        if (row.icon_name) {
            draw_icon(*painter, row.icon_name, QRectF(inner.left(), inner.center().y() - 7, 14, 14), t.secondary);
            inner.setLeft(inner.left() + 22);
        }
        const QFontMetricsF metrics(type::table());
        qreal value_width = 0, detail_width = 0;
        columns(metrics, value_width, detail_width);
        if (value_width > 0) {
            draw_text(*painter, inner, Qt::AlignRight | Qt::AlignVCenter, row.value, type::table(), ink);
            inner.setRight(inner.right() - value_width - column_gap);
        }
        if (detail_width > 0) {
            draw_text(*painter, inner, Qt::AlignRight | Qt::AlignVCenter, row.detail, type::table(),
                      row.enabled ? t.secondary : t.disabled);
            inner.setRight(inner.right() - detail_width - column_gap);
        }
        draw_marked(*painter, inner, row.text, model_.words(), row.kind == ComboModel::Kind::note ? t.secondary : ink);
    }

    /// Widths of the two right columns: the same in every row, whatever the search leaves.
    void columns(const QFontMetricsF& metrics, qreal& value_width, qreal& detail_width) const {
        for (int i = 0; i < model_.rowCount(); ++i) {
            value_width = std::max(value_width, metrics.horizontalAdvance(model_.row(i).value));
            detail_width = std::max(detail_width, metrics.horizontalAdvance(model_.row(i).detail));
        }
    }

private:
    const ComboModel& model_;
};

}  // namespace

void ComboModel::set_rows(std::vector<Row> rows, const QStringList& words) {
    beginResetModel();
    rows_ = std::move(rows);
    words_ = words;
    endResetModel();
}

int ComboModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant ComboModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Row& r = row(index.row());
    switch (role) {
        case Qt::DisplayRole: return r.text;
        case Qt::ToolTipRole: return r.tip;
        case Qt::UserRole: return r.id;
        case Qt::AccessibleTextRole: {
            QStringList parts{r.text, r.detail, r.value};
            parts.removeAll(QString());
            return parts.join(QStringLiteral(", "));
        }
        default: return {};
    }
}

Qt::ItemFlags ComboModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    const Row& r = row(index.row());
    if (r.kind == Kind::heading || r.kind == Kind::note || !r.enabled) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

ComboPopup::ComboPopup(Combo& combo)
    : QFrame(nullptr, Qt::Popup | Qt::FramelessWindowHint | Qt::NoDropShadowWindowHint), combo_(combo) {
    setAttribute(Qt::WA_TranslucentBackground);
    setAttribute(Qt::WA_NoMouseReplay);  // a click on the combo closes the list, it must not open it again
    setFocusPolicy(Qt::NoFocus);
    model_ = new ComboModel(this);
    list_ = make_list("comboList");
    foot_ = make_list("comboActions");
    foot_->setSelectionModel(list_->selectionModel());
    foot_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(popup_padding + 1, popup_padding + 1, popup_padding + 1, popup_padding + 1);
    layout->setSpacing(0);
    layout->addWidget(list_, 1);
    layout->addWidget(foot_);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (!isVisible() || !now.isValid()) return;
        if (model_->row(now.row()).kind == ComboModel::Kind::item)
            emit combo_.highlighted(now.data(Qt::UserRole).toString());
        QListView* where = model_->row(now.row()).kind == ComboModel::Kind::footer ? foot_ : list_;
        QAccessibleEvent event(where, QAccessible::Focus);
        event.setChild(now.row());
        QAccessible::updateAccessibility(&event);
    });
}

QListView* ComboPopup::make_list(const char* name) {
    auto* list = new QListView;
    list->setObjectName(QLatin1String(name));
    list->setModel(model_);
    list->setItemDelegate(new ComboDelegate(*model_, list));
    list->setFocusPolicy(Qt::NoFocus);
    list->setMouseTracking(true);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setAccessibleName(combo_.accessibleName());
    list->viewport()->setAutoFillBackground(false);
    connect(list, &QListView::entered, this, [this](const QModelIndex& index) {
        if (model_->flags(index) != Qt::NoItemFlags) list_->setCurrentIndex(index);
    });
    connect(list, &QListView::clicked, this, &ComboPopup::activate);
    return list;
}

void ComboPopup::filter(const QString& search) {
    const QStringList words = search.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const QModelIndex now = list_->currentIndex();
    QString keep = isVisible() && now.isValid() && words.isEmpty() ? now.data(Qt::UserRole).toString() : QString();
    if (keep.isEmpty() && words.isEmpty()) keep = combo_.current();
    std::vector<ComboModel::Row> rows;
    QString section;
    int best = -1, least = 3, kept = -1;
    const auto contains = [&](const ComboItem& item) {
        return std::all_of(words.begin(), words.end(), [&item](const QString& word) {
            return item.text.contains(word, Qt::CaseInsensitive) || item.detail.contains(word, Qt::CaseInsensitive) ||
                   item.section.contains(word, Qt::CaseInsensitive);
        });
    };
    const bool any = std::any_of(combo_.items_.begin(), combo_.items_.end(), contains);
    const QString meant = any || !combo_.reader_ ? QString() : combo_.reader_(search);
    for (const ComboItem& item : combo_.items_) {
        if (any ? !contains(item) : meant.isEmpty() || item.id != meant) continue;
        if (item.section != section) {
            section = item.section;
            if (!section.isEmpty())
                rows.push_back({ComboModel::Kind::heading, {}, section, {}, {}, {}, false, nullptr, false});
        }
        if (item.id == keep) kept = static_cast<int>(rows.size());
        if (const int fit = any ? misfit(item.text, search, words) : 0; item.enabled && fit < least)
            best = static_cast<int>(rows.size()), least = fit;
        rows.push_back({ComboModel::Kind::item, item.id, item.text, item.detail, item.value, item.tip, item.enabled,
                        nullptr, false});
    }
    if (rows.empty() && !words.isEmpty())
        rows.push_back({ComboModel::Kind::note,
                        {},
                        tr("Nothing matches “%1”.").arg(search.trimmed()),
                        {},
                        {},
                        {},
                        true,
                        nullptr,
                        false});
    bool rule = !rows.empty();
    for (const auto& action : combo_.footer_) {
        rows.push_back({ComboModel::Kind::footer, action.id, action.text, {}, {}, {}, true, action.icon_name, rule});
        rule = false;
    }
    model_->set_rows(std::move(rows), words);
    for (int i = 0; i < model_->rowCount(); ++i) {
        const bool action = model_->row(i).kind == ComboModel::Kind::footer;
        list_->setRowHidden(i, action);
        foot_->setRowHidden(i, !action);
    }
    const int to = kept >= 0 ? kept : best;
    if (to >= 0) list_->setCurrentIndex(model_->index(to));
    if (isVisible()) place();
}

void ComboPopup::place() {
    const QFontMetrics control(type::control()), table(type::table());
    int height = 0, all = 0, foot = 0, widest = 0, value = 0, detail = 0;
    for (int i = 0; i < model_->rowCount(); ++i) {
        const ComboModel::Row& row = model_->row(i);
        const int h = list_->sizeHintForRow(i);
        if (row.kind == ComboModel::Kind::footer) {
            foot += h;
        } else {
            all += h;
            if (i < rows_shown) height += h;
        }
        widest = std::max(widest, control.horizontalAdvance(row.text) + (row.icon_name ? 22 : 0));
        value = std::max(value, table.horizontalAdvance(row.value));
        detail = std::max(detail, table.horizontalAdvance(row.detail));
    }
    const int frame = 2 * (popup_padding + 1);
    const int scroll = all > height ? list_->verticalScrollBar()->sizeHint().width() : 0;
    int width = widest + 2 * text_inset + frame + scroll + 8;
    if (value) width += value + column_gap;
    if (detail) width += detail + column_gap;
    const QRect field(combo_.mapToGlobal(QPoint(0, 0)), combo_.size());
    const QScreen* screen = combo_.screen();
    const QRect room = screen ? screen->availableGeometry() : QRect(0, 0, 4096, 4096);
    width = std::min(std::max(width, field.width()), room.width());
    constexpr int gap = 4;
    const int below = room.bottom() - field.bottom() - gap, above = field.top() - room.top() - gap;
    foot_->setVisible(foot > 0);
    foot_->setFixedHeight(foot);
    height += foot + frame;
    const bool up = height > below && above > below;
    height = std::min(height, std::max(up ? above : below, item_height + foot + frame));
    const int x = std::clamp(field.left(), room.left(), std::max(room.left(), room.right() - width + 1));
    // While typing, the list shrinks toward the field.
    setGeometry(x, up ? field.top() - gap - height : field.bottom() + 1 + gap, width, height);
    if (QGuiApplication::platformName() == QLatin1String("xcb")) {
        // Without a compositor a translucent corner is black: cut it off.
        QPainterPath outline;
        outline.addRoundedRect(QRectF(rect()), space::control_radius, space::control_radius);
        setMask(QRegion(outline.toFillPolygon().toPolygon()));
    }
}

void ComboPopup::show_below() {
    setFocusProxy(combo_.is_searchable() ? combo_.search_ : nullptr);
    ensurePolished();
    place();
    show();
    place();
    const QModelIndex now = list_->currentIndex();
    if (now.isValid()) list_->scrollTo(now, QAbstractItemView::PositionAtCenter);
}

void ComboPopup::move(int rows, bool wrap) {
    const int count = model_->rowCount();
    if (count == 0) return;
    const int direction = rows > 0 ? 1 : -1;
    int at = list_->currentIndex().isValid() ? list_->currentIndex().row() : (rows > 0 ? -1 : count);
    int last_good = -1;
    for (int left = std::abs(rows), i = at + direction, turns = 0; left > 0; i += direction) {
        if (i < 0 || i >= count) {
            if (!wrap || turns++ > 0) break;
            i = direction > 0 ? 0 : count - 1;
        }
        if (model_->flags(model_->index(i)) == Qt::NoItemFlags) continue;
        last_good = i;
        --left;
    }
    if (last_good >= 0) list_->setCurrentIndex(model_->index(last_good));
}

void ComboPopup::accept() { activate(list_->currentIndex()); }

void ComboPopup::activate(const QModelIndex& index) {
    if (!index.isValid() || model_->flags(index) == Qt::NoItemFlags) return;
    const ComboModel::Row row = model_->row(index.row());  // a copy: hiding may reset the model
    hide();
    if (row.kind == ComboModel::Kind::footer)
        emit combo_.footer_chosen(row.id);
    else
        combo_.take(row.id);
}

void ComboPopup::keyPressEvent(QKeyEvent* event) {
    constexpr int page = 8, far = 1 << 20;
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    const bool search = combo_.search_->isVisible();
    switch (event->key()) {
        case Qt::Key_Down: return move(1, true);
        case Qt::Key_Up: return alt ? hide() : move(-1, true);
        case Qt::Key_PageDown: return move(page);
        case Qt::Key_PageUp: return move(-page);
        case Qt::Key_Home:
            if (!search) return move(-far);
            break;
        case Qt::Key_End:
            if (!search) return move(far);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Tab:
        case Qt::Key_Backtab: return accept();
        case Qt::Key_F4:
        case Qt::Key_Escape: return hide();
        default: break;
    }
    if (search) {
        QCoreApplication::sendEvent(combo_.search_, event);
        return;
    }
    const QString text = event->text();
    if (text.isEmpty() || !text[0].isPrint()) return;
    for (int i = 0; i < model_->rowCount(); ++i)
        if (model_->row(i).text.startsWith(text, Qt::CaseInsensitive) &&
            model_->flags(model_->index(i)) != Qt::NoItemFlags)
            return list_->setCurrentIndex(model_->index(i));
}

void ComboPopup::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.fillRect(rect(), Qt::transparent);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    draw_box(painter, QRectF(rect()), theme().card, theme().control_border, space::control_radius);
}

void ComboPopup::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    combo_.popup_closed();
}

}  // namespace scalescope::ui
