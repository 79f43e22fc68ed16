// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/quiet.hpp"

#include <cmath>
#include <ostream>

#include "app/commands/command.hpp"
#include "app/commands/figures.hpp"
#include "core/base/suggest.hpp"
#include "core/formats/csv_write.hpp"
#include "core/lessons/judge.hpp"

namespace scalescope::app {

int write_figure(const std::string& verb, const std::string& name, const Scenario& scenario, const Estimate& e,
                 const Catalogue& catalogue, std::ostream& out, std::ostream& err) {
    std::vector<std::string> names;
    for (const Figure& figure : all_figures(scenario, e)) {
        const auto* real = std::get_if<double>(&figure.value);
        if (!std::holds_alternative<std::string>(figure.value)) names.push_back(figure.name);
        // For one without a value, lessons may have it, or a reason.
        if (figure.name != name ||
            !(std::holds_alternative<std::int64_t>(figure.value) || (real && std::isfinite(*real))))
            continue;
        out << formats::csv_row(std::vector<Cell>{figure.value});
        return exit_done;
    }
    const auto judge = lessons::Judge::make(name, catalogue);
    if (!judge) {
        const auto meant = closest(name, names);
        Problem problem = judge.error().front();
        problem.at = {};  // a word of the command line, no line of a file
        return wrong_usage(err, verb,
                           "--quiet: " + (meant ? "there is no figure '" + name + "'; did you mean " + *meant + "?"
                                                : to_text(problem)));
    }
    const auto value = judge->value({&scenario, &e});
    if (!value) return report(err, value.error());
    out << formats::csv_row(std::vector<Cell>{*value});
    return exit_done;
}

}  // namespace scalescope::app
