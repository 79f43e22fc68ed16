// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layer_list.hpp"

#include <QAccessible>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/overlay_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr Px layer_inset{6}, layer_header{22}, layer_total{27}, bar_most{48}, shape_left{62};
constexpr Px fold_room{13}, fold_step{10};  // of the chevron, and of a row that is in another
constexpr int bar_height = 8;

/// The columns of a row, from the place of the whole row.
struct LayerColumns {
    QRectF name, shape, bar, value;
};

/// Widths of the longest texts, measured when the layers change.
struct LayerWidths {
    double name = 0, shape = 0;
};

/// `largest`: of the values, as it is written.
LayerColumns layer_columns(const QRectF& row, const QFontMetricsF& metrics, const LayerWidths& widest,
                           const QString& largest) {
    const QRectF inner = row.adjusted(layer_inset, 0, -layer_inset, 0);
    const qreal value_width =
        std::ceil(std::max(metrics.horizontalAdvance(QStringLiteral("000.00")), metrics.horizontalAdvance(largest)));
    const qreal name_width = std::clamp(widest.name + 8, static_cast<double>(shape_left),
                                        std::max<double>(shape_left, inner.width() * 0.42));
    // In a narrow panel the bar gives way first, then the shape: the name is what a person looks for.
    const qreal room = inner.width() - name_width - std::min(widest.shape, inner.width() * 0.4) - value_width - 20;
    const qreal bars = std::clamp(room, 12.0, static_cast<double>(bar_most));
    LayerColumns c;
    c.value = QRectF(inner.right() - value_width - 20, inner.top(), value_width + 20, inner.height());
    c.bar = QRectF(inner.right() - value_width - 10 - bars, inner.top(), bars, inner.height());
    c.name = QRectF(inner.left(), inner.top(), name_width - 6, inner.height());
    c.shape = QRectF(inner.left() + name_width, inner.top(),
                     std::max<qreal>(0, c.bar.left() - 4 - inner.left() - name_width), inner.height());
    return c;
}

/// How far in a row's name begins.
double name_indent(const LayerModel& model, const LayerRow& row) {
    return row.depth * static_cast<double>(fold_step) + (model.folds() ? static_cast<double>(fold_room) : 0.0);
}

class LayerDelegate final : public QStyledItemDelegate {
public:
    LayerDelegate(const LayerModel& model, const QString& hovered, QObject* parent)
        : QStyledItemDelegate(parent), model_(model), hovered_(hovered) {}

    LayerWidths widest;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {100, std::max<int>(space::layer_row, QFontMetrics(option.font).height() + 4)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const LayerRow& row = model_.row(index.row());
        const QRectF box(option.rect);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected || row.id == hovered_) draw_box(*painter, box, selected ? t.selection : t.hover, {}, 4);
        const LayerColumns c =
            layer_columns(box, QFontMetricsF(type::table()), widest, model_.value_text(model_.largest()));
        const bool folds = row.fold != LayerRow::Fold::none;
        const QFont font = selected || (folds && row.depth == 0) ? type::table_strong() : type::table();
        const QColor ink = row.unknown ? t.unknown_text : t.text;
        const QString mark = row.unknown ? QStringLiteral("? ") : QString();
        const QRectF name = c.name.adjusted(name_indent(model_, row), 0, 0, 0);
        if (folds)
            draw_icon(*painter, row.fold == LayerRow::Fold::open ? "down" : "right",
                      QRectF(name.left() - fold_room - 1, name.center().y() - 6, 12, 12), t.secondary);
        draw_text(*painter, name, Qt::AlignLeft | Qt::AlignVCenter, mark, font, ink);
        draw_text(*painter, name.adjusted(text_width(font, mark), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.name,
                  font, ink,
                  // Of a path, the end tells one layer from the next.
                  row.name.contains(QLatin1Char('/')) ? Qt::ElideLeft : Qt::ElideRight);
        draw_text(*painter, c.shape, Qt::AlignLeft | Qt::AlignVCenter, row.shape, type::table(), t.secondary);
        if (row.value > 0 && model_.largest() > 0 && c.bar.width() > 8 && row.fold != LayerRow::Fold::open) {
            const qreal length = c.bar.width() * row.value / model_.largest();
            // Less than half a pixel is still something: a hair line in the colour of axes.
            const bool hair = length < 1;
            const QRectF bar(c.bar.right() - std::max<qreal>(1, std::round(length)),
                             c.bar.center().y() - bar_height / 2.0, std::max<qreal>(1, std::round(length)), bar_height);
            painter->fillRect(bar, hair          ? t.card_border
                                   : row.unknown ? t.unknown_border
                                   : selected    ? t.accent
                                                 : t.update);
        }
        draw_text(*painter, c.value, Qt::AlignRight | Qt::AlignVCenter, model_.value_text(row.value),
                  type::struck(type::table(), model_.struck), model_.struck ? t.secondary : t.text);
        if (option.state.testFlag(QStyle::State_HasFocus) && option.state.testFlag(QStyle::State_KeyboardFocusChange))
            draw_box(*painter, box, {}, t.accent, 4, 2);
    }

private:
    const LayerModel& model_;
    const QString& hovered_;
};

