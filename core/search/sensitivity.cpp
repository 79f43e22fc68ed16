// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/names.hpp"

namespace scalescope::search {
namespace {

constexpr std::string_view fields_inside = "cluster.inside.", fields_between = "cluster.between.";

bool updates_alone(const Scenario& s) { return s.parallelism.updates == Updates::asynchronous; }

std::string why_no_link(std::string_view path, const Scenario& s) {
    const Cluster& cluster = s.cluster;
    const bool is_inside = path.starts_with(fields_inside) || path == "model.inside";
    const bool is_between = path.starts_with(fields_between) || path == "model.between";
    if (updates_alone(s)) return is_inside ? "Parameter servers are reached over the link between nodes." : "";
    if ((is_inside || is_between) && cluster.workers == 1) return "One worker sends nothing.";
    if (is_inside && cluster.devices_per_node == 1)
        return "Every node holds one device: nothing travels inside a node.";
    if (is_between && cluster.workers <= cluster.devices_per_node)
        return "All workers stand in one node: nothing travels between nodes.";
    return {};
}

}  // namespace

std::vector<MovedField> moved_fields(const Scenario& s) {
    std::vector<MovedField> all;
    const auto add = [&](const std::string& path, std::string noun, std::string same_as = {}) {
        if (const Field* field = find_field(path))
            all.push_back({field, std::move(noun), "more", "less", std::move(same_as)});
    };
    const auto compared = [&](const char* more, const char* less) {
        all.back().more = more;
        all.back().less = less;
    };
    if (is_cpu_cluster(s)) {
        add("cluster.machine.network_gb_s", "network bandwidth of a machine");
        add("cluster.machine.server_network_gb_s", "network bandwidth of a server");
        add("cluster.machine.server_updates_m_s", "updates of a server");
        add("cluster.machine.memory_bandwidth_gb_s", "memory bandwidth of a machine");
        add("cluster.machine.multiply_add_l2_ns", "time of a multiply-add in the second-level cache");
        add("cluster.machine.multiply_add_l3_ns", "time of a multiply-add in the last-level cache");
        add("cluster.machine.multiply_add_memory_ns", "time of a multiply-add in memory");
        add("cluster.machine.contention", "contention of threads");
        add("cluster.machine.latency_us", "latency between machines");
        add("cluster.machine.activation_ns", "time of an activation");
        add("cluster.machine.error_ns", "time of an error term");
        add("cluster.machine.update_ns", "time of a local update");
        add("training.batch",
            s.training.batch_rule == BatchRule::per_worker ? "samples for each replica" : "samples in all");
        add("cluster.workers", "machines");
        add("parallelism.servers", "parameter servers");
        add("cpu.threads", "threads");
        add("model.overhead_ms", "overhead of a step");
        add("model.spread", "spread of the machines' speeds");
        add("training.input_limit", "from the input pipeline");
        add("training.data_set", "samples in the data set");
        add("cluster.machine.price_usd_per_hour", "price of a machine");
        compared("higher", "lower");
        return all;
    }
    const std::string peak = explaining::peak_field(s);
    add(peak, "peak arithmetic in " + peak.substr(peak.rfind('.') + 1));
    add("cluster.device.memory_bandwidth_gb_s", "memory bandwidth");
    add("cluster.between.bandwidth_gb_s", "bandwidth between nodes");
    add("cluster.between.latency_us", "latency between nodes");
    add("cluster.inside.bandwidth_gb_s", "bandwidth inside a node");
    add("cluster.inside.latency_us", "latency inside a node");
    add("training.batch",
        s.training.batch_rule == BatchRule::per_worker ? "samples for each worker" : "samples in all");
    add("cluster.workers", "workers");
    if (updates_alone(s)) add("parallelism.servers", "parameter servers");
    add("training.accumulation", "accumulated micro-steps");
    add("parallelism.micro_batches", "micro-batches");
    add("parallelism.bucket_mb", "buckets of gradients");
    compared("larger", "smaller");
    add("model.launch_us", "start-up time of operations");
    add("model.overhead_ms", "overhead of a step");
    add("model.spread", "spread of the workers' speeds");
    add("model.interference", "interference of messages");
    add("training.input_limit", "from the input pipeline");
    add("training.data_set", "samples in the data set");
    add("cluster.device.price_usd_per_hour", "price of a device");
    compared("higher", "lower");
    add("cluster.device.base_mhz", "clock of the device");
    compared("higher", "lower");
    add("model.compute", "of the share of peak arithmetic", peak);
    add("model.memory", "of the share of memory bandwidth", "cluster.device.memory_bandwidth_gb_s");
    add("model.between", "of the share of bandwidth between nodes", "cluster.between.bandwidth_gb_s");
    add("model.inside", "of the share of bandwidth inside a node", "cluster.inside.bandwidth_gb_s");
    return all;
}

std::string why_not_moved(const MovedField& moved, const Scenario& s) {
    const std::string_view path = moved.field->path;
    if (!moved.same_as.empty() && s.model.method == Method::pipeline)
        return "It is a factor of the same rate as " + std::string(find_field(moved.same_as)->label) +
               ", and does the same.";
    const auto value = field_number(*moved.field, s);
    if (!value) return worker_name(s) + " has no figure for it.";
    if (path == "model.compute" && *value == 0) return "It is what was measured on the device.";
    if (path == "cpu.threads" && *value == 0) return "Every core has a thread.";
    if (path == "training.input_limit" && *value == 0) return "No limit is set.";
    if (path == "training.accumulation" && *value == 1) return "No gradients are accumulated.";
    if (*value == 0) return "It is 0, and a part of nothing is nothing.";
    return {};
}

std::string why_no_effect(const MovedField& moved, const Scenario& s) {
    const std::string_view path = moved.field->path;
    if (path == "parallelism.bucket_mb" && s.parallelism.overlap != Overlap::buckets)
        return "Gradients do not travel in buckets.";
    if (path == "parallelism.micro_batches" && !has_stages(s)) return "Only a split by layers has micro-batches.";
    if (path == "cluster.machine.server_network_gb_s" && s.cpu.servers_beside)
        return "Servers stand on the machines that train.";
    if (path.starts_with("cluster.machine.multiply_add")) return "No layer's weights lie there.";
    if (is_cpu_cluster(s) && path != "model.spread") return {};
    if (path == "model.spread" && updates_alone(s)) return "Updates are asynchronous: nobody waits for the slowest.";
    return why_no_link(path, s);
}

namespace {

/// Of a field, in ln: small enough for a slope, large enough that rounding does not show (errors of both are 1e-10).
constexpr double slope_step = 1e-5;

Problem sensitivity_given_up() { return make_error("The search was given up.", "ask again"); }

/// The objective of one scenario after the other, most of which differ from the first in one field.
class MovedObjective {
public:
    explicit MovedObjective(const SensitivityOptions& options) : options_(options) {}

