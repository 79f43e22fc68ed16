// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace scalescope {

/// A place in a text file. Line and column count from 1; 0 means "not known".
struct SourcePosition {
    std::string file;
    int line = 0;
    int column = 0;

    bool operator==(const SourcePosition&) const = default;
};

enum class Severity { error, warning };

/// One thing that is wrong, said once and clearly. Core never throws across its border and never prints: it returns
/// these.
struct Problem {
    Severity severity = Severity::error;
    std::string what;    ///< a full sentence: "Filter expects 256 input channels, pool2 gives 192."
    std::string where;   ///< path of the field or layer: "layers › conv3 › filter"; empty if there is none
    std::string remedy;  ///< what to do: "Use 192 as the third number, or make conv2 256 wide."
    SourcePosition at;

    bool operator==(const Problem&) const = default;
};

inline Problem make_error(std::string what, std::string remedy, SourcePosition at = {}, std::string where = {}) {
    return {Severity::error, std::move(what), std::move(where), std::move(remedy), std::move(at)};
}
inline Problem make_warning(std::string what, std::string remedy, SourcePosition at = {}, std::string where = {}) {
    return {Severity::warning, std::move(what), std::move(where), std::move(remedy), std::move(at)};
}

using Problems = std::vector<Problem>;

/// Either a value, or every problem found (at least one of them an error).
template <class T>
using Result = tl::expected<T, Problems>;

inline tl::unexpected<Problems> fail(Problem p) { return tl::unexpected<Problems>(Problems{std::move(p)}); }
inline tl::unexpected<Problems> fail(Problems p) { return tl::unexpected<Problems>(std::move(p)); }

/// Gives the value of a Result to a variable, a new one or one that is there, or returns its problems from this
/// function:
///
///     ASSIGN_OR_RETURN(const auto axis, axis_of(layer, shape));
///     ASSIGN_OR_RETURN(plan, prepare(scenario));
///
/// Two statements and more: not the body of an `if` without braces.
#define ASSIGN_OR_RETURN(declaration, ...)                                                                   \
    auto SCALESCOPE_RESULT(__LINE__) = (__VA_ARGS__);                                                        \
    if (!SCALESCOPE_RESULT(__LINE__)) return tl::unexpected(std::move(SCALESCOPE_RESULT(__LINE__).error())); \
    declaration = *std::move(SCALESCOPE_RESULT(__LINE__))
#define SCALESCOPE_RESULT(line) SCALESCOPE_RESULT_OF(line)
#define SCALESCOPE_RESULT_OF(line) result_of_line_##line

/// `file:line:column: what is wrong; what to do`, the form every message of the command line has.
std::string to_text(const Problem& problem);

}  // namespace scalescope
