// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "support_paleo.hpp"

namespace support {

/// A table of tests/data/parallel.
inline paleo_test::Csv parallel_csv(const std::string& name) {
    std::ifstream in(SCALESCOPE_TEST_DATA "/parallel/" + name);
    return paleo_test::Csv::parse({std::istreambuf_iterator<char>(in), {}});
}

}  // namespace support
