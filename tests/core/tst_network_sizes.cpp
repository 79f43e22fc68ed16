// SPDX-License-Identifier: GPL-3.0-or-later
// Networks by family and number of parameters: published sizes, and those scaled from the nearest one.
#include <QtTest>
#include <cmath>

#include "core/formats/hugging_face/import.hpp"
#include "core/words/network_words.hpp"
#include "support_library.hpp"

using namespace scalescope;
using support::library;
using support::messages;

namespace {

formats::SizedNetwork sized(std::string_view family, double billions) {
    auto made = formats::network_of_family(formats::shipped_families(), family, billions);
    if (!made) qFatal("%s", messages(made.error()).c_str());
    return std::move(*made);
}

double billions_of(NetworkDraft draft) {
    const auto network = Network::make(std::move(draft));
    if (!network) qFatal("%s", messages(network.error()).c_str());
    return static_cast<double>((*network)->parameters()) / 1e9;
}

}  // namespace

class TestNetworkSizes : public QObject {
    Q_OBJECT

private slots:
    void a_published_size_is_taken_as_it_is() {
        const auto made = sized("llama-2", 13);
        QCOMPARE(made.assumed, std::string());
        QCOMPARE(made.draft.name, std::string("Llama 2 13b"));
        QVERIFY(std::abs(billions_of(made.draft) - 13.016) < 1e-3);
    }

    /// Between sizes, far below and far above them: about as many parameters, and a sentence about the layers.
    void other_sizes_have_their_parameters() {
        int scaled = 0;
        for (const char* family : {"llama-2", "llama-3", "gpt-2", "gpt-3", "mpt", "opt", "qwen3", "gemma-2"})
            for (const double billions : {0.3, 1.0, 4.2, 20.0, 52.0, 128.0, 1000.0}) {
                const auto made = sized(family, billions);
                const double has = billions_of(made.draft);
                const double most = billions < 1 ? 0.9 : 0.2;  // tables of tokens do not shrink
                QVERIFY2(std::abs(std::log(has / billions)) < most, (std::string(family) + " " + made.assumed).c_str());
                scaled += !made.assumed.empty();
                if (!made.assumed.empty()) QVERIFY(made.assumed.find(" layers of width ") != std::string::npos);
            }
        QVERIFY(scaled >= 30);
    }

    void what_cannot_be_scaled_is_a_problem() {
        const auto& families = formats::shipped_families();
        QVERIFY(!formats::network_of_family(families, "mixtral", 5));  // of experts
        QVERIFY(!formats::network_of_family(families, "nonesuch", 5));
        for (const double billions : {0.0, -1.0, 1e6, 1e300, std::nan("")})
            QVERIFY(!formats::network_of_family(families, "llama-2", billions));
    }

    void names_of_families() {
        const std::tuple<const char*, double, const char*, double> cases[] = {
            {"MPT family", 3e9, "mpt", 3},     {"MPT 3b", 0, "mpt", 3},        {"Llama 2 13B", 0, "llama-2", 13},
            {"LLAMA2-13B", 0, "llama-2", 13},  {"gpt2_20b", 0, "gpt-2", 20},   {"GPT3-5B", 0, "gpt-3", 5},
            {"InternLM 7B", 0, "internlm", 7}, {"GPTJ-CLM", 0, "gpt-j", 6.05}, {"T5-v1.1-xl", 0, "t5-1.1", 2.85},
            {"Llama 2 34B", 0, "llama-2", 34}, {"opt-30b", 0, "opt", 30},      {"GPT-2 family", 52e9, "gpt-2", 52}};
        for (const auto& [text, parameters, family, billions] : cases) {
            const NetworkReading read = read_network(library(), text, parameters);
            QVERIFY2(read.family == family, (std::string(text) + " is " + read.family + read.id).c_str());
            QVERIFY2(std::abs(read.billions / billions - 1) < 0.01, text);
        }
        // a preset comes first, and a size that another cell states decides between presets
        QCOMPARE(read_network(library(), "Llama 3 70B").id, std::string("transformers/llama-3-70b"));
        QCOMPARE(read_network(library(), "GPT-2", 1.5e9).id, std::string("transformers/gpt-2-xl"));
        QCOMPARE(read_network(library(), "Mask R-CNN").size, std::string("50"));  // the usual one
        for (const char* none : {"7B", "nnU-Net"}) {
            const NetworkReading read = read_network(library(), none);
            QVERIFY2(read.id.empty() && read.family.empty(), none);
        }
    }
};

QTEST_APPLESS_MAIN(TestNetworkSizes)
#include "tst_network_sizes.moc"
