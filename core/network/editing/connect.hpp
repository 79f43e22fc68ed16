// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/network/editing/edit.hpp"

namespace scalescope::editing {

/// Lets `to` read `from`: at its input number `input`, in place of what is there; without a number at one that is open,
/// else as one more, or, of a kind that takes no more, in place of the last. A cycle is a Problem.
Edit connect_layers(const NetworkDraft& draft, LayerId from, LayerId to, std::optional<int> input = {});

Edit disconnect_input(const NetworkDraft& draft, LayerId to, int input);

/// Moves an input of a layer to another place among its inputs; those between move up.
Edit reorder_inputs(const NetworkDraft& draft, LayerId layer, int from, int to);

}  // namespace scalescope::editing
