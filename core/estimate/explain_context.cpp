// SPDX-License-Identifier: GPL-3.0-or-later
// What pages ask of an estimate, and what its figures rest on.
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {

std::string peak_field(Precision p) { return "cluster.device.peak_tflops." + std::string(scalescope::name_of(p)); }

Evidence weaker(Evidence a, Evidence b) { return std::max(a, b); }

const LayerEstimate& Context::row(int p, int l) const {
    std::size_t at = static_cast<std::size_t>(l);
    for (int i = 0; i < p; ++i) at += static_cast<std::size_t>(part(i).work.layers);
    return estimate.layers[at];
}

std::string Context::layer_name(int p, int l) const {
    const Network& network = *part(p).network;
    const std::string& name = network.layers()[static_cast<std::size_t>(l)].name;
    return several_networks() ? network.name() + ": " + name : name;
}

std::int64_t Context::micro_step_count() const { return micro_steps(plan, batch()).count; }
std::int64_t Context::micro_batches() const {
    return staged() ? scalescope::micro_batches(plan, estimate.point, batch()).count : 1;
}
bool Context::in_back(int, int l) const { return hybrid() && l >= estimate.summary.cut; }
std::int64_t Context::slices() const { return hybrid() ? hybrid_samples(plan, estimate.point, batch()).slices : 1; }
double Context::samples(int index) const {
    if (plan.cpu) return static_cast<double>(estimate.summary.batch.per_replica);
    switch (index) {
        case 1:
            if (hybrid()) return static_cast<double>(ceil_div(estimate.summary.batch.effective, micro_step_count()));
            return static_cast<double>(micro_steps(plan, batch()).samples);
        case 2: return static_cast<double>(scalescope::micro_batches(plan, estimate.point, batch()).samples);
        case 3: return hybrid_samples(plan, estimate.point, batch()).sent;
        default: return static_cast<double>(micro_steps(plan, batch()).samples);
    }
}
int Context::samples_index(int p, int l) const {
    if (staged()) return 2;
    return one_replica() || (in_back(p, l) && estimate.point.scheme == HybridScheme::all_at_once) ? 1 : 0;
}
double Context::class_share(int p, int l) const {
    if (const auto along = row(p, l).along) {
        const std::int64_t pieces = facts(p, l).along(*along);
        return static_cast<double>(ceil_div(pieces, sharing() / row(p, l).repeats)) / static_cast<double>(pieces);
    }
    return part(p).outputs.busiest_share(part(p).outputs.class_of[static_cast<std::size_t>(l)], sharing());
}
double Context::context_share(int p, int l) const {
    const auto along = row(p, l).context_along;
    if (!along) return 1;
    const std::int64_t pieces = facts(p, l).along(*along);
    return static_cast<double>(ceil_div(pieces, degrees().context)) / static_cast<double>(pieces);
}
int Context::stage_of(int layer) const {
    int stage = 0;
    while (estimate.runs[static_cast<std::size_t>(stage)].to <= layer) ++stage;
    return stage;
}
int Context::first_of_stage(int p, int l) const {
    while (l > 0 && row(p, l - 1).stage == row(p, l).stage) --l;
    return l;
}
int Context::stage_count() const {
    int last = -1;
    for (const auto& r : estimate.layers) last = std::max(last, r.stage);
    return last + 1;
}

Evidence Context::constant(std::string_view field, Evidence otherwise) const {
    using State = ScenarioEvidence::State;
    if (rests_on.state == State::uncalibrated || scenario.model.method != Method::pipeline) return otherwise;
    if (!constant_in_use(scenario, field)) {
        // Where nothing was changed it is one that no measured time depends on; within what was measured none does.
        const bool idle = rests_on.state == State::calibrated && scenario.model.calibration->constant(field);
        return idle ? Evidence::calibrated : otherwise;
    }
    return rests_on.beyond.empty() ? Evidence::calibrated : Evidence::extrapolated;
}
Evidence Context::counted_as(std::string_view field, Evidence own) const {
    if (field.starts_with("cluster.device.peak_tflops.")) return constant("model.compute", own);
    if (field == "cluster.device.memory_bandwidth_gb_s") return constant("model.memory", own);
    if (field == "cluster.inside.bandwidth_gb_s") return constant("model.inside", own);
    if (field == "cluster.between.bandwidth_gb_s") return constant("model.between", own);
    return own;
}
bool Context::sends(bool inside) const {
    if (estimate.servers) return !inside;  // they are in nodes of their own
    return inside ? workers() > 1 && plan.links.devices_per_node > 1 : workers() > plan.links.devices_per_node;
}

namespace {

/// A figure that a data sheet gives, which has a list of those that are not verified, or that somebody set: a share of
/// a peak is that of the data sheet as long as it is 1.
struct Assumed {
    std::string field;
    const char* words;  ///< where nobody vouches for it
    bool used, set;
    const std::vector<std::string>* unverified = nullptr;
};
std::vector<Assumed> all_assumed(const Context& c) {
    const ModelOptions& m = c.scenario.model;
    const Cluster& k = c.scenario.cluster;
    const bool inside = c.sends(true), between = c.sends(false);
    const auto *device = &k.device.unverified, *in = &k.inside.unverified, *out = &k.between.unverified;
    const char *by_hand = "share of peak set by hand", *recalled = "device figures recalled",
               *bandwidth = "bandwidth recalled", *start_up = "start-up time of messages recalled";
    return {{"model.compute", by_hand, true, m.compute.value != 1},
            {"model.memory", by_hand, true, m.memory.value != 1},
            {"model.inside", by_hand, inside, m.inside.value != 1},
            {"model.between", by_hand, between, m.between.value != 1},
            {peak_field(c.scenario.training.precision), recalled, true, false, device},
            {"cluster.device.memory_bandwidth_gb_s", recalled, true, false, device},
            {"cluster.device.price_usd_per_hour", "", false, false, device},
            {"cluster.inside.bandwidth_gb_s", bandwidth, inside, false, in},
            {"cluster.between.bandwidth_gb_s", bandwidth, between, false, out},
            {"cluster.inside.latency_us", start_up, inside, false, in},
            {"cluster.between.latency_us", start_up, between, false, out},
            {"model.launch_us", "start-up time of operations set by hand", m.launch.value != 0, true},
            {"model.overhead_ms", "overhead of a step set by hand", c.plan.overhead.value != 0, true}};
}

}  // namespace

Evidence Context::evidence_of(const Because& because) const {
    if (because.item) {
        const Rests rests = row_of(because.item->topic).rests;
        const Evidence e = rests == Rests::sending || rests == Rests::both ? sending() : Evidence::exact;
        return rests == Rests::computing || rests == Rests::both ? weaker(e, computing()) : e;
    }
    const std::string_view field = because.field;
    if (constexpr std::string_view machine = "cluster.machine."; field.starts_with(machine)) {
        const bool updates = field == "cluster.machine.server_updates_m_s";  // machines' files call it otherwise
        const std::string_view name = updates ? "server_updates_per_s" : field.substr(machine.size());
        return std::ranges::count(scenario.cluster.machine.unverified, name) ? Evidence::assumed : Evidence::datasheet;
    }
    for (const Assumed& f : all_assumed(*this))
        if (field == f.field) {
            const std::string_view name = field.substr(field.find('.', field.find('.') + 1) + 1);
            const bool open = f.set || (f.unverified && std::ranges::any_of(*f.unverified, [&](const std::string& n) {
                                            return n.starts_with(name);  // files add "_one_way"
                                        }));
            return constant(field, open ? Evidence::assumed : Evidence::datasheet);
        }
    constexpr std::array guesses{"model.spread", "model.interference", "parallelism.copies", "training.input_limit"};
    return std::ranges::count(guesses, field) ? Evidence::assumed : Evidence::exact;
}

Evidence Context::weakest(std::initializer_list<std::string_view> all) const {
    Evidence e = Evidence::exact;
    for (const std::string_view field : all) e = weaker(e, counted_as(field, evidence_of(field)));
    return e;
}
Evidence Context::computing() const {
    if (plan.cpu)  // all its figures go into every time
        return scenario.cluster.machine.unverified.empty() ? Evidence::datasheet : Evidence::assumed;
    const Evidence e = weakest({peak_field(scenario.training.precision), "cluster.device.memory_bandwidth_gb_s",
                                "model.compute", "model.memory"});
    return plan.device.launch.value > 0 ? weaker(e, evidence_of("model.launch_us")) : e;
}
Evidence Context::sending() const {
    if (workers() <= 1 && !estimate.servers) return Evidence::exact;
    if (plan.cpu) return computing();
    Evidence e = Evidence::exact;
    if (sends(true)) e = weakest({"cluster.inside.bandwidth_gb_s", "cluster.inside.latency_us", "model.inside"});
    if (sends(false))
        e = weaker(e, weakest({"cluster.between.bandwidth_gb_s", "cluster.between.latency_us", "model.between"}));
    return e;
}

namespace {

/// What of the scenario rests on nobody's figures.
std::string assumptions(const Context& c) {
    if (c.plan.cpu) return "figures of the machine assumed";
    std::string text;
    const auto add = [&](std::string_view what) {
        if (text.find(what) == std::string::npos) text += (text.empty() ? "" : ", ") + std::string(what);
    };
    for (const Assumed& f : all_assumed(c))
        if (f.used && c.evidence_of(f.field) == Evidence::assumed) add(f.words);
    if (c.rests_on.state == ScenarioEvidence::State::changed) add("changed since it was calibrated");
    return text.empty() ? "figures set by hand" : text;
}

}  // namespace

std::string Context::words(Evidence e) const {
    if (e == Evidence::exact) return "counted";
    if (e == Evidence::datasheet) return "peak figures, not calibrated";
    if (e == Evidence::assumed) return assumptions(*this);
    std::string text = short_text(rests_on, scenario);
    if (e == Evidence::extrapolated)
        for (const auto& reason : rests_on.beyond) text += (text.back() == ';' ? " " : "; ") + reason;
    return text;
}

}  // namespace scalescope::explaining
