// SPDX-License-Identifier: GPL-3.0-or-later
// A report on A4: text and tables set here, charts drawn by themselves.
#include <QBuffer>
#include <QFontMetricsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QPicture>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/report/html.hpp"
#include "ui/language/told.hpp"
#include "ui/report/report_charts.hpp"
#include "ui/report/report_file.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int dots_per_inch = 96, wanted_pages = 2;
constexpr double page_width = 793.7, page_height = 1122.5, page_margin = (page_width - report_column) / 2;
constexpr double foot_height = 22, row_gap = 2, cell_gap = 10;
constexpr std::array page_scales{1.0, 0.92, 0.85, 0.78, 0.7};

/// What stands on the pages, from top to bottom. Everything is smaller by `scale`, so that the column holds more.
class Sheets {
public:
    Sheets(QPdfWriter& writer, double scale, QString foot)
        : writer_(writer), painter_(&writer), scale_(scale), foot_(std::move(foot)) {
        begin_page();
    }

    int pages() const { return pages_; }
    double width() const { return report_column / scale_; }

    void space(double height) { y_ += height; }

    /// On this page, or on the next one if it has no room here.
    void need(double height) {
        if (y_ + height <= bottom() || y_ <= top()) return;
        writer_.newPage();
        begin_page();
    }

    void paragraph(const QString& words, const QFont& font, const QColor& ink) {
        if (words.isEmpty()) return;
        const double height = text_height(words, font, width());
        need(height);
        draw(QRectF(0, y_, width(), height), words, font, ink, Qt::AlignLeft);
        y_ += height;
    }

    /// With room for what it heads, or a little of it.
    void heading(const QString& words, double with = 50) {
        need(with + 20);
        y_ += y_ > top() + 1 ? 12 : 0;
        paragraph(words, type::result(), ink());
        y_ += 3;
    }

    void picture(const Chart& chart, int height) {
        const QSize size(static_cast<int>(width()), height);
        need(height + 8);
        QPicture drawing;
        chart.draw_on(drawing, size, Theme::light());
        painter_.save();
        painter_.translate(0, y_);
        painter_.drawPicture(QPointF(), drawing);
        painter_.setPen(QPen(rule(), 0.7));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawRect(QRectF(0, 0, size.width(), size.height()));
        painter_.restore();
        y_ += height + 8;
    }

    struct Column {
        double share = 1;  ///< of the width
        bool right = false;
    };
    struct Row {
        QStringList cells;
        bool strong = false, head = false;
        std::vector<bool> struck{};  ///< by cell behind the first; empty: none
    };
    void table(const std::vector<Column>& columns, const std::vector<Row>& rows) {
        double all = 0;
        for (const Column& c : columns) all += c.share;
        for (const Row& row : rows) {
            const QFont font = row.head ? type::caption() : row.strong ? type::table_strong() : type::table();
            double height = 0;
            for (std::size_t i = 0; i < columns.size(); ++i)
                height = std::max(height, text_height(row.cells[static_cast<qsizetype>(i)], font,
                                                      width() * columns[i].share / all - cell_gap));
            need(height + 2 * row_gap);
            double x = 0;
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const double room = width() * columns[i].share / all;
                const bool struck = i > 0 && i <= row.struck.size() && row.struck[i - 1];
                draw(QRectF(x, y_ + row_gap, room - (columns[i].right ? 2 : cell_gap), height),
                     row.cells[static_cast<qsizetype>(i)], type::struck(font, struck),
                     row.head || struck ? faint() : ink(), columns[i].right ? Qt::AlignRight : Qt::AlignLeft);
                x += room;
            }
            y_ += height + 2 * row_gap;
            painter_.fillRect(QRectF(0, y_ - 0.6, width(), 0.6), row.head ? faint() : rule());
        }
    }

    static QColor ink() { return Theme::light().text; }
    static QColor faint() { return Theme::light().secondary; }
    static QColor rule() { return Theme::light().card_border; }

