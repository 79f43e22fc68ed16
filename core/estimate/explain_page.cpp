// SPDX-License-Identifier: GPL-3.0-or-later
// What pages ask of an estimate, what its figures rest on, and how a page is put together.
#include "core/estimate/explain_rows.hpp"

#include "core/base/checked.hpp"
#include "core/estimate/sharded_axis.hpp"

namespace scalescope::explaining {
namespace {

constexpr std::size_t longest_definition = 140;  // bytes: about three lines of the panel

}  // namespace

std::string peak_field(const Scenario& s) {
    const Precision p = else_computed_in(s.cluster.device, s.training.precision);
    return "cluster.device.peak_tflops." + std::string(scalescope::name_of(p));
}

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
    if (plan.cpu) return static_cast<double>(batch().per_replica);
    if (index == 3) return hybrid_samples(plan, estimate.point, batch()).sent;
    return static_cast<double>(index == 2 ? scalescope::micro_batches(plan, estimate.point, batch()).samples
                               : index == 1 && hybrid() ? ceil_div(batch().effective, micro_step_count())
                                                        : micro_steps(plan, batch()).samples);
}
int Context::samples_index(int p, int l) const {
    if (staged()) return 2;
    return one_replica() || (in_back(p, l) && estimate.point.scheme == HybridScheme::all_at_once) ? 1 : 0;
}
/// What the busiest of `ranks` has of equal pieces that are dealt out one by one.
static double busiest_of(std::int64_t pieces, std::int64_t ranks) {
    return static_cast<double>(ceil_div(pieces, ranks)) / static_cast<double>(pieces);
}
double Context::class_share(int p, int l) const {
    if (const auto along = row(p, l).along) return busiest_of(facts(p, l).along(*along), sharing() / row(p, l).repeats);
    return part(p).outputs->busiest_share(part(p).outputs->class_of[static_cast<std::size_t>(l)], sharing());
}
double Context::context_share(int p, int l) const {
    const auto along = row(p, l).context_along;
    return along ? busiest_of(facts(p, l).along(*along), degrees().context) : 1;
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
    Rests goes_into;    ///< computing or sending, or neither
    bool used, set;
    const std::vector<std::string>* unverified = nullptr;
    const char* reached = nullptr;  ///< the share of a peak: as their product was measured, it counts as the share does

    Evidence own(const Context& c) const {
        const std::string_view name = std::string_view(field).substr(field.find('.', field.find('.') + 1) + 1);
        const bool open = set || (unverified && std::ranges::any_of(*unverified, [&](const std::string& n) {
                                      return n.starts_with(name);  // files add "_one_way"
                                  }));
        return c.constant(field, open ? Evidence::assumed : Evidence::datasheet);
    }
    Evidence counted(const Context& c, Evidence e) const { return reached ? c.constant(reached, e) : e; }
};
std::vector<Assumed> all_assumed(const Context& c) {
    using enum Rests;
    const ModelOptions& m = c.scenario.model;
    const Cluster& k = c.scenario.cluster;
    const bool inside = c.sends(true), between = c.sends(false);
    const auto *device = &k.device.unverified, *in = &k.inside.unverified, *out = &k.between.unverified;
    const char *by_hand = "share of peak set by hand", *recalled = "device figures recalled",
               *bandwidth = "bandwidth recalled", *start_up = "start-up time of messages recalled";
    return {{"model.compute", by_hand, computing, true, m.compute.value != 0 && m.compute.value != 1},
            {"model.memory", by_hand, computing, true, m.memory.value != 0 && m.memory.value != 1},
            {"model.inside", by_hand, sending, inside, m.inside.value != 1},
            {"model.between", by_hand, sending, between, m.between.value != 1},
            {peak_field(c.scenario), recalled, computing, true, false, device, "model.compute"},
            {"cluster.device.memory_bandwidth_gb_s", recalled, computing, true, false, device, "model.memory"},
            {"cluster.device.price_usd_per_hour", "", counts, false, false, device},
            {"cluster.inside.bandwidth_gb_s", bandwidth, sending, inside, false, in, "model.inside"},
            {"cluster.between.bandwidth_gb_s", bandwidth, sending, between, false, out, "model.between"},
            {"cluster.inside.latency_us", start_up, sending, inside, false, in},
            {"cluster.between.latency_us", start_up, sending, between, false, out},
            {"model.launch_us", "start-up time of operations set by hand", computing, m.launch.value != 0, true},
            {"model.overhead_ms", "overhead of a step set by hand", counts, c.plan.overhead.value != 0, true}};
}

}  // namespace

