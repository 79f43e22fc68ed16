// SPDX-License-Identifier: GPL-3.0-or-later
// Core speaks English. That what it says can be told in another language, and that nothing is missing.
#include <QtTest>
#include <algorithm>
#include <array>
#include <regex>
#include <utility>

#include "core/compare/attribution.hpp"
#include "core/drawing/caption.hpp"
#include "core/language/catalogue.hpp"
#include "core/network/attributes.hpp"
#include "core/network/inference.hpp"
#include "core/network/wording.hpp"
#include "core/report/html.hpp"
#include "core/report/report.hpp"
#include "core/scenario/fields.hpp"
#include "sanitized.hpp"
#include "support_choices.hpp"
#include "support_explain.hpp"
#include "support_library.hpp"
#include "support_said.hpp"

using namespace scalescope;
using namespace support;

namespace {

language::Catalogue of(std::initializer_list<std::pair<const char*, const char*>> texts) {
    language::Catalogue c;
    for (const auto& [english, other] : texts)
        if (const auto wrong = c.add(english, other); !wrong.empty()) qFatal("%s: %s", english, wrong.c_str());
    c.sort();
    return c;
}

const language::Catalogue& german() {
    static const language::Catalogue read = [] {
        auto c = language::shipped_catalogue("de");
        if (!c) qFatal("%s", messages(c.error()).c_str());
        return std::move(*c);
    }();
    return read;
}

/// Units, symbols, names of papers.
bool is_universal(const std::string& text) {
    static const std::regex same(
        "[0-9.,]*(\\s|\u00a0)*(KiB|MiB|GiB|MHz|TFLOP/s|USD/h|FLOP|B/s|GB/"
        "s|SGD|GRU|LSTM)|Krizhevsky.*|ms|ns|rho|sigma|max|min");
    return std::regex_match(text, same);
}

compare::Share share_of(const char* label, const char* from, const char* to, double before, double after) {
    compare::Share s;
    s.differences.push_back({label, label, from, to});
    s.before = before;
    s.after = after;
    return s;
}

Pin pin(const char* name, Scenario s) { return {name, std::make_shared<const Scenario>(std::move(s))}; }

/// What files say of the hardware: no words of core's.
std::set<std::string> words_of_files(const Scenario& s) {
    const Cluster& c = s.cluster;
    std::set<std::string> words{c.device.price_basis, c.inside.note, c.between.note};
    for (const auto* sources : {&c.device.sources, &c.machine.sources, &c.inside.sources, &c.between.sources})
        words.insert(sources->begin(), sources->end());
    words.erase("");
    return words;
}

}  // namespace

class TestLanguage : public QObject {
    Q_OBJECT

    std::set<std::string> names_;
    QStringList missing_;
    unsigned scenarios_ = 0;  ///< looked at, or with sanitizers left out

