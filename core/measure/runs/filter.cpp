// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/name_list.hpp"
#include "core/measure/runs/import.hpp"

namespace scalescope::measure {
namespace {

/// Takes away those of the endings that the text has, one after the other.
bool take_ending(std::string_view& text, std::string_view endings) {
    const std::size_t before = text.size();
    any_name(endings, [&](std::string_view ending) {
        if (text.ends_with(ending)) text.remove_suffix(ending.size());
        return false;
    });
    return text.size() < before;
}

}  // namespace

std::optional<RunFilter> parse_filter(std::string_view text) {
    using Relation = RunFilter::Relation;
    const auto at = text.find_first_of("<>!=");
    if (at == std::string_view::npos || at == 0) return std::nullopt;
    for (const auto& [sign, relation] :
         {std::pair("<=", Relation::less_equal), std::pair(">=", Relation::greater_equal),
          std::pair("!=", Relation::unequal), std::pair("<", Relation::less), std::pair(">", Relation::greater),
          std::pair("=", Relation::equal)})
        if (const std::string_view rest = text.substr(at); rest.starts_with(sign))
            return RunFilter{std::string(text.substr(0, at)), relation,
                             std::string(rest.substr(std::string_view(sign).size()))};
    return std::nullopt;
}

std::optional<TimeUnit> time_unit(std::string_view text) {
    for (const auto& [names, seconds] :
         {std::pair("s seconds sec s/iteration s/epoch", 1.0), std::pair("ms", 1e-3),
          std::pair("us \u00b5s \u03bcs", 1e-6), std::pair("ns", 1e-9), std::pair("min minutes", 60.0),
          std::pair("h hours", 3600.0), std::pair("days", 86400.0), std::pair("weeks", 604800.0),
          std::pair("months", 2629746.0)})
        if (is_among(text, names)) return TimeUnit{seconds, false, false, false, false};
    if (is_among(text, "iterations/s iterations_per_s it/s steps/s steps_per_s"))
        return TimeUnit{1.0, true, false, false, true};
    const bool each = take_ending(text, "/GPU /gpu /worker /chip");
    // FLOP are work, not samples: such a rate is no time without a model of the network.
    if (text.find("FLOP") != std::string_view::npos) return std::nullopt;
    for (const std::string_view ending : {"/s", "/sec", "/second", " per second"})
        if (text.size() > ending.size() && text.ends_with(ending))
            return TimeUnit{1.0, true, text.starts_with("token"), each, false};
    return std::nullopt;
}

std::optional<TimeUnit> work_unit(std::string_view text) {
    if (is_among(text, "GPU-h GPU-hours")) return TimeUnit{3600.0, false, false, false, false};
    const bool each = take_ending(text, "/GPU /gpu /chip");
    if (is_among(text, "TFLOP/s TFLOPS TFLOPs PFLOP/s GFLOP/s")) return TimeUnit{1.0, true, false, each, true};
    return std::nullopt;
}

std::vector<std::string> time_columns(const formats::CsvTable& table) {
    std::vector<std::string> names;
    for (const std::string_view usual : {"time_s", "time_ms", "time_us", "throughput", "value"})
        if (table.column(usual)) names.emplace_back(usual);
    const auto add = [&](std::string_view name) {
        if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    };
    for (const auto name : table.names()) {
        if (name.ends_with("iterations_per_s") || name.ends_with("steps_per_s")) add(name);
        for (const std::string_view ending : {"_s", "_ms", "_us", "_ns", "_seconds"})
            // A spread is no time of its own, and a rate is not one either.
            if (name.ends_with(ending) && name.find("std") == std::string_view::npos && !name.ends_with("_per_s"))
                add(name);
    }
    return names;
}

std::string data_hash(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3ULL;
    }
    std::string digits(16, '0');
    for (std::size_t i = 0; i < 16; ++i) digits[15 - i] = "0123456789abcdef"[(hash >> (4 * i)) & 15U];
    return "fnv1a64:" + digits;
}

}  // namespace scalescope::measure