Evidence Context::resting_on(Rests on) const {
    const bool both = on == Rests::both, computes = both || on == Rests::computing,
               sent = (both || on == Rests::sending) && (workers() > 1 || estimate.servers);
    if (plan.cpu && (computes || sent))  // all figures of a machine go into every time
        return scenario.cluster.machine.unverified.empty() ? Evidence::datasheet : Evidence::assumed;
    Evidence e = Evidence::exact;
    for (const Assumed& f : all_assumed(*this))
        if (f.used && ((computes && f.goes_into == Rests::computing) || (sent && f.goes_into == Rests::sending)))
            e = std::max(e, f.counted(*this, f.own(*this)));
    return e;
}
Evidence Context::evidence_of(Topic t) const { return resting_on(row_of(t).rests); }
Evidence Context::evidence_of(std::string_view field) const {
    if (constexpr std::string_view machine = "cluster.machine."; field.starts_with(machine)) {
        const bool updates = field == "cluster.machine.server_updates_m_s";  // machines' files call it otherwise
        const std::string_view name = updates ? "server_updates_per_s" : field.substr(machine.size());
        return std::ranges::count(scenario.cluster.machine.unverified, name) ? Evidence::assumed : Evidence::datasheet;
    }
    for (const Assumed& f : all_assumed(*this))
        if (field == f.field) return f.own(*this);
    constexpr std::array guesses{"model.spread", "model.interference", "parallelism.copies", "training.input_limit"};
    return std::ranges::count(guesses, field) ? Evidence::assumed : Evidence::exact;
}

Evidence Context::counted_as(std::string_view field, Evidence own) const {
    for (const Assumed& f : all_assumed(*this))
        if (field == f.field) return f.counted(*this, own);
    return own;
}
std::string Context::words(Evidence e) const {
    if (e == Evidence::exact) return "counted";
    if (e == Evidence::datasheet) return "peak figures, not calibrated";
    if (e != Evidence::assumed) {
        std::string text = short_text(rests_on, scenario);
        if (e == Evidence::extrapolated)
            for (const auto& reason : rests_on.beyond) text += (text.back() == ';' ? " " : "; ") + reason;
        return text;
    }
    if (plan.cpu) return "figures of the machine assumed";
    std::string text;  // what of the scenario rests on nobody's figures
    const auto add = [&](std::string_view what) {
        if (text.find(what) == std::string::npos) text += (text.empty() ? "" : ", ") + std::string(what);
    };
    for (const Assumed& f : all_assumed(*this))
        if (f.used && evidence_of(f.field) == Evidence::assumed) add(f.words);
    if (rests_on.state == ScenarioEvidence::State::changed) add("changed since it was calibrated");
    return text.empty() ? "figures set by hand" : text;
}

Seconds time_of(const LayerEstimate& row, Topic topic, Pass pass) {
    switch (topic) {
        case Topic::layer_pass:
            return pass == Pass::forward ? row.forward : pass == Pass::grad_input ? row.grad_input : row.grad_weights;
        case Topic::layer_backward: return row.backward();
        case Topic::layer_update: return row.update;
        default: return row.forward + row.backward();
    }
}
Term layer_term(const Context& c, const LayerEstimate& row, Topic topic, Pass pass) {
    return {c.layer_name(row.part, row.position), time_of(row, topic, pass).value,
            Item{topic, row.part, row.position, pass}};
}
Terms layer_terms(const Context& c, Topic topic, const std::function<bool(const LayerEstimate&)>& takes, Pass pass) {
    Terms terms;
    for (const LayerEstimate& row : c.estimate.layers)
        if (takes(row)) terms.push_back(layer_term(c, row, topic, pass));
    return terms;
}
Terms message_terms(const Context& c, Topic topic, const std::function<bool(const MessageEstimate&)>& takes) {
    Terms terms;
    for (int i = 0; i < std::ssize(c.estimate.messages); ++i) {
        const MessageEstimate& m = c.message(i);
        const Seconds time = topic == Topic::message ? m.each : topic == Topic::message_hidden ? m.hidden : m.exposed;
        if (takes(m)) terms.push_back({message_name(c, m), time.value, of_message(topic, m.part, i)});
    }
    return terms;
}

