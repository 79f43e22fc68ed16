// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/estimate/explain.hpp"
#include "core/estimate/explain_text.hpp"
#include "core/scenario/calibrated.hpp"

/// What the pages of the why panel are made with.
namespace scalescope::explaining {

/// The row of the field table (core/scenario/fields) that holds the peak at a precision.
std::string peak_field(const Scenario& s);

/// What the figures of a topic rest on. `formula`: on counts, by one that fits on the page of what it goes into.
enum class Rests : unsigned char { counts, formula, computing, sending, both };

/// A value with its measure; times, bytes, rates and shares bring theirs.
struct Amount {
    double value = 0;
    Measure measure = Measure::number;

    Amount(double v, Measure m = Measure::number) : value(v), measure(m) {}
    template <std::integral T>
    Amount(T v) : value(static_cast<double>(v)) {}
    Amount(Seconds t) : value(t.value), measure(Measure::seconds) {}
    Amount(Flops f) : value(f.value), measure(Measure::flops) {}
    Amount(Bytes b) : value(b.value), measure(Measure::bytes) {}
    Amount(Fraction f) : value(f.value), measure(Measure::percent) {}
    Amount(FlopsPerSecond r) : value(r.value), measure(Measure::flop_rate) {}
    Amount(BytesPerSecond r) : value(r.value), measure(Measure::byte_rate) {}
    Amount(SamplesPerSecond r) : value(r.value), measure(Measure::sample_rate) {}
};

struct Ask;
/// What a symbol leads to: the control that sets it, or a page of the same part, and of the same layer, pass or message
/// where the topic has one, or any other page; the network where nothing is said. With both, the control where the
/// value is just what that says.
struct Leads {
    std::string_view field = {};
    std::optional<Topic> topic = std::nullopt;
    int index = -1;
    std::optional<Evidence> evidence = std::nullopt;  ///< unless it is that of the topic or the field
    std::optional<Rests> rests = std::nullopt;  ///< what its evidence is that of, if not of the topic or the field
    std::optional<Item> item = std::nullopt;    ///< this page
    Item (*found)(const Ask&) = nullptr;        ///< or one that is looked for
    /// Of any of these, in any order.
    template <class... T>
    constexpr Leads(const T&... what) {
        (set(what), ...);
    }
    constexpr void set(std::string_view path) { field = path; }
    constexpr void set(Topic t) { topic = t; }
    constexpr void set(int at) { index = at; }
    constexpr void set(Evidence e) { evidence = e; }
    constexpr void set(Rests on) { rests = on; }
    constexpr void set(const Item& i) { topic = i.topic, item = i; }
    constexpr void set(Item (*at)(const Ask&)) { found = at; }
    bool to_page() const { return topic || item || found; }
    std::string_view path() const { return field.empty() && !to_page() ? "workload" : field; }
};

/// A quantity of a formula.
struct Given {
    std::string symbol, text;
    Amount value;
    Leads leads{};
};

/// The estimate asked about, and what many pages need of it.
struct Context {
    const Scenario& scenario;
    const Plan& plan;
    const Estimate& estimate;
    ScenarioEvidence rests_on;  ///< of the scenario

    const PlanPart& part(int p) const { return plan.parts[static_cast<std::size_t>(p)]; }
    const LayerFacts& facts(int p, int l) const { return part(p).network->facts()[static_cast<std::size_t>(l)]; }
    const LayerEstimate& row(int p, int l) const;
    const MessageEstimate& message(int m) const { return estimate.messages[static_cast<std::size_t>(m)]; }
    std::string layer_name(int p, int l) const;
    bool several_networks() const { return plan.parts.size() > 1; }

