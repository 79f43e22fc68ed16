// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <span>

#include "core/estimate/explain_page.hpp"

/// What the symbols of formulas stand for, said once for all pages of a room.
namespace scalescope::explaining {

/// What a symbol leads to: the control that sets it, or a page of the same part, and of the same layer, pass or message
/// where the topic has one.
struct Leads {
    std::string_view field;
    Topic topic = Topic::step;
    int index = -1;
    std::optional<Evidence> evidence = std::nullopt;  ///< unless it is that of the topic or the field
    constexpr Leads(std::string_view path, std::optional<Evidence> e = std::nullopt) : field(path), evidence(e) {}
    constexpr Leads(const char* path) : field(path) {}
    constexpr Leads(Topic because, int at = -1) : topic(because), index(at) {}
    constexpr Leads(Topic because, Evidence e) : topic(because), evidence(e) {}
};

/// A row of a table of symbols; its amount is a lambda without captures over what the pages of a room are about.
template <class Asked>
struct Symbol {
    const char *symbol, *text;
    Amount (*amount)(const Asked&);
    Leads leads;

    template <class F, class... To>
    constexpr Symbol(const char* name, const char* words, F, To... to)
        : symbol(name), text(words), amount([](const Asked& a) -> Amount { return F{}(a); }), leads(to...) {}
};

/// Of 0 forward, 1 errors and 2 deltas, the pass that a page of a CPU cluster's layer is about.
int cpu_pass(const Item& item);
void put(Page& page, std::string symbol, std::string text, const Amount& amount, const Leads& leads);
/// The names in the page's formula that nothing on the page explains yet.
std::vector<std::string> unexplained(const Page& page);

/// Adds to the formula, and puts on the page what the table has of its symbols.
template <class Asked>
Page& tell(Page& page, const std::string& formula, const Asked& asked, std::span<const Symbol<Asked>> table) {
    page.formula(formula);
    for (const std::string& name : unexplained(page))
        for (const Symbol<Asked>& s : table)
            if (s.symbol == name) put(page, s.symbol, s.text, s.amount(asked), s.leads);
    return page;
}

/// "a + b" of those that are not empty.
std::string plus(std::initializer_list<std::string> terms);

}  // namespace scalescope::explaining
