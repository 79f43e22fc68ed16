// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace scalescope {

/// Integer arithmetic that notices overflow: `ok` turns false and stays so; the value is then meaningless.
class Checked {
public:
    constexpr Checked(std::int64_t v = 0) : value_(v) {}  // NOLINT: meant to convert
    friend constexpr Checked operator*(Checked a, Checked b) {
        Checked r;
        r.ok_ = !__builtin_mul_overflow(a.value_, b.value_, &r.value_) && a.ok_ && b.ok_;
        return r;
    }
    friend constexpr Checked operator+(Checked a, Checked b) {
        Checked r;
        r.ok_ = !__builtin_add_overflow(a.value_, b.value_, &r.value_) && a.ok_ && b.ok_;
        return r;
    }
    constexpr bool ok() const { return ok_; }
    constexpr std::int64_t value() const { return value_; }

private:
    std::int64_t value_ = 0;
    bool ok_ = true;
};

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace scalescope
