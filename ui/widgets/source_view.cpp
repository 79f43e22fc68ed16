// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/source_view.hpp"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

constexpr int lines_around = 400, longest_line = 2000, chars_before_mark = 200;
constexpr int gutter_width = 46, source_line_height = 20;

}  // namespace

int marked_length(const QString& line, int column) {
    const qsizetype from = column - 1;
    if (from < 0 || from >= line.size()) return 0;
    const QChar first = line[from];
    if (first == u'"') {
        for (qsizetype i = from + 1; i < line.size(); ++i)
            if (line[i] == u'"' && line[i - 1] != u'\\') return static_cast<int>(i - from + 1);
        return static_cast<int>(line.size() - from);
    }
    if (first == u'[' || first == u'{') {
        int depth = 0;
        for (qsizetype i = from; i < line.size(); ++i) {
            if (line[i] == u'[' || line[i] == u'{') ++depth;
            if ((line[i] == u']' || line[i] == u'}') && --depth == 0) return static_cast<int>(i - from + 1);
        }
        return static_cast<int>(line.trimmed().size() + line.indexOf(line.trimmed()) - from);
    }
    qsizetype to = from;
    while (to < line.size() && !line[to].isSpace() && QStringLiteral(",]}:{[").indexOf(line[to]) < 0) ++to;
    return static_cast<int>(std::max<qsizetype>(1, to - from));
}

/// The text with its gutter of line numbers; marks are painted, not formatted, so they follow the theme.
class SourceView::Editor final : public QTextEdit {
public:
    explicit Editor(SourceView& view) : view_(view) {
        setReadOnly(true);
        setUndoRedoEnabled(false);
        setAcceptRichText(false);
        setFrameShape(QFrame::NoFrame);
        setLineWrapMode(QTextEdit::NoWrap);
        setFont(type::mono());
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        setProperty("kind", QStringLiteral("source"));
        setViewportMargins(gutter_width, 0, 0, 0);
        document()->setDocumentMargin(4);
        gutter_ = new Gutter(*this);
        connect(verticalScrollBar(), &QScrollBar::valueChanged, gutter_, [this] { gutter_->update(); });
    }

    int mark_from = 0, mark_length = 0;
    bool error = true;

    QTextBlock marked_block() const {
        return view_.marked_line_ > 0 ? document()->findBlockByNumber(view_.marked_line_ - view_.first_line_)
                                      : QTextBlock();
    }

    /// Where a line stands in the document: all are of one height, and Qt sets text 2 px below the middle of it.
    QRectF line_box(const QTextBlock& block) const {
        return {0, 2 + document()->documentMargin() + block.blockNumber() * static_cast<double>(source_line_height),
                1e6, source_line_height};
    }

    /// Brings the mark to the middle, and into sight sideways.
    void center_mark() {
        const QTextBlock block = marked_block();
        if (!block.isValid()) return;
        const QRectF line = line_box(block);
        verticalScrollBar()->setValue(static_cast<int>(line.center().y() - viewport()->height() / 2.0));
        const int advance = QFontMetrics(font()).horizontalAdvance(QLatin1Char('0'));
        const int x = (mark_from + std::min(mark_length, 8)) * advance;
        horizontalScrollBar()->setValue(x > viewport()->width() - 2 * advance ? x - viewport()->width() / 2 : 0);
        gutter_->update();
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QTextEdit::resizeEvent(event);
        const QRect r = contentsRect();
        gutter_->setGeometry(r.left(), r.top(), gutter_width, r.height());
        center_mark();
    }

    void paintEvent(QPaintEvent* event) override {
        const Theme& t = theme();
        const QTextBlock block = marked_block();
        QRectF line, under;
        if (block.isValid()) {
            line = line_box(block).translated(document()->documentMargin() - horizontalScrollBar()->value(),
                                              -verticalScrollBar()->value());
            const qreal advance = QFontMetricsF(font()).horizontalAdvance(QLatin1Char('0'));
            under = QRectF(line.left() + advance * mark_from, line.bottom() - 3, advance * std::max(1, mark_length), 2);
            QPainter(viewport())
                .fillRect(QRectF(0, line.top(), viewport()->width(), line.height()),
                          error ? t.error_fill : t.warning_fill);
        }
        QTextEdit::paintEvent(event);
        if (block.isValid()) QPainter(viewport()).fillRect(under, error ? t.error : t.warning);
    }

private:
    class Gutter final : public QWidget {
    public:
        explicit Gutter(Editor& editor) : QWidget(&editor), editor_(editor) {}

    protected:
        void paintEvent(QPaintEvent*) override { editor_.paint_gutter(*this); }
        void wheelEvent(QWheelEvent* event) override { QCoreApplication::sendEvent(editor_.viewport(), event); }

    private:
        Editor& editor_;
    };

    void paint_gutter(QWidget& gutter) {
        const Theme& t = theme();
        QPainter painter(&gutter);
        const QTextBlock marked = marked_block();
        const int top = verticalScrollBar()->value();
        QTextBlock block = cursorForPosition(QPoint(0, 0)).block();
        if (block.previous().isValid()) block = block.previous();
        for (; block.isValid(); block = block.next()) {
            const QRectF line = line_box(block).translated(0, -top);
            if (line.top() > gutter.height()) break;
            const bool here = marked.isValid() && block == marked;
            if (here)
                painter.fillRect(QRectF(0, line.top(), gutter.width(), line.height()),
                                 error ? t.error_fill : t.warning_fill);
            draw_text(painter, QRectF(0, line.top(), gutter.width() - 12, line.height()),
                      Qt::AlignRight | Qt::AlignVCenter, QString::number(view_.first_line_ + block.blockNumber()),
                      font(), here ? (error ? t.error : t.warning) : t.secondary);
        }
    }