/// All rows are of one size, so that other data need another painting only. QListView would look at each of a thousand
/// rows, lay all of them out anew, and paint them a second time.
class LayerView final : public QListView {
public:
    using QListView::QListView;

protected:
    void dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>&) override {
        viewport()->update();
        if (!QAccessible::isActive()) return;
        QAccessibleTableModelChangeEvent event(this, QAccessibleTableModelChangeEvent::DataChanged);
        event.setFirstRow(first.row());
        event.setLastRow(last.row());
        event.setFirstColumn(first.column());
        event.setLastColumn(last.column());
        QAccessible::updateAccessibility(&event);
    }
};

}  // namespace

void LayerModel::set_rows(std::vector<LayerRow> rows) {
    bool same_layers = rows.size() == rows_.size();
    for (std::size_t i = 0; same_layers && i < rows.size(); ++i) same_layers = rows[i].id == rows_[i].id;
    largest_ = 0;
    folds_ = false;
    for (const LayerRow& row : rows) {
        // An open row's time is already shown by the rows inside it.
        if (row.fold != LayerRow::Fold::open) largest_ = std::max(largest_, row.value);
        folds_ = folds_ || row.fold != LayerRow::Fold::none;
    }
    if (!same_layers) {
        beginResetModel();
        rows_ = std::move(rows);
        endResetModel();
    } else if (!rows.empty()) {
        rows_ = std::move(rows);
        emit dataChanged(index(0, 0), index(static_cast<int>(rows_.size()) - 1, column_count - 1));
    }
}

QString LayerModel::note(const LayerRow& r) const {
    QStringList parts{r.note, share_text ? share_text(r.share) : QString()};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

int LayerModel::find(const QString& id) const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].id == id) return static_cast<int>(i);
    return -1;
}

int LayerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int LayerModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant LayerModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const LayerRow& r = row(index.row());
    if (role == Qt::UserRole) return r.id;
    if (role == Qt::ToolTipRole) {
        const QString more = note(r);
        return more.isEmpty() ? r.name : r.name + QStringLiteral("\n") + more;
    }
    if (role == Qt::AccessibleTextRole && index.column() == name_column) {
        QStringList parts{r.name, r.shape, value_text(r.value) + QLatin1Char(' ') + value_title, note(r)};
        parts.removeAll(QString());
        return parts.join(QStringLiteral(", "));
    }
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case name_column: return r.name;
        case shape_column: return r.shape;
        case value_column: return value_text(r.value);
        default: return {};
    }
}

QVariant LayerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    switch (section) {
        case name_column: return tr("Layer");
        case shape_column: return tr("Output");
        case value_column: return value_title;
        default: return {};
    }
}

