// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/window.hpp"

namespace scalescope::app {
namespace {

int run_nothing(std::span<const std::string>, std::ostream&, std::ostream& err) {
    err << "scalescope: this build has no window and draws no charts; the other verbs work (scalescope --help)\n";
    return exit_input;
}

constexpr std::string_view not_here = "not in this build, which has no window";

}  // namespace

std::vector<Command> verbs_that_draw() {
    return {{"render", not_here, {}, run_nothing}, {"report", not_here, {}, run_nothing}};
}

int open_window(int, char**) { return run_nothing({}, std::cout, std::cerr); }

}  // namespace scalescope::app
