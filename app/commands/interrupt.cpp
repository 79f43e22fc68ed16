// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace scalescope::app {

namespace {

std::atomic<CancelSource*> interrupted{nullptr};
static_assert(std::atomic<CancelSource*>::is_always_lock_free, "a signal's handler may touch it");

extern "C" void on_interrupt(int) {
    if (CancelSource* source = interrupted.load()) source->cancel();
    std::signal(SIGINT, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
    interrupted = &source_;
    // Whoever started the program with Ctrl+C ignored (nohup, a shell's background) wants it to stay so.
    if (std::signal(SIGINT, on_interrupt) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
}

Interrupt::~Interrupt() {
    if (std::signal(SIGINT, SIG_DFL) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    interrupted = nullptr;
}

}  // namespace scalescope::app
