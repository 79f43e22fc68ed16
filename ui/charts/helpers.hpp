// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <string>
#include <string_view>
#include "ui/language/told.hpp"

/// Two conversions every chart makes all the time: Qt counts in int, the standard library in size_t; core writes UTF-8.
namespace scalescope::ui {

inline std::size_t at(int index) { return static_cast<std::size_t>(index); }
inline QString text_of(std::string_view text) { return told(text); }
/// "Workers"
inline QString capital_of(std::string_view word) {
    const QString text = text_of(word);
    return text.left(1).toUpper() + text.mid(1);
}

}  // namespace scalescope::ui