private:
    double top() const { return 0; }
    double bottom() const { return (page_height - 2 * page_margin - foot_height) / scale_; }

    void begin_page() {
        ++pages_;
        painter_.resetTransform();
        painter_.translate(page_margin, page_margin);
        const QRectF foot(0, page_height - 2 * page_margin - foot_height + 8, report_column, foot_height);
        draw(foot, QStringLiteral("%1 · %2").arg(foot_).arg(pages_), type::caption(), faint(), Qt::AlignLeft);
        painter_.scale(scale_, scale_);
        y_ = 0;
    }

    double text_height(const QString& words, const QFont& font, double room) const {
        return std::ceil(
            QFontMetricsF(font, &writer_).boundingRect(QRectF(0, 0, room, 4000), Qt::TextWordWrap, words).height());
    }

    void draw(const QRectF& box, const QString& words, const QFont& font, const QColor& ink, Qt::Alignment where) {
        painter_.setFont(font);
        painter_.setPen(ink);
        painter_.drawText(box.adjusted(0, 0, 0, 2), static_cast<int>(where | Qt::AlignTop) | Qt::TextWordWrap, words);
    }

    QPdfWriter& writer_;
    QPainter painter_;
    double scale_, y_ = 0;
    int pages_ = 0;
    QString foot_;
};

QString mark(compare::Verdict verdict) {
    return verdict == compare::Verdict::better  ? QStringLiteral(" ✓")
           : verdict == compare::Verdict::worse ? QStringLiteral(" ✗")
                                                : QString();
}

std::vector<Sheets::Column> design_columns(const report::Report& r, bool numbers) {
    std::vector<Sheets::Column> columns{{r.designs.size() > 3 ? 1.0 : 0.8, false}};
    for (std::size_t i = 0; i < r.designs.size(); ++i) columns.push_back({1.0, numbers});
    return columns;
}

Sheets::Row head_of(const report::Report& r) {
    Sheets::Row head{{QString()}, false, true};
    for (const report::Design& d : r.designs) head.cells << plain(d.letter);
    return head;
}

void add_designs(Sheets& sheets, const report::Report& r) {
    const report::Speech speech{language_told().toStdString(),
                                [](std::string_view said) { return told_word(said).toStdString(); }};
    sheets.heading(told("Designs"));
    for (const report::Design& d : r.designs) sheets.paragraph(plain(d.title()), type::table_strong(), Sheets::ink());
    std::vector<Sheets::Row> rows{head_of(r)};
    for (const report::FieldLine& line : r.fields) {
        Sheets::Row row{{told(line.label)}, line.differs, false};
        for (const std::string& value : line.values) row.cells << plain(report::tell_value(speech, line.label, value));
        rows.push_back(std::move(row));
    }
    sheets.table(design_columns(r, false), rows);
    if (r.designs.size() > 1) sheets.paragraph(told("Rows in bold differ."), type::caption(), Sheets::faint());
}

void add_figures(Sheets& sheets, const report::Report& r) {
    sheets.heading(told("Key figures"));
    std::vector<Sheets::Row> rows{head_of(r)};
    for (const report::FigureLine& line : r.figures) {
        Sheets::Row row{
            {line.unit.empty() ? told(line.label) : told(line.label) + QStringLiteral(", ") + told_word(line.unit)},
            false,
            false,
            line.struck};
        for (std::size_t i = 0; i < line.values.size(); ++i)
            row.cells << (line.changes[i].empty()
                              ? plain(line.values[i])
                              : QStringLiteral("%1 (%2%3)")
                                    .arg(plain(line.values[i]), told_word(line.changes[i]), mark(line.verdicts[i])));
        rows.push_back(std::move(row));
    }
    sheets.table(design_columns(r, true), rows);
    if (r.designs.size() > 1)
        sheets.paragraph(told("Changes are against A: ✓ better, ✗ worse."), type::caption(), Sheets::faint());
}

