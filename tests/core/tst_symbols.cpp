// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes that a network leaves open: their values in the network, in a scenario and its file, in the table of fields.
#include <QtTest>

#include "core/base/limits.hpp"
#include "core/estimate/estimate.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/support_library.hpp"
#include "core/support_networks.hpp"

using namespace scalescope;
using support::library;
using support::messages;

namespace {

// Queries of a target read keys of a source: 8 wide, sequence long, the source twice source_sequence.
constexpr auto text = R"({
  "format": "scalescope-network", "version": 1, "name": "two lengths",
  "symbols": {
    "batch": {"default": 4},
    "sequence": {"default": 16, "description": "tokens of one sample"},
    "source_sequence": {"default": 10}
  },
  "layers": [
    {"name": "target", "kind": "input", "shape": ["batch", "sequence", 8]},
    {"name": "source", "kind": "input", "shape": ["batch", "2*source_sequence", 8]},
    {"name": "q", "kind": "dense", "inputs": ["target"], "units": 8, "bias": false, "per_position": true},
    {"name": "attention", "kind": "attention", "inputs": ["q", "source", "source"], "heads": 2}
  ]
})";

NetworkDraft draft() { return *formats::read_network_draft(text, "two.json"); }
support::NetworkPtr network() { return *Network::make(draft()); }

Scenario scenario() {
    Scenario s = support::scenario(network());
    s.workload.front().origin = "two.json";
    return s;
}

std::string first(const Problems& problems) { return to_text(problems.front()); }

std::string problem(const std::vector<Binding>& bindings) {
    const auto made = network()->with(bindings), at_once = Network::make(draft(), bindings);
    if (made.has_value() != at_once.has_value() || (!made && made.error() != at_once.error())) return "not the same";
    return made ? std::string() : first(made.error());
}

Result<formats::ReadScenario> read(const std::string& part) {
    std::string file = formats::write_scenario(scenario(), library());
    const auto at = file.find("\"symbols\": {\"sequence\"");
    if (at == std::string::npos) qFatal("no symbols in %s", file.c_str());
    file.replace(at, file.find('}', at) + 1 - at, "\"symbols\": " + part);
    return formats::read_scenario(file, "s.json", library());
}

}  // namespace

class Symbols : public QObject {
    Q_OBJECT
private slots:
    void values_give_shapes_and_work();
    void the_draft_stays();
    void what_cannot_be();
    void fields_of_a_scenario();
    void several_networks();
    void files_keep_values();
    void broken_files();
    void undo_texts();
    void outputs_of_dense_layers();
    void a_sweep();
};

void Symbols::values_give_shapes_and_work() {
    const auto n = network();
    // q: 16·8·8; attention: 16 queries, 20 keys, 2 heads of 4, keys and values
    QCOMPARE(n->multiply_adds(), std::int64_t{16 * 64 + 16 * 20 * 2 * 2 * 4});
    QCOMPARE(n->default_batch(), std::int64_t{4});
    QCOMPARE(n->bindings().size(), std::size_t{2});
    QCOMPARE(n->bindings()[0].symbol, std::string("sequence"));
    QCOMPARE(n->bindings()[1].value, std::int64_t{10});
    const std::vector<Binding> longer{{"sequence", 100}};
    const auto m = n->with(longer);
    QVERIFY(m.has_value());
    QCOMPARE((*m)->facts()[2].output, (Shape{100, 8}));
    QCOMPARE((*m)->multiply_adds(), std::int64_t{100 * 64 + 100 * 20 * 2 * 2 * 4});
    QCOMPARE((*m)->parameters(), n->parameters());
    const std::vector<Binding> source{{"source_sequence", 3}};
    const auto both = (*m)->with(source);
    QVERIFY(both.has_value());
    QCOMPARE((*both)->multiply_adds(), std::int64_t{100 * 64 + 100 * 6 * 2 * 2 * 4});
    // and everything that is found by position still is
    QCOMPARE((*both)->position("attention"), std::optional(3));
    QCOMPARE((*both)->reads(3).size(), std::size_t{2});
}

void Symbols::the_draft_stays() {
    const auto n = network();
    const std::vector<Binding> longer{{"sequence", 100}};
    const auto m = *n->with(longer);
    QCOMPARE(formats::write_network(m->draft()), formats::write_network(n->draft()));
    QVERIFY(m->same_draft(*n));
    QVERIFY(!network()->same_draft(*n));
}

