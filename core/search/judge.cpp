// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/judge.hpp"

#include <algorithm>
#include <cmath>

#include "core/estimate/memory_walk.hpp"
#include "core/estimate/recompute.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::search {
namespace {

bool is_of_plan(Metric m) { return m == Metric::parameters || m == Metric::sequence; }
bool is_of_point(Metric m) {
    return m == Metric::devices || m == Metric::batch || m == Metric::cost_per_hour || m == Metric::power;
}
/// Whether a longer step makes it worse, all else being the same.
bool worsens_with_step(Metric m) {
    return m == Metric::step || m == Metric::throughput || m == Metric::epoch || m == Metric::time ||
           m == Metric::cost || m == Metric::energy;
}
/// Whether a constraint that does not hold for a step holds for no longer one.
bool limits_step(const Constraint& c) {
    const auto* metric = std::get_if<Metric>(&c.left);
    if (!metric || c.divisor || !std::holds_alternative<double>(c.right) || !worsens_with_step(*metric)) return false;
    return info_of(*metric).larger_is_better ? c.op == Constraint::Op::greater || c.op == Constraint::Op::greater_equal
                                             : c.op == Constraint::Op::less || c.op == Constraint::Op::less_equal;
}
bool needs_baseline(Metric m) { return m == Metric::speedup || m == Metric::efficiency; }

/// 0: known with the plan, 1: with the point, 2: once priced, 3: with the memory.
int stage_of(const Constraint::Operand& o, const Space& space) {
    if (std::holds_alternative<double>(o)) return 0;
    if (const auto* metric = std::get_if<Metric>(&o))
        return *metric == Metric::memory ? 3 : is_of_plan(*metric) ? 0 : is_of_point(*metric) ? 1 : 2;
    const std::string_view path = std::get<const Field*>(o)->path;
    const auto axes = space.axes();
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (space.level(i) == Level::point &&
            (axes[i].path == path || (path.starts_with("cluster.") && axes[i].path.starts_with("cluster.")) ||
             path == "cpu.replicas" || axes[i].path == "cpu.replicas"))
            return 1;
    return 0;
}

int stage_of(const Constraint& c, const Space& space) {
    return std::max({stage_of(c.left, space), stage_of(c.right, space), c.divisor ? stage_of(*c.divisor, space) : 0});
}

Batch batch_of(const Plan& plan, const Point& point) {
    // Of a CPU cluster, each replica of several machines has a batch.
    return batch_for(point.batch, plan.training.batch_rule,
                     plan.cpu ? std::max<std::int64_t>(1, point.workers / point.partitions) : point.workers);
}

/// Whether it has stages, so that the step and its memory are bounded sooner than priced.
bool is_staged(const Plan& plan, const Point& point) {
    if (plan.method != Method::pipeline || point.segments) return false;
    return point.fill == MeshAxis::pipeline ? point.workers > point.given_degrees() : point.pipeline > 1;
}

/// Seconds of arithmetic and memory traffic that one sample costs on one device, however the work is divided: shares of
/// it are never less than one part in as many as there are devices. 0 where times are no straight lines.
double floor_of(const Plan& plan) {
    if (plan.paleo || plan.cpu) return 0;
    double seconds = 0;
    for (const PlanPart& part : plan.parts) {
        if (!part.lines) return 0;
        seconds += part.count * part.lines.slope_until(part.work.layers);
    }
    return std::max(0.0, seconds * (1 - 1e-9));  // less than rounding may take
}

}  // namespace

Harvest::Harvest(const Space& space, const Question& q) : top(q.top), front(q.objectives.size()) {
    if (q.grid) grid = Grid(space.axes()[q.grid->first].values.size(), space.axes()[q.grid->second].values.size());
}

void Harvest::merge(const Harvest& other, bool several) {
    top.merge(other.top);
    if (several) front.merge(other.front);
    grid.merge(other.grid);
    counts += other.counts;
    if (why_invalid.empty()) why_invalid = other.why_invalid;
}

Judge::Judge(const Space& space, const Question& question)
    : space_(&space), question_(&question), walker_(space), several_(question.objectives.size() > 1) {
    for (const Constraint& c : question.where) {
        const int stage = stage_of(c, space);
        (stage == 0 ? of_plan_ : stage == 1 ? of_point_ : stage == 2 ? of_figures_ : of_memory_).push_back(&c);
        if (limits_step(c)) of_step_.push_back(&c);
        wants_baseline_ = wants_baseline_ || c.uses(Metric::speedup) || c.uses(Metric::efficiency);
    }
    for (const Metric m : question.objectives) {
        wants_baseline_ = wants_baseline_ || needs_baseline(m);
        wants_memory_ = wants_memory_ || m == Metric::memory;
    }
}

