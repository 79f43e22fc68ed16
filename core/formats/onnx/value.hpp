// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/formats/onnx/model.hpp"

namespace scalescope::formats::onnx {

using Dims = std::vector<std::int64_t>;

/// A dimension that depends on the data, or on an operator that is not known.
inline constexpr std::int64_t open_dimension = -1;

/// What is known of a value on one run: its shape, and its numbers where shapes may depend on them.
struct Value {
    enum class Form { absent, tensor, sequence, optional };
    Form form = Form::absent;
    int element = 0;
    bool ranked = false;  ///< `dims` are known, though some may be open
    Dims dims;
    bool known = false;  ///< all numbers are in `whole` or `real`
    std::vector<std::int64_t> whole;
    std::vector<double> real;
    std::vector<Value> items;  ///< of a sequence whose length is known; of an optional at most one
    bool counted = false;      ///< `items` is all of a sequence

    bool present() const { return form != Form::absent; }
    bool closed() const;  ///< ranked, and no dimension is open
    std::int64_t rank() const { return static_cast<std::int64_t>(dims.size()); }
    std::int64_t count() const;  ///< of elements; below 0 if open, saturating far above what is accepted
    bool small() const;          ///< closed, and few enough elements to know their numbers
    bool is_real() const { return onnx::is_real(element); }
    /// Copies number `i` of `other`, of the same type, behind those that are known.
    void append(const Value& other, std::size_t i);
    double number(std::size_t i) const { return is_real() ? real[i] : static_cast<double>(whole[i]); }
};

Value tensor_value(int element, Dims dims);
Value unranked(int element);
Value whole_value(int element, Dims dims, std::vector<std::int64_t> numbers);
Value real_value(int element, Dims dims, std::vector<double> numbers);
Value value_of(const Tensor& tensor);
/// As large and of the same type, without its numbers.
Value without_numbers(const Value& value);

/// More numbers than these no shape depends on.
inline constexpr std::int64_t most_known = 4096;

/// NumPy's rule; an open dimension gives way to one larger than 1. Nothing: they do not fit.
std::optional<Dims> broadcast_dims(const Dims& a, const Dims& b);

/// A dimension longer by `more`, or so many times as long; open where one of both is. False: too large to be counted.
bool lengthen(std::int64_t& dimension, std::int64_t more);
bool multiply(std::int64_t& dimension, std::int64_t times);

/// `axis` counted from the front; nothing outside −rank … rank − 1.
std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank);

}  // namespace scalescope::formats::onnx
