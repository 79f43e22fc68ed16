// SPDX-License-Identifier: GPL-3.0-or-later
// Core speaks English. That what it says can be told in another language, and that nothing is missing.
#include <QtTest>
#include <algorithm>
#include <regex>

#include "core/drawing/caption.hpp"
#include "core/language/catalogue.hpp"
#include "core/network/attributes.hpp"
#include "core/scenario/fields.hpp"
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

}  // namespace

class TestLanguage : public QObject {
    Q_OBJECT

    std::set<std::string> names_;
    QStringList missing_;

    void remember(const Scenario& s) {
        for (const auto& part : s.workload) {
            if (!part.network) continue;
            names_.insert(part.network->name());
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
        look(said_about(s));
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

    void numbers_are_never_touched() {
        static const std::regex number("[0-9][0-9.,]*[0-9]|[0-9]");
        const auto numbers = [](const std::string& text) {
            std::vector<std::string> all;
            for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it)
                all.push_back(it->str());
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
        for (const Strategy strategy : all_strategies)
            for (const HybridScheme scheme : all_schemes)
                for (const Overlap overlap : all_overlaps) {
                    if (strategy != Strategy::hybrid && scheme != HybridScheme::all_at_once) continue;
                    Scenario s = explained::scenario("few kinds");
                    s.parallelism.strategy = strategy;
                    s.parallelism.scheme = scheme;
                    s.parallelism.overlap = overlap;
                    s.parallelism.bucket = Bytes{3000};
                    look(s);
                    if (overlap != Overlap::off || strategy != Strategy::data) continue;
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

    void every_kind_and_method() {
        for (const Method method : all_of<Method>()) {
            Scenario s = explained::scenario("every kind");
            s.model.method = method;
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
};

QTEST_APPLESS_MAIN(TestLanguage)
#include "tst_language.moc"
