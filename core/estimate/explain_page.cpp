// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/explain_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/checked.hpp"
#include "core/base/format.hpp"

namespace scalescope::explaining {
namespace {

bool unverified(const std::vector<std::string>& fields, const std::string& name) {
    return std::find(fields.begin(), fields.end(), name) != fields.end();
}

Evidence figure(const std::vector<std::string>& fields, const std::string& name) {
    return unverified(fields, name) ? Evidence::assumed : Evidence::datasheet;
}

/// Inputs whose formula fits on the page of what they go into.
bool worth_defining(Topic t) {
    constexpr std::array topics{Topic::layer_flops,   Topic::layer_bytes,   Topic::layer_parameters,
                                Topic::layer_inputs,  Topic::layer_output,  Topic::layer_kept,
                                Topic::kept_tensor,   Topic::share,         Topic::samples,
                                Topic::slices,        Topic::message_bytes, Topic::effective_batch,
                                Topic::micro_batches, Topic::micro_steps,   Topic::ranks,
                                Topic::nodes};
    return std::find(topics.begin(), topics.end(), t) != topics.end();
}

constexpr std::size_t longest_definition = 140;  // bytes: about three lines of the panel

/// What of the scenario rests on nobody's figures.
std::string assumptions(const Context& c) {
    std::string text;
    const auto name = [&](bool applies, const char* what) {
        if (applies) text += (text.empty() ? "" : ", ") + std::string(what);
    };
    if (c.plan.cpu) return "figures of the machine assumed";
    const ModelOptions& m = c.scenario.model;
    const bool servers = c.estimate.servers.has_value();
    const bool inside = !servers && c.workers() > 1 && c.plan.links.devices_per_node > 1,
               between = servers || c.workers() > c.plan.links.devices_per_node;
    const auto recalled = [](Evidence e) { return e == Evidence::assumed; };
    const auto by_hand = [&](std::string_view field, double value, double usual) {
        return value != usual && c.constant(field, Evidence::assumed) == Evidence::assumed;
    };
    name(by_hand(fields::compute, m.compute.value, 1) || by_hand(fields::memory, m.memory.value, 1) ||
             (inside && by_hand(fields::link_inside, m.inside.value, 1)) ||
             (between && by_hand(fields::link_between, m.between.value, 1)),
         "share of peak set by hand");
    name(recalled(c.peak_evidence()) || recalled(c.memory_evidence()), "device figures recalled");
    name((inside && recalled(c.bandwidth_evidence(true))) || (between && recalled(c.bandwidth_evidence(false))),
         "bandwidth recalled");
    name((inside && recalled(c.latency_evidence(true))) || (between && recalled(c.latency_evidence(false))),
         "start-up time of messages recalled");
    name(by_hand(fields::launch, m.launch.value, 0), "start-up time of operations set by hand");
    name(by_hand(fields::overhead, c.plan.overhead.value, 0), "overhead of a step set by hand");
    if (c.rests_on.state == ScenarioEvidence::State::changed) name(true, "changed since it was calibrated");
    return text.empty() ? "figures set by hand" : text;
}

std::string words(const Context& c, Evidence e) {
    switch (e) {
        case Evidence::exact: return "counted";
        case Evidence::calibrated: return short_text(c.rests_on, c.scenario);
        case Evidence::datasheet: return "peak figures, not calibrated";
        case Evidence::extrapolated: {
            std::string text = short_text(c.rests_on, c.scenario);
            for (const auto& reason : c.rests_on.beyond) text += (text.back() == ';' ? " " : "; ") + reason;
            return text;
        }
        case Evidence::assumed: break;
    }
    return assumptions(c);
}

}  // namespace

std::string fields::peak(Precision p) { return "cluster.device.peak_tflops." + std::string(scalescope::name_of(p)); }

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
double Context::class_share(int p, int l) const {
    if (const auto along = row(p, l).along) {
        const std::int64_t pieces = facts(p, l).along(*along);
        return static_cast<double>(ceil_div(pieces, sharing())) / static_cast<double>(pieces);
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
    if (field.starts_with("cluster.device.peak_tflops.")) return constant(fields::compute, own);
    if (field == fields::memory_bandwidth) return constant(fields::memory, own);
    if (field == fields::inside_bandwidth) return constant(fields::link_inside, own);
    if (field == fields::between_bandwidth) return constant(fields::link_between, own);
    return own;
}
Evidence Context::peak_evidence() const {
    return figure(scenario.cluster.device.unverified,
                  "peak_tflops." + std::string(scalescope::name_of(scenario.training.precision)));
}
Evidence Context::memory_evidence() const {
    return figure(scenario.cluster.device.unverified, "memory_bandwidth_gb_s");
}
Evidence Context::bandwidth_evidence(bool inside) const {
    return figure((inside ? scenario.cluster.inside : scenario.cluster.between).unverified, "bandwidth_gb_s_one_way");
}
Evidence Context::latency_evidence(bool inside) const {
    return constant(inside ? fields::inside_latency : fields::between_latency,
                    figure((inside ? scenario.cluster.inside : scenario.cluster.between).unverified, "latency_us"));
}
Evidence Context::computing() const {
    if (plan.cpu)  // all its figures go into every time
        return scenario.cluster.machine.unverified.empty() ? Evidence::datasheet : Evidence::assumed;
    Evidence e = weaker(counted_as(fields::peak(scenario.training.precision), peak_evidence()),
                        counted_as(fields::memory_bandwidth, memory_evidence()));
    e = weaker(e, of_share(*this, fields::compute, scenario.model.compute.value));
    e = weaker(e, of_share(*this, fields::memory, scenario.model.memory.value));
    return plan.device.launch.value > 0 ? weaker(e, constant(fields::launch, Evidence::assumed)) : e;
}
Evidence Context::sending() const {
    const bool with_servers = estimate.servers.has_value();  // over the links between nodes
    if (workers() <= 1 && !with_servers) return Evidence::exact;
    if (plan.cpu) return computing();
    Evidence e = Evidence::exact;
    for (bool inside : {true, false}) {
        const bool used = with_servers ? !inside
                          : inside     ? plan.links.devices_per_node > 1
                                       : workers() > plan.links.devices_per_node;
        if (!used) continue;
        const double share = inside ? scenario.model.inside.value : scenario.model.between.value;
        e = weaker(
            e, counted_as(inside ? fields::inside_bandwidth : fields::between_bandwidth, bandwidth_evidence(inside)));
        e = weaker(e, latency_evidence(inside));
        e = weaker(e, of_share(*this, inside ? fields::link_inside : fields::link_between, share));
    }
    return e;
}

std::vector<Term> in_order(std::vector<Term> terms) {
    terms.erase(std::remove_if(terms.begin(), terms.end(), [](const Term& t) { return t.value == 0; }), terms.end());
    std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.value > b.value; });
    return terms;
}

