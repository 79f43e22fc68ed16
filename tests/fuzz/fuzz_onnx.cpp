// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as an ONNX model: a Problem, or a network that can be written, read again, and estimated; at other sizes
// too. The same bytes as a file on disk, whose weights are left out before it is read.
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "core/formats/onnx/onnx_import.hpp"
#include "fuzz/checks.hpp"

using namespace scalescope;

namespace {

Result<std::string> condensed(std::string_view bytes) {
    static const int file = memfd_create("fuzz.onnx", MFD_CLOEXEC);
    const auto size = static_cast<ssize_t>(bytes.size());
    fuzz::require(ftruncate(file, 0) == 0 && pwrite(file, bytes.data(), bytes.size(), 0) == size, "the file is there");
    return formats::condense_onnx("/proc/self/fd/" + std::to_string(file));
}

/// No fuzzed file has weights that are large enough to be left out, so the same network must come out.
void check_file(std::string_view bytes, const Result<NetworkDraft>& whole) {
    const auto text = condensed(bytes);
    if (!text) {
        fuzz::check_problems(text.error());
        return;
    }
    const auto again = condensed(*text);
    fuzz::require(again && *again == *text, "there is nothing more to leave out");
    const auto draft = formats::import_onnx_network(*text, "fuzz.onnx");
    if (!draft) {
        fuzz::check_problems(draft.error());
        return;
    }
    if (whole)
        fuzz::require(formats::write_network(*draft) == formats::write_network(*whole),
                      "a network is the same without its weights");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    Problems warnings;
    const auto draft = formats::import_onnx_network(bytes, "fuzz.onnx", &warnings);
    check_file(bytes, draft);
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