    Result<double> at(const Scenario& scenario) {
        // No field that is moved changes what the work is; PALEO's methods have a plan of their own each time.
        if (plan_ && scenario.model.method == Method::pipeline) {
            if (auto priced = reprice_plan(*plan_, scenario); !priced) return tl::unexpected(priced.error());
        } else {
            ASSIGN_OR_RETURN(plan_, prepare(scenario));
        }
        return value(scenario, *plan_);
    }

private:
    const SensitivityOptions options_;
    std::optional<Plan> plan_;

    Result<double> value(const Scenario& scenario, const Plan& plan) const {
        Scratch scratch = make_scratch(plan);
        Figures figures;
        Summary one;
        Point point = plan.point;
        figures.workers = point.workers;
        figures.servers = own_servers(scenario, point.updates, point.workers, point.servers);
        figures.summary = score(plan, point, scratch);
        if (!figures.summary.feasible()) return fail(infeasible_reason(plan, point, figures.summary.infeasible));
        if (options_.objective == Metric::memory) figures.memory = peak_memory(plan, point, scratch);
        point = of_one_worker(point);
        one = score(plan, point, scratch);
        if (!one.feasible()) return fail(infeasible_reason(plan, point, one.infeasible));
        figures.baseline = &one;
        return positive(scenario, metric_value(options_.objective, terms_of(scenario, options_.goal), figures));
    }

