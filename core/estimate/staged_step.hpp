// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/pieces.hpp"
#include "core/estimate/servers.hpp"
#include "core/estimate/step.hpp"

namespace scalescope {

/// The step of one network in stages, as a point asks for it.
struct StagedStep {
    const Plan& plan;
    const PlanPart& part;
    int part_index;
    const Point& point;
    const Mesh& mesh;
    PipelineShape shape;
    std::size_t stages, devices;
    std::int64_t batches;    ///< micro-batches of a micro-step
    double repeat, samples;  ///< micro-steps; samples of a micro-batch
    const LayerAxes* axes;   ///< if layers are divided
    std::int64_t width;      ///< neighbouring workers of one stage
    Scratch& s;
    KnownPieces::Maps& known;

    StagedStep(const Plan& of, int index, const Point& at, const Mesh& in, const MicroSteps& steps,
               const MicroSteps& micro_batches, const LayerAxes* divided, Scratch& scratch)
        : plan(of),
          part(of.parts[static_cast<std::size_t>(index)]),
          part_index(index),
          point(at),
          mesh(in),
          shape{static_cast<int>(in.pipeline), static_cast<int>(at.stages_on_device()), micro_batches.count,
                in.pipeline},
          stages(static_cast<std::size_t>(shape.stages())),
          devices(static_cast<std::size_t>(shape.devices)),
          batches(micro_batches.count),
          repeat(static_cast<double>(steps.count)),
          samples(static_cast<double>(micro_batches.samples)),
          axes(divided),
          width(in.stride(MeshAxis::pipeline)),
          s(scratch),
          known(pieces_of(of, stages, scratch)) {}

    bool lines() const { return part.lines && axes == nullptr; }  ///< times are sums of straight lines
    int device_of(std::size_t stage) const {
        return static_cast<int>(stage < devices ? stage : stage % devices);  // divisions are slow
    }
    const Crossings& crossings() const { return axes ? axes->crossings : part.crossings; }
    /// Seconds of what the ranks gather behind the border, of which they have sent pieces.
    double gather_behind(bool forward, std::size_t border) const {
        if (!axes || axes->gathered.activations.empty()) return 0;
        const double bytes = (forward ? axes->gathered.activations : axes->gathered.gradients)[border] * samples;
        return bytes > 0 ? gather_cost().at(Bytes{bytes}).value : 0.0;
    }
    MessageCost gather_cost() const {
        return message_cost(Message::all_gather, point.collective, reach_of(mesh, MeshAxis::tensor, plan.links),
                            plan.links);
    }
    KnownPieces::Maps::Layers layers() const {
        return {axes ? axes->key : LayerAxes::Key{}, part_index, samples, point.recomputation()};
    }
    PieceRoom& room() const { return s.pieces->room; }
    std::int64_t executions() const { return batches * static_cast<std::int64_t>(repeat); }
};

/// Bytes that a rank has for a byte of weights and for a trained parameter.
struct RankBytes {
    double of_weights = 1, of_trained = 0;
};
/// Of all but experts, and of experts.
inline std::array<RankBytes, 2> rank_bytes(const StagedStep& step) {
    const StateShards& states = step.s.division.states;
    std::array<RankBytes, 2> all;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const double experts = static_cast<double>(k);
        all[k] = {1 / states.of_weights(experts),
                  step.part.work.summed_gradient_bytes() / states.of_gradients(experts) +
                      state_bytes(step.plan, step.point) / states.of_optimizer(experts)};
    }
    return all;
}
/// Of the states of all layers in the piece.
inline double bytes_of(const WorkPiece& piece, const std::array<RankBytes, 2>& has) {
    double bytes = 0;
    for (std::size_t k = 0; k < has.size(); ++k)
        bytes += piece.weight_bytes[k] * has[k].of_weights + piece.trained[k] * has[k].of_trained;
    return bytes;
}

/// Prices the layers into `Scratch::times`, as other pieces need them.
void price_layers(const StagedStep& step);
WorkPiece make_work(const StagedStep& step);
/// The stages, from the prices of the layers: with borders by hand, or balanced.
StagePiece make_stages(const StagedStep& step);
/// The same with these borders.
StagePiece make_stages(const StagedStep& step, std::span<const int> borders);
/// Fewer splits than this are tried one by one.
constexpr int few_splits = 100;
/// Scratch::splits becomes those of these layers, and Scratch::borders the balanced ones.
void look_for_splits(const StagedStep& step);
/// Adds their weights and trained parameters, which only bounds ask for.
void add_states(const StagedStep& step, StagePiece& stages);
/// Those of the layers [from, to), to `sum`.
void add_states(const StagedStep& step, int from, int to, WorkPiece& sum);

/// Where the division is told in full: of each device the first of its messages, and the end of all.
struct ToldMessages {
    std::vector<std::size_t> gradients, weights;  ///< gradients: from the last device to the first
    std::size_t longest = 0;                      ///< device whose messages of updated weights take longest
};
/// What the training states of those stages send and update, once a step; after price_layers.
StatePiece make_states(const StagedStep& step, const StagePiece& stages, ToldMessages& told);

}  // namespace scalescope
