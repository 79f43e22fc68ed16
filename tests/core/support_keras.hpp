// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/network/network.hpp"

/// Keras models as text, written by the tests of their reader.
namespace support::keras {

/// One layer as Keras 2 writes it; `reads` are its inbound nodes.
std::string layer(const std::string& type, const std::string& name, const std::string& config,
                  const std::string& reads = {});
std::string input(const std::string& name, const std::string& shape);
/// What a call reads, as Keras 2 writes it: ["a", 0, 0, {}].
std::string from(const std::string& names);
std::string model(const std::string& layers, const std::string& out = "y", const std::string& in = "x");
/// One layer "y" of the class, over an input of the shape.
std::string one(const std::string& type, const std::string& config, const std::string& shape);
/// The same over two inputs.
std::string two(const std::string& type, const std::string& config, const std::string& a, const std::string& b);

inline constexpr auto image = "[null, 8, 10, 3]";
inline constexpr auto first = "[null, 3, 8, 10]";
inline constexpr auto steps = "[null, 12, 5]";

scalescope::Shape shape_of(const scalescope::Network& network, std::string_view name);
/// The shape of the last layer.
scalescope::Shape last_shape(const scalescope::Network& network);
/// nullptr, and said on the log, if it cannot be read.
std::shared_ptr<const scalescope::Network> read(const std::string& text, scalescope::Problems* warnings = nullptr);

}  // namespace support::keras
