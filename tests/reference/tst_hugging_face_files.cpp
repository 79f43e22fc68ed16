// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations of models that others wrote: parameters as summed from the figures by another program
// (tests/data/models/hugging_face/truth.csv), or refused with a reason. Outcomes may only get better: outcomes.csv.
#include <QtTest>

#include "core/formats/library.hpp"
#include "reference/support_model_files.hpp"

using namespace scalescope;

namespace {

constexpr auto folder = "hugging_face";

/// Of what the truth counts: without the head of a task where it is of the body, with what is left out here.
std::int64_t parameters_as_counted(const Network& network, const support::CsvRow& truth) {
    std::int64_t n = std::stoll(truth.at("left_out"));
    for (int l = 0; l < network.size(); ++l)
        if (truth.at("part") == "all" || !network.layers()[static_cast<std::size_t>(l)].name.starts_with("head/"))
            n += network.facts()[static_cast<std::size_t>(l)].parameters();
    return n;
}

}  // namespace

class HuggingFaceFiles : public QObject {
    Q_OBJECT
private slots:
    void outcomes() { support::compare_model_files(folder, 54, {{}, {}, parameters_as_counted}); }
    void what_is_read_is_kept_in_a_file() { support::write_and_read_model_files(folder); }
    void warnings_have_a_place();
    void lengths_are_open();
};

void HuggingFaceFiles::warnings_have_a_place() {
    for (const auto& entry : support::csv_rows(folder, "outcomes.csv")) {
        Problems warnings;
        (void)formats::read_any_network(support::model_text(folder, entry.first), entry.first, &warnings);
        for (const Problem& p : warnings)
            QVERIFY2(p.at.line > 0 && p.at.file == entry.first && !p.remedy.empty(), to_text(p).c_str());
    }
}

/// Another length of the sequence is another amount of work by the same weights.
void HuggingFaceFiles::lengths_are_open() {
    for (const char* name : {"llama2-7b.json", "bert-large.json", "t5-v1_1-xxl.json", "deepseek-v3.json"}) {
        const auto network = formats::read_any_network(support::model_text(folder, name), name);
        QVERIFY2(network.has_value(), name);
        const std::vector<Binding> longer{{"sequence", 1000}}, twice{{"sequence", 2000}};
        const auto a = (*network)->with(longer), b = (*network)->with(twice);
        QVERIFY2(a.has_value() && b.has_value(), name);
        QCOMPARE((*a)->parameters(), (*network)->parameters());
        QVERIFY((*b)->multiply_adds() > (*a)->multiply_adds());
    }
}

QTEST_APPLESS_MAIN(HuggingFaceFiles)
#include "tst_hugging_face_files.moc"
