// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/reasons.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format.hpp"
#include "core/scenario/differences.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/hardware.hpp"
#include "core/search/search.hpp"

namespace scalescope::search {
namespace {

struct Part {
    std::string_view takes;
    std::string_view name;
    Seconds Summary::*of;
};
constexpr std::array<Part, 5> parts{{{"the forward pass takes", "the forward pass", &Summary::forward},
                                     {"the backward pass takes", "the backward pass", &Summary::backward},
                                     {"the update takes", "the update", &Summary::update},
                                     {"messages take", "messages", &Summary::communication},
                                     {"waiting takes", "waiting", &Summary::idle}}};

std::string counted(std::uint64_t n, std::string_view one, std::string_view more) {
    return format_count(static_cast<std::int64_t>(n)) + ' ' + std::string(n == 1 ? one : more);
}

std::string percent(double share) { return format_percent(Fraction{share}, 0); }

std::string what_binds(const Summary& s) {
    auto order = parts;
    std::stable_sort(order.begin(), order.end(), [&](const Part& a, const Part& b) { return s.*a.of > s.*b.of; });
    std::string text = "Of a step of " + format_time(s.step) + ", " + std::string(order[0].takes) + ' ' +
                       percent(s.*order[0].of / s.step);
    if (s.*order[1].of > Seconds{0}) text += ", " + std::string(order[1].name) + " " + percent(s.*order[1].of / s.step);
    return text + ".";
}

std::string what_lacks(const Summary& best, const Summary& other, Metric m, double value, double against) {
    const MetricInfo& info = info_of(m);
    const std::string is = std::string(info.label) + (m == Metric::devices ? " are " : " is ");
    std::string text = is + metric_text(m, against) + " instead of " + metric_text(m, value);
    if (value != 0 && against != value) text += " (" + format_change(Fraction{against / value - 1}) + ")";
    if (value == against) text = is + "the same, " + metric_text(m, value);
    // Per sample: the batches may differ.
    const auto a = static_cast<double>(best.batch.effective), b = static_cast<double>(other.batch.effective);
    const Part* most = nullptr;
    double gap = 0;
    for (const Part& part : parts) {
        const double more = (other.*part.of).value / b - (best.*part.of).value / a;
        if (most == nullptr || std::abs(more) > std::abs(gap)) most = &part, gap = more;
    }
    const double whole = other.step.value / b - best.step.value / a;
    if (std::abs(gap) > 1e-3 * best.step.value / a)
        text += "; of each sample's time, " + std::string(most->takes) + ' ' + format_time(Seconds{std::abs(gap)}) +
                (gap > 0 ? " more" : " less") +
                (std::abs(whole - gap) > 1e-3 * std::abs(gap)
                     ? ", all of it together " + format_time(Seconds{std::abs(whole)}) + (whole > 0 ? " more" : " less")
                     : "");
    return text + ".";
}

/// Lower is better; nothing if it cannot be told.
std::optional<double> merit(const Scenario& s, const Question& q) {
    const auto e = estimate(s, Remedies::left_out);
    if (!e) return std::nullopt;
    const Metric m = q.objectives.front();
    const auto value = metric_value(m, s, *e, q.goal);
    return value ? std::optional(info_of(m).larger_is_better ? -*value : *value) : std::nullopt;
}

/// What a turn moves: the field of the first, of the other, or of both.
struct Lever {
    const Field* field = nullptr;
    bool first = true, other = true;
};

class Turning {
public:
    Turning(const Scenario& best, const Scenario& other, const Question& q) : best_(best), other_(other), q_(q) {}

    /// The nearest factor, upwards or downwards, from which the order is another one.
    std::optional<double> factor(const Lever& lever, bool up, const CancelToken& cancel) const {
        constexpr int steps = 32;  // eighths of an octave up to 16 times
        double near = 1;
        for (int k = 1; k <= steps && !cancel.cancelled(); ++k) {
            const double far = std::exp2((up ? k : -k) / 8.0);
            const auto turned = turns_at(lever, far);
            if (!turned) return std::nullopt;
            if (*turned) return between(lever, near, far);
            near = far;
        }
        return std::nullopt;
    }

private:
    const Scenario &best_, &other_;
    const Question& q_;

