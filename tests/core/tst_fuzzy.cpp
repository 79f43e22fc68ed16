// SPDX-License-Identifier: GPL-3.0-or-later
// Finding by a few letters, and settings as somebody types them.
#include <QtTest>
#include <algorithm>
#include <string>

#include "core/base/fuzzy.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/typed_setting.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"

using namespace scalescope;

namespace {

std::optional<int> worth(std::u16string_view typed, std::u16string_view name, std::u16string_view about = u"") {
    return FuzzyQuery(typed).score(FuzzyText(name), FuzzyText(about));
}
std::vector<std::size_t> places(std::u16string_view typed, std::u16string_view name) {
    return FuzzyQuery(typed).places(FuzzyText(name));
}
using Places = std::vector<std::size_t>;

/// The rule once more, by trying every way to lay a word over a text.
int brute(std::u16string_view word, std::u16string_view text, const std::vector<int>& starts, std::size_t from,
          bool first, std::size_t last) {
    if (word.empty()) return 0;
    int best = -100000;
    for (std::size_t j = from; j < text.size(); ++j) {
        if (text[j] != word[0]) continue;
        const int link = first ? 0 : j == last + 1 ? 12 : -3;
        best = std::max(best, 16 + starts[j] + link + brute(word.substr(1), text, starts, j + 1, false, j));
    }
    return best;
}

}  // namespace

class TestFuzzy : public QObject {
    Q_OBJECT

    const formats::Library& library_ = support::library();
    Scenario example() {
        const auto* preset = library_.find_scenario("example");
        auto read = formats::read_scenario(preset->text, preset->file, library_);
        if (!read) qFatal("%s", to_text(read.error().front()).c_str());
        return std::move(read->scenario);
    }
    std::vector<TypedSetting> typed(const char* text) { return typed_settings(text, example(), library_.catalogue); }

private slots:
    /// By hand, letter by letter, from the rule in the header.
    void worths_are_those_of_the_rule() {
        QCOMPARE(*worth(u"p", u"pin"), 16 + 10);
        QCOMPARE(*worth(u"pi", u"pin"), 16 + 10 + 16 + 12);
        QCOMPARE(*worth(u"pn", u"pin"), 16 + 10 + 16 - 3);
        QCOMPARE(*worth(u"n", u"pin"), 16);
        QCOMPARE(*worth(u"fb", u"Find the best"), (16 + 10) + (16 + 8 - 3));
        QCOMPARE(*worth(u"best find", u"Find the best"), (4 * 16 + 8 + 36) + (4 * 16 + 10 + 36));
        QCOMPARE(*worth(u"v100", u"Tesla V100"), (16 + 8) + (16 + 12 + 8) + 2 * (16 + 12));
        QCOMPARE(*worth(u"size", u"batchSize"), 4 * 16 + 8 + 36);
        QCOMPARE(*worth(u"view", u"Theme", u"View"), (4 * 16 + 10 + 36) / 2);
        QVERIFY(!worth(u"vw", u"Theme", u"View"));
        QVERIFY(!worth(u"iew", u"Theme", u"View"));
        QCOMPARE(*worth(u"", u"Theme"), 0);
        QCOMPARE(*worth(u"  ", u"Theme"), 0);
        QVERIFY(!worth(u"nip", u"pin"));
        QVERIFY(!worth(u"pins", u"pin"));
        QVERIFY(!worth(u"theme dark", u"Theme"));
        QVERIFY(!worth(u"x", u""));
        QCOMPARE(worth(u"ÜBER", u"über"), worth(u"uber", u"uber"));
    }

    void the_best_place_counts_not_the_first() {
        QCOMPARE(places(u"best", u"be at the best"), (Places{10, 11, 12, 13}));
        QCOMPARE(places(u"th da", u"Theme: dark"), (Places{0, 1, 7, 8}));
        QCOMPARE(places(u"x", u"pin"), Places{});
    }

    void every_text_is_judged_as_by_brute_force() {
        unsigned seed = 7;
        const auto next = [&](unsigned below) {
            seed = seed * 1664525U + 1013904223U;
            return (seed >> 16) % below;
        };
        int found = 0;
        for (int round = 0; round < 3000; ++round) {
            std::u16string text, word;
            for (unsigned i = 0, n = 1 + next(12); i < n; ++i) text.push_back(u"abc "[next(4)]);
            for (unsigned i = 0, n = 1 + next(4); i < n; ++i) word.push_back(u"abc"[next(3)]);
            std::vector<int> starts;
            for (std::size_t i = 0; i < text.size(); ++i)
                starts.push_back(text[i] == u' ' ? 0 : i == 0 ? 10 : text[i - 1] == u' ' ? 8 : 0);
            const int expected = brute(word, text, starts, 0, true, 0);
            const auto got = worth(word, text);
            QCOMPARE(got.has_value(), expected > 0);
            if (!got) continue;
            ++found;
            QCOMPARE(*got, expected);
            // The letters that are shown are those of the word, in its order.
            std::u16string shown;
            for (const std::size_t at : places(word, text)) shown.push_back(text[at]);
            QCOMPARE(shown, word);
        }
        QVERIFY(found > 500);
    }

