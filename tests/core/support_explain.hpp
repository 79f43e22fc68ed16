// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/estimate/explain.hpp"
#include "sanitized.hpp"

/// Scenarios whose figures are explained, their pages, and what a person reads on a page.
namespace support::explained {

/// "every kind", a small network that holds every kind of layer; or a preset's name.
std::shared_ptr<const scalescope::Network> network(const std::string& name);
/// Four K40 on links of two levels, 32 samples each.
scalescope::Scenario scenario(const std::string& network_name);
/// The position of a layer of the scenario's first network.
int layer(const scalescope::Scenario& s, const char* name);
/// The page of a figure; ends the program if there is none.
scalescope::Explanation why(const scalescope::Scenario& s, const scalescope::Item& item);

/// The value of a printed equation's right side, and half a unit of its last digit if it is a number alone.
struct Read {
    std::optional<double> value;
    double half_unit = 0;
};
/// Reads what a person reads: "= 53.16 GFLOP / 6.144 TFLOP/s + 97.17 MB / 361.3 GB/s".
Read read_line(const std::string& printed);

}  // namespace support::explained