Terms in_order(Terms terms) {
    std::erase_if(terms, [](const Term& t) { return t.value == 0; });
    std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.value > b.value; });
    return terms;
}

double rest_of(const Terms& terms, int from) {
    const auto sorted = in_order(terms);
    double sum = 0;
    for (std::size_t i = static_cast<std::size_t>(from); i < sorted.size(); ++i) sum += sorted[i].value;
    return sum;
}

Page::Page(const Context& context, const Item& item, std::string symbol, const Amount& result)
    : context_(context), measure_(result.measure) {
    e_.item = item;
    e_.symbol = std::move(symbol);
    e_.title = title_of(context, item);
    e_.result = result.value;
    e_.result_unit = unit_of(result.measure);
}

/// The control that a symbol leads to: of the peaks that of the precision, of gradients what sets their bytes.
const Field* field_of(A x, std::string_view path) {
    if (path == "cluster.device.peak_tflops") return find_field(peak_field(x.c.scenario));
    if (path == "cluster.device.peak_tflops.narrow")
        return find_field("cluster.device.peak_tflops." +
                          std::string(scalescope::name_of(traits_of(x.c.plan.device.narrow->precision).products)));
    const bool as_weights = x.c.plan.parallelism.gradients == GradientFormat::as_weights;
    return find_field(path == "parallelism.gradients" && as_weights ? "training.precision" : path);
}
Item item_of(A x, const Leads& leads) {
    if (leads.item || leads.found) return leads.item ? *leads.item : leads.found(x);
    Item asked = x.item;
    asked.layer = x.layer();
    Item item = of_same(*leads.topic, asked);
    if (leads.index >= 0) item.index = leads.index;
    if (leads.topic == Topic::samples && leads.index < 0) item.index = x.c.samples_index(x.part(), x.layer());
    return item;
}

void Page::give(Given g) {
    if (!g.symbol.empty())
        for (const Input& i : e_.inputs)
            if (i.symbol == g.symbol) return;
    const Ask x{context_, e_.item};
    const Leads& leads = g.leads;
    const Field* field = field_of(x, leads.path());
    std::string path(field ? field->path : leads.path());
    std::optional<Item> because;
    if (leads.to_page() && !(field && field_number(*field, context_.scenario) == g.value.value))
        because = item_of(x, leads), path.clear();
    const Evidence e = because && because->baseline ? context_.resting_on(Rests::computing)
                       : leads.rests                ? context_.resting_on(*leads.rests)
                       : leads.evidence             ? *leads.evidence
                       : because                    ? context_.evidence_of(because->topic)
                                                    : context_.evidence_of(path);
    e_.evidence = std::max(e_.evidence, context_.counted_as(path, e));
    quantities_.push_back({g.symbol, g.value.value, g.value.measure});
    e_.inputs.push_back({std::move(g.symbol), std::move(g.text), g.value.value, std::string(unit_of(g.value.measure)),
                         "", std::move(path), because, e});
}
std::string Page::follow(std::string symbol, std::string text, const Item& because) {
    const auto page = page_of(context_, because);
    return joined({{std::move(symbol), std::move(text), page ? page->amount() : Amount(0), because}});
}
std::string Page::joined(std::vector<Given> quantities, std::string_view sign) {
    std::string text;
    for (Given& g : quantities) {
        text += (text.empty() ? "" : std::string(sign)) + g.symbol;
        give(std::move(g));
    }
    return text;
}
void Page::fact(std::string text, std::string shown, Leads leads) {
    leads.evidence = Evidence::exact;
    give({{}, std::move(text), 0, leads});
    e_.inputs.back().shown = std::move(shown);
}
void Page::parts(std::string name, double whole, Measure m, const Terms& parts) {
    std::vector<double> values, shares;
    for (const Term& t : parts) values.push_back(t.value), shares.push_back(whole > 0 ? t.value / whole : 0.0);
    const SumText text = print_sum(values, whole, m);
    const auto share_text = print_shares(shares);
    for (std::size_t i = 0; i < parts.size(); ++i)
        e_.parts.push_back({parts[i].name, values[i], shares[i], text.terms[i].text, share_text[i], parts[i].item});
    e_.parts_name = std::move(name);
    if (!parts.empty()) e_.parts_shown = text.whole.text;
}
Item at_index(Topic t, int index, int part, int layer) { return {t, part, layer, Pass::forward, -1, index}; }
Item of_message(Topic t, int part, int message) { return {.topic = t, .part = part, .message = message}; }

