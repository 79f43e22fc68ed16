// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/network/editing/edit.hpp"
#include "core/network/sketch.hpp"

namespace scalescope::editing {

/// A way to mend what is wrong, and what the network is then.
struct Fix {
    std::string title;  ///< for a button: "Insert flatten", "Set stride to 1 in pool3"
    Edited edited;
};

/// Ways to mend `fault`, one of those that `sketch` finds in `draft`; the likeliest first, and not many. Each was
/// tried: the fault is gone after it, everything that could be measured before can be measured still, and so can what
/// it adds. Costs some sketches of the draft, so it is for the faults that are shown.
std::vector<Fix> fixes_of(const NetworkDraft& draft, const Sketch& sketch, const Fault& fault,
                          std::span<const Binding> bindings = {});

}  // namespace scalescope::editing
