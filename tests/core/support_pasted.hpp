// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/validate/validate.hpp"
#include "support_library.hpp"

/// Pages with tables, as people paste them.
namespace support {

inline std::vector<scalescope::measure::PublishedRow> read_pasted(const std::string& text,
                                                                  const std::string& file = "t.md") {
    const auto table = scalescope::formats::parse_csv(text, file);
    if (!table) qFatal("%s", messages(table.error()).c_str());
    const auto rows = scalescope::measure::read_published(*table);
    if (!rows) qFatal("%s", messages(rows.error()).c_str());
    return *rows;
}

inline scalescope::measure::Validation validated_pasted(const std::string& text, const std::string& file = "t.md") {
    static const auto profiles = scalescope::measure::shipped_profiles().value();
    return scalescope::measure::validate(read_pasted(text, file), library(), profiles, {}).value();
}

/// Whether one of the row's assumptions contains the words.
inline bool is_assumed(const scalescope::measure::ValidatedRow& row, std::string_view words) {
    return std::any_of(row.assumed.begin(), row.assumed.end(),
                       [&](const std::string& sentence) { return sentence.find(words) != std::string::npos; });
}

}  // namespace support