LayerList::LayerList(QWidget* parent) : QWidget(parent) {
    model_ = new LayerModel(this);
    model_->value_text = [](double value) { return QString::number(value, 'f', 2); };
    view_ = new LayerView(this);
    view_->setModel(model_);
    view_->setItemDelegate(new LayerDelegate(*model_, hovered_, view_));
    view_->setUniformItemSizes(true);
    view_->setFont(type::table());
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setMouseTracking(true);
    view_->viewport()->setAutoFillBackground(false);
    use_overlay_scroll_bar(*view_, 0);
    view_->viewport()->installEventFilter(this);
    view_->installEventFilter(this);
    view_->setAccessibleName(tr("Layers"));
    setFocusProxy(view_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    set_titles(tr("Layer"), tr("Output"), tr("ms per step"));
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (!quiet_) emit selected_changed(now.data(Qt::UserRole).toString());
    });
    connect(view_, &QListView::entered, this, [this](const QModelIndex& index) {
        const QString id = index.data(Qt::UserRole).toString();
        set_hovered(id);
        emit hovered(id);
    });
    connect(view_, &QListView::activated, this, [this](const QModelIndex& index) {
        const LayerRow& row = model_->row(index.row());
        if (row.fold != LayerRow::Fold::none) return emit toggled(row.id);
        emit activated(row.id);
    });
}

void LayerList::set_titles(const QString& name, const QString& shape, const QString& value) {
    titles_[0] = name, titles_[1] = shape, titles_[2] = value;
    model_->value_title = value;
    update();
}

void LayerList::set_formats(std::function<QString(double)> value, std::function<QString(double)> share) {
    model_->value_text = std::move(value);
    model_->share_text = std::move(share);
    view_->viewport()->update();
}

void LayerList::set_rows(std::vector<LayerRow> rows) {
    const QString keep = selected();
    const bool relabelled =
        static_cast<int>(rows.size()) != model_->rowCount() ||
        !std::equal(rows.begin(), rows.end(), rows.begin(), [this, i = 0](const LayerRow& a, const LayerRow&) mutable {
            const LayerRow& before = model_->row(i++);
            return a.name == before.name && a.shape == before.shape && a.depth == before.depth;
        });
    quiet_ = true;
    if (relabelled) {
        const QFontMetricsF metrics(type::table());
        LayerWidths widest;
        for (const LayerRow& row : rows) {
            widest.name =
                std::max(widest.name, metrics.horizontalAdvance(row.name) + row.depth * fold_step + fold_room);
            widest.shape = std::max(widest.shape, metrics.horizontalAdvance(row.shape));
        }
        static_cast<LayerDelegate*>(view_->itemDelegate())->widest = widest;
    }
    model_->set_rows(std::move(rows));
    if (selected() != keep) set_selected(keep);
    quiet_ = false;
    if (relabelled) {
        place();
        updateGeometry();
        update();
    }
}

/// The list ends below its last row, and the total stands there; a list that is too long scrolls above its total.
void LayerList::place() {
    const int foot = total_label_.isEmpty() ? 0 : layer_total;
    const int room = std::max(0, height() - layer_header - 1 - foot);
    const int rows = model_->rowCount() ? model_->rowCount() * view_->sizeHintForRow(0) : 0;
    view_->setGeometry(0, layer_header + 1, width(), std::min(room, rows));
}

void LayerList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void LayerList::set_struck(bool struck) {
    if (std::exchange(model_->struck, struck) == struck) return;
    view_->viewport()->update();
    update();
}

void LayerList::set_total(const QString& label, const QString& value) {
    if (label == total_label_ && value == total_value_) return;
    total_label_ = label;
    total_value_ = value;
    place();
    update(0, view_->geometry().bottom() + 1, width(), height());
}

void LayerList::set_selected(const QString& id) {
    if (id == selected()) return;
    const bool was_quiet = quiet_;
    quiet_ = true;
    const int row = id.isEmpty() ? -1 : model_->find(id);
    if (row < 0)
        view_->selectionModel()->clear();
    else
        view_->setCurrentIndex(model_->index(row, 0));
    quiet_ = was_quiet;
}

