// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/corrections.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/atomic_file.hpp"
#include "core/base/letters.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/json_decoder.hpp"

namespace scalescope::measure {

namespace {

constexpr const char* map_ending = ".map";
constexpr std::size_t most_bytes = 1 << 20;

}  // namespace

std::optional<GivenColumn> read_correction(std::string_view text) {
    const auto sign = text.rfind('=');
    if (sign == std::string_view::npos || trimmed(text.substr(0, sign)).empty()) return std::nullopt;
    return GivenColumn(trimmed(text.substr(0, sign)), trimmed(text.substr(sign + 1)));
}

Result<std::vector<GivenColumn>> corrections_beside(const std::string& table_file, std::span<const GivenColumn> given) {
    std::vector<GivenColumn> all(given.begin(), given.end());
    const std::string file = table_file + map_ending;
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) return all;
    ASSIGN_OR_RETURN(const std::string text, read_file(file, most_bytes));
    int number = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const auto line = trimmed(rest.substr(0, rest.find('\n')));
        rest.remove_prefix(std::min(rest.size(), rest.find('\n') == rest.npos ? rest.size() : rest.find('\n') + 1));
        ++number;
        if (line.empty() || line.starts_with('#')) continue;
        auto correction = read_correction(line);
        if (!correction)
            return fail(make_error(formats::quoted(line.substr(0, 60)) + " does not say what a column holds.",
                                   "Write NAME=MEANING, such as GBS=batch_global.", {file, number, 1}));
        if (!find_by(given, correction->first, &GivenColumn::first)) all.push_back(std::move(*correction));
    }
    return all;
}

Result<void> keep_corrections(const std::string& table_file, std::span<const GivenColumn> corrections) {
    if (corrections.empty()) {
        std::error_code none;
        std::filesystem::remove(table_file + map_ending, none);
        return {};
    }
    std::string text = "# What the columns of this table hold, for Scalescope.\n";
    for (const auto& [name, means] : corrections) text += name + "=" + means + "\n";
    return write_file(table_file + map_ending, text);
}

}  // namespace scalescope::measure
