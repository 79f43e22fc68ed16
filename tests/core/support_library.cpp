// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_library.hpp"

namespace support {

const scalescope::formats::Library& library() {
    static const scalescope::formats::Library shipped = scalescope::formats::load_shipped();
    return shipped;
}

std::string messages(const scalescope::Problems& problems) {
    std::string all;
    for (const scalescope::Problem& p : problems) all += to_text(p) + '\n';
    return all;
}

}  // namespace support
