// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mutex>

namespace scalescope {

/// A value that is computed when it is first asked for, by one thread. Copies compute their own.
template <class T>
class Once {
public:
    Once() = default;
    Once(const Once&) {}
    Once& operator=(const Once&) = delete;

    template <class Make>
    const T& get(Make make) const {
        std::call_once(made_, [&] { value_ = make(); });
        return value_;
    }

private:
    mutable std::once_flag made_;
    mutable T value_{};
};

}  // namespace scalescope
