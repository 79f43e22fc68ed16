// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/key_figures.hpp"

#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

constexpr Px figure_group_gap{9}, figure_head{22}, mark_width{13}, figure_gap{5};
constexpr Px figure_unit_gap{3};

/// A number without its unit says nothing: the name gives way, first to a shorter one, then to an ellipsis.
struct FigureName {
    QString name, unit;
    qreal width;  ///< of the name
};
FigureName name_in(const KeyFigure& row, const QFont& font, qreal room) {
    const auto& brief = row.short_name.isEmpty() ? row.name : row.short_name;
    const auto& brief_unit = row.short_unit.isEmpty() ? row.unit : row.short_unit;
    const QFontMetricsF names(font), units(type::table());
    FigureName shown{row.name, row.unit, names.horizontalAdvance(row.name)};
    const auto needs = [&] {
        return shown.width + (shown.unit.isEmpty() ? 0.0 : figure_unit_gap + units.horizontalAdvance(shown.unit));
    };
    if (needs() > room + 1) shown = {brief, row.unit, names.horizontalAdvance(brief)};
    if (needs() > room + 1) shown.unit = brief_unit;
    if (const qreal over = needs() - room; over > 1) shown.width = std::max(0.0, shown.width - over);
    return shown;
}

class FigureDelegate final : public QStyledItemDelegate {
public:
    FigureDelegate(const KeyFigureModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const KeyFigure& row = model_.row(index.row());
        QRectF box(option.rect);
        if (row.group_above) box.setTop(box.top() + figure_group_gap);
        const bool first = index.column() == KeyFigureModel::name_column;
        const bool last = index.column() == KeyFigureModel::difference_column;
        if (option.state.testFlag(QStyle::State_MouseOver) || option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(box, option.state.testFlag(QStyle::State_Selected) ? t.selection : t.hover);
        const QFont font = row.strong ? type::table_strong() : type::table();
        if (first) {
            const FigureName named = name_in(row, font, box.width());
            draw_text(*painter, QRectF(box.left(), box.top(), named.width + 1, box.height()),
                      Qt::AlignLeft | Qt::AlignVCenter, named.name, font, t.text);
            draw_text(*painter, box.adjusted(named.width + figure_unit_gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      named.unit, type::table(), t.secondary, Qt::ElideNone);
        } else if (index.column() == KeyFigureModel::now_column) {
            draw_text(*painter, box, Qt::AlignRight | Qt::AlignVCenter, row.now, type::struck(font, row.struck),
                      row.warned   ? t.error
                      : row.struck ? t.secondary
                                   : t.text,
                      Qt::ElideNone);
            if (row.warned)
                draw_icon(*painter, "error",
                          QRectF(box.right() - QFontMetricsF(font).horizontalAdvance(row.now) - mark_width - 3,
                                 box.center().y() - 6, 12, 12),
                          t.error);
        } else if (index.column() == KeyFigureModel::pinned_column) {
            draw_text(*painter, box, Qt::AlignRight | Qt::AlignVCenter, row.pinned,
                      type::struck(type::table(), row.pinned_struck), t.secondary, Qt::ElideNone);
        } else if (last) {
            const QColor ink = row.change == Change::better  ? t.better
                               : row.change == Change::worse ? t.worse
                                                             : t.secondary;
            QFont medium = type::table();
            medium.setWeight(QFont::Medium);
            draw_text(*painter, box.adjusted(0, 0, -mark_width, 0), Qt::AlignRight | Qt::AlignVCenter, row.difference,
                      medium, ink, Qt::ElideNone);
            if (row.change == Change::better || row.change == Change::worse)
                draw_icon(*painter, row.change == Change::better ? "check" : "warn",
                          QRectF(box.right() - 12, box.center().y() - 6, 12, 12), ink);
        }
    }

private:
    const KeyFigureModel& model_;
};

/// Headings over the numbers' right edges, not over the column's.
class FigureHeader final : public QHeaderView {
public:
    explicit FigureHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {}

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const QRectF text =
            QRectF(rect).adjusted(0, 0, section == KeyFigureModel::difference_column ? -mark_width : 0, 0);
        draw_text(*painter, text, Qt::AlignRight | Qt::AlignVCenter,
                  model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString(), type::caption(),
                  theme().secondary);
        painter->fillRect(QRectF(rect.left(), rect.bottom(), rect.width(), 1), theme().card_border);
    }
};

}  // namespace

void KeyFigureModel::set_rows(const std::vector<KeyFigure>& rows) {
    if (rows == rows_) return;
    const bool same_shape =
        rows.size() == rows_.size() &&
        std::equal(rows.begin(), rows.end(), rows_.begin(), [](const KeyFigure& a, const KeyFigure& b) {
            return a.id == b.id && a.group_above == b.group_above;
        });
    if (!same_shape) {
        beginResetModel();
        rows_ = rows;
        endResetModel();
    } else {
        rows_ = rows;
        emit dataChanged(index(0, 0), index(static_cast<int>(rows.size()) - 1, column_count - 1));
    }
}

int KeyFigureModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int KeyFigureModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant KeyFigureModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const KeyFigure& r = row(index.row());
    if (role == Qt::ToolTipRole) return r.note;
    if (role == Qt::UserRole) return r.id;
    if (role == help_role) return QStringLiteral("figure-") + r.id;
    if (role == Qt::AccessibleTextRole && index.column() == name_column)
        return r.unit.isEmpty() ? r.name : r.name + QStringLiteral(", ") + r.unit;
    if (role == Qt::AccessibleTextRole && index.column() == difference_column && r.change == Change::better)
        return tr("%1, better").arg(r.difference);
    if (role == Qt::AccessibleTextRole && index.column() == difference_column && r.change == Change::worse)
        return tr("%1, worse").arg(r.difference);
    if (role == Qt::AccessibleTextRole && index.column() == now_column && r.warned)
        return tr("%1, a warning").arg(r.now);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case name_column: return r.name;
        case now_column: return r.now;
        case pinned_column: return r.pinned;
        case difference_column: return r.difference;
        default: return {};
    }
}

QVariant KeyFigureModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    switch (section) {
        case now_column: return pin_name.isEmpty() ? QString() : tr("Now");
        case pinned_column: return pin_name;
        case difference_column: return tr("vs %1").arg(pin_name);
        default: return QString();
    }
}

KeyFigures::KeyFigures(QWidget* parent) : QTableView(parent) {
    model_ = new KeyFigureModel(this);
    setModel(model_);
    setItemDelegate(new FigureDelegate(*model_, this));
    setFont(type::table());
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setTabKeyNavigation(false);
    setAccessibleName(tr("Key figures"));
    viewport()->setAutoFillBackground(false);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(space::table_row);
    verticalHeader()->setDefaultSectionSize(space::table_row);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    auto* head = new FigureHeader(this);
    setHorizontalHeader(head);
    head->setFont(type::caption());
    head->setSectionResizeMode(QHeaderView::Fixed);
    head->setMinimumSectionSize(10);
    head->setFixedHeight(figure_head);
    connect(this, &QTableView::clicked, this,
            [this](const QModelIndex& index) { emit figure_activated(index.data(Qt::UserRole).toString()); });
    set_pin({});
}

void KeyFigures::set_rows(const std::vector<KeyFigure>& rows) {
    const bool more = model_->rowCount() != static_cast<int>(rows.size());
    model_->set_rows(rows);
    if (!fit_heights() && more) updateGeometry();
    fit_columns();
}

/// Rows are higher for fingers and in a presentation, where the style gives them all one height: groups keep their
/// distance. True if a height has changed.
bool KeyFigures::fit_heights() {
    bool changed = false;
    for (int i = 0; i < model_->rowCount(); ++i) {
        const int height = space::table_row + (model_->row(i).group_above ? figure_group_gap : 0);
        if (rowHeight(i) == height) continue;
        setRowHeight(i, height);
        changed = true;
    }
    if (changed) updateGeometry();
    return changed;
}

void KeyFigures::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::StyleChange && model_) fit_heights();
}

void KeyFigures::set_pin(const QString& name) {
    model_->pin_name = name;
    setColumnHidden(KeyFigureModel::pinned_column, name.isEmpty());
    setColumnHidden(KeyFigureModel::difference_column, name.isEmpty());
    horizontalHeader()->setVisible(!name.isEmpty());
    fit_columns();
    updateGeometry();
    update();
}

/// Number columns are as wide as their widest number; the name has the rest. Widths only grow while dragging, by steps,
/// so that columns don't jitter.
void KeyFigures::fit_columns() {
    const QFontMetrics plain(type::table()), strong(type::table_strong());
    int now = plain.horizontalAdvance(QStringLiteral("00,000")), pinned = now,
        difference = plain.horizontalAdvance(QStringLiteral("−00.0 %"));
    for (int i = 0; i < model_->rowCount(); ++i) {
        const KeyFigure& row = model_->row(i);
        now =
            std::max(now, (row.strong ? strong : plain).horizontalAdvance(row.now) + (row.warned ? mark_width + 3 : 0));
        pinned = std::max(pinned, plain.horizontalAdvance(row.pinned));
        difference = std::max(difference, plain.horizontalAdvance(row.difference));
    }
    now += figure_gap, pinned += figure_gap, difference += figure_gap + mark_width;
    const bool compared = !model_->pin_name.isEmpty();
    const int taken = now + (compared ? pinned + difference : 0);
    const int name = std::max(40, viewport()->width() - taken);
    const auto set = [this](int column, int width) {
        if (columnWidth(column) != width) setColumnWidth(column, width);
    };
    set(KeyFigureModel::name_column, name);
    set(KeyFigureModel::now_column, now);
    set(KeyFigureModel::pinned_column, pinned);
    set(KeyFigureModel::difference_column, difference);
}

QSize KeyFigures::sizeHint() const {
    int height = model_->pin_name.isEmpty() ? 0 : figure_head;
    for (int i = 0; i < model_->rowCount(); ++i) height += rowHeight(i);
    return {266, height};
}

QSize KeyFigures::minimumSizeHint() const { return {160, sizeHint().height()}; }

void KeyFigures::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fit_columns();
}

void KeyFigures::paintEvent(QPaintEvent* event) {
    const Theme& t = theme();
    {
        QPainter painter(viewport());
        for (int i = 0; i < model_->rowCount(); ++i)
            if (model_->row(i).group_above)
                painter.fillRect(QRectF(0, rowViewportPosition(i) + figure_group_gap / 2, viewport()->width(), 1),
                                 t.card_border);
    }
    QTableView::paintEvent(event);
}

void KeyFigures::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) &&
        currentIndex().isValid())
        return emit figure_activated(currentIndex().data(Qt::UserRole).toString());
    QTableView::keyPressEvent(event);
}

}  // namespace scalescope::ui
