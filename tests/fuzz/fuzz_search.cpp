// SPDX-License-Identifier: GPL-3.0-or-later
// What a person types for a search: constraints, and values to vary.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/search/constraint.hpp"

using namespace scalescope;
using namespace scalescope::search;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
    static const Scenario scenario;
    static const Catalogue catalogue;
    const auto fields = all_fields();
    const Field& field = fields[data[0] % fields.size()];
    if (const auto axis = read_axis(std::string(field.path), &field, text, scenario, catalogue))
        if (axis->values.empty() || axis->values.size() > most_axis_values) std::abort();
    const auto constraint = read_constraint(text);
    if (!constraint) {
        if (constraint.error().empty() || constraint.error().front().remedy.empty()) std::abort();
        return 0;
    }
    // What is read is read again as the same, and says yes or no to any values.
    const auto again = read_constraint(constraint->text);
    if (!again || again->op != constraint->op || again->left != constraint->left || again->right != constraint->right)
        std::abort();
    for (const double value : {0.0, 1.0, std::nan("")})
        holds(*constraint, [&](const Constraint::Operand&) { return value; });
    return 0;
}
