// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/numerics/expression.hpp"

using namespace scalescope::numerics;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto expression = parse_expression({reinterpret_cast<const char*>(data), size});
    if (!expression) return 0;
    // What parses is written and parsed again as the same thing, and has a finite value or none.
    const auto again = parse_expression(to_text(*expression));
    if (again && !(*again == *expression)) std::abort();
    to_rich_text(*expression);
    const auto value = evaluate(*expression, [](std::string_view name) { return static_cast<double>(name.size()); });
    if (value && !std::isfinite(*value)) std::abort();
    return 0;
}
