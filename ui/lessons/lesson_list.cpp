// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_list.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/lesson_language.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

enum Role { id_role = Qt::UserRole, summary_role, progress_role, minutes_role, state_role };
enum class State { fresh, begun, done };
constexpr Px row_padding{10}, mark_room{30}, icon_side{16}, line_gap{3};
constexpr int list_width = 620, list_height = 520;

/// Title and minutes on a line, the summary below, at the left how far one came.
class LessonDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const int width = option.widget ? option.widget->width() - 8 : list_width;
        const int room = width - mark_room - 2 * row_padding;
        const QRect summary =
            QFontMetrics(type::table())
                .boundingRect(QRect(0, 0, room, 1000), Qt::TextWordWrap, index.data(summary_role).toString());
        return {width, 2 * row_padding + QFontMetrics(type::title()).height() + line_gap + summary.height()};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const QRectF box = QRectF(option.rect).adjusted(2, 1, -2, -1);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected || option.state.testFlag(QStyle::State_MouseOver))
            draw_box(*painter, box, selected ? t.selection : t.hover,
                     selected && option.state.testFlag(QStyle::State_HasFocus) ? t.accent : QColor(),
                     space::control_radius);
        const auto state = static_cast<State>(index.data(state_role).toInt());
        const double line = QFontMetricsF(type::title()).height();
        const QRectF inner = box.adjusted(row_padding, row_padding - 1, -row_padding, -row_padding + 1);
        const QRectF mark(inner.left(), inner.top() + (line - icon_side) / 2, icon_side, icon_side);
        draw_mark(*painter, mark, state);
        const QRectF words = inner.adjusted(mark_room - 4, 0, 0, 0);
        const QString right = index.data(progress_role).toString();
        const double right_width = QFontMetricsF(type::table()).horizontalAdvance(right) + 2;
        draw_text(*painter, QRectF(words.left(), words.top(), words.width() - right_width - 12, line),
                  Qt::AlignLeft | Qt::AlignVCenter, index.data(Qt::DisplayRole).toString(), type::title(), t.text);
        draw_text(*painter, QRectF(words.right() - right_width, words.top(), right_width, line),
                  Qt::AlignRight | Qt::AlignVCenter, right, type::table(),
                  state == State::done ? t.better : t.secondary);
        painter->setFont(type::table());
        painter->setPen(t.secondary);
        painter->drawText(words.adjusted(0, line + line_gap, 0, 8), Qt::TextWordWrap,
                          index.data(summary_role).toString());
    }

private:
    static void draw_mark(QPainter& painter, const QRectF& box, State state) {
        const Theme& t = theme();
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        if (state == State::done) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(t.better);
            painter.drawEllipse(box);
            painter.restore();
            return draw_icon(painter, "check", box.adjusted(2, 2, -2, -2), t.card);
        }
        const QRectF ring = box.adjusted(1.5, 1.5, -1.5, -1.5);
        painter.setPen(QPen(t.control_border, 1.5));
        painter.drawEllipse(ring);
        if (state == State::begun) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(t.accent);
            painter.drawPie(ring.adjusted(2, 2, -2, -2), 90 * 16, -180 * 16);
        }
        painter.restore();
    }
};

}  // namespace

LessonList::LessonList(const formats::Library& library, Settings& settings, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("lessonList"));
    set_help(*this, QStringLiteral("window-lessons"));
    setWindowTitle(tr("Lessons"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    auto* about = make_label(tr("Each lesson takes five to ten minutes. Your work returns when you leave it."),
                             type::control(), Ink::secondary);
    about->setWordWrap(true);
    column->addWidget(about);
    list_ = new QListWidget;
    list_->setAccessibleName(tr("Lessons"));
    list_->setItemDelegate(new LessonDelegate(list_));
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setResizeMode(QListView::Adjust);
    list_->setMouseTracking(true);
    column->addWidget(list_, 1);
    auto* row = new QHBoxLayout;
    auto* file = new QPushButton(tr("Open a file…"));
    file->setObjectName(QStringLiteral("openLessonFile"));
    again_ = new QPushButton(tr("From the beginning"));
    auto* close = new QPushButton(tr("Close"));
    open_ = new QPushButton(tr("Begin"));
    open_->setProperty("kind", QStringLiteral("primary"));
    open_->setDefault(true);
    row->addWidget(file);
    row->addStretch(1);
    row->addWidget(again_);
    row->addWidget(close);
    row->addWidget(open_);
    column->addLayout(row);
    fill(library, settings);
    resize(list_width, list_height);
    connect(list_, &QListWidget::currentRowChanged, this, &LessonList::show_choice);
    connect(list_, &QListWidget::itemActivated, this, [this] { choose(false); });
    connect(open_, &QPushButton::clicked, this, [this] { choose(false); });
    connect(again_, &QPushButton::clicked, this, [this] { choose(true); });
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(file, &QPushButton::clicked, this, [this] {
        QDialog::close();
        emit file_asked();
    });
    show_choice();
    list_->setFocus();
}

void LessonList::fill(const formats::Library& library, Settings& settings) {
    list_->clear();
    int next = -1;
    for (const formats::Preset& preset : library.lessons) {
        const auto lesson = read_lesson_in_language(preset, library);
        auto* item = new QListWidgetItem(list_);
        const QString id = plain(preset.id);
        item->setData(id_role, id);
        if (!lesson) {  // opening it says what is wrong
            item->setText(plain(preset.name));
            item->setData(summary_role, told(lesson.error().front().what));
            continue;
        }
        const LessonMark mark = settings.lesson_mark(id);
        const int steps = static_cast<int>(lesson->steps.size());
        const State state = !mark.is_begun() ? State::fresh : mark.furthest + 1 >= steps ? State::done : State::begun;
        const QString minutes = tr("%1 min").arg(lesson->minutes);
        item->setText(preset.own ? tr("%1 (own)").arg(plain(lesson->title)) : plain(lesson->title));
        item->setData(summary_role, plain(lesson->summary));
        item->setData(state_role, static_cast<int>(state));
        item->setData(progress_role, state == State::done    ? tr("done")
                                     : state == State::begun ? tr("step %1 of %2").arg(mark.step + 1).arg(steps)
                                                             : minutes);
        item->setData(Qt::AccessibleTextRole,
                      tr("%1, %2, %3").arg(item->text(), minutes, item->data(progress_role).toString()));
        if (next < 0 && state != State::done) next = list_->count() - 1;
    }
    list_->setCurrentRow(std::max(0, next));
}

void LessonList::show_choice() {
    const QListWidgetItem* item = list_->currentItem();
    const auto state = item ? static_cast<State>(item->data(state_role).toInt()) : State::fresh;
    open_->setEnabled(item != nullptr);
    open_->setText(state == State::begun ? tr("Go on") : state == State::done ? tr("Again") : tr("Begin"));
    again_->setVisible(state == State::begun);
}

void LessonList::choose(bool from_start) {
    const QListWidgetItem* item = list_->currentItem();
    if (!item) return;
    const QString id = item->data(id_role).toString();
    hide();
    emit chosen(id, from_start);
    close();
}

}  // namespace scalescope::ui