    SourceView& view_;
    Gutter* gutter_;
};

SourceView::SourceView(QWidget* parent) : QWidget(parent) {
    auto* column = make_layout<QVBoxLayout>(this, 0);
    head_ = new QWidget;
    head_->setFixedHeight(28);
    auto* row = new QHBoxLayout(head_);
    row->setContentsMargins(12, 0, 12, 0);
    place_ = make_label({}, type::table(), Ink::secondary);
    path_ = make_label({}, type::table(), Ink::secondary);
    row->addWidget(place_);
    row->addStretch(1);
    row->addWidget(path_);
    editor_ = new Editor(*this);
    editor_->setAccessibleName(tr("Text of the file"));
    column->addWidget(head_);
    column->addWidget(make_rule());
    column->addWidget(editor_, 1);
    setFocusProxy(editor_);
}

QTextEdit* SourceView::editor() const { return editor_; }

QString SourceView::marked_text() const {
    const QTextBlock block = editor_->document()->findBlockByNumber(marked_line_ - first_line_);
    return marked_line_ > 0 && block.isValid() ? block.text().mid(editor_->mark_from, editor_->mark_length) : QString();
}

void SourceView::set_text(const QString& text) {
    if (text == text_ && (held_to_ > 0 || text.isEmpty())) return;
    text_ = text;
    held_from_ = held_to_ = 0;
    hold(1, 1);
}

void SourceView::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), theme().window); }

/// Puts the lines round `line` into the editor, unless they are there already.
void SourceView::hold(int line, int column) {
    const bool inside = line >= held_from_ + lines_around / 4 && line <= held_to_ - lines_around / 4;
    const bool all_held = held_from_ == 1 && held_to_ == std::numeric_limits<int>::max();
    const bool whole = !has_cut_ || (cut_line_ == line && column > cut_from_ && column <= cut_from_ + longest_line);
    if (held_to_ > 0 && (all_held || inside) && whole) return;
    const int from = std::max(1, line - lines_around), to = line + lines_around;
    qsizetype start = 0;
    int number = 1;
    for (; number < from; ++number) {
        start = text_.indexOf(u'\n', start) + 1;
        if (start == 0) return;  // the text ends before: what is held may stay
    }
    QStringList lines;
    cut_line_ = 0;
    cut_from_ = 0;
    has_cut_ = false;
    bool reached_end = false;
    for (qsizetype at = start; number + lines.size() <= to;) {
        const qsizetype end = text_.indexOf(u'\n', at);
        QString one = text_.mid(at, end < 0 ? -1 : end - at);
        if (one.endsWith(u'\r')) one.chop(1);
        if (one.size() > longest_line) {
            const bool here = number + lines.size() == line;
            const qsizetype first = here ? std::max(0, column - 1 - chars_before_mark) : 0;
            has_cut_ = true;
            if (here) cut_line_ = line, cut_from_ = static_cast<int>(first);
            one = (first > 0 ? QStringLiteral("…") : QString()) + one.mid(first, longest_line) + QStringLiteral("…");
        }
        lines << one;
        if (end < 0) {
            reached_end = true;
            break;
        }
        at = end + 1;
    }
    first_line_ = number;
    held_from_ = first_line_;
    held_to_ = reached_end ? std::numeric_limits<int>::max() : first_line_ + static_cast<int>(lines.size()) - 1;
    editor_->setPlainText(lines.join(u'\n'));
    // Lines of 20 px, as in the look: the font's own spacing is tighter.
    QTextCursor cursor(editor_->document());
    cursor.select(QTextCursor::Document);
    QTextBlockFormat format;
    format.setLineHeight(source_line_height, QTextBlockFormat::FixedHeight);
    cursor.setBlockFormat(format);
}

void SourceView::show_place(const QString& place, const QString& path, int line, int column, int length, bool error) {
    place_->setText(place);
    path_->setText(path);
    head_->setVisible(!place.isEmpty() || !path.isEmpty());
    marked_line_ = 0;
    if (line > 0) hold(line, column);
    const QTextBlock block = line > 0 ? editor_->document()->findBlockByNumber(line - first_line_) : QTextBlock();
    if (block.isValid()) {
        marked_line_ = line;
        const int shift = cut_line_ == line && cut_from_ > 0 ? cut_from_ - 1 : 0;  // the ellipsis takes one place
        const int at = std::max(1, column - shift);
        editor_->error = error;
        editor_->mark_from = std::clamp(at - 1, 0, std::max(0, static_cast<int>(block.text().size()) - 1));
        editor_->mark_length = length > 0 ? length : std::max(1, marked_length(block.text(), editor_->mark_from + 1));
        editor_->setTextCursor(QTextCursor(block));
        editor_->center_mark();
    }
    editor_->viewport()->update();
    editor_->update();
}

}  // namespace scalescope::ui
