// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/paleo_mapping.hpp"

#include "ui/language/told.hpp"

namespace scalescope::ui {

WaterfallData paleo_data(const LiveResult& result) {
    WaterfallData shown;
    if (!result.paleo) return shown;
    if (!*result.paleo) {
        const Problem& p = result.paleo->error().front();
        shown.empty_reason = told(p.remedy.empty() ? p.what : p.what + " " + p.remedy);
        return shown;
    }
    const PaleoPath& path = **result.paleo;
    shown.start_name = result.request.paleo->era == paleo::Era::paper ? tr("PALEO, code of the paper (2016)")
                                                                      : tr("PALEO, public code");
    shown.start = path.published.value;
    shown.end = path.reached.value;
    for (const PaleoStep& one : path.steps)
        if (one.change.value != 0)
            shown.steps.push_back({told(one.correction->name), one.change.value, told(one.correction->sentence),
                                   plain(one.correction->id)});
    const std::size_t all = paleo::corrections().size();
    shown.end_name = path.steps.size() == all ? tr("Corrected")
                     : path.steps.empty()     ? tr("Nothing corrected")
                                              : tr("With %1 of %2 corrections").arg(path.steps.size()).arg(all);
    return shown;
}

}  // namespace scalescope::ui