    std::optional<double> merit_at(Scenario s, const Lever& lever, bool moved, double factor) const {
        if (moved) {
            const auto value = field_number(*lever.field, s);
            if (!value || !set_field(s, *lever.field, *value * factor)) return std::nullopt;
        }
        return merit(s, q_);
    }
    std::optional<bool> turns_at(const Lever& lever, double factor) const {
        const auto a = merit_at(best_, lever, lever.first, factor), b = merit_at(other_, lever, lever.other, factor);
        if (!a || !b) return std::nullopt;
        return *b < *a;
    }
    double between(const Lever& lever, double near, double far) const {
        for (int k = 0; k < 50; ++k) {
            const double middle = std::sqrt(near * far);
            (turns_at(lever, middle).value_or(true) ? far : near) = middle;
        }
        return far;
    }
};

std::string peak_path(const Scenario& s) {
    return "cluster.device.peak_tflops." + std::string(name_of(traits_of(s.training.precision).products));
}

std::vector<Lever> levers(const Scenario& best, const Scenario& other) {
    std::vector<Lever> all;
    const auto add = [&](std::string_view path, bool same) {
        const Field* field = find_field(path);
        if (same) {
            all.push_back({field, true, true});
            return;
        }
        all.push_back({field, true, false});
        all.push_back({field, false, true});
    };
    if (is_cpu_cluster(best) && is_cpu_cluster(other)) {
        const bool same_machine = best.cluster.machine == other.cluster.machine;
        for (const char* path : {"cluster.machine.price_usd_per_hour", "cluster.machine.network_gb_s",
                                 "cluster.machine.server_network_gb_s", "cluster.machine.server_updates_m_s",
                                 "cluster.machine.memory_bandwidth_gb_s"})
            add(path, same_machine);
        return all;
    }
    const bool same_device = best.cluster.device == other.cluster.device;
    add("cluster.device.price_usd_per_hour", same_device);
    add(peak_path(best), same_device && best.training.precision == other.training.precision);
    add("cluster.device.memory_bandwidth_gb_s", same_device);
    add("cluster.between.bandwidth_gb_s", best.cluster.between == other.cluster.between);
    add("cluster.inside.bandwidth_gb_s", best.cluster.inside == other.cluster.inside);
    return all;
}

std::string turn_text(const Turn& turn, const Field& field, const Scenario& best, const Scenario& other) {
    std::string label(field.label);
    const auto capital = [&](std::size_t i) { return i < label.size() && label[i] >= 'A' && label[i] <= 'Z'; };
    if (capital(0) && !capital(1)) label[0] = static_cast<char>(label[0] - 'A' + 'a');  // "FP16 peak" stays
    const bool of_device = field.path.starts_with("cluster.device.");
    const auto name = [&](const Scenario& s) {
        return field.path.starts_with("cluster.machine.")  ? s.cluster.machine.name
               : of_device                                 ? s.cluster.device.name
               : field.path.starts_with("cluster.between") ? s.cluster.between.name
                                                           : s.cluster.inside.name;
    };
    std::string whose = turn.of_both ? "" : " of " + name(turn.of_other ? other : best);
    return "The order turns when the " + label + whose + (turn.to > turn.from ? " rises to " : " falls to ") +
           format_number(turn.to) + std::string(no_break_space) + std::string(field.unit) + " (" +
           format_change(Fraction{turn.change()}) + ").";
}

}  // namespace

Result<Reasons> reasons(const Scenario& best, const Scenario* other, const Question& q, const Watch& watch) {
    ASSIGN_OR_RETURN(const auto e, estimate(best));
    Reasons r;
    r.binds = what_binds(e.summary);
    if (!other) return r;
    ASSIGN_OR_RETURN(const auto o, estimate(*other));
    const Metric m = q.objectives.front();
    const auto value = metric_value(m, best, e, q.goal), against = metric_value(m, *other, o, q.goal);
    if (value && against) r.lacks = what_lacks(e.summary, o.summary, m, *value, *against);
    r.differ = difference_lines(best, *other);
    const Turning turning(best, *other, q);
    const std::vector<Lever> all = levers(best, *other);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const bool up : {false, true}) {
            watch.progress((static_cast<double>(i) + (up ? 0.5 : 0.0)) / static_cast<double>(all.size()));
            const auto factor = turning.factor(all[i], up, watch.cancel);
            if (!factor) continue;
            Turn turn;
            turn.path = all[i].field->path;
            turn.of_both = all[i].first && all[i].other;
            turn.of_other = !all[i].first;
            turn.from = *field_number(*all[i].field, turn.of_other ? *other : best);
            turn.to = turn.from * *factor;
            turn.text = turn_text(turn, *all[i].field, best, *other);
            r.turns.push_back(std::move(turn));
        }
    r.complete = !watch.cancel.cancelled();
    std::stable_sort(r.turns.begin(), r.turns.end(), [](const Turn& a, const Turn& b) {
        return std::abs(std::log(a.to / a.from)) < std::abs(std::log(b.to / b.from));
    });
    r.steady = r.complete && r.turns.empty();
    return r;
}

namespace {

constexpr std::uint64_t most_asked_for_figures = 256;

/// Whose figure is missing, of the combinations spread evenly over the space: "Tesla K40 has no price." Empty if none
/// of those looked at lacks one.
std::string example_of_missing(const Space& space, const Question& q) {
    const std::uint64_t step = std::max<std::uint64_t>(1, space.size() / most_asked_for_figures);
    for (std::uint64_t i = 0; i < space.size(); i += step)
        if (const auto scenario = space.scenario(i))
            for (const Metric m : q.objectives)
                if (std::string why = why_missing(m, *scenario); !why.empty()) return why;
    return {};
}

}  // namespace

