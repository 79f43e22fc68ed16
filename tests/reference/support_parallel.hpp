// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <zlib.h>
#include <QtGlobal>
#include <array>
#include <string>

#include "support_paleo.hpp"

namespace support {

/// A table of tests/data/parallel, packed or not.
inline paleo_test::Csv parallel_csv(const std::string& name) {
    gzFile file = gzopen((SCALESCOPE_TEST_DATA "/parallel/" + name).c_str(), "rb");
    if (file == nullptr) qFatal("missing test data: %s", name.c_str());
    std::string text;
    std::array<char, 65536> piece{};
    for (int n; (n = gzread(file, piece.data(), piece.size())) > 0;)
        text.append(piece.data(), static_cast<std::size_t>(n));
    gzclose(file);
    return paleo_test::Csv::parse(text);
}

}  // namespace support
