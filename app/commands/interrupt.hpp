// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"

namespace scalescope::app {

/// While it lives, the first Ctrl+C asks long work to end with what it has; the second ends the program, as always.
/// One at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    CancelToken token() const { return source_.token(); }

private:
    CancelSource source_;
};

}  // namespace scalescope::app