void Judge::take_plan() {
    plan_number_ = walker_.plan_number();
    baseline_.reset();
    memory_.reset();
    if (work_number_ != walker_.work_number()) {
        work_number_ = walker_.work_number();
        scratch_ = make_scratch(walker_.plan());
        if (wants_baseline_ || walker_.plan().paleo) other_scratch_ = make_scratch(walker_.plan());
    }
    terms_ = terms_of(walker_.scenario(), question_->goal);
    const Plan& plan = walker_.plan();
    Point nothing_twice = plan.point;
    nothing_twice.recompute = Recompute::nothing;
    seconds_per_sample_ = question_->prune ? floor_of(plan_of(plan, nothing_twice, scratch_)) : 0;
    plan_known_ = std::none_of(question_->objectives.begin(), question_->objectives.end(),
                               [&](Metric m) { return !why_missing(m, walker_.scenario()).empty(); });
    plan_open_ = all_hold(of_plan_, walker_.plan().point, nullptr);
}

/// What is known of a point before it is priced.
Figures Judge::unpriced(const Point& point) const {
    Figures f;
    f.workers = point.workers;
    f.servers = own_servers(walker_.scenario(), point.updates, point.workers, point.servers);
    f.summary.batch.effective = batch_of(walker_.plan(), point).effective;
    return f;
}

double Judge::operand(const Constraint::Operand& o, const Point& point, const Figures* figures) const {
    if (const auto* metric = std::get_if<Metric>(&o)) {
        const auto value = metric_value(*metric, terms_, figures ? *figures : unpriced(point));
        return value.value_or(std::nan(""));
    }
    const Field* field = std::get<const Field*>(o);
    if (const PointField* held = find_point_field(field->path); held && field->type == FieldType::integer)
        return static_cast<double>(held->get(point));
    if (field->path == "cpu.replicas") return static_cast<double>(point.workers / point.partitions);
    if (field->path == "cluster.nodes") {
        const auto each = static_cast<double>(walker_.scenario().cluster.devices_per_node);
        return std::ceil(static_cast<double>(point.workers) / each);
    }
    return field_number(*field, walker_.scenario()).value_or(std::nan(""));
}

bool Judge::all_hold(const std::vector<const Constraint*>& constraints, const Point& point,
                     const Figures* figures) const {
    return std::all_of(constraints.begin(), constraints.end(), [&](const Constraint* c) {
        return holds(*c, [&](const Constraint::Operand& o) { return operand(o, point, figures); });
    });
}

const Summary& Judge::baseline_of(const Point& point) {
    // One worker works alone however the work is divided; PALEO asks for a scheme it knows all the same.
    Point one = of_one_worker(point);
    one.fill = MeshAxis::data;
    one.segments = false;
    one.policy = ShardingPolicy::trainer;
    one.scheme = HybridScheme::all_at_once;
    one.cut = Point::cut_automatic;
    if (walker_.plan().cpu) {  // a machine alone has no servers
        one.updates = Updates::synchronous;
        one.servers = 1;
    }
    if (!baseline_ || !(baseline_->point == one)) baseline_ = Baseline{one, score(walker_.plan(), one, other_scratch_)};
    return baseline_->summary;
}

Bytes Judge::memory_of(Point point, const Summary& summary) {
    // Messages need none, and the collective turns fastest: the last answer often holds.
    if (const auto degrees = point.degrees(); degrees && degrees->tensor == 1)  // else layers are divided by its prices
        point.collective = Collective::ring;
    point.cut = summary.cut;
    if (!point.segments) point.scheme = HybridScheme::all_at_once;
    if (!memory_ || !(memory_->first == point)) memory_ = {point, peak_memory(walker_.plan(), point, scratch_)};
    return memory_->second;
}

bool Judge::values_of(const Figures& figures, Values& values) const {
    for (std::size_t i = 0; i < question_->objectives.size(); ++i) {
        const Metric m = question_->objectives[i];
        const auto value = metric_value(m, terms_, figures);
        if (!value || std::isnan(*value)) return false;
        values[i] = info_of(m).larger_is_better ? -*value : *value;
    }
    return true;
}

bool Judge::open(const Harvest& harvest, const Values& bound, std::size_t cell) const {
    return harvest.top.open(bound) || (several_ && harvest.front.open(bound)) ||
           (question_->grid && harvest.grid.open(cell, bound));
}

/// Whether a step of that length, which is none longer than the point's, is too much. Sure of it, or false.
bool Judge::beaten(const Harvest& harvest, const Point& point, Seconds least, std::size_t cell) {
    Figures f = unpriced(point);
    f.summary.step = least;
    f.memory = Bytes{0};
    if (wants_baseline_) f.baseline = &baseline_of(point);
    Values bound{};
    if (wants_baseline_ && !f.baseline->feasible()) return false;
    return !all_hold(of_step_, point, &f) || (values_of(f, bound) && !open(harvest, bound, cell));
}

