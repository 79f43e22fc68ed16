// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/problem.hpp"

namespace scalescope {

std::string to_text(const Problem& problem) {
    std::string text;
    if (!problem.at.file.empty()) text += problem.at.file + ':';
    if (problem.at.line > 0) text += std::to_string(problem.at.line) + ':';
    if (problem.at.line > 0 && problem.at.column > 0) text += std::to_string(problem.at.column) + ':';
    if (!text.empty()) text += ' ';
    if (problem.severity == Severity::warning) text += "warning: ";
    if (!problem.where.empty()) text += problem.where + ": ";
    std::string what = problem.what;
    if (!problem.remedy.empty() && !what.empty() && what.back() == '.') what.pop_back();
    text += what;
    if (problem.remedy.empty()) return text;
    // The remedy goes on with the sentence; a name such as PALEO keeps its capitals.
    std::string remedy = problem.remedy;
    const auto capital = [&](std::size_t i) { return i < remedy.size() && remedy[i] >= 'A' && remedy[i] <= 'Z'; };
    if (capital(0) && !capital(1)) remedy[0] = static_cast<char>(remedy[0] - 'A' + 'a');
    return text + "; " + remedy;
}

}  // namespace scalescope
