// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as an ONNX model: a Problem, or a network that can be written, read again, and estimated; at other sizes
// too.
#include "core/formats/onnx/onnx_import.hpp"
#include "fuzz/checks.hpp"

using namespace scalescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    Problems warnings;
    const auto draft = formats::import_onnx_network(bytes, "fuzz.onnx", &warnings);
    const auto network = fuzz::check_import(draft, warnings);
    if (!network) return 0;
    std::vector<Binding> sizes;
    for (const Binding& b : network->bindings()) sizes.push_back({b.symbol, b.value / 2 + 2});
    if (sizes.empty()) return 0;
    const auto made = Network::make(*draft, sizes);
    if (!made) fuzz::check_problems(made.error());
    // The same sizes, known before the file is read.
    const auto given = formats::import_onnx_network(bytes, "fuzz.onnx", nullptr, {}, nullptr, sizes);
    if (!given) return fuzz::check_problems(given.error());
    if (const auto from = Network::make(*given)) fuzz::check_work(**from);
    return 0;
}
