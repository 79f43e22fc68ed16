// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/explain_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/checked.hpp"
#include "core/base/format.hpp"
#include "core/estimate/sharded_axis.hpp"

namespace scalescope::explaining {
namespace {

constexpr std::size_t longest_definition = 140;  // bytes: about three lines of the panel

}  // namespace

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
Term message_term(const Context& c, int message, Topic topic) {
    const MessageEstimate& m = c.message(message);
    const Seconds time = topic == Topic::message ? m.each : topic == Topic::message_hidden ? m.hidden : m.exposed;
    return {message_name(c, m), time.value, of_message(topic, m.part, message)};
}
std::vector<Term> message_terms(const Context& c, Topic topic,
                                const std::function<bool(const MessageEstimate&)>& takes) {
    std::vector<Term> terms;
    for (std::size_t m = 0; m < c.estimate.messages.size(); ++m)
        if (takes(c.estimate.messages[m])) terms.push_back(message_term(c, static_cast<int>(m), topic));
    return terms;
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

Page::Page(const Context& context, const Item& item, std::string symbol, const Amount& result)
    : context_(context), measure_(result.measure) {
    e_.item = item;
    e_.symbol = std::move(symbol);
    e_.title = title_of(context, item);
    e_.result = result.value;
    e_.result_unit = unit_of(result.measure);
}

Page& Page::formula(std::string text) {
    formula_ += text;
    return *this;
}

Page& Page::give(Given g) {
    if (!g.symbol.empty())
        for (const Input& i : e_.inputs)
            if (i.symbol == g.symbol) return *this;
    if (g.because.same) g.because.item = of_same(g.because.item->topic, e_.item);
    const Evidence e = g.evidence ? *g.evidence : context_.evidence_of(g.because);
    e_.evidence = weaker(e_.evidence, context_.counted_as(g.because.field, e));
    quantities_.push_back({g.symbol, g.value.value, g.value.measure});
    e_.inputs.push_back({std::move(g.symbol),
                         std::move(g.text),
                         g.value.value,
                         std::string(unit_of(g.value.measure)),
                         {},
                         std::move(g.because.field),
                         g.because.item,
                         e});
    return *this;
}
Page& Page::follow(std::string symbol, std::string text, Because because) {
    if (because.same) because = of_same(because.item->topic, e_.item);
    const auto page = page_of(context_, *because.item);
    return give({std::move(symbol), std::move(text), page ? page->amount() : Amount(0), because});
}
std::string Page::joined(std::vector<Given> quantities, std::string_view sign) {
    std::string text;
    for (Given& g : quantities) {
        text += (text.empty() ? "" : std::string(sign)) + g.symbol;
        give(std::move(g));
    }
    return text;
}
Page& Page::fact(std::string text, std::string shown, const Because& because) {
    give({{}, std::move(text), 0, because, Evidence::exact});
    e_.inputs.back().shown = std::move(shown);
    return *this;
}
Page& Page::of_network(int part) { return fact("network", context_.part(part).network->name(), fields::workload); }
Page& Page::note(std::string text) {
    e_.notes.push_back(std::move(text));
    return *this;
}
Page& Page::source(std::string_view text) {
    e_.source = text;
    return *this;
}
Page& Page::parts(std::string name, double whole, Measure m, std::vector<Term> parts) {
    e_.parts_name = std::move(name);
    parts_whole_ = whole;
    parts_measure_ = m;
    parts_ = std::move(parts);
    return *this;
}
Page& Page::evaluated() {
    const auto formula = numerics::parse_expression(formula_);
    const auto value = formula ? numerics::evaluate(*formula,
                                                    [&](std::string_view name) -> std::optional<double> {
                                                        for (const Quantity& q : quantities_)
                                                            if (q.symbol == name) return q.value;
                                                        return std::nullopt;
                                                    })
                               : Result<double>(0.0);
    e_.result = value ? *value : 0.0;
    return *this;
}
Page& Page::nothing(std::string reason) {
    formula_ = "0";
    return note(std::move(reason));
}

std::string Page::prefix(int part, const Repeat& repeat) {
    std::string text;
    if (repeat.accumulation && context_.micro_step_count() != 1) {
        text += "a*";
        micro_steps();
    }
    if (const auto m = context_.micro_batches(); repeat.micro_batches && m != 1) {
        text += "M*";
        const bool wanted = m == context_.estimate.point.micro_batches;
        give({"M", "micro-batches", m, wanted ? Because(fields::micro_batches) : Because(Topic::micro_batches)});
    }
    if (repeat.slices && context_.slices() != 1) {
        text += "g*";
        slices();
    }
    if (repeat.successive > 1)
        text += joined({{"T", "one after the other", static_cast<double>(repeat.successive), fields::workload}}) + '*';
    if (repeat.count && context_.count(part) != 1)
        text += joined({{"c", "times in a step", context_.count(part), fields::count}}) + '*';
    return text;
}
std::string Page::over(int part, const Repeat& repeat) {
    std::string divisor = prefix(part, repeat);
    if (divisor.empty()) return {};
    divisor.pop_back();
    return divisor.find('*') == std::string::npos ? '/' + divisor : "/(" + divisor + ')';
}

Page& Page::micro_steps() {
    const auto a = context_.micro_step_count();
    const bool wanted = a == context_.plan.training.accumulation;
    return give({"a", "micro-steps added up", a, wanted ? Because(fields::accumulation) : Because(Topic::micro_steps)});
}

Page& Page::slices() {
    const auto g = context_.slices();
    if (g == context_.workers()) return give({"g", "slices, one for each worker", g, fields::workers});
    return give({"g", "slices", g, Topic::slices});
}

Page& Page::workers(std::string symbol) {
    return give({std::move(symbol), "workers", context_.workers(), fields::workers});
}
Page& Page::batch() { return give({"E", "samples in a step", context_.batch().effective, Topic::effective_batch}); }
Page& Page::element_bytes(int part, const char* text) {
    return give({"w", text, Bytes{context_.part(part).work.element_bytes}, fields::precision});
}
Page& Page::gradient_bytes(int part) {
    const bool as_weights = context_.plan.parallelism.gradients == GradientFormat::as_weights;
    return give({"w", "bytes of a gradient", Bytes{context_.part(part).work.gradient_element_bytes},
                 as_weights ? fields::precision : fields::gradients});
}
Page& Page::output(std::string symbol, std::string text, int part, int layer) {
    return give({std::move(symbol), std::move(text), context_.facts(part, layer).out_elements,
                 Item{Topic::layer_output, part, layer}});
}
Page& Page::inputs(std::string symbol, std::string text, int part, int layer) {
    return give({std::move(symbol), std::move(text), context_.facts(part, layer).in_elements,
                 Item{Topic::layer_inputs, part, layer}});
}

std::string Page::degree(MeshAxis axis) {
    const Degrees d = context_.degrees();
    const Strategy s = context_.estimate.point.strategy;
    const MeshAxis taking = s == Strategy::outputs  ? MeshAxis::tensor
                            : s == Strategy::layers ? MeshAxis::pipeline
                                                    : MeshAxis::data;
    const std::pair<MeshAxis, Given> all[] = {
        {MeshAxis::tensor, {"n_t", "tensor degree", d.tensor, fields::tensor}},
        {MeshAxis::pipeline, {"n_p", "pipeline degree", d.pipeline, fields::pipeline}},
        {MeshAxis::context, {"n_c", "context degree", d.context, fields::context}}};
    if (axis == taking) workers();  // what the other axes leave of them
    std::string text;
    for (const auto& [of, degree] : all)
        if (degree.value.value != 1 && (of == axis) == (axis != taking)) {
            text += (text.empty() ? "" : "*") + degree.symbol;
            give(degree);
        }
    if (axis != taking) return text.empty() ? "1" : text;
    return text.empty() ? "n" : "n/" + (text.find('*') == std::string::npos ? text : '(' + text + ')');
}

std::string Page::share(int part, int layer, double share, bool weights) {
    if (share == 1) return {};
    std::string text;
    const double positions = weights ? 1.0 : context_.context_share(part, layer);
    if (positions != 1)
        text = '*' + joined({{"p", "share of its positions", positions, at_index(Topic::share, 1, part, layer)}});
    if (std::abs(share - positions) <= 1e-12 * share) return text;
    const LayerEstimate& row = context_.row(part, layer);
    if ((row.along == ShardAlong::image_rows || row.along == ShardAlong::heads) && share == row.shares.inputs &&
        share != row.shares.outputs)
        return text + '*' +
               joined({{"s_i", "share that the busiest worker reads", share / positions,
                        at_index(Topic::share, 2, part, layer)}});
    return text + '*' +
           joined({{"s", "share of the busiest worker", share / positions, Item{Topic::share, part, layer}}});
}

Item at_index(Topic t, int index, int part, int layer) { return {t, part, layer, Pass::forward, -1, index}; }
Item of_message(Topic t, int part, int message) {
    Item item{t, part};
    item.message = message;
    return item;
}

double value_of(const Context& c, const Item& item) {
    const auto page = page_of(c, item);
    return page ? page->result() : 0.0;
}

std::string Page::expert_ranks() {
    const Point& p = context_.estimate.point;
    if (p.expert > 1) give({"n_e", "expert degree", p.expert, fields::expert});
    if (p.expert_tensor > 1) give({"n_v", "expert tensor degree", p.expert_tensor, fields::expert_tensor});
    return p.expert_tensor == 1 ? "n_e" : p.expert == 1 ? "n_v" : "(n_e*n_v)";
}

std::string Page::sharing(Held of) {
    const StateShards& states = context_.estimate.states;
    if (of == Held::experts)
        return joined({{"n_x", "workers with the same experts", states.expert_ranks, at_index(Topic::ranks, 1)}});
    return joined({{"n_d", "replicas that share one copy", states.ranks, Topic::ranks}});
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
std::vector<Term> with_copies(const Context& c, const LayerEstimate& row, Held held) {
    std::vector<Term> terms{held_parameters(c, row.part, row.position, held)};
    const std::string own = terms[0].name;
    for (const int owner : row.copies) {
        terms.push_back(held_parameters(c, row.part, owner, held));
        terms.back().name = "copy of " + terms.back().name + " for " + own;
    }
    return terms;
}
std::vector<Term> needed_weights(const Context& c, int part, int layer, Held held) {
    std::vector<Term> terms;
    weights_needed(*c.part(part).network, layer, c.first_of_stage(part, layer), [&](int owner) {
        Term term = held_parameters(c, part, owner, held);
        if (term.value > 0) terms.push_back(std::move(term));
    });
    return terms;
}

Page& Page::device_memory() {
    const Scenario& s = context_.scenario;
    give({"W", "memory bandwidth", s.cluster.device.memory_bandwidth, fields::memory_bandwidth});
    return give({"e_m", "share of it reached", s.model.memory, fields::memory});
}
Page& Page::device_peak() {
    const Scenario& s = context_.scenario;
    const Precision precision = s.training.precision;
    give({"P", std::string(scalescope::name_of(precision)) + " peak of the " + s.cluster.device.name,
          *s.cluster.device.peak_at(precision), fields::peak(precision)});
    return give({"e", "share of peak reached", s.model.compute, fields::compute});
}

Page& Page::samples(std::string symbol, std::string text, int index) {
    const Item item = at_index(Topic::samples, index);
    const auto page = page_of(context_, item);
    const bool batch = page && page->formula_text() == "B";
    return give({std::move(symbol), std::move(text), context_.samples(index), batch ? Because(fields::batch) : item});
}

Page& Page::samples(int part, int layer) {
    return samples("b", "samples at once", context_.samples_index(part, layer));
}

std::string wrapped(const std::string& text) { return text.find(' ') == std::string::npos ? text : '(' + text + ')'; }

Page sum_page(const Context& c, const Item& item, const char* symbol, const std::vector<Term>& terms, const Sum& sum) {
    const char* letter = sum.measure == Measure::seconds ? "t" : sum.measure == Measure::bytes ? "m" : "N";
    const bool rest = item.from > 0;
    Page page = rest || !sum.whole
                    ? Page(c, item, sum.whole ? letter : symbol, {rest_of(terms, item.from), sum.measure})
                    : Page(c, item, symbol, *sum.whole);
    const std::string before = !rest && sum.before ? sum.before(page) : "";
    const Evidence e = terms.empty() ? Evidence::exact : c.evidence_of(terms.front().item);
    const std::string text = page.sum(terms, sum.measure, e, sum.what, letter);
    const std::string after = !rest && sum.after ? sum.after(page) : "";
    const bool factor = !before.empty() || (!after.empty() && after[0] != ' ');
    page.formula(before + (factor ? wrapped(text) : text) + after);
    return in_order(terms).empty() ? page.of_network(item.part) : page;
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
        give({name, sorted[i].name, {sorted[i].value, m}, sorted[i].item, e});
    }
    if (to < sorted.size()) {
        double rest = 0;
        for (std::size_t i = to; i < sorted.size(); ++i) rest += sorted[i].value;
        Item further = e_.item;
        further.from = static_cast<int>(to);
        text += " + r";
        give({"r", std::to_string(sorted.size() - to) + " other " + what, {rest, m}, further, e});
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
