// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <barrier>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace scalescope::measure {

/// Threads that wait between rounds of equal work: starting one costs more than pricing a generation. The caller works
/// too, as number 0; with one thread there are no others.
class Crew {
public:
    /// `work(thread, from, to)` is to do pieces from … to − 1 of a round of `pieces`.
    using Work = std::function<void(std::size_t thread, std::size_t from, std::size_t to)>;

    Crew(std::size_t threads, std::size_t pieces, Work work)
        : threads_(threads < 1 ? 1 : threads),
          pieces_(pieces),
          work_(std::move(work)),
          begin_(static_cast<std::ptrdiff_t>(threads_)),
          end_(static_cast<std::ptrdiff_t>(threads_)) {
        for (std::size_t t = 1; t < threads_; ++t) others_.emplace_back([this, t] { serve(t); });
    }
    ~Crew() {
        done_ = true;
        if (!others_.empty()) begin_.arrive_and_wait();
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// One round; returns when all of it is done.
    void run() {
        if (!others_.empty()) begin_.arrive_and_wait();
        share(0);
        if (!others_.empty()) end_.arrive_and_wait();
    }

private:
    void share(std::size_t t) { work_(t, pieces_ * t / threads_, pieces_ * (t + 1) / threads_); }
    void serve(std::size_t t) {
        for (;;) {
            begin_.arrive_and_wait();
            if (done_) return;
            share(t);
            end_.arrive_and_wait();
        }
    }

    std::size_t threads_, pieces_;
    Work work_;
    bool done_ = false;  // read and written on either side of begin_ only
    std::barrier<> begin_, end_;
    std::vector<std::jthread> others_;  // last, so that they end before what they use
};

}  // namespace scalescope::measure
