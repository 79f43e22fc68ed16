// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <string>

/// Two conversions every chart makes all the time: Qt counts in int, the standard library in size_t; core writes UTF-8.
namespace scalescope::ui {

inline std::size_t at(int index) { return static_cast<std::size_t>(index); }
inline QString text_of(const std::string& text) { return QString::fromStdString(text); }

}  // namespace scalescope::ui