    std::int64_t workers() const { return estimate.point.workers; }
    /// One worker works the same way, however the work is divided.
    Degrees degrees() const { return plan.cpu ? Degrees{workers()} : *estimate.point.degrees(); }
    bool hybrid() const { return workers() > 1 && !plan.cpu && estimate.point.segments; }
    bool staged() const { return degrees().pipeline > 1; }
    /// All workers work on the same samples.
    bool one_replica() const { return workers() > 1 && !hybrid() && degrees().data == 1; }
    bool batch_grows() const { return plan.training.batch_rule == BatchRule::per_worker; }
    std::int64_t sharing() const { return hybrid() ? workers() : degrees().tensor; }  ///< workers that divide a layer
    const Batch& batch() const { return estimate.summary.batch; }
    std::int64_t micro_batches() const;        ///< really used; 1 without stages
    bool in_back(int p, int l) const;          ///< hybrid: behind the cut
    std::int64_t slices() const;               ///< hybrid: pieces the back part works through; 1 without it
    double samples(int index) const;           ///< as in Topic::samples
    int samples_index(int p, int l) const;     ///< which of them one execution of a layer has
    double class_share(int p, int l) const;    ///< of the layer's tensor on the busiest worker of the tensor axis
    double context_share(int p, int l) const;  ///< of its positions, on the context axis
    int stage_count() const;                   ///< devices of the pipeline
    int stage_of(int layer) const;             ///< of a pipeline, whose runs are its stages: a device may have several
    int first_of_stage(int p, int l) const;    ///< the first layer of the device that has this one
    std::int64_t micro_step_count() const;     ///< really used
    double accumulation() const { return static_cast<double>(micro_step_count()); }
    double count(int p) const { return part(p).count; }
    /// Of a layer in a step, one micro-batch each where there are stages.
    double executions(int p) const { return accumulation() * count(p) * static_cast<double>(micro_batches()); }

    /// Of a constant of the model, which a calibration may have fitted; `otherwise` if none did.
    Evidence constant(std::string_view field, Evidence otherwise) const;
    /// What the figure of a field counts for on a page: a peak that a fitted share multiplies counts as the share does,
    /// as their product was measured.
    Evidence counted_as(std::string_view field, Evidence own) const;
    /// Weakest of what figures rest on, as their topic says; or of the value of a field.
    Evidence resting_on(Rests) const;
    Evidence evidence_of(Topic) const;
    Evidence evidence_of(std::string_view field) const;
    bool sends(bool inside) const;  ///< over the links inside nodes, or between them
    std::string words(Evidence e) const;
};

/// One term of a sum over layers or messages.
struct Term {
    std::string name;
    double value = 0;
    Item item;
};
using Terms = std::vector<Term>;
/// Seconds of a layer, by the topic that explains them: layer_pass, layer_backward, layer_compute, layer_update.
Seconds time_of(const LayerEstimate& row, Topic topic, Pass pass = Pass::forward);
Term layer_term(const Context&, const LayerEstimate& row, Topic topic, Pass pass = Pass::forward);
/// Of the layers that `takes` takes.
Terms layer_terms(const Context&, Topic, const std::function<bool(const LayerEstimate&)>& takes, Pass = Pass::forward);
/// Seconds of the messages that `takes` takes, by topic: message, message_exposed or message_hidden.
Terms message_terms(const Context&, Topic topic, const std::function<bool(const MessageEstimate&)>& takes);

/// Weights where experts are divided: all that a worker holds, its experts among them, or what is beside them. A piece:
/// of weights whose gradients the tensor axis sums in pieces.
enum class Held { all = -1, experts = 2, beside = 3, piece = 4 };
Held held_by(const Context&, const MessageEstimate&, int layer);
/// Parameters that the busiest worker holds of a layer.
Term held_parameters(const Context&, int part, int layer, Held);
/// The same, with the copies of other layers' parameters that its stage holds for it.
Terms with_copies(const Context&, const LayerEstimate& row, Held);
/// The same of each layer whose weights `layer` needs to compute.
Terms needed_weights(const Context&, int part, int layer, Held);
/// The key of the ranks among which the message's gradients are in shards; empty: it carries no shard.
std::string_view sharing_of(const Context&, const MessageEstimate&);
/// The largest first, those of nothing left out.
Terms in_order(Terms terms);
/// Sum of what `in_order` has behind its first `from` terms.
double rest_of(const Terms& terms, int from);

/// What a pass of a layer does on the busiest worker, once.
Flops flops_of(const Context&, const Item& pass);
Bytes bytes_of(const Context&, const Item& pass);

/// Collects what stands on a page. Symbols that come twice are taken once.
class Page {
public:
    Page(const Context& context, const Item& item, std::string symbol, const Amount& result);