void Symbols::what_cannot_be() {
    QCOMPARE(problem({{"sequence", 7}}), std::string());
    QCOMPARE(problem({{"sequenc", 7}}),
             std::string("symbols.sequenc: two lengths has no symbol \"sequenc\"; did you mean \"sequence\"?"));
    QCOMPARE(problem({{"x", 7}}), std::string("symbols.x: two lengths has no symbol \"x\"; use sequence or "
                                              "source_sequence"));
    QCOMPARE(problem({{"batch", 7}}),
             std::string("symbols.batch: The batch is no size of the network; set training.batch instead"));
    QVERIFY(problem({{"sequence", 0}}).find("cannot be 0") != std::string::npos);
    QVERIFY(problem({{"sequence", limits::dimension + 1}}).find("from 1 to 2147483648") != std::string::npos);
    // twice 2^31 is beyond one dimension; 2^31 by 20 keys is beyond what can be counted
    QVERIFY(problem({{"source_sequence", limits::dimension}}).find("2*source_sequence") != std::string::npos);
    QVERIFY(!problem({{"sequence", limits::dimension}, {"source_sequence", 1 << 29}}).empty());
    NetworkDraft unnamed = draft();
    unnamed.symbols.pop_back();
    const auto made = Network::make(unnamed);
    QVERIFY(!made);
    QVERIFY(first(made.error()).find("\"source_sequence\" has no value") != std::string::npos);
}

void Symbols::fields_of_a_scenario() {
    Scenario s = scenario();
    const SymbolFields fields(s);
    QCOMPARE(fields.rows().size(), std::size_t{2});
    const Field* f = fields.find("symbols.sequence");
    QVERIFY(f);
    QCOMPARE(f->label, std::string_view("Sequence length"));
    QCOMPARE(f->unit, std::string_view("tokens"));
    QCOMPARE(fields.find("symbols.source_sequence")->label, std::string_view("Source length"));
    QCOMPARE(fields.find("symbols.source_sequence")->unit, std::string_view());
    QVERIFY(!fields.find("symbols.batch"));
    QCOMPARE(field_text(*f, s), std::string("16"));
    QVERIFY(set_field(s, *f, 33.0).has_value());
    QCOMPARE(*field_number(*f, s), 33.0);
    QVERIFY(set_field(s, "symbols.sequence", "2e3", library().catalogue).has_value());
    QCOMPARE(s.network()->multiply_adds(), std::int64_t{2000 * 64 + 2000 * 20 * 16});
    const Scenario before = s;
    for (const auto& [path, value, words] :
         {std::tuple("symbols.sequence", "0", "Sequence length must be a whole number from 1"),
          std::tuple("symbols.sequence", "long", "not \"long\""),
          std::tuple("symbols.sequense", "5", "did you mean \"symbols.sequence\"?"),
          std::tuple("symbols.source_sequence", "2147483648", "2*source_sequence")}) {
        const auto set = set_field(s, path, value, library().catalogue);
        QVERIFY2(!set, path);
        QVERIFY2(messages(set.error()).find(words) != std::string::npos, messages(set.error()).c_str());
        QVERIFY(s == before);
    }
    Scenario plain = support::scenario(support::preset("vgg-16"));
    QVERIFY(SymbolFields(plain).rows().empty());
    QVERIFY(!set_field(plain, "symbols.sequence", "5", library().catalogue));
}

void Symbols::several_networks() {
    Scenario s = scenario();
    s.workload.push_back(s.workload.front());  // the same network twice
    s.workload.push_back({network(), {}, 1, {}});
    s.workload.push_back({support::preset("vgg-16"), {}, 1, {}});
    QCOMPARE(SymbolFields(s).rows().size(), std::size_t{2});
    QVERIFY(set_field(s, "symbols.sequence", "5", library().catalogue).has_value());
    for (std::size_t i = 0; i < 3; ++i) QCOMPARE(s.workload[i].network->bindings()[0].value, std::int64_t{5});
    QCOMPARE(s.workload[0].network.get(), s.workload[1].network.get());
    QVERIFY(s.workload[0].network != s.workload[2].network);
}

