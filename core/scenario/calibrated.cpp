// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/calibrated.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/decimal.hpp"
#include "core/base/listed.hpp"
#include "core/base/sequences.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope {
namespace {

/// Units are converted on the way into a scenario and back: equal but for rounding.
bool is_still(const Scenario& scenario, const CalibratedConstant& constant) {
    const Field* field = find_field(constant.field);
    if (!field) return true;
    const auto value = field_number(*field, scenario);
    return value && std::abs(*value - constant.value) <= 1e-9 * std::abs(constant.value);
}

std::string label_of(std::string_view path) {
    const Field* field = find_field(path);
    return std::string(field ? field->label : path);
}

/// A field that changes the step, and of which scenarios.
struct DesignField {
    std::string_view path;
    bool (*counts)(const Scenario&);
};

bool always(const Scenario&) { return true; }
bool several(const Scenario& s) { return s.cluster.workers > 1; }
bool inside_nodes(const Scenario& s) { return several(s) && s.cluster.devices_per_node > 1; }
bool between_nodes(const Scenario& s) { return s.cluster.workers > s.cluster.devices_per_node; }
bool in_buckets(const Scenario& s) { return several(s) && s.parallelism.overlap == Overlap::buckets; }
bool in_stages(const Scenario& s) { return several(s) && has_stages(s); }
bool in_recipe(const Scenario& s) { return traits_of(s.training.precision).is_recipe(); }
bool in_chunks(const Scenario& s) { return in_stages(s) && has_chunks(s.parallelism.order); }
bool mixed(const Scenario& s) { return several(s) && s.parallelism.segments; }
bool asynchronous(const Scenario& s) { return several(s) && s.parallelism.updates == Updates::asynchronous; }
bool with_workspace(const Scenario& s) { return s.model.convolution == ConvolutionAlgorithm::cheapest; }

constexpr DesignField design_fields[] = {
    {"cluster.workers", always},
    {"training.batch", always},
    {"training.accumulation", always},
    {"training.optimizer", always},
    {"training.fused_update", always},
    {"training.frozen", always},
    {"training.input_limit", always},
    {"cluster.devices_per_node", several},
    {"cluster.nics_per_node", between_nodes},
    {"cluster.devices_per_uplink", inside_nodes},
    {"cluster.inside.bandwidth_gb_s", inside_nodes},
    {"cluster.between.bandwidth_gb_s", between_nodes},
    {"parallelism.fill", several},
    {"parallelism.segments", several},
    {"parallelism.pipeline", several},
    {"parallelism.tensor", several},
    {"parallelism.context", several},
    {"parallelism.context_scheme", several},
    {"parallelism.expert", several},
    {"parallelism.expert_tensor", several},
    {"parallelism.dispatch", several},
    {"parallelism.axis_order", several},
    {"parallelism.policy", several},
    {"parallelism.sequence", several},
    {"training.wide_first", in_recipe},
    {"training.wide_last", in_recipe},
    {"parallelism.collective", several},
    {"parallelism.overlap", several},
    {"parallelism.bucket_mb", in_buckets},
    {"parallelism.gradients", several},
    {"parallelism.scheme", mixed},
    {"parallelism.micro_batches", in_stages},
    {"parallelism.borders", in_stages},
    {"parallelism.order", in_stages},
    {"parallelism.chunks", in_chunks},
    {"parallelism.recompute", always},
    {"parallelism.recompute_count", always},
    {"parallelism.recompute_layers", always},
    {"parallelism.sharded", several},
    {"parallelism.shard_group", several},
    {"parallelism.reshard_after_forward", several},
    {"parallelism.reshard_after_backward", several},
    {"parallelism.reduce_once", several},
    {"parallelism.scatter_gather", in_stages},
    {"parallelism.overlap_gathers", several},
    {"parallelism.offload_states", always},
    {"parallelism.offload_activations", always},
    {"parallelism.updates", several},
    {"parallelism.servers", asynchronous},
    {"parallelism.sharding", asynchronous},
    {"model.overlap_memory", always},
    {"model.spread", several},
    {"model.tensor_overlap", several},
    {"model.expert_overlap", several},
    {"model.host_overlap", always},
    {"model.gather_cards", several},
    {"model.interference", several},
    {"model.convolution", always},
    {"model.workspace_mib", with_workspace},
};

const DesignField* design_field(std::string_view path) { return find_by(design_fields, path, &DesignField::path); }

/// What a range is of: a number, the place of a choice, 1 for on, how many layers. Of the batch that of a worker,
/// whatever the rule.
std::optional<double> range_value(const Field& field, const Scenario& s) {
    if (field.path == "training.batch")
        return static_cast<double>(batch_for(s.training.batch, s.training.batch_rule, s.cluster.workers).per_replica);
    if (const auto number = field_number(field, s)) return number;
    const std::string text = field_text(field, s);
    if (field.type == FieldType::boolean) return text == "true" ? 1.0 : 0.0;
    if (field.type == FieldType::layers)
        return text.empty() ? 0.0 : static_cast<double>(std::count(text.begin(), text.end(), ',') + 1);
    const auto at = std::find(field.choices.begin(), field.choices.end(), text);
    if (field.type != FieldType::choice || at == field.choices.end()) return std::nullopt;
    return static_cast<double>(at - field.choices.begin());
}

bool has_words(const Field& field) { return field.type == FieldType::choice || field.type == FieldType::boolean; }

std::string range_text(const Field& field, double value) {
    if (field.type == FieldType::boolean) return value > 0.0 ? "on" : "off";
    if (!has_words(field)) return shortest_decimal(value);
    const auto place = static_cast<std::size_t>(std::max(0.0, value));
    std::string word(place < field.choices.size() ? field.choices[place] : std::string_view("unknown"));
    std::replace(word.begin(), word.end(), '_', ' ');
    return word;
}

std::string range_text(const Field& field, const CalibratedRange& range) {
    return range_text(field, range.low) +
           (range.low < range.high ? " to " + range_text(field, range.high) : std::string());
}

bool holds(const CalibratedRange& range, double value) {
    return value >= range.low * (1 - 1e-9) && value <= range.high * (1 + 1e-9);
}

/// False for a constant that no measured time depends on: it varies with no other one, and its value is only what was
/// believed of it.
bool was_fitted(const Calibration& c, const CalibratedConstant& constant) {
    const std::size_t n = c.constants.size();
    if (constant.verdict != Verdict::undetermined || c.covariance.size() != n * n) return true;
    const auto k = static_cast<std::size_t>(&constant - c.constants.data());
    for (std::size_t i = 0; i < n; ++i)
        if (i != k && (c.covariance[k * n + i] != 0.0 || c.covariance[i * n + k] != 0.0)) return true;
    return n < 2;
}

std::string points_of(const Calibration& c) {
    return std::to_string(c.points) + (c.points == 1 ? " point" : " points");
}

}  // namespace

