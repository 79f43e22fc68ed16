// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace scalescope::language {

/// How a language writes numbers: 1,024.5 in English, 1.024,5 in German.
struct NumberMarks {
    char decimal = '.', group = ',';
    bool operator==(const NumberMarks&) const = default;
};

/// `text` with its numbers, as core/base/format writes them, in other marks. A run of digits that belongs to a word
/// ("conv1.5", "v3.1") or is not a number ("1.2.3", "1,2") stays.
std::string with_marks(std::string_view text, NumberMarks marks);

/// What somebody typed in these marks, as core reads numbers. Without the language's own decimal mark a dot is one too,
/// unless it stands where thousands are grouped.
std::string without_marks(std::string_view typed, NumberMarks marks);

}  // namespace scalescope::language
