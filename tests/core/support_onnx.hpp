// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/problem.hpp"

/// ONNX models by hand: the wire format, written as its specification says, and messages of onnx.proto3 by their
/// fields. Strings are pieces of a message; a graph is its pieces one after the other.
namespace support::by_hand {

std::string number(unsigned field, std::uint64_t value);
std::string part(unsigned field, const std::string& bytes);
std::string packed(const std::vector<std::int64_t>& numbers);

// Attributes of a node.
std::string ints(const std::string& name, const std::vector<std::int64_t>& values);
std::string integer(const std::string& name, std::int64_t value);
std::string real(const std::string& name, float value);
std::string reals(const std::string& name, const std::vector<float>& values);
std::string text(const std::string& name, const std::string& value);
std::string graph(const std::string& name, const std::string& pieces);
/// Inside a function: the attribute of the call.
std::string reference(const std::string& name, const std::string& attribute, int type);

/// A node as graphs have it; as functions have it, its field is another.
std::string node(const std::string& op, const std::vector<std::string>& in, const std::vector<std::string>& out,
                 const std::string& attributes = {}, const std::string& domain = {}, unsigned field = 1);
inline std::string node(const std::string& op, const std::vector<std::string>& in, const std::string& out,
                        const std::string& attributes = {}, const std::string& domain = {}) {
    return node(op, in, std::vector<std::string>{out}, attributes, domain);
}

/// A tensor without numbers, as if they lay elsewhere; by default of floats.
std::string weights(const std::string& name, const std::vector<std::int64_t>& dims, int element = 1);
std::string whole_numbers(const std::string& name, const std::vector<std::int64_t>& values);
/// One number without dimensions.
std::string whole_scalar(const std::string& name, std::int64_t value);
std::string real_numbers(const std::string& name, const std::vector<float>& values);

/// An input (11), an output (12) or a value in between (13); −1 is the batch N, other numbers below 0 are the open
/// sizes that `names` has for −2, −3 ….
std::string value(unsigned field, const std::string& name, const std::vector<std::int64_t>& dims, int element = 1,
                  const std::vector<std::string>& names = {});
std::string model(const std::string& graph, std::uint64_t opset = 13, const std::string& more = {});

std::string text_of(const scalescope::Problems& problems);

}  // namespace support::by_hand
