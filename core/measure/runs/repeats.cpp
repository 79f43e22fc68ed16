// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/runs/repeats.hpp"

#include <cmath>
#include <map>

namespace scalescope::measure {

std::optional<RepeatNoise> repeat_noise(const Runs& runs, const std::vector<std::string>& factors) {
    std::map<std::vector<std::string_view>, std::vector<double>> groups;
    for (std::size_t row = 0; row < runs.size(); ++row) {
        std::vector<std::string_view> cells;
        for (const auto& factor : factors)
            if (const RunColumn* column = runs.find(factor)) cells.push_back(column->words[row]);
        groups[std::move(cells)].push_back(std::log(runs.seconds[row]));
    }
    RepeatNoise noise;
    double squares = 0.0;
    for (const auto& [cells, logs] : groups) {
        if (logs.size() < 2) continue;
        ++noise.groups;
        noise.repeats += logs.size();
        double mean = 0.0;
        for (const double l : logs) mean += l / static_cast<double>(logs.size());
        for (const double l : logs) squares += (l - mean) * (l - mean);
    }
    if (noise.groups == 0) return std::nullopt;
    noise.deviation = std::sqrt(squares / static_cast<double>(noise.repeats - noise.groups));
    return noise;
}

}  // namespace scalescope::measure
