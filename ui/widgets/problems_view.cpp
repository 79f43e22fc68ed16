// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/problems_view.hpp"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/language/told.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/source_view.hpp"

namespace scalescope::ui {
namespace {

constexpr int problem_height = 48, problem_text_left = 38, problem_margin = 12, panes_side_by_side = 520;
constexpr int problem_line = 18, most_problem_lines = 4;

QString place_text(const ProblemRow& row) {
    if (row.line <= 0) return {};
    return row.column > 0 ? QStringLiteral("%1:%2").arg(row.line).arg(row.column) : QString::number(row.line);
}

/// The last two steps of a path: "layers › conv3 › filter" becomes "conv3 · filter".
QString short_path(const QString& where) {
    QStringList steps = where.split(QStringLiteral(" › "), Qt::SkipEmptyParts);
    while (steps.size() > 2) steps.removeFirst();
    return steps.join(QStringLiteral(" · "));
}

QRectF place_box(const QRectF& row, const QString& place) {
    const qreal width = QFontMetricsF(type::table()).horizontalAdvance(place) + 1;
    return {row.right() - problem_margin - width, row.top() + 5, width, 18};
}

QFont what_font() {
    QFont medium = type::control();
    medium.setWeight(QFont::Medium);
    return medium;
}

int lines_of(const QFont& font, const QString& text, qreal width) {
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(text) <= width) return 1;
    const QRectF wrapped = metrics.boundingRect(QRectF(0, 0, std::max(width, 40.0), 10000), Qt::TextWordWrap, text);
    return std::clamp(qRound(wrapped.height() / metrics.lineSpacing()), 1, most_problem_lines);
}

/// Where the parts of a row stand: what is wrong and what to do about it go on below where they are too long for a
/// line.
struct ProblemPlaces {
    QRectF what, remedy, path;
    int height;

    ProblemPlaces(const ProblemRow& row, const QPointF& corner, qreal width) {
        const QRectF place = place_box(QRectF(corner, QSizeF(width, problem_height)), place_text(row));
        const qreal left = corner.x() + problem_text_left, right = corner.x() + width - problem_margin;
        const qreal path_width =
            std::min(QFontMetricsF(type::table()).horizontalAdvance(short_path(row.where)) + 1, width * 0.45);
        what = QRectF(left, corner.y() + 5, place.left() - 12 - left, problem_line);
        what.setHeight(problem_line * lines_of(what_font(), row.what, what.width()));
        remedy = QRectF(left, what.bottom() + 1, right - path_width - 12 - left, problem_line);
        remedy.setHeight(problem_line * lines_of(type::table(), row.remedy, remedy.width()));
        path = QRectF(right - path_width, remedy.top(), path_width, problem_line);
        height = problem_height + qRound(what.height() + remedy.height()) - 2 * problem_line;
    }
};

void draw_lines(QPainter& painter, const QRectF& box, const QString& text, const QFont& font, const QColor& ink) {
    if (box.height() <= problem_line) return draw_text(painter, box, Qt::AlignLeft | Qt::AlignVCenter, text, font, ink);
    painter.save();
    painter.setClipRect(box, Qt::IntersectClip);
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text);
    painter.restore();
}

class ProblemDelegate final : public QStyledItemDelegate {
public:
    ProblemDelegate(const ProblemModel& model, QListView* view)
        : QStyledItemDelegate(view), model_(model), view_(*view) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        return {200, ProblemPlaces(model_.row(index.row()), {}, view_.viewport()->width()).height};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const ProblemRow& row = model_.row(index.row());
        const QRectF box(option.rect);
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(box, t.selection);
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(box, t.hover);
        painter->fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), t.card_border);
        const bool error = row.severity == Severity::error;
        draw_icon(*painter, error ? "error" : "warn", QRectF(box.left() + problem_margin, box.top() + 7, 16, 16),
                  error ? t.error : t.warning);
        const QString place = place_text(row);
        const QRectF right = place_box(box, place);
        if (!place.isEmpty())
            draw_text(*painter, right, Qt::AlignRight | Qt::AlignVCenter, place, type::table(), t.accent);
        const ProblemPlaces at(row, box.topLeft(), box.width());
        draw_lines(*painter, at.what, row.what, what_font(), t.text);
        draw_lines(*painter, at.remedy, row.remedy, type::table(), t.secondary);
        draw_text(*painter, at.path, Qt::AlignRight | Qt::AlignVCenter, short_path(row.where), type::table(),
                  t.secondary, Qt::ElideMiddle);
        if (option.state.testFlag(QStyle::State_HasFocus) && option.state.testFlag(QStyle::State_KeyboardFocusChange))
            draw_box(*painter, box.adjusted(1, 1, -1, -2), {}, t.accent, 4, 2);
    }