    void the_likelier_is_worth_more() {
        QVERIFY(*worth(u"save", u"Save") >= *worth(u"save", u"Stochastic average"));
        QVERIFY(*worth(u"ct", u"Canvas tools") > *worth(u"ct", u"Exact"));
        QVERIFY(*worth(u"pin", u"Pin as A") > *worth(u"pin", u"Pricing"));
        QVERIFY(recency_bonus(0) > recency_bonus(1));
        QCOMPARE(recency_bonus(1000), 0);
    }

    void long_texts_are_cut() {
        const std::u16string text(100'000, u'a');
        QVERIFY(worth(text, text));
        QCOMPARE(FuzzyText(text).size(), std::size_t{256});
    }

    // --- settings ------------------------------------------------------------------------------------------------

    void a_number_behind_a_name_is_a_setting() {
        for (const char* text : {"workers 16", "workers=16", "Workers = 16", "cluster.workers=16", "work 16"}) {
            const auto found = typed(text);
            QVERIFY2(!found.empty(), text);
            QCOMPARE(found.front().path, std::string("cluster.workers"));
            QVERIFY(found.front().next && found.front().changes());
            QCOMPARE(found.front().next->cluster.workers, std::int64_t{16});
            QCOMPARE(found.front().after, std::string("16"));
        }
        const auto batch = typed("batch = 256");
        QCOMPARE(batch.front().path, std::string("training.batch"));
        QCOMPARE(batch.front().next->training.batch, std::int64_t{256});
        QCOMPARE(typed("data set 1,000,000").front().next->training.data_set, std::int64_t{1000000});
    }

    void units_are_the_fields_own() {
        const auto bucket = typed("bucket 12.5 MB");
        QVERIFY(!bucket.empty() && bucket.front().next);
        QCOMPARE(bucket.front().path, std::string("parallelism.bucket_mb"));
        const auto wrong = typed("bucket = 12.5 GB");
        QVERIFY(!wrong.empty() && !wrong.front().next);
        QVERIFY(wrong.front().problem.find("12.5 GB") != std::string::npos);
    }

    void what_is_refused_says_why() {
        const auto found = typed("workers 0");
        QVERIFY(!found.empty() && !found.front().next && !found.front().changes());
        QVERIFY2(found.front().problem.find("from 1 to") != std::string::npos, found.front().problem.c_str());
        const auto choice = typed("strategy = sideways");
        QVERIFY(!choice.empty() && !choice.front().next);
        QVERIFY(!choice.front().problem.empty());
        // Without "=" it may be no setting at all.
        QVERIFY(typed("strategy sideways").empty());
        QVERIFY(typed("workers").empty());
        QVERIFY(typed("= 16").empty());
        QVERIFY(typed("").empty());
        QVERIFY(typed(std::string(100'000, 'w').c_str()).empty());
    }

    void choices_and_things_of_the_catalogue_have_names() {
        const auto strategy = typed("strategy hyb");
        QVERIFY(!strategy.empty() && strategy.front().next);
        QVERIFY(strategy.front().next->parallelism.segments);
        const Device& device = library_.catalogue.devices.back();
        const auto found = typed(("device " + device.name).c_str());
        QVERIFY(!found.empty() && found.front().next);
        QCOMPARE(found.front().next->cluster.device.id, device.id);
    }

    /// Every plain field can be set by its path, to what it is, and by nothing else first.
    void every_field_is_found_by_its_path() {
        const Scenario s = example();
        for (const Field& f : all_fields()) {
            const std::string value = field_text(f, s);
            if (value.empty() || std::string(f.path).size() + value.size() > 120) continue;
            const auto found = typed_settings(std::string(f.path) + "=" + value, s, library_.catalogue);
            QVERIFY2(!found.empty() && found.front().path == f.path, std::string(f.path).c_str());
            if (!found.front().next) {  // a machine that is none yet has figures that no field takes
                QVERIFY2(f.path.substr(0, 16) == "cluster.machine.", found.front().problem.c_str());
                continue;
            }
            QVERIFY2(*found.front().next == s, std::string(f.path).c_str());
            QVERIFY(!found.front().changes());
        }
    }
};

QTEST_APPLESS_MAIN(TestFuzzy)
#include "tst_fuzzy.moc"
