// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/scenario/scenario.hpp"
#include "core/units/units.hpp"

namespace scalescope {

/// The backward pass is two pieces of work, so that weight gradients may come later.
constexpr bool splits_backward(PipelineOrder order) { return order >= PipelineOrder::zero_bubble; }

/// A row of `devices`, each of which holds `chunks` stages. Every micro-batch passes stages 0, 1, 2, … in turn; stage k
/// lies on device k mod `devices`. Interleaved: `group` micro-batches pass one chunk of a device before its next chunk
/// starts (Megatron's default is `devices`).
struct PipelineShape {
    int devices = 1, chunks = 1;
    std::int64_t micro_batches = 1, group = 1;
    int stages() const { return devices * chunks; }
};

enum class WorkPhase : std::uint8_t { forward, backward, weights };
/// One piece of work of a device. Where backward is not split, it includes the weight gradients.
struct WorkItem {
    WorkPhase phase = WorkPhase::forward;
    int stage = 0;
    std::int64_t micro_batch = 0;
};

/// One device may have several stages of some orders. Interleaved, micro-batches must fill groups.
bool can_run(PipelineOrder order, const PipelineShape& shape);

/// All work of one device, one item after the other.
class WorkList {
public:
    WorkList(PipelineOrder order, const PipelineShape& shape, int device);
    bool done() const { return done_; }
    const WorkItem& front() const { return front_; }
    void pop();

private:
    PipelineShape shape_;
    int device_;
    bool split_, done_ = false;
    std::int64_t count_, warm_up_, lag_ = 0;  ///< lag: micro-batches by which weight gradients come later
    std::int64_t forward_ = 0, backward_ = 0, weights_ = 0;
    enum class Turn : std::uint8_t { forward_first, backward, weights, forward_after } turn_;
    WorkItem front_;

    /// The `k`-th forward pass, or backward pass, which takes the chunks from the end.
    WorkItem nth_pass(WorkPhase phase, std::int64_t k) const;
};

/// Micro-batches in flight that each stage has at least when its device holds most, whatever a set of its activations
/// weighs: told by the lists alone, without stepping through all of them. `sets` is scratch.
void least_in_flight(PipelineOrder order, const PipelineShape& shape, std::vector<std::int64_t>& sets,
                     std::vector<std::int64_t>& in_flight);

/// Seconds of one micro-batch, by stage. `activation[k]` carries it from stage k to k + 1, `gradient[k]` back; the last
/// entries are not used. A message does not keep its sender busy.
struct StageTimes {
    std::span<const double> forward, backward, weights;  ///< backward: of the inputs alone; weights may be empty
    std::span<const double> activation, gradient;        ///< empty: no time at all
    bool one_at_a_time = true;                           ///< each link, in each direction
    std::span<const double> held{};                      ///< weight of one set of activations; empty: 1 each
};

/// A piece of a run: work of a device, or a message over the link behind (activation) a stage, or back to it.
enum class PieceKind : std::uint8_t { forward, backward, weights, activation, gradient };
struct PipelinePiece {
    PieceKind kind = PieceKind::forward;
    int stage = 0;
    std::int64_t micro_batch = 0;
    double start = 0, length = 0;
    int waits_for = -1;  ///< the piece whose end it starts at; -1: it starts at once
    double end() const { return start + length; }
};
/// The longest chain of pieces that wait for each other, the last first: their lengths add up to the makespan.
std::vector<int> pieces_of_chain(std::span<const PipelinePiece> pieces);
/// How often each kind of piece of each stage stands on it.
using PipelineChain = std::array<std::vector<std::int64_t>, 5>;
PipelineChain longest_chain(std::span<const PipelinePiece> pieces, int stages);

/// Result and working memory of run_pipeline.
struct PipelineRun {
    struct Device {
        double busy = 0, start = 0, end = 0;
        double most_held = 0;  ///< in the unit of StageTimes::held
    };
    Seconds makespan{0};          ///< from the first start to the last end
    Seconds makespan_of_work{0};  ///< the same, if no message took any time
    std::vector<Device> devices;
    std::vector<double> done;             ///< by stage: when its last gradient is there
    std::vector<std::int64_t> in_flight;  ///< by stage: sets of activations when its device holds most
    std::vector<PipelinePiece> pieces;    ///< if requested

    // Its own memory: reusing it saves allocations.
    struct State {
        double held = 0, forward_link = 0, backward_link = 0, end_of_work = 0;
        int last = -1, forward_message = -1, backward_message = -1;
        bool started = false;
    };
    struct Arrival {
        double at = -1, of_work = -1;  ///< of_work: if no message took any time
        int piece = -1;
    };
    std::vector<WorkList> lists;
    std::vector<State> states;
    std::vector<Arrival> arrived;    ///< by stage and micro-batch: input of its next pass, forward or backward
    std::vector<std::int64_t> sets;  ///< by stage: held now
    std::vector<char> awake;         ///< by device: its next item may have its input
};
/// Runs the lists of all devices: an item starts when the device's item before it has ended and its input is there.
/// The shape must be one that can run. Linear in the items (specification: composed parallelism, section 6).
void run_pipeline(PipelineOrder order, const PipelineShape& shape, const StageTimes& times, bool tell_pieces,
                  PipelineRun& run);

/// A pipeline of stages, in seconds for one micro-batch. `activation[s]` carries it from stage s to s + 1,
/// `gradient[s]` back; the last entries are zero. A link carries one micro-batch at a time in each direction, while its
/// stages work on.
struct Pipeline {
    std::span<const double> forward, backward, activation, gradient;
};

/// Fill and drain (GPipe's order) in closed form, as run_pipeline steps through it: all micro-batches are alike, so
/// each but the first adds the slowest stage or link once per direction. Equal stages without transfers: (micro-batches
/// + stages − 1) · stage.
struct FillDrain {
    Seconds span{0};                                 ///< from the first forward to the last backward
    Seconds exposed{0};                              ///< of it, what infinitely fast links would save
    Seconds transfers{0};                            ///< of all micro-batches over all links
    double waited_forward = 1, waited_backward = 1;  ///< share of each direction's transfers that is exposed
};
FillDrain fill_drain(const Pipeline& pipeline, std::int64_t micro_batches);

}  // namespace scalescope
