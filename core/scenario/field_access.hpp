// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/fields.hpp"

#include <string>
#include <variant>

/// How the field table reaches into a Scenario. Only the files of the table include this.
namespace scalescope {

/// Reads from a const scenario and writes to one, through the same expression.
template <class T>
struct Member {
    const T& (*get)(const Scenario&);
    T& (*ref)(Scenario&);
};

/// A number kept in a unit of its own: text · 10^power, or text · factor where the units are powers of two apart.
struct NumberAccess {
    Member<double> member;
    int power = 0;
    double factor = 1;
};
struct OptionalAccess {
    std::optional<double> (*get)(const Scenario&);
    void (*set)(Scenario&, std::optional<double>);
    int power = 0;
};
struct ChoiceAccess {
    std::size_t (*get)(const Scenario&);
    void (*set)(Scenario&, std::size_t);
    /// Where values are sets of the field's words too: the text of a value, and back. nullptr: a value is the place of
    /// its word.
    std::string (*text)(std::size_t) = nullptr;
    std::optional<std::size_t> (*called)(std::string_view) = nullptr;
};
struct CutAccess {};       ///< Parallelism::cut and cut_auto
struct NodesAccess {};     ///< workers = nodes · devices per node
struct ReplicasAccess {};  ///< workers = replicas · machines of a replica

/// A symbol of the networks (symbol_fields.hpp).
struct SymbolAccess {
    std::string name;
};

struct FieldAccess {
    std::variant<Member<std::int64_t>, NumberAccess, OptionalAccess, Member<bool>, ChoiceAccess, Member<Device>,
                 Member<Link>, Member<CpuMachine>, Member<std::vector<LayerId>>, Member<std::vector<std::string>>,
                 CutAccess, NodesAccess, ReplicasAccess, SymbolAccess>
        how;
};

}  // namespace scalescope
