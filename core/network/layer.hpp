// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/problem.hpp"

namespace scalescope {

struct Kind;

/// Names one layer for as long as its network is edited; survives insertion, deletion and reordering of others.
struct LayerId {
    std::uint32_t value = 0;
    auto operator<=>(const LayerId&) const = default;
};

/// One dimension as written: a number, or a factor times a symbol that the scenario binds ("batch", "sequence").
struct Dim {
    std::int64_t factor = 1;
    std::string symbol;  ///< empty: the dimension is `factor` itself
    bool operator==(const Dim&) const = default;
};

/// The dimensions of a tensor for one sample: the batch is left out, channels are last.
using Shape = std::vector<std::int64_t>;

/// Product of the dimensions; the caller has checked them against base/limits.
std::int64_t elements(const Shape& shape);
/// "54×54×64"; a scalar is "1".
std::string to_text(const Shape& shape);

/// Padding as written: "same", "valid", or explicit sizes before and after each axis: of a sequence left and right, of
/// an image top and bottom too, of a volume also front and back.
struct Padding {
    enum class Mode { valid, same, explicit_sizes } mode = Mode::valid;
    std::int64_t top = 0, bottom = 0, left = 0, right = 0;
    std::int64_t front = 0, back = 0;
    int axes = 2;  ///< of explicit sizes: 1 to 3
    bool operator==(const Padding&) const = default;
};

/// Value of an attribute; which alternative is right is said by the kind's attribute table. A whole number that may be
/// left open is a Dim only where it has a symbol.
using AttributeValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                    Padding, std::vector<Dim>, Dim>;

/// One layer as written. Attributes lie in the order of `kind->attributes`, each set (to its default if left out).
struct Layer {
    LayerId id;
    std::string name;
    const Kind* kind = nullptr;
    std::vector<AttributeValue> attributes;
    std::vector<LayerId> inputs;
    LayerId shares_weights_with;  ///< whose weights it uses instead of its own; 0: none but its own
    std::string assumed;          ///< sentences: what was assumed because its file does not state it; empty: nothing
    SourcePosition at;            ///< where it was read, for messages; not part of its identity
};

}  // namespace scalescope
