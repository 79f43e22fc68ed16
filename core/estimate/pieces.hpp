// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>

#include "core/estimate/layer_axes.hpp"

/// What score() keeps for points that have it in common: a score of pieces that are known is a sum of a few terms
/// (docs/decisions/scoring.md). Pieces are made by the code that estimate() runs, so that both are the same bits.
namespace scalescope {

/// The parts of one network's share of the step, before they are put together.
struct StepParts {
    Infeasible infeasible = Infeasible::no;
    double forward = 0, backward = 0, update = 0, communication = 0, idle = 0, hidden = 0;
    double service = 0;  ///< asynchronous updates: as in Summary
    int cut = -1;
};

/// All stages of a pipeline together, with one micro-batch.
struct WorkPiece {
    double seconds = 0, weights = 0;  ///< with messages within the stages; of these, of weight gradients
    /// On a worker of each: bytes of weights, and trained parameters; those of experts beside all others.
    std::array<double, 2> weight_bytes{}, trained{};
};

/// The stages of a pipeline with one micro-batch: seconds, by stage.
struct StagePiece {
    std::int64_t id = 0;                           ///< another one for each piece
    std::span<int> borders;                        ///< as balance_stages writes them
    std::span<double> forward, backward, weights;  ///< with messages within the stages; weights: if backward is split
    std::span<double> activation, gradient;        ///< over the border behind a stage, and back
    std::span<double> kept;                        ///< bytes kept for one sample; of several stages on a device only
    double busy_forward = 0, busy_backward = 0;    ///< of the device that works longest, without messages
    double busy_messages = 0;                      ///< that it waits for
    double hidden = 0;                             ///< of messages within all stages
    /// By device, on a worker: bytes of weights, and trained parameters; those of experts beside all others.
    std::array<std::span<double>, 2> weight_bytes, trained;
    bool settled = true;  ///< no other borders come into question, whatever the schedule
    bool few = false;     ///< otherwise: all splits are tried
};

/// All micro-batches of a micro-step in the order of a schedule.
struct RunPiece {
    double span = 0, exposed = 0, transfers = 0;
    double waited_forward = 1, waited_backward = 1;  ///< shares of transfers, by direction
    double end = 0;                                  ///< on the clock of `done`
    std::span<double> done;                          ///< by stage: when its gradients are complete
    std::span<std::int64_t> in_flight;               ///< by stage: micro-batches when its device holds most
};

/// What follows once a step from the training states of the stages.
struct StatePiece {
    std::span<double> sync;           ///< by stage: seconds of its gradients that nothing hides
    double sync_total = 0;            ///< of all stages, and what hides
    double copies = 0;                ///< of weights that several stages hold
    double gathered = 0, beside = 0;  ///< updated weights: of the device that takes longest, and of the others
    double update = 0;                ///< of the device that takes longest
};

/// Memory for pieces: a fixed room that is emptied as a whole.
class PieceRoom final : public std::pmr::memory_resource {
public:
    explicit PieceRoom(std::size_t size) : size_(size), bytes_(new std::byte[size]) {}
    std::size_t size() const { return size_; }
    std::size_t left() const { return size_ - used_; }
    void empty() { used_ = 0; }
    std::size_t used() const { return used_; }
    /// What was taken after so much was used is free again.
    void release_after(std::size_t used) { used_ = used; }
    template <class T>
    std::span<T> take(std::size_t count) {
        return {static_cast<T*>(allocate(count * sizeof(T), alignof(T))), count};
    }

private:
    std::size_t size_;
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t used_ = 0;

    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        const std::size_t at = (used_ + alignment - 1) / alignment * alignment;
        if (at + bytes > size_) throw std::bad_alloc();
        used_ = at + bytes;
        return bytes_.get() + at;
    }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

using PieceKey = std::array<std::int64_t, 9>;
struct PieceHash {
    template <std::size_t n>
    std::size_t operator()(const std::array<std::int64_t, n>& key) const {
        std::uint64_t hash = 0;
        for (const std::int64_t k : key) hash = (hash ^ static_cast<std::uint64_t>(k)) * 0x9e3779b97f4a7c15U;
        return hash ^ hash >> 29U;
    }
};

/// The pieces of one plan's prices.
class KnownPieces {
public:
    /// Below the size from which malloc never keeps freed memory (32 MiB): most rooms live for one sweep, and new pages
    /// cost more than a sweep does.
    static constexpr std::size_t most = 30U << 20U;
    explicit KnownPieces(std::size_t size) : room(size) {}
    template <class Piece, std::size_t n>
    using Map = std::pmr::unordered_map<std::array<std::int64_t, n>, Piece, PieceHash>;
    struct Maps {
        /// What the layers in a Scratch were priced for last, and in how many stages they were cut.
        struct Layers {
            LayerAxes::Key axes;  ///< as found for none of them, where they are whole
            int part = -1;
            double samples = 0;
            Recomputation recompute;
            bool operator==(const Layers&) const = default;
        };
        std::optional<Layers> priced;
        std::size_t cut = 0;
        std::int64_t crossed = 0;  ///< the width of a stage for which Scratch::splits knows what borders cost
        std::size_t looked = 0;    ///< and in how many stages it looks for them
        double hidden = 0;         ///< of messages within these layers

        Map<StepParts, 9> whole;  ///< meshes of one stage
        Map<WorkPiece, 9> work;   ///< of stages however they are cut
        Map<StagePiece, 9> stages;
        Map<StagePiece, 4> chosen;        ///< with other borders: by stages, schedule, micro-steps, what is sharded
        Map<RunPiece, 3> runs;            ///< by stages, order and micro-batches
        Map<StatePiece, 2> states;        ///< by stages, and what is sharded
        Map<std::span<double>, 10> held;  ///< bytes that activations take at least, by device
        explicit Maps(PieceRoom* room)
            : whole(room), work(room), stages(room), chosen(room), runs(room), states(room), held(room) {}
    };
    /// The pieces for these prices. Those of other prices are dropped; all are dropped if the room left is too small
    /// for another point with that number of stages.
    Maps& of(const std::shared_ptr<const char>& prices, std::size_t stages) {
        if (maps_ && prices_ == prices && room.left() > (4U << 20U) + 1024 * stages) return *maps_;
        maps_.reset();
        room.empty();
        prices_ = prices;
        return maps_.emplace(&room);
    }

    /// The layers in the Scratch are about to be others.
    void forget_layers() {
        if (maps_) maps_->priced.reset();
    }

    PieceRoom room;
    std::int64_t next_id = 0;

private:
    std::shared_ptr<const char> prices_;
    std::optional<Maps> maps_;
};

}  // namespace scalescope
