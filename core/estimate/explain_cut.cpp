// SPDX-License-Identifier: GPL-3.0-or-later
// What crosses hybrid's cut: transfers, and what of them is waited for.
#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

constexpr const char* cut_source = "Krizhevsky, arXiv:1404.5997, 2014";

/// Messages that splitting by outputs sends inside the back part.
std::vector<Term> back_terms(const Context& c) {
    return message_terms(c, Topic::message_exposed,
                         [](const MessageEstimate& m) { return !m.gradients && m.when == When::blocking; });
}

Page no_messages(const Context& c, const Item& item, const char* reason) {
    const int cut = c.estimate.summary.cut;
    return Page(c, item, "t", Seconds{0})
        .nothing(reason, "cut",
                 cut < c.part(0).work.layers ? "before " + c.layer_name(0, cut) : "none: all layers are in front",
                 fields::cut)
        .source(cut_source);
}

/// The back part's work on one slice.
Page slice_work_page(const Context& c, const Item& item) {
    Page page(c, item, "w", Seconds{0});
    page.follow("t_l", "layers of the back part, whole step", at_index(Topic::all_layers, 1));
    const bool sends = rest_of(back_terms(c), 0) > 0;
    if (sends) page.follow("t_m", "messages inside it", Topic::back_messages);
    return page.formula(sends ? "(t_l + t_m)" : "t_l")
        .formula(page.over(0, {true, true, true, false}))
        .source("The back part's work on one slice")
        .evaluated();
}

/// What exceeds the work that transfers could hide behind; the first one in and the last one out hide behind nothing.
Page cut_exposed_page(const Context& c, const Item& item, bool in, bool out) {
    Page page(c, item, "x", Seconds{0});
    link_transfers(page, in, out);
    page.formula(in && out ? "i + o" : in ? "i" : "o");
    if (c.slices() == 1) return page.source("All slices at once: nothing to hide behind").evaluated();
    return page
        .formula(in && out ? " + max(0, i - w) + max(0, o - w) + (g - 2)*max(0, i + o - w)"
                 : in      ? " + (g - 1)*max(0, i - w)"
                           : " + (g - 1)*max(0, o - w)")
        .follow("w", "work on a slice", Topic::cut_work)
        .slices()
        .note(
            "The first transfer in and the last one out are waited for, and what exceeds the work it could hide "
            "behind.")
        .source(cut_source)
        .evaluated();
}

}  // namespace

std::vector<Term> cut_terms(const Context& c, bool forward) {
    return message_terms(c, Topic::message, [forward](const MessageEstimate& m) {
        return m.when == When::at_cut && m.forward == forward;
    });
}

void link_transfers(Page& page, bool in, bool out) {
    if (in) page.follow("i", "into the back part, one slice", at_index(Topic::cut_transfers, 0));
    if (out) page.follow("o", "out of it", at_index(Topic::cut_transfers, 1));
}

Page cut_page(const Context& c, const Item& item) {
    const bool in = !cut_terms(c, true).empty(), out = !cut_terms(c, false).empty();
    switch (item.topic) {
        case Topic::cut_transfers: {
            const bool forward = item.index == 0;
            if (!(forward ? in : out)) return no_messages(c, item, "No tensor moves at the cut.");
            return sum_page(c, item, forward ? "i" : "o", cut_terms(c, forward), {"transfers"})
                .source("One slice of the effective batch");
        }
        case Topic::back_messages: {
            const auto terms = back_terms(c);
            if (terms.empty()) return no_messages(c, item, "The back part sends nothing inside.");
            return sum_page(c, item, "t", terms, {"messages"}).source("Split by outputs, behind the cut");
        }
        case Topic::cut_work: return slice_work_page(c, item);
        default:
            return in || out ? cut_exposed_page(c, item, in, out) : no_messages(c, item, "No tensor moves at the cut.");
    }
}

}  // namespace scalescope::explaining
