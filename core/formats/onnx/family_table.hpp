// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <unordered_map>

#include "core/base/name_list.hpp"

namespace scalescope::formats::onnx {

/// A function and the names of all operators, or kinds of layers, that it is for, separated by spaces.
template <class Function>
struct FamilyRow {
    Function function;
    std::string_view names;
};

/// The rows of several families by name. Where two rows have the same name, the first counts.
template <class Function>
class FamilyTable {
public:
    FamilyTable(std::initializer_list<std::span<const FamilyRow<Function>>> families) {
        for (const auto rows : families)
            for (const auto& row : rows)
                for (std::string_view left = row.names; !left.empty();)
                    functions_.emplace(next_name(left), row.function);
    }
    /// nullptr: there is none.
    Function find(std::string_view name) const {
        const auto it = functions_.find(name);
        return it == functions_.end() ? nullptr : it->second;
    }

private:
    std::unordered_map<std::string_view, Function> functions_;
};

}  // namespace scalescope::formats::onnx
