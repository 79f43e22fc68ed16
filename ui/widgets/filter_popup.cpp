// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/filter_popup.hpp"

#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>
#include <QScreen>
#include <QStyle>
#include <QStyleOptionButton>
#include <QStyledItemDelegate>
#include <algorithm>
#include <array>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr Px item_height{28}, heading_height{24}, action_rule{9};
constexpr Px column_gap{16}, text_inset{8}, mark_size{16};

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

int left_of_text(const FilterModel::Row& row) { return row.picked ? mark_size + 8 : row.icon_name ? 22 : 0; }

class FilterDelegate final : public QStyledItemDelegate {
public:
    FilterDelegate(const FilterModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const FilterModel::Row& row = model_.row(index.row());
        const int extra = row.rule_above ? action_rule : 0;
        return {100, (row.kind == FilterModel::Kind::heading ? heading_height : item_height) + extra};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const FilterModel::Row& row = model_.row(index.row());
        QRectF box(option.rect);
        if (row.rule_above) {
            painter->fillRect(QRectF(box.left(), box.top() + action_rule / 2, box.width(), 1), t.card_border);
            box.setTop(box.top() + action_rule);
        }
        QRectF inner = box.adjusted(text_inset, 0, -text_inset, 0);
        if (row.kind == FilterModel::Kind::heading)
            return draw_text(*painter, inner.adjusted(0, 4, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.text,
                             type::caption(), t.secondary);
        if (option.state.testFlag(QStyle::State_Selected) && row.enabled) draw_box(*painter, box, t.selection, {}, 4);
        const QColor ink = row.enabled ? t.text : t.disabled;
        if (row.icon_name)
            draw_icon(*painter, row.icon_name, QRectF(inner.left(), inner.center().y() - 7, 14, 14), t.secondary);
        if (row.picked) {
            QStyleOptionButton mark;
            mark.state = QStyle::State_Enabled | (*row.picked ? QStyle::State_On : QStyle::State_Off);
            mark.rect = QRectF(inner.left(), inner.center().y() - mark_size / 2, mark_size, mark_size).toRect();
            option.widget->style()->drawPrimitive(QStyle::PE_IndicatorCheckBox, &mark, painter, option.widget);
        }
        inner.setLeft(inner.left() + left_of_text(row));
        const auto [value, detail] = model_.columns();
        const auto column = [&](const QString& text, int width, const QColor& color) {
            if (width <= 0) return;
            draw_text(*painter, inner, Qt::AlignRight | Qt::AlignVCenter, text, type::table(), color);
            inner.setRight(inner.right() - width - column_gap);
        };
        column(row.value, value, ink);
        column(row.detail, detail, row.enabled ? t.secondary : t.disabled);
        draw_marked(*painter, inner, row.text, model_.words(), row.kind == FilterModel::Kind::note ? t.secondary : ink);
    }

private:
    const FilterModel& model_;
};

}  // namespace

void FilterModel::set_rows(std::vector<Row> rows, const QStringList& words) {
    beginResetModel();
    rows_ = std::move(rows);
    words_ = words;
    const QFontMetrics metrics(type::table());
    columns_ = {};
    for (const Row& row : rows_) {
        columns_[0] = std::max(columns_[0], metrics.horizontalAdvance(row.value));
        columns_[1] = std::max(columns_[1], metrics.horizontalAdvance(row.detail));
    }
    endResetModel();
}

void FilterModel::set_marks(const std::function<bool(const QString& id)>& is_picked) {
    for (Row& row : rows_)
        if (row.kind == Kind::item) row.picked = is_picked(row.id);
    if (!rows_.empty()) emit dataChanged(index(0), index(rowCount() - 1));
}

int FilterModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant FilterModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Row& r = row(index.row());
    switch (role) {
        case Qt::DisplayRole: return r.text;
        case Qt::ToolTipRole: return r.tip;
        case Qt::UserRole: return r.id;
        case Qt::CheckStateRole: return r.picked ? QVariant(*r.picked ? Qt::Checked : Qt::Unchecked) : QVariant();
        case Qt::AccessibleTextRole: {
            QStringList parts{r.text, r.detail, r.value};
            parts.removeAll(QString());
            return parts.join(QStringLiteral(", "));
        }
        default: return {};
    }
}

