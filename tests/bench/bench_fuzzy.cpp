// SPDX-License-Identifier: GPL-3.0-or-later
// Finding among thousands of names, as one types: a frame has 16 ms.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "core/base/fuzzy.hpp"

using namespace scalescope;

namespace {

/// Names like those of commands and presets: two to five words.
std::vector<FuzzyText> names(std::size_t count) {
    const std::u16string words[] = {u"Layer", u"table",  u"Speedup", u"compares", u"bandwidth", u"Tesla",  u"V100",
                                    u"batch", u"ResNet", u"export",  u"cluster",  u"memory",    u"inside", u"node"};
    std::vector<FuzzyText> all;
    unsigned seed = 11;
    for (std::size_t i = 0; i < count; ++i) {
        std::u16string name;
        for (unsigned w = 0, n = 2 + (seed >> 16) % 4; w < n; ++w) {
            seed = seed * 1664525U + 1013904223U;
            name += (w ? u" " : u"") + words[(seed >> 16) % std::size(words)];
        }
        all.emplace_back(name);
    }
    return all;
}

void find(benchmark::State& state, const char16_t* typed) {
    const auto all = names(static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) {
        const FuzzyQuery query(typed);
        int found = 0;
        for (std::size_t i = 0; i < all.size(); ++i)
            found += query.score(all[i], all[all.size() - 1 - i]).has_value() ? 1 : 0;
        benchmark::DoNotOptimize(found);
    }
}

}  // namespace

BENCHMARK_CAPTURE(find, one_letter, u"e")->Arg(4000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(find, two_words, u"spe co")->Arg(4000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(find, a_sentence, u"speedup compares bandwidth")->Arg(4000)->Unit(benchmark::kMillisecond);