std::vector<std::string> told(const SearchResult& result, const Space& space, const Question& q) {
    const auto count = [](std::uint64_t n) { return format_count(static_cast<std::int64_t>(n)); };
    const Counts& c = result.counts;
    std::vector<std::string> lines;
    std::string text =
        "Of " + counted(space.size(), "combination ", "combinations ") + counted(c.scored, "was scored", "were scored");
    const auto add = [&](std::uint64_t n, const char* one, const char* more) {
        if (n > 0) text += "; " + counted(n, one, more);
    };
    add(c.pruned, "was left out because it cannot be among the best",
        "were left out because they cannot be among the best");
    add(c.outpaced, "was left out because its stages alone take too long",
        "were left out because their stages alone take too long");
    add(c.too_large, "was left out because its stages alone need more memory than the device has",
        "were left out because their stages alone need more memory than the device has");
    add(c.outside, "is outside the constraints", "are outside the constraints");
    add(c.repeated, "says the same as another one", "say the same as another one");
    add(c.infeasible, "cannot be divided so", "cannot be divided so");
    add(c.invalid, "makes no scenario", "make no scenario");
    add(c.unknown, "lacks a figure, such as a price", "lack a figure, such as a price");
    lines.push_back(text + ".");
    if (c.folded > 0)
        lines.push_back(counted(c.folded, "good one is another one under a different name",
                                "good ones are another one under a different name") +
                        " (one worker divides nothing, a hybrid that cuts nothing is data parallel): it is told once.");
    if (!result.whole)
        lines.push_back("These are too many to look at all of them. The best found from " + count(starts) +
                        " starts, axis by axis, are shown: not proven to be the best of all.");
    if (!result.complete)
        lines.push_back("The search was ended early: these are the best of the " + count(c.seen()) +
                        " it had seen, not proven to be the best of all.");
    if (result.best.empty() && result.front.empty() && q.top > 0 && result.complete) {
        std::string none = result.whole ? "No combination will do" : "None of those seen will do";
        const auto because = [&](std::uint64_t n, const char* one, const char* more) {
            if (n > 0) none += (none.find(':') == std::string::npos ? ": " : ", ") + counted(n, one, more);
        };
        because(c.unfit + c.too_large, "needs more memory than the device has", "need more memory than the device has");
        because(c.refused + c.outside + c.pruned + c.outpaced, "is ruled out by the constraints",
                "are ruled out by the constraints");
        because(c.infeasible, "cannot be divided so", "cannot be divided so");
        because(c.unknown, "lacks a figure, such as a price", "lack a figure, such as a price");
        because(c.invalid, "makes no scenario", "make no scenario");
        lines.push_back(none + ".");
        if (!result.why_invalid.empty()) lines.push_back(result.why_invalid.front().what);
        if (c.unknown > 0)
            if (const std::string why = example_of_missing(space, q); !why.empty())
                lines.push_back(why + " Give it the figure, or judge by another.");
    } else if (result.proven()) {
        lines.emplace_back("Every combination was looked at, or cannot be better: these are proven to be the best.");
    }
    if (result.front_too_large)
        lines.push_back("More than " + count(Front::most) +
                        " combinations are on the front: it is not kept. Take fewer objectives or coarser values.");
    return lines;
}

std::vector<std::string> relaxed(const Space& space, const Question& question, unsigned threads, const Watch& watch) {
    std::vector<std::string> lines;
    const auto look = [&](const Question& q, const std::string& how) {
        const auto found = search(space, q, threads, watch);
        if (!found || found->best.empty()) return false;
        const Metric m = q.objectives.front();
        lines.push_back(how + ", the best " + noun_of(m) + " is " +
                        metric_text(m, found->value(q, found->best.front(), 0)) + ".");
        return true;
    };
    Question q = question;
    q.top = 1;
    q.grid.reset();
    q.objectives.resize(1);
    // Another objective may ask for a figure that nothing has; then no constraint is to blame.
    if (question.objectives.size() > 1 && look(q, "By the first objective alone")) return lines;
    if (q.must_fit) {
        Question any = q;
        any.must_fit = false;
        look(any, "Without the limit of the device's memory");
    }
    for (std::size_t i = 0; i < q.where.size() && !watch.cancel.cancelled(); ++i) {
        Question without = q;
        without.where.erase(without.where.begin() + static_cast<std::ptrdiff_t>(i));
        look(without, "Without \u201c" + q.where[i].text + "\u201d");
    }
    return lines;
}

}  // namespace scalescope::search