    Result<double> positive(const Scenario& scenario, std::optional<double> value) const {
        const std::string label(info_of(options_.objective).label);
        if (!value)
            return fail(make_error(label + " has no value: " + why_missing(options_.objective, scenario),
                                   "give the figure, or choose another objective", {},
                                   options_.objective == Metric::epoch ? "training.data_set" : "cluster.device"));
        if (!(*value > 0) || !std::isfinite(*value))
            return fail(
                make_error(label + " is 0 here, so that no change is a share of it.", "choose another objective"));
        return *value;
    }
};

std::string first_sentence_of(const Problems& problems) {
    return problems.empty() ? std::string() : problems.front().what;
}

class SensitivityRows {
public:
    SensitivityRows(const Scenario& scenario, const SensitivityOptions& options, MovedObjective& objective, double base)
        : scenario_(scenario), options_(options), objective_(objective), base_(base) {}

    /// The row, or why there is none.
    tl::expected<SensitivityRow, std::string> make(const MovedField& moved) {
        const Field& field = *moved.field;
        SensitivityRow row = named(field);
        row.less.value = row.whole ? whole(row.value, -1) : row.value * (1 - options_.by);
        row.more.value = row.whole ? whole(row.value, +1) : row.value * (1 + options_.by);
        fill(row.less, field);
        fill(row.more, field);
        if (!row.less.change && !row.more.change)
            return tl::unexpected("It can be neither less nor more. " + row.more.problem);
        const bool still = row.effect() == 0;
        if (std::string why = why_no_effect(moved, scenario_); still && !why.empty()) return tl::unexpected(why);
        row.elasticity = row.whole ? between_ends(row) : slope(row, field);
        if (still && row.elasticity == 0)
            return tl::unexpected("It changes nothing about the " + noun_of(options_.objective) + " here.");
        row.sentence = sentence(row, moved);
        return row;
    }

    /// Half the workers, and twice as many.
    std::optional<SensitivityRow> doubling(const MovedField& workers) {
        SensitivityRow row = named(*workers.field);
        row.label = "Half and twice the " + std::string(worker_words(scenario_).many);
        row.less.value = std::floor(row.value / 2);
        row.more.value = row.value * 2;
        fill(row.less, *workers.field);
        fill(row.more, *workers.field);
        if (!row.less.change && !row.more.change) return std::nullopt;
        row.elasticity = between_ends(row);
        row.sentence = sentence(row, workers);
        return row;
    }

private:
    const Scenario& scenario_;
    const SensitivityOptions& options_;
    MovedObjective& objective_;
    double base_;

    SensitivityRow named(const Field& field) const {
        SensitivityRow row;
        row.path = std::string(field.path);
        row.label = label_in(scenario_, field);
        row.unit = std::string(field.unit);
        row.value = field_number(field, scenario_).value_or(0);
        row.whole = field.type == FieldType::integer;
        return row;
    }

    double whole(double value, int direction) const {
        const double wanted = std::round(value * (1 + direction * options_.by));
        return wanted == value ? value + direction : wanted;
    }

    Result<double> with(const Field& field, double value) {
        Scenario other = scenario_;
        if (auto set = set_field(other, field, value); !set) return tl::unexpected(set.error());
        return objective_.at(other);
    }

    void fill(SensitivityEnd& end, const Field& field) {
        if (field.type == FieldType::integer && end.value < field.least) {
            end.problem = "There is no smaller count.";
            return;
        }
        const auto found = with(field, end.value);
        if (found)
            end.change = *found / base_ - 1;
        else
            end.problem = first_sentence_of(found.error());
    }

    /// Between the two ends, or one of them and the scenario.
    static double between_ends(const SensitivityRow& row) {
        const double low = row.less.change ? row.less.value : row.value,
                     high = row.more.change ? row.more.value : row.value;
        const double rise = std::log1p(row.more.change.value_or(0)) - std::log1p(row.less.change.value_or(0));
        return rise / std::log(high / low);
    }

