// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace support {

/// Whether the program runs under address sanitizer, up to forty times slower. What is asked there is whether memory
/// and arithmetic are sound, and a sample answers that; whether the numbers are right is asked of all without it.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

/// Of so many random cases, those that are tried; and of the cases expected among them, those that must be found.
constexpr int sampled(int all) { return sanitized ? (all + 7) / 8 : all; }
constexpr int expected(int all) { return sanitized ? all / 16 : all; }

}  // namespace support