    void remember(const Scenario& s) {
        for (const auto& part : s.workload) {
            if (!part.network) continue;
            names_.insert(part.network->name());
            for (const Binding& b : part.network->bindings()) names_.insert(b.symbol);
            for (const Layer& l : part.network->layers()) {
                names_.insert(l.name);
                names_.insert(part.network->name() + ": " + l.name);
            }
        }
    }
    /// "conv1, 54×54×96": a layer and its shape.
    bool is_name(const std::string& text) const {
        return names_.contains(text) || names_.contains(text.substr(0, text.rfind(", ")));
    }
    void look(const std::set<std::string>& said) {
        for (const std::string& text : said)
            for (const std::string& unknown : german().unknown(text))
                if (!is_name(unknown) && !is_universal(unknown) && missing_.size() < 40)
                    missing_ << QString::fromStdString(unknown + "   in: " + text);
    }
    void look(const Scenario& s) {
        remember(s);
        if (support::sanitized && scenarios_++ % 16 != 0) return;
        look(said_about(s));
    }
    void look(const std::vector<report::Assumption>& all, const std::set<std::string>& of_files) {
        std::set<std::string> said;
        for (const report::Assumption& a : all) {
            said.insert({a.what, a.evidence});
            const bool read = std::any_of(of_files.begin(), of_files.end(), [&](const std::string& word) {
                return a.source.find(word) != std::string::npos;
            });
            if (!read && !a.source.empty()) said.insert(a.source);
        }
        look(said);
    }
    void look(const report::Report& r) {
        std::set<std::string> said{r.title}, of_files;
        for (const report::Design& d : r.designs) {
            remember(*d.scenario);
            names_.insert(d.name);
            of_files.merge(words_of_files(*d.scenario));
            if (!d.cannot_run.empty()) said.insert(d.cannot_run);
        }
        for (const report::FieldLine& line : r.fields) said.insert(line.label);
        for (const report::FigureLine& line : r.figures) said.insert(line.label);
        for (const report::Comparison& c : r.comparisons) {
            said.insert(c.sentence);
            if (!c.note.empty()) said.insert(c.note);
            for (const report::ShareLine& line : c.lines) said.insert(line.name);
        }
        said.insert(r.notes.begin(), r.notes.end());
        look(said);
        look(r.assumptions, of_files);
    }
    void nothing_is_missing() {
        missing_.removeDuplicates();
        QVERIFY2(missing_.isEmpty(), qPrintable("presets/languages/de lacks\n" + missing_.join('\n')));
    }

private slots:
    /// What files call things is no language: ids, and the words of attributes with a choice.
    void initTestCase() {
        for (const Kind* kind : all_kinds())
            for (const AttributeInfo& a : kind->attributes)
                for (const std::string_view word : choices_of(a)) names_.insert(drawing::spoken(word));
        for (const Field& f : all_fields()) names_.insert(f.choices.begin(), f.choices.end());
        for (const Device& d : library().catalogue.devices) names_.insert(d.name);
        for (const Link& l : library().catalogue.links) names_.insert(l.name);
        for (const CpuMachine& m : library().catalogue.machines) names_.insert(m.name);
    }
    void init() { missing_.clear(); }

    void holes() {
        const auto c = of({{"The layer {=} has {#} weights.", "{2} Gewichte hat die Schicht {1}."},
                           {"weights", "Gewichte"},
                           {"{} of {=}", "{1} von {2}"}});
        QCOMPARE(c.tell("The layer weights has 12 weights."), std::string("12 Gewichte hat die Schicht weights."));
        QCOMPARE(c.tell("The layer a has no weights."), std::string("The layer a has no weights."));
        QCOMPARE(c.tell("weights of weights"), std::string("Gewichte von weights"));
        QCOMPARE(c.tell("Weights"), std::string("Gewichte"));
    }

    void the_longest_template_wins() {
        const auto c = of({{"From {} on, {}", "Ab {1}: {2}"}, {"From {} on, nothing", "Ab {1} nichts"}});
        QCOMPARE(c.tell("From 3 on, nothing"), std::string("Ab 3 nichts"));
        QCOMPARE(c.tell("From 3 on, all"), std::string("Ab 3: all"));
    }

    void a_frame_needs_known_words() {
        const auto c = of({{"{} and {}", "{1} und {2}"}, {"weights", "Gewichte"}, {"biases", "Bias"}});
        QCOMPARE(c.tell("weights and biases"), std::string("Gewichte und Bias"));
        QCOMPARE(c.tell("weights and the things that follow"), std::string("weights and the things that follow"));
    }

    void sentences_and_lists() {
        const auto c = of({{"Nothing moves.", "Nichts bewegt sich."}, {"forward", "vorwärts"}, {"bytes", "Bytes"}});
        QCOMPARE(c.tell("Nothing moves. Unknown sentence."), std::string("Nichts bewegt sich. Unknown sentence."));
        QCOMPARE(c.tell("bytes, forward"), std::string("bytes, vorwärts"));  // what stands first is a layer's name
        QCOMPARE(c.tell("Conv, forward"), std::string("Conv, vorwärts"));
        QCOMPARE(c.tell("12.5 ms"), std::string("12.5 ms"));
        QCOMPARE(c.tell(""), std::string());
    }

    void what_does_not_belong_together_is_refused() {
        language::Catalogue c;
        QVERIFY(!c.add("{} and {}", "{1} und").empty());
        QVERIFY(!c.add("{} and {}", "{1}, {2}, {3}").empty());
        QVERIFY(!c.add("{}{}", "{1}{2}").empty());
        QVERIFY(!c.add("{}", "{1}").empty());
        QVERIFY(!c.add("nothing", "").empty());
        QVERIFY(c.add("a", "b").empty());
        QVERIFY(!c.add("a", "c").empty());
    }