void Symbols::files_keep_values() {
    Scenario s = scenario();
    QVERIFY(set_field(s, "symbols.sequence", "2048", library().catalogue).has_value());
    const std::string file = formats::write_scenario(s, library());
    QVERIFY2(file.find("\"symbols\": {\"sequence\": 2048, \"source_sequence\": 10}") != std::string::npos,
             file.c_str());
    const auto again = formats::read_scenario(file, "s.json", library());
    QVERIFY2(again.has_value(), again ? "" : messages(again.error()).c_str());
    QVERIFY(again->warnings.empty());
    QCOMPARE(again->scenario.network()->multiply_adds(), s.network()->multiply_adds());
    QCOMPARE(formats::write_scenario(again->scenario, library()), file);
    // A file from before there were symbols has the initial values.
    QCOMPARE(read("{}")->scenario.network()->multiply_adds(), network()->multiply_adds());
}

void Symbols::broken_files() {
    for (const auto& [part, words] :
         {std::pair(R"({"sequenc": 5})", "did you mean \"sequence\"?"), std::pair(R"({"sequence": 0})", "sequence"),
          std::pair(R"({"sequence": "long"})", "sequence"), std::pair(R"({"batch": 5})", "no symbol \"batch\""),
          std::pair(R"({"source_sequence": 2147483648})", "2*source_sequence")}) {
        const auto wrong = read(part);
        QVERIFY2(!wrong, part);
        QVERIFY2(messages(wrong.error()).find(words) != std::string::npos, messages(wrong.error()).c_str());
        QVERIFY2(wrong.error().front().at.line > 0, part);
    }
}

void Symbols::undo_texts() {
    const Scenario a = scenario();
    Scenario b = a;
    QVERIFY(set_field(b, "symbols.sequence", "2048", library().catalogue).has_value());
    QVERIFY(!(a == b));
    QCOMPARE(describe_change(a, b), std::string("Sequence length 16\u00a0tokens → 2048\u00a0tokens"));
    QVERIFY(set_field(b, "symbols.source_sequence", "5", library().catalogue).has_value());
    QCOMPARE(describe_change(a, b), std::string("2 sizes of the network"));
    QVERIFY(set_field(b, "symbols.sequence", "16", library().catalogue).has_value());
    QVERIFY(set_field(b, "symbols.source_sequence", "10", library().catalogue).has_value());
    QVERIFY(a == b);  // there and back is nothing
    b.workload.front().count = 2;
    QCOMPARE(describe_change(a, b), std::string("Workload"));
}

/// The number of outputs of a dense layer may be a symbol, or a multiple of one.
void Symbols::outputs_of_dense_layers() {
    const auto with_units = [](const std::string& units) {
        return formats::read_network_draft(R"({
            "format": "scalescope-network", "version": 1, "name": "narrow",
            "symbols": {"sequence": {"default": 16}, "source_sequence": {"default": 10}},
            "layers": [{"name": "x", "kind": "input", "shape": ["batch", 8]},
                       {"name": "q", "kind": "dense", "inputs": ["x"], "bias": false, "units": )" +
                                               units + "}]}",
                                           "narrow.json");
    };
    const auto weights = [&](const char* units, const std::vector<Binding>& sizes) {
        const auto made = Network::make(*with_units(units), sizes);
        return made ? (*made)->facts()[1].weights : 0;
    };
    QCOMPARE(weights("\"sequence\"", {}), std::int64_t{8 * 16});
    QCOMPARE(weights("\"sequence\"", {{"sequence", 8}}), std::int64_t{8 * 8});
    QCOMPARE(weights("\"2*source_sequence\"", {}), std::int64_t{8 * 20});
    const auto again = formats::read_network_draft(formats::write_network(*with_units("\"sequence\"")), "again.json");
    QVERIFY(again);
    QCOMPARE(again->layers[1].attributes, with_units("\"sequence\"")->layers[1].attributes);
    QVERIFY(first(with_units("\"sequense\"").error()).find("There is no symbol") != std::string::npos);
}

void Symbols::a_sweep() {
    Sweep sweep;
    Scenario s = scenario();
    for (const char* length : {"16", "32"})
        for (const char* workers : {"2", "4", "8"}) {
            Scenario point = s;
            QVERIFY(set_field(point, "symbols.sequence", length, library().catalogue).has_value());
            QVERIFY(set_field(point, "cluster.workers", workers, library().catalogue).has_value());
            const auto swept = sweep.estimate(point), alone = estimate(point);
            QVERIFY(swept.has_value() && alone.has_value());
            QVERIFY(swept->summary == alone->summary);
        }
    QCOMPARE(sweep.plans(), 2);  // one for each length
}

QTEST_APPLESS_MAIN(Symbols)
#include "tst_symbols.moc"