Scenario with_calibration(Scenario scenario, SharedCalibration calibration) {
    if (calibration)
        for (const auto& constant : calibration->constants)
            if (const Field* field = find_field(constant.field); field && was_fitted(*calibration, constant))
                (void)set_field(scenario, *field, constant.value);
    if (calibration && !calibration->operators.empty()) {  // those price traces, not steps
        auto constants = *calibration;
        constants.operators.clear();
        calibration.of = std::make_shared<const Calibration>(std::move(constants));
    }
    scenario.model.calibration = std::move(calibration);
    return scenario;
}

const CalibratedConstant* constant_in_use(const Scenario& scenario, std::string_view field) {
    if (!scenario.model.calibration) return nullptr;
    const CalibratedConstant* constant = scenario.model.calibration->constant(field);
    const bool used = constant && was_fitted(*scenario.model.calibration, *constant) && is_still(scenario, *constant);
    return used ? constant : nullptr;
}

std::vector<CalibratedRange> measured_ranges(std::span<const Scenario> scenarios) {
    std::vector<CalibratedRange> ranges;
    for (const DesignField& of : design_fields) {
        const Field* field = find_field(of.path);
        std::set<double> values;
        for (const Scenario& s : scenarios)
            if (const auto value = of.counts(s) ? range_value(*field, s) : std::nullopt) values.insert(*value);
        if (values.empty()) continue;
        if (has_words(*field))
            for (const double value : values) ranges.push_back({std::string(of.path), value, value});
        else
            ranges.push_back({std::string(of.path), *values.begin(), *values.rbegin()});
    }
    return ranges;
}

