// SPDX-License-Identifier: GPL-3.0-or-later
// Opening an ONNX model of 500 MB: 125 products of 1,000 × 1,000 numbers, each with an activation behind it. Target:
// below a second and 150 MB resident. The file has holes where the weights would be, so that it takes no room on the
// disk.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

#include "core/formats/input_file.hpp"
#include "core/formats/library.hpp"
#include "support_onnx.hpp"

namespace {

using namespace scalescope;
using namespace support::by_hand;
namespace fs = std::filesystem;

constexpr std::int64_t products = 125, width = 1000, payload = width * width * 4;

std::string key(unsigned field, std::size_t size) {
    std::string out = part(field, "");
    out.pop_back();  // the size of nothing
    for (std::size_t left = size;; left >>= 7) {
        out += static_cast<char>((left & 127) | (left > 127 ? 128 : 0));
        if (left <= 127) return out;
    }
}

fs::path large_model() {
    const fs::path path = fs::temp_directory_path() / "scalescope-bench-large.onnx";
    std::string nodes = value(11, "x0", {-1, width});
    std::vector<std::string> heads;
    std::size_t size = 0;
    for (std::int64_t i = 0; i < products; ++i) {
        const std::string n = std::to_string(i), w = "w" + n;
        nodes += node("MatMul", {"x" + n, w}, "y" + n) + node("Relu", {"y" + n}, "x" + std::to_string(i + 1));
        const std::string tensor =
            part(1, packed({width, width})) + number(2, 1) + part(8, w) + key(9, static_cast<std::size_t>(payload));
        heads.push_back(key(5, tensor.size() + static_cast<std::size_t>(payload)) + tensor);
        size += heads.back().size() + static_cast<std::size_t>(payload);
    }
    std::ofstream file(path, std::ios::binary);
    file << number(1, 8) << key(7, nodes.size() + size) << nodes;
    for (const std::string& head : heads) {
        file << head;
        file.seekp(payload, std::ios::cur);
    }
    file << part(8, number(2, 17));
    return path;
}

void open_500_mb(benchmark::State& state) {
    const fs::path path = large_model();
    std::int64_t parameters = 0;
    for (auto _ : state) {
        const auto text = formats::read_input_file(path);
        const auto network = text ? formats::read_any_network(*text, "large.onnx") : tl::unexpected(text.error());
        if (!network) {
            state.SkipWithError("it is not read");
            break;
        }
        parameters = (*network)->parameters();
    }
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    state.counters["parameters"] = static_cast<double>(parameters);
    state.counters["resident_MB_at_most"] = static_cast<double>(used.ru_maxrss) / 1000;
    std::error_code ignored;
    fs::remove(path, ignored);
}
BENCHMARK(open_500_mb)->Unit(benchmark::kMillisecond);

}  // namespace
