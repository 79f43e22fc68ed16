// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_palette.hpp"

#include <QAccessible>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPainterPath>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/help/help_guide.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/overlay_scroll.hpp"
#include "ui/widgets/search_field.hpp"

namespace scalescope::ui {
namespace {

constexpr int palette_padding = 8, palette_row = 28, palette_rows = 12, palette_inset = 8, palette_width = 640,
              palette_mark = 14, palette_gap = 16;

class CommandDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, palette_row}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const auto* model = static_cast<const CommandList*>(index.model());
        const Command* c = model->command(index.row());
        const QRectF box(option.rect);
        QRectF words = box.adjusted(palette_inset, 0, -palette_inset, 0);
        if (!c)
            return draw_text(*painter, words, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString(),
                             type::control(), t.secondary);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected || option.state.testFlag(QStyle::State_MouseOver))
            draw_box(*painter, box, selected ? t.selection : t.hover, {}, 4);
        if (c->on)
            draw_icon(*painter, "check",
                      QRectF(words.left(), box.center().y() - palette_mark / 2.0, palette_mark, palette_mark),
                      t.secondary);
        words.setLeft(words.left() + palette_mark + 6);
        // From the right: the keys, then why it is off or where it stands; the title keeps at least half.
        const auto at_right = [&](const QString& s, const QFont& font, const QColor& ink, qreal most) {
            if (s.isEmpty() || most <= 0) return;
            const qreal width = std::min(text_width(font, s), most);
            draw_text(*painter, QRectF(words.right() - width, box.top(), width, box.height()),
                      Qt::AlignRight | Qt::AlignVCenter, s, font, ink);
            words.setRight(words.right() - width - palette_gap);
        };
        const qreal half = words.width() / 2;
        at_right(c->keys, type::table(), c->enabled ? t.text : t.secondary, half);
        const QString& beside = c->enabled || c->why_not.isEmpty() ? c->place : c->why_not;
        const qreal title = QFontMetricsF(type::title()).horizontalAdvance(c->title);
        at_right(beside, type::table(), t.secondary, std::max(words.width() - title - palette_gap, half / 2));
        draw_title(*painter, words, c->title, model->marked(index.row()), c->enabled ? t.text : t.secondary);
    }