double rest_of(const std::vector<Term>& terms, int from) {
    const auto sorted = in_order(terms);
    double sum = 0;
    for (std::size_t i = static_cast<std::size_t>(from); i < sorted.size(); ++i) sum += sorted[i].value;
    return sum;
}

Page::Page(const Context& context, const Item& item, std::string symbol, std::string title, double result,
           Measure measure)
    : context_(context), measure_(measure) {
    e_.item = item;
    e_.symbol = std::move(symbol);
    e_.title = std::move(title);
    e_.result = result;
    e_.result_unit = unit_of(measure);
}

Page& Page::formula(std::string text) {
    formula_ += text;
    return *this;
}

bool Page::add(Input input, Measure m) {
    if (!input.symbol.empty())
        for (const Input& i : e_.inputs)
            if (i.symbol == input.symbol) return false;
    input.unit = unit_of(m);
    e_.evidence = weaker(e_.evidence, context_.counted_as(input.field, input.evidence));
    quantities_.push_back({input.symbol, input.value, m});
    e_.inputs.push_back(std::move(input));
    return true;
}

Page& Page::link(std::string symbol, std::string text, double value, Measure m, const Item& because, Evidence e) {
    add({std::move(symbol), std::move(text), value, {}, {}, {}, because, e}, m);
    return *this;
}
Page& Page::field(std::string symbol, std::string text, double value, Measure m, std::string_view path, Evidence e) {
    add({std::move(symbol), std::move(text), value, {}, {}, std::string(path), std::nullopt, e}, m);
    return *this;
}
Page& Page::fact(std::string text, std::string shown, std::string_view path) {
    add({{}, std::move(text), 0, {}, std::move(shown), std::string(path), std::nullopt, Evidence::exact},
        Measure::number);
    return *this;
}
Page& Page::fact(std::string text, std::string shown, const Item& because) {
    add({{}, std::move(text), 0, {}, std::move(shown), {}, because, Evidence::exact}, Measure::number);
    return *this;
}
Page& Page::note(std::string text) {
    e_.notes.push_back(std::move(text));
    return *this;
}
Page& Page::source(std::string text) {
    e_.source = std::move(text);
    return *this;
}
Page& Page::parts(std::string name, double whole, Measure m, std::vector<Term> parts) {
    e_.parts_name = std::move(name);
    parts_whole_ = whole;
    parts_measure_ = m;
    parts_ = std::move(parts);
    return *this;
}
Page& Page::nothing(std::string reason) {
    formula_ = "0";
    return note(std::move(reason));
}