    void hostile_texts_end() {
        const auto c = of({{"a{}a{}a{}a{}a{}a{}b", "{1}{2}{3}{4}{5}{6}"}, {"{}, {}", "{1}, {2}"}});
        const std::string long_text(100'000, 'a');
        QCOMPARE(c.tell(long_text), long_text);
        std::string list;
        for (int i = 0; i < 2000; ++i) list += "word, ";
        QVERIFY(list.size() < 16'000);
        QVERIFY(!c.tell(list).empty());
    }

    void a_file_with_faults_says_where() {
        language::Catalogue c;
        const auto problems = language::read_language(
            "{\"format\": \"scalescope-language\", \"version\": 1, \"language\": \"de\",\n\"texts\": {\"{} a\": 3,\n"
            "\"{} b\": \"b\"}}",
            "de.json", c);
        QCOMPARE(problems.size(), std::size_t{2});
        QCOMPARE(problems[0].at.line, 2);
        QCOMPARE(problems[1].at.line, 3);
    }

    void german_is_shipped() {
        QVERIFY(german().size() > 1500);
        const auto none = language::shipped_catalogue("xx");
        QVERIFY(none && none->size() == 0);
    }

    /// Their marks change, and nothing else.
    void numbers_stay_what_they_are() {
        static const std::regex number("[0-9][0-9.,]*[0-9]|[0-9]");
        const auto numbers = [](const std::string& text) {
            std::vector<std::string> all;
            for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) {
                all.push_back(it->str());
                std::erase_if(all.back(), [](char c) { return c == '.' || c == ','; });
            }
            std::sort(all.begin(), all.end());
            return all;
        };
        const auto said = said_about(preset_scenario("example"));
        QVERIFY(said.size() > 100);
        for (const std::string& text : said) {
            if (text.find("-level cache") != std::string::npos) continue;  // L2-Cache
            QVERIFY2(numbers(text) == numbers(german().tell(text)), text.c_str());
        }
    }

    void tables() {
        look(said_by_tables());
        nothing_is_missing();
    }

    void shipped_scenarios() {
        for (const auto& preset : library().scenarios) look(preset_scenario(preset.id));
        nothing_is_missing();
    }

    void every_strategy_scheme_and_collective() {
        for (const support::Divided strategy : support::all_divided)
            for (const HybridScheme scheme : all_schemes)
                for (const Overlap overlap : all_overlaps) {
                    if (strategy != support::Divided::hybrid && scheme != HybridScheme::all_at_once) continue;
                    Scenario s = explained::scenario("few kinds");
                    support::divide(s.parallelism, strategy);
                    s.parallelism.scheme = scheme;
                    s.parallelism.overlap = overlap;
                    s.parallelism.bucket = Bytes{3000};
                    look(s);
                    if (overlap != Overlap::off || strategy != support::Divided::data) continue;
                    for (const Collective collective : all_collectives) {
                        s.parallelism.collective = collective;
                        look(s);
                    }
                    s.parallelism.updates = Updates::asynchronous;
                    s.parallelism.servers = 2;
                    look(s);
                }
        nothing_is_missing();
    }

    void meshes() {
        for (const ShardingPolicy policy : all_of<ShardingPolicy>())
            for (const char* network : {"few kinds", "every kind"})
                for (const Overlap overlap : {Overlap::off, Overlap::buckets})
                    for (const BatchRule rule : all_of<BatchRule>()) {
                        Scenario s = explained::scenario(network);
                        s.parallelism.policy = policy;
                        s.parallelism.sequence = true;
                        s.parallelism.overlap = overlap;
                        s.parallelism.bucket = Bytes{3000};
                        s.parallelism.micro_batches = 3;
                        s.parallelism.tensor = s.parallelism.pipeline = 2;
                        s.training.batch_rule = rule;
                        s.cluster.devices_per_node = 2;
                        s.cluster.workers = 8;
                        look(s);
                        s.cluster.workers = 7;
                        look(s);
                        support::divide(s.parallelism, support::Divided::outputs);
                        look(s);
                        s.cluster.workers = 6;
                        look(s);
                    }
        nothing_is_missing();
    }

    /// Positions and experts divided, every scheme, and what is refused.
    void sequences_and_experts() {
        for (const ContextScheme scheme : all_of<ContextScheme>())
            for (const Sharded sharded : all_of<Sharded>())
                for (const Overlap overlap : all_of<Overlap>())
                    for (const std::int64_t positions : {64, 63}) {
                        Scenario s = explained::scenario("few kinds");
                        s.workload[0].network = mixture(1, 64, 4, positions, sharded == Sharded::nothing);
                        s.parallelism.degrees_given() = {2, 1, 4, 4};
                        s.parallelism.context_scheme = scheme;
                        s.parallelism.sharded = sharded;
                        s.parallelism.overlap = overlap;
                        s.parallelism.recompute = overlap == Overlap::off ? Recompute::blocks : Recompute::nothing;
                        s.cluster.workers = 16;
                        s.cluster.devices_per_node = 4;
                        look(s);
                        s.parallelism.context = 2;
                        look(s);
                        s.parallelism.shard_group = 4;
                        look(s);
                        s.parallelism.shard_group = 3;
                        look(s);
                        s.parallelism.shard_group = 0;
                        s.cluster.workers = 7;
                        look(s);
                    }
        for (const Dispatch dispatch : all_of<Dispatch>())
            for (const double capacity : {0.0, 1.25}) {
                Scenario s = explained::scenario("few kinds");
                s.workload[0].network = with_attribute(mixture(1, 64, 4, 64, false), "capacity", capacity);
                s.parallelism.degrees_given() = {2, 1, 1, 4, 2};
                s.parallelism.dispatch = dispatch;
                s.cluster.workers = 8;
                s.cluster.devices_per_node = 4;
                look(s);
            }
        for (const auto& [expert, expert_tensor] : {std::pair{1, 5}, {1, 4}, {4, 2}, {1, 0}}) {
            Scenario s = explained::scenario("few kinds");
            s.parallelism.degrees_given() = {1, 1, 1, expert, expert_tensor};
            s.cluster.workers = 6;
            look(s);
            s.workload[0].network = mixture(1, 64, 4, 64, false);
            look(s);
        }
        for (const std::int64_t context : {1, 2, 3})
            for (const std::int64_t expert : {1, 3, 4}) {
                Scenario s = explained::scenario("few kinds");
                s.parallelism.degrees_given() = {1, 1, context, expert};
                s.cluster.workers = 6;
                look(s);  // neither attention nor experts
                s.workload[0].network = mixture(1, 64, 4, 64, false);
                look(s);
                s.parallelism.policy = ShardingPolicy::columns;
                look(s);
                support::divide(s.parallelism, support::Divided::hybrid);
                look(s);
                s.model.method = Method::paleo_head;
                look(s);
            }
        nothing_is_missing();
    }

    void schedules() {
        for (const PipelineOrder order : all_of<PipelineOrder>())
            for (const Overlap overlap : {Overlap::off, Overlap::buckets})
                for (const std::int64_t tensor : {1, 2})
                    for (const std::int64_t micro_batches : {1, 3, 4}) {
                        Scenario s = explained::scenario("every kind");
                        s.parallelism.order = order;
                        s.parallelism.overlap = overlap;
                        s.parallelism.bucket = Bytes{3000};
                        s.parallelism.pipeline = 2;
                        s.parallelism.tensor = tensor;
                        s.parallelism.micro_batches = micro_batches;
                        s.parallelism.chunks = micro_batches == 3 ? 64 : 2;
                        s.training.batch_rule = BatchRule::total;
                        s.training.batch = 4 * micro_batches;
                        s.cluster.workers = 4 * tensor;
                        look(s);
                    }
        // What would make it fit: one change, or several.
        Scenario s = explained::scenario("gpt-2");
        s.cluster.workers = 16;
        s.training.batch = 64;
        s.training.batch_rule = BatchRule::total;
        s.training.optimizer = Optimizer::adam;
        s.parallelism.micro_batches = 8;
        for (const std::int64_t pipeline : {1, 4})
            for (const double gigabytes : {0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0}) {
                s.parallelism.pipeline = pipeline;
                s.cluster.device.memory = Bytes{gigabytes * 1e9};
                look(s);
            }
        nothing_is_missing();
    }

    void sharded_states() {
        for (const Sharded sharded : {Sharded::optimizer, Sharded::gradients, Sharded::weights})
            for (const char* network : {"few kinds", "every kind", "gpt-2"})
                for (const Overlap overlap : {Overlap::off, Overlap::buckets})
                    for (const std::int64_t pipeline : {1, 2}) {
                        const bool large = std::string_view(network) == "gpt-2";
                        if (large && (pipeline == 1 || overlap == Overlap::off)) continue;
                        Scenario s = explained::scenario(network);
                        s.parallelism.sharded = sharded;
                        s.parallelism.sequence = true;
                        s.parallelism.overlap = overlap;
                        s.parallelism.bucket = Bytes{3000};
                        s.parallelism.micro_batches = 3;
                        s.parallelism.pipeline = pipeline;
                        s.parallelism.tensor = large ? 1 : 2;
                        s.training.accumulation = 2;
                        s.cluster.devices_per_node = 2;
                        s.cluster.workers = 8;
                        look(s);
                        s.parallelism.shard_group = 2;
                        s.parallelism.reshard_after_forward = overlap == Overlap::buckets;
                        look(s);
                        s.parallelism.tensor = s.parallelism.pipeline = 1;
                        if (large) continue;
                        look(s);
                        for (const std::int64_t group : {3, 16}) {
                            s.parallelism.shard_group = group;
                            look(s);
                        }
                        s.parallelism.shard_group = 0;
                        look(s);
                        support::divide(s.parallelism, support::Divided::hybrid);
                        look(s);
                        support::divide(s.parallelism, support::Divided::data);
                        s.parallelism.overlap = Overlap::off;
                        s.parallelism.updates = Updates::asynchronous;
                        look(s);
                        s.parallelism.updates = Updates::synchronous;
                        s.parallelism.collective = Collective::one_to_all;
                        s.model.method = Method::paleo_head;
                        look(s);
                    }
        nothing_is_missing();
    }

    void offloading() {
        for (const char* words : {"nothing", "blocks", "core_attn+mlp", "moe_act", "moe"})
            for (const double link : {0.0, 1.0}) {
                Scenario s = explained::scenario("few kinds");
                s.cluster.device.host_bandwidth.reset();
                s.cluster.host_link = gigabytes_per_second(link);
                s.parallelism.offload_states = Fraction{0.5};
                s.parallelism.offload_activations = *offload_called(words);
                look(s);
                s.model.overlap_memory = true;
                s.model.host_overlap = Fraction{0.5};
                s.workload[0].network = link > 0 ? mixture(2, 64, 4, 64, true) : gpt(2, 64, 4, 64, true);
                look(s);
                support::divide(s.parallelism, support::Divided::hybrid);
                look(s);
                support::divide(s.parallelism, support::Divided::data);
                s.parallelism.updates = Updates::asynchronous;
                look(s);
            }
    }

    void recomputation() {
        for (const Recompute recompute : all_of<Recompute>())
            for (const bool flash : {false, true})
                for (const std::int64_t ranks : {1, 2}) {
                    Scenario s = explained::scenario("few kinds");
                    s.parallelism.recompute = recompute;
                    look(s);
                    s.parallelism.recompute_layers = {s.network()->layers()[1].id};
                    look(s);
                    s.workload[0].network = gpt(2, 64, 4, 64, flash);
                    s.parallelism.tensor = s.parallelism.pipeline = ranks;
                    s.parallelism.micro_batches = 3;
                    look(s);
                    s.cluster.device.memory = Bytes{1e4};
                    look(s);
                    s.parallelism.tensor = s.parallelism.pipeline = 1;
                    support::divide(s.parallelism, support::Divided::hybrid);
                    look(s);
                }
        for (const char* words : {"core_attn", "layernorm+moe_act", "moe_act+shared_experts", "moe_act+moe", "mlp"})
            for (const bool roofline : {false, true}) {
                Scenario s = explained::scenario("few kinds");
                s.parallelism.recompute = *recompute_called(words);
                look(s);
                s.model.overlap_memory = roofline;
                s.workload[0].network = mixture(2, 64, 4, 32, true);
                look(s);
                s.workload[0].network = with_attribute(gpt(2, 64, 4, 64, false), "dropout", true);
                look(s);
                s.parallelism.recompute = Recompute::every_nth;
                s.parallelism.recompute_count = 5;
                look(s);
            }
        for (const Method method : all_of<Method>()) {
            Scenario s = explained::scenario("few kinds");
            s.model.method = method;
            s.parallelism.recompute = Recompute::blocks;
            look(s);
        }
        nothing_is_missing();
    }

    void every_kind_and_method() {
        for (const Method method : all_of<Method>()) {
            Scenario s = explained::scenario("every kind");
            s.model.method = method;
            look(s);
            s.training.accumulation = 1000;
            look(s);
            s.training.accumulation = 2;
            s.training.fused_update = false;
            s.training.input_limit = SamplesPerSecond{10};
            s.model.spread = Fraction{0.1};
            s.model.overhead = Seconds{0.001};
            look(s);
        }
        nothing_is_missing();
    }

    /// Every sentence about every figure: less, more, the same for either reason, from nothing.
    void comparisons() {
        std::set<std::string> said;
        for (std::size_t m = 0; m < search::metric_count; ++m)
            for (const auto& [from, to] :
                 std::array<std::pair<double, double>, 4>{{{1, 0.5}, {1, 1}, {1, 2}, {0, 1}}}) {
                compare::Attribution a;
                a.metric = static_cast<search::Metric>(m);
                a.from = from;
                a.to = to;
                a.depends_on_order = true;
                said.insert({compare::sentence_of(a, "A", "B"), compare::order_note(a)});
                a.shares = {share_of("Workers", "8", "16", from, to)};
                said.insert(compare::sentence_of(a, "A", "B"));
                a.shares.front().differences.push_back({"Precision", "Precision", "fp32", "fp16"});
                said.insert(compare::sentence_of(a, "A", "B"));
                const double beyond = from == to ? 2 * from : from + 2 * (to - from);
                a.shares = {share_of("Precision", "fp32", "fp16", from, beyond),
                            share_of("Overlap", "off", "buckets", beyond, to)};
                said.insert(compare::sentence_of(a, "A", "B"));
            }
        look(said);
        nothing_is_missing();
    }

    /// A choice told in a difference, whichever it is.
    void differences_of_choices() {
        std::set<std::string> said;
        for (const Field& f : all_fields())
            for (const std::string_view from : f.choices)
                for (const std::string_view to : f.choices)
                    if (from != to)
                        said.insert(to_text(Difference{std::string(f.path), std::string(f.label), drawing::spoken(from),
                                                       drawing::spoken(to)}));
        look(said);
        nothing_is_missing();
    }

    /// A pin is called after what is different about it.
    void names_of_pins() {
        std::set<std::string> said;
        for (const Field& f : all_fields()) {
            const std::string label(f.label);
            if (f.type == FieldType::integer || f.type == FieldType::number) said.insert(label + " 64");
            for (const std::string_view choice : f.choices) said.insert(label + ' ' + drawing::spoken(choice));
        }
        look(said);
        nothing_is_missing();
        Scenario a = preset_scenario("example"), b = a;
        b.cluster.workers = 7;
        b.training.batch = 64;
        b.parallelism.overlap = Overlap::buckets;
        const Pins pins{pin(a.name.c_str(), a)};
        QCOMPARE(german().tell(name_of_new_pin(b, pins)), std::string("Batch 64, Worker 7 …"));
        b.training.batch = a.training.batch;
        QCOMPARE(german().tell(name_of_new_pin(b, pins)), std::string("Worker 7, Überlappung Buckets"));
    }

    void what_shipped_scenarios_rest_on() {
        for (const auto& preset : library().scenarios)
            for (const Method method : all_of<Method>()) {
                Scenario s = preset_scenario(preset.id);
                if ((method == Method::cpu_cluster) != (s.model.method == Method::cpu_cluster)) continue;
                s.model.method = method;
                remember(s);
                look(report::assumptions_of(s), words_of_files(s));
                s.model.overlap_memory = !s.model.overlap_memory;
                s.model.staleness_cost = Fraction{0.01};
                look(report::assumptions_of(s), words_of_files(s));
            }
        nothing_is_missing();
    }

    /// What boxes on the canvas say of their layers.
    void captions() {
        std::set<std::string> said;
        const auto hear = [&](const Scenario& s) {
            for (const auto& part : s.workload)
                for (const Layer& l : part.network->layers())
                    for (const QString& remark : QString::fromStdString(drawing::caption(l)).split(", "))
                        if (!remark.isEmpty()) said.insert(remark.toStdString());
        };
        for (const char* words : {"few kinds", "every kind"}) hear(explained::scenario(words));
        for (const auto& preset : library().scenarios) hear(preset_scenario(preset.id));
        std::erase_if(said, [](const std::string& s) { return s.find("_sequence") != s.npos; });  // names of sizes
        said.erase("Oddity");        // what a file calls a layer of no known kind
        said.erase("bij,bkj->bik");  // an equation
        look(said);
        nothing_is_missing();
    }

    void counts_of_inputs() {
        std::set<std::string> said;
        for (const Kind* kind : all_kinds())
            for (int count = 0; count < 4; ++count)
                if (const auto about = about_input_count(*kind, count); !about.empty())
                    said.insert(a_layer(*kind) + ' ' + about + '.');
        look(said);
        nothing_is_missing();
        QCOMPARE(german().tell("An add layer takes 2 or more inputs, this one has none."),
                 std::string("Eine Schicht der Art add nimmt 2 oder mehr Eingaben, diese hat keine."));
    }

    void what_presets_say_about_themselves() {
        std::set<std::string> said;
        for (const auto& p : library().scenarios) said.insert(p.description);
        for (const auto& p : library().networks) said.insert(p.description);
        const Catalogue& hardware = library().catalogue;
        for (const Device& d : hardware.devices) said.insert({d.note, d.price_basis});
        for (const Link& l : hardware.links) said.insert(l.note);
        for (const CpuMachine& m : hardware.machines) said.insert(m.note);
        for (const ClusterPreset& c : hardware.clusters) said.insert(c.note);
        said.erase("");
        look(said);
        nothing_is_missing();
    }

    void what_is_typed_stays() {
        QCOMPARE(QString::fromStdString(german().tell("Use one of data, model, outputs.")),
                 QStringLiteral("Eines davon verwenden: data, model, outputs."));
        QCOMPARE(german().tell("step <= 1 ms: it is 219 ms"), std::string("step <= 1 ms: hier 219 ms"));
    }

    void values_in_reports() {
        const report::Speech in{"de", [](std::string_view said) { return german().tell(said); }};
        QCOMPARE(report::tell_value(in, "Filling axis", "data"), std::string("Daten"));
        QCOMPARE(report::tell_value(in, "Cut", "weights"), std::string("weights"));  // a layer
        QCOMPARE(report::tell_value(in, "Batch", "256"), std::string("256"));
        QCOMPARE(report::tell_value(in, "Network", "ResNet-50"), std::string("ResNet-50"));
        QCOMPARE(report::tell_value(in, "Input limit", "12\u00a0samples/s"), std::string("12\u00a0Samples/s"));
        QCOMPARE(report::tell_value({}, "Filling axis", "data"), std::string("data"));
    }

    void reports() {
        const Scenario a = preset_scenario("example");
        Scenario b = a;
        b.cluster.workers *= 2;
        b.parallelism.overlap = Overlap::buckets;
        b.training.optimizer = Optimizer::adam;
        b.training.input_limit = SamplesPerSecond{1e9};
        b.cluster.between.latency = Seconds{0};
        b.cluster.device.memory = Bytes{1e8};  // in which it does not fit
        for (const Pins& pins :
             {Pins{pin("As it is", a)}, Pins{pin("As it is", a), pin("Doubled", b)},
              Pins{pin("As it is", a), pin("Doubled", b), pin("Other", preset_scenario("vgg-16-h100"))},
              Pins{pin("Cluster", preset_scenario("alexnet-cpu-cluster")),
                   pin("Cache", preset_scenario("alexnet-cpu-cache"))}}) {
            const auto r = report::make_report({}, pins);
            if (!r) qFatal("%s", messages(r.error()).c_str());
            look(*r);
        }
        nothing_is_missing();
    }
};

QTEST_APPLESS_MAIN(TestLanguage)
#include "tst_language.moc"
