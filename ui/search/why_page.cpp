// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/why_page.hpp"

#include <QLabel>
#include <QPushButton>
#include <QTextDocumentFragment>
#include <QVBoxLayout>

#include "core/base/format.hpp"
#include "core/scenario/differences.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/search/search_charts.hpp"
#include "ui/search/search_document.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/upright_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr std::size_t turns_shown = 6;

QString heading(const QString& words) {
    return QStringLiteral("<p style='margin:10px 0 3px 0'><b>%1</b></p>").arg(words.toHtmlEscaped());
}
QString paragraph(const QString& words) {
    return QStringLiteral("<p style='margin:0 0 3px 0'>%1</p>").arg(words.toHtmlEscaped());
}
QString listed(const std::vector<std::string>& lines) {
    QString html;
    for (const std::string& line : lines) html += paragraph(QStringLiteral("· ") + text_of(line));
    return html;
}

}  // namespace

WhyPage::WhyPage(SearchDocument& document, About about, QWidget* parent)
    : QWidget(parent), document_(document), about_(about) {
    auto* column = make_layout<QVBoxLayout>(this);
    auto* inside = new QWidget;
    auto* lines = new QVBoxLayout(inside);
    lines->setContentsMargins(8, 0, 16, 8);
    words_ = make_label({}, type::control());
    words_->setObjectName(about == About::chosen ? QStringLiteral("whyWords") : QStringLiteral("countWords"));
    words_->setWordWrap(true);
    words_->setTextFormat(Qt::RichText);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    words_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    nearest_ = new QPushButton(tr("Load the nearest"));
    nearest_->setObjectName(QStringLiteral("loadNearest"));
    lines->addWidget(words_);
    lines->addWidget(nearest_, 0, Qt::AlignLeft);
    lines->addStretch(1);
    auto* scroll = new UprightScroll(inside);
    scroll->setFocusPolicy(Qt::StrongFocus);  // the arrows scroll
    column->addWidget(scroll);
    connect(nearest_, &QPushButton::clicked, this, [this] {
        const auto& answer = document_.answer();
        if (answer && answer->findings.nearest) document_.load(answer->findings.nearest->scenario);
    });
    connect(&document_, &SearchDocument::answer_changed, this, &WhyPage::show_state);
    connect(&document_, &SearchDocument::chosen_changed, this, &WhyPage::show_state);
    connect(&document_, &SearchDocument::why_changed, this, &WhyPage::show_state);
    show_state();
}

QString WhyPage::text() const { return QTextDocumentFragment::fromHtml(words_->text()).toPlainText(); }

void WhyPage::show_state() {
    const auto& answer = document_.answer();
    words_->setText(about_ == About::chosen ? words_of_chosen() : words_of_all());
    nearest_->setVisible(about_ == About::all && answer && answer->findings.nearest);
}

QString WhyPage::words_of_chosen() const {
    const auto& answer = document_.answer();
    if (!answer || !document_.chosen()) return paragraph(tr("Run a search, then select a row, a point or a cell."));
    const search::Findings& f = answer->findings;
    const auto name = [&](std::uint64_t index) { return name_of_found(f, index, document_.library()); };
    QString html = heading(name(*document_.chosen()));
    const auto& why = document_.why();
    if (!why) return html + paragraph(tr("Comparing…"));
    if (!why->problems.empty()) return html + paragraph(text_of(why->problems.front().what));
    const search::Reasons& r = why->reasons;
    if (!why->is_best) html += paragraph(tr("The best is %1.").arg(name(*why->against)));
    html += heading(why->is_best ? tr("What it waits for") : tr("What the best waits for"));
    html += paragraph(text_of(r.binds));
    if (!why->against) return html + paragraph(tr("There is no other result to compare it with."));
    html += heading(why->is_best ? tr("What the runner-up lacks") : tr("What this one lacks"));
    if (why->is_best) html += paragraph(tr("Second is %1.").arg(name(*why->against)));
    if (!r.lacks.empty()) html += paragraph(text_of(r.lacks));
    if (!r.differ.empty()) {
        QStringList differ;
        for (const std::string& d : r.differ) differ << text_of(d);
        html += paragraph(tr("They differ in: %1.").arg(differ.join(QStringLiteral("; "))));
    }
    html += heading(tr("What would turn the order"));
    if (r.steady)
        html += paragraph(tr("No change of price, peak, memory bandwidth or links by up to a factor of 16 does."));
    std::vector<std::string> turns;
    for (const search::Turn& t : r.turns)
        if (turns.size() < turns_shown) turns.push_back(t.text);
    return html + listed(turns);
}

QString WhyPage::words_of_all() const {
    const auto& answer = document_.answer();
    if (!answer) {
        if (document_.problems().empty()) return paragraph(tr("Nothing has been searched yet."));
        QString html = heading(tr("The search could not begin"));
        for (const Problem& p : document_.problems()) html += paragraph(text_of(to_text(p)));
        return html;
    }
    const search::Findings& f = answer->findings;
    QString html;
    for (const std::string& line : f.told) html += paragraph(text_of(line));
    if (f.left_out > 0)
        html += paragraph(tr("The front has %1 more results than are shown.")
                              .arg(text_of(format_count(static_cast<std::int64_t>(f.left_out)))));
    if (answer->seconds > 0)
        html += paragraph(tr("It took %1; %2 were scored a second.")
                              .arg(text_of(format_time(Seconds{answer->seconds})),
                                   text_of(format_count(static_cast<std::int64_t>(answer->scored_per_second())))));
    if (!f.without.empty()) html += heading(tr("What stands in the way")) + listed(f.without);
    if (!f.here.empty()) {
        html += heading(tr("The original scenario does not meet the conditions"));
        html += listed(f.here);
    }
    if (f.nearest) {
        html += heading(f.rows.empty() ? tr("Nearest to it that fits in memory") : tr("Nearest to it that is one"));
        html += paragraph(name_of_found(f, f.nearest->index, document_.library()) + QLatin1Char('.'));
        html += listed(difference_lines(f.space.base(), f.nearest->scenario));
        if (f.rows.empty()) html += listed(search::admit(f.nearest->scenario, f.question).against);
    }
    return html;
}

}  // namespace scalescope::ui
