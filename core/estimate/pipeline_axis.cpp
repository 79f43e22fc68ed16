// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline axis: stages of consecutive layers (docs/decisions/dividing-work.md).
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/limits.hpp"
#include "core/estimate/block_borders.hpp"
#include "core/estimate/details.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/schedule/pipeline_order.hpp"

namespace scalescope {
namespace {

class PipelineStep : StagedStep {
public:
    using StagedStep::StagedStep;

    /// Of known pieces alone; nothing where one is not known.
    std::optional<StepParts> of_known() {
        if (const Infeasible why = why_infeasible(); why != Infeasible::no) return StepParts{.infeasible = why};
        if (s.division.told == Told::work) {
            const WorkPiece* work = find(known.work, work_key());
            return work ? std::optional(of_work(*work)) : std::nullopt;
        }
        const StagePiece* pieces = find(known.stages, stage_key(s.division.states));
        if (pieces && !pieces->settled) pieces = find(known.chosen, choice_key(*pieces));
        if (!pieces || lacks_states(*pieces)) return std::nullopt;
        const StatePiece* states = find(known.states, state_key(*pieces));
        if (!states) return std::nullopt;
        return parts(*pieces, run_of(*pieces), *states);
    }

    StepParts run() {
        if (const Infeasible why = why_infeasible(); why != Infeasible::no) return {.infeasible = why};
        if (s.division.told == Told::work)
            return of_work(make(known.work, work_key(), [&] { return make_work(*this); }));
        const bool full = s.division.in_full;
        StagePiece& pieces = best_pieces();
        if (lacks_states(pieces)) add_states(*this, pieces);
        const RunPiece ran = run_of(pieces);
        if (full) tell_borders(pieces, ran);
        ToldMessages told;
        const StatePiece& states = make(known.states, state_key(pieces), [&] {
            if (!lines() && !full) price_layers(*this);
            return make_states(*this, pieces, told);
        });
        const StepParts p = parts(pieces, ran, states);
        if (full) tell(pieces, ran, states, told);
        if (tells_runs(s.division.told)) tell_runs(pieces, ran);
        return p;
    }

private:
    bool tried_ = false;  ///< other borders than the balanced ones: the scratch may be of those

    /// With the borders that give the shortest step.
    StagePiece& best_pieces() {
        const std::size_t told = s.division.transfers.size();
        StagePiece& balanced =
            make(known.stages, stage_key(s.division.states), [&] { return number(make_stages(*this)); });
        if (balanced.settled) return balanced;
        const auto [at, is_new] = known.chosen.try_emplace(choice_key(balanced));
        StagePiece& best = at->second;
        const bool full = std::exchange(s.division.in_full, false);
        if (is_new && choose_borders(*this, balanced, [&](auto... asked) { return trial(asked...); })) {
            best = number(make_stages(*this, s.best_borders));
            best.settled = false;
        } else if (is_new) {
            best = tried_ ? make_stages(*this, balanced.borders) : balanced;  // the scratch is of these stages again
            best.id = balanced.id;
            best.settled = false;
        }
        s.division.in_full = full;
        if (!full || best.id == balanced.id) return best;
        s.division.transfers.resize(told);  // those of the balanced stages
        best = number(make_stages(*this, best.borders));
        best.settled = false;
        return best;
    }