private:
    /// The letters that were typed are semibold.
    static void draw_title(QPainter& painter, const QRectF& box, const QString& title,
                           const std::vector<std::size_t>& marked, const QColor& ink) {
        const auto is_marked = [&](qsizetype i) {
            return std::binary_search(marked.begin(), marked.end(), static_cast<std::size_t>(i));
        };
        qreal x = box.left();
        for (qsizetype from = 0; from < title.size() && x < box.right();) {
            qsizetype to = from;
            while (to < title.size() && is_marked(to) == is_marked(from)) ++to;
            const QFont font = is_marked(from) ? type::title() : type::control();
            const QString part = title.mid(from, to - from);
            draw_text(painter, QRectF(x, box.top(), box.right() - x, box.height()), Qt::AlignLeft | Qt::AlignVCenter,
                      part, font, ink);
            x += QFontMetricsF(font).horizontalAdvance(part);
            from = to;
        }
    }
};

}  // namespace

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window, Qt::Popup | Qt::FramelessWindowHint | Qt::NoDropShadowWindowHint) {
    setObjectName(QStringLiteral("commandPalette"));
    setAttribute(Qt::WA_TranslucentBackground);
    setAccessibleName(tr("Commands"));
    set_help(*this, QStringLiteral("commands"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(palette_padding, palette_padding, palette_padding, palette_padding);
    column->setSpacing(6);
    search_ = new SearchField(tr("A command, a preset, a setting … or “workers 16”"));
    search_->setObjectName(QStringLiteral("commandSearch"));
    search_->setAccessibleName(tr("Search commands"));
    column->addWidget(search_);
    model_ = new CommandList(this);
    list_ = new QListView;
    list_->setObjectName(QStringLiteral("commandList"));
    list_->setAccessibleName(tr("Commands"));
    list_->setModel(model_);
    list_->setItemDelegate(new CommandDelegate(list_));
    list_->setUniformItemSizes(true);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->viewport()->setAutoFillBackground(false);
    use_overlay_scroll_bar(*list_, 2);
    column->addWidget(list_, 1);
    foot_ = new ElidedLabel;
    foot_->setFont(type::caption());
    set_ink(*foot_, Ink::secondary);
    column->addWidget(foot_);
    connect(list_, &QListView::clicked, this, &CommandPalette::use);
    connect(search_, &QLineEdit::textChanged, this, &CommandPalette::find);
    connect(search_, &SearchField::moved, this, [this](int rows) {
        const int last = model_->rowCount() - 1, at = list_->currentIndex().row();
        // One step beyond an end comes round; a page stops there.
        const int to = std::abs(rows) == 1 ? (at + rows + last + 1) % (last + 1) : std::clamp(at + rows, 0, last);
        go_to(to);
    });
    search_->installEventFilter(this);
    hide();
}

void CommandPalette::open(Commands all, const QStringList& lately, Offers offers) {
    ensurePolished();
    offers_ = std::move(offers);
    model_->set_commands(std::move(all), lately);
    search_->clear();
    find();
    list_->setFixedHeight(palette_rows * palette_row);  // where it stands is chosen for all of its rows
    const QWidget* window = parentWidget();
    const QSize room = window->size();
    const int width = std::min(palette_width, room.width() - 2 * space::gap);
    const int height = sizeHint().height();
    QRect place(window->mapToGlobal(QPoint((room.width() - width) / 2, space::menu_height)), QSize(width, height));
    if (const QScreen* screen = window->screen()) {
        const QRect all_of_it = screen->availableGeometry();
        place.moveTop(std::clamp(place.top(), all_of_it.top(),
                                 std::max(all_of_it.top(), all_of_it.bottom() + 1 - place.height())));
        place.moveLeft(std::clamp(place.left(), all_of_it.left(),
                                  std::max(all_of_it.left(), all_of_it.right() + 1 - place.width())));
    }
    setGeometry(place);
    fit();
    show();
    search_->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::find() {
    const QString typed = search_->text();
    model_->find(typed, offers_ && !typed.trimmed().isEmpty() ? offers_(typed) : Commands());
    if (isVisible()) fit();
    go_to(0);
}

/// As high as what was found, and no higher than its rows.
void CommandPalette::fit() {
    list_->setFixedHeight(std::clamp(model_->rowCount(), 1, palette_rows) * palette_row);
    layout()->activate();
    resize(width(), sizeHint().height());
    if (QGuiApplication::platformName() != QLatin1String("xcb")) return;
    // Without a compositor a translucent corner is black: cut it off.
    QPainterPath outline;
    outline.addRoundedRect(QRectF(rect()), space::control_radius, space::control_radius);
    setMask(QRegion(outline.toFillPolygon().toPolygon()));
}

const Command* CommandPalette::current() const {
    return list_->currentIndex().isValid() ? model_->command(list_->currentIndex().row()) : nullptr;
}

void CommandPalette::go_to(int row) {
    const QModelIndex index = model_->index(row);
    list_->setCurrentIndex(index);
    list_->scrollTo(index);
    tell();
}

/// The keyboard stays in the search: what it is on is told to who listens, as the search's description, and as the
/// list's own focus.
void CommandPalette::tell() {
    const QModelIndex at = list_->currentIndex();
    const Command* c = current();
    foot_->setText(c && !c->enabled && !c->why_not.isEmpty()
                       ? c->why_not
                       : tr("↑ ↓ select · Enter runs · Escape closes · %L1 of %L2")
                             .arg(c ? model_->rowCount() : 0)
                             .arg(model_->known()));
    search_->setAccessibleDescription(at.data(Qt::AccessibleTextRole).toString());
    // Where nobody listens, views do not tell of their resets either, and what was told would stay.
    if (!QAccessible::isActive() || !isVisible() || !at.isValid()) return;
    QAccessibleEvent event(list_, QAccessible::Focus);
    event.setChild(at.row());
    QAccessible::updateAccessibility(&event);
}

void CommandPalette::use(const QModelIndex& index) {
    const Command* c = index.isValid() ? model_->command(index.row()) : nullptr;
    if (!c || !c->enabled || !c->run) return;
    const QString id = c->id;
    // What it does may open a window or need the keyboard: first the palette has to be gone.
    QTimer::singleShot(0, parentWidget(), c->run);
    hide();
    emit used(id);
}

bool CommandPalette::eventFilter(QObject* object, QEvent* event) {
    if (object != search_ || event->type() != QEvent::KeyPress) return QFrame::eventFilter(object, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
        case Qt::Key_Escape: hide(); return true;  // one key leaves, whatever is typed
        case Qt::Key_Return:
        case Qt::Key_Enter: use(list_->currentIndex()); return true;
        case Qt::Key_Home:
        case Qt::Key_End:
            if (key->modifiers() != Qt::NoModifier) return false;
            go_to(key->key() == Qt::Key_Home ? 0 : model_->rowCount() - 1);
            return true;
        case Qt::Key_Tab:
        case Qt::Key_Backtab: return true;  // there is nowhere else
        default: return QFrame::eventFilter(object, event);
    }
}

void CommandPalette::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw_box(painter, QRectF(rect()), theme().card, theme().control_border, space::control_radius);
}

}  // namespace scalescope::ui