Qt::ItemFlags FilterModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    const Row& r = row(index.row());
    if (r.kind == Kind::heading || r.kind == Kind::note || !r.enabled) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

FilterPopup::FilterPopup(QWidget& field)
    : QFrame(nullptr, Qt::Popup | Qt::FramelessWindowHint | Qt::NoDropShadowWindowHint), field_(field) {
    setAttribute(Qt::WA_TranslucentBackground);
    setAttribute(Qt::WA_NoMouseReplay);  // a click on the field closes the list, it must not open it again
    model_ = new FilterModel(this);
    list_ = make_list("comboList");
}

QListView* FilterPopup::make_list(const char* name) {
    auto* list = new QListView;
    list->setObjectName(QLatin1String(name));
    list->setModel(model_);
    list->setItemDelegate(new FilterDelegate(*model_, list));
    list->setFocusPolicy(Qt::NoFocus);
    list->setMouseTracking(true);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setAccessibleName(field_.accessibleName());
    list->viewport()->setAutoFillBackground(false);
    connect(list, &QListView::entered, this, [this](const QModelIndex& index) {
        if (can_choose(index)) list_->setCurrentIndex(index);
    });
    connect(list, &QListView::clicked, this, [this](const QModelIndex& index) { activate(index); });
    return list;
}

bool FilterPopup::matches(const ComboItem& item, const QStringList& words) {
    return std::all_of(words.begin(), words.end(), [&item](const QString& word) {
        return item.text.contains(word, Qt::CaseInsensitive) || item.detail.contains(word, Qt::CaseInsensitive) ||
               item.section.contains(word, Qt::CaseInsensitive);
    });
}

std::vector<FilterModel::Row> FilterPopup::rows_of(const std::vector<ComboItem>& items, const QString& search,
                                                   const std::function<bool(const ComboItem&)>& fits) {
    using Kind = FilterModel::Kind;
    std::vector<FilterModel::Row> rows;
    QString section;
    for (const ComboItem& item : items) {
        if (!fits(item)) continue;
        if (item.section != section) {
            section = item.section;
            if (!section.isEmpty()) rows.push_back({Kind::heading, {}, section});
        }
        rows.push_back({Kind::item, item.id, item.text, item.detail, item.value, item.tip, item.enabled});
    }
    if (rows.empty() && !search.trimmed().isEmpty())
        rows.push_back({Kind::note, {}, tr("Nothing matches “%1”.").arg(search.trimmed())});
    return rows;
}

void FilterPopup::move(int rows, bool wrap) {
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
        if (!can_choose(model_->index(i))) continue;
        last_good = i;
        --left;
    }
    if (last_good >= 0) list_->setCurrentIndex(model_->index(last_good));
}

int FilterPopup::width_of_rows() const {
    const QFontMetrics control(type::control());
    int width = 0;
    for (const FilterModel::Row& row : model_->rows())
        width = std::max(width, control.horizontalAdvance(row.text) + left_of_text(row));
    for (const int column : model_->columns())
        if (column > 0) width += column + column_gap;
    return width + 2 * text_inset;
}

void FilterPopup::place(int width, int height, int least) {
    const QRect field(field_.mapToGlobal(QPoint(0, 0)), field_.size());
    const QScreen* screen = field_.screen();
    const QRect room = screen ? screen->availableGeometry() : QRect(0, 0, 4096, 4096);
    width = std::min(std::max(width, field.width()), room.width());
    constexpr int gap = 4;
    const int below = room.bottom() - field.bottom() - gap, above = field.top() - room.top() - gap;
    const bool up = height > below && above > below;
    height = std::min(height, std::max(up ? above : below, least));
    const int x = std::clamp(field.left(), room.left(), std::max(room.left(), room.right() - width + 1));
    setGeometry(x, up ? field.top() - gap - height : field.bottom() + 1 + gap, width, height);
    if (QGuiApplication::platformName() == QLatin1String("xcb")) {
        // Without a compositor a translucent corner is black: cut it off.
        QPainterPath outline;
        outline.addRoundedRect(QRectF(rect()), space::control_radius, space::control_radius);
        setMask(QRegion(outline.toFillPolygon().toPolygon()));
    }
}

void FilterPopup::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.fillRect(rect(), Qt::transparent);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    draw_box(painter, QRectF(rect()), theme().card, theme().control_border, space::control_radius);
}

}  // namespace scalescope::ui