    /// Not to the end where it does not beat `best`, or surely does not fit although it must.
    BorderTrial trial(std::span<const int> borders, const BorderTrial& best, AskMemory memory) {
        tried_ = true;
        const std::size_t used = room().used();
        const StagePiece pieces = make_stages(*this, borders);
        ToldMessages told;
        const StatePiece states = make_states(*this, pieces, told);
        const auto of = [&](const RunPiece& ran, bool with_memory) {
            const StepParts p = put_together(pieces, ran, states);
            BorderTrial t{.seconds = p.forward + p.backward + p.communication + p.update + p.idle +
                                     wait_for_slowest(plan.spread, mesh.devices(), p.forward + p.backward),
                          .once = p.update + waited_for(ran, states),
                          .bytes = 0,
                          .fits = true};
            if (!with_memory || !plan.room || memory == AskMemory::not_at_all || (best.fits && !t.beats(best)))
                return t;
            s.division.runs.clear();
            tell_runs(pieces, ran);
            t.bytes = peak_memory(plan, point, s).value;
            t.fits = t.bytes <= plan.room->value;
            s.division.runs.clear();
            return t;
        };
        const bool drains = point.order == PipelineOrder::fill_drain;
        BorderTrial tried;
        const bool asks_memory = !best.fits;
        if (!drains) tried = of(at_least(pieces, asks_memory), asks_memory);
        if (drains || (tried.beats(best) && (tried.fits || memory != AskMemory::it_must_fit)))
            tried = of(drains ? fill_and_drain(pieces) : step_through(pieces), true);
        room().release_after(used);
        return tried;
    }
    void tell_runs(const StagePiece& pieces, const RunPiece& ran) {
        for (std::size_t i = 0; i < stages; ++i)
            s.division.run({part_index, pieces.borders[i], pieces.borders[i + 1], samples,
                            repeat * static_cast<double>(batches), samples * static_cast<double>(ran.in_flight[i]),
                            axes != nullptr, device_of(i)});
    }

    template <class Map>
    static const typename Map::mapped_type* find(const Map& map, const typename Map::key_type& key) {
        const auto at = map.find(key);
        return at == map.end() ? nullptr : &at->second;
    }
    /// Messages are recorded while a piece is made, so a division in full makes its pieces again.
    template <class Map, class Make>
    typename Map::mapped_type& make(Map& map, const typename Map::key_type& key, Make piece) const {
        const auto [at, is_new] = map.try_emplace(key);
        if (is_new || s.division.in_full) at->second = piece();
        return at->second;
    }
    bool lacks_states(const StagePiece& pieces) const {
        return s.division.told == Told::least && pieces.trained[0].empty();
    }
    StagePiece number(StagePiece piece) const {
        piece.id = s.pieces->next_id++;
        return piece;
    }

    PieceKey stage_key(const StateShards& states) const {
        return piece_key(part_index, point, mesh, static_cast<std::int64_t>(samples),
                         states.sharded < Sharded::gradients ? StateShards{} : states,
                         std::int64_t{shape.chunks} << 1 | (splits_backward(point.order) ? 1 : 0));
    }
    PieceKey work_key() const {
        return piece_key(part_index, point, mesh, static_cast<std::int64_t>(samples), StateShards{}, 0);
    }
    /// Borders are chosen by the whole step.
    std::array<std::int64_t, 4> choice_key(const StagePiece& balanced) const {
        return {balanced.id, static_cast<std::int64_t>(point.order) << 32 | batches,
                sharding_key(point, s.division.states), static_cast<std::int64_t>(repeat)};
    }
    std::array<std::int64_t, 2> state_key(const StagePiece& pieces) const {
        return {pieces.id, sharding_key(point, s.division.states)};
    }

    std::array<std::int64_t, 3> run_key(const StagePiece& pieces) const {
        return {pieces.id, static_cast<std::int64_t>(point.order), batches};
    }

    Infeasible why_infeasible() const {
        if (shape.stages() > part.work.layers) return Infeasible::too_many_for_layers;
        if (point.order == PipelineOrder::fill_drain) return Infeasible::no;
        if (!can_run(point.order, shape)) return Infeasible::no_schedule;
        return shape.stages() * batches > limits::pipeline_passes ? Infeasible::too_many_passes : Infeasible::no;
    }

