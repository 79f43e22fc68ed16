// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fstream>
#include <string>

namespace support {

/// By how many KiB the memory of this process grows at most while `work` is done, as Linux counts it.
template <class Work>
long peak_growth(const Work& work) {
    const auto peak = [] {
        std::ifstream status("/proc/self/status");
        std::string word;
        while (status >> word)
            if (word == "VmHWM:") return status >> word, std::stol(word);
        return 0L;
    };
    std::ofstream("/proc/self/clear_refs") << "5";  // what was held before does not count
    const long before = peak();
    work();
    return peak() - before;
}

}  // namespace support
