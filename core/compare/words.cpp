// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/words.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/compare/side_by_side.hpp"

namespace scalescope::compare {
namespace {

/// Of the whole; what goes the other way by less is no news.
constexpr double worth_telling = 0.01;

/// "by 49.8 %", "by 8.5 pp"; empty where no share can be said.
std::string by_how_much(const Attribution& a) {
    const double change = std::abs(a.to - a.from);
    std::string by;
    if (search::info_of(a.metric).unit == "%")
        by = format_points(Fraction{change / 100.0});
    else if (a.from != 0)
        by = format_change(Fraction{change / std::abs(a.from)}, change < std::abs(a.from) ? 1 : 0);
    return by.starts_with('+') ? ", by " + by.substr(1) : "";
}

bool goes_against(const Share& share, double whole) { return share.change() * whole < 0; }

}  // namespace

std::string name_of(const Share& share) {
    std::string name;
    for (const Difference& d : share.differences) name += (name.empty() ? "" : ", ") + to_text(d);
    return name;
}

std::string signed_text(search::Metric metric, double change) {
    if (search::info_of(metric).unit == "%") return format_points(Fraction{change / 100.0});
    const std::string size = search::metric_text(metric, std::abs(change));
    return change == 0 ? size : (change < 0 ? std::string(minus_sign) : "+") + size;
}

std::string sentence_of(const Attribution& a, std::string_view from, std::string_view to) {
    const std::string way = "From " + std::string(from) + " to " + std::string(to) + " ";
    if (a.shares.empty()) return way + "nothing differs that changes a number.";
    const std::string noun = search::noun_of(a.metric), value = search::metric_text(a.metric, a.to);
    const double whole = a.to - a.from, seen = 1e-9 * std::max(std::abs(a.from), std::abs(a.to));
    if (std::abs(whole) <= seen) {
        const bool none =
            std::all_of(a.shares.begin(), a.shares.end(), [&](const Share& s) { return std::abs(s.change()) <= seen; });
        return way + "the " + noun + " stays " + value +
               (none ? ": nothing that differs changes it." : ": what differs makes up for each other.");
    }
    std::string text = way + "the " + noun + (whole < 0 ? " falls from " : " rises from ") +
                       search::metric_text(a.metric, a.from) + " to " + value + by_how_much(a) + ".";
    const Share& most = *std::max_element(a.shares.begin(), a.shares.end(), [&](const Share& x, const Share& y) {
        return x.change() * (whole < 0 ? -1 : 1) < y.change() * (whole < 0 ? -1 : 1);
    });
    if (a.shares.size() == 1)
        return text +
               (most.differences.size() == 1 ? " One difference explains all of it: "
                                             : " Together, these explain it: ") +
               name_of(most) + ".";
    text += " The largest share, " + signed_text(a.metric, most.change()) + ", comes from " + name_of(most);
    const auto against = std::min_element(a.shares.begin(), a.shares.end(), [&](const Share& x, const Share& y) {
        return x.change() * (whole < 0 ? -1 : 1) < y.change() * (whole < 0 ? -1 : 1);
    });
    if (goes_against(*against, whole) && std::abs(against->change()) > worth_telling * std::abs(whole))
        text += "; " + name_of(*against) + " goes the other way, " + signed_text(a.metric, against->change());
    return text + ".";
}

std::string order_note(const Attribution& a) {
    return a.depends_on_order
               ? "Some of these do more or less together than alone: another order would share otherwise."
               : "";
}

}  // namespace scalescope::compare