std::string Page::prefix(int part, const Repeat& repeat) {
    std::string text;
    const auto factor = [&](bool used, const char* symbol, const char* words, double value, std::string_view path) {
        if (!used || value == 1) return;
        text += std::string(symbol) + '*';
        field(symbol, words, value, Measure::count, path);
    };
    if (repeat.accumulation && context_.micro_step_count() != 1) {
        text += "a*";
        micro_steps();
    }
    if (repeat.micro_batches && context_.micro_batches() != 1) {
        text += "M*";
        const auto m = context_.micro_batches();
        if (m == context_.plan.parallelism.micro_batches)
            field("M", "micro-batches", static_cast<double>(m), Measure::count, fields::micro_batches);
        else
            link("M", "micro-batches", static_cast<double>(m), Measure::count, Item{Topic::micro_batches});
    }
    if (repeat.slices && context_.slices() != 1) {
        text += "g*";
        slices();
    }
    factor(repeat.successive > 1, "T", "one after the other", static_cast<double>(repeat.successive), fields::workload);
    factor(repeat.count, "c", "times in a step", context_.count(part), fields::count);
    return text;
}

Page& Page::micro_steps() {
    const auto a = context_.micro_step_count();
    if (a == context_.plan.training.accumulation)
        return field("a", "micro-steps added up", static_cast<double>(a), Measure::count, fields::accumulation);
    return link("a", "micro-steps added up", static_cast<double>(a), Measure::count, Item{Topic::micro_steps});
}

Page& Page::slices() {
    const auto g = context_.slices();
    if (g == context_.workers())
        return field("g", "slices, one for each worker", static_cast<double>(g), Measure::count, fields::workers);
    return link("g", "slices", static_cast<double>(g), Measure::count, Item{Topic::slices});
}

std::string Page::degree(MeshAxis axis) {
    const Degrees d = context_.degrees();
    const Strategy s = context_.estimate.point.strategy;
    const MeshAxis taking = s == Strategy::outputs  ? MeshAxis::tensor
                            : s == Strategy::layers ? MeshAxis::pipeline
                                                    : MeshAxis::data;
    struct Given {
        MeshAxis axis;
        std::int64_t degree;
        const char *symbol, *text;
        std::string_view field;
    };
    const Given all[] = {{MeshAxis::tensor, d.tensor, "n_t", "tensor degree", fields::tensor},
                         {MeshAxis::pipeline, d.pipeline, "n_p", "pipeline degree", fields::pipeline},
                         {MeshAxis::context, d.context, "n_c", "context degree", fields::context}};
    const auto tell = [&](const Given& g) {
        field(g.symbol, g.text, static_cast<double>(g.degree), Measure::count, g.field);
    };
    if (axis != taking) {
        for (const Given& g : all) {
            if (g.axis != axis || g.degree == 1) continue;
            tell(g);
            return g.symbol;
        }
        return "1";
    }
    field("n", "workers", static_cast<double>(context_.workers()), Measure::count, fields::workers);
    std::string others;
    for (const Given& g : all) {
        if (g.axis == taking || g.degree == 1) continue;
        tell(g);
        others += (others.empty() ? "" : "*") + std::string(g.symbol);
    }
    if (others.empty()) return "n";
    return others.find('*') == std::string::npos ? "n/" + others : "n/(" + others + ')';
}

std::string Page::share(int part, int layer, double share, bool weights) {
    if (share == 1) return {};
    std::string text;
    const double positions = weights ? 1.0 : context_.context_share(part, layer);
    if (positions != 1) {
        Item item{Topic::share, part, layer};
        item.index = 1;
        link("p", "share of its positions", positions, Measure::number, item);
        text = "*p";
    }
    if (std::abs(share - positions) <= 1e-12 * share) return text;
    link("s", "share of the busiest worker", share / positions, Measure::number, Item{Topic::share, part, layer});
    return text + "*s";
}

Item of_message(Topic t, int part, int message) {
    Item item{t, part};
    item.message = message;
    return item;
}

double value_of(const Context& c, const Item& item) {
    const auto page = page_of(c, item);
    return page ? page->result() : 0.0;
}

std::string Page::sharing(Held of) {
    const StateShards& states = context_.estimate.states;
    Item ranks{Topic::ranks};
    if (of == Held::experts) {
        ranks.index = 1;
        link("n_x", "workers with the same experts", static_cast<double>(states.expert_ranks), Measure::count, ranks);
        return "n_x";
    }
    link("n_d", "replicas that share one copy", static_cast<double>(states.ranks), Measure::count, ranks);
    return "n_d";
}

