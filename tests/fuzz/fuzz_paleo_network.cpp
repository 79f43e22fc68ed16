// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/formats/paleo/network.hpp"
#include "core/paleo/simulate.hpp"

using namespace scalescope;
using namespace scalescope::paleo;

namespace {

void require(bool truth) {
    if (!truth) std::abort();
}

void require_finite(Seconds t) { require(std::isfinite(t.value)); }

void price(const Net& net) {
    const Setup setup{*find_device("K40"), *find_link("ethernet"), 0.5, 0.5, 0.5, false};
    std::vector<AlgorithmChoice> choices(net.layers.size());
    for (auto& choice : choices) choice.passes = {Algorithm::fft, Algorithm::fft_tiled, Algorithm::fft};
    for (const Era era : {Era::head, Era::paper})
        for (const bool corrected : {false, true}) {
            const paleo::Method method{era, corrected ? all_corrections() : Corrections{}};
            for (const auto& plan : {make_plan(net, method), make_plan(net, method, choices)}) {
                const auto data = simulate_data(plan, setup, Scaling::strong, 0, 3);
                require_finite(data.iteration(Scheme::one_to_all));
                require(data.forward >= Seconds{} && data.backward >= Seconds{});
                const auto model = simulate_model(plan, setup, 0);
                require_finite(model.iteration());
                require(model.forward.lower <= model.forward.upper * (1.0 + 1e-9));
                require_finite(simulate_hybrid(plan, setup, 0, 4).iteration());
            }
        }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto net = formats::read_paleo_network({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!net) {
        require(!net.error().empty());
        for (const auto& problem : net.error()) require(!problem.what.empty() && problem.at.line > 0);
        return 0;
    }
    // What is read can be written, and is read again as the same net.
    const auto text = formats::write_paleo_network(*net);
    const auto again = formats::read_paleo_network(text, "again.json");
    require(again && formats::write_paleo_network(*again) == text && again->layers.size() == net->layers.size());
    if (net->layers.size() <= 1000) price(*net);
    return 0;
}