/// Where the point is counted if it needs no price, as its bounds say enough; else nullptr.
Judge::Fate Judge::left_out(const Harvest& harvest, const Point& point, std::size_t cell) {
    const Plan& plan = walker_.plan();
    const Metric first = question_->objectives.front();
    if ((is_of_plan(first) || is_of_point(first)) && beaten(harvest, point, Seconds{0}, cell)) return &Counts::pruned;
    if (seconds_per_sample_ > 0 && !fills_data(point)) {  // data is priced as fast
        const Seconds arithmetic{static_cast<double>(batch_of(plan, point).effective) * seconds_per_sample_ /
                                 static_cast<double>(point.workers)};
        if (beaten(harvest, point, arithmetic, cell)) return &Counts::pruned;
    }
    if (!is_staged(plan, point)) return nullptr;
    const auto large = [&](auto surely) { return question_->must_fit && terms_.memory && surely(*terms_.memory); };
    const Summary work = score_of_work(plan, point, scratch_);
    if (!work.feasible()) return &Counts::infeasible;
    if (beaten(harvest, point, work.step, cell)) return &Counts::outpaced;
    if (large([&](Bytes room) { return states_surely_too_large(room, scratch_); })) return &Counts::too_large;
    const Summary least = score_at_least(plan, point, scratch_);
    if (beaten(harvest, point, least.step, cell)) return &Counts::outpaced;
    if (large([&](Bytes room) { return surely_too_large(plan, point, room, scratch_); })) return &Counts::too_large;
    return nullptr;
}

std::optional<std::vector<std::size_t>> Judge::told_plainer(const Figures& figures) {
    std::optional<Bytes> memory;
    for (const bool server_matters : {false, true}) {
        auto plain = walker_.plainer(figures.summary, server_matters);
        if (!plain) continue;
        // That they are the same is seen, not believed.
        if (!memory) memory = memory_of(*walker_.point(), figures.summary);
        Summary same = score(walker_.plan(), plain->point, scratch_);
        if (!same.feasible() || memory_of(plain->point, same) != *memory) continue;
        same.cut = figures.summary.cut;
        if (same == figures.summary) return std::move(plain->digits);
    }
    return std::nullopt;
}

/// Puts a good point into the harvest. Returns where it is counted; nullptr: with those that were scored, no more.
Judge::Fate Judge::judge(Harvest& harvest) {
    const Point* at = walker_.point();
    if (at == nullptr) return &Counts::invalid;
    if (!plan_open_) return &Counts::outside;
    if (!plan_known_) return &Counts::unknown;
    const auto& grid = question_->grid;
    if (walker_.repeats(grid ? std::optional(grid->first) : std::nullopt,
                        grid ? std::optional(grid->second) : std::nullopt))
        return &Counts::repeated;
    const Point& point = *at;
    if (!of_point_.empty() && !all_hold(of_point_, point, nullptr)) return &Counts::outside;
    if (question_->admits && !question_->admits(point)) return &Counts::outside;
    const std::size_t cell =
        grid ? harvest.grid.cell(walker_.digit(grid->first), walker_.digit(grid->second)) : std::size_t{0};
    if (question_->prune)
        if (const Fate fate = left_out(harvest, point, cell)) return fate;
    const Plan& plan = walker_.plan();
    Figures f = unpriced(point);
    f.summary = score(plan, point, scratch_);
    if (!f.summary.feasible()) return &Counts::infeasible;
    if (wants_baseline_ || plan.paleo) {
        f.baseline = &baseline_of(point);
        if (!f.baseline->feasible()) return &Counts::infeasible;
    }
    if (wants_memory_) f.memory = memory_of(point, f.summary);
    Found found{walker_.index(), {}};
    if (!values_of(f, found.values)) return &Counts::unknown;
    ++harvest.counts.scored;
    if (!of_figures_.empty() && !all_hold(of_figures_, point, &f)) return &Counts::refused;
    if (!open(harvest, found.values, cell)) return nullptr;
    const bool limited = question_->must_fit && terms_.memory;
    if (!f.memory && (limited || !of_memory_.empty())) f.memory = memory_of(point, f.summary);
    if (limited && *f.memory > *terms_.memory) return &Counts::unfit;
    if (!of_memory_.empty() && !all_hold(of_memory_, point, &f)) return &Counts::refused;
    if (const auto plain = told_plainer(f)) {
        const auto other = [&](std::size_t axis) { return (*plain)[axis] != walker_.digit(axis); };
        if (grid && (other(grid->first) || other(grid->second))) harvest.grid.add(cell, found);
        if (puts_down_plainer_) harvest.top.add({space_->index_of(*plain), found.values});
        return &Counts::folded;
    }
    harvest.top.add(found);
    if (several_) harvest.front.add(found);
    if (grid) harvest.grid.add(cell, found);
    return nullptr;
}

void Judge::look(std::uint64_t from, std::uint64_t to, Harvest& harvest, const CancelToken& cancel) {
    std::uint64_t place = from;
    while (place < to && !cancel.cancelled()) {
        const std::uint64_t end = std::min(to, (place / walker_.points() + 1) * walker_.points());
        if (!walker_.go(place)) {
            harvest.counts.invalid += end - place;
            if (harvest.why_invalid.empty()) harvest.why_invalid = walker_.problems();
            place = end;
            continue;
        }
        if (plan_number_ != walker_.plan_number()) take_plan();
        for (;;) {
            if (const Fate fate = judge(harvest)) ++(harvest.counts.*fate);
            if (++place == end || (place % 256 == 0 && cancel.cancelled())) break;
            walker_.next();
        }
    }
}

}  // namespace scalescope::search
