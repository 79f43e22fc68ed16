// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pick_popup.hpp"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScreen>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/search_field.hpp"

namespace scalescope::ui {
namespace {

constexpr int pick_padding = 8, pick_row = 26, pick_heading = 24, pick_rows_shown = 12, pick_mark = 16, pick_inset = 6;

class PickDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const auto* model = static_cast<const PickModel*>(index.model());
        return {100, model->row(index.row()).kind == PickModel::Kind::heading ? pick_heading : pick_row};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const PickModel::Row& row = static_cast<const PickModel*>(index.model())->row(index.row());
        QRectF box(option.rect);
        if (row.kind != PickModel::Kind::item)
            return draw_text(*painter, box.adjusted(pick_inset, 4, -pick_inset, 0), Qt::AlignLeft | Qt::AlignVCenter,
                             row.text, row.kind == PickModel::Kind::heading ? type::caption() : type::control(),
                             t.secondary);
        if (option.state.testFlag(QStyle::State_Selected) || option.state.testFlag(QStyle::State_MouseOver))
            draw_box(*painter, box, option.state.testFlag(QStyle::State_Selected) ? t.selection : t.hover, {}, 4);
        QStyleOptionButton mark;
        mark.state = QStyle::State_Enabled | (row.picked ? QStyle::State_On : QStyle::State_Off);
        mark.rect =
            QRect(option.rect.left() + pick_inset, option.rect.center().y() - pick_mark / 2 + 1, pick_mark, pick_mark);
        option.widget->style()->drawPrimitive(QStyle::PE_IndicatorCheckBox, &mark, painter, option.widget);
        QRectF words = box.adjusted(pick_inset + pick_mark + 8, 0, -pick_inset, 0);
        if (!row.detail.isEmpty()) {
            draw_text(*painter, words, Qt::AlignRight | Qt::AlignVCenter, row.detail, type::table(), t.secondary);
            words.setRight(words.right() - QFontMetricsF(type::table()).horizontalAdvance(row.detail) - 12);
        }
        draw_text(*painter, words, Qt::AlignLeft | Qt::AlignVCenter, row.text, type::control(), t.text);
    }
};

}  // namespace

void PickModel::set_rows(std::vector<Row> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

void PickModel::set_marks(const QSet<QString>& picked) {
    for (Row& row : rows_) row.picked = row.kind == Kind::item && picked.contains(row.id);
    if (!rows_.empty()) emit dataChanged(index(0), index(rowCount() - 1));
}

int PickModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PickModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Row& r = row(index.row());
    switch (role) {
        case Qt::DisplayRole: return r.text;
        case Qt::ToolTipRole: return r.tip;
        case Qt::UserRole: return r.id;
        case Qt::CheckStateRole:
            return r.kind == Kind::item ? QVariant(r.picked ? Qt::Checked : Qt::Unchecked) : QVariant();
        case Qt::AccessibleTextRole: return r.detail.isEmpty() ? r.text : r.text + QStringLiteral(", ") + r.detail;
        default: return {};
    }
}

