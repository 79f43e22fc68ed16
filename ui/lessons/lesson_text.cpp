// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_text.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "core/numerics/expression.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/lesson_picture.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/formula_block.hpp"
#include "ui/widgets/rich_text.hpp"

namespace scalescope::ui {
namespace {

constexpr int block_gap = 10, heading_gap = 6, item_gap = 4, item_indent = 8;

QString rich_formula(const std::string& formula) {
    if (auto e = numerics::parse_expression(formula)) return plain(numerics::to_rich_text(*e));
    return plain(formula).toHtmlEscaped();
}

/// A figure stays on one line with its unit.
QString unbroken(const QString& figure) {
    QString one = figure;
    return one.replace(QLatin1Char(' '), QChar(0x00A0));
}

QString rich_span(const lessons::Span& span) {
    const QString words = breakable(plain(span.text)).toHtmlEscaped();
    switch (span.kind) {
        case lessons::Span::Kind::plain: return words;
        case lessons::Span::Kind::emphasis: return QStringLiteral("<i>%1</i>").arg(words);
        case lessons::Span::Kind::strong: return QStringLiteral("<span style=\"font-weight:600\">%1</span>").arg(words);
        case lessons::Span::Kind::code:
            return QStringLiteral("<span style=\"font-family:'Scalescope Mono'\">%1</span>").arg(words);
        case lessons::Span::Kind::figure:
            return QStringLiteral("<span style=\"font-weight:600\">%1</span>")
                .arg(unbroken(plain(span.text)).toHtmlEscaped());
        case lessons::Span::Kind::formula: return rich_formula(span.text);
    }
    return words;
}

QWidget* make_list(const std::vector<lessons::Line>& items) {
    auto* list = new QWidget;
    auto* column = make_layout<QVBoxLayout>(list, item_gap);
    for (const lessons::Line& item : items) {
        auto* row = make_layout<QHBoxLayout>(nullptr, item_indent);
        auto* bullet = make_label(QStringLiteral("•"), type::reading(), Ink::secondary);
        row->addWidget(bullet, 0, Qt::AlignTop);
        row->addWidget(make_prose(item, type::reading()), 1);
        column->addLayout(row);
    }
    return list;
}

QWidget* make_block(const lessons::Block& block) {
    const lessons::Line first = block.lines.empty() ? lessons::Line{} : block.lines.front();
    switch (block.kind) {
        case lessons::Block::Kind::heading: return make_prose(first, type::result());
        case lessons::Block::Kind::paragraph: return make_prose(first, type::reading());
        case lessons::Block::Kind::list: return make_list(block.lines);
        case lessons::Block::Kind::formula: {
            auto* formula = new FormulaBlock;
            formula->set_formula({}, {{rich_formula(block.name), false, false}});
            return formula;
        }
        case lessons::Block::Kind::picture: return new LessonPicture(plain(block.name), first);
    }
    return nullptr;
}

}  // namespace

QString rich_line(const lessons::Line& line) {
    QString html;
    for (const lessons::Span& span : line) html += rich_span(span);
    return html;
}

QLabel* make_prose(const lessons::Line& line, const QFont& font) {
    auto* label = make_label(RichText::sized(rich_line(line), font), font);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFocusPolicy(Qt::NoFocus);
    label->setAccessibleName(plain(lessons::plain(line)));
    return label;
}

LessonText::LessonText(QWidget* parent) : QWidget(parent) { make_layout<QVBoxLayout>(this, block_gap); }

void LessonText::set_blocks(const std::vector<lessons::Block>& blocks) {
    if (blocks == blocks_ && layout()->count() > 0) return;
    blocks_ = blocks;
    while (QLayoutItem* item = layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    auto* column = static_cast<QVBoxLayout*>(layout());
    for (const lessons::Block& block : blocks_) {
        if (block.kind == lessons::Block::Kind::heading && column->count() > 0) column->addSpacing(heading_gap);
        if (QWidget* widget = make_block(block)) column->addWidget(widget);
    }
}

}  // namespace scalescope::ui
