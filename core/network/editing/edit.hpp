// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/network/network.hpp"

/// What a gesture on a drawn network does: functions from a draft to a new one. Half-made drafts are legal: a layer may
/// have an open input (LayerId{}), one too few, or shapes that do not fit; Sketch says so, the edits do not mind.
/// A layer that an edit leaves in the draft keeps its LayerId.
namespace scalescope::editing {

struct Edited {
    NetworkDraft draft;
    std::vector<LayerId> selected;  ///< what the edit was about, to be selected after it
};

/// A new draft, or why there is none.
using Edit = Result<Edited>;

}  // namespace scalescope::editing