std::vector<std::string> beyond(const Calibration& c, const Scenario& s) {
    std::vector<std::string> reasons;
    if (!c.device.empty() && c.device != s.cluster.device.id)
        reasons.push_back(s.cluster.device.name + ", measured was " + c.device);
    const std::string precision(name_of(s.training.precision));
    if (!c.precision.empty() && c.precision != precision)
        reasons.push_back(precision + ", measured was " + c.precision);
    if (!c.networks.empty())
        for (const auto& part : s.workload)
            if (part.network &&
                std::find(c.networks.begin(), c.networks.end(), part.network->name()) == c.networks.end())
                reasons.push_back("the network " + part.network->name() + ", which was not measured");
    std::set<std::string_view> seen;
    for (const CalibratedRange& first : c.ranges) {
        const Field* field = find_field(first.field);
        if (!field || !seen.insert(first.field).second) continue;
        const DesignField* design = design_field(first.field);
        const auto value = design && !design->counts(s) ? std::nullopt : range_value(*field, s);
        if (!value) continue;
        bool inside = false;
        std::string measured;
        for (const CalibratedRange& range : c.ranges) {
            if (range.field != first.field) continue;
            inside = inside || holds(range, *value);
            measured += (measured.empty() ? "" : " or ") + range_text(*field, range);
        }
        const std::string label = field->path == "training.batch" ? "Batch of a worker" : std::string(field->label);
        if (!inside) reasons.push_back(label + ' ' + range_text(*field, *value) + ", measured was " + measured);
    }
    return reasons;
}

ScenarioEvidence evidence_of(const Scenario& scenario) {
    using State = ScenarioEvidence::State;
    ScenarioEvidence e;
    if (!scenario.model.calibration) return e;
    const Calibration& c = *scenario.model.calibration;
    for (const auto& constant : c.constants)
        if (was_fitted(c, constant) && !is_still(scenario, constant)) e.changed.push_back(label_of(constant.field));
    if (scenario.model.method != Method::pipeline) e.changed.push_back(label_of("model.method"));
    e.beyond = beyond(c, scenario);
    e.state = !e.changed.empty() ? State::changed : e.beyond.empty() ? State::calibrated : State::extrapolated;
    return e;
}

std::string_view word_of(ScenarioEvidence::State state) {
    return one_of(state, "not calibrated", "changed", "calibrated", "extrapolated");
}

std::string short_text(const ScenarioEvidence& evidence, const Scenario& scenario) {
    using State = ScenarioEvidence::State;
    if (evidence.state == State::uncalibrated) return "not calibrated";
    if (evidence.state == State::changed) return "changed since it was calibrated";
    const char* how = evidence.state == State::calibrated ? "calibrated on " : "extrapolated from ";
    return how + points_of(*scenario.model.calibration);
}

std::string long_text(const ScenarioEvidence& evidence, const Scenario& scenario) {
    if (evidence.state == ScenarioEvidence::State::uncalibrated)
        return "Not calibrated: figures of data sheets and the shares of peak that are set.";
    const Calibration& c = *scenario.model.calibration;
    const std::string points = points_of(c) + " (" + c.name + ')';
    std::string text;
    if (evidence.state == ScenarioEvidence::State::changed)
        text = "Changed since it was calibrated on " + points + ": " + joined(evidence.changed, "; ");
    else if (evidence.state == ScenarioEvidence::State::extrapolated)
        text = "Extrapolated from " + points + ": " + joined(evidence.beyond, "; ");
    else
        text = "Calibrated on " + points;
    text += '.';
    std::vector<std::string> open;
    for (const auto& constant : c.constants)
        if (constant.verdict == Verdict::undetermined) open.push_back(label_of(constant.field));
    if (!open.empty()) text += " Not determined by them: " + joined(open, "; ") + '.';
    return text;
}

}  // namespace scalescope
