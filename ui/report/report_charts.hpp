// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <memory>
#include <vector>

#include "core/report/report.hpp"
#include "ui/charts/chart.hpp"

namespace scalescope::ui {

/// The drawings of a report, fed with its designs: where the step goes, the speedup over worker counts, and how the
/// difference to each of the others is shared out. Asks for an application, not for a window.
class ReportCharts {
public:
    explicit ReportCharts(const report::Report& report);

    struct Drawing {
        std::unique_ptr<Chart> chart;
        int height = 160;     ///< px, for a column as wide as the page
        int comparison = -1;  ///< the one it belongs to; −1: the whole
    };
    const std::vector<Drawing>& all() const { return all_; }

private:
    std::vector<Drawing> all_;
};

/// px between the margins of the page.
inline constexpr int report_column = 698;

}  // namespace scalescope::ui
