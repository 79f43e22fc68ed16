// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/estimate/estimate.hpp"
#include "support_paleo.hpp"

/// Runs that SimuMax printed (tests/data/parallel), as Scalescope estimates them.
namespace simumax {

using Row = paleo_test::Csv::Row;

const paleo_test::Csv& runs();

/// A run's sizes and degrees. 0 where a network has no such thing.
struct Sizes {
    explicit Sizes(const Row& row);
    std::string system;
    std::int64_t layers, hidden, heads, kv_heads, head, inner, experts, chosen, expert_inner, shared_inner, vocabulary;
    std::int64_t dense_layers;                                         ///< before those with experts
    std::int64_t query_rank, key_rank, key_head, rotated, value_head;  ///< latent attention
    bool gated, latent, sequence, sharded, half_attention;
    std::int64_t positions, samples, micro_batches;
    std::int64_t tensor, pipeline, context, data, expert, expert_tensor;
    std::int64_t layers_of_stage() const { return layers / pipeline; }
    /// Positions of a rank, all samples of a micro-batch.
    std::int64_t tokens() const { return samples * positions / context; }
    double replicas() const { return static_cast<double>(data * context); }
    /// Ranks with the same experts.
    double expert_data() const {
        return static_cast<double>(data * context * tensor) / static_cast<double>(expert_ranks());
    }
    std::int64_t expert_ranks() const { return expert * expert_tensor; }
};

std::shared_ptr<const scalescope::Network> network_of(const Sizes& sizes);
scalescope::Scenario scenario_of(const Sizes& sizes);

/// Whether every block is computed once more, as SimuMax and Scalescope both can.
bool recomputes_blocks(const Row& row);

struct Estimated {
    explicit Estimated(const Row& row);
    Sizes sizes;
    scalescope::Plan plan;
    scalescope::Estimate e;
    const scalescope::Network& network() const { return *plan.parts[0].network; }
    const scalescope::Work& work() const { return plan.parts[0].work; }
    const scalescope::Layer& layer(const scalescope::LayerEstimate& row) const {
        return network().layers()[static_cast<std::size_t>(row.position)];
    }
    const scalescope::LayerFacts& facts(const scalescope::LayerEstimate& row) const {
        return network().facts()[static_cast<std::size_t>(row.position)];
    }
    /// Layers of the first or the last stage.
    std::vector<const scalescope::LayerEstimate*> stage(bool last) const;
};

double figure(const std::string& system, const std::string& name);
bool has_figure(const std::string& system, const std::string& name);
/// What SimuMax measured of an operation of this shape, or its default of that operator.
double reached(const std::string& system, const std::string& op, const std::string& shape);

}  // namespace simumax