    /// For bounds of the memory: no rank has less of its stages' states.
    void tell_states(const StagePiece& pieces) const {
        // Activations, and borders that are settled, are the same whatever is sharded.
        const PieceKey key = pieces.settled ? stage_key(StateShards{}) : PieceKey{-1, pieces.id};
        std::copy(key.begin(), key.end(), s.division.held_key.begin());
        s.division.held_key.back() = static_cast<std::int64_t>(point.order) << 32 | batches;
        s.division.state_bytes.assign(devices, 0.0);
        const auto has = rank_bytes(*this);
        for (std::size_t k = 0; k < 2; ++k)
            for (std::size_t d = 0; d < devices; ++d)
                s.division.state_bytes[d] +=
                    pieces.weight_bytes[k][d] * has[k].of_weights + pieces.trained[k][d] * has[k].of_trained;
    }
    /// The step of these pieces: the busiest device's work, and what is waited for.
    StepParts parts(const StagePiece& pieces, const RunPiece& ran, const StatePiece& states) const {
        if (s.division.told == Told::least) tell_states(pieces);
        return put_together(pieces, ran, states);
    }
    StepParts put_together(const StagePiece& pieces, const RunPiece& ran, const StatePiece& states) const {
        StepParts p;
        const double m = static_cast<double>(batches), waited = repeat * ran.exposed,
                     within = repeat * m * pieces.busy_messages, reduced = waited_for(ran, states);
        p.forward = repeat * m * pieces.busy_forward;
        p.backward = repeat * m * pieces.busy_backward;
        p.communication = waited + within + states.copies + reduced + states.gathered;
        p.hidden = repeat * std::max(0.0, ran.transfers - ran.exposed) + std::max(0.0, states.sync_total - reduced) +
                   repeat * m * pieces.hidden + states.beside;
        p.update = states.update;
        p.idle = std::max(0.0, repeat * ran.span - (p.forward + p.backward + waited + within));
        return p;
    }
    /// Each stage adds up its gradients over the other axes when they are complete, a device one stage after the other,
    /// or after its last backward pass where nothing overlaps; the step waits for the last one.
    double waited_for(const RunPiece& ran, const StatePiece& states) const {
        double latest = 0;
        for (std::size_t d = devices; d-- > 0 && !states.sync.empty();)
            latest = std::max(latest, reduced_at(d, ran, states));
        return std::max(0.0, latest - ran.end);
    }
    /// When the device has added up its gradients.
    double reduced_at(std::size_t d, const RunPiece& ran, const StatePiece& states) const {
        double own = plan.parallelism.overlap == Overlap::off ? ran.done[d] : 0.0;
        for (std::size_t i = stages - devices + d;; i -= devices) {
            own = std::max(own, ran.done[i]) + states.sync[i];
            if (i < devices) return own;
        }
    }

    /// Some device has its share of the work at least. Where it is one stage, the first micro-batch has come through
    /// those before it, and the last one goes back through them: with x of what a micro-batch passes in front of it,
    /// end ≥ x + micro-batches · own, so that x grows on each device by (end − x) / micro-batches at most.
    StepParts of_work(const WorkPiece& all) const {
        const double m = static_cast<double>(batches), n = static_cast<double>(devices);
        const double passed = all.seconds - (splits_backward(point.order) ? all.weights : 0.0),
                     through = shape.chunks == 1 ? passed / (1 - std::pow(1 - 1 / m, n)) : 0.0;
        s.division.state_bytes.assign(1, bytes_of(all, rank_bytes(*this)) / n);
        return {.idle = repeat * std::max(through, all.seconds * m / n)};
    }
    RunPiece run_of(const StagePiece& pieces) const {
        if (s.division.told <= Told::least_runs && point.order != PipelineOrder::fill_drain)
            return at_least(pieces, s.division.told == Told::least_runs);
        return make(known.runs, run_key(pieces), [&] {
            return point.order == PipelineOrder::fill_drain ? fill_and_drain(pieces) : step_through(pieces);
        });
    }
    RunPiece fill_and_drain(const StagePiece& pieces) const {
        const FillDrain ran =
            fill_drain({pieces.forward, pieces.backward, pieces.activation, pieces.gradient}, batches);
        RunPiece piece;
        piece.span = ran.span.value, piece.exposed = ran.exposed.value, piece.transfers = ran.transfers.value;
        piece.waited_forward = ran.waited_forward, piece.waited_backward = ran.waited_backward;
        piece.done = room().take<double>(stages);
        piece.in_flight = room().take<std::int64_t>(stages);
        std::fill(piece.in_flight.begin(), piece.in_flight.end(), batches);
        // When each stage has its last micro-batch behind it, after the start of backward. All micro-batches are alike,
        // so each but the first adds the slowest stage or link behind it.
        const double more = static_cast<double>(batches - 1);
        double sum = 0, slowest = 0;
        for (std::size_t i = stages; i-- > 0;) {
            const double link = i + 1 < stages ? pieces.gradient[i] : 0.0;
            sum += pieces.backward[i] + link;
            slowest = std::max({slowest, pieces.backward[i], link});
            piece.done[i] = sum + more * slowest;
        }
        piece.end = piece.done[0];
        return piece;
    }