    /// Adds text to the formula; the whole must parse.
    void formula(std::string_view text) { formula_ += text; }
    void give(Given quantity);
    /// A quantity with the value that its own page has; its symbol.
    std::string follow(std::string symbol, std::string text, const Item& because);
    /// Quantities and the text of their sum: "t_f + t_b". Another sign makes another text.
    std::string joined(std::vector<Given> quantities, std::string_view sign = " + ");
    /// A circumstance in words, no quantity of the formula.
    void fact(std::string text, std::string shown, Leads leads);
    void note(std::string text) { e_.notes.push_back(std::move(text)); }
    void source(std::string_view text) { e_.source = text; }
    /// The stack of parts; `whole` is what they make up.
    void parts(std::string name, double whole, Measure m, const Terms& parts);

    /// The largest terms as inputs t_1, t_2, … and the rest in one, which a page of its own goes on with. Returns the
    /// text of the sum. Terms of nothing are left out. `what` names the terms: "layers".
    std::string sum(const Terms& terms, Measure m, Evidence e, const char* what, const std::string& symbol = "t");

    /// Takes the value of the formula as the result: a figure that no record holds, part of one that a record does.
    void evaluated() { e_.result = computed(formula_, quantities_); }
    const Item& item() const { return e_.item; }
    bool has_value() const { return !formula_.empty(); }
    std::string formula_text() const { return formula_; }
    const std::vector<Quantity>& quantities() const { return quantities_; }
    double result() const { return e_.result; }
    Amount amount() const { return {e_.result, measure_}; }

    /// Prints everything. `definitions`: with the formulas of simple inputs beside it.
    Explanation finish(bool definitions);

private:
    const Context& context_;
    Explanation e_;
    Measure measure_;
    std::string formula_;
    std::vector<Quantity> quantities_;  ///< as e_.inputs
};

/// The page of an item, unprinted; a Problem if the item is none of the estimate.
Result<Page> page_of(const Context& context, const Item& item);
struct TopicRow {
    Topic topic, parent;  ///< parent: the page above it on the way from the step
    Rests rests;
    std::string_view names;  ///< between bars, by name_index(); # stands for the index, from 1
};
const TopicRow& row_of(Topic);
/// Number of products of the item's pass that have pages of their own.
int products_of(const Context& c, const Item& item);
/// Whether the item points into the estimate.
bool exists(const Context&, const Item&);

// The rooms of pages, each in a file of its own.
/// Of asynchronous updates: the servers, the line before them, pushes and pulls.
std::optional<Page> servers_page(const Context&, const Item&);
bool with_servers(const MessageEstimate&);
/// How often a stage's pass, or a transfer, stands on the longest chain.
std::int64_t pieces_on_chain(const Context&, const Item&);
/// How many buffers a layer keeps for its backward pass: Topic::kept_tensor has one page for each.
int kept_count(const Context&, const Item& item);
/// How many levels of links the item's message is priced on; 1: its own page says all.
int level_count(const Context&, const Item&);
/// What the method of CPU clusters prices in its own way; whether there is such a figure; its page.
bool cpu_item_exists(const Context& c, const Item& item);
std::optional<Page> cpu_page(const Context&, const Item&);
/// Of a layer on a CPU cluster, and of one of its passes.
inline bool of_cpu_layer(Topic t) { return t >= Topic::cpu_compute && t <= Topic::cpu_working_set; }
/// What PALEO's methods price in their own way; all else is the same for every method.
std::optional<Page> paleo_page(const Context&, const Item&);

Item at_index(Topic t, int index, int part = 0, int layer = -1);
/// The topic's figure of the layer, pass or message that `item` is about, where it needs one.
Item of_same(Topic t, const Item& item);
Item of_message(Topic t, int part, int message);
/// The figure that the item's page explains; 0 if there is none.
double value_of(const Context&, const Item&);

/// Names for titles and crumbs.
std::string title_of(const Context&, const Item&);
std::string short_name(const Context&, const Item&);
std::vector<Crumb> crumbs_of(const Context&, const Item&);
std::string message_name(const Context&, const MessageEstimate&);
std::string_view word_for(Pass p);
std::string_view word_for(Message m);
/// With its first letter in upper case.
std::string capital(std::string_view text);

inline constexpr const char* sharded_source = "ZeRO: Rajbhandari et al., SC 2020";
inline constexpr const char* host_source = "Offloading to the host: Ren et al., ZeRO-Offload, USENIX ATC 2021";
inline constexpr const char* expert_source = "GShard: Lepikhin et al., ICLR 2021";
inline constexpr const char* halo_source =
    "Dryden et al., Improving strong-scaling of CNN training by exploiting finer-grained parallelism, IPDPS 2019";

}  // namespace scalescope::explaining
