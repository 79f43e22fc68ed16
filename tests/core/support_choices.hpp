// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/scenario/names.hpp"

/// All values of a choice in a scenario, so that a new one is tested wherever all are.
namespace support {

template <class E>
constexpr auto all_of() {
    std::array<E, scalescope::choice_names<E>.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<E>(i);
    return all;
}

constexpr auto all_collectives = all_of<scalescope::Collective>();
constexpr auto all_schemes = all_of<scalescope::HybridScheme>();
constexpr auto all_overlaps = all_of<scalescope::Overlap>();
constexpr auto all_optimizers = all_of<scalescope::Optimizer>();

/// The plain ways to divide the work among all workers: more of them are more replicas, more pieces of each layer's
/// outputs, more stages, or both of the first two, before and behind a cut.
enum class Divided { data, outputs, layers, hybrid };
inline constexpr std::array all_divided{Divided::data, Divided::outputs, Divided::layers, Divided::hybrid};

/// Of a Parallelism or a Point; a policy that is the usual one stays the usual one.
void divide(auto& p, Divided way) {
    using scalescope::MeshAxis;
    const bool usual = p.policy == scalescope::usual_policy(p.fill);
    p.fill = way == Divided::outputs ? MeshAxis::tensor : way == Divided::layers ? MeshAxis::pipeline : MeshAxis::data;
    p.segments = way == Divided::hybrid;
    if (usual) p.policy = scalescope::usual_policy(p.fill);
}
Divided divided(const auto& p) {
    using scalescope::MeshAxis;
    if (p.segments) return Divided::hybrid;
    return p.fill == MeshAxis::tensor     ? Divided::outputs
           : p.fill == MeshAxis::pipeline ? Divided::layers
                                          : Divided::data;
}

}  // namespace support