    /// No schedule ends its devices sooner. A device starts when the first micro-batch has come through the stages
    /// before it, and works on all of them. The last backward pass goes back through the stages before it.
    RunPiece at_least(const StagePiece& pieces, bool tells_sets) const {
        auto& done = s.run.done;
        done.assign(stages, 0.0);
        const double m = static_cast<double>(batches);
        const bool split = splits_backward(point.order);
        double start = 0;
        for (std::size_t d = 0; d < devices; ++d) {
            double work = 0;
            for (std::size_t i = d; i < stages; i += devices) work += pieces.forward[i] + pieces.backward[i];
            done[d] = start + m * work;
            start += pieces.forward[d] + pieces.activation[d];
        }
        RunPiece ran;
        ran.done = done;
        double back = 0;  // when the device has its last backward pass behind it
        for (std::size_t d = devices; d-- > 0;) {
            const double weights = split ? pieces.weights[d] : 0.0, own = done[d];
            back = d + 1 < devices ? std::max(own, back + pieces.gradient[d] + pieces.backward[d]) : own;
            done[d] = std::max(own + m * weights, back + weights);
            ran.end = ran.span = std::max(ran.end, done[d]);
        }
        if (tells_sets) {
            least_in_flight(point.order, shape, s.run.sets, s.run.in_flight);
            for (std::size_t i = 0; i < pieces.kept.size(); ++i)  // sets of no weight are counted at any moment
                if (pieces.kept[i] <= 0) s.run.in_flight[i] = 0;
            ran.in_flight = s.run.in_flight;
        }
        return ran;
    }

    /// The exposed time of transfers is what infinitely fast links would save.
    RunPiece step_through(const StagePiece& pieces) const {
        const std::span<const double> weights =
            splits_backward(point.order) ? std::span<const double>(pieces.weights) : std::span<const double>{};
        StageTimes times{pieces.forward, pieces.backward, weights, pieces.activation, pieces.gradient};
        times.held = pieces.kept;
        run_pipeline(point.order, shape, times, false, s.run);
        RunPiece ran;
        ran.span = ran.end = s.run.makespan.value;
        ran.exposed = std::max(0.0, ran.span - s.run.makespan_of_work.value);
        for (std::size_t i = 0; i + 1 < stages; ++i)
            ran.transfers += static_cast<double>(batches) * (pieces.activation[i] + pieces.gradient[i]);
        // Differences within rounding are nothing.
        if (ran.exposed < 1e-12 * ran.span) ran.exposed = 0;
        if (std::abs(ran.exposed - ran.transfers) < 1e-12 * ran.span) ran.exposed = ran.transfers;
        ran.waited_forward = ran.waited_backward = ran.transfers > 0 ? ran.exposed / ran.transfers : 1;
        ran.done = room().take<double>(stages);
        std::copy(s.run.done.begin(), s.run.done.end(), ran.done.begin());
        ran.in_flight = room().take<std::int64_t>(stages);
        std::copy(s.run.in_flight.begin(), s.run.in_flight.end(), ran.in_flight.begin());
        return ran;
    }

