// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/network/editing/edit.hpp"

namespace scalescope::editing {

/// A layer that reads nothing yet, in the block `block` ("": at the top).
Edit insert_alone(const NetworkDraft& draft, const Kind& kind, std::string_view block = {});

/// What becomes of those that read the layer behind which another one is put.
enum class Readers { stay, follow };

/// A layer that reads `sources`, in the innermost block of all of them: a branch of its own, or (readers follow)
/// between them and whatever reads them. Of a kind that takes one input, every source but the first is left out.
Edit insert_behind(const NetworkDraft& draft, const Kind& kind, std::span<const LayerId> sources,
                   Readers readers = Readers::stay);

/// A layer between `to` and what its input number `input` comes from.
Edit insert_on_edge(const NetworkDraft& draft, const Kind& kind, LayerId to, int input);

}  // namespace scalescope::editing
