// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/fields.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace scalescope {

/// What the symbols of a scenario's networks add to the table of fields: "symbols.sequence" is the length of the
/// sequence in every network of the workload that has that symbol. The rows live as long as this object.
class SymbolFields {
public:
    explicit SymbolFields(const Scenario& scenario);

    /// In the order of the networks and of their symbols, each name once.
    std::span<const Field> rows() const { return rows_; }
    /// nullptr if there is none.
    const Field* find(std::string_view path) const;

    static constexpr std::string_view prefix = "symbols.";

private:
    struct Texts;
    std::shared_ptr<const std::vector<Texts>> texts_;
    std::vector<Field> rows_;
};

/// The value of the symbol in the first network that has it.
std::optional<std::int64_t> symbol_value(const Scenario& scenario, std::string_view symbol);
/// Gives every network of the workload that has the symbol this value. A size that does not fit is a Problem and
/// changes nothing.
Result<void> set_symbol(Scenario& scenario, std::string_view symbol, std::int64_t value);

/// The symbols in which two workloads differ that are the same otherwise; nothing if they differ in more.
std::optional<std::vector<std::string>> changed_symbols(const Scenario& a, const Scenario& b);

}  // namespace scalescope
