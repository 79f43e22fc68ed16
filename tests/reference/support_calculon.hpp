// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/estimate/estimate.hpp"
#include "core/network/network.hpp"
#include "support_paleo.hpp"

/// Runs that Calculon printed (tests/data/parallel), as Scalescope estimates them.
namespace calculon {

using Row = paleo_test::Csv::Row;

/// Its runs, and one of them. Read once.
const paleo_test::Csv& runs();
const Row& run_called(const std::string& id);

/// Sizes of a run as one rank sees them: elements of one micro-batch, and degrees.
struct Sizes {
    explicit Sizes(const Row& row);
    std::int64_t blocks, heads, width_of_head, hidden, inner, positions, samples;
    std::int64_t tensor, pipeline, data, chunks, micro_batches;
    bool multiquery, sequence, pieces_at_border, fused, split, gathers_again, sharded;
    std::string recompute;
    double element = 2;     ///< bytes
    double whole;           ///< of the stream between layers
    double rank;            ///< what a rank has of it: an equal part under sequence parallelism
    double queries, keys;   ///< of a rank
    double scores, middle;  ///< of attention, and inside the feed-forward network; of a rank
    double of_tensor(double amount) const { return amount / static_cast<double>(tensor); }
    /// Calculon rounds up.
    std::int64_t blocks_of_stage() const { return (blocks + pipeline - 1) / pipeline; }
    bool interleaves() const;
};

/// The blocks alone, without biases, embedding and logits, as Calculon has them. Layers of block 3: "h3/norm", …
std::shared_ptr<const scalescope::Network> network_of(const Sizes& sizes);
scalescope::Scenario scenario_of(const Sizes& sizes);

/// A run, estimated.
struct Estimated {
    explicit Estimated(const Row& row);
    Sizes sizes;
    scalescope::Plan plan;
    scalescope::Estimate e;
    const scalescope::Network& network() const { return *plan.parts[0].network; }
    const scalescope::Work& work() const { return plan.parts[0].work; }
    /// A layer of the second block, whose tensors come from a block and go to one.
    const scalescope::LayerEstimate& layer(const std::string& name) const;
    std::vector<const scalescope::LayerEstimate*> block() const;
    std::vector<const scalescope::MessageEstimate*> tensor_messages(bool forward, bool again) const;
    /// Bytes of one micro-batch that the block's messages along the tensor axis carry.
    double sent(bool forward, bool again = false) const;
    /// How many these are.
    int messages(bool forward) const;
};

/// Peaks and efficiencies of a system file, by figure; 0 where it has a figure without a value.
double figure(const std::string& system, const std::string& name);
/// Fraction of a peak that it grants an operation of that size: of `table` the first row that is not larger.
double granted(const std::string& system, const std::string& table, double size);
/// Seconds of an operation that is no product, at what it grants.
double small_operation(const std::string& system, double flops, double bytes);

}  // namespace calculon