void add_comparisons(Sheets& sheets, const report::Report& r, const ReportCharts& charts) {
    for (std::size_t i = 0; i < r.comparisons.size(); ++i) {
        const report::Comparison& c = r.comparisons[i];
        if (c.lines.empty()) continue;  // the sentence at the beginning says so
        int height = 0;
        for (const auto& drawing : charts.all())
            if (drawing.comparison == static_cast<int>(i)) height += drawing.height;
        sheets.heading(told("What makes the difference between A and " + r.designs[c.to].letter), height + 20);
        for (const auto& drawing : charts.all())
            if (drawing.comparison == static_cast<int>(i)) sheets.picture(*drawing.chart, drawing.height);
        std::vector<Sheets::Row> rows{
            {{told("Replaced, in this order"), told("Change"), told("Of the whole"), told("Alone")}, false, true}};
        for (const report::ShareLine& line : c.lines)
            rows.push_back({{told(line.name), plain(line.change), plain(line.part), plain(line.alone)}, false, false});
        sheets.table({{4.0, false}, {1.0, true}, {1.0, true}, {1.0, true}}, rows);
        sheets.paragraph(told(c.note), type::caption(), Sheets::faint());
    }
}

void add_assumptions(Sheets& sheets, const report::Report& r) {
    sheets.heading(told("What this rests on"));
    std::vector<Sheets::Row> rows{{{told("Assumption"), told("Evidence"), told("Source")}, false, true}};
    for (const report::Assumption& a : r.assumptions)
        rows.push_back(
            {{plain(a.designs.empty() ? "" : a.designs + ": ") + told(a.what), told_word(a.evidence), told(a.source)},
             false,
             false});
    sheets.table({{3.0, false}, {0.9, false}, {3.4, false}}, rows);
    sheets.space(4);
    for (const std::string& note : r.notes) sheets.paragraph(told(note), type::caption(), Sheets::faint());
}

QByteArray pdf_at(const report::Report& r, const ReportCharts& charts, double scale, int& pages) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(dots_per_inch);
        writer.setTitle(plain(r.title));
        writer.setCreator(QStringLiteral("Scalescope %1").arg(plain(r.version)));
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF());
        const QString by = plain("Scalescope " + r.version + (r.date.empty() ? "" : ", " + r.date));
        Sheets sheets(writer, scale, QStringLiteral("%1 · %2").arg(by, plain(r.title)));
        sheets.paragraph(plain(r.title), type::page_title(), Sheets::ink());
        sheets.paragraph(by + QStringLiteral(". ") + told("Predicted by a performance model; nothing was run."),
                         type::caption(), Sheets::faint());
        sheets.space(6);
        sheets.paragraph(plain(r.question), type::italic(type::control()), Sheets::ink());
        sheets.space(r.question.empty() ? 0 : 4);
        for (const report::Design& d : r.designs)
            sheets.paragraph(told(d.cannot_run), type::table_strong(), Theme::light().error);
        for (const report::Comparison& c : r.comparisons)
            sheets.paragraph(told(c.sentence), type::control(), Sheets::ink());
        add_designs(sheets, r);
        add_figures(sheets, r);
        sheets.space(8);
        for (const auto& drawing : charts.all())
            if (drawing.comparison < 0) sheets.picture(*drawing.chart, drawing.height);
        add_comparisons(sheets, r, charts);
        add_assumptions(sheets, r);
        pages = sheets.pages();
    }
    return bytes;
}

}  // namespace

QByteArray report_pdf(const report::Report& r) {
    const ReportCharts charts(r);
    QByteArray bytes;
    for (const double scale : page_scales) {
        int pages = 0;
        bytes = pdf_at(r, charts, scale, pages);
        if (pages <= wanted_pages) break;
    }
    return bytes;
}

}  // namespace scalescope::ui