Term held_parameters(const Context& c, int part, int layer, Held held) {
    const LayerShares& shares = c.row(part, layer).shares;
    Item item{Topic::layer_parameters, part, layer};
    if (shares.experts > 0) item.index = static_cast<int>(held);
    const double of = held == Held::experts ? shares.experts : held == Held::beside ? 1 - shares.experts : 1.0;
    return {c.layer_name(part, layer), static_cast<double>(c.facts(part, layer).parameters()) * shares.weights * of,
            item};
}

Page& Page::device_memory() {
    const double share = context_.scenario.model.memory.value;
    field("W", "memory bandwidth", context_.scenario.cluster.device.memory_bandwidth.value, Measure::byte_rate,
          fields::memory_bandwidth, context_.memory_evidence());
    return field("e_m", "share of it reached", share, Measure::percent, fields::memory,
                 of_share(context_, fields::memory, share));
}

Page& Page::samples(std::string symbol, std::string text, int index) {
    Item item{Topic::samples};
    item.index = index;
    const auto page = page_of(context_, item);
    const double value = context_.samples(index);
    if (page && page->formula_text() == "B")
        return field(std::move(symbol), std::move(text), value, Measure::count, fields::batch);
    return link(std::move(symbol), std::move(text), value, Measure::count, item);
}

Page& Page::samples(int part, int layer) {
    const bool together = context_.one_replica() || (context_.in_back(part, layer) &&
                                                     context_.estimate.point.scheme == HybridScheme::all_at_once);
    return samples("b", "samples at once", context_.staged() ? 2 : together ? 1 : 0);
}

std::string Page::sum(const std::vector<Term>& terms, Measure m, Evidence e, const char* what,
                      const std::string& symbol) {
    const auto sorted = in_order(terms);
    const auto from = static_cast<std::size_t>(e_.item.from);
    // Few first; further pages grow, so that networks of thousands of layers stay a few pages deep.
    const std::size_t wanted = from == 0 ? 3 : std::min<std::size_t>(4 * from, 240);
    std::size_t to = std::min(sorted.size(), from + wanted);
    if (to + 1 == sorted.size()) to = sorted.size();
    std::string text;
    for (std::size_t i = from; i < to; ++i) {
        const std::string name = symbol + '_' + std::to_string(i + 1);
        text += (text.empty() ? "" : " + ") + name;
        link(name, sorted[i].name, sorted[i].value, m, sorted[i].item, e);
    }
    if (to < sorted.size()) {
        double rest = 0;
        for (std::size_t i = to; i < sorted.size(); ++i) rest += sorted[i].value;
        Item further = e_.item;
        further.from = static_cast<int>(to);
        text += " + r";
        link("r", std::to_string(sorted.size() - to) + " other " + what, rest, m, further, e);
    }
    return text.empty() ? "0" : text;
}

Explanation Page::finish(bool definitions) {
    Explanation e = std::move(e_);
    e.formula = formula_;
    e.crumbs = crumbs_of(context_, e.item);
    e.evidence_text = words(context_, e.evidence);
    const Lines lines = compose_lines(formula_, quantities_, e.result, measure_);
    e.lines = lines.lines;
    e.result_shown = lines.result.text;
    if (measure_ == Measure::seconds && std::abs(e.result) >= 60)
        e.notes.push_back("That is " + format_time(Seconds{e.result}) + '.');
    for (std::size_t i = 0; i < e.inputs.size(); ++i)
        if (!e.inputs[i].symbol.empty()) e.inputs[i].shown = lines.quantities[i].text;
    for (std::size_t i = 0; definitions && i < e.inputs.size(); ++i) {
        const Input& input = e.inputs[i];
        if (!input.because || input.because->baseline || !worth_defining(input.because->topic)) continue;
        const auto page = page_of(context_, *input.because);
        if (!page || !page->has_value()) continue;
        const DefinitionText d = compose_definition(page->formula_text(), page->quantities(), lines.quantities[i]);
        if (d.text.size() <= longest_definition && d.text != lines.quantities[i].text)
            e.definitions.push_back({input.symbol, d.formula, input.value, d.text, *input.because});
    }
    if (!parts_.empty()) {
        std::vector<double> values, shares;
        for (const Term& t : parts_) {
            values.push_back(t.value);
            shares.push_back(parts_whole_ > 0 ? t.value / parts_whole_ : 0.0);
        }
        const SumText text = print_sum(values, parts_whole_, parts_measure_);
        const auto share_text = print_shares(shares);
        for (std::size_t i = 0; i < parts_.size(); ++i)
            e.parts.push_back(
                {parts_[i].name, values[i], shares[i], text.terms[i].text, share_text[i], parts_[i].item});
        e.parts_shown = text.whole.text;
    }
    return e;
}

}  // namespace scalescope::explaining