private:
    const ProblemModel& model_;
    const QListView& view_;
};

/// "⊗ 3 errors  ⚠ 1 warning"
class CountsLabel final : public QWidget {
public:
    CountsLabel() { setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); }

    void set_counts(int error_count, int warning_count) {
        texts_[0] = error_count == 1 ? ProblemsView::tr("1 error") : ProblemsView::tr("%1 errors").arg(error_count);
        texts_[1] =
            warning_count == 1 ? ProblemsView::tr("1 warning") : ProblemsView::tr("%1 warnings").arg(warning_count);
        if (error_count == 0) texts_[0].clear();
        if (warning_count == 0) texts_[1].clear();
        QStringList both{texts_[0], texts_[1]};
        both.removeAll(QString());
        setAccessibleName(both.join(QStringLiteral(", ")));
        setVisible(error_count + warning_count > 0);
        updateGeometry();
        update();
    }

    QSize sizeHint() const override {
        const QFontMetrics metrics(type::table());
        int width = 0;
        for (const QString& text : texts_)
            if (!text.isEmpty()) width += 20 + metrics.horizontalAdvance(text) + 16;
        return {std::max(1, width), 22};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = theme();
        QPainter painter(this);
        qreal x = 0;
        for (int i = 0; i < 2; ++i) {
            if (texts_[i].isEmpty()) continue;
            const QColor ink = i == 0 ? t.error : t.warning;
            draw_icon(painter, i == 0 ? "error" : "warn", QRectF(x, height() / 2.0 - 7, 14, 14), ink);
            const qreal width = QFontMetricsF(type::table()).horizontalAdvance(texts_[i]);
            draw_text(painter, QRectF(x + 20, 0, width + 1, height()), Qt::AlignLeft | Qt::AlignVCenter, texts_[i],
                      type::table(), ink);
            x += 20 + width + 16;
        }
    }

private:
    QString texts_[2];
};

}  // namespace

ProblemRow problem_row(const Problem& problem) {
    return {problem.severity,
            told(problem.what),
            QString::fromStdString(problem.where),
            told(problem.remedy),
            problem.at.line,
            problem.at.column,
            0};
}

void ProblemModel::set_rows(const std::vector<ProblemRow>& rows) {
    beginResetModel();
    rows_ = rows;
    endResetModel();
}

int ProblemModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant ProblemModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const ProblemRow& r = row(index.row());
    if (role == Qt::DisplayRole) return r.what;
    QStringList parts{r.what, r.remedy, r.where};
    parts.removeAll(QString());
    if (role == Qt::ToolTipRole) return parts.join(QLatin1Char('\n'));
    if (role == Qt::AccessibleTextRole) {
        const QString kind = r.severity == Severity::error ? tr("Error") : tr("Warning");
        const QString place = r.line > 0 ? tr("line %1, column %2").arg(r.line).arg(r.column) : QString();
        return QStringLiteral("%1: %2 %3").arg(kind, parts.join(QLatin1Char(' ')), place);
    }
    return {};
}