Qt::ItemFlags PickModel::flags(const QModelIndex& index) const {
    if (!index.isValid() || row(index.row()).kind != Kind::item) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

PickPopup::PickPopup(PickList& owner)
    : QFrame(nullptr, Qt::Popup | Qt::FramelessWindowHint | Qt::NoDropShadowWindowHint), owner_(owner) {
    setAttribute(Qt::WA_TranslucentBackground);
    setAttribute(Qt::WA_NoMouseReplay);  // a click on the field closes the list, it must not open it again
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(pick_padding, pick_padding, pick_padding, pick_padding);
    column->setSpacing(6);
    search_ = new SearchField(tr("Search"));
    search_->setAccessibleName(tr("Search in %1").arg(owner.accessibleName()));
    column->addWidget(search_);
    buttons_row_ = new QHBoxLayout;
    buttons_row_->setSpacing(4);
    column->addLayout(buttons_row_);
    model_ = new PickModel(this);
    list_ = new QListView;
    list_->setModel(model_);
    list_->setItemDelegate(new PickDelegate(list_));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setAccessibleName(owner.accessibleName());
    list_->viewport()->setAutoFillBackground(false);
    column->addWidget(list_, 1);
    connect(list_, &QListView::clicked, this, &PickPopup::flip);
    connect(search_, &QLineEdit::textChanged, this, &PickPopup::filter);
    connect(search_, &SearchField::escaped, this, &QWidget::hide);
    connect(search_, &SearchField::moved, this, &PickPopup::move);
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
        if (model_->row(i).kind == PickModel::Kind::item) ids << model_->row(i).id;
    return ids;
}

void PickPopup::filter() {
    const QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<PickModel::Row> rows;
    QString section;
    for (const ComboItem& item : owner_.items_) {
        const bool matches = std::all_of(words.begin(), words.end(), [&item](const QString& word) {
            return item.text.contains(word, Qt::CaseInsensitive) || item.detail.contains(word, Qt::CaseInsensitive) ||
                   item.section.contains(word, Qt::CaseInsensitive);
        });
        if (!matches) continue;
        if (item.section != section) {
            section = item.section;
            if (!section.isEmpty()) rows.push_back({PickModel::Kind::heading, {}, section, {}, {}, false});
        }
        rows.push_back({PickModel::Kind::item, item.id, item.text, item.detail, item.tip, owner_.is_picked(item.id)});
    }
    if (rows.empty())
        rows.push_back(
            {PickModel::Kind::note, {}, tr("Nothing matches “%1”.").arg(search_->text().trimmed()), {}, {}, false});
    model_->set_rows(std::move(rows));
    if (!words.isEmpty()) move(1);
}

void PickPopup::set_marks() { model_->set_marks(owner_.picked_); }

void PickPopup::move(int rows) {
    const int direction = rows > 0 ? 1 : -1, count = model_->rowCount();
    int at = list_->currentIndex().isValid() ? list_->currentIndex().row() : direction > 0 ? -1 : count, good = -1;
    for (int left = std::abs(rows); left > 0 && at + direction >= 0 && at + direction < count;) {
        at += direction;
        if (model_->flags(model_->index(at)) == Qt::NoItemFlags) continue;
        good = at;
        --left;
    }
    if (good < 0) return;
    list_->setCurrentIndex(model_->index(good));
    list_->scrollTo(model_->index(good));
}

void PickPopup::flip(const QModelIndex& index) {
    if (model_->flags(index) != Qt::NoItemFlags) owner_.flip(model_->row(index.row()).id);
}

bool PickPopup::eventFilter(QObject* object, QEvent* event) {
    if (object != search_ || event->type() != QEvent::KeyPress) return QFrame::eventFilter(object, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (list_->currentIndex().isValid()) flip(list_->currentIndex());
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
    const QRect field(owner_.mapToGlobal(QPoint(0, 0)), owner_.size());
    const QScreen* screen = owner_.screen();
    const QRect room = screen ? screen->availableGeometry() : QRect(0, 0, 4096, 4096);
    constexpr int gap = 4, least = 340;
    const int width = std::min(std::max({wanted.width(), field.width(), least}), room.width());
    const int tall = std::min(wanted.height(), room.height());
    const int x = std::clamp(field.left(), room.left(), std::max(room.left(), room.right() - width + 1));
    const bool up =
        field.bottom() + gap + tall > room.bottom() && field.top() - room.top() > room.bottom() - field.bottom();
    setGeometry(x, up ? field.top() - gap - tall : field.bottom() + 1 + gap, width, tall);
    if (QGuiApplication::platformName() == QLatin1String("xcb")) {
        // Without a compositor a translucent corner is black: cut it off.
        QPainterPath outline;
        outline.addRoundedRect(QRectF(rect()), space::control_radius, space::control_radius);
        setMask(QRegion(outline.toFillPolygon().toPolygon()));
    }
    show();
    search_->setFocus(Qt::PopupFocusReason);
}

void PickPopup::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw_box(painter, QRectF(rect()), theme().card, theme().control_border, space::control_radius);
}

void PickPopup::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    owner_.update();
    owner_.setFocus(Qt::PopupFocusReason);
}

}  // namespace scalescope::ui
