// SPDX-License-Identifier: GPL-3.0-or-later
// What crosses hybrid's cut: transfers, and what of them is waited for.
#include "core/estimate/explain_cut.hpp"

#include <algorithm>

namespace scalescope::explaining {
namespace {

/// Messages that splitting by outputs sends inside the back part.
std::vector<Term> back_terms(const Context& c) {
    std::vector<Term> terms;
    for (std::size_t i = 0; i < c.estimate.messages.size(); ++i) {
        const MessageEstimate& m = c.estimate.messages[i];
        if (m.gradients || m.when != When::blocking) continue;
        terms.push_back(
            {message_name(c, m), m.exposed.value, of_message(Topic::message_exposed, m.part, static_cast<int>(i))});
    }
    return terms;
}

std::string cut_text(const Context& c) {
    const int cut = c.estimate.summary.cut;
    return cut < c.part(0).work.layers ? "before " + c.layer_name(0, cut) : "none: all layers are in front";
}

Item transfers(int index) {
    Item item{Topic::cut_transfers};
    item.index = index;
    return item;
}

}  // namespace

std::vector<Term> cut_terms(const Context& c, bool forward) {
    std::vector<Term> terms;
    for (std::size_t i = 0; i < c.estimate.messages.size(); ++i) {
        const MessageEstimate& m = c.estimate.messages[i];
        if (m.when != When::at_cut || m.forward != forward) continue;
        terms.push_back({message_name(c, m), m.each.value, of_message(Topic::message, m.part, static_cast<int>(i))});
    }
    return terms;
}

void link_transfers(Page& page, bool in, bool out) {
    const Context& c = page.context();
    if (in)
        page.link("i", "into the back part, one slice", rest_of(cut_terms(c, true), 0), Measure::seconds, transfers(0),
                  c.sending());
    if (out) page.link("o", "out of it", rest_of(cut_terms(c, false), 0), Measure::seconds, transfers(1), c.sending());
}

Page cut_page(const Context& c, const Item& item) {
    const auto in = cut_terms(c, true), out = cut_terms(c, false);
    const auto no_messages = [&](const char* reason) {
        Page page(c, item, "t", title_of(c, item), 0, Measure::seconds);
        page.nothing(reason).fact("cut", cut_text(c), fields::cut);
        return page.source("Krizhevsky, arXiv:1404.5997, 2014");
    };
    if (item.topic == Topic::cut_transfers) {
        const auto& terms = item.index == 0 ? in : out;
        if (terms.empty()) return no_messages("No tensor moves at the cut.");
        Page page(c, item, item.index == 0 ? "i" : "o", title_of(c, item), rest_of(terms, item.from), Measure::seconds);
        return page.formula(page.sum(terms, Measure::seconds, c.sending(), "transfers"))
            .source("One slice of the effective batch");
    }
    if (item.topic == Topic::back_messages) {
        const auto terms = back_terms(c);
        if (terms.empty()) return no_messages("The back part sends nothing inside.");
        Page page(c, item, "t", title_of(c, item), rest_of(terms, item.from), Measure::seconds);
        return page.formula(page.sum(terms, Measure::seconds, c.sending(), "messages"))
            .source("Split by outputs, behind the cut");
    }
    Item layers{Topic::all_layers};
    layers.index = 1;
    const double t_layers = value_of(c, layers), t_messages = rest_of(back_terms(c), 0);
    const double often = c.accumulation() * c.count(0) * static_cast<double>(c.slices());
    const double work = (t_layers + t_messages) / often;
    if (item.topic == Topic::cut_work) {
        Page page(c, item, "w", title_of(c, item), work, Measure::seconds);
        std::string divisor = page.prefix(0, {true, true, true, false}), sum = "t_l";
        page.link("t_l", "layers of the back part, whole step", t_layers, Measure::seconds, layers, c.computing());
        if (t_messages > 0) {
            sum = "(t_l + t_m)";
            page.link("t_m", "messages inside it", t_messages, Measure::seconds, Item{Topic::back_messages},
                      c.sending());
        }
        if (!divisor.empty()) divisor.pop_back();
        return page
            .formula(divisor.empty()
                         ? sum
                         : sum + "/" + (divisor.find('*') == std::string::npos ? divisor : '(' + divisor + ')'))
            .source("The back part's work on one slice");
    }
    if (in.empty() && out.empty()) return no_messages("No tensor moves at the cut.");
    const double i = rest_of(in, 0), o = rest_of(out, 0), n = static_cast<double>(c.slices());
    const double over = c.slices() == 1
                            ? 0.0
                            : std::max(0.0, i - work) + std::max(0.0, o - work) + (n - 2) * std::max(0.0, i + o - work);
    Page page(c, item, "x", title_of(c, item), i + o + over, Measure::seconds);
    link_transfers(page, !in.empty(), !out.empty());
    if (c.slices() == 1)
        return page.formula(in.empty()    ? "o"
                            : out.empty() ? "i"
                                          : "i + o")
            .source("All slices at once: nothing to hide behind");
    page.link("w", "work on a slice", work, Measure::seconds, Item{Topic::cut_work},
              weaker(c.computing(), c.sending()));
    page.slices();
    page.source("Krizhevsky, arXiv:1404.5997, 2014");
    page.note(
        "The first transfer in and the last one out are waited for, and what exceeds the work it could hide behind.");
    if (out.empty()) return page.formula("i + (g - 1)*max(0, i - w)");
    if (in.empty()) return page.formula("o + (g - 1)*max(0, o - w)");
    return page.formula("i + o + max(0, i - w) + max(0, o - w) + (g - 2)*max(0, i + o - w)");
}

}  // namespace scalescope::explaining
