// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the text of a scenario: a Problem, or a scenario whose own link gives the same. Links are rarely made by
// chance; so the bytes are also packed as one, with the sum they need.
#include "core/base/limits.hpp"
#include "core/formats/scenario_text.hpp"
#include "fuzz/checks.hpp"

#include <zlib.h>

using namespace scalescope;

namespace {

const formats::Library& library() {
    static const formats::Library all = formats::load_shipped();
    return all;
}

void check_link(std::string_view text) {
    const auto read = formats::from_link(text, library());
    if (!read) {
        fuzz::check_problems(read.error());
        return;
    }
    fuzz::require(formats::is_link(text), "what is read as a link looks like one");
    const auto link = formats::to_link(read->scenario, library());
    if (!link) {
        fuzz::check_problems(link.error());
        return;
    }
    const auto again = formats::from_link(*link, library());
    fuzz::require(again.has_value() && formats::write_scenario(again->scenario, library()) ==
                                           formats::write_scenario(read->scenario, library()),
                  "a link gives the scenario that it was made of");
}

std::string link_around(std::string_view packed) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string link = "scalescope:1:";
    for (std::size_t i = 0; i < packed.size(); i += 3) {
        const std::size_t n = std::min<std::size_t>(3, packed.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < n ? static_cast<unsigned char>(packed[i + k]) : 0u);
        for (std::size_t k = 0; k <= n; ++k) link += alphabet[bits >> (18 - 6 * k) & 63];
    }
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(packed.data()), static_cast<uInt>(packed.size()));
    char digits[16];
    std::snprintf(digits, sizeof digits, ":%08lx", static_cast<unsigned long>(sum));
    return link + digits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    check_link(bytes);
    check_link(link_around(bytes));
    return 0;
}