double value_of(const Context& c, const Item& item) {
    const auto page = page_of(c, item);
    return page ? page->result() : 0.0;
}

Held held_by(const Context& c, const MessageEstimate& m, int layer) {
    const bool of_replicas = m.axis == MeshAxis::data && m.gradients && !m.weights;
    if (of_replicas && sums_in_pieces(c.row(m.part, layer).along)) return Held::piece;
    return m.carries == Carried::experts ? Held::experts : Held::beside;
}
std::string_view sharing_of(const Context& c, const MessageEstimate& m) {
    const bool shard = m.over_groups ||
                       (m.gradients && !m.weights && m.axis != MeshAxis::data && c.estimate.states.of_gradients() > 1);
    return !shard ? "" : held_by(c, m, m.layers.front()) == Held::experts ? "n_x" : "n_d";
}
Term held_parameters(const Context& c, int part, int layer, Held held) {
    const LayerShares& shares = c.row(part, layer).shares;
    Item item{Topic::layer_parameters, part, layer};
    if (shares.experts > 0 || held == Held::piece) item.index = static_cast<int>(held);
    const double of = held == Held::piece     ? 1 / static_cast<double>(c.sharing())
                      : held == Held::experts ? shares.experts
                      : held == Held::beside  ? 1 - shares.experts
                                              : 1.0;
    return {c.layer_name(part, layer), static_cast<double>(c.facts(part, layer).parameters()) * shares.weights * of,
            item};
}
Terms with_copies(const Context& c, const LayerEstimate& row, Held held) {
    Terms terms{held_parameters(c, row.part, row.position, held)};
    const std::string own = terms[0].name;
    for (const int owner : row.copies) {
        terms.push_back(held_parameters(c, row.part, owner, held));
        terms.back().name = "copy of " + terms.back().name + " for " + own;
    }
    return terms;
}
Terms needed_weights(const Context& c, int part, int layer, Held held) {
    Terms terms;
    weights_needed(*c.part(part).network, layer, c.first_of_stage(part, layer), [&](int owner) {
        Term term = held_parameters(c, part, owner, held);
        if (term.value > 0) terms.push_back(std::move(term));
    });
    return terms;
}

std::string Page::sum(const Terms& terms, Measure m, Evidence e, const char* what, const std::string& symbol) {
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
        give({name, sorted[i].name, {sorted[i].value, m}, {sorted[i].item, e}});
    }
    if (to < sorted.size()) {
        const double rest = rest_of(terms, static_cast<int>(to));
        Item further = e_.item;
        further.from = static_cast<int>(to);
        text += " + r";
        give({"r", std::to_string(sorted.size() - to) + " other " + what, {rest, m}, {further, e}});
    }
    return text.empty() ? "0" : text;
}

Explanation Page::finish(bool definitions) {
    Explanation e = std::move(e_);
    e.formula = formula_;
    e.crumbs = crumbs_of(context_, e.item);
    e.evidence_text = context_.words(e.evidence);
    const Lines lines = compose_lines(formula_, quantities_, e.result, measure_);
    e.lines = lines.lines;
    e.result_shown = lines.result.text;
    if (measure_ == Measure::seconds && std::abs(e.result) >= 60)
        e.notes.push_back("That is " + format_time(Seconds{e.result}) + '.');
    for (std::size_t i = 0; i < e.inputs.size(); ++i)
        if (!e.inputs[i].symbol.empty()) e.inputs[i].shown = lines.quantities[i].text;
    for (std::size_t i = 0; definitions && i < e.inputs.size(); ++i) {
        const Input& input = e.inputs[i];
        if (!input.because || input.because->baseline || row_of(input.because->topic).rests != Rests::formula) continue;
        const auto page = page_of(context_, *input.because);
        if (!page || !page->has_value()) continue;
        const auto text = compose_definition(page->formula_text(), page->quantities(), lines.quantities[i]);
        if (text.size() <= longest_definition && text != lines.quantities[i].text)
            e.definitions.push_back({input.symbol, text, *input.because});
    }
    // Circumstances stand behind what is computed with.
    std::stable_partition(e.inputs.begin(), e.inputs.end(), [](const Input& i) { return !i.symbol.empty(); });
    return e;
}

}  // namespace scalescope::explaining
