// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/compare_mapping.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/compare/attribution.hpp"
#include "ui/language/choice.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

QString capital(const QString& s) { return s.left(1).toUpper() + s.mid(1); }

}  // namespace

Change mark_of(compare::Verdict verdict) {
    switch (verdict) {
        case compare::Verdict::better: return Change::better;
        case compare::Verdict::worse: return Change::worse;
        case compare::Verdict::neither: return Change::neutral;
        case compare::Verdict::same: break;
    }
    return Change::same;
}

std::vector<DesignRow> figure_rows(const std::vector<compare::FigureRow>& rows) {
    std::vector<DesignRow> shown;
    for (const compare::FigureRow& row : rows) {
        const auto& info = search::info_of(row.metric);
        DesignRow r{plain(info.name), told(info.label), told_word(row.unit.unit), told(info.text), {}};
        for (const std::string& price : row.prices) r.tip += QLatin1Char('\n') + told(price);
        for (std::size_t i = 0; i < row.values.size(); ++i)
            r.cells.push_back({told(compare::value_text(row, i)), told(compare::change_text(row, i)),
                               row.change[i] ? mark_of(row.change[i]->verdict) : Change::none});
        shown.push_back(std::move(r));
    }
    return shown;
}

std::vector<DesignRow> difference_rows(const std::vector<Difference>& differences) {
    std::vector<DesignRow> shown;
    for (const Difference& d : differences)
        shown.push_back(
            {plain(d.path),
             told(d.label),
             {},
             {},
             {{told_value(d.label, d.from), {}, Change::none}, {told_value(d.label, d.to), {}, Change::none}}});
    return shown;
}

WaterfallData waterfall_data(const compare::Attribution& a, const QString& from, const QString& to) {
    WaterfallData data;
    const auto& info = search::info_of(a.metric);
    double largest = std::max(std::abs(a.from), std::abs(a.to));
    for (const compare::Share& share : a.shares) largest = std::max(largest, std::abs(share.after));
    const search::Shown unit = search::shown_unit(a.metric, largest);
    data.quantity = Quantity{told(info.label), told_word(unit.unit),
                             unit.per == 1 ? plain(info.suffix) : plain(unit.unit), info.larger_is_better};
    data.title = tr("%1: from %2 to %3").arg(told(info.label), from, to);
    data.start_name = capital(from);
    data.end_name = capital(to);
    data.start = a.from / unit.per;
    data.end = a.to / unit.per;
    for (const compare::Share& share : a.shares) {
        const QString alone =
            share.alone ? tr("Alone it would be %1.").arg(told_word(compare::signed_text(a.metric, *share.alone)))
                        : tr("It is only available together with the others.");
        data.steps.push_back({told(name_of(share)), share.change() / unit.per, alone,
                              plain(share.differences.empty() ? std::string() : share.differences.front().path)});
    }
    data.foot = told(sentence_of(a, from.toStdString(), to.toStdString()));
    if (const QString note = told(order_note(a)); !note.isEmpty()) data.foot += QLatin1Char(' ') + note;
    return data;
}

}  // namespace scalescope::ui
