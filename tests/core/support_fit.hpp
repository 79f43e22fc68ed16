// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/formats/csv_write.hpp"
#include "core/measure/fit/random.hpp"
#include "core/measure/runs/import.hpp"
#include "core/measure/runs/sheet.hpp"

/// Runs made up for tests.
namespace support {

using namespace scalescope;
using namespace scalescope::measure;

inline std::string problems_in(const Problems& problems) {
    std::string text;
    for (const auto& problem : problems) text += to_text(problem) + "\n";
    return text;
}

/// `sheet` with one row more before `row`, which is at most rows().
inline RunSheet with_row(const RunSheet& sheet, std::size_t row, const std::vector<std::string>& cells) {
    std::string text = formats::csv_row(sheet.names());
    for (std::size_t r = 0; r <= sheet.rows(); ++r) {
        if (r == row) text += formats::csv_row(cells);
        std::vector<std::string> own;
        for (std::size_t c = 0; r < sheet.rows() && c < sheet.columns(); ++c) own.push_back(sheet.cell(r, c));
        if (r < sheet.rows()) text += formats::csv_row(own);
    }
    return RunSheet(formats::parse_csv(text, "t.csv").value());
}

/// t = 3·size^1.2·workers^−0.7 + 0.5, doubled for "slow" ones; `noise` is the spread of ln t.
inline std::string simple_runs(double noise = 0.0) {
    std::string text = "size,workers,mode,time_s\n";
    Draws draws(7);
    for (const int size : {1, 2, 4, 8})
        for (const int workers : {1, 2, 4, 8})
            for (const char* mode : {"fast", "slow"}) {
                const double work = 3.0 * std::pow(size, 1.2) + (mode[0] == 's' ? 2.0 : 0.0);
                const double t = (work * std::pow(workers, -0.7) + 0.5) * std::exp(noise * (draws.uniform() - 0.5));
                text +=
                    std::to_string(size) + "," + std::to_string(workers) + "," + mode + "," + std::to_string(t) + "\n";
            }
    return text;
}

}  // namespace support