QString LayerList::selected() const { return view_->currentIndex().data(Qt::UserRole).toString(); }

void LayerList::set_hovered(const QString& id) {
    if (id == hovered_) return;
    hovered_ = id;
    view_->viewport()->update();
}

QSize LayerList::sizeHint() const {
    const int rows = std::clamp(model_->rowCount(), 3, 16);
    return {240, layer_header + 1 + rows * space::layer_row + (total_label_.isEmpty() ? 0 : layer_total)};
}

void LayerList::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    const QRectF inner = QRectF(rect()).adjusted(layer_inset, 0, -layer_inset, 0);
    const LayerColumns c = layer_columns(QRectF(0, 0, width(), layer_header), QFontMetricsF(type::table()),
                                         static_cast<LayerDelegate*>(view_->itemDelegate())->widest,
                                         model_->value_text(model_->largest()));
    draw_text(painter, c.name, Qt::AlignLeft | Qt::AlignVCenter, titles_[0], type::caption(), t.secondary);
    draw_text(painter, c.shape, Qt::AlignLeft | Qt::AlignVCenter, titles_[1], type::caption(), t.secondary);
    draw_text(painter, QRectF(c.shape.left() + 40, 0, inner.right() - c.shape.left() - 40, layer_header),
              Qt::AlignRight | Qt::AlignVCenter, titles_[2], type::caption(), t.secondary);
    painter.fillRect(QRectF(inner.left(), layer_header, inner.width(), 1), t.card_border);
    if (total_label_.isEmpty()) return;
    const QRectF last(inner.left(), view_->geometry().bottom() + 1, inner.width(), layer_total);
    painter.fillRect(QRectF(last.left(), last.top() + 2, last.width(), 1), t.card_border);
    const QRectF text = last.adjusted(0, 4, 0, 0);
    draw_text(painter, text, Qt::AlignLeft | Qt::AlignVCenter, total_label_, type::table_strong(), t.text);
    draw_text(painter, text, Qt::AlignRight | Qt::AlignVCenter, total_value_,
              type::struck(type::table_strong(), model_->struck), model_->struck ? t.secondary : t.text);
}

/// Right unfolds, left folds, or goes to the row that this one is in.
bool LayerList::fold_by_key(int key) {
    const QModelIndex now = view_->currentIndex();
    if (!now.isValid() || (key != Qt::Key_Right && key != Qt::Key_Left)) return false;
    const LayerRow& row = model_->row(now.row());
    if (row.fold == (key == Qt::Key_Right ? LayerRow::Fold::closed : LayerRow::Fold::open)) {
        emit toggled(row.id);
    } else if (key == Qt::Key_Left && row.depth > 0) {
        int above = now.row() - 1;
        while (above > 0 && model_->row(above).depth >= row.depth) --above;
        view_->setCurrentIndex(model_->index(above, 0));
    }
    return true;
}

/// A click on the chevron.
bool LayerList::fold_by_hand(const QPoint& at) {
    const QModelIndex index = view_->indexAt(at);
    if (!index.isValid()) return false;
    const LayerRow& row = model_->row(index.row());
    if (row.fold == LayerRow::Fold::none || at.x() > layer_inset + name_indent(*model_, row)) return false;
    emit toggled(row.id);
    return true;
}

bool LayerList::eventFilter(QObject* object, QEvent* event) {
    if (object == view_->viewport() && event->type() == QEvent::Leave) {
        set_hovered({});
        emit hovered({});
    }
    if (object == view_->viewport() && event->type() == QEvent::MouseButtonPress &&
        fold_by_hand(static_cast<QMouseEvent*>(event)->pos()))
        return true;
    if (object == view_ && event->type() == QEvent::KeyPress && fold_by_key(static_cast<QKeyEvent*>(event)->key()))
        return true;
    if (object == view_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && !selected().isEmpty()) {
        view_->selectionModel()->clear();
        return true;
    }
    return QWidget::eventFilter(object, event);
}

}  // namespace scalescope::ui