ProblemsView::ProblemsView(QWidget* parent) : QWidget(parent) {
    auto* column = make_layout<QVBoxLayout>(this, 0);
    banner_ = new Banner(Banner::Kind::error, Banner::Form::strip);
    connect(banner_->add_button(tr("Open in editor")), &QPushButton::clicked, this,
            &ProblemsView::open_in_editor_clicked);
    connect(banner_->add_button(tr("Read again")), &QPushButton::clicked, this, &ProblemsView::read_again_clicked);
    banner_->hide();
    model_ = new ProblemModel(this);
    list_ = new QListView;
    list_->setModel(model_);
    list_->setItemDelegate(new ProblemDelegate(*model_, list_));
    list_->setResizeMode(QListView::Adjust);
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setAccessibleName(tr("Problems"));
    list_->installEventFilter(this);
    list_->viewport()->installEventFilter(this);
    source_ = new SourceView;
    panes_ = new QSplitter;
    panes_->setObjectName(QStringLiteral("panes"));
    panes_->setChildrenCollapsible(false);
    panes_->setHandleWidth(1);
    panes_->addWidget(list_);
    panes_->addWidget(source_);
    panes_->setStretchFactor(0, 5);
    panes_->setStretchFactor(1, 4);
    auto* nothing =
        new EmptyState("check", tr("No problems"),
                       tr("Problems in files and edits are listed here, with their location and a remedy."));
    nothing->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);  // it must not keep a low panel from folding
    pages_ = new QStackedWidget;
    pages_->addWidget(nothing);
    pages_->addWidget(panes_);
    counts_ = new CountsLabel;
    column->addWidget(make_rule());
    column->addWidget(banner_);
    column->addWidget(pages_, 1);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { show_current(); });
    connect(list_, &QListView::doubleClicked, this,
            [this](const QModelIndex& index) { emit problem_activated(index.row()); });
    set_problems({});
}

void ProblemsView::set_problems(const std::vector<ProblemRow>& problems, const QString& file_name,
                                const QString& text) {
    file_name_ = file_name;
    has_text_ = !text.isEmpty();
    model_->set_rows(problems);
    source_->set_text(text);
    static_cast<CountsLabel*>(counts_)->set_counts(error_count(), warning_count());
    pages_->setCurrentIndex(problems.empty() ? 0 : 1);
    source_->setVisible(has_text_);
    if (!problems.empty()) select(0);
}

void ProblemsView::set_banner(const QString& strong, const QString& sentence, bool is_file) {
    banner_->set_text(strong, sentence);
    for (auto* button : banner_->findChildren<QPushButton*>()) button->setVisible(is_file);
    banner_->setVisible(!strong.isEmpty() || !sentence.isEmpty());
}

int ProblemsView::error_count() const { return model_->rowCount() - warning_count(); }

int ProblemsView::warning_count() const {
    int count = 0;
    for (int i = 0; i < model_->rowCount(); ++i) count += model_->row(i).severity == Severity::warning ? 1 : 0;
    return count;
}

void ProblemsView::select(int index) {
    if (index < 0 || index >= model_->rowCount()) return;
    list_->setCurrentIndex(model_->index(index));
    show_current();
}

void ProblemsView::show_current() {
    const QModelIndex now = list_->currentIndex();
    if (!now.isValid() || !has_text_) return;
    const ProblemRow& row = model_->row(now.row());
    const QString place = place_text(row);
    source_->show_place(place.isEmpty() ? file_name_ : file_name_ + QLatin1Char(':') + place, row.where, row.line,
                        row.column, row.length, row.severity == Severity::error);
}

void ProblemsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    panes_->setOrientation(width() < panes_side_by_side ? Qt::Vertical : Qt::Horizontal);
}

bool ProblemsView::eventFilter(QObject* object, QEvent* event) {
    const QModelIndex now = list_->currentIndex();
    if (object == list_ && event->type() == QEvent::KeyPress && now.isValid()) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            emit problem_activated(now.row());
            return true;
        }
    }
    if (object == list_->viewport() &&
        (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonRelease)) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const QModelIndex at = list_->indexAt(mouse->pos());
        const bool on_link =
            at.isValid() &&
            place_box(QRectF(list_->visualRect(at)), place_text(model_->row(at.row()))).contains(mouse->position());
        list_->viewport()->setCursor(on_link ? Qt::PointingHandCursor : Qt::ArrowCursor);
        if (on_link && event->type() == QEvent::MouseButtonRelease && mouse->button() == Qt::LeftButton)
            emit problem_activated(at.row());
    }
    return QWidget::eventFilter(object, event);
}

}  // namespace scalescope::ui
