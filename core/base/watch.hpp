// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.hpp"
#include "core/base/progress.hpp"

namespace scalescope {

/// Somebody who waits for long work: hears how far it is, and may end it. By default nobody does.
struct Watch {
    Progress progress{};
    CancelToken cancel{};
};

}  // namespace scalescope