    /// By small steps to both sides; a bound leaves one side.
    double slope(const SensitivityRow& row, const Field& field) {
        const auto below = with(field, row.value * std::exp(-slope_step)),
                   above = with(field, row.value * std::exp(slope_step));
        const double steps = (below ? 1 : 0) + (above ? 1 : 0);
        if (steps == 0) return 0;
        return std::log((above ? *above : base_) / (below ? *below : base_)) / (steps * slope_step);
    }

    std::string effect_words(double change) const {
        const std::string noun = noun_of(options_.objective);
        if (change == 0) return "changes nothing about the " + noun;
        if (std::abs(change) < 5e-4)
            return "changes the " + noun + " by less than 0.1" + std::string(no_break_space) + "%";
        const std::string amount = format_percent(Fraction{std::abs(change)});
        return change > 0 ? "adds " + amount + " to the " + noun : "takes " + amount + " off the " + noun;
    }

    std::string sentence(const SensitivityRow& row, const MovedField& moved) const {
        const bool up = row.more.change.has_value();
        const SensitivityEnd& end = up ? row.more : row.less;
        std::string start;
        if (row.whole)
            start = "Going from " + format_count(std::llround(row.value)) + " to " +
                    format_count(std::llround(end.value)) + ' ' + moved.noun;
        else
            start = share_text(options_.by) + ' ' + (up ? moved.more : moved.less) + ' ' + moved.noun;
        return start + ' ' + effect_words(*end.change) + '.';
    }
};

/// Shares of a peak that turned out to do just what their peak does.
void drop_doubles(Sensitivity& found, const std::vector<MovedField>& fields) {
    constexpr double same = 1e-6;
    for (const MovedField& moved : fields) {
        if (moved.same_as.empty()) continue;
        const auto at = [&](std::string_view path) {
            return std::find_if(found.rows.begin(), found.rows.end(),
                                [&](const SensitivityRow& row) { return row.path == path; });
        };
        const auto share = at(moved.field->path), peak = at(moved.same_as);
        if (share == found.rows.end() || peak == found.rows.end()) continue;
        if (std::abs(share->elasticity - peak->elasticity) > same) continue;
        found.left_out.push_back({share->path, share->label, "It does the same as " + peak->label + "."});
        found.rows.erase(share);
    }
}

}  // namespace

std::string share_text(double share) {
    const double percent = share * 100;
    return format_percent(Fraction{share}, std::abs(percent - std::round(percent)) < 1e-9 ? 0 : 1);
}

double SensitivityRow::effect() const {
    return std::max(std::abs(less.change.value_or(0)), std::abs(more.change.value_or(0)));
}

Result<Sensitivity> sensitivity(const Scenario& scenario, const SensitivityOptions& options,
                                const CancelToken& cancel) {
    if (!(options.by > 0 && options.by < 1))
        return fail(make_error("Fields can be moved by more than 0 and less than 100 %.",
                               "give a share in that range, such as 10", {}, "by"));
    MovedObjective objective(options);
    ASSIGN_OR_RETURN(const auto base, objective.at(scenario));
    Sensitivity found{options.objective, base, options.by, {}, {}, {}};
    SensitivityRows rows(scenario, options, objective, base);
    const auto fields = moved_fields(scenario);
    for (const MovedField& moved : fields) {
        if (cancel.cancelled()) return fail(sensitivity_given_up());
        const std::string path(moved.field->path), label = label_in(scenario, *moved.field);
        if (std::string why = why_not_moved(moved, scenario); !why.empty()) {
            found.left_out.push_back({path, label, std::move(why)});
            continue;
        }
        auto row = rows.make(moved);
        if (row)
            found.rows.push_back(std::move(*row));
        else
            found.left_out.push_back({path, label, row.error()});
        if (path == "cluster.workers") found.doubling = rows.doubling(moved);
    }
    drop_doubles(found, fields);
    std::stable_sort(found.rows.begin(), found.rows.end(),
                     [](const SensitivityRow& a, const SensitivityRow& b) { return a.effect() > b.effect(); });
    return found;
}

}  // namespace scalescope::search