    void tell_borders(const StagePiece& pieces, const RunPiece& run) const {
        const std::int64_t times = executions();
        for (std::size_t i = 0; i + 1 < stages; ++i) {
            const std::int64_t from = device_of(i), to = device_of(i + 1);
            const GroupReach group = reach_of_stages(2, std::min(from, to), std::max(from, to), mesh, plan.links);
            const int border = pieces.borders[i + 1];
            const auto k = static_cast<std::size_t>(border);
            const auto tell = [&](int layer, bool forward, double bytes, double seconds, double waited) {
                const double gather = gather_behind(forward, k);
                if (seconds > gather)
                    s.division.send(
                        {part_index, Message::point_to_point, Collective::ring, layer, layer, forward, false,
                         MeshAxis::pipeline, When::at_border, group, times, Bytes{bytes}, Seconds{seconds - gather}},
                        part.count, waited);
                if (gather <= 0) return;
                const Bytes whole{(forward ? axes->gathered.activations : axes->gathered.gradients)[k] * samples};
                s.division.send({part_index, Message::all_gather, gather_cost().best(whole).algorithm, layer, layer,
                                 forward, false, MeshAxis::tensor, When::at_border,
                                 reach_of(mesh, MeshAxis::tensor, plan.links), times, whole, Seconds{gather}},
                                part.count, waited);
            };
            tell(border - 1, true, crossings().activations[k] * samples, pieces.activation[i], run.waited_forward);
            tell(border, false, crossings().gradients[k] * samples, pieces.gradient[i], run.waited_backward);
        }
    }

    void tell(const StagePiece& pieces, const RunPiece& ran, const StatePiece& states, const ToldMessages& told) const {
        StageSchedule& schedule = s.division.schedule;
        schedule.span = ran.span;
        schedule.order = point.order;
        schedule.shape = shape;
        schedule.done.assign(ran.done.begin(), ran.done.end());
        schedule.end = ran.end;
        for (const auto& [to, from] : {std::pair{&schedule.forward, pieces.forward},
                                       {&schedule.backward, pieces.backward},
                                       {&schedule.weights, pieces.weights},
                                       {&schedule.activation, pieces.activation},
                                       {&schedule.gradient, pieces.gradient}})
            to->assign(from.begin(), from.end());
        if (!splits_backward(point.order)) schedule.weights.clear();
        if (!told.gradients.empty()) {
            std::size_t last = 0;  // of the devices that are done last
            double latest = 0;
            for (std::size_t d = devices; d-- > 0;) {
                const double at = reduced_at(d, ran, states);
                if (at >= latest) latest = at, last = d;
            }
            tell_device(told.gradients, devices - 1 - last, waited_for(ran, states));
        }
        if (!told.weights.empty() && !s.division.states.ahead) tell_device(told.weights, told.longest, states.gathered);
        for (std::size_t d = 0; s.division.states.ahead && d + 1 < told.weights.size(); ++d)
            if (d != told.longest) tell_waited(told.weights[d], told.weights[d + 1], 0);
    }
    /// Of these messages, device by device, only those of one are waited for.
    void tell_device(const std::vector<std::size_t>& firsts, std::size_t waited_on, double waited) const {
        for (std::size_t d = 0; d + 1 < firsts.size(); ++d)
            tell_waited(firsts[d], firsts[d + 1], d == waited_on ? waited : 0);
    }
    /// Divides the seconds that the step waits among these messages, in proportion to their times.
    void tell_waited(std::size_t from, std::size_t to, double waited) const {
        const std::span messages = std::span(s.division.transfers).subspan(from, to - from);
        Seconds all{0};
        for (const Transfer& t : messages) all += t.each * static_cast<double>(t.times);
        double share = all.value > 0 ? waited * part.count / all.value : 0;  // copies may add to it
        if (std::abs(share - 1) < 1e-12) share = 1;                          // rounding hides nothing
        for (Transfer& t : messages) {
            t.exposed = t.each * static_cast<double>(t.times) * share;
            t.hidden = std::max(Seconds{0}, t.each * static_cast<double>(t.times) - t.exposed);
        }
    }
};

}  // namespace

std::optional<StepParts> known_pipeline_step(const Plan& plan, int part, const Point& point, const Mesh& mesh,
                                             const MicroSteps& steps, const MicroSteps& micro_batches,
                                             Scratch& scratch) {
    return PipelineStep(plan, part, point, mesh, steps, micro_batches, nullptr, scratch).of_known();
}

StepParts pipeline_step(const Plan& plan, int part, const Point& point, const Mesh& mesh, const MicroSteps& steps,
                        const MicroSteps& micro_batches, const LayerAxes* axes, Scratch& scratch) {
    return PipelineStep(plan, part, point, mesh, steps, micro_batches, axes, scratch).run();
}

}  // namespace scalescope
